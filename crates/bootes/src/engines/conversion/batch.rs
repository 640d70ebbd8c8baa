//! What both engines of batches have in common for conversions: ciphertexts of the port, with a value at a coefficient
//! of each.
use std::borrow::Cow;
use std::io::Read;

use bootes_lattice::noise::failure::over_keys::counted;
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_ring::poly::Limbs;
use bootes_schemes::bfv::BfvCiphertext;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::fhew::FhewParams;

use super::{How, to_batch};
use crate::door::error::ConversionError;
use crate::engines::blocks::{Vector, VectorReader};
use crate::engines::rlwe_keys::{RlweClient, RlweParams};
use crate::engines::{Bfv, Ckks, Engine, EngineCiphertexts, EngineParams};
use crate::origin::{Origin, identify};
use crate::{BfvError, Error, Load, Lut, Space, SpaceError, bfv, ckks, fhew};

/// A set whose ciphertexts have many values.
pub(crate) trait Batch: RlweParams {
    type Of: Engine<Params = Self, Client = RlweClient<Self>, Ciphertexts: Vector>;
    /// A ciphertext.
    type Part: Send + Sync;
    /// What is known of results.
    type Bound: Copy + Send + Sync;
    /// Whether a ciphertext that is too noisy is bootstrapped before.
    const RENEWS: bool = false;

    /// Refuses sets between which nothing is converted.
    fn check_pair(&self, _single: &FhewParams) -> Result<(), Error> {
        Ok(())
    }

    /// Refuses to begin without what it takes.
    fn check_ready(&self, _how: &How) -> Result<(), Error> {
        Ok(())
    }

    /// The coefficient of a value of a ciphertext.
    fn coefficient(&self, value: usize) -> Result<usize, Error>;

    /// The bound on the noise of a vector in the port, renewed before or as it is, and log2 of its modulus.
    fn port_error(&self, x: &VectorOf<Self>, is_renewed: bool) -> Result<(ErrorBound, u32), Error>;

    /// Where noise of values of this vector comes from.
    fn origin(x: &VectorOf<Self>) -> Origin;

    fn parts(x: &VectorOf<Self>) -> &[Self::Part];

    /// Bytes of a ciphertext of such a vector.
    fn part_bytes(&self, x: &VectorOf<Self>) -> usize;

    fn next_part<R: Read>(reader: &mut ReaderOf<Self, R>) -> Result<Self::Part, Error>;

    /// A ciphertext in the port, renewed before or as it is.
    fn port<'a>(&self, part: &'a Self::Part, is_renewed: bool, how: &How) -> Result<Cow<'a, RlweCiphertext>, Error>;

    /// What becomes of single values like these: its bound, how it stands in the port, and its space.
    ///
    /// # Errors
    /// What the set does not hold; noise that would break its promise.
    fn bound(&self, from: &fhew::Params, x: &fhew::Ciphertexts) -> Result<(Self::Bound, RlweEncoding, Space), Error>;

    /// A ciphertext of the port as one of the engine.
    fn accept(&self, x: RlweCiphertext, bound: Self::Bound, how: &How) -> Result<Self::Part, Error>;

    /// Bytes of a ciphertext that comes out.
    fn result_bytes(&self) -> usize;

    /// A vector of so many values, or a piece of it.
    fn vector(
        owner: (&Self, [u8; 16]),
        space: Space,
        parts: (usize, Vec<Self::Part>),
        bound: Self::Bound,
        origin: &Origin,
    ) -> VectorOf<Self>;

    /// A vector of which nothing is there but what is known of it.
    fn vector_head(
        owner: (&Self, [u8; 16]),
        of: (Space, RlweEncoding),
        bound: Self::Bound,
        origin: &Origin,
    ) -> Result<VectorOf<Self>, Error>;
}

/// The vectors of a set's engine.
pub(crate) type VectorOf<P> = <<P as Batch>::Of as Engine>::Ciphertexts;

