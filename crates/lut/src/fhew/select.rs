//! FDFB-Select (FDFB paper, Algorithm 3 and Theorem 3): four rotations, or two with multi-value bootstrapping; any table with an even
//! number of entries.
//!
//! f_pos is negacyclic and right where m < p/2, f_neg where m ≥ p/2. The sign of the message, ±1/8, rotates the test vector
//! (f_pos(m), …, −f_neg(m), …) of two packed halves.
//!
//! Output variance: (1 + norm²)·σ_acc² + packing, norm² = 1, or that of the table's TV_1 (Theorem 3 has the bound p(p − 1)²).
use super::boot::halves;
use super::starred;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Rotation, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by selecting one of two packed results.
#[derive(Clone, Copy, Debug)]
pub struct Select {
    /// Whether the three first rotations are one multi-value bootstrap.
    pub multi_value: bool,
}

impl Algorithm for Select {
    fn name(&self) -> String {
        starred("select", self.multi_value)
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 3 (FDFB-Select)"
    }

    fn summary(&self) -> &'static str {
        match self.multi_value {
            true => "one rotation for both halves of the table and the sign, one that selects; any table",
            false => "a rotation for each half of the table and for the sign, one that selects; any table",
        }
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let p = lut.in_modulus() as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let [positive, negative, sign] = [0; 3].map(|_| circuit.register());
        let mut eighth = 0.125;
        if self.multi_value {
            let modulus = lut.out_modulus().max(4);
            let scale = modulus / lut.out_modulus();
            let modulus = scale * lut.out_modulus();
            let (low, high) = lut.values().split_at(low.len());
            let scaled = |v: &u64| (v * scale) as i64;
            let nearest = (modulus as f64 / 4.0).round() as i64;
            eighth = nearest as f64 / (2 * modulus) as f64;
            let columns = vec![
                Column::new(positive, low.iter().map(scaled)),
                Column::new(negative, high.iter().map(|v| -scaled(v))),
                Column::of_halves(sign, vec![nearest; low.len()]),
            ];
            circuit.rotate(input, 0.5 / p, Table::Multi { modulus, log2_scale: 0, columns });
        } else {
            circuit.rotate_plain(input, positive, low);
            circuit.rotate_plain(input, negative, high.iter().map(|v| v.wrapping_neg()).collect());
            circuit.rotate(input, 0.5 / p, Table::Plain { target: sign, values: vec![torus(1, 8)] });
        }
        circuit.push_rotation(Rotation::new(
            sign,
            0.0,
            eighth.min(0.25 - eighth),
            Table::Packed { target: output, blocks: vec![(positive, 1), (negative, -1)] },
        ));
        Ok(circuit)
    }
}
