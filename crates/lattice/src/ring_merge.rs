//! Ring merging, the way back from [ring switching](crate::ring_switch): GLWE ciphertexts of a small ring, on the
//! torus, become one of a large ring modulo the first prime of a chain.
//!
//! With Y = X^r, r = N/d, ciphertexts j < r of degree d under t = (t_1, …, t_k), side by side as Σ_j X^j·(ciphertext
//! j)(Y), are one of degree N under t(Y). Its masks are switched to the secret s of the large ring by rows (i, l),
//! RLWE_s(t_i(Y)·⌊Q/B^l⌉) modulo Q = q_0·q_1:
//!
//! Σ_{i,l} digit_l(a_i)·row (i, l), divided by q_1, plus ⌊b·q_0/2^64⌉,
//!
//! has the phase q_0·(b + Σ_i a_i·t_i(Y)) + noise. Coefficient j + r·u is coefficient u of ciphertext j.
//!
//! Noise: [`formula::ring_merge`]. Security: rows are samples of s, modulo two primes where evaluation keys have all.
//!
//! [`formula::ring_merge`]: crate::noise::formula::ring_merge
use std::io::{Read, Write};

use crate::glwe::GlweShape;
use crate::keyswitch::Ties;
use crate::rns::{ErrorDistribution, RnsCiphertext, RnsSecretKey};
use crate::secret::GlweSecretKey;
use crate::wire::{StreamError, StreamReader, StreamWriter};
use crate::{Gadget, LatticeError};
use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::rns::{Division, RnsRing};
use bootes_ring::sample::{MaskSeed, SecretSeed};

/// q_0 and q_1.
const PRIMES: Limbs = Limbs::chain(2);

/// The key from a GLWE key to the secret of a larger ring; masks are seeds in files.
#[derive(Debug)]
pub struct RingMergeKey {
    shape: GlweShape,
    gadget: Gadget,
    /// `[polynomial][level]`.
    rows: Vec<(RnsCiphertext, MaskSeed)>,
}

impl RingMergeKey {
    /// Encrypts the polynomials of `input` under `output`, of degree N, with these errors. Row number i has the seeds
    /// (0, i) forked from `seed`.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] unless the degree of `input` divides N, a ring of two primes or more.
    pub fn generate(
        ring: &RnsRing,
        input: &GlweSecretKey,
        output: &RnsSecretKey,
        gadget: Gadget,
        errors: ErrorDistribution,
        seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let shape = GlweShape { rank: input.rank(), degree: input.degree() };
        check(ring, shape)?;
        let classes = ring.degree() / shape.degree;
        let levels = gadget.levels() as usize;
        let row = |i: usize| {
            let weight = weight(ring, gadget, (i % levels) as u32 + 1);
            // Encryption wipes it.
            let mut message: Poly<Coeff> = ring.zero(PRIMES);
            for limb in 0..PRIMES.count() {
                let q = ring.modulus(PRIMES, limb);
                let weight = q.balance((weight % u128::from(q.value())) as u64);
                let places = message.limb_mut(limb).iter_mut().step_by(classes);
                places.zip(input.expose_polynomial(i / levels)).for_each(|(x, &t)| *x = f64::from(t) * weight);
            }
            let (mask, noise) = seed.fork_both(0, i as u64);
            (RnsCiphertext::encrypt(ring, message, output, errors, &mask, &noise), mask)
        };
        Ok(Self { shape, gadget, rows: (0..shape.rank * levels).map(row).collect() })
    }

