//! The transforms: passes of butterflies over vectors of eight coefficients, then 64-coefficient leaves.

use super::butterfly::{Columns, Factor, Kept, Prime, Rows, backward, backward_last, forward, level};
use crate::mem::parts_mut;
use crate::modulus::lanes::Lanes;
use crate::ntt::tables::{self, LANE_NODES, LEAF};
use crate::simd::{LANES, Simd, WordKernel, Words};

type Pair = tables::Pair<u64>;
type Pass = tables::Pass<u64>;
type Tables = tables::Tables<u64>;
/// Eight coefficients or values, or the bits of eight words.
type Block = [f64; LANES];

/// Blocks in a leaf.
const LEAF_BLOCKS: usize = LEAF / LANES;
/// Leaves whose halves are done by turns: long chains of operations would leave the processor idle.
const GROUP: usize = 8;

#[inline(always)]
fn load<S: Words>(s: S, from: &Block) -> S::W {
    s.of_bits(s.float().load(from, 0))
}

#[inline(always)]
fn store<S: Words>(s: S, to: &mut Block, x: S::W) {
    s.float().store(to, 0, s.to_bits(x));
}

/// Reads integers, adding n·p: modulo 2^52.
#[inline(always)]
fn convert<S: Words>(s: S, p: &Prime<S::W>, from: &Block, n: u64) -> S::W {
    let f = s.float();
    s.of_bits(f.add(f.load(from, 0), s.to_bits(p.float(s, n))))
}

/// Writes balanced residues.
#[inline(always)]
fn balance<S: Words>(s: S, lanes: &Lanes<<S::Float as Simd>::V>, to: &mut Block, x: S::W) {
    s.float().store(to, 0, lanes.balance(s.float(), s.to_integers(x)));
}

#[inline(always)]
fn transpose<S: Words>(s: S, a: [S::W; LEAF_BLOCKS]) -> [S::W; LEAF_BLOCKS] {
    let mut rows = [[s.to_bits(a[0])]; LANES];
    for i in 0..LANES {
        rows[i] = [s.to_bits(a[i])];
    }
    let rows = s.float().transpose(rows);
    let mut a = a;
    for i in 0..LANES {
        a[i] = s.of_bits(rows[i][0]);
    }
    a
}

/// `data` ← the values of the polynomial with coefficients `data`.
pub(in crate::ntt) struct Forward<'a> {
    pub(in crate::ntt) tables: &'a Tables,
    pub(in crate::ntt) data: &'a mut [Block],
}

impl WordKernel for Forward<'_> {
    #[inline(always)]
    fn run<S: Words>(self, s: S) {
        let Self { tables, data } = self;
        let p = &Prime::new(s, tables.modulus);
        let lanes = &Lanes::new(s.float(), tables.modulus);
        let (leaf_rows, leaf_lanes) = tables.leaves();
        let (outer, inner) = tables.passes.split_at(tables.first_cached);
        let (mut nodes, mut done) = (1, 0);
        for pass in outer {
            forward_pass(s, p, data, pass, 0, nodes, done);
            nodes *= pass.radix;
            done += 1;
        }
        let size = data.len() / nodes;
        let leaves = size / LEAF_BLOCKS;
        for (node, data) in data.chunks_exact_mut(size).enumerate() {
            let (mut below, mut done) = (1, done);
            for pass in inner {
                forward_pass(s, p, data, pass, node * below, below, done);
                below *= pass.radix;
                done += 1;
            }
            let rows = leaf_rows[node * leaves..][..leaves].chunks(GROUP);
            let columns = leaf_lanes[node * leaves..][..leaves].chunks(GROUP);
            for (data, (rows, columns)) in data.chunks_mut(GROUP * LEAF_BLOCKS).zip(rows.zip(columns)) {
                let data = data.as_chunks_mut().0;
                for (leaf, rows) in data.iter_mut().zip(rows) {
                    forward_upper(s, p, leaf, rows);
                }
                forward_lower(s, p, lanes, data, columns);
            }
        }
    }
}

/// One pass, after `done` others.
#[inline(always)]
fn forward_pass<S: Words>(
    s: S,
    p: &Prime<S::W>,
    data: &mut [Block],
    pass: &Pass,
    first: usize,
    nodes: usize,
    done: usize,
) {
    match pass.radix {
        2 => forward_nodes::<S, 2>(s, p, data, pass, first, nodes, done),
        4 => forward_nodes::<S, 4>(s, p, data, pass, first, nodes, done),
        _ => forward_nodes::<S, 8>(s, p, data, pass, first, nodes, done),
    }
}

