//! Vectors cut and put together, and matrices across columns.
use crate::engines::EngineRows;
use crate::engines::of::{Of, alike, all};
use crate::{Ciphertexts, Error, bfv, ckks, fhew};
use std::ops::RangeBounds;

impl Ciphertexts {
    /// The values of a range, in their order: fresh ones stay as small as they are, and the bound on noise
    /// stays.
    ///
    /// Ciphertexts are taken whole: with engine ckks, which has [`Params::capacity`](crate::Params::capacity)
    /// values in each, a slice starts at a multiple of it, and ends at one or at the end.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Ciphertexts, Client, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let all = client.encrypt(&[1, 2, 3, 4, 5])?;
    /// assert_eq!(client.decrypt(&all.slice(1..3)?)?, [2, 3]);
    /// let again = Ciphertexts::concat([&all.slice(..2)?, &all.slice(2..)?])?;
    /// assert_eq!(client.decrypt(&again)?, [1, 2, 3, 4, 5]);
    /// assert!(all.slice(3..7).unwrap_err().to_string().starts_with("values 3..7 of 5: expected a range within them"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Slice`] for values that there are not, ciphertexts that would be cut, or none with engine
    /// ckks; [`Error::CiphertextMemory`].
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.slice(range)?)))
    }

    /// The values of all vectors, one vector after the other, with the largest bound on noise of them.
    ///
    /// Fresh vectors stay as small as they are, up to 4096 of them; beside others they are expanded. Where two share an
    /// origin, two values of the result may have noise in common: linear maps of its values are bounded by standard
    /// deviations then. Integers get the least range that holds all.
    ///
    /// Ciphertexts are taken whole: with engine ckks each vector but the last has a multiple of
    /// [`Params::capacity`](crate::Params::capacity) values.
    ///
    /// # Errors
    /// [`Error::NoValues`] for no vector; [`Error::Unfilled`] for ciphertexts that would have to be filled;
    /// [`Error::Operands`] for other spaces, [`Error::Overflow`] for ranges that have no room together; with engine bfv
    /// [`BfvError::States`](crate::BfvError::States) for vectors of different histories;
    /// [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`]; [`Error::NoiseBudget`],
    /// [`Error::CiphertextMemory`].
    pub fn concat<'a>(vectors: impl IntoIterator<Item = &'a Self>) -> Result<Self, Error> {
        Ok(Self(alike!(of_one_engine(vectors)?, vectors => EngineRows::concat(&vectors)?)))
    }

    /// Σ_j `weights[i][j]` · columns\[j\] for each i, value by value: a matrix across columns, a vector for
    /// each row.
    ///
    /// Each result has the bound of its own row: Σ_j `weights[i][j]`²·σ_j², or (Σ_j |`weights[i][j]`|·σ_j)²
    /// of columns that share an origin. Results of rows that take one column share that column's noise, and
    /// know it: their sum has the sum of their standard deviations. Columns of weight 0 leave no noise.
    ///
    /// A column is expanded once for all rows. Time: a product for each weight that is not 0, and value.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Ciphertexts, Client, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let columns = [client.encrypt(&[1, 2])?, client.encrypt(&[3, 4])?];
    /// let rows = Ciphertexts::linear_columns(&columns, &[[1, 1], [-1, 2]])?;
    /// assert_eq!(client.decrypt(&rows[0])?, [4, 6]);
    /// assert_eq!(client.decrypt(&rows[1])?, [5, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::NoValues`] for no column, [`Error::Lengths`] for a row of another length.
    pub fn linear_columns<'a>(
        columns: impl IntoIterator<Item = &'a Self>,
        weights: &[impl AsRef<[i64]>],
    ) -> Result<Vec<Self>, Error> {
        let columns: Vec<&Self> = columns.into_iter().collect();
        let of_one_engine = of_one_engine(columns.iter().copied())?;
        if let Some(row) = weights.iter().map(AsRef::as_ref).find(|row| row.len() != columns.len()) {
            return Err(Error::Lengths { what: "linear map".into(), left: columns.len(), right: row.len() });
        }
        let rows = alike!(of_one_engine, columns => EngineRows::linear_columns(&columns, weights)?);
        Ok(rows.each(Self))
    }
}

/// Vectors of the engine of the first.
pub(super) type OfOne<'a> = Of<Vec<&'a fhew::Ciphertexts>, Vec<&'a ckks::Ciphertexts>, Vec<&'a bfv::Ciphertexts>>;

pub(super) fn of_one_engine<'a>(vectors: impl IntoIterator<Item = &'a Ciphertexts>) -> Result<OfOne<'a>, Error> {
    all(vectors.into_iter().map(|x| x.0.as_ref()))
}
