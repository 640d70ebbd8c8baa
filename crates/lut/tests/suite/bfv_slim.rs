//! Slim bootstrapping of BFV and BGV.
use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, switch_variance};
use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval, ProgramParams, SlimBootstrap, table};
use bootes_lut::{BfvLutError, LutError};
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_schemes::bfv::{
    BfvCiphertext, BfvLiteral, BfvSchemeError, BfvSecretKey, BfvSlots, Evaluator, KeyRequest, Scheme,
};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::GaloisAction;
use bootes_testkit::{CONFIDENCE, TestRng, clopper_pearson, sampled, seed_bytes};

pub(crate) fn literal(base: u64) -> BfvLiteral {
    BfvLiteral {
        name: format!("toy_slim_{base}"),
        class: SetClass::Toy,
        log2_degree: 7,
        base,
        exponent: 2,
        base_bits: 50,
        primes: vec![(45, 12)],
        digit_primes: 3,
        special_primes: 4,
        special_bits: 50,
        weight: 64,
        sparse_weight: 8,
    }
}

#[test]
fn vectors_are_refreshed() {
    for (base, stages) in [(31, 1), (97, 2), (127, 1), (193, 1), (193, 3), (257, 1), (257, 2)] {
        let params = literal(base).try_build().unwrap();
        let bound = 6;
        let method = DigitMethod::BoundedRange { bound };
        let removal = DigitRemoval { p: base, e: 2, v: 1, method }.circuit();
        let slim = SlimBootstrap::new(1, &params, [1, 2], stages, removal, bound as f64).unwrap();
        let slots = BfvSlots::new(&params, 1).unwrap();
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("slim", base)));
        let mut request = KeyRequest::default();
        slim.request(&mut request);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let mut rng = TestRng::new("slim", base);
        for scheme in [Scheme::Bgv, Scheme::Bfv] {
            let values: Vec<i64> = (0..slots.count()).map(|_| rng.below(base) as i64).collect();
            let message = slots.encode(&values).unwrap();
            let mut x = secret.encrypt(&message, scheme, 1, 3).unwrap();
            for round in 0..3 {
                let prediction = slim.predict(x.state()).unwrap();
                assert!(prediction.log2_failure < -100.0, "{prediction:?}");
                let refreshed = slim.bootstrap(&evaluator, &x).unwrap();
                assert_eq!(refreshed.state().size, prediction.result.size);
                assert_eq!((refreshed.scheme, refreshed.exponent), (scheme, 1));
                let found = slots.decode(&secret.decrypt(&refreshed).unwrap()).unwrap();
                assert!(found.iter().zip(&values).all(|(&x, &y)| x == y as u64), "modulo {base}, round {round}");
                let [_, largest] = secret.measure(&refreshed).unwrap();
                assert!(largest <= refreshed.size.worst);
                assert!(refreshed.level > 4, "modulo {base}: level {}", refreshed.level);
                x = evaluator.drop_to(&refreshed, 3).unwrap().into_owned();
            }
            check_port(&slim, &evaluator, &secret, &slots, (&values, &x));
            let other = secret.encrypt(&message, scheme, 2, 3).unwrap();
            assert!(matches!(slim.to_port(&evaluator, &other), Err(BfvSchemeError::Moduli { .. })));
            let error = slim.bootstrap(&evaluator, &other).unwrap_err();
            assert_eq!(error, BfvSchemeError::Moduli { base, exponents: [2, 1] });
        }
    }
    // Fewer digits than the sparse key makes.
    let params = literal(257).try_build().unwrap();
    let removal = DigitRemoval { p: 257, e: 2, v: 1, method: DigitMethod::BoundedRange { bound: 3 } }.circuit();
    let slim = SlimBootstrap::new(1, &params, [1, 2], 1, removal, 3.0).unwrap();
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&[1; 32]));
    let x = secret.encrypt(&[0; 128], Scheme::Bgv, 1, 3).unwrap();
    assert!(slim.predict(x.state()).unwrap().log2_failure > -1.0);
}

