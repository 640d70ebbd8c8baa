//! What is sent by AES instead of as ciphertexts: keys, encrypted keys, and values.
use crate::aes::{BLOCK, Cipher};
use crate::door::client::gathered;
use crate::engines::of::{Of, each};
use crate::engines::{ClientKey, EngineClient, EngineParams, Stored};
use crate::{Client, Error, Params, Plain, Space, fhew, files};
use bootes_ring::sample::{MaskSeed, SecretSeed};
use std::fmt;
use std::io::{Read, Write};
use zeroize::{Zeroizing, zeroize_stack};

/// What a symmetric key of a client is derived for.
const CONTEXT: &[u8; 16] = b"transcipher: AES";

/// Bytes of stack that AES and its digests use.
const STACK: usize = 8 << 10;

/// A key of AES-128, with which a client encrypts what it sends: [`Client::encrypt_symmetric`]. Wiped when it is
/// dropped, and never printed.
///
/// A ciphertext is many times as long as a byte, and what AES makes of it is a byte. The server is sent the key's bits
/// encrypted, once ([`Client::encrypt_symmetric_key`]), and makes ciphertexts of all that follows
/// ([`Server::transcipher`](crate::Server::transcipher)), without a look at it.
///
/// AES runs in counter mode (SP 800-38A). It hides, and does not authenticate: whoever changes bits on the way changes
/// values. Messages begin at a counter of 96 random bits, and 32 of zeros: of 2^32 messages under one key two begin
/// alike with probability 2^-33, and that is the most there should be.
pub struct SymmetricKey(Box<Zeroizing<[u8; BLOCK]>>);

impl SymmetricKey {
    /// A random one.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate() -> Result<Self, Error> {
        Ok(Self::of(&SecretSeed::from_entropy()?))
    }

    /// One that a device has already: 16 bytes that nobody guesses, as what AES makes of nothing is sent along.
    pub fn from_bytes(bytes: &[u8; BLOCK]) -> Self {
        let mut key = Box::new(Zeroizing::new([0; BLOCK]));
        key.copy_from_slice(bytes);
        Self(key)
    }

    fn of(seed: &SecretSeed) -> Self {
        let mut key = Box::new(Zeroizing::new([0; BLOCK]));
        key.copy_from_slice(&seed.expose_bytes()[..BLOCK]);
        Self(key)
    }

    /// A public identifier: a digest of the key.
    pub fn id(&self) -> [u8; 16] {
        let id = self.digest();
        zeroize_stack::<STACK>();
        id
    }

    /// In a frame of its own, which is then below that of the caller.
    #[inline(never)]
    fn digest(&self) -> [u8; 16] {
        let mut hash = MaskSeed::hashing("bootes symmetric key");
        hash.update(&**self.0);
        let digest = hash.seed().to_bytes();
        std::array::from_fn(|i| digest[i])
    }

    /// Adds the key stream from this counter on, likewise.
    #[inline(never)]
    fn apply(&self, counter: [u8; BLOCK], data: &mut [u8]) -> Result<(), Error> {
        Cipher::new(&self.0).apply(counter, data)
    }
}

impl fmt::Debug for SymmetricKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SymmetricKey(<redacted>)")
    }
}

/// The 128 bits of a [`SymmetricKey`], encrypted: what a server keeps to make ciphertexts of what the client sends.
/// Public, a kilobyte.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, EncryptedSymmetricKey, Params};
/// let client = Client::generate(&Params::named("toy_bits")?)?; // fhew_bits_2m128 in earnest
/// let key = client.encrypt_symmetric_key(&client.symmetric_key())?;
/// let again = EncryptedSymmetricKey::from_bytes(&key.to_bytes()?)?;
/// assert_eq!(again.id(), client.symmetric_key().id());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EncryptedSymmetricKey(pub(crate) fhew::EncryptedSymmetricKey);

impl EncryptedSymmetricKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(Of::Fhew(self.0.params().clone()))
    }

    /// Identifier of the key pair that it is encrypted with.
    pub fn key_id(&self) -> [u8; 16] {
        self.0.key_id()
    }

    /// Identifier of the symmetric key.
    pub fn id(&self) -> [u8; 16] {
        self.0.id()
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        self.0.stored_bytes()
    }

    /// Writes it, and gives `out` back.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        self.0.write(out)
    }

    /// Reads one, and nothing beyond its end; everything is checked.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what is none; [`Error::ChangedParams`]; [`Error::OtherKey`].
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Ok(Self(Stored::read_within(None, input)?))
    }
}