/// Those that are read.
pub(crate) type ReaderOf<P, R> = <<P as Batch>::Of as Engine>::Reader<R>;

/// The variance of values of single ciphertexts that are packed and merged, at most: that of engine fhew is the mean
/// over keys.
pub(super) fn merged_variance<P: Batch>(from: &FhewParams, to: &P, variance: f64) -> f64 {
    let scheme = to.scheme();
    let (ring, weight, errors) = (scheme.ring(), scheme.mean_weight() as usize, scheme.errors());
    let moduli = [2, 1].map(|count| ring.log2(Limbs::chain(count)));
    let merged = from.ring_merge_variance(scheme.degree(), weight, errors.std * errors.factor as f64, moduli);
    counted(variance + from.merge_packing_variance()) + counted(merged)
}

impl Batch for ckks::Params {
    type Of = Ckks;
    type Part = RlweCiphertext;
    type Bound = ErrorBound;

    fn coefficient(&self, value: usize) -> Result<usize, Error> {
        Ok(value)
    }

    fn port_error(&self, x: &ckks::Ciphertexts, _is_renewed: bool) -> Result<(ErrorBound, u32), Error> {
        Ok((x.error(), x.log2_modulus()))
    }

    fn origin(x: &ckks::Ciphertexts) -> Origin {
        x.origin().clone()
    }

    fn parts(x: &ckks::Ciphertexts) -> &[RlweCiphertext] {
        x.parts()
    }

    fn part_bytes(&self, _x: &ckks::Ciphertexts) -> usize {
        2 * size_of::<u64>() * self.capacity()
    }

    fn next_part<R: Read>(reader: &mut ckks::CiphertextReader<R>) -> Result<RlweCiphertext, Error> {
        reader.next_parts(1)?.pop().ok_or(Error::NoValues)
    }

    fn port<'a>(
        &self,
        part: &'a RlweCiphertext,
        _is_renewed: bool,
        _how: &How,
    ) -> Result<Cow<'a, RlweCiphertext>, Error> {
        Ok(Cow::Borrowed(part))
    }

    fn bound(&self, from: &fhew::Params, x: &fhew::Ciphertexts) -> Result<(ErrorBound, RlweEncoding, Space), Error> {
        // Residues that are kept as integers modulo as many are residues here, where there are such. Integers stay
        // integers.
        let residues = residues(x.space()).map(Space::Modular).filter(|&residues| ckks::holds(self, residues));
        let space = residues.unwrap_or(x.space().kept());
        to_batch::check_space(self, space)?;
        if let (Some(modulus), Some(_)) = (x.space().modulus(), space.integers()) {
            x.space().check_reduced()?;
            return Err(SpaceError::Kept { space: x.space(), modulus }.into());
        }
        let log2_modulus = ckks::log2_modulus_of(self, space);
        let error = to_batch::error(from, self, x.noise_variance(), log2_modulus);
        to_batch::check_promise(from, self, error, space)?;
        Ok((error, RlweEncoding::new(space.moduli()[0], log2_modulus)?, space))
    }

    fn accept(&self, x: RlweCiphertext, _error: ErrorBound, _how: &How) -> Result<RlweCiphertext, Error> {
        Ok(x)
    }

    fn result_bytes(&self) -> usize {
        2 * size_of::<u64>() * self.capacity()
    }

    fn vector(
        owner: (&Self, [u8; 16]),
        space: Space,
        parts: (usize, Vec<RlweCiphertext>),
        error: ErrorBound,
        origin: &Origin,
    ) -> ckks::Ciphertexts {
        ckks::Ciphertexts::converted(owner, space, parts, error, origin)
    }

    fn vector_head(
        owner: (&Self, [u8; 16]),
        (space, encoding): (Space, RlweEncoding),
        error: ErrorBound,
        origin: &Origin,
    ) -> Result<ckks::Ciphertexts, Error> {
        let space = (space, encoding.log2_modulus());
        ckks::Ciphertexts::head(owner, space, error, Origin::of(origin.lineage.clone()))
    }
}

