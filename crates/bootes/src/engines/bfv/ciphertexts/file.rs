//! Files of vectors, read and written one ciphertext after the other.
//!
//! What is as it was encrypted has the seeds of its masks in their place, from version 9 on: a mark (1) behind the
//! state, and of each ciphertext the seed and the body. A mark of 0 says both polynomials, as older files have them.
use std::io::{Read, Write};

use bootes_lattice::rns::RnsCiphertext;
use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader, StreamWriter, WireError};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::bfv::{BfvCiphertext, PhaseSize, Scheme, State};

use super::super::server::vector_bytes;
use super::super::{Params, VERSION, begin, name_bytes, parameters};
use super::Ciphertexts;
use crate::Error;
use crate::engines::blocks::{VectorReader, VectorWriter};
use crate::engines::{EngineCiphertexts, EngineParams, Stored};
use crate::memory::check_read;

/// Bytes of what is known of the ciphertexts in a file: their number, level, form, factor and both sizes.
const STATE_BYTES: u64 = 8 + 4 + 1 + 8 + 2 * 8;

/// The version of files that say whether masks are seeds.
const SEEDED_VERSION: u16 = 9;

/// By how many bits sizes may differ that were computed elsewhere, and bounds of a version before, of a tail of 2^-140.
const ROUNDING: [f64; 2] = [1e-6, 0.05];

impl Ciphertexts {
    fn payload_bytes(&self) -> u64 {
        let mark = u64::from(self.masks.is_some());
        STATE_BYTES + mark + self.ciphertexts() as u64 * part_bytes(&self.params, self.state(), self.masks.is_some())
    }
}

impl Stored for Ciphertexts {
    const KIND: ObjectKind = ObjectKind::BfvCiphertexts;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.payload_bytes() + OVERHEAD_BYTES as u64
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

/// Bytes of a ciphertext in a file.
fn part_bytes(params: &Params, state: State, seeded: bool) -> u64 {
    let (ring, limbs) = (params.ring(), params.limbs(state.level));
    match seeded {
        true => RnsCiphertext::seeded_bytes(ring, limbs),
        false => RnsCiphertext::stored_bytes(ring, limbs),
    }
}

/// Reads a ciphertext of this state, and the seed of its mask where it is one.
fn read_part<R: Read>(
    params: &Params,
    state: State,
    seeded: bool,
    input: &mut StreamReader<R>,
) -> Result<(BfvCiphertext, Option<MaskSeed>), Error> {
    let (ring, limbs, key_id) = (params.ring(), params.limbs(state.level), input.header().key_id);
    let (inner, mask) = match seeded {
        true => RnsCiphertext::read_seeded(ring, limbs, input).map(|(inner, mask)| (inner, Some(mask)))?,
        false => (RnsCiphertext::read(ring, limbs, input)?, None),
    };
    Ok((BfvCiphertext::new(params, inner, state, key_id), mask))
}

/// A state that somebody tells, with the size that it has at least, if encryptions and evaluations have such.
///
/// # Errors
/// [`Error::Wire`]; [`Error::BfvScheme`] for what could not be decrypted.
pub(in crate::engines::bfv) fn checked_state(params: &Params, state: State) -> Result<State, Error> {
    let malformed = |what| Err(WireError::Malformed { what }.into());
    if state.level > params.max_level() {
        return malformed("a level beyond the parameters");
    }
    if state.factor >= params.modulus() || params.residues(params.exponent()).inverse(state.factor).is_none() {
        return malformed("a factor that is no unit");
    }
    let (size, least) = (state.size, params.least(state));
    let told = size.average.is_finite() && size.worst.is_finite() && size.average <= size.worst;
    if !told || size.average < least.average - ROUNDING[0] || size.worst < least.worst - ROUNDING[1] {
        return malformed("noise below that of any encryption");
    }
    Ok(params.promised("decryption", State { size: size.at_least(least), ..state })?)
}

/// Reads a file of which a ciphertext at a time is in memory. The checksum is verified at the end: until then what was
/// read may be damaged.
#[derive(Debug)]
pub(crate) struct CiphertextReader<R: Read> {
    head: Ciphertexts,
    /// Ciphertexts that were read.
    at: usize,
    input: StreamReader<R>,
    memory: Option<u64>,
}

impl<R: Read> CiphertextReader<R> {
    fn next_part(&mut self) -> Result<(BfvCiphertext, Option<MaskSeed>), Error> {
        let head = &self.head;
        let part = match self.at {
            0 => (head.parts[0].clone(), head.masks.as_ref().map(|masks| masks[0])),
            _ => read_part(&head.params, head.state(), head.masks.is_some(), &mut self.input)?,
        };
        self.at += 1;
        Ok(part)
    }

