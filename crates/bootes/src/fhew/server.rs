//! The evaluation side: no secrets here.
use crate::fhew::server_key::Expanded;
use crate::fhew::{Ciphertexts, ExtraKeys, KeySizes, Params, Plan, ServerKey, Watch};
use crate::memory::Room;
use crate::names::hex;
use crate::{Continuous, Error, IntegerOp, KeyNeeds, Lut, Objective, Space};
use bootes_lut::circuit::InputVariance;
use bootes_schemes::cancel::Cancel;

/// Evaluates tables on ciphertexts; immutable, shared freely between threads.
#[derive(Debug)]
pub struct Server {
    pub(crate) key: Expanded,
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

    /// [`Self::new`] that takes `memory` bytes at most, here and in evaluations: the key, what is evaluated and its
    /// results, and the threads' workspaces. An evaluation takes fewer threads, and smaller batches, where the limit
    /// asks for it.
    ///
    /// # Errors
    /// [`Error::Memory`] if the expanded key does not fit, before it is made; [`Error::Lattice`].
    #[expect(clippy::needless_pass_by_value, reason = "the compressed key is dropped once expanded")]
    pub fn within(key: ServerKey, memory: Option<u64>) -> Result<Self, Error> {
        let expanded = KeySizes::of(&key.params(), &key.additional()).memory as u64;
        Room::now(memory).check(0, expanded)?;
        Ok(Self { key_id: key.key_id(), key: key.expand()?, memory })
    }

