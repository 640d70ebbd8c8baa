//! Vectors of values in ciphertexts of N each.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding, RlweError};
use bootes_lut::ckks::{TableParams as Params, Tables};
use bootes_lut::planning;
use bootes_schemes::ckks::noise::ErrorBound;

use super::params::space_bits;
use super::{check_key, maps};
use crate::door::space::BitLimit;
use crate::engines::blocks::copied;
use crate::engines::{Ckks, EngineCiphertexts, Stored};
use crate::origin::{Origin, identify};
use crate::{Engine, Error, Interval, Lut, NoiseCure, Space};

mod file;
mod rows;

pub(crate) use file::{CiphertextReader, CiphertextWriter};

/// Encrypted integers under one key, N in each RLWE ciphertext but the last, which may have fewer: residues modulo p,
/// or integers of a range, whose limbs stand side by side.
///
/// The bound on their error is public and travels along, also in files: linear operations raise it, and are refused
/// when decryption would fail more often than the parameters promise, as an evaluation is. As those of
/// [`Ciphertexts`](crate::Ciphertexts) they know which encryptions and evaluations they come from, and where two
/// operands share one, the standard deviations of their errors add. Tables of the same inputs share the map to the
/// circle: their results share an origin, the inputs' content.
#[derive(Clone, Debug)]
pub(crate) struct Ciphertexts {
    params: Params,
    key_id: [u8; 16],
    space: Space,
    /// Values.
    len: usize,
    /// At least one for each limb, those of the first N values first; all of one ciphertext modulus. The head of
    /// a stream has no more than these.
    parts: Vec<RlweCiphertext>,
    /// In turns.
    error: ErrorBound,
    origin: Origin,
}

/// Bits of the largest messages that ciphertexts of a set hold.
pub(super) fn most_bits(params: &Params) -> u32 {
    params.literal().most_bits()
}

impl Ciphertexts {
    /// Fresh encryptions.
    pub(super) fn fresh(params: &Params, key_id: [u8; 16], space: Space, parts: Vec<RlweCiphertext>) -> Self {
        let error = params.fresh_error(parts[0].encoding().log2_modulus());
        let (origin, len) = (content(&parts), values(&parts, space));
        Self { params: params.clone(), key_id, space, len, parts, error, origin }
    }

    /// Encryptions by the public key.
    pub(super) fn public(params: &Params, key_id: [u8; 16], space: Space, parts: Vec<RlweCiphertext>) -> Self {
        let error = params.public_error(parts[0].encoding().log2_modulus());
        Self { error, ..Self::fresh(params, key_id, space, parts) }
    }

    /// Residues that an evaluation of these ciphertexts gives.
    pub(super) fn results(&self, parts: Vec<RlweCiphertext>, error: ErrorBound) -> Self {
        let space = Space::Modular(parts[0].encoding().plaintext_modulus());
        Self::results_of(&[self], space, parts, error)
    }

    /// Results of an evaluation of all these vectors, or of the first ones.
    pub(super) fn results_of(operands: &[&Self], space: Space, parts: Vec<RlweCiphertext>, error: ErrorBound) -> Self {
        let first = operands[0];
        let origins: Vec<_> = operands.iter().map(|x| x.origin.and(&content(&x.parts))).collect();
        let (origin, meet) = Origin::of_all(&origins);
        let origin = if meet { origin.and(&Origin::trivial()) } else { origin };
        let (params, key_id) = (first.params.clone(), first.key_id);
        let error = params.at_least(error, parts[0].encoding().log2_modulus());
        Self { params, key_id, space, len: first.len, parts, error, origin }
    }

    /// Values of another engine's ciphertexts, of this origin: residues or integers in one limb; all of so many, or a
    /// piece.
    pub(crate) fn converted(
        (params, key_id): (&Params, [u8; 16]),
        space: Space,
        (len, parts): (usize, Vec<RlweCiphertext>),
        error: ErrorBound,
        origin: &Origin,
    ) -> Self {
        let (params, origin) = (params.clone(), Origin::of(origin.lineage.clone()));
        Self { params, key_id, space, len, parts, error, origin }
    }

