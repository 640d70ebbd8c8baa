//! Security of RLWE over an RNS modulus: the largest log2(QP) of a ring degree and a key.
//!
//! QP is the whole modulus, special (key-switching) primes included, and the noise has standard deviation 3.19. The
//! data (`data/security-rns.csv`) are rows for single ring degrees; for dense ternary keys the largest modulus for 128
//! bits is the smaller of the estimate and of the published table (Bossuat et al., eprint 2024/463, Table 5.2), 1 below
//! that table for N = 2^16 and 2^17. For sparse keys there is no interpolation: a weight between two rows has the bound
//! of the smaller one, as a key with more nonzero coefficients is at least as hard to find.
//!
//! # Sparse keys
//!
//! The rule of the parent module asks for a key of 472 bits of entropy, of the key of *encapsulation* as of any other:
//! it hides the secret key. Weight 32 has 327 (N = 2^13), 391 (2^15) or 423 (2^16): Meet-LWE, at S^0.28 operations and
//! as much memory, would find it in 2^92, 2^109.6 or 2^118.6, whatever the modulus, and the estimator behind the data
//! does not cost this attack. Published schemes accept weight 32; weight 40 meets the floor from N = 2^15 on, with
//! 2^133.8 and 2^145. [`RnsSecurity::bits`] is the least of all estimates.

use std::sync::OnceLock;

use bootes_ring::sample::KeyDistribution;

use super::{ENTROPY_EXPONENT, MIN_ENTROPY_BITS, SecurityError};

/// The bits that are asked for, in the terms of the parent module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// 128 bits in both models, and by the published table where there is one.
    Bits128,
    /// 132 bits in the standard model, and [`Target::Bits128`]: the project's rule but for the entropy.
    Bits132,
}

/// The security of RLWE samples over an RNS modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RnsSecurity {
    /// log2(QP) of the samples.
    pub log2_modulus: f64,
    /// The largest log2(QP) for [`Target::Bits128`].
    pub max_log2_modulus_128: u32,
    /// The largest log2(QP) for [`Target::Bits132`].
    pub max_log2_modulus_132: u32,
    /// Entropy of the key, in bits.
    pub entropy_bits: f64,
    /// log2 of how many keys there are for each that it may be by what is known of it.
    pub told_bits: f64,
}

impl RnsSecurity {
    /// Bits of security: the least of lattice attacks and the search of the key, less what is told about the key.
    ///
    /// Lattice attacks by the line through the largest moduli for 128 and 132 bits. Bits are a convex function of the
    /// modulus, so the line is below them outside of these two, and a fraction of a bit above between them, where the
    /// rule accepts nothing.
    pub fn bits(&self) -> f64 {
        let [max_128, max_132] = [self.max_log2_modulus_128, self.max_log2_modulus_132].map(f64::from);
        let lattice = 128.0 + 4.0 * (max_128 - self.log2_modulus) / (max_128 - max_132);
        lattice.min(self.key_search_bits()) - self.told_bits
    }

    /// The same where a fact about the key is known that one key in 2^`bits` shares: 2^`bits` times the advantage.
    #[must_use]
    pub fn with_told(self, bits: f64) -> Self {
        Self { told_bits: self.told_bits + bits, ..self }
    }

    /// The larger target that is reached by lattice attacks; `None` below 128 bits.
    pub fn reached(&self) -> Option<Target> {
        [Target::Bits132, Target::Bits128].into_iter().find(|&target| self.reaches(target))
    }

    /// Whether lattice attacks cost as much as `target` asks for.
    pub fn reaches(&self, target: Target) -> bool {
        let max = match target {
            Target::Bits128 => self.max_log2_modulus_128,
            Target::Bits132 => self.max_log2_modulus_132,
        };
        self.log2_modulus <= f64::from(max)
    }

    /// Whether the key has 472 bits of entropy.
    pub fn meets_entropy_floor(&self) -> bool {
        self.entropy_bits >= MIN_ENTROPY_BITS
    }

    /// log2 of the cost of a search of the key space S: log2(S^0.28).
    pub fn key_search_bits(&self) -> f64 {
        ENTROPY_EXPONENT * self.entropy_bits
    }

    /// Whether the project's rule accepts: 132 bits by all estimates, and the floor on entropy.
    pub fn meets_rule(&self) -> bool {
        self.reaches(Target::Bits132) && self.meets_entropy_floor() && self.bits() >= 132.0
    }
}

/// The largest log2(QP), rounded down, with which RLWE of ring degree `degree` reaches `target`; noise 3.19.
///
/// Domain: ternary keys, degree 2^10..=2^17; sparse ternary keys of weight 32 (2^13, 2^15, 2^16), 64 and 128
/// (2^14..=2^16), 192 and 256 (2^14..=2^17), and larger weights by the row below.
///
/// # Errors
/// Outside the domain.
pub fn rns_max_log2_modulus(
    distribution: KeyDistribution,
    degree: usize,
    target: Target,
) -> Result<u32, SecurityError> {
    row(distribution, degree).map(|row| match target {
        Target::Bits128 => row.bits_128,
        Target::Bits132 => row.bits_132,
    })
}

