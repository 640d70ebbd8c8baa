//! The hot kernel of blind rotation: l bits of the key at once, on a ring extended by X^ν = Y.

use std::mem::MaybeUninit;

mod terms;

use terms::{Group, Term};

use super::butterfly::{Complex, ZERO};
use super::tables::Tables;
use super::{Block, Fft, blocks, blocks_mut};
use crate::simd::{self, BlockShape, Columns, ColumnsChunk, Extended, ExtendedChunk, Kernel, LANES, Simd};

/// One of the rotations of [`Fft::rotate_multiply_blocks`].
#[derive(Debug, Default)]
pub struct BlockRotation<'a> {
    /// ν: the others' may differ.
    pub extension: usize,
    /// The exponents e_i, one a key matrix.
    pub exponents: &'a [u32],
    /// Of [`BlockShape::digits_len`] numbers.
    pub digits: &'a [f64],
    /// Of [`BlockShape::out_len`] numbers.
    pub out: &'a mut [f64],
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
        shape.check();
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
    /// `out` is overwritten. A key matrix of exponent 0 contributes nothing and costs nothing.
    ///
    /// Cost for each eight points: about l·rows·cols + min(ν, l + 1)·ν·rows·cols complex products.
    ///
    /// # Panics
    /// If a slice has the wrong length, an exponent is out of range, `block` is 0 or beyond [`BlockShape::MAX_BLOCK`],
    /// or another number of the shape is 0 or above 4096.
    pub fn rotate_multiply_block(
        &self,
        shape: BlockShape,
        out: &mut [f64],
        digits: &[f64],
        key: &[f64],
        exponents: &[u32],
    ) {
        let BlockShape { extension, .. } = shape;
        self.rotate_multiply_blocks(shape, key, false, &mut [BlockRotation { extension, exponents, digits, out }]);
    }

    /// [`Fft::rotate_multiply_block`] for several rotations with the same key matrices, of which `shape` says the rest:
    /// an entry is read once, and from the first-level cache by all rotations but the first.
    ///
    /// `far`: whether the key comes from beyond the second-level cache, so that it is better fetched ahead. AVX2's code
    /// always fetches the next eight points.
    ///
    /// # Panics
    /// As [`Fft::rotate_multiply_block`], and if there are more than [`BlockShape::MAX_ROTATIONS`].
    pub fn rotate_multiply_blocks(
        &self,
        shape: BlockShape,
        key: &[f64],
        far: bool,
        rotations: &mut [BlockRotation<'_>],
    ) {
        let degree = self.degree();
        shape.check();
        assert!(rotations.len() <= BlockShape::MAX_ROTATIONS, "{} rotations", rotations.len());
        assert_eq!(key.len(), shape.key_len(degree), "key length for {shape:?}");
        for rotation in &*rotations {
            let shape = BlockShape { extension: rotation.extension, ..shape };
            shape.check();
            assert_eq!(rotation.out.len(), shape.out_len(degree), "out length for {shape:?}");
            assert_eq!(rotation.digits.len(), shape.digits_len(degree), "digits length for {shape:?}");
            assert_eq!(rotation.exponents.len(), shape.block, "one exponent a key matrix");
        }
        simd::run(self.isa, Rotate { tables: &self.tables, shape, key: blocks(key), far, rotations });
    }
}

/// Blocks at the start of cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned<const COUNT: usize>([Block; COUNT]);

/// What a rotation needs at every chunk.
#[derive(Clone, Copy)]
struct Turn {
    extension: usize,
    terms: [Term; BlockShape::MAX_BLOCK],
    count: usize,
    groups: [Group; BlockShape::MAX_BLOCK + 1],
    group_count: usize,
    /// The monomials of the terms at the chunk of index 0.
    bases: Aligned<{ BlockShape::MAX_BLOCK }>,
}

/// What code of the instruction set's own needs at every chunk.
#[expect(clippy::large_enum_variant, reason = "on the stack, and the large one is the rule where rotations are long")]
#[derive(Clone, Copy)]
enum Assembly {
    Columns(Columns),
    Extended(Extended),
}

