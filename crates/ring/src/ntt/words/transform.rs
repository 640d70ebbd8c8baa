//! The transforms: passes of butterflies over vectors of eight coefficients, then 64-coefficient leaves.

use super::butterfly::{Columns, Factor, Kept, Prime, Rows, backward, backward_last, centred, forward, level};
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
/// Primes of so few bits leave room for all levels: from |x| ≤ 2p and 12p on, ± p/2 a level, numbers stay between 0 and
/// 23p < 2^52.
const ROOM_BITS: u32 = 47;
/// Leaves whose halves are done by turns, backwards.
const GROUP: usize = 8;

/// The multiple of p that makes inputs positive.
const fn start<const ROOM: bool>() -> u64 {
    if ROOM { 12 } else { 2 }
}

#[inline(always)]
fn load<S: Words>(s: S, from: &Block) -> S::W {
    s.of_bits(s.float().load(from, 0))
}

#[inline(always)]
fn store<S: Words>(s: S, to: &mut Block, x: S::W) {
    s.float().store(to, 0, s.to_bits(x));
}

/// Reads integers, adding n·p, modulo 2^52.
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
        if tables.modulus.bits() <= ROOM_BITS {
            forward_all::<S, true>(s, tables, data);
        } else {
            forward_all::<S, false>(s, tables, data);
        }
    }
}

#[inline(always)]
fn forward_all<S: Words, const ROOM: bool>(s: S, tables: &Tables, data: &mut [Block]) {
    let p = &Prime::new(s, &tables.setup);
    let lanes = &Lanes::new(s.float(), tables.modulus);
    let (leaf_rows, leaf_lanes) = tables.leaves();
    let (outer, inner) = tables.passes.split_at(tables.first_cached);
    let (mut nodes, mut done) = (1, 0);
    for pass in outer {
        forward_pass::<S, ROOM>(s, p, data, pass, 0, nodes, done);
        nodes *= pass.radix;
        done += 1;
    }
    let size = data.len() / nodes;
    let leaves = size / LEAF_BLOCKS;
    for (node, data) in data.chunks_exact_mut(size).enumerate() {
        let (mut below, mut done) = (1, done);
        for pass in inner {
            forward_pass::<S, ROOM>(s, p, data, pass, node * below, below, done);
            below *= pass.radix;
            done += 1;
        }
        let leaves = node * leaves..(node + 1) * leaves;
        let (rows, columns) = (&leaf_rows[leaves.clone()], &leaf_lanes[leaves]);
        forward_leaves::<S, ROOM>(s, p, lanes, data.as_chunks_mut().0, rows, columns);
    }
}

/// One pass, after `done` others.
#[inline(always)]
fn forward_pass<S: Words, const ROOM: bool>(
    s: S,
    p: &Prime<S::W>,
    data: &mut [Block],
    pass: &Pass,
    first: usize,
    nodes: usize,
    done: usize,
) {
    match pass.radix {
        2 => forward_nodes::<S, 2, ROOM>(s, p, data, pass, first, nodes, done),
        4 => forward_nodes::<S, 4, ROOM>(s, p, data, pass, first, nodes, done),
        _ => forward_nodes::<S, 8, ROOM>(s, p, data, pass, first, nodes, done),
    }
}

/// Nodes `first`, …, `first` + `nodes` − 1, which are `data`, after `done` passes: the first reads integers.
#[inline(always)]
fn forward_nodes<S: Words, const R: usize, const ROOM: bool>(
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
            0 => forward_columns::<S, R, ROOM, true>(s, p, node, &w),
            _ => forward_columns::<S, R, ROOM, false>(s, p, node, &w),
        }
    }
}

#[inline(always)]
fn forward_columns<S: Words, const R: usize, const ROOM: bool, const CONVERT: bool>(
    s: S,
    p: &Prime<S::W>,
    node: &mut [&mut [Block]; R],
    w: &Kept<S::W>,
) {
    for j in 0..node[0].len() {
        let mut a = [s.splat(0); R];
        for k in 0..R {
            a[k] = if CONVERT { convert(s, p, &node[k][j], start::<ROOM>()) } else { load(s, &node[k][j]) };
            if CONVERT && !ROOM && k < R / 2 {
                a[k] = p.clean(s, a[k]);
            }
        }
        forward::<_, _, R, ROOM>(s, p, &mut a, w);
        for k in 0..R {
            store(s, &mut node[k][j], a[k]);
        }
    }
}

/// The upper half of a leaf, by nodes.
#[inline(always)]
fn forward_upper<S: Words, const ROOM: bool>(
    s: S,
    p: &Prime<S::W>,
    leaf: &[Block; LEAF_BLOCKS],
    rows: &[Pair; 7],
) -> [S::W; LEAF_BLOCKS] {
    let mut a = [s.splat(0); LEAF_BLOCKS];
    for k in 0..LEAF_BLOCKS {
        a[k] = load(s, &leaf[k]);
    }
    forward::<_, _, LEAF_BLOCKS, ROOM>(s, p, &mut a, &Rows::<false>(rows));
    let mut b = a;
    for k in 0..LEAF_BLOCKS {
        b[k] = a[LANE_NODES[k]];
    }
    transpose(s, b)
}

