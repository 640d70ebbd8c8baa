//! Tables of several digits in the basis of real characters, on numbers.
//!
//! A digit d of Z_p is the root of unity z = exp(2πid/p), and every function of it is a combination of the p
//! real characters φ_0 = 1, φ_j = cos(2πjd/p) for 1 ≤ j ≤ p/2 and φ_(⌊p/2⌋+j) = sin(2πjd/p) for 1 ≤ j < p/2.
//! So a table of n digits is Σ_a M_a·φ_(a_1)(d_1)⋯φ_(a_n)(d_n), as many real numbers M_a as it has entries:
//! where the paper has p Kronecker deltas of each digit, each a polynomial of z of its own ("Larger tables
//! with CKKS", Algorithm 7), this basis takes the powers of z, which are one product each.
//!
//! **Flattening.** Each is evaluated by its own [`Interpolation`]: of order 1 as the real or imaginary part
//! of u_j = ((p−j)·z^j + j·conj(z)^(p−j))/p, which is z^j where z^p = 1 and has no derivative by the angle
//! there; of order 3 with z^(p+j) and conj(z)^(2p−j) besides. So every function of a digit, and every table
//! with the other digits fixed, is evaluated by its interpolation of that order. Radial errors z·(1 + ρ) are
//! multiplied by up to 2j(p−j)/p for order 1.
use core::f64::consts::TAU;

use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Id};
use num_complex::Complex64;

use super::Interpolation;
use crate::LutError;

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

    /// Its interpolation.
    ///
    /// # Errors
    /// As [`Interpolation::new`].
    pub fn interpolation(self, p: usize, order: u32) -> Result<Interpolation, LutError> {
        Interpolation::new(&(0..p).map(|d| self.at(p, d)).collect::<Vec<_>>(), order)
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
    /// What f(d) has in the coefficient of φ.
    #[must_use]
    pub fn dual(self, p: usize, d: usize) -> f64 {
        self.weight(p) * self.at(p, d)
    }
}

/// M_a of a table f(d_1 + p_1·(d_2 + p_2·(d_3 + …))), in the same order of a_1, a_2, …: O(Σp_i) operations an
/// entry.
///
/// # Panics
/// Unless `values` are as many as the product of the `digits` p_i.
#[must_use]
pub fn coefficients(values: &[f64], digits: &[usize]) -> Vec<f64> {
    let row = |phi: Character, p| (0..p).map(|d| phi.dual(p, d)).collect();
    mapped(values, digits, |p| Character::all(p).map(|phi| row(phi, p)).collect())
}

/// The table of these coefficients, the inverse of [`coefficients`].
///
/// # Panics
/// As [`coefficients`].
#[must_use]
pub fn values(coefficients: &[f64], digits: &[usize]) -> Vec<f64> {
    mapped(coefficients, digits, |p| (0..p).map(|d| Character::all(p).map(|phi| phi.at(p, d)).collect()).collect())
}

/// `matrix`(p_i) along each axis.
fn mapped(values: &[f64], digits: &[usize], matrix: impl Fn(usize) -> Vec<Vec<f64>>) -> Vec<f64> {
    assert_eq!(values.len(), digits.iter().product::<usize>(), "a table has an entry for all digits");
    let (mut out, mut stride) = (values.to_vec(), 1);
    for &p in digits {
        let (matrix, mut line) = (matrix(p), vec![0.0; p]);
        for start in (0..out.len()).filter(|i| (i / stride).is_multiple_of(p)) {
            line.iter_mut().enumerate().for_each(|(d, x)| *x = out[start + d * stride]);
            for (a, row) in matrix.iter().enumerate() {
                out[start + a * stride] = row.iter().zip(&line).map(|(m, x)| m * x).sum();
            }
        }
        stride *= p;
    }
    out
}

/// Levels of [`circuit`].
#[must_use]
pub fn depth(p: usize, order: u32) -> usize {
    super::params::table_depth(p, order) + 1
}

