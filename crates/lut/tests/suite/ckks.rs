//! Functional bootstrapping with CKKS on toy rings: every input of every small table.

use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_lut::ckks::clean;
use bootes_lut::ckks::functional::slot;
use bootes_lut::ckks::params::literals;
use bootes_lut::ckks::{FunctionalBootstrap, PreparedTables, TableLiteral, TableNoise, TableParams};
use bootes_lut::{CkksLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::ckks::{CkksCiphertext, CkksSecretKey, Evaluator, ciphertext};
use bootes_schemes::class::SetClass;
use bootes_testkit::{TestRng, sampled, seed_bytes};
use num_complex::Complex64;
use std::f64::consts::TAU;

pub(crate) fn toy(bits: u32, log2_degree: u32) -> TableParams {
    let literal = TableLiteral {
        name: "toy_batch".into(),
        class: SetClass::Toy,
        bits,
        digits: Vec::new(),
        flat_digits: 0,
        order: 1,
        log2_degree,
        base_bits: 50,
        scale_bits: 42,
        digit_primes: 8,
        special_primes: 7,
        weight: 192,
        sparse_weight: 40,
        log2_p_fail: -128.0,
        exponential_log2_error: -30.0,
        clean_circle: false,
        to_slots: 3,
        to_coeffs: 3,
        spare_levels: 0,
        log2_modulus: 40,
        log2_slot_factor: 0,
        factor_level: false,
        integer_bits: 0,
    };
    literal.try_build().unwrap()
}

pub(crate) struct Setting {
    pub(crate) secret: CkksSecretKey,
    pub(crate) bootstrap: FunctionalBootstrap,
}

pub(crate) fn setting(params: &TableParams) -> Setting {
    let secret = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&seed_bytes("batch", 0)));
    let request = params.request(&params.transforms().unwrap());
    let keys = secret.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Expanded, &[7; 32]);
    let bootstrap = FunctionalBootstrap::new(params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
    Setting { secret, bootstrap }
}

impl Setting {
    fn encrypt(&self, values: &[u64], p: u64) -> RnsCiphertext {
        let params = self.bootstrap.params().ckks();
        let q = params.prime(0);
        let coefficients: Vec<f64> = values.iter().map(|&m| (q * m as f64 / p as f64).round()).collect();
        let message = params.ring().from_integers(params.limbs(0), &coefficients);
        let seed = SecretSeed::from_bytes(&seed_bytes("batch encryption", p));
        RnsCiphertext::encrypt(
            params.ring(),
            message,
            self.secret.key(),
            3.19.into(),
            &seed.fork_mask(1),
            &seed.fork(2),
        )
    }

    /// Messages, and the largest noise as a part of half their distance.
    fn decrypt(&self, x: &RnsCiphertext, p: u64) -> (Vec<u64>, f64) {
        let params = self.bootstrap.params().ckks();
        let phase = ciphertext::coefficients(params, &self.secret.key().phase(params.ring(), x));
        let scaled: Vec<f64> = phase.iter().map(|t| t / params.prime(0) * p as f64).collect();
        let noise = scaled.iter().map(|x| (x - x.round()).abs()).fold(0.0, f64::max);
        (scaled.iter().map(|x| (x.round() as i64).rem_euclid(p as i64) as u64).collect(), 2.0 * noise)
    }
}

#[test]
fn every_value_of_every_small_table_is_right() {
    let params = toy(6, 10);
    let s = setting(&params);
    let mut rng = TestRng::new("batch", 1);
    for p in sampled(2..=64, 3) {
        let inputs: Vec<u64> = (0..params.capacity() as u64).map(|i| (i + i / p) % p).collect();
        // A random table, and for some one onto a smaller modulus, and one onto a larger.
        let moduli = [p, 2, 100];
        let tables: Vec<Lut> = moduli[..if p % 9 == 2 { 3 } else { 1 }]
            .iter()
            .map(|&q| Lut::modular((0..p).map(|_| rng.below(q)).collect(), q).unwrap())
            .collect();
        let prepared = PreparedTables::new(&params, &tables).unwrap();
        let results = s.bootstrap.evaluate(&prepared, &s.encrypt(&inputs, p), drop).unwrap();
        for (table, result) in tables.iter().zip(&results) {
            let (found, noise) = s.decrypt(result, table.out_modulus());
            let expected: Vec<u64> = inputs.iter().map(|&m| table.values()[m as usize]).collect();
            assert!(found == expected, "p = {p} to {}", table.out_modulus());
            println!("p = {p} to {}: noise {noise:.2e} of half the distance", table.out_modulus());
            assert!(noise < 0.05, "p = {p} to {}: noise {noise}", table.out_modulus());
        }
    }
}

