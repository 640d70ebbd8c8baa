//! Seeds, and how they fork.

use core::fmt;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// What can go wrong when a seed is drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness ({reason}); no key or ciphertext can be made safely here")]
    Entropy {
        /// What the operating system said.
        reason: String,
    },
}

/// A public seed of 32 bytes, from which the uniform half of keys and ciphertexts is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaskSeed([u8; 32]);

impl MaskSeed {
    /// A fresh seed from the operating system.
    pub fn from_entropy() -> Result<Self, SampleError> {
        entropy().map(|bytes| Self(*bytes))
    }

    /// The seed with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the seed.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A secret seed of 32 bytes: whoever has it has every key and all noise expanded from it.
///
/// Wiped on drop, printed redacted, neither cloned nor compared. Use one (seed, stream) pair for one purpose only, and
/// [`SecretSeed::fork`] a seed for each purpose.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SecretSeed([u8; 32]);

/// The first block of the secret children.
const FORK_BLOCK: u64 = 1 << 63;
/// The first block of the public children.
const FORK_MASK_BLOCK: u64 = FORK_BLOCK | FORK_INDEX_END;
/// Indices of children end here.
const FORK_INDEX_END: u64 = 1 << 62;

impl SecretSeed {
    /// A fresh seed from the operating system.
    pub fn from_entropy() -> Result<Self, SampleError> {
        entropy().map(|bytes| Self(*bytes))
    }

    /// The seed with these bytes: for stored seeds, tests and reproducible experiments. The bytes are as secret as the key.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the seed, for storing it. They are as secret as the key; the copy is wiped on drop.
    pub fn expose_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0)
    }

    /// The secret child `(domain, 0)`; see [`SecretSeed::fork_indexed`].
    pub fn fork(&self, domain: u64) -> Self {
        self.fork_indexed(domain, 0)
    }

    /// The secret child number `index` < 2^62 of a domain: the first half of ChaCha20(seed, nonce = domain, block = 2^63 + index).
    ///
    /// A domain is a purpose (the caller numbers them), an index a row or a message. Equal arguments give equal children.
    ///
    /// # Panics
    /// If `index` is 2^62 or more.
    pub fn fork_indexed(&self, domain: u64, index: u64) -> Self {
        assert!(index < FORK_INDEX_END, "index of a child seed out of range");
        let mut child = Self([0; 32]);
        self.block(domain, FORK_BLOCK + index, &mut child.0);
        child
    }

    /// The public child `(domain, 0)`; see [`SecretSeed::fork_mask_indexed`].
    pub fn fork_mask(&self, domain: u64) -> MaskSeed {
        self.fork_mask_indexed(domain, 0)
    }

    /// The public child number `index` < 2^62 of a domain: the first half of
    /// ChaCha20(seed, nonce = domain, block = 2^63 + 2^62 + index). It tells nothing of the seed or of its other children.
    ///
    /// # Panics
    /// If `index` is 2^62 or more.
    pub fn fork_mask_indexed(&self, domain: u64, index: u64) -> MaskSeed {
        assert!(index < FORK_INDEX_END, "index of a child seed out of range");
        let mut child = [0; 32];
        self.block(domain, FORK_MASK_BLOCK + index, &mut child);
        MaskSeed(child)
    }

    /// The first 32 bytes of a block under this seed.
    fn block(&self, nonce: u64, block: u64, out: &mut [u8; 32]) {
        let mut generator = WipedChaCha::new(&self.0, nonce);
        generator.0.set_word_pos(u128::from(block) * 16);
        generator.0.fill_bytes(out);
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SecretSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretSeed(<redacted>)")
    }
}

/// ChaCha20 under a secret key; its state is overwritten on drop.
///
/// The generator's crate cannot wipe itself, so this is the best that safe code does: copies that the compiler made by
/// moving the value are not reached.
pub(super) struct WipedChaCha(pub(super) ChaCha20Rng);

impl WipedChaCha {
    pub(super) fn new(key: &[u8; 32], nonce: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(*key);
        generator.set_stream(nonce);
        Self(generator)
    }
}

impl Drop for WipedChaCha {
    fn drop(&mut self) {
        self.0 = ChaCha20Rng::from_seed([0; 32]);
        // The generator escapes here, so the stores above are not dead.
        core::hint::black_box(&mut self.0);
    }
}

fn entropy() -> Result<Zeroizing<[u8; 32]>, SampleError> {
    let mut bytes = Zeroizing::new([0; 32]);
    match getrandom::fill(bytes.as_mut_slice()) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(SampleError::Entropy { reason: error.to_string() }),
    }
}
