//! Room for noise: what a set leaves to results of tables, and what to do where none is left.
use super::ciphertexts::rounding_variance;
use super::plan::program::InCommon;
use super::plan::{OnDigits, check_width, continuous_circuit, needs_digits, on_space};
use super::prediction::fit;
use super::server::{input_variance, meet};
use super::{Ciphertexts, Params, Server};
use crate::door::error::NoiseCure;
use crate::door::space::Integers;
use crate::engines::EngineParams;
use crate::engines::{EngineCiphertexts, EngineServer};
use crate::{Engine, Error, FailureTarget, Function, IntegerOp, Lut, Space};
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::digits::{LargeLut, MAX_LARGE_BITS};
use bootes_lut::fhew::many;
use bootes_lut::fhew::registry;
use bootes_lut::table::MAX_BITS;
use bootes_lut::{FhewLutError, Interval, LutError, Program};
use bootes_schemes::fhew::params::PackingMethod;
use bootes_schemes::fhew::{FhewParams, KeyNeeds};
use std::cell::RefCell;
use std::collections::BTreeSet;

impl Params {
    /// A bound on the variance of the noise of results of tables of so many bits, or of the widest that there are.
    fn result_variance(&self, bits: u32) -> Option<f64> {
        let fresh = self.0.fresh_variance();
        let of =
            |bits: u32| noise(&self.0, &Function::Table(Lut::unstructured(bits)), &[Space::of_bits(bits)], fresh).ok();
        [bits.clamp(1, self.bits()), self.bits()].into_iter().find_map(of)
    }

    /// The same of results in this space of a table on the digits of integers of `width` bits.
    fn digits_variance(&self, width: u32, space: Space) -> Option<f64> {
        let out_bits = space.bits() - 1;
        let most = space.range().width().min(out_bits);
        let values = Lut::unstructured(width).values().iter().map(|value| value << most >> width).collect();
        let table = Function::Table(Lut::new(values, out_bits).ok()?);
        noise(&self.0, &table, &[Space::unsigned(width)], self.0.fresh_variance()).ok()
    }

    /// The least output bits of tables on answers with whose results a linear operation keeps the promise, where those
    /// of these operands are of such tables.
    fn narrower(&self, space: Space, growth: &Growth<'_>) -> Option<u32> {
        let results = |bits: u32| self.of_answers(bits);
        let own = growth.space.bits();
        results(own).filter(|variance| (growth.operand / variance - 1.0).abs() < 0.01)?;
        let mut narrower = (2..own).filter(|&bits| space.range().is_in_residues(bits));
        narrower.find(|&bits| {
            let half_step = Space::of_entries(bits, space.range()).half_step();
            let log2_failure = |variance: f64| log2_failure(half_step, (variance * growth.factor()).sqrt());
            results(bits).is_some_and(|variance| log2_failure(variance) <= self.log2_p_fail())
        })
    }

    /// The variance of the noise of results of so many bits of a table on answers.
    fn of_answers(&self, bits: u32) -> Option<f64> {
        let answers = Space::of_entries(1, Interval::unsigned(1));
        let table = Function::Table(Lut::new(vec![0, 1], bits).ok()?);
        noise(&self.0, &table, &[answers], self.0.fresh_variance()).ok()
    }

    /// The variance of the noise of a table's results in this space, where several at once have more.
    fn alone(&self, space: Space) -> Option<f64> {
        let lut = Lut::unstructured(space.bits().min(self.bits()));
        let fresh = self.0.fresh_variance();
        let together = many::circuit(&[lut.clone(), lut]).ok()?.fit(&self.0, fresh, self.log2_p_fail()).ok()?;
        let alone = self.result_variance(message_bits(space))?;
        (space.bits() <= self.bits() && alone < largest(&together, &self.0, fresh)).then_some(alone)
    }

    /// The variance of the noise that the identity leaves in values of this space, if it bears theirs.
    fn refreshed(&self, space: Space, variance: f64) -> Option<f64> {
        let most = space.range().max as u64;
        let lut = match space {
            Space::Modular(p) if p <= 1 << MAX_BITS => Lut::modular((0..p).collect(), p),
            Space::Integers(integers)
                if space.range().min >= 0 && space.limbs() == 1 && integers.width() <= MAX_LARGE_BITS =>
            {
                let digits = integers.width() >= MAX_BITS.min(self.bits());
                Lut::new((0..(most + 1).next_power_of_two().max(2)).collect(), space.bits() - u32::from(digits))
            }
            _ => return None,
        };
        noise(&self.0, &Function::Table(lut.ok()?), &[space], variance).ok()
    }

