//! Parameter sets: an unchecked literal, checked once, then immutable and cheap to clone. Named sets are data
//! (`data/*.toml`), the defaults found by the parameter search of `bootes-bench`.
use super::extra_keys::KeyNeeds;
use crate::class::SetClass;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{
    self, BlindRotation, FactorVariance, GlweKeySwitch, MadeGgswVariance, PackedVariance,
};
use bootes_lattice::security::{self, SecurityEstimate};
use bootes_lattice::{Gadget, LatticeError};
use bootes_ring::fft::WordLimbs;
use bootes_ring::sample::KeyDistribution;
use bootes_ring::torus::Torus;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

mod error;
mod fingerprint;
mod named;

pub use error::ParamsError;
use fingerprint::fingerprint;

/// Short key: dimension, distribution and noise of LWE samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LweLiteral {
    /// Dimension n.
    pub dimension: usize,
    /// "binary", "ternary" or "block-binary ℓ".
    pub distribution: String,
    /// log2 of the noise's standard deviation as a fraction of the torus.
    pub log2_std: f64,
}

/// Accumulator: rank, degree and noise of GLWE samples; the key is binary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlweLiteral {
    /// Rank k.
    pub rank: usize,
    /// Ring degree N' (the extension multiplies it).
    pub degree: usize,
    /// log2 of the noise's standard deviation as a fraction of the torus.
    pub log2_std: f64,
}

/// Gadget base and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GadgetLiteral {
    /// log2 of the base B.
    pub log2_base: u32,
    /// Number of digits d.
    pub levels: u32,
}

/// How LWE ciphertexts are packed into a GLWE ciphertext, and the gadget of that and of relinearisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackingLiteral {
    /// "trace" (automorphisms; a small key for all) or "key-switch" (the papers' PackingKS; a large key a block
    /// length).
    pub method: String,
    /// log2 of the base B.
    pub log2_base: u32,
    /// Number of digits d.
    pub levels: u32,
}

/// How LWE ciphertexts are packed into a GLWE ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackingMethod {
    /// By automorphisms (Chen, Dai, Kim, Song 2021): log2 N' keys of one GLWE ciphertext a digit.
    Trace,
    /// PackingKS of the FDFB paper (Algorithm 9): k·N' keys, and those again for every block length.
    KeySwitch,
}

/// A parameter set as written in a file: not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FhewParamsLiteral {
    /// Unique name.
    pub name: String,
    /// The class of the set: how far it is to be trusted.
    #[serde(default, skip_serializing_if = "SetClass::is_secure")]
    pub class: SetClass,
    /// Largest message size in bits: plaintext modulus p = 2^bits.
    pub bits: u32,
    /// Longest integers of one ciphertext, in bits, for functions of large integers: they live in Z_{2^(integer_bits +
    /// 1)}.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer_bits: Option<u32>,
    /// Whether every server key has what trees of CMUXes need, for tables of bits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trees: bool,
    /// log2 of the failure probability a table evaluation must keep.
    pub log2_p_fail: f64,
    /// Where it comes from.
    pub source: String,
    /// log2 of the ciphertext modulus Q, 62 to 120, if words have 128 bits: Q sizes noise and security, the torus is
    /// Z_{2^128}.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log2_modulus: Option<u32>,
    /// At most so many limbs of words of 128 bits in blind rotation; absent: as many as make the transforms' error no
    /// more than the gadget's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limbs: Option<usize>,
    /// Short key.
    pub lwe: LweLiteral,
    /// Accumulator.
    pub glwe: GlweLiteral,
    /// Gadget of the external product.
    pub bootstrap: GadgetLiteral,
    /// Gadget of key switching.
    pub key_switch: GadgetLiteral,
    /// Packing and relinearisation, for the algorithms that need them; if absent, [`DEFAULT_PACKING`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<PackingLiteral>,
}

