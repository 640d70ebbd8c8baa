//! Weighted sums.
use std::sync::Arc;

use crate::Interval;
use crate::program::Kind;

/// Atoms in order, with weights that are not 0: shared, since sums of many are kept in many places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Terms(Arc<[(usize, i128)]>);

impl Terms {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &i128> {
        self.0.iter().map(|(_, weight)| weight)
    }
}

/// Of atoms in order, each but once.
impl FromIterator<(usize, i128)> for Terms {
    fn from_iter<I: IntoIterator<Item = (usize, i128)>>(terms: I) -> Self {
        Self(terms.into_iter().filter(|(_, weight)| *weight != 0).collect())
    }
}

/// A weighted sum of atoms, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    pub(crate) terms: Terms,
    pub(crate) constant: i128,
    pub(crate) kind: Kind,
}

impl Form {
    pub(super) fn of_constant(constant: i128) -> Self {
        Self { terms: Terms::default(), constant, kind: Kind::Integers(Interval { min: constant, max: constant }) }
    }

    /// An atom of this kind.
    #[must_use]
    pub fn of_atom(atom: usize, kind: Kind) -> Self {
        Self { terms: Terms::from_iter([(atom, 1)]), constant: 0, kind }
    }

    /// The sum and an integer.
    #[must_use]
    pub fn plus(&self, constant: i128) -> Self {
        let range = self.kind.range().and_then(|range| range.plus(Interval { min: constant, max: constant }));
        let kind = range.map_or(self.kind, Kind::Integers);
        Self { constant: self.constant.wrapping_add(constant), kind, ..self.clone() }
    }

    /// −sum, of integers.
    #[must_use]
    pub fn negative(&self) -> Self {
        self.times(-1, self.kind.range().and_then(|range| range.times(-1)).map_or(self.kind, Kind::Integers))
    }

    /// Atoms with their weights.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (usize, i128)> {
        self.terms.0.iter().copied()
    }

    /// What is added.
    pub fn constant(&self) -> i128 {
        self.constant
    }

    /// Residues, or the range of the sum.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The integers that it may be, or residues as such.
    pub fn range(&self) -> Interval {
        match self.kind {
            Kind::Residues(p) => Interval { min: 0, max: i128::from(p) - 1 },
            Kind::Integers(range) => range,
        }
    }

    /// Bits of as many values as it may have: ⌈log2 p⌉ of residues.
    pub fn bits(&self) -> u32 {
        let count = match self.kind {
            Kind::Residues(p) => u128::from(p),
            Kind::Integers(range) => range.max.abs_diff(range.min) + 1,
        };
        count.next_power_of_two().ilog2()
    }

    /// weight·self + other·of_other, of this kind.
    pub(crate) fn combined(&self, weight: i128, other: &Self, of_other: i128, kind: Kind) -> Self {
        // Ranges of integers were checked, and what has no atom is what kinds say.
        let reduced = |sum: i128| match kind {
            Kind::Residues(p) => sum.rem_euclid(p.into()),
            Kind::Integers(_) => sum,
        };
        // Modulo 2^128, of which circles are parts.
        let product = |a: i128, b: i128| reduced(a).wrapping_mul(reduced(b));
        let term = |form: &Self, factor: i128, at: usize| {
            let &(atom, own) = form.terms.0.get(at)?;
            Some((atom, product(own, factor)))
        };
        // Both are in order.
        let [mut i, mut j] = [0; 2];
        let mut terms = Vec::with_capacity(self.terms.0.len() + other.terms.0.len());
        loop {
            let (atom, sum) = match (term(self, weight, i), term(other, of_other, j)) {
                (Some((a, one)), Some((b, two))) if a == b => {
                    (i, j) = (i + 1, j + 1);
                    (a, one.wrapping_add(two))
                }
                (Some((a, one)), two) if two.is_none_or(|(b, _)| a < b) => {
                    i += 1;
                    (a, one)
                }
                (_, Some((b, two))) => {
                    j += 1;
                    (b, two)
                }
                (_, None) => break,
            };
            terms.push((atom, reduced(sum)));
        }
        let terms = terms.into_iter().collect();
        let constant = reduced(product(self.constant, weight).wrapping_add(product(other.constant, of_other)));
        Self { terms, constant, kind }
    }

    /// weight·self, an integer.
    pub(crate) fn times(&self, weight: i128, kind: Kind) -> Self {
        self.combined(weight, &Self::of_constant(0), 0, kind)
    }

    /// The same, known to be of a narrower range.
    pub(crate) fn within(self, range: Interval) -> Self {
        match self.kind {
            Kind::Integers(own) => {
                let range = Interval { min: own.min.max(range.min), max: own.max.min(range.max) };
                Self { kind: Kind::Integers(if range.min <= range.max { range } else { own }), ..self }
            }
            Kind::Residues(_) => self,
        }
    }
}