    /// log2 of the factor by which the noise of a table's results, of the set's widest messages, may grow within the
    /// promise.
    pub(super) fn widest_budget(&self) -> Option<f64> {
        let half_step = 0.5 * (-f64::from(self.bits())).exp2();
        let std = self.result_variance(self.bits())?.sqrt();
        Some((half_step / (sigmas_for(self.log2_p_fail()) * std)).log2().max(0.0))
    }

    /// Default sets of the same promise that hold values of this space.
    fn others(&self, space: Space) -> impl Iterator<Item = Self> {
        let (own, promised) = (self.clone(), self.log2_p_fail());
        let holds = move |set: &Self| match space {
            // As residues: integers would need room for the sum.
            Space::Modular(_) => set.bits() >= space.bits(),
            Space::Integers(integers) => {
                let longest = integers.limbs().bits().into_iter().max();
                set.0.space_bits() > longest.unwrap_or(0)
            }
        };
        let all = Self::all().into_iter();
        all.filter(move |set| *set != own && set.is_chosen_by_default() && set.log2_p_fail() == promised && holds(set))
    }

    /// A bound on the variance of the noise of results of a function on fresh integers of this space.
    fn function_variance(&self, (op, space): (IntegerOp, Space)) -> Option<f64> {
        let operands = vec![space; op.operands()];
        noise(&self.0, &Function::Integers(op), &operands, self.0.fresh_variance()).ok()
    }

    /// The variances of the noise of what may have left values in this space, with this set and with another, where
    /// each has them.
    fn sources(&self, other: &Self, space: Space) -> Vec<(Option<f64>, Option<f64>)> {
        let both = |of: &dyn Fn(&Self) -> Option<f64>| (of(self), of(other));
        let bits = message_bits(space);
        let functions = functions_to(space);
        let mut all: Vec<_> = functions.iter().map(|&function| both(&|set| set.function_variance(function))).collect();
        all.push(both(&|set| set.of_answers(space.bits())));
        match space {
            Space::Integers(_) if space.limbs() == 1 && bits > self.bits() => {
                // As long as their results, or shorter, or longer.
                let widths = BTreeSet::from([self.bits(), space.range().width(), bits - 1]);
                let widths = widths.range(self.bits()..=MAX_LARGE_BITS);
                all.extend(widths.map(|&width| both(&|set| set.digits_variance(width, space))));
            }
            _ => {
                all.push(both(&|set| set.result_variance(bits)));
                if matches!(space, Space::Integers(_)) && space.limbs() == 1 && self.integer_bits().is_some() {
                    // Of long tables, which are not refreshed.
                    let widths = [12, MAX_LARGE_BITS].into_iter();
                    all.extend(widths.map(|width| both(&|set| set.digits_variance(width, space))));
                }
            }
        }
        all
    }

    /// The variance of noise with this set of what has `variance` with another: that of fresh ciphertexts or of results
    /// of a function, whatever has it there, or else a bound for sums of such; rounded to half words, as in files.
    fn variance_of(&self, space: Space, own: &Self, variance: f64) -> Option<f64> {
        let all = own.sources(self, space).into_iter().filter_map(|(own, here)| Some((own?, here)));
        // Noise that results may have is not of fresh ones, nor of sums of many where it may be of few.
        let mut all: Vec<_> = all.filter(|(own, _)| 0.99 * own < variance).collect();
        let few = all.iter().copied().filter(|(own, _)| TERMS * own > variance).collect::<Vec<_>>();
        if !few.is_empty() {
            all = few;
        }
        if all.is_empty() {
            all = vec![(own.0.fresh_variance(), Some(self.0.fresh_variance()))];
        }
        let has_it = |of: f64| variance < 1.01 * (of + rounding_variance(&own.0));
        let is_one = all.iter().any(|&(own, _)| has_it(own));
        let terms = all.iter().filter(|&&(own, _)| !is_one || has_it(own));
        let ratios = terms.map(|&(own, here)| Some((here? + rounding_variance(&self.0)) / own));
        Some(variance * ratios.reduce(|most, ratio| Some(most?.max(ratio?)))??)
    }