/// Packing of sets that do not say: by automorphisms, 9 digits of 5 bits, which drop next to nothing.
///
/// Of a block, Σ X^i times what is packed, most of the error is at the roots nearest to 1. There what an automorphism
/// drops is two public numbers by two of the key, and sums of results that somebody picks by the numbers err more than
/// is counted. Key noise is spread over d·log2(N) rows.
pub const DEFAULT_PACKING: (PackingMethod, u32, u32) = (PackingMethod::Trace, 5, 9);

/// Accumulator keys are binary: the smallest key for the security.
const GLWE_DISTRIBUTION: KeyDistribution = KeyDistribution::Binary;

/// The gadget of the key switch from a larger ring's key to the base ring's.
const RING_KEY_SWITCH: GadgetLiteral = GadgetLiteral { log2_base: 7, levels: 3 };

/// log2 of the least standard deviation of that key switch's key, which words of 32 bits hold.
const RING_KEY_SWITCH_LOG2_STD: f64 = -30.0;

/// log2 of the least standard deviation of short keys' samples, 3.19 units of the words of 32 bits that hold them.
const LWE_LOG2_STD: f64 = 1.67 - 32.0;

/// log2 of the least standard deviation of keys of packing and of relinearisation where the set has wider words than
/// their 64 bits.
const PACKING_LOG2_STD: f64 = -62.0;

/// A checked, immutable parameter set.
#[derive(Clone, Debug)]
pub struct FhewParams(Arc<Checked>);

#[derive(Debug)]
struct Checked {
    literal: FhewParamsLiteral,
    distribution: KeyDistribution,
    bootstrap: Gadget,
    key_switch: Gadget,
    packing: (PackingMethod, Gadget),
    fingerprint: [u8; 16],
}

impl FhewParamsLiteral {
    /// Checks every field.
    pub fn try_build(self) -> Result<FhewParams, ParamsError> {
        let error = |field, found: String, expected| {
            Err(ParamsError::Field { name: self.name.clone(), field, found, expected })
        };
        if !(1..=12).contains(&self.bits) {
            return error("bits", self.bits.to_string(), "1 to 12");
        }
        if self.integer_bits.is_some_and(|bits| !(1..=32).contains(&bits)) {
            return error("integer_bits", format!("{:?}", self.integer_bits), "1 to 32, or absent");
        }
        let Some(distribution) = parse_distribution(&self.lwe.distribution) else {
            return error("lwe.distribution", self.lwe.distribution.clone(), "binary, ternary or block-binary 2 to 8");
        };
        let block = match distribution {
            KeyDistribution::BlockBinary { length } => length as usize,
            _ => 1,
        };
        let n = self.lwe.dimension;
        if n == 0 || n > 1 << 14 || !n.is_multiple_of(block) {
            return error("lwe.dimension", n.to_string(), "1 to 16384 and a multiple of the block length");
        }
        let degree = self.glwe.degree;
        if !degree.is_power_of_two() || !(32..=1 << 15).contains(&degree) || degree < 1 << (self.bits.max(1) - 1) {
            return error("glwe.degree", degree.to_string(), "a power of two from 32 to 32768, at least 2^(bits-1)");
        }
        if !(1..=16).contains(&self.glwe.rank) {
            return error("glwe.rank", self.glwe.rank.to_string(), "1 to 16");
        }
        if self.log2_modulus.is_some_and(|log2| !(62..=120).contains(&log2)) {
            return error("log2_modulus", format!("{:?}", self.log2_modulus), "62 to 120, or absent");
        }
        if self.limbs.is_some_and(|limbs| self.log2_modulus.is_none() || !(1..=WordLimbs::MAX).contains(&limbs)) {
            return error("limbs", format!("{:?}", self.limbs), "1 to 5 where log2_modulus is given, or absent");
        }
        let smallest = 1.0 - f64::from(self.log2_modulus.unwrap_or(64));
        for (field, log2_std, smallest) in
            [("lwe.log2_std", self.lwe.log2_std, -63.0), ("glwe.log2_std", self.glwe.log2_std, smallest)]
        {
            if !(smallest..0.0).contains(&log2_std) {
                return error(field, log2_std.to_string(), "below 0 and at least twice the unit of the modulus");
            }
        }
        let (bootstrap, precision) = match self.log2_modulus {
            None => (Gadget::try_new(self.bootstrap.log2_base, self.bootstrap.levels), 62),
            Some(_) => (Gadget::try_for::<u128>(self.bootstrap.log2_base, self.bootstrap.levels), 120),
        };
        let Some(bootstrap) = bootstrap.ok().filter(|g| g.log2_base() * g.levels() <= precision) else {
            return error(
                "bootstrap",
                format!("{:?}", self.bootstrap),
                "log2_base*levels at most 62, or 120 for words of 128 bits",
            );
        };
        let Ok(key_switch) = Gadget::try_new(self.key_switch.log2_base, self.key_switch.levels) else {
            return error("key_switch", format!("{:?}", self.key_switch), "log2_base*levels at most 63");
        };
        if key_switch.log2_base() * key_switch.levels() > 31 {
            return error("key_switch", format!("{:?}", self.key_switch), "log2_base*levels at most 31");
        }
        let (method, log2_base, levels) = match &self.packing {
            None => DEFAULT_PACKING,
            Some(packing) => match packing.method.as_str() {
                "trace" => (PackingMethod::Trace, packing.log2_base, packing.levels),
                "key-switch" => (PackingMethod::KeySwitch, packing.log2_base, packing.levels),
                other => return error("packing.method", other.to_string(), "trace or key-switch"),
            },
        };
        let Ok(gadget) = Gadget::try_new(log2_base, levels) else {
            return error("packing", format!("{:?}", self.packing), "log2_base*levels at most 63");
        };
        let packing = (method, gadget);
        let fingerprint = fingerprint(&self, distribution, packing);
        let checked = Checked { literal: self, distribution, bootstrap, key_switch, packing, fingerprint };
        let params = FhewParams(Arc::new(checked));
        let log2_std = params.literal().lwe.log2_std;
        if params.is_default() && log2_std < LWE_LOG2_STD {
            return Err(ParamsError::Field {
                name: params.name().into(),
                field: "lwe.log2_std",
                found: log2_std.to_string(),
                expected: "at least -30.33, a deviation of 3.19 in the 32 bits of key switching",
            });
        }
        let keeps_rule = || params.security().is_ok_and(|estimate| estimate.meets_rule());
        if params.is_default() && !keeps_rule() {
            let found = params.security().ok();
            return Err(ParamsError::Insecure {
                set: params.name().into(),
                standard: found.as_ref().map_or(0.0, |estimate| estimate.standard_bits),
                strict: found.as_ref().map_or(0.0, |estimate| estimate.strict_bits),
            });
        }
        Ok(params)
    }
}

