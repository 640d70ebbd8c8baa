//! The port between engines: RLWE ciphertexts modulo a power of two, with values of Z_p as coefficients.
//!
//! A scheme over primes takes them by [`RlweCiphertext::to_base`] and gives them by
//! [`RlweCiphertext::from_base`]; to make, read or change one, no scheme is needed.
//!
//! A value m ∈ Z_p is a coefficient ⌊q/p·m⌉ + e of the phase b + a·s modulo q = 2^k; decryption rounds p/q times the
//! phase and is right while |e| < q/(2p), e the whole difference to q/p·m. Powers of two make reduction to a
//! smaller modulus a mask of bits, and so the digits of m modulo a power of two those of the ciphertext:
//! [`RlweCiphertext::reduce`]. The first prime q_0 of a chain is reached by rounding, and left likewise.
//!
//! Noise: rounding of b and a from a modulus to another one adds independent errors, nearly uniform on \[−1/2, 1/2\],
//! r_b + r_a·s to the phase: [`switch_variance`]. Two coefficients of such noise share their r_a, so that they are
//! uncorrelated on average over s only.
//!
//! Source: Dumezy, Alexandru, Polyakov, Clet, Chakraborty, Boudguiga, *Evaluating Larger Lookup Tables using CKKS*,
//! Section 2.2 and Algorithm 2.
use std::borrow::Cow;
use std::fmt;

use bootes_ring::pack::{pack_words, packed_word_bytes, unpack_words};
use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::rns::{Basis, RnsRing};
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::secret::{Secret, with_cleared_stack, zero_at};
use zeroize::Zeroizing;

use crate::rns::{RnsCiphertext, RnsSecretKey};
use crate::wire::{Reader, WireError, Writer};

mod error;

pub use error::RlweError;

/// How messages stand in a phase: m ∈ Z_p as q/p·m modulo q = 2^k, with 2p ≤ q.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RlweEncoding {
    plaintext_modulus: u64,
    log2_modulus: u32,
}

impl RlweEncoding {
    /// The largest k: words are integers of `f64`, and of the size of a prime.
    pub const MAX_LOG2_MODULUS: u32 = 50;

    /// Messages modulo p = `plaintext_modulus` ≥ 2 and phases modulo 2^k, k = `log2_modulus` ≤ 50.
    ///
    /// # Errors
    /// [`RlweError::PlaintextModulus`], [`RlweError::Log2Modulus`], [`RlweError::TooSmall`] unless 2p ≤ 2^k.
    pub fn new(plaintext_modulus: u64, log2_modulus: u32) -> Result<Self, RlweError> {
        if plaintext_modulus < 2 {
            return Err(RlweError::PlaintextModulus { found: plaintext_modulus });
        }
        if !(2..=Self::MAX_LOG2_MODULUS).contains(&log2_modulus) {
            return Err(RlweError::Log2Modulus { found: log2_modulus, max: Self::MAX_LOG2_MODULUS });
        }
        if plaintext_modulus > 1 << (log2_modulus - 1) {
            let min = u64::BITS - (plaintext_modulus - 1).leading_zeros() + 1;
            return Err(RlweError::TooSmall { found: log2_modulus, plaintext_modulus, min });
        }
        Ok(Self { plaintext_modulus, log2_modulus })
    }

    /// p.
    #[must_use]
    pub fn plaintext_modulus(self) -> u64 {
        self.plaintext_modulus
    }

    /// k.
    #[must_use]
    pub fn log2_modulus(self) -> u32 {
        self.log2_modulus
    }

    /// q/(2p): noise below it decrypts right.
    #[must_use]
    pub fn tolerance(self) -> f64 {
        f64::from(self.log2_modulus - 1).exp2() / self.plaintext_modulus as f64
    }

    /// ⌊q/p·m⌉ for m < p.
    #[must_use]
    pub fn encode(self, m: u64) -> u64 {
        let p = u128::from(self.plaintext_modulus);
        (((u128::from(m) << (self.log2_modulus + 1)) + p) / (2 * p)) as u64
    }

    /// ⌊p/q·x⌉ modulo p for x < q.
    #[must_use]
    pub fn decode(self, x: u64) -> u64 {
        let half = 1 << (self.log2_modulus - 1);
        let m = (u128::from(x) * u128::from(self.plaintext_modulus) + half) >> self.log2_modulus;
        // m ≤ p, and phases are secret.
        zero_at(self.plaintext_modulus, m as u64)
    }

