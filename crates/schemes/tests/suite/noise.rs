//! The noise of every step of a bootstrap against its prediction: χ² intervals of the variance, means, normality.
use bootes_lattice::extract::mask_extract_into;
use bootes_lattice::glwe::MaskMultiplier;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_lattice::noise::formula::{GlweKeySwitch, glwe_key_switch};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::{LatticeError, lwe};
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::ones;
use bootes_ring::sample::{MaskStream, NoiseStream, SecretSeed};

use bootes_schemes::cancel::Cancel;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::blind_rotate::BlindRotation;
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::params::{FhewParamsLiteral, GadgetLiteral, PackingMethod};
use bootes_schemes::fhew::test_vector::{EncryptedTestVector, TestVector};
use bootes_schemes::fhew::{FhewParams, ParamsError};
use bootes_testkit::{
    CONFIDENCE, Moments, TestRng, jarque_bera_p_value, mean_interval, portion, seed_bytes, variance_interval,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn toys() -> impl Iterator<Item = &'static FhewParams> {
    FhewParams::all().iter().filter(|set| set.name().starts_with("toy_"))
}

fn keys(params: &FhewParams, index: u64) -> SecretKeys {
    SecretKeys::derive(params, SecretSeed::from_bytes(&seed_bytes(params.name(), index)))
}

#[track_caller]
fn assert_noise(what: &str, errors: &[f64], predicted: f64) {
    let moments = Moments::of(errors);
    let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
    let ratio = (moments.variance / predicted).sqrt();
    assert!(
        (low..=high).contains(&predicted),
        "{what}: std is {ratio:.3} of the predicted 2^{:.2}",
        predicted.log2() / 2.0
    );
    let (low, high) = mean_interval(&moments, CONFIDENCE);
    assert!(low <= 0.0 && 0.0 <= high, "{what}: biased, mean {:.2} of the std", moments.mean / moments.std());
}

#[track_caller]
fn assert_normal(what: &str, errors: &[f64]) {
    let p = jarque_bera_p_value(errors);
    assert!(p > 1.0 - CONFIDENCE, "{what}: not normal, p = {p:e}");
}

