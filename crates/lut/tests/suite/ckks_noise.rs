//! The noise of functional bootstrapping with CKKS: predicted and measured.

use std::collections::HashSet;
use std::sync::Arc;

use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_lut::Lut;
use bootes_lut::ckks::{FunctionalBootstrap, PreparedTables, TableLiteral, TableNoise, TableParams};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::ckks::{CkksSecretKey, Encoder, Evaluator, ciphertext};
use bootes_schemes::class::SetClass;
use bootes_testkit::{CONFIDENCE, Moments, TestRng, clopper_pearson, in_full, portion, sampled, seed_bytes};
use num_complex::Complex64;

fn set(bits: u32, order: u32, log2_degree: u32, scale_bits: u32) -> TableParams {
    let literal = TableLiteral {
        name: "toy_batch_noise".into(),
        class: SetClass::Toy,
        bits,
        digits: Vec::new(),
        flat_digits: 0,
        order,
        log2_degree,
        base_bits: 50,
        scale_bits,
        digit_primes: 8,
        special_primes: 8,
        weight: 192,
        sparse_weight: 40,
        log2_p_fail: -128.0,
        exponential_log2_error: -36.0,
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

struct Setting {
    secret: CkksSecretKey,
    bootstrap: FunctionalBootstrap,
    /// |s(ζ_j)|²/h of the slot of each coefficient.
    keyed: Vec<f64>,
}

impl Setting {
    fn new(params: &TableParams) -> Self {
        Self::with_key(params, 0)
    }

    fn with_key(params: &TableParams, number: u64) -> Self {
        let secret = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&seed_bytes("batch noise", number)));
        let encoder = Encoder::new(params.capacity()).unwrap();
        let request = params.request(&params.transforms().unwrap());
        let keys = secret.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Expanded, &[7; 32]);
        let bootstrap = FunctionalBootstrap::new(params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
        let slots = params.capacity() / 2;
        let mut values = vec![Complex64::ZERO; slots];
        let coefficients: Vec<f64> = secret.key().expose_coefficients().iter().map(|&s| s.into()).collect();
        encoder.slots_into(&mut values, &coefficients).unwrap();
        let reversed = |k: usize| (k % slots).reverse_bits() >> (usize::BITS - slots.trailing_zeros());
        let weight = f64::from(params.ckks().literal().weight);
        let keyed = (0..2 * slots).map(|k| values[reversed(k)].norm_sqr() / weight).collect();
        Self { secret, bootstrap, keyed }
    }

    /// How many results of `second` on results of `first` are wrong, on random inputs, and how many of those of
    /// `first`.
    fn wrong_in_chain(&self, first: &Lut, second: &Lut, index: u64) -> [usize; 2] {
        let params = self.bootstrap.params();
        let (ckks, p) = (params.ckks(), first.in_modulus());
        let mut rng = TestRng::new("batch chain", index);
        let inputs: Vec<u64> = (0..ckks.degree()).map(|_| rng.below(p)).collect();
        let seed = SecretSeed::from_bytes(&seed_bytes("batch chain", index));
        let encoding = RlweEncoding::new(p, params.literal().log2_modulus).unwrap();
        let (mask, noise) = (seed.fork_mask(1), seed.fork(2));
        let key = self.secret.key();
        let mut x = RlweCiphertext::encrypt(ckks.ring(), encoding, &inputs, key, 3.19, mask, &noise).unwrap();
        let mut expected = inputs;
        [first, second].map(|lut| {
            let tables = PreparedTables::new(params, std::slice::from_ref(lut)).unwrap();
            x = self.bootstrap.evaluate_rlwe(&tables, &x, drop).unwrap().remove(0);
            expected.iter_mut().for_each(|m| *m = lut.values()[*m as usize]);
            let found = x.decrypt(ckks.ring(), key).unwrap();
            found.iter().zip(&expected).filter(|(found, expected)| found != expected).count()
        })
    }

    /// Errors of an evaluation on random inputs, as fractions of half the distance of messages, and the inputs.
    fn errors(&self, tables: &PreparedTables, luts: &[Lut], std: f64, index: u64) -> (Vec<Vec<f64>>, Vec<usize>) {
        let params = self.bootstrap.params().ckks();
        let (q, p) = (params.prime(0), tables.in_modulus());
        let mut rng = TestRng::new("batch noise inputs", index);
        let inputs: Vec<usize> = (0..params.degree()).map(|_| rng.below(p) as usize).collect();
        let coefficients: Vec<f64> = inputs.iter().map(|&m| (q * m as f64 / p as f64).round()).collect();
        let message = params.ring().from_integers(params.limbs(0), &coefficients);
        let seed = SecretSeed::from_bytes(&seed_bytes("batch noise encryption", index));
        let (mask, noise) = (seed.fork_mask(1), seed.fork(2));
        let input = RnsCiphertext::encrypt(params.ring(), message, self.secret.key(), (std * q).into(), &mask, &noise);
        let results = self.bootstrap.evaluate(tables, &input, drop).unwrap();
        let errors = results.iter().zip(luts).map(|(result, lut)| {
            let modulus = lut.out_modulus() as f64;
            let phase = ciphertext::coefficients(params, &self.secret.key().phase(params.ring(), result));
            let error = |(t, &m): (&f64, &usize)| {
                let x = t / q * modulus - lut.values()[m] as f64;
                2.0 * (x - (x / modulus).round() * modulus)
            };
            phase.iter().zip(&inputs).map(error).collect()
        });
        (errors.collect(), inputs)
    }
}

