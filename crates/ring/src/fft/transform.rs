//! The transforms: passes of butterflies over blocks of eight points, then 64-point leaves (for AVX-512 and AVX2, those
//! of `simd`).
//!
//! The first pass forward, the last one backward is fused with the conversion of coefficients, of which there are many kinds. What is
//! the same for all is a kernel apart, so that it is compiled once.

use super::butterfly::{
    Column, Complex, Kept, Lanes, Points, Rows, Square, Swapped, ZERO, backward, forward, transpose_backward,
    transpose_forward,
};
use super::convert::{Decode, Encode};
use super::small;
use super::tables::{LEAF, Pass, Tables};
use crate::mem::parts_mut;
use crate::simd::{Block, Kernel, LANES, Simd};

/// Blocks in a leaf.
const LEAF_BLOCKS: usize = LEAF / LANES;

/// `out` = the polynomial with coefficients `coeffs`, after the fused pass if there is one.
pub(super) struct Read<'a, E: Encode> {
    pub(super) tables: &'a Tables,
    pub(super) out: &'a mut [Block],
    pub(super) coeffs: &'a [[E::Word; LANES]],
    pub(super) encode: E,
}

impl<E: Encode> Kernel for Read<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, out, coeffs, encode } = self;
        let Some(first) = tables.fused() else {
            let (re, im) = coeffs.split_at(out.len());
            for (j, out) in out.iter_mut().enumerate() {
                for part in 0..S::PARTS {
                    Complex { re: encode.load(s, &re[j], part), im: encode.load(s, &im[j], part) }.store(s, out, part);
                }
            }
            return;
        };
        match first.radix {
            2 => forward_first::<S, E, 2>(s, out, coeffs, &encode, first),
            4 => forward_first::<S, E, 4>(s, out, coeffs, &encode, first),
            _ => forward_first::<S, E, 8>(s, out, coeffs, &encode, first),
        }
    }
}

/// `freq` ← the values of the polynomial with coefficients `freq`, after `done` ≤ 1 passes.
pub(super) struct Forward<'a> {
    pub(super) tables: &'a Tables,
    pub(super) freq: &'a mut [Block],
    pub(super) done: usize,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, freq, done } = self;
        if tables.points < LEAF {
            return small::forward(tables, freq);
        }
        let (rows, lanes) = tables.leaves();
        let (outer, inner) = tables.passes.split_at(tables.first_cached);
        let mut nodes = tables.passes[..done].iter().map(|pass| pass.radix).product();
        for pass in &outer[done..] {
            forward_pass(s, freq, pass, 0, nodes);
            nodes *= pass.radix;
        }
        let size = freq.len() / if inner.is_empty() { 1 } else { nodes };
        for (node, freq) in freq.chunks_exact_mut(size).enumerate() {
            let mut nodes = 1;
            for pass in inner {
                forward_pass(s, freq, pass, node * nodes, nodes);
                nodes *= pass.radix;
            }
            let leaves = size / LEAF_BLOCKS;
            forward_leaves(s, freq.as_chunks_mut().0, &rows[node * leaves..], &lanes[node * leaves..]);
        }
    }
}

/// A part of vector `j` of R arrays of coefficients: real and imaginary parts.
struct Words<'a, E: Encode, const R: usize> {
    re: &'a [&'a [[E::Word; LANES]]; R],
    im: &'a [&'a [[E::Word; LANES]]; R],
    encode: &'a E,
    j: usize,
    part: usize,
}

impl<S: Simd, E: Encode, const R: usize> Points<S> for Words<'_, E, R> {
    #[inline(always)]
    fn point(&self, s: S, k: usize) -> Complex<S::V> {
        let Self { re, im, encode, j, part } = *self;
        Complex { re: encode.load(s, &re[k][j], part), im: encode.load(s, &im[k][j], part) }
    }
}

/// The fused pass, which also reads the coefficients.
#[inline(always)]
fn forward_first<S: Simd, E: Encode, const R: usize>(
    s: S,
    out: &mut [Block],
    coeffs: &[[E::Word; LANES]],
    encode: &E,
    pass: &Pass,
) {
    let len = out.len() / R;
    let (re, im) = coeffs.split_at(out.len());
    let re: [_; R] = parts(re);
    let im: [_; R] = parts(im);
    let out: [_; R] = parts_mut(out);
    let w = Kept::<_, R>::new(s, pass.twiddles());
    for j in 0..len {
        for part in 0..S::PARTS {
            let a: [_; R] = forward(s, &Words { re: &re, im: &im, encode, j, part }, &w);
            for k in 0..R {
                a[k].store(s, &mut out[k][j], part);
            }
        }
    }
}

