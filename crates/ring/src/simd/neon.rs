//! NEON: a register holds two lanes.

use std::arch::aarch64::*;
use std::arch::asm;

use super::{GadgetDigit, Kernel, LANES, Packing, Simd, TWO_52, TWO_64};

/// Proof that the processor has NEON.
#[derive(Clone, Copy)]
pub(super) struct Neon(());

#[target_feature(enable = "neon")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Neon(()))
}

type V = float64x2_t;
const WIDTH: usize = 2;

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

/// The nearest integer to x·`scale`, |x·`scale`| ≤ 2^63, modulo 2^64, to nearest even; `scale` is a power of two.
#[inline(always)]
unsafe fn nearest(x: V, scale: f64) -> int64x2_t {
    // SAFETY: the caller's processor has NEON.
    unsafe {
        let x = vcvtnq_s64_f64(vmulq_f64(x, vdupq_n_f64(scale)));
        // 2^63 became 2^63 − 1, which nothing else does.
        let beyond = vceqq_s64(x, vdupq_n_s64(i64::MAX));
        vsubq_s64(x, vreinterpretq_s64_u64(beyond))
    }
}

/// v minus the nearest integer.
#[inline(always)]
unsafe fn fraction(v: V) -> V {
    // SAFETY: the caller's processor has NEON.
    unsafe { vsubq_f64(v, vrndnq_f64(v)) }
}

/// x·2^`places` modulo 2^64, without the bits below 1; -128 ≤ `places` < 128.
#[inline(always)]
unsafe fn shifted(x: uint64x2_t, places: i64) -> uint64x2_t {
    // SAFETY: the caller's processor has NEON.
    unsafe { vshlq_u64(x, vdupq_n_s64(places)) }
}

/// (x & `mask`) − `minus`, for an integer below 2^52; `bias` is 2^52 + `minus`.
#[inline(always)]
unsafe fn masked(x: uint64x2_t, mask: u64, bias: f64) -> V {
    // SAFETY: the caller's processor has NEON.
    unsafe {
        let x = vorrq_u64(vandq_u64(x, vdupq_n_u64(mask)), vdupq_n_u64(TWO_52.to_bits()));
        vsubq_f64(vreinterpretq_f64_u64(x), vdupq_n_f64(bias))
    }
}

/// The low and the high halves of two wide words.
#[inline(always)]
unsafe fn wide_halves(words: *const u128) -> [uint64x2_t; 2] {
    // SAFETY: the caller's processor has NEON, and two words are readable.
    unsafe {
        let (first, second) = (vld1q_u64(words.cast()), vld1q_u64(words.add(1).cast()));
        [vzip1q_u64(first, second), vzip2q_u64(first, second)]
    }
}

macro_rules! lanewise {
    ($($name:ident($($arg:ident),+) = $result:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: V),+) -> V {
            // SAFETY: `self` proves NEON.
            unsafe { $result }
        }
    )*};
}

impl Simd for Neon {
    type V = V;
    const PARTS: usize = LANES / WIDTH;
    const REGISTERS: usize = 32;
    const BROADCASTS: bool = false;

    lanewise! {
        add(a, b) = vaddq_f64(a, b);
        sub(a, b) = vsubq_f64(a, b);
        mul(a, b) = vmulq_f64(a, b);
        mul_add(a, b, c) = vfmaq_f64(c, a, b);
        mul_sub(a, b, c) = vfmaq_f64(vnegq_f64(c), a, b);
        neg_mul_add(a, b, c) = vfmsq_f64(c, a, b);
        swap_pairs(v) = vextq_f64::<1>(v, v);
    }

