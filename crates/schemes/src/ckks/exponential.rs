//! x ↦ exp(2πix) on an interval, as a polynomial and squarings.
//!
//! The choices of [`Exponential::choose`] (doublings, degree, levels, relinearisations), by the bound K and the error:
//!
//! | K | 2^-20 | 2^-30 | 2^-40 |
//! |---|---|---|---|
//! | 8 | 2, 26, 7, 10 | 2, 31, 7, 12 | 1, 53, 7, 13 |
//! | 10 | 2, 31, 7, 12 | 1, 55, 7, 13 | 1, 61, 7, 15 |
//! | 12 | 1, 57, 7, 14 | 1, 63, 7, 16 | 0, 114, 7, 17 |
//! | 14 | 0, 112, 7, 17 | 0, 121, 7, 18 | 2, 49, 8, 14 |
//! | 16 | 0, 126, 7, 19 | 3, 31, 8, 13 | 2, 53, 8, 14 |
//! | 20 | 3, 31, 8, 13 | 2, 56, 8, 14 | 2, 61, 8, 16 |
//! | 25 | 2, 59, 8, 15 | 1, 111, 8, 18 | 1, 118, 8, 18 |
//! | 28 | 1, 113, 8, 18 | 1, 121, 8, 19 | 0, 227, 8, 25 |
//! | 32 | 1, 127, 8, 21 | 0, 244, 8, 26 | 0, 254, 8, 28 |

use super::CkksError;
use crate::polyeval::{ArithmeticCircuit, PolynomialBasis, Weights};
use core::f64::consts::TAU;
use num_complex::Complex64;

/// The most squarings: each costs a level and a bit of precision.
pub const MAX_DOUBLINGS: u32 = 8;

/// exp(2πix) for x ∈ [−K, K] from t = x/K: P(t)^(2^r), where P is the Chebyshev series of exp(iAt), A = 2πK/2^r, up to
/// T_d: J_0(A) + 2·Σ_{n≥1} i^n·J_n(A)·T_n(t).
///
/// P is off by at most δ = 2·Σ_{n>d} |J_n(A)|, the result by (1 + δ)^(2^r) − 1; noise in P is multiplied by 2^r too.
///
/// x is the whole phase m/p + e + I: under a ternary key of h nonzero coefficients it is a sum of h + 1 numbers of
/// [−1/2, 1/2], and beyond K the result is wrong. So K = (h + 1)/2 is never exceeded ([`Exponential::for_key`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    bound: f64,
    doublings: u32,
    degree: usize,
}

impl Exponential {
    /// On [−`bound`, `bound`] with an error of at most 2^`log2_error`: of the fewest levels, and then of the least
    /// [`ArithmeticCircuit::cost`] by the default weights.
    ///
    /// # Errors
    /// If the bound is not in [1/2, 1024], or log2 of the error not in [−40, −1] (coefficients are `f64`).
    pub fn choose(bound: f64, log2_error: f64) -> Result<Self, CkksError> {
        let mut best: Option<(usize, f64, Self)> = None;
        for doublings in 0..=MAX_DOUBLINGS {
            let candidate = Self::with_doublings(bound, doublings, log2_error)?;
            let fewest = best.map_or(usize::MAX, |(depth, ..)| depth);
            if candidate.depth() > fewest {
                continue;
            }
            let cost = candidate.circuit().cost(&Weights::default());
            if best.is_none_or(|(depth, least, _)| (candidate.depth(), cost) < (depth, least)) {
                best = Some((candidate.depth(), cost, candidate));
            }
        }
        Ok(best.expect("no squarings are a choice").2)
    }

    /// [`Exponential::choose`] with K = (h + 1)/2, which no phase under a ternary key of h = `weight` nonzero
    /// coefficients exceeds.
    ///
    /// A K that phases exceed rarely would be smaller: 14.9 for 2^-80 and 2^16 phases under a key of weight 32, 20.5 at
    /// weight 40. But the depth is the same, and what can't happen needs no promise.
    ///
    /// # Errors
    /// Those of [`Exponential::choose`].
    pub fn for_key(weight: usize, log2_error: f64) -> Result<Self, CkksError> {
        Self::choose(0.5 * (weight + 1) as f64, log2_error)
    }

