//! Ciphertexts that are read as they are needed.
use crate::engines::Of;
use crate::engines::blocks::{self, VectorReader};
use crate::files::{self, Peeked};

use crate::{Ciphertexts, Error, Params, Space, bfv, ckks, fhew};
use bootes_lattice::wire::ObjectKind;
use std::io::{Read, Write};
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
pub struct CiphertextReader<R: Read> {
    pub(crate) head: Ciphertexts,
    pub(crate) input: Input<Peeked<R>>,
}

type Input<R> = Of<fhew::CiphertextReader<R>, ckks::CiphertextReader<R>, bfv::CiphertextReader<R>>;

impl<R: Read> CiphertextReader<R> {
    /// Reads the head; everything in it is checked, and the length of the whole.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what are no ciphertexts; [`Error::Params`], [`Error::Lut`] for a set that
    /// does not exist, [`Error::ChangedParams`]; [`Error::NoiseBound`]; [`Error::CiphertextMemory`].
    pub fn new(input: R) -> Result<Self, Error> {
        Self::within(None, input)
    }

    /// [`Self::new`] that takes `memory` bytes at most.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn within(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let (header, _, input) = files::peek(input)?;
        let (head, input) = match header.kind {
            ObjectKind::BatchCiphertexts => {
                let input = ckks::CiphertextReader::within(memory, input)?;
                (Of::Ckks(input.head().clone()), Of::Ckks(input))
            }
            ObjectKind::SlotCiphertexts => {
                let input = bfv::CiphertextReader::within(memory, input)?;
                (Of::Bfv(input.head().clone()), Of::Bfv(input))
            }
            _ => {
                let input = fhew::CiphertextReader::within(memory, input)?;
                (Of::Fhew(input.head().clone()), Of::Fhew(input))
            }
        };
        Ok(Self { head: Ciphertexts(head), input })
    }

    /// What is known of all, and the first ciphertext where that has many values: plans are made for it, and nothing
    /// else.
    pub fn head(&self) -> &Ciphertexts {
        &self.head
    }

    /// How many integers.
    #[expect(clippy::len_without_is_empty, reason = "engines ckks and bfv have no empty vectors")]
    pub fn len(&self) -> usize {
        match &self.input {
            Of::Fhew(input) => input.len(),
            Of::Ckks(_) | Of::Bfv(_) => self.head.len(),
        }
    }

    /// How many ciphertexts hold them.
    pub fn ciphertexts(&self) -> usize {
        match &self.input {
            Of::Fhew(input) => input.len() * self.space().limbs(),
            Of::Ckks(_) | Of::Bfv(_) => self.head.ciphertexts(),
        }
    }

    /// What they hold.
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
        Ok(Ciphertexts(match self.input {
            Of::Fhew(input) => Of::Fhew(input.read()?),
            Of::Ckks(input) => Of::Ckks(input.read()?),
            Of::Bfv(input) => Of::Bfv(input.read()?),
        }))
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
        match Self::inputs(vectors)? {
            Of::Fhew(vectors) => fhew::concat_to(vectors, out),
            Of::Ckks(vectors) => blocks::concat_to(vectors, out),
            Of::Bfv(vectors) => blocks::concat_to(vectors, out),
        }
    }

    /// [`Ciphertexts::slice`] of what is read, likewise.
    ///
    /// # Errors
    /// As [`Ciphertexts::slice`]; [`Error::Stream`].
    pub fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
        match self.input {
            Of::Fhew(input) => fhew::slice_to(input, range, out),
            Of::Ckks(input) => blocks::slice_to(input, range, out),
            Of::Bfv(input) => blocks::slice_to(input, range, out),
        }
    }

    /// [`Ciphertexts::weighted_sum`] of columns that are read, plus a constant, likewise. Columns of one origin are
    /// held if they fit, to see whether masks cancel; the sum is called dependent otherwise.
    ///
    /// # Errors
    /// As [`Ciphertexts::weighted_sum`]; [`Error::Stream`].
    pub fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error> {
        let (weights, columns): (Vec<i64>, Vec<Self>) = columns.into_iter().unzip();
        let weights = weights.into_iter();
        match Self::inputs(columns)? {
            Of::Fhew(columns) => fhew::weighted_sum_to(weights.zip(columns).collect(), constant, out),
            Of::Ckks(columns) => blocks::weighted_sum_to(weights.zip(columns).collect(), constant, out),
            Of::Bfv(columns) => blocks::weighted_sum_to(weights.zip(columns).collect(), constant, out),
        }
    }

    /// All of them, which must be of one engine.
    pub(crate) fn inputs(all: Vec<Self>) -> Result<Inputs<Peeked<R>>, Error> {
        let mut inputs = None;
        for Self { input, .. } in all {
            match (inputs.get_or_insert_with(|| none_like(&input)), input) {
                (Of::Fhew(inputs), Of::Fhew(input)) => inputs.push(input),
                (Of::Ckks(inputs), Of::Ckks(input)) => inputs.push(input),
                (Of::Bfv(inputs), Of::Bfv(input)) => inputs.push(input),
                (inputs, input) => return Err(Error::other_engine("ciphertext", input.engine(), inputs.engine())),
            }
        }
        inputs.ok_or(Error::NoValues)
    }

    /// Reads what is left, and verifies the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn finish(self) -> Result<(), Error> {
        match self.input {
            Of::Fhew(input) => input.finish().map(drop),
            Of::Ckks(input) => input.finish(),
            Of::Bfv(input) => input.finish(),
        }
    }
}

/// Inputs of one engine.
pub(crate) type Inputs<R> =
    Of<Vec<fhew::CiphertextReader<R>>, Vec<ckks::CiphertextReader<R>>, Vec<bfv::CiphertextReader<R>>>;

fn none_like<R: Read>(input: &Input<R>) -> Inputs<R> {
    match input {
        Of::Fhew(_) => Of::Fhew(Vec::new()),
        Of::Ckks(_) => Of::Ckks(Vec::new()),
        Of::Bfv(_) => Of::Bfv(Vec::new()),
    }
}
