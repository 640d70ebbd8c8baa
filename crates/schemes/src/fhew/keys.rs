//! Secret keys, and the public evaluation key, seed-compressed.
use super::blind_rotate::rotation_messages;
use super::params::FhewParams;
use bootes_lattice::LatticeError;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::keyswitch::SeededLweKeySwitchKey;
use bootes_lattice::lwe;
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::fft::Fft;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::torus::Torus;

/// The use of each seed of a client and a set. The values are part of the format of client keys.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Purpose {
    LweKey = 1,
    GlweKey = 2,
    Identity = 3,
    // One index a ring degree.
    RingKey = 4,
    // With bytes of their own for each generation of public keys.
    Published = 5,
    // The same for each list of ciphertexts.
    Encrypted = 6,
}

/// The parts of one generation of public keys: masks and noise of each fork from its seed.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Part {
    Rotation = 1,
    KeySwitch = 2,
    // One index a ring degree.
    RingRotation = 3,
    RingKeySwitch = 4,
    Trace = 5,
    // One index a block length.
    Packing = 6,
    Relinearisation = 7,
    Public = 8,
    SchemeSwitch = 9,
    RingSwitch = 10,
    MergePacking = 11,
}

/// The secret keys: s (short, of blind rotation) and t (of the accumulator; ciphertexts are under it, flattened).
///
/// Both come from one 32-byte seed, which is all that a key file holds, and from the fingerprint of the set: no two
/// sets share secrets. Public keys do not come from the seed alone: each generation of them draws from the operating
/// system, so that no two share masks or noise.
pub struct SecretKeys {
    params: FhewParams,
    root: SecretSeed,
    /// The root bound to the set.
    bound: SecretSeed,
    lwe: LweSecretKey,
    glwe: GlweSecretKey,
}

impl std::fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretKeys").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

impl SecretKeys {
    /// Derives all keys from `root`.
    pub fn derive(params: &FhewParams, root: SecretSeed) -> Self {
        let (shape, bound) = (params.shape(), root.bind(&params.fingerprint()));
        let lwe = LweSecretKey::generate(
            &bound.fork(Purpose::LweKey as u64),
            params.lwe_dimension(),
            params.lwe_distribution(),
        );
        let glwe = GlweSecretKey::generate(
            &bound.fork(Purpose::GlweKey as u64),
            shape.rank,
            shape.degree,
            params.glwe_distribution(),
        );
        Self { params: params.clone(), root, bound, lwe, glwe }
    }

    /// The parameters.
    pub fn params(&self) -> &FhewParams {
        &self.params
    }

    /// The seed that secrets are derived from: the secret itself.
    pub fn expose_root(&self) -> &SecretSeed {
        &self.root
    }

    /// A public identifier of the key pair; it travels in keys and ciphertexts.
    pub fn key_id(&self) -> [u8; 16] {
        let mut id = [0; 16];
        id.copy_from_slice(&self.bound.fork_mask(Purpose::Identity as u64).to_bytes()[..16]);
        id
    }

    /// The short key s.
    pub fn expose_lwe(&self) -> &LweSecretKey {
        &self.lwe
    }

    /// The accumulator's key t; `as_lwe()` is the key of ciphertexts.
    pub fn expose_glwe(&self) -> &GlweSecretKey {
        &self.glwe
    }

    /// Encrypts encoded messages with fresh randomness: the seed of the masks, and the bodies.
    ///
    /// # Errors
    /// [`LatticeError::Randomness`].
    pub fn encrypt<W: Torus>(&self, encoded: &[W]) -> Result<(MaskSeed, Vec<W>), LatticeError> {
        // Under the secrets and the messages: bytes that the system repeats tell nothing but that lists are equal.
        let seed = self.bound.fork(Purpose::Encrypted as u64).bind(&MaskSeed::from_entropy()?.to_bytes());
        let words = encoded.iter().flat_map(|&word| [word.top(), word.low()]);
        let seed = seed.bind_message(std::iter::once(W::BITS.into()).chain(words));
        Ok(self.encrypt_with_randomness_for_tests(encoded, &seed))
    }

    /// [`Self::encrypt`] with the randomness of this seed: two lists of one seed tell the differences of their
    /// messages. For tests.
    pub fn encrypt_with_randomness_for_tests<W: Torus>(&self, encoded: &[W], seed: &SecretSeed) -> (MaskSeed, Vec<W>) {
        let (mask, noise) = seed.fork_both(0, 0);
        let bodies = lwe::encrypt_seeded(self.glwe.as_lwe(), encoded, self.params.glwe_std(), &mask, &noise);
        (mask, bodies)
    }

    /// The phase of a ciphertext: encoded message plus noise.
    pub fn phase<W: Torus>(&self, ciphertext: &[W]) -> W {
        lwe::phase(ciphertext, self.glwe.as_lwe())
    }

    /// The secret of the ring of degree `degree`, larger than that of the set.
    pub(super) fn ring_secret(&self, degree: usize) -> GlweSecretKey {
        let seed = self.bound.fork_indexed(Purpose::RingKey as u64, degree as u64);
        let rank = self.params.ring_shape(degree).rank;
        GlweSecretKey::generate(&seed, rank, degree, self.params.glwe_distribution())
    }

