//! A part of eight residues at a time. Bounds and proofs: `docs/modular-product.md`.

use super::{Factor, Modulus, ROUND};
use crate::simd::Simd;

/// A modulus p for all lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<V> {
    modulus: V,
    reciprocal: V,
    round: V,
}

/// A fixed factor w, |w| < p/2, in each lane, and its quotient w/p: rounded to nearest, or w·(1/p) with both rounded.
#[derive(Clone, Copy)]
pub(crate) struct LaneFactor<V> {
    pub(crate) value: V,
    pub(crate) quotient: V,
}

impl<V: Copy> LaneFactor<V> {
    /// The same factor in all lanes.
    #[inline(always)]
    pub(crate) fn splat<S: Simd<V = V>>(s: S, w: Factor) -> Self {
        Self { value: s.splat(w.value), quotient: s.splat(w.quotient) }
    }
}

impl<V: Copy> Lanes<V> {
    #[inline(always)]
    pub(crate) fn new<S: Simd<V = V>>(s: S, p: Modulus) -> Self {
        Self { modulus: s.constant(p.value() as f64), reciprocal: s.constant(p.reciprocal()), round: s.constant(ROUND) }
    }

    /// The factor w with the quotient w·(1/p).
    #[inline(always)]
    pub(crate) fn factor<S: Simd<V = V>>(&self, s: S, w: V) -> LaneFactor<V> {
        LaneFactor { value: w, quotient: s.mul(w, self.reciprocal) }
    }

    /// The nearest integer to x, |x| ≤ 2^51.
    #[inline(always)]
    pub(crate) fn round<S: Simd<V = V>>(&self, s: S, x: V) -> V {
        s.sub(s.add(x, self.round), self.round)
    }

    /// The nearest integer to a·b, |a·b| ≤ 2^51.
    #[inline(always)]
    fn round_product<S: Simd<V = V>>(&self, s: S, a: V, b: V) -> V {
        s.sub(s.mul_add(a, b, self.round), self.round)
    }

    /// x modulo p, balanced, for |x| < 2^52. For multiples x of some unit up to 2^53 with |x| ≤ 2^51·p: at most p/2 + |x|/2^53.
    #[inline(always)]
    pub(crate) fn balance<S: Simd<V = V>>(&self, s: S, x: V) -> V {
        let q = self.round_product(s, x, self.reciprocal);
        s.neg_mul_add(q, self.modulus, x)
    }

    /// w·a modulo p for |a| < 2^52: at most p/2 + p·|a|/2^55, or p/2 + 3p·|a|/2^55 if the quotient is rounded twice.
    #[inline(always)]
    pub(crate) fn mul_factor_lazy<S: Simd<V = V>>(&self, s: S, a: V, w: LaneFactor<V>) -> V {
        let high = s.mul(a, w.value);
        let low = s.mul_sub(a, w.value, high);
        let q = self.round_product(s, a, w.quotient);
        s.add(s.neg_mul_add(q, self.modulus, high), low)
    }

    /// a·b modulo p for |a·b| ≤ 2p²: at most p/2 + |a·b|/2^52.
    #[inline(always)]
    pub(crate) fn mul_lazy<S: Simd<V = V>>(&self, s: S, a: V, b: V) -> V {
        let high = s.mul(a, b);
        let low = s.mul_sub(a, b, high);
        s.add(self.balance(s, high), low)
    }
}

/// A sum of up to [`Sum::TERMS`] products modulo p that is reduced once.
///
/// The high parts of the products, multiples of a unit, are summed on top of an origin of 3·2^51 units, where an `f64` holds
/// multiples of the unit only; what such a rounding leaves is summed apart.
#[derive(Clone, Copy)]
pub(crate) struct Sum<V> {
    origin: Origin<V>,
    high: V,
    low: V,
}

/// Where sums start, and how they end.
#[derive(Clone, Copy)]
pub(crate) struct Origin<V> {
    value: V,
    /// Whether the low parts may come to so much that they are balanced apart.
    large: bool,
}

