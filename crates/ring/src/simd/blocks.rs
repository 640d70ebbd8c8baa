//! Blocks of key matrices that multiply digits: their shapes, and what assembly needs of them.

use std::mem::MaybeUninit;

use super::Block;

/// The shape of [`Fft::rotate_multiply_block`](crate::fft::Fft::rotate_multiply_block).
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
    /// As many rotations [`Fft::rotate_multiply_blocks`](crate::fft::Fft::rotate_multiply_blocks) makes at once.
    pub const MAX_ROTATIONS: usize = 8;
    /// The most rows, columns and components: no length wraps a word of 64 bits.
    const MOST: usize = 1 << 12;
    /// Up to so many components times rows (or columns, where products are read again) the chunks of a point are
    /// gathered: else they lie a power of two apart, and evict each other from a cache's few ways.
    pub const GATHERED: usize = 32;

    /// # Panics
    /// If a number is 0 or beyond what is supported.
    pub(crate) fn check(&self) {
        let Self { extension, rows, cols, block } = *self;
        let supported = [extension, rows, cols].iter().all(|number| (1..=Self::MOST).contains(number));
        assert!(supported && (1..=Self::MAX_BLOCK).contains(&block), "unsupported {self:?}");
    }

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

/// Places in a chunk of the key, in bytes, how many, and the last of them, in blocks.
fn places(starts: impl Iterator<Item = usize>) -> ([usize; BlockShape::MAX_BLOCK], usize, usize) {
    let (mut places, mut count, mut last) = ([0; BlockShape::MAX_BLOCK], 0, 0);
    for (place, start) in places.iter_mut().zip(starts) {
        *place = start * size_of::<Block>();
        (count, last) = (count + 1, last.max(start));
    }
    (places, count, last)
}

/// What [`Simd::multiply_columns`](super::Simd::multiply_columns) needs at every chunk of the points, in the units of
/// its assembly: bytes, but for counts.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Columns {
    /// Where the matrices start in a chunk of the key.
    pub(super) starts: [usize; BlockShape::MAX_BLOCK],
    /// The number of matrices.
    pub(super) count: usize,
    /// From a row of a matrix to the next, all of a matrix, and from a chunk of the key to the next.
    pub(super) row: usize,
    pub(super) matrix: usize,
    pub(super) key: usize,
    /// All factors.
    pub(super) factors: usize,
    /// From a digit or a product to the next, and all digits.
    pub(super) apart: usize,
    pub(super) digits: usize,
    /// Tiles, of two rows or three, of a column.
    pub(super) tiles: usize,
    /// Rows and columns of a matrix, chunks of the points, and entries from the start of a chunk of the key to the end
    /// of the last matrix.
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) chunks: usize,
    pub(super) end: usize,
}

impl Columns {
    /// For matrices of `shape` at `starts`, and so many chunks of the points. None if there is no matrix, or extension,
    /// or neither pairs of rows and columns nor three rows.
    pub(crate) fn new(shape: BlockShape, starts: impl Iterator<Item = usize>, chunks: usize) -> Option<Self> {
        const BLOCK: usize = size_of::<Block>();
        let BlockShape { extension, rows, cols, block } = shape;
        let (starts, count, last) = places(starts);
        let pairs = rows.is_multiple_of(2) && cols.is_multiple_of(2);
        if extension > 1 || count == 0 || !(pairs || rows == 3) {
            return None;
        }
        Some(Self {
            starts,
            count,
            row: cols * BLOCK,
            matrix: rows * cols * BLOCK,
            key: block * rows * cols * BLOCK,
            factors: count * BLOCK,
            apart: chunks * BLOCK,
            digits: rows * chunks * BLOCK,
            tiles: if rows == 3 { 1 } else { rows / 2 },
            rows,
            cols,
            chunks,
            end: last + rows * cols,
        })
    }
}

/// A chunk of the points of what [`Simd::multiply_columns`](super::Simd::multiply_columns) multiplies.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX2 has code for it"))]
pub(crate) struct ColumnsChunk<'a> {
    /// The chunk t of the key.
    pub(crate) key: &'a [Block],
    /// One factor a matrix.
    pub(crate) factors: &'a [Block],
    /// All chunks of the digits and of the products: a polynomial after the other.
    pub(crate) digits: &'a [Block],
    pub(crate) products: &'a mut [Block],
    /// t.
    pub(crate) t: usize,
    /// Whether to fetch the next chunk of the key.
    pub(crate) fetch: bool,
}

impl ColumnsChunk<'_> {
    /// Whether all that is read and written is here.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn fits(&self, columns: &Columns) -> bool {
        let &Columns { count, rows, cols, chunks, end, .. } = columns;
        self.key.len() >= end
            && self.factors.len() == count
            && self.t < chunks
            && self.digits.len() == rows * chunks
            && self.products.len() == cols * chunks
    }
}

/// Where the matrix of a shift and its digits start, in bytes, for a component of the products and for the next one.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Step {
    pub(super) matrix: u32,
    pub(super) digits: u32,
    pub(super) next_matrix: u32,
    pub(super) next_digits: u32,
}

/// Room for the matrices of all shifts, and for Y times them.
pub(crate) type MatricesRoom = [MaybeUninit<Block>; Extended::MATRICES];

