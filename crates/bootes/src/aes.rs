//! AES-128 (FIPS 197) in counter mode (SP 800-38A) on plain bytes, in time that does not depend on them.
//!
//! A block is a number of 16 bytes side by side, the first one lowest; all bytes are worked on at once, and nothing is
//! looked up. A server takes seconds a block, and this takes microseconds.
use crate::Error;
use bootes_lut::planning;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a key, and of a block.
pub(crate) const BLOCK: usize = 16;

/// Rounds.
pub(crate) const ROUNDS: usize = 10;

/// A one in each byte.
const ONES: u128 = u128::MAX / 0xff;

/// 2·x, byte by byte.
fn double(x: u128) -> u128 {
    ((x & (ONES * 0x7f)) << 1) ^ ((x >> 7 & ONES) * 0x1b)
}

/// x·y modulo x^8 + x^4 + x^3 + x + 1, byte by byte.
fn product(mut x: u128, y: u128) -> u128 {
    let mut sum = 0;
    for bit in 0..8 {
        sum ^= x & ((y >> bit & ONES) * 0xff);
        x = double(x);
    }
    sum
}

/// S-boxes of all bytes: the inverse, x^254, times a matrix, plus a constant.
fn s_boxes(x: u128) -> u128 {
    let square = |x| product(x, x);
    let x2 = square(x);
    let x3 = product(x2, x);
    let x12 = square(square(x3));
    let x15 = product(x12, x3);
    let x240 = square(square(square(square(x15))));
    let inverse = product(x240, product(x12, x2));
    let turned = |turns: u32| {
        let high = ONES * (0xff << turns & 0xff);
        inverse << turns & high | inverse >> (8 - turns) & !high
    };
    (1..5).fold(inverse ^ (ONES * 0x63), |sum, turns| sum ^ turned(turns))
}

/// x·y of two bytes.
pub(crate) fn byte_product(x: u8, y: u8) -> u8 {
    product(x.into(), y.into()) as u8
}

/// The S-box of a byte.
pub(crate) fn s_box(x: u8) -> u8 {
    s_boxes(x.into()) as u8
}

/// The constants of the rounds' keys, 2^i.
pub(crate) fn round_constants() -> impl Iterator<Item = u8> {
    std::iter::successors(Some(1), |&constant| Some(byte_product(constant, 2)))
}

/// Row r of all columns r columns to the left: byte i is that of row i mod 4 and column i/4.
fn shift_rows(block: u128) -> u128 {
    let bytes = block.to_le_bytes();
    u128::from_le_bytes(std::array::from_fn(|i| bytes[(i + 4 * (i % 4)) % 16]))
}

fn mix_columns(x: u128) -> u128 {
    // The bytes of each column by so many rows.
    let turned = |rows: u32| {
        let low = u128::MAX / 0xffff_ffff * (0xffff_ffff >> (8 * rows));
        x >> (8 * rows) & low | x << (32 - 8 * rows) & !low
    };
    double(x) ^ double(turned(1)) ^ turned(1) ^ turned(2) ^ turned(3)
}

/// The keys of all rounds, which moves leave no copies of.
pub(crate) struct Cipher(Box<Zeroizing<[u128; ROUNDS + 1]>>);

impl Cipher {
    pub(crate) fn new(key: &[u8; BLOCK]) -> Self {
        let mut keys = Box::new(Zeroizing::new([0; ROUNDS + 1]));
        keys[0] = u128::from_le_bytes(*key);
        for (round, constant) in (0..ROUNDS).zip(round_constants()) {
            // The last column, turned, in the first; and each column added to those behind it.
            let last = s_boxes(keys[round] >> 96).rotate_right(8);
            let first = last & 0xff_ffff | last >> 96 & 0xff00_0000;
            let sum = keys[round] ^ first ^ u128::from(constant);
            keys[round + 1] = sum ^ sum << 32 ^ sum << 64 ^ sum << 96;
        }
        Self(keys)
    }

