//! Security of LWE and GLWE samples: bits for a noise, least noise for the project's rule.
//!
//! The data (`data/security.csv`, an extract of the project's research with the lattice-estimator's commit in its
//! header) give, for two models, the noise that 128 and 132 bits need:
//!
//! - *standard*: the estimator's attacks; for block-binary keys with guesses that use the block structure;
//! - *strict*: these and dual attacks taken at face value, with every choice made for the attacker. It is the margin.
//!
//! The **rule**: standard ≥ 132 bits and strict ≥ 128 bits, and a key of at least 472 bits of entropy (a search of a
//! key space S costs about S^0.28; 0.28·472 = 132).
//!
//! Bits between and beyond the data are *lower bounds*. Bits are a convex function of log2(σ/q), so the line through
//! two points on one side never exceeds it. A dimension of LWE above the data has at least the bits of the largest one
//! there: who solves it solves the smaller one, with key coefficients of their own for the rest. Such a bound says so
//! ([`SecurityEstimate::is_bound`]), and the rule's least noise makes no use of it. What the data do not carry is an
//! error, not a guess. One cost model (MATZOV, classical), no quantum speed-ups, no use of the ring structure.
//!
//! Rings over a wide RNS modulus have a fixed noise of 3.19 instead, and a largest modulus: `rns`.

mod rns;

use std::sync::OnceLock;

use bootes_ring::sample::KeyDistribution;
use thiserror::Error;

pub use rns::{RnsSecurity, Target, rns, rns_max_log2_modulus};

/// Cost exponent of a search of the key space: S^0.28.
const ENTROPY_EXPONENT: f64 = 0.28;
/// The least entropy, in bits, of a key that the rule accepts.
const MIN_ENTROPY_BITS: f64 = 472.0;
/// Bits of the rule in the standard model.
const STANDARD_TARGET: f64 = 132.0;
/// Bits of the rule in the strict model.
const STRICT_TARGET: f64 = 128.0;
/// Estimates are not carried below this many bits.
const MIN_BITS: f64 = 100.0;
/// Estimates are not carried further than this above the last point; they stop growing there.
const MAX_GAIN: f64 = 32.0;
/// log2 of the least standard deviation, in units of 1/q, that the research has checked (3.19).
const MIN_LOG2_SIGMA: f64 = 1.67;
/// log2 of the least standard deviation, in units of 1/q, that the rule gives (4).
const RULE_MIN_LOG2_SIGMA: f64 = 2.0;
/// Moduli of the GLWE data reach 2^128.
const MAX_LOG2_MODULUS: u32 = 128;

/// Why there is no estimate.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SecurityError {
    /// No data for this key distribution here.
    #[error("no security data for {problem} with {distribution} keys; use another key distribution")]
    Distribution {
        /// The distribution asked for.
        distribution: KeyDistribution,
        /// The problem: LWE, GLWE or RNS moduli.
        problem: &'static str,
    },
    /// The LWE dimension is below the data (or above, where bounds do not count). For block-binary keys they begin at
    /// the entropy floor.
    #[error("no security data for LWE dimension {found} with {distribution} keys; choose one in {min}..={max}")]
    LweDimension {
        /// The distribution of the key.
        distribution: KeyDistribution,
        /// The dimension asked for.
        found: usize,
        /// The smallest dimension with data.
        min: usize,
        /// The largest dimension with data.
        max: usize,
    },
    /// The dimension is not a whole number of blocks.
    #[error(
        "dimension {found} is not a whole number of blocks of a {distribution} key; choose a multiple of the length"
    )]
    Blocks {
        /// The distribution of the key.
        distribution: KeyDistribution,
        /// The dimension asked for.
        found: usize,
    },
    /// The GLWE dimension (rank times degree) is not in the data.
    #[error("no security data for GLWE dimension {found} with {distribution} keys; choose one of {available:?}")]
    GlweDimension {
        /// The distribution of the key.
        distribution: KeyDistribution,
        /// The dimension asked for.
        found: usize,
        /// The dimensions with data.
        available: Vec<usize>,
    },
    /// The ring degree is not in the data of RNS moduli.
    #[error(
        "no security data for RNS moduli of ring degree {found} with {distribution} keys; choose one of {available:?}"
    )]
    Degree {
        /// The distribution of the key.
        distribution: KeyDistribution,
        /// The degree asked for.
        found: usize,
        /// The degrees with data.
        available: Vec<usize>,
    },
    /// The weight of a sparse key is odd, exceeds the degree, or is below the data.
    #[error(
        "no security data for sparse keys of weight {found} in degree {degree}; choose an even one in {min}..={degree}"
    )]
    Weight {
        /// The weight asked for.
        found: u32,
        /// The ring degree.
        degree: usize,
        /// The smallest weight with data.
        min: u32,
    },
    /// The modulus is outside the data.
    #[error("no security data for modulus 2^{found}; choose one up to 2^{max}")]
    Modulus {
        /// log2 of the modulus asked for.
        found: u32,
        /// log2 of the largest modulus with data.
        max: u32,
    },
    /// The noise is too small, or not a number: below about 100 bits, or below 3.19 units of the modulus.
    #[error(
        "log2 of the noise's standard deviation, {found}, is below the security data, which begin near {min}; the parameters are insecure"
    )]
    Noise {
        /// log2(sigma/q) asked for.
        found: f64,
        /// About the least log2(sigma/q) with an estimate.
        min: f64,
    },
}

