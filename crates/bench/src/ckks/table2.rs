//! `ckks-table2`: Table 2 of the paper on larger tables with CKKS, the part of each step in the time of a bootstrap.
//!
//! One thread, CPU time. Powers and polynomials are one circuit here: they stand beside the sum of the paper's two.
use super::{Subject, count, on};
use crate::clock::{Laps, median};
use crate::paper::CkksPaper;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};
use bootes_lut::ckks::{PreparedTables, TableParams};
use bootes_schemes::ckks::bootstrap::BootstrapStep;

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-table2";
const SUMMARY: &str = "Table 2 of the CKKS paper: the steps of functional bootstrapping, percent of the time";
const COLUMNS: &[Column] = &[
    Column::new("table", "row", 8),
    Column::new("params", "params", 12),
    Column::new("raise + to slots", "raise_to_slots", 16),
    Column::new("paper", "paper_raise_to_slots", 6),
    Column::new("exp", "exponential", 6),
    Column::new("paper", "paper_exponential", 6),
    Column::new("tables", "tables", 6),
    Column::new("paper", "paper_tables", 6),
    Column::new("to coeffs", "to_coeffs", 9),
    Column::new("paper", "paper_to_coeffs", 6),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::scaled("paper s", "paper_ms", 7, 1e-3),
];

/// The largest tables.
const BITS: u32 = 12;

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = CkksPaper::load();
    let note = format!(
        "paper: {}; ours: CPU time on one thread of this machine, without the change from RLWE and back; tables: the paper's \
         EvalPower and PolyPS",
        paper.machine
    );
    let about = Row::new(NAME, "Table 2").with("note", note).with("paper", paper.paper.as_str());
    sink(about.with("title", paper.title.as_str()))?;
    for profile in paper.profile.iter().filter(|profile| profile.bits <= BITS) {
        let name = count(profile.bits as usize, "bit");
        if !options.wants(&name, true, [1, 4].contains(&profile.bits)) {
            continue;
        }
        options.progress(&format!("{NAME}: {name}"));
        let parts = measure(profile.bits, options.runs(3, 1))?;
        let part =
            |steps: &[BootstrapStep]| steps.iter().map(|&step| parts.of(step)).sum::<f64>() / parts.total() * 100.0;
        let mut row = Row::new(NAME, name);
        row.params = Some(parts.params.clone());
        row.bits = Some(profile.bits);
        (row.cpu_ms, row.paper_ms) = (Some(parts.total()), Some(profile.seconds * 1e3));
        sink(
            row.with("raise_to_slots", part(&[BootstrapStep::ModRaise, BootstrapStep::CoeffsToSlots]))
                .with("paper_raise_to_slots", profile.raise_to_slots)
                .with("exponential", part(&[BootstrapStep::EvalExp]))
                .with("paper_exponential", profile.exponential)
                .with("tables", part(&[BootstrapStep::EvalLut]))
                .with("paper_tables", profile.powers + profile.polynomial)
                .with("to_coeffs", part(&[BootstrapStep::SlotsToCoeffs]))
                .with("paper_to_coeffs", profile.to_coeffs)
                .with("isa", bootes::isa().to_string()),
        )?;
    }
    Ok(())
}

/// Milliseconds of the steps, of each run.
struct Parts {
    params: String,
    runs: Vec<Vec<(BootstrapStep, f64)>>,
}

impl Parts {
    fn of(&self, step: BootstrapStep) -> f64 {
        let of = |run: &Vec<(BootstrapStep, f64)>| run.iter().filter(|lap| lap.0 == step).map(|lap| lap.1).sum();
        median(&self.runs.iter().map(of).collect::<Vec<_>>())
    }

    fn total(&self) -> f64 {
        BootstrapStep::ALL.iter().map(|&step| self.of(step)).sum()
    }
}

fn measure(bits: u32, runs: usize) -> Result<Parts, BenchError> {
    on(1, || {
        let params = TableParams::for_bits(bits)?;
        let mut subject = Subject::new(&params)?;
        let work = subject.work(bits, 1)?;
        let input = work.input.to_base(params.ckks().ring())?;
        let prepared = PreparedTables::new(&params, &work.tables)?;
        let profile = |_| {
            let mut laps = Laps::new();
            subject.bootstrap.evaluate(&prepared, &input, |step| laps.mark(step))?;
            Ok(laps.finish())
        };
        let runs = (0..runs).map(profile).collect::<Result<_, BenchError>>()?;
        Ok(Parts { params: params.name().into(), runs })
    })?
}
