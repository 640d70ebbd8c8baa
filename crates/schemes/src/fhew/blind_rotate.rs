//! Blind rotation: ACC ← X^{−(b̄ + ⟨ā, s⟩)} · TV, one kernel for binary, ternary and block-binary keys.
//!
//! The key coefficients come in blocks of which at most one is non-zero, so the blocks' CMUXes add up (block-binary
//! keys, Lee–Min–Seo–Song 2023; binary keys are blocks of one):
//!
//!   ACC ← ACC + Σ_{i in block} (X^{e_i} − 1)·ACC ⊡ GGSW(s_i),   e_i = −ā_i.
//!
//! Digits are odd multiples of ½ ([`Gadget::odd_digit`]), which have no mean: with one, half of the sum of a key's
//! noise would be in the last blocks of every rotation, and in sums of many results add up. (X^e − 1)·½·ΣX^i is whole,
//! so that the product has a sense modulo 1. In the Fourier domain digits are twice as large, and key words halved.
//!
//! One decomposition and one inverse transform serve the block. A ternary s_i is a block of two: [s_i = 1] with −ā_i
//! and [s_i = −1] with +ā_i. Extended bootstrapping (recursive-decomposition paper, Algorithm 5) keeps an accumulator
//! of degree ν·N' as ν components of degree N'; all use the same key.
//!
//! Start. A trivial encryption of a test vector is no random ciphertext, and the rounding of the transforms minds: a
//! table's steps have their energy at the roots nearest to 1, where a binary GLWE key has 40 % of its own, and a zero
//! mask is after the first block a multiple of the unit of an `f64`, so that the next gadget rounds halves, always up.
//! Either made a first block as noisy as up to tens of others. So every accumulator starts with a row of the key added:
//! a GLWE encryption of s_0 units of the last digit, in one coefficient. Its mask is uniform, and its phase is below
//! what one block drops. Below the unit of an `f64` the accumulator's mask stays what the row's is, and what the last
//! block drops of it would be the same in all results of a key: so the row is turned, by a monomial that depends on the
//! rotation's exponents and is different in each component.
//!
//! The mean. What the decomposition drops of a mask, and what the transforms make of it, is public, and a binary GLWE
//! key t has the mean µ = ½·ΣX^i, also to those who do not know it: sums of results that are picked by it would err
//! more than is counted. So errors are multiplied by t − µ, under which an accumulator (a, b) is (a, b + µ·a) while it
//! is rotated. µ has halves, and so a is known modulo 2: a/2 is what is stored. A mask of which ε is dropped has
//! digits of a − ε, and the body that is decomposed is b + µ·a − µ·(a − ε). The key's rows (A, B) are (A, B + µ·A)
//! with A in [−½, ½).
//!
//! Loop order: key block outside, rotations inside, so that the key is read once for a group of rotations. Words of 128
//! bits. The digits are small integers all the same, one transform each; the key's words are cut into L limbs, so a key
//! matrix has (k + 1)·L columns, and the inverse transforms of a polynomial's limbs are added up.
//!
//! Noise: [`bootes_lattice::noise::formula::BlindRotation`]. Cost of a block and component: (k+1)d forward and (k+1)L
//! inverse transforms of N'/2 points, and ℓ·(k+1)²dL/ν + min(ν, ℓ+1)·(k+1)²dL complex multiply-adds a point.
use crate::cancel::Cancel;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_lattice::{Gadget, LatticeError};
use bootes_ring::cancel::is_wanted;
use bootes_ring::fft::{BlockRotation, BlockShape, Fft, WordLimbs};
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};
use bootes_ring::ones;
use bootes_ring::sample::KeyDistribution;
use bootes_ring::torus::Torus;
use zeroize::Zeroizing;

