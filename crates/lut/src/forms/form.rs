//! Weighted sums.
use std::collections::BTreeMap;

use crate::Interval;
use crate::program::Kind;

/// A weighted sum of atoms, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    pub(crate) terms: BTreeMap<usize, i64>,
    pub(crate) constant: i64,
    pub(crate) kind: Kind,
}

impl Form {
    pub(super) fn of_constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant, kind: Kind::Integers(Interval { min: constant, max: constant }) }
    }

    /// An atom of this kind.
    #[must_use]
    pub fn of_atom(atom: usize, kind: Kind) -> Self {
        Self { terms: BTreeMap::from([(atom, 1)]), constant: 0, kind }
    }

    /// The sum and an integer.
    #[must_use]
    pub fn plus(&self, constant: i64) -> Self {
        let range = self.kind.range().and_then(|range| range.plus(Interval { min: constant, max: constant }));
        let kind = range.map_or(self.kind, Kind::Integers);
        Self { constant: self.constant + constant, kind, ..self.clone() }
    }

    /// −sum, of integers.
    #[must_use]
    pub fn negative(&self) -> Self {
        self.times(-1, self.kind.range().and_then(|range| range.times(-1)).map_or(self.kind, Kind::Integers))
    }

    /// Atoms with their weights.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (usize, i64)> {
        self.terms.iter().map(|(&atom, &weight)| (atom, weight))
    }

    /// What is added.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// Residues, or the range of the sum.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The integers that it may be, or residues as such.
    pub fn range(&self) -> Interval {
        match self.kind {
            Kind::Residues(p) => Interval { min: 0, max: p as i64 - 1 },
            Kind::Integers(range) => range,
        }
    }

    /// Bits of as many values as it may have: ⌈log2 p⌉ of residues.
    pub fn bits(&self) -> u32 {
        let count = match self.kind {
            Kind::Residues(p) => u128::from(p),
            Kind::Integers(range) => u128::from(range.max.abs_diff(range.min)) + 1,
        };
        count.next_power_of_two().ilog2()
    }

    /// weight·self + other·of_other, of this kind.
    pub(crate) fn combined(&self, weight: i64, other: &Self, of_other: i64, kind: Kind) -> Self {
        let reduced = |sum: i128| match kind {
            Kind::Residues(p) => sum.rem_euclid(p.into()) as i64,
            // Ranges were checked, and what has no atom is what kinds say.
            Kind::Integers(_) => sum as i64,
        };
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let mut terms = BTreeMap::new();
        for (form, factor) in [(self, weight), (other, of_other)] {
            for (&atom, &weight) in &form.terms {
                let sum = terms.entry(atom).or_insert(0);
                *sum = reduced(i128::from(*sum) + product(weight, factor));
            }
        }
        terms.retain(|_, weight| *weight != 0);
        let constant = reduced(product(self.constant, weight) + product(other.constant, of_other));
        Self { terms, constant, kind }
    }

    /// weight·self, an integer.
    pub(crate) fn times(&self, weight: i64, kind: Kind) -> Self {
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