/// The circuit of z whose output number a − 1 has the real part `factor`/2·φ_a(z), flattened to this order,
/// for the characters a ≥ 1 of Z_p, and whose last output is Σ_j c_j·z^j, if there are `coefficients` c_j, no
/// more than the order takes: for order 1 ⌈log2(p−1)⌉ + 1 levels and p − 2 products, for order 3 ⌈log2(2p−1)⌉
/// + 1 and 2p − 2.
///
/// # Errors
/// As [`Interpolation::new`].
///
/// # Panics
/// If there are more coefficients.
pub fn circuit(
    p: usize,
    order: u32,
    factor: f64,
    coefficients: Option<&[Complex64]>,
) -> Result<ArithmeticCircuit, LutError> {
    let interpolations = Character::all(p).skip(1).map(|character| character.interpolation(p, order));
    let interpolations = interpolations.collect::<Result<Vec<_>, _>>()?;
    let degree = interpolations.iter().map(|f| f.coefficients().len() - 1).max().unwrap_or(1);
    let mut circuit = ArithmeticCircuit::new(1);
    let mut powers: Vec<Id> = vec![circuit.input(0)];
    for j in 2..=degree {
        let (a, b) = (powers[j / 2 - 1], powers[j - j / 2 - 1]);
        powers.push(circuit.product(a, b));
    }
    let mut output = |coefficients: &[Complex64], factor: f64| {
        let terms = coefficients[1..].iter().zip(&powers).filter(|(c, _)| **c != Complex64::ZERO);
        let terms = terms.map(|(c, &power)| (power, c * factor)).collect();
        let id = circuit.push(Gate::Combination { terms, constant: coefficients[0] * factor });
        circuit.output(id);
    };
    interpolations.iter().for_each(|f| output(f.coefficients(), factor / 2.0));
    if let Some(coefficients) = coefficients {
        assert!(coefficients.len() <= degree + 1, "a polynomial of the powers that there are");
        output(coefficients, 1.0);
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

    /// For order 1 an angle ε leaves at most (2πpε)²/8, a radius 1 + ρ at most 2ρ·j(p−j)/p; for order 3 the
    /// angle's is of fourth order.
    #[test]
    fn flattened_characters() {
        for (p, order) in [2, 3, 4, 7, 16, 64].into_iter().flat_map(|p| [(p, 1), (p, 3)]) {
            let circuit = circuit(p, order, 2.0, None).unwrap();
            let degree = if order == 1 { p - 1 } else { 2 * p - 1 };
            assert_eq!(circuit.depth(), degree.next_power_of_two().ilog2() as usize + 1, "{p} {order}");
            assert_eq!(circuit.total_counts().products, degree - 1);
            for d in (0..p).step_by(p.div_ceil(16)) {
                let near = |angle: f64, rho: f64| Complex64::from_polar(1.0 + rho, TAU * (d as f64 + angle) / p as f64);
                let points =
                    [(0.0, 0.0), (1e-3, 0.0), (-0.01, 0.0), (0.0, 1e-7)].map(|(e, rho)| (e, rho, near(e, rho)));
                for (e, rho, z) in points {
                    let outputs = circuit.eval(&[z]);
                    for (a, phi) in Character::all(p).enumerate().skip(1) {
                        let found = phi.interpolation(p, order).unwrap().eval(z);
                        let j = match phi {
                            Character::One => 0,
                            Character::Cosine(j) | Character::Sine(j) => j,
                        };
                        let radial = 4.0 * rho * (j * (p - j)) as f64 / p as f64 / f64::from(3 - order.min(2));
                        let angle = if order == 1 { (TAU * e).powi(2) / 8.0 } else { (TAU * e).powi(4) / 8.0 };
                        let bound = angle + radial + 1e-12;
                        assert!((found - phi.at(p, d)).abs() <= bound * 1.001, "{p} {order} {d} {phi:?}: {e} {rho}");
                        assert!((outputs[a - 1].re - found).abs() < 1e-11, "{p} {order} {phi:?}");
                    }
                }
            }
        }
    }
}
