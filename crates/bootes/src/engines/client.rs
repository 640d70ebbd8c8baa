//! The secret side, and whoever encrypts: what they are for every engine.
use super::{Engine, EngineParams, INTEGERS, Stored, ckks, envelope, fhew};
use crate::memory::Room;
use crate::{Engine as Name, Error, Interval, KeyNeeds, Lut, SlotTables, Space};
use bootes_lattice::wire::ObjectKind;
use bootes_lut::integer::MAX_WIDTH;
use bootes_ring::sample::SecretSeed;
use std::io::Read;
use zeroize::Zeroizing;

/// A client as a seed and a set make it, and as it goes to files.
pub(crate) trait ClientKey: Sized {
    type Params: EngineParams;
    const KIND: ObjectKind;
    /// The version of its file.
    const VERSION: u16;

    /// The client of a seed.
    fn of(params: &Self::Params, root: SecretSeed) -> Self;

    /// [`Self::of`], on as many threads as help.
    fn derive(params: &Self::Params, root: SecretSeed) -> Result<Self, Error> {
        Ok(Self::of(params, root))
    }

    fn root(&self) -> &SecretSeed;
    fn params(&self) -> &Self::Params;
    fn key_id(&self) -> [u8; 16];

    fn generate(params: &Self::Params) -> Result<Self, Error> {
        Self::derive(params, SecretSeed::from_entropy()?)
    }

    fn from_seed(params: &Self::Params, seed: &[u8; 32]) -> Self {
        Self::of(params, SecretSeed::from_bytes(seed))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        envelope::open_client(bytes)
    }

    fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        envelope::seal_client(self)
    }
}

/// Refuses values that are no integers of a range.
pub(super) fn check_integers(values: &[i128], range: Interval, width: u32) -> Result<(), Error> {
    match values.iter().position(|&value| !range.has(value)) {
        Some(index) => Err(Error::Integer { index, value: values[index], range, width }),
        None => Ok(()),
    }
}

/// Refuses values that are no residues modulo `modulus`.
pub(super) fn check_residues(values: &[i128], modulus: u64) -> Result<(), Error> {
    let residues = 0..i128::from(modulus);
    match values.iter().position(|value| !residues.contains(value)) {
        Some(index) => Err(Error::Residue { index, value: values[index], modulus }),
        None => Ok(()),
    }
}

/// Values as engines take them.
#[cfg(test)]
pub(crate) fn signed(values: &[u64]) -> Vec<i128> {
    values.iter().map(|&value| value.into()).collect()
}

/// What encrypts: a client, or its public key.
pub(crate) trait Encryptor<E: Engine> {
    fn set(&self) -> &E::Params;

    /// Encrypts values that are of this space.
    fn encrypt_in(&self, values: &[i128], space: Space) -> Result<E::Ciphertexts, Error>;

    /// Residues modulo what the set is for.
    fn encrypt(&self, values: &[i128]) -> Result<E::Ciphertexts, Error> {
        match self.set().modulus() {
            Some(p) => self.encrypt_modulo(values, p),
            None => self.encrypt_bits(values, self.set().bits()),
        }
    }

    fn encrypt_bits(&self, values: &[i128], bits: u32) -> Result<E::Ciphertexts, Error> {
        self.encrypt_in(values, self.set().space_of_bits(values, bits)?)
    }

    fn encrypt_modulo(&self, values: &[i128], p: u64) -> Result<E::Ciphertexts, Error> {
        self.encrypt_in(values, self.set().space_modulo(values, p)?)
    }

    fn encrypt_integers(&self, values: &[i128], width: u32) -> Result<E::Ciphertexts, Error> {
        self.encrypt_within(values, Interval::signed(width.clamp(1, MAX_WIDTH)), width)
    }

    fn encrypt_unsigned(&self, values: &[i128], width: u32) -> Result<E::Ciphertexts, Error> {
        self.encrypt_in(values, self.set().space_of_unsigned(values, width)?)
    }

