//! The noise of blind rotation on words of 128 bits against its prediction: beta_ACC of the wide-modulus paper.
use bootes_lattice::glwe::{MaskMultiplier, phase_into};
use bootes_lattice::noise::measure::torus_difference;
use bootes_ring::fft::{Fft, WordLimbs};
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::blind_rotate::{BlindRotation, RotationKey};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::test_vector::TestVector;
use bootes_testkit::{Moments, TestRng, portion, seed_bytes};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Measures `count` rotations with words cut into `limbs` under each of `keys` keys: the standard deviation of the
/// errors of all coefficients is from `low` times to 1.25 times the predicted.
#[track_caller]
fn assert_std(low: f64, params: &FhewParams, limbs: &WordLimbs, keys: u64, count: usize) -> Outcome {
    let errors = rotation_errors(params, limbs, keys, count)?;
    let measured = Moments::of(&errors).std();
    let predicted = params.blind_rotation(params.shape()).variance_with(limbs, Some(1)).sqrt();
    let (name, limbs, ratio) = (params.name(), limbs.count(), measured / predicted);
    let log2 = |std: f64| std.log2() + f64::from(params.log2_modulus());
    println!("{name}: {limbs} limbs, 2^{:.2} of 2^{:.2} predicted", log2(measured), log2(predicted));
    assert!((low..1.25).contains(&ratio), "{name}, {limbs} limbs: std is {ratio:.3} of the predicted");
    Ok(())
}

fn rotation_errors(
    params: &FhewParams,
    limbs: &WordLimbs,
    keys: u64,
    count: usize,
) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let (shape, n, distribution) = (params.shape(), params.lwe_dimension(), params.lwe_distribution());
    let modulus = 2 * shape.degree as u64;
    let mut errors = Vec::new();
    for index in 0..keys {
        let secret = SecretKeys::derive(params, SecretSeed::from_bytes(&seed_bytes(params.name(), index)));
        let seeded = secret.evaluation_key_with_randomness_for_tests::<u128>(&[7; 32])?.rotation;
        let key = RotationKey::prepare(&seeded, *limbs, Fft::new(shape.degree)?, distribution, n)?;
        let mut random = TestRng::new(params.name(), index);
        let values: Vec<u64> = (0..shape.degree).map(|_| random.next_u64()).collect();
        let vector = TestVector::new(1, shape.degree, |x| values[x]);
        let mut scratch = ScratchBuffer::new(key.rotate_scratch_bytes(1));
        let mut multiplier = MaskMultiplier::new(key.fft(), secret.expose_glwe());
        let (mut expected, mut phase) = (vec![0u128; shape.words()], vec![0u128; shape.degree]);
        for _ in 0..count {
            let mask: Vec<u32> = (0..n).map(|_| random.below(modulus) as u32).collect();
            let mut accumulator = vec![0u128; shape.words()];
            vector.rotate_into(&mut accumulator, 0);
            let rotation = BlindRotation { extension: 1, mask: &mask, accumulator: &mut accumulator };
            key.rotate(&mut [rotation], &Cancel::new(), scratch.scratch());
            let products = mask.iter().zip(secret.expose_lwe().expose_coefficients());
            let product: i64 = products.map(|(&a, &s)| i64::from(a) * i64::from(s)).sum();
            vector.rotate_into(&mut expected, product.rem_euclid(modulus as i64) as u32);
            phase_into(&mut phase, &accumulator, &mut multiplier);
            errors.extend(phase.iter().zip(&expected[shape.lwe_dimension()..]).map(|(&x, &y)| torus_difference(x, y)));
        }
    }
    Ok(errors)
}

/// A shipped set with a short key of `dimension` coefficients.
fn with_dimension(name: &str, dimension: usize) -> Result<FhewParams, Box<dyn std::error::Error>> {
    let mut literal = FhewParams::by_name(name)?.literal().clone();
    literal.name = format!("toy_{name}");
    literal.class = SetClass::Toy;
    literal.lwe.dimension = dimension;
    Ok(literal.try_build()?)
}

#[test]
fn rotations_by_short_keys_err_as_predicted() -> Outcome {
    for name in ["paper_wide_72_d3", "paper_wide_76_d3", "paper_wide_76_d4", "wide_4bit_q100", "wide_4bit_q120"] {
        let params = with_dimension(name, 14)?;
        assert_std(0.8, &params, &params.limbs::<u128>(params.shape()), portion(16, 4), 2)?;
    }
    Ok(())
}

/// The dropped digits, the key's noise and the transforms' errors, one after the other as what dominates.
#[test]
fn every_term_of_the_noise_is_as_predicted() -> Outcome {
    for (log2_std, log2_base, levels) in
        [(-110.0, 12, 3), (-60.0, 16, 5), (-118.0, 24, 5), (-118.0, 15, 8), (-100.0, 28, 3)]
    {
        let mut literal = with_dimension("wide_4bit_q100", 28)?.literal().clone();
        literal.name = format!("toy_wide_{log2_std}_{log2_base}_{levels}");
        literal.class = SetClass::Toy;
        literal.log2_modulus = Some(120);
        literal.glwe.degree = 1024;
        literal.glwe.log2_std = log2_std;
        literal.bootstrap.log2_base = log2_base;
        literal.bootstrap.levels = levels;
        let params = literal.try_build()?;
        // The transforms' error is predicted for large extensions: where it dominates, a little above that of 1.
        assert_std(0.7, &params, &params.limbs::<u128>(params.shape()), 6, 3)?;
    }
    Ok(())
}

