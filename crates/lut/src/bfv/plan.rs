//! Where a [`Program`] is bootstrapped, if it is: planned on what is known of its inputs, then run.
use std::sync::Arc;

use bootes_lattice::noise::failure::sum_log2;
use bootes_lattice::rns::MaskStorage;
use bootes_ring::primes;
use bootes_schemes::bfv::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, Scheme, State};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate};
use bootes_schemes::rlwe::{GaloisAction, RlweCost};

use super::depth::Refusal;
use super::slim::circuit_work;
use super::{ProgramParams, SlimBootstrap, table};
use crate::program::{Node, Operation, Program};
use crate::{BfvLutError, LutError};

/// The steps of a plan, on values by their numbers.
#[derive(Debug, Clone)]
enum Step {
    Input(usize),
    Sum {
        a: usize,
        b: usize,
        negative: bool,
    },
    PlusConstant(usize, i64),
    TimesConstant(usize, i64),
    Product(usize, usize),
    Move(usize, GaloisAction),
    /// The same at a lower level: less work for a table.
    Lower(usize),
    Table(usize, Arc<ArithmeticCircuit<i64>>),
    Bootstrap(usize),
}

/// A program on inputs that are known but for their messages.
///
/// A value is bootstrapped when what an operation makes of it would not be right, or could not be bootstrapped: so
/// every result can be an input again. With a set that is not bootstrapped an operation is refused whose result might
/// not decrypt.
#[derive(Debug, Clone)]
pub struct ProgramPlan {
    inputs: Vec<State>,
    steps: Vec<(Step, State)>,
    outputs: Vec<usize>,
    log2_failure: f64,
    work: Residues,
}

