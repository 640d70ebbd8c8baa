//! Uniform residues: statistics, range, and the values pinned.

use bootes_ring::modulus::Modulus;
use bootes_ring::primes;
use bootes_ring::sample::{MaskSeed, MaskStream};
use bootes_testkit::{chi_square_p_value, chi_square_uniform_p_value, correlation, seed_bytes};

fn stream(index: u64) -> MaskStream {
    MaskStream::new(&MaskSeed::from_bytes(seed_bytes("residues", index)), index)
}

fn residues(index: u64, count: usize, modulus: Modulus) -> Vec<f64> {
    let mut residues = vec![f64::NAN; count];
    stream(index).fill_residues(&mut residues, modulus);
    let half = (modulus.value() / 2) as f64;
    assert!(residues.iter().all(|x| x.fract() == 0.0 && x.abs() <= half));
    residues
}

fn largest() -> Modulus {
    primes::below(1 << 50, 1 << 16).next().unwrap()
}

#[test]
fn residues_are_uniform() {
    for p in [3, 5, 97, 257] {
        let modulus = Modulus::new(p).unwrap();
        let mut counts = vec![0u64; p as usize];
        for x in residues(p, 500_000, modulus) {
            counts[modulus.unbalance(x) as usize] += 1;
        }
        assert!(chi_square_uniform_p_value(&counts) > 1e-6, "{p}: {counts:?}");
    }
    let (p, bins) = (largest(), 1000u64);
    let (mut high, mut low) = (vec![0u64; bins as usize], vec![0u64; 256]);
    let sample = residues(1, 1_000_000, p);
    for &x in &sample {
        let word = p.unbalance(x);
        high[(u128::from(word) * u128::from(bins) / u128::from(p.value())) as usize] += 1;
        low[(word & 255) as usize] += 1;
    }
    assert!(chi_square_p_value(&high, &vec![1e6 / bins as f64; bins as usize]) > 1e-6);
    assert!(chi_square_uniform_p_value(&low) > 1e-6);
    assert!(correlation(&sample[1..], &sample[..sample.len() - 1]).abs() < 0.005);
}

/// The definition, word by word: also where words are passed over, and however the calls divide the residues.
#[test]
fn residues_follow_the_words() {
    let (p, count) = (largest(), 600_000);
    let mut words = vec![0u64; count];
    stream(2).fill_u64(&mut words);
    let least = ((1u128 << 64) % u128::from(p.value())) as u64;
    let kept = words.iter().map(|&word| u128::from(word) * u128::from(p.value())).filter(|&x| x as u64 >= least);
    let expected: Vec<f64> = kept.map(|x| (x >> 64) as f64 - (p.value() / 2) as f64).collect();
    let refused = count - expected.len();
    let mean = count as f64 * least as f64 / 2f64.powi(64);
    assert!((refused as f64 - mean).abs() < 6.0 * mean.sqrt() + 1.0, "{refused} words refused, {mean} expected");
    assert_eq!(residues(2, expected.len(), p), expected);
    let (mut parts, mut start, mut step) = (vec![0.0; expected.len()], 0, 1);
    let mut stream = stream(2);
    while start < parts.len() {
        let end = parts.len().min(start + step);
        stream.fill_residues(&mut parts[start..end], p);
        (start, step) = (end, step * 3 / 2 + 1);
    }
    assert_eq!(parts, expected);
}

/// Stored keys depend on these values. They may never change.
#[test]
fn residues_are_stable() {
    let seed = MaskSeed::from_bytes(core::array::from_fn(|i| i as u8));
    let digest = |p: Modulus| {
        let mut residues = vec![0.0; 100_000];
        MaskStream::new(&seed, 7).fill_residues(&mut residues, p);
        let hash = residues
            .iter()
            .fold(0u64, |hash, &x| (hash.rotate_left(5) ^ x as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        format!("{:?} {hash:x}", &residues[..3])
    };
    assert_eq!(digest(Modulus::new(97).unwrap()), "[-29.0, 45.0, 21.0] ac44f6e1762f12fe");
    assert_eq!(digest(largest()), "[-339871773040680.0, 526029494348797.0, 240148187229861.0] c3e00da0d7071bad");
}
