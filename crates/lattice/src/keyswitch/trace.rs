//! Packing by automorphisms (Chen, Dai, Kim, Song: *Efficient Homomorphic Conversion Between (Ring) LWE Ciphertexts*, 2021;
//! HERMES): M = 2^m LWE samples under the flattened key become one GLWE ciphertext with the phase Σ_j m_j·X^{jN/M} + noise.
//!
//! A sample is embedded as a GLWE ciphertext with its phase in the constant coefficient and anything in the others. Two
//! packings of 2^{l−1} samples, c for the even indices and c' for the odd ones, merge to
//!
//! (c + X^{N/2^l}·c')/2 + σ((c − X^{N/2^l}·c')/2),    σ: X ↦ X^{2^l + 1},
//!
//! for l = 1, …, m; then c/2 + σ(c/2) for l = m + 1, …, log2 N clears the coefficients between the messages. σ fixes X^i or
//! negates it where i·2^l is a multiple of N: a multiple of 2N or not. So level l doubles halves at the places that are filled
//! already, and deletes what is left at those of 2-adic valuation log2(N) − l. Each σ is followed by a key switch from σ(s)
//! to s.
//!
//! **Where the factor N goes.** The halves are of *words*: c/2 stands for the real (φ + u)/2 with an unknown integer u, and the
//! two of one place add up to φ + u = φ modulo 1, or cancel. The papers leave the halves out, and the sum is N times the message;
//! N is then divided out before or multiplied in, and the noise of level l has grown by 2^{log2(N) − l}. Halved level by level
//! it is not multiplied at all: log2(N)·V instead of (N²−1)/3·V, where V is the noise of a key switch. Rounding a half errs by
//! 2^-65 in every second word: below 2^-50 of the torus for all degrees.
use super::glwe::{GlweKeySwitchKey, SeededGlweKeySwitchKey};
use crate::extract::sample_embed_into;
use crate::glwe::GlweShape;
use crate::secret::GlweSecretKey;
use crate::{Gadget, LatticeError};
use bootes_ring::automorphism::automorphism_into;
use bootes_ring::cancel::is_wanted;
use bootes_ring::fft::Fft;
use bootes_ring::mem::{Scratch, scratch_bytes};
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::torus::Torus;

/// Key-switching keys of the log2(N) automorphisms X ↦ X^{2^l + 1}, l = 1, …, log2 N, bodies only.
///
/// A [`SeededGlweKeySwitchKey`] of k·log2(N) secret polynomials: σ_l(s_j) is number (l − 1)·k + j.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededTraceKey(pub SeededGlweKeySwitchKey);

impl SeededTraceKey {
    /// The keys of `key`, with noise of standard deviation `std` (of the torus).
    ///
    /// # Errors
    /// If the degree has no transform.
    pub fn generate(
        key: &GlweSecretKey,
        gadget: Gadget,
        std: f64,
        mask_seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Result<Self, LatticeError> {
        let fft = Fft::new(key.degree())?;
        let exponents: Vec<usize> = (1..=key.degree().ilog2()).map(exponent).collect();
        SeededGlweKeySwitchKey::generate_automorphisms(key, &exponents, &fft, gadget, std, mask_seed, noise_seed)
            .map(Self)
    }

    /// Regenerates the masks and transforms the rows: the form that packs.
    ///
    /// # Errors
    /// [`LatticeError::Size`] if `fft` has another degree, or the key not k·log2(N) polynomials; if memory is missing.
    pub fn prepare(&self, fft: &Fft) -> Result<TraceKey, LatticeError> {
        let key = self.0.prepare(fft)?;
        let expected = key.shape().rank * key.shape().degree.ilog2() as usize;
        if key.input_rank() != expected {
            return Err(LatticeError::Size { what: "trace key", expected, found: key.input_rank() });
        }
        Ok(TraceKey(key))
    }
}

/// The exponent of level l: 2^l + 1.
fn exponent(level: u32) -> usize {
    (1 << level) + 1
}

/// Expanded keys of the log2(N) automorphisms.
#[derive(Debug)]
pub struct TraceKey(GlweKeySwitchKey);

impl TraceKey {
    /// Rank and degree of the output.
    pub fn shape(&self) -> GlweShape {
        self.0.shape()
    }

