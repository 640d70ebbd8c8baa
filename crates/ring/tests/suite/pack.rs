//! Packed residues and words: round trips, the layout, corruption.

use std::time::Instant;

use bootes_ring::error::RingError;
use bootes_ring::modulus::Modulus;
use bootes_ring::pack::{pack_residues, pack_words, packed_bytes, packed_word_bytes, unpack_residues, unpack_words};
use bootes_ring::primes;
use bootes_ring::sample::{MaskSeed, MaskStream};
use bootes_testkit::seed_bytes;

fn stream(index: u64) -> MaskStream {
    MaskStream::new(&MaskSeed::from_bytes(seed_bytes("pack", index)), index)
}

fn moduli() -> Vec<Modulus> {
    let mut moduli: Vec<_> = [3, 5, 97, 257, 65537, (1 << 50) - 27].map(|p| Modulus::new(p).unwrap()).to_vec();
    for log2 in [20, 31, 32, 33, 40, 49, 50] {
        moduli.extend(primes::below(1 << log2, 1 << 8).take(1));
    }
    moduli
}

fn packed(residues: &[f64], p: Modulus) -> Vec<u8> {
    let mut bytes = vec![];
    pack_residues(&mut bytes, residues, p);
    bytes
}

#[test]
fn residues_return() {
    for p in moduli() {
        for len in [0, 1, 2, 7, 8, 9, 63, 64, 65, 128, 1000] {
            let mut residues = vec![0.0; len];
            stream(p.value()).fill_residues(&mut residues, p);
            let half = (p.value() / 2) as f64;
            for (residue, extreme) in residues.iter_mut().zip([half, -half, 0.0, -1.0]) {
                *residue = extreme;
            }
            // Vectors follow each other.
            let mut bytes = vec![7];
            pack_residues(&mut bytes, &residues, p);
            assert_eq!(bytes.len(), 1 + packed_bytes(len, p));
            assert_eq!(packed_bytes(len, p), (len * p.bits() as usize).div_ceil(8));
            let mut found = vec![f64::NAN; len];
            unpack_residues(&mut found, &bytes[1..], p).unwrap();
            assert_eq!(found, residues, "{len} residues modulo {p}");
        }
    }
}

/// Bit by bit, for every number of bits.
#[test]
fn words_have_the_stated_layout() {
    for bits in 1..=64 {
        for len in [1, 8, 63, 64, 65, 200] {
            let mut words = vec![0; len];
            stream(bits).fill_u64(&mut words);
            words.iter_mut().for_each(|word| *word >>= 64 - bits);
            let mut bytes = vec![];
            pack_words(&mut bytes, &words, bits as u32);
            assert_eq!(bytes.len(), packed_word_bytes(len, bits as u32));
            let bit = |j: usize| bytes[j / 8] >> (j % 8) & 1;
            for (i, word) in words.iter().enumerate() {
                let read =
                    (0..bits as usize).rev().fold(0u64, |read, j| read << 1 | u64::from(bit(i * bits as usize + j)));
                assert_eq!(read, *word, "word {i} of {bits} bits");
            }
            assert!((len * bits as usize..8 * bytes.len()).all(|j| bit(j) == 0));
            let mut found = vec![0; len];
            unpack_words(&mut found, &bytes, bits as u32).unwrap();
            assert_eq!(found, words);
        }
    }
    assert_eq!(packed_word_bytes(usize::MAX, 64), usize::MAX);
}

#[test]
fn corrupt_bytes_are_refused() {
    let p = Modulus::new(97).unwrap();
    let bytes = packed(&[1.0, -1.0, 48.0, -48.0, 0.0], p);
    let mut out = [0.0; 5];
    for len in [0, 4, 6] {
        let mut other = bytes.clone();
        other.resize(len, 0);
        assert_eq!(unpack_residues(&mut out, &other, p), Err(RingError::PackedLength { expected: 5, found: len }));
    }
    for bit in 35..40 {
        let mut other = bytes.clone();
        other[4] |= 1 << (bit - 32);
        assert_eq!(unpack_residues(&mut out, &other, p), Err(RingError::PackedPadding { found: 1 << (bit - 35) }));
    }
    for p in moduli() {
        for (position, found) in [(0, p.value()), (100, (1 << p.bits()) - 1), (299, p.value())] {
            let mut words = vec![p.value() - 1; 300];
            words[position] = found;
            let mut bytes = vec![];
            pack_words(&mut bytes, &words, p.bits());
            let refused = unpack_residues(&mut vec![0.0; 300], &bytes, p);
            assert_eq!(refused, Err(RingError::PackedWord { position, found, modulus: p.value() }));
        }
    }
}

/// Run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn throughput() {
    for p in primes::below(1 << 50, 1 << 16).take(1).chain(primes::below(1 << 30, 1 << 16).take(1)) {
        let mut residues = vec![0.0; 1 << 16];
        stream(0).fill_residues(&mut residues, p);
        let (mut write, mut read) = (f64::INFINITY, f64::INFINITY);
        let mut bytes = vec![];
        for _ in 0..50 {
            bytes.clear();
            let start = Instant::now();
            pack_residues(&mut bytes, &residues, p);
            write = write.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            unpack_residues(&mut residues, &bytes, p).unwrap();
            read = read.min(start.elapsed().as_secs_f64());
        }
        let rate = |seconds: f64| bytes.len() as f64 / seconds / 1e9;
        println!("{} bits: packed at {:.2}, unpacked at {:.2} GB/s of packed bytes", p.bits(), rate(write), rate(read));
    }
}
