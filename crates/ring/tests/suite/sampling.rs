//! Sampling as statistics, and the values pinned.

use bootes_ring::sample::{KeyDistribution, MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_testkit::{
    CONFIDENCE, Moments, chi_square_p_value, chi_square_uniform_p_value, clopper_pearson, correlation,
    jarque_bera_p_value, mean_interval, seed_bytes, serial_correlation, special::normal_cdf, variance_interval,
};

fn mask_seed(index: u64) -> MaskSeed {
    MaskSeed::from_bytes(seed_bytes("mask", index))
}

fn secret_seed(index: u64) -> SecretSeed {
    SecretSeed::from_bytes(&seed_bytes("secret", index))
}

/// Noise in units of its standard deviation.
fn gaussian(index: u64, count: usize, log2_std: i32) -> Vec<f64> {
    let mut words = vec![0u64; count];
    NoiseStream::new(&secret_seed(index), 0).add_gaussian_u64(&mut words, 2f64.powi(log2_std - 64));
    words.iter().map(|&w| w as i64 as f64 / 2f64.powi(log2_std)).collect()
}

fn key(index: u64, count: usize, distribution: KeyDistribution) -> Vec<i8> {
    let mut key = vec![0x55; count];
    NoiseStream::new(&secret_seed(index), 0).fill_key(&mut key, distribution);
    key
}

fn small_correlation(found: f64, count: usize) {
    assert!(found.abs() < 4.9 / (count as f64).sqrt(), "{found} for {count}");
}

#[test]
fn mask_is_chacha20() {
    // RFC 8439, appendix A.1, vectors 1 and 2: key 0, nonce 0, blocks 0 and 1.
    let mut words = [0u32; 18];
    MaskStream::new(&MaskSeed::from_bytes([0; 32]), 0).fill_u32(&mut words);
    assert_eq!(&words[..4], [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
    assert_eq!(&words[16..], [0xbee7_079f, 0x7a38_5155]);
    // Vector 5: the nonce's last byte is 2.
    let mut words = [0u32; 4];
    MaskStream::new(&MaskSeed::from_bytes([0; 32]), 2 << 56).fill_u32(&mut words);
    assert_eq!(words, [0x374d_c6c2, 0x3736_d58c, 0xb904_e24a, 0xcd3f_93ef]);
}

#[test]
fn mask_words_do_not_depend_on_the_calls() {
    let mut whole = vec![0u64; 5000];
    MaskStream::new(&mask_seed(0), 7).fill_u64(&mut whole);
    let mut parts = vec![0u64; 5000];
    let mut stream = MaskStream::new(&mask_seed(0), 7);
    let (mut start, mut step) = (0, 1);
    while start < parts.len() {
        let end = parts.len().min(start + step);
        stream.fill_u64(&mut parts[start..end]);
        (start, step) = (end, step * 2 + 1);
    }
    assert_eq!(whole, parts);
    let mut halves = vec![0u32; 10_000];
    MaskStream::new(&mask_seed(0), 7).fill_u32(&mut halves);
    assert!(whole.iter().zip(halves.chunks(2)).all(|(w, h)| *w == u64::from(h[0]) | u64::from(h[1]) << 32));
}

#[test]
fn mask_is_uniform_and_independent() {
    let mut words = vec![0u64; 200_000];
    MaskStream::new(&mask_seed(1), 0).fill_u64(&mut words);
    let mut counts = [[0u64; 256]; 8];
    for word in &words {
        for (counts, byte) in counts.iter_mut().zip(word.to_le_bytes()) {
            counts[usize::from(byte)] += 1;
        }
    }
    for counts in &counts {
        assert!(chi_square_uniform_p_value(counts) > 1e-6);
    }
    let sample: Vec<f64> = words.iter().map(|&w| w as f64).collect();
    for lag in [1, 2, 3, 8, 32, 64, 256, 1024] {
        small_correlation(serial_correlation(&sample, lag), sample.len() - lag);
    }
    // The next stream and the next seed.
    for mut other in [MaskStream::new(&mask_seed(1), 1), MaskStream::new(&mask_seed(2), 0)] {
        let mut others = vec![0u64; words.len()];
        other.fill_u64(&mut others);
        small_correlation(correlation(&sample, &others.iter().map(|&w| w as f64).collect::<Vec<_>>()), words.len());
        let differing: u64 = words.iter().zip(&others).map(|(a, b)| u64::from((a ^ b).count_ones())).sum();
        let (low, high) = clopper_pearson(differing, 64 * words.len() as u64, CONFIDENCE);
        assert!(low <= 0.5 && 0.5 <= high);
    }
}

#[test]
fn gaussian_moments_and_normality() {
    for (index, log2_std) in [4, 12, 38, 40, 41, 47, 54, 58].into_iter().enumerate() {
        let sample = gaussian(index as u64, 100_000, log2_std);
        let m = Moments::of(&sample);
        let (low, high) = mean_interval(&m, CONFIDENCE);
        assert!(low <= 0.0 && 0.0 <= high, "{log2_std}: {m:?}");
        let rounding = 1.0 + 2f64.powi(-2 * log2_std) / 12.0;
        let (low, high) = variance_interval(m.variance, m.count, CONFIDENCE);
        assert!(low <= rounding && rounding <= high, "{log2_std}: {m:?}");
        assert!(jarque_bera_p_value(&sample) > 1e-6, "{log2_std}: {m:?}");
        for lag in [1, 2, 3, 64, 128] {
            small_correlation(serial_correlation(&sample, lag), m.count - lag);
        }
        // The squares must not be correlated either: the pair of a Box–Muller step shares its radius.
        let squares: Vec<f64> = sample.iter().map(|x| x * x).collect();
        small_correlation(serial_correlation(&squares, 1), m.count - 1);
    }
}

#[test]
fn gaussian_cells_and_tails() {
    let count = 4_000_000;
    let sample = gaussian(100, count, 50);
    // Cells of a quarter of the standard deviation, to 4 of them, and the tails.
    let edges: Vec<f64> = (-16..=16).map(|i| f64::from(i) / 4.0).collect();
    let mut observed = vec![0u64; edges.len() + 1];
    for x in &sample {
        observed[edges.partition_point(|edge| edge <= x)] += 1;
    }
    let mut expected = Vec::new();
    let mut last = 0.0;
    for edge in &edges {
        expected.push(count as f64 * (normal_cdf(*edge) - last));
        last = normal_cdf(*edge);
    }
    expected.push(count as f64 * normal_cdf(-edges[edges.len() - 1]));
    assert!(chi_square_p_value(&observed, &expected) > 1e-6);
    for sigmas in [3.0, 4.0, 4.5, 5.0] {
        let seen = sample.iter().filter(|x| x.abs() > sigmas).count() as u64;
        let (low, high) = clopper_pearson(seen, count as u64, CONFIDENCE);
        let expected = 2.0 * normal_cdf(-sigmas);
        assert!(low <= expected && expected <= high, "{sigmas}: {seen}");
    }
}

/// Wide noise must fill the lowest bits: an even noise would make a ciphertext's last bit an equation in the key.
#[test]
fn gaussian_low_bits_are_uniform() {
    for log2_std in [8, 39, 41, 45, 52, 55, 60, 63] {
        let mut words = vec![0u64; 100_000];
        NoiseStream::new(&secret_seed(200), 3).add_gaussian_u64(&mut words, 2f64.powi(log2_std - 64));
        let mut counts = [0u64; 16];
        for word in &words {
            counts[(word & 15) as usize] += 1;
        }
        assert!(chi_square_uniform_p_value(&counts) > 1e-6, "2^{log2_std}: {counts:?}");
        if log2_std > 40 {
            // No bit is decided by its neighbour either.
            for bit in 0..log2_std as u32 - 2 {
                let ones = words.iter().filter(|&&w| ((w >> bit) ^ (w >> (bit + 1))) & 1 == 1).count() as u64;
                let (low, high) = clopper_pearson(ones, words.len() as u64, CONFIDENCE);
                assert!(low <= 0.5 && 0.5 <= high, "2^{log2_std} bit {bit}: {ones}");
            }
        }
    }
}

#[test]
fn gaussian_is_added_and_wraps() {
    let base = [0u64, 5, u64::MAX, 1 << 63, 17];
    let (mut noise, mut words) = ([0u64; 5], base);
    NoiseStream::new(&secret_seed(3), 0).add_gaussian_u64(&mut noise, 0.01);
    NoiseStream::new(&secret_seed(3), 0).add_gaussian_u64(&mut words, 0.01);
    assert!((0..5).all(|i| words[i] == base[i].wrapping_add(noise[i])));
    // No noise, and the 32-bit torus: the same normal values at another scale.
    let mut none = base;
    NoiseStream::new(&secret_seed(3), 0).add_gaussian_u64(&mut none, 0.0);
    assert_eq!(none, base);
    let (mut wide, mut narrow) = ([0u64; 1001], [0u32; 1001]);
    NoiseStream::new(&secret_seed(4), 0).add_gaussian_u64(&mut wide, 2f64.powi(-44));
    NoiseStream::new(&secret_seed(4), 0).add_gaussian_u32(&mut narrow, 2f64.powi(-12));
    assert!(wide.iter().zip(&narrow).all(|(w, n)| *w as i64 == i64::from(*n as i32)));
}

#[test]
fn binary_keys() {
    let count = 300_001;
    let key = key(10, count, KeyDistribution::Binary);
    let ones = key.iter().filter(|&&s| s == 1).count() as u64;
    assert!(key.iter().all(|s| matches!(s, 0 | 1)));
    let (low, high) = clopper_pearson(ones, count as u64, CONFIDENCE);
    assert!(low <= 0.5 && 0.5 <= high, "{ones}");
    let sample: Vec<f64> = key.iter().map(|&s| f64::from(s)).collect();
    for lag in [1, 7, 8, 63, 64, 128] {
        small_correlation(serial_correlation(&sample, lag), count - lag);
    }
}

#[test]
fn ternary_keys() {
    let count = 300_001;
    let key = key(11, count, KeyDistribution::Ternary);
    let observed = [-1, 0, 1].map(|value| key.iter().filter(|&&s| s == value).count() as u64);
    assert_eq!(observed.iter().sum::<u64>(), count as u64);
    assert!(chi_square_uniform_p_value(&observed) > 1e-6, "{observed:?}");
    let sample: Vec<f64> = key.iter().map(|&s| f64::from(s)).collect();
    for lag in [1, 2, 64, 128] {
        small_correlation(serial_correlation(&sample, lag), count - lag);
    }
}

#[test]
fn block_binary_keys() {
    for length in [1u32, 2, 3, 4, 5, 7, 8, 13] {
        let distribution = KeyDistribution::BlockBinary { length };
        let blocks = 60_000;
        let key = key(20 + u64::from(length), blocks * length as usize, distribution);
        let mut choices = Vec::with_capacity(blocks);
        for block in key.chunks(length as usize) {
            assert!(block.iter().all(|s| matches!(s, 0 | 1)));
            let weight = block.iter().filter(|&&s| s == 1).count();
            assert!(weight <= distribution.max_nonzero_per_block());
            choices.push(block.iter().position(|&s| s == 1).unwrap_or(length as usize));
        }
        let mut observed = vec![0u64; length as usize + 1];
        for &choice in &choices {
            observed[choice] += 1;
        }
        assert!(chi_square_uniform_p_value(&observed) > 1e-6, "length {length}: {observed:?}");
        let sample: Vec<f64> = choices.iter().map(|&c| c as f64).collect();
        small_correlation(serial_correlation(&sample, 1), blocks);
        let weight: f64 = key.iter().map(|&s| f64::from(s)).sum();
        assert!((weight - distribution.mean_weight(key.len())).abs() < 5.0 * (blocks as f64).sqrt());
    }
}

#[test]
#[should_panic(expected = "whole blocks")]
fn block_binary_needs_whole_blocks() {
    key(0, 10, KeyDistribution::BlockBinary { length: 3 });
}

#[test]
fn sparse_keys() {
    for (n, weight) in [(2, 2), (7, 2), (7, 6), (100, 64), (1000, 192), (1 << 14, 192), (5000, 5000)] {
        let distribution = KeyDistribution::SparseTernary { weight };
        assert!(distribution.accepts(n) && distribution.mean_weight(n).round() as u32 == weight);
        let key = key(30, n, distribution);
        for sign in [1, -1] {
            assert_eq!(key.iter().filter(|&&s| s == sign).count(), weight as usize / 2, "{n} {weight}");
        }
        assert!(key.iter().all(|s| matches!(s, -1..=1)));
    }
    // All 90 keys of six coefficients, two of each sign, equally often.
    let mut counts = std::collections::BTreeMap::<Vec<i8>, u64>::new();
    let mut stream = NoiseStream::new(&secret_seed(31), 0);
    let mut key = [0; 6];
    for _ in 0..90_000 {
        stream.fill_key(&mut key, KeyDistribution::SparseTernary { weight: 4 });
        *counts.entry(key.to_vec()).or_default() += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    assert_eq!(counts.len(), 90);
    assert!(chi_square_uniform_p_value(&counts) > 1e-6, "{counts:?}");
    // Positions and signs of larger keys, of a dimension that is no power of two; a place and its neighbour.
    let (n, weight, runs) = (600, 64, 3000);
    let mut places = [vec![0u64; n], vec![0u64; n]];
    let (mut key, mut neighbours) = (vec![0; n], 0.0);
    for _ in 0..runs {
        stream.fill_key(&mut key, KeyDistribution::SparseTernary { weight });
        for (i, &s) in key.iter().enumerate().filter(|&(_, &s)| s != 0) {
            places[usize::from(s == 1)][i] += 1;
        }
        neighbours += key.windows(2).map(|pair| f64::from(pair[0] * pair[1])).sum::<f64>();
    }
    for counts in &places {
        assert!(chi_square_uniform_p_value(counts) > 1e-6, "{counts:?}");
    }
    // Each of n − 1 products has mean −w/(n(n − 1)) and variance about (w/n)².
    let (w, n) = (f64::from(weight), n as f64);
    let mean = neighbours / f64::from(runs);
    assert!((mean + w / n).abs() < 5.0 * (w / n) * (n / f64::from(runs)).sqrt(), "{mean}");
}

#[test]
#[should_panic(expected = "even weight")]
fn sparse_keys_need_an_even_weight() {
    key(0, 10, KeyDistribution::SparseTernary { weight: 3 });
}

#[test]
fn gaussian_integers() {
    for (index, std) in [0.5, 3.19, 1000.0, 2f64.powi(40)].into_iter().enumerate() {
        let mut integers = vec![0i64; 200_001];
        NoiseStream::new(&secret_seed(60 + index as u64), 0).fill_gaussian(&mut integers, std);
        let m = Moments::of(&integers.iter().map(|&x| x as f64).collect::<Vec<_>>());
        let (low, high) = mean_interval(&m, CONFIDENCE);
        assert!(low <= 0.0 && 0.0 <= high, "{std}: {m:?}");
        let (low, high) = variance_interval(m.variance, m.count, CONFIDENCE);
        // Rounding adds 1/12, and at half a unit nearly so.
        assert!(low <= std * std + 1.0 / 12.0 && std * std + 0.08 <= high, "{std}: {m:?}");
        assert!(integers.iter().all(|&x| (x as f64).abs() <= 9.5 * std + 0.5));
    }
    // Each integer as often as the normal distribution says.
    let (std, count) = (3.19, 1_000_000);
    let mut integers = vec![0i64; count];
    NoiseStream::new(&secret_seed(70), 0).fill_gaussian(&mut integers, std);
    let observed: Vec<u64> =
        (-14..=14).map(|k| integers.iter().filter(|&&x| x.clamp(-14, 14) == k).count() as u64).collect();
    let below = |x: f64| normal_cdf(x / std);
    let mut expected: Vec<f64> = (-14..=14).map(|k| below(f64::from(k) + 0.5) - below(f64::from(k) - 0.5)).collect();
    (expected[0], expected[28]) = (below(-13.5), below(-13.5));
    expected.iter_mut().for_each(|p| *p *= count as f64);
    assert!(chi_square_p_value(&observed, &expected) > 1e-6, "{observed:?} {expected:?}");
    // The values are those of the torus.
    let (mut integers, mut words) = ([0; 301], [0; 301]);
    NoiseStream::new(&secret_seed(71), 0).fill_gaussian(&mut integers, 3.5);
    NoiseStream::new(&secret_seed(71), 0).add_gaussian_u64(&mut words, 3.5 * 2f64.powi(-64));
    assert!(integers.iter().zip(&words).all(|(&x, &word)| x == word as i64));
}

#[test]
fn distribution_moments() {
    for distribution in [
        KeyDistribution::Binary,
        KeyDistribution::Ternary,
        KeyDistribution::BlockBinary { length: 3 },
        KeyDistribution::BlockBinary { length: 8 },
        KeyDistribution::SparseTernary { weight: 24_000 },
    ] {
        let sample: Vec<f64> = key(40, 240_000, distribution).iter().map(|&s| f64::from(s)).collect();
        let m = Moments::of(&sample);
        let second = sample.iter().map(|s| s * s).sum::<f64>() / sample.len() as f64;
        assert!((m.mean - distribution.mean()).abs() < 0.01, "{distribution}");
        assert!((m.variance - distribution.variance(sample.len())).abs() < 0.01, "{distribution}");
        assert!((second - distribution.second_moment(sample.len())).abs() < 0.01, "{distribution}");
    }
    assert_eq!(KeyDistribution::Binary.entropy_bits(630), 630.0);
    assert!((KeyDistribution::Ternary.entropy_bits(100) - 158.496_250_072_115_6).abs() < 1e-9);
    assert!((KeyDistribution::BlockBinary { length: 3 }.entropy_bits(687) - 458.0).abs() < 1e-9);
    assert_eq!(KeyDistribution::BlockBinary { length: 8 }.to_string(), "block-binary (length 8)");
    assert!(!KeyDistribution::BlockBinary { length: 0 }.accepts(0));
    // C(6, 2)·C(4, 2) = 90 keys; and the figures of the security data.
    let sparse = |weight| KeyDistribution::SparseTernary { weight };
    assert!((sparse(4).entropy_bits(6) - 90f64.log2()).abs() < 1e-12);
    for (weight, log2_n, bits) in [(32, 13, 327.0), (64, 15, 725.0), (192, 16, 2075.0), (256, 17, 2919.0)] {
        assert!((sparse(weight).entropy_bits(1 << log2_n) - bits).abs() < 1.0, "{weight} 2^{log2_n}");
    }
    assert_eq!(sparse(6).entropy_bits(5), 0.0);
    assert_eq!(sparse(192).to_string(), "sparse-ternary (weight 192)");
    for (weight, n) in [(0, 4), (3, 4), (6, 5)] {
        assert!(!sparse(weight).accepts(n));
    }
}

#[test]
fn forks_do_not_overlap() {
    let root = secret_seed(50);
    let mut seeds: Vec<[u8; 32]> = vec![*root.expose_bytes()];
    for domain in [0, 1, 2, u64::MAX] {
        for index in [0, 1, 2, (1 << 62) - 4] {
            seeds.push(*root.fork_indexed(domain, index).expose_bytes());
            seeds.push(root.fork_mask_indexed(domain, index).to_bytes());
            seeds.push(*root.fork(domain).fork_indexed(domain, index + 3).expose_bytes());
        }
    }
    for (i, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..i].contains(seed), "seed {i} repeats");
    }
    assert_eq!(*root.fork(9).expose_bytes(), *root.fork_indexed(9, 0).expose_bytes());
    assert_eq!(root.fork_mask(9), root.fork_mask_indexed(9, 0));
    // A child is not part of a stream of its parent (whose key stream is that of a mask seed with the same bytes).
    let mut words = vec![0u32; 1 << 16];
    for domain in [0, 1] {
        MaskStream::new(&MaskSeed::from_bytes(*root.expose_bytes()), domain).fill_u32(&mut words);
        let child = *root.fork(domain).expose_bytes();
        let first = u32::from_le_bytes(child[..4].try_into().unwrap());
        let second = u32::from_le_bytes(child[4..8].try_into().unwrap());
        assert!(!words.windows(2).any(|w| w == [first, second]));
    }
    // Noise under sibling seeds and under sibling streams.
    let noise = |seed: &SecretSeed, stream: u64| {
        let mut words = vec![0u64; 50_000];
        NoiseStream::new(seed, stream).add_gaussian_u64(&mut words, 2f64.powi(-24));
        words.iter().map(|&w| w as i64 as f64).collect::<Vec<_>>()
    };
    let first = noise(&root.fork(1), 0);
    for other in [noise(&root.fork(2), 0), noise(&root.fork(1), 1), noise(&root.fork_indexed(1, 1), 0), noise(&root, 0)]
    {
        small_correlation(correlation(&first, &other), first.len());
    }
}

#[test]
fn contexts_give_seeds_of_their_own() {
    let root = secret_seed(51);
    let contexts: [[u64; 2]; 6] = [[0, 0], [0, 1], [1, 0], [1, 1], [u64::MAX, 0], [0, u64::MAX]];
    let bytes = |context: &[u64; 2]| context.map(u64::to_le_bytes).concat();
    let mut seeds = vec![*root.expose_bytes(), *root.fork(0).expose_bytes(), *root.fork(1).expose_bytes()];
    seeds.extend(contexts.iter().map(|context| *root.bind(&bytes(context)).expose_bytes()));
    for (i, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..i].contains(seed), "seed {i} repeats");
    }
    assert_eq!(*root.bind(&bytes(&[3, 5])).expose_bytes(), *root.fork(3).fork(5).expose_bytes());
    let (mask, noise) = root.fork_both(7, 9);
    assert_eq!((mask, noise.expose_bytes()), (root.fork_mask_indexed(7, 9), root.fork_indexed(7, 9).expose_bytes()));
}

