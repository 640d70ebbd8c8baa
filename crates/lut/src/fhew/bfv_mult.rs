//! FDFB-BFVMult (FDFB paper, Algorithm 6 and Theorem 6): three rotations, or one with multi-value bootstrapping, and a BFV
//! product; any table with an even number of entries.
//!
//! f = f_pos + MSB·(f_neg − f_pos), f_pos negacyclic and right where m < p/2, f_neg where m ≥ p/2.
//!
//! Output variance: Theorem 10 for the product, plus that of f_pos. With multi-value bootstrapping the paper counts with a
//! modulus 2p', for the sign's MSB/p' = (1 − (−1)^MSB)/(2p'): here a constant of one half is a TV_1 of 1, and the norms
//! of f_pos and f_neg − f_pos are those of steps modulo p'.
use super::boot::halves;
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Product, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by the product of the sign with the difference of two results.
#[derive(Clone, Copy, Debug)]
pub struct BfvMult {
    /// Whether the three rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for BfvMult {
    fn name(&self) -> String {
        starred("bfv-mult", self.multi_value)
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 6 (FDFB-BFVMult)"
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => "one rotation for half of the table, the other's difference and the sign, and a product; any table",
            false => {
                "three rotations, for half of the table, the other's difference and the sign, and a product; any table"
            }
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let modulus = lut.out_modulus();
        let half_window = 0.5 / lut.in_modulus() as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let [difference, msb] = [0; 2].map(|_| circuit.register());
        let mut twins = false;
        if self.multi_value {
            let (low, high) = lut.values().split_at(low.len());
            let columns = vec![
                Column::new(output, low.iter().map(|&v| v as i64)),
                Column::new(difference, low.iter().zip(high).map(|(&low, &high)| -(low as i64) - high as i64)),
                Column::of_halves(msb, vec![-1; low.len()]),
            ];
            twins = columns[1].is_twin(&columns[2], modulus);
            circuit.rotate(input, half_window, Table::Multi { modulus, log2_scale: 0, columns });
        } else {
            let differences = low.iter().zip(&high).map(|(low, high)| low.wrapping_add(*high).wrapping_neg());
            circuit.rotate_plain(input, difference, differences.collect());
            circuit.rotate_plain(input, output, low);
            circuit.rotate(input, half_window, Table::Plain { target: msb, values: vec![torus(-1, 2 * modulus)] });
        }
        circuit.add_fraction(msb, 1, 2 * modulus);
        circuit.multiply(Product { target: output, left: msb, right: difference, modulus });
        if twins {
            circuit.add_correlation(output, output, 1.0);
        }
        Ok(circuit)
    }
}
