//! The work of operations on ciphertexts, as amounts of the units of [`crate::cost`]: kernels read on
//! amounts, operation by operation.
//!
//! Counted is what the kernels of the ring do ([`bootes_ring::tally`] counts the same). With c primes of a
//! level, s special primes that it uses, r = c + s, and d digits of α_j primes, for polynomials of N
//! residues:
//!
//! | operation | transforms | products | key | passes |
//! |---|---|---|---|---|
//! | decomposition | c | | | c, and c more where s is not all special primes |
//! | raising of digits | d·r − c | Σ_j α_j·(r − α_j) | | |
//! | product with a key | | | 2·d·r | |
//! | division of a polynomial from r to k primes | r | (r − k)·k | | r |
//! | stage of linear maps | those of the diagonals' periods | 2·r a diagonal | 2·d·r a baby | 3·r a baby |
use std::ops::Range;

use bootes_lattice::rns::{HybridGadget, MaskStorage};
use bootes_ring::poly::Limbs;

use super::{KeyRequest, RlweParams};
use crate::cost::Residues;

/// Reads the work of operations with a set of parameters.
#[derive(Debug, Clone, Copy)]
pub struct RlweCost<'a> {
    params: &'a RlweParams,
    masks: MaskStorage,
}

/// The message of so many slots, or their values: a transform modulo the plaintext modulus.
fn message(slots: usize) -> Residues {
    Residues { step: slots as f64 * f64::from(slots.max(2).ilog2()), ..Residues::default() }
}

impl<'a> RlweCost<'a> {
    /// With keys whose masks are kept or made.
    #[must_use]
    pub fn new(params: &'a RlweParams, masks: MaskStorage) -> Self {
        Self { params, masks }
    }

    /// N residues, so many times.
    fn residues(self, times: usize) -> f64 {
        self.params.degree() as f64 * times as f64
    }

    /// The work of reading so many polynomials of one prime.
    #[must_use]
    pub fn passes(self, times: usize) -> Residues {
        Residues { pass: self.residues(times), ..Residues::default() }
    }

    pub(crate) fn products(self, times: usize) -> Residues {
        Residues { product: self.residues(times), ..Residues::default() }
    }

    /// Transforms of N points modulo some primes, by their position in `limbs`.
    pub(crate) fn transforms(self, limbs: Limbs, which: Range<usize>) -> Residues {
        let ring = self.params.ring();
        let levels = f64::from(self.params.degree().ilog2());
        let words = which.clone().filter(|&i| ring.ntt(limbs, i).on_words()).count();
        let rest = which.len() - words;
        Residues {
            transform: self.residues(rest) * levels,
            words: self.residues(words) * levels,
            ..Residues::default()
        }
    }

    /// All primes of the chain at a level.
    pub(crate) fn chain(self, level: usize) -> Limbs {
        self.params.limbs(level)
    }

    /// The digits of a polynomial, before they are raised.
    pub(crate) fn decomposition(self, gadget: &HybridGadget, level: usize) -> Residues {
        let chain = self.chain(level);
        let scaled = usize::from(gadget.raised(chain.chain).special < gadget.special());
        self.transforms(chain, 0..chain.chain) + self.passes(chain.chain * (1 + scaled))
    }

    /// The digits modulo all other primes.
    pub(crate) fn raising(self, gadget: &HybridGadget, level: usize) -> Residues {
        let chain = level + 1;
        let (limbs, digits) = (gadget.raised(chain), gadget.digits(chain));
        let pairs = (0..digits).map(|j| gadget.digit_primes(chain, j)).map(|own| own * (limbs.count() - own));
        self.products(pairs.sum())
            + self.transforms(limbs, 0..chain) * (digits as f64 - 1.0)
            + self.transforms(limbs, chain..limbs.count()) * digits as f64
    }

    /// The product of digits with a key.
    pub(crate) fn key_product(self, gadget: &HybridGadget, level: usize) -> Residues {
        let (digits, limbs) = (gadget.digits(level + 1), gadget.raised(level + 1).count());
        let rows = self.residues(digits * limbs);
        match self.masks {
            MaskStorage::Expanded => Residues { key: 2.0 * rows, ..Residues::default() },
            MaskStorage::Seeded => Residues { key: rows, product: rows, mask: rows, ..Residues::default() },
        }
    }

    /// The division of a polynomial from `from` to the first `kept` primes of the chain.
    pub(crate) fn division(self, from: Limbs, kept: usize) -> Residues {
        self.transforms(from, 0..from.count()) + self.passes(from.count()) + self.products((from.count() - kept) * kept)
    }

    /// A key switch of one polynomial, which also rescales or not, and adds so many polynomials.
    pub(crate) fn switch_of(self, gadget: &HybridGadget, level: usize, plus: usize, rescale: bool) -> Residues {
        let (limbs, kept) = (gadget.raised(level + 1), level + 1 - usize::from(rescale));
        self.decomposition(gadget, level)
            + self.raising(gadget, level)
            + self.key_product(gadget, level)
            + self.division(limbs, kept) * 2.0
            + self.passes(plus * (level + 1))
    }

    /// A key switch of one polynomial.
    #[must_use]
    pub fn switch(self, level: usize) -> Residues {
        self.switch_of(self.params.gadget(), level, 0, false)
    }

    /// An automorphism.
    #[must_use]
    pub fn rotation(self, level: usize) -> Residues {
        self.switch(level) + self.passes(3 * (level + 1))
    }

