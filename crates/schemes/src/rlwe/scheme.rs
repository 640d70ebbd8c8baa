//! Keys of one scheme: a set of its parameters, and the keys that all schemes of RLWE have.
use std::fmt;
use std::io::{Read, Write};
use std::ops::Deref;

use bootes_lattice::Gadget;
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::rns::{MaskStorage, RnsCiphertext, RnsPublicKey, RnsSecretKey};
use bootes_lattice::secret::GlweSecretKey;
use bootes_lattice::wire::{StreamError, StreamReader, StreamWriter};
use bootes_ring::sample::SecretSeed;

use super::{KeyError, KeyRequest, RlweEvaluationKey, RlweParams, RlweSecretKeys};

/// A parameter set of a scheme.
pub trait SchemeParams: Clone + Deref<Target = RlweParams> {
    /// The scheme's errors.
    type Error: From<KeyError>;

    /// The name of the set.
    fn name(&self) -> &str;

    /// Public bytes that the secrets of the set are bound to.
    fn key_fingerprint(&self) -> [u8; 16];

    /// Whether the slots of s are within [`max_slot_value`](RlweParams::max_slot_value).
    fn accepts(&self, key: &RnsSecretKey) -> bool;
}

/// The secret keys of a set: s, whose slots are not too large, and the sparse key of encapsulation
/// ([`RlweSecretKeys`]).
pub struct SchemeSecretKey<P> {
    params: P,
    pub(crate) keys: RlweSecretKeys,
}

impl<P: SchemeParams> SchemeSecretKey<P> {
    /// Derives the keys from `root`: s is the first one that keeps to
    /// [`max_slot_value`](RlweParams::max_slot_value).
    #[must_use]
    pub fn derive(params: &P, root: &SecretSeed) -> Self {
        let keys = RlweSecretKeys::derive(params, &params.key_fingerprint(), root, |key| params.accepts(key));
        Self { params: params.clone(), keys }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &P {
        &self.params
    }

    /// s.
    #[must_use]
    pub fn key(&self) -> &RnsSecretKey {
        self.keys.key()
    }

    /// The identity of the key in ciphertexts and evaluation keys: 16 public bytes.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.keys.id()
    }

    /// A public key, modulo all primes of the chain: another one at every call.
    ///
    /// # Errors
    /// [`KeyError::Randomness`], as the scheme's error.
    pub fn public_key(&self) -> Result<SchemePublicKey<P>, P::Error> {
        self.public_key_at(self.params.max_level())
    }

    /// A public key for encryptions at a level and below: another one at every call.
    ///
    /// # Errors
    /// [`KeyError::Randomness`], as the scheme's error.
    pub fn public_key_at(&self, level: usize) -> Result<SchemePublicKey<P>, P::Error> {
        Ok(self.public_key_from(level, &self.keys.fresh_generation()?))
    }

    /// The public key of these bytes instead of fresh ones: equal bytes give equal keys. For tests.
    #[must_use]
    pub fn public_key_with_randomness_for_tests(&self, randomness: &[u8; 32]) -> SchemePublicKey<P> {
        self.public_key_from(self.params.max_level(), &self.keys.generation(randomness))
    }

    fn public_key_from(&self, level: usize, generation: &SecretSeed) -> SchemePublicKey<P> {
        let key = self.keys.public_key(&self.params, level, generation);
        SchemePublicKey { params: self.params.clone(), id: self.id(), key }
    }

    /// A key from a GLWE key of a smaller ring to s: [`RlweSecretKeys::ring_merge_key`].
    ///
    /// # Errors
    /// As there, as the scheme's error.
    pub fn ring_merge_key(
        &self,
        input: &GlweSecretKey,
        gadget: Gadget,
        owner: &[u8; 32],
    ) -> Result<RingMergeKey, P::Error> {
        Ok(self.keys.ring_merge_key(&self.params, input, gadget, owner)?)
    }

    /// Generates an evaluation key, whose masks and noise are drawn anew at every call. `progress` hears after each
    /// key how many of how many are made.
    ///
    /// # Errors
    /// [`KeyError::Randomness`], as the scheme's error.
    pub fn evaluation_key(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        progress: impl FnMut(usize, usize),
    ) -> Result<SchemeEvaluationKey<P>, P::Error> {
        Ok(self.evaluation_key_from(request, storage, &self.keys.fresh_generation()?, progress))
    }

