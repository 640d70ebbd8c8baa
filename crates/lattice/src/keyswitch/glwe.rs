//! GLWE key switching: masks under any secret polynomials s'_1, …, s'_k' become a ciphertext under a GLWE key.
//!
//! With rows (j, l) = GLWE(s'_j·g_l), Σ_{j,l} digit_l(a_j)·row(j, l) has the phase Σ_j a_j·s'_j + noise. The
//! polynomials s'_j are s² for the relinearisation of a product and X ↦ X^g of the key for an automorphism.
//!
//! Rows are cut into two halves, multiplied on their own; products with the upper one are rounded to integers, exactly.
//! Otherwise the transforms' errors of the mask would meet the mean of a binary key, (Σ X^i)/2: their product grows as
//! N³ where the ciphertext is multiplied by another Σ X^i, as packed test vectors are.
use crate::glwe::GlweShape;
use crate::rows::{FourierRows, accumulate_scratch_bytes, add_transforms, encrypt_bodies, expand_row_into};
use crate::secret::GlweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::automorphism::automorphism_into;
use bootes_ring::fft::{self, Fft};
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::secret::{Secret, with_cleared_stack};
use zeroize::Zeroizing;

/// GLWE encryptions of s'_j·g_l under a GLWE key, bodies only.
///
/// Row j·d + l−1 has the masks of that stream of the seed; bodies are laid out `[row][N]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededGlweKeySwitchKey {
    /// Rank and degree of the output.
    pub shape: GlweShape,
    /// Gadget of the decomposition of the masks.
    pub gadget: Gadget,
    /// Where the masks come from.
    pub mask_seed: MaskSeed,
    /// The bodies.
    pub bodies: Vec<u64>,
}

impl SeededGlweKeySwitchKey {
    /// Encrypts the polynomials of `input` (k'·N small integers, s'_1 first) under `output` with noise of standard
    /// deviation `std` (of the torus).
    ///
    /// # Errors
    /// [`LatticeError::Size`] unless `input` is whole polynomials, one or more, and `fft` has the key's degree.
    pub fn generate(
        input: &[i64],
        output: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let n = output.degree();
        if input.is_empty() || !input.len().is_multiple_of(n) {
            let expected = input.len().next_multiple_of(n).max(n);
            return Err(LatticeError::Size { what: "secret of a GLWE key switch", expected, found: input.len() });
        }
        check_degree(fft, n)?;
        let shape = GlweShape { rank: output.rank(), degree: n };
        let levels = gadget.levels() as usize;
        let mut bodies = vec![0u64; input.len() * levels];
        for (bodies, secret) in bodies.chunks_exact_mut(levels * n).zip(input.chunks_exact(n)) {
            for (body, level) in bodies.chunks_exact_mut(n).zip(1..) {
                body.iter_mut().zip(secret).for_each(|(x, &s)| *x = (s as u64) << gadget.shift::<u64>(level));
            }
        }
        encrypt_bodies(&mut bodies, output, fft, std, &mask_seed, noise_seed);
        Ok(Self { shape, gadget, mask_seed, bodies })
    }

    /// The key for s² of a key of rank 1: what relinearises products ([`crate::glwe_product`]).
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] if the rank is not 1; as [`Self::generate`].
    pub fn generate_square(
        key: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        check_degree(fft, key.degree())?;
        let square = with_cleared_stack(|| square(key, fft))?;
        Self::generate(&square, key, fft, gadget, std, mask_seed, noise_seed)
    }

    /// The key for s² and s of a key of rank 1: what multiplies phases by s ([`crate::circuit_bootstrap`]).
    ///
    /// # Errors
    /// As [`Self::generate_square`].
    pub fn generate_powers(
        key: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        check_degree(fft, key.degree())?;
        let square = with_cleared_stack(|| square(key, fft))?;
        let mut powers = Zeroizing::new(vec![0i64; 2 * key.degree()]);
        let first = key.expose_polynomial(0).iter().map(|&s| i64::from(s));
        powers.iter_mut().zip(square.iter().copied().chain(first)).for_each(|(x, s)| *x = s);
        Self::generate(&powers, key, fft, gadget, std, mask_seed, noise_seed)
    }

    /// The key for the automorphisms X ↦ X^g, g in `exponents` (odd): k polynomials s_j(X^g) for each, in this order.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] if an exponent is even; as [`Self::generate`].
    pub fn generate_automorphisms(
        key: &GlweSecretKey,
        exponents: &[usize],
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let n = key.degree();
        let mut input = Zeroizing::new(vec![0i64; exponents.len() * key.rank() * n]);
        let mut words = [Zeroizing::new(vec![0u64; n]), Zeroizing::new(vec![0u64; n])];
        let [from, to] = &mut words;
        for (&exponent, images) in exponents.iter().zip(input.chunks_exact_mut(key.rank() * n)) {
            if exponent.is_multiple_of(2) {
                let (what, expected) = ("exponent of an automorphism", "odd");
                return Err(LatticeError::Parameter { what, expected, found: exponent.to_string() });
            }
            for (j, image) in images.chunks_exact_mut(n).enumerate() {
                from.iter_mut().zip(key.expose_polynomial(j)).for_each(|(x, &s)| *x = i64::from(s) as u64);
                automorphism_into(to, from, exponent);
                image.iter_mut().zip(to.iter()).for_each(|(x, &s)| *x = s as i64);
            }
        }
        Self::generate(&input, key, fft, gadget, std, mask_seed, noise_seed)
    }

    /// Regenerates the masks and transforms the rows: the form that switches keys.
    ///
    /// # Errors
    /// [`LatticeError::Size`] if `fft` has another degree; if memory is missing.
    pub fn prepare(&self, fft: &Fft) -> Result<GlweKeySwitchKey, LatticeError> {
        let (shape, rows) = (self.shape, self.bodies.len() / self.shape.degree);
        let low = u64::BITS - upper_bits(self.gadget, shape.degree);
        let expand = |out: &mut [u64], row| {
            let (upper, lower) = out.split_at_mut(shape.words());
            expand_row_into(lower, shape, &self.mask_seed, &self.bodies, row);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                *upper = rounded(*lower, low);
                *lower = lower.wrapping_sub(*upper);
            }
        };
        let rows = FourierRows::prepare_wide(shape, self.gadget, 2 * shape.words(), rows, fft, expand)?;
        Ok(GlweKeySwitchKey { rows, low })
    }
}

