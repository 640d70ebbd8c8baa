//! The interface of the algorithms.
use crate::fhew::circuit::{Circuit, Noise};
use crate::fhew::eval::{self, PreparedTable, Workspace};
use crate::{Lut, LutError};
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::{FhewParams, KeyNeeds};

/// A way to evaluate tables. All need one blind rotation key and one key-switching key; what more an algorithm needs is
/// read from its circuit ([`Self::keys`]).
///
/// An algorithm says which steps it makes ([`Self::circuit`]); the sizes of its rotations, its noise, its cost, its test
/// vectors and its evaluation are readings of that circuit, the same code for all.
pub trait Algorithm: Sync {
    /// Name in the registry.
    fn name(&self) -> String;

    /// Paper and algorithm number.
    fn reference(&self) -> &'static str;

    /// One line for people.
    fn summary(&self) -> &'static str;

    /// The steps for `lut`, with one input and one output.
    ///
    /// # Errors
    /// [`FhewLutError::Unsupported`](crate::FhewLutError::Unsupported) for tables outside the algorithm's domain.
    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError>;

    /// The circuit with the least extension factors that keep 2^`log2_p_fail` for inputs of noise variance
    /// `input_variance`.
    fn fit(&self, params: &FhewParams, lut: &Lut, input_variance: f64, log2_p_fail: f64) -> Result<Circuit, LutError> {
        self.circuit(lut)?.simplified().fit(params, input_variance, log2_p_fail)
    }

    /// The additional keys it needs for any table of `bits`-bit integers, fresh or its own outputs. Mostly none.
    fn keys(&self, params: &FhewParams, bits: u32) -> KeyNeeds {
        let lut = Lut::unstructured(bits);
        let circuit = |variance| self.fit(params, &lut, variance, params.log2_p_fail()).ok();
        let fresh = circuit(params.fresh_variance());
        let again = fresh.as_ref().and_then(|fresh| circuit(fresh.noise(params, 0.0).output_variance));
        [fresh, again].into_iter().flatten().fold(KeyNeeds::default(), |needs, c| needs.and(c.keys(params)))
    }

    /// Predicted noise and failure probability.
    fn noise(&self, params: &FhewParams, circuit: &Circuit, input_variance: f64) -> Noise {
        circuit.noise(params, input_variance)
    }

    /// Predicted nanoseconds a value.
    fn cost(&self, params: &FhewParams, circuit: &Circuit) -> f64 {
        circuit.cost_ns(params)
    }

    /// Evaluates a prepared table on ciphertexts (k·N' + 1 words each, one after the other), all at once.
    fn eval_into(
        &self,
        out: &mut [u64],
        table: &PreparedTable,
        inputs: &[u64],
        key: &PreparedEvaluationKey,
        workspace: &mut Workspace,
    ) {
        eval::eval_into(&mut [out], table, &[inputs], key, workspace);
    }
}
