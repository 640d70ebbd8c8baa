//! Complex vectors and the butterflies on them.

use crate::simd::{Block, LANES, Simd};

/// A part of eight complex numbers.
#[derive(Clone, Copy)]
pub(super) struct Complex<V> {
    pub(super) re: V,
    pub(super) im: V,
}

impl<V: Copy> Complex<V> {
    #[inline(always)]
    pub(super) fn load<S: Simd<V = V>>(s: S, from: &Block, part: usize) -> Self {
        Self { re: s.load(&from[0], part), im: s.load(&from[1], part) }
    }

    #[inline(always)]
    pub(super) fn store<S: Simd<V = V>>(self, s: S, to: &mut Block, part: usize) {
        s.store(&mut to[0], part, self.re);
        s.store(&mut to[1], part, self.im);
    }

    #[inline(always)]
    pub(super) fn splat<S: Simd<V = V>>(s: S, [re, im]: [f64; 2]) -> Self {
        Self { re: s.splat(re), im: s.splat(im) }
    }

    #[inline(always)]
    pub(super) fn zero<S: Simd<V = V>>(s: S) -> Self {
        Self::splat(s, [0.0; 2])
    }

    /// i times the conjugate. An inverse transform is a forward one between two swaps.
    #[inline(always)]
    pub(super) fn swap(self) -> Self {
        Self { re: self.im, im: self.re }
    }

    #[inline(always)]
    pub(super) fn add<S: Simd<V = V>>(self, s: S, b: Self) -> Self {
        Self { re: s.add(self.re, b.re), im: s.add(self.im, b.im) }
    }

    #[inline(always)]
    pub(super) fn sub<S: Simd<V = V>>(self, s: S, b: Self) -> Self {
        Self { re: s.sub(self.re, b.re), im: s.sub(self.im, b.im) }
    }

    /// self + b and self − b.
    #[inline(always)]
    fn add_sub<S: Simd<V = V>>(self, s: S, b: Self) -> (Self, Self) {
        (self.add(s, b), self.sub(s, b))
    }

    /// self + i·b and self − i·b.
    #[inline(always)]
    fn add_sub_i<S: Simd<V = V>>(self, s: S, b: Self) -> (Self, Self) {
        let plus = Self { re: s.sub(self.re, b.im), im: s.add(self.im, b.re) };
        let minus = Self { re: s.add(self.re, b.im), im: s.sub(self.im, b.re) };
        (plus, minus)
    }

    /// self + ω·b and self − ω·b, ω = √½·(1 + i).
    #[inline(always)]
    fn add_sub_eighth<S: Simd<V = V>>(self, s: S, b: Self) -> (Self, Self) {
        let half = s.splat(std::f64::consts::FRAC_1_SQRT_2);
        let (re, im) = (s.sub(b.re, b.im), s.add(b.re, b.im));
        let plus = Self { re: s.mul_add(half, re, self.re), im: s.mul_add(half, im, self.im) };
        let minus = Self { re: s.neg_mul_add(half, re, self.re), im: s.neg_mul_add(half, im, self.im) };
        (plus, minus)
    }

    /// self + ω·b and self − ω·b, ω = √½·(−1 + i).
    #[inline(always)]
    fn add_sub_three_eighths<S: Simd<V = V>>(self, s: S, b: Self) -> (Self, Self) {
        let half = s.splat(std::f64::consts::FRAC_1_SQRT_2);
        let (minus_re, im) = (s.add(b.re, b.im), s.sub(b.re, b.im));
        let plus = Self { re: s.neg_mul_add(half, minus_re, self.re), im: s.mul_add(half, im, self.im) };
        let minus = Self { re: s.mul_add(half, minus_re, self.re), im: s.neg_mul_add(half, im, self.im) };
        (plus, minus)
    }

    /// self + w·b and self − w·b, the latter as 2·self − (self + w·b).
    #[inline(always)]
    fn add_sub_twiddle<S: Simd<V = V>>(self, s: S, b: Self, w: Twiddle<V>) -> (Self, Self) {
        let plus = Self {
            re: s.neg_mul_add(b.im, w.im[0], s.mul_add(b.re, w.re[0], self.re)),
            im: s.mul_add(b.im, w.re[1], s.mul_add(b.re, w.im[1], self.im)),
        };
        let two = s.splat(2.0);
        (plus, Self { re: s.mul_sub(two, self.re, plus.re), im: s.mul_sub(two, self.im, plus.im) })
    }

    /// w·self.
    #[inline(always)]
    fn twiddle<S: Simd<V = V>>(self, s: S, w: Twiddle<V>) -> Self {
        Self {
            re: s.mul_sub(self.re, w.re[0], s.mul(self.im, w.im[0])),
            im: s.mul_add(self.re, w.im[1], s.mul(self.im, w.re[1])),
        }
    }

