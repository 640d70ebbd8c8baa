//! Functions of integers in limbs.
use super::{Limbed, Long, TOO_LONG, Value, constant, sum};
use crate::forms::{Form, Lowering, products};
use crate::integer::MOST_BITS;
use crate::program::{Kind, Node, PairOp};
use crate::{IntegerOp, Interval};

/// Bits of dividends of long division: all that values on the way have.
const LONGEST_DIVIDEND: u32 = MOST_BITS;

/// Whether x·2^y has 63 bits at most where all bits of the amount y are 1: a shift by each bit then has room.
fn bears_all_bits(x: &Long, amount: Interval) -> bool {
    let most = (amount.width() < 6).then(|| (1 << amount.width()) - 1);
    most.is_some_and(|most: u32| x.range.max.checked_mul(1 << most).is_some())
}

/// How often the noise of a rest is doubled before it is made anew.
const DOUBLINGS: u32 = 2;

impl Lowering<'_> {
    pub(super) fn long_integers(
        &mut self,
        op: IntegerOp,
        operands: &[Node],
        range: Interval,
    ) -> Result<Value, &'static str> {
        let mut all = Vec::new();
        for node in operands {
            let value = self.values[node.index()].clone();
            all.push(self.long_of(&value)?);
        }
        let x = all[0].clone();
        let y = all.get(1).cloned().unwrap_or_else(Long::zero);
        let value = match op {
            IntegerOp::Add => self.combined(&x, &y, 1, range)?,
            IntegerOp::Sub => self.combined(&x, &y, -1, range)?,
            IntegerOp::Sign | IntegerOp::Less => {
                let difference = self.difference(&x, &y)?;
                return Ok(Value::Short(self.long_sign(difference)?));
            }
            IntegerOp::Equal => return Ok(Value::Short(self.long_equal(x, y)?)),
            IntegerOp::Relu | IntegerOp::Max | IntegerOp::Min | IntegerOp::Abs => {
                let difference = self.difference(&x, &y)?;
                let negative = self.long_sign(difference)?;
                match op {
                    IntegerOp::Abs => {
                        let minus = self.difference(&y, &x)?;
                        self.chosen(&negative, &minus, &x, range)?
                    }
                    IntegerOp::Min => self.chosen(&negative, &x, &y, range)?,
                    _ => self.chosen(&negative, &y, &x, range)?,
                }
            }
            IntegerOp::Floor(bits) => self.long_shifted(x, bits)?,
        };
        self.shortened(value)
    }

    fn long_equal(&mut self, x: Long, y: Long) -> Result<Form, &'static str> {
        let [x, y] = [self.canonical(x)?, self.canonical(y)?];
        let count = x.limbs.len().max(y.limbs.len());
        let has_room = |x: &Form, y: &Form, w: u32| {
            let both = [x.range().minus(y.range()), y.range().minus(x.range())];
            both.iter().all(|range| range.is_some_and(|range| range.width() <= w))
        };
        let [of_x, of_y] = [self.extended(x.clone(), count), self.extended(y.clone(), count)];
        let (of_x, of_y) = match has_room(&of_x[count - 1], &of_y[count - 1], self.limb_bits()) {
            true => (of_x, of_y),
            false => (self.extended(x, count + 1), self.extended(y, count + 1)),
        };
        let mut equal = constant(0);
        for (number, (x, y)) in (1..).zip(of_x.iter().zip(&of_y)) {
            let difference = sum(x, y, -1).ok_or(TOO_LONG)?;
            let is_zero = self.is_zero(difference);
            equal = equal.combined(1, &is_zero, 1, Kind::Integers(Interval { min: 0, max: number }));
        }
        match of_x.len() {
            1 => Ok(Form { kind: Kind::Integers(Interval::unsigned(1)), ..equal }),
            limbs => Ok(self.is_zero(equal.plus(-(limbs as i128)))),
        }
    }

    /// `count` limbs at least, all but the highest from 0 to 2^w − 1: what goes on above is the sign.
    fn extended(&mut self, x: Long, count: usize) -> Vec<Form> {
        let mut limbs = x.limbs;
        while limbs.len() < count {
            let top = limbs.pop().unwrap_or_else(|| constant(0));
            let (sign, low) = self.carry(&top);
            limbs.extend([low, sign]);
        }
        limbs
    }

    /// ⌊x/2^bits⌋.
    fn long_shifted(&mut self, x: Long, bits: u32) -> Result<Long, &'static str> {
        let (w, x) = (self.limb_bits(), self.canonical(x)?);
        let range = Interval { min: x.range.min >> bits.min(127), max: x.range.max >> bits.min(127) };
        let (first, shift) = ((bits / w) as usize, bits % w);
        let mut terms = Vec::new();
        for (limb, form) in x.limbs.iter().enumerate() {
            if limb + 1 < x.limbs.len() && limb < first {
                continue;
            }
            if limb < first {
                // All of it is shifted out; its sign is left.
                terms.push((0, self.shifted(form, bits - w * limb as u32)));
                continue;
            }
            if shift > 0 && limb > first {
                let low = self.low(form, shift);
                let low = self.anew(low);
                let range = Interval::unsigned(shift).times(1 << (w - shift)).ok_or(TOO_LONG)?;
                terms.push((limb - first - 1, low.times(1 << (w - shift), Kind::Integers(range))));
            }
            terms.push((limb - first, self.shifted(form, shift)));
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// x mod 2^bits.
    pub(super) fn long_low(&mut self, x: Long, bits: u32) -> Result<Long, &'static str> {
        let (w, range) = (self.limb_bits(), Interval::unsigned(bits.min(MOST_BITS)));
        if range.holds(x.range) {
            return Ok(x);
        }
        let x = self.canonical(x)?;
        let (whole, rest) = ((bits / w) as usize, bits % w);
        let last = x.limbs.len() - 1;
        let mut terms: Vec<(usize, Form)> = Vec::new();
        for (limb, form) in x.limbs.iter().enumerate().take(whole + usize::from(rest > 0)) {
            let form = if limb == whole { self.low(form, rest) } else { form.clone() };
            // The highest limb goes on above with its sign.
            match limb == last && limb < whole {
                true => {
                    let negative = self.sign(form.clone());
                    let (_, low) = self.carry(&form);
                    terms.push((limb, low));
                    for above in limb + 1..=whole {
                        let bits = if above == whole { rest } else { w };
                        let ones = (1 << bits) - 1;
                        let most = Kind::Integers(Interval { min: 0, max: ones });
                        terms.push((above, negative.times(ones, most)));
                    }
                }
                false => terms.push((limb, form)),
            }
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    pub(super) fn long_pair(&mut self, op: PairOp, x: Node, y: Node, range: Interval) -> Result<Value, &'static str> {
        let (of_x, constant_y) = (self.kinds[x.index()].range().ok_or(TOO_LONG)?, self.kinds[y.index()].constant());
        let [x, y] = [x, y].map(|node| self.values[node.index()].clone());
        let [x, y] = [self.long_of(&x)?, self.long_of(&y)?];
        let is_power = |y: i128| y > 0 && y & (y - 1) == 0;
        let value = match (op, constant_y) {
            (PairOp::Shl, Some(bits)) => {
                let multiple = if bits < 64 { self.multiple(&Value::Long(x.clone()), 1 << bits, range)? } else { None };
                multiple.map_or_else(|| self.scaled(&x, bits as u32, range), Ok)?
            }
            (PairOp::Shr, Some(bits)) => self.long_shifted(x, bits.min(127) as u32)?,
            (PairOp::Div, Some(y)) if is_power(y) => self.long_shifted(x, y.trailing_zeros())?,
            (PairOp::Rem, Some(y)) if is_power(y) => self.long_low(x, y.trailing_zeros())?,
            (PairOp::And, Some(y)) if y >= 0 && y & (y + 1) == 0 => self.long_low(x, y.trailing_ones())?,
            (PairOp::And | PairOp::Or | PairOp::Xor, _) => self.long_by_limbs(op, x, y, range)?,
            // Of amounts by all bits of the largest, what has no room is no result.
            (PairOp::Shl, _) if range.min >= 0 && !bears_all_bits(&x, y.range) => {
                self.low_shifted(x, &y, range.width().max(1))?
            }
            (PairOp::Shl | PairOp::Shr, _) => self.long_by_bits(op, x, &y)?,
            (PairOp::Div, Some(0)) => self.long_of(&Value::Short(constant(op.apply(0, 0, of_x))))?,
            (PairOp::Rem, Some(0)) => x,
            (PairOp::Rem, Some(y)) if of_x.min >= 0 && of_x.max < y => x,
            (PairOp::Div | PairOp::Rem, Some(y)) if y < 0 => self.long_opposite_quotient(op, &x, of_x, y, range)?,
            (PairOp::Div | PairOp::Rem, Some(y)) if of_x.min < 0 && y > 0 => {
                self.long_signed_quotient(op, &x, of_x, y, range)?
            }
            (PairOp::Div | PairOp::Rem, _) => self.long_quotient(op, x, of_x, &y, range)?,
        };
        self.shortened(value)
    }

    /// The same of a dividend that may be negative: ⌊x/y⌋ = ⌊(x + k·y)/y⌋ − k, and the rests are the same.
    fn long_signed_quotient(
        &mut self,
        op: PairOp,
        x: &Long,
        of_x: Interval,
        y: i128,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let k = of_x.min.div_euclid(y).checked_neg().ok_or(TOO_LONG)?;
        let added = k.checked_mul(y).ok_or(TOO_LONG)?;
        let of_sum = of_x.plus(Interval { min: added, max: added }).ok_or(TOO_LONG)?;
        let [added, divisor, taken] = [added, y, k].map(|c| self.long_of(&Value::Short(constant(c))));
        let sum = self.combined(x, &added?, 1, of_sum)?;
        match op {
            PairOp::Div => {
                let quotients = range.plus(Interval { min: k, max: k }).ok_or(TOO_LONG)?;
                let quotient = self.long_quotient(op, sum, of_sum, &divisor?, quotients)?;
                self.combined(&quotient, &taken?, -1, range)
            }
            _ => self.long_quotient(op, sum, of_sum, &divisor?, range),
        }
    }

    /// The same of a negative divisor: ⌊x/y⌋ = ⌊−x/−y⌋, and the rest is the opposite of that of −x.
    fn long_opposite_quotient(
        &mut self,
        op: PairOp,
        x: &Long,
        of_x: Interval,
        y: i128,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let (of_opposite, divisor) = (of_x.times(-1).ok_or(TOO_LONG)?, y.checked_neg().ok_or(TOO_LONG)?);
        let opposite = Long { range: of_opposite, ..self.difference(&Long::zero(), x)? };
        let of_part = op.range(of_opposite, Interval { min: divisor, max: divisor }).ok_or(TOO_LONG)?;
        let part = match of_opposite.min < 0 {
            true => self.long_signed_quotient(op, &opposite, of_opposite, divisor, of_part)?,
            false => {
                let divisor = self.long_of(&Value::Short(constant(divisor)))?;
                self.long_quotient(op, opposite, of_opposite, &divisor, of_part)?
            }
        };
        match op {
            PairOp::Div => Ok(Long { range, ..part }),
            _ => Ok(Long { range, ..self.difference(&Long::zero(), &part)? }),
        }
    }

    /// The same of integers that may be negative, as of short ones.
    fn long_signed_division(
        &mut self,
        op: PairOp,
        x: Long,
        of_x: Interval,
        y: &Long,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let of_y = y.range;
        let ones = self.long_of(&Value::Short(constant(-1)))?;
        let of_y_negative = self.long_sign(y.clone())?;
        let mut absolute = |x: Long, least: Interval| {
            let opposite = self.difference(&Long::zero(), &x)?;
            let range = opposite.range.union(x.range);
            let range = Interval { min: range.min.max(least.min), max: range.max.min(least.max) };
            self.chosen(&of_y_negative, &opposite, &x, range)
        };
        let any = Interval { min: -i128::MAX, max: i128::MAX };
        let [x, y] = [absolute(x, any)?, absolute(y.clone(), Interval { min: 0, ..any })?];
        let of_x_negative = self.long_sign(x.clone())?;
        let opposite = self.difference(&ones, &x)?;
        let of_part = Interval { min: 0, max: opposite.range.max.max(x.range.max) };
        let part = self.chosen(&of_x_negative, &opposite, &x, of_part)?;
        let of_result = op.range(of_part, y.range).ok_or(TOO_LONG)?;
        let part = self.long_quotient(op, part, of_part, &y, of_result)?;
        let opposite = match op {
            PairOp::Div => self.difference(&ones, &part)?,
            _ => {
                let below = self.combined(&y, &ones, 1, y.range.plus(ones.range).ok_or(TOO_LONG)?)?;
                self.difference(&below, &part)?
            }
        };
        let result = self.chosen(&of_x_negative, &opposite, &part, opposite.range.union(part.range))?;
        if op == PairOp::Rem {
            let opposite = self.difference(&Long::zero(), &result)?;
            return self.chosen(&of_y_negative, &opposite, &result, range);
        }
        if !of_y.has(0) {
            return Ok(Long { range, ..result });
        }
        let by_zero = self.long_equal(y, Long::zero())?;
        let all = self.long_of(&Value::Short(constant(op.apply(0, 0, of_x))))?;
        self.chosen(&by_zero, &all, &result, range)
    }

    /// 2^bits·x.
    fn scaled(&mut self, x: &Long, bits: u32, range: Interval) -> Result<Long, &'static str> {
        let (w, x) = (self.limb_bits(), self.canonical(x.clone())?);
        let mut terms = Vec::new();
        for (limb, form) in x.limbs.into_iter().enumerate() {
            terms.extend(self.placed(bits + w * limb as u32, form)?);
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// Bits of each limb.
    fn long_by_limbs(&mut self, op: PairOp, x: Long, y: Long, range: Interval) -> Result<Long, &'static str> {
        let [x, y] = [self.canonical(x)?, self.canonical(y)?];
        let (w, count) = (self.limb_bits(), x.limbs.len().max(y.limbs.len()));
        let [x, y] = [self.extended(x, count), self.extended(y, count)];
        let mut terms = Vec::new();
        for (limb, (x, y)) in x.iter().zip(&y).enumerate() {
            let form = match (x.terms.is_empty(), y.terms.is_empty()) {
                (true, true) => constant(op.apply(x.constant, y.constant, Interval::unsigned(w))),
                (true, false) => self.pair(op, y, x)?,
                _ => self.pair(op, x, y)?,
            };
            terms.push((limb, form));
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// A shift by each bit of the amount.
    fn long_by_bits(&mut self, op: PairOp, x: Long, y: &Long) -> Result<Long, &'static str> {
        let (y, mut shifted) = (self.canonical(y.clone())?, x);
        for bit in 0..y.range.width() {
            let Some(limb) = y.limbs.get((bit / self.limb_bits()) as usize).cloned() else { break };
            let one = self.bit(&limb, bit % self.limb_bits());
            let by = 1u32 << bit.min(7);
            let moved = match op {
                PairOp::Shl => {
                    let range = shifted.range.times(1 << by).ok_or(TOO_LONG)?;
                    self.scaled(&shifted, by, range)?
                }
                _ => self.long_shifted(shifted.clone(), by)?,
            };
            let range = moved.range.union(shifted.range);
            shifted = self.chosen(&one, &moved, &shifted, range)?;
        }
        Ok(shifted)
    }

    pub(super) fn long_product(&mut self, a: &Value, b: &Value, range: Interval) -> Result<Long, &'static str> {
        for (x, factor) in [(a, b), (b, a)] {
            if let Some(c) = factor.constant()
                && let Some(multiple) = self.multiple(x, c, range)?
            {
                return Ok(multiple);
            }
        }
        let [a, b] = [self.long_of(a)?, self.long_of(b)?];
        for (x, condition) in [(&a, &b), (&b, &a)] {
            if Interval::unsigned(1).holds(condition.range) && !condition.limbs[0].terms.is_empty() {
                let condition = condition.limbs[0].clone();
                return self.chosen(&condition, x, &Long::zero(), range);
            }
        }
        if let Some(product) = self.product_of_columns([&a, &b], u32::MAX, range)? {
            return Ok(product);
        }
        let terms = self.products_of_parts(a, b, u32::MAX)?;
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// x·2^y modulo 2^bits.
    pub(super) fn low_shifted(&mut self, x: Long, y: &Long, bits: u32) -> Result<Long, &'static str> {
        let range = Interval::unsigned(bits);
        let by_constant = |forms: &mut Self, x: &Long, by: i128| {
            if by >= i128::from(bits) {
                return Ok(Long::zero());
            }
            let x = forms.long_low(x.clone(), bits - by as u32)?;
            forms.scaled(&x, by as u32, range)
        };
        if y.range.min == y.range.max {
            return by_constant(self, &x, y.range.min);
        }
        let (y, mut shifted) = (self.canonical(y.clone())?, x);
        for number in 0..y.range.width() {
            let limb = (number / self.limb_bits()) as usize;
            let Some(limb) = y.limbs.get(limb).cloned() else { break };
            let one = self.bit(&limb, number % self.limb_bits());
            let moved = by_constant(self, &shifted, 1 << number)?;
            shifted = self.chosen(&one, &moved, &shifted, range)?;
        }
        Ok(shifted)
    }

    /// x·y modulo 2^bits.
    pub(super) fn low_product(&mut self, a: Long, b: Long, bits: u32) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        if let Some(product) = self.product_of_columns([&a, &b], bits, Interval::unsigned(bits))? {
            return Ok(product);
        }
        let terms = self.products_of_parts(a, b, bits)?;
        let range = terms.iter().try_fold(Interval { min: 0, max: 0 }, |range, (limb, form)| {
            let shift = Some(w * *limb as u32).filter(|&shift| shift <= MOST_BITS)?;
            range.plus(form.range().times(1 << shift)?)
        });
        let product = self.accumulate(terms, range.ok_or(TOO_LONG)?, Limbed::Loosely)?;
        self.long_low(product, bits)
    }

    /// What x·y is the sum of modulo 2^bits, as limbs and their numbers: multiples of 2^bits are left out.
    fn products_of_parts(&mut self, a: Long, b: Long, bits: u32) -> Result<Vec<(usize, Form)>, &'static str> {
        let v = (self.packed.max(self.short) / 2).clamp(1, (self.limb_bits() / 2).max(1));
        let [a, b] = [self.parts(a, v)?, self.parts(b, v)?];
        let mut terms = Vec::new();
        for (of_a, a) in &a {
            for (of_b, b) in &b {
                let offset = of_a + of_b;
                if offset >= bits {
                    continue;
                }
                let range = products(a.range(), b.range()).ok_or(TOO_LONG)?;
                let product = self.product(a, b, Kind::Integers(range));
                let product = match range.width() > bits - offset {
                    true => self.low(&product, bits - offset),
                    false => product,
                };
                terms.extend(self.placed(offset, product)?);
            }
        }
        Ok(terms)
    }

    /// Parts of so many bits, with their offsets.
    pub(super) fn parts(&mut self, x: Long, bits: u32) -> Result<Vec<(u32, Form)>, &'static str> {
        let (w, x) = (self.limb_bits(), self.canonical(x)?);
        let mut parts = Vec::new();
        for (limb, form) in x.limbs.into_iter().enumerate() {
            let (mut offset, mut rest) = (w * limb as u32, form);
            if rest.terms.is_empty() {
                // Constants of any length cost nothing, but for their room.
                let mut left = rest.constant;
                while left.unsigned_abs() >= 1 << bits {
                    parts.push((offset, constant(left & ((1 << bits) - 1))));
                    (left, offset) = (left >> bits, offset + bits);
                }
                parts.push((offset, constant(left)));
                continue;
            }
            while rest.range().width() > bits {
                let low = self.low(&rest, bits);
                rest = self.shifted(&rest, bits);
                parts.push((offset, self.anew(low)));
                offset += bits;
            }
            parts.push((offset, self.anew(rest)));
        }
        parts.retain(|(_, part)| !part.terms.is_empty() || part.constant != 0);
        Ok(parts)
    }

    /// The quotient, a bit after the other, or the rest: as for short ones.
    fn long_quotient(
        &mut self,
        op: PairOp,
        x: Long,
        of_x: Interval,
        y: &Long,
        range: Interval,
    ) -> Result<Long, &'static str> {
        if of_x.min < 0 || y.range.min < 0 {
            return self.long_signed_division(op, x, of_x, y, range);
        }
        let bits = of_x.width();
        if bits > LONGEST_DIVIDEND {
            return Err("a dividend of at most 112 bits");
        }
        let w = self.limb_bits();
        let (x, y) = (self.canonical(x)?, self.canonical(y.clone())?);
        // The quotient's limbs: ones, less where the divisor is larger.
        let ones = |limb: u32| Form::of_constant((1 << (bits - w * limb).min(w)) - 1);
        let mut quotient: Vec<Form> = (0..bits.div_ceil(w)).map(ones).collect();
        let mut rest = Long { limbs: vec![constant(0)], range: Interval { min: 0, max: 0 } };
        for number in (0..bits).rev() {
            let (limb, place) = ((number / w) as usize, number % w);
            let bit = match x.limbs.get(limb) {
                Some(form) => self.bit(form, place),
                None => constant(0),
            };
            let most = (of_x.max >> number).min(2 * rest.range.max + 1).max(1);
            let mut terms = vec![(0, bit)];
            for (limb, form) in rest.limbs.iter().cloned().enumerate() {
                // Its noise is doubled each time.
                let form = if number % DOUBLINGS == 0 { self.anew(form) } else { form };
                let doubled = form.range().times(2).ok_or(TOO_LONG)?;
                terms.push((limb, form.times(2, Kind::Integers(doubled))));
            }
            let next = self.accumulate(terms, Interval { min: 0, max: most }, Limbed::Canonically)?;
            let difference = self.difference(&next, &y)?;
            let (top, difference) = self.top(difference)?;
            let negative = self.sign(top);
            let kind = Kind::Integers(Interval::unsigned(w));
            quotient[limb] = quotient[limb].combined(1, &negative, -(1 << place), kind);
            let most = if y.range.min > 0 { most.min(y.range.max - 1) } else { most };
            rest = self.chosen(&negative, &next, &difference, Interval { min: 0, max: most })?;
            rest = self.canonical(rest)?;
        }
        match op {
            PairOp::Div => self.accumulate(quotient.into_iter().enumerate().collect(), range, Limbed::Loosely),
            _ => Ok(rest),
        }
    }
}
