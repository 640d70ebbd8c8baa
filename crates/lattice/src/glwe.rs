//! GLWE ciphertexts: flat slices of k+1 polynomials (a_1, …, a_k, b) modulo X^N+1 on the torus, phase b + Σ a_j·s_j.
//! Rank k = 1 is RLWE.
use crate::secret::GlweSecretKey;
use bootes_ring::fft::Fft;
use bootes_ring::mem::AlignedVec;
use bootes_ring::secret::{Secret, with_cleared_stack};
use bootes_ring::torus::Torus;

/// Rank and ring degree of a GLWE ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlweShape {
    /// Rank k: the number of mask polynomials.
    pub rank: usize,
    /// Ring degree N, a power of two.
    pub degree: usize,
}

impl GlweShape {
    /// Polynomials of a ciphertext: k + 1.
    pub fn polynomials(self) -> usize {
        self.rank + 1
    }

    /// Words of a ciphertext: (k + 1)·N.
    pub fn words(self) -> usize {
        self.polynomials() * self.degree
    }

    /// Dimension k·N of the LWE samples extracted from it.
    pub fn lwe_dimension(self) -> usize {
        self.rank * self.degree
    }
}

/// A GLWE key prepared for exact products with masks.
///
/// A mask is split in pieces of 32 bits, so that each product with a key of coefficients in {−1, 0, 1} is below 2^50
/// and its floating-point error below 2^-6 (fft-error.md): rounding makes it exact.
pub struct MaskMultiplier<'a> {
    fft: &'a Fft,
    key: Secret<AlignedVec<f64>>,
    sum: Secret<AlignedVec<f64>>,
    product: Secret<AlignedVec<f64>>,
    input: Secret<Vec<i64>>,
}

impl<'a> MaskMultiplier<'a> {
    /// Transforms the polynomials of `secret`.
    pub fn new(fft: &'a Fft, secret: &GlweSecretKey) -> Self {
        with_cleared_stack(|| Self::transformed(fft, secret))
    }

    fn transformed(fft: &'a Fft, secret: &GlweSecretKey) -> Self {
        let n = fft.degree();
        assert_eq!(n, secret.degree(), "plan and key have one ring degree");
        let mut key = Secret::new(AlignedVec::new(secret.rank() * n));
        let mut input = Secret::new(vec![0i64; n]);
        for j in 0..secret.rank() {
            input.iter_mut().zip(secret.expose_polynomial(j)).for_each(|(x, &s)| *x = i64::from(s));
            fft.forward_integer(&mut key[j * n..(j + 1) * n], &input);
        }
        let buffer = || Secret::new(AlignedVec::new(n));
        Self { fft, key, sum: buffer(), product: buffer(), input }
    }

    /// `out += sign · Σ_j masks_j · s_j` modulo 1, exactly; `masks` holds k polynomials, `sign` is ±1.
    pub fn add_product<W: Torus>(&mut self, out: &mut [W], masks: &[W], sign: i64) {
        with_cleared_stack(|| self.add_transformed(out, masks, sign));
    }

    fn add_transformed<W: Torus>(&mut self, out: &mut [W], masks: &[W], sign: i64) {
        let n = self.fft.degree();
        for shift in (0..W::BITS).step_by(32) {
            self.sum.fill(0.0);
            for (mask, key) in masks.chunks_exact(n).zip(self.key.chunks_exact(n)) {
                self.input.iter_mut().zip(mask).for_each(|(x, a)| *x = (a.shr(shift).low() & 0xffff_ffff) as i64);
                self.fft.forward_integer(&mut self.product, &self.input);
                self.fft.mul_add(&mut self.sum, &self.product, key);
            }
            self.fft.backward_f64(&mut self.product, &mut self.sum);
            for (x, &y) in out.iter_mut().zip(self.product.iter()) {
                *x = x.wrapping_add(W::from_integer(y.round() as i64).shl(shift).times(sign));
            }
        }
    }
}

/// The phase polynomial b + Σ a_j·s_j of `ciphertext`, written to `out` (N words).
pub fn phase_into<W: Torus>(out: &mut [W], ciphertext: &[W], multiplier: &mut MaskMultiplier<'_>) {
    let (masks, body) = ciphertext.split_at(ciphertext.len() - out.len());
    out.copy_from_slice(body);
    multiplier.add_product(out, masks, 1);
}
