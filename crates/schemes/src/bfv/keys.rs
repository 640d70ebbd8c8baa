//! Secret keys, public keys and the evaluation key of BFV and BGV.
use std::fmt;
use std::io::Read;
use std::ops::Deref;

use bootes_lattice::rns::{MaskStorage, RnsPublicKey, RnsSecretKey};
use bootes_lattice::wire::{StreamError, StreamReader};
use bootes_ring::sample::SecretSeed;

use super::{BfvParams, BfvSchemeError};
use crate::ckks::keys::largest_slot_value;
use crate::rlwe::{KeyRequest, RlweEvaluationKey, RlweSecretKeys};

/// The secret keys of a set: s, and the sparse key of encapsulation ([`RlweSecretKeys`]).
pub struct BfvSecretKey {
    params: BfvParams,
    keys: RlweSecretKeys,
}

impl BfvSecretKey {
    /// Derives the keys from `root`: s is the first one that keeps to
    /// [`max_slot_value`](crate::rlwe::RlweParams::max_slot_value).
    #[must_use]
    pub fn derive(params: &BfvParams, root: &SecretSeed) -> Self {
        let accepted = |key: &_| largest_slot_value(key) <= params.max_slot_value();
        let keys = RlweSecretKeys::derive(params, &params.key_fingerprint(), root, accepted);
        Self { params: params.clone(), keys }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &BfvParams {
        &self.params
    }

    /// s.
    #[must_use]
    pub fn key(&self) -> &RnsSecretKey {
        self.keys.key()
    }

    /// What identifies the key in ciphertexts and evaluation keys; public.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.keys.id()
    }

    /// A fresh seed for the ciphertext of one message: see [`RlweSecretKeys::encryption_seed`].
    pub(super) fn encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, BfvSchemeError> {
        Ok(self.keys.encryption_seed(message)?)
    }

    /// A public key, modulo all primes of the chain: another one at every call.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`].
    pub fn public_key(&self) -> Result<BfvPublicKey, BfvSchemeError> {
        let key = self.keys.public_key(&self.params, &self.keys.fresh_generation()?);
        Ok(BfvPublicKey { params: self.params.clone(), id: self.id(), key })
    }

    /// Generates an evaluation key, whose masks and noise are drawn anew at every call. `progress` hears after each key
    /// how many of how many are made.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`].
    pub fn evaluation_key(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        progress: impl FnMut(usize, usize),
    ) -> Result<BfvEvaluationKey, BfvSchemeError> {
        Ok(self.evaluation_key_from(request, storage, &self.keys.fresh_generation()?, progress))
    }

    /// The evaluation key of these bytes instead of fresh ones, its masks seeds: equal bytes give equal keys. For tests
    /// and stored examples.
    #[must_use]
    pub fn evaluation_key_with_randomness_for_tests(
        &self,
        request: &KeyRequest,
        randomness: &[u8; 32],
    ) -> BfvEvaluationKey {
        self.evaluation_key_from(request, MaskStorage::Seeded, &self.keys.generation(randomness), |_, _| ())
    }

    fn evaluation_key_from(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        generation: &SecretSeed,
        progress: impl FnMut(usize, usize),
    ) -> BfvEvaluationKey {
        let keys = self.keys.evaluation_key(&self.params, request, storage, generation, progress);
        BfvEvaluationKey { params: self.params.clone(), id: self.id(), keys }
    }
}

impl fmt::Debug for BfvSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BfvSecretKey").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

/// The key that anyone can encrypt with.
#[derive(Debug, Clone)]
pub struct BfvPublicKey {
    pub(super) params: BfvParams,
    pub(super) id: [u8; 16],
    pub(super) key: RnsPublicKey,
}

/// The public key of evaluation: an [`RlweEvaluationKey`] of a set, under one secret key.
#[derive(Debug)]
pub struct BfvEvaluationKey {
    params: BfvParams,
    id: [u8; 16],
    keys: RlweEvaluationKey,
}

impl BfvEvaluationKey {
    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &BfvParams {
        &self.params
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// No key at all, for sums and products with constants of ciphertexts under the key of this identity.
    #[must_use]
    pub fn empty(params: &BfvParams, id: [u8; 16]) -> Self {
        Self { params: params.clone(), id, keys: RlweEvaluationKey::empty(params) }
    }

    /// Reads a key of these parameters and of this identity; its masks are not kept
    /// ([`BfvEvaluationKey::with_masks`]). [`RlweEvaluationKey::write`] writes it.
    ///
    /// # Errors
    /// As [`RlweEvaluationKey::read`].
    pub fn read<R: Read>(params: &BfvParams, id: [u8; 16], input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        Ok(Self { params: params.clone(), id, keys: RlweEvaluationKey::read(params, input)? })
    }

    /// Keeps or drops the masks of all keys, one key after the other.
    #[must_use]
    pub fn with_masks(self, storage: MaskStorage) -> Self {
        Self { keys: self.keys.with_masks(storage), ..self }
    }
}

impl Deref for BfvEvaluationKey {
    type Target = RlweEvaluationKey;

    fn deref(&self) -> &RlweEvaluationKey {
        &self.keys
    }
}
