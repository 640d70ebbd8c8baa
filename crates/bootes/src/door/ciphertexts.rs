//! Vectors of encrypted integers.
use crate::engines::of::{Of, alike, each, named};
use crate::engines::{self, Engine, EngineCiphertexts, Stored};
use crate::{Error, Params, Plain, Space, bfv, ckks, fhew, files};
use std::io::{Read, Write};

/// A vector of encrypted integers, a column: results of tables, and sums, are such vectors again.
///
/// A bound on the noise travels along, in files too. Operations that would break the promise of the parameters are
/// refused ([`Error::NoiseBudget`]).
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Ciphertexts, Client, Params};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let (x, y) = (client.encrypt(&[1, 2])?, client.encrypt(&[3, 4])?);
/// let sum = Ciphertexts::weighted_sum([(2, &x), (-1, &y)])?.add_constant(5)?;
/// assert_eq!(client.decrypt(&sum)?, [4, 5]);
/// let sent = sum.to_bytes()?;
/// assert_eq!(client.decrypt(&Ciphertexts::from_bytes(&sent)?)?, [4, 5]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Ciphertexts(pub(crate) Of<fhew::Ciphertexts, ckks::Ciphertexts, bfv::Ciphertexts>);

impl Ciphertexts {
    /// The number of values.
    #[expect(clippy::len_without_is_empty, reason = "engines ckks and bfv have no empty vectors")]
    pub fn len(&self) -> usize {
        each!(&self.0, x => x.len())
    }

    /// The number of ciphertexts of the scheme: one or two a value, or one for [`Params::capacity`] values.
    pub fn ciphertexts(&self) -> usize {
        each!(&self.0, x => x.ciphertexts())
    }

    /// The message space: residues, or integers of a range.
    pub fn space(&self) -> Space {
        each!(&self.0, x => x.space())
    }

    /// Whether they are compressed ([`Server::compress`](crate::Server::compress)): for decryption alone.
    pub fn is_compressed(&self) -> bool {
        each!(&self.0, x => x.is_compressed())
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(alike!(&self.0, x => x.params().clone()))
    }

    /// Identifier of their key.
    pub fn key_id(&self) -> [u8; 16] {
        each!(&self.0, x => x.key_id())
    }

