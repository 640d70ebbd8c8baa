//! Sums of products in assembly: beside twelve sums sixteen registers hold one factor and one entry, but the compiler
//! reads more entries ahead, and keeps sums in memory instead.

use std::arch::asm;
use std::arch::x86_64::*;

use crate::simd::{Block, Products};

/// Adds all factors times tiles of these entries to the sums in these registers. A tile starts at `rax`, and `r8` is
/// the distance of rows.
macro_rules! add_products {
    ($of:expr, [$($entry:expr),+], [$($register:tt $sum:expr),+]) => {{
        let (starts, factors, count, matrices, stride) = $of;
        asm!(
            "2:",
            "mov rax, [rdi]",
            "shl rax, 7",
            "add rax, rcx",
            "vmovupd ymm12, [rsi]",
            "vmovupd ymm13, [rsi + 64]",
            $($entry,)+
            "add rdi, 8",
            "add rsi, 128",
            "dec rdx",
            "jnz 2b",
            inout("rdi") starts => _, inout("rsi") factors => _, inout("rdx") count => _,
            in("rcx") matrices, in("r8") stride,
            out("rax") _,
            $(inout($register) $sum,)+
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack, readonly)
        )
    }};
}

/// [`super::Simd::sum_products`] for tiles of 3×2, 2×2, 3×1 and 2×1 entries.
///
/// # Safety
/// The processor must have AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn sum<const R: usize, const C: usize>(
    products: &Products<'_>,
    tile: [usize; 2],
    part: usize,
) -> Option<[[[__m256d; 2]; C]; R]> {
    let first = products.first::<R, C>(tile);
    let &Products { factors, matrices, starts, cols, .. } = products;
    assert!(part < 2, "a part beyond the last");
    // SAFETY: the caller's processor has AVX2 and FMA. All that is read is in the slices, as `Products` says, half
    // a row of eight from `part` on; a loop runs for one factor at least.
    unsafe {
        let mut sums = [[[_mm256_setzero_pd(); 2]; C]; R];
        if factors.is_empty() {
            return Some(sums);
        }
        let half = |block: *const Block| block.cast::<f64>().add(4 * part);
        let of = (
            starts.as_ptr(),
            half(factors.as_ptr()),
            factors.len(),
            half(matrices.as_ptr().add(first)),
            cols * size_of::<Block>(),
        );
        match sums.as_flattened_mut().as_flattened_mut() {
            [a, b, c, d, e, f, g, h, i, j, k, l] if R == 3 && C == 2 => add_products!(
                of,
                [
                    entry!("ymm0", "ymm1", "rax"),
                    entry!("ymm2", "ymm3", "rax + 128"),
                    entry!("ymm4", "ymm5", "rax + r8"),
                    entry!("ymm6", "ymm7", "rax + r8 + 128"),
                    entry!("ymm8", "ymm9", "rax + 2*r8"),
                    entry!("ymm10", "ymm11", "rax + 2*r8 + 128")
                ],
                [
                    "ymm0" * a,
                    "ymm1" * b,
                    "ymm2" * c,
                    "ymm3" * d,
                    "ymm4" * e,
                    "ymm5" * f,
                    "ymm6" * g,
                    "ymm7" * h,
                    "ymm8" * i,
                    "ymm9" * j,
                    "ymm10" * k,
                    "ymm11" * l
                ]
            ),
            [a, b, c, d, e, f, g, h] if R == 2 && C == 2 => add_products!(
                of,
                [
                    entry!("ymm0", "ymm1", "rax"),
                    entry!("ymm2", "ymm3", "rax + 128"),
                    entry!("ymm4", "ymm5", "rax + r8"),
                    entry!("ymm6", "ymm7", "rax + r8 + 128")
                ],
                ["ymm0" * a, "ymm1" * b, "ymm2" * c, "ymm3" * d, "ymm4" * e, "ymm5" * f, "ymm6" * g, "ymm7" * h]
            ),
            [a, b, c, d, e, f] if R == 3 && C == 1 => add_products!(
                of,
                [
                    entry!("ymm0", "ymm1", "rax"),
                    entry!("ymm2", "ymm3", "rax + r8"),
                    entry!("ymm4", "ymm5", "rax + 2*r8")
                ],
                ["ymm0" * a, "ymm1" * b, "ymm2" * c, "ymm3" * d, "ymm4" * e, "ymm5" * f]
            ),
            [a, b, c, d] if R == 2 && C == 1 => add_products!(
                of,
                [entry!("ymm0", "ymm1", "rax"), entry!("ymm2", "ymm3", "rax + r8")],
                ["ymm0" * a, "ymm1" * b, "ymm2" * c, "ymm3" * d]
            ),
            _ => return None,
        }
        Some(sums)
    }
}
