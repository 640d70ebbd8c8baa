//! Ciphertexts in files: written and read piece by piece, each number checked before it is used.
//!
//! A head, its length before it: the name of the set, the space, the number of values, and the form. Fresh ciphertexts
//! (form 0) have the seed of their masks, and follow with a word each, of 64 or 128 bits as the set has them. Others
//! (form 1) have the bound on the variance of their noise, of each limb, whether the noises of two values may depend on
//! each other, and the encryptions and evaluations that they come from; they follow in the upper halves of words,
//! (a, b) one after the other. The limbs of a value are side by side.
//!
//! Version 4 has before the space the version that it is of. It has slices of fresh ciphertexts (form 2),
//! with the number of their first ciphertext behind the seed; words of 128 bits that are whole (form 3, otherwise
//! as form 1), where their halves would add noise; approximate integers (mark 2 of the space); and a second mark beside
//! that of dependence: whether encryptions are in another order than elsewhere. Version 7 has several seeds (form 4).
//!
//! Version 9 has compressed ciphertexts (form 5): behind what form 1 has, the bits of masks and of bodies, and of each
//! packed ciphertext where values are in it. Then the masks of all packed ciphertexts follow, polynomials of words of
//! so many bits, and the bodies in whole bytes. Version 10 has what a public key encrypted (form 6): the same, without
//! what form 1 has. Its noise is the set's, and it comes from its masks.
//!
//! Version 14 has integers that stand for residues, spaces of version 3.
use super::{Ciphertexts, least_rounding_variance, origin_of, public_origin, rounding_variance, streams};
use crate::engines::{EngineCiphertexts, EngineParams, EngineReader, Fhew, Stored};
use crate::fhew::Params;
use crate::fhew::compress::added_variance;
use crate::fhew::samples::{Bits, Form, Layout, Masks, Polynomials, Run, Samples, Source, TOGETHER};
use crate::fhew::words::Word;
use crate::memory::{check_read, reserved_as};
use crate::names::read_name;
use crate::origin::{MAX_LINEAGE, Origin};
use crate::{Error, Space};
use bootes_lattice::noise::failure::over_keys::log2_failure;
use bootes_lattice::wire::{
    Header, OVERHEAD_BYTES, ObjectKind, Reader, StreamError, StreamReader, StreamWriter, WireError, Writer,
};
use bootes_lut::fhew::circuit::InputVariance;
use bootes_ring::pack::{pack_words, packed_word_bytes, unpack_words};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use std::io::{Read, Write};
use std::ops::RangeBounds;
use std::sync::Arc;

/// The version of the format that has slices of fresh ciphertexts, and approximate integers.
const SLICE_VERSION: u16 = 4;

/// The version that has fresh ciphertexts of several seeds.
const SEEDS_VERSION: u16 = 7;

/// The version that has compressed ciphertexts.
const COMPRESSED_VERSION: u16 = 9;

/// The version that has what public keys encrypted.
const PUBLIC_VERSION: u16 = 10;

/// The version that has integers that stand for residues.
const RESIDUES_VERSION: u16 = 14;

/// The longest head: a million origins and more.
const MAX_HEAD_BYTES: usize = 16 << 20;

/// By how many bits the failure probability of results may exceed the promised one: rounding of the bound, nothing
/// else.
const FAILURE_TOLERANCE: f64 = 0.01;

