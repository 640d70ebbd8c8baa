//! From coefficients to vectors and back: fused with the first and the last pass.

use std::marker::PhantomData;

use super::Limb;
use crate::mem::Pod;
use crate::simd::{GadgetDigit, LANES, Simd, TWO_64};

/// Words of the torus to vectors and back.
pub(super) trait Word: Pod {
    /// Reads a part of a limb as a fraction.
    fn load_limb<S: Simd>(s: S, from: &[Self; LANES], part: usize, limb: &Limb) -> S::V;
    /// Reads a part of gadget digits.
    fn load_digits<S: Simd>(s: S, from: &[Self; LANES], part: usize, digit: &GadgetDigit<Self>) -> S::V;
    /// A part of `to` += v modulo 1, rounded to a multiple of 2^`unit` of the word.
    fn add<S: Simd>(s: S, to: &mut [Self; LANES], part: usize, v: S::V, unit: u32);
}

impl Word for u64 {
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
}

impl Word for u128 {
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
}

/// Reads coefficients, a part of eight at a time.
pub(super) trait Encode {
    type Word: Pod;
    fn load<S: Simd>(&self, s: S, from: &[Self::Word; LANES], part: usize) -> S::V;
}

/// Integers below 2^51.
pub(super) struct Integer;

impl Encode for Integer {
    type Word = i64;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[i64; LANES], part: usize) -> S::V {
        s.load_small(from, part)
    }
}

/// Torus words as fractions in [−½, ½).
pub(super) struct Torus;

impl Encode for Torus {
    type Word = u64;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[u64; LANES], part: usize) -> S::V {
        s.mul(s.load_signed(from, part), s.splat(1.0 / TWO_64))
    }
}

/// A limb of words, as a fraction.
pub(super) struct OfLimb<'a, W> {
    limb: &'a Limb,
    word: PhantomData<W>,
}

impl<'a, W> OfLimb<'a, W> {
    pub(super) fn new(limb: &'a Limb) -> Self {
        Self { limb, word: PhantomData }
    }
}

impl<W: Word> Encode for OfLimb<'_, W> {
    type Word = W;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[W; LANES], part: usize) -> S::V {
        W::load_limb(s, from, part, self.limb)
    }
}

impl<W: Word> Encode for &GadgetDigit<W> {
    type Word = W;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[W; LANES], part: usize) -> S::V {
        W::load_digits(s, from, part, self)
    }
}

/// Writes coefficients, a part of eight at a time.
pub(super) trait Decode {
    type Word: Pod;
    fn store<S: Simd>(&self, s: S, to: &mut [Self::Word; LANES], part: usize, v: S::V);
}

/// Adds `scale`·v, a torus fraction rounded to 2^`unit` of a word, to torus words.
pub(super) struct AddTorus<W> {
    scale: f64,
    unit: u32,
    word: PhantomData<W>,
}

impl<W> AddTorus<W> {
    pub(super) fn new(scale: f64, unit: u32) -> Self {
        Self { scale, unit, word: PhantomData }
    }
}

impl<W: Word> Decode for AddTorus<W> {
    type Word = W;

    #[inline(always)]
    fn store<S: Simd>(&self, s: S, to: &mut [W; LANES], part: usize, v: S::V) {
        W::add(s, to, part, s.mul(v, s.splat(self.scale)), self.unit);
    }
}

/// Writes `scale`·v.
pub(super) struct Float {
    pub(super) scale: f64,
}

impl Decode for Float {
    type Word = f64;

    #[inline(always)]
    fn store<S: Simd>(&self, s: S, to: &mut [f64; LANES], part: usize, v: S::V) {
        s.store(to, part, s.mul(v, s.splat(self.scale)));
    }
}
