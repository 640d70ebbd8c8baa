//! AVX2 and FMA: a register holds four lanes.

/// Adds the product of the factor in `ymm12` and `ymm13` and the entry at an address to a sum.
macro_rules! entry {
    ($re:literal, $im:literal, $at:expr) => {
        concat!(
            "vmovupd ymm14, [",
            $at,
            "]\n",
            "vmovupd ymm15, [",
            $at,
            " + 64]\n",
            "vfmadd231pd ",
            $re,
            ", ymm12, ymm14\n",
            "vfmadd231pd ",
            $im,
            ", ymm12, ymm15\n",
            "vfnmadd231pd ",
            $re,
            ", ymm13, ymm15\n",
            "vfmadd231pd ",
            $im,
            ", ymm13, ymm14\n",
        )
    };
}

/// Makes zeros.
macro_rules! zero {
    ($($sum:literal)*) => { concat!($("vxorpd ", $sum, ", ", $sum, ", ", $sum, "\n"),*) };
}

/// Writes a sum.
macro_rules! store {
    ($at:expr, $re:literal $im:literal) => {
        concat!("vmovupd [", $at, "], ", $re, "\nvmovupd [", $at, " + 64], ", $im, "\n")
    };
}

mod columns;
mod extended;
mod leaf;

use std::arch::asm;
use std::arch::x86_64::*;

