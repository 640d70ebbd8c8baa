//! How often Gaussian noise leaves its window, in log2 so that 2^-128 and 2^-5000 are ordinary numbers.

use core::f64::consts::{LN_2, PI, SQRT_2};
use std::cell::RefCell;
use std::collections::HashMap;

/// Below this argument erfc comes from the series of erf, above it from the continued fraction.
const SERIES_END: f64 = 2.5;

/// log2 erfc(x), erfc(x) = 2/√π·∫ₓ^∞ exp(−t²) dt.
///
/// Accurate to 1e-10 absolute (relative where the value exceeds 1 in size) for every finite x; −∞ for x = +∞.
pub fn log2_erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < SERIES_END {
        return if x < -6.0 { 1.0 } else { (1.0 - erf_series(x)).log2() };
    }
    if x == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    // erfc(x) = exp(−x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))).
    // Its relative error falls as exp(−x·√8k).
    let terms = (20.0 / x).powi(2) as u32 + 8;
    let mut tail = x;
    for k in (1..=terms).rev() {
        tail = x + f64::from(k) * 0.5 / tail;
    }
    -x * x / LN_2 - tail.log2() - 0.5 * PI.log2()
}

/// erf(x) = 2/√π·exp(−x²)·Σ 2^k x^(2k+1)/(1·3·…·(2k+1)), all terms of one sign, for |x| ≤ 6.
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut k = 1.0;
    while term.abs() > 1e-18 * sum.abs() {
        term *= 2.0 * x * x / (2.0 * k + 1.0);
        sum += term;
        k += 1.0;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// log2 P(|X| > half_window) for X Gaussian of mean 0 and standard deviation `std` ≥ 0.
///
/// 0 for an empty window, −∞ where there is no noise.
pub fn log2_failure(half_window: f64, std: f64) -> f64 {
    if half_window <= 0.0 {
        return 0.0;
    }
    log2_erfc(half_window / (std * SQRT_2))
}

/// log2 of how many results somebody may pick from by their masks: the bound below holds for the one that is picked.
const LOG2_PICKED: f64 = 40.0;

/// log2 of a bound on P(|X| > half_window) for X normal of variance `normal` and Σ e_i·x_i of as much variance as
/// `products`, of k = `count` products of normal variables: much more often large than a normal one, since all x_i may
/// be.
///
/// x_i are digits of a mask times a binary key: half of their squares is public, of P_i = digits times the key's mean.
/// Of 2^40 results the largest ΣP_i² is m times its mean, at most: m − 1 − ln m = 80·ln 2/k. With that the bound is
/// Chernoff's, the least over λ of 2·E\[exp(λX)\]·exp(−λ·half_window), where with v the variance of all products
///
/// E\[exp(λX)\] = exp(λ²/2·(normal + m·v/2/q))·q^(−k/2),   q = 1 − λ²·v/2k.
pub fn log2_failure_of_products(half_window: f64, normal: f64, products: f64, count: usize) -> f64 {
    if half_window <= 0.0 {
        return 0.0;
    }
    let (k, half) = (count as f64, products / 2.0);
    // m by bisection: the left side grows from m = 1 on.
    let needed = 2.0 * LOG2_PICKED * LN_2 / k;
    let (mut low, mut high) = (1.0, 4.0 + 2.0 * needed);
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        if middle - 1.0 - middle.ln() < needed { low = middle } else { high = middle }
    }
    let public = high * half;
    let exponent = |lambda: f64| {
        let square = lambda * lambda;
        let q = 1.0 - square * half / k;
        -lambda * half_window + 0.5 * square * (normal + public / q) - 0.5 * k * q.ln()
    };
    // Convex in λ, which ends where q is 0: of an error of 2^-35 in λ that of the least is 2^-70.
    let (mut low, mut high) = (0.0, (k / half).sqrt());
    for _ in 0..60 {
        let [left, right] = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
        if exponent(left) <= exponent(right) || exponent(right).is_nan() { high = right } else { low = left }
    }
    (1.0 + exponent(low) / LN_2).min(0.0)
}

