//! What a client gives to a server.
use crate::engine::Of;
use crate::{Error, Params, ckks, fhew, files};
use bootes_lattice::wire::{ObjectKind, StreamError, WireError};
use std::io::{Read, Write};
use std::path::Path;

/// The public evaluation key: what a client sends to a server. It goes to streams and files and back.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params, Server, ServerKey};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let sent = client.server_key()?.write(Vec::new())?;
/// let server = Server::new(ServerKey::read(&sent[..])?)?;
/// assert_eq!(server.key_id(), client.key_id());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ServerKey(pub(crate) Of<fhew::ServerKey, ckks::ServerKey>);

impl ServerKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(match &self.0 {
            Of::Fhew(key) => Of::Fhew(key.params()),
            Of::Ckks(key) => Of::Ckks(key.params().clone()),
        })
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        match &self.0 {
            Of::Fhew(key) => key.key_id(),
            Of::Ckks(key) => key.key_id(),
        }
    }

    /// Writes the key, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, mut out: W) -> Result<W, Error> {
        match &self.0 {
            Of::Fhew(key) => {
                out.write_all(&key.to_bytes()).map(|()| out).map_err(|error| StreamError::Io(error).into())
            }
            Of::Ckks(key) => key.write(out),
        }
    }

    /// Reads a key, and nothing beyond its end; every size is checked, and the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what is no server key; [`Error::ChangedParams`]; [`Error::Memory`] before
    /// it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        let (header, total, input) = files::peek(input)?;
        Ok(Self(match header.kind {
            ObjectKind::BatchServerKey => Of::Ckks(ckks::ServerKey::read(input)?),
            ObjectKind::ServerKey => Of::Fhew(fhew::ServerKey::from_bytes(&files::read_whole(input, total, None)?)?),
            found => return Err(WireError::WrongKind { found, expected: ObjectKind::ServerKey }.into()),
        }))
    }

    /// Writes the key to a file.
    ///
    /// # Errors
    /// [`Error::File`]: what was there is there still.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        files::save(path.as_ref(), |out| self.write(out).map(drop))
    }

    /// A key from a file of [`Self::save`].
    ///
    /// # Errors
    /// [`Error::File`]; as [`Self::read`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        files::load(path.as_ref(), |file| Self::read(file))
    }
}
