//! The common part of the files of all engines: the header, and the name of the set.
use super::{ClientKey, EngineParams, Stored};
use crate::Error;
use crate::names::{hex, read_name, stream_name};
use bootes_lattice::wire::{Header, Reader, StreamReader, StreamWriter, Writer, open, seal_as};
use bootes_ring::sample::SecretSeed;
use std::io::{Read, Write};
use zeroize::Zeroizing;

/// The owner of an object: a set, and a key.
pub(super) type Owner<'a, P> = (&'a P, [u8; 16]);

/// Bytes of the name of a set in a payload.
pub(super) fn name_bytes(params: &impl EngineParams) -> u64 {
    8 + params.name().len() as u64
}

/// An envelope for an object of these parameters, begun: header and name are written.
pub(super) fn begin<T: Stored, W: Write>(
    out: W,
    version: u16,
    (params, key_id): Owner<'_, impl EngineParams>,
    payload_bytes: u64,
) -> Result<StreamWriter<W>, Error> {
    let header = Header { kind: T::KIND, version, fingerprint: params.fingerprint(), key_id };
    let mut out = StreamWriter::new(out, header, name_bytes(params) + payload_bytes)?;
    out.bytes(params.name().as_bytes())?;
    Ok(out)
}

/// Reads header and name: the parameters of an envelope.
pub(super) fn parameters<P: EngineParams, R: Read>(
    input: &mut StreamReader<R>,
    what: &'static str,
) -> Result<P, Error> {
    let params = P::named(&stream_name(input)?)?;
    check_set(what, &params, &input.header().fingerprint)?;
    Ok(params)
}

/// Refuses what was made when the set had another content.
pub(super) fn check_set(what: &'static str, params: &impl EngineParams, found: &[u8; 16]) -> Result<(), Error> {
    let expected = params.fingerprint();
    match *found == expected {
        true => Ok(()),
        false => Err(Error::changed_params(what, params.name(), [found, &expected])),
    }
}

/// Refuses what belongs to another set or another key.
pub(super) fn check_key<P: EngineParams>(
    what: &'static str,
    [found, expected]: [Owner<'_, P>; 2],
) -> Result<(), Error> {
    if found.0.fingerprint() != expected.0.fingerprint() {
        return Err(Error::OtherParams { what, params: expected.0.name().into() });
    }
    if found.1 != expected.1 {
        let [found, expected] = [found.1, expected.1].map(|id| hex(&id));
        return Err(Error::OtherKey { what, found, expected });
    }
    Ok(())
}

/// The version of files that has public keys.
pub(super) const PUBLIC_VERSION: u16 = 10;

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

/// A client key in bytes: the name of its set, and its seed.
pub(super) fn seal_client<C: ClientKey>(client: &C) -> Zeroizing<Vec<u8>> {
    let (params, mut w) = (client.params(), Writer::with_capacity(SECRET_PAYLOAD_BYTES));
    w.str(params.name());
    w.raw(client.root().expose_bytes());
    let payload = Zeroizing::new(w.into_bytes());
    Zeroizing::new(seal_as(C::VERSION, C::KIND, params.fingerprint(), client.key_id(), &payload))
}

/// The client key in these bytes.
pub(super) fn open_client<C: ClientKey>(bytes: &[u8]) -> Result<C, Error> {
    let what = "client key";
    let (header, payload) = open(bytes, C::KIND)?;
    let mut r = Reader::new(payload);
    let params = C::Params::named(read_name(&mut r)?)?;
    let root = SecretSeed::from_bytes(r.array_ref()?);
    r.finish()?;
    check_set(what, &params, &header.fingerprint)?;
    let client = C::derive(&params, root)?;
    check_key(what, [(&params, header.key_id), (&params, client.key_id())])?;
    params.keep();
    Ok(client)
}
