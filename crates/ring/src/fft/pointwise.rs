//! Products of polynomials in frequency representation.

use super::Block;
use super::butterfly::Complex;
use crate::simd::{Kernel, Simd};

/// `out` = `a`·`b`, or `out` += `a`·`b` if `ADD`.
pub(super) struct Product<'a, const ADD: bool> {
    pub(super) out: &'a mut [Block],
    pub(super) a: &'a [Block],
    pub(super) b: &'a [Block],
}

impl<const ADD: bool> Kernel for Product<'_, ADD> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (out, (a, b)) in self.out.iter_mut().zip(self.a.iter().zip(self.b)) {
            for part in 0..S::PARTS {
                let (a, b) = (Complex::load(s, a, part), Complex::load(s, b, part));
                let product = if ADD { Complex::load(s, out, part).mul_add(s, a, b) } else { a.mul(s, b) };
                product.store(s, out, part);
            }
        }
    }
}
