//! A decision tree on encrypted flowers: `cargo run --release -p bootes --example iris`.
//!
//! The client has flowers, the server has a tree; the server learns nothing about the flowers, and the client nothing but
//! the classes. Data and training are in `examples/iris`.
#[path = "../common/mod.rs"]
mod common;
mod model;

use bootes::{Ciphertexts, Client, Server, ServerKey};
use common::{Line, Options};
use model::{Tree, TreeServer};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    common::exit(run())
}

/// Whether the encrypted and the plain tree agree on every row.
fn run() -> Result<bool, Box<dyn std::error::Error>> {
    let tree = Tree::load()?;
    let test_rows = tree.test_rows.len();
    let options = Options::parse(test_rows, test_rows, tree.bits())?;
    let flowers: Vec<_> = tree.test_flowers().into_iter().take(options.rows).collect();

    // Client: makes keys, and encrypts feature j of all flowers as one vector.
    let client = Client::generate(&options.params)?;
    let server_key = client.server_key()?.write(Vec::new())?;
    let quantised: Vec<Vec<u64>> = flowers.iter().map(|flower| tree.quantise(flower)).collect();
    let request = (0..quantised[0].len())
        .map(|j| {
            let feature: Vec<u64> = quantised.iter().map(|row| row[j]).collect();
            client.encrypt_bits(&feature, tree.feature_bits())?.write(Vec::new())
        })
        .collect::<Result<Vec<_>, bootes::Error>>()?;

    // Server: from bytes to bytes, without a secret.
    let server = Server::builder(ServerKey::read(&server_key[..])?).threads(options.threads).build()?;
    let server = TreeServer::new(server, &tree)?;
    let start = Instant::now();
    let features = request.iter().map(|bytes| Ciphertexts::read(&bytes[..])).collect::<Result<Vec<_>, _>>()?;
    let progress = |done, total| common::progress("tables:", done, total);
    let reply = server.classify(&features, &progress)?.write(Vec::new())?;
    let time = start.elapsed();

    // Client: decrypts the classes.
    let classes = client.decrypt(&Ciphertexts::read(&reply[..])?)?;
    let encrypted: Vec<usize> = classes.into_iter().map(|class| class as usize).collect();

    let plain: Vec<usize> = quantised.iter().map(|row| tree.infer(row)).collect();
    let labels: Vec<usize> = flowers.iter().map(|flower| flower.class).collect();
    println!("Iris: a decision tree on {} encrypted features, parameter set {}", request.len(), options.params.name());
    common::print_accuracies(&[
        Line::count("encrypted", &encrypted, &labels),
        Line::count("quantised, in plain", &plain, &labels),
        Line::recorded("float, in plain", tree.float_test_accuracy, test_rows),
    ]);
    let sent = request.iter().map(Vec::len).sum();
    common::print_costs(server_key.len(), sent, reply.len(), flowers.len(), time, options.threads);

    let differing: Vec<usize> = (0..flowers.len()).filter(|&i| encrypted[i] != plain[i]).collect();
    for &i in &differing {
        let name = |class: usize| tree.classes.get(class).map_or("no class", String::as_str);
        let row = tree.test_rows[i];
        eprintln!("row {row}: encrypted {}, in plain {}", name(encrypted[i]), name(plain[i]));
    }
    println!("\nencrypted = quantised on {} of {} rows", flowers.len() - differing.len(), flowers.len());
    Ok(differing.is_empty())
}
