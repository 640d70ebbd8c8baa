//! Programs of several values, as circuits: [`Forms`], whose sums are linear steps and whose functions are tables.
//!
//! A table takes a sum modulo as small a power of two as tells its integers apart; all tables of one sum, of its
//! opposite and of its multiples, and with whatever constants, are evaluated at once. Results are made modulo whatever
//! is asked for, times their weight. Inputs have the modulus that they have: c·x/M is what is needed where M divides
//! c·p, and else, where they have too little room, they are made anew by a table.
//!
//! | | becomes |
//! |---|---|
//! | \[x < 0\] of long integers | a table of the top digit |
//! | y + c·d, c = 0 or 1 | y + a table of n·c + d, for d < n; with sets for integers y + Σ c·d_i, of digits |
use std::collections::HashMap;

use bootes_schemes::ckks::bootstrap::Transforms;

use super::circuit::{Circuit, Maker, Register, Table};
use super::params::{TableLiteral, literals};
use super::{TableParams, Tables};
use crate::forms::{Atom, Capacity, Condition, Form, Forms, Limbs, Output, Unary};
use crate::integer::IntegerLimbs;
use crate::program::{Kind, Program};
use crate::{Interval, Lut, LutError, MultivariateLut};

mod digits;

use digits::signed;

/// Bits of differences of what selections choose between, at most: their number is one of 64 bits.
const LONGEST: u32 = 61;

/// What the messages of the limbs of a result are modulo, and what they add up to.
pub type Messages = (Vec<u64>, Kind);

/// A program as a circuit whose tables are not prepared yet.
pub struct Draft<'a> {
    maker: Maker<'a>,
    registers: Vec<Vec<Register>>,
    results: Vec<Messages>,
    widens: bool,
}

/// A value of a program: what each ciphertext of it is, messages modulo this, and what they add up to.
#[derive(Clone, Debug)]
pub struct Operand {
    /// One ciphertext, or the low and the high limb of integers.
    pub limbs: Vec<(u64, Kind)>,
    /// Residues or integers.
    pub kind: Kind,
}

impl<'a> Draft<'a> {
    /// A program on residues or integers: in one ciphertext each, or with sets for integers in limbs, where operands
    /// have limbs or something has no room otherwise.
    ///
    /// # Errors
    /// [`LutError::Kinds`] as [`Forms::of`]; [`LutError::Room`] for what is longer than the set's tables.
    pub fn new(params: &'a TableParams, program: &Program, operands: &[Operand]) -> Result<Self, LutError> {
        let most = params.literal().integer_bits;
        let two = |operand: &Operand| match operand.limbs[..] {
            [(low, _), (high, _)] => Some(IntegerLimbs::two(low.ilog2() - 1, high.ilog2() - 1)),
            _ => None,
        };
        let inputs: Vec<Option<IntegerLimbs>> = operands.iter().map(two).collect();
        let own = inputs.iter().flatten().map(|limbs| limbs.low).max();
        let limbs = Limbs { bits: own.unwrap_or(most.min(params.low_limb())), most, inputs };
        let whole = if own.is_none() { Some(Self::in_forms(params, program, operands, None)) } else { None };
        match whole {
            Some(Err(LutError::Room { .. } | LutError::Kinds { .. })) | None if most > 0 => {
                let found = Self::in_forms(params, program, operands, Some(limbs));
                // What is refused in either way is so for what it is.
                match (found, whole) {
                    (Err(LutError::Kinds { .. }), Some(error)) => error,
                    (found, _) => found,
                }
            }
            Some(found) => found,
            None => unreachable!("limbs are those of sets for integers"),
        }
    }

