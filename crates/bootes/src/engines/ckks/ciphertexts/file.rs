//! Files of vectors, read and written one ciphertext after the other.
use std::collections::VecDeque;
use std::io::{Read, Write};

use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::wire::{
    OVERHEAD_BYTES, ObjectKind, Reader, StreamError, StreamReader, StreamWriter, WireError, Writer,
};
use bootes_lut::ckks::TableParams as Params;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};

use super::super::{NEWEST, VERSION, begin, name_bytes, parameters};
use super::{Ciphertexts, identity, most_bits, values};
use crate::engines::blocks::{VectorReader, VectorWriter};
use crate::engines::{EngineParams, Stored};
use crate::memory::check_read;
use crate::origin::{MAX_LINEAGE, Origin};
use crate::{Error, Space};

/// Bytes of the longest message space in a file, and some.
const LONGEST_SPACE: usize = 64;

/// The version of files that say how many values are in several ciphertexts.
const LENGTH_VERSION: u16 = 8;

impl Ciphertexts {
    /// That of their file.
    fn version(&self) -> u16 {
        match (self.blocks(), self.space.integers()) {
            (2.., _) => LENGTH_VERSION,
            (_, Some(_)) => NEWEST,
            (_, None) => VERSION,
        }
    }

    /// All have one size.
    fn payload_bytes(&self) -> u64 {
        let space = self.stored_space().map_or(0, |bytes| 8 + bytes.len() as u64);
        let len = if self.version() >= LENGTH_VERSION { 8 } else { 0 };
        let head = space + 4 + len + 3 * 8 + 4 + 8 * self.origin.lineage.len() as u64;
        head + (self.count() as u64).saturating_mul(8 + self.parts[0].stored_bytes() as u64)
    }

    /// RLWE ciphertexts of the whole vector.
    fn count(&self) -> usize {
        self.blocks() * self.space.limbs()
    }

    /// The bytes of the space of integers: the version of its form (a byte), and the space. None of residues, for which
    /// files have a place.
    fn stored_space(&self) -> Option<Vec<u8>> {
        match self.space.integers() {
            None => (self.version() >= LENGTH_VERSION).then(Vec::new),
            Some(_) => Some(integer_bytes(self.space)),
        }
    }

    /// Refuses what no encryption and no evaluation says of its error, for ciphertexts like the first.
    fn check_error(&self) -> Result<(), Error> {
        let max = 1 << most_bits(&self.params);
        if let Some(found) = self.space.moduli().into_iter().find(|&p| p > max) {
            return Err(Error::Modulus { found, max, params: self.params.name().into() });
        }
        let ErrorBound { bias, noise: SlotNoise { flat, keyed } } = self.error;
        if ![bias, flat, keyed].iter().all(|part| part.is_finite() && *part >= 0.0) {
            return Err(malformed("a bound on errors that is no number from 0 on"));
        }
        self.check_promise()?;
        if self.parts[0].is_seeded() {
            return match self.error == self.params.fresh_error(self.log2_modulus()) {
                true => Ok(()),
                false => Err(malformed("fresh ciphertexts whose error is not that of an encryption")),
            };
        }
        let least = self.params.least_error(self.log2_modulus()).noise.flat;
        let lineage = &self.origin.lineage;
        // Rounding errors of sums of variances are far below 1e-9 of them.
        if flat < least * (1.0 - 1e-9) || lineage.is_empty() || !lineage.is_sorted_by(|a, b| a < b) {
            return Err(malformed("results whose error is none that an evaluation leaves"));
        }
        Ok(())
    }
}

impl Stored for Ciphertexts {
    const KIND: ObjectKind = ObjectKind::CkksCiphertexts;

    fn stored_bytes(&self) -> u64 {
        self.payload_bytes() + name_bytes(&self.params) + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = CiphertextWriter::new(out, self)?;
        out.put(self)?;
        out.finish()
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        CiphertextReader::within(memory, input)?.read()
    }
}

