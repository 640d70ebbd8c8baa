//! Butterflies of radix 2, 4 and 8 on words. Ranges and proofs: `docs/ntt.md`.

use super::tables::Setup;
use crate::ntt::tables;
use crate::simd::{LANES, Simd, Words};

type Pair = tables::Pair<u64>;

/// A factor w in each lane: the high and the low 52 bits of w·2^104/p, rounded up.
#[derive(Clone, Copy)]
pub(super) struct Factor<W> {
    high: W,
    low: W,
}

impl<W: Copy> Factor<W> {
    /// The same factor in all lanes.
    #[inline(always)]
    pub(super) fn splat<S: Words<W = W>>(s: S, [high, low]: Pair) -> Self {
        Self { high: s.splat(high), low: s.splat(low) }
    }
}

/// A prime p for all lanes.
#[derive(Clone, Copy)]
pub(super) struct Prime<W> {
    value: u64,
    p: W,
    twice: W,
    zero: W,
    one: W,
    /// 2^51.
    middle: W,
    /// −(p − 1)/2.
    minus_half: W,
    /// 2p − (p − 1)/2.
    shifted: W,
    /// The factor 1.
    unit: Factor<W>,
    two: W,
    /// −2^(52 − b)·p modulo 2^52 with b the bits of p.
    multiple: W,
    /// ⌊2^52·(2^b/p − 1)⌋.
    excess: W,
    /// 2^52 − 1.
    low: W,
}

impl<W: Copy> Prime<W> {
    #[inline(always)]
    pub(super) fn new<S: Words<W = W>>(s: S, setup: &Setup) -> Self {
        let (p, bits) = (setup.modulus.value(), setup.modulus.bits());
        Self {
            value: p,
            p: s.splat(p),
            twice: s.splat(2 * p),
            zero: s.splat(0),
            one: s.splat(1),
            middle: s.splat(1 << 51),
            minus_half: s.splat((p / 2).wrapping_neg()),
            shifted: s.splat(2 * p - p / 2),
            unit: Factor::splat(s, setup.one),
            two: s.splat(2),
            multiple: s.splat((1 << 52) - (p << (52 - bits))),
            excess: s.splat(setup.excess),
            low: s.splat((1 << 52) - 1),
        }
    }

    /// n·p.
    #[inline(always)]
    pub(super) fn times<S: Words<W = W>>(&self, s: S, n: u64) -> W {
        s.splat(n * self.value)
    }

    /// The bits of 2^52 + n·p as `f64`.
    #[inline(always)]
    pub(super) fn float<S: Words<W = W>>(&self, s: S, n: u64) -> W {
        s.splat((0x433 << 52) + n * self.value)
    }

    /// The factor of which this is the high half.
    #[inline(always)]
    fn factor<S: Words<W = W>>(&self, s: S, high: W) -> Factor<W> {
        let rest = s.add_low(self.two, high, self.multiple);
        Factor { high, low: s.add_high(rest, rest, self.excess) }
    }

    /// `start` + (p − 1)/2 + (w·y modulo p, balanced), for y known modulo 2^52 to be from 0 to 2^52.
    #[inline(always)]
    fn balanced_from<S: Words<W = W>>(&self, s: S, start: W, y: W, w: Factor<W>) -> W {
        let fraction = s.add_low(s.add_high(self.middle, y, w.low), y, w.high);
        s.add_high(start, fraction, self.p)
    }

    /// w·y modulo p, balanced, for y known modulo 2^52 to be from 0 to 2^52.
    #[inline(always)]
    fn balanced<S: Words<W = W>>(&self, s: S, y: W, w: Factor<W>) -> W {
        self.balanced_from(s, self.minus_half, y, w)
    }

    /// From 0 … 2^52 to 3p/2 … 5p/2.
    #[inline(always)]
    fn reduce<S: Words<W = W>>(&self, s: S, x: W) -> W {
        self.balanced_from(s, self.shifted, x, self.unit)
    }

    /// From 0 … 4p to p … 3p.
    #[inline(always)]
    fn fold<S: Words<W = W>>(&self, s: S, x: W) -> W {
        s.add(s.min(s.sub(x, self.twice), x), self.p)
    }

