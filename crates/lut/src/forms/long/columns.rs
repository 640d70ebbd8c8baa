//! Products by columns: all products of parts of one offset are added up, and a column is carried once.
use super::{Limbed, Long, TOO_LONG, constant, sum};
use crate::Interval;
use crate::forms::{Atom, Form, Lowering, products};
use crate::integer::MOST_BITS;
use crate::program::Kind;
use std::collections::BTreeMap;

/// Sums of products by their offsets, in bits.
type Columns = BTreeMap<u32, Form>;

impl Lowering<'_> {
    /// Bits of parts whose sums and differences leave half of a table's circle free, which limbs are made of, and of
    /// which columns have room.
    fn column_bits(&self, factors: [&Long; 2]) -> Option<u32> {
        let limbs = self.limbs.as_ref().filter(|_| self.packed <= self.short)?;
        let count = factors.iter().map(|x| x.limbs.len()).min()? as u64;
        let has_room = |v: &u32| {
            // At most all products of parts, and what is carried of as many.
            let products = (count * u64::from(limbs.bits / v) + 1) << (2 * v);
            limbs.bits.is_multiple_of(*v) && products + (products >> (v - 1)) < 1 << limbs.most
        };
        (2..=self.short.saturating_sub(2)).rev().find(has_room)
    }

    /// x·y of this range, or modulo 2^`bits`, if there are columns that have room.
    pub(super) fn product_of_columns(
        &mut self,
        [a, b]: [&Long; 2],
        bits: u32,
        range: Interval,
    ) -> Result<Option<Long>, &'static str> {
        // Where tables of one sum cost as one, parts are as long as sums of two have room.
        let v = self.short.saturating_sub(1);
        if self.batched && v > 0 && self.limb_bits().is_multiple_of(v) {
            let columns = self.columns([a, b], v, bits)?;
            if self.columns_have_room(&columns, v, bits) {
                return self.sum_of_columns(columns, v, bits, range).map(Some);
            }
        }
        let Some(v) = self.column_bits([a, b]) else { return Ok(None) };
        let columns = self.columns([a, b], v, bits)?;
        self.sum_of_columns(columns, v, bits, range).map(Some)
    }

    /// The sums of the products of parts of `v` bits, by their offsets.
    fn columns(&mut self, [a, b]: [&Long; 2], v: u32, bits: u32) -> Result<Columns, &'static str> {
        let mut columns = Columns::new();
        let [a, b] = [self.parts(a.clone(), v)?, self.parts(b.clone(), v)?];
        for (of_a, a) in &a {
            for (of_b, b) in &b {
                let offset = of_a + of_b;
                if offset < bits {
                    let range = products(a.range(), b.range()).ok_or(TOO_LONG)?;
                    let product = self.product(a, b, Kind::Integers(range));
                    let column = columns.entry(offset).or_insert_with(|| constant(0));
                    *column = sum(column, &product, 1).ok_or(TOO_LONG)?;
                }
            }
        }
        Ok(columns)
    }

    /// Whether each column has room for what is carried, which is what a table takes; modulo 2^`bits` the last ones are
    /// one.
    fn columns_have_room(&self, columns: &Columns, v: u32, bits: u32) -> bool {
        let Some(most) = self.limbs.as_ref().map(|limbs| limbs.most) else { return false };
        let (mut carried, mut offset) = (Interval { min: 0, max: 0 }, 0);
        while bits == u32::MAX || bits - offset > most {
            let column = columns.get(&offset).map_or(Interval { min: 0, max: 0 }, Form::range);
            let Some(all) = column.plus(carried) else { return false };
            carried = Interval { min: all.min >> v, max: all.max >> v };
            if !all.is_in_residues(most + 1) || bits_of(carried) > self.short {
                return false;
            }
            if columns.range(offset + 1..).next().is_none() {
                break;
            }
            offset += v;
        }
        true
    }

    /// What columns add up to: of each its low `v` bits, and the rest is carried.
    fn sum_of_columns(
        &mut self,
        mut columns: Columns,
        v: u32,
        bits: u32,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let (w, most) = (self.limb_bits(), self.limbs.as_ref().map_or(0, |limbs| limbs.most));
        let (mut terms, mut carry, mut offset) = (Vec::new(), constant(0), 0);
        // What the digits below may add up to.
        let mut below = [0i128; 2];
        loop {
            let column = columns.remove(&offset).unwrap_or_else(|| constant(0));
            let mut all = sum(&column, &carry, 1).ok_or(TOO_LONG)?;
            if self.batched && bits != u32::MAX && bits - offset <= most {
                // All that is left, as its circle tells it.
                for (above, column) in columns.range(offset + 1..bits) {
                    let column = shifted(column, above - offset).ok_or(TOO_LONG)?;
                    all = sum(&all, &column, 1).ok_or(TOO_LONG)?;
                }
                let digits = self.circle(all, bits - offset)?;
                terms.extend(self.placed(offset, digits)?);
                break;
            }
            if offset + v >= bits {
                let digit = self.low(&all, bits - offset);
                terms.extend(self.placed(offset, digit)?);
                break;
            }
            // The range is of the whole product: what wraps is cut off above.
            if columns.is_empty() && bits == u32::MAX {
                let ends = [range.min - below[1], range.max - below[0]];
                let [min, max] = [-((-ends[0]) >> offset), ends[1] >> offset];
                all = if min <= max { all.within(Interval { min, max }) } else { all };
                let is_limb = self.batched && offset.is_multiple_of(w);
                if (is_limb || all.range().width() <= v)
                    && self.fits(all.range().times(1 << (offset % w)).ok_or(TOO_LONG)?)
                {
                    terms.extend(self.placed(offset, all)?);
                    break;
                }
            }
            let digit = self.low(&all, v);
            carry = self.shifted(&all, v);
            if self.batched {
                carry = self.anew(carry);
            }
            below = [(below[0], digit.range().min), (below[1], digit.range().max)]
                .map(|(below, end)| below + (end << offset));
            terms.extend(self.placed(offset, digit)?);
            offset += v;
            if offset > MOST_BITS {
                return Err(TOO_LONG);
            }
        }
        self.accumulate(terms, range, Limbed::Loosely)
    }

    /// What of a sum a circle of 2^bits tells, from 0 on.
    fn circle(&mut self, x: Form, bits: u32) -> Result<Form, &'static str> {
        let all = Interval::unsigned(bits);
        if all.holds(x.range()) {
            return Ok(x);
        }
        let half = 1 << (bits - 1);
        let signed = Kind::Integers(Interval { min: -half, max: half - 1 });
        Ok(self.atom(Atom::Residue(x.plus(-half), bits), signed).plus(half))
    }
}

fn bits_of(range: Interval) -> u32 {
    Form::of_atom(0, Kind::Integers(range)).bits()
}

/// 2^bits·x.
fn shifted(x: &Form, bits: u32) -> Option<Form> {
    let factor = 1 << bits;
    Some(x.times(factor, Kind::Integers(x.range().times(factor)?)))
}