/// Reads a file of which a few ciphertexts at a time are in memory.
///
/// The bound on errors is checked as far as it can be: fresh ciphertexts have that of the set, others at least the
/// error of rounding, and none more than the promise allows. The checksum is verified at the end: until then what was
/// read may be damaged.
#[derive(Debug)]
pub(crate) struct CiphertextReader<R: Read> {
    head: Ciphertexts,
    /// RLWE ciphertexts of the whole.
    count: usize,
    /// Ciphertexts that were read to know the head.
    ready: VecDeque<RlweCiphertext>,
    /// RLWE ciphertexts that were read.
    at: usize,
    /// The identities of the masks of fresh ones among them.
    masks: Vec<u64>,
    input: StreamReader<R>,
    memory: Option<u64>,
}

impl<R: Read> CiphertextReader<R> {
    /// Refuses so many ciphertexts that do not fit.
    fn check_memory(&self, count: usize) -> Result<(), Error> {
        let words = if self.head.parts[0].is_seeded() { 8 } else { 16 };
        let needed = (count as u64).saturating_mul(words * self.head.params.capacity() as u64);
        check_read(needed, self.memory)
    }

    /// Refuses what is not number `i` of the vector.
    fn check(&self, i: usize, part: &RlweCiphertext) -> Result<(), Error> {
        let (Ciphertexts { space, len, .. }, degree) = (&self.head, self.head.params.capacity());
        let (block, limb, first) = (i / space.limbs(), i % space.limbs(), &self.head.parts[0]);
        let alike = part.encoding().log2_modulus() == first.encoding().log2_modulus()
            && part.is_seeded() == first.is_seeded()
            && part.encoding().plaintext_modulus() == space.moduli()[limb]
            && part.count() == degree.min(len - block * degree);
        if alike { Ok(()) } else { Err(malformed("ciphertexts that do not make one vector")) }
    }

    /// Ciphertexts of each limb that were not read yet.
    pub(crate) fn left(&self) -> usize {
        (self.count - self.at) / self.head.space.limbs()
    }

    /// The next so many ciphertexts, of each limb.
    ///
    /// # Errors
    /// [`Error::Stream`], [`Error::Rlwe`].
    pub(crate) fn next_parts(&mut self, count: usize) -> Result<Vec<RlweCiphertext>, Error> {
        let mut parts = Vec::new();
        for _ in 0..count * self.head.space.limbs() {
            let part = match self.ready.pop_front() {
                Some(part) => part,
                None => {
                    let part = read_part(&mut self.input, self.head.params.capacity())?;
                    self.check(self.at, &part)?;
                    part
                }
            };
            if part.is_seeded() {
                self.masks.push(identity(&part));
            }
            self.at += 1;
            parts.push(part);
        }
        Ok(parts)
    }

    /// These, as what they are of the vector.
    ///
    /// # Errors
    /// As [`Self::next_parts`].
    pub(crate) fn piece(&mut self, count: usize) -> Result<Ciphertexts, Error> {
        let parts = self.next_parts(count)?;
        Ok(self.head.with_parts(parts))
    }
}

impl<R: Read> VectorReader for CiphertextReader<R> {
    type File = R;
    type Vector = Ciphertexts;

