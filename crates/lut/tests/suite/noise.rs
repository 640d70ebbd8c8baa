//! The noise of every algorithm's output, and how often it fails, against what its circuit predicts.
use bootes_lattice::lwe;
use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::noise::measure::lwe_error;
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::eval::PreparedTable;
use bootes_lut::fhew::{Algorithm, eval, registry};
use bootes_lut::fhew::{Boot, Compress, Depth, Recursive};
use bootes_lut::{FhewLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode, encode_modulo};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::{
    CONFIDENCE, Moments, TestRng, clopper_pearson, jarque_bera_p_value, mean_interval, portion, seed_bytes,
    variance_interval,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A table whose neighbours differ: f(i) = i + 1, and −f(i − p/2) from p/2 on; negacyclic.
fn negacyclic(bits: u32) -> Vec<u64> {
    let (p, half) = (1u64 << bits, 1u64 << (bits - 1));
    (0..p).map(|i| if i < half { i + 1 } else { p - (i - half + 1) }).collect()
}

/// A table of any kind whose neighbours differ.
fn random(bits: u32) -> Vec<u64> {
    let p = 1u64 << bits;
    let mut random = TestRng::new("table", u64::from(bits));
    let mut values = vec![0];
    while values.len() < p as usize {
        values.push((values[values.len() - 1] + 1 + random.below(p - 2)) % p);
    }
    values
}

/// Results of a table on random messages, with the messages and their images, under key number `index`.
struct Results {
    keys: SecretKeys,
    ciphertexts: Vec<u64>,
    messages: Vec<u64>,
    expected: Vec<u64>,
}

impl Results {
    fn new(
        params: &FhewParams,
        circuit: &Circuit,
        lut: &Lut,
        index: u64,
        count: usize,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let seed = |purpose: u64| seed_bytes(params.name(), 1000 * purpose + index);
        let keys = SecretKeys::derive(params, SecretSeed::from_bytes(&seed(0)));
        let mut key = keys.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
        key.add_extra(&keys.extra_keys_with_randomness_for_tests(&circuit.keys(params), &[7; 32])?)?;
        let mut random = TestRng::new(params.name(), index);
        let messages: Vec<u64> = (0..count).map(|_| random.below(1 << lut.in_bits())).collect();
        let encoded: Vec<u64> = messages.iter().map(|&m| encode(m, lut.in_bits())).collect();
        let (mask_seed, bodies) = keys.encrypt_with_randomness_for_tests(&encoded, &SecretSeed::from_bytes(&seed(1)));
        let dimension = params.ciphertext_dimension();
        let mut inputs = vec![0; count * (dimension + 1)];
        for ((i, input), body) in inputs.chunks_exact_mut(dimension + 1).enumerate().zip(bodies) {
            lwe::expand_mask(&mask_seed, i as u64, &mut input[..dimension]);
            input[dimension] = body;
        }
        let table = PreparedTable::new(params, circuit.clone(), key.rotation.fft());
        let mut ciphertexts = vec![0; inputs.len()];
        let mut workspace = eval::Workspace::new(&key, &table.circuit, count);
        eval::eval_into(&mut [&mut ciphertexts], &table, &[&inputs], &key, &mut workspace);
        let expected = messages.iter().map(|&m| lut.values()[m as usize]).collect();
        Ok(Self { keys, ciphertexts, messages, expected })
    }

    fn pairs(&self) -> impl Iterator<Item = (&[u64], u64)> {
        self.ciphertexts.chunks_exact(self.ciphertexts.len() / self.expected.len()).zip(self.expected.iter().copied())
    }

    fn errors(&self, modulus: u64) -> Vec<f64> {
        self.pairs()
            .map(|(result, value)| lwe_error(result, encode_modulo(value, modulus), self.keys.expose_glwe().as_lwe()))
            .collect()
    }

    fn failures(&self, bits: u32) -> usize {
        self.pairs().filter(|(result, value)| decode(self.keys.phase(result), bits) != *value).count()
    }
}

/// Products (rank 1), and packing by both methods.
#[test]
fn outputs_have_the_predicted_noise() {
    check_outputs_of(&["toy_4", "toy_4_binary"]);
}

#[test]
#[ignore = "statistics: minutes"]
fn outputs_have_the_predicted_noise_with_every_toy_set() {
    let toys = FhewParams::all().iter().map(FhewParams::name).filter(|name| name.starts_with("toy_"));
    check_outputs_of(&toys.collect::<Vec<_>>());
}

fn check_outputs_of(sets: &[&str]) {
    let rings: usize = std::thread::scope(|scope| {
        let check = |name| check_outputs(&FhewParams::by_name(name)?);
        let threads: Vec<_> =
            sets.iter().map(|&name| scope.spawn(move || check(name).map_err(|e| e.to_string()))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic").expect("no error")).sum()
    });
    assert!(rings > 0, "own rings are not tested");
}

/// Checks the noise of every algorithm's outputs; the number of own rings among them.
fn check_outputs(params: &FhewParams) -> Result<usize, Box<dyn std::error::Error>> {
    let bits = 3;
    let mut rings = 0;
    let depths = ["recursive-2", "recursive-3"].map(String::from);
    for algorithm in registry::algorithms().into_iter().filter(|a| !depths.contains(&a.name())) {
        let values = match algorithm.name().as_str() {
            "boot" => negacyclic(bits),
            _ => random(bits),
        };
        let lut = Lut::new(values, bits)?;
        // A failure probability so small that the first rotations need an extension or a ring of their own.
        let fit = |log2_p_fail| algorithm.fit(params, &lut, params.fresh_variance(), log2_p_fail);
        let circuit = match fit(-700.0).or_else(|_| fit(params.log2_p_fail())) {
            Err(LutError::Fhew(FhewLutError::Rank { .. } | FhewLutError::Unsupported { .. })) => {
                continue;
            }
            circuit => circuit?,
        };
        rings += circuit.keys(params).rings.len();
        let mut errors = Vec::new();
        for index in 0..portion(4, 2) {
            errors.extend(Results::new(params, &circuit, &lut, index, portion(150, 2) as usize)?.errors(1 << bits));
        }
        let what = format!("{}, {}", params.name(), algorithm.name());
        let predicted = circuit.noise(params, params.fresh_variance()).mean_output_variance;
        let moments = Moments::of(&errors);
        let ratio = (moments.variance / predicted).sqrt();
        let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
        // Results of one rotation, and products with it, share errors of the few keys here.
        let name = algorithm.name();
        let slack = if name.ends_with('*') || name.contains("pbs") || name == "bfv-mult" { 0.8f64 } else { 1.0 };
        assert!((low..=high / slack.powi(2)).contains(&predicted), "{what}: std is {ratio:.3} of the predicted");
        let (low, high) = mean_interval(&moments, CONFIDENCE);
        assert!(low <= 0.0 && 0.0 <= high, "{what}: biased, mean {:.2} of the std", moments.mean / moments.std());
    }
    Ok(rings)
}

/// The noise of FDFB-KS is that of the message's digits: the prediction holds for the worst message, and in the mean
/// over all.
#[test]
fn noise_of_fdfb_ks_depends_on_the_message() -> Outcome {
    let params = FhewParams::by_name("toy_4")?;
    let bits = 3;
    // −f(x) − f(x + 4) is 4 modulo 8 for x = 0, and 1 elsewhere.
    let lut = Lut::new(vec![1, 6, 3, 0, 3, 1, 4, 7], bits)?;
    let circuit = registry::by_name("fdfb-ks")?.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let (mut worst, mut all) = (Vec::new(), Vec::new());
    for index in 0..4 {
        let results = Results::new(&params, &circuit, &lut, index, 500)?;
        let errors = results.errors(1 << bits);
        worst.extend(errors.iter().zip(&results.messages).filter(|(_, m)| *m % 4 == 0).map(|(&error, _)| error));
        all.extend(errors);
    }
    let noise = circuit.noise(&params, params.fresh_variance());
    assert!(noise.mean_output_variance < 0.7 * noise.output_variance, "{noise:?}");
    for (what, errors, predicted) in
        [("the worst message", worst, noise.output_variance), ("all", all, noise.mean_output_variance)]
    {
        let moments = Moments::of(&errors);
        let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
        let ratio = (moments.variance / predicted).sqrt();
        assert!((low..=high).contains(&predicted), "{what}: std is {ratio:.3} of the predicted");
    }
    Ok(())
}

/// Both results of the multi-value bootstrap of FDFB-SelectAlt* come from one accumulator, and both rotations of
/// FDFB-SelectAlt are one where the first half of the table is 0: errors add up for half of the messages and cancel out
/// for the others.
#[test]
fn noise_of_select_alt_depends_on_the_message() -> Outcome {
    let params = FhewParams::by_name("toy_4")?;
    let bits = 4;
    for name in ["select-alt*", "select-alt"] {
        // f_pos = 0 has no noise but that of packing and its rotation; f_neg has all of it.
        let lut = Lut::new((0..16).map(|x| if x < 8 { 0 } else { 5 }).collect(), bits)?;
        let circuit = registry::by_name(name)?.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail())?;
        let (mut worst, mut all) = (Vec::new(), Vec::new());
        for index in 0..6 {
            let results = Results::new(&params, &circuit, &lut, index, 500)?;
            let errors = results.errors(1 << bits);
            worst.extend(errors.iter().zip(&results.messages).filter(|(_, m)| **m >= 8).map(|(&error, _)| error));
            all.extend(errors);
        }
        let noise = circuit.noise(&params, params.fresh_variance());
        assert!(noise.mean_output_variance < 0.7 * noise.output_variance, "{noise:?}");
        for (what, errors, predicted) in
            [("half of the messages", worst, noise.output_variance), ("all", all, noise.mean_output_variance)]
        {
            // The errors of a few keys, which results of one rotation share, leave 20 % of the deviation open.
            let ratio = (Moments::of(&errors).variance / predicted).sqrt();
            assert!((0.8..1.2).contains(&ratio), "{name}, {what}: std is {ratio:.3} of the predicted");
        }
    }
    Ok(())
}

/// The factors of a product may share their noise: then it is larger, for all messages.
#[test]
fn noise_of_products_of_equal_factors() -> Outcome {
    let params = FhewParams::by_name("toy_4")?;
    let tables = [
        ("wop-pbs1", vec![1; 8], 8),
        ("wop-pbs1*", vec![1; 8], 8),
        // Twice 6 is 1 modulo 11: a half or a difference of constant 6 is the sign.
        ("wop-pbs2*", vec![6, 6, 6, 6, 3, 1, 0, 2], 11),
        ("wop-pbs2*", vec![3, 1, 0, 2, 6, 6, 6, 6], 11),
        ("bfv-mult*", vec![3, 1, 0, 2, 3, 5, 6, 4], 11),
        // Packing makes negatives independent.
        ("wop-pbs2*", vec![3, 1, 0, 2, 3, 1, 0, 2], 8),
    ];
    for (name, values, modulus) in tables {
        let lut = Lut::modular(values, modulus)?;
        let circuit = registry::by_name(name)?.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail())?;
        let mut errors = Vec::new();
        for index in 0..portion(12, 2) {
            errors.extend(Results::new(&params, &circuit, &lut, index, portion(300, 2) as usize)?.errors(modulus));
        }
        let predicted = circuit.noise(&params, params.fresh_variance()).mean_output_variance;
        // As above, a few keys; and of products, whose bound is a little more than what most keys have.
        let ratio = (Moments::of(&errors).variance / predicted).sqrt();
        eprintln!("{name} {:?}: std is {ratio:.3} of the predicted", lut.values());
        assert!((0.75..1.15).contains(&ratio), "{name} {:?}: std is {ratio:.3} of the predicted", lut.values());
    }
    Ok(())
}

