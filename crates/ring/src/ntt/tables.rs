//! Roots of unity modulo p, and where each of them stands.

use super::pointwise::MulFactor;
use crate::error::RingError;
use crate::isa::Isa;
use crate::mem::{AlignedVec, Pod};
use crate::modulus::{Factor, Modulus};
use crate::simd::{self, LANES};

/// Coefficients in a leaf: an 8×8 square that stays in registers.
pub(super) const LEAF: usize = LANES * LANES;

/// Lane i of a leaf holds its node `LANE_NODES`\[i\]: a node and its mirror image are neighbours.
pub(super) const LANE_NODES: [usize; LANES] = [0, 7, 1, 6, 2, 5, 3, 4];

/// A factor in memory, and what it takes to multiply by it.
pub(super) type Pair<T> = [T; 2];

/// What twiddles are made of.
pub(super) trait Twiddle: Pod {
    /// What is computed once for all of them, and for all transforms.
    type Setup;
    /// For a modulus.
    fn setup(modulus: Modulus) -> Self::Setup;
    /// From a balanced residue.
    fn pair(setup: &Self::Setup, w: f64) -> Pair<Self>;
}

/// The value, balanced, and its quotient.
impl Twiddle for f64 {
    /// p.
    type Setup = f64;

    fn setup(modulus: Modulus) -> f64 {
        modulus.value() as f64
    }

    #[inline(always)]
    fn pair(p: &f64, w: f64) -> Pair<f64> {
        [w, w / p]
    }
}

/// The factor of a pair.
#[inline(always)]
pub(super) fn factor(&[value, quotient]: &Pair<f64>) -> Factor {
    Factor { value, quotient }
}

/// The twiddles of the upper half of a leaf's tree.
type Rows<T> = [Pair<T>; 7];
/// The twiddles of the lower half of a leaf's tree, lane by lane.
type Columns<T> = [[T; LANES]; 7];

/// The twiddles of one pass: `radix` − 1 for each node.
pub(super) struct Pass<T: Pod> {
    pub(super) radix: usize,
    twiddles: AlignedVec<T>,
}

impl<T: Pod> Pass<T> {
    /// The twiddles of each node's tree: root, its two children, their four.
    #[inline(always)]
    pub(super) fn twiddles(&self) -> &[Pair<T>] {
        self.twiddles.as_chunks().0
    }
}

/// All that a transform of degree N modulo p needs to know.
///
/// The transform divides the polynomial by the factors of X^N + 1. A node of depth d is a remainder modulo X^(2m) − u², N = 2^d·2m;
/// its children are those modulo X^m − u and X^m + u, so that node k of depth d, counted from the left, has the twiddle
///
/// u = ψ^E, E = (N/2^(d+1))·(2·reverse(k) + 1) < N,
///
/// where ψ is a primitive 2N-th root of unity and reverse reverses d bits. The mirror image of node k is node 2^d − 1 − k, and
/// its exponent is N − E: since ψ^N = −1 its twiddle is −1/u, and one table serves both directions.
pub(super) struct Tables<T: Twiddle> {
    pub(super) modulus: Modulus,
    pub(super) setup: T::Setup,
    pub(super) degree: usize,
    /// The passes down to leaves; for degrees below 64, down to single coefficients.
    pub(super) passes: Vec<Pass<T>>,
    /// The passes from this one on are done node by node, so that a node stays in the first-level cache.
    pub(super) first_cached: usize,
    leaf_rows: AlignedVec<T>,
    leaf_lanes: AlignedVec<T>,
    /// 1/N, and 1/N times the twiddle of the root.
    pub(super) scale: [Pair<T>; 2],
    /// The twiddle of the root, ψ^(N/2), balanced.
    pub(super) root: f64,
}

