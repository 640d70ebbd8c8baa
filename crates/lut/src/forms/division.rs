//! Quotients and rests of two sums.
use super::long::{TOO_LONG, sum};
use super::{Condition, Form, Lowering};
use crate::Interval;
use crate::program::{Kind, PairOp};

/// Bits of dividends of long division: no ciphertext has room for more.
const LONGEST_DIVIDEND: u32 = 32;

impl Lowering<'_> {
    /// The quotient, a bit after the other, or the rest.
    pub(super) fn long_division(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let (of_x, of_y) = (x.range(), y.range());
        if of_x.min < 0 || of_y.min < 0 {
            return self.signed_division(op, x, y);
        }
        if of_x.width() > LONGEST_DIVIDEND {
            return Err("a dividend of at most 32 bits");
        }
        // A divisor of 0 has a quotient of ones, as many as the dividend has bits, and leaves the dividend.
        let bits = of_x.width();
        let (mut rest, mut quotient) = (Form::of_constant(0), Form::of_constant((1 << bits) - 1));
        for number in (0..bits).rev() {
            let bit = self.bit(x, number);
            let most = of_x.max >> number;
            let next = rest.combined(2, &bit, 1, Kind::Integers(Interval { min: 0, max: most.max(1) }));
            let before = rest.range().max;
            let next = next.within(Interval { min: 0, max: most.min(2 * before + 1) });
            let range = next.range();
            let difference = next.combined(1, y, -1, Kind::Integers(range.minus(of_y).ok_or("a narrower divisor")?));
            let negative = self.sign(difference.clone());
            quotient = quotient.combined(1, &negative, -(1 << number), Kind::Integers(Interval::unsigned(bits)));
            let most = if of_y.min > 0 { range.max.min(of_y.max - 1) } else { range.max };
            let kind = Kind::Integers(Interval { min: 0, max: most });
            rest = self.select(Condition::Negative(difference.clone()), &next, &difference, kind);
        }
        Ok(if op == PairOp::Div { quotient } else { rest })
    }

    /// The same of integers that may be negative: ⌊x/y⌋ = ⌊−x/−y⌋, and ⌊x/y⌋ = −1 − ⌊(−1 − x)/y⌋ with a rest of
    /// y − 1 less that of −1 − x.
    fn signed_division(&mut self, op: PairOp, x: &Form, y: &Form) -> Result<Form, &'static str> {
        let [of_x, of_y] = [x.range(), y.range()];
        let range = op.range(of_x, of_y).ok_or(TOO_LONG)?;
        let minus_from = |c: i128, x: &Form| sum(&Form::of_constant(c), x, -1).ok_or(TOO_LONG);
        // Known not to be less than `least`.
        let chosen = |forms: &mut Self, of: &Form, then: &Form, otherwise: &Form, least: i128| {
            let both = then.range().union(otherwise.range());
            let kind = Kind::Integers(Interval { min: both.min.max(least), max: both.max });
            match of.range() {
                of if of.min >= 0 => otherwise.clone(),
                of if of.max < 0 => then.clone(),
                _ => forms.select(Condition::Negative(of.clone()), then, otherwise, kind),
            }
        };
        let [from, by] = [(x, -i128::MAX), (y, 0)].map(|(form, least)| chosen(self, y, &form.negative(), form, least));
        let opposite = minus_from(-1, &from)?;
        let part = chosen(self, &from, &opposite, &from, 0);
        let part = self.pair(op, &part, &by)?;
        let opposite = match op {
            PairOp::Div => minus_from(-1, &part)?,
            _ => sum(&by.plus(-1), &part, -1).ok_or(TOO_LONG)?,
        };
        let result = chosen(self, &from, &opposite, &part, -i128::MAX);
        if op == PairOp::Rem {
            return Ok(chosen(self, y, &result.negative(), &result, range.min).within(range));
        }
        if !of_y.has(0) {
            return Ok(result.within(range));
        }
        let by_zero = self.is_zero(y.clone());
        let all = Form::of_constant(op.apply(0, 0, of_x));
        Ok(self.select_one(&by_zero, &all, &result, Kind::Integers(range)))
    }
}
