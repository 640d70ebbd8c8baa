//! Polynomials that square the noise of a value from a known set.

use bootes_schemes::ckks::noise::SlotNoise;
use bootes_schemes::ckks::{CkksCiphertext, CkksError, CkksParams, Cost, Evaluator};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
use num_complex::Complex64;

/// Coefficients of h(x) = 3x² − 2x³, which fixes 0 and 1 with slope 0: h(e) = 3e² − 2e³ and h(1 + e) = 1 − 3e² − 2e³.
/// Two levels. (BLEACH, Drucker, Moshkowich, Pelleg and Shaul 2024.)
pub const BINARY: [f64; 4] = [0.0, 0.0, 3.0, -2.0];

/// h(x) of [`BINARY`].
pub fn binary(x: Complex64) -> Complex64 {
    x * x * (3.0 - 2.0 * x)
}

/// The product of two bits with all slopes 0: 5x²y² − 2x³y² − 2x²y³. Three levels. ("Larger tables with CKKS",
/// section 4.2.)
pub fn and(x: Complex64, y: Complex64) -> Complex64 {
    x * x * y * y * (5.0 - 2.0 * x - 2.0 * y)
}

/// z·(3 − |z|²)/2, which draws z to the unit circle and keeps its angle: (1 + e)·ω ↦ (1 − 3e²/2 − e³/2)·ω for real e
/// and
/// |ω| = 1. Two levels and a conjugation.
///
/// An interpolation flattens angular errors only; this is for radial ones.
pub fn modulus(z: Complex64) -> Complex64 {
    z * (0.5 * (3.0 - z.norm_sqr()))
}

/// Coefficients of ((p+1)·z − z^(p+1))/p, which draws z to the nearest p-th root of unity: (1 + e)·ω ↦
/// (1 − (p+1)/2·e² + O(p²e³))·ω for ω^p = 1 and complex e. ⌈log2(p+2)⌉ levels.
pub fn root(p: usize) -> Vec<Complex64> {
    let mut coefficients = vec![Complex64::ZERO; p + 2];
    coefficients[1] = Complex64::from((p + 1) as f64 / p as f64);
    coefficients[p + 1] = Complex64::from(-1.0 / p as f64);
    coefficients
}

/// [`binary`] as a circuit, of two levels.
#[must_use]
pub fn binary_circuit() -> ArithmeticCircuit {
    ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[BINARY.map(Complex64::from).to_vec()])
}

/// [`root`] as a circuit.
#[must_use]
pub fn root_circuit(p: usize) -> ArithmeticCircuit {
    ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[root(p)])
}

/// [`and`] of each slot, (xy)²·(5 − 2x − 2y): three levels and three products.
///
/// # Errors
/// As the evaluator.
pub fn and_of(evaluator: &Evaluator, x: &CkksCiphertext, y: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
    let product = evaluator.mul(x, y)?;
    let square = evaluator.mul(&product, &product)?;
    let sum = evaluator.mul_integer(&evaluator.add(x, y)?, -2, 0)?;
    evaluator.mul(&square, &evaluator.add_constant(&sum, Complex64::from(5.0))?)
}

/// [`modulus`] of each slot: two levels, two products and a conjugation. Needs the key of conjugation.
///
/// # Errors
/// As the evaluator.
pub fn modulus_of(evaluator: &Evaluator, z: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
    let square = evaluator.mul(z, &evaluator.conjugate(z)?)?;
    let half = evaluator.mul_constant(z, Complex64::from(-0.5))?;
    let product = evaluator.mul(&half, &square)?;
    let dropped = evaluator.drop_to(z, product.level() + 1)?;
    evaluator.add(&product, &evaluator.mul_constant(&dropped, Complex64::from(1.5))?)
}

/// The work of [`modulus_of`] z at `level`.
#[must_use]
pub fn modulus_work(cost: Cost<'_>, level: usize) -> Residues {
    let product = |level| cost.tensor(level) + cost.relinearisation(level);
    let constants = cost.combination(1, false, level) + cost.combination(1, false, level - 1);
    cost.rotation(level) + product(level) + product(level - 1) + constants + cost.addition(level - 2)
}

/// The levels of [`modulus_of`].
pub const MODULUS_DEPTH: usize = 2;

/// The noise that [`modulus_of`] of z at `level` adds: z·(−1/2)·|z|² + 3z/2 with the noise of conjugation and of the
/// square halved.
#[must_use]
pub fn modulus_noise(params: &CkksParams, level: usize) -> SlotNoise {
    let square = params.rotation_noise(level, params.scale(level)) + params.product_noise(level - 1);
    let (half, product) = (params.rounding_noise(params.scale(level - 1)), params.product_noise(level - 2));
    square * 0.25 + half + product + params.rounding_noise(params.scale(level - 2))
}

#[cfg(test)]
mod tests {
    use super::{BINARY, and, binary, modulus, root};
    use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
    use bootes_testkit::TestRng;
    use num_complex::Complex64;

    fn number(rng: &mut TestRng) -> Complex64 {
        Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)
    }

    #[test]
    fn bits() {
        let mut rng = TestRng::new("clean bits", 0);
        let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[BINARY.map(Complex64::from).to_vec()]);
        assert_eq!(circuit.depth(), 2);
        for _ in 0..100 {
            let [e, d] = [1e-3 * number(&mut rng), 1e-3 * number(&mut rng)];
            for bit in [0.0, 1.0] {
                let sign = 1.0 - 2.0 * bit;
                let expected = bit + sign * 3.0 * e * e - 2.0 * e * e * e;
                assert!((binary(bit + e) - expected).norm() < 1e-15);
                assert!((circuit.eval(&[bit + e])[0] - expected).norm() < 1e-14);
                for other in [0.0, 1.0] {
                    assert!((and(bit + e, other + d) - bit * other).norm() < 5.0 * (e.norm_sqr() + d.norm_sqr()));
                }
            }
        }
    }

    #[test]
    fn circle() {
        let mut rng = TestRng::new("clean circle", 0);
        for _ in 0..100 {
            let (e, angle) = (0.1 * rng.unit_f64() - 0.05, 7.0 * rng.unit_f64());
            let expected = Complex64::from_polar(1.0 - 1.5 * e * e - 0.5 * e * e * e, angle);
            assert!((modulus(Complex64::from_polar(1.0 + e, angle)) - expected).norm() < 1e-15);
        }
    }

    #[test]
    fn roots() {
        let mut rng = TestRng::new("clean roots", 0);
        for p in [2, 3, 4, 16, 100, 256] {
            let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[root(p)]);
            for k in 0..p {
                let e = 1e-3 / p as f64 * number(&mut rng);
                let at = Complex64::from_polar(1.0, core::f64::consts::TAU * k as f64 / p as f64);
                let error = circuit.eval(&[at * (1.0 + e)])[0] / at - 1.0;
                let law = -0.5 * (p + 1) as f64 * e * e;
                assert!((error - law).norm() < 2e-3 * law.norm() + 1e-13, "{p}: {error} {law}");
            }
        }
    }
}
