use crate::names::hex;
use crate::{Error, FailureTarget, KeyNeeds};
use bootes_lattice::LatticeError;
use bootes_lattice::security::{SecurityError, SecurityEstimate};
use bootes_lut::IntegerOp;
use bootes_lut::circuit::MAX_EXTENSION;
use bootes_lut::ckks::params::literals as batch_literals;
use bootes_lut::fhew::digits::Method;
use bootes_lut::integer::{IntegerLimbs, MAX_WIDTH};
use bootes_schemes::fhew::FhewParams;

/// A checked parameter set; cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Params(pub(crate) FhewParams);

impl Params {
    /// The default set for tables on `bits`-bit integers (1 to 8): at least 128 bits of security, failure 2^-128. What
    /// is made with it has room for `bits` bits, results and sums of results too: for integers whose sums take more,
    /// take as many bits as those. Integers ([`crate::Client::encrypt_unsigned`]) take one bit more than they have,
    /// residues ([`crate::Client::encrypt_bits`]) none.
    pub(crate) fn for_bits(bits: u32) -> Result<Self, Error> {
        Self::for_bits_with(bits, FailureTarget::Two128)
    }

    /// The default set at the given failure probability.
    pub(crate) fn for_bits_with(bits: u32, target: FailureTarget) -> Result<Self, Error> {
        Ok(Self(FhewParams::for_bits(bits, target.log2())?))
    }

    /// The default set for integers at the given failure probability.
    pub(crate) fn for_integers_with(width: u32, target: FailureTarget) -> Result<Self, Error> {
        let one = FhewParams::for_integers(width, target.log2());
        match (one, width) {
            (Err(_), 2..=MAX_WIDTH) => Ok(Self(FhewParams::for_integers(width.div_ceil(2), target.log2())?)),
            (one, _) => Ok(Self(one?)),
        }
    }

    /// The set of this name; an unknown name is answered with the nearest there is.
    ///
    /// # Errors
    /// [`Error::Params`]; [`Error::BatchSet`] for a set of the batch engine.
    pub(crate) fn by_name(name: &str) -> Result<Self, Error> {
        if batch_literals().iter().any(|set| set.name == name) {
            return Err(Error::BatchSet { name: name.into() });
        }
        Ok(Self(FhewParams::by_name(name)?))
    }

    /// Every shipped set: defaults, `paper_…`, the insecure `toy_…`, and those of words of 128 bits.
    pub(crate) fn all() -> Vec<Self> {
        FhewParams::all().iter().chain(FhewParams::wide()).cloned().map(Self).collect()
    }

    /// Name of the set.
    pub(crate) fn name(&self) -> &str {
        self.0.name()
    }

    /// Largest message size in bits.
    pub(crate) fn bits(&self) -> u32 {
        self.0.bits()
    }

    /// Longest integers of one ciphertext in bits, if the set is made for functions of large integers.
    pub(crate) fn integer_bits(&self) -> Option<u32> {
        self.0.integer_bits()
    }

    /// Longest integers of two ciphertexts in bits, if the set is made for functions of large integers.
    pub(crate) fn max_integer_bits(&self) -> Option<u32> {
        self.integer_bits().map(|bits| (2 * bits).min(MAX_WIDTH))
    }

    /// How integers of so many bits are kept.
    ///
    /// # Errors
    /// [`Error::Width`] if two ciphertexts do not hold them.
    pub(crate) fn integer_limbs(&self, width: u32) -> Result<IntegerLimbs, Error> {
        let limb = (self.0.space_bits() - 1).min(MAX_WIDTH);
        let max = (2 * limb).min(MAX_WIDTH);
        match (1..=max).contains(&width) {
            true => Ok(IntegerLimbs::of(width, limb)),
            false => Err(Error::Width { found: width, max, params: self.name().into() }),
        }
    }

    /// The additional keys that functions of large integers need, if the set is made for them: they are in every server
    /// key.
    pub(crate) fn integer_keys(&self) -> KeyNeeds {
        let Some(width) = self.integer_bits() else { return KeyNeeds::default() };
        let circuit = IntegerOp::Relu.circuit(Method::Reduce, IntegerLimbs { low: width, high: None }, 4);
        circuit.map_or(KeyNeeds::default(), |circuit| circuit.keys(&self.0))
    }

