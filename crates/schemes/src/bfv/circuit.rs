//! Arithmetic circuits ([`crate::polyeval`]) on ciphertexts of BFV and BGV, and on their states alone.
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::evaluator::CombinationRow;
use super::state::ProductPlan;
use super::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, State};
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Made, Minus, Reading};

/// The operations that gates are made of: on ciphertexts, or on their states.
trait Operations {
    type Value: Clone;
    /// A value at the level where it is read.
    type Operand;

    fn params(&self) -> &BfvParams;
    fn state(&self, x: &Self::Value) -> State;
    /// Reads a value at a level not above its own.
    fn read(&self, x: &Self::Value, level: usize) -> Result<Self::Operand, BfvSchemeError>;
    /// a ± b, at one level.
    fn add(&self, a: Self::Operand, b: Self::Operand, negative: bool) -> Result<Self::Value, BfvSchemeError>;
    fn plus_constant(&self, x: Self::Operand, constant: i64) -> Result<Self::Value, BfvSchemeError>;
    /// Σ c_j·x_j, at one level, for each row.
    fn combine(&self, columns: &[Self::Operand], rows: &[CombinationRow]) -> Result<Vec<Self::Value>, BfvSchemeError>;
    /// Σ a_i·b_i, at the level of the plan.
    fn sum_of_products(
        &self,
        plan: ProductPlan,
        terms: impl Iterator<Item = Result<(Self::Operand, Self::Operand), BfvSchemeError>>,
    ) -> Result<Self::Value, BfvSchemeError>;
    fn divide_exact(&self, x: Self::Operand, divisor: u64) -> Result<Self::Value, BfvSchemeError>;
}

/// A circuit on states, which notes at which levels each value is read, one after the other. Values are numbered as they
/// are made.
struct Trace<'a> {
    params: &'a BfvParams,
    reads: RefCell<Vec<VecDeque<usize>>>,
}

impl<'a> Trace<'a> {
    fn new(params: &'a BfvParams) -> Self {
        Self { params, reads: RefCell::default() }
    }

    fn value(&self, state: State) -> (State, usize) {
        let mut reads = self.reads.borrow_mut();
        reads.push(VecDeque::new());
        (state, reads.len() - 1)
    }
}

impl Operations for Trace<'_> {
    type Value = (State, usize);
    type Operand = State;

    fn params(&self) -> &BfvParams {
        self.params
    }

    fn state(&self, x: &(State, usize)) -> State {
        x.0
    }

    fn read(&self, &(x, number): &(State, usize), level: usize) -> Result<State, BfvSchemeError> {
        self.reads.borrow_mut()[number].push_back(level);
        let dropped = self.params.at_level(x, level);
        if level < x.level { self.params.promised("division by primes", dropped) } else { Ok(dropped) }
    }

    fn add(&self, a: State, b: State, _: bool) -> Result<(State, usize), BfvSchemeError> {
        Ok(self.value(self.params.sum(a, b)?.1))
    }

    fn plus_constant(&self, x: State, constant: i64) -> Result<(State, usize), BfvSchemeError> {
        Ok(self.value(self.params.plus_constant(x, constant)?.1))
    }

    fn combine(&self, _: &[State], rows: &[CombinationRow]) -> Result<Vec<(State, usize)>, BfvSchemeError> {
        let of = |row: &CombinationRow| match row.constant {
            0 => Ok(self.value(row.state)),
            constant => self.plus_constant(row.state, constant),
        };
        rows.iter().map(of).collect()
    }

    fn sum_of_products(
        &self,
        plan: ProductPlan,
        mut terms: impl Iterator<Item = Result<(State, State), BfvSchemeError>>,
    ) -> Result<(State, usize), BfvSchemeError> {
        terms.try_for_each(|term| term.map(drop))?;
        Ok(self.value(plan.result))
    }

    fn divide_exact(&self, x: State, divisor: u64) -> Result<(State, usize), BfvSchemeError> {
        Ok(self.value(self.params.divided(x, divisor)?.1))
    }
}

