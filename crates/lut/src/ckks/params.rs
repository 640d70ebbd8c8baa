//! Parameter sets of functional bootstrapping with CKKS: data (`data/ckks.toml`), checked once.
use std::sync::{Arc, LazyLock};

use bootes_lattice::port::RlweEncoding;
use bootes_lattice::wire;
use bootes_schemes::ckks::bootstrap::{TransformOptions, Transforms};
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::ckks::params::NOISE_STD;
use bootes_schemes::ckks::{CkksLiteral, CkksParams, Exponential, KeyRequest};
use bootes_schemes::class::SetClass;
use serde::{Deserialize, Serialize};

use super::Interpolation;
use super::clean::MODULUS_DEPTH as CLEAN_DEPTH;
use super::tables::digits::Shape;
use crate::integer::{IntegerLimbs, MAX_LIMB};
use crate::{CkksLutError, LutError, planning};

/// A parameter set as written in a file: not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableLiteral {
    /// Unique name.
    pub name: String,
    /// The class of the set: how far it is to be trusted.
    #[serde(default)]
    pub class: SetClass,
    /// The largest tables have 2^bits entries.
    pub bits: u32,
    /// Moduli of the digits of the largest tables, the lowest first ([`large`](super::tables::digits)); none if all
    /// tables are evaluated whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digits: Vec<u64>,
    /// Digits, from the lowest on, that are interpolated with `order`; the others have order 1, since the errors of
    /// inputs are p times as far from the steps of the next digit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flat_digits: usize,
    /// Vanishing derivatives of the interpolation: 1, 2 or 3.
    pub order: u32,
    /// log2 of the ring degree N: so many values a ciphertext.
    pub log2_degree: u32,
    /// Bits of q_0.
    pub base_bits: u32,
    /// log2 of the scale.
    pub scale_bits: u32,
    /// Primes of a key-switching digit.
    pub digit_primes: usize,
    /// Special primes.
    pub special_primes: usize,
    /// Nonzero coefficients of the secret key.
    pub weight: u32,
    /// Nonzero coefficients of the sparse key of encapsulation.
    pub sparse_weight: u32,
    /// log2 of the promised probability that an evaluation of a value is wrong, for each key.
    pub log2_p_fail: f64,
    /// log2 of the error of exp(2πix).
    pub exponential_log2_error: f64,
    /// Whether z is drawn back to the circle before tables ([`clean::modulus_of`](super::clean::modulus_of)): two
    /// levels against noise that tables multiply by p², so for large ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clean_circle: bool,
    /// Stages of CoeffsToSlots.
    pub to_slots: usize,
    /// Stages of SlotsToCoeffs.
    pub to_coeffs: usize,
    /// Levels left to results in slots, for further computation.
    pub spare_levels: usize,
    /// log2 of the modulus of the ciphertexts that go in and come out.
    pub log2_modulus: u32,
    /// log2 of the factor of results in slots, which SlotsToCoeffs takes away: the coefficients of tables of
    /// several digits are integers of so many bits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub log2_slot_factor: u32,
    /// Whether a level of its own takes the factor away, before SlotsToCoeffs: maps that do it as well have fewer bits
    /// for their numbers, whose rounding is an error that is the same in all results of the same messages.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub factor_level: bool,
    /// Bits of the longest integers in one ciphertext for functions of integers ([`integers`](super::integers)); none if
    /// the set is not made for them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub integer_bits: u32,
}

fn is_zero<T: Default + PartialEq>(x: &T) -> bool {
    *x == T::default()
}

/// A checked set: levels of each stage, and the scheme's parameters with as many as they need.
#[derive(Clone, Debug)]
pub struct TableParams(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    literal: TableLiteral,
    ckks: CkksParams,
    exponential: Exponential,
}

impl TableLiteral {
    /// Bits of the largest messages that ciphertexts hold: as far apart as the set's own in the largest modulus.
    #[must_use]
    pub fn most_bits(&self) -> u32 {
        let as_far_apart = self.bits + RlweEncoding::MAX_LOG2_MODULUS - self.log2_modulus;
        // Those of functions of integers have their own promise.
        as_far_apart.max(self.integer_bits + 1)
    }

    /// Bits of the low limb of integers of two: two digits, with the bit of its sign.
    fn low_limb(&self) -> u32 {
        (2 * self.bits).saturating_sub(2)
    }

