//! Kernels on machine words: the linear combination of a key switch.

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

#[inline(always)]
fn sub_rows<const R: usize>(acc: &mut [u32], rows: &[u32], digits: &[i32; R]) {
    let len = acc.len();
    let mut row = [&rows[..len]; R];
    for r in 0..R {
        row[r] = &rows[r * len..][..len];
    }
    for j in 0..len {
        let mut sum = acc[j];
        for r in 0..R {
            sum = sum.wrapping_sub(row[r][j].wrapping_mul(digits[r] as u32));
        }
        acc[j] = sum;
    }
}
