//! The evaluation side: no secrets here.
use crate::engines::watch::Watch;
use crate::engines::{EngineCiphertexts, EngineReader, EngineServer, EngineServerKey, Fhew};
use crate::fhew::plan::{multivariate, program::InCommon};
use crate::fhew::server_key::Expanded;
use crate::fhew::{
    CiphertextReader, Ciphertexts, EncryptedSymmetricKey, KeySizes, Params, Plan, Plans, ServerKey,
    SymmetricCiphertexts, TranscipherPlan,
};
use crate::memory::Room;
use crate::{
    Continuous, Engine, Error, Function, IntegerOp, Lut, MaskStorage, Objective, PlanError, Space, SpaceError,
};
use bootes_lut::fhew::circuit::InputVariance;
use bootes_lut::table::{MAX_BITS, MAX_TABLE_BITS};
use bootes_lut::{CkksLutError, FhewLutError, LutError, MultivariateLut, Program};
use std::io::{Read, Write};

/// Evaluates tables on ciphertexts; immutable, shared freely between threads.
#[derive(Debug)]
pub(crate) struct Server {
    params: Params,
    pub(crate) key: Expanded,
    key_id: [u8; 16],
    /// A limit on all that is held.
    pub(crate) memory: Option<u64>,
}

/// How much more noise a plan stands than it was made for: rounding of the bound, nothing else.
const NOISE_TOLERANCE: f64 = 1e-9;

/// The refusal of a table, or that of the program of it where this tells what no other space would change.
fn nearer(table: Error, program: Error) -> Error {
    use FhewLutError::{Noise, OutputNoise};
    match (&table, &program) {
        (_, Error::Lut(LutError::OutBits { .. } | LutError::Fhew(Noise { .. } | OutputNoise { .. })))
        | (Error::Room { .. }, Error::Lut(LutError::Kinds { .. })) => program,
        _ => table,
    }
}

impl Server {
    /// Plans a table by whatever way it has: programs give integers the room that they lack.
    fn plan_one(&self, lut: &Lut, input: &Ciphertexts) -> Result<Plan, Error> {
        match self.plan_table(lut, input, None) {
            Err(error @ Error::Room { .. }) => self
                .plan_program(&Program::of_table(&lut.of_integers()), &[input])
                .map(|plan| plan.standing_for(lut))
                .map_err(|other| nearer(error, other)),
            planned => planned,
        }
    }

    /// One plan for all results, or one for each.
    fn planned(&self, function: &Function, inputs: &[&Ciphertexts]) -> Result<Vec<Plan>, Error> {
        Ok(vec![match function {
            Function::Table(lut) => self.plan_one(lut, inputs[0])?,
            Function::TableBy(lut, algorithm) => self.plan_table(lut, inputs[0], Some(algorithm))?,
            Function::Tables(luts) => return self.plan_all(luts, inputs[0]),
            Function::Complex(table) => return self.plan_all(table.parts(), inputs[0]),
            Function::Multivariate(table) => self.plan_multivariate(table, inputs)?,
            Function::Integers(op) => self.plan_integers(*op, inputs)?,
            Function::Continuous(function) => self.plan_continuous(function, inputs[0])?,
            Function::Widen(bits) => self.plan_widen(inputs[0], *bits)?,
            Function::Digits(bits) => return self.plan_digits(inputs[0], *bits),
            Function::Program(program) => self.plan_program(program, inputs)?,
            Function::PerSlot(_) | Function::Encrypted(_) => {
                return Err(Error::not_with(&function.name(), Engine::Fhew, function.engines()));
            }
        }])
    }

