//! The key that anybody encrypts with to a client: a public key of the accumulator's key, under which ciphertexts are.
//!
//! Up to N' values are in one GLWE ciphertext ([`bootes_lattice::glwe_public`]), of which whoever evaluates extracts
//! each as an LWE ciphertext: no key switch is needed. Words are of 64 bits, also where those of the set are wider, so
//! that a key has kN' words.
//!
//! Samples and encryptions have the deviation of packing keys, σ, and as many of them as of these: under the set's own
//! secret, or a ternary one of its dimension. So both are as secure as the set ([`FhewParams::public_security`]).
use super::keys::{Part, SecretKeys};
use super::params::FhewParams;
use bootes_lattice::LatticeError;
use bootes_lattice::glwe_public::{GlwePublicKey, RANDOMNESS};
use bootes_lattice::modswitch::round_glwe_masks;
use bootes_lattice::noise::formula;
use bootes_lattice::security::{self, SecurityError, SecurityEstimate};
use bootes_ring::cancel::is_wanted;
use bootes_ring::fft::Fft;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use zeroize::Zeroizing;

/// By how much less variance than encryption masks and bodies are rounded with, each.
const ROUNDING: f64 = 32.0;

/// A public key of encryption.
#[derive(Clone, Debug)]
pub struct PublicKey {
    params: FhewParams,
    key_id: [u8; 16],
    key: GlwePublicKey,
}

/// Up to N' values in one ciphertext: that of number i is sample i of the masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicEncryption {
    /// k polynomials, multiples of 2^-m for the first of [`FhewParams::public_bits`].
    pub masks: Vec<u64>,
    /// A word a value, multiples of 2^-b for the second.
    pub bodies: Vec<u64>,
}

impl SecretKeys {
    /// A public key, another one at every call.
    ///
    /// # Errors
    /// [`LatticeError::Randomness`].
    pub fn public_key(&self) -> Result<PublicKey, LatticeError> {
        self.public_key_from(&self.fresh_generation()?)
    }

    /// The public key of these bytes instead of fresh ones: equal bytes give equal keys. For tests and stored examples.
    ///
    /// # Errors
    /// [`LatticeError::Ring`] for a degree without a transform, which no set has.
    pub fn public_key_with_randomness_for_tests(&self, randomness: &[u8; 32]) -> Result<PublicKey, LatticeError> {
        self.public_key_from(&self.generation(randomness))
    }

    fn public_key_from(&self, generation: &SecretSeed) -> Result<PublicKey, LatticeError> {
        let params = self.params();
        let (mask, noise) = generation.fork_both(Part::Public as u64, 0);
        let fft = Fft::new(params.shape().degree)?;
        let key = GlwePublicKey::generate(self.expose_glwe(), &fft, params.public_std(), mask, &noise);
        Ok(PublicKey { params: params.clone(), key_id: self.key_id(), key })
    }
}

impl PublicKey {
    /// A key of its stored parts: the seed of its masks, and kN' words.
    ///
    /// # Errors
    /// [`LatticeError::Size`].
    pub fn from_parts(
        params: FhewParams,
        key_id: [u8; 16],
        mask_seed: MaskSeed,
        bodies: Vec<u64>,
    ) -> Result<Self, LatticeError> {
        let key = GlwePublicKey::from_parts(params.shape(), mask_seed, bodies)?;
        Ok(Self { params, key_id, key })
    }

    /// The parameters.
    pub fn params(&self) -> &FhewParams {
        &self.params
    }

    /// Which secret keys it belongs to.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// Seed and bodies.
    pub fn key(&self) -> &GlwePublicKey {
        &self.key
    }

    /// Encrypts encoded messages with fresh randomness, N' in each ciphertext but the last.
    ///
    /// Noise: [`FhewParams::public_variance`].
    ///
    /// # Errors
    /// [`LatticeError::Randomness`].
    pub fn encrypt(&self, encoded: &[u64]) -> Result<Vec<PublicEncryption>, LatticeError> {
        // Bound to the messages and to the key: bytes that the system repeats tell nothing but that both are equal.
        let words = encoded.iter().chain(self.key.bodies()).copied();
        self.encrypt_with_randomness_for_tests(encoded, &SecretSeed::from_entropy()?.bind_message(words))
    }

