//! Functions of integers on all coefficients at once: sign, comparison, ReLU, absolute value, maximum, minimum, floor.
//!
//! An integer of w bits lives in Z_{2^(w+1)}, or its two limbs do ([`IntegerLimbs`]), as in
//! [`crate::integer`]: the top bit is its sign, or that of a difference. Digits are taken off
//! ([`super::circuit`]). The sign is a table of the top digit t; what depends on the sign and on all of x is
//!
//! u(t) + Σ_i g(t)·d_i,
//!
//! with the digits d_i that were taken off before: products in slots, a level, where looking up digit by digit would
//! take as many bootstraps again.
//!
//! Two limbs borrow: the sign of the difference of the low ones is taken off the high one.
use super::TableParams;
use super::circuit::{Circuit, Maker, Register, Value};
use crate::integer::{IntegerLimbs, IntegerOp};
use crate::{Lut, LutError};

/// The table f of digits of so many bits, with a sign, modulo 2^`out_bits`.
fn signed(bits: u32, out_bits: u32, f: impl Fn(i64) -> i64) -> Result<Lut, LutError> {
    let (p, modulus) = (1i64 << bits, 1i64 << out_bits);
    let entry = |t: i64| f(if 2 * t >= p { t - p } else { t }).rem_euclid(modulus) as u64;
    Lut::modular((0..p).map(entry).collect(), modulus as u64)
}

/// −1, 0 or 1 for what is negative, and for what is not: a factor.
fn by_sign(bits: u32, [negative, other]: [i64; 2]) -> Result<Lut, LutError> {
    signed(bits, 2, |t| if t < 0 { negative } else { other })
}

/// The top digit of a low limb, which has no sign: where it has one there is a mirror image, so that errors are small.
fn low_digit(bits: u32) -> Result<Lut, LutError> {
    signed(bits, bits, |t| t.abs().min((1 << (bits - 1)) - 1))
}

/// 1 where a digit is negative, modulo 2^`out_bits`.
fn is_negative(bits: u32, out_bits: u32) -> Result<Lut, LutError> {
    signed(bits, out_bits, |t| i64::from(t < 0))
}

/// 1 where a digit is `target`, modulo 2^`out_bits`.
fn is(target: i64, bits: u32, out_bits: u32) -> Result<Lut, LutError> {
    signed(bits, out_bits, |t| i64::from(t == target))
}

impl Circuit {
    /// The circuit of `op` on integers in `limbs`: one input a limb of each operand, low limbs first.
    ///
    /// # Errors
    /// [`LutError::Width`] unless limbs have at least a bit and at most as many as the set's integers have, and, for
    /// floor:k, 1 ≤ k ≤ width.
    pub fn of_integers(params: &TableParams, op: IntegerOp, limbs: IntegerLimbs) -> Result<Self, LutError> {
        let (width, most) = (limbs.width(), params.literal().integer_bits);
        // Low limbs have two digits at most.
        let in_range = match limbs.high {
            Some(high) => limbs.between == 0 && params.holds_limbs(limbs.low, high),
            None => (1..=most).contains(&limbs.low),
        };
        if !in_range || matches!(op, IntegerOp::Floor(bits) if bits == 0 || bits > width) {
            return Err(LutError::Width { op: op.to_string(), width, max: params.max_integer_bits() });
        }
        let moduli: Vec<u64> = limbs.bits().into_iter().map(|bits| 2 << bits).collect();
        let count = moduli.len();
        let mut functions = Functions { maker: Maker::new(params, vec![moduli; op.operands()]), limbs };
        let operands: Vec<Vec<Register>> = (0..op.operands()).map(|i| (i * count..(i + 1) * count).collect()).collect();
        let result = functions.function(op, &operands)?;
        Ok(functions.maker.finish(&[result], Vec::new()))
    }
}