/// Nodes `first`, …, `first` + `nodes` − 1, which are `data`, after `done` passes: the first reads integers, and the third is the
/// first that needs to reduce.
#[inline(always)]
fn forward_nodes<S: Words, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    data: &mut [Block],
    pass: &Pass,
    first: usize,
    nodes: usize,
    done: usize,
) {
    let twiddles = &pass.twiddles()[first * (R - 1)..][..nodes * (R - 1)];
    let size = data.len() / nodes;
    for (node, w) in data.chunks_exact_mut(size).zip(twiddles.chunks_exact(R - 1)) {
        let node: &mut [_; R] = &mut parts_mut(node);
        let w = Kept::new::<S, R, false>(s, w);
        match done {
            0 => forward_columns::<S, R, true, false>(s, p, node, &w),
            1 => forward_columns::<S, R, false, false>(s, p, node, &w),
            _ => forward_columns::<S, R, false, true>(s, p, node, &w),
        }
    }
}

#[inline(always)]
fn forward_columns<S: Words, const R: usize, const CONVERT: bool, const REDUCE: bool>(
    s: S,
    p: &Prime<S::W>,
    node: &mut [&mut [Block]; R],
    w: &Kept<S::W>,
) {
    for j in 0..node[0].len() {
        let mut a = [s.splat(0); R];
        for k in 0..R {
            a[k] = if CONVERT { convert(s, p, &node[k][j], 12) } else { load(s, &node[k][j]) };
        }
        if REDUCE {
            a[0] = p.reduce(s, a[0], 9);
        }
        forward(s, p, &mut a, w);
        for k in 0..R {
            store(s, &mut node[k][j], a[k]);
        }
    }
}

/// The upper half of a leaf.
#[inline(always)]
fn forward_upper<S: Words>(s: S, p: &Prime<S::W>, leaf: &mut [Block; LEAF_BLOCKS], rows: &[Pair; 7]) {
    let mut a = [s.splat(0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[k] = load(s, &leaf[k]);
    }
    a[0] = p.reduce(s, a[0], 9);
    forward(s, p, &mut a, &Rows::<false>(rows));
    for k in 0..LEAF_BLOCKS {
        store(s, &mut leaf[k], a[LANE_NODES[k]]);
    }
}

/// The lower halves of leaves, each read and transposed while the one before it is being worked on.
#[inline(always)]
fn forward_lower<S: Words>(
    s: S,
    p: &Prime<S::W>,
    lanes: &Lanes<<S::Float as Simd>::V>,
    leaves: &mut [[Block; LEAF_BLOCKS]],
    columns: &[[[u64; LANES]; 7]],
) {
    let mut next = read_transposed(s, &leaves[0]);
    for i in 0..leaves.len() {
        let mut a = next;
        let w = &Columns::<false>(&columns[i]);
        a[0] = p.clean(s, a[0]);
        level(s, p, &mut a, w, 1);
        level(s, p, &mut a, w, 2);
        next = read_transposed(s, &leaves[(i + 1) % leaves.len()]);
        level(s, p, &mut a, w, 4);
        for k in 0..LEAF_BLOCKS {
            balance(s, lanes, &mut leaves[i][k], a[k]);
        }
    }
}

#[inline(always)]
fn read_transposed<S: Words>(s: S, leaf: &[Block; LEAF_BLOCKS]) -> [S::W; LEAF_BLOCKS] {
    let mut a = [s.splat(0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[k] = load(s, &leaf[k]);
    }
    transpose(s, a)
}

/// `data` ← the coefficients of the polynomial with values `data`.
pub(in crate::ntt) struct Backward<'a> {
    pub(in crate::ntt) tables: &'a Tables,
    pub(in crate::ntt) data: &'a mut [Block],
}

impl WordKernel for Backward<'_> {
    #[inline(always)]
    fn run<S: Words>(self, s: S) {
        let Self { tables, data } = self;
        let p = &Prime::new(s, tables.modulus);
        let (leaf_rows, leaf_lanes) = tables.leaves();
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
            let end = leaf_rows.len() - node * leaves;
            let rows = leaf_rows[end - leaves..end].rchunks(GROUP);
            let columns = leaf_lanes[end - leaves..end].rchunks(GROUP);
            for (data, (rows, columns)) in data.chunks_mut(GROUP * LEAF_BLOCKS).zip(rows.zip(columns)) {
                let data = data.as_chunks_mut().0;
                backward_lower(s, p, data, columns);
                for (leaf, rows) in data.iter_mut().zip(rows.iter().rev()) {
                    backward_upper(s, p, leaf, rows);
                }
            }
            let mut below = leaves;
            for pass in inner.iter().rev() {
                below /= pass.radix;
                backward_pass(s, p, data, pass, node * below, below);
            }
        }
        for pass in outer.iter().rev() {
            nodes /= pass.radix;
            backward_pass(s, p, data, pass, 0, nodes);
        }
        let lanes = &Lanes::new(s.float(), tables.modulus);
        let scale = [Factor::splat(s, tables.scale[0]), Factor::splat(s, tables.scale[1])];
        match last.radix {
            2 => backward_root::<S, 2>(s, p, lanes, data, last, &scale),
            4 => backward_root::<S, 4>(s, p, lanes, data, last, &scale),
            _ => backward_root::<S, 8>(s, p, lanes, data, last, &scale),
        }
    }
}

