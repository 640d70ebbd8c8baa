//! Noise variances of the FHEW/TFHE operations, in units of the torus squared.
//!
//! References: the recursive-decomposition paper, Lemmas 2–4 (there for binary keys, without the terms marked *ours*), and
//! the FDFB paper, Lemma 1 and Theorem 10. Gadget digits have no mean. Those of key switches are uniform in [−B/2, B/2]
//! with half of each end, of second moment (B² + 2)/12; those of blind rotation are odd multiples of ½ below B/2, of
//! (B² − 1)/12.
use super::failure::log2_failure;
use crate::Gadget;
use crate::circuit_bootstrap::TOGETHER;
use crate::glwe::GlweShape;
use crate::glwe_public::RANDOMNESS;
use crate::keyswitch::{dithered_words, upper_bits};
use bootes_ring::fft::{self, WordLimbs};
use bootes_ring::sample::KeyDistribution;
use bootes_ring::torus::Torus;

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

/// E\[⌊e⌉²\] of a normal e of mean 0: Σ_{j ≥ 0} (2j + 1)·P(|e| > j + ½).
fn rounded_second_moment(std: f64) -> f64 {
    match std {
        // Below 2^-40 (limbs that are chosen have 2^-180), and next to a rounding error of its own.
        0.0..0.0625 => 0.0,
        4.0.. => std.powi(2) + 1.0 / 12.0,
        _ => (0..64).map(|j| f64::from(2 * j + 1) * log2_failure(f64::from(j) + 0.5, std).exp2()).sum(),
    }
}

/// Coefficients of a block that share one decomposition in blind rotation, keys per coefficient included: ℓ for
/// block-binary, 1 for binary, 2 for ternary and sparse ternary (one key for +1, one for −1).
pub fn rotation_block(distribution: KeyDistribution) -> usize {
    match distribution {
        KeyDistribution::Binary => 1,
        KeyDistribution::Ternary | KeyDistribution::SparseTernary { .. } => 2,
        KeyDistribution::BlockBinary { length } => length as usize,
    }
}

/// Number of GGSW keys of a blind rotation over an LWE key of dimension `n`.
pub fn rotation_keys(distribution: KeyDistribution, n: usize) -> usize {
    if distribution.is_signed() { 2 * n } else { n }
}

