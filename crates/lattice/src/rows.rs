//! What GGSW ciphertexts and key-switching keys have in common: lists of GLWE encryptions, *rows*, one for each gadget digit of
//! each polynomial that they are multiplied with.
//!
//! Row (j, l) encrypts µ_j·g_l, so that Σ_{j,l} digit_l(c_j)·row(j, l) has the phase Σ_j µ_j·c_j + noise.
use crate::glwe::{GlweShape, MaskMultiplier};
use crate::keyswitch::Ties;
use crate::secret::GlweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::cancel::is_wanted;
use bootes_ring::fft::Fft;
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::torus::Torus;

/// Turns `bodies`, which hold messages of N words each, into the bodies of their encryptions under `key`: row r has the mask of
/// stream r of `mask_seed` and noise of standard deviation `std` (of the torus) from stream r of `noise_seed`. Where
/// that is not wanted any longer ([`is_wanted`]), all are 0.
pub(crate) fn encrypt_bodies<W: Torus>(
    bodies: &mut [W],
    key: &GlweSecretKey,
    fft: &Fft,
    std: f64,
    mask_seed: &MaskSeed,
    noise_seed: &SecretSeed,
) {
    let mut multiplier = MaskMultiplier::new(fft, key);
    let mut masks = vec![W::default(); key.rank() * key.degree()];
    for row in 0..bodies.len() / key.degree() {
        if !is_wanted() {
            return bodies.fill(W::default());
        }
        let body = &mut bodies[row * key.degree()..][..key.degree()];
        W::add_gaussian(body, &mut NoiseStream::new(noise_seed, row as u64), std);
        W::fill_mask(&mut masks, &mut MaskStream::new(mask_seed, row as u64));
        multiplier.add_product(body, &masks, -1);
    }
}

/// Writes row `row` in full, (a_1, …, a_k, b), to `out` ((k + 1)·N words).
pub(crate) fn expand_row_into<W: Torus>(
    out: &mut [W],
    shape: GlweShape,
    mask_seed: &MaskSeed,
    bodies: &[W],
    row: usize,
) {
    let n = shape.degree;
    let (masks, body) = out.split_at_mut(shape.lwe_dimension());
    W::fill_mask(masks, &mut MaskStream::new(mask_seed, row as u64));
    body.copy_from_slice(&bodies[row * n..(row + 1) * n]);
}

/// Rows in the Fourier domain, each some polynomials of N numbers: `[row j·d + l−1][polynomial][N]`.
pub(crate) struct FourierRows {
    pub(crate) shape: GlweShape,
    pub(crate) gadget: Gadget,
    /// Polynomials of a row times N.
    width: usize,
    rows: AlignedVec<f64>,
}

impl FourierRows {
    /// Transforms `count` rows of GLWE ciphertexts, written out by `expand(words, row)`. Where they are not wanted any
    /// longer ([`is_wanted`]), others are 0.
    pub(crate) fn prepare(
        shape: GlweShape,
        gadget: Gadget,
        count: usize,
        fft: &Fft,
        expand: impl FnMut(&mut [u64], usize),
    ) -> Result<Self, LatticeError> {
        Self::prepare_wide(shape, gadget, shape.words(), count, fft, expand)
    }

    /// The same for rows of `width` words.
    pub(crate) fn prepare_wide(
        shape: GlweShape,
        gadget: Gadget,
        width: usize,
        count: usize,
        fft: &Fft,
        mut expand: impl FnMut(&mut [u64], usize),
    ) -> Result<Self, LatticeError> {
        if fft.degree() != shape.degree {
            return Err(LatticeError::Size { what: "plan", expected: shape.degree, found: fft.degree() });
        }
        let mut rows = AlignedVec::try_new(count * width)?;
        let mut words = AlignedVec::<u64>::try_new(width)?;
        for (row, rows) in rows.chunks_exact_mut(width).enumerate().take_while(|_| is_wanted()) {
            expand(&mut words, row);
            transform(rows, &words, fft);
        }
        Ok(Self { shape, gadget, width, rows })
    }

