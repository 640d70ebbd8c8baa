//! The operations on ciphertexts (appendix A of *Evaluating Larger Lookup Tables using CKKS*), with levels and scales checked.
use std::borrow::Cow;
use std::sync::Arc;

use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::{Constant, RnsRing};
use bootes_ring::sample::MaskStream;
use num_complex::Complex64;
use rayon::prelude::*;

use super::ciphertext::{check_size, dithered_plaintext, log2_max, plaintext};
use super::{CkksCiphertext, CkksError, CkksEvaluationKey, CkksParams, Encoder};
use crate::cancel::Cancel;
use crate::rlwe::GaloisAction;

/// Scales that differ by less than this, relatively, are one: they are products of the same primes, in `f64`.
const SCALE_TOLERANCE: f64 = 1e-11;

/// Whether scales are one.
pub(super) fn same_scale(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < SCALE_TOLERANCE
}

/// Plaintexts that are encoded at a time.
pub const PLAINTEXTS: usize = 8;

/// Evaluates on ciphertexts with the public evaluation key.
///
/// Results of products and constants are at the canonical scale of their level. Operands of different levels are brought to the lower one.
#[derive(Debug, Clone)]
pub struct Evaluator {
    pub(super) params: CkksParams,
    pub(super) keys: Arc<CkksEvaluationKey>,
    pub(super) encoder: Arc<Encoder>,
    cancel: Cancel,
}

/// A sum of products (d_0, d_1, d_2) with the phase d_0 + d_1·s + d_2·s².
pub(super) struct Tensor {
    d: [Poly<Eval>; 3],
}

/// Σ c_j·x_j + c.
pub(super) struct Sum<'a> {
    pub(super) terms: Vec<(&'a CkksCiphertext, Complex64)>,
    pub(super) constant: Complex64,
    /// The level of the result, below all x_j.
    pub(super) level: usize,
    /// The scale of the result.
    pub(super) scale: f64,
}

impl Evaluator {
    /// An evaluator with these keys.
    ///
    /// # Errors
    /// If there is no memory for tables.
    pub fn new(keys: Arc<CkksEvaluationKey>) -> Result<Self, CkksError> {
        let params = keys.params().clone();
        let encoder = Arc::new(Encoder::new(params.degree())?);
        Ok(Self { params, keys, encoder, cancel: Cancel::new() })
    }

