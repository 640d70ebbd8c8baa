//! What the kernels of the residue world did, in residues: cost models count the same, and tests compare.
//!
//! Counts are kept where debug assertions are on; elsewhere all calls are empty.
#[cfg(debug_assertions)]
use std::cell::Cell;

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A point and level of a transform on `f64`.
    Transform,
    /// A point and level of a transform on words of 52 bits.
    Words,
    /// A multiply-add of residues: sums of products, conversions.
    Product,
    /// A multiply-add with a packed residue.
    Key,
    /// A residue of an operand of what is done to polynomials value by value: sums, products with constants,
    /// permutations.
    Pass,
    /// A residue of a mask made from its seed.
    Mask,
    /// A Gaussian number.
    Noise,
    /// A residue that is packed.
    Packed,
    /// A multiply-add of a residue and an entry in a product with a matrix of integers.
    Matrix,
}

/// Kinds of work.
#[cfg(debug_assertions)]
const KINDS: usize = 9;

#[cfg(debug_assertions)]
thread_local! {
    static DONE: [Cell<u64>; KINDS] = const { [const { Cell::new(0) }; KINDS] };
}

/// The calling thread has done so much more.
#[inline(always)]
pub(crate) fn count(operation: Operation, amount: usize) {
    #[cfg(debug_assertions)]
    DONE.with(|done| {
        let done = &done[operation as usize];
        done.set(done.get() + amount as u64);
    });
    #[cfg(not(debug_assertions))]
    let _ = (operation, amount);
}

/// What the calling thread has done since the last call, in the order of [`Operation`].
#[cfg(debug_assertions)]
#[must_use]
pub fn take() -> [u64; KINDS] {
    DONE.with(|done| done.each_ref().map(Cell::take))
}
