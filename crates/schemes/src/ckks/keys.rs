//! Secret keys and the evaluation key.
use std::collections::BTreeMap;
use std::fmt;

use bootes_lattice::rns::galois::rotation_exponent;
use bootes_lattice::rns::keyswitch::relinearisation_key;
use bootes_lattice::rns::{
    GaloisKey, GaloisKeys, HybridGadget, MaskStorage, RnsCiphertext, RnsPublicKey, RnsSecretKey, SwitchKey,
};
use bootes_ring::poly::Limbs;
use bootes_ring::sample::{MaskSeed, SecretSeed};

use super::params::{CkksParams, NOISE_STD};
use super::{CkksError, Encoder};
use num_complex::Complex64;
use zeroize::Zeroizing;

/// What each seed of a client and a set is for. The values are part of the format of client keys.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Purpose {
    Key = 1,
    SparseKey = 2,
    Identity = 3,
    // With bytes of their own for each generation of public keys.
    Published = 4,
    // The same for each ciphertext.
    Encrypted = 5,
    // The same for each RLWE ciphertext of integers.
    EncryptedRlwe = 6,
}

/// The parts of one generation of public keys: masks and noise of each fork from its seed, by what the key is of and by
/// its level.
#[derive(Clone, Copy)]
enum Part {
    Relinearisation { level: usize },
    Galois { exponent: usize, level: usize },
    ToSparse,
    FromSparse,
    Public,
}

impl Part {
    /// Masks and noise, forked from the seed of a generation.
    fn seeds(self, generation: &SecretSeed) -> (MaskSeed, SecretSeed) {
        // Levels and exponents are below 2^32.
        let (domain, index) = match self {
            Self::Relinearisation { level } => (1, level as u64),
            Self::Galois { exponent, level } => (2, (exponent as u64) << 32 | level as u64),
            Self::ToSparse => (3, 0),
            Self::FromSparse => (4, 0),
            Self::Public => (5, 0),
        };
        generation.fork_both(domain, index)
    }
}

/// The secret keys: s, and the sparse key of encapsulation, both from one 32-byte seed and from the fingerprint of the
/// set.
///
/// Public keys do not come from the seed alone: each generation of them draws from the operating system, so that no two
/// share masks or noise.
pub struct CkksSecretKey {
    params: CkksParams,
    /// The seed bound to the set.
    bound: SecretSeed,
    id: [u8; 16],
    key: RnsSecretKey,
    sparse: RnsSecretKey,
}

/// What an evaluation key is to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRequest {
    /// The highest level of products, if there are any.
    pub relinearisation: Option<usize>,
    /// The highest level of complex conjugation, if it is needed.
    pub conjugation: Option<usize>,
    /// For each rotation of slots to the left, 0 < r < N/2, its highest level.
    pub rotations: BTreeMap<usize, usize>,
    /// Whether ciphertexts are raised under the sparse key.
    pub raise: bool,
}

impl KeyRequest {
    /// Adds a rotation for levels up to `level`.
    pub fn rotation(&mut self, rotation: usize, level: usize) {
        let most = self.rotations.entry(rotation).or_default();
        *most = level.max(*most);
    }

    /// The keys, by exponent of their automorphism and highest level.
    pub(super) fn exponents(&self, degree: usize) -> impl Iterator<Item = (usize, usize)> {
        let rotations = self.rotations.iter().map(move |(&r, &level)| (rotation_exponent(degree, r as i64), level));
        rotations.chain(self.conjugation.map(|level| (2 * degree - 1, level)))
    }

    /// The bytes of the key in memory.
    #[must_use]
    pub fn bytes(&self, params: &CkksParams, storage: MaskStorage) -> usize {
        let bytes = |gadget: &HybridGadget, level: usize| {
            let halves = if storage == MaskStorage::Expanded { 2 } else { 1 };
            gadget.digits(level + 1) * params.ring().packed_bytes(gadget.full(level + 1)) * halves
        };
        let full = |level| bytes(params.gadget(), level);
        let galois: usize = self.exponents(params.degree()).map(|(_, level)| full(level)).sum();
        let raise = if self.raise { full(params.max_level()) + bytes(params.base_gadget(), 0) } else { 0 };
        galois + raise + self.relinearisation.map_or(0, full)
    }
}

