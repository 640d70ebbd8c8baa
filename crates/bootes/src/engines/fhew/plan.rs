//! Plans of engine fhew: circuits, and their noise.
use crate::door::space::Integers;
use crate::fhew::prediction::fit;
use crate::fhew::room::is_served;
use crate::fhew::server_key::Expanded;
use crate::fhew::{Params, Prediction};
use crate::{Continuous, Engine, Error, Objective, Space, SpaceError};
use bootes_lattice::Gadget;
use bootes_lattice::noise::failure::over_keys::sigmas_for;
use bootes_lut::fhew::circuit::{Circuit, InputVariance, Noise};
use bootes_lut::fhew::digits::{CMUX_TREE, LargeLut, cmux_gadgets, fit_cmux_trees};
use bootes_lut::fhew::eval::PreparedTable;
use bootes_lut::fhew::{Algorithm, registry};
use bootes_lut::fhew::{interpolated, many};
use bootes_lut::table::MAX_BITS;
use bootes_lut::{FhewLutError, IntegerOp, Interval, Lut, LutError};
use bootes_schemes::fhew::{FhewParams, KeyNeeds};

pub(super) mod multivariate;
pub(crate) mod program;
mod words;

/// A function prepared for evaluation – a table with the chosen algorithm, several tables, a function of integers – and
/// the prediction.
pub(crate) struct Plan {
    name: String,
    reference: String,
    pub(crate) table: PreparedTable,
    /// One an operand.
    pub(crate) in_spaces: Vec<Space>,
    /// One a result.
    pub(crate) out_spaces: Vec<Space>,
    /// Whether results hold noise of the inputs.
    pub(crate) passes_noise: bool,
    /// Whether operands may have an encryption or evaluation in common, as far as their noise allows.
    pub(crate) related: bool,
    /// Whether the bound on the noise of inputs is that of each, and what they have in common is in the circuit.
    pub(crate) each_alone: bool,
    params: Params,
    input_variance: InputVariance,
    noise: Noise,
    prediction: Prediction,
    /// The largest error of interpolation, of continuous functions.
    interpolation_error: Option<f64>,
}

/// The subject of a plan, its circuit aside.
pub(super) struct Subject {
    name: String,
    reference: String,
    in_spaces: Vec<Space>,
    out_spaces: Vec<Space>,
}

/// The table with an entry for each residue of the space, and none for others.
pub(super) fn on_space(lut: &Lut, space: Space) -> Result<Lut, Error> {
    space.check_exact("a table")?;
    match space {
        Space::Modular(_) => space.check_entries(lut.in_modulus()).map(|()| lut.clone()),
        Space::Integers(integers) if integers.limbs().high.is_none() => {
            Ok(lut.on_integers(integers.range(), integers.width() + 1)?)
        }
        Space::Integers(_) => Err(SpaceError::TwoLimbs { what: "a table", space }.into()),
    }
}

/// Whether a bootstrap takes only digits of these messages: integers in one ciphertext that are too long.
pub(super) fn needs_digits(params: &FhewParams, lut: &Lut, space: Space) -> bool {
    let most = params.bits().min(MAX_BITS);
    space.kept_integers().is_some_and(|integers| {
        integers.limbs().high.is_none() && (integers.width() >= most || lut.in_bits() > MAX_BITS)
    })
}

/// The space of the results of a table on a space that it is on.
fn image(lut: &Lut, space: Space) -> Space {
    match lut.gives_integers() {
        true => Space::of_entries(lut.out_bits(), lut.image(space.kept_integers().map(Integers::range))),
        false => Space::Modular(lut.out_modulus()),
    }
}

/// Refuses a table that is too wide for the parameters.
pub(super) fn check_width(params: &FhewParams, lut: &Lut) -> Result<(), LutError> {
    // How far apart results are is for their noise to tell.
    let limits = [("inputs", lut.in_bits(), params.bits()), ("outputs", lut.out_bits(), params.space_bits())];
    for (what, found, bits) in limits {
        if found > bits {
            return Err(LutError::TooWide { what, found, bits, params: params.name().into() });
        }
    }
    Ok(())
}

