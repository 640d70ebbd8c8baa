//! Secret keys: vectors of small integers, wiped on drop, never printed.
use bootes_ring::sample::{KeyDistribution, NoiseStream, SecretSeed};
use bootes_ring::secret::Secret;

/// An LWE secret s ∈ {−1, 0, 1}^n.
pub struct LweSecretKey {
    distribution: KeyDistribution,
    coefficients: Secret<Vec<i8>>,
}

impl LweSecretKey {
    /// Samples a key of `dimension` coefficients from `distribution`.
    pub fn generate(seed: &SecretSeed, dimension: usize, distribution: KeyDistribution) -> Self {
        let mut coefficients = Secret::new(vec![0i8; dimension]);
        NoiseStream::new(seed, 0).fill_key(&mut coefficients, distribution);
        Self { distribution, coefficients }
    }

    /// Dimension n.
    pub fn dimension(&self) -> usize {
        self.coefficients.len()
    }

    /// The distribution it was drawn from.
    pub fn distribution(&self) -> KeyDistribution {
        self.distribution
    }

    /// The secret itself.
    pub fn expose_coefficients(&self) -> &[i8] {
        &self.coefficients
    }
}

/// A GLWE secret (s_1, …, s_k), each s_j ∈ Z\[X\]/(X^N+1) with small coefficients; k = 1 is RLWE.
pub struct GlweSecretKey {
    degree: usize,
    flat: LweSecretKey,
}

impl GlweSecretKey {
    /// Samples `rank` polynomials of `degree` coefficients from `distribution`.
    pub fn generate(seed: &SecretSeed, rank: usize, degree: usize, distribution: KeyDistribution) -> Self {
        Self { degree, flat: LweSecretKey::generate(seed, rank * degree, distribution) }
    }

    /// Rank k.
    pub fn rank(&self) -> usize {
        self.flat.dimension() / self.degree
    }

    /// Ring degree N.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The k·N coefficients as the LWE key under which extracted samples are encrypted.
    pub fn as_lwe(&self) -> &LweSecretKey {
        &self.flat
    }

    /// Polynomial s_j, 0 ≤ j < k.
    pub fn expose_polynomial(&self, j: usize) -> &[i8] {
        &self.flat.coefficients[j * self.degree..(j + 1) * self.degree]
    }
}

impl std::fmt::Debug for LweSecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LweSecretKey").field("dimension", &self.dimension()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for GlweSecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GlweSecretKey").field("degree", &self.degree).finish_non_exhaustive()
    }
}
