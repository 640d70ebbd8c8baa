//! Sums and products of residues, value by value. Ranges and proofs: `docs/modular-product.md`.

use super::Ntt;
use crate::modulus::lanes::{LaneFactor, Lanes, Origin, Sum};
use crate::modulus::{Factor, Modulus};
use crate::simd::{Kernel, LANES, Packing, Simd};

/// `a` ← `a` + `b`, or `a` − `b` if `NEGATIVE`.
pub(super) struct AddAssign<'a, const NEGATIVE: bool> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
}

impl<const NEGATIVE: bool> Kernel for AddAssign<'_, NEGATIVE> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            for part in 0..S::PARTS {
                let (x, y) = (s.load(a, part), s.load(b, part));
                s.store(a, part, p.balance(s, if NEGATIVE { s.sub(x, y) } else { s.add(x, y) }));
            }
        }
    }
}

/// `a` ← `a`·`b`.
pub(super) struct MulAssign<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
}

impl Kernel for MulAssign<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            for part in 0..S::PARTS {
                let product = p.mul_lazy(s, s.load(a, part), s.load(b, part));
                s.store(a, part, p.balance(s, product));
            }
        }
    }
}

/// `a` ← w·`a`.
pub(super) struct MulFactor<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) w: Factor,
}

impl Kernel for MulFactor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let w = LaneFactor::splat(s, self.w);
        for a in self.a {
            for part in 0..S::PARTS {
                let product = p.mul_factor_lazy(s, s.load(a, part), w);
                s.store(a, part, p.balance(s, product));
            }
        }
    }
}

/// Factors that a kernel reads some blocks at a time.
pub(super) trait Values: Copy {
    /// Whether there are `len`.
    fn are(self, len: usize) -> bool;
    /// A part of blocks `j`, …, `j` + J − 1; those modulo p are packed on bits(p) = `bits` bits.
    fn vectors<S: Simd, const J: usize>(self, s: S, j: usize, part: usize, bits: u32) -> [S::V; J];
}

impl Values for &[f64] {
    fn are(self, len: usize) -> bool {
        self.len() == len
    }

    #[inline(always)]
    fn vectors<S: Simd, const J: usize>(self, s: S, j: usize, part: usize, _: u32) -> [S::V; J] {
        let from: &[_; J] = self.as_chunks().0[j..].first_chunk().expect("slices of one length");
        let mut out = [s.splat(0.0); J];
        for (out, from) in out.iter_mut().zip(from) {
            *out = s.load(from, part);
        }
        out
    }
}

/// A constant.
impl Values for f64 {
    fn are(self, _: usize) -> bool {
        true
    }

    #[inline(always)]
    fn vectors<S: Simd, const J: usize>(self, s: S, _: usize, _: usize, _: u32) -> [S::V; J] {
        [s.splat(self); J]
    }
}

/// The first blocks of runs.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a>(pub(super) &'a [f64]);

impl Values for Runs<'_> {
    fn are(self, len: usize) -> bool {
        self.0.len() * Ntt::RUN == len
    }

    #[inline(always)]
    fn vectors<S: Simd, const J: usize>(self, s: S, j: usize, part: usize, _: u32) -> [S::V; J] {
        debug_assert!(Ntt::RUN.is_multiple_of(J) && j.is_multiple_of(J), "blocks of one run");
        [s.load(&self.0.as_chunks().0[j / Ntt::RUN], part); J]
    }
}

/// How many cache lines ahead packed residues are asked for: a page, where the processor's own prefetching ends.
const AHEAD: usize = 64;

/// Residues of one limb, packed: see [`PackedPoly`](crate::rns::PackedPoly).
#[derive(Clone, Copy)]
pub struct PackedLimb<'a> {
    pub(crate) len: usize,
    pub(crate) words: &'a [[u64; LANES]],
}

impl Values for PackedLimb<'_> {
    fn are(self, len: usize) -> bool {
        self.len == len
    }

    #[inline(always)]
    fn vectors<S: Simd, const J: usize>(self, s: S, j: usize, part: usize, bits: u32) -> [S::V; J] {
        let packing = Packing::new(bits);
        let mut out = [s.splat(0.0); J];
        let start = self.words.as_ptr().wrapping_add(j * bits as usize / 64 + AHEAD);
        if part == 0 {
            for k in 0..J {
                s.prefetch(start.wrapping_add(k).cast());
            }
        }
        for (k, out) in out.iter_mut().enumerate() {
            let first = (j + k) * bits as usize;
            let (words, _) =
                self.words[first / 64..].split_first_chunk().expect("a word follows every word of residues");
            *out = s.load_packed(words, part, (first % 64) as u32, &packing);
        }
        out
    }
}

