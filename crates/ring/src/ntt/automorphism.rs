//! The automorphisms X ↦ X^g on values.

use super::position;

/// X ↦ X^g of Z\[X\]/(X^N + 1), g odd, as a permutation of values, the same for all primes.
///
/// P(X^g) has at ψ^e the value of P at ψ^(eg).
#[derive(Debug, Clone)]
pub struct Automorphism {
    exponent: usize,
    /// Where each value comes from.
    sources: Vec<u32>,
}

impl Automorphism {
    /// X ↦ X^g for degree N = `degree`, g = `exponent` modulo 2N.
    ///
    /// # Panics
    /// If N is not a power of two up to 2^31, or g is even.
    #[must_use]
    pub fn new(degree: usize, exponent: usize) -> Self {
        assert!(degree.is_power_of_two() && degree <= 1 << 31, "degree {degree} is not a power of two up to 2^31");
        assert!(exponent % 2 == 1, "X -> X^{exponent} is no automorphism: the exponent must be odd");
        let g = exponent % (2 * degree);
        let source = |to| position(degree, super::exponent(degree, to).wrapping_mul(g)) as u32;
        Self { exponent: g, sources: (0..degree).map(source).collect() }
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.sources.len()
    }

    /// g, 0 < g < 2N.
    #[must_use]
    pub fn exponent(&self) -> usize {
        self.exponent
    }

    /// `out` = the values of P(X^g), for `input` the values of P.
    ///
    /// # Panics
    /// If a length is not N.
    pub fn apply_into(&self, out: &mut [f64], input: &[f64]) {
        let degree = self.degree();
        assert!(out.len() == degree && input.len() == degree, "slices of N = {degree} values");
        for (out, &source) in out.iter_mut().zip(&self.sources) {
            // The mask changes nothing and spares the check.
            *out = input[source as usize & (input.len() - 1)];
        }
    }
}
