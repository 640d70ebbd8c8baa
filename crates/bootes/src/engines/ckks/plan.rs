//! Plans of engine ckks.
use super::{
    CiphertextLoad, CiphertextPrediction, Ciphertexts, CircuitPlan, Digits, Params, Progress, Server, TablePlan,
};
use crate::engines::watch::Watch;
use crate::engines::{Ckks, EngineCiphertexts, EngineInputs, EnginePlan, EngineServer};
use crate::origin::Origin;
use crate::threads::on_all_threads;
use crate::{Engine, Error, Function, Interval, Load, Lut, LutError, MaskStorage, Prediction, Program, Space};
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use std::io::{Read, Write};
use std::slice;

/// A function of batches.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Tables.
    Tables(Box<TablePlan>),
    /// A function of integers, or a program.
    Circuit(Box<CircuitPlan>),
    /// Digits of integers, with a set.
    Digits { digits: Digits, params: Params, inputs: Inputs },
}

impl EnginePlan<Ckks> for Plan {
    fn algorithms(&self) -> Vec<String> {
        vec![match self {
            Self::Tables(plan) => plan.method(),
            Self::Circuit(plan) => plan.method(),
            Self::Digits { .. } => "functional digit decomposition".into(),
        }]
    }

    fn log2_p_fail(&self) -> f64 {
        match self {
            Self::Tables(plan) => plan.log2_failure(),
            Self::Circuit(plan) => plan.log2_failure(),
            Self::Digits { params, .. } => params.log2_p_fail(),
        }
    }

    fn out_spaces(&self) -> Vec<Space> {
        match self {
            Self::Tables(plan) => plan.out_moduli().into_iter().map(Space::Modular).collect(),
            Self::Circuit(plan) => plan.out_spaces().to_vec(),
            Self::Digits { digits, .. } => vec![Space::Modular(1 << digits.bits); digits.count() as usize],
        }
    }

    fn prediction(&self, load: &Load, masks: MaskStorage) -> Result<Prediction, Error> {
        let prediction = on_all_threads(|| match self {
            Self::Tables(plan) => plan.prediction(CiphertextLoad::of(plan.params(), load), masks),
            Self::Circuit(plan) => plan.prediction(CiphertextLoad::of(plan.params(), load), masks),
            Self::Digits { digits, params, .. } => {
                CiphertextPrediction::of_digits(params, *digits, CiphertextLoad::of(params, load), masks)
            }
        });
        Ok(prediction?.of_load(load))
    }

    fn inputs(&self, function: &Function) -> Option<(Params, Inputs)> {
        match (self, function) {
            (_, Function::PerSlot(_) | Function::Encrypted(_)) => None,
            (Self::Tables(plan), _) => Some((plan.params().clone(), plan.inputs())),
            (Self::Circuit(plan), _) => Some((plan.params().clone(), plan.inputs())),
            (Self::Digits { params, inputs, .. }, _) => Some((params.clone(), inputs.clone())),
        }
    }
}

impl Server {
    /// The function on inputs like these. Bounds of noise are found by several threads.
    pub(super) fn planned(&self, function: &Function, inputs: &[&Ciphertexts]) -> Result<Plan, Error> {
        let x = inputs[0];
        let plan = match function {
            Function::Table(lut) => return self.tables(slice::from_ref(lut), x),
            Function::Tables(luts) => return self.tables(luts, x),
            Function::Complex(table) => self.plan_tables(table.parts(), x)?,
            Function::PerSlot(tables) => self.plan_slots(tables, x)?,
            Function::Encrypted(table) => self.plan_encrypted(&table.0, x)?,
            Function::Multivariate(table) => return Ok(Plan::Circuit(self.plan_multivariate(table, inputs)?.into())),
            Function::Widen(bits) => self.plan_widen(x, *bits)?,
            Function::Integers(op) => return Ok(Plan::Circuit(self.plan_integers(*op, inputs)?.into())),
            Function::Program(program) => return Ok(Plan::Circuit(self.plan_program(program, inputs)?.into())),
            Function::Digits(bits) => {
                self.check_digits(x, *bits)?;
                let digits = Digits { bits: *bits, p: x.modulus() };
                let log2_modulus = x.parts()[0].encoding().log2_modulus();
                let inputs = Inputs { operands: vec![(x.space(), x.error())], log2_modulus, related: false };
                return Ok(Plan::Digits { digits, params: self.params().clone(), inputs });
            }
            other => return Err(Error::not_with(&other.name(), Engine::Ckks, other.engines())),
        };
        Ok(Plan::Tables(plan.into()))
    }

