//! AVX2 and FMA: a pair of registers holds the eight lanes.

use std::arch::x86_64::*;

use super::{GadgetDigit, Kernel, LANES, Packing, SIGNED_MAGIC, Simd, TWO_52, TWO_64};

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[target_feature(enable = "avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

type V = [__m256d; 2];

/// The two halves of an array.
#[inline(always)]
fn halves<T>(all: &[T; LANES]) -> [*const T; 2] {
    [all[..4].as_ptr(), all[4..].as_ptr()]
}

/// The two halves of an array.
#[inline(always)]
fn halves_mut<T>(all: &mut [T; LANES]) -> [*mut T; 2] {
    let (low, high) = all.split_at_mut(4);
    [low.as_mut_ptr(), high.as_mut_ptr()]
}

#[inline(always)]
unsafe fn transpose4(r: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the caller's processor has AVX2.
    unsafe {
        let a = _mm256_unpacklo_pd(r[0], r[1]);
        let b = _mm256_unpackhi_pd(r[0], r[1]);
        let c = _mm256_unpacklo_pd(r[2], r[3]);
        let d = _mm256_unpackhi_pd(r[2], r[3]);
        [
            _mm256_permute2f128_pd::<0x20>(a, c),
            _mm256_permute2f128_pd::<0x20>(b, d),
            _mm256_permute2f128_pd::<0x31>(a, c),
            _mm256_permute2f128_pd::<0x31>(b, d),
        ]
    }
}

/// round(2^64·v) modulo 2^64: first a multiple of 2^32, then, exactly, the rest.
#[inline(always)]
unsafe fn torus_word(v: __m256d) -> __m256i {
    // SAFETY: the caller's processor has AVX2 and FMA.
    unsafe {
        let magic = _mm256_set1_pd(SIGNED_MAGIC);
        let nearest = _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(v);
        let fraction = _mm256_sub_pd(v, nearest);
        let high = _mm256_fmadd_pd(fraction, _mm256_set1_pd(4_294_967_296.0), magic);
        let low = _mm256_mul_pd(_mm256_sub_pd(high, magic), _mm256_set1_pd(4_294_967_296.0));
        let low = _mm256_fmsub_pd(fraction, _mm256_set1_pd(TWO_64), low);
        let low = _mm256_add_pd(low, magic);
        // The magic's own bits vanish from `high` when shifted and are subtracted from `low`.
        let high = _mm256_slli_epi64::<32>(_mm256_castpd_si256(high));
        let low = _mm256_sub_epi64(_mm256_castpd_si256(low), _mm256_castpd_si256(magic));
        _mm256_add_epi64(high, low)
    }
}

macro_rules! lanewise {
    ($($name:ident($($arg:ident),+) = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: V),+) -> V {
            // SAFETY: `self` proves AVX2 and FMA.
            unsafe { [$intrinsic($($arg[0]),+), $intrinsic($($arg[1]),+)] }
        }
    )*};
}

impl Simd for Avx2 {
    type V = V;
    const EVEX: bool = false;

    lanewise! {
        add(a, b) = _mm256_add_pd;
        sub(a, b) = _mm256_sub_pd;
        mul(a, b) = _mm256_mul_pd;
        mul_add(a, b, c) = _mm256_fmadd_pd;
        mul_sub(a, b, c) = _mm256_fmsub_pd;
        neg_mul_add(a, b, c) = _mm256_fnmadd_pd;
    }

    #[inline(always)]
    fn prefetch(self, line: *const f64) {
        // SAFETY: fetching ahead is harmless at any address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.cast()) }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: `self` proves AVX2.
        unsafe { [_mm256_set1_pd(x); 2] }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> V {
        let [low, high] = halves(from);
        // SAFETY: `self` proves AVX2; both halves are readable.
        unsafe { [_mm256_loadu_pd(low), _mm256_loadu_pd(high)] }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], v: V) {
        let [low, high] = halves_mut(to);
        // SAFETY: `self` proves AVX2; both halves are writable.
        unsafe {
            _mm256_storeu_pd(low, v[0]);
            _mm256_storeu_pd(high, v[1]);
        }
    }

    #[inline(always)]
    fn transpose<const T: usize>(self, rows: [[V; T]; LANES]) -> [[V; T]; LANES] {
        let mut columns = rows;
        for t in 0..T {
            let mut r = [rows[0][t]; LANES];
            for i in 1..LANES {
                r[i] = rows[i][t];
            }
            for (from, to) in [(0, 0), (0, 4), (4, 0), (4, 4)] {
                // SAFETY: `self` proves AVX2.
                let block = unsafe {
                    let half = to / 4;
                    transpose4([r[from][half], r[from + 1][half], r[from + 2][half], r[from + 3][half]])
                };
                for i in 0..4 {
                    columns[to + i][t][from / 4] = block[i];
                }
            }
        }
        columns
    }

