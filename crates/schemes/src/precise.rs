//! Numbers of 100 bits, for constants at wide scales: sums of two `f64`, the lower one at most half an ulp of the upper one.
//!
//! Sums, products, quotients and roots are off by a few 2^-104 (Dekker; Joldes, Muller, Popescu: "Tight and Rigorous Error
//! Bounds for Basic Building Blocks of Double-Word Arithmetic", 2017). The crate `twofloat` has a division that is off by
//! 2^-53 (0.8.4), hence our own.
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::scalar::Scalar;

/// `hi` + `lo`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precise {
    hi: f64,
    lo: f64,
}

/// a + b for |a| ≥ |b|.
fn fast_sum(a: f64, b: f64) -> Precise {
    let hi = a + b;
    Precise { hi, lo: b - (hi - a) }
}

/// a + b.
fn sum(a: f64, b: f64) -> Precise {
    let hi = a + b;
    let rest = hi - a;
    Precise { hi, lo: (a - (hi - rest)) + (b - rest) }
}

/// a·b.
fn product(a: f64, b: f64) -> Precise {
    let hi = a * b;
    Precise { hi, lo: a.mul_add(b, -hi) }
}

impl Precise {
    /// √x for x > 0.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        // A step of Newton's, whose correction needs 50 bits only.
        fast_sum(root, (self - product(root, root)).hi / (2.0 * root))
    }

    /// The nearest integer.
    #[must_use]
    pub fn round(self) -> Self {
        // Where the upper part is an integer, the lower one decides.
        if self.hi.abs() >= 2f64.powi(52) {
            return fast_sum(self.hi, self.lo.round());
        }
        let hi = self.hi.round();
        let rest = self - Self::from(hi);
        Self::from(hi + rest.hi.round())
    }

    /// The integer that [`Self::round`] gives modulo p < 2^62, for |x| < 2^120.
    #[must_use]
    pub fn residue(self, p: u64) -> u64 {
        let x = self.round();
        let of = |part: f64| (part as i128).rem_euclid(i128::from(p)) as u64;
        (of(x.hi) + of(x.lo)) % p
    }

    /// x as ⌊x/2^`bits`⌉·2^`bits` and the rest.
    #[must_use]
    pub fn split(self, bits: u32) -> [f64; 2] {
        let unit = f64::from(bits).exp2();
        let high = (self.hi / unit).round();
        [high, (self - Self::from(high * unit)).into()]
    }
}

impl From<f64> for Precise {
    fn from(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }
}

impl From<Precise> for f64 {
    fn from(x: Precise) -> Self {
        x.hi + x.lo
    }
}

impl Add for Precise {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (upper, lower) = (sum(self.hi, other.hi), sum(self.lo, other.lo));
        let upper = fast_sum(upper.hi, upper.lo + lower.hi);
        fast_sum(upper.hi, upper.lo + lower.lo)
    }
}

impl Neg for Precise {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Precise {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Precise {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let upper = product(self.hi, other.hi);
        fast_sum(upper.hi, upper.lo + self.hi.mul_add(other.lo, self.lo * other.hi))
    }
}

impl Div for Precise {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        let quotient = fast_sum(first, second);
        fast_sum(quotient.hi, quotient.lo + rest.hi / other.hi)
    }
}

/// A complex number of such.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreciseComplex {
    /// The real part.
    pub re: Precise,
    /// The imaginary part.
    pub im: Precise,
}

impl PreciseComplex {
    /// The conjugate.
    #[must_use]
    pub fn conj(self) -> Self {
        Self { im: -self.im, ..self }
    }

    /// |x|².
    #[must_use]
    pub fn norm_sqr(self) -> f64 {
        (self.re * self.re + self.im * self.im).into()
    }
}

impl Add for PreciseComplex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for PreciseComplex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for PreciseComplex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let re = self.re * other.re - self.im * other.im;
        Self { re, im: self.re * other.im + self.im * other.re }
    }
}

const ZERO: Precise = Precise { hi: 0.0, lo: 0.0 };

/// Complex constants at wide scales.
impl Scalar for PreciseComplex {
    const ZERO: Self = Self { re: ZERO, im: ZERO };
    const ONE: Self = Self { re: Precise { hi: 1.0, lo: 0.0 }, im: ZERO };
    const CONSTANT_LEVELS: usize = 1;
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;

    use super::*;

    /// A number of [1, 2) with 106 bits, and its multiple of 2^-106.
    fn random(rng: &mut TestRng) -> (Precise, i128) {
        let (hi, lo) = (1.0 + rng.unit_f64(), (rng.unit_f64() - 0.5) * 2f64.powi(-52));
        let x = fast_sum(hi, lo);
        let exact = (x.hi * 2f64.powi(106)) as i128 + (x.lo * 2f64.powi(106)).round() as i128;
        (fast_sum(x.hi, (x.lo * 2f64.powi(106)).round() * 2f64.powi(-106)), exact)
    }

    /// The number x·2^-106.
    fn of(x: i128) -> Precise {
        let hi = x as f64;
        Precise::from(hi * 2f64.powi(-106)) + Precise::from((x - hi as i128) as f64 * 2f64.powi(-106))
    }

    fn assert_close(x: Precise, y: Precise, what: &str) {
        assert!((x - y).hi.abs() <= x.hi.abs() * 2f64.powi(-101), "{what}: {x:?}, not {y:?}");
    }

    #[test]
    fn arithmetic_keeps_100_bits() {
        let mut rng = TestRng::new("precise", 0);
        for _ in 0..1000 {
            let ((x, a), (y, b)) = (random(&mut rng), random(&mut rng));
            assert_close(x + y, of(a + b), "sum");
            assert!((x - y - of(a - b)).hi.abs() < 2f64.powi(-104));
            assert_close(x / y * y, x, "quotient");
            assert_close(x.sqrt() * x.sqrt(), x, "root");
            // (1 + u)(1 + v) = 1 + u + v + uv by halves of 53 bits.
            let (u, v) = ((a - (1 << 106)) >> 53, (b - (1 << 106)) >> 53);
            let [short_x, short_y] = [u, v].map(|u| of((1 << 106) + (u << 53)));
            assert_close(short_x * short_y, of((1 << 106) + (u << 53) + (v << 53) + u * v), "product");
        }
    }

    #[test]
    fn integers_are_exact() {
        let p = (1 << 45) - 55;
        for x in [0i128, 1, -1, 5 << 60, (1 << 99) + 12345, -(1 << 100) + 777, 3 * (1 << 80) - 1] {
            let hi = x as f64;
            let number = Precise::from(hi) + Precise::from((x - hi as i128) as f64);
            assert_eq!(number.round(), number);
            assert_eq!(i128::from(number.residue(p)), x.rem_euclid(i128::from(p)));
            let [high, low] = number.split(44);
            assert_eq!((high as i128) * (1 << 44) + low as i128, x);
            assert!(low.abs() <= 2f64.powi(44) && high.abs() <= 2f64.powi(56));
        }
        for (x, rounded) in [(0.4, 0.0), (-1.7, -2.0), (1e15 + 0.25, 1e15)] {
            assert_eq!(Precise::from(x).round(), Precise::from(rounded));
        }
        assert_eq!((Precise::from(3.0) - Precise::from(2f64.powi(-60))).round(), Precise::from(3.0));
    }
}