impl<V: Copy> Origin<V> {
    /// For factors below 2^(k − 1) and p/2 in absolute value, k = `bits` ≤ 50: the unit is 2^(k + l − 50), at least 1, for p < 2^l.
    #[inline(always)]
    pub(crate) fn new<S: Simd<V = V>>(s: S, bits: u32, p: Modulus) -> Self {
        let bits = bits + p.bits();
        Self { value: s.splat(3.0 * f64::from(51 + bits.saturating_sub(50)).exp2()), large: bits > 99 }
    }
}

impl<V: Copy> Sum<V> {
    /// So many products may be summed, and one more with a factor of at most 5.
    pub(crate) const TERMS: usize = 8;

    /// A sum that starts with a balanced residue.
    #[inline(always)]
    pub(crate) fn new(origin: Origin<V>, start: V) -> Self {
        Self { origin, high: origin.value, low: start }
    }

    #[inline(always)]
    pub(crate) fn add_product<S: Simd<V = V>>(&mut self, s: S, a: V, b: V) {
        let next = s.mul_add(a, b, self.high);
        self.low = s.add(self.low, s.mul_sub(a, b, s.sub(next, self.high)));
        self.high = next;
    }

    /// The sum, balanced.
    #[inline(always)]
    pub(crate) fn balance<S: Simd<V = V>>(self, s: S, p: &Lanes<V>) -> V {
        let high = p.balance(s, s.sub(self.high, self.origin.value));
        let low = if self.origin.large { p.balance(s, self.low) } else { self.low };
        p.balance(s, s.add(high, low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::primes;
    use crate::simd::{self, Kernel, LANES};

    /// w·a by both kinds of factor, and a·w.
    struct Products {
        p: Modulus,
        a: [f64; LANES],
        w: f64,
    }

    impl Kernel for Products {
        type Output = [[f64; LANES]; 3];

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let p = Lanes::new(s, self.p);
            let w = s.splat(self.w);
            let factor = LaneFactor { value: w, quotient: s.splat(self.w / self.p.value() as f64) };
            let mut out = [[0.0; LANES]; 3];
            for part in 0..S::PARTS {
                let a = s.load(&self.a, part);
                s.store(&mut out[0], part, p.mul_factor_lazy(s, a, factor));
                s.store(&mut out[1], part, p.mul_factor_lazy(s, a, p.factor(s, w)));
                s.store(&mut out[2], part, p.mul_lazy(s, a, w));
            }
            out
        }
    }

    #[test]
    fn products_stay_in_their_ranges() {
        for p in [3, 97, 65537].map(|p| Modulus::new(p).unwrap()).into_iter().chain(primes::below(1 << 50, 1).take(9)) {
            let (size, half) = (p.value() as f64, (p.value() / 2) as f64);
            for top in [half, size, 4.0 * size - 1.0] {
                let mut x = 1u64;
                for _ in 0..2000 {
                    let mut a = [top, -top, top - 1.0, 1.0 - top, 0.0, 0.0, 0.0, 0.0];
                    for a in &mut a[4..] {
                        x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                        // Near the top, where errors are largest.
                        *a = top - (x >> 40) as f64 % (top / 2.0).ceil();
                    }
                    let w = [half, -half, p.balance(p.reduce(x))][(x >> 62) as usize % 3];
                    let expected = a.map(|a| p.mul(p.reduce_signed(a as i64), p.unbalance(w)));
                    for &isa in Isa::available_here() {
                        let found = simd::run(isa, Products { p, a, w });
                        for lane in 0..LANES {
                            let error = size * a[lane].abs() / 2f64.powi(55);
                            let product = (a[lane] * w).abs() / 2f64.powi(52);
                            for (x, excess) in found.map(|v| v[lane]).into_iter().zip([error, 3.0 * error, product]) {
                                assert!(x.abs() <= size / 2.0 + excess, "{isa} {}·{w} modulo {p}: {x}", a[lane]);
                                assert_eq!(p.unbalance(x), expected[lane], "{isa} {}·{w} modulo {p}", a[lane]);
                            }
                        }
                    }
                }
            }
        }
    }
}
