//! All N coefficients of a ciphertext of BFV refreshed through CKKS, for any plaintext modulus t, packed or not (Kim, Seo,
//! Song: *Simpler and Faster BFV Bootstrapping for Arbitrary Plaintext Modulus from CKKS*, ePrint 2024/109).
//!
//! A phase modulo q is φ = (w + q·u)/t with u ≡ F·m modulo t, and w = t·φ modulo q is the noise alone: t times the
//! ciphertext encrypts it, as a polynomial of CKKS. So
//!
//! 1. 2^k·t·c modulo q, brought to q_0, has the coefficients y = 2^k·w/q in turns, as large as CKKS takes them;
//! 2. ordinary bootstrapping of CKKS gives a ciphertext of G·(y + ε) modulo Q', |ε| ≈ 2^-24;
//! 3. (Q'/q)·c less Q'/(G·2^k·t) times that has the phase (Q'·u − (Q'/2^k)·ε)/t: the noise w is now (Q'/2^k)·ε.
//!
//! A pass leaves of |w|/q what CKKS errs by, as a part of the largest y: some 20 bits. Passes follow each other with the
//! noise that the one before left, since 2^k grows.
use std::f64::consts::SQRT_2;

use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::modulus::Modulus;
use bootes_ring::poly::{Eval, Poly};
use bootes_schemes::bfv::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, PhaseSize, Scheme, State};
use bootes_schemes::ckks::Evaluator as CkksEvaluator;
use bootes_schemes::ckks::bootstrap::Bootstrap;

use crate::LutError;

/// How coefficients are refreshed.
#[derive(Debug)]
pub struct CoefficientBootstrap {
    exact: Evaluator,
    ckks: CkksEvaluator,
    bootstrap: Bootstrap,
    /// log2 of the largest y that CKKS gets.
    log2_largest: f64,
    /// log2 of its error ε: the standard deviation, and what no |ε(ζ)| exceeds.
    log2_error: PhaseSize,
    /// log2 of what no coefficient of ε exceeds.
    log2_most: f64,
}

impl CoefficientBootstrap {
    /// With evaluators under one secret key: of BFV on the chain of the set of CKKS ([`BfvParams::on_ckks`]), and of
    /// CKKS with the keys of its ordinary bootstrapping.
    ///
    /// The largest y is the one that leaves the most between it and the error: the approximation of y errs by a high
    /// power of it. What it errs by is read on a grid ([`Bootstrap::turns_noise`]): an estimate, no bound, which no
    /// engine's promise rests on.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`] for evaluators of two secret keys.
    pub fn new(exact: Evaluator, ckks: CkksEvaluator, bootstrap: Bootstrap) -> Result<Self, LutError> {
        if exact.key_id() != ckks.key_id() {
            let expected = exact.params().name().into();
            return Err(BfvSchemeError::Foreign { what: "key of CKKS", expected }.into());
        }
        let of = |log2_largest: f64| {
            let (params, u) = (exact.params(), ckks.params().max_slot_value());
            let error = bootstrap.turns_noise(ckks.params(), log2_largest.exp2());
            // Of all N coefficients, but for 2^-140.
            let most = (error.bias + SQRT_2 * params.tail() * error.std(u)).log2();
            // Noise of the coefficients is independent, a bias may be alike in all.
            let [size, largest] = [error.noise.mean(), error.noise.at(u)].map(|noise| params.random_size(noise));
            let worst = (largest.worst.exp2() + error.bias * params.degree() as f64).log2();
            // In the mean most y are far below the largest, and the bias is a high power of it.
            (log2_largest, PhaseSize { average: size.average, worst }, most)
        };
        let gained = |(largest, _, most): &(f64, PhaseSize, f64)| largest - most;
        let candidates = (6..=20).map(|i| of(-f64::from(i) / 2.0));
        let best = candidates.max_by(|a, b| gained(a).total_cmp(&gained(b)));
        let (log2_largest, log2_error, log2_most) = best.expect("there are candidates");
        Ok(Self { exact, ckks, bootstrap, log2_largest, log2_error, log2_most })
    }

    /// The bits that a pass gains at least: between the largest noise that it takes and the largest that it leaves.
    #[must_use]
    pub fn gained(&self) -> f64 {
        self.log2_largest - self.log2_most
    }

    /// The same message at `level` with what so many passes leave of its noise. The size at worst of what comes out bounds
    /// |w(ζ)|; a pass takes coefficients, so that what is known of them between two passes is kept here.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`] for noise that is too large for a pass, [`BfvSchemeError::Keys`], and what CKKS
    /// refuses.
    pub fn passes(&self, x: &BfvCiphertext, level: usize, count: usize) -> Result<BfvCiphertext, LutError> {
        let first = (x.clone(), x.size.worst);
        let pass = |(x, log2_largest): (BfvCiphertext, f64), _| self.pass(&x, log2_largest, level);
        Ok((0..count).try_fold(first, pass)?.0)
    }

