//! Packing by key switching (FDFB paper, Section 2.3.3 and Algorithm 9): LWE samples under the flattened key become one GLWE
//! ciphertext, each phase repeated in a block of d coefficients.
//!
//! Row (i, l) encrypts t_i·g_l·(1 + X + … + X^{d−1}). With a_i ≈ Σ_l digit_l(a_i)·g_l,
//!
//! b·(1 + X + … + X^{d−1}) + Σ_{i,l} digit_l(a_i)·row(i, l)
//!
//! has the phase (b + ⟨a, t⟩)·(1 + X + … + X^{d−1}) + noise. For input j that is multiplied by X^{dj}: the rows of block 0,
//! shifted, serve all blocks (the paper's remark on FDFB-Select), and the sum over j is what M keys would give. The paper's
//! table of rows for each digit value is replaced by the product with the digit, exact modulo 2^64.
//!
//! The key is kN·d_g rows of (k+1)·N words, hundreds of MB, read in full; so a tile of it stays in the cache for all samples
//! of a group.
use super::Ties;
use crate::glwe::GlweShape;
use crate::rows::{encrypt_bodies, expand_row_into};
use crate::secret::{GlweSecretKey, LweSecretKey};
use crate::{Gadget, LatticeError};
use bootes_ring::cancel::is_wanted;
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::mem::AlignedVec;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::word::add_linear_combination_u64;

/// GLWE encryptions of t_i·g_l·(1 + X + … + X^{d−1}) for each coefficient t_i of the input key, bodies only.
///
/// Row i·d_g + l−1 (d_g the levels of the gadget) has the masks of that stream of the seed; bodies are laid out `[row][N]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededPackingKey {
    /// Rank and degree of the output.
    pub shape: GlweShape,
    /// Coefficients d that hold one message, a divisor of N.
    pub block: usize,
    /// Gadget of the decomposition of the input masks.
    pub gadget: Gadget,
    /// Where the masks come from.
    pub mask_seed: MaskSeed,
    /// The bodies.
    pub bodies: Vec<u64>,
}

impl SeededPackingKey {
    /// Encrypts `input` under `output`, the same secret or another, with noise of standard deviation `std` (of the torus), for
    /// messages repeated in `block` coefficients.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] unless `block` divides the degree of `output`; if the degree has no transform.
    pub fn generate(
        input: &LweSecretKey,
        output: &GlweSecretKey,
        block: usize,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let (n, levels) = (output.degree(), gadget.levels() as usize);
        if block == 0 || !n.is_multiple_of(block) {
            let (what, expected) = ("block of a packing key", "a divisor of the ring degree");
            return Err(LatticeError::Parameter { what, expected, found: block.to_string() });
        }
        let fft = Fft::new(n)?;
        let mut bodies = vec![0u64; input.dimension() * levels * n];
        for (row, body) in bodies.chunks_exact_mut(n).enumerate() {
            let t = i64::from(input.expose_coefficients()[row / levels]) as u64;
            body[..block].fill(t << gadget.shift::<u64>((row % levels) as u32 + 1));
        }
        encrypt_bodies(&mut bodies, output, &fft, std, &mask_seed, noise_seed);
        Ok(Self { shape: GlweShape { rank: output.rank(), degree: n }, block, gadget, mask_seed, bodies })
    }

    /// Regenerates the masks: the form that packs. Where it is not wanted any longer ([`is_wanted`]), other rows are 0.
    ///
    /// `input_mean` is the mean of a coefficient of the input key (1/2 for a binary key).
    ///
    /// # Errors
    /// If memory is missing.
    pub fn prepare(&self, isa: Isa, input_mean: f64) -> Result<PackingKey, LatticeError> {
        let stride = self.shape.words() + PADDING;
        let mut rows = AlignedVec::try_new(self.bodies.len() / self.shape.degree * stride)?;
        for (row, out) in rows.chunks_exact_mut(stride).enumerate().take_while(|_| is_wanted()) {
            expand_row_into(&mut out[..stride - PADDING], self.shape, &self.mask_seed, &self.bodies, row);
        }
        Ok(PackingKey { isa, shape: self.shape, block: self.block, gadget: self.gadget, input_mean, rows })
    }
}

/// An expanded packing key: `[row][polynomial][N]`, with a padding after each row.
#[derive(Debug)]
pub struct PackingKey {
    isa: Isa,
    shape: GlweShape,
    block: usize,
    gadget: Gadget,
    input_mean: f64,
    rows: AlignedVec<u64>,
}

/// Rows and words of a row that are multiplied with all samples of a group before the next ones: 16 kB, in the first cache.
const ROWS: usize = 8;
const COLUMNS: usize = 256;

/// Words between rows: without them, all rows would compete for the same places of the cache.
const PADDING: usize = 64;

/// Samples packed together, for which the key is read once.
const GROUP: usize = 64;

impl PackingKey {
    /// Rank and degree of the output.
    pub fn shape(&self) -> GlweShape {
        self.shape
    }

    /// Coefficients d that hold one message.
    pub fn block(&self) -> usize {
        self.block
    }