impl Turn {
    #[inline(always)]
    fn new<S: Simd>(s: S, tables: &Tables, shape: BlockShape, rotation: &BlockRotation<'_>) -> Self {
        let &BlockRotation { extension, exponents, .. } = rotation;
        let shape = BlockShape { extension, ..shape };
        let (terms, count) = Term::sorted(shape, 2 * tables.points, exponents);
        let (groups, group_count) = Group::all(&terms[..count]);
        let mut bases = Aligned([ZERO; BlockShape::MAX_BLOCK]);
        for (base, term) in bases.0.iter_mut().zip(&terms[..count]) {
            monomial_of_first_chunk(s, tables, term.power, base);
        }
        Self { extension, terms, count, groups, group_count, bases }
    }

    /// If there is code for the shape.
    fn assembly(&self, shape: BlockShape, chunks: usize) -> Option<Assembly> {
        let shape = BlockShape { extension: self.extension, ..shape };
        let starts = self.terms().iter().map(|term| term.start);
        if let Some(columns) = Columns::new(shape, starts.clone(), chunks) {
            return Some(Assembly::Columns(columns));
        }
        let shifts = self.groups[..self.group_count].iter().map(|group| (group.shift, group.end));
        Extended::new(shape, starts, shifts, chunks).map(Assembly::Extended)
    }

    fn terms(&self) -> &[Term] {
        &self.terms[..self.count]
    }

    /// The monomials of the terms at chunk t, minus 1 if they are not shifted.
    #[inline(always)]
    fn monomials<'a, S: Simd>(
        &self,
        s: S,
        tables: &Tables,
        t: usize,
        to: &'a mut [Block; BlockShape::MAX_BLOCK],
    ) -> &'a [Block] {
        let (index, terms) = (tables.chunk_index[t] as usize, self.terms());
        let to = &mut to[..terms.len()];
        let unshifted = self.groups[0].end;
        let (here, shifted) = to.split_at_mut(unshifted);
        monomials_of_chunk::<S, true>(s, tables, index, here, &terms[..unshifted], &self.bases.0);
        monomials_of_chunk::<S, false>(s, tables, index, shifted, &terms[unshifted..], &self.bases.0[unshifted..]);
        to
    }
}

/// For each chunk of eight points, each rotation and each shift s, the matrix M_s = Σ_{i: shift s} Y^{power}·K_i (and
/// − Σ_i K_i if s = 0), which then multiplies the digits of all components: component c − s goes to c, times Y if it
/// wraps.
struct Rotate<'a, 'b> {
    tables: &'a Tables,
    /// Of which the extension is each rotation's own.
    shape: BlockShape,
    key: &'a [Block],
    far: bool,
    rotations: &'a mut [BlockRotation<'b>],
}

impl Kernel for Rotate<'_, '_> {
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

impl Rotate<'_, '_> {
    /// All rotations take so many bytes of the key in turn: half a first-level cache.
    const TOGETHER: usize = 16 << 10;

