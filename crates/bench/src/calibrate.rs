//! `calibrate`: the cost model's units on this machine, its predictions beside measured times, and the planner's choices beside
//! the best.
//!
//! Units are fitted to the measured times of every algorithm on a few sets, in batches of 16 and alone; the times of all other
//! rows are then predictions. `--rows` or `BOOTES_BENCH_ROWS` limits the run to the sets whose name contains it.
use crate::clock::Samples;
use crate::fdfb::{Function, Subject, random_table};
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink, wide_table2};
use bootes::FailureTarget;
use bootes_lut::circuit::Circuit;
use bootes_lut::eval::BATCH;
use bootes_lut::integer::Limbs;
use bootes_lut::{IntegerOp, Lut, registry};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::cost::{Calibration, Units};
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
    Column::new("right", "correct", 5),
    Column::new("fitted", "fitted", 6),
];

/// The sets that units are fitted to: ranks, block lengths, digits of key switches and of external products.
const FITTED: [&str; 4] = ["fhew_4bit_2m64", "fhew_5bit_2m128", "fhew_8bit_2m64", "fhew_int16_2m64"];

/// Weights of the times of a value in a batch, by which planners choose, and alone.
const WEIGHTS: [f64; 2] = [1.0, 0.2];

/// Candidates predicted to be slower than this over the best are not measured with sets of other widths.
const NEAR: f64 = 1.3;

/// What to measure with one set.
enum Job {
    /// A table of so many bits, by an algorithm.
    Table(u32, String),
    /// A function of integers of the set's width.
    Integers(IntegerOp),
}

/// What was measured.
struct Measured {
    params: FhewParams,
    job: Job,
    circuit: Circuit,
    /// CPU nanoseconds a value: in a batch, alone.
    ns: [f64; 2],
    correct: bool,
}

impl Measured {
    fn name(&self) -> String {
        match &self.job {
            Job::Table(bits, algorithm) => format!("{bits}-bit {algorithm}"),
            Job::Integers(op) => format!("{}-bit {op}", limbs(&self.params).low),
        }
    }

    fn work(&self) -> [Units; 2] {
        [BATCH, 1].map(|batch| self.circuit.work(&self.params, batch))
    }

    fn fitted(&self) -> bool {
        FITTED.contains(&self.params.name())
    }
}

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let runs = options.runs(3, 3);
    let only = options.only();
    let shipped = Calibration::shipped(bootes::isa());
    let wanted = |set: &&FhewParams| set.is_default() && set.space_bits() >= 4 && set.name().contains(&only);
    let (fitted, others): (Vec<_>, Vec<_>) =
        FhewParams::all().iter().filter(wanted).partition(|set| FITTED.contains(&set.name()));
    let mut all = Vec::new();
    for set in fitted {
        all.extend(measure(set, jobs(set, options.quick), runs)?);
    }
    let calibration = publish(&shipped, &all, sink)?;
    for set in if options.quick { Vec::new() } else { others } {
        let measured = measure(set, jobs(set, false), runs)?;
        measured.iter().try_for_each(|measured| sink(row(&calibration, measured)))?;
        all.extend(measured);
    }
    choices(&calibration, &all, sink)?;
    write(options, &calibration)?;
    if !options.quick {
        for params in FhewParams::wide().iter().filter(|set| set.is_default() && set.name().contains(&only)) {
            sink(wide_row(&calibration, params, runs.min(2))?)?;
        }
    }
    Ok(())
}

/// Writes the calibration where it was asked for.
fn write(options: &Options, calibration: &Calibration) -> Result<(), BenchError> {
    let writer = options.write.as_ref();
    writer.map_or(Ok(()), |writer| writer.0(&calibration.to_toml())).map_err(BenchError::NotWritten)
}