    fn encrypt_within(&self, values: &[i128], range: Interval, width: u32) -> Result<E::Ciphertexts, Error> {
        self.encrypt_in(values, self.set().space_within(values, range, width)?)
    }
}

/// The key that anybody encrypts with.
pub(crate) trait EnginePublicKey<E: Engine<PublicKey = Self>>: Encryptor<E> + Stored {
    fn key_id(&self) -> [u8; 16];
}

/// Integers none of which may be negative.
pub(crate) fn residues(values: Vec<i128>) -> Result<Vec<u64>, Error> {
    let one = |(index, value): (usize, i128)| u64::try_from(value).map_err(|_| Error::Wide { index, value });
    values.into_iter().enumerate().map(one).collect()
}

/// The secret side.
pub(crate) trait EngineClient<E: Engine<Client = Self>>: ClientKey<Params = E::Params> + Encryptor<E> {
    /// A public key, another one at every call.
    fn public_key(&self) -> Result<E::PublicKey, Error>;

    fn decrypt(&self, ciphertexts: &E::Ciphertexts) -> Result<Vec<u64>, Error>;

    fn decrypt_integers(&self, ciphertexts: &E::Ciphertexts) -> Result<Vec<i128>, Error> {
        Ok(self.decrypt(ciphertexts)?.into_iter().map(|value| value.into()).collect())
    }

    fn decrypt_from<R: Read>(&self, ciphertexts: E::Reader<R>) -> Result<Vec<i128>, Error>;

    fn measure_noise(&self, _ciphertexts: &E::Ciphertexts, _values: &[i128]) -> Result<Vec<f64>, Error> {
        Err(Error::not_with("a measurement of noise", E::NAME, INTEGERS))
    }

    /// Refuses a server key that cannot be made.
    fn check_server_key(&self, request: &KeyRequest) -> Result<(), Error> {
        if let Some((name, _)) = request.algorithms.first() {
            return Err(Error::not_with(&format!("the choice of an algorithm ({name})"), E::NAME, &[Name::Fhew]));
        }
        if !request.needs.is_empty() {
            return Err(Error::not_with(&format!("the choice of {}", request.needs), E::NAME, &[Name::Fhew]));
        }
        self.params().check_key_memory(Room::now(request.memory))
    }

    /// A server key; `progress` hears which part is done.
    fn server_key(&self, request: &KeyRequest, progress: &mut (dyn FnMut(f64) + Send)) -> Result<E::ServerKey, Error>;

    /// Encrypts the bits of a symmetric key of this identifier.
    fn encrypt_symmetric_key(&self, _id: [u8; 16], _bits: &[i128]) -> Result<fhew::EncryptedSymmetricKey, Error> {
        Err(fhew::refused(self.params()))
    }

    fn encrypt_table(&self, _lut: &Lut) -> Result<ckks::EncryptedTable, Error> {
        Err(Error::not_with("an encrypted table", E::NAME, &[Name::Ckks]))
    }

    fn encrypt_tables(&self, _tables: &SlotTables) -> Result<ckks::EncryptedTable, Error> {
        Err(Error::not_with("an encrypted table", E::NAME, &[Name::Ckks]))
    }
}

/// The content of a server key, and the means to make it.
pub(crate) struct KeyRequest {
    /// Algorithms whose additional keys it has, for one table or for all.
    pub(crate) algorithms: Vec<(String, Option<Lut>)>,
    /// Additional keys besides.
    pub(crate) needs: KeyNeeds,
    /// Whether results are compressed.
    pub(crate) compression: bool,
    /// Threads that make it.
    pub(crate) threads: usize,
    /// Bytes of memory at most.
    pub(crate) memory: Option<u64>,
    /// Whether this process will expand it, too.
    pub(crate) expanded: bool,
}

impl Default for KeyRequest {
    fn default() -> Self {
        let (algorithms, needs) = (Vec::new(), KeyNeeds::default());
        Self { algorithms, needs, compression: false, threads: usize::MAX, memory: None, expanded: false }
    }
}