    /// One pass of a ciphertext no coefficient of whose w is beyond 2^`log2_w`; also the same of the result.
    fn pass(&self, x: &BfvCiphertext, log2_w: f64, level: usize) -> Result<(BfvCiphertext, f64), LutError> {
        let params = self.exact.params();
        let before = x.size.worst;
        let x = self.exact.brought(x, x.level.min(level), Scheme::Bfv)?.into_owned();
        let (ring, log2_q) = (params.ring(), params.log2_level(x.level));
        // y ≤ 2^log2_largest at worst.
        // What is nothing is refreshed as something.
        // Where primes were dropped, what is known is the bound of all roots.
        let log2_w = if x.size.worst == before { log2_w } else { x.size.worst };
        let log2_y = log2_w.max(0.0) - log2_q;
        let k = (self.log2_largest - log2_y).floor();
        if k < 0.0 {
            let (needed, found) = (log2_w - self.log2_largest, log2_q);
            return Err(BfvSchemeError::Exhausted { operation: "refreshing of coefficients", needed, found }.into());
        }
        // t·2^k·c, as a polynomial of CKKS: divisions round.
        let noise = x.clone().into_scheme(params, Scheme::Bgv).inner().clone();
        let mut noise = times(params, noise, |q| power_of_two(q, k as u64));
        for from in (1..=x.level).rev() {
            noise = noise.divided(ring, params.drop_of(0, from));
        }
        let refreshed = self.ckks.bootstrap_turns(&self.bootstrap, &noise, |_| ())?;
        if refreshed.level() < level {
            let (needed, found) = (params.log2_level(level), params.log2_level(refreshed.level()));
            return Err(BfvSchemeError::Exhausted { operation: "refreshing of coefficients", needed, found }.into());
        }
        let limbs = params.limbs(level);
        let moduli = ring.moduli(limbs);
        // Q'/q·c: nothing modulo the primes that are new.
        let mut out = RnsCiphertext { b: ring.zero(limbs), a: ring.zero(limbs) };
        let lifted = times(params, x.inner().clone(), |q| {
            moduli[x.level + 1..].iter().fold(1, |product, p| q.mul(product, q.reduce(p.value())))
        });
        for (out, lifted) in [(&mut out.b, &lifted.b), (&mut out.a, &lifted.a)] {
            out.iter_mut().zip(lifted.iter()).for_each(|(out, lifted)| out.copy_from_slice(lifted));
        }
        // Q'/(G·2^k·t), an integer.
        let t = params.power(x.exponent) as f64;
        let log2_constant = params.log2_level(level) - k - t.log2() - refreshed.scale().log2();
        // A mantissa of 50 bits and a power of two.
        let shift = (log2_constant - 50.0).max(0.0).floor();
        let mantissa = (log2_constant - shift).exp2().round() as u64;
        let constant = |q: Modulus| q.mul(q.reduce(mantissa), power_of_two(q, shift as u64));
        let subtracted = times(params, refreshed.inner().restricted(limbs), constant);
        out.for_both_with(&subtracted, |x, y| ring.sub_assign(x, y));
        // Of w = (Q'/2^k)·ε, and what the constant's rounding leaves of w.
        let error = self.log2_error.scaled(params.log2_level(level) - k);
        let rounded = x.size.scaled(-log2_q + params.log2_level(level) - log2_constant.min(CONSTANT_BITS));
        let factor = lifted_factor(params, x.state(), level);
        let state = State { level, factor, size: error.plus(rounded), ..x.state() };
        let most = self.log2_most + params.log2_level(level) - k;
        let most = PhaseSize { average: most, worst: most }.plus(rounded).worst;
        let state = params.promised("refreshing of coefficients", state)?;
        Ok((BfvCiphertext::new(params, out, state, x.key_id()), most))
    }
}

/// f·Q'/q: u stays as it is.
pub(super) fn lifted_factor(params: &BfvParams, x: State, level: usize) -> u64 {
    let residues = params.residues(x.exponent);
    let [from, to] = [x.level, level].map(|level| params.modulus_in(residues, level));
    let inverse = residues.inverse(from).expect("the primes do not divide plaintext moduli");
    residues.mul(x.factor, residues.mul(to, inverse))
}

/// To how many bits a logarithm of a modulus tells it.
const CONSTANT_BITS: f64 = 42.0;

/// 2^k modulo q.
pub(super) fn power_of_two(q: Modulus, k: u64) -> u64 {
    q.pow(2, k)
}

/// Both polynomials times a constant for each prime.
pub(super) fn times(
    params: &BfvParams,
    mut x: RnsCiphertext,
    constant: impl Fn(Modulus) -> u64 + Sync,
) -> RnsCiphertext {
    let ring = params.ring();
    let op = |x: &mut Poly<Eval>| {
        let limbs = x.limbs();
        for (i, limb) in x.iter_mut().enumerate() {
            let q = ring.modulus(limbs, i);
            ring.ntt(limbs, i).mul_factor_assign(limb, q.factor(constant(q)));
        }
    };
    x.for_both(op);
    x
}
