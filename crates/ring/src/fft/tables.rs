//! Roots of unity, and where each of them stands.

use std::f64::consts::PI;

use super::butterfly::{LANE_ORDER, Splat};
use crate::error::RingError;
use crate::mem::AlignedVec;
use crate::simd::{Block, LANES};

/// Complex points in a leaf: an 8×8 square that stays in registers.
pub(super) const LEAF: usize = LANES * LANES;

/// exp(2πi·`j`/`order`), correct to about an ulp; `order` is a positive multiple of 8.
#[must_use]
pub fn root(j: u64, order: u64) -> [f64; 2] {
    let eighth = order / 8;
    let (octant, rest) = (j % order / eighth, j % order % eighth);
    // Odd octants run backwards, so that the angle stays within π/4.
    let rest = if octant % 2 == 0 { rest } else { eighth - rest };
    let (sin, cos) = (2.0 * PI * rest as f64 / order as f64).sin_cos();
    match octant {
        0 => [cos, sin],
        1 => [sin, cos],
        2 => [-sin, cos],
        3 => [-cos, sin],
        4 => [-cos, -sin],
        5 => [-sin, -cos],
        6 => [sin, -cos],
        _ => [cos, -sin],
    }
}

/// The twiddles of one pass: `radix` − 1 for each node.
pub(super) struct Pass {
    pub(super) radix: usize,
    twiddles: AlignedVec<f64>,
}

impl Pass {
    /// w, w², …, w^(`R`−1) of each node.
    #[inline(always)]
    pub(super) fn twiddles(&self) -> &[Splat] {
        self.twiddles.as_chunks().0.as_chunks().0
    }
}

/// All that a transform of m = N/2 complex points needs to know.
///
/// The transform divides the polynomial by the factors of X^m − i, where X^size − ζ^E splits into the children
/// X^(size/r) − ζ^((E + 4mc)/r) for c < r; ζ = exp(iπ/N) = exp(2πi/4m). A child's number is the next digit, so block K of
/// 64 points has digit-reversed number k and E = 64·(1 + 4k).
pub(super) struct Tables {
    pub(super) points: usize,
    /// The passes down to leaves; for fewer than 64 points, down to single points.
    pub(super) passes: Vec<Pass>,
    /// The passes from this one ≥ 1 on are done node by node, so that a node stays in the first-level cache.
    pub(super) first_cached: usize,
    leaf_rows: AlignedVec<f64>,
    leaf_lanes: AlignedVec<f64>,
    /// Point 8t + j holds the value at ζ^(1 + 4(`chunk_index[t]` + `lane_index[j]`)).
    pub(super) chunk_index: Vec<u32>,
    pub(super) lane_index: [u32; LANES],
    roots: AlignedVec<f64>,
    /// 1, ζ, ζ², ζ³.
    pub(super) first_roots: [[f64; 2]; 4],
}

/// A node of this many points fits the first-level cache.
const CACHED_POINTS: usize = 2048;
/// A transform of this many points is not done node by node: every change between passes and leaves costs.
const WHOLE_POINTS: usize = 1024;

