//! Measuring noise. Every function here takes the secret: its result leaks it and must never leave the client.
use crate::lwe;
use crate::secret::LweSecretKey;

/// The error of a ciphertext whose encoded message is known, as a signed fraction of the torus in [−1/2, 1/2).
pub fn lwe_error(ciphertext: &[u64], encoded: u64, key: &LweSecretKey) -> f64 {
    torus_difference(lwe::phase(ciphertext, key), encoded)
}

/// (x − y)/2^64 in [−1/2, 1/2).
pub fn torus_difference(x: u64, y: u64) -> f64 {
    x.wrapping_sub(y) as i64 as f64 / 2f64.powi(64)
}
