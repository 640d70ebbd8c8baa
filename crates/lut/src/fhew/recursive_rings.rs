//! Recursive decomposition with a key per ring dimension (recursive-decomposition paper, Algorithm 4): no extended
//! bootstrapping of the levels.
//!
//! A level that needs an accumulator of degree L > N' is rotated in a ring of degree L' ≥ L, a power of two, with a secret and a
//! rotation key of that ring; its constant coefficient is extracted and key-switched to the base ring's key. It is there
//! to compare with [`super::Recursive`], which needs no such keys: the paper's reason for Algorithm 6.
//!
//! Deviations: the paper switches each result to the short key, because its ciphertexts are short; ours live under the
//! base ring's long key, so that is where results go, over 32-bit words with the accumulator's noise and a gadget of its own
//! (`FhewParams::ring_key_switch_gadget`) where the paper has (B', d'). Levels that fit N', and the base table
//! (FDFB-Compress, where it needs a factor ν too), use the base ring. The rings take the base set's β, as the paper's do.
use super::recursive::{Depth, Recursive};
use crate::algorithm::Algorithm;
use crate::circuit::{Circuit, Source};
use crate::eval::PreparedTable;
use crate::{Lut, LutError};
use bootes_ring::fft::Fft;
use bootes_schemes::fhew::FhewParams;

/// Recursive table decomposition, the large levels in rings of their own; the depth of least predicted cost.
#[derive(Clone, Copy, Debug)]
pub struct RecursiveRings;

impl Algorithm for RecursiveRings {
    fn name(&self) -> String {
        "recursive-rings".into()
    }

    fn reference(&self) -> &'static str {
        "recursive-table-decomposition, Algorithms 3 and 4"
    }

    fn summary(&self) -> &'static str {
        "as recursive, but the large rotations each in a ring with its own key (Client::ring_keys); any table"
    }

    fn circuit(
        &self,
        params: &FhewParams,
        in_bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        let at_depth = |depth| {
            let depth = Recursive { depth: Depth::Fixed(depth) };
            let mut circuit = depth.circuit(params, in_bits, input_variance, log2_p_fail)?;
            for node in &mut circuit.rotations {
                let extension = node.extension.next_power_of_two();
                let level = node.source == Source::Input && node.to_output;
                if level && extension > 1 && extension * params.shape().degree <= Fft::MAX_DEGREE {
                    (node.extension, node.own_ring) = (extension, true);
                }
            }
            Ok(circuit)
        };
        let mut candidates: Vec<Result<Circuit, LutError>> = (1..=in_bits).map(at_depth).collect();
        let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
        candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        candidates.swap_remove(0)
    }

    fn prepare(&self, params: &FhewParams, lut: &Lut, circuit: &Circuit) -> PreparedTable {
        Recursive { depth: Depth::Best }.prepare(params, lut, circuit)
    }
}