fn parse_distribution(text: &str) -> Option<KeyDistribution> {
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["binary"] => Some(KeyDistribution::Binary),
        ["ternary"] => Some(KeyDistribution::Ternary),
        ["block-binary", length] => {
            let length = length.parse().ok().filter(|l| (2..=8).contains(l))?;
            Some(KeyDistribution::BlockBinary { length })
        }
        _ => None,
    }
}

impl FhewParams {
    /// Whether the set is secure and ours: neither a toy nor a paper's.
    pub fn is_default(&self) -> bool {
        self.literal().class.is_secure()
    }

    /// The literal it was built from.
    pub fn literal(&self) -> &FhewParamsLiteral {
        &self.0.literal
    }

    /// Name of the set.
    pub fn name(&self) -> &str {
        &self.0.literal.name
    }

    /// Largest message size in bits.
    pub fn bits(&self) -> u32 {
        self.0.literal.bits
    }

    /// Longest integers of one ciphertext, in bits, if the set is made for them.
    pub fn integer_bits(&self) -> Option<u32> {
        self.0.literal.integer_bits
    }

    /// Whether every server key has what trees of CMUXes need, where the set has such.
    pub fn has_trees(&self) -> bool {
        let literal = self.literal();
        let makes = literal.glwe.rank == 1 && self.packing_method() == PackingMethod::Trace;
        makes && (literal.trees || literal.integer_bits.is_some())
    }

    /// The largest messages that a ciphertext may hold: integers have one bit more than their width.
    pub fn space_bits(&self) -> u32 {
        self.integer_bits().map_or(0, |bits| bits + 1).max(self.bits())
    }

