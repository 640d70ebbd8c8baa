//! A table that the server does not know: `cargo run --release -p bootes --example encrypted_table`.
//!
//! A client keeps its scoring rule and its data on somebody else's machine, both encrypted under its key; the
//! server learns how many entries the rule has, and how many values there are.
#[path = "../common/ckks.rs"]
mod ckks;

use bootes::{EncryptedTable, Lut};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let ckks::Sides { client, server } = ckks::Sides::parse("toy_batch_6bit", "batch_8bit")?;
    let p = 1u64 << server.params().bits().min(8);
    // Before anything is made.
    println!("a table of {p} entries takes {} MB", EncryptedTable::predicted_bytes(&server.params(), p, None)? >> 20);
    let rule = Lut::modular((0..p).map(|x| x * (x + 3) / 5 % p).collect(), p)?;
    let file = client.encrypt_table(&rule)?.write(Vec::new())?;
    let values: Vec<u64> = (0..1000).map(|i| i * 37 % p).collect();
    let encrypted = client.encrypt_modulo(&values, p)?;

    // The server: from bytes.
    let plan = server.plan(EncryptedTable::read(&file[..])?, &encrypted)?;
    println!("{plan}");
    let start = Instant::now();
    let scores = server.run(&plan, &encrypted)?.remove(0);

    let expected: Vec<u64> = values.iter().map(|&x| rule.values()[x as usize]).collect();
    ckks::compare("scores", &client.decrypt_residues(&scores)?, &expected, start)
}
