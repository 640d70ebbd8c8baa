//! Ring switching: a ciphertext of the [port](crate::port) becomes GLWE ciphertexts of a smaller ring, on the torus.
//!
//! With Y = X^r, r = N/d, a polynomial of degree N is r of degree d: p(X) = Σ_{j<r} X^j·p_j(Y). Let s be the secret of
//! the port, of degree N, and t = (t_1, …, t_k) a GLWE key of degree d. Rows (j, l) = GLWE_t(s_j·g_l) of degree d, put
//! side by side as Σ_j X^j·(row (j, l))(Y), are encryptions of s·g_l under t(Y) in the large ring. With the digits of
//! a,
//!
//! b + Σ_l digit_l(a)·row_l
//!
//! has the phase b + a·s + noise under t(Y), and so its part j is a GLWE ciphertext of degree d under t, whose
//! coefficient u is coefficient j + r·u of what was given. One product a digit and polynomial serves all N of them.
//!
//! Products are exact, modulo two primes whose product exceeds them twice, so that nothing public is added to what the
//! key's noise and dropped digits are. Noise: [`formula::ring_switch`]. Security: rows are samples of t in its own
//! ring, as those of other keys.
//!
//! Source: Gentry, Halevi, Peikert, Smart, *Ring Switching in BGV-Style Homomorphic Encryption*, 2012.
//!
//! [`formula::ring_switch`]: crate::noise::formula::ring_switch
use crate::glwe::GlweShape;
use crate::keyswitch::{SeededGlweKeySwitchKey, Ties};
use crate::port::RlweCiphertext;
use crate::rows::expand_row_into;
use crate::secret::GlweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::fft::Fft;
use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::primes;
use bootes_ring::rns::{Basis, RnsRing};
use bootes_ring::sample::{MaskSeed, SecretSeed};
use rayon::prelude::*;
use zeroize::Zeroizing;

/// Primes of nearly 2^50 that products are exact modulo.
const PRIMES: Limbs = Limbs::chain(2);

/// The bits that digits and rings take at most beside the 63 of balanced words.
const MOST_BITS: u32 = 34;

/// The key from a secret of degree N to a GLWE key, its masks a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededRingSwitchKey {
    degree: usize,
    rows: SeededGlweKeySwitchKey,
}

impl SeededRingSwitchKey {
    /// Encrypts `input`, N coefficients in {−1, 0, 1}, under `output` with noise of standard deviation `std` (of the
    /// torus).
    ///
    /// # Errors
    /// As [`Self::from_parts`]; [`LatticeError::Size`] if `fft` has another degree than `output`.
    pub fn generate(
        input: &[i8],
        output: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let (degree, d) = (input.len(), output.degree());
        check(degree, d, gadget)?;
        let classes = degree / d;
        let mut parts = Zeroizing::new(vec![0i64; degree]);
        for (j, part) in parts.chunks_exact_mut(d).enumerate() {
            part.iter_mut().zip(input[j..].iter().step_by(classes)).for_each(|(x, &s)| *x = s.into());
        }
        let rows = SeededGlweKeySwitchKey::generate(&parts, output, fft, gadget, std, mask_seed, noise_seed)?;
        Ok(Self { degree, rows })
    }

    /// A key of its stored parts, from degree N = `degree` to `shape`.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] unless the degree of `shape` divides N, both powers of two, and digits of `gadget`
    /// are small enough for exact products; [`LatticeError::Size`] unless there are [`Self::body_words`].
    pub fn from_parts(
        degree: usize,
        shape: GlweShape,
        gadget: Gadget,
        mask_seed: MaskSeed,
        bodies: Vec<u64>,
    ) -> Result<Self, LatticeError> {
        Self::check(degree, shape, gadget)?;
        let (expected, found) = (Self::body_words(degree, gadget), bodies.len());
        if expected != found {
            return Err(LatticeError::Size { what: "ring-switching key", expected, found });
        }
        Ok(Self { degree, rows: SeededGlweKeySwitchKey { shape, gadget, mask_seed, bodies } })
    }