impl ProgramPlan {
    /// Bytes that it takes: those of its tables, each once, and of its steps.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let mut known = std::collections::HashSet::new();
        let of = |(step, _): &(Step, State)| match step {
            Step::Table(_, circuit) if known.insert(Arc::as_ptr(circuit)) => circuit.bytes(),
            _ => 0,
        };
        size_of_val(&self.steps[..]) + self.steps.iter().map(of).sum::<usize>()
    }

    /// Plans `program` on inputs of these states, computed in BGV or BFV, whichever takes less time.
    ///
    /// # Errors
    /// [`LutError::BfvScheme`] for an operation that no freshly bootstrapped operands have the modulus for, for inputs
    /// that cannot be bootstrapped and are not fresh enough; [`BfvLutError::Room`] where nothing is bootstrapped, with
    /// the set that has the room; [`BfvLutError::Table`], [`BfvLutError::Entry`].
    pub fn new(
        params: &ProgramParams,
        bootstrap: Option<&SlimBootstrap>,
        program: &Program,
        inputs: &[State],
    ) -> Result<Self, LutError> {
        Self::of(params, bootstrap, program, inputs).map_err(|refusal| refusal.with_cure(params, program, inputs))
    }

    pub(super) fn of(
        params: &ProgramParams,
        bootstrap: Option<&SlimBootstrap>,
        program: &Program,
        inputs: &[State],
    ) -> Result<Self, Refusal> {
        let (found, expected) = (inputs.len(), program.inputs());
        if found != expected {
            return Err(BfvSchemeError::Inputs { found, expected }.into());
        }
        check_tables(params, program)?;
        let circuits = program.tables().iter().map(|lut| circuit_of(params, lut)).collect::<Result<Vec<_>, _>>()?;
        let plan = |scheme| {
            Planner {
                params,
                bootstrap,
                circuits: &circuits,
                scheme,
                inputs,
                number: 0,
                steps: Vec::new(),
                newest: Vec::new(),
                log2_failure: f64::NEG_INFINITY,
                work: Residues::default(),
            }
            .plan(program)
        };
        let seconds = |plan: &Self| bootes_schemes::cost::Calibration::current().seconds(plan.work);
        match [plan(Scheme::Bgv), plan(Scheme::Bfv)] {
            [Ok(bgv), Ok(bfv)] => Ok(if seconds(&bfv) < seconds(&bgv) { bfv } else { bgv }),
            [Ok(plan), Err(_)] | [Err(_), Ok(plan)] => Ok(plan),
            [Err(bgv), Err(bfv)] => Err(if bgv.number > bfv.number { bgv } else { bfv }),
        }
    }

    /// The states of inputs that it is made for.
    #[must_use]
    pub fn inputs(&self) -> &[State] {
        &self.inputs
    }

    /// How often a value is bootstrapped.
    #[must_use]
    pub fn bootstraps(&self) -> usize {
        self.steps.iter().filter(|(step, _)| matches!(step, Step::Bootstrap(_))).count()
    }

    /// Products of ciphertexts, those of tables among them and those of bootstrapping not.
    #[must_use]
    pub fn products(&self) -> usize {
        let of = |step: &Step| match step {
            Step::Product(..) => 1,
            Step::Table(_, circuit) => circuit.total_counts().products,
            _ => 0,
        };
        self.steps.iter().map(|(step, _)| of(step)).sum()
    }

    /// Rotations and exchanges, one key switch each.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.steps.iter().filter(|(step, _)| matches!(step, Step::Move(..))).count()
    }

    /// In what it is computed.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.steps.first().map_or(Scheme::Bgv, |(_, state)| state.scheme)
    }

    /// The states of the results.
    #[must_use]
    pub fn results(&self) -> Vec<State> {
        self.outputs.iter().map(|&i| self.steps[i].1).collect()
    }

    /// log2 of the probability that some slot comes out wrong.
    #[must_use]
    pub fn log2_failure(&self) -> f64 {
        self.log2_failure
    }

    /// The work of all steps.
    #[must_use]
    pub fn work(&self) -> Residues {
        self.work
    }

    /// How many primes all values that are alive at once have, at most; those inside of a table among them.
    #[must_use]
    pub fn peak_limbs(&self) -> usize {
        let (last, limbs) = (self.last_use(), |i: usize| self.steps[i].1.level + 1);
        let inside = |i: usize| match &self.steps[i].0 {
            Step::Table(x, circuit) => circuit_limbs(circuit, limbs(*x)),
            _ => 0,
        };
        let at = |i: usize| (0..=i).filter(|&j| last[j] >= i).map(limbs).sum::<usize>() + inside(i);
        (0..self.steps.len()).map(at).max().unwrap_or(0)
    }

    /// The step that reads each value last.
    fn last_use(&self) -> Vec<usize> {
        let mut last: Vec<usize> = (0..self.steps.len()).collect();
        for (i, (step, _)) in self.steps.iter().enumerate() {
            operands(step).into_iter().for_each(|j| last[j] = i);
        }
        self.outputs.iter().for_each(|&j| last[j] = usize::MAX);
        last
    }

    /// Runs it. `progress` hears after each step which part of the work is done, and whether it was a bootstrapping.
    ///
    /// # Errors
    /// [`BfvSchemeError::Inputs`]; [`BfvSchemeError::Exhausted`] for inputs of other states than were planned for;
    /// [`BfvSchemeError::Keys`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Cancelled`].
    ///
    /// # Panics
    /// For a plan with bootstrappings, and none.
    pub fn run(
        &self,
        bootstrap: Option<&SlimBootstrap>,
        evaluator: &Evaluator,
        inputs: &[&BfvCiphertext],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<BfvCiphertext>, BfvSchemeError> {
        let (found, expected) = (inputs.len(), self.inputs.len());
        if found != expected {
            return Err(BfvSchemeError::Inputs { found, expected });
        }
        if let Some((x, planned)) = inputs.iter().zip(&self.inputs).find(|(x, planned)| x.state() != **planned) {
            let [needed, found] = [planned.size.worst, x.size.worst];
            return Err(BfvSchemeError::Exhausted { operation: "plan", needed, found });
        }
        let last = self.last_use();
        let mut made: Vec<Option<BfvCiphertext>> = Vec::with_capacity(self.steps.len());
        for (i, (step, state)) in self.steps.iter().enumerate() {
            let get = |j: usize| made[j].as_ref().expect("a value is kept until its last use");
            let value = match step {
                Step::Input(j) => evaluator.brought(inputs[*j], state.level, state.scheme)?.into_owned(),
                Step::Sum { a, b, negative: false } => evaluator.add(get(*a), get(*b))?,
                Step::Sum { a, b, negative: true } => evaluator.sub(get(*a), get(*b))?,
                Step::PlusConstant(a, c) => evaluator.add_constant(get(*a), *c)?,
                Step::TimesConstant(a, c) => evaluator.mul_constant(get(*a), *c)?,
                Step::Product(a, b) => evaluator.mul(get(*a), get(*b))?,
                Step::Move(a, action) => evaluator.apply(get(*a), *action)?,
                Step::Lower(a) => evaluator.drop_to(get(*a), state.level)?.into_owned(),
                Step::Table(a, circuit) => evaluator.evaluate(circuit, &[get(*a)], |_, _| ())?.swap_remove(0),
                Step::Bootstrap(a) => bootstrap.expect("planned with what bootstraps").bootstrap(evaluator, get(*a))?,
            };
            debug_assert_eq!(value.state(), *state, "{step:?}");
            made.push(Some(value));
            for j in operands(step) {
                if last[j] == i {
                    made[j] = None;
                }
            }
            progress(i + 1, self.steps.len());
        }
        Ok(self.outputs.iter().map(|&i| made[i].clone().expect("outputs are kept")).collect())
    }
}