    /// With tiles of R×C entries, and of R×1 for the columns that are left.
    #[inline(always)]
    fn tiled<S: Simd, const R: usize, const C: usize>(self, s: S) {
        let Rotate { tables, shape, key, far, rotations } = self;
        let BlockShape { rows, cols, block, .. } = shape;
        let chunks = tables.points / LANES;
        let mut room = [const { MaybeUninit::uninit() }; BlockShape::MAX_ROTATIONS];
        let turns = fill(&mut room, rotations.iter().map(|rotation| Turn::new(s, tables, shape, rotation)));
        let mut room = [const { MaybeUninit::uninit() }; BlockShape::MAX_ROTATIONS];
        let assemblies =
            fill(&mut room, turns.iter().filter(|_| S::MULTIPLIES).map(|turn| turn.assembly(shape, chunks)));
        let mut y_base = ZERO;
        monomial_of_first_chunk(s, tables, 1, &mut y_base);

        let mut local_digits = Aligned([ZERO; BlockShape::GATHERED]);
        let mut local_out = Aligned([ZERO; BlockShape::GATHERED]);
        let mut monomials = Aligned([ZERO; BlockShape::MAX_BLOCK]);
        let mut matrices = Extended::ROOM;
        let entries = block * rows * cols;
        let together = (Self::TOGETHER / (entries * size_of::<Block>())).max(1);
        for (key, first) in key.chunks(together * entries).zip((0..).step_by(together)) {
            let (mut far, mut fetch) = (far, true);
            for (i, (turn, rotation)) in turns.iter().zip(&mut *rotations).enumerate() {
                let (out, digits) = (blocks_mut(rotation.out), blocks(rotation.digits));
                let keys = (first..).zip(key.chunks_exact(entries));
                match assemblies.get(i).and_then(Option::as_ref) {
                    Some(Assembly::Columns(columns)) => {
                        for (t, key) in keys {
                            let factors = turn.monomials(s, tables, t, &mut monomials.0);
                            let chunk = ColumnsChunk { key, factors, digits, products: &mut *out, t, fetch };
                            s.multiply_columns(columns, chunk);
                        }
                    }
                    Some(Assembly::Extended(extended)) => {
                        for (t, key) in keys {
                            let factors = turn.monomials(s, tables, t, &mut monomials.0);
                            gather_chunk(&mut local_digits.0, digits, chunks, t);
                            let mut y = ZERO;
                            for part in 0..S::PARTS {
                                let root = Complex::splat(s, tables.root(tables.chunk_index[t] as usize));
                                Complex::load(s, &y_base, part).mul(s, root).store(s, &mut y, part);
                            }
                            let (digits, products) = (&local_digits.0, &mut *out);
                            let (matrices, y) = (&mut matrices, &y);
                            s.multiply_extended(
                                extended,
                                ExtendedChunk { key, factors, digits, products, t, matrices, y, fetch },
                            );
                        }
                    }
                    None if turn.extension == 1 => {
                        for (t, key) in keys {
                            turn.monomials(s, tables, t, &mut monomials.0);
                            let (terms, monomials) = (turn.terms(), &monomials.0);
                            let (shape, stride, at) = (BlockShape { extension: 1, ..shape }, chunks, t);
                            let chunk = Chunk::<R, C> { shape, key, far, terms, monomials, digits, stride, at };
                            chunk.multiply_columns(s, out);
                        }
                    }
                    None => {
                        let (extension, terms) = (turn.extension, turn.terms());
                        let shape = BlockShape { extension, ..shape };
                        let gather = extension > 2 && extension * rows.max(cols) <= BlockShape::GATHERED;
                        for (t, key) in keys {
                            turn.monomials(s, tables, t, &mut monomials.0);
                            if gather {
                                gather_chunk(&mut local_digits.0, digits, chunks, t);
                            }
                            let (digits, products, stride, at) = if gather {
                                (&local_digits.0[..], &mut local_out.0[..], 1, 0)
                            } else {
                                (digits, &mut *out, chunks, t)
                            };
                            let y = (&y_base, tables.root(tables.chunk_index[t] as usize));
                            let monomials = &monomials.0;
                            let chunk = Chunk::<R, C> { shape, key, far, terms, monomials, digits, stride, at };
                            chunk.multiply_shifted(s, products, &turn.groups[..turn.group_count], y);
                            if gather {
                                for (out, local) in out.chunks_exact_mut(chunks).zip(&local_out.0) {
                                    out[t] = *local;
                                }
                            }
                        }
                    }
                }
                (far, fetch) = (false, false);
            }
        }
    }
}

/// Chunk t of all polynomials, of so many chunks each, side by side.
#[inline(always)]
fn gather_chunk(to: &mut [Block], polynomials: &[Block], chunks: usize, t: usize) {
    for (to, polynomial) in to.iter_mut().zip(polynomials.chunks_exact(chunks)) {
        *to = polynomial[t];
    }
}

/// The items, put into `room`, of which no more than they need is written. They are not dropped.
#[inline(always)]
fn fill<T: Copy>(room: &mut [MaybeUninit<T>], items: impl Iterator<Item = T>) -> &[T] {
    let mut count = 0;
    for (place, item) in room.iter_mut().zip(items) {
        place.write(item);
        count += 1;
    }
    // SAFETY: the first `count` were written.
    unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), count) }
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
struct Chunk<'a, const R: usize, const C: usize> {
    shape: BlockShape,
    key: &'a [Block],
    far: bool,
    terms: &'a [Term],
    monomials: &'a [Block; BlockShape::MAX_BLOCK],
    digits: &'a [Block],
    /// Component and polynomial i of the digits stands at `at` + i·`stride`, as in the products.
    stride: usize,
    at: usize,
}