    /// The low 52 bits.
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

/// Prepares inputs from 0 to 4p for sums with balanced products, one a level: on all levels in the first row, in others
/// until they are factors. Sums, too, are from 0 to 4p then.
#[inline(always)]
fn settle<S: Words, const R: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R]) {
    for j in 0..R / 2 {
        let sums = if j == 0 { R.ilog2() } else { R.ilog2() - 1 - j.ilog2() };
        a[j] = if sums > 2 { p.reduce(s, a[j]) } else { p.fold(s, a[j]) };
    }
}

/// The remainders modulo the R leaves of the tree: (x, y) ← (x + u·y, x − u·y), level by level.
///
/// Inputs and results are from 0 to 4p; the first half of the inputs is known, the second half known modulo 2^52. With
/// `ROOM`, all are known modulo 2^52, and results differ from the first input by at most p/2 a level.
#[inline(always)]
pub(super) fn forward<S: Words, T: Twiddles<S>, const R: usize, const ROOM: bool>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
) {
    let r = products::<S, T, R, 1>(s, p, a, w);
    if !ROOM {
        settle(s, p, a);
    }
    spread::<S, R, 1>(s, a, &r);
    if R > 2 {
        level::<S, T, R, 2>(s, p, a, w);
    }
    if R > 4 {
        level::<S, T, R, 4>(s, p, a, w);
    }
}

/// [`forward`]'s first level, with `middle` taken off the first input.
#[inline(always)]
pub(super) fn centred<S: Words, T: Twiddles<S>, const R: usize, const ROOM: bool>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
    middle: S::W,
) {
    let r = products::<S, T, R, 1>(s, p, a, w);
    let first = s.sub(a[0], middle);
    if !ROOM {
        settle(s, p, a);
    }
    a[0] = first;
    spread::<S, R, 1>(s, a, &r);
}

/// One level of a tree, `NODES` nodes.
#[inline(always)]
pub(super) fn level<S: Words, T: Twiddles<S>, const R: usize, const NODES: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
) {
    let r = products::<S, T, R, NODES>(s, p, a, w);
    spread::<S, R, NODES>(s, a, &r);
}

/// Where x of a level's butterfly `i` stands.
#[inline(always)]
const fn left<const R: usize, const NODES: usize>(i: usize) -> usize {
    let half = R / 2 / NODES;
    i / half * 2 * half + i % half
}

/// `start` and y·w/p in units of 2^-52 for butterfly i's y = `y`\[i\], modulo 2^52. Step by step in turns: the
/// processor does not look ahead far enough.
#[inline(always)]
fn fractions<S: Words, T: Twiddles<S>, const R: usize, const NODES: usize>(
    s: S,
    p: &Prime<S::W>,
    start: S::W,
    y: &[S::W; R],
    w: &T,
) -> [S::W; R] {
    let half = R / 2 / NODES;
    let mut u = [p.unit; NODES];
    for node in 0..NODES {
        u[node] = w.factor(s, p, NODES + node);
    }
    let mut t = *y;
    for i in 0..R / 2 {
        t[i] = s.add_high(start, y[i], u[i / half].low);
    }
    for i in 0..R / 2 {
        t[i] = s.add_low(t[i], y[i], u[i / half].high);
    }
    t
}

/// The products of a level, balanced, in the order of butterflies.
#[inline(always)]
fn products<S: Words, T: Twiddles<S>, const R: usize, const NODES: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &[S::W; R],
    w: &T,
) -> [S::W; R] {
    let mut y = *a;
    for i in 0..R / 2 {
        y[i] = a[left::<R, NODES>(i) + R / 2 / NODES];
    }
    let mut r = fractions::<S, T, R, NODES>(s, p, p.middle, &y, w);
    for i in 0..R / 2 {
        r[i] = s.add_high(p.minus_half, r[i], p.p);
    }
    r
}

/// (x, y) ← (x + r, x − r).
#[inline(always)]
fn spread<S: Words, const R: usize, const NODES: usize>(s: S, a: &mut [S::W; R], r: &[S::W; R]) {
    let half = R / 2 / NODES;
    for i in 0..R / 2 {
        let j = left::<R, NODES>(i);
        (a[j], a[j + half]) = (s.add(a[j], r[i]), s.sub(a[j], r[i]));
    }
}

