//! The external product GLWE × GGSW → GLWE: c ⊡ GGSW(µ) has the phase µ·phase(c) + noise
//! (recursive-decomposition paper, Definition 3).
//!
//! Blind rotation has its own fused kernel for the products of a block; this is the operation by itself.
use crate::ggsw::SeededGgswList;
use crate::glwe::GlweShape;
use crate::{Gadget, LatticeError};
use bootes_ring::fft::Fft;
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};

/// One GGSW ciphertext in the Fourier domain: `[row][polynomial][N]`.
pub struct PreparedGgsw {
    shape: GlweShape,
    gadget: Gadget,
    rows: AlignedVec<f64>,
}

impl PreparedGgsw {
    /// Expands and transforms ciphertext `index` of `list`.
    ///
    /// # Errors
    /// [`LatticeError::Size`] if there is no such ciphertext; if memory is missing.
    pub fn prepare(list: &SeededGgswList, index: usize, fft: &Fft) -> Result<Self, LatticeError> {
        if index >= list.len() {
            return Err(LatticeError::Size { what: "GGSW list", expected: index + 1, found: list.len() });
        }
        let (shape, n) = (list.shape, list.shape.degree);
        let mut rows = AlignedVec::try_new(list.rows() * shape.words())?;
        let mut words = AlignedVec::<u64>::try_new(shape.words())?;
        for (row, rows) in rows.chunks_exact_mut(shape.words()).enumerate() {
            list.expand_row_into(&mut words, index, row);
            for (transform, polynomial) in rows.chunks_exact_mut(n).zip(words.chunks_exact(n)) {
                fft.forward_torus(transform, polynomial);
            }
        }
        Ok(Self { shape, gadget: list.gadget, rows })
    }

    /// `out += c ⊡ self`, both of (k + 1)·N words, modulo 2^64.
    ///
    /// Noise added: (k+1)dN·(B²+2)/12·σ² + µ²·(1 + kN·E\[t²\])·B^−2d/12, beside |µ|² times that of c, and the transform's
    /// error `fft::error_std(log2 B, N, (k+1)d)`² · (1 + kN·E\[t²\]).
    pub fn external_product_add(&self, out: &mut [u64], glwe: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        let (n, levels) = (self.shape.degree, self.gadget.levels() as usize);
        debug_assert!(out.len() == self.shape.words() && glwe.len() == self.shape.words());
        let (digit, scratch) = scratch.take::<f64>(n);
        let (sums, _) = scratch.take::<f64>(self.shape.words());
        sums.fill(0.0);
        for (row, rows) in self.rows.chunks_exact(self.shape.words()).enumerate() {
            let (j, level) = (row / levels, (row % levels) as u32 + 1);
            fft.forward_digit(digit, &glwe[j * n..(j + 1) * n], self.gadget, level);
            for (sum, polynomial) in sums.chunks_exact_mut(n).zip(rows.chunks_exact(n)) {
                fft.mul_add(sum, digit, polynomial);
            }
        }
        for (out, sum) in out.chunks_exact_mut(n).zip(sums.chunks_exact_mut(n)) {
            fft.backward_add_torus(out, sum);
        }
    }

    /// Scratch that [`Self::external_product_add`] needs.
    pub fn scratch_bytes(&self) -> usize {
        scratch_bytes::<f64>(self.shape.degree) + scratch_bytes::<f64>(self.shape.words())
    }
}

impl std::fmt::Debug for PreparedGgsw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedGgsw").field("shape", &self.shape).field("gadget", &self.gadget).finish_non_exhaustive()
    }
}
