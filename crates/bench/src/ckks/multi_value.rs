//! `ckks-multi-value`: several 8-bit tables on one ciphertext, which share all but their polynomials and the way back (Algorithm 1).
use super::{Subject, checked, count, on};
use crate::clock::Samples;
use crate::paper::CkksPaper;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};
use bootes_lut::ckks::TableParams;

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-multi-value";
const SUMMARY: &str = "multi-value bootstrapping with CKKS: 1 to 16 tables of 8 bits on one ciphertext";
const COLUMNS: &[Column] = &[
    Column::new("tables", "row", 9),
    Column::new("params", "params", 12),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("ms/value of a table", "ms_value", 19),
    Column::scaled("further table s", "further_ms", 15, 1e-3),
    Column::new("of a bootstrap", "further_part", 14),
    Column::new("paper", "paper_further_part", 6),
    Column::new("target", "target_part", 6),
    Column::new("kept", "kept", 4),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("wrong", "wrong", 5),
    Column::new("noise/half step", "noise_of_half_step", 15),
    Column::new("predicted", "predicted_of_half_step", 9),
    Column::new("log2 p_fail", "log2_p_fail", 11),
];

const BITS: u32 = 8;
const TABLES: [usize; 5] = [1, 2, 4, 8, 16];
/// The most of a bootstrap that each further table may take.
const TARGET: f64 = 0.25;

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = CkksPaper::load();
    let note = "further table: the time beyond one table, for each of the others, and as a part of the time of one; paper: PolyPS and \
                SlotsToCoeffs of Table 2";
    sink(Row::new(NAME, "multi-value").with("note", note).with("paper", paper.paper.as_str()))?;
    let wanted = TABLES.map(|tables| tables == 1 || options.wants(&count(tables, "table"), true, tables == 2));
    options.check(NAME)?;
    let profile = paper.profile.iter().find(|profile| profile.bits == BITS);
    let paper_part = profile.map(|profile| (profile.polynomial + profile.to_coeffs) / 100.0);
    let params = TableParams::for_bits(BITS)?;
    memory::restart_peak();
    let mut subject = on(1, || Subject::new(&params))??;
    // The first is what the others are compared with.
    let mut single = None;
    for (tables, _) in TABLES.into_iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        let name = count(tables, "table");
        options.progress(&format!("{NAME}: {name}"));
        let (work, outcome, stats) = on(1, || {
            let work = subject.work(BITS, tables)?;
            let (mut samples, mut outputs) = (Samples::default(), Vec::new());
            for _ in 0..options.runs(3, 1) {
                outputs = samples.time(1.0, || subject.evaluate(&work))?;
            }
            let outcome = subject.check(&work, &outputs)?;
            Ok::<_, BenchError>((work, outcome, samples.stats()))
        })??;
        let one = *single.get_or_insert(stats.cpu_ms);
        let mut row = checked(subject.describe(Row::new(NAME, name).timed(&stats), BITS), &outcome, &work)
            .with("tables", tables)
            .with("ms_value", stats.cpu_ms / (params.capacity() * tables) as f64)
            .with("peak_rss_bytes", memory::peak_bytes());
        if tables > 1 {
            let further = (stats.cpu_ms - one) / (tables - 1) as f64;
            row = row
                .with("further_ms", further)
                .with("further_part", further / one)
                .with("paper_further_part", paper_part)
                .with("target_part", TARGET)
                .with("kept", further / one <= TARGET);
        }
        sink(row)?;
    }
    Ok(())
}
