//! Functions of integers on all coefficients at once: sign, comparison, ReLU, absolute value, maximum, minimum, floor.
//!
//! An integer of w bits lives in Z_{2^(w+1)}, or its two limbs do ([`IntegerLimbs`]), as in
//! [`crate::integer`]: the top bit is its sign, or that of a difference. Digits are taken off as in Algorithm 2 of
//! "Larger tables with CKKS", and each may leave tables of itself in slots. The sign is a table of the top digit t;
//! what depends on the sign and on all of x is
//!
//! u(t) + Σ_i g(t)·d_i,
//!
//! with the digits d_i that were taken off before: products in slots, a level, where looking up digit by digit would
//! take as many bootstraps again. Low digits have interpolations of order 3, within the levels of a table of one bit
//! more and order 1, so that errors of results do not grow from function to function.
//!
//! Two limbs borrow: the sign of the difference of the low ones is taken off the high one.
mod noise;
mod work;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, on_halves};

use super::digits::{Rest, digit_of};
use super::functional::centred;
use super::{BatchParams, FunctionalBootstrap, PreparedTables};
use crate::integer::{IntegerLimbs, IntegerOp};
use crate::{Lut, LutError};

pub use noise::IntegerNoise;

/// A ciphertext of a value's limb, or of a part of it.
type Register = usize;

/// A table of a digit, in slots.
type Value = usize;

/// Order of the interpolations of all digits but the top one.
const LOWER_ORDER: u32 = 3;

/// What is done, on registers of messages modulo powers of two.
#[derive(Debug)]
enum Step {
    /// `to` = Σ factor·register, as messages modulo 2^`bits`.
    Sum { to: Register, bits: u32, terms: Vec<(Register, i64)> },
    /// Tables of the lowest digit of a register, and what is left of it.
    Digit(Digit),
    /// `to` = Σ values + Σ 4·g·e for products of values, modulo 2^`bits`: a table g has entries −1, 0, 1 modulo 4.
    Collect { to: Register, bits: u32, values: Vec<Value>, products: Vec<[Value; 2]> },
}

/// The lowest digit of a register.
#[derive(Debug)]
struct Digit {
    register: Register,
    /// Of the messages before.
    message_bits: u32,
    /// Of the digit.
    bits: u32,
    luts: Vec<Lut>,
    tables: PreparedTables,
    /// The first table's value; if the digit is not all that is left, it is the digit itself, which is taken off.
    first: Value,
    /// Which values multiply others.
    factors: Vec<bool>,
}

impl Digit {
    fn is_last(&self) -> bool {
        self.bits == self.message_bits
    }
}

/// A function of integers, as bootstraps of their digits.
#[derive(Debug)]
pub struct IntegerCircuit {
    op: IntegerOp,
    limbs: IntegerLimbs,
    registers: usize,
    values: usize,
    steps: Vec<Step>,
    /// With their bits.
    outputs: Vec<(Register, u32)>,
}

impl IntegerCircuit {
    /// The circuit of `op` on integers in `limbs`: one input a limb of each operand, low limbs first.
    ///
    /// # Errors
    /// [`LutError::Width`] unless limbs have at least a bit and at most as many as the set's integers have, and, for
    /// floor:k, 1 ≤ k ≤ width.
    pub fn new(params: &BatchParams, op: IntegerOp, limbs: IntegerLimbs) -> Result<Self, LutError> {
        let (width, most) = (limbs.width(), params.literal().integer_bits);
        // Low limbs have two digits at most.
        let in_range = match limbs.high {
            Some(high) => params.holds_limbs(limbs.low, high),
            None => (1..=most).contains(&limbs.low),
        };
        if !in_range || matches!(op, IntegerOp::Floor(bits) if bits == 0 || bits > width) {
            return Err(LutError::Width { op: op.to_string(), width, max: params.max_integer_bits() });
        }
        let mut maker = Maker { params, limbs, bits: Vec::new(), values: 0, steps: Vec::new() };
        let operands: Vec<Vec<Register>> = (0..op.operands())
            .map(|_| limbs.bits().into_iter().map(|bits| maker.register(bits + 1)).collect())
            .collect();
        let outputs = maker.make(op, &operands)?;
        let outputs = outputs.into_iter().map(|register| (register, maker.bits[register])).collect();
        let (registers, values) = (maker.bits.len(), maker.values);
        let mut steps = maker.steps;
        let multiplied: Vec<Value> = steps
            .iter()
            .flat_map(|step| match step {
                Step::Collect { products, .. } => products.iter().map(|&[g, _]| g).collect(),
                _ => Vec::new(),
            })
            .collect();
        for step in &mut steps {
            if let Step::Digit(digit) = step {
                let all = digit.first..digit.first + digit.luts.len();
                digit.factors = all.map(|value| multiplied.contains(&value)).collect();
            }
        }
        Ok(Self { op, limbs, registers, values, steps, outputs })
    }

