//! Tables of several digits with CKKS, on toy rings.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::multiplexer::Cleaning;
use bootes_lut::ckks::{BatchLiteral, BatchParams, LargeNoise, LargeTable};
use bootes_lut::{Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_testkit::{TestRng, seed_bytes};

use crate::ckks::{Setting, setting, toy};

/// For tables of digits of so many bits, n of them.
fn params(bits: u32, n: usize, log2_slot_factor: u32) -> BatchParams {
    let spare_levels = bootes_lut::ckks::large::depth(n);
    let literal =
        BatchLiteral { spare_levels, clean_circle: true, log2_slot_factor, ..toy(bits, 10).literal().clone() };
    literal.try_build().unwrap()
}

fn encrypt(s: &Setting, encoding: RlweEncoding, values: &[u64]) -> RlweCiphertext {
    let (ring, key) = (s.bootstrap.params().ckks().ring(), s.secret.key());
    let seed = SecretSeed::from_bytes(&seed_bytes("large", values[0]));
    RlweCiphertext::encrypt(ring, encoding, values, key, 3.19, seed.fork_mask(1), &seed.fork(2)).unwrap()
}

/// The largest error as a part of half the distance of messages, after a look at every value.
fn check(s: &Setting, table: &Lut, digits: &[u32]) -> f64 {
    let params = s.bootstrap.params();
    let (entries, modulus) = (table.in_modulus(), table.out_modulus());
    let prepared = LargeTable::new(params, table, digits).unwrap();
    let all: Vec<u64> = (0..entries.max(params.capacity() as u64)).map(|m| m % entries).collect();
    let mut worst: f64 = 0.0;
    for values in all.chunks(params.capacity()) {
        let input = encrypt(s, RlweEncoding::new(entries, 48).unwrap(), values);
        let result = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap();
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        let ring = params.ckks().ring();
        assert_eq!(result.decrypt(ring, s.secret.key()).unwrap(), expected, "{digits:?}");
        let errors = result.errors(ring, s.secret.key(), &expected).unwrap();
        let unit = 2.0 * modulus as f64 * (-f64::from(result.encoding().log2_modulus())).exp2();
        worst = errors.iter().fold(worst, |worst, e| worst.max(unit * e.abs()));
    }
    worst
}

#[test]
fn every_value_of_tables_of_several_digits_is_right() {
    for (bits, shapes) in [
        (2, vec![vec![2, 2], vec![1, 1], vec![1, 2]]),
        (4, vec![vec![4, 4], vec![3, 2]]),
        (3, vec![vec![3, 3, 3], vec![1, 2, 3]]),
        (2, vec![vec![2, 2, 2, 2], vec![1, 1, 1, 1], vec![2, 1, 1, 2]]),
        (3, vec![vec![3, 3, 3, 3]]),
    ] {
        let s = setting(&params(bits, shapes[0].len(), 24));
        for digits in shapes {
            let mut rng = TestRng::new("large tables", digits.len() as u64);
            let entries = 1u64 << digits.iter().sum::<u32>();
            let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
            let worst = check(&s, &table, &digits);
            let rounding = LargeTable::new(s.bootstrap.params(), &table, &digits).unwrap().rounding();
            println!("{digits:?}: {worst:.2e} of half the distance, {rounding:.2e} by the rounding of coefficients");
            assert!(worst < 0.05, "{digits:?}");
        }
    }
}

/// The paper's algorithms, on the same tables.
#[test]
fn multiplexer_trees_evaluate_tables() {
    for (digits, cleaning, spare_levels) in [
        (vec![3, 3], Cleaning::None, 2),
        (vec![2, 3], Cleaning::Identity, 4),
        (vec![1, 1, 1, 1], Cleaning::None, 3),
        (vec![1, 1, 1, 1], Cleaning::And, 5),
        (vec![2, 2, 2, 2], Cleaning::Identity, 5),
    ] {
        let bits = *digits.iter().max().unwrap();
        let literal = BatchLiteral { spare_levels, ..params(bits, 2, 0).literal().clone() };
        let s = setting(&literal.try_build().unwrap());
        let mut rng = TestRng::new("multiplexer trees", digits.len() as u64);
        let entries = 1u64 << digits.iter().sum::<u32>();
        let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
        let values: Vec<u64> = (0..s.bootstrap.params().capacity() as u64).map(|m| m % entries).collect();
        let input = encrypt(&s, RlweEncoding::new(entries, 48).unwrap(), &values);
        let result = s.bootstrap.evaluate_tree(&table, &digits, cleaning, &input, |_, _| ()).unwrap();
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        let found = result.decrypt(s.bootstrap.params().ckks().ring(), s.secret.key()).unwrap();
        assert_eq!(found, expected, "{digits:?} {cleaning:?}");
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let params = params(3, 2, 24);
    let table = Lut::modular((0..64).collect(), 64).unwrap();
    for digits in [vec![], vec![6], vec![3, 2], vec![4, 2], vec![3, 3, 0], vec![3, 3, u32::MAX, 2]] {
        let error = LargeTable::new(&params, &table, &digits).unwrap_err();
        assert!(matches!(&error, LutError::DigitShape { entries: 64, most: 3, .. }), "{error}");
    }
    // Messages of other bits than the table's, and a set without levels for four digits.
    let s = setting(&params);
    let prepared = LargeTable::new(&params, &table, &[3, 3]).unwrap();
    let input = encrypt(&s, RlweEncoding::new(32, 48).unwrap(), &[1]);
    let error = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap_err();
    assert!(matches!(error, LutError::BatchInput { .. }), "{error}");
    let prepared = LargeTable::new(&params, &table, &[1, 1, 1, 3]).unwrap();
    let input = encrypt(&s, RlweEncoding::new(64, 48).unwrap(), &[1]);
    let error = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("level"), "{error}");
}

#[test]
fn noise_is_as_predicted() {
    // The noise of SlotsToCoeffs and of the circle, the rounding of coefficients, that of the characters,
    // all.
    let cases =
        [(4, vec![4, 4], 35, 43), (4, vec![4, 4], 26, 38), (2, vec![2, 2, 2], 22, 38), (3, vec![3, 3, 3, 3], 35, 38)];
    for (bits, digits, factor, scale_bits) in cases {
        let literal = BatchLiteral { scale_bits, ..params(bits, digits.len(), factor).literal().clone() };
        let s = setting(&literal.try_build().unwrap());
        let params = s.bootstrap.params();
        let mut rng = TestRng::new("large noise", digits.len() as u64);
        let entries = 1u64 << digits.iter().sum::<u32>();
        let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
        let prepared = LargeTable::new(params, &table, &digits).unwrap();
        let noise =
            LargeNoise::predict(params, s.bootstrap.transforms(), &prepared, 48, params.fresh_error(48)).unwrap();
        let (mut sum, mut count) = (0.0, 0);
        for _ in 0..3 {
            let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(entries)).collect();
            let input = encrypt(&s, RlweEncoding::new(entries, 48).unwrap(), &values);
            let result = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap();
            let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
            let errors = result.errors(params.ckks().ring(), s.secret.key(), &expected).unwrap();
            let unit = 2.0 * entries as f64 * (-f64::from(result.encoding().log2_modulus())).exp2();
            sum += errors.iter().map(|e| (unit * e).powi(2)).sum::<f64>();
            count += errors.len();
        }
        let std = (sum / count as f64).sqrt();
        let ratio = std / noise.std();
        let sources: Vec<_> = noise.sources().collect();
        println!("{digits:?}: std {std:.3e}, {ratio:.3} of the predicted; {sources:?}");
        // The key's slots have a mean square of their own; the prediction is no less than what there is.
        assert!((0.88..1.06).contains(&ratio), "{digits:?}: {ratio} of the predicted deviation");
        assert!(noise.log2_failure() < -128.0 && noise.result().noise.mean() > 0.0);
    }
}