/// p of residues that are kept modulo p.
fn residues(space: Space) -> Option<u64> {
    space.modulus().filter(|&p| space.moduli() == [p])
}

/// Values are in slots: half of a bootstrapping moves them to coefficients, and the other half back.
impl Batch for bfv::Params {
    type Of = Bfv;
    type Part = BfvCiphertext;
    /// The variance of values in the port, in turns.
    type Bound = f64;
    const RENEWS: bool = true;

    fn check_pair(&self, single: &FhewParams) -> Result<(), Error> {
        let (modulus, params) = (self.modulus(), self.name().to_string());
        let most = FhewParams::all().iter().filter(|set| set.is_default()).map(FhewParams::bits).max().unwrap_or(0);
        if modulus > 1 << most {
            return Err(ConversionError::Modulus { modulus, params, most: 1 << most }.into());
        }
        if self.depth().is_some() {
            let set = self.bootstrapped();
            return Err(ConversionError::Unbootstrapped { params, set }.into());
        }
        // A set that is named has to do, too.
        let found = super::to_single::check_space(single, Space::Modular(modulus));
        let named = match &found {
            Err(Error::Conversion(ConversionError::Space { set: Some(set), .. })) => FhewParams::by_name(set).ok(),
            _ => None,
        };
        let fits = |set: &FhewParams| set.shape().degree <= self.degree();
        if let Some(set) = self.bootstrapped().filter(|_| !fits(single) || !named.as_ref().is_none_or(fits)) {
            let (single, set) = (single.name().into(), set.trim_start_matches("toy_").into());
            return Err(ConversionError::Rings { params, single, set }.into());
        }
        found
    }

    fn check_ready(&self, how: &How) -> Result<(), Error> {
        how.server(self)?.check_conversion()
    }

    fn coefficient(&self, value: usize) -> Result<usize, Error> {
        Ok(maps(self)?.coefficient(value))
    }

    fn port_error(&self, x: &bfv::Ciphertexts, is_renewed: bool) -> Result<(ErrorBound, u32), Error> {
        let (maps, state) = (maps(self)?, x.state());
        let size = maps.port_size(if is_renewed { maps.check(state)?.result } else { state })?;
        // What bounds all coefficients is a bias.
        let bias = size.worst.exp2() / self.prime(0);
        let rounding = SlotNoise::flat(port_rounding(self));
        Ok((ErrorBound { bias, noise: rounding }, bfv::PORT_LOG2_MODULUS))
    }

    /// All that is of one key counts as one noise: vectors tell nothing of what they have in common.
    fn origin(x: &bfv::Ciphertexts) -> Origin {
        let words = x.key_id().as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect::<Vec<_>>();
        Origin::new(identify(words))
    }

    fn parts(x: &bfv::Ciphertexts) -> &[BfvCiphertext] {
        x.parts()
    }

    fn part_bytes(&self, x: &bfv::Ciphertexts) -> usize {
        bfv::part_bytes(self, x.state().level)
    }

    fn next_part<R: Read>(reader: &mut bfv::CiphertextReader<R>) -> Result<BfvCiphertext, Error> {
        VectorReader::next(reader)?.into_parts().pop().ok_or(Error::NoValues)
    }

