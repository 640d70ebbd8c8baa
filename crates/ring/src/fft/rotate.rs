//! The hot kernel of blind rotation: l bits of the key at once, on a ring extended by X^ν = Y.

use super::butterfly::{Complex, ZERO};
use super::tables::Tables;
use super::{Block, Fft, blocks, blocks_mut};
use crate::simd::{self, Kernel, LANES, Simd};

/// The shape of [`Fft::rotate_multiply_block`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockShape {
    /// ν ≥ 1: polynomials have degree νN, in ν components of degree N.
    pub extension: usize,
    /// Rows of a key matrix: (k + 1)·d.
    pub rows: usize,
    /// Columns of a key matrix: k + 1, times the limbs of a word.
    pub cols: usize,
    /// l: key matrices, of which each has its own exponent.
    pub block: usize,
}

impl BlockShape {
    /// The largest `block`.
    pub const MAX_BLOCK: usize = 16;
    /// Up to so many components times rows or columns the chunks of a point are gathered: else they lie a power of two
    /// apart, and evict each other from a cache's few ways.
    pub const GATHERED: usize = 32;

    /// The numbers (`f64`) in the key matrices: N·l·rows·cols.
    #[must_use]
    pub const fn key_len(&self, degree: usize) -> usize {
        degree * self.block * self.rows * self.cols
    }

    /// The numbers (`f64`) in the digits: N·ν·rows.
    #[must_use]
    pub const fn digits_len(&self, degree: usize) -> usize {
        degree * self.extension * self.rows
    }

    /// The numbers (`f64`) in the result: N·ν·cols.
    #[must_use]
    pub const fn out_len(&self, degree: usize) -> usize {
        degree * self.extension * self.cols
    }
}

/// A part of the key matrices of [`Fft::rotate_multiply_block`].
#[derive(Debug, Clone, Copy)]
pub struct KeyTile<'a> {
    /// For some blocks of 16 numbers of a transform, the matrices' entries.
    pub key: &'a [f64],
    /// The number of the first of these blocks.
    pub first: usize,
    /// Whether the key comes from beyond the second-level cache, so that it is better fetched ahead; with what follows
    /// it.
    pub far: bool,
}

impl Fft {
    /// Puts `freq`, the transform of entry (`row`, `col`) of key matrix `i` < l, into its place in `key`.
    ///
    /// The key is ordered the way [`Fft::rotate_multiply_block`] reads it: for each block of 16 numbers of a transform,
    /// `[i][row][col]`.
    ///
    /// # Panics
    /// If an index is out of range or a slice has the wrong length.
    pub fn pack_key(&self, shape: BlockShape, key: &mut [f64], (i, row, col): (usize, usize, usize), freq: &[f64]) {
        self.check(&[freq.len()]);
        assert_eq!(key.len(), shape.key_len(self.degree()), "key length");
        assert!(i < shape.block && row < shape.rows && col < shape.cols, "key entry ({i}, {row}, {col}) of {shape:?}");
        let (entries, entry) = (shape.rows * shape.cols, row * shape.cols + col);
        let chunks = blocks_mut(key).chunks_exact_mut(shape.block * entries);
        for (chunk, freq) in chunks.zip(blocks(freq)) {
            chunk[i * entries + entry] = *freq;
        }
    }

    /// `out` = Σ_i (X^{e_i} − 1)·D·K_i, over i < l, with e_i = `exponents`\[i\] in [0, 2νN).
    ///
    /// D is a vector of `rows` polynomials modulo X^{νN} + 1, and K_i is a matrix of polynomials in Y = X^ν. Component
    /// c < ν of a polynomial has its coefficients of X^{νt + c} as those of Y^t, and Y^N = −1.
    ///
    /// In frequency representation, `digits` is `[c][row]`, `out` is `[c][col]`, and `key` is as in [`Fft::pack_key`].
    /// `out` is overwritten. An exponent 0 contributes nothing and costs nothing.
    ///
    /// Cost for each eight points: about l·rows·cols + min(ν, l + 1)·ν·rows·cols complex products.
    ///
    /// # Panics
    /// If a slice has the wrong length, an exponent is out of range, or `block` is beyond [`BlockShape::MAX_BLOCK`].
    pub fn rotate_multiply_block(
        &self,
        shape: BlockShape,
        out: &mut [f64],
        digits: &[f64],
        key: &[f64],
        exponents: &[u32],
    ) {
        assert_eq!(key.len(), shape.key_len(self.degree()), "key length for {shape:?}");
        self.rotate_multiply_tile(shape, out, digits, KeyTile { key, first: 0, far: false }, exponents);
    }

