//! Products by columns: all products of parts of one offset are added up, and a column is carried once.
use super::{Limbed, Long, TOO_LONG, constant, sum};
use crate::Interval;
use crate::forms::{Form, Lowering, products};
use crate::integer::MOST_BITS;
use crate::program::Kind;
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Bits of parts whose sums and differences leave half of a table's circle free, which limbs are made of, and of
    /// which columns have room.
    pub(super) fn column_bits(&self, factors: [&Long; 2]) -> Option<u32> {
        let limbs = self.limbs.as_ref().filter(|_| self.packed <= self.short)?;
        let count = factors.iter().map(|x| x.limbs.len()).min()? as u64;
        let has_room = |v: &u32| {
            // At most all products of parts, and what is carried of as many.
            let products = (count * u64::from(limbs.bits / v) + 1) << (2 * v);
            limbs.bits.is_multiple_of(*v) && products + (products >> (v - 1)) < 1 << limbs.most
        };
        (2..=self.short.saturating_sub(2)).rev().find(has_room)
    }

    /// x·y of this range, or modulo 2^`bits`, by parts of `v` bits.
    pub(super) fn product_of_columns(
        &mut self,
        factors: [Long; 2],
        v: u32,
        bits: u32,
        range: Interval,
    ) -> Result<Long, &'static str> {
        let w = self.limb_bits();
        let mut columns: BTreeMap<u32, Form> = BTreeMap::new();
        let [a, b] = factors;
        let [a, b] = [self.parts(a, v)?, self.parts(b, v)?];
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
        let (mut terms, mut carry, mut offset) = (Vec::new(), constant(0), 0);
        // What the digits below may add up to.
        let mut below = [0i128; 2];
        loop {
            let column = columns.remove(&offset).unwrap_or_else(|| constant(0));
            let mut all = sum(&column, &carry, 1).ok_or(TOO_LONG)?;
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
                if all.range().width() <= v && self.fits(all.range().times(1 << (offset % w)).ok_or(TOO_LONG)?) {
                    terms.extend(self.placed(offset, all)?);
                    break;
                }
            }
            let digit = self.low(&all, v);
            carry = self.shifted(&all, v);
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
}