    /// Rank and degree of what goes in.
    #[must_use]
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.iter().map(|(row, _)| row.b.bytes() + row.a.bytes()).sum()
    }

    /// The bytes that [`Self::write`] writes of such a key.
    #[must_use]
    pub fn stored_bytes(ring: &RnsRing, shape: GlweShape, gadget: Gadget) -> u64 {
        shape.rank as u64 * u64::from(gadget.levels()) * RnsCiphertext::seeded_bytes(ring, PRIMES)
    }

    /// Writes the seed and the body of each row.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        self.rows.iter().try_for_each(|(row, mask)| row.write_seeded(ring, mask, out))
    }

    /// Reads a key from `shape` to a ring that [`Self::generate`] takes.
    ///
    /// # Errors
    /// As [`RnsCiphertext::read_seeded`].
    pub fn read<R: Read>(
        ring: &RnsRing,
        shape: GlweShape,
        gadget: Gadget,
        input: &mut StreamReader<R>,
    ) -> Result<Self, StreamError> {
        let rows = (0..shape.rank * gadget.levels() as usize).map(|_| RnsCiphertext::read_seeded(ring, PRIMES, input));
        Ok(Self { shape, gadget, rows: rows.collect::<Result<_, _>>()? })
    }

    /// Refuses rings that there is no key for.
    ///
    /// # Errors
    /// As [`Self::generate`].
    pub fn check(ring: &RnsRing, shape: GlweShape) -> Result<(), LatticeError> {
        check(ring, shape)
    }

    /// The ciphertext modulo q_0 of these r = N/d ciphertexts of (k + 1)·d words, none for zero; `division` is that of
    /// two primes by the second.
    ///
    /// # Panics
    /// For other numbers and sizes.
    #[must_use]
    pub fn merge(&self, ring: &RnsRing, division: &Division, parts: &[Option<Vec<u64>>]) -> RnsCiphertext {
        let (n, GlweShape { rank, degree: d }) = (ring.degree(), self.shape);
        let classes = n / d;
        assert!(parts.len() == classes && parts.iter().flatten().all(|part| part.len() == self.shape.words()), "parts");
        let polynomial = |i: usize| {
            let mut words = vec![0u64; n];
            for (j, part) in parts.iter().enumerate() {
                let Some(part) = part else { continue };
                words[j..].iter_mut().step_by(classes).zip(&part[i * d..]).for_each(|(x, &y)| *x = y);
            }
            words
        };
        let ties = Ties::new(self.gadget);
        let mut digits: Vec<Poly<Eval>> = Vec::with_capacity(self.rows.len());
        for i in 0..rank {
            let words: Vec<(u64, i64)> = polynomial(i).into_iter().map(|x| ties.split(x)).collect();
            digits.extend((1..=self.gadget.levels()).map(|level| {
                let digit = |&(word, tie): &(u64, i64)| (self.gadget.digit(word, level) + tie) as f64;
                ring.forward(ring.from_integers(PRIMES, &words.iter().map(digit).collect::<Vec<_>>()))
            }));
        }
        let sum = |of: fn(&RnsCiphertext) -> &Poly<Eval>| {
            let terms: Vec<_> = digits.iter().zip(self.rows.iter().map(|(row, _)| of(row))).collect();
            ring.sum_of_products(PRIMES, &terms)
        };
        let sums = RnsCiphertext { b: sum(|row| &row.b), a: sum(|row| &row.a) };
        let mut merged = sums.divided(ring, division);
        let mut body: Poly<Coeff> = ring.zero(Limbs::chain(1));
        let q = ring.modulus(Limbs::chain(1), 0);
        for (x, word) in body.limb_mut(0).iter_mut().zip(polynomial(rank)) {
            let scaled = (u128::from(word) * u128::from(q.value()) + (1 << 63)) >> 64;
            *x = q.balance(q.reduce(scaled as u64));
        }
        ring.add_assign(&mut merged.b, &ring.forward(body));
        merged
    }
}

/// ⌊Q/B^level⌉.
fn weight(ring: &RnsRing, gadget: Gadget, level: u32) -> u128 {
    let modulus = ring.moduli(PRIMES).iter().map(|q| u128::from(q.value())).product::<u128>();
    let shift = gadget.log2_base() * level;
    (modulus + (1 << (shift - 1))) >> shift
}

fn check(ring: &RnsRing, shape: GlweShape) -> Result<(), LatticeError> {
    if !shape.degree.is_power_of_two() || ring.degree() < shape.degree {
        let (what, expected) = ("degree of a ring that is merged", "a power of two, that of the larger ring at most");
        return Err(LatticeError::Parameter { what, expected, found: shape.degree.to_string() });
    }
    if ring.limbs().chain < PRIMES.chain {
        let (what, expected) = ("primes of a chain to merge into", "2 or more");
        return Err(LatticeError::Parameter { what, expected, found: ring.limbs().chain.to_string() });
    }
    Ok(())
}