/// Keys whose search is cheaper than the rule, and moduli above the security data, are refused unless the class says
/// so.
#[test]
fn literals_that_do_not_keep_the_rule_are_refused() {
    let literal = TableParams::named("batch_1bit").unwrap().literal().clone();
    assert!(literal.clone().try_build().is_ok());
    let weak = [
        TableLiteral { sparse_weight: 32, ..literal.clone() },
        TableLiteral { weight: 64, ..literal.clone() },
        TableLiteral { special_primes: 8, ..literal.clone() },
        TableLiteral { log2_degree: 14, ..literal.clone() },
    ];
    for weak in weak {
        let line = weak.clone().try_build().unwrap_err().to_string();
        assert!(line.contains("batch_1bit has") && line.contains("expected 132"), "{line}");
        assert!(TableLiteral { class: SetClass::Toy, ..weak }.try_build().is_ok());
    }
    assert!(TableLiteral { log2_p_fail: 0.0, ..literal }.try_build().is_err());
}

#[test]
fn shipped_sets_are_secure_and_keep_their_promise_in_chains() {
    let sets = [("batch_1bit", 32), ("batch_4bit", 32), ("batch_8bit", 32), ("batch_10bit", 3), ("batch_12bit", 2)];
    for (name, chain) in sampled(sets, 2) {
        let params = TableParams::named(name).unwrap();
        let bits = params.ckks().security_bits().unwrap();
        assert!(bits >= 132.0 && params.log2_p_fail() == -128.0, "{name}: {bits} bits");
        // Phases under a key of weight h are sums of h + 1 numbers up to 1/2.
        assert_eq!(params.exponential().bound(), f64::from(params.literal().sparse_weight + 1) / 2.0);
        let transforms = params.transforms().unwrap();
        let (found, result) = TableNoise::chain(&params, &transforms, 32).unwrap();
        assert_eq!(found, chain, "{name}");
        // No random table, and none of half the entries, is noisier.
        let (p, mut rng) = (1u64 << params.literal().bits, TestRng::new(name, 1));
        let extreme = |_| if rng.below(2) == 0 { p / 2 - 1 } else { p / 2 };
        let tables = [Lut::modular((0..p).map(extreme).collect(), p), Lut::modular((0..p).collect(), p)];
        let fresh = params.fresh_error(params.literal().log2_modulus);
        let u = params.ckks().max_slot_value();
        for table in tables {
            let prepared = PreparedTables::new(&params, &[table.unwrap()]).unwrap();
            let noise = TableNoise::promised(&params, &transforms, &prepared, fresh).unwrap().remove(0);
            let (other, noisiest) = (noise.result(), result);
            assert!(other.bias <= 1.001 * noisiest.bias && other.std(u) <= 1.001 * noisiest.std(u), "{name}");
            let chained = noise.with_input(result).log2_failure();
            assert!(chained <= -128.0, "{name}: 2^{chained}");
            println!(
                "{name}: {} levels, log QP {:.1}, {bits:.1} bits, chained 2^{chained:.0}",
                params.ckks().max_level(),
                params.ckks().log2_modulus()
            );
        }
    }
    assert!(matches!(TableParams::named("batch"), Err(LutError::Ckks(CkksLutError::UnknownSet { .. }))));
    assert!(matches!(TableParams::for_bits(40), Err(LutError::Ckks(CkksLutError::Parameter { found: 40, .. }))));
    assert_eq!(TableParams::for_bits(5).unwrap().name(), "batch_8bit");
}