    /// The noise budget: log2 of the factor by which the noise may grow still until the promise of the parameters would
    /// break, so that [`Self::mul_small`] takes factors of so many bits; factors of residues modulo p are brought to
    /// −p/2 to p/2 first. Never less than 0.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Params};
    /// let x = Client::generate(&Params::named("toy_4")?)?.encrypt(&[3])?;
    /// let used = x.noise_budget() - x.mul_small(4)?.noise_budget();
    /// assert!((used - 2.0).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    pub fn noise_budget(&self) -> f64 {
        each!(&self.0, x => x.noise_budget())
    }

    /// The bound on the variance of the noise in turns, that of the noisier limb; with engine ckks in the
    /// slot where it is largest, for every key, and without the bias.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Ciphertexts, Client, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let (x, y) = (client.encrypt(&[3])?, client.encrypt(&[4])?);
    /// let growth = |sum: Ciphertexts| sum.noise_variance() / x.noise_variance();
    /// assert!((growth(x.add(&y)?) - 2.0).abs() < 1e-9);
    /// // Of one origin: standard deviations add.
    /// assert!((growth(x.add(&x)?) - 4.0).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    pub fn noise_variance(&self) -> f64 {
        each!(&self.0, x => x.noise_variance())
    }

    /// self + other, value by value. Residues wrap; integers whose sum might have no room are refused.
    ///
    /// # Errors
    /// As all linear operations: [`Error::NoiseBudget`], [`Error::Overflow`]; [`Error::Lengths`], [`Error::Operands`],
    /// [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`] unless both are alike.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        let both = self.0.as_ref().with(other.0.as_ref(), "ciphertext")?;
        Ok(Self(alike!(both, (x, y) => x.add(y)?)))
    }

    /// Trivial ciphertexts: values that everybody knows, in the space of these (integers: of the values' own range) and
    /// for their key, without mask or noise: operands as any others.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let known = client.encrypt([3, 15])?.constants([1, 2])?;
    /// assert_eq!(client.decrypt(&known)?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Lengths`] unless there is a value for each of these; [`Error::Overflow`], [`Error::Compressed`].
    pub fn constants(&self, values: impl IntoIterator<Item: Plain>) -> Result<Self, Error> {
        // What no ciphertext of one limb holds is refused as such.
        let nearest = |value: i128| i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX });
        let values: Vec<i64> = values.into_iter().map(|value| nearest(value.to_i128())).collect();
        self.mul_small(0)?.add_constants(&values)
    }

    /// self − other, value by value.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn sub(&self, other: &Self) -> Result<Self, Error> {
        let both = self.0.as_ref().with(other.0.as_ref(), "ciphertext")?;
        Ok(Self(alike!(both, (x, y) => x.sub(y)?)))
    }

    /// factor · self; the standard deviation of the noise grows by |factor|. A factor of residues modulo p is first
    /// brought to −p/2 to p/2: 255 is −1 modulo 256.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.mul_small(factor)?)))
    }

    /// self + constant, on every value.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.add_constant(constant)?)))
    }

    /// self + constants, one for each value.
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::Lengths`] for more or fewer constants.
    pub fn add_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.add_constants(constants)?)))
    }

    /// self · constants, one for each value, with engines fhew and bfv: without keys, and for less noise than a product
    /// with their encryption. Noise with engine fhew: that of [`Self::mul_small`] by the largest.
    ///
    /// # Errors
    /// As [`Self::add_constants`]; [`Error::NotWith`] for engine ckks, where all values of a ciphertext have one
    /// factor.
    pub fn mul_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.mul_constants(constants)?)))
    }

    /// Σ weight·column, value by value: a linear map across columns.
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::NoValues`] for no column.
    pub fn weighted_sum<'a>(columns: impl IntoIterator<Item = (i64, &'a Self)>) -> Result<Self, Error> {
        let (weights, columns): (Vec<i64>, Vec<&Self>) = columns.into_iter().unzip();
        Self::linear_columns(columns, &[weights])?.pop().ok_or(Error::NoValues)
    }

    /// Σ_j `weights[i][j]` · self\[j\] for each i: a linear map of the values of one column.
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::Lengths`] for a row of another length; [`Error::NotWith`] for engines ckks
    /// and bfv, where it would take a rotation for each diagonal of the matrix.
    pub fn linear_map(&self, weights: &[impl AsRef<[i64]>]) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.linear_map(weights)?)))
    }

    /// The same as residues, whose sums wrap, if they are integers.
    ///
    /// # Errors
    /// [`Error::Space`] for integers of two ciphertexts.
    pub fn as_residues(&self) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.as_residues()?)))
    }

    /// The same as integers of this range: residues modulo 2^b become those that are congruent, and integers stay what
    /// they are. A range of fewer than 2^b integers is the caller's word that all are in it, which is not checked.
    ///
    /// # Errors
    /// [`Error::Space`] unless they are residues modulo a power of two, of as many integers or more, or integers of a
    /// range within this one; [`Error::NotWith`] for engine bfv.
    pub fn as_integers(&self, range: std::ops::RangeInclusive<i128>) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.as_integers(range.clone().into())?)))
    }

    /// The same in as few bits as the promise allows, as [`Server::compress`](crate::Server::compress) gives them with
    /// engine ckks, which takes no key for it.
    ///
    /// # Errors
    /// [`Error::NotWith`] for the other engines.
    pub fn compressed_alone(&self) -> Result<Self, Error> {
        Ok(Self(alike!(&self.0, x => x.compressed_alone()?)))
    }

    /// The bytes of their file.
    pub fn stored_bytes(&self) -> u64 {
        each!(&self.0, x => x.stored_bytes())
    }

    /// Writes them, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        each!(&self.0, x => x.write(out))
    }

    /// Reads a vector, and nothing beyond its end; every size is checked, the bound on noise, and the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what are no ciphertexts; [`Error::NoiseBound`], [`Error::ChangedParams`];
    /// [`Error::CiphertextMemory`] before it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        let (header, _, input) = files::peek(input)?;
        Ok(Self(named!(engines::of_kind(header.kind), E => <E as Engine>::Ciphertexts::read_within(None, input)?)))
    }
}

files::in_files!(Ciphertexts, "A vector", files::Content::Values);
