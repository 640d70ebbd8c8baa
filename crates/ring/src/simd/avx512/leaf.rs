//! The leaves of the transforms in assembly: in the compiler's order of instructions they take a tenth longer.
//!
//! They compute what the leaves of `fft::transform` do, with the same roundings. `tools/leaf.py` writes the listings, and finds the
//! order by measurement.

use std::arch::asm;

use crate::simd::Block;

/// What the listings find at `rcx`.
static CONSTANTS: [f64; 2] = [2.0, std::f64::consts::FRAC_1_SQRT_2];

macro_rules! leaves {
    ($listing:literal, $leaves:ident, $rows:ident, $lanes:ident) => {{
        assert!($rows.len() >= $leaves.len() && $lanes.len() >= $leaves.len(), "a leaf without twiddle factors");
        if $leaves.is_empty() {
            return;
        }
        // SAFETY: the listing reads the tables and writes the leaves, of which there is at least one, inside their slices; the
        // caller has AVX-512.
        unsafe { asm!(
            include_str!($listing),
            inout("rdi") $leaves.as_mut_ptr() => _,
            inout("rsi") $rows.as_ptr() => _,
            inout("rdx") $lanes.as_ptr() => _,
            inout("r8") $leaves.len() => _,
            in("rcx") CONSTANTS.as_ptr(),
            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
            out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _, out("zmm12") _, out("zmm13") _, out("zmm14") _,
            out("zmm15") _, out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _, out("zmm20") _, out("zmm21") _,
            out("zmm22") _, out("zmm23") _, out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _, out("zmm28") _,
            out("zmm29") _, out("zmm30") _, out("zmm31") _,
            options(nostack, raw)
        ) }
    }};
}

/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
pub(super) unsafe fn forward(leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    leaves!("forward_leaf.s", leaves, rows, lanes);
}

/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
pub(super) unsafe fn backward(leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    leaves!("backward_leaf.s", leaves, rows, lanes);
}
