//! WoP-PBS_2 (Chillotti, Ligier, Orfila, Tap 2021; FDFB paper, section 1.2.1 and Table 8): three rotations, or one with
//! multi-value bootstrapping, and two BFV products; any table with an even number of entries.
//!
//! f = MSB·f_neg + (1 − MSB)·f_pos, f_pos negacyclic and right where m < p/2, f_neg where m ≥ p/2.
use super::boot::halves;
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Product, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by the products of two results with the sign's two values.
#[derive(Clone, Copy, Debug)]
pub struct WopPbs2 {
    /// Whether the three rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for WopPbs2 {
    fn name(&self) -> String {
        starred("wop-pbs2", self.multi_value)
    }

    fn reference(&self) -> &'static str {
        "WoP-PBS2 of CLOT21 in fdfb-and-digit-decomposition, Tables 6 and 8"
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => "one rotation for both halves of the table and the sign, and two products; any table",
            false => "a rotation for each half of the table and for the sign, and two products; any table",
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let modulus = lut.out_modulus();
        let half_window = 0.5 / lut.in_modulus() as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let [positive, negative, msb] = [0; 3].map(|_| circuit.register());
        let mut twins = 0.0;
        if self.multi_value {
            let (low, high) = lut.values().split_at(low.len());
            let columns = vec![
                Column::new(positive, low.iter().map(|&v| v as i64)),
                Column::new(negative, high.iter().map(|&v| -(v as i64))),
                Column::of_halves(msb, vec![-1; low.len()]),
            ];
            let not_msb = Column::of_halves(msb, vec![1; low.len()]);
            let pairs = [(&columns[0], &not_msb), (&columns[1], &columns[2])];
            let variance = |column: &Column| column.noise_factor(modulus, 0);
            let more =
                pairs.iter().filter(|(half, sign)| half.is_twin(sign, modulus)).map(|(half, _)| 2.0 * variance(half));
            twins = more.sum::<f64>() / pairs.iter().map(|(half, sign)| variance(half) + variance(sign)).sum::<f64>();
            circuit.rotate(input, half_window, Table::Multi { modulus, log2_scale: 0, columns });
        } else {
            circuit.rotate_plain(input, positive, low);
            circuit.rotate_plain(input, negative, high.iter().map(|v| v.wrapping_neg()).collect());
            circuit.rotate(input, half_window, Table::Plain { target: msb, values: vec![torus(-1, 2 * modulus)] });
        }
        circuit.add_fraction(msb, 1, 2 * modulus);
        let not_msb = circuit.register();
        circuit.add(not_msb, msb, -1);
        circuit.add_fraction(not_msb, 1, modulus);
        for (left, right) in [(msb, negative), (not_msb, positive)] {
            circuit.multiply(Product { target: output, left, right, modulus });
        }
        circuit.add_correlation(output, output, twins);
        Ok(circuit)
    }
}