    /// A block under these keys.
    fn encrypt(&self, block: [u8; BLOCK]) -> [u8; BLOCK] {
        let mut state = u128::from_le_bytes(block) ^ self.0[0];
        for key in &self.0[1..ROUNDS] {
            state = mix_columns(shift_rows(s_boxes(state))) ^ key;
        }
        (shift_rows(s_boxes(state)) ^ self.0[ROUNDS]).to_le_bytes()
    }

    /// Adds the key stream of this counter and those after it.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled): some of the data is what it was.
    pub(crate) fn apply(&self, first: [u8; BLOCK], data: &mut [u8]) -> Result<(), Error> {
        for (counter, block) in counters(first, 0).zip(data.chunks_mut(BLOCK)) {
            planning::wanted()?;
            let mut stream = self.encrypt(counter);
            block.iter_mut().zip(&stream).for_each(|(byte, stream)| *byte ^= stream);
            stream.zeroize();
        }
        Ok(())
    }
}

/// Counters from number `start` on, big-endian numbers from `first` on.
pub(crate) fn counters(first: [u8; BLOCK], start: usize) -> impl Iterator<Item = [u8; BLOCK]> {
    (start..).map(move |i| u128::from_be_bytes(first).wrapping_add(i as u128).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancel, ErrorKind};
    use bootes_lut::planning::Waiting;
    use std::sync::Arc;

    fn block(digits: u128) -> [u8; 16] {
        digits.to_be_bytes()
    }

    /// FIPS 197, appendices A.1, B and C.1.
    #[test]
    fn blocks_are_those_of_the_standard() {
        let cipher = Cipher::new(&block(0x2b7e151628aed2a6abf7158809cf4f3c));
        assert_eq!(cipher.0[10].to_le_bytes(), block(0xd014f9a8c9ee2589e13f0cc8b6630ca6));
        let found = cipher.encrypt(block(0x3243f6a8885a308d313198a2e0370734));
        assert_eq!(found, block(0x3925841d02dc09fbdc118597196a0b32));
        let cipher = Cipher::new(&block(0x000102030405060708090a0b0c0d0e0f));
        let found = cipher.encrypt(block(0x00112233445566778899aabbccddeeff));
        assert_eq!(found, block(0x69c4e0d86a7b0430d8cdb78070b4c55a));
    }

    /// SP 800-38A, F.5.1, of whole blocks and the start of one.
    #[test]
    fn counter_mode_is_that_of_the_standard() {
        let cipher = Cipher::new(&block(0x2b7e151628aed2a6abf7158809cf4f3c));
        let mut data = [block(0x6bc1bee22e409f96e93d7e117393172a), block(0xae2d8a571e03ac9c9eb76fac45af8e51)].concat();
        data.truncate(29);
        cipher.apply(block(0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff), &mut data).unwrap();
        let sent = [block(0x874d6191b620e3261bef6864990db6ce), block(0x9806f66b7970fdff8617187bb9fffdff)].concat();
        assert_eq!(data, sent[..29]);
    }

    #[test]
    fn streams_end_where_nobody_wants_them() {
        let cancel = Cancel::new();
        cancel.cancel();
        let waiting = Waiting::new(&cancel, Arc::new(|_| ()));
        let applied = waiting.while_planning(|| Cipher::new(&[0; 16]).apply([0; 16], &mut [0; 16]));
        assert!(applied.is_err_and(|error| error.kind() == ErrorKind::Cancelled));
    }

    /// Every byte, by another way: the inverse as whatever gives 1.
    #[test]
    fn s_boxes_are_inverses() {
        for x in 0..=255 {
            let inverse = (1..=255).find(|&y| byte_product(x, y) == 1).unwrap_or(0);
            let expected = (0..5).fold(0x63, |sum, turns| sum ^ inverse.rotate_left(turns));
            assert_eq!(s_box(x), expected, "{x}");
        }
    }
}
