//! The part of engine fhew: algorithms and functions of integers with some sets, in batches and alone, and their keys.
use super::{Fit, NAME, Part, Prediction, Sample, row};
use crate::clock::Samples;
use crate::fdfb::{Function, Subject, random_table};
use crate::row::Row;
use crate::{BenchError, Options, Sink, wide};
use bootes::{Engine, FailureTarget, Isa, Load};
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::eval::BATCH;
use bootes_lut::fhew::registry;
use bootes_lut::integer::IntegerLimbs;
use bootes_lut::{IntegerOp, Lut};
use bootes_schemes::cost::{Calibration, Torus, Units};
use bootes_schemes::fhew::{FhewParams, KeyNeeds, cost};
use serde_json::Value;

/// The sets that units are fitted to: ranks, block lengths, digits of key switches and of external products.
const FITTED: [&str; 4] = ["fhew_4bit_2m64", "fhew_5bit_2m128", "fhew_8bit_2m64", "fhew_int16_2m64"];

/// Weights of the times of a value in a batch, by which planners choose, and alone; and of the keys'.
const WEIGHTS: [f64; 2] = [1.0, 0.2];
const KEY_WEIGHT: f64 = 0.5;

/// What a quick run measures, by which all units are known but those of packing; and what it does without the vector
/// instructions, forty times as slow.
const QUICK: [&str; 7] = ["recursive", "recursive-full", "eval-func", "fdfb-ks", "compress", "comp", "select"];
const SLOW: [&str; 4] = ["recursive", "recursive-full", "eval-func", "fdfb-ks"];
const SLOW_SETS: usize = 2;
const SLOW_BATCH: usize = 2;

/// Candidates predicted to be slower than this over the best are not measured with sets of other widths.
const NEAR: f64 = 1.3;

/// The measurements with one set.
enum Job {
    /// A table of so many bits, by an algorithm.
    Table(u32, String),
    /// A function of integers of the set's width.
    Integers(IntegerOp),
}

impl Job {
    fn name(&self, set: &FhewParams) -> String {
        match self {
            Self::Table(bits, algorithm) => format!("{bits}-bit {algorithm}"),
            Self::Integers(op) => format!("{}-bit {op}", limbs(set).low),
        }
    }
}

/// The measured times.
pub(super) struct Measured {
    params: FhewParams,
    job: Job,
    circuit: Circuit,
    /// Values of a batch.
    batch: usize,
    /// CPU nanoseconds a value: in a batch, alone.
    ns: [f64; 2],
    correct: bool,
}

/// The keys of a set: CPU nanoseconds of making and of expanding them.
struct MeasuredKeys {
    params: FhewParams,
    ns: [f64; 2],
}

impl Measured {
    fn name(&self) -> String {
        self.job.name(&self.params)
    }

    fn work(&self) -> [Torus; 2] {
        [self.batch, 1].map(|batch| self.circuit.work(&self.params, batch))
    }

    fn fitted(&self) -> bool {
        FITTED.contains(&self.params.name())
    }

    /// Predicted beside measured.
    fn row(&self, calibration: &Calibration) -> Row {
        let [many, one] = [0, 1].map(|i| Prediction::new(calibration, self.work()[i], self.ns[i]));
        let mut row = row(self.name(), self.params.name(), many, Some(one), self.fitted());
        row.correct = Some(self.correct);
        if let Job::Table(bits, algorithm) = &self.job {
            row.bits = Some(*bits);
            row.algorithm = Some(algorithm.clone());
        }
        row.with("work", self.work().map(|work| work.numbers()).to_vec())
    }
}

impl MeasuredKeys {
    fn work(&self) -> [Torus; 2] {
        let needs = KeyNeeds::default();
        [cost::key_generation(&self.params, &needs), cost::key_preparation(&self.params, &needs)]
    }

    fn rows(&self, calibration: &Calibration) -> [Row; 2] {
        let names = ["keys", "keys expanded"];
        [0, 1].map(|i| {
            let prediction = Prediction::new(calibration, self.work()[i], self.ns[i]);
            let fitted = FITTED.contains(&self.params.name());
            row(names[i].into(), self.params.name(), prediction, None, fitted)
                .with("work", vec![self.work()[i].numbers()])
        })
    }
}