/// Both halves by themselves: values at the coefficients that are told, with noise below what is told; and back, with
/// as much noise as there may be.
fn check_port(
    slim: &SlimBootstrap,
    evaluator: &Evaluator,
    secret: &BfvSecretKey,
    slots: &BfvSlots,
    (values, x): (&[i64], &BfvCiphertext),
) {
    let (params, t) = (secret.params(), secret.params().power(1));
    let (ring, degree) = (params.ring(), params.degree());
    let out = slim.to_port(evaluator, x).unwrap();
    let found = out.decrypt(ring, secret.key()).unwrap();
    let mut expected = vec![0; degree];
    values.iter().enumerate().for_each(|(i, &value)| expected[slim.coefficient(i)] = value as u64);
    assert!(found == expected, "modulo {t}");
    let size = slim.port_size(x.state()).unwrap();
    let scale = f64::from(SlimBootstrap::PORT_LOG2_MODULUS).exp2() / params.prime(0);
    let errors = out.errors(ring, secret.key(), &expected).unwrap();
    let measured = errors.iter().map(|e| e * e).sum::<f64>() / degree as f64;
    let rounding = switch_variance(0.0, 0.0, 64);
    let bound = scale * size.worst.exp2() + 65.0;
    assert!(errors.iter().all(|e| e.abs() <= bound), "modulo {t}: {bound}");
    let predicted = (scale * size.average.exp2()).powi(2) + rounding;
    assert!((0.3..1.5).contains(&(measured / predicted)), "modulo {t}: {measured} of {predicted}");
    // From elsewhere, and noisy: 0.5 in digits is what there is room for.
    let encoding = out.encoding();
    let noisy = |log2_std: f64| {
        let std = (log2_std + f64::from(encoding.log2_modulus())).exp2();
        let [mask, noise] = [3, 4].map(|i| [i; 32]);
        let (mask, noise) = (MaskSeed::from_bytes(mask), SecretSeed::from_bytes(&noise));
        RlweCiphertext::encrypt(ring, encoding, &expected, secret.key(), std, mask, &noise).unwrap()
    };
    let variance = |log2_std: f64| (2.0 * log2_std).exp2();
    let most = -2.0 * (t as f64).log2() - 5.0;
    let back = slim.from_port(evaluator, &noisy(most), variance(most)).unwrap();
    let prediction = slim.predict_port(variance(most)).unwrap();
    assert!(prediction.log2_failure < -128.0, "{prediction:?}");
    assert_eq!(back.state(), prediction.result);
    let found = slots.decode(&secret.decrypt(&back).unwrap()).unwrap();
    assert!(found.iter().zip(values).all(|(&x, &y)| x == y as u64), "modulo {t}");
    let refused = slim.from_port(evaluator, &out, variance(most + 6.0)).unwrap_err();
    assert!(matches!(refused, BfvSchemeError::Exhausted { operation: "removal of digits", .. }));
}

/// A hundred random operations on four vectors, refreshed whenever an operation is refused: equal to plain arithmetic.
#[test]
fn computations_never_end() {
    let base = 257;
    let params = literal(base).try_build().unwrap();
    let method = DigitMethod::BoundedRange { bound: 6 };
    let slim = SlimBootstrap::new(1, &params, [1, 2], 2, DigitRemoval { p: base, e: 2, v: 1, method }.circuit(), 6.0);
    let (slim, slots) = (slim.unwrap(), BfvSlots::new(&params, 1).unwrap());
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("endless", base)));
    let mut request = KeyRequest::default();
    slim.request(&mut request);
    let moves = [GaloisAction::rotation(3), GaloisAction::Rotation { axis: 1, by: 1 }];
    moves.iter().for_each(|&action| request.action(action, params.max_level()));
    let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
    let evaluator = Evaluator::new(Arc::new(key));
    let mut rng = TestRng::new("endless", base);
    let (k, p) = (slots.count(), base as i64);
    let mut values: Vec<Vec<i64>> = (0..4).map(|_| (0..k).map(|_| rng.below(base) as i64).collect()).collect();
    let mut held: Vec<_> = (0..4)
        .map(|i| {
            let scheme = if i % 2 == 0 { Scheme::Bgv } else { Scheme::Bfv };
            secret.encrypt(&slots.encode(&values[i]).unwrap(), scheme, 1, params.max_level()).unwrap()
        })
        .collect();
    let mut refreshed = 0;
    for step in 0..100 {
        let [i, j] = [(); 2].map(|()| rng.below(4) as usize);
        let operation = rng.below(10);
        let c = rng.below(base) as i64;
        let (a, b) = (values[i].clone(), values[j].clone());
        let zip =
            |op: &dyn Fn(i64, i64) -> i64| a.iter().zip(&b).map(|(&a, &b)| op(a, b).rem_euclid(p)).collect::<Vec<_>>();
        let half = k / 2;
        let expected = match operation {
            0 => zip(&|a, b| a + b),
            1 => zip(&|a, b| a - b),
            2 => (0..k).map(|s| a[s / half * half + (s % half + 3) % half]).collect(),
            3 => (0..k).map(|s| a[(s + half) % k]).collect(),
            4 => zip(&|a, _| a * c + 1),
            _ => zip(&|a, b| a * b),
        };
        let result = loop {
            let (x, y) = (&held[i], &held[j]);
            let made = match operation {
                0 => evaluator.add(x, y),
                1 => evaluator.sub(x, y),
                2 => evaluator.apply(x, moves[0]),
                3 => evaluator.apply(x, moves[1]),
                4 => evaluator.mul_constant(x, c).and_then(|x| evaluator.add_constant(&x, 1)),
                _ => evaluator.mul(x, y),
            };
            // What can be refreshed no more is of no use.
            if let Ok(made) = made
                && slim.check(made.state()).is_ok()
            {
                break made;
            }
            for index in [i, j] {
                held[index] = slim.bootstrap(&evaluator, &held[index]).unwrap();
                refreshed += 1;
                assert!(refreshed < 100, "step {step} is refused after bootstrapping too");
            }
        };
        let found = slots.decode(&secret.decrypt(&result).unwrap()).unwrap();
        assert!(found.iter().zip(&expected).all(|(&x, &y)| x == y as u64), "step {step}, operation {operation}");
        (held[i], values[i]) = (result, expected);
    }
    assert!(refreshed >= 4, "{refreshed} bootstraps");
}