/// Fits the units, and prints them and the rows that they were fitted to.
fn publish(shipped: &Calibration, all: &[Measured], sink: &mut Sink<'_>) -> Result<Calibration, BenchError> {
    let samples: Vec<_> = all.iter().flat_map(|m| m.work().into_iter().zip(m.ns).zip(WEIGHTS)).collect();
    let calibration = fit(shipped, &samples);
    let numbers = calibration.nanoseconds.to_array().into_iter().zip(shipped.nanoseconds.to_array());
    for (name, (ns, shipped)) in Units::NAMES.iter().zip(numbers) {
        let note = format!("{ns:.4} ns, shipped {shipped:.4}");
        sink(
            Row::new(NAME, format!("unit {name}")).with("unit_ns", ns).with("shipped_ns", shipped).with("note", note),
        )?;
    }
    all.iter().try_for_each(|measured| sink(row(&calibration, measured)))?;
    Ok(calibration)
}

/// The calibration of least squares of the relative errors. Units that the samples do not determine stay near those of `start` times
/// one factor, the machine's; none becomes less than a tenth of it.
fn fit(start: &Calibration, samples: &[((Units, f64), f64)]) -> Calibration {
    /// Weight of the start: that of a tenth of a sample.
    const RIDGE: f64 = 0.1;
    const LEAST: f64 = 0.1;
    let (mut once, mut squares) = (0.0, 0.0);
    for ((work, ns), weight) in samples {
        let ratio = start.ns(*work) / ns;
        (once, squares) = (once + weight * ratio, squares + weight * ratio * ratio);
    }
    let machine = if squares > 0.0 { once / squares } else { 1.0 };
    let start_ns = (start.nanoseconds * machine).to_array();
    let rows: Vec<[f64; 9]> = samples
        .iter()
        .map(|((work, ns), _)| {
            let work = work.to_array();
            std::array::from_fn(|unit| work[unit] * start_ns[unit] / ns)
        })
        .collect();
    // Coordinate descent on the factors, each kept above its bound.
    let mut factors = [1.0; 9];
    for _ in 0..10_000 {
        for unit in 0..9 {
            let (mut slope, mut curvature) = (RIDGE * (1.0 - factors[unit]), RIDGE);
            for (row, (_, weight)) in rows.iter().zip(samples) {
                let predicted: f64 = row.iter().zip(&factors).map(|(share, factor)| share * factor).sum();
                slope += weight * row[unit] * (1.0 - predicted);
                curvature += weight * row[unit] * row[unit];
            }
            factors[unit] = f64::max(factors[unit] + slope / curvature, LEAST);
        }
    }
    let nanoseconds = Units::from_array(std::array::from_fn(|unit| start_ns[unit] * factors[unit]));
    Calibration { nanoseconds, ..*start }
}

/// What is measured with a set: its own width by every algorithm, and narrower tables where they might be faster than with their
/// own set.
fn jobs(set: &FhewParams, quick: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    if let Some(width) = set.integer_bits() {
        jobs.extend([IntegerOp::Sign, IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Floor(width / 2)].map(Job::Integers));
    } else {
        let algorithms = registry::algorithms().into_iter().map(|algorithm| algorithm.name());
        let of_ring = |name: &String| name.ends_with("-rings");
        // Their keys take gigabytes.
        jobs.extend(algorithms.filter(|name| !quick || !of_ring(name)).map(|name| Job::Table(set.bits(), name)));
        jobs.extend(
            near(set).into_iter().filter(|(_, name)| !of_ring(name)).map(|(bits, name)| Job::Table(bits, name)),
        );
    }
    jobs
}

/// Narrower tables and algorithms for which the set is predicted to be near the best.
fn near(set: &FhewParams) -> Vec<(u32, String)> {
    let Some(target) = [FailureTarget::Two64, FailureTarget::Two128]
        .into_iter()
        .find(|target| f64::from(target.log2()) == set.log2_p_fail())
    else {
        return Vec::new();
    };
    let mut near = Vec::new();
    for bits in 4..set.bits() {
        let candidates = bootes::candidates(&Lut::unstructured(bits), target);
        let time = |c: &bootes::Candidate| c.outcome.as_ref().map_or(f64::INFINITY, |p| p.seconds);
        let best = candidates.iter().map(time).fold(f64::INFINITY, f64::min);
        let here = candidates.iter().filter(|c| c.params.name() == set.name() && time(c) <= NEAR * best);
        near.extend(here.map(|c| (bits, c.algorithm.clone())));
    }
    near
}

