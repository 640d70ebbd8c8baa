//! Vectors of ciphertexts of many values each, read, combined and written one ciphertext at a time.
use std::io::{Read, Write};
use std::ops::{Bound, RangeBounds};

use bootes_lattice::wire::StreamError;
use bootes_lut::planning;

use crate::engines::{Engine, EngineCiphertexts, EngineReader};
use crate::{Error, Space};

/// A vector; its head, which knows what is known of all of it and has its first ciphertext; or a piece, which has
/// another one.
pub(crate) trait Vector: Sized {
    /// A file of it.
    type Writer<W: Write>: VectorWriter<W, Vector = Self>;

    /// The message space.
    fn space(&self) -> Space;

    /// Values of the whole vector.
    fn len(&self) -> usize;

    /// Values of a full ciphertext.
    fn capacity(&self) -> usize;

    /// The head of the vectors of these heads, one after the other.
    fn concat_head(heads: &[&Self]) -> Result<Self, Error>;

    /// The piece as it stands in a vector with this head.
    fn expanded(&self, piece: Self) -> Result<Self, Error>;

    /// These `len` values of a vector, in its pieces.
    fn slice_of(pieces: Vec<Self>, len: usize) -> Self;

    /// Whether what is known of some of the values depends on which they are.
    fn is_fresh(&self) -> bool;

    /// Σ weight·column.
    fn weighted_sum(columns: &[&Self], weights: &[i64]) -> Result<Self, Error>;

    /// self + constant.
    fn plus(&self, constant: i64) -> Result<Self, Error>;
}

/// Copies of ciphertexts.
///
/// # Errors
/// [`Error::Cancelled`].
pub(crate) fn copied<'a, T: Clone + 'a>(parts: impl IntoIterator<Item = &'a T>) -> Result<Vec<T>, Error> {
    parts.into_iter().map(|part| Ok(planning::wanted().map(|()| part.clone())?)).collect()
}

/// Reads a file of ciphertexts.
pub(crate) trait VectorReader: Sized {
    type File: Read;
    /// The vector that is read.
    type Vector: Vector;

    /// Reads the head, in `memory` bytes at most.
    fn within(memory: Option<u64>, input: Self::File) -> Result<Self, Error>;

    /// All that is left.
    fn read(self) -> Result<Self::Vector, Error>;

    /// The head: all that is known of the whole.
    fn head(&self) -> &Self::Vector;

    /// The ciphertext that comes next, of each limb.
    fn next(&mut self) -> Result<Self::Vector, Error>;

    /// Reads what is left, and verifies the whole.
    fn finish(self) -> Result<(), Error>;
}

/// Writes a file of ciphertexts.
pub(crate) trait VectorWriter<W: Write>: Sized {
    /// The vector that is written.
    type Vector: Vector;

    /// A file of a vector with this head.
    fn new(out: W, head: &Self::Vector) -> Result<Self, Error>;

    /// The ciphertexts that come next, those of each limb.
    fn put(&mut self, piece: &Self::Vector) -> Result<(), Error>;

    /// Ends the file.
    fn finish(self) -> Result<W, Error>;
}

impl<T: VectorReader, E> EngineReader<E, T::File> for T
where
    E: Engine<Reader<T::File> = T, Ciphertexts = T::Vector>,
    T::Vector: EngineCiphertexts<E>,
{
    fn within(memory: Option<u64>, input: T::File) -> Result<Self, Error> {
        VectorReader::within(memory, input)
    }

    fn head(&self) -> &T::Vector {
        VectorReader::head(self)
    }

    fn read(self) -> Result<T::Vector, Error> {
        VectorReader::read(self)
    }

    fn concat_to<W: Write>(vectors: Vec<Self>, out: W) -> Result<Space, Error> {
        concat_to(vectors, out)
    }

    fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
        slice_to(self, range, out)
    }

    fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error> {
        weighted_sum_to(columns, constant, out)
    }

    fn finish(self) -> Result<(), Error> {
        VectorReader::finish(self)
    }
}

/// Files of results: they are begun with the first piece of each, which has the size that heads say.
pub(crate) enum Files<V: Vector, W: Write> {
    Begin(Vec<W>),
    Begun(Vec<V::Writer<W>>),
}

impl<V: Vector, W: Write> Files<V, W> {
    pub(crate) fn put(&mut self, pieces: &[V]) -> Result<(), Error> {
        if let Self::Begin(outputs) = self {
            let outputs = std::mem::take(outputs).into_iter().zip(pieces);
            *self = Self::Begun(outputs.map(|(out, first)| VectorWriter::new(out, first)).collect::<Result<_, _>>()?);
        }
        match self {
            Self::Begin(_) => Ok(()),
            Self::Begun(files) => files.iter_mut().zip(pieces).try_for_each(|(file, piece)| file.put(piece)),
        }
    }

