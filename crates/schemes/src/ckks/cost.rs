//! The work of operations on ciphertexts, as amounts of the units of [`crate::cost`]: the evaluator read on amounts,
//! operation by operation.
//!
//! Counted is what the kernels of the ring do ([`bootes_ring::tally`] counts the same). With c primes of a level, s
//! special primes that it uses, r = c + s, and d digits of α_j primes, for polynomials of N residues:
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

use super::bootstrap::Transforms;
use super::{CkksError, CkksParams, KeyRequest};
use crate::cost::Residues;
use crate::polyeval::{Circuit, Id, Minus, Step};

/// Reads the work of operations with a set of parameters.
#[derive(Debug, Clone, Copy)]
pub struct Cost<'a> {
    params: &'a CkksParams,
    masks: MaskStorage,
}

impl<'a> Cost<'a> {
    /// With keys whose masks are kept or made.
    #[must_use]
    pub fn new(params: &'a CkksParams, masks: MaskStorage) -> Self {
        Self { params, masks }
    }

    /// N residues, so many times.
    fn residues(self, times: usize) -> f64 {
        self.params.degree() as f64 * times as f64
    }

    pub(super) fn passes(self, times: usize) -> Residues {
        Residues { pass: self.residues(times), ..Residues::default() }
    }

    pub(super) fn products(self, times: usize) -> Residues {
        Residues { product: self.residues(times), ..Residues::default() }
    }