/// Bits of security of one set of samples. Lower bounds from the data, see the module.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecurityEstimate {
    /// log2 of the cost of the best attack in the standard model, or of a search of the key space.
    pub standard_bits: f64,
    /// log2 of the cost of the best attack in the strict model, or of a search of the key space.
    pub strict_bits: f64,
    /// Entropy of the key, in bits.
    pub entropy_bits: f64,
    /// Whether bits are those of a smaller dimension, the largest one of the data: a bound that may be several bits
    /// low.
    pub is_bound: bool,
}

impl SecurityEstimate {
    /// Whether the project's rule accepts: standard ≥ 132, strict ≥ 128, entropy ≥ 472 (all in bits).
    pub fn meets_rule(&self) -> bool {
        // The least noise of the rule, rounded, must pass.
        const ROUNDING: f64 = 1e-6;
        self.standard_bits >= STANDARD_TARGET - ROUNDING
            && self.strict_bits >= STRICT_TARGET - ROUNDING
            && self.entropy_bits >= MIN_ENTROPY_BITS
    }

    /// The security of both sets of samples: the smaller figure in each field, a bound if one of these bits is.
    pub fn min(self, other: Self) -> Self {
        let weaker = if self.standard_bits < other.standard_bits { self } else { other };
        let weaker_strict = if self.strict_bits < other.strict_bits { self } else { other };
        Self {
            standard_bits: weaker.standard_bits,
            strict_bits: weaker_strict.strict_bits,
            entropy_bits: self.entropy_bits.min(other.entropy_bits),
            is_bound: weaker.is_bound || weaker_strict.is_bound,
        }
    }
}

/// Bits of LWE samples of dimension `n`, any number of them, with noise of log2(σ/q) = `log2_std`.
///
/// Within about 1 bit of the research's own figures from 119 to 132 bits, and up to 3 below them at 112.
///
/// Domain: the dimensions of the data (binary and ternary 500..=1300; block-binary of length 2, 3, 4, 5, 7, 8 from the
/// entropy floor to about 1300) and, as a bound, those above; noise of 100 bits or more.
///
/// # Errors
/// Outside the domain.
pub fn lwe(distribution: KeyDistribution, n: usize, log2_std: f64) -> Result<SecurityEstimate, SecurityError> {
    let (fits, at) = match lwe_fits(distribution, n) {
        Err(SecurityError::LweDimension { max, .. }) if n > max && distribution.accepts(n) => {
            (lwe_fits(distribution, max)?, max)
        }
        fits => (fits?, n),
    };
    let bits = |model: [&Fit; 2]| bits_at(&model.map(|fit| Point { log2_std: fit.at(at), bits: fit.bits }), log2_std);
    let estimate = estimate(distribution, n, bits(fits.standard)?, bits(fits.strict)?);
    Ok(SecurityEstimate { is_bound: at < n, ..estimate })
}

/// Bits of GLWE samples of `dimension` = rank·degree over Z_q, q = 2^`log2_modulus`, with noise of log2(σ/q) =
/// `log2_std`.
///
/// Domain: binary and ternary keys, dimension 1024, 1536, 2048, 3072, 4096 or 8192, q up to 2^128, σ of at least 3.19
/// and enough for 100 bits. Only σ/q matters, so a modulus that is not in the data is read at the same σ/q.
///
/// # Errors
/// Outside the domain.
pub fn glwe(
    distribution: KeyDistribution,
    dimension: usize,
    log2_modulus: u32,
    log2_std: f64,
) -> Result<SecurityEstimate, SecurityError> {
    let points = glwe_points(distribution, dimension, log2_modulus)?;
    let floor = MIN_LOG2_SIGMA - f64::from(log2_modulus);
    if log2_std.is_nan() || log2_std < floor {
        return Err(SecurityError::Noise { found: log2_std, min: floor });
    }
    Ok(estimate(distribution, dimension, bits_at(&points.standard, log2_std)?, bits_at(&points.strict, log2_std)?))
}

