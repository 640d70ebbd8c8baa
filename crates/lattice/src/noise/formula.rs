//! Noise variances of the FHEW/TFHE operations, in units of the torus squared.
//!
//! References: the recursive-decomposition paper, Lemmas 2–4 (there for binary keys, without the terms marked *ours*), and
//! the FDFB paper, Lemma 1. Gadget digits are uniform in [−B/2, B/2 − 1], of second moment (B² + 2)/12.
use crate::Gadget;
use crate::glwe::GlweShape;
use bootes_ring::fft;
use bootes_ring::sample::KeyDistribution;

/// Second moment of a gadget digit.
fn digit_second_moment(gadget: Gadget) -> f64 {
    (exp2(2 * gadget.log2_base() as i32) + 2.0) / 12.0
}

/// Variance of what the decomposition drops: uniform in ±B^−d/2.
fn dropped_variance(gadget: Gadget) -> f64 {
    exp2(-2 * (gadget.log2_base() * gadget.levels()) as i32) / 12.0
}

fn exp2(x: i32) -> f64 {
    f64::from(x).exp2()
}

/// Coefficients of a block that share one decomposition in blind rotation, keys per coefficient included: ℓ for
/// block-binary, 1 for binary, 2 for ternary (one key for +1, one for −1).
pub fn rotation_block(distribution: KeyDistribution) -> usize {
    match distribution {
        KeyDistribution::Binary => 1,
        KeyDistribution::Ternary => 2,
        KeyDistribution::BlockBinary { length } => length as usize,
    }
}

/// Number of GGSW keys of a blind rotation over an LWE key of dimension `n`.
pub fn rotation_keys(distribution: KeyDistribution, n: usize) -> usize {
    if distribution == KeyDistribution::Ternary { 2 * n } else { n }
}

/// What a blind rotation adds to each coefficient of its result.
///
/// With K keys in blocks of ℓ, rank k, degree N, gadget (B, d), key noise σ², GLWE key second moment E\[t²\] and expected
/// number of non-zero key coefficients h:
/// * key noise: K · 2(k+1)dN · (B²+2)/12 · σ² (the digits are multiplied by X^a − 1, hence the 2);
/// * dropped digits: h · 2 · (1 + kN·E\[t²\]) · B^−2d/12;
/// * floating point (*ours*): K/ℓ · (1 + kN·E\[t²\]) · block_error_std(B, N, (k+1)d, ℓ)², see `crates/ring/docs/fft-error.md`.
///
/// It does not depend on the extension factor ν (Lemma 3; the floating-point term is the bound for large ν), nor on the test
/// vector.
#[derive(Clone, Copy, Debug)]
pub struct BlindRotation {
    /// Dimension n of the LWE key.
    pub lwe_dimension: usize,
    /// Distribution of the LWE key.
    pub lwe_distribution: KeyDistribution,
    /// Rank and degree of the accumulator (N', without the extension).
    pub shape: GlweShape,
    /// Distribution of the GLWE key.
    pub glwe_distribution: KeyDistribution,
    /// Standard deviation of the key's noise (of the torus).
    pub key_std: f64,
    /// Gadget of the external product.
    pub gadget: Gadget,
}

impl BlindRotation {
    /// The variance added by one blind rotation.
    pub fn variance(&self) -> f64 {
        let Self { lwe_dimension: n, lwe_distribution, shape, gadget, .. } = *self;
        let keys = rotation_keys(lwe_distribution, n) as f64;
        let rows = (shape.polynomials() * gadget.levels() as usize) as f64;
        let phase_factor = 1.0 + shape.lwe_dimension() as f64 * self.glwe_distribution.second_moment();
        let key = keys * 2.0 * rows * shape.degree as f64 * digit_second_moment(gadget) * self.key_std.powi(2);
        let dropped = n as f64 * lwe_distribution.second_moment() * 2.0 * phase_factor * dropped_variance(gadget);
        let block = rotation_block(lwe_distribution);
        let error = fft::block_error_std(gadget.log2_base(), shape.degree, rows as usize, block);
        let float = keys / block as f64 * phase_factor * error.powi(2);
        key + dropped + float
    }
}

/// What LWE key switching adds: d·kN·(B²+2)/12·σ² from the key, kN·Var(t)·B^−2d/12 from the dropped digits, whose mean is
/// compensated (the paper's Lemma 2 has N²/12B'^2d' in other units, without compensation), and the rounding to 2^-32.
pub fn key_switch(input_dimension: usize, input_distribution: KeyDistribution, gadget: Gadget, key_std: f64) -> f64 {
    let n = input_dimension as f64;
    let key = f64::from(gadget.levels()) * n * digit_second_moment(gadget) * (key_std.powi(2) + exp2(-64) / 12.0);
    key + n * input_distribution.variance() * dropped_variance(gadget) + exp2(-64) / 12.0
}

/// Variance of the error of one block of ℓ coefficients in steps of the new modulus squared, for the rounding of
/// [`crate::modswitch`]: the expected least variance of ℓ + 1 uniform points on a circle, over the places to cut it.
///
/// 1/48 for ℓ = 1; the others by Monte-Carlo integration, rounded up (relative error below 10^-3).
pub fn mod_switch_block_variance(length: usize) -> f64 {
    const VARIANCE: [f64; 8] = [1.0 / 48.0, 0.03086, 0.03710, 0.04151, 0.04481, 0.04740, 0.04954, 0.05132];
    match length {
        1..=8 => VARIANCE[length - 1],
        // Rounding to the nearest with the mean compensated: an upper bound.
        _ => (length as f64 / (length as f64 + 1.0)).powi(2) / 12.0,
    }
}

/// What modulus switching to `modulus` adds: one term a block and the rounding of b, each over modulus².
pub fn mod_switch(n: usize, distribution: KeyDistribution, modulus: f64) -> f64 {
    let blocks = match distribution {
        KeyDistribution::Binary => n as f64 * mod_switch_block_variance(1),
        KeyDistribution::Ternary => n as f64 * distribution.second_moment() / 12.0,
        KeyDistribution::BlockBinary { length } => {
            n as f64 / f64::from(length) * mod_switch_block_variance(length as usize)
        }
    };
    (blocks + 1.0 / 12.0) / (modulus * modulus)
}
