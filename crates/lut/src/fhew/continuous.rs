//! Continuous functions by FDFB-Compress with β-padding (FDFB paper, Theorem 8 and appendix A): two
//! rotations.
//!
//! The first rotation maps the phase y ∈ [0, 1/2) to β + k_2·y and y + 1/2 to its negative, k_2 = (1/4 −
//! 2β)/(1/2); the second evaluates f of what it came from, clamped where noise has pushed it over an end.
//!
//! Output variance: σ_acc² + (L/k_2)²·(σ_acc² + σ_ks² + σ_ms² + k_2²·(σ_in² + σ_ks² + σ_ms²)), L the
//! Lipschitz constant: the paper's (L/k_2)²·σ_boot² + σ_boot² and what the input brings, each switch counted
//! where it happens. A phase within the noise of 0 or 1/2 may be taken for the other side: no more than the
//! noise for a function that is continuous there.
//!
//! Of messages that leave half of the circle free, one rotation does it ([`interpolated`]).
use super::digits::BETA;
use crate::fhew::circuit::{Circuit, Register, Rotation, Table, interpolate, steepest};

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

/// output = `values[m − min]`, fractions of the torus, for messages m ∈ [min, min + values.len()) at m/p of
/// the torus, and linear in between: noise of m/p is multiplied with the slope.
///
/// One rotation if the messages take at most half of the circle, and the output variance is σ_acc² +
/// L²·(σ_in² + σ_ks² + σ_ms²); two elsewhere, as above. Each must tell on which half of the circle a message
/// is, which is 1/2p from the other one, or 1/4p for odd p.
///
/// # Panics
/// If there is one value or none, or more than p.
pub fn interpolated(p: u64, min: i128, values: &[f64], out_half_window: f64) -> Circuit {
    assert!((2..=p).contains(&(values.len() as u64)), "{} values modulo {p}", values.len());
    let mut circuit = Circuit::new(1);
    let (input, output) = (circuit.input(0), circuit.register());
    circuit.put_out(output, out_half_window);
    let is_half = 2 * values.len() as u64 <= p;
    // What the first message is from 0: no message is on the border of two halves.
    let margin = if is_half || p.is_multiple_of(2) { 0.5 } else { 0.25 };
    let place = |i: usize| (i as f64 + margin) / p as f64;
    let shift = ((margin - min as f64) / p as f64).rem_euclid(1.0);
    let half_window = margin / p as f64;
    let all: Vec<[f64; 2]> = values.iter().enumerate().map(|(i, &y)| [place(i), y]).collect();
    let knots_of = |half: f64| {
        let end = |x: f64| [x - half, interpolate(&all, x)];
        let inner = all.iter().filter(|knot| half < knot[0] && knot[0] < half + 0.5).map(|[x, y]| [x - half, *y]);
        [end(half)].into_iter().chain(inner).chain([end(half + 0.5)]).collect::<Vec<_>>()
    };
    if is_half {
        let table = Table::Continuous { target: output, knots: knots_of(0.0), clears: false };
        circuit.push_rotation(Rotation::new(input, shift, half_window, table));
    } else {
        let halves = [0.0, 0.5].map(knots_of);
        compressed(&mut circuit, input, shift, half_window, output, false, &halves);
    }
    // The noise of the phase leaves the output half of its variance.
    if let Some(last) = circuit.rotations_mut().last()
        && let Table::Continuous { knots, .. } = &last.table
    {
        let most = out_half_window * 0.5f64.sqrt() / steepest(knots);
        last.half_window = last.half_window.min(most);
    }
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
    let knots = |half: f64| {
        let samples = samples(half);
        let last = (samples.len() - 1) as f64;
        samples.into_iter().enumerate().map(|(i, y)| [0.5 * i as f64 / last, y]).collect()
    };
    compressed(circuit, source, shift, half_window, target, clears, &[0.0, 0.5].map(knots));
}

/// target += f(phase + shift), f linear between knots from 0 to 1/2 for each half of the circle.
fn compressed(
    circuit: &mut Circuit,
    source: Register,
    shift: f64,
    half_window: f64,
    target: Register,
    clears: bool,
    [low, high]: &[Vec<[f64; 2]>; 2],
) {
    let middle = circuit.register();
    let rotation = |source, shift, half_window, table| Rotation::new(source, shift, half_window, table);
    let knots = vec![[0.0, BETA], [0.5, 0.25 - BETA]];
    let table = Table::Continuous { target: middle, knots, clears: false };
    circuit.push_rotation(rotation(source, shift, half_window, table));
    let place = |x: f64| BETA + (0.25 - 2.0 * BETA) * 2.0 * x;
    let mut knots = vec![[0.0, low[0][1]]];
    knots.extend(low.iter().map(|&[x, y]| [place(x), y]));
    knots.push([0.25, low[low.len() - 1][1]]);
    // The second half is at −u: −f(x + 1/2) at x = 1/2 − u.
    knots.push([0.25, -high[high.len() - 1][1]]);
    knots.extend(high.iter().rev().map(|&[x, y]| [0.5 - place(x), -y]));
    knots.push([0.5, -high[0][1]]);
    circuit.push_rotation(rotation(middle, 0.0, BETA, Table::Continuous { target, knots, clears }));
}