    /// Takes additional keys too.
    ///
    /// # Errors
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::Memory`] if they do not fit beside the key, before they
    /// are expanded; [`Error::Lattice`].
    pub fn with_extra_keys(mut self, keys: &ExtraKeys) -> Result<Self, Error> {
        if keys.params() != self.params() {
            return Err(Error::OtherParams { what: "additional key", params: self.key.params().name().into() });
        }
        if keys.key_id() != self.key_id {
            let (found, expected) = (hex(&keys.key_id()), hex(&self.key_id));
            return Err(Error::OtherKey { what: "additional key", found, expected });
        }
        let bytes = |needs: &KeyNeeds| KeySizes::of(&self.params(), needs).memory as u64;
        let more = bytes(&keys.needs()).saturating_sub(bytes(&KeyNeeds::default()));
        Room::now(self.memory).check(self.key_bytes() as u64, more)?;
        self.key.add(keys)?;
        Ok(self)
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.key.params().clone())
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// Bytes of the expanded key in memory.
    pub fn key_bytes(&self) -> usize {
        self.key.bytes()
    }

    /// Plans `lut` for inputs like `ciphertexts`: with the named algorithm, or the one of least predicted time.
    ///
    /// Residues modulo p take a table of p entries. Integers take one with an entry for each integer of their range;
    /// entry i is the image of i, and none is negative. Integers too long for one bootstrap are decomposed into digits
    /// (no algorithm named): their results are integers, whatever the table's.
    ///
    /// # Errors
    /// [`Error::InputBits`], [`Error::InputModulus`], [`crate::LutError::Domain`] for a table of other entries,
    /// [`Error::TwoLimbs`] for integers of two ciphertexts; [`Error::Lut`] for a table that the parameters do not hold,
    /// for lack of keys, or inputs too noisy for it.
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
        ciphertexts.check_key(self.key.params(), self.key_id)?;
        Plan::new(&self.key, lut, ciphertexts.space(), algorithm, ciphertexts.noise_variance(), objective)
    }

    /// Plans several tables for inputs like `ciphertexts` as one circuit of two rotations, its second for all of them.
    ///
    /// # Errors
    /// [`crate::LutError::Noise`] or [`crate::LutError::OutputNoise`] where their results would be too noisy for that:
    /// [`Self::evaluate_many`] then plans them one by one.
    pub fn plan_many(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        ciphertexts.check_key(self.key.params(), self.key_id)?;
        Plan::many(&self.key, luts, ciphertexts.space(), ciphertexts.noise_variance())
    }

    /// Plans a function of integers for operands like these.
    ///
    /// # Errors
    /// [`Error::OperandCount`]; [`Error::Residues`] for operands that are no integers, [`Error::Widths`] for two that
    /// are not of one width; [`crate::LutError::Range`] where the sign of some integer of their ranges, or of some
    /// difference, would be lost, and [`crate::LutError::Width`] for a floor by more bits than they have;
    /// [`Error::Lut`] for lack of keys.
    pub fn plan_integers(&self, op: IntegerOp, operands: &[&Ciphertexts]) -> Result<Plan, Error> {
        if operands.len() != op.operands() {
            return Err(Error::OperandCount { what: op.to_string(), found: operands.len(), expected: op.operands() });
        }
        operands.iter().try_for_each(|operand| operand.check_key(self.key.params(), self.key_id))?;
        let spaces: Vec<Space> = operands.iter().map(|operand| operand.space()).collect();
        Plan::integers(&self.key, op, &spaces, input_variance(operands))
    }

    /// Plans a continuous function for inputs like `ciphertexts`: residues that it is of, or integers among them.
    ///
    /// # Errors
    /// [`Error::Domain`] for others, [`Error::TwoLimbs`], [`Error::Approximate`]; [`Error::Bits`] for results of more
    /// bits than the parameters hold; [`Error::Lut`] where noise times the slope would be too large for them.
    pub fn plan_continuous(&self, function: &Continuous, ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        ciphertexts.check_key(self.key.params(), self.key_id)?;
        Plan::continuous(&self.key, function, ciphertexts.space(), ciphertexts.noise_variance())
    }

    /// Plans [`Self::widen`]; its prediction says what that takes.
    ///
    /// # Errors
    /// As [`Self::widen`].
    pub fn plan_widen(&self, ciphertexts: &Ciphertexts, bits: u32) -> Result<Plan, Error> {
        ciphertexts.check_key(self.key.params(), self.key_id)?;
        Plan::widen(&self.key, ciphertexts.space(), bits, ciphertexts.noise_variance())
    }

    /// The same values as integers with room for `bits` bits, in Z_{2^bits}: room for sums, of answers or of results of
    /// tables; residues modulo p become the integers 0 to p − 1. It costs a table a value ([`Plan::prediction`] of
    /// [`Self::plan_widen`]); asking for the room where the values are made (`out_bits` of [`Lut::new`],
    /// [`crate::Client::encrypt_within`]) costs nothing.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the values do not fit; [`crate::LutError::LongIntegers`] for those of more than 8 bits,
    /// [`Error::TwoLimbs`] for those of two ciphertexts; as [`Self::plan`].
    pub fn widen(&self, ciphertexts: &Ciphertexts, bits: u32, threads: usize) -> Result<Ciphertexts, Error> {
        self.evaluate_plan(&self.plan_widen(ciphertexts, bits)?, ciphertexts, threads, &|_| {})
    }

    /// Applies `lut` to every ciphertext, with the algorithm of least predicted time.
    pub fn evaluate(&self, lut: &Lut, ciphertexts: &Ciphertexts, threads: usize) -> Result<Ciphertexts, Error> {
        let plan = self.plan(lut, ciphertexts, None)?;
        self.evaluate_plan(&plan, ciphertexts, threads, &|_| {})
    }

    /// Applies every one of `luts` to every ciphertext: one vector of results a table.
    ///
    /// All at once where that is faster and the noise of their shared rotation allows it, one table after the other
    /// elsewhere.
    pub fn evaluate_many(
        &self,
        luts: &[Lut],
        ciphertexts: &Ciphertexts,
        threads: usize,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let plans = self.plan_all(luts, ciphertexts)?;
        let unwatched = Watch { progress: &|_| {}, cancel: &Cancel::new() };
        let results = plans.iter().map(|plan| self.evaluate_operands(plan, &[ciphertexts], threads, &unwatched));
        Ok(results.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// The plans of several tables: one of them all ([`Self::plan_many`]) where that is faster, else one of each.
    ///
    /// # Errors
    /// As [`Self::plan`].
    pub fn plan_all(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<Vec<Plan>, Error> {
        if luts.is_empty() {
            return self.plan_many(luts, ciphertexts).map(|plan| vec![plan]);
        }
        let single = luts.iter().map(|lut| self.plan(lut, ciphertexts, None)).collect::<Result<Vec<_>, _>>()?;
        let seconds: f64 = single.iter().map(Plan::predicted_seconds).sum();
        match self.plan_many(luts, ciphertexts) {
            Ok(plan) if plan.predicted_seconds() < seconds => Ok(vec![plan]),
            _ => Ok(single),
        }
    }

    /// A function of integers: its results are operands again, of the range that they may have.
    ///
    /// # Errors
    /// As [`Self::plan_integers`].
    pub fn evaluate_integers(
        &self,
        op: IntegerOp,
        operands: &[&Ciphertexts],
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        let plan = self.plan_integers(op, operands)?;
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
        only(self.evaluate_operands(plan, operands, threads, &Watch { progress, cancel: &Cancel::new() })?)
    }

    /// Applies a planned table; `progress` hears how many values are done.
    pub fn evaluate_plan(
        &self,
        plan: &Plan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Ciphertexts, Error> {
        self.evaluate_integers_plan(plan, &[ciphertexts], threads, progress)
    }

    pub(crate) fn check_operands(&self, plan: &Plan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        if operands.len() != plan.operands() {
            let (what, found) = (plan.algorithm(), operands.len());
            return Err(Error::OperandCount { what, found, expected: plan.operands() });
        }
        for (operand, &expected) in operands.iter().zip(&plan.in_spaces) {
            operand.check_key(self.key.params(), self.key_id)?;
            if !expected.holds(operand.space()) {
                return Err(Error::PlanSpace { found: operand.space(), expected });
            }
            if operand.len() != operands[0].len() {
                return Err(self.other_length(plan, operand.len(), operands[0].len()));
            }
        }
        if plan.params() != self.key.params() {
            return Err(Error::OtherParams { what: "plan", params: self.key.params().name().into() });
        }
        let (found, expected) = (input_variance(operands), plan.input_variance());
        for [found, expected] in [0, 1].map(|limb| [found, expected].map(|variance| variance.limb(limb))) {
            if found > expected * (1.0 + NOISE_TOLERANCE) {
                return Err(Error::PlanNoise { found: found.log2() / 2.0, expected: expected.log2() / 2.0 });
            }
        }
        Ok(plan.check_keys(&self.key)?)
    }

    /// The refusal of an operand of another length than the first.
    pub(crate) fn other_length(&self, plan: &Plan, right: usize, left: usize) -> Error {
        Error::Lengths { what: plan.algorithm(), left, right }
    }
}

/// A bound on the noise of operands that a circuit takes as independent: if they are not, a sum of k has at most k
/// times the variance of the sum of independent ones.
fn input_variance(operands: &[&Ciphertexts]) -> InputVariance {
    let meet = |i: usize| operands[..i].iter().any(|other| other.origin().meets(operands[i].origin()));
    let growth = if (1..operands.len()).any(meet) { operands.len() as f64 } else { 1.0 };
    let all = operands.iter().map(|operand| operand.limb_variances());
    let largest = all.fold(InputVariance::from(0.0), |largest, one| largest.map2(one, f64::max));
    largest.map2(growth.into(), |variance, growth| variance * growth)
}

fn only(mut results: Vec<Ciphertexts>) -> Result<Ciphertexts, Error> {
    match results.pop() {
        Some(result) if results.is_empty() => Ok(result),
        _ => Err(Error::ResultCount { found: results.len() + 1, expected: 1 }),
    }
}