    /// x − q/p·m modulo q, in \[−q/2, q/2\]: exact up to one rounding to `f64`.
    #[must_use]
    pub fn error(self, x: u64, m: u64) -> f64 {
        let p = i128::from(self.plaintext_modulus);
        let whole = p << self.log2_modulus;
        let error = (i128::from(x) * p - (i128::from(m) << self.log2_modulus)).rem_euclid(whole);
        (if 2 * error > whole { error - whole } else { error }) as f64 / p as f64
    }

    /// The variance of the noise of a fresh encryption of uniform messages: σ² + 1/12 for the rounded Gaussian, and (1
    /// − 1/p'²)/12 for ⌊q/p·m⌉, whose errors are multiples of 1/p', p' the odd part of p.
    #[must_use]
    pub fn fresh_variance(self, std: f64) -> f64 {
        let odd = (self.plaintext_modulus >> self.plaintext_modulus.trailing_zeros()) as f64;
        std * std + (2.0 - 1.0 / (odd * odd)) / 12.0
    }

    /// The words below q that agree with `x` modulo q.
    fn reduce(self, x: u64) -> u64 {
        x & ((1 << self.log2_modulus) - 1)
    }

    /// The integer in \[−q/2, q/2) of a word below q.
    fn balance(self, x: u64) -> i64 {
        let shift = 64 - self.log2_modulus;
        (x << shift) as i64 >> shift
    }
}

impl fmt::Display for RlweEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "modulo {} in a modulus 2^{}", self.plaintext_modulus, self.log2_modulus)
    }
}

/// The variance of the noise after a switch of modulus q ↦ Q: `variance`·(Q/q)² + (1 + h)/12 in units of Q, with
/// `log2_ratio` = log2(Q/q) and h = ‖s‖².
///
/// For [`RlweCiphertext::to_base`] and [`RlweCiphertext::from_base`]. To a larger modulus and back is the identity.
#[must_use]
pub fn switch_variance(variance: f64, log2_ratio: f64, weight: usize) -> f64 {
    variance * (2.0 * log2_ratio).exp2() + (1.0 + weight as f64) / 12.0
}

/// The same for [`RlweCiphertext::mod_switch`] from 2^`from` to 2^`to`: multiples of 2^−d, d = `from` − `to`, are
/// rounded with the variance (1 + 2·4^−d)/12, ties to even and so without bias, and nothing is rounded if d ≤ 0.
#[must_use]
pub fn mod_switch_variance(variance: f64, from: u32, to: u32, weight: usize) -> f64 {
    let ratio = (2.0 * (f64::from(to) - f64::from(from))).exp2();
    let rounding = if to < from { (1.0 + 2.0 * ratio) * (1.0 + weight as f64) / 12.0 } else { 0.0 };
    variance * ratio + rounding
}

/// The uniform half of a ciphertext.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mask {
    /// The low k bits of the words of stream 0.
    Seeded(MaskSeed),
    /// Words below 2^k.
    Words(Vec<u64>),
}

/// (b, a) with the phase b + a·s modulo 2^k, `count` of whose N coefficients carry values of Z_p.
///
/// A fresh ciphertext has the seed of a in its place, and so half the size.
#[derive(Clone, PartialEq, Eq)]
pub struct RlweCiphertext {
    encoding: RlweEncoding,
    count: usize,
    b: Vec<u64>,
    mask: Mask,
}

impl fmt::Debug for RlweCiphertext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RlweCiphertext({:?}, {} of {} values)", self.encoding, self.count, self.b.len())
    }
}

