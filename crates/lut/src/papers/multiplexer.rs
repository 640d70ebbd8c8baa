//! Multiplexer trees ("Larger tables with CKKS", sections 4 and 5): a table of several digits from the
//! Kronecker deltas of each.
//!
//! f = Σ_m f(m)·Π_i δ(d_i, m_i) is a product of a matrix of the table with the products of the high digits'
//! deltas, and of the result with those of the low digits' ([`tree`], Algorithm 6; with digits of one bit,
//! whose deltas are 1 − x and x, Algorithm 4). It is the specification that [`large`](crate::ckks::tables::digits) is
//! faster than: p deltas of a digit are p polynomials of its point, where that takes powers.
//!
//! The paper multiplies with the table's integers, which takes no level; here the table is divided by p'
//! first, which takes one.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, on_halves};
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Id, PolynomialBasis};
use num_complex::Complex64;

use crate::ckks::decompose::{Rest, digit_of};
use crate::ckks::tables::whole::{centred, half};
use crate::ckks::{FunctionalBootstrap, TableParams};
use crate::{CkksLutError, Lut, LutError};

mod cost;

pub use cost::tree_evaluation;

/// The cleaning of deltas from noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaning {
    /// Nothing.
    None,
    /// G_id = 3x² − 2x³ of each delta: two levels ([`BINARY`](crate::ckks::clean::BINARY)).
    Identity,
    /// G_and in place of each product of deltas, which takes three levels instead of one
    /// ([`and`](crate::ckks::clean::and)).
    And,
}

/// The Kronecker product of some vectors, the first one's index changing first, by a binary tree of products
/// (Algorithm 3): ⌈log2 n⌉ levels, or three times as many with [`Cleaning::And`].
pub fn kronecker_product(circuit: &mut ArithmeticCircuit, mut vectors: Vec<Vec<Id>>, cleaning: Cleaning) -> Vec<Id> {
    while vectors.len() > 1 {
        let pairs = vectors.chunks(2).map(|pair| match pair {
            [x, y] => y
                .iter()
                .flat_map(|&y| x.iter().map(move |&x| (x, y)))
                .map(|(x, y)| {
                    let product = circuit.product(x, y);
                    if cleaning == Cleaning::And { cleaned(circuit, product, [x, y]) } else { product }
                })
                .collect(),
            one => one[0].clone(),
        });
        vectors = pairs.collect();
    }
    vectors.pop().unwrap_or_default()
}

/// (xy)²·(5 − 2x − 2y).
fn cleaned(circuit: &mut ArithmeticCircuit, product: Id, factors: [Id; 2]) -> Id {
    let square = circuit.square(product);
    let terms = factors.map(|x| (x, Complex64::from(-2.0))).to_vec();
    let other = circuit.push(Gate::Combination { terms, constant: Complex64::from(5.0) });
    circuit.product(square, other)
}

/// The multiplexer tree of f(d_1 + p_1·(d_2 + p_2·(d_3 + …))): its inputs are the p_1 deltas of d_1, those of
/// d_2 and so on, its output is f.
///
/// # Panics
/// Unless `values` are as many as the product of the `digits` p_i, of which there are two or more.
#[must_use]
pub fn tree(values: &[f64], digits: &[usize], cleaning: Cleaning) -> ArithmeticCircuit {
    assert!(digits.len() > 1 && values.len() == digits.iter().product::<usize>(), "a table of two digits or more");
    let mut circuit = ArithmeticCircuit::new(digits.iter().sum());
    let mut next = 0;
    let mut deltas: Vec<Vec<Id>> = Vec::new();
    for &p in digits {
        deltas.push((next..next + p).map(|i| circuit.input(i)).collect());
        next += p;
    }
    if cleaning == Cleaning::Identity {
        for x in deltas.iter_mut().flatten() {
            // x²·(3 − 2x).
            let square = circuit.square(*x);
            let terms = vec![(*x, Complex64::from(-2.0))];
            let other = circuit.push(Gate::Combination { terms, constant: Complex64::from(3.0) });
            *x = circuit.product(square, other);
        }
    }
    let high = deltas.split_off(digits.len().div_ceil(2));
    let low = kronecker_product(&mut circuit, deltas, cleaning);
    let high = kronecker_product(&mut circuit, high, cleaning);
    let products = (0..low.len()).map(|a| {
        let terms = high.iter().enumerate().map(|(b, &x)| (x, Complex64::from(values[a + b * low.len()]))).collect();
        (low[a], circuit.push(Gate::Combination { terms, constant: Complex64::ZERO }))
    });
    let products = products.collect();
    let sum = circuit.push(Gate::SumOfProducts { products, addends: Vec::new() });
    circuit.output(sum);
    circuit
}

/// The circuit from the point of a digit modulo p to the p deltas, and the digit itself among messages modulo `rest` if
/// it is to be subtracted from them; all halved, since conjugates are added.
fn digit_circuit(params: &TableParams, p: u64, rest: Option<u64>) -> Result<ArithmeticCircuit, LutError> {
    let delta = |d: u64| {
        let values: Vec<f64> = (0..p).map(|k| f64::from(u8::from(k == d))).collect();
        Ok(params.interpolation(&values)?.coefficients().iter().map(|c| c * 0.5).collect())
    };
    let mut polynomials = (0..p).map(delta).collect::<Result<Vec<Vec<Complex64>>, LutError>>()?;
    if let Some(rest) = rest {
        let digit = digit_of(rest, p)?;
        polynomials.push(half(&params.interpolation(&centred(&digit))?, &digit));
    }
    Ok(ArithmeticCircuit::polynomials(PolynomialBasis::Power, &polynomials))
}