    /// Plans `lut` for inputs like `ciphertexts`: with the named algorithm, or the one of least predicted time.
    ///
    /// Residues modulo p take a table of p entries. Integers take one with an entry for each integer of their range;
    /// entry i is the image of i, and none is negative. Integers too long for one bootstrap are decomposed into digits
    /// (no algorithm named): their results are kept as integers, whatever the table's.
    ///
    /// # Errors
    /// [`Error::InputBits`], [`Error::InputModulus`], [`crate::LutError::Domain`] for a table of other entries,
    /// [`Error::Space`] for integers of two ciphertexts; [`Error::Lut`] for a table that the parameters do not hold,
    /// for lack of keys, or inputs too noisy for it.
    pub(crate) fn plan_table(
        &self,
        lut: &Lut,
        ciphertexts: &Ciphertexts,
        algorithm: Option<&str>,
    ) -> Result<Plan, Error> {
        self.plan_for(lut, ciphertexts, algorithm, Objective::default())
    }

    /// [`Self::plan_table`] with the best algorithm by `objective`.
    pub(crate) fn plan_for(
        &self,
        lut: &Lut,
        ciphertexts: &Ciphertexts,
        algorithm: Option<&str>,
        objective: Objective,
    ) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.params, self.key_id)?;
        let space = ciphertexts.space();
        if algorithm.is_none() && !space.is_reduced() {
            return self.plan_program(&Program::of_table(lut), &[ciphertexts]);
        }
        let plan = Plan::new(&self.key, lut, space, algorithm, ciphertexts.noise_variance(), objective);
        let too_long = |error: &Error| {
            matches!(
                error,
                Error::Lut(LutError::TooWide { what: "outputs", .. }) | Error::Space(SpaceError::TwoLimbs { .. })
            )
        };
        match plan {
            // In limbs it is a program.
            Err(error)
                if algorithm.is_none() && (lut.gives_integers() || space.kept() != space) && too_long(&error) =>
            {
                self.plan_program(&Program::of_table(lut), &[ciphertexts]).map_err(|other| nearer(error, other))
            }
            plan => plan,
        }
    }

    /// Plans several tables for inputs like `ciphertexts` as one circuit of two rotations, its second for all of them.
    ///
    /// # Errors
    /// [`crate::FhewLutError::Noise`] or [`crate::FhewLutError::OutputNoise`] where their results would be too noisy
    /// for that: [`Self::plan_all`] then plans them one by one.
    pub(crate) fn plan_many(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.params, self.key_id)?;
        let space = ciphertexts.space();
        space.check_reduced()?;
        Plan::many(&self.key, luts, space, ciphertexts.noise_variance())
    }

    /// Plans a function of integers for operands like these.
    ///
    /// # Errors
    /// [`Error::OperandCount`]; [`Error::Space`] for operands that are no integers, or two that are not of
    /// one width; [`Error::Range`] where the sign of some integer of their ranges, or of some
    /// difference, would be lost, and [`crate::LutError::Width`] for a floor by more bits than they have;
    /// [`Error::Lut`] for lack of keys.
    pub(crate) fn plan_integers(&self, op: IntegerOp, operands: &[&Ciphertexts]) -> Result<Plan, Error> {
        if operands.len() != op.operands() {
            return Err(Error::OperandCount { what: op.to_string(), found: operands.len(), expected: op.operands() });
        }
        operands.iter().try_for_each(|operand| operand.check_key(&self.params, self.key_id))?;
        let spaces: Vec<Space> = operands.iter().map(|operand| operand.space()).collect();
        // Decompositions are of two limbs at most.
        let is_linear = matches!(op, IntegerOp::Add | IntegerOp::Sub);
        let is_residue = |space: &Space| match space {
            Space::Modular(_) => true,
            Space::Integers(_) => !space.is_reduced() || is_linear && space.kept() != *space,
        };
        if spaces.iter().any(|space| space.limbs() > 2 || is_residue(space)) {
            return self.plan_program(&Program::of_function(op), operands);
        }
        Plan::integers(&self.key, op, &spaces, &input_variance(operands))
    }

    /// Plans a table of several values for operands like these.
    ///
    /// # Errors
    /// [`Error::InputModulus`], [`crate::LutError::Domain`] for an operand of other values than the table has entries
    /// for, [`Error::Space`]; as [`Self::plan_table`] for its table of all combinations.
    pub(crate) fn plan_multivariate(&self, table: &MultivariateLut, operands: &[&Ciphertexts]) -> Result<Plan, Error> {
        operands.iter().try_for_each(|operand| operand.check_key(&self.params, self.key_id))?;
        let spaces: Vec<Space> = operands.iter().map(|operand| operand.space()).collect();
        match Plan::multivariate(&self.key, table, &spaces, &input_variance(operands)) {
            // In limbs, or where nothing takes all of them packed, it is a program.
            Err(error) => match multivariate::as_program(table, &spaces, &error) {
                Some(program) => self.plan_program(&program, operands).or(Err(error)),
                None => Err(error),
            },
            found => found,
        }
    }

    /// Plans a program for operands like these, as one circuit.
    ///
    /// # Errors
    /// [`crate::LutError::Kinds`] for operations on others than they have; [`Error::Room`] for integers that the
    /// parameters do not hold, [`Error::Space`]; [`Error::Lut`] for lack of keys, or for
    /// noise.
    pub(crate) fn plan_program(&self, program: &Program, operands: &[&Ciphertexts]) -> Result<Plan, Error> {
        operands.iter().try_for_each(|operand| operand.check_key(&self.params, self.key_id))?;
        let spaces: Vec<Space> = operands.iter().map(|operand| operand.space()).collect();
        let common = if meet(operands) { InCommon::Counted } else { InCommon::Nothing };
        let planned = |variance: &InputVariance, common| Plan::program(&self.key, program, &spaces, (variance, common));
        match planned(&input_variance(operands), common) {
            // What operands have in common may meet in no sum.
            Err(error) if common == InCommon::Counted => {
                planned(&own_variance(operands), InCommon::Uncounted).or(Err(error))
            }
            found => found,
        }
    }

    /// Plans a continuous function for inputs like `ciphertexts`: residues that it is of, or integers among them.
    ///
    /// # Errors
    /// [`Error::Domain`] for others, [`Error::Space`]; [`Error::Bits`] for results of more
    /// bits than the parameters hold; [`Error::Lut`] where noise times the slope would be too large for them.
    pub(crate) fn plan_continuous(&self, function: &Continuous, ciphertexts: &Ciphertexts) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.params, self.key_id)?;
        Plan::continuous(&self.key, function, ciphertexts.space(), ciphertexts.noise_variance())
    }

    /// Plans the same values as integers with room for `bits` bits, in Z_{2^bits}: room for sums, of answers
    /// or of results of tables; residues modulo p become the integers 0 to p − 1. It costs a table a value
    /// ([`Plan::prediction`]); asking for the room where the values are made (`out_bits` of [`Lut::new`],
    /// [`crate::Client::encrypt_within`]) costs nothing.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the values do not fit; [`crate::LutError::LongIntegers`] for those of more than 8 bits,
    /// [`Error::Space`] for those of two ciphertexts; as [`Self::plan_table`].
    pub(crate) fn plan_widen(&self, ciphertexts: &Ciphertexts, bits: u32) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.params, self.key_id)?;
        Plan::widen(&self.key, ciphertexts.space(), bits, ciphertexts.noise_variance())
    }

    /// Plans digits of so many bits, the lowest first: a table each.
    ///
    /// # Errors
    /// [`crate::CkksLutError::Digits`] for residues modulo no power of two, and digits of no bits or more than 8; as
    /// [`Self::plan_table`].
    pub(crate) fn plan_digits(&self, ciphertexts: &Ciphertexts, digit_bits: u32) -> Result<Vec<Plan>, Error> {
        ciphertexts.check_key(&self.params, self.key_id)?;
        let space = ciphertexts.space();
        let (modulus, max) = (space.moduli()[0], MAX_BITS);
        let bits = space.kept_integers().map_or(space.bits(), |_| space.range().width().max(1));
        if !modulus.is_power_of_two() || !(1..=max).contains(&digit_bits) || bits > MAX_TABLE_BITS {
            return Err(LutError::from(CkksLutError::Digits { modulus, digit_bits, max }).into());
        }
        let mask = (1 << digit_bits) - 1;
        let digit = |start| Lut::modular((0..1u64 << bits).map(|x| x >> start & mask).collect(), 1 << digit_bits);
        let digits = (0..bits).step_by(digit_bits as usize).map(digit).collect::<Result<Vec<_>, _>>()?;
        self.plan_all(&digits, ciphertexts)
    }

    /// The plans of several tables: one of them all ([`Self::plan_many`]) where that is faster, else one of each.
    ///
    /// # Errors
    /// As [`Self::plan_table`].
    pub(crate) fn plan_all(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<Vec<Plan>, Error> {
        if luts.is_empty() {
            return self.plan_many(luts, ciphertexts).map(|plan| vec![plan]);
        }
        let single = luts.iter().map(|lut| self.plan_one(lut, ciphertexts)).collect::<Result<Vec<_>, _>>()?;
        let seconds: f64 = single.iter().map(Plan::predicted_seconds).sum();
        match self.plan_many(luts, ciphertexts) {
            Ok(plan) if plan.predicted_seconds() < seconds => Ok(vec![plan]),
            _ => Ok(single),
        }
    }

    pub(crate) fn check_operands(&self, plan: &Plan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        operands.iter().try_for_each(|operand| operand.check_open(&plan.algorithm()))?;
        if operands.len() != plan.operands() {
            let (what, found) = (plan.algorithm(), operands.len());
            return Err(Error::OperandCount { what, found, expected: plan.operands() });
        }
        if plan.params() != &self.params {
            return Err(Error::OtherParams { what: "plan", params: self.params.name().into() });
        }
        for (operand, &expected) in operands.iter().zip(&plan.in_spaces) {
            operand.check_key(&self.params, self.key_id)?;
            if !expected.holds(operand.space()) {
                return Err(PlanError::Space { found: operand.space(), expected }.into());
            }
            if operand.len() != operands[0].len() {
                return Err(self.other_length(plan, operand.len(), operands[0].len()));
            }
        }
        if !plan.related && meet(operands) {
            return Err(PlanError::Related.into());
        }
        // Where a circuit counts what operands have in common, they have the noise that each has.
        let all = if plan.each_alone { own_variance(operands) } else { input_variance(operands) };
        for (input, &found) in all.all().iter().enumerate() {
            let expected = plan.input_variance().of(input);
            if found > expected * (1.0 + NOISE_TOLERANCE) {
                return Err(PlanError::Noise { found: found.log2() / 2.0, expected: expected.log2() / 2.0 }.into());
            }
        }
        Ok(plan.check_keys(&self.key)?)
    }

    /// The refusal of an operand of another length than the first.
    pub(crate) fn other_length(&self, plan: &Plan, right: usize, left: usize) -> Error {
        Error::Lengths { what: plan.algorithm(), left, right }
    }
}

