use super::*;
use std::collections::HashSet;

use crate::ckks::CkksLiteral;
use crate::rlwe::{GaloisAction, KeyRequest};
use bootes_lattice::rns::{GaloisKey, MaskStorage};
use bootes_ring::ntt::Automorphism;
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::RnsRing;
use bootes_ring::sample::MaskSeed;
use bootes_testkit::{CONFIDENCE, clopper_pearson, seed_bytes};

/// No slot of any key is beyond the bound that noise is predicted with; of keys without it, 82 % would do.
#[test]
fn keys_keep_to_the_slots_that_noise_is_predicted_for() {
    let params = CkksLiteral::named("toy_bootstrap").unwrap().try_build().unwrap();
    let (bound, keys) = (params.max_slot_value(), 300);
    let mut first = 0;
    for index in 0..keys {
        let root = SecretSeed::from_bytes(&seed_bytes("slots", index));
        let derived = CkksSecretKey::derive(&params, &root);
        assert!(largest_slot_value(derived.key()) <= bound, "key {index}");
        let (ring, distribution) = (params.ring(), params.key_distribution());
        let any = RnsSecretKey::generate(ring, Limbs::chain(1), &root.fork(99), distribution);
        first += u64::from(largest_slot_value(&any) <= bound);
    }
    let (low, high) = clopper_pearson(first, keys, CONFIDENCE);
    let expected = (-(-1.6f64).exp()).exp();
    assert!(low <= expected && expected <= high, "{first} of {keys}: {low} to {high}, not {expected}");
}

/// Every key decrypts under the secret key that it is said to be under: the one to the sparse key alone under that,
/// modulo q_0·p_0.
#[test]
fn all_keys_but_one_are_under_the_secret_key() {
    let params = CkksLiteral::named("toy_bootstrap").unwrap().try_build().unwrap();
    let (ring, top) = (params.ring(), params.max_level());
    let secret = CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("keys", 0)));
    let mut request = KeyRequest { relinearisation: Some(top), raise: true, ..KeyRequest::default() };
    request.rotation(7, top);
    request.action(GaloisAction::Conjugation, top);
    let keys = secret.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Expanded, &[7; 32]);
    let (s, sparse) = (secret.key().expose_values(), secret.keys.sparse().unwrap().expose_values());
    let mut square = s.clone();
    ring.mul_assign(&mut square, s);
    let raise = keys.raise.as_ref().unwrap();
    // Galois keys are under φ^-1(s), of the same weight.
    let inverse = |key: &GaloisKey| {
        let exponent = (1..2 * ring.degree()).step_by(2).find(|g| g * key.exponent() % (2 * ring.degree()) == 1);
        ring.automorphism(s, &Automorphism::new(ring.degree(), exponent.unwrap()))
    };
    let mut all = vec![
        (keys.relinearisation.as_ref().unwrap(), params.gadget(), &square, s.clone()),
        (&raise.from_sparse, params.gadget(), sparse, s.clone()),
        (&raise.to_sparse, params.base_gadget(), s, sparse.clone()),
    ];
    all.extend(keys.galois.iter().map(|key| (key.switch_key(), params.gadget(), s, inverse(key))));
    assert_eq!(all.len(), 5);
    for (i, (key, gadget, from, to)) in all.into_iter().enumerate() {
        let limbs = Limbs::chain(key.limbs().chain);
        assert_eq!(key.limbs(), gadget.full(if i == 2 { 1 } else { top + 1 }), "key {i}");
        let x = ring.uniform(limbs, &MaskSeed::from_bytes([9; 32]), 0);
        let switched = key.switch(ring, gadget, &x);
        // b + a·s − x·s'.
        let product = |x: &Poly<Eval>, y: &Poly<Eval>| {
            let mut product = x.clone();
            ring.mul_assign(&mut product, &y.restricted(limbs));
            product
        };
        let mut noise = switched.b.clone();
        ring.add_assign(&mut noise, &product(&switched.a, &to));
        ring.sub_assign(&mut noise, &product(&x, from));
        let noise = crate::ckks::ciphertext::coefficients(&params, &ring.backward(noise));
        let largest = noise.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        assert!(largest < 1e4, "key {i}: noise of {largest:e}");
    }
}

