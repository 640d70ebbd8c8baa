//! Full bootstrapping (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*, Section 4.2): any polynomial
//! modulo p^r, of all N coefficients or of every s-th, at a high level again.
//!
//! Modulus switching to p^e → the sparse key → p^(e−r)·F·m + v modulo p^e at the top level ([`Evaluator::raise`]) →
//! a ciphertext for each i < d, of the coefficients of X^(d·j + i) in slot j → the e − r lowest digits are removed and
//! divided away → SlotsToCoeffs, times X^i, summed.
//!
//! The paper multiplies d Frobenius images with d² constants. Here polynomials are parted as in a Fourier transform: with
//! σ that takes X^(2^t) to −X^(2^t), c = E(X^(2^(t+1))) + X^(2^t)·O(X^(2^(t+1))) gives 2E = c + σ(c) and 2O = X^(−2^t)·(c −
//! σ(c)), so d − 1 automorphisms make all d parts, and no constants.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootes_schemes::bfv::linear::stages_state;
use bootes_schemes::bfv::raise::Raised;
use bootes_schemes::bfv::{BfvCiphertext, BfvParams, BfvSchemeError, BfvSlots, Evaluator, KeyRequest, SlotMap, State};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::ArithmeticCircuit;
use bootes_schemes::rlwe::{GaloisAction, RlweCost};

use crate::bfv::slim::{SlimPrediction, log2_failure_of, promised};

/// How a polynomial is refreshed.
#[derive(Debug, Clone)]
pub struct FullBootstrap {
    params: BfvParams,
    /// [r, e].
    exponents: [u32; 2],
    /// The t-th takes X^(2^t) to −X^(2^t).
    signs: Vec<GaloisAction>,
    /// log2 s: messages are polynomials of X^s.
    spread: usize,
    /// Polynomials of X^d modulo p^e to vectors, over d.
    to_slots: Arc<[SlotMap]>,
    /// The circuit from p^(e−r)·m + v modulo p^e to m modulo p^r, for |v| ≤ `bound`.
    removal: Arc<ArithmeticCircuit<i64>>,
    bound: f64,
    /// Vectors modulo p^r to polynomials of X^d.
    to_coeffs: Arc<[SlotMap]>,
}

impl FullBootstrap {
    /// Between the plaintext moduli p^r and p^e, [r, e] = `exponents`, for polynomials of X^`spread`, 1 for all; with a
    /// circuit that maps p^(e−r)·m + v modulo p^e to m modulo p^r, where |v| ≤ `bound`. Transforms are of so many `stages`, a
    /// level each, those to coefficients from the level on that leaves the most.
    ///
    /// # Errors
    /// [`BfvSchemeError::Spread`] unless `spread` divides d; as [`BfvSlots::new`], [`BfvSlots::to_coeffs`];
    /// [`BfvSchemeError::Exhausted`] for primes that do not suffice.
    pub fn new(
        params: &BfvParams,
        exponents: [u32; 2],
        spread: usize,
        stages: usize,
        removal: ArithmeticCircuit<i64>,
        bound: f64,
    ) -> Result<Self, BfvSchemeError> {
        let [vectors, digits] = [BfvSlots::new(params, exponents[0])?, BfvSlots::new(params, exponents[1])?];
        let parts = digits.extension();
        if !(spread.is_power_of_two() && spread <= parts) {
            return Err(BfvSchemeError::Spread { found: spread, max: parts });
        }
        let over = params.residues(exponents[1]).inverse(parts as u64).expect("a power of two is a unit");
        let from = |level: usize| (0..stages).map(|stage| level.saturating_sub(stage)).collect::<Vec<_>>();
        let mut full = Self {
            params: params.clone(),
            exponents,
            signs: digits.trace(),
            spread: spread.ilog2() as usize,
            to_slots: digits.to_slots(params, &from(params.max_level()), over)?.into(),
            removal: Arc::new(removal),
            bound,
            to_coeffs: Arc::new([]),
        };
        let removed = full.removed()?;
        let level = params.best_level(&[removed]).max(stages).min(removed.level);
        full.to_coeffs = vectors.to_coeffs(params, &from(level))?.into();
        Ok(full)
    }

    /// How many parts are refreshed: the degree d/s of what a slot holds.
    #[must_use]
    pub fn parts(&self) -> usize {
        1 << (self.signs.len() - self.spread)
    }

