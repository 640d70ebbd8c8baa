//! Public uniform words.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::seed::MaskSeed;
use crate::modulus::Modulus;
use crate::tally::{self, Operation};

/// Bytes taken from the generator at once: a multiple of the 256 it makes at a time, small enough for the first cache.
const CHUNK: usize = 2048;
/// Residues made at once.
const RESIDUES: usize = 512;
/// 2^52, and its bits: the low 52 of them hold an integer that is to be added.
const TWO_52: f64 = (1u64 << 52) as f64;
const TWO_52_BITS: u64 = TWO_52.to_bits();

/// The uniform words of one stream of a [`MaskSeed`]: ChaCha20(key = seed, nonce = stream), little-endian, from
/// block 0.
///
/// A 64-bit word takes 8 bytes of the key stream and a 32-bit word 4, so that the words do not depend on how the calls
/// divide them. Two streams of a seed (two rows of a key) are independent and can be expanded in parallel.
#[derive(Debug)]
pub struct MaskStream {
    generator: ChaCha20Rng,
}

impl MaskStream {
    /// The stream number `stream` of a seed, at its beginning.
    pub fn new(seed: &MaskSeed, stream: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(*seed.as_bytes());
        generator.set_stream(stream);
        Self { generator }
    }

    /// Overwrites `words` by the next words, uniform on 0..2^64.
    pub fn fill_u64(&mut self, words: &mut [u64]) {
        let mut bytes = [0u8; CHUNK];
        for chunk in words.chunks_mut(CHUNK / 8) {
            let bytes = &mut bytes[..8 * chunk.len()];
            self.generator.fill_bytes(bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
    }

    /// Overwrites `words` by the next words, uniform on 0..2^128: 16 bytes each.
    pub fn fill_u128(&mut self, words: &mut [u128]) {
        let mut bytes = [0u8; CHUNK];
        for chunk in words.chunks_mut(CHUNK / 16) {
            let bytes = &mut bytes[..16 * chunk.len()];
            self.generator.fill_bytes(bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks().0) {
                *word = u128::from_le_bytes(*bytes);
            }
        }
    }

    /// Overwrites `words` by the next words, uniform on 0..2^32.
    pub fn fill_u32(&mut self, words: &mut [u32]) {
        let mut bytes = [0u8; CHUNK];
        for chunk in words.chunks_mut(CHUNK / 4) {
            let bytes = &mut bytes[..4 * chunk.len()];
            self.generator.fill_bytes(bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
        }
    }

    /// Overwrites `residues` by the next residues modulo p, balanced and *exactly* uniform on −(p − 1)/2 ..= (p − 1)/2.
    ///
    /// A 64-bit word w of the stream gives ⌊p·w/2^64⌋ − (p − 1)/2, unless p·w mod 2^64 < 2^64 mod p: such a word, of
    /// probability below p/2^64 < 2^-14, is passed over, and 2^64 − (2^64 mod p) words are left, equally many for each
    /// residue (Lemire, Fast random integer generation in an interval, 2019). The residues do not depend on how the
    /// calls divide them. The time does depend on the words passed over; masks are public.
    pub fn fill_residues(&mut self, residues: &mut [f64], modulus: Modulus) {
        tally::count(Operation::Mask, residues.len());
        let p = modulus.value();
        let least = p.wrapping_neg() % p;
        let offset = TWO_52 + (p / 2) as f64;
        let product = |word: u64| u128::from(word) * u128::from(p);
        let residue = |product: u128| f64::from_bits(TWO_52_BITS | (product >> 64) as u64) - offset;
        let mut words = [0; RESIDUES];
        let mut filled = 0;
        while filled < residues.len() {
            let chunk = &mut residues[filled..];
            let count = chunk.len().min(RESIDUES);
            let (words, chunk) = (&mut words[..count], &mut chunk[..count]);
            self.fill_u64(words);
            let mut refused = false;
            for (residue_out, &word) in chunk.iter_mut().zip(words.iter()) {
                let product = product(word);
                refused |= (product as u64) < least;
                *residue_out = residue(product);
            }
            if !refused {
                filled += count;
                continue;
            }
            // Rare: the words that stay, moved up; the next ones follow.
            let kept = words.iter().map(|&word| product(word)).filter(|&product| product as u64 >= least);
            for (residue_out, product) in residues[filled..].iter_mut().zip(kept) {
                *residue_out = residue(product);
                filled += 1;
            }
        }
    }
}