/// Which of 128 and 132 bits RLWE of ring degree `degree` reaches with log2(QP) = `log2_modulus`; noise 3.19.
///
/// # Errors
/// Outside the domain of [`rns_max_log2_modulus`].
pub fn rns(distribution: KeyDistribution, degree: usize, log2_modulus: f64) -> Result<RnsSecurity, SecurityError> {
    let row = row(distribution, degree)?;
    Ok(RnsSecurity {
        log2_modulus,
        max_log2_modulus_128: row.bits_128,
        max_log2_modulus_132: row.bits_132,
        entropy_bits: distribution.entropy_bits(degree),
        told_bits: 0.0,
    })
}

/// The largest log2(QP) of a ring degree; weight 0 stands for dense keys.
#[derive(Debug, Clone, Copy)]
struct Row {
    weight: u32,
    degree: usize,
    bits_128: u32,
    bits_132: u32,
}

fn row(distribution: KeyDistribution, degree: usize) -> Result<Row, SecurityError> {
    let weights = match distribution {
        KeyDistribution::Ternary => 0..=0,
        KeyDistribution::SparseTernary { weight } => {
            let min = rows().iter().map(|row| row.weight).filter(|&weight| weight > 0).min().unwrap_or(0);
            if weight < min || !distribution.accepts(degree) {
                return Err(SecurityError::Weight { found: weight, degree, min });
            }
            min..=weight
        }
        _ => return Err(SecurityError::Distribution { distribution, problem: "RNS moduli" }),
    };
    let of_key = || rows().iter().filter(|row| weights.contains(&row.weight));
    of_key().filter(|row| row.degree == degree).max_by_key(|row| row.weight).copied().ok_or_else(|| {
        let mut available: Vec<usize> = of_key().map(|row| row.degree).collect();
        available.sort_unstable();
        available.dedup();
        SecurityError::Degree { distribution, found: degree, available }
    })
}

fn rows() -> &'static [Row] {
    static PARSED: OnceLock<Vec<Row>> = OnceLock::new();
    PARSED.get_or_init(|| {
        parse(include_str!("../../data/security-rns.csv")).expect("the security data inside the crate are well formed")
    })
}