/// Failures of FHEW/TFHE on average over keys.
///
/// Its formulas are means over keys, and for one key variances are others: that of a key switch is in proportion to Σe²
/// of its rows' noise e, that of dropped digits and of floating-point errors to the weight of the short secret. Their
/// relative standard deviation is s ≤ 2.7 % with all sets that clients use, so that the mean of failures is
/// e^((s·x²/2)²/2) times that of the mean variance, at x standard deviations. At 2^-136 and above (x²/2 ≤ 93) that is
/// at most what 3 % more variance make.
pub mod over_keys {
    /// The factor that the mean variance counts with.
    const FACTOR: f64 = 1.03;

    /// The variance that the mean variance counts as.
    pub fn counted(variance: f64) -> f64 {
        FACTOR * variance
    }

    /// [`super::log2_failure`] for the standard deviation that is predicted, on average over keys.
    pub fn log2_failure(half_window: f64, std: f64) -> f64 {
        super::log2_failure(half_window, std * FACTOR.sqrt())
    }

    /// The inverse, [`super::sigmas_for`]: so many predicted standard deviations are needed.
    pub fn sigmas_for(log2_p: f64) -> f64 {
        super::sigmas_for(log2_p) * FACTOR.sqrt()
    }
}

/// log2 Σ 2^(pᵢ): the union bound of failures given as logarithms. −∞ for none. It may exceed 0.
pub fn sum_log2(log2_probabilities: &[f64]) -> f64 {
    let largest = log2_probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        return largest;
    }
    let sum: f64 = log2_probabilities.iter().map(|p| (p - largest).exp2()).sum();
    largest + sum.log2()
}

/// The s with log2 P(|X| > s·std) = `log2_p`, the inverse of [`log2_failure`] at `std` = 1. 0 for `log2_p` ≥ 0.
///
/// A plan asks for the same few probabilities thousands of times: what a thread has found, it knows.
pub fn sigmas_for(log2_p: f64) -> f64 {
    const MOST: usize = 1 << 12;
    thread_local! {
        static KNOWN: RefCell<HashMap<u64, f64>> = RefCell::default();
    }
    if log2_p >= 0.0 {
        return 0.0;
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() == MOST {
            known.clear();
        }
        *known.entry(log2_p.to_bits()).or_insert_with(|| root(log2_p))
    })
}

