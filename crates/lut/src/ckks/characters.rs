//! Tables of several digits in the basis of real characters, on numbers.
//!
//! A digit d of Z_p is the root of unity z = exp(2πid/p), and every function of it is a combination of the p
//! real characters φ_0 = 1, φ_j = cos(2πjd/p) for 1 ≤ j ≤ p/2 and φ_(⌊p/2⌋+j) = sin(2πjd/p) for 1 ≤ j < p/2.
//! So a table of n digits is Σ_a M_a·φ_(a_1)(d_1)⋯φ_(a_n)(d_n), as many real numbers M_a as it has entries:
//! where the paper has p Kronecker deltas of each digit, each a polynomial of z of its own ("Larger tables
//! with CKKS", Algorithm 7), this basis takes the powers of z, which are one product each.
//!
//! **Flattening.** Cosine and sine of one j are the parts of z^j = exp(2πijd/p). It is evaluated at points z =
//! ω·e^(t/p) near a p-th root of unity ω, t = 2πi·pε + pρ for an angle of ε turns and a radius 1 + ρ, as
//!
//! u_j = z^j·Σ_(k ≤ r) C_k·(1 − z^p)^k, C_k = s(s+1)⋯(s+k−1)/k!, s = j/p ≤ 1/2:
//!
//! the first terms of z^j·(z^p)^(−s), which is ω^j exactly. It is ω^j·(1 − C_(r+1)·(−t)^(r+1) + …): with r the order, errors
//! along the circle and across it are flattened alike, so that the circle need not be cleaned, and one conjugation
//! gives both parts. Hermite interpolations of the characters (order 1: the parts of ((p−j)·z^j + j·conj(z)^(p−j))/p) have
//! C = s(1−s)/2 in place of s(1+s)/2 for angles, leave radial errors, and take a conjugation for each part.
use core::f64::consts::TAU;

use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Id, Minus};
use num_complex::Complex64;

use super::interpolate::MAX_ENTRIES;
use crate::{CkksLutError, LutError};

/// One of the real characters of Z_p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// 1.
    One,
    /// cos(2πjd/p), 1 ≤ j ≤ p/2.
    Cosine(usize),
    /// sin(2πjd/p), 1 ≤ j < p/2.
    Sine(usize),
}

impl Character {
    /// The p characters of Z_p in their order: 1, cosines, sines.
    pub fn all(p: usize) -> impl Iterator<Item = Self> {
        let cosines = (1..=p / 2).map(Self::Cosine);
        std::iter::once(Self::One).chain(cosines).chain((1..p.div_ceil(2)).map(Self::Sine))
    }

    /// Its value at d.
    #[must_use]
    pub fn at(self, p: usize, d: usize) -> f64 {
        let angle = |j: usize| TAU * (j * d % p) as f64 / p as f64;
        match self {
            Self::One => 1.0,
            Self::Cosine(j) => angle(j).cos(),
            Self::Sine(j) => angle(j).sin(),
        }
    }

    /// 1/Σ_d φ(d)², so that Σ_d f(d)·φ(d) times this is the coefficient of φ in f.
    fn weight(self, p: usize) -> f64 {
        match self {
            Self::One => 1.0 / p as f64,
            Self::Cosine(j) if 2 * j == p => 1.0 / p as f64,
            Self::Cosine(_) | Self::Sine(_) => 2.0 / p as f64,
        }
    }
}

impl Character {
    /// The factor of f(d) in the coefficient of φ.
    #[must_use]
    pub fn dual(self, p: usize, d: usize) -> f64 {
        self.weight(p) * self.at(p, d)
    }
}

/// The most that Σ|φ(d)| over all characters of Z_p comes to.
#[must_use]
pub fn sizes(p: usize) -> f64 {
    (0..p).map(|d| Character::all(p).map(|phi| phi.at(p, d).abs()).sum()).fold(0.0, f64::max)
}

