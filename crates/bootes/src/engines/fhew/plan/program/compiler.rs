//! Sums of functions of sums, step by step as a circuit.
use super::{Compiled, InCommon, Job, residue_bits, room_of};
use crate::door::space::Integers;
use crate::engines::EngineParams;
use crate::engines::fhew::plan::needs_digits;
use crate::fhew::Params;
use crate::fhew::plan::Serving;
use crate::{Error, Space};
use bootes_lattice::Gadget;
use bootes_lattice::noise::failure::over_keys::sigmas_for;
use bootes_lut::fhew::Top;
use bootes_lut::fhew::circuit::{Appended, Circuit, Register, Variances};
use bootes_lut::forms::{Atom, Condition, Form, Forms, Output, Unary};
use bootes_lut::integer::{IntegerLimbs, MAX_LIMBS, MAX_WIDTH, MOST_BITS};
use bootes_lut::table::MAX_BITS;
use bootes_lut::{Interval, Kind, Lut, LutError, planning};
use bootes_schemes::fhew::FhewParams;
use origins::Origins;
pub(super) use parts::Parts;
use parts::{Fit, cached};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use tables::Tabled;

mod bits;
mod carries;
mod origins;
mod parts;
mod tables;

/// A ciphertext of the circuit, and where its noise is from.
#[derive(Clone)]
struct Made {
    register: Register,
    origins: Origins,
    /// The standard deviation of noise that it was to have at most, as far as tables can.
    asked: f64,
}

/// What may be done in two ways, of which one may be faster, or the only one.
#[derive(Clone, Copy, Default)]
pub(super) struct Ways {
    /// Whether 2^k·x has a space of k bits more than x.
    pub(super) widens: bool,
    /// Whether quotients have room for what follows, which their sums then have to be made with.
    pub(super) roomy: bool,
    /// Whether quotients of tables take no more room than inputs have.
    pub(super) narrow: bool,
    /// Whether what would leave nothing of its circle free is made part by part.
    pub(super) in_parts: bool,
    /// That of the trees of CMUXes, where several tables of one register share its bits.
    pub(super) gadget: Option<Gadget>,
    /// Whether each term of a sum is as quiet as it has to be where the others are no quieter, at any price.
    pub(super) quiet: bool,
}

/// The part of the noise which a term may have that inputs and selections take at most: of more they are made anew.
const LOUD: f64 = 0.7;

pub(super) struct Compiler<'a, K> {
    job: &'a Job<'a, K>,
    forms: &'a Forms,
    /// The space of each ciphertext, and its operand.
    spaces: &'a [(Space, usize)],
    ways: Ways,
    /// Of each atom the bits of its space.
    own_bits: Vec<u32>,
    circuit: Circuit,
    variances: Variances<'a>,
    /// The tables whose steps are in the circuit.
    appended: Appended,
    /// Atoms times a weight, in a space.
    made: BTreeMap<(usize, i128, u64), Made>,
    /// Sums in a space.
    sums: HashMap<(Form, u64), Made>,
    /// What tables make of a register in a space, by their images on the torus.
    tables: HashMap<(Register, u64, usize), Made>,
    /// The same by digits of registers, modulo a number, with what entries are less than images, and bits of results.
    by_digits: HashMap<(Vec<Register>, u64, usize, i128, u32), Made>,
    /// How functions of sums are made: of a kind and so many bits, of one term or not, times a weight, in a space.
    tabled: HashMap<(Unary, Kind, u32, bool, i128, u64), Tabled>,
    /// Terms as carries read them, of so many values.
    readings: HashMap<(Register, u64), Register>,
    /// Top digits of forms in a space.
    tops: BTreeMap<(Register, u32), Top>,
    /// Those of what is made of a register.
    origins: HashMap<Register, usize>,
    widened: bool,
}

