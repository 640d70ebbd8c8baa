//! Butterflies of radix 2, 4 and 8. Ranges and proofs: `docs/ntt.md`.

use super::tables;
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::simd::{LANES, Simd};

type Pair = tables::Pair<f64>;

/// The twiddles of a butterfly's tree, numbered as in a heap: 1 is the root, 2i and 2i + 1 are the children of i.
pub(super) trait Twiddles<S: Simd> {
    /// The twiddle of node `i` of tree `t`.
    fn factor(&self, s: S, p: &Lanes<S::V>, i: usize, t: usize) -> LaneFactor<S::V>;
}

/// The mirror image of node `i`.
#[inline(always)]
const fn mirror(i: usize) -> usize {
    (3 << i.ilog2()) - 1 - i
}

/// Where the twiddle of node `i` stands.
#[inline(always)]
const fn place<const MIRROR: bool>(i: usize) -> usize {
    if MIRROR { mirror(i) - 1 } else { i - 1 }
}

/// The same for all lanes, from memory, by Q trees for each of L leaves; of the mirror image if `MIRROR`.
pub(super) struct Rows<'a, const L: usize, const Q: usize, const MIRROR: bool>(pub(super) &'a [[Pair; 7]; L]);

impl<S: Simd, const L: usize, const Q: usize, const MIRROR: bool> Twiddles<S> for Rows<'_, L, Q, MIRROR> {
    #[inline(always)]
    fn factor(&self, s: S, _: &Lanes<S::V>, i: usize, t: usize) -> LaneFactor<S::V> {
        let [value, quotient] = self.0[if MIRROR { L - 1 - t / Q } else { t / Q }][place::<MIRROR>(i)];
        LaneFactor { value: s.splat(value), quotient: s.splat(quotient) }
    }
}

/// Lane by lane, from memory, of Q parts from the given one on of each of L leaves; of the mirror image if `MIRROR`.
pub(super) struct Columns<'a, const L: usize, const Q: usize, const MIRROR: bool>(
    pub(super) &'a [[[f64; LANES]; 7]; L],
    pub(super) usize,
);

impl<S: Simd, const L: usize, const Q: usize, const MIRROR: bool> Twiddles<S> for Columns<'_, L, Q, MIRROR> {
    #[inline(always)]
    fn factor(&self, s: S, p: &Lanes<S::V>, i: usize, t: usize) -> LaneFactor<S::V> {
        let w = s.load(&self.0[if MIRROR { L - 1 - t / Q } else { t / Q }][place::<MIRROR>(i)], self.1 + t % Q);
        p.factor(s, if MIRROR { s.swap_pairs(w) } else { w })
    }
}

/// The same for all lanes and for many butterflies.
pub(super) struct Kept<V>([LaneFactor<V>; 8]);

impl<V: Copy> Kept<V> {
    /// The twiddles of radix R.
    #[inline(always)]
    pub(super) fn new<S: Simd<V = V>, const R: usize, const MIRROR: bool>(s: S, all: &[Pair]) -> Self {
        let zero = s.splat(0.0);
        let mut kept = [LaneFactor { value: zero, quotient: zero }; 8];
        for i in 1..R {
            let [value, quotient] = all[place::<MIRROR>(i)];
            kept[i] = LaneFactor { value: s.splat(value), quotient: s.splat(quotient) };
        }
        Self(kept)
    }
}

impl<S: Simd> Twiddles<S> for Kept<S::V> {
    #[inline(always)]
    fn factor(&self, _: S, _: &Lanes<S::V>, i: usize, _: usize) -> LaneFactor<S::V> {
        self.0[i]
    }
}

/// One level of a tree, `nodes` nodes: (x, y) ← (x + u·y, x − u·y).
#[inline(always)]
fn split<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
    nodes: usize,
) {
    let half = R / 2 / nodes;
    for node in 0..nodes {
        for j in 2 * half * node..2 * half * node + half {
            for t in 0..T {
                let u = w.factor(s, p, nodes + node, t);
                let y = p.mul_factor_lazy(s, a[j + half][t], u);
                (a[j][t], a[j + half][t]) = (s.add(a[j][t], y), s.sub(a[j][t], y));
            }
        }
    }
}

