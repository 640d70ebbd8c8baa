//! The search for parameter sets: the least predicted time under the noise and security constraints.
//!
//! For each message size and failure probability it tries every kind of short key (binary, block-binary of each tabulated
//! length) and dimension n, ring (k, N') with k·N' = 2048, external-product gadget and key-switching gadget; both noises
//! are the least that section 6 of the security data allows. The circuit (recursion depth, extension factors) is the one
//! of least predicted cost. Inputs are assumed as noisy as the sum of [`LINEAR_NORM2`] evaluated ciphertexts.
use bootes_lattice::security::{minimum_log2_std_glwe, minimum_log2_std_lwe};
use bootes_lut::algorithm::Algorithm;
use bootes_lut::circuit::Circuit;
use bootes_lut::fhew::{Depth, Recursive};
use bootes_ring::sample::KeyDistribution;
use bootes_schemes::fhew::params::{FhewParams, FhewParamsLiteral, GadgetLiteral, GlweLiteral, LweLiteral};

/// Squared norm of the linear combination of evaluated ciphertexts that a set takes as an input at full speed.
pub const LINEAR_NORM2: f64 = 2.0;

/// A candidate that keeps its promises.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The set.
    pub params: FhewParams,
    /// Its best circuit for its largest messages.
    pub circuit: Circuit,
    /// Variance of the inputs it was fitted for.
    pub input_variance: f64,
    /// Predicted nanoseconds a value.
    pub cost_ns: f64,
}

/// Fits the best circuit of `params` for its own message size, for inputs of [`LINEAR_NORM2`] evaluated ciphertexts.
pub fn fit(params: FhewParams) -> Option<Candidate> {
    let input_variance = LINEAR_NORM2 * f64::from(params.bits()) * params.blind_rotation_variance();
    let algorithm = Recursive { depth: Depth::Best };
    let circuit = algorithm.circuit(&params, params.bits(), input_variance, params.log2_p_fail()).ok()?;
    let cost_ns = circuit.cost_ns(&params);
    Some(Candidate { params, circuit, input_variance, cost_ns })
}

/// The best sets for `bits`-bit messages at failure 2^`log2_p_fail`: the best of each kind of key, fastest first.
pub fn search(bits: u32, log2_p_fail: i32) -> Vec<Candidate> {
    let mut kinds = vec![(KeyDistribution::Binary, "binary".to_string())];
    kinds.extend([2u32, 3, 4, 5, 7, 8].map(|length| (KeyDistribution::BlockBinary { length }, format!("block-binary {length}"))));
    let mut found = Vec::new();
    for (distribution, text) in kinds {
        let block = match distribution {
            KeyDistribution::BlockBinary { length } => length as usize,
            _ => 1,
        };
        let mut best: Option<Candidate> = None;
        for n in (500..=1300).filter(|n| n % block == 0 && n % 2 == 0) {
            let Some(lwe_std) = minimum_log2_std_lwe(distribution, n) else { continue };
            for (rank, degree) in [(1, 2048), (2, 1024), (4, 512)] {
                let Some(glwe_std) = minimum_log2_std_glwe(KeyDistribution::Binary, rank * degree, 64) else { continue };
                for bootstrap in gadgets(1..=2, 21..=34) {
                    // One key-switching gadget a cost: the shortest first, stop at the first length that is no better.
                    for key_switch in gadgets(2..=8, 12..=24) {
                        let literal = FhewParamsLiteral {
                            name: format!("fhew_{bits}bit_2m{}", -log2_p_fail),
                            bits,
                            log2_p_fail: f64::from(log2_p_fail),
                            source: "bootes parameter search".into(),
                            lwe: LweLiteral { dimension: n, distribution: text.clone(), log2_std: round_up(lwe_std) },
                            glwe: GlweLiteral { rank, degree, log2_std: round_up(glwe_std) },
                            bootstrap,
                            key_switch,
                        };
                        let Ok(params) = literal.try_build() else { continue };
                        // A bound that is cheap to test first: the deepest circuit has at least one rotation a level.
                        let bound = bootes_schemes::fhew::cost::blind_rotation_ns(&params, 1);
                        if best.as_ref().is_some_and(|b| bound >= b.cost_ns) || params.key_switch_variance().sqrt() > half_step(bits) / 6.0 {
                            continue;
                        }
                        let Some(candidate) = fit(params) else { continue };
                        if best.as_ref().is_none_or(|b| candidate.cost_ns < b.cost_ns) {
                            best = Some(candidate);
                        }
                    }
                }
            }
        }
        found.extend(best);
    }
    found.sort_by(|a, b| a.cost_ns.total_cmp(&b.cost_ns));
    found
}

fn half_step(bits: u32) -> f64 {
    (-f64::from(bits) - 1.0).exp2()
}

/// To two decimals, upwards: more noise is safe.
fn round_up(log2_std: f64) -> f64 {
    (log2_std * 100.0 - 1e-9).ceil() / 100.0
}

/// Gadgets of so many levels whose precision levels·log2(B) lies in `precision`.
fn gadgets(levels: std::ops::RangeInclusive<u32>, precision: std::ops::RangeInclusive<u32>) -> Vec<GadgetLiteral> {
    levels
        .flat_map(|levels| (1..=31).map(move |log2_base| GadgetLiteral { log2_base, levels }))
        .filter(|g| precision.contains(&(g.log2_base * g.levels)))
        .collect()
}
