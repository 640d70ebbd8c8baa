//! Comp (Clet, Zuber, Boudguiga, Sirdey, Gouy-Pailler 2022; FDFB paper, section 1.2.1 and Table 8): four rotations, or three
//! with multi-value bootstrapping; any table with an even number of entries.
//!
//! f = o + e with o(p − 1 − i) = −o(i) and e(p − 1 − i) = e(i). A negacyclic rotation maps i < p/2 to (i + ½)/p and p/2 + j to
//! −(j + ½)/p, where o is negacyclic; one that adds ±1/4, taken away after it, maps both i and p − 1 − i to (i + ½)/p.
//!
//! The windows of all rotations are 1/p wide. With multi-value bootstrapping the first two share one rotation, whose TV_1 do not depend
//! on the table: norm² p²/4 + p/2 − 1 and p/2 − 1 (the paper has 2p² − 4, by steps modulo 2p).
use super::boot::halves;
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by splitting the table into a pseudo-odd and a pseudo-even one.
#[derive(Clone, Copy, Debug)]
pub struct Comp {
    /// Whether the two first rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for Comp {
    fn name(&self) -> String {
        starred("comp", self.multi_value)
    }

    fn reference(&self) -> &'static str {
        "Comp of CZB+22 in fdfb-and-digit-decomposition, Tables 6 and 8"
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => "one rotation that folds the messages in two ways, one for each of two parts; any table",
            false => "two rotations for each of a pseudo-odd and a pseudo-even part; any table",
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let p = lut.in_modulus();
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let [odd, even] = [0; 2].map(|_| circuit.register());
        let folded = |j: u64| 2 * j as i64 + 1;
        if self.multi_value {
            let columns = vec![
                Column::of_halves(odd, (0..p / 2).map(folded)),
                Column::of_halves(even, (0..p / 2).map(|j| folded(j) + p as i64 / 2)),
            ];
            circuit.rotate(input, 0.5 / p as f64, Table::Multi { modulus: p, log2_scale: 0, columns });
        } else {
            let values: Vec<u64> = (0..p / 2).map(|j| torus(folded(j).into(), 2 * p)).collect();
            circuit.rotate_plain(input, odd, values.clone());
            circuit.rotate_plain(input, even, values.iter().map(|v| v.wrapping_add(1 << 62)).collect());
        }
        circuit.add_fraction(even, -1, 4);
        // Messages sit in the middle of the windows: no shift.
        let mirrored = low.iter().zip(high.iter().rev()).map(|(&low, &high)| (i128::from(low), i128::from(high)));
        let odd_part = mirrored.clone().map(|(low, high)| ((low - high) / 2) as u64).collect();
        let even_part = mirrored.map(|(low, high)| ((low + high) / 2) as u64).collect();
        circuit.rotate_plain(odd, output, odd_part).shift = 0.0;
        circuit.rotate_plain(even, output, even_part).shift = 0.0;
        Ok(circuit)
    }
}