/// One level of a tree, `nodes` nodes, with twiddles −1/u: (x, y) ← (x + y, (x − y)/u).
#[inline(always)]
fn join<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
    nodes: usize,
) {
    let half = R / 2 / nodes;
    for node in 0..nodes {
        for j in 2 * half * node..2 * half * node + half {
            for t in 0..T {
                let u = w.factor(s, p, nodes + node, t);
                let difference = s.sub(a[j + half][t], a[j][t]);
                a[j][t] = s.add(a[j][t], a[j + half][t]);
                a[j + half][t] = p.mul_factor_lazy(s, difference, u);
            }
        }
    }
}

/// Balances all of a row.
#[inline(always)]
fn balance<S: Simd, const T: usize>(s: S, p: &Lanes<S::V>, row: &mut [S::V; T]) {
    for x in row {
        *x = p.balance(s, *x);
    }
}

/// The remainders modulo the R leaves of the tree, for T trees by turns.
///
/// For inputs up to 2.3p, results are up to 2.3p; up to 2.9p if quotients are rounded twice.
#[inline(always)]
pub(super) fn forward<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
) {
    balance(s, p, &mut a[0]);
    split(s, p, a, w, 1);
    if R > 2 {
        split(s, p, a, w, 2);
    }
    if R > 4 {
        split(s, p, a, w, 4);
    }
}

/// The levels below the root of [`backward`].
#[inline(always)]
fn backward_below<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
) {
    if R > 4 {
        join(s, p, a, w, 4);
    }
    if R > 2 {
        join(s, p, a, w, 2);
    }
    if R > 4 {
        balance(s, p, &mut a[0]);
        balance(s, p, &mut a[4]);
    }
}

/// R times the inverse of [`forward`], for twiddles of the mirror image.
///
/// For inputs up to p, results are up to p.
#[inline(always)]
pub(super) fn backward<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
) {
    backward_below(s, p, a, w);
    join(s, p, a, w, 1);
    for sums in &mut a[usize::from(R > 4)..R / 2] {
        balance(s, p, sums);
    }
}

