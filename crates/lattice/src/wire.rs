//! Versioned, checksummed bytes for keys and ciphertexts.
//!
//! Every object that leaves a process is one *envelope*:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | magic `BOOTES\0\x1a` |
//! | 8 | 2 | format version, 1 to [`FORMAT_VERSION`] |
//! | 10 | 1 | [`ObjectKind`] |
//! | 11 | 16 | fingerprint of the parameters |
//! | 27 | 16 | identity of the key that the object belongs to |
//! | 43 | 8 | payload length L |
//! | 51 | L | payload |
//! | 51 + L | 16 | first 16 bytes of the SHA-256 of everything before |
//!
//! All integers are little-endian. [`seal`] writes an envelope, [`open`] checks one in the order magic, version, kind,
//! length, checksum, so that each cause has its own [`WireError`]. The checksum finds accidents, not forgeries: whoever
//! can rewrite a file can rewrite its checksum, so a payload is still parsed with a [`Reader`], which checks every read
//! before it allocates. [`stream`] writes and reads the same envelopes piece by piece.
//!
//! Versions: a change of the layout above or of any payload raises [`FORMAT_VERSION`]; a reader accepts every version
//! from 1 to its own and refuses newer ones by name. A writer takes the oldest version that says all there is to say,
//! so that older programs read what they can use.
//!
//! | version | news |
//! |---|---|
//! | 1 | the layout above |
//! | 2 | ciphertexts of any modulus and of two limbs |
//! | 3 | keys and ciphertexts of batches (CKKS) |
//! | 4 | slices of fresh ciphertexts, and approximate integers |
//! | 5 | integers in batches, and encrypted tables |
//! | 6 | keys and ciphertexts of vectors (BFV) |
//! | 7 | fresh ciphertexts of several seeds |
//! | 8 | the number of values in several ciphertexts of batches |
//! | 9 | compressed ciphertexts; fresh ones of vectors with seeds |
//! | 10 | public keys, and what is encrypted by them |
//! | 11 | server keys with a scheme switch |
//! | 12 | encrypted symmetric keys, and what is encrypted with them |
//! | 13 | keys of conversions between engines |
//! | 14 | integers that stand for residues |

use core::fmt;

use sha2::{Digest, Sha256};

mod error;
pub mod stream;

pub use error::WireError;
pub use stream::{StreamError, StreamReader, StreamWriter};

/// The newest version that [`open`] reads.
pub const FORMAT_VERSION: u16 = 14;

/// First eight bytes of every envelope; the zero byte and the end-of-file byte keep text tools from taking it for text.
const MAGIC: [u8; 8] = *b"BOOTES\0\x1a";

/// Bytes before the payload.
pub const HEADER_BYTES: usize = 51;

/// Bytes after the payload.
pub const CHECKSUM_BYTES: usize = 16;

/// Bytes that an envelope adds to its payload.
pub const OVERHEAD_BYTES: usize = HEADER_BYTES + CHECKSUM_BYTES;

/// The kind of the object in an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum ObjectKind {
    /// The secret key of a client.
    ClientKey = 1,
    /// The public evaluation key of a server.
    ServerKey = 2,
    /// A list of ciphertexts.
    Ciphertexts = 3,
    /// The secret keys of a client of engine ckks, from version 3 on.
    CkksClientKey = 4,
    /// The public evaluation keys of a server of engine ckks, from version 3 on.
    CkksServerKey = 5,
    /// A list of RLWE ciphertexts of many values each, from version 3 on.
    CkksCiphertexts = 6,
    /// A table of engine ckks that is encrypted, from version 3 on.
    CkksTable = 7,
    /// The secret keys of a client of engine bfv, from version 6 on.
    BfvClientKey = 8,
    /// The public evaluation keys of a server of engine bfv, from version 6 on.
    BfvServerKey = 9,
    /// A list of ciphertexts of engine bfv, from version 6 on.
    BfvCiphertexts = 10,
    /// The key that anybody encrypts with to a client, from version 10 on.
    PublicKey = 11,
    /// The same of engine ckks, from version 10 on.
    CkksPublicKey = 12,
    /// The same of engine bfv, from version 10 on.
    BfvPublicKey = 13,
    /// The encrypted bits of a symmetric key, from version 12 on.
    SymmetricKey = 14,
    /// What a symmetric cipher encrypted, from version 12 on.
    SymmetricCiphertexts = 15,
    /// The key that makes ciphertexts of one client those of another, of another engine, from version 13 on.
    ConversionKey = 16,
}