    /// Whether values of this space may come from what engine ckks has, too: from no sums, and from no tables that give
    /// integers.
    fn may_be_elsewhere(&self, space: Space, variance: f64) -> bool {
        let sources: Vec<f64> = match space {
            Space::Modular(_) => self.result_variance(space.bits()).into_iter().collect(),
            Space::Integers(_) if space.limbs() > 1 => return true,
            Space::Integers(_) => {
                functions_to(space).into_iter().filter_map(|function| self.function_variance(function)).collect()
            }
        };
        let most = sources.into_iter().fold(self.0.fresh_variance(), f64::max);
        variance < 1.01 * (most + rounding_variance(&self.0))
    }

    /// The refusal of a function for its noise with what to do; others as they are.
    pub(crate) fn with_cure(&self, error: Error, function: &Function, spaces: &[Space], variance: f64) -> Error {
        let Error::Lut(refused @ LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. })) = error
        else {
            return error;
        };
        let bears = |set: &Self, spaces: &[Space], variance: f64| noise(&set.0, function, spaces, variance).is_ok();
        if let Function::TableBy(lut, _) = function
            && noise(&self.0, &Function::Table(lut.clone()), spaces, variance).is_ok()
        {
            return Error::Noise { refused, cure: NoiseCure { any_algorithm: true, ..NoiseCure::default() } };
        }
        let refreshed = spaces.iter().map(|&space| self.refreshed(space, variance)).collect::<Option<Vec<_>>>();
        let refreshed = refreshed.and_then(|all| all.into_iter().reduce(f64::max));
        let refresh = refreshed.is_some_and(|refreshed| refreshed < variance && bears(self, spaces, refreshed));
        let wider =
            self.wider(spaces).filter(|&(ref spaces, _, results)| results < variance && bears(self, spaces, results));
        let other = self.others(spaces[0]).find(|set| {
            set.variance_of(spaces[0], self, variance).is_some_and(|variance| bears(set, spaces, variance))
        });
        let out_bits = wider.map(|(_, bits, _)| bits);
        let other = other.map(|set| set.name().into());
        let width = narrower(spaces).find(|(_, spaces)| bears(self, spaces, variance)).map(|(width, _)| width);
        let stays = refresh || out_bits.is_some() || width.is_some();
        let may_move = !stays && self.may_be_elsewhere(spaces[0], variance);
        let other = other.or_else(|| elsewhere(function, spaces).filter(|_| may_move));
        let least = self.0.fresh_variance();
        let fresh = variance > 1.01 * least && bears(self, spaces, least);
        Error::Noise { refused, cure: NoiseCure { refresh, out_bits, width, fresh, other, ..NoiseCure::default() } }
    }

    /// Spaces with room for a bit more than these, how many output bits tables have that give them, and the variance of
    /// their results.
    fn wider(&self, spaces: &[Space]) -> Option<(Vec<Space>, u32, f64)> {
        let width = spaces[0].integers().filter(|_| spaces[0].limbs() == 1)?.width();
        let of_tables = |space: &Space| space.range().min >= 0 && space.range().width() <= width;
        if width < self.bits().min(MAX_BITS) || !spaces.iter().all(of_tables) {
            return None;
        }
        let lut = LargeLut::unstructured(width).ok()?;
        let lut = LargeLut::new(lut.values().to_vec(), width + 1).ok()?.with_budget(1);
        let (_, circuit) = lut.fit(&self.0, self.0.fresh_variance(), self.log2_p_fail()).ok()?;
        let spaces = spaces.iter().map(|space| Space::of_entries(width + 2, space.range())).collect();
        Some((spaces, width + 1, largest(&circuit, &self.0, self.0.fresh_variance())))
    }
}

impl Server {
    /// [`Params::with_cure`] for these inputs.
    pub(crate) fn with_cure(&self, error: Error, function: &Function, inputs: &[&Ciphertexts]) -> Error {
        let spaces: Vec<Space> = inputs.iter().map(|input| input.space()).collect();
        match self.params().with_cure(error, function, &spaces, input_variance(inputs).largest()) {
            Error::Noise { refused, cure } => {
                Error::Noise { refused, cure: NoiseCure { in_common: meet(inputs), ..cure } }
            }
            error => error,
        }
    }
}

/// Spaces with less room for the same integers, of `width` bits at most, the most room first.
fn narrower(spaces: &[Space]) -> impl Iterator<Item = (u32, Vec<Space>)> {
    let widths: Option<Vec<u32>> =
        spaces.iter().map(|space| Some(space.integers().filter(|_| space.limbs() == 1)?.width())).collect();
    let most = widths.into_iter().flatten().max().unwrap_or(0);
    (1..most).rev().map_while(move |width| {
        let less = |space: &Space| match space.bits() > width + 1 {
            true => Space::within(space.range(), width).ok(),
            false => Some(*space),
        };
        Some((width, spaces.iter().map(less).collect::<Option<_>>()?))
    })
}

