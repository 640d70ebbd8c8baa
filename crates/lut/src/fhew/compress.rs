//! FDFB-Compress for discrete messages (FDFB paper, Algorithm 1 and Theorem 1): two rotations, any table.
//!
//! The first rotation evaluates the negacyclic f_C, m ↦ ±(m mod p/2 + ½)/(2p), which lies in (−1/4, 1/4); the second
//! evaluates the table on that half circle, where negacyclicity is no restriction. The messages are 1/(2p) apart there,
//! hence the theorem's condition β < q/4p on the noise of the first result: `half_window` of the second rotation.
use super::boot::{half_step, top_rotation};
use crate::algorithm::Algorithm;
use crate::circuit::{Circuit, RotationNode, Source};
use crate::eval::{PreparedTable, body_offset, step_vector};
use crate::{Lut, LutError};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::test_vector::TestVector;

/// Full-domain functional bootstrapping by compression to a half circle.
#[derive(Clone, Copy, Debug)]
pub struct Compress;

impl Algorithm for Compress {
    fn name(&self) -> String {
        "compress".into()
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 1 (FDFB-Compress)"
    }

    fn summary(&self) -> &'static str {
        "two rotations, one after the other, the second of twice the size; any table"
    }

    fn circuit(
        &self,
        params: &FhewParams,
        in_bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        Circuit { rotations: rotations(0, 0, in_bits).to_vec() }.fit(params, in_bits, input_variance, log2_p_fail)
    }

    fn prepare(&self, params: &FhewParams, lut: &Lut, circuit: &Circuit) -> PreparedTable {
        let [first, second] = [circuit.rotations[0], circuit.rotations[1]];
        PreparedTable {
            circuit: circuit.clone(),
            test_vectors: test_vectors(params, &lut.encoded(), &first, &second).into(),
            constant: 0,
            out_bits: lut.out_bits(),
        }
    }
}

/// The two rotations over messages of `bits` bits of the input times 2^`log2_factor`; the first is number `index`.
pub(super) fn rotations(index: usize, log2_factor: u32, bits: u32) -> [RotationNode; 2] {
    let first = RotationNode { log2_factor, to_output: false, ..top_rotation(bits) };
    let second = RotationNode {
        source: Source::Rotation(index),
        log2_factor: 0,
        half_window: half_step(bits + 1),
        extension: 1,
        own_ring: false,
        to_output: true,
    };
    [first, second]
}

/// Their test vectors, for the table `values` (torus elements).
pub(super) fn test_vectors(
    params: &FhewParams,
    values: &[u64],
    first: &RotationNode,
    second: &RotationNode,
) -> [(TestVector, u32); 2] {
    let p = values.len();
    let unit = 1u64 << (63 - p.ilog2());
    // (1): f_C on [0, 1/2); its negative continuation is the other half of the messages.
    let compress = step_vector(params, first.extension, p / 2, |j| unit * j as u64 + unit / 2);
    // (2): f_eval on [0, 1/4), then −f_eval(x − 1/2) on [1/4, 1/2): there message p/2 + j sits at −(j + ½)/(2p).
    let evaluate = step_vector(params, second.extension, p, |j| {
        if j < p / 2 { values[j] } else { values[p / 2 + (p - 1 - j)].wrapping_neg() }
    });
    [
        (compress, body_offset(params, first.extension, half_step(p.ilog2()))),
        (evaluate, body_offset(params, second.extension, 0.0)),
    ]
}