    /// log2 of the failure probability that a table evaluation keeps.
    pub fn log2_p_fail(&self) -> f64 {
        self.0.literal.log2_p_fail
    }

    /// 16 bytes that tell this set from every other; they travel in every key and ciphertext.
    pub fn fingerprint(&self) -> [u8; 16] {
        self.0.fingerprint
    }

    /// Distribution of the short key.
    pub fn lwe_distribution(&self) -> KeyDistribution {
        self.0.distribution
    }

    /// Distribution of the accumulator's key.
    pub fn glwe_distribution(&self) -> KeyDistribution {
        GLWE_DISTRIBUTION
    }

    /// Dimension n of the short key.
    pub fn lwe_dimension(&self) -> usize {
        self.0.literal.lwe.dimension
    }

    /// Standard deviation of the short key's samples (of the torus).
    pub fn lwe_std(&self) -> f64 {
        self.0.literal.lwe.log2_std.exp2()
    }

    /// Standard deviation of the accumulator's samples (of the torus).
    pub fn glwe_std(&self) -> f64 {
        self.0.literal.glwe.log2_std.exp2()
    }

    /// log2 of the ciphertext modulus: 64 unless the set says more.
    pub fn log2_modulus(&self) -> u32 {
        self.0.literal.log2_modulus.unwrap_or(64)
    }

    /// Bits of the accumulator's and the ciphertexts' words: 64, or 128 where the set states a modulus.
    pub fn word_bits(&self) -> u32 {
        if self.0.literal.log2_modulus.is_some() { 128 } else { 64 }
    }

    /// # Errors
    /// [`LatticeError::Parameter`] unless the words are `W`.
    pub(super) fn check_words<W: Torus>(&self) -> Result<(), LatticeError> {
        if W::BITS == self.word_bits() {
            return Ok(());
        }
        let expected = if W::BITS == 64 { "64, for these keys" } else { "128, for these keys" };
        Err(LatticeError::Parameter {
            what: "bits of a parameter set's words",
            expected,
            found: self.word_bits().to_string(),
        })
    }

    /// Rank and degree of the accumulator, without the extension.
    pub fn shape(&self) -> GlweShape {
        GlweShape { rank: self.0.literal.glwe.rank, degree: self.0.literal.glwe.degree }
    }

    /// Dimension k·N' of the ciphertexts.
    pub fn ciphertext_dimension(&self) -> usize {
        self.shape().lwe_dimension()
    }

    /// Gadget of the external product.
    pub fn bootstrap_gadget(&self) -> Gadget {
        self.0.bootstrap
    }

    /// Gadget of key switching.
    pub fn key_switch_gadget(&self) -> Gadget {
        self.0.key_switch
    }

    /// Shape of the accumulator in a larger ring with its own key: RLWE of degree `degree`.
    pub fn ring_shape(&self, degree: usize) -> GlweShape {
        GlweShape { rank: 1, degree }
    }

    /// Gadget of the key switch from a larger ring's key to the base ring's.
    ///
    /// Its key has the accumulator's small noise, so the base can be larger than that of [`Self::key_switch_gadget`].
    pub fn ring_key_switch_gadget(&self) -> Gadget {
        let GadgetLiteral { log2_base, levels } = RING_KEY_SWITCH;
        Gadget::try_new(log2_base, levels).expect("3 digits of 7 bits fit in a word")
    }

    /// Standard deviation of that key switch's key: the accumulator's, but no less than 32-bit words can hold.
    pub fn ring_key_switch_std(&self) -> f64 {
        self.glwe_std().max(RING_KEY_SWITCH_LOG2_STD.exp2())
    }

    /// How LWE ciphertexts are packed.
    pub fn packing_method(&self) -> PackingMethod {
        self.0.packing.0
    }

    /// Gadget of packing and of relinearisation.
    pub fn packing_gadget(&self) -> Gadget {
        self.0.packing.1
    }