/// Functions of integers in one ciphertext that give this space, with the space of their operands.
fn functions_to(space: Space) -> Vec<(IntegerOp, Space)> {
    let Some(width) = space.integers().filter(|_| space.limbs() == 1 && space.bits() > 1).map(Integers::width) else {
        return Vec::new();
    };
    let longer = (1..).map(IntegerOp::Floor).zip(width + 1..=2 * MAX_BITS);
    let same = [IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Max].map(|op| (op, width));
    same.into_iter().chain(longer).map(|(op, width)| (op, Space::signed(width))).collect()
}

/// As many times the variance of its terms a sum is taken to have, unless no term has as much.
const TERMS: f64 = 64.0;

/// Bits of the messages of the longest limb.
fn message_bits(space: Space) -> u32 {
    match space {
        Space::Modular(_) => space.bits(),
        Space::Integers(integers) => integers.limbs().bits().into_iter().max().unwrap_or(1),
    }
}

/// A default set of engine ckks for a function that no set of engine fhew has room for.
fn elsewhere(function: &Function, spaces: &[Space]) -> Option<Box<str>> {
    let target = FailureTarget::Two128;
    let set = match function {
        Function::Table(lut) => crate::Params::on(Engine::Ckks, lut.in_modulus(), target),
        Function::Integers(_) => crate::Params::integers_on(Engine::Ckks, spaces[0].integers()?.width(), target),
        _ => return None,
    };
    set.ok().map(|set| set.name().into())
}

/// A bound on the noise of a function's results, by whatever algorithm has least time.
fn noise(set: &FhewParams, function: &Function, spaces: &[Space], variance: f64) -> Result<f64, Error> {
    let one = |lut: &Lut, space| -> Result<f64, Error> {
        if needs_digits(set, lut, space) {
            let digits = OnDigits::new(set, lut, space, variance)?;
            return Ok(largest(&digits.circuit, set, variance));
        }
        let lut = on_space(lut, space)?;
        check_width(set, &lut)?;
        let mut best: Result<Option<Circuit>, LutError> = Ok(None);
        let keys = Params(set.clone()).integer_keys();
        for algorithm in registry::algorithms() {
            let circuit = fit(&*algorithm, set, &lut, variance, set.log2_p_fail());
            // Without keys that nobody asked for.
            if circuit.as_ref().is_ok_and(|circuit| !is_served(set, &circuit.keys(set), &keys)) {
                continue;
            }
            match (circuit, &best) {
                (Ok(circuit), Ok(Some(fastest))) if fastest.cost_ns(set) <= circuit.cost_ns(set) => {}
                (Ok(circuit), _) => best = Ok(Some(circuit)),
                (Err(error), Ok(None)) => best = Err(error),
                (Err(_), _) => {}
            }
        }
        let circuit = best?.ok_or_else(|| Error::not_with("algorithms without additional keys", Engine::Fhew, &[]))?;
        Ok(largest(&circuit, set, variance))
    };
    let promised = set.log2_p_fail();
    match function {
        Function::Table(lut) | Function::TableBy(lut, _) => one(lut, spaces[0]),
        Function::Tables(luts) => luts.iter().try_fold(0.0, |most, lut| Ok(one(lut, spaces[0])?.max(most))),
        Function::Integers(op) if spaces.iter().any(|space| space.limbs() > 2) => {
            let program = Function::Program(Program::of_function(*op).into());
            noise(set, &program, spaces, variance)
        }
        Function::Integers(op) => {
            let (limbs, _) = Space::of_function(*op, spaces, Engine::Fhew)?;
            Ok(largest(&op.fit(set, limbs, variance, promised)?, set, variance))
        }
        Function::Continuous(function) => {
            let circuit = continuous_circuit(set, function, spaces[0], variance)?;
            Ok(largest(&circuit, set, variance))
        }
        Function::Multivariate(table) => {
            let set = Params(set.clone());
            let (_, circuit) = super::plan::multivariate::circuit(&set, table, spaces, &variance.into())?;
            Ok(largest(&circuit, &set, variance))
        }
        Function::Program(program) => {
            let set = Params(set.clone());
            let inputs = (&variance.into(), InCommon::Counted);
            let compiled = super::plan::program::circuit(&set, program, spaces, inputs)?;
            Ok(largest(&compiled.circuit, &set, variance))
        }
        other => Err(Error::not_with(&other.name(), Engine::Fhew, other.engines())),
    }
}