/// Should the system repeat its bytes, messages that differ have other masks and noise, and equal ones the same.
#[test]
fn messages_give_seeds_of_their_own() {
    let (root, other) = (secret_seed(52), secret_seed(53));
    let messages: [&[u64]; 6] = [&[], &[0], &[0, 0], &[1, 0], &[0, 1], &[u64::MAX]];
    let mut seeds = vec![*root.expose_bytes(), *root.fork(0).expose_bytes()];
    for message in messages {
        let seed = |root: &SecretSeed| *root.bind_message(message.iter().copied()).expose_bytes();
        assert_eq!(seed(&root), seed(&root));
        seeds.extend([seed(&root), seed(&other)]);
    }
    for (i, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..i].contains(seed), "seed {i} repeats");
    }
}

#[test]
#[should_panic(expected = "no multiple of 8")]
fn contexts_are_whole_words() {
    let _ = secret_seed(0).bind(&[0; 12]);
}

#[test]
#[should_panic(expected = "out of range")]
fn fork_index_is_bounded() {
    secret_seed(0).fork_indexed(0, 1 << 62);
}

#[test]
fn secrets_are_redacted_and_entropy_differs() {
    let seed = SecretSeed::from_bytes(&[0xab; 32]);
    assert_eq!(format!("{seed:?}"), "SecretSeed(<redacted>)");
    assert_eq!(format!("{:?}", NoiseStream::new(&seed, 0)), "NoiseStream(<redacted>)");
    let (a, b) = (SecretSeed::from_entropy().unwrap(), SecretSeed::from_entropy().unwrap());
    assert_ne!(*a.expose_bytes(), *b.expose_bytes());
    assert_ne!(MaskSeed::from_entropy().unwrap(), MaskSeed::from_entropy().unwrap());
}

