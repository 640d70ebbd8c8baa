//! The gadget g = (q/B, q/B², …, q/B^d), q = 2^k, and the signed digits of a torus word of k bits.

use crate::error::RingError;
use crate::simd::{GadgetDigit, TWO_52};
use crate::torus::Torus;

/// An approximate signed gadget of base B = 2^`log2_base` with `levels` digits, for words of 64 or of 128 bits.
///
/// The digits x_1, …, x_d of a word x of k bits lie in [−B/2, B/2 − 1] and
/// |x − Σ_l x_l·2^k/B^l| ≤ 2^k/(2B^d) modulo 2^k.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gadget {
    log2_base: u32,
    levels: u32,
}

/// Which digits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Digits {
    /// [`Gadget::digit`].
    Plain,
    /// [`Gadget::odd_digit`].
    Odd,
    /// The odd digits of twice the word.
    OddOfHalf,
}

impl Gadget {
    /// The largest supported log2 of the base.
    pub const MAX_LOG2_BASE: u32 = 32;

    /// A gadget of base 2^`log2_base` with `levels` levels, for words of 64 bits and more.
    ///
    /// # Errors
    /// [`RingError::Gadget`] unless 1 ≤ `log2_base` ≤ 32, `levels` ≥ 1 and `log2_base`·`levels` ≤ 64.
    pub fn try_new(log2_base: u32, levels: u32) -> Result<Self, RingError> {
        Self::try_for::<u64>(log2_base, levels)
    }

    /// A gadget of base 2^`log2_base` with `levels` levels, for words `W` (and wider ones).
    ///
    /// # Errors
    /// [`RingError::Gadget`] unless 1 ≤ `log2_base` ≤ 32, `levels` ≥ 1 and `log2_base`·`levels` is at most the bits of `W`.
    pub fn try_for<W: Torus>(log2_base: u32, levels: u32) -> Result<Self, RingError> {
        let fits = (1..=Self::MAX_LOG2_BASE).contains(&log2_base) && levels >= 1 && levels <= W::BITS / log2_base;
        if fits {
            Ok(Self { log2_base, levels })
        } else {
            Err(RingError::Gadget { log2_base, levels, max_log2_base: Self::MAX_LOG2_BASE, bits: W::BITS })
        }
    }

    /// log2 of the base B.
    #[must_use]
    pub const fn log2_base(self) -> u32 {
        self.log2_base
    }

    /// The number of digits d.
    #[must_use]
    pub const fn levels(self) -> u32 {
        self.levels
    }

    /// log2 of the gadget's entry 2^k/B^`level` (1 ≤ `level` ≤ d), the weight of that digit in words of k bits.
    #[inline]
    #[must_use]
    pub fn shift<W: Torus>(self, level: u32) -> u32 {
        debug_assert!(1 <= level && level <= self.levels, "gadget level out of range");
        W::BITS - level * self.log2_base
    }

    /// What is added to a word so that its digits can be cut out of it: 2^k/(2B^d) + Σ_l (B/2)·2^k/B^l modulo 2^k.
    #[inline]
    #[must_use]
    pub fn offset<W: Torus>(self) -> W {
        let one = W::from_integer(1);
        let last = W::BITS - self.levels * self.log2_base;
        let half = if last == 0 { W::default() } else { one.shl(last - 1) };
        (0..self.levels).fold(half, |sum, level| sum.wrapping_add(one.shl(W::BITS - 1 - level * self.log2_base)))
    }

    /// The digit of `x` of weight 2^k/B^`level`, in [−B/2, B/2 − 1]; branch-free.
    #[inline]
    #[must_use]
    pub fn digit<W: Torus>(self, x: W, level: u32) -> i64 {
        let base = 1u64 << self.log2_base;
        let digit = x.wrapping_add(self.offset()).shr(self.shift::<W>(level)).low() & (base - 1);
        digit as i64 - (base / 2) as i64
    }

    /// Twice the digit of weight 2^k/B^`level` in x ≈ Σ_l (o_l/2)·2^k/B^l with o_l odd in [−B + 1, B − 1]: digits
    /// without a mean.
    ///
    /// o_l = 2u_l − (B − 1) with the plain digits u_l of x + 2^(k−1). Halves of integers times torus words have no
    /// sense modulo 1. But blind rotation multiplies by X^e − 1 besides, and (X^e − 1)·½·ΣX^i is whole.
    #[inline]
    #[must_use]
    pub fn odd_digit<W: Torus>(self, x: W, level: u32) -> i64 {
        let base = 1u64 << self.log2_base;
        let digit = x.wrapping_add(W::from_integer(1).shl(W::BITS - 1)).shr(self.shift::<W>(level)).low() & (base - 1);
        2 * digit as i64 - (base - 1) as i64
    }

    /// How kernels cut the digit of weight 2^k/B^`level` out of a word.
    pub(crate) fn cut<W: Torus>(self, digits: Digits, level: u32) -> GadgetDigit<W> {
        assert!((1..=self.levels).contains(&level), "gadget level {level} is not in 1..={}", self.levels);
        let (mask, shift) = ((1u64 << self.log2_base) - 1, self.shift::<W>(level));
        let (offset, shift, mask, minus) = match digits {
            Digits::Plain => (self.offset(), shift, mask, mask / 2 + 1),
            // Twice the digits of x + ½, less B − 1, with a bit below the last digit, or two.
            Digits::Odd => (W::from_integer(1).shl(W::BITS - 1), shift - 1, mask << 1, mask),
            Digits::OddOfHalf => (W::from_integer(1).shl(W::BITS - 2), shift - 2, mask << 1, mask),
        };
        GadgetDigit { offset, shift, mask, bias: TWO_52 + minus as f64 }
    }