impl Ciphertexts {
    /// The head of a file of `count` such values, and the version of the format that it needs.
    fn head_bytes(&self, count: usize) -> (Vec<u8>, u16) {
        let mut w = Writer::new();
        w.str(self.params.name());
        let mut space = Writer::new();
        let of_space = self.space.write(&mut space);
        let runs = self.runs(count);
        let is_new = match &runs {
            Some(runs) => runs[0].first > 0 || self.space.is_approximate(),
            None => self.space.is_approximate() || self.origin.moved || self.stored().0 == Form::Full,
        };
        let packed = self.packed_runs(count);
        let version = match &runs {
            _ if of_space == 3 => RESIDUES_VERSION,
            _ if self.is_public() => PUBLIC_VERSION,
            _ if packed.is_some() => COMPRESSED_VERSION,
            Some(runs) if runs.len() > 1 => SEEDS_VERSION,
            _ if is_new => SLICE_VERSION,
            _ => of_space,
        };
        if version >= SLICE_VERSION {
            w.u16(of_space);
        }
        w.raw(&space.into_bytes());
        w.u64(count as u64);
        match runs.as_deref() {
            Some([Run { source, first: 0, .. }]) => {
                w.u8(0);
                w.raw(&source.to_bytes());
            }
            Some([Run { source, first, .. }]) => {
                w.u8(2);
                w.raw(&source.to_bytes());
                w.u64(*first);
            }
            Some(runs) => {
                w.u8(4);
                w.u32(runs.len() as u32);
                for Run { source, first, count } in runs {
                    w.raw(&source.to_bytes());
                    w.u64(*first);
                    w.u64(*count);
                }
            }
            None if self.is_public() => w.u8(6),
            None => {
                let is_rounded = (&self.samples.form, self.stored().0) == (&Form::Full, Form::Short);
                let rounding = if is_rounded { rounding_variance(&self.params) } else { 0.0 };
                w.u8(match self.samples.form {
                    Form::Packed(..) => 5,
                    _ if self.stored().0 == Form::Full => 3,
                    _ => 1,
                });
                (0..self.space.limbs()).for_each(|limb| w.f64(self.variance.of(limb) + rounding));
                w.u8(u8::from(self.origin.dependent) + 2 * u8::from(self.origin.moved));
                w.u64s(&self.origin.lineage);
            }
        }
        if let Some((runs, bits)) = packed {
            w.u8(bits.masks as u8);
            w.u8(bits.bodies as u8);
            w.u64(runs.len() as u64);
            for Run { source, first, count } in runs {
                w.u32(source.stride as u32);
                w.u32(first as u32);
                w.u32(count as u32);
            }
        }
        (w.into_bytes(), version)
    }

    /// The form in a file, and the bytes of a ciphertext there.
    fn stored(&self) -> (Form, usize) {
        let form = match &self.samples.form {
            Form::Full if !self.is_precise() => Form::Short,
            form => form.clone(),
        };
        let bytes = self.samples.layout.bytes(&form);
        (form, bytes)
    }

    /// The masks of `count` values, if they are seeded.
    pub(super) fn runs(&self, count: usize) -> Option<Vec<Run>> {
        match &self.samples.form {
            Form::Seeded(masks) => Some(masks.runs((count * self.space.limbs()) as u64)),
            _ => None,
        }
    }

    /// Whether they are as a public key encrypted them.
    fn is_public(&self) -> bool {
        matches!(self.samples.form, Form::Public(..))
    }

    /// The packed ciphertexts of `count` values, if they are compressed, or by a public key.
    fn packed_runs(&self, count: usize) -> Option<(Vec<Run<Arc<Polynomials>>>, Bits)> {
        match &self.samples.form {
            Form::Packed(masks, bits) | Form::Public(masks, bits) => {
                Some((masks.runs((count * self.space.limbs()) as u64), *bits))
            }
            _ => None,
        }
    }

    /// Bytes of a file of `count` such values, but for those of the head.
    fn values_bytes(&self, count: usize) -> u64 {
        let masks =
            self.packed_runs(count).map_or(0, |(runs, bits)| runs.len() as u64 * masks_bytes(&self.params, bits));
        let bodies = (count as u64).saturating_mul((self.space.limbs() * self.stored().1) as u64);
        masks.saturating_add(bodies)
    }