/// Whether what a circuit needs is among `own` keys: those of packing by automorphisms serve all lengths of blocks.
pub(super) fn is_served(set: &FhewParams, needs: &KeyNeeds, own: &KeyNeeds) -> bool {
    let all_blocks = set.packing_method() == PackingMethod::Trace && !own.packing.is_empty();
    let packing = needs.packing.iter().filter(|_| !all_blocks).cloned().collect();
    KeyNeeds { packing, ..needs.clone() }.and(own.clone()) == own.clone().normalised()
}

/// The bound on the noise of a circuit's noisiest output.
fn largest(circuit: &Circuit, set: &FhewParams, variance: f64) -> f64 {
    circuit.noise(set, variance).bound_variances.into_iter().fold(0.0, f64::max)
}

/// The variance of an operand's noise, by its space and its own variance.
pub(super) type Variances<'a> = &'a dyn Fn(Space, f64) -> f64;

/// A linear operation, as its noise sees it.
pub(super) struct Growth<'a> {
    /// The variance of its result.
    total: Box<dyn Fn(Variances<'_>) -> f64 + 'a>,
    /// The message space of the operands, or of the first.
    space: Space,
    /// The largest variance of an operand.
    operand: f64,
    /// Whether weights are others than 0, 1 and −1.
    has_weights: bool,
    /// Whether operands have an encryption in common, and standard deviations add up.
    in_common: bool,
}

