//! Sampling: public masks, secret noise, secret keys.
//!
//! Everything is expanded from 32-byte seeds by ChaCha20 (64-bit block counter, 64-bit nonce), so a value depends on
//! its seed and its stream number only, never on threads, on the machine or on its instruction set.
//!
//! - [`MaskSeed`] and [`MaskStream`]: public. The uniform half of a key is stored as its seed and regenerated row by
//!   row.
//! - [`SecretSeed`] and [`NoiseStream`]: secret. Noise and key coefficients, drawn without a branch and without a
//!   memory access that depends on the values drawn. Seeds fork ([`SecretSeed::fork`]); the forks never overlap with
//!   each other nor with a stream of the same seed. A seed for a context, such as a parameter set or bytes that were
//!   drawn once, is a path of forks ([`SecretSeed::bind`]).
//!
//! # The blocks of one seed
//!
//! Block b of nonce s under key k is ChaCha20(k, s, b), 64 bytes.
//!
//! | blocks | nonce | use |
//! |---|---|---|
//! | 0 .. 2^63 | stream number | [`MaskStream`] (key: mask seed), [`NoiseStream`] (key: secret seed) |
//! | 2^63 + i, i < 2^62 | domain | bytes 0..32: the secret child (domain, i), [`SecretSeed::fork_indexed`] |
//! | 2^63 + 2^62 + i | domain | bytes 0..32: the public child (domain, i), [`SecretSeed::fork_mask_indexed`] |
//!
//! As ChaCha20 is a pseudorandom function of (nonce, block), the public children tell nothing of the secret ones.

mod distribution;
mod gaussian;
mod mask;
mod noise;
mod permute;
mod seed;

pub use distribution::KeyDistribution;
pub use mask::MaskStream;
pub use noise::NoiseStream;
pub use seed::{MaskSeed, PublicHash, SampleError, SecretSeed};