    /// Bytes of the maps.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.to_coeffs.iter().chain(&*self.to_slots).map(SlotMap::bytes).sum()
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        let top = self.params.max_level();
        request.raise = true;
        request.products(top);
        self.to_coeffs.iter().chain(&*self.to_slots).for_each(|map| map.request(request));
        self.signs.iter().for_each(|&action| request.action(action, top));
    }

    /// The state of a part after the removal of digits.
    fn removed(&self) -> Result<State, BfvSchemeError> {
        let params = &self.params;
        let mut state = params.raised(self.exponents[1]);
        for _ in &self.signs {
            state = params.sum(state, params.moved(state)?)?.1;
        }
        state = stages_state(&self.to_slots, params, state)?;
        Ok(params.outputs(&self.removal, &[state])?[0])
    }

    /// The result for a ciphertext of this state, and how likely it is wrong.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`] for a modulus that does not hold the computation, [`BfvSchemeError::Moduli`] for
    /// another power of p than p^r.
    pub fn predict(&self, x: State) -> Result<SlimPrediction, BfvSchemeError> {
        let (params, [r, e]) = (&self.params, self.exponents);
        if x.exponent != r {
            return Err(BfvSchemeError::Moduli { base: params.base(), exponents: [x.exponent, r] });
        }
        let low = params.promised("division by primes", params.at_level(x, 0))?;
        let mut result = stages_state(&self.to_coeffs, params, self.removed()?)?;
        for _ in self.spread..self.signs.len() {
            result = params.sum(result, result)?.1;
        }
        result.factor = params.residues(r).mul(result.factor, params.raised_factor(low));
        result.scheme = x.scheme;
        let coefficients = params.slots() * self.parts();
        let log2_failure = log2_failure_of(params, (low.size, 0.0), self.exponents, self.bound);
        let log2_failure = log2_failure + (coefficients as f64).log2();
        Ok(SlimPrediction { result, noise: params.raise_noise(low.size, r, e), log2_failure })
    }

    /// The work of [`Self::bootstrap`].
    ///
    /// # Errors
    /// As [`Self::predict`].
    pub fn work(&self, cost: RlweCost<'_>) -> Result<Residues, BfvSchemeError> {
        let (params, parts) = (&self.params, self.parts() as f64);
        let (top, left) = (params.max_level(), self.removed()?.level);
        let split = (cost.rotation(top) + cost.addition(top) * 2.0) * (parts - 1.0 + self.spread as f64);
        let maps = self.to_coeffs.iter().chain(&*self.to_slots).map(|map| map.work(cost));
        let maps = maps.fold(Residues::default(), |sum, work| sum + work);
        // Products are spread over the levels between.
        let (counts, middle) = (self.removal.total_counts(), (top + left) / 2);
        let products = cost.tensor(middle) * counts.products as f64
            + cost.relinearisation(middle) * counts.relinearisations as f64
            + cost.passes(2 * (middle + 1)) * counts.multiply_adds as f64;
        Ok(cost.switch(top) + split + (maps + products) * parts)
    }

    /// As [`Self::predict`], for a ciphertext that [`Self::bootstrap`] accepts.
    ///
    /// # Errors
    /// As [`Self::predict`], and [`BfvSchemeError::Exhausted`] where it predicts failures more often than 2^-128.
    pub fn check(&self, x: State) -> Result<SlimPrediction, BfvSchemeError> {
        let prediction = self.predict(x)?;
        promised(prediction.log2_failure)?;
        Ok(prediction)
    }

    /// The same polynomial at a high level, in the scheme of the input. Parts are worked on by all threads of the pool;
    /// `progress` hears from them how many of how many are done.
    ///
    /// # Errors
    /// As [`Self::check`], before any work; [`BfvSchemeError::Keys`].
    pub fn bootstrap(
        &self,
        evaluator: &Evaluator,
        x: &BfvCiphertext,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(x.state())?;
        let Raised { ciphertext: mut sum, factor, .. } = evaluator.raise(x, self.exponents[1])?;
        // v is in all coefficients, the message in every s-th.
        for &action in &self.signs[..self.spread] {
            sum = evaluator.add(&sum, &evaluator.apply(&sum, action)?)?;
        }
        let done = AtomicUsize::new(0);
        let told = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, self.parts());
        let refreshed = self.refresh(evaluator, sum, self.spread, &told)?;
        Ok(evaluator.without_factor(refreshed, factor).into_scheme(&self.params, x.scheme))
    }

    /// Refreshes a polynomial of X^(2^t).
    fn refresh(
        &self,
        evaluator: &Evaluator,
        x: BfvCiphertext,
        t: usize,
        told: &(impl Fn() + Sync),
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        let Some(&action) = self.signs.get(t) else {
            let x = evaluator.apply_stages(&self.to_slots, &x)?;
            let x = evaluator.evaluate(&self.removal, &[&x], |_, _| ())?.swap_remove(0);
            let x = evaluator.apply_stages(&self.to_coeffs, &x)?;
            told();
            return Ok(x);
        };
        let stride = 1 << t;
        let moved = evaluator.apply(&x, action)?;
        let [even, odd] = [evaluator.add(&x, &moved)?, evaluator.mul_monomial(&evaluator.sub(&x, &moved)?, -stride)?];
        drop((x, moved));
        let (even, odd) =
            rayon::join(|| self.refresh(evaluator, even, t + 1, told), || self.refresh(evaluator, odd, t + 1, told));
        evaluator.add(&even?, &evaluator.mul_monomial(&odd?, stride)?)
    }
}
