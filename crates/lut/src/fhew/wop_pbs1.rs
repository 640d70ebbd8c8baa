//! WoP-PBS_1 (Chillotti, Ligier, Orfila, Tap 2021) and WoPPBS_1-Refine (FDFB paper, Algorithm 5 and Theorem 5): two rotations, or
//! one with multi-value bootstrapping, and a BFV product; any table.
//!
//! ModUp makes room for a bit: the phase becomes m/(2p) + v/2 with an unknown v. One rotation gives (−1)^v·f(m), the other
//! (−1)^v; their product modulo p' is f(m).
//!
//! The two algorithms are one computation; the FDFB paper's contribution is the analysis (Theorem 10), N times tighter where only the
//! constant coefficients carry noise of rotations. What we predict for both is the refined variance; [`WopPbs1`] with
//! `refined: false` exists to be named in comparisons.
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Product, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by the product of a signed result with its sign.
#[derive(Clone, Copy, Debug)]
pub struct WopPbs1 {
    /// Whether it goes by the FDFB paper's name.
    pub refined: bool,
    /// Whether the two rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for WopPbs1 {
    fn name(&self) -> String {
        starred(if self.refined { "wop-pbs1-refine" } else { "wop-pbs1" }, self.multi_value)
    }

    fn reference(&self) -> &'static str {
        match self.refined {
            true => "fdfb-and-digit-decomposition, Algorithm 5 (WoPPBS1-Refine)",
            false => "WoP-PBS1 of CLOT21 in fdfb-and-digit-decomposition, Tables 6 and 8",
        }
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => "one rotation with windows of half the size for table and sign, and their product; any table",
            false => {
                "a rotation with windows of half the size for the table, one for the sign, and their product; any table"
            }
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (p, modulus) = (lut.in_modulus(), lut.out_modulus());
        let half_window = 0.25 / p as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let doubled = circuit.mod_up(input);
        let [sign, signed] = [0; 2].map(|_| circuit.register());
        // The constant 1 is the sign itself.
        let twins;
        if self.multi_value {
            let columns = vec![
                Column::new(signed, lut.values().iter().map(|&v| v as i64)),
                Column::new(sign, vec![1; p as usize]),
            ];
            twins = columns[0].is_twin(&columns[1], modulus);
            circuit.rotate(doubled, half_window, Table::Multi { modulus, log2_scale: 0, columns });
        } else {
            let one = torus(1, modulus);
            twins = lut.encoded().iter().all(|&v| v == one);
            circuit.rotate_plain(doubled, signed, lut.encoded());
            circuit.rotate(doubled, half_window, Table::Plain { target: sign, values: vec![one] });
        }
        circuit.multiply(Product { target: output, left: sign, right: signed, modulus });
        if twins {
            circuit.add_correlation(output, output, 1.0);
        }
        Ok(circuit)
    }
}