/// Predictions for random tables of each size against `times` ciphertexts of random inputs with an error of `std`
/// turns.
fn check(params: &TableParams, sizes: &[u64], std: f64, times: u64) {
    let s = Setting::new(params);
    for &p in sizes {
        let mut rng = TestRng::new("batch noise table", p);
        let values: Vec<u64> = (0..p).map(|m| if p == 2 { m } else { rng.below(p) }).collect();
        let luts = [Lut::modular(values, p).unwrap()];
        let tables = PreparedTables::new(params, &luts).unwrap();
        let input = ErrorBound::unbiased(SlotNoise::flat(std * std));
        let predicted = &TableNoise::predict(params, s.bootstrap.transforms(), &tables, input)[0];
        let (mut errors, mut scaled) = (Vec::new(), Vec::new());
        for index in 0..times {
            let (found, inputs) = s.errors(&tables, &luts, std, index);
            for (j, (error, &m)) in found[0].iter().zip(&inputs).enumerate() {
                errors.push(*error);
                scaled.push(error / predicted.variance(m, s.keyed[j]).sqrt());
            }
        }
        let rms = |errors: &[f64]| (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();
        let (measured, [of_errors, of_scaled]) = (rms(&errors), [&errors, &scaled].map(|x| Moments::of(x)));
        let most = errors.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        let sources: String = predicted.sources().map(|(name, share)| format!("{name} {share:.3}, ")).collect();
        println!(
            "N = {} Δ = 2^{} order {} p = {p}: measured {measured:.3e}, predicted {:.3e}, ratio {:.3}, kurtosis {:.1} \
             and {:.1} scaled, largest {:.1}σ; fails 2^{:.1}; {sources}",
            params.capacity(),
            params.literal().scale_bits,
            params.literal().order,
            predicted.std(),
            measured / predicted.std(),
            of_errors.excess_kurtosis,
            of_scaled.excess_kurtosis,
            most / measured,
            predicted.log2_failure(),
        );
        let ratio = measured / predicted.std();
        assert!((0.8..=1.25).contains(&ratio), "p = {p}: {ratio}");
        // Errors scaled by each slot's and each entry's own standard deviation: what is left is the mixture over
        // phases.
        let angle = predicted.sources().next().map_or(0.0, |(_, share)| share);
        assert!(angle > 0.01 || (0.9..=1.1).contains(&rms(&scaled)), "p = {p}: {} scaled", rms(&scaled));
    }
}

#[test]
fn predictions_agree_with_measurements() {
    let sizes: Vec<u64> = sampled([2, 3, 4, 16, 37, 64, 256], 3).collect();
    check(&set(8, 1, 10, 42), &sizes, 0.0, portion(8, 2));
    for (bits, order, log2_degree, scale_bits, count) in
        sampled([(6, 1, 12, 36, 2), (4, 1, 11, 30, 4), (4, 2, 11, 36, 4), (4, 3, 11, 42, 4)], 2)
    {
        check(
            &set(bits, order, log2_degree, scale_bits),
            &[2, if bits == 4 { 4 } else { 16 }, 1 << bits],
            0.0,
            portion(count, 2),
        );
    }
}

/// The circle cleaned before tables: noise of another kind, a hundred times less.
#[test]
fn predictions_hold_for_a_cleaned_circle() {
    for (bits, log2_degree, scale_bits, sizes) in [(8, 10, 42, [16, 100, 256]), (6, 12, 36, [2, 16, 64])] {
        let literal = TableLiteral { clean_circle: true, ..set(bits, 1, log2_degree, scale_bits).literal().clone() };
        check(&literal.try_build().unwrap(), &sampled(sizes, 2).collect::<Vec<_>>(), 0.0, portion(2, 2));
    }
}

/// A scale too small: as many values are wrong as predicted for the slots of the key, which one Gaussian for all would
/// not explain.
#[test]
#[ignore = "statistics: minutes"]
fn failures_are_as_frequent_as_predicted() {
    let params = set(9, 1, 12, 34);
    let s = Setting::new(&params);
    for p in [256u64, 512] {
        let mut rng = TestRng::new("batch noise failures", p);
        let luts = [Lut::modular((0..p).map(|_| rng.below(p)).collect(), p).unwrap()];
        let tables = PreparedTables::new(&params, &luts).unwrap();
        let predicted = &TableNoise::predict(&params, s.bootstrap.transforms(), &tables, ErrorBound::default())[0];
        let (mut wrong, mut expected, mut count) = (0, 0.0, 0);
        for index in 0..4 {
            let (errors, inputs) = s.errors(&tables, &luts, 0.0, index);
            wrong += errors[0].iter().filter(|error| error.abs() > 1.0).count();
            let of_slot = |(&m, &keyed): (&usize, &f64)| predicted.log2_slot_failure(m, keyed).exp2();
            expected += inputs.iter().zip(&s.keyed).map(of_slot).sum::<f64>();
            count += inputs.len();
        }
        let (low, high) = clopper_pearson(wrong as u64, count as u64, CONFIDENCE);
        let angle = predicted.sources().next().unwrap().1;
        let gaussian = count as f64 * log2_failure(1.0, predicted.std()).exp2();
        println!(
            "p = {p}: std {:.3}, {wrong} of {count} wrong, predicted {expected:.1}, Gaussian {gaussian:.1}, angle {angle:.3}",
            predicted.std()
        );
        let rate = expected / count as f64;
        assert!(low <= 1.1 * rate && high >= 0.8 * rate, "p = {p}: {rate} of {low} to {high}");
    }
}

/// A result's error goes with the key's value in its slot, and enters that slot again: results of tables on results are
/// wrong as often as predicted from that, over keys, and far more often than where the first error is taken as the same
/// in all slots. Tables whose entries are all alike.
#[test]
fn chains_fail_as_often_as_predicted() {
    let params = set(8, 1, 10, 37);
    let p = 1u64 << 8;
    let table = |shift| Lut::modular((0..p).map(|m| p / 2 - 1 + (m + shift) % 2).collect(), p).unwrap();
    let luts = [table(0), table(1)];
    let transforms = params.transforms().unwrap();
    let [first, second] = luts.each_ref().map(|lut| {
        let tables = PreparedTables::new(&params, std::slice::from_ref(lut)).unwrap();
        let fresh = params.fresh_error(params.literal().log2_modulus);
        TableNoise::predict(&params, &transforms, &tables, fresh).remove(0)
    });
    let after = |variance: f64, u: f64| {
        let noise = SlotNoise::flat(variance / (2.0 * p as f64).powi(2));
        second.clone().with_input(ErrorBound::unbiased(noise)).log2_slot_failure(0, u).exp2()
    };
    // Failure by u, where the first error has the variance of that slot, or the mean of all.
    let step = params.ckks().max_slot_value() / 32.0;
    let by_slot: Vec<[f64; 2]> = (0..32)
        .map(|i| {
            let u = (f64::from(i) + 0.5) * step;
            let mut phases: Vec<(f64, f64)> = first.phase_variances(0, u).collect();
            // Phases of nearly one noise together.
            phases.sort_by(|a, b| a.1.total_cmp(&b.1));
            let groups = phases.chunks(8).map(|group| {
                let weight: f64 = group.iter().map(|(weight, _)| weight).sum();
                (weight, group.iter().map(|(weight, variance)| weight * variance).sum::<f64>() / weight)
            });
            [groups.map(|(weight, variance)| weight * after(variance, u)).sum(), after(first.variance(0, 1.0), u)]
        })
        .collect();
    let (mut wrong, mut count, mut expected, mut flat) = ([0, 0], 0, 0.0, 0.0);
    for number in 0..portion(16, 4) {
        let s = Setting::with_key(&params, number);
        assert!(s.keyed.iter().all(|&u| u <= params.ckks().max_slot_value()), "key {number}");
        for index in 0..2 {
            let found = s.wrong_in_chain(&luts[0], &luts[1], 2 * number + index);
            wrong = [wrong[0] + found[0], wrong[1] + found[1]];
            let at = |u: &f64| by_slot[(u / step) as usize];
            expected += s.keyed.iter().map(|u| at(u)[0]).sum::<f64>();
            flat += s.keyed.iter().map(|u| at(u)[1]).sum::<f64>();
            count += s.keyed.len();
        }
    }
    let (low, high) = clopper_pearson(wrong[1] as u64, count as u64, CONFIDENCE);
    println!(
        "{} of {count} wrong after the second, {} after the first: predicted {expected:.1}; flat {flat:.1}",
        wrong[1], wrong[0]
    );
    let rate = expected / count as f64;
    assert!(low <= 1.1 * rate && high >= 0.85 * rate, "{rate} of {low} to {high}");
    assert!(low > 2.0 * flat / count as f64, "a flat error explains it");
    // The bound that travels is above what was found.
    let bound = second.with_input(first.result()).log2_failure().exp2();
    assert!(bound >= wrong[1] as f64 / count as f64);
}

/// The input's noise, flattened.
#[test]
fn input_noise_is_flattened_to_what_is_predicted() {
    check(&set(4, 1, 11, 42), &[2, 4, 16], 0.001, portion(4, 2));
    check(&set(4, 2, 11, 42), &[4, 16], 0.001, portion(4, 2));
}

/// Digits get what is left of the noise of the digits below them.
#[test]
fn digits_have_the_noise_that_is_predicted() {
    let params = set(4, 1, 11, 42);
    let s = Setting::new(&params);
    let (ring, square) = (params.ckks().ring(), Lut::modular((0..16).map(|d| d * d).collect(), 256).unwrap());
    // A fresh input, and one of so much noise that the first digit has it from there.
    for (input_std, log2_modulus) in [(3.19, 40), (1.5e6, 40), (3.19, 28)] {
        let encoding = RlweEncoding::new(1 << 10, log2_modulus).unwrap();
        let mut rng = TestRng::new("digit noise", 0);
        let values: Vec<u64> = (0..params.capacity()).map(|_| rng.below(1 << 10)).collect();
        let seed = SecretSeed::from_bytes(&seed_bytes("digit noise", log2_modulus.into()));
        let (mask, noise) = (seed.fork_mask(1), seed.fork(2));
        let x = RlweCiphertext::encrypt(ring, encoding, &values, s.secret.key(), input_std, mask, &noise).unwrap();
        let tables = std::slice::from_ref(&square);
        let digits = s.bootstrap.decompose(&x, 4, tables, crate::unheard).unwrap();
        let variance = encoding.fresh_variance(input_std);
        let input = ErrorBound::unbiased(SlotNoise::flat(variance)).times((-f64::from(log2_modulus)).exp2());
        let predicted = TableNoise::of_digits(&params, s.bootstrap.transforms(), encoding, input, 4, tables).unwrap();
        assert_eq!((digits.len(), predicted.len()), (3, 3));
        let mut shift = 0;
        for (digit, predicted) in digits.iter().zip(&predicted) {
            let expected: Vec<u64> = values.iter().map(|m| m >> shift & ((1 << digit.bits) - 1)).collect();
            let squares: Vec<u64> = expected.iter().map(|d| d * d).collect();
            let outputs = [(1 << (10 - shift), log2_modulus, expected), (256, params.literal().log2_modulus, squares)];
            for (i, (modulus, log2_modulus, expected)) in outputs.into_iter().enumerate() {
                let encoding = RlweEncoding::new(modulus, log2_modulus).unwrap();
                let out = s.bootstrap.to_rlwe(&digit.slots[i], encoding, values.len()).unwrap();
                let errors = out.errors(ring, s.secret.key(), &expected).unwrap();
                let std = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();
                let ratio = std / encoding.tolerance() / predicted[i].std();
                let angle = predicted[i].sources().next().unwrap().1;
                println!("bits {shift} of 2^{log2_modulus}, table {i}: {ratio:.3}, angle {angle:.2}");
                assert!((0.8..=1.25).contains(&ratio), "bits {shift}, table {i}: {ratio}");
            }
            shift += digit.bits;
        }
    }
}

#[test]
#[ignore = "a real ring: minutes and gigabytes"]
fn predictions_agree_with_measurements_at_a_real_size() {
    check(&set(8, 1, 15, 42), &[16, 256], 0.0, 1);
}

/// Tables that were chosen against bounds: `data/chosen_tables.py`, and those whose leading term is 0 at every entry.
fn chosen_tables(p: u64, order: u32) -> Vec<Lut> {
    let kept = include_str!("../data/chosen_tables.txt").lines().filter_map(|line| {
        let mut numbers = line.split(' ');
        let mut next = || numbers.next().unwrap().parse::<u64>().unwrap();
        let head = [next(), next(), next()];
        let entries = line.split(' ').skip(4).map(|entry| entry.parse::<u64>().unwrap()).collect();
        (head[0] == p && head[2] == u64::from(order)).then(|| Lut::modular(entries, head[1]).unwrap())
    });
    let step = |m: u64| p / 2 - 1 + m % 2;
    let patterns = [
        Lut::modular((0..p).map(|m| 128 * (m % 2)).collect(), 4096),
        Lut::modular((0..p).map(step).collect(), p),
        // As far from all others as there is, and a ramp, whose second derivatives vanish but where it ends.
        Lut::modular((0..p).map(|m| if m == 0 { p / 2 - 1 } else { p / 2 }).collect(), p),
        Lut::modular((0..p).collect(), p),
        Lut::modular((0..p).map(|m| if 2 * m < p { p / 2 - 1 } else { p / 2 }).collect(), 2 * p),
    ];
    patterns.into_iter().map(Result::unwrap).chain(kept).collect()
}

/// log2 of the least probability with which some entry is wrong, by the table's own polynomial at angles of this
/// deviation in steps of the table: all else is left out.
fn log2_wrong(table: &bootes_lut::ckks::Interpolation, lut: &Lut, std: f64) -> f64 {
    let (p, q) = (lut.in_modulus(), lut.out_modulus() as i64);
    let step = (p as usize / 32).max(1);
    let first_wrong = |m: usize| {
        let value = lut.values()[m] as i64;
        let value = value - if 2 * value >= q { q } else { 0 };
        let wrong = |t: f64| {
            let at = |t: f64| table.eval(Complex64::cis(std::f64::consts::TAU * (m as f64 + t) / p as f64));
            [t, -t].into_iter().any(|t| (at(t) - value as f64).abs() >= 0.5)
        };
        (1..500).map(|i| f64::from(i) * 1e-3).find(|&t| wrong(t)).unwrap_or(0.5)
    };
    let nearest = (0..p as usize).step_by(step).chain([p as usize / 2 - 1]).map(first_wrong).fold(0.5, f64::min);
    // On one side, at least.
    log2_failure(nearest, std) - 1.0
}

/// For every set, with the most input noise that is not refused, no chosen table is wrong more often than promised.
#[test]
fn tables_that_were_chosen_keep_the_promise_of_every_set() {
    // Tables of each order and size with the first set that has them, or with all.
    let mut tried = HashSet::new();
    for literal in bootes_lut::ckks::params::literals() {
        let params = literal.clone().try_build().unwrap();
        let fresh = params.fresh_error(literal.log2_modulus);
        let mut sizes: Vec<u64> =
            [16, 32, 64, 256, 512, literal.whole()].into_iter().filter(|&p| p <= literal.whole()).collect();
        sizes.dedup();
        sizes.retain(|&p| tried.insert((literal.order, p)) || in_full());
        if sizes.is_empty() {
            continue;
        }
        let transforms = params.transforms().unwrap();
        for p in sizes {
            for (i, lut) in sampled(chosen_tables(p, literal.order).into_iter().enumerate(), 2) {
                let prepared = PreparedTables::new(&params, std::slice::from_ref(&lut)).unwrap();
                let noise = TableNoise::predict(&params, &transforms, &prepared, fresh).remove(0);
                let refused =
                    |factor: f64| noise.clone().with_input(fresh.times(factor)).log2_failure() > params.log2_p_fail();
                // Quarters of bits; the largest that is not refused.
                let (mut kept, mut beyond) = (0u32, 160u32);
                while beyond - kept > 1 {
                    let middle = (kept + beyond) / 2;
                    let refused = refused((f64::from(middle) / 4.0).exp2());
                    (kept, beyond) = if refused { (kept, middle) } else { (middle, beyond) };
                }
                let most = (f64::from(kept) / 4.0).exp2();
                let std = p as f64 * fresh.times(most).std(0.0);
                let found = log2_wrong(&prepared.interpolations()[0], &lut, std);
                assert!(found <= params.log2_p_fail(), "{}: table {i} of {p}: 2^{found:.1} at {most:e}", literal.name);
            }
        }
    }
}

/// Leading terms are 0, and so was what was promised: values were wrong where 2^-1000 was said.
#[test]
fn an_alternating_table_on_noisy_inputs_is_refused() {
    let params = TableParams::named("batch_12bit_digits").unwrap();
    let transforms = params.transforms().unwrap();
    let luts = [Lut::modular((0..16).map(|m| 128 * (m % 2)).collect(), 4096).unwrap()];
    let tables = PreparedTables::new(&params, &luts).unwrap();
    let fresh = params.fresh_error(params.literal().log2_modulus);
    let noise = TableNoise::predict(&params, &transforms, &tables, fresh).remove(0);
    // But for what is beyond all bounds.
    assert!((noise.log2_failure() + 138.0).abs() < 1e-9, "{}", noise.log2_failure());
    for factor in [2_500_000_001.0, 3_000_000_001.0] {
        let found = noise.clone().with_input(fresh.times(factor)).log2_failure();
        assert!(found > -64.0, "{factor}: 2^{found}");
    }
}

/// A toy ring: as many values are wrong as are foreseen, at most, where angles are as large as tables bear.
#[test]
fn chosen_tables_are_wrong_no_more_often_than_predicted() {
    let params = set(6, 2, 11, 42);
    let s = Setting::new(&params);
    for (lut, std) in sampled(chosen_tables(16, 2).into_iter().zip([0.0025, 0.008, 0.008, 0.006, 0.006]), 2) {
        let tables = PreparedTables::new(&params, std::slice::from_ref(&lut)).unwrap();
        let input = ErrorBound::unbiased(SlotNoise::flat(std * std));
        let predicted = TableNoise::predict(&params, s.bootstrap.transforms(), &tables, input).remove(0);
        let (mut wrong, mut foreseen, mut count) = (0, 0.0, 0);
        for index in 0..portion(2, 2) {
            let (errors, inputs) = s.errors(&tables, std::slice::from_ref(&lut), std, index);
            wrong += errors[0].iter().filter(|error| error.abs() > 1.0).count() as u64;
            let of_slot = |(&m, &keyed): (&usize, &f64)| predicted.log2_slot_failure(m, keyed).exp2();
            // An eighth stands for all, which take a minute.
            foreseen += 8.0 * inputs.iter().zip(&s.keyed).step_by(8).map(of_slot).sum::<f64>();
            count += inputs.len() as u64;
        }
        let (low, _) = clopper_pearson(wrong, count, CONFIDENCE);
        println!("{wrong} of {count} wrong, {foreseen:.1} foreseen");
        assert!(low <= foreseen / count as f64, "{wrong} of {count}, {foreseen} foreseen");
    }
}
