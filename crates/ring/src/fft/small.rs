//! Transforms of 16 and 32 points: plain radix 2, for toy parameters only.

use super::Block;
use super::tables::{LEAF, Tables};
use crate::simd::LANES;

/// At most this many points.
const MAX: usize = LEAF / 2;

#[inline(always)]
pub(super) fn forward(tables: &Tables, freq: &mut [Block]) {
    let [mut re, mut im] = parts(freq);
    let mut half = tables.points;
    for pass in &tables.passes {
        half /= 2;
        for (node, &[[c, d], _]) in pass.twiddles().iter().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (re[j + half], im[j + half]);
                let (x, y) = (x.mul_add(c, -(y * d)), x.mul_add(d, y * c));
                (re[j], re[j + half]) = (re[j] + x, re[j] - x);
                (im[j], im[j + half]) = (im[j] + y, im[j] - y);
            }
        }
    }
    join(freq, &re, &im);
}

#[inline(always)]
pub(super) fn backward(tables: &Tables, freq: &mut [Block]) {
    let [mut re, mut im] = parts(freq);
    let mut half = 1;
    for pass in tables.passes.iter().rev() {
        for (node, &[[c, d], _]) in pass.twiddles().iter().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (re[j] - re[j + half], im[j] - im[j + half]);
                (re[j], im[j]) = (re[j] + re[j + half], im[j] + im[j + half]);
                (re[j + half], im[j + half]) = (x.mul_add(c, y * d), y.mul_add(c, -(x * d)));
            }
        }
        half *= 2;
    }
    join(freq, &re, &im);
}

/// The real and the imaginary parts.
#[inline(always)]
fn parts(freq: &[Block]) -> [[f64; MAX]; 2] {
    let mut parts = [[0.0; MAX]; 2];
    for (t, block) in freq.iter().enumerate() {
        for (part, x) in parts.iter_mut().zip(block) {
            part[t * LANES..][..LANES].copy_from_slice(x);
        }
    }
    parts
}

#[inline(always)]
fn join(freq: &mut [Block], re: &[f64; MAX], im: &[f64; MAX]) {
    let chunks = re.as_chunks().0.iter().zip(im.as_chunks().0);
    for (block, (&re, &im)) in freq.iter_mut().zip(chunks) {
        *block = [re, im];
    }
}