    /// The next so many ciphertexts.
    fn piece(&mut self, count: usize) -> Result<Ciphertexts, Error> {
        let parts = (0..count).map(|_| self.next_part()).collect::<Result<Vec<_>, _>>()?;
        let (parts, masks): (_, Vec<_>) = parts.into_iter().unzip();
        Ok(Ciphertexts { parts, masks: masks.into_iter().collect(), ..self.head.clone_head() })
    }

    /// Ciphertexts that were not read yet.
    pub(crate) fn left(&self) -> usize {
        self.head.ciphertexts() - self.at
    }
}

impl<R: Read> VectorReader for CiphertextReader<R> {
    type File = R;
    type Vector = Ciphertexts;

    fn within(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::BfvCiphertexts)?;
        let params: Params = parameters(&mut input, "ciphertext")?;
        let malformed = |what| Error::from(WireError::Malformed { what });
        let len = input.u64()?;
        let level = input.u32()? as usize;
        let scheme = match input.u8()? {
            0 => Scheme::Bgv,
            1 => Scheme::Bfv,
            _ => return Err(malformed("a ciphertext of neither BFV nor BGV")),
        };
        let factor = input.u64()?;
        let mut number = || Ok::<_, Error>(f64::from_bits(input.u64()?));
        let size = PhaseSize { average: number()?, worst: number()? };
        let state = checked_state(&params, State { level, scheme, exponent: params.exponent(), factor, size })?;
        let seeded = match input.header().version {
            SEEDED_VERSION.. => match input.u8()? {
                0 => false,
                // The noise of fresh ones is the set's.
                1 if (State { size: params.fresh_state().size, ..state }) == params.fresh_state() => true,
                _ => return Err(malformed("a mark of seeds that is none, or not of fresh ciphertexts")),
            },
            _ => false,
        };
        let state = if seeded { params.fresh_state() } else { state };
        let each = part_bytes(&params, state, seeded);
        let count = len.div_ceil(params.slots().count() as u64);
        if count == 0 || count.checked_mul(each) != Some(input.remaining()) {
            return Err(malformed("ciphertexts of another number than there are values"));
        }
        check_read(vector_bytes(&params, 1, level), memory)?;
        let (first, mask) = read_part(&params, state, seeded, &mut input)?;
        // Files tell of clients' encryptions alone that they are such.
        let (len, masks, padded) = (len as usize, mask.map(|mask| vec![mask]), seeded);
        let head = Ciphertexts { params, len, parts: vec![first], masks, padded };
        Ok(Self { head, at: 0, input, memory })
    }

    fn read(mut self) -> Result<Ciphertexts, Error> {
        let head = &self.head;
        check_read(vector_bytes(&head.params, head.len, head.state().level), self.memory)?;
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
            self.next_part()?;
        }
        self.input.finish()?;
        self.head.params.keep();
        Ok(())
    }
}

/// Writes a file of ciphertexts, one after the other.
pub(crate) struct CiphertextWriter<W: Write> {
    out: StreamWriter<W>,
    params: Params,
}

impl<W: Write> VectorWriter<W> for CiphertextWriter<W> {
    type Vector = Ciphertexts;

    fn new(out: W, head: &Ciphertexts) -> Result<Self, Error> {
        let version = if head.masks.is_some() { SEEDED_VERSION } else { VERSION };
        let mut out = begin::<Ciphertexts, _>(out, version, head.owner(), head.payload_bytes())?;
        let State { level, scheme, exponent: _, factor, size } = head.state();
        out.u64(head.len as u64)?;
        out.u32(level as u32)?;
        out.u8(u8::from(scheme == Scheme::Bfv))?;
        out.u64(factor)?;
        [size.average, size.worst].into_iter().try_for_each(|size| out.u64(size.to_bits()))?;
        if version == SEEDED_VERSION {
            out.u8(1)?;
        }
        Ok(Self { out, params: head.params.clone() })
    }

    fn put(&mut self, piece: &Ciphertexts) -> Result<(), Error> {
        let (ring, out) = (self.params.ring(), &mut self.out);
        let written = match &piece.masks {
            Some(masks) => {
                let mut all = piece.parts.iter().zip(masks);
                all.try_for_each(|(part, mask)| part.inner().write_seeded(ring, mask, out))
            }
            None => piece.parts.iter().try_for_each(|part| part.inner().write(ring, out)),
        };
        Ok(written?)
    }

    fn finish(self) -> Result<W, Error> {
        Ok(self.out.finish()?)
    }
}
