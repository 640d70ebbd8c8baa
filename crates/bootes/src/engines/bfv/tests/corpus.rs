//! Stored bytes of the files of this engine, as those of the others (`fhew::tests::corpus`).
use bootes_lut::Lut;
use bootes_schemes::cancel::Cancel;

use super::super::{Ciphertexts, Client, Params, Plan, PublicKey, Server, ServerKey};
use crate::engines::watch::Watch;
use crate::engines::*;
use crate::fhew::tests::corpus::{RANDOMNESS, SEED, ends, read, write};
use crate::{Error, MaskStorage};

fn server_key(client: &Client) -> Result<Vec<u8>, Error> {
    let params = client.params();
    let request = params.request(params.bootstrap()?);
    let key = client.keys.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Seeded, RANDOMNESS);
    ServerKey::new(params, key).write(Vec::new())
}

fn values() -> Vec<u64> {
    (0..20).map(|i| i * i % 17).collect()
}

fn image(x: u64) -> u64 {
    (x * x * 41 + x * 7 + 3) % 13
}

fn images() -> Vec<u64> {
    values().into_iter().map(image).collect()
}

/// A table of the values.
fn evaluated(key: &[u8], fresh: &Ciphertexts) -> Result<Ciphertexts, Error> {
    let server = Server::within(ServerKey::read_within(None, key)?, None, None)?;
    let lut = Lut::modular((0..17).map(image).collect(), 17)?;
    let plan = server.plan_program(&Plan::tables(&[lut]), &[fresh])?;
    Ok(server.run(&plan, &[fresh], 1, &Watch { progress: &|_| (), cancel: &Cancel::new() })?.remove(0))
}

#[test]
fn files_of_version_6_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v6/client.key"))?;
    let fresh = Ciphertexts::read_within(None, &read("v6/fresh.ct")[..])?;
    assert_eq!(client.decrypt(&fresh)?, values());
    let stored = Ciphertexts::read_within(None, &read("v6/result.ct")[..])?;
    assert_eq!(client.decrypt(&stored)?, images());
    let key = server_key(&client)?;
    assert!(ends(&key) == read("v6/server.key.ends"), "the samplers, the derivation of keys or their layout changed");
    // Operands as they were.
    for sum in [fresh.add(&fresh)?, stored.sub(&stored)?.add_constant(2)?] {
        let images = client.decrypt(&sum)?.into_iter().map(image).collect::<Vec<_>>();
        assert_eq!(client.decrypt(&evaluated(&key, &sum)?)?, images);
    }
    Ok(())
}

/// Version 9: fresh ciphertexts with seeds.
#[test]
fn files_of_version_9_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v6/client.key"))?;
    let fresh = Ciphertexts::read_within(None, &read("v9/vectors.ct")[..])?;
    assert_eq!(client.decrypt(&fresh)?, values());
    assert!(fresh.write(Vec::new())? == read("v9/vectors.ct"));
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_9() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v6/client.key"))?;
    write("v9/vectors.ct", &client.encrypt_modulo(&signed(&values()), 17)?.write(Vec::new())?);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_slots_17")?, SEED);
    let (key, fresh) = (server_key(&client)?, client.encrypt_modulo(&signed(&values()), 17)?);
    write("v6/client.key", &client.export_secret_bytes());
    write("v6/fresh.ct", &fresh.write(Vec::new())?);
    write("v6/result.ct", &evaluated(&key, &fresh)?.write(Vec::new())?);
    write("v6/server.key.ends", &ends(&key));
    Ok(())
}

/// Version 10: public keys.
#[test]
fn files_of_version_10_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v6/client.key"))?;
    let public = PublicKey::read_within(None, &read("v10/vectors.key")[..])?;
    assert!(public.key_id() == client.key_id() && public.write(Vec::new())? == read("v10/vectors.key"));
    assert_eq!(client.decrypt(&public.encrypt(&[3, 5])?)?, [3, 5]);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_10() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v6/client.key"))?;
    write("v10/vectors.key", &client.public_key()?.write(Vec::new())?);
    Ok(())
}
