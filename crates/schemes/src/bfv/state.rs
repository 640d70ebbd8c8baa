//! States: levels, factors and sizes of ciphertexts without their polynomials, and the effect of operations on them.
//!
//! An operation is planned here, on states, and done by the [`Evaluator`](super::Evaluator): so budgets and work are
//! known before any work.
use bootes_ring::poly::Limbs;

use super::{BfvParams, BfvSchemeError, PhaseSize, Scheme};

/// All of a ciphertext but its polynomials and its key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// ℓ: the modulus is q_0⋯q_ℓ.
    pub level: usize,
    /// BFV or BGV.
    pub scheme: Scheme,
    /// r: the plaintext modulus is t = p^r.
    pub exponent: u32,
    /// f modulo t: w ≡ f·m.
    pub factor: u64,
    /// The size of w.
    pub size: PhaseSize,
}

impl State {
    /// The bits between w and half the modulus, with w in the mean (one standard deviation) and at worst: below 0
    /// decryption is not promised.
    #[must_use]
    pub fn budget(&self, params: &BfvParams) -> PhaseSize {
        let half = params.log2_level(self.level) - 1.0;
        PhaseSize { average: half - self.size.average, worst: half - self.size.worst }
    }

    /// The exponent of the gadget and of divisions: 0 in BFV, where they round.
    #[must_use]
    pub fn congruence(&self) -> u32 {
        if self.scheme == Scheme::Bfv { 0 } else { self.exponent }
    }
}

/// How a sum of products is made.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductPlan {
    /// The level of the tensor products.
    pub level: usize,
    /// By what the first factor of each is multiplied, for all products to have one factor f.
    pub scales: Vec<i64>,
    /// Whether the relinearisation divides by the prime of the level.
    pub rescale: bool,
    /// The result.
    pub result: State,
}

/// How a combination with constants is made.
#[derive(Debug, Clone, PartialEq)]
pub struct CombinationPlan {
    /// The integer that multiplies each polynomial w_j.
    pub constants: Vec<i64>,
    /// The result, without the constant term.
    pub result: State,
}

impl BfvParams {
    /// A result, of the [least size](Self::least_size) at least; refused where w may not be below half the modulus.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`].
    pub fn promised(&self, operation: &'static str, state: State) -> Result<State, BfvSchemeError> {
        let state = State { size: state.size.at_least(self.least_size(state.exponent)), ..state };
        let (needed, found) = (state.size.worst + 1.0, self.log2_level(state.level));
        if needed <= found { Ok(state) } else { Err(BfvSchemeError::Exhausted { operation, needed, found }) }
    }

    /// Refuses BGV where the keys serve BFV only.
    pub(super) fn has(&self, scheme: Scheme) -> Result<(), BfvSchemeError> {
        if scheme == Scheme::Bgv && self.is_bfv_only() {
            return Err(BfvSchemeError::OtherScheme { found: Scheme::Bgv, expected: Scheme::Bfv });
        }
        Ok(())
    }

    /// Refuses states modulo different powers of p.
    pub(super) fn same_moduli(&self, a: &State, b: &State) -> Result<(), BfvSchemeError> {
        let exponents = [a.exponent, b.exponent];
        if exponents[0] == exponents[1] { Ok(()) } else { Err(BfvSchemeError::Moduli { base: self.base(), exponents }) }
    }

    /// After a division by the prime of the level: w/q and what it rounds, the factor f/q.
    #[must_use]
    pub fn dropped(&self, x: State) -> State {
        let residues = self.residues(x.exponent);
        let q = self.ring().modulus(Limbs::chain(x.level + 1), x.level).value() % residues.modulus();
        let inverse = residues.inverse(q).expect("the primes do not divide plaintext moduli");
        let rounding = self.rounding_size(self.power(x.exponent) as f64);
        let size = x.size.scaled(-self.prime(x.level).log2()).plus(rounding);
        State { level: x.level - 1, factor: residues.mul(x.factor, inverse), size, ..x }
    }

    /// At a level, not above its own.
    #[must_use]
    pub fn at_level(&self, x: State, level: usize) -> State {
        (level..x.level).fold(x, |x, _| self.dropped(x))
    }