    /// Transforms of N points modulo some primes, by their position in `limbs`.
    fn transforms(self, limbs: Limbs, which: Range<usize>) -> Residues {
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
    fn chain(self, level: usize) -> Limbs {
        self.params.limbs(level)
    }

    /// The digits of a polynomial, before they are raised.
    pub(super) fn decomposition(self, gadget: &HybridGadget, level: usize) -> Residues {
        let chain = self.chain(level);
        let scaled = usize::from(gadget.raised(chain.chain).special < gadget.special());
        self.transforms(chain, 0..chain.chain) + self.passes(chain.chain * (1 + scaled))
    }

    /// The digits modulo all other primes.
    pub(super) fn raising(self, gadget: &HybridGadget, level: usize) -> Residues {
        let chain = level + 1;
        let (limbs, digits) = (gadget.raised(chain), gadget.digits(chain));
        let pairs = (0..digits).map(|j| gadget.digit_primes(chain, j)).map(|own| own * (limbs.count() - own));
        self.products(pairs.sum())
            + self.transforms(limbs, 0..chain) * (digits as f64 - 1.0)
            + self.transforms(limbs, chain..limbs.count()) * digits as f64
    }

    /// The product of digits with a key.
    pub(super) fn key_product(self, gadget: &HybridGadget, level: usize) -> Residues {
        let (digits, limbs) = (gadget.digits(level + 1), gadget.raised(level + 1).count());
        let rows = self.residues(digits * limbs);
        match self.masks {
            MaskStorage::Expanded => Residues { key: 2.0 * rows, ..Residues::default() },
            MaskStorage::Seeded => Residues { key: rows, product: rows, mask: rows, ..Residues::default() },
        }
    }

    /// The division of a polynomial from `from` to the first `kept` primes of the chain.
    pub(super) fn division(self, from: Limbs, kept: usize) -> Residues {
        self.transforms(from, 0..from.count()) + self.passes(from.count()) + self.products((from.count() - kept) * kept)
    }

    /// A key switch of one polynomial, which also rescales or not, and adds so many polynomials.
    fn switch_of(self, gadget: &HybridGadget, level: usize, plus: usize, rescale: bool) -> Residues {
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

    /// A rotation, or complex conjugation.
    #[must_use]
    pub fn rotation(self, level: usize) -> Residues {
        self.switch(level) + self.passes(3 * (level + 1))
    }

    /// The division of a ciphertext by the prime of its level.
    #[must_use]
    pub fn rescaling(self, level: usize) -> Residues {
        self.division(self.chain(level), level) * 2.0
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

    /// A sum of so many ciphertexts times constants, and perhaps a constant, at `level` and rescaled.
    #[must_use]
    pub fn combination(self, terms: usize, constant: bool, level: usize) -> Residues {
        self.passes((2 * terms + usize::from(constant)) * (level + 1)) + self.rescaling(level)
    }

    /// Bringing a ciphertext from a level to another.
    #[must_use]
    pub fn at_level(self, from: usize, to: usize) -> Residues {
        if from > to { self.combination(1, false, to + 1) } else { Residues::default() }
    }

    /// A sum of two ciphertexts.
    #[must_use]
    pub fn addition(self, level: usize) -> Residues {
        self.passes(2 * (level + 1))
    }

    /// The values of both polynomials of a ciphertext of level 0, or their coefficients.
    #[must_use]
    pub fn base_values(self) -> Residues {
        self.transforms(self.chain(0), 0..1) * 2.0
    }

    /// The raising of a ciphertext of level 0.
    #[must_use]
    pub fn raise(self) -> Residues {
        let (params, top) = (self.params, self.params.max_level());
        let base = self.chain(0);
        self.switch_of(params.base_gadget(), 0, 0, false)
            + self.passes(1)
            + (self.transforms(base, 0..1) + self.passes(top + 1) + self.transforms(self.chain(top), 0..top + 1)) * 2.0
            + self.switch(top)
            + self.passes(top + 1)
    }

    /// CoeffsToSlots with the separation of real and imaginary parts.
    #[must_use]
    pub fn coeffs_to_slots(self, maps: &Transforms) -> Residues {
        let level = maps.slots_level(self.params);
        // A sum, a difference, and a product with −i.
        let parts = self.addition(level) * 3.0;
        maps.to_slots().iter().map(|map| map.work(self)).sum::<Residues>() + self.rotation(level) + parts
    }

    /// SlotsToCoeffs of a ciphertext of a level.
    #[must_use]
    pub fn slots_to_coeffs(self, maps: &Transforms, level: usize) -> Residues {
        let change = self.at_level(level, maps.coeffs_level());
        change + maps.to_coeffs().iter().map(|map| map.work(self)).sum::<Residues>()
    }

    /// Joining of real parts: a product with i, a difference, a conjugation, two sums.
    #[must_use]
    pub fn join(self, level: usize) -> Residues {
        self.addition(level) * 4.0 + self.rotation(level)
    }

    /// The outputs of a circuit of a variable of this level and its canonical scale.
    ///
    /// # Errors
    /// As [`CkksParams::levels_and_scales`].
    pub fn circuit(self, circuit: &Circuit, level: usize) -> Result<Residues, CkksError> {
        let levels = self.params.levels_and_scales(circuit, level, self.params.scale(level))?;
        let at = |id: &Id| levels[id.index()].0;
        let factors = |&(a, b): &(Id, Id), level: usize| {
            self.tensor(level) + self.at_level(at(&a), level) + self.at_level(at(&b), level)
        };
        let work = circuit.steps().iter().zip(&levels).map(|(step, &(below, _))| {
            let add = |id: &Id| self.at_level(at(id), below) + self.addition(below);
            match step {
                Step::Input => self.at_level(level, below),
                Step::Product { a, b, doubled, minus } => {
                    let doubled = self.passes(3 * usize::from(*doubled) * (below + 2));
                    let minus = match minus {
                        Minus::Nothing => Residues::default(),
                        Minus::One => self.passes(below + 1),
                        Minus::Value(c) => add(c),
                    };
                    factors(&(*a, *b), below + 1) + doubled + self.relinearisation(below + 1) + minus
                }
                Step::Combination { terms, .. } if terms.is_empty() => self.passes(3 * (below + 1)),
                Step::Combination { terms, constant } => {
                    self.combination(terms.len(), constant.norm_sqr() > 0.0, below + 1)
                }
                Step::SumOfProducts { products, addends } => {
                    let products = products.iter().map(|product| factors(product, below + 1)).sum::<Residues>();
                    products + self.relinearisation(below + 1) + addends.iter().map(add).sum()
                }
            }
        });
        Ok(work.sum())
    }

    /// The values of both secret keys.
    #[must_use]
    pub fn secret_keys(self) -> Residues {
        let all = self.params.ring().limbs();
        (self.transforms(all, 0..all.count()) + self.passes(all.count())) * 2.0
    }

    /// Making the keys of a request, their masks kept or not.
    #[must_use]
    pub fn keys(self, request: &KeyRequest) -> Residues {
        let (params, all) = (self.params, self.params.ring().limbs());
        let galois = request.exponents(params.degree()).map(|(_, level)| {
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

    /// Making the masks of the keys of a request, if they are kept: what a server does with a key that it reads.
    #[must_use]
    pub fn masks(self, request: &KeyRequest) -> Residues {
        let (params, top) = (self.params, self.params.max_level());
        let of =
            |gadget: &HybridGadget, level: usize| self.kept_masks(gadget.full(level + 1), gadget.digits(level + 1));
        let galois = request.exponents(params.degree()).map(|(_, level)| level);
        let full = galois.chain(request.relinearisation).chain(request.raise.then_some(top));
        let base = request.raise.then(|| of(params.base_gadget(), 0));
        full.map(|level| of(params.gadget(), level)).sum::<Residues>() + base.into_iter().sum()
    }

    pub(super) fn params(self) -> &'a CkksParams {
        self.params
    }
}
