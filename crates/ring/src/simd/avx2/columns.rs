//! A chunk of blind rotation without extension, in assembly: with as little as can be between two tiles, since the
//! processor looks ahead not much further than one of them.

use std::arch::asm;
use std::mem::offset_of;

use crate::simd::{Block, Columns, ColumnsChunk};

/// Adds a digit times a sum to a total.
macro_rules! product {
    ($total_re:literal $total_im:literal, $re:literal $im:literal) => {
        concat!(
            "vfmadd231pd ",
            $total_re,
            ", ",
            $re,
            ", [{digits}]\n",
            "vfmadd231pd ",
            $total_im,
            ", ",
            $im,
            ", [{digits}]\n",
            "vfnmadd231pd ",
            $total_re,
            ", ",
            $im,
            ", [{digits} + 64]\n",
            "vfmadd231pd ",
            $total_im,
            ", ",
            $re,
            ", [{digits} + 64]\n",
        )
    };
}

/// Both halves of a chunk of a column, or two: for each half, `$first`; for each tile, `$zero`; for each of its matrices, the
/// `$entries` of each row; for the tile again, `$totals` and the `$products` of each row; and `$last`.
///
/// `rax`, when it is not the place of a row, is the distance of digits.
macro_rules! columns {
    ($of:expr, $first:expr, $zero:expr, [$($entries:expr),*], $totals:expr, [$($products:expr),*], $last:expr) => {{
        let Pointers { columns, key, factors, digits, products } = $of;
        asm!(
            "mov {half}, 2",
            "mov {row}, [{columns} + {at_row}]",
            "mov {ahead}, [{columns} + {at_key}]",
            "2:",
            "mov {tile}, [{columns} + {at_tiles}]",
            $first,
            "3:",
            "lea rdi, [{columns} + {at_starts}]",
            "mov rdx, [{columns} + {at_count}]",
            $zero,
            "4:",
            "mov rax, [rdi]",
            "add rax, {key}",
            "vmovupd ymm12, [{factors}]",
            "vmovupd ymm13, [{factors} + 64]",
            $($entries, "add rax, {row}",)*
            "add rdi, 8",
            "add {factors}, 128",
            "dec rdx",
            "jnz 4b",
            "sub {factors}, [{columns} + {at_factors}]",
            "mov rax, [{columns} + {at_apart}]",
            $totals,
            $($products, "add {digits}, rax", "add {key}, {row}",)*
            "dec {tile}",
            "jnz 3b",
            $last,
            "sub {key}, [{columns} + {at_matrix}]",
            "sub {digits}, [{columns} + {at_digits}]",
            "add {key}, 32",
            "add {factors}, 32",
            "add {digits}, 32",
            "add {products}, 32",
            "add {ahead}, 32",
            "dec {half}",
            "jnz 2b",
            columns = in(reg) columns,
            key = inout(reg) key => _,
            factors = inout(reg) factors => _,
            digits = inout(reg) digits => _,
            products = inout(reg) products => _,
            half = out(reg) _,
            tile = out(reg) _,
            row = out(reg) _,
            ahead = out(reg) _,
            at_starts = const offset_of!(Columns, starts),
            at_count = const offset_of!(Columns, count),
            at_row = const offset_of!(Columns, row),
            at_matrix = const offset_of!(Columns, matrix),
            at_key = const offset_of!(Columns, key),
            at_factors = const offset_of!(Columns, factors),
            at_apart = const offset_of!(Columns, apart),
            at_digits = const offset_of!(Columns, digits),
            at_tiles = const offset_of!(Columns, tiles),
            out("rax") _, out("rdi") _, out("rdx") _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack)
        );
    }};
}

/// Two columns of tiles of two rows: the totals have registers of their own.
macro_rules! two_rows {
    ($of:expr, $fetch:literal) => {
        columns!(
            $of,
            zero!("ymm8" "ymm9" "ymm10" "ymm11"),
            zero!("ymm0" "ymm1" "ymm2" "ymm3" "ymm4" "ymm5" "ymm6" "ymm7"),
            [
                concat!(entry!("ymm0", "ymm1", "rax"), entry!("ymm2", "ymm3", "rax + 128"), $fetch),
                concat!(entry!("ymm4", "ymm5", "rax"), entry!("ymm6", "ymm7", "rax + 128"), $fetch)
            ],
            "",
            [
                concat!(product!("ymm8" "ymm9", "ymm0" "ymm1"), product!("ymm10" "ymm11", "ymm2" "ymm3")),
                concat!(product!("ymm8" "ymm9", "ymm4" "ymm5"), product!("ymm10" "ymm11", "ymm6" "ymm7"))
            ],
            concat!(store!("{products}", "ymm8" "ymm9"), store!("{products} + rax", "ymm10" "ymm11"))
        )
    };
}

