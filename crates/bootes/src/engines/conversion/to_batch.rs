//! From engine fhew to a batch: single ciphertexts are packed to GLWE ciphertexts of the accumulator's ring, and N/N' of
//! these to one of the batch's ([`bootes_lattice::ring_merge`]), a value a coefficient of the port.
//!
//! In a file: the seed of the packing key's masks and its words; and the rows of the merging key.
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use bootes_lattice::keyswitch::{SeededGlweKeySwitchKey, SeededTraceKey, TraceKey};
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::wire::{StreamReader, StreamWriter};
use bootes_ring::fft::Fft;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::rlwe::SchemeParams;
use rayon::prelude::*;

use super::ahead::Ahead;
use super::batch::{Batch, VectorOf, merged_variance};
use super::{How, Owner, Positions, default_set, owner_bytes, read_words, write_words};
use crate::door::error::ConversionError;
use crate::engines::blocks::Files;
use crate::engines::rlwe_keys::RlweClient;
use crate::engines::{ClientKey, EngineCiphertexts, EngineParams, EngineReader};
use crate::fhew::{Samples, Source};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::threads::on_all_threads;
use crate::{Error, Space, ckks, fhew};

/// The keys of packing and merging, and the expanded form of the first once that was needed.
#[derive(Clone, Debug)]
pub(crate) struct ToBatch<P> {
    pub(super) from: Owner<fhew::Params>,
    pub(super) to: Owner<P>,
    packing: Arc<SeededTraceKey>,
    merge: Arc<RingMergeKey>,
    expanded: Arc<OnceLock<Packer>>,
}

/// Packs samples.
#[derive(Debug)]
pub(super) struct Packer {
    fft: Fft,
    key: TraceKey,
}

/// Words of the bodies of a packing key.
pub(super) fn packing_words(params: &FhewParams) -> usize {
    let (shape, levels) = (params.shape(), params.merge_packing_gadget().levels());
    shape.lwe_dimension() * shape.degree.ilog2() as usize * levels as usize
}

impl<P: Batch> ToBatch<P> {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(super) fn generate(from: &fhew::Client, to: &RlweClient<P>) -> Result<Self, Error>
    where
        Error: From<<P::Scheme as SchemeParams>::Error>,
    {
        to.params().check_pair(from.params())?;
        let owner = |fingerprint, key_id| owner_bytes(fingerprint, key_id);
        let of_batch = owner(to.params().fingerprint(), to.key_id());
        let of_single = owner(from.params().fingerprint(), from.key_id());
        let packing = from.merge_packing_key(&of_batch)?;
        let gadget = from.params().ring_merge_gadget();
        let merge = on_all_threads(|| Ok(to.keys.ring_merge_key(from.glwe_key(), gadget, &of_single)?))?;
        let (from, to) = ((from.params().clone(), from.key_id()), (to.params().clone(), to.key_id()));
        Ok(Self { from, to, packing: Arc::new(packing), merge: Arc::new(merge), expanded: Arc::default() })
    }

    pub(super) fn expanded(&self) -> Result<&Packer, Error> {
        if let Some(packer) = self.expanded.get() {
            return Ok(packer);
        }
        let shape = self.from.0.shape();
        // Transformed, in two halves, and in passing.
        Room::now(None).check(0, (3 * 8 * packing_words(&self.from.0) * shape.polynomials()) as u64)?;
        let fft = Fft::new(shape.degree)?;
        let key = self.packing.prepare(&fft)?;
        Ok(self.expanded.get_or_init(|| Packer { fft, key }))
    }

    /// What becomes of values like these: [`Batch::bound`].
    fn bound(&self, x: &fhew::Ciphertexts) -> Result<(P::Bound, RlweEncoding, Space), Error> {
        x.check_key(&self.from.0, self.from.1)?;
        x.check_open("a conversion")?;
        self.to.0.bound(&self.from.0, x)
    }