    /// A part of [`Fft::rotate_multiply_block`], so that a large key matrix can be multiplied tile by tile with many
    /// digits.
    ///
    /// # Panics
    /// As [`Fft::rotate_multiply_block`], and if `key` is not of whole blocks or has more than are left.
    pub fn rotate_multiply_tile(
        &self,
        shape: BlockShape,
        out: &mut [f64],
        digits: &[f64],
        tile: KeyTile<'_>,
        exponents: &[u32],
    ) {
        let KeyTile { key, first, far } = tile;
        let degree = self.degree();
        assert!(shape.extension > 0 && shape.rows > 0 && shape.cols > 0, "unsupported {shape:?}");
        assert!((1..=BlockShape::MAX_BLOCK).contains(&shape.block), "unsupported block: {shape:?}");
        assert_eq!(out.len(), shape.out_len(degree), "out length for {shape:?}");
        assert_eq!(digits.len(), shape.digits_len(degree), "digits length for {shape:?}");
        let entries = shape.block * shape.rows * shape.cols * 2 * LANES;
        let left = self.tables.points / LANES - first.min(self.tables.points / LANES);
        assert!(key.len().is_multiple_of(entries) && key.len() / entries <= left, "key tile length for {shape:?}");
        assert_eq!(exponents.len(), shape.block, "one exponent a key matrix");

        let (terms, count) = Term::sorted(shape, degree, exponents);
        let (tables, terms) = (&self.tables, &terms[..count]);
        let (out, digits, key) = (blocks_mut(out), blocks(digits), blocks(key));
        let rotate = Rotate { tables, shape, out, digits, key, first, far, terms };
        simd::run(self.isa, rotate);
    }
}

/// A key matrix and its monomial X^e = X^`shift`·Y^`power`.
#[derive(Clone, Copy, Default)]
struct Term {
    /// Where the matrix starts in a chunk of the key.
    start: usize,
    shift: usize,
    power: usize,
}

impl Term {
    /// The terms with e_i ≠ 0, by shift.
    fn sorted(shape: BlockShape, degree: usize, exponents: &[u32]) -> ([Self; BlockShape::MAX_BLOCK], usize) {
        let mut terms = [Self::default(); BlockShape::MAX_BLOCK];
        let mut count = 0;
        for (index, &exponent) in exponents.iter().enumerate() {
            let exponent = exponent as usize;
            assert!(exponent < 2 * shape.extension * degree, "exponent {exponent} is not below 2νN");
            if exponent != 0 {
                let (shift, power) = (exponent % shape.extension, exponent / shape.extension);
                terms[count] = Self { start: index * shape.rows * shape.cols, shift, power };
                count += 1;
            }
        }
        terms[..count].sort_unstable_by_key(|term| term.shift);
        (terms, count)
    }
}

/// The terms of one shift, `start`, …, `end` − 1.
#[derive(Clone, Copy, Default)]
struct Group {
    shift: usize,
    start: usize,
    end: usize,
}

impl Group {
    /// All groups: that of shift 0 first, even if it has no terms.
    fn all(terms: &[Term]) -> ([Self; BlockShape::MAX_BLOCK + 1], usize) {
        let mut groups = [Self::default(); BlockShape::MAX_BLOCK + 1];
        let mut last = 0;
        for (i, term) in terms.iter().enumerate() {
            if term.shift != groups[last].shift {
                last += 1;
                groups[last] = Self { shift: term.shift, start: i, end: i };
            }
            groups[last].end = i + 1;
        }
        (groups, last + 1)
    }
}

/// For each chunk of eight points, and each shift s, the matrix M_s = Σ_{i: shift s} Y^{power}·K_i (and − Σ_i K_i if
/// s = 0), which then multiplies the digits of all components: component c − s goes to c, times Y if it wraps.
struct Rotate<'a> {
    tables: &'a Tables,
    shape: BlockShape,
    out: &'a mut [Block],
    digits: &'a [Block],
    key: &'a [Block],
    first: usize,
    far: bool,
    terms: &'a [Term],
}

impl Kernel for Rotate<'_> {
    type Output = ();

    /// Chooses the tile of the key matrices that is kept in registers, beside a monomial and an entry.
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let BlockShape { rows, cols, .. } = self.shape;
        if S::REGISTERS >= 32 && rows % 4 == 0 && cols % 2 == 0 {
            self.tiled::<S, 4, 2>(s);
        } else if rows % 2 == 0 && cols % 2 == 0 {
            self.tiled::<S, 2, 2>(s);
        } else if S::REGISTERS >= 32 && rows % 3 == 0 && cols == 3 {
            self.tiled::<S, 3, 3>(s);
        } else if rows % 3 == 0 {
            self.tiled::<S, 3, 2>(s);
        } else {
            self.tiled::<S, 1, 1>(s);
        }
    }
}

