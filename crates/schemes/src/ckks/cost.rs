//! The work of operations on ciphertexts with scales: those of all schemes ([`RlweCost`]), levels brought
//! together, circuits, and the steps of bootstrapping.
use std::ops::Deref;

use bootes_lattice::rns::MaskStorage;

use super::bootstrap::Transforms;
use super::{CkksError, CkksParams};
use crate::cost::Residues;
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Minus};
use crate::rlwe::RlweCost;

/// Reads the work of operations with a set of parameters.
#[derive(Debug, Clone, Copy)]
pub struct Cost<'a> {
    params: &'a CkksParams,
    rlwe: RlweCost<'a>,
}

impl<'a> Cost<'a> {
    /// With keys whose masks are kept or made.
    #[must_use]
    pub fn new(params: &'a CkksParams, masks: MaskStorage) -> Self {
        Self { params, rlwe: RlweCost::new(params, masks) }
    }

    /// A sum of so many ciphertexts times constants, and perhaps a constant, at `level` and rescaled.
    #[must_use]
    pub fn combination(self, terms: usize, constant: bool, level: usize) -> Residues {
        let limbs = level + 1;
        // One term is bound by memory, several by multiplications.
        let terms = if terms > 1 { self.products(2 * terms * limbs) } else { self.passes(2 * terms * limbs) };
        terms + self.passes(usize::from(constant) * limbs) + self.rescaling(level)
    }

    /// Bringing a ciphertext from a level to another.
    #[must_use]
    pub fn at_level(self, from: usize, to: usize) -> Residues {
        if from > to { self.combination(1, false, to + 1) } else { Residues::default() }
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

    /// The outputs of a circuit of inputs of this level and its canonical scale.
    ///
    /// # Errors
    /// As [`CkksParams::levels_and_scales`].
    pub fn circuit(self, circuit: &ArithmeticCircuit, level: usize) -> Result<Residues, CkksError> {
        let inputs = vec![(level, self.params.scale(level)); circuit.inputs()];
        let levels = self.params.levels_and_scales(circuit, &inputs)?;
        let at = |id: &Id| levels[id.index()].0;
        let factors = |&(a, b): &(Id, Id), level: usize| {
            self.tensor(level) + self.at_level(at(&a), level) + self.at_level(at(&b), level)
        };
        let work = circuit.gates().iter().zip(&levels).map(|(gate, &(below, _))| {
            let add = |id: &Id| self.at_level(at(id), below) + self.addition(below);
            match gate {
                Gate::Input(_) => self.at_level(level, below),
                Gate::Product { a, b, doubled, minus } => {
                    let doubled = self.passes(3 * usize::from(*doubled) * (below + 2));
                    let minus = match minus {
                        Minus::Nothing => Residues::default(),
                        Minus::One => self.passes(below + 1),
                        Minus::Value(c) => add(c),
                    };
                    factors(&(*a, *b), below + 1) + doubled + self.relinearisation(below + 1) + minus
                }
                Gate::Combination { terms, .. } if terms.is_empty() => self.passes(3 * (below + 1)),
                Gate::Combination { terms, constant } => {
                    self.combination(terms.len(), constant.norm_sqr() > 0.0, below + 1)
                }
                Gate::SumOfProducts { products, addends } => {
                    let products = products.iter().map(|product| factors(product, below + 1)).sum::<Residues>();
                    products + self.relinearisation(below + 1) + addends.iter().map(add).sum()
                }
                Gate::ExactDivision { .. } => Residues::default(),
            }
        });
        Ok(work.sum())
    }
}

/// The work of all schemes.
impl<'a> Deref for Cost<'a> {
    type Target = RlweCost<'a>;

    fn deref(&self) -> &RlweCost<'a> {
        &self.rlwe
    }
}