/// M_a of a table f(d_1 + p_1·(d_2 + p_2·(d_3 + …))), in the same order of a_1, a_2, …: O(Σp_i) operations an
/// entry.
///
/// # Panics
/// Unless `values` are as many as the product of the `digits` p_i.
#[must_use]
pub fn coefficients(values: &[f64], digits: &[usize]) -> Vec<f64> {
    let of_digit = |p, d| Character::all(p).map(|phi| phi.dual(p, d)).collect();
    mapped(values, digits, |p| (0..p).map(|d| of_digit(p, d)).collect())
}

/// The table of these coefficients, the inverse of [`coefficients`].
///
/// # Panics
/// As [`coefficients`].
#[must_use]
pub fn values(coefficients: &[f64], digits: &[usize]) -> Vec<f64> {
    let of_character = |p, phi: Character| (0..p).map(|d| phi.at(p, d)).collect();
    mapped(coefficients, digits, |p| Character::all(p).map(|phi| of_character(p, phi)).collect())
}

/// The matrix with the columns `columns`(p_i) along each axis.
fn mapped(values: &[f64], digits: &[usize], columns: impl Fn(usize) -> Vec<Vec<f64>>) -> Vec<f64> {
    assert_eq!(values.len(), digits.iter().product::<usize>(), "a table has an entry for all digits");
    let (mut from, mut to, mut stride) = (values.to_vec(), vec![0.0; values.len()], 1);
    for &p in digits {
        let columns = columns(p);
        for (from, to) in from.chunks_exact(p * stride).zip(to.chunks_exact_mut(p * stride)) {
            combine(from, stride, |k| &columns[k], to);
        }
        std::mem::swap(&mut from, &mut to);
        stride *= p;
    }
    from
}

/// `to`_a ← Σ_k x_k·column(k)_a for x_k the k-th `stride` numbers of `from`: no sum waits for its last term, as sums of
/// numbers one after the other do.
pub(super) fn combine<'a>(from: &[f64], stride: usize, column: impl Fn(usize) -> &'a [f64], to: &mut [f64]) {
    to.fill(0.0);
    for (k, x) in from.chunks_exact(stride).enumerate() {
        match x {
            [x] => to.iter_mut().zip(column(k)).for_each(|(sum, m)| *sum += m * x),
            _ => to.chunks_exact_mut(stride).zip(column(k)).for_each(|(to, m)| {
                to.iter_mut().zip(x).for_each(|(sum, x)| *sum += m * x);
            }),
        }
    }
}

/// γ_0, …, γ_⌊p/2⌋ with f(d) = Re Σ_j γ_j·exp(2πijd/p).
#[must_use]
pub fn spectrum(values: &[f64]) -> Vec<Complex64> {
    let (p, coefficients) = (values.len(), coefficients(values, &[values.len()]));
    let sine = |j: usize| if j > 0 { coefficients.get(p / 2 + j).copied().unwrap_or(0.0) } else { 0.0 };
    (0..=p / 2).map(|j| Complex64::new(coefficients[j], -sine(j))).collect()
}

/// C_k of z^j for s = j/p.
fn weight(p: usize, j: usize, k: u32) -> f64 {
    (0..k).map(|i| (j as f64 / p as f64 + f64::from(i)) / f64::from(i + 1)).product()
}

/// E(d) with the error Re(E·(−t)^(order + 1)) + O(t^(order + 2)) of the table (1, 0, …, 0), as it is evaluated, at each
/// entry; its convolution with another table is that of this.
#[must_use]
pub fn curvatures(p: usize, order: u32) -> Vec<Complex64> {
    let delta: Vec<f64> = (0..p).map(|d| if d == 0 { 1.0 } else { 0.0 }).collect();
    let of = |(j, gamma): (usize, &Complex64), d| -gamma * weight(p, j, order + 1) * root(p, j * d);
    let spectrum = spectrum(&delta);
    (0..p).map(|d| spectrum.iter().enumerate().map(|term| of(term, d)).sum()).collect()
}

/// exp(2πik/p).
fn root(p: usize, k: usize) -> Complex64 {
    Complex64::cis(TAU * (k % p) as f64 / p as f64)
}

