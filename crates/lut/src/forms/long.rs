//! Integers longer than a ciphertext has room for: Σ limb_i·2^(w·i) of sums that have room in one each.
//!
//! Limbs are sums like others, and carries are signs: where a limb is between k·2^w and (k + 2)·2^w, its carry is
//! k + 1 less the sign of limb − (k + 1)·2^w. A carry is taken when a limb has no room for what is added, and where a
//! function needs to know the limb: comparisons then take a sign a limb, selections go limb by limb, products part by
//! part.
use super::{Atom, Form, Lowering, Unary};
use crate::Interval;
use crate::integer::{IntegerLimbs, MOST_BITS};
use crate::program::{Kind, Node, Operation, PairOp};
use std::collections::VecDeque;

mod columns;
mod functions;
mod multiples;
mod sums;

pub(super) const TOO_LONG: &str = "integers of at most 112 bits, with what they are made of; longer ones modulo a \
                                  power of two up to 2^65, as x*y % 2^64 is";

/// What tables are of.
const IN_ONE: &str = "values that the set has in one ciphertext each, and not in limbs: take a set for a bit more than \
                      they have, up to 16 bits, or residues, which have tables of up to 20 bits with engine ckks";

/// The most bits of a limb and what is below it: a few of them have room in 128 bits.
const MOST_SHIFT: u32 = 124;

/// How integers that are too long for one ciphertext are kept.
#[derive(Clone, Debug)]
pub struct Limbs {
    /// Bits w of a limb: each has room for w + 1.
    pub bits: u32,
    /// Bits of the longest integers that have room, with their sign, in one ciphertext: longer ones have limbs.
    pub most: u32,
    /// Those of each input that has several.
    pub inputs: Vec<Option<IntegerLimbs>>,
}

/// An integer in limbs, low first.
#[derive(Clone, Debug)]
pub(super) struct Long {
    limbs: Vec<Form>,
    range: Interval,
}

impl Long {
    fn zero() -> Self {
        Self { limbs: vec![constant(0)], range: Interval { min: 0, max: 0 } }
    }
}

/// What limbs have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limbed {
    /// What there is room for.
    Loosely,
    /// From 0 to 2^w − 1, all but the highest; that one, which has the sign, has w bits.
    Canonically,
    /// The same, but residues modulo 2^(w + 1) of the highest tell what all are.
    ForResults,
}

/// A value of a program.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Short(Form),
    Long(Long),
}

impl Value {
    /// What it is, if that is known.
    fn constant(&self) -> Option<i128> {
        let range = match self {
            Self::Short(form) => form.range(),
            Self::Long(long) => long.range,
        };
        (range.min == range.max).then_some(range.min)
    }
}

fn constant(c: i128) -> Form {
    Form::of_constant(c)
}

/// What a sum is known to be.
pub(super) fn sum(a: &Form, b: &Form, sign: i128) -> Option<Form> {
    let range = a.range().plus(b.range().times(sign)?)?;
    Some(a.combined(1, b, sign, Kind::Integers(range)))
}

/// The same of many: halves are added up apart, so that no term is moved often.
fn sum_of(forms: &[Form]) -> Option<Form> {
    match forms {
        [] => Some(constant(0)),
        [form] => Some(form.clone()),
        _ => {
            let (one, other) = forms.split_at(forms.len() / 2);
            sum(&sum_of(one)?, &sum_of(other)?, 1)
        }
    }
}

