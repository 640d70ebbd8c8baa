//! BGV: messages are phases modulo t (Brakerski, Gentry, Vaikuntanathan, *(Leveled) fully homomorphic encryption without
//! bootstrapping*, ITCS 2012).
//!
//! A product is the product of the phases, w₁·w₂ with the factor f₁·f₂. What keeps w small is modulus switching, a
//! division by a prime of the chain that is congruent modulo t ([`bootes_ring::rns::Division::congruent`]): the factor
//! is divided by the prime. Parameters, keys, ciphertexts and all other operations are in [`exact`](crate::exact).
use crate::exact::evaluator::Tensor;
use crate::exact::{Evaluator, ExactCiphertext, PhaseSize, Scheme};

impl Evaluator {
    /// `sum` ← `sum` + a ⊗ b for ciphertexts of BGV of one level, whose product has the factor of the sum.
    pub(crate) fn add_bgv_product(&self, sum: &mut Option<Tensor>, a: &ExactCiphertext, b: &ExactCiphertext) {
        let (ring, limbs) = (self.ring(), a.inner.limbs());
        let (x, y) = ([&a.inner.b, &a.inner.a], [&b.inner.b, &b.inner.a]);
        let size: PhaseSize = a.size.product(b.size, ring.degree());
        match sum {
            None => {
                let mut d = [ring.unspecified(limbs), ring.unspecified(limbs), ring.unspecified(limbs)];
                ring.tensor::<false>(&mut d, x, y);
                let factor = self.params.residues(a.exponent).mul(a.factor, b.factor);
                *sum = Some(Tensor { d, scheme: Scheme::Bgv, exponent: a.exponent, factor, size });
            }
            Some(sum) => {
                ring.tensor::<true>(&mut sum.d, x, y);
                sum.size = sum.size.plus(size);
            }
        }
    }
}