/// Phase of a short sample, modulo 2^32.
fn short_phase(keys: &SecretKeys, sample: &[u32]) -> u32 {
    let mask = sample.iter().zip(keys.expose_lwe().expose_coefficients());
    let product = mask.fold(0u32, |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
    product.wrapping_add(sample[keys.params().lwe_dimension()])
}

/// b + ⟨a, s⟩ modulo `modulus`.
fn position(keys: &SecretKeys, mask: &[u32], body: u32, modulus: usize) -> usize {
    let products = mask.iter().zip(keys.expose_lwe().expose_coefficients()).map(|(&a, &s)| i64::from(a) * i64::from(s));
    (i64::from(body) + products.sum::<i64>()).rem_euclid(modulus as i64) as usize
}

#[test]
fn encryption_key_switch_and_modulus_switch() -> Outcome {
    let (count, key_count) = (100, 24);
    for params in toys() {
        let name = params.name();
        let (mut fresh, mut switch) = (Vec::new(), Vec::new());
        let mut rounding = [1, 2, 3, 5].map(|extension| (extension, Vec::new()));
        for index in 0..key_count {
            let keys = keys(params, index);
            let key = keys.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
            let mut random = TestRng::new(name, index);
            let encoded: Vec<u64> = (0..count).map(|_| random.next_u64()).collect();
            let seed = SecretSeed::from_bytes(&seed_bytes(name, 100 + index));
            let (mask_seed, bodies) = keys.encrypt_with_randomness_for_tests(&encoded, &seed);
            let inputs: Vec<Vec<u64>> = (0u64..)
                .zip(bodies)
                .map(|(i, body)| {
                    let mut input = vec![0; params.ciphertext_dimension()];
                    lwe::expand_mask(&mask_seed, i, &mut input);
                    input.push(body);
                    input
                })
                .collect();
            fresh.extend(inputs.iter().zip(&encoded).map(|(input, &m)| torus_difference(keys.phase(input), m)));
            let mut short = vec![0; inputs.len() * key.key_switch.stride()];
            key.switch_keys_into(&mut short, &inputs.concat());
            for (short, input) in short.chunks_exact(key.key_switch.stride()).zip(&inputs) {
                let phase = short_phase(&keys, short);
                switch.push(torus_difference(u64::from(phase) << 32, keys.phase(input)));
                for (extension, errors) in &mut rounding {
                    let modulus = 2 * *extension * params.shape().degree;
                    let mut switched = vec![0; params.lwe_dimension() + 1];
                    mod_switch_into(&mut switched, short, params.lwe_distribution(), modulus as u32, 0, 0);
                    let (mask, body) = switched.split_at(params.lwe_dimension());
                    let error = position(&keys, mask, body[0], modulus) as f64 / modulus as f64
                        - f64::from(phase) / 2f64.powi(32);
                    errors.push(error - error.round());
                }
            }
        }
        assert_noise(&format!("{name}: encryption"), &fresh, params.fresh_variance());
        assert_normal(&format!("{name}: encryption"), &fresh);
        assert_noise(&format!("{name}: key switch"), &switch, params.key_switch_variance());
        assert_normal(&format!("{name}: key switch"), &switch);
        for (extension, errors) in &rounding {
            let what = format!("{name}: modulus switch, extension {extension}");
            assert_noise(&what, errors, params.mod_switch_variance(*extension, 1));
            assert_normal(&what, errors);
        }
    }
    Ok(())
}

#[test]
fn public_encryption() -> Outcome {
    let wide = FhewParams::wide().iter().filter(|set| set.name().starts_with("toy_"));
    for params in toys().chain(wide) {
        let (shape, mut errors) = (params.shape(), Vec::new());
        for index in 0..40 {
            let keys = keys(params, index);
            let public = keys.public_key_with_randomness_for_tests(&[7; 32])?;
            let mut random = TestRng::new(params.name(), index);
            // A ciphertext, and some values of another one.
            let encoded: Vec<u64> = (0..shape.degree + 5).map(|_| random.next_u64()).collect();
            let seed = SecretSeed::from_bytes(&seed_bytes(params.name(), 100 + index));
            let all = public.encrypt_with_randomness_for_tests(&encoded, &seed)?;
            assert!(all.len() == 2 && all[0].masks != all[1].masks);
            let [masks, bodies] = params.public_bits();
            let multiples = |words: &[u64], bits| words.iter().all(|word| word.trailing_zeros() >= 64 - bits);
            assert!(all.iter().all(|all| multiples(&all.masks, masks) && multiples(&all.bodies, bodies)));
            let samples = all.iter().flat_map(|all| all.bodies.iter().enumerate().map(move |at| (&all.masks, at)));
            for (i, ((masks, (at, &body)), &message)) in samples.zip(&encoded).enumerate() {
                // Noises of one ciphertext are correlated: some of each, far apart.
                if i % (shape.degree / 4) == 0 {
                    let mut sample = vec![0; shape.lwe_dimension() + 1];
                    mask_extract_into(&mut sample[..shape.lwe_dimension()], masks, shape.degree, at);
                    sample[shape.lwe_dimension()] = body;
                    errors.push(torus_difference(keys.phase(&sample), message));
                }
            }
        }
        assert_noise(&format!("{}: public encryption", params.name()), &errors, params.public_variance());
    }
    Ok(())
}

/// A public key and what is encrypted by it keep the rule of the set, and a key is small.
#[test]
fn public_keys_are_as_secure_as_their_sets() -> Outcome {
    for params in FhewParams::all().iter().filter(|set| set.is_default()) {
        let (name, security) = (params.name(), params.public_security()?);
        assert!(security.meets_rule(), "{name}: {security:?}");
        assert!(params.ciphertext_dimension() * 8 <= 100_000, "{name}");
        let added = params.public_variance() / params.public_variance_of(64, 64);
        assert!((1.0..1.07).contains(&added), "{name}: {added}");
    }
    Ok(())
}

/// What is rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Vector {
    Plain,
    /// 1/4 everywhere.
    Constant,
    /// Encrypted with noise of this standard deviation.
    Encrypted(f64),
}