/// GGSW encryptions of the short key's coefficients in the Fourier domain.
///
/// Layout `[block][8 points][key of the block][row][column][8 real, 8 imaginary]`: the kernel reads it front to back. A
/// polynomial of words of 128 bits has a column for each limb.
pub struct RotationKey<W = u64> {
    fft: Fft,
    shape: GlweShape,
    gadget: Gadget,
    limbs: WordLimbs,
    distribution: KeyDistribution,
    dimension: usize,
    keys: AlignedVec<f64>,
    /// Row (k, d) of the first key: see the module's page.
    start: Vec<W>,
}

impl<W> std::fmt::Debug for RotationKey<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RotationKey")
            .field("shape", &self.shape)
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

/// One rotation: where to and what.
#[derive(Debug)]
pub struct BlindRotation<'a, W = u64> {
    /// Extension factor ν.
    pub extension: usize,
    /// (ā_0, …, ā_{n−1}) modulo 2νN'.
    pub mask: &'a [u32],
    /// The accumulator `[component][polynomial][N']`, already rotated by the body.
    pub accumulator: &'a mut [W],
}

impl<W> Default for BlindRotation<'_, W> {
    fn default() -> Self {
        Self { extension: 0, mask: &[], accumulator: &mut [] }
    }
}

/// A block of the key of at most so many bytes stays in a core's second-level cache from one rotation to the next.
pub(super) const NEAR_BYTES: usize = 1 << 20;
/// Rotations whose digits and products take at most so many bytes are multiplied with a block of the key together: each of
/// them but the first reads it from the first-level cache. What does not stay in a small second level passes once, in
/// order, and is less than the block that would pass again.
const TOGETHER_BYTES: usize = 512 << 10;

/// Components that are multiplied together if the digits and products of each take so many bytes.
pub(super) fn components_together(bytes: usize) -> usize {
    (TOGETHER_BYTES / bytes).max(1)
}

/// How many rotations, from the first on, are multiplied together: at most `capacity` components.
fn group_len<W>(rotations: &[BlindRotation<'_, W>], capacity: usize) -> usize {
    let mut components = 0;
    let fits = rotations.iter().take_while(|rotation| {
        components += rotation.extension;
        components <= capacity
    });
    fits.count().clamp(1, BlockShape::MAX_ROTATIONS)
}

/// Of a rotation's exponents; equal ones are alike, and others mostly not.
fn digest(mask: &[u32]) -> u64 {
    mask.iter().fold(0, |digest, &a| scrambled(digest ^ u64::from(a)))
}

/// A bijection whose lower bits depend on all of `x`.
fn scrambled(x: u64) -> u64 {
    // 2^64 over the golden ratio.
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 32)
}

/// The messages to encrypt for a key of this distribution: s_i, or [s_i = 1] and [s_i = −1] where it can be −1.
pub fn rotation_messages(coefficients: &[i8], distribution: KeyDistribution) -> Zeroizing<Vec<i8>> {
    if !distribution.is_signed() {
        return Zeroizing::new(coefficients.to_vec());
    }
    // Of its final size, so that none is left behind.
    let mut messages = Zeroizing::new(vec![0; 2 * coefficients.len()]);
    for (pair, &s) in messages.as_chunks_mut().0.iter_mut().zip(coefficients) {
        *pair = [i8::from(s == 1), i8::from(s == -1)];
    }
    messages
}

