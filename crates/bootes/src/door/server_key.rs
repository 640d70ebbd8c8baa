//! What a client gives to a server.
use crate::engines::Of;
use crate::memory::Room;
use crate::threads::useful;
use crate::{Client, Error, KeyNeeds, Lut, MaskStorage, Params, bfv, ckks, fhew, files};
use bootes_lattice::wire::{ObjectKind, WireError};
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
pub struct ServerKey(pub(crate) Of<fhew::ServerKey, ckks::ServerKey, bfv::ServerKey>);

impl ServerKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(match &self.0 {
            Of::Fhew(key) => Of::Fhew(key.params()),
            Of::Ckks(key) => Of::Ckks(key.params().clone()),
            Of::Bfv(key) => Of::Bfv(key.params().clone()),
        })
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        match &self.0 {
            Of::Fhew(key) => key.key_id(),
            Of::Ckks(key) => key.key_id(),
            Of::Bfv(key) => key.key_id(),
        }
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        match &self.0 {
            Of::Fhew(key) => key.stored_bytes(),
            Of::Ckks(key) => key.stored_bytes(),
            Of::Bfv(key) => key.stored_bytes(),
        }
    }

    /// Bytes that a server takes for it, which keeps masks or not.
    pub fn expanded_bytes(&self, masks: MaskStorage) -> u64 {
        match (&self.0, masks) {
            (Of::Fhew(key), _) => fhew::KeySizes::of(&key.params(), &key.additional()).memory as u64,
            (Of::Ckks(key), MaskStorage::Seeded) => key.bytes() as u64,
            (Of::Ckks(key), MaskStorage::Expanded) => 2 * key.bytes() as u64,
            (Of::Bfv(key), MaskStorage::Seeded) => key.bytes() as u64,
            (Of::Bfv(key), MaskStorage::Expanded) => 2 * key.bytes() as u64,
        }
    }

    /// The keys in it that only some functions need.
    pub fn additional(&self) -> KeyNeeds {
        match &self.0 {
            Of::Fhew(key) => key.additional(),
            Of::Ckks(_) | Of::Bfv(_) => KeyNeeds::default(),
        }
    }

    /// Writes the key, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        match &self.0 {
            Of::Fhew(key) => key.write(out),
            Of::Ckks(key) => key.write(out),
            Of::Bfv(key) => key.write(out),
        }
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
        Ok(Self(match header.kind {
            ObjectKind::BatchServerKey => Of::Ckks(ckks::ServerKey::read_within(memory, input)?),
            ObjectKind::SlotServerKey => Of::Bfv(bfv::ServerKey::read_within(memory, input)?),
            ObjectKind::ServerKey => Of::Fhew(fhew::ServerKey::read_within(memory, input)?),
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
    /// [`Error::File`]; [`Error::InFile`] with what [`Self::read`] says.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        files::load(path.as_ref(), |file| Self::read(file))
    }
}

/// What a server key is to be: see [`Client::server_key_builder`].
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
pub struct ServerKeyBuilder<'a> {
    client: &'a Client,
    algorithms: Vec<(String, Option<Lut>)>,
    needs: KeyNeeds,
    threads: usize,
    memory: Option<u64>,
    expanded: bool,
    progress: Box<dyn FnMut(f64) + Send + 'a>,
}

impl<'a> ServerKeyBuilder<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        let progress = Box::new(|_| ());
        let (algorithms, needs) = (Vec::new(), KeyNeeds::default());
        Self { client, algorithms, needs, threads: usize::MAX, memory: None, expanded: false, progress }
    }

    /// With the additional keys that this algorithm needs, for tables of every size: most need none.
    pub fn algorithm(mut self, name: impl Into<String>) -> Self {
        self.algorithms.push((name.into(), None));
        self
    }

    /// With the additional keys that this algorithm needs for this table.
    pub fn algorithm_for(mut self, name: impl Into<String>, lut: &Lut) -> Self {
        self.algorithms.push((name.into(), Some(lut.clone())));
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
        self.needs = self.needs.and(needs);
        self
    }

    /// Made by so many threads, instead of one for each processor; engine fhew takes one.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// So many bytes of memory at most.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// A key that this process will expand, too: it is refused before it is made if there is no room for both forms.
    pub fn to_be_expanded(self) -> Self {
        Self { expanded: true, ..self }
    }

    /// Hears which part is done, from 0 to 1; of engine fhew no more than these two, which are a moment apart.
    pub fn progress(self, progress: impl FnMut(f64) + Send + 'a) -> Self {
        Self { progress: Box::new(progress), ..self }
    }

    /// The additional keys, those that the algorithms need among them.
    fn needs(&self, params: &fhew::Params) -> Result<KeyNeeds, Error> {
        let mut needs = self.needs.clone();
        for (name, lut) in &self.algorithms {
            match lut {
                Some(lut) => needs = needs.and(params.table_keys(name, lut)?),
                None => {
                    for bits in 1..=params.bits() {
                        needs = needs.and(params.extra_keys(name, bits)?);
                    }
                }
            }
        }
        Ok(needs)
    }

    /// Whether the key can be made, as [`Self::build`] finds out first.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Lut`], [`Error::NotWith`], [`Error::Threads`] as for [`Self::build`].
    pub fn check(&self) -> Result<(), Error> {
        if self.threads == 0 {
            return Err(Error::Threads);
        }
        match &self.client.0 {
            Of::Fhew(client) => {
                let params = client.params();
                let needs = params.integer_keys().and(self.needs(&params)?);
                params.check_needs(&needs)?;
                let sizes = fhew::KeySizes::of(&params, &needs);
                let [stored, memory] = [sizes.stored, sizes.memory].map(|bytes| bytes as u64);
                Room::now(self.memory).check(0, if self.expanded { stored + memory } else { stored })
            }
            Of::Ckks(_) | Of::Bfv(_) if !self.algorithms.is_empty() => {
                let what = format!("the choice of an algorithm ({})", self.algorithms[0].0);
                Err(Error::not_with(&what, self.client.0.engine()))
            }
            Of::Ckks(_) | Of::Bfv(_) if !self.needs.is_empty() => {
                Err(Error::not_with(&format!("the choice of {}", self.needs), self.client.0.engine()))
            }
            Of::Ckks(_) | Of::Bfv(_) => self.client.params().check_key_memory(self.memory),
        }
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
        match &self.client.0 {
            Of::Fhew(client) => {
                let key = client.server_key_with(&self.needs(&client.params())?)?;
                (self.progress)(1.0);
                Ok(ServerKey(Of::Fhew(key)))
            }
            Of::Ckks(client) => {
                let progress = |done: usize, all: usize| (self.progress)(done as f64 / all as f64);
                Ok(ServerKey(Of::Ckks(client.server_key_within(self.memory, useful(self.threads), progress)?)))
            }
            Of::Bfv(client) => {
                let progress = |done: usize, all: usize| (self.progress)(done as f64 / all as f64);
                Ok(ServerKey(Of::Bfv(client.server_key_within(self.memory, useful(self.threads), progress)?)))
            }
        }
    }
}

impl std::fmt::Debug for ServerKeyBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerKeyBuilder").field("algorithms", &self.algorithms).finish_non_exhaustive()
    }
}