/// One level of a tree, `NODES` nodes, with twiddles −1/u: (x, y) ← (x + y, (x − y)/u), where −x and y are given.
///
/// Inputs and results are from 0 to 2p.
#[inline(always)]
fn join<S: Words, T: Twiddles<S>, const R: usize, const NODES: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R], w: &T) {
    let half = R / 2 / NODES;
    let mut y = *a;
    for i in 0..R / 2 {
        let j = left::<R, NODES>(i);
        (a[j], y[i]) = (s.sub(a[j + half], a[j]), s.add(a[j], a[j + half]));
    }
    let t = fractions::<S, T, R, NODES>(s, p, p.one, &y, w);
    for i in 0..R / 2 {
        let j = left::<R, NODES>(i);
        // Products of the level before are below p on the left, and not below p on the right.
        if j & (half / 2) == 0 {
            a[j] = s.min(a[j], s.add(a[j], p.twice));
        }
        let start = if j & (2 * half) == 0 { p.zero } else { p.p };
        a[j + half] = s.add_high(start, t[i], p.p);
    }
}

/// R times the inverse of [`forward`], for twiddles of the mirror image.
///
/// Inputs and results are from 0 to 2p. Inputs are negated once for each step to the left from the root of the tree.
#[inline(always)]
pub(super) fn backward<S: Words, T: Twiddles<S>, const R: usize>(s: S, p: &Prime<S::W>, a: &mut [S::W; R], w: &T) {
    if R > 4 {
        join::<S, T, R, 4>(s, p, a, w);
    }
    if R > 2 {
        join::<S, T, R, 2>(s, p, a, w);
    }
    join::<S, T, R, 1>(s, p, a, w);
}

