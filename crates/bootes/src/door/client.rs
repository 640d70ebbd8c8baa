//! The secret side.
use crate::door::server_key::ServerKeyBuilder;
use crate::engines::of::{Of, alike, each, named};
use crate::engines::{self, ClientKey, Encryptor, Engine, EngineClient};
use crate::memory::reserved_as;
use crate::names::read_kind;
use crate::{CiphertextReader, Ciphertexts, Error, Interval, Params, Plain, ServerKey, bfv, ckks, fhew, files};
use bootes_lut::planning;
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params};
/// let client = Client::generate(&Params::named("toy_4")?)?; // Params::for_bits(4)? in earnest
/// let encrypted = client.encrypt(&[3, 15])?;
/// assert_eq!(client.decrypt(&encrypted.add(&encrypted)?)?, [6, 14]);
/// let again = Client::from_bytes(&client.export_secret_bytes())?;
/// assert_eq!(again.key_id(), client.key_id());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Client(pub(crate) Arc<Of<fhew::Client, ckks::Client, bfv::Client>>);

/// A client and vectors of one engine.
type Pair<'a> = Of<
    (&'a fhew::Client, &'a fhew::Ciphertexts),
    (&'a ckks::Client, &'a ckks::Ciphertexts),
    (&'a bfv::Client, &'a bfv::Ciphertexts),
>;

/// Values that are taken between looks whether somebody still wants them.
const TOGETHER: usize = 1 << 10;

/// The values side by side, and nowhere else once they are dropped.
pub(crate) fn gathered(values: impl IntoIterator<Item: Plain>) -> Result<Zeroizing<Vec<i128>>, Error> {
    let values = values.into_iter();
    let mut all = Zeroizing::new(reserved_as(values.size_hint().0, 1)?);
    for value in values {
        if all.len().is_multiple_of(TOGETHER) {
            planning::wanted()?;
        }
        if all.len() == all.capacity() {
            // A vector that grows by itself leaves a copy.
            let mut larger = Zeroizing::new(reserved_as(2 * all.len() + 16, 1)?);
            larger.extend_from_slice(&all);
            all = larger;
        }
        all.push(value.to_i128());
    }
    Ok(all)
}

/// Values that have room in 64 bits with a sign.
fn short(values: Vec<i128>) -> Result<Vec<i64>, Error> {
    let one = |(index, value): (usize, i128)| i64::try_from(value).map_err(|_| Error::Wide { index, value });
    values.into_iter().enumerate().map(one).collect()
}

