//! From LWE to GGSW: the second half of circuit bootstrapping (Chillotti, Gama, Georgieva, Izabachène 2017), by
//! automorphisms and a scheme switch in place of private key switches (Wang, Ha, Shen, Lu, Chen, Wang, Lee: *Refined
//! TFHE Leveled Homomorphic Evaluation and Its Application*, 2024/1318).
//!
//! A GGSW ciphertext of a bit u has the rows GLWE(u·g_l) and GLWE(u·g_l·s). From LWE samples of u·g_l, which a blind
//! rotation makes, [`TraceKey::spread_into`] makes the first, and [`SchemeSwitchKey`] of these the second: a ciphertext
//! (a, b) of phase ϕ = b + a·s becomes one of phase a·s² + b·s = ϕ·s. Rank 1.
//!
//! Ours: samples are packed eight at a time and then spread, so that each costs 2.75 key switches, with N = 2048, and
//! not log2(N) = 11; and words are halved level by level ([`TraceKey`]), so that a factor of 8 meets the noise, and not
//! N.
use crate::external::PreparedGgsw;
use crate::keyswitch::{GlweKeySwitchKey, SeededGlweKeySwitchKey, TraceKey};
use crate::secret::GlweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::fft::Fft;
use bootes_ring::mem::{Scratch, scratch_bytes};
use bootes_ring::sample::{MaskSeed, SecretSeed};

/// The key of scheme switching, bodies only: a [`SeededGlweKeySwitchKey`] of the secret polynomials s² and s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededSchemeSwitchKey(pub SeededGlweKeySwitchKey);

impl SeededSchemeSwitchKey {
    /// The key of `key`, of rank 1, with noise of standard deviation `std` (of the torus).
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] if the rank is not 1; [`LatticeError::Size`] if `fft` has another degree.
    pub fn generate(
        key: &GlweSecretKey,
        fft: &Fft,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        SeededGlweKeySwitchKey::generate_powers(key, fft, gadget, std, mask_seed, noise_seed).map(Self)
    }

    /// Regenerates the masks and transforms the rows.
    ///
    /// # Errors
    /// [`LatticeError::Size`] if `fft` has another degree, or the key not two polynomials; if memory is missing.
    pub fn prepare(&self, fft: &Fft) -> Result<SchemeSwitchKey, LatticeError> {
        let key = self.0.prepare(fft)?;
        if key.input_rank() != 2 {
            return Err(LatticeError::Size { what: "scheme-switching key", expected: 2, found: key.input_rank() });
        }
        Ok(SchemeSwitchKey(key))
    }
}

/// The expanded key of scheme switching.
#[derive(Debug)]
pub struct SchemeSwitchKey(GlweKeySwitchKey);

impl SchemeSwitchKey {
    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Sets `out` to a ciphertext of phase ϕ·s + noise, ϕ the phase of `glwe`, noise included.
    ///
    /// Noise: `noise::formula::glwe_key_switch` of two polynomials, of the squared norms of s² and s.
    pub fn switch_into(&self, out: &mut [u64], glwe: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        out.fill(0);
        self.0.switch_add(out, glwe, fft, scratch);
    }
}

/// Samples that are spread together, at most.
pub const TOGETHER: usize = 8;

/// Makes GGSW ciphertexts of bits, levels `gadget.levels()` each, of LWE samples under the flattened key
/// whose phases are u·g_l: `samples[i·d + l − 1]` is level l of bit i.
///
/// Noise of the products with them: `noise::formula::made_ggsw`.
///
/// # Errors
/// [`LatticeError::Parameter`] unless there are d samples for each of `out`; as [`TraceKey::pack_into`].
pub fn ggsws_of_samples(
    out: &mut [PreparedGgsw],
    samples: &[&[u64]],
    trace: &TraceKey,
    switch: &SchemeSwitchKey,
    fft: &Fft,
    scratch: Scratch<'_>,
) -> Result<(), LatticeError> {
    let shape = trace.shape();
    let Some(levels) = out.first().map(|ggsw| ggsw.gadget().levels() as usize) else { return Ok(()) };
    let expected = out.len() * levels;
    if samples.len() != expected {
        let (what, expected) = ("number of samples for GGSW ciphertexts", "one for each level of each");
        return Err(LatticeError::Parameter { what, expected, found: samples.len().to_string() });
    }
    let (rows, scratch) = scratch.take::<u64>(TOGETHER * shape.words());
    let (times_key, mut scratch) = scratch.take::<u64>(shape.words());
    for (group, samples) in samples.chunks(TOGETHER).enumerate() {
        // The last of them as often as fill a power of two.
        let last = samples[samples.len() - 1];
        let mut padded = samples.to_vec();
        padded.resize(samples.len().next_power_of_two(), last);
        let rows = &mut rows[..padded.len() * shape.words()];
        trace.spread_into(rows, &padded, fft, scratch.reborrow())?;
        for (row, number) in rows.chunks_exact(shape.words()).zip(group * TOGETHER..expected) {
            let ggsw = &mut out[number / levels];
            switch.switch_into(times_key, row, fft, scratch.reborrow());
            ggsw.set_row(0, number % levels, times_key, fft);
            ggsw.set_row(1, number % levels, row, fft);
        }
    }
    Ok(())
}

/// The key switches that [`ggsws_of_samples`] makes for `samples` of degree N: those of the trace, and of the scheme.
pub fn key_switches(samples: usize, degree: usize) -> [usize; 2] {
    let of_group = |count: usize| {
        let count = count.next_power_of_two();
        2 * (count - 1) + (degree / count).ilog2() as usize
    };
    let (whole, rest) = (samples / TOGETHER, samples % TOGETHER);
    [whole * of_group(TOGETHER) + if rest > 0 { of_group(rest) } else { 0 }, samples]
}

/// Scratch that [`ggsws_of_samples`] needs.
pub fn ggsws_scratch_bytes(trace: &TraceKey) -> usize {
    let words = trace.shape().words();
    scratch_bytes::<u64>(TOGETHER * words) + scratch_bytes::<u64>(words) + trace.spread_scratch_bytes(TOGETHER)
}