impl<'a, const R: usize, const C: usize> Chunk<'a, R, C> {
    /// Without extension, all products.
    #[inline(always)]
    fn multiply_columns<S: Simd>(&self, s: S, out: &mut [Block]) {
        let cols = self.shape.cols;
        for part in 0..S::PARTS {
            let mut col = 0;
            while col + C <= cols {
                self.multiply_some::<S, C>(s, out, col, part);
                col += C;
            }
            while col < cols {
                self.multiply_some::<S, 1>(s, out, col, part);
                col += 1;
            }
        }
    }

    /// With extension, all products; Y is that of the chunk of index 0 times a root.
    #[inline(always)]
    fn multiply_shifted<S: Simd>(&self, s: S, out: &mut [Block], groups: &[Group], y: (&Block, [f64; 2])) {
        let BlockShape { rows, cols, .. } = self.shape;
        for group in groups {
            for row in (0..rows).step_by(R) {
                let mut col = 0;
                while col + C <= cols {
                    self.multiply_tile::<S, C>(s, out, group, [row, col], y);
                    col += C;
                }
                while col < cols {
                    self.multiply_tile::<S, 1>(s, out, group, [row, col], y);
                    col += 1;
                }
            }
        }
    }

    /// The products of columns `col`, …, `col` + D − 1.
    #[inline(always)]
    fn multiply_some<S: Simd, const D: usize>(&self, s: S, out: &mut [Block], col: usize, part: usize) {
        let &Self { digits, stride, at, .. } = self;
        let mut total = [Complex::zero(s); D];
        for row in (0..self.shape.rows).step_by(R) {
            let sum = self.sum_products::<S, D>(s, self.terms, self.monomials, [row, col], part);
            for r in 0..R {
                let x = Complex::load(s, &digits[at + (row + r) * stride], part);
                for c in 0..D {
                    total[c] = total[c].mul_add(s, x, sum[r][c]);
                }
            }
        }
        for c in 0..D {
            total[c].store(s, &mut out[at + (col + c) * stride], part);
        }
    }

    /// Multiplies the tile from a row and a column on of the matrix of a group.
    #[inline(always)]
    fn multiply_tile<S: Simd, const D: usize>(
        &self,
        s: S,
        out: &mut [Block],
        &Group { shift, start, end }: &Group,
        tile: [usize; 2],
        (y_base, y_root): (&Block, [f64; 2]),
    ) {
        let BlockShape { extension, rows, cols, .. } = self.shape;
        let [row, col] = tile;
        let overwrite = shift == 0 && row == 0;
        // Places of the tile in component 0 of the digits and of the products, and from a component to the next.
        let (from, to) = (self.at + row * self.stride, self.at + col * self.stride);
        let (from_next, to_next) = (rows * self.stride, cols * self.stride);
        for part in 0..S::PARTS {
            let (terms, monomials) = (&self.terms[start..end], &self.monomials[start..end]);
            let mut sum = self.sum_products::<S, D>(s, terms, monomials, tile, part);
            if shift == 0 {
                // The terms of other shifts have their −1 here.
                for term in &self.terms[end..] {
                    let entries = self.entries::<D>(term, tile);
                    for r in 0..R {
                        let row = &entries[r * cols..][..D];
                        for c in 0..D {
                            sum[r][c] = sum[r][c].sub(s, Complex::load(s, &row[c], part));
                        }
                    }
                }
            }
            let (mut at, mut product) = (from, to + shift * to_next);
            for _ in shift..extension {
                self.multiply_component(s, out, at, product, &sum, overwrite, part);
                (at, product) = (at + from_next, product + to_next);
            }
            if shift > 0 {
                let y = Complex::load(s, y_base, part).mul(s, Complex::splat(s, y_root));
                for sum in sum.as_flattened_mut() {
                    *sum = sum.mul(s, y);
                }
                product = to;
                for _ in 0..shift {
                    self.multiply_component(s, out, at, product, &sum, false, part);
                    (at, product) = (at + from_next, product + to_next);
                }
            }
        }
    }