/// Fits the units of the torus world, and prints predictions beside times.
pub(super) fn run(
    options: &Options,
    row: &str,
    start: &Calibration,
    sink: &mut Sink<'_>,
) -> Result<Calibration, BenchError> {
    let (runs, only) = (options.runs(3, 2), options.only());
    let (alone, part) = (super::is_function(row), super::part(row));
    if part == Some(Part::Wide) {
        let mut sets = wide_sets().filter(|set| wide_name(set) == row);
        sets.try_for_each(|set| sink(wide_row(start, set, runs.min(2))?))?;
        return Ok(*start);
    }
    let is_asked = |set: &FhewParams, job: &Job| match part {
        Some(Part::Choice { log2_p_fail, bits }) => {
            set.log2_p_fail() == log2_p_fail && matches!(job, Job::Table(width, _) if *width == bits)
        }
        _ => !alone || job.name(set) == row,
    };
    let few = alone || matches!(part, Some(Part::Choice { .. }));
    let asked = |set: &FhewParams, quick: bool| {
        let mut jobs = jobs(set, quick && !alone);
        jobs.retain(|job| is_asked(set, job));
        Some(jobs).filter(|jobs| !few || !jobs.is_empty())
    };
    let wanted = |set: &&FhewParams| set.is_default() && set.space_bits() >= 4 && set.name().contains(&only);
    let (mut fitted, others): (Vec<_>, Vec<_>) =
        FhewParams::all().iter().filter(wanted).partition(|set| FITTED.contains(&set.name()));
    if is_slow() {
        fitted.retain(|set| FITTED[..SLOW_SETS].contains(&set.name()));
    }
    let (mut all, mut keys) = (Vec::new(), Vec::new());
    for set in fitted {
        let Some(jobs) = asked(set, options.quick) else { continue };
        options.progress(&format!("{NAME}: {}", set.name()));
        let (measured, of_keys) = measure(set, jobs, runs)?;
        all.extend(measured);
        keys.push(of_keys);
    }
    let mut fit = Fit::new(start);
    for measured in &all {
        for ((work, ns), weight) in measured.work().into_iter().zip(measured.ns).zip(WEIGHTS) {
            fit.add(Sample { work, ns, weight });
        }
    }
    for keys in &keys {
        keys.work().into_iter().zip(keys.ns).for_each(|(work, ns)| fit.add(Sample { work, ns, weight: KEY_WEIGHT }));
    }
    let calibration = Calibration { torus: fit.solve(), ..*start };
    super::publish(&start.torus, &calibration.torus, super::TORUS, sink)?;
    all.iter().try_for_each(|measured| sink(measured.row(&calibration)))?;
    keys.iter().flat_map(|keys| keys.rows(&calibration)).try_for_each(&mut *sink)?;
    let no_others = options.quick || is_slow() || matches!(part, Some(Part::Unit(_)));
    for set in if no_others { Vec::new() } else { others } {
        let Some(jobs) = asked(set, false) else { continue };
        options.progress(&format!("{NAME}: {}", set.name()));
        let (measured, keys) = measure(set, jobs, runs)?;
        measured.iter().try_for_each(|measured| sink(measured.row(&calibration)))?;
        keys.rows(&calibration).into_iter().try_for_each(&mut *sink)?;
        all.extend(measured);
    }
    if !is_slow() {
        choices(&calibration, &all, sink)?;
    }
    if !options.quick && !is_slow() && !alone && part.is_none() {
        for params in wide_sets().filter(|set| set.name().contains(&only)) {
            sink(wide_row(&calibration, params, runs.min(2))?)?;
        }
    }
    Ok(calibration)
}

/// The sets that it measures.
pub(super) fn sets() -> impl Iterator<Item = &'static FhewParams> {
    let sets = FhewParams::all().iter().filter(|set| set.space_bits() >= 4).chain(FhewParams::wide());
    sets.filter(|set| set.is_default())
}

/// Whether the vector instructions are not used: a few measurements are enough then, and take long.
pub(super) fn is_slow() -> bool {
    bootes::isa() == Isa::Scalar
}

/// A set and its keys for the time of threads.
pub(super) fn smallest() -> &'static str {
    FITTED[0]
}

/// What is measured with a set: its own width by every algorithm, and narrower tables where they might be faster than
/// with their own set.
fn jobs(set: &FhewParams, quick: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    if let Some(width) = set.integer_bits() {
        jobs.extend([IntegerOp::Sign, IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Floor(width / 2)].map(Job::Integers));
    } else {
        let short: Option<&[&str]> = match (is_slow(), quick) {
            (true, _) => Some(&SLOW),
            (_, true) => Some(&QUICK),
            _ => None,
        };
        if let Some(names) = short {
            return names.iter().map(|&name| Job::Table(set.bits(), name.to_string())).collect();
        }
        let algorithms = registry::algorithms().into_iter().map(|algorithm| algorithm.name());
        let of_ring = |name: &String| name.ends_with("-rings");
        jobs.extend(algorithms.map(|name| Job::Table(set.bits(), name)));
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
        let load = Load { threads: 1, ..Load::of(BATCH) };
        let candidates = bootes::candidates(Engine::Fhew, &Lut::unstructured(bits), target, &load);
        let time = |c: &bootes::Candidate| c.outcome.as_ref().map_or(f64::INFINITY, |p| p.cpu_seconds);
        let best = candidates.iter().map(time).fold(f64::INFINITY, f64::min);
        let here = candidates.iter().filter(|c| c.params.name() == set.name() && time(c) <= NEAR * best);
        near.extend(here.map(|c| (bits, c.algorithm.clone())));
    }
    near
}