impl Tables {
    pub(super) fn new(points: usize) -> Result<Self, RingError> {
        let radices = radices(points);
        let order = 4 * points as u64;
        let mut passes = Vec::with_capacity(radices.len());
        let mut size = points;
        for (p, &radix) in radices.iter().enumerate() {
            let nodes = points / size;
            let mut twiddles = AlignedVec::try_new(nodes * (radix - 1) * 4)?;
            let mut rest = twiddles.as_chunks_mut().0.as_chunks_mut().0.iter_mut();
            for node in 0..nodes {
                let exponent = 1 + 4 * reverse(node, &radices[..p]);
                for (k, w) in (1..radix).zip(&mut rest) {
                    *w = [root((size / radix * exponent * k) as u64, order); 2];
                }
            }
            passes.push(Pass { radix, twiddles });
            size /= radix;
        }

        let leaves = if size == LEAF { points / LEAF } else { 0 };
        let mut leaf_rows = AlignedVec::try_new(leaves * 7 * 2)?;
        let mut leaf_lanes = AlignedVec::try_new(leaves * 7 * 2 * LANES)?;
        let rows = leaf_rows.as_chunks_mut::<2>().0.iter_mut();
        let lanes = leaf_lanes.as_chunks_mut::<{ 2 * LANES }>().0.iter_mut();
        for (i, (row, lanes)) in rows.zip(lanes).enumerate() {
            let (exponent, k) = (1 + 4 * reverse(i / 7, &radices), 1 + i % 7);
            *row = root((8 * exponent * k) as u64, order);
            for lane in 0..LANES {
                [lanes[lane], lanes[LANES + lane]] =
                    root(((exponent + 4 * leaves * LANE_ORDER[lane]) * k) as u64, order);
            }
        }

        let (chunk_index, lane_index) = if leaves > 0 {
            let chunk = |t: usize| (reverse(t / 8, &radices) + 8 * leaves * (t % 8)) as u32;
            ((0..points / LANES).map(chunk).collect(), LANE_ORDER.map(|c| (leaves * c) as u32))
        } else {
            let chunk = |t: usize| reverse(t * LANES, &radices) as u32;
            ((0..points / LANES).map(chunk).collect(), std::array::from_fn(|lane| reverse(lane, &radices) as u32))
        };
        let mut roots = AlignedVec::try_new(2 * points)?;
        for (j, w) in roots.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            *w = root(j as u64, points as u64);
        }
        let mut first_cached = radices.len();
        if points > WHOLE_POINTS {
            let mut cached = points / radices[0];
            first_cached = 1;
            while cached > CACHED_POINTS {
                cached /= radices[first_cached];
                first_cached += 1;
            }
        }
        Ok(Self {
            points,
            passes,
            first_cached,
            leaf_rows,
            leaf_lanes,
            chunk_index,
            lane_index,
            roots,
            first_roots: std::array::from_fn(|j| root(j as u64, order)),
        })
    }

    /// The pass that converts coefficients, too: the outermost, where there is one above the leaves.
    #[inline(always)]
    pub(super) fn fused(&self) -> Option<&Pass> {
        self.passes.first().filter(|_| self.points > LEAF)
    }

    /// The twiddles of the leaves: before the first butterfly by row, before the second by lane.
    #[inline(always)]
    pub(super) fn leaves(&self) -> (&[[[f64; 2]; 7]], &[[Block; 7]]) {
        let rows = self.leaf_rows.as_chunks().0.as_chunks().0;
        let lanes = self.leaf_lanes.as_chunks().0.as_chunks().0.as_chunks().0;
        (rows, lanes)
    }

    /// exp(2πi·j/m).
    #[inline(always)]
    pub(super) fn root(&self, j: usize) -> [f64; 2] {
        let roots = self.roots.as_chunks().0;
        roots[j & (roots.len() - 1)]
    }
}

/// The radices of the passes, first to last.
///
/// The first pass, which also streams the coefficients, is of radix 4 where it can be: more streams at distances that
/// are large powers of two would compete for the same few cache lines.
fn radices(points: usize) -> Vec<usize> {
    if points < LEAF {
        return vec![2; points.ilog2() as usize];
    }
    let log2 = (points / LEAF).ilog2() as usize;
    if log2 == 1 {
        return vec![2];
    }
    let fours = match log2 % 3 {
        0 if log2 == 3 => 0,
        0 => 3,
        1 => 2,
        _ => 1,
    };
    let mut radices = vec![4; fours.min(log2 / 2)];
    radices.resize(radices.len() + (log2 - 2 * radices.len()) / 3, 8);
    radices
}

/// The number whose digits in the bases `radices`, lowest first, are those of `index`, highest first.
fn reverse(index: usize, radices: &[usize]) -> usize {
    let (mut index, mut reversed) = (index, 0);
    for &radix in radices.iter().rev() {
        reversed = reversed * radix + index % radix;
        index /= radix;
    }
    reversed
}
