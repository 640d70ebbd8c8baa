//! Arithmetic circuits ([`crate::polyeval`]) on ciphertexts of BFV and BGV, and on their states alone.
use std::collections::BTreeMap;

use super::{Evaluator, ExactCiphertext, ExactError, ExactParams, State};
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Made, Minus, Reading};

/// What gates are made of: operations on ciphertexts, or on what is known of them.
trait Operations {
    type Value: Clone;

    fn params(&self) -> &ExactParams;
    fn state(&self, x: &Self::Value) -> State;
    fn add(&self, a: &Self::Value, b: &Self::Value, negative: bool) -> Result<Self::Value, ExactError>;
    fn combine(
        &self,
        terms: &[(&Self::Value, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<Self::Value, ExactError>;
    fn sum_of_products(&self, terms: &[(&Self::Value, &Self::Value)]) -> Result<Self::Value, ExactError>;
    fn divide_exact(&self, x: &Self::Value, divisor: u64) -> Result<Self::Value, ExactError>;
}

impl Operations for Evaluator {
    type Value = ExactCiphertext;

    fn params(&self) -> &ExactParams {
        &self.params
    }

    fn state(&self, x: &ExactCiphertext) -> State {
        x.state
    }

    fn add(&self, a: &ExactCiphertext, b: &ExactCiphertext, negative: bool) -> Result<ExactCiphertext, ExactError> {
        if negative { self.sub(a, b) } else { Self::add(self, a, b) }
    }

    fn combine(
        &self,
        terms: &[(&ExactCiphertext, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<ExactCiphertext, ExactError> {
        Self::combine(self, terms, constant, factor)
    }

    fn sum_of_products(&self, terms: &[(&ExactCiphertext, &ExactCiphertext)]) -> Result<ExactCiphertext, ExactError> {
        Self::sum_of_products(self, terms)
    }

    fn divide_exact(&self, x: &ExactCiphertext, divisor: u64) -> Result<ExactCiphertext, ExactError> {
        Self::divide_exact(self, x, divisor)
    }
}

impl Operations for ExactParams {
    type Value = State;

    fn params(&self) -> &ExactParams {
        self
    }

    fn state(&self, x: &State) -> State {
        *x
    }

    fn add(&self, a: &State, b: &State, _: bool) -> Result<State, ExactError> {
        Ok(self.sum(*a, *b)?.1)
    }

    fn combine(&self, terms: &[(&State, i64)], constant: i64, factor: Option<u64>) -> Result<State, ExactError> {
        let terms: Vec<_> = terms.iter().map(|&(x, c)| (*x, c)).collect();
        let sum = self.combination(&terms, factor)?.result;
        if constant == 0 { Ok(sum) } else { Ok(self.plus_constant(sum, constant)?.1) }
    }

    fn sum_of_products(&self, terms: &[(&State, &State)]) -> Result<State, ExactError> {
        let terms: Vec<_> = terms.iter().map(|&(a, b)| (*a, *b)).collect();
        Ok(self.products(&terms)?.result)
    }

    fn divide_exact(&self, x: &State, divisor: u64) -> Result<State, ExactError> {
        Ok(self.divided(*x, divisor)?.1)
    }
}

impl Evaluator {
    /// The outputs of a circuit of integers modulo p^r: what [`Residues`](crate::polyeval::Residues) reads, in every
    /// slot.
    ///
    /// Values are freed after their last use; combinations that one sum of products reads are made when they are read,
    /// with the factor that the sum asks for. `progress` hears after each gate how many of how many are done.
    ///
    /// # Errors
    /// [`ExactError::Inputs`]; as [`Evaluator::mul`], [`Evaluator::divide_exact`].
    pub fn evaluate(
        &self,
        circuit: &ArithmeticCircuit<i64>,
        inputs: &[&ExactCiphertext],
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<ExactCiphertext>, ExactError> {
        inputs.iter().try_for_each(|x| self.check(x))?;
        run(self, circuit, inputs, progress)
    }
}

impl ExactParams {
    /// The states of the outputs of a circuit, as [`Evaluator::evaluate`] makes them of inputs of these states.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn outputs(&self, circuit: &ArithmeticCircuit<i64>, inputs: &[State]) -> Result<Vec<State>, ExactError> {
        run(self, circuit, &inputs.iter().collect::<Vec<_>>(), |_, _| ())
    }
}

fn run<O: Operations>(
    operations: &O,
    circuit: &ArithmeticCircuit<i64>,
    inputs: &[&O::Value],
    progress: impl FnMut(usize, usize),
) -> Result<Vec<O::Value>, ExactError> {
    if inputs.len() != circuit.inputs() {
        return Err(ExactError::Inputs { found: inputs.len(), expected: circuit.inputs() });
    }
    circuit.run(&mut Values { operations, circuit, inputs }, progress)
}

/// The reading on values.
struct Values<'a, O: Operations> {
    operations: &'a O,
    circuit: &'a ArithmeticCircuit<i64>,
    inputs: &'a [&'a O::Value],
}

impl<O: Operations> Reading<i64> for Values<'_, O> {
    type Value = O::Value;
    type Error = ExactError;

    const MAKES_INLINE: bool = true;

    fn gate(&mut self, _: Id, gate: &Gate<i64>, made: &Made<O::Value>) -> Result<O::Value, ExactError> {
        self.make(gate, made, None)
    }
}

impl<O: Operations> Values<'_, O> {
    /// The value of a gate, with the factor `factor` if it can have any.
    fn make(&self, gate: &Gate<i64>, made: &Made<O::Value>, factor: Option<u64>) -> Result<O::Value, ExactError> {
        let operations = self.operations;
        let plus = |x: &O::Value, c: i64| operations.combine(&[(x, 1)], c, None);
        match gate {
            Gate::Input(i) => Ok(self.inputs[*i].clone()),
            Gate::Product { a, b, doubled, minus } => {
                let product = operations.sum_of_products(&[(&made[*a], &made[*b])])?;
                let product = if *doubled { operations.combine(&[(&product, 2)], 0, None)? } else { product };
                match minus {
                    Minus::Nothing => Ok(product),
                    Minus::One => plus(&product, -1),
                    Minus::Value(c) => operations.add(&product, &made[*c], true),
                }
            }
            Gate::Combination { terms, constant } if terms.is_empty() => {
                let x = self.inputs.first().ok_or(ExactError::Inputs { found: 0, expected: 1 })?;
                operations.combine(&[(*x, 0)], *constant, factor)
            }
            Gate::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (&made[*id], *c)).collect();
                operations.combine(&terms, *constant, factor)
            }
            Gate::SumOfProducts { products, addends } => {
                let inline = self.make_factors(products, made)?;
                let get = |id: &Id| inline.get(id).unwrap_or_else(|| &made[*id]);
                let products: Vec<_> = products.iter().map(|(a, b)| (get(a), get(b))).collect();
                let sum = operations.sum_of_products(&products)?;
                addends.iter().try_fold(sum, |sum, id| {
                    let inline = match made.get(*id) {
                        Some(_) => None,
                        None => Some(self.make_alike(*id, made, self.kept(&operations.state(&sum)))?),
                    };
                    operations.add(&sum, inline.as_ref().unwrap_or_else(|| &made[*id]), false)
                })
            }
            Gate::ExactDivision { dividend, divisor } => operations.divide_exact(&made[*dividend], *divisor),
        }
    }

