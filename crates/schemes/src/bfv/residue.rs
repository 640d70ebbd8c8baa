//! Integers modulo t = p^r, t ≤ 2^40.
//!
//! Messages and phases are residues: what is done to them takes as long whatever they are. So there are no divisions.

/// A ring Z_t, t ≥ 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResidueRing {
    modulus: u64,
    /// ⌊(2^128 − 1)/t⌋.
    reciprocal: u128,
}

impl ResidueRing {
    /// Z_t for 2 ≤ t < 2^62.
    ///
    /// # Panics
    /// For another t.
    #[must_use]
    pub fn new(t: u64) -> Self {
        assert!((2..1 << 62).contains(&t), "a ring of {t} numbers");
        Self { modulus: t, reciprocal: u128::MAX / u128::from(t) }
    }

    /// t.
    #[must_use]
    pub fn modulus(self) -> u64 {
        self.modulus
    }

    /// The least residue that is not negative.
    #[must_use]
    pub fn reduce(self, x: i64) -> u64 {
        // 2^64·t is a multiple of t.
        self.reduce_wide((i128::from(x) + (i128::from(self.modulus) << 64)) as u128)
    }

    /// The same of any 128 bits, by Barrett's method: the quotient is right or 1 too small.
    #[must_use]
    pub fn reduce_wide(self, x: u128) -> u64 {
        let quotient = high(x, self.reciprocal);
        let rest = x.wrapping_sub(quotient.wrapping_mul(self.modulus.into())) as u64;
        let less = rest.wrapping_sub(self.modulus);
        less.wrapping_add(self.modulus & (less >> 63).wrapping_neg())
    }

    /// The residue of least absolute value, t/2 for an even t.
    #[must_use]
    pub fn balance(self, x: u64) -> i64 {
        self.least(self.reduce_wide(x.into()) as i64)
    }

    /// a·b.
    #[must_use]
    pub fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce_wide(u128::from(a) * u128::from(b))
    }

    /// a·b of least absolute value, for such a and b and t < 2^50.
    #[must_use]
    pub fn mul_balanced(self, a: i64, b: i64) -> i64 {
        let t = self.modulus;
        debug_assert!(t < 1 << 50 && a.unsigned_abs().max(b.unsigned_abs()) <= t / 2, "{a}·{b}");
        // |a·b/t| < 2^48 is right up to 1, and so what is left fits, whatever overflows before.
        let quotient = rounded(a as f64 * b as f64 * (1.0 / t as f64));
        self.least(a.wrapping_mul(b).wrapping_sub(quotient.wrapping_mul(t as i64)))
    }

    /// a + b of least absolute value, for such a and b.
    #[must_use]
    pub fn add_balanced(self, a: i64, b: i64) -> i64 {
        self.least(a + b)
    }

    /// x of least absolute value, for |x| ≤ 3t/2.
    fn least(self, x: i64) -> i64 {
        let t = self.modulus as i64;
        // Differences have their signs in all bits.
        let [above, below] = [t / 2 - x, x + (t - 1) / 2].map(|room| room >> 63);
        x - (t & above) + (t & below)
    }

    /// −a.
    #[must_use]
    pub fn neg(self, a: u64) -> u64 {
        self.reduce(-self.balance(a))
    }

    /// 1/a, if a is a unit: by Euclid's algorithm.
    #[must_use]
    pub fn inverse(self, a: u64) -> Option<u64> {
        let t = i128::from(self.modulus);
        // r_i = s_i·a modulo t.
        let (mut r, mut s) = ([t, i128::from(a % self.modulus)], [0, 1]);
        while r[1] != 0 {
            let quotient = r[0] / r[1];
            r = [r[1], r[0] - quotient * r[1]];
            s = [s[1], s[0] - quotient * s[1]];
        }
        (r[0] == 1).then(|| s[0].rem_euclid(t) as u64)
    }

    /// Small units a, b with a ≡ b·x, for a unit x: those of Euclid's algorithm whose larger one is least, mostly near
    /// √t.
    #[must_use]
    pub fn ratio(self, x: u64) -> [i64; 2] {
        let t = i128::from(self.modulus);
        let (mut r, mut s) = ([t, i128::from(x % self.modulus)], [0i128, 1]);
        let mut best = [self.balance(x), 1];
        while r[1] != 0 {
            let found = [r[1] as i64, s[1] as i64];
            let size = |[a, b]: [i64; 2]| a.abs().max(b.abs());
            if size(found) < size(best) && self.inverse(self.reduce(found[1])).is_some() {
                best = found;
            }
            let quotient = r[0] / r[1];
            r = [r[1], r[0] - quotient * r[1]];
            s = [s[1], s[0] - quotient * s[1]];
        }
        best
    }
}

