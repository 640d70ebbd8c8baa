//! Vectors of values in ciphertexts of N each.
use std::io::{Read, Write};

use bootes_lattice::wire::{ObjectKind, Reader, StreamError, StreamReader, WireError, Writer};
use bootes_lut::ckks::BatchParams;
use bootes_schemes::ckks::rlwe::RlweCiphertext;

use super::{begin, name_bytes, parameters};
use crate::Error;

/// Encrypted integers modulo p under one key, N in each RLWE ciphertext but the last, which may have fewer.
#[derive(Clone, Debug)]
pub struct BatchCiphertexts {
    params: BatchParams,
    key_id: [u8; 16],
    /// At least one, of one encoding.
    parts: Vec<RlweCiphertext>,
}

impl BatchCiphertexts {
    pub(super) fn new(params: &BatchParams, key_id: [u8; 16], parts: Vec<RlweCiphertext>) -> Self {
        Self { params: params.clone(), key_id, parts }
    }

    pub(super) fn parts(&self) -> &[RlweCiphertext] {
        &self.parts
    }

    /// Set and key.
    pub(super) fn owner(&self) -> (&BatchParams, [u8; 16]) {
        (&self.params, self.key_id)
    }

    /// Number of encrypted integers, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.parts.iter().map(RlweCiphertext::count).sum()
    }

    /// Number of RLWE ciphertexts: an evaluation each.
    pub fn ciphertexts(&self) -> usize {
        self.parts.len()
    }

    /// p.
    pub fn modulus(&self) -> u64 {
        self.parts[0].encoding().plaintext_modulus()
    }

    /// Parameters they were made with.
    pub fn params(&self) -> &BatchParams {
        &self.params
    }

    /// Identifier of their key.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// The bytes of their file.
    pub fn stored_bytes(&self) -> u64 {
        self.payload_bytes() + name_bytes(&self.params) + bootes_lattice::wire::OVERHEAD_BYTES as u64
    }

    fn payload_bytes(&self) -> u64 {
        4 + self.parts.iter().map(|part| 8 + part.stored_bytes() as u64).sum::<u64>()
    }

    /// Writes them: their number (4 bytes), and each with its length before it.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin(out, ObjectKind::BatchCiphertexts, &self.params, self.key_id, self.payload_bytes())?;
        out.u32(u32::try_from(self.parts.len()).map_err(|_| Error::NoValues)?)?;
        for part in &self.parts {
            let mut w = Writer::with_capacity(part.stored_bytes());
            part.write(&mut w);
            out.bytes(w.as_bytes())?;
        }
        Ok(out.finish()?)
    }

    /// Reads them; every size is checked, and the checksum at the end.
    ///
    /// # Errors
    /// [`Error::Stream`] for what are no such ciphertexts, [`Error::Lut`] for a set that does not exist, [`Error::ChangedParams`],
    /// [`Error::Rlwe`] for a ciphertext of another ring.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::BatchCiphertexts)?;
        let params = parameters(&mut input, "ciphertext")?;
        let count = input.u32()?;
        let degree = params.capacity();
        // Two words of 8 bytes a coefficient, and a head.
        let longest = 16 * degree + 64;
        let mut parts: Vec<RlweCiphertext> = Vec::new();
        for _ in 0..count {
            let bytes = input.bytes(longest)?;
            let mut r = Reader::new(&bytes);
            parts.push(RlweCiphertext::read(degree, &mut r)?);
            r.finish()?;
        }
        let key_id = input.header().key_id;
        input.finish()?;
        let one_encoding = parts.windows(2).all(|pair| pair[0].encoding() == pair[1].encoding());
        let (last, full) = parts.split_last().ok_or_else(|| malformed("a list of no ciphertexts"))?;
        if !one_encoding || last.count() == 0 || full.iter().any(|part| part.count() != degree) {
            return Err(malformed("ciphertexts that do not make one vector"));
        }
        Ok(Self { params, key_id, parts })
    }
}

fn malformed(what: &'static str) -> Error {
    StreamError::from(WireError::Malformed { what }).into()
}
