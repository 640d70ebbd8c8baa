//! Blind rotation: ACC ← X^{−(b̄ + ⟨ā, s⟩)} · TV, one kernel for binary, ternary and block-binary keys.
//!
//! The key coefficients come in blocks of which at most one is non-zero, so the blocks' CMUXes add up
//! (block-binary keys, Lee–Min–Seo–Song 2023; binary keys are blocks of one):
//!
//!   ACC ← ACC + Σ_{i in block} (X^{e_i} − 1)·ACC ⊡ GGSW(s_i),   e_i = −ā_i.
//!
//! One decomposition and one inverse transform serve the block. A ternary s_i is a block of two: [s_i = 1] with −ā_i and
//! [s_i = −1] with +ā_i. Extended bootstrapping (recursive-decomposition paper, Algorithm 5) keeps an accumulator of
//! degree ν·N' as ν components of degree N'; all use the same key.
//!
//! Start. A trivial encryption of a test vector is no random ciphertext, and the rounding of the transforms minds: a table's
//! steps have their energy at the roots nearest to 1, where a binary GLWE key has 40 % of its own, and a zero mask is after
//! the first block a multiple of the unit of an `f64`, so that the next gadget rounds halves, always up. Either made a first
//! block as noisy as up to tens of others. So every accumulator starts with a row of the key added: a GLWE encryption of s_0
//! units of the last digit, in one coefficient. Its mask is uniform, and its phase is below what one block drops.
//!
//! Loop order: key block outside, rotations inside, so that the key is read once for a group of rotations.
//! Noise: [`bootes_lattice::noise::formula::BlindRotation`]. Cost of a block and component: (k+1)d forward and k+1 inverse
//! transforms of N'/2 points, and ℓ·(k+1)²d/ν + min(ν, ℓ+1)·(k+1)²d complex multiply-adds a point.
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_lattice::{Gadget, LatticeError};
use bootes_ring::fft::{BlockShape, Fft};
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};
use bootes_ring::sample::KeyDistribution;

/// GGSW encryptions of the short key's coefficients in the Fourier domain.
///
/// Layout `[block][8 points][key of the block][row][column][8 real, 8 imaginary]`: the kernel reads it front to back.
pub struct RotationKey {
    fft: Fft,
    shape: GlweShape,
    gadget: Gadget,
    distribution: KeyDistribution,
    dimension: usize,
    keys: AlignedVec<f64>,
    /// Row (k, d) of the first key: see the module's page.
    start: Vec<u64>,
}

impl std::fmt::Debug for RotationKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RotationKey")
            .field("shape", &self.shape)
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

/// One rotation: where to and what.
#[derive(Debug, Default)]
pub struct Rotation<'a> {
    /// Extension factor ν.
    pub extension: usize,
    /// (ā_0, …, ā_{n−1}) modulo 2νN'.
    pub mask: &'a [u32],
    /// The accumulator `[component][polynomial][N']`, already rotated by the body.
    pub accumulator: &'a mut [u64],
}

/// The messages to encrypt for a key of this distribution: s_i, or [s_i = 1] and [s_i = −1] for ternary.
pub fn rotation_messages(coefficients: &[i8], distribution: KeyDistribution) -> Vec<i8> {
    match distribution {
        KeyDistribution::Ternary => coefficients.iter().flat_map(|&s| [i8::from(s == 1), i8::from(s == -1)]).collect(),
        _ => coefficients.to_vec(),
    }
}

