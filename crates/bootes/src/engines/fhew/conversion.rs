//! Values that come from ciphertexts of another engine.
use super::samples::Samples;
use super::words::{Bytes, Word, with_words};
use super::{Ciphertexts, Client, Params};
use crate::origin::Origin;
use crate::{Error, Space};
use bootes_lattice::keyswitch::SeededTraceKey;
use bootes_lattice::ring_switch::SeededRingSwitchKey;
use bootes_lattice::secret::GlweSecretKey;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;

impl Ciphertexts {
    /// None, but what is known of those that come from another engine, with this bound on their noise, which is raised
    /// to that of fresh ones: readers rely on it.
    pub(crate) fn converted(params: &Params, key_id: [u8; 16], space: Space, variance: f64, origin: Origin) -> Self {
        Self::head(params, key_id, space, variance.max(params.fresh_variance()).into(), origin)
    }
}

/// Appends the upper words of one sample, (a, b), rounded.
pub(crate) fn put_tops(params: &FhewParams, sample: &Samples<'_>, out: &mut Vec<u64>) {
    with_words!(params.word_bits(), W => {
        let mut words = vec![W::default(); params.ciphertext_dimension() + 1];
        sample.expand_into(&mut words);
        out.extend(words.into_iter().map(|word| u64::nearest(word.widened())));
    });
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

/// Upper words as the words of a set.
#[derive(Clone, Copy)]
pub(crate) struct Tops {
    bits: u32,
    stride: usize,
}

impl Tops {
    /// Those of a set.
    pub(crate) fn of(params: &FhewParams) -> Self {
        let (bits, words) = (params.word_bits(), params.ciphertext_dimension() + 1);
        Self { bits, stride: words * bits as usize / 8 }
    }

    /// Bytes of a sample.
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// Overwrites `out` by a sample, (a, b).
    pub(crate) fn put(self, sample: &[u64], out: &mut [u8]) {
        let mut bytes = Vec::with_capacity(self.stride);
        with_words!(self.bits, W => {
            W::put(&sample.iter().map(|&top| W::from_top(top)).collect::<Vec<_>>(), &mut bytes);
        });
        out.copy_from_slice(&bytes);
    }
}