/// [`sigmas_for`] of a probability below 1.
fn root(log2_p: f64) -> f64 {
    // erfc(x) ≤ exp(−x²), so the root is at most √(−2 ln p).
    let mut low = 0.0;
    let mut high = (-2.0 * LN_2 * log2_p).sqrt();
    if high.is_infinite() {
        return high;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if log2_failure(middle, 1.0) > log2_p {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::{LN_2, log2_erfc, log2_failure, log2_failure_of_products, sigmas_for, sum_log2};

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{found} instead of {expected}");
    }

    /// Reference values to 18 digits from 40-digit arithmetic (mpmath).
    #[test]
    #[allow(clippy::excessive_precision, reason = "reference values as they were computed")]
    fn erfc_table() {
        for (x, expected) in [
            (-3.0, 0.999984064986761432),
            (-1.0, 0.881821833545219783),
            (0.0, 0.0),
            (0.1, -0.172120693964328648),
            (0.5, -1.06039691201415567),
            (1.0, -2.6684166967815996),
            (2.0, -7.739974157122987),
            (2.4, -10.5042266062079282),
            (2.6, -12.0487151431145184),
            (3.0, -15.4662145971954733),
            (5.0, -39.2425884551153062),
            (9.16, -125.079761353429576),
            (10.0, -148.424305703350614),
            (20.0, -582.227490282927621),
            (40.0, -2314.46019207248658),
            (60.0, -5200.43498616539739),
        ] {
            close(log2_erfc(x), expected);
        }
        assert_eq!(log2_erfc(-40.0), 1.0);
        assert_eq!(log2_erfc(f64::INFINITY), f64::NEG_INFINITY);
    }

    #[test]
    #[allow(clippy::excessive_precision, reason = "reference values as they were computed")]
    fn failure_table() {
        for (sigmas, expected) in [
            (1.0, -1.65603279742410609),
            (2.0, -4.45798127697188487),
            (3.0, -8.53293385132494941),
            (6.0, -28.9168337281887448),
            (9.16, -64.0629019320455579),
        ] {
            close(log2_failure(sigmas, 1.0), expected);
            close(log2_failure(sigmas * 2f64.powi(-30), 2f64.powi(-30)), expected);
        }
        assert_eq!(log2_failure(0.0, 1.0), 0.0);
        assert_eq!(log2_failure(0.0, 0.0), 0.0);
        assert_eq!(log2_failure(1.0, 0.0), f64::NEG_INFINITY);
    }

    #[test]
    #[allow(clippy::excessive_precision, reason = "reference values as they were computed")]
    fn sigmas_table() {
        for (p, expected) in [
            (-1.0, 0.674489750196081743),
            (-2.0, 1.15034938037600818),
            (-10.0, 3.29719334569196334),
            (-32.0, 6.33795775455378925),
            (-40.0, 7.14355203435218933),
            (-64.0, 9.15529377268607255),
            (-80.0, 10.2845611133978584),
            (-128.0, 13.1086261744801796),
            (-256.0, 18.6703028471104038),
            (-1000.0, 37.1296713891504337),
        ] {
            close(sigmas_for(p), expected);
        }
        assert_eq!(sigmas_for(0.0), 0.0);
        assert_eq!(sigmas_for(f64::NEG_INFINITY), f64::INFINITY);
    }

    #[test]
    fn the_two_branches_meet_and_the_curve_falls() {
        close(log2_erfc(2.5 - 1e-14), log2_erfc(2.5));
        let mut last = 1.0;
        for i in 0..6000 {
            let value = log2_erfc(-2.0 + f64::from(i) * 0.01);
            assert!(value < last);
            last = value;
        }
    }

    /// A bound on a normal variable whose variance is a constant and a part of χ²_k, integrated over that; next to a
    /// normal one where products are few; and the picked one of a default plan is known (2^-58 by another estimate).
    #[test]
    fn products_are_large_more_often() {
        let (normal, products, window) = (0.5, 0.5, 14.0);
        for count in [2, 6, 22, 1000] {
            let k = count as f64;
            // ∫ of the density of χ²_k at x times P(|X| > window) given Q = x/k; Γ(k/2) of an even k.
            let ln_gamma: f64 = (1..count / 2).map(|i| (i as f64).ln()).sum();
            let density = |x: f64| (0.5 * k - 1.0) * x.log2() - 0.5 * x / LN_2 - 0.5 * k - ln_gamma / LN_2;
            let terms = (1..40_000)
                .map(|i| f64::from(i) * 0.05)
                .map(|x| density(x) + log2_failure(window, (normal + products * x / k).sqrt()) + 0.05f64.log2());
            let mixture = sum_log2(&terms.collect::<Vec<_>>());
            let bound = log2_failure_of_products(window, normal, products, count);
            println!("{count}: mixture 2^{mixture:.1}, bound 2^{bound:.1}");
            assert!(bound > mixture, "{count}: {bound} below {mixture}");
        }
        let bound = log2_failure_of_products(window, normal, products, 22);
        assert!((-62.0..-50.0).contains(&bound), "{bound}");
        let [few, none] = [log2_failure_of_products(window, 1.0, 1e-6, 22), log2_failure(window, 1.0)];
        assert!(few >= none && few < none + 6.0, "{few} {none}");
        assert_eq!(log2_failure_of_products(0.0, 1.0, 1.0, 4), 0.0);
    }

    #[test]
    fn sums() {
        assert_eq!(sum_log2(&[]), f64::NEG_INFINITY);
        assert_eq!(sum_log2(&[f64::NEG_INFINITY; 3]), f64::NEG_INFINITY);
        assert_eq!(sum_log2(&[-40.0]), -40.0);
        close(sum_log2(&[-3000.0; 8]), -2997.0);
        close(sum_log2(&[-10.0, -11.0, -11.0, f64::NEG_INFINITY]), -9.0);
    }
}
