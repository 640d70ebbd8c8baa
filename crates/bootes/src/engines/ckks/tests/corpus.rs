//! Stored bytes of the files of this engine, as those of the other (`fhew::tests::corpus`).
use crate::ckks::{Ciphertexts, Client, EncryptedTable, Params, PublicKey, Server, ServerKey};
use crate::engines::*;
use crate::fhew::tests::corpus::{RANDOMNESS, SEED, ends, read, write};
use crate::{Error, Lut};

fn server_key(client: &Client) -> Result<Vec<u8>, Error> {
    client.server_key_with_randomness(RANDOMNESS)?.write(Vec::new())
}

fn values() -> Vec<u64> {
    (0..100).map(|i| i * i % 11).collect()
}

fn table() -> Result<Lut, Error> {
    Ok(Lut::modular((0..11).map(|x| (7 * x + 2) % 11).collect(), 11)?)
}

#[test]
fn files_of_version_3_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v3/client.key"))?;
    let fresh = Ciphertexts::read(&read("v3/fresh.ct")[..])?;
    assert_eq!(client.decrypt(&fresh)?, values());
    let stored = Ciphertexts::read(&read("v3/result.ct")[..])?;
    let expected: Vec<u64> = values().iter().map(|x| (7 * x + 2) % 11).collect();
    assert_eq!(client.decrypt(&stored)?, expected);
    let key = server_key(&client)?;
    assert!(ends(&key) == read("v3/server.key.ends"), "the samplers, the derivation of keys or their layout changed");
    let server = Server::new(ServerKey::read(&key[..])?, None)?;
    let again = server.evaluate(&table()?, &fresh, 1, drop)?;
    // What is known of the error is more than it was.
    assert!(again.parts() == stored.parts() && stored.error().is_within(again.error()), "an evaluation changed");
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_batch_4bit")?, SEED);
    let (key, fresh) = (server_key(&client)?, client.encrypt_modulo(&signed(&values()), 11)?);
    let server = Server::new(ServerKey::read(&key[..])?, None)?;
    write("v3/client.key", &client.export_secret_bytes());
    write("v3/fresh.ct", &fresh.write(Vec::new())?);
    write("v3/result.ct", &server.evaluate(&table()?, &fresh, 1, drop)?.write(Vec::new())?);
    write("v3/server.key.ends", &ends(&key));
    Ok(())
}

const INTEGERS: [i128; 5] = [-32_768, -1, 0, 77, 32_767];

/// More than a ciphertext holds.
fn many() -> Vec<u64> {
    (0..1030).map(|i| i * 7 % 16).collect()
}

/// Version 5: integers and encrypted tables; version 8: several ciphertexts.
#[test]
fn files_of_versions_5_and_8_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v5/client.key"))?;
    let integers = Ciphertexts::read(&read("v5/two_limbs.ct")[..])?;
    assert_eq!((client.decrypt_integers(&integers)?, integers.space().limbs()), (INTEGERS.to_vec(), 2));
    let client = Client::from_bytes(&read("v3/client.key"))?;
    let several = Ciphertexts::read(&read("v8/several.ct")[..])?;
    assert_eq!((client.decrypt(&several)?, several.ciphertexts()), (many(), 2));
    let table = EncryptedTable::read_within(None, &read("v5/table")[..])?;
    let server = Server::new(ServerKey::read(&server_key(&client)?[..])?, None)?;
    let x = client.encrypt_modulo(&[1, 0, 1], 2)?;
    let results = server.evaluate_plan(&server.plan_encrypted(&table, &x)?, &x, 1, drop)?;
    assert_eq!(client.decrypt(&results[0])?, [3, 5, 3]);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_versions_5_and_8() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_batch_integers")?, SEED);
    write("v5/client.key", &client.export_secret_bytes());
    let range = Interval::signed(16);
    write("v5/two_limbs.ct", &client.encrypt_within(&INTEGERS, range, 16)?.write(Vec::new())?);
    let client = Client::from_bytes(&read("v3/client.key"))?;
    write("v8/several.ct", &client.encrypt_modulo(&signed(&many()), 16)?.write(Vec::new())?);
    write("v5/table", &client.encrypt_table(&Lut::modular(vec![5, 3], 16)?)?.write(Vec::new())?);
    Ok(())
}

/// Version 10: public keys.
#[test]
fn files_of_version_10_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v3/client.key"))?;
    let public = PublicKey::read_within(None, &read("v10/batch.key")[..])?;
    assert!(public.key_id() == client.key_id() && public.write(Vec::new())? == read("v10/batch.key"));
    assert_eq!(client.decrypt(&public.encrypt(&[3, 5])?)?, [3, 5]);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_10() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v3/client.key"))?;
    write("v10/batch.key", &client.public_key()?.write(Vec::new())?);
    Ok(())
}
