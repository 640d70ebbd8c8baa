//! Slim bootstrapping (Section 4.4 and Appendix A): the ciphertext of a vector over Z_(p^r), a number a slot, becomes
//! one of the same vector at a high level.
//!
//! SlotsToCoeffs → modulus switching to p^e → the sparse key → p^(e−r)·F·m + v modulo p^e at the top level
//! ([`Evaluator::raise`]) → the coefficients of X^(d·i) are selected → CoeffsToSlots → the e − r lowest digits v are
//! removed and divided away.
//!
//! All of it is computed in BGV, whatever the scheme of the ciphertext; the result has the scheme of the input. The
//! unknown noise v is a sum of h + 1 numbers uniform in [−½, ½] and of little else: digits are removed by a circuit for
//! |v| ≤ B, which fails with a stated probability.
use std::sync::Arc;

use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::bfv::linear::stages_state;
use bootes_schemes::bfv::raise::Raised;
use bootes_schemes::bfv::{
    BfvCiphertext, BfvParams, BfvSchemeError, BfvSlots, Evaluator, KeyRequest, PhaseSize, Scheme, SlotMap, State,
};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::ArithmeticCircuit;
use bootes_schemes::rlwe::{GaloisAction, RlweCost};

/// How a vector is refreshed.
#[derive(Debug, Clone)]
pub struct SlimBootstrap {
    params: BfvParams,
    /// r.
    exponent: u32,
    /// e.
    raised: u32,
    /// Vectors modulo p^r to polynomials of X^d.
    to_coeffs: Arc<[SlotMap]>,
    /// The automorphisms that select the coefficients of X^(d·i), times d: for each, x is added to its image.
    trace: Vec<GaloisAction>,
    /// Polynomials of X^d modulo p^e to vectors, over d.
    to_slots: Arc<[SlotMap]>,
    /// The circuit from p^(e−r)·m + v modulo p^e to m modulo p^r, for |v| ≤ `bound`.
    removal: Arc<ArithmeticCircuit<i64>>,
    bound: f64,
}

/// −log2 of the probability with which a slot may come out wrong.
const PROMISE: f64 = 128.0;

/// The state, work and failure of bootstrapping, predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlimPrediction {
    /// The result.
    pub result: State,
    /// The standard deviation of what v has besides rounding.
    pub noise: f64,
    /// log2 of the probability that some of the slots comes out wrong.
    pub log2_failure: f64,
}

impl SlimBootstrap {
    /// Between the plaintext moduli p^r and p^e, [r, e] = `exponents`, with transforms of so many `stages`, a level
    /// each, the last of SlotsToCoeffs at level `lowest`, and a circuit that maps p^(e−r)·m + v modulo p^e to m modulo
    /// p^r, where |v| ≤ `bound`. Level 1 is enough but for large maps: their phases are divided by several primes
    /// before they are small enough for the removal.
    ///
    /// # Errors
    /// As [`BfvSlots::new`], [`BfvSlots::to_coeffs`].
    pub fn new(
        lowest: usize,
        params: &BfvParams,
        exponents: [u32; 2],
        stages: usize,
        removal: ArithmeticCircuit<i64>,
        bound: f64,
    ) -> Result<Self, BfvSchemeError> {
        let [vectors, digits] = [BfvSlots::new(params, exponents[0])?, BfvSlots::new(params, exponents[1])?];
        let over = params.residues(exponents[1]).inverse((params.degree() / vectors.count()) as u64);
        let over = over.expect("a power of two is a unit modulo an odd prime");
        let low: Vec<usize> = (lowest..lowest + stages).rev().collect();
        let high: Vec<usize> = (0..stages).map(|stage| params.max_level().saturating_sub(stage)).collect();
        Ok(Self {
            params: params.clone(),
            exponent: exponents[0],
            raised: exponents[1],
            to_coeffs: vectors.to_coeffs(params, &low)?.into(),
            trace: vectors.trace(),
            to_slots: digits.to_slots(params, &high, over)?.into(),
            removal: Arc::new(removal),
            bound,
        })
    }