/// Reads the table; `None` if a line is malformed.
fn parse(text: &str) -> Option<Vec<Row>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let [key, weight, degree, published, standard_128, strict_128, standard_132] =
                line.split(',').collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let weight = match key {
                "ternary" => 0,
                "sparse" => weight.parse().ok()?,
                _ => return None,
            };
            let published = if published.is_empty() { u32::MAX } else { published.parse().ok()? };
            let bits_128 = published.min(standard_128.parse().ok()?).min(strict_128.parse().ok()?);
            let bits_132 = bits_128.min(standard_132.parse().ok()?);
            Some(Row { weight, degree: degree.parse().ok()?, bits_128, bits_132 })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERNARY: KeyDistribution = KeyDistribution::Ternary;
    const fn sparse(weight: u32) -> KeyDistribution {
        KeyDistribution::SparseTernary { weight }
    }

    fn limits(distribution: KeyDistribution, log2_degree: u32) -> [u32; 2] {
        [Target::Bits128, Target::Bits132]
            .map(|target| rns_max_log2_modulus(distribution, 1 << log2_degree, target).unwrap())
    }

    #[test]
    fn every_row() {
        let dense = [(10, [26, 25]), (11, [53, 51]), (12, [106, 103]), (13, [214, 208]), (14, [430, 418])];
        let wide = [(15, [868, 842]), (16, [1746, 1697]), (17, [3522, 3416])];
        for (log2_degree, expected) in dense.into_iter().chain(wide) {
            assert_eq!(limits(TERNARY, log2_degree), expected, "2^{log2_degree}");
        }
        let sparse_rows = [
            (32, 13, [48, 42], 327.0),
            (32, 15, [220, 195], 391.0),
            (32, 16, [482, 428], 423.0),
            (64, 14, [270, 253], 660.0),
            (64, 15, [558, 525], 725.0),
            (64, 16, [1161, 1092], 789.0),
            (128, 14, [372, 357], 1199.0),
            (128, 15, [755, 725], 1328.0),
            (128, 16, [1538, 1475], 1456.0),
            (192, 14, [402, 388], 1690.0),
            (192, 15, [810, 781], 1883.0),
            (192, 16, [1638, 1580], 2075.0),
            (192, 17, [3318, 3204], 2267.0),
            (256, 14, [416, 402], 2149.0),
            (256, 15, [833, 806], 2406.0),
            (256, 16, [1680, 1624], 2663.0),
            (256, 17, [3395, 3285], 2919.0),
        ];
        for (weight, log2_degree, expected, entropy) in sparse_rows {
            let key = sparse(weight);
            assert_eq!(limits(key, log2_degree), expected, "{key} 2^{log2_degree}");
            assert!((key.entropy_bits(1 << log2_degree) - entropy).abs() <= 1.0, "{key} 2^{log2_degree}");
        }
        assert_eq!(rows().len(), 8 + sparse_rows.len());
    }

    #[test]
    fn more_weight_or_degree_never_loses() {
        for row in rows() {
            assert!(row.bits_132 < row.bits_128);
            let weight = |row: &Row| if row.weight == 0 { u32::MAX } else { row.weight };
            for other in rows().iter().filter(|o| weight(o) >= weight(row) && o.degree >= row.degree) {
                assert!(other.bits_128 >= row.bits_128 && other.bits_132 >= row.bits_132, "{row:?} {other:?}");
            }
        }
        // Between the rows of the data, the one below; and a degree that only a smaller weight has.
        assert_eq!(limits(sparse(200), 15), limits(sparse(192), 15));
        assert_eq!(limits(sparse(62), 16), limits(sparse(32), 16));
        assert_eq!(limits(sparse(1 << 15), 15), limits(sparse(256), 15));
        assert_eq!(limits(sparse(256), 13), limits(sparse(32), 13));
    }

    #[test]
    fn verdicts() {
        for (log2_modulus, reached) in [
            (1580.0, Some(Target::Bits132)),
            (1580.5, Some(Target::Bits128)),
            (1638.0, Some(Target::Bits128)),
            (1638.1, None),
            (f64::NAN, None),
        ] {
            let found = rns(sparse(192), 1 << 16, log2_modulus).unwrap();
            assert_eq!(found.reached(), reached, "{log2_modulus}");
            assert_eq!(found.meets_rule(), reached == Some(Target::Bits132));
        }
        // The published sets of the research, section 5.
        for (weight, log2_degree, log2_modulus, reached) in [
            (128, 14, 558.0, None),
            (128, 15, 806.0, None),
            (192, 15, 768.0, Some(Target::Bits132)),
            (192, 16, 1546.0, Some(Target::Bits132)),
            (192, 17, 3104.0, Some(Target::Bits132)),
        ] {
            assert_eq!(rns(sparse(weight), 1 << log2_degree, log2_modulus).unwrap().reached(), reached);
        }
    }

    /// Keys of weight 32 pass the lattice attacks, and miss the floor: the least of all estimates says so.
    #[test]
    fn the_search_of_a_sparse_key_counts() {
        for (log2_degree, search) in [(13, 92.0), (15, 109.0), (16, 118.0)] {
            let found = rns(sparse(32), 1 << log2_degree, 40.0).unwrap();
            assert_eq!(found.reached(), Some(Target::Bits132));
            assert!(!found.meets_entropy_floor() && !found.meets_rule());
            assert!((found.key_search_bits() - search).abs() < 1.0, "{found:?}");
            assert_eq!(found.bits(), found.key_search_bits());
        }
        for (log2_degree, bits) in [(15, 133.8), (16, 145.0)] {
            assert!((rns(sparse(40), 1 << log2_degree, 100.0).unwrap().key_search_bits() - bits).abs() < 0.1);
        }
        // On the line, and what is told of a key.
        let found = rns(sparse(192), 1 << 16, 1580.0).unwrap();
        assert_eq!(found.bits(), 132.0);
        assert!(found.meets_rule() && !found.with_told(0.3).meets_rule());
        assert_eq!(rns(sparse(192), 1 << 16, 1638.0).unwrap().with_told(0.5).bits(), 127.5);
        assert!(rns(sparse(40), 1 << 15, 100.0).unwrap().meets_rule());
        assert!(rns(TERNARY, 1 << 10, 25.0).unwrap().meets_rule());
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        let at = |distribution, degree| rns(distribution, degree, 30.0).unwrap_err();
        let available: Vec<usize> = (10..=17).map(|log2| 1 << log2).collect();
        assert_eq!(at(TERNARY, 512), SecurityError::Degree { distribution: TERNARY, found: 512, available });
        let available = vec![1 << 13, 1 << 15, 1 << 16];
        let distribution = sparse(40);
        assert_eq!(at(distribution, 1 << 14), SecurityError::Degree { distribution, found: 1 << 14, available });
        for (weight, degree) in [(30, 1 << 15), (65, 1 << 15), ((1 << 15) + 2, 1 << 15), (0, 1 << 15)] {
            assert_eq!(at(sparse(weight), degree), SecurityError::Weight { found: weight, degree, min: 32 });
        }
        let distribution = KeyDistribution::Binary;
        assert_eq!(at(distribution, 1 << 15), SecurityError::Distribution { distribution, problem: "RNS moduli" });
    }

    #[test]
    fn malformed_data_are_refused() {
        for line in ["ternary,,1024,26,26,26", "binary,,1024,26,26,26,25", "sparse,,1024,,1,1,1", "ternary,,x,1,1,1,1"]
        {
            assert!(parse(line).is_none(), "{line}");
        }
    }
}