impl FunctionalBootstrap {
    /// BMT-FBT and CMT-FBT (Algorithms 5 and 7): a table of P entries on messages modulo P by digits modulo
    /// these p_i, the lowest first, P = Πp_i; results modulo p' in ciphertexts modulo 2^log2_modulus of the set. Both
    /// halves of the coefficients are evaluated for themselves, and the deltas of a digit are an evaluation
    /// of several tables (Algorithm 1).
    ///
    /// `watch` hears the number of the digit, or how many there are for the tree, and what is being done.
    ///
    /// # Errors
    /// [`CkksLutError::DigitShape`] for digits that do not make up the inputs, [`CkksLutError::Input`] unless
    /// messages are as many as entries; what the evaluator refuses.
    pub fn evaluate_tree(
        &self,
        table: &Lut,
        digits: &[u64],
        cleaning: Cleaning,
        input: &RlweCiphertext,
        mut watch: impl FnMut(u32, BootstrapStep),
    ) -> Result<RlweCiphertext, LutError> {
        let (entries, most) = (table.values().len(), self.params().literal().whole());
        let product = digits.iter().try_fold(1u64, |product, &p| product.checked_mul(p));
        let fits = digits.len() > 1 && digits.iter().all(|p| (2..=most).contains(p));
        if !fits || product != Some(entries as u64) {
            return Err(CkksLutError::DigitShape { entries, digits: digits.to_vec(), most }.into());
        }
        self.check_input(table.in_modulus(), input)?;
        let (mut rest, mut deltas) = (Rest::new(input), [Vec::new(), Vec::new()]);
        for (number, &modulus) in (0..).zip(digits) {
            let base = rest.lowest(modulus)?.to_base(self.params().ckks().ring())?;
            let circle = self.circle(&base, |step| watch(number, step))?;
            watch(number, BootstrapStep::EvalLut);
            let last = number as usize + 1 == digits.len();
            let circuit = digit_circuit(self.params(), modulus, if last { None } else { Some(rest.modulus()) })?;
            let evaluator = self.evaluator();
            let [mut x, mut y] = on_halves(circle, |z| evaluator.evaluate(&circuit, &[&z], |_, _| ()))?;
            if let Some((x, y)) = if last { None } else { x.pop().zip(y.pop()) } {
                watch(number, BootstrapStep::SlotsToCoeffs);
                rest.subtract(self, &self.joined(&x, &y)?, modulus)?;
            }
            for (all, halves) in deltas.iter_mut().zip([x, y]) {
                for x in halves {
                    all.push(self.twice_real(&x)?);
                }
            }
        }
        watch(digits.len() as u32, BootstrapStep::EvalLut);
        let factor = 0.5 / table.out_modulus() as f64;
        let values: Vec<f64> = centred(table).iter().map(|v| v * factor).collect();
        let sizes: Vec<usize> = digits.iter().map(|&p| p as usize).collect();
        let circuit = tree(&values, &sizes, cleaning);
        let result = |deltas: Vec<CkksCiphertext>| {
            let inputs: Vec<&CkksCiphertext> = deltas.iter().collect();
            self.evaluator().evaluate(&circuit, &inputs, |_, _| ())
        };
        let [x, y] = on_halves(deltas, result)?;
        let joined = self.joined(&x[0], &y[0])?;
        watch(digits.len() as u32, BootstrapStep::SlotsToCoeffs);
        let encoding = RlweEncoding::new(table.out_modulus(), self.params().literal().log2_modulus)?;
        self.to_rlwe(&joined, encoding, input.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_testkit::TestRng;

    /// Trees select the entry, with the levels and products of section 4 and 5, and noise of deltas is
    /// squared away.
    #[test]
    fn trees_select() {
        let mut rng = TestRng::new("multiplexer", 0);
        for (digits, levels) in
            [(vec![2, 2], 2), (vec![4, 4], 2), (vec![2; 4], 3), (vec![3, 5, 2], 2), (vec![2; 8], 4), (vec![4; 4], 3)]
        {
            let size: usize = digits.iter().product();
            let values: Vec<f64> = (0..size).map(|_| rng.unit_f64() - 0.5).collect();
            for (cleaning, more) in [
                (Cleaning::None, 0),
                (Cleaning::Identity, 2),
                (Cleaning::And, 2 * (digits.len().div_ceil(2) as u32).next_power_of_two().ilog2() as usize),
            ] {
                let circuit = tree(&values, &digits, cleaning);
                assert_eq!(circuit.depth(), levels + more, "{digits:?} {cleaning:?}");
                for (m, value) in values.iter().enumerate().step_by(1 + size / 50) {
                    let (mut inputs, mut rest) = (Vec::new(), m);
                    let noise = if cleaning == Cleaning::None { 0.0 } else { 1e-5 };
                    for &p in &digits {
                        let delta = |k| Complex64::from(f64::from(u8::from(rest % p == k)) + noise);
                        inputs.extend((0..p).map(delta));
                        rest /= p;
                    }
                    let off = (circuit.eval(&inputs)[0] - value).norm();
                    let bound = if cleaning == Cleaning::And && digits.len() < 4 { 1e-3 } else { 1e-7 };
                    assert!(off < bound, "{digits:?} {cleaning:?} {m}: {off}");
                }
            }
        }
        // Section 4: √P products of each half but those that are there, and one for each row.
        let counts = tree(&[0.5; 256], &[2; 8], Cleaning::None).total_counts();
        assert_eq!((counts.products, counts.multiply_adds), (2 * (4 + 4 + 16) + 16, 256));
    }
}
