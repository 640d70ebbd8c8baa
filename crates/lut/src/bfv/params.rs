//! Parameter sets for vectors of Z_(p^r) that are computed on without end: primes and digits follow from p and r by
//! rule.
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bootes_ring::primes;
use bootes_schemes::class::SetClass;
use bootes_schemes::exact::{ExactError, ExactLiteral, ExactParams, ExactSlots, KeyRequest};
use bootes_schemes::rlwe::GaloisAction;

use super::{DigitMethod, DigitRemoval, SlimBootstrap};
use crate::LutError;

/// A set with its slots, and how its vectors are refreshed.
#[derive(Debug, Clone)]
pub struct SlotParams {
    params: ExactParams,
    slots: Arc<ExactSlots>,
    exponent: u32,
    /// Of transforms.
    stages: usize,
    /// Made when first asked for.
    bootstrap: Arc<OnceLock<SlimBootstrap>>,
}

/// The most slots of transforms in one stage: each is a diagonal.
const MAX_SLOTS: usize = 1 << 11;

/// log2 of the largest p^e that bootstrapping has primes and levels for, by the number of digits that are removed and
/// of stages.
fn max_bits(digits: u32, stages: usize) -> f64 {
    match (digits, stages) {
        (1, 1) => 34.0,
        (1, _) => 33.0,
        // Circuits for several digits are deeper.
        _ => 20.7,
    }
}

/// The weight of the sparse key: of all its keys, none ever makes |v| larger than (h + 1)/2.
const SPARSE_WEIGHT: u32 = 40;
const TOY_SPARSE_WEIGHT: u32 = 8;

impl SlotParams {
    /// The set for vectors modulo p^r at N = 2^15.
    ///
    /// # Errors
    /// [`LutError::Exact`] for a p that is no odd prime; [`LutError::SlotPower`] for powers of it that are too large:
    /// p^e < 2^34, where e − r is 1 from p = 41 on, and < 2^20.7 below, where it is more; [`LutError::SlotTransform`]
    /// for p ≡ 3 modulo 4 with more than 2048 slots.
    pub fn new(p: u64, r: u32) -> Result<Self, LutError> {
        Self::build(p, r, false)
    }

