//! Products of a matrix of small integers with vectors of residues.
//!
//! A residue r, |r| < p/2 < 2^49, is cut into 2 to 5 balanced digits of w bits, r = Σ_k d_k·2^(wk) with |d_k|
//! ≤ 2^(w−1). While Σ_b |c_b|·2^(w−1) ≤ 2^52 the sums Σ_b c_b·d_k are exact, so that a product of a residue
//! takes as many fused operations as there are digits and nothing else; at the end of 64 or 128 columns they
//! are put together modulo p.
//!
//! The digits of eight residues of all these columns, 16 to 32 KB, stay in the first-level cache for all
//! rows.
//!
//! **On words of 52 bits** it is two multiplications, whatever the entries: with H = 2^51 and words x = r + H,
//! y = c + H the sums of both halves of x·y are exact for thousands of columns, and Σ r·c = Σ x·y − H·Σ x − H·Σ c.
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::modulus::{Factor, Modulus};
use crate::simd::{Kernel, LANES, Simd, WordKernel, Words};

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
                for part in 0..S::PARTS {
                    let mut rest = s.load(&column[first + v], part);
                    for digit in digits[..DIGITS - 1].iter_mut() {
                        let above = p.round(s, s.mul(rest, inverse));
                        s.store(digit, part, s.neg_mul_add(above, unit, rest));
                        rest = above;
                    }
                    s.store(&mut digits[DIGITS - 1], part, rest);
                }
            }
        }
    }

    /// Adds what `depth` columns from `start` on give to a part of vector `first` + `v` of ROWS rows.
    #[inline(always)]
    fn tile<S: Simd, const ROWS: usize>(
        &mut self,
        s: S,
        p: &Lanes<S::V>,
        units: [LaneFactor<S::V>; DIGITS],
        row: usize,
        [first, v, part]: [usize; 3],
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
                    sums[i][k] = s.mul_add(c, s.load(&digits[k], part), sums[i][k]);
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
                sum = s.add(sum, s.load(out, part));
            }
            s.store(out, part, p.balance(s, sum));
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
        let (vectors, depth) = (self.out[0].len(), self.columns.len());
        for first in (0..vectors).step_by(WIDTH) {
            let width = WIDTH.min(vectors - first);
            for start in (0..depth).step_by(self.cut.depth) {
                let columns = [start, self.cut.depth.min(depth - start)];
                self.cut(s, &p, [first, width], columns);
                for v in 0..width {
                    for row in (0..whole).step_by(ROWS) {
                        for part in 0..S::PARTS {
                            self.tile::<S, ROWS>(s, &p, units, row, [first, v, part], columns);
                        }
                    }
                    for row in whole..count {
                        for part in 0..S::PARTS {
                            self.tile::<S, 1>(s, &p, units, row, [first, v, part], columns);
                        }
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
            2 | 3 if S::REGISTERS >= 32 => self.all::<S, 8>(s),
            2 => self.all::<S, 6>(s),
            4 | 5 if S::REGISTERS >= 32 => self.all::<S, 4>(s),
            3 => self.all::<S, 4>(s),
            _ => self.all::<S, 2>(s),
        }
    }
}

/// Columns whose words are kept: those of a vector, 16 KB, stay in the first-level cache for all rows.
const WORD_DEPTH: usize = 256;

/// The low 52 bits.
const LOW: u64 = (1 << 52) - 1;

/// 1/H.
const INVERSE: f64 = 1.0 / (1u64 << 51) as f64;

/// 3·2^51: its sum with |x| < 2^51 has x + H in its low 52 bits.
const MAGIC: f64 = (3u64 << 51) as f64;

/// Eight `f64` beside words.
type Float<S> = <<S as Words>::Float as Simd>::V;

/// [`MatrixProduct`] on words.
pub(super) struct WordProduct<'a, 'b> {
    p: Modulus,
    out: &'a mut [&'b mut [[f64; LANES]]],
    /// c + H.
    rows: Vec<Vec<u64>>,
    /// −H·Σ c modulo p, for each row and [`WORD_DEPTH`] columns.
    shifts: Vec<Vec<f64>>,
    columns: &'a [&'a [[f64; LANES]]],
    /// r + H, for [`WIDTH`] vectors.
    panel: Vec<[u64; LANES]>,
}

