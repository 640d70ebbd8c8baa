//! Ciphertexts at scales of two primes: values of 80 bits and more, for the last steps of exact computations.
//!
//! An ordinary ciphertext *is* one of a scale that is known exactly, and two of them have a product of twice the bits
//! without any rescaling. Later products divide by two primes, or by one where a factor has an ordinary scale. Scales are
//! kept to 100 bits, since sums need equal ones; constants are integers of up to 100 bits.
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::poly::{Eval, Poly};

use super::ciphertext::check_size;
use super::evaluator::Evaluator;
use super::linear::MapSize;
use super::noise::SlotNoise;
use super::precise::PreciseEncoder;
use super::{CkksCiphertext, CkksError, CkksParams};
use crate::lintrans::Diagonals;
use crate::precise::{Precise, PreciseComplex};
use crate::rlwe::linear::HIGH_BITS;
use crate::rlwe::{GaloisAction, HoistedMap, KeyError, KeyRequest, MapPolynomials, Slots};

/// A ciphertext with a scale of 100 bits.
#[derive(Debug, Clone)]
pub struct WideCiphertext {
    inner: RnsCiphertext,
    scale: Precise,
}

impl WideCiphertext {
    /// The number of primes above q_0.
    #[must_use]
    pub fn level(&self) -> usize {
        self.inner.limbs().chain - 1
    }

    /// The scale.
    #[must_use]
    pub fn scale(&self) -> Precise {
        self.scale
    }

    /// The same ciphertext of values that are larger by what the scale is less.
    #[must_use]
    pub fn with_scale(&self, scale: Precise) -> Self {
        Self { inner: self.inner.clone(), scale }
    }

    /// The ciphertext of the ring.
    #[must_use]
    pub fn inner(&self) -> &RnsCiphertext {
        &self.inner
    }
}

/// A linear map of slots, its diagonals rounded at a wide scale.
#[derive(Debug)]
pub struct WideMap {
    map: HoistedMap<PreciseComplex>,
    polynomials: MapPolynomials,
    scale: Precise,
    size: MapSize,
}

/// Complex slots with coefficients of two parts.
struct WideSlots;

impl Slots for WideSlots {
    type Value = PreciseComplex;
    const PARTS: usize = 2;

    fn coefficients(&self, period: usize) -> usize {
        2 * period
    }
}

impl WideMap {
    /// Prepares a map for ciphertexts of `level`; its diagonals get the scale `scale`, up to 2^94 where they are at most
    /// 1. Results are two levels lower, at the scale of the input times `scale` over two primes.
    ///
    /// # Errors
    /// [`CkksError::Keys`] for a level beyond the parameters or below 2; [`CkksError::TooLarge`] for entries that the
    /// scale makes too large.
    pub fn new(
        params: &CkksParams,
        map: Diagonals<PreciseComplex>,
        level: usize,
        scale: Precise,
    ) -> Result<Self, CkksError> {
        if level < 2 {
            let max = params.max_level() as u64;
            return Err(KeyError::Parameter { what: "level of a wide map", found: level as u64, min: 2, max }.into());
        }
        let map = HoistedMap::new(params, &WideSlots, map, level)?;
        let encoder = PreciseEncoder::new(params.slots());
        let polynomials = map.polynomials(|diagonal| {
            let coefficients = encoder.coefficients(diagonal, scale);
            let parts: Vec<[f64; 2]> = coefficients.into_iter().map(|c| c.split(HIGH_BITS)).collect();
            let part = |i: usize| parts.iter().map(move |part| part[i]);
            check_size(52.0, &part(0).collect::<Vec<_>>())?;
            Ok::<_, CkksError>(part(1).chain(part(0)).collect())
        })?;
        Ok(Self { size: MapSize::of(&map, |x| x.norm_sqr()), map, polynomials, scale })
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.map.request(request);
    }

    /// The noise, the variance of the values, and the scale after the map: as
    /// [`LinearMap::noise`](super::linear::LinearMap::noise).
    #[must_use]
    pub fn noise(&self, params: &CkksParams, noise: SlotNoise, signal: f64, scale: f64) -> (SlotNoise, f64, f64) {
        let primes = params.prime(self.map.level()) * params.prime(self.map.level() - 1);
        self.size.noise(params, (f64::from(self.scale), primes), (noise, signal, scale))
    }
}

impl CkksParams {
    /// The noise of a wide product at `level` of factors whose scales have the product `scale`, over `drop` primes: the
    /// key switch before, the rounding after.
    #[must_use]
    pub fn wide_product_noise(&self, level: usize, scale: f64, drop: usize) -> SlotNoise {
        let primes: f64 = (0..drop).map(|i| self.prime(level - i)).product();
        self.switch_noise(level, scale) + self.rounding_noise(scale / primes)
    }
}

impl Evaluator {
    /// The same ciphertext, whose scale is taken as exact.
    ///
    /// # Errors
    /// [`CkksError::Foreign`].
    pub fn widened(&self, x: &CkksCiphertext) -> Result<WideCiphertext, CkksError> {
        self.check(x)?;
        Ok(WideCiphertext { inner: x.inner.clone(), scale: Precise::from(x.scale()) })
    }

