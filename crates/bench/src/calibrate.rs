//! `calibrate`: the cost model's units on this machine, for both engines, its predictions beside measured times, and
//! the planner's choices beside the best.
//!
//! Units of the torus world are fitted to the measured times of every algorithm on a few sets, in batches of 16 and
//! alone, units of the residue world to the steps of functional bootstraps with the smallest set of each ring degree,
//! both also to the making of keys; the times of all other rows are then predictions. Rows whose predicted time is off
//! by more than 30 % are flagged; beside them is what the shipped calibration predicts. `--rows` or `BOOTES_BENCH_ROWS`
//! limits the run to the sets whose name contains it, or to rows as they are printed, of all sets or behind a set's
//! name; `--engine` to those of one. An engine without any keeps the shipped units.
mod ckks;
mod fhew;
mod threads;

use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes::{Engine, IntegerOp};
use bootes_lut::fhew::registry;
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::cost::{Calibration, Units};
use serde_json::Value;

pub(crate) const NAME: &str = "calibrate";
pub(crate) const SUMMARY: &str =
    "nanoseconds of the cost model's units, predicted beside measured times, the planner's choices beside the best";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("row", "row", 42),
    Column::new("params", "params", 16),
    Column::new("predicted", "predicted_ms", 9),
    Column::new("measured", "cpu_ms", 9),
    Column::new("ratio", "ratio", 6),
    Column::new("alone", "predicted_one_ms", 9),
    Column::new("measured", "one_cpu_ms", 9),
    Column::new("ratio", "ratio_one", 6),
    Column::new("within 30 %", "within", 11),
    Column::new("shipped", "ratio_shipped", 7),
    Column::new("right", "correct", 5),
    Column::new("fitted", "fitted", 6),
];

/// The worlds of the units.
const TORUS: &str = "torus";
const RESIDUES: &str = "residues";

/// How far off a prediction may be, either way.
const TOLERANCE: f64 = 1.3;

/// The legend of the columns.
const LEGEND: &str = "milliseconds of CPU time, a value's in a batch and then alone (of engine ckks all values'), each with predicted over \
                      measured; within 30 %: both ratios; shipped: the first by the shipped calibration; right: every \
                      value checked; fitted: units come from such rows";

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let (options, only) = &wanted(options)?;
    let part = part(only);
    let mut asked =
        |row: Row| if part.as_ref().is_none_or(|part| part.has(only, &row.row)) { sink(row) } else { Ok(()) };
    let sink: &mut Sink<'_> = &mut asked;
    sink(Row::new(NAME, "columns").with("note", LEGEND))?;
    let (mut rows, mut beyond, mut beyond_shipped) = (0, Vec::new(), 0);
    let mut counted = |row: Row| {
        if part.as_ref().is_some_and(|part| part.has(only, &row.row)) {
            rows += 1;
            return sink(row);
        }
        if let Some(&Value::Bool(within)) = row.extra.get("within") {
            rows += 1;
            let shipped = row.extra.get("ratio_shipped").and_then(Value::as_f64);
            beyond_shipped += usize::from(!shipped.is_none_or(is_within));
            if !within {
                beyond.push(format!("{} {}", row.params.as_deref().unwrap_or(""), row.row));
            }
        }
        sink(row)
    };
    let mut calibration = Calibration::nearest(bootes::isa());
    if options.is_of(Engine::Fhew) && !is_step(only) && part.as_ref().is_none_or(Part::is_of_fhew) {
        calibration = fhew::run(options, only, &calibration, &mut counted)?;
    }
    let of_ckks = part.as_ref().is_none_or(|part| *part == Part::Unit(RESIDUES));
    if options.is_of(Engine::Ckks) && !is_function(only) && only != "keys expanded" && of_ckks {
        calibration = ckks::run(options, &calibration, &mut counted)?;
    }
    if only.is_empty() || part == Some(Part::Threads) {
        calibration = threads::run(options, &calibration, &mut counted)?;
    }
    if rows == 0 {
        return Err(BenchError::nothing(options, NAME, &[]));
    }
    write(options, only, &calibration)?;
    if part.is_some() {
        return Ok(());
    }
    let note = match beyond.len() {
        0 => "all".to_string(),
        count => format!("all but {count}: {}", beyond.join(", ")),
    };
    let note = format!("{note}; by the shipped calibration all but {beyond_shipped}");
    let row = Row::new(NAME, format!("{rows} predictions within 30 %")).with("note", note);
    sink(row.with("beyond", beyond.len()).with("beyond_shipped", beyond_shipped))
}

