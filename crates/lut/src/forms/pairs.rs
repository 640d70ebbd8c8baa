//! Products, and what else is made of two integers.
use super::{Atom, Form, Kind, Lowering, PairOp, Unary, minus, plus, products};
use crate::Interval;

impl Lowering<'_> {
    pub(super) fn product(&mut self, a: &Form, b: &Form, kind: Kind) -> Form {
        for (x, constant) in [(a, b), (b, a)] {
            if constant.terms.is_empty() {
                return x.times(constant.constant, kind);
            }
        }
        if let Kind::Residues(p) = kind {
            let p = i128::from(p);
            let square = Kind::Integers(Interval { min: 0, max: p * p - 1 });
            let least = Kind::Integers(Interval { min: 0, max: p - 1 });
            if a == b {
                return self.image(Unary::SquareModulo(p), a.clone(), kind);
            }
            // Both have to be integers below p: sums may be made in a circle where nothing wraps.
            let is_one = a.constant == 0 && a.terms.values().eq([&1]);
            let a = if is_one { a.clone() } else { self.image(Unary::Identity, a.clone(), least) };
            let integer = self.image(Unary::Identity, b.clone(), least);
            let packed = Form { kind: square, ..a.times(p, square) }.combined(1, &integer, 1, square);
            return self.image(Unary::Product(p), packed, kind);
        }
        if a == b {
            return self.image(Unary::Square, a.clone(), kind);
        }
        let answers = Interval::unsigned(1);
        for (condition, x) in [(a, b), (b, a)] {
            if condition.kind.range().is_some_and(|range| answers.holds(range)) {
                return self.select_one(condition, x, &Form::of_constant(0), kind);
            }
        }
        if self.packed > self.short
            && a.bits() + b.bits() <= self.packed
            && let Some((packed, stride, least)) = packed(a, b)
        {
            return self.image_of(Unary::PackedProduct { stride, least }, packed, kind.range().unwrap_or(answers));
        }
        // The part of the longer one, so that sums are short.
        let [a, b] = if a.bits() >= b.bits() { [a, b] } else { [b, a] };
        if plus(a, b).range().is_some_and(|range| Form::of_atom(0, Kind::Integers(range)).bits() > self.short)
            && a.bits() > 1
        {
            let most = if self.batched { self.short - 1 } else { self.short / 2 };
            let low_bits = most.max(1).min(a.bits() - 1);
            let [high, low] = [self.shifted(a, low_bits), self.low(a, low_bits)];
            let [high, low] = [high, low].map(|part| {
                let range = part.kind.range().zip(b.kind.range()).and_then(|(x, y)| products(x, y));
                self.product(&part, b, range.map_or(kind, Kind::Integers))
            });
            return high.combined(1 << low_bits, &low, 1, kind);
        }
        if self.batched
            && let Some(product) = kind.range().and_then(|range| self.half_of_squares(a, b, range))
        {
            return product;
        }
        let [sum, difference] = [1, -1].map(|sign| {
            let own = if sign == 1 { plus(a, b) } else { minus(a, b) };
            let form = a.combined(1, b, sign, own);
            self.image_of(Unary::QuarterSquare, form, kind.range().unwrap_or(answers))
        });
        sum.combined(1, &difference, -1, kind)
    }

    pub(super) fn pair(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let [of_x, of_y] = [x.range(), y.range()];
        let range = op.range(of_x, of_y).ok_or("a result of at most 112 bits")?;
        if y.terms.is_empty() {
            return self.with_constant(op, x, y.constant, range);
        }
        if x.terms.is_empty() {
            return match op {
                PairOp::And | PairOp::Or | PairOp::Xor => self.with_constant(op, y, x.constant, range),
                _ => Ok(self.image_of(Unary::Right(op, x.constant, of_x), y.clone(), range)),
            };
        }
        if x.bits() + y.bits() <= self.packed.max(2) {
            let (packed, stride, least) = packed(x, y).ok_or("a result of at most 112 bits")?;
            return Ok(self.image_of(Unary::Packed { op, stride, least, range: of_x }, packed, range));
        }
        match op {
            PairOp::And | PairOp::Or | PairOp::Xor => self.by_parts(op, x, y, range),
            PairOp::Shl | PairOp::Shr => self.by_bits(op, x, y),
            PairOp::Div | PairOp::Rem => self.long_division(op, x, y),
        }
    }

    pub(super) fn with_constant(
        &mut self,
        op: PairOp,
        x: &Form,
        y: i128,
        range: Interval,
    ) -> Result<Form, &'static str> {
        let of_x = x.range();
        let is_long = x.bits() > self.short;
        Ok(match op {
            PairOp::And if y == -1 => x.clone(),
            PairOp::And if y >= 0 && y & (y + 1) == 0 && of_x.min >= 0 && of_x.max <= y => x.clone(),
            PairOp::Or | PairOp::Xor if y == 0 => x.clone(),
            PairOp::Rem if of_x.min >= 0 && of_x.max < y => x.clone(),
            PairOp::Shl => x.times(1 << y, Kind::Integers(range)),
            PairOp::Shr => self.shifted(x, y.min(127) as u32),
            PairOp::Div if is_long && y > 0 && y & (y - 1) == 0 => self.shifted(x, y.trailing_zeros()),
            PairOp::Rem if is_long && y > 0 && y & (y - 1) == 0 => self.low(x, y.trailing_zeros()),
            PairOp::And if is_long && y >= 0 && y & (y + 1) == 0 => self.low(x, y.trailing_ones()),
            // No table has room for all of it.
            PairOp::And | PairOp::Or | PairOp::Xor
                if is_long && self.limbs.as_ref().is_some_and(|own| x.bits() > own.most) =>
            {
                return self.by_parts(op, x, &Form::of_constant(y), range);
            }
            _ => self.image_of(Unary::Left(op, y, of_x), x.clone(), range),
        })
    }

    /// ⌊x/2^bits⌋.
    pub(super) fn shifted(&mut self, x: &Form, bits: u32) -> Form {
        let range = x.range();
        let shifted = Interval { min: range.min >> bits.min(127), max: range.max >> bits.min(127) };
        match bits {
            0 => x.clone(),
            _ if x.bits() <= self.short || shifted.min == shifted.max => {
                self.image_of(Unary::Left(PairOp::Shr, bits.into(), range), x.clone(), shifted)
            }
            // What a table takes at once.
            _ if bits > self.short => {
                let part = self.shifted(x, self.short);
                self.shifted(&part, bits - self.short)
            }
            _ => {
                let low = self.low(x, bits);
                let multiple = Interval { min: shifted.min << bits, max: shifted.max << bits };
                let multiple = x.combined(1, &low, -1, Kind::Integers(multiple));
                self.atom(Atom::Quotient(multiple, bits, shifted), Kind::Integers(shifted))
            }
        }
    }

    /// x mod 2^bits.
    pub(super) fn low(&mut self, x: &Form, bits: u32) -> Form {
        let (range, mask) = (x.range(), (1 << bits) - 1);
        if bits == 0 {
            return Form::of_constant(0);
        }
        if range.min >= 0 && range.max <= mask {
            return x.clone();
        }
        if bits > self.short && x.bits() > self.short {
            let kind = Kind::Integers(Interval { min: 0, max: mask });
            if self.quiet {
                let (low, above) = (self.low(x, self.short), self.shifted(x, self.short));
                let high = self.low(&above, bits - self.short);
                return high.combined(1 << self.short, &low, 1, kind);
            }
            let high = self.shifted(x, bits);
            return x.combined(1, &high, -(1 << bits), kind);
        }
        self.image_of(Unary::Left(PairOp::And, mask, range), x.clone(), Interval { min: 0, max: mask })
    }

    /// The same of the high and of the low bits.
    pub(super) fn by_parts(&mut self, op: PairOp, x: &Form, y: &Form, range: Interval) -> Result<Form, &'static str> {
        let bits = (self.short / 2).max(1);
        let [x_low, y_low] = [x, y].map(|form| self.low(form, bits));
        let [x_high, y_high] = [x, y].map(|form| self.shifted(form, bits));
        let (low, high) = (self.pair(op, &x_low, &y_low)?, self.pair(op, &x_high, &y_high)?);
        Ok(high.combined(1 << bits, &low, 1, Kind::Integers(range)))
    }

    /// A shift by each bit of the amount.
    pub(super) fn by_bits(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let amount = y.range();
        let mut shifted = x.clone();
        for bit in 0..amount.width() {
            let one = self.bit(y, bit);
            let moved = self.pair(op, &shifted, &Form::of_constant(1 << bit))?;
            let kind = Kind::Integers(moved.range().union(shifted.range()));
            shifted = self.select_one(&one, &moved, &shifted, kind);
        }
        Ok(shifted)
    }

    /// Bit number `number` of x.
    pub(super) fn bit(&mut self, x: &Form, number: u32) -> Form {
        match number < self.short {
            true => self.image_of(Unary::Bit(number), x.clone(), Interval::unsigned(1)),
            false => {
                let high = self.shifted(x, number);
                self.low(&high, 1)
            }
        }
    }
}

/// The integer stride·(x − least\[0\]) + y − least\[1\], whose values tell x and y, with its stride and the least of
/// both; none where it is longer than all integers.
fn packed(x: &Form, y: &Form) -> Option<(Form, i128, [i128; 2])> {
    let [of_x, of_y] = [x.range(), y.range()];
    let (stride, least) = (of_y.max - of_y.min + 1, [of_x.min, of_y.min]);
    let constant = least[0].checked_mul(stride)?.checked_add(least[1])?;
    let count = (of_x.max - of_x.min + 1) * stride;
    let packed = x.combined(stride, y, 1, Kind::Integers(Interval { min: 0, max: count - 1 }));
    Some((Form { constant: packed.constant - constant, ..packed }, stride, least))
}
