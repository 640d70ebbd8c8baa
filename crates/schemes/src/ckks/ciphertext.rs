//! Plaintexts and ciphertexts with their scale.
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::poly::{Coeff, Limbs, Poly};
use bootes_ring::sample::{MaskSeed, MaskStream, SecretSeed};
use bootes_ring::secret::with_cleared_stack;
use num_complex::Complex64;
use zeroize::Zeroizing;

use super::{CkksError, CkksParams, CkksPublicKey, CkksSecretKey, Encoder};

/// An encryption of values z: its phase is the polynomial with slots `scale`·z, plus noise.
#[derive(Debug, Clone)]
pub struct CkksCiphertext {
    pub(super) inner: RnsCiphertext,
    pub(super) scale: f64,
    pub(super) key: [u8; 16],
}

impl CkksCiphertext {
    /// A ciphertext of one's own making: its phase read at this scale.
    #[must_use]
    pub fn new(inner: RnsCiphertext, scale: f64, key: [u8; 16]) -> Self {
        Self { inner, scale, key }
    }

    /// The two polynomials.
    #[must_use]
    pub fn inner(&self) -> &RnsCiphertext {
        &self.inner
    }

    /// The level ℓ: the modulus is q_0⋯q_ℓ.
    #[must_use]
    pub fn level(&self) -> usize {
        self.inner.limbs().chain - 1
    }

    /// The scale.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The identity of the key that it is under.
    #[must_use]
    pub fn key_id(&self) -> [u8; 16] {
        self.key
    }

    /// The same ciphertext with its phase read at another scale.
    #[must_use]
    pub fn with_scale(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }
}

/// The coefficients of the polynomial with slots `scale`·z, rounded.
///
/// # Errors
/// As [`Encoder::coefficients_into`].
pub fn encode(encoder: &Encoder, slots: &[Complex64], scale: f64) -> Result<Zeroizing<Vec<f64>>, CkksError> {
    let mut coefficients = Zeroizing::new(vec![0.0; encoder.degree()]);
    encoder.coefficients_into(&mut coefficients, slots)?;
    coefficients.iter_mut().for_each(|x| *x = (*x * scale).round_ties_even());
    Ok(coefficients)
}

/// The same, each coefficient c rounded to ⌊c + u⌋ with u uniform on [0, 1): one of both integers next to it, and c on
/// average, so that errors of coefficients are independent of each other, whoever chose the slots: a sum of them with
/// weights w exceeds t·√(Σw²)/2 with a probability of at most 2·exp(−t²/2) (Hoeffding).
fn encode_dithered(
    encoder: &Encoder,
    slots: &[Complex64],
    scale: f64,
    mut dither: MaskStream,
) -> Result<Zeroizing<Vec<f64>>, CkksError> {
    let mut coefficients = Zeroizing::new(vec![0.0; encoder.degree()]);
    encoder.coefficients_into(&mut coefficients, slots)?;
    let mut words = [0u32; 512];
    for coefficients in coefficients.chunks_mut(words.len()) {
        dither.fill_u32(&mut words);
        coefficients
            .iter_mut()
            .zip(words)
            .for_each(|(x, u)| *x = (*x * scale + f64::from(u) * 2.0f64.powi(-32)).floor());
    }
    Ok(coefficients)
}

/// Refuses integers from 2^`log2_max` on, and what is none.
pub(super) fn check_size(log2_max: f64, integers: &[f64]) -> Result<(), CkksError> {
    let max = log2_max.exp2();
    match integers.iter().find(|x| x.is_nan() || x.abs() >= max) {
        Some(found) => Err(CkksError::TooLarge { log2_found: found.abs().log2(), log2_max }),
        None => Ok(()),
    }
}

/// log2 of what integers must be below: half the modulus, and 2^100, which is as far as they are reduced exactly.
pub(super) fn log2_max(params: &CkksParams, limbs: Limbs) -> f64 {
    (params.ring().log2(limbs) - 1.0).min(100.0)
}

/// The polynomial with slots `scale`·z, rounded, modulo the primes `limbs`.
pub(super) fn plaintext(
    params: &CkksParams,
    encoder: &Encoder,
    values: &[Complex64],
    scale: f64,
    limbs: Limbs,
) -> Result<Poly<Coeff>, CkksError> {
    polynomial(params, &encode(encoder, values, scale)?, limbs)
}

/// The same, rounded by chance.
pub(super) fn dithered_plaintext(
    params: &CkksParams,
    encoder: &Encoder,
    values: &[Complex64],
    scale: f64,
    limbs: Limbs,
    dither: MaskStream,
) -> Result<Poly<Coeff>, CkksError> {
    polynomial(params, &encode_dithered(encoder, values, scale, dither)?, limbs)
}