    /// Samples that fit one output: N/d.
    pub fn capacity(&self) -> usize {
        self.shape.degree / self.block
    }

    /// Dimension of the input.
    pub fn input_dimension(&self) -> usize {
        self.rows.len() / (self.shape.words() + PADDING) / self.gadget.levels() as usize
    }

    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.rows.len() * 8
    }

    /// Packs M ≤ N/d samples into `out` ((k+1)·N words): phase Σ_j phase(input_j)·X^{dj}·(1 + X + … + X^{d−1}) + noise.
    ///
    /// Noise: `noise::formula::packing_key_switch`. The decomposition drops an ε_i from each a_i; adding its mean E\[t\]·Σ ε_i
    /// to b leaves only its deviation.
    pub fn pack_into(&self, out: &mut [u64], inputs: &[&[u64]]) {
        debug_assert_eq!(out.len(), self.shape.words());
        self.pack_batch_into(out, inputs);
    }

    /// Independent packings, `outs` one after the other, with equally many of the `inputs` each: reads the key once for 64
    /// inputs.
    ///
    /// The number of inputs is M times that of the outputs, 1 ≤ M ≤ N/d; inputs M·i, …, M·i + M−1 go to output i.
    pub fn pack_batch_into(&self, outs: &mut [u64], inputs: &[&[u64]]) {
        let count = outs.len() / self.shape.words();
        debug_assert!(outs.len() == count * self.shape.words() && inputs.len().is_multiple_of(count.max(1)));
        outs.fill(0);
        if count == 0 {
            return;
        }
        let each = inputs.len() / count;
        debug_assert!(each <= self.capacity(), "more inputs than blocks");
        for (group, first) in inputs.chunks(GROUP).zip((0..).step_by(GROUP)) {
            self.add_bodies(outs, group, first, each);
            self.add_rows(outs, group, first, each);
        }
    }

    /// Adds (b + E\[t\]·Σ ε_i)·X^{dj}·(1 + … + X^{d−1}) to the bodies.
    fn add_bodies(&self, outs: &mut [u64], inputs: &[&[u64]], first: usize, each: usize) {
        let dimension = self.input_dimension();
        for (input, number) in inputs.iter().zip(first..) {
            debug_assert_eq!(input.len(), dimension + 1);
            let dropped: i128 = input[..dimension].iter().map(|&a| i128::from(dropped(a, self.gadget))).sum();
            let body = input[dimension].wrapping_add((dropped as f64 * self.input_mean) as i128 as u64);
            let out = &mut outs[number / each * self.shape.words()..][..self.shape.words()];
            let start = self.shape.lwe_dimension() + number % each * self.block;
            out[start..start + self.block].iter_mut().for_each(|x| *x = x.wrapping_add(body));
        }
    }

    /// Adds Σ_{i,l} digit_l(a_i)·row(i, l)·X^{dj}.
    fn add_rows(&self, outs: &mut [u64], inputs: &[&[u64]], first: usize, each: usize) {
        let (n, words, levels) = (self.shape.degree, self.shape.words(), self.gadget.levels() as usize);
        let columns = COLUMNS.min(n);
        // The digits of a tile and their negatives, for coefficients shifted past X^N = −1.
        let mut digits = [[[0i64; ROWS]; 2]; GROUP];
        let stride = words + PADDING;
        let ties = Ties::new(self.gadget);
        for (tile, first_row) in self.rows.chunks(ROWS * stride).zip((0..).step_by(ROWS)) {
            let rows = tile.len() / stride;
            for ([digits, negatives], input) in digits.iter_mut().zip(inputs) {
                for (r, (digit, negative)) in (first_row..first_row + rows).zip(digits.iter_mut().zip(negatives)) {
                    let (word, tie) = ties.split(input[r / levels]);
                    *digit = self.gadget.digit(word, (r % levels) as u32 + 1) + tie;
                    *negative = -*digit;
                }
            }
            for column in (0..words).step_by(columns) {
                let polynomial = column - column % n;
                let tile = &tile[column..];
                for ([digits, negatives], number) in digits[..inputs.len()].iter().zip(first..) {
                    let (digits, negatives) = (&digits[..rows], &negatives[..rows]);
                    let out = &mut outs[number / each * words + polynomial..][..n];
                    // Where the first of the columns goes, and how many of them stay below X^N.
                    let to = column % n + number % each * self.block;
                    let below = columns.min(n.saturating_sub(to));
                    add_linear_combination_u64(self.isa, &mut out[to.min(n)..][..below], tile, stride, digits);
                    let (rest, above) = (to.saturating_sub(n), columns - below);
                    add_linear_combination_u64(self.isa, &mut out[rest..][..above], &tile[below..], stride, negatives);
                }
            }
        }
    }
}

/// What the decomposition drops: x − Σ_l digit_l(x)·g_l, the centred low bits of x.
fn dropped(x: u64, gadget: Gadget) -> i64 {
    let kept = gadget.levels() * gadget.log2_base();
    if kept == 64 { 0 } else { ((x << kept) as i64) >> kept }
}