impl<W: Torus> RotationKey<W> {
    /// Expands and transforms a seeded key for an LWE key of `dimension` coefficients, cut into `limbs`. The GLWE key
    /// is binary. Where it is not wanted any longer ([`is_wanted`]), what follows is 0.
    pub fn prepare(
        seeded: &SeededGgswList<W>,
        limbs: WordLimbs,
        fft: Fft,
        distribution: KeyDistribution,
        dimension: usize,
    ) -> Result<Self, LatticeError> {
        let expected = rotation_keys(distribution, dimension);
        if seeded.len() != expected {
            return Err(LatticeError::Size { what: "blind rotation key", expected, found: seeded.len() });
        }
        let (shape, n) = (seeded.shape, seeded.shape.degree);
        let (rows, block) = (seeded.rows(), rotation_block(distribution));
        let columns = shape.polynomials() * limbs.count();
        let mut keys = AlignedVec::try_new(expected * rows * columns * n)?;
        let mut row_words = AlignedVec::<W>::new(shape.words());
        let mut transformed = AlignedVec::<f64>::new(n);
        let mut half = vec![W::default(); n];
        let slices = limbs.as_slice();
        for (b, keys) in keys.chunks_exact_mut(block * rows * columns * n).enumerate().take_while(|_| is_wanted()) {
            for i in 0..block {
                for row in 0..rows {
                    seeded.expand_row_into(&mut row_words, b * block + i, row);
                    let (masks, body) = row_words.split_at_mut(shape.lwe_dimension());
                    for mask in masks.chunks_exact(n) {
                        let minus_half = |x: W| {
                            let halves = slices.iter().map(|limb| limb.cut(x).halved());
                            halves.fold(W::default(), W::wrapping_sub)
                        };
                        half.iter_mut().zip(mask).for_each(|(h, &x)| *h = minus_half(x));
                        ones::sub_product(fft.isa(), body, None, &half, 0);
                    }
                    for column in 0..columns {
                        let (polynomial, limb) = (column / slices.len(), &slices[column % slices.len()]);
                        fft.forward_limb(&mut transformed, &row_words[polynomial * n..(polynomial + 1) * n], limb);
                        // Of halves of digits, and halves of the products of masks: see the module's page.
                        let factor = if polynomial < shape.rank { 0.25 } else { 0.5 };
                        transformed.iter_mut().for_each(|x| *x *= factor);
                        let place = (i * rows + row) * columns + column;
                        for (t, chunk) in transformed.chunks_exact(16).enumerate() {
                            let start = (t * block * rows * columns + place) * 16;
                            keys[start..start + 16].copy_from_slice(chunk);
                        }
                    }
                }
            }
        }
        let mut start = vec![W::default(); shape.words()];
        if !seeded.is_empty() {
            seeded.expand_row_into(&mut start, 0, rows - 1);
        }
        Ok(Self { fft, shape, gadget: seeded.gadget, limbs, distribution, dimension, keys, start })
    }

    /// Rank and degree of the accumulator.
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// The limbs of a word.
    pub fn limbs(&self) -> &WordLimbs {
        &self.limbs
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
        let [digits, products] = self.component_numbers();
        let components = extension.max(self.components_together());
        scratch_bytes::<f64>(components * digits)
            + scratch_bytes::<f64>(components * products)
            + scratch_bytes::<W>(self.shape.degree)
    }

    /// Numbers of the digits and of the products of one component.
    fn component_numbers(&self) -> [usize; 2] {
        [self.gadget.levels() as usize * self.shape.words(), self.limbs.count() * self.shape.words()]
    }

    /// Bytes of a block of the key.
    fn block_bytes(&self) -> usize {
        let [digits, _] = self.component_numbers();
        let columns = self.shape.polynomials() * self.limbs.count();
        rotation_block(self.distribution) * digits * columns * 8
    }

    /// Components that are multiplied together.
    fn components_together(&self) -> usize {
        let [digits, products] = self.component_numbers();
        components_together(8 * (digits + products))
    }

