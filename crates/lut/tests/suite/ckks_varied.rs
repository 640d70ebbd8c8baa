//! A table a value, and encrypted tables, with CKKS on toy rings.
use std::sync::Arc;
use std::time::Instant;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::MaskStorage;
use bootes_lut::ckks::functional::slot;
use bootes_lut::ckks::tables::varied::varied_evaluation;
use bootes_lut::ckks::{
    ComplexTable, EncryptedTable, FunctionalBootstrap, Promise, SlotTables, TableLiteral, TableParams, Tables,
    VariedTable,
};
use bootes_lut::{CkksLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::{Calibration, Residues};
use bootes_testkit::{TestRng, portion, sampled, seed_bytes};
use num_complex::Complex64;

use crate::ckks::{Setting, setting, toy};

/// For whole tables of 6 bits; for tables of 9 bits by digits, with or without a level for their factor.
fn whole() -> TableLiteral {
    TableLiteral { log2_modulus: 48, ..toy(6, 10).literal().clone() }
}

fn digits(factor_level: bool, spare_levels: usize) -> TableLiteral {
    let (digits, log2_slot_factor) = (vec![8, 8, 8], 30);
    let (bits, order, flat_digits) = (9, 3, 1);
    TableLiteral {
        bits,
        digits,
        flat_digits,
        order,
        clean_circle: true,
        log2_slot_factor,
        factor_level,
        spare_levels,
        ..whole()
    }
}

fn encrypt(s: &Setting, p: u64, values: &[u64], number: u64) -> RlweCiphertext {
    let (ring, key) = (s.bootstrap.params().ckks().ring(), s.secret.key());
    let seed = SecretSeed::from_bytes(&seed_bytes("varied", number));
    let encoding = RlweEncoding::new(p, s.bootstrap.params().literal().log2_modulus).unwrap();
    RlweCiphertext::encrypt(ring, encoding, values, key, 3.19, seed.fork_mask(1), &seed.fork(2)).unwrap()
}

fn promise(s: &Setting, table: &VariedTable) -> Promise {
    let params = s.bootstrap.params();
    let log2_modulus = params.literal().log2_modulus;
    table.predict(params, s.bootstrap.transforms(), log2_modulus, params.fresh_error(log2_modulus)).unwrap()
}

/// Every value right, no error above the bound; and the measured deviation as a part of what is predicted.
fn check(s: &Setting, table: VariedTable, count: usize, expected: impl Fn(usize, u64) -> u64) -> f64 {
    let (params, promise) = (s.bootstrap.params(), promise(s, &table));
    let (p, q) = (table.in_modulus(), table.out_modulus());
    let method = table.method();
    let tables = Tables::Varied(Box::new(table));
    let mut rng = TestRng::new("varied values", p);
    let values: Vec<u64> = (0..count).map(|_| rng.below(p)).collect();
    let inputs: Vec<_> = (0..).zip(values.chunks(params.capacity())).map(|(i, part)| encrypt(s, p, part, i)).collect();
    let results = s.bootstrap.evaluate_all(&tables, &inputs, 0, 2, crate::unheard).unwrap();
    let (mut squares, mut worst, unit) = (0.0, 0.0f64, 2.0 * q as f64);
    for (number, (result, part)) in results.iter().zip(values.chunks(params.capacity())).enumerate() {
        let of = |(i, &m): (usize, &u64)| expected(number * params.capacity() + i, m);
        let expected: Vec<u64> = part.iter().enumerate().map(of).collect();
        let ring = params.ckks().ring();
        assert_eq!(result[0].decrypt(ring, s.secret.key()).unwrap(), expected, "{method}");
        let turns = (-f64::from(result[0].encoding().log2_modulus())).exp2();
        for e in result[0].errors(ring, s.secret.key(), &expected).unwrap() {
            squares += (e * turns * unit).powi(2);
            worst = worst.max((e * turns).abs());
        }
    }
    let std = (squares / count as f64).sqrt();
    let bound = promise.result.most(params.ckks().max_slot_value());
    let ratio = std / promise.std;
    println!(
        "{method}: std {std:.3e} of half the distance, {ratio:.3} of the predicted; worst {:.3e} of a bound of {:.3e}, \
         failure 2^{:.1}",
        worst * unit,
        bound * unit,
        promise.log2_failure
    );
    assert!(worst < bound && promise.log2_failure < -128.0, "{method}");
    ratio
}

/// Predicted seconds of a ciphertext on one thread.
fn seconds(s: &Setting, table: &VariedTable) -> f64 {
    let (params, transforms) = (s.bootstrap.params(), s.bootstrap.transforms());
    let work = varied_evaluation(params, transforms, table, MaskStorage::Expanded).unwrap();
    Calibration::current().seconds(work.into_iter().map(|(_, work)| work).sum::<Residues>())
}

fn random_tables(p: usize, q: u64, count: usize) -> SlotTables {
    let mut rng = TestRng::new("slot tables", p as u64);
    SlotTables::new((0..p * count).map(|_| rng.below(q) as u16).collect(), p, q).unwrap()
}

fn slots(s: &Setting, tables: &Arc<SlotTables>) -> VariedTable {
    VariedTable::slots(s.bootstrap.params(), s.bootstrap.transforms(), Arc::clone(tables)).unwrap()
}

#[test]
fn every_value_by_its_own_table() {
    for (literal, cases) in [
        (whole(), vec![(2, 2), (5, 1000), (64, 64)]),
        (TableLiteral { order: 3, clean_circle: true, ..whole() }, vec![(16, 16)]),
        (digits(false, 0), vec![(8, 8), (16, 100), (343, 343), (512, 512)]),
        (digits(true, 0), vec![(512, 512)]),
    ] {
        let s = setting(&literal.try_build().unwrap());
        for (p, q) in cases {
            // Two ciphertexts, the second of which is not full.
            let count = s.bootstrap.params().capacity() + 700;
            let tables = Arc::new(random_tables(p, q, count));
            let ratio = check(&s, slots(&s, &tables), count, |i, m| tables.table(i).unwrap()[m as usize].into());
            assert!((0.85..1.1).contains(&ratio), "{p}: {ratio} of the predicted deviation");
        }
    }
}

fn encrypted(s: &Setting, lut: &Lut) -> Result<VariedTable, LutError> {
    let (bootstrap, params): (&FunctionalBootstrap, &TableParams) = (&s.bootstrap, s.bootstrap.params());
    let encoder = bootstrap.evaluator().encoder();
    let table = EncryptedTable::encrypt(params, bootstrap.transforms(), encoder, &s.secret, lut)?;
    VariedTable::encrypted(params, bootstrap.transforms(), Arc::new(table))
}

#[test]
fn encrypted_tables_are_tables() {
    for (literal, cases) in [
        (whole(), vec![(2, 2), (5, 1000), (64, 64)]),
        (TableLiteral { order: 3, clean_circle: true, ..whole() }, vec![(16, 16)]),
        (digits(false, 0), vec![(8, 8), (16, 100), (128, 128)]),
        (digits(true, 1), vec![(512, 512)]),
    ] {
        let s = setting(&literal.try_build().unwrap());
        for (p, q) in cases {
            let mut rng = TestRng::new("encrypted tables", p);
            let lut = Lut::modular((0..p).map(|_| rng.below(q)).collect(), q).unwrap();
            let ratio = check(&s, encrypted(&s, &lut).unwrap(), 2048, |_, m| lut.values()[m as usize]);
            // Small tables have noise of their own.
            assert!(p < 16 || (0.8..1.2).contains(&ratio), "{p}: {ratio} of the predicted deviation");
        }
    }
}

/// With shipped sets, every value of a ciphertext: time, noise beside the prediction.
#[test]
#[ignore = "sets of full size: keys of gigabytes, minutes"]
fn varied_tables_of_full_size() {
    for (name, slots_bits, encrypted_bits) in [("batch_8bit", 8, Some(8)), ("batch_12bit_digits", 12, Some(10))] {
        let s = setting(&TableParams::named(name).unwrap());
        let count = s.bootstrap.params().capacity();
        let start = Instant::now();
        let tables = Arc::new(random_tables(1 << slots_bits, 1 << slots_bits, count));
        let table = slots(&s, &tables);
        println!("{name}, {slots_bits} bits: predicted {:.1} s on one thread", seconds(&s, &table));
        let ratio = check(&s, table, count, |i, m| tables.table(i).unwrap()[m as usize].into());
        println!("{name}, a table a value of {slots_bits} bits: {:.1} s", start.elapsed().as_secs_f64());
        assert!((0.9..1.1).contains(&ratio));
        if let Some(bits) = encrypted_bits {
            let lut = Lut::unstructured(bits);
            let (start, table) = (Instant::now(), encrypted(&s, &lut).unwrap());
            println!(
                "{name}, {bits} bits: encrypted in {:.1} s, {} bytes",
                start.elapsed().as_secs_f64(),
                table.bytes(s.bootstrap.params())
            );
            println!("predicted {:.1} s on one thread", seconds(&s, &table));
            let start = Instant::now();
            let ratio = check(&s, table, count, |_, m| lut.values()[m as usize]);
            println!("{name}, an encrypted table of {bits} bits: {:.1} s", start.elapsed().as_secs_f64());
            assert!((0.8..1.2).contains(&ratio));
        }
    }
}

#[test]
fn every_value_by_its_own_encrypted_table() {
    let cases = [(whole(), 64, 64), (digits(true, 0), 64, 64), (digits(false, 1), 343, 1000)];
    for (literal, p, q) in sampled(cases, 2) {
        let s = setting(&literal.try_build().unwrap());
        let (params, transforms) = (s.bootstrap.params(), s.bootstrap.transforms());
        let count = params.capacity() + 100;
        let tables = random_tables(p, q, count);
        let encoder = s.bootstrap.evaluator().encoder();
        let table = EncryptedTable::encrypt_slots(params, transforms, encoder, &s.secret, &tables).unwrap();
        let table = VariedTable::encrypted(params, transforms, Arc::new(table)).unwrap();
        let ratio = check(&s, table, count, |i, m| tables.table(i).unwrap()[m as usize].into());
        assert!((0.85..1.15).contains(&ratio), "{p}: {ratio} of the predicted deviation");
    }
}

#[test]
fn what_is_no_table_a_value_is_refused() {
    let line = |values: Vec<u16>, entries, q| SlotTables::new(values, entries, q).unwrap_err().to_string();
    assert!(line(vec![0; 8192], 8192, 2).contains("16384 bytes") && line(vec![0], 1, 2).contains("2 to 4096"));
    assert!(line(vec![0; 9], 4, 2).contains("9 numbers are no tables of 4 entries"));
    assert!(line(vec![], 4, 2).contains("0 numbers"));
    assert!(line(vec![0; 4], 4, 1 << 17).contains("output modulus"));
    assert!(line(vec![0, 1, 2, 3, 3, 2, 7, 1], 4, 4).contains("entry 2 of table 1 is 7"));
    // Larger than the set; whole, but too large for that.
    let (params, tables) = (toy(6, 10), |p| Arc::new(SlotTables::new(vec![0; p], p, 2).unwrap()));
    let s = setting(&params);
    let refused = |params, tables| VariedTable::slots(params, s.bootstrap.transforms(), tables).unwrap_err();
    assert!(matches!(refused(&params, tables(65)), LutError::Ckks(CkksLutError::Tables { max: 64, .. })));
    let large = toy(12, 10);
    let refused = refused(&large, tables(1025)).to_string();
    assert!(refused.contains("1025 entries") && refused.contains("batch_12bit_digits"), "{refused}");
}

#[test]
fn encrypted_tables_that_are_too_large_are_refused() {
    let s = setting(&digits(true, 0).try_build().unwrap());
    let refused = encrypted(&s, &Lut::unstructured(11)).unwrap_err().to_string();
    assert!(refused.contains("2048 entries") && refused.contains("bytes"), "{refused}");
    // One that no digits of the set make up; and what there are no levels for, one of which products of
    // ciphertexts take.
    let refused = encrypted(&s, &Lut::unstructured_modulo(67)).unwrap_err();
    assert!(matches!(refused, LutError::Ckks(CkksLutError::NoShape { entries: 67, nearest: 68.., .. })), "{refused}");
    let small = TableLiteral { bits: 2, digits: vec![2, 2], order: 1, ..digits(true, 0) };
    let refused = encrypted(&setting(&small.try_build().unwrap()), &Lut::unstructured(2)).unwrap_err();
    assert!(matches!(refused, LutError::Ckks(CkksLutError::EncryptedLevels { found: 4, most: 2, .. })), "{refused}");
    // Of a set with other levels.
    let other = setting(&digits(false, 2).try_build().unwrap());
    let (bootstrap, lut) = (&other.bootstrap, Lut::unstructured(6));
    let encoder = bootstrap.evaluator().encoder();
    let table =
        EncryptedTable::encrypt(bootstrap.params(), bootstrap.transforms(), encoder, &other.secret, &lut).unwrap();
    let refused = VariedTable::encrypted(s.bootstrap.params(), s.bootstrap.transforms(), Arc::new(table)).unwrap_err();
    assert!(matches!(refused, LutError::Ckks(CkksLutError::OtherSet { .. })), "{refused}");
}

/// Results in slots: both halves, error as predicted.
#[test]
fn tables_of_complex_numbers() {
    for literal in [whole(), TableLiteral { spare_levels: 1, ..whole() }, digits(true, 0)] {
        let s = setting(&literal.try_build().unwrap());
        let (params, p) = (s.bootstrap.params(), s.bootstrap.params().literal().whole());
        let mut rng = TestRng::new("complex", p);
        let values: Vec<Complex64> = (0..p).map(|_| Complex64::from_polar(1.0, rng.unit_f64() * 7.0)).collect();
        let table = ComplexTable::new(params, &values).unwrap();
        let log2_modulus = params.literal().log2_modulus;
        let predicted = table.variance(params, s.bootstrap.transforms(), params.fresh_error(log2_modulus)).sqrt();
        let (degree, mut squares) = (params.capacity(), 0.0);
        for number in 0..3 {
            let inputs: Vec<u64> = (0..degree).map(|_| rng.below(p)).collect();
            let halves = s.bootstrap.complex_slots(&table, &encrypt(&s, p, &inputs, number), drop).unwrap();
            for (half, slots) in halves.iter().enumerate() {
                let found = s.secret.decrypt(s.bootstrap.evaluator().encoder(), slots, degree / 2).unwrap();
                for i in half * degree / 2..(half + 1) * degree / 2 {
                    let (at, high) = slot(degree, i);
                    assert_eq!(high, half == 1);
                    squares += (found[at] - values[inputs[i] as usize]).norm_sqr() / (3 * degree) as f64;
                }
            }
        }
        let ratio = squares.sqrt() / predicted;
        println!("{p} complex entries: std {:.3e}, {ratio:.3} of the predicted", squares.sqrt());
        assert!((0.88..1.08).contains(&ratio), "{ratio}");
        let refused = ComplexTable::new(params, &vec![Complex64::ONE; p as usize + 1]).unwrap_err();
        assert!(matches!(refused, LutError::Ckks(CkksLutError::Tables { .. })));
        let refused = s.bootstrap.complex_slots(&table, &encrypt(&s, p + 1, &[0], 9), drop).unwrap_err();
        assert!(matches!(refused, LutError::Ckks(CkksLutError::Input { .. })));
    }
}

/// The rounding of plaintexts, and the errors of encrypted coefficients, are the same for the same messages: in sums of
/// results they add up, within the bound.
#[test]
fn errors_of_equal_messages_add_up() {
    let terms = portion(12, 2);
    let of_digits = setting(&digits(true, 0).try_build().unwrap());
    let of_powers = setting(&whole().try_build().unwrap());
    let slot_tables = Arc::new(random_tables(64, 64, 1024));
    let lut = Lut::unstructured(6);
    for (s, table) in
        [(&of_digits, slots(&of_digits, &slot_tables)), (&of_powers, encrypted(&of_powers, &lut).unwrap())]
    {
        let params = s.bootstrap.params();
        let (bound, method) = (promise(s, &table).result, table.method());
        let values: Vec<u64> = (0..1024).map(|i| i * i % 64).collect();
        let image = |(i, &m): (usize, &u64)| match table.is_encrypted() {
            true => lut.values()[m as usize],
            false => slot_tables.table(i).unwrap()[m as usize].into(),
        };
        let expected: Vec<u64> = values.iter().enumerate().map(image).collect();
        let mut sums = vec![0.0; values.len()];
        for term in 0..terms {
            let result = s.bootstrap.evaluate_varied(&table, &encrypt(s, 64, &values, term), 0, drop).unwrap();
            let turns = (-f64::from(result.encoding().log2_modulus())).exp2();
            let errors = result.errors(params.ckks().ring(), s.secret.key(), &expected).unwrap();
            sums.iter_mut().zip(errors).for_each(|(sum, e)| *sum += e * turns);
        }
        let most =
            (0..terms).fold(ErrorBound::default(), |sum, _| sum.plus(bound)).most(params.ckks().max_slot_value());
        let std = (sums.iter().map(|e| e * e).sum::<f64>() / sums.len() as f64).sqrt();
        let found = sums.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        println!("{method}: {found:.2e} of {most:.2e} turns, deviation {std:.2e}");
        assert!(found < most, "{method}");
        // More than the noise of so many results, if plaintexts are rounded at few bits.
        assert!(table.is_encrypted() || std > 2.0 * (terms as f64 * bound.noise.at(1.0)).sqrt(), "{method}");
    }
}
