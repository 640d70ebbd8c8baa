//! How fast the streams are. Run with `cargo test --release -p bootes-ring --test sampling_throughput -- --ignored --nocapture`.

use std::time::Instant;

use bootes_ring::primes;
use bootes_ring::sample::{KeyDistribution, MaskSeed, MaskStream, NoiseStream, SecretSeed};

/// The least time of a few runs, in seconds.
fn least_time(mut run: impl FnMut()) -> f64 {
    (0..7)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn throughput() {
    let seed = MaskSeed::from_bytes([1; 32]);
    for row in [128, 512, 2048, 1 << 20] {
        let mut words = vec![0u64; 1 << 21];
        let seconds = least_time(|| {
            for (i, row) in words.chunks_mut(row).enumerate() {
                MaskStream::new(&seed, i as u64).fill_u64(row);
            }
        });
        println!("MaskStream::fill_u64, rows of {row}: {:.2} GB/s", 8.0 * words.len() as f64 / seconds / 1e9);
    }
    let mut halves = vec![0u32; 1 << 21];
    let seconds = least_time(|| MaskStream::new(&seed, 0).fill_u32(&mut halves));
    println!("MaskStream::fill_u32: {:.2} GB/s", 4.0 * halves.len() as f64 / seconds / 1e9);
    for p in primes::below(1 << 50, 1 << 16).take(1).chain(primes::below(1 << 30, 1 << 16).take(1)) {
        let mut residues = vec![0.0; 1 << 21];
        let seconds = least_time(|| MaskStream::new(&seed, 0).fill_residues(&mut residues, p));
        println!("MaskStream::fill_residues, {p}: {:.2} GB/s", 8.0 * residues.len() as f64 / seconds / 1e9);
    }
    let secret = SecretSeed::from_bytes(&[2; 32]);
    let mut words = vec![0u64; 1 << 18];
    for log2_std in [-50, -10] {
        let seconds = least_time(|| NoiseStream::new(&secret, 0).add_gaussian_u64(&mut words, 2f64.powi(log2_std)));
        println!("add_gaussian_u64, std 2^{log2_std}: {:.1} ns a value", seconds / words.len() as f64 * 1e9);
    }
    let mut key = vec![0i8; 1 << 16];
    for distribution in [
        KeyDistribution::Binary,
        KeyDistribution::Ternary,
        KeyDistribution::BlockBinary { length: 4 },
        KeyDistribution::SparseTernary { weight: 192 },
    ] {
        let seconds = least_time(|| NoiseStream::new(&secret, 0).fill_key(&mut key, distribution));
        println!("fill_key, {distribution}: {:.1} ns a coefficient", seconds / key.len() as f64 * 1e9);
    }
}
