//! Trigonometric Hermite interpolation of tables.

use crate::error::{CkksLutError, LutError};
use core::f64::consts::{FRAC_PI_2, TAU};
use num_complex::Complex64;

/// The most entries a table may have: coefficients take a time quadratic in it.
pub const MAX_ENTRIES: usize = 1 << 14;

/// A trigonometric polynomial T(x) = Re Σ_j c_j·z^j, z = exp(2πix), with T(k/p) = f(k) for every k of Z_p, and with its
/// derivatives up to `order` 0 there: so T(k/p + ε) = f(k) + O((pε)^(order+1)).
///
/// With f̂(j) = Σ_k f(k)·exp(−2πijk/p):
/// * order 1, degree p − 1: c_0 = f̂(0)/p and c_j = 2(p−j)/p²·f̂(j), a sum of Fejér kernels, so that T stays between the least
///   and the largest entry;
/// * order 2, degree p + ⌊p/2⌋: besides, c_i += w_i·f̂(i), c_{p−i} −= w_i/2·f̂(p−i) and c_{p+i} −= w_i/2·f̂(p+i) for
///   1 ≤ i ≤ ⌊p/2⌋ with w_i = 2i(p−i)/p³, half of it where 2i = p;
/// * order 3, degree 2p − 1: the same for 1 ≤ i < p with w_i = 2i(p−i)(2p−i)/(3p⁴).
///
/// Coefficients that are nothing but rounding errors are 0, so that the circuit of an even or a negacyclic table is cheaper.
/// (Alexandru, Kim, Polyakov, eprint 2024/1623.)
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolation {
    entries: usize,
    order: u32,
    coefficients: Vec<Complex64>,
}

impl Interpolation {
    /// The interpolation of the table f(k) = `values[k]`, finite numbers. O(p²) time.
    ///
    /// # Errors
    /// If the table has less than 2 or more than [`MAX_ENTRIES`] entries, or the order is not 1, 2 or 3.
    pub fn new(values: &[f64], order: u32) -> Result<Self, LutError> {
        let entries = values.len();
        if !(2..=MAX_ENTRIES).contains(&entries) {
            let max = MAX_ENTRIES as u64;
            return Err(LutError::Modulus { what: "number of entries", found: entries as u64, max });
        }
        let (length, middle) = match order {
            1 => (entries, 0),
            2 => (entries + entries / 2 + 1, entries / 2),
            3 => (2 * entries, entries - 1),
            found => return Err(CkksLutError::Order { found }.into()),
        };
        let transform = spectrum(values);
        let p = entries as f64;
        let mut coefficients = vec![Complex64::ZERO; length];
        for (j, (c, f)) in coefficients.iter_mut().zip(&transform).enumerate() {
            *c = f * (if j == 0 { 1.0 } else { 2.0 } * (p - j as f64) / (p * p));
        }
        for i in 1..=middle {
            let x = i as f64 / p;
            let weight = match order {
                2 if 2 * i == entries => x * (1.0 - x) / p,
                2 => 2.0 * x * (1.0 - x) / p,
                _ => 2.0 * x * (1.0 - x) * (2.0 - x) / (3.0 * p),
            };
            coefficients[i] += weight * transform[i];
            coefficients[entries - i] -= 0.5 * weight * transform[entries - i];
            coefficients[entries + i] -= 0.5 * weight * transform[i];
        }
        Ok(Self { entries, order, coefficients })
    }

    /// p.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many derivatives vanish.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// c_j, of a polynomial in the power basis whose real part is T. (Half of them, and the conjugate added, is the same.)
    pub fn coefficients(&self) -> &[Complex64] {
        &self.coefficients
    }