    /// The evaluation key of these bytes instead of fresh ones: equal bytes give equal keys. For tests and stored
    /// examples.
    #[must_use]
    pub fn evaluation_key_with_randomness_for_tests(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        randomness: &[u8; 32],
    ) -> SchemeEvaluationKey<P> {
        self.evaluation_key_from(request, storage, &self.keys.generation(randomness), |_, _| ())
    }

    fn evaluation_key_from(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        generation: &SecretSeed,
        progress: impl FnMut(usize, usize),
    ) -> SchemeEvaluationKey<P> {
        let keys = self.keys.evaluation_key(&self.params, request, storage, generation, progress);
        SchemeEvaluationKey { params: self.params.clone(), id: self.id(), keys }
    }
}

impl<P: SchemeParams> fmt::Debug for SchemeSecretKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemeSecretKey").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

/// The key that anyone can encrypt with.
#[derive(Debug, Clone)]
pub struct SchemePublicKey<P> {
    pub(crate) params: P,
    pub(crate) id: [u8; 16],
    pub(crate) key: RnsPublicKey,
}

impl<P: SchemeParams> SchemePublicKey<P> {
    /// The encryption of zero.
    #[must_use]
    pub fn ciphertext(&self) -> &RnsCiphertext {
        self.key.ciphertext()
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// A fresh seed for an encryption of this message. Bound to the message and to the key: bytes that the system
    /// repeats tell nothing but that both are equal.
    ///
    /// # Errors
    /// [`KeyError::Randomness`].
    pub(crate) fn encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, KeyError> {
        let key = self.ciphertext().b.limb(0).iter().map(|x| x.to_bits());
        Ok(SecretSeed::from_entropy()?.bind_message(message.into_iter().chain(key)))
    }

    /// The bytes that [`Self::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        RnsPublicKey::stored_bytes(self.params.ring(), self.ciphertext().limbs())
    }

    /// Writes the key, its mask a seed.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        self.key.write(self.params.ring(), out)
    }

    /// Reads a key of these parameters, level and identity.
    ///
    /// # Errors
    /// As [`RnsPublicKey::read`].
    pub fn read<R: Read>(
        params: &P,
        id: [u8; 16],
        level: usize,
        input: &mut StreamReader<R>,
    ) -> Result<Self, StreamError> {
        let key = RnsPublicKey::read(params.ring(), params.limbs(level), input)?;
        Ok(Self { params: params.clone(), id, key })
    }
}

/// The public key of evaluation: an [`RlweEvaluationKey`] of a set, under one secret key.
#[derive(Clone, Debug)]
pub struct SchemeEvaluationKey<P> {
    params: P,
    id: [u8; 16],
    keys: RlweEvaluationKey,
}

impl<P: SchemeParams> SchemeEvaluationKey<P> {
    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &P {
        &self.params
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// No key at all, for sums and products with constants of ciphertexts under the key of this identity.
    #[must_use]
    pub fn empty(params: &P, id: [u8; 16]) -> Self {
        Self { params: params.clone(), id, keys: RlweEvaluationKey::empty(params) }
    }

    /// Reads a key of these parameters and of this identity; its masks are not kept ([`Self::with_masks`]).
    /// [`RlweEvaluationKey::write`] writes it.
    ///
    /// # Errors
    /// As [`RlweEvaluationKey::read`].
    pub fn read<R: Read>(params: &P, id: [u8; 16], input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        Ok(Self { params: params.clone(), id, keys: RlweEvaluationKey::read(params, input)? })
    }

    /// Keeps or drops the masks of all keys, one key after the other.
    #[must_use]
    pub fn with_masks(self, storage: MaskStorage) -> Self {
        Self { keys: self.keys.with_masks(storage), ..self }
    }
}

/// The key without its set.
impl<P> Deref for SchemeEvaluationKey<P> {
    type Target = RlweEvaluationKey;

    fn deref(&self) -> &RlweEvaluationKey {
        &self.keys
    }
}
