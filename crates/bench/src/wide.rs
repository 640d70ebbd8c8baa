//! The common part of the benchmarks of words of 128 bits: the keys of a set, and tables on batches of ciphertexts.
pub(crate) mod depth;
pub(crate) mod figure2;
pub(crate) mod messages;
pub(crate) mod table2;
#[cfg(in_repository)]
pub(crate) mod table3;
pub(crate) mod tables45;

use crate::BenchError;
use crate::clock::Samples;
use crate::random::{SplitMix, encrypt};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;

/// Values evaluated together.
pub(crate) const BATCH: usize = 16;

/// The keys of a set.
pub(crate) struct Subject {
    pub(crate) params: FhewParams,
    keys: SecretKeys,
    pub(crate) key: PreparedEvaluationKey<u128>,
    pub(crate) random: SplitMix,
}

impl Subject {
    pub(crate) fn new(params: &FhewParams) -> Result<Self, BenchError> {
        let mut random = SplitMix(u64::from(params.log2_modulus()));
        let keys = SecretKeys::derive(params, SecretSeed::from_bytes(&random.seed()));
        let key = keys.evaluation_key_of()?.prepare()?;
        Ok(Self { params: params.clone(), keys, key, random })
    }

    /// Words of a ciphertext.
    pub(crate) fn long(&self) -> usize {
        self.params.ciphertext_dimension() + 1
    }

    pub(crate) fn encrypt(&mut self, messages: &[u64], bits: u32) -> Vec<u128> {
        encrypt(&self.keys, messages, bits, &mut self.random)
    }

    /// Puts ciphertexts through a circuit, in batches, and times them into `samples`, as times a value.
    pub(crate) fn evaluate(&self, circuit: &Circuit, inputs: &[u128], samples: &mut Samples) -> Vec<u128> {
        let table = PreparedTable::new(&self.params, circuit.clone(), self.key.rotation.fft());
        let mut workspace = Workspace::new(&self.key, circuit, BATCH);
        let mut results = vec![0; inputs.len()];
        samples.time((inputs.len() / self.long()) as f64, || {
            for (out, inputs) in results.chunks_mut(BATCH * self.long()).zip(inputs.chunks(BATCH * self.long())) {
                eval_into(&mut [out], &table, &[inputs], &self.key, &mut workspace);
            }
        });
        results
    }

    /// The messages that ciphertexts decrypt to.
    pub(crate) fn decrypt(&self, ciphertexts: &[u128], bits: u32) -> Vec<u64> {
        ciphertexts.chunks_exact(self.long()).map(|c| decode(self.keys.phase(c).top(), bits)).collect()
    }

    /// Deviations from the encodings of `expected`, of the torus.
    pub(crate) fn errors(&self, ciphertexts: &[u128], expected: &[u64], bits: u32) -> Vec<f64> {
        let error = |(c, &m): (&[u128], &u64)| torus_difference(self.keys.phase(c), u128::from_top(encode(m, bits)));
        ciphertexts.chunks_exact(self.long()).zip(expected).map(error).collect()
    }

    /// log2 of a standard deviation of the torus, in units of 1/Q.
    pub(crate) fn log2_of_unit(&self, std: f64) -> f64 {
        log2_of_unit(&self.params, std)
    }
}

/// log2 of a standard deviation of the torus, in units of 1/Q.
pub(crate) fn log2_of_unit(params: &FhewParams, std: f64) -> f64 {
    std.log2() + f64::from(params.log2_modulus())
}
