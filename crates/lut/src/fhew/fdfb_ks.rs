//! FDFB-KS (Kluczniak, Schild 2022; FDFB paper, section 1.2.1 and Table 8): a rotation a digit and one more; any table with
//! an even number of entries.
//!
//! f_pos is negacyclic and right where m < p/2, f_neg where m ≥ p/2. Encryptions of MSB·B^i/p', packed, times the digits of the
//! test vector p'·(f_neg − f_pos), plus f_pos, are the test vector that is right for the input's sign.
//!
//! Deviation: the values are multiples of 2^64/p', so the d = ⌈log_B p'⌉ digits of p' do, and not those of Q; B = 2^4.
//! Output variance of a message in window x: σ_acc² + Σ_i (D_i(x)²·(σ_acc² + packing) + ‖D_i‖²·rest of the packing), D_i the
//! digits. The worst message has the largest digits (8² where the mean of random digits is 21.5), the mean over messages their
//! mean square: `Noise::output_variance` and `Noise::mean_output_variance`.
use super::boot::halves;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by an encrypted test vector, selected digit by digit.
#[derive(Clone, Copy, Debug)]
pub struct FdfbKs;

/// log2 of the base B of the digits.
const LOG2_BASE: u32 = 4;

impl Algorithm for FdfbKs {
    fn name(&self) -> String {
        "fdfb-ks".into()
    }

    fn reference(&self) -> &'static str {
        "FDFB-KS of KS22 in fdfb-and-digit-decomposition, Tables 6 and 8"
    }

    fn summary(&self) -> &'static str {
        "a rotation for each digit of the sign, one of the test vector they select; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (positive, _) = halves(self, lut)?;
        let modulus = lut.out_modulus();
        let half_window = 0.5 / lut.in_modulus() as f64;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        let (low, high) = lut.values().split_at(positive.len());
        // f_neg − f_pos, centred modulo p'.
        let mut rest: Vec<i64> = low
            .iter()
            .zip(high)
            .map(|(&low, &high)| {
                let difference = (2 * modulus - low - high) % modulus;
                difference as i64 - if difference > modulus / 2 { modulus as i64 } else { 0 }
            })
            .collect();
        let mut digits = Vec::new();
        let mut power = 1u64;
        while power < modulus {
            // MSB·power/p' = (1 − (−1)^MSB)·power/(2p').
            let bit = circuit.register();
            let values = vec![torus(-i128::from(power), 2 * modulus)];
            circuit.rotate(input, half_window, Table::Plain { target: bit, values });
            circuit.add_constant(bit, torus(power.into(), 2 * modulus));
            let base = 1i64 << LOG2_BASE;
            let digit = |v: &i64| (v + base / 2).rem_euclid(base) - base / 2;
            let factors: Vec<i64> = rest.iter().map(digit).collect();
            rest.iter_mut().zip(&factors).for_each(|(v, digit)| *v = (*v - digit) / base);
            digits.push((bit, factors));
            power <<= LOG2_BASE;
        }
        circuit.rotate(input, half_window, Table::Selected { target: output, values: positive, digits });
        Ok(circuit)
    }
}