/// Functions of integers in the making.
struct Functions<'a> {
    maker: Maker<'a>,
    limbs: IntegerLimbs,
}

impl Functions<'_> {
    fn function(&mut self, op: IntegerOp, operands: &[Vec<Register>]) -> Result<Vec<Register>, LutError> {
        let (x, high) = (&operands[0], self.limbs.high.map(|high| high + 1));
        let top = x.len() - 1;
        match op {
            IntegerOp::Sign => Ok(vec![self.sign(x[top])?]),
            IntegerOp::Less => {
                let difference = self.difference(x, &operands[1]);
                if let Some(high) = high {
                    let negative =
                        self.maker.take(difference[0], |_, _| Ok(vec![]), |bits| Ok(vec![is_negative(bits, high)?]))?;
                    self.borrow(difference[1], negative.top[0], high);
                }
                Ok(vec![self.sign(difference[top])?])
            }
            IntegerOp::Equal => {
                // Twice the difference: a bit less, since x − y is no multiple of 2^w but 0.
                let twice = |all: &mut Self, i: usize| {
                    all.maker.sum(all.maker.bits(x[i]) - 1, vec![(x[i], 2), (operands[1][i], -2)])
                };
                let low = twice(self, 0);
                let Some(high) = self.limbs.high else { return Ok(vec![self.is(0, low, 1)?]) };
                // The answer for the low limb is a bit below the high one.
                let (low, other) = (self.is(0, low, high + 1)?, twice(self, 1));
                let both = self.maker.sum(high + 1, vec![(other, 1), (low, 1)]);
                Ok(vec![self.is(1, both, 1)?])
            }
            IntegerOp::Add => self.with_carry(x, &operands[1], 1),
            IntegerOp::Sub => self.with_carry(x, &operands[1], -1),
            IntegerOp::Relu => self.positive(x, false),
            IntegerOp::Max | IntegerOp::Min => {
                // max(x, y) = y + (x − y where positive), min(x, y) = x − (x − y where positive), limb by limb.
                let difference = self.difference(x, &operands[1]);
                let positive = self.positive(&difference, true)?;
                let (base, sign) = if op == IntegerOp::Max { (&operands[1], 1) } else { (x, -1) };
                let sum = |(&base, positive): (&Register, Register)| {
                    self.maker.sum(self.maker.bits(base), vec![(base, 1), (positive, sign)])
                };
                Ok(base.iter().zip(positive).map(sum).collect())
            }
            IntegerOp::Abs => {
                // −|x|, which is centred as it is, is less noisy than |x| by two bits.
                let negative = match high {
                    None => vec![self.minus_absolute(x[0])?],
                    Some(high) => self.minus_absolute_of_limbs([x[0], x[1]], high)?,
                };
                Ok(negative.into_iter().map(|limb| self.maker.sum(self.maker.bits(limb), vec![(limb, -1)])).collect())
            }
            IntegerOp::Floor(by) => match self.limbs.high {
                Some(_) if by >= self.limbs.low => Ok(vec![self.floor(x[1], by - self.limbs.low)?]),
                _ => {
                    let low = self.floor(x[0], by)?;
                    Ok(std::iter::once(low).chain(x.iter().copied().skip(1)).collect())
                }
            },
        }
    }

    /// x − y, limb by limb, without a borrow.
    fn difference(&mut self, x: &[Register], y: &[Register]) -> Vec<Register> {
        x.iter().zip(y).map(|(&x, &y)| self.maker.sum(self.maker.bits(x), vec![(x, 1), (y, -1)])).collect()
    }

    /// x ± y; what the low limb has beyond its bits goes to the high one.
    fn with_carry(&mut self, x: &[Register], y: &[Register], sign: i64) -> Result<Vec<Register>, LutError> {
        let limb = |all: &mut Self, i: usize| all.maker.sum(all.maker.bits(x[i]), vec![(x[i], 1), (y[i], sign)]);
        let low = limb(self, 0);
        let Some(high_bits) = self.limbs.high.map(|high| high + 1) else { return Ok(vec![low]) };
        let high = limb(self, 1);
        let bits = self.maker.bits(low);
        let rest = self.maker.sum(bits, vec![(low, 1)]);
        let top = |bits| Ok(vec![is_negative(bits, 1)?, is_negative(bits, high_bits)?]);
        let taken = self.maker.take(rest, |_, _| Ok(vec![]), top)?;
        let half = self.maker.collect(bits, vec![taken.top[0]], vec![]);
        let carry = self.maker.collect(high_bits, vec![taken.top[1]], vec![]);
        Ok(vec![
            self.maker.sum(bits, vec![(low, 1), (half, 1)]),
            self.maker.sum(high_bits, vec![(high, 1), (carry, sign)]),
        ])
    }

    /// A register less what is to be borrowed, modulo 2^`bits`.
    fn borrow(&mut self, register: Register, negative: Value, bits: u32) {
        let borrow = self.maker.collect(bits, vec![negative], vec![]);
        self.maker.subtract(register, borrow, bits);
    }

    /// 1 if a register is negative, else 0.
    fn sign(&mut self, register: Register) -> Result<Register, LutError> {
        let taken = self.maker.take(register, |_, _| Ok(vec![]), |bits| Ok(vec![is_negative(bits, 1)?]))?;
        Ok(self.maker.collect(1, taken.top, vec![]))
    }

    /// 1 if a register is `target`, 0 or 1, else 0; modulo 2^`out_bits`.
    fn is(&mut self, target: i64, register: Register, out_bits: u32) -> Result<Register, LutError> {
        let (bits, whole) = (self.maker.bits(register), self.maker.params().literal().bits);
        if bits > 2 * whole - 1 {
            // One product has two factors: the lowest digit leaves a bit for the others.
            let low = bits / 3;
            let left = bits - low + 1;
            let values = self.maker.digit(register, low, vec![is(target, low, left)?])?;
            let bit = self.maker.collect(left, vec![values[1]], vec![]);
            let rest = self.maker.sum(left, vec![(register, 1), (bit, 1)]);
            return self.is(1, rest, out_bits);
        }
        let single = self.maker.is_single(bits);
        let top = |bits| Ok(vec![if single { is(target, bits, out_bits)? } else { is(0, bits, 2)? }]);
        let taken = self.maker.take(register, |_, bits| Ok(vec![is(target, bits, out_bits)?]), top)?;
        let products = taken.lower.iter().map(|values| [taken.top[0], values[1]]).collect();
        let values = if single { taken.top } else { vec![] };
        Ok(self.maker.collect(out_bits, values, products))
    }

    /// Limbs of x where that is not negative, else 0; of a difference, whose low limb may be.
    fn positive(&mut self, x: &[Register], is_difference: bool) -> Result<Vec<Register>, LutError> {
        let top_tables = |bits| Ok(vec![signed(bits, bits, |t| t.max(0))?, by_sign(bits, [0, 1])?]);
        let bits = self.limbs.low + 1;
        let Some(high) = self.limbs.high.map(|high| high + 1) else {
            let taken = self.maker.take(x[0], |_, _| Ok(vec![]), top_tables)?;
            return Ok(vec![self.maker.collect(bits, vec![taken.top[0]], taken.times(taken.top[1]))]);
        };
        let low_tables = |bits| {
            let negative = is_difference.then(|| is_negative(bits, high));
            let itself = if is_difference { signed(bits, bits, |t| t) } else { low_digit(bits) };
            std::iter::once(itself).chain(negative).collect()
        };
        let low = self.maker.take(x[0], |_, _| Ok(vec![]), low_tables)?;
        if is_difference {
            self.borrow(x[1], low.top[1], high);
        }
        let taken = self.maker.take(x[1], |_, _| Ok(vec![]), top_tables)?;
        let [value, factor] = [taken.top[0], taken.top[1]];
        let mut of_low = low.times(factor);
        of_low.push([factor, low.top[0]]);
        let mut of_high = taken.times(factor);
        if is_difference {
            // The limb without the borrow.
            of_high.push([factor, low.top[1]]);
        }
        Ok(vec![self.maker.collect(bits, vec![], of_low), self.maker.collect(high, vec![value], of_high)])
    }

    fn minus_absolute(&mut self, x: Register) -> Result<Register, LutError> {
        let top = |bits| Ok(vec![signed(bits, bits, |t| -t.abs())?, by_sign(bits, [1, -1])?]);
        let taken = self.maker.take(x, |_, _| Ok(vec![]), top)?;
        Ok(self.maker.collect(self.limbs.low + 1, vec![taken.top[0]], taken.times(taken.top[1])))
    }

    /// −|x|: of |x|, where x is negative, limbs are −l + 2^k·c and −h − c, where c = 1 unless l = 0.
    fn minus_absolute_of_limbs(
        &mut self,
        [low, high]: [Register; 2],
        high_bits: u32,
    ) -> Result<Vec<Register>, LutError> {
        // Of the answers l = 0 and x < 0, 1 and 2 in Z_8, one table tells c.
        const ANSWERS: u32 = 3;
        let bits = self.limbs.low + 1;
        let single = bits <= self.maker.params().literal().bits;
        let top = |bits| Ok(vec![low_digit(bits)?, is(0, bits, if single { ANSWERS } else { 2 })?]);
        let low = self.maker.take(low, |_, bits| Ok(vec![is(0, bits, ANSWERS)?]), top)?;
        let zero = match &low.lower[..] {
            [] => self.maker.collect(ANSWERS, vec![low.top[1]], vec![]),
            [digit] => self.maker.collect(ANSWERS, vec![], vec![[low.top[1], digit[1]]]),
            _ => unreachable!("low limbs have one digit or two"),
        };
        let top = |bits| {
            let twice_negative = signed(bits, ANSWERS, |t| 2 * i64::from(t < 0));
            Ok(vec![signed(bits, bits, |t| -t.abs())?, by_sign(bits, [1, -1])?, twice_negative?])
        };
        let high = self.maker.take(high, |_, _| Ok(vec![]), top)?;
        let [value, sign, negative] = [high.top[0], high.top[1], high.top[2]];
        let negative = self.maker.collect(ANSWERS, vec![negative], vec![]);
        let answers = self.maker.sum(ANSWERS, vec![(zero, 1), (negative, 1)]);
        let carry = |out_bits| signed(ANSWERS, out_bits, |answers| i64::from(answers == 2));
        let carry = self.maker.digit(answers, ANSWERS, vec![carry(1)?, carry(high_bits)?])?;
        let mut of_low = low.times(sign);
        of_low.push([sign, low.top[0]]);
        // ½ is −½ of a turn.
        let low = self.maker.collect(bits, vec![carry[0]], of_low);
        Ok(vec![low, self.maker.collect(high_bits, vec![value, carry[1]], high.times(sign))])
    }

    /// ⌊x/2^by⌋ of a limb: low digits are taken off.
    fn floor(&mut self, register: Register, by: u32) -> Result<Register, LutError> {
        if by + 1 == self.maker.bits(register) {
            let taken = self.maker.take(
                register,
                |_, _| Ok(vec![]),
                |bits| Ok(vec![signed(bits, 2, |t| -i64::from(t < 0))?]),
            )?;
            return Ok(self.maker.collect(2, taken.top, vec![]));
        }
        let digits = by.div_ceil(self.maker.params().literal().bits - 1);
        let mut left = by;
        for number in 0..digits {
            let bits = left / (digits - number);
            self.maker.digit(register, bits, vec![])?;
            left -= bits;
        }
        Ok(register)
    }
}