    fn needs(operation: &'static str, x: &WideCiphertext, needed: usize) -> Result<(), CkksError> {
        if x.level() >= needed {
            return Ok(());
        }
        Err(CkksError::Exhausted { operation, needed, found: x.level() })
    }

    fn prime_at(&self, level: usize) -> Precise {
        Precise::from(self.params.prime(level))
    }

    /// a ⊙ b at the lower of both levels, divided by so many primes.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Keys`].
    pub fn wide_product(
        &self,
        a: &WideCiphertext,
        b: &WideCiphertext,
        drop: usize,
    ) -> Result<WideCiphertext, CkksError> {
        let level = a.level().min(b.level());
        Self::needs("product", if a.level() == level { a } else { b }, drop)?;
        let (ring, limbs) = (self.ring(), self.params.limbs(level));
        let mut d = [ring.unspecified(limbs), ring.unspecified(limbs), ring.unspecified(limbs)];
        ring.tensor::<false>(&mut d, [&a.inner.b, &a.inner.a], [&b.inner.b, &b.inner.a]);
        let mut inner = self.relinearised(d, drop > 0)?;
        let mut scale = a.scale * b.scale;
        for i in 0..drop {
            if i > 0 {
                inner = inner.divided(ring, self.params.rescale(level - i));
            }
            scale = scale / self.prime_at(level - i);
        }
        Ok(WideCiphertext { inner, scale })
    }

    /// Σ k_j·x_j + k at `level` and of the scale `scale`: terms above the level are multiplied by an integer and divided
    /// by the primes between, which is to be precise to the bits of those; terms at it have the scale already.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] for terms below the level.
    ///
    /// # Panics
    /// If there is no term.
    pub fn wide_combination(
        &self,
        terms: &[(i64, &WideCiphertext)],
        constant: i64,
        level: usize,
        scale: Precise,
    ) -> Result<WideCiphertext, CkksError> {
        let ring = self.ring();
        let mut sum: Option<RnsCiphertext> = None;
        for &(k, x) in terms {
            Self::needs("product with a constant", x, level)?;
            let primes = (level + 1..=x.level()).map(|level| self.prime_at(level));
            let factor = primes.fold(Precise::from(k as f64) * (scale / x.scale), |product, q| product * q);
            let mut term = x.inner.clone();
            term.for_both(|x| self.times(x, factor));
            for from in (level + 1..=x.level()).rev() {
                term = term.divided(ring, self.params.rescale(from));
            }
            match &mut sum {
                None => sum = Some(term),
                Some(sum) => sum.for_both_with(&term, |x, y| ring.add_assign(x, y)),
            }
        }
        let mut inner = sum.expect("a sum has a term");
        let (constant, limbs) = (scale * Precise::from(constant as f64), inner.limbs());
        inner.b.iter_mut().enumerate().for_each(|(i, limb)| {
            let p = ring.modulus(limbs, i);
            ring.ntt(limbs, i).add_constant_assign(limb, p.balance(constant.residue(p.value())));
        });
        Ok(WideCiphertext { inner, scale })
    }

    /// x·round(c).
    fn times(&self, x: &mut Poly<Eval>, c: Precise) {
        let (ring, limbs) = (self.ring(), x.limbs());
        for (i, limb) in x.iter_mut().enumerate() {
            let p = ring.modulus(limbs, i);
            ring.ntt(limbs, i).mul_factor_assign(limb, p.factor(c.residue(p.value())));
        }
    }

    /// 2·(Im a + i·Im b), at the scale of both: (b − i·a) + conj(−i·a − b).
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn wide_imaginary_parts(&self, a: &WideCiphertext, b: &WideCiphertext) -> Result<WideCiphertext, CkksError> {
        debug_assert!(a.scale == b.scale && a.level() == b.level());
        let ring = self.ring();
        let turn = ring.constant(a.inner.limbs(), 0.0, -1.0);
        let mut conjugated = a.inner.clone();
        conjugated.for_both(|x| ring.mul_constant_assign(x, &turn));
        let mut sum = conjugated.clone();
        sum.for_both_with(&b.inner, |x, y| ring.add_assign(x, y));
        conjugated.for_both_with(&b.inner, |x, y| ring.sub_assign(x, y));
        let key = self.keys.galois(GaloisAction::Conjugation, a.level())?;
        let conjugate = key.apply(ring, self.params.gadget(), &conjugated);
        sum.for_both_with(&conjugate, |x, y| ring.add_assign(x, y));
        Ok(WideCiphertext { inner: sum, scale: a.scale })
    }

    /// M z, two levels below the map's.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is below the map's level; [`CkksError::Keys`].
    pub fn apply_wide(&self, map: &WideMap, x: &WideCiphertext) -> Result<WideCiphertext, CkksError> {
        let level = map.map.level();
        Self::needs("linear map", x, level)?;
        let inner = map.map.apply(&map.polynomials, &self.keys, &x.inner, true)?;
        let inner = inner.divided(self.ring(), self.params.rescale(level - 1));
        let scale = x.scale * map.scale / self.prime_at(level) / self.prime_at(level - 1);
        Ok(WideCiphertext { inner, scale })
    }
}
