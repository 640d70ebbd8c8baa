//! Conversions: ciphertexts of a client of one engine become those of a client of another, with a key that is made by
//! who has both.
//!
//! In a file, behind the set that is converted from: the set that is converted to, its fingerprint and the identifier
//! of its key; and the key of its direction.
use std::io::{Read, Write};
use std::sync::Arc;

use bootes_lattice::wire::{Header, OVERHEAD_BYTES, ObjectKind, StreamReader, StreamWriter};
use bootes_lut::planning;
use bootes_schemes::cancel::while_wanted;
use bootes_schemes::fhew::FhewParams;

use super::envelope::{begin, check_key, check_set, name_bytes};
use super::of::Of;
use super::watch::Progress;
use super::{EngineParams, EngineServer, Stored};
use crate::door::error::ConversionError;
use crate::memory::reserved_as;
use crate::names::stream_name;
use crate::threads::{on_all_threads, on_threads};
use crate::{Cancel, Engine, Error, bfv, ckks, fhew};

mod ahead;
mod batch;
pub(crate) mod cost;
mod to_batch;
mod to_single;

use to_batch::ToBatch;
use to_single::ToSingle;

/// The version of files that has these.
const VERSION: u16 = 13;

/// A set and a key of it.
type Owner<P> = (P, [u8; 16]);

/// A key of either direction, between engine fhew and one of the others.
#[derive(Clone, Debug)]
pub(crate) enum ConversionKey {
    ToSingle(ToSingle<ckks::Params>),
    ToBatch(ToBatch<ckks::Params>),
    FromVectors(ToSingle<bfv::Params>),
    ToVectors(ToBatch<bfv::Params>),
}

/// An expression on the key of whichever direction.
macro_rules! each_key {
    ($of:expr, $key:pat => $body:expr) => {
        match $of {
            ConversionKey::ToSingle($key) => $body,
            ConversionKey::ToBatch($key) => $body,
            ConversionKey::FromVectors($key) => $body,
            ConversionKey::ToVectors($key) => $body,
        }
    };
}

/// Ciphertexts of any engine.
type Any = Of<fhew::Ciphertexts, ckks::Ciphertexts, bfv::Ciphertexts>;

/// Those that are read.
type AnyReader<R> = Of<fhew::CiphertextReader<R>, ckks::CiphertextReader<R>, bfv::CiphertextReader<R>>;

/// The same of clients.
type AnyClient = Of<fhew::Client, ckks::Client, bfv::Client>;

/// The same of sets.
type AnyParams = Of<fhew::Params, ckks::Params, bfv::Params>;

/// The same of servers.
pub(crate) type AnyServer = Of<fhew::Server, ckks::Server, bfv::Server>;

/// Values of a vector, in the order in which they are wanted.
pub(crate) enum Positions<'a> {
    All,
    These(&'a [usize]),
}

impl Positions<'_> {
    fn of(&self, i: usize) -> usize {
        match self {
            Self::All => i,
            Self::These(positions) => positions[i],
        }
    }

    /// How many there are of `len` values; refuses what there is not.
    fn check(&self, len: usize) -> Result<usize, Error> {
        let Self::These(positions) = self else { return Ok(len) };
        match positions.iter().position(|&position| position >= len) {
            Some(index) => Err(ConversionError::Position { index, position: positions[index], len }.into()),
            None => Ok(positions.len()),
        }
    }
}

/// How conversions are done, and who watches them.
#[derive(Clone, Default)]
pub(crate) struct How {
    /// Threads, or those of whoever calls, or all.
    pub(crate) threads: Option<usize>,
    /// Hears which part is done, from 0 to 1.
    pub(crate) progress: Option<Progress>,
    /// Ends them.
    pub(crate) cancel: Cancel,
    /// The server of a client of engine bfv, whose maps move values between slots and coefficients.
    pub(crate) server: Option<Arc<AnyServer>>,
}