/// The least log2(σ/q) that the rule allows for LWE of dimension `n`: the larger of standard-132 and strict-128.
///
/// `None` outside the data, and for a key of less than 472 bits of entropy: no noise repairs that.
pub fn minimum_log2_std_lwe(distribution: KeyDistribution, n: usize) -> Option<f64> {
    if distribution.entropy_bits(n) < MIN_ENTROPY_BITS {
        return None;
    }
    let fits = lwe_fits(distribution, n).ok()?;
    let [strict, _] = fits.strict;
    let [_, standard] = fits.standard;
    Some(strict.at(n).max(standard.at(n)))
}

/// The least log2(σ/q) that the rule allows for GLWE of `dimension` = rank·degree, q = 2^`log2_modulus`; σ is at
/// least 4.
///
/// `None` outside the data of [`glwe`].
pub fn minimum_log2_std_glwe(distribution: KeyDistribution, dimension: usize, log2_modulus: u32) -> Option<f64> {
    if distribution.entropy_bits(dimension) < MIN_ENTROPY_BITS {
        return None;
    }
    let points = glwe_points(distribution, dimension, log2_modulus).ok()?;
    let first =
        |points: &[Point], target: f64| points.iter().find(|point| point.bits >= target).map(|point| point.log2_std);
    let standard = first(&points.standard, STANDARD_TARGET)?;
    let strict = first(&points.strict, STRICT_TARGET)?;
    Some(standard.max(strict).max(RULE_MIN_LOG2_SIGMA - f64::from(log2_modulus)))
}

/// The commit of the lattice-estimator whose formulas the data come from.
pub fn estimator_commit() -> &'static str {
    DATA.lines()
        .find_map(|line| line.strip_prefix("# lattice-estimator commit "))
        .and_then(|rest| rest.split(';').next())
        .expect("the security data name the estimator's commit")
}

fn estimate(distribution: KeyDistribution, n: usize, standard: f64, strict: f64) -> SecurityEstimate {
    let entropy_bits = distribution.entropy_bits(n);
    let cap = ENTROPY_EXPONENT * entropy_bits;
    SecurityEstimate { standard_bits: standard.min(cap), strict_bits: strict.min(cap), entropy_bits, is_bound: false }
}

/// A lower bound of the bits at `x`, from points in increasing order of noise; they lie on a convex rising curve.
fn bits_at(points: &[Point], x: f64) -> Result<f64, SecurityError> {
    let line = |a: &Point, b: &Point| a.bits + (b.bits - a.bits) * (x - a.log2_std) / (b.log2_std - a.log2_std);
    let lowest = points[0];
    match points.iter().rposition(|point| point.log2_std <= x) {
        None => {
            // Below the first point: only where it is one of about 128 bits, so that little is left to extend over.
            let start = match points {
                [a, b, ..] if a.bits <= STANDARD_TARGET => {
                    let start = a.log2_std - (a.bits - MIN_BITS) * (b.log2_std - a.log2_std) / (b.bits - a.bits);
                    if x >= start {
                        return Ok(line(a, b));
                    }
                    start
                }
                _ => lowest.log2_std,
            };
            Err(SecurityError::Noise { found: x, min: start })
        }
        Some(i) => {
            let left = points[i];
            let cap = points.get(i + 1).map_or(left.bits + MAX_GAIN, |right| right.bits);
            let extended = match i {
                // Between the points of about 128 and 132 bits the chord is as exact as the data.
                0 if points.len() > 1 && points[1].bits - left.bits < 6.0 => line(&left, &points[1]),
                0 => left.bits,
                _ => line(&points[i - 1], &left),
            };
            Ok(extended.clamp(left.bits, cap))
        }
    }
}

/// One point of the data: this noise gives these bits.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    log2_std: f64,
    bits: f64,
}

/// One line of the data: noise slope·n + intercept gives `bits` for n in min..=max.
#[derive(Debug, Clone, Copy)]
struct Fit {
    distribution: KeyDistribution,
    strict: bool,
    bits: f64,
    min: usize,
    max: usize,
    slope: f64,
    intercept: f64,
}

impl Fit {
    fn at(&self, n: usize) -> f64 {
        self.slope * n as f64 + self.intercept
    }
}

