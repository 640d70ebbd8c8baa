//! Conversions: ciphertexts of a client of one engine become those of a client of another, with a key that is made by
//! who has both.
//!
//! In a file, behind the set that is converted from: the set that is converted to, its fingerprint and the identifier
//! of its key; the seed of the masks; and the words of the bodies.
//!
//! From engine ckks to engine fhew: the ciphertext's ring is switched ([`bootes_lattice::ring_switch`]), all N values at
//! once, to the ring of the accumulator; of what comes out any coefficient is an ordinary input of engine fhew.
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::ring_switch::{RingSwitchKey, SeededRingSwitchKey};
use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::fhew::FhewParams;
use rayon::prelude::*;

use super::envelope::{begin, check_key, name_bytes, parameters};
use super::{ClientKey, EngineCiphertexts, EngineParams, Stored};
use crate::door::error::ConversionError;
use crate::memory::{Room, reserved_as};
use crate::names::stream_name;
use crate::origin::Origin;
use crate::threads::on_all_threads;
use crate::{Error, Space, ckks, fhew};

/// The version of files that has these.
const VERSION: u16 = 13;

/// A set and a key of it.
type Owner<P> = (P, [u8; 16]);

/// The key from a client of engine ckks to one of engine fhew, and its expanded form once that was needed.
#[derive(Clone, Debug)]
pub(crate) struct ConversionKey {
    from: Owner<ckks::Params>,
    to: Owner<fhew::Params>,
    key: Arc<SeededRingSwitchKey>,
    expanded: Arc<OnceLock<RingSwitchKey>>,
}

/// Values of a vector, in the order in which they are wanted.
pub(crate) enum Positions<'a> {
    All,
    These(&'a [usize]),
}

impl Positions<'_> {
    /// How many.
    fn count(&self, len: usize) -> usize {
        match self {
            Self::All => len,
            Self::These(positions) => positions.len(),
        }
    }

    fn of(&self, i: usize) -> usize {
        match self {
            Self::All => i,
            Self::These(positions) => positions[i],
        }
    }

    /// Refuses what there is not.
    fn check(&self, len: usize) -> Result<(), Error> {
        let Self::These(positions) = self else { return Ok(()) };
        match positions.iter().position(|&position| position >= len) {
            Some(index) => Err(ConversionError::Position { index, position: positions[index], len }.into()),
            None => Ok(()),
        }
    }
}

impl ConversionKey {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(crate) fn generate(from: &ckks::Client, to: &fhew::Client) -> Result<Self, Error> {
        let owner = (from.params().fingerprint(), from.key_id());
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&owner.0);
        bytes[16..].copy_from_slice(&owner.1);
        let key = to.ring_switch_key(from.keys.key().expose_coefficients(), &bytes)?;
        let (from, to) = ((from.params().clone(), from.key_id()), (to.params().clone(), to.key_id()));
        Ok(Self { from, to, key: Arc::new(key), expanded: Arc::default() })
    }

    pub(crate) fn source(&self) -> &Owner<ckks::Params> {
        &self.from
    }

    pub(crate) fn target(&self) -> &Owner<fhew::Params> {
        &self.to
    }

    /// The expanded key, made at the first use.
    fn expanded(&self) -> Result<&RingSwitchKey, Error> {
        if let Some(key) = self.expanded.get() {
            return Ok(key);
        }
        // Beside itself, the words that it is made of.
        Room::now(None).check(0, 2 * self.key.prepared_bytes() as u64)?;
        let key = on_all_threads(|| Ok(self.key.prepare()?))?;
        Ok(self.expanded.get_or_init(|| key))
    }

    /// The bound on the noise of values with such an error that are converted, if they keep the promise.
    ///
    /// A bias b, at most, counts as the variance 2·b·w/x², where w is half a step and x the standard deviations that the
    /// promise needs. For v + that of any sum with another variance, t = w/√(v + 2bw/x²) standard deviations are at least
    /// x, and (w − b)² ≥ w² − 2bw·t²/x² = v·t²: so the failure of w is at least that of w − b with the variance v alone.
    fn variance(&self, error: ErrorBound, space: Space, log2_modulus: u32) -> Result<f64, Error> {
        let (from, to) = (&self.from.0, &self.to.0);
        let (window, sigmas) = (space.half_step(), sigmas_for(to.log2_p_fail()));
        let weight = from.literal().weight as usize;
        let variance = error.noise.at(from.ckks().max_slot_value())
            + 2.0 * error.bias * window / (sigmas * sigmas)
            + to.ring_switch_variance(from.capacity(), weight, log2_modulus);
        let failure = |set: &FhewParams| log2_failure(window, variance.sqrt()) <= set.log2_p_fail();
        if failure(to) {
            return Ok(variance);
        }
        let (found, promised) = (log2_failure(window, variance.sqrt()), to.log2_p_fail());
        let set = default_set(|set| set.space_bits() >= space.bits() && failure(set));
        Err(ConversionError::Noise { params: to.name().into(), found, promised, set }.into())
    }

    /// Refuses values that the other set has not in one ciphertext.
    fn check_space(&self, space: Space) -> Result<(), Error> {
        let (to, most) = (&self.to.0, self.to.0.space_bits());
        if space.limbs() == 1 && space.bits() <= most {
            return Ok(());
        }
        let fits = |set: &FhewParams| set.space_bits() >= space.bits() && set.log2_p_fail() <= to.log2_p_fail();
        let set = if space.limbs() == 1 { default_set(fits) } else { None };
        Err(ConversionError::Space { space, params: to.name().into(), most, set }.into())
    }

    /// Values of a vector as ciphertexts of the other client.
    pub(crate) fn convert(&self, x: &ckks::Ciphertexts, positions: &Positions<'_>) -> Result<fhew::Ciphertexts, Error> {
        check_key("ciphertext", [x.owner(), (&self.from.0, self.from.1)])?;
        self.check_space(x.space())?;
        positions.check(x.len())?;
        let variance = self.variance(x.error(), x.space(), x.log2_modulus())?;
        // Values of a ciphertext share the errors of its masks, and may be wanted in any order, or twice.
        let origin = Origin { dependent: true, moved: true, ..x.origin().clone() };
        let (to, n) = (&self.to, self.from.0.capacity());
        let (count, key) = (positions.count(x.len()), self.expanded()?);
        let mut gathered = fhew::Gathered::new(&to.0, count)?;
        // Those of each ciphertext.
        let mut wanted: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        (0..count).for_each(|i| wanted.entry(positions.of(i) / n).or_default().push(i));
        on_all_threads(|| {
            for (part, numbers) in wanted {
                let parts = Parts::of(key, &x.parts()[part], numbers.iter().map(|&i| positions.of(i) % n))?;
                numbers.into_iter().for_each(|i| parts.sample(positions.of(i) % n, |sample| gathered.put(i, sample)));
            }
            Ok(())
        })?;
        Ok(gathered.ciphertexts(&to.0, to.1, x.space(), variance, origin))
    }

    /// Bytes of a file behind the name of the first set.
    fn payload_bytes(&self) -> u64 {
        let words = size_of_val(self.key.bodies());
        name_bytes(&self.to.0) + (2 * 16 + size_of::<MaskSeed>() + words) as u64
    }
}