    fn port<'a>(&self, part: &'a BfvCiphertext, is_renewed: bool, how: &How) -> Result<Cow<'a, RlweCiphertext>, Error> {
        let (maps, evaluator) = (maps(self)?, how.server(self)?.evaluator_until(&how.cancel));
        Ok(Cow::Owned(match is_renewed {
            true => maps.to_port(&evaluator, &maps.bootstrap(&evaluator, part)?)?,
            false => maps.to_port(&evaluator, part)?,
        }))
    }

    fn bound(&self, from: &fhew::Params, x: &fhew::Ciphertexts) -> Result<(f64, RlweEncoding, Space), Error> {
        let (space, expected, params) = (x.space(), self.modulus(), self.name().to_string());
        match residues(space) {
            Some(p) if p == expected => {}
            Some(found) => return Err(BfvError::Modulus { found, expected, params }.into()),
            None => {
                space.check_reduced()?;
                return Err(ConversionError::Integers { space, expected, params }.into());
            }
        }
        let (variance, found) = in_port(from, self, x.noise_variance())?;
        if found > bfv::LOG2_P_FAIL {
            let single = from.name().to_string();
            let set = set_with_results(from, self)?;
            return Err(ConversionError::Digit { params, found, promised: bfv::LOG2_P_FAIL, single, set }.into());
        }
        Ok((variance, RlweEncoding::new(expected, bfv::PORT_LOG2_MODULUS)?, Space::Modular(expected)))
    }

    fn accept(&self, x: RlweCiphertext, variance: f64, how: &How) -> Result<BfvCiphertext, Error> {
        Ok(maps(self)?.from_port(&how.server(self)?.evaluator_until(&how.cancel), &x, variance)?)
    }

    fn result_bytes(&self) -> usize {
        bfv::part_bytes(self, self.max_level())
    }

    fn vector(
        (params, _): (&Self, [u8; 16]),
        _space: Space,
        (len, parts): (usize, Vec<BfvCiphertext>),
        _variance: f64,
        _origin: &Origin,
    ) -> bfv::Ciphertexts {
        bfv::Ciphertexts::new(params, len, parts)
    }

    fn vector_head(
        (params, key_id): (&Self, [u8; 16]),
        _of: (Space, RlweEncoding),
        variance: f64,
        _origin: &Origin,
    ) -> Result<bfv::Ciphertexts, Error> {
        let state = maps(params)?.predict_port(variance)?.result;
        Ok(bfv::Ciphertexts::head(params, key_id, 1, (state, false)))
    }
}

/// The variance in the port of single values of this variance, and log2 of the probability with which a vector of them
/// is wrong.
fn in_port(from: &FhewParams, to: &bfv::Params, variance: f64) -> Result<(f64, f64), Error> {
    let variance = merged_variance(from, to, variance) + port_rounding(to);
    Ok((variance, maps(to)?.predict_port(variance)?.log2_failure.min(0.0)))
}

/// The set whose results of tables have little enough noise: this one, or a default set.
fn set_with_results(from: &fhew::Params, to: &bfv::Params) -> Result<Option<String>, Error> {
    let identity = Lut::modular((0..to.modulus()).collect(), to.modulus())?;
    let has = |set: &fhew::Params| {
        let std = set.predict(&identity, &Load::of(1)).ok().and_then(|prediction| prediction.output_std);
        let failure = std.and_then(|std| in_port(set, to, std * std).ok());
        failure.is_some_and(|(_, found)| found <= bfv::LOG2_P_FAIL)
    };
    if has(from) {
        return Ok(Some(from.name().into()));
    }
    let holds = |set: &&FhewParams| set.is_default() && to.modulus() <= 1 << set.bits();
    let mut sets = FhewParams::all().iter().filter(holds).filter_map(|set| fhew::Params::by_name(set.name()).ok());
    Ok(sets.find(has).map(|set| set.name().into()))
}

/// The variance of rounding to the modulus of the port, in turns.
fn port_rounding(params: &bfv::Params) -> f64 {
    let one = (-2.0 * f64::from(bfv::PORT_LOG2_MODULUS)).exp2();
    bootes_lattice::port::switch_variance(0.0, 0.0, params.mean_weight() as usize) * one
}

/// The maps of bootstrapping, which sets that are converted have.
fn maps(params: &bfv::Params) -> Result<&bootes_lut::bfv::SlimBootstrap, Error> {
    let none = || ConversionError::Unbootstrapped { params: params.name().into(), set: None };
    Ok(params.bootstrap()?.ok_or_else(none)?)
}