    /// The function.
    #[must_use]
    pub fn op(&self) -> IntegerOp {
        self.op
    }

    /// How its operands are kept.
    #[must_use]
    pub fn limbs(&self) -> IntegerLimbs {
        self.limbs
    }

    /// Ciphertexts that it takes: a limb of an operand each.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.op.operands() * self.limbs.bits().len()
    }

    /// Digits that go through the circle: bootstraps.
    #[must_use]
    pub fn bootstraps(&self) -> usize {
        self.digits().count()
    }

    fn digits(&self) -> impl Iterator<Item = &Digit> {
        self.steps.iter().filter_map(|step| if let Step::Digit(digit) = step { Some(digit) } else { None })
    }

    /// The circuit on integers: the specification. Residues of inputs and outputs, limb by limb.
    ///
    /// # Panics
    /// Unless there is an input for each limb of each operand.
    #[must_use]
    pub fn on_integers(&self, inputs: &[u64]) -> Vec<u64> {
        // Turns, in units of 2^-62: registers modulo one, values as they are.
        const UNIT: u32 = 62;
        let wrap = |x: i128| x.rem_euclid(1 << UNIT);
        let (mut registers, mut values) = (vec![0i128; self.registers], vec![0i128; self.values]);
        let bits = self.limbs.bits();
        for (i, &input) in inputs.iter().enumerate() {
            registers[i] = i128::from(input) << (UNIT - bits[i % bits.len()] - 1);
        }
        for step in &self.steps {
            match step {
                Step::Sum { to, terms, .. } => {
                    registers[*to] =
                        wrap(terms.iter().map(|&(from, factor)| registers[from] * i128::from(factor)).sum());
                }
                Step::Digit(digit) => {
                    let message = registers[digit.register] >> (UNIT - digit.message_bits);
                    let entry = message as usize & ((1 << digit.bits) - 1);
                    for (i, lut) in digit.luts.iter().enumerate() {
                        let p = lut.out_modulus();
                        values[digit.first + i] = centred(lut)[entry] as i128 * (1i128 << (UNIT - p.ilog2()));
                    }
                    if !digit.is_last() {
                        registers[digit.register] = wrap(registers[digit.register] - values[digit.first]);
                    }
                }
                Step::Collect { to, values: terms, products, .. } => {
                    let product = |&[g, e]: &[Value; 2]| ((values[g] * 4) >> UNIT) * values[e];
                    let sum = terms.iter().map(|&i| values[i]).sum::<i128>();
                    registers[*to] = wrap(sum + products.iter().map(product).sum::<i128>());
                }
            }
        }
        self.outputs.iter().map(|&(register, bits)| (registers[register] >> (UNIT - bits)) as u64).collect()
    }
}

/// A circuit in the making.
struct Maker<'a> {
    params: &'a BatchParams,
    limbs: IntegerLimbs,
    /// Of the messages in registers.
    bits: Vec<u32>,
    /// How many there are.
    values: Value,
    steps: Vec<Step>,
}

/// What the digits of a register leave: of each but the top one itself and tables of it, and tables of the top one.
struct Taken {
    lower: Vec<Vec<Value>>,
    top: Vec<Value>,
}

impl Taken {
    /// The lower digits, each times `factor`.
    fn times(&self, factor: Value) -> Vec<[Value; 2]> {
        self.lower.iter().map(|values| [factor, values[0]]).collect()
    }
}

