//! Secret keys from one seed, and the evaluation key.
use std::fmt;

use bootes_lattice::Gadget;
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::rns::keyswitch::relinearisation_key;
use bootes_lattice::rns::{GaloisKey, GaloisKeys, MaskStorage, RnsPublicKey, RnsSecretKey, SwitchKey};
use bootes_lattice::secret::GlweSecretKey;
use bootes_ring::cancel::is_wanted;
use bootes_ring::poly::Limbs;
use bootes_ring::sample::{MaskSeed, SecretSeed};

use super::{GaloisAction, KeyError, KeyRequest, RlweParams};

/// The use of each seed of a client and a set. The values are part of the format of client keys.
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

/// The parts of one generation of public keys: masks and noise of each fork from its seed, by what the key is
/// of and by its level.
#[derive(Clone, Copy)]
enum Part {
    Relinearisation { level: usize },
    Galois { exponent: usize, level: usize },
    ToSparse,
    FromSparse,
    Public,
    RingMerge,
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
            Self::RingMerge => (6, 0),
        };
        generation.fork_both(domain, index)
    }
}

/// The secret keys: s, and the sparse key of encapsulation, both from one 32-byte seed and from the
/// fingerprint of the set.
///
/// Public keys do not come from the seed alone: each generation of them draws from the operating system, so
/// that no two share masks or noise.
pub struct RlweSecretKeys {
    /// The seed bound to the set.
    bound: SecretSeed,
    id: [u8; 16],
    key: RnsSecretKey,
    sparse: Option<RnsSecretKey>,
}

impl RlweSecretKeys {
    /// Derives the keys from `root` and the set's `fingerprint`: s is the first one that is `accepted`.
    #[must_use]
    pub fn derive(
        params: &RlweParams,
        fingerprint: &[u8; 16],
        root: &SecretSeed,
        mut accepted: impl FnMut(&RnsSecretKey) -> bool,
    ) -> Self {
        let bound = root.bind(fingerprint);
        let generate = |purpose: Purpose, index, distribution| {
            let seed = bound.fork_indexed(purpose as u64, index);
            RnsSecretKey::generate(params.ring(), params.key_limbs(), &seed, distribution)
        };
        let mut keys = (0..).map(|index| (index, generate(Purpose::Key, index, params.key_distribution())));
        let (index, key) = keys.find(|(_, key)| accepted(key)).expect("keys without end");
        let sparse = params.sparse_distribution().map(|sparse| generate(Purpose::SparseKey, 0, sparse));
        // Another key has another name, should the rule by which keys are kept ever change.
        let seed = bound.fork_mask_indexed(Purpose::Identity as u64, index).to_bytes();
        let id = std::array::from_fn(|i| seed[i]);
        Self { bound, id, key, sparse }
    }

    /// s.
    #[must_use]
    pub fn key(&self) -> &RnsSecretKey {
        &self.key
    }

    /// The sparse key, if ciphertexts are raised.
    #[must_use]
    pub fn sparse(&self) -> Option<&RnsSecretKey> {
        self.sparse.as_ref()
    }

    /// The identity of the key in ciphertexts and evaluation keys: 16 public bytes.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// The seed of a generation of public keys, of bytes that no other one has. Under the secrets, so that
    /// even bytes which repeat make no more than the same keys again.
    #[must_use]
    pub fn generation(&self, randomness: &[u8; 32]) -> SecretSeed {
        self.bound.fork(Purpose::Published as u64).bind(randomness)
    }

    /// The seed of a generation of bytes from the operating system.
    ///
    /// # Errors
    /// [`KeyError::Randomness`].
    pub fn fresh_generation(&self) -> Result<SecretSeed, KeyError> {
        Ok(self.generation(&MaskSeed::from_entropy()?.to_bytes()))
    }

    /// A key from a GLWE key of a smaller ring to s ([`bootes_lattice::ring_merge`]), another one at every call.
    /// `owner`, set and identifier of that key, is bound to its randomness.
    ///
    /// # Errors
    /// [`KeyError::Randomness`]; [`KeyError::Lattice`] for a ring that is larger.
    pub fn ring_merge_key(
        &self,
        params: &RlweParams,
        input: &GlweSecretKey,
        gadget: Gadget,
        owner: &[u8; 32],
    ) -> Result<RingMergeKey, KeyError> {
        let (_, seed) = Part::RingMerge.seeds(&self.fresh_generation()?);
        let seed = seed.bind(owner);
        Ok(RingMergeKey::generate(params.ring(), input, &self.key, gadget, params.errors(), &seed)?)
    }