use super::{
    Block, Columns, ColumnsChunk, Extended, ExtendedChunk, GadgetDigit, Kernel, LANES, Packing, SIGNED_MAGIC, Simd,
    TWO_52, TWO_64,
};

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[target_feature(enable = "avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

type V = __m256d;
const WIDTH: usize = 4;

/// Where a part starts.
#[inline(always)]
fn at<T>(all: &[T; LANES], part: usize) -> *const T {
    all[part * WIDTH..][..WIDTH].as_ptr()
}

/// Where a part starts.
#[inline(always)]
fn at_mut<T>(all: &mut [T; LANES], part: usize) -> *mut T {
    all[part * WIDTH..][..WIDTH].as_mut_ptr()
}

#[inline(always)]
unsafe fn transpose4(r: [V; WIDTH]) -> [V; WIDTH] {
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

/// 2^32.
const TWO_32: f64 = 4_294_967_296.0;
/// The upper bits of [`SIGNED_MAGIC`], and a magic number from which a shift by 32 places makes minus these bits.
const MAGIC_BITS: u64 = 0x4338;
const HIGH_MAGIC: f64 = SIGNED_MAGIC - (MAGIC_BITS << 16) as f64;

/// The nearest integer to x·`scale`, |x·`scale`| ≤ 2^63, modulo 2^64, to nearest even; `scale` is a power of two.
///
/// First a multiple h of 2^32, then the rest: the origin of the rest less h is exact, and so the last sum rounds once.
#[inline(always)]
unsafe fn nearest(x: V, scale: f64) -> __m256i {
    // SAFETY: the caller's processor has AVX2 and FMA.
    unsafe {
        let high = _mm256_fmadd_pd(x, _mm256_set1_pd(scale / TWO_32), _mm256_set1_pd(HIGH_MAGIC));
        let origin = _mm256_set1_pd(HIGH_MAGIC * TWO_32 + SIGNED_MAGIC);
        let low = _mm256_fmadd_pd(x, _mm256_set1_pd(scale), _mm256_fnmadd_pd(high, _mm256_set1_pd(TWO_32), origin));
        _mm256_add_epi64(_mm256_slli_epi64::<32>(_mm256_castpd_si256(high)), _mm256_castpd_si256(low))
    }
}

/// v minus the nearest integer.
#[inline(always)]
unsafe fn fraction(v: V) -> V {
    // SAFETY: the caller's processor has AVX2.
    unsafe { _mm256_sub_pd(v, _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(v)) }
}

/// (x & `mask`) − `minus`, for an integer below 2^52; `bias` is 2^52 + `minus`.
#[inline(always)]
unsafe fn masked(x: __m256i, mask: u64, bias: f64) -> V {
    // SAFETY: the caller's processor has AVX2.
    unsafe {
        let x = _mm256_and_si256(x, _mm256_set1_epi64x(mask as i64));
        let x = _mm256_or_si256(x, _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
        _mm256_sub_pd(_mm256_castsi256_pd(x), _mm256_set1_pd(bias))
    }
}

/// Minus the carry of a sum, of which `term` is one term: whether `sum` < `term` as unsigned numbers.
#[inline(always)]
unsafe fn minus_carry(sum: __m256i, term: __m256i) -> __m256i {
    // SAFETY: the caller's processor has AVX2.
    unsafe {
        let sign = _mm256_set1_epi64x(i64::MIN);
        _mm256_cmpgt_epi64(_mm256_xor_si256(term, sign), _mm256_xor_si256(sum, sign))
    }
}

/// The low and the high halves of four wide words.
#[inline(always)]
unsafe fn wide_halves(words: *const u128) -> [__m256i; 2] {
    // SAFETY: the caller's processor has AVX2, and four words are readable.
    unsafe {
        let even = _mm256_loadu2_m128i(words.add(2).cast(), words.cast());
        let odd = _mm256_loadu2_m128i(words.add(3).cast(), words.add(1).cast());
        [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
    }
}

/// (x & kept\[0\]) | kept\[1\].
#[inline(always)]
unsafe fn load_kept(words: *const u64, [mask, middle]: [__m256i; 2]) -> __m256i {
    // SAFETY: the caller's processor has AVX2, and four words are readable.
    unsafe { _mm256_or_si256(_mm256_and_si256(_mm256_loadu_si256(words.cast()), mask), middle) }
}

macro_rules! lanewise {
    ($($name:ident($($arg:ident),+) = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: V),+) -> V {
            // SAFETY: `self` proves AVX2 and FMA.
            unsafe { $intrinsic($($arg),+) }
        }
    )*};
}

impl Simd for Avx2 {
    type V = V;
    const PARTS: usize = LANES / WIDTH;
    const REGISTERS: usize = 16;
    const BROADCASTS: bool = false;

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
        unsafe { _mm256_set1_pd(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES], part: usize) -> V {
        // SAFETY: `self` proves AVX2; the part is readable.
        unsafe { _mm256_loadu_pd(at(from, part)) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], part: usize, v: V) {
        // SAFETY: `self` proves AVX2; the part is writable.
        unsafe { _mm256_storeu_pd(at_mut(to, part), v) }
    }

    #[inline(always)]
    fn transpose<const T: usize>(self, rows: [[V; T]; LANES]) -> [[V; T]; LANES] {
        let mut columns = rows;
        for t in 0..T {
            for part in 0..Self::PARTS {
                let r = part * WIDTH;
                // SAFETY: `self` proves AVX2.
                let square = unsafe { transpose4([rows[r][t], rows[r + 1][t], rows[r + 2][t], rows[r + 3][t]]) };
                for i in 0..WIDTH {
                    columns[i * Self::PARTS + part][t] = square[i];
                }
            }
        }
        columns
    }

    #[inline(always)]
    fn park(self, mut values: [V; 8]) -> [V; 8] {
        // SAFETY: no instruction. The values count as changed, so what follows reads them again.
        unsafe { asm!("/* {0} */", in(reg) values.as_mut_ptr(), options(nostack, preserves_flags)) }
        values
    }

    #[inline(always)]
    fn constant(self, x: f64) -> V {
        let mut v = self.splat(x);
        // SAFETY: no instruction. The vector counts as changed, so that it is none that could be broadcast.
        unsafe { asm!("/* {0} */", in(reg) &raw mut v, options(nostack, preserves_flags)) }
        v
    }

    #[inline(always)]
    fn forward_leaves(self, leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) -> bool {
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { leaf::forward(leaves, rows, lanes) };
        true
    }

    #[inline(always)]
    fn backward_leaves(self, leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) -> bool {
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { leaf::backward(leaves, rows, lanes) };
        true
    }

    const MULTIPLIES: bool = true;

    #[inline(always)]
    fn multiply_columns(self, columns: &Columns, chunk: ColumnsChunk<'_>) {
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { columns::multiply(columns, chunk) }
    }

    #[inline(always)]
    fn multiply_extended(self, extended: &Extended, chunk: ExtendedChunk<'_>) {
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { extended::multiply(extended, chunk) }
    }

    #[inline(always)]
    fn swap_pairs(self, v: V) -> V {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_permute_pd::<0b0101>(v) }
    }

    #[inline(always)]
    fn load_small(self, from: &[i64; LANES], part: usize) -> V {
        // SAFETY: `self` proves AVX2; the part is readable.
        unsafe {
            let magic = _mm256_set1_pd(SIGNED_MAGIC);
            let x = _mm256_add_epi64(_mm256_loadu_si256(at(from, part).cast()), _mm256_castpd_si256(magic));
            _mm256_sub_pd(_mm256_castsi256_pd(x), magic)
        }
    }

    #[inline(always)]
    fn load_signed(self, from: &[u64; LANES], part: usize) -> V {
        // SAFETY: `self` proves AVX2; the part is readable.
        unsafe {
            let x = _mm256_loadu_si256(at(from, part).cast());
            // 2^52 + low word, and 2^84 + 2^63 + 2^32·(signed high word): both exact; their sum rounds once.
            let low = _mm256_blend_epi32::<0b1010_1010>(x, _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
            let big = _mm256_castpd_si256(_mm256_set1_pd(TWO_32 * TWO_52 + TWO_64 / 2.0));
            let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), big);
            let correction = _mm256_set1_pd(TWO_32 * TWO_52 + TWO_64 / 2.0 + TWO_52);
            let high = _mm256_sub_pd(_mm256_castsi256_pd(high), correction);
            _mm256_add_pd(high, _mm256_castsi256_pd(low))
        }
    }

    #[inline(always)]
    fn load_digits(self, from: &[u64; LANES], part: usize, digit: &GadgetDigit<u64>) -> V {
        // SAFETY: `self` proves AVX2; the part is readable.
        unsafe {
            let x = _mm256_loadu_si256(at(from, part).cast());
            let x = _mm256_add_epi64(x, _mm256_set1_epi64x(digit.offset as i64));
            masked(_mm256_srlv_epi64(x, _mm256_set1_epi64x(i64::from(digit.shift))), digit.mask, digit.bias)
        }
    }

    #[inline(always)]
    fn load_packed(self, words: &[[u64; LANES]; 2], part: usize, shift: u32, packing: &Packing) -> V {
        // SAFETY: `self` proves AVX2; the parts are readable.
        unsafe {
            let low = _mm256_loadu_si256(at(&words[0], part).cast());
            let high = _mm256_loadu_si256(at(&words[1], part).cast());
            // A shift by 64 leaves zeros.
            let low = _mm256_srlv_epi64(low, _mm256_set1_epi64x(i64::from(shift)));
            let high = _mm256_sllv_epi64(high, _mm256_set1_epi64x(i64::from(64 - shift)));
            masked(_mm256_or_si256(low, high), packing.mask, packing.bias)
        }
    }

    #[inline(always)]
    fn add_torus(self, to: &mut [u64; LANES], part: usize, v: V) {
        let to: *mut __m256i = at_mut(to, part).cast();
        // SAFETY: `self` proves AVX2 and FMA; the part is readable and writable.
        unsafe { _mm256_storeu_si256(to, _mm256_add_epi64(_mm256_loadu_si256(to), nearest(fraction(v), TWO_64))) }
    }

    #[inline(always)]
    fn load_wide_digits(self, from: &[u128; LANES], part: usize, digit: &GadgetDigit<u128>) -> V {
        // SAFETY: `self` proves AVX2; the part is readable.
        unsafe {
            let splat = |x: u64| _mm256_set1_epi64x(x as i64);
            let [low, high] = wide_halves(at(from, part));
            let (offset_low, offset_high) = (digit.offset as u64, (digit.offset >> 64) as u64);
            let high = _mm256_add_epi64(high, splat(offset_high));
            let shift = u64::from(digit.shift);
            let x = if shift >= 64 && offset_low == 0 {
                _mm256_srlv_epi64(high, splat(shift - 64))
            } else {
                let low = _mm256_add_epi64(low, splat(offset_low));
                let high = _mm256_sub_epi64(high, minus_carry(low, splat(offset_low)));
                // Shifts of 64 places or more, and by negative numbers, give zero.
                let below = _mm256_srlv_epi64(low, splat(shift));
                let across = _mm256_sllv_epi64(high, splat(64u64.wrapping_sub(shift)));
                let above = _mm256_srlv_epi64(high, splat(shift.wrapping_sub(64)));
                _mm256_or_si256(_mm256_or_si256(below, across), above)
            };
            masked(x, digit.mask, digit.bias)
        }
    }

    #[inline(always)]
    fn add_wide_torus(self, to: &mut [u128; LANES], part: usize, v: V, unit: u32) {
        let to = at_mut(to, part);
        // SAFETY: `self` proves AVX2 and FMA; the part is readable and writable.
        unsafe {
            let splat = |x: u32| _mm256_set1_epi64x(i64::from(x));
            let x = nearest(fraction(v), f64::from(128 - unit as i32).exp2());
            let [low, high] = wide_halves(to);
            let (low, high) = if unit >= 64 {
                (low, _mm256_add_epi64(high, _mm256_sllv_epi64(x, splat(unit - 64))))
            } else {
                let add = _mm256_sllv_epi64(x, splat(unit));
                let low = _mm256_add_epi64(low, add);
                // A shift by 64 places leaves the sign alone.
                let sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), x);
                let above = _mm256_srlv_epi64(x, splat(64 - unit));
                let high = _mm256_add_epi64(high, _mm256_or_si256(above, _mm256_sllv_epi64(sign, splat(unit))));
                (low, _mm256_sub_epi64(high, minus_carry(low, add)))
            };
            let (even, odd) = (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
            let to: *mut __m256i = to.cast();
            _mm256_storeu_si256(to, _mm256_permute2x128_si256::<0x20>(even, odd));
            _mm256_storeu_si256(to.add(1), _mm256_permute2x128_si256::<0x31>(even, odd));
        }
    }

    #[inline(always)]
    fn sub_product_with_ones(
        self,
        out: &mut [[u64; LANES]],
        from: Option<&[[u64; LANES]]>,
        x: &[[u64; LANES]],
        dropped: u32,
    ) -> bool {
        assert!(out.len() == x.len() && from.is_none_or(|from| from.len() == x.len()));
        // SAFETY: `self` proves AVX2; the parts are readable and writable.
        unsafe {
            let kept =
                [_mm256_set1_epi64x((u64::MAX << dropped) as i64), _mm256_set1_epi64x((1u64 << dropped >> 1) as i64)];
            let mut sums = [_mm256_setzero_si256(); 2];
            for x in x {
                for (part, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm256_add_epi64(*sum, load_kept(at(x, part), kept));
                }
            }
            let sum = _mm256_add_epi64(sums[0], sums[1]);
            let sum = _mm256_add_epi64(sum, _mm256_permute4x64_epi64::<0b01_00_11_10>(sum));
            let mut difference = _mm256_add_epi64(sum, _mm256_shuffle_epi32::<0b01_00_11_10>(sum));
            for i in 0..x.len() {
                let old = match from {
                    Some(from) => &from[i],
                    None => &out[i],
                };
                let old = [_mm256_loadu_si256(at(old, 0).cast()), _mm256_loadu_si256(at(old, 1).cast())];
                for (part, old) in old.into_iter().enumerate() {
                    let x = load_kept(at(&x[i], part), kept);
                    let pairs = _mm256_add_epi64(x, _mm256_slli_si256::<8>(x));
                    // What the lower half sums to, for the upper.
                    let lower = _mm256_permute2x128_si256::<0x08>(pairs, pairs);
                    let prefix = _mm256_add_epi64(pairs, _mm256_unpackhi_epi64(lower, lower));
                    let twice = _mm256_add_epi64(prefix, prefix);
                    let new = _mm256_add_epi64(old, _mm256_sub_epi64(difference, twice));
                    _mm256_storeu_si256(at_mut(&mut out[i], part).cast(), new);
                    difference = _mm256_sub_epi64(difference, _mm256_permute4x64_epi64::<0xff>(twice));
                }
            }
        }
        true
    }
}
