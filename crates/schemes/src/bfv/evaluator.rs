//! Operations on ciphertexts of BFV and BGV.
use std::borrow::{Borrow, Cow};
use std::sync::Arc;

use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::ntt::Ntt;
use bootes_ring::poly::{Eval, Poly};
use bootes_ring::rns::{Division, RnsRing};

use super::ciphertext::multiply;
use super::state::{CombinationPlan, ProductPlan};
use super::{BfvCiphertext, BfvEvaluationKey, BfvParams, BfvSchemeError, PhaseSize, Scheme, State};
use crate::cancel::Cancel;
use crate::rlwe::GaloisAction;

/// Evaluates on ciphertexts with the public evaluation key.
///
/// Operands of different levels are brought to the lower one; w is brought down by primes of the chain when that leaves
/// more of the modulus after a product ([`BfvParams::best_level`]). Sums take operands modulo the same power of p, in
/// the form of the first.
#[derive(Debug, Clone)]
pub struct Evaluator {
    pub(crate) params: BfvParams,
    pub(crate) keys: Arc<BfvEvaluationKey>,
    cancel: Cancel,
}

/// Σ c_j·w_j + c over some ciphertexts, and what is known of it without c.
#[derive(Debug)]
pub(super) struct CombinationRow {
    /// c_j, one for each ciphertext.
    pub(super) constants: Vec<i64>,
    pub(super) constant: i64,
    pub(super) state: State,
}

/// From how many rows on combinations are a product of a matrix, for which the columns are cut into digits.
const MATRIX_ROWS: usize = 2;

impl Evaluator {
    /// An evaluator with these keys.
    #[must_use]
    pub fn new(keys: Arc<BfvEvaluationKey>) -> Self {
        Self { params: keys.params().clone(), keys, cancel: Cancel::new() }
    }