    /// Re Σ_j c_j·z^j.
    pub fn eval(&self, z: Complex64) -> f64 {
        self.coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * z + c).re
    }

    /// Σ_j c_j·(2πij/p)^n/n!·exp(2πijk/p) at each k: the coefficient of t^n of a point off by t/p turns, whose real
    /// part is that of T.
    pub fn taylor(&self, n: u32) -> Vec<Complex64> {
        let angle = TAU / self.entries as f64;
        // Factor by factor: neither powers nor factorials overflow.
        let factor = |j: f64| (1..=n).map(|i| j * angle / f64::from(i)).product::<f64>();
        let mut folded = vec![Complex64::ZERO; self.entries];
        for (j, c) in self.coefficients.iter().enumerate() {
            folded[j % self.entries] += factor(j as f64) * c;
        }
        fourier(&folded).into_iter().map(|x| x * Complex64::I.powu(n)).collect()
    }

    /// The n-th derivative of T(x) at each k/p.
    pub fn derivatives(&self, n: u32) -> Vec<f64> {
        let scale: f64 = (1..=n).map(|i| f64::from(i) * self.entries as f64).product();
        self.taylor(n).into_iter().map(|term| term.re * scale).collect()
    }

    /// C of T(k/p + ε) − f(k) = C·(pε)^(order+1) + … at each k: T^(order+1)(k/p)/((order+1)!·p^(order+1)). An estimate
    /// for small ε: the next terms may be larger, and C may be 0 where they are not.
    ///
    /// For order 1 and random entries in [0, p) the largest is 1.2p to 2.4p.
    pub fn curvatures(&self) -> Vec<f64> {
        self.taylor(self.order + 1).into_iter().map(|term| term.re).collect()
    }

    /// C of T − f(k) = C·ρ for a small radial error z = (1 + ρ)·exp(2πik/p), at each k: Re Σ_j j·c_j·z^j.
    ///
    /// Nothing flattens it: see [`crate::ckks::clean::modulus`].
    pub fn radial_errors(&self) -> Vec<f64> {
        let turn = self.entries as f64 / TAU;
        self.taylor(1).into_iter().map(|term| turn * term.im).collect()
    }

    /// Σ|c_j|²: what independent noise of equal variance in the powers z^j is multiplied by.
    pub fn norm_squared(&self) -> f64 {
        self.coefficients.iter().map(Complex64::norm_sqr).sum()
    }

    /// Σ|c_j|: what the worst noise in the powers z^j is multiplied by.
    pub fn norm_1(&self) -> f64 {
        self.coefficients.iter().map(|c| c.norm()).sum()
    }
}

/// f̂(j) = Σ_k f(k)·exp(−2πijk/p); 0 where it is less than its rounding errors.
fn spectrum(values: &[f64]) -> Vec<Complex64> {
    let negligible = 8.0 * f64::EPSILON * values.iter().map(|v| v.abs()).sum::<f64>();
    let values: Vec<Complex64> = values.iter().map(|&v| v.into()).collect();
    let kept = |sum: Complex64| if sum.norm() <= negligible { Complex64::ZERO } else { sum };
    let (mut transform, p) = (fourier(&values), values.len());
    for j in 0..=p / 2 {
        // Of real numbers.
        let sum = kept(transform[j]);
        transform[(p - j) % p] = sum;
        transform[j] = sum.conj();
    }
    transform
}

/// Σ_j values_j·exp(2πijk/p) at each k. O(p·Σ of the prime factors of p) time.
fn fourier(values: &[Complex64]) -> Vec<Complex64> {
    let p = values.len();
    let Some(factor) = (2..=p).find(|factor| p.is_multiple_of(*factor)) else {
        return values.to_vec();
    };
    let parts: Vec<_> =
        (0..factor).map(|r| fourier(&values.iter().skip(r).step_by(factor).copied().collect::<Vec<_>>())).collect();
    let roots = roots(p);
    let at = |k: usize| (0..factor).map(|r| roots[r * k % p] * parts[r][k % (p / factor)]).sum();
    (0..p).map(at).collect()
}