    /// A fresh seed for the ciphertext of one message: bytes of the operating system, under the secrets and
    /// the message, so that bytes which repeat tell nothing but that messages are equal.
    ///
    /// # Errors
    /// [`KeyError::Randomness`].
    pub fn encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, KeyError> {
        self.seed_of(Purpose::Encrypted, message)
    }

    /// The same for a ciphertext of the [port](bootes_lattice::port) under s.
    ///
    /// # Errors
    /// [`KeyError::Randomness`].
    pub fn port_encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, KeyError> {
        self.seed_of(Purpose::EncryptedRlwe, message)
    }

    fn seed_of(&self, purpose: Purpose, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, KeyError> {
        let fresh = MaskSeed::from_entropy()?.to_bytes();
        Ok(self.bound.fork(purpose as u64).bind(&fresh).bind_message(message))
    }

    /// The public key of a generation, for encryptions at a level and below.
    #[must_use]
    pub fn public_key(&self, params: &RlweParams, level: usize, generation: &SecretSeed) -> RnsPublicKey {
        let (mask, noise) = Part::Public.seeds(generation);
        let limbs = params.limbs(level);
        RnsPublicKey::generate(params.ring(), limbs, &self.key, params.errors(), &mask, &noise)
    }

    /// The evaluation key of a generation, with keys for raising where there is a sparse key. `progress` hears after
    /// each key how many of how many are made. Where they are not wanted any longer ([`is_wanted`]), some are missing.
    #[must_use]
    pub fn evaluation_key(
        &self,
        params: &RlweParams,
        request: &KeyRequest,
        storage: MaskStorage,
        generation: &SecretSeed,
        mut progress: impl FnMut(usize, usize),
    ) -> RlweEvaluationKey {
        let (ring, gadget, errors) = (params.ring(), params.gadget(), params.errors());
        let exponents = request.exponents(params.galois());
        let raised = self.sparse.as_ref().filter(|_| request.raise);
        let total = exponents.len() + usize::from(request.relinearisation.is_some()) + usize::from(raised.is_some());
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(done, total);
        };
        let relinearisation = request.relinearisation.map(|level| {
            let (mask, noise) = Part::Relinearisation { level }.seeds(generation);
            let key = relinearisation_key(ring, gadget, level + 1, &self.key, errors, mask, &noise);
            step();
            key.with_masks(ring, storage)
        });
        let mut galois = GaloisKeys::default();
        for (exponent, level) in exponents {
            if !is_wanted() {
                break;
            }
            let (mask, noise) = Part::Galois { exponent, level }.seeds(generation);
            let key = GaloisKey::generate(ring, gadget, level + 1, exponent, &self.key, errors, mask, &noise);
            galois.insert(key.with_masks(ring, storage));
            step();
        }
        let raise = raised.map(|sparse| {
            let (dense, sparse) = (self.key.expose_values(), sparse.expose_values());
            let (mask, noise) = Part::ToSparse.seeds(generation);
            // Under the sparse key: modulo q_0·p_0 only.
            let base = params.base_gadget();
            let to_sparse = SwitchKey::generate(ring, base, 1, dense, sparse, params.base_errors(), mask, &noise);
            let (mask, noise) = Part::FromSparse.seeds(generation);
            let chain = params.max_level() + 1;
            let from_sparse = SwitchKey::generate(ring, gadget, chain, sparse, dense, errors, mask, &noise);
            step();
            RaiseKeys {
                to_sparse: to_sparse.with_masks(ring, storage),
                from_sparse: from_sparse.with_masks(ring, storage),
            }
        });
        RlweEvaluationKey { params: params.clone(), relinearisation, galois, raise }
    }
}

impl fmt::Debug for RlweSecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RlweSecretKeys").finish_non_exhaustive()
    }
}

/// The keys of sparse-secret encapsulation (Bossuat, Troncoso-Pastoriza, Hubaux: *Bootstrapping for
/// Approximate Homomorphic Encryption with Negligible Failure-Probability*, 2022).
#[derive(Clone, Debug)]
pub struct RaiseKeys {
    /// From s to the sparse key, modulo q_0·p_0: the only samples under the sparse key.
    pub to_sparse: SwitchKey,
    /// From the sparse key to s, modulo QP.
    pub from_sparse: SwitchKey,
}