fn operands(step: &Step) -> Vec<usize> {
    match step {
        Step::Input(_) => vec![],
        Step::Sum { a, b, .. } | Step::Product(a, b) => vec![*a, *b],
        Step::PlusConstant(a, _)
        | Step::TimesConstant(a, _)
        | Step::Move(a, _)
        | Step::Lower(a)
        | Step::Table(a, _)
        | Step::Bootstrap(a) => vec![*a],
    }
}

/// How many primes the values inside of a circuit have at once, at most, where each level takes one; for an input of so
/// many.
fn circuit_limbs(circuit: &ArithmeticCircuit<i64>, input: usize) -> usize {
    let (inline, last, levels) = (circuit.inline(), circuit.last_use(), circuit.earliest());
    let limbs = |i: usize| if inline[i] { 0 } else { input.saturating_sub(levels[i]).max(1) };
    let (mut live, mut peak, mut freed) = (0, 0, vec![0; last.len() + 1]);
    for i in 0..last.len() {
        live += limbs(i);
        freed[last[i]] += limbs(i);
        peak = peak.max(live);
        live -= freed[i];
    }
    peak
}

/// Refuses tables of several values, and such of numbers alone as are none of Z_p: their entries are those of integers,
/// and the numbers here are residues.
fn check_tables(params: &ProgramParams, program: &Program) -> Result<(), LutError> {
    let of_inputs = program.tables_of_inputs();
    for (number, operation) in program.operations().iter().enumerate() {
        match operation {
            Operation::TableOf(..) => {
                return Err(program.refused(number, &[], "single values, with keys of engine fhew or ckks"));
            }
            Operation::Table(_, table)
                if !of_inputs[*table] && program.tables()[*table].in_modulus() != params.modulus() =>
            {
                return Err(program.refused(number, &[], "a number: write the entry of the table in its place"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The circuit of a table of Z_p.
pub(super) fn circuit_of(params: &ProgramParams, lut: &crate::Lut) -> Result<Arc<ArithmeticCircuit<i64>>, LutError> {
    let (entries, modulus) = (lut.in_modulus(), params.modulus());
    if params.exponent() != 1 || entries != modulus || !primes::is_prime(modulus) {
        return Err(BfvLutError::Table { entries, modulus }.into());
    }
    if let Some(index) = lut.values().iter().position(|&value| value >= modulus) {
        return Err(BfvLutError::Entry { index, value: lut.values()[index], modulus }.into());
    }
    // Sums of results wrap modulo p.
    if lut.out_modulus() != modulus {
        return Err(BfvLutError::TableResults { found: lut.out_modulus(), modulus }.into());
    }
    Ok(Arc::new(table::circuit(lut.values())))
}

/// Random polynomials that a product or an automorphism bounds, at most: up to seven digits of a key switch (14 primes,
/// 2 a digit) and their sum, and the roundings of two divisions.
const SWITCHED: f64 = 10.0;

/// The same of what is brought to another level.
const DIVIDED: f64 = 2.0;

/// The same of a bootstrapping: fewer than 256 automorphisms and products (a test counts them).
const BOOTSTRAPPED: f64 = 256.0 * SWITCHED;

fn polynomials_of(gate: &Gate<i64>) -> f64 {
    match gate {
        Gate::Product { .. } | Gate::SumOfProducts { .. } => SWITCHED + DIVIDED,
        _ => DIVIDED,
    }
}

/// The same of a step.
fn polynomials(step: &Step) -> f64 {
    match step {
        Step::Input(_) | Step::Sum { .. } | Step::PlusConstant(..) | Step::TimesConstant(..) | Step::Lower(_) => {
            DIVIDED
        }
        // Of BFV with those of the second basis.
        Step::Product(..) | Step::Move(..) => 2.0 * SWITCHED,
        Step::Table(_, circuit) => circuit.gates().iter().map(polynomials_of).sum(),
        Step::Bootstrap(_) => BOOTSTRAPPED,
    }
}

/// A value while it is planned: the same number everywhere, or a step's.
#[derive(Clone, Copy)]
enum Value {
    Plain(i64),
    Made(usize),
}

struct Planner<'a> {
    params: &'a ProgramParams,
    bootstrap: Option<&'a SlimBootstrap>,
    circuits: &'a [Arc<ArithmeticCircuit<i64>>],
    scheme: Scheme,
    inputs: &'a [State],
    /// The operation that is planned.
    number: usize,
    steps: Vec<(Step, State)>,
    /// For each step the last that has its value, bootstrapped or not.
    newest: Vec<usize>,
    log2_failure: f64,
    work: Residues,
}

impl Planner<'_> {
    fn plan(mut self, program: &Program) -> Result<ProgramPlan, Refusal> {
        let outputs = self.steps_of(program).map_err(|error| Refusal { number: self.number, error })?;
        let Self { inputs, steps, log2_failure, work, .. } = self;
        let bounded = steps.iter().map(|(step, _)| polynomials(step)).sum::<f64>();
        let log2_failure = sum_log2(&[log2_failure, BfvParams::LOG2_BEYOND + bounded.log2()]);
        Ok(ProgramPlan { inputs: inputs.to_vec(), steps, outputs, log2_failure, work })
    }

    /// Plans all operations: the steps of the outputs.
    fn steps_of(&mut self, program: &Program) -> Result<Vec<usize>, LutError> {
        let mut values: Vec<Value> = Vec::with_capacity(program.operations().len());
        let ring = self.params.residues(self.params.exponent());
        let reduced = |c: i128| Value::Plain(ring.balance(c.rem_euclid(i128::from(ring.modulus())) as u64));
        let inputs: Vec<usize> = (0..program.inputs()).map(|i| self.step(Step::Input(i))).collect::<Result<_, _>>()?;
        for (number, operation) in program.operations().iter().enumerate() {
            self.number = number;
            let of = |node: &Node| values[node.index()];
            let value = match operation {
                Operation::TableOf(..) => unreachable!("refused"),
                Operation::Integers(..) | Operation::Pair(..) | Operation::Select { .. } => {
                    return Err(program.refused(number, &[], "integers, with keys of engine fhew or ckks"));
                }
                Operation::Input(i) => Value::Made(inputs[*i]),
                Operation::Constant(c) => reduced(*c),
                Operation::Sum(a, b) => match (of(a), of(b)) {
                    (Value::Plain(a), Value::Plain(b)) => reduced(i128::from(a) + i128::from(b)),
                    (Value::Made(x), Value::Plain(0)) | (Value::Plain(0), Value::Made(x)) => Value::Made(x),
                    (Value::Made(x), Value::Plain(c)) | (Value::Plain(c), Value::Made(x)) => {
                        Value::Made(self.step(Step::PlusConstant(x, c))?)
                    }
                    (Value::Made(a), Value::Made(b)) => Value::Made(self.step(Step::Sum { a, b, negative: false })?),
                },
                Operation::Difference(a, b) => match (of(a), of(b)) {
                    (Value::Plain(a), Value::Plain(b)) => reduced(i128::from(a) - i128::from(b)),
                    (Value::Made(x), Value::Plain(c)) => Value::Made(self.step(Step::PlusConstant(x, -c))?),
                    (Value::Plain(c), Value::Made(x)) => {
                        let negative = self.step(Step::TimesConstant(x, -1))?;
                        Value::Made(if c == 0 { negative } else { self.step(Step::PlusConstant(negative, c))? })
                    }
                    (Value::Made(a), Value::Made(b)) => Value::Made(self.step(Step::Sum { a, b, negative: true })?),
                },
                Operation::Product(a, b) => match (of(a), of(b)) {
                    (Value::Plain(a), Value::Plain(b)) => reduced(i128::from(a) * i128::from(b)),
                    (Value::Made(x), Value::Plain(1)) | (Value::Plain(1), Value::Made(x)) => Value::Made(x),
                    (Value::Made(x), Value::Plain(c)) | (Value::Plain(c), Value::Made(x)) => {
                        Value::Made(self.step(Step::TimesConstant(x, c))?)
                    }
                    (Value::Made(a), Value::Made(b)) => Value::Made(self.step(Step::Product(a, b))?),
                },
                Operation::Rotation(..) | Operation::Exchange(_) | Operation::SumSlots(_)
                    if self.params.holds_one_value() =>
                {
                    return Err(self.params.one_value(&program.part(number)));
                }
                Operation::Rotation(x, by) => self.moved(of(x), |planner, x| planner.rotate(x, *by))?,
                Operation::Exchange(x) => self.moved(of(x), Self::exchange)?,
                Operation::SumSlots(x) => match of(x) {
                    Value::Plain(c) => reduced(i128::from(c) * self.params.slots().count() as i128),
                    Value::Made(x) => Value::Made(self.sum_slots(x)?),
                },
                Operation::Table(x, table) => match of(x) {
                    Value::Plain(c) => reduced(program.tables()[*table].values()[ring.reduce(c) as usize].into()),
                    Value::Made(x) => Value::Made(self.step(Step::Table(x, self.circuits[*table].clone()))?),
                },
            };
            values.push(value);
        }
        let outputs = program.outputs().iter().map(|node| match values[node.index()] {
            Value::Made(i) => Ok(i),
            // A number that no input has a part in: of the first one nothing.
            Value::Plain(c) => {
                let zero = self.step(Step::TimesConstant(inputs[0], 0))?;
                self.step(Step::PlusConstant(zero, c))
            }
        });
        outputs.collect()
    }

    fn moved(
        &mut self,
        x: Value,
        to: impl FnOnce(&mut Self, usize) -> Result<usize, LutError>,
    ) -> Result<Value, LutError> {
        match x {
            Value::Plain(c) => Ok(Value::Plain(c)),
            Value::Made(x) => Ok(Value::Made(to(self, x)?)),
        }
    }

    /// By powers of two.
    fn rotate(&mut self, x: usize, by: i64) -> Result<usize, LutError> {
        let [_, columns] = self.params.slots().shape();
        let by = by.rem_euclid(columns as i64);
        let powers = (0..columns.ilog2()).map(|i| 1 << i).filter(|power| by & power != 0);
        powers.into_iter().try_fold(x, |x, power| self.step(Step::Move(x, GaloisAction::rotation(power))))
    }

    fn exchange(&mut self, x: usize) -> Result<usize, LutError> {
        match self.params.slots().shape() {
            [2, _] => self.step(Step::Move(x, GaloisAction::Rotation { axis: 1, by: 1 })),
            _ => Ok(x),
        }
    }

    fn sum_slots(&mut self, x: usize) -> Result<usize, LutError> {
        self.params.moves().into_iter().try_fold(x, |a, action| {
            let b = self.step(Step::Move(a, action))?;
            self.step(Step::Sum { a, b, negative: false })
        })
    }

    /// Adds a step, and bootstraps its operands, that of the least budget first, until it may be done.
    fn step(&mut self, mut step: Step) -> Result<usize, LutError> {
        for old in operands(&step) {
            replace(&mut step, old, self.newest[old]);
        }
        loop {
            let made = self.state(&step).and_then(|state| self.checked(state));
            let error = match made {
                Ok(mut state) => {
                    if let Step::Table(x, circuit) = &step {
                        let (x, circuit) = (*x, circuit.clone());
                        if let Some((lower, image)) = self.lowest(self.steps[x].1, &circuit) {
                            self.newest.push(self.steps.len());
                            self.steps.push((Step::Lower(x), lower));
                            (step, state) = (Step::Table(self.steps.len() - 1, circuit), image);
                        }
                    }
                    self.work += self.work_of(&step, state);
                    self.newest.push(self.steps.len());
                    self.steps.push((step, state));
                    return Ok(self.steps.len() - 1);
                }
                Err(error) => error,
            };
            let Some(bootstrap) = self.bootstrap else { return Err(error.into()) };
            let stale = operands(&step).into_iter().filter(|&i| !matches!(self.steps[i].0, Step::Bootstrap(_)));
            let budget = |i: &usize| self.steps[*i].1.budget(self.params).worst;
            let Some(next) = stale.min_by(|a, b| budget(a).total_cmp(&budget(b))) else {
                return Err(match &step {
                    Step::Table(_, circuit) => LutError::Bfv(BfvLutError::TableDepth {
                        entries: self.params.modulus(),
                        depth: circuit.depth(),
                        params: self.params.name().into(),
                    }),
                    _ => error.into(),
                });
            };
            let prediction = bootstrap.check(self.steps[next].1)?;
            let refreshed = self.steps.len();
            self.work += bootstrap.work(RlweCost::new(self.params, MaskStorage::Expanded))?;
            self.log2_failure = sum_log2(&[self.log2_failure, prediction.log2_failure]);
            self.newest.push(refreshed);
            self.newest[next] = refreshed;
            self.steps.push((Step::Bootstrap(next), prediction.result));
            replace(&mut step, next, refreshed);
        }
    }

    /// The state of a value that may be an operand again: one that can be bootstrapped, if any is.
    fn checked(&self, state: State) -> Result<State, BfvSchemeError> {
        self.bootstrap.map_or(Ok(()), |bootstrap| bootstrap.check(state).map(drop))?;
        Ok(state)
    }

    /// The operand of a table at the lowest level at which it still serves, if not at its own, and the result. Where
    /// nothing is bootstrapped the room that is left is for what follows.
    fn lowest(&self, x: State, circuit: &ArithmeticCircuit<i64>) -> Option<(State, State)> {
        self.bootstrap?;
        let at = |level: usize| {
            let lower = self.params.at_level(x, level);
            let image = self.params.outputs(circuit, &[lower]).ok()?[0];
            self.checked(image).ok().map(|image| (lower, image))
        };
        (0..x.level).rev().map_while(at).last()
    }

    fn state(&self, step: &Step) -> Result<State, BfvSchemeError> {
        let (params, at) = (self.params, |i: &usize| self.steps[*i].1);
        match step {
            Step::Input(i) => Ok(State { scheme: self.scheme, ..self.inputs[*i] }),
            Step::Sum { a, b, .. } => Ok(params.sum(at(a), at(b))?.1),
            Step::PlusConstant(a, c) => Ok(params.plus_constant(at(a), *c)?.1),
            Step::TimesConstant(a, c) => params.times_constant(at(a), *c),
            Step::Product(a, b) => Ok(params.products(&[(at(a), at(b))])?.result),
            Step::Move(a, _) => params.moved(at(a)),
            Step::Lower(a) => Ok(at(a)),
            Step::Table(a, circuit) => Ok(params.outputs(circuit, &[at(a)])?[0]),
            Step::Bootstrap(_) => unreachable!("planned where it is due"),
        }
    }

    fn work_of(&self, step: &Step, state: State) -> Residues {
        let cost = RlweCost::new(self.params, MaskStorage::Expanded);
        let level = state.level;
        let product = |level: usize| {
            let bgv = cost.tensor(level) + cost.relinearisation(level);
            // Through the second basis.
            if state.scheme == Scheme::Bfv { bgv * 3.0 } else { bgv }
        };
        match step {
            Step::Input(_) | Step::Lower(_) => Residues::default(),
            Step::Sum { .. } | Step::PlusConstant(..) | Step::TimesConstant(..) => cost.addition(level),
            Step::Product(a, b) => product(self.steps[*a].1.level.min(self.steps[*b].1.level)),
            Step::Move(..) => cost.rotation(level),
            Step::Table(a, circuit) => {
                let work = circuit_work(cost, circuit, [self.steps[*a].1.level, level]);
                if state.scheme == Scheme::Bfv { work * 3.0 } else { work }
            }
            Step::Bootstrap(_) => unreachable!("counted where it is planned"),
        }
    }
}

/// Reads `new` in place of `old`.
fn replace(step: &mut Step, old: usize, new: usize) {
    let at = |i: &mut usize| {
        if *i == old {
            *i = new;
        }
    };
    match step {
        Step::Input(_) => (),
        Step::Sum { a, b, .. } | Step::Product(a, b) => [a, b].into_iter().for_each(at),
        Step::PlusConstant(a, _)
        | Step::TimesConstant(a, _)
        | Step::Move(a, _)
        | Step::Lower(a)
        | Step::Table(a, _)
        | Step::Bootstrap(a) => at(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For the slot map's stage with most diagonals, for stages of many slots, and for the deepest removal of digits.
    #[test]
    fn bootstrapping_bounds_no_more_than_is_counted() {
        for name in ["slots_3", "slots_257_2", "slots_12289", "slots_65537"] {
            let params = ProgramParams::named(name).unwrap().unwrap();
            let digits = (params.max_level() + 1).div_ceil(params.literal().digit_primes);
            assert!(digits as f64 + 3.0 <= SWITCHED, "{name}: {digits} digits");
            let bounded = params.bootstrap().unwrap().unwrap().bounded(SWITCHED, polynomials_of);
            assert!(bounded <= BOOTSTRAPPED, "{name}: {bounded}");
        }
    }
}
