//! From engine fhew to engine ckks: single ciphertexts are packed to GLWE ciphertexts of the accumulator's ring, and
//! N/N' of these to one of the batch's ([`bootes_lattice::ring_merge`]), a value a coefficient.
//!
//! In a file: the seed of the packing key's masks and its words; and the rows of the merging key.
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use bootes_lattice::keyswitch::{SeededGlweKeySwitchKey, SeededTraceKey, TraceKey};
use bootes_lattice::noise::failure::over_keys::counted;
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::wire::{StreamReader, StreamWriter};
use bootes_ring::fft::Fft;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::poly::Limbs;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::ckks::params::NOISE_STD;
use bootes_schemes::fhew::FhewParams;
use rayon::prelude::*;

use super::ahead::Ahead;
use super::{How, Owner, Positions, default_set, owner_bytes, read_target, read_words, write_words};
use crate::door::error::ConversionError;
use crate::engines::blocks::Files;
use crate::engines::{ClientKey, EngineCiphertexts, EngineParams, EngineReader};
use crate::fhew::{Samples, Source};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::origin::Origin;
use crate::threads::on_all_threads;
use crate::{Error, Space, SpaceError, ckks, fhew};

/// The keys of packing and merging, and the expanded form of the first once that was needed.
#[derive(Clone, Debug)]
pub(crate) struct ToBatch {
    pub(super) from: Owner<fhew::Params>,
    pub(super) to: Owner<ckks::Params>,
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

impl ToBatch {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(super) fn generate(from: &fhew::Client, to: &ckks::Client) -> Result<Self, Error> {
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

    /// The bound on the error of what becomes of values like these, and the encoding of them.
    fn bound(&self, x: &fhew::Ciphertexts) -> Result<(ErrorBound, RlweEncoding), Error> {
        x.check_key(&self.from.0, self.from.1)?;
        x.check_open("a conversion")?;
        let space = self.space_of(x.space());
        let (from, to) = (&self.from.0, &self.to.0);
        check_space(to, space)?;
        if let (Some(modulus), Some(_)) = (x.space().modulus(), space.integers()) {
            x.space().check_reduced()?;
            return Err(SpaceError::Kept { space: x.space(), modulus }.into());
        }
        let log2_modulus = ckks::log2_modulus_of(to, space);
        let error = error(from, to, x.noise_variance(), log2_modulus);
        check_promise(from, to, error, space)?;
        Ok((error, RlweEncoding::new(space.moduli()[0], log2_modulus)?))
    }

    /// The space of what is converted: residues that are kept as integers modulo as many are residues there, where it
    /// has such. Integers stay integers.
    fn space_of(&self, space: Space) -> Space {
        let residues = space.modulus().filter(|&p| space.moduli() == [p]).map(Space::Modular);
        residues.filter(|&residues| ckks::holds(&self.to.0, residues)).unwrap_or(space.kept())
    }

