//! Digits as characters, and what these err by.
use std::f64::consts::TAU;

use num_complex::Complex64;

/// Balanced digits modulo 3 of |e| ≤ 40.
pub(super) const DIGITS: u32 = 4;

/// Characters of the digits of −P/2 ≤ e < P/2, as polynomials of z of degree 2P − 1: with c the coefficients of their
/// interpolations, Σ_k c_k·z^k·(1 + (k/P)·(1 − z^P)), whose derivatives are 0 where z^P = 1.
pub(super) fn characters(residues: u64) -> Vec<Vec<Complex64>> {
    let p = residues as i64;
    let of_digit = |i| {
        let character = |e| Complex64::cis(TAU * f64::from(digit(e, i)) / 3.0);
        let values: Vec<(i64, Complex64)> = (-p / 2..p - p / 2).map(|e| (e, character(e))).collect();
        let coefficient = |k: i64| {
            let term = |(e, value): &(i64, Complex64)| value * Complex64::cis(-TAU * (e * k % p) as f64 / p as f64);
            values.iter().map(term).sum::<Complex64>() / p as f64
        };
        let interpolation: Vec<Complex64> = (0..p).map(coefficient).collect();
        let part = |k: usize| k as f64 / p as f64;
        let low = interpolation.iter().enumerate().map(|(k, c)| c * (1.0 + part(k)));
        low.chain(interpolation.iter().enumerate().map(|(k, c)| -c * part(k))).collect()
    };
    (0..DIGITS).map(of_digit).collect()
}

/// The i-th balanced digit modulo 3.
fn digit(mut e: i64, i: u32) -> i32 {
    let balanced = |e: i64| (e + 1).rem_euclid(3) - 1;
    for _ in 0..i {
        e = (e - balanced(e)) / 3;
    }
    balanced(e) as i32
}

/// By what of |δ|² characters of ω·(1 + δ) err, at most, for all ω^P = 1 and |δ| ≤ `error`: half of the second
/// derivative, −k·(k + P)/2 for z^k, and a bound of the third, of degree 2P − 1 on a circle of 1 + |δ|.
pub(super) fn curvature(residues: u64, error: f64) -> f64 {
    let (all, p) = (characters(residues), residues as f64);
    let low = |c: &[Complex64]| -> Vec<(f64, Complex64)> {
        c[..residues as usize].iter().enumerate().map(|(k, c)| (k as f64, c / (1.0 + k as f64 / p))).collect()
    };
    let second = |c: &[Complex64], e: u64| {
        let root = |k: f64| Complex64::cis(TAU * (e as f64 * k) / p);
        low(c).into_iter().map(|(k, c)| c * root(k) * (0.5 * k * (k + p))).sum::<Complex64>().norm()
    };
    let third = |c: &[Complex64]| {
        let of = |k: f64| (1.0 + k / p) * k.powi(3) + k / p * (k + p).powi(3);
        low(c).into_iter().map(|(k, c)| c.norm() * of(k) / 6.0).sum::<f64>() * (1.0 + error).powf(2.0 * p)
    };
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    most(&mut all.iter().flat_map(|c| (0..residues).map(|e| second(c, e))))
        + error * most(&mut all.iter().map(|c| third(c)))
}

/// By what of |η|³ the cleaned (1 + η)·(14 − 7·(1 + η)³ + 2·(1 + η)⁶)/9 errs, at most, for |η| ≤ `error`: it is
/// 1 + 14/3·(η³ + 3/2·η⁴ + η⁵ + η⁶/3 + η⁷/21).
pub(super) fn cubed(error: f64) -> f64 {
    14.0 / 3.0 * [1.0, 1.5, 1.0, 1.0 / 3.0, 1.0 / 21.0].iter().rev().fold(0.0, |sum, c| sum * error + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_the_number() {
        for e in -40i64..=40 {
            let sum: i64 = (0..DIGITS).map(|i| 3i64.pow(i) * i64::from(digit(e, i))).sum();
            assert_eq!(sum, e);
        }
    }

    #[test]
    fn characters_are_flat() {
        for p in [44, 48, 64] {
            for (i, polynomial) in characters(p).iter().enumerate() {
                assert_eq!(polynomial.len(), 2 * p as usize);
                let value = |z: Complex64| polynomial.iter().rev().fold(Complex64::ZERO, |sum, c| sum * z + c);
                for e in -(p as i64) / 2..p as i64 / 2 {
                    let z = Complex64::cis(TAU * e as f64 / p as f64);
                    let right = Complex64::cis(TAU * f64::from(digit(e, i as u32)) / 3.0);
                    assert!((value(z) - right).norm() < 1e-12);
                    for error in [Complex64::new(1e-7, 0.0), Complex64::new(0.0, 1e-7)] {
                        assert!((value(z * (1.0 + error)) - right).norm() < 1e-14 * (p * p * 8) as f64);
                    }
                }
            }
        }
    }

    #[test]
    fn errors_are_bounded() {
        for p in [44, 48, 81] {
            for (i, polynomial) in characters(p).iter().enumerate() {
                let value = |z: Complex64| polynomial.iter().rev().fold(Complex64::ZERO, |sum, c| sum * z + c);
                for error in [1e-5, 1e-3, 1e-2] {
                    let most = curvature(p, error) * error * error + 1e-11;
                    for (e, direction) in
                        (-(p as i64) / 2..(p as i64 + 1) / 2).flat_map(|e| (0..8).map(move |d| (e, d)))
                    {
                        let delta = Complex64::from_polar(error, TAU * f64::from(direction) / 8.0);
                        let z = Complex64::cis(TAU * e as f64 / p as f64) * (1.0 + delta);
                        let right = Complex64::cis(TAU * f64::from(digit(e, i as u32)) / 3.0);
                        assert!((value(z) - right).norm() <= most, "{p} {e}: {} of {most}", (value(z) - right).norm());
                    }
                }
            }
        }
        // Cleaning errs the most in the direction of 1.
        for error in [1e-4, 1e-2, 0.3] {
            let most = cubed(error) * error.powi(3);
            for direction in 0..8 {
                let z = 1.0 + Complex64::from_polar(error, TAU * f64::from(direction) / 8.0);
                let left = (z * (14.0 - 7.0 * z.powi(3) + 2.0 * z.powi(6)) / 9.0 - 1.0).norm();
                assert!(left <= most * (1.0 + 1e-9) + 1e-15, "{error}: {left} of {most}");
                assert!(direction > 0 || left > 0.99 * most - 1e-15, "{error}: {left} of {most}");
            }
        }
    }
}
