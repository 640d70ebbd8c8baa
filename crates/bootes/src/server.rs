//! The evaluation side: no secrets here.
use crate::memory::Room;
use crate::params::hex;
use crate::{
    Ciphertexts, Error, ExtraKeys, IntegerOp, KeySizes, LargeLut, Lut, Objective, Params, Plan, ServerKey, Space,
};
use bootes_schemes::fhew::keys::PreparedEvaluationKey;

/// Evaluates tables on ciphertexts; immutable, shared freely between threads.
#[derive(Debug)]
pub struct Server {
    pub(crate) key: PreparedEvaluationKey,
    key_id: [u8; 16],
    /// A limit on all that is held.
    pub(crate) memory: Option<u64>,
}

/// How much more noise a plan stands than it was made for: rounding of the bound, nothing else.
const NOISE_TOLERANCE: f64 = 1e-9;

impl Server {
    /// Expands the key into its evaluation form.
    ///
    /// # Errors
    /// As [`Self::within`].
    pub fn new(key: ServerKey) -> Result<Self, Error> {
        Self::within(key, None)
    }

    /// [`Self::new`] that takes `memory` bytes at most, here and in evaluations: the key, what is evaluated and its results, and the threads'
    /// workspaces. An evaluation takes fewer threads, and smaller batches, where the limit asks for it.
    ///
    /// # Errors
    /// [`Error::Memory`] if the expanded key does not fit, before it is made; [`Error::Lattice`].
    #[expect(clippy::needless_pass_by_value, reason = "the compressed key is dropped once expanded")]
    pub fn within(key: ServerKey, memory: Option<u64>) -> Result<Self, Error> {
        let expanded = KeySizes::of(&key.params(), &key.additional()).memory as u64;
        Room::now(memory).check(0, expanded)?;
        let mut prepared = key.key.prepare()?;
        if let Some(extra) = &key.extra {
            prepared.add_extra(extra)?;
        }
        Ok(Self { key_id: key.key_id(), key: prepared, memory })
    }

    /// Takes additional keys too.
    pub fn with_extra_keys(mut self, keys: &ExtraKeys) -> Result<Self, Error> {
        let keys = &keys.0;
        if keys.params != self.key.params {
            return Err(Error::OtherParams { what: "additional key", params: self.key.params.name().into() });
        }
        if keys.key_id != self.key_id {
            let (found, expected) = (hex(&keys.key_id), hex(&self.key_id));
            return Err(Error::OtherKey { what: "additional key", found, expected });
        }
        self.key.add_extra(keys)?;
        Ok(self)
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.key.params.clone())
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// Bytes of the expanded key in memory.
    pub fn key_bytes(&self) -> usize {
        self.key.bytes()
    }

    /// The expanded key, for benchmarks and research.
    pub fn evaluation_key(&self) -> &PreparedEvaluationKey {
        &self.key
    }

    /// Plans `lut` for inputs like `ciphertexts`: with the named algorithm, or the one of least predicted time.
    pub fn plan(&self, lut: &Lut, ciphertexts: &Ciphertexts, algorithm: Option<&str>) -> Result<Plan, Error> {
        self.plan_for(lut, ciphertexts, algorithm, Objective::default())
    }

    /// [`Self::plan`] with the best algorithm by `objective`.
    pub fn plan_for(
        &self,
        lut: &Lut,
        ciphertexts: &Ciphertexts,
        algorithm: Option<&str>,
        objective: Objective,
    ) -> Result<Plan, Error> {
        self.check_input(lut, ciphertexts)?;
        Plan::new(&self.key, lut, algorithm, ciphertexts.noise_variance(), objective)
    }

    /// Plans several tables for inputs like `ciphertexts` as one circuit of two rotations, its second for all of them.
    ///
    /// # Errors
    /// [`crate::LutError::Noise`] or [`crate::LutError::OutputNoise`] where their results would be too noisy for that:
    /// [`Self::evaluate_many`] then plans them one by one.
    pub fn plan_many(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        luts.iter().try_for_each(|lut| self.check_input(lut, ciphertexts))?;
        Plan::many(&self.key, luts, ciphertexts.noise_variance())
    }

    /// Plans a function of `width`-bit integers for operands like these.
    pub fn plan_integers(&self, op: IntegerOp, width: u32, operands: &[&Ciphertexts]) -> Result<Plan, Error> {
        if operands.len() != op.operands() {
            return Err(Error::OperandCount { found: operands.len(), expected: op.operands() });
        }
        for operand in operands {
            operand.check_key(&self.key.params, self.key_id)?;
            let fits = operand.space().integers().is_some_and(|limbs| limbs.width() == width);
            if !fits || !operand.space().fits(operands[0].space()) {
                return Err(Error::IntegerBits { what: op.to_string(), width, ciphertexts: operand.space() });
            }
        }
        let limbs = operands[0].space().integers().expect("they are integers");
        Plan::integers(&self.key, op, limbs, input_variance(operands))
    }

