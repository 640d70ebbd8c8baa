//! The product of two GLWE ciphertexts of rank 1: the FDFB paper's BFV product (Section 2.3.6, Appendix B.1).
//!
//! Read as reals in [−½, ½), the words of c_i = (a_i, b_i) give b_i + a_i·s = φ_i + u_i: phase and an unknown integer polynomial.
//! For phases φ_i = m_i/p + e_i,
//!
//! p·(b_0 + a_0·s)·(b_1 + a_1·s) = m_0·m_1/p + m_0·e_1 + m_1·e_0 + p·e_0·e_1 + p·(u_0·e_1 + u_1·e_0)    modulo 1,
//!
//! since p·u_0·u_1 and m_i·u_j are integers: any p ≥ 2 will do. The left-hand side is d_0 + d_1·s + d_2·s² with
//! d_0 = p·b_0·b_1, d_1 = p·(a_0·b_1 + a_1·b_0), d_2 = p·a_0·a_1, all needed modulo 1 only; a key switch from s² to s makes it
//! a ciphertext again. Noise: `noise::formula::glwe_product`.
//!
//! **No auxiliary modulus.** Libraries with residues have only modular products, so KPZ21, the paper's reference, lifts one
//! operand to Z_{QP}, switches the other to Z_P (a further rounding error: the terms with Q/P of Theorem 10), lifts it as well
//! and divides the tensor product by P. Here p·c_0·c_1 is computed as real numbers, in floating point, and reduced modulo 1;
//! there is no P and no error of a switch to it.
//!
//! **Precision.** The transforms of full words alone would err by p·C·2^-53·√N/12 a coefficient of a product
//! (`fft::error_std`; C ≈ 4), 14·p·2^-53 for N = 2048; and the phase multiplies the error of d_2 by s², whose norm is about √(N³/48) for
//! a binary key, 2^13.7 for N = 2048: p·2^-35 in all. So a word is cut in two limbs, 20 bits and 44 bits:
//!
//! a·b = h_a·h_b·2^-40 + (h_a·l_b + l_a·b),
//!
//! where h_a·h_b is an integer of about 2^36·√N, found exactly by rounding (its transform errs by a standard deviation of 0.03
//! at most, for N = 2^17), and the rest is smaller by 2^-20, and so is its error: √2·2^-20·p·C·2^-53·√N/12, below the last place
//! of a word while p < 2^5.
use crate::LatticeError;
use crate::glwe::GlweShape;
use crate::keyswitch::GlweKeySwitchKey;
use crate::rows::add_transforms;
use bootes_ring::fft::Fft;
use bootes_ring::mem::{Scratch, scratch_bytes};

/// Bits of a word's low limb.
const LOW_BITS: u32 = 44;
/// Polynomials a, b of a ciphertext, and of the tensor product.
const POLYNOMIALS: usize = 2;

/// The largest plaintext modulus p.
pub const MAX_PLAINTEXT_MODULUS: u64 = 1 << 32;

/// `out` = round(p·c_0·c_1) relinearised: the ciphertext of m_0·m_1 for c_i of m_i, all of 2N words and encoded as m·2^64/p,
/// p = `plaintext_modulus`. `relinearisation` is a key for s².
///
/// Words of the operands are read in [−½ − 2^-21, ½ − 2^-21).
///
/// # Errors
/// [`LatticeError::Parameter`] unless the key's rank is 1 and 2 ≤ p ≤ 2^32; [`LatticeError::Size`] if a ciphertext, the plan or
/// the key has another size.
pub fn glwe_product_into(
    out: &mut [u64],
    left: &[u64],
    right: &[u64],
    plaintext_modulus: u64,
    relinearisation: &GlweKeySwitchKey,
    fft: &Fft,
    scratch: Scratch<'_>,
) -> Result<(), LatticeError> {
    check(plaintext_modulus, relinearisation, fft, [out.len(), left.len(), right.len()])?;
    let n = fft.degree();
    let (sums, scratch) = scratch.take::<f64>(POLYNOMIALS * n);
    let (square, scratch) = scratch.take::<u64>(n);
    let (limbs, scratch) = scratch.take::<f64>(4 * POLYNOMIALS * n);
    let (left_limbs, right_limbs) = limbs.split_at_mut(2 * POLYNOMIALS * n);
    // Until it gets its value, `square` is a buffer.
    let [a0, b0] = transform_limbs(left_limbs, left, square, fft);
    let [a1, b1] = transform_limbs(right_limbs, right, square, fft);
    let component = Component { p: plaintext_modulus, fft };

    let (sum, _) = sums.split_at_mut(n);
    component.compute(square, sum, &[(a0, a1)]);
    fft.backward_add_torus(square, sum);
    let (out_a, out_b) = out.split_at_mut(n);
    let (sum_a, sum_b) = sums.split_at_mut(n);
    component.compute(out_a, sum_a, &[(a0, b1), (a1, b0)]);
    component.compute(out_b, sum_b, &[(b0, b1)]);
    add_transforms(out, sums, fft);
    relinearisation.switch_add(out, square, fft, scratch);
    Ok(())
}