    /// Bytes of a file of `count` such values.
    pub(crate) fn file_bytes(&self, count: usize) -> u64 {
        let head = 8 + self.head_bytes(count).0.len();
        ((OVERHEAD_BYTES + head) as u64).saturating_add(self.values_bytes(count))
    }

    /// No ciphertexts, of which a head tells everything but how many there are, and the masks that follow, if they are
    /// packed.
    fn read_head(head: &[u8], header: &Header) -> Result<(Self, u64, Option<PackedHead>), Error> {
        let mut r = Reader::new(head);
        let params = Params::by_name(read_name(&mut r)?)?;
        if params.fingerprint() != header.fingerprint {
            let fingerprints = [&header.fingerprint, &params.fingerprint()];
            return Err(Error::changed_params("ciphertext", params.name(), fingerprints));
        }
        let of_space = if header.version < SLICE_VERSION { header.version } else { r.u16()? };
        if of_space == 3 && header.version < RESIDUES_VERSION {
            return Err(WireError::Malformed { what: "a message space out of range" }.into());
        }
        let space = Space::read(&mut r, of_space, params.space_bits(), params.name())?;
        let (count, mut packed) = (r.u64()?, None);
        let (variance, form, origin) = match r.u8()? {
            form @ (0 | 2) if form == 0 || header.version >= SLICE_VERSION => {
                let seed = MaskSeed::from_bytes(r.array()?);
                let first = if form == 0 { 0 } else { r.u64()? };
                let run = Run { source: seed, first, count: count.saturating_mul(space.limbs() as u64) };
                (params.fresh_variance().into(), Form::seeded(checked(run)?), origin_of(&[run]))
            }
            4 if header.version >= SEEDS_VERSION => {
                let mut runs = Vec::new();
                for _ in 0..r.u32()? {
                    let source = MaskSeed::from_bytes(r.array()?);
                    runs.push(checked(Run { source, first: r.u64()?, count: r.u64()? })?);
                }
                let total: u128 = runs.iter().map(|run| u128::from(run.count)).sum();
                let masks = if total == u128::from(count) * space.limbs() as u128 {
                    Masks::of(runs, Masks::MOST)
                } else {
                    None
                };
                let masks = masks.ok_or(WireError::Malformed { what: "seeds of other ciphertexts than there are" })?;
                let origin = origin_of(&masks.runs(total as u64));
                (params.fresh_variance().into(), Form::Seeded(masks), origin)
            }
            form @ (1 | 3 | 5)
                if form == 1
                    || (form == 3 && header.version >= SLICE_VERSION && params.word_bits() > 64)
                    || (form == 5 && header.version >= COMPRESSED_VERSION) =>
            {
                let variances = space.moduli().iter().map(|_| r.f64()).collect::<Result<Vec<_>, _>>()?;
                let variance = InputVariance::of_each(variances);
                let (marks, lineage) = (r.u8()?, r.u64s()?);
                let named = (1..=MAX_LINEAGE).contains(&lineage.len());
                let most = if header.version < SLICE_VERSION { 1 } else { 3 };
                if marks > most || !named || !lineage.is_sorted_by(|a, b| a < b) {
                    let what = "an origin of ciphertexts out of order or range";
                    return Err(WireError::Malformed { what }.into());
                }
                // What is in the noise of any, and what will not be there when they are decrypted.
                let (form, least, rounding) = match form {
                    1 => (Form::Short, least_rounding_variance(&params), rounding_variance(&params)),
                    3 => (Form::Full, 0.0, 0.0),
                    _ => {
                        let head = PackedHead::read(&mut r, &params, count.saturating_mul(space.limbs() as u64))?;
                        let least = added_variance(&params, head.bits);
                        packed = Some(head);
                        (Form::Full, least, 0.0)
                    }
                };
                for (&variance, p) in variance.all().iter().zip(space.moduli()) {
                    check_noise(&params, variance, [least, rounding], 0.5 / p as f64)?;
                }
                (variance, form, Origin { lineage, dependent: marks & 1 == 1, moved: marks & 2 == 2 })
            }
            6 if header.version >= PUBLIC_VERSION => {
                let head = PackedHead::read(&mut r, &params, count.saturating_mul(space.limbs() as u64))?;
                let variance = params.public_variance_of(head.bits.masks, head.bits.bodies);
                for p in space.moduli() {
                    check_noise(&params, variance, [0.0; 2], 0.5 / p as f64)?;
                }
                packed = Some(PackedHead { public: true, ..head });
                // What it comes from is known when the masks are.
                (variance.into(), Form::Full, Origin::trivial())
            }
            _ => return Err(WireError::Malformed { what: "a ciphertext form other than 0 to 6" }.into()),
        };
        r.finish()?;
        let samples = Samples::new(form, Layout::of(&params), Vec::new());
        Ok((Self { params, key_id: header.key_id, space, variance, samples, origin }, count, packed))
    }
}

