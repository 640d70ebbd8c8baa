//! Secret keys, public keys and the evaluation key.
use std::fmt;
use std::io::Read;
use std::ops::Deref;

use bootes_lattice::rns::{MaskStorage, RnsCiphertext, RnsPublicKey, RnsSecretKey};
use bootes_lattice::wire::{StreamError, StreamReader};
use bootes_ring::sample::SecretSeed;
use num_complex::Complex64;
use zeroize::Zeroizing;

use super::{CkksError, CkksParams, Encoder};
use crate::rlwe::{KeyRequest, RlweEvaluationKey, RlweSecretKeys};

/// The secret keys of a set: s, whose slots are not too large, and the sparse key of encapsulation
/// ([`RlweSecretKeys`]).
pub struct CkksSecretKey {
    params: CkksParams,
    keys: RlweSecretKeys,
}

/// The largest |s(ζ_j)|²/h, of h = ‖s‖².
pub(crate) fn largest_slot_value(key: &RnsSecretKey) -> f64 {
    let coefficients: Zeroizing<Vec<f64>> =
        Zeroizing::new(key.expose_coefficients().iter().map(|&s| s.into()).collect());
    let encoder = Encoder::new(coefficients.len()).expect("the degree of a ring");
    let mut slots = vec![Complex64::ZERO; coefficients.len() / 2];
    encoder.slots_into(&mut slots, &coefficients).expect("as many slots as the ring has");
    let largest = slots.iter().map(Complex64::norm_sqr).fold(0.0, f64::max) / key.weight() as f64;
    slots.fill(Complex64::ZERO);
    std::hint::black_box(&slots);
    largest
}

impl CkksSecretKey {
    /// Derives the keys from `root`: s is the first one that keeps to
    /// [`max_slot_value`](crate::rlwe::RlweParams::max_slot_value).
    #[must_use]
    pub fn derive(params: &CkksParams, root: &SecretSeed) -> Self {
        let accepted = |key: &_| largest_slot_value(key) <= params.max_slot_value();
        let keys = RlweSecretKeys::derive(params, &params.fingerprint(), root, accepted);
        Self { params: params.clone(), keys }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
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

    /// A fresh seed for the ciphertext of the [port](bootes_lattice::port) of one message under s: see
    /// [`RlweSecretKeys::encryption_seed`].
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn rlwe_encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        Ok(self.keys.port_encryption_seed(message)?)
    }

    /// The same for a CKKS ciphertext.
    pub(super) fn encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        Ok(self.keys.encryption_seed(message)?)
    }

    /// A public key, modulo all primes of the chain: another one at every call.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn public_key(&self) -> Result<CkksPublicKey, CkksError> {
        Ok(self.public_key_from(&self.keys.fresh_generation()?))
    }

    /// The public key of these bytes instead of fresh ones: equal bytes give equal keys. For tests.
    #[must_use]
    pub fn public_key_with_randomness_for_tests(&self, randomness: &[u8; 32]) -> CkksPublicKey {
        self.public_key_from(&self.keys.generation(randomness))
    }

    fn public_key_from(&self, generation: &SecretSeed) -> CkksPublicKey {
        let key = self.keys.public_key(&self.params, generation);
        CkksPublicKey { params: self.params.clone(), id: self.id(), key }
    }

    /// Generates an evaluation key, whose masks and noise are drawn anew at every call. `progress` hears after each key
    /// how many of how many are made.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn evaluation_key(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        progress: impl FnMut(usize, usize),
    ) -> Result<CkksEvaluationKey, CkksError> {
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
        progress: impl FnMut(usize, usize),
    ) -> CkksEvaluationKey {
        self.evaluation_key_from(request, storage, &self.keys.generation(randomness), progress)
    }

    fn evaluation_key_from(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        generation: &SecretSeed,
        progress: impl FnMut(usize, usize),
    ) -> CkksEvaluationKey {
        let keys = self.keys.evaluation_key(&self.params, request, storage, generation, progress);
        CkksEvaluationKey { params: self.params.clone(), id: self.id(), keys }
    }
}

impl fmt::Debug for CkksSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CkksSecretKey").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

/// The key that anyone can encrypt with.
#[derive(Debug, Clone)]
pub struct CkksPublicKey {
    pub(super) params: CkksParams,
    pub(super) id: [u8; 16],
    pub(super) key: RnsPublicKey,
}

impl CkksPublicKey {
    /// The encryption of zero.
    #[must_use]
    pub fn ciphertext(&self) -> &RnsCiphertext {
        self.key.ciphertext()
    }
}

/// The public key of evaluation: an [`RlweEvaluationKey`] of a set, under one secret key.
#[derive(Debug)]
pub struct CkksEvaluationKey {
    params: CkksParams,
    id: [u8; 16],
    keys: RlweEvaluationKey,
}

impl CkksEvaluationKey {
    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
        &self.params
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// Reads a key of these parameters and of this identity; its masks are not kept
    /// ([`CkksEvaluationKey::with_masks`]). [`RlweEvaluationKey::write`] writes it.
    ///
    /// # Errors
    /// As [`RlweEvaluationKey::read`].
    pub fn read<R: Read>(params: &CkksParams, id: [u8; 16], input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        Ok(Self { params: params.clone(), id, keys: RlweEvaluationKey::read(params, input)? })
    }

    /// Keeps or drops the masks of all keys, one key after the other.
    #[must_use]
    pub fn with_masks(self, storage: MaskStorage) -> Self {
        Self { keys: self.keys.with_masks(storage), ..self }
    }
}

/// What all schemes have.
impl Deref for CkksEvaluationKey {
    type Target = RlweEvaluationKey;

    fn deref(&self) -> &RlweEvaluationKey {
        &self.keys
    }
}

#[cfg(test)]
mod tests;
