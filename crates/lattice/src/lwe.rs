//! LWE ciphertexts on the torus Z_{2^64}: flat slices (a_0, …, a_{n−1}, b) with phase b + ⟨a, s⟩.
use crate::secret::LweSecretKey;
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};

/// ⟨a, s⟩ modulo 2^64.
pub fn mask_product(mask: &[u64], key: &LweSecretKey) -> u64 {
    debug_assert_eq!(mask.len(), key.dimension());
    mask.iter()
        .zip(key.expose_coefficients())
        .fold(0, |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(s as i64 as u64)))
}

/// The phase b + ⟨a, s⟩ of `ciphertext` = (a, b).
pub fn phase(ciphertext: &[u64], key: &LweSecretKey) -> u64 {
    let (mask, body) = ciphertext.split_at(key.dimension());
    body[0].wrapping_add(mask_product(mask, key))
}

/// Regenerates the mask of sample `index` of a seeded list.
pub fn expand_mask(seed: &MaskSeed, index: u64, mask: &mut [u64]) {
    MaskStream::new(seed, index).fill_u64(mask);
}

/// Encrypts encoded messages (torus elements) with fresh Gaussian noise of standard deviation `std` (of the torus) and
/// returns the bodies; sample i has the mask `expand_mask(mask_seed, i)`.
pub fn encrypt_seeded(
    key: &LweSecretKey,
    encoded: &[u64],
    std: f64,
    mask_seed: &MaskSeed,
    noise_seed: &SecretSeed,
) -> Vec<u64> {
    let mut bodies = encoded.to_vec();
    NoiseStream::new(noise_seed, 0).add_gaussian_u64(&mut bodies, std);
    let mut mask = vec![0; key.dimension()];
    for (i, body) in bodies.iter_mut().enumerate() {
        expand_mask(mask_seed, i as u64, &mut mask);
        *body = body.wrapping_sub(mask_product(&mask, key));
    }
    bodies
}

/// `out += other`: noise variances add.
pub fn add_assign(out: &mut [u64], other: &[u64]) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_add(y));
}

/// `out −= other`: noise variances add.
pub fn sub_assign(out: &mut [u64], other: &[u64]) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_sub(y));
}

/// `out ·= factor`: the noise variance grows by factor².
pub fn mul_assign(out: &mut [u64], factor: i64) {
    out.iter_mut().for_each(|x| *x = x.wrapping_mul(factor as u64));
}

/// `out += factor · other`: the noise variance grows by factor² times that of `other`.
pub fn add_mul_assign(out: &mut [u64], other: &[u64], factor: i64) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_add(y.wrapping_mul(factor as u64)));
}
