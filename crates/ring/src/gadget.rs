//! The gadget g = (q/B, q/B², …, q/B^d) and the signed digits of a torus word.

use crate::error::RingError;

/// An approximate signed gadget of base B = 2^`log2_base` with `levels` digits, over the torus Z_{2^64}.
///
/// The digits x_1, …, x_d of a word x lie in [−B/2, B/2 − 1] and
/// |x − Σ_l x_l·2^64/B^l| ≤ 2^64/(2B^d) modulo 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gadget {
    log2_base: u32,
    levels: u32,
}

impl Gadget {
    /// The largest supported log2 of the base.
    pub const MAX_LOG2_BASE: u32 = 32;

    /// A gadget of base 2^`log2_base` with `levels` levels.
    ///
    /// # Errors
    /// [`RingError::Gadget`] unless 1 ≤ `log2_base` ≤ 32, `levels` ≥ 1 and `log2_base`·`levels` ≤ 64.
    pub fn try_new(log2_base: u32, levels: u32) -> Result<Self, RingError> {
        let fits = (1..=Self::MAX_LOG2_BASE).contains(&log2_base) && levels >= 1 && levels <= 64 / log2_base;
        if fits {
            Ok(Self { log2_base, levels })
        } else {
            Err(RingError::Gadget { log2_base, levels, max_log2_base: Self::MAX_LOG2_BASE })
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

    /// log2 of the gadget's entry 2^64/B^`level` (1 ≤ `level` ≤ d), the weight of that digit.
    #[must_use]
    pub const fn shift(self, level: u32) -> u32 {
        debug_assert!(1 <= level && level <= self.levels, "gadget level out of range");
        64 - level * self.log2_base
    }

    /// What is added to a word so that its digits can be cut out of it: 2^64/(2B^d) + Σ_l (B/2)·2^64/B^l modulo 2^64.
    #[must_use]
    pub const fn offset(self) -> u64 {
        let last = 64 - self.levels * self.log2_base;
        let mut offset = if last == 0 { 0 } else { 1 << (last - 1) };
        let mut level = 1;
        while level <= self.levels {
            offset = u64::wrapping_add(offset, 1 << (63 - (level - 1) * self.log2_base));
            level += 1;
        }
        offset
    }

    /// The digit of `x` of weight 2^64/B^`level`, in [−B/2, B/2 − 1]; branch-free.
    #[inline]
    #[must_use]
    pub const fn digit(self, x: u64, level: u32) -> i64 {
        let base = 1u64 << self.log2_base;
        let digit = (x.wrapping_add(self.offset()) >> self.shift(level)) & (base - 1);
        digit as i64 - (base / 2) as i64
    }

    /// The digit of a word of the torus Z_{2^32} of weight 2^32/B^`level`; needs `log2_base`·`levels` ≤ 32 to be exact.
    #[inline]
    #[must_use]
    pub const fn digit_u32(self, x: u32, level: u32) -> i32 {
        self.digit((x as u64) << 32, level) as i32
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
                    error = error.wrapping_sub((digit as u64) << gadget.shift(level));
                }
                assert!((error as i64).unsigned_abs() <= bound, "{gadget:?} {x:x} {error:x}");
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
