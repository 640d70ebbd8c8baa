//! Values that move between engines.
use crate::engines::Stored;
use crate::engines::conversion::{self, How, Positions};
use crate::names::hex;
use crate::{Cancel, CiphertextReader, Ciphertexts, Client, Error, Params, Server, files};
use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

/// The key by which a server makes ciphertexts of one client those of another, of another engine, and learns nothing of
/// them. From engine ckks to engine fhew: thousands of values are sent in few bytes, and single ones of them evaluated
/// one at a time. And back: results of single evaluations become a batch, for a table on all. Vectors modulo p of
/// engine bfv likewise, with their server ([`Self::with_server`]).
///
/// It is public, and made by who has both clients. It has the secret of one under that of the other: whoever breaks the
/// latter's set has both. Keys of some megabytes, which are expanded at their first use.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, ConversionKey, Lut, Params, Server};
/// let batch = Client::generate(&Params::named("toy_batch_4bit")?)?; // Params::for_bits(4)?.many(65536)? in earnest
/// let single = Client::generate(&Params::named("toy_4")?)?; // Params::for_bits(4)?
/// let (key, server) = (batch.conversion_key(&single)?.to_bytes()?, Server::new(single.server_key()?)?);
///
/// let sent = batch.encrypt((0..1000).map(|x| x % 16))?;
/// let picked = ConversionKey::from_bytes(&key)?.convert(&sent, [999, 5])?;
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// assert_eq!(single.decrypt(&server.evaluate(&square, &picked)?)?, [7 * 7 % 16, 5 * 5 % 16]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ConversionKey {
    key: conversion::ConversionKey,
    how: How,
}

impl Client {
    /// The key by which a server makes ciphertexts of this client those of `to`, one of engine fhew and one of engine
    /// ckks or bfv: another one at every call. Each direction has a key of its own.
    ///
    /// # Errors
    /// [`Error::Conversion`] for clients of other engines, and for sets of engine bfv that do not bootstrap or have
    /// values that the other set has not; [`Error::Lattice`] for toy sets whose rings do not fit;
    /// [`Error::Randomness`].
    pub fn conversion_key(&self, to: &Self) -> Result<ConversionKey, Error> {
        Ok(ConversionKey::of(conversion::ConversionKey::generate(&self.0, &to.0)?))
    }
}

impl ConversionKey {
    fn of(key: conversion::ConversionKey) -> Self {
        Self { key, how: How::default() }
    }

    /// The parameters of the ciphertexts that are converted.
    pub fn source_params(&self) -> Params {
        Params(self.key.source().0)
    }

    /// The parameters of those that come out.
    pub fn target_params(&self) -> Params {
        Params(self.key.target().0)
    }

    /// Identifier of the key of the ciphertexts that are converted.
    pub fn source_key_id(&self) -> [u8; 16] {
        self.key.source().1
    }

    /// Identifier of the key of those that come out.
    pub fn target_key_id(&self) -> [u8; 16] {
        self.key.target().1
    }

    /// The values at these positions, in this order, as ciphertexts of the other client, of the same message space:
    /// ordinary inputs. Their bound on noise is that of the ciphertexts, and what the conversion adds, some 2^-30 of a
    /// turn, or that of rounding to a batch's modulus; in sums of them it counts as one noise, as they may share a
    /// ciphertext.
    ///
    /// Out of a batch a ciphertext takes some milliseconds, whatever number of its values is wanted, and a value some
    /// microseconds. Into one a value takes up to a millisecond, and a tenth of one where the ciphertext is full.
    /// Engine bfv has half a bootstrapping in each ciphertext besides.
    ///
    /// # Errors
    /// [`Error::Conversion`] for a missing server, positions that there are not, spaces that the other parameters do
    /// not hold, and noise that breaks their promise; [`Error::NoValues`] for a batch of none; [`Error::Compressed`],
    /// [`Error::Space`] for what is not to be evaluated; [`Error::OtherParams`], [`Error::OtherKey`],
    /// [`Error::OtherEngine`]; [`Error::CiphertextMemory`], [`Error::Memory`]; [`Error::Threads`];
    /// [`Error::Cancelled`].
    pub fn convert(&self, x: &Ciphertexts, positions: impl IntoIterator<Item = usize>) -> Result<Ciphertexts, Error> {
        self.converted(x, &Positions::These(&positions.into_iter().collect::<Vec<_>>()))
    }

    /// [`Self::convert`] of all values.
    ///
    /// # Errors
    /// As there.
    pub fn convert_all(&self, x: &Ciphertexts) -> Result<Ciphertexts, Error> {
        self.converted(x, &Positions::All)
    }

    fn converted(&self, x: &Ciphertexts, positions: &Positions<'_>) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(self.key.convert(&x.0, positions, &self.how)?))
    }