    /// The same ciphertexts, in memory of their own.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    fn copied(&self) -> Result<Self, Error> {
        Ok(self.with_parts(copied(&self.parts)?))
    }

    /// Others of the same vector.
    fn with_parts(&self, parts: Vec<RlweCiphertext>) -> Self {
        let Self { params, origin, .. } = self;
        Self { params: params.clone(), parts, origin: origin.clone(), ..*self }
    }

    /// The bound on the error of each value, in turns: 1/(2p) is where decryption fails.
    pub(crate) fn error(&self) -> ErrorBound {
        self.error
    }

    /// log2 of the probability that a value decrypts wrongly, at most, for every key.
    pub(crate) fn log2_failure(&self) -> f64 {
        log2_failure(&self.params, self.error, self.space)
    }

    fn combine(
        &self,
        other: &Self,
        name: &'static str,
        range: Option<Interval>,
        operation: impl Fn(&mut RlweCiphertext, &RlweCiphertext) -> Result<(), RlweError>,
    ) -> Result<Self, Error> {
        self.check_alike(other, name)?;
        let space = self.space.linear(name, range, self.room())?;
        let error = match self.origin.meets(&other.origin) {
            true => self.error.plus_dependent(other.error, self.params.ckks().max_slot_value()),
            false => self.error.plus(other.error),
        };
        let mut sum = Self { space, error, origin: self.origin.and(&other.origin), ..self.copied()? };
        sum.keeps_promise_of(&[self, other], 1)?;
        for (x, y) in sum.parts.iter_mut().zip(&other.parts) {
            planning::wanted()?;
            operation(x, y)?;
        }
        Ok(sum)
    }

    /// self + constants of a range, by the number of their value.
    fn plus(&self, constants: Interval, of: impl Fn(usize) -> i64) -> Result<Self, Error> {
        let space = self.space.linear("sum with constants", self.range().plus(constants), self.room())?;
        // A rounding of up to half a unit, which may be the same in all values.
        let half_unit = 0.5 * f64::exp2(-f64::from(self.log2_modulus()));
        let error = ErrorBound { bias: self.error.bias + half_unit, ..self.error };
        let mut sum = Self { space, error, ..self.copied()? };
        sum.keeps_promise_of(&[self], 1)?;
        let modulus = i128::from(self.modulus());
        let residue = |i: usize| i128::from(of(i)).rem_euclid(modulus) as u64;
        let starts = (0..).step_by(self.params.capacity());
        for (start, part) in starts.zip(&mut sum.parts) {
            planning::wanted()?;
            part.add_constants((start..).map(residue));
        }
        Ok(sum)
    }

    fn check_promise(&self) -> Result<(), Error> {
        let (found, promised) = (self.log2_failure(), self.params.log2_p_fail());
        if found <= promised {
            return Ok(());
        }
        Err(Error::NoiseBudget { params: self.params.name().into(), found, promised, cure: NoiseCure::default() })
    }

    /// The same of a result of these operands, of one of which it may be a multiple; a refusal says what would do.
    fn keeps_promise_of(&self, operands: &[&Self], factor: i64) -> Result<(), Error> {
        self.check_promise().map_err(|error| match error {
            Error::NoiseBudget { params, found, promised, .. } => {
                let of = |error| budget(&self.params, error, self.space, -64.0);
                let least = operands.iter().map(|operand| of(operand.error)).fold(f64::INFINITY, f64::min);
                let needed = least - of(self.error);
                // What the operands have at best: a table helps those alone that it leaves with less noise.
                let refreshed = operands.iter().try_fold(f64::INFINITY, |all, operand| {
                    Ok::<_, Error>(of(operand.refreshed()?).max(of(operand.error)).min(all))
                });
                let refresh = refreshed.is_ok_and(|refreshed| refreshed > least.max(needed));
                let smaller_weights = factor.unsigned_abs() > 1;
                let (_, in_common) = Origin::of_all(operands.iter().map(|operand| &operand.origin));
                let cure = NoiseCure { refresh, smaller_weights, in_common, ..NoiseCure::default() };
                Error::NoiseBudget { params, found, promised, cure }
            }
            error => error,
        })
    }

    /// The error of a table's results on these: with sets without endless chains that may be more than theirs.
    fn refreshed(&self) -> Result<ErrorBound, Error> {
        let params = &self.params;
        let transforms = maps(params)?;
        let tables = Tables::new(params, &transforms, &[Lut::unstructured_modulo(self.modulus())])?;
        Ok(tables.promised(params, &transforms, self.log2_modulus(), self.error)?[0].result)
    }

    /// The same modulo as small a power of two as the promise allows, whose rounding adds its error; as they are if
    /// that is no smaller.
    pub(super) fn compressed(&self) -> Result<Self, Error> {
        let from = self.log2_modulus();
        // Words that are multiples of 2^k, as those of 2^k·x are.
        let zeros = |words: &[u64]| words.iter().fold(0, |all, &word| all | word).trailing_zeros().min(from);
        let coarse: Vec<[u32; 2]> = self.parts.iter().map(|part| [zeros(&part.mask()), zeros(part.body())]).collect();
        let error = |to: u32| {
            // Multiples of 2^-d are rounded: `bootes_lattice::port::mod_switch_variance`.
            let multiples = |&[masks, _]: &[u32; 2]| match (from - masks).saturating_sub(to) {
                0 => 0.0,
                d => 1.0 + 2.0 * (-2.0 * f64::from(d)).exp2(),
            };
            let multiples = coarse.iter().map(multiples).fold(0.0, f64::max);
            let rounded = self.error.plus(self.params.rounding_error(to).times(multiples.sqrt()));
            // Bodies of 2^k·x + c are all as far from a multiple as c is: half of the finer unit at most.
            let bias = |&[masks, bodies]: &[u32; 2]| match bodies < masks && to < from - bodies {
                true => 0.5 * (-f64::from(to.max(from - masks))).exp2(),
                false => 0.0,
            };
            let bias = coarse.iter().map(bias).fold(rounded.bias, |most, bias| most.max(rounded.bias + bias));
            self.params.at_least(ErrorBound { bias, ..rounded }, to)
        };
        let largest = self.space.moduli().into_iter().max().unwrap_or(2);
        let keeps = |to: &u32| {
            RlweEncoding::new(largest, *to).is_ok()
                && log2_failure(&self.params, error(*to), self.space) <= self.params.log2_p_fail()
        };
        let Some(to) = (2..from).find(keeps) else { return Ok(self.clone()) };
        let parts = self.parts.iter().map(|part| part.mod_switch(to)).collect::<Result<Vec<_>, _>>()?;
        let smaller = Self { error: error(to), ..self.with_parts(parts) };
        Ok(if smaller.stored_bytes() < self.stored_bytes() { smaller } else { self.clone() })
    }

    /// Bits that integers in one ciphertext have room for.
    fn room(&self) -> BitLimit {
        BitLimit { most: space_bits(&self.params), engine: Engine::Ckks }
    }

    pub(crate) fn log2_modulus(&self) -> u32 {
        self.parts[0].encoding().log2_modulus()
    }

    fn range(&self) -> Interval {
        self.space.range()
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Ciphertexts of each limb.
    pub(super) fn blocks(&self) -> usize {
        self.len.div_ceil(self.params.capacity())
    }

    pub(crate) fn parts(&self) -> &[RlweCiphertext] {
        &self.parts
    }

    /// Set and key.
    pub(crate) fn owner(&self) -> (&Params, [u8; 16]) {
        (&self.params, self.key_id)
    }

    /// p, of residues or of the low limb.
    pub(crate) fn modulus(&self) -> u64 {
        self.parts[0].encoding().plaintext_modulus()
    }
}

