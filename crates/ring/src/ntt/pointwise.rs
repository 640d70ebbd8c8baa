//! Sums and products of residues, value by value. Ranges and proofs: `docs/modular-product.md`.

use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::modulus::{Factor, Modulus};
use crate::simd::{Kernel, LANES, Simd};

/// `a` ← `a` + `b`, or `a` − `b` if `NEGATIVE`.
pub(super) struct Sum<'a, const NEGATIVE: bool> {
    pub(super) p: Modulus,
    pub(super) a: &'a mut [[f64; LANES]],
    pub(super) b: &'a [[f64; LANES]],
}

impl<const NEGATIVE: bool> Kernel for Sum<'_, NEGATIVE> {
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
        let w = LaneFactor { value: s.splat(self.w.value), quotient: s.splat(self.w.quotient) };
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

/// So many products are summed before a reduction.
const TERMS: usize = 8;

impl Kernel for SumOfProducts<'_> {
    type Output = ();

    /// The high parts of the products, multiples of a unit, are summed on top of 3·2^51 units, where an `f64` holds
    /// multiples of the unit only; what such a rounding leaves is summed apart.
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let p = Lanes::new(s, self.p);
        let origin = s.splat(origin(self.p));
        for j in 0..self.out.len() {
            let mut sum = s.splat(0.0);
            for terms in self.terms.chunks(TERMS) {
                let (mut high, mut low) = (origin, sum);
                for (a, b) in terms {
                    let (a, b) = (s.load(&a.as_chunks().0[j]), s.load(&b.as_chunks().0[j]));
                    let next = s.mul_add(a, b, high);
                    low = s.add(low, s.mul_sub(a, b, s.sub(next, high)));
                    high = next;
                }
                let high = p.balance(s, s.sub(high, origin));
                sum = p.balance(s, s.add(high, p.balance(s, low)));
            }
            s.store(&mut self.out[j], sum);
        }
    }
}

/// 3·2^51 units; the unit is the least power of two that is at least 1 and p²/2^50 with p rounded up to a power of two.
fn origin(p: Modulus) -> f64 {
    let log2_unit = (2 * (u64::BITS - p.value().leading_zeros())).saturating_sub(50);
    3.0 * f64::from(51 + log2_unit).exp2()
}