    fn within(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::CkksCiphertexts)?;
        let params: Params = parameters(&mut input, "ciphertext")?;
        let version = input.header().version;
        let stored = if version >= NEWEST { input.bytes(LONGEST_SPACE)? } else { Vec::new() };
        let count = input.u32()? as usize;
        let len = if version >= LENGTH_VERSION { Some(input.u64()?) } else { None };
        let mut number = || Ok::<_, Error>(f64::from_bits(input.u64()?));
        let error = ErrorBound { bias: number()?, noise: SlotNoise { flat: number()?, keyed: number()? } };
        let origins = input.u32()?;
        if origins as usize > MAX_LINEAGE {
            return Err(malformed("ciphertexts of too many origins"));
        }
        let mut lineage = Vec::new();
        for _ in 0..origins {
            lineage.push(input.u64()?);
        }
        if count == 0 {
            return Err(malformed("a list of no ciphertexts"));
        }
        let first = read_part(&mut input, params.capacity())?;
        let is_of_residues = stored.is_empty() && !(NEWEST..LENGTH_VERSION).contains(&version);
        let space = match is_of_residues {
            true => Space::Modular(first.encoding().plaintext_modulus()),
            false => integers(&stored, &params)?,
        };
        let limbs = space.limbs();
        if !count.is_multiple_of(limbs) {
            return Err(malformed("a list of ciphertexts that lacks limbs"));
        }
        // All have the form of the first.
        let (each, found) = (8 + first.stored_bytes() as u64, input.remaining());
        let expected = (count as u64 - 1).saturating_mul(each);
        if found > expected {
            return Err(WireError::TrailingBytes { count: found - expected }.into());
        }
        if found < expected {
            return Err(WireError::UnexpectedEnd { wanted: expected, left: found }.into());
        }
        let origin = Origin { lineage, dependent: false, moved: false };
        let (key_id, len) = (input.header().key_id, len.unwrap_or(0));
        let head = Ciphertexts { params, key_id, space, len: 0, parts: vec![first], error, origin };
        head.check_error()?;
        // Older files of several ciphertexts do not say how many values the last one has.
        let ahead = if version >= LENGTH_VERSION { limbs } else { count };
        let mut reader = Self { head, count, ready: VecDeque::new(), at: 0, masks: Vec::new(), input, memory };
        reader.check_memory(ahead)?;
        while reader.head.parts.len() < ahead {
            let part = read_part(&mut reader.input, reader.head.params.capacity())?;
            reader.head.parts.push(part);
        }
        let counted = values(&reader.head.parts, space) as u64;
        let len = if version >= LENGTH_VERSION { len } else { counted };
        if len.div_ceil(reader.head.params.capacity() as u64) != (count / limbs) as u64 {
            return Err(malformed("ciphertexts of another number than there are values"));
        }
        reader.head.len = len as usize;
        reader.head.parts.iter().enumerate().try_for_each(|(i, part)| reader.check(i, part))?;
        reader.ready = reader.head.parts.iter().cloned().collect();
        reader.head.parts.truncate(limbs);
        Ok(reader)
    }

    fn read(mut self) -> Result<Ciphertexts, Error> {
        self.check_memory(self.count)?;
        let all = self.piece(self.left())?;
        self.finish().map(|()| all)
    }

    fn head(&self) -> &Ciphertexts {
        &self.head
    }

    fn next(&mut self) -> Result<Ciphertexts, Error> {
        self.piece(1)
    }

    /// # Errors
    /// [`Error::Stream`].
    fn finish(mut self) -> Result<(), Error> {
        while self.left() > 0 {
            self.next_parts(1)?;
        }
        self.input.finish()?;
        if self.head.parts[0].is_seeded() && self.head.origin != Origin::of(self.masks) {
            return Err(malformed("fresh ciphertexts of another origin"));
        }
        self.head.params.keep();
        Ok(())
    }
}

/// Writes a file of ciphertexts, one after the other.
pub(crate) struct CiphertextWriter<W: Write>(StreamWriter<W>);

impl<W: Write> VectorWriter<W> for CiphertextWriter<W> {
    type Vector = Ciphertexts;

    fn new(out: W, head: &Ciphertexts) -> Result<Self, Error> {
        let (version, bytes) = (head.version(), head.payload_bytes());
        let mut out = begin::<Ciphertexts, _>(out, version, (&head.params, head.key_id), bytes)?;
        if let Some(space) = head.stored_space() {
            out.bytes(&space)?;
        }
        out.u32(u32::try_from(head.count()).map_err(|_| Error::NoValues)?)?;
        if version >= LENGTH_VERSION {
            out.u64(head.len as u64)?;
        }
        for number in [head.error.bias, head.error.noise.flat, head.error.noise.keyed] {
            out.u64(number.to_bits())?;
        }
        out.u32(head.origin.lineage.len() as u32)?;
        for &id in &head.origin.lineage {
            out.u64(id)?;
        }
        Ok(Self(out))
    }

    fn put(&mut self, piece: &Ciphertexts) -> Result<(), Error> {
        for part in &piece.parts {
            let mut w = Writer::with_capacity(part.stored_bytes());
            part.write(&mut w);
            self.0.bytes(w.as_bytes())?;
        }
        Ok(())
    }

    fn finish(self) -> Result<W, Error> {
        Ok(self.0.finish()?)
    }
}

fn read_part<R: Read>(input: &mut StreamReader<R>, degree: usize) -> Result<RlweCiphertext, Error> {
    // Two words of 8 bytes a coefficient, and a head.
    let bytes = input.bytes(16 * degree + 64)?;
    let mut r = Reader::new(&bytes);
    let part = RlweCiphertext::read(degree, &mut r)?;
    r.finish()?;
    Ok(part)
}