/// Measures what the set does not refuse.
fn measure(set: &FhewParams, jobs: Vec<Job>, runs: usize) -> Result<(Vec<Measured>, MeasuredKeys), BenchError> {
    let (mut subject, ns) = Subject::timed(set, 0)?;
    let mut keys = MeasuredKeys { params: set.clone(), ns };
    let batch = if is_slow() { SLOW_BATCH } else { BATCH };
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
        all.push(Measured { params: set.clone(), job, circuit, batch, ns: [f64::INFINITY; 2], correct: true });
    }
    // Alternating, so that what disturbs the machine disturbs all; the least time of each.
    for run in 0..runs {
        if run > 0 && !is_slow() {
            let (_, ns) = Subject::timed(set, 0)?;
            keys.ns = [0, 1].map(|i| keys.ns[i].min(ns[i]));
        }
        for measured in &mut all {
            for (i, batch) in [batch, 1].into_iter().enumerate() {
                let (ns, correct) = evaluate(&mut subject, measured, batch)?;
                measured.ns[i] = measured.ns[i].min(ns);
                measured.correct &= correct;
            }
        }
    }
    Ok((all, keys))
}

fn limbs(set: &FhewParams) -> IntegerLimbs {
    IntegerLimbs::one(set.integer_bits().unwrap_or(0))
}

/// CPU nanoseconds a value in a batch, and whether all results were right.
fn evaluate(subject: &mut Subject, measured: &Measured, batch: usize) -> Result<(f64, bool), BenchError> {
    let (set, circuit) = (&measured.params, &measured.circuit);
    let (std, mut samples) = (set.fresh_variance().sqrt(), Samples::default());
    let outcome = match &measured.job {
        Job::Table(bits, _) => subject.evaluate(circuit, &random_table(*bits)?, std, [2, batch], &mut samples),
        Job::Integers(op) => {
            let width = limbs(set).low;
            let out_bits = op.out_limbs(limbs(set)).low + 1;
            let mask = |bits: u32| (1u64 << bits) - 1;
            let integer = |value: u64| (value << (63 - width)) as i64 >> (63 - width);
            let function = Function {
                circuit,
                bits: [width + 1, out_bits],
                value: &|random| (random as i64 >> (64 - width)) as u64 & mask(width + 1),
                image: &|value| op.apply(&[integer(value).into()]) as u64 & mask(out_bits),
            };
            subject.evaluate_function(&function, std, [2, batch], &mut samples)
        }
    };
    Ok((samples.stats().cpu_ms * 1e6, outcome.wrong == 0))
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
            let mut row = choice.row(calibration);
            row.row = format!("choice 2^{log2_p_fail} {}", choice.name());
            let over = choice.ns[0] / best.ns[0];
            let note = format!("{over:.3} of the best of {}: {}", here().count(), named(best));
            sink(row.with("over_best", over).with("best", named(best)).with("note", note))?;
        }
    }
    Ok(())
}

/// The sets of wide words that it measures.
pub(super) fn wide_sets() -> impl Iterator<Item = &'static FhewParams> {
    FhewParams::wide().iter().filter(|set| set.is_default())
}

pub(super) fn wide_name(set: &FhewParams) -> String {
    format!("wide, log Q = {}", set.log2_modulus())
}

/// EvalFunc with a set of wide words.
fn wide_row(calibration: &Calibration, params: &FhewParams, runs: usize) -> Result<Row, BenchError> {
    let row = wide::table2::measure(Row::new(NAME, wide_name(params)), params, runs)?;
    let lut = Lut::unstructured(params.bits());
    let circuit = registry::by_name("eval-func")?.fit(params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let work = circuit.work(params, BATCH);
    let predicted = calibration.ns(work) * 1e-6;
    let measured = row.extra.get("batch16_cpu_ms").and_then(Value::as_f64);
    let ratio = measured.map(|ms| predicted / ms);
    let within = ratio.map(super::is_within);
    let row = row.with("predicted_ms", predicted).with("ratio", ratio).with("within", within);
    let mut row = row.with("work", vec![work.numbers()]);
    row.cpu_ms = measured;
    Ok(row)
}
