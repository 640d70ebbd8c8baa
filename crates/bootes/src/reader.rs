//! Ciphertexts that are read as they are needed.
use crate::engine::Of;
use crate::files::{self, Peeked};
use crate::{Ciphertexts, Error, Params, Space, bfv, ckks, fhew};
use bootes_lattice::wire::{ObjectKind, StreamError};
use std::io::{Read, Write};
use std::ops::RangeBounds;

/// A file or stream of [`Ciphertexts`], of which a few at a time are in memory where the engine allows it
/// (fhew; the others have few, and read them at once): [`Server::run_to`](crate::Server::run_to) and
/// [`Client::decrypt_from`](crate::Client::decrypt_from) take it.
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
    pub(crate) input: Of<fhew::CiphertextReader<Peeked<R>>, (), ()>,
}

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
        if header.kind == ObjectKind::BatchCiphertexts {
            let head = Ciphertexts(Of::Ckks(ckks::Ciphertexts::read_within(memory, input)?));
            return Ok(Self { head, input: Of::Ckks(()) });
        }
        if header.kind == ObjectKind::SlotCiphertexts {
            let head = Ciphertexts(Of::Bfv(bfv::Ciphertexts::read_within(memory, input)?));
            return Ok(Self { head, input: Of::Bfv(()) });
        }
        let input = fhew::CiphertextReader::new(input)?;
        Ok(Self { head: Ciphertexts(Of::Fhew(input.head().clone())), input: Of::Fhew(input) })
    }

    /// What is known of all, none of them with engine fhew: plans are made for it.
    pub fn head(&self) -> &Ciphertexts {
        &self.head
    }

    /// How many integers.
    #[expect(clippy::len_without_is_empty, reason = "engines ckks and bfv have no empty vectors")]
    pub fn len(&self) -> usize {
        match &self.input {
            Of::Fhew(input) => input.len(),
            Of::Ckks(()) | Of::Bfv(()) => self.head.len(),
        }
    }

    /// How many ciphertexts hold them.
    pub fn ciphertexts(&self) -> usize {
        match &self.input {
            Of::Fhew(input) => input.len() * self.space().limbs(),
            Of::Ckks(()) | Of::Bfv(()) => self.head.ciphertexts(),
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
        match self.input {
            Of::Fhew(input) => Ok(Ciphertexts(Of::Fhew(input.read()?))),
            Of::Ckks(()) | Of::Bfv(()) => Ok(self.head),
        }
    }

    /// [`Ciphertexts::concat`] of what is read, written as it comes: what they hold. With engine fhew a few ciphertexts
    /// at a time are in memory.
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
        if vectors.iter().all(Self::is_stream) {
            return fhew::concat_to(vectors.into_iter().filter_map(Self::stream).collect(), out);
        }
        let vectors = vectors.into_iter().map(Self::read).collect::<Result<Vec<_>, _>>()?;
        write(&Ciphertexts::concat(&vectors.iter().collect::<Vec<_>>())?, out)
    }

    /// [`Ciphertexts::slice`] of what is read, likewise.
    ///
    /// # Errors
    /// As [`Ciphertexts::slice`]; [`Error::Stream`].
    pub fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
        match self.input {
            Of::Fhew(input) => fhew::slice_to(input, range, out),
            Of::Ckks(()) | Of::Bfv(()) => write(&self.head.slice(range)?, out),
        }
    }

    /// [`Ciphertexts::weighted_sum`] of columns that are read, plus a constant, likewise. Columns of one origin are
    /// held if they fit, to see whether masks cancel; the sum is called dependent otherwise.
    ///
    /// # Errors
    /// As [`Ciphertexts::weighted_sum`]; [`Error::Stream`].
    pub fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error> {
        if columns.iter().all(|(_, column)| column.is_stream()) {
            let columns = columns.into_iter().filter_map(|(weight, column)| Some((weight, column.stream()?)));
            return fhew::weighted_sum_to(columns.collect(), constant, out);
        }
        let read = |(weight, column): (i64, Self)| Ok((weight, column.read()?));
        let columns = columns.into_iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let terms: Vec<(i64, &Ciphertexts)> = columns.iter().map(|(weight, column)| (*weight, column)).collect();
        let sum = Ciphertexts::weighted_sum(&terms)?;
        write(&if constant == 0 { sum } else { sum.add_constant(constant)? }, out)
    }

    fn is_stream(&self) -> bool {
        matches!(self.input, Of::Fhew(_))
    }

    fn stream(self) -> Option<fhew::CiphertextReader<Peeked<R>>> {
        if let Of::Fhew(input) = self.input { Some(input) } else { None }
    }

    /// Reads what is left, and verifies the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn finish(self) -> Result<(), Error> {
        match self.input {
            Of::Fhew(input) => input.finish().map(drop),
            Of::Ckks(()) | Of::Bfv(()) => Ok(()),
        }
    }
}

fn write<W: Write>(all: &Ciphertexts, out: W) -> Result<Space, Error> {
    all.write(out)?.flush().map_err(StreamError::Io)?;
    Ok(all.space())
}
