//! The steps of a functional bootstrap, on batches: key switch, modulus switch, blind rotation, extraction (the order
//! of the recursive-decomposition paper's Algorithm 2: ciphertexts live under the long key).
use super::blind_rotate::{BlindRotation, RotationKey};
use super::prepared::PreparedEvaluationKey;
use super::test_vector::{EncryptedTestVector, TestVector};
use crate::cancel::Cancel;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_ring::mem::{AlignedVec, Scratch};
use bootes_ring::torus::Torus;

/// A rotation to make: which short sample, scaled how, through which test vector.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Short sample (a, b) modulo 2^32.
    pub sample: &'a [u32],
    /// The sample is multiplied by 2^this first: the table sees the message modulo p/2^this.
    pub log2_factor: u32,
    /// Added to b, as a fraction of 2^32.
    pub offset: u32,
    /// How many tables share the accumulator, m: exponents are multiples of it.
    pub interleaved: u32,
    /// The table.
    pub table: JobTable<'a>,
}

/// The test vector that is rotated.
#[derive(Clone, Copy, Debug)]
pub enum JobTable<'a> {
    /// A plaintext.
    Plain(&'a TestVector),
    /// Ciphertexts under the accumulator's key.
    Encrypted(&'a EncryptedTestVector),
}

impl JobTable<'_> {
    /// Extension factor ν.
    pub fn extension(self) -> usize {
        match self {
            Self::Plain(vector) => vector.extension(),
            Self::Encrypted(vector) => vector.extension(),
        }
    }

    fn rotate_into<W: Torus>(self, accumulator: &mut [W], exponent: u32) {
        match self {
            Self::Plain(vector) => vector.rotate_into(accumulator, exponent),
            Self::Encrypted(vector) => vector.rotate_into(accumulator, exponent),
        }
    }
}

/// Bytes of accumulators rotated together. A block of the key stays in a core's second-level cache meanwhile, the
/// accumulators stream through from the third level: the larger the group, the less often the key is read from memory.
pub(super) const GROUP_BYTES: usize = 2560 << 10;

/// Rotations made together, at most: small accumulators gain nothing from more.
pub(super) const GROUP: usize = 128;

/// Buffers of [`RotationKey::rotate_all`], reused from batch to batch.
#[derive(Debug)]
pub struct RotationWorkspace<W: Torus = u64> {
    exponents: Vec<u32>,
    accumulators: AlignedVec<W>,
    cancel: Cancel,
}

impl<W: Torus> RotationWorkspace<W> {
    /// Rotations in it end where `cancel` says so.
    pub fn cancelled_by(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }
}

impl<W: Torus> RotationKey<W> {
    /// Components (of degree N') that are rotated together.
    pub fn group_components(&self) -> usize {
        (GROUP_BYTES / (self.shape().words() * size_of::<W>())).max(1)
    }

    /// A workspace for groups with rotations of extension at most `extension`.
    pub fn workspace(&self, extension: usize) -> RotationWorkspace<W> {
        let components = self.group_components().max(extension);
        RotationWorkspace {
            exponents: vec![0; components.min(GROUP) * (self.dimension() + 1)],
            accumulators: AlignedVec::new(components * self.shape().words()),
            cancel: Cancel::new(),
        }
    }

    /// Bytes of [`Self::workspace`].
    pub fn workspace_bytes(&self, extension: usize) -> usize {
        let components = self.group_components().max(extension);
        components.min(GROUP) * (self.dimension() + 1) * size_of::<u32>()
            + components * self.shape().words() * size_of::<W>()
    }

    /// Bootstraps every job and hands the rotated accumulator, `[component][polynomial][N']`, to `take(job index,
    /// accumulator)`: the constant coefficient of its component 0 is the table's value. What was cancelled meanwhile is
    /// not handed on.
    pub fn rotate_all(
        &self,
        jobs: &[Job<'_>],
        workspace: &mut RotationWorkspace<W>,
        mut scratch: Scratch<'_>,
        mut take: impl FnMut(usize, &[W]),
    ) {
        let words = self.shape().words();
        let mut start = 0;
        while start < jobs.len() {
            // As many jobs as fit; at least one.
            let mut components = 0;
            let mut end = start;
            while end < jobs.len().min(start + GROUP) {
                let extension = jobs[end].table.extension();
                if end > start && (components + extension) * words > workspace.accumulators.len() {
                    break;
                }
                components += extension;
                end += 1;
            }
            self.rotate_group(&jobs[start..end], workspace, scratch.reborrow());
            if workspace.cancel.is_cancelled() {
                return;
            }
            let mut at = 0;
            for (i, job) in jobs[start..end].iter().enumerate() {
                let end = at + job.table.extension() * words;
                take(start + i, &workspace.accumulators[at..end]);
                at = end;
            }
            start = end;
        }
    }

    fn rotate_group(&self, jobs: &[Job<'_>], workspace: &mut RotationWorkspace<W>, scratch: Scratch<'_>) {
        let (n, words) = (self.dimension(), self.shape().words());
        let mut rotations: [BlindRotation<'_, W>; GROUP] = std::array::from_fn(|_| BlindRotation::default());
        let mut accumulators = &mut workspace.accumulators[..];
        let exponents = workspace.exponents.chunks_exact_mut(n + 1);
        for ((job, rotation), exponents) in jobs.iter().zip(&mut rotations).zip(exponents) {
            let extension = job.table.extension();
            let modulus = (2 * extension * self.shape().degree) as u32 / job.interleaved;
            mod_switch_into(exponents, job.sample, self.distribution(), modulus, job.log2_factor, job.offset);
            if job.interleaved > 1 {
                exponents.iter_mut().for_each(|x| *x *= job.interleaved);
            }
            let (accumulator, rest) = std::mem::take(&mut accumulators).split_at_mut(extension * words);
            accumulators = rest;
            let (mask, body) = exponents.split_at(n);
            job.table.rotate_into(accumulator, body[0]);
            *rotation = BlindRotation { extension, mask, accumulator };
        }
        self.rotate(&mut rotations[..jobs.len()], &workspace.cancel, scratch);
    }
}

impl<W: Torus> PreparedEvaluationKey<W> {
    /// Key-switches long ciphertexts, one after the other, to short samples of `key_switch.stride()` words.
    pub fn switch_keys_into(&self, samples: &mut [u32], inputs: &[W]) {
        self.key_switch.switch_into(samples, inputs);
    }

    /// Coefficient `position` of an extended accumulator `[component][polynomial][N']` as a long ciphertext.
    pub fn extract_extended_into(&self, out: &mut [W], accumulator: &[W], position: usize) {
        let words = self.shape().words();
        let extension = accumulator.len() / words;
        let component = position % extension;
        let glwe = &accumulator[component * words..(component + 1) * words];
        sample_extract_into(out, glwe, self.shape(), position / extension);
    }
}