/// What a blind rotation adds to each coefficient of its result.
///
/// With K keys in blocks of ℓ, rank k, degree N, gadget (B, d), key noise σ², GLWE key variance Var(t) and expected
/// number of non-zero key coefficients h:
/// * key noise: K · 2(k+1)dN · (B²−1)/12 · σ² (the digits are multiplied by X^a − 1, hence the 2);
/// * dropped digits: h · 2 · (1 + kN·Var(t)) · B^−2d/12, for the key's mean does not meet them;
/// * floating point (*ours*): K/ℓ · (1 + kN·Var(t)) · ε², where ε is `block_error_std(B, N, (k+1)d, ℓ, ν)`, see
///   `crates/ring/docs/fft-error.md`, and for words of 128 bits what the limbs leave of it ([`Self::float_variance`]).
///
/// It does not depend on the test vector, nor, but for the floating-point term, on the extension factor ν (Lemma 3).
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
    /// The variance added by one blind rotation on words of 64 bits, with whatever extension.
    pub fn variance(&self) -> f64 {
        self.variance_with(&self.limbs::<u64>(1), None)
    }

    /// The variance added by one blind rotation with these limbs and extension factor ν, or with whatever ν: β_ACC² of
    /// the wide-modulus paper (section 4.2), whose sum of standard deviations σ_GINX + Δ_fft is here one of variances.
    pub fn variance_with(&self, limbs: &WordLimbs, extension: Option<usize>) -> f64 {
        self.gadget_variance() + self.float_variance(limbs, extension)
    }

    /// Floating point (Δ_fft²): what the last limb's transforms err by, and the upper limbs' where rounding does not remove it.
    pub fn float_variance(&self, limbs: &WordLimbs, extension: Option<usize>) -> f64 {
        let (_, upper) = limbs.as_slice().split_last().expect("there is a limb");
        let units = upper.iter().map(|limb| exp2(2 * (limb.low as i32 - 128))).sum::<f64>();
        let upper = units * rounded_second_moment(limbs.upper_error_std());
        // Limbs are chosen for the largest.
        let of_largest = self.block_error(extension) / self.transform_error();
        self.float_factor() * ((of_largest * limbs.error_std()).powi(2) + upper)
    }

    /// The fewest limbs of words `W`, `most` if these are not enough, whose floating-point error is no more than what key noise and
    /// dropped digits add.
    pub fn limbs<W: Torus>(&self, most: usize) -> WordLimbs {
        WordLimbs::new::<W>(self.transform_error(), (self.gadget_variance() / self.float_factor()).sqrt(), most)
    }

    /// Standard deviation, of the torus, by which a coefficient of a block's products with whole words errs, with
    /// whatever extension.
    pub fn transform_error(&self) -> f64 {
        self.block_error(None)
    }

    fn block_error(&self, extension: Option<usize>) -> f64 {
        let Self { shape, gadget, .. } = *self;
        let rows = shape.polynomials() * gadget.levels() as usize;
        let block = rotation_block(self.lwe_distribution);
        fft::block_error_std(gadget.log2_base(), shape.degree, rows, block, extension)
    }

    /// Key noise and dropped digits (σ_GINX²).
    pub fn gadget_variance(&self) -> f64 {
        let Self { lwe_dimension: n, lwe_distribution, shape, gadget, .. } = *self;
        let keys = rotation_keys(lwe_distribution, n) as f64;
        let rows = (shape.polynomials() * gadget.levels() as usize) as f64;
        let odd_digit = (exp2(2 * gadget.log2_base() as i32) - 1.0) / 12.0;
        let key = keys * 2.0 * rows * shape.degree as f64 * odd_digit * self.key_std.powi(2);
        let nonzero = lwe_distribution.mean_weight(n);
        key + nonzero * 2.0 * self.phase_factor() * dropped_variance(gadget)
    }

    /// How often the error of a transform is added, in all coefficients that a phase sums.
    fn float_factor(&self) -> f64 {
        let blocks = rotation_keys(self.lwe_distribution, self.lwe_dimension) / rotation_block(self.lwe_distribution);
        blocks as f64 * self.phase_factor()
    }

    /// 1 + kN·Var(t): the variance of a phase over that of the coefficients.
    fn phase_factor(&self) -> f64 {
        let dimension = self.shape.lwe_dimension();
        1.0 + dimension as f64 * self.glwe_distribution.variance(dimension)
    }
}

/// What LWE key switching adds: d·kN·(B²+2)/12·σ² from the key, kN·Var(t)·B^−2d/12 from the dropped digits, whose mean is
/// compensated (the paper's Lemma 2 has N²/12B'^2d' in other units, without compensation), and the rounding to 2^-32.
pub fn key_switch(input_dimension: usize, input_distribution: KeyDistribution, gadget: Gadget, key_std: f64) -> f64 {
    let n = input_dimension as f64;
    let key = f64::from(gadget.levels()) * n * digit_second_moment(gadget) * (key_std.powi(2) + exp2(-64) / 12.0);
    key + dropped(input_dimension, input_distribution, gadget) + exp2(-64) / 12.0
}

/// What an LWE key switch drops of random words: kN·Var(t)·B^−2d/12.
pub fn dropped(input_dimension: usize, input_distribution: KeyDistribution, gadget: Gadget) -> f64 {
    input_dimension as f64 * input_distribution.variance(input_dimension) * dropped_variance(gadget)
}

/// What [`dither`](crate::keyswitch::dither) adds to a key switch of a binary key of `dimension` words, each that is
/// changed: ((½ + ε)² − (½ − ε)²)/4 for rests ε ≤ 1/16 from half a unit that are rounded to the other side, 1/64 on
/// average.
pub fn dithered(dimension: usize, gadget: Gadget) -> f64 {
    dithered_words(dimension)[0] as f64 * 12.0 / 64.0 * dropped_variance(gadget)
}

/// The same where words change by a whole unit: ¼ unit² each, the key's variance.
pub fn dithered_by_units(dimension: usize, gadget: Gadget) -> f64 {
    dithered_words(dimension)[1] as f64 * 0.25 * 12.0 * dropped_variance(gadget)
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
        KeyDistribution::Ternary | KeyDistribution::SparseTernary { .. } => distribution.mean_weight(n) / 12.0,
        KeyDistribution::BlockBinary { length } => {
            n as f64 / f64::from(length) * mod_switch_block_variance(length as usize)
        }
    };
    (blocks + 1.0 / 12.0) / (modulus * modulus)
}

