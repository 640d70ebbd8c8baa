//! Tables of registers: whole, on digits, and of what fills its space part by part.
use super::{Compiler, Fit, Made, Origins, cached};
use crate::door::space::Integers;
use crate::engines::fhew::plan::{Budget, OnDigits, best, on_space};
use crate::fhew::plan::Serving;
use crate::{Error, Objective, Space};
use bootes_lattice::noise::failure::over_keys::sigmas_for;
use bootes_lut::fhew::circuit::{Circuit, Register};
use bootes_lut::fhew::digits::LargeLut;
use bootes_lut::forms::{Form, Unary};
use bootes_lut::integer::IntegerLimbs;
use bootes_lut::table::MAX_TABLE_BITS;
use bootes_lut::{Interval, Kind, Lut, LutError};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// A table, and its number among those of the job: of long ones only the numbers are compared.
pub(super) struct Numbered {
    pub(super) lut: Lut,
    number: usize,
    /// That of a table with the opposite entries.
    opposite: usize,
}

/// The tables of a job, by their entries on the torus.
#[derive(Default)]
pub(super) struct Numbers {
    tables: HashMap<Lut, Rc<Numbered>>,
    images: HashMap<Vec<u64>, usize>,
}

impl Numbers {
    fn of(&mut self, lut: Lut) -> Rc<Numbered> {
        if let Some(found) = self.tables.get(&lut) {
            return Rc::clone(found);
        }
        let mut number = |images: Vec<u64>| {
            let next = self.images.len();
            *self.images.entry(images).or_insert(next)
        };
        let encoded = lut.encoded();
        let opposite = number(encoded.iter().map(|v| v.wrapping_neg()).collect());
        let numbered = Rc::new(Numbered { lut: lut.clone(), number: number(encoded), opposite });
        self.tables.insert(lut, Rc::clone(&numbered));
        numbered
    }
}

/// A function of sums of a kind, times a weight, as tables make it in a space.
#[derive(Clone)]
pub(super) enum Tabled {
    /// One table of a residue of this space, of the sum and a constant.
    Whole(Rc<Numbered>, Space, i128),
    /// By digits.
    OnDigits(Digits),
    /// The same modulo another number than a power of two.
    OnDigitsModulo(Rc<[i128]>, u32),
    /// The identity, part by part.
    InParts,
}

/// What digits are of.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Inputs {
    /// Integers from 0 on, in one ciphertext.
    One(Integers),
    /// Sums of so many bits, each in a ciphertext.
    Several(Vec<u32>),
}

/// Images of integers too long for one table.
#[derive(Clone)]
pub(super) struct Digits {
    table: Rc<Numbered>,
    inputs: Inputs,
    /// What entries are less than the images, which are modulo this.
    least: i128,
    modulus: u64,
    /// Bits of the results, half of whose circle is free.
    out_bits: u32,
}

