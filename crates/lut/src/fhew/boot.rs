//! `Boot` of the FDFB paper (section 2.3.4): one rotation, for negacyclic tables only.
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::Circuit;
use crate::{FhewLutError, Lut, LutError};

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

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        if !lut.is_negacyclic() {
            return Err(FhewLutError::Unsupported {
                algorithm: self.name(),
                reason: "it is not negacyclic, f(i + p/2) = -f(i); take \"recursive\" or \"compress\"".into(),
            }
            .into());
        }
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        circuit.rotate_plain(input, output, lut.encoded()[..lut.values().len() / 2].to_vec());
        Ok(circuit)
    }
}

/// The two halves of the table as torus elements: f(i) and f(i + p/2), 0 ≤ i < p/2.
///
/// # Errors
/// If p is odd.
pub(super) fn halves(algorithm: &dyn Algorithm, lut: &Lut) -> Result<(Vec<u64>, Vec<u64>), LutError> {
    let p = lut.in_modulus();
    if p % 2 == 1 {
        return Err(FhewLutError::Unsupported {
            algorithm: algorithm.name(),
            reason: format!("it needs an even number of entries, p = {p} is odd; take \"recursive\""),
        }
        .into());
    }
    let mut low = lut.encoded();
    let high = low.split_off(low.len() / 2);
    Ok((low, high))
}
