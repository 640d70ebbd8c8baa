//! Secret words: noise and key coefficients.

use core::fmt;

use rand_core::Rng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use super::distribution::KeyDistribution;
use super::gaussian::{normal_pair, round_to_i64};
use super::permute::sort_obliviously;
use super::seed::{SecretSeed, WipedChaCha};
use crate::tally::{self, Operation};

/// Words drawn from the generator at once.
const CHUNK: usize = 128;

/// The largest log2 of a standard deviation that a rounded `f64` carries; above it, low bits are filled (see below).
const MAX_LOG2_SCALE: i32 = 40;

/// The secret values of one stream of a [`SecretSeed`]: ChaCha20(key = seed, nonce = stream), little-endian, from
/// block 0.
///
/// No branch and no memory access depends on the words drawn; lengths, standard deviations and distributions are
/// public. (Division and square root are taken to run in constant time; where a processor's do not, what varies is the
/// time of a whole batch.) Use a (seed, stream) pair for one purpose only.
pub struct NoiseStream {
    generator: WipedChaCha,
}

impl NoiseStream {
    /// Normal samples that are drawn together: pieces of multiples of so many, one after the other, are those of all.
    pub const CHUNK: usize = CHUNK;

    /// The stream number `stream` of a seed, at its beginning.
    pub fn new(seed: &SecretSeed, stream: u64) -> Self {
        Self { generator: WipedChaCha::new(seed.as_bytes(), stream) }
    }

    /// words\[i\] += ⌊2^64·std·zᵢ⌉ (mod 2^64), the zᵢ independent and standard normal: a *rounded continuous* Gaussian.
    ///
    /// `std` is relative to the torus (σ/2^64), from 0 to 1. The variance is that of the continuous Gaussian plus 1/12
    /// of the last place; tails reach 9.49 σ. Where 2^64·std exceeds 2^40 the Gaussian is rounded to a multiple of 2^k,
    /// with 2^64·std/2^k in (2^39, 2^40], and uniform bits fill the k places below: without them every large sample
    /// would be even, and the lowest bits of a ciphertext an exact equation in the key. Each call draws whole pairs:
    /// the values depend on how calls divide the words.
    ///
    /// # Panics
    /// If `std` is not a number from 0 to 1.
    pub fn add_gaussian_u64(&mut self, words: &mut [u64], std: f64) {
        let (scale, fill) = scale_and_fill(std, 64);
        let mut noise = Zeroizing::new([0; CHUNK]);
        for chunk in words.chunks_mut(CHUNK) {
            self.gaussian_chunk(&mut noise, chunk.len(), scale, fill);
            for (word, noise) in chunk.iter_mut().zip(noise.iter()) {
                *word = word.wrapping_add(*noise as u64);
            }
        }
    }

    /// words\[i\] += ⌊2^128·std·zᵢ⌉ (mod 2^128); otherwise as [`NoiseStream::add_gaussian_u64`]: 2^40 values a standard
    /// deviation, and uniform bits below.
    ///
    /// # Panics
    /// If `std` is not a number from 0 to 1.
    pub fn add_gaussian_u128(&mut self, words: &mut [u128], std: f64) {
        let (scale, fill) = scale_and_fill(std, 128);
        let mut bits = Zeroizing::new([0u64; 2 * CHUNK]);
        let mut noise = Zeroizing::new([0; CHUNK]);
        for chunk in words.chunks_mut(CHUNK) {
            self.gaussian_chunk(&mut noise, chunk.len(), scale, 0);
            let half = if fill > 0 { 1i128 << (fill - 1) } else { 0 };
            if fill > 0 {
                self.fill_words(&mut bits[..2 * chunk.len()]);
            }
            for ((word, noise), bits) in chunk.iter_mut().zip(noise.iter()).zip(bits.as_chunks::<2>().0) {
                let low = (u128::from(bits[0]) << 64 | u128::from(bits[1])).checked_shr(128 - fill).unwrap_or(0);
                let value = (i128::from(*noise) << fill).wrapping_add(low as i128 - half);
                *word = word.wrapping_add(value as u128);
            }
        }
    }