impl RaiseKeys {
    /// Both keys.
    pub(super) fn both(&self) -> [&SwitchKey; 2] {
        [&self.to_sparse, &self.from_sparse]
    }
}

/// The public key of evaluation: products, automorphisms, raising of the modulus.
#[derive(Clone, Debug)]
pub struct RlweEvaluationKey {
    pub(super) params: RlweParams,
    pub(crate) relinearisation: Option<SwitchKey>,
    pub(crate) galois: GaloisKeys,
    pub(crate) raise: Option<RaiseKeys>,
}

impl RlweEvaluationKey {
    /// No key at all: for what needs none.
    #[must_use]
    pub fn empty(params: &RlweParams) -> Self {
        Self { params: params.clone(), relinearisation: None, galois: GaloisKeys::default(), raise: None }
    }

    /// The key of products.
    ///
    /// # Errors
    /// [`KeyError::NoRelinearisationKey`].
    pub fn relinearisation(&self) -> Result<&SwitchKey, KeyError> {
        self.relinearisation.as_ref().ok_or(KeyError::NoRelinearisationKey)
    }

    /// The key of products at a level.
    ///
    /// # Errors
    /// [`KeyError::NoRelinearisationKey`], [`KeyError::RelinearisationKeyLevel`].
    pub fn relinearisation_at(&self, level: usize) -> Result<&SwitchKey, KeyError> {
        let key = self.relinearisation()?;
        let max = key.limbs().chain - 1;
        if level > max {
            return Err(KeyError::RelinearisationKeyLevel { max, found: level });
        }
        Ok(key)
    }

    /// The key of an automorphism for a level.
    ///
    /// # Errors
    /// [`KeyError::NoGaloisKey`], [`KeyError::GaloisKeyLevel`].
    pub fn galois(&self, action: GaloisAction, level: usize) -> Result<&GaloisKey, KeyError> {
        let key = self.galois.get(self.params.exponent(action)).ok_or(KeyError::NoGaloisKey { action })?;
        let max = key.switch_key().limbs().chain - 1;
        if level > max {
            return Err(KeyError::GaloisKeyLevel { action, max, found: level });
        }
        Ok(key)
    }

    /// The keys of the sparse secret.
    ///
    /// # Errors
    /// [`KeyError::NoRaiseKeys`].
    pub fn raise(&self) -> Result<&RaiseKeys, KeyError> {
        self.raise.as_ref().ok_or(KeyError::NoRaiseKeys)
    }

    /// Refuses a key that lacks what `request` asks for.
    ///
    /// # Errors
    /// [`KeyError::NoRelinearisationKey`], [`KeyError::NoGaloisKey`], [`KeyError::GaloisKeyLevel`],
    /// [`KeyError::NoRaiseKeys`].
    pub fn expect(&self, request: &KeyRequest) -> Result<(), KeyError> {
        let level = |key: &SwitchKey| key.limbs().chain - 1;
        if let Some(needed) = request.relinearisation
            && level(self.relinearisation()?) < needed
        {
            return Err(KeyError::NoRelinearisationKey);
        }
        for (&action, &needed) in &request.galois {
            self.galois(action, needed)?;
        }
        if request.raise && level(&self.raise()?.from_sparse) != self.params.max_level() {
            return Err(KeyError::NoRaiseKeys);
        }
        Ok(())
    }

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let single = self.relinearisation.iter().chain(self.raise.iter().flat_map(RaiseKeys::both));
        single.map(SwitchKey::bytes).sum::<usize>() + self.galois.bytes()
    }

    /// The primes of the samples under the sparse key, if there are any.
    #[must_use]
    pub fn sparse_limbs(&self) -> Option<Limbs> {
        self.raise.as_ref().map(|keys| keys.to_sparse.limbs())
    }

    /// Keeps or drops the masks of all keys, one key after the other.
    #[must_use]
    pub fn with_masks(self, storage: MaskStorage) -> Self {
        let ring = self.params.ring();
        let raise = self.raise.map(|keys| RaiseKeys {
            to_sparse: keys.to_sparse.with_masks(ring, storage),
            from_sparse: keys.from_sparse.with_masks(ring, storage),
        });
        Self {
            relinearisation: self.relinearisation.map(|key| key.with_masks(ring, storage)),
            galois: self.galois.with_masks(ring, storage),
            raise,
            params: self.params,
        }
    }
}
