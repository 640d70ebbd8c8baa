//! AES-128 on encrypted bits, and transciphering: `cargo run --release -p bootes --example aes`, and with sixteen
//! blocks `… -- fhew_bits_2m128 16` (two minutes).
//!
//! A client that sends much would send ciphertexts that are hundreds of times as long as its data. It encrypts by AES
//! in counter mode instead, and gives the server its key's bits encrypted once. The server makes the key stream from
//! them, counters being public, and takes it away from what it was sent: what is left are ciphertexts of the data.
mod cipher;
mod encrypted;

use bootes::{Client, Lut, Params, Server};
use cipher::{F51_COUNTER, F51_DATA, F51_KEY, F51_SENT, block, bytes, counters, encrypt, round_keys};
use encrypted::{Cipher, decrypt, encrypt_key, message_of, xor_public};
use std::time::Instant;

/// Seconds of all threads of this process, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    Some(fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0)
}

/// Wall and CPU seconds since then.
struct Watch(Instant, Option<f64>);

impl Watch {
    fn start() -> Self {
        Self(Instant::now(), cpu_seconds())
    }

    /// Wall and CPU time of each of so many.
    fn told(&self, what: &str, count: usize) -> String {
        let cpu = self.1.zip(cpu_seconds()).map(|(start, end)| format!(", {:.2} s CPU", (end - start) / count as f64));
        format!("{:.2} s a {what}{}", self.0.elapsed().as_secs_f64() / count as f64, cpu.unwrap_or_default())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let set = arguments.next().unwrap_or_else(|| "fhew_bits_2m128".into());
    let blocks: usize = arguments.next().map_or(Ok(4), |blocks| blocks.parse())?;

    let client = Client::generate(&Params::named(&set)?)?;
    let server = Server::builder(client.server_key()?).threads(1).build()?;
    let mut cipher = Cipher { server, plans: Vec::new() };

    // FIPS 197, appendix C.1.
    let keys = round_keys(block("000102030405060708090a0b0c0d0e0f"));
    let plain = block("00112233445566778899aabbccddeeff");
    assert_eq!(encrypt(&keys, plain), block("69c4e0d86a7b0430d8cdb78070b4c55a"));
    let encrypted = keys.iter().map(|&key| encrypt_key(&client, key, 1)).collect::<Result<Vec<_>, _>>()?;
    let found = cipher.stream(&[plain], &encrypted)?;
    assert_eq!(decrypt(&client, &found)?, [encrypt(&keys, plain)]);
    println!("FIPS 197, C.1: right");
    let of_column = cipher.plans.iter().map(|plan| plan.rotations().unwrap_or(0)).max().unwrap_or(0);
    let (rotations, log2_p_fail) = (40 * of_column, cipher.log2_p_fail());
    println!("a block: {rotations} rotations, predicted failure of all its rotations and bits 2^{log2_p_fail:.0}");
    let watch = Watch::start();
    cipher.stream(&[plain], &encrypted)?;
    println!("one block: {} on one thread", watch.told("block", 1));

    // SP 800-38A, F.5.1, and blocks after it.
    let keys = round_keys(block(F51_KEY));
    let mut data = bytes(F51_DATA);
    data.resize(16 * blocks, 0x2a);
    let data: Vec<[u8; 16]> = data.chunks_exact(16).map(|chunk| std::array::from_fn(|i| chunk[i])).collect();
    let counters = counters(block(F51_COUNTER), blocks);
    let xor = |(counter, data): (&[u8; 16], &[u8; 16])| {
        let stream = encrypt(&keys, *counter);
        std::array::from_fn(|i| stream[i] ^ data[i])
    };
    let sent: Vec<[u8; 16]> = counters.iter().zip(&data).map(xor).collect();
    assert!(sent.concat().iter().zip(&bytes(F51_SENT)).all(|(sent, known)| sent == known));
    let encrypted = keys.iter().map(|&key| encrypt_key(&client, key, blocks)).collect::<Result<Vec<_>, _>>()?;
    let watch = Watch::start();
    let stream = cipher.stream(&counters, &encrypted)?;
    let received = xor_public(&stream, &sent)?;
    println!("{blocks} blocks transciphered: {} on one thread", watch.told("block", blocks));
    assert_eq!(decrypt(&client, &received)?, data);
    println!("SP 800-38A, F.5.1: right");

    // Bytes of the first row, for any table: here x² modulo 256.
    if cipher.server.params().bits() >= 8 {
        let watch = Watch::start();
        let bytes = message_of(&cipher.server, &received[0])?;
        let square = Lut::modular((0..256).map(|x| x * x % 256).collect(), 256)?;
        let found = client.decrypt_residues(&cipher.server.evaluate(&square, &bytes)?)?;
        let of_row = (0..4).flat_map(|column| data.iter().map(move |block| u64::from(block[4 * column])));
        assert!(found.into_iter().eq(of_row.map(|x| x * x % 256)));
        println!("a table of {} of the bytes: right, {}", bytes.len(), watch.told("byte", bytes.len()));
    }
    Ok(())
}
