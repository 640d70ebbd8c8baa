//! The reference: arrays of eight `f64`.

use super::{GadgetDigit, LANES, Packing, Simd, TWO_52, TWO_64, Words};

#[derive(Clone, Copy)]
pub(super) struct Scalar;

type V = [f64; LANES];

#[inline(always)]
fn map2(a: V, b: V, f: impl Fn(f64, f64) -> f64) -> V {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Simd for Scalar {
    type V = V;
    const PARTS: usize = 1;
    const REGISTERS: usize = 16;
    const BROADCASTS: bool = false;

    #[inline(always)]
    fn prefetch(self, _: *const f64) {}

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES], _: usize) -> V {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES], _: usize, v: V) {
        *to = v;
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        map2(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        map2(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        map2(a, b, |a, b| a * b)
    }

    // Out of line where it is eight calls anyway: not every x86-64 has the instruction.
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        std::array::from_fn(|i| a[i].mul_add(b[i], c[i]))
    }

    #[inline(always)]
    fn mul_sub(self, a: V, b: V, c: V) -> V {
        self.mul_add(a, b, c.map(|c| -c))
    }

    #[inline(always)]
    fn neg_mul_add(self, a: V, b: V, c: V) -> V {
        self.mul_add(a.map(|a| -a), b, c)
    }

    #[inline(always)]
    fn transpose<const T: usize>(self, rows: [[V; T]; LANES]) -> [[V; T]; LANES] {
        std::array::from_fn(|i| std::array::from_fn(|t| std::array::from_fn(|j| rows[j][t][i])))
    }

    #[inline(always)]
    fn swap_pairs(self, v: V) -> V {
        std::array::from_fn(|i| v[i ^ 1])
    }

    #[inline(always)]
    fn load_small(self, from: &[i64; LANES], _: usize) -> V {
        from.map(|x| x as f64)
    }

    #[inline(always)]
    fn load_signed(self, from: &[u64; LANES], _: usize) -> V {
        from.map(|x| x as i64 as f64)
    }

    #[inline(always)]
    fn load_digits(self, from: &[u64; LANES], _: usize, digit: &GadgetDigit<u64>) -> V {
        from.map(|x| {
            let t = (x.wrapping_add(digit.offset) >> digit.shift) & digit.mask;
            f64::from_bits(t | TWO_52.to_bits()) - digit.bias
        })
    }

    #[inline(always)]
    fn load_packed(self, [low, high]: &[[u64; LANES]; 2], _: usize, shift: u32, packing: &Packing) -> V {
        std::array::from_fn(|lane| {
            // A shift by 64 in two steps.
            let x = (low[lane] >> shift | high[lane] << 1 << (63 - shift)) & packing.mask;
            f64::from_bits(x | TWO_52.to_bits()) - packing.bias
        })
    }

    #[inline(always)]
    fn add_torus(self, to: &mut [u64; LANES], _: usize, v: V) {
        for (to, v) in to.iter_mut().zip(v) {
            let fraction = v - v.round_ties_even();
            *to = to.wrapping_add((fraction * TWO_64).round_ties_even() as i128 as u64);
        }
    }

    #[inline(always)]
    fn load_wide_digits(self, from: &[u128; LANES], _: usize, digit: &GadgetDigit<u128>) -> V {
        from.map(|x| {
            let t = (x.wrapping_add(digit.offset) >> digit.shift) as u64 & digit.mask;
            f64::from_bits(t | TWO_52.to_bits()) - digit.bias
        })
    }

    #[inline(always)]
    fn add_wide_torus(self, to: &mut [u128; LANES], _: usize, v: V, unit: u32) {
        let scale = f64::from(128 - unit as i32).exp2();
        for (to, v) in to.iter_mut().zip(v) {
            let fraction = v - v.round_ties_even();
            let units = (fraction * scale).round_ties_even() as i128 as u128;
            *to = to.wrapping_add(units << unit);
        }
    }
}

/// The low 52 bits.
const LOW: u64 = (1 << 52) - 1;

type W = [u64; LANES];

#[inline(always)]
fn words2(a: W, b: W, f: impl Fn(u64, u64) -> u64) -> W {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// c + half(a·b) for the low 52 bits of a and b.
#[inline(always)]
fn add_half(c: W, a: W, b: W, half: impl Fn(u128) -> u64) -> W {
    std::array::from_fn(|i| c[i].wrapping_add(half(u128::from(a[i] & LOW) * u128::from(b[i] & LOW))))
}

impl Words for Scalar {
    type Float = Self;
    type W = W;

    #[inline(always)]
    fn float(self) -> Self {
        self
    }

    #[inline(always)]
    fn of_bits(self, bits: V) -> W {
        bits.map(f64::to_bits)
    }

    #[inline(always)]
    fn to_bits(self, words: W) -> V {
        words.map(f64::from_bits)
    }

    #[inline(always)]
    fn to_integers(self, x: W) -> V {
        x.map(|x| x as i64 as f64)
    }

    #[inline(always)]
    fn splat(self, x: u64) -> W {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, from: &[u64; LANES]) -> W {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut [u64; LANES], words: W) {
        *to = words;
    }

    #[inline(always)]
    fn add(self, a: W, b: W) -> W {
        words2(a, b, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, a: W, b: W) -> W {
        words2(a, b, u64::wrapping_sub)
    }

    #[inline(always)]
    fn and(self, a: W, b: W) -> W {
        words2(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn min(self, a: W, b: W) -> W {
        // Negative numbers are large ones without a sign.
        words2(a, b, u64::min)
    }

    #[inline(always)]
    fn add_low(self, c: W, a: W, b: W) -> W {
        add_half(c, a, b, |product| product as u64 & LOW)
    }

    #[inline(always)]
    fn add_high(self, c: W, a: W, b: W) -> W {
        add_half(c, a, b, |product| (product >> 52) as u64)
    }
}