/// Tables of a digit.
type Luts = Result<Vec<Lut>, LutError>;

/// The table f of digits of so many bits, with a sign, modulo 2^`out_bits`.
fn signed(bits: u32, out_bits: u32, f: impl Fn(i64) -> i64) -> Result<Lut, LutError> {
    let (p, modulus) = (1i64 << bits, 1i64 << out_bits);
    let entry = |t: i64| f(if 2 * t >= p { t - p } else { t }).rem_euclid(modulus) as u64;
    Lut::modular((0..p).map(entry).collect(), modulus as u64)
}

/// −1, 0 or 1 for what is negative, and for what is not: a factor.
fn by_sign(bits: u32, [negative, other]: [i64; 2]) -> Result<Lut, LutError> {
    signed(bits, 2, |t| if t < 0 { negative } else { other })
}

/// The top digit of a low limb, which has no sign: where it has one there is a mirror image, so that errors are small.
fn low_digit(bits: u32) -> Result<Lut, LutError> {
    signed(bits, bits, |t| t.abs().min((1 << (bits - 1)) - 1))
}

/// 1 where a digit is negative, modulo 2^`out_bits`.
fn is_negative(bits: u32, out_bits: u32) -> Result<Lut, LutError> {
    signed(bits, out_bits, |t| i64::from(t < 0))
}

/// 1 where a digit is `target`, modulo 2^`out_bits`.
fn is(target: i64, bits: u32, out_bits: u32) -> Result<Lut, LutError> {
    signed(bits, out_bits, |t| i64::from(t == target))
}