    /// log2 of the failure probability that an evaluation keeps, per value.
    pub(crate) fn log2_p_fail(&self) -> f64 {
        self.0.log2_p_fail()
    }

    /// Estimated security, the weaker of the two keys, in the standard and the strict model of `crates/lattice/data`.
    ///
    /// # Errors
    /// For toy sets, which lie outside the estimates.
    pub(crate) fn security(&self) -> Result<SecurityEstimate, SecurityError> {
        self.0.security()
    }

    /// 16 bytes that tell this set from every other.
    pub(crate) fn fingerprint(&self) -> [u8; 16] {
        self.0.fingerprint()
    }

    /// Whether this set is a default of some message size: secure, ours, and of words of 64 bits.
    pub(crate) fn is_default(&self) -> bool {
        self.0.is_default() && self.0.word_bits() == 64
    }

    /// The additional keys that `algorithm` needs for tables with `bits`-bit inputs; mostly none.
    pub(crate) fn extra_keys(&self, algorithm: &str, bits: u32) -> Result<KeyNeeds, Error> {
        Ok(bootes_lut::registry::by_name(algorithm)?.keys(&self.0, bits))
    }

    /// Refuses additional keys of rings and blocks that no circuit has, before anybody asks how large they are.
    ///
    /// # Errors
    /// [`Error::Lattice`].
    pub(crate) fn check_needs(&self, needs: &KeyNeeds) -> Result<(), Error> {
        let degree = self.0.shape().degree;
        let is_ring = |ring: usize| ring.is_power_of_two() && ring > degree && ring / degree <= MAX_EXTENSION;
        let is_block = |block: usize| block.is_power_of_two() && block <= degree;
        let rings = needs.rings.iter().filter(|&&ring| !is_ring(ring)).map(|ring| {
            ("degree of an own ring", "N' of the parameter set times 2, 4, 8, as far as tables need it", ring)
        });
        let blocks = needs.packing.iter().filter(|&&block| !is_block(block));
        let blocks = blocks.map(|block| ("block of packed ciphertexts", "a power of two, N' at most", block));
        rings.chain(blocks).next().map_or(Ok(()), |(what, expected, found)| {
            Err(LatticeError::Parameter { what, expected, found: found.to_string() }.into())
        })
    }

    /// The set in words, several lines.
    pub(crate) fn description(&self) -> String {
        let (set, literal) = (&self.0, self.0.literal());
        let floor = |bits: f64| (bits * 10.0).floor() / 10.0;
        let security = match self.security() {
            Ok(s) => format!(
                "{}{:.1} bits (standard model), {:.1} bits (strict model), key entropy {:.0} bits",
                if s.is_bound { "at least " } else { "" },
                floor(s.standard_bits),
                floor(s.strict_bits),
                s.entropy_bits
            ),
            Err(error) => format!("INSECURE, for tests only ({error})"),
        };
        let server_key = super::KeySizes::of(self, &self.integer_keys()).stored;
        let word = set.word_bits() as usize / 8;
        format!(
            "parameter set {}\n  messages        1 to {} bits, full domain, no padding bit\n  \
             failure         2^{} a value\n  \
             security        {security}\n  short key       n = {}, {}, noise 2^{:.2} of the torus\n  \
             accumulator     k = {}, N' = {}, binary key, noise 2^{:.2}\n  \
             gadgets         bootstrap B = 2^{}, d = {}; key switch B = 2^{}, d = {}\n  \
             server key      {:.1} MB on disk\n  ciphertext      {} B fresh, {:.1} kB evaluated\n  \
             fingerprint     {}\n  source          {}",
            set.name(),
            set.bits(),
            set.log2_p_fail(),
            literal.lwe.dimension,
            literal.lwe.distribution,
            literal.lwe.log2_std,
            literal.glwe.rank,
            literal.glwe.degree,
            literal.glwe.log2_std,
            literal.bootstrap.log2_base,
            literal.bootstrap.levels,
            literal.key_switch.log2_base,
            literal.key_switch.levels,
            server_key as f64 / 1e6,
            word,
            (set.ciphertext_dimension() + 1) as f64 * word as f64 / 2e3,
            hex(&set.fingerprint()),
            literal.source,
        )
    }
}
