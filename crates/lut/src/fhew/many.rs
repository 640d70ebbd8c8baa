//! Several tables on one ciphertext: FDFB-Compress with its first rotation shared and its second a multi-value bootstrap (FDFB
//! paper, Algorithm 1 and section 2.3.5).
//!
//! The first rotation does not depend on the table: it moves message m to the half circle, to ±(m mod p/2 + ½)/(2p). There the
//! second one evaluates all tables as the columns of one rotation of TV_0. Their results have ‖TV_1‖² times its noise, about
//! p·p'²/12 for tables without structure, p' the largest output modulus, so many bits out are dear; and they share it.
//!
//! Negacyclic tables, as those of integers that leave half of the circle free, take the second rotation alone. So all
//! comparisons of an integer with constants are one rotation, with its noise: each is a coefficient of it.
use super::compress::Compress;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::{Circuit, Column, Rotation, Table};
use crate::table::torus;
use crate::{FhewLutError, Lut, LutError};

/// The name in plans.
pub const NAME: &str = "compress-many";

/// Where it is from.
pub const REFERENCE: &str = "fdfb-and-digit-decomposition, Algorithm 1 and section 2.3.5";

/// Two rotations for all of `luts`, one output a table; one rotation if all are negacyclic.
///
/// # Errors
/// [`FhewLutError::Unsupported`] without tables, for tables with different or odd numbers of entries, and for output
/// moduli whose least common multiple is above 2^16.
pub fn circuit(luts: &[Lut]) -> Result<Circuit, LutError> {
    let refused = |reason: String| LutError::Fhew(FhewLutError::Unsupported { algorithm: NAME.into(), reason });
    let Some(first) = luts.first() else { return Err(refused("there is none; give at least one".into())) };
    if let Some(other) = luts.iter().find(|lut| lut.in_modulus() != first.in_modulus()) {
        let (found, expected) = (other.in_modulus(), first.in_modulus());
        return Err(refused(format!(
            "it has {found} entries, and the first one has {expected}: give tables of one size"
        )));
    }
    let modulus = luts.iter().map(Lut::out_modulus).fold(1, lcm);
    if modulus > 1 << 16 {
        return Err(refused(format!("the least common multiple of the output moduli is {modulus}, at most 65536")));
    }
    if first.in_modulus() % 2 == 1 {
        return Compress.circuit(first);
    }
    let p = first.in_modulus();
    let mut circuit = Circuit::new(1);
    if luts.iter().all(Lut::is_negacyclic) {
        let columns = luts.iter().map(|lut| centred(&mut circuit, lut, modulus)).collect();
        circuit.rotate(circuit.input(0), 0.5 / p as f64, Table::Multi { modulus, log2_scale: 0, columns });
        return Ok(circuit);
    }
    let compressed = circuit.register();
    let values = (0..p / 2).map(|j| torus((2 * j + 1).into(), 4 * p)).collect();
    circuit.rotate_plain(circuit.input(0), compressed, values);
    let columns: Vec<Column> = luts
        .iter()
        .map(|lut| {
            let (low, high) = lut.values().split_at(lut.values().len() / 2);
            let scale = (modulus / lut.out_modulus()) as i64;
            // Message p/2 + j sits at −(j + ½)/(2p).
            let values = low.iter().map(|&v| v as i64).chain(high.iter().rev().map(|&v| -(v as i64)));
            Column::new(circuit.output(lut.out_modulus()), values.map(|v| v * scale))
        })
        .collect();
    let table = Table::Multi { modulus, log2_scale: 0, columns };
    circuit.push_rotation(Rotation::new(compressed, 0.0, 0.25 / p as f64, table));
    Ok(circuit)
}

/// The half of a negacyclic table that its rotation has, less the mean of its ends, which the result gets back: so it
/// begins without a step, and a comparison is one step.
fn centred(circuit: &mut Circuit, lut: &Lut, modulus: u64) -> Column {
    let (scale, target) = ((modulus / lut.out_modulus()) as i64, circuit.output(lut.out_modulus()));
    let values: Vec<i64> = lut.values()[..lut.values().len() / 2].iter().map(|&v| v as i64 * scale).collect();
    let both = values[0] + values[values.len() - 1];
    circuit.add_constant(target, torus(both.into(), 2 * modulus));
    Column::of_halves(target, values.into_iter().map(|v| 2 * v - both))
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut gcd, mut rest) = (a, b);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    (a / gcd).saturating_mul(b)
}