/// Keys and ciphertexts on disk depend on these values. They may never change.
///
/// They agree with a second implementation of the module's documentation in 200-bit arithmetic.
#[test]
fn values_are_stable() {
    let seed = SecretSeed::from_bytes(&core::array::from_fn(|i| i as u8));
    let mask_seed = seed.fork_mask(3);
    let mut masks = [0u64; 3];
    MaskStream::new(&mask_seed, 5).fill_u64(&mut masks);
    let mut noise = [0u64; 4];
    NoiseStream::new(&seed.fork(1), 2).add_gaussian_u64(&mut noise, 2f64.powi(-30));
    let mut wide = [0u64; 3];
    NoiseStream::new(&seed.fork(1), 2).add_gaussian_u64(&mut wide, 2f64.powi(-10));
    let mut narrow = [0u32; 3];
    NoiseStream::new(&seed.fork_indexed(1, 7), 2).add_gaussian_u32(&mut narrow, 2f64.powi(-12));
    let key = |distribution| {
        let mut key = [0i8; 24];
        NoiseStream::new(&seed.fork(4), 0).fill_key(&mut key, distribution);
        key.iter().map(|s| char::from(b"-01"[(s + 1) as usize])).collect::<String>()
    };
    let found = format!(
        "{:02x?} {:02x?} {masks:x?} {noise:x?} {wide:x?} {narrow:x?} {} {} {} {}",
        &seed.fork(1).expose_bytes()[..4],
        &mask_seed.to_bytes()[..4],
        key(KeyDistribution::Binary),
        key(KeyDistribution::Ternary),
        key(KeyDistribution::BlockBinary { length: 4 }),
        key(KeyDistribution::SparseTernary { weight: 8 }),
    );
    let expected = "[9f, 5f, d0, 70] [27, a3, 62, 15] \
        [69968a7844db45c, dcd36fa1cb4b2457, 79111d1d745eb6c5] \
        [fffffff9f81bf76d, fffffffb6ea6671f, fffffffdb8214332, fffffffa729f4714] \
        [ff9f81bf76d58276, ffb6ea6671f34dcc, ffdb82143326081c] [fff06603, ffdf879f, f040c] \
        110111101001001000001000 1-1100101-01010-1-011100 000010000000000100100010 0-00011000100001000-00--";
    assert_eq!(found, expected);
    // The normal values behind do not depend on the processor: a digest of many of them.
    let mut many = vec![0u64; 100_000];
    NoiseStream::new(&seed.fork(9), 0).add_gaussian_u64(&mut many, 2f64.powi(-26));
    let digest = many.iter().fold(0u64, |hash, w| (hash.rotate_left(5) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    assert_eq!(format!("{digest:x}"), "6c1dce8a7316c7ed");
}
