//! Ciphertexts, encryption, decryption, and how much modulus is left.
use std::fmt;
use std::ops::Deref;

use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::modulus::Factor;
use bootes_ring::poly::{Coeff, Limbs, Poly};
use bootes_ring::rns::{Basis, RnsRing};
use bootes_ring::sample::MaskSeed;
use bootes_ring::secret::{Secret, with_cleared_stack};
use zeroize::Zeroizing;

use super::{BfvParams, BfvPublicKey, BfvSchemeError, BfvSecretKey, PhaseSize, State};

/// Where the message is in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// In the high bits: products by scaling and rounding.
    Bfv,
    /// Modulo t: products of phases.
    Bgv,
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bfv => "BFV",
            Self::Bgv => "BGV",
        })
    }
}

/// An encryption of a polynomial modulo t = p^r: see [`bfv`](super).
#[derive(Debug, Clone)]
pub struct BfvCiphertext {
    pub(crate) inner: RnsCiphertext,
    pub(crate) state: State,
    pub(crate) key: [u8; 16],
    /// The fingerprint of the set: sets may share a key.
    pub(crate) set: [u8; 16],
}

/// The state: level, form, factor, and size of the phase.
impl Deref for BfvCiphertext {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl BfvCiphertext {
    /// A ciphertext of one's own making, of which this is known.
    #[must_use]
    pub fn new(params: &BfvParams, inner: RnsCiphertext, state: State, key: [u8; 16]) -> Self {
        Self { inner, state, key, set: params.fingerprint() }
    }

    /// The same, whose w is taken for no smaller.
    #[must_use]
    pub fn of_at_least(mut self, size: PhaseSize) -> Self {
        self.state.size = self.state.size.at_least(size);
        self
    }

    /// The two polynomials.
    #[must_use]
    pub fn inner(&self) -> &RnsCiphertext {
        &self.inner
    }

    /// The state: level, form, factor, and size of the phase.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The identity of the key that it is under.
    #[must_use]
    pub fn key_id(&self) -> [u8; 16] {
        self.key
    }

    /// The same message in the other scheme's form, for nothing: a product with t or 1/t modulo Q.
    #[must_use]
    pub fn into_scheme(mut self, params: &BfvParams, scheme: Scheme) -> Self {
        if self.state.scheme != scheme {
            let limbs = self.inner.limbs();
            let constants = match scheme {
                Scheme::Bfv => params.inverse_of_power(self.state.exponent, limbs),
                Scheme::Bgv => params.power_modulo(self.state.exponent, limbs),
            };
            self.inner.for_both(|x| multiply(params.ring(), x, &constants));
            self.state.scheme = scheme;
        }
        self
    }
}

impl BfvParams {
    /// t^-1 modulo each of the first primes, t = p^`exponent`.
    pub(crate) fn inverse_of_power(&self, exponent: u32, limbs: Limbs) -> Vec<Factor> {
        let t = self.power(exponent);
        let inverse = |q: bootes_ring::modulus::Modulus| {
            q.factor(q.inverse(q.reduce(t)).expect("the primes do not divide plaintext moduli"))
        };
        self.ring().moduli(limbs).into_iter().map(inverse).collect()
    }

    /// t modulo each of the first primes, t = p^`exponent`.
    pub(crate) fn power_modulo(&self, exponent: u32, limbs: Limbs) -> Vec<Factor> {
        let t = self.power(exponent);
        self.ring().moduli(limbs).into_iter().map(|q| q.factor(q.reduce(t))).collect()
    }

    /// The polynomial of w for a message and a factor, balanced; in BFV over t.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`], [`BfvSchemeError::Exponent`].
    pub(crate) fn plaintext(
        &self,
        message: &[i64],
        scheme: Scheme,
        exponent: u32,
        factor: u64,
        limbs: Limbs,
    ) -> Result<Poly<Coeff>, BfvSchemeError> {
        self.check_exponent(exponent)?;
        let (found, expected) = (message.len(), self.degree());
        if found != expected {
            return Err(BfvSchemeError::Coefficients { found, expected });
        }
        let residues = self.residues(exponent);
        let balanced = message.iter().map(|&m| residues.balance(residues.mul(residues.reduce(m), factor)) as f64);
        let balanced: Zeroizing<Vec<f64>> = Zeroizing::new(balanced.collect());
        let mut out = self.ring().from_integers(limbs, &balanced);
        if scheme == Scheme::Bfv {
            multiply(self.ring(), &mut out, &self.inverse_of_power(exponent, limbs));
        }
        Ok(out)
    }

