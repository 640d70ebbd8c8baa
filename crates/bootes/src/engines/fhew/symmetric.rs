//! What is sent by a symmetric cipher, AES-128 in counter mode, and its key as encrypted bits: in files.
//!
//! A key: the name of the set, the identifier of the key, the seed of the masks, and a word for each of 128 residues
//! modulo 2, bit i of byte j being number 8j + i.
//!
//! What was encrypted: the name of the set, the identifier of the key, the first counter block, the number of values,
//! bits of each, and the bytes of AES.
use crate::aes::BLOCK;
use crate::door::error::TranscipherError;
use crate::engines::envelope::{begin, check_key, name_bytes, parameters};
use crate::engines::{EngineCiphertexts, Stored};
use crate::fhew::{Ciphertexts, Params};
use crate::memory::{check_read, reserved_as};
use crate::{Error, Space};
use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamError, StreamReader, WireError};
use bootes_ring::sample::MaskSeed;
use std::io::{Read, Write};

/// The version of files that has these.
const VERSION: u16 = 12;

/// Bits of a key.
pub(crate) const KEY_BITS: usize = 8 * BLOCK;

fn malformed(what: &'static str) -> Error {
    StreamError::from(WireError::Malformed { what }).into()
}

/// The encrypted bits of a key.
#[derive(Clone, Debug)]
pub(crate) struct EncryptedSymmetricKey {
    id: [u8; 16],
    /// Of the masks.
    seed: MaskSeed,
    bits: Ciphertexts,
}

impl EncryptedSymmetricKey {
    /// The bodies of fresh ciphertexts, in bytes.
    pub(super) fn new(params: &Params, key_id: [u8; 16], id: [u8; 16], seed: MaskSeed, bodies: Vec<u8>) -> Self {
        let bits = Ciphertexts::of_bodies(params, key_id, Space::Modular(2), seed, KEY_BITS, bodies);
        Self { id, seed, bits }
    }

    pub(crate) fn params(&self) -> &Params {
        self.bits.params()
    }

    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.bits.key_id()
    }

    /// Identifier of the symmetric key.
    pub(crate) fn id(&self) -> [u8; 16] {
        self.id
    }

    pub(super) fn bits(&self) -> &Ciphertexts {
        &self.bits
    }
}

/// Bytes of the words.
fn bodies_bytes(params: &Params) -> usize {
    KEY_BITS * params.word_bits() as usize / 8
}

impl Stored for EncryptedSymmetricKey {
    const KIND: ObjectKind = ObjectKind::SymmetricKey;

    fn stored_bytes(&self) -> u64 {
        let payload = BLOCK + size_of::<MaskSeed>() + bodies_bytes(self.params());
        name_bytes(self.params()) + (payload + OVERHEAD_BYTES) as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let payload = BLOCK + size_of::<MaskSeed>() + bodies_bytes(self.params());
        let mut out = begin::<Self, _>(out, VERSION, (self.params(), self.key_id()), payload as u64)?;
        out.raw(&self.id)?;
        out.raw(&self.seed.to_bytes())?;
        out.raw(self.bits.samples().bytes())?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(_memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, Self::KIND)?;
        let params: Params = parameters(&mut input, "symmetric key")?;
        let (key_id, id, seed) = (input.header().key_id, input.array()?, MaskSeed::from_bytes(input.array()?));
        let mut bodies = vec![0; bodies_bytes(&params)];
        input.raw_into(&mut bodies)?;
        input.finish()?;
        Ok(Self::new(&params, key_id, id, seed, bodies))
    }
}

/// What AES made of values, and all that is needed to make ciphertexts of it, but the key.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricCiphertexts {
    pub(crate) params: Params,
    pub(crate) key_id: [u8; 16],
    /// Identifier of the symmetric key.
    pub(crate) id: [u8; 16],
    /// The first counter block.
    pub(crate) counter: [u8; BLOCK],
    /// Bits of a value, 1, 2, 4 or 8.
    pub(crate) bits: u32,
    /// The number of values.
    pub(crate) count: usize,
    pub(crate) data: Vec<u8>,
}

/// Bytes of so many values.
fn data_bytes(count: u64, bits: u32) -> Option<u64> {
    Some(count.checked_mul(bits.into())?.div_ceil(8))
}

impl SymmetricCiphertexts {
    /// The same, with zeros behind the last value, so that a file has one form.
    pub(crate) fn trimmed(mut self) -> Self {
        let spare = self.spare_bits();
        if let Some(last) = self.data.last_mut() {
            *last &= 0xff >> spare;
        }
        self
    }

    fn spare_bits(&self) -> usize {
        8 * self.data.len() - self.count * self.bits as usize
    }

    /// Bytes of the payload behind the name.
    fn payload_bytes(&self) -> u64 {
        (2 * BLOCK + 8 + 1 + self.data.len()) as u64
    }
}

impl Stored for SymmetricCiphertexts {
    const KIND: ObjectKind = ObjectKind::SymmetricCiphertexts;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.payload_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin::<Self, _>(out, VERSION, (&self.params, self.key_id), self.payload_bytes())?;
        out.raw(&self.id)?;
        out.raw(&self.counter)?;
        out.u64(self.count as u64)?;
        out.u8(self.bits as u8)?;
        out.raw(&self.data)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, Self::KIND)?;
        let params: Params = parameters(&mut input, "symmetric ciphertext")?;
        let (id, counter, key_id) = (input.array()?, input.array()?, input.header().key_id);
        let (count, bits) = (input.u64()?, u32::from(input.u8()?));
        if !matches!(bits, 1 | 2 | 4 | 8) {
            return Err(malformed("values of other than 1, 2, 4 or 8 bits"));
        }
        let (bytes, found) = (data_bytes(count, bits), input.remaining());
        let bytes = bytes.filter(|&bytes| bytes == found && count > 0);
        let bytes = bytes.ok_or_else(|| malformed("another number of values than there are bytes for"))?;
        check_read(bytes, memory)?;
        let mut data: Vec<u8> = reserved_as(bytes as usize, 1)?;
        data.resize(bytes as usize, 0);
        input.raw_into(&mut data)?;
        input.finish()?;
        let sent = Self { params, key_id, id, counter, bits, count: count as usize, data };
        let spare = sent.spare_bits();
        match sent.data.last().is_some_and(|last| last & !(0xff >> spare) != 0) {
            true => Err(malformed("bits behind the last value")),
            false => Ok(sent),
        }
    }
}

/// Refuses what was not encrypted under this key.
pub(crate) fn check_symmetric(sent: &SymmetricCiphertexts, key: &EncryptedSymmetricKey) -> Result<(), Error> {
    let owners = [(&sent.params, sent.key_id), (key.params(), key.key_id())];
    check_key("symmetric ciphertext", owners)?;
    match sent.id == key.id {
        true => Ok(()),
        false => Err(TranscipherError::other_key(&sent.id, &key.id).into()),
    }
}
