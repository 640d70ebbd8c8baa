//! Vectors cut and put together, and matrices across columns.
use super::{Ciphertexts, origin_of};
use crate::door::space::BitLimit;
use crate::engines::blocks::ends;
use crate::engines::{EngineCiphertexts, EngineRows};
use crate::fhew::room::{Growth, Variances};
use crate::fhew::samples::{Form, Samples};
use crate::origin::Origin;
use crate::{Engine, Error, Space};
use std::ops::RangeBounds;

impl Ciphertexts {
    /// None of `count` of the values from number `start` on, but what is known of them.
    pub(super) fn slice_head(&self, start: usize, count: usize) -> Self {
        let form = self.samples.form.from(start * self.space.limbs());
        let samples = Samples::new(form, self.samples.layout, Vec::new());
        let (params, variance, origin) = (self.params.clone(), self.variance.clone(), self.origin.clone());
        let slice = Self { params, variance, samples, origin, ..*self };
        let origin = slice.runs(count).map(|runs| origin_of(&runs));
        Self { origin: origin.unwrap_or_else(|| self.origin.clone()), ..slice }
    }

    /// None of the values of all vectors, of so many values each, but what is known of them.
    pub(super) fn concat_head(vectors: &[(&Self, usize)]) -> Result<Self, Error> {
        let name = "concatenation";
        let (&(first, _), others) = vectors.split_first().ok_or(Error::NoValues)?;
        let (mut range, mut variance, mut origin) =
            (first.space.kept_range(), first.variance.clone(), first.origin.clone());
        for (other, _) in others {
            first.check_kind(other, name)?;
            if first.is_compressed() != other.is_compressed() {
                return Err(Error::Compressed { operation: "a concatenation with others".into() });
            }
            range = range.union(other.space.kept_range());
            variance = variance.max(&other.variance);
            origin = origin.followed_by(&other.origin);
        }
        let limbs = first.space.limbs();
        let forms: Vec<_> = vectors.iter().map(|(vector, count)| (&vector.samples.form, count * limbs)).collect();
        let samples = Samples::new(Form::of_all(&forms), first.samples.layout, Vec::new());
        let space = first.space.with_range(name, Some(range), BitLimit::of(&first.params))?;
        let space = others.iter().fold(space, |space, (other, _)| space.beside(other.space));
        let all = Self { params: first.params.clone(), key_id: first.key_id, space, variance, samples, origin };
        let runs = all.runs(vectors.iter().map(|(_, count)| count).sum());
        Ok(match runs {
            Some(runs) => Self { origin: origin_of(&runs), ..all },
            None => all,
        })
    }

    /// [`Self::linear_columns`] by the name of the operation that it is.
    pub(super) fn combinations(columns: &[&Self], weights: &[&[i64]], name: &'static str) -> Result<Vec<Self>, Error> {
        // Before the work.
        let heads = weights.iter().map(|row| Self::combination_head(columns, row, name));
        let heads = heads.collect::<Result<Vec<_>, Error>>()?;
        let samples: Vec<&Samples<'static>> = columns.iter().map(|column| &column.samples).collect();
        let made = |row: &&[i64]| one_of(row).is_none();
        let rows: Vec<&[i64]> = heads
            .iter()
            .zip(weights)
            .filter(|(_, row)| made(row))
            .map(|((_, factors), _)| factors.as_slice())
            .collect();
        let mut sums = Samples::linear_columns(&samples, &rows)?.into_iter();
        let all = heads.into_iter().zip(weights).map(|((head, _), row)| match one_of(row) {
            Some(column) => Ok(Self { samples: samples[column].owned()?, ..head }),
            None => {
                let samples = sums.next().ok_or(Error::NoValues)?;
                let growth = Growth::none(head.space, head.noise_variance());
                head.with_noise(head.space, &growth, samples, head.origin.clone())
            }
        });
        all.collect()
    }

