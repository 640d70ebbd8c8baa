//! The carry of many terms at once, each from 0 to 2^w − 1 at phases x/2^(w + 1): half of the circle.
//!
//! Of each term a rotation makes x/(2^w·2n) of the torus, but for noise, and of their sum one more the nearest
//! integer, one of n, or its neighbour. Signs are exact, and of two terms each, and take several rotations.
//!
//! The triangular wave (φ − ¼)/n goes on without a step on both sides of the half circle, so that noise η of the phase
//! is an error of at most |η|/n there too.
use crate::Interval;
use crate::fhew::circuit::{Circuit, Register, Rotation, Table};
use crate::forms::CARRY_ERROR;

/// Readings are right as long as the noise of what they read is less than this.
const HALF_WINDOW: f64 = 0.125;

/// A register of (φ − ¼)/n for the phase φ of `source`, 0 to ½.
pub fn read(circuit: &mut Circuit, source: Register, values: u64) -> Register {
    let target = circuit.register();
    let end = 0.25 / values as f64;
    let table = Table::Continuous { target, knots: vec![[0.0, -end], [0.5, end]], clears: false };
    circuit.push_rotation(Rotation::new(source, 0.0, HALF_WINDOW, table));
    target
}

/// A term of a sum, what [`read`] makes of it, and how often it is added.
pub type Term = (Register, Register, i64);

/// A register of (Σ x_i/2^w − `least`)/2n.
///
/// Of k errors |η_i| the sum exceeds t with a probability of at most 2^k·exp(−t²/(2·Σσ²)), as Σ ±η_i is normal for each
/// choice of signs: a variance of k/|log2 p| more, for the probability p = 2^`log2_p`, is as rarely exceeded.
pub fn sum(circuit: &mut Circuit, terms: &[Term], least: i128, values: u64, log2_p: f64) -> Register {
    let sum = circuit.register();
    // In units of 1/4n, half of what an integer has.
    let constant = terms.iter().map(|&(.., factor)| i128::from(factor)).sum::<i128>() - 2 * least;
    circuit.add_fraction(sum, constant, 4 * values);
    let (folded, others) = (terms.len() as f64 / -log2_p, terms.len().max(1) - 1);
    for &(term, read, factor) in terms {
        let square = (factor as f64).powi(2);
        circuit.add(sum, read, factor);
        circuit.add_correlation(sum, read, folded * square);
        // The noise of the terms themselves may be one.
        circuit.add_correlation(sum, term, others as f64 * square / (values as f64).powi(2));
    }
    sum
}

/// A register of the integer of `range` that [`sum`] is next to, or for sums within the noise of the middle between two
/// one of both, modulo `modulus`.
pub fn nearest(circuit: &mut Circuit, sum: Register, range: Interval, modulus: u64) -> Register {
    let target = circuit.register();
    let values = range.max.abs_diff(range.min) + 1;
    let unit = 0.5 / values as f64;
    let step = |(i, value): (u64, i128)| [i, i + 1].map(|end| [end as f64 * unit, value as f64 / modulus as f64]);
    let knots = (0..).zip(range.min..=range.max).flat_map(step).collect();
    let table = Table::Continuous { target, knots, clears: false };
    circuit.push_rotation(Rotation::new(sum, unit / 2.0, CARRY_ERROR * unit, table));
    target
}
