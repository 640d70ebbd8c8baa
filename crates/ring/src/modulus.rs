//! Arithmetic modulo an odd prime p < 2^50.
//!
//! A residue is either a word 0 ≤ x < p or *balanced*: an integer |x| ≤ (p − 1)/2 held exactly in an `f64`. Vectors of
//! residues are balanced; words are for set-up. Bounds and proofs: `docs/modular-product.md`.

pub(crate) mod lanes;
mod prime;

pub use prime::is_prime;

use std::fmt;

use crate::error::RingError;

/// 3·2^51: adding it rounds |x| ≤ 2^51 to the nearest integer, ties to even, and subtracting it again is exact.
pub(crate) const ROUND: f64 = (3u64 << 51) as f64;

/// An odd prime p < 2^50.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modulus(u64);

/// A fixed factor w modulo p: balanced, and its quotient w/p rounded to nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    /// w, |w| ≤ (p − 1)/2.
    pub value: f64,
    /// w/p, rounded to nearest.
    pub quotient: f64,
}

impl Modulus {
    /// Moduli are below 2^50.
    pub const MAX_BITS: u32 = 50;

    /// The modulus `p`.
    ///
    /// # Errors
    /// [`RingError::Modulus`] unless `p` is an odd prime below 2^50.
    pub fn new(p: u64) -> Result<Self, RingError> {
        if p.is_multiple_of(2) || p >> Self::MAX_BITS != 0 || !is_prime(p) {
            return Err(RingError::Modulus { found: p, max_bits: Self::MAX_BITS });
        }
        Ok(Self(p))
    }

    /// p.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The bits of p: the least k with p < 2^k.
    #[must_use]
    pub const fn bits(self) -> u32 {
        u64::BITS - self.0.leading_zeros()
    }

    /// 1/p, rounded to nearest.
    #[must_use]
    pub fn reciprocal(self) -> f64 {
        1.0 / self.0 as f64
    }

    /// x modulo p, as a word.
    #[must_use]
    pub const fn reduce(self, x: u64) -> u64 {
        x % self.0
    }

    /// x modulo p, as a word.
    #[must_use]
    pub const fn reduce_signed(self, x: i64) -> u64 {
        x.rem_euclid(self.0 as i64) as u64
    }

    /// a + b for words.
    #[must_use]
    pub const fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum < self.0 { sum } else { sum - self.0 }
    }

    /// a − b for words.
    #[must_use]
    pub const fn sub(self, a: u64, b: u64) -> u64 {
        if a < b { a + self.0 - b } else { a - b }
    }

    /// −a for a word.
    #[must_use]
    pub const fn neg(self, a: u64) -> u64 {
        self.sub(0, a)
    }

    /// a·b for words.
    #[must_use]
    pub const fn mul(self, a: u64, b: u64) -> u64 {
        (a as u128 * b as u128 % self.0 as u128) as u64
    }

    /// a^`exponent` for a word.
    #[must_use]
    pub const fn pow(self, mut a: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.mul(power, a);
            }
            a = self.mul(a, a);
            exponent /= 2;
        }
        power
    }

    /// 1/a for a word; `None` for 0.
    #[must_use]
    pub fn inverse(self, a: u64) -> Option<u64> {
        (a != 0).then(|| self.pow(a, self.0 - 2))
    }

    /// The balanced residue of a word.
    #[must_use]
    pub const fn balance(self, a: u64) -> f64 {
        if a > self.0 / 2 { -((self.0 - a) as f64) } else { a as f64 }
    }

    /// The word of a balanced residue; any integer |x| < 2^52 will do.
    #[must_use]
    pub fn unbalance(self, x: f64) -> u64 {
        self.reduce_signed(x as i64)
    }

    /// The factor w for [`Modulus::mul_factor`], from a word.
    #[must_use]
    pub fn factor(self, w: u64) -> Factor {
        let value = self.balance(w);
        Factor { value, quotient: value / self.0 as f64 }
    }

    /// x modulo p, balanced; for integers |x| < 2^52.
    #[must_use]
    pub fn balance_f64(self, x: f64) -> f64 {
        let q = x.mul_add(self.reciprocal(), ROUND) - ROUND;
        (-q).mul_add(self.0 as f64, x)
    }

    /// w·a modulo p, in absolute value at most p/2 + p·|a|/2^55: lazy. For integers |a| < 2^52.
    #[must_use]
    pub fn mul_factor_lazy(self, a: f64, w: Factor) -> f64 {
        let high = a * w.value;
        let low = a.mul_add(w.value, -high);
        let q = a.mul_add(w.quotient, ROUND) - ROUND;
        (-q).mul_add(self.0 as f64, high) + low
    }

    /// w·a modulo p, balanced. For integers |a| < 2^52.
    #[must_use]
    pub fn mul_factor(self, a: f64, w: Factor) -> f64 {
        self.balance_f64(self.mul_factor_lazy(a, w))
    }

    /// A primitive root of unity of the given order, a power of two: x^((p − 1)/order) for the least x that gives one.
    ///
    /// # Errors
    /// [`RingError::RootOrder`] unless `order` is a power of two that divides p − 1.
    pub fn primitive_root(self, order: u64) -> Result<u64, RingError> {
        if !order.is_power_of_two() || !(self.0 - 1).is_multiple_of(order) {
            return Err(RingError::RootOrder { modulus: self.0, order });
        }
        if order == 1 {
            return Ok(1);
        }
        // A quarter of all x at least (for order 2, half) has a power of exact order.
        let powers = (2..self.0).map(|x| self.pow(x, (self.0 - 1) / order));
        let mut roots = powers.filter(|&root| self.pow(root, order / 2) == self.0 - 1);
        Ok(roots.next().expect("the group of units is cyclic"))
    }
}

impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modulus({})", self.0)
    }
}

impl fmt::Display for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primes;

    fn moduli() -> Vec<Modulus> {
        let mut moduli: Vec<_> = [3, 5, 17, 97, 65537].map(|p| Modulus::new(p).unwrap()).to_vec();
        moduli.extend(primes::below(1 << 50, 1 << 17).take(2));
        moduli.extend(primes::above(1 << 30, 1 << 10).take(2));
        moduli
    }

    /// Integers at and around the ends of |x| < `bound`.
    fn extremes(p: Modulus, bound: i64) -> impl Iterator<Item = i64> {
        let half = (p.value() / 2) as i64;
        let all = [0, 1, half - 1, half, half + 1, p.value() as i64, 3 * half, bound / 2, bound - 2, bound - 1];
        all.into_iter().filter(move |&x| x < bound).flat_map(|x| [x, -x])
    }

    #[test]
    fn others_than_odd_primes_are_refused() {
        for p in [0, 1, 2, 4, 9, (1 << 50) - 1, (1 << 50) + 55, u64::MAX] {
            assert_eq!(Modulus::new(p), Err(RingError::Modulus { found: p, max_bits: 50 }));
        }
    }

    #[test]
    fn words_and_balanced_residues_correspond() {
        for p in moduli() {
            for x in extremes(p, 1 << 52) {
                let word = p.reduce_signed(x);
                let balanced = p.balance_f64(x as f64);
                assert_eq!(p.unbalance(x as f64), word);
                assert_eq!(balanced, p.balance(word), "{x} modulo {p}");
                assert!(balanced.abs() <= (p.value() / 2) as f64);
                assert_eq!(p.unbalance(balanced), word);
                assert_eq!(p.add(word, p.neg(word)), 0);
                assert_eq!(p.inverse(word).map_or(1, |inverse| p.mul(word, inverse)), 1);
            }
        }
    }

    #[test]
    fn products_by_factors_hold_their_bound_at_the_extremes() {
        for p in moduli() {
            for w in extremes(p, (p.value() / 2 + 1) as i64) {
                let factor = p.factor(p.reduce_signed(w));
                for a in extremes(p, 1 << 52) {
                    let lazy = p.mul_factor_lazy(a as f64, factor);
                    let bound = p.value() as f64 * (0.5 + a.unsigned_abs() as f64 / 2f64.powi(55));
                    let expected = p.mul(p.reduce_signed(a), p.reduce_signed(w));
                    assert!(lazy.abs() <= bound, "{a}·{w} modulo {p}: {lazy}");
                    assert_eq!(p.unbalance(lazy), expected, "{a}·{w} modulo {p}");
                    assert_eq!(p.mul_factor(a as f64, factor), p.balance(expected));
                }
            }
        }
    }

    #[test]
    fn roots_are_primitive() {
        for p in moduli() {
            for log2 in 0..=(p.value() - 1).trailing_zeros() {
                let root = p.primitive_root(1 << log2).unwrap();
                assert_eq!(p.pow(root, 1 << log2), 1);
                assert!(log2 == 0 || p.pow(root, 1 << (log2 - 1)) == p.value() - 1);
            }
            for order in [0, 3, 1 << 60] {
                assert_eq!(p.primitive_root(order), Err(RingError::RootOrder { modulus: p.value(), order }));
            }
        }
    }
}