    /// What becomes of values like these: one of them, 0.
    pub(super) fn head(&self, x: &fhew::Ciphertexts) -> Result<VectorOf<P>, Error> {
        let (bound, encoding, space) = self.bound(x)?;
        P::vector_head((&self.to.0, self.to.1), (space, encoding), bound, x.origin())
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(super) fn convert(
        &self,
        x: &fhew::Ciphertexts,
        positions: &Positions<'_>,
        how: &How,
    ) -> Result<VectorOf<P>, Error> {
        let (bound, encoding, space) = self.bound(x)?;
        let (count, mut parts) = (positions.check(x.len())?, Vec::new());
        check_ciphertexts(count.div_ceil(self.to.0.capacity()) as u64 * self.to.0.result_bytes() as u64)?;
        let mut samples = x.cursor();
        self.each_block(
            (positions, count),
            size_of::<Samples<'_>>(),
            (encoding, bound, how),
            || samples.next(1),
            |part| {
                parts.push(part);
                Ok(())
            },
        )?;
        Ok(P::vector((&self.to.0, self.to.1), space, (count, parts), bound, x.origin()))
    }

    /// The same of what is read, to `out`.
    pub(super) fn convert_to<R: Read, W: Write>(
        &self,
        mut x: fhew::CiphertextReader<R>,
        positions: &Positions<'_>,
        out: W,
        how: &How,
    ) -> Result<W, Error> {
        let head = x.head().clone();
        let (bound, encoding, space) = self.bound(&head)?;
        let (count, mut file) = (positions.check(x.len())?, Files::Begin(vec![out]));
        let (owner, bytes) = ((&self.to.0, self.to.1), fhew::Tops::of(&self.from.0).stride());
        self.each_block(
            (positions, count),
            bytes,
            (encoding, bound, how),
            || x.next(1),
            |part| file.put(&[P::vector(owner, space, (count, vec![part]), bound, head.origin())]),
        )?;
        x.finish()?;
        file.finish()?.pop().ok_or(Error::NoValues)
    }

    /// Hands the ciphertexts of these values to `put`, one after the other; samples come from `next`, of so many bytes
    /// each.
    fn each_block<'x>(
        &self,
        (positions, count): (&Positions<'_>, usize),
        bytes: usize,
        (encoding, bound, how): (RlweEncoding, P::Bound, &How),
        mut next: impl FnMut() -> Result<Samples<'x>, Error>,
        mut put: impl FnMut(P::Part) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if count == 0 {
            return Err(Error::NoValues);
        }
        self.to.0.check_ready(how)?;
        let (packer, n) = (self.expanded()?, self.to.0.capacity());
        let mut ahead = Ahead::new(positions, 1, bytes, n);
        for (chunk, start) in (0..count).step_by(n).enumerate() {
            let values = start..count.min(start + n);
            ahead.fetch(chunk, values.clone().map(|i| positions.of(i)), &mut next)?;
            let done = AtomicUsize::new(start);
            let tell = |more| how.tell((done.fetch_add(more, Ordering::Relaxed) + more) as f64 / count as f64);
            let sample = |i: usize| ahead.get(positions.of(start + i));
            put(how.on_threads(|| {
                let merged = self.block((packer, encoding), values.len(), sample, (how, &tell))?;
                self.to.0.accept(merged, bound, how)
            })?)?;
        }
        Ok(())
    }

    /// One ciphertext of these `count` samples; `tell` hears of how many more are packed.
    pub(super) fn block<'s, 'x: 's>(
        &self,
        (packer, encoding): (&Packer, RlweEncoding),
        count: usize,
        of: impl Fn(usize) -> &'s Samples<'x> + Sync,
        (how, tell): (&How, &(dyn Fn(usize) + Sync)),
    ) -> Result<RlweCiphertext, Error> {
        let (scheme, shape) = (self.to.0.scheme(), self.from.0.shape());
        let (classes, length) = (scheme.degree() / shape.degree, shape.lwe_dimension() + 1);
        // The values of each part, with their places there.
        let mut of_parts: Vec<Vec<(usize, usize)>> = vec![Vec::new(); classes];
        let mut coefficients = 0;
        for i in 0..count {
            let coefficient = self.to.0.coefficient(i)?;
            of_parts[coefficient % classes].push((coefficient / classes, i));
            coefficients = coefficients.max(coefficient + 1);
        }
        let pack = |scratch: &mut ScratchBuffer, values: &Vec<(usize, usize)>| {
            if values.is_empty() {
                return Ok(None);
            }
            let mut words: Vec<u64> = reserved_as(values.len(), length)?;
            values.iter().for_each(|&(_, i)| fhew::put_tops(&self.from.0, of(i), &mut words));
            let mut inputs: Vec<&[u64]> = vec![&[]; shape.degree];
            values.iter().zip(words.chunks_exact(length)).for_each(|(&(place, _), sample)| inputs[place] = sample);
            let mut packed = vec![0; shape.words()];
            how.unless_cancelled(|| packer.key.pack_into(&mut packed, &inputs, &packer.fft, scratch.scratch()))?;
            tell(values.len());
            Ok::<_, Error>(Some(packed))
        };
        let scratch = || ScratchBuffer::new(packer.key.pack_scratch_bytes(shape.degree));
        let parts = of_parts.par_iter().map_init(scratch, pack).collect::<Result<Vec<_>, _>>()?;
        how.check()?;
        let merged = self.merge.merge(scheme.ring(), scheme.rescale(1), &parts);
        Ok(RlweCiphertext::from_base(scheme.ring(), &merged, encoding, coefficients)?)
    }