#[test]
fn outputs_are_normal() -> Outcome {
    let params = FhewParams::by_name("toy_4")?;
    let lut = Lut::new(random(3), 3)?;
    let algorithm = Recursive { depth: Depth::Fixed(1) };
    let circuit = algorithm.fit(&params, &Lut::new(random(3), 3)?, params.fresh_variance(), params.log2_p_fail())?;
    let p = jarque_bera_p_value(&Results::new(&params, &circuit, &lut, 0, 4000)?.errors(8));
    assert!(p > 1.0 - CONFIDENCE, "p = {p:e}");
    Ok(())
}

/// A set weakened until a rotation fails once in a hundred times.
///
/// The prediction is a union bound, the sum over the rotations. Those of one input share the noise of its key switch
/// and mostly fail together, so the truth lies between the largest of their probabilities and the sum.
#[test]
fn failures_are_as_frequent_as_predicted() -> Outcome {
    let mut literal = FhewParams::by_name("toy_4")?.literal().clone();
    literal.name = "toy_4_weak".into();
    literal.class = SetClass::Toy;
    literal.lwe.dimension = 32;
    literal.lwe.log2_std = -13.1;
    literal.glwe.degree = 128;
    literal.key_switch = GadgetLiteral { log2_base: 4, levels: 4 };
    let params = literal.try_build()?;
    // The second rotation of compress has half the window.
    let algorithms: [(&dyn Algorithm, u32, Vec<u64>); 3] =
        [(&Boot, 4, negacyclic(4)), (&Compress, 3, random(3)), (&Recursive { depth: Depth::Full }, 4, random(4))];
    for (algorithm, bits, values) in algorithms {
        let lut = Lut::new(values, bits)?;
        let circuit = algorithm.fit(&params, &lut, params.fresh_variance(), -0.1)?;
        let noise = circuit.noise(&params, params.fresh_variance());
        let sum = noise.log2_p_fail.exp2();
        let largest = noise.sigmas.iter().map(|&sigmas| log2_failure(sigmas, 1.0).exp2()).fold(0.0, f64::max);
        let (keys, count) = (10, 1000);
        let mut failures = 0;
        for index in 0..keys {
            failures += Results::new(&params, &circuit, &lut, index, count)?.failures(bits);
        }
        let trials = keys * count as u64;
        let (low, high) = clopper_pearson(failures as u64, trials, 0.999);
        let name = algorithm.name();
        assert!(largest <= high && low <= sum, "{name}: {failures} of {trials}, predicted {largest:.5} to {sum:.5}");
    }
    Ok(())
}
