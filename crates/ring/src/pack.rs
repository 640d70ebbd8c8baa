//! Packed words: residues and words of k bits on 1 ≤ k ≤ 64 bits each, for keys and ciphertexts on disk and on the wire.
//!
//! Word i fills the bits i·k .. (i + 1)·k of a vector, and bit j of a vector is bit j mod 8 of byte ⌊j/8⌋ (little-endian).
//! A vector ends with zeros up to a whole byte, and takes ⌈len·k/8⌉ bytes. The form of a vector is unique: reading refuses
//! all other bytes.

use crate::error::RingError;
use crate::modulus::Modulus;

/// Words converted at once: whatever the k, they fill k words of 64 bits.
const BLOCK: usize = 64;

/// The bytes of `len` residues modulo p, packed: ⌈len·bits(p)/8⌉ (or `usize::MAX` where that is more).
#[must_use]
pub fn packed_bytes(len: usize, modulus: Modulus) -> usize {
    packed_word_bytes(len, modulus.bits())
}

/// The bytes of `len` words of `bits` bits, packed: ⌈len·bits/8⌉ (or `usize::MAX` where that is more).
#[must_use]
pub fn packed_word_bytes(len: usize, bits: u32) -> usize {
    let bits = bits as usize;
    (len / 8).saturating_mul(bits).saturating_add((len % 8 * bits).div_ceil(8))
}

/// Appends balanced residues modulo p to `out`, each as its word 0 ≤ x < p in bits(p) bits.
pub fn pack_residues(out: &mut Vec<u8>, residues: &[f64], modulus: Modulus) {
    let p = modulus.value() as i64;
    debug_assert!(residues.iter().all(|x| x.abs() <= (p / 2) as f64), "a residue is not balanced");
    pack(out, residues, modulus.bits(), |x| {
        let x = x as i64;
        (x + (p & (x >> 63))) as u64
    });
}

/// Overwrites `out` by the balanced residues modulo p packed in `bytes`.
///
/// # Errors
/// [`RingError::PackedLength`] unless there are [`packed_bytes`] bytes, [`RingError::PackedWord`] for a word p or more, and
/// [`RingError::PackedPadding`] if the last byte does not end with zeros; `out` is then unspecified.
pub fn unpack_residues(out: &mut [f64], bytes: &[u8], modulus: Modulus) -> Result<(), RingError> {
    let (p, half) = (modulus.value() as i64, (modulus.value() / 2) as i64);
    let mut beyond = 0;
    unpack(out, bytes, modulus.bits(), |word| {
        // Negative if the word is p or more; words are below 2^50.
        let word = word as i64;
        beyond |= p - 1 - word;
        (word - (p & ((half - word) >> 63))) as f64
    })?;
    if beyond >= 0 {
        return Ok(());
    }
    let mut words = vec![0; out.len()];
    unpack_words(&mut words, bytes, modulus.bits())?;
    let position = words.iter().position(|&word| word >= modulus.value()).expect("one of them is too large");
    Err(RingError::PackedWord { position, found: words[position], modulus: modulus.value() })
}

/// Appends words modulo 2^`bits` to `out`.
///
/// # Panics
/// Unless `bits` is in 1..=64.
pub fn pack_words(out: &mut Vec<u8>, words: &[u64], bits: u32) {
    pack(out, words, bits, |word| word);
}

/// Overwrites `out` by the words below 2^`bits` packed in `bytes`.
///
/// # Errors
/// [`RingError::PackedLength`] unless there are [`packed_word_bytes`] bytes, and [`RingError::PackedPadding`] if the last
/// byte does not end with zeros; `out` is then unspecified.
///
/// # Panics
/// Unless `bits` is in 1..=64.
pub fn unpack_words(out: &mut [u64], bytes: &[u8], bits: u32) -> Result<(), RingError> {
    unpack(out, bytes, bits, |word| word)
}

/// The ones of a word of `bits` bits.
fn mask(bits: u32) -> u64 {
    assert!((1..=64).contains(&bits), "words of {bits} bits; choose 1 to 64");
    u64::MAX >> (64 - bits)
}

fn pack<T: Copy>(out: &mut Vec<u8>, values: &[T], bits: u32, word: impl Fn(T) -> u64) {
    let (k, mask) = (bits as usize, mask(bits));
    out.reserve(packed_word_bytes(values.len(), bits));
    for values in values.chunks(BLOCK) {
        // One word of 64 bits more: the last value never reaches it.
        let mut packed = [0u64; BLOCK + 1];
        for (i, &value) in values.iter().enumerate() {
            let (word, at, shift) = (word(value) & mask, i * k / 64, i * k % 64);
            packed[at] |= word << shift;
            packed[at + 1] |= (word >> 1) >> (63 - shift);
        }
        let start = out.len();
        out.extend(packed[..(values.len() * k).div_ceil(64)].iter().flat_map(|word| word.to_le_bytes()));
        out.truncate(start + packed_word_bytes(values.len(), bits));
    }
}

fn unpack<T>(out: &mut [T], bytes: &[u8], bits: u32, mut value: impl FnMut(u64) -> T) -> Result<(), RingError> {
    let (k, mask) = (bits as usize, mask(bits));
    let expected = packed_word_bytes(out.len(), bits);
    if bytes.len() != expected {
        return Err(RingError::PackedLength { expected, found: bytes.len() });
    }
    let used = (out.len() % 8 * k) % 8;
    if let Some(&last) = bytes.last().filter(|&&last| used != 0 && last >> used != 0) {
        return Err(RingError::PackedPadding { found: last >> used });
    }
    for (out, bytes) in out.chunks_mut(BLOCK).zip(bytes.chunks(8 * k)) {
        let mut packed = [0u64; BLOCK + 1];
        let (words, rest) = bytes.as_chunks::<8>();
        for (packed, word) in packed.iter_mut().zip(words) {
            *packed = u64::from_le_bytes(*word);
        }
        for (i, byte) in rest.iter().enumerate() {
            packed[words.len()] |= u64::from(*byte) << (8 * i);
        }
        for (i, out) in out.iter_mut().enumerate() {
            let (at, shift) = (i * k / 64, i * k % 64);
            *out = value((packed[at] >> shift | (packed[at + 1] << 1) << (63 - shift)) & mask);
        }
    }
    Ok(())
}