impl EngineCiphertexts<Ckks> for Ciphertexts {
    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn len(&self) -> usize {
        self.len
    }

    fn ciphertexts(&self) -> usize {
        self.blocks() * self.space.limbs()
    }

    fn space(&self) -> Space {
        self.space
    }

    fn compressed_alone(&self) -> Result<Self, Error> {
        self.compressed()
    }

    fn noise_budget(&self) -> f64 {
        budget(&self.params, self.error, self.space, 0.0)
    }

    fn noise_variance(&self) -> f64 {
        self.error.noise.at(self.params.ckks().max_slot_value())
    }

    fn add(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "sum", self.range().plus(other.range()), RlweCiphertext::add_assign)
    }

    fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "difference", self.range().minus(other.range()), RlweCiphertext::sub_assign)
    }

    fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        let factor = self.space.reduced(factor);
        if factor != 0 {
            return Self::combination(&[self], &[factor], "multiple");
        }
        let space = self.space.linear("multiple", self.range().times(0), self.room())?;
        let mut product = Self { space, error: self.params.least_error(self.log2_modulus()), ..self.copied()? };
        product.keeps_promise_of(&[self], 0)?;
        product.parts.iter_mut().for_each(|part| part.mul_assign(0));
        Ok(product)
    }

    fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        let constants = Interval { min: constant.into(), max: constant.into() };
        self.plus(constants, |_| constant)
    }

    fn add_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        if constants.len() != self.len {
            return Err(Error::Lengths { what: "sum with constants".into(), left: self.len, right: constants.len() });
        }
        self.plus(Interval::of(constants.iter().copied()).ok_or(Error::NoValues)?, |i| constants[i])
    }

    fn as_residues(&self) -> Result<Self, Error> {
        Ok(Self { space: self.space.as_residues()?, ..self.copied()? })
    }

    fn as_integers(&self, range: Interval) -> Result<Self, Error> {
        Ok(Self { space: self.space.as_integers(range)?, ..self.copied()? })
    }
}