impl Rotate<'_> {
    /// With tiles of R×C entries, and of R×1 for the columns that are left.
    #[inline(always)]
    fn tiled<S: Simd, const R: usize, const C: usize>(self, s: S) {
        let Rotate { tables, shape, out, digits, key, first, far, terms } = self;
        let BlockShape { extension, rows, cols, block } = shape;
        let chunks = tables.points / LANES;
        let mut bases = [ZERO; BlockShape::MAX_BLOCK];
        for (base, term) in bases.iter_mut().zip(terms) {
            monomial_of_first_chunk(s, tables, term.power, base);
        }
        let mut y_base = ZERO;
        monomial_of_first_chunk(s, tables, 1, &mut y_base);
        let (groups, count) = Group::all(terms);
        let unshifted = groups[0].end;

        let gather = extension > 2 && extension * rows.max(cols) <= BlockShape::GATHERED;
        let (mut local_digits, mut local_out) = ([ZERO; BlockShape::GATHERED], [ZERO; BlockShape::GATHERED]);

        let mut monomials = [ZERO; BlockShape::MAX_BLOCK];
        for (t, key) in (first..).zip(key.chunks_exact(block * rows * cols)) {
            let index = tables.chunk_index[t] as usize;
            let (to, to_shifted) = monomials.split_at_mut(unshifted);
            monomials_of_chunk::<S, true>(s, tables, index, to, &terms[..unshifted], &bases);
            monomials_of_chunk::<S, false>(s, tables, index, to_shifted, &terms[unshifted..], &bases[unshifted..]);
            if gather {
                for (local, digits) in local_digits.iter_mut().zip(digits.chunks_exact(chunks)) {
                    *local = digits[t];
                }
            }
            let (digits, products, stride, at) =
                if gather { (&local_digits[..], &mut local_out[..], 1, 0) } else { (digits, &mut *out, chunks, t) };
            let y_root = tables.root(index);
            let chunk =
                Chunk { shape, key, digits, stride, at, far, terms, monomials: &monomials, y_base: &y_base, y_root };
            for group in &groups[..count] {
                for row in (0..rows).step_by(R) {
                    let mut col = 0;
                    while col + C <= cols {
                        chunk.multiply_tile::<S, R, C>(s, products, group, unshifted, [row, col]);
                        col += C;
                    }
                    while col < cols {
                        chunk.multiply_tile::<S, R, 1>(s, products, group, unshifted, [row, col]);
                        col += 1;
                    }
                }
            }
            if gather {
                for (out, local) in out.chunks_exact_mut(chunks).zip(&local_out) {
                    out[t] = *local;
                }
            }
        }
    }
}

/// `to` = Y^power at the points of the chunk of index 0.
#[inline(always)]
fn monomial_of_first_chunk<S: Simd>(s: S, tables: &Tables, power: usize, to: &mut Block) {
    let mut lanes = ZERO;
    for j in 0..LANES {
        [lanes[0][j], lanes[1][j]] = tables.root(power * tables.lane_index[j] as usize);
    }
    // ζ^power: a 4m-th root from m-th ones.
    let coarse = Complex::splat(s, tables.root(power / 4));
    let fine = Complex::splat(s, tables.first_roots[power % 4]);
    let root = coarse.mul(s, fine);
    for part in 0..S::PARTS {
        Complex::load(s, &lanes, part).mul(s, root).store(s, to, part);
    }
}

/// `to` = Y^power at the points of chunk `index`, minus 1 if `MINUS_ONE`, from what it is at chunk 0.
#[inline(always)]
fn monomials_of_chunk<S: Simd, const MINUS_ONE: bool>(
    s: S,
    tables: &Tables,
    index: usize,
    to: &mut [Block],
    terms: &[Term],
    bases: &[Block],
) {
    for (to, (term, base)) in to.iter_mut().zip(terms.iter().zip(bases)) {
        let root = Complex::splat(s, tables.root(term.power * index));
        for part in 0..S::PARTS {
            let mut w = Complex::load(s, base, part).mul(s, root);
            if MINUS_ONE {
                w.re = s.sub(w.re, s.splat(1.0));
            }
            w.store(s, to, part);
        }
    }
}

/// Eight points of all polynomials, and the monomials there.
struct Chunk<'a> {
    shape: BlockShape,
    key: &'a [Block],
    /// In which, as in the products, component and polynomial i stands at `at` + i·`stride`.
    digits: &'a [Block],
    stride: usize,
    at: usize,
    far: bool,
    terms: &'a [Term],
    monomials: &'a [Block; BlockShape::MAX_BLOCK],
    /// Y at the chunk of index 0, and what it is multiplied by at this one.
    y_base: &'a Block,
    y_root: [f64; 2],
}

