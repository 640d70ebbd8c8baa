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
mod maker;
mod noise;
mod work;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, on_halves};

use super::decompose::Rest;
use super::tables::whole::least;
use super::{FunctionalBootstrap, PreparedTables, TableParams};
use crate::integer::{IntegerLimbs, IntegerOp};
use crate::{Lut, LutError};

use maker::Maker;
pub use noise::IntegerNoise;

/// A ciphertext of a value's limb, or of a part of it.
type Register = usize;

/// A table of a digit, in slots.
type Value = usize;

/// The steps of a circuit, on registers of messages modulo powers of two.
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
    /// Bits of the messages before.
    message_bits: u32,
    /// Bits of the digit.
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
    pub fn new(params: &TableParams, op: IntegerOp, limbs: IntegerLimbs) -> Result<Self, LutError> {
        let (width, most) = (limbs.width(), params.literal().integer_bits);
        // Low limbs have two digits at most.
        let in_range = match limbs.high {
            Some(high) => params.holds_limbs(limbs.low, high),
            None => (1..=most).contains(&limbs.low),
        };
        if !in_range || matches!(op, IntegerOp::Floor(bits) if bits == 0 || bits > width) {
            return Err(LutError::Width { op: op.to_string(), width, max: params.max_integer_bits() });
        }
        let mut maker = Maker::new(params, limbs);
        let outputs = maker.make(op)?;
        let (registers, values, mut steps) = maker.into_parts();
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
                        values[digit.first + i] = i128::from(least(lut.values()[entry], p)) << (UNIT - p.ilog2());
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

impl FunctionalBootstrap {
    /// A function of the integers whose limbs `inputs` are, those of the first operand first: for each limb of a
    /// result a ciphertext in the ciphertext modulus of the set. `watch` hears of every step as it begins.
    ///
    /// # Errors
    /// [`LutError::CkksInput`] for other messages than those of limbs; what the evaluator refuses.
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
        // What a limb of the operand is as it was has the mask of an encryption, and results have words.
        let output = |&(register, _): &_| {
            let output: &RlweCiphertext = taken(&registers, register);
            Ok(output.mod_switch(output.encoding().log2_modulus())?)
        };
        circuit.outputs.iter().map(output).collect()
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
