//! Multiples by constants: of limbs that tables take, by the digits of what each limb becomes; of longer ones as sums.
use super::{Limbed, Long, TOO_LONG, Value};
use crate::Interval;
use crate::forms::{Lowering, Unary};

/// More sums of longer limbs are slower than products by parts.
const MOST_SUMS: usize = 4;

/// What so many of are added up is carried at once ([`Atom::Carry`](crate::forms::Atom::Carry)).
const AT_ONCE: std::ops::RangeInclusive<u128> = 4..=31;

/// The digits of c, low first: 0 and 1, or −1 too, of which no two neighbours are other than 0, where sums are fewer.
fn digits(c: i128) -> Vec<i128> {
    let of = |digit: fn(i128) -> i128| {
        let (mut rest, mut digits) = (c, Vec::new());
        while rest != 0 {
            let digit = if rest & 1 == 0 { 0 } else { digit(rest) };
            digits.push(digit);
            rest = (rest - digit) >> 1;
        }
        digits
    };
    let (binary, signed) = (of(|_| 1), of(|rest| 2 - rest.rem_euclid(4)));
    if sums(&binary) <= sums(&signed) { binary } else { signed }
}

/// How many sums double and add up.
fn sums(digits: &[i128]) -> usize {
    digits.len() + digits.iter().filter(|digit| **digit != 0).count() - 2
}

impl Lowering<'_> {
    /// c·x of this range, unless products by parts are better.
    pub(super) fn multiple(&mut self, x: &Value, c: i128, range: Interval) -> Result<Option<Long>, &'static str> {
        if c.unsigned_abs() > 1 << 64 {
            return Ok(None);
        }
        if c == 0 {
            return Ok(Some(Long::zero()));
        }
        let long = match self.limb_bits() < self.short {
            true => Some(self.multiple_by_digits(x, c, range)?),
            false => self.multiple_by_sums(x, c, range)?,
        };
        Ok(long.map(|long| {
            let [min, max] = [long.range.min.max(range.min), long.range.max.min(range.max)];
            Long { range: if min <= max { Interval { min, max } } else { range }, ..long }
        }))
    }

    /// Of each limb the digits of its multiple: none but the sum of them has a carry.
    fn multiple_by_digits(&mut self, x: &Value, c: i128, range: Interval) -> Result<Long, &'static str> {
        let (w, long) = (self.limb_bits(), self.long_of(x)?);
        let long = self.canonical(long)?;
        let (mut terms, highest) = (Vec::new(), long.limbs.len() - 1);
        let digit = Interval { min: 1 - (1 << w), max: (1 << w) - 1 };
        for (limb, form) in long.limbs.into_iter().enumerate() {
            let mut rest = form.range().times(c).ok_or(TOO_LONG)?;
            if form.terms.is_empty() || c == 1 {
                terms.extend(self.placed(w * limb as u32, form.times(c, form.kind))?);
                continue;
            }
            let (mut number, mut from) = (limb, 0);
            loop {
                let is_last = if limb == highest { self.fits(rest) } else { digit.holds(rest) };
                let bits = if is_last { None } else { Some(w) };
                let of = if is_last { rest } else { Interval::unsigned(w) };
                let part = self.image_of(Unary::Multiple { factor: c, from, bits }, form.clone(), of);
                terms.push((number, part));
                if is_last {
                    break;
                }
                (number, from) = (number + 1, from + w);
                rest = Interval { min: rest.min >> w, max: rest.max >> w };
            }
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// Added up, if that is of few sums.
    fn multiple_by_sums(&mut self, x: &Value, c: i128, range: Interval) -> Result<Option<Long>, &'static str> {
        if self.carries && AT_ONCE.contains(&c.unsigned_abs()) {
            let long = self.long_of(x)?;
            let signed = self.signed_limbs(&long, c.signum());
            let terms = signed.into_iter().flat_map(|term| vec![term; c.unsigned_abs() as usize]).collect();
            return self.accumulate(terms, range, Limbed::Loosely).map(Some);
        }
        let digits = digits(c.abs());
        if sums(&digits) > MOST_SUMS {
            return Ok(None);
        }
        let mut all = (x.clone(), 1);
        for digit in digits.iter().rev().skip(1) {
            all = self.of_two(all.clone(), all)?;
            if *digit != 0 {
                all = self.of_two(all, (x.clone(), *digit))?;
            }
        }
        let (value, sign) = all;
        let long = self.long_of(&value)?;
        match sign * c.signum() {
            1 => Ok(Some(long)),
            _ => self.difference(&Long::zero(), &long).map(Some),
        }
    }
}