/// What rounding the masks of a GLWE ciphertext to `mask_bits` bits ([`crate::modswitch::round_glwe_masks`]) and its
/// body to `body_bits` bits adds to each coefficient: kN·Var(t)·2^-2m/12 + 2^-2b/12. Binary keys all have the same,
/// since (t_i − ½)² is ¼ whatever t_i is.
pub fn glwe_rounding(shape: GlweShape, distribution: KeyDistribution, mask_bits: u32, body_bits: u32) -> f64 {
    let dimension = shape.lwe_dimension();
    let masks = dimension as f64 * distribution.variance(dimension) * exp2(-2 * mask_bits as i32);
    (masks + exp2(-2 * body_bits as i32)) / 12.0
}

/// Variances of the coefficients of a packed ciphertext.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedVariance {
    /// Added to each coefficient that holds a message.
    pub message: f64,
    /// The mean variance of all other coefficients (the square of an L2 average), 0 if there are none.
    pub other: f64,
}

/// What packing `inputs` = M samples by key switching adds ([`crate::keyswitch::PackingKey`]; FDFB paper, Section 2.4: as much as
/// a key switch).
///
/// M·d·n·(B²+2)/12·σ² from the keys, in every coefficient; in the block of a sample also its dropped digits, the same error in
/// all of the block: n·Var(t)·B^−2d/12, with the mean compensated.
pub fn packing_key_switch(
    input_dimension: usize,
    input_distribution: KeyDistribution,
    gadget: Gadget,
    key_std: f64,
    inputs: usize,
) -> PackedVariance {
    let n = input_dimension as f64;
    let key = inputs as f64 * f64::from(gadget.levels()) * n * digit_second_moment(gadget) * key_std.powi(2);
    PackedVariance {
        message: key + n * input_distribution.variance(input_dimension) * dropped_variance(gadget),
        other: key,
    }
}

/// The GLWE keys and the gadget of a key switch, and the noise of its rows.
#[derive(Clone, Copy, Debug)]
pub struct GlweKeySwitch {
    /// Rank and degree.
    pub shape: GlweShape,
    /// Distribution of the key.
    pub distribution: KeyDistribution,
    /// Gadget of the decomposition.
    pub gadget: Gadget,
    /// Standard deviation of the rows' noise (of the torus).
    pub key_std: f64,
}

impl GlweKeySwitch {
    /// ‖s‖² = kN·E\[t²\], the expected squared norm of the key.
    fn key_norm(&self) -> f64 {
        self.distribution.mean_weight(self.shape.lwe_dimension())
    }
}

/// What a GLWE key switch of `input_rank` = k' polynomials adds to each coefficient ([`crate::keyswitch::GlweKeySwitchKey`]).
/// `input_norm` is Σ_j ‖s'_j‖², the expected squared norm of the secrets switched from: kN·E\[t²\] for an automorphism,
/// [`square_norm`] for s².
///
/// * key noise: k'·d·N·(B²+2)/12·σ²;
/// * dropped digits: Σ_j ‖s'_j‖²·B^−2d/12;
/// * floating point and rounding to words: below 2^-64 each, times 1 + kN·E\[t²\]; see `crates/ring/docs/fft-error.md`.
pub fn glwe_key_switch(key: &GlweKeySwitch, input_rank: usize, input_norm: f64) -> f64 {
    let GlweKeySwitch { shape, gadget, .. } = *key;
    let rows = input_rank * gadget.levels() as usize;
    let noise = (rows * shape.degree) as f64 * digit_second_moment(gadget) * key.key_std.powi(2);
    let error = fft::error_std(gadget.log2_base(), shape.degree, rows);
    let lower = error * exp2(-(upper_bits(gadget, shape.degree) as i32));
    let float = (lower.powi(2) + exp2(-128) / 12.0) * (1.0 + key.key_norm());
    noise + input_norm * dropped_variance(gadget) + float
}

/// The noise of an encryption by a public key ([`crate::glwe_public`]) whose samples and encryptions have the deviation
/// `std`: (σ² + 2^-128/12)·(kN·(E\[r²\] + E\[s²\]) + 1), rounded to words of 64 bits, of r ternary.
pub fn glwe_public_encryption(shape: GlweShape, distribution: KeyDistribution, std: f64) -> f64 {
    let dimension = shape.lwe_dimension();
    let [randomness, key] = [RANDOMNESS, distribution].map(|kind| kind.second_moment(dimension));
    (std * std + exp2(-128) / 12.0) * (dimension as f64 * (randomness + key) + 1.0)
}

