//! Sums and products of residues, value by value. Ranges and proofs: `docs/modular-product.md`.

use crate::modulus::lanes::{LaneFactor, Lanes, Sum};
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

/// `out` = Σ a·b.
pub(super) struct SumOfProducts<'a> {
    pub(super) p: Modulus,
    pub(super) out: &'a mut [[f64; LANES]],
    pub(super) terms: &'a [(&'a [f64], &'a [f64])],
}

impl Kernel for SumOfProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let origin = s.splat(Sum::<S::V>::origin(self.p.bits(), self.p));
        for (j, out) in self.out.iter_mut().enumerate() {
            let mut total = s.splat(0.0);
            for terms in self.terms.chunks(Sum::<S::V>::TERMS) {
                let mut sum = Sum::new(origin, total);
                for (a, b) in terms {
                    sum.add_product(s, s.load(&a.as_chunks().0[j]), s.load(&b.as_chunks().0[j]));
                }
                total = sum.balance(s, &p);
            }
            s.store(out, total);
        }
    }
}

/// `a` ← w·(`a` − `b`).
pub(super) struct SubMulFactor<'a> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
    pub(super) w: Factor,
}

impl Kernel for SubMulFactor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let w = LaneFactor::splat(s, self.w);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let product = p.mul_factor_lazy(s, s.sub(s.load(a), s.load(b)), w);
            s.store(a, p.balance(s, product));
        }
    }
}
