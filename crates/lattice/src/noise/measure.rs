//! Measuring noise. Every function here takes the secret: its result leaks it and must never leave the client.
use crate::lwe;
use crate::secret::LweSecretKey;
use bootes_ring::torus::Torus;

/// The error of a ciphertext whose encoded message is known, as a signed fraction of the torus in [−1/2, 1/2).
pub fn lwe_error<W: Torus>(ciphertext: &[W], encoded: W, key: &LweSecretKey) -> f64 {
    torus_difference(lwe::phase(ciphertext, key), encoded)
}

/// x − y in [−1/2, 1/2).
pub fn torus_difference<W: Torus>(x: W, y: W) -> f64 {
    x.wrapping_sub(y).fraction()
}
