//! From coefficients to vectors and back: fused with the first and the last pass.

use crate::mem::Pod;
use crate::simd::{Digit, LANES, Simd};

/// Reads coefficients.
pub(super) trait Encode {
    type Word: Pod;
    fn load<S: Simd>(&self, s: S, from: &[Self::Word; LANES]) -> S::V;
}

/// Integers below 2^51.
pub(super) struct Integer;

impl Encode for Integer {
    type Word = i64;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[i64; LANES]) -> S::V {
        s.load_small(from)
    }
}

/// Torus words as fractions in [−½, ½).
pub(super) struct Torus;

impl Encode for Torus {
    type Word = u64;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[u64; LANES]) -> S::V {
        s.mul(s.load_signed(from), s.splat(1.0 / 18_446_744_073_709_551_616.0))
    }
}

impl Encode for Digit {
    type Word = u64;

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, from: &[u64; LANES]) -> S::V {
        s.load_digits(from, self)
    }
}

/// Writes coefficients.
pub(super) trait Decode {
    type Word: Pod;
    fn store<S: Simd>(&self, s: S, to: &mut [Self::Word; LANES], v: S::V);
}

/// Adds `scale`·v, a torus fraction, to torus words.
pub(super) struct AddTorus {
    pub(super) scale: f64,
}

impl Decode for AddTorus {
    type Word = u64;

    #[inline(always)]
    fn store<S: Simd>(&self, s: S, to: &mut [u64; LANES], v: S::V) {
        s.add_torus(to, s.mul(v, s.splat(self.scale)));
    }
}

/// Writes `scale`·v.
pub(super) struct Float {
    pub(super) scale: f64,
}

impl Decode for Float {
    type Word = f64;

    #[inline(always)]
    fn store<S: Simd>(&self, s: S, to: &mut [f64; LANES], v: S::V) {
        s.store(to, s.mul(v, s.splat(self.scale)));
    }
}
