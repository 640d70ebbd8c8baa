use super::Prediction;
use super::plan::{multivariate, program::predict};
use super::prediction::sets_holding;
use crate::door::space::Integers;
use crate::engines::{Elapsed, EngineParams, MORE_ROOM, check_integers, check_residues};
use crate::fhew::KeySizes;
use crate::names::hex;
use crate::{Engine, Error, FailureTarget, Function, KeyNeeds, Load, Lut, Program, Security, Space};
use bootes_lattice::LatticeError;
use bootes_lut::ckks::params::literals as batch_literals;
use bootes_lut::fhew::circuit::MAX_EXTENSION;
use bootes_lut::fhew::digits::{MAX_LARGE_BITS, Method};
use bootes_lut::fhew::registry;
use bootes_lut::integer::{IntegerLimbs, MAX_LIMB, MAX_LIMBS, MAX_WIDTH};
use bootes_lut::table::MAX_BITS;
use bootes_lut::{FhewLutError, IntegerOp, Interval, LutError, MultivariateLut};
use bootes_schemes::fhew::FhewParams;
use std::ops::Deref;

/// A checked parameter set; cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Params(pub(crate) FhewParams);

impl Deref for Params {
    type Target = FhewParams;

    fn deref(&self) -> &FhewParams {
        &self.0
    }
}

impl Params {
    /// The default set for tables on `bits`-bit integers (1 to 8) at the given failure probability. What is made with
    /// it has room for `bits` bits, results and sums of results too. Integers take one bit more than they have,
    /// residues none.
    pub(crate) fn for_bits_with(bits: u32, target: FailureTarget) -> Result<Self, Error> {
        Ok(Self(FhewParams::for_bits(bits, target.log2())?))
    }

    /// The default set for integers at the given failure probability.
    pub(crate) fn for_integers_with(width: u32, target: FailureTarget) -> Result<Self, Error> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(Error::NoWidth { found: width, max: MAX_WIDTH });
        }
        let one = FhewParams::for_integers(width, target.log2());
        // In as few limbs as can be.
        let limbs =
            || (2..=width).find_map(|count| FhewParams::for_integers(width.div_ceil(count), target.log2()).ok());
        one.or_else(|refused| limbs().ok_or(refused)).map(Self).map_err(Error::from)
    }

    /// Every shipped set: defaults, `paper_…`, the insecure `toy_…`, and those of words of 128 bits.
    pub(crate) fn all() -> Vec<Self> {
        FhewParams::all().iter().chain(FhewParams::wide()).cloned().map(Self).collect()
    }

    /// Bits of the longest limb.
    fn limb_bits(&self) -> u32 {
        (self.0.space_bits() - 1).min(MAX_LIMB)
    }

    /// How integers of so many bits are kept.
    ///
    /// # Errors
    /// [`Error::Width`] for none, or more than 64, or than 16 ciphertexts hold.
    pub(crate) fn integer_limbs(&self, width: u32) -> Result<IntegerLimbs, Error> {
        let max = self.max_integer_bits().unwrap_or(0);
        match (1..=max).contains(&width) {
            true => Ok(IntegerLimbs::of(width, self.limb_bits())),
            false => Err(Error::Width { found: width, max, params: self.name().into() }),
        }
    }

    /// The same space, of residues that are too long for the set, and of integers that are too long for one ciphertext,
    /// in the limbs that the set keeps them in.
    fn in_limbs(&self, space: Space) -> Result<Space, Error> {
        if let Space::Modular(p) = space {
            return self.space_modulo(&[], p);
        }
        match space.kept_integers() {
            Some(integers) if integers.width() >= self.0.space_bits() => {
                let limbs = self.integer_limbs(integers.width())?;
                let room = || Error::Room { range: integers.range(), width: limbs.width(), engine: Engine::Fhew };
                let kept = Integers::new(limbs, integers.range()).map(Space::Integers).ok_or_else(room)?;
                Ok(integers.modulus().map_or(kept, |p| kept.of_modulus(p)))
            }
            _ => Ok(space),
        }
    }

    /// Bits of the longest messages, those included that are integers, for tables on digits.
    fn longest(&self) -> u32 {
        self.integer_bits().unwrap_or(0).min(MAX_LARGE_BITS).max(self.bits())
    }

    /// Whether messages of so many bits are integers, since they are too long for residues.
    fn are_integers(&self, bits: u32) -> bool {
        (self.bits() + 1..=self.longest()).contains(&bits)
    }

    /// The prediction of a program of fresh values of a space, and whether it makes inputs anew, with more room.
    fn program_in(&self, program: &Program, space: Space, load: &Load) -> Result<(crate::Prediction, bool), Error> {
        let (prediction, widens) = predict(self, program, &vec![self.in_limbs(space)?; program.inputs()])?;
        Ok((prediction.within(load)?, widens))
    }

    /// The additional keys of functions of large integers and of tables on them and on bits, if the set is made for
    /// them: every server key has them.
    pub(crate) fn integer_keys(&self) -> KeyNeeds {
        let relu = |width| {
            let circuit = IntegerOp::Relu.circuit(Method::Reduce, IntegerLimbs::one(width), 4);
            circuit.map_or(KeyNeeds::default(), |circuit| circuit.keys(&self.0))
        };
        let needs = self.integer_bits().map_or(KeyNeeds::default(), relu);
        let scheme_switch = self.0.has_trees();
        let packing = if scheme_switch { vec![1] } else { Vec::new() };
        needs.and(KeyNeeds { packing, scheme_switch, ..KeyNeeds::default() })
    }

    /// The additional keys that `algorithm` needs for tables with `bits`-bit inputs; mostly none.
    pub(crate) fn extra_keys(&self, algorithm: &str, bits: u32) -> Result<KeyNeeds, Error> {
        Ok(registry::by_name(algorithm)?.keys(&self.0, bits))
    }

    /// Refuses additional keys of rings and blocks that no circuit has, before anybody asks how large they are.
    ///
    /// # Errors
    /// [`Error::Lattice`].
    pub(crate) fn check_needs(&self, needs: &KeyNeeds) -> Result<(), Error> {
        let degree = self.0.shape().degree;
        let is_ring = |ring: usize| ring.is_power_of_two() && ring > degree && ring / degree <= MAX_EXTENSION;
        let is_block = |block: usize| block.is_power_of_two() && block <= degree;
        let rings = needs.rings.iter().filter(|&&ring| !is_ring(ring)).map(|ring| {
            ("degree of an own ring", "N' of the parameter set times 2, 4, 8, as far as tables need it", ring)
        });
        let blocks = needs.packing.iter().filter(|&&block| !is_block(block));
        let blocks = blocks.map(|block| ("block of packed ciphertexts", "a power of two, N' at most", block));
        rings.chain(blocks).next().map_or(Ok(()), |(what, expected, found)| {
            Err(LatticeError::Parameter { what, expected, found: found.to_string() }.into())
        })
    }
}