/// Two columns of one tile, of three rows.
macro_rules! three_rows {
    ($of:expr, $fetch:literal) => {
        columns!(
            $of,
            "",
            zero!("ymm0" "ymm1" "ymm2" "ymm3" "ymm4" "ymm5" "ymm6" "ymm7" "ymm8" "ymm9" "ymm10" "ymm11"),
            [
                concat!(entry!("ymm0", "ymm1", "rax"), entry!("ymm2", "ymm3", "rax + 128"), $fetch),
                concat!(entry!("ymm4", "ymm5", "rax"), entry!("ymm6", "ymm7", "rax + 128"), $fetch),
                concat!(entry!("ymm8", "ymm9", "rax"), entry!("ymm10", "ymm11", "rax + 128"), $fetch)
            ],
            zero!("ymm12" "ymm13" "ymm14" "ymm15"),
            [
                concat!(product!("ymm12" "ymm13", "ymm0" "ymm1"), product!("ymm14" "ymm15", "ymm2" "ymm3")),
                concat!(product!("ymm12" "ymm13", "ymm4" "ymm5"), product!("ymm14" "ymm15", "ymm6" "ymm7")),
                concat!(product!("ymm12" "ymm13", "ymm8" "ymm9"), product!("ymm14" "ymm15", "ymm10" "ymm11"))
            ],
            concat!(store!("{products}", "ymm12" "ymm13"), store!("{products} + rax", "ymm14" "ymm15"))
        )
    };
}

/// One column of one tile, of three rows.
macro_rules! three_rows_of_one {
    ($of:expr, $fetch:literal) => {
        columns!(
            $of,
            "",
            zero!("ymm0" "ymm1" "ymm2" "ymm3" "ymm4" "ymm5"),
            [
                concat!(entry!("ymm0", "ymm1", "rax"), $fetch),
                concat!(entry!("ymm2", "ymm3", "rax"), $fetch),
                concat!(entry!("ymm4", "ymm5", "rax"), $fetch)
            ],
            zero!("ymm12" "ymm13"),
            [
                product!("ymm12" "ymm13", "ymm0" "ymm1"),
                product!("ymm12" "ymm13", "ymm2" "ymm3"),
                product!("ymm12" "ymm13", "ymm4" "ymm5")
            ],
            store!("{products}", "ymm12" "ymm13")
        )
    };
}

/// Where what the assembly reads and writes starts.
struct Pointers<'a> {
    columns: &'a Columns,
    key: *const Block,
    factors: *const Block,
    digits: *const Block,
    products: *mut Block,
}

/// [`super::Simd::multiply_columns`].
///
/// # Safety
/// The processor must have AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn multiply(columns: &Columns, chunk: ColumnsChunk<'_>) {
    let &Columns { rows, cols, chunks, .. } = columns;
    let pairs = rows != 3;
    assert!(chunk.fits(columns), "a chunk that does not fit its matrices");
    let ColumnsChunk { key, factors, digits, products, t, fetch } = chunk;
    for col in (0..cols).step_by(2) {
        // SAFETY: the caller's processor has AVX2 and FMA. The matrices are in `key`, a factor of each in `factors`, and
        // block t of each polynomial in `digits` and `products`. Nothing but `products` is written, and what is fetched need
        // not exist.
        unsafe {
            let of = Pointers {
                columns,
                key: key.as_ptr().add(col),
                factors: factors.as_ptr(),
                digits: digits.as_ptr().add(t),
                products: products.as_mut_ptr().add(col * chunks + t),
            };
            match (pairs, cols - col, fetch) {
                (true, _, false) => two_rows!(of, ""),
                (true, _, true) => two_rows!(of, "prefetcht0 [rax + {ahead}]\nprefetcht0 [rax + {ahead} + 128]\n"),
                (false, 1, false) => three_rows_of_one!(of, ""),
                (false, 1, true) => three_rows_of_one!(of, "prefetcht0 [rax + {ahead}]\n"),
                (false, _, false) => three_rows!(of, ""),
                (false, _, true) => three_rows!(of, "prefetcht0 [rax + {ahead}]\nprefetcht0 [rax + {ahead} + 128]\n"),
            }
        }
    }
}
