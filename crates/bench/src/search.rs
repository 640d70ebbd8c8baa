//! The search for parameter sets: the least predicted time under the noise and security constraints.
//!
//! For each message size and failure probability it tries every kind of short key (binary, block-binary of each
//! tabulated length) and dimension n, ring (k, N') with k·N' = 2048, external-product gadget and key-switching gadget;
//! both noises are the least that section 6 of the security data allows. The circuit (algorithm, extension factors) is
//! the one of least predicted cost, for inputs as noisy as its own outputs. Shipped sets are those for algorithms
//! without additional keys, which a server key has on demand only.
use bootes_lattice::Gadget;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{self, BlindRotation};
use bootes_lattice::security::{self, minimum_log2_std_glwe, minimum_log2_std_lwe};
use bootes_lut::Lut;
use bootes_lut::fhew::algorithm::Algorithm;
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::eval::BATCH;
use bootes_lut::fhew::registry;
use bootes_ring::sample::KeyDistribution;
use bootes_schemes::class::SetClass;
use bootes_schemes::cost::Calibration;
use bootes_schemes::fhew::cost;
use bootes_schemes::fhew::params::{FhewParams, FhewParamsLiteral, GadgetLiteral, GlweLiteral, LweLiteral};

/// Squared norm of the linear combinations of evaluated ciphertexts that a set must be able to evaluate tables on.
pub const LINEAR_NORM2: f64 = 2.0;

/// Distance of the dimensions tried.
const STEP: usize = 8;

/// A candidate that keeps its promises.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The set.
    pub params: FhewParams,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Its circuit for the set's largest messages.
    pub circuit: Circuit,
    /// Variance of the inputs it was fitted for.
    pub input_variance: f64,
    /// Predicted nanoseconds a value.
    pub cost_ns: f64,
}

impl Candidate {
    /// Whether every server key has its keys.
    pub fn is_served(&self) -> bool {
        self.circuit.keys(&self.params).is_empty()
    }
}

/// The findings of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best set of each kind of short key for algorithms that every server key serves, fastest first.
    pub kinds: Vec<Candidate>,
    /// The best set for each algorithm, fastest first.
    pub algorithms: Vec<Candidate>,
}

/// The registry's algorithms that the search tries: all but those with keys for larger rings, and but fixed depths (the
/// depth of least cost is `recursive`, no depth left `recursive-full`).
pub fn algorithms() -> Vec<Box<dyn Algorithm>> {
    let mut all = registry::algorithms();
    all.retain(|algorithm| {
        let name = algorithm.name();
        let depth = name.strip_prefix("recursive-").map(str::parse::<u32>);
        !name.ends_with("-rings") && !matches!(depth, Some(Ok(_)))
    });
    all
}

/// Fits the best circuit of `params` for its own message size among those that every server key serves.
pub fn fit(params: &FhewParams) -> Option<Candidate> {
    let lut = Lut::unstructured(params.bits());
    let candidates = algorithms().into_iter().filter_map(|algorithm| settle(params, &*algorithm, &lut));
    candidates.filter(Candidate::is_served).min_by(|a, b| a.cost_ns.total_cmp(&b.cost_ns))
}

/// Fits the circuit of `algorithm` for `lut`.
///
/// Inputs are as noisy as the circuit's own outputs, so that tables compose; and a circuit, larger perhaps, must exist
/// for sums of [`LINEAR_NORM2`] outputs.
pub fn settle(params: &FhewParams, algorithm: &dyn Algorithm, lut: &Lut) -> Option<Candidate> {
    let fitted = |variance| {
        let circuit = algorithm.fit(params, lut, variance, params.log2_p_fail()).ok()?;
        let output_variance = circuit.noise(params, variance).output_variance;
        Some((circuit, output_variance))
    };
    // The output noise depends on the depth that is best for the input noise, and either on the other: from above, then
    // upwards until outputs are no noisier than inputs. Outputs of other algorithms do not depend on the input.
    let mut input_variance = fitted(f64::from(params.bits()) * params.blind_rotation_variance())?.1;
    let circuit = loop {
        let (circuit, output_variance) = fitted(input_variance)?;
        if output_variance <= input_variance * 1.0001 {
            break circuit;
        }
        input_variance = output_variance;
    };
    fitted(LINEAR_NORM2 * input_variance)?;
    let cost_ns = circuit.cost_ns(params);
    Some(Candidate { params: params.clone(), algorithm: algorithm.name(), circuit, input_variance, cost_ns })
}

