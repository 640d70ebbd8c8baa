//! Products with 1 + X + … + X^{N−1} modulo X^N + 1: half of it is the mean of a polynomial of uniform bits.

use crate::isa::Isa;
use crate::simd::{self, Kernel, LANES, Simd};
use crate::torus::{Torus, Words, WordsMut};

/// `out` = `from` − (1 + X + … + X^{N−1})·y modulo X^N + 1, or `out` itself less that product. y is `x` with the middle
/// of their range for the last `dropped` bits of each word.
///
/// Coefficient i of the product is Σ_{j ≤ i} y_j − Σ_{j > i} y_j: prefix sums.
///
/// # Panics
/// Unless all have one length, a multiple of eight, and `dropped` < k.
pub fn sub_product<W: Torus>(isa: Isa, out: &mut [W], from: Option<&[W]>, x: &[W], dropped: u32) {
    let lengths = [from.map_or(out.len(), <[W]>::len), x.len()];
    let fits = lengths == [out.len(); 2] && out.len().is_multiple_of(LANES) && dropped < W::BITS;
    assert!(fits, "polynomials of {} and {lengths:?} words, {dropped} bits", out.len());
    if let (WordsMut::Single(out), Words::Single(x)) = (W::words_mut(&mut *out), W::words(x)) {
        let from = from.map(|from| match W::words(from) {
            Words::Single(from) => from.as_chunks().0,
            Words::Double(_) => unreachable!("words of another width"),
        });
        let (out, x) = (out.as_chunks_mut().0, x.as_chunks().0);
        if simd::run(isa, SubProduct { out, from, x, dropped }) {
            return;
        }
    }
    sub_product_by_words(out, from, x, dropped);
}

struct SubProduct<'a> {
    out: &'a mut [[u64; LANES]],
    from: Option<&'a [[u64; LANES]]>,
    x: &'a [[u64; LANES]],
    dropped: u32,
}

impl Kernel for SubProduct<'_> {
    type Output = bool;

    /// Whether there is code for it.
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> bool {
        s.sub_product_with_ones(self.out, self.from, self.x, self.dropped)
    }
}

/// The reference.
fn sub_product_by_words<W: Torus>(out: &mut [W], from: Option<&[W]>, x: &[W], dropped: u32) {
    if let Some(from) = from {
        out.copy_from_slice(from);
    }
    let middle = W::from_integer(1).shl(dropped).shr(1);
    let kept = |x: W| x.shr(dropped).shl(dropped).wrapping_add(middle);
    let mut difference = x.iter().fold(W::default(), |sum, &x| sum.wrapping_add(kept(x)));
    for (out, &x) in out.iter_mut().zip(x) {
        difference = difference.wrapping_sub(kept(x).shl(1));
        *out = out.wrapping_add(difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Term by term: `x`·X^i for all i.
    fn products_with_ones<W: Torus>(words: &[W]) {
        let (out, x) = words.split_at(words.len() / 2);
        for dropped in [0, 1, 11, W::BITS - 1] {
            let middle = W::from_integer(1).shl(dropped).shr(1);
            let kept: Vec<W> = x.iter().map(|x| x.shr(dropped).shl(dropped).wrapping_add(middle)).collect();
            let term = |i: usize, j: usize| if j <= i { kept[j].wrapping_neg() } else { kept[j] };
            let sum = |i: usize| (0..x.len()).fold(out[i], |sum, j| sum.wrapping_add(term(i, j)));
            let expected: Vec<W> = (0..x.len()).map(sum).collect();
            for &isa in Isa::available_here() {
                let (mut found, mut copied) = (out.to_vec(), vec![W::from_integer(7); out.len()]);
                sub_product(isa, &mut found, None, x, dropped);
                sub_product(isa, &mut copied, Some(out), x, dropped);
                assert!(found == expected && copied == expected, "{isa}, {dropped} bits");
            }
        }
    }

    #[test]
    fn products_with_ones_are_prefix_sums() {
        let mut x = 1u128;
        let mut random = || {
            x = x.wrapping_mul(0x5851_F42D_4C95_7F2D_1405_7B7E_F767_814F).wrapping_add(1);
            x ^ x >> 64
        };
        for len in [8, 16, 64, 200] {
            let words: Vec<u128> = (0..2 * len).map(|_| random()).collect();
            products_with_ones(&words);
            products_with_ones(&words.iter().map(|&x| (x >> 64) as u64).collect::<Vec<_>>());
        }
    }
}