/// What [`Simd::multiply_extended`](super::Simd::multiply_extended) needs at every chunk of the points; distances are
/// in bytes, for its assembly.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Extended {
    /// The number of shifts, of which the first is 0.
    pub(super) shifts: usize,
    /// Rows of a matrix, and from one to the next.
    pub(super) rows: usize,
    pub(super) row: usize,
    /// From a product to the next, and from a component of the products to the next.
    pub(super) apart: usize,
    pub(super) component: usize,
    /// From a chunk of the key to the next.
    pub(super) key: usize,
    /// Where the matrices start in a chunk of the key.
    pub(super) starts: [usize; BlockShape::MAX_BLOCK],
    /// How many matrices each shift has, and how many have a shift.
    pub(super) counts: [usize; BlockShape::MAX_BLOCK + 1],
    pub(super) others: usize,
    /// From the matrix of a shift to that of the next, and to Y times it.
    pub(super) matrix: usize,
    pub(super) shifted: usize,
    /// For each two components, all shifts.
    pub(super) steps: [Step; Self::STEPS],
    /// Columns and entries of a matrix, components, blocks from a product to the next, matrices, and entries from the
    /// start of a chunk of the key to the end of the last of them.
    pub(super) cols: usize,
    pub(super) entries: usize,
    pub(super) extension: usize,
    pub(super) stride: usize,
    pub(super) count: usize,
    pub(super) end: usize,
}

impl Extended {
    /// The most shifts of all pairs of components.
    pub(super) const STEPS: usize = 80;
    /// The most blocks that the matrices of all shifts take: three quarters of a first-level cache of 32 KB.
    pub(super) const MATRICES: usize = 192;
    pub(crate) const ROOM: MatricesRoom = [const { MaybeUninit::uninit() }; Self::MATRICES];

    /// For `shifts`, in order, with the ends of their matrices, of `shape`, at `starts`; products are `stride` blocks
    /// apart. None if there are too many.
    pub(crate) fn new(
        shape: BlockShape,
        starts: impl Iterator<Item = usize>,
        shifts: impl Iterator<Item = (usize, usize)> + Clone,
        stride: usize,
    ) -> Option<Self> {
        const BLOCK: usize = size_of::<Block>();
        let BlockShape { extension, rows, cols, block } = shape;
        let (starts, terms, last) = places(starts);
        let (count, entries) = (shifts.clone().count(), rows * cols);
        let fits = (2 * count - 1) * entries <= Self::MATRICES
            && extension.div_ceil(2) * count <= Self::STEPS
            && extension * rows <= BlockShape::GATHERED;
        if !fits {
            return None;
        }
        let mut steps = [Step { matrix: 0, digits: 0, next_matrix: 0, next_digits: 0 }; Self::STEPS];
        let (mut counts, mut start) = ([0; BlockShape::MAX_BLOCK + 1], 0);
        for (i, (shift, end)) in shifts.enumerate() {
            counts[i] = end - start;
            start = end;
            // Component c of the products has c − shift of the digits; if that wraps, times Y.
            let place = |component: usize| {
                let (matrix, from) = match component.checked_sub(shift) {
                    Some(from) => (i, from),
                    None => (count + i - 1, component + extension - shift),
                };
                [matrix * entries * BLOCK, from * rows * BLOCK].map(|place| place as u32)
            };
            for (pair, steps) in steps.chunks_exact_mut(count).take(extension.div_ceil(2)).enumerate() {
                let ([matrix, digits], [next_matrix, next_digits]) =
                    (place(2 * pair), place((2 * pair + 1).min(extension - 1)));
                steps[i] = Step { matrix, digits, next_matrix, next_digits };
            }
        }
        Some(Self {
            shifts: count,
            rows,
            row: cols * BLOCK,
            apart: stride * BLOCK,
            component: cols * stride * BLOCK,
            key: block * entries * BLOCK,
            starts,
            counts,
            others: terms - counts[0],
            matrix: entries * BLOCK,
            shifted: (count - 1) * entries * BLOCK,
            steps,
            cols,
            entries,
            extension,
            stride,
            count: terms,
            end: last + entries,
        })
    }
}

/// A chunk of the points of what [`Simd::multiply_extended`](super::Simd::multiply_extended) multiplies.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX2 has code for it"))]
pub(crate) struct ExtendedChunk<'a> {
    /// The chunk t of the key.
    pub(crate) key: &'a [Block],
    /// One factor a matrix.
    pub(crate) factors: &'a [Block],
    /// Component after component and row after row: this chunk.
    pub(crate) digits: &'a [Block],
    /// Component after component and column after column: all chunks, of which this is number t.
    pub(crate) products: &'a mut [Block],
    /// t.
    pub(crate) t: usize,
    pub(crate) matrices: &'a mut MatricesRoom,
    /// Y.
    pub(crate) y: &'a Block,
    /// Whether to fetch the next chunk of the key.
    pub(crate) fetch: bool,
}

impl ExtendedChunk<'_> {
    /// Whether all that is read and written is here.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn fits(&self, extended: &Extended) -> bool {
        let &Extended { rows, cols, extension, stride, count, end, .. } = extended;
        self.key.len() >= end
            && self.factors.len() == count
            && self.t < stride
            && self.digits.len() >= extension * rows
            && self.products.len() >= extension * cols * stride
    }
}
