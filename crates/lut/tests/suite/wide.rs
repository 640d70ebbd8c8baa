//! Every algorithm on the sets of wide words: all inputs of a table, decrypted.
use bootes_lattice::lwe;
use bootes_lattice::noise::formula::{matrix_products, plaintext_products};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::EvalFunc;
use bootes_lut::fhew::algorithm::Algorithm;
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::fhew::registry::algorithms;
use bootes_lut::{FhewLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::{FhewParams, KeyNeeds};
use bootes_testkit::{Moments, TestRng, in_full, seed_bytes};
use std::collections::{BTreeMap, BTreeSet};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn toys() -> impl Iterator<Item = &'static FhewParams> {
    FhewParams::wide().iter().filter(|set| set.name().starts_with("toy_"))
}

/// All messages of `bits` bits, encrypted one after the other.
fn encrypt(secret: &SecretKeys, bits: u32) -> Vec<u128> {
    let params = secret.params();
    let encoded: Vec<u128> = (0..1 << bits).map(|m| u128::from_top(encode(m, bits))).collect();
    let seed = SecretSeed::from_bytes(&seed_bytes(params.name(), 10));
    let (mask_seed, bodies) = secret.encrypt_with_randomness_for_tests(&encoded, &seed);
    let long = params.ciphertext_dimension() + 1;
    let mut words = vec![0; encoded.len() * long];
    for ((i, words), body) in words.chunks_exact_mut(long).enumerate().zip(bodies) {
        lwe::expand_mask(&mask_seed, i as u64, &mut words[..long - 1]);
        words[long - 1] = body;
    }
    words
}

/// The tables of all kinds of structure on `bits` bits.
fn tables(bits: u32) -> Vec<Vec<u64>> {
    let p = 1u64 << bits;
    let mut random = TestRng::new("wide tables", u64::from(bits));
    let half: Vec<u64> = (0..p / 2).map(|_| random.below(p)).collect();
    vec![
        (0..p).collect(),
        half.iter().copied().chain(half.iter().map(|v| (p - v) % p)).collect(),
        half.iter().chain(&half).copied().collect(),
        (0..p).map(|_| random.below(p)).collect(),
    ]
}

