//! Tables of several digits in the basis of real characters, on numbers.
//!
//! A digit d of Z_p is the root of unity z = exp(2πid/p), and every function of it is a combination of the p
//! real characters φ_0 = 1, φ_j = cos(2πjd/p) for 1 ≤ j ≤ p/2 and φ_(⌊p/2⌋+j) = sin(2πjd/p) for 1 ≤ j < p/2.
//! So a table of n digits is Σ_a M_a·φ_(a_1)(d_1)⋯φ_(a_n)(d_n), as many real numbers M_a as it has entries:
//! where the paper has p Kronecker deltas of each digit, each a polynomial of z of its own ("Larger tables
//! with CKKS", Algorithm 7), this basis takes the powers of z, which are one product each.
//!
//! **Flattening.** φ_j is evaluated as the real or imaginary part of u_j = ((p−j)·z^j + j·conj(z)^(p−j))/p,
//! which is z^j where z^p = 1 and has no derivative by the angle there: z = exp(2πi(d/p + ε)) has the error
//! |u_j − z^j| ≤ (2πpε)²/8. It is the [`Interpolation`](super::Interpolation) of order 1, a coefficient at a time. Radial
//! errors z·(1 + ρ) are multiplied by up to 2j(p−j)/p.
use core::f64::consts::TAU;

use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Id};
use num_complex::Complex64;

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

    /// Its value on the circle or near it, flattened at the p-th roots of unity.
    #[must_use]
    pub fn flattened(self, p: usize, z: Complex64) -> f64 {
        let u = |j: usize| {
            let [direct, mirrored] = weights(p, j);
            direct * z.powu(j as u32) + mirrored * z.conj().powu((p - j) as u32)
        };
        match self {
            Self::One => 1.0,
            Self::Cosine(j) => u(j).re,
            Self::Sine(j) => u(j).im,
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

/// (p−j)/p and j/p.
fn weights(p: usize, j: usize) -> [f64; 2] {
    [(p - j) as f64 / p as f64, j as f64 / p as f64]
}

/// M_a of a table f(d_1 + p_1·(d_2 + p_2·(d_3 + …))), in the same order of a_1, a_2, …: O(Σp_i) operations an
/// entry.
///
/// # Panics
/// Unless `values` are as many as the product of the `digits` p_i.
#[must_use]
pub fn coefficients(values: &[f64], digits: &[usize]) -> Vec<f64> {
    let row = |phi: Character, p| (0..p).map(|d| phi.weight(p) * phi.at(p, d)).collect();
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

/// The circuit of z whose output number a − 1 has the real part `factor`/2·φ_a(z), flattened, for the
/// characters a ≥ 1 of Z_p, and whose last output is Σ_j c_j·z^j, if there are `coefficients` c_j, j < p:
/// ⌈log2(p−1)⌉ + 1 levels and p − 2 products.
///
/// # Panics
/// If there are more coefficients.
#[must_use]
pub fn circuit(p: usize, factor: f64, coefficients: Option<&[Complex64]>) -> ArithmeticCircuit {
    let mut circuit = ArithmeticCircuit::new(1);
    let mut powers: Vec<Id> = vec![circuit.input(0)];
    for j in 2..p {
        let (a, b) = (powers[j / 2 - 1], powers[j - j / 2 - 1]);
        powers.push(circuit.product(a, b));
    }
    let power = |j: usize| powers[j - 1];
    for character in Character::all(p) {
        let terms = match character {
            Character::One => continue,
            // Re(conj(z)^k) = Re(z^k), Im(conj(z)^k) = −Im(z^k), and Im(z) = Re(−iz).
            Character::Cosine(j) if 2 * j == p => vec![(power(j), Complex64::from(factor / 2.0))],
            Character::Cosine(j) => {
                let [direct, mirrored] = weights(p, j).map(|w| Complex64::from(w * factor / 2.0));
                vec![(power(j), direct), (power(p - j), mirrored)]
            }
            Character::Sine(j) => {
                let [direct, mirrored] = weights(p, j).map(|w| Complex64::new(0.0, w * factor / 2.0));
                vec![(power(j), -direct), (power(p - j), mirrored)]
            }
        };
        let id = circuit.push(Gate::Combination { terms, constant: Complex64::ZERO });
        circuit.output(id);
    }
    if let Some((constant, coefficients)) = coefficients.and_then(<[_]>::split_first) {
        assert!(coefficients.len() < p, "a polynomial of the powers below p");
        let terms = coefficients.iter().enumerate().map(|(i, &c)| (power(i + 1), c)).collect();
        let id = circuit.push(Gate::Combination { terms, constant: *constant });
        circuit.output(id);
    }
    circuit
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

    /// An angle ε leaves at most (2πpε)²/8, a radius 1 + ρ at most 2ρ·j(p−j)/p.
    #[test]
    fn flattened_characters() {
        for p in [2, 3, 4, 7, 16, 32, 256] {
            let circuit = circuit(p, 2.0, None);
            assert_eq!(circuit.depth(), (p - 1).next_power_of_two().ilog2() as usize + 1, "{p}");
            assert_eq!(circuit.total_counts().products, p - 2);
            for d in 0..p {
                let near = |angle: f64, rho: f64| Complex64::from_polar(1.0 + rho, TAU * (d as f64 + angle) / p as f64);
                let points =
                    [(0.0, 0.0), (1e-3, 0.0), (-0.01, 0.0), (0.0, 1e-7)].map(|(e, rho)| (e, rho, near(e, rho)));
                for (e, rho, z) in points {
                    let outputs = circuit.eval(&[z]);
                    for (a, phi) in Character::all(p).enumerate() {
                        let found = phi.flattened(p, z);
                        let j = match phi {
                            Character::One => 0,
                            Character::Cosine(j) | Character::Sine(j) => j,
                        };
                        let radial = 2.0 * rho * (j * (p - j)) as f64 / p as f64;
                        let bound = (TAU * e).powi(2) / 8.0 + radial + 1e-12;
                        assert!((found - phi.at(p, d)).abs() <= bound * 1.001, "{p} {d} {phi:?}: {e} {rho}");
                        assert!(a == 0 || (outputs[a - 1].re - found).abs() < 1e-12, "{p} {phi:?}");
                    }
                }
            }
        }
    }
}
