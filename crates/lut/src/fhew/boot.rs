//! `Boot` of the FDFB paper (section 2.3.4): one rotation, for negacyclic tables only.
use crate::algorithm::Algorithm;
use crate::circuit::{Circuit, RotationNode, Source};
use crate::eval::{PreparedTable, body_offset, step_vector};
use crate::{Lut, LutError};
use bootes_schemes::fhew::FhewParams;

/// One functional bootstrap of a table with f(i + p/2) = −f(i).
#[derive(Clone, Copy, Debug)]
pub struct Boot;

impl Algorithm for Boot {
    fn name(&self) -> String {
        "boot".into()
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, 2.3.4; recursive-table-decomposition, Algorithm 2"
    }

    fn summary(&self) -> &'static str {
        "one rotation; negacyclic tables only: f(i + p/2) = -f(i)"
    }

    fn check(&self, lut: &Lut) -> Result<(), LutError> {
        if lut.is_negacyclic() {
            return Ok(());
        }
        Err(LutError::Unsupported {
            algorithm: self.name(),
            reason: "it is not negacyclic, f(i + p/2) = -f(i); take \"recursive\" or \"compress\"".into(),
        })
    }

    fn circuit(
        &self,
        params: &FhewParams,
        in_bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        Circuit { rotations: vec![top_rotation(in_bits)] }.fit(params, in_bits, input_variance, log2_p_fail)
    }

    fn prepare(&self, params: &FhewParams, lut: &Lut, circuit: &Circuit) -> PreparedTable {
        let values = lut.encoded();
        let extension = circuit.rotations[0].extension;
        PreparedTable {
            circuit: circuit.clone(),
            test_vectors: vec![(
                step_vector(params, extension, values.len() / 2, |j| values[j]),
                body_offset(params, extension, half_step(lut.in_bits())),
            )],
            constant: 0,
            out_bits: lut.out_bits(),
        }
    }
}

/// Half the distance of two messages of `bits` bits on the torus.
pub(super) fn half_step(bits: u32) -> f64 {
    (-f64::from(bits) - 1.0).exp2()
}

/// A rotation of the input over `bits`-bit messages.
pub(super) fn top_rotation(bits: u32) -> RotationNode {
    RotationNode {
        source: Source::Input,
        log2_factor: 0,
        half_window: half_step(bits),
        extension: 1,
        own_ring: false,
        to_output: true,
    }
}