    /// Bits of the longest integers, of two limbs; 0 if the set is not made for them.
    pub(super) fn most_in_limbs(&self) -> u32 {
        let most = self.integer_bits;
        if most == 0 { 0 } else { (self.low_limb() + most.min(self.low_limb())).min(MAX_LIMB) }
    }

    /// The largest digit of tables that are not evaluated whole, if there are levels for it: numbers of entries with
    /// larger factors than those of powers of two are to have digits too.
    #[must_use]
    pub fn largest_digit(&self) -> u64 {
        2 * self.whole()
    }

    /// The most entries of a table that is evaluated whole.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.digits.iter().copied().max().unwrap_or(1 << self.bits)
    }

    /// Levels from the circle to SlotsToCoeffs, but for those that are left over.
    fn table_levels(&self) -> usize {
        let shapes = [1, 2].into_iter().filter_map(|factors| Shape::new(self, &self.digits, factors));
        let digits = shapes.map(|shape| shape.depth()).min().unwrap_or(0);
        table_depth(self.whole() as usize, self.order).max(digits)
    }

    /// Bytes that making a server key takes at least, known before the set is made: three keys, to raise the modulus,
    /// for products and for conjugates, and nine words for each coefficient of the chain, plans of transforms and what
    /// a key that is being made takes. Levels of the exponential and special primes are left out.
    #[must_use]
    pub fn least_key_bytes(&self) -> u64 {
        let levels = self.to_slots + self.table_levels() + self.spare_levels + self.to_coeffs;
        let bits = u64::from(self.base_bits) + levels as u64 * u64::from(self.scale_bits);
        let digits = (levels + 1).div_ceil(self.digit_primes.max(1)) as u64;
        3 * digits * ((bits << self.log2_degree) / 8) + ((72 * (levels as u64 + 1)) << self.log2_degree)
    }

    /// The levels of a chain from CoeffsToSlots to SlotsToCoeffs for the largest tables.
    fn levels(&self, exponential: &Exponential) -> usize {
        let circle = exponential.depth() + if self.clean_circle { CLEAN_DEPTH } else { 0 };
        self.to_slots
            + circle
            + self.table_levels()
            + self.spare_levels
            + usize::from(self.factor_level)
            + self.to_coeffs
    }

    /// Checks the literal.
    ///
    /// # Errors
    /// [`CkksLutError::Parameter`]; what the scheme refuses.
    pub fn try_build(self) -> Result<TableParams, LutError> {
        let check = |what, found: u64, min: u64, max: u64| {
            let error = LutError::Ckks(CkksLutError::Parameter { what, found, min, max });
            if (min..=max).contains(&found) { Ok(()) } else { Err(error) }
        };
        check("bits of the largest table", self.bits.into(), 1, if self.digits.is_empty() { 14 } else { 20 })?;
        if !self.digits.is_empty() {
            let product = self.digits.iter().try_fold(1u64, |product, &p| product.checked_mul(p)).unwrap_or(0);
            check("entries of the largest table, the product of its digits", product, 1 << self.bits, 1 << self.bits)?;
            let shapes = [1, 2].into_iter().filter_map(|factors| Shape::new(&self, &self.digits, factors)).count();
            check("ways to place the digits", shapes as u64, 1, 2)?;
            check("log2 of the factor of slots", self.log2_slot_factor.into(), 1, 38)?;
        }
        if self.integer_bits > 0 {
            // Products with the sign take a level; moduli of integers are of one bit more, of two limbs of two.
            check("levels left for functions of integers", self.spare_levels as u64, 1, 8)?;
            check("bits of the digits of integers", self.bits.into(), 3, 14)?;
            check("digits of tables beside functions of integers", self.digits.len() as u64, 0, 0)?;
            let most = (self.log2_modulus - self.bits).min(MAX_LIMB);
            check("bits of the longest integers", self.integer_bits.into(), 1, most.into())?;
        }
        check("order of the interpolation", self.order.into(), 1, 3)?;
        check("log2 of the ring degree", self.log2_degree.into(), 7, 17)?;
        check("weight of the sparse key", self.sparse_weight.into(), 2, 1024)?;
        check("stages of CoeffsToSlots", self.to_slots as u64, 1, 4)?;
        check("stages of SlotsToCoeffs", self.to_coeffs as u64, 1, 4)?;
        if !(-136.0..0.0).contains(&self.log2_p_fail) {
            return Err(CkksLutError::Failure { found: self.log2_p_fail }.into());
        }
        check("log2 of the ciphertext modulus", self.log2_modulus.into(), u64::from(self.bits) + 4, 50)?;
        check("log2 of the factor of slots", self.log2_slot_factor.into(), 0, 38.min(self.scale_bits.into()))?;
        let (weight, error) = (self.sparse_weight as usize, self.exponential_log2_error);
        let exponential = Exponential::for_key(weight, error)?;
        let ckks = CkksLiteral {
            name: self.name.clone(),
            class: self.class,
            log2_degree: self.log2_degree,
            base_bits: self.base_bits,
            scale_bits: self.scale_bits,
            levels: self.levels(&exponential),
            digit_primes: self.digit_primes,
            special_primes: self.special_primes,
            weight: self.weight,
            sparse_weight: self.sparse_weight,
        };
        Ok(TableParams(Arc::new(Inner { ckks: ckks.try_build()?, exponential, literal: self })))
    }
}

