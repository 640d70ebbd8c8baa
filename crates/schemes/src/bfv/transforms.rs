//! SlotsToCoeffs and CoeffsToSlots: the vector m as the polynomial Σ m_i·X^(d·i), and back.
//!
//! A map of all k slots has k diagonals. For p ≡ 1 modulo 4 it is a product of sparse maps ([`butterflies`]): with n =
//! k/2 columns, I = ζ^n a square root of −1, and u_j = m_j ± I·m_(j+n) in column j of row 0 and row 1, slot c of row ρ
//! is
//!
//! Σ_j u_j·ζ^(±5^c·j),
//!
//! a transform of n columns like that of CKKS ([`embedding_stages`](crate::ckks::embedding_stages)), with inverse roots
//! in row 1. Both rows exchange numbers only between m and u, in the stage of the smallest stride; all other stages are
//! one map of the slots as they are, of period far below k but for the largest stride. Several stages leave
//! coefficients with bits of j reversed. For p ≡ 3 modulo 4 there is one stage.
use std::collections::BTreeMap;

use super::slots::{add, mul};
use super::{BfvParams, BfvSchemeError, BfvSlots, Gaussian, LinearMap, SlotMap};
use crate::lintrans::Diagonals;
use crate::lintrans::butterflies::{self, Butterflies};
use crate::rlwe::GaloisAction;
use crate::rlwe::params::check;

/// A linear map of the slots as they are, and another of their image under the automorphism that comes with it, if any.
type Map = (Diagonals<Gaussian>, Option<Diagonals<Gaussian>>);

impl BfvSlots {
    /// The most stages of the transforms.
    #[must_use]
    pub fn max_stages(&self) -> usize {
        match self.shape() {
            [2, columns] if columns > 1 => columns.ilog2() as usize,
            _ => 1,
        }
    }

    /// The maps of SlotsToCoeffs, in order of application, at these levels of the set, one for each: the vector m
    /// becomes the polynomial Σ m_i·X^(d·i), in order if there is one map; else bits of the places j < n of both m_j
    /// and m_(j+n) are reversed.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`] for no stages or more than [`Self::max_stages`]; as [`LinearMap::new`].
    pub fn to_coeffs(&self, params: &BfvParams, levels: &[usize]) -> Result<Vec<SlotMap>, BfvSchemeError> {
        let maps = self.to_coeffs_maps(levels.len())?;
        self.prepared(params, maps, levels)
    }

    /// The maps of CoeffsToSlots, in order of application, at these levels of the set, one for each: of the polynomial
    /// that [`Self::to_coeffs`] of as many stages makes of m, the vector `factor`·m.
    ///
    /// # Errors
    /// As [`Self::to_coeffs`].
    pub fn to_slots(&self, params: &BfvParams, levels: &[usize], factor: u64) -> Result<Vec<SlotMap>, BfvSchemeError> {
        let maps = self.to_slots_maps(levels.len(), factor)?;
        self.prepared(params, maps, levels)
    }

    fn prepared(&self, params: &BfvParams, maps: Vec<Map>, levels: &[usize]) -> Result<Vec<SlotMap>, BfvSchemeError> {
        let action = match self.shape() {
            [2, _] => GaloisAction::Rotation { axis: 1, by: 1 },
            _ => GaloisAction::Frobenius { power: 1 },
        };
        let map = |((here, image), &level): (Map, _)| {
            let new = |map| LinearMap::new(params, self, map, level);
            let image = image.map(|map| new(map).map(|map| (action, map)));
            Ok(SlotMap { here: new(here)?, image: image.transpose()? })
        };
        maps.into_iter().zip(levels).map(map).collect()
    }

    fn to_coeffs_maps(&self, stages: usize) -> Result<Vec<Map>, BfvSchemeError> {
        check("stages of transforms", stages as u64, 1, self.max_stages() as u64)?;
        if stages == 1 {
            return Ok(vec![self.to_coeffs_at_once()]);
        }
        let unit = self.imaginary_unit();
        let mut maps = self.butterflies().up(&self.levels(stages), |half| self.roots(half, false)).into_iter();
        let first = maps.next().expect("there are stages");
        let of = |rows: [Gaussian; 2]| first.compose_by(&by_rows(self.count(), rows), self.multiply_add());
        let one = Gaussian::new(1, 0);
        let first = (of([one, -unit]), Some(of([unit, one])));
        Ok([first].into_iter().chain(maps.map(|map| (map, None))).collect())
    }

