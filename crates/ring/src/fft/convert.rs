//! From coefficients to vectors and back: fused with the first and the last pass.

use std::marker::PhantomData;

use super::{Fft, Limb};
use crate::mem::Pod;
use crate::simd::{GadgetDigit, LANES, Simd};
use crate::torus;

/// The transforms of each kind of words. They are compiled here once, and not wherever something generic in its words
/// calls them.
pub trait Transformed: Sized {
    /// [`Fft::forward_limb`].
    fn forward_limb(fft: &Fft, out: &mut [f64], coeffs: &[Self], limb: &Limb);
    /// [`Fft::forward_digit`].
    fn forward_digit(fft: &Fft, out: &mut [f64], coeffs: &[Self], digit: &GadgetDigit<Self>);
    /// [`Fft::backward_add_limb`], rounded to 2^`unit`.
    fn backward_add(fft: &Fft, acc: &mut [Self], freq: &mut [f64], unit: u32);
}

macro_rules! transformed {
    ($($word:ty)*) => {$(
        impl Transformed for $word {
            fn forward_limb(fft: &Fft, out: &mut [f64], coeffs: &[Self], limb: &Limb) {
                fft.forward(out, coeffs, OfLimb::new(limb));
            }

            fn forward_digit(fft: &Fft, out: &mut [f64], coeffs: &[Self], digit: &GadgetDigit<Self>) {
                fft.forward(out, coeffs, digit);
            }

            fn backward_add(fft: &Fft, acc: &mut [Self], freq: &mut [f64], unit: u32) {
                fft.backward_add(acc, freq, unit);
            }
        }
    )*};
}

transformed!(u64 u128);

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
        s.mul(s.load_signed(from, part), s.splat(1.0 / 18_446_744_073_709_551_616.0))
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

impl<W: torus::Torus> Encode for OfLimb<'_, W> {
    type Word = W;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[W; LANES], part: usize) -> S::V {
        W::load_limb(s, from, part, self.limb)
    }
}

impl<W: torus::Torus> Encode for &GadgetDigit<W> {
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

impl<W: torus::Torus> Decode for AddTorus<W> {
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