impl ObjectKind {
    /// The kind with this number on the wire, if there is one.
    fn from_u8(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::ClientKey),
            2 => Some(Self::ServerKey),
            3 => Some(Self::Ciphertexts),
            4 => Some(Self::CkksClientKey),
            5 => Some(Self::CkksServerKey),
            6 => Some(Self::CkksCiphertexts),
            7 => Some(Self::CkksTable),
            8 => Some(Self::BfvClientKey),
            9 => Some(Self::BfvServerKey),
            10 => Some(Self::BfvCiphertexts),
            11 => Some(Self::PublicKey),
            12 => Some(Self::CkksPublicKey),
            13 => Some(Self::BfvPublicKey),
            14 => Some(Self::SymmetricKey),
            15 => Some(Self::SymmetricCiphertexts),
            16 => Some(Self::ConversionKey),
            _ => None,
        }
    }

    /// Whether it is a key: what depends on it is lost with it.
    pub fn is_key(self) -> bool {
        use ObjectKind::{BfvCiphertexts, Ciphertexts, CkksCiphertexts, CkksTable, SymmetricCiphertexts};
        !matches!(self, Ciphertexts | CkksCiphertexts | BfvCiphertexts | CkksTable | SymmetricCiphertexts)
    }

    /// The kind in words, with its article.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::ClientKey => "a client key",
            Self::ServerKey => "a server key",
            Self::Ciphertexts => "a list of ciphertexts",
            Self::CkksClientKey => "a ckks client key",
            Self::CkksServerKey => "a ckks server key",
            Self::CkksCiphertexts => "a list of ckks ciphertexts",
            Self::CkksTable => "an encrypted table",
            Self::BfvClientKey => "a bfv client key",
            Self::BfvServerKey => "a bfv server key",
            Self::BfvCiphertexts => "a list of bfv ciphertexts",
            Self::PublicKey => "a public key",
            Self::CkksPublicKey => "a ckks public key",
            Self::BfvPublicKey => "a bfv public key",
            Self::SymmetricKey => "an encrypted symmetric key",
            Self::SymmetricCiphertexts => "a list of symmetric ciphertexts",
            Self::ConversionKey => "a conversion key",
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ClientKey => "client key",
            Self::ServerKey => "server key",
            Self::Ciphertexts => "ciphertexts",
            Self::CkksClientKey => "ckks client key",
            Self::CkksServerKey => "ckks server key",
            Self::CkksCiphertexts => "ckks ciphertexts",
            Self::CkksTable => "encrypted table",
            Self::BfvClientKey => "bfv client key",
            Self::BfvServerKey => "bfv server key",
            Self::BfvCiphertexts => "bfv ciphertexts",
            Self::PublicKey => "public key",
            Self::CkksPublicKey => "ckks public key",
            Self::BfvPublicKey => "bfv public key",
            Self::SymmetricKey => "encrypted symmetric key",
            Self::SymmetricCiphertexts => "symmetric ciphertexts",
            Self::ConversionKey => "conversion key",
        })
    }
}

/// The header of an envelope, before its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The kind of the payload.
    pub kind: ObjectKind,
    /// The format version it was written with.
    pub version: u16,
    /// Fingerprint of the parameters; two objects work together only if it is the same.
    pub fingerprint: [u8; 16],
    /// Identity of the key that the object belongs to.
    pub key_id: [u8; 16],
}

impl Header {
    /// The start of an envelope with this many bytes of payload.
    fn to_bytes(self, payload_bytes: u64) -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        out[..8].copy_from_slice(&MAGIC);
        out[8..10].copy_from_slice(&self.version.to_le_bytes());
        out[10] = self.kind as u8;
        out[11..27].copy_from_slice(&self.fingerprint);
        out[27..43].copy_from_slice(&self.key_id);
        out[43..].copy_from_slice(&payload_bytes.to_le_bytes());
        out
    }

    /// Refuses another kind of object.
    fn expect_kind(&self, expected: ObjectKind) -> Result<(), WireError> {
        if self.kind == expected { Ok(()) } else { Err(WireError::WrongKind { found: self.kind, expected }) }
    }

    /// Refuses an object of other parameters.
    ///
    /// # Errors
    /// [`WireError::Fingerprint`].
    pub fn expect_fingerprint(&self, expected: [u8; 16]) -> Result<(), WireError> {
        if self.fingerprint == expected {
            return Ok(());
        }
        Err(WireError::Fingerprint { found: hex(&self.fingerprint[..4]), expected: hex(&expected[..4]) })
    }
}

