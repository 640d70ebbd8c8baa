//! Operations on ciphertexts of BFV and BGV.
use std::borrow::Cow;
use std::sync::Arc;

use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::RnsRing;

use super::ciphertext::multiply;
use super::{ExactCiphertext, ExactError, ExactEvaluationKey, ExactParams, PhaseSize, Scheme};
use crate::cancel::Cancel;
use crate::rlwe::GaloisAction;

/// Evaluates on ciphertexts with the public evaluation key.
///
/// Operands of different levels are brought to the lower one; w is brought down by primes of the chain when that leaves
/// more of the modulus after a product ([`Evaluator::best_level`]). Sums take operands modulo the same power of p, in
/// the form of the first.
#[derive(Debug, Clone)]
pub struct Evaluator {
    pub(crate) params: ExactParams,
    pub(crate) keys: Arc<ExactEvaluationKey>,
    cancel: Cancel,
}

/// A sum of products (d_0, d_1, d_2) of the phase d_0 + d_1·s + d_2·s².
pub(crate) struct Tensor {
    pub(crate) d: [Poly<Eval>; 3],
    pub(crate) scheme: Scheme,
    pub(crate) exponent: u32,
    pub(crate) factor: u64,
    pub(crate) size: PhaseSize,
}

impl Evaluator {
    /// An evaluator with these keys.
    #[must_use]
    pub fn new(keys: Arc<ExactEvaluationKey>) -> Self {
        Self { params: keys.params().clone(), keys, cancel: Cancel::new() }
    }

    /// The same, whose operations are refused from when `cancel` says so: [`ExactError::Cancelled`].
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &ExactParams {
        &self.params
    }

    pub(crate) fn ring(&self) -> &RnsRing {
        self.params.ring()
    }

    /// Whether to go on, with a ciphertext of this key.
    pub(crate) fn check(&self, x: &ExactCiphertext) -> Result<(), ExactError> {
        if self.cancel.is_cancelled() {
            return Err(ExactError::Cancelled);
        }
        if x.key == self.keys.id() {
            return Ok(());
        }
        Err(ExactError::Foreign { what: "ciphertext", expected: self.params.name().into() })
    }

    /// Refuses a result whose w may not be below half the modulus.
    pub(crate) fn promised(&self, operation: &'static str, x: ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        let (needed, found) = (x.size.worst + 1.0, self.params.log2_level(x.level()));
        if needed <= found { Ok(x) } else { Err(ExactError::Exhausted { operation, needed, found }) }
    }

    /// The exponent of the gadget and of divisions for a ciphertext: 0 in BFV, where they round.
    fn congruence(x: &ExactCiphertext) -> u32 {
        if x.scheme == Scheme::Bfv { 0 } else { x.exponent }
    }

    /// The size of w at lower levels: w divided by the primes between, and what each division rounds.
    fn size_at(&self, x: &ExactCiphertext, level: usize) -> PhaseSize {
        let rounding = self.params.rounding_size(self.params.power(x.exponent) as f64);
        (level + 1..=x.level())
            .rev()
            .fold(x.size, |size, dropped| size.scaled(-self.params.prime(dropped).log2()).plus(rounding))
    }