fn secret(index: u64) -> CkksSecretKey {
    let params = CkksLiteral::named("toy_bootstrap").unwrap().try_build().unwrap();
    CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("published", index)))
}

/// The secret, by two samples that share their noise but not their masks: (b' − b)/(a − a') modulo a prime
/// that divides the messages.
fn quotient(ring: &RnsRing, limbs: [Limbs; 2], i: [usize; 2], b: [&[f64]; 2], a: [&[f64]; 2]) -> Vec<u64> {
    let p = ring.modulus(limbs[0], i[0]);
    assert_eq!(p, ring.modulus(limbs[1], i[1]));
    let word = |x: f64| p.unbalance(x);
    (0..ring.degree())
        .map(|n| {
            let difference = |x: [&[f64]; 2], s: usize| (word(x[s][n]) + p.value() - word(x[1 - s][n])) % p.value();
            p.inverse(difference(a, 0)).map_or(0, |inverse| p.mul(difference(b, 1), inverse))
        })
        .collect()
}

/// Two keys of one rotation for two levels share no noise: their rows, modulo a special prime, do not tell the secret.
#[test]
fn keys_of_one_rotation_at_two_levels_do_not_tell_the_secret() {
    let secret = secret(1);
    let (ring, top) = (secret.params().ring(), secret.params().max_level());
    let key = |level| {
        let mut request = KeyRequest::default();
        request.rotation(7, level);
        // Even of randomness that repeats.
        secret.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Seeded, &[7; 32])
    };
    let keys = [key(top), key(top - 1)];
    let keys = keys.each_ref().map(|key| key.galois.iter().next().unwrap());
    let degree = ring.degree();
    let inverse = (1..2 * degree).step_by(2).find(|g| g * keys[0].exponent() % (2 * degree) == 1).unwrap();
    let target = ring.automorphism(secret.key().expose_values(), &Automorphism::new(degree, inverse));
    let limbs = keys.map(|key| key.switch_key().limbs());
    for special in 0..limbs[0].special {
        let i = limbs.map(|limbs| limbs.chain + special);
        let row = |k: usize| {
            let (bodies, seed) = keys[k].switch_key().parts();
            let mut body = vec![0.0; degree];
            ring.unpack_limb(&mut body, &bodies[0], i[k]);
            (body, ring.uniform(limbs[k], seed, 0))
        };
        let rows = [row(0), row(1)];
        let (b, a) = (rows.each_ref().map(|row| &row.0[..]), [0, 1].map(|k| rows[k].1.limb(i[k])));
        let found = quotient(ring, limbs, i, b, a);
        let p = ring.modulus(limbs[0], i[0]);
        let s = target.limb(target.position(limbs[0], i[0]));
        let agree = found.iter().zip(s).filter(|&(&x, &s)| x == p.unbalance(s)).count();
        assert!(agree < degree / 100, "{agree} of {degree} values of the secret modulo special prime {special}");
    }
}

/// The ingredients of published samples: the first values of the mask modulo each prime, as parts of it, since one
/// stream gives close parts modulo different primes; and the noise: all that there is modulo a special prime, or of an
/// encryption of zero.
fn ingredients(ring: &RnsRing, [b, a]: [&Poly<Eval>; 2], to: &Poly<Eval>) -> (Vec<Vec<i64>>, Vec<i64>) {
    let (limbs, last) = (a.limbs(), a.limbs().count() - 1);
    let mask = |i| {
        let p = ring.modulus(limbs, i).value() as f64;
        a.limb(i)[..4].iter().map(|x| (x / p * 32f64.exp2()).round() as i64).collect()
    };
    let mut phase = a.clone();
    ring.mul_assign(&mut phase, to);
    ring.add_assign(&mut phase, b);
    let noise: Vec<i64> = ring.backward(phase).limb(last).iter().map(|&x| x as i64).collect();
    assert!(noise.iter().all(|x| x.abs() < 32), "noise of 10 standard deviations");
    ((0..=last).map(mask).collect(), noise)
}

