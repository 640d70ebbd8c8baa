//! The key from another ring's secret to the accumulator's: values of thousands of coefficients become single ones.
//!
//! Rows are GLWE samples on words of 64 bits, also where those of the set are wider, with the deviation of packing
//! keys, under the set's own secret: as secure as a public key's ([`FhewParams::public_security`]). What they encrypt is
//! the other secret, so that whoever solves one of the two has both.
use super::keys::{Part, SecretKeys};
use super::params::FhewParams;
use bootes_lattice::noise::formula;
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

impl FhewParams {
    /// The gadget of [`SecretKeys::ring_switch_key`].
    pub fn ring_switch_gadget(&self) -> Gadget {
        let [log2_base, levels] = GADGET;
        Gadget::try_new(log2_base, levels).expect("3 digits of 11 bits fit in a word")
    }

    /// Noise variance that switching the ring of a ciphertext modulo 2^`log2_modulus` adds, of N = `degree` and a secret
    /// of `weight` nonzero coefficients.
    pub fn ring_switch_variance(&self, degree: usize, weight: usize, log2_modulus: u32) -> f64 {
        formula::ring_switch(degree, weight, self.ring_switch_gadget(), self.packing_std(), log2_modulus)
    }
}