    /// words\[i\] += ⌊2^32·std·zᵢ⌉ (mod 2^32); otherwise as [`NoiseStream::add_gaussian_u64`].
    ///
    /// # Panics
    /// If `std` is not a number from 0 to 1.
    pub fn add_gaussian_u32(&mut self, words: &mut [u32], std: f64) {
        let (scale, fill) = scale_and_fill(std, 32);
        let mut noise = Zeroizing::new([0; CHUNK]);
        for chunk in words.chunks_mut(CHUNK) {
            self.gaussian_chunk(&mut noise, chunk.len(), scale, fill);
            for (word, noise) in chunk.iter_mut().zip(noise.iter()) {
                *word = word.wrapping_add(*noise as u32);
            }
        }
    }

    /// Overwrites `out` by ⌊std·zᵢ⌉, the zᵢ independent and standard normal: otherwise as
    /// [`NoiseStream::add_gaussian_u64`].
    ///
    /// `std` is in units of 1, from 0 to 2^40; |out\[i\]| ≤ 9.5·std + 1/2.
    ///
    /// # Panics
    /// If `std` is not a number from 0 to 2^40.
    pub fn fill_gaussian(&mut self, out: &mut [i64], std: f64) {
        let limit = 2f64.powi(MAX_LOG2_SCALE);
        assert!((0.0..=limit).contains(&std), "standard deviation {std} is not in 0..=2^{MAX_LOG2_SCALE}");
        let mut noise = Zeroizing::new([0; CHUNK]);
        for chunk in out.chunks_mut(CHUNK) {
            self.gaussian_chunk(&mut noise, chunk.len(), std, 0);
            chunk.copy_from_slice(&noise[..chunk.len()]);
        }
    }

    /// Overwrites `coefficients` by a key of the given distribution.
    ///
    /// Binary: one bit a coefficient. Ternary: ⌊3w/2^64⌋ − 1 for a 64-bit word w. Block-binary: c = ⌊(length +
    /// 1)·w/2^64⌋ is the position of the 1, and c = length the zero block. A choice is off uniform by less than 2^-64
    /// of itself times the number of choices. Sparse ternary: exactly uniform, weight/2 coefficients +1, as many −1 and
    /// the zeros in the order of 62-bit words drawn for them. If two of these words agree (probability below n²/2^63)
    /// all are drawn anew, which tells nothing of the words that stay. It takes 8n bytes and O(n log² n) operations.
    ///
    /// # Panics
    /// If the distribution does not [accept](KeyDistribution::accepts) this number of coefficients.
    pub fn fill_key(&mut self, coefficients: &mut [i8], distribution: KeyDistribution) {
        assert!(
            distribution.accepts(coefficients.len()),
            "{} coefficients cannot be a {distribution} key: these need whole blocks, or an even weight that fits",
            coefficients.len()
        );
        let mut words = Zeroizing::new([0u64; CHUNK]);
        match distribution {
            KeyDistribution::SparseTernary { weight } => self.fill_sparse(coefficients, weight as usize),
            KeyDistribution::Binary => {
                for chunk in coefficients.chunks_mut(64 * CHUNK) {
                    let words = &mut words[..chunk.len().div_ceil(64)];
                    self.fill_words(words);
                    for (bits, word) in chunk.chunks_mut(64).zip(words.iter()) {
                        for (i, bit) in bits.iter_mut().enumerate() {
                            *bit = ((word >> i) & 1) as i8;
                        }
                    }
                }
            }
            KeyDistribution::Ternary => {
                for chunk in coefficients.chunks_mut(CHUNK) {
                    let words = &mut words[..chunk.len()];
                    self.fill_words(words);
                    for (coefficient, word) in chunk.iter_mut().zip(words.iter()) {
                        *coefficient = below(*word, 3) as i8 - 1;
                    }
                }
            }
            KeyDistribution::BlockBinary { length } => {
                let length = length as usize;
                for chunk in coefficients.chunks_mut(length.saturating_mul(CHUNK)) {
                    let words = &mut words[..chunk.len() / length];
                    self.fill_words(words);
                    for (block, word) in chunk.chunks_exact_mut(length).zip(words.iter()) {
                        let position = below(*word, length as u64 + 1);
                        for (i, coefficient) in block.iter_mut().enumerate() {
                            *coefficient = i8::conditional_select(&0, &1, position.ct_eq(&(i as u64)));
                        }
                    }
                }
            }
        }
    }