/// A random table of 2^16 entries on 2^16 values: gigabytes.
#[test]
#[ignore = "a set of full size: keys of gigabytes, minutes"]
fn a_large_table_of_full_size() {
    let digits = [4, 4, 4, 4];
    let literal = BatchLiteral {
        name: "full_size_16bit".into(),
        class: bootes_schemes::class::SetClass::Secure,
        bits: 4,
        order: 1,
        log2_degree: 16,
        base_bits: 50,
        scale_bits: 42,
        digit_primes: 10,
        special_primes: 9,
        weight: 192,
        sparse_weight: 40,
        log2_p_fail: -128.0,
        exponential_log2_error: -22.0,
        clean_circle: true,
        to_slots: 3,
        to_coeffs: 3,
        spare_levels: bootes_lut::ckks::large::depth(4),
        log2_modulus: 46,
        log2_slot_factor: 30,
    };
    let params = literal.try_build().unwrap();
    println!("log QP {:.1}, {} levels", params.ckks().log2_modulus(), params.ckks().max_level());
    let start = std::time::Instant::now();
    let s = setting(&params);
    println!("keys {:.1} s", start.elapsed().as_secs_f64());
    let mut rng = TestRng::new("full size", 0);
    let table = Lut::modular((0..1 << 16).map(|_| rng.below(1 << 16)).collect(), 1 << 16).unwrap();
    let prepared = LargeTable::new(&params, &table, &digits).unwrap();
    let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(1 << 16)).collect();
    let input = encrypt(&s, RlweEncoding::new(1 << 16, 48).unwrap(), &values);
    let predict = |input| LargeNoise::predict(&params, s.bootstrap.transforms(), &prepared, 48, input).unwrap();
    let mut noise = predict(params.fresh_error(48));
    println!("predicted std {:.2e}, {:?}", noise.std(), noise.sources().collect::<Vec<_>>());
    for place in 1..4 {
        println!("failure of table {place} in a row 2^{:.1}, {:?}", noise.log2_failure(), noise.result());
        noise = predict(noise.result());
    }
    for _ in 0..2 {
        let start = std::time::Instant::now();
        let watch = |digit, step| println!("{:8.2} s: digit {digit}, {step:?}", start.elapsed().as_secs_f64());
        let result = s.bootstrap.evaluate_large(&prepared, &input, watch).unwrap();
        println!("{:8.2} s", start.elapsed().as_secs_f64());
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        let ring = params.ckks().ring();
        assert_eq!(result.decrypt(ring, s.secret.key()).unwrap(), expected);
        let errors = result.errors(ring, s.secret.key(), &expected).unwrap();
        let unit = 2.0 * (16f64 - 46.0).exp2();
        let std = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt() * unit;
        let worst = errors.iter().fold(0.0, |worst: f64, e| worst.max(unit * e.abs()));
        println!("std {std:.2e}, worst {worst:.2e} of half the distance; rounding {:.2e}", prepared.rounding());
    }
}
