//! EvalFunc (Liu, Micciancio, Polyakov 2022; FDFB paper, section 1.2.1 and Table 8): two rotations, any table.
//!
//! ModUp makes room for a bit: the phase becomes m/(2p) + v/2 with an unknown v. A rotation of the sign finds v, its result
//! takes it away, and the table of the second rotation covers the p messages on the half circle.
//!
//! Windows are 1/(2p) wide, half of those of [`super::Compress`], at the first rotation too; the second rotation meets the noise of
//! the input and of the first: the paper's intermediate variance 2σ_boot², here input/4 + σ_acc² before the one key switch.
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Table};
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by clearing an extra bit.
#[derive(Clone, Copy, Debug)]
pub struct EvalFunc;

impl Algorithm for EvalFunc {
    fn name(&self) -> String {
        "eval-func".into()
    }

    fn reference(&self) -> &'static str {
        "EvalFunc of LMP22 in fdfb-and-digit-decomposition, Tables 6 and 8"
    }

    fn summary(&self) -> &'static str {
        "two rotations, one after the other, both with windows of half the size; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let doubled = circuit.mod_up(input);
        // m/(2p) + v/2 + (±1/4) − 1/4, + for v = 0.
        let cleared = circuit.register();
        circuit.add(cleared, doubled, 1);
        circuit.add_fraction(cleared, -1, 4);
        let values = vec![1 << 62];
        let half_window = 0.25 / lut.in_modulus() as f64;
        circuit.rotate(doubled, half_window, Table::Plain { target: cleared, values });
        circuit.rotate_plain(cleared, output, lut.encoded());
        Ok(circuit)
    }
}