fn try_fit(
    algorithm: &dyn Algorithm,
    params: &FhewParams,
    lut: &Lut,
) -> Result<Option<bootes_lut::fhew::circuit::Circuit>, LutError> {
    match algorithm.fit(params, lut, params.fresh_variance(), params.log2_p_fail()) {
        Ok(circuit) => Ok(Some(circuit)),
        Err(LutError::Fhew(
            FhewLutError::Unsupported { .. }
            | FhewLutError::Noise { .. }
            | FhewLutError::OutputNoise { .. }
            | FhewLutError::Rank { .. },
        )) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Section 5.1 of the wide-modulus paper: results of EvalFunc take as many products as its two formulas say, and few
/// more.
#[test]
fn results_take_as_many_products_as_the_formulas_say() -> Outcome {
    let params = FhewParams::by_name("toy_wide_4")?;
    let secret = SecretKeys::derive(&params, SecretSeed::from_bytes(&seed_bytes("products", 0)));
    let key: PreparedEvaluationKey<u128> = secret.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
    let (bits, long) = (params.bits(), params.ciphertext_dimension() + 1);
    let p = 1i64 << bits;
    let lut = Lut::new((0..16).collect(), bits)?;
    let circuit = EvalFunc.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let std = circuit.noise(&params, params.fresh_variance()).output_variance.sqrt();
    let table = PreparedTable::new(&params, circuit, key.rotation.fft());
    let inputs = encrypt(&secret, bits);
    let mut results = vec![0u128; inputs.len()];
    eval_into(&mut [&mut results], &table, &[&inputs], &key, &mut Workspace::new(&key, &table.circuit, 16));

    let mut random = TestRng::new("products", 0);
    for (is_matrix, depth) in [(false, plaintext_products(16.0, std)), (true, matrix_products(16.0, 16, std))] {
        assert!(depth >= 3, "{depth}");
        let (mut ciphertexts, mut plain): (_, Vec<i64>) = (results.clone(), (0..p).collect());
        // Mean squares of the factors, multiplied.
        let mut growth = 1.0;
        for made in 1.. {
            let (mut products, mut next) = (vec![0u128; results.len()], vec![0; 16]);
            let mut squares = 0.0;
            for (i, (out, next)) in products.chunks_exact_mut(long).zip(&mut next).enumerate() {
                for j in if is_matrix { 0..16 } else { i..i + 1 } {
                    let size = (8 + random.below(8)) as i64 | 1;
                    let factor = if random.below(2) == 1 { -size } else { size };
                    lwe::add_mul_assign(out, &ciphertexts[j * long..(j + 1) * long], factor);
                    *next = (*next + factor * plain[j]).rem_euclid(p);
                    squares += (factor * factor) as f64;
                }
            }
            (ciphertexts, plain) = (products, next);
            growth *= squares / 16.0;
            let errors = ciphertexts.chunks_exact(long).zip(&plain).map(|(ciphertext, &m)| {
                torus_difference(secret.phase(ciphertext), u128::from_top(encode(m as u64, bits)))
            });
            let errors: Vec<f64> = errors.collect();
            let is_right = errors.iter().all(|error| error.abs() < 0.5 / p as f64);
            if made <= depth {
                let ratio = Moments::of(&errors).std() / (std * growth.sqrt());
                // A product of random matrices stretches some vectors more than others.
                assert!(is_right && (0.4..2.5).contains(&ratio), "matrix {is_matrix}, {made} of {depth}: {ratio}");
            } else if !is_right {
                assert!(made <= depth + 2, "matrix {is_matrix}: {made} products where the formula has {depth}");
                break;
            }
        }
    }
    Ok(())
}

/// Random tables, and negacyclic ones for algorithms that take no other.
#[test]
fn every_algorithm_evaluates_tables() -> Outcome {
    check_tables(&[3, 1], !in_full())
}

#[test]
#[ignore = "minutes"]
fn every_algorithm_evaluates_every_table() -> Outcome {
    check_tables(&[0, 1, 2, 3], false)
}

/// All of these kinds with every algorithm, or the first that it takes.
fn check_tables(kinds: &[usize], is_first_enough: bool) -> Outcome {
    let mut evaluated = BTreeMap::new();
    for params in toys() {
        let secret = SecretKeys::derive(params, SecretSeed::from_bytes(&seed_bytes(params.name(), 0)));
        let mut key: PreparedEvaluationKey<u128> =
            secret.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
        let bits = params.bits();
        let needs = algorithms().iter().map(|a| a.keys(params, bits)).fold(KeyNeeds::default(), KeyNeeds::and);
        key.add_extra(&secret.extra_keys_with_randomness_for_tests(&needs, &[7; 32])?)?;
        let long = params.ciphertext_dimension() + 1;
        let inputs = encrypt(&secret, bits);
        let tables = tables(bits);
        let mut taken = BTreeSet::new();
        for values in kinds.iter().map(|&kind| &tables[kind]) {
            let lut = Lut::new(values.clone(), bits)?;
            for algorithm in algorithms() {
                if is_first_enough && taken.contains(&algorithm.name()) {
                    continue;
                }
                let Some(circuit) = try_fit(&*algorithm, params, &lut)? else { continue };
                taken.insert(algorithm.name());
                let noise = circuit.noise(params, params.fresh_variance());
                let table = PreparedTable::new(params, circuit, key.rotation.fft());
                let mut workspace = Workspace::new(&key, &table.circuit, values.len());
                let mut out = vec![0u128; inputs.len()];
                eval_into(&mut [&mut out], &table, &[&inputs], &key, &mut workspace);
                for (&value, result) in values.iter().zip(out.chunks_exact(long)) {
                    let phase = secret.phase(result);
                    let what = format!("{} {}", params.name(), algorithm.name());
                    assert_eq!(decode(phase.top(), bits), value, "{what}");
                    let error = torus_difference(phase, u128::from_top(encode(value, bits))).abs();
                    assert!(error <= 8.0 * noise.output_variance.sqrt(), "{what}: 2^{:.1}", error.log2());
                }
                *evaluated.entry(algorithm.name()).or_insert(0) += 1;
            }
        }
    }
    for algorithm in algorithms() {
        let name = algorithm.name();
        let fixed = name.strip_prefix("recursive-").and_then(|depth| depth.parse::<u32>().ok());
        if fixed.is_none_or(|depth| depth <= 4) {
            assert!(evaluated.contains_key(&name), "{name} was never evaluated");
        }
    }
    Ok(())
}
