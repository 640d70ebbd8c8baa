//! Our side: AES of the example, and a random table.
#[path = "../../../../crates/bootes/examples/aes/cipher.rs"]
#[expect(dead_code, reason = "what else the example prints")]
mod cipher;
#[expect(dead_code, reason = "what else the example prints")]
#[path = "../../../../crates/bootes/examples/aes/encrypted.rs"]
mod encrypted;

use crate::Ours;
use crate::clock::{Times, time};
use crate::tables::SplitMix;
use bootes::{Client, Engine, FailureTarget, Lut, Params, Server};
use cipher::{F51_KEY, block, encrypt, round_keys};
use encrypted::{Cipher, decrypt, encrypt_key};
use serde_json::json;

/// Values of one evaluation of a table.
const BATCH: usize = 16;

fn text(error: bootes::Error) -> String {
    error.to_string()
}

/// A random block.
pub fn random_block(random: &mut SplitMix) -> [u8; 16] {
    std::array::from_fn(|_| random.below(256) as u8)
}

/// One block of AES-128 under encrypted keys of all rounds.
pub fn aes() -> Result<Ours, String> {
    let params = Params::named("fhew_bits_2m128").map_err(text)?;
    let client = Client::generate(&params).map_err(text)?;
    let key = client.server_key().map_err(text)?;
    let stored_bytes = key.stored_bytes();
    let server = Server::builder(key).threads(1).build().map_err(text)?;
    let mut cipher = Cipher { server, plans: Vec::new() };
    let keys = round_keys(block(F51_KEY));
    let encrypted =
        keys.iter().map(|&key| encrypt_key(&client, key, 1)).collect::<Result<Vec<_>, _>>().map_err(text)?;
    // The plans, without which nothing is told of them.
    cipher.stream(&[[0; 16]], &encrypted).map_err(text)?;
    let told = json!({
        "batch": 1,
        "params": params.name(),
        "algorithm": "bit-tree",
        "rotations": 40 * cipher.plans[0].rotations().unwrap_or(0),
        "log2_p_fail": cipher.log2_p_fail(),
        "server_key_bytes": stored_bytes,
    });
    let run = move |random: &mut SplitMix| {
        let counter = random_block(random);
        let (stream, times) = time(|| cipher.stream(&[counter], &encrypted));
        let found = decrypt(&client, &stream.map_err(text)?).map_err(text)?[0];
        let expected = encrypt(&keys, counter);
        if found == expected { Ok(times) } else { Err(format!("found {found:?}, expected {expected:?}")) }
    };
    Ok((Box::new(run), told))
}

/// A random table of so many bits on a value of a batch.
pub fn table(bits: u32) -> Result<Ours, String> {
    let params = Params::on(Engine::Fhew, 1 << bits, FailureTarget::Two128).map_err(text)?;
    let client = Client::generate(&params).map_err(text)?;
    let key = client.server_key().map_err(text)?;
    let stored_bytes = key.stored_bytes();
    let server = Server::builder(key).threads(1).build().map_err(text)?;
    let mut entries = SplitMix(u64::from(bits));
    let table: Vec<u64> = (0..1u64 << bits).map(|_| entries.below(1 << bits)).collect();
    let lut = Lut::new(table.clone(), bits).map_err(|e| e.to_string())?;
    let fresh = client.encrypt_modulo(&[0], 1 << bits).map_err(text)?;
    let plan = server.plan(&lut, &fresh).map_err(text)?;
    let told = json!({
        "batch": BATCH,
        "params": params.name(),
        "algorithm": plan.algorithms().concat(),
        "rotations": plan.rotations(),
        "log2_p_fail": plan.log2_p_fail(),
        "server_key_bytes": stored_bytes,
    });
    let run = move |random: &mut SplitMix| {
        let values: Vec<u64> = (0..BATCH).map(|_| random.below(1 << bits)).collect();
        let inputs = client.encrypt_modulo(&values, 1 << bits).map_err(text)?;
        let (outputs, all) = time(|| server.run(&plan, &inputs));
        let found = client.decrypt(&outputs.map_err(text)?[0]).map_err(text)?;
        let expected: Vec<i64> = values.iter().map(|&v| table[v as usize] as i64).collect();
        if found != expected {
            return Err(format!("found {found:?} for {values:?}, expected {expected:?}"));
        }
        Ok(Times { cpu: all.cpu / BATCH as f64, wall: all.wall / BATCH as f64 })
    };
    Ok((Box::new(run), told))
}