    /// A word of 62 random bits above a code: 1 for +1, 2 for −1, 0 for 0. The codes in the order of the words are the
    /// key.
    fn fill_sparse(&mut self, coefficients: &mut [i8], weight: usize) {
        let mut words = Zeroizing::new(vec![0u64; coefficients.len()]);
        loop {
            self.fill_words(&mut words);
            for (i, word) in words.iter_mut().enumerate() {
                let code = u64::from(i < weight) + u64::from(i < weight / 2);
                *word = *word & !3 | code;
            }
            sort_obliviously(&mut words);
            let repeated = words.windows(2).fold(false, |repeated, pair| repeated | (pair[0] >> 2 == pair[1] >> 2));
            if !repeated {
                break;
            }
        }
        for (coefficient, word) in coefficients.iter_mut().zip(words.iter()) {
            *coefficient = (word & 1) as i8 - (word >> 1 & 1) as i8;
        }
    }

    /// The next words of the stream.
    fn fill_words(&mut self, words: &mut [u64]) {
        let mut bytes = [0u8; 8 * CHUNK];
        for chunk in words.chunks_mut(CHUNK) {
            let bytes = &mut bytes[..8 * chunk.len()];
            self.generator.0.fill_bytes(bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        bytes.zeroize();
    }

    /// The first `count` ≤ [`CHUNK`] values are ⌊scale·z⌉·2^fill plus uniform bits of [−2^(fill−1), 2^(fill−1)).
    fn gaussian_chunk(&mut self, out: &mut [i64; CHUNK], count: usize, scale: f64, fill: u32) {
        tally::count(Operation::Noise, count);
        let mut words = Zeroizing::new([0u64; CHUNK]);
        let drawn = count.next_multiple_of(2);
        self.fill_words(&mut words[..drawn]);
        for (out, words) in out[..drawn].as_chunks_mut::<2>().0.iter_mut().zip(words.as_chunks::<2>().0) {
            let (a, b) = normal_pair(words[0], words[1]);
            *out = [round_to_i64(a * scale), round_to_i64(b * scale)];
        }
        if fill > 0 {
            let half = 1i64 << (fill - 1);
            self.fill_words(&mut words[..drawn]);
            for (out, word) in out[..drawn].iter_mut().zip(words.iter()) {
                let low = (word >> (64 - fill)) as i64;
                *out = (*out << fill).wrapping_add(low - half);
            }
        }
    }
}

impl fmt::Debug for NoiseStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoiseStream(<redacted>)")
    }
}

/// ⌊bound·word/2^64⌋: nearly uniform on 0..bound.
#[inline(always)]
fn below(word: u64, bound: u64) -> u64 {
    ((u128::from(word) * u128::from(bound)) >> 64) as u64
}

/// 2^log2_modulus·std = scale·2^fill, with fill = 0 or scale in (2^39, 2^40]. Depends on public values only.
fn scale_and_fill(std: f64, log2_modulus: i32) -> (f64, u32) {
    assert!((0.0..=1.0).contains(&std), "standard deviation {std} of the torus is not in 0..=1");
    let mut scale = std * 2f64.powi(log2_modulus);
    let mut fill = 0;
    while scale > 2f64.powi(MAX_LOG2_SCALE) {
        scale *= 0.5;
        fill += 1;
    }
    (scale, fill)
}
