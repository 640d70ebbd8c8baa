//! Kernels on machine words: the linear combinations of key switches.

use crate::isa::Isa;
use crate::simd::{self, Kernel, Simd};

/// acc\[j\] −= Σ_r digits\[r\]·rows\[r·len + j\] modulo 2^32, where len = `acc.len()`.
///
/// `rows` holds `digits.len()` rows of `acc.len()` words each.
///
/// # Panics
/// If `rows` has another length.
pub fn sub_linear_combination_u32(isa: Isa, acc: &mut [u32], rows: &[u32], digits: &[i32]) {
    assert_eq!(rows.len(), acc.len() * digits.len(), "rows must hold one row of acc.len() words a digit");
    if !acc.is_empty() {
        simd::run(isa, SubLinearCombination { acc, rows, digits });
    }
}

struct SubLinearCombination<'a> {
    acc: &'a mut [u32],
    rows: &'a [u32],
    digits: &'a [i32],
}

impl Kernel for SubLinearCombination<'_> {
    type Output = ();

    /// Plain Rust: the compiler vectorises it for the instruction set at hand.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let len = self.acc.len();
        let (digits, last_digits) = self.digits.as_chunks::<ROWS>();
        let (rows, last_rows) = self.rows.split_at(digits.len() * ROWS * len);
        for (digits, rows) in digits.iter().zip(rows.chunks_exact(ROWS * len)) {
            sub_rows(self.acc, rows, digits);
        }
        for (digit, row) in last_digits.iter().zip(last_rows.chunks_exact(len)) {
            sub_rows(self.acc, row, std::array::from_ref(digit));
        }
    }
}

/// Rows that are subtracted in one pass over the accumulator.
const ROWS: usize = 8;

/// Words of the accumulator that are kept in registers while the rows are read: whole vectors of every instruction set,
/// so that no row needs to be proved apart from the accumulator.
const LANES: usize = 16;

#[inline(always)]
fn sub_rows<const R: usize>(acc: &mut [u32], rows: &[u32], digits: &[i32; R]) {
    let len = acc.len();
    let mut row = [&rows[..len]; R];
    for r in 0..R {
        row[r] = &rows[r * len..][..len];
    }
    let whole = len / LANES * LANES;
    for (start, acc) in (0..whole).step_by(LANES).zip(acc.as_chunks_mut::<LANES>().0) {
        let mut sums = *acc;
        for r in 0..R {
            for (sum, &word) in sums.iter_mut().zip(&row[r][start..start + LANES]) {
                *sum = sum.wrapping_sub(word.wrapping_mul(digits[r] as u32));
            }
        }
        *acc = sums;
    }
    for j in whole..len {
        for r in 0..R {
            acc[j] = acc[j].wrapping_sub(row[r][j].wrapping_mul(digits[r] as u32));
        }
    }
}

/// acc\[j\] += Σ_r digits\[r\]·rows\[r·stride + j\] modulo 2^64, for j < `acc.len()`.
///
/// `rows` starts at the first word of the first row; a row may be longer than `acc`, which then is a part of it.
///
/// # Panics
/// If `rows` ends before the last word that is read, or `stride` is below `acc.len()`.
pub fn add_linear_combination_u64(isa: Isa, acc: &mut [u64], rows: &[u64], stride: usize, digits: &[i64]) {
    if acc.is_empty() || digits.is_empty() {
        return;
    }
    let needed = (digits.len() - 1) * stride + acc.len();
    assert!(stride >= acc.len() && rows.len() >= needed, "rows must hold a row of acc.len() words a digit");
    simd::run(isa, AddLinearCombination { acc, rows, stride, digits });
}

struct AddLinearCombination<'a> {
    acc: &'a mut [u64],
    rows: &'a [u64],
    stride: usize,
    digits: &'a [i64],
}

impl Kernel for AddLinearCombination<'_> {
    type Output = ();

    /// Plain Rust, as above: `vpmullq` with AVX-512 DQ, three 32-bit products with AVX2.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (digits, last_digits) = self.digits.as_chunks::<ROWS>();
        let mut rows = self.rows;
        for digits in digits {
            add_rows(self.acc, rows, self.stride, digits);
            // The last row may end with what is read of it.
            rows = &rows[(ROWS * self.stride).min(rows.len())..];
        }
        for digit in last_digits {
            add_rows(self.acc, rows, self.stride, std::array::from_ref(digit));
            rows = &rows[self.stride.min(rows.len())..];
        }
    }
}

#[inline(always)]
fn add_rows<const R: usize>(acc: &mut [u64], rows: &[u64], stride: usize, digits: &[i64; R]) {
    let len = acc.len();
    let mut row = [&rows[..len]; R];
    for r in 0..R {
        row[r] = &rows[r * stride..][..len];
    }
    for j in 0..len {
        let mut sum = acc[j];
        for r in 0..R {
            sum = sum.wrapping_add(row[r][j].wrapping_mul(digits[r] as u64));
        }
        acc[j] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_rows_are_combined_exactly_on_every_instruction_set() {
        let word = |i: usize| (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for (len, stride, count) in [(0, 5, 3), (1, 1, 1), (7, 9, 8), (64, 64, 3), (100, 256, 19), (256, 300, 8)] {
            let rows: Vec<u64> = (0..count * stride).map(word).collect();
            let digits: Vec<i64> = (0..count).map(|r| word(r) as i64 >> (r % 63)).collect();
            for first in [0, stride - len] {
                // Ends with the last word that is read.
                let rows = &rows[first..(count - 1) * stride + first + len];
                let expected: Vec<u64> = (0..len)
                    .map(|j| {
                        digits.iter().enumerate().fold(word(j), |sum, (r, &digit)| {
                            sum.wrapping_add(rows[r * stride + j].wrapping_mul(digit as u64))
                        })
                    })
                    .collect();
                for &isa in Isa::available_here() {
                    let mut acc: Vec<u64> = (0..len).map(word).collect();
                    add_linear_combination_u64(isa, &mut acc, rows, stride, &digits);
                    assert_eq!(acc, expected, "{isa}, {count} rows of {len} at {stride}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "rows must hold")]
    fn too_few_rows_are_refused() {
        add_linear_combination_u64(Isa::Scalar, &mut [0; 4], &[0; 11], 4, &[1; 3]);
    }
}
