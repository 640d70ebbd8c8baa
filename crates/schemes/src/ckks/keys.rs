//! Secret keys, public keys and the evaluation key.
use bootes_lattice::rns::RnsSecretKey;
use bootes_ring::sample::SecretSeed;
use num_complex::Complex64;
use zeroize::Zeroizing;

use super::{CkksError, CkksParams, Encoder};
use crate::rlwe::{SchemeEvaluationKey, SchemeParams, SchemePublicKey, SchemeSecretKey};

/// The secret keys of a set of CKKS.
pub type CkksSecretKey = SchemeSecretKey<CkksParams>;

/// The public key of encryption of CKKS.
pub type CkksPublicKey = SchemePublicKey<CkksParams>;

/// The public key of evaluation of CKKS.
pub type CkksEvaluationKey = SchemeEvaluationKey<CkksParams>;

impl SchemeParams for CkksParams {
    type Error = CkksError;

    fn name(&self) -> &str {
        self.name()
    }

    fn key_fingerprint(&self) -> [u8; 16] {
        self.fingerprint()
    }

    fn accepts(&self, key: &RnsSecretKey) -> bool {
        largest_slot_value(key) <= self.max_slot_value()
    }
}

/// The largest |s(ζ_j)|²/h, h the mean of ‖s‖².
pub(crate) fn largest_slot_value(key: &RnsSecretKey) -> f64 {
    let coefficients: Zeroizing<Vec<f64>> =
        Zeroizing::new(key.expose_coefficients().iter().map(|&s| s.into()).collect());
    let encoder = Encoder::new(coefficients.len()).expect("the degree of a ring");
    let mut slots = vec![Complex64::ZERO; coefficients.len() / 2];
    encoder.slots_into(&mut slots, &coefficients).expect("as many slots as the ring has");
    let largest =
        slots.iter().map(Complex64::norm_sqr).fold(0.0, f64::max) / key.distribution().mean_weight(coefficients.len());
    slots.fill(Complex64::ZERO);
    std::hint::black_box(&slots);
    largest
}

impl CkksSecretKey {
    /// A fresh seed for the ciphertext of the [port](bootes_lattice::port) of one message under s: see
    /// [`RlweSecretKeys::encryption_seed`](crate::rlwe::RlweSecretKeys::encryption_seed).
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn rlwe_encryption_seed(&self, message: impl IntoIterator<Item = u64>) -> Result<SecretSeed, CkksError> {
        Ok(self.keys.port_encryption_seed(message)?)
    }
}

#[cfg(test)]
mod tests;