impl RlweCiphertext {
    /// Encrypts `values` as the first coefficients, 0 as the others, with noise of standard deviation `std`.
    ///
    /// `mask` and `noise` serve this ciphertext only: stream 0 of each. Products are exact, modulo as many primes of
    /// the key as they need. Time: two transforms a prime.
    ///
    /// # Errors
    /// [`RlweError::TooManyValues`], [`RlweError::Value`], [`RlweError::Noise`], [`RlweError::TooSmall`] unless every
    /// fresh ciphertext decrypts right (the noise reaches 9.5·`std` + 1), [`RlweError::Degree`],
    /// [`RlweError::KeyModulus`].
    pub fn encrypt(
        ring: &RnsRing,
        encoding: RlweEncoding,
        values: &[u64],
        key: &RnsSecretKey,
        std: f64,
        mask: MaskSeed,
        noise: &SecretSeed,
    ) -> Result<Self, RlweError> {
        let RlweEncoding { plaintext_modulus: p, log2_modulus } = encoding;
        check_count(values.len(), ring.degree())?;
        if let Some(position) = values.iter().position(|&m| m >= p) {
            return Err(RlweError::Value { position, found: values[position], modulus: p });
        }
        if !(0.0..=40f64.exp2()).contains(&std) {
            return Err(RlweError::Noise { found: std });
        }
        let worst = 9.5 * std + 1.0;
        if worst > encoding.tolerance() {
            let min = (2.0 * p as f64 * worst).log2().ceil() as u32;
            return Err(RlweError::TooSmall { found: log2_modulus, plaintext_modulus: p, min });
        }
        let mask = Mask::Seeded(mask);
        let mut out = Self { encoding, count: values.len(), b: Vec::new(), mask };
        let product = product(ring, encoding, &out.mask_words(ring.degree()), key)?;
        let mut errors = Zeroizing::new(vec![0i64; ring.degree()]);
        NoiseStream::new(noise, 0).fill_gaussian(&mut errors, std);
        let messages = values.iter().map(|&m| encoding.encode(m)).chain(std::iter::repeat(0));
        let rest = errors.iter().zip(product.iter()).map(|(&e, x)| (e as u64).wrapping_sub(*x));
        out.b = messages.zip(rest).map(|(m, rest)| encoding.reduce(m.wrapping_add(rest))).collect();
        Ok(out)
    }

    /// The values, ⌊p/q·phase⌉ modulo p.
    ///
    /// # Errors
    /// [`RlweError::Degree`], [`RlweError::KeyModulus`].
    pub fn decrypt(&self, ring: &RnsRing, key: &RnsSecretKey) -> Result<Vec<u64>, RlweError> {
        let phase = self.phase(ring, key)?;
        Ok(phase[..self.count].iter().map(|&x| self.encoding.decode(x)).collect())
    }

    /// The noise, phase − q/p·m, of the coefficients of the values `expected`, in units of 1 of q. It takes the secret
    /// and tells of it: a measurement, for tests.
    ///
    /// # Errors
    /// [`RlweError::TooManyValues`], and as [`decrypt`](Self::decrypt).
    pub fn errors(&self, ring: &RnsRing, key: &RnsSecretKey, expected: &[u64]) -> Result<Vec<f64>, RlweError> {
        check_count(expected.len(), self.degree())?;
        let phase = self.phase(ring, key)?;
        Ok(phase.iter().zip(expected).map(|(&x, &m)| self.encoding.error(x, m)).collect())
    }

    /// How messages are encoded.
    #[must_use]
    pub fn encoding(&self) -> RlweEncoding {
        self.encoding
    }