    /// [`Self::encrypt`] with the randomness of this seed: two lists of one seed tell the differences of their
    /// messages. For tests.
    ///
    /// # Errors
    /// [`LatticeError::Ring`] for a degree without a transform, which no set has.
    pub fn encrypt_with_randomness_for_tests(
        &self,
        encoded: &[u64],
        seed: &SecretSeed,
    ) -> Result<Vec<PublicEncryption>, LatticeError> {
        let (params, shape) = (&self.params, self.key.shape());
        let fft = Fft::new(shape.degree)?;
        let encryptor = self.key.encryptor(&fft);
        let [mask_bits, body_bits] = params.public_bits();
        let mut words = Zeroizing::new(vec![0; shape.words()]);
        let encrypt = |(index, encoded): (u64, &[u64])| {
            encryptor.encrypt_into(&mut words, encoded, params.public_std(), &seed.fork_indexed(0, index));
            round_glwe_masks(&mut words, shape, mask_bits, params.glwe_distribution().mean());
            let (masks, bodies) = words.split_at(shape.lwe_dimension());
            let bodies = bodies.iter().take(encoded.len()).map(|&body| rounded(body, body_bits));
            PublicEncryption { masks: masks.to_vec(), bodies: bodies.collect() }
        };
        Ok((0..).zip(encoded.chunks(shape.degree)).take_while(|_| is_wanted()).map(encrypt).collect())
    }
}

/// The nearest multiple of 2^-`bits`.
fn rounded(word: u64, bits: u32) -> u64 {
    if bits == u64::BITS {
        return word;
    }
    let half = 1 << (u64::BITS - 1 - bits);
    word.wrapping_add(half) & !(2 * half - 1)
}

impl FhewParams {
    /// Standard deviation of a public key's samples and of encryptions by it.
    pub fn public_std(&self) -> f64 {
        self.packing_std()
    }

    /// Noise variance of an encryption by a public key before it is rounded.
    fn exact_public_variance(&self) -> f64 {
        formula::glwe_public_encryption(self.shape(), self.glwe_distribution(), self.public_std())
    }

    /// Bits of masks and of bodies of encryptions by a public key, the latter whole bytes: the fewest with which
    /// rounding adds a 32nd of the noise's variance, each.
    pub fn public_bits(&self) -> [u32; 2] {
        let most = self.exact_public_variance() / ROUNDING;
        let adds = |masks, bodies| self.compression_rounding_variance(masks, bodies);
        let masks = (1..64).find(|&bits| adds(bits, 64) <= most).unwrap_or(64);
        let bodies = (8..64).step_by(8).find(|&bits| adds(64, bits) <= most).unwrap_or(64);
        [masks, bodies]
    }

    /// Noise variance of an encryption by a public key: of its randomness, and of rounding.
    pub fn public_variance(&self) -> f64 {
        let [masks, bodies] = self.public_bits();
        self.public_variance_of(masks, bodies)
    }

    /// The same of masks and bodies of so many bits.
    pub fn public_variance_of(&self, mask_bits: u32, body_bits: u32) -> f64 {
        self.exact_public_variance() + self.compression_rounding_variance(mask_bits, body_bits)
    }

    /// Security of a public key and of what is encrypted by it: the smaller of the two in each model.
    ///
    /// # Errors
    /// Where the estimates do not reach (toy sets).
    pub fn public_security(&self) -> Result<SecurityEstimate, SecurityError> {
        let (dimension, log2_std) = (self.ciphertext_dimension(), self.public_std().log2());
        let of = |distribution| security::glwe(distribution, dimension, u64::BITS, log2_std);
        Ok(of(self.glwe_distribution())?.min(of(RANDOMNESS)?))
    }
}