    /// Bytes of the expanded key.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Packs the M `inputs` (k·N + 1 words each, or none for zero; M a power of two up to N) into `out`, (k+1)·N words:
    /// phase Σ_j phase(input_j)·X^{jN/M} + noise, all other coefficients cleared.
    ///
    /// M − 1 + log2(N/M) key switches, but for those of zeros among themselves, which take no time.
    /// Noise: `noise::formula::trace_packing`. Where it is not wanted any longer ([`is_wanted`]), `out` is left
    /// unfinished.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] unless M is a power of two up to N; [`LatticeError::Size`] if an input, the output or the plan
    /// has another size.
    pub fn pack_into(
        &self,
        out: &mut [u64],
        inputs: &[&[u64]],
        fft: &Fft,
        scratch: Scratch<'_>,
    ) -> Result<(), LatticeError> {
        let (shape, n) = (self.shape(), self.shape().degree);
        let count = inputs.len();
        if !count.is_power_of_two() || count > n {
            let (what, expected) = ("number of samples to pack", "a power of two up to the ring degree");
            return Err(LatticeError::Parameter { what, expected, found: count.to_string() });
        }
        let samples = inputs.iter().filter(|input| !input.is_empty());
        let sizes = samples.map(|input| ("sample to pack", shape.lwe_dimension() + 1, input.len()));
        for (what, expected, found) in
            sizes.chain([("packed ciphertext", shape.words(), out.len()), ("plan of the transform", n, fft.degree())])
        {
            if found != expected {
                return Err(LatticeError::Size { what, expected, found });
            }
        }
        let levels = count.ilog2();
        // The first halves that wait for their second, one of each level, and whether they hold anything.
        let (waiting, scratch) = scratch.take::<u64>(levels as usize * shape.words());
        let mut waiting_holds = [false; usize::BITS as usize];
        let mut holds = false;
        let (difference, mut scratch) = scratch.take::<u64>(shape.words());
        for leaf in 0..count {
            if !is_wanted() {
                return Ok(());
            }
            // Even indices first, at each level.
            let index = if count == 1 { 0 } else { leaf.reverse_bits() >> (usize::BITS - levels) };
            holds = !inputs[index].is_empty();
            if holds {
                sample_embed_into(out, inputs[index], shape);
            }
            // As many merges as `leaf` ends in ones.
            for level in 1..=leaf.trailing_ones() {
                let even = &mut waiting[(level - 1) as usize * shape.words()..][..shape.words()];
                match [waiting_holds[level as usize - 1], holds] {
                    [false, false] => continue,
                    [true, false] => out.fill(0),
                    [false, true] => even.fill(0),
                    [true, true] => {}
                }
                holds = true;
                merge_halves(out, difference, even, n, n >> level);
                self.add_automorphism(out, level, difference, fft, scratch.reborrow());
            }
            if leaf + 1 < count {
                waiting_holds[leaf.trailing_ones() as usize] = holds;
                if holds {
                    waiting[leaf.trailing_ones() as usize * shape.words()..][..shape.words()].copy_from_slice(out);
                }
            }
        }
        if !holds {
            out.fill(0);
        }
        for level in levels + 1..=if holds { n.ilog2() } else { levels } {
            out.iter_mut().for_each(|x| *x = x.halved());
            difference.copy_from_slice(out);
            self.add_automorphism(out, level, difference, fft, scratch.reborrow());
        }
        Ok(())
    }

    /// A GLWE ciphertext for each of M `inputs`, M a power of two: its phase in the constant coefficient, the others
    /// cleared. `out` has M·(k+1)·N words.
    ///
    /// Samples of phases ϕ/M, packed, are taken apart: for l = log2 M, …, 1 the sum c + σ(c) is twice what c holds at
    /// even multiples of N/2^l, and X^{−N/2^l}·(c − σ(c)) at odd ones. Halved words would not do here: what is halved
    /// at places that hold nothing stays. 2(M − 1) + log2(N/M) key switches. Noise: `noise::formula::spread`.
    ///
    /// # Errors
    /// As [`Self::pack_into`].
    pub fn spread_into(
        &self,
        out: &mut [u64],
        inputs: &[&[u64]],
        fft: &Fft,
        scratch: Scratch<'_>,
    ) -> Result<(), LatticeError> {
        let (shape, count) = (self.shape(), inputs.len());
        let (words, n, sample) = (shape.words(), shape.degree, shape.lwe_dimension() + 1);
        if out.len() != count * words {
            return Err(LatticeError::Size { what: "spread ciphertexts", expected: count * words, found: out.len() });
        }
        if let Some(found) = inputs.iter().map(|input| input.len()).find(|&length| length != sample) {
            return Err(LatticeError::Size { what: "sample to pack", expected: sample, found });
        }
        let (parts, scratch) = scratch.take::<u64>(count * sample);
        let (image, mut scratch) = scratch.take::<u64>(words);
        let levels = count.checked_ilog2().unwrap_or(0);
        for (part, input) in parts.chunks_exact_mut(sample).zip(inputs) {
            part.iter_mut().zip(*input).for_each(|(x, &y)| *x = rounded_shift(y, levels));
        }
        let parts: Vec<&[u64]> = parts.chunks_exact(sample).collect();
        self.pack_into(&mut out[..words.min(count * words)], &parts, fft, scratch.reborrow())?;
        for level in (1..=levels).rev() {
            let filled = words << (levels - level);
            let (evens, odds) = out[..2 * filled].split_at_mut(filled);
            for (even, odd) in evens.chunks_exact_mut(words).zip(odds.chunks_exact_mut(words)) {
                image.fill(0);
                self.add_automorphism(image, level, even, fft, scratch.reborrow());
                sum_and_difference(even, odd, image, n, n >> level);
            }
        }
        Ok(())
    }