/// Scratch that [`glwe_product_into`] needs.
pub fn glwe_product_scratch_bytes(shape: GlweShape) -> usize {
    let n = shape.degree;
    scratch_bytes::<f64>(POLYNOMIALS * n)
        + scratch_bytes::<u64>(n)
        + scratch_bytes::<f64>(4 * POLYNOMIALS * n)
        + GlweKeySwitchKey::scratch_bytes_of(shape)
}

fn check(p: u64, key: &GlweKeySwitchKey, fft: &Fft, ciphertexts: [usize; 3]) -> Result<(), LatticeError> {
    let shape = key.shape();
    if shape.rank != 1 {
        let (what, expected) = ("rank of ciphertexts to multiply", "1");
        return Err(LatticeError::Parameter { what, expected, found: shape.rank.to_string() });
    }
    if !(2..=MAX_PLAINTEXT_MODULUS).contains(&p) {
        let (what, expected) = ("plaintext modulus", "2 to 2^32");
        return Err(LatticeError::Parameter { what, expected, found: p.to_string() });
    }
    let sizes = ciphertexts.map(|found| ("ciphertext to multiply", shape.words(), found));
    let others = [
        ("plan of the transform", shape.degree, fft.degree()),
        ("relinearisation key (polynomials)", 1, key.input_rank()),
    ];
    for (what, expected, found) in sizes.into_iter().chain(others) {
        if found != expected {
            return Err(LatticeError::Size { what, expected, found });
        }
    }
    Ok(())
}

/// The transforms of the limbs of a polynomial, as fractions of the torus.
#[derive(Clone, Copy)]
struct WordHalves<'a> {
    /// h·2^-20.
    high: &'a [f64],
    /// l·2^-64.
    low: &'a [f64],
}

/// The limbs of a and b, `ciphertext` = (a, b). `word` is a buffer.
fn transform_limbs<'a>(
    limbs: &'a mut [f64],
    ciphertext: &[u64],
    word: &mut [u64],
    fft: &Fft,
) -> [WordHalves<'a>; POLYNOMIALS] {
    let n = fft.degree();
    for (limbs, polynomial) in limbs.chunks_exact_mut(2 * n).zip(ciphertext.chunks_exact(n)) {
        let (high, low) = limbs.split_at_mut(n);
        word.iter_mut().zip(polynomial).for_each(|(h, &x)| *h = high_limb(x));
        fft.forward_torus(high, word);
        word.iter_mut().zip(polynomial).for_each(|(l, &x)| *l = x.wrapping_sub(high_limb(x)));
        fft.forward_torus(low, word);
    }
    let limbs = &limbs[..];
    std::array::from_fn(|i| WordHalves { high: &limbs[2 * i * n..][..n], low: &limbs[(2 * i + 1) * n..][..n] })
}

/// The multiple of 2^44 nearest to `x`.
fn high_limb(x: u64) -> u64 {
    x.wrapping_add(1 << (LOW_BITS - 1)) >> LOW_BITS << LOW_BITS
}

/// A component p·Σ x·y of the tensor product.
struct Component<'a> {
    p: u64,
    fft: &'a Fft,
}