impl EngineParams for Params {
    const ENGINE: Engine = Engine::Fhew;

    fn transciphering(&self) -> Result<&Params, Error> {
        self.check_symmetric_bits(1).map(|()| self)
    }

    fn names() -> Vec<String> {
        Self::all().iter().map(|set| set.name().to_string()).collect()
    }

    fn algorithms() -> Vec<(String, &'static str, &'static str)> {
        registry::algorithms().iter().map(|a| (a.name(), a.reference(), a.summary())).collect()
    }

    fn for_tables(p: u64, target: FailureTarget) -> Result<Self, Error> {
        match p.saturating_sub(1).checked_ilog2().map_or(0, |log2| log2 + 1) {
            bits @ 0..=MAX_BITS => Self::for_bits_with(bits, target),
            bits @ ..=MAX_LARGE_BITS => Self::for_large_tables_with(bits, target),
            _ => Err(LutError::from(FhewLutError::Entries { found: p, max: 1 << MAX_LARGE_BITS }).into()),
        }
    }

    fn for_integers(width: u32, target: FailureTarget) -> Result<Self, Error> {
        Self::for_integers_with(width, target)
    }

    fn candidates_for(lut: &Lut, target: FailureTarget) -> Vec<Self> {
        sets_holding(lut, target)
    }

    /// Beside themselves, expanded.
    fn table_key_bytes(p: u64, target: FailureTarget) -> u64 {
        let of = |set: Self| KeySizes::of(&set, &set.integer_keys());
        let sizes = (p > 256).then(|| Self::for_tables(p, target).ok()).flatten().map(of);
        sizes.map_or(0, |sizes| (sizes.stored + sizes.memory) as u64)
    }

    fn plan_bytes(p: u64) -> u64 {
        // Trees, one at a time: measured are 30 MB for 2^16 entries.
        if p > 256 { p << 9 } else { 0 }
    }