/// Whether operands come from one encryption or evaluation, or are alike in having no mask: of these the noise of
/// tables is the same. So may be the limbs of one, of x + 2^w·x for one, unless they are fresh.
pub(super) fn are_related(operands: &[&Ciphertexts]) -> bool {
    let has_mask = |part: &RlweCiphertext| part.mask().iter().any(|&word| word != 0);
    let without = operands.iter().filter(|x| !x.parts.iter().any(has_mask)).count();
    let has_like_limbs = operands.iter().any(|x| x.space.limbs() > 1 && !x.parts[0].is_seeded());
    has_like_limbs || without > 1 || Origin::of_all(operands.iter().map(|x| x.origin())).1
}

/// The origin of ciphertexts, which is also what they share with others: their masks.
fn content(parts: &[RlweCiphertext]) -> Origin {
    Origin::of(parts.iter().map(identity).collect())
}

fn identity(part: &RlweCiphertext) -> u64 {
    identify(part.mask().iter().copied())
}

/// How many values they hold.
fn values(parts: &[RlweCiphertext], space: Space) -> usize {
    parts.iter().step_by(space.limbs()).map(RlweCiphertext::count).sum()
}

/// log2 of the probability that a value with this error decrypts wrongly.
pub(crate) fn log2_failure(params: &Params, error: ErrorBound, space: Space) -> f64 {
    error.log2_failure(space.half_step(), params.ckks().max_slot_value()) + (space.limbs() as f64).log2()
}