/// Measures what the set does not refuse.
fn measure(set: &FhewParams, jobs: Vec<Job>, runs: usize) -> Result<Vec<Measured>, BenchError> {
    let mut subject = Subject::new(set, 0)?;
    let (variance, promise) = (set.fresh_variance(), set.log2_p_fail());
    let mut all: Vec<Measured> = Vec::new();
    for job in jobs {
        let circuit = match &job {
            Job::Table(bits, name) => registry::by_name(name)?.fit(set, &random_table(*bits)?, variance, promise),
            Job::Integers(op) => op.fit(set, limbs(set), variance, promise),
        };
        let Ok(circuit) = circuit else { continue };
        // A depth that is that of `recursive`.
        if all.iter().any(|other| other.circuit == circuit) {
            continue;
        }
        subject.add_keys(&circuit.keys(set))?;
        all.push(Measured { params: set.clone(), job, circuit, ns: [f64::INFINITY; 2], correct: true });
    }
    // Alternating, so that what disturbs the machine disturbs all; the least time of each.
    for _ in 0..runs {
        for measured in &mut all {
            for (i, batch) in [BATCH, 1].into_iter().enumerate() {
                let (ns, correct) = evaluate(&mut subject, measured, batch)?;
                measured.ns[i] = measured.ns[i].min(ns);
                measured.correct &= correct;
            }
        }
    }
    Ok(all)
}

fn limbs(set: &FhewParams) -> Limbs {
    Limbs { low: set.integer_bits().unwrap_or(0), high: None }
}

/// CPU nanoseconds a value in a batch, and whether all results were right.
fn evaluate(subject: &mut Subject, measured: &Measured, batch: usize) -> Result<(f64, bool), BenchError> {
    let (set, circuit) = (&measured.params, &measured.circuit);
    let (std, mut samples) = (set.fresh_variance().sqrt(), Samples::default());
    let outcome = match &measured.job {
        Job::Table(bits, _) => subject.evaluate(circuit, &random_table(*bits)?, std, [2, batch], &mut samples),
        Job::Integers(op) => {
            let width = limbs(set).low;
            let out_bits = op.out_spaces(limbs(set))[0];
            let mask = |bits: u32| (1u64 << bits) - 1;
            let integer = |value: u64| (value << (63 - width)) as i64 >> (63 - width);
            let function = Function {
                circuit,
                bits: [width + 1, out_bits],
                value: &|random| (random as i64 >> (64 - width)) as u64 & mask(width + 1),
                image: &|value| op.apply(&[integer(value)]) as u64 & mask(out_bits),
            };
            subject.evaluate_function(&function, std, [2, batch], &mut samples)
        }
    };
    Ok((samples.stats().cpu_ms * 1e6, outcome.wrong == 0))
}

/// Predicted beside measured.
fn row(calibration: &Calibration, measured: &Measured) -> Row {
    let [predicted, one] = measured.work().map(|work| calibration.ns(work) * 1e-6);
    let [many_ms, one_ms] = measured.ns.map(|ns| ns * 1e-6);
    let mut row = Row::new(NAME, measured.name());
    row.params = Some(measured.params.name().to_string());
    row.cpu_ms = Some(many_ms);
    row.correct = Some(measured.correct);
    if let Job::Table(bits, algorithm) = &measured.job {
        row.bits = Some(*bits);
        row.algorithm = Some(algorithm.clone());
    }
    row.with("predicted_ms", predicted)
        .with("ratio", predicted / many_ms)
        .with("one_cpu_ms", one_ms)
        .with("predicted_one_ms", one)
        .with("ratio_one", one / one_ms)
        .with("fitted", measured.fitted())
        .with("work", measured.work().map(|work| work.to_array().to_vec()).to_vec())
}