/// The packed ciphertexts that a head tells of.
struct PackedHead {
    /// Whether a public key encrypted them.
    public: bool,
    bits: Bits,
    /// Stride, number of the first value and how many there are, of each.
    runs: Vec<[usize; 3]>,
}

impl PackedHead {
    fn read(r: &mut Reader<'_>, params: &FhewParams, samples: u64) -> Result<Self, WireError> {
        let (bits, degree) = (Bits { masks: r.u8()?.into(), bodies: r.u8()?.into() }, params.shape().degree);
        if !(1..=64).contains(&bits.masks) || !(8..=64).contains(&bits.bodies) || bits.bodies % 8 != 0 {
            return Err(WireError::Malformed { what: "compressed ciphertexts of words that there are not" });
        }
        let (mut runs, mut total) = (Vec::new(), 0);
        for _ in 0..r.u64()? {
            let run @ [stride, first, count] = [r.u32()?, r.u32()?, r.u32()?].map(|number| number as usize);
            if !stride.is_power_of_two() || stride > degree || first.saturating_add(count) > degree / stride {
                return Err(WireError::Malformed { what: "compressed ciphertexts of other values than they hold" });
            }
            total += count as u64;
            runs.push(run);
        }
        if runs.is_empty() || total != samples {
            return Err(WireError::Malformed { what: "compressed ciphertexts of more or fewer values than there are" });
        }
        Ok(Self { public: false, bits, runs })
    }

    /// Reads the masks: the form, and what is known of a public key's encryptions.
    fn read_masks<R: Read>(
        &self,
        params: &FhewParams,
        input: &mut StreamReader<R>,
    ) -> Result<(Form, Option<Origin>), Error> {
        let (words, Bits { masks: bits, .. }) = (params.ciphertext_dimension(), self.bits);
        let mut bytes = vec![0; packed_word_bytes(words, bits)];
        let mut runs = Vec::new();
        for &[stride, first, count] in &self.runs {
            input.raw_into(&mut bytes)?;
            let mut masks = reserved_as(words, 1)?;
            masks.resize(words, 0);
            unpack_words(&mut masks, &bytes, bits)?;
            masks.iter_mut().for_each(|mask| *mask <<= 64 - bits);
            let source = Arc::new(Polynomials { masks, stride });
            runs.push(Run { source, first: first as u64, count: count as u64 });
        }
        let origin = self.public.then(|| public_origin(&runs));
        let masks = Masks::of(runs, usize::MAX).ok_or(Error::NoValues)?;
        let form = if self.public { Form::Public(masks, self.bits) } else { Form::Packed(masks, self.bits) };
        Ok((form, origin))
    }
}

/// Bytes of the masks of a packed ciphertext.
fn masks_bytes(params: &FhewParams, bits: Bits) -> u64 {
    packed_word_bytes(params.ciphertext_dimension(), bits.masks) as u64
}

impl Stored for Ciphertexts {
    const KIND: ObjectKind = ObjectKind::Ciphertexts;
    /// Behind the length of the head.
    const NAME_AT: usize = 8;