/// log2 of the factor by which an error may grow within the promise, `least` or more, to a thousandth.
pub(super) fn budget(params: &Params, error: ErrorBound, space: Space, least: f64) -> f64 {
    let keeps = |log2: f64| log2_failure(params, error.times(log2.exp2()), space) <= params.log2_p_fail();
    let (mut low, mut high) = (least, 64.0);
    while high - low > 1e-3 {
        let middle = 0.5 * (low + high);
        if keeps(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use bootes_testkit::stats::{Moments, mean_interval, variance_interval};

    use super::*;
    use crate::ckks::Client;
    use crate::engines::{ClientKey, Encryptor, EngineClient, EngineParams};

    /// 2^k·x has masks that are multiples of 2^k: their rests, 0 and ½ of the unit they are rounded to, have half as
    /// much again of the variance of others.
    #[test]
    fn compressed_multiples_have_the_noise_that_is_said() -> Result<(), Error> {
        let params = Params::by_name("toy_batch_6bit")?;
        let client = Client::from_seed(&params, &[7; 32]);
        let values = vec![0; params.capacity()];
        let fresh = || client.encrypt_modulo(&[0; 1 << 10][..params.capacity().min(1 << 10)], 33);
        let (mut x, mut found) = (fresh()?.add(&fresh()?)?, Vec::new());
        let values = &values[..x.len()];
        for _ in 0..24 {
            let y = x.compressed()?;
            let [before, after] = [client.measure_noise(&x, values)?, client.measure_noise(&y, values)?];
            let added: Vec<f64> = before.iter().zip(after).map(|(x, y)| y - x).collect();
            let (predicted, moments) = (y.noise_variance() - x.noise_variance(), Moments::of(&added));
            // Rests times one key are not independent of each other: their squares' mean has twice the variance.
            let (low, _) = variance_interval(moments.variance, added.len() / 2, 0.999_999);
            assert!(low <= predicted * (1.0 + 1e-9), "{low:e} of {predicted:e}");
            found.push(moments.variance / predicted);
            match x.add(&x) {
                Ok(doubled) => x = doubled,
                Err(_) => break,
            }
        }
        assert!(found.len() > 12, "{found:?}");
        Ok(())
    }

    /// Bodies of 2^k·x + c are all rounded as c is: their mean is no more than the bias that is said.
    #[test]
    fn compressed_multiples_with_constants_have_the_bias_that_is_said() -> Result<(), Error> {
        let params = Params::by_name("toy_batch_6bit")?;
        let client = Client::from_seed(&params, &[7; 32]);
        let mut x = client.encrypt_modulo(&vec![0; params.capacity()], 38)?;
        let mut shifts = 0;
        for _ in 0..24 {
            let y = x.plus(Interval { min: 7, max: 7 }, |_| 7)?;
            let z = y.compressed()?;
            let values = vec![7; y.len()];
            let [before, after] = [client.measure_noise(&y, &values)?, client.measure_noise(&z, &values)?];
            let added: Vec<f64> = before.iter().zip(after).map(|(y, z)| z - y).collect();
            let (low, high) = mean_interval(&Moments::of(&added), 0.999_999);
            let bias = z.error.bias - y.error.bias;
            assert!(low <= bias && -bias <= high, "{low:e} to {high:e} of {bias:e}");
            shifts += usize::from(low > 0.0 || high < 0.0);
            match x.add(&x) {
                Ok(doubled) => x = doubled,
                Err(_) => break,
            }
        }
        assert!(shifts > 0, "constants are rounded");
        Ok(())
    }

    /// As few bits as keep the promise, and the noise that is said: of sums, whose masks are words, and of integers.
    #[test]
    fn compressed_ciphertexts_keep_the_promise() -> Result<(), Error> {
        for (name, values) in [("toy_batch_4bit", 0..16), ("toy_batch_6bit", 0..64), ("toy_batch_integers", -16..16)] {
            let params = Params::by_name(name)?;
            let client = Client::from_seed(&params, &[6; 32]);
            let n = 2 * params.capacity() - 7;
            let values: Vec<i128> = values.cycle().take(n).collect();
            let encrypt = |values: &[i128]| match params.literal().integer_bits {
                0 => client.encrypt(values),
                _ => client.encrypt_within(values, Interval { min: -16, max: 15 }, 6),
            };
            let x = encrypt(&values)?.add(&encrypt(&vec![0; n])?)?;
            let y = x.compressed()?;
            assert!(2 * y.stored_bytes() < x.stored_bytes(), "{name}: {} {}", x.stored_bytes(), y.stored_bytes());
            assert_eq!(
                (client.decrypt_integers(&y)?, y.compressed()?.stored_bytes()),
                (values.clone(), y.stored_bytes())
            );
            assert!(y.log2_failure() <= params.log2_p_fail() && y.noise_budget() < 1.1, "{name}: {}", y.noise_budget());
            let [before, after] = [client.measure_noise(&x, &values)?, client.measure_noise(&y, &values)?];
            let added: Vec<f64> = before.iter().zip(after).map(|(x, y)| y - x).collect();
            let (predicted, moments) = (y.noise_variance() - x.noise_variance(), Moments::of(&added));
            let (low, high) = variance_interval(moments.variance, added.len(), 0.999_999);
            let found = moments.variance;
            assert!((low..=high).contains(&predicted), "{name}: {found:e} of {predicted:e}");
            let (low, high) = mean_interval(&moments, 0.999_999);
            assert!(low <= 0.0 && 0.0 <= high, "{name}: mean {:e}", moments.mean);
        }
        Ok(())
    }
}
