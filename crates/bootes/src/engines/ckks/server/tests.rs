use bootes_lattice::port::RlweEncoding;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::params::NOISE_STD;
use bootes_schemes::ckks::{CkksSecretKey, KeyRequest};
use bootes_schemes::rlwe::GaloisAction;

use super::digits::digit_errors;
use super::*;
use crate::ckks::maps;
use crate::engines::*;

#[test]
fn keys_that_are_missing_are_named() -> Result<(), Error> {
    let params = Params::by_name("toy_batch_4bit")?;
    let secret = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&[1; 32]));
    let request = params.request(&maps(&params)?);
    let refusal = |request: &KeyRequest| {
        let key = secret.evaluation_key_with_randomness_for_tests(request, MaskStorage::Seeded, &[7; 32]);
        Server::new(ServerKey::new(&params, key), None).unwrap_err().to_string()
    };
    let mut galois = request.galois.clone();
    let is_rotation = |action: &&GaloisAction| matches!(action, GaloisAction::Rotation { .. });
    let action = *galois.keys().rfind(is_rotation).expect("rotations");
    let level = galois.remove(&action).expect("a key");
    let without = KeyRequest { galois: galois.clone(), ..request.clone() };
    let lacks = |what: &str| {
        format!(
            "the server key lacks keys that parameter set toy_batch_4bit needs ({what}): make new keys with this \
             version"
        )
    };
    let missing = format!("no Galois key for the {action}; generate the evaluation key with it");
    assert_eq!(refusal(&without), lacks(&missing));
    galois.insert(action, level - 1);
    let lower = format!(
        "the Galois key for the {action} serves levels up to {}, but level {level} is needed; drop levels first, or \
         generate the key for that",
        level - 1
    );
    assert_eq!(refusal(&KeyRequest { galois, ..request.clone() }), lacks(&lower));
    let missing = "no keys for raising the modulus; generate the evaluation key for bootstrapping";
    assert_eq!(refusal(&KeyRequest { raise: false, ..request }), lacks(missing));
    Ok(())
}

/// Ciphertexts in a smaller modulus than the set's have more noise in turns: it is what is predicted with.
#[test]
fn ciphertexts_of_fewer_bits_are_refused_where_they_are_too_noisy() -> Result<(), Error> {
    let params = Params::by_name("toy_batch_4bit")?;
    let secret = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&[3; 32]));
    let request = params.request(&maps(&params)?);
    let key = ServerKey::new(&params, secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ())?);
    let server = Server::new(key, None)?;
    let lut = [Lut::modular((0..16).collect(), 16)?];
    let job = |log2_modulus: u32| {
        let (mask, noise) = (SecretSeed::from_bytes(&[4; 32]).fork_mask(0), SecretSeed::from_bytes(&[5; 32]));
        let (ring, encoding) = (params.ckks().ring(), RlweEncoding::new(16, log2_modulus)?);
        let part = RlweCiphertext::encrypt(ring, encoding, &[7], secret.key(), NOISE_STD, mask, &noise)?;
        let file = Ciphertexts::fresh(&params, server.key_id(), Space::Modular(16), vec![part]).write(Vec::new())?;
        server.plan_tables(&lut, &Ciphertexts::read(&file[..])?).map(drop)
    };
    let log2_modulus = params.literal().log2_modulus;
    assert!(job(log2_modulus).is_ok() && job(log2_modulus + 1).is_ok());
    // The fewest bits that can be encrypted with, and all up to the first that are enough.
    let refused: Vec<u32> = (10..log2_modulus).filter(|&bits| job(bits).is_err()).collect();
    assert!(refused.first() == Some(&10) && refused.is_sorted(), "{refused:?}");
    assert_eq!(refused.len(), (refused[refused.len() - 1] - 9) as usize, "{refused:?}");
    Ok(())
}

#[test]
fn keys_that_nobody_asked_for_count() -> Result<(), Error> {
    let params = Params::by_name("toy_batch_4bit")?;
    let secret = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&[2; 32]));
    let mut request = params.request(&maps(&params)?);
    let key = |request: &KeyRequest| {
        ServerKey::new(&params, secret.evaluation_key_with_randomness_for_tests(request, MaskStorage::Seeded, &[7; 32]))
    };
    let expanded = request.bytes(params.ckks(), MaskStorage::Expanded) as u64;
    let limit = expanded + tables_bytes(&params) + transform_workspace(&params, 1, 1);
    let within = |request: &KeyRequest| Server::within(key(request), Some(MaskStorage::Expanded), Some(limit));
    assert!(within(&request).is_ok());
    let mut rotations = (1..).map(GaloisAction::rotation);
    let other = rotations.find(|action| !request.galois.contains_key(action)).expect("one of many");
    request.action(other, params.ckks().max_level());
    assert!(matches!(within(&request), Err(Error::Memory { .. })));
    Ok(())
}

/// The most bits, by noise or by the ciphertext modulus.
#[test]
fn integers_are_decomposed_within_the_promise() -> Result<(), Error> {
    for (name, most) in [("toy_batch_4bit", 26), ("batch_1bit", 12), ("batch_4bit", 23), ("batch_8bit", 26)] {
        let params = Params::by_name(name)?;
        let (literal, transforms) = (params.literal(), maps(&params)?);
        let digit = [Lut::modular((0..1 << literal.bits).collect(), 1 << literal.bits)?];
        // Fresh, or such a result.
        let input = |encoding: RlweEncoding| params.fresh_error(encoding.log2_modulus());
        let check = |bits: u32| {
            let encoding = RlweEncoding::new(1 << bits, literal.log2_modulus + bits - literal.bits).ok()?;
            Some(digit_errors(&params, &transforms, encoding, input(encoding), &digit))
        };
        let fitting = (literal.bits..).take_while(|&bits| check(bits).is_some_and(|result| result.is_ok()));
        assert_eq!(fitting.last(), Some(most), "{name}");
        if let Some(refused) = check(most + 1) {
            let line = refused.unwrap_err().to_string();
            let integers = format!("digits of {} bits of integers of {} would be wrong with", literal.bits, most + 1);
            assert!(line.starts_with(&integers) && line.contains(name), "{line}");
        }
    }
    Ok(())
}
