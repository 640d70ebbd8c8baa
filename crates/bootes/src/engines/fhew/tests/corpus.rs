//! Stored bytes of every kind of file. A change that breaks them is seen here; then the format begins anew, the
//! changelog says so, and
//!
//! `cargo test -p bootes --lib -- --ignored write_the_corpus`
//!
//! writes them again. Clients are of fixed seeds and server keys of fixed randomness, so that a key that is made again
//! is the stored one.
use crate::engines::*;
use crate::fhew::{Ciphertexts, Client, Params, PublicKey, Server, ServerKey};
use crate::{Error, IntegerLimbs, Integers, KeyNeeds, Lut, Space};
use std::path::{Path, PathBuf};

/// The seed of clients.
pub(crate) const SEED: &[u8; 32] = b"a corpus of old bytes: the seeds";
/// The randomness of server keys.
pub(crate) const RANDOMNESS: &[u8; 32] = b"a corpus of old bytes: its noise";

const PRESENT: [u64; 16] = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2];
const LONG: [i128; 5] = [-2_147_483_648, -1, 0, 65_536, 2_147_483_647];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

pub(crate) fn read(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn write(name: &str, bytes: &[u8]) {
    std::fs::create_dir_all(path(name).parent().expect("a directory")).expect("a directory");
    std::fs::write(path(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// Length, header and checksum of a long key.
pub(crate) fn ends(key: &[u8]) -> Vec<u8> {
    [&(key.len() as u64).to_le_bytes(), &key[..51], &key[key.len() - 16..]].concat()
}

fn server_key(client: &Client) -> Result<Vec<u8>, Error> {
    Ok(client.server_key_with_randomness(&KeyNeeds::default(), RANDOMNESS)?.to_bytes())
}

fn table() -> Result<Lut, Error> {
    Ok(Lut::modular(PRESENT.to_vec(), 16)?)
}

#[test]
fn files_of_version_1_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let key = read("v1/server.key");
    assert!(server_key(&client)? == key, "the samplers, the derivation of keys or their layout changed");
    let fresh = Ciphertexts::from_bytes(&read("v1/fresh.ct"))?;
    assert_eq!(client.decrypt(&fresh)?, (0..16).collect::<Vec<_>>());
    let stored = Ciphertexts::from_bytes(&read("v1/result.ct"))?;
    assert_eq!(client.decrypt(&stored)?, PRESENT);
    let results = Server::new(ServerKey::from_bytes(&key)?)?.evaluate(&table()?, &fresh, 1)?;
    assert_eq!(client.decrypt(&results)?, PRESENT);
    Ok(())
}

#[test]
fn files_of_version_2_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v2/client.key"))?;
    let ten = Ciphertexts::from_bytes(&read("v2/modulo_10.ct"))?;
    assert_eq!((ten.space(), client.decrypt(&ten)?), (Space::Modular(10), (0..10).collect()));
    let long = Ciphertexts::from_bytes(&read("v2/two_limbs.ct"))?;
    assert_eq!(long.space().integers().map(Integers::limbs), Some(IntegerLimbs::two(16, 16)));
    assert_eq!(client.decrypt_integers(&long)?, LONG);
    Ok(())
}

/// Version 4: slices, and encryptions in another order; and words of 128 bits.
#[test]
fn files_of_version_4_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let slice = Ciphertexts::from_bytes(&read("v4/slice.ct"))?;
    assert_eq!(client.decrypt(&slice)?, (5..11).collect::<Vec<_>>());
    let moved = Ciphertexts::from_bytes(&read("v4/moved.ct"))?;
    assert_eq!(client.decrypt(&moved)?, (0..16).map(|i| (i + 8) % 16).collect::<Vec<_>>());
    let sum = moved.add(&Ciphertexts::from_bytes(&read("v1/result.ct"))?)?;
    assert!(moved.origin().moved && sum.origin().moved && !slice.origin().moved);
    let wide = Client::from_bytes(&read("v4/wide.key"))?;
    let fresh = Ciphertexts::from_bytes(&read("v4/wide.ct"))?;
    assert_eq!(wide.decrypt(&fresh)?, [3, 1, 4, 1, 5, 9, 2, 6]);
    let product = Ciphertexts::from_bytes(&read("v4/wide_product.ct"))?;
    assert_eq!(wide.decrypt(&product)?, [3, 1, 4, 1, 5, 9, 2, 6].map(|x| x * 7 % 16));
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_4_binary")?, SEED);
    let (key, fresh) = (server_key(&client)?, client.encrypt(&(0..16).collect::<Vec<_>>())?);
    write("v1/client.key", &client.export_secret_bytes());
    write("v1/server.key", &key);
    write("v1/fresh.ct", &fresh.to_bytes());
    write("v1/result.ct", &Server::new(ServerKey::from_bytes(&key)?)?.evaluate(&table()?, &fresh, 1)?.to_bytes());

    let client = Client::from_seed(&Params::by_name("toy_int16")?, SEED);
    write("v2/client.key", &client.export_secret_bytes());
    write("v2/modulo_10.ct", &client.encrypt_modulo(&(0..10).collect::<Vec<_>>(), 10)?.to_bytes());
    write("v2/two_limbs.ct", &client.encrypt_integers(&LONG, 32)?.to_bytes());
    Ok(())
}

/// Version 7: fresh ciphertexts of several seeds.
#[test]
fn files_of_version_7_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let seeds = Ciphertexts::from_bytes(&read("v7/seeds.ct"))?;
    assert_eq!(client.decrypt(&seeds)?, [5, 6, 7, 8, 9, 10, 7, 7, 9]);
    assert!(seeds.to_bytes() == read("v7/seeds.ct"));
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_7() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let slice = Ciphertexts::from_bytes(&read("v1/fresh.ct"))?.slice(5..11)?;
    write("v7/seeds.ct", &Ciphertexts::concat(&[&slice, &client.encrypt(&[7, 7, 9])?])?.to_bytes());
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_4() -> Result<(), Error> {
    let fresh = Ciphertexts::from_bytes(&read("v1/fresh.ct"))?;
    write("v4/slice.ct", &fresh.slice(5..11)?.to_bytes());
    let halves = [fresh.slice(8..)?.mul_small(-1)?.mul_small(-1)?, fresh.slice(..8)?];
    write("v4/moved.ct", &Ciphertexts::concat(&[&halves[0], &halves[1]])?.to_bytes());
    let wide = Client::from_seed(&Params::by_name("toy_wide_4")?, SEED);
    let fresh = wide.encrypt(&[3, 1, 4, 1, 5, 9, 2, 6])?;
    write("v4/wide.key", &wide.export_secret_bytes());
    write("v4/wide.ct", &fresh.to_bytes());
    write("v4/wide_product.ct", &fresh.mul_small(7)?.to_bytes());
    Ok(())
}

/// Version 9: compressed ciphertexts.
#[test]
fn files_of_version_9_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let compressed = Ciphertexts::from_bytes(&read("v9/compressed.ct"))?;
    assert_eq!(client.decrypt(&compressed)?, PRESENT);
    assert!(compressed.to_bytes() == read("v9/compressed.ct"));
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_9() -> Result<(), Error> {
    let client = crate::Client::from_bytes(&read("v1/client.key"))?;
    let server = crate::Server::new(client.server_key_builder().compression().build()?)?;
    write("v9/compressed.ct", &server.compress(&crate::Ciphertexts::from_bytes(&read("v1/result.ct"))?)?.to_bytes()?);
    Ok(())
}

/// Version 10: public keys, and what is encrypted by them.
#[test]
fn files_of_version_10_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let public = PublicKey::read_within(None, &read("v10/public.key")[..])?;
    assert!(public.key_id() == client.key_id() && public.write(Vec::new())? == read("v10/public.key"));
    let again = PublicKey::new(client.set(), client.keys.public_key_with_randomness_for_tests(RANDOMNESS)?);
    assert!(again.write(Vec::new())? == read("v10/public.key"), "the samplers or the derivation of keys changed");
    let list = Ciphertexts::from_bytes(&read("v10/public.ct"))?;
    assert_eq!(client.decrypt(&list)?, PRESENT);
    assert!(list.to_bytes() == read("v10/public.ct"));
    assert_eq!(client.decrypt(&public.encrypt(&[3])?)?, [3]);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_10() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v1/client.key"))?;
    let public = PublicKey::new(client.set(), client.keys.public_key_with_randomness_for_tests(RANDOMNESS)?);
    write("v10/public.key", &public.write(Vec::new())?);
    write("v10/public.ct", &public.encrypt(&signed(&PRESENT))?.to_bytes());
    Ok(())
}

