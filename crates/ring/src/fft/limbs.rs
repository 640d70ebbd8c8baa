//! Limbs: products with words of many bits as products with numbers that an `f64` holds.
//!
//! A word of k = 128 bits is cut into signed integers, x = Σ_i x_i·2^{low_i}, the uppermost first, and each is transformed and
//! multiplied by itself. The sums a·x_i of the upper limbs are integers, found exactly by rounding as long as the transforms err by
//! less than ½; only the last limb, smaller by all the bits above it, contributes an error. See `docs/fft-error.md`.

use crate::torus::Torus;

/// The bits low ≤ i < high of a word as a signed integer of at most 2^(high − low)/2, and how its products are rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limb {
    /// The lowest bit.
    pub low: u32,
    /// The bit above the highest; high − low ≤ 64.
    pub high: u32,
    /// Products are rounded to multiples of 2^unit of the word.
    pub unit: u32,
    /// What makes all limbs of a word signed: added to the word, from which bits are then cut.
    offset: u128,
}

impl Limb {
    /// The limb of `word`.
    #[inline(always)]
    #[must_use]
    pub fn value(&self, word: u128) -> i64 {
        let width = self.high - self.low;
        let cut = (word.wrapping_add(self.offset) >> self.low) as u64 & (u64::MAX >> (64 - width));
        cut.wrapping_sub(1 << (width - 1)) as i64
    }

    /// The same of a word of the torus, as a representative in [−½, ½).
    #[inline]
    #[must_use]
    pub fn cut<W: Torus>(&self, word: W) -> W {
        W::from_integer(self.value(word.into())).shl(self.low)
    }

    /// The same limb, for halves of products.
    #[must_use]
    pub fn of_halves(self) -> Self {
        Self { unit: self.unit.saturating_sub(1), ..self }
    }
}

/// The limbs of a word, the uppermost first: as few as a product needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordLimbs {
    limbs: [Limb; Self::MAX],
    count: usize,
    error_std: f64,
    upper_error_std: f64,
}

impl WordLimbs {
    /// At most so many.
    pub const MAX: usize = 5;

    /// Standard deviation below which the products of the upper limbs must err, in units of their last place: a rounding is
    /// wrong with probability 2^-187, and then by one unit, which products with constants may make a wrong result.
    const EXACT: f64 = 1.0 / 32.0;

    /// The limbs of words `W` for sums of products that err by `error` with whole words ([`super::block_error_std`]), so that they
    /// err by at most `target`, as far as `most` limbs (or [`Self::MAX`]) go.
    ///
    /// Upper limbs are as wide as exactness allows: 2^w·error < 1/32. With L limbs the error is 2^{−(L − 1)w}·`error`.
    /// Words of 64 bits have one limb.
    ///
    /// # Panics
    /// If `error` is above 1/64: no limb of one bit would be exact.
    #[must_use]
    pub fn new<W: Torus>(error: f64, target: f64, most: usize) -> Self {
        if W::BITS == 64 {
            let mut limbs = [Limb::default(); Self::MAX];
            limbs[0] = Limb { low: 0, high: 64, unit: 0, offset: 1 << 63 };
            return Self { limbs, count: 1, error_std: error, upper_error_std: 0.0 };
        }
        assert!(
            error > 0.0 && error < Self::EXACT / 2.0,
            "transforms that err by {error} of the torus have no exact limb"
        );
        let width = ((Self::EXACT / error).log2().floor() as u32).min(48);
        let (mut count, mut left) = (1, W::BITS);
        while error * f64::from(left as i32 - W::BITS as i32).exp2() > target
            && count < most.min(Self::MAX)
            && left > 2 * width
        {
            left -= width;
            count += 1;
        }
        Self::cut(error, width, count)
    }

