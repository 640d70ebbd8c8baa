//! RLWE ciphertexts over a chain of primes, secret and public encryption.
use std::io::{Read, Write};

use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::rns::{Division, RnsRing};
use bootes_ring::sample::{KeyDistribution, MaskSeed, NoiseStream, SecretSeed};
use bootes_ring::secret::Secret;
use zeroize::Zeroizing;

use super::RnsSecretKey;
use crate::wire::{StreamError, StreamReader, StreamWriter};

/// (b, a) with the phase b + a·s, in evaluation form.
#[derive(Debug, Clone)]
pub struct RnsCiphertext {
    /// The body.
    pub b: Poly<Eval>,
    /// The mask.
    pub a: Poly<Eval>,
}

/// The errors of fresh samples: `factor` times rounded Gaussian numbers of standard deviation `std`.
///
/// The factor is 1 where messages are in the high bits of a phase (CKKS, BFV), and the plaintext modulus t
/// where they are the phase modulo t (BGV).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorDistribution {
    /// σ.
    pub std: f64,
    /// 1, or t ≤ 2^40.
    pub factor: u64,
}

impl From<f64> for ErrorDistribution {
    /// The factor 1.
    fn from(std: f64) -> Self {
        Self { std, factor: 1 }
    }
}

/// A polynomial of errors, from the next numbers of a stream.
pub(crate) fn noise(
    ring: &RnsRing,
    limbs: Limbs,
    stream: &mut NoiseStream,
    errors: ErrorDistribution,
) -> Secret<Poly<Coeff>> {
    let mut words = Zeroizing::new(vec![0u64; ring.degree()]);
    stream.add_gaussian_u64(&mut words, errors.std * (-64f64).exp2());
    let (mut noise, factor) = (Zeroizing::new(vec![0.0; words.len()]), errors.factor as f64);
    noise.iter_mut().zip(words.iter()).for_each(|(x, &word)| *x = word as i64 as f64 * factor);
    Secret::new(ring.from_integers(limbs, &noise))
}

impl RnsCiphertext {
    /// Encrypts `message` under `key` with such an error; the mask is stream 0, 1, … of `mask`, one
    /// for each limb.
    #[must_use]
    pub fn encrypt(
        ring: &RnsRing,
        message: Poly<Coeff>,
        key: &RnsSecretKey,
        errors: ErrorDistribution,
        mask: &MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Self {
        let limbs = message.limbs();
        let a = ring.uniform(limbs, mask, 0);
        let mut message = Secret::new(message);
        ring.add_assign(&mut message, &noise(ring, limbs, &mut NoiseStream::new(noise_seed, 0), errors));
        let mut b = message.map(|x| ring.forward(x));
        let mut product = Secret::new(a.clone());
        ring.mul_assign(&mut product, key.expose_values());
        ring.sub_assign(&mut b, &product);
        Self { b: b.publish(), a }
    }

    /// An encryption of `message` without noise, under every key: (message, 0).
    #[must_use]
    pub fn trivial(ring: &RnsRing, message: Poly<Eval>) -> Self {
        Self { a: ring.zero(message.limbs()), b: message }
    }

    /// The primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.b.limbs()
    }

    /// The same ciphertext modulo fewer primes.
    #[must_use]
    pub fn restricted(&self, limbs: Limbs) -> Self {
        self.map(|x| x.restricted(limbs))
    }

    /// Both polynomials divided by a part of the modulus, rounded.
    #[must_use]
    pub fn divided(&self, ring: &RnsRing, division: &Division) -> Self {
        let [b, a] = division.divide(ring, [&self.b, &self.a]);
        Self { b, a }
    }

    /// Applies `op` to both polynomials.
    pub fn for_both(&mut self, op: impl Fn(&mut Poly<Eval>) + Sync) {
        rayon::join(|| op(&mut self.b), || op(&mut self.a));
    }