/// `out` = Σ a·b, or `out` + Σ a·b if `ADD`.
pub(super) struct SumOfProducts<'a, A, B, const ADD: bool> {
    pub(super) p: Modulus,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) terms: &'a [(A, B)],
}

impl<A: Values, B: Values, const ADD: bool> SumOfProducts<'_, A, B, ADD> {
    /// Blocks `j`, …, `j` + J − 1.
    #[inline(always)]
    fn blocks<S: Simd, const J: usize>(&mut self, s: S, p: &Lanes<S::V>, origin: Origin<S::V>, j: usize) {
        for part in 0..S::PARTS {
            let totals = self.vectors::<S, J>(s, p, origin, j, part);
            for (out, total) in self.out[j..j + J].iter_mut().zip(totals) {
                s.store(out, part, total);
            }
        }
    }

    /// A part of them.
    #[inline(always)]
    fn vectors<S: Simd, const J: usize>(
        &self,
        s: S,
        p: &Lanes<S::V>,
        origin: Origin<S::V>,
        j: usize,
        part: usize,
    ) -> [S::V; J] {
        let bits = self.p.bits();
        let mut totals = [s.splat(0.0); J];
        if ADD {
            for (k, total) in totals.iter_mut().enumerate() {
                *total = s.load(&self.out[j + k], part);
            }
        }
        for terms in self.terms.chunks(Sum::<S::V>::TERMS) {
            let mut sums = [Sum::new(origin, totals[0]); J];
            for k in 1..J {
                sums[k] = Sum::new(origin, totals[k]);
            }
            for (a, b) in terms {
                let (a, b) = (a.vectors::<S, J>(s, j, part, bits), b.vectors::<S, J>(s, j, part, bits));
                for k in 0..J {
                    sums[k].add_product(s, a[k], b[k]);
                }
            }
            for k in 0..J {
                totals[k] = sums[k].balance(s, p);
            }
        }
        totals
    }
}

impl<A: Values, B: Values, const ADD: bool> Kernel for SumOfProducts<'_, A, B, ADD> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let p = Lanes::new(s, self.p);
        let origin = Origin::new(s, self.p.bits(), self.p);
        // Several at a time: what a term needs is fetched once, and their sums do not wait for each other.
        let fours = self.out.len() / 4 * 4;
        for j in (0..fours).step_by(4) {
            self.blocks::<S, 4>(s, &p, origin, j);
        }
        for j in fours..self.out.len() {
            self.blocks::<S, 1>(s, &p, origin, j);
        }
    }
}

/// `out` = the residues packed in `x`.
pub(super) struct Unpack<'a> {
    pub(super) bits: u32,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) x: PackedLimb<'a>,
}

impl Kernel for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (j, out) in self.out.iter_mut().enumerate() {
            for part in 0..S::PARTS {
                let [x] = self.x.vectors(s, j, part, self.bits);
                s.store(out, part, x);
            }
        }
    }
}

/// `a` ← `a` + c, a constant.
pub(super) struct AddConstant<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) c: f64,
}

impl Kernel for AddConstant<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (p, c) = (Lanes::new(s, self.p), s.splat(self.c));
        for a in self.a {
            for part in 0..S::PARTS {
                let sum = s.add(s.load(a, part), c);
                s.store(a, part, p.balance(s, sum));
            }
        }
    }
}

/// `out` = `x` modulo p, balanced.
pub(super) struct Balance<'a> {
    pub(super) p: Modulus,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) x: &'a [[f64; LANES]],
}

impl Kernel for Balance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        for (out, x) in self.out.iter_mut().zip(self.x) {
            for part in 0..S::PARTS {
                s.store(out, part, p.balance(s, s.load(x, part)));
            }
        }
    }
}

/// `a` ← `a` + w·`b`.
pub(super) struct AddMulFactor<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
    pub(super) w: Factor,
}

impl Kernel for AddMulFactor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let w = LaneFactor::splat(s, self.w);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            for part in 0..S::PARTS {
                let product = p.mul_factor_lazy(s, s.load(b, part), w);
                s.store(a, part, p.balance(s, s.add(s.load(a, part), product)));
            }
        }
    }
}

/// `a` ← w·(`b` − `a`).
pub(super) struct RsubMulFactor<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
    pub(super) w: Factor,
}

impl Kernel for RsubMulFactor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let w = LaneFactor::splat(s, self.w);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            for part in 0..S::PARTS {
                let product = p.mul_factor_lazy(s, s.sub(s.load(b, part), s.load(a, part)), w);
                s.store(a, part, p.balance(s, product));
            }
        }
    }
}