    /// Two limbs of words of 128 bits, the upper one of `width` bits whether its sums are exact or not: what the choice of
    /// the split is worth.
    ///
    /// # Panics
    /// Unless 1 ≤ `width` ≤ 48.
    #[must_use]
    pub fn split(error: f64, width: u32) -> Self {
        assert!((1..=48).contains(&width), "an upper limb of {width} bits");
        Self::cut(error, width, 2)
    }

    /// `count` limbs of words of 128 bits, all but the last of `width` bits.
    fn cut(error: f64, width: u32, count: usize) -> Self {
        let mut limbs = [Limb::default(); Self::MAX];
        let mut high = u128::BITS;
        for limb in &mut limbs[..count - 1] {
            *limb = Limb { low: high - width, high, unit: high - width, offset: 0 };
            high -= width;
        }
        let error_std = error * f64::from(high as i32 - u128::BITS as i32).exp2();
        let low = high.saturating_sub(64);
        // A quarter of the error's standard deviation: rounding adds half a percent to its variance.
        let unit = (f64::from(u128::BITS) + error_std.log2()).floor() as i32 - 2;
        let unit = u32::try_from(unit).unwrap_or(0).max(low);
        limbs[count - 1] = Limb { low, high, unit, offset: 0 };
        let half = if low == 0 { 0 } else { 1 << (low - 1) };
        let offset = limbs[..count].iter().fold(half, |sum: u128, limb| sum.wrapping_add(1 << (limb.high - 1)));
        limbs[..count].iter_mut().for_each(|limb| limb.offset = offset);
        let upper_error_std = if count == 1 { 0.0 } else { error * f64::from(width).exp2() };
        Self { limbs, count, error_std, upper_error_std }
    }

    /// The limbs.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Limb] {
        &self.limbs[..self.count]
    }

    /// L, the number of limbs.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Standard deviation, of the torus, of the error of a coefficient of a sum of products: the last limb's.
    #[must_use]
    pub fn error_std(&self) -> f64 {
        self.error_std
    }

    /// Standard deviation by which the sums of an upper limb err before they are rounded, in units of their last place; 0 if
    /// there is none.
    #[must_use]
    pub fn upper_error_std(&self) -> f64 {
        self.upper_error_std
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limbs_recompose_to_the_word_but_for_what_is_below_the_last() {
        let mut x = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835_u128;
        let fewest =
            [(-26, -20), (-26, -50), (-20, -50), (-30, -70), (-24, -90), (-28, -110)].map(|(error, target)| {
                let limbs = WordLimbs::new::<u128>(f64::from(error).exp2(), f64::from(target).exp2(), WordLimbs::MAX);
                assert!(
                    limbs.error_std() <= f64::from(target).exp2() && limbs.upper_error_std() < 1.0 / 32.0 + 1e-9,
                    "{limbs:?}"
                );
                limbs
            });
        let split = [1, 10, 30, 48].map(|width| WordLimbs::split(f64::exp2(-26.0), width));
        for limbs in fewest.into_iter().chain(split) {
            let low = limbs.as_slice()[limbs.count() - 1].low;
            assert!(limbs.as_slice().windows(2).all(|pair| pair[0].low == pair[1].high));
            for i in 0..1000u32 {
                x = match i {
                    0..128 => 1 << i,
                    128..256 => u128::MAX << (i - 128),
                    256..384 => u128::MAX >> (i - 256),
                    _ => x.wrapping_mul(0xDA94_2042_E4DD_58B5_DA94_2042_E4DD_58B5).wrapping_add(1),
                };
                let sum = limbs.as_slice().iter().fold(0u128, |sum, limb| {
                    assert!(limb.value(x).unsigned_abs() <= 1 << (limb.high - limb.low - 1));
                    sum.wrapping_add(limb.cut(x))
                });
                let error = (x.wrapping_sub(sum) as i128).unsigned_abs();
                assert!(error <= if low == 0 { 0 } else { 1 << (low - 1) }, "{limbs:?} {x:x} {error:x}");
            }
        }
    }
}