impl<'a, 'b> WordProduct<'a, 'b> {
    /// For entries of absolute value below 2^46, of which no [`WORD_DEPTH`] come to more than 2^46.
    pub(super) fn new(
        p: Modulus,
        out: &'a mut [&'b mut [[f64; LANES]]],
        rows: &[&[f64]],
        columns: &'a [&'a [[f64; LANES]]],
    ) -> Self {
        let words = |row: &&[f64]| row.iter().map(|c| (c + MAGIC).to_bits() & LOW).collect();
        let shift = |entries: &[f64]| {
            let sum = entries.iter().map(|&c| c as i64).sum::<i64>();
            p.balance(p.neg(p.mul(p.reduce_signed(sum), p.reduce(1 << 51))))
        };
        let shifts = rows.iter().map(|row| row.chunks(WORD_DEPTH).map(shift).collect()).collect();
        let panel = vec![[0; LANES]; WIDTH * WORD_DEPTH.min(columns.len())];
        Self { p, out, rows: rows.iter().map(words).collect(), shifts, columns, panel }
    }

    /// Adds what `depth` columns from `start` on give to a vector of ROWS rows; `sum` is Σ x.
    #[inline(always)]
    fn tile<S: Words, const ROWS: usize>(
        &mut self,
        s: S,
        (p, unit): (&Lanes<Float<S>>, LaneFactor<Float<S>>),
        row: usize,
        vector: usize,
        [start, depth, offset]: [usize; 3],
        sum: S::W,
    ) {
        let (zero, f) = (s.splat(0), s.float());
        let mut sums = [[zero; 2]; ROWS];
        let mut entries: [&[u64]; ROWS] = [&[]; ROWS];
        for i in 0..ROWS {
            entries[i] = &self.rows[row + i][start..start + depth];
        }
        for (b, x) in self.panel[offset..offset + depth].iter().enumerate() {
            let x = s.load(x);
            for i in 0..ROWS {
                let y = s.splat(entries[i][b]);
                sums[i][0] = s.add_low(sums[i][0], x, y);
                sums[i][1] = s.add_high(sums[i][1], x, y);
            }
        }
        let low_bits = s.splat(LOW);
        for i in 0..ROWS {
            let [low, high] = sums[i];
            // Σ x·y − H·Σ x = 2^51·(2·high − Σ x) + low.
            let above = s.to_integers(s.sub(s.add(high, high), sum));
            let below = s.and(low, low_bits);
            let carry = f.mul(s.to_integers(s.sub(low, below)), f.splat(INVERSE));
            let above = p.balance(f, f.add(above, carry));
            let mut result = f.add(p.mul_factor_lazy(f, above, unit), p.balance(f, s.to_integers(below)));
            result = f.add(result, f.splat(self.shifts[row + i][start / WORD_DEPTH]));
            let out = &mut self.out[row + i][vector];
            if start > 0 {
                result = f.add(result, f.load(out, 0));
            }
            f.store(out, 0, p.balance(f, result));
        }
    }
}

impl WordKernel for WordProduct<'_, '_> {
    #[inline(always)]
    fn run<S: Words>(mut self, s: S) {
        /// As many as there are registers for, beside the words and the entry.
        const ROWS: usize = 8;
        let f = s.float();
        let p = Lanes::new(f, self.p);
        let unit = LaneFactor::splat(f, self.p.factor(self.p.reduce(1 << 51)));
        let (count, whole) = (self.rows.len(), self.rows.len() / ROWS * ROWS);
        let (vectors, columns) = (self.out[0].len(), self.columns.len());
        for first in (0..vectors).step_by(WIDTH) {
            let width = WIDTH.min(vectors - first);
            for start in (0..columns).step_by(WORD_DEPTH) {
                let depth = WORD_DEPTH.min(columns - start);
                let mut totals = [s.splat(0); WIDTH];
                for (b, column) in self.columns[start..start + depth].iter().enumerate() {
                    for (v, total) in totals[..width].iter_mut().enumerate() {
                        f.prefetch(column.as_ptr().wrapping_add(first + WIDTH + v).cast());
                        let bits = s.of_bits(f.add(f.load(&column[first + v], 0), f.splat(MAGIC)));
                        let x = s.and(bits, s.splat(LOW));
                        *total = s.add(*total, x);
                        s.store(&mut self.panel[v * depth + b], x);
                    }
                }
                for (v, &total) in totals[..width].iter().enumerate() {
                    let part = [start, depth, v * depth];
                    for row in (0..whole).step_by(ROWS) {
                        self.tile::<S, ROWS>(s, (&p, unit), row, first + v, part, total);
                    }
                    for row in whole..count {
                        self.tile::<S, 1>(s, (&p, unit), row, first + v, part, total);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::simd;
    use bootes_testkit::TestRng;

    /// On every processor, with the reference of words: entries and residues as large as they can be.
    #[test]
    fn products_on_words_are_exact() {
        let mut random = TestRng::new("matrix on words", 0);
        for p in [(1 << 49) + 69, (1 << 24) + 43, (1 << 50) - 27] {
            let (p, top) = (Modulus::new(p).unwrap(), (p / 2) as f64);
            for (rows, columns, size) in [(1, 1, 1u64 << 43), (9, 64, 1 << 37), (17, 600, 1 << 37), (8, 256, 1 << 20)] {
                for kind in 0..3 {
                    let mut sign = || if kind == 0 || random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
                    let matrix: Vec<Vec<f64>> =
                        (0..rows).map(|_| (0..columns).map(|_| sign() * size as f64).collect()).collect();
                    let mut residue =
                        || if kind == 2 { random.below(2 * top as u64) as f64 - top } else { sign_of(kind) * top };
                    let x: Vec<[[f64; LANES]; 3]> =
                        (0..columns).map(|_| std::array::from_fn(|_| std::array::from_fn(|_| residue()))).collect();
                    let mut found = vec![[[f64::NAN; LANES]; 3]; rows];
                    let rows: Vec<&[f64]> = matrix.iter().map(Vec::as_slice).collect();
                    let columns: Vec<&[[f64; LANES]]> = x.iter().map(<[_; 3]>::as_slice).collect();
                    let mut out: Vec<_> = found.iter_mut().map(<[_; 3]>::as_mut_slice).collect();
                    simd::run_words(Isa::Scalar, WordProduct::new(p, &mut out, &rows, &columns));
                    for (row, found) in rows.iter().zip(&found) {
                        for (v, lane) in (0..3).flat_map(|v| (0..LANES).map(move |lane| (v, lane))) {
                            let terms = row.iter().zip(&x).map(|(&c, x)| c as i128 * x[v][lane] as i128);
                            let expected = terms.sum::<i128>().rem_euclid(p.value().into());
                            assert_eq!(found[v][lane], p.balance(expected as u64));
                        }
                    }
                }
            }
        }
    }

    fn sign_of(kind: u32) -> f64 {
        if kind == 0 { 1.0 } else { -1.0 }
    }
}