    /// Memory of so many results: words for both polynomials of each ciphertext, and of what one is merged of.
    pub(super) fn result_bytes(&self, count: usize) -> u64 {
        self.to.0.result_bytes() as u64 * (count.div_ceil(self.to.0.capacity()) as u64 + 2)
    }

    /// The same of what is read: with the samples of a ciphertext, as they came and as they are packed.
    pub(super) fn stream_bytes(&self, count: usize) -> u64 {
        let (few, sample) = (count.min(self.to.0.capacity()), fhew::Tops::of(&self.from.0).stride());
        self.result_bytes(few) + 2 * sample as u64 * few as u64
    }

    /// Bytes of the keys.
    pub(super) fn key_bytes(&self) -> u64 {
        let from = &self.from.0;
        let merge = RingMergeKey::stored_bytes(self.to.0.scheme().ring(), from.shape(), from.ring_merge_gadget());
        (size_of::<MaskSeed>() + packing_words(from) * size_of::<u64>()) as u64 + merge
    }

    pub(super) fn write<W: Write>(&self, mut out: StreamWriter<W>) -> Result<StreamWriter<W>, Error> {
        let SeededTraceKey(packing) = &*self.packing;
        out.raw(&packing.mask_seed.to_bytes())?;
        write_words(&mut out, &packing.bodies)?;
        self.merge.write(self.to.0.scheme().ring(), &mut out)?;
        Ok(out)
    }

    pub(super) fn read<R: Read>(
        (from, to): (Owner<fhew::Params>, Owner<P>),
        memory: Option<u64>,
        input: &mut StreamReader<R>,
    ) -> Result<Self, Error> {
        to.0.check_pair(&from.0)?;
        let (ring, shape) = (to.0.scheme().ring(), from.0.shape());
        RingMergeKey::check(ring, shape)?;
        let (gadget, count) = (from.0.ring_merge_gadget(), packing_words(&from.0));
        let rest = RingMergeKey::stored_bytes(ring, shape, gadget);
        input.expect_left((size_of::<MaskSeed>() + count * size_of::<u64>()) as u64 + rest)?;
        // Rows of the merging key are kept with their masks, in words of 64 bits.
        Room::check_read(memory, input.remaining() + 3 * rest)?;
        let mask_seed = MaskSeed::from_bytes(input.array()?);
        let bodies = read_words(input, count)?;
        let packing = SeededGlweKeySwitchKey { shape, gadget: from.0.merge_packing_gadget(), mask_seed, bodies };
        on_all_threads(|| Ok::<_, Error>(ring.prepare()?))?;
        let merge = RingMergeKey::read(ring, shape, gadget, input)?;
        let (packing, merge) = (Arc::new(SeededTraceKey(packing)), Arc::new(merge));
        Ok(Self { from, to, packing, merge, expanded: Arc::default() })
    }
}

/// The bound on the error of values of this variance in a batch of engine ckks, modulo 2^`log2_modulus`: each is packed,
/// merged and rounded.
pub(super) fn error(from: &FhewParams, to: &ckks::Params, variance: f64, log2_modulus: u32) -> ErrorBound {
    let all = merged_variance(from, to, variance);
    let error = ErrorBound::unbiased(SlotNoise::flat(all)).plus(to.rounding_error(log2_modulus));
    to.at_least(error, log2_modulus)
}

/// Refuses values that a set has not in one ciphertext.
pub(super) fn check_space(to: &ckks::Params, space: Space) -> Result<(), Error> {
    space.check_exact("a conversion to a batch")?;
    if ckks::holds(to, space) {
        return Ok(());
    }
    let (params, most) = (to.name().into(), ckks::most_bits_of(to, space));
    Err(ConversionError::Space { space, params, most, set: ckks::set_for(space) }.into())
}

/// Refuses values that would decrypt wrongly more often than is promised.
pub(super) fn check_promise(
    from: &FhewParams,
    to: &ckks::Params,
    error: ErrorBound,
    space: Space,
) -> Result<(), Error> {
    let (found, promised) = (ckks::log2_failure(to, error, space), to.log2_p_fail());
    if found <= promised {
        return Ok(());
    }
    // One that promises as much leaves results with less noise.
    let more = from.log2_p_fail() > promised;
    let fits = |set: &FhewParams| set.space_bits() >= space.bits() && set.log2_p_fail() <= promised;
    let set = if more { default_set(fits) } else { None };
    Err(ConversionError::Noise { params: to.name().into(), found, promised, set }.into())
}