    /// The level for a product of operands that leaves the most of the modulus: going down a prime shortens both w by
    /// its bits, down to what rounding leaves, and the modulus once.
    #[must_use]
    pub fn best_level(&self, operands: &[State]) -> usize {
        let top = operands.iter().map(|x| x.level).min().unwrap_or(0);
        let mut at: Vec<State> = operands.iter().map(|&x| self.at_level(x, top)).collect();
        let mut best = (f64::NEG_INFINITY, top);
        for level in (0..=top).rev() {
            let largest = at.iter().map(|x| x.size.worst).fold(f64::NEG_INFINITY, f64::max);
            let left = self.log2_level(level) - 2.0 * largest;
            if left > best.0 {
                best = (left, level);
            }
            if level > 0 {
                at.iter_mut().for_each(|x| *x = self.dropped(*x));
            }
        }
        best.1
    }

    /// The small constants that give w_a and w_b one factor.
    #[must_use]
    pub fn common_factor(&self, a: &State, b: &State) -> [i64; 2] {
        if a.factor == b.factor {
            return [1, 1];
        }
        // f_a·x = f_b·y.
        let residues = self.residues(a.exponent);
        let inverse = residues.inverse(a.factor).expect("a factor is a unit");
        residues.ratio(residues.mul(b.factor, inverse))
    }

    /// The same message with c·w, for a unit c.
    #[must_use]
    pub fn scaled(&self, x: State, c: i64) -> State {
        let residues = self.residues(x.exponent);
        State { factor: residues.mul(x.factor, residues.reduce(c)), size: x.size.times(c), ..x }
    }

    /// The state of a ± b at a level not above theirs, with the constants of [`Self::common_factor`].
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Exhausted`].
    pub fn sum(&self, a: State, b: State) -> Result<([i64; 2], State), BfvSchemeError> {
        self.same_moduli(&a, &b)?;
        let level = a.level.min(b.level);
        let (a, b) = (self.at_level(a, level), self.at_level(b, level));
        let constants = self.common_factor(&a, &b);
        let a = self.scaled(a, constants[0]);
        let size = a.size.plus(b.size.times(constants[1]));
        Ok((constants, self.promised("sum", State { size, ..a })?))
    }

    /// The state of Σ c_j·x_j modulo p^r, at the lowest level of the x_j, with any `factor` or that of the first.
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Exhausted`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn combination(&self, terms: &[(State, i64)], factor: Option<u64>) -> Result<CombinationPlan, BfvSchemeError> {
        let first = terms[0].0;
        let level = terms.iter().map(|(x, _)| x.level).min().expect("a sum has a term");
        let residues = self.residues(first.exponent);
        let first = self.at_level(first, level);
        let factor = factor.unwrap_or(first.factor);
        if residues.inverse(factor).is_none() {
            return Err(BfvSchemeError::Factor { factor, modulus: residues.modulus() });
        }
        let (mut size, mut constants) = (PhaseSize::ZERO, Vec::with_capacity(terms.len()));
        for &(x, c) in terms {
            self.same_moduli(&first, &x)?;
            let x = self.at_level(x, level);
            // Constants are any numbers modulo p^r, and take the quotient of the factors with them.
            let inverse = residues.inverse(x.factor).expect("a factor is a unit");
            let quotient = residues.mul(factor, inverse);
            let c = residues.balance(residues.mul(residues.reduce(c), quotient));
            size = size.plus(x.size.times(c));
            constants.push(c);
        }
        let result = self.promised("combination", State { factor, size, ..first })?;
        Ok(CombinationPlan { constants, result })
    }

    /// After a product with an integer, which is taken balanced modulo p^r.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`].
    pub fn times_constant(&self, x: State, c: i64) -> Result<State, BfvSchemeError> {
        let residues = self.residues(x.exponent);
        let size = x.size.times(residues.balance(residues.reduce(c)));
        self.promised("product with a constant", State { size, ..x })
    }