    /// The state of a fresh ciphertext under the secret key.
    #[must_use]
    pub fn fresh(&self, scheme: Scheme, exponent: u32, level: usize) -> State {
        State { level, scheme, exponent, factor: 1, size: self.fresh_size(scheme, exponent, false) }
    }

    /// The state of a fresh ciphertext of BGV under the public key.
    #[must_use]
    pub fn fresh_public(&self, exponent: u32, level: usize) -> State {
        let size = self.fresh_size(Scheme::Bgv, exponent, true);
        State { size, ..self.fresh(Scheme::Bgv, exponent, level) }
    }

    /// The size of w of a fresh ciphertext of the secret key, or of the public key.
    fn fresh_size(&self, scheme: Scheme, exponent: u32, public: bool) -> PhaseSize {
        let unit =
            if scheme == Scheme::Bfv && !public { self.power(exponent) } else { self.power(self.max_exponent()) };
        let noise = self.errors().std.powi(2);
        let message = self.message_size(self.power(exponent));
        let mut errors = self.random_size(noise);
        if public {
            // u·e + e_0 + e_1·s, u ternary.
            let (degree, weight) = (self.degree() as f64, self.mean_weight());
            errors = self.random_size(noise * (2.0 * degree / 3.0 + 1.0 + weight));
            errors.worst += self.tail().max((weight * self.max_slot_value()).sqrt()).log2();
        }
        errors.scaled((unit as f64).log2()).plus(message)
    }
}

/// `x` ← `x` times a constant for each limb.
pub(crate) fn multiply<F: bootes_ring::poly::Form>(ring: &RnsRing, x: &mut Poly<F>, constants: &[Factor]) {
    let limbs = x.limbs();
    for (i, (limb, &c)) in x.iter_mut().zip(constants).enumerate() {
        ring.ntt(limbs, i).mul_factor_assign(limb, c);
    }
}

/// The message as words, for the seed of the mask, with form and set, so that it is none of CKKS or of
/// another modulus under the same key.
fn words(
    params: &BfvParams,
    message: &[i64],
    scheme: Scheme,
    exponent: u32,
    level: usize,
) -> impl Iterator<Item = u64> {
    let set = params.fingerprint();
    let half = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| set[8 * i + j]));
    let form = [scheme as u64, exponent.into(), level as u64, half(0), half(1)];
    message.iter().map(|&m| m as u64).chain(form)
}

impl BfvPublicKey {
    /// Encrypts as [`BfvSecretKey::encrypt`] does, with more noise.
    ///
    /// # Errors
    /// As [`BfvSecretKey::encrypt`].
    pub fn encrypt(
        &self,
        message: &[i64],
        scheme: Scheme,
        exponent: u32,
        level: usize,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        self.params.has(scheme)?;
        self.params.check_level(level)?;
        let seed = self.encryption_seed(words(&self.params, message, scheme, exponent, level))?;
        let params = &self.params;
        // The key's errors are those of one form.
        let own = if params.is_bfv_only() { Scheme::Bfv } else { Scheme::Bgv };
        let plaintext = params.plaintext(message, own, exponent, 1, params.limbs(level))?;
        let inner = self.key.encrypt(params.ring(), plaintext, params.errors(), &seed);
        let size = params.fresh_size(own, exponent, true);
        let state = params.promised("encryption", State { level, scheme: own, exponent, factor: 1, size })?;
        Ok(BfvCiphertext::new(params, inner, state, self.id).into_scheme(params, scheme))
    }
}

impl BfvSecretKey {
    /// Encrypts the polynomial with these N coefficients modulo p^`exponent`, in either scheme, at `level`.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`], [`BfvSchemeError::Exponent`]; [`BfvSchemeError::Keys`] for a level beyond the
    /// parameters, [`BfvSchemeError::Exhausted`] for one whose modulus is too small.
    pub fn encrypt(
        &self,
        message: &[i64],
        scheme: Scheme,
        exponent: u32,
        level: usize,
    ) -> Result<BfvCiphertext, BfvSchemeError> {
        Ok(self.encrypt_with_mask(message, scheme, exponent, level)?.0)
    }

