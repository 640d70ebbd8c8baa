//! Results in few bytes: thousands of values are packed into one GLWE ciphertext, each into a coefficient, whose masks
//! they share, and what decryption does not need of its bits is dropped.
//!
//! A packed ciphertext has k·N' words of masks for up to N' values, and a word for each. Packing adds
//! `FhewParams::compression_variance`, next to nothing. Rounding adds `FhewParams::compression_rounding_variance`: as
//! much as the promise of the set leaves, so that files are as small as can be. What is left is for decryption alone:
//! sums and tables are evaluated before.
use crate::engines::watch::Watch;
use crate::engines::{EngineCiphertexts, EngineServer};
use crate::fhew::room::{Growth, refusal};
use crate::fhew::samples::{Bits, Form, Masks, Polynomials, Run, Samples, Source};
use crate::fhew::words::{Word, of_words};
use crate::fhew::{Ciphertexts, Server};
use crate::memory::{Room, check_ciphertexts};
use crate::threads::useful;
use crate::{Error, Space};
use bootes_lattice::modswitch::round_glwe_masks;
use bootes_lattice::noise::failure::over_keys::log2_failure;
use bootes_lut::fhew::circuit::InputVariance;
use bootes_ring::mem::ScratchBuffer;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Noise variance that packing and rounding to words of so many bits add: what compressed ciphertexts have at least
/// beside that of fresh ones.
pub(super) fn added_variance(params: &FhewParams, bits: Bits) -> f64 {
    // Words of 128 bits lose their lower half.
    let halves = match params.word_bits() {
        64 => 0.0,
        _ => super::ciphertexts::least_rounding_variance(params),
    };
    params.compression_variance() + params.compression_rounding_variance(bits.masks, bits.bodies) + halves
}

/// The words of the smallest file of `samples` ciphertexts that keeps the promise.
///
/// # Errors
/// [`Error::NoiseBudget`] if packing alone breaks it.
pub(super) fn fewest(
    params: &FhewParams,
    space: Space,
    variance: &InputVariance,
    samples: usize,
) -> Result<Bits, Error> {
    let failure = |bits: Bits| {
        let added = added_variance(params, bits);
        let limbs = space.moduli().into_iter().enumerate();
        let limbs = limbs.map(|(limb, p)| log2_failure(0.5 / p as f64, (variance.of(limb) + added).sqrt()));
        limbs.fold(f64::NEG_INFINITY, f64::max)
    };
    let shape = params.shape();
    let masks = samples.div_ceil(shape.degree) * shape.lwe_dimension();
    let cost = |bits: Bits| masks * bits.masks as usize + samples * bits.bodies as usize;
    let bodies = (8..=64).step_by(8);
    let all = bodies.filter_map(|bodies| {
        let mut masks = (1..=64).map(|masks| Bits { masks, bodies });
        masks.find(|&bits| failure(bits) <= params.log2_p_fail())
    });
    all.min_by_key(|&bits| cost(bits)).ok_or_else(|| {
        let largest = variance.largest();
        refusal(params, space, &Growth::none(space, largest), failure(Bits { masks: 64, bodies: 64 }))
    })
}

/// A packed ciphertext and the bodies of its values, in the bytes of a file.
type Group = (Run<Arc<Polynomials>>, Vec<u8>);