    #[inline(always)]
    fn swap_pairs(self, v: V) -> V {
        // SAFETY: `self` proves AVX2.
        unsafe { [_mm256_permute_pd::<0b0101>(v[0]), _mm256_permute_pd::<0b0101>(v[1])] }
    }

    #[inline(always)]
    fn load_small(self, from: &[i64; LANES]) -> V {
        let [low, high] = halves(from);
        // SAFETY: `self` proves AVX2; both halves are readable.
        unsafe {
            let magic = _mm256_set1_pd(SIGNED_MAGIC);
            let low = _mm256_add_epi64(_mm256_loadu_si256(low.cast()), _mm256_castpd_si256(magic));
            let high = _mm256_add_epi64(_mm256_loadu_si256(high.cast()), _mm256_castpd_si256(magic));
            [_mm256_sub_pd(_mm256_castsi256_pd(low), magic), _mm256_sub_pd(_mm256_castsi256_pd(high), magic)]
        }
    }

    #[inline(always)]
    fn load_signed(self, from: &[u64; LANES]) -> V {
        let convert = halves(from);
        let mut v = self.splat(0.0);
        for i in 0..2 {
            // SAFETY: `self` proves AVX2; both halves are readable.
            unsafe {
                let x = _mm256_loadu_si256(convert[i].cast());
                // 2^52 + low word, and 3·2^83 + 2^32·(signed high word): both exact; their sum rounds once.
                let two_52 = _mm256_castpd_si256(_mm256_set1_pd(TWO_52));
                let low = _mm256_blend_epi32::<0b1010_1010>(x, two_52);
                let big = _mm256_set1_pd(SIGNED_MAGIC * 4_294_967_296.0);
                let sign = _mm256_set1_epi64x(1 << 31);
                let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), sign);
                let high = _mm256_add_epi64(high, _mm256_castpd_si256(big));
                let high = _mm256_sub_epi64(high, sign);
                let correction = _mm256_set1_pd(SIGNED_MAGIC * 4_294_967_296.0 + TWO_52);
                let high = _mm256_sub_pd(_mm256_castsi256_pd(high), correction);
                v[i] = _mm256_add_pd(high, _mm256_castsi256_pd(low));
            }
        }
        v
    }

    #[inline(always)]
    fn load_digits(self, from: &[u64; LANES], digit: &GadgetDigit<u64>) -> V {
        let from = halves(from);
        let mut v = self.splat(0.0);
        for i in 0..2 {
            // SAFETY: `self` proves AVX2; both halves are readable.
            unsafe {
                let x = _mm256_loadu_si256(from[i].cast());
                let x = _mm256_add_epi64(x, _mm256_set1_epi64x(digit.offset as i64));
                let x = _mm256_srlv_epi64(x, _mm256_set1_epi64x(i64::from(digit.shift)));
                let x = _mm256_and_si256(x, _mm256_set1_epi64x(digit.mask as i64));
                let x = _mm256_or_si256(x, _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
                v[i] = _mm256_sub_pd(_mm256_castsi256_pd(x), _mm256_set1_pd(digit.bias));
            }
        }
        v
    }

    #[inline(always)]
    fn load_packed(self, words: &[[u64; LANES]; 2], shift: u32, packing: &Packing) -> V {
        let words = words.each_ref().map(halves);
        let mut v = self.splat(0.0);
        for i in 0..2 {
            // SAFETY: `self` proves AVX2; both halves of both vectors are readable.
            unsafe {
                let [low, high] = words.map(|words| _mm256_loadu_si256(words[i].cast()));
                // A shift by 64 leaves zeros.
                let low = _mm256_srlv_epi64(low, _mm256_set1_epi64x(i64::from(shift)));
                let high = _mm256_sllv_epi64(high, _mm256_set1_epi64x(i64::from(64 - shift)));
                let x = _mm256_and_si256(_mm256_or_si256(low, high), _mm256_set1_epi64x(packing.mask as i64));
                let x = _mm256_or_si256(x, _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
                v[i] = _mm256_sub_pd(_mm256_castsi256_pd(x), _mm256_set1_pd(packing.bias));
            }
        }
        v
    }

    #[inline(always)]
    fn add_torus(self, to: &mut [u64; LANES], v: V) {
        let to = halves_mut(to);
        for i in 0..2 {
            // SAFETY: `self` proves AVX2 and FMA; both halves are readable and writable.
            unsafe {
                let sum = _mm256_add_epi64(_mm256_loadu_si256(to[i].cast()), torus_word(v[i]));
                _mm256_storeu_si256(to[i].cast(), sum);
            }
        }
    }
}