    /// The tile of R×D entries of the matrix of a term: its first row, and what follows up to its last entry.
    #[inline(always)]
    fn entries<const D: usize>(&self, term: &Term, [row, col]: [usize; 2]) -> &'a [Block] {
        let cols = self.shape.cols;
        &self.key[term.start + row * cols + col..][..(R - 1) * cols + D]
    }

    /// A tile of the sum of the matrices of terms, times monomials.
    #[inline(always)]
    fn sum_products<S: Simd, const D: usize>(
        &self,
        s: S,
        terms: &[Term],
        monomials: &[Block],
        tile: [usize; 2],
        part: usize,
    ) -> [[Complex<S::V>; D]; R] {
        let mut sum = [[Complex::zero(s); D]; R];
        // Two loops: with the question inside, the compiler leaves the checks of bounds there, too.
        if self.far && part == 0 {
            self.add_products::<S, D, true>(s, &mut sum, terms, monomials, tile, part);
        } else {
            self.add_products::<S, D, false>(s, &mut sum, terms, monomials, tile, part);
        }
        sum
    }

    #[inline(always)]
    fn add_products<S: Simd, const D: usize, const FAR: bool>(
        &self,
        s: S,
        sum: &mut [[Complex<S::V>; D]; R],
        terms: &[Term],
        monomials: &[Block],
        tile: [usize; 2],
        part: usize,
    ) {
        for (term, monomial) in terms.iter().zip(monomials) {
            let w = Complex::load(s, monomial, part);
            let entries = self.entries::<D>(term, tile);
            for r in 0..R {
                let row = &entries[r * self.shape.cols..][..D];
                let mut x = [w; D];
                for c in 0..D {
                    if FAR {
                        self.prefetch(s, &row[c]);
                    }
                    x[c] = Complex::load(s, &row[c], part);
                }
                sum[r] = Complex::mul_add_all(s, sum[r], w, x);
            }
        }
    }

    /// For a key that is far, fetches what the chunk after the next will read in the place of `entry`: the processor's
    /// own prefetchers lose track of as many streams as there are terms and rows.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, s: S, entry: &Block) {
        let ahead = 2 * self.key.as_flattened().as_flattened().len();
        for line in entry {
            s.prefetch(line.as_ptr().wrapping_add(ahead));
        }
    }

    /// The products from `to` on = (or += unless `overwrite`) the digits from `from` on times `matrix`.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the two components, and what is between them")]
    fn multiply_component<S: Simd, const D: usize>(
        &self,
        s: S,
        out: &mut [Block],
        from: usize,
        to: usize,
        matrix: &[[Complex<S::V>; D]; R],
        overwrite: bool,
        part: usize,
    ) {
        let &Self { digits, stride, .. } = self;
        let mut sum = [Complex::zero(s); D];
        if !overwrite {
            for c in 0..D {
                sum[c] = Complex::load(s, &out[to + c * stride], part);
            }
        }
        for r in 0..R {
            let x = Complex::load(s, &digits[from + r * stride], part);
            for c in 0..D {
                sum[c] = sum[c].mul_add(s, x, matrix[r][c]);
            }
        }
        for c in 0..D {
            sum[c].store(s, &mut out[to + c * stride], part);
        }
    }
}
