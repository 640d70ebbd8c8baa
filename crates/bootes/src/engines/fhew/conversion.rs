//! Values that come from ciphertexts of another engine.
use super::words::{Bytes, Word, with_words};
use super::{Ciphertexts, Client, Params};
use crate::engines::EngineCiphertexts;
use crate::memory::reserved_as;
use crate::origin::Origin;
use crate::{Error, Space};
use bootes_lattice::keyswitch::SeededTraceKey;
use bootes_lattice::ring_switch::SeededRingSwitchKey;
use bootes_lattice::secret::GlweSecretKey;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;

impl Ciphertexts {
    /// Appends the upper words of the ciphertext of a value, of one limb: (a, b), rounded.
    pub(crate) fn put_tops(&self, position: usize, out: &mut Vec<u64>) {
        with_words!(self.params().word_bits(), W => {
            let mut words = vec![W::default(); self.params().ciphertext_dimension() + 1];
            self.samples().piece(position..position + 1).expand_into(&mut words);
            out.extend(words.into_iter().map(|word| u64::nearest(word.widened())));
        });
    }
}

impl Client {
    /// The accumulator's key.
    pub(crate) fn glwe_key(&self) -> &GlweSecretKey {
        self.keys.expose_glwe()
    }

    /// The key that packs before rings are merged: [`SecretKeys::merge_packing_key`].
    ///
    /// [`SecretKeys::merge_packing_key`]: bootes_schemes::fhew::keys::SecretKeys::merge_packing_key
    pub(crate) fn merge_packing_key(&self, owner: &[u8; 32]) -> Result<SeededTraceKey, Error> {
        Ok(self.keys.merge_packing_key(owner)?)
    }

    /// The key from another ring's secret: [`SecretKeys::ring_switch_key`].
    ///
    /// [`SecretKeys::ring_switch_key`]: bootes_schemes::fhew::keys::SecretKeys::ring_switch_key
    pub(crate) fn ring_switch_key(&self, secret: &[i8], owner: &[u8; 32]) -> Result<SeededRingSwitchKey, Error> {
        Ok(self.keys.ring_switch_key(secret, owner)?)
    }
}

/// Samples in the words of a set, zeros until they are put.
pub(crate) struct Gathered {
    bits: u32,
    /// Bytes of one.
    stride: usize,
    bytes: Vec<u8>,
}

impl Gathered {
    /// Room for so many.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`].
    pub(crate) fn new(params: &FhewParams, count: usize) -> Result<Self, Error> {
        let (bits, words) = (params.word_bits(), params.ciphertext_dimension() + 1);
        let stride = words * bits as usize / 8;
        let mut bytes = reserved_as(count, stride)?;
        bytes.resize(count * stride, 0);
        Ok(Self { bits, stride, bytes })
    }

    /// Number `i`, (a, b).
    pub(crate) fn put(&mut self, i: usize, sample: &[u64]) {
        let mut bytes = Vec::with_capacity(self.stride);
        with_words!(self.bits, W => {
            W::put(&sample.iter().map(|&top| W::from_top(top)).collect::<Vec<_>>(), &mut bytes);
        });
        self.bytes[i * self.stride..][..self.stride].copy_from_slice(&bytes);
    }

    /// All of them, as ciphertexts with this bound on their noise, which is raised to that of fresh ones: readers rely
    /// on it.
    pub(crate) fn ciphertexts(
        self,
        params: &Params,
        key_id: [u8; 16],
        space: Space,
        variance: f64,
        origin: Origin,
    ) -> Ciphertexts {
        let variance = variance.max(params.fresh_variance()).into();
        Ciphertexts::head(params, key_id, space, variance, origin).with_words(self.bytes)
    }
}