    /// Standard deviation of the keys of packing and of relinearisation: the accumulator's, but no less than words of
    /// 64 bits can hold where those of the set are wider.
    pub fn packing_std(&self) -> f64 {
        if self.word_bits() == 64 { self.glwe_std() } else { self.glwe_std().max(PACKING_LOG2_STD.exp2()) }
    }

    /// Noise variance that packing M samples adds to each coefficient of their blocks of N'/M.
    ///
    /// The trace packs into the first coefficient of a block; the block is a multiple by 1 + X + … + X^(N'/M − 1).
    pub fn packing_variance(&self, samples: usize) -> f64 {
        match self.packing_method() {
            PackingMethod::KeySwitch => self.packed_variance(samples).message,
            PackingMethod::Trace => formula::trace_block(&self.glwe_key_switch(), samples),
        }
    }

    /// The keys of packing values apart, each into a coefficient: what compression takes.
    pub fn compression_keys(&self) -> KeyNeeds {
        KeyNeeds { packing: vec![1], ..KeyNeeds::default() }
    }

    /// From which coefficient to which M = `samples` ciphertexts that are packed apart stand, 1 ≤ M ≤ N'.
    pub fn packed_stride(&self, samples: usize) -> usize {
        match self.packing_method() {
            PackingMethod::KeySwitch => 1,
            PackingMethod::Trace => self.shape().degree / samples.next_power_of_two(),
        }
    }

    /// Noise variance that packing up to N' samples apart adds to each.
    pub fn compression_variance(&self) -> f64 {
        self.packed_variance(self.shape().degree).message
    }

    /// Noise variance that rounding of packed ciphertexts to masks and bodies of so many bits adds.
    pub fn compression_rounding_variance(&self, mask_bits: u32, body_bits: u32) -> f64 {
        formula::glwe_rounding(self.shape(), GLWE_DISTRIBUTION, mask_bits, body_bits)
    }

    /// Noise variances of one sample packed into the constant coefficient: there, and on average elsewhere.
    pub fn packed_constant_variance(&self) -> [f64; 2] {
        let packed = self.packed_variance(1);
        [packed.message, packed.other]
    }

    fn packed_variance(&self, samples: usize) -> PackedVariance {
        match self.packing_method() {
            PackingMethod::KeySwitch => {
                let (dimension, gadget) = (self.ciphertext_dimension(), self.packing_gadget());
                formula::packing_key_switch(dimension, GLWE_DISTRIBUTION, gadget, self.packing_std(), samples)
            }
            PackingMethod::Trace => formula::trace_packing(&self.glwe_key_switch(), samples),
        }
    }

    fn glwe_key_switch(&self) -> GlweKeySwitch {
        GlweKeySwitch {
            shape: self.shape(),
            distribution: GLWE_DISTRIBUTION,
            gadget: self.packing_gadget(),
            key_std: self.packing_std(),
        }
    }

    /// Noise variance of the BFV product modulo `modulus` of two messages whose ciphertexts have these variances,
    /// packed into constant coefficients (FDFB paper, Theorem 10).
    pub fn product_variance(&self, modulus: u64, variances: [f64; 2]) -> f64 {
        let [message, other] = self.packed_constant_variance();
        let factors =
            variances.map(|variance| FactorVariance { constant: variance + message - other, polynomial: other });
        formula::glwe_product(&self.glwe_key_switch(), modulus as f64, factors)
    }

    /// Noise variance that a CMUX adds by a GGSW ciphertext of `gadget` made of samples of noise variance `sample`.
    pub fn made_ggsw_variance(&self, gadget: Gadget, sample: f64) -> MadeGgswVariance {
        formula::made_ggsw(&self.glwe_key_switch(), gadget, sample)
    }

    /// Noise variance of a fresh encryption.
    pub fn fresh_variance(&self) -> f64 {
        self.glwe_std().powi(2)
    }

    /// Noise variance that one blind rotation adds, with whatever extension: a bound.
    pub fn blind_rotation_variance(&self) -> f64 {
        self.rotation_variance(self.shape(), None)
    }

