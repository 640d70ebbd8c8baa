//! What circuits are made of.
use std::collections::HashMap;

use super::{Circuit, Digit, Register, Source, Step, Value};
use crate::ckks::decompose::digit_of;
use crate::ckks::{PreparedTables, TableParams, Tables};
use crate::{Lut, LutError};

/// Order of the interpolations of all digits but the top one: low digits have interpolations of order 3, within the
/// levels of a table of one bit more and order 1, so that errors of results do not grow from function to function.
const LOWER_ORDER: u32 = 3;

/// A circuit in the making.
pub(crate) struct Maker<'a> {
    params: &'a TableParams,
    /// The moduli of the limbs of each operand.
    operands: Vec<Vec<u64>>,
    /// p of the messages in registers.
    moduli: Vec<u64>,
    /// How many there are.
    values: Value,
    sources: Source,
    /// Those of bootstraps of a register, by what its messages are modulo.
    known: HashMap<(Register, u64), Source>,
    /// The registers that others are opposites of, or differ from by a constant.
    kin: HashMap<Register, Register>,
    batches: Vec<Vec<Lut>>,
    steps: Vec<Step>,
}

/// The digits of a register: each but the top one with tables of it, and tables of the top one.
pub(crate) struct Taken {
    pub(crate) lower: Vec<Vec<Value>>,
    pub(crate) top: Vec<Value>,
}

impl Taken {
    /// The lower digits, each times `factor`.
    pub(crate) fn times(&self, factor: Value) -> Vec<[Value; 2]> {
        self.lower.iter().map(|values| [factor, values[0]]).collect()
    }
}

/// Tables of a digit.
pub(crate) type Luts = Result<Vec<Lut>, LutError>;

impl<'a> Maker<'a> {
    /// Begins with operands whose limbs are messages modulo these: the first registers.
    pub(crate) fn new(params: &'a TableParams, operands: Vec<Vec<u64>>) -> Self {
        let moduli: Vec<u64> = operands.iter().flatten().copied().collect();
        let (known, kin) = (HashMap::new(), HashMap::new());
        let (values, sources, batches, steps) = (0, operands.len(), Vec::new(), Vec::new());
        Self { params, operands, moduli, values, sources, known, kin, batches, steps }
    }

    /// The circuit with these results, the limbs of each, and [`Self::batches`] prepared.
    pub(crate) fn finish(self, results: &[Vec<Register>], tables: Vec<Tables>) -> Circuit {
        let multiplied: Vec<Value> = self
            .steps
            .iter()
            .flat_map(|step| match step {
                Step::Collect { products, .. } => products.iter().map(|&[g, _]| g).collect(),
                _ => Vec::new(),
            })
            .collect();
        let Self { operands, moduli, values, batches, mut steps, .. } = self;
        for step in &mut steps {
            if let Step::Digit(digit) = step {
                let all = digit.first..digit.first + digit.luts.len();
                digit.factors = all.map(|value| multiplied.contains(&value)).collect();
            }
        }
        let results = results.iter().map(|limbs| limbs.iter().map(|&limb| (limb, moduli[limb])).collect());
        let (tables, results) = (batches.into_iter().zip(tables).collect(), results.collect());
        Circuit { operands, registers: moduli.len(), values, tables, steps, results }
    }