/// The best sets for `bits`-bit messages at failure 2^`log2_p_fail`.
pub fn search(bits: u32, log2_p_fail: i32) -> Found {
    let lut = Lut::unstructured(bits);
    // With the least number of rotations, and as if none of them were extended.
    let algorithms: Vec<_> = algorithms()
        .into_iter()
        .filter_map(|algorithm| {
            let rotations = algorithm.circuit(&lut).ok()?.rotations().count();
            let rotations = if algorithm.name() == "recursive" { 1 } else { rotations };
            Some((algorithm, vec![1; rotations]))
        })
        .collect();
    let mut kinds = vec![(KeyDistribution::Binary, "binary".to_string())];
    kinds.extend(
        [2u32, 3, 4, 5, 7, 8].map(|length| (KeyDistribution::BlockBinary { length }, format!("block-binary {length}"))),
    );
    let cheaper = |a: &Candidate, b: &Candidate| a.cost_ns.total_cmp(&b.cost_ns);
    let mut found = Found::default();
    let mut best: Vec<Option<Candidate>> = vec![None; algorithms.len()];
    for (distribution, text) in kinds {
        let mut best_of_kind: Vec<Option<Candidate>> = vec![None; algorithms.len()];
        for params in candidates(bits, log2_p_fail, distribution, &text) {
            for ((algorithm, rotations), best) in algorithms.iter().zip(&mut best_of_kind) {
                let least = cost::blind_rotations(&params, params.shape(), rotations, BATCH);
                if best.as_ref().is_some_and(|best| best.cost_ns <= Calibration::current().ns(least)) {
                    continue;
                }
                keep(best, settle(&params, &**algorithm, &lut));
            }
        }
        let served = best_of_kind.iter().flatten().filter(|c| c.is_served());
        found.kinds.extend(served.min_by(|a, b| cheaper(a, b)).cloned());
        for (best, candidate) in best.iter_mut().zip(best_of_kind) {
            keep(best, candidate);
        }
    }
    found.algorithms = best.into_iter().flatten().collect();
    found.kinds.sort_by(cheaper);
    found.algorithms.sort_by(cheaper);
    found
}

/// Keeps the cheaper of the two.
fn keep(best: &mut Option<Candidate>, candidate: Option<Candidate>) {
    if let Some(candidate) = candidate
        && best.as_ref().is_none_or(|best| candidate.cost_ns < best.cost_ns)
    {
        *best = Some(candidate);
    }
}

/// Every secure set of one kind of short key.
fn candidates(
    bits: u32,
    log2_p_fail: i32,
    distribution: KeyDistribution,
    text: &str,
) -> impl Iterator<Item = FhewParams> {
    const RINGS: [(usize, usize); 3] = [(1, 2048), (2, 1024), (4, 512)];
    let dimensions = (500..=1300).step_by(STEP).map(move |n: usize| n.next_multiple_of(distribution.block_length()));
    dimensions.flat_map(move |n| {
        let mut found = Vec::new();
        let Some(mut lwe_std) = minimum_log2_std_lwe(distribution, n).map(round_up) else { return found };
        if !security::lwe(distribution, n, lwe_std).is_ok_and(|estimate| estimate.meets_rule()) {
            // The estimate's own rounding, at a minimum of two decimals.
            lwe_std = round_up(lwe_std + 0.009);
        }
        for (rank, degree) in RINGS {
            let Some(glwe_std) = minimum_log2_std_glwe(KeyDistribution::Binary, rank * degree, 64).map(round_up) else {
                continue;
            };
            let shape = GlweShape { rank, degree };
            // The cost depends on the numbers of digits only: for each, the base of least noise.
            let rotation_variance = |gadget| {
                let (lwe_distribution, glwe_distribution) = (distribution, KeyDistribution::Binary);
                BlindRotation {
                    lwe_dimension: n,
                    lwe_distribution,
                    shape,
                    glwe_distribution,
                    key_std: glwe_std.exp2(),
                    gadget,
                }
                .variance()
            };
            let switch_variance =
                |gadget| formula::key_switch(shape.lwe_dimension(), KeyDistribution::Binary, gadget, lwe_std.exp2());
            for bootstrap in (1..=3).filter_map(|levels| best_gadget(levels, 40, rotation_variance)) {
                for key_switch in (1..=8).filter_map(|levels| best_gadget(levels, 31, switch_variance)) {
                    let literal = FhewParamsLiteral {
                        class: SetClass::Secure,
                        name: format!("fhew_{bits}bit_2m{}", -log2_p_fail),
                        bits,
                        log2_p_fail: f64::from(log2_p_fail),
                        source: "bootes parameter search".into(),
                        lwe: LweLiteral { dimension: n, distribution: text.to_string(), log2_std: lwe_std },
                        glwe: GlweLiteral { rank, degree, log2_std: glwe_std },
                        bootstrap,
                        key_switch,
                        packing: None,
                        integer_bits: None,
                        trees: false,
                        log2_modulus: None,
                        limbs: None,
                    };
                    found.extend(literal.try_build());
                }
            }
        }
        found
    })
}

/// The gadget of `levels` digits and at most `precision` bits with the least `variance`.
fn best_gadget(levels: u32, precision: u32, variance: impl Fn(Gadget) -> f64) -> Option<GadgetLiteral> {
    (1..=precision / levels)
        .filter_map(|log2_base| Gadget::try_new(log2_base, levels).ok())
        .min_by(|&a, &b| variance(a).total_cmp(&variance(b)))
        .map(|gadget| GadgetLiteral { log2_base: gadget.log2_base(), levels })
}

/// To two decimals, upwards: more noise is safe.
fn round_up(log2_std: f64) -> f64 {
    (log2_std * 100.0 - 1e-9).ceil() / 100.0
}
