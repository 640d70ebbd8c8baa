//! AVX-512: one register holds the eight lanes.

mod leaf;

use std::arch::x86_64::*;

use super::{Block, GadgetDigit, Kernel, LANES, Packing, SIGNED_MAGIC, Shuffle, Simd, TWO_52, TWO_64};

/// Proof that the processor has AVX-512 F, DQ, BW, VL, AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    pub(super) fn new() -> Self {
        Self(())
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512::new())
}

type V = __m512d;

// SAFETY, for all methods: `self` proves that the processor has the instructions; loads and stores touch exactly the
// referenced array and need no alignment.
impl Simd for Avx512 {
    type V = V;
    const PARTS: usize = 1;
    const REGISTERS: usize = 32;
    const BROADCASTS: bool = true;

    #[inline(always)]
    fn prefetch(self, line: *const f64) {
        // SAFETY: fetching ahead is harmless at any address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.cast()) }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_set1_pd(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES], _: usize) -> V {
        // SAFETY: `self` proves AVX-512; the eight numbers are readable.
        unsafe { _mm512_loadu_pd(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], _: usize, v: V) {
        // SAFETY: `self` proves AVX-512; the eight numbers are writable.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_add_pd(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_sub_pd(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_mul_pd(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_fmadd_pd(a, b, c) }
    }

    #[inline(always)]
    fn mul_sub(self, a: V, b: V, c: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_fmsub_pd(a, b, c) }
    }