/// What a [ring switch](crate::ring_switch) adds to a ciphertext of degree N = `degree` modulo 2^k, k = `log2_modulus`,
/// under a secret of `weight` nonzero coefficients:
///
/// * key noise: d·N·(B²+2)/12·σ², with as many digits as the modulus has; the last one is a multiple of 2^D where there
///   are D bits less, of second moment (B²+2·4^D)/12;
/// * rounding of masks, ties to even, where there are D bits more than digits have: h·(1+2·4^−D)·B^−2d/12.
pub fn ring_switch(degree: usize, weight: usize, gadget: Gadget, key_std: f64, log2_modulus: u32) -> f64 {
    let levels = log2_modulus.div_ceil(gadget.log2_base()).min(gadget.levels());
    let bits = gadget.log2_base() * levels;
    let [less, more] = [bits.saturating_sub(log2_modulus), log2_modulus.saturating_sub(bits)].map(|d| d as i32);
    let moments = f64::from(levels) * digit_second_moment(gadget) + (exp2(2 * less) - 1.0) / 6.0;
    let rounded = if more > 0 { (1.0 + 2.0 * exp2(-2 * more)) * dropped_variance(gadget) } else { 0.0 };
    degree as f64 * moments * key_std.powi(2) + weight as f64 * rounded
}

/// What a [ring merge](crate::ring_merge) adds to each coefficient, in turns, of GLWE ciphertexts of `shape` that
/// become one of degree N = `degree` under a secret of `weight` nonzero coefficients; with `log2_moduli` = log2 of Q
/// = q_0·q_1 and of q_0:
///
/// * key noise: k·d·N·(B²+2)/12·(σ²+1/12)/Q²;
/// * dropped digits: kN'·E\[t²\]·B^−2d/12;
/// * rounding of the rows' weights: k·d·kN'·E\[t²\]·(B²+2)/12·/12/Q², at most;
/// * rounding to q_0, of the sums and of the body: (2+h)/12/q_0².
pub fn ring_merge(
    shape: GlweShape,
    distribution: KeyDistribution,
    gadget: Gadget,
    degree: usize,
    key_std: f64,
    log2_moduli: [f64; 2],
    weight: usize,
) -> f64 {
    let (rows, norm) =
        (shape.rank as f64 * f64::from(gadget.levels()), distribution.mean_weight(shape.lwe_dimension()));
    let [whole, first] = log2_moduli.map(|log2| (-2.0 * log2).exp2());
    let digits = rows * digit_second_moment(gadget) * whole;
    let key = digits * degree as f64 * (key_std.powi(2) + 1.0 / 12.0);
    key + norm * dropped_variance(gadget) + digits * norm / 12.0 + (2.0 + weight as f64) / 12.0 * first
}

/// The expected ‖s²‖² of the square of a key polynomial of degree N, coefficients independent of mean µ and variance v:
/// µ⁴·(N³+2N)/3 + 4µ²v·N² + 2v²·N².
///
/// With s = µ·(1 + X + … + X^{N−1}) + z: coefficient i of (1 + … + X^{N−1})² is 2i + 2 − N, whose squares sum to (N³+2N)/3; a
/// coefficient of (1 + …)·z is a sum of N values ±z_i; one of z² is a sum of N/2 products 2·z_i·z_j. For a key without mean it is
/// of order N², for a binary one N³/48.
pub fn square_norm(degree: usize, distribution: KeyDistribution) -> f64 {
    let (n, mean, variance) = (degree as f64, distribution.mean(), distribution.variance(degree));
    let n2 = n * n;
    mean.powi(4) * (n2 * n + 2.0 * n) / 3.0 + 4.0 * mean.powi(2) * variance * n2 + 2.0 * variance.powi(2) * n2
}

