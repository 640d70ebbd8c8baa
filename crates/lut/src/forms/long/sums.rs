//! Sums of many, and those modulo 2^k.
//!
//! A limb's carry may be of all terms at once ([`Atom::Carry`]): each term is read as a table of few bits would, and
//! what the readings add up to tells the carry but for one. Elsewhere sums are of pairs, and of pairs of those, so that
//! each carry is of few and none waits for all before it.
use super::{Limbed, Long, TOO_LONG, Value, constant, sum, sum_of};
use crate::Interval;
use crate::forms::{Atom, CARRY_ERROR, Form, Lowering, Unary};
use crate::integer::MOST_BITS;
use crate::program::{Kind, Node, Operation, PairOp};

/// Of fewer terms carries are signs.
const FEWEST: usize = 4;

/// Of more terms a carry would take more bits than tables have.
const MOST: usize = 31;

/// The operands of a sum or difference, with their signs.
fn signed(operation: &Operation) -> Option<[(Node, i128); 2]> {
    match operation {
        Operation::Sum(a, b) => Some([(*a, 1), (*b, 1)]),
        Operation::Difference(a, b) => Some([(*a, 1), (*b, -1)]),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Which sums nothing takes but one sum that is too long for a ciphertext: they are made as one.
    pub(in crate::forms) fn summands(&self) -> Vec<bool> {
        let operations = self.program.operations();
        let mut summands = vec![false; operations.len()];
        let Some(most) = self.limbs.as_ref().map(|limbs| limbs.most) else { return summands };
        let mut uses = vec![0; operations.len()];
        let taken = operations.iter().flat_map(Operation::operands).chain(self.program.outputs().iter().copied());
        taken.for_each(|node| uses[node.index()] += 1);
        for (number, operation) in operations.iter().enumerate().rev() {
            let is_sum = |number: usize| self.kinds[number].constant().is_none() && self.wraps[number].is_none();
            let is_long =
                |number: usize| is_sum(number) && self.kinds[number].range().is_some_and(|range| range.width() > most);
            if let Some((node, _)) = self.low_of_sum(number)
                && self.carries
                && uses[node.index()] == 1
                && is_long(node.index())
            {
                summands[node.index()] = true;
            }
            if let Some(operands) = signed(operation)
                && (summands[number] || is_long(number))
            {
                for (node, _) in operands {
                    let number = node.index();
                    let is_one = signed(&operations[number]).is_some() && uses[number] == 1 && is_sum(number);
                    summands[number] |= is_one;
                }
            }
        }
        summands
    }

    /// A sum or difference of which an operation takes the low bits, and how many.
    fn low_of_sum(&self, number: usize) -> Option<(Node, u32)> {
        let Operation::Pair(op, x, y) = &self.program.operations()[number] else { return None };
        signed(&self.program.operations()[x.index()])?;
        let y = self.kinds[y.index()].constant().filter(|y| *y > 0)?;
        match op {
            PairOp::Rem if y & (y - 1) == 0 => Some((*x, y.trailing_zeros())),
            PairOp::And if y & (y + 1) == 0 => Some((*x, y.trailing_ones())),
            _ => None,
        }
    }

    /// The low bits of a sum that nothing else takes.
    pub(super) fn low_total(&mut self, number: usize) -> Option<Result<Long, &'static str>> {
        let (node, bits) = self.low_of_sum(number).filter(|(node, _)| self.is_summand[node.index()])?;
        Some(self.total_modulo(node, bits))
    }

    /// A sum modulo 2^bits: what is carried beyond is left out, and of the highest limb all that its circle tells.
    fn total_modulo(&mut self, node: Node, bits: u32) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        let mut columns: Vec<Vec<Form>> = vec![Vec::new(); bits.div_ceil(w).max(1) as usize];
        for (value, sign) in self.terms(&self.program.operations()[node.index()]) {
            let long = self.long_of(&value)?;
            for (limb, form) in self.signed_limbs(&long, sign) {
                columns.get_mut(limb).into_iter().for_each(|column| column.push(form.clone()));
            }
        }
        let (mut limbs, last) = (Vec::new(), columns.len() - 1);
        let mut carried = Vec::new();
        for (number, mut column) in columns.into_iter().enumerate() {
            column.append(&mut carried);
            if number == last {
                let all = sum_of(&column).ok_or(TOO_LONG)?;
                let circle = Interval { min: -(1 << w), max: (1 << w) - 1 };
                let all = match circle.holds(all.range()) {
                    true => all,
                    false => self.atom(Atom::Residue(all, w + 1), Kind::Integers(circle)),
                };
                let bits = bits - w * last as u32;
                limbs.push(if bits == w { self.carry(&all).1 } else { self.low(&all, bits) });
            } else {
                let limb = self.column(column, &mut carried)?;
                let (carry, low) = self.carry(&limb);
                carried.push(carry);
                limbs.push(low);
            }
        }
        self.accumulate(limbs.into_iter().enumerate().collect(), Interval::unsigned(bits), Limbed::Loosely)
    }

    /// A sum of terms of one limb that [`Self::fits`], less what is carried. No carry waits for more than the logarithm
    /// of their number.
    pub(super) fn column(&mut self, column: Vec<Form>, carried: &mut Vec<Form>) -> Result<Form, &'static str> {
        let mut parts: Vec<Form> = Vec::new();
        for form in self.together(column, carried) {
            let added = match parts.last() {
                Some(part) => Some(sum(part, &form, 1).ok_or(TOO_LONG)?).filter(|added| self.fits(added.range())),
                None => None,
            };
            match (added, parts.last_mut()) {
                (Some(added), Some(part)) => *part = added,
                _ => parts.push(form),
            }
        }
        while parts.len() > 1 {
            let mut rest = std::mem::take(&mut parts).into_iter();
            while let Some(one) = rest.next() {
                parts.push(match rest.next() {
                    Some(other) => self.of_column(&one, &other, carried)?,
                    None => one,
                });
            }
        }
        Ok(parts.pop().unwrap_or_else(|| constant(0)))
    }

    /// The same of two.
    fn of_column(&mut self, one: &Form, other: &Form, carried: &mut Vec<Form>) -> Result<Form, &'static str> {
        let mut terms = [one.clone(), other.clone()];
        for next in 0..=terms.len() {
            let added = sum(&terms[0], &terms[1], 1).ok_or(TOO_LONG)?;
            if next == terms.len() || self.fits(added.range()) {
                return Ok(added);
            }
            let (carry, low) = self.carry(&terms[next]);
            carried.push(carry);
            terms[next] = low;
        }
        Err(TOO_LONG)
    }

    /// The same terms, but those of which many can be carried together are one sum of each group.
    fn together(&mut self, column: Vec<Form>, carried: &mut Vec<Form>) -> Vec<Form> {
        let w = self.limb_bits();
        let (positive, negative) = (Interval::unsigned(w), Interval { min: -(1 << w), max: 0 });
        let is_read =
            |form: &Form| !form.terms.is_empty() && (positive.holds(form.range()) || negative.holds(form.range()));
        if !self.carries || column.iter().filter(|form| is_read(form)).count() < FEWEST {
            return column;
        }
        let (read, mut rest): (Vec<Form>, Vec<Form>) = column.into_iter().partition(is_read);
        let groups = read.len().div_ceil(MOST);
        for group in read.chunks(read.len().div_ceil(groups)) {
            let (min, max) =
                group.iter().fold((0, 0), |(min, max), form| (min + form.range().min, max + form.range().max));
            let unit = (1i64 << w) as f64;
            let carries = [min as f64 / unit + 0.5 - CARRY_ERROR, max as f64 / unit + 0.5 + CARRY_ERROR];
            let [least, most] = carries.map(|end| end.floor() as i128);
            let range = Interval { min: least, max: most };
            let of_carry = Kind::Integers(range);
            let carry = self.atom(Atom::Carry(group.to_vec(), w, range), of_carry);
            // In any space, and of as much noise.
            let carry = self.image(Unary::Identity, carry, of_carry);
            let room = ((0.5 + CARRY_ERROR) * unit).ceil() as i128;
            let all = group.iter().fold(constant(0), |all, form| all.combined(1, form, 1, form.kind));
            rest.push(all.combined(1, &carry, -(1 << w), Kind::Integers(Interval { min: -room, max: room })));
            carried.push(carry);
        }
        rest
    }

    /// What a sum or difference is of, with signs, where sums that it alone takes are taken apart.
    fn terms(&self, operation: &Operation) -> Vec<(Value, i128)> {
        let mut open = signed(operation).map_or_else(Vec::new, |operands| operands.into_iter().rev().collect());
        let mut terms = Vec::new();
        while let Some((node, sign)) = open.pop() {
            match signed(&self.program.operations()[node.index()]).filter(|_| self.is_summand[node.index()]) {
                Some(operands) => open.extend(operands.into_iter().rev().map(|(node, own)| (node, own * sign))),
                None => terms.push((self.values[node.index()].clone(), sign)),
            }
        }
        terms
    }

    /// A sum or difference whose value is too long for one ciphertext.
    pub(super) fn total(&mut self, operation: &Operation, range: Interval) -> Result<Long, &'static str> {
        let mut terms = self.terms(operation);
        if self.carries && terms.len() >= FEWEST {
            let mut limbs = Vec::new();
            for (value, sign) in terms {
                let long = self.long_of(&value)?;
                limbs.extend(self.signed_limbs(&long, sign));
            }
            return self.accumulate(limbs, range, Limbed::Loosely);
        }
        while terms.len() > 1 {
            let mut rest = std::mem::take(&mut terms).into_iter();
            while let Some(one) = rest.next() {
                terms.push(match rest.next() {
                    Some(other) => self.of_two(one, other)?,
                    None => one,
                });
            }
        }
        let (value, sign) = terms.pop().ok_or(TOO_LONG)?;
        let value = self.long_of(&value)?;
        let value = match sign {
            1 => value,
            _ => self.difference(&Long::zero(), &value)?,
        };
        let [min, max] = [value.range.min.max(range.min), value.range.max.min(range.max)];
        Ok(Long { range: Interval { min, max }, ..value })
    }

    /// ±(a ± b), with its sign: in one ciphertext if it has room.
    pub(super) fn of_two(&mut self, a: (Value, i128), b: (Value, i128)) -> Result<(Value, i128), &'static str> {
        // −a + b is b − a.
        let ((a, of_a), (b, of_b)) = if (a.1, b.1) == (-1, 1) { (b, a) } else { (a, b) };
        let sign = of_a * of_b;
        let most = self.limbs.as_ref().map_or(MOST_BITS, |limbs| limbs.most);
        if let (Value::Short(a), Value::Short(b)) = (&a, &b)
            && let Some(sum) = sum(a, b, sign)
            && sum.range().width() <= most
        {
            return Ok((Value::Short(sum), of_a));
        }
        let [a, b] = [self.long_of(&a)?, self.long_of(&b)?];
        let range = if sign == 1 { a.range.plus(b.range) } else { a.range.minus(b.range) };
        Ok((Value::Long(self.combined(&a, &b, sign, range.ok_or(TOO_LONG)?)?), of_a))
    }
}
