//! Butterflies of radix 2, 4 and 8 on words. Ranges and proofs: `docs/ntt.md`.

use super::tables::{LOW, negative_inverse};
use crate::modulus::Modulus;
use crate::ntt::tables;
use crate::simd::{LANES, Simd, Words};

type Pair = tables::Pair<u64>;

/// A factor in each lane: w̃ = w·2^52 modulo p, odd, below 2p, and −w̃/p modulo 2^52.
#[derive(Clone, Copy)]
pub(super) struct Factor<W> {
    value: W,
    quotient: W,
}

impl<W: Copy> Factor<W> {
    /// The same factor in all lanes.
    #[inline(always)]
    pub(super) fn splat<S: Words<W = W>>(s: S, [value, quotient]: Pair) -> Self {
        Self { value: s.splat(value), quotient: s.splat(quotient) }
    }
}

/// A prime p below 2^47 for all lanes.
#[derive(Clone, Copy)]
pub(super) struct Prime<W> {
    value: u64,
    p: W,
    /// 2^52 − p, which is −p modulo 2^52.
    minus_p: W,
    zero: W,
    one: W,
    /// 1 − p.
    below: W,
    /// −1/p modulo 2^52.
    inverse: W,
    /// ⌊2^52/p⌋.
    quotient: W,
    /// 2^52 − 1.
    low: W,
}

impl<W: Copy> Prime<W> {
    #[inline(always)]
    pub(super) fn new<S: Words<W = W>>(s: S, modulus: Modulus) -> Self {
        let p = modulus.value();
        Self {
            value: p,
            p: s.splat(p),
            minus_p: s.splat((1 << 52) - p),
            zero: s.splat(0),
            one: s.splat(1),
            below: s.splat(1u64.wrapping_sub(p)),
            inverse: s.splat(negative_inverse(modulus)),
            quotient: s.splat((1 << 52) / p),
            low: s.splat(LOW),
        }
    }

    /// n·p.
    #[inline(always)]
    pub(super) fn times<S: Words<W = W>>(&self, s: S, n: u64) -> W {
        s.splat(n.wrapping_mul(self.value))
    }

    /// The bits of 2^52 + n·p as `f64`.
    #[inline(always)]
    pub(super) fn float<S: Words<W = W>>(&self, s: S, n: u64) -> W {
        s.splat((0x433 << 52) + n * self.value)
    }

    /// The factor of which `value` is w̃.
    #[inline(always)]
    fn factor<S: Words<W = W>>(&self, s: S, value: W) -> Factor<W> {
        Factor { value, quotient: s.add_low(self.zero, value, self.inverse) }
    }

    /// `start` − 1 + r with r = w·y modulo p, 0 < r < p + 2p·y/2^52, for y known modulo 2^52 to be between 0 and 2^52.
    #[inline(always)]
    fn product<S: Words<W = W>>(&self, s: S, start: W, y: W, w: Factor<W>) -> W {
        let quotient = s.add_low(self.zero, y, w.quotient);
        s.add_high(s.add_high(start, y, w.value), quotient, self.p)
    }

    /// x − (k − n)·p modulo 2^52 with n·p ≤ x − (k − n)·p < (n + 1)·p + p·x/2^52, for x known modulo 2^52 to be from 0 to 2^52.
    #[inline(always)]
    pub(super) fn reduce<S: Words<W = W>>(&self, s: S, x: W, n: u64) -> W {
        let quotient = s.add_high(s.splat(n.wrapping_neg()), x, self.quotient);
        s.add_low(x, quotient, self.minus_p)
    }

    /// x, known modulo 2^52 to be from 0 to 2^52.
    #[inline(always)]
    pub(super) fn clean<S: Words<W = W>>(&self, s: S, x: W) -> W {
        s.and(x, self.low)
    }
}

/// The twiddles of a butterfly's tree, numbered as in a heap: 1 is the root, 2i and 2i + 1 are the children of i.
pub(super) trait Twiddles<S: Words> {
    /// The twiddle of node `i`.
    fn factor(&self, s: S, p: &Prime<S::W>, i: usize) -> Factor<S::W>;
}