/// What packing `inputs` = M samples by automorphisms adds ([`crate::keyswitch::TraceKey`]), V the variance of an automorphism's
/// key switch ([`glwe_key_switch`], with k' = k and the norm of the key).
///
/// Levels are halved, so V is added once a level: log2(N)·V for a message. Coefficient i of 2-adic valuation v (i = odd·2^v) is
/// deleted at level log2(N) − v and collects V from then on: (v + 1)·V, below 2V in the mean of those that hold no message.
/// The halves are rounded to even: a word that is odd errs by half its last place, doubled: log2(N)·(1 + kN·E\[t²\])/2·2^-128.
pub fn trace_packing(key: &GlweKeySwitch, inputs: usize) -> PackedVariance {
    let levels = key.shape.degree.ilog2();
    let switch = glwe_key_switch(key, key.shape.rank, key.key_norm());
    let rounding = (1.0 + key.key_norm()) / 2.0 * exp2(-128);
    let message = f64::from(levels) * (switch + rounding);
    // Valuations below log2(N/M): N/2^{v+1} coefficients each.
    let count = |v: u32| exp2((levels - v) as i32 - 1);
    let empty = levels - inputs.max(1).ilog2().min(levels);
    let other = (0..empty).map(|v| count(v) * f64::from(v + 1) * switch).sum::<f64>();
    PackedVariance { message, other: other / (0..empty).map(count).sum::<f64>().max(1.0) }
}

/// What [`crate::keyswitch::TraceKey::spread_into`] adds to the ciphertexts of `inputs` = M samples.
///
/// To a message M² times what packing adds, and V for each level of taking apart, doubled from there on: (M² − 1)/3·V.
/// Rounding to ϕ/M errs by M²·(1 + kN·E\[t²\])·2^-128/12. What is in other coefficients meets others, not itself: M
/// times, and (M − 1)·V.
pub fn spread(key: &GlweKeySwitch, inputs: usize) -> PackedVariance {
    let (count, packed) = (inputs as f64, trace_packing(key, inputs));
    let switch = glwe_key_switch(key, key.shape.rank, key.key_norm());
    let rounding = (1.0 + key.key_norm()) * exp2(-128) / 12.0;
    PackedVariance {
        message: count * count * (packed.message + rounding) + (count * count - 1.0) / 3.0 * switch,
        other: count * packed.other + (count - 1.0) * switch,
    }
}

/// The variance that a CMUX adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MadeGgswVariance {
    /// Of the products e·(a's digits times s): sums of d products of two normal variables, which are no normal one.
    pub products: f64,
    /// Of the rest.
    pub rest: f64,
}

impl MadeGgswVariance {
    /// All of it.
    pub fn sum(self) -> f64 {
        self.products + self.rest
    }
}

/// What a CMUX adds whose GGSW ciphertext of `gadget` is made of samples of variance `sample`
/// ([`crate::circuit_bootstrap`]).
///
/// A row for the body has the sample's error e, with that of its spreading, in the constant coefficient and E in the
/// others; one for the mask e·s + E·s + E', E' of the scheme switch:
///
/// * d·(B²+2)/12 · ((1 + N·E\[t²\])·(e² + N·E²) + N·E'²);
/// * masks rounded to what the gadget keeps, and dropped digits of the body: [`glwe_rounding`];
/// * floating point: `fft::error_std`² of 2d rows, times 1 + N·E\[t²\].
pub fn made_ggsw(key: &GlweKeySwitch, gadget: Gadget, sample: f64) -> MadeGgswVariance {
    let GlweKeySwitch { shape, .. } = *key;
    let (n, phase) = (shape.degree as f64, 1.0 + key.key_norm());
    let switch = glwe_key_switch(key, 2, square_norm(shape.degree, key.distribution) + key.key_norm());
    let spread = spread(key, TOGETHER);
    let rows = phase * n * spread.other + n * switch;
    let digits = f64::from(gadget.levels()) * digit_second_moment(gadget);
    let float = fft::error_std(gadget.log2_base(), shape.degree, 2 * gadget.levels() as usize);
    let kept = gadget.log2_base() * gadget.levels();
    MadeGgswVariance {
        products: digits * phase * (sample + spread.message),
        rest: digits * rows + glwe_rounding(shape, key.distribution, kept, kept) + phase * float.powi(2),
    }
}

/// What packing `inputs` = M samples adds to each coefficient where every one is repeated N/M times: [`trace_packing`],
/// times 1 + X + … + X^(N/M − 1).
/// Key noise of different coefficients is uncorrelated, since digits have no mean. What is dropped is multiplied by
/// Σ X^i·σ(s), most of which is at the roots nearest to 1: known masks tell much of it, unknown ones nothing. So a
/// gadget that drops little is needed where results may be picked by their masks.
pub fn trace_block(key: &GlweKeySwitch, inputs: usize) -> f64 {
    let (packed, block) = (trace_packing(key, inputs), key.shape.degree as f64 / inputs as f64);
    packed.message + (block - 1.0) * packed.other
}