/// A circuit on ciphertexts whose [`Trace`] is known: a ciphertext is kept at the levels at which it will be read, and no
/// longer.
struct Evaluation<'a> {
    evaluator: &'a Evaluator,
    /// The gates that read each value that is not made yet.
    reads: RefCell<std::vec::IntoIter<VecDeque<usize>>>,
}

struct Shelf {
    state: State,
    /// From the highest level down.
    copies: RefCell<Vec<Rc<BfvCiphertext>>>,
    /// The levels of what is still to be read.
    reads: RefCell<VecDeque<usize>>,
}

impl Evaluation<'_> {
    fn value(&self, x: BfvCiphertext) -> Rc<Shelf> {
        let reads = self.reads.borrow_mut().next().unwrap_or_default();
        Rc::new(Shelf { state: x.state, copies: RefCell::new(vec![Rc::new(x)]), reads: RefCell::new(reads) })
    }
}

impl Operations for Evaluation<'_> {
    type Value = Rc<Shelf>;
    type Operand = Rc<BfvCiphertext>;

    fn params(&self) -> &BfvParams {
        &self.evaluator.params
    }

    fn state(&self, x: &Rc<Shelf>) -> State {
        x.state
    }

    fn read(&self, x: &Rc<Shelf>, level: usize) -> Result<Rc<BfvCiphertext>, BfvSchemeError> {
        let mut copies = x.copies.borrow_mut();
        let at = copies.iter().rposition(|copy| copy.level >= level).expect("what is to be read is kept");
        let mut found = Rc::clone(&copies[at]);
        if found.level > level {
            found = Rc::new(self.evaluator.drop_to(&found, level)?.into_owned());
            copies.insert(at + 1, Rc::clone(&found));
        }
        let mut reads = x.reads.borrow_mut();
        reads.pop_front();
        // The lowest one that is high enough for all.
        let keep = reads.iter().max().map_or(copies.len(), |&most| {
            copies.iter().rposition(|copy| copy.level >= most).expect("what is to be read is kept")
        });
        copies.drain(..keep);
        Ok(found)
    }

    fn add(&self, a: Rc<BfvCiphertext>, b: Rc<BfvCiphertext>, negative: bool) -> Result<Rc<Shelf>, BfvSchemeError> {
        Ok(self.value(if negative { self.evaluator.sub(&a, &b)? } else { self.evaluator.add(&a, &b)? }))
    }

    fn plus_constant(&self, x: Rc<BfvCiphertext>, constant: i64) -> Result<Rc<Shelf>, BfvSchemeError> {
        Ok(self.value(self.evaluator.add_constant(&x, constant)?))
    }

    fn combine(
        &self,
        columns: &[Rc<BfvCiphertext>],
        rows: &[CombinationRow],
    ) -> Result<Vec<Rc<Shelf>>, BfvSchemeError> {
        let columns: Vec<&BfvCiphertext> = columns.iter().map(Rc::as_ref).collect();
        Ok(self.evaluator.combine_rows(&columns, rows)?.into_iter().map(|x| self.value(x)).collect())
    }

    fn sum_of_products(
        &self,
        plan: ProductPlan,
        terms: impl Iterator<Item = Result<(Rc<BfvCiphertext>, Rc<BfvCiphertext>), BfvSchemeError>>,
    ) -> Result<Rc<Shelf>, BfvSchemeError> {
        Ok(self.value(self.evaluator.sum_planned(plan, terms)?))
    }

    fn divide_exact(&self, x: Rc<BfvCiphertext>, divisor: u64) -> Result<Rc<Shelf>, BfvSchemeError> {
        Ok(self.value(self.evaluator.divide_exact(&x, divisor)?))
    }
}

