//! The transforms: passes of butterflies over vectors of eight coefficients, then 64-coefficient leaves.

use super::butterfly::{Columns, Kept, Rows, backward, backward_last, forward};
use super::small;
use super::tables::{self, LANE_NODES, LEAF, factor};
use crate::mem::parts_mut;
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::simd::{Kernel, LANES, Simd};

type Pair = tables::Pair<f64>;
type Pass = tables::Pass<f64>;
type Tables = tables::Tables<f64>;
/// Eight coefficients or values.
type Block = [f64; LANES];
/// An 8×8 square of them.
type Square = [Block; LEAF_BLOCKS];

/// Blocks in a leaf.
const LEAF_BLOCKS: usize = LEAF / LANES;
/// Leaves whose halves are done by turns.
const GROUP: usize = 8;

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
        let mut squares = [[[0.0; LANES]; LEAF_BLOCKS]; GROUP];
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
            let rows = rows[node * leaves..][..leaves].chunks(GROUP);
            let lanes = lanes[node * leaves..][..leaves].chunks(GROUP);
            for (data, (rows, lanes)) in data.chunks_mut(GROUP * LEAF_BLOCKS).zip(rows.zip(lanes)) {
                let leaves = data.as_chunks_mut().0;
                if S::PARTS > 1 {
                    forward_leaves::<S, 1, 2, 2>(s, p, leaves, &mut squares, rows, lanes);
                } else if leaves.len() > 1 {
                    forward_leaves::<S, 2, 1, 2>(s, p, leaves, &mut squares, rows, lanes);
                } else {
                    forward_leaves::<S, 1, 1, 1>(s, p, leaves, &mut squares, rows, lanes);
                }
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

/// The butterflies of columns j, …, j + L − 1, Q parts at a time; T = L·Q.
#[inline(always)]
fn forward_columns<S: Simd, const R: usize, const L: usize, const Q: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    node: &mut [&mut [Block]; R],
    j: usize,
    w: &Kept<S::V>,
) {
    for part in (0..S::PARTS).step_by(Q) {
        let mut a = [[s.splat(0.0); T]; R];
        for k in 0..R {
            for t in 0..T {
                a[k][t] = s.load(&node[k][j + t / Q], part + t % Q);
            }
        }
        forward(s, p, &mut a, w);
        for k in 0..R {
            for t in 0..T {
                s.store(&mut node[k][j + t / Q], part + t % Q, a[k][t]);
            }
        }
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
        let mut node: [_; R] = parts_mut(node);
        let w = Kept::new::<S, R, false>(s, w);
        if S::PARTS > 1 {
            for j in 0..len {
                forward_columns::<S, R, 1, 2, 2>(s, p, &mut node, j, &w);
            }
        } else if len > 1 {
            for j in 0..len / 2 {
                forward_columns::<S, R, 2, 1, 2>(s, p, &mut node, 2 * j, &w);
            }
        } else {
            forward_columns::<S, R, 1, 1, 1>(s, p, &mut node, 0, &w);
        }
    }
}

/// Q parts from `part` on of the rows of L squares; T = L·Q.
#[inline(always)]
fn load_rows<S: Simd, const L: usize, const Q: usize, const T: usize>(
    s: S,
    squares: &[Square; L],
    part: usize,
) -> [[S::V; T]; LEAF_BLOCKS] {
    let mut a = [[s.splat(0.0); T]; LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        for t in 0..T {
            a[k][t] = s.load(&squares[t / Q][k], part + t % Q);
        }
    }
    a
}

/// The opposite of [`load_rows`].
#[inline(always)]
fn store_rows<S: Simd, const L: usize, const Q: usize, const T: usize>(
    s: S,
    squares: &mut [Square; L],
    part: usize,
    a: [[S::V; T]; LEAF_BLOCKS],
) {
    for k in 0..LEAF_BLOCKS {
        for t in 0..T {
            s.store(&mut squares[t / Q][k], part + t % Q, a[k][t]);
        }
    }
}

