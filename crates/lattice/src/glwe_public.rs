//! Public keys of GLWE encryption, words of 64 bits: anybody encrypts N values in one ciphertext.
//!
//! The key is (A, b) with k samples b_j + Σ_i A_ji·s_i = e_j under s = (s_1, …, s_k). An encryption of m takes ternary
//! r_1, …, r_k and fresh noise:
//!
//! a_i = Σ_j A_ji·r_j + e'_i,    b = Σ_j b_j·r_j + e'' + m,
//!
//! and its phase is m + Σ_j r_j·e_j + Σ_i e'_i·s_i + e''. Noise: [`formula::glwe_public_encryption`].
//!
//! **Security** is that of module-LWE twice (Lyubashevsky, Peikert, Regev, *On Ideal Lattices and Learning with Errors
//! over Rings*, 2010; the form is Kyber's). The key is k samples of s, by assumption none but uniform ones; and then
//! (A, b) is a uniform matrix, of which a ciphertext is k + 1 samples with the secret r. Both have dimension k·N and
//! the noise σ; ternary secrets need less noise than binary ones. The argument is computational: nothing is left over
//! that would hide m from whoever solves one of them.
//!
//! The coefficients' noises are uncorrelated but for the mean µ of a binary s, by which Σ_i e'_i·µ·(1 + X + …) is in
//! all: sums of values of one ciphertext are to count as of one noise.
//!
//! [`formula::glwe_public_encryption`]: crate::noise::formula::glwe_public_encryption
use crate::LatticeError;
use crate::glwe::{GlweShape, MaskMultiplier};
use crate::lwe::expand_mask;
use crate::secret::GlweSecretKey;
use bootes_ring::fft::Fft;
use bootes_ring::sample::{KeyDistribution, MaskSeed, NoiseStream, SecretSeed};
use bootes_ring::torus::Torus;

/// The distribution of r.
pub const RANDOMNESS: KeyDistribution = KeyDistribution::Ternary;

/// A public key, its masks a seed: row j is stream j.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlwePublicKey {
    shape: GlweShape,
    mask_seed: MaskSeed,
    bodies: Vec<u64>,
}

impl GlwePublicKey {
    /// The public key of `secret`, with noise of standard deviation `std` (of the torus).
    pub fn generate(secret: &GlweSecretKey, fft: &Fft, std: f64, mask_seed: MaskSeed, noise_seed: &SecretSeed) -> Self {
        let shape = GlweShape { rank: secret.rank(), degree: secret.degree() };
        let mut bodies = vec![0; shape.lwe_dimension()];
        u64::add_gaussian(&mut bodies, &mut NoiseStream::new(noise_seed, 0), std);
        let (mut multiplier, mut row) = (MaskMultiplier::new(fft, secret), vec![0; shape.lwe_dimension()]);
        for (j, body) in (0..).zip(bodies.chunks_exact_mut(shape.degree)) {
            expand_mask(&mask_seed, j, &mut row);
            multiplier.add_product(body, &row, -1);
        }
        Self { shape, mask_seed, bodies }
    }

    /// A key of its stored parts.
    ///
    /// # Errors
    /// [`LatticeError::Size`] unless there are k·N words.
    pub fn from_parts(shape: GlweShape, mask_seed: MaskSeed, bodies: Vec<u64>) -> Result<Self, LatticeError> {
        let (expected, found) = (shape.lwe_dimension(), bodies.len());
        match expected == found {
            true => Ok(Self { shape, mask_seed, bodies }),
            false => Err(LatticeError::Size { what: "public key", expected, found }),
        }
    }

    /// Rank and degree.
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// The seed of A.
    pub fn mask_seed(&self) -> MaskSeed {
        self.mask_seed
    }

    /// b, k polynomials.
    pub fn bodies(&self) -> &[u64] {
        &self.bodies
    }

    /// Prepares encryptions.
    pub fn encryptor<'f>(&self, fft: &'f Fft) -> GlwePublicEncryptor<'f> {
        let GlweShape { rank, degree } = self.shape;
        let mut columns = vec![0; rank * self.shape.lwe_dimension()];
        let mut row = vec![0; self.shape.lwe_dimension()];
        for j in 0..rank {
            expand_mask(&self.mask_seed, j as u64, &mut row);
            for (i, mask) in row.chunks_exact(degree).enumerate() {
                columns[(i * rank + j) * degree..][..degree].copy_from_slice(mask);
            }
        }
        columns.extend_from_slice(&self.bodies);
        GlwePublicEncryptor { shape: self.shape, fft, columns }
    }
}

/// A public key with its masks.
pub struct GlwePublicEncryptor<'f> {
    shape: GlweShape,
    fft: &'f Fft,
    /// k polynomials that r multiplies, for each polynomial of a ciphertext.
    columns: Vec<u64>,
}

impl GlwePublicEncryptor<'_> {
    /// Writes to `out`, (k + 1)·N words, an encryption of up to N encoded messages, those of the first coefficients,
    /// and of 0 in the others. `seed` serves this ciphertext alone; `std` is that of its noise (of the torus).
    pub fn encrypt_into(&self, out: &mut [u64], encoded: &[u64], std: f64, seed: &SecretSeed) {
        let GlweShape { rank, degree } = self.shape;
        assert!(out.len() == self.shape.words() && encoded.len() <= degree, "a ciphertext, and values that it holds");
        out.fill(0);
        u64::add_gaussian(out, &mut NoiseStream::new(seed, 1), std);
        // Stream 0.
        let randomness = GlweSecretKey::generate(seed, rank, degree, RANDOMNESS);
        let mut multiplier = MaskMultiplier::new(self.fft, &randomness);
        for (out, column) in out.chunks_exact_mut(degree).zip(self.columns.chunks_exact(rank * degree)) {
            multiplier.add_product(out, column, 1);
        }
        let body = &mut out[self.shape.lwe_dimension()..];
        body.iter_mut().zip(encoded).for_each(|(x, &m)| *x = x.wrapping_add(m));
    }
}
