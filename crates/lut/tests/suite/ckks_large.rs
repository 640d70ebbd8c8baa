//! Tables of several digits with CKKS, on toy rings.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::tables::digits::Shape;
use bootes_lut::ckks::{LargeNoise, LargeTable, TableLiteral, TableParams};
use bootes_lut::papers::multiplexer::Cleaning;
use bootes_lut::{CkksLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_testkit::{TestRng, portion, sampled, seed_bytes};
use std::time::Instant;

use crate::ckks::{Setting, setting, toy};

/// For tables of digits like these and of order 1, with so many levels more.
fn params(digits: &[u64], log2_slot_factor: u32) -> TableParams {
    ordered(digits, 1, log2_slot_factor).try_build().unwrap()
}

fn ordered(digits: &[u64], order: u32, log2_slot_factor: u32) -> TableLiteral {
    let bits = digits.iter().product::<u64>().ilog2();
    let toy = toy(2, 10).literal().clone();
    TableLiteral { bits, digits: digits.to_vec(), flat_digits: 2, order, clean_circle: true, log2_slot_factor, ..toy }
}

/// All ways to place digits that a set has the levels for.
fn shapes(params: &TableParams, digits: &[u64]) -> Vec<Shape> {
    let shapes = [1, 2].into_iter().filter_map(|factors| Shape::new(params.literal(), digits, factors));
    shapes.filter(|shape| shape.depth() <= params.table_levels()).collect()
}

fn shape(params: &TableParams, digits: &[u64]) -> Shape {
    shapes(params, digits).pop().expect("a shape that fits")
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
fn check(s: &Setting, table: &Lut, digits: &Shape) -> f64 {
    let params = s.bootstrap.params();
    let (entries, modulus) = (table.in_modulus(), table.out_modulus());
    let prepared = [LargeTable::new(params, table, digits).unwrap()];
    let all: Vec<u64> = (0..entries.max(params.capacity() as u64)).map(|m| m % entries).collect();
    let mut worst: f64 = 0.0;
    for values in all.chunks(params.capacity()) {
        let input = encrypt(s, RlweEncoding::new(entries, 48).unwrap(), values);
        let result = s.bootstrap.evaluate_large(&prepared, &input, crate::unheard).unwrap().remove(0);
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
    // Powers of two and others, two to five digits, one factor of columns or two.
    let sets = [
        (vec![4, 4], vec![vec![4, 4], vec![2, 2], vec![2, 4], vec![3, 4], vec![3, 3]]),
        (vec![16, 16], vec![vec![16, 16], vec![8, 4], vec![15, 7]]),
        (vec![8, 8, 8], vec![vec![8, 8, 8], vec![2, 4, 8], vec![5, 3, 7]]),
        (vec![4, 4, 4, 4], vec![vec![4, 4, 4, 4], vec![2, 2, 2, 2], vec![4, 2, 2, 4], vec![3, 4, 2, 3]]),
        (vec![2, 2, 2, 2, 2], vec![vec![2, 2, 2, 2, 2]]),
        (vec![8, 8, 8, 8], vec![vec![8, 8, 8, 8]]),
    ];
    for (set, all) in sampled(sets, 2) {
        // With a level for the factor, and without.
        let literal = TableLiteral { factor_level: set.len().is_multiple_of(2), ..ordered(&set, 1, 24) };
        let s = setting(&literal.try_build().unwrap());
        for (digits, shape) in sampled(&all, 3)
            .flat_map(|digits| shapes(s.bootstrap.params(), digits).into_iter().map(move |shape| (digits, shape)))
        {
            let mut rng = TestRng::new("large tables", digits.len() as u64);
            let entries = digits.iter().product::<u64>();
            let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
            let worst = check(&s, &table, &shape);
            let rounding = LargeTable::new(s.bootstrap.params(), &table, &shape).unwrap().rounding();
            println!("{shape:?}: {worst:.2e} of half the distance, {rounding:.2e} by the rounding of coefficients");
            assert!(worst < 0.05, "{shape:?}");
        }
    }
}

/// The paper's algorithms, on the same tables.
#[test]
fn multiplexer_trees_evaluate_tables() {
    for (digits, cleaning, spare_levels) in [
        (vec![8, 8], Cleaning::None, 2),
        (vec![4, 8], Cleaning::Identity, 4),
        (vec![3, 5], Cleaning::None, 2),
        (vec![2, 2, 2, 2], Cleaning::None, 3),
        (vec![2, 2, 2, 2], Cleaning::And, 5),
        (vec![4, 4, 4, 4], Cleaning::Identity, 5),
    ] {
        let bits = u64::next_power_of_two(*digits.iter().max().unwrap()).ilog2();
        let literal = TableLiteral { bits, spare_levels, clean_circle: true, ..toy(bits, 10).literal().clone() };
        let s = setting(&literal.try_build().unwrap());
        let mut rng = TestRng::new("multiplexer trees", digits.len() as u64);
        let entries = digits.iter().product::<u64>();
        let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
        let values: Vec<u64> = (0..s.bootstrap.params().capacity() as u64).map(|m| m % entries).collect();
        let input = encrypt(&s, RlweEncoding::new(entries, 48).unwrap(), &values);
        let result = s.bootstrap.evaluate_tree(&table, &digits, cleaning, &input, crate::unheard).unwrap();
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        let found = result.decrypt(s.bootstrap.params().ckks().ring(), s.secret.key()).unwrap();
        assert_eq!(found, expected, "{digits:?} {cleaning:?}");
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let params = params(&[8, 8], 24);
    let table = Lut::modular((0..64).collect(), 64).unwrap();
    for digits in [&[8, 4][..], &[4, 16], &[2; 6]] {
        let shape = Shape::new(params.literal(), digits, 1).unwrap();
        let error = LargeTable::new(&params, &table, &shape).unwrap_err();
        assert!(matches!(&error, LutError::Ckks(CkksLutError::DigitShape { entries: 64, most: 16, .. })), "{error}");
    }
    // Messages of another modulus than the table's; no table, tables of two shapes.
    let s = setting(&params);
    let eights = shape(&params, &[8, 8]);
    let prepared = LargeTable::new(&params, &table, &eights).unwrap();
    let refusal = |tables: &[LargeTable], modulus| {
        let input = encrypt(&s, RlweEncoding::new(modulus, 48).unwrap(), &[1]);
        s.bootstrap.evaluate_large(tables, &input, crate::unheard).unwrap_err()
    };
    let error = refusal(std::slice::from_ref(&prepared), 32);
    assert!(matches!(error, LutError::Ckks(CkksLutError::Input { .. })), "{error}");
    let other = Lut::modular((0..32).collect(), 64).unwrap();
    let other = LargeTable::new(&params, &other, &shape(&params, &[4, 8])).unwrap();
    assert!(matches!(refusal(&[], 64), LutError::Ckks(CkksLutError::LargeTables { found: 0 })));
    assert!(matches!(refusal(&[prepared.clone(), other], 64), LutError::Ckks(CkksLutError::LargeTables { found: 2 })));
    // Sets without a factor of slots, and with another one.
    let none = toy(6, 10);
    assert!(matches!(
        LargeTable::new(&none, &table, &eights),
        Err(LutError::Ckks(CkksLutError::SlotFactor { entries: 64, .. }))
    ));
    let other = LargeTable::new(&crate::ckks_large::params(&[8, 8], 25), &table, &eights).unwrap();
    let error = refusal(&[other], 64);
    assert!(matches!(error, LutError::Ckks(CkksLutError::OtherSet { .. })), "{error}");
    let noisy = bootes_schemes::ckks::noise::ErrorBound { bias: 0.002, ..params.fresh_error(48) };
    let refused = LargeNoise::promised(&params, s.bootstrap.transforms(), &prepared, 48, noisy);
    assert!(matches!(refused, Err(LutError::Ckks(CkksLutError::Noise { .. }))));
}

/// Tables on the same inputs share all but the last step.
#[test]
fn several_tables_at_once() {
    let params = params(&[4, 4, 4], 24);
    let s = setting(&params);
    let shape = shape(&params, &[4, 4, 4]);
    let values: Vec<u64> = (0..params.capacity() as u64).map(|m| m % 64).collect();
    let input = encrypt(&s, RlweEncoding::new(64, 48).unwrap(), &values);
    let tables = [64, 10, 1000].map(|p| Lut::modular((0..64).map(|m| m * m * 7 % p).collect(), p).unwrap());
    let prepared: Vec<_> = tables.iter().map(|table| LargeTable::new(&params, table, &shape).unwrap()).collect();
    let results = s.bootstrap.evaluate_large(&prepared, &input, crate::unheard).unwrap();
    for (table, result) in tables.iter().zip(results) {
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        assert_eq!(result.decrypt(params.ckks().ring(), s.secret.key()).unwrap(), expected);
    }
}

/// Results are inputs again, where the lowest digit is interpolated with order 3.
#[test]
fn tables_of_results_are_right() {
    let literal = TableLiteral { log2_modulus: 44, ..ordered(&[8, 8, 8], 3, 30) };
    let s = setting(&literal.try_build().unwrap());
    let params = s.bootstrap.params();
    let digits = shape(params, &[8, 8, 8]);
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
        x = s.bootstrap.evaluate_large(&[prepared], &x, crate::unheard).unwrap().remove(0);
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
    // Most of it is of SlotsToCoeffs, of the circle, or of coefficients that are rounded; of characters, or of all.
    let cases = [
        (vec![16, 16], 35, 43, false),
        (vec![16, 16], 26, 38, false),
        (vec![4, 4, 4], 22, 38, false),
        (vec![16, 16], 35, 43, true),
        (vec![8, 8, 8, 8], 33, 38, true),
        (vec![8, 8, 8, 8], 35, 38, false),
    ];
    for (digits, factor, scale_bits, factor_level) in sampled(cases, 2) {
        let literal = TableLiteral { scale_bits, factor_level, ..ordered(&digits, 1, factor) };
        let s = setting(&literal.try_build().unwrap());
        let params = s.bootstrap.params();
        let shape = shape(params, &digits);
        let mut rng = TestRng::new("large noise", digits.len() as u64);
        let entries = shape.entries();
        let table = Lut::modular((0..entries).map(|_| rng.below(entries)).collect(), entries).unwrap();
        let prepared = LargeTable::new(params, &table, &shape).unwrap();
        let noise =
            LargeNoise::predict(params, s.bootstrap.transforms(), &prepared, 48, params.fresh_error(48)).unwrap();
        let mut sum = 0.0;
        for _ in 0..3 {
            let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(entries)).collect();
            let input = encrypt(&s, RlweEncoding::new(entries, 48).unwrap(), &values);
            let result =
                s.bootstrap.evaluate_large(std::slice::from_ref(&prepared), &input, crate::unheard).unwrap().remove(0);
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

/// The rounded numbers of SlotsToCoeffs make an error that is the same for the same messages, whatever the encryption:
/// in sums of results it adds up, within the bound.
#[test]
fn errors_of_equal_messages_add_up() {
    let terms = portion(24, 4);
    for factor_level in [false, true] {
        let literal = TableLiteral { factor_level, ..ordered(&[8, 8], 1, 38) };
        let s = setting(&literal.try_build().unwrap());
        let params = s.bootstrap.params();
        let table = Lut::modular(vec![511; 64], 1024).unwrap();
        let prepared = LargeTable::new(params, &table, &shape(params, &[8, 8])).unwrap();
        let input = params.fresh_error(48);
        let noise = LargeNoise::predict(params, s.bootstrap.transforms(), &prepared, 48, input).unwrap();
        let mut sums = vec![0.0; params.capacity()];
        for term in 0..terms {
            let x = encrypt(&s, RlweEncoding::new(64, 48).unwrap(), &vec![term; params.capacity()]);
            let result =
                s.bootstrap.evaluate_large(std::slice::from_ref(&prepared), &x, crate::unheard).unwrap().remove(0);
            let unit = (-f64::from(result.encoding().log2_modulus())).exp2();
            let expected = vec![511; params.capacity()];
            let errors = result.errors(params.ckks().ring(), s.secret.key(), &expected).unwrap();
            sums.iter_mut().zip(errors).for_each(|(sum, e)| *sum += e * unit);
        }
        let (bound, mut sum) = (noise.result(), bootes_schemes::ckks::noise::ErrorBound::default());
        (0..terms).for_each(|_| sum = sum.plus(bound));
        let u = params.ckks().max_slot_value();
        let (most, found) = (sum.most(u), sums.iter().fold(0.0, |most: f64, e| most.max(e.abs())));
        println!("factor level {factor_level}: {found:.2e} of {most:.2e} turns, bias {:.2e} a term", bound.bias);
        assert!(found < most);
        // Without a level of its own the maps' error is most of all, and is no noise.
        assert!(factor_level || found > 5.0 * (terms as f64 * bound.noise.at(1.0)).sqrt());
    }
}

/// Random tables on N values, and tables of their results, with shipped sets: every value right, noise as predicted.
#[test]
#[ignore = "sets of full size: keys of gigabytes, minutes"]
fn large_tables_of_full_size() {
    for name in ["batch_12bit_digits", "batch_14bit", "batch_16bit"] {
        let params = TableParams::named(name).unwrap();
        let (s, p) = (setting(&params), 1u64 << params.literal().bits);
        let (ring, log2_modulus) = (params.ckks().ring(), params.literal().log2_modulus);
        let mut rng = TestRng::new(name, 0);
        let mut expected: Vec<u64> = (0..params.capacity()).map(|_| rng.below(p)).collect();
        let mut x = encrypt(&s, RlweEncoding::new(p, log2_modulus).unwrap(), &expected);
        let mut error = params.fresh_error(log2_modulus);
        for place in 1..=2 {
            let table = Lut::modular((0..p).map(|_| rng.below(p)).collect(), p).unwrap();
            let prepared = LargeTable::new(&params, &table, &shape(&params, &params.literal().digits)).unwrap();
            let noise = LargeNoise::predict(&params, s.bootstrap.transforms(), &prepared, log2_modulus, error).unwrap();
            assert!(noise.log2_failure() < -128.0);
            let start = Instant::now();
            x = s.bootstrap.evaluate_large(&[prepared], &x, crate::unheard).unwrap().remove(0);
            let seconds = start.elapsed().as_secs_f64();
            expected = expected.iter().map(|&m| table.values()[m as usize]).collect();
            assert_eq!(x.decrypt(ring, s.secret.key()).unwrap(), expected);
            let std = deviation(&x, &s, &expected);
            let ratio = std / noise.std();
            println!("{name}, table {place}: {seconds:.1} s, std {std:.2e} of half the distance, {ratio:.3} predicted");
            assert!((0.9..1.1).contains(&ratio));
            error = noise.result();
        }
    }
}

/// The paper's tree and characters on the same ciphertext, a random table of 12 bits.
#[test]
#[ignore = "a set of full size: keys of gigabytes, minutes"]
fn characters_beside_the_papers_tree() {
    let literal = TableLiteral {
        bits: 12,
        digits: vec![8; 4],
        order: 1,
        spare_levels: 1,
        ..TableParams::named("batch_16bit").unwrap().literal().clone()
    };
    let params = literal.try_build().unwrap();
    let s = setting(&params);
    let mut rng = TestRng::new("beside", 0);
    let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(1 << 12)).collect();
    let x = encrypt(&s, RlweEncoding::new(1 << 12, 46).unwrap(), &values);
    let table = Lut::modular((0..1 << 12).map(|_| rng.below(1 << 12)).collect(), 1 << 12).unwrap();
    let digits = params.literal().digits.clone();
    let prepared = [LargeTable::new(&params, &table, &shape(&params, &digits)).unwrap()];
    let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
    for _ in 0..2 {
        for tree in [true, false] {
            let start = Instant::now();
            let result = match tree {
                true => s.bootstrap.evaluate_tree(&table, &digits, Cleaning::None, &x, crate::unheard).unwrap(),
                false => s.bootstrap.evaluate_large(&prepared, &x, crate::unheard).unwrap().remove(0),
            };
            let seconds = start.elapsed().as_secs_f64();
            assert_eq!(result.decrypt(params.ckks().ring(), s.secret.key()).unwrap(), expected);
            let name = if tree { "CMT-FBT" } else { "characters" };
            println!("{name}: {seconds:.2} s, std {:.2e} of half the distance", deviation(&result, &s, &expected));
        }
    }
}
