//! FDFB-CancelSign (FDFB paper, Algorithm 2 and Theorem 2): two rotations, one packing, any table.
//!
//! ModUp makes room for a bit: the phase becomes m/(2p) + v/2 with an unknown v. The first rotation gives (−1)^v·f(m); packed
//! into every coefficient of a test vector and rotated by the same sample, it gives (−1)^v·(−1)^v·f(m).
//!
//! Output variance: 2σ_acc² + packing (Theorem 2, without the terms of the later key and modulus switch, which are counted
//! where they happen: at the next table).
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Table};
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by rotating the result once more, by its sign.
#[derive(Clone, Copy, Debug)]
pub struct CancelSign;

impl Algorithm for CancelSign {
    fn name(&self) -> String {
        "cancel-sign".into()
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 2 (FDFB-CancelSign)"
    }

    fn summary(&self) -> &'static str {
        "two rotations with windows of half the size, the second of the packed result of the first; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let doubled = circuit.mod_up(input);
        let signed = circuit.register();
        circuit.rotate_plain(doubled, signed, lut.encoded());
        let half_window = 0.25 / lut.in_modulus() as f64;
        circuit.rotate(doubled, half_window, Table::Packed { target: output, blocks: vec![(signed, 1)] });
        Ok(circuit)
    }
}
