//! Sets without bootstrapping: the room that they promise is there, and no more is taken for it.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{ProgramParams, ProgramPlan};
use bootes_lut::{BfvLutError, LutError, Program};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvSecretKey, Evaluator, Scheme};
use bootes_testkit::stats::variance_interval;
use bootes_testkit::{sampled, seed_bytes};

/// Products in a row, of rotated factors, and the sum of all slots of each.
fn promised(depth: u32, columns: usize) -> Program {
    let mut program = Program::new();
    let mut x = program.input("x");
    for _ in 0..depth {
        // By as many key switches as there are for a rotation.
        let moved = if columns == 1 { x } else { program.rotate(x, columns as i64 - 1) };
        let moved = if columns == 1 { moved } else { program.exchange(moved) };
        let product = program.mul(moved, x);
        x = if columns == 1 { product } else { program.sum_slots(product) };
    }
    program.output(x);
    program
}

/// Secure sets of these vectors, of all depths that there are.
fn all_depths(p: u64, r: u32) -> Vec<ProgramParams> {
    let sets: Vec<_> = (1..).map_while(|depth| ProgramParams::leveled(p, r, depth).ok()).collect();
    assert!(!sets.is_empty(), "{p}^{r}");
    sets
}

#[test]
fn sets_of_all_depths_are_secure_and_hold_what_they_promise() {
    let large = (1 << 40) - 87;
    let moduli = [
        (3, 1),
        (257, 1),
        (65537, 2),
        (12289, 1),
        (65537, 1),
        (65_929_217, 1),
        (large, 1),
        (17, 2),
        (2, 1),
        (1 << 16, 1),
        (1 << 40, 1),
        (1 << 32, 1),
    ];
    for (p, r) in sampled(moduli, 2) {
        let sets = all_depths(p, r);
        // The deepest first, which is taken in any case.
        for set in sampled(sets.iter().rev(), 2) {
            let (name, depth) = (set.name(), set.depth().unwrap());
            assert!(set.security().unwrap().iter().all(|security| security.meets_rule()), "{name}");
            let program = promised(depth, set.slots().shape()[1]);
            for fresh in [set.fresh_public(r, set.fresh_level()), set.fresh_state()] {
                let plan =
                    ProgramPlan::new(set, None, &program, &[fresh]).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(plan.log2_failure() < -128.0, "{name}: {}", plan.log2_failure());
            }
            assert_eq!(ProgramParams::named(name).unwrap().unwrap().fingerprint(), set.fingerprint());
        }
        let beyond = sets.len() as u32 + 1;
        let refused = ProgramParams::leveled(p, r, beyond);
        let Err(LutError::Bfv(BfvLutError::Depth { depth, most, .. })) = refused else { panic!("{p}^{r}") };
        assert_eq!((depth, most), (beyond, beyond - 1), "{p}^{r}");
        println!("{p}^{r}: {} depths, N = 2^{}", sets.len(), sets[0].degree().ilog2());
    }
}

#[test]
fn names_are_of_what_there_is() {
    for name in ["slots_65537_depth_61", "slots_65537_depth_4000000000", "toy_slots_3_depth_4294967295"] {
        assert!(matches!(ProgramParams::named(name), Some(Err(LutError::Bfv(BfvLutError::Depth { .. })))), "{name}");
    }
    for name in [
        "slots_65537_depth_",
        "slots_65537_depth_0",
        "slots_65537_depth_01",
        "slots_65537_1_depth_2",
        "slots_65537_depth_2_2",
    ] {
        assert!(ProgramParams::named(name).is_none(), "{name}");
    }
    // Larger rings are named, the smallest is not.
    let larger = ProgramParams::named("slots_65537_depth_1_ring_15").unwrap().unwrap();
    assert_eq!((larger.slots().count(), larger.depth()), (32768, Some(1)));
    assert_eq!(larger.with_depth(2).unwrap().name(), "slots_65537_depth_2_ring_15");
    assert_eq!(larger.with_depth(8).unwrap().name(), "slots_65537_depth_8");
    for name in ["slots_65537_depth_1_ring_13", "slots_65537_depth_1_ring_12", "slots_65537_depth_1_ring_17"] {
        assert!(ProgramParams::named(name).is_none(), "{name}");
    }
    for (p, near) in [(65_929_218, 65_929_217), ((1 << 40) - 2, 0), (9, 7)] {
        let Err(LutError::Bfv(BfvLutError::Prime { nearest, .. })) = ProgramParams::leveled(p, 1, 1) else {
            panic!("{p}")
        };
        assert!(near == 0 || nearest == near, "{p}: {nearest}");
        ProgramParams::leveled(nearest, 1, 1).unwrap();
    }
    for (p, r) in [(1_099_511_627_791, 1), (3, 26), (65537, 0), (3, u32::MAX)] {
        assert!(matches!(ProgramParams::leveled(p, r, 1), Err(LutError::BfvScheme(_))), "{p}^{r}");
    }
}