#[test]
fn ciphertexts_travel_and_come_back() {
    let params = TableParams::named("toy_batch_4bit").unwrap();
    let s = setting(&params);
    let ring = params.ckks().ring();
    let (p, log2_q) = (13, params.literal().log2_modulus);
    let encoding = RlweEncoding::new(p, log2_q).unwrap();
    let values: Vec<u64> = (0..700).map(|i| i * i % p).collect();
    let seed = SecretSeed::from_bytes(&seed_bytes("travel", 0));
    let encrypted =
        RlweCiphertext::encrypt(ring, encoding, &values, s.secret.key(), 3.19, seed.fork_mask(1), &seed.fork(2))
            .unwrap();
    let tables = [
        Lut::modular((0..p).map(|x| x * x % p).collect(), p).unwrap(),
        Lut::modular((0..p).map(|x| 5 * x % 40).collect(), 40).unwrap(),
    ];
    let prepared = PreparedTables::new(&params, &tables).unwrap();
    let mut steps = Vec::new();
    let results = s.bootstrap.evaluate_rlwe(&prepared, &encrypted, |step| steps.push(step)).unwrap();
    assert_eq!(steps, BootstrapStep::ALL);
    for (table, result) in tables.iter().zip(&results) {
        let expected: Vec<u64> = values.iter().map(|&m| table.values()[m as usize]).collect();
        assert_eq!(result.decrypt(ring, s.secret.key()).unwrap(), expected);
    }
    // The first result goes in again.
    let again = s.bootstrap.evaluate_rlwe(&prepared, &results[0], drop).unwrap();
    let expected: Vec<u64> = values.iter().map(|&m| m * m % p * (m * m % p) % p).collect();
    assert_eq!(again[0].decrypt(ring, s.secret.key()).unwrap(), expected);

    assert!(matches!(
        s.bootstrap.evaluate_rlwe(&prepared, &results[1], drop),
        Err(LutError::Ckks(CkksLutError::Input { found: [40, 1024], expected: [13, 1024] }))
    ));
    let lut = |size: u64| Lut::modular((0..size).collect(), size).unwrap();
    for tables in [vec![], vec![lut(3), lut(4)], vec![lut(17)]] {
        assert!(matches!(
            PreparedTables::new(&params, &tables),
            Err(LutError::Ckks(CkksLutError::Tables { max: 16, .. }))
        ));
    }
}

/// Carries and their neighbours among integers of `bits` bits.
fn integers(bits: u32, digit_bits: u32, count: usize) -> Vec<u64> {
    let mut rng = TestRng::new("integers", bits.into());
    let mut all = vec![0, 1, (1 << bits) - 1, (1 << bits) - 2];
    for position in (digit_bits..bits).step_by(digit_bits as usize) {
        all.extend([(1 << position) - 1, 1 << position, (1 << position) + 1]);
    }
    all.resize_with(count, || rng.below(1 << bits));
    all
}

#[test]
fn integers_are_decomposed_into_digits() {
    let params = TableParams::named("toy_batch_4bit").unwrap();
    let s = setting(&params);
    let ring = params.ckks().ring();
    let square = Lut::modular((0..16).map(|d| d * d).collect(), 256).unwrap();
    // Digits that divide the integers, and digits that do not.
    for (bits, digit_bits) in sampled([(8, 4), (12, 4), (10, 4), (7, 3), (3, 1), (4, 4), (16, 3)], 2) {
        let encoding = RlweEncoding::new(1 << bits, 40).unwrap();
        let values = integers(bits, digit_bits, 1000);
        let seed = SecretSeed::from_bytes(&seed_bytes("digits", bits.into()));
        let mask = seed.fork_mask(1);
        let x = RlweCiphertext::encrypt(ring, encoding, &values, s.secret.key(), 3.19, mask, &seed.fork(2)).unwrap();
        let table = std::slice::from_ref(&square);
        let digits = s.bootstrap.decompose(&x, digit_bits, table, crate::unheard).unwrap();
        assert_eq!(digits.len(), bits.div_ceil(digit_bits) as usize);
        let mut shift = 0;
        for digit in &digits {
            assert_eq!(digit.bits, digit_bits.min(bits - shift));
            let expected: Vec<u64> = values.iter().map(|m| m >> shift & ((1 << digit.bits) - 1)).collect();
            let read = |slots, modulus| {
                let encoding = RlweEncoding::new(modulus, 40).unwrap();
                let x = s.bootstrap.to_rlwe(slots, encoding, values.len()).unwrap();
                x.decrypt(ring, s.secret.key()).unwrap()
            };
            assert_eq!(read(&digit.slots[0], 1 << (bits - shift)), expected, "bits {shift} of {bits}");
            let squares: Vec<u64> = expected.iter().map(|d| d * d).collect();
            assert_eq!(read(&digit.slots[1], 256), squares);
            shift += digit.bits;
        }
        // Slots: where each coefficient is.
        let slots =
            s.secret.decrypt(s.bootstrap.evaluator().encoder(), &digits[0].slots[1], params.capacity() / 2).unwrap();
        for (i, m) in values.iter().enumerate() {
            let (number, imaginary) = slot(params.capacity(), i);
            let value = if imaginary { slots[number].im } else { slots[number].re };
            let d = (m & ((1 << digit_bits) - 1)) as f64;
            let expected = d * d / 256.0;
            let expected = if expected >= 0.5 { expected - 1.0 } else { expected };
            assert!((value - expected).abs() < 1e-4, "slot {number}: {value} for {expected}");
        }
    }
    let encoding = RlweEncoding::new(13, 40).unwrap();
    let seed = SecretSeed::from_bytes(&seed_bytes("digits", 0));
    let x =
        RlweCiphertext::encrypt(ring, encoding, &[1], s.secret.key(), 3.19, seed.fork_mask(1), &seed.fork(2)).unwrap();
    assert!(matches!(
        s.bootstrap.decompose(&x, 4, &[], crate::unheard),
        Err(LutError::Ckks(CkksLutError::Digits { modulus: 13, digit_bits: 4, max: 4 }))
    ));
}

