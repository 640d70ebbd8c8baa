//! FDFB-Compress (FDFB paper, Algorithm 1 and Theorem 1): two rotations, any table with an even number of entries.
//!
//! The first rotation evaluates the negacyclic f_C, m ↦ ±(m mod p/2 + ½)/(2p), which lies in (−1/4, 1/4); the second
//! evaluates the table on that half circle, where negacyclicity is no restriction. The messages are 1/(2p) apart there,
//! hence the theorem's condition β < q/4p on the noise of the first result: `half_window` of the second rotation.
use super::boot::halves;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Register, Rotation, Table};
use crate::table::torus;
use crate::{Lut, LutError};

/// Full-domain functional bootstrapping by compression to a half circle.
#[derive(Clone, Copy, Debug)]
pub struct Compress;

impl Algorithm for Compress {
    fn name(&self) -> String {
        "compress".into()
    }

    fn reference(&self) -> &'static str {
        "fdfb-and-digit-decomposition, Algorithm 1 (FDFB-Compress)"
    }

    fn summary(&self) -> &'static str {
        "two rotations, one after the other, the second of twice the size; any table"
    }

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let (low, high) = halves(self, lut)?;
        let mut circuit = Circuit::new(1);
        let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
        compress(&mut circuit, input, output, 0, &low, &high);
        Ok(circuit)
    }
}

/// target += the table with these halves, of the source's messages times 2^`log2_factor`.
pub(super) fn compress(
    circuit: &mut Circuit,
    source: Register,
    target: Register,
    log2_factor: u32,
    low: &[u64],
    high: &[u64],
) {
    let p = 2 * low.len() as u64;
    // (1): f_C on [0, 1/2); its negative continuation is the other half of the messages.
    let compressed = circuit.register();
    let values = (0..p / 2).map(|j| torus((2 * j + 1).into(), 4 * p)).collect();
    circuit.rotate_plain(source, compressed, values).log2_factor = log2_factor;
    // (2): f_eval on [0, 1/4), then −f_eval(x − 1/2) on [1/4, 1/2): there message p/2 + j sits at −(j + ½)/(2p).
    let values = low.iter().copied().chain(high.iter().rev().map(|v| v.wrapping_neg())).collect();
    circuit.push_rotation(Rotation::new(compressed, 0.0, 0.25 / p as f64, Table::Plain { target, values }));
}
