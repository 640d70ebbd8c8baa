//! Sets without bootstrapping: the smallest ring and modulus that so many products in a row take.
//!
//! For `slots_P_depth_D` the rule is that this program keeps its promise, at worst and not in the mean: x_0 is fresh,
//! also by a public key; x_(i + 1) is y·z, or a sum of 2^ρ such products, where y and z are rotations of x_i. D
//! products in a row are x_D, and x_D decrypts. The room is ρ = max(log2 k, ½·log2 p + 1, 8) bits, of k slots: for
//! the sum of all slots, for sums of two values of different factors f, and for small constants.
//!
//! A prime of the chain is as large as what is divided away: after the first products, whose factors have the noise
//! of public encryptions, that much; after the next ones what a product of two roundings has. The last ones are
//! decrypted. Sizes are those of [`BfvParams`], with the most digits that a key switch may have.
//! `slots_P_depth_D_ring_L` is the same in the larger ring of N = 2^L, for more slots.
//!
//! P may be a power of two, of which a ciphertext holds one value: k = 1, and there are no rotations.
use bootes_lattice::security::rns;
use bootes_ring::sample::KeyDistribution;
use bootes_schemes::bfv::{BfvLiteral, BfvParams, BfvSchemeError};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::{GaloisGroup, NOISE_STD, RlweParams, TOLD_BITS};

use super::params::bootstrapped;
use crate::{BfvLutError, LutError};

/// log2 of the rings that sets have, the smallest first.
const LOG2_DEGREES: std::ops::RangeInclusive<u32> = 12..=16;
pub(super) const TOY_LOG2_DEGREE: u32 = 8;

/// Digits of a key switch, at most: those that a plan counts.
pub(super) const MOST_DIGITS: usize = 7;

/// Bits of primes.
const PRIME_BITS: std::ops::RangeInclusive<u32> = 28..=50;

/// What the sizes of primes, which are next below powers of two, may lack, in bits.
const LACK: f64 = 0.25;

/// log2(2^a + 2^b).
fn log2_sum(a: f64, b: f64) -> f64 {
    a.max(b) + (1.0 + (-(a - b).abs()).exp2()).log2()
}

/// Bits of the modulus that are divided away, from the last to the first, for so many products in a row: those that are
/// left at the end, after each product, after the first.
fn blocks(log2_degree: u32, base: u64, log2_modulus: f64, depth: u32) -> Result<Vec<f64>, BfvSchemeError> {
    let degree = 1usize << log2_degree;
    let slots = match base.is_power_of_two() {
        true => 1,
        false => GaloisGroup::finite(degree, base).map_err(BfvSchemeError::from)?.slots(),
    };
    let (n, slots) = (degree as f64, slots as f64);
    let room = slots.log2().max(log2_modulus / 2.0 + 1.0).max(8.0);
    let (tail, weight) = (BfvParams::tail_of(degree), 2.0 * n / 3.0);
    // |s(ζ)| at most.
    let key = (weight * RlweParams::max_slot_value_of(degree)).sqrt();
    let random = |variance: f64| log2_modulus + (variance * n).log2() / 2.0 + tail.log2();
    let rounded = random(1.0 / 12.0) + (1.0 + key).log2();
    let message = log2_modulus - 1.0 + n.log2();
    let public = random(NOISE_STD.powi(2) * (2.0 * weight + 1.0)) + tail.max(key).log2();
    let digits = MOST_DIGITS as f64;
    let switched = log2_sum(random(NOISE_STD.powi(2) * n * digits / 12.0) + tail.log2(), rounded);
    let fresh = log2_sum(log2_sum(message, public), switched + (1.0 + slots.log2()).log2());
    // The rest of a division beside what it rounds, and the key switch of a product beside it.
    let (divided, product) = (rounded + 1.0, |size: f64| 2.0 * size + room + 0.5);
    // Half of the modulus is for signs.
    let last = |size: f64| product(size) + 1.0;
    Ok(match depth {
        1 => vec![last(fresh)],
        _ => {
            let middle = std::iter::repeat_n(product(divided) - rounded, depth as usize - 2);
            std::iter::once(last(divided)).chain(middle).chain([product(fresh) - rounded]).collect()
        }
    })
}

