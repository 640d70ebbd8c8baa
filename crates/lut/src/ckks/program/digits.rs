//! Integers that are longer than a table takes, digit by digit.
use std::cell::Cell;

use super::Compiler;
use crate::ckks::circuit::{Register, Value};
use crate::forms::{Condition, Form};
use crate::{Lut, LutError};

impl Compiler<'_, '_> {
    /// A table of the top digit of integers that are longer than a table takes.
    pub(super) fn top(&mut self, form: &Form, table: impl Fn(u32) -> Result<Lut, LutError>) -> Result<usize, LutError> {
        let range = form.range();
        let bits = range.width() + 1;
        if bits > self.maker.params().literal().integer_bits + 1 {
            return Err(self.no_room(bits, range));
        }
        let register = self.copy(form, 1 << bits)?;
        let none = |_, _| Ok(Vec::new());
        Ok(self.maker.take(register, none, |bits| Ok(vec![table(bits)?]))?.top[0])
    }

    /// weight·form modulo a power of two, of integers that are longer than a table takes: the sum of its digits.
    pub(super) fn digit_by_digit(&mut self, form: &Form, weight: i128, modulus: u64) -> Result<Register, LutError> {
        let (range, bits) = (form.range(), form.bits());
        if bits > self.maker.params().literal().integer_bits + 1 {
            return Err(self.no_room(bits, range));
        }
        self.counted_from(form, range.min, bits, weight, modulus)
    }

    /// The same of integers from `least` on, of so many bits.
    pub(super) fn counted_from(
        &mut self,
        form: &Form,
        least: i128,
        bits: u32,
        weight: i128,
        modulus: u64,
    ) -> Result<Register, LutError> {
        let register = self.copy(&form.plus(-least), 1 << bits)?;
        let values = self.digits(register, weight, modulus, unsigned)?;
        let sum = self.maker.collect(modulus.ilog2(), values, Vec::new());
        let least = (weight * least).rem_euclid(modulus.into()) as u64;
        Ok(self.maker.sum_modulo(modulus, vec![(sum, 1)], least))
    }

    /// weight·residue modulo `modulus`, of what a circle of 2^bits tells.
    pub(super) fn residue(&mut self, form: &Form, bits: u32, weight: i128, modulus: u64) -> Result<Register, LutError> {
        if (weight << bits) % i128::from(modulus) == 0 {
            // As it is, in turns.
            return self.sum(&form.times(weight, form.kind()), modulus);
        }
        self.counted_from(form, -(1 << (bits - 1)), bits, weight, modulus)
    }

    /// A sum that digits may be taken off.
    pub(super) fn copy(&mut self, form: &Form, modulus: u64) -> Result<Register, LutError> {
        let register = self.sum(form, modulus)?;
        Ok(self.maker.sum_modulo(modulus, vec![(register, 1)], 0))
    }

    /// weight·change where the condition holds, else 0, modulo a power of two, by products with digits.
    pub(super) fn product(
        &mut self,
        condition: &Condition,
        change: &Form,
        weight: i128,
        modulus: u64,
    ) -> Result<Register, LutError> {
        let factor = match condition {
            Condition::Negative(form) => self.top(form, |bits| signed(bits, 4, &|t| i128::from(t < 0)))?,
            Condition::One(form) => {
                let register = self.copy(form, 2)?;
                self.maker.digit(register, 1, vec![Lut::modular(vec![0, 1], 4)?])?[0]
            }
        };
        let (own, bits) = (change.range().width() + 1, modulus.ilog2());
        if own.min(bits) > self.maker.params().literal().integer_bits + 1 {
            return Err(self.no_room(own.min(bits), change.range()));
        }
        if own >= bits {
            let register = self.copy(&change.times(weight, change.kind()), modulus)?;
            let taken =
                self.maker.take(register, |_, _| Ok(Vec::new()), |bits| Ok(vec![signed(bits, 1 << bits, &|t| t)?]))?;
            let mut products = taken.times(factor);
            products.push([factor, taken.top[0]]);
            return Ok(self.maker.collect(bits, Vec::new(), products));
        }
        // Fewer digits, at their places.
        let register = self.copy(change, 1 << own)?;
        let taken = self.digits(register, weight, modulus, signed)?;
        let products = taken.into_iter().map(|digit| [factor, digit]).collect();
        Ok(self.maker.collect(bits, Vec::new(), products))
    }

    /// The digits of a register at their places, times `weight` modulo `modulus`; `top` makes the table of the highest.
    pub(super) fn digits(
        &mut self,
        register: Register,
        weight: i128,
        modulus: u64,
        top: impl Fn(u32, u64, &dyn Fn(i128) -> i128) -> Result<Lut, LutError>,
    ) -> Result<Vec<Value>, LutError> {
        let place = Cell::new(0);
        let image = |bits: u32| {
            let unit = weight << place.replace(place.get() + bits);
            move |digit: i128| (digit * unit).rem_euclid(modulus.into())
        };
        let lower = |_, bits: u32| Ok(vec![unsigned(bits, modulus, &image(bits))?]);
        let taken = self.maker.take(register, lower, |bits| Ok(vec![top(bits, modulus, &image(bits))?]))?;
        Ok(taken.lower.iter().map(|values| values[1]).chain([taken.top[0]]).collect())
    }
}

/// The table of digits of so many bits.
fn unsigned(bits: u32, modulus: u64, f: &dyn Fn(i128) -> i128) -> Result<Lut, LutError> {
    Lut::modular((0..1i128 << bits).map(|t| f(t).rem_euclid(modulus.into()) as u64).collect(), modulus)
}

/// The table of digits of so many bits, with a sign.
pub(super) fn signed(bits: u32, modulus: u64, f: &dyn Fn(i128) -> i128) -> Result<Lut, LutError> {
    let p = 1i128 << bits;
    let entry = |t: i128| f(if 2 * t >= p { t - p } else { t }).rem_euclid(modulus.into()) as u64;
    Lut::modular((0..p).map(entry).collect(), modulus)
}