/// Rows that are none of one measurement.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// A unit of this world.
    Unit(&'static str),
    /// The choice of a failure probability and a width.
    Choice { log2_p_fail: f64, bits: u32 },
    /// A set of wide words.
    Wide,
    /// The gain of threads.
    Threads,
}

impl Part {
    fn is_of_fhew(&self) -> bool {
        !matches!(self, Self::Threads | Self::Unit(RESIDUES))
    }

    /// Whether `found` is the row that was asked for: a choice may be another here.
    fn has(&self, wanted: &str, found: &str) -> bool {
        match self {
            Self::Choice { .. } => part(found).as_ref() == Some(self),
            _ => found == wanted,
        }
    }
}

/// The part that such a row is of.
fn part(row: &str) -> Option<Part> {
    let of_world = |world: &'static str| row.ends_with(&format!(" of {world}")).then_some(Part::Unit(world));
    if row.starts_with("unit ") {
        return of_world(TORUS).or_else(|| of_world(RESIDUES));
    }
    if let Some((log2_p_fail, name)) = row.strip_prefix("choice 2^").and_then(|rest| rest.split_once(' ')) {
        let (bits, _) = name.split_once("-bit ")?;
        return Some(Part::Choice { log2_p_fail: log2_p_fail.parse().ok()?, bits: bits.parse().ok()? });
    }
    if row.starts_with("threads: ") {
        return Some(Part::Threads);
    }
    fhew::wide_sets().any(|set| fhew::wide_name(set) == row).then_some(Part::Wide)
}

/// Whether this is a row of engine fhew, an algorithm or a function of integers.
fn is_function(row: &str) -> bool {
    let functions = [IntegerOp::Sign, IntegerOp::Relu, IntegerOp::Abs].map(|op| op.to_string());
    let mut known = registry::algorithms().into_iter().map(|algorithm| algorithm.name()).chain(functions);
    let function = row.split_once("-bit ").filter(|(bits, _)| bits.parse::<u32>().is_ok()).map(|(_, name)| name);
    function.is_some_and(|name| name.starts_with("floor:") || known.any(|known| known == name))
}

/// Whether this is a row of engine ckks.
fn is_step(row: &str) -> bool {
    ["bootstrap", "masks of keys"].contains(&row) || BootstrapStep::ALL.iter().any(|step| step.name() == row)
}

/// The sets that `--rows` asks for, and the row: `SET`, `SET ROW` or `ROW`, as they are printed. Refuses what is none.
fn wanted(options: &Options) -> Result<(Options, String), BenchError> {
    let is_row =
        |row: &str| is_function(row) || is_step(row) || ["keys", "keys expanded"].contains(&row) || part(row).is_some();
    let only = options.only();
    let (set, row) = match (check_sets(options), only.split_once(' ')) {
        (Ok(()), _) => (only.clone(), ""),
        (Err(_), _) if is_row(&only) => (String::new(), &*only),
        (Err(_), Some((set, row))) if is_row(row) => (set.to_string(), row),
        (Err(refused), _) => return Err(refused),
    };
    let options = Options { rows: Some(set), ..options.clone() };
    check_sets(&options).map(|()| (options, row.to_string()))
}