/// As many primes as a block takes, of one size.
fn primes_of(bits: f64, least: usize) -> (u32, usize) {
    let most = f64::from(*PRIME_BITS.end()) - LACK;
    let count = ((bits / most).ceil() as usize).max(least);
    (((bits / count as f64 + LACK).ceil() as u32).max(*PRIME_BITS.start()), count)
}

/// The most products in a row that are looked for.
const MAX_DEPTH: u32 = 60;

/// The set for vectors modulo p^r and so many products in a row, in the smallest ring of `least` and more that is
/// secure, with the smallest keys.
///
/// # Errors
/// [`BfvLutError::Depth`] where none is secure.
pub(super) fn literal(base: u64, r: u32, depth: u32, least: u32, toy: bool) -> Result<BfvLiteral, LutError> {
    let of = |depth: u32| smallest(base, r, depth, least, toy);
    if (1..=MAX_DEPTH).contains(&depth)
        && let Some(literal) = of(depth)?
    {
        return Ok(literal);
    }
    let mut less = (1..=if depth == 0 { MAX_DEPTH } else { depth.min(MAX_DEPTH) }).rev();
    let most = less.find(|&depth| matches!(of(depth), Ok(Some(_)))).unwrap_or(0);
    let bootstrapped = bootstrapped(base, r);
    Err(BfvLutError::Depth { modulus: base.pow(r), depth, most, bootstrapped }.into())
}

/// The same, if there is one.
fn smallest(base: u64, r: u32, depth: u32, least: u32, toy: bool) -> Result<Option<BfvLiteral>, LutError> {
    let log2_modulus = f64::from(r) * (base as f64).log2();
    let degrees = if toy { TOY_LOG2_DEGREE..=TOY_LOG2_DEGREE } else { LOG2_DEGREES };
    for log2_degree in degrees.filter(|&log2_degree| log2_degree >= least) {
        // Two primes at least: one is left when the other is divided away.
        let blocks = blocks(log2_degree, base, log2_modulus, depth)?;
        let runs = blocks.iter().enumerate().map(|(i, &bits)| primes_of(bits, if i == 0 { 2 } else { 1 }));
        let runs: Vec<(u32, usize)> = runs.collect();
        let count: usize = runs.iter().map(|(_, count)| count).sum();
        let bits: u32 = runs.iter().map(|&(bits, count)| bits * count as u32).sum();
        // No digit has more bits than the special primes.
        let special_bits = runs.iter().map(|(bits, _)| *bits).max().unwrap_or(0);
        let is_secure = |digit_primes: usize| {
            let all = f64::from(bits + special_bits * digit_primes as u32);
            toy || rns(KeyDistribution::Ternary, 1 << log2_degree, all)
                .is_ok_and(|security| security.with_told(TOLD_BITS).meets_rule())
        };
        let limbs = |digit_primes: usize| count.div_ceil(digit_primes) * (count + digit_primes);
        let digits = (1..=count).filter(|&digit_primes| count.div_ceil(digit_primes) <= MOST_DIGITS);
        let Some(digit_primes) = digits.filter(|&few| is_secure(few)).min_by_key(|&few| limbs(few)) else { continue };
        let (base_bits, first) = runs[0];
        let primes = std::iter::once((base_bits, first - 1)).chain(runs[1..].iter().copied()).collect();
        return Ok(Some(BfvLiteral {
            name: String::new(),
            class: if toy { SetClass::Toy } else { SetClass::Secure },
            log2_degree,
            base,
            exponent: r,
            base_bits,
            primes,
            digit_primes,
            special_primes: digit_primes,
            special_bits,
            weight: 0,
            sparse_weight: 0,
        }));
    }
    Ok(None)
}