/// For each width and failure probability, the choice by predicted time beside the least measured time.
fn choices(calibration: &Calibration, all: &[Measured], sink: &mut Sink<'_>) -> Result<(), BenchError> {
    for log2_p_fail in [-64.0, -128.0] {
        for bits in 4..=8 {
            let here = || {
                all.iter().filter(|m| {
                    m.params.log2_p_fail() == log2_p_fail && matches!(m.job, Job::Table(width, _) if width == bits)
                })
            };
            let predicted = |m: &&Measured| calibration.ns(m.work()[0]);
            let Some(choice) = here().min_by(|a, b| predicted(a).total_cmp(&predicted(b))) else { continue };
            let Some(best) = here().min_by(|a, b| a.ns[0].total_cmp(&b.ns[0])) else { continue };
            let named = |m: &Measured| format!("{} with {}", m.name(), m.params.name());
            let mut row = row(calibration, choice);
            row.row = format!("choice 2^{log2_p_fail} {}", choice.name());
            let over = choice.ns[0] / best.ns[0];
            let note = format!("{over:.3} of the best of {}: {}", here().count(), named(best));
            sink(row.with("over_best", over).with("best", named(best)).with("note", note))?;
        }
    }
    Ok(())
}

/// EvalFunc with a set of wide words.
fn wide_row(calibration: &Calibration, params: &FhewParams, runs: usize) -> Result<Row, BenchError> {
    let row = wide_table2::measure(Row::new(NAME, format!("wide, log Q = {}", params.log2_modulus())), params, runs)?;
    let lut = Lut::unstructured(params.bits());
    let circuit = registry::by_name("eval-func")?.fit(params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let work = circuit.work(params, BATCH);
    let predicted = calibration.ns(work) * 1e-6;
    let measured = row.extra.get("batch16_cpu_ms").and_then(Value::as_f64);
    let ratio = measured.map(|ms| predicted / ms);
    let mut row = row.with("predicted_ms", predicted).with("ratio", ratio).with("work", vec![work.to_array().to_vec()]);
    row.cpu_ms = measured;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_units_that_made_the_times() {
        let start = Calibration::shipped(bootes::isa());
        let mut made = start;
        made.nanoseconds = made.nanoseconds * 1.7;
        made.nanoseconds.memory *= 1.3;
        let params = FhewParams::by_name("fhew_5bit_2m64").unwrap();
        let mut samples = Vec::new();
        for algorithm in ["eval-func", "compress", "recursive-full", "select", "fdfb-ks"] {
            let algorithm = registry::by_name(algorithm).unwrap();
            for bits in [4, 5] {
                let fitted = algorithm.fit(&params, &random_table(bits).unwrap(), params.fresh_variance(), -64.0);
                let circuit = fitted.unwrap();
                for (batch, weight) in [BATCH, 1].into_iter().zip(WEIGHTS) {
                    let work = circuit.work(&params, batch);
                    samples.push(((work, made.ns(work)), weight));
                }
            }
        }
        // As many as of all algorithms and some sets.
        let found = fit(&start, &samples.repeat(10));
        for ((work, ns), _) in samples {
            assert!((found.ns(work) / ns - 1.0).abs() < 0.03, "{} instead of {ns}", found.ns(work));
        }
        let factors = found.nanoseconds.to_array().into_iter().zip(start.nanoseconds.to_array()).map(|(x, y)| x / y);
        let [.., memory, _, _, _, _, packing] = factors.collect::<Vec<_>>()[..] else { unreachable!("nine units") };
        // PackingKS is in none of the samples: its unit follows the machine.
        assert!(memory > 1.1 * 1.7 && (1.65..1.85).contains(&packing), "{memory} {packing}");
    }
}