/// What is promised, to the full depth.
fn computes(params: &ProgramParams) {
    let (r, depth) = (params.exponent(), params.depth().unwrap());
    let (slots, t) = (params.slots(), params.modulus());
    let k = slots.count();
    let secret = BfvSecretKey::derive(params, &SecretSeed::from_bytes(&seed_bytes("leveled", t)));
    let key = secret.evaluation_key(&params.request(None), MaskStorage::Expanded, crate::unheard).unwrap();
    assert!(key.raise().is_err(), "nothing is raised");
    let evaluator = Evaluator::new(Arc::new(key));
    let public = secret.public_key().unwrap();
    let program = promised(depth, slots.shape()[1]);
    let half = (t / 2) as i64;
    // Polynomials whose coefficients are all as large as they may be, among them.
    let largest = slots.decode(&vec![t / 2; params.degree()]).unwrap();
    let largest: Vec<i64> = largest.into_iter().map(|x| x as i64).collect();
    for values in [vec![half; k], (0..k as i64).map(|i| half - i % 2 * (t - 1) as i64).collect(), largest] {
        let message = slots.encode(&values).unwrap();
        let secretly = secret.encrypt(&message, Scheme::Bgv, r, params.fresh_level()).unwrap();
        let publicly = public.encrypt(&message, Scheme::Bgv, r, params.fresh_level()).unwrap();
        assert_eq!(publicly.state(), params.fresh_public(r, params.fresh_level()));
        assert_eq!(secretly.state(), params.fresh_state());
        for x in [secretly, publicly] {
            let plan = ProgramPlan::new(params, None, &program, &[x.state()]).unwrap();
            let found = plan.run(None, &evaluator, &[&x], crate::unheard).unwrap().swap_remove(0);
            let plain: Vec<i128> = values.iter().map(|&x| x.into()).collect();
            let expected = &program.values(&[&plain], slots.shape(), t)[0];
            let decrypted = slots.decode(&secret.decrypt(&found).unwrap()).unwrap();
            assert!(decrypted.iter().zip(expected).all(|(&x, &y)| x == y as u64), "{}", params.name());
            for y in [&x, &found] {
                let [_, largest] = secret.measure(y).unwrap();
                assert!(largest <= y.size.worst, "{}: 2^{largest} of at most 2^{}", params.name(), y.size.worst);
            }
        }
    }
}

/// To the full depth, on values that are as large as they may be, with the noise that is predicted.
#[test]
fn what_is_promised_is_computed() {
    for (p, r, depth) in [
        (257, 1, 1),
        (65537, 1, 3),
        (127, 2, 2),
        (65_929_217, 1, 2),
        ((1u64 << 40) - 87, 1, 2),
        (2, 1, 3),
        (1 << 16, 1, 2),
        (1 << 40, 1, 2),
    ] {
        let power = if r == 1 { String::new() } else { format!("_{r}") };
        computes(&ProgramParams::named(&format!("toy_slots_{p}{power}_depth_{depth}")).unwrap().unwrap());
    }
}