/// Errors of the constant coefficient of rotations by random exponents.
fn rotation_errors(
    keys: &SecretKeys,
    extension: usize,
    vector: Vector,
    count: usize,
) -> Result<Vec<f64>, LatticeError> {
    coefficient_errors(keys, extension, vector, count, 1)
}

/// Errors of `each` coefficients, far apart and of different polynomials, of every rotation.
fn coefficient_errors(
    keys: &SecretKeys,
    extension: usize,
    vector: Vector,
    count: usize,
    each: usize,
) -> Result<Vec<f64>, LatticeError> {
    let (params, shape) = (keys.params(), keys.params().shape());
    let (degree, length, modulus) = (shape.degree, extension * shape.degree, 2 * extension * shape.degree);
    let key = keys.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
    let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(extension));
    let mut random = TestRng::new("rotations", extension as u64);
    let values: Vec<u64> = match vector {
        Vector::Constant => vec![1 << 62; length],
        _ => (0..length).map(|_| random.next_u64()).collect(),
    };
    let plain = TestVector::new(extension, degree, |x| values[x]);

    let mut encrypted = EncryptedTestVector::trivial(&plain, shape);
    if let Vector::Encrypted(std) = vector {
        let fft = Fft::new(degree)?;
        let mut multiplier = MaskMultiplier::new(&fft, keys.expose_glwe());
        let seed = keys.expose_root().fork(1 << 32);
        for (c, component) in encrypted.components_mut().chunks_exact_mut(shape.words()).enumerate() {
            let (masks, body) = component.split_at_mut(shape.lwe_dimension());
            MaskStream::new(&seed.fork_mask(1), c as u64).fill_u64(masks);
            NoiseStream::new(&seed, c as u64).add_gaussian_u64(body, std);
            multiplier.add_product(body, masks, -1);
        }
    }

    let mut accumulator = vec![0; key.rotation.accumulator_words(extension)];
    let mut result = vec![0; shape.lwe_dimension() + 1];
    Ok((0..count)
        .flat_map(|_| {
            let mask: Vec<u32> = (0..params.lwe_dimension()).map(|_| random.below(modulus as u64) as u32).collect();
            let body = random.below(modulus as u64) as u32;
            match vector {
                Vector::Plain | Vector::Constant => plain.rotate_into(&mut accumulator, body),
                Vector::Encrypted(_) => encrypted.rotate_into(&mut accumulator, body),
            }
            key.rotation.rotate(
                &mut [BlindRotation { extension, mask: &mask, accumulator: &mut accumulator }],
                &Cancel::new(),
                scratch.scratch(),
            );
            let position = position(keys, &mask, body, modulus);
            let error = |at: usize| {
                key.extract_extended_into(&mut result, &accumulator, at);
                let position = (position + at) % modulus;
                let value = values[position % length];
                let expected = if position < length { value } else { value.wrapping_neg() };
                torus_difference(keys.phase(&result), expected)
            };
            (0..each).map(|i| i * (length / each + 1)).map(error).collect::<Vec<_>>()
        })
        .collect())
}

/// A small set: a short key of 24 coefficients, N' = 64, the noise of the key and of dropped digits about equal.
fn small(distribution: &str, change: impl Fn(&mut FhewParamsLiteral)) -> Result<FhewParams, ParamsError> {
    let mut literal = FhewParams::by_name("toy_4")?.literal().clone();
    literal.name = format!("toy_small_{distribution}");
    literal.class = SetClass::Toy;
    literal.lwe.dimension = 24;
    literal.lwe.distribution = distribution.into();
    literal.glwe.degree = 64;
    literal.glwe.log2_std = -23.0;
    literal.bootstrap = GadgetLiteral { log2_base: 7, levels: 2 };
    change(&mut literal);
    literal.try_build()
}