    pub(crate) fn finish(self) -> Result<Vec<W>, Error> {
        match self {
            Self::Begin(outputs) => Ok(outputs),
            Self::Begun(files) => files.into_iter().map(VectorWriter::finish).collect(),
        }
    }
}

type Writer<R, W> = <<R as VectorReader>::Vector as Vector>::Writer<W>;

/// [`Ciphertexts::concat`](crate::Ciphertexts::concat) of what is read, to `out`: what they hold.
fn concat_to<R: VectorReader, W: Write>(inputs: Vec<R>, out: W) -> Result<Space, Error> {
    let heads: Vec<&R::Vector> = inputs.iter().map(R::head).collect();
    let head = R::Vector::concat_head(&heads)?;
    let mut out = Writer::<R, W>::new(out, &head)?;
    for mut input in inputs {
        for _ in 0..blocks(input.head()) {
            out.put(&head.expanded(input.next()?)?)?;
        }
        input.finish()?;
    }
    flush(out)?;
    Ok(head.space())
}

/// [`Ciphertexts::slice`](crate::Ciphertexts::slice) of what is read, to `out`: what they hold.
fn slice_to<R: VectorReader, W: Write>(mut input: R, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
    let (len, aligned) = (input.head().len(), input.head().capacity());
    let [start, end] = whole_ends(range, len, aligned)?;
    for _ in 0..start / aligned {
        input.next()?;
    }
    let count = (end - start).div_ceil(aligned);
    // The head of what is fresh follows from all of it, which is small.
    let first = if input.head().is_fresh() { count } else { 1 };
    let pieces = (0..first).map(|_| input.next()).collect::<Result<Vec<_>, _>>()?;
    let head = R::Vector::slice_of(pieces, end - start);
    let mut out = Writer::<R, W>::new(out, &head)?;
    out.put(&head)?;
    for _ in first..count {
        out.put(&input.next()?)?;
    }
    input.finish()?;
    flush(out)?;
    Ok(head.space())
}

/// From the first value of a range of `len` to the one behind the last, whether they are there or not.
pub(crate) fn ends(range: impl RangeBounds<usize>, len: usize) -> [usize; 2] {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    [start, end]
}

/// From the first to the last of a range of whole ciphertexts of `aligned` values each, of which the last may have
/// fewer.
///
/// # Errors
/// [`Error::Slice`].
pub(crate) fn whole_ends(range: impl RangeBounds<usize>, len: usize, aligned: usize) -> Result<[usize; 2], Error> {
    let [start, end] = ends(range, len);
    let whole = start.is_multiple_of(aligned) && (end.is_multiple_of(aligned) || end == len);
    if start >= end || end > len || !whole {
        return Err(Error::Slice { start, end, len, aligned });
    }
    Ok([start, end])
}

/// Σ weight·column + `constant` of what is read, to `out`: what they hold.
fn weighted_sum_to<R: VectorReader, W: Write>(columns: Vec<(i64, R)>, constant: i64, out: W) -> Result<Space, Error> {
    let (weights, mut inputs): (Vec<i64>, Vec<R>) = columns.into_iter().unzip();
    let sum_of = |columns: &[&R::Vector]| {
        let sum = R::Vector::weighted_sum(columns, &weights)?;
        if constant == 0 { Ok(sum) } else { sum.plus(constant) }
    };
    let head = sum_of(&inputs.iter().map(R::head).collect::<Vec<_>>())?;
    let mut out = Writer::<R, W>::new(out, &head)?;
    for _ in 0..blocks(&head) {
        let pieces = inputs.iter_mut().map(R::next).collect::<Result<Vec<_>, _>>()?;
        out.put(&sum_of(&pieces.iter().collect::<Vec<_>>())?)?;
    }
    inputs.into_iter().try_for_each(R::finish)?;
    flush(out)?;
    Ok(head.space())
}

/// The name of a linear map of these weights.
pub(crate) fn name_of(weights: &[i64]) -> &'static str {
    match weights {
        [1, 1] => "sum",
        [1, -1] => "difference",
        _ => "linear map",
    }
}

/// Ciphertexts of a vector.
fn blocks(head: &impl Vector) -> usize {
    head.len().div_ceil(head.capacity())
}

fn flush<W: Write>(out: impl VectorWriter<W>) -> Result<(), Error> {
    Ok(out.finish()?.flush().map_err(StreamError::Io)?)
}