    /// Scratch that [`Self::spread_into`] needs for `count` inputs.
    pub fn spread_scratch_bytes(&self, count: usize) -> usize {
        let shape = self.shape();
        scratch_bytes::<u64>(count * (shape.lwe_dimension() + 1))
            + scratch_bytes::<u64>(shape.words())
            + self.pack_scratch_bytes(count)
    }

    /// Scratch that [`Self::pack_into`] needs for `count` inputs.
    pub fn pack_scratch_bytes(&self, count: usize) -> usize {
        let words = self.shape().words();
        let levels = count.checked_ilog2().unwrap_or(0) as usize;
        scratch_bytes::<u64>(levels * words)
            + scratch_bytes::<u64>(words)
            + scratch_bytes::<u64>(words)
            + self.0.scratch_bytes()
    }

    /// `out += σ(c)` under the same key, σ that of `level`.
    fn add_automorphism(&self, out: &mut [u64], level: u32, c: &[u64], fft: &Fft, scratch: Scratch<'_>) {
        let (shape, n) = (self.shape(), self.shape().degree);
        let (image, scratch) = scratch.take::<u64>(shape.words());
        for (image, polynomial) in image.chunks_exact_mut(n).zip(c.chunks_exact(n)) {
            automorphism_into(image, polynomial, exponent(level));
        }
        let (masks, body) = image.split_at(shape.lwe_dimension());
        out[shape.lwe_dimension()..].iter_mut().zip(body).for_each(|(x, &y)| *x = x.wrapping_add(y));
        self.0.switch_add_from(out, (level as usize - 1) * shape.rank, masks, fft, scratch);
    }
}

/// From c' = `out` and c = `even`: `out` = c/2 + X^shift·c'/2 and `difference` = c/2 − X^shift·c'/2.
fn merge_halves(out: &mut [u64], difference: &mut [u64], even: &[u64], n: usize, shift: usize) {
    for ((out, difference), even) in
        out.chunks_exact_mut(n).zip(difference.chunks_exact_mut(n)).zip(even.chunks_exact(n))
    {
        let (low, high) = difference.split_at_mut(shift);
        high.iter_mut().zip(&*out).for_each(|(d, &x)| *d = x.halved());
        low.iter_mut().zip(&out[n - shift..]).for_each(|(d, &x)| *d = x.halved().wrapping_neg());
        for ((out, difference), &even) in out.iter_mut().zip(difference).zip(even) {
            let (even, odd) = (even.halved(), *difference);
            *out = even.wrapping_add(odd);
            *difference = even.wrapping_sub(odd);
        }
    }
}

/// The nearest to x/2^`bits`.
fn rounded_shift(x: u64, bits: u32) -> u64 {
    let half = if bits == 0 { 0 } else { (x >> (bits - 1)) & 1 };
    (x >> bits) + half
}

/// From c = `even` and σ(c) = `image`: `even` = c + σ(c) and `odd` = X^−shift·(c − σ(c)).
fn sum_and_difference(even: &mut [u64], odd: &mut [u64], image: &[u64], n: usize, shift: usize) {
    for ((even, odd), image) in even.chunks_exact_mut(n).zip(odd.chunks_exact_mut(n)).zip(image.chunks_exact(n)) {
        let (moved, wrapped) = odd.split_at_mut(n - shift);
        wrapped.iter_mut().zip(even.iter().zip(image)).for_each(|(x, (&c, &d))| *x = d.wrapping_sub(c));
        let rest = even[shift..].iter().zip(&image[shift..]);
        moved.iter_mut().zip(rest).for_each(|(x, (&c, &d))| *x = c.wrapping_sub(d));
        even.iter_mut().zip(image).for_each(|(c, &d)| *c = c.wrapping_add(d));
    }
}