    /// None of the values of Σ_j `row[j]` · columns\[j\], but what is known of them, and by how much each column's
    /// ciphertexts are to be multiplied; a column alone stays as it is.
    pub(super) fn combination_head(
        columns: &[&Self],
        row: &[i64],
        name: &'static str,
    ) -> Result<(Self, Vec<i64>), Error> {
        let (first, others) = columns.split_first().ok_or(Error::NoValues)?;
        for other in others {
            other.check_key(&first.params, first.key_id)?;
            if first.len() != other.len() {
                return Err(Error::Lengths { what: name.into(), left: first.len(), right: other.len() });
            }
        }
        if row.len() != columns.len() {
            return Err(Error::Lengths { what: name.into(), left: columns.len(), right: row.len() });
        }
        if let Some(column) = one_of(row) {
            let Self { params, samples, origin, .. } = columns[column];
            let samples = Samples::new(samples.form.clone(), samples.layout, Vec::new());
            let (params, variance) = (params.clone(), columns[column].variance.clone());
            let alone = Self { params, variance, samples, origin: origin.clone(), ..*columns[column] };
            return Ok((alone, row.to_vec()));
        }
        columns.iter().try_for_each(|column| column.check_open("a sum"))?;
        let spaces: Vec<Space> = columns.iter().map(|column| column.space).collect();
        let (space, factors) = Space::combined(&spaces, row, BitLimit::of(&first.params), name)?;
        let space = columns.iter().fold(space, |space, column| space.beside(column.space));
        let of_weights = columns.iter().zip(&factors).filter(|(_, factor)| **factor != 0);
        let operand = of_weights.map(|(column, _)| column.noise_variance()).fold(0.0, f64::max);
        let noise = |of: Variances<'_>| noise_of(columns, &factors, |column| of(column.space, column.noise_variance()));
        let Noise { origin, in_common, .. } = noise(&|_, own| own);
        let growth = Growth::of(|of| noise(of).variance, &factors, (first.space, operand)).sharing(in_common);
        let variance = first.within_promise(space, &growth)?;
        drop(growth);
        Ok((Self::head(&first.params, first.key_id, space, variance.into(), origin), factors))
    }

    /// Refuses another key, or values of another kind.
    fn check_kind(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        other.check_key(&self.params, self.key_id)?;
        let (left, right) = (self.space, other.space);
        let kind = |space: Space| (space.moduli(), space.kept_integers().is_some(), space.modulus());
        if kind(left) != kind(right) {
            return Err(Error::Operands { operation, left, right, engine: Engine::Fhew });
        }
        Ok(())
    }
}

impl EngineRows for Ciphertexts {
    fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let len = self.len();
        let [start, end] = ends(range, len);
        if start > end || end > len {
            return Err(Error::Slice { start, end, len, aligned: 1 });
        }
        let limbs = self.space.limbs();
        let samples = self.samples.piece(start * limbs..end * limbs).owned()?;
        Ok(Self { samples, ..self.slice_head(start, end - start) })
    }

    fn concat(vectors: &[&Self]) -> Result<Self, Error> {
        let heads: Vec<(&Self, usize)> = vectors.iter().map(|vector| (*vector, vector.len())).collect();
        let head = Self::concat_head(&heads)?;
        let samples: Vec<&Samples<'static>> = vectors.iter().map(|vector| &vector.samples).collect();
        Ok(Self { samples: Samples::concat(&samples, head.samples.form.clone())?, ..head })
    }

    fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error> {
        let weights: Vec<&[i64]> = weights.iter().map(AsRef::as_ref).collect();
        Self::combinations(columns, &weights, "linear map")
    }
}

/// The column that a row of weights is, 1 times one and nothing else.
pub(super) fn one_of(row: &[i64]) -> Option<usize> {
    let mut others = row.iter().enumerate().filter(|(_, weight)| **weight != 0);
    let (column, weight) = others.next()?;
    (*weight == 1 && others.next().is_none()).then_some(column)
}

/// The noise of a sum.
struct Noise {
    variance: f64,
    /// Where it comes from.
    origin: Origin,
    /// Whether two terms have some in common.
    in_common: bool,
}

/// The noise of Σ_j `row[j]` · columns\[j\]: standard deviations add where the next column shares an origin with those
/// before.
fn noise_of(columns: &[&Ciphertexts], row: &[i64], variance: impl Fn(&Ciphertexts) -> f64) -> Noise {
    let terms = columns.iter().zip(row).filter(|(_, weight)| **weight != 0);
    let terms = terms.map(|(column, &weight)| (variance(column) * (weight as f64).powi(2), &column.origin));
    let sum = terms.fold(None, |sum: Option<Noise>, (variance, origin)| match sum {
        None => Some(Noise { variance, origin: origin.clone(), in_common: false }),
        Some(sum) => {
            let meets = sum.origin.meets(origin);
            let variance = match meets {
                true => (sum.variance.sqrt() + variance.sqrt()).powi(2),
                false => sum.variance + variance,
            };
            Some(Noise { variance, origin: sum.origin.and(origin), in_common: sum.in_common || meets })
        }
    });
    sum.unwrap_or(Noise { variance: 0.0, origin: Origin::trivial(), in_common: false })
}
