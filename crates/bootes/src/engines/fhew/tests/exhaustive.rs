//! Every input of every kind of table through every algorithm, on every toy set.
use crate::engines::*;
use crate::fhew::{Client, Params, Server};
use crate::{Error, KeyNeeds, Lut};
use bootes_lut::{FhewLutError, LutError};
use bootes_testkit::{in_full, sampled};
use std::collections::HashSet;

/// Tables of every kind: with and without structure.
fn tables(bits: u32) -> Vec<(&'static str, Vec<u64>)> {
    let p = 1u64 << bits;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> (64 - bits)
    };
    let half: Vec<u64> = (0..p / 2).map(|_| random()).collect();
    vec![
        ("identity", (0..p).collect()),
        ("constant", vec![p - 1; p as usize]),
        ("zero", vec![0; p as usize]),
        ("negacyclic", half.iter().copied().chain(half.iter().map(|v| (p - v) % p)).collect()),
        ("periodic", half.iter().chain(&half).copied().collect()),
        ("even", half.iter().chain(half.iter().rev()).copied().collect()),
        ("step", (0..p).map(|x| u64::from(x >= p / 2)).collect()),
        ("last", (0..p).map(|x| u64::from(x == p - 1) * (p - 1)).collect()),
        ("random", (0..p).map(|_| random()).collect()),
    ]
}

#[test]
fn every_table_every_algorithm_every_toy_set() -> Result<(), Error> {
    let mut evaluated = HashSet::new();
    // Wide words are tested with every algorithm where they are generic, in `lut`.
    let is_toy = |params: &Params| params.name().starts_with("toy_") && !params.name().starts_with("toy_wide");
    for params in Params::all().into_iter().filter(is_toy) {
        let client = Client::from_seed(&params, &[7; 32]);
        let sizes = [1, 3, params.bits()];
        let mut needs = KeyNeeds::default();
        for (algorithm, ..) in crate::algorithms() {
            for bits in sizes {
                needs = needs.and(params.extra_keys(&algorithm, bits)?);
            }
        }
        let server = Server::new(client.server_key_with(&needs)?)?;
        for bits in sizes {
            // Long tables in every thirteenth message, of both halves and both parities.
            let inputs: Vec<u64> = sampled(0..1 << bits, if bits > 3 { 13 } else { 1 }).collect();
            let encrypted = client.encrypt_bits(&signed(&inputs), bits)?;
            // Every kind of table for every algorithm takes minutes at 8 bits, and half of one at fewer.
            let most = if in_full() { 7 } else { 1 };
            let kinds =
                tables(bits).into_iter().filter(|(name, _)| bits <= most || ["random", "negacyclic"].contains(name));
            for (name, values) in kinds {
                let lut = Lut::new(values.clone(), bits)?;
                for (algorithm, ..) in crate::algorithms() {
                    let plan = match server.plan_table(&lut, &encrypted, Some(&algorithm)) {
                        Ok(plan) => plan,
                        Err(Error::Lut(LutError::Fhew(
                            FhewLutError::Unsupported { .. }
                            | FhewLutError::Noise { .. }
                            | FhewLutError::OutputNoise { .. }
                            | FhewLutError::Rank { .. },
                        ))) => {
                            continue;
                        }
                        Err(error) => return Err(error),
                    };
                    let results = server.evaluate_plan(&plan, &encrypted, 2)?;
                    let expected: Vec<u64> = inputs.iter().map(|&m| values[m as usize]).collect();
                    assert_eq!(
                        client.decrypt(&results)?,
                        expected,
                        "{} {bits} bits, {name}, {algorithm}\n{plan}",
                        params.name()
                    );
                    evaluated.insert((bits == params.bits(), algorithm));
                }
            }
        }
    }
    // Fixed depths exist up to the number of bits.
    for (algorithm, ..) in crate::algorithms() {
        assert!(evaluated.contains(&(true, algorithm.clone())), "{algorithm} was never evaluated at a set's own size");
    }
    Ok(())
}

#[test]
fn an_algorithm_whose_ring_keys_are_missing_is_refused_by_name_and_not_planned_otherwise() -> Result<(), Error> {
    let params = Params::by_name("toy_8")?;
    let client = Client::from_seed(&params, &[7; 32]);
    let server = Server::new(client.made_key()?)?;
    let lut = Lut::new((0..256).rev().collect(), 8)?;
    let encrypted = client.encrypt(&[0, 255])?;
    let needed = params.extra_keys("recursive-rings", 8)?;
    assert!(!needed.is_empty() && params.extra_keys("recursive", 8)?.is_empty());
    match server.plan_table(&lut, &encrypted, Some("recursive-rings")) {
        Err(Error::Lut(LutError::Fhew(FhewLutError::Keys { missing, .. }))) => {
            assert!(missing.rings.iter().all(|degree| needed.rings.contains(degree)));
        }
        other => panic!("planned without its keys: {other:?}"),
    }
    assert_ne!(server.plan_table(&lut, &encrypted, None)?.algorithm(), "recursive-rings");

    // A plan made with the keys does not run without them.
    let with_rings = Server::new(client.server_key_with(&needed)?)?;
    let plan = with_rings.plan_table(&lut, &encrypted, Some("recursive-rings"))?;
    assert!(matches!(
        server.evaluate_plan(&plan, &encrypted, 1),
        Err(Error::Lut(LutError::Fhew(FhewLutError::Keys { .. })))
    ));
    for degree in [0, 512, 1000, 1536, 1 << 18] {
        let needs = KeyNeeds { rings: vec![degree], ..KeyNeeds::default() };
        assert!(client.server_key_with(&needs).is_err(), "degree {degree}");
    }
    Ok(())
}