    /// Refuses rings and digits that there is no key for.
    ///
    /// # Errors
    /// As [`Self::from_parts`].
    pub fn check(degree: usize, shape: GlweShape, gadget: Gadget) -> Result<(), LatticeError> {
        check(degree, shape.degree, gadget)
    }

    /// Words of the bodies: N for each digit.
    #[must_use]
    pub fn body_words(degree: usize, gadget: Gadget) -> usize {
        degree * gadget.levels() as usize
    }

    /// The seed of the masks.
    #[must_use]
    pub fn mask_seed(&self) -> MaskSeed {
        self.rows.mask_seed
    }

    /// The bodies: `[j][level][d]`.
    #[must_use]
    pub fn bodies(&self) -> &[u64] {
        &self.rows.bodies
    }

    /// Bytes of the form that switches.
    #[must_use]
    pub fn prepared_bytes(&self) -> usize {
        Self::body_words(self.degree, self.rows.gadget) * self.rows.shape.polynomials() * PRIMES.count() * 8
    }

    /// Regenerates the masks and transforms the rows: the form that switches.
    ///
    /// # Errors
    /// [`LatticeError::Ring`] for a degree without transforms.
    pub fn prepare(&self) -> Result<RingSwitchKey, LatticeError> {
        let SeededGlweKeySwitchKey { shape, gadget, mask_seed, bodies } = &self.rows;
        let (n, d, levels) = (self.degree, shape.degree, gadget.levels() as usize);
        let classes = n / d;
        let moduli: Vec<_> = primes::below(u64::MAX, n).take(PRIMES.count()).collect();
        let ring = RnsRing::new(n, &moduli, &[])?;
        ring.prepare()?;
        let polynomials = shape.polynomials();
        let mut words = vec![vec![0u64; n]; levels * polynomials];
        let mut row = vec![0; shape.words()];
        for j in 0..classes {
            for level in 0..levels {
                expand_row_into(&mut row, *shape, mask_seed, bodies, j * levels + level);
                for (words, part) in words[level * polynomials..].iter_mut().zip(row.chunks_exact(d)) {
                    words[j..].iter_mut().step_by(classes).zip(part).for_each(|(x, &y)| *x = y);
                }
            }
        }
        let row = |words: Vec<u64>| {
            let mut out = ring.unspecified::<Coeff>(PRIMES);
            out.par_iter_mut().enumerate().for_each(|(i, limb)| {
                let q = ring.modulus(PRIMES, i);
                limb.iter_mut().zip(&words).for_each(|(x, &word)| *x = q.balance(q.reduce_signed(word as i64)));
            });
            ring.forward(out)
        };
        let rows = words.into_iter().map(row).collect();
        Ok(RingSwitchKey { shape: *shape, gadget: *gadget, basis: Basis::new(moduli)?, ring, rows })
    }
}

/// Refuses rings and digits that there is no key for.
fn check(degree: usize, d: usize, gadget: Gadget) -> Result<(), LatticeError> {
    if !degree.is_power_of_two() || !d.is_power_of_two() || degree < d || degree < RnsRing::MIN_DEGREE {
        let (what, expected) = ("degree of a ring to switch from", "a power of two, that of the smaller ring or more");
        return Err(LatticeError::Parameter { what, expected, found: degree.to_string() });
    }
    let bits = gadget.log2_base() + degree.ilog2() + gadget.levels().next_power_of_two().ilog2();
    if bits > MOST_BITS {
        let (what, expected) = ("bits of a sum of digits of a ring switch", "34 at most, with those of the degree");
        return Err(LatticeError::Parameter { what, expected, found: bits.to_string() });
    }
    Ok(())
}

/// An expanded ring-switching key.
#[derive(Debug)]
pub struct RingSwitchKey {
    shape: GlweShape,
    gadget: Gadget,
    ring: RnsRing,
    basis: Basis,
    /// `[level][polynomial]`, of degree N.
    rows: Vec<Poly<Eval>>,
}

