//! Standard normal pairs by Box–Muller, without branches or tables.
//!
//! z = √(−2 ln u)·(cos 2πv, sin 2πv) with u, v from one 64-bit word each. Only IEEE additions, multiplications, divisions
//! and square roots are used (no fused operations, no library functions), so the values are the same on every machine.
//!
//! Accuracy: ln and sin/cos are within 2^-48 relative (sin/cos: relative to 1) of the true values, which the tests check
//! against the standard library; u has 53 bits and is at least 2^-65, so |z| reaches √(130 ln 2) = 9.49 in the tail, and
//! the mass beyond is 2^-69.

/// 2^52 as bits of an `f64`: the low 52 bits of the mantissa then hold an integer.
const TWO_52_BITS: u64 = 0x4330_0000_0000_0000;
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_32: f64 = 4_294_967_296.0;
/// 2^52 + 2^51; adding it to |x| < 2^51 rounds x to the nearest integer, which then stands in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The integer `low` < 2^32 as an `f64`, exactly.
#[inline(always)]
fn small_to_f64(low: u64) -> f64 {
    f64::from_bits(TWO_52_BITS | low) - TWO_52
}

/// ln((x + 1/2)/2^64) ≤ 0 for a 64-bit x.
#[inline(always)]
pub(super) fn ln_uniform(x: u64) -> f64 {
    // (x + 1/2) rounded to 53 bits, in [1/2, 2^64].
    let value = small_to_f64(x >> 32) * TWO_32 + (small_to_f64(x & 0xffff_ffff) + 0.5);
    // value = 2^e·m with m in [√½, √2).
    let sqrt_half_bits = 0x3fe6_a09e_667f_3bcd_u64;
    let bits = value.to_bits();
    let biased = bits.wrapping_sub(sqrt_half_bits);
    let exponent = ((biased as i64) >> 52) as u64;
    let m = f64::from_bits(bits.wrapping_sub(exponent << 52));
    // e − 64 in −65..=0 as a float; at most 0, so that 64 − e is a small natural number.
    let e = -small_to_f64(64u64.wrapping_sub(exponent));
    // ln m = 2 artanh(t), |t| ≤ 3 − 2√2.
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let mut series = 1.0 / 21.0;
    for coefficient in
        [1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0]
    {
        series = series * t2 + coefficient;
    }
    e * core::f64::consts::LN_2 + 2.0 * t * series
}

/// (cos θ, sin θ) for θ = 2πx/2^64.
#[inline(always)]
pub(super) fn cos_sin_turn(x: u64) -> (f64, f64) {
    // x = quarter·2^62 + rest with −2^61 ≤ rest < 2^61.
    let shifted = x.wrapping_add(1 << 61);
    let quarter = shifted >> 62;
    let rest = shifted & ((1 << 62) - 1);
    let turn = (small_to_f64(rest >> 32) - TWO_32 / 8.0) * TWO_32 + small_to_f64(rest & 0xffff_ffff);
    let theta = turn * (core::f64::consts::TAU / (TWO_32 * TWO_32));
    let t2 = theta * theta;
    let mut cos = 1.0 / 20_922_789_888_000.0;
    for coefficient in [
        -1.0 / 87_178_291_200.0,
        1.0 / 479_001_600.0,
        -1.0 / 3_628_800.0,
        1.0 / 40_320.0,
        -1.0 / 720.0,
        1.0 / 24.0,
        -0.5,
        1.0,
    ] {
        cos = cos * t2 + coefficient;
    }
    let mut sin = -1.0 / 1_307_674_368_000.0;
    for coefficient in
        [1.0 / 6_227_020_800.0, -1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0]
    {
        sin = sin * t2 + coefficient;
    }
    let (c, s) = (cos.to_bits(), (sin * theta).to_bits());
    // Odd quarters exchange the two; cos is negative in quarters 1 and 2, sin in 2 and 3.
    let exchange = (c ^ s) & (quarter & 1).wrapping_neg();
    let cos_sign = ((quarter ^ (quarter >> 1)) & 1) << 63;
    let sin_sign = (quarter >> 1) << 63;
    (f64::from_bits(c ^ exchange ^ cos_sign), f64::from_bits(s ^ exchange ^ sin_sign))
}

/// Two independent standard normal values from two independent uniform words.
#[inline(always)]
pub(super) fn normal_pair(u: u64, v: u64) -> (f64, f64) {
    let radius = (-2.0 * ln_uniform(u)).max(0.0).sqrt();
    let (cos, sin) = cos_sin_turn(v);
    (radius * cos, radius * sin)
}

/// x rounded to the nearest integer, for |x| < 2^51.
#[inline(always)]
pub(super) fn round_to_i64(x: f64) -> i64 {
    (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits()) as i64
}

#[cfg(test)]
mod tests {
    use super::{cos_sin_turn, ln_uniform, normal_pair, round_to_i64};

    /// Words at the edges and a fixed pseudorandom walk.
    fn words() -> impl Iterator<Item = u64> {
        let edges = (0..64).flat_map(|k| [1u64 << k, (1u64 << k).wrapping_sub(1), (1u64 << k).wrapping_neg()]);
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let walk = (0..200_000).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        });
        edges.chain(walk)
    }

    #[test]
    fn logarithm_is_accurate() {
        for x in words() {
            let value = x as f64 + 0.5;
            // Near 1 the reference must not lose the low bits either.
            let expected = if x >> 63 == 1 {
                (-(((u64::MAX - x) as f64 + 0.5) / 2f64.powi(64))).ln_1p()
            } else {
                (value / 2f64.powi(64)).ln()
            };
            let found = ln_uniform(x);
            // The 53-bit value of x + 1/2 itself is off by up to 2^-53.
            let tolerance = 2f64.powi(-48) * expected.abs() + 2f64.powi(-52);
            assert!((found - expected).abs() <= tolerance, "{x:#x}: {found} {expected}");
            assert!(found <= 0.0);
        }
    }

    #[test]
    fn cosine_and_sine_are_accurate() {
        for x in words() {
            // The angle of the quarter nearest, so that the reference has the low bits as well.
            let (cos, sin) = cos_sin_turn(x);
            let theta = (x as i64) as f64 * (core::f64::consts::TAU / 2f64.powi(64));
            assert!((cos - theta.cos()).abs() <= 2f64.powi(-48), "{x:#x}");
            assert!((sin - theta.sin()).abs() <= 2f64.powi(-48), "{x:#x}");
            assert!((cos * cos + sin * sin - 1.0).abs() <= 2f64.powi(-50));
        }
    }

    #[test]
    fn tail_and_quarters() {
        let (z, w) = normal_pair(0, 0);
        assert!((z - (130.0 * core::f64::consts::LN_2).sqrt()).abs() < 1e-12 && w == 0.0);
        let (z, _) = normal_pair(u64::MAX, 0);
        assert_eq!(z, 0.0);
        for (quarter, expected) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].into_iter().enumerate() {
            let (c, s) = cos_sin_turn((quarter as u64) << 62);
            assert_eq!((c, s), expected);
        }
    }

    #[test]
    fn rounding() {
        for (x, expected) in [(0.0, 0), (0.49, 0), (0.51, 1), (-0.51, -1), (1e15, 1_000_000_000_000_000), (-7.2, -7)] {
            assert_eq!(round_to_i64(x), expected);
        }
    }
}