    /// The same message at a lower level: w over the primes that are dropped.
    ///
    /// # Errors
    /// [`ExactError::Foreign`]; [`ExactError::Keys`] for a level above that of x.
    pub fn drop_to<'a>(&self, x: &'a ExactCiphertext, level: usize) -> Result<Cow<'a, ExactCiphertext>, ExactError> {
        self.check(x)?;
        crate::rlwe::params::check("level", level as u64, 0, x.level() as u64)?;
        let mut x = Cow::Borrowed(x);
        while x.level() > level {
            let from = x.level();
            let size = self.size_at(&x, from - 1);
            let inner = x.inner.divided(self.ring(), self.params.drop_of(Self::congruence(&x), from));
            let factor = self.dropped_factor(x.exponent, x.factor, from);
            x = Cow::Owned(ExactCiphertext { inner, factor, size, ..*x });
        }
        Ok(x)
    }

    /// f/q_ℓ.
    fn dropped_factor(&self, exponent: u32, factor: u64, level: usize) -> u64 {
        let residues = self.params.residues(exponent);
        let q = self.ring().modulus(Limbs::chain(level + 1), level).value() % residues.modulus();
        residues.mul(factor, residues.inverse(q).expect("the primes do not divide plaintext moduli"))
    }

    /// The level for a product of operands that leaves the most of the modulus: going down a prime shortens both w by
    /// its bits, down to what rounding leaves, and the modulus once.
    #[must_use]
    pub fn best_level(&self, operands: &[&ExactCiphertext]) -> usize {
        let top = operands.iter().map(|x| x.level()).min().unwrap_or(0);
        let left = |level: usize| {
            let mut sizes: Vec<f64> = operands.iter().map(|x| self.size_at(x, level).worst).collect();
            sizes.sort_by(f64::total_cmp);
            let largest = sizes[sizes.len() - 1];
            self.params.log2_level(level) - 2.0 * largest
        };
        (0..=top).rev().max_by(|&a, &b| left(a).total_cmp(&left(b))).unwrap_or(0)
    }

    /// Both at one level, in the form of the first, with one factor; refuses what cannot be.
    fn aligned<'a>(
        &self,
        a: &'a ExactCiphertext,
        b: &'a ExactCiphertext,
    ) -> Result<[Cow<'a, ExactCiphertext>; 2], ExactError> {
        self.check(a)?;
        self.check(b)?;
        self.same_moduli(a, b)?;
        let level = a.level().min(b.level());
        let (a, mut b) = (self.drop_to(a, level)?, self.drop_to(b, level)?);
        if a.scheme != b.scheme {
            b = Cow::Owned(b.into_owned().into_scheme(&self.params, a.scheme));
        }
        if a.factor == b.factor {
            return Ok([a, b]);
        }
        // f_a·x = f_b·y for small x, y.
        let residues = self.params.residues(a.exponent);
        let inverse = residues.inverse(a.factor).expect("a factor is a unit");
        let [x, y] = residues.ratio(residues.mul(b.factor, inverse));
        Ok([Cow::Owned(self.scale(&a, x)), Cow::Owned(self.scale(&b, y))])
    }

    fn same_moduli(&self, a: &ExactCiphertext, b: &ExactCiphertext) -> Result<(), ExactError> {
        let exponents = [a.exponent, b.exponent];
        if exponents[0] == exponents[1] {
            Ok(())
        } else {
            Err(ExactError::Moduli { base: self.params.base(), exponents })
        }
    }

    /// The same message with c·w, of the factor c·f, for a unit c.
    pub(crate) fn scale(&self, x: &ExactCiphertext, c: i64) -> ExactCiphertext {
        let residues = self.params.residues(x.exponent);
        let factor = residues.mul(x.factor, residues.reduce(c));
        ExactCiphertext { factor, ..self.times(x, c) }
    }

    /// c·x for an integer |c| < 2^40.
    fn times(&self, x: &ExactCiphertext, c: i64) -> ExactCiphertext {
        let constant = self.ring().constant(x.inner.limbs(), c as f64, 0.0);
        let mut out = x.clone();
        out.inner.for_both(|x| self.ring().mul_constant_assign(x, &constant));
        out.size = x.size.times(c);
        out
    }

    fn sum(&self, a: &ExactCiphertext, b: &ExactCiphertext, negative: bool) -> Result<ExactCiphertext, ExactError> {
        let [a, b] = self.aligned(a, b)?;
        let mut out = a.into_owned();
        let op = if negative { RnsRing::sub_assign } else { RnsRing::add_assign };
        out.inner.for_both_with(&b.inner, |x, y| op(self.ring(), x, y));
        out.size = out.size.plus(b.size);
        self.promised("sum", out)
    }

    /// a + b.
    ///
    /// # Errors
    /// [`ExactError::Moduli`], [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn add(&self, a: &ExactCiphertext, b: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        self.sum(a, b, false)
    }

    /// a − b.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn sub(&self, a: &ExactCiphertext, b: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        self.sum(a, b, true)
    }

    /// −a.
    ///
    /// # Errors
    /// [`ExactError::Foreign`].
    pub fn neg(&self, a: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().neg_assign(x));
        Ok(out)
    }

    /// a + m for a polynomial of N coefficients.
    ///
    /// # Errors
    /// [`ExactError::Coefficients`], [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn add_plain(&self, a: &ExactCiphertext, m: &[i64]) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        let plaintext = self.params.plaintext(m, a.scheme, a.exponent, a.factor, a.inner.limbs())?;
        let mut out = a.clone();
        self.ring().add_assign(&mut out.inner.b, &self.ring().forward(plaintext));
        out.size = out.size.plus(self.params.message_size(self.params.power(a.exponent)));
        self.promised("sum", out)
    }

    /// a·m for a polynomial of N coefficients.
    ///
    /// # Errors
    /// [`ExactError::Coefficients`], [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn mul_plain(&self, a: &ExactCiphertext, m: &[i64]) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        let plaintext = self.params.plaintext(m, Scheme::Bgv, a.exponent, 1, a.inner.limbs())?;
        let plaintext = self.ring().forward(plaintext);
        let residues = self.params.residues(a.exponent);
        let balanced = m.iter().map(|&m| residues.balance(residues.reduce(m)) as f64);
        let (sum, squares) = balanced.fold((0.0, 0.0), |(sum, squares), m| (sum + m.abs(), squares + m * m));
        let degree = m.len() as f64;
        let of_plain = PhaseSize { average: (squares / degree).log2() / 2.0, worst: sum.log2() };
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().mul_assign(x, &plaintext));
        out.size = a.size.product(of_plain, m.len());
        self.promised("product with a plaintext", out)
    }

    /// a + c for one integer in all slots: the constant polynomial.
    ///
    /// # Errors
    /// [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn add_constant(&self, a: &ExactCiphertext, c: i64) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        let residues = self.params.residues(a.exponent);
        let mut out = a.clone();
        let limbs = a.inner.limbs();
        let w = residues.balance(residues.mul(residues.reduce(c), a.factor));
        let inverses = (a.scheme == Scheme::Bfv).then(|| self.params.inverse_of_power(a.exponent, limbs));
        for (i, limb) in out.inner.b.iter_mut().enumerate() {
            let q = self.ring().modulus(limbs, i);
            let c = q.balance(q.reduce_signed(w));
            let c = inverses.as_ref().map_or(c, |inverses| q.mul_factor(c, inverses[i]));
            self.ring().ntt(limbs, i).add_constant_assign(limb, c);
        }
        // One coefficient.
        let worst = PhaseSize { average: f64::NEG_INFINITY, worst: (w.unsigned_abs() as f64).log2() };
        out.size = out.size.plus(worst);
        self.promised("sum", out)
    }

    /// c·a for one integer, modulo p^r.
    ///
    /// # Errors
    /// [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn mul_constant(&self, a: &ExactCiphertext, c: i64) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        let residues = self.params.residues(a.exponent);
        self.promised("product with a constant", self.times(a, residues.balance(residues.reduce(c))))
    }

    /// Σ c_j·x_j + c modulo p^r, with the factor `factor`, or that of the first term.
    ///
    /// # Errors
    /// [`ExactError::Moduli`], [`ExactError::Foreign`], [`ExactError::Exhausted`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn combine(
        &self,
        terms: &[(&ExactCiphertext, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<ExactCiphertext, ExactError> {
        let (first, ring) = (terms[0].0, self.ring());
        let level = terms.iter().map(|(x, _)| x.level()).min().expect("a sum has a term");
        let limbs = self.params.limbs(level);
        let residues = self.params.residues(first.exponent);
        let mut dropped = Vec::with_capacity(terms.len());
        for (x, _) in terms {
            self.check(x)?;
            self.same_moduli(first, x)?;
            let x = self.drop_to(x, level)?;
            let same = x.scheme == first.scheme;
            dropped.push(if same { x } else { Cow::Owned(x.into_owned().into_scheme(&self.params, first.scheme)) });
        }
        let factor = factor.unwrap_or(dropped[0].factor);
        let mut size = PhaseSize::ZERO;
        // Constants are any numbers modulo p^r, and take the quotient of the factors with them.
        let constants: Vec<_> = terms
            .iter()
            .zip(&dropped)
            .map(|((_, c), x)| {
                let inverse = residues.inverse(x.factor).expect("a factor is a unit");
                let quotient = residues.mul(factor, inverse);
                let c = residues.balance(residues.mul(residues.reduce(*c), quotient));
                size = size.plus(x.size.times(c));
                ring.constant(limbs, c as f64, 0.0)
            })
            .collect();
        let half = |part: fn(&RnsCiphertext) -> &Poly<Eval>| {
            let terms = constants.iter().zip(&dropped).map(|(c, x)| (c, part(&x.inner))).collect();
            ring.linear_combinations(&[(limbs, terms)]).remove(0)
        };
        let inner = RnsCiphertext { b: half(|x| &x.b), a: half(|x| &x.a) };
        let out = ExactCiphertext { inner, factor, size, ..*first };
        let out = if constant == 0 { out } else { self.add_constant(&out, constant)? };
        self.promised("combination", out)
    }

    /// x/p^k for a message that is a multiple of p^k, modulo p^(r−k): no noise.
    ///
    /// # Errors
    /// [`ExactError::Divisor`] unless `divisor` is p^k with 0 ≤ k < r; [`ExactError::Foreign`].
    pub fn divide_exact(&self, x: &ExactCiphertext, divisor: u64) -> Result<ExactCiphertext, ExactError> {
        self.check(x)?;
        let (base, exponent) = (self.params.base(), x.exponent);
        let k = (0..exponent).find(|&k| self.params.power(k) == divisor);
        let k = k.ok_or(ExactError::Divisor { base, exponent, divisor })?;
        let mut out = x.clone();
        if x.scheme == Scheme::Bgv {
            let inverses = self.params.inverse_of_power(k, x.inner.limbs());
            out.inner.for_both(|x| multiply(self.ring(), x, &inverses));
        }
        out.exponent = exponent - k;
        out.factor = x.factor % self.params.power(out.exponent);
        out.size = x.size.scaled(-(divisor as f64).log2());
        Ok(out)
    }

    /// p^k·x modulo p^(r+k): no noise.
    ///
    /// # Errors
    /// [`ExactError::Exponent`], [`ExactError::Foreign`].
    pub fn multiply_exact(&self, x: &ExactCiphertext, k: u32) -> Result<ExactCiphertext, ExactError> {
        self.check(x)?;
        self.params.check_exponent(x.exponent + k)?;
        let mut out = x.clone();
        if x.scheme == Scheme::Bgv {
            let powers = self.params.power_modulo(k, x.inner.limbs());
            out.inner.for_both(|x| multiply(self.ring(), x, &powers));
        }
        // Any lift of the factor is a unit; f·p^k·m depends on it modulo p^r only.
        out.exponent = x.exponent + k;
        out.size = x.size.scaled((self.params.power(k) as f64).log2());
        Ok(out)
    }

    /// a·b, of the scheme of a.
    ///
    /// # Errors
    /// [`ExactError::Moduli`], [`ExactError::Foreign`], [`ExactError::Exhausted`], [`ExactError::Keys`].
    pub fn mul(&self, a: &ExactCiphertext, b: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        self.sum_of_products(&[(a, b)])
    }

    /// Σ a_i·b_i with one relinearisation, of the scheme of a_0.
    ///
    /// # Errors
    /// As [`Evaluator::mul`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn sum_of_products(
        &self,
        terms: &[(&ExactCiphertext, &ExactCiphertext)],
    ) -> Result<ExactCiphertext, ExactError> {
        let scheme = terms[0].0.scheme;
        let all: Vec<_> = terms.iter().flat_map(|&(a, b)| [a, b]).collect();
        for x in &all {
            self.check(x)?;
            self.same_moduli(all[0], x)?;
        }
        // In BFV w is multiplied by the unknown u, whatever its own size.
        let top = all.iter().map(|x| x.level()).min().expect("a sum has a term");
        let level = if scheme == Scheme::Bgv { self.best_level(&all) } else { top };
        let mut sum: Option<Tensor> = None;
        for (a, b) in terms {
            let [a, b] = [a, b].map(|x| {
                Ok::<_, ExactError>(match self.drop_to(x, level)? {
                    x if x.scheme == scheme => x,
                    x => Cow::Owned(x.into_owned().into_scheme(&self.params, scheme)),
                })
            });
            let (a, b) = (a?, b?);
            let residues = self.params.residues(a.exponent);
            let factor = self.product_factor(&a, &b);
            let target = sum.as_ref().map_or(factor, |sum| sum.factor);
            let a = if factor == target {
                a
            } else {
                let quotient = residues.mul(target, residues.inverse(factor).expect("a factor is a unit"));
                Cow::Owned(self.scale(&a, residues.balance(quotient)))
            };
            match scheme {
                Scheme::Bgv => self.add_bgv_product(&mut sum, &a, &b),
                Scheme::Bfv => self.add_bfv_product(&mut sum, &a, &b),
            }
        }
        self.relinearise(sum.expect("a sum has a term"))
    }

    /// The factor of a product.
    pub(crate) fn product_factor(&self, a: &ExactCiphertext, b: &ExactCiphertext) -> u64 {
        let residues = self.params.residues(a.exponent);
        let product = residues.mul(a.factor, b.factor);
        match a.scheme {
            Scheme::Bgv => product,
            Scheme::Bfv => {
                let q = self.params.modulus_in(residues, a.level());
                residues.neg(residues.mul(product, residues.inverse(q).expect("the primes do not divide p")))
            }
        }
    }

    /// The ciphertext of a sum of products; one level less if w is larger than rounding by that much.
    fn relinearise(&self, tensor: Tensor) -> Result<ExactCiphertext, ExactError> {
        let Tensor { d: [d0, d1, d2], scheme, exponent, factor, size } = tensor;
        let level = d0.limbs().chain - 1;
        let congruence = if scheme == Scheme::Bfv { 0 } else { exponent };
        let (ring, gadget, key) = (self.ring(), self.params.gadget_of(congruence), self.keys.relinearisation()?);
        let size = size.plus(self.params.switch_size(level, exponent, scheme == Scheme::Bfv));
        let rounding = self.params.rounding_size(self.params.power(exponent) as f64);
        let rescale =
            scheme == Scheme::Bgv && level > 0 && size.worst - self.params.prime(level).log2() >= rounding.worst;
        let inner = key.switch_and_sum(ring, gadget, &gadget.decompose(ring, &d2), [Some(&d0), Some(&d1)], rescale);
        let key = self.keys.id();
        let mut out = ExactCiphertext { inner, scheme, exponent, factor, size, key };
        if rescale {
            out.factor = self.dropped_factor(exponent, factor, level);
            out.size = size.scaled(-self.params.prime(level).log2()).plus(rounding);
        }
        self.promised("product", out)
    }

    /// The automorphism X ↦ X^g of an action.
    ///
    /// # Errors
    /// [`ExactError::Keys`], [`ExactError::Foreign`], [`ExactError::Exhausted`].
    pub fn apply(&self, a: &ExactCiphertext, action: GaloisAction) -> Result<ExactCiphertext, ExactError> {
        self.check(a)?;
        if self.params.exponent(action) == 1 {
            return Ok(a.clone());
        }
        let key = self.keys.galois(action, a.level())?;
        let inner = key.apply(self.ring(), self.params.gadget_of(Self::congruence(a)), &a.inner);
        let size = a.size.plus(self.params.switch_size(a.level(), a.exponent, a.scheme == Scheme::Bfv));
        self.promised("automorphism", ExactCiphertext { inner, size, ..*a })
    }

    /// The slots rotated to the left along an axis.
    ///
    /// # Errors
    /// As [`Evaluator::apply`].
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn rotate(&self, a: &ExactCiphertext, axis: usize, by: i64) -> Result<ExactCiphertext, ExactError> {
        self.apply(a, GaloisAction::Rotation { axis, by })
    }
}
