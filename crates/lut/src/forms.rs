//! Programs as weighted sums of inputs and of functions of such sums: sums cost nothing, so that a function of several
//! values is one of a sum of them wherever that can be.
//!
//! | | becomes |
//! |---|---|
//! | x·y | ⌊(x + y)²/4⌋ − ⌊(x − y)²/4⌋, of long integers part by part, or ((x + y)² − x² − y²)/2 |
//! | x < y | sign(x − y) |
//! | max(x, y) | y + relu(x − y), or a selection by the sign of x − y where that is long |
//! | a table of two values | a table of n·x + y, for y < n |
//! | tables of bits | a tree for all that are of the same ones, or a table of Σ 2^i·x_i |
//! | ⌊x/2^k⌋ | (x − (x mod 2^k))/2^k, on the torus the same ciphertext |
//! | and, or, xor of long integers | the same of their parts |
//! | x/y of long integers | long division, a bit after the other |
//! | integers too long for one ciphertext | sums of limbs, with carries ([`Limbs`]) |
//! | sums of many of those | sums of their limbs, whose carries are read at once ([`Atom::Carry`]) |
use std::collections::HashMap;

mod atoms;
mod division;
mod form;
mod long;
mod pairs;
mod squares;
mod unary;

pub use form::Form;
pub use long::Limbs;
pub use unary::Unary;

use long::{TOO_LONG, Value};

use crate::integer::IntegerLimbs;
use crate::planning::{self, MAX_ATOMS};
use crate::program::kinds::of_one_modulus;
use crate::program::{Kind, Node, Operation, PairOp, Program};
use crate::{IntegerOp, Interval, LutError};

/// The condition of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The form, 0 or 1, is 1.
    One(Form),
    /// The form is negative.
    Negative(Form),
}

/// What sums are of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The ciphertext of this number: a vector's, or a limb's of one.
    Input(usize),
    /// A function of a sum.
    Image(Unary, Form),
    /// The first sum where the condition holds, else the second: integers of the range, or residues.
    Select(Condition, Form, Form, Kind),
    /// The table of this number of residues modulo 2.
    Joint(usize, Vec<Form>),
    /// A function of the integer Σ x_i·2^(w_0 + … + w_(i − 1)) of sums x_i of w_i bits, 0 to 2^w_i − 1.
    OfSeveral(Unary, Vec<(Form, u32)>),
    /// A sum that is a multiple of 2^k, divided by it: the integers are of the range.
    Quotient(Form, u32, Interval),
    /// An integer of the range, which 2^k times is the sum of these, each from 0 to 2^k or from −2^k to 0, but for
    /// (½ + [`CARRY_ERROR`])·2^k. Which it is of two, noise may say: all that takes it takes the same.
    Carry(Vec<Form>, u32, Interval),
    /// What of a sum a circle of 2^k tells, from −2^(k − 1) to 2^(k − 1) − 1.
    Residue(Form, u32),
}

/// What a carry may be off by beside rounding, of its unit: the limb that is left has room for it and a sign.
pub const CARRY_ERROR: f64 = 0.375;

/// A program as sums of functions of sums.
#[derive(Debug)]
pub struct Forms {
    /// Each after those that it is of.
    pub atoms: Vec<Atom>,
    /// What they are.
    pub kinds: Vec<Kind>,
    /// The results.
    pub outputs: Vec<Output>,
    /// Bits of each limb but the highest; 0 where integers have none.
    pub limb_bits: u32,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// One sum, or the limbs of integers that are too long for it, low first.
    pub limbs: Vec<Form>,
    /// What they add up to.
    pub kind: Kind,
}

/// What the tables of a set take, which is what sums are made for.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// Bits of messages that a table takes as a whole.
    pub short: u32,
    /// Bits of two values together that functions of both are tables of.
    pub packed: u32,
    /// Integers that are too long for one ciphertext, if there may be such.
    pub limbs: Option<Limbs>,
    /// Whether low bits are all made by tables: what they are the low bits of may be noisier.
    pub quiet: bool,
    /// Whether tables of bits are taken as such ([`Atom::Joint`]).
    pub trees: bool,
    /// Bits of integers in limbs that tables are of ([`Atom::OfSeveral`]), or 0.
    pub tree_bits: u32,
    /// Whether sums of many have carries of all at once ([`Atom::Carry`]).
    pub carries: bool,
    /// Whether tables of one sum cost as one, and what a circle of 2^k tells is made of sums of any length.
    pub batched: bool,
}