    /// Applies `op` to both pairs of polynomials.
    pub fn for_both_with(&mut self, other: &Self, op: impl Fn(&mut Poly<Eval>, &Poly<Eval>) + Sync) {
        rayon::join(|| op(&mut self.b, &other.b), || op(&mut self.a, &other.a));
    }

    /// The ciphertext with `op` of both polynomials.
    #[must_use]
    pub fn map(&self, op: impl Fn(&Poly<Eval>) -> Poly<Eval> + Sync) -> Self {
        let (b, a) = rayon::join(|| op(&self.b), || op(&self.a));
        Self { b, a }
    }
}

/// An encryption of zero that anyone can encrypt with.
///
/// Encryption of m is u·(b, a) + (m + e_0, e_1) with u uniform ternary: the phase carries u·e + e_0 + e_1·s, of
/// variance σ²·(2N/3 + 1 + h), times the square of the errors' factor.
///
/// IND-CPA by ring-LWE twice: the key is a sample of s, and of a uniform key a ciphertext is two samples with the
/// secret u, dense and so no weaker than s at this modulus.
#[derive(Debug, Clone)]
pub struct RnsPublicKey {
    zero: RnsCiphertext,
    mask: MaskSeed,
}

impl RnsPublicKey {
    /// The public key of `key` modulo `limbs`.
    #[must_use]
    pub fn generate(
        ring: &RnsRing,
        limbs: Limbs,
        key: &RnsSecretKey,
        errors: ErrorDistribution,
        mask: &MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Self {
        Self { zero: RnsCiphertext::encrypt(ring, ring.zero(limbs), key, errors, mask, noise_seed), mask: *mask }
    }

    /// The encryption of zero.
    #[must_use]
    pub fn ciphertext(&self) -> &RnsCiphertext {
        &self.zero
    }

    /// The same key modulo fewer primes.
    #[must_use]
    pub fn restricted(&self, limbs: Limbs) -> Self {
        Self { zero: self.zero.restricted(limbs), mask: self.mask }
    }

    /// The bytes of a key modulo these primes: its mask is a seed.
    #[must_use]
    pub fn stored_bytes(ring: &RnsRing, limbs: Limbs) -> u64 {
        RnsCiphertext::seeded_bytes(ring, limbs)
    }

    /// Writes the seed of the mask, and the body.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        self.zero.write_seeded(ring, &self.mask, out)
    }

    /// Reads a key modulo these primes.
    ///
    /// # Errors
    /// As [`RnsCiphertext::read_seeded`].
    pub fn read<R: Read>(ring: &RnsRing, limbs: Limbs, input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        RnsCiphertext::read_seeded(ring, limbs, input).map(|(zero, mask)| Self { zero, mask })
    }

    /// Encrypts `message`, modulo the primes of the message.
    #[must_use]
    pub fn encrypt(
        &self,
        ring: &RnsRing,
        message: Poly<Coeff>,
        errors: ErrorDistribution,
        seed: &SecretSeed,
    ) -> RnsCiphertext {
        let limbs = message.limbs();
        let mut coefficients = Zeroizing::new(vec![0i8; ring.degree()]);
        NoiseStream::new(seed, 0).fill_key(&mut coefficients, KeyDistribution::Ternary);
        let u = Secret::new(ring.from_small(limbs, &coefficients)).map(|x| ring.forward(x));
        let mut stream = NoiseStream::new(seed, 1);
        let mut out = self.zero.restricted(limbs);
        out.for_both(|x| ring.mul_assign(x, &u));
        let mut message = Secret::new(message);
        ring.add_assign(&mut message, &noise(ring, limbs, &mut stream, errors));
        ring.add_assign(&mut out.b, &*message.map(|x| ring.forward(x)));
        ring.add_assign(&mut out.a, &*noise(ring, limbs, &mut stream, errors).map(|x| ring.forward(x)));
        out
    }
}