/// [`backward`] at the root of the whole tree, times 1/N; `scale` is 1/N, and 1/N times the root's twiddle.
///
/// Results are balanced.
#[inline(always)]
pub(super) fn backward_last<S: Words, T: Twiddles<S>, const R: usize>(
    s: S,
    p: &Prime<S::W>,
    a: &mut [S::W; R],
    w: &T,
    scale: &[Factor<S::W>; 2],
) {
    if R > 4 {
        join::<S, T, R, 4>(s, p, a, w);
    }
    if R > 2 {
        join::<S, T, R, 2>(s, p, a, w);
    }
    for j in 0..R / 2 {
        let (x, y) = (a[j], a[j + R / 2]);
        a[j] = p.balanced(s, s.add(s.sub(y, x), p.twice), scale[0]);
        a[j + R / 2] = p.balanced(s, s.add(x, y), scale[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::modulus::Modulus;
    use crate::primes;
    use crate::simd::{self, WordKernel};

    /// The forward trees, the backward and the last backward ones, with twiddles of either kind; reduced inputs; last,
    /// a forward tree with room.
    struct Trees<'a, const R: usize> {
        setup: &'a Setup,
        inputs: &'a [[[u64; LANES]; R]; 3],
        rows: &'a [Pair; 7],
        columns: &'a [[u64; LANES]; 7],
        scale: [Pair; 2],
        out: &'a mut [[[f64; LANES]; R]; KINDS],
    }

    impl<const R: usize> WordKernel for Trees<'_, R> {
        #[inline(always)]
        fn run<S: Words>(self, s: S) {
            let p = &Prime::new(s, self.setup);
            let (rows, columns) = (&Rows::<false>(self.rows), &Columns::<false>(self.columns));
            let scale = self.scale.map(|pair| Factor::splat(s, pair));
            for (i, out) in self.out.iter_mut().enumerate() {
                let mut a = [p.zero; R];
                for (a, input) in a.iter_mut().zip(&self.inputs[inputs_of(i)]) {
                    *a = s.load(input);
                }
                match i {
                    0 => forward::<_, _, R, false>(s, p, &mut a, rows),
                    1 => forward::<_, _, R, false>(s, p, &mut a, columns),
                    2 => backward(s, p, &mut a, rows),
                    3 => backward(s, p, &mut a, columns),
                    4 => backward_last(s, p, &mut a, rows, &scale),
                    5 => {
                        centred::<_, _, R, false>(s, p, &mut a, columns, p.times(s, 2));
                        if R > 2 {
                            level::<S, _, R, 2>(s, p, &mut a, columns);
                        }
                        if R > 4 {
                            level::<S, _, R, 4>(s, p, &mut a, columns);
                        }
                    }
                    6 => {
                        for a in &mut a {
                            *a = p.reduce(s, *a);
                        }
                    }
                    _ => forward::<_, _, R, true>(s, p, &mut a, rows),
                }
                for (out, a) in out.iter_mut().zip(a) {
                    s.float().store(out, 0, s.to_bits(a));
                }
            }
        }
    }

    const KINDS: usize = 8;

    /// Which inputs a kind has.
    const fn inputs_of(kind: usize) -> usize {
        match kind {
            2..5 => 1,
            7 => 2,
            _ => 0,
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
        let small = [97, 257, 65537].map(|p| Modulus::new(p).unwrap());
        let large = [1 << 50, 3 << 48, 1 << 47].map(|top| primes::below(top, 1).take(2));
        for p in large.into_iter().flatten().chain(small) {
            let size = p.value();
            let setup = &Setup::new(p);
            let mut x = R as u64;
            let mut random = move || {
                x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                x >> 12
            };
            for _ in 0..3000 {
                // Multiples of p and the two ends are where words change sign.
                let mut extreme = |low: u64, high: u64| match random() % 4 {
                    0 => low,
                    1 => high,
                    2 => (size * (random() % 23) + random() % 3).saturating_sub(1).clamp(low, high),
                    _ => low + random() % (high - low),
                };
                let mut inputs = [[[0; LANES]; R]; 3];
                for (inputs, (low, high)) in inputs.iter_mut().zip([(0, 4), (0, 2), (2, 22)]) {
                    *inputs = std::array::from_fn(|_| std::array::from_fn(|_| extreme(low * size, high * size)));
                }
                let w: [[u64; LANES]; 7] = std::array::from_fn(|_| std::array::from_fn(|_| extreme(1, size - 1)));
                let scale = [extreme(1, size - 1), extreme(1, size - 1)];
                let pair = |w: u64| setup.pair(p.balance(w));
                let (rows, columns) = (w.map(|w| pair(w[0])), w.map(|w| w.map(|w| pair(w)[0])));
                for isa in [Isa::Scalar, Isa::detect()] {
                    let mut found = [[[0.0; LANES]; R]; KINDS];
                    let out = &mut found;
                    let (rows, columns) = (&rows, &columns);
                    simd::run_words(isa, Trees { setup, inputs: &inputs, rows, columns, scale: scale.map(pair), out });
                    for (i, found) in found.iter().enumerate() {
                        let is_backward = inputs_of(i) == 1;
                        if i == 7 && p.bits() > 47 {
                            continue;
                        }
                        for lane in 0..LANES {
                            let w = w.map(|w| w[if [1, 3, 5].contains(&i) { lane } else { 0 }]);
                            let input = inputs[inputs_of(i)].map(|a| a[lane]);
                            let mut expected = input.map(|a| p.reduce(a));
                            for (k, x) in expected.iter_mut().enumerate() {
                                if is_backward && (R.ilog2() - k.count_ones()) % 2 == 1 {
                                    *x = p.sub(0, *x);
                                }
                            }
                            if i != 6 {
                                let scale = if i == 4 { scale } else { [1, w[0]] };
                                plain(p, &mut expected, &w, !is_backward, scale);
                            }
                            let [size, half] = [size, size / 2].map(|x| x as i64);
                            let bounds = match i {
                                0 | 1 => 0..=4 * size,
                                2 | 3 => 0..=2 * size,
                                4 => -half..=half,
                                5 => -3 * size - half..=3 * size + half,
                                6 => 2 * size - half..=2 * size + half,
                                _ => input[0] as i64 - 3 * half..=input[0] as i64 + 3 * half,
                            };
                            for (x, expected) in found.map(|v| v[lane].to_bits() as i64).into_iter().zip(expected) {
                                assert!(bounds.contains(&x), "{isa} radix {R} kind {i} modulo {p}: {x}");
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
}