impl Server {
    /// The words of `count` ciphertexts like these, compressed, if that makes their file smaller: fresh ones have a
    /// seed in place of masks.
    ///
    /// # Errors
    /// [`Error::Compressed`], [`Error::CompressionKey`], [`Error::NoiseBudget`]; [`Error::OtherParams`],
    /// [`Error::OtherKey`].
    pub(crate) fn compression(&self, like: &Ciphertexts, count: usize) -> Result<Option<Bits>, Error> {
        let (params, space) = (self.params(), like.space());
        like.check_key(params, self.key_id())?;
        like.check_open("a compression")?;
        if !self.key.missing(&params.compression_keys()).is_empty() {
            return Err(Error::CompressionKey { params: params.name().into() });
        }
        let (samples, degree) = (count * space.limbs(), params.shape().degree);
        if samples == 0 {
            return Ok(None);
        }
        let bits = fewest(params, space, like.limb_variances(), samples)?;
        let masks = Arc::new(Polynomials { masks: Vec::new(), stride: 1 });
        let counts = (0..samples).step_by(degree).map(|start| degree.min(samples - start));
        let runs = counts.map(|count| Run { source: Arc::clone(&masks), first: 0, count: count as u64 });
        let form = Form::Packed(Masks::of(runs, usize::MAX).ok_or(Error::NoValues)?, bits);
        let compressed = like.packed(form, Vec::new(), like.limb_variances().clone());
        Ok((compressed.file_bytes(count) < like.file_bytes(count)).then_some(bits))
    }

    /// `count` values of a source of ciphertexts like these, compressed to these words.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::CiphertextMemory`]; [`Error::Cancelled`].
    pub(crate) fn compress_source<'a>(
        &self,
        like: &Ciphertexts,
        (count, bits): (usize, Bits),
        source: impl Source<'a> + Send,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Ciphertexts, Error> {
        of_words!(&self.key, key => self.compress_with(key, like, (count, bits), source, threads, watch))
    }

    fn compress_with<'a, W: Word>(
        &self,
        key: &PreparedEvaluationKey<W>,
        like: &Ciphertexts,
        (count, bits): (usize, Bits),
        source: impl Source<'a> + Send,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Ciphertexts, Error> {
        let (params, space) = (&key.params, like.space());
        let (samples, degree) = (count * space.limbs(), params.shape().degree);
        let variance = |limb| like.limb_variances().of(limb) + added_variance(params, bits);
        let limbs: Vec<f64> = (0..space.limbs()).map(variance).collect();
        let groups = samples.div_ceil(degree);
        let results = groups * params.ciphertext_dimension() * 8 + samples * bits.bodies as usize / 8;
        check_ciphertexts(results as u64)?;
        let held = self.key_bytes() as u64 + like.bytes() + results as u64;
        let workspace = Packer::bytes(key, samples.min(degree)) as u64;
        let (room, most) = (Room::now(self.memory), useful(threads).min(groups).max(1));
        let fitting = (1..=most).rev().find(|&threads| room.check(held, threads as u64 * workspace).is_ok());
        let threads = fitting.map_or_else(|| room.check(held, workspace).map(|()| 1), Ok)?;
        let groups = (0..groups).map(|_| None).collect();
        let desk = Mutex::new(Desk { source, taken: 0, groups, done: 0, failed: None });
        let work = || {
            let mut packer = Packer::new(key, bits, samples.min(degree));
            while let Some((number, piece)) = Desk::take(&desk, samples, degree) {
                let group = match piece {
                    _ if watch.cancel.is_cancelled() => Err(Error::Cancelled),
                    piece => piece.map(|piece| packer.pack(&piece)),
                };
                let done = Desk::put(&desk, number, group);
                (watch.progress)(done);
            }
        };
        std::thread::scope(|scope| {
            // Where the system starts no more threads, those that there are do the work.
            let started = |_| std::thread::Builder::new().spawn_scoped(scope, work).is_ok();
            let _ = (1..threads).all(started);
            work();
        });
        let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = desk.failed {
            return Err(error);
        }
        let (mut runs, mut bodies) = (Vec::new(), Vec::with_capacity(samples * bits.bodies as usize / 8));
        for (run, bytes) in desk.groups.into_iter().flatten() {
            runs.push(run);
            bodies.extend(bytes);
        }
        let masks = Masks::of(runs, usize::MAX).ok_or(Error::NoValues)?;
        Ok(like.packed(Form::Packed(masks, bits), bodies, InputVariance::of_each(limbs)))
    }
}