    /// [`Exponential::choose`] with a given number r of squarings: of the least degree.
    ///
    /// # Errors
    /// Those of [`Exponential::choose`].
    ///
    /// # Panics
    /// If there are more than [`MAX_DOUBLINGS`].
    pub fn with_doublings(bound: f64, doublings: u32, log2_error: f64) -> Result<Self, CkksError> {
        assert!(doublings <= MAX_DOUBLINGS, "{doublings} squarings");
        if !(0.5..=1024.0).contains(&bound) || !(-40.0..=-1.0).contains(&log2_error) {
            return Err(CkksError::Exponential { bound, log2_error });
        }
        let bessel = bessel(frequency(bound, doublings));
        let (mut tail, mut degree) = (0.0, bessel.len() - 1);
        while degree > 0 && total_error(tail + 2.0 * bessel[degree].abs(), doublings) <= log2_error.exp2() {
            tail += 2.0 * bessel[degree].abs();
            degree -= 1;
        }
        Ok(Self { bound, doublings, degree })
    }

    /// K.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The number r of squarings.
    pub fn doublings(&self) -> u32 {
        self.doublings
    }

    /// The degree d of the series.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Levels: ⌈log2(d+1)⌉ + r.
    pub fn depth(&self) -> usize {
        ((self.degree + 1).next_power_of_two().ilog2() + self.doublings) as usize
    }

    /// The error's bound, of the series alone.
    pub fn error(&self) -> f64 {
        let tail: f64 =
            bessel(frequency(self.bound, self.doublings))[self.degree + 1..].iter().map(|j| 2.0 * j.abs()).sum();
        total_error(tail, self.doublings)
    }

    /// The Chebyshev coefficients of exp(iAt), accurate to 1e-15 or so.
    pub fn coefficients(&self) -> Vec<Complex64> {
        let bessel = bessel(frequency(self.bound, self.doublings));
        let scaled = |(n, j): (usize, &f64)| Complex64::I.powu(n as u32 % 4) * j * if n == 0 { 1.0 } else { 2.0 };
        bessel.iter().take(self.degree + 1).enumerate().map(scaled).collect()
    }

    /// t ↦ exp(2πiKt).
    pub fn circuit(&self) -> ArithmeticCircuit {
        ArithmeticCircuit::polynomials(PolynomialBasis::Chebyshev, &[self.coefficients()]).squared(self.doublings)
    }
}

/// A = 2πK/2^r.
fn frequency(bound: f64, doublings: u32) -> f64 {
    TAU * bound / f64::from(1u32 << doublings)
}

/// (1 + δ)^(2^r) − 1.
fn total_error(error: f64, doublings: u32) -> f64 {
    (f64::from(1u32 << doublings) * error.ln_1p()).exp_m1()
}

/// J_0(a), J_1(a), … until they are below 1e-18, for 0.01 ≤ a ≤ 7000.
///
/// By Miller's algorithm: J_{n−1} = 2n/a·J_n − J_{n+1} downwards, which is stable, from where J_n vanishes; the scale
/// is that of J_0² + 2·Σ J_n² = 1, whose terms do not cancel, and the sign that of J_n > 0 for n > a.
fn bessel(a: f64) -> Vec<f64> {
    let start = (a + 30.0 * a.cbrt() + 60.0) as usize;
    let mut values = vec![0.0; start + 2];
    values[start] = 1e-280;
    for n in (1..=start).rev() {
        values[n - 1] = 2.0 * n as f64 / a * values[n] - values[n + 1];
    }
    let largest = values.iter().fold(0.0, |largest, value| f64::max(largest, value.abs()));
    values.iter_mut().for_each(|value| *value /= largest);
    let squares: f64 = values[1..].iter().rev().map(|value| 2.0 * value * value).sum();
    let norm = (squares + values[0] * values[0]).sqrt();
    values.iter_mut().for_each(|value| *value /= norm);
    values.truncate(values.iter().rposition(|value| value.abs() >= 1e-18).map_or(1, |last| last + 1));
    values
}

#[cfg(test)]
mod tests {
    use super::{Exponential, bessel, frequency};
    use crate::ckks::CkksError;
    use core::f64::consts::TAU;
    use num_complex::Complex64;