/// The largest |s(ζ_j)|²/h.
fn largest_slot_value(params: &CkksParams, key: &RnsSecretKey) -> f64 {
    let encoder = Encoder::new(params.degree()).expect("the degree of a ring");
    let coefficients: Vec<f64> = key.expose_coefficients().iter().map(|&s| s.into()).collect();
    let (coefficients, mut slots) = (Zeroizing::new(coefficients), vec![Complex64::ZERO; params.slots()]);
    encoder.slots_into(&mut slots, &coefficients).expect("as many slots as the ring has");
    let largest = slots.iter().map(Complex64::norm_sqr).fold(0.0, f64::max) / f64::from(params.literal().weight);
    slots.fill(Complex64::ZERO);
    std::hint::black_box(&slots);
    largest
}

impl CkksSecretKey {
    /// Derives the keys from `root`: s is the first one that keeps to [`CkksParams::max_slot_value`].
    #[must_use]
    pub fn derive(params: &CkksParams, root: &SecretSeed) -> Self {
        let bound = root.bind(&params.fingerprint());
        let generate = |purpose: Purpose, index, distribution| {
            let seed = bound.fork_indexed(purpose as u64, index);
            RnsSecretKey::generate(params.ring(), params.ring().limbs(), &seed, distribution)
        };
        let mut keys = (0..).map(|index| (index, generate(Purpose::Key, index, params.key_distribution())));
        let kept = keys.find(|(_, key)| largest_slot_value(params, key) <= params.max_slot_value());
        let (index, key) = kept.expect("keys without end");
        let sparse = generate(Purpose::SparseKey, 0, params.sparse_distribution());
        // Another key has another name, should the rule by which keys are kept ever change.
        let seed = bound.fork_mask_indexed(Purpose::Identity as u64, index).to_bytes();
        let id = std::array::from_fn(|i| seed[i]);
        Self { params: params.clone(), bound, id, key, sparse }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
        &self.params
    }

    /// s.
    #[must_use]
    pub fn key(&self) -> &RnsSecretKey {
        &self.key
    }

    /// What identifies the key in ciphertexts and evaluation keys; public.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// The seed of a generation of public keys, of bytes that no other one has. Under the secrets, so that even bytes
    /// which repeat make no more than the same keys again.
    fn generation(&self, randomness: &[u8; 32]) -> SecretSeed {
        self.bound.fork(Purpose::Published as u64).bind(randomness)
    }

    /// The seed of a generation of bytes from the operating system.
    fn fresh_generation(&self) -> Result<SecretSeed, CkksError> {
        Ok(self.generation(&MaskSeed::from_entropy()?.to_bytes()))
    }