    /// How many coefficients, the first ones, carry values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.b.len()
    }

    /// b, words below 2^k.
    #[must_use]
    pub fn body(&self) -> &[u64] {
        &self.b
    }

    /// a, words below 2^k; made from its seed where it is fresh.
    #[must_use]
    pub fn mask(&self) -> Cow<'_, [u64]> {
        self.mask_words(self.degree())
    }

    /// The ciphertext modulo the first prime q_0 of the chain, with the phase q_0/q·phase + rounding:
    /// [`switch_variance`].
    ///
    /// # Errors
    /// [`RlweError::Degree`].
    pub fn to_base(&self, ring: &RnsRing) -> Result<RnsCiphertext, RlweError> {
        check_degree(self.degree(), ring)?;
        let limbs = Limbs::chain(1);
        let q0 = i128::from(ring.modulus(limbs, 0).value());
        let (k, half) = (self.encoding.log2_modulus, 1i128 << (self.encoding.log2_modulus - 1));
        let switch = |words: &[u64]| {
            let mut out: Poly<Coeff> = ring.zero(limbs);
            // |x| ≤ 2^(k−1), and ties are rounded up: the results are balanced.
            let round = |x| ((i128::from(self.encoding.balance(x)) * q0 + half) >> k) as f64;
            out.limb_mut(0).iter_mut().zip(words).for_each(|(out, &x)| *out = round(x));
            ring.forward(out)
        };
        Ok(RnsCiphertext { b: switch(&self.b), a: switch(&self.mask()) })
    }

    /// The ciphertext of a ciphertext modulo q_0, whose first `count` coefficients carry values q_0/p·m: phase
    /// q/q_0·phase + rounding, [`switch_variance`].
    ///
    /// # Errors
    /// [`RlweError::NotBase`], [`RlweError::Degree`], [`RlweError::TooManyValues`].
    pub fn from_base(
        ring: &RnsRing,
        ciphertext: &RnsCiphertext,
        encoding: RlweEncoding,
        count: usize,
    ) -> Result<Self, RlweError> {
        let limbs = ciphertext.limbs();
        if limbs != Limbs::chain(1) {
            return Err(RlweError::NotBase { found: limbs });
        }
        check_degree(ciphertext.b.degree(), ring)?;
        check_count(count, ring.degree())?;
        let q0 = ring.modulus(limbs, 0).value() as i64;
        let ratio = f64::from(encoding.log2_modulus).exp2() / q0 as f64;
        let switch = |x: &Poly<Eval>| {
            let x = ring.backward(x.clone());
            x.limb(0).iter().map(|&x| encoding.reduce(round_quotient(x, encoding.log2_modulus, q0, ratio))).collect()
        };
        let (b, a) = (switch(&ciphertext.b), switch(&ciphertext.a));
        Ok(Self { encoding, count, b, mask: Mask::Words(a) })
    }

    /// The ciphertext modulo 2^`log2_modulus` of the same messages: phase scaled and rounded, [`mod_switch_variance`].
    ///
    /// # Errors
    /// As [`RlweEncoding::new`].
    pub fn mod_switch(&self, log2_modulus: u32) -> Result<Self, RlweError> {
        let encoding = RlweEncoding::new(self.encoding.plaintext_modulus, log2_modulus)?;
        let (old, new) = (self.encoding.log2_modulus, log2_modulus);
        let switch = |words: &[u64]| match old.checked_sub(new) {
            None => words.iter().map(|&x| x << (new - old)).collect(),
            Some(0) => words.to_vec(),
            Some(d) => words.iter().map(|&x| encoding.reduce((x + (1 << (d - 1)) - 1 + (x >> d & 1)) >> d)).collect(),
        };
        Ok(Self { encoding, count: self.count, b: switch(&self.b), mask: Mask::Words(switch(&self.mask())) })
    }

    /// The same ciphertext modulo the smaller q' = 2^`log2_modulus`, `[ct]_q'` of Algorithm 2: messages modulo p·q'/q,
    /// the lowest digit of those modulo p, with the same noise.
    ///
    /// # Errors
    /// [`RlweError::Reduction`] unless q' ≤ q and p·q'/q is an integer from 2 on, and as [`RlweEncoding::new`].
    pub fn reduce(&self, log2_modulus: u32) -> Result<Self, RlweError> {
        let RlweEncoding { plaintext_modulus: p, log2_modulus: old } = self.encoding;
        let shift = old.checked_sub(log2_modulus).filter(|&d| d <= p.trailing_zeros() && p >> d >= 2);
        let shift = shift.ok_or(RlweError::Reduction { found: self.encoding, log2_modulus })?;
        let encoding = RlweEncoding::new(p >> shift, log2_modulus)?;
        let reduce = |words: &[u64]| words.iter().map(|&x| encoding.reduce(x)).collect();
        let mask = match &self.mask {
            Mask::Seeded(seed) => Mask::Seeded(*seed),
            Mask::Words(words) => Mask::Words(reduce(words)),
        };
        Ok(Self { encoding, count: self.count, b: reduce(&self.b), mask })
    }

    /// The same words with messages m·p'/p, p' = `plaintext_modulus`: of multiples of p/p', what is left once the
    /// lowest digit is subtracted.
    ///
    /// # Errors
    /// As [`RlweEncoding::new`].
    pub fn with_plaintext_modulus(self, plaintext_modulus: u64) -> Result<Self, RlweError> {
        Ok(Self { encoding: RlweEncoding::new(plaintext_modulus, self.encoding.log2_modulus)?, ..self })
    }

    /// Adds messages modulo p; variances add up.
    ///
    /// # Errors
    /// [`RlweError::Degree`], [`RlweError::Encoding`].
    pub fn add_assign(&mut self, other: &Self) -> Result<(), RlweError> {
        self.zip(other, u64::wrapping_add)
    }

    /// Subtracts messages modulo p; variances add up.
    ///
    /// # Errors
    /// [`RlweError::Degree`], [`RlweError::Encoding`].
    pub fn sub_assign(&mut self, other: &Self) -> Result<(), RlweError> {
        self.zip(other, u64::wrapping_sub)
    }

    /// Multiplies messages by `factor` modulo p; the noise is multiplied by |`factor`|.
    pub fn mul_assign(&mut self, factor: i64) {
        let encoding = self.encoding;
        let multiply = |words: &mut [u64]| {
            words.iter_mut().for_each(|x| *x = encoding.reduce(x.wrapping_mul(factor as u64)));
        };
        let mut mask = self.mask().into_owned();
        multiply(&mut mask);
        multiply(&mut self.b);
        self.mask = Mask::Words(mask);
    }

    /// Adds `constant` modulo p to each message. Its rounding adds up with theirs, half a unit of 2^-k.
    pub fn add_constant(&mut self, constant: u64) {
        self.add_constants(std::iter::repeat(constant));
    }

    /// The same of a constant for each message.
    pub fn add_constants(&mut self, constants: impl IntoIterator<Item = u64>) {
        let (encoding, count) = (self.encoding, self.count);
        let encoded = constants.into_iter().map(|constant| encoding.encode(constant % encoding.plaintext_modulus));
        self.b[..count].iter_mut().zip(encoded).for_each(|(x, c)| *x = encoding.reduce(x.wrapping_add(c)));
        self.mask = Mask::Words(self.mask().into_owned());
    }

    /// Whether the mask is a seed, as that of an encryption is.
    #[must_use]
    pub fn is_seeded(&self) -> bool {
        matches!(self.mask, Mask::Seeded(_))
    }

    fn zip(&mut self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Result<(), RlweError> {
        let encoding = self.encoding;
        if self.degree() != other.degree() {
            return Err(RlweError::Degree { found: other.degree(), expected: self.degree() });
        }
        if encoding != other.encoding {
            return Err(RlweError::Encoding { found: other.encoding, expected: encoding });
        }
        let zip = |x: &mut [u64], y: &[u64]| x.iter_mut().zip(y).for_each(|(x, &y)| *x = encoding.reduce(op(*x, y)));
        let mut mask = self.mask().into_owned();
        zip(&mut mask, &other.mask());
        zip(&mut self.b, &other.b);
        self.mask = Mask::Words(mask);
        self.count = self.count.max(other.count);
        Ok(())
    }

    /// The bytes that [`write`](Self::write) writes.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        let words = packed_word_bytes(self.degree(), self.encoding.log2_modulus);
        HEAD_BYTES + words + if self.is_seeded() { 32 } else { words }
    }

    /// Writes: log2 N, k, the form of a (each a byte; 0 for a seed, 1 for words), p (8 bytes), the number of values
    /// (4), the seed (32) or the [packed](bootes_ring::pack) words of a, the packed words of b, of k bits.
    pub fn write(&self, out: &mut Writer) {
        let k = self.encoding.log2_modulus;
        out.u8(self.degree().ilog2() as u8);
        out.u8(k as u8);
        out.u8(matches!(self.mask, Mask::Words(_)).into());
        out.u64(self.encoding.plaintext_modulus);
        out.u32(u32::try_from(self.count).expect("a degree is below 2^32"));
        let mut packed = Vec::new();
        match &self.mask {
            Mask::Seeded(seed) => packed.extend(seed.to_bytes()),
            Mask::Words(words) => pack_words(&mut packed, words, k),
        }
        pack_words(&mut packed, &self.b, k);
        out.raw(&packed);
    }

    /// Reads a ciphertext of degree N = `degree`; the form is unique.
    ///
    /// # Errors
    /// [`RlweError::Degree`], [`RlweError::TooManyValues`], [`RlweError::Wire`], [`RlweError::Ring`], and as
    /// [`RlweEncoding::new`].
    pub fn read(degree: usize, input: &mut Reader<'_>) -> Result<Self, RlweError> {
        let log2_degree = input.u8()?;
        if u32::from(log2_degree) != degree.ilog2() {
            return Err(RlweError::Degree { found: 1usize.unbounded_shl(log2_degree.into()), expected: degree });
        }
        let (k, form) = (input.u8()?, input.u8()?);
        let encoding = RlweEncoding::new(input.u64()?, k.into())?;
        let count = input.u32()? as usize;
        check_count(count, degree)?;
        let words = |input: &mut Reader<'_>| {
            let packed = input.raw(packed_word_bytes(degree, k.into()))?;
            let mut words = vec![0; degree];
            unpack_words(&mut words, packed, k.into())?;
            Ok::<_, RlweError>(words)
        };
        let mask = match form {
            0 => Mask::Seeded(MaskSeed::from_bytes(input.array()?)),
            1 => Mask::Words(words(input)?),
            _ => return Err(WireError::Malformed { what: "a mask is neither a seed nor words" }.into()),
        };
        Ok(Self { encoding, count, b: words(input)?, mask })
    }

    fn mask_words(&self, degree: usize) -> Cow<'_, [u64]> {
        match &self.mask {
            Mask::Words(words) => Cow::Borrowed(words),
            Mask::Seeded(seed) => {
                let mut words = vec![0; degree];
                MaskStream::new(seed, 0).fill_u64(&mut words);
                words.iter_mut().for_each(|x| *x = self.encoding.reduce(*x));
                Cow::Owned(words)
            }
        }
    }

    /// b + a·s modulo 2^k.
    fn phase(&self, ring: &RnsRing, key: &RnsSecretKey) -> Result<Zeroizing<Vec<u64>>, RlweError> {
        check_degree(self.degree(), ring)?;
        let mut phase = product(ring, self.encoding, &self.mask(), key)?;
        phase.iter_mut().zip(&self.b).for_each(|(x, &b)| *x = self.encoding.reduce(x.wrapping_add(b)));
        Ok(phase)
    }
}