/// Leaves, the upper half of each while the lower half of the one before it is being worked on: long chains of
/// operations would leave the processor idle.
#[inline(always)]
fn forward_leaves<S: Words, const ROOM: bool>(
    s: S,
    p: &Prime<S::W>,
    lanes: &Lanes<<S::Float as Simd>::V>,
    leaves: &mut [[Block; LEAF_BLOCKS]],
    rows: &[[Pair; 7]],
    columns: &[[[u64; LANES]; 7]],
) {
    // Where there is room, numbers still have the bits of 2^52 as `f64`.
    let middle = if ROOM { p.float(s, start::<true>()) } else { p.times(s, start::<false>()) };
    let last = leaves.len() - 1;
    let mut next = forward_upper::<S, ROOM>(s, p, &leaves[0], &rows[0]);
    for i in 0..last {
        let mut a = next;
        let w = &Columns::<false>(&columns[i]);
        centred::<_, _, LEAF_BLOCKS, ROOM>(s, p, &mut a, w, middle);
        next = forward_upper::<S, ROOM>(s, p, &leaves[i + 1], &rows[i + 1]);
        forward_lower(s, p, lanes, &mut leaves[i], a, w);
    }
    let w = &Columns::<false>(&columns[last]);
    centred::<_, _, LEAF_BLOCKS, ROOM>(s, p, &mut next, w, middle);
    forward_lower(s, p, lanes, &mut leaves[last], next, w);
}

/// The lower half of a leaf after its first level.
#[inline(always)]
fn forward_lower<S: Words>(
    s: S,
    p: &Prime<S::W>,
    lanes: &Lanes<<S::Float as Simd>::V>,
    leaf: &mut [Block; LEAF_BLOCKS],
    mut a: [S::W; LEAF_BLOCKS],
    w: &Columns<'_, false>,
) {
    level::<S, _, LEAF_BLOCKS, 2>(s, p, &mut a, w);
    level::<S, _, LEAF_BLOCKS, 4>(s, p, &mut a, w);
    for k in 0..LEAF_BLOCKS {
        balance(s, lanes, &mut leaf[k], a[k]);
    }
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
        let p = &Prime::new(s, &tables.setup);
        let signs = &signs(tables.degree);
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
            for (group, (data, (rows, columns))) in
                data.chunks_mut(GROUP * LEAF_BLOCKS).zip(rows.zip(columns)).enumerate()
            {
                let data = data.as_chunks_mut().0;
                backward_lower(s, p, data, columns, signs, node * leaves + group * GROUP);
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
        let scale = [Factor::splat(s, tables.scale[0]), Factor::splat(s, tables.scale[1])];
        match last.radix {
            2 => backward_root::<S, 2>(s, p, data, last, &scale),
            4 => backward_root::<S, 4>(s, p, data, last, &scale),
            _ => backward_root::<S, 8>(s, p, data, last, &scale),
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
            s.float().store(&mut node[k][j], 0, s.to_integers(a[k]));
        }
    }
}

/// The signs of the values of even and of odd places, leaf and row, by lane: a value is negated once for each step to
/// the left from the root.
fn signs(degree: usize) -> [Block; 2] {
    let sign = |odd: u32, node: usize| 1.0 - 2.0 * f64::from((degree.ilog2() + odd + node.count_ones()) % 2);
    [LANE_NODES.map(|node| sign(0, node)), LANE_NODES.map(|node| sign(1, node))]
}

/// The lower halves of leaves, each transposed and written while the one after it is being worked on; `columns` from the last on.
#[inline(always)]
fn backward_lower<S: Words>(
    s: S,
    p: &Prime<S::W>,
    leaves: &mut [[Block; LEAF_BLOCKS]],
    columns: &[[[u64; LANES]; 7]],
    signs: &[Block; 2],
    first: usize,
) {
    let f = s.float();
    let magic = s.to_bits(p.float(s, 1));
    let mut done = [s.splat(0); LEAF_BLOCKS];
    let last = leaves.len() - 1;
    for i in 0..=last {
        let odd = (first + i).count_ones() as usize % 2;
        let sign = [f.load(&signs[odd], 0), f.load(&signs[1 - odd], 0)];
        let mut a = [s.splat(0); LEAF_BLOCKS];
        for k in 0..LEAF_BLOCKS {
            let sign = sign[k.count_ones() as usize % 2];
            a[k] = s.of_bits(f.mul_add(f.load(&leaves[i][k], 0), sign, magic));
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