#[test]
fn cleaners_square_the_noise() {
    let params = TableParams::named("toy_batch_6bit").unwrap();
    let s = setting(&params);
    let evaluator = s.bootstrap.evaluator();
    let (level, n) = (evaluator.params().max_level() - params.literal().to_slots, params.capacity() / 2);
    let mut rng = TestRng::new("cleaners", 0);
    let mut noise = |size: f64| size * (2.0 * rng.unit_f64() - 1.0);
    let seed = SecretSeed::from_bytes(&seed_bytes("cleaners", 0));
    let encrypt = |values: &[Complex64], i: u64| {
        s.secret.encrypt_with_randomness_for_tests(evaluator.encoder(), values, level, &seed.fork(i)).unwrap()
    };
    let check = |found: &CkksCiphertext, expected: &dyn Fn(usize) -> Complex64, tolerance: f64| {
        let found = s.secret.decrypt(evaluator.encoder(), found, n).unwrap();
        let worst = found.iter().enumerate().map(|(j, z)| (z - expected(j)).norm()).fold(0.0, f64::max);
        assert!(worst < tolerance, "{worst}");
    };
    let p = 6;
    let points: Vec<_> = (0..n).map(|j| Complex64::from_polar(1.0, TAU * (j % p) as f64 / p as f64)).collect();
    // Radial noise: 3e²/2.
    let radial: Vec<_> = points.iter().map(|z| z * (1.0 + noise(1e-3))).collect();
    check(&clean::modulus_of(evaluator, &encrypt(&radial, 1)).unwrap(), &|j| points[j], 2e-6);
    // Any noise at roots of unity: (p + 1)e²/2.
    let noisy: Vec<_> = points.iter().map(|z| z + Complex64::new(noise(7e-4), noise(7e-4))).collect();
    let cleaned = evaluator.evaluate(&clean::root_circuit(p), &[&encrypt(&noisy, 2)], crate::unheard).unwrap();
    check(&cleaned[0], &|j| points[j], 5e-6);
    // Bits: 3e².
    let bits: Vec<Complex64> = (0..n).map(|j| ((j % 2) as f64 + noise(1e-3)).into()).collect();
    let cleaned = evaluator.evaluate(&clean::binary_circuit(), &[&encrypt(&bits, 3)], crate::unheard).unwrap();
    check(&cleaned[0], &|j| ((j % 2) as f64).into(), 4e-6);
    // Products of bits: 5(e² + d²).
    let [x, y] = [1, 2].map(|i| (0..n).map(|j| ((j / i % 2) as f64 + noise(1e-3)).into()).collect::<Vec<_>>());
    let and = clean::and_of(evaluator, &encrypt(&x, 4), &encrypt(&y, 5)).unwrap();
    assert_eq!(and.level(), level - 3);
    check(&and, &|j| (((j % 2) * (j / 2 % 2)) as f64).into(), 1e-5);
}