/// What a division rounds with a dense key, over keys: as independent coefficients.
#[test]
fn noise_of_dense_keys_is_the_predicted() {
    let params = ProgramParams::named("toy_slots_65537_depth_2").unwrap().unwrap();
    let (mut ratio, keys, level) = (0.0, 200, params.fresh_level());
    for seed in 0..keys {
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("dense", seed)));
        let evaluator = Evaluator::new(Arc::new(
            secret.evaluation_key(&params.request(None), MaskStorage::Seeded, crate::unheard).unwrap(),
        ));
        let x = secret.encrypt(&vec![0; params.degree()], Scheme::Bgv, 1, level).unwrap();
        let x = evaluator.drop_to(&x, 0).unwrap().into_owned();
        let [std, largest] = secret.measure(&x).unwrap();
        assert!(largest <= x.size.worst);
        ratio += (2.0 * (std - x.size.average)).exp2() / keys as f64;
    }
    // Keys differ in their weights, and the factors r_1·s are common to all coefficients of one.
    let (low, high) = variance_interval(ratio, keys as usize * params.degree() / 8, 0.999_999);
    assert!(low <= 1.0 && 1.0 <= high, "{ratio} of the predicted variance");
}

/// Powers of two have one slot: what is of slots is refused, with what works, and sums of what was evaluated are made
/// with factors that are odd.
#[test]
fn powers_of_two_have_one_value() {
    for k in [1, 2, 8, 16, 31, 32, 40] {
        let params = ProgramParams::named(&format!("toy_slots_{}_depth_2", 1u64 << k)).unwrap().unwrap();
        assert_eq!((params.slots().shape(), params.moves().len(), params.bootstrapped()), ([1, 1], 0, None));
        let t = params.modulus();
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("power of two", k)));
        let key = secret.evaluation_key(&params.request(None), MaskStorage::Seeded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let program = Program::parse("x*y*z + 3*x; (x - y)*z + y - 5; 7 - x^2; x*x*x*x", &[]).unwrap();
        let states = vec![params.fresh_state(); 3];
        let plan = ProgramPlan::new(&params, None, &program, &states).unwrap();
        assert!(plan.log2_failure() < -128.0);
        for values in [[t - 1, t / 2, t - 1], [1, t - 1, t / 2], [0x1234_5678_9abc % t, 0xfeed_beef % t, 77 % t]] {
            let encrypt = |&x: &u64| {
                let message = params.slots().encode(&[x as i64]).unwrap();
                secret.encrypt(&message, Scheme::Bgv, 1, params.fresh_level()).unwrap()
            };
            let inputs: Vec<_> = values.iter().map(encrypt).collect();
            let found = plan.run(None, &evaluator, &inputs.iter().collect::<Vec<_>>(), crate::unheard).unwrap();
            let plain: Vec<[i128; 1]> = values.iter().map(|&x| [x.into()]).collect();
            let expected = program.values(&plain.iter().map(|x| &x[..]).collect::<Vec<_>>(), [1, 1], t);
            for (found, expected) in found.iter().zip(expected) {
                let message = secret.decrypt(found).unwrap();
                assert_eq!(params.slots().decode(&message).unwrap(), [expected[0] as u64], "2^{k}");
                assert!(message[1..].iter().all(|&c| c == 0), "2^{k}");
                assert!(secret.measure(found).unwrap()[1] <= found.size.worst);
            }
        }
        for text in ["rot(x, 1)", "swap(x)", "sum(x)", "dot(x, y)", "x*rot(y, 0)"] {
            let program = Program::parse(text, &[]).unwrap();
            let refused = ProgramPlan::new(&params, None, &program, &vec![params.fresh_state(); program.inputs()]);
            let Err(LutError::Bfv(BfvLutError::OneValue { nearest, .. })) = &refused else { panic!("{text}") };
            ProgramParams::leveled(*nearest, 1, 1).unwrap();
            assert!(ProgramParams::leveled_for(t, 1, &program, 1).is_none());
        }
    }
    // Named by the modulus alone.
    for (p, r) in [(2, 16), (4, 8)] {
        let refused = ProgramParams::leveled(p, r, 1).unwrap_err();
        let LutError::Bfv(BfvLutError::Prime { found: 65536, power: Some(set), .. }) = &refused else {
            panic!("{refused}")
        };
        assert!(ProgramParams::named(set).unwrap().is_ok());
    }
    assert!(ProgramParams::leveled(1 << 41, 1, 1).is_err() && ProgramParams::leveled(6, 1, 1).is_err());
}