/// Where the twiddle of node `i`, or of its mirror image, stands.
#[inline(always)]
const fn place<const MIRROR: bool>(i: usize) -> usize {
    if MIRROR { (3 << i.ilog2()) - 2 - i } else { i - 1 }
}

/// The same for all lanes, from memory; of the mirror image if `MIRROR`.
pub(super) struct Rows<'a, const MIRROR: bool>(pub(super) &'a [Pair]);

impl<S: Words, const MIRROR: bool> Twiddles<S> for Rows<'_, MIRROR> {
    #[inline(always)]
    fn factor(&self, s: S, _: &Prime<S::W>, i: usize) -> Factor<S::W> {
        Factor::splat(s, self.0[place::<MIRROR>(i)])
    }
}

/// Lane by lane, from memory; of the mirror image if `MIRROR`.
pub(super) struct Columns<'a, const MIRROR: bool>(pub(super) &'a [[u64; LANES]; 7]);

impl<S: Words, const MIRROR: bool> Twiddles<S> for Columns<'_, MIRROR> {
    #[inline(always)]
    fn factor(&self, s: S, p: &Prime<S::W>, i: usize) -> Factor<S::W> {
        let w = s.load(&self.0[place::<MIRROR>(i)]);
        p.factor(s, if MIRROR { swap_pairs(s, w) } else { w })
    }
}

#[inline(always)]
fn swap_pairs<S: Words>(s: S, w: S::W) -> S::W {
    s.of_bits(s.float().swap_pairs(s.to_bits(w)))
}

/// The same for all lanes and for many butterflies.
pub(super) struct Kept<W>([Factor<W>; 8]);

impl<W: Copy> Kept<W> {
    /// The twiddles of radix R.
    #[inline(always)]
    pub(super) fn new<S: Words<W = W>, const R: usize, const MIRROR: bool>(s: S, all: &[Pair]) -> Self {
        let mut kept = [Factor::splat(s, [0; 2]); 8];
        for i in 1..R {
            kept[i] = Factor::splat(s, all[place::<MIRROR>(i)]);
        }
        Self(kept)
    }
}

impl<S: Words> Twiddles<S> for Kept<S::W> {
    #[inline(always)]
    fn factor(&self, _: S, _: &Prime<S::W>, i: usize) -> Factor<S::W> {
        self.0[i]
    }
}

/// The remainders modulo the R leaves of the tree: (x, y) ← (x + u·y, x − u·y), level by level.
///
/// For inputs between 3.6p and 20.4p, of which the first may be anything, results differ from the first by less than 4.1p.
#[inline(always)]
pub(super) fn forward<S: Words, T: Twiddles<S>, const R: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R], w: &T) {
    let mut nodes = 1;
    while nodes < R {
        level(s, p, a, w, nodes);
        nodes *= 2;
    }
}

/// One level of a tree, `nodes` nodes.
#[inline(always)]
pub(super) fn level<S: Words, T: Twiddles<S>, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
    nodes: usize,
) {
    let half = R / 2 / nodes;
    for node in 0..nodes {
        let u = w.factor(s, p, nodes + node);
        for j in 2 * half * node..2 * half * node + half {
            let r = p.product(s, p.below, a[j + half], u);
            (a[j], a[j + half]) = (s.add(a[j], r), s.sub(a[j], r));
        }
    }
}

/// One level of a tree, `nodes` nodes, with twiddles −1/u: (x, y) ← (x + y, (x − y)/u).
///
/// `bounds` are those of `a` in units of p: 0 ≤ x < bound·p before and after.
#[inline(always)]
fn join<S: Words, T: Twiddles<S>, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    bounds: &mut [u64; R],
    w: &T,
    nodes: usize,
) {
    let half = R / 2 / nodes;
    for node in 0..nodes {
        let u = w.factor(s, p, nodes + node);
        for j in 2 * half * node..2 * half * node + half {
            let difference = s.sub(s.add(a[j + half], p.times(s, bounds[j])), a[j]);
            a[j] = s.add(a[j], a[j + half]);
            a[j + half] = p.product(s, p.one, difference, u);
            bounds[j] += bounds[j + half];
            bounds[j + half] = 1 + bounds[j].div_ceil(16);
        }
    }
}

