//! The transforms: passes of butterflies over vectors of eight coefficients, then 64-coefficient leaves.

use super::butterfly::{Columns, Kept, Rows, backward, backward_last, forward};
use super::small;
use super::tables::{LANE_NODES, LEAF, Pair, Pass, Tables};
use crate::mem::parts_mut;
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::simd::{Kernel, LANES, Simd};

/// Eight coefficients or values.
type Block = [f64; LANES];

/// Blocks in a leaf.
const LEAF_BLOCKS: usize = LEAF / LANES;

/// `data` ← the values of the polynomial with coefficients `data`.
pub(super) struct Forward<'a> {
    pub(super) tables: &'a Tables,
    pub(super) data: &'a mut [Block],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, data } = self;
        if tables.degree < LEAF {
            return small::forward(tables, data.as_flattened_mut());
        }
        let p = &Lanes::new(s, tables.modulus);
        let (rows, lanes) = tables.leaves();
        let (outer, inner) = tables.passes.split_at(tables.first_cached);
        let mut nodes = 1;
        for pass in outer {
            forward_pass(s, p, data, pass, 0, nodes);
            nodes *= pass.radix;
        }
        let size = data.len() / nodes;
        let leaves = size / LEAF_BLOCKS;
        for (node, data) in data.chunks_exact_mut(size).enumerate() {
            let mut nodes = 1;
            for pass in inner {
                forward_pass(s, p, data, pass, node * nodes, nodes);
                nodes *= pass.radix;
            }
            let twiddles = rows[node * leaves..].iter().zip(&lanes[node * leaves..]);
            for (leaf, (rows, lanes)) in data.as_chunks_mut().0.iter_mut().zip(twiddles) {
                forward_leaf(s, p, leaf, rows, lanes);
            }
        }
    }
}

#[inline(always)]
fn forward_pass<S: Simd>(s: S, p: &Lanes<S::V>, data: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    match pass.radix {
        2 => forward_nodes::<S, 2>(s, p, data, pass, first, nodes),
        4 => forward_nodes::<S, 4>(s, p, data, pass, first, nodes),
        _ => forward_nodes::<S, 8>(s, p, data, pass, first, nodes),
    }
}

/// Nodes `first`, …, `first` + `nodes` − 1, which are `data`.
#[inline(always)]
fn forward_nodes<S: Simd, const R: usize>(
    s: S,
    p: &Lanes<S::V>,
    data: &mut [Block],
    pass: &Pass,
    first: usize,
    nodes: usize,
) {
    let twiddles = &pass.twiddles()[first * (R - 1)..][..nodes * (R - 1)];
    let (size, len) = (data.len() / nodes, data.len() / nodes / R);
    for (node, w) in data.chunks_exact_mut(size).zip(twiddles.chunks_exact(R - 1)) {
        let node: [_; R] = parts_mut(node);
        let w = Kept::new::<S, R, false>(s, w);
        for j in 0..len {
            let mut a = [s.splat(0.0); R];
            for k in 0..R {
                a[k] = s.load(&node[k][j]);
            }
            forward(s, p, &mut a, &w);
            for k in 0..R {
                s.store(&mut node[k][j], a[k]);
            }
        }
    }
}

#[inline(always)]
fn forward_leaf<S: Simd>(s: S, p: &Lanes<S::V>, leaf: &mut [Block; LEAF_BLOCKS], rows: &[Pair; 7], lanes: &[Block; 7]) {
    let mut a = [s.splat(0.0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[k] = s.load(&leaf[k]);
    }
    forward(s, p, &mut a, &Rows::<false>(rows));
    let mut nodes = [[a[0]]; LANES];
    for i in 0..LANES {
        nodes[i] = [a[LANE_NODES[i]]];
    }
    let nodes = s.transpose(nodes);
    for k in 0..LEAF_BLOCKS {
        a[k] = nodes[k][0];
    }
    forward(s, p, &mut a, &Columns::<false>(lanes));
    for k in 0..LEAF_BLOCKS {
        s.store(&mut leaf[k], p.balance(s, a[k]));
    }
}

/// `data` ← the coefficients of the polynomial with values `data`.
pub(super) struct Backward<'a> {
    pub(super) tables: &'a Tables,
    pub(super) data: &'a mut [Block],
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { tables, data } = self;
        if tables.degree < LEAF {
            return small::backward(tables, data.as_flattened_mut());
        }
        let p = &Lanes::new(s, tables.modulus);
        let scale = [LaneFactor::splat(s, tables.scale[0]), LaneFactor::splat(s, tables.scale[1])];
        let (rows, lanes) = tables.leaves();
        if let ([rows], [lanes], ([leaf], _)) = (rows, lanes, data.as_chunks_mut()) {
            return backward_leaf::<S, true>(s, p, leaf, rows, lanes, &scale);
        }
        let Some((last, passes)) = tables.passes.split_first() else { return };
        let (outer, inner) = passes.split_at(tables.first_cached.saturating_sub(1));
        let mut nodes = if tables.first_cached == 0 { 1 } else { last.radix };
        for pass in outer {
            nodes *= pass.radix;
        }
        let size = data.len() / nodes;
        let leaves = size / LEAF_BLOCKS;
        for (node, data) in data.chunks_exact_mut(size).enumerate() {
            // Mirror images are taken from the end.
            let end = rows.len() - node * leaves;
            let twiddles = rows[..end].iter().zip(&lanes[..end]).rev();
            for (leaf, (rows, lanes)) in data.as_chunks_mut().0.iter_mut().zip(twiddles) {
                backward_leaf::<S, false>(s, p, leaf, rows, lanes, &scale);
            }
            let mut nodes = leaves;
            for pass in inner.iter().rev() {
                nodes /= pass.radix;
                backward_pass(s, p, data, pass, node * nodes, nodes);
            }
        }
        for pass in outer.iter().rev() {
            nodes /= pass.radix;
            backward_pass(s, p, data, pass, 0, nodes);
        }
        match last.radix {
            2 => backward_root::<S, 2>(s, p, data, last, &scale),
            4 => backward_root::<S, 4>(s, p, data, last, &scale),
            _ => backward_root::<S, 8>(s, p, data, last, &scale),
        }
    }
}

