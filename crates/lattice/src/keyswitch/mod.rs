//! Key switching: a ciphertext under one key becomes one under another.
//!
//! | | from | to | key |
//! |---|---|---|---|
//! | [`LweKeySwitchKey`] | LWE, long key | LWE, short key | kN·d short samples |
//! | [`GlweKeySwitchKey`] | GLWE, any polynomials | GLWE | k'·d rows |
//! | [`PackingKey`] | LWE samples | GLWE, each in a block of coefficients | kN·d rows: hundreds of MB |
//! | [`TraceKey`] | LWE samples | GLWE, one coefficient each | k·d·log2(N) rows: a few MB |
mod glwe;
mod lwe;
mod packing;
mod trace;

pub(crate) use glwe::upper_bits;
pub use glwe::{GlweKeySwitchKey, SeededGlweKeySwitchKey};
pub use lwe::{LweKeySwitchKey, SeededLweKeySwitchKey};
pub use packing::{PackingKey, SeededPackingKey};
pub use trace::{SeededTraceKey, TraceKey};