    fn stored_bytes(&self) -> u64 {
        self.file_bytes(self.len())
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = CiphertextWriter::new(out, self, self.len())?;
        out.put_all(&self.samples)?;
        out.finish()
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        CiphertextReader::within(memory, input)?.read()
    }
}

/// A run of a file, unless a seed has no such masks.
fn checked(run: Run) -> Result<Run, WireError> {
    let what = "more ciphertexts than a seed has";
    run.first.checked_add(run.count).map(|_| run).ok_or(WireError::Malformed { what })
}

/// Refuses a bound on the noise of evaluated ciphertexts that none have: none has less noise than fresh ones and what
/// was `added` since, or so much that without rounding to half words it would be decrypted wrong more often than
/// promised.
fn check_noise(params: &FhewParams, variance: f64, [added, rounding]: [f64; 2], half_step: f64) -> Result<(), Error> {
    let fresh = params.fresh_variance();
    let failure = |variance: f64| log2_failure(half_step, variance.max(0.0).sqrt());
    // Not a number is not at least anything.
    let most = params.log2_p_fail() + FAILURE_TOLERANCE;
    if variance >= fresh + added && variance.is_finite() && failure(variance - rounding) <= most {
        return Ok(());
    }
    let [found, fresh] = [variance, fresh].map(|variance| variance.log2() / 2.0);
    Err(Error::NoiseBound { found, fresh, params: params.name().into() })
}

/// Writes a file of ciphertexts of known length.
pub(crate) struct CiphertextWriter<W: Write> {
    out: StreamWriter<W>,
    form: Form,
    bytes: Vec<u8>,
}

impl<W: Write> CiphertextWriter<W> {
    /// Writes the head of `count` values like `like`, its own or others.
    pub(crate) fn new(out: W, like: &Ciphertexts, count: usize) -> Result<Self, Error> {
        let (head, version) = like.head_bytes(count);
        let (fingerprint, key_id) = (like.params.fingerprint(), like.key_id);
        let header = Header { kind: ObjectKind::Ciphertexts, version, fingerprint, key_id };
        let mut out = StreamWriter::new(out, header, like.values_bytes(count).saturating_add(8 + head.len() as u64))?;
        out.bytes(&head)?;
        if let Some((runs, Bits { masks: bits, .. })) = like.packed_runs(count) {
            let mut bytes = Vec::new();
            for run in runs {
                bytes.clear();
                let words: Vec<u64> = run.source.masks.iter().map(|mask| mask >> (64 - bits)).collect();
                pack_words(&mut bytes, &words, bits);
                out.raw(&bytes)?;
            }
        }
        Ok(Self { out, form: like.stored().0, bytes: Vec::new() })
    }

    /// Writes the next ciphertexts.
    pub(crate) fn put(&mut self, samples: &Samples<'_>) -> Result<(), Error> {
        self.bytes.clear();
        samples.put_as(&self.form, &mut self.bytes);
        Ok(self.out.raw(&self.bytes)?)
    }

    /// Writes the next ciphertexts, few at a time.
    pub(crate) fn put_all(&mut self, samples: &Samples<'_>) -> Result<(), Error> {
        let count = samples.count();
        let mut starts = (0..count).step_by(TOGETHER);
        starts.try_for_each(|start| self.put(&samples.piece(start..count.min(start + TOGETHER))))
    }