/// What fresh vectors and products of powers of two have, over keys: no more than is predicted, and no less.
#[test]
fn noise_of_powers_of_two_is_the_predicted() {
    // Of the least moduli a measurement is off by what it rounds.
    for k in [8, 16, 40] {
        let params = ProgramParams::named(&format!("toy_slots_{}_depth_1", 1u64 << k)).unwrap().unwrap();
        let (mut fresh, mut dropped, keys) = (0.0, 0.0, 100);
        for seed in 0..keys {
            let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("two", 1000 * k + seed)));
            let evaluator = Evaluator::new(Arc::new(
                secret.evaluation_key(&params.request(None), MaskStorage::Seeded, crate::unheard).unwrap(),
            ));
            let message = params.slots().encode(&[0]).unwrap();
            let x = secret.encrypt(&message, Scheme::Bgv, 1, params.fresh_level()).unwrap();
            let lowest = |&level: &usize| params.promised("division", params.at_level(x.state(), level)).is_ok();
            let level = (0..x.level).find(lowest).unwrap();
            let low = evaluator.drop_to(&x, level).unwrap().into_owned();
            // Of constants, no coefficients but one have a message: its share is not there.
            let errors = params.random_size(params.errors().std.powi(2)).average + k as f64;
            let at = |x: &bootes_schemes::bfv::BfvCiphertext| {
                let [std, largest] = secret.measure(x).unwrap();
                assert!(largest <= x.size.worst && std <= x.size.average + 1.0);
                std
            };
            fresh += (2.0 * (at(&x) - errors)).exp2() / keys as f64;
            dropped += (2.0 * (at(&low) - low.size.average)).exp2() / keys as f64;
        }
        let count = keys as usize * params.degree();
        let (low, high) = variance_interval(fresh, count, 0.999_999);
        assert!(low <= 1.0 && 1.0 <= high, "2^{k}: {fresh} of the predicted variance");
        let (low, high) = variance_interval(dropped, count / 8, 0.999_999);
        assert!(low <= 1.0 && 1.0 <= high, "2^{k}: {dropped} of the predicted variance");
    }
}

/// Moduli that are products of primes with all slots: exact modulo each of them.
#[test]
fn products_of_primes_have_all_slots() {
    // At N = 2^13, whatever is 1 modulo 2^14.
    let p = 65537 * 114_689;
    let params = ProgramParams::leveled(p, 1, 1).unwrap();
    assert_eq!((params.slots().shape(), params.degree()), ([2, 4096], 8192));
    let program = promised(1, 4096);
    ProgramPlan::new(&params, None, &program, &[params.fresh_public(1, params.fresh_level())]).unwrap();
    for none in [65537 * 65537, 65537 * 3, 65537 * 114_689 + 2, 15, 1] {
        let refused = ProgramParams::leveled(none, 1, 1);
        assert!(matches!(refused, Err(LutError::Bfv(BfvLutError::Prime { .. }))), "{none}");
    }
    // 114689 − 1 has no more than 2^14.
    assert!(matches!(ProgramParams::leveled(p, 1, 6), Err(LutError::Bfv(BfvLutError::Depth { most: 1.., .. }))));
    assert!(matches!(ProgramParams::leveled(p, 2, 1), Err(LutError::BfvScheme(_))));
    computes(&ProgramParams::named("toy_slots_7516372993_depth_2").unwrap().unwrap());
    computes(&ProgramParams::named("toy_slots_82593793_depth_1").unwrap().unwrap());
}