/// The same space, if the set holds it; residues have what room their ciphertexts have.
pub(super) fn held(space: Space, params: &Params) -> Result<Space, Error> {
    if space.integers().is_none() { Ok(space) } else { integers(&integer_bytes(space), params) }
}

fn integer_bytes(space: Space) -> Vec<u8> {
    let mut w = Writer::new();
    let form = space.write(&mut w);
    let mut bytes = vec![form as u8];
    bytes.extend(w.as_bytes());
    bytes
}

/// The space of integers from a file.
fn integers(bytes: &[u8], params: &Params) -> Result<Space, Error> {
    let malformed = || malformed("a message space out of range");
    let (&form, space) = bytes.split_first().ok_or_else(malformed)?;
    let mut r = Reader::new(space);
    let space = Space::read(&mut r, form.into(), most_bits(params), params.name())?;
    r.finish()?;
    let integers = space.integers().filter(|integers| !integers.is_approximate() && integers.modulus().is_none());
    let integers = integers.ok_or_else(malformed)?;
    // Two limbs are what a function of integers takes.
    match integers.limbs().high {
        Some(high) if integers.limbs().between > 0 || !params.holds_limbs(integers.limbs().low, high) => {
            Err(malformed())
        }
        _ => Ok(space),
    }
}

fn malformed(what: &'static str) -> Error {
    StreamError::from(WireError::Malformed { what }).into()
}

#[cfg(test)]
mod tests {
    use bootes_lattice::wire::{open, seal_as};

    use super::*;
    use crate::ckks::Client;
    use crate::engines::{ClientKey, Encryptor, EngineClient};

    /// Several ciphertexts in a file of version 3 or 5, which tells no number of values.
    #[test]
    fn older_files_of_several_ciphertexts_are_read() -> Result<(), Error> {
        for name in ["toy_batch_4bit", "toy_batch_integers"] {
            let params = Params::by_name(name)?;
            let (n, client) = (params.capacity(), Client::from_seed(&params, &[1; 32]));
            let values: Vec<i128> = (0..2 * n as i128 + 5).map(|i| i % 7).collect();
            let x = match params.literal().integer_bits {
                0 => client.encrypt_modulo(&values, 16)?,
                _ => client.encrypt_within(&values, crate::Interval { min: 0, max: 7 }, 5)?,
            };
            let file = x.write(Vec::new())?;
            assert_eq!(file.len() as u64, x.stored_bytes());
            let (header, payload) = open(&file, ObjectKind::CkksCiphertexts)?;
            let (version, space) = if x.space.integers().is_some() { (NEWEST, true) } else { (VERSION, false) };
            // The name; the space; the number of ciphertexts; that of values.
            let space_end = name_bytes(&params) as usize + x.stored_space().map_or(0, |bytes| 8 + bytes.len());
            let name_end = if space { space_end } else { name_bytes(&params) as usize };
            let old = [&payload[..name_end], &payload[space_end..space_end + 4], &payload[space_end + 12..]].concat();
            let old = seal_as(version, ObjectKind::CkksCiphertexts, header.fingerprint, header.key_id, &old);
            assert_eq!(header.version, LENGTH_VERSION);
            let reader = CiphertextReader::within(None, &old[..])?;
            assert_eq!((reader.head.len, reader.head.parts.len()), (values.len(), x.space.limbs()));
            assert_eq!(client.decrypt_from(reader)?, values);
            assert_eq!(Ciphertexts::read(&old[..])?.write(Vec::new())?, file);
            // Lies about the number of values.
            for len in [0, values.len() as u64 - 1, 3 * n as u64, 4 * n as u64, u64::MAX] {
                let lie = [&payload[..space_end + 4], &len.to_le_bytes(), &payload[space_end + 12..]].concat();
                let lie = seal_as(header.version, header.kind, header.fingerprint, header.key_id, &lie);
                let read = Ciphertexts::read(&lie[..]).map(drop).unwrap_err().to_string();
                assert!(read.contains("ciphertexts"), "{read}");
            }
        }
        Ok(())
    }
}
