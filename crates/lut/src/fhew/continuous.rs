//! Continuous functions by FDFB-Compress with β-padding (FDFB paper, Theorem 8 and appendix A): two rotations.
//!
//! The first rotation maps the phase y ∈ [0, 1/2) to β + k_2·y and y + 1/2 to its negative, k_2 = (1/4 − 2β)/(1/2); the second
//! evaluates f of what it came from, clamped where noise has pushed it over an end.
//!
//! Output variance: σ_acc² + (L/k_2)²·(σ_acc² + σ_ks² + σ_ms² + k_2²·(σ_in² + σ_ks² + σ_ms²)), L the Lipschitz constant: the paper's
//! (L/k_2)²·σ_boot² + σ_boot² and what the input brings, each switch counted where it happens. A phase within the noise of 0
//! or 1/2 may be taken for the other side: no more than the noise for a function that is continuous there.
use super::digits::BETA;
use crate::circuit::{Circuit, Register, Rotation, Table};

/// output = f(phase) for f from and to the torus [0, 1), linear between `2·pieces` knots.
///
/// # Panics
/// If `pieces` is 0.
pub fn continuous(f: impl Fn(f64) -> f64, pieces: usize, out_half_window: f64) -> Circuit {
    assert!(pieces > 0, "a function of no pieces");
    let mut circuit = Circuit::new(1);
    let (input, output) = (circuit.input(0), circuit.register());
    circuit.put_out(output, out_half_window);
    // Up to the end of each half, where the other one begins.
    let value = |half: f64, i: usize| f(half + 0.5 * (i as f64 / pieces as f64).min(1.0 - 1e-12));
    apply(&mut circuit, input, 0.0, BETA, output, false, |half| (0..=pieces).map(|i| value(half, i)).collect());
    circuit
}

/// target += f(phase + shift), `samples` of f on [0, 1/2] and on [1/2, 1] at equal distances.
pub(super) fn apply(
    circuit: &mut Circuit,
    source: Register,
    shift: f64,
    half_window: f64,
    target: Register,
    clears: bool,
    samples: impl Fn(f64) -> Vec<f64>,
) {
    let compressed = circuit.register();
    let rotation = |source, shift, half_window, table| Rotation::new(source, shift, half_window, table);
    let knots = vec![[0.0, BETA], [0.5, 0.25 - BETA]];
    let table = Table::Continuous { target: compressed, knots, clears: false };
    circuit.push_rotation(rotation(source, shift, half_window, table));
    let [low, high] = [0.0, 0.5].map(samples);
    let place = |i: usize, count: usize| BETA + (0.25 - 2.0 * BETA) * i as f64 / (count - 1) as f64;
    let mut knots = vec![[0.0, low[0]]];
    knots.extend(low.iter().enumerate().map(|(i, &y)| [place(i, low.len()), y]));
    knots.push([0.25, low[low.len() - 1]]);
    // The second half is at −u: −f(x + 1/2) at x = 1/2 − u.
    knots.push([0.25, -high[high.len() - 1]]);
    knots.extend(high.iter().enumerate().rev().map(|(i, &y)| [0.5 - place(i, high.len()), -y]));
    knots.push([0.5, -high[0]]);
    circuit.push_rotation(rotation(compressed, 0.0, BETA, Table::Continuous { target, knots, clears }));
}