fn polynomial(params: &CkksParams, coefficients: &[f64], limbs: Limbs) -> Result<Poly<Coeff>, CkksError> {
    check_size(log2_max(params, limbs), coefficients)?;
    Ok(params.ring().from_integers(limbs, coefficients))
}

/// The polynomial of a fresh ciphertext of this level, and its scale.
fn message(
    params: &CkksParams,
    encoder: &Encoder,
    values: &[Complex64],
    level: usize,
) -> Result<(Poly<Coeff>, f64), CkksError> {
    params.check_level(level)?;
    let scale = params.scale(level);
    Ok((plaintext(params, encoder, values, scale, params.limbs(level))?, scale))
}

/// Balanced integers as `f64`, from residues: exact modulo one prime, within 2^-53 relatively modulo more.
#[must_use]
pub fn coefficients(params: &CkksParams, x: &Poly<Coeff>) -> Zeroizing<Vec<f64>> {
    // Modulo three primes at most: messages are small against them.
    let limbs = Limbs::chain(x.limbs().chain.min(3));
    let basis = bootes_ring::rns::Basis::new(params.ring().moduli(limbs)).expect("the primes of a ring are distinct");
    let mut words = Zeroizing::new(vec![0; basis.words()]);
    let [mut digits, mut residues] = [(); 2].map(|()| Zeroizing::new(vec![0.0; basis.len()]));
    let coefficient = |j: usize| {
        residues.iter_mut().zip(x.iter()).for_each(|(r, limb)| *r = limb[j]);
        basis.compose_into(&mut words, &residues, &mut digits);
        // The absolute value, since words of a negative number cancel.
        let negative = words.last().is_some_and(|&top| top >> 63 == 1);
        let mut carry = negative;
        let magnitude = words.iter().map(|&word| {
            let (word, overflow) = (if negative { !word } else { word }).overflowing_add(carry.into());
            carry = overflow;
            word as f64
        });
        let sum = magnitude.zip(0..).map(|(word, i)| word * 2f64.powi(64 * i)).sum::<f64>();
        if negative { -sum } else { sum }
    };
    Zeroizing::new(with_cleared_stack(|| (0..params.degree()).map(coefficient).collect()))
}

/// The message of a ciphertext of `values` at `level` as words, for the seed of its mask.
fn words(values: &[Complex64], level: usize) -> impl Iterator<Item = u64> {
    values.iter().flat_map(|value| [value.re.to_bits(), value.im.to_bits()]).chain([level as u64])
}

impl CkksPublicKey {
    /// Encrypts values at `level` with its canonical scale, as [`CkksSecretKey::encrypt`] does, with more noise
    /// ([`CkksParams::public_encryption_noise`]).
    ///
    /// # Errors
    /// As [`CkksSecretKey::encrypt`].
    pub fn encrypt(&self, encoder: &Encoder, values: &[Complex64], level: usize) -> Result<CkksCiphertext, CkksError> {
        let seed = self.encryption_seed(words(values, level))?;
        self.encrypt_with_randomness_for_tests(encoder, values, level, &seed)
    }

    /// An encryption of zero modulo q_0, to which these words are added: one modulo q_0·q_1, divided by q_1.
    ///
    /// Its coefficients have the variance (1 + h)/12 of rounding and σ²·(2N/3 + 1 + h)/q_1², of the encryption.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn encrypt_zero(&self, message: impl IntoIterator<Item = u64>) -> Result<RnsCiphertext, CkksError> {
        let (params, ring, seed) = (&self.params, self.params.ring(), self.encryption_seed(message)?);
        let zero = self.key.encrypt(ring, ring.zero(params.limbs(1)), params.errors(), &seed);
        Ok(zero.divided(ring, params.rescale(1)))
    }

    /// [`Self::encrypt`] with the randomness of this seed: two ciphertexts of one seed tell the difference of their
    /// values. For tests.
    ///
    /// # Errors
    /// As [`CkksSecretKey::encrypt`].
    pub fn encrypt_with_randomness_for_tests(
        &self,
        encoder: &Encoder,
        values: &[Complex64],
        level: usize,
        seed: &SecretSeed,
    ) -> Result<CkksCiphertext, CkksError> {
        let (message, scale) = message(&self.params, encoder, values, level)?;
        let inner = self.key.encrypt(self.params.ring(), message, self.params.errors(), seed);
        Ok(CkksCiphertext { inner, scale, key: self.id })
    }
}

