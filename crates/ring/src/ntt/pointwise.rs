//! Sums and products of residues, value by value. Ranges and proofs: `docs/modular-product.md`.

use crate::modulus::lanes::{LaneFactor, Lanes, Origin, Sum};
use crate::modulus::{Factor, Modulus};
use crate::simd::{Kernel, LANES, Simd};

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
            let (x, y) = (s.load(a), s.load(b));
            s.store(a, p.balance(s, if NEGATIVE { s.sub(x, y) } else { s.add(x, y) }));
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
            let product = p.mul_lazy(s, s.load(a), s.load(b));
            s.store(a, p.balance(s, product));
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
            let product = p.mul_factor_lazy(s, s.load(a), w);
            s.store(a, p.balance(s, product));
        }
    }
}

/// `out` = Σ a·b, or `out` + Σ a·b if `ADD`; a vector of the a serves `RUN` vectors of the b.
pub(super) struct SumOfProducts<'a, const ADD: bool, const RUN: usize> {
    pub(super) p: Modulus,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) terms: &'a [(&'a [f64], &'a [f64])],
}

impl<const ADD: bool, const RUN: usize> Kernel for SumOfProducts<'_, ADD, RUN> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let origin = Origin::new(s, self.p.bits(), self.p);
        for (j, out) in self.out.iter_mut().enumerate() {
            let mut total = if ADD { s.load(out) } else { s.splat(0.0) };
            for terms in self.terms.chunks(Sum::<S::V>::TERMS) {
                let mut sum = Sum::new(origin, total);
                for (a, b) in terms {
                    sum.add_product(s, s.load(&a.as_chunks().0[j / RUN]), s.load(&b.as_chunks().0[j]));
                }
                total = sum.balance(s, &p);
            }
            s.store(out, total);
        }
    }
}

/// `out` = Σ c·x for constants c.
pub(super) struct LinearCombination<'a> {
    pub(super) p: Modulus,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) terms: &'a [(f64, &'a [f64])],
}

impl Kernel for LinearCombination<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let origin = Origin::new(s, self.p.bits(), self.p);
        // Constants once for four vectors.
        let (fours, rest) = self.out.as_chunks_mut::<4>();
        let tail = fours.len() * 4;
        for (j, out) in fours.iter_mut().enumerate() {
            let mut totals = [s.splat(0.0); 4];
            for terms in self.terms.chunks(Sum::<S::V>::TERMS) {
                let mut sums = [Sum::new(origin, totals[0]); 4];
                for k in 1..4 {
                    sums[k] = Sum::new(origin, totals[k]);
                }
                for (c, x) in terms {
                    let (c, x) = (s.splat(*c), &x.as_chunks().0.as_chunks::<4>().0[j]);
                    for k in 0..4 {
                        sums[k].add_product(s, s.load(&x[k]), c);
                    }
                }
                for k in 0..4 {
                    totals[k] = sums[k].balance(s, &p);
                }
            }
            for k in 0..4 {
                s.store(&mut out[k], totals[k]);
            }
        }
        for (j, out) in rest.iter_mut().enumerate() {
            let mut total = s.splat(0.0);
            for terms in self.terms.chunks(Sum::<S::V>::TERMS) {
                let mut sum = Sum::new(origin, total);
                for (c, x) in terms {
                    sum.add_product(s, s.load(&x.as_chunks().0[tail + j]), s.splat(*c));
                }
                total = sum.balance(s, &p);
            }
            s.store(out, total);
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
            let sum = s.add(s.load(a), c);
            s.store(a, p.balance(s, sum));
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
            s.store(out, p.balance(s, s.load(x)));
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
            let product = p.mul_factor_lazy(s, s.load(b), w);
            s.store(a, p.balance(s, s.add(s.load(a), product)));
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
            let product = p.mul_factor_lazy(s, s.sub(s.load(b), s.load(a)), w);
            s.store(a, p.balance(s, product));
        }
    }
}
