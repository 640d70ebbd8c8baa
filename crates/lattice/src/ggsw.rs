//! GGSW encryptions of small constants (RGSW for rank 1), seed-compressed: the keys of blind rotation.
//!
//! Row (j, l), 0 ≤ j ≤ k, 1 ≤ l ≤ d, of the encryption of µ is a GLWE encryption of µ·g_l·s_j (s_k := 1), so that
//! Σ_{j,l} digit_l(c_j) · row(j, l) has the phase µ·phase(c) + noise: the external product.
use crate::Gadget;
use crate::glwe::GlweShape;
use crate::rows::{encrypt_bodies, expand_row_into};
use crate::secret::GlweSecretKey;
use bootes_ring::fft::Fft;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::torus::Torus;

/// A list of GGSW ciphertexts, only the bodies stored: the masks come from the seed.
///
/// Bodies are laid out `[ciphertext][row j·d + l−1][N]`. Row r of ciphertext i has the masks of stream i·rows + r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededGgswList<W = u64> {
    /// Rank and degree.
    pub shape: GlweShape,
    /// Gadget g_l = 2^k/B^l, for words of k bits.
    pub gadget: Gadget,
    /// Where the masks come from.
    pub mask_seed: MaskSeed,
    /// The bodies.
    pub bodies: Vec<W>,
}

impl<W: Torus> SeededGgswList<W> {
    /// Encrypts `messages` (small integers) under `key` with noise of standard deviation `std` (of the torus).
    pub fn encrypt(
        key: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        messages: &[i8],
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Self {
        let shape = GlweShape { rank: key.rank(), degree: key.degree() };
        let n = shape.degree;
        let rows = shape.polynomials() * gadget.levels() as usize;
        let mut list = Self { shape, gadget, mask_seed, bodies: vec![W::default(); messages.len() * rows * n] };
        for (row, body) in list.bodies.chunks_exact_mut(n).enumerate() {
            let (j, level) = ((row % rows) / gadget.levels() as usize, (row % gadget.levels() as usize) as u32 + 1);
            let factor = W::from_integer(i64::from(messages[row / rows])).shl(gadget.shift::<W>(level));
            if j < shape.rank {
                body.iter_mut().zip(key.expose_polynomial(j)).for_each(|(x, &s)| *x = factor.times(i64::from(s)));
            } else {
                body[0] = factor;
            }
        }
        encrypt_bodies(&mut list.bodies, key, fft, std, &mask_seed, noise_seed);
        list
    }

    /// Rows of one ciphertext: (k + 1)·d.
    pub fn rows(&self) -> usize {
        self.shape.polynomials() * self.gadget.levels() as usize
    }

    /// Number of ciphertexts.
    pub fn len(&self) -> usize {
        self.bodies.len() / (self.rows() * self.shape.degree)
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Writes row `row` of ciphertext `index` in full, (a_1, …, a_k, b), to `out` ((k + 1)·N words).
    pub fn expand_row_into(&self, out: &mut [W], index: usize, row: usize) {
        expand_row_into(out, self.shape, &self.mask_seed, &self.bodies, index * self.rows() + row);
    }
}