    fn named(name: &str) -> Result<Self, Error> {
        if batch_literals().iter().any(|set| set.name == name) {
            return Err(Error::SetOf { name: name.into(), found: Engine::Ckks, expected: Engine::Fhew });
        }
        Ok(Self(FhewParams::by_name(name)?))
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn integer_bits(&self) -> Option<u32> {
        self.0.integer_bits()
    }

    fn max_integer_bits(&self) -> Option<u32> {
        Some((MAX_LIMBS * self.limb_bits()).min(MAX_WIDTH)).filter(|&bits| bits > 0)
    }

    fn log2_p_fail(&self) -> f64 {
        self.0.log2_p_fail()
    }

    fn fingerprint(&self) -> [u8; 16] {
        self.0.fingerprint()
    }

    fn is_chosen_by_default(&self) -> bool {
        self.0.is_default() && self.0.word_bits() == 64
    }

    fn security(&self) -> Option<Security> {
        let estimate = self.0.security().ok()?;
        Some(Security { standard: estimate.standard_bits, strict: Some(estimate.strict_bits) })
    }

    fn result_budget(&self) -> Option<f64> {
        self.widest_budget()
    }

    fn predict(&self, lut: &Lut, load: &Load) -> Result<crate::Prediction, Error> {
        let space = match lut.in_bits() > self.bits() {
            true => Space::unsigned(lut.in_bits()),
            false => Space::Modular(lut.in_modulus()),
        };
        let with_cure = |error| self.with_cure(error, &Function::from(lut), &[space], self.fresh_variance());
        self.fitted(lut, None).map_err(with_cure)?.within(load)
    }

    fn predict_by(&self, lut: &Lut, algorithm: &str, load: &Load) -> Result<crate::Prediction, Error> {
        Ok(self.fitted(lut, Some(algorithm))?.of_load(load))
    }

    fn predict_integers(&self, op: IntegerOp, width: u32, load: &Load) -> Result<crate::Prediction, Error> {
        // Decompositions are of two limbs at most.
        if self.integer_limbs(width)?.count() > 2 {
            let space = self.space_within(&[], Interval::signed(width), width)?;
            return Ok(self.program_in(&Program::of_function(op), space, load)?.0);
        }
        self.fitted_integers(op, width)?.within(load)
    }

    fn predict_program(&self, program: &Program, space: Space, load: &Load) -> Result<crate::Prediction, Error> {
        let refused = |error| self.program_refusal(error, program, space);
        self.program_in(program, space, load).map(|(prediction, _)| prediction).map_err(refused)
    }

    fn program_refusal(&self, error: Error, program: &Program, space: Space) -> Error {
        let spaces = vec![self.in_limbs(space).unwrap_or(space); program.inputs()];
        self.with_cure(error, &Function::from(program), &spaces, self.fresh_variance())
    }

    fn predict_multivariate(
        &self,
        table: &MultivariateLut,
        space: Space,
        load: &Load,
    ) -> Result<crate::Prediction, Error> {
        let (spaces, fresh) = (self.spaces_of(table, space)?, self.fresh_variance());
        let with_cure = |error| self.with_cure(error, &Function::from(table), &spaces, fresh);
        let prediction = match multivariate::circuit(self, table, &spaces, &fresh.into()) {
            Ok((_, circuit)) => Prediction::new(self, &circuit, fresh),
            // As plans of a server have it.
            Err(error) => match multivariate::as_program(table, &spaces, &error) {
                Some(program) => predict(self, &program, &spaces).map_err(|_| with_cure(error))?.0,
                None => return Err(with_cure(error)),
            },
        };
        prediction.within(load)
    }

    fn program_sets(target: FailureTarget) -> Vec<String> {
        Self::all_promising(target).map(|set| set.name().into()).collect()
    }

    fn program_offer(&self, program: &Program, space: Space, load: &Load) -> Result<(Space, crate::Prediction), Error> {
        if let Space::Modular(_) = space {
            return self.program_in(program, space, load).map(|(prediction, _)| (space, prediction));
        }
        let space = self.in_limbs(space)?;
        let own = self.program_in(program, space, load);
        let Some(integers) = space.integers().filter(|_| space.limbs() == 1 && !matches!(own, Ok((_, false)))) else {
            return own.map(|(prediction, _)| (space, prediction));
        };
        let mut best = own.map(|(prediction, _)| (space, prediction));
        for more in MORE_ROOM {
            let Ok(wider) = Space::within(integers.range(), integers.width() + more) else { continue };
            let Ok((found, widens)) = self.program_in(program, wider, load) else { continue };
            if best.as_ref().map_or(f64::INFINITY, |(_, best)| best.job_seconds) > found.job_seconds {
                best = Ok((wider, found));
            }
            // More is of no use.
            if !widens {
                break;
            }
        }
        best
    }

    fn elapsed(&self, lut: &Lut, load: &Load) -> Result<Elapsed, Error> {
        let (prediction, threads) = (self.fitted(lut, None)?, load.threads);
        Ok(Box::new(move |count| prediction.elapsed_for(count, threads)))
    }

    fn candidates(&self, lut: &Lut, load: &Load) -> Vec<(String, Result<crate::Prediction, Error>)> {
        let of = |outcome: Result<Prediction, LutError>| Ok(outcome?.of_load(load));
        self.outcomes(lut).into_iter().map(|(name, outcome)| (name, of(outcome))).collect()
    }

    fn key_memory(&self) -> Result<u64, Error> {
        Ok(KeySizes::of(self, &self.integer_keys()).stored as u64)
    }

    fn space_of_bits(&self, values: &[i128], bits: u32) -> Result<Space, Error> {
        if self.are_integers(bits) {
            return self.space_modulo(values, 1 << bits);
        }
        if !(1..=self.bits()).contains(&bits) {
            return Err(Error::Bits { found: bits, max: self.longest(), params: self.name().into() });
        }
        let max = (1 << bits) - 1;
        match values.iter().position(|v| !(0..=max).contains(v)) {
            Some(index) => Err(Error::Value { index, value: values[index], max, bits }),
            None => Ok(Space::of_bits(bits)),
        }
    }

    fn space_modulo(&self, values: &[i128], p: u64) -> Result<Space, Error> {
        let bits = p.checked_next_power_of_two().map_or(u32::MAX, u64::ilog2);
        let max = 1 << self.longest();
        if !(2..=max).contains(&p) {
            return Err(Error::Modulus { found: p, max, params: self.name().into() });
        }
        check_residues(values, p)?;
        match self.are_integers(bits) {
            true => {
                let residues = Interval { min: 0, max: i128::from(p) - 1 };
                self.space_within(values, residues, bits).map(|space| space.of_modulus(p))
            }
            false => Ok(Space::Modular(p)),
        }
    }

    fn space_within(&self, values: &[i128], range: Interval, width: u32) -> Result<Space, Error> {
        let limbs = self.integer_limbs(width)?;
        let integers = Integers::new(limbs, range).filter(|_| range.width() <= width);
        let integers = integers.ok_or(Error::Room { range, width, engine: Engine::Fhew })?;
        check_integers(values, range, width)?;
        Ok(Space::Integers(integers))
    }

    fn fresh_bytes(&self, values: usize) -> u64 {
        (values as u64).saturating_mul(8)
    }

    fn description(&self) -> String {
        let (set, literal) = (&self.0, self.0.literal());
        let floor = |bits: f64| (bits * 10.0).floor() / 10.0;
        let security = match self.0.security() {
            Ok(s) => format!(
                "{}{:.1} bits (standard model), {:.1} bits (strict model), key entropy {:.0} bits",
                if s.is_bound { "at least " } else { "" },
                floor(s.standard_bits),
                floor(s.strict_bits),
                s.entropy_bits
            ),
            Err(error) => format!("INSECURE, for tests only ({error})"),
        };
        let server_key = KeySizes::of(self, &self.integer_keys()).stored;
        let word = set.word_bits() as usize / 8;
        format!(
            "parameter set {}\n  messages        1 to {} bits, full domain, no padding bit\n  \
             failure         2^{} a value\n  \
             security        {security}\n  short key       n = {}, {}, noise 2^{:.2} of the torus\n  \
             accumulator     k = {}, N' = {}, binary key, noise 2^{:.2}\n  \
             gadgets         bootstrap B = 2^{}, d = {}; key switch B = 2^{}, d = {}\n  \
             server key      {:.1} MB on disk\n  ciphertext      {} B fresh, {:.1} kB evaluated\n  \
             fingerprint     {}\n  source          {}",
            set.name(),
            set.bits(),
            set.log2_p_fail(),
            literal.lwe.dimension,
            literal.lwe.distribution,
            literal.lwe.log2_std,
            literal.glwe.rank,
            literal.glwe.degree,
            literal.glwe.log2_std,
            literal.bootstrap.log2_base,
            literal.bootstrap.levels,
            literal.key_switch.log2_base,
            literal.key_switch.levels,
            server_key as f64 / 1e6,
            word,
            (set.ciphertext_dimension() + 1) as f64 * word as f64 / 2e3,
            hex(&set.fingerprint()),
            literal.source,
        )
    }
}