    /// The same at a small ring, for tests: it has no security.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn toy(p: u64, r: u32) -> Result<Self, LutError> {
        Self::build(p, r, true)
    }

    /// The set of a [name](ExactParams::name), `slots_P`, `slots_P_R`, or of its toy.
    ///
    /// # Errors
    /// As [`Self::new`]; `None` for other names.
    #[must_use]
    pub fn named(name: &str) -> Option<Result<Self, LutError>> {
        let (toy, rest) = name.strip_prefix("toy_").map_or((false, name), |rest| (true, rest));
        let mut parts = rest.strip_prefix("slots_")?.split('_');
        let number =
            |text: &str| Some(text).filter(|text| !text.starts_with(['+', '0'])).and_then(|text| text.parse().ok());
        let p = number(parts.next()?)?;
        let r = parts.next().map_or(Some(1), number)?;
        if parts.next().is_some() || rest.ends_with("_1") {
            return None;
        }
        Some(Self::build(p, u32::try_from(r).ok()?, toy))
    }

    fn build(p: u64, r: u32, toy: bool) -> Result<Self, LutError> {
        if p.is_multiple_of(2) || !primes::is_prime(p) {
            return Err(ExactError::NoSlots { base: p }.into());
        }
        if r == 0 {
            return Err(ExactError::PlaintextModulus { base: p, exponent: r }.into());
        }
        let sparse_weight = if toy { TOY_SPARSE_WEIGHT } else { SPARSE_WEIGHT };
        let digits = digits(p, sparse_weight);
        let exponent = r.saturating_add(digits);
        let bits = f64::from(exponent) * (p as f64).log2();
        // N = 2^15 has 2^(j−1) slots where 2^j divides p − 1.
        let stages = if p % 4 == 1 && (p - 1).trailing_zeros() > MAX_SLOTS.ilog2() + 1 { 2 } else { 1 };
        let max_bits = max_bits(digits, stages);
        if bits > max_bits {
            return Err(LutError::SlotPower { modulus: p, exponent: r, raised: exponent, bits, max_bits });
        }
        // Primes that a product modulo p^e fits, and as many as are secure.
        let (prime_bits, levels, digit_primes, special) = match bits {
            _ if stages > 1 => (50, 13, 2, (50, 2)),
            ..=18.0 => (32, 19, 4, (45, 3)),
            ..=26.0 => (44, 14, 3, (45, 3)),
            _ => (50, 12, 3, (50, 3)),
        };
        let power = if r == 1 { String::new() } else { format!("_{r}") };
        let literal = ExactLiteral {
            name: format!("{}slots_{p}{power}", if toy { "toy_" } else { "" }),
            class: if toy { SetClass::Toy } else { SetClass::Secure },
            log2_degree: if toy { 8 } else { 15 },
            base: p,
            exponent,
            base_bits: 50,
            prime_bits,
            levels,
            digit_primes,
            special_primes: special.1,
            special_bits: special.0,
            weight: if toy { 64 } else { 256 },
            sparse_weight,
        };
        let params = literal.try_build()?;
        let found = params.slots();
        if stages == 1 && found > MAX_SLOTS {
            return Err(LutError::SlotTransform { modulus: p, found, max: MAX_SLOTS });
        }
        let slots = Arc::new(ExactSlots::new(&params, r)?);
        Ok(Self { params, slots, exponent: r, stages, bootstrap: Arc::default() })
    }

    /// The slots modulo p^r.
    #[must_use]
    pub fn slots(&self) -> &ExactSlots {
        &self.slots
    }

    /// r.
    #[must_use]
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    /// p^r, what vectors are modulo.
    #[must_use]
    pub fn modulus(&self) -> u64 {
        self.params.power(self.exponent)
    }

    /// The level of fresh ciphertexts: near that of results of bootstrapping.
    #[must_use]
    pub fn fresh_level(&self) -> usize {
        self.params.max_level() / 2
    }

    /// How its vectors are refreshed. It is made once, and takes up to a second and a hundred megabytes.
    ///
    /// # Errors
    /// [`LutError::Exact`].
    pub fn bootstrap(&self) -> Result<&SlimBootstrap, LutError> {
        match self.bootstrap.get() {
            Some(bootstrap) => Ok(bootstrap),
            None => {
                let made = self.make_bootstrap()?;
                Ok(self.bootstrap.get_or_init(|| made))
            }
        }
    }

    fn make_bootstrap(&self) -> Result<SlimBootstrap, LutError> {
        let (params, r, e) = (&self.params, self.exponent, self.params.max_exponent());
        // Larger maps leave more noise, for which there is one more.
        let bound = u64::from(params.literal().sparse_weight) / 2 + u64::from(self.stages > 1);
        let (p, v) = (params.base(), e - r);
        let method = if v == 1 { DigitMethod::BoundedRange { bound } } else { DigitMethod::ChenHan };
        let removal = DigitRemoval { p, e, v, method }.circuit();
        // What all v digits hold, balanced.
        let held = if v == 1 { bound as f64 } else { (params.power(v) / 2) as f64 };
        Ok(SlimBootstrap::new(params, [r, e], self.stages, removal, held)?)
    }

    /// The moves that any rotation is made of: rows by powers of two, and their exchange.
    #[must_use]
    pub fn moves(&self) -> Vec<GaloisAction> {
        let [rows, columns] = self.slots.shape();
        let exchange = (rows == 2).then_some(GaloisAction::Rotation { axis: 1, by: 1 });
        (0..columns.ilog2()).map(|i| GaloisAction::rotation(1 << i)).chain(exchange).collect()
    }

    /// The keys that a server needs for everything.
    #[must_use]
    pub fn request(&self, bootstrap: &SlimBootstrap) -> KeyRequest {
        let mut request = KeyRequest::default();
        bootstrap.request(&mut request);
        self.moves().into_iter().for_each(|action| request.action(action, self.params.max_level()));
        request
    }
}

/// The least v with |x| ≤ h/2 in v balanced digits.
fn digits(p: u64, sparse_weight: u32) -> u32 {
    let least = u64::from(sparse_weight) + 1;
    (1..64).find(|&v| p.saturating_pow(v) >= least).unwrap_or(1)
}

impl Deref for SlotParams {
    type Target = ExactParams;

    fn deref(&self) -> &ExactParams {
        &self.params
    }
}
