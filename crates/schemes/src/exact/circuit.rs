//! Arithmetic circuits ([`crate::polyeval`]) on ciphertexts of BFV and BGV.
use std::collections::BTreeMap;

use super::{Evaluator, ExactCiphertext, ExactError};
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Made, Minus, Reading};

impl Evaluator {
    /// The outputs of a circuit of integers modulo p^r: what [`Residues`](crate::polyeval::Residues) reads, in every
    /// slot.
    ///
    /// Values are freed after their last use; combinations that one sum of products reads are made when they are read,
    /// with the factors that the sum asks for. `progress` hears after each gate how many of how many are done.
    ///
    /// # Errors
    /// [`ExactError::Inputs`]; as [`Evaluator::mul`], [`Evaluator::divide_exact`].
    pub fn evaluate(
        &self,
        circuit: &ArithmeticCircuit<i64>,
        inputs: &[&ExactCiphertext],
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<ExactCiphertext>, ExactError> {
        if inputs.len() != circuit.inputs() {
            return Err(ExactError::Inputs { found: inputs.len(), expected: circuit.inputs() });
        }
        inputs.iter().try_for_each(|x| self.check(x))?;
        circuit.run(&mut Ciphertexts { evaluator: self, circuit, inputs }, progress)
    }
}

/// The reading on ciphertexts.
struct Ciphertexts<'a> {
    evaluator: &'a Evaluator,
    circuit: &'a ArithmeticCircuit<i64>,
    inputs: &'a [&'a ExactCiphertext],
}

impl Reading<i64> for Ciphertexts<'_> {
    type Value = ExactCiphertext;
    type Error = ExactError;

    const MAKES_INLINE: bool = true;

    fn gate(&mut self, _: Id, gate: &Gate<i64>, made: &Made<ExactCiphertext>) -> Result<ExactCiphertext, ExactError> {
        self.make(gate, made, None)
    }
}

impl Ciphertexts<'_> {
    /// The value of a gate, with the factor `factor` if it can have any.
    fn make(
        &self,
        gate: &Gate<i64>,
        made: &Made<ExactCiphertext>,
        factor: Option<u64>,
    ) -> Result<ExactCiphertext, ExactError> {
        let evaluator = self.evaluator;
        match gate {
            Gate::Input(i) => Ok(self.inputs[*i].clone()),
            Gate::Product { a, b, doubled, minus } => {
                let product = evaluator.mul(&made[*a], &made[*b])?;
                let product = if *doubled { evaluator.mul_constant(&product, 2)? } else { product };
                match minus {
                    Minus::Nothing => Ok(product),
                    Minus::One => evaluator.add_constant(&product, -1),
                    Minus::Value(c) => evaluator.sub(&product, &made[*c]),
                }
            }
            Gate::Combination { terms, constant } if terms.is_empty() => {
                let x = self.inputs.first().ok_or(ExactError::Inputs { found: 0, expected: 1 })?;
                evaluator.combine(&[(*x, 0)], *constant, factor)
            }
            Gate::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (&made[*id], *c)).collect();
                evaluator.combine(&terms, *constant, factor)
            }
            Gate::SumOfProducts { products, addends } => {
                let inline = self.make_inline(products, addends, made)?;
                let get = |id: &Id| inline.get(id).unwrap_or_else(|| &made[*id]);
                let products: Vec<_> = products.iter().map(|(a, b)| (get(a), get(b))).collect();
                let sum = evaluator.sum_of_products(&products)?;
                addends.iter().try_fold(sum, |sum, x| evaluator.add(&sum, get(x)))
            }
            Gate::ExactDivision { dividend, divisor } => evaluator.divide_exact(&made[*dividend], *divisor),
        }
    }

    /// The factors and addends of a sum of products that are made when they are read.
    ///
    /// A combination has any factor for nothing, so that all products get the factor of the first.
    fn make_inline(
        &self,
        products: &[(Id, Id)],
        addends: &[Id],
        made: &Made<ExactCiphertext>,
    ) -> Result<BTreeMap<Id, ExactCiphertext>, ExactError> {
        let mut inline = BTreeMap::new();
        let ids = products.iter().flat_map(|(a, b)| [a, b]).chain(addends);
        for &id in ids.filter(|&&id| made.get(id).is_none()) {
            inline.insert(id, self.make(&self.circuit.gates()[id.index()], made, None)?);
        }
        Ok(inline)
    }
}