    /// The same, whose operations are refused from when `cancel` says so: [`BfvSchemeError::Cancelled`].
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &BfvParams {
        &self.params
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn key_id(&self) -> [u8; 16] {
        self.keys.id()
    }

    pub(crate) fn ring(&self) -> &RnsRing {
        self.params.ring()
    }

    /// Whether to go on, with a ciphertext of this key.
    pub(crate) fn check(&self, x: &BfvCiphertext) -> Result<(), BfvSchemeError> {
        if self.cancel.is_cancelled() {
            return Err(BfvSchemeError::Cancelled);
        }
        if x.key == self.keys.id() && x.set == self.params.fingerprint() {
            return Ok(());
        }
        Err(BfvSchemeError::Foreign { what: "ciphertext", expected: self.params.name().into() })
    }

    fn with(&self, inner: RnsCiphertext, state: State) -> BfvCiphertext {
        debug_assert_eq!(inner.limbs(), self.params.limbs(state.level));
        BfvCiphertext::new(&self.params, inner, state, self.keys.id())
    }

    /// The same message at a lower level: w over the primes that are dropped.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`]; [`BfvSchemeError::Keys`] for a level above that of x, [`BfvSchemeError::Exhausted`]
    /// for one whose modulus is too small.
    pub fn drop_to<'a>(&self, x: &'a BfvCiphertext, level: usize) -> Result<Cow<'a, BfvCiphertext>, BfvSchemeError> {
        self.check(x)?;
        crate::rlwe::params::check("level", level as u64, 0, x.level as u64)?;
        if level == x.level {
            return Ok(Cow::Borrowed(x));
        }
        let state = self.params.promised("division by primes", self.params.at_level(x.state, level))?;
        let ring = self.ring();
        let inner = if level + 1 == x.level {
            x.inner.divided(ring, self.params.drop_of(x.congruence(), x.level))
        } else {
            // By all primes at once: they round once, and fewer limbs are transformed.
            let modulus = self.params.power(x.congruence());
            x.inner.divided(ring, &Division::congruent(ring, x.inner.limbs(), level + 1, modulus))
        };
        Ok(Cow::Owned(self.with(inner, state)))
    }

    /// The same at a lower level in a scheme's form.
    ///
    /// # Errors
    /// As [`Evaluator::drop_to`].
    pub fn brought<'a>(
        &self,
        x: &'a BfvCiphertext,
        level: usize,
        scheme: Scheme,
    ) -> Result<Cow<'a, BfvCiphertext>, BfvSchemeError> {
        Ok(match self.drop_to(x, level)? {
            x if x.scheme == scheme => x,
            x => Cow::Owned(x.into_owned().into_scheme(&self.params, scheme)),
        })
    }

    /// c·w, of c·m or of the factor c·f as `state` says.
    pub(super) fn times<'a>(&self, x: Cow<'a, BfvCiphertext>, c: i64, state: State) -> Cow<'a, BfvCiphertext> {
        if c == 1 {
            return x;
        }
        let constant = self.ring().constant(x.inner.limbs(), c as f64, 0.0);
        let mut x = x.into_owned();
        x.inner.for_both(|x| self.ring().mul_constant_assign(x, &constant));
        x.state = state;
        Cow::Owned(x)
    }

    /// The same message with c·w, for a unit c.
    fn scale<'a>(&self, x: Cow<'a, BfvCiphertext>, c: i64) -> Cow<'a, BfvCiphertext> {
        let state = self.params.scaled(x.state, c);
        self.times(x, c, state)
    }

    fn sum(&self, a: &BfvCiphertext, b: &BfvCiphertext, negative: bool) -> Result<BfvCiphertext, BfvSchemeError> {
        let (constants, state) = self.params.sum(a.state, b.state)?;
        let [a, b] = [a, b].map(|x| self.brought(x, state.level, state.scheme));
        let mut out = self.scale(a?, constants[0]).into_owned();
        let b = self.scale(b?, constants[1]);
        let op = if negative { RnsRing::sub_assign } else { RnsRing::add_assign };
        out.inner.for_both_with(&b.inner, |x, y| op(self.ring(), x, y));
        Ok(BfvCiphertext { state, ..out })
    }

    /// a + b.
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn add(&self, a: &BfvCiphertext, b: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.sum(a, b, false)
    }

    /// a − b.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn sub(&self, a: &BfvCiphertext, b: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.sum(a, b, true)
    }

    /// −a.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`].
    pub fn neg(&self, a: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().neg_assign(x));
        Ok(out)
    }

    /// a + m for a polynomial of N coefficients.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn add_plain(&self, a: &BfvCiphertext, m: &[i64]) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        let size = a.size.plus(self.params.message_size(self.params.power(a.exponent)));
        let state = self.params.promised("sum", State { size, ..a.state })?;
        let plaintext = self.params.plaintext(m, a.scheme, a.exponent, a.factor, a.inner.limbs())?;
        let mut out = BfvCiphertext { state, ..a.clone() };
        self.ring().add_assign(&mut out.inner.b, &self.ring().forward(plaintext));
        Ok(out)
    }

    /// a·m for a polynomial of N coefficients.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn mul_plain(&self, a: &BfvCiphertext, m: &[i64]) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        let plaintext = self.params.plaintext(m, Scheme::Bgv, a.exponent, 1, a.inner.limbs())?;
        let plaintext = self.ring().forward(plaintext);
        let residues = self.params.residues(a.exponent);
        let balanced = m.iter().map(|&m| residues.balance(residues.reduce(m)) as f64);
        let (sum, squares) = balanced.fold((0.0, 0.0), |(sum, squares), m| (sum + m.abs(), squares + m * m));
        let of_plain = PhaseSize { average: f64::log2(squares / m.len() as f64) / 2.0, worst: f64::log2(sum) };
        let size = a.size.product(of_plain, m.len());
        let state = self.params.promised("product with a plaintext", State { size, ..a.state })?;
        let mut out = BfvCiphertext { state, ..a.clone() };
        out.inner.for_both(|x| self.ring().mul_assign(x, &plaintext));
        Ok(out)
    }

    /// a·X^`power`, for any sign of it: no noise.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`].
    pub fn mul_monomial(&self, a: &BfvCiphertext, power: i64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        let degree = self.params.degree();
        // X^N = −1.
        let place = power.rem_euclid(2 * degree as i64) as usize;
        let mut monomial = vec![0.0; degree];
        monomial[place % degree] = if place < degree { 1.0 } else { -1.0 };
        let monomial = self.ring().forward(self.ring().from_integers(a.inner.limbs(), &monomial));
        let mut out = a.clone();
        out.inner.for_both(|x| self.ring().mul_assign(x, &monomial));
        Ok(out)
    }

    /// a + c for one integer in all slots: the constant polynomial.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn add_constant(&self, a: &BfvCiphertext, c: i64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        self.plus_constant(a.clone(), c)
    }

    fn plus_constant(&self, mut a: BfvCiphertext, c: i64) -> Result<BfvCiphertext, BfvSchemeError> {
        let limbs = a.inner.limbs();
        let (w, state) = self.params.plus_constant(a.state, c)?;
        let inverses = (a.scheme == Scheme::Bfv).then(|| self.params.inverse_of_power(a.exponent, limbs));
        for (i, limb) in a.inner.b.iter_mut().enumerate() {
            let q = self.ring().modulus(limbs, i);
            let c = q.balance(q.reduce_signed(w));
            let c = inverses.as_ref().map_or(c, |inverses| q.mul_factor(c, inverses[i]));
            self.ring().ntt(limbs, i).add_constant_assign(limb, c);
        }
        Ok(BfvCiphertext { state, ..a })
    }

    /// c·a for one integer, modulo p^r.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn mul_constant(&self, a: &BfvCiphertext, c: i64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        let residues = self.params.residues(a.exponent);
        let state = self.params.times_constant(a.state, c)?;
        Ok(self.times(Cow::Borrowed(a), residues.balance(residues.reduce(c)), state).into_owned())
    }

    /// Σ c_j·x_j + c modulo p^r, with the factor `factor`, or that of the first term.
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`];
    /// [`BfvSchemeError::Factor`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn combine(
        &self,
        terms: &[(&BfvCiphertext, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        let states: Vec<_> = terms.iter().map(|(x, c)| (x.state, *c)).collect();
        let CombinationPlan { constants, result } = self.params.combination(&states, factor)?;
        let brought = terms.iter().map(|(x, _)| self.drop_to(x, result.level));
        let brought = brought.collect::<Result<Vec<_>, BfvSchemeError>>()?;
        let columns: Vec<&BfvCiphertext> = brought.iter().map(Cow::as_ref).collect();
        Ok(self.combine_rows(&columns, &[CombinationRow { constants, constant, state: result }])?.remove(0))
    }

    /// The combinations of these columns, which are of one level, that the rows say.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    ///
    /// # Panics
    /// Unless there is a column and a row.
    pub(super) fn combine_rows(
        &self,
        columns: &[&BfvCiphertext],
        rows: &[CombinationRow],
    ) -> Result<Vec<BfvCiphertext>, BfvSchemeError> {
        let (ring, State { level, scheme, .. }) = (self.ring(), rows[0].state);
        let brought = columns.iter().map(|x| self.brought(x, level, scheme));
        let brought = brought.collect::<Result<Vec<_>, BfvSchemeError>>()?;
        let limbs = self.params.limbs(level);
        let matrix: Vec<Vec<f64>> = rows.iter().map(|row| row.constants.iter().map(|&c| c as f64).collect()).collect();
        let matrix: Vec<&[f64]> = matrix.iter().map(Vec::as_slice).collect();
        let half = |part: fn(&RnsCiphertext) -> &Poly<Eval>| {
            let columns: Vec<_> = brought.iter().map(|x| part(&x.inner)).collect();
            if rows.len() >= MATRIX_ROWS && Ntt::multiplies(&matrix) {
                return ring.matrix_product(limbs, &matrix, &columns);
            }
            let constant = |&c: &f64| ring.constant(limbs, c, 0.0);
            let constants: Vec<Vec<_>> = matrix.iter().map(|row| row.iter().map(constant).collect()).collect();
            let sums = constants.iter().map(|row| (limbs, row.iter().zip(columns.iter().copied()).collect()));
            ring.linear_combinations(&sums.collect::<Vec<_>>())
        };
        let halves = half(|x| &x.b).into_iter().zip(half(|x| &x.a));
        let row = |(row, (b, a)): (&CombinationRow, _)| {
            let out = self.with(RnsCiphertext { b, a }, row.state);
            if row.constant == 0 { Ok(out) } else { self.plus_constant(out, row.constant) }
        };
        rows.iter().zip(halves).map(row).collect()
    }

    /// x/p^k for a message that is a multiple of p^k, modulo p^(r−k): no noise.
    ///
    /// # Errors
    /// [`BfvSchemeError::Divisor`] unless `divisor` is p^k with 0 ≤ k < r; [`BfvSchemeError::Foreign`].
    pub fn divide_exact(&self, x: &BfvCiphertext, divisor: u64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(x)?;
        let (k, state) = self.params.divided(x.state, divisor)?;
        let mut out = BfvCiphertext { state, ..x.clone() };
        if x.scheme == Scheme::Bgv {
            let inverses = self.params.inverse_of_power(k, x.inner.limbs());
            out.inner.for_both(|x| multiply(self.ring(), x, &inverses));
        }
        Ok(out)
    }

    /// p^k·x modulo p^(r+k): no noise.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exponent`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn multiply_exact(&self, x: &BfvCiphertext, k: u32) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(x)?;
        self.params.check_exponent(x.exponent.saturating_add(k))?;
        // Any lift of the factor is a unit; f·p^k·m depends on it modulo p^r only.
        let size = x.size.scaled((self.params.power(k) as f64).log2());
        let state = State { exponent: x.exponent + k, size, ..x.state };
        let mut out = BfvCiphertext { state: self.params.promised("product with a power of p", state)?, ..x.clone() };
        if x.scheme == Scheme::Bgv {
            let powers = self.params.power_modulo(k, x.inner.limbs());
            out.inner.for_both(|x| multiply(self.ring(), x, &powers));
        }
        Ok(out)
    }

    /// a·b, of the scheme of a.
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`],
    /// [`BfvSchemeError::Keys`].
    pub fn mul(&self, a: &BfvCiphertext, b: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.sum_of_products(&[(a, b)])
    }

    /// Σ a_i·b_i with one relinearisation, of the scheme of a_0.
    ///
    /// # Errors
    /// As [`Evaluator::mul`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn sum_of_products(&self, terms: &[(&BfvCiphertext, &BfvCiphertext)]) -> Result<BfvCiphertext, BfvSchemeError> {
        let states: Vec<_> = terms.iter().map(|(a, b)| (a.state, b.state)).collect();
        self.sum_planned(self.params.products(&states)?, terms.iter().map(|&term| Ok(term)))
    }

    /// [`Self::sum_of_products`] as it was planned, of terms that are made one after the other.
    ///
    /// # Errors
    /// As [`Self::sum_of_products`]; what the terms are refused for.
    ///
    /// # Panics
    /// Unless there is a term.
    pub(super) fn sum_planned<X: Borrow<BfvCiphertext>>(
        &self,
        plan: ProductPlan,
        terms: impl Iterator<Item = Result<(X, X), BfvSchemeError>>,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        let ProductPlan { level, scales, rescale, result } = plan;
        let key = self.keys.relinearisation_at(level)?;
        let mut sum = None;
        for (term, scale) in terms.zip(scales) {
            let (a, b) = term?;
            let a = self.scale(self.brought(a.borrow(), level, result.scheme)?, scale);
            let b = self.brought(b.borrow(), level, result.scheme)?;
            match result.scheme {
                Scheme::Bgv => self.add_bgv_product(&mut sum, &a.inner, &b.inner),
                Scheme::Bfv => self.add_bfv_product(&mut sum, &a.inner, &b.inner, result.exponent),
            }
        }
        let [d0, d1, d2] = sum.expect("a sum has a term");
        let (ring, gadget) = (self.ring(), self.params.gadget_of(result.congruence()));
        let inner = key.switch_and_sum(ring, gadget, &gadget.decompose(ring, &d2), [Some(&d0), Some(&d1)], rescale);
        Ok(self.with(inner, result))
    }

    /// The automorphism X ↦ X^g of an action.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exhausted`].
    pub fn apply(&self, a: &BfvCiphertext, action: GaloisAction) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(a)?;
        if self.params.exponent(action) == 1 {
            return Ok(a.clone());
        }
        let key = self.keys.galois(action, a.level)?;
        let state = self.params.moved(a.state)?;
        Ok(self.with(key.apply(self.ring(), self.params.gadget_of(a.congruence()), &a.inner), state))
    }

    /// The slots rotated to the left along an axis.
    ///
    /// # Errors
    /// As [`Evaluator::apply`].
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn rotate(&self, a: &BfvCiphertext, axis: usize, by: i64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.apply(a, GaloisAction::Rotation { axis, by })
    }
}
