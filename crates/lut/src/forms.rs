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
mod squares;
mod unary;

pub use form::Form;
pub use long::Limbs;
pub use unary::Unary;

use long::{TOO_LONG, Value};

use crate::integer::IntegerLimbs;
use crate::planning::{self, MAX_ATOMS};
use crate::program::kinds::of_one_modulus;
use crate::program::{Kind, Node, Operation, PairOp, Program, plain};
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
        let Capacity { short, packed, limbs, quiet, trees, carries, batched } = capacity;
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
                (value, _) => value,
            };
            forms.values.push(value);
            planning::check("functions of sums", forms.atoms.len(), MAX_ATOMS)?;
        }
        // Constants among residues are such.
        let residues = plain::residues(inputs).map(Kind::Residues);
        let mut output = |node: &Node| {
            let form = match (residues, forms.values[node.index()].clone()) {
                (_, Value::Long(long)) => {
                    let refuse = |expected| program.refused(node.index(), &kinds, expected);
                    let (limbs, range) = forms.result(long).map_err(refuse)?;
                    return Ok(Output { limbs, kind: Kind::Integers(range) });
                }
                (Some(kind), Value::Short(form)) if form.terms.is_empty() => form.times(1, kind),
                (_, Value::Short(form)) => form,
            };
            Ok(Output { kind: form.kind, limbs: vec![form] })
        };
        let outputs = program.outputs().iter().map(&mut output).collect::<Result<Vec<_>, LutError>>()?;
        let limb_bits = forms.limbs.map_or(0, |limbs| limbs.bits);
        Self { atoms: forms.atoms, kinds: forms.atom_kinds, outputs, limb_bits }.checked()
    }
}

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
    /// A value that has room in one ciphertext.
    fn of(&self, node: &Node) -> Form {
        match &self.values[node.index()] {
            Value::Short(form) => form.clone(),
            Value::Long(_) => unreachable!("operations on long ones are told apart"),
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

    fn product(&mut self, a: &Form, b: &Form, kind: Kind) -> Form {
        for (x, constant) in [(a, b), (b, a)] {
            if constant.terms.is_empty() {
                return x.times(constant.constant, kind);
            }
        }
        if let Kind::Residues(p) = kind {
            let p = i128::from(p);
            let square = Kind::Integers(Interval { min: 0, max: p * p - 1 });
            let least = Kind::Integers(Interval { min: 0, max: p - 1 });
            if a == b {
                return self.image(Unary::SquareModulo(p), a.clone(), kind);
            }
            // Both have to be integers below p: sums may be made in a circle where nothing wraps.
            let is_one = a.constant == 0 && a.terms.values().eq([&1]);
            let a = if is_one { a.clone() } else { self.image(Unary::Identity, a.clone(), least) };
            let integer = self.image(Unary::Identity, b.clone(), least);
            let packed = Form { kind: square, ..a.times(p, square) }.combined(1, &integer, 1, square);
            return self.image(Unary::Product(p), packed, kind);
        }
        if a == b {
            return self.image(Unary::Square, a.clone(), kind);
        }
        let answers = Interval::unsigned(1);
        for (condition, x) in [(a, b), (b, a)] {
            if condition.kind.range().is_some_and(|range| answers.holds(range)) {
                return self.select_one(condition, x, &Form::of_constant(0), kind);
            }
        }
        if self.packed > self.short
            && a.bits() + b.bits() <= self.packed
            && let Some((packed, stride, least)) = packed(a, b)
        {
            return self.image_of(Unary::PackedProduct { stride, least }, packed, kind.range().unwrap_or(answers));
        }
        // The part of the longer one, so that sums are short.
        let [a, b] = if a.bits() >= b.bits() { [a, b] } else { [b, a] };
        if plus(a, b).range().is_some_and(|range| Form::of_atom(0, Kind::Integers(range)).bits() > self.short)
            && a.bits() > 1
        {
            let most = if self.batched { self.short - 1 } else { self.short / 2 };
            let low_bits = most.max(1).min(a.bits() - 1);
            let [high, low] = [self.shifted(a, low_bits), self.low(a, low_bits)];
            let [high, low] = [high, low].map(|part| {
                let range = part.kind.range().zip(b.kind.range()).and_then(|(x, y)| products(x, y));
                self.product(&part, b, range.map_or(kind, Kind::Integers))
            });
            return high.combined(1 << low_bits, &low, 1, kind);
        }
        if self.batched
            && let Some(product) = kind.range().and_then(|range| self.half_of_squares(a, b, range))
        {
            return product;
        }
        let [sum, difference] = [1, -1].map(|sign| {
            let own = if sign == 1 { plus(a, b) } else { minus(a, b) };
            let form = a.combined(1, b, sign, own);
            self.image_of(Unary::QuarterSquare, form, kind.range().unwrap_or(answers))
        });
        sum.combined(1, &difference, -1, kind)
    }

    fn pair(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let [of_x, of_y] = [x.range(), y.range()];
        let range = op.range(of_x, of_y).ok_or("a result of at most 112 bits")?;
        if y.terms.is_empty() {
            return self.with_constant(op, x, y.constant, range);
        }
        if x.terms.is_empty() {
            return match op {
                PairOp::And | PairOp::Or | PairOp::Xor => self.with_constant(op, y, x.constant, range),
                _ => Ok(self.image_of(Unary::Right(op, x.constant, of_x), y.clone(), range)),
            };
        }
        if x.bits() + y.bits() <= self.packed.max(2) {
            let (packed, stride, least) = packed(x, y).ok_or("a result of at most 112 bits")?;
            return Ok(self.image_of(Unary::Packed { op, stride, least, range: of_x }, packed, range));
        }
        match op {
            PairOp::And | PairOp::Or | PairOp::Xor => self.by_parts(op, x, y, range),
            PairOp::Shl | PairOp::Shr => self.by_bits(op, x, y),
            PairOp::Div | PairOp::Rem => self.long_division(op, x, y),
        }
    }

    fn with_constant(&mut self, op: PairOp, x: &Form, y: i128, range: Interval) -> Result<Form, &'static str> {
        let of_x = x.range();
        let is_long = x.bits() > self.short;
        Ok(match op {
            PairOp::And if y == -1 => x.clone(),
            PairOp::And if y >= 0 && y & (y + 1) == 0 && of_x.min >= 0 && of_x.max <= y => x.clone(),
            PairOp::Or | PairOp::Xor if y == 0 => x.clone(),
            PairOp::Shl => x.times(1 << y, Kind::Integers(range)),
            PairOp::Shr => self.shifted(x, y.min(127) as u32),
            PairOp::Div if is_long && y > 0 && y & (y - 1) == 0 => self.shifted(x, y.trailing_zeros()),
            PairOp::Rem if is_long && y > 0 && y & (y - 1) == 0 => self.low(x, y.trailing_zeros()),
            PairOp::And if is_long && y >= 0 && y & (y + 1) == 0 => self.low(x, y.trailing_ones()),
            // No table has room for all of it.
            PairOp::And | PairOp::Or | PairOp::Xor
                if is_long && self.limbs.as_ref().is_some_and(|own| x.bits() > own.most) =>
            {
                return self.by_parts(op, x, &Form::of_constant(y), range);
            }
            _ => self.image_of(Unary::Left(op, y, of_x), x.clone(), range),
        })
    }

    /// ⌊x/2^bits⌋.
    fn shifted(&mut self, x: &Form, bits: u32) -> Form {
        let range = x.range();
        let shifted = Interval { min: range.min >> bits.min(127), max: range.max >> bits.min(127) };
        match bits {
            0 => x.clone(),
            _ if x.bits() <= self.short || shifted.min == shifted.max => {
                self.image_of(Unary::Left(PairOp::Shr, bits.into(), range), x.clone(), shifted)
            }
            // What a table takes at once.
            _ if bits > self.short => {
                let part = self.shifted(x, self.short);
                self.shifted(&part, bits - self.short)
            }
            _ => {
                let low = self.low(x, bits);
                let multiple = Interval { min: shifted.min << bits, max: shifted.max << bits };
                let multiple = x.combined(1, &low, -1, Kind::Integers(multiple));
                self.atom(Atom::Quotient(multiple, bits, shifted), Kind::Integers(shifted))
            }
        }
    }

    /// x mod 2^bits.
    fn low(&mut self, x: &Form, bits: u32) -> Form {
        let (range, mask) = (x.range(), (1 << bits) - 1);
        if bits == 0 {
            return Form::of_constant(0);
        }
        if range.min >= 0 && range.max <= mask {
            return x.clone();
        }
        if bits > self.short && x.bits() > self.short {
            let kind = Kind::Integers(Interval { min: 0, max: mask });
            if self.quiet {
                let (low, above) = (self.low(x, self.short), self.shifted(x, self.short));
                let high = self.low(&above, bits - self.short);
                return high.combined(1 << self.short, &low, 1, kind);
            }
            let high = self.shifted(x, bits);
            return x.combined(1, &high, -(1 << bits), kind);
        }
        self.image_of(Unary::Left(PairOp::And, mask, range), x.clone(), Interval { min: 0, max: mask })
    }

    /// The same of the high and of the low bits.
    fn by_parts(&mut self, op: PairOp, x: &Form, y: &Form, range: Interval) -> Result<Form, &'static str> {
        let bits = (self.short / 2).max(1);
        let [x_low, y_low] = [x, y].map(|form| self.low(form, bits));
        let [x_high, y_high] = [x, y].map(|form| self.shifted(form, bits));
        let (low, high) = (self.pair(op, &x_low, &y_low)?, self.pair(op, &x_high, &y_high)?);
        Ok(high.combined(1 << bits, &low, 1, Kind::Integers(range)))
    }

    /// A shift by each bit of the amount.
    fn by_bits(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let amount = y.range();
        let mut shifted = x.clone();
        for bit in 0..amount.width() {
            let one = self.bit(y, bit);
            let moved = self.pair(op, &shifted, &Form::of_constant(1 << bit))?;
            let kind = Kind::Integers(moved.range().union(shifted.range()));
            shifted = self.select_one(&one, &moved, &shifted, kind);
        }
        Ok(shifted)
    }

    /// Bit number `number` of x.
    fn bit(&mut self, x: &Form, number: u32) -> Form {
        match number < self.short {
            true => self.image_of(Unary::Bit(number), x.clone(), Interval::unsigned(1)),
            false => {
                let high = self.shifted(x, number);
                self.low(&high, 1)
            }
        }
    }
}

/// The integer stride·(x − least\[0\]) + y − least\[1\], whose values tell x and y, with its stride and the least of
/// both; none where it is longer than all integers.
fn packed(x: &Form, y: &Form) -> Option<(Form, i128, [i128; 2])> {
    let [of_x, of_y] = [x.range(), y.range()];
    let (stride, least) = (of_y.max - of_y.min + 1, [of_x.min, of_y.min]);
    let constant = least[0].checked_mul(stride)?.checked_add(least[1])?;
    let count = (of_x.max - of_x.min + 1) * stride;
    let packed = x.combined(stride, y, 1, Kind::Integers(Interval { min: 0, max: count - 1 }));
    Some((Form { constant: packed.constant - constant, ..packed }, stride, least))
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