    /// Writes the next evaluated ciphertexts.
    pub(crate) fn put_words<T: Word>(&mut self, words: &[T]) -> Result<(), Error> {
        self.bytes.clear();
        match self.form {
            Form::Full => T::put(words, &mut self.bytes),
            _ => T::put_halves(words, &mut self.bytes),
        }
        Ok(self.out.raw(&self.bytes)?)
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> Result<W, Error> {
        Ok(self.out.finish()?)
    }
}

/// Ciphertexts in a file, of which a few at a time are in memory: evaluations from file to file and
/// [`Client::decrypt_from`](crate::Client::decrypt_from) take them.
///
/// The checksum is verified at the end: until then what was read may be damaged, and nothing made of it may be used.
#[derive(Debug)]
pub(crate) struct CiphertextReader<R: Read> {
    head: Ciphertexts,
    /// Values.
    count: usize,
    /// Ciphertexts that were read.
    at: usize,
    input: StreamReader<R>,
    memory: Option<u64>,
}

impl<R: Read> EngineReader<Fhew, R> for CiphertextReader<R> {
    fn within(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::Ciphertexts)?;
        let head = input.bytes(MAX_HEAD_BYTES)?;
        let (mut head, count, packed) = Ciphertexts::read_head(&head, input.header())?;
        let (masks, sample_bytes) = match &packed {
            Some(packed) => {
                let masks = (packed.runs.len() as u64).saturating_mul(masks_bytes(&head.params, packed.bits));
                (masks, packed.bits.bodies as usize / 8)
            }
            None => (0, head.stored().1),
        };
        let bodies = count.saturating_mul((head.space.limbs() * sample_bytes) as u64);
        let (expected, found) = (masks.saturating_add(bodies), input.remaining());
        if expected < found {
            return Err(WireError::TrailingBytes { count: found - expected }.into());
        }
        let count = usize::try_from(count).ok().filter(|_| expected == found);
        let count = count.ok_or(WireError::UnexpectedEnd { wanted: expected, left: found })?;
        if let Some(packed) = packed {
            let words = packed.runs.len() as u64 * head.params.ciphertext_dimension() as u64;
            check_read(words.saturating_mul(8), memory)?;
            let (form, origin) = packed.read_masks(&head.params, &mut input)?;
            head.origin = origin.unwrap_or(head.origin);
            head.samples = Samples::new(form, head.samples.layout, Vec::new());
        }
        Ok(Self { head, count, at: 0, input, memory })
    }

    fn head(&self) -> &Ciphertexts {
        &self.head
    }

    fn len(&self) -> usize {
        self.count
    }

    fn read(mut self) -> Result<Ciphertexts, Error> {
        let (count, (form, length)) = (self.count * self.head.space.limbs(), self.head.stored());
        check_read((count as u64).saturating_mul(length as u64), self.memory)?;
        let mut bytes: Vec<u8> = reserved_as(count, length)?;
        for start in (0..count).step_by(TOGETHER) {
            bytes.extend_from_slice(self.next(TOGETHER.min(count - start))?.bytes());
        }
        let head = self.head.clone();
        self.finish()?;
        Ok(Ciphertexts { samples: Samples::new(form, head.samples.layout, bytes), ..head })
    }

    fn finish(self) -> Result<(), Error> {
        Ok(self.input.finish_unread().map(drop)?)
    }

    fn ciphertexts(&self) -> usize {
        self.count * self.head.space.limbs()
    }

    fn concat_to<W: Write>(vectors: Vec<Self>, out: W) -> Result<Space, Error> {
        streams::concat_to(vectors, out)
    }

    fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error> {
        streams::slice_to(self, range, out)
    }

    fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error> {
        streams::weighted_sum_to(columns, constant, out)
    }
}

impl<'a, R: Read> Source<'a> for CiphertextReader<R> {
    fn next(&mut self, count: usize) -> Result<Samples<'a>, Error> {
        let wanted = (count as u64).saturating_mul(self.head.stored().1 as u64);
        if wanted > self.input.remaining() {
            return Err(StreamError::from(WireError::UnexpectedEnd { wanted, left: self.input.remaining() }).into());
        }
        let mut bytes = vec![0; wanted as usize];
        self.input.raw_into(&mut bytes)?;
        let form = self.head.stored().0.from(self.at);
        self.at += count;
        Ok(Samples::new(form, self.head.samples.layout, bytes))
    }
}
