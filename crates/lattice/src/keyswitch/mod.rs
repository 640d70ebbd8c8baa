//! Key switching: a ciphertext under one key becomes one under another.
//!
//! | | from | to | key |
//! |---|---|---|---|
//! | [`LweKeySwitchKey`] | LWE, long key | LWE, short key | kN·d short samples |
//! | [`GlweKeySwitchKey`] | GLWE, any polynomials | GLWE | k'·d rows |
//! | [`PackingKey`] | LWE samples | GLWE, each in a block of coefficients | kN·d rows: hundreds of MB |
//! | [`TraceKey`] | LWE samples | GLWE, one coefficient each | k·d·log2(N) rows: a few MB |
//!
//! Digits have a mean of −½, so that half of the rows' noise would be in all results of a key, and in sums of many add
//! up. So inputs of [`LweKeySwitchKey`] and [`TraceKey`] are negated before, and their results after, by a
//! bit that depends on them ([`sign`]); the rows of a [`PackingKey`] meet each coefficient on their own.
use bootes_ring::torus::Torus;

mod glwe;
mod lwe;
mod packing;
mod trace;

pub(crate) use glwe::upper_bits;
pub use glwe::{GlweKeySwitchKey, SeededGlweKeySwitchKey};
pub use lwe::{LweKeySwitchKey, SeededLweKeySwitchKey};
pub use packing::{PackingKey, SeededPackingKey};
pub use trace::{SeededTraceKey, TraceKey};

/// A bit of these samples, that of others as often as not: whether they are negated.
#[must_use]
pub fn sign<'a, W: Torus>(samples: impl Iterator<Item = &'a [W]>) -> bool {
    // A few words of a mask are as good as all; halved words have no top bit, so that bits are mixed.
    let words = samples.flat_map(|sample| sample.iter().take(16).chain(sample.last()));
    words.fold(0u64, |hash, word| (hash ^ word.top()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)) >> 63 == 1
}