/// Reduces what may be `limit`·p or more.
#[inline(always)]
fn reduce_sums<S: Words, const R: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R], bounds: &mut [u64; R], limit: u64) {
    for j in 0..R {
        if bounds[j] > limit {
            a[j] = p.reduce(s, a[j], 0);
            bounds[j] = 2;
        }
    }
}

/// R times the inverse of [`forward`], for twiddles of the mirror image.
///
/// Inputs and results are at least 0 and below 4p.
#[inline(always)]
pub(super) fn backward<S: Words, T: Twiddles<S>, const R: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R], w: &T) {
    let mut bounds = [BOUND; R];
    let mut nodes = R / 2;
    while nodes > 0 {
        join(s, p, a, &mut bounds, w, nodes);
        nodes /= 2;
    }
    reduce_sums(s, p, a, &mut bounds, BOUND);
}

/// The bound between passes of the backward transform.
const BOUND: u64 = 4;

/// [`backward`] at the root of the whole tree, times 1/N; `scale` is 1/N, and 1/N times the root's twiddle.
///
/// Results are at least 0 and below 3p.
#[inline(always)]
pub(super) fn backward_last<S: Words, T: Twiddles<S>, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
    scale: &[Factor<S::W>; 2],
) {
    let mut bounds = [BOUND; R];
    let mut nodes = R / 2;
    while nodes > 1 {
        join(s, p, a, &mut bounds, w, nodes);
        nodes /= 2;
    }
    reduce_sums(s, p, a, &mut bounds, 8);
    for j in 0..R / 2 {
        let (x, y) = (a[j], a[j + R / 2]);
        let difference = s.sub(s.add(y, p.times(s, bounds[j])), x);
        let sum = s.add(s.add(x, p.p), y);
        a[j] = p.product(s, p.one, sum, scale[0]);
        a[j + R / 2] = p.product(s, p.one, difference, scale[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::primes;
    use crate::simd::{self, WordKernel};

    /// The forward, the backward and the last backward trees, with twiddles of either kind.
    struct Trees<'a, const R: usize> {
        p: Modulus,
        inputs: &'a [[[u64; LANES]; R]; 2],
        rows: &'a [Pair; 7],
        columns: &'a [[u64; LANES]; 7],
        scale: [Pair; 2],
        out: &'a mut [[[f64; LANES]; R]; 5],
    }

    impl<const R: usize> WordKernel for Trees<'_, R> {
        #[inline(always)]
        fn run<S: Words>(self, s: S) {
            let p = &Prime::new(s, self.p);
            let scale = self.scale.map(|pair| Factor::splat(s, pair));
            for (i, out) in self.out.iter_mut().enumerate() {
                let mut a = [s.splat(0); R];
                for (a, input) in a.iter_mut().zip(&self.inputs[usize::from(i > 1)]) {
                    *a = s.load(input);
                }
                match i {
                    0 => forward(s, p, &mut a, &Rows::<false>(self.rows)),
                    1 => forward(s, p, &mut a, &Columns::<false>(self.columns)),
                    2 => backward(s, p, &mut a, &Rows::<false>(self.rows)),
                    3 => backward(s, p, &mut a, &Columns::<false>(self.columns)),
                    _ => backward_last(s, p, &mut a, &Rows::<false>(self.rows), &scale),
                }
                for (out, a) in out.iter_mut().zip(a) {
                    s.float().store(out, 0, s.to_bits(a));
                }
            }
        }
    }

    /// The same on residues; `scale` is that of the last level, backwards.
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
        for p in primes::below(1 << 47, 1).take(3).chain([Modulus::new(97).unwrap(), Modulus::new(257).unwrap()]) {
            let size = p.value();
            let unit = p.inverse(p.reduce(1 << 52)).unwrap();
            let mut x = R as u64;
            let mut random = move || {
                x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                x >> 12
            };
            for _ in 0..3000 {
                let mut extreme = |low: u64, high: u64| match random() % 3 {
                    0 => low,
                    1 => high,
                    _ => low + random() % (high - low),
                };
                let word = |extreme: &mut dyn FnMut(u64, u64) -> u64| match extreme(0, size - 1) * 2 + 1 {
                    word if word == size => 1,
                    word => word,
                };
                let mut inputs = [[[0; LANES]; R]; 2];
                let ends = [(size * 36 / 10 + 1, size * 204 / 10), (0, 4 * size - 1)];
                for (inputs, (low, high)) in inputs.iter_mut().zip(ends) {
                    *inputs = std::array::from_fn(|_| std::array::from_fn(|_| extreme(low, high)));
                }
                let columns: [[u64; LANES]; 7] = std::array::from_fn(|_| std::array::from_fn(|_| word(&mut extreme)));
                let pair = |w: u64| [w, w.wrapping_mul(negative_inverse(p)) & LOW];
                let rows: [Pair; 7] = columns.map(|w| pair(w[0]));
                let scale = [pair(word(&mut extreme)), pair(word(&mut extreme))];
                for isa in [Isa::Scalar, Isa::detect()] {
                    let mut found = [[[0.0; LANES]; R]; 5];
                    simd::run_words(
                        isa,
                        Trees { p, inputs: &inputs, rows: &rows, columns: &columns, scale, out: &mut found },
                    );
                    for (i, found) in found.iter().enumerate() {
                        for lane in 0..LANES {
                            let residue = |w: u64| p.mul(p.reduce(w), unit);
                            let w = columns.map(|w| residue(w[if i % 2 == 0 { 0 } else { lane }]));
                            let input = inputs[usize::from(i > 1)].map(|a| a[lane]);
                            let mut expected = input.map(|a| p.reduce(a));
                            let scale = if i < 4 { [1, w[0]] } else { scale.map(|[w, _]| residue(w)) };
                            plain(p, &mut expected, &w, i < 2, scale);
                            for (x, expected) in found.map(|v| v[lane].to_bits()).into_iter().zip(expected) {
                                // Backwards, only the last results are known exactly.
                                let x = if i < 2 || i == 4 { x as i64 } else { (x & LOW) as i64 };
                                let bounds = match i {
                                    0 | 1 => (input[0] as i64 - x).abs() < (41 * size / 10) as i64,
                                    2 | 3 => (0..4 * size as i64).contains(&x),
                                    _ => (0..3 * size as i64).contains(&x),
                                };
                                assert!(bounds, "{isa} radix {R} kind {i} modulo {p}: {x}");
                                assert_eq!(p.reduce_signed(x), expected, "{isa} radix {R} kind {i} modulo {p}");
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

    struct Reduce<'a>(Modulus, u64, &'a mut [f64; LANES]);

    impl WordKernel for Reduce<'_> {
        #[inline(always)]
        fn run<S: Words>(self, s: S) {
            let p = Prime::new(s, self.0);
            let x = s.of_bits(s.float().load(self.2, 0));
            s.float().store(self.2, 0, s.to_bits(p.clean(s, p.reduce(s, x, self.1))));
        }
    }

    #[test]
    fn reductions_hold_their_bound() {
        for p in primes::below(1 << 47, 1).take(3).chain([97, 65537].map(|p| Modulus::new(p).unwrap())) {
            let size = p.value();
            for n in [0, 9] {
                for top in [0, 1, size - 1, size, 2 * size - 1, 20 * size, 31 * size, 32 * size - 1] {
                    for isa in [Isa::Scalar, Isa::detect()] {
                        let input: [u64; LANES] = std::array::from_fn(|i| top.saturating_sub(i as u64));
                        // Whatever lies above 52 bits does not count.
                        let mut x = input.map(|x| f64::from_bits(x | 5 << 60));
                        simd::run_words(isa, Reduce(p, n, &mut x));
                        for (x, input) in x.map(f64::to_bits).into_iter().zip(input) {
                            assert_eq!(p.reduce(x), p.reduce(input), "{isa}: {input} modulo {p}");
                            let rest = (u128::from(size) * u128::from(input)) >> 52;
                            assert!(
                                (n * size..=(n + 1) * size + rest as u64).contains(&x),
                                "{isa}: {input} modulo {p}"
                            );
                        }
                    }
                }
            }
        }
    }
}
