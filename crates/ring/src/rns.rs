//! Residue number systems: integers modulo Q = q_0·q_1⋯ by their residues modulo distinct primes below 2^50.
//!
//! Residues are balanced and a polynomial is *limb-major*: N coefficients modulo q_0, then N modulo q_1, and so on. An integer modulo Q
//! stands for its representative of least absolute value, |x| ≤ (Q − 1)/2.

mod basis;
mod convert;
mod packed;
mod ring;

pub use basis::Basis;
pub use convert::Conversion;
pub use packed::PackedPoly;
pub use ring::{Constant, Division, RnsRing, Terms, groups};