/// An algorithm, its circuit for a table, and what that takes.
type Fitted = (Box<dyn Algorithm>, Circuit, Prediction);

/// The named algorithm, or the best by `objective` of those that `key` serves, for a table on a space, and its circuit.
pub(super) fn best(
    key: &impl Serving,
    lut: &Lut,
    algorithm: Option<&str>,
    input_variance: f64,
    promised: f64,
    objective: Objective,
) -> Result<(Box<dyn Algorithm>, Circuit), Error> {
    let params = key.params();
    check_width(params, lut)?;
    let named = algorithm.is_some();
    let candidates = match algorithm {
        Some(name) => vec![registry::by_name(name)?],
        None => registry::algorithms(),
    };
    // By the keys that every server has, and by additional ones.
    let mut best: [Option<Fitted>; 2] = [None, None];
    let mut refusal = None;
    for algorithm in candidates {
        // Benchmarks want what they name, own rings that are noisier than what was fitted included.
        let circuit = match named {
            true => algorithm.fit(params, lut, input_variance, promised),
            false => fit(&*algorithm, params, lut, input_variance, promised),
        };
        let circuit = circuit.and_then(|circuit| key.serves(&algorithm.name(), &circuit).map(|()| circuit));
        match circuit {
            Ok(circuit) => {
                let prediction = Prediction::new(params, &circuit, input_variance);
                let additional = !Params(params.clone()).missing(&circuit.keys(params)).is_empty();
                let best = &mut best[usize::from(additional)];
                if best.as_ref().is_none_or(|(_, _, best)| prediction.is_better(best, objective)) {
                    *best = Some((algorithm, circuit, prediction));
                }
            }
            // The noise is the reason to report: other refusals concern one algorithm.
            Err(error) => {
                if refusal.is_none() || matches!(error, LutError::Fhew(FhewLutError::Noise { .. })) {
                    refusal = Some(error);
                }
            }
        }
    }
    let best = match best {
        // Keys that were made for something else, as those of compression, take no budget away.
        [Some(usual), Some(other)] => {
            let quieter = other.2.output_std <= LOUDER * usual.2.output_std;
            Some(if quieter && other.2.is_better(&usual.2, objective) { other } else { usual })
        }
        [usual, other] => usual.or(other),
    };
    match (best, refusal) {
        (Some((algorithm, circuit, _)), _) => Ok((algorithm, circuit)),
        (None, Some(error)) => Err(error.into()),
        (None, None) => unreachable!("the registry is not empty"),
    }
}

/// By how much noisier a faster algorithm with additional keys may be: a quarter of a bit.
const LOUDER: f64 = 1.19;

/// A circuit of parts, fitted as a whole: rotations have half of the promise, each the same share, and results have
/// half.
fn of_parts(
    keys: &impl Serving,
    name: &str,
    circuit: Circuit,
    input_variance: &InputVariance,
) -> Result<Circuit, Error> {
    let (params, promised) = (keys.params(), keys.params().log2_p_fail() - 1.0);
    let own_rings = circuit.rotations().any(|rotation| rotation.own_ring);
    let circuit = match own_rings {
        false => circuit.fit(params, input_variance, promised)?,
        // Those are as they were fitted.
        true => match circuit.broken_promise(params, input_variance, promised) {
            Some((_, error)) => return Err(error.into()),
            None => circuit,
        },
    };
    keys.serves(name, &circuit)?;
    Ok(circuit)
}

/// By what the noise of a table's results on digits may grow, and what they are made with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Budget {
    /// log2 of a factor.
    pub(super) usual: u32,
    /// The same where they are not refreshed, if it is more: refreshed ones have room beyond the usual.
    pub(super) unrefreshed: u32,
    /// That of the tree of CMUXes, if it is not the fastest alone: trees of one register have one gadget.
    pub(super) gadget: Option<Gadget>,
}

/// A table on the digits of integers in one ciphertext.
pub(super) struct OnDigits {
    name: String,
    pub(super) circuit: Circuit,
    out_space: Space,
}

