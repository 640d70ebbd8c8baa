//! Products of a matrix of small integers with vectors of residues.
//!
//! A residue r, |r| < p/2 < 2^49, is cut into 2 to 5 balanced digits of w bits, r = Σ_k d_k·2^(wk) with |d_k|
//! ≤ 2^(w−1). While Σ_b |c_b|·2^(w−1) ≤ 2^52 the sums Σ_b c_b·d_k are exact, so that a product of a residue
//! takes as many fused operations as there are digits and nothing else; at the end of 64 or 128 columns they
//! are put together modulo p.
//!
//! The digits of eight residues of all these columns, 16 to 32 KB, stay in the first-level cache for all
//! rows.
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::modulus::{Factor, Modulus};
use crate::simd::{Kernel, LANES, Simd};

/// Columns whose digits are kept.
pub(super) const DEPTH: usize = 128;

/// Vectors whose digits are kept: a column is read so many cache lines at a time.
const WIDTH: usize = 8;

/// `out`\[a\] ← Σ_b `rows`\[a\]\[b\]·`columns`\[b\].
pub(super) struct MatrixProduct<'a, 'b, const DIGITS: usize> {
    pub(super) p: Modulus,
    pub(super) cut: Cut,
    pub(super) out: &'a mut [&'b mut [[f64; LANES]]],
    pub(super) rows: &'a [&'a [f64]],
    pub(super) columns: &'a [&'a [[f64; LANES]]],
    /// Room for the digits of [`WIDTH`] vectors of [`DEPTH`] columns.
    pub(super) panel: &'a mut [[[f64; LANES]; DIGITS]],
}

/// Numbers of a panel.
pub(super) const fn panel(digits: usize) -> usize {
    WIDTH * DEPTH * digits * LANES
}

/// The number of digits, w, and how many columns are summed at a time.
pub(super) struct Cut {
    pub(super) digits: usize,
    pub(super) width: u32,
    pub(super) depth: usize,
}

impl Cut {
    /// The cheapest one for residues of `bits` bits and these rows, if there is one.
    pub(super) fn new(bits: u32, rows: &[&[f64]]) -> Option<Self> {
        let sum = |entries: &[f64]| entries.iter().map(|c| c.abs()).sum::<f64>();
        let largest = |depth| rows.iter().flat_map(|row| row.chunks(depth)).map(sum).fold(0.0, f64::max);
        let (sums, all) = ([DEPTH, DEPTH / 2].map(|depth| (depth, largest(depth))), [2, 3, 4, 5]);
        let cuts = all.iter().flat_map(|&digits| sums.iter().map(move |&(depth, sum)| (digits, depth, sum)));
        let cut = |(digits, depth, sum): (u32, usize, f64)| {
            let width = bits.div_ceil(digits);
            let fits = sum * f64::from(width - 1).exp2() <= f64::from(52).exp2();
            fits.then_some(Self { digits: digits as usize, width, depth })
        };
        cuts.into_iter().find_map(cut)
    }
}

impl<const DIGITS: usize> MatrixProduct<'_, '_, DIGITS> {
    /// The digits of `count` vectors from `first` on of the columns from `start` on, a vector after the
    /// other.
    #[inline(always)]
    fn cut<S: Simd>(&mut self, s: S, p: &Lanes<S::V>, [first, count]: [usize; 2], [start, depth]: [usize; 2]) {
        let unit = f64::from(self.cut.width).exp2();
        let (unit, inverse) = (s.splat(unit), s.splat(unit.recip()));
        for (b, column) in self.columns[start..start + depth].iter().enumerate() {
            for v in 0..count {
                s.prefetch(column.as_ptr().wrapping_add(first + WIDTH + v).cast());
                let digits = &mut self.panel[v * DEPTH + b];
                let mut rest = s.load(&column[first + v]);
                for digit in digits[..DIGITS - 1].iter_mut() {
                    let above = p.round(s, s.mul(rest, inverse));
                    s.store(digit, s.neg_mul_add(above, unit, rest));
                    rest = above;
                }
                s.store(&mut digits[DIGITS - 1], rest);
            }
        }
    }

    /// Adds what `depth` columns from `start` on give to vector `first` + `v` of ROWS rows.
    #[inline(always)]
    fn tile<S: Simd, const ROWS: usize>(
        &mut self,
        s: S,
        p: &Lanes<S::V>,
        units: [LaneFactor<S::V>; DIGITS],
        row: usize,
        [first, v]: [usize; 2],
        [start, depth]: [usize; 2],
    ) {
        let mut sums = [[s.splat(0.0); DIGITS]; ROWS];
        let mut entries = [self.rows[0]; ROWS];
        for i in 0..ROWS {
            entries[i] = &self.rows[row + i][start..start + depth];
        }
        for (b, digits) in self.panel[v * DEPTH..v * DEPTH + depth].iter().enumerate() {
            for i in 0..ROWS {
                let c = s.splat(entries[i][b]);
                for k in 0..DIGITS {
                    sums[i][k] = s.mul_add(c, s.load(&digits[k]), sums[i][k]);
                }
            }
        }
        for i in 0..ROWS {
            let out = &mut self.out[row + i][first + v];
            let mut sum = p.balance(s, sums[i][0]);
            for k in 1..DIGITS {
                sum = s.add(sum, p.mul_factor_lazy(s, sums[i][k], units[k]));
            }
            if start > 0 {
                sum = s.add(sum, s.load(out));
            }
            s.store(out, p.balance(s, sum));
        }
    }

    #[inline(always)]
    fn all<S: Simd, const ROWS: usize>(mut self, s: S) {
        let p = Lanes::new(s, self.p);
        let mut units = [LaneFactor::splat(s, Factor { value: 0.0, quotient: 0.0 }); DIGITS];
        for (unit, k) in units.iter_mut().zip(0..) {
            *unit = LaneFactor::splat(s, self.p.factor(self.p.reduce(1 << (self.cut.width * k))));
        }
        let (count, whole) = (self.rows.len(), self.rows.len() / ROWS * ROWS);
        let (vectors, columns) = (self.out[0].len(), self.columns.len());
        for first in (0..vectors).step_by(WIDTH) {
            let width = WIDTH.min(vectors - first);
            for start in (0..columns).step_by(self.cut.depth) {
                let part = [start, self.cut.depth.min(columns - start)];
                self.cut(s, &p, [first, width], part);
                for v in 0..width {
                    for row in (0..whole).step_by(ROWS) {
                        self.tile::<S, ROWS>(s, &p, units, row, [first, v], part);
                    }
                    for row in whole..count {
                        self.tile::<S, 1>(s, &p, units, row, [first, v], part);
                    }
                }
            }
        }
    }
}

impl<const DIGITS: usize> Kernel for MatrixProduct<'_, '_, DIGITS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // As many sums as there are registers for, beside the digits and the entry.
        match DIGITS {
            _ if S::EVEX => self.all::<S, 8>(s),
            2 => self.all::<S, 2>(s),
            _ => self.all::<S, 1>(s),
        }
    }
}