/// Refuses what no set's name contains.
fn check_sets(options: &Options) -> Result<(), BenchError> {
    let (only, mut known) = (options.only(), Vec::new());
    if options.is_of(Engine::Fhew) {
        known.extend(fhew::sets().map(|set| set.name().to_string()));
    }
    if options.is_of(Engine::Ckks) {
        let toys = if only.starts_with("toy_") { "toy_" } else { "" };
        known.extend(ckks::sets(toys).into_iter().map(|set| set.name));
    }
    match known.iter().any(|name| name.contains(&only)) {
        true => Ok(()),
        false => Err(BenchError::nothing(options, NAME, &known.iter().map(String::as_str).collect::<Vec<_>>())),
    }
}

/// Writes the calibration where it was asked for, and what part was measured, if not all.
fn write(options: &Options, row: &str, calibration: &Calibration) -> Result<(), BenchError> {
    let Some(writer) = &options.write else { return Ok(()) };
    let (machine, wanted) = (crate::Machine::here(), options.only());
    let part = match (wanted.as_str(), row) {
        ("", "") => String::new(),
        ("", _) => format!("# Only rows {row:?}: what they do not tell keeps the shipped units.\n"),
        _ => format!("# Only sets with {wanted:?} in their names: an engine without any keeps the shipped units.\n"),
    };
    let text = format!("# Recorded on {}, {} cores.\n{part}{}", machine.cpu, machine.cores, calibration.to_toml());
    writer.0(&text).map_err(BenchError::NotWritten)
}

/// Prints units beside the shipped ones.
fn publish<W: Units>(shipped: &W, found: &W, world: &str, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let numbers = found.numbers().into_iter().zip(shipped.numbers());
    for (name, (ns, shipped)) in W::NAMES.iter().zip(numbers) {
        let note = format!("{ns:.4} ns, shipped {shipped:.4}");
        let row = Row::new(NAME, format!("unit {name} of {world}")).with("unit_ns", ns);
        sink(row.with("shipped_ns", shipped).with("note", note))?;
    }
    Ok(())
}

/// A predicted time beside a measured one.
#[derive(Clone, Copy)]
struct Prediction {
    ns: f64,
    /// By the calibration that is shipped.
    shipped_ns: f64,
    measured_ns: f64,
}

impl Prediction {
    fn new<W: Units>(calibration: &Calibration, work: W, measured_ns: f64) -> Self {
        let shipped_ns = Calibration::nearest(calibration.isa).ns(work);
        Self { ns: calibration.ns(work), shipped_ns, measured_ns }
    }

    fn ratio(self) -> f64 {
        self.ns / self.measured_ns
    }
}

fn is_within(ratio: f64) -> bool {
    (1.0 / TOLERANCE..=TOLERANCE).contains(&ratio)
}

/// Predicted beside measured: in a batch, and alone where that is another time.
fn row(name: String, params: &str, many: Prediction, alone: Option<Prediction>, fitted: bool) -> Row {
    let mut row = Row::new(NAME, name);
    row.params = Some(params.to_string());
    row.cpu_ms = Some(many.measured_ns * 1e-6);
    let ratios = std::iter::once(many).chain(alone).map(Prediction::ratio);
    let within = ratios.into_iter().all(is_within);
    let mut row = row.with("predicted_ms", many.ns * 1e-6).with("ratio", many.ratio()).with("within", within);
    row = row.with("ratio_shipped", many.shipped_ns / many.measured_ns);
    if let Some(one) = alone {
        row = row.with("one_cpu_ms", one.measured_ns * 1e-6).with("predicted_one_ms", one.ns * 1e-6);
        row = row.with("ratio_one", one.ratio());
    }
    row.with("fitted", fitted)
}

/// Work and how long it took.
#[derive(Clone, Copy)]
struct Sample<W> {
    work: W,
    ns: f64,
    weight: f64,
}

