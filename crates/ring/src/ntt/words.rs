//! The transforms on words of 52 bits, for processors that multiply them. Ranges and proofs: `docs/ntt.md`.
//!
//! The passes, the tables' places and the results are those of the transforms in `f64`.

#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod butterfly;
mod tables;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod transform;

pub(super) use transform::{Backward, Forward};

use crate::ntt::tables::LEAF;

/// Whether there are transforms for this degree.
pub(super) fn fit(degree: usize) -> bool {
    degree > LEAF
}