/// A ciphertext whose ring was switched: the parts of it that hold what is wanted.
struct Parts {
    shape: GlweShape,
    all: Vec<Option<Vec<u64>>>,
}

impl Parts {
    /// Those of these coefficients.
    fn of(
        key: &RingSwitchKey,
        input: &RlweCiphertext,
        coefficients: impl Iterator<Item = usize>,
    ) -> Result<Self, Error> {
        let (shape, switched) = (key.shape(), key.switch(input)?);
        let mut wanted = vec![false; key.classes()];
        coefficients.for_each(|i| wanted[i % key.classes()] = true);
        let make = |(class, is_wanted)| {
            let mut words = reserved_as(if is_wanted { shape.words() } else { 0 }, 1)?;
            if is_wanted {
                words.resize(shape.words(), 0);
                switched.part_into(&mut words, class);
            }
            Ok(is_wanted.then_some(words))
        };
        let all = wanted.into_par_iter().enumerate().map(make).collect::<Result<_, Error>>()?;
        Ok(Self { shape, all })
    }

    /// Hands a coefficient's sample to `take`.
    fn sample(&self, coefficient: usize, take: impl FnOnce(&[u64])) {
        let (class, place) = (coefficient % self.all.len(), coefficient / self.all.len());
        let Some(words) = &self.all[class] else { return };
        let mut sample = vec![0; self.shape.lwe_dimension() + 1];
        sample_extract_into(&mut sample, words, self.shape, place);
        take(&sample);
    }
}

/// The first default set of engine fhew that is so.
fn default_set(is: impl Fn(&FhewParams) -> bool) -> Option<String> {
    let mut sets = FhewParams::all().iter().filter(|set| set.is_default());
    sets.find(|set| is(set)).map(|set| set.name().into())
}

impl Stored for ConversionKey {
    const KIND: ObjectKind = ObjectKind::ConversionKey;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.from.0) + self.payload_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let (from, to) = (&self.from, &self.to);
        let mut out = begin::<Self, _>(out, VERSION, (&from.0, from.1), self.payload_bytes())?;
        out.bytes(to.0.name().as_bytes())?;
        out.raw(&to.0.fingerprint())?;
        out.raw(&to.1)?;
        out.raw(&self.key.mask_seed().to_bytes())?;
        for words in self.key.bodies().chunks(TOGETHER) {
            out.raw(words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>().as_slice())?;
        }
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let what = "conversion key";
        let mut input = StreamReader::new(input, Self::KIND)?;
        let from: ckks::Params = parameters(&mut input, what)?;
        let to = fhew::Params::named(&stream_name(&mut input)?)?;
        let (found, expected) = (input.array()?, to.fingerprint());
        if found != expected {
            return Err(Error::changed_params(what, to.name(), [&found, &expected]));
        }
        let ids = (input.header().key_id, input.array()?);
        let mask_seed = MaskSeed::from_bytes(input.array()?);
        let (degree, gadget) = (from.capacity(), to.ring_switch_gadget());
        let count = SeededRingSwitchKey::body_words(degree, gadget);
        input.expect_left((count * size_of::<u64>()) as u64)?;
        Room::check_read(memory, input.remaining())?;
        let mut bodies: Vec<u64> = reserved_as(count, 1)?;
        let mut bytes = vec![0; TOGETHER.min(count) * size_of::<u64>()];
        while bodies.len() < count {
            let bytes = &mut bytes[..TOGETHER.min(count - bodies.len()) * size_of::<u64>()];
            input.raw_into(bytes)?;
            bodies.extend(bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
        }
        let key = SeededRingSwitchKey::from_parts(degree, to.shape(), gadget, mask_seed, bodies)?;
        input.finish()?;
        from.keep();
        Ok(Self { from: (from, ids.0), to: (to, ids.1), key: Arc::new(key), expanded: Arc::default() })
    }
}

/// Words that are converted together.
const TOGETHER: usize = 1 << 13;

#[cfg(test)]
mod tests;