/// Wraps `payload` in an envelope of version 1, of [`OVERHEAD_BYTES`] more bytes.
pub fn seal(kind: ObjectKind, fingerprint: [u8; 16], key_id: [u8; 16], payload: &[u8]) -> Vec<u8> {
    seal_as(1, kind, fingerprint, key_id, payload)
}

/// [`seal`] with the version that the payload needs.
pub fn seal_as(version: u16, kind: ObjectKind, fingerprint: [u8; 16], key_id: [u8; 16], payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len() + OVERHEAD_BYTES);
    out.extend_from_slice(&Header { kind, version, fingerprint, key_id }.to_bytes(payload.len() as u64));
    out.extend_from_slice(payload);
    let checksum = Sha256::digest(&out);
    out.extend_from_slice(&checksum[..CHECKSUM_BYTES]);
    out
}

/// The identity of a parameter set: the first 16 bytes of the SHA-256 of its fields, written in a fixed
/// order after a label that tells of the kind of set and the version of the order.
///
/// Texts and lists have their lengths before them, and what may be absent a mark, so that two sets never write the same
/// bytes.
pub fn fingerprint(label: &str, fields: impl FnOnce(&mut Writer)) -> [u8; 16] {
    let mut w = Writer::new();
    w.str(label);
    fields(&mut w);
    let digest = Sha256::digest(w.as_bytes());
    std::array::from_fn(|i| digest[i])
}

/// Checks an envelope and gives its header and payload, which borrows from `bytes`: nothing is allocated.
///
/// # Errors
/// In this order: [`WireError::Empty`], [`WireError::BadMagic`], [`WireError::Truncated`] (the header itself),
/// [`WireError::UnsupportedVersion`], [`WireError::UnknownKind`], [`WireError::WrongKind`], [`WireError::Truncated`] or
/// [`WireError::TooLong`], [`WireError::Checksum`].
pub fn open(bytes: &[u8], expected: ObjectKind) -> Result<(Header, &[u8]), WireError> {
    let (header, payload_bytes) = peek(bytes)?;
    header.expect_kind(expected)?;
    let found = bytes.len() as u64;
    // A length near 2^64 saturates, and no slice is that long.
    let total = payload_bytes.saturating_add(OVERHEAD_BYTES as u64);
    if found < total {
        return Err(WireError::Truncated { found, expected: total });
    }
    if found > total {
        return Err(WireError::TooLong { found, expected: total });
    }
    let (content, stored) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    expect_checksum(stored, &Sha256::digest(content))?;
    Ok((header, &content[HEADER_BYTES..]))
}

/// Refuses a stored checksum that is not the start of the digest of the content.
fn expect_checksum(stored: &[u8], digest: &[u8]) -> Result<(), WireError> {
    if stored == &digest[..CHECKSUM_BYTES] {
        return Ok(());
    }
    // Up to where they differ.
    let shown = stored.iter().zip(digest).take_while(|(x, y)| x == y).count().clamp(3, CHECKSUM_BYTES - 1) + 1;
    Err(WireError::Checksum { found: hex(&stored[..shown]), expected: hex(&digest[..shown]) })
}

/// Reads the header and the payload length that it announces; the first [`HEADER_BYTES`] bytes are enough.
///
/// Neither the length nor the checksum is verified: that is [`open`]'s.
///
/// # Errors
/// As [`open`], without the kind, length and checksum.
pub fn peek(bytes: &[u8]) -> Result<(Header, u64), WireError> {
    if bytes.is_empty() {
        return Err(WireError::Empty);
    }
    let seen = bytes.len().min(MAGIC.len());
    if bytes[..seen] != MAGIC[..seen] {
        return Err(WireError::BadMagic { found: bytes[..seen].to_vec() });
    }
    let truncated = |_| WireError::Truncated { found: bytes.len() as u64, expected: OVERHEAD_BYTES as u64 };
    let mut reader = Reader::new(bytes);
    reader.raw(MAGIC.len()).map_err(truncated)?;
    let version = reader.u16().map_err(truncated)?;
    if !(1..=FORMAT_VERSION).contains(&version) {
        return Err(WireError::UnsupportedVersion { found: version, newest: FORMAT_VERSION });
    }
    let kind = reader.u8().map_err(truncated)?;
    let kind = ObjectKind::from_u8(kind).ok_or(WireError::UnknownKind { found: kind })?;
    let fingerprint = reader.array().map_err(truncated)?;
    let key_id = reader.array().map_err(truncated)?;
    let payload_bytes = reader.u64().map_err(truncated)?;
    Ok((Header { kind, version, fingerprint, key_id }, payload_bytes))
}

/// Lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the fields of a payload, little-endian; [`Reader`] reads them back in the same order.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// An empty payload.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty payload with room for `bytes` bytes; a secret that never outgrows it leaves no copies behind.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.raw(&value.to_le_bytes());
    }

    /// The eight bytes of its bit pattern, so that every value, NaN included, comes back as it was.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Bytes without their length: for a field whose size the reader knows.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// A count (eight bytes), then that many bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.raw(bytes);
    }

    /// A string, as the [`bytes`](Self::bytes) of its UTF-8.
    pub fn str(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A count (eight bytes), then four bytes a value.
    pub fn u32s(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        self.0.reserve(values.len().saturating_mul(4));
        for value in values {
            self.u32(*value);
        }
    }

    /// A count (eight bytes), then eight bytes a value.
    pub fn u64s(&mut self, values: &[u64]) {
        self.u64(values.len() as u64);
        self.0.reserve(values.len().saturating_mul(8));
        for value in values {
            self.u64(*value);
        }
    }

    /// The payload so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The finished payload.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for Writer {
    /// The length only: a payload may be a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("bytes", &self.0.len()).finish()
    }
}

/// Reads the fields of a payload. Every read is checked against the bytes that are left before anything is allocated,
/// so that a lying count costs an error, not memory.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads `payload` from its start.
    pub fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The next `count` bytes, borrowed.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if fewer are left.
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        match self.rest.split_at_checked(count) {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => Err(self.unexpected_end(count as u64)),
        }
    }

    /// The next `N` bytes as an array.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if fewer are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        self.array_ref().copied()
    }

    /// The next `N` bytes as an array, borrowed: secrets are not copied.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if fewer are left.
    pub fn array_ref<const N: usize>(&mut self) -> Result<&'a [u8; N], WireError> {
        match self.rest.split_first_chunk() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => Err(self.unexpected_end(N as u64)),
        }
    }

    /// One byte.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] at the end.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] at the end.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] at the end.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] at the end.
    pub fn u64(&mut self) -> Result<u64, WireError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Eight bytes as the bit pattern of a floating-point number; the caller checks that it is one it can use.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] at the end.
    pub fn f64(&mut self) -> Result<f64, WireError> {
        self.u64().map(f64::from_bits)
    }

    /// A count, then that many bytes, borrowed.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if the count passes the end.
    pub fn bytes(&mut self) -> Result<&'a [u8], WireError> {
        let count = self.count(1)?;
        self.raw(count)
    }

    /// A string, borrowed.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if its count passes the end, [`WireError::Malformed`] if it is not UTF-8.
    pub fn str(&mut self) -> Result<&'a str, WireError> {
        core::str::from_utf8(self.bytes()?).map_err(|_| WireError::Malformed { what: "a text is not UTF-8" })
    }

    /// A count, then four bytes a value.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if the count passes the end.
    pub fn u32s(&mut self) -> Result<Vec<u32>, WireError> {
        let count = self.count(4)?;
        let (words, _) = self.raw(4 * count)?.as_chunks();
        Ok(words.iter().copied().map(u32::from_le_bytes).collect())
    }

    /// A count, then eight bytes a value.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if the count passes the end.
    pub fn u64s(&mut self) -> Result<Vec<u64>, WireError> {
        let count = self.count(8)?;
        let (words, _) = self.raw(8 * count)?.as_chunks();
        Ok(words.iter().copied().map(u64::from_le_bytes).collect())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`WireError::TrailingBytes`] if something is left.
    pub fn finish(self) -> Result<(), WireError> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(WireError::TrailingBytes { count: count as u64 }),
        }
    }

    /// A count of items of `item_bytes` bytes each that the rest has room for: safe to multiply and to allocate.
    ///
    /// For lists whose items the caller reads one by one, `item_bytes` is the least that an item takes.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if there is no room for them.
    pub fn count(&mut self, item_bytes: usize) -> Result<usize, WireError> {
        let count = self.u64()?;
        let wanted = count.saturating_mul(item_bytes as u64);
        if wanted > self.rest.len() as u64 {
            return Err(self.unexpected_end(wanted));
        }
        usize::try_from(count).map_err(|_| self.unexpected_end(wanted))
    }

    fn unexpected_end(&self, wanted: u64) -> WireError {
        WireError::UnexpectedEnd { wanted, left: self.rest.len() as u64 }
    }
}

impl fmt::Debug for Reader<'_> {
    /// The length only: a payload may be a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("remaining", &self.rest.len()).finish()
    }
}

#[cfg(test)]
mod tests;
