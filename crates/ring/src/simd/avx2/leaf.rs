//! The leaves of the transforms in assembly: with sixteen registers, the compiler's code takes half as long again.
//!
//! They compute what the leaves of `fft::transform` do, with the same roundings. `tools/leaf.py` writes the listings,
//! and finds the order by measurement. The second half of a leaf and the first half of the next one are done at a time:
//! neither waits for the other.

use std::arch::asm;
use std::mem::MaybeUninit;

use crate::simd::Block;

#[repr(align(64))]
struct Aligned<T>(T);

/// What the listings find at `rcx`.
static CONSTANTS: Aligned<[[f64; 4]; 2]> = Aligned([[2.0; 4], [std::f64::consts::FRAC_1_SQRT_2; 4]]);

/// What the listings find at `r9`: two squares, and room for 32 vectors that no register can hold.
type Scratch = Aligned<[[Block; 8]; 3]>;

macro_rules! leaves {
    ($listing:literal, $leaves:ident, $rows:ident, $lanes:ident) => {{
        assert!($rows.len() >= $leaves.len() && $lanes.len() >= $leaves.len(), "a leaf without twiddle factors");
        if $leaves.is_empty() {
            return;
        }
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        // SAFETY: the listing reads the tables and writes the leaves, of which there is at least one, inside their
        // slices; of the scratch it reads what it wrote there; the caller has AVX2 and FMA.
        unsafe { asm!(
            include_str!($listing),
            inout("rdi") $leaves.as_mut_ptr() => _,
            inout("rsi") $rows.as_ptr() => _,
            inout("rdx") $lanes.as_ptr() => _,
            inout("r8") $leaves.len() => _,
            in("rcx") &raw const CONSTANTS,
            inout("r9") scratch.as_mut_ptr() => _,
            out("r10") _, out("r11") _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _, out("ymm14") _,
            out("ymm15") _,
            options(nostack, raw)
        ) }
    }};
}

/// # Safety
/// The processor must have AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn forward(leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    leaves!("forward_leaf.s", leaves, rows, lanes);
}

/// # Safety
/// The processor must have AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn backward(leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) {
    leaves!("backward_leaf.s", leaves, rows, lanes);
}