#[test]
fn what_has_no_room_is_told_the_set_that_has() {
    let params = ProgramParams::named("toy_slots_257_depth_2").unwrap().unwrap();
    let fresh = params.fresh_state();
    let plan = |params: &ProgramParams, text: &str| {
        let program = Program::parse(text, &[]).unwrap();
        ProgramPlan::new(params, None, &program, &vec![params.fresh_state(); program.inputs()])
    };
    plan(&params, "x^4 + y").unwrap();
    for (text, needed) in [("x^64 + 1", 6), ("(x*y)^64 - x", 7), ("sum(100*x^16)^4", 6)] {
        let error = plan(&params, text).unwrap_err();
        let LutError::Bfv(BfvLutError::Room { depth: 2, deeper: Some(deeper), .. }) = &error else { panic!("{error}") };
        let (depth, set) = &**deeper;
        assert_eq!(*depth, needed, "{text}: {error}");
        let words = format!(
            "toy_slots_257_depth_2, which is for 2 products in a row and bootstraps nothing: it takes \
             a depth of {needed}; make keys of the set {set}"
        );
        assert!(error.to_string().ends_with(&words), "{error}");
        let cure = ProgramParams::named(set).unwrap().unwrap();
        plan(&cure, text).unwrap();
    }
    // What was evaluated before takes what it took besides.
    let program = Program::parse("x^16", &[]).unwrap();
    let spent = ProgramPlan::new(&params, None, &program, &[fresh]).unwrap().results()[0];
    let error = ProgramPlan::new(&params, None, &program, &[spent]).unwrap_err();
    assert!(error.to_string().contains("depth of 6; make keys of the set toy_slots_257_depth_6"), "{error}");
}

/// A power of a prime has a set, which is named.
#[test]
fn powers_of_primes_are_told_their_set() {
    for (modulus, set) in [
        (9, Some("slots_3_2")),
        (1681, Some("slots_41_2")),
        (3u64.pow(25), Some("slots_3_25_depth_1")),
        (65537 * 65537, Some("slots_65537_2_depth_1")),
        (1_048_573 * 1_048_573, Some("slots_1048573_2_depth_1")),
        (15, None),
        (16, Some("slots_16_depth_1")),
    ] {
        let made = [ProgramParams::leveled(modulus, 1, 2), ProgramParams::new(modulus, 1)];
        for error in made.into_iter().filter_map(Result::err) {
            let LutError::Bfv(BfvLutError::Prime { power, .. }) = &error else { panic!("{modulus}: {error}") };
            assert_eq!(power.as_deref(), set, "{modulus}: {error}");
        }
        assert!(set.is_none_or(|set| ProgramParams::named(set).is_some_and(|set| set.is_ok())), "{modulus}");
    }
}

/// No depth is told that there is no set for.
#[test]
fn a_depth_of_none_is_told_those_that_there_are() {
    for p in [3, 257, 65537] {
        match ProgramParams::leveled(p, 1, 0) {
            Err(LutError::Bfv(BfvLutError::Depth { most, .. })) => {
                assert!(ProgramParams::leveled(p, 1, most).is_ok(), "{p}: {most}");
            }
            other => panic!("{p}: {other:?}"),
        }
    }
}

/// A product of primes has slots in small rings, and is told the depths of those.
#[test]
fn products_of_primes_are_told_their_depths() {
    let modulus = 65537 * 114_689;
    let refused = |depth| match ProgramParams::leveled(modulus, 1, depth) {
        Err(LutError::Bfv(BfvLutError::Depth { most, .. })) => most,
        other => panic!("depth {depth}: {other:?}"),
    };
    let most = refused(30);
    assert_eq!(refused(0), most);
    assert!(most >= 1 && (most + 1..30).step_by(5).all(|depth| refused(depth) == most));
    assert!((1..=most).all(|depth| ProgramParams::leveled(modulus, 1, depth).is_ok()), "{most}");
}
