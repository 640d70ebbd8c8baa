//! Ciphertexts that are read as they are needed.
use crate::engines::of::{Of, alike, all, each, named};
use crate::engines::{self, Engine, EngineReader};
use crate::files::{self, Peeked};
use crate::{Ciphertexts, Error, Params, Space, bfv, ckks, fhew};
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::RangeBounds;

/// A file or stream of [`Ciphertexts`], of which a few at a time are in memory, for
/// [`Server::run_to`](crate::Server::run_to) and [`Client::decrypt_from`](crate::Client::decrypt_from).
///
/// The checksum is verified at the end: until then what was read may be damaged, and nothing made of it may be used.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{CiphertextReader, Client, Lut, Params, Server};
/// # let client = Client::generate(&Params::named("toy_4")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// let sent = client.encrypt(&[1, 2, 3])?.write(Vec::new())?;
/// let reader = CiphertextReader::new(&sent[..])?;
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// let plan = server.plan(&square, reader.head())?;
/// let answers = server.run_to(&plan, vec![reader], vec![Vec::new()])?;
/// assert_eq!(client.decrypt_from(CiphertextReader::new(&answers[0][..])?)?, [1, 4, 9]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CiphertextReader<'a> {
    pub(crate) head: Ciphertexts,
    pub(crate) input: Input<Source<'a>>,
}

type Input<R> = Of<fhew::CiphertextReader<R>, ckks::CiphertextReader<R>, bfv::CiphertextReader<R>>;

/// A file or stream of whichever kind.
pub(crate) struct Stream<'a>(Box<dyn Read + Send + 'a>);

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

/// One whose header was read.
type Source<'a> = Peeked<Stream<'a>>;

impl<'a> CiphertextReader<'a> {
    /// Reads the head; everything in it is checked, and the length of the whole.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what are no ciphertexts; [`Error::Params`], [`Error::Lut`] for a set that
    /// does not exist, [`Error::ChangedParams`]; [`Error::NoiseBound`]; [`Error::CiphertextMemory`].
    pub fn new(input: impl Read + Send + 'a) -> Result<Self, Error> {
        Self::within(None, input)
    }

    /// [`Self::new`] that takes `memory` bytes at most.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn within(memory: Option<u64>, input: impl Read + Send + 'a) -> Result<Self, Error> {
        let (header, _, input) = files::peek(Stream(Box::new(input)))?;
        let input = named!(engines::of_kind(header.kind), E => <E as Engine>::Reader::within(memory, input)?);
        Ok(Self { head: Ciphertexts(alike!(&input, input => input.head().clone())), input })
    }

    /// The head: space, noise and number of all values, and the first ciphertext where that has many. Plans are made
    /// for it, and nothing else.
    pub fn head(&self) -> &Ciphertexts {
        &self.head
    }

    /// The number of values.
    #[expect(clippy::len_without_is_empty, reason = "engines ckks and bfv have no empty vectors")]
    pub fn len(&self) -> usize {
        each!(&self.input, input => input.len())
    }

    /// The number of ciphertexts of the scheme that hold them.
    pub fn ciphertexts(&self) -> usize {
        each!(&self.input, input => input.ciphertexts())
    }

    /// The message space of the values.
    pub fn space(&self) -> Space {
        self.head.space()
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        self.head.params()
    }

    /// Reads all of them.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if they do not fit; [`Error::Stream`].
    pub fn read(self) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(self.input, input => input.read()?)))
    }

    /// [`Ciphertexts::concat`] of what is read, written as it comes: what they hold. A few ciphertexts at a time are in
    /// memory.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{CiphertextReader, Client, Params};
    /// # let client = Client::generate(&Params::named("toy_4")?)?;
    /// let sent = client.encrypt(&[1, 2])?.write(Vec::new())?;
    /// let reader = || CiphertextReader::new(&sent[..]);
    /// let (mut both, mut sum) = (Vec::new(), Vec::new());
    /// CiphertextReader::concat_to(vec![reader()?, reader()?], &mut both)?;
    /// CiphertextReader::weighted_sum_to(vec![(2, reader()?)], 1, &mut sum)?;
    /// assert_eq!(client.decrypt_from(CiphertextReader::new(&both[..])?)?, [1, 2, 1, 2]);
    /// assert_eq!(client.decrypt_from(CiphertextReader::new(&sum[..])?)?, [3, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Ciphertexts::concat`]; [`Error::Stream`], where what was written is worth nothing.
    pub fn concat_to<W: Write>(vectors: Vec<Self>, out: W) -> Result<Space, Error> {
        each!(Self::inputs(vectors)?, vectors => EngineReader::concat_to(vectors, out))
    }

    /// [`Ciphertexts::slice`] of what is read, likewise.
    ///
    /// # Errors
    /// As [`Ciphertexts::slice`]; [`Error::Stream`].
    pub fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
        each!(self.input, input => input.slice_to(range, out))
    }

    /// [`Ciphertexts::weighted_sum`] of columns that are read, plus a constant, likewise. Columns of one origin are
    /// held if they fit, to see whether masks cancel; the sum is called dependent otherwise.
    ///
    /// # Errors
    /// As [`Ciphertexts::weighted_sum`]; [`Error::Stream`].
    pub fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error> {
        let (weights, columns): (Vec<i64>, Vec<Self>) = columns.into_iter().unzip();
        each!(Self::inputs(columns)?, columns => {
            EngineReader::weighted_sum_to(weights.into_iter().zip(columns).collect(), constant, out)
        })
    }

    /// All of them, which must be of one engine.
    pub(crate) fn inputs(vectors: Vec<Self>) -> Result<Inputs<Source<'a>>, Error> {
        all(vectors.into_iter().map(|vector| vector.input))
    }

    /// Reads what is left, and verifies the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn finish(self) -> Result<(), Error> {
        each!(self.input, input => input.finish())
    }
}

/// Inputs of one engine.
type Inputs<R> = Of<Vec<fhew::CiphertextReader<R>>, Vec<ckks::CiphertextReader<R>>, Vec<bfv::CiphertextReader<R>>>;
