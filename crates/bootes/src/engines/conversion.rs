//! Conversions: ciphertexts of a client of one engine become those of a client of another, with a key that is made by
//! who has both.
//!
//! In a file, behind the set that is converted from: the set that is converted to, its fingerprint and the identifier
//! of its key; and the key of its direction.
use std::io::{Read, Write};

use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamError, StreamReader, StreamWriter, WireError};
use bootes_lut::planning;
use bootes_schemes::fhew::FhewParams;

use super::envelope::{begin, check_set, name_bytes};
use super::of::Of;
use super::{EngineParams, Stored};
use crate::door::error::ConversionError;
use crate::memory::reserved_as;
use crate::names::stream_name;
use crate::{Engine, Error, bfv, ckks, fhew};

mod to_batch;
mod to_single;

use to_batch::ToBatch;
use to_single::ToSingle;

/// The version of files that has these.
const VERSION: u16 = 13;

/// A set and a key of it.
type Owner<P> = (P, [u8; 16]);

/// A key of either direction.
#[derive(Clone, Debug)]
pub(crate) enum ConversionKey {
    ToSingle(ToSingle),
    ToBatch(ToBatch),
}

/// Ciphertexts of any engine.
type Any = Of<fhew::Ciphertexts, ckks::Ciphertexts, bfv::Ciphertexts>;

/// The same of clients.
type AnyClient = Of<fhew::Client, ckks::Client, bfv::Client>;

/// The same of sets.
type AnyParams = Of<fhew::Params, ckks::Params, bfv::Params>;

/// Values of a vector, in the order in which they are wanted.
pub(crate) enum Positions<'a> {
    All,
    These(&'a [usize]),
}

impl Positions<'_> {
    /// How many.
    fn count(&self, len: usize) -> usize {
        match self {
            Self::All => len,
            Self::These(positions) => positions.len(),
        }
    }

    fn of(&self, i: usize) -> usize {
        match self {
            Self::All => i,
            Self::These(positions) => positions[i],
        }
    }

    /// Refuses what there is not.
    fn check(&self, len: usize) -> Result<(), Error> {
        let Self::These(positions) = self else { return Ok(()) };
        match positions.iter().position(|&position| position >= len) {
            Some(index) => Err(ConversionError::Position { index, position: positions[index], len }.into()),
            None => Ok(()),
        }
    }
}

/// Set and identifier of a key, for what is bound to it.
fn owner_bytes(fingerprint: [u8; 16], key_id: [u8; 16]) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&fingerprint);
    bytes[16..].copy_from_slice(&key_id);
    bytes
}

impl ConversionKey {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(crate) fn generate(from: &AnyClient, to: &AnyClient) -> Result<Self, Error> {
        let key = match (from, to) {
            (Of::Ckks(from), Of::Fhew(to)) => Self::ToSingle(ToSingle::generate(from, to)?),
            (Of::Fhew(from), Of::Ckks(to)) => Self::ToBatch(ToBatch::generate(from, to)?),
            (from, to) => return Err(ConversionError::Engines { from: from.engine(), to: to.engine() }.into()),
        };
        // What is no longer wanted is not whole.
        planning::wanted()?;
        Ok(key)
    }

    /// The set of what is converted, and the identifier of its key.
    pub(crate) fn source(&self) -> (AnyParams, [u8; 16]) {
        match self {
            Self::ToSingle(key) => (Of::Ckks(key.from.0.clone()), key.from.1),
            Self::ToBatch(key) => (Of::Fhew(key.from.0.clone()), key.from.1),
        }
    }

