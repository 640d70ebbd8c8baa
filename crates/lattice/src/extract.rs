//! Sample extraction: one coefficient of a GLWE ciphertext as an LWE ciphertext, without added noise; and its inverse.
use crate::glwe::GlweShape;
use bootes_ring::torus::Torus;

/// Writes to `out` (k·N + 1 words) the LWE sample of coefficient `index` of the phase of `glwe`, under the flattened key.
///
/// (a·s)_i = Σ_{u ≤ i} a_{i−u}·s_u − Σ_{u > i} a_{N+i−u}·s_u.
pub fn sample_extract_into<W: Torus>(out: &mut [W], glwe: &[W], shape: GlweShape, index: usize) {
    debug_assert!(glwe.len() == shape.words() && out.len() == shape.lwe_dimension() + 1);
    let (masks, body) = glwe.split_at(shape.lwe_dimension());
    mask_extract_into(&mut out[..shape.lwe_dimension()], masks, shape.degree, index);
    out[shape.lwe_dimension()] = body[index];
}

/// The masks of [`sample_extract_into`] alone: `out` and `masks` of k·N words each, N = `degree`.
pub fn mask_extract_into<W: Torus>(out: &mut [W], masks: &[W], degree: usize, index: usize) {
    debug_assert!(index < degree && masks.len() == out.len());
    for (mask, a) in out.chunks_exact_mut(degree).zip(masks.chunks_exact(degree)) {
        for (u, x) in mask[..=index].iter_mut().enumerate() {
            *x = a[index - u];
        }
        for (u, x) in mask[index + 1..].iter_mut().enumerate() {
            *x = a[degree - 1 - u].wrapping_neg();
        }
    }
}

/// Writes to `out` ((k + 1)·N words) a GLWE ciphertext whose phase has that of `lwe` (k·N + 1 words, under the flattened key)
/// as its constant coefficient; the other coefficients are arbitrary. Undoes [`sample_extract_into`] at index 0.
pub fn sample_embed_into<W: Torus>(out: &mut [W], lwe: &[W], shape: GlweShape) {
    let n = shape.degree;
    debug_assert!(out.len() == shape.words() && lwe.len() == shape.lwe_dimension() + 1);
    let (masks, body) = out.split_at_mut(shape.lwe_dimension());
    for (a, mask) in masks.chunks_exact_mut(n).zip(lwe.chunks_exact(n)) {
        a[0] = mask[0];
        for (x, &y) in a[1..].iter_mut().zip(mask[1..].iter().rev()) {
            *x = y.wrapping_neg();
        }
    }
    body.fill(W::default());
    body[0] = lwe[shape.lwe_dimension()];
}