    /// The state of x + c for an integer: w + f·c. Also f·c modulo t, balanced.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`].
    pub fn plus_constant(&self, x: State, c: i64) -> Result<(i64, State), BfvSchemeError> {
        let residues = self.residues(x.exponent);
        let w = residues.balance(residues.mul(residues.reduce(c), x.factor));
        // One coefficient of N.
        let worst = (w.unsigned_abs() as f64).log2();
        let size = PhaseSize { average: worst - f64::from(self.degree().ilog2()) / 2.0, worst };
        Ok((w, self.promised("sum", State { size: x.size.plus(size), ..x })?))
    }

    /// The state of Σ a_i·b_i with one relinearisation, in the scheme of a_0.
    ///
    /// # Errors
    /// [`BfvSchemeError::Moduli`], [`BfvSchemeError::Exhausted`].
    ///
    /// # Panics
    /// Unless there is a term.
    pub fn products(&self, terms: &[(State, State)]) -> Result<ProductPlan, BfvSchemeError> {
        let State { scheme, exponent, .. } = terms[0].0;
        self.has(scheme)?;
        let all: Vec<State> = terms.iter().flat_map(|&(a, b)| [a, b]).collect();
        all.iter().try_for_each(|x| self.same_moduli(&all[0], x))?;
        let level = match scheme {
            Scheme::Bgv => self.best_level(&all),
            // There w is multiplied by the unknown u, whatever its own size.
            Scheme::Bfv => all.iter().map(|x| x.level).min().expect("a sum has a term").min(self.product_level()),
        };
        let residues = self.residues(exponent);
        let (mut size, mut factor, mut scales) = (PhaseSize::ZERO, None, Vec::with_capacity(terms.len()));
        for &(a, b) in terms {
            let [mut a, b] = [a, b].map(|x| State { scheme, ..self.at_level(x, level) });
            let product = self.product_factor(&a, &b);
            let target = *factor.get_or_insert(product);
            let quotient = residues.mul(target, residues.inverse(product).expect("a factor is a unit"));
            let scale = residues.balance(quotient);
            scales.push(scale);
            a = self.scaled(a, scale);
            size = size.plus(match scheme {
                Scheme::Bgv => a.size.product(b.size, self.degree()),
                Scheme::Bfv => self.bfv_product_size(a.size, b.size, level, exponent),
            });
        }
        let size = size.plus(self.switch_size(level, exponent, scheme == Scheme::Bfv));
        let state = State { level, scheme, exponent, factor: factor.expect("a sum has a term"), size };
        // One level less, for nothing, if w stays larger than what the division rounds.
        let rounding = self.rounding_size(self.power(exponent) as f64);
        let rescale = scheme == Scheme::Bgv && level > 0 && size.worst - self.prime(level).log2() >= rounding.worst;
        let result = self.promised("product", if rescale { self.dropped(state) } else { state })?;
        Ok(ProductPlan { level, scales, rescale, result })
    }

    /// f of a product of states of one level.
    fn product_factor(&self, a: &State, b: &State) -> u64 {
        let residues = self.residues(a.exponent);
        let product = residues.mul(a.factor, b.factor);
        match a.scheme {
            Scheme::Bgv => product,
            Scheme::Bfv => {
                let q = self.modulus_in(residues, a.level);
                residues.neg(residues.mul(product, residues.inverse(q).expect("the primes do not divide p")))
            }
        }
    }

    /// After an automorphism.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`].
    pub fn moved(&self, x: State) -> Result<State, BfvSchemeError> {
        self.has(x.scheme)?;
        let size = x.size.plus(self.switch_size(x.level, x.exponent, x.scheme == Scheme::Bfv));
        self.promised("automorphism", State { size, ..x })
    }

    /// After an exact division by p^k: modulo p^(r−k). Also k.
    ///
    /// # Errors
    /// [`BfvSchemeError::Divisor`] unless `divisor` is p^k with 0 ≤ k < r.
    pub fn divided(&self, x: State, divisor: u64) -> Result<(u32, State), BfvSchemeError> {
        let (base, exponent) = (self.base(), x.exponent);
        let k = (0..exponent).find(|&k| self.power(k) == divisor);
        let k = k.ok_or(BfvSchemeError::Divisor { base, exponent, divisor })?;
        let (exponent, size) = (exponent - k, x.size.scaled(-(divisor as f64).log2()));
        Ok((k, State { exponent, factor: x.factor % self.power(exponent), size, ..x }))
    }
}
