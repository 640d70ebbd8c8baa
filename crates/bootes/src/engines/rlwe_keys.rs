//! The keys of an engine on a scheme of RLWE: a seed and the scheme's secret keys, and its evaluation key.
use std::fmt;
use std::io::{Read, Write};

use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::rlwe::{KeyRequest, SchemeEvaluationKey, SchemeParams, SchemePublicKey, SchemeSecretKey};

use super::envelope::{PUBLIC_VERSION, begin, name_bytes, parameters};
use super::{ClientKey, Encryptor, Engine, EngineParams, EnginePublicKey, EngineServerKey, Stored};
use crate::memory::Room;
use crate::threads::on_all_threads;
use crate::{Error, MaskStorage};

/// A set of an engine on a scheme of RLWE.
pub(crate) trait RlweParams: EngineParams + Send + Sync {
    /// The scheme's set.
    type Scheme: SchemeParams + Send + Sync;
    const CLIENT_KEY: ObjectKind;
    const PUBLIC_KEY: ObjectKind;
    const SERVER_KEY: ObjectKind;
    /// The version of files that keys are written with.
    const VERSION: u16;

    fn scheme(&self) -> &Self::Scheme;

    /// The level of public keys: one above that of fresh ciphertexts, so that a division leaves little of their noise.
    fn public_level(&self) -> usize;
}

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
pub(crate) struct RlweClient<P: RlweParams> {
    pub(super) params: P,
    root: SecretSeed,
    pub(super) keys: SchemeSecretKey<P::Scheme>,
}

impl<P: RlweParams> ClientKey for RlweClient<P> {
    type Params = P;
    const KIND: ObjectKind = P::CLIENT_KEY;
    const VERSION: u16 = P::VERSION;

    fn of(params: &P, root: SecretSeed) -> Self {
        let keys = SchemeSecretKey::derive(params.scheme(), &root.bind(&params.fingerprint()));
        Self { params: params.clone(), root, keys }
    }

    fn derive(params: &P, root: SecretSeed) -> Result<Self, Error> {
        on_all_threads(|| {
            params.scheme().ring().prepare()?;
            Ok(Self::of(params, root))
        })
    }

    fn root(&self) -> &SecretSeed {
        &self.root
    }

    fn params(&self) -> &P {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.keys.id()
    }
}

impl<P: RlweParams> fmt::Debug for RlweClient<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RlweClient").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

/// The key that anybody encrypts with, its mask a seed.
#[derive(Clone, Debug)]
pub(crate) struct RlwePublicKey<P: RlweParams> {
    pub(super) params: P,
    pub(super) key: SchemePublicKey<P::Scheme>,
}

impl<P: RlweParams> RlwePublicKey<P> {
    /// The public key of a client.
    pub(super) fn of(client: &RlweClient<P>) -> Result<Self, Error>
    where
        Error: From<<P::Scheme as SchemeParams>::Error>,
    {
        let params = client.params.clone();
        on_all_threads(|| Ok(Self { key: client.keys.public_key_at(params.public_level())?, params }))
    }
}

impl<E, P: RlweParams> EnginePublicKey<E> for RlwePublicKey<P>
where
    E: Engine<PublicKey = Self>,
    Self: Encryptor<E>,
{
    fn key_id(&self) -> [u8; 16] {
        self.key.id()
    }
}

impl<P: RlweParams> Stored for RlwePublicKey<P> {
    const KIND: ObjectKind = P::PUBLIC_KEY;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.key.stored_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin::<Self, _>(out, PUBLIC_VERSION, (&self.params, self.key.id()), self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, P::PUBLIC_KEY)?;
        let params: P = parameters(&mut input, "public key")?;
        Room::check_read(memory, input.remaining())?;
        let key = SchemePublicKey::read(params.scheme(), input.header().key_id, params.public_level(), &mut input)?;
        input.finish()?;
        params.keep();
        Ok(Self { params, key })
    }
}

/// The public evaluation key, its masks seeds: what a client sends to a server.
///
/// Keys of real sets have hundreds of megabytes: they go to streams and come from them a limb at a time.
#[derive(Clone, Debug)]
pub(crate) struct RlweServerKey<P: RlweParams> {
    params: P,
    key: SchemeEvaluationKey<P::Scheme>,
}

impl<P: RlweParams> RlweServerKey<P> {
    pub(super) fn new(params: &P, key: SchemeEvaluationKey<P::Scheme>) -> Self {
        Self { params: params.clone(), key }
    }

    /// Set and key, if it has the keys that `request` asks for.
    ///
    /// # Errors
    /// [`Error::MissingKeys`].
    pub(super) fn into_parts(self, request: &KeyRequest) -> Result<(P, SchemeEvaluationKey<P::Scheme>), Error> {
        let params = || self.params.name().into();
        self.key.expect(request).map_err(|source| Error::MissingKeys { params: params(), source: source.into() })?;
        Ok((self.params, self.key))
    }

    /// The bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.key.bytes()
    }
}

impl<P: RlweParams> EngineServerKey for RlweServerKey<P> {
    type Params = P;

    fn params(&self) -> &P {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.key.id()
    }

    fn expanded_bytes(&self, masks: MaskStorage) -> u64 {
        match masks {
            MaskStorage::Seeded => self.bytes() as u64,
            MaskStorage::Expanded => 2 * self.bytes() as u64,
        }
    }
}

impl<P: RlweParams> Stored for RlweServerKey<P> {
    const KIND: ObjectKind = P::SERVER_KEY;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.key.stored_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let owner = (&self.params, self.key_id());
        let mut out = begin::<Self, _>(out, P::VERSION, owner, self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, P::SERVER_KEY)?;
        let params: P = parameters(&mut input, "server key")?;
        on_all_threads(|| Ok::<_, Error>(params.scheme().ring().prepare()?))?;
        Room::check_read(memory, input.remaining())?;
        let key = SchemeEvaluationKey::read(params.scheme(), input.header().key_id, &mut input)?;
        input.finish()?;
        params.keep();
        Ok(Self { params, key })
    }
}