impl Maker<'_> {
    fn make(&mut self, op: IntegerOp, operands: &[Vec<Register>]) -> Result<Vec<Register>, LutError> {
        let (x, high) = (&operands[0], self.limbs.high.map(|high| high + 1));
        let top = x.len() - 1;
        match op {
            IntegerOp::Sign => Ok(vec![self.sign(x[top])?]),
            IntegerOp::Less => {
                let difference = self.difference(x, &operands[1]);
                if let Some(high) = high {
                    let negative =
                        self.take(difference[0], |_, _| Ok(vec![]), |bits| Ok(vec![is_negative(bits, high)?]))?;
                    self.borrow(difference[1], negative.top[0], high);
                }
                Ok(vec![self.sign(difference[top])?])
            }
            IntegerOp::Equal => {
                // Twice the difference: a bit less, since x − y is no multiple of 2^w but 0.
                let twice =
                    |maker: &mut Self, i: usize| maker.sum(maker.bits[x[i]] - 1, vec![(x[i], 2), (operands[1][i], -2)]);
                let low = twice(self, 0);
                let Some(high) = self.limbs.high else { return Ok(vec![self.is(0, low, 1)?]) };
                // The answer for the low limb is a bit below the high one.
                let (low, other) = (self.is(0, low, high + 1)?, twice(self, 1));
                let both = self.sum(high + 1, vec![(other, 1), (low, 1)]);
                Ok(vec![self.is(1, both, 1)?])
            }
            IntegerOp::Add => self.with_carry(x, &operands[1], 1),
            IntegerOp::Sub => self.with_carry(x, &operands[1], -1),
            IntegerOp::Relu => self.positive(x, false),
            IntegerOp::Max | IntegerOp::Min => {
                // max(x, y) = y + (x − y where positive), min(x, y) = x − (x − y where positive), limb by limb.
                let difference = self.difference(x, &operands[1]);
                let positive = self.positive(&difference, true)?;
                let (base, sign) = if op == IntegerOp::Max { (&operands[1], 1) } else { (x, -1) };
                let sum = |(&base, positive): (&Register, Register)| {
                    self.sum(self.bits[base], vec![(base, 1), (positive, sign)])
                };
                Ok(base.iter().zip(positive).map(sum).collect())
            }
            IntegerOp::Abs => {
                // −|x|, which is centred as it is, is less noisy than |x| by two bits.
                let negative = match high {
                    None => vec![self.minus_absolute(x[0])?],
                    Some(high) => self.minus_absolute_of_limbs([x[0], x[1]], high)?,
                };
                Ok(negative.into_iter().map(|limb| self.sum(self.bits[limb], vec![(limb, -1)])).collect())
            }
            IntegerOp::Floor(by) => match self.limbs.high {
                Some(_) if by >= self.limbs.low => Ok(vec![self.floor(x[1], by - self.limbs.low)?]),
                _ => {
                    let low = self.floor(x[0], by)?;
                    Ok(std::iter::once(low).chain(x.iter().copied().skip(1)).collect())
                }
            },
        }
    }

    fn register(&mut self, bits: u32) -> Register {
        self.bits.push(bits);
        self.bits.len() - 1
    }

    fn sum(&mut self, bits: u32, terms: Vec<(Register, i64)>) -> Register {
        let to = self.register(bits);
        self.steps.push(Step::Sum { to, bits, terms });
        to
    }

    fn collect(&mut self, bits: u32, values: Vec<Value>, products: Vec<[Value; 2]>) -> Register {
        let to = self.register(bits);
        self.steps.push(Step::Collect { to, bits, values, products });
        to
    }

    /// x − y, limb by limb, without a borrow.
    fn difference(&mut self, x: &[Register], y: &[Register]) -> Vec<Register> {
        x.iter().zip(y).map(|(&x, &y)| self.sum(self.bits[x], vec![(x, 1), (y, -1)])).collect()
    }

    /// x ± y; what the low limb has beyond its bits goes to the high one.
    fn with_carry(&mut self, x: &[Register], y: &[Register], sign: i64) -> Result<Vec<Register>, LutError> {
        let limb = |maker: &mut Self, i: usize| maker.sum(maker.bits[x[i]], vec![(x[i], 1), (y[i], sign)]);
        let low = limb(self, 0);
        let Some(high_bits) = self.limbs.high.map(|high| high + 1) else { return Ok(vec![low]) };
        let high = limb(self, 1);
        let bits = self.bits[low];
        let rest = self.sum(bits, vec![(low, 1)]);
        let top = |bits| Ok(vec![is_negative(bits, 1)?, is_negative(bits, high_bits)?]);
        let taken = self.take(rest, |_, _| Ok(vec![]), top)?;
        let half = self.collect(bits, vec![taken.top[0]], vec![]);
        let carry = self.collect(high_bits, vec![taken.top[1]], vec![]);
        Ok(vec![self.sum(bits, vec![(low, 1), (half, 1)]), self.sum(high_bits, vec![(high, 1), (carry, sign)])])
    }

    /// A register less what is to be borrowed, modulo 2^`bits`.
    fn borrow(&mut self, register: Register, negative: Value, bits: u32) {
        let borrow = self.collect(bits, vec![negative], vec![]);
        self.steps.push(Step::Sum { to: register, bits, terms: vec![(register, 1), (borrow, -1)] });
    }

    /// The digit itself, unless it is all there is, and tables of it.
    fn digit(&mut self, register: Register, bits: u32, tables: Vec<Lut>) -> Result<Vec<Value>, LutError> {
        let message_bits = self.bits[register];
        let is_last = bits == message_bits;
        let itself = if is_last { None } else { Some(digit_of(1 << message_bits, 1 << bits)?) };
        let luts: Vec<Lut> = itself.into_iter().chain(tables).collect();
        let order = if is_last { self.params.literal().order } else { LOWER_ORDER };
        let tables = PreparedTables::with_order(self.params, &luts, order)?;
        let first = self.values;
        self.values += luts.len();
        self.bits[register] -= bits;
        self.steps.push(Step::Digit(Digit { register, message_bits, bits, luts, tables, first, factors: Vec::new() }));
        Ok((first..self.values).collect())
    }

    /// All digits of a register, as few and as alike as there may be, with tables of the lower ones by their number and bits,
    /// and of the top one by its bits.
    fn take(
        &mut self,
        register: Register,
        lower: impl Fn(usize, u32) -> Luts,
        top: impl Fn(u32) -> Luts,
    ) -> Result<Taken, LutError> {
        let whole = self.params.literal().bits;
        let below = self.bits[register].saturating_sub(whole).div_ceil(whole - 1);
        let mut digits = Vec::new();
        for number in 0..below {
            let bits = self.bits[register] / (below - number + 1);
            digits.push(self.digit(register, bits, lower(number as usize, bits)?)?);
        }
        let bits = self.bits[register];
        Ok(Taken { lower: digits, top: self.digit(register, bits, top(bits)?)? })
    }

    /// Whether messages of so many bits are one digit.
    fn is_single(&self, bits: u32) -> bool {
        bits <= self.params.literal().bits
    }

    /// 1 if a register is negative, else 0.
    fn sign(&mut self, register: Register) -> Result<Register, LutError> {
        let taken = self.take(register, |_, _| Ok(vec![]), |bits| Ok(vec![is_negative(bits, 1)?]))?;
        Ok(self.collect(1, taken.top, vec![]))
    }

    /// 1 if a register is `target`, 0 or 1, else 0; modulo 2^`out_bits`.
    fn is(&mut self, target: i64, register: Register, out_bits: u32) -> Result<Register, LutError> {
        let (bits, whole) = (self.bits[register], self.params.literal().bits);
        if bits > 2 * whole - 1 {
            // One product has two factors: the lowest digit leaves a bit for the others.
            let low = bits / 3;
            let left = bits - low + 1;
            let values = self.digit(register, low, vec![is(target, low, left)?])?;
            let bit = self.collect(left, vec![values[1]], vec![]);
            let rest = self.sum(left, vec![(register, 1), (bit, 1)]);
            return self.is(1, rest, out_bits);
        }
        let single = self.is_single(bits);
        let top = |bits| Ok(vec![if single { is(target, bits, out_bits)? } else { is(0, bits, 2)? }]);
        let taken = self.take(register, |_, bits| Ok(vec![is(target, bits, out_bits)?]), top)?;
        let products = taken.lower.iter().map(|values| [taken.top[0], values[1]]).collect();
        let values = if single { taken.top } else { vec![] };
        Ok(self.collect(out_bits, values, products))
    }

    /// Limbs of x where that is not negative, else 0; of a difference, whose low limb may be.
    fn positive(&mut self, x: &[Register], is_difference: bool) -> Result<Vec<Register>, LutError> {
        let top_tables = |bits| Ok(vec![signed(bits, bits, |t| t.max(0))?, by_sign(bits, [0, 1])?]);
        let bits = self.limbs.low + 1;
        let Some(high) = self.limbs.high.map(|high| high + 1) else {
            let taken = self.take(x[0], |_, _| Ok(vec![]), top_tables)?;
            return Ok(vec![self.collect(bits, vec![taken.top[0]], taken.times(taken.top[1]))]);
        };
        let low_tables = |bits| {
            let negative = is_difference.then(|| is_negative(bits, high));
            let itself = if is_difference { signed(bits, bits, |t| t) } else { low_digit(bits) };
            std::iter::once(itself).chain(negative).collect()
        };
        let low = self.take(x[0], |_, _| Ok(vec![]), low_tables)?;
        if is_difference {
            self.borrow(x[1], low.top[1], high);
        }
        let taken = self.take(x[1], |_, _| Ok(vec![]), top_tables)?;
        let [value, factor] = [taken.top[0], taken.top[1]];
        let mut of_low = low.times(factor);
        of_low.push([factor, low.top[0]]);
        let mut of_high = taken.times(factor);
        if is_difference {
            // The limb without the borrow.
            of_high.push([factor, low.top[1]]);
        }
        Ok(vec![self.collect(bits, vec![], of_low), self.collect(high, vec![value], of_high)])
    }

    fn minus_absolute(&mut self, x: Register) -> Result<Register, LutError> {
        let top = |bits| Ok(vec![signed(bits, bits, |t| -t.abs())?, by_sign(bits, [1, -1])?]);
        let taken = self.take(x, |_, _| Ok(vec![]), top)?;
        Ok(self.collect(self.limbs.low + 1, vec![taken.top[0]], taken.times(taken.top[1])))
    }

    /// −|x|: of |x|, where x is negative, limbs are −l + 2^k·c and −h − c, where c = 1 unless l = 0.
    fn minus_absolute_of_limbs(
        &mut self,
        [low, high]: [Register; 2],
        high_bits: u32,
    ) -> Result<Vec<Register>, LutError> {
        // Of the answers l = 0 and x < 0, 1 and 2 in Z_8, one table tells c.
        const ANSWERS: u32 = 3;
        let bits = self.limbs.low + 1;
        let single = bits <= self.params.literal().bits;
        let top = |bits| Ok(vec![low_digit(bits)?, is(0, bits, if single { ANSWERS } else { 2 })?]);
        let low = self.take(low, |_, bits| Ok(vec![is(0, bits, ANSWERS)?]), top)?;
        let zero = match &low.lower[..] {
            [] => self.collect(ANSWERS, vec![low.top[1]], vec![]),
            [digit] => self.collect(ANSWERS, vec![], vec![[low.top[1], digit[1]]]),
            _ => unreachable!("low limbs have one digit or two"),
        };
        let top = |bits| {
            let twice_negative = signed(bits, ANSWERS, |t| 2 * i64::from(t < 0));
            Ok(vec![signed(bits, bits, |t| -t.abs())?, by_sign(bits, [1, -1])?, twice_negative?])
        };
        let high = self.take(high, |_, _| Ok(vec![]), top)?;
        let [value, sign, negative] = [high.top[0], high.top[1], high.top[2]];
        let negative = self.collect(ANSWERS, vec![negative], vec![]);
        let answers = self.sum(ANSWERS, vec![(zero, 1), (negative, 1)]);
        let carry = |out_bits| signed(ANSWERS, out_bits, |answers| i64::from(answers == 2));
        let carry = self.digit(answers, ANSWERS, vec![carry(1)?, carry(high_bits)?])?;
        let mut of_low = low.times(sign);
        of_low.push([sign, low.top[0]]);
        // ½ is −½ of a turn.
        let low = self.collect(bits, vec![carry[0]], of_low);
        Ok(vec![low, self.collect(high_bits, vec![value, carry[1]], high.times(sign))])
    }

    /// ⌊x/2^by⌋ of a limb: low digits are taken off.
    fn floor(&mut self, register: Register, by: u32) -> Result<Register, LutError> {
        if by + 1 == self.bits[register] {
            let taken =
                self.take(register, |_, _| Ok(vec![]), |bits| Ok(vec![signed(bits, 2, |t| -i64::from(t < 0))?]))?;
            return Ok(self.collect(2, taken.top, vec![]));
        }
        let digits = by.div_ceil(self.params.literal().bits - 1);
        let mut left = by;
        for number in 0..digits {
            let bits = left / (digits - number);
            self.digit(register, bits, vec![])?;
            left -= bits;
        }
        Ok(register)
    }
}