#[test]
fn blind_rotation_of_plain_and_encrypted_test_vectors_for_all_keys_and_extensions() -> Outcome {
    for distribution in ["binary", "ternary", "block-binary 3", "block-binary 4"] {
        let params = small(distribution, |_| {})?;
        let rotation = params.blind_rotation_variance();
        for extension in [1, 2, 3, 5] {
            for vector in [Vector::Plain, Vector::Encrypted(rotation.sqrt())] {
                let mut errors = Vec::new();
                for index in 0..portion(20, 2) {
                    errors.extend(rotation_errors(&keys(&params, index), extension, vector, 50)?);
                }
                let predicted = if vector == Vector::Plain { rotation } else { 2.0 * rotation };
                assert_noise(&format!("{distribution}, extension {extension}, {vector:?}"), &errors, predicted);
            }
        }
    }
    Ok(())
}

/// Sums of results have the sum of their variances: digits have no mean, which would leave a part of the last blocks'
/// noise in every rotation by a key. Digits in [−2, 1] left one in 80, and sums of 400 had six times the variance.
#[test]
fn rotations_by_a_key_have_no_noise_in_common() -> Outcome {
    let (keys_tried, count) = (30, 400);
    let params = small("block-binary 4", |literal| {
        literal.lwe.dimension = 32;
        literal.bootstrap = GadgetLiteral { log2_base: 2, levels: 9 };
    })?;
    let mut squares = 0.0;
    for index in 0..keys_tried {
        let errors = rotation_errors(&keys(&params, index), 1, Vector::Plain, count)?;
        squares += errors.iter().sum::<f64>().powi(2) / (count as f64 * params.blind_rotation_variance());
    }
    let ratio = squares / keys_tried as f64;
    println!("sums of results have {ratio:.2} times the sum of their variances");
    assert!(ratio < 2.0, "sums of results have {ratio:.2} times the sum of their variances");
    Ok(())
}

#[test]
fn blind_rotation_on_the_toy_sets() -> Outcome {
    for params in toys() {
        let mut errors = Vec::new();
        for index in 0..10 {
            errors.extend(rotation_errors(&keys(params, index), 1, Vector::Plain, 100)?);
        }
        assert_noise(&format!("{}: blind rotation", params.name()), &errors, params.blind_rotation_variance());
    }
    Ok(())
}

#[test]
fn blind_rotation_noise_is_normal() -> Outcome {
    let params = small("block-binary 4", |_| {})?;
    assert_normal("blind rotation", &rotation_errors(&keys(&params, 0), 1, Vector::Plain, 4000)?);
    Ok(())
}

/// Gadgets finer than a product's `f64`: the rounding of the transforms alone, in a few blocks. From a trivial
/// accumulator the variance would be twice the predicted one, and for a constant test vector fourteen times.
#[test]
fn rounding_in_the_first_blocks_is_as_predicted() -> Outcome {
    for (log2_base, levels) in [(23, 2), (16, 3)] {
        let params = small("block-binary 7", |literal| {
            literal.lwe.dimension = 14;
            literal.glwe.degree = 2048;
            literal.glwe.log2_std = -62.9;
            literal.bootstrap = GadgetLiteral { log2_base, levels };
        })?;
        for (extension, vector) in [(1, Vector::Plain), (1, Vector::Constant), (32, Vector::Plain)] {
            let mut errors = Vec::new();
            for index in 0..5 {
                errors.extend(coefficient_errors(&keys(&params, index), extension, vector, 20, 5)?);
            }
            let ratio = Moments::of(&errors).variance / params.extended_rotation_variance(extension);
            println!(
                "{vector:?}, ν = {extension}, B = 2^{log2_base}, d = {levels}: variance {ratio:.2} of the predicted"
            );
            assert!(
                (0.75..1.08).contains(&ratio),
                "{vector:?}, ν = {extension}, B = 2^{log2_base}, d = {levels}: variance {ratio:.2} of the predicted"
            );
        }
    }
    Ok(())
}