/// Tables' values are left in slots, computed on with CKKS, and brought back.
#[test]
fn slots_are_computed_on() {
    let literal = TableLiteral { spare_levels: 2, ..toy(4, 10).literal().clone() };
    let params = literal.try_build().unwrap();
    let s = setting(&params);
    let (ring, evaluator) = (params.ckks().ring(), s.bootstrap.evaluator());
    let (p, mut rng) = (16, TestRng::new("slots", 0));
    let tables: Vec<Lut> = (0..2).map(|_| Lut::modular((0..p).map(|_| rng.below(p)).collect(), p).unwrap()).collect();
    let prepared = PreparedTables::new(&params, &tables).unwrap();
    let encoding = RlweEncoding::new(p, params.literal().log2_modulus).unwrap();
    let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(p)).collect();
    let seed = SecretSeed::from_bytes(&seed_bytes("slots", 0));
    let mask = seed.fork_mask(1);
    let x = RlweCiphertext::encrypt(ring, encoding, &values, s.secret.key(), 3.19, mask, &seed.fork(2)).unwrap();
    let slots = s.bootstrap.slots_of(&prepared, &x, drop).unwrap();
    let [f, g] = [0, 1].map(|t: usize| move |m: u64, tables: &[Lut]| tables[t].values()[m as usize]);
    assert_eq!(slots[0].level(), params.literal().spare_levels + params.literal().to_coeffs);
    // 3f − g modulo p, at a spare level.
    let sum = evaluator.combine(&[(&slots[0], 3.0.into()), (&slots[1], (-1.0).into())], Complex64::ZERO).unwrap();
    let back = s.bootstrap.to_rlwe(&sum, encoding, values.len()).unwrap();
    let expected = |m: &u64| (3 * f(*m, &tables) + p - g(*m, &tables)) % p;
    assert_eq!(back.decrypt(ring, s.secret.key()).unwrap(), values.iter().map(expected).collect::<Vec<_>>());
    // Products of the real parts: real numbers, of values in [−1/2, 1/2).
    let real = |z| evaluator.add(z, &evaluator.conjugate(z).unwrap()).unwrap();
    let product = evaluator.mul(&real(&slots[0]), &real(&slots[1])).unwrap();
    let found = s.secret.decrypt(evaluator.encoder(), &product, params.capacity() / 2).unwrap();
    let centred = |v: u64| (if 2 * v >= p { v as f64 - p as f64 } else { v as f64 }) / p as f64;
    for (i, &m) in values.iter().enumerate().take(params.capacity() / 2) {
        let z = found[slot(params.capacity(), i).0];
        let expected = 4.0 * centred(f(m, &tables)) * centred(g(m, &tables));
        assert!((z - expected).norm() < 1e-3, "value {i}: {z} for {expected}");
    }
}

/// Minutes and gigabytes a set.
#[test]
#[ignore = "the shipped sets: keys of gigabytes, minutes"]
fn shipped_sets_evaluate_random_tables() {
    for literal in literals().iter().filter(|set| !set.name.starts_with("toy_")) {
        let params = literal.clone().try_build().unwrap();
        let s = setting(&params);
        let (ring, p) = (params.ckks().ring(), 1u64 << params.literal().bits);
        let mut rng = TestRng::new(params.name(), 0);
        let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(p)).collect();
        let table = Lut::modular((0..p).map(|_| rng.below(p)).collect(), p).unwrap();
        let encoding = RlweEncoding::new(p, params.literal().log2_modulus).unwrap();
        let seed = SecretSeed::from_bytes(&seed_bytes("shipped", p));
        let mask = seed.fork_mask(1);
        let x = RlweCiphertext::encrypt(ring, encoding, &values, s.secret.key(), 3.19, mask, &seed.fork(2)).unwrap();
        let prepared = PreparedTables::new(&params, std::slice::from_ref(&table)).unwrap();
        // Twice: the result goes in again.
        let once = s.bootstrap.evaluate_rlwe(&prepared, &x, drop).unwrap().remove(0);
        let twice = s.bootstrap.evaluate_rlwe(&prepared, &once, drop).unwrap().remove(0);
        let image = |m: &u64| table.values()[*m as usize];
        let expected: Vec<u64> = values.iter().map(image).collect();
        assert!(once.decrypt(ring, s.secret.key()).unwrap() == expected, "{}", params.name());
        let expected: Vec<u64> = expected.iter().map(image).collect();
        assert!(twice.decrypt(ring, s.secret.key()).unwrap() == expected, "{}: twice", params.name());
        let errors = twice.errors(ring, s.secret.key(), &expected).unwrap();
        let std = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt() / encoding.tolerance();
        println!("{}: noise {std:.2e} of half the distance", params.name());
        // 10 standard deviations.
        assert!(std < 0.1, "{}: noise {std}", params.name());
    }
}
