//! Keys between the accumulator's secret and that of another ring: values of thousands of coefficients become single
//! ones, and single ones are packed to be coefficients.
//!
//! Rows are GLWE samples on words of 64 bits, also where those of the set are wider, with the deviation of packing
//! keys, under the set's own secret: as secure as a public key's ([`FhewParams::public_security`]). What they encrypt
//! is the other secret, so that whoever solves one of the two has both.
use super::keys::{Part, SecretKeys};
use super::params::{DEFAULT_PACKING, FhewParams};
use bootes_lattice::keyswitch::SeededTraceKey;
use bootes_lattice::noise::formula::{self, GlweKeySwitch};
use bootes_lattice::ring_switch::SeededRingSwitchKey;
use bootes_lattice::{Gadget, LatticeError};
use bootes_ring::fft::Fft;

/// log2 of the base, and digits: with default sets and 2^16 coefficients the noise is 2^-30.7 of the key, 2^-31.0 of
/// bits of masks beyond 33. More noise than that is in all results of tables.
const GADGET: [u32; 2] = [11, 3];

impl SecretKeys {
    /// The key from a secret of N coefficients in {−1, 0, 1}, another one at every call. `owner`, set and identifier of
    /// that secret, is bound to its randomness.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for a ring that is smaller than the accumulator's; [`LatticeError::Randomness`].
    pub fn ring_switch_key(&self, secret: &[i8], owner: &[u8; 32]) -> Result<SeededRingSwitchKey, LatticeError> {
        let generation = self.fresh_generation()?.fork(Part::RingSwitch as u64).bind(owner);
        let (mask, noise) = generation.fork_both(0, 0);
        let (params, fft) = (self.params(), Fft::new(self.params().shape().degree)?);
        let (gadget, std) = (params.ring_switch_gadget(), params.packing_std());
        SeededRingSwitchKey::generate(secret, self.expose_glwe(), &fft, gadget, std, mask, &noise)
    }
}

/// log2 of the base, and digits, of packing before rings are merged, whatever the set packs with.
const PACKING: (u32, u32) = (DEFAULT_PACKING.1, DEFAULT_PACKING.2);

/// The same of merging: what is dropped is below 2^-40, and the noise of keys as well.
const MERGE: [u32; 2] = [15, 3];

impl SecretKeys {
    /// The key that packs single ciphertexts before their rings are merged, another one at every call; `owner`, set and
    /// identifier of the other secret, is bound to its randomness.
    ///
    /// # Errors
    /// [`LatticeError::Randomness`].
    pub fn merge_packing_key(&self, owner: &[u8; 32]) -> Result<SeededTraceKey, LatticeError> {
        let generation = self.fresh_generation()?.fork(Part::MergePacking as u64).bind(owner);
        let (mask, noise) = generation.fork_both(0, 0);
        let params = self.params();
        SeededTraceKey::generate(self.expose_glwe(), params.merge_packing_gadget(), params.packing_std(), mask, &noise)
    }
}

impl FhewParams {
    /// The gadget of [`SecretKeys::merge_packing_key`].
    pub fn merge_packing_gadget(&self) -> Gadget {
        Gadget::try_new(PACKING.0, PACKING.1).expect("9 digits of 5 bits fit in a word")
    }

    /// The gadget of keys that merge rings.
    pub fn ring_merge_gadget(&self) -> Gadget {
        let [log2_base, levels] = MERGE;
        Gadget::try_new(log2_base, levels).expect("3 digits of 15 bits fit in a word")
    }

    /// Noise variance that packing adds before rings are merged.
    pub fn merge_packing_variance(&self) -> f64 {
        let (shape, distribution) = (self.shape(), self.glwe_distribution());
        let (gadget, key_std) = (self.merge_packing_gadget(), self.packing_std());
        formula::trace_packing(&GlweKeySwitch { shape, distribution, gadget, key_std }, shape.degree).message
    }

    /// Noise variance that merging rings adds, to one of N = `degree` and a secret of `weight` nonzero coefficients,
    /// with keys of this noise modulo q_0·q_1, of `log2_moduli` with that of q_0.
    pub fn ring_merge_variance(&self, degree: usize, weight: usize, key_std: f64, log2_moduli: [f64; 2]) -> f64 {
        let (shape, gadget) = (self.shape(), self.ring_merge_gadget());
        formula::ring_merge(shape, self.glwe_distribution(), gadget, degree, key_std, log2_moduli, weight)
    }

    /// The gadget of [`SecretKeys::ring_switch_key`].
    pub fn ring_switch_gadget(&self) -> Gadget {
        let [log2_base, levels] = GADGET;
        Gadget::try_new(log2_base, levels).expect("3 digits of 11 bits fit in a word")
    }

    /// Noise variance that switching the ring of a ciphertext modulo 2^`log2_modulus` adds, of N = `degree` and a
    /// secret of `weight` nonzero coefficients.
    pub fn ring_switch_variance(&self, degree: usize, weight: usize, log2_modulus: u32) -> f64 {
        formula::ring_switch(degree, weight, self.ring_switch_gadget(), self.packing_std(), log2_modulus)
    }
}