    #[inline(always)]
    pub(super) fn mul<S: Simd<V = V>>(self, s: S, b: Self) -> Self {
        Self { re: s.mul_sub(self.re, b.re, s.mul(self.im, b.im)), im: s.mul_add(self.re, b.im, s.mul(self.im, b.re)) }
    }

    /// All sums + a·b: the first products before the second ones, which wait for them.
    #[inline(always)]
    pub(super) fn mul_add_all<S: Simd<V = V>, const C: usize>(
        s: S,
        mut sums: [Self; C],
        a: Self,
        b: [Self; C],
    ) -> [Self; C] {
        for c in 0..C {
            sums[c] = Self { re: s.mul_add(a.re, b[c].re, sums[c].re), im: s.mul_add(a.re, b[c].im, sums[c].im) };
        }
        for c in 0..C {
            sums[c] = Self { re: s.neg_mul_add(a.im, b[c].im, sums[c].re), im: s.mul_add(a.im, b[c].re, sums[c].im) };
        }
        sums
    }

    /// self + a·b.
    #[inline(always)]
    pub(super) fn mul_add<S: Simd<V = V>>(self, s: S, a: Self, b: Self) -> Self {
        Self {
            re: s.neg_mul_add(a.im, b.im, s.mul_add(a.re, b.re, self.re)),
            im: s.mul_add(a.im, b.re, s.mul_add(a.re, b.im, self.im)),
        }
    }
}

/// A twiddle factor, each part twice, since a product takes it twice: a 512-bit broadcast from memory is free as an operand
/// of the only instruction that uses it, and otherwise as dear as an addition.
#[derive(Clone, Copy)]
pub(super) struct Twiddle<V> {
    re: [V; 2],
    im: [V; 2],
}

/// A twiddle factor for all lanes, in memory: twice the same.
pub(super) type Splat = [[f64; 2]; 2];

/// Twiddle factors w_1, …, w_{R−1} of a butterfly.
pub(super) trait Twiddles<S: Simd> {
    /// w_k, k ≥ 1.
    fn factor(&self, s: S, k: usize) -> Twiddle<S::V>;
}

/// The same for all lanes.
impl<S: Simd> Twiddles<S> for [Splat] {
    #[inline(always)]
    fn factor(&self, s: S, k: usize) -> Twiddle<S::V> {
        let factor = &self[k - 1];
        let w = Complex::splat(s, factor[0]);
        let same = if S::BROADCASTS { Complex::splat(s, factor[1]) } else { w };
        Twiddle { re: [w.re, same.re], im: [w.im, same.im] }
    }
}

/// The same for all lanes, once in memory: where AVX-512 has assembly.
impl<S: Simd> Twiddles<S> for [[f64; 2]] {
    #[inline(always)]
    fn factor(&self, s: S, k: usize) -> Twiddle<S::V> {
        let w = Complex::splat(s, self[k - 1]);
        Twiddle { re: [w.re; 2], im: [w.im; 2] }
    }
}

/// Lane by lane, of a part.
pub(super) struct Lanes<'a>(pub(super) &'a [Block; 7], pub(super) usize);

impl<S: Simd> Twiddles<S> for Lanes<'_> {
    #[inline(always)]
    fn factor(&self, s: S, k: usize) -> Twiddle<S::V> {
        let w = Complex::load(s, &self.0[k - 1], self.1);
        Twiddle { re: [w.re; 2], im: [w.im; 2] }
    }
}

/// The same for all lanes and for many butterflies: in registers, if radix R leaves enough of them. The compiler puts
/// what does not fit on the stack as whole vectors, which is still cheaper where a load that broadcasts takes a vector
/// operation more.
pub(super) struct Kept<'a, V, const R: usize> {
    all: &'a [Splat],
    few: [Complex<V>; 7],
}

impl<'a, V: Copy, const R: usize> Kept<'a, V, R> {
    const fn in_registers<S: Simd>() -> bool {
        S::REGISTERS >= 32 && (R <= 4 || !S::BROADCASTS)
    }

    #[inline(always)]
    pub(super) fn new<S: Simd<V = V>>(s: S, all: &'a [Splat]) -> Self {
        let mut few = [Complex::zero(s); 7];
        if Self::in_registers::<S>() {
            for k in 1..R {
                few[k - 1] = Complex::splat(s, all[k - 1][0]);
            }
        }
        Self { all, few }
    }
}