impl Evaluator {
    /// The outputs of a circuit of integers modulo p^r: what [`ResidueReading`](crate::polyeval::ResidueReading) reads,
    /// in every slot.
    ///
    /// Values are freed after their last use, at each level by itself; combinations that one sum of products reads are
    /// made when they are read, with the factor that the sum asks for, as a product of a matrix. `progress` hears after
    /// each gate how many of how many are done.
    ///
    /// # Errors
    /// [`BfvSchemeError::Inputs`]; as [`Evaluator::mul`], [`Evaluator::divide_exact`].
    pub fn evaluate(
        &self,
        circuit: &ArithmeticCircuit<i64>,
        inputs: &[&BfvCiphertext],
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<BfvCiphertext>, BfvSchemeError> {
        inputs.iter().try_for_each(|x| self.check(x))?;
        let trace = Trace::new(&self.params);
        let states = inputs.iter().map(|x| trace.value(x.state)).collect::<Vec<_>>();
        run(&trace, circuit, &states, |_, _| ())?;
        let evaluation = Evaluation { evaluator: self, reads: RefCell::new(trace.reads.into_inner().into_iter()) };
        let inputs: Vec<_> = inputs.iter().map(|&x| evaluation.value(x.clone())).collect();
        let outputs = run(&evaluation, circuit, &inputs, progress)?;
        let owned = |x: Rc<BfvCiphertext>| Rc::try_unwrap(x).unwrap_or_else(|x| x.as_ref().clone());
        Ok(outputs.into_iter().map(owned).collect())
    }
}

impl BfvParams {
    /// The states of the outputs of a circuit, as [`Evaluator::evaluate`] makes them of inputs of these states.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn outputs(&self, circuit: &ArithmeticCircuit<i64>, inputs: &[State]) -> Result<Vec<State>, BfvSchemeError> {
        let trace = Trace::new(self);
        let inputs: Vec<_> = inputs.iter().map(|&x| trace.value(x)).collect();
        run(&trace, circuit, &inputs, |_, _| ())
    }
}

fn run<O: Operations>(
    operations: &O,
    circuit: &ArithmeticCircuit<i64>,
    inputs: &[O::Value],
    progress: impl FnMut(usize, usize),
) -> Result<Vec<O::Operand>, BfvSchemeError> {
    if inputs.len() != circuit.inputs() {
        return Err(BfvSchemeError::Inputs { found: inputs.len(), expected: circuit.inputs() });
    }
    let outputs = circuit.run(&mut Values { operations, circuit, inputs }, progress)?;
    outputs.iter().map(|x| operations.read(x, operations.state(x).level)).collect()
}

/// Combinations that are made together.
const TOGETHER: usize = 32;

/// The reading on values.
struct Values<'a, O: Operations> {
    operations: &'a O,
    circuit: &'a ArithmeticCircuit<i64>,
    inputs: &'a [O::Value],
}

impl<O: Operations> Reading<i64> for Values<'_, O> {
    type Value = O::Value;
    type Error = BfvSchemeError;

    const MAKES_INLINE: bool = true;

    fn gate(&mut self, _: Id, gate: &Gate<i64>, made: &Made<O::Value>) -> Result<O::Value, BfvSchemeError> {
        self.make(gate, made)
    }
}

/// Combinations of the same values, which are made at one level.
struct Batch<'a> {
    level: usize,
    /// Where each value is among the columns, and its state at that level.
    columns: BTreeMap<Id, (usize, State)>,
    params: &'a BfvParams,
    rows: Vec<CombinationRow>,
}

impl Batch<'_> {
    /// Adds Σ c_j·x_j + c with f/Q = `kept`, or with the factor of the first; its state.
    fn push(&mut self, terms: &[(Id, i64)], constant: i64, kept: Option<u64>) -> Result<State, BfvSchemeError> {
        let params = self.params;
        let states: Vec<_> = terms.iter().map(|(id, c)| (self.columns[id].1, *c)).collect();
        let residues = params.residues(states[0].0.exponent);
        let factor = kept.map(|kept| residues.mul(kept, params.modulus_in(residues, self.level)));
        let plan = params.combination(&states, factor)?;
        let mut constants = vec![0; self.columns.len()];
        terms.iter().zip(&plan.constants).for_each(|((id, _), &c)| constants[self.columns[id].0] += c);
        self.rows.push(CombinationRow { constants, constant, state: plan.result });
        Ok(if constant == 0 { plan.result } else { params.plus_constant(plan.result, constant)?.1 })
    }
}

