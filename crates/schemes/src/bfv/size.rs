//! How large w is, the part of a phase that decryption reads: predicted in the mean and at worst.
use super::BfvParams;

/// log2 of the size of a polynomial w.
///
/// `average` is that of the standard deviation of its coefficients, as if factors of products were independent. They
/// are not: x + x is counted as √2·x, and what was rounded is r_0 + r_1·s, and slot j of it has s(ζ_j) for a factor, again and again, so that the
/// variance of a product of k such is up to k! times as large. `worst`, on which promises rest, bounds
/// |w(ζ)| at all roots ζ of X^N + 1, where products multiply exactly, and so all coefficients. Random polynomials enter
/// with [`BfvParams::tail`] standard deviations, which fails with less than
/// 2^[`BfvParams::LOG2_BEYOND`] a polynomial; those of a whole program add up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseSize {
    /// log2 of the standard deviation of coefficients.
    pub average: f64,
    /// log2 of the bound on |w(ζ)|.
    pub worst: f64,
}

/// log2(2^a + 2^b).
fn log2_sum(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp2().ln_1p() / std::f64::consts::LN_2 }
}

impl PhaseSize {
    /// 0.
    pub const ZERO: Self = Self { average: f64::NEG_INFINITY, worst: f64::NEG_INFINITY };

    /// The size of a sum: variances add in the mean, bounds at worst.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let average = log2_sum(2.0 * self.average, 2.0 * other.average) / 2.0;
        Self { average, worst: log2_sum(self.worst, other.worst) }
    }

    /// The size of 2^`log2`·x.
    #[must_use]
    pub fn scaled(self, log2: f64) -> Self {
        Self { average: self.average + log2, worst: self.worst + log2 }
    }

    /// The size of c·x for an integer c.
    #[must_use]
    pub fn times(self, c: i64) -> Self {
        self.scaled((c.unsigned_abs() as f64).log2())
    }

    /// No less than `least`, in the mean and at worst.
    #[must_use]
    pub fn at_least(self, least: Self) -> Self {
        Self { average: self.average.max(least.average), worst: self.worst.max(least.worst) }
    }

    /// The size of a product in a ring of degree N: Σ of N products of coefficients.
    #[must_use]
    pub fn product(self, other: Self, degree: usize) -> Self {
        let average = self.average + other.average + (degree as f64).log2() / 2.0;
        Self { average, worst: self.worst + other.worst }
    }
}

impl BfvParams {
    /// log2 of how seldom, negative, a complex Gaussian exceeds [`Self::tail`] at some of N roots.
    pub const TAIL_BITS: f64 = 149.0;

    /// log2 of the probability that a random polynomial exceeds its bound at some root, at most.
    pub const LOG2_BEYOND: f64 = -143.0;

    /// t = √(149·ln 2 + ln N): |w(ζ)| ≤ t·√N·σ at all roots ζ but for less than 2^-143, where w has N independent
    /// coefficients of the variance σ².
    ///
    /// Were w(ζ) a complex Gaussian of variance N·σ², each root would exceed it with e^(−t²) = 2^-149/N. Coefficients c
    /// are uniform, with E e^(λc) ≤ e^(λ²σ²/2), or rounded Gaussians, where σ² + 1/12 has that place. The part of w(ζ)
    /// in any direction is a sum of such, whose variances add up to N·σ²/2; the mean of e^(2t·part/(√N·σ)) over all
    /// directions is I_0(2t·|w(ζ)|/(√N·σ)), so that by Markov's inequality P(|w(ζ)| > t·√N·σ) ≤ e^(t²)/I_0(2t²) <
    /// 2√π·t·e^(−t²). That is 2^-144.6 for the N/2 pairs of conjugate roots, and 1.3 bits more where σ = 3.19 is
    /// rounded.
    ///
    /// It is one polynomial's: a result for which k random polynomials were bounded is wrong with up to k times that.
    #[must_use]
    pub fn tail(&self) -> f64 {
        Self::tail_of(self.degree())
    }

    /// The same of a degree.
    #[must_use]
    pub fn tail_of(degree: usize) -> f64 {
        (Self::TAIL_BITS * std::f64::consts::LN_2 + (degree as f64).ln()).sqrt()
    }

    /// The size of random coefficients of this variance.
    #[must_use]
    pub fn random_size(&self, variance: f64) -> PhaseSize {
        let average = variance.log2() / 2.0;
        PhaseSize { average, worst: average + (self.degree() as f64).log2() / 2.0 + self.tail().log2() }
    }

    /// The size of any message modulo `modulus`: coefficients up to half of it.
    #[must_use]
    pub fn message_size(&self, modulus: u64) -> PhaseSize {
        let (modulus, degree) = ((modulus as f64).log2(), (self.degree() as f64).log2());
        PhaseSize { average: modulus - 12f64.log2() / 2.0, worst: modulus - 1.0 + degree }
    }

    /// The size of r_0 + r_1·s with r uniform within ±`unit`/2, which rounding to multiples of `unit` adds to a phase.
    #[must_use]
    pub fn rounding_size(&self, unit: f64) -> PhaseSize {
        let weight = self.mean_weight();
        let average = ((1.0 + weight) / 12.0).log2() / 2.0;
        let roots = self.random_size(1.0 / 12.0).worst;
        let worst = roots + (1.0 + (weight * self.max_slot_value()).sqrt()).log2();
        PhaseSize { average, worst }.scaled(unit.log2())
    }

    /// The least w that is told of a ciphertext modulo p^`exponent`: what a division leaves. Encryptions and all else
    /// that is computed have more; what has none, as 0·x, is not told apart, so that no budget is beyond all bounds.
    #[must_use]
    pub fn least_size(&self, exponent: u32) -> PhaseSize {
        self.rounding_size(self.power(exponent) as f64)
    }

    /// The size of the error that a key switch at `level` adds to w, for a plaintext modulus t = p^`exponent`; in BFV w
    /// is t times the phase.
    #[must_use]
    pub fn switch_size(&self, level: usize, exponent: u32, bfv: bool) -> PhaseSize {
        let modulus = self.power(exponent) as f64;
        let (gadget, unit, factor) =
            if bfv { (self.gadget_of(0), 1.0, modulus) } else { (self.gadget_of(exponent), modulus, 1.0) };
        let rounding = (1.0 + self.mean_weight()) / 12.0 * unit * unit;
        let total = gadget.variance(self.ring(), level + 1, self.errors(), self.mean_weight() as usize);
        let mut keyed = self.random_size((total - rounding).max(0.0));
        // Σ d_j·e_j of random polynomials: given the d_j, each within its bound, it has such coefficients again.
        keyed.worst += self.tail().log2();
        keyed.plus(self.rounding_size(unit)).scaled(factor.log2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_add() {
        assert!((log2_sum(3.0, 3.0) - 4.0).abs() < 1e-12);
        assert_eq!(log2_sum(f64::NEG_INFINITY, 2.0), 2.0);
        assert_eq!(log2_sum(900.0, -900.0), 900.0);
        let x = PhaseSize { average: 2.0, worst: 5.0 };
        assert_eq!(x.plus(PhaseSize::ZERO), x);
        assert_eq!(x.times(-8), PhaseSize { average: 5.0, worst: 8.0 });
        assert_eq!(x.product(x, 16), PhaseSize { average: 6.0, worst: 10.0 });
    }
}