files::in_files!(EncryptedSymmetricKey, "An encrypted symmetric key", files::Content::Key);

/// Values as AES-128 in counter mode encrypts them, a byte a byte: small to send, and made ciphertexts by the server
/// ([`Server::transcipher`](crate::Server::transcipher)).
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params, SymmetricCiphertexts};
/// let client = Client::generate(&Params::named("toy_bits")?)?; // fhew_bits_2m128 in earnest, whose values are bytes
/// let sent = client.encrypt_symmetric(&client.symmetric_key(), 0..16)?;
/// assert!(sent.stored_bytes() < 150 && sent.len() == 16);
/// assert_eq!(SymmetricCiphertexts::from_bytes(&sent.to_bytes()?)?.counter(), sent.counter());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SymmetricCiphertexts(pub(crate) fhew::SymmetricCiphertexts);

impl SymmetricCiphertexts {
    /// What AES-128 in counter mode made elsewhere, with the symmetric key of `key` and from this counter block on:
    /// values of `bits` bits, 1, 2, 4 or 8, the lowest of each byte first. No counter is used twice with a key.
    ///
    /// # Errors
    /// [`Error::Transcipher`] for other bits, or more than the set's messages have; [`Error::NoValues`] for no bytes.
    pub fn of_aes(
        key: &EncryptedSymmetricKey,
        counter: [u8; BLOCK],
        bytes: impl Into<Vec<u8>>,
        bits: u32,
    ) -> Result<Self, Error> {
        let (params, data) = (key.0.params(), bytes.into());
        params.check_symmetric_bits(bits)?;
        if data.is_empty() {
            return Err(Error::NoValues);
        }
        let (key_id, id, count) = (key.key_id(), key.id(), 8 * data.len() / bits as usize);
        Ok(Self(fhew::SymmetricCiphertexts { params: params.clone(), key_id, id, counter, bits, count, data }))
    }

    /// The number of values.
    #[expect(clippy::len_without_is_empty, reason = "there is none without values")]
    pub fn len(&self) -> usize {
        self.0.count
    }

    /// The space of the values, and of the ciphertexts that are made of them.
    pub fn space(&self) -> Space {
        Space::of_bits(self.0.bits)
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(Of::Fhew(self.0.params.clone()))
    }

    /// Identifier of the key pair of their client.
    pub fn key_id(&self) -> [u8; 16] {
        self.0.key_id
    }

    /// Identifier of the symmetric key.
    pub fn symmetric_key_id(&self) -> [u8; 16] {
        self.0.id
    }

    /// The first counter block.
    pub fn counter(&self) -> [u8; BLOCK] {
        self.0.counter
    }

    /// Refuses a key that is not theirs.
    ///
    /// # Errors
    /// [`Error::Transcipher`], [`Error::OtherParams`], [`Error::OtherKey`].
    pub fn check_key(&self, key: &EncryptedSymmetricKey) -> Result<(), Error> {
        fhew::check_symmetric(&self.0, &key.0)
    }

    /// What AES made.
    pub fn aes(&self) -> &[u8] {
        &self.0.data
    }

    /// The bytes of their file.
    pub fn stored_bytes(&self) -> u64 {
        self.0.stored_bytes()
    }

    /// Writes them, and gives `out` back.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        self.0.write(out)
    }

    /// Reads some, and nothing beyond their end; every size is checked, and the checksum, which finds accidents and no
    /// forgeries.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Wire`] for what are none; [`Error::ChangedParams`]; [`Error::CiphertextMemory`].
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Ok(Self(Stored::read_within(None, input)?))
    }
}

files::in_files!(SymmetricCiphertexts, "What AES encrypted", files::Content::Values);