/// Levels of the interpolation of a table of p entries: its degree is p − 1, ⌊3p/2⌋, 2p − 1 for order 1, 2, 3.
#[must_use]
pub fn table_depth(entries: usize, order: u32) -> usize {
    let degree = match order {
        1 => entries - 1,
        2 => 3 * entries / 2,
        _ => 2 * entries - 1,
    };
    (degree + 1).next_power_of_two().ilog2() as usize
}

/// The file of sets.
#[derive(Deserialize)]
struct Sets {
    set: Vec<TableLiteral>,
}

/// All named sets as literals, in the order of the file.
#[must_use]
pub fn literals() -> &'static [TableLiteral] {
    static SETS: LazyLock<Sets> =
        LazyLock::new(|| toml::from_str(include_str!("../../data/ckks.toml")).expect("the shipped sets parse"));
    &SETS.set
}

impl TableParams {
    /// The set of that name.
    ///
    /// # Errors
    /// [`CkksLutError::UnknownSet`].
    pub fn named(name: &str) -> Result<Self, LutError> {
        let all = literals();
        let secure = all.iter().filter(|set| set.class.is_secure()).map(|set| set.name.as_str());
        let available = || secure.collect::<Vec<_>>().join(", ");
        let unknown = || LutError::Ckks(CkksLutError::UnknownSet { found: name.into(), available: available() });
        all.iter().find(|set| set.name == name).cloned().ok_or_else(unknown)?.try_build()
    }

    /// The first secure set for tables of 2^bits entries.
    ///
    /// # Errors
    /// [`CkksLutError::Parameter`] if tables are too large for all.
    pub fn for_bits(bits: u32) -> Result<Self, LutError> {
        let mut secure: Vec<_> = literals().iter().filter(|set| set.class.is_secure()).collect();
        secure.retain(|set| set.integer_bits == 0);
        secure.sort_by_key(|set| set.bits);
        let max = secure.last().map_or(0, |set| set.bits);
        let error = LutError::Ckks(CkksLutError::Parameter {
            what: "bits of the table",
            found: bits.into(),
            min: 1,
            max: max.into(),
        });
        secure.into_iter().find(|set| set.bits >= bits).ok_or(error)?.clone().try_build()
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.literal.name
    }

    /// The literal that it was built from.
    #[must_use]
    pub fn literal(&self) -> &TableLiteral {
        &self.0.literal
    }