#[inline(always)]
fn backward_pass<S: Simd>(s: S, p: &Lanes<S::V>, data: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    match pass.radix {
        2 => backward_nodes::<S, 2>(s, p, data, pass, first, nodes),
        4 => backward_nodes::<S, 4>(s, p, data, pass, first, nodes),
        _ => backward_nodes::<S, 8>(s, p, data, pass, first, nodes),
    }
}

/// Nodes `first`, …, `first` + `nodes` − 1, which are `data`.
#[inline(always)]
fn backward_nodes<S: Simd, const R: usize>(
    s: S,
    p: &Lanes<S::V>,
    data: &mut [Block],
    pass: &Pass,
    first: usize,
    nodes: usize,
) {
    let twiddles = pass.twiddles();
    let twiddles = &twiddles[..twiddles.len() - first * (R - 1)];
    let (size, len) = (data.len() / nodes, data.len() / nodes / R);
    for (node, w) in data.chunks_exact_mut(size).zip(twiddles.rchunks_exact(R - 1)) {
        let node: [_; R] = parts_mut(node);
        let w = Kept::new::<S, R, true>(s, w);
        for j in 0..len {
            let mut a = [s.splat(0.0); R];
            for k in 0..R {
                a[k] = s.load(&node[k][j]);
            }
            backward(s, p, &mut a, &w);
            for k in 0..R {
                s.store(&mut node[k][j], a[k]);
            }
        }
    }
}

/// The last pass.
#[inline(always)]
fn backward_root<S: Simd, const R: usize>(
    s: S,
    p: &Lanes<S::V>,
    data: &mut [Block],
    pass: &Pass,
    scale: &[LaneFactor<S::V>; 2],
) {
    let len = data.len() / R;
    let node: [_; R] = parts_mut(data);
    let w = Kept::new::<S, R, true>(s, pass.twiddles());
    for j in 0..len {
        let mut a = [s.splat(0.0); R];
        for k in 0..R {
            a[k] = s.load(&node[k][j]);
        }
        backward_last(s, p, &mut a, &w, scale);
        for k in 0..R {
            s.store(&mut node[k][j], a[k]);
        }
    }
}

#[inline(always)]
fn backward_leaf<S: Simd, const LAST: bool>(
    s: S,
    p: &Lanes<S::V>,
    leaf: &mut [Block; LEAF_BLOCKS],
    rows: &[Pair; 7],
    lanes: &[Block; 7],
    scale: &[LaneFactor<S::V>; 2],
) {
    let mut nodes = [[s.splat(0.0)]; LANES];
    let mut a = [s.splat(0.0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[k] = s.load(&leaf[k]);
    }
    backward(s, p, &mut a, &Columns::<true>(lanes));
    for k in 0..LEAF_BLOCKS {
        nodes[k] = [a[k]];
    }
    let nodes = s.transpose(nodes);
    for i in 0..LANES {
        a[LANE_NODES[i]] = nodes[i][0];
    }
    if LAST {
        backward_last(s, p, &mut a, &Rows::<true>(rows), scale);
    } else {
        backward(s, p, &mut a, &Rows::<true>(rows));
    }
    for k in 0..LEAF_BLOCKS {
        s.store(&mut leaf[k], a[k]);
    }
}