/// The upper half of a product.
fn high(a: u128, b: u128) -> u128 {
    let halves = |x: u128| [u128::from(x as u64), x >> 64];
    let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
    let middle = a0 * b1 + ((a0 * b0) >> 64);
    let [low, carry] = halves(middle);
    a1 * b1 + carry + ((a1 * b0 + low) >> 64)
}

/// The integer nearest to |x| < 2^50, for which processors need no instruction of their own.
fn rounded(x: f64) -> i64 {
    const MAGIC: f64 = 1.5 * (1u64 << 52) as f64;
    (x + MAGIC - MAGIC) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without divisions as with them, at the ends of all that there is.
    #[test]
    fn reduction_is_the_remainder() {
        let edges =
            |bits: u32| (0..bits).flat_map(|i| [0u128, 1, 2].map(|d| (1u128 << i).wrapping_add(d).wrapping_sub(1)));
        for t in [2u64, 3, 5, 127, 257, 65_537, (1 << 40) - 87, (1 << 50) - 27, (1 << 62) - 57, (1 << 62) - 1, 1 << 61]
        {
            let ring = ResidueRing::new(t);
            let near = |x: u128| {
                [0u128, 1, 2, 3].map(move |i| (x / u128::from(t) * u128::from(t)).wrapping_add(i).wrapping_sub(1))
            };
            for x in edges(128).flat_map(|x| near(x).into_iter().chain([x, !x])).chain([u128::MAX]) {
                assert_eq!(u128::from(ring.reduce_wide(x)), x % u128::from(t), "{x} modulo {t}");
                let signed = x as i64;
                assert_eq!(
                    i128::from(ring.reduce(signed)),
                    i128::from(signed).rem_euclid(t.into()),
                    "{signed} modulo {t}"
                );
                let word = x as u64 % t;
                let balanced = if word > t / 2 { word as i64 - t as i64 } else { word as i64 };
                assert_eq!(
                    (ring.balance(x as u64), ring.neg(x as u64)),
                    (balanced, (t - word) % t),
                    "{word} modulo {t}"
                );
            }
        }
    }

    #[test]
    fn units_have_inverses_and_small_ratios() {
        for t in [2u64, 4, 9, 16, 127, 127 * 127, 257 * 257, 65537, 65537 * 65537, 1000, 1 << 39] {
            let ring = ResidueRing::new(t);
            for x in (1..t).step_by(1 + t as usize / 1000) {
                let Some(inverse) = ring.inverse(x) else { continue };
                assert_eq!(ring.mul(x, inverse), 1, "{x} modulo {t}");
                let [a, b] = ring.ratio(x);
                assert_eq!(ring.reduce(a), ring.mul(ring.reduce(b), x), "{a}/{b} = {x} modulo {t}");
                assert!([a, b].iter().all(|&x| ring.inverse(ring.reduce(x)).is_some()), "{a}/{b} modulo {t}");
                // Both may be multiples of 2 or 5 before they are small.
                let most = if t.is_multiple_of(2) { t as f64 } else { (3.0 * t as f64).sqrt() };
                assert!(a.abs().max(b.abs()) as f64 <= most, "{a}/{b} modulo {t}");
                let balanced = ring.balance(x);
                assert_eq!(ring.reduce(balanced), x);
                let [product, sum] = [ring.mul_balanced(balanced, a), ring.add_balanced(balanced, a)];
                assert_eq!(product, ring.balance(ring.mul(x, ring.reduce(a))));
                assert_eq!(sum, ring.balance(x + ring.reduce(a)));
            }
        }
        assert_eq!(ResidueRing::new(9).inverse(6), None);
        assert_eq!([0, 5, 8].map(|x| ResidueRing::new(9).neg(x)), [0, 4, 1]);
    }
}
