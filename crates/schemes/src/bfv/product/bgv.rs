//! BGV: messages are phases modulo t (Brakerski, Gentry, Vaikuntanathan, *(Leveled) fully homomorphic encryption without
//! bootstrapping*, ITCS 2012).
//!
//! A product is the product of the phases, w₁·w₂ with the factor f₁·f₂. What keeps w small is modulus switching, a
//! division by a prime of the chain that is congruent modulo t ([`bootes_ring::rns::Division::congruent`]): the factor
//! is divided by the prime. Parameters, keys, ciphertexts and all other operations are in [`crate::bfv`].
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::poly::{Eval, Poly};

use crate::bfv::Evaluator;

impl Evaluator {
    /// `sum` ← `sum` + a ⊗ b for ciphertexts of BGV of one level: (d_0, d_1, d_2) of the phase d_0 + d_1·s + d_2·s².
    pub(crate) fn add_bgv_product(&self, sum: &mut Option<[Poly<Eval>; 3]>, a: &RnsCiphertext, b: &RnsCiphertext) {
        let (ring, limbs) = (self.ring(), a.limbs());
        let (x, y) = ([&a.b, &a.a], [&b.b, &b.a]);
        match sum {
            None => {
                let mut d = [ring.unspecified(limbs), ring.unspecified(limbs), ring.unspecified(limbs)];
                ring.tensor::<false>(&mut d, x, y);
                *sum = Some(d);
            }
            Some(sum) => ring.tensor::<true>(sum, x, y),
        }
    }
}