impl<'a, K: Serving> Compiler<'a, K> {
    pub(super) fn new(job: &'a Job<'a, K>, spaces: &'a [(Space, usize)], forms: &'a Forms, ways: Ways) -> Self {
        let mut compiler = Self {
            job,
            forms,
            own_bits: Vec::with_capacity(forms.atoms.len()),
            spaces,
            ways,
            circuit: Circuit::new(spaces.len()),
            variances: Variances::new(job.keys.params(), spaces.len(), job.input_variance),
            appended: Appended::default(),
            made: BTreeMap::new(),
            sums: HashMap::new(),
            tables: HashMap::new(),
            by_digits: HashMap::new(),
            tabled: HashMap::new(),
            readings: HashMap::new(),
            tops: BTreeMap::new(),
            origins: HashMap::new(),
            widened: false,
        };
        for atom in &forms.atoms {
            let bits = compiler.own_bits_of(atom);
            compiler.own_bits.push(bits);
        }
        compiler
    }

    /// The circuit, not yet fitted as a whole.
    pub(super) fn compiled(mut self) -> Result<Compiled, Error> {
        let (mut out_spaces, mut limbs) = (Vec::new(), Vec::new());
        for output in &self.forms.outputs {
            let (registers, space) = self.output(output)?;
            limbs.extend(registers.into_iter().zip(space.moduli()));
            out_spaces.push(space);
        }
        // Each result has its own register. They come last: no step is between rotations that are made together.
        for (made, modulus) in limbs {
            let register = self.circuit.multiple(made, 1);
            self.circuit.put_out(register, 0.5 / modulus as f64);
        }
        let mut registers: Vec<&[Register]> = self.by_digits.keys().map(|key| &key.0[..]).collect();
        registers.sort_unstable();
        let shares_bits = registers.windows(2).any(|pair| pair[0] == pair[1]);
        Ok(Compiled { circuit: self.circuit, out_spaces, widened: self.widened, shares_bits })
    }