    /// Noise variance that one blind rotation with extension factor ν = `extension` adds.
    pub fn extended_rotation_variance(&self, extension: usize) -> f64 {
        self.rotation_variance(self.shape(), Some(extension))
    }

    /// Noise variance that one blind rotation in an own ring of degree `degree` adds.
    pub fn ring_rotation_variance(&self, degree: usize) -> f64 {
        self.rotation_variance(self.ring_shape(degree), Some(1))
    }

    fn rotation_variance(&self, shape: GlweShape, extension: Option<usize>) -> f64 {
        let rotation = self.blind_rotation(shape);
        let limbs = if self.word_bits() == 64 { self.limbs::<u64>(shape) } else { self.limbs::<u128>(shape) };
        rotation.variance_with(&limbs, extension)
    }

    /// The limbs of words `W` in blind rotations of `shape`: the fewest that add no more than the gadget does.
    pub fn limbs<W: Torus>(&self, shape: GlweShape) -> WordLimbs {
        self.blind_rotation(shape).limbs::<W>(self.literal().limbs.unwrap_or(WordLimbs::MAX))
    }

    /// Noise variance that the key switch from an own ring of degree `degree` adds.
    pub fn ring_key_switch_variance(&self, degree: usize) -> f64 {
        formula::key_switch(degree, GLWE_DISTRIBUTION, self.ring_key_switch_gadget(), self.ring_key_switch_std())
    }

    /// The noise model of blind rotations of `shape`.
    pub fn blind_rotation(&self, shape: GlweShape) -> BlindRotation {
        BlindRotation {
            lwe_dimension: self.lwe_dimension(),
            lwe_distribution: self.lwe_distribution(),
            shape,
            glwe_distribution: GLWE_DISTRIBUTION,
            key_std: self.glwe_std(),
            gadget: self.bootstrap_gadget(),
        }
    }

    /// Noise variance that key switching adds, and the dithering before it.
    pub fn key_switch_variance(&self) -> f64 {
        let (dimension, gadget) = (self.ciphertext_dimension(), self.key_switch_gadget());
        formula::key_switch(dimension, GLWE_DISTRIBUTION, gadget, self.lwe_std()) + formula::dithered(dimension, gadget)
    }

    /// The variance that a key switch drops more of words that are multiples of 1/m of its unit, as those of files are
    /// after products with powers of two: rests have a mean square of (1 + 2/m²)/12 and not 1/12. Such words were
    /// rounded, with a noise of kN·E\[t²\]/12m² units², so that it is at most the variance of what was `passed` on from
    /// inputs; and at most half of all that is dropped, where m is 2. To m = 8, where that noise has 4/3 units² with
    /// kN = 2048, they are dithered by whole units.
    pub fn coarse_variance(&self, passed: f64) -> f64 {
        let (dimension, gadget) = (self.ciphertext_dimension(), self.key_switch_gadget());
        let dropped = 0.5 * formula::dropped(dimension, GLWE_DISTRIBUTION, gadget);
        passed.min(dropped)
            + (2048.0 / dimension as f64 * 2.5 * passed).min(formula::dithered_by_units(dimension, gadget))
    }

    /// Noise variance that modulus switching to 2νN'/m adds, where m = `interleaved` tables share the accumulator.
    pub fn mod_switch_variance(&self, extension: usize, interleaved: usize) -> f64 {
        let modulus = (2 * extension * self.shape().degree / interleaved) as f64;
        formula::mod_switch(self.lwe_dimension(), self.lwe_distribution(), modulus)
    }

    /// Security of the short key's samples and of the accumulator's: the smaller of the two in each model.
    ///
    /// # Errors
    /// Where the estimates do not reach (toy sets).
    pub fn security(&self) -> Result<SecurityEstimate, security::SecurityError> {
        let lwe = security::lwe(self.lwe_distribution(), self.lwe_dimension(), self.literal().lwe.log2_std)?;
        let glwe = security::glwe(
            self.glwe_distribution(),
            self.ciphertext_dimension(),
            self.log2_modulus(),
            self.literal().glwe.log2_std,
        )?;
        Ok(lwe.min(glwe))
    }
}

impl PartialEq for FhewParams {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}