#[inline(always)]
fn backward_pass<S: Words>(s: S, p: &Prime<S::W>, data: &mut [Block], pass: &Pass, first: usize, nodes: usize) {
    match pass.radix {
        2 => backward_nodes::<S, 2>(s, p, data, pass, first, nodes),
        4 => backward_nodes::<S, 4>(s, p, data, pass, first, nodes),
        _ => backward_nodes::<S, 8>(s, p, data, pass, first, nodes),
    }
}

/// Nodes `first`, …, `first` + `nodes` − 1, which are `data`.
#[inline(always)]
fn backward_nodes<S: Words, const R: usize>(
    s: S,
    p: &Prime<S::W>,
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
            let mut a = [s.splat(0); R];
            for k in 0..R {
                a[k] = load(s, &node[k][j]);
            }
            backward(s, p, &mut a, &w);
            for k in 0..R {
                store(s, &mut node[k][j], a[k]);
            }
        }
    }
}

/// The last pass.
#[inline(always)]
fn backward_root<S: Words, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    lanes: &Lanes<<S::Float as Simd>::V>,
    data: &mut [Block],
    pass: &Pass,
    scale: &[Factor<S::W>; 2],
) {
    let len = data.len() / R;
    let node: [_; R] = parts_mut(data);
    let w = Kept::new::<S, R, true>(s, pass.twiddles());
    for j in 0..len {
        let mut a = [s.splat(0); R];
        for k in 0..R {
            a[k] = load(s, &node[k][j]);
        }
        backward_last(s, p, &mut a, &w, scale);
        for k in 0..R {
            balance(s, lanes, &mut node[k][j], a[k]);
        }
    }
}

/// The lower halves of leaves, each transposed and written while the one after it is being worked on; `columns` from the last on.
#[inline(always)]
fn backward_lower<S: Words>(s: S, p: &Prime<S::W>, leaves: &mut [[Block; LEAF_BLOCKS]], columns: &[[[u64; LANES]; 7]]) {
    let mut done = [s.splat(0); LEAF_BLOCKS];
    let last = leaves.len() - 1;
    for i in 0..=last {
        let mut a = [s.splat(0); LEAF_BLOCKS];
        for k in 0..LEAF_BLOCKS {
            a[k] = convert(s, p, &leaves[i][k], 1);
        }
        if i > 0 {
            write_transposed(s, &mut leaves[i - 1], done);
        }
        backward(s, p, &mut a, &Columns::<true>(&columns[last - i]));
        done = a;
    }
    write_transposed(s, &mut leaves[last], done);
}

#[inline(always)]
fn write_transposed<S: Words>(s: S, leaf: &mut [Block; LEAF_BLOCKS], a: [S::W; LEAF_BLOCKS]) {
    let a = transpose(s, a);
    for k in 0..LEAF_BLOCKS {
        store(s, &mut leaf[k], a[k]);
    }
}

/// The upper half of a leaf.
#[inline(always)]
fn backward_upper<S: Words>(s: S, p: &Prime<S::W>, leaf: &mut [Block; LEAF_BLOCKS], rows: &[Pair; 7]) {
    let mut a = [s.splat(0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[LANE_NODES[k]] = load(s, &leaf[k]);
    }
    backward(s, p, &mut a, &Rows::<true>(rows));
    for k in 0..LEAF_BLOCKS {
        store(s, &mut leaf[k], a[k]);
    }
}