impl RotationKey {
    /// Expands and transforms a seeded key for an LWE key of `dimension` coefficients.
    pub fn prepare(
        seeded: &SeededGgswList,
        fft: Fft,
        distribution: KeyDistribution,
        dimension: usize,
    ) -> Result<Self, LatticeError> {
        let expected = rotation_keys(distribution, dimension);
        if seeded.len() != expected {
            return Err(LatticeError::Size { what: "blind rotation key", expected, found: seeded.len() });
        }
        let (shape, n) = (seeded.shape, seeded.shape.degree);
        let (rows, columns, block) = (seeded.rows(), shape.polynomials(), rotation_block(distribution));
        let mut keys = AlignedVec::try_new(expected * rows * columns * n)?;
        let mut row_words = AlignedVec::<u64>::new(shape.words());
        let mut transformed = AlignedVec::<f64>::new(n);
        for (b, keys) in keys.chunks_exact_mut(block * rows * columns * n).enumerate() {
            for i in 0..block {
                for row in 0..rows {
                    seeded.expand_row_into(&mut row_words, b * block + i, row);
                    for (column, polynomial) in row_words.chunks_exact(n).enumerate() {
                        fft.forward_torus(&mut transformed, polynomial);
                        let place = (i * rows + row) * columns + column;
                        for (t, chunk) in transformed.chunks_exact(16).enumerate() {
                            let start = (t * block * rows * columns + place) * 16;
                            keys[start..start + 16].copy_from_slice(chunk);
                        }
                    }
                }
            }
        }
        let mut start = vec![0; shape.words()];
        if !seeded.is_empty() {
            seeded.expand_row_into(&mut start, 0, rows - 1);
        }
        Ok(Self { fft, shape, gadget: seeded.gadget, distribution, dimension, keys, start })
    }

    /// Rank and degree of the accumulator.
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// Distribution of the short key.
    pub fn distribution(&self) -> KeyDistribution {
        self.distribution
    }

    /// Dimension n of the short key.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The plan of its transforms.
    pub fn fft(&self) -> &Fft {
        &self.fft
    }

    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.keys.len() * 8
    }

    /// Words of an accumulator with extension ν.
    pub fn accumulator_words(&self, extension: usize) -> usize {
        extension * self.shape.words()
    }

    /// Scratch that [`Self::rotate`] needs for rotations of extension at most `extension`.
    pub fn rotate_scratch_bytes(&self, extension: usize) -> usize {
        let digits = extension * self.shape.words() * self.gadget.levels() as usize;
        scratch_bytes::<f64>(digits) + scratch_bytes::<f64>(extension * self.shape.words())
    }

    /// Runs all rotations, reading the key once.
    ///
    /// Callers bound the group: the accumulators should stay in the cache between two blocks of the key.
    pub fn rotate(&self, rotations: &mut [Rotation<'_>], mut scratch: Scratch<'_>) {
        let (columns, n) = (self.shape.polynomials(), self.shape.degree);
        let levels = self.gadget.levels() as usize;
        let rows = columns * levels;
        let block = rotation_block(self.distribution);
        let mut exponents = [0u32; bootes_lattice::modswitch::MAX_BLOCK];
        let exponents = &mut exponents[..block];
        for ciphertext in rotations.iter_mut().flat_map(|r| r.accumulator.chunks_exact_mut(self.shape.words())) {
            ciphertext.iter_mut().zip(&self.start).for_each(|(x, &y)| *x = x.wrapping_add(y));
        }
        for (b, keys) in self.keys.chunks_exact(block * rows * columns * n).enumerate() {
            for rotation in rotations.iter_mut() {
                let modulus = (2 * rotation.extension * n) as u32;
                self.block_exponents(exponents, rotation.mask, b, modulus);
                if exponents.iter().all(|&e| e == 0) {
                    continue;
                }
                let (digits, rest) = scratch.reborrow().take::<f64>(rotation.extension * rows * n);
                let (products, _) = rest.take::<f64>(rotation.extension * columns * n);
                for (polynomial, digits) in
                    rotation.accumulator.chunks_exact(n).zip(digits.chunks_exact_mut(levels * n))
                {
                    for (digit, level) in digits.chunks_exact_mut(n).zip(1..) {
                        self.fft.forward_digit(digit, polynomial, self.gadget, level);
                    }
                }
                let shape = BlockShape { extension: rotation.extension, rows, cols: columns, block };
                self.fft.rotate_multiply_block(shape, products, digits, keys, exponents);
                for (polynomial, product) in rotation.accumulator.chunks_exact_mut(n).zip(products.chunks_exact_mut(n))
                {
                    self.fft.backward_add_torus(polynomial, product);
                }
            }
        }
    }

    /// The exponents e_i of block `b`.
    fn block_exponents(&self, out: &mut [u32], mask: &[u32], b: usize, modulus: u32) {
        let negate = |a: u32| if a == 0 { 0 } else { modulus - a };
        if self.distribution == KeyDistribution::Ternary {
            out[0] = negate(mask[b]);
            out[1] = mask[b];
        } else {
            let start = b * out.len();
            out.iter_mut().zip(&mask[start..]).for_each(|(e, &a)| *e = negate(a));
        }
    }
}