impl OnDigits {
    /// With at least the promise of the parameters.
    pub(super) fn new(params: &FhewParams, lut: &Lut, space: Space, input_variance: f64) -> Result<Self, Error> {
        Self::promising(params, lut, space, input_variance, params.log2_p_fail())
    }

    fn promising(
        params: &FhewParams,
        lut: &Lut,
        space: Space,
        input_variance: f64,
        promised: f64,
    ) -> Result<Self, Error> {
        // Who asks for room asks for results that can be added up, where the parameters have them.
        let image = lut.image(space.kept_integers().map(Integers::range));
        let asked = lut.out_bits() - Lut::bits_of(image).min(lut.out_bits());
        Self::with_budget(params, lut, space, input_variance, promised, Budget { usual: asked, ..Budget::default() })
    }

    /// With this budget, or less where the parameters have none.
    fn with_budget(
        params: &FhewParams,
        lut: &Lut,
        space: Space,
        input_variance: f64,
        promised: f64,
        budget: Budget,
    ) -> Result<Self, Error> {
        let (lut, out_space) = Self::checked(params, lut, space)?;
        let (name, circuit) = Self::fitted(params, &lut, input_variance, promised, budget)?;
        Ok(Self { name, circuit, out_space })
    }

    /// The fastest circuit of a table on digits and its name, with this budget, or less where the parameters have none.
    pub(super) fn fitted(
        params: &FhewParams,
        lut: &LargeLut,
        input_variance: f64,
        promised: f64,
        Budget { usual: budget, unrefreshed, gadget }: Budget,
    ) -> Result<(String, Circuit), Error> {
        let fit = |room| {
            let lut = lut.clone().with_budget(room).refreshed_below(unrefreshed);
            let tree = gadget.and_then(|gadget| lut.fit_cmux_tree(&[gadget], params, &input_variance.into(), promised));
            match tree {
                Some((name, Ok(tree))) => Ok((name, tree)),
                _ => lut.fit(params, input_variance, promised),
            }
        };
        // As a rule all fits; else the most that does. What fits some room fits less.
        let mut best = fit(budget);
        let mut rooms = if best.is_ok() { 0..0 } else { 0..budget };
        while !rooms.is_empty() {
            let room = rooms.start.midpoint(rooms.end);
            match fit(room) {
                Ok(found) => (rooms.start, best) = (room + 1, Ok(found)),
                // The refusal of a table is that without room.
                Err(error) => (rooms.end, best) = (room, best.or(Err(error))),
            }
        }
        Ok(best?)
    }

    /// The table on integers of this space, and the space of its results.
    fn checked(params: &FhewParams, lut: &Lut, space: Space) -> Result<(LargeLut, Space), Error> {
        let what = "a table on digits";
        space.check_exact(what)?;
        let integers =
            space.kept_integers().ok_or_else(|| Error::Space(SpaceError::Residues { what: what.into(), space }))?;
        let range = integers.range();
        let domain = Interval { min: 0, max: i128::from(lut.in_modulus()) - 1 };
        if !domain.holds(range) {
            return Err(LutError::Domain { entries: lut.in_modulus(), integers: range }.into());
        }
        // Sums may have integers that a digit decomposition would take for others.
        if range.width() > integers.width() {
            return Err(Error::Room { range, width: integers.width(), engine: Engine::Fhew });
        }
        let most = params.space_bits() - 1;
        if lut.out_bits() > most {
            let (what, found, params) = ("outputs", lut.out_bits(), params.name().into());
            return Err(LutError::TooWide { what, found, bits: most, params }.into());
        }
        let image = lut.image(Some(range));
        // Results are kept as integers, whatever they stand for.
        let modulus = (!lut.gives_integers()).then_some(lut.out_modulus());
        let lut = LargeLut::of(lut)?.on_integers(range, integers.width())?;
        let (out_space, modulus) = (Space::of_entries(lut.out_bits() + 1, image), modulus);
        Ok((lut, modulus.map_or(out_space, |p| out_space.of_modulus(p))))
    }
}