impl Chunk<'_> {
    /// Multiplies the tile from `row` and `col` on of the matrix of a group.
    #[inline(always)]
    fn multiply_tile<S: Simd, const R: usize, const C: usize>(
        &self,
        s: S,
        out: &mut [Block],
        &Group { shift, start, end }: &Group,
        unshifted: usize,
        tile: [usize; 2],
    ) {
        let extension = self.shape.extension;
        let (terms, monomials) = (&self.terms[start..end], &self.monomials[start..end]);
        let overwrite = shift == 0 && tile[0] == 0;
        for part in 0..S::PARTS {
            let mut sum = [[Complex::zero(s); C]; R];
            if self.far && part == 0 {
                self.add_products::<S, R, C, true>(s, &mut sum, terms, monomials, tile, part);
            } else {
                self.add_products::<S, R, C, false>(s, &mut sum, terms, monomials, tile, part);
            }
            if shift == 0 {
                self.subtract(s, &mut sum, &self.terms[unshifted..], tile, part);
            }
            for c in shift..extension {
                self.multiply(s, out, c, c - shift, &sum, overwrite, tile, part);
            }
            if shift > 0 {
                let y = Complex::load(s, self.y_base, part).mul(s, Complex::splat(s, self.y_root));
                for sum in sum.as_flattened_mut() {
                    *sum = sum.mul(s, y);
                }
                for c in 0..shift {
                    self.multiply(s, out, c, c + extension - shift, &sum, false, tile, part);
                }
            }
        }
    }

    /// The tile of the matrix of a term: its first row, and what follows up to its last entry.
    #[inline(always)]
    fn entries<const R: usize, const C: usize>(&self, term: &Term, [row, col]: [usize; 2]) -> &[Block] {
        let cols = self.shape.cols;
        &self.key[term.start + row * cols + col..][..(R - 1) * cols + C]
    }

    /// `sum` += Σ `monomials`·K_i over `terms`. If `FAR`, also fetches the entries that the chunk after the next will
    /// read: the processor's own prefetchers lose track of as many streams as there are terms and rows.
    #[inline(always)]
    fn add_products<S: Simd, const R: usize, const C: usize, const FAR: bool>(
        &self,
        s: S,
        sum: &mut [[Complex<S::V>; C]; R],
        terms: &[Term],
        monomials: &[Block],
        tile: [usize; 2],
        part: usize,
    ) {
        let ahead = 2 * self.key.as_flattened().as_flattened().len();
        for (term, monomial) in terms.iter().zip(monomials) {
            let w = Complex::load(s, monomial, part);
            let entries = self.entries::<R, C>(term, tile);
            for r in 0..R {
                let row = &entries[r * self.shape.cols..][..C];
                let mut x = [w; C];
                for c in 0..C {
                    if FAR {
                        for line in &row[c] {
                            s.prefetch(line.as_ptr().wrapping_add(ahead));
                        }
                    }
                    x[c] = Complex::load(s, &row[c], part);
                }
                sum[r] = Complex::mul_add_all(s, sum[r], w, x);
            }
        }
    }

    /// `sum` −= ΣK_i over `terms`.
    #[inline(always)]
    fn subtract<S: Simd, const R: usize, const C: usize>(
        &self,
        s: S,
        sum: &mut [[Complex<S::V>; C]; R],
        terms: &[Term],
        tile: [usize; 2],
        part: usize,
    ) {
        for term in terms {
            let entries = self.entries::<R, C>(term, tile);
            for r in 0..R {
                let row = &entries[r * self.shape.cols..][..C];
                for c in 0..C {
                    sum[r][c] = sum[r][c].sub(s, Complex::load(s, &row[c], part));
                }
            }
        }
    }

    /// Component `to` of `out` = (or += unless `overwrite`) component `from` of the digits times `matrix`.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the two components, and what is between them")]
    fn multiply<S: Simd, const R: usize, const C: usize>(
        &self,
        s: S,
        out: &mut [Block],
        to: usize,
        from: usize,
        matrix: &[[Complex<S::V>; C]; R],
        overwrite: bool,
        [row, col]: [usize; 2],
        part: usize,
    ) {
        let BlockShape { rows, cols, .. } = self.shape;
        let to = (to * cols + col) * self.stride + self.at;
        let from = (from * rows + row) * self.stride + self.at;
        let mut sum = [Complex::zero(s); C];
        if !overwrite {
            for c in 0..C {
                sum[c] = Complex::load(s, &out[to + c * self.stride], part);
            }
        }
        for r in 0..R {
            let x = Complex::load(s, &self.digits[from + r * self.stride], part);
            for c in 0..C {
                sum[c] = sum[c].mul_add(s, x, matrix[r][c]);
            }
        }
        for c in 0..C {
            sum[c].store(s, &mut out[to + c * self.stride], part);
        }
    }
}