    /// What becomes of values like these: one of them, 0.
    pub(super) fn head(&self, x: &fhew::Ciphertexts) -> Result<ckks::Ciphertexts, Error> {
        let (error, encoding) = self.bound(x)?;
        let space = (self.space_of(x.space()), encoding.log2_modulus());
        ckks::Ciphertexts::head((&self.to.0, self.to.1), space, error, Origin::of(x.origin().lineage.clone()))
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(super) fn convert(
        &self,
        x: &fhew::Ciphertexts,
        positions: &Positions<'_>,
        how: &How,
    ) -> Result<ckks::Ciphertexts, Error> {
        let (error, encoding) = self.bound(x)?;
        let (count, mut parts) = (positions.check(x.len())?, Vec::new());
        check_ciphertexts((16 * count.next_multiple_of(self.to.0.capacity())) as u64)?;
        let mut samples = x.cursor();
        self.each_block(
            (positions, count),
            size_of::<Samples<'_>>(),
            (encoding, how),
            || samples.next(1),
            |part| {
                parts.push(part);
                Ok(())
            },
        )?;
        Ok(ckks::Ciphertexts::converted(
            (&self.to.0, self.to.1),
            self.space_of(x.space()),
            (count, parts),
            error,
            x.origin(),
        ))
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
        let (error, encoding) = self.bound(&head)?;
        let (count, mut file) = (positions.check(x.len())?, Files::Begin(vec![out]));
        let (owner, bytes) = ((&self.to.0, self.to.1), fhew::Tops::of(&self.from.0).stride());
        self.each_block(
            (positions, count),
            bytes,
            (encoding, how),
            || x.next(1),
            |part| {
                let parts = (count, vec![part]);
                file.put(&[ckks::Ciphertexts::converted(
                    owner,
                    self.space_of(head.space()),
                    parts,
                    error,
                    head.origin(),
                )])
            },
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
        (encoding, how): (RlweEncoding, &How),
        mut next: impl FnMut() -> Result<Samples<'x>, Error>,
        mut put: impl FnMut(RlweCiphertext) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if count == 0 {
            return Err(Error::NoValues);
        }
        let (packer, n) = (self.expanded()?, self.to.0.capacity());
        let mut ahead = Ahead::new(positions, 1, bytes, n);
        for (chunk, start) in (0..count).step_by(n).enumerate() {
            let values = start..count.min(start + n);
            ahead.fetch(chunk, values.clone().map(|i| positions.of(i)), &mut next)?;
            let done = AtomicUsize::new(start);
            let tell = |more| how.tell((done.fetch_add(more, Ordering::Relaxed) + more) as f64 / count as f64);
            let sample = |i: usize| ahead.get(positions.of(start + i));
            put(how.on_threads(|| self.block((packer, encoding), values.len(), sample, (how, &tell)))?)?;
        }
        Ok(())
    }

    /// One ciphertext of these `count` samples; `tell` hears of how many more are packed.
    fn block<'s, 'x: 's>(
        &self,
        (packer, encoding): (&Packer, RlweEncoding),
        count: usize,
        of: impl Fn(usize) -> &'s Samples<'x> + Sync,
        (how, tell): (&How, &(dyn Fn(usize) + Sync)),
    ) -> Result<RlweCiphertext, Error> {
        let (params, shape) = (self.to.0.ckks(), self.from.0.shape());
        let (classes, length) = (params.degree() / shape.degree, shape.lwe_dimension() + 1);
        let pack = |scratch: &mut ScratchBuffer, class: usize| {
            let places: Vec<usize> = (class..count).step_by(classes).collect();
            if places.is_empty() {
                return Ok(None);
            }
            let mut words: Vec<u64> = reserved_as(places.len(), length)?;
            places.iter().for_each(|&place| fhew::put_tops(&self.from.0, of(place), &mut words));
            let mut inputs: Vec<&[u64]> = words.chunks_exact(length).collect();
            inputs.resize(shape.degree, &[]);
            let mut packed = vec![0; shape.words()];
            how.unless_cancelled(|| packer.key.pack_into(&mut packed, &inputs, &packer.fft, scratch.scratch()))?;
            tell(places.len());
            Ok::<_, Error>(Some(packed))
        };
        let scratch = || ScratchBuffer::new(packer.key.pack_scratch_bytes(shape.degree));
        let parts = (0..classes).into_par_iter().map_init(scratch, pack).collect::<Result<Vec<_>, _>>()?;
        how.check()?;
        let merged = self.merge.merge(params.ring(), params.rescale(1), &parts);
        Ok(RlweCiphertext::from_base(params.ring(), &merged, encoding, count)?)
    }

    /// Memory of so many results: words for both polynomials of each ciphertext, and of what one is merged of.
    pub(super) fn result_bytes(&self, count: usize) -> u64 {
        let n = self.to.0.capacity();
        (2 * size_of::<u64>() * n) as u64 * (count.div_ceil(n) as u64 + 2)
    }

    /// The same of what is read: with the samples of a ciphertext, as they came and as they are packed.
    pub(super) fn stream_bytes(&self, count: usize) -> u64 {
        let (few, sample) = (count.min(self.to.0.capacity()), fhew::Tops::of(&self.from.0).stride());
        self.result_bytes(few) + 2 * sample as u64 * few as u64
    }

    /// Bytes of the keys.
    pub(super) fn key_bytes(&self) -> u64 {
        let from = &self.from.0;
        let merge = RingMergeKey::stored_bytes(self.to.0.ckks().ring(), from.shape(), from.ring_merge_gadget());
        (size_of::<MaskSeed>() + packing_words(from) * size_of::<u64>()) as u64 + merge
    }

    pub(super) fn write<W: Write>(&self, mut out: StreamWriter<W>) -> Result<StreamWriter<W>, Error> {
        let SeededTraceKey(packing) = &*self.packing;
        out.raw(&packing.mask_seed.to_bytes())?;
        write_words(&mut out, &packing.bodies)?;
        self.merge.write(self.to.0.ckks().ring(), &mut out)?;
        Ok(out)
    }

    pub(super) fn read<R: Read>(
        from: Owner<fhew::Params>,
        memory: Option<u64>,
        input: &mut StreamReader<R>,
    ) -> Result<Self, Error> {
        let to: Owner<ckks::Params> = read_target(input)?;
        let (ring, shape) = (to.0.ckks().ring(), from.0.shape());
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

/// The bound on the error of values of this variance, modulo 2^`log2_modulus`: each is packed, merged and rounded. The
/// variance of engine fhew is that of the mean over keys.
pub(super) fn error(from: &FhewParams, to: &ckks::Params, variance: f64, log2_modulus: u32) -> ErrorBound {
    let (ring, weight) = (to.ckks().ring(), to.literal().weight as usize);
    let moduli = [2, 1].map(|count| ring.log2(Limbs::chain(count)));
    let merged = from.ring_merge_variance(to.capacity(), weight, NOISE_STD, moduli);
    let all = counted(variance + from.merge_packing_variance()) + counted(merged);
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
