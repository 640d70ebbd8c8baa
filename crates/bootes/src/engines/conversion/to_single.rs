//! From engine ckks to engine fhew: the ciphertext's ring is switched ([`bootes_lattice::ring_switch`]), all N values
//! at once, to the ring of the accumulator; of what comes out any coefficient is an ordinary input of engine fhew.
//!
//! In a file: the seed of the masks, and the words of the bodies.
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::ring_switch::{RingSwitchKey, SeededRingSwitchKey};
use bootes_lattice::wire::{StreamReader, StreamWriter};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::fhew::FhewParams;
use rayon::prelude::*;

use super::{Owner, Positions, default_set, owner_bytes, read_target, read_words, write_words};
use crate::door::error::ConversionError;
use crate::engines::envelope::check_key;
use crate::engines::{ClientKey, EngineCiphertexts, EngineParams};
use crate::memory::{Room, reserved_as};
use crate::origin::Origin;
use crate::threads::on_all_threads;
use crate::{Error, Space, ckks, fhew};

/// The key, and its expanded form once that was needed.
#[derive(Clone, Debug)]
pub(crate) struct ToSingle {
    pub(super) from: Owner<ckks::Params>,
    pub(super) to: Owner<fhew::Params>,
    pub(super) key: Arc<SeededRingSwitchKey>,
    expanded: Arc<OnceLock<RingSwitchKey>>,
}

impl ToSingle {
    /// The key by which a server makes ciphertexts of `from` ones of `to`.
    pub(super) fn generate(from: &ckks::Client, to: &fhew::Client) -> Result<Self, Error> {
        let owner = owner_bytes(from.params().fingerprint(), from.key_id());
        let key = to.ring_switch_key(from.keys.key().expose_coefficients(), &owner)?;
        let (from, to) = ((from.params().clone(), from.key_id()), (to.params().clone(), to.key_id()));
        Ok(Self { from, to, key: Arc::new(key), expanded: Arc::default() })
    }

    /// The expanded key, made at the first use.
    pub(super) fn expanded(&self) -> Result<&RingSwitchKey, Error> {
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
    /// A bias b, at most, counts as the variance 2·b·w/x², where w is half a step and x the standard deviations that
    /// the promise needs. For v + that of any sum with another variance, t = w/√(v + 2bw/x²) standard deviations are at
    /// least x, and (w − b)² ≥ w² − 2bw·t²/x² = v·t²: so the failure of w is at least that of w − b with the variance v
    /// alone.
    pub(super) fn variance(&self, error: ErrorBound, space: Space, log2_modulus: u32) -> Result<f64, Error> {
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
    pub(super) fn convert(&self, x: &ckks::Ciphertexts, positions: &Positions<'_>) -> Result<fhew::Ciphertexts, Error> {
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

    /// Memory of so many results, as they are made and as they are gathered: words for mask and body twice.
    pub(super) fn result_bytes(&self, count: usize) -> u64 {
        (size_of::<u64>() * self.to.0.shape().words()) as u64 * count as u64
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
        from: Owner<ckks::Params>,
        memory: Option<u64>,
        input: &mut StreamReader<R>,
    ) -> Result<Self, Error> {
        let to: Owner<fhew::Params> = read_target(input)?;
        let mask_seed = MaskSeed::from_bytes(input.array()?);
        let (degree, gadget) = (from.0.capacity(), to.0.ring_switch_gadget());
        let count = SeededRingSwitchKey::body_words(degree, gadget);
        input.expect_left((count * size_of::<u64>()) as u64)?;
        Room::check_read(memory, input.remaining())?;
        let bodies = read_words(input, count)?;
        let key = SeededRingSwitchKey::from_parts(degree, to.0.shape(), gadget, mask_seed, bodies)?;
        Ok(Self { from, to, key: Arc::new(key), expanded: Arc::default() })
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
