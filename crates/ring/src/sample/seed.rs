//! Seeds, and how they fork.

use core::fmt;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, optimization_barrier, zeroize_stack};

use crate::cancel::is_wanted;

/// Words between looks whether their seed is wanted.
const TOGETHER: usize = 1 << 10;

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
        let mut seed = Self([0; 32]);
        fill_with_entropy(&mut seed.0)?;
        Ok(seed)
    }

    /// The seed with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// SHA-256 of this tag and of public bytes that follow: nobody chooses them with the streams of the seed in mind.
    pub fn hashing(tag: &str) -> PublicHash {
        PublicHash(Sha256::new_with_prefix((tag.len() as u64).to_le_bytes()).chain_update(tag))
    }

    /// The bytes of the seed.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A public seed in the making ([`MaskSeed::hashing`]).
#[derive(Debug)]
pub struct PublicHash(Sha256);

impl PublicHash {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The seed of all that was taken.
    pub fn seed(self) -> MaskSeed {
        MaskSeed(self.0.finalize().into())
    }
}

/// A secret seed of 32 bytes: whoever has it has every key and all noise expanded from it.
///
/// Wiped on drop, printed redacted, neither cloned nor compared; the bytes stay in one place, so that moves leave no
/// copies. Use one (seed, stream) pair for one purpose only, and [`SecretSeed::fork`] a seed for each purpose.
pub struct SecretSeed(Box<[u8; 32]>);

/// The first block of the secret children.
const FORK_BLOCK: u64 = 1 << 63;
/// The first block of the public children.
const FORK_MASK_BLOCK: u64 = FORK_BLOCK | FORK_INDEX_END;
/// Indices of children end here.
const FORK_INDEX_END: u64 = 1 << 62;

impl SecretSeed {
    /// A fresh seed from the operating system.
    pub fn from_entropy() -> Result<Self, SampleError> {
        let mut seed = Self::zero();
        fill_with_entropy(seed.0.as_mut_slice())?;
        Ok(seed)
    }

    /// The seed with these bytes: for stored seeds, tests and reproducible experiments. The bytes are as secret as the
    /// key.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut seed = Self::zero();
        seed.0.copy_from_slice(bytes);
        seed
    }

    /// The seed where its bytes are to be written.
    fn zero() -> Self {
        Self(Box::new([0; 32]))
    }

    /// The bytes of the seed, for storing it. They are as secret as the key.
    pub fn expose_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The seed for one context, such as the fingerprint of a parameter set or bytes that were drawn once: a child of a
    /// child …, one for every eight bytes of it, each the domain of a fork. Contexts under one seed have one length, a
    /// multiple of eight.
    ///
    /// # Panics
    /// If the length is no multiple of eight, or zero.
    #[must_use]
    pub fn bind(&self, context: &[u8]) -> Self {
        let (words, rest) = context.as_chunks();
        assert!(rest.is_empty() && !words.is_empty(), "a context of {} bytes, no multiple of 8", context.len());
        let fork =
            |seed: Option<Self>, word: &[u8; 8]| Some(seed.as_ref().unwrap_or(self).fork(u64::from_le_bytes(*word)));
        words.iter().fold(None, fork).expect("a context is not empty")
    }

    /// The seed of an encryption of these words: SHA-256 of this seed and of them. Words that differ have seeds that
    /// do, so that bytes which a system repeats (a machine that is restored twice) tell that messages are equal and no
    /// more. Where it is not wanted any longer ([`is_wanted`]), not all words count.
    #[must_use]
    pub fn bind_message(&self, words: impl IntoIterator<Item = u64>) -> Self {
        let child = self.hash(words.into_iter());
        zeroize_stack::<STACK>();
        child
    }

    /// In a frame of its own, which is then below that of the caller.
    #[inline(never)]
    fn hash(&self, words: impl Iterator<Item = u64>) -> Self {
        let mut hash = Box::new(Sha256::new_with_prefix(self.0.as_slice()));
        for (i, word) in words.enumerate() {
            if i % TOGETHER == 0 && !is_wanted() {
                break;
            }
            hash.update(word.to_le_bytes());
        }
        let mut child = Self::zero();
        hash.finalize_into_reset((&mut *child.0).into());
        child
    }

    /// The secret child `(domain, 0)`; see [`SecretSeed::fork_indexed`].
    pub fn fork(&self, domain: u64) -> Self {
        self.fork_indexed(domain, 0)
    }

    /// The secret child number `index` < 2^62 of a domain: the first half of ChaCha20(seed, nonce = domain, block =
    /// 2^63 + index).
    ///
    /// A domain is a purpose (the caller numbers them), an index a row or a message. Equal arguments give equal
    /// children.
    ///
    /// # Panics
    /// If `index` is 2^62 or more.
    pub fn fork_indexed(&self, domain: u64, index: u64) -> Self {
        assert!(index < FORK_INDEX_END, "index of a child seed out of range");
        let mut child = Self::zero();
        self.block(domain, FORK_BLOCK + index, &mut child.0);
        child
    }

    /// The public child `(domain, 0)`; see [`SecretSeed::fork_mask_indexed`].
    pub fn fork_mask(&self, domain: u64) -> MaskSeed {
        self.fork_mask_indexed(domain, 0)
    }

    /// The public child number `index` < 2^62 of a domain: the first half of ChaCha20(seed, nonce = domain, block =
    /// 2^63 + 2^62 + index). It tells nothing of the seed or of its other children.
    ///
    /// # Panics
    /// If `index` is 2^62 or more.
    pub fn fork_mask_indexed(&self, domain: u64, index: u64) -> MaskSeed {
        assert!(index < FORK_INDEX_END, "index of a child seed out of range");
        let mut child = [0; 32];
        self.block(domain, FORK_MASK_BLOCK + index, &mut child);
        MaskSeed(child)
    }

    /// Both children `(domain, index)`: what one published object is made of, its masks and its noise.
    ///
    /// # Panics
    /// If `index` is 2^62 or more.
    pub fn fork_both(&self, domain: u64, index: u64) -> (MaskSeed, Self) {
        (self.fork_mask_indexed(domain, index), self.fork_indexed(domain, index))
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

impl Drop for SecretSeed {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl fmt::Debug for SecretSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretSeed(<redacted>)")
    }
}

/// ChaCha20 under a secret key; its state, in one place, is overwritten on drop.
///
/// The generator's crate cannot wipe itself. What it leaves on the stack when it is made and when it makes blocks, the
/// first words of its state, is overwritten by [`zeroize_stack`].
pub(super) struct WipedChaCha(pub(super) Box<ChaCha20Rng>);

impl WipedChaCha {
    pub(super) fn new(key: &[u8; 32], nonce: u64) -> Self {
        let mut generator = Self(boxed_generator(key));
        generator.0.set_stream(nonce);
        zeroize_stack::<STACK>();
        generator
    }
}

/// In a frame of its own, which is then below that of the caller.
#[inline(never)]
fn boxed_generator(key: &[u8; 32]) -> Box<ChaCha20Rng> {
    Box::new(ChaCha20Rng::from_seed(*key))
}

impl Drop for WipedChaCha {
    fn drop(&mut self) {
        *self.0 = ChaCha20Rng::from_seed([0; 32]);
        optimization_barrier(&*self.0);
        zeroize_stack::<STACK>();
    }
}

/// Bytes of stack that calls to the generator and the samplers use.
const STACK: usize = 8 << 10;

fn fill_with_entropy(bytes: &mut [u8]) -> Result<(), SampleError> {
    getrandom::fill(bytes).map_err(|error| SampleError::Entropy { reason: error.to_string() })
}