    /// f/Q, which divisions by primes of the chain do not change.
    fn kept(&self, state: &State) -> u64 {
        let params = self.operations.params();
        let residues = params.residues(state.exponent);
        let q = params.modulus_in(residues, state.level);
        residues.mul(state.factor, residues.inverse(q).expect("the primes do not divide plaintext moduli"))
    }

    /// The value of a gate that is made where it is read, with f/Q = `kept` if it is a combination: for nothing.
    fn make_alike(&self, id: Id, made: &Made<O::Value>, kept: u64) -> Result<O::Value, ExactError> {
        let gate = &self.circuit.gates()[id.index()];
        let factor = match gate {
            Gate::Combination { terms, .. } if !terms.is_empty() => {
                let states: Vec<State> = terms.iter().map(|(id, _)| self.operations.state(&made[*id])).collect();
                let level = states.iter().map(|x| x.level).min().expect("there is a term");
                let params = self.operations.params();
                let residues = params.residues(states[0].exponent);
                Some(residues.mul(kept, params.modulus_in(residues, level)))
            }
            _ => None,
        };
        self.make(gate, made, factor)
    }

    /// The factors of products that are made where they are read, so that all products have one f.
    fn make_factors(&self, products: &[(Id, Id)], made: &Made<O::Value>) -> Result<BTreeMap<Id, O::Value>, ExactError> {
        let mut inline = BTreeMap::new();
        let mut target = None;
        for &(a, b) in products {
            for (id, other) in [(a, b), (b, a)].into_iter().filter(|(id, _)| made.get(*id).is_none()) {
                if inline.contains_key(&id) {
                    continue;
                }
                let other = inline.get(&other).or_else(|| made.get(other)).map(|x| self.operations.state(x));
                let value = match target.zip(other) {
                    Some((target, other)) => {
                        let residues = self.operations.params().residues(other.exponent);
                        let inverse = residues.inverse(self.kept(&other)).expect("a factor is a unit");
                        self.make_alike(id, made, residues.mul(target, inverse))?
                    }
                    None => self.make(&self.circuit.gates()[id.index()], made, None)?,
                };
                inline.insert(id, value);
            }
            if target.is_none() {
                let kept = |id: Id| self.kept(&self.operations.state(inline.get(&id).unwrap_or_else(|| &made[id])));
                let (a, b) = (kept(a), kept(b));
                let exponent =
                    self.operations.state(inline.get(&products[0].0).unwrap_or_else(|| &made[products[0].0]));
                target = Some(self.operations.params().residues(exponent.exponent).mul(a, b));
            }
        }
        Ok(inline)
    }
}
