//! The steps of a functional bootstrap, on batches: key switch, modulus switch, blind rotation, extraction
//! (the order of the recursive-decomposition paper's Algorithm 2: ciphertexts live under the long key).
use super::blind_rotate::{Rotation, RotationKey};
use super::keys::{PreparedEvaluationKey, RingKey};
use super::test_vector::TestVector;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_ring::mem::{AlignedVec, Scratch};

/// A rotation to make: which short sample, scaled how, through which test vector.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Short sample (a, b) modulo 2^32.
    pub sample: &'a [u32],
    /// The sample is multiplied by 2^this first: the table sees the message modulo p/2^this.
    pub log2_factor: u32,
    /// Added to b, as a fraction of 2^32.
    pub offset: u32,
    /// The table.
    pub test_vector: &'a TestVector,
}

/// Bytes of accumulators rotated together: they should stay in a core's second-level cache beside a block of the key.
const GROUP_BYTES: usize = 1280 << 10;

/// Buffers of [`RotationKey::rotate_all`], reused from batch to batch.
#[derive(Debug)]
pub struct Workspace {
    exponents: Vec<u32>,
    accumulators: AlignedVec<u64>,
}

impl RotationKey {
    /// Components (of degree N') that are rotated together.
    pub fn group_components(&self) -> usize {
        (GROUP_BYTES / (self.shape().words() * 8)).max(1)
    }

    /// A workspace for groups with rotations of extension at most `extension`.
    pub fn workspace(&self, extension: usize) -> Workspace {
        let components = self.group_components().max(extension);
        Workspace {
            exponents: vec![0; components * (self.dimension() + 1)],
            accumulators: AlignedVec::new(components * self.shape().words()),
        }
    }

    /// Bootstraps every job and hands the rotated accumulator's component 0, a GLWE ciphertext whose constant coefficient
    /// is the table's value, to `take(job index, ciphertext)`.
    pub fn rotate_all(
        &self,
        jobs: &[Job<'_>],
        workspace: &mut Workspace,
        mut scratch: Scratch<'_>,
        mut take: impl FnMut(usize, &[u64]),
    ) {
        let words = self.shape().words();
        let mut start = 0;
        while start < jobs.len() {
            // As many jobs as fit; at least one.
            let mut components = 0;
            let mut end = start;
            while end < jobs.len() {
                let extension = jobs[end].test_vector.extension();
                if end > start && (components + extension) * words > workspace.accumulators.len() {
                    break;
                }
                components += extension;
                end += 1;
            }
            self.rotate_group(&jobs[start..end], workspace, scratch.reborrow());
            let mut at = 0;
            for (i, job) in jobs[start..end].iter().enumerate() {
                take(start + i, &workspace.accumulators[at..at + words]);
                at += job.test_vector.extension() * words;
            }
            start = end;
        }
    }

    fn rotate_group(&self, jobs: &[Job<'_>], workspace: &mut Workspace, scratch: Scratch<'_>) {
        let (n, words) = (self.dimension(), self.shape().words());
        let mut rotations = Vec::with_capacity(jobs.len());
        let mut accumulators = &mut workspace.accumulators[..];
        for (job, exponents) in jobs.iter().zip(workspace.exponents.chunks_exact_mut(n + 1)) {
            let extension = job.test_vector.extension();
            let modulus = (2 * extension * self.shape().degree) as u32;
            mod_switch_into(exponents, job.sample, self.distribution(), modulus, job.log2_factor, job.offset);
            let (accumulator, rest) = std::mem::take(&mut accumulators).split_at_mut(extension * words);
            accumulators = rest;
            let (mask, body) = exponents.split_at(n);
            job.test_vector.rotate_into(accumulator, body[0]);
            rotations.push(Rotation { extension, mask, accumulator });
        }
        self.rotate(&mut rotations, scratch);
    }
}

impl PreparedEvaluationKey {
    /// Key-switches long ciphertexts to short samples of `key_switch.stride()` words.
    pub fn switch_keys(&self, inputs: &[&[u64]]) -> Vec<u32> {
        let mut samples = vec![0; inputs.len() * self.key_switch.stride()];
        self.key_switch.switch_into(&mut samples, inputs);
        samples
    }

    /// The constant coefficient of `glwe` as a long ciphertext.
    pub fn extract_into(&self, out: &mut [u64], glwe: &[u64]) {
        sample_extract_into(out, glwe, self.shape(), 0);
    }
}

impl RingKey {
    /// Adds the constant coefficients of `accumulators` (GLWE ciphertexts of the ring, one after the other) to as many
    /// ciphertexts under the base ring's key: sample extraction and key switch.
    ///
    /// Noise: `FhewParams::ring_key_switch_variance`.
    pub fn add_extracted(&self, out: &mut [u64], accumulators: &[u64]) {
        let shape: GlweShape = self.rotation.shape();
        let (long, stride) = (self.key_switch.output_dimension() + 1, self.key_switch.stride());
        let count = out.len() / long;
        let mut samples = vec![0; count * (shape.lwe_dimension() + 1)];
        for (sample, glwe) in
            samples.chunks_exact_mut(shape.lwe_dimension() + 1).zip(accumulators.chunks_exact(shape.words()))
        {
            sample_extract_into(sample, glwe, shape, 0);
        }
        let mut switched = vec![0u32; count * stride];
        let inputs: Vec<&[u64]> = samples.chunks_exact(shape.lwe_dimension() + 1).collect();
        self.key_switch.switch_into(&mut switched, &inputs);
        for (out, switched) in out.chunks_exact_mut(long).zip(switched.chunks_exact(stride)) {
            out.iter_mut().zip(switched).for_each(|(x, &y)| *x = x.wrapping_add(u64::from(y) << 32));
        }
    }
}
