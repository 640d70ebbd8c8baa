//! The secret side of engine bfv.
use std::fmt;
use std::io::Read;

use bootes_lattice::rns::MaskStorage;
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal_as};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::exact::{ExactCiphertext, ExactSecretKey, Scheme};
use zeroize::Zeroizing;

use super::{
    CiphertextReader, Ciphertexts, Params, ServerKey, VERSION, check_key, check_key_memory, fresh_bytes, keep, named,
};
use crate::engines::blocks::VectorReader;
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::names::{hex, read_name};
use crate::threads::{on_all_threads, on_threads};
use crate::{Error, SlotError};

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
pub(crate) struct Client {
    params: Params,
    root: SecretSeed,
    pub(super) keys: ExactSecretKey,
}

impl Client {
    /// New keys from the system's randomness.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub(crate) fn generate(params: &Params) -> Result<Self, Error> {
        let root = SecretSeed::from_entropy()?;
        on_all_threads(|| Ok(Self::of(params, root)))
    }

    /// The secret keys of a seed and a set, the same every time.
    pub(crate) fn from_seed(params: &Params, seed: &[u8; 32]) -> Self {
        Self::of(params, SecretSeed::from_bytes(seed))
    }

    fn of(params: &Params, root: SecretSeed) -> Self {
        let keys = ExactSecretKey::derive(params, &root.bind(&params.fingerprint()));
        Self { params: params.clone(), root, keys }
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// A public identifier of the key pair.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.keys.id()
    }

    /// Encrypts residues modulo p = p^r of the set, as many to a ciphertext as it has slots; the last one is filled
    /// with zeros.
    ///
    /// # Errors
    /// [`Error::NoValues`]; [`SlotError::Modulus`] for another p; [`Error::Residue`] for a value that is not below it;
    /// [`Error::CiphertextMemory`] before anything is done; [`Error::Exact`] if there is no randomness.
    pub(crate) fn encrypt(&self, values: &[u64], p: u64) -> Result<Ciphertexts, Error> {
        let (params, modulus) = (&self.params, self.params.modulus());
        if p != modulus {
            return Err(SlotError::Modulus { found: p, expected: modulus, params: params.name().into() }.into());
        }
        if let Some(index) = values.iter().position(|&value| value >= p) {
            return Err(Error::Residue { index, value: values[index], modulus: p });
        }
        if values.is_empty() {
            return Err(Error::NoValues);
        }
        check_ciphertexts(fresh_bytes(params, values.len()))?;
        let k = params.slots().count();
        let encrypt = |values: &[u64]| {
            let mut row = Zeroizing::new(vec![0; k]);
            row.iter_mut().zip(values).for_each(|(slot, &value)| *slot = value as i64);
            let message = Zeroizing::new(params.slots().encode(&row)?);
            Ok::<_, Error>(self.keys.encrypt(&message, Scheme::Bgv, params.exponent(), params.fresh_level())?)
        };
        let parts = on_all_threads(|| values.chunks(k).map(encrypt).collect::<Result<_, _>>())?;
        Ok(Ciphertexts::new(params, values.len(), parts))
    }

    /// Decrypts residues.
    ///
    /// # Errors
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::CiphertextMemory`].
    pub(crate) fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (len, mut values) = (ciphertexts.len(), reserved_as(ciphertexts.len(), 1)?);
        on_all_threads(|| {
            for part in ciphertexts.parts() {
                values.extend(self.decrypt_part(part)?.iter().take(len - values.len()));
            }
            Ok(values)
        })
    }

    /// [`Self::decrypt`] of ciphertexts that are read as they are needed.
    ///
    /// # Errors
    /// As [`Self::decrypt`]; [`Error::Stream`].
    pub(crate) fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let len = input.head().len();
        check_key("ciphertext", [input.head().owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(len, 1)?;
        while input.left() > 0 {
            let piece = input.next()?;
            let row = on_all_threads(|| self.decrypt_part(&piece.parts()[0]))?;
            values.extend(row.iter().take(len - values.len()).map(|&value| value as i64));
        }
        input.finish().map(|()| values)
    }

    /// The values of all slots.
    fn decrypt_part(&self, part: &ExactCiphertext) -> Result<Zeroizing<Vec<u64>>, Error> {
        let message = Zeroizing::new(self.keys.decrypt(part)?);
        Ok(Zeroizing::new(self.params.slots().decode(&message)?))
    }

    /// The key that the server needs: public, its masks seeds; another one at every call. `progress` hears after each
    /// of its keys how many of how many are made. It takes `memory` bytes at most.
    ///
    /// # Errors
    /// [`Error::Memory`] before anything is made; [`Error::Threads`], [`Error::ThreadPool`]; [`Error::Exact`] if there
    /// is no randomness.
    pub(crate) fn server_key_within(
        &self,
        memory: Option<u64>,
        threads: usize,
        progress: impl FnMut(usize, usize) + Send,
    ) -> Result<ServerKey, Error> {
        check_key_memory(&self.params, Room::now(memory))?;
        on_threads(threads, || {
            let request = self.params.request(self.params.bootstrap()?);
            let key = self.keys.evaluation_key(&request, MaskStorage::Seeded, progress)?;
            Ok(ServerKey::new(&self.params, key))
        })?
    }

    /// The secret key in bytes, the name of the set and a seed: keep them secret.
    pub(crate) fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(SECRET_PAYLOAD_BYTES);
        w.str(self.params.name());
        w.raw(self.root.expose_bytes());
        let payload = Zeroizing::new(w.into_bytes());
        let fingerprint = self.params.fingerprint();
        Zeroizing::new(seal_as(VERSION, ObjectKind::SlotClientKey, fingerprint, self.key_id(), &payload))
    }

    /// A client from [`Self::export_secret_bytes`].
    ///
    /// # Errors
    /// [`Error::Wire`], [`SlotError::Set`] for a set that does not exist, [`Error::ChangedParams`],
    /// [`Error::OtherKey`].
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::SlotClientKey)?;
        let mut r = Reader::new(payload);
        let params = named(read_name(&mut r)?)?;
        let root = SecretSeed::from_bytes(r.array_ref()?);
        r.finish()?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "client key", params: params.name().into() });
        }
        let client = on_all_threads(|| Ok(Self::of(&params, root)))?;
        if client.key_id() != header.key_id {
            let [found, expected] = [header.key_id, client.key_id()].map(|id| hex(&id));
            return Err(Error::OtherKey { what: "client key", found, expected });
        }
        keep(&params);
        Ok(client)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("params", &self.params.name()).finish_non_exhaustive()
    }
}
