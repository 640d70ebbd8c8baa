//! Inputs of benchmarks: reproducible, no secrets.
use bootes_lattice::lwe;
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::encoding::encode;
use bootes_schemes::fhew::keys::SecretKeys;

/// SplitMix64.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below 2^`bits`.
    pub(crate) fn bits(&mut self, bits: u32) -> u64 {
        self.word() >> (64 - bits)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// A normal variable of mean 0 and variance 1 (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let mut uniform = || self.bits(53) as f64 / 2f64.powi(53);
        let (u, v) = (1.0 - uniform(), uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Numbers below 2^`bits`.
    pub(crate) fn values(&mut self, count: usize, bits: u32) -> Vec<u64> {
        (0..count).map(|_| self.bits(bits)).collect()
    }

    /// 32 bytes for a seed.
    pub(crate) fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        seed.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.word().to_le_bytes()));
        seed
    }
}

/// Fresh ciphertexts of `bits`-bit messages, one after the other.
pub(crate) fn encrypt<W: Torus>(keys: &SecretKeys, messages: &[u64], bits: u32, random: &mut SplitMix) -> Vec<W> {
    let seed = SecretSeed::from_bytes(&random.seed());
    let encoded: Vec<W> = messages.iter().map(|&m| W::from_top(encode(m, bits))).collect();
    let (mask_seed, bodies) = keys.encrypt_with_randomness_for_tests(&encoded, &seed);
    let long = keys.params().ciphertext_dimension() + 1;
    let mut words = vec![W::default(); messages.len() * long];
    for ((i, words), body) in words.chunks_exact_mut(long).enumerate().zip(bodies) {
        lwe::expand_mask(&mask_seed, i as u64, &mut words[..long - 1]);
        words[long - 1] = body;
    }
    words
}
