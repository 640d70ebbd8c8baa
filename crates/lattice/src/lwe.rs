//! LWE ciphertexts on the torus, words of 64 or 128 bits: flat slices (a_0, …, a_{n−1}, b) with phase b + ⟨a, s⟩.
use crate::secret::LweSecretKey;
use bootes_ring::cancel::is_wanted;
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::torus::Torus;

/// ⟨a, s⟩ modulo 1.
pub fn mask_product<W: Torus>(mask: &[W], key: &LweSecretKey) -> W {
    debug_assert_eq!(mask.len(), key.dimension());
    mask.iter()
        .zip(key.expose_coefficients())
        .fold(W::default(), |sum, (&a, &s)| sum.wrapping_add(a.times(i64::from(s))))
}

/// The phase b + ⟨a, s⟩ of `ciphertext` = (a, b).
pub fn phase<W: Torus>(ciphertext: &[W], key: &LweSecretKey) -> W {
    let (mask, body) = ciphertext.split_at(key.dimension());
    body[0].wrapping_add(mask_product(mask, key))
}

/// Regenerates the mask of sample `index` of a seeded list.
pub fn expand_mask<W: Torus>(seed: &MaskSeed, index: u64, mask: &mut [W]) {
    W::fill_mask(mask, &mut MaskStream::new(seed, index));
}

/// Samples between looks whether they are wanted; noise is drawn for as many at a time.
const TOGETHER: usize = NoiseStream::CHUNK;

/// Encrypts encoded messages (torus elements) with fresh Gaussian noise of standard deviation `std` (of the torus) and
/// returns the bodies; sample i has the mask `expand_mask(mask_seed, i)`. Where they are not wanted any longer
/// ([`is_wanted`]), all bodies are 0.
pub fn encrypt_seeded<W: Torus>(
    key: &LweSecretKey,
    encoded: &[W],
    std: f64,
    mask_seed: &MaskSeed,
    noise_seed: &SecretSeed,
) -> Vec<W> {
    let mut bodies = encoded.to_vec();
    let mut noise = NoiseStream::new(noise_seed, 0);
    let mut mask = vec![W::default(); key.dimension()];
    for (bodies, stream) in bodies.chunks_mut(TOGETHER).zip((0..).step_by(TOGETHER)) {
        if !is_wanted() {
            break;
        }
        W::add_gaussian(bodies, &mut noise, std);
        for (body, stream) in bodies.iter_mut().zip(stream..) {
            expand_mask(mask_seed, stream, &mut mask);
            *body = body.wrapping_sub(mask_product(&mask, key));
        }
    }
    if !is_wanted() {
        bodies.fill(W::default());
    }
    bodies
}

/// `out += other`: noise variances add.
pub fn add_assign<W: Torus>(out: &mut [W], other: &[W]) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_add(y));
}

/// `out −= other`: noise variances add.
pub fn sub_assign<W: Torus>(out: &mut [W], other: &[W]) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_sub(y));
}

/// `out ·= factor`: the noise variance grows by factor².
pub fn mul_assign<W: Torus>(out: &mut [W], factor: i64) {
    out.iter_mut().for_each(|x| *x = x.times(factor));
}

/// `out += factor · other`: the noise variance grows by factor² times that of `other`.
pub fn add_mul_assign<W: Torus>(out: &mut [W], other: &[W], factor: i64) {
    out.iter_mut().zip(other).for_each(|(x, &y)| *x = x.wrapping_add(y.times(factor)));
}