/// A key of many tiles, and several rotations at once.
#[test]
fn rotations_together_are_those_alone() -> Outcome {
    let params = with_dimension("wide_4bit_q100", 14)?;
    let (shape, secret) = (params.shape(), SecretKeys::derive(&params, SecretSeed::from_bytes(&[1; 32])));
    let key: PreparedEvaluationKey<u128> = secret.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
    let mut random = TestRng::new("together", 0);
    let mut masks: Vec<Vec<u32>> =
        (0..5).map(|_| (0..14).map(|_| random.below(2 * shape.degree as u64) as u32).collect()).collect();
    // One that a block leaves in its place.
    masks[1][..7].fill(0);
    let start: Vec<u128> = (0..shape.words()).map(|_| u128::from(random.next_u64()) << 64).collect();
    let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(1));
    let mut together = vec![start.clone(); masks.len()];
    let mut rotations: Vec<BlindRotation<'_, u128>> = masks
        .iter()
        .zip(&mut together)
        .map(|(mask, accumulator)| BlindRotation { extension: 1, mask, accumulator })
        .collect();
    key.rotation.rotate(&mut rotations, &Cancel::new(), scratch.scratch());
    for (mask, together) in masks.iter().zip(&together) {
        let mut alone = start.clone();
        key.rotation.rotate(
            &mut [BlindRotation { extension: 1, mask, accumulator: &mut alone }],
            &Cancel::new(),
            scratch.scratch(),
        );
        assert!(alone == *together);
    }
    Ok(())
}

/// What the last block drops of masks, with products that are multiples of the unit of an `f64`, is different in every
/// rotation: of its mean square there is no part that all have in common.
#[test]
fn rotations_have_no_rest_in_common() -> Outcome {
    const COUNT: usize = 32;
    let block = FhewParams::by_name("wide_11bit_q66")?.lwe_distribution().block_length();
    let params = with_dimension("wide_11bit_q66", 2 * block)?;
    let (shape, gadget) = (params.shape(), params.bootstrap_gadget());
    let secret = SecretKeys::derive(&params, SecretSeed::from_bytes(&[2; 32]));
    let key: PreparedEvaluationKey<u128> = secret.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
    let mut random = TestRng::new("rests", 0);
    let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(1));
    let (mut sums, mut squares) = (vec![0.0; shape.lwe_dimension()], 0.0);
    for _ in 0..COUNT {
        let mask: Vec<u32> = (0..2 * block).map(|_| random.below(2 * shape.degree as u64) as u32).collect();
        let mut accumulator = vec![0u128; shape.words()];
        let rotation = BlindRotation { extension: 1, mask: &mask, accumulator: &mut accumulator };
        key.rotation.rotate(&mut [rotation], &Cancel::new(), scratch.scratch());
        for (sum, &x) in sums.iter_mut().zip(&accumulator) {
            let rest = (x << (gadget.levels() * gadget.log2_base())) as f64 / 128f64.exp2() - 0.5;
            *sum += rest;
            squares += rest * rest;
        }
    }
    // Of independent ones it is 1/COUNT.
    let of_means = sums.iter().map(|sum| sum * sum).sum::<f64>() / COUNT as f64;
    assert!(of_means / squares < 1.3 / COUNT as f64, "{}", of_means / squares);
    Ok(())
}

#[test]
fn toy_sets_err_as_predicted() -> Outcome {
    for params in FhewParams::wide().iter().filter(|set| set.name().starts_with("toy_")) {
        assert_std(0.8, params, &params.limbs::<u128>(params.shape()), 10, 10)?;
    }
    Ok(())
}

/// The split of two limbs where it is too high, right and too low: the wide-modulus paper's Figure 2.
#[test]
fn every_split_of_two_limbs_errs_as_predicted() -> Outcome {
    let params = with_dimension("wide_4bit_q76", 28)?;
    let error = params.blind_rotation(params.shape()).transform_error();
    for width in [6, 18, 30] {
        assert_std(0.75, &params, &WordLimbs::split(error, width), portion(8, 2), 8)?;
    }
    Ok(())
}

/// Every set at its full size, Q from 2^62 to 2^120:
/// `cargo test --release -p bootes-schemes --test suite wide_noise -- --ignored --nocapture`.
#[test]
#[ignore = "keys of up to nine gigabytes, minutes"]
fn full_rotations_err_as_predicted() -> Outcome {
    for params in FhewParams::wide().iter().filter(|set| !set.name().starts_with("toy_")) {
        assert_std(0.8, params, &params.limbs::<u128>(params.shape()), 1, 16)?;
    }
    Ok(())
}