/// A pass over `nodes` nodes from node `first` on.
#[inline(always)]
fn forward_pass<S: Simd>(s: S, out: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    match pass.radix {
        2 => forward_nodes::<S, 2>(s, out, pass, first, nodes),
        4 => forward_nodes::<S, 4>(s, out, pass, first, nodes),
        _ => forward_nodes::<S, 8>(s, out, pass, first, nodes),
    }
}

#[inline(always)]
fn forward_nodes<S: Simd, const R: usize>(s: S, out: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    let twiddles = &pass.twiddles()[first * (R - 1)..][..nodes * (R - 1)];
    let (size, len) = (out.len() / nodes, out.len() / nodes / R);
    for (node, w) in out.chunks_exact_mut(size).zip(twiddles.chunks_exact(R - 1)) {
        let node: [_; R] = parts_mut(node);
        let w = Kept::<_, R>::new(s, w);
        for j in 0..len {
            for part in 0..S::PARTS {
                let a: [_; R] = forward(s, &Column { arrays: &node, j, part }, &w);
                for k in 0..R {
                    a[k].store(s, &mut node[k][j], part);
                }
            }
        }
    }
}

#[inline(always)]
fn forward_leaves<S: Simd>(s: S, leaves: &mut [[Block; LEAF_BLOCKS]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    if s.forward_leaves(leaves, rows, lanes) {
        return;
    }
    let mut square = [ZERO; LANES];
    for (leaf, (rows, lanes)) in leaves.iter_mut().zip(rows.iter().zip(lanes)) {
        forward_leaf(s, leaf, &mut square, rows, lanes);
    }
}

/// 64 points: a butterfly over the rows, and, transposed, one over what were the lanes.
#[inline(always)]
fn forward_leaf<S: Simd>(s: S, leaf: &mut Square, square: &mut Square, rows: &[[f64; 2]; 7], lanes: &[Block; 7]) {
    for part in 0..S::PARTS {
        let a = forward(s, &Rows(leaf, part), rows.as_slice());
        transpose_forward(s, square, &a, part);
    }
    for part in 0..S::PARTS {
        let a: [_; LEAF_BLOCKS] = forward(s, &Rows(square, part), &Lanes(lanes, part));
        for k in 0..LEAF_BLOCKS {
            a[k].store(s, &mut leaf[k], part);
        }
    }
}

/// `freq` ← the coefficients of the polynomial with values `freq`, times the number of points, but for `rest` ≤ 1 passes.
/// The exact transpose of [`Forward`], with real and imaginary parts swapped throughout.
pub(super) struct Backward<'a> {
    pub(super) tables: &'a Tables,
    pub(super) freq: &'a mut [Block],
    pub(super) rest: usize,
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, freq, rest } = self;
        if tables.points < LEAF {
            return small::backward(tables, freq);
        }
        let (rows, lanes) = tables.leaves();
        let (outer, inner) = tables.passes.split_at(tables.first_cached);
        let mut nodes = outer.iter().map(|pass| pass.radix).product();
        let size = freq.len() / if inner.is_empty() { 1 } else { nodes };
        let leaves = size / LEAF_BLOCKS;
        for (node, freq) in freq.chunks_exact_mut(size).enumerate() {
            backward_leaves(s, freq.as_chunks_mut().0, &rows[node * leaves..], &lanes[node * leaves..]);
            let mut nodes = leaves;
            for pass in inner.iter().rev() {
                nodes /= pass.radix;
                backward_pass(s, freq, pass, node * nodes, nodes);
            }
        }
        for pass in outer[rest..].iter().rev() {
            nodes /= pass.radix;
            backward_pass(s, freq, pass, 0, nodes);
        }
    }
}

/// `out` ← the coefficients `freq`, after the fused pass if there is one: the exact transpose of [`Read`].
pub(super) struct Write<'a, D: Decode> {
    pub(super) tables: &'a Tables,
    pub(super) out: &'a mut [[D::Word; LANES]],
    pub(super) freq: &'a [Block],
    pub(super) decode: D,
}

