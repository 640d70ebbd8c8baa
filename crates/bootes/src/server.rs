//! The evaluation side: no secrets here.
use crate::ciphertexts::{Origin, identify_results};
use crate::params::hex;
use crate::{Ciphertexts, Error, ExtraKeys, IntegerOp, LargeLut, Lut, Objective, Params, Plan, ServerKey, Space};
use bootes_lut::eval::{self, BATCH, Workspace};
use bootes_schemes::fhew::keys::PreparedEvaluationKey;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Evaluates tables on ciphertexts; immutable, shared freely between threads.
#[derive(Debug)]
pub struct Server {
    key: PreparedEvaluationKey,
    key_id: [u8; 16],
}

/// How much more noise a plan stands than it was made for: rounding of the bound, nothing else.
const NOISE_TOLERANCE: f64 = 1e-9;

impl Server {
    /// Expands the key into its evaluation form.
    #[expect(clippy::needless_pass_by_value, reason = "the compressed key is dropped once expanded")]
    pub fn new(key: ServerKey) -> Result<Self, Error> {
        let mut prepared = key.key.prepare()?;
        if let Some(extra) = &key.extra {
            prepared.add_extra(extra)?;
        }
        Ok(Self { key_id: key.key_id(), key: prepared })
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

    /// Applies any plan: its operands, vectors of one length, to its results, one vector each; `progress` hears how many values are
    /// done.
    pub fn evaluate_operands(
        &self,
        plan: &Plan,
        operands: &[&Ciphertexts],
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Ciphertexts>, Error> {
        let params = &self.key.params;
        self.check_operands(plan, operands)?;
        if threads == 0 {
            return Err(Error::Threads);
        }
        let (stride, count) = (params.ciphertext_dimension() + 1, operands[0].len());
        let words: Vec<_> = operands.iter().map(|operand| operand.expanded()).collect();
        let limb_words = (count * stride).max(1);
        let inputs: Vec<&[u64]> = words.iter().flat_map(|words| words.chunks(limb_words)).collect();
        let mut results: Vec<Vec<u64>> =
            plan.out_spaces.iter().map(|space| vec![0u64; space.limbs() * count * stride]).collect();
        // Small jobs are split evenly; large ones in batches, taken by whichever thread is free.
        let batch = count.div_ceil(threads).clamp(1, BATCH);
        let done = AtomicUsize::new(0);
        let outs = results.iter_mut().flat_map(|result| result.chunks_mut(limb_words));
        let mut chunks: Vec<_> = outs.map(|out| out.chunks_mut(batch * stride)).collect();
        let jobs = (0..count).step_by(batch).map(|start| {
            let words = start * stride..(start + batch).min(count) * stride;
            let inputs: Vec<&[u64]> = inputs.iter().map(|input| &input[words.clone()]).collect();
            let outs: Vec<&mut [u64]> = chunks.iter_mut().filter_map(Iterator::next).collect();
            (inputs, outs)
        });
        let work = Mutex::new(jobs);
        let run = || {
            let mut workspace = Workspace::new(&self.key, &plan.table.circuit, batch);
            loop {
                let next = work.lock().map(|mut work| work.next());
                let Ok(Some((inputs, mut outs))) = next else { break };
                eval::eval_into(&mut outs, &plan.table, &inputs, &self.key, &mut workspace);
                let count = inputs[0].len() / stride;
                progress(done.fetch_add(count, Ordering::Relaxed) + count);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(count.div_ceil(batch).max(1)) {
                scope.spawn(run);
            }
            run();
        });
        let variance = plan.noise().bound_variance.max(params.fresh_variance());
        // Results of one circuit share rotations, so their noise has one origin.
        let mut origin = Origin::new(identify_results(&results[0]));
        let given = operands[1..].iter().fold(operands[0].origin().clone(), |all, operand| all.and(operand.origin()));
        if plan.passes_noise {
            origin = origin.and(&given);
        }
        // A rotation makes noises independent, if not of the same ciphertext twice.
        origin.dependent = given.dependent && (plan.passes_noise || has_repeats(&results[0], stride));
        let results = results.into_iter().zip(&plan.out_spaces);
        Ok(results
            .map(|(out, &space)| Ciphertexts::full(params, self.key_id, space, variance, out, origin.clone()))
            .collect())
    }

    fn check_operands(&self, plan: &Plan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        if operands.len() != plan.operands() {
            return Err(Error::OperandCount { found: operands.len(), expected: plan.operands() });
        }
        for operand in operands {
            operand.check_key(&self.key.params, self.key_id)?;
            if !operand.space().fits(plan.in_space) {
                return Err(Error::PlanSpace { found: operand.space(), expected: plan.in_space });
            }
            if operand.len() != operands[0].len() {
                return Err(Error::Operands {
                    found: operand.len(),
                    found_space: operand.space(),
                    expected: operands[0].len(),
                    expected_space: plan.in_space,
                });
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
}

/// A bound on the noise of operands that a circuit takes as independent: if they are not, a sum of k has at most k times the
/// variance of the sum of independent ones.
fn input_variance(operands: &[&Ciphertexts]) -> f64 {
    let largest = operands.iter().map(|operand| operand.noise_variance()).fold(0.0, f64::max);
    let meet = |i: usize| operands[..i].iter().any(|other| other.origin().meets(operands[i].origin()));
    if (1..operands.len()).any(meet) { largest * operands.len() as f64 } else { largest }
}

fn has_repeats(words: &[u64], stride: usize) -> bool {
    let mut seen = HashSet::new();
    !words.chunks_exact(stride).all(|ciphertext| seen.insert(ciphertext))
}

fn only(mut results: Vec<Ciphertexts>) -> Result<Ciphertexts, Error> {
    match results.pop() {
        Some(result) if results.is_empty() => Ok(result),
        _ => Err(Error::ResultCount { found: results.len() + 1, expected: 1 }),
    }
}
