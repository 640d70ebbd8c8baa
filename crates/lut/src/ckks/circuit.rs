//! Functions of several values on all coefficients at once, as circuits of bootstraps: of integers
//! ([`super::integers`]) and programs ([`super::program`]).
//!
//! A register is a ciphertext of messages modulo some p, m/p in turns; sums of registers cost nothing. Its digits are
//! taken off as in Algorithm 2 of "Larger tables with CKKS", and each may leave tables of itself in slots, whose sums,
//! and products with others, are collected in registers; or tables of all of it go to registers at once.
mod maker;
mod noise;
mod work;

use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, on_halves};

use super::decompose::Rest;
use super::tables::whole::least;
use super::{FunctionalBootstrap, PreparedTables, Tables};
use crate::{Lut, LutError};

pub(super) use maker::{Maker, Table};
pub use noise::CircuitBounds;

/// A ciphertext of a value's limb, or of a part of it.
pub(super) type Register = usize;

/// A table of a digit, in slots.
pub(super) type Value = usize;

/// Where noise is from: an operand, or bootstraps of one ciphertext.
pub(super) type Source = usize;

/// The steps of a circuit.
#[derive(Debug)]
enum Step {
    /// `to` = Σ factor·register + constant, as messages modulo `modulus`: with phases as they are, whatever their
    /// registers are modulo.
    Sum { to: Register, modulus: u64, terms: Vec<(Register, i64)>, constant: u64 },
    /// Tables of a register, each to one of its own.
    Tables { register: Register, batch: usize, to: Vec<Register>, source: Source },
    /// Tables of the lowest digit of a register modulo a power of two, and what is left of it.
    Digit(Digit),
    /// `to` = Σ values + Σ 4·g·e for products of values, modulo 2^`bits`: a table g has entries −1, 0, 1 modulo 4.
    Collect { to: Register, bits: u32, values: Vec<Value>, products: Vec<[Value; 2]> },
}

/// The lowest digit of a register.
#[derive(Debug)]
struct Digit {
    source: Source,
    register: Register,
    /// Bits of the messages before.
    message_bits: u32,
    /// Bits of the digit.
    bits: u32,
    luts: Vec<Lut>,
    /// Shared by digits with the same tables.
    tables: Arc<PreparedTables>,
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

/// A function of several values, as bootstraps.
#[derive(Debug)]
pub struct Circuit {
    /// The moduli of the limbs of each operand, low limbs first.
    operands: Vec<Vec<u64>>,
    registers: usize,
    values: usize,
    /// Those of registers, and as they are evaluated.
    tables: Vec<(Vec<Lut>, Tables)>,
    steps: Vec<Step>,
    /// The limbs of each result, with their moduli.
    results: Vec<Vec<(Register, u64)>>,
}

impl Circuit {
    /// How many operands there are.
    #[must_use]
    pub fn operands(&self) -> usize {
        self.operands.len()
    }

    /// Ciphertexts that it takes: a limb of an operand each.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.moduli().count()
    }

