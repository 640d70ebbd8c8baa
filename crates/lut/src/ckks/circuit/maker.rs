//! What circuits are made of.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::{Circuit, Digit, Register, Source, Step, Value};
use crate::ckks::decompose::digit_of;
use crate::ckks::{PreparedTables, TableParams, Tables};
use crate::{Lut, LutError, planning};

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
    /// Those of bootstraps of a ciphertext.
    known: HashMap<Mask, Source>,
    /// What is in the registers, but for constants.
    masks: Vec<Mask>,
    /// What bootstraps made, by their number: masks are of these and of the operands.
    made: HashMap<Made, usize>,
    /// The number of each value: equal ones have one.
    numbers: Vec<usize>,
    luts: Vec<Lut>,
    tables: HashMap<Lut, Table>,
    batches: Vec<Vec<Table>>,
    /// Where the tables of a register are made.
    tabled: HashMap<Register, usize>,
    /// Tables of digits, by interpolations of an order.
    digits: HashMap<(Vec<Table>, u32), Arc<PreparedTables>>,
    steps: Vec<Step>,
}

/// The digits of a register: each but the top one with tables of it, and tables of the top one.
pub(crate) struct Taken {
    pub(crate) lower: Vec<Vec<Value>>,
    pub(crate) top: Vec<Value>,
}

/// A ciphertext but for constants: Σ factor·ciphertext, of operands and of what bootstraps made, factors modulo the
/// ciphertext's modulus.
type Mask = BTreeMap<usize, u64>;

/// What makes the same ciphertext again, but for constants.
#[derive(PartialEq, Eq, Hash)]
enum Made {
    /// A digit of a ciphertext of messages of so many bits, and its own.
    Digit(Mask, u64, u32),
    /// A table of a ciphertext of messages modulo this.
    Image(Mask, u64, Table),
    /// A table of a digit of so many bits.
    Value(Source, u32, Table),
    /// Values and products of such.
    Collected(u32, Vec<usize>, Vec<[usize; 2]>),
}

