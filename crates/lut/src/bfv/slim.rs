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
use bootes_schemes::exact::raise::Raised;
use bootes_schemes::exact::{
    Evaluator, ExactCiphertext, ExactError, ExactParams, KeyRequest, LinearMap, Scheme, State,
};
use bootes_schemes::polyeval::ArithmeticCircuit;
use bootes_schemes::rlwe::GaloisAction;

/// A linear map of slots along two axes: Σ of a map of the slots, and of one of the slots with their rows exchanged.
#[derive(Debug)]
pub struct Stage {
    /// Of the slots as they are.
    pub here: LinearMap,
    /// Of the slots whose rows are exchanged, X ↦ X^-1, if there are two.
    pub exchanged: Option<LinearMap>,
}

/// What multiplies the slots' rows: −1 modulo 2N.
const EXCHANGE: GaloisAction = GaloisAction::Rotation { axis: 1, by: 1 };

impl Stage {
    fn level(&self) -> usize {
        self.here.level()
    }

    fn request(&self, request: &mut KeyRequest) {
        self.here.request(request);
        if let Some(exchanged) = &self.exchanged {
            exchanged.request(request);
            request.action(EXCHANGE, self.level());
        }
    }

    fn apply(&self, evaluator: &Evaluator, x: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        let x = evaluator.drop_to(x, self.level())?;
        let here = evaluator.apply_linear(&self.here, &x)?;
        let Some(map) = &self.exchanged else { return Ok(here) };
        let exchanged = evaluator.apply_linear(map, &evaluator.apply(&x, EXCHANGE)?)?;
        evaluator.add(&here, &exchanged)
    }

    /// The state of the result.
    fn state(&self, params: &ExactParams, x: State) -> Result<State, ExactError> {
        let x = State { scheme: Scheme::Bgv, ..params.at_level(x, self.level()) };
        let of =
            |map: &LinearMap, x: State| params.promised("linear map", State { size: map.size(params, x.size), ..x });
        let here = of(&self.here, x)?;
        let Some(map) = &self.exchanged else { return Ok(here) };
        Ok(params.sum(here, of(map, params.moved(x)?)?)?.1)
    }
}

/// The linear maps of slim bootstrapping.
#[derive(Debug)]
pub struct SlimMaps {
    /// Vectors modulo p^r to polynomials of X^d.
    pub to_coeffs: Vec<Stage>,
    /// What selects the coefficients of X^(d·i), times d: for each, x is added to its image.
    pub trace: Vec<GaloisAction>,
    /// Polynomials of X^d modulo p^e to vectors, over d.
    pub to_slots: Vec<Stage>,
}

/// How a vector is refreshed.
#[derive(Debug, Clone)]
pub struct SlimBootstrap {
    params: ExactParams,
    /// r.
    exponent: u32,
    /// e.
    raised: u32,
    maps: Arc<SlimMaps>,
    /// Of p^(e−r)·m + v modulo p^e: m modulo p^r, for |v| ≤ `bound`.
    removal: Arc<ArithmeticCircuit<i64>>,
    bound: f64,
}

/// What bootstrapping is predicted to do.
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
    /// With a circuit that maps p^(e−r)·m + v modulo p^e to m modulo p^r, where |v| ≤ `bound`.
    #[must_use]
    pub fn new(
        params: &ExactParams,
        [exponent, raised]: [u32; 2],
        maps: SlimMaps,
        removal: ArithmeticCircuit<i64>,
        bound: f64,
    ) -> Self {
        let (maps, removal) = (Arc::new(maps), Arc::new(removal));
        Self { params: params.clone(), exponent, raised, maps, removal, bound }
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        let top = self.params.max_level();
        request.raise = true;
        request.products(top);
        self.maps.to_coeffs.iter().chain(&self.maps.to_slots).for_each(|stage| stage.request(request));
        self.maps.trace.iter().for_each(|&action| request.action(action, top));
    }

    /// The result for a ciphertext of this state, and how likely it is wrong.
    ///
    /// # Errors
    /// [`ExactError::Exhausted`] for a modulus that does not hold the computation.
    pub fn predict(&self, x: State) -> Result<SlimPrediction, ExactError> {
        let params = &self.params;
        let mut low = x;
        for stage in &self.maps.to_coeffs {
            low = stage.state(params, low)?;
        }
        let low = params.at_level(low, 0);
        let noise = params.raise_noise(low.size, self.exponent, self.raised);
        let mut state = params.raised(self.raised);
        for _ in &self.maps.trace {
            state = params.sum(state, params.moved(state)?)?.1;
        }
        for stage in &self.maps.to_slots {
            state = stage.state(params, state)?;
        }
        let result = params.outputs(&self.removal, &[state])?[0];
        // The rounding keeps to (h + 1)/2, whatever is left is for the noise.
        let rest = self.bound + 0.5 - (f64::from(params.literal().sparse_weight) + 1.0) / 2.0;
        let log2_failure = log2_failure(rest, noise) + (params.slots() as f64).log2();
        Ok(SlimPrediction { result, noise, log2_failure })
    }

    /// The same vector at a high level, in the scheme of the input.
    ///
    /// # Errors
    /// As [`Self::predict`], [`Evaluator::raise`]; [`ExactError::Keys`].
    pub fn bootstrap(&self, evaluator: &Evaluator, x: &ExactCiphertext) -> Result<ExactCiphertext, ExactError> {
        let mut low = x.clone();
        for stage in &self.maps.to_coeffs {
            low = stage.apply(evaluator, &low)?;
        }
        let Raised { ciphertext: mut sum, factor, .. } = evaluator.raise(&low, self.raised)?;
        for &action in &self.maps.trace {
            sum = evaluator.add(&sum, &evaluator.apply(&sum, action)?)?;
        }
        for stage in &self.maps.to_slots {
            sum = stage.apply(evaluator, &sum)?;
        }
        let removed = evaluator.evaluate(&self.removal, &[&sum], |_, _| ())?.swap_remove(0);
        Ok(evaluator.without_factor(removed, factor).into_scheme(&self.params, x.scheme))
    }
}