impl Forms {
    /// The sums of a program on inputs of these kinds.
    ///
    /// # Errors
    /// [`LutError::Kinds`] as [`Program::kinds`], and for operations on slots; [`LutError::Program`] for too long ones,
    /// [`LutError::Cancelled`].
    pub fn of(program: &Program, inputs: &[Kind], capacity: Capacity) -> Result<Self, LutError> {
        let Capacity { short, packed, limbs, quiet, trees, tree_bits, carries, batched } = capacity;
        let most = limbs.as_ref().map_or(u32::MAX, |limbs| limbs.most);
        let (kinds, wraps): (Vec<_>, Vec<_>) = program.wrapping(inputs, most)?.into_iter().unzip();
        let ciphertexts = |i: usize| limbs.as_ref().and_then(|limbs| limbs.inputs[i]).map_or(1, IntegerLimbs::count);
        let first = (0..inputs.len()).scan(0, |next, i| Some(std::mem::replace(next, *next + ciphertexts(i))));
        let mut forms = Lowering {
            program,
            inputs,
            first_limbs: first.collect(),
            kinds: &kinds,
            wraps,
            short,
            packed,
            limbs,
            quiet,
            trees,
            tree_bits,
            carries,
            batched,
            atoms: Vec::new(),
            atom_kinds: Vec::new(),
            known: HashMap::new(),
            counted: HashMap::new(),
            is_summand: Vec::new(),
            values: Vec::new(),
        };
        forms.is_summand = forms.summands();
        let taken = program.taken_of(&kinds);
        for (number, operation) in program.operations().iter().enumerate() {
            planning::wanted()?;
            let refuse = |expected| program.refused(number, &kinds, expected);
            if taken[number] && forms.limbs.is_none() && forms.wraps[number].is_some() {
                return Err(refuse(TOO_LONG));
            }
            let value = match kinds[number].constant() {
                Some(constant) => forms.constant(number, constant).map_err(refuse)?,
                _ if forms.is_summand[number] || !taken[number] => Value::Short(Form::of_constant(0)),
                _ if forms.is_long(number) => forms.long(number).map_err(refuse)?,
                None => Value::Short(forms.form(operation, kinds[number]).map_err(refuse)?),
            };
            let value = match (value, kinds[number]) {
                (Value::Short(form), Kind::Integers(range)) => Value::Short(form.within(range)),
                // A constant that is selected among residues is such.
                (Value::Short(form), kind) if form.terms.is_empty() => Value::Short(form.times(1, kind)),
                (value, _) => value,
            };
            // Residues in a sum of integers would be other values without a word.
            let is_residue = |(atom, _): (usize, i128)| forms.atom_kinds[atom].range().is_none();
            let of_residues = matches!(&value, Value::Short(form) if form.terms().any(is_residue));
            if of_residues && kinds[number].range().is_some() {
                return Err(refuse(MIXED));
            }
            forms.values.push(value);
            planning::check("functions of sums", forms.atoms.len(), MAX_ATOMS)?;
        }
        // Numbers among residues are such.
        let modulus_of = program.modulus_of_numbers(inputs);
        let mut output = |node: &Node| {
            let form = match (modulus_of(*node), forms.values[node.index()].clone()) {
                (Some(p), _) => {
                    let number = kinds[node.index()].constant().unwrap_or_default();
                    Form::of_constant(number).times(1, Kind::Residues(p))
                }
                (None, Value::Long(long)) => {
                    let refuse = |expected| program.refused(node.index(), &kinds, expected);
                    let (limbs, range) = forms.result(long).map_err(refuse)?;
                    return Ok(Output { limbs, kind: Kind::Integers(range) });
                }
                (None, Value::Short(form)) => form,
            };
            Ok(Output { kind: form.kind, limbs: vec![form] })
        };
        let outputs = program.outputs().iter().map(&mut output).collect::<Result<Vec<_>, LutError>>()?;
        let limb_bits = forms.limbs.map_or(0, |limbs| limbs.bits);
        Self { atoms: forms.atoms, kinds: forms.atom_kinds, outputs, limb_bits }.checked()
    }
}

/// What kinds of values have ruled out.
const MIXED: &str = "integers alone in a sum of integers";

struct Lowering<'a> {
    program: &'a Program,
    inputs: &'a [Kind],
    /// Of each input the number of its only, or low, ciphertext.
    first_limbs: Vec<usize>,
    kinds: &'a [Kind],
    /// The bits k of each sum, difference and product that is a residue modulo 2^k.
    wraps: Vec<Option<u32>>,
    short: u32,
    packed: u32,
    limbs: Option<Limbs>,
    quiet: bool,
    trees: bool,
    tree_bits: u32,
    carries: bool,
    batched: bool,
    atoms: Vec<Atom>,
    atom_kinds: Vec<Kind>,
    known: HashMap<Atom, usize>,
    /// The ranges of images that were counted.
    counted: HashMap<(Unary, Interval), Option<Interval>>,
    /// Which sums are made with the one that takes them, and have no value of their own.
    is_summand: Vec<bool>,
    values: Vec<Value>,
}