impl Client {
    /// New keys from the system's randomness.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(params: &Params) -> Result<Self, Error> {
        Ok(Self(Arc::new(alike!(&params.0, params => ClientKey::generate(params)?))))
    }

    /// The secret keys of a seed and a set, the same every time: the seed is as secret as they are, and 32 bytes that
    /// nobody guesses. Server keys and ciphertexts are made with fresh randomness all the same.
    pub fn from_seed(params: &Params, seed: &[u8; 32]) -> Self {
        Self(Arc::new(alike!(&params.0, params => ClientKey::from_seed(params, seed))))
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(alike!(&*self.0, client => client.params().clone()))
    }

    /// A public identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        each!(&*self.0, client => client.key_id())
    }

    /// Encrypts residues modulo 2^bits, bits as the parameters have, or with engine bfv modulo what the set is for:
    /// their sums wrap. Values are of any type of integers, or references to them: slices, vectors, iterators.
    ///
    /// # Errors
    /// [`Error::Value`], [`Error::Residue`] for one that is out of range; [`Error::NoValues`] for none, where values
    /// share ciphertexts; [`Error::Randomness`].
    pub fn encrypt(&self, values: impl IntoIterator<Item: Plain>) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt(&gathered(values)?)?)))
    }

    /// Encrypts residues modulo 2^`bits`, at most as many bits as the parameters have, or with sets of engine fhew for
    /// integers as those have: what is too long for one bootstrap is kept as integers congruent to it
    /// ([`crate::Integers::modulus`]), and tables take digits.
    ///
    /// # Errors
    /// As [`Self::encrypt`]; [`Error::Bits`], [`Error::Modulus`] for more bits.
    pub fn encrypt_bits(&self, values: impl IntoIterator<Item: Plain>, bits: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt_bits(&gathered(values)?, bits)?)))
    }

    /// Encrypts residues modulo `p`.
    ///
    /// # Errors
    /// As [`Self::encrypt_bits`].
    pub fn encrypt_modulo(&self, values: impl IntoIterator<Item: Plain>, p: u64) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt_modulo(&gathered(values)?, p)?)))
    }

    /// Encrypts integers of `width` bits with a sign, whose sums do not wrap.
    ///
    /// # Errors
    /// [`Error::Integer`], [`Error::Width`]; [`Error::NotForIntegers`] for sets of engine ckks that are made for
    /// tables, [`Error::NotWith`] for engine bfv.
    pub fn encrypt_integers(&self, values: impl IntoIterator<Item: Plain>, width: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt_integers(&gathered(values)?, width)?)))
    }

    /// Encrypts integers of `width` bits without a sign. With sets of engine ckks that are made for tables they are
    /// residues modulo 2^`width`, which may have more bits than tables take: for [`crate::Function::Digits`].
    ///
    /// # Errors
    /// [`Error::Integer`], [`Error::Residue`], [`Error::Width`], [`Error::Bits`]; [`Error::NotWith`] for engine bfv.
    pub fn encrypt_unsigned(&self, values: impl IntoIterator<Item: Plain>, width: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt_unsigned(&gathered(values)?, width)?)))
    }

    /// Encrypts integers of a range, in `width` bits: what is known of them is public, and travels along.
    ///
    /// # Errors
    /// [`Error::Integer`], [`Error::Room`], [`Error::Width`]; [`Error::NotForIntegers`], [`Error::NotWith`] as for
    /// [`Self::encrypt_integers`].
    pub fn encrypt_within(
        &self,
        values: impl IntoIterator<Item: Plain>,
        range: impl Into<Interval>,
        width: u32,
    ) -> Result<Ciphertexts, Error> {
        let (values, range) = (gathered(values)?, range.into());
        Ok(Ciphertexts(alike!(&*self.0, client => client.encrypt_within(&values, range, width)?)))
    }

    /// Decrypts what they hold, by [`Ciphertexts::space`]: residues, 0 to p − 1, or integers of the range.
    ///
    /// # Errors
    /// [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`]; [`Error::CiphertextMemory`];
    /// [`Error::Wide`] for a value of 2^63 or more.
    pub fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        short(self.decrypt_wide(ciphertexts)?)
    }

    /// The same of integers of any length: those of 64 bits without a sign may be beyond an `i64`.
    ///
    /// # Errors
    /// As [`Self::decrypt`], but [`Error::Wide`].
    pub fn decrypt_wide(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i128>, Error> {
        each!(self.with(ciphertexts)?, (client, x) => client.decrypt_integers(x))
    }

    /// The same of residues, or integers none of which may be negative, as [`Self::encrypt`] takes them.
    ///
    /// # Errors
    /// As [`Self::decrypt`], but [`Error::Wide`] for 2^64 or more; [`Error::Space`] for integers that may be negative.
    pub fn decrypt_residues(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        each!(self.with(ciphertexts)?, (client, x) => client.decrypt(x))
    }

    /// [`Self::decrypt`] of ciphertexts that are read as they are needed.
    ///
    /// # Errors
    /// As [`Self::decrypt`]; [`Error::Stream`].
    pub fn decrypt_from(&self, ciphertexts: CiphertextReader<'_>) -> Result<Vec<i64>, Error> {
        short(self.decrypt_wide_from(ciphertexts)?)
    }

    /// [`Self::decrypt_wide`] of ciphertexts that are read as they are needed.
    ///
    /// # Errors
    /// As [`Self::decrypt_wide`]; [`Error::Stream`].
    pub fn decrypt_wide_from(&self, ciphertexts: CiphertextReader<'_>) -> Result<Vec<i128>, Error> {
        let both = (*self.0).as_ref().with(ciphertexts.input, "ciphertext")?;
        each!(both, (client, input) => client.decrypt_from(input))
    }

    /// The noise of each ciphertext in turns, −½ to ½: its phase less the encoding of its plaintext. The
    /// limbs of a value stand side by side. It shows how far results are below the bound that travels with
    /// them ([`Ciphertexts::noise_variance`]).
    ///
    /// **Whoever sees the noise together with the ciphertexts knows the secret key**: it is for measurements,
    /// and for nobody who has ciphertexts of others.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let encrypted = client.encrypt(&[3, 15])?;
    /// let noise = client.measure_noise(&encrypted, &[3, 15])?;
    /// assert!(noise.iter().all(|e| e.abs() < 10.0 * encrypted.noise_variance().sqrt()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Lengths`] unless there is a plaintext for each value; [`Error::OtherParams`],
    /// [`Error::OtherKey`], [`Error::OtherEngine`]; [`Error::NotWith`] for engine bfv, whose noise is that of
    /// coefficients and not of values.
    pub fn measure_noise(
        &self,
        ciphertexts: &Ciphertexts,
        values: impl IntoIterator<Item: Plain>,
    ) -> Result<Vec<f64>, Error> {
        let values = gathered(values)?;
        if values.len() != ciphertexts.len() {
            let (left, right) = (ciphertexts.len(), values.len());
            return Err(Error::Lengths { what: "measurement of noise".into(), left, right });
        }
        each!(self.with(ciphertexts)?, (client, x) => client.measure_noise(x, &values))
    }

    /// This client and vectors of its engine.
    fn with<'a>(&'a self, ciphertexts: &'a Ciphertexts) -> Result<Pair<'a>, Error> {
        (*self.0).as_ref().with(ciphertexts.0.as_ref(), "ciphertext")
    }

    /// The key that the server needs: public, and another one at every call. Engine fhew makes it with one thread, the
    /// others with as many as the machine has.
    ///
    /// # Errors
    /// As [`ServerKeyBuilder::build`].
    pub fn server_key(&self) -> Result<ServerKey, Error> {
        self.server_key_builder().build()
    }

    /// A server key with limits, additional keys, or someone who watches it.
    pub fn server_key_builder(&self) -> ServerKeyBuilder {
        ServerKeyBuilder::new(self)
    }

    /// The secret key in bytes, the name of the set and a seed: keep them secret.
    pub fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        each!(&*self.0, client => client.export_secret_bytes())
    }

    /// A client from [`Self::export_secret_bytes`].
    ///
    /// # Errors
    /// [`Error::Wire`] for what is no client key; [`Error::ChangedParams`], [`Error::OtherKey`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let engine = engines::of_kind(read_kind(bytes)?);
        Ok(Self(Arc::new(named!(engine, E => <E as Engine>::Client::from_bytes(bytes)?))))
    }

    /// Writes [`Self::export_secret_bytes`] to a file that only its owner reads.
    ///
    /// # Errors
    /// [`Error::File`]: what was there is there still.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        files::save_secret(path.as_ref(), &self.export_secret_bytes())
    }

    /// A client from a file of [`Self::save`].
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::InFile`] with what [`Self::from_bytes`] says.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::from_bytes(&files::read_secret(path)?).map_err(|error| files::within(path, error))
    }
}
