//! Stored bytes of the files of this engine, as those of the other (`fhew::tests::corpus`).
use crate::ckks::{Ciphertexts, Client, Server, ServerKey, by_name};
use crate::fhew::tests::corpus::{RANDOMNESS, SEED, read, write};
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

/// Length, header and checksum.
fn ends(key: &[u8]) -> Vec<u8> {
    [&(key.len() as u64).to_le_bytes(), &key[..51], &key[key.len() - 16..]].concat()
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
    let again = server.evaluate(&table()?, &fresh, 1, |_| ())?;
    // What is known of the error is more than it was.
    assert!(again.parts() == stored.parts() && stored.error().is_within(again.error()), "an evaluation changed");
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus() -> Result<(), Error> {
    let client = Client::from_seed(&by_name("toy_batch_4bit")?, SEED);
    let (key, fresh) = (server_key(&client)?, client.encrypt(&values(), 11)?);
    let server = Server::new(ServerKey::read(&key[..])?, None)?;
    write("v3/client.key", &client.export_secret_bytes());
    write("v3/fresh.ct", &fresh.write(Vec::new())?);
    write("v3/result.ct", &server.evaluate(&table()?, &fresh, 1, |_| ())?.write(Vec::new())?);
    write("v3/server.key.ends", &ends(&key));
    Ok(())
}