    /// Replaces row number `row`.
    pub(crate) fn set(&mut self, row: usize, words: &[u64], fft: &Fft) {
        debug_assert_eq!(words.len(), self.width);
        transform(&mut self.rows[row * self.width..(row + 1) * self.width], words, fft);
    }

    /// Polynomials that can be multiplied: rows over levels.
    pub(crate) fn polynomials(&self) -> usize {
        self.rows.len() / self.width / self.gadget.levels() as usize
    }

    /// Bytes of the rows.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * 8
    }

    /// `sums += Σ_{j,l} digit_l(c_j) · row(first + j, l)` in the Fourier domain, a transform a polynomial of a row; the
    /// c_j are in `words`. Digits are without a mean ([`Ties`]).
    pub(crate) fn accumulate(&self, sums: &mut [f64], first: usize, words: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        let (n, levels) = (self.shape.degree, self.gadget.levels() as usize);
        debug_assert!(sums.len() == self.width && first + words.len() / n <= self.polynomials());
        let (digit, scratch) = scratch.take::<f64>(n);
        let (tie_transform, scratch) = scratch.take::<f64>(n);
        let (shifted, scratch) = scratch.take::<u64>(n);
        let (ties, _) = scratch.take::<i64>(n);
        let untie = Ties::new(self.gadget);
        let rows = self.rows[first * levels * self.width..].chunks_exact(levels * self.width);
        for (polynomial, rows) in words.chunks_exact(n).zip(rows) {
            for ((shifted, tie), &x) in shifted.iter_mut().zip(&mut *ties).zip(polynomial) {
                (*shifted, *tie) = untie.split(x);
            }
            fft.forward_integer(tie_transform, ties);
            for (rows, level) in rows.chunks_exact(self.width).zip(1..) {
                fft.forward_digit(digit, shifted, self.gadget, level);
                digit.iter_mut().zip(&*tie_transform).for_each(|(digit, tie)| *digit += tie);
                for (sum, row) in sums.chunks_exact_mut(n).zip(rows.chunks_exact(n)) {
                    fft.mul_add(sum, digit, row);
                }
            }
        }
    }

    /// `out += Σ_{j,l} digit_l(c_j) · row(first + j, l)` modulo 2^64.
    pub(crate) fn multiply_add(&self, out: &mut [u64], first: usize, words: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        debug_assert_eq!(out.len(), self.shape.words());
        let (sums, scratch) = scratch.take::<f64>(self.shape.words());
        sums.fill(0.0);
        self.accumulate(sums, first, words, fft, scratch);
        add_transforms(out, sums, fft);
    }

    /// Scratch that [`Self::multiply_add`] needs.
    pub(crate) fn scratch_bytes(&self) -> usize {
        multiply_scratch_bytes(self.shape)
    }
}

/// Scratch that [`FourierRows::multiply_add`] needs.
pub(crate) fn multiply_scratch_bytes(shape: GlweShape) -> usize {
    accumulate_scratch_bytes(shape) + scratch_bytes::<f64>(shape.words())
}

/// Scratch that [`FourierRows::accumulate`] needs.
pub(crate) fn accumulate_scratch_bytes(shape: GlweShape) -> usize {
    2 * scratch_bytes::<f64>(shape.degree) + 2 * scratch_bytes::<u64>(shape.degree)
}

/// `out` += the inverse transforms of `sums`, polynomial by polynomial. Destroys `sums`.
pub(crate) fn add_transforms(out: &mut [u64], sums: &mut [f64], fft: &Fft) {
    for (out, sum) in out.chunks_exact_mut(fft.degree()).zip(sums.chunks_exact_mut(fft.degree())) {
        fft.backward_add_torus(out, sum);
    }
}

/// The transforms of the polynomials of `words`.
fn transform(out: &mut [f64], words: &[u64], fft: &Fft) {
    for (transform, polynomial) in out.chunks_exact_mut(fft.degree()).zip(words.chunks_exact(fft.degree())) {
        fft.forward_torus(transform, polynomial);
    }
}
