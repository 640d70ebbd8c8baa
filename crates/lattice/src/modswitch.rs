//! Modulus switching: of GLWE ciphertexts to fewer bits ([`round_glwe_masks`]), and of short LWE samples from 2^32 to
//! M = 2νN', the exponents of blind rotation.
//!
//! A coefficient a·M/2^32 must be rounded down (error −f, f its fraction) or up (error 1 − f), and the phase gets
//! Σ error_i·s_i. *Which* way is the evaluator's free choice. In a block of a block-binary key at most one s_i is 1, each
//! of the ℓ + 1 possibilities equally likely: the block adds one of {0, error_1, …, error_ℓ}. Its mean can be subtracted
//! from b, so only the variance of these ℓ + 1 points counts. They are points on a circle of length 1, and a rounding is a
//! place to cut it: sort the fractions, round the t smallest down and the others up, and take the best t of ℓ + 1.
//! For ℓ = 1 this is the known mean-compensated rounding (variance n/48 instead of n/24); for ℓ = 4 the variance of a
//! coefficient falls from 1/60 to 1/96 ([`crate::noise::formula::mod_switch_block_variance`]), at no cost in the rotation.
//! The deviation is symmetric and has the same distribution whichever coefficient is 1, so it holds for every fixed key.
use crate::glwe::GlweShape;
use bootes_ring::sample::KeyDistribution;

/// The longest block of a block-binary key.
pub const MAX_BLOCK: usize = 16;

/// Switches `sample` = (a_0, …, a_{n−1}, b) from modulus 2^32 to `modulus` ≤ 2^24; the result has n + 1 words below `modulus`.
///
/// `offset` (torus of 2^32) is added to b before rounding, and the sample is first multiplied by 2^`log2_factor`.
pub fn mod_switch_into(
    out: &mut [u32],
    sample: &[u32],
    distribution: KeyDistribution,
    modulus: u32,
    log2_factor: u32,
    offset: u32,
) {
    let n = out.len() - 1;
    let scale = |x: u32| {
        let product = u64::from(x << log2_factor) * u64::from(modulus);
        ((product >> 32) as u32, product as u32)
    };
    // Sum of the blocks' mean errors, in units of 2^-32 of a step.
    let mut mean = 0i64;
    let block = match distribution {
        KeyDistribution::Ternary | KeyDistribution::SparseTernary { .. } => {
            // ±error and 0: the nearest integer is best and the mean is 0.
            for (out, &a) in out[..n].iter_mut().zip(sample) {
                let (floor, fraction) = scale(a);
                *out = wrap(floor + (fraction >> 31), modulus);
            }
            0
        }
        KeyDistribution::Binary => 1,
        KeyDistribution::BlockBinary { length } => length as usize,
    };
    if block > 0 {
        for (out, sample) in out[..n].chunks_exact_mut(block).zip(sample[..n].chunks_exact(block)) {
            mean += round_block(out, sample, modulus, scale);
        }
    }
    let b = u64::from((sample[n] << log2_factor).wrapping_add(offset)) * u64::from(modulus);
    let b = (b as i64 - mean + (1 << 31)) >> 32;
    out[n] = b.rem_euclid(i64::from(modulus)) as u32;
}

fn wrap(x: u32, modulus: u32) -> u32 {
    if x == modulus { 0 } else { x }
}

/// Rounds one block and returns its mean error in units of 2^-32.
fn round_block(out: &mut [u32], sample: &[u32], modulus: u32, scale: impl Fn(u32) -> (u32, u32)) -> i64 {
    let length = out.len();
    let mut order = [(0u32, 0usize); MAX_BLOCK];
    let order = &mut order[..length];
    for (i, (out, &a)) in out.iter_mut().zip(sample).enumerate() {
        let (floor, fraction) = scale(a);
        *out = floor;
        order[i] = (fraction, i);
    }
    order.sort_unstable();
    // All rounded up first; then the t smallest fractions down, one after the other. Errors in units of a step.
    let points = (length + 1) as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for &(fraction, _) in order.iter() {
        let up = 1.0 - f64::from(fraction) * TWO_POW_MINUS_32;
        sum += up;
        squares += up * up;
    }
    let mut best = (0, squares - sum * sum / points, sum);
    for (t, &(fraction, _)) in order.iter().enumerate() {
        let f = f64::from(fraction) * TWO_POW_MINUS_32;
        sum -= 1.0;
        squares += 2.0 * f - 1.0;
        let deviation = squares - sum * sum / points;
        if deviation < best.1 {
            best = (t + 1, deviation, sum);
        }
    }
    for &(_, i) in &order[best.0..] {
        out[i] = wrap(out[i] + 1, modulus);
    }
    (best.2 / points / TWO_POW_MINUS_32) as i64
}

/// Rounds the masks of a GLWE ciphertext, (k + 1)·N words, to multiples of 2^-`bits` of the torus; `key_mean` is the
/// mean µ of a coefficient of its key (1/2 for a binary key).
///
/// An error ε_j of mask j adds ε_j·t_j to the phase, whose mean over keys is µ·ε_j·(1 + X + … + X^(N−1)). That is taken
/// from the body, so that only the deviation is left.
///
/// Noise: `noise::formula::glwe_rounding`.
///
/// # Panics
/// Unless `bits` is in 1..=64.
pub fn round_glwe_masks(glwe: &mut [u64], shape: GlweShape, bits: u32, key_mean: f64) {
    assert!((1..=64).contains(&bits), "masks of {bits} bits; choose 1 to 64");
    debug_assert_eq!(glwe.len(), shape.words());
    if bits == 64 {
        return;
    }
    let half = 1u64 << (63 - bits);
    let (masks, body) = glwe.split_at_mut(shape.lwe_dimension());
    for mask in masks.chunks_exact_mut(shape.degree) {
        let error = |x: &mut u64| {
            let exact = *x;
            *x = exact.wrapping_add(half) & !(2 * half - 1);
            i128::from(x.wrapping_sub(exact) as i64)
        };
        let errors: Vec<i128> = mask.iter_mut().map(error).collect();
        // Coefficient i of ε·(1 + X + … + X^(N−1)): Σ_{j ≤ i} ε_j − Σ_{j > i} ε_j.
        let mut sum = -errors.iter().sum::<i128>();
        for (x, error) in body.iter_mut().zip(errors) {
            sum += 2 * error;
            *x = x.wrapping_sub((sum as f64 * key_mean) as i128 as u64);
        }
    }
}

const TWO_POW_MINUS_32: f64 = 1.0 / 4_294_967_296.0;