    /// A fresh seed for the RLWE ciphertext of one message under s: bytes of the operating system, under the secrets
    /// and the message, so that bytes which repeat tell nothing but that messages are equal.
    ///
    /// # Errors
    /// [`CkksError::Randomness`].
    pub fn rlwe_encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        self.seed_of(Purpose::EncryptedRlwe, message)
    }

    /// The same for a CKKS ciphertext.
    pub(super) fn encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        self.seed_of(Purpose::Encrypted, message)
    }

    fn seed_of(&self, purpose: Purpose, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        let fresh = MaskSeed::from_entropy()?.to_bytes();
        Ok(self.bound.fork(purpose as u64).bind(&fresh).bind_message(message))
    }

    /// A public key, modulo all primes of the chain: another one at every call.
    ///
    /// # Errors
    /// [`CkksError::Randomness`].
    pub fn public_key(&self) -> Result<CkksPublicKey, CkksError> {
        Ok(self.public_key_from(&self.fresh_generation()?))
    }

    /// The public key of these bytes instead of fresh ones: equal bytes give equal keys. For tests.
    #[must_use]
    pub fn public_key_with_randomness_for_tests(&self, randomness: &[u8; 32]) -> CkksPublicKey {
        self.public_key_from(&self.generation(randomness))
    }

    fn public_key_from(&self, generation: &SecretSeed) -> CkksPublicKey {
        let (mask, noise) = Part::Public.seeds(generation);
        let limbs = self.params.limbs(self.params.max_level());
        let key = RnsPublicKey::generate(self.params.ring(), limbs, &self.key, NOISE_STD.into(), &mask, &noise);
        CkksPublicKey { params: self.params.clone(), id: self.id(), key }
    }

    /// Generates an evaluation key, whose masks and noise are drawn anew at every call. `progress` hears after each key
    /// how many of how many are made.
    ///
    /// # Errors
    /// [`CkksError::Randomness`].
    pub fn evaluation_key(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        progress: impl FnMut(usize, usize),
    ) -> Result<CkksEvaluationKey, CkksError> {
        Ok(self.evaluation_key_from(request, storage, &self.fresh_generation()?, progress))
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
        self.evaluation_key_from(request, storage, &self.generation(randomness), progress)
    }

    fn evaluation_key_from(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        generation: &SecretSeed,
        mut progress: impl FnMut(usize, usize),
    ) -> CkksEvaluationKey {
        let (params, ring, gadget) = (&self.params, self.params.ring(), self.params.gadget());
        let exponents: Vec<_> = request.exponents(params.degree()).collect();
        let total = exponents.len() + usize::from(request.relinearisation.is_some()) + usize::from(request.raise);
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(done, total);
        };
        let relinearisation = request.relinearisation.map(|level| {
            let (mask, noise) = Part::Relinearisation { level }.seeds(generation);
            let key = relinearisation_key(ring, gadget, level + 1, &self.key, NOISE_STD.into(), mask, &noise);
            step();
            key.with_masks(ring, storage)
        });
        let mut galois = GaloisKeys::default();
        for (exponent, level) in exponents {
            let (mask, noise) = Part::Galois { exponent, level }.seeds(generation);
            let key = GaloisKey::generate(ring, gadget, level + 1, exponent, &self.key, NOISE_STD.into(), mask, &noise);
            galois.insert(key.with_masks(ring, storage));
            step();
        }
        let raise = request.raise.then(|| {
            let (dense, sparse) = (self.key.expose_values(), self.sparse.expose_values());
            let (mask, noise) = Part::ToSparse.seeds(generation);
            // Under the sparse key: modulo q_0·p_0 only.
            let base = params.base_gadget();
            let to_sparse = SwitchKey::generate(ring, base, 1, dense, sparse, NOISE_STD.into(), mask, &noise);
            let (mask, noise) = Part::FromSparse.seeds(generation);
            let chain = params.max_level() + 1;
            let from_sparse = SwitchKey::generate(ring, gadget, chain, sparse, dense, NOISE_STD.into(), mask, &noise);
            step();
            RaiseKeys {
                to_sparse: to_sparse.with_masks(ring, storage),
                from_sparse: from_sparse.with_masks(ring, storage),
            }
        });
        CkksEvaluationKey { params: params.clone(), id: self.id(), relinearisation, galois, raise }
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

/// The keys of sparse-secret encapsulation (Bossuat, Troncoso-Pastoriza, Hubaux: *Bootstrapping for Approximate
/// Homomorphic Encryption with Negligible Failure-Probability*, 2022).
#[derive(Debug)]
pub struct RaiseKeys {
    /// From s to the sparse key, modulo q_0·p_0: the only samples under the sparse key.
    pub to_sparse: SwitchKey,
    /// From the sparse key to s, modulo QP.
    pub from_sparse: SwitchKey,
}

/// The public key of evaluation.
#[derive(Debug)]
pub struct CkksEvaluationKey {
    pub(super) params: CkksParams,
    pub(super) id: [u8; 16],
    pub(super) relinearisation: Option<SwitchKey>,
    pub(super) galois: GaloisKeys,
    pub(super) raise: Option<RaiseKeys>,
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

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let raise = self.raise.iter().map(|keys| keys.to_sparse.bytes() + keys.from_sparse.bytes()).sum::<usize>();
        self.relinearisation.as_ref().map_or(0, SwitchKey::bytes) + self.galois.bytes() + raise
    }

    /// The primes of the samples under the sparse key, if there are any.
    #[must_use]
    pub fn sparse_limbs(&self) -> Option<Limbs> {
        self.raise.as_ref().map(|keys| keys.to_sparse.limbs())
    }
}

#[cfg(test)]
mod tests;
