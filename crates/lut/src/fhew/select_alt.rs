//! FDFB-SelectAlt (FDFB paper, Algorithm 4 and Theorem 4): three rotations, or two with multi-value bootstrapping; any
//! table with an even number of entries.
//!
//! f = (f_neg + f_pos)/2 − (−1)^MSB·(f_neg − f_pos)/2: the packed difference, rotated by the input, takes its sign.
//!
//! Output variance: 3σ_acc² + packing; where the first half of the table is 0, both rotations are one, and it is
//! 5σ_acc² + packing for half of the messages. With multi-value bootstrapping (norm²_sum + norm²_diff + 1)·σ_acc² +
//! packing: the two results come from one accumulator, so that their errors are those of f_pos or f_neg, and the sum of
//! the two norms is the mean of those: for the noisier half of the messages up to twice that. Deviation: the paper
//! computes f_pos + (1 − (−1)^MSB)·(f_neg − f_pos)/2 there, and counts 6p(p − 1)².
use super::boot::halves;
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Table};
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by giving half the difference its sign.
#[derive(Clone, Copy, Debug)]
pub struct SelectAlt {
    /// Whether the two first rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for SelectAlt {
    fn name(&self) -> String {
        starred("select-alt", self.multi_value)
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 4 (FDFB-SelectAlt)"
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => {
                "one rotation for sum and difference of the table's halves, one of the packed difference; any table"
            }
            false => {
                "a rotation for the sum and one for the difference of the table's halves, one of the packed difference; any table"
            }
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let half_window = 0.5 / lut.in_modulus() as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let difference = circuit.register();
        if self.multi_value {
            // f_pos = low and f_neg = −high on the half circle; their half sums are multiples of 1/(2p').
            let pairs = || lut.values()[..low.len()].iter().zip(&lut.values()[low.len()..]);
            let columns = vec![
                Column::new(output, pairs().map(|(&low, &high)| low as i64 - high as i64)),
                Column::new(difference, pairs().map(|(&low, &high)| -(high as i64) - low as i64)),
            ];
            let modulus = 2 * lut.out_modulus();
            let [sum, rest] = [&columns[0], &columns[1]].map(|column| column.noise_factor(modulus, 0));
            let [plus, minus] = columns[0].joint_noise_factors(&columns[1], modulus, 0);
            let more = plus.max(minus) - sum - rest;
            circuit.rotate(input, half_window, Table::Multi { modulus, log2_scale: 0, columns });
            if sum > 0.0 && more > 0.0 {
                circuit.add_correlation_for_some(output, output, more / sum);
            }
        } else {
            let half = |v: i128| (v / 2) as u64;
            let pairs = || low.iter().zip(&high).map(|(&low, &high)| (i128::from(low), i128::from(high)));
            let sum: Vec<u64> = pairs().map(|(low, high)| half(low - high)).collect();
            let rest: Vec<u64> = pairs().map(|(low, high)| half(-high - low)).collect();
            // Equal test vectors have the same errors: they add up for half of the messages.
            let same = sum == rest;
            circuit.rotate_plain(input, output, sum);
            circuit.rotate_plain(input, difference, rest);
            if same {
                circuit.add_correlation_for_some(output, output, 2.0);
            }
        }
        circuit.rotate(input, half_window, Table::Packed { target: output, blocks: vec![(difference, -1)] });
        Ok(circuit)
    }
}