impl How {
    /// Tells that work begins and that it has ended, which is all of some, unless it is cancelled.
    fn watch<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.tell(0.0);
        self.check()?;
        let result = work().map_err(|error| if self.cancel.is_cancelled() { Error::Cancelled } else { error })?;
        self.tell(1.0);
        Ok(result)
    }

    fn tell(&self, done: f64) {
        if let Some(progress) = &self.progress {
            progress(done);
        }
    }

    /// Refuses to go on with what is no longer wanted.
    fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Does work in this thread that ends, unfinished, when it is no longer wanted.
    fn unless_cancelled<T>(&self, work: impl FnOnce() -> T) -> T {
        while_wanted(vec![self.cancel.clone()], work)
    }

    /// The server of a set of engine bfv.
    fn server(&self, params: &bfv::Params) -> Result<&bfv::Server, Error> {
        match self.server.as_deref() {
            Some(Of::Bfv(server)) => Ok(server),
            _ => Err(ConversionError::NoServer { params: params.name().into() }.into()),
        }
    }

    fn on_threads<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        match self.threads {
            Some(threads) => on_threads(threads, work)?,
            None => on_all_threads(work),
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
            (Of::Bfv(from), Of::Fhew(to)) => Self::FromVectors(ToSingle::generate(from, to)?),
            (Of::Fhew(from), Of::Bfv(to)) => Self::ToVectors(ToBatch::generate(from, to)?),
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
            Self::FromVectors(key) => (Of::Bfv(key.from.0.clone()), key.from.1),
            Self::ToVectors(key) => (Of::Fhew(key.from.0.clone()), key.from.1),
        }
    }

    /// Refuses a server that is not of the client of engine bfv.
    pub(crate) fn check_server(&self, server: &AnyServer) -> Result<(), Error> {
        let owner = match self {
            Self::FromVectors(key) => &key.from,
            Self::ToVectors(key) => &key.to,
            Self::ToSingle(_) | Self::ToBatch(_) => return Err(ConversionError::NeedlessServer.into()),
        };
        match server {
            Of::Bfv(server) => check_key("server key", [(server.params(), server.key_id()), (&owner.0, owner.1)]),
            server => Err(Error::other_engine("server key", server.engine(), Engine::Bfv)),
        }
    }

    /// The same of what comes out.
    pub(crate) fn target(&self) -> (AnyParams, [u8; 16]) {
        match self {
            Self::ToSingle(key) => (Of::Fhew(key.to.0.clone()), key.to.1),
            Self::ToBatch(key) => (Of::Ckks(key.to.0.clone()), key.to.1),
            Self::FromVectors(key) => (Of::Fhew(key.to.0.clone()), key.to.1),
            Self::ToVectors(key) => (Of::Bfv(key.to.0.clone()), key.to.1),
        }
    }

    /// What becomes of values like these: no vector, but what is known of one, as of a reader's head.
    pub(crate) fn head(&self, x: &Any) -> Result<Any, Error> {
        match (self, x) {
            (Self::ToSingle(key), Of::Ckks(x)) => key.head(x).map(Of::Fhew),
            (Self::ToBatch(key), Of::Fhew(x)) => key.head(x).map(Of::Ckks),
            (Self::FromVectors(key), Of::Bfv(x)) => key.head(x).map(Of::Fhew),
            (Self::ToVectors(key), Of::Fhew(x)) => key.head(x).map(Of::Bfv),
            (key, x) => Err(key.other_engine(x.engine())),
        }
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(crate) fn convert(&self, x: &Any, positions: &Positions<'_>, how: &How) -> Result<Any, Error> {
        how.watch(|| match (self, x) {
            (Self::ToSingle(key), Of::Ckks(x)) => key.convert(x, positions, how).map(Of::Fhew),
            (Self::ToBatch(key), Of::Fhew(x)) => key.convert(x, positions, how).map(Of::Ckks),
            (Self::FromVectors(key), Of::Bfv(x)) => key.convert(x, positions, how).map(Of::Fhew),
            (Self::ToVectors(key), Of::Fhew(x)) => key.convert(x, positions, how).map(Of::Bfv),
            (key, x) => Err(key.other_engine(x.engine())),
        })
    }

    /// The same of what is read as it is wanted, to `out`.
    pub(crate) fn convert_to<R: Read, W: Write>(
        &self,
        x: AnyReader<R>,
        positions: &Positions<'_>,
        out: W,
        how: &How,
    ) -> Result<W, Error> {
        how.watch(|| match (self, x) {
            (Self::ToSingle(key), Of::Ckks(x)) => key.convert_to(x, positions, out, how),
            (Self::ToBatch(key), Of::Fhew(x)) => key.convert_to(x, positions, out, how),
            (Self::FromVectors(key), Of::Bfv(x)) => key.convert_to(x, positions, out, how),
            (Self::ToVectors(key), Of::Fhew(x)) => key.convert_to(x, positions, out, how),
            (key, x) => Err(key.other_engine(x.engine())),
        })
    }

    fn other_engine(&self, found: Engine) -> Error {
        Error::other_engine("ciphertext", found, self.source().0.engine())
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

/// The set of this name that is converted to, and the identifier of its key.
fn read_target<P: EngineParams, R: Read>(name: &str, input: &mut StreamReader<R>) -> Result<Owner<P>, Error> {
    let to = P::named(name)?;
    check_set(WHAT, &to, &input.array()?)?;
    Ok((to, input.array()?))
}

/// The set of this name that is converted from, and the identifier of its key.
fn read_source<P: EngineParams>(name: &str, header: &Header) -> Result<Owner<P>, Error> {
    let from = P::named(name)?;
    check_set(WHAT, &from, &header.fingerprint)?;
    Ok((from, header.key_id))
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
        each_key!(self, key => key.result_bytes(count))
    }

    /// The same of results that are written as they come; into a batch, with the values of a ciphertext of it.
    pub(crate) fn stream_bytes(&self, count: usize) -> u64 {
        match self {
            Self::ToSingle(key) => key.result_bytes(count.min(to_single::AT_ONCE)),
            Self::FromVectors(key) => key.result_bytes(count.min(to_single::AT_ONCE)),
            Self::ToBatch(key) => key.stream_bytes(count),
            Self::ToVectors(key) => key.stream_bytes(count),
        }
    }
}

impl Stored for ConversionKey {
    const KIND: ObjectKind = ObjectKind::ConversionKey;

    fn stored_bytes(&self) -> u64 {
        let payload = each_key!(self, key => name_bytes(&key.from.0) + target_bytes(&key.to.0) + key.key_bytes());
        payload + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let out = each_key!(self, key => key.write(begun(out, &key.from, &key.to, key.key_bytes())?)?);
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, Self::KIND)?;
        let (name, header) = (stream_name(&mut input)?, *input.header());
        let to = stream_name(&mut input)?;
        let key = match (super::of_set(&name), super::of_set(&to)) {
            (Engine::Ckks, _) => {
                let from = read_source(&name, &header)?;
                Self::ToSingle(ToSingle::read((from, read_target(&to, &mut input)?), memory, &mut input)?)
            }
            (Engine::Bfv, _) => {
                let from = read_source(&name, &header)?;
                Self::FromVectors(ToSingle::read((from, read_target(&to, &mut input)?), memory, &mut input)?)
            }
            (Engine::Fhew, Engine::Bfv) => {
                let from = read_source(&name, &header)?;
                Self::ToVectors(ToBatch::read((from, read_target(&to, &mut input)?), memory, &mut input)?)
            }
            (Engine::Fhew, _) => {
                let from = read_source(&name, &header)?;
                Self::ToBatch(ToBatch::read((from, read_target(&to, &mut input)?), memory, &mut input)?)
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
            Self::FromVectors(key) => key.from.0.keep(),
            Self::ToVectors(key) => key.to.0.keep(),
        }
    }
}

#[cfg(test)]
mod tests;