/// Stores the columns of what [`load_rows`] reads as rows.
#[inline(always)]
fn store_columns<S: Simd, const L: usize, const Q: usize, const T: usize>(
    s: S,
    squares: &mut [Square; L],
    part: usize,
    a: [[S::V; T]; LEAF_BLOCKS],
) {
    let columns = s.transpose(a);
    for i in 0..LANES {
        for t in 0..T {
            let row = ((part + t % Q) * LANES + i) / S::PARTS;
            s.store(&mut squares[t / Q][row], i % S::PARTS, columns[i][t]);
        }
    }
}

/// Upper halves first, then lower halves: long chains of operations would leave the processor idle.
#[inline(always)]
fn forward_leaves<S: Simd, const L: usize, const Q: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    leaves: &mut [Square],
    squares: &mut [Square; GROUP],
    rows: &[[Pair; 7]],
    lanes: &[[Block; 7]],
) {
    let (leaves, squares) = (leaves.as_chunks_mut::<L>().0, squares.as_chunks_mut::<L>().0);
    for ((leaves, squares), rows) in leaves.iter().zip(squares.iter_mut()).zip(rows.as_chunks().0) {
        for part in (0..S::PARTS).step_by(Q) {
            let mut a: [[_; T]; _] = load_rows::<S, L, Q, T>(s, leaves, part);
            forward(s, p, &mut a, &Rows::<L, Q, false>(rows));
            let mut nodes = a;
            for k in 0..LEAF_BLOCKS {
                nodes[k] = a[LANE_NODES[k]];
            }
            store_columns::<S, L, Q, T>(s, squares, part, nodes);
        }
    }
    for ((leaves, squares), lanes) in leaves.iter_mut().zip(squares).zip(lanes.as_chunks().0) {
        for part in (0..S::PARTS).step_by(Q) {
            let mut a = load_rows::<S, L, Q, T>(s, squares, part);
            forward(s, p, &mut a, &Columns::<L, Q, false>(lanes, part));
            for k in 0..LEAF_BLOCKS {
                for t in 0..T {
                    a[k][t] = p.balance(s, a[k][t]);
                }
            }
            store_rows::<S, L, Q, T>(s, leaves, part, a);
        }
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
        let scale = [LaneFactor::splat(s, factor(&tables.scale[0])), LaneFactor::splat(s, factor(&tables.scale[1]))];
        let (rows, lanes) = tables.leaves();
        if let (Ok(rows), Ok(lanes), Ok(leaf)) = (rows.try_into(), lanes.try_into(), data.as_chunks_mut().0.try_into())
        {
            return backward_only_leaf(s, p, leaf, rows, lanes, &scale);
        }
        let Some((last, passes)) = tables.passes.split_first() else { return };
        let (outer, inner) = passes.split_at(tables.first_cached.saturating_sub(1));
        let mut nodes = if tables.first_cached == 0 { 1 } else { last.radix };
        for pass in outer {
            nodes *= pass.radix;
        }
        let size = data.len() / nodes;
        let leaves = size / LEAF_BLOCKS;
        let mut squares = [[[0.0; LANES]; LEAF_BLOCKS]; GROUP];
        for (node, data) in data.chunks_exact_mut(size).enumerate() {
            // Mirror images are taken from the end.
            let end = rows.len() - node * leaves;
            let rows = rows[end - leaves..end].rchunks(GROUP);
            let lanes = lanes[end - leaves..end].rchunks(GROUP);
            for (data, (rows, lanes)) in data.chunks_mut(GROUP * LEAF_BLOCKS).zip(rows.zip(lanes)) {
                let leaves = data.as_chunks_mut().0;
                if S::PARTS > 1 {
                    backward_leaves::<S, 1, 2, 2>(s, p, leaves, &mut squares, rows, lanes);
                } else if leaves.len() > 1 {
                    backward_leaves::<S, 2, 1, 2>(s, p, leaves, &mut squares, rows, lanes);
                } else {
                    backward_leaves::<S, 1, 1, 1>(s, p, leaves, &mut squares, rows, lanes);
                }
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

/// The butterflies of columns j, …, j + L − 1, Q parts at a time; T = L·Q.
#[inline(always)]
fn backward_columns<S: Simd, const R: usize, const L: usize, const Q: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    node: &mut [&mut [Block]; R],
    j: usize,
    w: &Kept<S::V>,
) {
    for part in (0..S::PARTS).step_by(Q) {
        let mut a = [[s.splat(0.0); T]; R];
        for k in 0..R {
            for t in 0..T {
                a[k][t] = s.load(&node[k][j + t / Q], part + t % Q);
            }
        }
        backward(s, p, &mut a, w);
        for k in 0..R {
            for t in 0..T {
                s.store(&mut node[k][j + t / Q], part + t % Q, a[k][t]);
            }
        }
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
        let mut node: [_; R] = parts_mut(node);
        let w = Kept::new::<S, R, true>(s, w);
        if S::PARTS > 1 {
            for j in 0..len {
                backward_columns::<S, R, 1, 2, 2>(s, p, &mut node, j, &w);
            }
        } else if len > 1 {
            for j in 0..len / 2 {
                backward_columns::<S, R, 2, 1, 2>(s, p, &mut node, 2 * j, &w);
            }
        } else {
            backward_columns::<S, R, 1, 1, 1>(s, p, &mut node, 0, &w);
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
        for part in 0..S::PARTS {
            let mut a = [[s.splat(0.0)]; R];
            for k in 0..R {
                a[k] = [s.load(&node[k][j], part)];
            }
            backward_last(s, p, &mut a, &w, scale);
            for k in 0..R {
                s.store(&mut node[k][j], part, a[k][0]);
            }
        }
    }
}

/// Lower halves first, then upper halves.
#[inline(always)]
fn backward_leaves<S: Simd, const L: usize, const Q: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    leaves: &mut [Square],
    squares: &mut [Square; GROUP],
    rows: &[[Pair; 7]],
    lanes: &[[Block; 7]],
) {
    let (leaves, squares) = (leaves.as_chunks_mut::<L>().0, squares.as_chunks_mut::<L>().0);
    for ((leaves, squares), lanes) in leaves.iter().zip(squares.iter_mut()).zip(lanes.as_chunks().0.iter().rev()) {
        for part in (0..S::PARTS).step_by(Q) {
            let mut a = load_rows::<S, L, Q, T>(s, leaves, part);
            backward(s, p, &mut a, &Columns::<L, Q, true>(lanes, part));
            store_columns::<S, L, Q, T>(s, squares, part, a);
        }
    }
    for ((leaves, squares), rows) in leaves.iter_mut().zip(squares).zip(rows.as_chunks().0.iter().rev()) {
        for part in (0..S::PARTS).step_by(Q) {
            let nodes = load_rows::<S, L, Q, T>(s, squares, part);
            let mut a = nodes;
            for k in 0..LEAF_BLOCKS {
                a[LANE_NODES[k]] = nodes[k];
            }
            backward(s, p, &mut a, &Rows::<L, Q, true>(rows));
            store_rows::<S, L, Q, T>(s, leaves, part, a);
        }
    }
}

/// A leaf that is the whole tree.
#[inline(always)]
fn backward_only_leaf<S: Simd>(
    s: S,
    p: &Lanes<S::V>,
    leaf: &mut [Square; 1],
    rows: &[[Pair; 7]; 1],
    lanes: &[[Block; 7]; 1],
    scale: &[LaneFactor<S::V>; 2],
) {
    let mut square = [[[0.0; LANES]; LEAF_BLOCKS]];
    for part in 0..S::PARTS {
        let mut a = load_rows::<S, 1, 1, 1>(s, leaf, part);
        backward(s, p, &mut a, &Columns::<1, 1, true>(lanes, part));
        store_columns::<S, 1, 1, 1>(s, &mut square, part, a);
    }
    for part in 0..S::PARTS {
        let nodes = load_rows::<S, 1, 1, 1>(s, &square, part);
        let mut a = nodes;
        for k in 0..LEAF_BLOCKS {
            a[LANE_NODES[k]] = nodes[k];
        }
        backward_last(s, p, &mut a, &Rows::<1, 1, true>(rows), scale);
        store_rows::<S, 1, 1, 1>(s, leaf, part, a);
    }
}