/// No two samples share a mask or a noise: of all keys of two generations, of one request and of others, and of public
/// keys.
#[test]
fn published_keys_share_nothing() {
    let secret = secret(2);
    let (ring, top) = (secret.params().ring(), secret.params().max_level());
    let (s, sparse) = (secret.key().expose_values(), secret.keys.sparse().unwrap().expose_values());
    let request = |level| {
        let raise = level == top;
        let mut request = KeyRequest { relinearisation: Some(level), raise, ..Default::default() };
        request.action(GaloisAction::Conjugation, level);
        [1, 7].into_iter().for_each(|rotation| request.rotation(rotation, level));
        request
    };
    let fresh = |level| secret.evaluation_key(&request(level), MaskStorage::Seeded, |_, _| ()).unwrap();
    let fixed = |level| secret.evaluation_key_with_randomness_for_tests(&request(level), MaskStorage::Seeded, &[3; 32]);
    let (mut masks, mut noises, mut samples) = (HashSet::new(), HashSet::new(), 0);
    let mut add = |pair: [&Poly<Eval>; 2], to: &Poly<Eval>| {
        let (mask, noise) = ingredients(ring, pair, to);
        let count = mask.len();
        assert_eq!(mask.into_iter().filter(|mask| masks.insert(mask.clone())).count(), count, "masks repeat");
        assert!(noises.insert(noise), "noise repeats");
        samples += 1;
    };
    for keys in [fresh(top), fresh(top), fresh(top - 3), fixed(top), fixed(top - 1)] {
        let degree = ring.degree();
        let image = |key: &GaloisKey| {
            let exponent = (1..2 * degree).step_by(2).find(|g| g * key.exponent() % (2 * degree) == 1).unwrap();
            ring.automorphism(s, &Automorphism::new(degree, exponent))
        };
        let mut all: Vec<_> = keys.galois.iter().map(|key| (key.switch_key(), image(key))).collect();
        all.extend(keys.relinearisation.iter().map(|key| (key, s.clone())));
        all.extend(
            keys.raise.iter().flat_map(|raise| [(&raise.to_sparse, sparse.clone()), (&raise.from_sparse, s.clone())]),
        );
        for (key, to) in all {
            let (limbs, (bodies, seed)) = (key.limbs(), key.parts());
            for (j, packed) in bodies.iter().enumerate() {
                let mut body = ring.zero::<Eval>(limbs);
                body.iter_mut().enumerate().for_each(|(i, limb)| ring.unpack_limb(limb, packed, i));
                add([&body, &ring.uniform(limbs, seed, (j as u64) << 16)], &to);
            }
        }
    }
    for public in [
        secret.public_key().unwrap(),
        secret.public_key().unwrap(),
        secret.public_key_with_randomness_for_tests(&[3; 32]),
    ] {
        let zero = public.ciphertext();
        add([&zero.b, &zero.a], s);
    }
    assert!(samples > 30, "{samples}");
}

/// Other sets have other secrets and another identity of the same seed, even where they differ in what only special
/// keys see.
#[test]
fn every_field_of_a_set_makes_other_secrets() {
    let literal = CkksLiteral::named("toy_bootstrap").unwrap();
    let change = |change: &dyn Fn(&mut CkksLiteral)| {
        let mut literal = literal.clone();
        change(&mut literal);
        literal
    };
    let sets = [
        literal.clone(),
        change(&|set| set.name += "_other"),
        change(&|set| set.base_bits -= 1),
        change(&|set| set.scale_bits -= 1),
        change(&|set| set.levels -= 1),
        change(&|set| set.digit_primes += 1),
        change(&|set| set.special_primes += 1),
        change(&|set| set.weight += 2),
        change(&|set| set.sparse_weight += 2),
    ];
    let (mut ids, mut secrets) = (HashSet::new(), HashSet::new());
    for set in sets {
        let params = set.try_build().unwrap();
        let keys = CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&[5; 32]));
        assert!(ids.insert(keys.id()) && ids.insert(params.fingerprint()));
        assert!(
            [keys.key(), keys.keys.sparse().unwrap()]
                .into_iter()
                .all(|key| secrets.insert(key.expose_coefficients().to_vec()))
        );
    }
}
