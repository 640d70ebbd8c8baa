//! AVX-512 IFMA: eight words in a register, products of 52 bits.

use std::arch::asm;
use std::arch::x86_64::*;

use super::avx512::Avx512;
use super::{LANES, WordKernel, Words};

/// Proof that the processor has AVX-512 F, DQ, BW, VL, IFMA, AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Ifma(Avx512);

/// MXCSR as programs start with it, but for the flags of exceptions: they are masked, and subnormal numbers are no
/// zeros, which [`Words::min`] relies on. Libraries compiled for fast floating point may have changed that.
const CONTROL: u32 = 0x1f80;
const FLAGS: u32 = 0x3f;

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx2,fma")]
pub(super) fn run<K: WordKernel>(kernel: K) {
    let found = control();
    if found & !FLAGS != CONTROL {
        set_control(CONTROL);
    }
    kernel.run(Ifma(Avx512::new()));
    if found & !FLAGS != CONTROL {
        set_control(found);
    }
}

fn control() -> u32 {
    let mut control = 0u32;
    // SAFETY: writes the four bytes it is given.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut control, options(nostack, preserves_flags)) };
    control
}

/// To what was found, or to what it was at the start.
fn set_control(control: u32) {
    // SAFETY: reads the four bytes it is given, a value that MXCSR had.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const control, options(nostack, preserves_flags)) };
}

type W = __m512i;

impl Words for Ifma {
    type Float = Avx512;
    type W = W;

    #[inline(always)]
    fn float(self) -> Avx512 {
        self.0
    }

    #[inline(always)]
    fn of_bits(self, bits: __m512d) -> W {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_castpd_si512(bits) }
    }

    #[inline(always)]
    fn to_bits(self, words: W) -> __m512d {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_castsi512_pd(words) }
    }

    #[inline(always)]
    fn to_integers(self, x: W) -> __m512d {
        // SAFETY: `self` proves AVX-512 DQ.
        unsafe { _mm512_cvtepi64_pd(x) }
    }

    #[inline(always)]
    fn splat(self, x: u64) -> W {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_set1_epi64(x as i64) }
    }

    #[inline(always)]
    fn load(self, from: &[u64; LANES]) -> W {
        // SAFETY: `self` proves AVX-512; the eight words are readable and need no alignment.
        unsafe { _mm512_loadu_epi64(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u64; LANES], words: W) {
        // SAFETY: `self` proves AVX-512; the eight words are writable and need no alignment.
        unsafe { _mm512_storeu_epi64(to.as_mut_ptr().cast(), words) }
    }

    #[inline(always)]
    fn add(self, a: W, b: W) -> W {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: W, b: W) -> W {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: W, b: W) -> W {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn min(self, a: W, b: W) -> W {
        // On Zen 4 the minimum of `f64` runs beside multiplications, that of words instead of them. The bits of
        // positive `f64` have the order of words; those of a negative word are not a number, for which the second
        // operand is taken.
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_castpd_si512(_mm512_min_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b))) }
    }

    #[inline(always)]
    fn add_low(self, c: W, a: W, b: W) -> W {
        // SAFETY: `self` proves AVX-512 IFMA.
        unsafe { _mm512_madd52lo_epu64(c, a, b) }
    }

    #[inline(always)]
    fn add_high(self, c: W, a: W, b: W) -> W {
        // SAFETY: `self` proves AVX-512 IFMA.
        unsafe { _mm512_madd52hi_epu64(c, a, b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::has_words;

    struct Minima<'a>(&'a [[u64; LANES]; 2], &'a mut [u64; LANES]);

    impl WordKernel for Minima<'_> {
        #[inline(always)]
        fn run<S: Words>(self, s: S) {
            s.store(self.1, s.min(s.load(&self.0[0]), s.load(&self.0[1])));
        }
    }

    #[test]
    fn minima_are_those_of_words() {
        if !has_words() {
            return;
        }
        let top = (1u64 << 52) - 1;
        let a = [0, 1, top, top.wrapping_neg(), u64::MAX, (1u64 << 51).wrapping_neg(), 1 << 51, 5];
        for shift in 0..LANES {
            let b = std::array::from_fn(|i| [0, 1, top, top - 1, 1 << 51, 4, 5, 6][(i + shift) % LANES]);
            let expected: [u64; LANES] = std::array::from_fn(|i| a[i].min(b[i]));
            // With subnormal numbers taken for zeros, the threads' own settings come back.
            for settings in [CONTROL, CONTROL | 1 << 6 | 1 << 15] {
                let (before, mut found) = (control(), [0; LANES]);
                set_control(settings);
                // SAFETY: the processor has what `run` needs, by `has_words`.
                unsafe { run(Minima(&[a, b], &mut found)) };
                let after = control() & !FLAGS;
                set_control(before);
                assert_eq!((found, after), (expected, settings), "shift {shift}");
            }
        }
    }
}
