//! What a job takes at least, known before any set is planned with.
use super::Request;
use crate::engines::of::{each, of_engine};
use crate::engines::{self, Ckks, EngineParams};
use crate::{Engine, Function, Load, Lut, Operation, PairOp, Params, Program};
use bootes_schemes::cost::{Calibration, Residues, Serial};
use std::collections::HashSet;

/// Keys of engine ckks by those that every set has, at least: rotations are what most are for.
const KEYS: u64 = 6;

/// Bytes of the keys of engine bfv that bootstrap, at least.
pub(super) const VECTOR_KEY_BYTES: u64 = 200_000_000;

/// The same of those that do not: of a product.
const LEVELED_KEY_BYTES: u64 = 100_000;

impl Request {
    /// Seconds that a job takes at least with an engine, known before there is a set: keys are made and expanded, and
    /// with engine ckks each bootstrap takes as long at least (a test compares with the sets). No more is made sure of
    /// than that they are `enough`.
    pub(super) fn least_seconds(&self, engine: Engine, load: &Load, enough: f64) -> f64 {
        let (bytes, times) = match (&self.function, engine) {
            _ if load.has_keys => return 0.0,
            (Function::Table(lut), Engine::Ckks) => (KEYS * Params::least_key_bytes(engine, lut.in_modulus()), 2.0),
            (Function::Integers(_), Engine::Ckks) => (KEYS * Params::least_integer_key_bytes(engine), 2.0),
            (Function::Program(_) | Function::Multivariate(_), Engine::Ckks) => {
                let sets = <<Ckks as engines::Engine>::Params as EngineParams>::program_sets(self.target);
                let sets = sets.iter().filter_map(|name| Params::named(name).ok());
                let least = sets.filter_map(|set| self.least_of(&set, load, enough)).fold(f64::INFINITY, f64::min);
                return if least.is_finite() { least } else { 0.0 };
            }
            (Function::Program(program), Engine::Fhew) if enough.is_finite() && has_products(program) => {
                return self.least_single_seconds(load);
            }
            (Function::Table(_), Engine::Bfv) => (LEVELED_KEY_BYTES, 1.0),
            _ => return 0.0,
        };
        least_seconds(bytes, times, load)
    }

    /// The same of a program of engine fhew with a product: a value takes a rotation at least, of what the set for one
    /// bit has. Half of it, as other sets have shorter ones.
    fn least_single_seconds(&self, load: &Load) -> f64 {
        let set = Params::for_bits_with(1, self.target);
        let load = Load { memory: None, masks: None, ..*load };
        set.and_then(|set| set.predict(&Lut::unstructured(1), &load)).map_or(0.0, |found| found.job_seconds / 2.0)
    }

    /// Pairs that are divided by what is encrypted, each of which takes a bootstrap at least.
    fn divisions(&self, program: &Program) -> usize {
        let Ok(kinds) = program.kinds(&vec![self.space.kind(); program.inputs()]) else { return 0 };
        let is_constant = |node: usize| kinds[node].constant().is_some();
        let pair = |(number, operation): (usize, &Operation)| match operation {
            Operation::Pair(PairOp::Div | PairOp::Rem, x, y) if !is_constant(y.index()) && !is_constant(number) => {
                Some([x.index().min(y.index()), x.index().max(y.index())])
            }
            _ => None,
        };
        program.operations().iter().enumerate().filter_map(pair).collect::<HashSet<_>>().len()
    }

    /// Seconds that a program or a table of several values takes at least with a set, known before its maps are made;
    /// none where it is refused, or nothing is known. A program's circuit is made, which takes a while, unless its
    /// divisions are `enough`.
    pub(super) fn least_of(&self, set: &Params, load: &Load, enough: f64) -> Option<f64> {
        let bytes = KEYS * of_engine!(set.engine(), E => <E as engines::Engine>::Params::named_key_bytes(set.name()));
        if bytes == 0 || load.has_keys {
            return None;
        }
        let program = match &self.function {
            Function::Program(program) => program,
            Function::Multivariate(table) => {
                let bootstraps = each!(&set.0, set => set.multivariate_bootstraps(table, self.space))?;
                return Some(least_seconds(bytes, (1 + bootstraps) as f64, load));
            }
            _ => return None,
        };
        let quick = least_seconds(bytes, (1 + self.divisions(program)) as f64, load);
        if quick >= enough {
            return Some(quick);
        }
        let bootstraps = each!(&set.0, set => set.program_bootstraps(program, self.space))?;
        Some(least_seconds(bytes, (1 + bootstraps) as f64, load))
    }
}

/// Whether what is encrypted is multiplied by what is.
fn has_products(program: &Program) -> bool {
    let mut is_number: Vec<bool> = Vec::with_capacity(program.operations().len());
    let mut found = false;
    for operation in program.operations() {
        let operands = operation.operands();
        found |= matches!(operation, Operation::Product(..)) && operands.iter().all(|node| !is_number[node.index()]);
        let is_input = matches!(operation, Operation::Input(_));
        is_number.push(!is_input && operands.iter().all(|node| is_number[node.index()]));
    }
    found
}

/// Seconds in which so many bytes of keys are made so many times at least, and sent.
pub(super) fn least_seconds(bytes: u64, times: f64, load: &Load) -> f64 {
    // Each residue of a key's body is drawn, transformed and written, and its mask made, here and where it is kept.
    let (residues, calibration) = (bytes as f64 / 8.0, Calibration::current());
    let Residues { transform, words, .. } = calibration.residues;
    let work = Residues { mask: 2.0, stored: 2.0, pass: 3.0, ..Residues::default() } * residues;
    let one = calibration.seconds(work) + 15.0 * transform.min(words) * 1e-9 * residues;
    let keys = one * Serial::part(calibration.serial.ciphertext, load.threads);
    times * keys + load.sending_seconds(bytes as f64)
}