    /// [`Self::convert`] of a vector that is read as it is wanted; results are written as they come, and the output is
    /// given back. In memory are a thousand results out of a batch, or the values of one ciphertext into one, and what
    /// was read and comes later, where positions go back.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{CiphertextReader, Client, Params};
    /// # let batch = Client::generate(&Params::named("toy_batch_4bit")?)?;
    /// # let single = Client::generate(&Params::named("toy_4")?)?;
    /// let (key, sent) = (batch.conversion_key(&single)?, batch.encrypt(0..16)?.to_bytes()?);
    /// let some = key.with_threads(2).convert_to(CiphertextReader::new(&sent[..])?, [9, 5], Vec::new())?;
    /// assert_eq!(single.decrypt_from(CiphertextReader::new(&some[..])?)?, [9, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::convert`]; [`Error::Stream`], where what was written is worth nothing.
    pub fn convert_to<W: Write>(
        &self,
        x: CiphertextReader<'_>,
        positions: impl IntoIterator<Item = usize>,
        out: W,
    ) -> Result<W, Error> {
        let positions: Vec<usize> = positions.into_iter().collect();
        self.key.convert_to(x.input, &Positions::These(&positions), out, &self.how)
    }

    /// [`Self::convert_to`] of all values.
    ///
    /// # Errors
    /// As there.
    pub fn convert_all_to<W: Write>(&self, x: CiphertextReader<'_>, out: W) -> Result<W, Error> {
        self.key.convert_to(x.input, &Positions::All, out, &self.how)
    }

    /// What becomes of values like these, before any is converted: parameters, space and noise, as of
    /// [`CiphertextReader::head`]. Plans are made for it ([`Server::plan`](crate::Server::plan)), and nothing else.
    ///
    /// # Errors
    /// As [`Self::convert`].
    pub fn head(&self, x: &Ciphertexts) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(self.key.head(&x.0)?))
    }

    /// The same key with the server of its client of engine bfv. Vectors have their values in slots: half of a
    /// bootstrapping moves them to where they are converted, the other half back, so that the result may be computed on
    /// as what was bootstrapped.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Lut, Params, Program, Server};
    /// let vectors = Client::generate(&Params::named("toy_slots_7")?)?; // Params::for_vectors(127)? in earnest
    /// let single = Client::generate(&Params::named("toy_4")?)?; // fhew_bits_2m128
    /// let (many, few) = (Server::new(vectors.server_key()?)?, Server::new(single.server_key()?)?);
    /// let out = vectors.conversion_key(&single)?.with_server(&many)?;
    /// let back = single.conversion_key(&vectors)?.with_server(&many)?;
    ///
    /// let x = vectors.encrypt([0, 1, 2, 3, 4, 5, 6])?;
    /// let next = Lut::modular((0..7).map(|x| (x + 1) % 7).collect(), 7)?;
    /// let some = few.evaluate(&next, &out.convert(&x, [6, 4])?)?;
    /// let squares = many.evaluate(Program::parse("x*x", &[])?, &back.convert_all(&some)?)?;
    /// assert_eq!(vectors.decrypt(&squares)?, [0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherEngine`], [`Error::OtherParams`], [`Error::OtherKey`] for another server;
    /// [`Error::Conversion`] for a key that takes none.
    pub fn with_server(&self, server: &Server) -> Result<Self, Error> {
        self.key.check_server(&server.engine)?;
        Ok(Self { how: How { server: Some(Arc::clone(&server.engine)), ..self.how.clone() }, ..self.clone() })
    }

    /// The same key, whose conversions take so many threads instead of one for each processor.
    #[must_use]
    pub fn with_threads(&self, threads: usize) -> Self {
        Self { how: How { threads: Some(threads), ..self.how.clone() }, ..self.clone() }
    }

    /// The same key, whose conversions somebody watches: which part is done, from 0 to 1.
    #[must_use]
    pub fn watched(&self, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self { how: How { progress: Some(Arc::new(progress)), ..self.how.clone() }, ..self.clone() }
    }

    /// The same key, whose conversions end within a second from when `cancel` says so, with [`Error::Cancelled`]; this
    /// one's go on.
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { how: How { cancel: cancel.clone(), ..self.how.clone() }, ..self.clone() }
    }

    /// Bytes of memory that so many results take while they are made, beside the key and the vector.
    pub fn result_bytes(&self, count: usize) -> u64 {
        self.key.result_bytes(count)
    }

    /// The same of [`Self::convert_to`], where positions go forward.
    pub fn stream_bytes(&self, count: usize) -> u64 {
        self.key.stream_bytes(count)
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        self.key.stored_bytes()
    }

    /// Writes the key, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        self.key.write(out)
    }

    /// Reads a key, and nothing beyond its end; every size is checked, and the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what is no such key; [`Error::ChangedParams`]; [`Error::Memory`] before
    /// it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Ok(Self::of(conversion::ConversionKey::read_within(None, input)?))
    }
}

files::in_files!(ConversionKey, "A key", files::Content::Key);

impl fmt::Debug for ConversionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [self.source_params(), self.target_params()].map(|params| params.name().to_string());
        let ids = [self.source_key_id(), self.target_key_id()].map(|id| hex(&id));
        f.debug_struct("ConversionKey").field("from", &from).field("to", &to).field("key_ids", &ids).finish()
    }
}
