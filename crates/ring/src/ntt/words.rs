//! The transforms on words of 52 bits, for processors that multiply them. Ranges and proofs: `docs/ntt.md`.
//!
//! The passes, the tables' places and the results are those of the transforms in `f64`.

mod butterfly;
mod tables;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod transform;

pub(super) use transform::{Backward, Forward};

use crate::modulus::Modulus;
use crate::ntt::tables::LEAF;

/// Primes below 2^47, 32p < 2^52: between reductions numbers grow up to 32p.
const MAX_BITS: u32 = 47;

/// Whether there are transforms for this degree and this prime.
pub(super) fn fit(degree: usize, modulus: Modulus) -> bool {
    degree > LEAF && modulus.bits() <= MAX_BITS
}
