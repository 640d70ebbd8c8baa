//! Secret keys, the public evaluation key (seed-compressed) and its expanded form.
use super::blind_rotate::{RotationKey, rotation_messages};
use super::extra::{ExtraKeys, PreparedExtraKeys};
use super::params::FhewParams;
use bootes_lattice::LatticeError;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::keyswitch::{LweKeySwitchKey, SeededLweKeySwitchKey};
use bootes_lattice::lwe;
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::torus::Torus;

/// What each seed derived from the root is for. The values are part of the file format.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Purpose {
    LweKey = 1,
    GlweKey = 2,
    RotationMask = 3,
    RotationNoise = 4,
    KeySwitchMask = 5,
    KeySwitchNoise = 6,
    Identity = 7,
    // One index a ring degree.
    RingKey = 8,
    RingRotationMask = 9,
    RingRotationNoise = 10,
    RingKeySwitchMask = 11,
    RingKeySwitchNoise = 12,
    TraceMask = 13,
    TraceNoise = 14,
    // One index a block length.
    PackingMask = 15,
    PackingNoise = 16,
    RelinearisationMask = 17,
    RelinearisationNoise = 18,
}

/// The secret keys: s (short, of blind rotation) and t (of the accumulator; ciphertexts are under it, flattened).
///
/// Both come from one 32-byte seed, which is all that a key file holds.
pub struct SecretKeys {
    params: FhewParams,
    root: SecretSeed,
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
        let shape = params.shape();
        Self {
            params: params.clone(),
            lwe: LweSecretKey::generate(
                &root.fork(Purpose::LweKey as u64),
                params.lwe_dimension(),
                params.lwe_distribution(),
            ),
            glwe: GlweSecretKey::generate(
                &root.fork(Purpose::GlweKey as u64),
                shape.rank,
                shape.degree,
                params.glwe_distribution(),
            ),
            root,
        }
    }

    /// The parameters.
    pub fn params(&self) -> &FhewParams {
        &self.params
    }

    /// The seed everything is derived from: the secret itself.
    pub fn expose_root(&self) -> &SecretSeed {
        &self.root
    }

    /// A public identifier of the key pair; it travels in keys and ciphertexts.
    pub fn key_id(&self) -> [u8; 16] {
        let mut id = [0; 16];
        id.copy_from_slice(&self.root.fork_mask(Purpose::Identity as u64).to_bytes()[..16]);
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

    /// Encrypts encoded messages; the bodies, for the masks of `mask_seed`.
    pub fn encrypt<W: Torus>(&self, encoded: &[W], mask_seed: &MaskSeed, noise_seed: &SecretSeed) -> Vec<W> {
        lwe::encrypt_seeded(self.glwe.as_lwe(), encoded, self.params.glwe_std(), mask_seed, noise_seed)
    }

    /// The phase of a ciphertext: encoded message plus noise.
    pub fn phase<W: Torus>(&self, ciphertext: &[W]) -> W {
        lwe::phase(ciphertext, self.glwe.as_lwe())
    }

    /// The evaluation key: GGSW encryptions of s under t, and LWE encryptions of t under s (circular security, as always
    /// in FHEW/TFHE).
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for a set of wider words, which [`Self::evaluation_key_of`] takes.
    pub fn evaluation_key(&self) -> Result<EvaluationKey, LatticeError> {
        self.evaluation_key_of()
    }

    /// The evaluation key for words `W`, those of the set: [`FhewParams::word_bits`].
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for other words.
    pub fn evaluation_key_of<W: Torus>(&self) -> Result<EvaluationKey<W>, LatticeError> {
        let params = &self.params;
        params.check_words::<W>()?;
        let fft = Fft::new(params.shape().degree)?;
        let rotation = SeededGgswList::encrypt(
            &self.glwe,
            &fft,
            params.bootstrap_gadget(),
            &rotation_messages(self.lwe.expose_coefficients(), params.lwe_distribution()),
            params.glwe_std(),
            self.root.fork_mask(Purpose::RotationMask as u64),
            &self.root.fork(Purpose::RotationNoise as u64),
        );
        let key_switch = SeededLweKeySwitchKey::generate(
            self.glwe.as_lwe(),
            &self.lwe,
            params.key_switch_gadget(),
            params.lwe_std(),
            self.root.fork_mask(Purpose::KeySwitchMask as u64),
            &self.root.fork(Purpose::KeySwitchNoise as u64),
        )?;
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
    /// Words of the bodies of a key of these parameters: those of the set of the rotation key, u32 of the key-switching key.
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

    /// Expands the masks and transforms the rotation key: what evaluators use.
    pub fn prepare(&self) -> Result<PreparedEvaluationKey<W>, LatticeError> {
        let params = self.params.clone();
        let fft = Fft::new(params.shape().degree)?;
        let limbs = params.limbs::<W>(params.shape());
        let (distribution, dimension) = (params.lwe_distribution(), params.lwe_dimension());
        let rotation = RotationKey::prepare(&self.rotation, limbs, fft, distribution, dimension)?;
        let key_switch = self.key_switch.prepare(Isa::selected(), params.glwe_distribution().mean())?;
        Ok(PreparedEvaluationKey { params, rotation, key_switch, extra: PreparedExtraKeys::default() })
    }
}

/// The expanded evaluation key.
#[derive(Debug)]
pub struct PreparedEvaluationKey<W = u64> {
    /// The parameters.
    pub params: FhewParams,
    /// Blind rotation key in the Fourier domain.
    pub rotation: RotationKey<W>,
    /// Key-switching key with its masks.
    pub key_switch: LweKeySwitchKey,
    /// Additional keys: none unless they are added.
    pub extra: PreparedExtraKeys<W>,
}

impl<W: Torus> PreparedEvaluationKey<W> {
    /// Expands and adds additional keys; those that are there already stay.
    ///
    /// The caller has checked that they are of the same parameters and secret keys.
    pub fn add_extra(&mut self, keys: &ExtraKeys<W>) -> Result<(), LatticeError> {
        self.extra.add(keys)
    }

    /// Rank and degree of the accumulator.
    pub fn shape(&self) -> GlweShape {
        self.params.shape()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.rotation.bytes() + self.key_switch.bytes() + self.extra.bytes()
    }
}
