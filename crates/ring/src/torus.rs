//! Words of the torus R/Z: x stands for x/2^k, k = 64 in `u64` and k = 128 in `u128`; sums and products wrap.
//!
//! A ciphertext modulus 2^q with q < k is the same torus, only with noise of 2^-q: nothing is cut off.

use std::fmt::Debug;

use crate::mem::Pod;
use crate::sample::{MaskStream, NoiseStream};

/// A word of the torus: `u64` or `u128`.
pub trait Torus: sealed::Sealed + Pod + Eq + Debug + Into<u128> {
    /// k: the word x stands for x/2^k modulo 1.
    const BITS: u32;

    /// The integer `x` modulo 2^k.
    fn from_integer(x: i64) -> Self;
    /// The fraction `x`/2^64.
    fn from_top(x: u64) -> Self;
    /// The nearest multiple of 2^-64, as that integer.
    fn top(self) -> u64;
    /// The representative in [−½, ½), rounded to an `f64`.
    fn fraction(self) -> f64;
    /// self + `other`.
    fn wrapping_add(self, other: Self) -> Self;
    /// self − `other`.
    fn wrapping_sub(self, other: Self) -> Self;
    /// `factor`·self.
    fn times(self, factor: i64) -> Self;
    /// 2^`log2`·self, `log2` < k.
    fn shl(self, log2: u32) -> Self;
    /// ⌊x/2^`log2`⌋, `log2` < k, of the word 0 ≤ x < 2^k.
    fn shr(self, log2: u32) -> Self;
    /// x modulo 2^64, of the word 0 ≤ x < 2^k.
    fn low(self) -> u64;
    /// Half of the representative in [−½, ½), rounded to even: without bias.
    fn halved(self) -> Self;
    /// The words with their width.
    fn words(words: &[Self]) -> Words<'_>;
    /// The words with their width.
    fn words_mut(words: &mut [Self]) -> WordsMut<'_>;
    /// Overwrites `words` by the next uniform words of `stream`.
    fn fill_mask(words: &mut [Self], stream: &mut MaskStream);
    /// Adds rounded Gaussians of standard deviation `std` (of the torus): [`NoiseStream::add_gaussian_u64`].
    fn add_gaussian(words: &mut [Self], stream: &mut NoiseStream, std: f64);

    /// −self.
    fn wrapping_neg(self) -> Self {
        Self::default().wrapping_sub(self)
    }
}

/// Words of 64 or of 128 bits.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// Of 64 bits.
    Single(&'a [u64]),
    /// Of 128 bits.
    Double(&'a [u128]),
}

/// Words of 64 or of 128 bits, to be changed.
#[derive(Debug)]
pub enum WordsMut<'a> {
    /// Of 64 bits.
    Single(&'a mut [u64]),
    /// Of 128 bits.
    Double(&'a mut [u128]),
}

macro_rules! torus {
    ($word:ty, $signed:ty, $width:ident, $fill:ident, $add:ident, $two_k:expr) => {
        impl Torus for $word {
            const BITS: u32 = <$word>::BITS;

            #[inline(always)]
            fn from_integer(x: i64) -> Self {
                x as $word
            }
            #[inline(always)]
            fn from_top(x: u64) -> Self {
                (x as $word) << (Self::BITS - 64)
            }
            #[inline(always)]
            fn top(self) -> u64 {
                const BELOW: u32 = <$word>::BITS - 64;
                let half = if BELOW == 0 { 0 } else { 1 << (BELOW.max(1) - 1) };
                (<$word>::wrapping_add(self, half) >> BELOW) as u64
            }
            #[inline(always)]
            fn fraction(self) -> f64 {
                self as $signed as f64 / $two_k
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                <$word>::wrapping_add(self, other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                <$word>::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn times(self, factor: i64) -> Self {
                <$word>::wrapping_mul(self, factor as $word)
            }
            #[inline(always)]
            fn shl(self, log2: u32) -> Self {
                self << log2
            }
            #[inline(always)]
            fn shr(self, log2: u32) -> Self {
                self >> log2
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn halved(self) -> Self {
                let floor = (self as $signed) >> 1;
                floor.wrapping_add(floor & (self as $signed) & 1) as $word
            }
            #[inline(always)]
            fn words(words: &[Self]) -> Words<'_> {
                Words::$width(words)
            }
            #[inline(always)]
            fn words_mut(words: &mut [Self]) -> WordsMut<'_> {
                WordsMut::$width(words)
            }
            fn fill_mask(words: &mut [Self], stream: &mut MaskStream) {
                stream.$fill(words);
            }
            fn add_gaussian(words: &mut [Self], stream: &mut NoiseStream, std: f64) {
                stream.$add(words, std);
            }
        }
    };
}

torus!(u64, i64, Single, fill_u64, add_gaussian_u64, 18_446_744_073_709_551_616.0);
torus!(u128, i128, Double, fill_u128, add_gaussian_u128, 340_282_366_920_938_463_463_374_607_431_768_211_456.0);

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laws<W: Torus>(words: &[W]) {
        for &x in words {
            assert_eq!(x.wrapping_add(x.wrapping_neg()), W::default());
            assert_eq!(x.times(-3), x.wrapping_add(x).wrapping_add(x).wrapping_neg());
            assert_eq!(x.shl(2), x.times(4));
            assert_eq!(W::from_top(x.top()).top(), x.top());
            let error = x.wrapping_sub(W::from_top(x.top())).fraction();
            assert!(error.abs() <= 2f64.powi(-65), "{x:?}");
            assert!((-0.5..=0.5).contains(&x.fraction()));
        }
        assert_eq!(W::from_integer(-1).wrapping_add(W::from_integer(1)), W::default());
        assert_eq!(W::from_top(1 << 63).fraction(), -0.5);
        assert_eq!(W::from_top(1 << 62).shr(W::BITS - 2).low(), 1);
    }

    #[test]
    fn words_of_both_widths_obey_the_same_laws() {
        let words: Vec<u128> = (0..128).flat_map(|i| [1u128 << i, u128::MAX >> i, u128::MAX << i]).collect();
        laws(&words);
        laws(&words.iter().map(|&x| x as u64).collect::<Vec<_>>());
    }
}