/// The points of one GLWE key distribution and dimension, in increasing order of noise.
#[derive(Debug)]
struct GlwePoints {
    distribution: KeyDistribution,
    dimension: usize,
    standard: Vec<Point>,
    strict: Vec<Point>,
}

#[derive(Debug, Default)]
struct Data {
    fits: Vec<Fit>,
    glwe: Vec<GlwePoints>,
}

/// The lines of 128 and 132 bits, in this order.
struct LweFits {
    standard: [&'static Fit; 2],
    strict: [&'static Fit; 2],
}

fn lwe_fits(distribution: KeyDistribution, n: usize) -> Result<LweFits, SecurityError> {
    let find = |strict: bool, bits: f64| {
        data().fits.iter().find(|fit| fit.distribution == distribution && fit.strict == strict && fit.bits == bits)
    };
    let (Some(a), Some(b), Some(c), Some(d)) =
        (find(false, 128.0), find(false, 132.0), find(true, 128.0), find(true, 132.0))
    else {
        return Err(SecurityError::Distribution { distribution, problem: "LWE" });
    };
    if !(a.min..=a.max).contains(&n) {
        return Err(SecurityError::LweDimension { distribution, found: n, min: a.min, max: a.max });
    }
    if !distribution.accepts(n) {
        return Err(SecurityError::Blocks { distribution, found: n });
    }
    Ok(LweFits { standard: [a, b], strict: [c, d] })
}

fn glwe_points(
    distribution: KeyDistribution,
    dimension: usize,
    log2_modulus: u32,
) -> Result<&'static GlwePoints, SecurityError> {
    let of_key = || data().glwe.iter().filter(|points| points.distribution == distribution);
    if of_key().next().is_none() {
        return Err(SecurityError::Distribution { distribution, problem: "GLWE" });
    }
    if log2_modulus == 0 || log2_modulus > MAX_LOG2_MODULUS {
        return Err(SecurityError::Modulus { found: log2_modulus, max: MAX_LOG2_MODULUS });
    }
    of_key().find(|points| points.dimension == dimension).ok_or_else(|| SecurityError::GlweDimension {
        distribution,
        found: dimension,
        available: of_key().map(|points| points.dimension).collect(),
    })
}

const DATA: &str = include_str!("../data/security.csv");

fn data() -> &'static Data {
    static PARSED: OnceLock<Data> = OnceLock::new();
    PARSED.get_or_init(|| parse(DATA).expect("the security data inside the crate are well formed"))
}

/// Reads the table; `None` if a line is malformed.
fn parse(text: &str) -> Option<Data> {
    let key = |name: &str, length: &str| match name {
        "binary" => Some(KeyDistribution::Binary),
        "ternary" => Some(KeyDistribution::Ternary),
        "block" => Some(KeyDistribution::BlockBinary { length: length.parse().ok()? }),
        _ => None,
    };
    let strict = |name: &str| match name {
        "standard" => Some(false),
        "strict" => Some(true),
        _ => None,
    };
    let mut data = Data::default();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        match fields[..] {
            ["fit", name, length, model, bits, min, max, slope, intercept] => data.fits.push(Fit {
                distribution: key(name, length)?,
                strict: strict(model)?,
                bits: bits.parse().ok()?,
                min: min.parse().ok()?,
                max: max.parse().ok()?,
                slope: slope.parse().ok()?,
                intercept: intercept.parse().ok()?,
            }),
            ["point", name, dimension, _log2_modulus, model, log2_std, bits] => {
                let (distribution, dimension) = (key(name, "")?, dimension.parse().ok()?);
                let point = Point { log2_std: log2_std.parse().ok()?, bits: bits.parse().ok()? };
                let at = match data.glwe.iter().position(|p| p.distribution == distribution && p.dimension == dimension)
                {
                    Some(at) => at,
                    None => {
                        data.glwe.push(GlwePoints { distribution, dimension, standard: vec![], strict: vec![] });
                        data.glwe.len() - 1
                    }
                };
                let points = if strict(model)? { &mut data.glwe[at].strict } else { &mut data.glwe[at].standard };
                // The same σ/q under several moduli is one point; the least bits count.
                match points.iter_mut().find(|known| known.log2_std == point.log2_std) {
                    Some(known) => known.bits = known.bits.min(point.bits),
                    None => points.push(point),
                }
            }
            _ => return None,
        }
    }
    for points in &mut data.glwe {
        points.standard.sort_by(|a, b| a.log2_std.total_cmp(&b.log2_std));
        points.strict.sort_by(|a, b| a.log2_std.total_cmp(&b.log2_std));
    }
    Some(data)
}

#[cfg(test)]
mod tests;