/// [`backward`] at the root of the whole tree, times 1/N, balanced; `scale` is 1/N, and 1/N times the root's twiddle.
#[inline(always)]
pub(super) fn backward_last<S: Simd, W: Twiddles<S>, const R: usize, const T: usize>(
    s: S,
    p: &Lanes<S::V>,
    a: &mut [[S::V; T]; R],
    w: &W,
    scale: &[LaneFactor<S::V>; 2],
) {
    backward_below(s, p, a, w);
    for j in 0..R / 2 {
        for t in 0..T {
            let (x, y) = (a[j][t], a[j + R / 2][t]);
            let (sum, difference) = (s.add(x, y), s.sub(y, x));
            a[j][t] = p.balance(s, p.mul_factor_lazy(s, sum, scale[0]));
            a[j + R / 2][t] = p.balance(s, p.mul_factor_lazy(s, difference, scale[1]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::modulus::Modulus;
    use crate::primes;
    use crate::simd::{self, Kernel};

    /// The forward, the backward and the last backward trees, with twiddles of either kind.
    struct Trees<'a, const R: usize> {
        p: Modulus,
        inputs: &'a [[[f64; LANES]; R]; 2],
        rows: &'a [Pair; 7],
        columns: &'a [[f64; LANES]; 7],
        scale: [Pair; 2],
    }

    impl<const R: usize> Kernel for Trees<'_, R> {
        type Output = [[[f64; LANES]; R]; 5];

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let p = &Lanes::new(s, self.p);
            let scale = self.scale.map(|pair| LaneFactor::splat(s, tables::factor(&pair)));
            let mut out = [[[0.0; LANES]; R]; 5];
            for (i, out) in out.iter_mut().enumerate() {
                for part in 0..S::PARTS {
                    let rows = Rows::<1, 1, false>(std::array::from_ref(self.rows));
                    let columns = Columns::<1, 1, false>(std::array::from_ref(self.columns), part);
                    let mut a = [[s.splat(0.0)]; R];
                    for (a, input) in a.iter_mut().zip(&self.inputs[usize::from(i > 1)]) {
                        *a = [s.load(input, part)];
                    }
                    match i {
                        0 => forward(s, p, &mut a, &rows),
                        1 => forward(s, p, &mut a, &columns),
                        2 => backward(s, p, &mut a, &rows),
                        3 => backward(s, p, &mut a, &columns),
                        _ => backward_last(s, p, &mut a, &rows, &scale),
                    }
                    for (out, a) in out.iter_mut().zip(a) {
                        s.store(out, part, a[0]);
                    }
                }
            }
            out
        }
    }

    /// The same on words; `scale` is that of the last level, backwards.
    fn plain(p: Modulus, a: &mut [u64], w: &[u64], forward: bool, scale: [u64; 2]) {
        let levels = a.len().ilog2();
        for level in 0..levels {
            let nodes = 1 << if forward { level } else { levels - 1 - level };
            let half = a.len() / 2 / nodes;
            for (node, a) in a.chunks_exact_mut(2 * half).enumerate() {
                for j in 0..half {
                    let (x, y, u) = (a[j], a[j + half], w[nodes + node - 1]);
                    (a[j], a[j + half]) = if forward {
                        (p.add(x, p.mul(u, y)), p.sub(x, p.mul(u, y)))
                    } else if nodes == 1 {
                        (p.mul(p.add(x, y), scale[0]), p.mul(p.sub(y, x), scale[1]))
                    } else {
                        (p.add(x, y), p.mul(p.sub(y, x), u))
                    };
                }
            }
        }
    }

    fn check<const R: usize>() {
        for p in primes::below(1 << 50, 1).take(3).chain([Modulus::new(97).unwrap()]) {
            let size = p.value() as f64;
            let half = (p.value() / 2) as f64;
            let mut x = R as u64;
            let mut random = move || {
                x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                x >> 20
            };
            // The largest inputs with all signs, then random ones.
            for round in 0..3000 {
                let mut extreme = |top: f64| match random() % 4 {
                    0 => top,
                    1 => -top,
                    2 => (random() as f64 % top).floor(),
                    _ => -(random() as f64 % top).floor(),
                };
                let mut inputs = [[[0.0; LANES]; R]; 2];
                for (inputs, top) in inputs.iter_mut().zip([(2.3 * size).floor(), size]) {
                    *inputs = std::array::from_fn(|i| {
                        let sign = [1.0, -1.0][round >> i & 1];
                        std::array::from_fn(|_| if round >> R == 0 { sign * top } else { extreme(top) })
                    });
                }
                let columns: [[f64; LANES]; 7] = std::array::from_fn(|_| std::array::from_fn(|_| extreme(half)));
                let pair = |w: f64| [w, w / size];
                let rows: [Pair; 7] = columns.map(|w| pair(w[0]));
                let scale = [pair(extreme(half)), pair(extreme(half))];
                for &isa in Isa::available_here() {
                    let found = simd::run(isa, Trees { p, inputs: &inputs, rows: &rows, columns: &columns, scale });
                    let bounds = [2.3 * size, 2.9 * size, size, size, half];
                    for (i, bound) in bounds.into_iter().enumerate() {
                        for lane in 0..LANES {
                            let w = columns.map(|w| p.unbalance(w[if i % 2 == 0 { 0 } else { lane }]));
                            let input = inputs[usize::from(i > 1)];
                            let mut expected = input.map(|a| p.reduce_signed(a[lane] as i64));
                            let scale = if i < 4 { [1, w[0]] } else { scale.map(|[w, _]| p.unbalance(w)) };
                            plain(p, &mut expected, &w, i < 2, scale);
                            for (x, expected) in found[i].map(|v| v[lane]).into_iter().zip(expected) {
                                assert!(x.abs() <= bound, "{isa} radix {R} kind {i} modulo {p}: {x}");
                                assert_eq!(p.reduce_signed(x as i64), expected, "{isa} radix {R} kind {i} modulo {p}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn ranges_are_kept_from_pass_to_pass() {
        check::<2>();
        check::<4>();
        check::<8>();
    }
}
