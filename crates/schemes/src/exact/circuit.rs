//! Arithmetic circuits ([`crate::polyeval`]) on ciphertexts of BFV and BGV, and on their states alone.
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Evaluator, ExactCiphertext, ExactError, ExactParams, State};
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Made, Minus, Reading};

/// What gates are made of: operations on ciphertexts, or on what is known of them.
trait Operations {
    type Value: Clone;

    fn params(&self) -> &ExactParams;
    fn state(&self, x: &Self::Value) -> State;
    /// The same at a level not above its own.
    fn at_level(&self, x: &Self::Value, level: usize) -> Result<Self::Value, ExactError>;
    /// At the lower level of both.
    fn add(&self, a: &Self::Value, b: &Self::Value, negative: bool) -> Result<Self::Value, ExactError>;
    /// At the lowest level of all.
    fn combine(
        &self,
        terms: &[(&Self::Value, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<Self::Value, ExactError>;
    fn sum_of_products(&self, terms: &[(&Self::Value, &Self::Value)]) -> Result<Self::Value, ExactError>;
    fn divide_exact(&self, x: &Self::Value, divisor: u64) -> Result<Self::Value, ExactError>;
}

/// A ciphertext and, once they were asked for, the same a level lower, and so on: operands of many gates are divided by a
/// prime once for all.
struct Descent {
    x: ExactCiphertext,
    below: OnceCell<Rc<Descent>>,
}

impl Descent {
    fn new(x: ExactCiphertext) -> Rc<Self> {
        Rc::new(Self { x, below: OnceCell::new() })
    }
}

impl Operations for Evaluator {
    type Value = Rc<Descent>;

    fn params(&self) -> &ExactParams {
        &self.params
    }

    fn state(&self, x: &Rc<Descent>) -> State {
        x.x.state
    }

    fn at_level(&self, x: &Rc<Descent>, level: usize) -> Result<Rc<Descent>, ExactError> {
        let mut x = Rc::clone(x);
        while x.x.level > level {
            let below = match x.below.get() {
                Some(below) => Rc::clone(below),
                None => {
                    let below = Descent::new(self.drop_to(&x.x, x.x.level - 1)?.into_owned());
                    Rc::clone(x.below.get_or_init(|| below))
                }
            };
            x = below;
        }
        Ok(x)
    }

    fn add(&self, a: &Rc<Descent>, b: &Rc<Descent>, negative: bool) -> Result<Rc<Descent>, ExactError> {
        let level = a.x.level.min(b.x.level);
        let [a, b] = [self.at_level(a, level)?, self.at_level(b, level)?];
        Ok(Descent::new(if negative { self.sub(&a.x, &b.x)? } else { Self::add(self, &a.x, &b.x)? }))
    }

    fn combine(
        &self,
        terms: &[(&Rc<Descent>, i64)],
        constant: i64,
        factor: Option<u64>,
    ) -> Result<Rc<Descent>, ExactError> {
        let level = terms.iter().map(|(x, _)| x.x.level).min().unwrap_or(0);
        let terms = terms.iter().map(|(x, c)| Ok((self.at_level(x, level)?, *c)));
        let terms = terms.collect::<Result<Vec<_>, ExactError>>()?;
        let terms: Vec<_> = terms.iter().map(|(x, c)| (&x.x, *c)).collect();
        Ok(Descent::new(Self::combine(self, &terms, constant, factor)?))
    }

    fn sum_of_products(&self, terms: &[(&Rc<Descent>, &Rc<Descent>)]) -> Result<Rc<Descent>, ExactError> {
        let states: Vec<_> = terms.iter().map(|(a, b)| (a.x.state, b.x.state)).collect();
        let level = self.params.products(&states)?.level;
        let terms = terms.iter().map(|(a, b)| Ok((self.at_level(a, level)?, self.at_level(b, level)?)));
        let terms = terms.collect::<Result<Vec<_>, ExactError>>()?;
        let terms: Vec<_> = terms.iter().map(|(a, b)| (&a.x, &b.x)).collect();
        Ok(Descent::new(Self::sum_of_products(self, &terms)?))
    }

    fn divide_exact(&self, x: &Rc<Descent>, divisor: u64) -> Result<Rc<Descent>, ExactError> {
        Ok(Descent::new(Self::divide_exact(self, &x.x, divisor)?))
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

    fn at_level(&self, x: &State, level: usize) -> Result<State, ExactError> {
        let dropped = Self::at_level(self, *x, level);
        if level < x.level { self.promised("division by primes", dropped) } else { Ok(dropped) }
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
        let inputs: Vec<_> = inputs.iter().map(|&x| Descent::new(x.clone())).collect();
        let outputs = run(self, circuit, &inputs.iter().collect::<Vec<_>>(), progress)?;
        drop(inputs);
        let owned = |x: Rc<Descent>| Rc::try_unwrap(x).map_or_else(|x| x.x.clone(), |x| x.x);
        Ok(outputs.into_iter().map(owned).collect())
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
        self.make(gate, made, None, None)
    }
}

impl<O: Operations> Values<'_, O> {
    /// The value of a gate; of a combination with the factor `factor`, made at a level of `most` at most.
    fn make(
        &self,
        gate: &Gate<i64>,
        made: &Made<O::Value>,
        factor: Option<u64>,
        most: Option<usize>,
    ) -> Result<O::Value, ExactError> {
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
                let level = self.combination_level(terms, made, most);
                let brought = terms.iter().map(|(id, c)| {
                    let x = &made[*id];
                    Ok((operations.at_level(x, level.min(operations.state(x).level))?, *c))
                });
                let terms = brought.collect::<Result<Vec<_>, ExactError>>()?;
                operations.combine(&terms.iter().map(|(x, c)| (x, *c)).collect::<Vec<_>>(), *constant, factor)
            }
            Gate::SumOfProducts { products, addends } => {
                let inline = self.make_factors(products, made)?;
                let get = |id: &Id| inline.get(id).unwrap_or_else(|| &made[*id]);
                let products: Vec<_> = products.iter().map(|(a, b)| (get(a), get(b))).collect();
                let sum = operations.sum_of_products(&products)?;
                addends.iter().try_fold(sum, |sum, id| {
                    let inline = match made.get(*id) {
                        Some(_) => None,
                        None => {
                            let state = operations.state(&sum);
                            Some(self.make_alike(*id, made, self.kept(&state), Some(self.above(&state)))?)
                        }
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

    /// The level from which what constants add to w is divided away on the way to the level of this: combinations are made
    /// there, and not at a higher one.
    fn above(&self, state: &State) -> usize {
        let params = self.operations.params();
        let bits = (params.power(state.exponent) as f64).log2();
        let levels = (state.level + 1..=params.max_level()).scan(0.0, |sum, level| {
            *sum += params.prime(level).log2();
            Some((level, *sum))
        });
        levels.into_iter().find(|&(_, sum)| sum >= bits).map_or(params.max_level(), |(level, _)| level)
    }

    /// The level of a combination: the lowest of its terms, `most` at most.
    fn combination_level(&self, terms: &[(Id, i64)], made: &Made<O::Value>, most: Option<usize>) -> usize {
        let levels = terms.iter().map(|(id, _)| self.operations.state(&made[*id]).level);
        levels.chain(most).min().expect("there is a term")
    }

    /// The value of a gate that is made where it is read, with f/Q = `kept` if it is a combination: for nothing.
    fn make_alike(
        &self,
        id: Id,
        made: &Made<O::Value>,
        kept: u64,
        most: Option<usize>,
    ) -> Result<O::Value, ExactError> {
        let gate = &self.circuit.gates()[id.index()];
        let factor = match gate {
            Gate::Combination { terms, .. } if !terms.is_empty() => {
                let level = self.combination_level(terms, made, most);
                let params = self.operations.params();
                let residues = params.residues(self.operations.state(&made[terms[0].0]).exponent);
                Some(residues.mul(kept, params.modulus_in(residues, level)))
            }
            _ => None,
        };
        self.make(gate, made, factor, most)
    }

    /// The factors of products that are made where they are read, so that all products have one f.
    fn make_factors(&self, products: &[(Id, Id)], made: &Made<O::Value>) -> Result<BTreeMap<Id, O::Value>, ExactError> {
        let mut inline = BTreeMap::new();
        let mut target = None;
        // Products are at the lowest level of what is there, or below.
        let there = products.iter().flat_map(|&(a, b)| [a, b]).filter_map(|id| made.get(id));
        let lowest = there.map(|x| self.operations.state(x)).min_by_key(|state| state.level);
        let most = lowest.map(|state| self.above(&state));
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
                        self.make_alike(id, made, residues.mul(target, inverse), most)?
                    }
                    None => self.make(&self.circuit.gates()[id.index()], made, None, most)?,
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