    /// Runs all rotations, reading the key once.
    ///
    /// Callers bound the group: the accumulators should stay in the cache between two blocks of the key. Between two
    /// blocks it ends where it is cancelled, and what is in the accumulators is worth nothing.
    pub fn rotate(&self, rotations: &mut [BlindRotation<'_, W>], cancel: &Cancel, scratch: Scratch<'_>) {
        let (limbs, n) = (self.limbs.as_slice(), self.shape.degree);
        let levels = self.gadget.levels() as usize;
        let (rows, columns) = (self.shape.polynomials() * levels, self.shape.polynomials() * limbs.len());
        let block = rotation_block(self.distribution);
        let mut exponents = [[0u32; bootes_lattice::modswitch::MAX_BLOCK]; BlockShape::MAX_ROTATIONS];
        let [component_digits, component_products] = self.component_numbers();
        let largest = rotations.iter().map(|rotation| rotation.extension).max().unwrap_or(1);
        let capacity = largest.max(self.components_together());
        let shape = BlockShape { extension: 1, rows, cols: columns, block };
        let (all_digits, rest) = scratch.take::<f64>(capacity * component_digits);
        let (all_products, rest) = rest.take::<f64>(capacity * component_products);
        let (body, _) = rest.take::<W>(n);
        for rotation in &mut *rotations {
            let digest = digest(rotation.mask);
            let components = rotation.accumulator.chunks_exact_mut(self.shape.words());
            for (component, place) in components.zip(0..) {
                self.add_start(component, scrambled(digest ^ place));
                self.centre(component);
            }
        }
        for (b, keys) in self.keys.chunks_exact(block * rows * columns * n).enumerate() {
            if cancel.is_cancelled() {
                return;
            }
            // Whether what was read of the key before is still in the second-level cache.
            let mut block_is_near = false;
            let mut rest = &mut *rotations;
            while !rest.is_empty() {
                let (group, others) = rest.split_at_mut(group_len(rest, capacity));
                rest = others;
                let mut digits = &mut *all_digits;
                for rotation in group.iter().filter(|rotation| !self.is_unmoved(rotation, b)) {
                    let of_rotation = digits.split_off_mut(..rotation.extension * component_digits).unwrap_or_default();
                    let components = rotation.accumulator.chunks_exact(self.shape.words());
                    for (component, digits) in components.zip(of_rotation.chunks_exact_mut(component_digits)) {
                        self.decompose(digits, component, body);
                    }
                }
                let (mut digits, mut products) = (&*all_digits, &mut *all_products);
                let mut factors: [BlockRotation<'_>; BlockShape::MAX_ROTATIONS] = Default::default();
                let mut count = 0;
                let moved = group.iter().filter(|rotation| !self.is_unmoved(rotation, b));
                for ((rotation, factor), exponents) in moved.zip(&mut factors).zip(&mut exponents) {
                    let (extension, exponents) = (rotation.extension, &mut exponents[..block]);
                    self.block_exponents(exponents, rotation.mask, b, (2 * extension * n) as u32);
                    let digits = digits.split_off(..extension * component_digits).unwrap_or_default();
                    let out = products.split_off_mut(..extension * component_products).unwrap_or_default();
                    *factor = BlockRotation { extension, exponents, digits, out };
                    count += 1;
                }
                self.fft.rotate_multiply_blocks(shape, keys, !block_is_near, &mut factors[..count]);
                block_is_near = self.block_bytes() <= NEAR_BYTES;
                let mut products = &mut *all_products;
                for rotation in group.iter_mut().filter(|rotation| !self.is_unmoved(rotation, b)) {
                    let of_rotation =
                        products.split_off_mut(..rotation.extension * component_products).unwrap_or_default();
                    let components = rotation.accumulator.chunks_exact_mut(self.shape.words());
                    for (component, products) in components.zip(of_rotation.chunks_exact_mut(component_products)) {
                        self.add_products(component, products);
                    }
                }
            }
        }
        for component in rotations.iter_mut().flat_map(|r| r.accumulator.chunks_exact_mut(self.shape.words())) {
            self.uncentre(component);
        }
    }

    /// A component += X^r times the start row, r = `turn` modulo 2N'.
    fn add_start(&self, component: &mut [W], turn: u64) {
        let n = self.shape.degree;
        let (place, is_negative) = (turn as usize % n, turn as usize / n % 2 == 1);
        for (polynomial, start) in component.chunks_exact_mut(n).zip(self.start.chunks_exact(n)) {
            let (wrapped, rest) = polynomial.split_at_mut(place);
            let (low, high) = start.split_at(n - place);
            for (x, y, is_negative) in [(rest, low, is_negative), (wrapped, high, !is_negative)] {
                let add = if is_negative { W::wrapping_sub } else { W::wrapping_add };
                x.iter_mut().zip(y).for_each(|(x, &y)| *x = add(*x, y));
            }
        }
    }

    /// Of (a, b), (a/2, b + µ·a).
    fn centre(&self, component: &mut [W]) {
        let (masks, body) = component.split_at_mut(self.shape.lwe_dimension());
        for mask in masks.chunks_exact_mut(self.shape.degree) {
            mask.iter_mut().for_each(|x| *x = x.halved().wrapping_neg());
            ones::sub_product(self.fft.isa(), body, None, mask, 0);
            mask.iter_mut().for_each(|x| *x = x.wrapping_neg());
        }
    }

    /// The inverse of [`Self::centre`].
    fn uncentre(&self, component: &mut [W]) {
        let (masks, body) = component.split_at_mut(self.shape.lwe_dimension());
        for mask in masks.chunks_exact_mut(self.shape.degree) {
            ones::sub_product(self.fft.isa(), body, None, mask, 0);
            mask.iter_mut().for_each(|x| *x = x.shl(1));
        }
    }

    /// The transforms of a centred component's digits, `[polynomial][level][N']`. `body` is a buffer.
    fn decompose(&self, digits: &mut [f64], component: &[W], body: &mut [W]) {
        let (n, gadget) = (self.shape.degree, self.gadget);
        let (masks, own_body) = component.split_at(self.shape.lwe_dimension());
        let (of_masks, of_body) = digits.split_at_mut(masks.len() * gadget.levels() as usize);
        // Bits of a/2 below its digits.
        let dropped = W::BITS - gadget.levels() * gadget.log2_base() - 1;
        let mut from = Some(own_body);
        for (mask, digits) in masks.chunks_exact(n).zip(of_masks.chunks_exact_mut(gadget.levels() as usize * n)) {
            ones::sub_product(self.fft.isa(), body, from.take(), mask, dropped);
            for (digit, level) in digits.chunks_exact_mut(n).zip(1..) {
                self.fft.forward_odd_digit_of_half(digit, mask, gadget, level);
            }
        }
        for (digit, level) in of_body.chunks_exact_mut(n).zip(1..) {
            self.fft.forward_odd_digit(digit, body, gadget, level);
        }
    }

    /// A centred component += `products`, `[polynomial][limb][N']`.
    fn add_products(&self, component: &mut [W], products: &mut [f64]) {
        let (limbs, n) = (self.limbs.as_slice(), self.shape.degree);
        let polynomials = component.chunks_exact_mut(n).zip(products.chunks_exact_mut(limbs.len() * n));
        for (j, (polynomial, products)) in polynomials.enumerate() {
            for (product, limb) in products.chunks_exact_mut(n).zip(limbs) {
                let limb = if j < self.shape.rank { limb.of_halves() } else { *limb };
                self.fft.backward_add_limb(polynomial, product, &limb);
            }
        }
    }

    /// Whether all exponents of block `b` are zero.
    fn is_unmoved(&self, rotation: &BlindRotation<'_, W>, b: usize) -> bool {
        let coefficients = self.distribution.block_length();
        rotation.mask[b * coefficients..(b + 1) * coefficients].iter().all(|&a| a == 0)
    }

    /// The exponents e_i of block `b`.
    fn block_exponents(&self, out: &mut [u32], mask: &[u32], b: usize, modulus: u32) {
        let negate = |a: u32| if a == 0 { 0 } else { modulus - a };
        if self.distribution.is_signed() {
            out[0] = negate(mask[b]);
            out[1] = mask[b];
        } else {
            let start = b * out.len();
            out.iter_mut().zip(&mask[start..]).for_each(|(e, &a)| *e = negate(a));
        }
    }
}
