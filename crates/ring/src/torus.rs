//! Words of the torus R/Z: x stands for x/2^k, k = 64 in `u64` and k = 128 in `u128`; sums and products wrap.
//!
//! A ciphertext modulus 2^q with q < k is the same torus, only with noise of 2^-q: nothing is cut off.

use std::fmt::Debug;

use crate::fft::Limb;
use crate::isa::Isa;
use crate::mem::Pod;
use crate::sample::{MaskStream, NoiseStream};
use crate::simd::{self, Kernel, LANES, Simd};

/// A word of the torus: `u64` or `u128`.
pub trait Torus: sealed::Sealed + Pod + Eq + Debug {
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
    /// The representative in [−½, ½) of what `limb` cuts out of the word.
    fn limb(self, limb: &Limb) -> Self;
    /// Overwrites `words` by the next uniform words of `stream`.
    fn fill_mask(words: &mut [Self], stream: &mut MaskStream);
    /// Adds rounded Gaussians of standard deviation `std` (of the torus): [`NoiseStream::add_gaussian_u64`].
    fn add_gaussian(words: &mut [Self], stream: &mut NoiseStream, std: f64);

    /// −self.
    fn wrapping_neg(self) -> Self {
        Self::default().wrapping_sub(self)
    }
}

/// `out` = `from` − (1 + X + … + X^{N−1})·y modulo X^N + 1, or `out` itself less that product. y is `x` with the middle
/// of their range for the last `dropped` bits of each word.
///
/// Half of that sum is the mean of a polynomial of uniform bits. Coefficient i of the product is Σ_{j ≤ i} y_j −
/// Σ_{j > i} y_j: prefix sums.
///
/// # Panics
/// Unless all have one length, a multiple of eight, and `dropped` < k.
pub fn sub_product_with_ones<W: Torus>(isa: Isa, out: &mut [W], from: Option<&[W]>, x: &[W], dropped: u32) {
    assert!(from.is_none_or(|from| from.len() == out.len()), "polynomials of different lengths");
    let (from, (x, _), (out, rest)) = (from.map(|from| from.as_chunks().0), x.as_chunks(), out.as_chunks_mut());
    assert!(out.len() == x.len() && rest.is_empty() && dropped < W::BITS, "polynomials of different lengths");
    simd::run(isa, SubProductWithOnes { out, from, x, dropped });
}

/// [`sub_product_with_ones`], eight words at a time.
pub struct SubProductWithOnes<'a, W> {
    pub(crate) out: &'a mut [[W; LANES]],
    pub(crate) from: Option<&'a [[W; LANES]]>,
    pub(crate) x: &'a [[W; LANES]],
    pub(crate) dropped: u32,
}

impl<W: Torus> Kernel for SubProductWithOnes<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        W::sub_product_with_ones(s, self);
    }
}

impl<W: Torus> SubProductWithOnes<'_, W> {
    /// The reference, for words of any width.
    #[inline(always)]
    pub(crate) fn by_words(self) {
        let Self { out, from, x, dropped } = self;
        let (out, x) = (out.as_flattened_mut(), x.as_flattened());
        if let Some(from) = from {
            out.copy_from_slice(from.as_flattened());
        }
        let middle = W::from_integer(1).shl(dropped).shr(1);
        let kept = |x: W| x.shr(dropped).shl(dropped).wrapping_add(middle);
        let mut difference = x.iter().fold(W::default(), |sum, &x| sum.wrapping_add(kept(x)));
        for (out, &x) in out.iter_mut().zip(x) {
            difference = difference.wrapping_sub(kept(x).shl(1));
            *out = out.wrapping_add(difference);
        }
    }
}

