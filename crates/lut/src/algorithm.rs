//! The interface of the algorithms.
use crate::circuit::{Circuit, Noise};
use crate::eval::{self, PreparedTable, Workspace};
use crate::{Lut, LutError};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::keys::PreparedEvaluationKey;

/// A way to evaluate tables. All need the same keys: one blind rotation key and one key-switching key. An algorithm that
/// needs more (keys of larger rings) says so in [`Self::rings`].
///
/// An algorithm says which rotations it makes ([`Self::circuit`]) and with which test vectors ([`Self::prepare`]); its
/// noise, its cost and its evaluation are readings of that circuit, the same code for all.
pub trait Algorithm: Sync {
    /// Name in the registry.
    fn name(&self) -> String;

    /// Paper and algorithm number.
    fn reference(&self) -> &'static str;

    /// One line for people.
    fn summary(&self) -> &'static str;

    /// Refuses tables outside the algorithm's domain.
    fn check(&self, lut: &Lut) -> Result<(), LutError> {
        let _ = lut;
        Ok(())
    }

    /// The rotations for tables with `in_bits` inputs, with the least extension factors that keep 2^`log2_p_fail` for
    /// inputs of noise variance `input_variance`.
    fn circuit(
        &self,
        params: &FhewParams,
        in_bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError>;

    /// The test vectors of `lut` for `circuit`. Rotations whose table is zero are left out.
    fn prepare(&self, params: &FhewParams, lut: &Lut, circuit: &Circuit) -> PreparedTable;

    /// Degrees of the rings whose keys it needs for tables with `in_bits` inputs, fresh or its own outputs. Mostly none.
    fn rings(&self, params: &FhewParams, in_bits: u32) -> Vec<usize> {
        let circuit = |variance| self.circuit(params, in_bits, variance, params.log2_p_fail()).ok();
        let fresh = circuit(params.fresh_variance());
        let again = fresh.as_ref().and_then(|fresh| circuit(fresh.noise(params, 0.0).output_variance));
        let mut degrees: Vec<usize> =
            [fresh, again].into_iter().flatten().flat_map(|circuit| circuit.rings(params)).collect();
        degrees.sort_unstable();
        degrees.dedup();
        degrees
    }

    /// Predicted noise and failure probability.
    fn noise(&self, params: &FhewParams, circuit: &Circuit, input_variance: f64) -> Noise {
        circuit.noise(params, input_variance)
    }

    /// Predicted nanoseconds a value.
    fn cost(&self, params: &FhewParams, circuit: &Circuit) -> f64 {
        circuit.cost_ns(params)
    }

    /// Evaluates a prepared table on ciphertexts (k·N' + 1 words each), all at once.
    fn eval_into(
        &self,
        out: &mut [u64],
        table: &PreparedTable,
        inputs: &[&[u64]],
        key: &PreparedEvaluationKey,
        workspace: &mut Workspace,
    ) {
        eval::eval_into(out, table, inputs, key, workspace);
    }
}