/// Sets at the limit of the rule, which make few maps: what is bootstrapped can be bootstrapped again.
#[test]
fn every_set_refreshes_without_end() {
    let limits =
        [(131_071 - 60, 1), (2579, 2), (337, 3), (97, 4), (43, 5), (37, 1), (31, 2), (19, 2), (17, 3), (7, 5), (3, 8)];
    for (p, r) in limits {
        let params = ProgramParams::new(p, r).unwrap();
        let slim = params.bootstrap().unwrap().unwrap();
        let mut state = params.raised(r);
        for _ in 0..3 {
            state = slim.check(state).unwrap_or_else(|error| panic!("{p}^{r}: {error}")).result;
        }
    }
    for (p, r) in [(131_101, 1), (2591, 2), (41, 6), (37, 2), (3, 9), (3, 40), (114_689, 1)] {
        assert!(matches!(ProgramParams::new(p, r), Err(LutError::Bfv(BfvLutError::Power { .. }))), "{p}^{r}");
    }
    assert!(matches!(ProgramParams::new(8191, 1), Err(LutError::Bfv(BfvLutError::Transform { .. }))));
}

/// The probability that |v| > `bound`. v is an integer: the errors of h roundings, uniform in [−½, ½], and the one of b,
/// which makes their sum an integer. So v is the sum of h such errors, rounded (Irwin and Hall's distribution).
fn tail(weight: u32, bound: u32) -> f64 {
    let n = weight;
    // P(Σ u_i ≥ x) for u_i of [0, 1] is that of ≤ n − x: Σ_k (−1)^k·C(n, k)·(n − x − k)^n/n!.
    let below = f64::from(n) / 2.0 - f64::from(bound) - 0.5;
    let (mut sum, mut binomial) = (0.0, 1.0);
    for k in 0..=n {
        let rest = below - f64::from(k);
        if rest <= 0.0 {
            break;
        }
        sum += if k % 2 == 0 { binomial } else { -binomial } * rest.powi(n as i32);
        binomial *= f64::from(n - k) / f64::from(k + 1);
    }
    2.0 * sum / (1..=n).map(f64::from).product::<f64>()
}