    /// Bytes of the maps.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.to_coeffs.iter().chain(&*self.to_slots).map(SlotMap::bytes).sum()
    }

    /// Random polynomials that it bounds, of which a key switch has `switched` and a gate as many as `of_gate` says.
    #[cfg(test)]
    pub(super) fn bounded(&self, switched: f64, of_gate: impl Fn(&bootes_schemes::polyeval::Gate<i64>) -> f64) -> f64 {
        use bootes_schemes::bfv::linear::LinearMap;
        // Each automorphism of a map is taken once.
        let of = |map: &LinearMap| {
            let mut request = KeyRequest::default();
            map.request(&mut request);
            request.galois.len()
        };
        let moves = |map: &SlotMap| of(&map.here) + map.image.as_ref().map_or(0, |(_, map)| 1 + of(map));
        let maps: usize = self.to_coeffs.iter().chain(&*self.to_slots).map(moves).sum();
        let switches = (maps + self.trace.len() + 1) as f64;
        switches * switched + self.removal.gates().iter().map(of_gate).sum::<f64>()
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        let top = self.params.max_level();
        request.raise = true;
        request.products(top);
        self.to_coeffs.iter().chain(&*self.to_slots).for_each(|map| map.request(request));
        self.trace.iter().for_each(|&action| request.action(action, top));
    }

    /// The result for a ciphertext of this state, and how likely it is wrong.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`] for a modulus that does not hold the computation, [`BfvSchemeError::Moduli`] for
    /// another power of p than p^r.
    pub fn predict(&self, x: State) -> Result<SlimPrediction, BfvSchemeError> {
        let low = self.params.at_level(self.lowered(x)?, 0);
        self.predict_raised(low, 0.0, x.scheme)
    }

    /// The state after SlotsToCoeffs.
    fn lowered(&self, x: State) -> Result<State, BfvSchemeError> {
        if x.exponent != self.exponent {
            let exponents = [x.exponent, self.exponent];
            return Err(BfvSchemeError::Moduli { base: self.params.base(), exponents });
        }
        stages_state(&self.to_coeffs, &self.params, x)
    }

    /// [`Self::predict`] from level 0 on, of coefficients that have Gaussian noise of this variance, in turns, besides
    /// w; in the scheme of the result.
    fn predict_raised(&self, low: State, variance: f64, scheme: Scheme) -> Result<SlimPrediction, BfvSchemeError> {
        let params = &self.params;
        let more = variance.sqrt() * params.power(self.raised) as f64;
        let noise = params.raise_noise(low.size, self.exponent, self.raised).hypot(more);
        let mut state = params.raised(self.raised);
        for _ in &self.trace {
            state = params.sum(state, params.moved(state)?)?.1;
        }
        state = stages_state(&self.to_slots, params, state)?;
        let mut result = params.outputs(&self.removal, &[state])?[0];
        result.factor = params.residues(result.exponent).mul(result.factor, params.raised_factor(low));
        result.scheme = scheme;
        let log2_failure = log2_failure_of(params, (low.size, more), [self.exponent, self.raised], self.bound);
        let log2_failure = log2_failure + (params.slots() as f64).log2();
        Ok(SlimPrediction { result, noise, log2_failure })
    }

    /// The work of [`Self::bootstrap`].
    ///
    /// # Errors
    /// As [`Self::predict`].
    pub fn work(&self, cost: RlweCost<'_>) -> Result<Residues, BfvSchemeError> {
        let params = &self.params;
        let top = params.max_level();
        let trace = (cost.rotation(top) + cost.addition(top)) * self.trace.len() as f64;
        let raised = stages_state(&self.to_slots, params, params.raised(self.raised))?;
        let transforms = self.to_coeffs.iter().chain(&*self.to_slots).map(|map| map.work(cost));
        let transforms = transforms.fold(Residues::default(), |sum, work| sum + work);
        let left = params.outputs(&self.removal, &[raised])?[0].level;
        Ok(transforms + cost.switch(top) + trace + circuit_work(cost, &self.removal, [raised.level, left]))
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

    /// The same vector at a high level, in the scheme of the input.
    ///
    /// # Errors
    /// As [`Self::check`], before any work; [`BfvSchemeError::Keys`].
    pub fn bootstrap(&self, evaluator: &Evaluator, x: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check(x.state())?;
        let low = evaluator.apply_stages(&self.to_coeffs, x)?;
        self.raise(evaluator, &low, x.scheme)
    }

    /// The second half: from the coefficients of a ciphertext at a low level.
    fn raise(
        &self,
        evaluator: &Evaluator,
        low: &BfvCiphertext,
        scheme: Scheme,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        let Raised { ciphertext: mut sum, factor, .. } = evaluator.raise(low, self.raised)?;
        for &action in &self.trace {
            sum = evaluator.add(&sum, &evaluator.apply(&sum, action)?)?;
        }
        sum = evaluator.apply_stages(&self.to_slots, &sum)?;
        let removed = evaluator.evaluate(&self.removal, &[&sum], |_, _| ())?.swap_remove(0);
        Ok(evaluator.without_factor(removed, factor).into_scheme(&self.params, scheme))
    }
}

/// The port between engines ([`bootes_lattice::port`]): each half by itself. There the value of a slot is the
/// coefficient of a power of X^d, modulo 2^50.
impl SlimBootstrap {
    /// log2 of the modulus of the port.
    pub const PORT_LOG2_MODULUS: u32 = RlweEncoding::MAX_LOG2_MODULUS;

    /// The place of the coefficient of a slot: with several stages bits are reversed.
    #[must_use]
    pub fn coefficient(&self, slot: usize) -> usize {
        let (k, degree) = (self.params.slots(), self.params.degree());
        let place = match (self.to_coeffs.len(), k / 2) {
            (1, _) => slot,
            (_, columns) => {
                let (row, column) = (slot / columns, slot % columns);
                row * columns + (column.reverse_bits() >> (usize::BITS - columns.ilog2()))
            }
        };
        degree / k * place
    }