/// The units of least squares of the relative errors. Units that the samples do not determine stay near those of
/// `start` times one factor, the machine's; none becomes less than a tenth of it.
struct Fit<W> {
    start: W,
    samples: Vec<Sample<W>>,
}

impl<W: Units> Fit<W> {
    fn new(start: &Calibration) -> Self {
        Self { start: *W::of(start), samples: Vec::new() }
    }

    fn add(&mut self, sample: Sample<W>) {
        self.samples.push(sample);
    }

    fn solve(&self) -> W {
        /// Weight of the start, in samples.
        const RIDGE: f64 = 0.02;
        const LEAST: f64 = 0.1;
        let start = self.start.numbers();
        // What each unit takes of a sample, as a part of its time.
        let shares = |sample: &Sample<W>| {
            sample.work.numbers().iter().zip(&start).map(|(amount, ns)| amount * ns / sample.ns).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<f64>> = self.samples.iter().map(shares).collect();
        let (mut once, mut squares) = (0.0, 0.0);
        for (row, sample) in rows.iter().zip(&self.samples) {
            let ratio: f64 = row.iter().sum();
            (once, squares) = (once + sample.weight * ratio, squares + sample.weight * ratio * ratio);
        }
        let machine = if squares > 0.0 { once / squares } else { 1.0 };
        rows.iter_mut().flatten().for_each(|share| *share *= machine);
        // Coordinate descent on the factors, each kept above its bound.
        let mut factors = vec![1.0; start.len()];
        for _ in 0..10_000 {
            for unit in 0..factors.len() {
                let (mut slope, mut curvature) = (RIDGE * (1.0 - factors[unit]), RIDGE);
                for (row, sample) in rows.iter().zip(&self.samples) {
                    let predicted: f64 = row.iter().zip(&factors).map(|(share, factor)| share * factor).sum();
                    slope += sample.weight * row[unit] * (1.0 - predicted);
                    curvature += sample.weight * row[unit] * row[unit];
                }
                factors[unit] = f64::max(factors[unit] + slope / curvature, LEAST);
            }
        }
        let ns: Vec<f64> = start.iter().zip(factors).map(|(start, factor)| start * machine * factor).collect();
        W::from_numbers(&ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fdfb::random_table;
    use bootes_lut::Lut;
    use bootes_lut::ckks::{PreparedTables, TableParams, cost};
    use bootes_lut::fhew::eval::BATCH;
    use bootes_lut::fhew::registry;

    use bootes_schemes::cost::{Residues, Torus};
    use bootes_schemes::fhew::FhewParams;

    /// The factors that each unit was found to have, of work whose times follow from `made`.
    fn found<W: Units>(start: &Calibration, made: &Calibration, works: &[(W, f64)]) -> Vec<f64> {
        let mut fit = Fit::new(start);
        // As many as of all algorithms and some sets.
        for &(work, weight) in works.repeat(10).iter() {
            fit.add(Sample { work, ns: made.ns(work), weight });
        }
        let units = fit.solve();
        let ns = |work: W| work.numbers().iter().zip(units.numbers()).map(|(amount, ns)| amount * ns).sum::<f64>();
        for &(work, _) in works {
            assert!((ns(work) / made.ns(work) - 1.0).abs() < 0.05, "{} instead of {}", ns(work), made.ns(work));
        }
        units.numbers().into_iter().zip(W::of(start).numbers()).map(|(found, start)| found / start).collect()
    }

    #[test]
    fn a_fit_finds_the_units_that_made_the_times() {
        let start = Calibration::nearest(bootes::isa());
        let mut made = start.slower(1.7);
        made.torus.memory *= 1.3;
        let params = FhewParams::by_name("fhew_5bit_2m64").unwrap();
        let mut works = Vec::new();
        for algorithm in ["eval-func", "compress", "recursive-full", "select", "fdfb-ks"] {
            let algorithm = registry::by_name(algorithm).unwrap();
            for bits in [4, 5] {
                let fitted = algorithm.fit(&params, &random_table(bits).unwrap(), params.fresh_variance(), -64.0);
                let circuit = fitted.unwrap();
                works.extend([(BATCH, 1.0), (1, 0.2)].map(|(batch, weight)| (circuit.work(&params, batch), weight)));
            }
        }
        let factors = found::<Torus>(&start, &made, &works);
        let of = |name| factors[Torus::NAMES.iter().position(|&unit| unit == name).unwrap()];
        // PackingKS is in none of the samples: its unit follows the machine.
        assert!(of("memory") > 1.1 * 1.7 && (1.65..1.85).contains(&of("packing")), "{factors:?}");
    }

    /// The other engine, by the same fit. Steps are much alike, so that times are found, and units as far as they tell
    /// them apart.
    #[test]
    fn a_fit_of_steps_finds_their_times() {
        let start = Calibration::nearest(bootes::isa());
        let mut made = start.slower(0.6);
        made.residues.key *= 2.0;
        let mut works = Vec::new();
        for name in ["toy_batch_4bit", "toy_batch_6bit"] {
            let params = TableParams::named(name).unwrap();
            let bits = params.literal().bits;
            let transforms = params.transforms().unwrap();
            let tables = PreparedTables::new(&params, &[Lut::unstructured(bits)]).unwrap();
            let masks = bootes::MaskStorage::Expanded;
            let steps = cost::evaluation(&params, &transforms, &tables, masks).unwrap();
            works.extend(steps.map(|work| (work, 0.3)));
            works.push((steps.into_iter().sum(), 1.0));
            works.push((cost::key_generation(&params, &transforms), 0.5));
        }
        let factors = found::<Residues>(&start, &made, &works);
        let of = |name| factors[Residues::NAMES.iter().position(|&unit| unit == name).unwrap()];
        assert!(of("key") > 1.05 * of("transform"), "{factors:?}");
    }

    #[test]
    fn every_row_that_is_printed_is_one_to_ask_for() {
        let of = |rows: &str| wanted(&Options { rows: Some(rows.into()), ..Options::default() });
        let units = |names: &[&str], world: &str| names.iter().map(|name| format!("unit {name} of {world}")).collect();
        let mut printed: Vec<String> = units(Torus::NAMES, TORUS);
        printed.extend::<Vec<String>>(units(Residues::NAMES, RESIDUES));
        printed.extend(fhew::wide_sets().map(fhew::wide_name));
        printed.extend(["choice 2^-64 4-bit recursive", "threads: values", "threads: a ciphertext"].map(String::from));
        for row in &printed {
            assert_eq!(of(row).unwrap().1, *row);
            let part = part(row).unwrap();
            assert!(part.has(row, row) && !part.has(row, "fhew"), "{row}");
        }
        // The choice of another machine.
        let choice = part("choice 2^-64 4-bit recursive").unwrap();
        assert!(choice.has("", "choice 2^-64 4-bit compress") && !choice.has("", "choice 2^-128 4-bit compress"));
        for row in ["unit none of both", "choice 4-bit", "wide, log Q = 1", "threads"] {
            assert!(of(row).is_err() && part(row).is_none(), "{row}");
        }
    }

    #[test]
    fn without_samples_nothing_changes_and_no_time_is_beyond_its_own() {
        let start = Calibration::nearest(bootes::isa());
        assert_eq!(Fit::<Residues>::new(&start).solve(), start.residues);
        assert!(is_within(1.0) && is_within(1.3) && is_within(1.0 / 1.3) && !is_within(1.31) && !is_within(0.76));
        let prediction = |ns| Prediction { ns, shipped_ns: ns, measured_ns: 10.0 };
        let within = |alone| row("a".into(), "b", prediction(11.0), alone, true).extra["within"] == true;
        assert!(within(None) && within(Some(prediction(12.9))) && !within(Some(prediction(7.0))));
    }
}