/// The most that is left of an angle |pε| ≤ `angle` and a radius |pρ| ≤ `radius` in any entry of a table, whose largest
/// |E| ([`curvatures`]) is `curvature`.
///
/// The error is a combination of the E of all entries with coefficients that come to no more than 1.29·|t|^(order + 1)
/// for p ≤ 256, |pε| < 1/2 and |pρ| ≤ 1/8, computed for all orders.
#[must_use]
pub fn flattened(curvature: f64, order: u32, angle: f64, radius: f64) -> f64 {
    let near = angle < 0.5 && radius <= 0.125;
    if near { 1.3 * curvature * (TAU * angle).hypot(radius).powi(order as i32 + 1) } else { f64::INFINITY }
}

/// Levels of [`circuit`].
#[must_use]
pub fn depth(p: usize, order: u32) -> usize {
    p.next_power_of_two().ilog2() as usize + if order == 1 { 1 } else { 2 }
}

/// The circuit of z whose output number j − 1 is `factor`/2·u_j(z) for 1 ≤ j ≤ p/2, flattened to this order, and whose last
/// output has the real part f(d)/2, flattened likewise, if there are values f of all d. A relinearisation an output for
/// orders 1 and 2, two for order 3; besides p/2 to p/2 + 2 for powers.
///
/// # Errors
/// [`LutError::Modulus`] for p < 2; [`CkksLutError::Order`] unless the order is 1, 2 or 3.
///
/// # Panics
/// Unless values are p.
pub fn circuit(p: usize, order: u32, factor: f64, values: Option<&[f64]>) -> Result<ArithmeticCircuit, LutError> {
    if p < 2 {
        return Err(LutError::Modulus { what: "number of entries", found: p as u64, max: MAX_ENTRIES as u64 });
    }
    if !(1..=3).contains(&order) {
        return Err(CkksLutError::Order { found: order }.into());
    }
    let mut circuit = ArithmeticCircuit::new(1);
    let mut powers: Vec<Id> = vec![circuit.input(0)];
    for j in 2..=p.div_ceil(2) {
        let (a, b) = (powers[j / 2 - 1], powers[j - j / 2 - 1]);
        powers.push(circuit.product(a, b));
    }
    // z^p − 1 and its square.
    let (a, b) = (powers[p / 2 - 1], powers[p.div_ceil(2) - 1]);
    let v = circuit.push(Gate::Product { a, b, doubled: false, minus: Minus::One });
    let square = if order > 1 { circuit.product(v, v) } else { v };
    let mut output = |gammas: &[Complex64]| {
        // Σ_j ±γ_j·C_k·z^j.
        let part = |circuit: &mut ArithmeticCircuit, k: u32| {
            let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            let terms = gammas.iter().enumerate().skip(1).filter(|(_, gamma)| **gamma != Complex64::ZERO);
            let terms = terms.map(|(j, gamma)| (powers[j - 1], gamma * (sign * weight(p, j, k)))).collect();
            let constant = if k == 0 { gammas[0] } else { Complex64::ZERO };
            circuit.push(Gate::Combination { terms, constant })
        };
        let parts: Vec<Id> = (0..=order).map(|k| part(&mut circuit, k)).collect();
        let mut products = vec![(parts[1], v)];
        match parts[2..] {
            [] => (),
            [second] => products.push((second, square)),
            [second, third, ..] => {
                let inner = Gate::SumOfProducts { products: vec![(third, v)], addends: vec![second] };
                products.push((circuit.push(inner), square));
            }
        }
        let id = circuit.push(Gate::SumOfProducts { products, addends: vec![parts[0]] });
        circuit.output(id);
    };
    for j in 1..=p / 2 {
        let mut gammas = vec![Complex64::ZERO; p / 2 + 1];
        gammas[j] = Complex64::from(factor / 2.0);
        output(&gammas);
    }
    if let Some(values) = values {
        assert_eq!(values.len(), p, "values of all digits");
        output(&spectrum(values).into_iter().map(|gamma| gamma / 2.0).collect::<Vec<_>>());
    }
    Ok(circuit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_testkit::TestRng;

    fn digits_of(mut m: usize, digits: &[usize]) -> Vec<usize> {
        let digit = |&p: &usize| {
            let d = m % p;
            m /= p;
            d
        };
        digits.iter().map(digit).collect()
    }

    #[test]
    fn tables_are_sums_of_characters() {
        let mut rng = TestRng::new("characters", 0);
        for digits in
            [vec![2], vec![3], vec![16], vec![2, 2], vec![4, 8], vec![5, 3, 4], vec![2, 3, 2, 7], vec![16, 16]]
        {
            let size: usize = digits.iter().product();
            let values: Vec<f64> = (0..size).map(|_| rng.unit_f64() - 0.5).collect();
            let coefficients = coefficients(&values, &digits);
            for (value, found) in values.iter().zip(super::values(&coefficients, &digits)) {
                assert!((value - found).abs() < 1e-13 * size as f64);
            }
            for (m, value) in values.iter().enumerate() {
                let of = digits_of(m, &digits);
                let term = |(a, c): (usize, &f64)| {
                    let factors = digits_of(a, &digits).into_iter().zip(&of).zip(&digits);
                    c * factors.map(|((a, &d), &p)| Character::all(p).nth(a).unwrap().at(p, d)).product::<f64>()
                };
                let sum: f64 = coefficients.iter().enumerate().map(term).sum();
                assert!((sum - value).abs() < 1e-12 * size as f64, "{digits:?}: {m}");
            }
        }
    }

    /// The errors of an angle and a radius are within the bound, and at small ones they are E·(−t)^(order + 1).
    #[test]
    fn flattened_characters() {
        let mut rng = TestRng::new("flattened", 0);
        for (p, order) in [2, 3, 4, 5, 7, 12, 16, 64].into_iter().flat_map(|p| (1..=3).map(move |order| (p, order))) {
            let values: Vec<f64> = (0..p).map(|_| rng.unit_f64() - 0.5).collect();
            let circuit = circuit(p, order, 2.0, Some(&values)).unwrap();
            assert_eq!(circuit.depth(), depth(p, order), "{p} {order}");
            let weights = curvatures(p, order);
            let curvature =
                |table: &[f64], d: usize| (0..p).map(|k| weights[(d + p - k) % p] * table[k]).sum::<Complex64>();
            let largest = (0..p).map(|d| curvature(&values, d).norm()).fold(0.0, f64::max);
            for d in (0..p).step_by(p.div_ceil(16)) {
                for (angle, radius) in
                    [(0.0, 0.0), (0.003, 0.0), (-0.1, 0.01), (0.0, -0.004), (0.4, 0.1), (0.02, -0.02)]
                {
                    let t = Complex64::new(radius, TAU * angle);
                    let outputs = circuit.eval(&[root(p, d) * (t / p as f64).exp()]);
                    let (digit, characters) = outputs.split_last().unwrap();
                    for (j, u) in (1..).zip(characters) {
                        let error = (u - root(p, j * d)).norm();
                        let bound = 1.3 * weight(p, j, order + 1) * t.norm().powi(order as i32 + 1);
                        assert!(error <= bound + 1e-12, "{p} {order} {j} {d}: {angle} {radius} {error} {bound}");
                    }
                    let error = 2.0 * digit.re - values[d];
                    assert!(error.abs() <= flattened(largest, order, f64::abs(angle), f64::abs(radius)) + 1e-12);
                    if t.norm() < 0.02 {
                        let first = (curvature(&values, d) * (-t).powu(order + 1)).re;
                        assert!((error - first).abs() <= 3.0 * largest * t.norm().powi(order as i32 + 2) + 1e-12);
                    }
                }
            }
        }
        assert_eq!(flattened(1.0, 1, 0.5, 0.0), f64::INFINITY);
        assert!(circuit(1, 1, 1.0, None).is_err() && circuit(8, 4, 1.0, None).is_err());
    }
}