/// The circuit of a continuous function.
pub(super) fn continuous_circuit(
    params: &FhewParams,
    function: &Continuous,
    space: Space,
    input_variance: f64,
) -> Result<Circuit, Error> {
    let what = CONTINUOUS;
    space.check_exact(what)?;
    space.check_reduced()?;
    let &[p] = &space.moduli()[..] else { return Err(SpaceError::TwoLimbs { what, space }.into()) };
    let (range, expected) = (space.kept_range(), function.range());
    let fits = match space {
        Space::Modular(_) => range == expected,
        Space::Integers(_) => expected.holds(range),
    };
    if !fits {
        return Err(Error::Domain { found: space, expected });
    }
    let (found, max) = (function.out_bits(), params.space_bits());
    if found > max {
        return Err(Error::Bits { found, max, params: params.name().into() });
    }
    let half_window = 0.5 * (-f64::from(found)).exp2();
    let circuit = interpolated(p, range.min, &function.turns(range), half_window);
    Ok(circuit.fit(params, input_variance, params.log2_p_fail())?)
}

const CONTINUOUS: &str = "a continuous function";

impl Plan {
    /// Plans `lut` on inputs of a space and noise variance `input_variance`: the named algorithm, or the best by
    /// `objective` among those that `key` serves.
    pub(crate) fn new(
        key: &Expanded,
        lut: &Lut,
        space: Space,
        algorithm: Option<&str>,
        input_variance: f64,
        objective: Objective,
    ) -> Result<Self, Error> {
        let params = key.params();
        if algorithm.is_none() && needs_digits(params, lut, space) {
            return Self::on_digits(key, lut, space, input_variance);
        }
        let lut = &on_space(lut, space)?;
        let (algorithm, circuit) = best(key, lut, algorithm, input_variance, params.log2_p_fail(), objective)?;
        let subject = Subject {
            name: algorithm.name(),
            reference: algorithm.reference().to_string(),
            in_spaces: vec![space],
            out_spaces: vec![image(lut, space)],
        };
        Ok(Self::with(key, subject, circuit, input_variance))
    }

    /// Plans several tables as one circuit.
    pub(crate) fn many(key: &Expanded, luts: &[Lut], space: Space, input_variance: f64) -> Result<Self, Error> {
        let params = key.params();
        if luts.iter().any(|lut| needs_digits(params, lut, space)) {
            return Self::many_on_digits(key, luts, space, input_variance);
        }
        let luts = luts.iter().map(|lut| on_space(lut, space)).collect::<Result<Vec<_>, _>>()?;
        luts.iter().try_for_each(|lut| check_width(params, lut))?;
        let circuit = many::circuit(&luts)?.fit(params, input_variance, params.log2_p_fail())?;
        let subject = Subject {
            name: many::NAME.to_string(),
            reference: many::REFERENCE.to_string(),
            in_spaces: vec![space],
            out_spaces: luts.iter().map(|lut| image(lut, space)).collect(),
        };
        Ok(Self::with(key, subject, circuit, input_variance))
    }

    /// Plans several tables on the bits of integers in one ciphertext.
    fn many_on_digits(key: &Expanded, luts: &[Lut], space: Space, input_variance: f64) -> Result<Self, Error> {
        let params = key.params();
        let checked = luts.iter().map(|lut| OnDigits::checked(params, lut, space)).collect::<Result<Vec<_>, _>>()?;
        let (tables, out_spaces): (Vec<LargeLut>, Vec<Space>) = checked.into_iter().unzip();
        let circuit = fit_cmux_trees(&tables, &cmux_gadgets(), params, &input_variance.into(), params.log2_p_fail());
        let circuit = circuit.ok_or_else(|| Error::not_with("several tables on digits", Engine::Fhew, &[]))??;
        key.serves(CMUX_TREE, &circuit)?;
        let (name, reference) = (CMUX_TREE.to_string(), LargeLut::reference(CMUX_TREE).to_string());
        Ok(Self::with(key, Subject { name, reference, in_spaces: vec![space], out_spaces }, circuit, input_variance))
    }