    /// The same, whose operations are refused from when `cancel` says so: [`CkksError::Cancelled`].
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
        &self.params
    }

    /// The encoder of the ring degree.
    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn key_id(&self) -> [u8; 16] {
        self.keys.id()
    }

    pub(super) fn ring(&self) -> &RnsRing {
        self.params.ring()
    }

    /// Whether to go on, with a ciphertext of this key.
    pub(super) fn check(&self, x: &CkksCiphertext) -> Result<(), CkksError> {
        if self.cancel.is_cancelled() {
            return Err(CkksError::Cancelled);
        }
        if x.key == self.keys.id() {
            return Ok(());
        }
        Err(CkksError::Foreign { what: "ciphertext", expected: self.params.name().into() })
    }

    fn levels(operation: &'static str, x: &CkksCiphertext, needed: usize) -> Result<(), CkksError> {
        if x.level() >= needed {
            return Ok(());
        }
        Err(CkksError::Exhausted { operation, needed, found: x.level() })
    }

    /// The same values at a lower level, modulo fewer primes; the scale stays.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is below `level`; [`CkksError::Foreign`].
    pub fn drop_to(&self, x: &CkksCiphertext, level: usize) -> Result<CkksCiphertext, CkksError> {
        self.check(x)?;
        Self::levels("dropping levels", x, level)?;
        Ok(CkksCiphertext { inner: x.inner.restricted(self.params.limbs(level)), ..*x })
    }

    /// The same values at a lower level with its canonical scale: a product by an integer and a rescaling, if the level or scale is another.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is below `level`, or at it with another scale; [`CkksError::Foreign`].
    pub fn at_level<'a>(&self, x: &'a CkksCiphertext, level: usize) -> Result<Cow<'a, CkksCiphertext>, CkksError> {
        self.check(x)?;
        Self::levels("change of the level", x, level)?;
        let scale = self.params.scale(level);
        if x.level() == level && same_scale(x.scale, scale) {
            return Ok(Cow::Borrowed(x));
        }
        self.to_scale(x, level, scale).map(Cow::Owned)
    }

    /// The same values at a lower level with any scale: a product by an integer and a rescaling.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] unless the ciphertext is above `level`; [`CkksError::Foreign`].
    pub fn to_scale(&self, x: &CkksCiphertext, level: usize, scale: f64) -> Result<CkksCiphertext, CkksError> {
        Self::levels("change of the scale", x, level.saturating_add(1))?;
        self.combine_to(&[(x, Complex64::ONE)], Complex64::ZERO, level, scale)
    }

    /// a + b, or a − b.
    ///
    /// # Errors
    /// [`CkksError::Scales`] if the scales differ at the common level; [`CkksError::Foreign`].
    fn sum(&self, a: &CkksCiphertext, b: &CkksCiphertext, negative: bool) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        self.check(b)?;
        let level = a.level().min(b.level());
        let adjust = |x| if CkksCiphertext::level(x) == level { Ok(Cow::Borrowed(x)) } else { self.at_level(x, level) };
        let (mut out, other) = (adjust(a)?.into_owned(), adjust(b)?);
        if !same_scale(out.scale, other.scale) {
            return Err(CkksError::Scales { found: [out.scale, other.scale] });
        }
        let op = if negative { RnsRing::sub_assign } else { RnsRing::add_assign };
        out.inner.for_both_with(&other.inner, |x, y| op(self.ring(), x, y));
        Ok(out)
    }

    /// a + b.
    ///
    /// # Errors
    /// [`CkksError::Scales`] if the scales differ at one level; [`CkksError::Foreign`].
    pub fn add(&self, a: &CkksCiphertext, b: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.sum(a, b, false)
    }

    /// a − b.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn sub(&self, a: &CkksCiphertext, b: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.sum(a, b, true)
    }

    /// −a.
    ///
    /// # Errors
    /// [`CkksError::Foreign`].
    pub fn neg(&self, a: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().neg_assign(x));
        Ok(out)
    }

    /// a + c for one constant in all slots.
    ///
    /// # Errors
    /// [`CkksError::Foreign`]; [`CkksError::TooLarge`] if the modulus of the level does not hold c at the scale of a.
    pub fn add_constant(&self, a: &CkksCiphertext, c: Complex64) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        let mut out = a.clone();
        let constant = self.integer_constant(a.inner.limbs(), c * a.scale)?;
        self.ring().add_constant_assign(&mut out.inner.b, &constant);
        Ok(out)
    }

    /// a + z for values z.
    ///
    /// # Errors
    /// [`CkksError::Foreign`], [`CkksError::TooLarge`]; as [`Encoder::coefficients_into`].
    pub fn add_plain(&self, a: &CkksCiphertext, values: &[Complex64]) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        let mut out = a.clone();
        self.ring().add_assign(&mut out.inner.b, &self.plaintext(values, a.scale, a.inner.limbs())?);
        Ok(out)
    }

    /// k·a for a small Gaussian integer k: no level.
    ///
    /// # Errors
    /// [`CkksError::Foreign`].
    pub fn mul_integer(&self, a: &CkksCiphertext, re: i32, im: i32) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        let constant = self.ring().constant(a.inner.limbs(), re.into(), im.into());
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().mul_constant_assign(x, &constant));
        Ok(out)
    }

    /// c·a for one constant in all slots: one level.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`], [`CkksError::TooLarge`].
    pub fn mul_constant(&self, a: &CkksCiphertext, c: Complex64) -> Result<CkksCiphertext, CkksError> {
        self.combine(&[(a, c)], Complex64::ZERO)
    }

    /// a ⊙ z for values z: one level.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`], [`CkksError::TooLarge`]; as [`Encoder::coefficients_into`].
    pub fn mul_plain(&self, a: &CkksCiphertext, values: &[Complex64]) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        Self::levels("product with a plaintext", a, 1)?;
        let level = a.level();
        // The scale that leaves the canonical one after rescaling.
        let scale = self.params.scale(level - 1) * self.params.prime(level) / a.scale;
        let plaintext = self.plaintext(values, scale, a.inner.limbs())?;
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().mul_assign(x, &plaintext));
        out.scale *= scale;
        self.rescale(&out)
    }

    /// Σ_i x_i ⊙ `values`(i) at `level` and of the scale `scale`, not rescaled: no level. The values, N/2
    /// each, are encoded at `scale` over that of x_i, some at a time, on all threads, and rounded by chance, with
    /// `dither`(i).
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] for an x_i below `level`; [`CkksError::Foreign`], [`CkksError::TooLarge`]; as
    /// [`Encoder::coefficients_into`].
    ///
    /// # Panics
    /// Unless there is an x_i.
    pub fn sum_of_plain_products(
        &self,
        x: &[&CkksCiphertext],
        level: usize,
        scale: f64,
        values: impl Fn(usize) -> Vec<Complex64> + Sync,
        dither: impl Fn(usize) -> MaskStream + Sync,
    ) -> Result<CkksCiphertext, CkksError> {
        let (ring, limbs) = (self.ring(), self.params.limbs(level));
        let mut sum: Option<RnsCiphertext> = None;
        for start in (0..x.len()).step_by(PLAINTEXTS) {
            let some = &x[start..x.len().min(start + PLAINTEXTS)];
            for x in some {
                self.check(x)?;
                Self::levels("product with a plaintext", x, level)?;
            }
            let encode = |(i, x): (usize, &&CkksCiphertext)| {
                let (values, dither) = (values(start + i), dither(start + i));
                let plain = dithered_plaintext(&self.params, &self.encoder, &values, scale / x.scale, limbs, dither)?;
                Ok(ring.forward(plain))
            };
            let plain = some.par_iter().enumerate().map(encode).collect::<Result<Vec<_>, CkksError>>()?;
            let half = |part: fn(&RnsCiphertext) -> &Poly<Eval>| {
                let terms: Vec<_> = some.iter().map(|x| part(&x.inner)).zip(&plain).collect();
                ring.sum_of_products(limbs, &terms)
            };
            let part = RnsCiphertext { b: half(|x| &x.b), a: half(|x| &x.a) };
            match &mut sum {
                None => sum = Some(part),
                Some(sum) => sum.for_both_with(&part, |x, y| ring.add_assign(x, y)),
            }
        }
        Ok(CkksCiphertext { inner: sum.expect("a sum has a term"), scale, key: self.keys.id() })
    }

    /// Σ c_j·x_j + c: one level below the lowest x_j. The scales of the x_j may differ.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`], [`CkksError::TooLarge`].
    pub fn combine(
        &self,
        terms: &[(&CkksCiphertext, Complex64)],
        constant: Complex64,
    ) -> Result<CkksCiphertext, CkksError> {
        let level = terms.iter().map(|(x, _)| x.level()).min().unwrap_or(0);
        let Some(below) = level.checked_sub(1) else {
            return Err(CkksError::Exhausted { operation: "product with a constant", needed: 1, found: 0 });
        };
        self.combine_to(terms, constant, below, self.params.scale(below))
    }

    /// [`Evaluator::combine`] with a result at `level` and of the scale `target`, all x_j above it.
    pub(super) fn combine_to(
        &self,
        terms: &[(&CkksCiphertext, Complex64)],
        constant: Complex64,
        level: usize,
        target: f64,
    ) -> Result<CkksCiphertext, CkksError> {
        Ok(self.combine_all(&[Sum { terms: terms.to_vec(), constant, level, scale: target }])?.remove(0))
    }

    /// [`Evaluator::combine_to`] for several sums, which read the x_j that they share once.
    pub(super) fn combine_all(&self, sums: &[Sum<'_>]) -> Result<Vec<CkksCiphertext>, CkksError> {
        let ring = self.ring();
        for (x, _, level) in sums.iter().flat_map(|sum| sum.terms.iter().map(|(x, c)| (x, c, sum.level))) {
            self.check(x)?;
            Self::levels("product with a constant", x, level + 1)?;
        }
        let limbs = |sum: &Sum<'_>| self.params.limbs(sum.level + 1);
        let product = |sum: &Sum<'_>| sum.scale * self.params.prime(sum.level + 1);
        let integers = |sum: &Sum<'_>| {
            let integer =
                |(x, c): &(&CkksCiphertext, _)| self.integer_constant(limbs(sum), c * (product(sum) / x.scale));
            sum.terms.iter().map(integer).collect()
        };
        let integers: Vec<Vec<Constant>> = sums.iter().map(integers).collect::<Result<_, CkksError>>()?;
        let half = |part: fn(&RnsCiphertext) -> &Poly<Eval>| {
            let terms = integers.iter().zip(sums).map(|(integers, sum)| {
                let terms = integers.iter().zip(&sum.terms).map(|(c, (x, _))| (c, part(&x.inner)));
                (limbs(sum), terms.collect::<Vec<_>>())
            });
            ring.linear_combinations(&terms.collect::<Vec<_>>())
        };
        let halves = half(|x| &x.b).into_iter().zip(half(|x| &x.a));
        let scaled = halves.zip(sums).map(|((b, a), sum)| {
            let mut inner = RnsCiphertext { b, a };
            if sum.constant != Complex64::ZERO {
                let constant = self.integer_constant(limbs(sum), sum.constant * product(sum))?;
                ring.add_constant_assign(&mut inner.b, &constant);
            }
            let inner = inner.divided(ring, self.params.rescale(sum.level + 1));
            Ok(CkksCiphertext { inner, scale: sum.scale, key: self.keys.id() })
        });
        scaled.collect()
    }

    /// Σ_b rows_ab·x_b for each row a of an integer matrix: no level, and the scale of the x_b, which are at one level.
    ///
    /// # Errors
    /// [`CkksError::Scales`] unless the x_b have one level and scale; [`CkksError::Foreign`].
    ///
    /// # Panics
    /// Unless each row has as many entries as there are x_b, at least one, and no 64 in a row come to more than
    /// [`Ntt::MAX_ROW_SUM`](bootes_ring::ntt::Ntt::MAX_ROW_SUM).
    pub fn matrix_product(
        &self,
        rows: &[&[f64]],
        columns: &[CkksCiphertext],
    ) -> Result<Vec<CkksCiphertext>, CkksError> {
        let (first, limbs) = (&columns[0], columns[0].inner.limbs());
        for x in columns {
            self.check(x)?;
            if x.level() != first.level() || !same_scale(x.scale, first.scale) {
                return Err(CkksError::Scales { found: [first.scale, x.scale] });
            }
        }
        let half = |part: fn(&RnsCiphertext) -> &Poly<Eval>| {
            self.ring().matrix_product(limbs, rows, &columns.iter().map(|x| part(&x.inner)).collect::<Vec<_>>())
        };
        let halves = half(|x| &x.b).into_iter().zip(half(|x| &x.a));
        Ok(halves.map(|(b, a)| CkksCiphertext { inner: RnsCiphertext { b, a }, ..*first }).collect())
    }

    /// c rounded, if the modulus holds it.
    fn integer_constant(&self, limbs: Limbs, c: Complex64) -> Result<Constant, CkksError> {
        check_size(log2_max(&self.params, limbs), &[c.re, c.im])?;
        Ok(self.ring().constant(limbs, c.re.round_ties_even(), c.im.round_ties_even()))
    }

    fn plaintext(&self, values: &[Complex64], scale: f64, limbs: Limbs) -> Result<Poly<Eval>, CkksError> {
        Ok(self.ring().forward(plaintext(&self.params, &self.encoder, values, scale, limbs)?))
    }

    /// a/q_ℓ, one level lower, at the scale over q_ℓ.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`].
    pub fn rescale(&self, a: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        Self::levels("rescaling", a, 1)?;
        let division = self.params.rescale(a.level());
        let inner = a.inner.divided(self.ring(), division);
        Ok(CkksCiphertext { inner, scale: a.scale / self.params.prime(a.level()), ..*a })
    }

    /// a ⊙ b: one level.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`], [`CkksError::Keys`].
    pub fn mul(&self, a: &CkksCiphertext, b: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.sum_of_products(&[(a, b)])
    }

    /// Σ a_i ⊙ b_i with one relinearisation and one rescaling, at the level below the lowest factor.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`], [`CkksError::Foreign`], [`CkksError::Keys`].
    pub fn sum_of_products(&self, terms: &[(&CkksCiphertext, &CkksCiphertext)]) -> Result<CkksCiphertext, CkksError> {
        let level = terms.iter().map(|(a, b)| a.level().min(b.level())).min().unwrap_or(0);
        let Some(below) = level.checked_sub(1) else {
            return Err(CkksError::Exhausted { operation: "product", needed: 1, found: 0 });
        };
        let scale = self.params.scale(level).powi(2) / self.params.prime(level);
        debug_assert!(same_scale(scale, self.params.scale(below)));
        let mut tensor = None;
        for (a, b) in terms {
            self.add_product(&mut tensor, a, b, level)?;
        }
        self.relinearise(tensor.expect("a sum has a term"))
    }

    /// Σ a_i ⊙ b_i of factors at `level` or above, as [`Self::sum_of_products`]; the a_i are made as they are
    /// needed.
    ///
    /// # Errors
    /// As [`Self::sum_of_products`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn sum_of_made_products<'a>(
        &self,
        level: usize,
        terms: impl IntoIterator<Item = (CkksCiphertext, &'a CkksCiphertext)>,
    ) -> Result<CkksCiphertext, CkksError> {
        let mut tensor = None;
        for (a, b) in terms {
            self.add_product(&mut tensor, &a, b, level)?;
        }
        self.relinearise(tensor.expect("a sum has a term"))
    }

    /// `tensor` ← `tensor` + a ⊗ b at `level`, where both get the canonical scale.
    pub(super) fn add_product(
        &self,
        tensor: &mut Option<Tensor>,
        a: &CkksCiphertext,
        b: &CkksCiphertext,
        level: usize,
    ) -> Result<(), CkksError> {
        self.check(a)?;
        self.check(b)?;
        let (ring, limbs) = (self.ring(), self.params.limbs(level));
        let a = self.at_level(a, level)?;
        let b = self.at_level(b, level)?;
        let (x, y) = (&a.inner, &b.inner);
        let (x, y) = ([&x.b, &x.a], [&y.b, &y.a]);
        match tensor {
            None => {
                let mut d = [ring.unspecified(limbs), ring.unspecified(limbs), ring.unspecified(limbs)];
                ring.tensor::<false>(&mut d, x, y);
                *tensor = Some(Tensor { d });
            }
            Some(tensor) => ring.tensor::<true>(&mut tensor.d, x, y),
        }
        Ok(())
    }

    /// `tensor` ← 2·`tensor`.
    pub(super) fn double(&self, tensor: &mut Tensor) {
        let two = self.ring().constant(tensor.d[0].limbs(), 2.0, 0.0);
        tensor.d.iter_mut().for_each(|d| self.ring().mul_constant_assign(d, &two));
    }

    /// The ciphertext of a sum of products, rescaled.
    pub(super) fn relinearise(&self, tensor: Tensor) -> Result<CkksCiphertext, CkksError> {
        let inner = self.relinearised(tensor.d, true)?;
        let scale = self.params.scale(inner.limbs().chain - 1);
        Ok(CkksCiphertext { inner, scale, key: self.keys.id() })
    }

    /// (d_0, d_1) + d_2·(the key of s²), divided by the last prime if `rescale`.
    pub(super) fn relinearised(
        &self,
        [d0, d1, d2]: [Poly<Eval>; 3],
        rescale: bool,
    ) -> Result<RnsCiphertext, CkksError> {
        let (ring, gadget) = (self.ring(), self.params.gadget());
        let digits = gadget.decompose(ring, &d2);
        Ok(self.keys.relinearisation()?.switch_and_sum(ring, gadget, &digits, [Some(&d0), Some(&d1)], rescale))
    }

    /// The slots rotated to the left by `rotation`.
    ///
    /// # Errors
    /// [`CkksError::Keys`], [`CkksError::Foreign`].
    pub fn rotate(&self, a: &CkksCiphertext, rotation: i64) -> Result<CkksCiphertext, CkksError> {
        if rotation.rem_euclid(self.params.slots() as i64) == 0 {
            self.check(a)?;
            return Ok(a.clone());
        }
        self.apply(a, GaloisAction::rotation(rotation))
    }

    /// The complex conjugates.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn conjugate(&self, a: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.apply(a, GaloisAction::Conjugation)
    }

    fn apply(&self, a: &CkksCiphertext, action: GaloisAction) -> Result<CkksCiphertext, CkksError> {
        self.check(a)?;
        let key = self.keys.galois(action, a.level())?;
        Ok(CkksCiphertext { inner: key.apply(self.ring(), self.params.gadget(), &a.inner), ..*a })
    }
}
