//! From a batch to engine fhew: the ring of a ciphertext of the port is switched ([`bootes_lattice::ring_switch`]), all N
//! coefficients at once, to the ring of the accumulator; of what comes out any is an ordinary input of engine fhew.
//!
//! In a file: the seed of the masks, and the words of the bodies.
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lattice::ring_switch::{RingSwitchKey, SeededRingSwitchKey, SwitchedRing};
use bootes_lattice::wire::{StreamReader, StreamWriter};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::fhew::FhewParams;
use rayon::prelude::*;

use super::ahead::Ahead;
use super::batch::{Batch, ReaderOf, VectorOf};
use super::{How, Owner, Positions, default_set, owner_bytes, read_words, write_words};
use crate::door::error::ConversionError;
use crate::engines::envelope::check_key;
use crate::engines::rlwe_keys::RlweClient;
use crate::engines::{ClientKey, EngineCiphertexts, EngineParams, EngineReader};
use crate::memory::{Room, reserved_as};
use crate::origin::Origin;
use crate::{Error, Interval, Space, fhew};

/// The key, and its expanded form once that was needed.
#[derive(Clone, Debug)]
pub(crate) struct ToSingle<P> {
    pub(super) from: Owner<P>,
    pub(super) to: Owner<fhew::Params>,
    pub(super) key: Arc<SeededRingSwitchKey>,
    expanded: Arc<OnceLock<RingSwitchKey>>,
}

impl<P: Batch> ToSingle<P> {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(super) fn generate(from: &RlweClient<P>, to: &fhew::Client) -> Result<Self, Error> {
        from.params().check_pair(to.params())?;
        let owner = owner_bytes(from.params().fingerprint(), from.key_id());
        let key = to.ring_switch_key(from.keys.key().expose_coefficients(), &owner)?;
        let (from, to) = ((from.params().clone(), from.key_id()), (to.params().clone(), to.key_id()));
        Ok(Self { from, to, key: Arc::new(key), expanded: Arc::default() })
    }

    /// The expanded key, made at the first use.
    pub(super) fn expanded(&self, how: &How) -> Result<&RingSwitchKey, Error> {
        if let Some(key) = self.expanded.get() {
            return Ok(key);
        }
        // Beside itself, the words that it is made of.
        Room::now(None).check(0, 2 * self.key.prepared_bytes() as u64)?;
        let key = how.on_threads(|| Ok(self.key.prepare()?))?;
        Ok(self.expanded.get_or_init(|| key))
    }

    /// As [`variance`], with the sets of the key.
    pub(super) fn variance(&self, error: ErrorBound, space: Space, log2_modulus: u32) -> Result<f64, Error> {
        variance((&self.from.0, error), &self.to.0, space, log2_modulus)
    }

    /// The space of what is converted: messages that are too long for residues of the other set are integers there, as
    /// those are that its client encrypts.
    fn space_of(&self, space: Space) -> Result<Space, Error> {
        match space {
            Space::Modular(p) if space.bits() > self.to.0.bits() && p.is_power_of_two() => {
                Ok(space.as_integers(Interval { min: 0, max: i128::from(p) - 1 })?.of_modulus(p))
            }
            space => Ok(space),
        }
    }

    /// The bound on the noise of converted values of this vector, and whether its ciphertexts are renewed before, as
    /// those are that would be too noisy.
    fn found(&self, x: &VectorOf<P>, space: Space) -> Result<(f64, bool), Error> {
        let found = |is_renewed| {
            let (error, log2_modulus) = self.from.0.port_error(x, is_renewed)?;
            Ok((self.variance(error, space, log2_modulus)?, is_renewed))
        };
        found(false).or_else(|refusal| if P::RENEWS { found(true) } else { Err(refusal) })
    }

