//! AVX-512 IFMA: eight words in a register, products of 52 bits.

use std::arch::x86_64::*;

use super::avx512::Avx512;
use super::{LANES, WordKernel, Words};

/// Proof that the processor has AVX-512 F, DQ, BW, VL, IFMA, AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Ifma(Avx512);

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx2,fma")]
pub(super) fn run<K: WordKernel>(kernel: K) {
    kernel.run(Ifma(Avx512::new()));
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