    /// Reference values from the power series in 400-digit arithmetic.
    #[test]
    #[allow(clippy::excessive_precision, reason = "reference values as they were computed")]
    fn bessel_functions() {
        for (a, n, expected) in [
            (0.0125, 0, 9.99960937881468114874e-01),
            (0.0125, 1, 6.24987793048222602804e-03),
            (0.0125, 3, 4.06897068039203744461e-08),
            (1.0, 0, 7.65197686557966605392e-01),
            (1.0, 1, 4.40050585744933497878e-01),
            (1.0, 5, 2.49757730211234442973e-04),
            (6.25, 0, 2.13090053076660734810e-01),
            (6.25, 3, 3.91396078501386121551e-02),
            (6.25, 20, 2.02638389999198522859e-09),
            (39.0, 0, 1.11357697954867121415e-01),
            (39.0, 1, 6.40561036886893447884e-02),
            (39.0, 17, -1.22150996153377586206e-01),
            (39.0, 39, 1.31888454491210144193e-01),
            (39.0, 60, 4.13426828929786939502e-08),
            (100.5, 0, 5.44365738144135941079e-02),
            (100.5, 50, -6.70264938274396232520e-02),
            (100.5, 99, 1.23742272107183776120e-01),
            (100.5, 130, 1.54297955621397523381e-08),
            (201.0, 0, 3.72293657218321361047e-02),
            (201.0, 1, -4.21121067687391312240e-02),
            (201.0, 2, -3.76483916598295415001e-02),
            (201.0, 100, 5.15300832291912883076e-02),
            (201.0, 200, 8.82580335270993499019e-02),
            (201.0, 240, 3.73527342397099468195e-09),
        ] {
            let found = bessel(a)[n];
            assert!((found - expected).abs() < 1e-15, "J_{n}({a}) = {found}, not {expected}");
        }
    }

    #[test]
    fn the_error_is_kept() {
        for bound in [0.5, 1.0, 3.7, 8.0, 12.0, 16.0, 25.0, 32.0] {
            for log2_error in [-10.0, -20.0, -30.0, -40.0] {
                for doublings in 0..=5 {
                    let exponential = Exponential::with_doublings(bound, doublings, log2_error).unwrap();
                    assert!(exponential.error() <= log2_error.exp2());
                    let circuit = exponential.circuit();
                    assert_eq!(circuit.depth(), exponential.depth());
                    let off = |i: i32| {
                        let t = f64::from(i) / 200.0;
                        (circuit.eval(&[t.into()])[0] - Complex64::from_polar(1.0, TAU * bound * t)).norm()
                    };
                    let worst = (-200..=200).map(off).fold(0.0, f64::max);
                    assert!(worst <= log2_error.exp2() + 1e-12, "{bound} {log2_error} {doublings}: {worst}");
                    assert!(worst > 1e-4 * log2_error.exp2(), "{bound} {log2_error} {doublings}: {worst}, too good");
                }
            }
        }
    }

    /// The degrees of the literature, for an error of 2^-30.
    #[test]
    fn degrees() {
        for (bound, doublings, degree) in [
            (25.0, 2, 66),
            (25.0, 3, 41),
            (25.0, 4, 28),
            (16.0, 1, 78),
            (16.0, 2, 48),
            (16.0, 3, 31),
            (12.0, 1, 63),
            (12.0, 2, 40),
            (8.0, 2, 31),
        ] {
            assert_eq!(
                Exponential::with_doublings(bound, doublings, -30.0).unwrap().degree(),
                degree,
                "{bound} {doublings}"
            );
        }
        let exponential = Exponential::choose(12.0, -30.0).unwrap();
        assert_eq!(exponential.depth(), 7);
    }

    /// The keys of the shipped sets: a bound that is never exceeded takes no more levels than the K = 14.875 that
    /// phases under a key of weight 32 exceed with 2^-80.
    #[test]
    fn bounds_of_keys() {
        for (weight, log2_error, depth) in [(40, -33.0, 8), (40, -40.0, 8), (32, -33.0, 8)] {
            let exponential = Exponential::for_key(weight, log2_error).unwrap();
            assert_eq!(exponential.bound(), (weight as f64 + 1.0) / 2.0);
            assert_eq!(exponential.depth(), depth, "{weight} {log2_error}");
        }
        assert_eq!(Exponential::choose(14.875, -33.0).unwrap().depth(), 8);
    }

    /// The table of the module's documentation.
    #[test]
    fn table() {
        let mut table = String::new();
        for bound in [8.0, 10.0, 12.0, 14.0, 16.0, 20.0, 25.0, 28.0, 32.0] {
            table += &format!("//! | {bound} |");
            for log2_error in [-20.0, -30.0, -40.0] {
                let e = Exponential::choose(bound, log2_error).unwrap();
                let products = e.circuit().total_counts().relinearisations;
                table += &format!(" {}, {}, {}, {products} |", e.doublings(), e.degree(), e.depth());
            }
            table += "\n";
        }
        println!("{table}");
        assert!(include_str!("exponential.rs").contains(&table), "the documentation has another table");
    }

    #[test]
    fn errors() {
        for (bound, log2_error) in [(0.4, -30.0), (f64::NAN, -30.0), (2000.0, -30.0), (8.0, -41.0), (8.0, 0.0)] {
            assert!(matches!(Exponential::choose(bound, log2_error), Err(CkksError::Exponential { .. })));
        }
        assert_eq!(frequency(8.0, 3), TAU);
    }
}