    /// The division of a ciphertext by the prime of its level.
    #[must_use]
    pub fn rescaling(self, level: usize) -> Residues {
        self.division(self.chain(level), level) * 2.0
    }

    /// A product of a matrix of integers with so many ciphertexts at a level.
    #[must_use]
    pub fn matrix_product(self, rows: usize, columns: usize, level: usize) -> Residues {
        Residues { matrix: self.residues(rows * columns * 2 * (level + 1)), ..Residues::default() }
    }

    /// A plaintext of slots modulo the primes of a level: its embedding, and a transform a prime.
    #[must_use]
    pub fn encoding(self, level: usize) -> Residues {
        self.transforms(self.chain(0), 0..1) + self.transforms(self.chain(level), 0..level + 1) + self.passes(level + 1)
    }

    /// The encryption of a vector of so many slots under the secret key: noise and message are transformed, the mask is
    /// made from its seed.
    #[must_use]
    pub fn encryption(self, level: usize, slots: usize) -> Residues {
        let (chain, limbs) = (self.chain(level), level + 1);
        let drawn = Residues { mask: self.residues(limbs), noise: self.residues(1), ..Residues::default() };
        let encoding = message(slots) + self.encoding(level);
        drawn + encoding + self.transforms(chain, 0..limbs) + self.products(limbs) + self.passes(3 * limbs)
    }

    /// The decryption of a vector: its phase as integers of all primes, limb by limb and word by word, and the slots of
    /// the message.
    #[must_use]
    pub fn decryption(self, level: usize, slots: usize) -> Residues {
        let (chain, limbs) = (self.chain(level), level + 1);
        let composition = Residues { step: self.residues(limbs * limbs), ..Residues::default() };
        let phase = self.masks_of(level) + self.transforms(chain, 0..limbs) + self.products(limbs);
        phase + composition + message(slots)
    }

    /// The mask of a ciphertext of a level, made from its seed, and its packed body.
    #[must_use]
    pub fn masks_of(self, level: usize) -> Residues {
        let residues = self.residues(level + 1);
        Residues { mask: residues, stored: residues, ..Residues::default() }
    }

    /// A product of a ciphertext with an integer.
    #[must_use]
    pub fn integer_product(self, level: usize) -> Residues {
        self.passes(2 * (level + 1))
    }

    /// The relinearisation and rescaling of a product at a level.
    #[must_use]
    pub fn relinearisation(self, level: usize) -> Residues {
        self.switch_of(self.params.gadget(), level, 2, true)
    }

    /// A tensor product at a level.
    #[must_use]
    pub fn tensor(self, level: usize) -> Residues {
        self.products(4 * (level + 1))
    }

    /// A sum of two ciphertexts.
    #[must_use]
    pub fn addition(self, level: usize) -> Residues {
        self.passes(2 * (level + 1))
    }

    /// The values of both secret keys.
    #[must_use]
    pub fn secret_keys(self) -> Residues {
        let all = self.params.key_limbs();
        (self.transforms(all, 0..all.count()) + self.passes(all.count())) * 2.0
    }

    /// Making the keys of a request, their masks kept or not.
    #[must_use]
    pub fn keys(self, request: &KeyRequest) -> Residues {
        let (params, all) = (self.params, self.params.key_limbs());
        let galois = request.exponents(params.galois()).into_values().map(|level| {
            // The image of the secret key.
            self.key(params.gadget(), level) + self.passes(all.count())
        });
        let relinearisation =
            request.relinearisation.map(|level| self.key(params.gadget(), level) + self.passes(all.count()));
        let raise =
            request.raise.then(|| self.key(params.base_gadget(), 0) + self.key(params.gadget(), params.max_level()));
        galois.sum::<Residues>() + relinearisation.into_iter().chain(raise).sum()
    }

    /// A key for polynomials of a level.
    fn key(self, gadget: &HybridGadget, level: usize) -> Residues {
        let (limbs, digits) = (gadget.full(level + 1), gadget.digits(level + 1));
        let count = limbs.count();
        let noise = Residues { noise: self.residues(1), ..Residues::default() };
        let mask = Residues { mask: self.residues(count), ..Residues::default() };
        let stored = Residues { stored: self.residues(count), ..Residues::default() };
        let row = noise + mask + stored + self.transforms(limbs, 0..count) + self.passes(3 * count);
        row * digits as f64 + self.passes(level + 1) + self.kept_masks(limbs, digits)
    }

    /// The masks of a key's rows, if they are kept.
    fn kept_masks(self, limbs: Limbs, digits: usize) -> Residues {
        match self.masks {
            MaskStorage::Seeded => Residues::default(),
            MaskStorage::Expanded => {
                let residues = self.residues(digits * limbs.count());
                Residues { mask: residues, stored: residues, ..Residues::default() }
            }
        }
    }

    /// Making the masks of the keys of a request, if they are kept: what a server does with a key that it
    /// reads.
    #[must_use]
    pub fn masks(self, request: &KeyRequest) -> Residues {
        let (params, top) = (self.params, self.params.max_level());
        let of =
            |gadget: &HybridGadget, level: usize| self.kept_masks(gadget.full(level + 1), gadget.digits(level + 1));
        let galois = request.exponents(params.galois()).into_values();
        let full = galois.chain(request.relinearisation).chain(request.raise.then_some(top));
        let base = request.raise.then(|| of(params.base_gadget(), 0));
        full.map(|level| of(params.gadget(), level)).sum::<Residues>() + base.into_iter().sum()
    }

    pub(crate) fn params(self) -> &'a RlweParams {
        self.params
    }
}