impl<O: Operations> Values<'_, O> {
    fn make(&self, gate: &Gate<i64>, made: &Made<O::Value>) -> Result<O::Value, BfvSchemeError> {
        let operations = self.operations;
        match gate {
            Gate::Input(i) => Ok(self.inputs[*i].clone()),
            Gate::Product { a, b, doubled, minus } => {
                let product = self.sum_of_products(&[(*a, *b)], &[], made)?;
                let product = if *doubled { self.combination(&[(&product, 2)], 0)? } else { product };
                match minus {
                    Minus::Nothing => Ok(product),
                    Minus::One => self.plus_constant(&product, -1),
                    Minus::Value(c) => self.add(&product, &made[*c], true),
                }
            }
            Gate::Combination { terms, constant } if terms.is_empty() => {
                let x = self.inputs.first().ok_or(BfvSchemeError::Inputs { found: 0, expected: 1 })?;
                self.combination(&[(x, 0)], *constant)
            }
            Gate::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (&made[*id], *c)).collect();
                self.combination(&terms, *constant)
            }
            Gate::SumOfProducts { products, addends } => self.sum_of_products(products, addends, made),
            Gate::ExactDivision { dividend, divisor } => {
                let x = &made[*dividend];
                operations.divide_exact(operations.read(x, operations.state(x).level)?, *divisor)
            }
        }
    }

    fn plus_constant(&self, x: &O::Value, constant: i64) -> Result<O::Value, BfvSchemeError> {
        let operations = self.operations;
        operations.plus_constant(operations.read(x, operations.state(x).level)?, constant)
    }

    /// At the lower level of both.
    fn add(&self, a: &O::Value, b: &O::Value, negative: bool) -> Result<O::Value, BfvSchemeError> {
        let operations = self.operations;
        let level = operations.state(a).level.min(operations.state(b).level);
        operations.add(operations.read(a, level)?, operations.read(b, level)?, negative)
    }

    /// At the lowest level of all.
    fn combination(&self, terms: &[(&O::Value, i64)], constant: i64) -> Result<O::Value, BfvSchemeError> {
        let (operations, params) = (self.operations, self.operations.params());
        let level = terms.iter().map(|(x, _)| operations.state(x).level).min().expect("there is a term");
        let states: Vec<_> = terms.iter().map(|(x, c)| (operations.state(x), *c)).collect();
        let plan = params.combination(&states, None)?;
        let columns = terms.iter().map(|(x, _)| operations.read(x, level)).collect::<Result<Vec<_>, _>>()?;
        let row = CombinationRow { constants: plan.constants, constant, state: plan.result };
        Ok(operations.combine(&columns, &[row])?.remove(0))
    }

    /// f/Q, which divisions by primes of the chain do not change.
    fn kept(&self, state: &State) -> u64 {
        let params = self.operations.params();
        let residues = params.residues(state.exponent);
        let q = params.modulus_in(residues, state.level);
        residues.mul(state.factor, residues.inverse(q).expect("the primes do not divide plaintext moduli"))
    }

    /// The level from which what constants add to w is divided away on the way to the level of this.
    fn above(&self, state: &State) -> usize {
        let params = self.operations.params();
        let bits = (params.power(state.exponent) as f64).log2();
        let levels = (state.level + 1..=params.max_level()).scan(0.0, |sum, level| {
            *sum += params.prime(level).log2();
            Some((level, *sum))
        });
        levels.into_iter().find(|&(_, sum)| sum >= bits).map_or(params.max_level(), |(level, _)| level)
    }

    /// The terms and the constant of a combination that is made where it is read.
    fn inline(&self, id: Id, made: &Made<O::Value>) -> Option<(&[(Id, i64)], i64)> {
        match &self.circuit.gates()[id.index()] {
            Gate::Combination { terms, constant } if made.get(id).is_none() && !terms.is_empty() => {
                Some((terms, *constant))
            }
            _ => None,
        }
    }

    /// The batch of the combinations `ids`, which are not made yet, of terms: no rows so far.
    ///
    /// Rows that are many are made at a level of `most` at most, where fewer primes are; for a few it is less work to
    /// bring them down than their terms.
    fn batch(&self, ids: &[Id], made: &Made<O::Value>, most: Option<usize>) -> Batch<'_> {
        let (operations, params) = (self.operations, self.operations.params());
        let terms = ids.iter().filter_map(|&id| self.inline(id, made)).flat_map(|(terms, _)| terms);
        let read: BTreeMap<Id, State> = terms.map(|(id, _)| (*id, operations.state(&made[*id]))).collect();
        let lowest = read.values().map(|state| state.level).min().unwrap_or(0);
        let few = 4 * ids.len() < read.len();
        let level = most.filter(|_| !few).map_or(lowest, |most| most.min(lowest));
        let column = |(place, (id, state)): (usize, (Id, State))| (id, (place, params.at_level(state, level)));
        Batch { level, columns: read.into_iter().enumerate().map(column).collect(), params, rows: Vec::new() }
    }

    /// Σ a_i·b_i + Σ x_j, where combinations that are made for it have such factors f that all terms have one.
    fn sum_of_products(
        &self,
        products: &[(Id, Id)],
        addends: &[Id],
        made: &Made<O::Value>,
    ) -> Result<O::Value, BfvSchemeError> {
        let (operations, params) = (self.operations, self.operations.params());
        let factors = || products.iter().flat_map(|&(a, b)| [a, b]);
        let inline: Vec<Id> = factors().chain(addends.iter().copied()).collect();
        let inline: Vec<Id> = inline.into_iter().filter(|&id| self.inline(id, made).is_some()).collect();
        // Products are at the lowest level of what is there, or below.
        let there = factors().filter_map(|id| made.get(id)).map(|x| operations.state(x));
        let most = there.min_by_key(|state| state.level).map(|state| self.above(&state));
        let mut batch = self.batch(&inline, made, most);

        let mut states: BTreeMap<Id, State> =
            factors().filter_map(|id| Some((id, operations.state(made.get(id)?)))).collect();
        let (mut target, mut constants) = (None, BTreeMap::new());
        for &(a, b) in products {
            for (id, other) in [(a, b), (b, a)] {
                let Some((terms, constant)) = self.inline(id, made) else {
                    if made.get(id).is_none() {
                        let x = self.make(&self.circuit.gates()[id.index()], made)?;
                        states.insert(id, operations.state(&x));
                        constants.insert(id, x);
                    }
                    continue;
                };
                let kept = target.zip(states.get(&other)).map(|(target, other)| {
                    let inverse = params.residues(other.exponent).inverse(self.kept(other));
                    params.residues(other.exponent).mul(target, inverse.expect("a factor is a unit"))
                });
                states.insert(id, batch.push(terms, constant, kept)?);
            }
            let [a, b] = [states[&a], states[&b]];
            target.get_or_insert(params.residues(a.exponent).mul(self.kept(&a), self.kept(&b)));
        }
        let plan = params.products(&products.iter().map(|(a, b)| (states[a], states[b])).collect::<Vec<_>>())?;
        for (terms, constant) in addends.iter().filter_map(|&id| self.inline(id, made)) {
            batch.push(terms, constant, Some(self.kept(&plan.result)))?;
        }

        let columns = batch.columns.keys().map(|&id| operations.read(&made[id], batch.level));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let (mut ready, mut rows) = (VecDeque::new(), batch.rows.chunks(TOGETHER));
        let mut value = |id: Id| {
            if let Some(x) = made.get(id).or_else(|| constants.get(&id)) {
                return Ok::<_, BfvSchemeError>(x.clone());
            }
            if ready.is_empty() {
                ready.extend(operations.combine(&columns, rows.next().expect("a row for each"))?);
            }
            Ok(ready.pop_front().expect("rows are made in order"))
        };
        let level = plan.level;
        let terms = products.iter().map(|&(a, b)| {
            let mut operand = |id| operations.read(&value(id)?, level);
            Ok((operand(a)?, operand(b)?))
        });
        let sum = operations.sum_of_products(plan, terms)?;
        addends.iter().try_fold(sum, |sum, &id| match &self.circuit.gates()[id.index()] {
            Gate::Combination { terms, constant } if terms.is_empty() => self.plus_constant(&sum, *constant),
            _ => self.add(&sum, &value(id)?, false),
        })
    }
}