impl Component<'_> {
    /// `words` = the products of the high limbs; `sum` = the transform of all others.
    fn compute(&self, words: &mut [u64], sum: &mut [f64], pairs: &[(WordHalves<'_>, WordHalves<'_>)]) {
        sum.fill(0.0);
        for (x, y) in pairs {
            self.fft.mul_add(sum, x.high, y.high);
        }
        words.fill(0);
        self.fft.backward_add_torus(words, sum);
        // An integer number of 2^-40, found by rounding, modulo 1; times p.
        const SHIFT: u32 = 64 - 2 * (64 - LOW_BITS);
        let half = 1 << (SHIFT - 1);
        words.iter_mut().for_each(|x| *x = (x.wrapping_add(half) >> SHIFT).wrapping_mul(self.p) << SHIFT);
        sum.fill(0.0);
        for (x, y) in pairs {
            self.fft.mul_add(sum, x.high, y.low);
            self.fft.mul_add(sum, x.low, y.high);
            self.fft.mul_add(sum, x.low, y.low);
        }
        let p = self.p as f64;
        sum.iter_mut().for_each(|x| *x *= p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_ring::fft::error_std;
    use bootes_ring::sample::{MaskSeed, MaskStream};

    /// round(p/2^64·Σ x·y) modulo X^N + 1 and 2^64: p·Σ x·y is needed modulo 2^128 only.
    fn exact(pairs: &[(&[u64], &[u64])], p: u64) -> Vec<u64> {
        let n = pairs[0].0.len();
        let mut sums = vec![0u128; n];
        let signed = |x: u64| i128::from(x as i64) as u128;
        for (x, y) in pairs {
            for (i, &x) in x.iter().enumerate() {
                for (j, &y) in y.iter().enumerate() {
                    let term = signed(x).wrapping_mul(signed(y));
                    let sum = &mut sums[(i + j) % n];
                    *sum = if i + j < n { sum.wrapping_add(term) } else { sum.wrapping_sub(term) };
                }
            }
        }
        sums.iter().map(|sum| (sum.wrapping_mul(u128::from(p)).wrapping_add(1 << 63) >> 64) as u64).collect()
    }

    #[test]
    fn components_are_exact_but_for_the_stated_error() -> Result<(), LatticeError> {
        for (n, p) in [(32, 2), (32, 3), (64, 17), (512, 4), (2048, 16), (1024, 1 << 20), (512, 1 << 30)] {
            let fft = Fft::new(n)?;
            let mut words = vec![0u64; 4 * n];
            MaskStream::new(&MaskSeed::from_bytes([n as u8; 32]), p).fill_u64(&mut words);
            let (left, right) = words.split_at(2 * n);
            let (mut limbs, mut sum, mut word) = ([vec![0.0; 4 * n], vec![0.0; 4 * n]], vec![0.0; n], vec![0; n]);
            let [left_limbs, right_limbs] = &mut limbs;
            let [a0, b0] = transform_limbs(left_limbs, left, &mut word, &fft);
            let [a1, b1] = transform_limbs(right_limbs, right, &mut word, &fft);
            let component = Component { p, fft: &fft };
            let exact_a = exact(&[(&left[..n], &right[n..]), (&left[n..], &right[..n])], p);
            let exact_b = exact(&[(&left[n..], &right[n..])], p);
            for (pairs, expected) in [(&[(a0, b1), (b0, a1)][..], exact_a), (&[(b0, b1)], exact_b)] {
                component.compute(&mut word, &mut sum, pairs);
                fft.backward_add_torus(&mut word, &mut sum);
                let errors: Vec<f64> =
                    word.iter().zip(&expected).map(|(&x, &y)| x.wrapping_sub(y) as i64 as f64).collect();
                let std = (errors.iter().map(|e| e * e).sum::<f64>() / n as f64).sqrt();
                // In words; two products of limbs a product of words.
                let float = p as f64 * 2f64.powi(64 - 20) * error_std(0, n, 2 * pairs.len());
                if float > 4.0 {
                    assert!((0.7..1.3).contains(&(std / float)), "N = {n}, p = {p}: {std} instead of {float}");
                } else {
                    let worst = errors.iter().fold(0.0, |worst: f64, e| worst.max(e.abs()));
                    assert!(worst <= 1.0 + 6.0 * float, "N = {n}, p = {p}: {worst}, {float}");
                }
            }
        }
        Ok(())
    }
}