/// exp(2πik/p), of an angle within a quarter turn.
fn roots(p: usize) -> Vec<Complex64> {
    let root = |k: usize| {
        let (sin, cos) = (FRAC_PI_2 * (4 * k % p) as f64 / p as f64).sin_cos();
        Complex64::new(cos, sin) * Complex64::I.powu((4 * k / p) as u32)
    };
    (0..p).map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::Interpolation;
    use crate::{CkksLutError, LutError};
    use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
    use bootes_testkit::TestRng;
    use core::f64::consts::TAU;
    use num_complex::Complex64;

    fn table(p: usize) -> Vec<f64> {
        let mut rng = TestRng::new("interpolate", p as u64);
        (0..p).map(|_| rng.below(p as u64) as f64).collect()
    }

    fn at(x: f64) -> Complex64 {
        Complex64::from_polar(1.0, TAU * x)
    }

    fn largest(values: &[f64]) -> f64 {
        values.iter().fold(0.0, |largest, value| f64::max(largest, value.abs()))
    }

    #[test]
    fn values_and_vanishing_derivatives() {
        for p in (2..=256).chain((257..4096).step_by(173)).chain([4095, 4096]) {
            let f = table(p);
            let size = p as f64;
            for order in 1..=3 {
                let t = Interpolation::new(&f, order).unwrap();
                let degree = [p - 1, p + p / 2, 2 * p - 1][order as usize - 1];
                assert_eq!((t.entries(), t.order(), t.coefficients().len()), (p, order, degree + 1));
                let off: Vec<f64> = t.derivatives(0).iter().zip(&f).map(|(found, value)| found - value).collect();
                assert!(largest(&off) < 1e-11 * size, "{p} {order}: {}", largest(&off));
                for k in [0, 1, p / 2, p - 1] {
                    assert!((t.eval(at(k as f64 / size)) - f[k]).abs() < 1e-11 * size);
                }
                for n in 1..=order {
                    let scale = size * (TAU * size).powi(n as i32);
                    assert!(largest(&t.derivatives(n)) < 1e-12 * scale, "{p} {order} {n}");
                }
            }
        }
    }

    #[test]
    fn the_error_has_its_order() {
        for p in [2, 3, 5, 16, 37, 256, 1000] {
            let f = table(p);
            let size = p as f64;
            for order in 1..=3 {
                let t = Interpolation::new(&f, order).unwrap();
                let c = largest(&t.curvatures());
                // Order 1: C·p·(pε)² with C up to 2.4 in the long run.
                assert!(order > 1 || c <= 3.0 * size, "{p}: {c}");
                let mut worst: f64 = 0.0;
                for (k, value) in f.iter().enumerate() {
                    for e in [-0.01, 0.01] {
                        worst = worst.max((t.eval(at((k as f64 + e) / size)) - value).abs());
                    }
                }
                let law = c * 0.01f64.powi(order as i32 + 1);
                assert!((worst - law).abs() <= 0.1 * law + 1e-11 * size, "{p} {order}: {worst} {law}");
            }
        }
    }

    #[test]
    fn radial_errors_and_norms() {
        for p in [2, 3, 16, 100] {
            let f = table(p);
            for order in 1..=3 {
                let t = Interpolation::new(&f, order).unwrap();
                let rho = 1e-7;
                let off =
                    |(k, value): (usize, &f64)| (t.eval(at(k as f64 / p as f64) * (1.0 + rho)) - value).abs() / rho;
                let worst = f.iter().enumerate().map(off).fold(0.0, f64::max);
                assert!((worst - largest(&t.radial_errors())).abs() < 1e-4 * (1.0 + worst), "{p} {order}");
                assert!(t.norm_1().powi(2) >= t.norm_squared());
                assert!(t.norm_1() * 1.000_001 >= largest(&f));
            }
        }
    }

    #[test]
    fn order_1_stays_within_the_table() {
        let f = table(50);
        let t = Interpolation::new(&f, 1).unwrap();
        for i in 0..1000 {
            let value = t.eval(at(f64::from(i) / 1000.0));
            assert!((-1e-9..=largest(&f) + 1e-9).contains(&value));
        }
    }

    #[test]
    fn two_entries_are_a_squared_cosine() {
        let t = Interpolation::new(&[1.0, 0.0], 1).unwrap();
        assert_eq!(t.coefficients(), [Complex64::from(0.5), Complex64::from(0.5)]);
    }

    #[test]
    fn circuits() {
        let p = 64;
        let levels = |t: &Interpolation| {
            let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[t.coefficients().to_vec()]);
            for (k, value) in t.derivatives(0).iter().enumerate() {
                assert!((circuit.eval(&[at(k as f64 / p as f64)])[0].re - value).abs() < 1e-10);
            }
            (circuit.depth(), circuit.total_counts().multiply_adds)
        };
        let (depth, all) = levels(&Interpolation::new(&table(p), 1).unwrap());
        assert_eq!(depth, 6);
        // f(k + p/2) = −f(k) has odd powers only.
        let half = table(p / 2);
        let negacyclic: Vec<f64> = half.iter().copied().chain(half.iter().map(|v| -v)).collect();
        let t = Interpolation::new(&negacyclic, 1).unwrap();
        assert!(t.coefficients().iter().step_by(2).all(|&c| c == Complex64::ZERO));
        assert!(levels(&t).1 <= p / 2 && p / 2 < all);
    }

    #[test]
    fn errors() {
        assert!(matches!(Interpolation::new(&[1.0], 1), Err(LutError::Modulus { found: 1, .. })));
        assert!(matches!(Interpolation::new(&[1.0; (1 << 14) + 1], 1), Err(LutError::Modulus { .. })));
        assert!(matches!(Interpolation::new(&[1.0; 4], 0), Err(LutError::Ckks(CkksLutError::Order { found: 0 }))));
        assert!(matches!(Interpolation::new(&[1.0; 4], 4), Err(LutError::Ckks(CkksLutError::Order { found: 4 }))));
    }
}