impl<D: Decode> Kernel for Write<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, out, freq, decode } = self;
        let Some(last) = tables.fused() else {
            let (re, im) = out.split_at_mut(freq.len());
            for (j, freq) in freq.iter().enumerate() {
                for part in 0..S::PARTS {
                    let z = Complex::load(s, freq, part);
                    decode.store(s, &mut re[j], part, z.re);
                    decode.store(s, &mut im[j], part, z.im);
                }
            }
            return;
        };
        match last.radix {
            2 => backward_last::<S, D, 2>(s, out, freq, &decode, last),
            4 => backward_last::<S, D, 4>(s, out, freq, &decode, last),
            _ => backward_last::<S, D, 8>(s, out, freq, &decode, last),
        }
    }
}

/// The fused pass, which also writes the coefficients.
#[inline(always)]
fn backward_last<S: Simd, D: Decode, const R: usize>(
    s: S,
    out: &mut [[D::Word; LANES]],
    freq: &[Block],
    decode: &D,
    pass: &Pass,
) {
    let len = freq.len() / R;
    let (re, im) = out.split_at_mut(freq.len());
    let re: [_; R] = parts_mut(re);
    let im: [_; R] = parts_mut(im);
    let freq: [_; R] = parts(freq);
    let w = Kept::<_, R>::new(s, pass.twiddles());
    for j in 0..len {
        for part in 0..S::PARTS {
            let a: [_; R] = backward(s, &Swapped(Column { arrays: &freq, j, part }), &w);
            for k in 0..R {
                decode.store(s, &mut re[k][j], part, a[k].im);
                decode.store(s, &mut im[k][j], part, a[k].re);
            }
        }
    }
}

#[inline(always)]
fn backward_pass<S: Simd>(s: S, freq: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    match pass.radix {
        2 => backward_nodes::<S, 2>(s, freq, pass, first, nodes),
        4 => backward_nodes::<S, 4>(s, freq, pass, first, nodes),
        _ => backward_nodes::<S, 8>(s, freq, pass, first, nodes),
    }
}

#[inline(always)]
fn backward_nodes<S: Simd, const R: usize>(s: S, freq: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    let twiddles = &pass.twiddles()[first * (R - 1)..][..nodes * (R - 1)];
    let (size, len) = (freq.len() / nodes, freq.len() / nodes / R);
    for (node, w) in freq.chunks_exact_mut(size).zip(twiddles.chunks_exact(R - 1)) {
        let node: [_; R] = parts_mut(node);
        let w = Kept::<_, R>::new(s, w);
        for j in 0..len {
            for part in 0..S::PARTS {
                let a: [_; R] = backward(s, &Swapped(Column { arrays: &node, j, part }), &w);
                for k in 0..R {
                    a[k].swap().store(s, &mut node[k][j], part);
                }
            }
        }
    }
}

#[inline(always)]
fn backward_leaves<S: Simd>(s: S, leaves: &mut [[Block; LEAF_BLOCKS]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    if s.backward_leaves(leaves, rows, lanes) {
        return;
    }
    let mut square = [ZERO; LANES];
    for (leaf, (rows, lanes)) in leaves.iter_mut().zip(rows.iter().zip(lanes)) {
        backward_leaf(s, leaf, &mut square, rows, lanes);
    }
}

#[inline(always)]
fn backward_leaf<S: Simd>(s: S, leaf: &mut Square, square: &mut Square, rows: &[[f64; 2]; 7], lanes: &[Block; 7]) {
    for part in 0..S::PARTS {
        let a = backward(s, &Swapped(Rows(leaf, part)), &Lanes(lanes, part));
        transpose_backward(s, square, &a, part);
    }
    for part in 0..S::PARTS {
        let a: [_; LEAF_BLOCKS] = backward(s, &Rows(square, part), rows.as_slice());
        for k in 0..LEAF_BLOCKS {
            a[k].swap().store(s, &mut leaf[k], part);
        }
    }
}

/// `all` in R equal parts.
#[inline(always)]
fn parts<T, const R: usize>(all: &[T]) -> [&[T]; R] {
    let len = all.len() / R;
    let mut parts = [all; R];
    for k in 0..R {
        parts[k] = &all[k * len..][..len];
    }
    parts
}
