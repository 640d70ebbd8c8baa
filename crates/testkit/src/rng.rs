//! Deterministic seeds and words.

/// A fast deterministic generator (SplitMix64) for test inputs; not for secrets.
#[derive(Debug, Clone)]
pub struct TestRng {
    state: u64,
}

impl TestRng {
    /// The generator of a name, usually that of the test, and a number.
    pub fn new(name: &str, index: u64) -> Self {
        // FNV-1a of the name, then the number mixed in.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let mut rng = Self { state: hash };
        rng.state = rng.next_u64() ^ index;
        rng.next_u64();
        rng
    }

    /// The next word, uniform on 0..2^64.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next word below `bound` ≥ 1 (its bias is below bound/2^64).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// The next number uniform on [0, 1), with 53 bits.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / 2f64.powi(53)
    }
}

/// 32 deterministic bytes for a name, usually that of the test, and a number: for `SecretSeed::from_bytes` and the like.
pub fn seed_bytes(name: &str, index: u64) -> [u8; 32] {
    let mut rng = TestRng::new(name, index);
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&rng.next_u64().to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{TestRng, seed_bytes};
    use crate::stats::chi_square_uniform_p_value;

    #[test]
    fn seeds_differ_by_name_and_number_and_stay() {
        assert_eq!(seed_bytes("a", 1), seed_bytes("a", 1));
        assert_ne!(seed_bytes("a", 1), seed_bytes("a", 2));
        assert_ne!(seed_bytes("a", 1), seed_bytes("b", 1));
    }

    #[test]
    fn words_look_uniform() {
        let mut rng = TestRng::new("uniform", 0);
        let mut counts = [0u64; 37];
        for _ in 0..37_000 {
            counts[rng.below(37) as usize] += 1;
        }
        assert!(chi_square_uniform_p_value(&counts) > 1e-6);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit_f64())));
    }
}
