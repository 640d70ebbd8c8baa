//! The external product GLWE × GGSW → GLWE: c ⊡ GGSW(µ) has the phase µ·phase(c) + noise
//! (recursive-decomposition paper, Definition 3).
//!
//! Blind rotation has its own fused kernel for the products of a block; this is the operation by itself.
use crate::ggsw::SeededGgswList;
use crate::glwe::GlweShape;
use crate::modswitch::round_glwe_masks;
use crate::rows::{FourierRows, multiply_scratch_bytes};
use crate::{Gadget, LatticeError};
use bootes_ring::fft::Fft;
use bootes_ring::mem::Scratch;

/// One GGSW ciphertext in the Fourier domain.
pub struct PreparedGgsw(FourierRows);

impl PreparedGgsw {
    /// Expands and transforms ciphertext `index` of `list`.
    ///
    /// # Errors
    /// [`LatticeError::Size`] if there is no such ciphertext, or `fft` has another degree; if memory is missing.
    pub fn prepare(list: &SeededGgswList, index: usize, fft: &Fft) -> Result<Self, LatticeError> {
        if index >= list.len() {
            return Err(LatticeError::Size { what: "GGSW list", expected: index + 1, found: list.len() });
        }
        let expand = |words: &mut [u64], row| list.expand_row_into(words, index, row);
        FourierRows::prepare(list.shape, list.gadget, list.rows(), fft, expand).map(Self)
    }

    /// One of a gadget whose rows are yet to be [set](Self::set_row).
    ///
    /// # Errors
    /// If memory is missing.
    pub fn empty(shape: GlweShape, gadget: Gadget, fft: &Fft) -> Result<Self, LatticeError> {
        let rows = shape.polynomials() * gadget.levels() as usize;
        FourierRows::prepare(shape, gadget, rows, fft, |words, _| words.fill(0)).map(Self)
    }

    /// Gadget of the decomposition.
    pub fn gadget(&self) -> Gadget {
        self.0.gadget
    }

    /// Sets row (j, l) = (`polynomial`, `level` + 1) to a GLWE ciphertext of µ·g_l·s_j.
    pub fn set_row(&mut self, polynomial: usize, level: usize, glwe: &[u64], fft: &Fft) {
        self.0.set(polynomial * self.0.gadget.levels() as usize + level, glwe, fft);
    }

    /// `out += (0, …, 0, body) ⊡ self`, of a plain polynomial.
    pub fn external_product_add_plain(&self, out: &mut [u64], body: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        self.0.multiply_add(out, self.0.shape.rank, body, fft, scratch);
    }

    /// `out += u·c` of a selector u under a binary key: a CMUX, c the difference of its two. c's masks are rounded.
    ///
    /// What the gadget would drop of masks has a mean over keys, which everybody knows: steps' means add up to what
    /// whoever chooses tables makes of them. It is rounded away before, without its mean.
    ///
    /// Noise added: `noise::formula::made_ggsw`.
    pub fn cmux_add(&self, out: &mut [u64], difference: &mut [u64], fft: &Fft, scratch: Scratch<'_>) {
        let (shape, gadget) = (self.0.shape, self.0.gadget);
        round_glwe_masks(difference, shape, gadget.log2_base() * gadget.levels(), 0.5);
        self.external_product_add(out, difference, fft, scratch);
    }

    /// `out += c ⊡ self`, both of (k + 1)·N words, modulo 2^64.
    ///
    /// Noise added: (k+1)dN·(B²+2)/12·σ² + µ²·(1 + kN·E\[t²\])·B^−2d/12, beside |µ|² times that of c, and the transform's
    /// error `fft::error_std(log2 B, N, (k+1)d)`² · (1 + kN·E\[t²\]).
    pub fn external_product_add(&self, out: &mut [u64], glwe: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        debug_assert_eq!(glwe.len(), self.0.shape.words());
        self.0.multiply_add(out, 0, glwe, fft, scratch);
    }

    /// Scratch that [`Self::external_product_add`] needs.
    pub fn scratch_bytes(&self) -> usize {
        self.0.scratch_bytes()
    }

    /// The same for ciphertexts of this shape.
    pub fn scratch_bytes_of(shape: GlweShape) -> usize {
        multiply_scratch_bytes(shape)
    }
}

impl std::fmt::Debug for PreparedGgsw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedGgsw")
            .field("shape", &self.0.shape)
            .field("gadget", &self.0.gadget)
            .finish_non_exhaustive()
    }
}