/// Errors of the two factors of a product: variance of what only the constant coefficient has, and of what every
/// coefficient has.
#[derive(Clone, Copy, Debug)]
pub struct FactorVariance {
    /// σ_i²: the error of the sample that was packed.
    pub constant: f64,
    /// σ'_i²: the error of the packing.
    pub polynomial: f64,
}

/// Variance of each coefficient of the error of a BFV product ([`crate::glwe_product`]) modulo p =
/// `plaintext_modulus` of factors that hold messages in their constant coefficients (FDFB paper, Theorem 10),
/// relinearised by `key` of rank 1. Not a sum: this is all of the error.
///
/// With V = (1 + N·E\[t²\])/12, the variance of a coefficient of the integer polynomials u_i, the terms are
///
/// * p²·V·(σ_0² + σ_1²) from p·(u_0·e_1 + u_1·e_0), the dominating one, and N·p²·V·(σ'_0² + σ'_1²);
/// * p²·(σ_0²·σ_1² + σ_0²·σ'_1² + σ'_0²·σ_1² + N·σ'_0²·σ'_1²) from p·e_0·e_1;
/// * the key switch from s²: [`glwe_key_switch`] with [`square_norm`];
/// * rounding to words and floating point (*ours*), over the components 1, s, s² of the product: (1 + 2N·E\[t²\] + ‖s²‖²) ·
///   (2^-128/12 + 2p²·2^-40·error_std(0, N, 1)²).
///
/// Of the theorem's terms, those with Q/P do not apply, there being no P, and those of m_0·e_1 + m_1·e_0, (p²/4)·σ_0² + σ_1²
/// and alike, are within the first: m_i/p + u_i is b_i + a_i·s in real numbers, of mean 0 and variance V whatever the message,
/// so u_i has the mean −m_i/p. (For trivial ciphertexts, where u_i = 0, they are all there is.)
///
/// WoP-PBS reckons with N·p²·V·(σ_0² + σ_1²), N times as much (Proposition 1): what this function gives if the errors of the
/// samples are passed as those of all coefficients.
pub fn glwe_product(key: &GlweKeySwitch, plaintext_modulus: f64, factors: [FactorVariance; 2]) -> f64 {
    let (n, norm) = (key.shape.degree as f64, key.key_norm());
    let p2 = plaintext_modulus.powi(2);
    let [x, y] = factors;
    let lift = p2 * (1.0 + norm) / 12.0;
    let linear = lift * (x.constant + y.constant + n * (x.polynomial + y.polynomial));
    let product = x.constant * (y.constant + y.polynomial) + x.polynomial * (y.constant + n * y.polynomial);
    let square = square_norm(key.shape.degree, key.distribution);
    let float = p2 * exp2(-40) * fft::error_std(0, key.shape.degree, 1).powi(2);
    let rounding = (exp2(-128) / 12.0 + 2.0 * float) * (1.0 + 2.0 * norm + square);
    linear + p2 * product + glwe_key_switch(key, 1, square) + rounding
}

/// How many products with plaintexts below P = `modulus` in size a ciphertext modulo P of noise `std` (of the torus) takes
/// one after the other: ⌊log_P(1/(2·`std`)) − 1⌋ (wide-modulus paper, section 5.1).
///
/// After so many the standard deviation is at most half a window, 1/(2P).
pub fn plaintext_products(modulus: f64, std: f64) -> u32 {
    ((0.5 / std).log2() / modulus.log2() - 1.0).max(0.0) as u32
}

/// How many products with matrices of N̄ = `dimension` rows and columns, entries of either sign below P = `modulus` in size, a
/// vector of N̄ ciphertexts modulo P of noise `std` (of the torus) takes: ⌊log_{P√N̄}(1/(2P·`std`))⌋ (wide-modulus paper,
/// section 5.1).
pub fn matrix_products(modulus: f64, dimension: usize, std: f64) -> u32 {
    let growth = modulus * (dimension as f64).sqrt();
    ((0.5 / (modulus * std)).log2() / growth.log2()).max(0.0) as u32
}