    fn to_slots_maps(&self, stages: usize, factor: u64) -> Result<Vec<Map>, BfvSchemeError> {
        check("stages of transforms", stages as u64, 1, self.max_stages() as u64)?;
        let (ring, k) = (self.residues(), self.count());
        let over = ring.mul(factor, ring.inverse(k as u64).expect("a power of two is a unit"));
        let over = self.number(over);
        if stages == 1 {
            return Ok(vec![self.to_slots_at_once(over)]);
        }
        let [one, unit] = [Gaussian::new(1, 0), self.imaginary_unit()];
        let levels: Vec<usize> = self.levels(stages).into_iter().rev().collect();
        let mut maps = self.butterflies().down(&levels, one, |half| self.roots(half, true));
        let last = maps.pop().expect("there are stages");
        let of = |map: &Diagonals<Gaussian>, rows: [Gaussian; 2]| {
            let rows = rows.map(|entry| mul(ring, entry, over));
            by_rows(k, rows).compose_by(map, self.multiply_add())
        };
        // Row 0 of the image is row 1, so its entries are those for row 1.
        let last = (of(&last, [one, unit]), Some(of(&exchanged(&last), [one, -unit])));
        Ok(maps.into_iter().map(|map| (map, None)).chain([last]).collect())
    }

    /// How many levels each stage of SlotsToCoeffs merges: the fewest in the first, which has two maps.
    fn levels(&self, stages: usize) -> Vec<usize> {
        butterflies::split(self.max_stages(), stages).into_iter().rev().collect()
    }

    /// The butterflies of both rows, side by side.
    fn butterflies(&self) -> Butterflies<impl Fn(Gaussian, Gaussian, Gaussian) -> Gaussian> {
        Butterflies { slots: self.count(), first: 2, multiply_add: self.multiply_add() }
    }

    fn multiply_add(&self) -> impl Fn(Gaussian, Gaussian, Gaussian) -> Gaussian + Copy + use<> {
        let ring = self.residues();
        move |sum, a, b| add(ring, sum, mul(ring, a, b))
    }

    /// ζ_(8h)^(±5^j) for the `half` = 2h places, one of each row, of h columns; or their inverses.
    fn roots(&self, half: usize, inverse: bool) -> Vec<Gaussian> {
        let order = self.order();
        let powers = (0..half / 2).scan(order / (4 * half), |power, _| {
            let exponent = *power;
            *power = exponent * 5 % order;
            Some([exponent, order - exponent])
        });
        let powers = powers.flat_map(|[above, below]| if inverse { [below, above] } else { [above, below] });
        powers.map(|exponent| self.power(exponent)).collect()
    }

    /// I = ζ^n.
    fn imaginary_unit(&self) -> Gaussian {
        self.power(self.order() / 4)
    }

    fn to_coeffs_at_once(&self) -> Map {
        let step = self.order() / (2 * self.count());
        self.map(|j, i, image| {
            // A slot reaches i by rotation, or by the image's: each once.
            let whole = self.power(self.exponents()[j] * i * step);
            match self.shape() {
                // All slots are reached as they are; the image, their conjugates, is not needed.
                [1, _] if image => Gaussian::new(0, 0),
                _ => whole,
            }
        })
    }

    /// m_i = `over`·Σ over all exponents e modulo 2k of P(ζ^e)·ζ^(−e·i).
    fn to_slots_at_once(&self, over: Gaussian) -> Map {
        let (ring, order, k) = (self.residues(), self.order(), self.count());
        let step = order / (2 * k);
        self.map(|i, j, image| {
            let e = match self.shape() {
                [2, _] => self.exponents()[j],
                // Modulo 2k half of the slots are all there is as they are, and −e comes with the image.
                _ if (j + k - i) % k >= k / 2 => return Gaussian::new(0, 0),
                _ if image => order - self.exponents()[j],
                _ => self.exponents()[j],
            };
            mul(ring, over, self.power(order - e * i * step % order))
        })
    }

    /// Both parts of the map with the entries (slot of the result, slot that is read, whether of the image).
    ///
    /// With two rows a slot of the other row is read from the image, whose rows are exchanged.
    fn map(&self, entry: impl Fn(usize, usize, bool) -> Gaussian) -> Map {
        let (k, [rows, columns]) = (self.count(), self.shape());
        let part = |image: bool| {
            let diagonal = |by: usize| {
                let entries = (0..k).map(|place| {
                    let (column, row) = (place / rows, place % rows);
                    let read = if image && rows == 2 { 1 - row } else { row } * columns + (column + by) % columns;
                    entry(row * columns + column, read, image)
                });
                (rows * by, entries.collect())
            };
            let diagonals: BTreeMap<usize, Vec<Gaussian>> = (0..columns).map(diagonal).collect();
            Diagonals::new(k, k, diagonals)
        };
        (part(false), Some(part(true)).filter(|map| map.iter().len() > 0))
    }
}