    fn in_forms(
        params: &'a TableParams,
        program: &Program,
        operands: &[Operand],
        limbs: Option<Limbs>,
    ) -> Result<Self, LutError> {
        let kinds: Vec<Kind> = operands.iter().map(|operand| operand.kind).collect();
        let bits = params.literal().bits;
        let batched = params.literal().integer_bits > 0;
        let capacity = Capacity {
            short: bits,
            packed: bits,
            limbs,
            quiet: false,
            trees: false,
            tree_bits: 0,
            carries: false,
            batched,
        };
        let Forms { atoms, kinds: of_atoms, outputs, limb_bits } = Forms::of(program, &kinds, capacity)?;
        let mut compiler = Compiler::new(params, program, (atoms, of_atoms), operands);
        let results = outputs.iter().map(|output| compiler.output(output, limb_bits)).collect::<Result<Vec<_>, _>>()?;
        Ok(compiler.finish(results))
    }

    /// A table of several values, messages modulo these: of their sum Σ s_i·x_i with its strides s_i.
    ///
    /// # Errors
    /// [`LutError::Room`] for more entries than tables of the set have.
    ///
    /// # Panics
    /// Unless there is a message for each value.
    pub fn multivariate(
        params: &'a TableParams,
        table: &MultivariateLut,
        operands: &[Operand],
    ) -> Result<Self, LutError> {
        let (lut, program) = (table.lut(), Program::new());
        let strides = table.strides();
        assert_eq!(strides.len(), operands.len(), "values and their strides");
        let kind = Kind::Integers(Interval { min: 0, max: i128::from(lut.in_modulus()) - 1 });
        let terms = strides.iter().enumerate().map(|(i, &stride)| (i, stride.into())).collect();
        let atoms = (0..operands.len()).map(Atom::Input).collect();
        let of_atoms = operands.iter().map(|operand| operand.kind).collect();
        let mut compiler = Compiler::new(params, &program, (atoms, of_atoms), operands);
        let entry = |x: i128| lut.values()[x as usize].into();
        let image = compiler.table(None, &entry, &Form { terms, constant: 0, kind }, 1, lut.out_modulus())?;
        let modulus = lut.out_modulus();
        Ok(compiler.finish(vec![(vec![image], (vec![modulus], Kind::Residues(modulus)))]))
    }

    /// Of each result the moduli that the messages of its limbs have, and its integers or residues.
    #[must_use]
    pub fn results(&self) -> &[Messages] {
        &self.results
    }

    /// Whether inputs have too little room, and are made anew.
    #[must_use]
    pub fn widens(&self) -> bool {
        self.widens
    }

    /// Times at least that something goes through the circle.
    #[must_use]
    pub fn bootstraps(&self) -> usize {
        self.maker.bootstraps()
    }

    /// The circuit, with an input for each of the program's.
    ///
    /// # Errors
    /// As [`Tables::new`].
    pub fn circuit(self, transforms: &Transforms) -> Result<Circuit, LutError> {
        let Self { maker, registers, .. } = self;
        let maker = maker.shared();
        let tables = Tables::of_groups(maker.params(), transforms, &maker.batches())?;
        Ok(maker.finish(&registers, tables))
    }
}

/// A function of x = v·scale + constant: its name, the kinds of v and of x, the scale, the constant and the weight of
/// its results, and what they are modulo.
type Named = (Unary, [Kind; 2], [i128; 3], u64);

/// A sum without its constant, as v of v·scale + constant.
struct Canonical {
    sum: Form,
    scale: i128,
    constant: i128,
}

struct Compiler<'a, 'b> {
    maker: Maker<'a>,
    program: &'b Program,
    atoms: Vec<Atom>,
    kinds: Vec<Kind>,
    /// What each ciphertext of the operands is, messages modulo this.
    ciphertexts: Vec<(u64, Kind)>,
    /// Bits of the tables that the set takes.
    short: u32,
    /// Atoms times a weight, modulo what is asked for.
    made: HashMap<(usize, i128, u64), Register>,
    sums: HashMap<(Form, u64), Register>,
    /// Images of a register.
    tables: HashMap<(Register, u64, Table), Register>,
    /// How many entries tables of functions have, and their numbers.
    tabled: HashMap<Named, (u64, Table)>,
    widens: bool,
}