    /// What becomes of values like these: no ciphertexts, but what is known of them.
    pub(super) fn head(&self, x: &VectorOf<P>) -> Result<fhew::Ciphertexts, Error> {
        let space = EngineCiphertexts::space(x);
        check_key("ciphertext", [(x.params(), x.key_id()), (&self.from.0, self.from.1)])?;
        check_space(&self.to.0, space)?;
        let (variance, _) = self.found(x, space)?;
        // Values of a ciphertext share the errors of its masks, and may be wanted in any order, or twice.
        let origin = Origin { dependent: true, moved: true, ..P::origin(x) };
        Ok(fhew::Ciphertexts::converted(&self.to.0, self.to.1, self.space_of(space)?, variance, origin))
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(super) fn convert(
        &self,
        x: &VectorOf<P>,
        positions: &Positions<'_>,
        how: &How,
    ) -> Result<fhew::Ciphertexts, Error> {
        let head = self.head(x)?;
        let (mut parts, count) = (P::parts(x).iter(), positions.check(EngineCiphertexts::len(x))?);
        let mut bytes: Vec<u8> = reserved_as(count, fhew::Tops::of(&self.to.0).stride())?;
        let next = || parts.next().ok_or(Error::NoValues);
        let (_, is_renewed) = self.found(x, EngineCiphertexts::space(x))?;
        self.each_chunk((positions, count), (size_of::<&P::Part>(), is_renewed), how, next, |chunk| {
            bytes.extend_from_slice(&chunk);
            Ok(())
        })?;
        Ok(head.with_words(bytes))
    }

    /// The same of what is read, to `out`.
    pub(super) fn convert_to<R: Read, W: Write>(
        &self,
        mut x: ReaderOf<P, R>,
        positions: &Positions<'_>,
        out: W,
        how: &How,
    ) -> Result<W, Error> {
        let (head, count) = (self.head(x.head())?, positions.check(x.len())?);
        self.from.0.check_ready(how)?;
        let mut out = fhew::CiphertextWriter::new(out, &head, count)?;
        let bytes = self.from.0.part_bytes(x.head());
        let (_, is_renewed) = self.found(x.head(), EngineCiphertexts::space(x.head()))?;
        let next = || P::next_part(&mut x);
        self.each_chunk((positions, count), (bytes, is_renewed), how, next, |chunk| {
            out.put_all(head.clone().with_words(chunk).samples())
        })?;
        x.finish()?;
        out.finish()
    }

    /// Hands the words of the samples of these values to `put`, a chunk after the other; ciphertexts come from `next`,
    /// of so many bytes each, and are renewed or not.
    fn each_chunk<T: Borrow<P::Part> + Send + Sync>(
        &self,
        (positions, count): (&Positions<'_>, usize),
        (bytes, is_renewed): (usize, bool),
        how: &How,
        mut next: impl FnMut() -> Result<T, Error>,
        mut put: impl FnMut(Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let from = &self.from.0;
        from.check_ready(how)?;
        let (n, key, tops) = (from.capacity(), self.expanded(how)?, fhew::Tops::of(&self.to.0));
        let mut ahead = Ahead::new(positions, n, bytes, AT_ONCE);
        // The ring of the ciphertext that a chunk ended with, which the next one may go on with.
        let mut last: Option<(usize, SwitchedRing<'_>)> = None;
        for (chunk, start) in (0..count).step_by(AT_ONCE).enumerate() {
            let values = start..count.min(start + AT_ONCE);
            ahead.fetch(chunk, values.clone().map(|i| positions.of(i) / n), &mut next)?;
            let mut words: Vec<u8> = reserved_as(values.len(), tops.stride())?;
            words.resize(values.len() * tops.stride(), 0);
            // Those of each ciphertext, with the room for them.
            let mut wanted: BTreeMap<usize, Vec<(usize, &mut [u8])>> = BTreeMap::new();
            for (i, out) in values.clone().zip(words.chunks_exact_mut(tops.stride())) {
                let position = positions.of(i);
                wanted.entry(position / n).or_default().push((from.coefficient(position % n)?, out));
            }
            last = how.on_threads(|| {
                for (part, samples) in wanted {
                    how.check()?;
                    let switched = match last.take() {
                        Some((number, switched)) if number == part => switched,
                        _ => key.switch(&*from.port(ahead.get(part).borrow(), is_renewed, how)?)?,
                    };
                    put_samples(key, &switched, samples, tops)?;
                    last = Some((part, switched));
                }
                Ok(last)
            })?;
            put(words)?;
            how.tell(values.end as f64 / count as f64);
        }
        Ok(())
    }

    /// Memory of so many results, in words for mask and body.
    pub(super) fn result_bytes(&self, count: usize) -> u64 {
        fhew::Tops::of(&self.to.0).stride() as u64 * count as u64
    }

    /// Bytes of seed and words.
    pub(super) fn key_bytes(&self) -> u64 {
        (size_of::<MaskSeed>() + size_of_val(self.key.bodies())) as u64
    }

    pub(super) fn write<W: Write>(&self, mut out: StreamWriter<W>) -> Result<StreamWriter<W>, Error> {
        out.raw(&self.key.mask_seed().to_bytes())?;
        write_words(&mut out, self.key.bodies())?;
        Ok(out)
    }

    pub(super) fn read<R: Read>(
        (from, to): (Owner<P>, Owner<fhew::Params>),
        memory: Option<u64>,
        input: &mut StreamReader<R>,
    ) -> Result<Self, Error> {
        from.0.check_pair(&to.0)?;
        let mask_seed = MaskSeed::from_bytes(input.array()?);
        let (degree, gadget) = (from.0.scheme().degree(), to.0.ring_switch_gadget());
        let count = SeededRingSwitchKey::body_words(degree, gadget);
        input.expect_left((count * size_of::<u64>()) as u64)?;
        Room::check_read(memory, input.remaining())?;
        let bodies = read_words(input, count)?;
        let key = SeededRingSwitchKey::from_parts(degree, to.0.shape(), gadget, mask_seed, bodies)?;
        Ok(Self { from, to, key: Arc::new(key), expanded: Arc::default() })
    }
}

/// The bound on the noise of values with such an error that are converted, if they keep the promise.
///
/// A bias b, at most, counts as the variance 2·b·w/x², where w is half a step and x the standard deviations that the
/// promise needs. For v + that of any sum with another variance, t = w/√(v + 2bw/x²) standard deviations are at least
/// x, and (w − b)² ≥ w² − 2bw·t²/x² = v·t²: so the failure of w is at least that of w − b with the variance v alone.
pub(super) fn variance<P: Batch>(
    (from, error): (&P, ErrorBound),
    to: &FhewParams,
    space: Space,
    log2_modulus: u32,
) -> Result<f64, Error> {
    let (window, scheme) = (space.half_step(), from.scheme());
    let variance = |set: &FhewParams| {
        error.noise.at(scheme.max_slot_value())
            + 2.0 * error.bias * window / sigmas_for(set.log2_p_fail()).powi(2)
            + set.ring_switch_variance(scheme.degree(), scheme.mean_weight() as usize, log2_modulus)
    };
    let found = |set: &FhewParams| log2_failure(window, variance(set).sqrt());
    if found(to) <= to.log2_p_fail() {
        return Ok(variance(to));
    }
    // The bias counts for more where less is promised.
    let set = default_set(|set| set.space_bits() >= space.bits() && found(set) <= set.log2_p_fail());
    let (found, promised) = (found(to), to.log2_p_fail());
    Err(ConversionError::Noise { params: to.name().into(), found, promised, set }.into())
}

/// Refuses values that a set has not in one ciphertext, and residues that it has no tables of: those modulo a power of
/// two are integers there.
pub(super) fn check_space(to: &FhewParams, space: Space) -> Result<(), Error> {
    let most_of = |set: &FhewParams| match space {
        Space::Modular(p) if !p.is_power_of_two() => set.bits(),
        _ => set.space_bits(),
    };
    if space.limbs() == 1 && space.bits() <= most_of(to) {
        return Ok(());
    }
    let fits = |set: &FhewParams| most_of(set) >= space.bits() && set.log2_p_fail() <= to.log2_p_fail();
    let set = if space.limbs() == 1 { default_set(fits) } else { None };
    Err(ConversionError::Space { space, params: to.name().into(), most: most_of(to), set }.into())
}

/// Values whose samples are made together: 16 megabytes and more.
pub(super) const AT_ONCE: usize = 1 << 10;

/// Writes the samples of these coefficients of a ciphertext whose ring was switched.
fn put_samples(
    key: &RingSwitchKey,
    switched: &SwitchedRing<'_>,
    samples: Vec<(usize, &mut [u8])>,
    tops: fhew::Tops,
) -> Result<(), Error> {
    let shape = key.shape();
    let mut of_classes: BTreeMap<usize, Vec<(usize, &mut [u8])>> = BTreeMap::new();
    for (coefficient, out) in samples {
        let (class, place) = (coefficient % key.classes(), coefficient / key.classes());
        of_classes.entry(class).or_default().push((place, out));
    }
    of_classes.into_par_iter().try_for_each(|(class, samples)| {
        let mut words = reserved_as(shape.words(), 1)?;
        words.resize(shape.words(), 0);
        switched.part_into(&mut words, class);
        let mut sample = vec![0; shape.lwe_dimension() + 1];
        for (place, out) in samples {
            sample_extract_into(&mut sample, &words, shape, place);
            tops.put(&sample, out);
        }
        Ok(())
    })
}