/// The state that the threads share.
struct Desk<S> {
    source: S,
    /// Groups that were taken.
    taken: usize,
    groups: Vec<Option<Group>>,
    /// Groups that are packed.
    done: usize,
    failed: Option<Error>,
}

impl<S> Desk<S> {
    fn lock(desk: &Mutex<Self>) -> MutexGuard<'_, Self> {
        desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next group's number and ciphertexts, at most `degree` of `samples`, as long as nothing failed.
    fn take<'a>(desk: &Mutex<Self>, samples: usize, degree: usize) -> Option<(usize, Result<Samples<'a>, Error>)>
    where
        S: Source<'a>,
    {
        let mut desk = Self::lock(desk);
        let number = desk.taken;
        if number == desk.groups.len() || desk.failed.is_some() {
            return None;
        }
        desk.taken += 1;
        let piece = desk.source.next(degree.min(samples - number * degree));
        Some((number, piece))
    }

    /// Keeps a group; which part is done.
    fn put(desk: &Mutex<Self>, number: usize, group: Result<Group, Error>) -> f64 {
        let mut desk = Self::lock(desk);
        match group {
            Ok(group) => {
                desk.groups[number] = Some(group);
                desk.done += 1;
            }
            Err(error) => desk.failed = desk.failed.take().or(Some(error)),
        }
        desk.done as f64 / desk.groups.len() as f64
    }
}

/// Packs up to N' ciphertexts into one, again and again.
struct Packer<'k, W: Word> {
    key: &'k PreparedEvaluationKey<W>,
    bits: Bits,
    /// A ciphertext.
    words: Vec<W>,
    /// Upper words of all.
    tops: Vec<u64>,
    scratch: ScratchBuffer,
}

impl<'k, W: Word> Packer<'k, W> {
    /// Of at most `most` at once.
    fn new(key: &'k PreparedEvaluationKey<W>, bits: Bits, most: usize) -> Self {
        let stride = key.shape().lwe_dimension() + 1;
        let scratch = ScratchBuffer::new(key.extra_scratch_bytes());
        Self { key, bits, words: vec![W::default(); stride], tops: vec![0; most * stride], scratch }
    }

    /// Bytes in memory, with those of the ciphertexts.
    fn bytes(key: &PreparedEvaluationKey<W>, most: usize) -> usize {
        let shape = key.shape();
        let ciphertexts = most * (shape.lwe_dimension() + 1) * (size_of::<W>() + 8);
        // A packed ciphertext, a ciphertext of zeros, and what rounding adds.
        ciphertexts + key.extra_scratch_bytes() + (3 * shape.words() + 2 * shape.degree) * 8
    }

    fn pack(&mut self, piece: &Samples<'_>) -> Group {
        let (shape, params, count) = (self.key.shape(), &self.key.params, piece.count());
        let stride = self.words.len();
        for (i, tops) in self.tops.chunks_exact_mut(stride).take(count).enumerate() {
            piece.piece(i..i + 1).expand_into(&mut self.words);
            tops.iter_mut().zip(&self.words).for_each(|(top, word)| *top = u64::nearest(word.widened()));
        }
        let inputs: Vec<&[u64]> = self.tops.chunks_exact(stride).take(count).collect();
        let mut masks = vec![0; shape.words()];
        self.key.pack_apart_into(&mut masks, &inputs, self.scratch.scratch());
        round_glwe_masks(&mut masks, shape, self.bits.masks, params.glwe_distribution().mean());
        let (apart, mut bodies) = (params.packed_stride(count), Vec::new());
        let of_values = masks[shape.lwe_dimension()..].iter().step_by(apart).take(count);
        of_values.for_each(|&body| self.bits.put_body(body, &mut bodies));
        masks.truncate(shape.lwe_dimension());
        let source = Arc::new(Polynomials { masks, stride: apart });
        (Run { source, first: 0, count: count as u64 }, bodies)
    }
}