    /// The seed of a generation of public keys, of bytes that no other one has. Under the secrets, so that even bytes
    /// which repeat make no more than the same keys again.
    pub(super) fn generation(&self, randomness: &[u8; 32]) -> SecretSeed {
        self.bound.fork(Purpose::Published as u64).bind(randomness)
    }

    /// The seed of a generation of bytes from the operating system.
    pub(super) fn fresh_generation(&self) -> Result<SecretSeed, LatticeError> {
        Ok(self.generation(&MaskSeed::from_entropy()?.to_bytes()))
    }

    /// The evaluation key: GGSW encryptions of s under t, and LWE encryptions of t under s (circular security, as
    /// always in FHEW/TFHE). Its masks and noise are drawn anew at every call.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for a set of wider words, which [`Self::evaluation_key_of`] takes;
    /// [`LatticeError::Randomness`].
    pub fn evaluation_key(&self) -> Result<EvaluationKey, LatticeError> {
        self.evaluation_key_of()
    }

    /// The evaluation key for words `W`, those of the set: [`FhewParams::word_bits`].
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for other words, [`LatticeError::Randomness`].
    pub fn evaluation_key_of<W: Torus>(&self) -> Result<EvaluationKey<W>, LatticeError> {
        self.evaluation_key_from(&self.fresh_generation()?)
    }

    /// The evaluation key of these bytes instead of fresh ones: equal bytes give equal keys. For tests and stored
    /// examples.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for other words than those of the set.
    pub fn evaluation_key_with_randomness_for_tests<W: Torus>(
        &self,
        randomness: &[u8; 32],
    ) -> Result<EvaluationKey<W>, LatticeError> {
        self.evaluation_key_from(&self.generation(randomness))
    }

    fn evaluation_key_from<W: Torus>(&self, generation: &SecretSeed) -> Result<EvaluationKey<W>, LatticeError> {
        let params = &self.params;
        params.check_words::<W>()?;
        let fft = Fft::new(params.shape().degree)?;
        let (mask, noise) = generation.fork_both(Part::Rotation as u64, 0);
        let messages = rotation_messages(self.lwe.expose_coefficients(), params.lwe_distribution());
        let (gadget, std) = (params.bootstrap_gadget(), params.glwe_std());
        let rotation = SeededGgswList::encrypt(&self.glwe, &fft, gadget, &messages, std, mask, &noise);
        let (mask, noise) = generation.fork_both(Part::KeySwitch as u64, 0);
        let (long, gadget, std) = (self.glwe.as_lwe(), params.key_switch_gadget(), params.lwe_std());
        let key_switch = SeededLweKeySwitchKey::generate(long, &self.lwe, gadget, std, mask, &noise)?;
        Ok(EvaluationKey { params: params.clone(), key_id: self.key_id(), rotation, key_switch })
    }
}

/// The public key of evaluation, seed-compressed: what the client sends to the server.
#[derive(Clone, Debug)]
pub struct EvaluationKey<W = u64> {
    /// The parameters.
    pub params: FhewParams,
    /// Which secret keys it belongs to.
    pub key_id: [u8; 16],
    /// Blind rotation key.
    pub rotation: SeededGgswList<W>,
    /// Key-switching key.
    pub key_switch: SeededLweKeySwitchKey,
}

impl EvaluationKey {
    /// Words of the bodies of a key of these parameters: those of the set of the rotation key, u32 of the key-switching
    /// key.
    pub fn body_words(params: &FhewParams) -> [usize; 2] {
        let keys = bootes_lattice::noise::formula::rotation_keys(params.lwe_distribution(), params.lwe_dimension());
        let rows = params.shape().polynomials() * params.bootstrap_gadget().levels() as usize;
        [
            keys * rows * params.shape().degree,
            params.ciphertext_dimension() * params.key_switch_gadget().levels() as usize,
        ]
    }
}

impl<W: Torus> EvaluationKey<W> {
    /// Puts a key together from its stored parts and checks every size.
    pub fn from_parts(
        params: FhewParams,
        key_id: [u8; 16],
        masks: [MaskSeed; 2],
        rotation_bodies: Vec<W>,
        key_switch_bodies: Vec<u32>,
    ) -> Result<Self, LatticeError> {
        params.check_words::<W>()?;
        let [rotation_words, key_switch_words] = EvaluationKey::body_words(&params);
        for (what, expected, found) in [
            ("blind rotation key", rotation_words, rotation_bodies.len()),
            ("key-switching key", key_switch_words, key_switch_bodies.len()),
        ] {
            if expected != found {
                return Err(LatticeError::Size { what, expected, found });
            }
        }
        let [rotation_mask, key_switch_mask] = masks;
        let rotation = SeededGgswList {
            shape: params.shape(),
            gadget: params.bootstrap_gadget(),
            mask_seed: rotation_mask,
            bodies: rotation_bodies,
        };
        let key_switch = SeededLweKeySwitchKey {
            output_dimension: params.lwe_dimension(),
            gadget: params.key_switch_gadget(),
            mask_seed: key_switch_mask,
            bodies: key_switch_bodies,
        };
        Ok(Self { params, key_id, rotation, key_switch })
    }
}

#[cfg(test)]
mod tests;