impl<'a> Growth<'a> {
    /// An operation that changes no noise.
    pub(super) fn none(space: Space, operand: f64) -> Self {
        let total = Box::new(move |of: Variances<'_>| of(space, operand));
        Self { total, space, operand, has_weights: false, in_common: false }
    }

    /// An operation with these weights, whose result has the variance `total`, on an operand of this space and the
    /// largest variance.
    pub(super) fn of(total: impl Fn(Variances<'_>) -> f64 + 'a, weights: &[i64], operand: (Space, f64)) -> Self {
        let has_weights = weights.iter().any(|weight| weight.unsigned_abs() > 1);
        Self { total: Box::new(total), has_weights, ..Self::none(operand.0, operand.1) }
    }

    /// The same, of operands that have an encryption `in_common`, or not.
    pub(super) fn sharing(self, in_common: bool) -> Self {
        Self { in_common, ..self }
    }

    /// The variance of the result where operands have this one in place of their own, asked for once of each kind.
    fn with(&self, variance: impl Fn(Space, f64) -> Option<f64>) -> f64 {
        let known = RefCell::new(Vec::new());
        (self.total)(&|space, own| {
            let found = known.borrow().iter().find(|(of, _)| *of == (space, own)).map(|&(_, variance)| variance);
            found.unwrap_or_else(|| {
                let variance = variance(space, own).unwrap_or(f64::INFINITY);
                known.borrow_mut().push(((space, own), variance));
                variance
            })
        })
    }

    /// The variance of the result.
    pub(super) fn variance(&self) -> f64 {
        (self.total)(&|_, own| own)
    }

    /// The same where all operands have 1.
    fn factor(&self) -> f64 {
        (self.total)(&|_, _| 1.0)
    }
}

/// The refusal of an operation whose results would be wrong with probability 2^`found`: what to do is what would do.
pub(super) fn refusal(params: &FhewParams, space: Space, growth: &Growth<'_>, found: f64) -> Error {
    let promised = params.log2_p_fail();
    let set = Params(params.clone());
    let is_kept = |space: Space, variance: f64| log2_failure(space.half_step(), variance.sqrt()) <= promised;
    let keeps = |variance: f64| is_kept(space, variance);
    let refresh = keeps(growth.with(|space, own| Some(set.refreshed(space, own).unwrap_or(own).min(own))));
    let wider = set.wider(&[growth.space]).filter(|(spaces, _, results)| {
        *results < growth.operand && spaces.iter().all(|&space| is_kept(space, results * growth.factor()))
    });
    let out_bits = set.narrower(space, growth).or(wider.filter(|_| !refresh).map(|(_, bits, _)| bits));
    // Those that they have already are none to take.
    let out_bits = out_bits.filter(|&bits| bits != growth.space.bits());
    let bears = |other: &Params| keeps(growth.with(|space, own| other.variance_of(space, &set, own)));
    let other = set.others(space).find(bears).filter(|_| !refresh);
    let other = other.map(|other| other.name().into());
    let apart = keeps(growth.with(|space, own| Some(set.alone(space).unwrap_or(own).min(own))));
    let cure = NoiseCure {
        refresh,
        apart,
        out_bits,
        smaller_weights: growth.has_weights,
        other,
        in_common: growth.in_common,
        ..NoiseCure::default()
    };
    Error::NoiseBudget { params: params.name().into(), found, promised, cure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_that_are_named_bear_the_results_of_functions() -> Result<(), Error> {
        let results = |set: &FhewParams, op: IntegerOp, width: u32| {
            noise(set, &Function::Integers(op), &[Space::signed(width)], set.fresh_variance())
        };
        for (set, op, width, weight, expected) in [
            ("fhew_int16_2m128", IntegerOp::Floor(2), 8, 88, None),
            ("fhew_int16_2m128", IntegerOp::Floor(2), 8, 125, None),
            ("fhew_table16_2m128", IntegerOp::Floor(2), 8, 88, None),
            ("fhew_int16_2m128", IntegerOp::Relu, 16, 20, Some("fhew_table16_2m128")),
            ("fhew_int16_2m128", IntegerOp::Relu, 16, 60, Some("fhew_table16_2m128")),
        ] {
            let own = FhewParams::by_name(set)?;
            let (_, space) = Space::of_function(op, &[Space::signed(width)], Engine::Fhew)?;
            let factor = f64::from(weight * weight);
            let failure = |variance: f64| log2_failure(space.half_step(), (factor * variance).sqrt());
            let operand = results(&own, op, width)?;
            let found = failure(operand);
            assert!(found > own.log2_p_fail(), "{set}, {op}: {found}");
            let total = |of: Variances<'_>| factor * of(space, operand);
            let growth = Growth::of(total, &[weight.into()], (space, operand));
            let refused = refusal(&own, space, &growth, found);
            let Error::NoiseBudget { cure: NoiseCure { other, .. }, .. } = &refused else { panic!("{refused:?}") };
            assert_eq!(other.as_deref(), expected, "{set}, {op} times {weight}: {refused:?}");
            if let Some(other) = other {
                let other = FhewParams::by_name(other)?;
                assert!(failure(results(&other, op, width)?) <= other.log2_p_fail(), "{set}, {op}");
            }
        }
        Ok(())
    }

    /// Less room, and fresh operands, are named where a set bears the function with them.
    #[test]
    fn less_room_is_named_where_it_helps() -> Result<(), Error> {
        let cure_of = |set: &Params, function: &Function, space: Space, variance: f64| {
            let refused = noise(&set.0, function, &[space], variance).unwrap_err();
            let refused = set.with_cure(refused, function, &[space], variance);
            let Error::Noise { cure, .. } = &refused else { panic!("{refused}") };
            (cure.clone(), refused.to_string())
        };
        let set = Params::named("fhew_int16_2m128")?;
        let (fresh, range) = (set.0.fresh_variance(), Interval::unsigned(6));
        for (text, width) in [("x/3", 15), ("x%7", 14)] {
            let program = Function::Program(Program::parse(text, &[]).expect("a program").into());
            let space = Space::within(range, width)?;
            let bears = |variance: f64| noise(&set.0, &program, &[space], variance).is_ok();
            let variances = (0..).map(|k| fresh * f64::exp2(k.into()));
            let variance = variances.into_iter().find(|&variance| !bears(variance)).expect("too much");
            let (cure, words) = cure_of(&set, &program, space, variance);
            let narrower = cure.width.expect("less room helps");
            assert!(words.contains(&format!("less room: a width of {narrower} bits")), "{words}");
            noise(&set.0, &program, &[Space::within(range, narrower)?], variance)?;
        }
        let set = Params::named("toy_int16")?;
        let (relu, space, fresh) = (Function::Integers(IntegerOp::Relu), Space::signed(8), set.0.fresh_variance());
        let bears = |variance: f64| noise(&set.0, &relu, &[space], variance).is_ok();
        let variance = (0..).map(|k| fresh * f64::exp2(k.into())).find(|&variance| !bears(variance)).expect("too much");
        let (cure, words) = cure_of(&set, &relu, space, variance);
        assert!(cure.fresh && words.contains("sums of fewer, or as they were"), "{words}");
        Ok(())
    }
}
