use std::collections::BTreeMap;

use bootes_lattice::rns::{HybridGadget, MaskStorage};

use super::{GaloisAction, GaloisGroup, RlweParams};

/// The content of an evaluation key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRequest {
    /// The highest level of products, if there are any.
    pub relinearisation: Option<usize>,
    /// The highest level of each automorphism.
    pub galois: BTreeMap<GaloisAction, usize>,
    /// Whether ciphertexts are raised under the sparse key.
    pub raise: bool,
}

impl KeyRequest {
    /// Adds products at levels up to `level`.
    pub fn products(&mut self, level: usize) {
        self.relinearisation = Some(self.relinearisation.map_or(level, |most| most.max(level)));
    }

    /// Adds an automorphism for levels up to `level`.
    pub fn action(&mut self, action: GaloisAction, level: usize) {
        let most = self.galois.entry(action).or_default();
        *most = level.max(*most);
    }

    /// Adds the rotation of slots by `by` to the left along the first axis, for levels up to `level`.
    pub fn rotation(&mut self, by: usize, level: usize) {
        self.action(GaloisAction::rotation(by as i64), level);
    }

    /// The highest level of each automorphism X ↦ X^g, by its exponent g.
    #[must_use]
    pub fn exponents(&self, group: &GaloisGroup) -> BTreeMap<usize, usize> {
        let mut exponents = BTreeMap::new();
        for (&action, &level) in &self.galois {
            let most = exponents.entry(group.exponent(action)).or_insert(level);
            *most = level.max(*most);
        }
        exponents
    }

    /// The bytes of the key in memory.
    #[must_use]
    pub fn bytes(&self, params: &RlweParams, storage: MaskStorage) -> usize {
        let bytes = |gadget: &HybridGadget, level: usize| {
            let halves = if storage == MaskStorage::Expanded { 2 } else { 1 };
            gadget.digits(level + 1) * params.ring().packed_bytes(gadget.full(level + 1)) * halves
        };
        let full = |level| bytes(params.gadget(), level);
        let galois: usize = self.exponents(params.galois()).into_values().map(full).sum();
        let raise = if self.raise { full(params.max_level()) + bytes(params.base_gadget(), 0) } else { 0 };
        galois + raise + self.relinearisation.map_or(0, full)
    }
}