impl CkksSecretKey {
    /// Encrypts values at `level` with its canonical scale; the number of values is a power of two up to N/2.
    ///
    /// # Errors
    /// As [`Encoder::coefficients_into`]; [`CkksError::Keys`] for a level beyond the parameters;
    /// [`CkksError::TooLarge`] for values that the modulus of the level does not hold.
    pub fn encrypt(&self, encoder: &Encoder, values: &[Complex64], level: usize) -> Result<CkksCiphertext, CkksError> {
        Ok(self.encrypt_with_mask(encoder, values, level)?.0)
    }

    /// [`Self::encrypt`], and the seed of the mask.
    pub(super) fn encrypt_with_mask(
        &self,
        encoder: &Encoder,
        values: &[Complex64],
        level: usize,
    ) -> Result<(CkksCiphertext, MaskSeed), CkksError> {
        let seed = self.keys.encryption_seed(words(values, level))?;
        let ciphertext = self.encrypt_with_randomness_for_tests(encoder, values, level, &seed)?;
        Ok((ciphertext, seed.fork_both(0, 0).0))
    }

    /// [`Self::encrypt`] with the randomness of this seed: two ciphertexts of one seed tell the difference of their
    /// values, and at two levels the secret key. For tests.
    ///
    /// # Errors
    /// As [`Self::encrypt`].
    pub fn encrypt_with_randomness_for_tests(
        &self,
        encoder: &Encoder,
        values: &[Complex64],
        level: usize,
        seed: &SecretSeed,
    ) -> Result<CkksCiphertext, CkksError> {
        let (message, scale) = message(self.params(), encoder, values, level)?;
        let (mask, noise) = seed.fork_both(0, 0);
        let inner =
            RnsCiphertext::encrypt(self.params().ring(), message, self.key(), self.params().errors(), &mask, &noise);
        Ok(CkksCiphertext { inner, scale, key: self.id() })
    }

    /// The first `count` values of a ciphertext, a power of two up to N/2.
    ///
    /// Publishing them, low digits and all, tells of the secret key: round to what the computation promises first.
    ///
    /// # Errors
    /// [`CkksError::Foreign`] for a ciphertext under another key; as [`Encoder::slots_into`].
    pub fn decrypt(
        &self,
        encoder: &Encoder,
        ciphertext: &CkksCiphertext,
        count: usize,
    ) -> Result<Vec<Complex64>, CkksError> {
        if ciphertext.key != self.id() {
            return Err(CkksError::Foreign { what: "ciphertext", expected: self.params().name().into() });
        }
        let phase = self.key().phase(self.params().ring(), &ciphertext.inner);
        let mut values = vec![Complex64::ZERO; count];
        encoder.slots_into(&mut values, &coefficients(self.params(), &phase))?;
        values.iter_mut().for_each(|z| *z /= ciphertext.scale);
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::TAU;

    use super::*;

    /// Coefficients that all miss the nearest integer by 0.49, in the direction that slot 0 has them add up in.
    #[test]
    fn slots_that_were_chosen_are_rounded_by_chance() {
        let degree = 1 << 12;
        let encoder = Encoder::new(degree).unwrap();
        let weights: Vec<f64> = (0..degree).map(|k| (TAU * k as f64 / (2 * degree) as f64).cos()).collect();
        let chosen: Vec<f64> = weights.iter().map(|w| 0.49 * w.signum()).collect();
        let mut slots = vec![Complex64::ZERO; degree / 2];
        encoder.slots_into(&mut slots, &chosen).unwrap();
        let of =
            |rounded: &[f64]| rounded.iter().zip(&chosen).zip(&weights).map(|((x, c), w)| (x - c) * w).sum::<f64>();

        let nearest = of(&encode(&encoder, &slots, 1.0).unwrap());
        let seed = MaskSeed::from_bytes([5; 32]);
        let dithered = |i| of(&encode_dithered(&encoder, &slots, 1.0, MaskStream::new(&seed, i)).unwrap());
        let squares = weights.iter().map(|w| w * w).sum::<f64>();
        // Beyond 13.73·√(Σw²/12), which 2^-140 of random roundings to the nearest integer exceed.
        assert!(nearest.abs() > 13.73 * (squares / 12.0).sqrt(), "{nearest}");
        let count = 200;
        let errors: Vec<f64> = (0..count).map(dithered).collect();
        let variance = errors.iter().map(|e| e * e).sum::<f64>() / count as f64 / squares;
        // Of Bernoulli variables of probability 0.49, or 0.51.
        assert!((variance / (0.49 * 0.51) - 1.0).abs() < 5.0 * (2.0 / count as f64).sqrt(), "{variance}");
        assert!(errors.iter().all(|e| e.abs() < 7.0 * squares.sqrt()), "{errors:?}");
    }
}
