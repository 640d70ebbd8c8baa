//! Transforms of 16 and 32 points: plain radix 2, for toy parameters only.

use super::Block;
use super::convert::{Decode, Encode};
use super::tables::{LEAF, Tables};
use crate::simd::{LANES, Simd};

/// At most this many points.
const MAX: usize = LEAF / 2;

#[inline(always)]
pub(super) fn forward<S: Simd, E: Encode>(
    s: S,
    tables: &Tables,
    out: &mut [Block],
    coeffs: &[[E::Word; LANES]],
    encode: &E,
) {
    let points = tables.points;
    let mut reals = [[0.0; LANES]; 2 * MAX / LANES];
    for (x, coeffs) in reals.iter_mut().zip(coeffs) {
        s.store(x, encode.load(s, coeffs));
    }
    let (re, im) = reals.as_flattened_mut()[..2 * points].split_at_mut(points);
    let mut half = points;
    for pass in &tables.passes {
        half /= 2;
        for (node, &[c, d]) in pass.twiddles().iter().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (re[j + half], im[j + half]);
                let (x, y) = (x.mul_add(c, -(y * d)), x.mul_add(d, y * c));
                (re[j], re[j + half]) = (re[j] + x, re[j] - x);
                (im[j], im[j + half]) = (im[j] + y, im[j] - y);
            }
        }
    }
    let parts = re.as_chunks().0.iter().zip(im.as_chunks().0);
    for (out, (&re, &im)) in out.iter_mut().zip(parts) {
        *out = [re, im];
    }
}

#[inline(always)]
pub(super) fn backward<S: Simd, D: Decode>(
    s: S,
    tables: &Tables,
    out: &mut [[D::Word; LANES]],
    freq: &[Block],
    decode: &D,
) {
    let points = tables.points;
    let mut reals = [[0.0; LANES]; 2 * MAX / LANES];
    let chunks = points / LANES;
    for (t, block) in freq.iter().enumerate() {
        (reals[t], reals[t + chunks]) = (block[0], block[1]);
    }
    let (re, im) = reals.as_flattened_mut()[..2 * points].split_at_mut(points);
    let mut half = 1;
    for pass in tables.passes.iter().rev() {
        for (node, &[c, d]) in pass.twiddles().iter().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (re[j] - re[j + half], im[j] - im[j + half]);
                (re[j], im[j]) = (re[j] + re[j + half], im[j] + im[j + half]);
                (re[j + half], im[j + half]) = (x.mul_add(c, y * d), y.mul_add(c, -(x * d)));
            }
        }
        half *= 2;
    }
    for (out, x) in out.iter_mut().zip(&reals) {
        decode.store(s, out, s.load(x));
    }
}
