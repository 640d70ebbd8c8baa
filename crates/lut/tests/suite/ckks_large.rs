//! Tables of several digits with CKKS, on toy rings.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::large::depth;
use bootes_lut::ckks::multiplexer::Cleaning;
use bootes_lut::ckks::{BatchLiteral, BatchParams, LargeNoise, LargeTable};
use bootes_lut::{Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_testkit::{TestRng, seed_bytes};
use std::time::Instant;

use crate::ckks::{Setting, setting, toy};

/// For tables of digits of so many bits, n of them.
fn params(bits: u32, n: usize, log2_slot_factor: u32) -> BatchParams {
    let spare_levels = depth(n);
    let literal =
        BatchLiteral { spare_levels, clean_circle: true, log2_slot_factor, ..toy(bits, 10).literal().clone() };
    literal.try_build().unwrap()
}

fn encrypt(s: &Setting, encoding: RlweEncoding, values: &[u64]) -> RlweCiphertext {
    let (ring, key) = (s.bootstrap.params().ckks().ring(), s.secret.key());
    let seed = SecretSeed::from_bytes(&seed_bytes("large", values[0]));
    RlweCiphertext::encrypt(ring, encoding, values, key, 3.19, seed.fork_mask(1), &seed.fork(2)).unwrap()
}

/// The standard deviation of results as a part of half the distance of messages.
fn deviation(result: &RlweCiphertext, s: &Setting, expected: &[u64]) -> f64 {
    let errors = result.errors(s.bootstrap.params().ckks().ring(), s.secret.key(), expected).unwrap();
    let unit =
        2.0 * result.encoding().plaintext_modulus() as f64 * (-f64::from(result.encoding().log2_modulus())).exp2();
    unit * (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt()
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
    assert!(error.to_string().contains("table of several digits needs"), "{error}");
    // Sets without a factor of slots, and with another one.
    let none = toy(3, 10);
    assert!(matches!(LargeTable::new(&none, &table, &[3, 3]), Err(LutError::SlotFactor { entries: 64, .. })));
    let prepared = LargeTable::new(&crate::ckks_large::params(3, 2, 25), &table, &[3, 3]).unwrap();
    let error = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap_err();
    assert!(matches!(error, LutError::OtherSet { .. }), "{error}");
    let prepared = LargeTable::new(&params, &table, &[3, 3]).unwrap();
    let noisy = bootes_schemes::ckks::noise::ErrorBound { bias: 0.002, ..params.fresh_error(48) };
    let refused = LargeNoise::promised(&params, s.bootstrap.transforms(), &prepared, 48, noisy);
    assert!(matches!(refused, Err(LutError::BatchNoise { .. })));
}

/// Results are inputs again, where the lowest digit is interpolated with order 3.
#[test]
fn tables_of_results_are_right() {
    let digits = [3, 3, 3];
    let literal = BatchLiteral { order: 3, log2_modulus: 44, ..params(3, 3, 30).literal().clone() };
    let s = setting(&literal.try_build().unwrap());
    let params = s.bootstrap.params();
    let mut rng = TestRng::new("large chain", 0);
    let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(512)).collect();
    let mut expected = values.clone();
    let mut x = encrypt(&s, RlweEncoding::new(512, 48).unwrap(), &values);
    let mut error = params.fresh_error(48);
    for place in 1..=4 {
        let table = Lut::modular((0..512).map(|_| rng.below(512)).collect(), 512).unwrap();
        let prepared = LargeTable::new(params, &table, &digits).unwrap();
        let log2_modulus = x.encoding().log2_modulus();
        let noise = LargeNoise::predict(params, s.bootstrap.transforms(), &prepared, log2_modulus, error).unwrap();
        assert!(noise.log2_failure() < -128.0, "table {place} in a row fails with 2^{}", noise.log2_failure());
        x = s.bootstrap.evaluate_large(&prepared, &x, |_, _| ()).unwrap();
        expected = expected.iter().map(|&m| table.values()[m as usize]).collect();
        let ring = params.ckks().ring();
        assert_eq!(x.decrypt(ring, s.secret.key()).unwrap(), expected, "table {place} in a row");
        error = noise.result();
        let turns = (-f64::from(x.encoding().log2_modulus())).exp2();
        let worst = x.errors(ring, s.secret.key(), &expected).unwrap().iter().fold(0.0, |a: f64, e| a.max(e.abs()));
        let bound = error.most(params.ckks().max_slot_value());
        println!("table {place} in a row: worst error {:.2e} of a bound of {bound:.2e} turns", worst * turns);
        assert!(worst * turns < bound);
    }
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
        let mut sum = 0.0;
        for _ in 0..3 {
            let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(entries)).collect();
            let input = encrypt(&s, RlweEncoding::new(entries, 48).unwrap(), &values);
            let result = s.bootstrap.evaluate_large(&prepared, &input, |_, _| ()).unwrap();
            let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
            sum += deviation(&result, &s, &expected).powi(2) / 3.0;
        }
        let std = sum.sqrt();
        let ratio = std / noise.std();
        let sources: Vec<_> = noise.sources().collect();
        println!("{digits:?}: std {std:.3e}, {ratio:.3} of the predicted; {sources:?}");
        // The key's slots have a mean square of their own; the prediction is no less than what there is.
        assert!((0.88..1.06).contains(&ratio), "{digits:?}: {ratio} of the predicted deviation");
        assert!(noise.log2_failure() < -128.0 && noise.result().noise.mean() > 0.0);
    }
}