    /// [`Self::encrypt`], and the seed of the mask, which may be published in its place.
    ///
    /// # Errors
    /// As [`Self::encrypt`].
    pub fn encrypt_with_mask(
        &self,
        message: &[i64],
        scheme: Scheme,
        exponent: u32,
        level: usize,
    ) -> Result<(BfvCiphertext, MaskSeed), BfvSchemeError> {
        let params = self.params();
        params.has(scheme)?;
        params.check_level(level)?;
        let plaintext = params.plaintext(message, scheme, exponent, 1, params.limbs(level))?;
        let errors = if scheme == Scheme::Bfv { params.base_errors() } else { params.errors() };
        let (mask, noise) = self.keys.encryption_seed(words(params, message, scheme, exponent, level))?.fork_both(0, 0);
        let inner = RnsCiphertext::encrypt(params.ring(), plaintext, self.key(), errors, &mask, &noise);
        let state = params.promised("encryption", params.fresh(scheme, exponent, level))?;
        Ok((BfvCiphertext::new(params, inner, state, self.id()), mask))
    }

    /// The coefficients of the message, least residues modulo p^r.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`].
    pub fn decrypt(&self, ciphertext: &BfvCiphertext) -> Result<Vec<u64>, BfvSchemeError> {
        self.check(ciphertext)?;
        let residues = self.params().residues(ciphertext.exponent);
        let inverse = residues.inverse(ciphertext.factor).expect("a factor is a unit");
        let mut message = Vec::with_capacity(self.params().degree());
        self.for_each_phase(ciphertext, |words| {
            let (&top, low) = words.split_last().expect("an integer has a word");
            let w = low.iter().rev().fold(residues.reduce(top as i64), |sum, &word| {
                residues.reduce_wide(u128::from(sum) << 64 | u128::from(word))
            });
            message.push(residues.mul(w, inverse));
        })?;
        Ok(message)
    }

    /// Refuses ciphertexts of another key or set.
    fn check(&self, ciphertext: &BfvCiphertext) -> Result<(), BfvSchemeError> {
        let params = self.params();
        if ciphertext.key == self.id() && ciphertext.set == params.fingerprint() {
            return Ok(());
        }
        Err(BfvSchemeError::Foreign { what: "ciphertext", expected: params.name().into() })
    }

    /// log2 of the size of w as it is: the standard deviation of its coefficients, and the largest.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`].
    pub fn measure(&self, ciphertext: &BfvCiphertext) -> Result<[f64; 2], BfvSchemeError> {
        let (mut squares, mut largest, mut count) = (0.0f64, 0.0f64, 0.0f64);
        // Sizes go beyond what an `f64` holds: they are measured against the prediction.
        let unit = ciphertext.size.average.max(0.0);
        self.for_each_phase(ciphertext, |words| {
            let negative = words.last().is_some_and(|&top| top >> 63 == 1);
            // Of the absolute value less one, if it is negative.
            let magnitude = words.iter().map(|&word| (if negative { !word } else { word }) as f64);
            let terms = magnitude.enumerate().filter(|(_, word)| *word != 0.0);
            let w: f64 = terms.map(|(i, word)| word * (64.0 * i as f64 - unit).exp2()).sum();
            (squares, largest, count) = (squares + w * w, largest.max(w), count + 1.0);
        })?;
        Ok([(squares / count).log2() / 2.0 + unit, largest.log2() + unit])
    }

    /// Tells each coefficient of w in two's complement, lowest word first.
    fn for_each_phase(&self, ciphertext: &BfvCiphertext, mut each: impl FnMut(&[u64])) -> Result<(), BfvSchemeError> {
        let params = self.params();
        self.check(ciphertext)?;
        let bgv = ciphertext.clone().into_scheme(params, Scheme::Bgv);
        let phase: Secret<Poly<Coeff>> = self.key().phase(params.ring(), &bgv.inner);
        let basis = Basis::new(params.ring().moduli(bgv.inner.limbs())).expect("the primes of a ring are distinct");
        let mut words = Zeroizing::new(vec![0; basis.words()]);
        let [mut digits, mut residues] = [(); 2].map(|()| Zeroizing::new(vec![0.0; basis.len()]));
        with_cleared_stack(|| {
            for j in 0..params.degree() {
                residues.iter_mut().zip(phase.iter()).for_each(|(r, limb)| *r = limb[j]);
                basis.compose_into(&mut words, &residues, &mut digits);
                each(&words);
            }
        });
        Ok(())
    }
}