/// The bound of the removal is below what the sparse key makes: vectors fail where a sum of roundings is beyond it, which
/// is as often as the exact tail says.
#[test]
fn weakened_removals_fail_as_often_as_roundings_say() {
    let (base, bound) = (127, 2);
    let params = literal(base).try_build().unwrap();
    let weight = params.literal().sparse_weight;
    let removal = DigitRemoval { p: base, e: 2, v: 1, method: DigitMethod::BoundedRange { bound } }.circuit();
    let slim = SlimBootstrap::new(1, &params, [1, 2], 1, removal.clone(), bound as f64).unwrap();
    let slots = [1, 2].map(|exponent| BfvSlots::new(&params, exponent).unwrap());
    let (k, mut failed, mut beyond, mut trials) = (slots[0].count(), 0, 0, 0);
    let mut rng = TestRng::new("tail", base);
    for key in 0..12 {
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("tail", key)));
        let mut request = KeyRequest::default();
        slim.request(&mut request);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let residues = params.residues(1);
        for _ in 0..40 {
            // All coefficients of a raised ciphertext: v is what is beside the multiple of p.
            let message: Vec<i64> = (0..params.degree()).map(|_| rng.below(base) as i64).collect();
            let x = secret.encrypt(&message, Scheme::Bgv, 1, 0).unwrap();
            let raised = evaluator.raise(&x, 2).unwrap();
            let found = secret.decrypt(&raised.ciphertext).unwrap();
            let of_message = message.iter().map(|&m| base * residues.mul(m as u64, raised.factor));
            let modulus = params.power(2) as i64;
            let centred = |(found, of_message): (&u64, u64)| {
                let v = (*found as i64 - of_message as i64).rem_euclid(modulus);
                if 2 * v > modulus { v - modulus } else { v }
            };
            let v: Vec<i64> = found.iter().zip(of_message).map(centred).collect();
            assert!(v.iter().all(|v| 2 * v.unsigned_abs() <= u64::from(weight) + 1), "{v:?}");
            beyond += v.iter().filter(|v| v.unsigned_abs() > bound).count() as u64;
            trials += v.len() as u64;
            // As numbers in slots: one beyond the bound is no multiple of p when it is divided by p, and spoils all of them.
            let slots_of: Vec<i64> = found.iter().take(k).map(|&c| c as i64).collect();
            let in_slots = secret.encrypt(&slots[1].encode(&slots_of).unwrap(), Scheme::Bgv, 2, params.max_level());
            let removed = evaluator.evaluate(&removal, &[&in_slots.unwrap()], crate::unheard).unwrap().swap_remove(0);
            let removed = slots[0].decode(&secret.decrypt(&removed).unwrap()).unwrap();
            let mut pairs = removed.into_iter().zip(&message);
            let right = pairs.all(|(removed, &m)| removed == residues.mul(m as u64, raised.factor));
            assert_eq!(right, v[..k].iter().all(|v| v.unsigned_abs() <= bound), "{v:?}");
            failed += u64::from(!right);
        }
    }
    let (low, high) = clopper_pearson(beyond, trials, CONFIDENCE);
    let expected = tail(weight, bound as u32);
    assert!((low..=high).contains(&expected), "{beyond} of {trials}, expected {expected}: {low} to {high}");
    assert!(failed > 20);
}

/// Sets for tables, the least and the largest primes of each depth: a table of what was bootstrapped, and of what is
/// fresh, can be bootstrapped. The largest prime whose table the set for arithmetic has.
#[test]
fn tables_and_bootstrapping_take_turns() {
    for p in sampled([509, 521, 65521, 65537, 131_009], 2) {
        let params = ProgramParams::for_tables(p).unwrap();
        let name = params.name();
        assert_eq!(name == format!("slots_{p}_tables"), p > 512, "{name}");
        assert_eq!(ProgramParams::named(name).unwrap().unwrap().fingerprint(), params.fingerprint(), "{name}");
        assert!(params.security_bits() >= Some(131.0), "{name}");
        let slim = params.bootstrap().unwrap().unwrap();
        let mut rng = TestRng::new("tables and bootstrapping", p);
        let circuit = table::circuit(&(0..p).map(|_| rng.below(p)).collect::<Vec<_>>());
        for x in [params.fresh(Scheme::Bgv, 1, params.fresh_level()), slim.check(params.raised(1)).unwrap().result] {
            let image = params.outputs(&circuit, &[x]).unwrap_or_else(|error| panic!("{name}: {error}"))[0];
            assert!(slim.check(image).is_ok(), "{name}: {image:?}");
        }
    }
}

/// Sets of the paper are bootstrapped without end, and no defaults.
#[test]
fn sets_of_the_paper_refresh() {
    for literal in BfvLiteral::of_papers() {
        let params = ProgramParams::named(&literal.name).unwrap().unwrap();
        let name = params.name();
        assert!(name.starts_with("paper_") && literal.class == SetClass::Paper);
        assert_eq!(literal.weight, 128);
        let (most, bits) = if literal.log2_degree == 14 { (558.0, 78.0) } else { (806.0, 120.0) };
        assert!((most - 3.0..=most + 0.01).contains(&params.log2_modulus()), "{name}: {}", params.log2_modulus());
        assert!(params.security_bits() >= Some(bits) && params.security_bits() < Some(127.0), "{name}");
        let slim = params.bootstrap().unwrap().unwrap();
        let refreshed = slim.check(params.raised(params.exponent())).unwrap().result;
        let product = params.products(&[(refreshed, refreshed)]).unwrap().result;
        assert!(slim.check(product).is_ok(), "{name}");
    }
}

/// Primes with many slots near 2^16, and the largest, which have the least room.
#[test]
fn vectors_of_large_primes_are_bootstrapped() {
    for p in sampled([131063, 131023, 131011, 130817, 80897, 65521, 64513, 51199], 3) {
        let set = ProgramParams::new(p, 1).unwrap();
        let bootstrap = set.bootstrap().unwrap().unwrap();
        let refreshed = bootstrap.check(set.fresh_state()).unwrap().result;
        // What it makes is bootstrapped again, after a product.
        let product = set.products(&[(refreshed, refreshed)]).unwrap().result;
        bootstrap.check(product).unwrap();
    }
}