    /// Times at least that something goes through the circle.
    pub(crate) fn bootstraps(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Digit(_) | Step::Tables { .. })).count()
    }

    /// The set.
    pub(crate) fn params(&self) -> &'a TableParams {
        self.params
    }

    /// p of the messages of a register.
    pub(crate) fn modulus(&self, register: Register) -> u64 {
        self.moduli[register]
    }

    /// Bits of the messages of a register modulo a power of two.
    pub(crate) fn bits(&self, register: Register) -> u32 {
        self.moduli[register].ilog2()
    }

    fn register(&mut self, modulus: u64) -> Register {
        self.moduli.push(modulus);
        self.moduli.len() - 1
    }

    /// Says that a register is the opposite of another, or differs from it by a constant: bootstraps of both may have
    /// noise in common.
    pub(crate) fn make_kin(&mut self, register: Register, other: Register) {
        self.kin.insert(register, other);
    }

    /// The source of what is bootstrapped of a register as it is.
    fn source(&mut self, register: Register) -> Source {
        let first = self.kin.get(&register).copied().unwrap_or(register);
        let source = *self.known.entry((first, self.moduli[register])).or_insert(self.sources);
        self.sources = self.sources.max(source + 1);
        source
    }

    /// A table of a register that no digit is taken off, with others of it.
    pub(crate) fn table(&mut self, register: Register, lut: Lut) -> Register {
        let image = self.register(lut.out_modulus());
        let source = self.source(register);
        let of = |step: &Step| matches!(step, Step::Tables { register: other, .. } if *other == register);
        let found = match self.steps.iter_mut().find(|step| of(step)) {
            Some(Step::Tables { batch, to, .. }) => Some((*batch, to)),
            _ => None,
        };
        match found {
            Some((batch, to)) => {
                self.batches[batch].push(lut);
                to.push(image);
            }
            None => {
                let batch = self.batches.len();
                self.batches.push(vec![lut]);
                self.steps.push(Step::Tables { register, batch, to: vec![image], source });
            }
        }
        image
    }

    /// Tables of one register each.
    pub(crate) fn batches(&self) -> &[Vec<Lut>] {
        &self.batches
    }

    /// Σ factor·register, as messages modulo 2^`bits`.
    pub(crate) fn sum(&mut self, bits: u32, terms: Vec<(Register, i64)>) -> Register {
        self.sum_modulo(1 << bits, terms, 0)
    }

    /// Σ factor·register + constant, with phases as they are, as messages modulo `modulus`.
    pub(crate) fn sum_modulo(&mut self, modulus: u64, terms: Vec<(Register, i64)>, constant: u64) -> Register {
        let to = self.register(modulus);
        self.steps.push(Step::Sum { to, modulus, terms, constant });
        to
    }

    /// A register less another, modulo 2^`bits`, in its place.
    pub(crate) fn subtract(&mut self, register: Register, other: Register, bits: u32) {
        let (modulus, terms) = (1 << bits, vec![(register, 1), (other, -1)]);
        self.steps.push(Step::Sum { to: register, modulus, terms, constant: 0 });
    }

    /// Σ values + Σ 4·g·e, modulo 2^`bits`.
    pub(crate) fn collect(&mut self, bits: u32, values: Vec<Value>, products: Vec<[Value; 2]>) -> Register {
        let to = self.register(1 << bits);
        self.steps.push(Step::Collect { to, bits, values, products });
        to
    }

    /// The digit itself, unless it is all there is, and tables of it.
    pub(crate) fn digit(&mut self, register: Register, bits: u32, tables: Vec<Lut>) -> Result<Vec<Value>, LutError> {
        let message_bits = self.bits(register);
        let is_last = bits == message_bits;
        let itself = if is_last { None } else { Some(digit_of(1 << message_bits, 1 << bits)?) };
        let luts: Vec<Lut> = itself.into_iter().chain(tables).collect();
        let order = if is_last { self.params.literal().order } else { LOWER_ORDER };
        let tables = PreparedTables::with_order(self.params, &luts, order)?;
        let first = self.values;
        self.values += luts.len();
        let (source, factors) = (self.source(register), Vec::new());
        self.moduli[register] >>= bits;
        self.steps.push(Step::Digit(Digit { source, register, message_bits, bits, luts, tables, first, factors }));
        Ok((first..self.values).collect())
    }

    /// All digits of a register, as few and as alike as there may be, with tables of the lower ones by their number and
    /// bits, and of the top one by its bits.
    pub(crate) fn take(
        &mut self,
        register: Register,
        lower: impl Fn(usize, u32) -> Luts,
        top: impl Fn(u32) -> Luts,
    ) -> Result<Taken, LutError> {
        let whole = self.params.literal().bits;
        let below = self.bits(register).saturating_sub(whole).div_ceil(whole - 1);
        let mut digits = Vec::new();
        for number in 0..below {
            let bits = self.bits(register) / (below - number + 1);
            digits.push(self.digit(register, bits, lower(number as usize, bits)?)?);
        }
        let bits = self.bits(register);
        Ok(Taken { lower: digits, top: self.digit(register, bits, top(bits)?)? })
    }

    /// Whether messages of so many bits are one digit.
    pub(crate) fn is_single(&self, bits: u32) -> bool {
        bits <= self.params.literal().bits
    }
}