impl FunctionalBootstrap {
    /// A function of the integers whose limbs `inputs` are, those of the first operand first: for each limb of a
    /// result a ciphertext in the ciphertext modulus of the set. `watch` hears of every step as it begins.
    ///
    /// # Errors
    /// [`LutError::BatchInput`] for other messages than those of limbs; what the evaluator refuses.
    ///
    /// # Panics
    /// Unless there is an input for each limb of each operand.
    pub fn evaluate_integers(
        &self,
        circuit: &IntegerCircuit,
        inputs: &[RlweCiphertext],
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        let limbs = circuit.limbs.bits();
        assert_eq!(inputs.len(), circuit.inputs(), "an input for each limb of each operand");
        for (i, input) in inputs.iter().enumerate() {
            self.check_input(2 << limbs[i % limbs.len()], input)?;
        }
        let mut registers: Vec<Option<RlweCiphertext>> = vec![None; circuit.registers];
        registers.iter_mut().zip(inputs).for_each(|(register, input)| *register = Some(input.clone()));
        let mut values: Vec<Option<Slots>> = (0..circuit.values).map(|_| None).collect();
        for step in &circuit.steps {
            match step {
                Step::Sum { to, bits, terms } => {
                    let sum = sum(&registers, *bits, terms)?;
                    registers[*to] = Some(sum);
                }
                Step::Digit(digit) => {
                    let register = taken(&registers, digit.register);
                    let slots = self.digit_slots(digit, register, &mut watch)?;
                    if let (false, Slots::Term(itself)) = (digit.is_last(), &slots[0]) {
                        watch(BootstrapStep::SlotsToCoeffs);
                        let mut rest = Rest::new(register);
                        rest.subtract(self, itself, 1 << digit.bits)?;
                        registers[digit.register] = Some(rest.into_inner());
                    }
                    values[digit.first..].iter_mut().zip(slots).for_each(|(value, slots)| *value = Some(slots));
                }
                Step::Collect { to, bits, values: terms, products } => {
                    watch(BootstrapStep::SlotsToCoeffs);
                    let slots = self.collected(&values, terms, products)?;
                    let encoding = RlweEncoding::new(1 << bits, self.params().literal().log2_modulus)?;
                    registers[*to] = Some(self.to_rlwe(&slots, encoding, inputs[0].count())?);
                }
            }
        }
        Ok(circuit.outputs.iter().map(|&(register, _)| taken(&registers, register).clone()).collect())
    }

