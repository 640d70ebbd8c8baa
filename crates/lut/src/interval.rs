//! Ranges of integers: what is known of the integers in a vector of ciphertexts.
use std::fmt;
use std::ops::RangeInclusive;

/// The integers from `min` to `max`, both included, min ≤ max.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least.
    pub min: i128,
    /// The largest.
    pub max: i128,
}

impl From<RangeInclusive<i128>> for Interval {
    fn from(range: RangeInclusive<i128>) -> Self {
        Self { min: *range.start(), max: *range.end() }
    }
}

impl Interval {
    /// −2^(bits − 1) to 2^(bits − 1) − 1, for 1 to 126 bits.
    pub fn signed(bits: u32) -> Self {
        let half = 1i128 << (bits - 1);
        Self { min: -half, max: half - 1 }
    }

    /// 0 to 2^bits − 1, for at most 126 bits.
    pub fn unsigned(bits: u32) -> Self {
        Self { min: 0, max: (1 << bits) - 1 }
    }

    /// The least that holds all of `values`; none for no values.
    pub fn of<T: Into<i128>>(values: impl IntoIterator<Item = T>) -> Option<Self> {
        values.into_iter().map(T::into).map(|v| Self { min: v, max: v }).reduce(Self::union)
    }

    /// The least that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether it holds all of `other`.
    pub fn holds(self, other: Self) -> bool {
        self.min <= other.min && other.max <= self.max
    }

    /// Whether it holds `value`.
    pub fn has(self, value: i128) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// x + y.
    pub fn plus(self, other: Self) -> Option<Self> {
        Some(Self { min: self.min.checked_add(other.min)?, max: self.max.checked_add(other.max)? })
    }

    /// x − y.
    pub fn minus(self, other: Self) -> Option<Self> {
        Some(Self { min: self.min.checked_sub(other.max)?, max: self.max.checked_sub(other.min)? })
    }

    /// factor · x.
    pub fn times(self, factor: i128) -> Option<Self> {
        let [a, b] = [self.min.checked_mul(factor)?, self.max.checked_mul(factor)?];
        Some(Self { min: a.min(b), max: a.max(b) })
    }

    /// ⌊x/2^bits⌋.
    #[must_use]
    pub fn above(self, bits: u32) -> Self {
        Self { min: self.min >> bits, max: self.max >> bits }
    }

    /// Whether an integer of it is known by its residue modulo 2^`bits`: there are at most so many, and less than
    /// 2^bits away from 0.
    pub fn is_in_residues(self, bits: u32) -> bool {
        let modulus = 1i128.checked_shl(bits).filter(|modulus| *modulus > 0).unwrap_or(i128::MAX);
        let count = self.max.checked_sub(self.min);
        -modulus < self.min && self.max < modulus && count.is_some_and(|count| count < modulus)
    }

    /// The least bits w such that Z_{2^(w + 1)} has the sign of these integers in its top bit: −2^w ≤ x < 2^w.
    pub fn width(self) -> u32 {
        let bits = |v: i128| i128::BITS - (if v < 0 { !v } else { v }).leading_zeros();
        bits(self.min).max(bits(self.max))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_residues() {
        for (min, max, width) in
            [(0, 0, 0), (-1, 0, 0), (0, 1, 1), (-2, 1, 1), (-3, 0, 2), (-128, 128, 8), (-256, 255, 8)]
        {
            assert_eq!(Interval { min, max }.width(), width, "{min} to {max}");
        }
        assert_eq!((Interval::signed(8).width(), Interval::unsigned(8).width()), (7, 8));
        for (min, max, bits, known) in
            [(0, 255, 8, true), (0, 256, 8, false), (-255, 0, 8, true), (-1, 255, 8, false), (300, 301, 8, false)]
        {
            assert_eq!(Interval { min, max }.is_in_residues(bits), known, "{min} to {max}");
        }
    }

    #[test]
    fn arithmetic() {
        let (x, y) = (Interval { min: -3, max: 5 }, Interval { min: 1, max: 2 });
        assert_eq!(x.plus(y), Some(Interval { min: -2, max: 7 }));
        assert_eq!(x.minus(y), Some(Interval { min: -5, max: 4 }));
        assert_eq!(x.times(-2), Some(Interval { min: -10, max: 6 }));
        assert_eq!(x.times(i128::MAX), None);
        assert_eq!(Interval::of([4, -7, 0]), Some(Interval { min: -7, max: 4 }));
    }
}