impl Lowering<'_> {
    /// A value that has room in one ciphertext, or a number.
    fn of(&self, node: &Node) -> Form {
        match (&self.values[node.index()], self.kinds[node.index()].constant()) {
            (Value::Short(form), _) => form.clone(),
            (_, Some(constant)) => Form::of_constant(constant),
            (Value::Long(_), None) => unreachable!("operations on long ones are told apart"),
        }
    }

    fn form(&mut self, operation: &Operation, kind: Kind) -> Result<Form, &'static str> {
        Ok(match operation {
            Operation::Input(i) => self.atom(Atom::Input(self.first_limbs[*i]), self.inputs[*i]),
            Operation::Constant(c) => Form::of_constant(*c),
            Operation::Sum(a, b) => self.of(a).combined(1, &self.of(b), 1, kind),
            Operation::Difference(a, b) => self.of(a).combined(1, &self.of(b), -1, kind),
            Operation::Product(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.product(&a, &b, kind)
            }
            Operation::Table(x, table) => {
                let x = self.of(x);
                self.image(Unary::Table(*table), x, kind)
            }
            Operation::TableOf(operands, table) => {
                let kinds = of_one_modulus(operands.iter().map(|node| self.kinds[node.index()]));
                let operand = |(node, kind): (&Node, Kind)| Form { kind, ..self.of(node) };
                let operands: Vec<Form> = operands.iter().zip(kinds).map(operand).collect();
                self.joint(*table, operands, kind)
            }
            Operation::Integers(op, operands) => {
                let operands: Vec<Form> = operands.iter().map(|node| self.of(node)).collect();
                self.integers(*op, &operands, kind)
            }
            Operation::Pair(op, x, y) if kind == Kind::Residues(2) => {
                let (x, y) = (self.of(x), self.of(y));
                let either = x.combined(1, &y, 1, kind);
                match op {
                    PairOp::Xor => either,
                    PairOp::And => self.product(&x, &y, kind),
                    _ => either.combined(1, &self.product(&x, &y, kind), 1, kind),
                }
            }
            Operation::Pair(op, x, y) => {
                let (known, mut x, y) = (self.kinds[x.index()], self.of(x), self.of(y));
                // Ones where y = 0 are as many as the specification knows of, who may know less of x.
                if *op == PairOp::Div && y.range().has(0) {
                    x.kind = known;
                }
                self.pair(*op, &x, &y)?
            }
            Operation::Select { condition, then, otherwise } => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|node| self.of(node));
                self.select_one(&condition, &then, &otherwise, kind)
            }
            Operation::Rotation(..) | Operation::Exchange(_) | Operation::SumSlots(_) => {
                return Err("vectors with slots, of engine bfv");
            }
        })
    }

    /// An atom as a sum.
    fn atom(&mut self, atom: Atom, kind: Kind) -> Form {
        let number = *self.known.entry(atom.clone()).or_insert(self.atoms.len());
        if number == self.atoms.len() {
            self.atoms.push(atom);
            self.atom_kinds.push(kind);
        }
        Form::of_atom(number, kind)
    }

    fn image(&mut self, function: Unary, x: Form, kind: Kind) -> Form {
        match x.terms.is_empty() {
            true => Form::of_constant(function.apply(self.program, x.constant)),
            false => self.atom(Atom::Image(function, x), kind),
        }
    }

    /// A table of several residues, the last of which varies fastest.
    fn joint(&mut self, table: usize, operands: Vec<Form>, kind: Kind) -> Form {
        let are_bits = operands.iter().all(|x| x.kind == Kind::Residues(2) && !x.terms.is_empty());
        if self.trees && are_bits && kind.range().is_none() {
            return self.atom(Atom::Joint(table, operands), kind);
        }
        // As integers, in one sum.
        let mut packed = Form::of_constant(0);
        for (number, x) in operands.into_iter().enumerate() {
            let size = x.range().max + 1;
            let own = Kind::Integers(x.range());
            // At the top of the circle a residue may be as it is.
            let is_one = number == 0 && x.constant == 0 && x.terms.values().eq([&1]);
            let x = if is_one { Form { kind: own, ..x } } else { self.image(Unary::Identity, x, own) };
            let all = Kind::Integers(Interval { min: 0, max: (packed.range().max + 1) * size - 1 });
            packed = packed.combined(size, &x, 1, all);
        }
        self.image(Unary::Table(table), packed, kind)
    }

    /// The image of integers, of the range that it is seen to have where they have at most 16 bits, or of this one.
    fn image_of(&mut self, function: Unary, x: Form, range: Interval) -> Form {
        let counted = x.kind.range().filter(|_| x.bits() <= 16).and_then(|of| {
            let count = || Interval::of((of.min..=of.max).map(|x| function.apply(self.program, x)));
            *self.counted.entry((function.clone(), of)).or_insert_with(count)
        });
        self.image(function, x, Kind::Integers(counted.unwrap_or(range)))
    }

    fn integers(&mut self, op: IntegerOp, operands: &[Form], kind: Kind) -> Form {
        let x = &operands[0];
        let difference = |y: &Form| x.combined(1, y, -1, minus(x, y));
        match op {
            IntegerOp::Add => x.combined(1, &operands[1], 1, kind),
            IntegerOp::Sub => difference(&operands[1]),
            IntegerOp::Sign => self.sign(x.clone()),
            IntegerOp::Less => self.sign(difference(&operands[1])),
            IntegerOp::Equal => self.is_zero(difference(&operands[1])),
            IntegerOp::Relu => self.select_sign(x.clone(), Unary::Relu, &Form::of_constant(0), x, kind),
            IntegerOp::Abs => self.select_sign(x.clone(), Unary::Abs, &x.negative(), x, kind),
            IntegerOp::Max | IntegerOp::Min => {
                let y = &operands[1];
                let difference = difference(y);
                if difference.bits() <= self.short {
                    let (base, sign) = if op == IntegerOp::Max { (y, 1) } else { (x, -1) };
                    let positive = self.image_of(Unary::Relu, difference, Interval::unsigned(1));
                    return base.combined(1, &positive, sign, kind);
                }
                let (then, otherwise) = if op == IntegerOp::Max { (y, x) } else { (x, y) };
                self.select(Condition::Negative(difference), then, otherwise, kind)
            }
            IntegerOp::Floor(bits) => self.shifted(x, bits),
        }
    }

    fn sign(&mut self, x: Form) -> Form {
        match x.kind.range() {
            Some(range) if range.min >= 0 => return Form::of_constant(0),
            Some(range) if range.max < 0 => return Form::of_constant(1),
            _ => {}
        }
        self.image(Unary::Sign, x, Kind::Integers(Interval::unsigned(1)))
    }

    fn is_zero(&mut self, x: Form) -> Form {
        let answers = Kind::Integers(Interval::unsigned(1));
        if x.kind.range().is_some_and(|range| !range.has(0)) {
            return Form::of_constant(0);
        }
        if x.bits() <= self.short {
            return self.image(Unary::IsZero, x, answers);
        }
        let negative = x.negative();
        let (below, above) = (self.sign(x), self.sign(negative));
        let none = Form::of_constant(1).combined(1, &below, -1, answers);
        none.combined(1, &above, -1, answers)
    }

    /// `negative` where x is negative, else `positive`: a table where x is short.
    fn select_sign(&mut self, x: Form, table: Unary, negative: &Form, positive: &Form, kind: Kind) -> Form {
        match x.bits() <= self.short {
            true => self.image_of(table, x, Interval::unsigned(1)),
            false => self.select(Condition::Negative(x), negative, positive, kind),
        }
    }

    fn select(&mut self, condition: Condition, then: &Form, otherwise: &Form, kind: Kind) -> Form {
        self.atom(Atom::Select(condition, then.clone(), otherwise.clone(), kind), kind)
    }

    /// A selection by a form of 0 and 1.
    fn select_one(&mut self, condition: &Form, then: &Form, otherwise: &Form, kind: Kind) -> Form {
        if condition.terms.is_empty() {
            return if condition.constant == 1 { then.clone() } else { otherwise.clone() };
        }
        if then.terms.is_empty() && otherwise.terms.is_empty() && condition.kind.range().is_some() {
            let change = condition.times(then.constant - otherwise.constant, kind);
            return change.combined(1, otherwise, 1, kind);
        }
        // By a sign itself, or by what is not.
        let mut terms = condition.terms();
        if let (Some((atom, weight)), None) = (terms.next(), terms.next())
            && let Atom::Image(Unary::Sign, x) = &self.atoms[atom]
        {
            let x = Condition::Negative(x.clone());
            match (weight, condition.constant) {
                (1, 0) => return self.select(x, then, otherwise, kind),
                (-1, 1) => return self.select(x, otherwise, then, kind),
                _ => {}
            }
        }
        self.select(Condition::One(condition.clone()), then, otherwise, kind)
    }
}

/// The kind of a sum of integers whose range was checked, or of residues.
fn plus(a: &Form, b: &Form) -> Kind {
    let sum = a.kind.range().zip(b.kind.range()).and_then(|(a, b)| a.plus(b));
    sum.map_or(a.kind, Kind::Integers)
}

fn minus(a: &Form, b: &Form) -> Kind {
    let difference = a.kind.range().zip(b.kind.range()).and_then(|(a, b)| a.minus(b));
    difference.map_or(a.kind, Kind::Integers)
}

fn products(x: Interval, y: Interval) -> Option<Interval> {
    Some(x.times(y.min)?.union(x.times(y.max)?))
}