    /// Ciphertexts of each result.
    pub fn outputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.results.iter().map(Vec::len)
    }

    /// p of each input.
    fn moduli(&self) -> impl Iterator<Item = u64> + '_ {
        self.operands.iter().flatten().copied()
    }

    /// Times that something goes through the circle.
    #[must_use]
    pub fn bootstraps(&self) -> usize {
        let of = |step: &Step| match step {
            Step::Digit(_) => 1,
            Step::Tables { batch, .. } => self.tables[*batch].1.bootstraps(),
            Step::Sum { .. } | Step::Collect { .. } => 0,
        };
        self.steps.iter().map(of).sum()
    }

    fn digits(&self) -> impl Iterator<Item = &Digit> {
        self.steps.iter().filter_map(|step| if let Step::Digit(digit) = step { Some(digit) } else { None })
    }

    /// The circuit on residues, input by input: the specification, result by result.
    ///
    /// # Panics
    /// Unless there is one for each input.
    #[must_use]
    pub fn on_residues(&self, inputs: &[u64]) -> Vec<u64> {
        // Turns, in units of 2^-62: registers modulo one, values as they are.
        const UNIT: u32 = 62;
        let turns = |m: i128, p: u64| ((m << UNIT) + i128::from(p / 2)).div_euclid(p.into());
        let wrap = |x: i128| x.rem_euclid(1 << UNIT);
        let message = |x: i128, p: u64| ((x * i128::from(p) + (1 << (UNIT - 1))) >> UNIT) as u64 % p;
        assert_eq!(inputs.len(), self.inputs(), "an input for each limb of each operand");
        let (mut registers, mut values) = (vec![0i128; self.registers], vec![0i128; self.values]);
        for ((register, &input), p) in registers.iter_mut().zip(inputs).zip(self.moduli()) {
            *register = turns(input.into(), p);
        }
        for step in &self.steps {
            match step {
                Step::Sum { to, modulus, terms, constant } => {
                    let sum: i128 = terms.iter().map(|&(from, factor)| registers[from] * i128::from(factor)).sum();
                    registers[*to] = wrap(sum + turns((*constant).into(), *modulus));
                }
                Step::Tables { register, batch, to, .. } => {
                    let (luts, _) = &self.tables[*batch];
                    let entry = message(registers[*register], luts[0].in_modulus());
                    for (&to, lut) in to.iter().zip(luts) {
                        registers[to] = turns(lut.values()[entry as usize].into(), lut.out_modulus());
                    }
                }
                Step::Digit(digit) => {
                    let entry = message(registers[digit.register], 1 << digit.message_bits) & ((1 << digit.bits) - 1);
                    for (i, lut) in digit.luts.iter().enumerate() {
                        let p = lut.out_modulus();
                        values[digit.first + i] = turns(least(lut.values()[entry as usize], p).into(), p);
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
        self.results.iter().flatten().map(|&(register, p)| message(registers[register], p)).collect()
    }
}

impl FunctionalBootstrap {
    /// The results of a circuit on `inputs`, the limbs of the first operand first: limb by limb a ciphertext in the
    /// ciphertext modulus of the set. `watch` hears of every step as it begins.
    ///
    /// # Errors
    /// [`CkksLutError::Input`](crate::CkksLutError::Input) for other messages than those of operands; what the
    /// evaluator refuses.
    ///
    /// # Panics
    /// Unless there is an input for each limb of each operand.
    pub fn evaluate_circuit(
        &self,
        circuit: &Circuit,
        inputs: &[RlweCiphertext],
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        assert_eq!(inputs.len(), circuit.inputs(), "an input for each limb of each operand");
        circuit.moduli().zip(inputs).try_for_each(|(p, input)| self.check_input(p, input))?;
        let mut registers: Vec<Option<RlweCiphertext>> = vec![None; circuit.registers];
        registers.iter_mut().zip(inputs).for_each(|(register, input)| *register = Some(input.clone()));
        let mut values: Vec<Option<Slots>> = (0..circuit.values).map(|_| None).collect();
        for step in &circuit.steps {
            match step {
                Step::Sum { to, modulus, terms, constant } => {
                    let mut sum = sum(&registers, *modulus, terms)?;
                    if *constant != 0 {
                        sum.add_constant(*constant);
                    }
                    registers[*to] = Some(sum);
                }
                Step::Tables { register, batch, to, .. } => {
                    let (_, tables) = &circuit.tables[*batch];
                    let images = self.evaluate_tables(tables, taken(&registers, *register), 0, &mut watch)?;
                    to.iter().zip(images).for_each(|(&to, image)| registers[to] = Some(image));
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
        circuit.results.iter().flatten().map(output).collect()
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

fn sum(
    registers: &[Option<RlweCiphertext>],
    modulus: u64,
    terms: &[(Register, i64)],
) -> Result<RlweCiphertext, LutError> {
    let term = |&(i, factor): &(Register, i64)| {
        let mut term = taken(registers, i).clone().with_plaintext_modulus(modulus)?;
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