    /// Tables; on integers with room for more than tables have entries, tables of their range, as in a program.
    fn tables(&self, luts: &[Lut], x: &Ciphertexts) -> Result<Plan, Error> {
        let space = x.space();
        let (range, most) = (space.range(), self.params().literal().bits);
        let is_short = space.integers().is_some() && space.limbs() == 1 && range.width() <= most;
        if !is_short || space.bits() <= most {
            return Ok(Plan::Tables(self.plan_tables(luts, x)?.into()));
        }
        for entries in luts.iter().map(Lut::in_modulus) {
            if !(Interval { min: 0, max: entries as i128 - 1 }).holds(range) {
                return Err(LutError::Domain { entries, integers: range }.into());
            }
        }
        let mut program = Program::new();
        let operand = program.input("x");
        for lut in luts {
            let image = program.table(operand, lut);
            program.output(image);
        }
        Ok(Plan::Circuit(self.plan_program(&program, &[x])?.into()))
    }

    /// The results of a plan on vectors in memory.
    pub(super) fn evaluated(
        &self,
        plan: &Plan,
        inputs: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let (cancel, tell) = (watch.cancel, |step: Progress| (watch.progress)(step.done));
        match plan {
            Plan::Circuit(plan) => self.evaluate_circuit_unless(cancel, plan, inputs, threads, tell),
            Plan::Tables(plan) => self.evaluate_unless(cancel, plan, one("a table", inputs)?, threads, tell),
            Plan::Digits { digits, .. } => {
                self.decompose_unless(cancel, one("digits", inputs)?, *digits, threads, watch.progress)
            }
        }
    }

    /// The same of what is read, written as it comes.
    pub(super) fn evaluated_to<R: Read + Send, W: Write>(
        &self,
        plan: &Plan,
        inputs: Vec<super::CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        let (cancel, tell) = (watch.cancel, |step: Progress| (watch.progress)(step.done));
        match plan {
            Plan::Circuit(plan) => self.evaluate_circuit_to(cancel, plan, inputs, outputs, threads, tell),
            Plan::Tables(plan) => {
                self.evaluate_to_unless(cancel, plan, one("a table", inputs)?, outputs, threads, tell)
            }
            Plan::Digits { digits, .. } => {
                self.decompose_to(cancel, one("digits", inputs)?, outputs, *digits, threads, watch.progress)
            }
        }
    }
}

/// The only one, or how many there are.
fn single<T>(all: impl IntoIterator<Item = T>) -> Result<T, usize> {
    let mut all = all.into_iter();
    match (all.next(), all.count()) {
        (Some(one), 0) => Ok(one),
        (first, rest) => Err(usize::from(first.is_some()) + rest),
    }
}

/// The only input.
fn one<T>(what: &str, inputs: impl IntoIterator<Item = T>) -> Result<T, Error> {
    single(inputs).map_err(|found| Error::OperandCount { what: what.into(), found, expected: 1 })
}

/// The inputs of a plan: the space of each operand and the bound on its error, log2 of the modulus of their
/// ciphertexts, and whether they come from one encryption or evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) operands: Vec<(Space, ErrorBound)>,
    pub(crate) log2_modulus: u32,
    pub(crate) related: bool,
}

impl EngineInputs<Ckks> for Inputs {
    fn count(&self) -> usize {
        self.operands.len()
    }

    fn heads(&self, params: &Params, key_id: [u8; 16]) -> Result<Vec<Ciphertexts>, Error> {
        let head = |(&(space, error), id): (&(Space, ErrorBound), u64)| {
            let ErrorBound { bias, noise: SlotNoise { flat, keyed } } = error;
            if let Some(found) = [bias, flat, keyed].into_iter().find(|bound| !(bound.is_finite() && *bound >= 0.0)) {
                return Err(Error::Request { what: format!("errors of {found:e}") });
            }
            let origin = Origin::new(if self.related { 0 } else { id });
            Ciphertexts::head((params, key_id), (space, self.log2_modulus), error, origin)
        };
        self.operands.iter().zip(1..).map(head).collect()
    }
}