    /// The same with results that are integers standing for those of a table, where these are residues.
    pub(crate) fn standing_for(mut self, lut: &Lut) -> Self {
        if !lut.gives_integers() {
            self.out_spaces.iter_mut().for_each(|space| *space = space.of_modulus(lut.out_modulus()));
        }
        self
    }

    /// Plans values as integers of their range in Z_{2^bits}: a table that changes nothing.
    pub(crate) fn widen(key: &Expanded, space: Space, bits: u32, input_variance: f64) -> Result<Self, Error> {
        space.check_exact("widening")?;
        let range = space.range();
        let &[p] = &space.moduli()[..] else { return Err(SpaceError::TwoLimbs { what: "widen", space }.into()) };
        let max = key.params().space_bits();
        if !(1..=max).contains(&bits) {
            return Err(LutError::OutBits { found: bits, max }.into());
        }
        if p > 1 << MAX_BITS {
            return Err(LutError::LongIntegers { bits: space.bits() }.into());
        }
        if !range.is_in_residues(bits) {
            let (operation, operand, most, engine) = ("widening", range, max, Engine::Fhew);
            let range = Some(range);
            return Err(Error::Overflow { operation, range, bits, operand, modulus: None, most, engine });
        }
        let kept = space.kept_range();
        let value = |residue: i128| {
            let integer = kept.min + (residue - kept.min).rem_euclid(p.into());
            space.modulus().map_or(integer, |p| integer.rem_euclid(p.into())).rem_euclid(1 << bits) as u64
        };
        let lut = Lut::modular((0..p.into()).map(value).collect(), 1 << bits)?;
        let plan = Self::new(key, &lut, Space::Modular(p), None, input_variance, Objective::default())?;
        Ok(Self { in_spaces: vec![space], out_spaces: vec![Space::of_entries(bits, range)], ..plan })
    }

    /// Plans a table on the digits of integers in one ciphertext.
    fn on_digits(key: &Expanded, lut: &Lut, space: Space, input_variance: f64) -> Result<Self, Error> {
        let OnDigits { name, circuit, out_space } = OnDigits::new(key.params(), lut, space, input_variance)?;
        key.serves(&name, &circuit)?;
        let subject = Subject {
            reference: LargeLut::reference(&name).to_string(),
            name,
            in_spaces: vec![space],
            out_spaces: vec![out_space],
        };
        Ok(Self::with(key, subject, circuit, input_variance))
    }

    /// Plans a continuous function.
    pub(crate) fn continuous(
        key: &Expanded,
        function: &Continuous,
        space: Space,
        input_variance: f64,
    ) -> Result<Self, Error> {
        let circuit = continuous_circuit(key.params(), function, space, input_variance)?;
        key.serves(CONTINUOUS, &circuit)?;
        let subject = Subject {
            name: CONTINUOUS.into(),
            reference: "fdfb-and-digit-decomposition, Theorem 8 and appendix A".into(),
            in_spaces: vec![space],
            out_spaces: vec![function.out_space(space.kept_range())?],
        };
        let plan = Self::with(key, subject, circuit, input_variance);
        Ok(Self { interpolation_error: Some(function.interpolation_error()), ..plan })
    }

    /// By how much a result of a continuous function may differ from it, but with the failure probability: the error of
    /// interpolation, the noise, and ½ to round.
    pub(crate) fn error_bound(&self) -> Option<f64> {
        let noise = self.noise.bound_variances.first()?.sqrt() * sigmas_for(self.params.log2_p_fail());
        // Half a step, in turns, is ½.
        let noise = 0.5 * noise / self.out_spaces.first()?.half_step();
        Some(self.interpolation_error? + noise.min(0.5) + 0.5)
    }