impl<K: Serving> Compiler<'_, K> {
    fn numbered(&self, lut: Lut) -> Rc<Numbered> {
        self.job.parts.numbers.borrow_mut().of(lut)
    }

    /// A table on a space, which it has an entry for each residue of.
    pub(super) fn whole(&self, lut: &Lut, space: Space, shift: i128) -> Result<Tabled, Error> {
        Ok(Tabled::Whole(self.numbered(on_space(lut, space)?), space, shift))
    }

    /// A table of a register in this space.
    fn image(&mut self, register: Register, lut: &Lut, space: Space, quiet: f64) -> Result<Made, Error> {
        let table = self.numbered(on_space(lut, space)?);
        self.numbered_image(register, &table, space, quiet)
    }

    /// The same of a table that is on it.
    pub(super) fn numbered_image(
        &mut self,
        register: Register,
        table: &Numbered,
        space: Space,
        quiet: f64,
    ) -> Result<Made, Error> {
        // Of equal tables the noise is one, of opposite ones the opposite.
        let key = (register, space.moduli()[0], table.number);
        if let Some(made) = self.quiet_enough(self.tables.get(&key).cloned(), quiet) {
            return Ok(made);
        }
        let opposite = self.tables.get(&(key.0, key.1, table.opposite)).cloned();
        if let Some(Made { register, origins, asked }) = self.quiet_enough(opposite, quiet) {
            return Ok(Made { register: self.circuit.multiple(register, -1), origins, asked });
        }
        let variance = self.variance(register);
        let part = self.fitted(table, variance, quiet)?;
        let origins = self.origin_of(register);
        let made = Made { register: self.append(&part, &[register]), origins, asked: quiet };
        self.tables.insert(key, made.clone());
        Ok(made)
    }

    /// The fastest circuit of a table with noise of a standard deviation of at most `quiet`, or the quietest.
    pub(super) fn fitted(&self, table: &Numbered, variance: f64, quiet: f64) -> Result<Rc<Circuit>, Error> {
        let (keys, promised) = (self.job.keys, self.job.promised);
        let by = |objective| {
            let fitted = || Ok(Rc::new(best(keys, &table.lut, None, variance, promised, objective)?.1));
            cached(&self.job.parts.tables, (table.number, variance.to_bits(), Fit::Best(objective)), fitted)
        };
        let fastest = by(Objective::default())?;
        let is_loud = fastest.noise(self.params(), variance).output_variance.sqrt() > quiet;
        if is_loud { by(Objective::Noise) } else { Ok(fastest) }
    }

    /// The least number of low bits that tell the images of integers too long for one table, if a table takes so many.
    pub(super) fn low_bits(&self, range: Interval, image: &impl Fn(i128) -> i128) -> Option<u32> {
        let long = Form::of_atom(0, Kind::Integers(range)).bits();
        if long <= self.table_bits() || long > MAX_TABLE_BITS {
            return None;
        }
        let is_told = |bits: &u32| (range.min..=range.max - (1 << bits)).all(|x| image(x) == image(x + (1 << bits)));
        (1..=self.table_bits()).find(is_told)
    }

    /// weight·x modulo `modulus` in parts of at most `most` bits, of an x that may fill its space of b bits: the low t
    /// bits are a table of 2^(b − t)·x on all of the circle, and x without them is ⌊x/2^t⌋ in a space of b − t bits.
    pub(super) fn part_by_part(
        &mut self,
        form: &Form,
        most: u32,
        weight: i128,
        modulus: u64,
        quiet: f64,
    ) -> Result<Made, Error> {
        let (own, needed, range) = (self.bits(form), form.bits(), form.range());
        if form.terms().len() == 1 && (1..needed).contains(&own) {
            // Nothing tells what its space does not.
            return Err(LutError::Intermediate { range, bits: own - 1 }.into());
        }
        let (least, mut left) = (range.min, own.max(needed));
        let (mut rest, mut offset) = (self.sum(&form.plus(-least), 1 << left)?.register, 0);
        let parts = left.div_ceil(most);
        let register = self.circuit.register();
        let constant = (weight * least).rem_euclid(modulus.into());
        self.circuit.add_fraction(register, constant, modulus);
        let (mut made, sigmas) =
            (Made { register, origins: Origins::none(), asked: quiet }, sigmas_for(self.job.promised));
        for number in 0..parts {
            let bits = left.div_ceil(parts - number);
            let part = match left - bits {
                0 => rest,
                above => self.circuit.multiple(rest, 1 << above),
            };
            let mut table = |unit: i128, modulus: u64, quiet: f64| {
                let images = (0..1i128 << bits).map(|v| (v * unit).rem_euclid(modulus.into()) as u64);
                self.image(part, &Lut::modular(images.collect(), modulus)?, Space::of_bits(bits), quiet)
            };
            let term = table(weight << offset, modulus, quiet / f64::from(parts).sqrt())?;
            if left > bits {
                let opposite = table(-1, 1 << left, 0.5 / (1u64 << left) as f64 / sigmas)?.register;
                let above = self.circuit.multiple(rest, 1);
                self.circuit.add(above, opposite, 1);
                rest = above;
            }
            self.circuit.add(register, term.register, 1);
            made.origins = made.origins.and(&term.origins);
            (left, offset) = (left - bits, offset + bits);
        }
        Ok(made)
    }

    /// [`on_digits`](Self::on_digits) modulo another number than a power of two: a table makes residues of integers.
    pub(super) fn on_digits_modulo(
        &mut self,
        images: &[i128],
        form: &Form,
        bits: u32,
        modulus: u64,
        quiet: f64,
    ) -> Result<Made, Error> {
        let (width, most) = (modulus.next_power_of_two().ilog2(), self.table_bits());
        if width >= most {
            let params = self.params().name().to_string();
            return Err(LutError::Packing { widths: vec![width + 1], bits: most, params }.into());
        }
        let space = Space::unsigned(width);
        let residues: Vec<i128> = images.iter().map(|image| image.rem_euclid(modulus.into())).collect();
        let borne = 0.5 / space.moduli()[0] as f64 / sigmas_for(self.job.promised);
        let digits = self.digits(&residues, form.range(), bits, space.moduli()[0])?;
        let integers = self.on_digits(&digits, &[form], borne)?;
        let lut = Lut::modular((0..1 << width).map(|v| v % modulus).collect(), modulus)?;
        self.image(integers.register, &lut, space, quiet)
    }

    /// Images of integers of this range, too long for one table, kept modulo a power of two, by digits.
    pub(super) fn digits(&self, images: &[i128], range: Interval, bits: u32, modulus: u64) -> Result<Digits, Error> {
        let inputs = Interval { min: 0, max: range.max - range.min };
        let integers = Integers::new(IntegerLimbs::one(bits - 1), inputs);
        let integers = integers.ok_or(Error::Room { range, width: bits - 1, engine: crate::Engine::Fhew })?;
        self.digits_of(images, Inputs::One(integers), modulus)
    }

    fn digits_of(&self, images: &[i128], inputs: Inputs, modulus: u64) -> Result<Digits, Error> {
        let ends = |images: &[i128]| Some((images.iter().min().copied()?, images.iter().max().copied()?));
        let (mut least, most) = ends(images).unwrap_or_default();
        let (mut span, mut images) = ((most - least) as u64, Cow::Borrowed(images));
        // Of a longer span than they are kept modulo results have more bits, and more noise.
        if span >= modulus && (self.ways.quiet || span >> (self.params().space_bits() - 1) > 0) {
            images = images.iter().map(|image| image.rem_euclid(modulus.into())).collect();
            (least, span) = (0, modulus - 1);
        }
        // Results of digits leave half of their circle free.
        let out_bits = (modulus.ilog2().max(1) - 1).max((span + 1).next_power_of_two().ilog2()).max(2);
        let lut = Lut::new(images.iter().map(|v| (v - least) as u64).collect(), out_bits)?;
        Ok(Digits { table: self.numbered(lut), inputs, least, modulus, out_bits })
    }

    /// weight·function(x) modulo `modulus` of an integer in several sums of so many bits, low first.
    pub(super) fn of_several(
        &mut self,
        function: &Unary,
        parts: &[(Form, u32)],
        weight: i128,
        modulus: u64,
        quiet: f64,
    ) -> Result<Made, Error> {
        let (program, widths) = (self.job.program, parts.iter().map(|(_, bits)| *bits).collect::<Vec<_>>());
        let entries = 1i128 << widths.iter().sum::<u32>();
        // What has no entry does not occur.
        let told = function.entries(program).map_or(entries, |told| entries.min(told.into()));
        let image = |x: i128| if x < told { function.apply(program, x).wrapping_mul(weight) } else { 0 };
        let images: Vec<i128> = (0..entries).map(image).collect();
        let digits = self.digits_of(&images, Inputs::Several(widths), modulus)?;
        let forms: Vec<&Form> = parts.iter().map(|(form, _)| form).collect();
        self.on_digits(&digits, &forms, quiet)
    }

    /// The images of a sum, or of the integer that several are, by digits.
    pub(super) fn on_digits(&mut self, digits: &Digits, forms: &[&Form], quiet: f64) -> Result<Made, Error> {
        let Digits { table, inputs, least, modulus, out_bits } = digits;
        let registers: Result<Vec<Register>, Error> = match inputs {
            Inputs::One(integers) => {
                let form = forms[0].plus(-forms[0].range().min);
                Ok(vec![self.sum(&form, 2 << integers.width())?.register])
            }
            Inputs::Several(widths) => {
                forms.iter().zip(widths).map(|(form, bits)| Ok(self.sum(form, 2 << bits)?.register)).collect()
            }
        };
        let registers = registers?;
        // Tables of as many bits less are the same on the torus, and their results are not.
        let key = (registers.clone(), *modulus, table.number, *least, *out_bits);
        if let Some(made) = self.quiet_enough(self.by_digits.get(&key).cloned(), quiet) {
            return Ok(made);
        }
        let variance = registers.iter().map(|&register| self.variance(register)).fold(0.0, f64::max);
        // With as much room in the results as the sum needs, if that can be.
        let half_step = 0.25 * (-f64::from(*out_bits)).exp2();
        let factor = 1i64 << (out_bits + 1 - modulus.ilog2());
        let most = if self.ways.quiet { 10 } else { 4 };
        let needed = (half_step / sigmas_for(self.job.promised) / quiet).log2().ceil().max(0.0) as u32;
        let unrefreshed = needed + factor.ilog2();
        let budget = Budget { usual: needed.min(most), unrefreshed, gadget: self.ways.gadget };
        let (params, promised) = (self.params(), self.job.promised);
        let fitted = || {
            let circuit = match inputs {
                Inputs::One(integers) => {
                    let space = Space::Integers(*integers);
                    OnDigits::with_budget(params, &table.lut, space, variance, promised, budget)?.circuit
                }
                Inputs::Several(widths) => {
                    let lut = LargeLut::of_several(table.lut.values().to_vec(), widths, *out_bits)?;
                    OnDigits::fitted(params, &lut, variance, promised, budget)?.1
                }
            };
            Ok(Rc::new(circuit))
        };
        let wanted = (table.number, variance.to_bits(), Fit::OnDigits(inputs.clone(), *out_bits, budget));
        let part = cached(&self.job.parts.tables, wanted, fitted)?;
        let result = self.append(&part, &registers);
        let moved = self.circuit.multiple(result, factor);
        self.circuit.add_fraction(moved, least.rem_euclid((*modulus).into()), *modulus);
        let origins = registers.iter().map(|&register| self.origin_of(register));
        let origins = origins.fold(Origins::none(), |all, own| all.and(&own));
        let made = Made { register: moved, origins, asked: quiet };
        self.by_digits.insert(key, made.clone());
        Ok(made)
    }
}