    /// The digit of a word of the torus Z_{2^32} of weight 2^32/B^`level`; needs `log2_base`·`levels` ≤ 32 to be exact.
    #[inline]
    #[must_use]
    pub fn digit_u32(self, x: u32, level: u32) -> i32 {
        self.digit(u64::from(x) << 32, level) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_recompose_up_to_half_a_unit_of_the_last() {
        for (log2_base, levels) in [(1, 1), (1, 64), (2, 5), (7, 3), (8, 8), (15, 2), (23, 1), (32, 2), (10, 6)] {
            let gadget = Gadget::try_new(log2_base, levels).unwrap();
            let bound = if log2_base * levels == 64 { 0 } else { 1u64 << (63 - levels * log2_base) };
            let mut x = 0x9E37_79B9_7F4A_7C15_u64;
            for i in 0..2000u64 {
                x = match i {
                    0..=63 => 1 << i,
                    64..=127 => u64::MAX << (i - 64),
                    128..=191 => (u64::MAX >> (i - 128)).wrapping_add(i & 1),
                    _ => x.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x2545_F491_4F6C_DD1D),
                };
                let mut error = x;
                for level in 1..=levels {
                    let digit = gadget.digit(x, level);
                    assert!((-(1i64 << (log2_base - 1))..1i64 << (log2_base - 1)).contains(&digit));
                    error = error.wrapping_sub((digit as u64) << gadget.shift::<u64>(level));
                }
                assert!((error as i64).unsigned_abs() <= bound, "{gadget:?} {x:x} {error:x}");
            }
        }
    }

    #[test]
    fn odd_digits_recompose_up_to_half_a_unit_of_the_last() {
        for (log2_base, levels) in [(1, 1), (1, 63), (2, 5), (7, 3), (15, 2), (23, 1), (31, 2)] {
            let gadget = Gadget::try_new(log2_base, levels).unwrap();
            let mut x = 0x9E37_79B9_7F4A_7C15_u64;
            for i in 0..2000u32 {
                x = if i < 64 { 1 << i } else { x.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x2545_F491) };
                let mut error = x;
                for level in 1..=levels {
                    let digit = gadget.odd_digit(x, level);
                    assert!(digit % 2 != 0 && digit.unsigned_abs() < 1 << log2_base);
                    error = error.wrapping_sub((digit as u64) << (gadget.shift::<u64>(level) - 1));
                }
                assert!((error as i64).unsigned_abs() <= 1 << (63 - levels * log2_base), "{gadget:?} {x:x} {error:x}");
            }
        }
    }

    #[test]
    fn wide_words_have_the_digits_of_their_top_and_more() {
        for (log2_base, levels) in [(19, 3), (16, 4), (26, 3), (20, 6), (32, 4), (1, 128), (7, 17)] {
            let gadget = Gadget::try_for::<u128>(log2_base, levels).unwrap();
            let bound = if log2_base * levels == 128 { 0 } else { 1u128 << (127 - levels * log2_base) };
            let mut x = 0x9E37_79B9_7F4A_7C15_u128;
            for i in 0..2000u32 {
                x = match i {
                    0..128 => 1 << i,
                    128..256 => u128::MAX << (i - 128),
                    256..384 => u128::MAX >> (i - 256),
                    _ => x.wrapping_mul(0xD134_2543_DE82_EF95_D134_2543_DE82_EF95).wrapping_add(0x2545_F491),
                };
                let mut error = x;
                for level in 1..=levels {
                    let digit = gadget.digit(x, level);
                    assert!((-(1i64 << (log2_base - 1))..1i64 << (log2_base - 1)).contains(&digit));
                    error = error.wrapping_sub((digit as u128) << gadget.shift::<u128>(level));
                }
                assert!((error as i128).unsigned_abs() <= bound, "{gadget:?} {x:x} {error:x}");
                if log2_base * levels < 64 {
                    let top = (x.wrapping_sub(x & u128::from(u64::MAX)) >> 64) as u64;
                    assert_eq!(gadget.digit(x, 1), gadget.digit(top, 1));
                }
            }
        }
    }

    #[test]
    fn narrow_words_have_the_digits_of_wide_ones() {
        let gadget = Gadget::try_new(4, 5).unwrap();
        for i in 0..1000u32 {
            let x = i.wrapping_mul(0x9E37_79B9);
            let sum = (1..=5).fold(0u32, |sum, l| sum.wrapping_add((gadget.digit_u32(x, l) as u32) << (32 - 4 * l)));
            assert!((x.wrapping_sub(sum) as i32).unsigned_abs() <= 1 << 11);
        }
    }

    #[test]
    fn impossible_gadgets_are_refused() {
        for (log2_base, levels) in [(0, 1), (33, 1), (8, 0), (8, 9), (u32::MAX, u32::MAX)] {
            assert!(Gadget::try_new(log2_base, levels).is_err());
        }
    }
}