/// What blocks drop of masks is public, and the key has a mean. To those who guess the exponents of later blocks, their
/// product told the error with a correlation of 0.7, so that sums of results picked by it failed.
#[test]
fn nothing_that_is_public_tells_of_the_error() -> Outcome {
    let (dimension, block, degree, count) = (32, 4, 256, 400);
    let params = small("block-binary 4", |literal| {
        literal.lwe.dimension = dimension;
        literal.glwe.degree = degree;
        literal.glwe.log2_std = -40.0;
    })?;
    let gadget = params.bootstrap_gadget();
    let (mut mean_square, mut error_square, mut product) = (0.0, 0.0, 0.0);
    for index in 0..4 {
        let keys = keys(&params, index);
        let secret = keys.expose_lwe().expose_coefficients();
        let key = keys.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
        let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(1));
        let mut random = TestRng::new("picked rotations", index);
        let values: Vec<u64> = (0..degree).map(|_| random.next_u64()).collect();
        let plain = TestVector::new(1, degree, |x| values[x]);
        let mut accumulator = vec![0; key.rotation.accumulator_words(1)];
        let mut result = vec![0; degree + 1];
        for _ in 0..count / 4 {
            let mask: Vec<u32> = (0..dimension).map(|_| random.below(2 * degree as u64) as u32).collect();
            let body = random.below(2 * degree as u64) as u32;
            let mut rotate = |blocks: usize| {
                plain.rotate_into(&mut accumulator, body);
                let mut mask = mask.clone();
                mask[block * blocks..].fill(0);
                let rotation = BlindRotation { extension: 1, mask: &mask, accumulator: &mut accumulator };
                key.rotation.rotate(&mut [rotation], &Cancel::new(), scratch.scratch());
                accumulator.clone()
            };
            // By ½ΣX^i·(X^e − 1)·rests of each block, turned by the exponents of those that follow, at the constant.
            let (mut mean, mut after) = (0.0, 0);
            for b in (0..dimension / block).rev() {
                let before = rotate(b);
                let mut products = vec![0; degree];
                for dropped in [64 - gadget.levels() * gadget.log2_base(), 0] {
                    products.iter_mut().for_each(|x: &mut u64| *x = x.wrapping_neg());
                    ones::sub_product(Isa::detect(), &mut products, None, &before[..degree], dropped);
                }
                let at = |i: usize| match i % (2 * degree) {
                    i if i < degree => products[i] as i64 as f64,
                    i => -(products[i - degree] as i64 as f64),
                };
                let exponent: usize = (b * block..(b + 1) * block).map(|i| mask[i] as usize * secret[i] as usize).sum();
                mean += at(after + exponent) - at(after);
                after += exponent;
            }
            let rotated = rotate(dimension / block);
            key.extract_extended_into(&mut result, &rotated, 0);
            let position = position(&keys, &mask, body, 2 * degree);
            let value = values[position % degree];
            let expected = if position < degree { value } else { value.wrapping_neg() };
            let error = torus_difference(keys.phase(&result), expected);
            mean_square += mean * mean;
            error_square += error * error;
            product += mean * error;
        }
    }
    let correlation = product / (mean_square * error_square).sqrt();
    println!("correlation {correlation:.3}");
    assert!(correlation.abs() < 0.15, "correlation {correlation:.3}");
    Ok(())
}

/// Most of what packing drops points one of few ways, which are public: it is next to nothing beside the key's noise.
#[test]
fn packing_drops_next_to_nothing() {
    let sets = FhewParams::all().iter().filter(|set| set.literal().class == SetClass::Secure);
    for set in sets.filter(|set| set.packing_method() == PackingMethod::Trace) {
        let (shape, distribution) = (set.shape(), set.glwe_distribution());
        let key = GlweKeySwitch { shape, distribution, gadget: set.packing_gadget(), key_std: set.packing_std() };
        let [nothing, all] =
            [0.0, distribution.mean_weight(shape.lwe_dimension())].map(|norm| glwe_key_switch(&key, shape.rank, norm));
        assert!(all < 1.02 * nothing, "{}: variance 2^{:.1} of 2^{:.1}", set.name(), nothing.log2(), all.log2());
    }
}
