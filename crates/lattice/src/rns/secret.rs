//! Secret keys of RLWE over a chain of primes.
use std::fmt;

use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::rns::RnsRing;
use bootes_ring::sample::{KeyDistribution, NoiseStream, SecretSeed};
use bootes_ring::secret::Secret;

use super::RnsCiphertext;

/// A secret s ∈ {−1, 0, 1}^N: its coefficients, and its values modulo the primes that it is used with.
pub struct RnsSecretKey {
    distribution: KeyDistribution,
    coefficients: Secret<Vec<i8>>,
    values: Secret<Poly<Eval>>,
}

impl RnsSecretKey {
    /// Samples a key from `distribution`, for use modulo `limbs`.
    #[must_use]
    pub fn generate(ring: &RnsRing, limbs: Limbs, seed: &SecretSeed, distribution: KeyDistribution) -> Self {
        let mut coefficients = Secret::new(vec![0i8; ring.degree()]);
        NoiseStream::new(seed, 0).fill_key(&mut coefficients, distribution);
        let values = Secret::new(ring.from_small(limbs, &coefficients)).map(|x| ring.forward(x));
        Self { distribution, coefficients, values }
    }

    /// The distribution it was drawn from.
    #[must_use]
    pub fn distribution(&self) -> KeyDistribution {
        self.distribution
    }

    /// The number of nonzero coefficients, h = ‖s‖².
    #[must_use]
    pub fn weight(&self) -> usize {
        self.coefficients.iter().filter(|&&x| x != 0).count()
    }

    /// The coefficients of s.
    #[must_use]
    pub fn expose_coefficients(&self) -> &[i8] {
        &self.coefficients
    }

    /// The values of s.
    #[must_use]
    pub fn expose_values(&self) -> &Poly<Eval> {
        &self.values
    }

    /// The phase b + a·s.
    #[must_use]
    pub fn phase(&self, ring: &RnsRing, ciphertext: &RnsCiphertext) -> Secret<Poly<Coeff>> {
        let mut phase = Secret::new(ciphertext.a.clone());
        ring.mul_assign(&mut phase, &self.values);
        ring.add_assign(&mut phase, &ciphertext.b);
        phase.map(|x| ring.backward(x))
    }
}

impl fmt::Debug for RnsSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RnsSecretKey").field("degree", &self.coefficients.len()).finish_non_exhaustive()
    }
}