    /// SlotsToCoeffs of a vector, as a ciphertext of the port.
    ///
    /// # Errors
    /// As [`Self::port_size`]; [`BfvSchemeError::Keys`], [`BfvSchemeError::Foreign`].
    pub fn to_port(&self, evaluator: &Evaluator, x: &BfvCiphertext) -> Result<RlweCiphertext, BfvSchemeError> {
        self.port_size(x.state())?;
        let low = evaluator.apply_stages(&self.to_coeffs, x)?;
        evaluator.to_port(&low, self.params.degree(), Self::PORT_LOG2_MODULUS)
    }

    /// The noise after [`Self::to_port`] of a ciphertext of this state, in units of 1/q_0 of the torus; the rounding to
    /// the port's modulus is not in it.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`], [`BfvSchemeError::Moduli`].
    pub fn port_size(&self, x: State) -> Result<PhaseSize, BfvSchemeError> {
        let low = self.params.to_port(self.lowered(x)?)?;
        Ok(low.size.scaled(-(self.params.power(self.exponent) as f64).log2()))
    }

    /// The vector of a ciphertext of the port under the secret key of these keys, at a high level, in BGV; `variance`
    /// is that of the Gaussian noise of its coefficients, in turns.
    ///
    /// # Errors
    /// As [`Self::check_port`], before any work; [`BfvSchemeError::Keys`], [`BfvSchemeError::PortModulus`],
    /// [`BfvSchemeError::Port`].
    pub fn from_port(
        &self,
        evaluator: &Evaluator,
        x: &RlweCiphertext,
        variance: f64,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        self.check_port(variance)?;
        // The noise is removed with the digits: the state of the result does not depend on it.
        let low = evaluator.from_port(x, self.exponent, 0.0)?;
        self.raise(evaluator, &low, Scheme::Bgv)
    }

    /// What [`Self::from_port`] makes, and how often it is wrong. Noise of coefficients is counted one by one, as
    /// digits are removed of each: their bound on all roots of unity is for products.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`] for a modulus that does not hold the computation.
    pub fn predict_port(&self, variance: f64) -> Result<SlimPrediction, BfvSchemeError> {
        let low = self.params.ported(Self::PORT_LOG2_MODULUS, 0.0, self.exponent);
        self.predict_raised(low, variance, Scheme::Bgv)
    }

    /// As [`Self::predict_port`], for noise that [`Self::from_port`] accepts.
    ///
    /// # Errors
    /// As there, and [`BfvSchemeError::Exhausted`] where it predicts failures more often than 2^-128.
    pub fn check_port(&self, variance: f64) -> Result<SlimPrediction, BfvSchemeError> {
        let prediction = self.predict_port(variance)?;
        promised(prediction.log2_failure)?;
        Ok(prediction)
    }
}

/// The work of a circuit between two levels, over which its own are spread.
pub(super) fn circuit_work(cost: RlweCost<'_>, circuit: &ArithmeticCircuit<i64>, [from, to]: [usize; 2]) -> Residues {
    let counts = circuit.counts();
    let last = counts.len().max(2) - 1;
    counts.iter().enumerate().fold(Residues::default(), |sum, (below, counts)| {
        let level = from - from.saturating_sub(to) * below / last;
        sum + cost.tensor(level) * counts.products as f64
            + cost.relinearisation(level) * counts.relinearisations as f64
            + cost.matrix_product(1, counts.multiply_adds, level)
    })
}

/// log2 of the probability that |v| is beyond the bound of a removal, for w of this size modulo q_0 and p^r, Gaussian
/// noise of this standard deviation in v, and p^e: [r, e] = `exponents`.
///
/// v is an integer, and its rounding keeps to (h + 1)/2; w keeps to its bound. What is left below B + 1 is for the
/// noise of the switch to the sparse key, and what there is besides.
pub(crate) fn log2_failure_of(
    params: &BfvParams,
    (size, noise): (PhaseSize, f64),
    exponents: [u32; 2],
    bound: f64,
) -> f64 {
    let [r, e] = exponents;
    let units = params.power(e - r) as f64 / params.prime(0);
    let rest = bound + 1.0 - (f64::from(params.literal().sparse_weight) + 1.0) / 2.0;
    log2_failure(rest - size.worst.exp2() * units, params.raise_noise(PhaseSize::ZERO, r, e).hypot(noise))
}

/// Refuses failures that are more frequent than 2^-128.
pub(crate) fn promised(log2_failure: f64) -> Result<(), BfvSchemeError> {
    let found = -log2_failure;
    if found < PROMISE {
        return Err(BfvSchemeError::Exhausted { operation: "removal of digits", needed: PROMISE, found });
    }
    Ok(())
}