impl RingSwitchKey {
    /// Rank and degree of what comes out.
    #[must_use]
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// r = N/d: GLWE ciphertexts that one of degree N becomes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.ring.degree() / self.shape.degree
    }

    /// Bytes of the rows.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.iter().map(Poly::bytes).sum()
    }

    /// Switches the ring of `input`; its parts are made when they are asked for.
    ///
    /// Masks of more bits than all digits are rounded to these, ties to even; of fewer, as few digits as they have are
    /// multiplied. Time: a transform a digit and one a polynomial, each modulo two primes.
    ///
    /// # Errors
    /// [`LatticeError::Size`] for a ciphertext of another degree.
    pub fn switch(&self, input: &RlweCiphertext) -> Result<SwitchedRing<'_>, LatticeError> {
        let (n, polynomials) = (self.ring.degree(), self.shape.polynomials());
        if input.degree() != n {
            let what = "ciphertext whose ring is switched";
            return Err(LatticeError::Size { what, expected: n, found: input.degree() });
        }
        let (k, log2_base) = (input.encoding().log2_modulus(), self.gadget.log2_base());
        let levels = k.div_ceil(log2_base).min(self.gadget.levels());
        let gadget = Gadget::try_new(log2_base, levels)?;
        let (ties, dropped) = (Ties::new(gadget), k.saturating_sub(log2_base * levels));
        let split = |&x: &u64| ties.split(rounded(x, dropped) << (u64::BITS - k));
        let words: Vec<(u64, i64)> = input.mask().iter().map(split).collect();
        let digits: Vec<Poly<Eval>> = (1..=levels)
            .map(|level| {
                let digit = |&(word, tie): &(u64, i64)| (gadget.digit(word, level) + tie) as f64;
                self.ring.forward(self.ring.from_integers(PRIMES, &words.iter().map(digit).collect::<Vec<_>>()))
            })
            .collect();
        let sum = |polynomial: usize| {
            let rows = self.rows[polynomial..].iter().step_by(polynomials);
            let terms: Vec<_> = digits.iter().zip(rows).collect();
            self.ring.backward(self.ring.sum_of_products(PRIMES, &terms))
        };
        let body = input.body().iter().map(|&x| x << (u64::BITS - k)).collect();
        Ok(SwitchedRing { key: self, sums: (0..polynomials).map(sum).collect(), body })
    }
}

/// The nearest multiple of 2^`dropped`, ties to even.
fn rounded(x: u64, dropped: u32) -> u64 {
    match dropped {
        0 => x,
        d => (x + (1 << (d - 1)) - 1 + (x >> d & 1)) >> d << d,
    }
}

/// A ciphertext of degree N under t(X^r), as r of degree d under t.
pub struct SwitchedRing<'k> {
    key: &'k RingSwitchKey,
    /// k masks and a body, modulo the primes.
    sums: Vec<Poly<Coeff>>,
    /// What is added to the body.
    body: Vec<u64>,
}

impl SwitchedRing<'_> {
    /// Writes to `out`, (k + 1)·d words, part j = `class`: coefficient u of its phase is coefficient j + r·u of the
    /// phase that was switched.
    pub fn part_into(&self, out: &mut [u64], class: usize) {
        let (shape, classes) = (self.key.shape, self.key.classes());
        assert!(out.len() == shape.words() && class < classes, "a part, and room for it");
        let basis = &self.key.basis;
        let (mut words, mut residues, mut digits) = (vec![0; basis.words()], [0.0; 2], [0.0; 2]);
        for (out, sum) in out.chunks_exact_mut(shape.degree).zip(&self.sums) {
            let places = (class..).step_by(classes);
            for (out, i) in out.iter_mut().zip(places) {
                residues.iter_mut().zip(sum.iter()).for_each(|(x, limb)| *x = limb[i]);
                basis.compose_into(&mut words, &residues, &mut digits);
                *out = words[0];
            }
        }
        let body = self.body[class..].iter().step_by(classes);
        out[shape.lwe_dimension()..].iter_mut().zip(body).for_each(|(x, &b)| *x = x.wrapping_add(b));
    }
}

impl std::fmt::Debug for SwitchedRing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SwitchedRing").field("degree", &self.body.len()).finish_non_exhaustive()
    }
}
