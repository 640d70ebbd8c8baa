//! A neural network on encrypted hand-written digits: `cargo run --release -p bootes --example digits`.
//!
//! The client has images, the server has a network; the server learns nothing about the images, and the client nothing but
//! ten scores for each. Data and training are in `examples/digits`.
#[path = "../common/mod.rs"]
mod common;
mod model;

use bootes::{Ciphertexts, Client, Server, ServerKey};
use common::{Line, Options};
use model::{Network, NetworkServer, best, signed};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    common::exit(run())
}

/// Whether the encrypted and the plain network give the same scores on every row.
fn run() -> Result<bool, Box<dyn std::error::Error>> {
    let network = Network::load()?;
    let test_images = network.test_images();
    let options = Options::parse(20, test_images.len(), network.sum_bits)?;

    let client = Client::generate(&options.params)?;
    let server_key = client.server_key()?.write(Vec::new())?;
    let server = Server::builder(ServerKey::read(&server_key[..])?).threads(options.threads).build()?;
    let server = NetworkServer::new(server, &network)?;

    let (mut sent, mut received, mut time) = (0, 0, Duration::ZERO);
    let mut encrypted: Vec<Vec<i64>> = Vec::new();
    for (done, image) in test_images.iter().take(options.rows).enumerate() {
        common::progress("images:", done, options.rows);
        // Client: encrypts the pixels.
        let request = client.encrypt_bits(network.quantise(image), network.sum_bits)?.write(Vec::new())?;
        // Server: from bytes to bytes, without a secret.
        let start = Instant::now();
        let reply = server.scores(&Ciphertexts::read(&request[..])?)?.write(Vec::new())?;
        time += start.elapsed();
        // Client: decrypts the scores.
        let results = Ciphertexts::read(&reply[..])?;
        let scores = client.decrypt_residues(&results)?;
        encrypted.push(scores.into_iter().map(|score| signed(score, results.space().bits())).collect());
        sent += request.len();
        received += reply.len();
    }
    common::progress("images:", options.rows, options.rows);

    let plain: Vec<Vec<i64>> = test_images.iter().map(|image| network.scores(&network.quantise(image))).collect();
    let labels: Vec<usize> = test_images.iter().map(|image| image.digit).collect();
    let digits = |scores: &[Vec<i64>]| scores.iter().map(|scores| best(scores)).collect::<Vec<_>>();
    println!("Digits: a 64-30-10 network on encrypted 8x8 images, parameter set {}", options.params.name());
    common::print_accuracies(&[
        Line::count("encrypted", &digits(&encrypted), &labels[..options.rows]),
        Line::count("quantised, in plain, same", &digits(&plain[..options.rows]), &labels[..options.rows]),
        Line::count("quantised, in plain, all", &digits(&plain), &labels),
        Line::recorded("float, in plain, all", network.float_test_accuracy, labels.len()),
    ]);
    common::print_costs(server_key.len(), sent, received, options.rows, time, options.threads);

    let differing: Vec<usize> = (0..options.rows).filter(|&i| encrypted[i] != plain[i]).collect();
    for &i in &differing {
        eprintln!("row {}: encrypted {:?}, in plain {:?}", network.test_rows[i], encrypted[i], plain[i]);
    }
    println!("\nencrypted scores = quantised scores on {} of {} rows", options.rows - differing.len(), options.rows);
    Ok(differing.is_empty())
}