impl<S: Simd, const R: usize> Twiddles<S> for Kept<'_, S::V, R> {
    #[inline(always)]
    fn factor(&self, s: S, k: usize) -> Twiddle<S::V> {
        if !Self::in_registers::<S>() {
            return self.all.factor(s, k);
        }
        let w = self.few[k - 1];
        Twiddle { re: [w.re; 2], im: [w.im; 2] }
    }
}

/// The points a_0, …, a_{R−1} that a butterfly reads.
pub(super) trait Points<S: Simd> {
    /// a_k.
    fn point(&self, s: S, k: usize) -> Complex<S::V>;
}

/// A part of block `j` of each of R arrays.
pub(super) struct Column<'a, A, const R: usize> {
    pub(super) arrays: &'a [A; R],
    pub(super) j: usize,
    pub(super) part: usize,
}

impl<S: Simd, A: std::ops::Deref<Target = [Block]>, const R: usize> Points<S> for Column<'_, A, R> {
    #[inline(always)]
    fn point(&self, s: S, k: usize) -> Complex<S::V> {
        Complex::load(s, &self.arrays[k][self.j], self.part)
    }
}

/// A part of the rows of a square.
pub(super) struct Rows<'a>(pub(super) &'a Square, pub(super) usize);

impl<S: Simd> Points<S> for Rows<'_> {
    #[inline(always)]
    fn point(&self, s: S, k: usize) -> Complex<S::V> {
        Complex::load(s, &self.0[k], self.1)
    }
}

/// Points with real and imaginary parts swapped.
pub(super) struct Swapped<P>(pub(super) P);

impl<S: Simd, P: Points<S>> Points<S> for Swapped<P> {
    #[inline(always)]
    fn point(&self, s: S, k: usize) -> Complex<S::V> {
        self.0.point(s, k).swap()
    }
}

/// Puts numbers into memory, if registers are few.
#[inline(always)]
fn park<S: Simd>(s: S, a: [Complex<S::V>; 4]) -> [Complex<S::V>; 4] {
    let [p, q, r, t] = a;
    let [a, b, c, d, e, f, g, h] = s.park([p.re, p.im, q.re, q.im, r.re, r.im, t.re, t.im]);
    [Complex { re: a, im: b }, Complex { re: c, im: d }, Complex { re: e, im: f }, Complex { re: g, im: h }]
}

/// c ↦ Σ_k w_k·a_k·ω^(ck) with w_0 = 1 and ω = exp(2πi/R), R = 2, 4 or 8.
///
/// Products and sums alternate in the source, since an out-of-order window is too short to mix them: processors have
/// separate units for them. For the same reason a_0 ± w·a is done by fused operations only. The odd points of radix 8
/// are read when the even ones are done with, since sixteen registers hold no more than eight points.
#[inline(always)]
pub(super) fn forward<S: Simd, P: Points<S>, W: Twiddles<S> + ?Sized, const R: usize>(
    s: S,
    a: &P,
    w: &W,
) -> [Complex<S::V>; R] {
    let mut out = [Complex::zero(s); R];
    match R {
        2 => (out[0], out[1]) = a.point(s, 0).add_sub_twiddle(s, a.point(s, 1), w.factor(s, 1)),
        4 => {
            let (s0, d0) = a.point(s, 0).add_sub_twiddle(s, a.point(s, 2), w.factor(s, 2));
            let (s1, d1) =
                a.point(s, 1).twiddle(s, w.factor(s, 1)).add_sub(s, a.point(s, 3).twiddle(s, w.factor(s, 3)));
            (out[0], out[2]) = s0.add_sub(s, s1);
            (out[1], out[3]) = d0.add_sub_i(s, d1);
        }
        8 => {
            let (s0, d0) = a.point(s, 0).add_sub_twiddle(s, a.point(s, 4), w.factor(s, 4));
            let (s2, d2) =
                a.point(s, 2).twiddle(s, w.factor(s, 2)).add_sub(s, a.point(s, 6).twiddle(s, w.factor(s, 6)));
            let (e0, e2) = s0.add_sub(s, s2);
            let (e1, e3) = d0.add_sub_i(s, d2);
            let [e0, e1, e2, e3] = park(s, [e0, e1, e2, e3]);
            let (s1, d1) =
                a.point(s, 1).twiddle(s, w.factor(s, 1)).add_sub(s, a.point(s, 5).twiddle(s, w.factor(s, 5)));
            let (s3, d3) =
                a.point(s, 3).twiddle(s, w.factor(s, 3)).add_sub(s, a.point(s, 7).twiddle(s, w.factor(s, 7)));
            let (o0, o2) = s1.add_sub(s, s3);
            let (o1, o3) = d1.add_sub_i(s, d3);
            (out[0], out[4]) = e0.add_sub(s, o0);
            (out[2], out[6]) = e2.add_sub_i(s, o2);
            (out[1], out[5]) = e1.add_sub_eighth(s, o1);
            (out[3], out[7]) = e3.add_sub_three_eighths(s, o3);
        }
        _ => unreachable!("radix {R}"),
    }
    out
}