/// For digits of so many bits, four of them, at N = 2^16.
fn full_size(bits: u32, order: u32) -> BatchParams {
    let literal = BatchLiteral {
        name: "full_size".into(),
        class: SetClass::Secure,
        bits,
        order,
        log2_degree: 16,
        base_bits: 50,
        scale_bits: 44,
        digit_primes: 9,
        special_primes: 9,
        weight: 192,
        sparse_weight: 40,
        log2_p_fail: -128.0,
        exponential_log2_error: -22.0,
        clean_circle: true,
        to_slots: 3,
        to_coeffs: 3,
        // The lowest digit's interpolation of order 3 takes the level that the high digits' product does.
        spare_levels: depth(4) - usize::from(order == 3),
        log2_modulus: 46,
        log2_slot_factor: 6 * bits + 9,
    };
    literal.try_build().unwrap()
}

/// A random table of 2^16 entries on 2^16 values, and a table of its results: gigabytes.
#[test]
#[ignore = "a set of full size: keys of gigabytes, minutes"]
fn a_large_table_of_full_size() {
    let (digits, params) = ([4, 4, 4, 4], full_size(4, 3));
    println!("log QP {:.1}, {} levels", params.ckks().log2_modulus(), params.ckks().max_level());
    let s = setting(&params);
    let ring = params.ckks().ring();
    let mut rng = TestRng::new("full size", 0);
    let mut expected: Vec<u64> = (0..params.capacity()).map(|_| rng.below(1 << 16)).collect();
    let mut x = encrypt(&s, RlweEncoding::new(1 << 16, 48).unwrap(), &expected);
    let mut error = params.fresh_error(48);
    for place in 1..=2 {
        let table = Lut::modular((0..1 << 16).map(|_| rng.below(1 << 16)).collect(), 1 << 16).unwrap();
        let prepared = LargeTable::new(&params, &table, &digits).unwrap();
        let log2_modulus = x.encoding().log2_modulus();
        let noise = LargeNoise::predict(&params, s.bootstrap.transforms(), &prepared, log2_modulus, error).unwrap();
        println!("table {place}: failure 2^{:.1}, {:?}", noise.log2_failure(), noise.sources().collect::<Vec<_>>());
        assert!(noise.log2_failure() < -128.0);
        let start = Instant::now();
        let watch = |digit, step| println!("{:8.2} s: digit {digit}, {step:?}", start.elapsed().as_secs_f64());
        x = s.bootstrap.evaluate_large(&prepared, &x, watch).unwrap();
        println!("{:8.2} s", start.elapsed().as_secs_f64());
        expected = expected.iter().map(|&m| table.values()[m as usize]).collect();
        assert_eq!(x.decrypt(ring, s.secret.key()).unwrap(), expected);
        let std = deviation(&x, &s, &expected);
        println!("std {std:.2e} of half the distance, {:.3} of the predicted", std / noise.std());
        assert!((0.9..1.1).contains(&(std / noise.std())));
        error = noise.result();
    }
}

/// The paper's tree and characters on the same ciphertext, a random table of 12 bits.
#[test]
#[ignore = "a set of full size: keys of gigabytes, minutes"]
fn characters_beside_the_papers_tree() {
    let (digits, params) = ([3, 3, 3, 3], full_size(3, 1));
    let s = setting(&params);
    let mut rng = TestRng::new("beside", 0);
    let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(1 << 12)).collect();
    let x = encrypt(&s, RlweEncoding::new(1 << 12, 46).unwrap(), &values);
    let table = Lut::modular((0..1 << 12).map(|_| rng.below(1 << 12)).collect(), 1 << 12).unwrap();
    let prepared = LargeTable::new(&params, &table, &digits).unwrap();
    let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
    for _ in 0..2 {
        for tree in [true, false] {
            let start = Instant::now();
            let result = match tree {
                true => s.bootstrap.evaluate_tree(&table, &digits, Cleaning::None, &x, |_, _| ()).unwrap(),
                false => s.bootstrap.evaluate_large(&prepared, &x, |_, _| ()).unwrap(),
            };
            let seconds = start.elapsed().as_secs_f64();
            assert_eq!(result.decrypt(params.ckks().ring(), s.secret.key()).unwrap(), expected);
            let name = if tree { "CMT-FBT" } else { "characters" };
            println!("{name}: {seconds:.2} s, std {:.2e} of half the distance", deviation(&result, &s, &expected));
        }
    }
}
