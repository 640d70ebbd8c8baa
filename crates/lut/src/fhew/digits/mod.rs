//! Homomorphic digit decomposition (FDFB paper, section 4): a ciphertext of a large message, M/2^w of the torus, becomes
//! one ciphertext a digit of base B = 2^b, the lowest first.
//!
//! On the torus the paper's moduli are scales: ModDown to q is a multiplication by 2^(w − b), which leaves the low digit
//! on the circle; ModSwitch to q_0/B is nothing at all, once the low digit is out of the way. What is to be taken away of a
//! message with r bits left is the low digit's phase times 2^−(r − b), so that is the scale of the rotations' results, and
//! their noise must be small beside it: the first stage decides how long messages can be.
//!
//! | | bootstraps a digit | condition on the phase's noise at a rotation | |
//! |---|---|---|---|
//! | [`Method::HomFloor`] (LMP22) | 2 | half a digit | clears the low digit |
//! | [`Method::HomFloorAlt`] (LMP22) | 3 | half a digit at the first rotation, 1/8 at the second | clears it |
//! | [`Method::Reduce`] (Algorithm 7, Theorem 7) | 1 | a quarter of a digit (half at the first stage) | leaves up to a quarter of the next digit's unit |
//! | [`Method::Fdfb`] (Algorithm 8, Theorem 9) | 2 | half a digit, and [`BETA`] | clears it |
//!
//! Deviations: the first rotation of HomFloor is the reduction of Algorithm 7, so that its second clears a phase in (−1/4, 1/4),
//! where the identity is a negacyclic triangle without steps; β is a constant, and the extension factor makes room for it.
mod cmux_tree;
mod lowest_digit;
mod tables;

pub use cmux_tree::{cmux_gadgets, cmux_trees, fit_cmux_trees, has_cmux_trees};
pub use lowest_digit::{BETA, DigitRegister, Method};
pub use tables::{CMUX_TREE, LargeLut, MAX_LARGE_BITS, MAX_TREE_BITS, Ready, chain};

use crate::fhew::circuit::{Circuit, Register};

/// Decomposes messages of `width` bits into digits of `log2_base` bits: one output a digit, the lowest first.
///
/// # Panics
/// Unless 1 ≤ `log2_base` ≤ 8 and 1 ≤ `width` ≤ 60.
pub fn decompose(method: Method, width: u32, log2_base: u32) -> Circuit {
    let mut circuit = Circuit::new(1);
    let input = circuit.input(0);
    for digit in digits_of(&mut circuit, method, input, width, log2_base) {
        circuit.put_out(digit.register, digit.half_window());
    }
    circuit
}

/// The digits of `source`, the lowest first: all have `log2_base` bits but the last, which has what is left.
pub fn digits_of(
    circuit: &mut Circuit,
    method: Method,
    source: Register,
    width: u32,
    log2_base: u32,
) -> Vec<DigitRegister> {
    assert!((1..=8).contains(&log2_base) && (1..=60).contains(&width), "{width} bits in digits of {log2_base}");
    let mut digits = Vec::new();
    let mut rest = DigitRegister { register: source, bits: width, deviation: 0.0 };
    while rest.bits > log2_base {
        let (digit, higher) = method.split(circuit, rest, log2_base);
        digits.push(digit);
        rest = higher;
    }
    digits.push(rest);
    digits
}
