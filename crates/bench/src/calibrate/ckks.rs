//! The part of engine ckks: the steps of functional bootstraps, and their keys.
use super::{Fit, NAME, Prediction, Sample, fhew, row};
use crate::ckks::{Subject, on};
use crate::row::Row;
use crate::{BenchError, Options, Sink};
use bootes::{Load, MaskStorage, Params};
use bootes_lut::Lut;
use bootes_lut::ckks::{TableParams, cost, params};
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::cost::{Calibration, Residues, Units};

/// Weights of the time of a bootstrap, of each of its steps, and of the keys'.
const WEIGHT: f64 = 1.0;
const STEP_WEIGHT: f64 = 0.3;
const KEY_WEIGHT: f64 = 0.5;

/// The measured times of a set, CPU nanoseconds.
struct Measured {
    params: TableParams,
    work: [Residues; BootstrapStep::ALL.len()],
    ns: [f64; BootstrapStep::ALL.len()],
    key_work: [Residues; 2],
    /// The times of making the keys, and their masks.
    key_ns: [f64; 2],
    correct: bool,
}

/// Fits the units of the residue world, and prints predictions beside times.
pub(super) fn run(options: &Options, start: &Calibration, sink: &mut Sink<'_>) -> Result<Calibration, BenchError> {
    let only = options.only();
    let sets = sets(&only);
    let (mut fitted, mut others) = (Vec::new(), Vec::new());
    let (mut degrees, mut fit) = (Vec::new(), Fit::new(start));
    for set in sets {
        let is_new = !degrees.contains(&set.log2_degree);
        degrees.push(set.log2_degree);
        if is_new || fhew::is_slow() { fitted.push(set) } else { others.push(set) }
    }
    let mut all = Vec::new();
    for set in fitted {
        all.extend(measure(&set.try_build()?, options, sink)?);
    }
    all.iter().for_each(|measured| measured.add_to(&mut fit));
    let calibration = Calibration { residues: fit.solve(), ..*start };
    super::publish(&start.residues, &calibration.residues, super::RESIDUES, sink)?;
    all.iter().flat_map(|measured| measured.rows(&calibration, true)).try_for_each(&mut *sink)?;
    for set in if options.quick { Vec::new() } else { others } {
        let measured = measure(&set.try_build()?, options, sink)?;
        measured.iter().flat_map(|measured| measured.rows(&calibration, false)).try_for_each(&mut *sink)?;
    }
    Ok(calibration)
}

/// The secure sets with this in their names, or toys where a bootstrap of those takes minutes or toys are asked for,
/// smallest tables first.
pub(super) fn sets(only: &str) -> Vec<params::TableLiteral> {
    let mut sets = params::literals().to_vec();
    let toys = fhew::is_slow() || only.starts_with("toy_");
    sets.retain(|set| set.name.starts_with("toy_") == toys && set.name.contains(only));
    sets.sort_by_key(|set| set.bits);
    sets
}

impl Measured {
    fn add_to(&self, fit: &mut Fit<Residues>) {
        let steps = self.work.iter().zip(self.ns).map(|(&work, ns)| Sample { work, ns, weight: STEP_WEIGHT });
        let total = Sample { work: self.work.into_iter().sum(), ns: self.ns.iter().sum(), weight: WEIGHT };
        let keys = self.key_work.iter().zip(self.key_ns).map(|(&work, ns)| Sample { work, ns, weight: KEY_WEIGHT });
        steps.chain([total]).chain(keys).for_each(|sample| fit.add(sample));
    }

    fn rows(&self, calibration: &Calibration, fitted: bool) -> Vec<Row> {
        let one = |name: &str, work: Residues, measured_ns: f64| {
            let prediction = Prediction::new(calibration, work, measured_ns);
            row(name.into(), self.params.name(), prediction, None, fitted).with("work", vec![work.numbers()])
        };
        let mut bootstrap = one("bootstrap", self.work.into_iter().sum(), self.ns.iter().sum());
        bootstrap.correct = Some(self.correct);
        let steps =
            BootstrapStep::ALL.iter().zip(self.work).zip(self.ns).map(|((step, work), ns)| one(step.name(), work, ns));
        let keys = ["keys", "masks of keys"].into_iter().zip(self.key_work).zip(self.key_ns);
        let keys = keys.map(|((name, work), ns)| one(name, work, ns));
        std::iter::once(bootstrap).chain(steps).chain(keys).collect()
    }
}

/// Measures a set whose keys and intermediate results fit into the memory.
fn measure(params: &TableParams, options: &Options, sink: &mut Sink<'_>) -> Result<Option<Measured>, BenchError> {
    let masks = MaskStorage::Expanded;
    let load = Load { threads: 1, masks: Some(masks), ..Load::here(1) };
    let bits = params.literal().bits;
    let table = Lut::modular(vec![0; 1 << bits], 1 << bits)?;
    if let Err(refused) = Params::named(params.name())?.predict(&table, &load) {
        let mut row = Row::new(NAME, "not measured").with("note", refused.to_string());
        row.params = Some(params.name().to_string());
        return sink(row).map(|()| None);
    }
    options.progress(&format!("{NAME}: {}", params.name()));
    on(1, || {
        let transforms = params.transforms()?;
        let (mut subject, mut key_ns) = Subject::timed(params)?;
        let work = subject.work(bits, 1)?;
        let steps = work.prepared().work(params, &transforms, masks)?;
        let mut measured = Measured {
            work: BootstrapStep::ALL
                .map(|step| steps.iter().filter(|(of, _)| *of == step).map(|(_, work)| *work).sum()),
            key_work: [cost::key_generation(params, &transforms), cost::key_preparation(params, &transforms, masks)],
            key_ns,
            ns: [f64::INFINITY; BootstrapStep::ALL.len()],
            correct: true,
            params: params.clone(),
        };
        // The first run touches new memory. The least time of each step.
        for _ in 0..=options.runs(3, 2) {
            let (outputs, ns) = subject.steps(&work)?;
            measured.ns = std::array::from_fn(|i| measured.ns[i].min(ns[i]));
            measured.correct &= subject.check(&work, &outputs)?.is_right();
        }
        drop(subject);
        for _ in 1..options.runs(2, 1) {
            key_ns = Subject::timed(params)?.1;
            measured.key_ns = [0, 1].map(|i| measured.key_ns[i].min(key_ns[i]));
        }
        Ok(Some(measured))
    })?
}
