//! A key per ring dimension instead of extended bootstrapping (recursive-decomposition paper, Algorithm 4; its rows
//! without EBS).
//!
//! A rotation that needs an accumulator of degree L > N' is made in a ring of degree L' ≥ L, a power of two, with a secret
//! and a rotation key of that ring; its constant coefficient is extracted and key-switched to the base ring's key. It is
//! there to compare with the algorithms that need no such keys: the paper's reason for Algorithm 6.
//!
//! Deviations: the paper switches each result to the short key, because its ciphertexts are short; ours live under the
//! base ring's long key, so that is where results go, over 32-bit words with the accumulator's noise and a gadget of its own
//! (`FhewParams::ring_key_switch_gadget`) where the paper has (B', d'). Rotations that fit N' use the base ring. The rings
//! take the base set's β, as the paper's do.
use super::compress::Compress;
use super::recursive::{Depth, Recursive, cheapest};
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::Circuit;
use crate::{Lut, LutError};
use bootes_ring::fft::Fft;
use bootes_schemes::fhew::FhewParams;

/// FDFB-Compress, large rotations in rings of their own.
#[derive(Clone, Copy, Debug)]
pub struct CompressRings;

impl Algorithm for CompressRings {
    fn name(&self) -> String {
        "compress-rings".into()
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 1; without EBS in recursive-table-decomposition, Table 3"
    }

    fn summary(&self) -> &'static str {
        "as compress, but large rotations each in a ring with an additional key of its own; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        Compress.circuit(lut)
    }

    fn fit(&self, params: &FhewParams, lut: &Lut, input_variance: f64, log2_p_fail: f64) -> Result<Circuit, LutError> {
        in_own_rings(params, Compress.fit(params, lut, input_variance, log2_p_fail)?, input_variance, log2_p_fail)
    }
}

/// Recursive table decomposition, large rotations in rings of their own; the depth of least predicted cost.
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
        "as recursive, but large rotations each in a ring with an additional key of its own; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        Recursive { depth: Depth::Best }.circuit(lut)
    }

    fn fit(&self, params: &FhewParams, lut: &Lut, input_variance: f64, log2_p_fail: f64) -> Result<Circuit, LutError> {
        cheapest(params, lut, |depth| {
            let depth = Recursive { depth: if depth == 0 { Depth::Full } else { Depth::Fixed(depth) } };
            in_own_rings(params, depth.fit(params, lut, input_variance, log2_p_fail)?, input_variance, log2_p_fail)
        })
    }
}

/// Moves every rotation with ν > 1 to the ring of the next power of two, if there is one; then larger ones, until the noise of the key
/// switches from these rings has room.
///
/// # Errors
/// As [`Circuit::fit`], where no ring is large enough.
fn in_own_rings(
    params: &FhewParams,
    mut circuit: Circuit,
    input_variance: f64,
    log2_p_fail: f64,
) -> Result<Circuit, LutError> {
    let has_ring = |extension: usize| extension * params.shape().degree <= Fft::MAX_DEGREE;
    for rotation in circuit.rotations_mut() {
        let extension = rotation.extension.next_power_of_two();
        if extension > 1 && has_ring(extension) {
            (rotation.extension, rotation.own_ring) = (extension, true);
        }
    }
    loop {
        let Some((weakest, error)) = circuit.broken_promise(params, input_variance, log2_p_fail) else {
            return Ok(circuit);
        };
        let rotation = weakest.and_then(|weakest| circuit.rotations_mut().nth(weakest));
        match rotation.filter(|rotation| has_ring(2 * rotation.extension)) {
            Some(rotation) => (rotation.extension, rotation.own_ring) = (2 * rotation.extension, true),
            None => return Err(error),
        }
    }
}