    /// The identity of the set in keys and ciphertexts, and of its secrets among those of a seed: the
    /// [fingerprint](wire::fingerprint) of the literal's fields in their order, and of the scheme's parameters.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 16] {
        let TableLiteral {
            name,
            class: _,
            bits,
            digits,
            flat_digits,
            order,
            log2_degree,
            base_bits,
            scale_bits,
            digit_primes,
            special_primes,
            weight,
            sparse_weight,
            log2_p_fail,
            exponential_log2_error,
            clean_circle,
            to_slots,
            to_coeffs,
            spare_levels,
            log2_modulus,
            log2_slot_factor,
            factor_level,
            integer_bits,
        } = self.literal();
        wire::fingerprint("bootes batch 2", |w| {
            w.str(name);
            [bits, order, log2_degree, base_bits, scale_bits].into_iter().for_each(|&field| w.u32(field));
            [digit_primes, special_primes].into_iter().for_each(|&field| w.u64(field as u64));
            [weight, sparse_weight].into_iter().for_each(|&field| w.u32(field));
            [log2_p_fail, exponential_log2_error].into_iter().for_each(|&field| w.f64(field));
            w.u8((*clean_circle).into());
            [to_slots, to_coeffs, spare_levels].into_iter().for_each(|&field| w.u64(field as u64));
            w.u32(*log2_modulus);
            w.raw(&self.ckks().fingerprint());
            if *log2_slot_factor > 0 {
                w.u32(*log2_slot_factor);
            }
            digits.iter().for_each(|&p| w.u64(p));
            if !digits.is_empty() {
                w.u64(*flat_digits as u64);
                w.u8((*factor_level).into());
            }
            if *integer_bits > 0 {
                w.u32(*integer_bits);
            }
        })
    }

    /// The scheme's parameters.
    #[must_use]
    pub fn ckks(&self) -> &CkksParams {
        &self.0.ckks
    }

    /// The map to the circle.
    #[must_use]
    pub fn exponential(&self) -> &Exponential {
        &self.0.exponential
    }

    /// Levels from the slots of CoeffsToSlots to the circle.
    #[must_use]
    pub fn circle_depth(&self) -> usize {
        self.0.exponential.depth() + if self.0.literal.clean_circle { CLEAN_DEPTH } else { 0 }
    }

    /// Levels from the circle to SlotsToCoeffs.
    #[must_use]
    pub fn table_levels(&self) -> usize {
        let literal = self.literal();
        self.ckks().max_level() - literal.to_slots - self.circle_depth() - self.sums_level()
    }

    /// The values of a ciphertext, N.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.ckks.degree()
    }

    /// The factor of results in slots when SlotsToCoeffs takes them: 2^log2_slot_factor, or 1 if the factor
    /// has a level of its own.
    #[must_use]
    pub fn slot_factor(&self) -> f64 {
        if self.0.literal.factor_level { 1.0 } else { f64::from(self.0.literal.log2_slot_factor).exp2() }
    }

    /// The factor of results of matrix products: near 2^log2_slot_factor, and as [`Self::slot_factor`] unless
    /// the factor has a level of its own, whose rescaling leaves 1 of it.
    #[must_use]
    pub fn matrix_factor(&self) -> f64 {
        match self.0.literal.factor_level {
            true => self.0.ckks.scale(self.sums_level()) / f64::from(self.factor_integer()),
            false => self.slot_factor(),
        }
    }

    /// The integer factor of results before the rescaling that takes it away.
    pub(super) fn factor_integer(&self) -> i32 {
        1 << (self.0.literal.scale_bits - self.0.literal.log2_slot_factor).min(30)
    }

    /// The level of the result of a table's sums: that of SlotsToCoeffs, and one more if the factor has one.
    #[must_use]
    pub fn sums_level(&self) -> usize {
        self.0.literal.to_coeffs + usize::from(self.0.literal.factor_level)
    }

    /// Bits of the low limb of integers of two: two digits, with the bit of its sign.
    pub(super) fn low_limb(&self) -> u32 {
        self.literal().low_limb()
    }

    /// Bits of the longest integers, of two limbs; 0 if the set is not made for them.
    #[must_use]
    pub fn max_integer_bits(&self) -> u32 {
        self.literal().most_in_limbs()
    }

    /// Whether functions of integers take limbs of so many bits.
    #[must_use]
    pub fn holds_limbs(&self, low: u32, high: u32) -> bool {
        let most = self.literal().integer_bits;
        (1..=most.min(self.low_limb())).contains(&low) && (1..=most).contains(&high)
    }

    /// How integers of so many bits are kept: in one ciphertext, or in two.
    ///
    /// # Errors
    /// [`LutError::Width`] for none, or more than [`Self::max_integer_bits`].
    pub fn integer_limbs(&self, width: u32) -> Result<IntegerLimbs, LutError> {
        let max = self.max_integer_bits();
        if !(1..=max).contains(&width) {
            return Err(LutError::Width { op: "an integer".into(), width, max });
        }
        Ok(match width <= self.literal().integer_bits {
            true => IntegerLimbs::one(width),
            false => IntegerLimbs::two(self.low_limb(), width - self.low_limb()),
        })
    }

    /// The maps to slots and back.
    ///
    /// # Errors
    /// As [`Transforms::new`].
    pub fn transforms(&self) -> Result<Transforms, LutError> {
        let (literal, ckks) = (&self.0.literal, &self.0.ckks);
        let options = TransformOptions {
            bound: self.0.exponential.bound(),
            to_slots: literal.to_slots,
            to_coeffs: literal.to_coeffs,
            output_level: 0,
            output_scale: ckks.prime(0) / self.slot_factor(),
        };
        Transforms::while_wanted(ckks, options, planning::wanted)
    }

    /// The keys that a server needs.
    #[must_use]
    pub fn request(&self, transforms: &Transforms) -> KeyRequest {
        let level = transforms.slots_level(self.ckks());
        let mut request = KeyRequest { relinearisation: Some(level), ..KeyRequest::default() };
        transforms.request(self.ckks(), &mut request);
        request
    }

    /// The error of a fresh ciphertext of this modulus, in turns: its rounded noise, and that messages are rounded.
    #[must_use]
    pub fn fresh_error(&self, log2_modulus: u32) -> ErrorBound {
        let error = ErrorBound { bias: 0.5, noise: SlotNoise::flat(NOISE_STD * NOISE_STD + 1.0 / 12.0) };
        error.times((-f64::from(log2_modulus)).exp2())
    }

    /// The error of an encryption by the public key, of this modulus 2^k, in turns: that of
    /// [`CkksPublicKey::encrypt_zero`](bootes_schemes::ckks::CkksPublicKey::encrypt_zero), rounded once more, and that
    /// messages are rounded.
    #[must_use]
    pub fn public_error(&self, log2_modulus: u32) -> ErrorBound {
        let (ckks, modulus) = (self.ckks(), f64::from(log2_modulus).exp2());
        let weight = 2.0 / 3.0 * ckks.degree() as f64 + 1.0 + f64::from(self.0.literal.weight);
        let encryption = (NOISE_STD * NOISE_STD + 1.0 / 12.0) * weight / ckks.prime(1).powi(2);
        let ratio = modulus / ckks.prime(0);
        let variance = self.rounding_variance() + (self.rounding_variance() + encryption) * ratio * ratio;
        ErrorBound { bias: 0.5, noise: SlotNoise::flat(variance) }.times(modulus.recip())
    }

    /// The error of rounding a ciphertext to this modulus, in turns: no result has less.
    #[must_use]
    pub fn rounding_error(&self, log2_modulus: u32) -> ErrorBound {
        let error = ErrorBound::unbiased(SlotNoise::flat(self.rounding_variance()));
        error.times((-f64::from(log2_modulus)).exp2())
    }

    /// The smaller of the errors of an encryption and of rounding: no bound is below, not even that of 0·x.
    #[must_use]
    pub fn least_error(&self, log2_modulus: u32) -> ErrorBound {
        let [fresh, rounded] = [self.fresh_error(log2_modulus), self.rounding_error(log2_modulus)];
        if fresh.noise.flat < rounded.noise.flat { fresh } else { rounded }
    }

    /// The error, or that which all have at least: what has no mask has none, as constants and x − x.
    #[must_use]
    pub fn at_least(&self, error: ErrorBound, log2_modulus: u32) -> ErrorBound {
        let least = self.least_error(log2_modulus);
        if error.noise.flat < least.noise.flat { error.plus(least) } else { error }
    }

    /// (1 + h)/12, of a ciphertext rounded to integers.
    pub(super) fn rounding_variance(&self) -> f64 {
        (1.0 + f64::from(self.0.literal.weight)) / 12.0
    }

    /// log2 of the promised probability that an evaluation of a value is wrong.
    #[must_use]
    pub fn log2_p_fail(&self) -> f64 {
        self.0.literal.log2_p_fail
    }

    /// The interpolation of values with this set's order.
    ///
    /// # Errors
    /// As [`Interpolation::new`].
    pub fn interpolation(&self, values: &[f64]) -> Result<Interpolation, LutError> {
        Interpolation::new(values, self.0.literal.order)
    }
}