/// Bytes of a ciphertext before its mask.
const HEAD_BYTES: usize = 3 + 8 + 4;

fn check_count(found: usize, max: usize) -> Result<(), RlweError> {
    if found <= max { Ok(()) } else { Err(RlweError::TooManyValues { found, max }) }
}

fn check_degree(found: usize, ring: &RnsRing) -> Result<(), RlweError> {
    let expected = ring.degree();
    if found == expected { Ok(()) } else { Err(RlweError::Degree { found, expected }) }
}

/// a·s, words that are right modulo 2^k: with a balanced, |a·s| ≤ h·2^(k−1), it is exact modulo primes of a product
/// above h·2^k.
fn product(
    ring: &RnsRing,
    encoding: RlweEncoding,
    mask: &[u64],
    key: &RnsSecretKey,
) -> Result<Zeroizing<Vec<u64>>, RlweError> {
    check_degree(key.expose_coefficients().len(), ring)?;
    let own = key.expose_values().limbs();
    let expected = f64::from(encoding.log2_modulus) + (key.weight().max(1) as f64).log2();
    let first = |count: usize| Limbs { chain: count.min(own.chain), special: count.saturating_sub(own.chain) };
    let limbs = (1..=own.count()).map(first).find(|&limbs| ring.log2(limbs) > expected + 1e-9);
    let limbs = limbs.ok_or_else(|| RlweError::KeyModulus { found: ring.log2(own), expected })?;
    let balanced: Vec<f64> = mask.iter().map(|&x| encoding.balance(x) as f64).collect();
    let mut values = Secret::new(ring.forward(ring.from_integers(limbs, &balanced)));
    ring.mul_assign(&mut values, key.expose_values());
    let coefficients = values.map(|x| ring.backward(x));
    let basis = Basis::new(ring.moduli(limbs))?;
    let mut words = Zeroizing::new(vec![0; basis.words()]);
    let (mut residues, mut digits) = (Zeroizing::new(vec![0.0; basis.len()]), Zeroizing::new(vec![0.0; basis.len()]));
    let mut out = Zeroizing::new(vec![0; ring.degree()]);
    with_cleared_stack(|| {
        for (n, out) in out.iter_mut().enumerate() {
            residues.iter_mut().zip(coefficients.iter()).for_each(|(residue, limb)| *residue = limb[n]);
            basis.compose_into(&mut words, &residues, &mut digits);
            *out = words[0];
        }
    });
    Ok(out)
}

/// ⌊x·2^k/q_0⌉ modulo 2^64 for an integer |x| < q_0/2, with `ratio` ≈ 2^k/q_0; q_0 is odd, so there are no ties.
///
/// The quotient is below 2^49, so that the estimate in `f64` is off by less than 1; what is left, below q_0, is right
/// though computed modulo 2^64.
fn round_quotient(x: f64, k: u32, q0: i64, ratio: f64) -> u64 {
    let estimate = (x * ratio).round() as i64;
    let rest = ((x as i64) << k).wrapping_sub(estimate.wrapping_mul(q0));
    (estimate + i64::from(2 * rest > q0) - i64::from(2 * rest < -q0)) as u64
}

#[cfg(test)]
mod tests;