macro_rules! torus {
    ($word:ty, $signed:ty, $fill:ident, $add:ident, $two_k:expr) => {
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
            fn limb(self, limb: &Limb) -> Self {
                (limb.value(u128::from(self)) as $word) << limb.low
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

torus!(u64, i64, fill_u64, add_gaussian_u64, 18_446_744_073_709_551_616.0);
torus!(u128, i128, fill_u128, add_gaussian_u128, 340_282_366_920_938_463_463_374_607_431_768_211_456.0);

pub(crate) mod sealed {
    use super::SubProductWithOnes;
    use crate::fft::{Limb, Transformed};
    use crate::simd::{GadgetDigit, LANES, Simd, TWO_64};

    /// The conversions between words and vectors.
    pub trait Sealed: Sized + Transformed {
        /// Reads a part of a limb as a fraction.
        fn load_limb<S: Simd>(s: S, from: &[Self; LANES], part: usize, limb: &Limb) -> S::V;
        /// Reads a part of gadget digits.
        fn load_digits<S: Simd>(s: S, from: &[Self; LANES], part: usize, digit: &GadgetDigit<Self>) -> S::V;
        /// A part of `to` += v modulo 1, rounded to a multiple of 2^`unit` of the word.
        fn add<S: Simd>(s: S, to: &mut [Self; LANES], part: usize, v: S::V, unit: u32);
        /// [`sub_product_with_ones`](super::sub_product_with_ones).
        fn sub_product_with_ones<S: Simd>(s: S, product: SubProductWithOnes<'_, Self>);
    }

    impl Sealed for u64 {
        /// Of a word of 64 bits there is one limb, all of it.
        #[inline(always)]
        fn load_limb<S: Simd>(s: S, from: &[Self; LANES], part: usize, _: &Limb) -> S::V {
            s.mul(s.load_signed(from, part), s.splat(1.0 / TWO_64))
        }

        #[inline(always)]
        fn load_digits<S: Simd>(s: S, from: &[Self; LANES], part: usize, digit: &GadgetDigit<Self>) -> S::V {
            s.load_digits(from, part, digit)
        }

        #[inline(always)]
        fn add<S: Simd>(s: S, to: &mut [Self; LANES], part: usize, v: S::V, _: u32) {
            s.add_torus(to, part, v);
        }

        #[inline(always)]
        fn sub_product_with_ones<S: Simd>(s: S, product: SubProductWithOnes<'_, Self>) {
            s.sub_product_with_ones(product);
        }
    }

    impl Sealed for u128 {
        #[inline(always)]
        fn load_limb<S: Simd>(s: S, from: &[Self; LANES], part: usize, limb: &Limb) -> S::V {
            let mut fractions = [0.0; LANES];
            for j in LANES / S::PARTS * part..LANES / S::PARTS * (part + 1) {
                fractions[j] = limb.value(from[j]) as f64;
            }
            s.mul(s.load(&fractions, part), s.splat(f64::from(limb.low as i32 - 128).exp2()))
        }

        #[inline(always)]
        fn load_digits<S: Simd>(s: S, from: &[Self; LANES], part: usize, digit: &GadgetDigit<Self>) -> S::V {
            s.load_wide_digits(from, part, digit)
        }

        #[inline(always)]
        fn add<S: Simd>(s: S, to: &mut [Self; LANES], part: usize, v: S::V, unit: u32) {
            s.add_wide_torus(to, part, v, unit);
        }

        #[inline(always)]
        fn sub_product_with_ones<S: Simd>(_: S, product: SubProductWithOnes<'_, Self>) {
            product.by_words();
        }
    }
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

    /// Term by term: `x`·X^i for all i.
    fn products_with_ones<W: Torus>(words: &[W]) {
        let (out, x) = words.split_at(words.len() / 2);
        for dropped in [0, 1, 11, W::BITS - 1] {
            let middle = W::from_integer(1).shl(dropped).shr(1);
            let kept: Vec<W> = x.iter().map(|x| x.shr(dropped).shl(dropped).wrapping_add(middle)).collect();
            let term = |i: usize, j: usize| if j <= i { kept[j].wrapping_neg() } else { kept[j] };
            let sum = |i: usize| (0..x.len()).fold(out[i], |sum, j| sum.wrapping_add(term(i, j)));
            let expected: Vec<W> = (0..x.len()).map(sum).collect();
            for &isa in Isa::available_here() {
                let (mut found, mut copied) = (out.to_vec(), vec![W::from_integer(7); out.len()]);
                sub_product_with_ones(isa, &mut found, None, x, dropped);
                sub_product_with_ones(isa, &mut copied, Some(out), x, dropped);
                assert!(found == expected && copied == expected, "{isa}, {dropped} bits");
            }
        }
    }

    #[test]
    fn products_with_ones_are_prefix_sums() {
        let mut x = 1u128;
        let mut random = || {
            x = x.wrapping_mul(0x5851_F42D_4C95_7F2D_1405_7B7E_F767_814F).wrapping_add(1);
            x ^ x >> 64
        };
        for len in [8, 16, 64, 200] {
            let words: Vec<u128> = (0..2 * len).map(|_| random()).collect();
            products_with_ones(&words);
            products_with_ones(&words.iter().map(|&x| (x >> 64) as u64).collect::<Vec<_>>());
        }
    }
}