impl EngineServer<Fhew> for Server {
    fn within(key: ServerKey, _masks: Option<MaskStorage>, memory: Option<u64>) -> Result<Self, Error> {
        // Both forms are there for a while.
        let sizes = KeySizes::of(key.params(), &key.additional());
        Room::now(memory).check(sizes.stored as u64, sizes.memory as u64)?;
        Ok(Self { key_id: key.key_id(), key: key.expand()?, params: key.params, memory })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn key_bytes(&self) -> usize {
        self.key.bytes()
    }

    fn plan(&self, function: &Function, inputs: &[&Ciphertexts]) -> Result<Plans, Error> {
        inputs.iter().try_for_each(|input| input.check_open("an evaluation"))?;
        let plans = self.planned(function, inputs).map_err(|error| self.with_cure(error, function, inputs))?;
        let bytes = plans.iter().map(Plan::bytes).sum();
        Room { available: None, limit: self.memory }.check(self.key_bytes() as u64, bytes)?;
        Ok(Plans(plans))
    }

    fn likeness(&self, inputs: &[&Ciphertexts]) -> String {
        let spaces: Vec<Space> = inputs.iter().map(|x| x.space()).collect();
        format!("{spaces:?} {:?} {}", input_variance(inputs), meet(inputs))
    }

    fn run(
        &self,
        plan: &Plans,
        inputs: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let count = plan.0.len() as f64;
        let mut all = Vec::new();
        for (i, plan) in plan.0.iter().enumerate() {
            let progress = |done: f64| (watch.progress)((i as f64 + done) / count);
            let watch = Watch { progress: &progress, ..*watch };
            all.extend(self.evaluate_operands(plan, inputs, threads, &watch)?);
        }
        Ok(all)
    }

    fn run_to<R: Read + Send, W: Write>(
        &self,
        plan: &Plans,
        inputs: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        self.evaluate_to(&plan.0, inputs, outputs, threads, watch)
    }

    fn compress(&self, x: &Ciphertexts, threads: usize, watch: &Watch<'_>) -> Result<Ciphertexts, Error> {
        match self.compression(x, x.len())? {
            Some(bits) => self.compress_source(x, (x.len(), bits), x.cursor(), threads, watch),
            None => Ok(x.clone()),
        }
    }

    fn compress_from<R: Read + Send>(
        &self,
        mut input: CiphertextReader<R>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Ciphertexts, Error> {
        let (head, count) = (input.head().clone(), input.len());
        let Some(bits) = self.compression(&head, count)? else { return input.read() };
        let compressed = self.compress_source(&head, (count, bits), &mut input, threads, watch)?;
        input.finish()?;
        Ok(compressed)
    }

    fn plan_transciphering(&self, bits: u32, key: &EncryptedSymmetricKey) -> Result<TranscipherPlan, Error> {
        self.plan_steps(bits, key)
    }

    fn transcipher(
        &self,
        plan: &TranscipherPlan,
        sent: (&SymmetricCiphertexts, &EncryptedSymmetricKey),
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Ciphertexts, Error> {
        self.transcipher_in_memory(plan, sent, threads, watch)
    }

    fn transcipher_to<W: Write>(
        &self,
        plan: &TranscipherPlan,
        sent: (&SymmetricCiphertexts, &EncryptedSymmetricKey),
        out: W,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<W, Error> {
        self.transcipher_blocks_to(plan, sent, out, threads, watch)
    }
}

/// Whether two of them have an encryption or evaluation in common.
pub(super) fn meet(operands: &[&Ciphertexts]) -> bool {
    let meets = |i: usize| operands[..i].iter().any(|other| other.origin().meets(operands[i].origin()));
    (1..operands.len()).any(meets)
}

/// Bounds on the noise of the ciphertexts of operands, each alone.
pub(super) fn own_variance(operands: &[&Ciphertexts]) -> InputVariance {
    let of_operand = |operand: &&Ciphertexts| {
        let variances = operand.limb_variances();
        (0..operand.space().limbs()).map(move |limb| variances.of(limb)).collect::<Vec<_>>()
    };
    InputVariance::of_each(operands.iter().flat_map(of_operand).collect())
}

/// Bounds on the noise of the ciphertexts of operands, which a circuit takes as independent.
///
/// If those of operands i and j are not, with m_i the largest standard deviation of i, 2·|e_i·e_j| is at most
/// (m_j/m_i)·e_i² + (m_i/m_j)·e_j²: the variances of i are Σ m_j/m_i times as large, over all that it meets and itself.
/// Limbs of an operand are independent: one of another operand has no more in common with both than with one.
pub(super) fn input_variance(operands: &[&Ciphertexts]) -> InputVariance {
    let noisiest = |operand: &Ciphertexts| operand.limb_variances().largest().sqrt();
    let of_operand = |i: usize| {
        let operand = operands[i];
        let met =
            operands.iter().enumerate().filter(move |&(j, other)| j != i && other.origin().meets(operand.origin()));
        let growth = 1.0 + met.map(|(_, other)| noisiest(other)).sum::<f64>() / noisiest(operand);
        (0..operand.space().limbs()).map(move |limb| growth * operand.limb_variances().of(limb))
    };
    InputVariance::of_each((0..operands.len()).flat_map(of_operand).collect())
}