impl<T: Twiddle> Tables<T> {
    pub(super) fn new(degree: usize, modulus: Modulus, isa: Isa) -> Result<Self, RingError> {
        let powers = Powers::new(degree, modulus, isa)?;
        let setup = T::setup(modulus);
        let (radices, first_cached) = plan(degree);
        let mut passes = Vec::with_capacity(radices.len());
        let mut nodes = 1;
        for &radix in &radices {
            let mut twiddles = AlignedVec::try_new(nodes * (radix - 1) * 2)?;
            for (node, pairs) in twiddles.chunks_exact_mut((radix - 1) * 2).enumerate() {
                for (i, pair) in (1..).zip(pairs.as_chunks_mut().0) {
                    *pair = T::pair(&setup, powers.twiddle(nodes, node, i));
                }
            }
            passes.push(Pass { radix, twiddles });
            nodes *= radix;
        }
        let leaves = degree / LEAF;
        let mut leaf_rows = AlignedVec::try_new(leaves * 7 * 2)?;
        let mut leaf_lanes = AlignedVec::try_new(leaves * 7 * LANES)?;
        for leaf in 0..leaves {
            let rows = leaf_rows[leaf * 14..][..14].as_chunks_mut().0;
            let lanes = leaf_lanes[leaf * 56..][..56].as_chunks_mut::<LANES>().0;
            for (i, (row, lanes)) in (1..).zip(rows.iter_mut().zip(lanes)) {
                *row = T::pair(&setup, powers.twiddle(leaves, leaf, i));
                for (lane, node) in lanes.iter_mut().zip(LANE_NODES) {
                    [*lane, _] = T::pair(&setup, powers.twiddle(LANES * leaves, LANES * leaf + node, i));
                }
            }
        }
        let inverse = modulus.inverse(degree as u64).expect("the modulus is prime and exceeds the degree");
        let root = powers.twiddle(1, 0, 1);
        let scale = [inverse, modulus.mul(inverse, modulus.unbalance(root))];
        let scale = scale.map(|w| T::pair(&setup, modulus.balance(w)));
        Ok(Self { modulus, setup, degree, passes, first_cached, leaf_rows, leaf_lanes, scale, root })
    }
}

impl<T: Twiddle> Tables<T> {
    /// The twiddles of the leaves: of the upper half of each tree by row, of the lower half by lane.
    #[inline(always)]
    pub(super) fn leaves(&self) -> (&[Rows<T>], &[Columns<T>]) {
        (self.leaf_rows.as_chunks().0.as_chunks().0, self.leaf_lanes.as_chunks().0.as_chunks().0)
    }
}

/// ψ^0, …, ψ^(N−1), balanced.
struct Powers {
    powers: AlignedVec<f64>,
}

impl Powers {
    /// Each half is the one before times a power.
    fn new(degree: usize, modulus: Modulus, isa: Isa) -> Result<Self, RingError> {
        let root = modulus.factor(modulus.primitive_root(2 * degree as u64)?);
        let mut powers = AlignedVec::try_new(degree)?;
        let mut power = 1.0;
        for x in &mut powers[..LANES] {
            *x = power;
            power = modulus.mul_factor(power, root);
        }
        let mut len = LANES;
        while len < degree {
            let (known, next) = powers[..2 * len].split_at_mut(len);
            next.copy_from_slice(known);
            let w = modulus.factor(modulus.unbalance(power));
            simd::run(isa, MulFactor { p: modulus, a: next.as_chunks_mut().0, w });
            power = modulus.mul_factor(power, w);
            len *= 2;
        }
        Ok(Self { powers })
    }

    /// The twiddle of node `i` ≥ 1, in heap order, of the tree below node `node` of `nodes` of one depth.
    fn twiddle(&self, nodes: usize, node: usize, i: usize) -> f64 {
        let depth = i.ilog2();
        let (nodes, node) = (nodes << depth, (node << depth) + i - (1 << depth));
        self.powers[self.powers.len() / (2 * nodes) * (2 * reverse(node, nodes.ilog2()) + 1)]
    }
}

/// `index` with its `bits` bits reversed.
pub(super) fn reverse(index: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { index.reverse_bits() >> (usize::BITS - bits) }
}

/// The radices of the passes, first to last, and how many of them run over the whole polynomial.
fn plan(degree: usize) -> (Vec<usize>, usize) {
    if degree < LEAF {
        let levels = degree.ilog2() as usize;
        return (vec![2; levels], levels);
    }
    let radices: &[usize] = match (degree / LEAF).ilog2() {
        0 => &[],
        1 => &[2],
        2 => &[4],
        3 => &[8],
        4 => &[4, 4],
        5 => &[8, 4],
        6 => &[8, 8],
        7 => &[4, 8, 4],
        8 => &[8, 8, 4],
        9 => &[4, 4, 8, 4],
        10 => &[8, 4, 8, 4],
        _ => &[8, 8, 8, 4],
    };
    // 2048 coefficients fit the first-level cache with their twiddles.
    (radices.to_vec(), radices.len().saturating_sub(2))
}
