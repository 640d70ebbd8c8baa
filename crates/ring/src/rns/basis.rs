//! The primes of a residue number system, and big integers.

use crate::error::RingError;
use crate::modulus::{Factor, Modulus};

/// Distinct primes q_0, q_1, …, with product Q.
#[derive(Debug, Clone)]
pub struct Basis {
    moduli: Vec<Modulus>,
    /// 1/(q_0⋯q_(i−1)) modulo q_i.
    inverses: Vec<Factor>,
    /// Of each q_i, the primes before it modulo q_i.
    before: Vec<Vec<Factor>>,
    words: usize,
}

impl Basis {
    /// The basis of `moduli`, in this order.
    ///
    /// # Errors
    /// [`RingError::Basis`] if there is none, or one twice.
    pub fn new(moduli: Vec<Modulus>) -> Result<Self, RingError> {
        if moduli.is_empty() {
            return Err(RingError::Basis { repeated: None });
        }
        let mut inverses = Vec::with_capacity(moduli.len());
        for (i, &q) in moduli.iter().enumerate() {
            let product = product(&moduli[..i], q);
            let repeated = RingError::Basis { repeated: Some(q.value()) };
            inverses.push(q.factor(q.inverse(product).ok_or(repeated)?));
        }
        let factors = |(i, &q): (usize, &Modulus)| moduli[..i].iter().map(|p| q.factor(q.reduce(p.value()))).collect();
        let before = moduli.iter().enumerate().map(factors).collect();
        let log2: f64 = moduli.iter().map(|q| (q.value() as f64).log2()).sum();
        // |x| < Q/2 and a sign; the sum of logarithms errs by far less than the bit that is added.
        let words = (log2 as usize + 1) / 64 + 1;
        Ok(Self { moduli, inverses, before, words })
    }

    /// The primes.
    #[must_use]
    pub fn moduli(&self) -> &[Modulus] {
        &self.moduli
    }

    /// The number of primes, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a basis is never empty")]
    pub fn len(&self) -> usize {
        self.moduli.len()
    }

    /// The 64-bit words of [`Basis::compose_into`].
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// log2 Q.
    #[must_use]
    pub fn log2(&self) -> f64 {
        self.moduli.iter().map(|q| (q.value() as f64).log2()).sum()
    }

    /// Q modulo `p`, a word.
    #[must_use]
    pub fn product_modulo(&self, p: Modulus) -> u64 {
        product(&self.moduli, p)
    }

    /// `out` = the integer with the given balanced residues, |x| ≤ (Q − 1)/2, in two's complement, lowest word first.
    ///
    /// By digits of mixed radix, x = d_0 + q_0·(d_1 + q_1·(d_2 + …)) with d_i balanced modulo q_i: the balanced digits are those of the x of least
    /// absolute value. `digits` is scratch. In constant time: there are no divisions.
    ///
    /// # Panics
    /// Unless `out` has [`Basis::words`] words, `residues` and `digits` one number for each prime.
    pub fn compose_into(&self, out: &mut [u64], residues: &[f64], digits: &mut [f64]) {
        assert!(out.len() == self.words && residues.len() == self.len() && digits.len() == self.len(), "lengths");
        for (i, (&q, &inverse)) in self.moduli.iter().zip(&self.inverses).enumerate() {
            // d_0 + q_0·(d_1 + …) modulo q_i, from the inside.
            let mut sum = 0.0;
            for (&p, &digit) in self.before[i].iter().zip(&*digits).rev() {
                sum = q.balance_f64(q.mul_factor_lazy(sum, p) + digit);
            }
            digits[i] = q.mul_factor(q.balance_f64(residues[i] - sum), inverse);
        }
        out.fill(0);
        for (q, &digit) in self.moduli.iter().zip(&*digits).rev() {
            let mut carry = i128::from(digit as i64);
            for word in out.iter_mut() {
                // In two's complement the product of unsigned words is right modulo 2^64 for each, and the last carry is lost.
                let next = i128::from(*word) * i128::from(q.value()) + carry;
                *word = next as u64;
                carry = next >> 64;
            }
        }
    }

    /// `out` = the balanced residues of an integer in two's complement, lowest word first.
    ///
    /// # Panics
    /// Unless `out` has one number for each prime, and `words` at least one.
    pub fn decompose_into(&self, out: &mut [f64], words: &[u64]) {
        assert!(out.len() == self.len(), "one residue for each prime");
        let (&top, words) = words.split_last().expect("an integer of one word at least");
        for (out, &q) in out.iter_mut().zip(&self.moduli) {
            let radix = q.reduce(u64::MAX) + 1;
            let shift = |sum, word| q.add(q.mul(sum, q.reduce(radix)), q.reduce(word));
            *out = q.balance(words.iter().rev().fold(q.reduce_signed(top as i64), |sum, &word| shift(sum, word)));
        }
    }
}

/// Π of `moduli` modulo `p`.
pub(super) fn product(moduli: &[Modulus], p: Modulus) -> u64 {
    moduli.iter().fold(p.reduce(1), |product, q| p.mul(product, p.reduce(q.value())))
}
