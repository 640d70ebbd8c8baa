//! The key that a client gives to a server.
use crate::engines::of::{Of, alike, each, named};
use crate::engines::{self, Engine, EngineClient, EngineServerKey, KeyRequest, Stored};
use crate::{Client, Error, KeyNeeds, Lut, MaskStorage, Params, bfv, ckks, fhew, files};
use std::io::{Read, Write};
use std::sync::Arc;

/// The public evaluation key: what a client sends to a server. It goes to streams and files and back.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params, Server, ServerKey};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let sent = client.server_key()?.to_bytes()?;
/// let server = Server::new(ServerKey::from_bytes(&sent)?)?;
/// assert_eq!(server.key_id(), client.key_id());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ServerKey(pub(crate) Of<fhew::ServerKey, ckks::ServerKey, bfv::ServerKey>);

impl ServerKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(alike!(&self.0, key => key.params().clone()))
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        each!(&self.0, key => key.key_id())
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        each!(&self.0, key => key.stored_bytes())
    }

    /// Bytes that a server takes for it, which keeps masks or not.
    pub fn expanded_bytes(&self, masks: MaskStorage) -> u64 {
        each!(&self.0, key => key.expanded_bytes(masks))
    }

    /// The keys in it that only some functions need.
    pub fn additional(&self) -> KeyNeeds {
        each!(&self.0, key => key.additional())
    }

    /// Writes the key, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        each!(&self.0, key => key.write(out))
    }

    /// Reads a key, and nothing beyond its end; every size is checked, and the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what is no server key; [`Error::ChangedParams`]; [`Error::Memory`] before
    /// it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Self::read_within(None, input)
    }

    /// [`Self::read`] that takes `memory` bytes at most.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let (header, _, input) = files::peek(input)?;
        Ok(Self(named!(engines::of_kind(header.kind), E => <E as Engine>::ServerKey::read_within(memory, input)?)))
    }
}

files::in_files!(ServerKey, "A key", files::Content::Key);

/// The options of a server key: see [`Client::server_key_builder`]. It holds the secret keys as long as it is there.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let key = client.server_key_builder().algorithm("recursive-1").memory(1 << 30).build()?;
/// assert_eq!(key.key_id(), client.key_id());
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct ServerKeyBuilder {
    /// The client's keys, as long as this is there.
    client: Arc<Of<fhew::Client, ckks::Client, bfv::Client>>,
    request: KeyRequest,
    progress: Box<dyn FnMut(f64) + Send + Sync>,
}

impl ServerKeyBuilder {
    pub(crate) fn new(client: &Client) -> Self {
        Self { client: Arc::clone(&client.0), request: KeyRequest::default(), progress: Box::new(|_| ()) }
    }

    /// With the additional keys that this algorithm needs, for tables of every size: most need none.
    pub fn algorithm(mut self, name: impl Into<String>) -> Self {
        self.request.algorithms.push((name.into(), None));
        self
    }

    /// With the additional keys that this algorithm needs for this table.
    pub fn algorithm_for(mut self, name: impl Into<String>, lut: &Lut) -> Self {
        self.request.algorithms.push((name.into(), Some(lut.clone())));
        self
    }

    /// With these additional keys, whatever needs them: [`ServerKey::additional`] says which a key has. (One that
    /// packs by automorphisms serves blocks of every length, and says 1.)
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, KeyNeeds, Params};
    /// let client = Client::generate(&Params::named("toy_4")?)?;
    /// let needs = KeyNeeds { relinearisation: true, ..KeyNeeds::default() };
    /// assert_eq!(client.server_key_builder().additional(needs.clone()).build()?.additional(), needs);
    /// # Ok(())
    /// # }
    /// ```
    pub fn additional(mut self, needs: KeyNeeds) -> Self {
        self.request.needs = self.request.needs.and(needs);
        self
    }

    /// With the key that [`Server::compress`](crate::Server::compress) needs with engine fhew, some megabytes; sets for
    /// integers have it already.
    pub fn compression(mut self) -> Self {
        self.request.compression = true;
        self
    }

    /// Made by so many threads, instead of one for each processor; engine fhew takes one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.request.threads = threads;
        self
    }

    /// So many bytes of memory at most.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.request.memory = Some(bytes);
        self
    }

    /// A key that this process will expand, too: it is refused before it is made if there is no room for both forms.
    pub fn to_be_expanded(mut self) -> Self {
        self.request.expanded = true;
        self
    }

    /// Hears which part is done, from 0 to 1; of engine fhew no more than these two, which are a moment apart.
    pub fn progress(self, progress: impl FnMut(f64) + Send + Sync + 'static) -> Self {
        Self { progress: Box::new(progress), ..self }
    }

    /// Whether the key can be made, as [`Self::build`] finds out first.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Lut`], [`Error::NotWith`], [`Error::Threads`] as for [`Self::build`].
    pub fn check(&self) -> Result<(), Error> {
        if self.request.threads == 0 {
            return Err(Error::Threads);
        }
        each!(&*self.client, client => client.check_server_key(&self.request))
    }

    /// Makes the key.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::Ckks`]; [`Error::Lattice`] for additional keys that the set cannot
    /// have; [`Error::Lut`] for an algorithm that there is none of, or that does not evaluate its table;
    /// [`Error::NotWith`] for algorithms and additional keys of engines ckks and bfv, which choose by themselves;
    /// [`Error::Memory`] before anything is made; [`Error::Threads`].
    pub fn build(mut self) -> Result<ServerKey, Error> {
        self.check()?;
        (self.progress)(0.0);
        let key = alike!(&*self.client, client => client.server_key(&self.request, &mut *self.progress)?);
        (self.progress)(1.0);
        Ok(ServerKey(key))
    }
}

impl std::fmt::Debug for ServerKeyBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerKeyBuilder").field("algorithms", &self.request.algorithms).finish_non_exhaustive()
    }
}
