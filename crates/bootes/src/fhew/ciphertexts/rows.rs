//! Vectors cut and put together, and matrices across columns.
use super::{Ciphertexts, origin_of};
use crate::fhew::samples::{Form, Samples};
use crate::origin::Origin;
use crate::rows::ends;
use crate::{Error, Interval};
use std::ops::RangeBounds;

impl Ciphertexts {
    /// The values of a range: fresh ones keep their seed, and know where in it they start.
    ///
    /// # Errors
    /// [`Error::Slice`] for values that there are not; [`Error::CiphertextMemory`].
    pub(crate) fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let len = self.len();
        let [start, end] = ends(range, len);
        if start > end || end > len {
            return Err(Error::Slice { start, end, len, aligned: 1 });
        }
        let limbs = self.space.limbs();
        let samples = self.samples.piece(start * limbs..end * limbs).owned()?;
        let (params, origin) = (self.params.clone(), self.origin.clone());
        Ok(Self { params, samples, origin, ..*self })
    }

    /// The values of all vectors: noise is that of the noisiest, in each limb; see
    /// [`Ciphertexts::concat`](crate::Ciphertexts::concat).
    ///
    /// # Errors
    /// [`Error::NoValues`] for no vector; [`Error::Operands`], [`Error::Overflow`]; [`Error::OtherParams`],
    /// [`Error::OtherKey`]; [`Error::CiphertextMemory`].
    pub(crate) fn concat(vectors: &[&Self]) -> Result<Self, Error> {
        let name = "concatenation";
        let (first, others) = vectors.split_first().ok_or(Error::NoValues)?;
        let (mut range, mut variance, mut origin) = (first.space.range(), first.variance, first.origin.clone());
        for other in others {
            first.check_kind(other, name)?;
            range = range.union(other.space.range());
            variance = variance.map2(other.variance, f64::max);
            origin = origin.followed_by(&other.origin);
        }
        let samples: Vec<&Samples<'static>> = vectors.iter().map(|vector| &vector.samples).collect();
        let samples = Samples::concat(&samples)?;
        if let Form::Seeded { .. } = samples.form {
            origin = origin_of(samples.form);
        }
        let space = first.space.with_range(name, Some(range))?;
        let space = others.iter().fold(space, |space, other| space.beside(other.space));
        Ok(Self { params: first.params.clone(), key_id: first.key_id, space, variance, samples, origin })
    }

    /// Σ_j `weights[i][j]` · columns\[j\] for each i; see
    /// [`Ciphertexts::linear_columns`](crate::Ciphertexts::linear_columns).
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::NoValues`] for no column, [`Error::Lengths`] for a row of another length.
    pub(crate) fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error> {
        let weights: Vec<&[i64]> = weights.iter().map(AsRef::as_ref).collect();
        Self::combinations(columns, &weights, "linear map")
    }

    /// [`Self::linear_columns`] by the name of the operation that it is.
    pub(super) fn combinations(columns: &[&Self], weights: &[&[i64]], name: &'static str) -> Result<Vec<Self>, Error> {
        let (first, others) = columns.split_first().ok_or(Error::NoValues)?;
        for other in others {
            first.check_alike(other, name)?;
        }
        let of_row = |row: &&[i64]| {
            if row.len() != columns.len() {
                return Err(Error::Lengths { what: name.into(), left: columns.len(), right: row.len() });
            }
            let space = first.space.linear(name, range_of(columns, row))?;
            let space = columns.iter().fold(space, |space, column| space.beside(column.space));
            let (variance, origin) = noise_of(columns, row);
            // Before the work.
            Ok((space, first.within_promise(space, variance)?, origin))
        };
        let heads = weights.iter().map(of_row).collect::<Result<Vec<_>, Error>>()?;
        let samples: Vec<&Samples<'static>> = columns.iter().map(|column| &column.samples).collect();
        let sums = Samples::linear_columns(&samples, weights)?;
        let all = heads.into_iter().zip(sums);
        all.map(|((space, variance, origin), samples)| first.with_noise(space, variance, samples, origin)).collect()
    }

    /// Refuses operands that are not added value by value.
    pub(super) fn check_alike(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        other.check_key(&self.params, self.key_id)?;
        if self.len() != other.len() {
            return Err(Error::Lengths { what: operation.into(), left: self.len(), right: other.len() });
        }
        self.check_kind(other, operation)
    }

    /// Refuses another key, or values of another kind.
    fn check_kind(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        other.check_key(&self.params, self.key_id)?;
        let (left, right) = (self.space, other.space);
        if left.moduli() != right.moduli() || left.integers().is_some() != right.integers().is_some() {
            return Err(Error::Operands { operation, left, right });
        }
        Ok(())
    }
}

/// The range of Σ_j `row[j]` · columns\[j\], if there is a name for it.
fn range_of(columns: &[&Ciphertexts], row: &[i64]) -> Option<Interval> {
    let zero = Interval { min: 0, max: 0 };
    let mut terms = columns.iter().zip(row);
    terms.try_fold(zero, |sum, (column, &weight)| sum.plus(column.space.range().times(weight)?))
}

/// The variance of Σ_j `row[j]` · columns\[j\], and where its noise comes from: standard deviations add where
/// the next column shares an origin with those before.
fn noise_of(columns: &[&Ciphertexts], row: &[i64]) -> (f64, Origin) {
    let terms = columns.iter().zip(row).filter(|(_, weight)| **weight != 0);
    let terms = terms.map(|(column, &weight)| (column.noise_variance() * (weight as f64).powi(2), &column.origin));
    let sum = terms.fold(None, |sum: Option<(f64, Origin)>, (variance, origin)| match sum {
        None => Some((variance, origin.clone())),
        Some((sum, origins)) => {
            let variance = match origins.meets(origin) {
                true => (sum.sqrt() + variance.sqrt()).powi(2),
                false => sum + variance,
            };
            Some((variance, origins.and(origin)))
        }
    });
    sum.unwrap_or((0.0, Origin::trivial()))
}