    /// Plans a function of integers on operands of these spaces.
    pub(crate) fn integers(
        key: &Expanded,
        op: IntegerOp,
        spaces: &[Space],
        input_variance: &InputVariance,
    ) -> Result<Self, Error> {
        let kept: Vec<Space> = spaces.iter().map(|space| space.kept()).collect();
        let (limbs, out_space) = Space::of_function(op, &kept, Engine::Fhew)?;
        let params = key.params();
        let circuit = op.fit(params, limbs, input_variance, params.log2_p_fail())?;
        key.serves(&op.to_string(), &circuit)?;
        let subject = Subject {
            name: op.to_string(),
            reference: format!("{}-bit integers; fdfb-and-digit-decomposition, Algorithms 2 and 7", limbs.width()),
            in_spaces: spaces.to_vec(),
            out_spaces: vec![out_space],
        };
        Ok(Self::with(key, subject, circuit, input_variance))
    }

    fn with(key: &Expanded, subject: Subject, circuit: Circuit, input_variance: impl Into<InputVariance>) -> Self {
        let input_variance = input_variance.into();
        let Subject { name, reference, in_spaces, out_spaces } = subject;
        let params = Params(key.params().clone());
        Self {
            name,
            reference,
            in_spaces,
            out_spaces,
            passes_noise: circuit.passes_noise(),
            related: true,
            noise: circuit.noise(&params, &input_variance),
            prediction: Prediction::new(&params, &circuit, &input_variance),
            each_alone: false,
            input_variance,
            table: PreparedTable::new(&params, circuit, key.fft()),
            params,
            interpolation_error: None,
        }
    }

    /// Refuses a key that lacks additional keys of the plan.
    pub(crate) fn check_keys(&self, key: &Expanded) -> Result<(), LutError> {
        key.serves(&self.name, &self.table.circuit)
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        PreparedTable::bytes(&self.params, &self.table.circuit) as u64
    }

    /// Name of the algorithm, or of the function.
    pub(crate) fn algorithm(&self) -> String {
        self.name.clone()
    }

    /// Vectors of ciphertexts that it takes.
    pub(crate) fn operands(&self) -> usize {
        self.in_spaces.len()
    }

    /// The message space of each result.
    pub(crate) fn out_spaces(&self) -> &[Space] {
        &self.out_spaces
    }

    /// log2 of the predicted failure probability of a value.
    pub(crate) fn log2_p_fail(&self) -> f64 {
        self.noise.log2_p_fail
    }

    /// Predicted noise.
    pub(crate) fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Noise variances of the inputs it was made for.
    pub(crate) fn input_variance(&self) -> &InputVariance {
        &self.input_variance
    }

    /// Number of blind rotations a value.
    pub(crate) fn rotations(&self) -> usize {
        self.prediction.rotations
    }

    /// Predicted seconds a value on one thread, of full batches.
    pub(crate) fn predicted_seconds(&self) -> f64 {
        self.prediction.seconds
    }

    /// Everything predicted.
    pub(crate) fn prediction(&self) -> &Prediction {
        &self.prediction
    }
}

/// Keys that serve circuits: those of a server, or those that every server of a set has.
pub(crate) trait Serving {
    /// The parameters.
    fn params(&self) -> &FhewParams;

    /// The part of `needs` that is not there.
    fn missing(&self, needs: &KeyNeeds) -> KeyNeeds;

    /// Refuses a circuit whose additional keys are not all there.
    fn serves(&self, name: &str, circuit: &Circuit) -> Result<(), LutError> {
        let missing = self.missing(&circuit.keys(self.params()));
        if missing.is_empty() {
            Ok(())
        } else {
            Err(FhewLutError::Keys { algorithm: name.to_string(), missing }.into())
        }
    }
}

impl Serving for Expanded {
    fn params(&self) -> &FhewParams {
        self.params()
    }

    fn missing(&self, needs: &KeyNeeds) -> KeyNeeds {
        self.missing(needs)
    }
}

impl Serving for Params {
    fn params(&self) -> &FhewParams {
        self
    }

    fn missing(&self, needs: &KeyNeeds) -> KeyNeeds {
        match is_served(self, needs, &self.integer_keys()) {
            true => KeyNeeds::default(),
            false => needs.clone(),
        }
    }
}
