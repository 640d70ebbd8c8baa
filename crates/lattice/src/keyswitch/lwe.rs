//! LWE key switching from the long key of extracted samples (dimension k·N, modulus 2^64) to the short key of blind
//! rotation (dimension n, modulus 2^32).
//!
//! The short sample is only ever switched to a modulus below 2^20, so 32-bit words hold it: the rounding of a key word
//! is far below its noise, and the key, which is read in full, is half as large. For the same reason the input's words
//! are read to 64 bits only where they have 128: with messages of 16 bits a window is 2^-17 wide, and the digits end at
//! 2^-31 at the latest.
use super::Ties;
use crate::secret::LweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::cancel::is_wanted;
use bootes_ring::isa::Isa;
use bootes_ring::mem::AlignedVec;
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::torus::Torus;
use bootes_ring::word::sub_linear_combination_u32;

/// LWE encryptions of t_i·g_l under s for each coefficient t_i of the input key, bodies only.
///
/// Row i·d + l−1 has the mask of that stream of the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededLweKeySwitchKey {
    /// Dimension n of the output.
    pub output_dimension: usize,
    /// Gadget of the decomposition of the input mask.
    pub gadget: Gadget,
    /// Where the masks come from.
    pub mask_seed: MaskSeed,
    /// The bodies.
    pub bodies: Vec<u32>,
}

impl SeededLweKeySwitchKey {
    /// Encrypts `input` under `output` with noise of standard deviation `std` (of the torus). Where that is not wanted
    /// any longer ([`is_wanted`]), all bodies are 0.
    pub fn generate(
        input: &LweSecretKey,
        output: &LweSecretKey,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        if gadget.levels() * gadget.log2_base() > 32 {
            return Err(LatticeError::Parameter {
                what: "key-switching gadget precision levels·log2(B)",
                expected: "at most 32 bits",
                found: (gadget.levels() * gadget.log2_base()).to_string(),
            });
        }
        let levels = gadget.levels() as usize;
        let mut bodies = vec![0u32; input.dimension() * levels];
        for (row, body) in bodies.iter_mut().enumerate() {
            let level = (row % levels) as u32 + 1;
            let t = i32::from(input.expose_coefficients()[row / levels]) as u32;
            *body = t.wrapping_shl(32 - level * gadget.log2_base());
        }
        NoiseStream::new(noise_seed, 0).add_gaussian_u32(&mut bodies, std);
        let mut mask = vec![0u32; output.dimension()];
        for row in 0..bodies.len() {
            if !is_wanted() {
                bodies.fill(0);
                break;
            }
            MaskStream::new(&mask_seed, row as u64).fill_u32(&mut mask);
            let product = mask
                .iter()
                .zip(output.expose_coefficients())
                .fold(0u32, |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
            bodies[row] = bodies[row].wrapping_sub(product);
        }
        Ok(Self { output_dimension: output.dimension(), gadget, mask_seed, bodies })
    }

    /// Regenerates the masks: the form that switches keys. Where it is not wanted any longer ([`is_wanted`]), some rows
    /// are 0.
    ///
    /// `input_mean` is the mean of a coefficient of the input key (1/2 for a binary key).
    pub fn prepare(&self, isa: Isa, input_mean: f64) -> Result<LweKeySwitchKey, LatticeError> {
        let stride = (self.output_dimension + 1).next_multiple_of(16);
        let mut rows = AlignedVec::try_new(self.bodies.len() * stride)?;
        for ((i, row), &body) in rows.chunks_exact_mut(stride).enumerate().zip(&self.bodies) {
            if !is_wanted() {
                break;
            }
            MaskStream::new(&self.mask_seed, i as u64).fill_u32(&mut row[..self.output_dimension]);
            row[self.output_dimension] = body;
        }
        Ok(LweKeySwitchKey {
            isa,
            output_dimension: self.output_dimension,
            stride,
            gadget: self.gadget,
            input_mean,
            rows,
        })
    }
}

/// An expanded key-switching key.
#[derive(Debug)]
pub struct LweKeySwitchKey {
    isa: Isa,
    output_dimension: usize,
    stride: usize,
    gadget: Gadget,
    input_mean: f64,
    rows: AlignedVec<u32>,
}

/// Input coefficients switched for all ciphertexts of a batch before the next ones: their key rows stay in the cache.
const TILE: usize = 16;

/// Ciphertexts switched together, for which the key is read once.
const GROUP: usize = 64;

impl LweKeySwitchKey {
    /// Dimension n of the output.
    pub fn output_dimension(&self) -> usize {
        self.output_dimension
    }

    /// Words between two outputs: n + 1 rounded up to a multiple of 16.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Dimension of the input.
    pub fn input_dimension(&self) -> usize {
        self.rows.len() / self.stride / self.gadget.levels() as usize
    }

    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.rows.len() * 4
    }

    /// Switches every input (a, b) of kN + 1 words, one after the other, of which the top 64 bits are read, to an
    /// output of `stride` words (a', b', 0…) modulo 2^32.
    ///
    /// Noise: `noise::formula::key_switch`. The decomposition drops an ε_i from each a_i; adding its mean E\[t\]·Σ ε_i
    /// to b leaves only its deviation (mean compensation, exact for a key of known mean).
    pub fn switch_into<W: Torus>(&self, outputs: &mut [u32], inputs: &[W]) {
        let long = self.input_dimension() + 1;
        debug_assert!(inputs.len().is_multiple_of(long) && outputs.len() == inputs.len() / long * self.stride);
        for (outputs, inputs) in outputs.chunks_mut(GROUP * self.stride).zip(inputs.chunks(GROUP * long)) {
            self.switch_group_into(outputs, inputs);
        }
    }

    fn switch_group_into<W: Torus>(&self, outputs: &mut [u32], inputs: &[W]) {
        let (levels, dimension) = (self.gadget.levels() as usize, self.input_dimension());
        let inputs = inputs.chunks_exact(dimension + 1);
        outputs.fill(0);
        let mut digits = [0i32; TILE * 32];
        let mut dropped = [0i64; GROUP];
        let ties = Ties::new(self.gadget);
        for start in (0..dimension).step_by(TILE) {
            let end = (start + TILE).min(dimension);
            let rows = &self.rows[start * levels * self.stride..end * levels * self.stride];
            let outputs = outputs.chunks_exact_mut(self.stride);
            for ((output, input), dropped) in outputs.zip(inputs.clone()).zip(&mut dropped) {
                for (&a, digits) in input[start..end].iter().zip(digits.chunks_exact_mut(levels)) {
                    let (a, tie) = ties.split(a.top());
                    let mut rest = a;
                    for (digit, level) in digits.iter_mut().zip(1..) {
                        let value = self.gadget.digit(a, level);
                        *digit = -((value + tie) as i32);
                        rest = rest.wrapping_sub((value as u64) << (64 - level * self.gadget.log2_base()));
                    }
                    // The sum of kN errors below 2^(63 − d·log2 B) needs head room, hence the shift.
                    *dropped += (rest as i64) >> 12;
                }
                sub_linear_combination_u32(self.isa, output, rows, &digits[..(end - start) * levels]);
            }
        }
        let outputs = outputs.chunks_exact_mut(self.stride);
        for ((output, input), dropped) in outputs.zip(inputs).zip(&dropped) {
            let mean = (*dropped as f64 * self.input_mean) as i64;
            let body = input[dimension].top().wrapping_add((mean << 12) as u64);
            let rounded = (body.wrapping_add(1 << 31) >> 32) as u32;
            output[self.output_dimension] = output[self.output_dimension].wrapping_add(rounded);
        }
    }
}