    fn params(&self) -> &'a FhewParams {
        self.job.keys.params()
    }

    /// The registers of a result and its space.
    fn output(&mut self, output: &Output) -> Result<(Vec<Register>, Space), Error> {
        let space = match (&output.limbs[..], output.kind) {
            (_, Kind::Residues(p)) => Space::Modular(p),
            ([form], Kind::Integers(range)) => {
                // As it is, or with room for a sign; answers are as those of comparisons. A limb that is told by what
                // is above is known modulo 2^(w + 1), and no further.
                let bits = match self.bits(form) {
                    _ if self.forms.limb_bits > 0 && !range.holds(form.range()) => self.forms.limb_bits + 1,
                    0 if Interval::unsigned(1).holds(range) => 1,
                    0 => range.width() + 1,
                    own if range.is_in_residues(own) => own,
                    own => own.max(range.width() + 1),
                };
                // A limb has no more room than limbs have.
                let limb = self.forms.limb_bits + 1;
                let is_limb = limb > 1 && bits > self.params().space_bits() && range.is_in_residues(limb);
                let bits = if is_limb { limb } else { bits };
                let bits = self.asked(range)?.map_or(bits, |asked| bits.max(asked));
                self.check_room(bits, range)?;
                let integers = Integers::new(IntegerLimbs::one(bits - 1), range);
                Space::Integers(integers.unwrap_or_else(|| unreachable!("it has room for {range}")))
            }
            (forms, Kind::Integers(range)) => {
                let low = self.forms.limb_bits;
                let (below, highest) = (low * (forms.len() as u32 - 1), &forms[forms.len() - 1]);
                // As it is, or with a bit to spare: it is known modulo 2^(low + 1), and no further.
                let bits = match self.bits(highest) {
                    own if own > 1 && range.above(below.min(127)).is_in_residues(own) => own.min(low + 1),
                    _ => low + 1,
                };
                let high = (bits - 1).min(MAX_WIDTH.saturating_sub(below));
                let limbs = IntegerLimbs { low, between: forms.len() as u32 - 2, high: Some(high) };
                let integers =
                    (high > 0 && limbs.between <= MAX_LIMBS - 2).then(|| Integers::new(limbs, range)).flatten();
                Space::Integers(integers.ok_or_else(|| self.too_few_limbs(range))?)
            }
        };
        let mut registers = Vec::new();
        for (form, modulus) in output.limbs.iter().zip(space.moduli()) {
            registers.push(self.sum(form, modulus)?.register);
        }
        Ok((registers, space))
    }

    /// Bits of the space that results of a table of one value were asked to have room in, where that is more than they
    /// need: those of programs have what they need.
    fn asked(&self, range: Interval) -> Result<Option<u32>, LutError> {
        let Some(lut) = self.job.program.as_table().filter(|lut| lut.gives_integers()) else { return Ok(None) };
        let (asked, max) = (lut.out_bits(), self.params().space_bits());
        let needed = Lut::bits_of(range);
        match asked > needed && needed < max {
            true if asked > max => Err(LutError::OutBits { found: asked, max }),
            true => Ok(Some((asked + 1).min(max))),
            false => Ok(None),
        }
    }

    /// The refusal of integers that all limbs of the set do not hold, with one whose limbs do.
    fn too_few_limbs(&self, range: Interval) -> LutError {
        let (own, found) = (self.params(), residue_bits(range));
        let bits_of = |set: &FhewParams| (MAX_LIMBS * (set.space_bits() - 1)).min(MAX_WIDTH) + 1;
        let holds = |set: &Params| {
            set.is_chosen_by_default() && set.log2_p_fail() == own.log2_p_fail() && bits_of(set) >= found
        };
        let other = Params::all().into_iter().find(holds).map(|set| set.name().to_string());
        LutError::Room { range, found, bits: bits_of(own), params: own.name().into(), other, residues: None }
    }

    fn check_room(&self, bits: u32, range: Interval) -> Result<(), Error> {
        let own = self.params();
        let most = own.space_bits();
        if bits <= most {
            return Ok(());
        }
        // Carries of limbs take the keys of sets for integers.
        let in_limbs = self.spaces.windows(2).any(|pair| pair[0].1 == pair[1].1);
        let residues = self.spaces.iter().find_map(|(space, _)| match space {
            Space::Modular(p) => Some(*p),
            Space::Integers(_) => None,
        });
        // Sets for integers keep longer residues as integers.
        let holds = |set: &Params| {
            let has_integers = set.integer_bits().is_some();
            set.is_chosen_by_default()
                && set.log2_p_fail() == own.log2_p_fail()
                && set.space_bits() >= bits
                && (has_integers || !in_limbs)
                && residues.is_none_or(|p| has_integers || p <= 1 << set.bits())
        };
        let other = Params::all().into_iter().find(holds).map(|set| set.name().to_string());
        Err(LutError::Room { range, found: bits, bits: most, params: own.name().into(), other, residues }.into())
    }

    /// Bits of the space that a form has for nothing: its inputs'.
    fn bits(&self, form: &Form) -> u32 {
        let of = |(atom, weight): (usize, i128)| match self.own_bits(atom) {
            0 => 0,
            bits if self.ways.widens => bits + weight.trailing_zeros(),
            bits => bits,
        };
        form.terms().map(of).max().unwrap_or(0)
    }

    /// Bits of the space that an atom is in; 0 of what is made in any.
    fn own_bits(&self, atom: usize) -> u32 {
        self.own_bits[atom]
    }

    /// The same, by those of the atoms before it.
    fn own_bits_of(&self, atom: &Atom) -> u32 {
        match atom {
            Atom::Input(i) => self.spaces[*i].0.bits(),
            Atom::Image(..) | Atom::Joint(..) | Atom::OfSeveral(..) => 0,
            Atom::Carry(.., range) => room_of(*range),
            Atom::Residue(_, bits) => *bits,
            // It holds what is kept, of the one and of the other.
            Atom::Select(_, then, otherwise, kind) => match self.bits(then).max(self.bits(otherwise)) {
                0 => 0,
                // Limbs have the room that they have.
                bits if self.holds_limbs(bits, *kind) => self.forms.limb_bits + 1,
                bits => kind.range().map_or(bits, |range| bits.max(self.room(range, 0))),
            },
            Atom::Quotient(form, shift, range) => match self.bits(form) {
                0 if self.ways.narrow => self.room(*range, *shift),
                0 => room_of(*range),
                bits if self.ways.roomy => bits.saturating_sub(*shift).max(self.room(*range, *shift)),
                bits => bits.saturating_sub(*shift).max(residue_bits(*range)),
            },
        }
    }

    /// Bits of a space for integers of this range, times 2^`shift`: half of the circle, if there is so much.
    fn room(&self, range: Interval, shift: u32) -> u32 {
        let most = self.params().space_bits().saturating_sub(shift);
        room_of(range).min(most.max(residue_bits(range)))
    }

    /// Whether a selection of this kind, of what has a space of so many bits, is one of limbs.
    fn holds_limbs(&self, bits: u32, kind: Kind) -> bool {
        let own = self.forms.limb_bits + 1;
        own > 1 && bits <= own && kind.range().is_some_and(|range| range.is_in_residues(own))
    }

    /// What was made before, if its noise is as small as is asked for now, or a table was asked for that already.
    fn quiet_enough(&mut self, made: Option<Made>, quiet: f64) -> Option<Made> {
        made.filter(|made| !self.ways.quiet || made.asked <= quiet || self.variance(made.register).sqrt() <= quiet)
    }

    /// The result of a table's circuit on registers, beside those that there are on them.
    fn append(&mut self, table: &Rc<Circuit>, registers: &[Register]) -> Register {
        let (results, is_earlier) = self.circuit.append_beside(table, registers, &mut self.appended);
        if is_earlier {
            // Steps that were read have changed.
            self.variances = Variances::new(self.params(), self.spaces.len(), self.job.input_variance);
        }
        results[0]
    }

    /// The noise of a register.
    fn variance(&mut self, register: Register) -> f64 {
        self.variances.of(&self.circuit, register)
    }

    /// The sum modulo `modulus`, at phase sum/modulus: the same sums are one register.
    fn sum(&mut self, form: &Form, modulus: u64) -> Result<Made, Error> {
        let key = (form.clone(), modulus);
        if let Some(made) = self.sums.get(&key) {
            return Ok(made.clone());
        }
        let made = self.new_sum(form, modulus)?;
        self.sums.insert(key, made.clone());
        Ok(made)
    }

    fn new_sum(&mut self, form: &Form, modulus: u64) -> Result<Made, Error> {
        // Of so many terms none is louder than its part of what the sum bears.
        let sigmas = sigmas_for(self.job.promised);
        let quiet = 0.5 / modulus as f64 / sigmas / (form.terms().len().max(1) as f64).sqrt();
        // Multiples of the modulus are none.
        let reduced = form.terms().map(|(atom, weight)| (atom, weight % i128::from(modulus)));
        let counted = reduced.filter(|(_, weight)| *weight != 0);
        let terms = counted.map(|(atom, weight)| self.term(atom, weight, modulus, quiet));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        if let ([(made, 1)], 0) = (&terms[..], form.constant()) {
            return Ok(made.clone());
        }
        let register = self.circuit.register();
        self.circuit.add_fraction(register, form.constant(), modulus);
        let of_terms: Vec<&Origins> = terms.iter().map(|(made, _)| &made.origins).collect();
        for ((made, factor), related) in terms.iter().zip(Origins::related(&of_terms)) {
            self.circuit.add(register, made.register, *factor);
            // (Σ c_i·σ_i)² ≤ n·Σ (c_i·σ_i)² for the n that are not independent of each other.
            let others = (related - 1) as f64;
            self.circuit.add_correlation(register, made.register, others * (*factor as f64).powi(2));
        }
        let origins = of_terms.into_iter().fold(Origins::none(), |all, own| all.and(own));
        Ok(Made { register, origins, asked: 0.0 })
    }

    /// A register, and how often it has to be added for weight·atom modulo `modulus`, of a weight below that.
    fn term(&mut self, atom: usize, weight: i128, modulus: u64, quiet: f64) -> Result<(Made, i64), Error> {
        let own = match &self.forms.atoms[atom] {
            Atom::Input(i) => Some(self.spaces[*i].0.moduli()[0]),
            Atom::Image(..) | Atom::OfSeveral(..) => None,
            Atom::Joint(..) => self.forms.kinds[atom].modulus(),
            Atom::Select(.., Kind::Residues(p)) => Some(*p),
            Atom::Select(..) | Atom::Quotient(..) | Atom::Carry(..) | Atom::Residue(..) => {
                let bits = self.own_bits(atom);
                if bits >= u64::BITS {
                    self.check_room(bits, self.forms.kinds[atom].range().unwrap_or(Interval::unsigned(MOST_BITS)))?;
                }
                Some(1 << bits)
            }
        };
        let Some(own) = own.filter(|&own| own > 1) else {
            // 2^k·x modulo 2^b is x modulo 2^(b − k), as it is; other weights are in the table, or the selection.
            let shift = weight.trailing_zeros().min(modulus.trailing_zeros().saturating_sub(1));
            let (odd, modulus) = (weight >> shift, modulus >> shift);
            if let Atom::Select(..) = &self.forms.atoms[atom] {
                return Ok((self.atom(atom, 1, modulus, quiet / odd.abs() as f64)?, odd as i64));
            }
            return match odd.abs() {
                1 => Ok((self.atom(atom, 1, modulus, quiet)?, odd as i64)),
                // Opposite ones have one noise.
                _ => Ok((self.atom(atom, odd.abs(), modulus, quiet)?, odd.signum() as i64)),
            };
        };
        // weight·x/modulus = factor·x/own.
        let product = weight * i128::from(own);
        if product % i128::from(modulus) == 0 {
            let (factor, turn) = ((product / i128::from(modulus)).rem_euclid(own.into()), i128::from(own));
            let centred = (if factor > turn / 2 { factor - turn } else { factor }) as i64;
            let times = centred.abs().max(1) as f64;
            let made = self.atom(atom, 1, own, quiet / times)?;
            if !self.ways.quiet || times * self.variance(made.register).sqrt() <= LOUD * quiet {
                return Ok((made, centred));
            }
        }
        // Of too little room, or too noisy: made anew.
        let key = (atom, weight, modulus);
        if let Some(made) = self.quiet_enough(self.made.get(&key).cloned(), quiet) {
            return Ok((made, 1));
        }
        let kind = match &self.forms.atoms[atom] {
            Atom::Input(i) => self.spaces[*i].0.kind(),
            Atom::Image(..) | Atom::OfSeveral(..) => unreachable!("tables are made in any space"),
            Atom::Joint(..) => self.forms.kinds[atom],
            Atom::Select(.., kind) => *kind,
            Atom::Quotient(.., range) | Atom::Carry(.., range) => Kind::Integers(*range),
            Atom::Residue(..) => self.forms.kinds[atom],
        };
        self.widened |= matches!(self.forms.atoms[atom], Atom::Input(_));
        let form = Form::of_atom(atom, kind);
        let made = self.table(&Unary::Identity, &form, weight, modulus, quiet)?;
        self.made.insert(key, made.clone());
        Ok((made, 1))
    }

    /// weight·atom modulo `modulus`, with noise of a standard deviation of at most `quiet` if a table can.
    fn atom(&mut self, atom: usize, weight: i128, modulus: u64, quiet: f64) -> Result<Made, Error> {
        planning::wanted()?;
        planning::check_steps(self.circuit.steps().len())?;
        let (key, forms) = ((atom, weight, modulus), self.forms);
        let made = self.made.get(&key).cloned();
        // A carry made again might be another one.
        let only_once = matches!(forms.atoms[atom], Atom::Carry(..));
        let made = if only_once { made } else { self.quiet_enough(made, quiet) };
        if let Some(made) = made {
            return Ok(made);
        }
        let made = match &forms.atoms[atom] {
            // The limbs of an operand may have noise in common: x·2^w + x is a result.
            Atom::Input(i) => {
                // All operands may have noise in common.
                let origin = if self.job.common == InCommon::Uncounted { usize::MAX } else { self.spaces[*i].1 };
                Made { register: self.circuit.input(*i), origins: Origins::one(origin), asked: 0.0 }
            }
            Atom::Image(Unary::Sign, form) if !self.is_short(form) => {
                let (top, origins) = self.top(form)?;
                Made { register: top.sign(&mut self.circuit, weight as i64, modulus), origins, asked: 0.0 }
            }
            Atom::Image(function, form) => self.table(function, form, weight, modulus, quiet)?,
            Atom::Joint(_, forms) => return self.joint(atom, forms, quiet),
            Atom::OfSeveral(function, parts) => self.of_several(function, parts, weight, modulus, quiet)?,
            Atom::Carry(forms, limb_bits, range) => self.carry(forms, *limb_bits, *range, modulus)?,
            // The same ciphertext.
            Atom::Residue(form, _) => self.sum(form, modulus)?,
            Atom::Quotient(form, shift, range) => match modulus.ilog2() + shift {
                found if found < u64::BITS => self.sum(form, modulus << shift)?,
                _ => return Err(LutError::Intermediate { range: *range, bits: self.params().space_bits() }.into()),
            },
            Atom::Select(condition, then, otherwise, _) => {
                let (top, origins) = match condition {
                    Condition::Negative(form) => self.top(form)?,
                    Condition::One(form) if self.bits(form) <= 1 => {
                        let register = self.sum(form, 2)?.register;
                        (Top::of_answer(register), self.origin_of(register))
                    }
                    Condition::One(form) => self.top(&form.negative())?,
                };
                let [then, otherwise] = [self.sum(then, modulus)?, self.sum(otherwise, modulus)?];
                let register = top.select(&mut self.circuit, then.register, otherwise.register);
                let origins = origins.and(&then.origins).and(&otherwise.origins);
                // What is packed may be the same ciphertext under another name.
                let origins = match self.job.common {
                    InCommon::Nothing => origins,
                    InCommon::Counted | InCommon::Uncounted => origins.and(&Origins::one(usize::MAX)),
                };
                Made { register, origins, asked: 0.0 }
            }
        };
        self.made.insert(key, made.clone());
        Ok(made)
    }

    /// The origin of what is made of a register: tables that are decomposed may have parts in common, whose noise is
    /// one. Of the same ciphertext in two registers it is not, as each key switch is dithered by its number.
    fn origin_of(&mut self, register: Register) -> Origins {
        let next = self.spaces.len() + self.origins.len();
        Origins::one(*self.origins.entry(register).or_insert(next))
    }

    /// Bits of messages that a table takes as a whole.
    fn table_bits(&self) -> u32 {
        self.params().bits().min(MAX_BITS)
    }

    fn is_short(&self, form: &Form) -> bool {
        form.bits().max(self.bits(form)) <= self.table_bits()
    }

    /// The top digit of integers, their sign, and its origins.
    fn top(&mut self, form: &Form) -> Result<(Top, Origins), Error> {
        let range = form.range();
        let bits = self.bits(form).max(range.width() + 1).max(2);
        self.check_room(bits, range)?;
        let register = self.sum(form, 1 << bits)?.register;
        let origins = self.origin_of(register);
        if let Some(top) = self.tops.get(&(register, bits)) {
            return Ok((*top, origins));
        }
        let variance = self.variance(register);
        let (params, promised) = (self.params(), self.job.promised);
        let digits = || Ok(Top::digits(params, bits, variance, promised)?);
        let digits = cached(&self.job.parts.signs, (bits, variance.to_bits()), digits)?;
        let top = Top::of(&mut self.circuit, register, bits, digits);
        self.tops.insert((register, bits), top);
        Ok((top, origins))
    }

    /// weight·function(form) modulo `modulus`, by a table.
    fn table(&mut self, function: &Unary, form: &Form, weight: i128, modulus: u64, quiet: f64) -> Result<Made, Error> {
        let key = (function.clone(), form.kind(), self.bits(form), form.terms().len() == 1, weight, modulus);
        let tabled = match self.tabled.get(&key) {
            Some(tabled) => tabled.clone(),
            None => {
                let tabled = self.tabled(function, form, weight, modulus)?;
                self.tabled.insert(key, tabled.clone());
                tabled
            }
        };
        let (table, space, shift) = match tabled {
            Tabled::Whole(table, space, shift) => (table, space, shift),
            Tabled::OnDigits(digits) => return self.on_digits(&digits, &[form], quiet),
            Tabled::OnDigitsModulo(images, bits) => return self.on_digits_modulo(&images, form, bits, modulus, quiet),
            Tabled::InParts => return self.part_by_part(form, self.table_bits(), weight, modulus, quiet),
        };
        let register = self.sum(&form.plus(shift), space.moduli()[0])?.register;
        debug_assert!(!needs_digits(self.params(), &table.lut, space) || form.kind().range().is_none());
        // Tables of fewer bits are quieter.
        let half = form.bits().div_ceil(2);
        if self.ways.quiet && *function == Unary::Identity && half > 1 && form.kind().range().is_some() {
            let variance = self.variance(register);
            if self.fitted(&table, variance, quiet)?.noise(self.params(), variance).output_variance.sqrt() > quiet {
                return self.part_by_part(form, half, weight, modulus, quiet);
            }
        }
        self.numbered_image(register, &table, space, quiet)
    }

    /// How weight·function(form) modulo `modulus` is made.
    fn tabled(&self, function: &Unary, form: &Form, weight: i128, modulus: u64) -> Result<Tabled, Error> {
        let (program, params) = (self.job.program, self.params());
        // Exact modulo 2^128, and so modulo powers of two; of residues images and weights are small.
        let image = |x: i128| function.apply(program, x).wrapping_mul(weight);
        let residue = |x: i128| image(x).rem_euclid(modulus.into()) as u64;
        let range = match form.kind() {
            Kind::Residues(p) => {
                let (bits, most) = (p.next_power_of_two().ilog2(), self.table_bits());
                if bits > most {
                    let params = params.name().to_string();
                    return Err(LutError::Packing { widths: vec![bits], bits: most, params }.into());
                }
                let lut = Lut::modular((0..p.into()).map(residue).collect(), modulus)?;
                return self.whole(&lut, Space::Modular(p), 0);
            }
            Kind::Integers(range) => range,
        };
        if let Some(low) = self.low_bits(range, &image) {
            let values = (0..1i128 << low).map(|r| residue(range.min + (r - range.min).rem_euclid(1 << low)));
            return self.whole(&Lut::modular(values.collect(), modulus)?, Space::of_bits(low), 0);
        }
        let needed = form.bits().max(1);
        // With half of the circle free one rotation is enough.
        let own = self.bits(form);
        let bits = match own {
            0 if needed < self.table_bits() => needed + 1,
            _ => own.max(needed),
        };
        let whole = bits <= self.table_bits();
        let bits = if whole { bits } else { bits.max(needed + 1) };
        let most = params.space_bits();
        if *function == Unary::Identity && (1..bits).contains(&own) && needed <= most {
            // Digits have no bit to spare, or their results.
            let span = (range.max - range.min) * weight.abs();
            if own == needed || bits > most || span >= 1 << (most - 1) {
                return Ok(Tabled::InParts);
            }
            // What has no room cannot be given any; a sum of several is made of what may have.
            if form.terms().len() == 1 {
                return Err(LutError::Intermediate { range, bits: bits - 1 }.into());
            }
        }
        self.check_room(bits, range)?;
        // Images of a longer span are kept modulo `modulus`.
        let leaves_none = |span: i128| span.min(i128::from(modulus) - 1) >> (most - 1) > 0;
        if self.ways.in_parts && !whole && *function == Unary::Identity && modulus.is_power_of_two() {
            let span = (range.max - range.min).checked_mul(weight.abs());
            if span.is_some_and(leaves_none) {
                return Ok(Tabled::InParts);
            }
        }
        let count = 1i128 << if whole { needed } else { needed.max(2) };
        // What fills the circle is negative on one half of it.
        let halves = Interval::signed(needed);
        let range = if whole && *function == Unary::Sign && halves.holds(range) { halves } else { range };
        let span = range.max - range.min;
        let values = (0..count).map(|i| range.min + i.min(span));
        if !whole {
            let images: Vec<i128> = values.map(image).collect();
            return Ok(match modulus.is_power_of_two() {
                true => Tabled::OnDigits(self.digits(&images, range, bits, modulus)?),
                false => Tabled::OnDigitsModulo(images.into(), bits),
            });
        }
        let lut = Lut::modular(values.map(residue).collect(), modulus)?;
        let integers = Integers::new(IntegerLimbs::one(bits - 1), Interval { min: 0, max: span });
        let space = integers.ok_or(Error::Room { range, width: bits - 1, engine: crate::Engine::Fhew })?;
        self.whole(&lut, Space::Integers(space), -range.min)
    }
}