impl Lowering<'_> {
    pub(super) fn limb_bits(&self) -> u32 {
        self.limbs.as_ref().map_or(MOST_BITS, |limbs| limbs.bits)
    }

    /// The value of an operation that is known, in limbs where it is too long for one ciphertext.
    pub(super) fn constant(&mut self, number: usize, known: i128) -> Result<Value, &'static str> {
        let (most, value) = (self.limbs.as_ref().map_or(u32::MAX, |limbs| limbs.most), Value::Short(constant(known)));
        match self.kinds[number].range().is_some_and(|range| range.width() > most) {
            true => self.long_of(&value).map(Value::Long),
            false => Ok(value),
        }
    }

    /// Whether an operation has a result, or takes something, that is too long for one ciphertext.
    pub(super) fn is_long(&self, number: usize) -> bool {
        let Some(limbs) = &self.limbs else { return false };
        let operation = &self.program.operations()[number];
        let long = |range: Interval| range.width() > limbs.most;
        let own = match operation {
            Operation::Input(i) => return limbs.inputs[*i].is_some() || self.fills_its_circle(number),
            // They are of a sign of x − y, or of that of y − x.
            Operation::Integers(_, operands) => {
                self.differences(operands).is_none_or(|both| both.into_iter().any(long))
            }
            // Of x/y = −x/−y the one by a divisor that is not negative.
            Operation::Pair(PairOp::Div | PairOp::Rem, x, y)
                if self.kinds[y.index()].range().is_some_and(|range| range.min < 0) =>
            {
                let opposite = |node: &Node| self.kinds[node.index()].range().and_then(|range| range.times(-1));
                [x, y].into_iter().any(|node| opposite(node).is_none_or(long))
            }
            // What fills the circle has no table.
            Operation::Pair(_, x, y) => [x, y].into_iter().any(|node| match &self.values[node.index()] {
                Value::Short(form) => form.bits() > limbs.most && limbs.bits == limbs.most,
                Value::Long(_) => true,
            }),
            _ => false,
        };
        // Numbers among residues are such.
        let among = self.kinds[number].range().is_none();
        let is_long = |node: &Node| match &self.values[node.index()] {
            _ if self.is_summand[node.index()] => true,
            Value::Long(_) => !among || self.kinds[node.index()].constant().is_none(),
            Value::Short(_) => false,
        };
        let own = own || self.wraps[number].is_some() || self.kinds[number].range().is_some_and(long);
        own || operation.operands().iter().any(is_long)
    }

    /// Whether an input in one ciphertext is of more integers than a limb, and all of them are told apart by the circle
    /// of one, as results are.
    fn fills_its_circle(&self, number: usize) -> bool {
        let (Some(limbs), Some(range)) = (&self.limbs, self.kinds[number].range()) else { return false };
        let Operation::Input(i) = self.program.operations()[number] else { return false };
        let count = i128::BITS - (range.max - range.min).leading_zeros();
        limbs.inputs[i].is_none() && count > limbs.most && count <= limbs.bits + 1 && limbs.bits == limbs.most
    }

    /// The same modulo 2^bits.
    fn long_wrapped(&mut self, operation: &Operation, bits: u32) -> Result<Long, &'static str> {
        let low = |forms: &mut Self, node: &Node| {
            let value = forms.values[node.index()].clone();
            let long = forms.long_of(&value)?;
            forms.long_low(long, bits)
        };
        let sum = match operation {
            Operation::Product(a, b) => {
                let (a, b) = (low(self, a)?, low(self, b)?);
                for (x, factor) in [(&a, &b), (&b, &a)] {
                    if let Some(c) = Value::Long(factor.clone()).constant()
                        && let Some(range) = x.range.times(c)
                        && range.width() <= MOST_SHIFT - self.limb_bits()
                        && let Some(multiple) = self.multiple(&Value::Long(x.clone()), c, range)?
                    {
                        return self.long_low(multiple, bits);
                    }
                }
                return self.low_product(a, b, bits);
            }
            Operation::Sum(a, b) => {
                let (a, b) = (low(self, a)?, low(self, b)?);
                self.combined(&a, &b, 1, a.range.plus(b.range).ok_or(TOO_LONG)?)?
            }
            Operation::Difference(a, b) => {
                let (a, b) = (low(self, a)?, low(self, b)?);
                self.difference(&a, &b)?
            }
            Operation::Pair(PairOp::Shl, x, y) => {
                let (x, y) = (low(self, x)?, self.values[y.index()].clone());
                let y = self.long_of(&y)?;
                return self.low_shifted(x, &y, bits);
            }
            _ => return Err(TOO_LONG),
        };
        self.long_low(sum, bits)
    }

    /// What x − y and y − x may be, of one operand with 0 as the other.
    fn differences(&self, operands: &[Node]) -> Option<[Interval; 2]> {
        let of = |node: &Node| self.kinds[node.index()].range();
        let (x, y) = (of(&operands[0])?, operands.get(1).map_or(Some(Interval { min: 0, max: 0 }), of)?);
        Some([x.minus(y)?, y.minus(x)?])
    }

    /// The value of an operation on integers of which some are long.
    pub(super) fn long(&mut self, number: usize) -> Result<Value, &'static str> {
        let operation = &self.program.operations()[number];
        // Residues that a table gives of integers in limbs, for one.
        let expected = if let Operation::Table(..) = operation { IN_ONE } else { "integers" };
        let range = self.kinds[number].range().ok_or(expected)?;
        if let Some(bits) = self.wraps[number] {
            let value = self.long_wrapped(operation, bits)?;
            return self.shortened(value);
        }
        if let Some(low) = self.low_total(number) {
            return self.shortened(low?);
        }
        let value = match operation {
            Operation::Input(i) if self.fills_its_circle(number) => {
                let x = self.atom(Atom::Input(self.first_limbs[*i]), Kind::Integers(range));
                // From 0 on its highest bit is a sign.
                let (carry, low) = self.carry(&x.plus(-range.min));
                let mut terms = vec![(0, low), (1, carry)];
                terms.extend(self.placed(0, constant(range.min))?);
                return Ok(Value::Long(self.accumulate(terms, range, Limbed::Loosely)?));
            }
            Operation::Input(i) => {
                let limbs = self.limbs.as_ref().and_then(|limbs| limbs.inputs[*i]).ok_or(TOO_LONG)?;
                let mut terms = Vec::new();
                for (number, range) in limbs.ranges(range).into_iter().enumerate() {
                    let limb = self.atom(Atom::Input(self.first_limbs[*i] + number), Kind::Integers(range));
                    terms.extend(self.placed(limbs.low * number as u32, limb)?);
                }
                let value = self.accumulate(terms, range, Limbed::Loosely)?;
                // What takes a limb alone is short.
                let is_short = Interval::unsigned(self.limb_bits()).holds(range);
                return if is_short { self.shortened(value) } else { Ok(Value::Long(value)) };
            }
            Operation::Constant(c) => return self.constant(number, *c),
            Operation::Sum(..) | Operation::Difference(..) => self.total(operation, range)?,
            Operation::Product(a, b) => {
                let [a, b] = [a, b].map(|node| self.values[node.index()].clone());
                self.long_product(&a, &b, range)?
            }
            Operation::Integers(op, operands) => return self.long_integers(*op, operands, range),
            Operation::Pair(op, x, y) => return self.long_pair(*op, *x, *y, range),
            Operation::Select { condition, then, otherwise }
                if let Some(chosen) = self.kinds[condition.index()].constant() =>
            {
                return Ok(self.values[if chosen == 1 { then } else { otherwise }.index()].clone());
            }
            Operation::Select { condition, then, otherwise } => {
                let Value::Short(condition) = self.values[condition.index()].clone() else { return Err(TOO_LONG) };
                let [then, otherwise] = [then, otherwise].map(|node| self.values[node.index()].clone());
                let [then, otherwise] = [self.long_of(&then)?, self.long_of(&otherwise)?];
                self.chosen(&condition, &then, &otherwise, range)?
            }
            Operation::Table(x, table) => match self.values[x.index()].clone() {
                Value::Short(x) => {
                    self.long_image(*table, range, |forms, limb, range| forms.image_of(limb, x.clone(), range))?
                }
                Value::Long(x) => {
                    let parts = self.address_of(x)?;
                    let image = |forms: &mut Self, function: Unary, range: Interval| {
                        forms.atom(Atom::OfSeveral(function, parts.clone()), Kind::Integers(range))
                    };
                    if self.limbs.as_ref().is_some_and(|limbs| range.width() <= limbs.most) {
                        return Ok(Value::Short(image(self, Unary::Table(*table), range)));
                    }
                    self.long_image(*table, range, image)?
                }
            },
            Operation::TableOf(..) => return Err(IN_ONE),
            Operation::Rotation(..) | Operation::Exchange(_) | Operation::SumSlots(_) => {
                return Err("vectors with slots, of engine bfv");
            }
        };
        self.shortened(value)
    }

    /// What a table whose entries are too long for one ciphertext makes of what `image` has functions of: a table for
    /// each limb.
    fn long_image(
        &mut self,
        table: usize,
        range: Interval,
        mut image: impl FnMut(&mut Self, Unary, Interval) -> Form,
    ) -> Result<Long, &'static str> {
        let (w, mut left, mut terms) = (self.limb_bits(), range, Vec::new());
        while !(Interval { min: -(1 << w), max: (1 << w) - 1 }).holds(left) {
            let limb = Unary::Limb(table, w * terms.len() as u32, Some(w));
            terms.push((terms.len(), image(self, limb, Interval::unsigned(w))));
            left = Interval { min: left.min >> w, max: left.max >> w };
        }
        let highest = Unary::Limb(table, w * terms.len() as u32, None);
        terms.push((terms.len(), image(self, highest, left)));
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// The limbs of an integer from 0 on with their bits, of which a tree takes a table.
    fn address_of(&mut self, x: Long) -> Result<Vec<(Form, u32)>, &'static str> {
        let (w, max) = (self.limb_bits(), x.range.max);
        let limbs = self.canonical(x)?.limbs;
        let below = w * (limbs.len() as u32 - 1);
        let highest = (i128::BITS - (max >> below).leading_zeros()).max(1);
        if below + highest > self.tree_bits {
            return Err(IN_ONE);
        }
        let bits = |limb: usize| if limb + 1 == limbs.len() { highest } else { w };
        Ok(limbs.iter().enumerate().map(|(limb, form)| (form.clone(), bits(limb))).collect())
    }

    /// In one ciphertext where it has room.
    fn shortened(&mut self, value: Long) -> Result<Value, &'static str> {
        let (w, most) = (self.limb_bits(), self.limbs.as_ref().map_or(MOST_BITS, |limbs| limbs.most));
        let range = value.range;
        if range.width() > most {
            return Ok(Value::Long(value));
        }
        // What is one of 2^b integers in a row is known from its residue modulo that.
        let bits = (i128::BITS - (range.max - range.min).leading_zeros()).max(w);
        if value.limbs.len() > 1 && bits - w <= w.min(self.short) {
            let low = self.residue(&value, bits)?;
            let (below, above) = (range.min >> bits, range.max >> bits);
            let low = low.plus(above << bits);
            let beyond = if below < above { self.sign(low.negative().plus(range.max)) } else { constant(0) };
            return Ok(Value::Short(low.combined(1, &beyond, -(1 << bits), Kind::Integers(range))));
        }
        let limbs = self.canonical(value)?.limbs;
        let low = limbs[0].clone();
        let mut low = if limbs.len() > 1 { self.anew(low) } else { low };
        for (limb, form) in limbs.iter().enumerate().skip(1) {
            // Made anew, in a space of as many bits less.
            let made = match form.terms.is_empty() {
                true => form.clone(),
                false => self.image_of(Unary::Identity, form.clone(), form.range()),
            };
            low = low.combined(1, &made, 1 << (w * limb as u32), Kind::Integers(range));
        }
        Ok(Value::Short(Form { kind: Kind::Integers(range), ..low }))
    }

    /// x modulo 2^bits, of its lowest limb and no more than a limb above.
    fn residue(&mut self, x: &Long, bits: u32) -> Result<Form, &'static str> {
        let w = self.limb_bits();
        let (carry, low) = self.carry(&x.limbs[0]);
        if bits == w {
            return Ok(low);
        }
        let above = sum(&x.limbs[1], &carry, 1).ok_or(TOO_LONG)?;
        let above = self.low(&above, bits - w);
        // Made anew, in a space of as many bits less.
        let [low, above] = [low, above].map(|form| self.anew(form));
        Ok(low.combined(1, &above, 1 << w, Kind::Integers(Interval::unsigned(bits))))
    }

    /// A value in limbs.
    fn long_of(&mut self, value: &Value) -> Result<Long, &'static str> {
        match value {
            Value::Long(long) => Ok(long.clone()),
            Value::Short(form) => {
                let terms = self.placed(0, form.clone())?;
                self.accumulate(terms, form.range(), Limbed::Loosely)
            }
        }
    }

    /// Whether a limb may be of this range: its carry is one of two.
    pub(super) fn fits(&self, range: Interval) -> bool {
        let w = self.limb_bits();
        range.is_in_residues(w + 1) && (range.max >> w) - (range.min >> w) <= 1
    }

    /// ⌊x/2^w⌋ and x mod 2^w.
    fn carry(&mut self, x: &Form) -> (Form, Form) {
        let (w, range) = (self.limb_bits(), x.range());
        let (least, most) = (range.min >> w, range.max >> w);
        let carry = match most - least {
            0 => constant(least),
            1 => {
                let below = self.sign(x.plus(-(most << w)));
                constant(most).combined(1, &below, -1, Kind::Integers(Interval { min: least, max: most }))
            }
            _ => self.shifted(x, w),
        };
        let low = x.combined(1, &carry, -(1 << w), Kind::Integers(Interval::unsigned(w)));
        (carry, low)
    }

    /// The same, of what a table makes in any space: multiples of it have no more noise than it.
    fn anew(&mut self, x: Form) -> Form {
        let is_made = x.terms().all(|(atom, _)| matches!(self.atoms[atom], Atom::Image(..)));
        let range = x.range();
        match range.max - range.min {
            0 => constant(range.min),
            _ if is_made => x,
            _ => self.image_of(Unary::Identity, x, range),
        }
    }

    /// 2^offset·x as limbs and their numbers.
    fn placed(&mut self, offset: u32, x: Form) -> Result<Vec<(usize, Form)>, &'static str> {
        let w = self.limb_bits();
        let (limb, shift) = ((offset / w) as usize, offset % w);
        if x.terms.is_empty() {
            // Limb by limb; the last has the sign.
            let (mut rest, mut terms) = (x.constant << shift, Vec::new());
            while !(-(1 << w)..1 << w).contains(&rest) {
                terms.push((limb + terms.len(), constant(rest & ((1 << w) - 1))));
                rest >>= w;
            }
            terms.push((limb + terms.len(), constant(rest)));
            return Ok(terms);
        }
        let range = x.range().times(1 << shift).ok_or(TOO_LONG)?;
        if self.fits(range) {
            let x = if shift > 0 { self.anew(x) } else { x };
            return Ok(vec![(limb, x.times(1 << shift, Kind::Integers(range)))]);
        }
        let (high, low) = match shift {
            0 => self.carry(&x),
            _ => {
                let low = self.low(&x, w - shift);
                (self.shifted(&x, w - shift), self.anew(low))
            }
        };
        let low_range = Interval::unsigned(w - shift).times(1 << shift).ok_or(TOO_LONG)?;
        let mut terms = vec![(limb, low.times(1 << shift, Kind::Integers(low_range)))];
        terms.extend(self.placed(offset - shift + w, high)?);
        Ok(terms)
    }

    /// The sum of limbs, known to be of this range.
    fn accumulate(&mut self, terms: Vec<(usize, Form)>, range: Interval, limbed: Limbed) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        let count = terms.iter().map(|(limb, _)| limb + 1).max().unwrap_or(1);
        let mut columns: VecDeque<Vec<Form>> = (0..count).map(|_| Vec::new()).collect();
        terms.into_iter().for_each(|(limb, form)| columns[limb].push(form));
        let mut limbs = Vec::new();
        // What the limbs below may add up to.
        let mut below = [0i128; 2];
        while let Some(mut column) = columns.pop_front() {
            let shift = w * limbs.len() as u32;
            // A carry beyond is of what is reduced modulo less.
            if shift + w > MOST_SHIFT {
                return Err(TOO_LONG);
            }
            if limbed == Limbed::ForResults && range.is_in_residues(shift + w + 1) {
                // Of what is above the lowest bit tells.
                let above = columns.drain(..).next().unwrap_or_default();
                let above = sum_of(&above).ok_or(TOO_LONG)?;
                // 2^w times as noisy as it is, unless a table makes it.
                let bit = self.low(&above, 1);
                let bit = self.anew(bit);
                column.push(bit.times(1 << w, Kind::Integers(Interval { min: 0, max: 1 << w })));
            }
            // The highest one: it is what the rest of the range is.
            let is_last = columns.iter().all(Vec::is_empty);
            if is_last {
                let all = sum_of(&column).ok_or(TOO_LONG)?;
                let ends = [range.min - below[1], range.max - below[0]];
                let [min, max] = [-((-ends[0]) >> shift), ends[1] >> shift];
                if limbed == Limbed::ForResults && range.is_in_residues(shift + w + 1) {
                    limbs.push(all);
                    break;
                }
                let all = if min <= max { all.within(Interval { min, max }) } else { all };
                if limbed == Limbed::Loosely && self.fits(all.range()) || all.range().width() <= w {
                    limbs.push(all);
                    break;
                }
            }
            let mut carried = Vec::new();
            let mut limb = self.column(column, &mut carried)?;
            if limbed != Limbed::Loosely || is_last {
                let (carry, low) = self.carry(&limb);
                carried.push(carry);
                limb = low;
            }
            carried.retain(|carry| !carry.terms.is_empty() || carry.constant != 0);
            below =
                [(below[0], limb.range().min), (below[1], limb.range().max)].map(|(below, end)| below + (end << shift));
            limbs.push(limb);
            match columns.front_mut() {
                Some(next) => next.splice(0..0, carried).for_each(drop),
                None => columns.push_back(carried),
            }
        }
        // What is known to be 0 is left out, unless it tells a result from what is alike modulo a power of two.
        while let [lower @ .., last] = &limbs[..]
            && !lower.is_empty()
            && (limbed != Limbed::ForResults || range.is_in_residues(w * lower.len() as u32 + 1))
            && last.terms.is_empty()
            && last.constant == 0
        {
            limbs.pop();
        }
        let value =
            |all: i128, (limb, form): (usize, &Form)| all.wrapping_add(form.constant << (w as usize * limb).min(127));
        let is_constant = limbs.iter().all(|form| form.terms.is_empty());
        let known = limbs.iter().enumerate().fold(0, value);
        let range = match limbed {
            _ if is_constant => Interval { min: known, max: known },
            Limbed::ForResults => range,
            // Of limbs that are known better.
            _ => {
                let of = |[min, max]: [i128; 2], (limb, form): (usize, &Form)| {
                    let (own, shift) = (form.range(), w as usize * limb);
                    [min + (own.min << shift), max + (own.max << shift)]
                };
                let [min, max] = limbs.iter().enumerate().fold([0; 2], of);
                let [min, max] = [min.max(range.min), max.min(range.max)];
                if min <= max { Interval { min, max } } else { range }
            }
        };
        Ok(Long { limbs, range })
    }

    /// The same with all limbs but the highest from 0 to 2^w − 1, and that one, which has the sign, of w bits.
    fn canonical(&mut self, x: Long) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        let range = x.range;
        let (top, lower) = x.limbs.split_last().ok_or(TOO_LONG)?;
        if top.range().width() <= w && lower.iter().all(|limb| Interval::unsigned(w).holds(limb.range())) {
            return Ok(x);
        }
        self.accumulate(x.limbs.into_iter().enumerate().collect(), range, Limbed::Canonically)
    }

    /// The limbs of a result, and what they add up to.
    pub(super) fn result(&mut self, x: Long) -> Result<(Vec<Form>, Interval), &'static str> {
        let range = x.range;
        let result = self.accumulate(x.limbs.into_iter().enumerate().collect(), range, Limbed::ForResults)?;
        Ok((result.limbs, range))
    }

    /// The limbs of x or −x, with their numbers.
    fn signed_limbs(&mut self, x: &Long, sign: i128) -> Vec<(usize, Form)> {
        let mut terms = Vec::new();
        for (limb, form) in x.limbs.iter().enumerate() {
            let signed = if sign == 1 { form.clone() } else { form.negative() };
            match sign == 1 || self.fits(signed.range()) {
                true => terms.push((limb, signed)),
                // A negative one may be of three times 2^w, and its opposite of two.
                false => {
                    let (carry, low) = self.carry(form);
                    terms.extend([(limb, low.negative()), (limb + 1, carry.negative())]);
                }
            }
        }
        terms
    }

    fn combined(&mut self, a: &Long, b: &Long, sign: i128, range: Interval) -> Result<Long, &'static str> {
        let mut terms: Vec<(usize, Form)> = a.limbs.iter().cloned().enumerate().collect();
        terms.extend(self.signed_limbs(b, sign));
        self.accumulate(terms, range, Limbed::Loosely)
    }

    fn difference(&mut self, a: &Long, b: &Long) -> Result<Long, &'static str> {
        let range = a.range.minus(b.range).ok_or(TOO_LONG)?;
        self.combined(a, b, -1, range)
    }

    /// The form whose sign x has, and x with all limbs but the highest from 0 to 2^w − 1.
    fn top(&mut self, x: Long) -> Result<(Form, Long), &'static str> {
        let x = self.canonical(x)?;
        let top = x.limbs[x.limbs.len() - 1].clone();
        Ok((top, x))
    }

    fn long_sign(&mut self, x: Long) -> Result<Form, &'static str> {
        let (top, _) = self.top(x)?;
        Ok(self.sign(top))
    }

    /// One or the other by a form of 0 and 1.
    fn chosen(
        &mut self,
        condition: &Form,
        then: &Long,
        otherwise: &Long,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        let count = then.limbs.len().max(otherwise.limbs.len());
        let limb = |x: &Long, limb: usize| x.limbs.get(limb).cloned().unwrap_or_else(|| constant(0));
        let union = |limb_of: usize| limb(then, limb_of).range().union(limb(otherwise, limb_of).range());
        let (then, otherwise) = match (0..count).all(|limb| self.has_room(union(limb))) {
            true => (then.clone(), otherwise.clone()),
            false => (self.canonical(then.clone())?, self.canonical(otherwise.clone())?),
        };
        let count = then.limbs.len().max(otherwise.limbs.len());
        // A shorter one that is negative is so below its last limb.
        let lower = |x: &Long| (0..count - 1).all(|number| Interval::unsigned(w).holds(limb(x, number).range()));
        let is_canonical = lower(&then) && lower(&otherwise);
        let mut terms = Vec::new();
        for number in 0..count {
            let [one, other] = [&then, &otherwise].map(|x| limb(x, number));
            let mut union = one.range().union(other.range());
            let shift = w * number as u32;
            // What is kept is of the range: the highest limb, and no limb of what has no sign is beyond its highest.
            if is_canonical && (number + 1 == count || range.min >= 0) && shift < 127 {
                let min = if number + 1 == count { union.min.max(range.min >> shift) } else { union.min };
                union = Interval { min, max: union.max.min(range.max >> shift) };
            }
            let chosen = match one == other {
                true => one,
                false if union.min == union.max => constant(union.min),
                false => self.select_one(condition, &one, &other, Kind::Integers(union)),
            };
            terms.push((number, chosen));
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// Whether a selection can be of this range, with room for a sign.
    fn has_room(&self, range: Interval) -> bool {
        range.width().max(Form::of_atom(0, Kind::Integers(range)).bits()) <= self.limb_bits()
    }
}