    /// The tables of the lowest digit of a register.
    fn digit_slots(
        &self,
        digit: &Digit,
        register: &RlweCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<Slots>, LutError> {
        let lowest = Rest::new(register).lowest(1 << digit.bits)?;
        let circle = self.circle(&lowest.to_base(self.params().ckks().ring())?, &mut watch)?;
        watch(BootstrapStep::EvalLut);
        let evaluator = self.evaluator();
        let circuit = digit.tables.circuit();
        let [x, y] = on_halves(circle.each_ref(), |z| evaluator.evaluate(circuit, &[z], |_, _| ()))?;
        let slots = |((x, y), &is_factor): ((&CkksCiphertext, &CkksCiphertext), &bool)| match is_factor {
            false => Ok(Slots::Term(self.joined(x, y)?)),
            true => {
                // A quarter of what is modulo 4 is in turns, of which the real part is half.
                let [x, y] = [x, y].map(|half| evaluator.add(half, half));
                Ok(Slots::Factor(self.low_character(&x?, &y?)?))
            }
        };
        x.iter().zip(&y).zip(&digit.factors).map(slots).collect()
    }

    /// Σ terms + Σ factor·term.
    fn collected(
        &self,
        values: &[Option<Slots>],
        terms: &[Value],
        products: &[[Value; 2]],
    ) -> Result<CkksCiphertext, LutError> {
        let evaluator = self.evaluator();
        let term = |i: Value| match &values[i] {
            Some(Slots::Term(slots)) => slots,
            _ => unreachable!("value {i} is a term"),
        };
        let factor = |i: Value| match &values[i] {
            Some(Slots::Factor(both)) => both,
            _ => unreachable!("value {i} is a factor"),
        };
        let mut sum = match products {
            [] => None,
            _ => {
                let (factors, terms): (Vec<_>, Vec<_>) = products.iter().map(|&[g, e]| (factor(g), term(e))).unzip();
                Some(self.sum_of_both(&factors, &terms)?)
            }
        };
        for &i in terms {
            sum = Some(match sum {
                Some(sum) => evaluator.add(&sum, term(i))?,
                None => term(i).clone(),
            });
        }
        Ok(sum.expect("a sum has a term"))
    }
}

/// A value in slots.
enum Slots {
    /// Both halves joined.
    Term(CkksCiphertext),
    /// A and B of [`FunctionalBootstrap::low_character`].
    Factor([CkksCiphertext; 2]),
}

fn taken(registers: &[Option<RlweCiphertext>], i: Register) -> &RlweCiphertext {
    registers[i].as_ref().expect("a register is written before it is read")
}

fn sum(registers: &[Option<RlweCiphertext>], bits: u32, terms: &[(Register, i64)]) -> Result<RlweCiphertext, LutError> {
    let term = |&(i, factor): &(Register, i64)| {
        let mut term = taken(registers, i).clone().with_plaintext_modulus(1 << bits)?;
        if factor != 1 {
            term.mul_assign(factor);
        }
        Ok::<_, LutError>(term)
    };
    let mut sum = term(&terms[0])?;
    for other in &terms[1..] {
        sum.add_assign(&term(other)?)?;
    }
    Ok(sum)
}