/// Values side by side in bytes, the lowest bits first.
fn packed(values: &[i128], bits: u32) -> Zeroizing<Vec<u8>> {
    let per_byte = (8 / bits) as usize;
    let byte = |values: &[i128]| values.iter().rev().fold(0, |byte, &value| (byte << (bits % 8)) | value as u8);
    let mut bytes = Zeroizing::new(Vec::with_capacity(values.len().div_ceil(per_byte)));
    bytes.extend(values.chunks(per_byte).map(byte));
    bytes
}

impl Params {
    /// Bits of the values that [`Client::encrypt_symmetric`] takes: 8, or fewer where the set's messages have fewer.
    ///
    /// # Errors
    /// [`Error::Transcipher`] for sets that have no transciphering, which names one that has.
    pub fn symmetric_bits(&self) -> Result<u32, Error> {
        Ok(each!(&self.0, params => params.transciphering())?.symmetric_bits())
    }
}

impl Client {
    /// The symmetric key that goes with these secrets, the same every time. Another one is
    /// [`SymmetricKey::generate`], or [`SymmetricKey::from_bytes`].
    pub fn symmetric_key(&self) -> SymmetricKey {
        each!(&*self.0, client => SymmetricKey::of(&client.root().bind(CONTEXT)))
    }

    /// Encrypts the bits of a symmetric key for the server, once.
    ///
    /// # Errors
    /// [`Error::Transcipher`] for sets that have no transciphering, which names one that has; [`Error::Randomness`].
    pub fn encrypt_symmetric_key(&self, key: &SymmetricKey) -> Result<EncryptedSymmetricKey, Error> {
        let bit = |i: usize| i128::from(key.0[i / 8] >> (i % 8) & 1);
        let mut bits = Zeroizing::new(Vec::with_capacity(fhew::KEY_BITS));
        bits.extend((0..fhew::KEY_BITS).map(bit));
        each!(&*self.0, client => client.encrypt_symmetric_key(key.id(), &bits)).map(EncryptedSymmetricKey)
    }

    /// Encrypts values by AES: bytes, or residues modulo 2^4 with sets whose messages have fewer than 8 bits. Each call
    /// begins at another counter, a random one.
    ///
    /// # Errors
    /// [`Error::Transcipher`] for sets that have no transciphering, which names one that has; [`Error::Residue`],
    /// [`Error::NoValues`]; [`Error::Randomness`].
    pub fn encrypt_symmetric(
        &self,
        key: &SymmetricKey,
        values: impl IntoIterator<Item: Plain>,
    ) -> Result<SymmetricCiphertexts, Error> {
        self.encrypt_symmetric_bits(key, values, self.params().symmetric_bits()?)
    }

    /// Encrypts residues modulo 2^`bits` by AES: of 1, 2, 4 or 8 bits, and no more than the set's messages have. The
    /// server makes bits in three quarters of the time.
    ///
    /// # Errors
    /// As [`Self::encrypt_symmetric`]; [`Error::Transcipher`] for other bits.
    pub fn encrypt_symmetric_bits(
        &self,
        key: &SymmetricKey,
        values: impl IntoIterator<Item: Plain>,
        bits: u32,
    ) -> Result<SymmetricCiphertexts, Error> {
        let params = each!(&*self.0, client => client.params().transciphering())?;
        params.check_symmetric_bits(bits)?;
        let values = gathered(values)?;
        params.space_modulo(&values, 1 << bits)?;
        if values.is_empty() {
            return Err(Error::NoValues);
        }
        // Where a system repeats its randomness, as a machine that is restored twice, other values have another one, and
        // the same in other bits.
        let words = key.0.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).chain([u64::from(bits)]);
        let seed = SecretSeed::from_entropy()?.bind_message(words.chain(values.iter().map(|&value| value as u64)));
        let mut counter = [0; BLOCK];
        counter[..12].copy_from_slice(&seed.expose_bytes()[..12]);
        let mut data = packed(&values, bits);
        let applied = key.apply(counter, &mut data);
        zeroize_stack::<STACK>();
        applied?;
        let (key_id, id, count, data) = (self.key_id(), key.id(), values.len(), std::mem::take(&mut *data));
        let sent = fhew::SymmetricCiphertexts { params: params.clone(), key_id, id, counter, bits, count, data };
        Ok(SymmetricCiphertexts(sent.trimmed()))
    }
}