/// The number of a table: of equal ones one is kept.
pub(crate) type Table = usize;

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
        let masks: Vec<Mask> = (0..moduli.len()).map(|base| Mask::from([(base, 1)])).collect();
        let (values, sources, known, made) = (0, operands.len(), HashMap::new(), HashMap::new());
        let (numbers, batches, steps) = (Vec::new(), Vec::new(), Vec::new());
        let (luts, tables, tabled, digits) = (Vec::new(), HashMap::new(), HashMap::new(), HashMap::new());
        Self {
            params,
            operands,
            moduli,
            values,
            sources,
            known,
            masks,
            made,
            numbers,
            luts,
            tables,
            batches,
            tabled,
            digits,
            steps,
        }
    }

    /// The same with equal batches but once: what is alike is prepared together.
    pub(crate) fn shared(mut self) -> Self {
        let mut known: HashMap<Vec<Table>, usize> = HashMap::new();
        let mut places = Vec::with_capacity(self.batches.len());
        for batch in std::mem::take(&mut self.batches) {
            let number = *known.entry(batch.clone()).or_insert(self.batches.len());
            if number == self.batches.len() {
                self.batches.push(batch);
            }
            places.push(number);
        }
        for step in &mut self.steps {
            if let Step::Tables { batch, .. } = step {
                *batch = places[*batch];
            }
        }
        self
    }

    /// The circuit with these results, the limbs of each, and [`Self::batches`] prepared.
    pub(crate) fn finish(self, results: &[Vec<Register>], tables: Vec<Tables>) -> Circuit {
        let multiplied: HashSet<Value> = self
            .steps
            .iter()
            .flat_map(|step| match step {
                Step::Collect { products, .. } => products.iter().map(|&[g, _]| g).collect(),
                _ => Vec::new(),
            })
            .collect();
        let batches = self.batches();
        let Self { operands, moduli, values, mut steps, .. } = self;
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

    fn register(&mut self, modulus: u64, mask: Mask) -> Register {
        self.moduli.push(modulus);
        self.masks.push(mask);
        self.moduli.len() - 1
    }

    /// The number of what is made, one for all that is made alike.
    fn number(&mut self, made: Made) -> usize {
        let next = self.operands.iter().flatten().count() + self.made.len();
        *self.made.entry(made).or_insert(next)
    }

    /// Σ factor·mask.
    fn combined<'b>(&self, terms: impl IntoIterator<Item = (&'b Mask, i64)>) -> Mask {
        let mut sum = Mask::new();
        for (mask, times) in terms {
            for (&base, &factor) in mask {
                let of_base = sum.entry(base).or_default();
                *of_base = self.reduced(of_base.wrapping_add(factor.wrapping_mul(times as u64)));
            }
        }
        sum.retain(|_, factor| *factor != 0);
        sum
    }

    /// Modulo the modulus of ciphertexts.
    fn reduced(&self, factor: u64) -> u64 {
        factor & u64::MAX.checked_shl(self.params.literal().log2_modulus).map_or(u64::MAX, |above| !above)
    }

    /// The source of what is bootstrapped of `times` a register: one for all of the same ciphertext, its opposite, and
    /// what differs from these by a constant, since evaluation draws nothing at random.
    fn source(&mut self, register: Register, times: u64) -> Source {
        let mask = &self.masks[register];
        let either = [times as i64, -(times as i64)].map(|times| self.combined([(mask, times)]));
        let either = either.into_iter().min().expect("two");
        let source = *self.known.entry(either).or_insert(self.sources);
        self.sources = self.sources.max(source + 1);
        source
    }

    /// A table of a register that no digit is taken off, with others of it.
    pub(crate) fn table(&mut self, register: Register, table: Table) -> Register {
        let made = Made::Image(self.masks[register].clone(), self.moduli[register], table);
        let mask = Mask::from([(self.number(made), 1)]);
        let image = self.register(self.luts[table].out_modulus(), mask);
        let source = self.source(register, 1);
        let found = match self.tabled.get(&register).map(|&step| &mut self.steps[step]) {
            Some(Step::Tables { batch, to, .. }) => Some((*batch, to)),
            _ => None,
        };
        match found {
            Some((batch, to)) => {
                self.batches[batch].push(table);
                to.push(image);
            }
            None => {
                let batch = self.batches.len();
                self.batches.push(vec![table]);
                self.tabled.insert(register, self.steps.len());
                self.steps.push(Step::Tables { register, batch, to: vec![image], source });
            }
        }
        image
    }

    /// The number of a table.
    pub(crate) fn table_of(&mut self, lut: Lut) -> Table {
        if let Some(&known) = self.tables.get(&lut) {
            return known;
        }
        self.luts.push(lut.clone());
        self.tables.insert(lut, self.luts.len() - 1);
        self.luts.len() - 1
    }

    /// Tables of one register each.
    pub(crate) fn batches(&self) -> Vec<Vec<Lut>> {
        let luts = |batch: &Vec<Table>| batch.iter().map(|&table| self.luts[table].clone()).collect();
        self.batches.iter().map(luts).collect()
    }

    /// Σ factor·register, as messages modulo 2^`bits`.
    pub(crate) fn sum(&mut self, bits: u32, terms: Vec<(Register, i64)>) -> Register {
        self.sum_modulo(1 << bits, terms, 0)
    }

    /// Σ factor·register + constant, with phases as they are, as messages modulo `modulus`.
    pub(crate) fn sum_modulo(&mut self, modulus: u64, terms: Vec<(Register, i64)>, constant: u64) -> Register {
        let mask = self.combined(terms.iter().map(|&(register, factor)| (&self.masks[register], factor)));
        let to = self.register(modulus, mask);
        self.steps.push(Step::Sum { to, modulus, terms, constant });
        to
    }

    /// A register less another, modulo 2^`bits`, in its place.
    pub(crate) fn subtract(&mut self, register: Register, other: Register, bits: u32) {
        self.masks[register] = self.combined([(&self.masks[register], 1), (&self.masks[other], -1)]);
        let (modulus, terms) = (1 << bits, vec![(register, 1), (other, -1)]);
        self.steps.push(Step::Sum { to: register, modulus, terms, constant: 0 });
    }

    /// Σ values + Σ 4·g·e, modulo 2^`bits`.
    pub(crate) fn collect(&mut self, bits: u32, values: Vec<Value>, products: Vec<[Value; 2]>) -> Register {
        let number = |&value: &Value| self.numbers[value];
        let mut summands: Vec<usize> = values.iter().map(number).collect();
        let mut factors: Vec<[usize; 2]> = products.iter().map(|pair| pair.each_ref().map(number)).collect();
        summands.sort_unstable();
        factors.sort_unstable();
        let mask = Mask::from([(self.number(Made::Collected(bits, summands, factors)), 1)]);
        let to = self.register(1 << bits, mask);
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
        let key: (Vec<Table>, u32) = (luts.iter().map(|lut| self.table_of(lut.clone())).collect(), order);
        let numbers = key.0.clone();
        let tables = match self.digits.get(&key) {
            Some(tables) => Arc::clone(tables),
            None => {
                planning::wanted()?;
                let tables = Arc::new(PreparedTables::with_order(self.params, &luts, order)?);
                self.digits.insert(key, Arc::clone(&tables));
                tables
            }
        };
        let first = self.values;
        self.values += luts.len();
        // A digit is all that is left of the message times the others' number of values.
        let (source, factors) = (self.source(register, 1 << (message_bits - bits)), Vec::new());
        for table in numbers {
            let number = self.number(Made::Value(source, bits, table));
            self.numbers.push(number);
        }
        if !is_last {
            let digit = Made::Digit(self.masks[register].clone(), self.moduli[register], bits);
            let itself = Mask::from([(self.number(digit), 1)]);
            self.masks[register] = self.combined([(&self.masks[register], 1), (&itself, 1)]);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The lowest three of eight bits, and 2^5·x as three bits, are bootstraps of one ciphertext.
    #[test]
    fn one_ciphertext_is_one_source() -> Result<(), Box<dyn std::error::Error>> {
        let params = TableParams::named("toy_batch_integers")?;
        let mut maker = Maker::new(&params, vec![vec![1 << 8]]);
        let identity = |bits: u32| Lut::new((0..1 << bits).collect(), bits);
        let top = maker.sum(3, vec![(0, -32)]);
        let other = maker.sum(3, vec![(0, 1)]);
        for register in [top, other] {
            let table = maker.table_of(identity(3)?);
            maker.table(register, table);
        }
        maker.digit(0, 3, vec![])?;
        let sources = maker.steps.iter().filter_map(|step| match step {
            Step::Tables { source, .. } => Some(*source),
            Step::Digit(digit) => Some(digit.source),
            _ => None,
        });
        let sources: Vec<Source> = sources.collect();
        assert!(sources[0] == sources[2] && sources[0] != sources[1], "{sources:?}");
        Ok(())
    }

    /// What is alike is prepared but once, however long a chain is.
    #[test]
    fn equal_tables_are_shared() -> Result<(), Box<dyn std::error::Error>> {
        let params = TableParams::named("toy_batch_integers")?;
        let mut maker = Maker::new(&params, vec![vec![1 << 3], vec![1 << 8]]);
        let lut = Lut::new((0..8).rev().collect(), 3)?;
        let mut register = 0;
        for _ in 0..10 {
            let table = maker.table_of(lut.clone());
            register = maker.table(register, table);
        }
        for _ in 0..2 {
            let copy = maker.sum(8, vec![(1, 1)]);
            maker.digit(copy, 3, vec![])?;
        }
        let maker = maker.shared();
        assert_eq!((maker.batches().len(), maker.digits.len(), maker.bootstraps()), (1, 1, 12));
        Ok(())
    }
}