impl<'a, 'b> Compiler<'a, 'b> {
    fn new(
        params: &'a TableParams,
        program: &'b Program,
        (atoms, kinds): (Vec<Atom>, Vec<Kind>),
        operands: &[Operand],
    ) -> Self {
        let moduli = |operand: &Operand| operand.limbs.iter().map(|&(modulus, _)| modulus).collect();
        let maker = Maker::new(params, operands.iter().map(moduli).collect());
        let ciphertexts = operands.iter().flat_map(|operand| operand.limbs.clone()).collect();
        let (made, sums, tables, tabled) = (HashMap::new(), HashMap::new(), HashMap::new(), HashMap::new());
        let short = params.literal().bits;
        Self { maker, program, atoms, kinds, ciphertexts, short, made, sums, tables, tabled, widens: false }
    }

    fn finish(self, results: Vec<(Vec<Register>, Messages)>) -> Draft<'a> {
        let (registers, results) = results.into_iter().unzip();
        Draft { maker: self.maker, registers, results, widens: self.widens }
    }

    /// The registers of a result, their moduli and its kind.
    fn output(&mut self, output: &Output, limb_bits: u32) -> Result<(Vec<Register>, Messages), LutError> {
        let moduli = match (&output.limbs[..], output.kind) {
            (_, Kind::Residues(p)) => vec![p],
            ([form], Kind::Integers(range)) => {
                // As it is, or with room for a sign; answers are as those of comparisons. A limb that is told by what
                // is above is known modulo 2^(w + 1), and no further.
                let bits = match self.own_bits(form) {
                    _ if limb_bits > 0 && !range.holds(form.range()) => limb_bits + 1,
                    0 if Interval::unsigned(1).holds(range) => 1,
                    0 => range.width() + 1,
                    own if range.is_in_residues(own) => own,
                    own => own.max(range.width() + 1),
                };
                let most = self.maker.params().literal().most_bits();
                if bits > most {
                    return Err(self.more_than(most, bits, range));
                }
                vec![self.modulus(bits, range)?]
            }
            (forms, Kind::Integers(range)) => {
                let bits = self.maker.params().max_integer_bits().min(2 * limb_bits);
                if forms.len() > 2 || !range.is_in_residues(bits + 1) {
                    return Err(self.more_than(bits + 1, range.width() + 1, range));
                }
                vec![2 << limb_bits, 2 << (bits - limb_bits)]
            }
        };
        let of_limbs = output.limbs.iter().zip(&moduli);
        let registers = of_limbs.map(|(form, &modulus)| self.sum(form, modulus)).collect::<Result<_, _>>()?;
        Ok((registers, (moduli, output.kind)))
    }

    /// Bits of the space of the inputs that a sum is of, 0 where it is of none.
    fn own_bits(&self, form: &Form) -> u32 {
        let of = |(atom, _): (usize, i128)| match self.atoms[atom] {
            Atom::Input(i) => self.ciphertexts[i].0.ilog2(),
            _ => 0,
        };
        form.terms().map(of).max().unwrap_or(0)
    }

    /// 2^`bits`, if ciphertexts of the set hold messages of so many.
    fn modulus(&self, bits: u32, range: Interval) -> Result<u64, LutError> {
        match bits < self.maker.params().literal().log2_modulus {
            true => Ok(1 << bits),
            false => Err(self.no_room(bits, range)),
        }
    }

    fn no_room(&self, found: u32, range: Interval) -> LutError {
        self.refused(self.maker.params().literal().bits, found, range, |set| set.bits)
    }

    /// Of results: sets for integers keep those of two limbs.
    fn more_than(&self, bits: u32, found: u32, range: Interval) -> LutError {
        let holds = |set: &TableLiteral| if set.integer_bits > 0 { set.most_in_limbs() + 1 } else { set.bits };
        self.refused(bits, found, range, holds)
    }

    /// With the least other set that holds as many bits, one of the same kind before others.
    fn refused(&self, bits: u32, found: u32, range: Interval, holds: impl Fn(&TableLiteral) -> u32) -> LutError {
        let literal = self.maker.params().literal();
        let is_longer = |set: &&TableLiteral| set.class.is_secure() && set.name != literal.name && holds(set) >= found;
        let is_other = |set: &TableLiteral| (set.integer_bits > 0) != (literal.integer_bits > 0);
        let longer = literals().iter().filter(is_longer).min_by_key(|set| (is_other(set), holds(set)));
        let other = longer.map(|set| set.name.clone());
        LutError::Room { range, found, bits, params: literal.name.clone(), other, residues: None }
    }

    /// The sum modulo `modulus`: the same sums are one register.
    fn sum(&mut self, form: &Form, modulus: u64) -> Result<Register, LutError> {
        let key = (form.clone(), modulus);
        if let Some(&register) = self.sums.get(&key) {
            return Ok(register);
        }
        let terms = form.terms().map(|(atom, weight)| self.term(atom, weight, modulus));
        let mut terms = terms.collect::<Result<Vec<_>, _>>()?;
        if terms.is_empty() {
            // Nothing of any input.
            terms.push((0, 0));
        }
        let constant = form.constant().rem_euclid(modulus.into()) as u64;
        let register = match terms[..] {
            [(register, 1)] if constant == 0 && self.maker.modulus(register) == modulus => register,
            _ => self.maker.sum_modulo(modulus, terms, constant),
        };
        self.sums.insert(key, register);
        Ok(register)
    }

    /// A register, and how often it has to be added for weight·atom modulo `modulus`.
    fn term(&mut self, atom: usize, weight: i128, modulus: u64) -> Result<(Register, i64), LutError> {
        if let Atom::Input(i) = self.atoms[atom] {
            // weight·x/modulus = factor·x/own.
            let own = self.ciphertexts[i].0;
            let product = weight * i128::from(own);
            if product % i128::from(modulus) == 0 {
                let factor = (product / i128::from(modulus)).rem_euclid(own.into()) as i64;
                return Ok((i, if factor > own as i64 / 2 { factor - own as i64 } else { factor }));
            }
        }
        // 2^k·x modulo 2^b is x modulo 2^(b − k), as it is; other weights are in the table.
        let shift = weight.trailing_zeros().min(modulus.trailing_zeros().saturating_sub(1));
        let (odd, modulus) = (weight >> shift, modulus >> shift);
        Ok((self.atom(atom, odd.abs(), modulus)?, odd.signum() as i64))
    }

    /// weight·atom modulo `modulus`.
    fn atom(&mut self, atom: usize, weight: i128, modulus: u64) -> Result<Register, LutError> {
        let key = (atom, weight, modulus);
        if let Some(&register) = self.made.get(&key) {
            return Ok(register);
        }
        let register = match self.atoms[atom].clone() {
            // Of too little room.
            Atom::Input(i) => {
                self.widens = true;
                self.anew(&Form::of_atom(atom, self.ciphertexts[i].1), weight, modulus)?
            }
            Atom::Image(Unary::Identity, form) => self.anew(&form, weight, modulus)?,
            Atom::Image(Unary::Sign, form) if form.bits() > self.short => {
                let table = |bits| signed(bits, modulus, &|t| if t < 0 { weight } else { 0 });
                let sign = self.top(&form, table)?;
                self.maker.collect(modulus.ilog2(), vec![sign], Vec::new())
            }
            Atom::Image(function, form) => {
                let program = self.program;
                self.table(Some(&function), &|x| function.apply(program, x), &form, weight, modulus)?
            }
            Atom::Joint(..) | Atom::OfSeveral(..) | Atom::Carry(..) => {
                unreachable!("tables are of one sum, and carries are signs")
            }
            Atom::Residue(form, bits) => self.residue(&form, bits, weight, modulus)?,
            Atom::Quotient(form, shift, range) => {
                // The same ciphertext.
                self.modulus(modulus.ilog2() + shift, range)?;
                let multiple = form.times(weight, form.kind());
                let register = self.sum(&multiple, modulus << shift)?;
                self.maker.sum_modulo(modulus, vec![(register, 1)], 0)
            }
            Atom::Select(condition, then, otherwise, kind) => {
                let change = self.difference(&then, &otherwise, kind);
                if change.range().width() > LONGEST {
                    return Err(self.no_room(change.range().width() + 1, change.range()));
                }
                let masked = match (self.maker.params().literal().integer_bits > 0, kind) {
                    (true, Kind::Integers(_)) => self.product(&condition, &change, weight, modulus)?,
                    _ => self.masked(condition, &change, weight, modulus)?,
                };
                let base = self.sum(&otherwise.times(weight, kind), modulus)?;
                self.maker.sum_modulo(modulus, vec![(base, 1), (masked, 1)], 0)
            }
        };
        self.made.insert(key, register);
        Ok(register)
    }

    /// weight·form modulo `modulus`, by a table, or by digits of what is longer than a table takes.
    fn anew(&mut self, form: &Form, weight: i128, modulus: u64) -> Result<Register, LutError> {
        match form.bits() > self.short && self.maker.params().literal().integer_bits > 0 {
            true => self.digit_by_digit(form, weight, modulus),
            false => self.table(Some(&Unary::Identity), &|x| x, form, weight, modulus),
        }
    }

    /// The same by a table of n·c + d.
    fn masked(
        &mut self,
        condition: Condition,
        change: &Form,
        weight: i128,
        modulus: u64,
    ) -> Result<Register, LutError> {
        let range = change.range();
        let count = range.max - range.min + 1;
        let bits = (2 * count as u64).next_power_of_two().ilog2();
        if bits > self.short {
            return Err(self.no_room(bits, range));
        }
        let change = match change.kind() {
            Kind::Integers(_) => self.sum(&change.plus(-range.min), 1 << bits)?,
            Kind::Residues(_) => self.table(Some(&Unary::Identity), &|x| x, change, 1, 1 << bits)?,
        };
        let condition = self.condition(condition);
        let condition = match condition.kind() {
            Kind::Integers(_) => self.sum(&condition.times(count, condition.kind()), 1 << bits)?,
            Kind::Residues(_) => self.table(Some(&Unary::Identity), &|x| x, &condition, count, 1 << bits)?,
        };
        let packed = self.maker.sum_modulo(1 << bits, vec![(condition, 1), (change, 1)], 0);
        let image = |v: i128| if v >= count { range.min + (v - count).min(count - 1) } else { 0 };
        let residue = |v: i128| (image(v) * weight).rem_euclid(modulus.into()) as u64;
        let table = self.maker.table_of(Lut::modular((0..1 << bits).map(residue).collect(), modulus)?);
        Ok(self.maker.table(packed, table))
    }

    /// x − y, of the range that both have, or the terms that are left.
    fn difference(&self, x: &Form, y: &Form, kind: Kind) -> Form {
        let Some(range) = x.kind().range().zip(y.kind().range()).and_then(|(x, y)| x.minus(y)) else {
            return x.combined(1, y, -1, kind);
        };
        let change = x.combined(1, y, -1, Kind::Integers(range));
        let constant = Interval { min: change.constant(), max: change.constant() };
        let of_terms =
            change.terms().try_fold(constant, |sum, (atom, weight)| sum.plus(self.kinds[atom].range()?.times(weight)?));
        match of_terms {
            Some(narrower) => change.within(narrower),
            None => change,
        }
    }

    /// The condition as a sum, 0 or 1.
    fn condition(&mut self, condition: Condition) -> Form {
        match condition {
            Condition::One(form) => form,
            Condition::Negative(form) => {
                let (sign, answers) = (Atom::Image(Unary::Sign, form), Kind::Integers(Interval::unsigned(1)));
                let found = self.atoms.iter().position(|atom| *atom == sign);
                let number = found.unwrap_or_else(|| {
                    self.atoms.push(sign);
                    self.kinds.push(answers);
                    self.atoms.len() - 1
                });
                Form::of_atom(number, answers)
            }
        }
    }

    /// weight·function(form) modulo `modulus`, by a table: that of the same function of the same integers, if it is
    /// named.
    fn table(
        &mut self,
        name: Option<&Unary>,
        function: &dyn Fn(i128) -> i128,
        form: &Form,
        weight: i128,
        modulus: u64,
    ) -> Result<Register, LutError> {
        let canonical = canonical(form);
        let key = |name: &Unary| {
            let Canonical { sum, scale, constant } = &canonical;
            (name.clone(), [sum.kind(), form.kind()], [*scale, *constant, weight], modulus)
        };
        let known = name.and_then(|name| self.tabled.get(&key(name))).copied();
        let (entries, table) = match known {
            Some(known) => known,
            None => {
                let made = self.tabled(function, form, &canonical, weight, modulus)?;
                name.map(|name| self.tabled.insert(key(name), made));
                made
            }
        };
        let register = self.sum(&canonical.sum, entries)?;
        let key = (register, modulus, table);
        if let Some(&image) = self.tables.get(&key) {
            return Ok(image);
        }
        let image = self.maker.table(register, table);
        self.tables.insert(key, image);
        Ok(image)
    }

    /// How many entries the table of [`table`](Self::table) has, and its number.
    fn tabled(
        &mut self,
        function: &dyn Fn(i128) -> i128,
        form: &Form,
        &Canonical { ref sum, scale, constant }: &Canonical,
        weight: i128,
        modulus: u64,
    ) -> Result<(u64, Table), LutError> {
        let image = |v: i128| {
            let x = v * scale + constant;
            let x = if let Kind::Residues(p) = form.kind() { x.rem_euclid(p.into()) } else { x };
            function(x).rem_euclid(modulus.into()) * weight.rem_euclid(modulus.into())
        };
        let residue = |v: i128| image(v).rem_euclid(modulus.into()) as u64;
        let (entries, values): (u64, Vec<u64>) = match sum.kind() {
            Kind::Residues(p) => (p, (0..p.into()).map(residue).collect()),
            Kind::Integers(range) => {
                let needed = sum.bits().max(1);
                // A limb has at most two bits more than an integer.
                if needed > self.short.max(18) {
                    return Err(self.no_room(needed, range));
                }
                // As many low bits as tell the images apart.
                let is_told =
                    |bits: &u32| (range.min..=range.max - (1 << bits)).all(|x| image(x) == image(x + (1 << bits)));
                let bits = (1..needed).find(is_told).unwrap_or(needed);
                let value = |r: i128| (range.min + (r - range.min).rem_euclid(1 << bits)).min(range.max);
                (1 << bits, (0..1i128 << bits).map(|r| residue(value(r))).collect())
            }
        };
        if entries > 1 << self.short {
            return Err(self.no_room(entries.next_power_of_two().ilog2(), form.range()));
        }
        Ok((entries, self.maker.table_of(Lut::modular(values, modulus)?)))
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The sum without its constant, of integers divided by what all weights are multiples of, the first one positive.
fn canonical(form: &Form) -> Canonical {
    let constant = form.constant();
    let Kind::Integers(range) = form.kind() else {
        return Canonical { sum: Form { constant: 0, ..form.clone() }, scale: 1, constant };
    };
    let gcd = form.terms().fold(0, |all, (_, weight)| gcd(all, weight.unsigned_abs()));
    let sign = form.terms().next().map_or(1, |(_, weight)| weight.signum());
    let scale = sign * gcd.max(1) as i128;
    let ends = [range.min, range.max].map(|x| x - constant);
    let [low, high] = if sign > 0 { ends } else { [-ends[1], -ends[0]] };
    let step = scale.abs();
    let (min, max) = ((low + step - 1).div_euclid(step), high.div_euclid(step));
    let terms = form.terms().map(|(atom, weight)| (atom, weight / scale)).collect();
    Canonical { sum: Form { terms, constant: 0, kind: Kind::Integers(Interval { min, max }) }, scale, constant }
}