/// k ↦ w_k·Σ_c a_c·ω^(ck): the transpose of [`forward`].
#[inline(always)]
pub(super) fn backward<S: Simd, P: Points<S>, W: Twiddles<S> + ?Sized, const R: usize>(
    s: S,
    a: &P,
    w: &W,
) -> [Complex<S::V>; R] {
    let mut out = [Complex::zero(s); R];
    match R {
        2 => {
            (out[0], out[1]) = a.point(s, 0).add_sub(s, a.point(s, 1));
            out[1] = out[1].twiddle(s, w.factor(s, 1));
        }
        4 => {
            let (s0, d0) = a.point(s, 0).add_sub(s, a.point(s, 2));
            let (s1, d1) = a.point(s, 1).add_sub(s, a.point(s, 3));
            (out[0], out[2]) = s0.add_sub(s, s1);
            (out[1], out[3]) = d0.add_sub_i(s, d1);
            out[2] = out[2].twiddle(s, w.factor(s, 2));
            out[1] = out[1].twiddle(s, w.factor(s, 1));
            out[3] = out[3].twiddle(s, w.factor(s, 3));
        }
        8 => {
            let (s0, d0) = a.point(s, 0).add_sub(s, a.point(s, 4));
            let (s2, d2) = a.point(s, 2).add_sub(s, a.point(s, 6));
            let (e0, e2) = s0.add_sub(s, s2);
            let (e1, e3) = d0.add_sub_i(s, d2);
            let [e0, e1, e2, e3] = park(s, [e0, e1, e2, e3]);
            let (s1, d1) = a.point(s, 1).add_sub(s, a.point(s, 5));
            let (s3, d3) = a.point(s, 3).add_sub(s, a.point(s, 7));
            let (o0, o2) = s1.add_sub(s, s3);
            let (o1, o3) = d1.add_sub_i(s, d3);
            (out[0], out[4]) = e0.add_sub(s, o0);
            out[4] = out[4].twiddle(s, w.factor(s, 4));
            (out[2], out[6]) = e2.add_sub_i(s, o2);
            out[2] = out[2].twiddle(s, w.factor(s, 2));
            out[6] = out[6].twiddle(s, w.factor(s, 6));
            (out[1], out[5]) = e1.add_sub_eighth(s, o1);
            out[1] = out[1].twiddle(s, w.factor(s, 1));
            out[5] = out[5].twiddle(s, w.factor(s, 5));
            (out[3], out[7]) = e3.add_sub_three_eighths(s, o3);
            out[3] = out[3].twiddle(s, w.factor(s, 3));
            out[7] = out[7].twiddle(s, w.factor(s, 7));
        }
        _ => unreachable!("radix {R}"),
    }
    out
}

/// The order in which [`forward`] completes its results, which transposition pairs up; so the lanes' order.
pub(super) const LANE_ORDER: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// An 8×8 square of points.
pub(super) type Square = [Block; LANES];

/// Eight points.
pub(super) const ZERO: Block = [[0.0; LANES]; 2];

/// Transposes a part of eight rows of a square: lane k of row c becomes lane j of row k, with `LANE_ORDER`\[j\] = c.
#[inline(always)]
pub(super) fn transpose_forward<S: Simd>(s: S, to: &mut Square, a: &[Complex<S::V>; 8], part: usize) {
    let mut rows = [[a[0].re, a[0].im]; 8];
    for j in 0..8 {
        rows[j] = [a[LANE_ORDER[j]].re, a[LANE_ORDER[j]].im];
    }
    let columns = s.transpose(rows);
    for i in 0..8 {
        let [re, im] = columns[i];
        Complex { re, im }.store(s, &mut to[(part * LANES + i) / S::PARTS], i % S::PARTS);
    }
}

/// The inverse of [`transpose_forward`]: here real and imaginary parts one after the other are faster.
#[inline(always)]
pub(super) fn transpose_backward<S: Simd>(s: S, to: &mut Square, a: &[Complex<S::V>; 8], part: usize) {
    let mut re = [[a[0].re]; 8];
    let mut im = [[a[0].im]; 8];
    for k in 0..8 {
        (re[k], im[k]) = ([a[k].re], [a[k].im]);
    }
    let (re, im) = (s.transpose(re), s.transpose(im));
    for i in 0..8 {
        let row = LANE_ORDER[(part * LANES + i) / S::PARTS];
        Complex { re: re[i][0], im: im[i][0] }.store(s, &mut to[row], i % S::PARTS);
    }
}