    /// Plans a table on digits for inputs like `ciphertexts`.
    ///
    /// # Errors
    /// [`Error::IntegerBits`] unless they are integers of as many bits as the table has, in one ciphertext each;
    /// [`Error::Lut`] if no tree keeps the promised failure probability with these parameters, or for lack of keys.
    pub fn plan_large(&self, lut: &LargeLut, ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.key.params, self.key_id)?;
        let width = lut.in_bits();
        if !ciphertexts.space().fits(Space::of_width(width)) {
            let what = format!("a table of 2^{width} entries");
            return Err(Error::IntegerBits { what, width, ciphertexts: ciphertexts.space() });
        }
        Plan::large(&self.key, lut, ciphertexts.noise_variance())
    }

    fn check_input(&self, lut: &Lut, ciphertexts: &Ciphertexts) -> Result<(), Error> {
        ciphertexts.check_key(&self.key.params, self.key_id)?;
        match ciphertexts.space() {
            space if space.fits(Space::Modular(lut.in_modulus())) => Ok(()),
            space if space.moduli().iter().chain([&lut.in_modulus()]).all(|p| p.is_power_of_two()) => {
                Err(Error::InputBits { table: lut.in_bits(), ciphertexts: space.bits() })
            }
            space => Err(Error::InputModulus { entries: lut.in_modulus(), ciphertexts: space }),
        }
    }

    /// Applies `lut` to every ciphertext, with the algorithm of least predicted time.
    pub fn evaluate(&self, lut: &Lut, ciphertexts: &Ciphertexts, threads: usize) -> Result<Ciphertexts, Error> {
        let plan = self.plan(lut, ciphertexts, None)?;
        self.evaluate_plan(&plan, ciphertexts, threads, &|_| {})
    }

    /// Applies every one of `luts` to every ciphertext: one vector of results a table.
    ///
    /// All at once where that is faster and the noise of their shared rotation allows it, one table after the other elsewhere.
    pub fn evaluate_many(
        &self,
        luts: &[Lut],
        ciphertexts: &Ciphertexts,
        threads: usize,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let single = luts.iter().map(|lut| self.plan(lut, ciphertexts, None)).collect::<Result<Vec<_>, _>>()?;
        let seconds: f64 = single.iter().map(Plan::predicted_seconds).sum();
        match self.plan_many(luts, ciphertexts) {
            Ok(plan) if plan.predicted_seconds() < seconds => {
                self.evaluate_operands(&plan, &[ciphertexts], threads, &|_| {})
            }
            _ => single.iter().map(|plan| self.evaluate_plan(plan, ciphertexts, threads, &|_| {})).collect(),
        }
    }

    /// Applies a table on digits to every ciphertext: integers of [`LargeLut::in_bits`] bits, 0 or more, to those of
    /// [`LargeLut::out_bits`] bits. (A negative integer finds no entry, and gets an arbitrary result.)
    pub fn evaluate_large(
        &self,
        lut: &LargeLut,
        ciphertexts: &Ciphertexts,
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        self.evaluate_plan(&self.plan_large(lut, ciphertexts)?, ciphertexts, threads, &|_| {})
    }

    /// A function of integers, whose width is that of the operands.
    pub fn evaluate_integers(
        &self,
        op: IntegerOp,
        operands: &[&Ciphertexts],
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        let limbs = operands.first().and_then(|operand| operand.space().integers());
        let width = limbs.map_or(0, |limbs| limbs.width());
        let plan = self.plan_integers(op, width, operands)?;
        self.evaluate_integers_plan(&plan, operands, threads, &|_| {})
    }

    /// A planned function of integers; `progress` hears how many values are done.
    pub fn evaluate_integers_plan(
        &self,
        plan: &Plan,
        operands: &[&Ciphertexts],
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Ciphertexts, Error> {
        only(self.evaluate_operands(plan, operands, threads, progress)?)
    }

    /// Applies a planned table; `progress` hears how many values are done.
    pub fn evaluate_plan(
        &self,
        plan: &Plan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Ciphertexts, Error> {
        only(self.evaluate_operands(plan, &[ciphertexts], threads, progress)?)
    }

    pub(crate) fn check_operands(&self, plan: &Plan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        if operands.len() != plan.operands() {
            return Err(Error::OperandCount { found: operands.len(), expected: plan.operands() });
        }
        for operand in operands {
            operand.check_key(&self.key.params, self.key_id)?;
            if !operand.space().fits(plan.in_space) {
                return Err(Error::PlanSpace { found: operand.space(), expected: plan.in_space });
            }
            if operand.len() != operands[0].len() {
                return Err(self.other_length(plan, operand.len(), operand.space(), operands[0].len()));
            }
        }
        if *plan.params() != self.key.params {
            return Err(Error::OtherParams { what: "plan", params: self.key.params.name().into() });
        }
        let (found, expected) = (input_variance(operands), plan.input_variance());
        if found > expected * (1.0 + NOISE_TOLERANCE) {
            return Err(Error::PlanNoise { found: found.log2() / 2.0, expected: expected.log2() / 2.0 });
        }
        Ok(plan.check_keys(&self.key)?)
    }

    /// The refusal of an operand of another length than the first.
    pub(crate) fn other_length(&self, plan: &Plan, found: usize, found_space: Space, expected: usize) -> Error {
        Error::Operands { found, found_space, expected, expected_space: plan.in_space }
    }
}

/// A bound on the noise of operands that a circuit takes as independent: if they are not, a sum of k has at most k times the
/// variance of the sum of independent ones.
fn input_variance(operands: &[&Ciphertexts]) -> f64 {
    let largest = operands.iter().map(|operand| operand.noise_variance()).fold(0.0, f64::max);
    let meet = |i: usize| operands[..i].iter().any(|other| other.origin().meets(operands[i].origin()));
    if (1..operands.len()).any(meet) { largest * operands.len() as f64 } else { largest }
}

fn only(mut results: Vec<Ciphertexts>) -> Result<Ciphertexts, Error> {
    match results.pop() {
        Some(result) if results.is_empty() => Ok(result),
        _ => Err(Error::ResultCount { found: results.len() + 1, expected: 1 }),
    }
}