    #[inline(always)]
    fn prefetch(self, line: *const f64) {
        // SAFETY: fetching ahead is harmless at any address.
        unsafe { asm!("prfm pldl2keep, [{}]", in(reg) line, options(readonly, nostack, preserves_flags)) }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: `self` proves NEON.
        unsafe { vdupq_n_f64(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES], part: usize) -> V {
        // SAFETY: `self` proves NEON; the part is readable.
        unsafe { vld1q_f64(at(from, part)) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], part: usize, v: V) {
        // SAFETY: `self` proves NEON; the part is writable.
        unsafe { vst1q_f64(at_mut(to, part), v) }
    }

    #[inline(always)]
    fn transpose<const T: usize>(self, rows: [[V; T]; LANES]) -> [[V; T]; LANES] {
        let mut columns = rows;
        for t in 0..T {
            for part in 0..Self::PARTS {
                let (first, second) = (rows[part * WIDTH][t], rows[part * WIDTH + 1][t]);
                // SAFETY: `self` proves NEON.
                unsafe {
                    columns[part][t] = vzip1q_f64(first, second);
                    columns[Self::PARTS + part][t] = vzip2q_f64(first, second);
                }
            }
        }
        columns
    }

    #[inline(always)]
    fn load_small(self, from: &[i64; LANES], part: usize) -> V {
        // SAFETY: `self` proves NEON; the part is readable.
        unsafe { vcvtq_f64_s64(vld1q_s64(at(from, part))) }
    }

    #[inline(always)]
    fn load_signed(self, from: &[u64; LANES], part: usize) -> V {
        // SAFETY: `self` proves NEON; the part is readable.
        unsafe { vcvtq_f64_s64(vld1q_s64(at(from, part).cast())) }
    }

    #[inline(always)]
    fn load_digits(self, from: &[u64; LANES], part: usize, digit: &GadgetDigit<u64>) -> V {
        // SAFETY: `self` proves NEON; the part is readable.
        unsafe {
            let x = vaddq_u64(vld1q_u64(at(from, part)), vdupq_n_u64(digit.offset));
            masked(shifted(x, -i64::from(digit.shift)), digit.mask, digit.bias)
        }
    }

    #[inline(always)]
    fn load_packed(self, words: &[[u64; LANES]; 2], part: usize, shift: u32, packing: &Packing) -> V {
        // SAFETY: `self` proves NEON; the parts are readable.
        unsafe {
            let shift = i64::from(shift);
            let low = shifted(vld1q_u64(at(&words[0], part)), -shift);
            let high = shifted(vld1q_u64(at(&words[1], part)), 64 - shift);
            masked(vorrq_u64(low, high), packing.mask, packing.bias)
        }
    }

    #[inline(always)]
    fn add_torus(self, to: &mut [u64; LANES], part: usize, v: V) {
        let to = at_mut(to, part);
        // SAFETY: `self` proves NEON; the part is readable and writable.
        unsafe { vst1q_u64(to, vaddq_u64(vld1q_u64(to), vreinterpretq_u64_s64(nearest(fraction(v), TWO_64)))) }
    }

    #[inline(always)]
    fn load_wide_digits(self, from: &[u128; LANES], part: usize, digit: &GadgetDigit<u128>) -> V {
        // SAFETY: `self` proves NEON; the part is readable.
        unsafe {
            let [low, high] = wide_halves(at(from, part));
            let offset_low = vdupq_n_u64(digit.offset as u64);
            let low = vaddq_u64(low, offset_low);
            // A carry is all ones, −1.
            let high = vsubq_u64(vaddq_u64(high, vdupq_n_u64((digit.offset >> 64) as u64)), vcltq_u64(low, offset_low));
            let shift = i64::from(digit.shift);
            masked(vorrq_u64(shifted(low, -shift), shifted(high, 64 - shift)), digit.mask, digit.bias)
        }
    }

    #[inline(always)]
    fn add_wide_torus(self, to: &mut [u128; LANES], part: usize, v: V, unit: u32) {
        let to = at_mut(to, part);
        // SAFETY: `self` proves NEON; the part is readable and writable.
        unsafe {
            let unit_places = i64::from(unit);
            let x = nearest(fraction(v), f64::from(128 - unit as i32).exp2());
            // Of x·2^`unit`; where that has no low half, nothing is carried. A shift by −64 places gives the sign.
            let add_low = shifted(vreinterpretq_u64_s64(x), unit_places);
            let add_high = vreinterpretq_u64_s64(vshlq_s64(x, vdupq_n_s64(unit_places - 64)));
            let [low, high] = wide_halves(to);
            let low = vaddq_u64(low, add_low);
            let high = vsubq_u64(vaddq_u64(high, add_high), vcltq_u64(low, add_low));
            vst1q_u64(to.cast(), vzip1q_u64(low, high));
            vst1q_u64(to.add(1).cast(), vzip2q_u64(low, high));
        }
    }
}