/// The map of k slots with a factor for each row.
fn by_rows(k: usize, rows: [Gaussian; 2]) -> Diagonals<Gaussian> {
    Diagonals::new(k, 2, BTreeMap::from([(0, rows.to_vec())]))
}

/// The map of exchanged rows.
fn exchanged(map: &Diagonals<Gaussian>) -> Diagonals<Gaussian> {
    // One of period 1 is the same for both.
    let exchange = |diagonal: &[Gaussian]| diagonal.chunks(2).flat_map(|rows| rows.iter().rev().copied()).collect();
    let diagonals = map.iter().map(|(rotation, diagonal)| (rotation, exchange(diagonal)));
    Diagonals::new(map.slots(), map.period(), diagonals.collect())
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;

    use super::super::BfvLiteral;
    use super::*;
    use crate::class::SetClass;

    fn slots(base: u64, exponent: u32, log2_degree: u32) -> BfvSlots {
        let literal = BfvLiteral {
            name: "transforms".into(),
            class: SetClass::Toy,
            log2_degree,
            base,
            exponent,
            base_bits: 50,
            primes: vec![(50, 1)],
            digit_primes: 1,
            special_primes: 1,
            special_bits: 50,
            weight: 16,
            sparse_weight: 8,
        };
        BfvSlots::new(&literal.try_build().unwrap(), exponent).unwrap()
    }

    /// In places, column by column.
    fn applied(slots: &BfvSlots, maps: &[Map], values: Vec<Gaussian>) -> Vec<Gaussian> {
        let ring = slots.residues();
        let reduced = |values: Vec<Gaussian>| -> Vec<Gaussian> {
            values.into_iter().map(|x| Gaussian::new(ring.balance(ring.reduce(x.re)), 0)).collect()
        };
        maps.iter().fold(values, |values, (here, image)| {
            let mut out = reduced(here.apply(&values));
            if let Some(image) = image {
                let other: Vec<_> = values.chunks(2).flat_map(|rows| [rows[1], rows[0]]).collect();
                out.iter_mut().zip(reduced(image.apply(&other))).for_each(|(x, y)| *x = add(ring, *x, y));
            }
            out
        })
    }

    #[test]
    fn stages_are_the_transforms_in_another_order() {
        for (base, exponent, log2_degree) in
            [(17, 1, 7), (17, 3, 8), (97, 1, 9), (257, 2, 9), (257, 1, 10), (65537, 1, 8)]
        {
            let slots = slots(base, exponent, log2_degree);
            let ([rows, columns], k, ring) = (slots.shape(), slots.count(), slots.residues());
            assert_eq!(rows, 2);
            let mut rng = TestRng::new("stages", base);
            let m: Vec<_> = (0..k).map(|_| slots.number(rng.below(ring.modulus()))).collect();
            let at_once = [slots.to_coeffs_maps(1).unwrap(), slots.to_slots_maps(1, 1).unwrap()];
            for stages in 2..=slots.max_stages().min(4) {
                let maps = slots.to_coeffs_maps(stages).unwrap();
                assert_eq!(maps.len(), stages);
                // Bits of columns reversed.
                let reversed = |place: usize| {
                    let column = place / 2;
                    2 * (column.reverse_bits() >> (usize::BITS - columns.ilog2())) + place % 2
                };
                let in_reverse = |values: &[Gaussian]| (0..k).map(|place| values[reversed(place)]).collect::<Vec<_>>();
                let expected = applied(&slots, &at_once[0], in_reverse(&m));
                let found = applied(&slots, &maps, m.clone());
                assert!(found == expected, "p = {base}, {stages} stages");
                let factor = 1 + rng.below(base - 1);
                let back = slots.to_slots_maps(stages, factor).unwrap();
                let times: Vec<_> = m.iter().map(|&x| mul(ring, x, slots.number(factor))).collect();
                assert!(applied(&slots, &back, expected) == times, "p = {base}, {stages} stages");
                assert!(applied(&slots, &at_once[1], applied(&slots, &at_once[0], m.clone())) == m);
            }
        }
        let slots = slots(7, 1, 7);
        assert!(slots.to_coeffs_maps(2).is_err() && slots.to_coeffs_maps(0).is_err());
    }
}