/// Version 14: residues that are kept as integers, and sums of such.
#[test]
fn files_of_version_14_are_still_read() -> Result<(), Error> {
    let client = Client::from_bytes(&read("v2/client.key"))?;
    for (name, expected) in [("v14/modulo_1000.ct", [0, 7, 999]), ("v14/sum.ct", [0, 14, 998])] {
        let x = Ciphertexts::from_bytes(&read(name))?;
        assert_eq!((x.space().modulus(), client.decrypt(&x)?), (Some(1000), expected.to_vec()));
        assert!(x.to_bytes() == read(name));
    }
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_14() -> Result<(), Error> {
    let x = Client::from_bytes(&read("v2/client.key"))?.encrypt_modulo(&[0, 7, 999], 1000)?;
    write("v14/modulo_1000.ct", &x.to_bytes());
    write("v14/sum.ct", &x.add(&x)?.to_bytes());
    Ok(())
}

/// Version 12: the encrypted key of AES, and what AES made.
#[test]
fn files_of_version_12_are_still_read() -> Result<(), Error> {
    let client = crate::Client::from_bytes(&read("v12/client.key"))?;
    let key = crate::EncryptedSymmetricKey::from_bytes(&read("v12/symmetric.key"))?;
    assert!(key.key_id() == client.key_id() && key.id() == client.symmetric_key().id());
    assert!(key.to_bytes()? == read("v12/symmetric.key"));
    let sent = crate::SymmetricCiphertexts::from_bytes(&read("v12/sent.aes"))?;
    assert!(sent.to_bytes()? == read("v12/sent.aes"));
    let found = crate::Server::new(client.server_key()?)?.transcipher(&sent, &key)?;
    assert_eq!(client.decrypt_residues(&found)?, PRESENT[..5]);
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_12() -> Result<(), Error> {
    let client = crate::Client::from_seed(&crate::Params::named("toy_bits")?, SEED);
    let symmetric = client.symmetric_key();
    write("v12/client.key", &client.export_secret_bytes());
    write("v12/symmetric.key", &client.encrypt_symmetric_key(&symmetric)?.to_bytes()?);
    write("v12/sent.aes", &client.encrypt_symmetric(&symmetric, &PRESENT[..5])?.to_bytes()?);
    Ok(())
}