    /// The same of what comes out.
    pub(crate) fn target(&self) -> (AnyParams, [u8; 16]) {
        match self {
            Self::ToSingle(key) => (Of::Fhew(key.to.0.clone()), key.to.1),
            Self::ToBatch(key) => (Of::Ckks(key.to.0.clone()), key.to.1),
        }
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(crate) fn convert(&self, x: &Any, positions: &Positions<'_>) -> Result<Any, Error> {
        match (self, x) {
            (Self::ToSingle(key), Of::Ckks(x)) => key.convert(x, positions).map(Of::Fhew),
            (Self::ToBatch(key), Of::Fhew(x)) => key.convert(x, positions).map(Of::Ckks),
            (key, x) => Err(Error::other_engine("ciphertext", x.engine(), key.source().0.engine())),
        }
    }
}

/// The first default set of engine fhew that is so.
fn default_set(is: impl Fn(&FhewParams) -> bool) -> Option<String> {
    let mut sets = FhewParams::all().iter().filter(|set| set.is_default());
    sets.find(|set| is(set)).map(|set| set.name().into())
}

/// Bytes of set and key in a payload.
fn target_bytes(params: &impl EngineParams) -> u64 {
    name_bytes(params) + 2 * 16
}

/// A file of a key between these, begun, for so many bytes more.
fn begun<W: Write>(
    out: W,
    from: &Owner<impl EngineParams>,
    to: &Owner<impl EngineParams>,
    more: u64,
) -> Result<StreamWriter<W>, Error> {
    let bytes = target_bytes(&to.0) + more;
    let mut out = begin::<ConversionKey, _>(out, VERSION, (&from.0, from.1), bytes)?;
    out.bytes(to.0.name().as_bytes())?;
    out.raw(&to.0.fingerprint())?;
    out.raw(&to.1)?;
    Ok(out)
}

/// The set that is converted to and the identifier of its key.
fn read_target<P: EngineParams, R: Read>(input: &mut StreamReader<R>) -> Result<Owner<P>, Error> {
    let to = P::named(&stream_name(input)?)?;
    check_set(WHAT, &to, &input.array()?)?;
    Ok((to, input.array()?))
}

/// The object in words.
const WHAT: &str = "conversion key";

/// Words that are converted together.
const TOGETHER: usize = 1 << 13;

fn write_words<W: Write>(out: &mut StreamWriter<W>, words: &[u64]) -> Result<(), Error> {
    for words in words.chunks(TOGETHER) {
        out.raw(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn read_words<R: Read>(input: &mut StreamReader<R>, count: usize) -> Result<Vec<u64>, Error> {
    let mut words: Vec<u64> = reserved_as(count, 1)?;
    let mut bytes = vec![0; TOGETHER.min(count) * size_of::<u64>()];
    while words.len() < count {
        let bytes = &mut bytes[..TOGETHER.min(count - words.len()) * size_of::<u64>()];
        input.raw_into(bytes)?;
        words.extend(bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
    }
    Ok(words)
}

impl ConversionKey {
    /// Memory that so many results take while they are made.
    pub(crate) fn result_bytes(&self, count: usize) -> u64 {
        match self {
            Self::ToSingle(key) => key.result_bytes(count),
            Self::ToBatch(key) => key.result_bytes(count),
        }
    }
}

impl Stored for ConversionKey {
    const KIND: ObjectKind = ObjectKind::ConversionKey;

    fn stored_bytes(&self) -> u64 {
        let payload = match self {
            Self::ToSingle(key) => name_bytes(&key.from.0) + target_bytes(&key.to.0) + key.key_bytes(),
            Self::ToBatch(key) => name_bytes(&key.from.0) + target_bytes(&key.to.0) + key.key_bytes(),
        };
        payload + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let out = match self {
            Self::ToSingle(key) => key.write(begun(out, &key.from, &key.to, key.key_bytes())?)?,
            Self::ToBatch(key) => key.write(begun(out, &key.from, &key.to, key.key_bytes())?)?,
        };
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, Self::KIND)?;
        let (name, header) = (stream_name(&mut input)?, *input.header());
        let key = match super::of_set(&name) {
            Engine::Ckks => {
                let from = ckks::Params::named(&name)?;
                check_set(WHAT, &from, &header.fingerprint)?;
                Self::ToSingle(ToSingle::read((from, header.key_id), memory, &mut input)?)
            }
            Engine::Fhew => {
                let from = fhew::Params::named(&name)?;
                check_set(WHAT, &from, &header.fingerprint)?;
                Self::ToBatch(ToBatch::read((from, header.key_id), memory, &mut input)?)
            }
            Engine::Bfv => {
                let what = "a conversion key of engine bfv, which has none";
                return Err(StreamError::from(WireError::Malformed { what }).into());
            }
        };
        input.finish()?;
        key.keep();
        Ok(key)
    }
}

impl ConversionKey {
    /// Keeps the set of what was read whole.
    fn keep(&self) {
        match self {
            Self::ToSingle(key) => key.from.0.keep(),
            Self::ToBatch(key) => key.to.0.keep(),
        }
    }
}

#[cfg(test)]
mod tests;
