//! The key that anybody encrypts with.
use crate::door::client::gathered;
use crate::engines::of::{Of, alike, each, named};
use crate::engines::{self, Encryptor, Engine, EngineClient, EnginePublicKey, Stored};
use crate::{Ciphertexts, Client, Error, Interval, Params, Plain, bfv, ckks, fhew, files};
use std::io::{Read, Write};

/// A key that anybody encrypts with to one client, who alone decrypts: a sensor, a customer, or the server itself, for
/// what it is to evaluate beside ciphertexts.
///
/// What it encrypts is evaluated, added and sent as what the client encrypts, with more noise, which travels along.
/// With engine fhew thousands of values share the masks of one ciphertext, about 12 bytes each; one alone takes 13 kB.
/// The key has 16 kB with engine fhew, and the size of a ciphertext with the others.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Lut, Params, PublicKey, Server};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let sent = client.public_key()?.to_bytes()?;
///
/// let anybody = PublicKey::from_bytes(&sent)?;
/// let encrypted = anybody.encrypt([3, 15])?;
///
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// let results = Server::new(client.server_key()?)?.evaluate(&square, &encrypted)?;
/// assert_eq!(client.decrypt(&results)?, [9, 1]);
/// # Ok(())
/// # }
/// ```
///
/// Who encrypts proves nothing: a server takes ciphertexts of anybody on trust.
#[derive(Clone, Debug)]
pub struct PublicKey(Of<fhew::PublicKey, ckks::PublicKey, bfv::PublicKey>);

impl Client {
    /// A public key: another one at every call, and each as good as the others.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(PublicKey(alike!(&*self.0, client => client.public_key()?)))
    }
}

impl PublicKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(alike!(&self.0, key => key.set().clone()))
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        each!(&self.0, key => key.key_id())
    }

    /// Encrypts as [`Client::encrypt`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt(&self, values: impl IntoIterator<Item: Plain>) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt(&gathered(values)?)?)))
    }

    /// Encrypts as [`Client::encrypt_bits`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_bits(&self, values: impl IntoIterator<Item: Plain>, bits: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt_bits(&gathered(values)?, bits)?)))
    }

    /// Encrypts as [`Client::encrypt_modulo`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_modulo(&self, values: impl IntoIterator<Item: Plain>, p: u64) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt_modulo(&gathered(values)?, p)?)))
    }

    /// Encrypts as [`Client::encrypt_integers`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_integers(&self, values: impl IntoIterator<Item: Plain>, width: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt_integers(&gathered(values)?, width)?)))
    }

    /// Encrypts as [`Client::encrypt_unsigned`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_unsigned(&self, values: impl IntoIterator<Item: Plain>, width: u32) -> Result<Ciphertexts, Error> {
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt_unsigned(&gathered(values)?, width)?)))
    }

    /// Encrypts as [`Client::encrypt_within`] does.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_within(
        &self,
        values: impl IntoIterator<Item: Plain>,
        range: impl Into<Interval>,
        width: u32,
    ) -> Result<Ciphertexts, Error> {
        let (values, range) = (gathered(values)?, range.into());
        Ok(Ciphertexts(alike!(&self.0, key => key.encrypt_within(&values, range, width)?)))
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        each!(&self.0, key => key.stored_bytes())
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
    /// [`Error::Stream`], [`Error::Wire`] for what is no public key; [`Error::ChangedParams`]; [`Error::Memory`] before
    /// it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        let (header, _, input) = files::peek(input)?;
        Ok(Self(named!(engines::of_kind(header.kind), E => <E as Engine>::PublicKey::read_within(None, input)?)))
    }
}

files::in_files!(PublicKey, "A key", files::Content::Key);
