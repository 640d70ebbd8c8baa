//! Key switching: a ciphertext under one key becomes one under another.
mod lwe;

pub use lwe::{LweKeySwitchKey, SeededLweKeySwitchKey};
