//! AES-128 on encrypted bits, a block alone and of a batch in counter mode, by turns with the `tfhe` crate's bootstrap,
//! by turns: so many bootstraps a block takes.
#[path = "../../../../crates/bootes/examples/aes/cipher.rs"]
#[expect(dead_code, reason = "what else the example prints")]
mod cipher;
#[expect(dead_code, reason = "what else the example prints")]
#[path = "../../../../crates/bootes/examples/aes/encrypted.rs"]
mod encrypted;

use crate::clock::{median, time};
use crate::tables::{Peer, SplitMix};
use bootes::{Client, Params, Server};
use cipher::{F51_COUNTER, F51_KEY, block, counters, encrypt, round_keys};
use encrypted::{Cipher, decrypt, encrypt_key};
use serde_json::{Value, json};

/// One block alone, and sixteen.
pub const NAMES: [&str; 2] = ["aes", "aes-16"];

/// Bootstraps that a block takes at most, and should take.
const TARGETS: [f64; 2] = [450.0, 250.0];

/// Measures a row: `runs` rounds of peer, ours, peer.
pub fn measure(name: &str, peer: &Peer, runs: usize) -> Result<Value, String> {
    let message = |e: bootes::Error| format!("row {name}: {e}");
    let blocks = if name == NAMES[0] { 1 } else { 16 };
    let params = Params::named("fhew_bits_2m128").map_err(message)?;
    let client = Client::generate(&params).map_err(message)?;
    let key = client.server_key().map_err(message)?;
    let stored_bytes = key.stored_bytes();
    let server = Server::builder(key).threads(1).build().map_err(message)?;
    let mut cipher = Cipher { server, plans: Vec::new() };
    let (keys, counters) = (round_keys(block(F51_KEY)), counters(block(F51_COUNTER), blocks));
    let of_round = |&key: &[u8; 16]| encrypt_key(&client, key, blocks);
    let encrypted = keys.iter().map(of_round).collect::<Result<Vec<_>, _>>().map_err(message)?;
    let expected: Vec<[u8; 16]> = counters.iter().map(|&counter| encrypt(&keys, counter)).collect();

    let (mut rounds, mut random) = (Vec::with_capacity(runs), SplitMix(0));
    // The first round plans, and does not count.
    for round in 0..=runs {
        let before = peer.run(&mut random)?;
        let (stream, ours) = time(|| cipher.stream(&counters, &encrypted));
        let after = peer.run(&mut random)?;
        if decrypt(&client, &stream.map_err(message)?).map_err(message)? != expected {
            return Err(format!("row {name}: the key stream is wrong"));
        }
        if round > 0 {
            let (value, bootstrap) = (1e3 / blocks as f64, 1e3 / Peer::BOOTSTRAPS as f64 / 2.0);
            let theirs = [before.cpu + after.cpu, before.wall + after.wall].map(|seconds| seconds * bootstrap);
            rounds.push([ours.cpu * value, ours.wall * value, theirs[0], theirs[1]]);
        }
    }
    let column = |i: usize| median(rounds.iter().map(|round| round[i]));
    let ratios: Vec<f64> = rounds.iter().map(|round| round[0] / round[2]).collect();
    let ratio = median(ratios.iter().copied());
    Ok(json!({
        "row": name,
        "ours_ms": column(0),
        "peer_ms": column(2),
        "ratio": ratio,
        "ratio_min": ratios.iter().copied().fold(f64::INFINITY, f64::min),
        "ratio_max": ratios.iter().copied().fold(0.0, f64::max),
        "ratio_wall": median(rounds.iter().map(|round| round[1] / round[3])),
        "ours_cpu_ms": column(0),
        "ours_wall_ms": column(1),
        "peer_cpu_ms": column(2),
        "peer_wall_ms": column(3),
        "runs": runs,
        "batch": blocks,
        "params": params.name(),
        "algorithm": "bit-tree",
        "rotations": 40 * cipher.plans[0].rotations().unwrap_or(0),
        "log2_p_fail": cipher.log2_p_fail(),
        "server_key_bytes": stored_bytes,
        "target_ratio": TARGETS[0],
        "aim_ratio": TARGETS[1],
        "meets_target": ratio <= TARGETS[0],
        "correct": true,
        "peer": "tfhe 1.8.2, 2_2 KS_PBS_GAUSSIAN_2M128",
        "isa": bootes::isa().to_string(),
    }))
}