fn check_degree(fft: &Fft, degree: usize) -> Result<(), LatticeError> {
    if fft.degree() == degree {
        return Ok(());
    }
    Err(LatticeError::Size { what: "plan of the transform", expected: degree, found: fft.degree() })
}

/// s² of a key of rank 1, exactly: its coefficients are at most N.
fn square(key: &GlweSecretKey, fft: &Fft) -> Result<Zeroizing<Vec<i64>>, LatticeError> {
    if key.rank() != 1 {
        return Err(LatticeError::Parameter {
            what: "rank of a key to relinearise",
            expected: "1",
            found: key.rank().to_string(),
        });
    }
    let mut square: Zeroizing<Vec<i64>> =
        Zeroizing::new(key.expose_polynomial(0).iter().map(|&s| i64::from(s)).collect());
    let buffer = || Secret::new(AlignedVec::<f64>::new(fft.degree()));
    let (mut transform, mut product) = (buffer(), buffer());
    fft.forward_integer(&mut transform, &square);
    fft.mul(&mut product, &transform, &transform);
    fft.backward_f64(&mut transform, &mut product);
    square.iter_mut().zip(transform.iter()).for_each(|(x, &y)| *x = y.round() as i64);
    Ok(square)
}

/// Bits of the upper halves: of their multiples, sums with sixteen polynomials err by less than a sixteenth.
pub(crate) fn upper_bits(gadget: Gadget, degree: usize) -> u32 {
    let error = fft::error_std(gadget.log2_base(), degree, 16 * gadget.levels() as usize);
    (-4.0 - error.log2()).clamp(1.0, 32.0) as u32
}

/// The nearest multiple of 2^`low`.
fn rounded(x: u64, low: u32) -> u64 {
    x.wrapping_add(1 << (low - 1)) >> low << low
}

/// An expanded GLWE key-switching key: `[row][half][polynomial][N]`, the upper halves first.
pub struct GlweKeySwitchKey {
    rows: FourierRows,
    /// The lowest bit of the upper halves.
    low: u32,
}

impl GlweKeySwitchKey {
    /// Rank and degree of the output.
    pub fn shape(&self) -> GlweShape {
        self.rows.shape
    }

    /// Gadget of the decomposition.
    pub fn gadget(&self) -> Gadget {
        self.rows.gadget
    }

    /// Mask polynomials k' that the key switches.
    pub fn input_rank(&self) -> usize {
        self.rows.polynomials()
    }

    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// `out += Σ_{j,l} digit_l(a_j)·row(j, l)` modulo 2^64: adds Σ_j a_j·s'_j to the phase of `out` ((k+1)·N words);
    /// `masks` holds at most k' polynomials.
    ///
    /// Noise: `noise::formula::glwe_key_switch`.
    pub fn switch_add(&self, out: &mut [u64], masks: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        self.switch_add_from(out, 0, masks, fft, scratch);
    }

    /// As [`Self::switch_add`], with the secret polynomials from number `first` on.
    pub fn switch_add_from(&self, out: &mut [u64], first: usize, masks: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        let words = self.shape().words();
        debug_assert_eq!(out.len(), words);
        let (sums, scratch) = scratch.take::<f64>(2 * words);
        let (upper, scratch) = scratch.take::<u64>(words);
        sums.fill(0.0);
        self.rows.accumulate(sums, first, masks, fft, scratch);
        let (upper_sums, lower_sums) = sums.split_at_mut(words);
        upper.fill(0);
        add_transforms(upper, upper_sums, fft);
        out.iter_mut().zip(&*upper).for_each(|(x, &upper)| *x = x.wrapping_add(rounded(upper, self.low)));
        add_transforms(out, lower_sums, fft);
    }

    /// Scratch that [`Self::switch_add`] needs.
    pub fn scratch_bytes(&self) -> usize {
        Self::scratch_bytes_of(self.shape())
    }

    /// The same for a key of this shape.
    pub(crate) fn scratch_bytes_of(shape: GlweShape) -> usize {
        let words = shape.words();
        accumulate_scratch_bytes(shape) + scratch_bytes::<f64>(2 * words) + scratch_bytes::<u64>(words)
    }
}

impl std::fmt::Debug for GlweKeySwitchKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GlweKeySwitchKey")
            .field("shape", &self.rows.shape)
            .field("gadget", &self.rows.gadget)
            .field("input_rank", &self.input_rank())
            .finish_non_exhaustive()
    }
}