    #[inline(always)]
    fn neg_mul_add(self, a: V, b: V, c: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_fnmadd_pd(a, b, c) }
    }

    #[inline(always)]
    fn transpose<const T: usize>(self, r: [[V; T]; LANES]) -> [[V; T]; LANES] {
        macro_rules! each {
            ($shuffle:expr, $a:expr, $b:expr) => {{
                let (mut a, b) = ($a, $b);
                for t in 0..T {
                    a[t] = $shuffle(a[t], b[t]);
                }
                a
            }};
        }
        /// Transposes the 4×4 matrix of 128-bit lanes.
        macro_rules! lanes {
            ($a:expr, $b:expr, $c:expr, $d:expr) => {{
                let (a, b, c, d) = ($a, $b, $c, $d);
                let even = [each!(_mm512_shuffle_f64x2::<0x88>, a, b), each!(_mm512_shuffle_f64x2::<0x88>, c, d)];
                let odd = [each!(_mm512_shuffle_f64x2::<0xdd>, a, b), each!(_mm512_shuffle_f64x2::<0xdd>, c, d)];
                [
                    each!(_mm512_shuffle_f64x2::<0x88>, even[0], even[1]),
                    each!(_mm512_shuffle_f64x2::<0x88>, odd[0], odd[1]),
                    each!(_mm512_shuffle_f64x2::<0xdd>, even[0], even[1]),
                    each!(_mm512_shuffle_f64x2::<0xdd>, odd[0], odd[1]),
                ]
            }};
        }
        // SAFETY: `self` proves AVX-512.
        unsafe {
            let even = lanes!(
                each!(_mm512_unpacklo_pd, r[0], r[1]),
                each!(_mm512_unpacklo_pd, r[2], r[3]),
                each!(_mm512_unpacklo_pd, r[4], r[5]),
                each!(_mm512_unpacklo_pd, r[6], r[7])
            );
            let odd = lanes!(
                each!(_mm512_unpackhi_pd, r[0], r[1]),
                each!(_mm512_unpackhi_pd, r[2], r[3]),
                each!(_mm512_unpackhi_pd, r[4], r[5]),
                each!(_mm512_unpackhi_pd, r[6], r[7])
            );
            [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
        }
    }

    #[inline(always)]
    fn swap_pairs(self, v: V) -> V {
        // SAFETY: `self` proves AVX-512.
        unsafe { _mm512_permute_pd::<0x55>(v) }
    }

    #[inline(always)]
    fn shuffle(
        self,
        out: &mut [[f64; LANES]; LANES],
        input: &[[f64; LANES]; LANES],
        shuffle: &Shuffle,
        from: &[usize; LANES],
        to: &[usize; LANES],
    ) -> bool {
        // SAFETY: `self` proves AVX-512; the eight lane numbers are readable.
        unsafe {
            let lanes = _mm512_loadu_epi64(shuffle.lanes.as_ptr().cast());
            let mut rows = [self.splat(0.0); LANES];
            for h in 0..LANES {
                rows[h] = _mm512_permutexvar_pd(lanes, self.load(&input[from[h] % LANES], 0));
            }
            for bit in 0..shuffle.turns.len() {
                let (mask, old) = (shuffle.turns[bit], rows);
                for h in 0..LANES {
                    rows[h] = _mm512_mask_blend_pd(mask, old[h], old[(h + (1 << bit)) % LANES]);
                }
            }
            for h in 0..LANES {
                self.store(&mut out[to[h] % LANES], 0, rows[h]);
            }
        }
        true
    }

    #[inline(always)]
    fn forward_leaves(self, leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) -> bool {
        // SAFETY: `self` proves AVX-512.
        unsafe { leaf::forward(leaves, rows, lanes) };
        true
    }

    #[inline(always)]
    fn backward_leaves(self, leaves: &mut [[Block; 8]], rows: &[[[f64; 2]; 7]], lanes: &[[Block; 7]]) -> bool {
        // SAFETY: `self` proves AVX-512.
        unsafe { leaf::backward(leaves, rows, lanes) };
        true
    }

    #[inline(always)]
    fn load_small(self, from: &[i64; LANES], _: usize) -> V {
        // SAFETY: `self` proves AVX-512; the eight numbers are readable.
        unsafe {
            let magic = _mm512_set1_pd(SIGNED_MAGIC);
            let x = _mm512_add_epi64(_mm512_loadu_epi64(from.as_ptr()), _mm512_castpd_si512(magic));
            _mm512_sub_pd(_mm512_castsi512_pd(x), magic)
        }
    }

    #[inline(always)]
    fn load_signed(self, from: &[u64; LANES], _: usize) -> V {
        // SAFETY: `self` proves AVX-512 DQ; the eight numbers are readable.
        unsafe { _mm512_cvtepi64_pd(_mm512_loadu_epi64(from.as_ptr().cast())) }
    }

    #[inline(always)]
    fn load_digits(self, from: &[u64; LANES], _: usize, digit: &GadgetDigit<u64>) -> V {
        // SAFETY: `self` proves AVX-512; the eight numbers are readable.
        unsafe {
            let x = _mm512_loadu_epi64(from.as_ptr().cast());
            let x = _mm512_add_epi64(x, _mm512_set1_epi64(digit.offset as i64));
            let x = _mm512_srlv_epi64(x, _mm512_set1_epi64(i64::from(digit.shift)));
            // (x & mask) | 2^52
            let magic = _mm512_castpd_si512(_mm512_set1_pd(TWO_52));
            let x = _mm512_ternarylogic_epi64::<0xea>(x, _mm512_set1_epi64(digit.mask as i64), magic);
            _mm512_sub_pd(_mm512_castsi512_pd(x), _mm512_set1_pd(digit.bias))
        }
    }

    #[inline(always)]
    fn load_packed(self, [low, high]: &[[u64; LANES]; 2], _: usize, shift: u32, packing: &Packing) -> V {
        // SAFETY: `self` proves AVX-512; the sixteen words are readable.
        unsafe {
            let [low, high] = [low, high].map(|words| _mm512_loadu_epi64(words.as_ptr().cast()));
            // A shift by 64 leaves zeros.
            let low = _mm512_srlv_epi64(low, _mm512_set1_epi64(i64::from(shift)));
            let high = _mm512_sllv_epi64(high, _mm512_set1_epi64(i64::from(64 - shift)));
            // (low | high) & mask
            let x = _mm512_ternarylogic_epi64::<0xa8>(low, high, _mm512_set1_epi64(packing.mask as i64));
            let x = _mm512_or_epi64(x, _mm512_castpd_si512(_mm512_set1_pd(TWO_52)));
            _mm512_sub_pd(_mm512_castsi512_pd(x), _mm512_set1_pd(packing.bias))
        }
    }

    #[inline(always)]
    fn add_torus(self, to: &mut [u64; LANES], _: usize, v: V) {
        // SAFETY: `self` proves AVX-512 DQ; the eight numbers are readable and writable.
        unsafe {
            let fraction = _mm512_sub_pd(v, _mm512_roundscale_pd::<0>(v));
            // +2^63, the one value out of range, gives 1 << 63, which is right modulo 2^64.
            let x = _mm512_cvtpd_epi64(_mm512_mul_pd(fraction, _mm512_set1_pd(TWO_64)));
            let old = _mm512_loadu_epi64(to.as_ptr().cast());
            _mm512_storeu_epi64(to.as_mut_ptr().cast(), _mm512_add_epi64(old, x));
        }
    }

    #[inline(always)]
    fn load_wide_digits(self, from: &[u128; LANES], _: usize, digit: &GadgetDigit<u128>) -> V {
        // SAFETY: `self` proves AVX-512; the sixteen halves are readable.
        unsafe {
            let (low, high) = self.halves(from);
            let splat = |x: u64| _mm512_set1_epi64(x as i64);
            let (offset_low, offset_high) = (digit.offset as u64, (digit.offset >> 64) as u64);
            let mut high = _mm512_add_epi64(high, splat(offset_high));
            let x = if digit.shift >= 64 && offset_low == 0 {
                _mm512_srlv_epi64(high, splat(u64::from(digit.shift - 64)))
            } else {
                let low = _mm512_add_epi64(low, splat(offset_low));
                let carry = _mm512_cmplt_epu64_mask(low, splat(offset_low));
                high = _mm512_mask_add_epi64(high, carry, high, splat(1));
                // Shifts of 64 places or more, and by negative numbers, give zero.
                let shift = i64::from(digit.shift);
                let parts = _mm512_or_si512(
                    _mm512_srlv_epi64(low, _mm512_set1_epi64(shift)),
                    _mm512_sllv_epi64(high, _mm512_set1_epi64(64 - shift)),
                );
                _mm512_or_si512(parts, _mm512_srlv_epi64(high, _mm512_set1_epi64(shift - 64)))
            };
            // (x & mask) | 2^52
            let magic = _mm512_castpd_si512(_mm512_set1_pd(TWO_52));
            let x = _mm512_ternarylogic_epi64::<0xea>(x, splat(digit.mask), magic);
            _mm512_sub_pd(_mm512_castsi512_pd(x), _mm512_set1_pd(digit.bias))
        }
    }

    #[inline(always)]
    fn add_wide_torus(self, to: &mut [u128; LANES], _: usize, v: V, unit: u32) {
        // SAFETY: `self` proves AVX-512 DQ; the sixteen halves are readable and writable.
        unsafe {
            let fraction = _mm512_sub_pd(v, _mm512_roundscale_pd::<0>(v));
            let x = _mm512_cvtpd_epi64(_mm512_mul_pd(fraction, _mm512_set1_pd(f64::from(128 - unit as i32).exp2())));
            let unit = i64::from(unit);
            let (low, high) = self.halves(to);
            let (low, high) = if unit >= 64 {
                (low, _mm512_add_epi64(high, _mm512_sllv_epi64(x, _mm512_set1_epi64(unit - 64))))
            } else {
                let add = _mm512_sllv_epi64(x, _mm512_set1_epi64(unit));
                let low = _mm512_add_epi64(low, add);
                let carry = _mm512_cmplt_epu64_mask(low, add);
                // A shift by 64 places gives the sign.
                let high = _mm512_add_epi64(high, _mm512_srav_epi64(x, _mm512_set1_epi64(64 - unit)));
                (low, _mm512_mask_add_epi64(high, carry, high, _mm512_set1_epi64(1)))
            };
            let (first, last) =
                (_mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15));
            let to: *mut i64 = to.as_mut_ptr().cast();
            _mm512_storeu_epi64(to, _mm512_permutex2var_epi64(low, first, high));
            _mm512_storeu_epi64(to.add(8), _mm512_permutex2var_epi64(low, last, high));
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
        // SAFETY: `self` proves AVX-512; the eight words are readable and writable.
        unsafe {
            let kept =
                [_mm512_set1_epi64((u64::MAX << dropped) as i64), _mm512_set1_epi64((1u64 << dropped >> 1) as i64)];
            let (zero, last) = (_mm512_setzero_si512(), _mm512_set1_epi64(7));
            let mut sums = zero;
            for x in x {
                sums = _mm512_add_epi64(sums, load_kept(x, kept));
            }
            let mut difference = _mm512_set1_epi64(_mm512_reduce_add_epi64(sums));
            for i in 0..x.len() {
                let old = match from {
                    Some(from) => &from[i],
                    None => &out[i],
                };
                let old = _mm512_loadu_epi64(old.as_ptr().cast());
                let x = load_kept(&x[i], kept);
                let pairs = _mm512_add_epi64(x, _mm512_alignr_epi64::<7>(x, zero));
                let fours = _mm512_add_epi64(pairs, _mm512_alignr_epi64::<6>(pairs, zero));
                let prefix = _mm512_add_epi64(fours, _mm512_alignr_epi64::<4>(fours, zero));
                let twice = _mm512_add_epi64(prefix, prefix);
                let new = _mm512_add_epi64(old, _mm512_sub_epi64(difference, twice));
                _mm512_storeu_epi64(out[i].as_mut_ptr().cast(), new);
                difference = _mm512_sub_epi64(difference, _mm512_permutexvar_epi64(last, twice));
            }
        }
        true
    }
}

/// (x & kept\[0\]) | kept\[1\].
#[inline(always)]
unsafe fn load_kept(x: &[u64; LANES], [mask, middle]: [__m512i; 2]) -> __m512i {
    // SAFETY: the caller's processor has AVX-512; the eight words are readable.
    unsafe { _mm512_ternarylogic_epi64::<0xea>(_mm512_loadu_epi64(x.as_ptr().cast()), mask, middle) }
}

impl Avx512 {
    /// The low and the high halves of eight wide words.
    #[inline(always)]
    fn halves(self, words: &[u128; LANES]) -> (__m512i, __m512i) {
        let from: *const i64 = words.as_ptr().cast();
        // SAFETY: `self` proves AVX-512; the sixteen halves are readable, low ones first.
        unsafe {
            let (first, last) = (_mm512_loadu_epi64(from), _mm512_loadu_epi64(from.add(8)));
            let low = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), last);
            let high = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), last);
            (low, high)
        }
    }
}
