use super::words::{for_all, keys, tenths};
use bootes_schemes::fhew::KeyNeeds;
use thiserror::Error;

/// Why an algorithm of engine fhew cannot evaluate a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FhewLutError {
    /// The algorithm cannot evaluate this table.
    #[error("algorithm {algorithm} cannot evaluate this table: {reason}")]
    Unsupported {
        /// Name of the algorithm.
        algorithm: String,
        /// Why, and what to take instead.
        reason: String,
    },
    /// The algorithm uses keys that are not there.
    #[error("{algorithm} needs {missing} in the server key: {}", keys(algorithm))]
    Keys {
        /// Name of the algorithm, or of the function.
        algorithm: String,
        /// The keys that are missing.
        missing: KeyNeeds,
    },
    /// No extension factor keeps the promised failure probability.
    #[error(
        "the noise is too large: with parameter set {params} rotation {rotation} would fail with probability \
         2^{found:.1}, the promise is 2^{}{} (half window 2^{log2_half_window:.2} against {needed:.1} \
         standard deviations of 2^{log2_std:.2})",
        tenths(*promised),
        for_all(*rotations)
    )]
    Noise {
        /// Name of the set.
        params: String,
        /// Which rotation of the circuit, from 1.
        rotation: usize,
        /// How many there are, which share the promise.
        rotations: usize,
        /// log2 of half the table's window, as a fraction of the torus.
        log2_half_window: f64,
        /// log2 of the standard deviation of the phase.
        log2_std: f64,
        /// Standard deviations that must fit into half a window.
        needed: f64,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
    },
    /// The results would be too noisy to decrypt.
    #[error(
        "the results would be too noisy: with parameter set {params} decryption would fail with probability \
         2^{found:.1}, the promise is 2^{} (half a step 2^{log2_half_window:.2} against {needed:.1} \
         standard deviations of 2^{log2_std:.2})",
        tenths(*promised)
    )]
    OutputNoise {
        /// Name of the set.
        params: String,
        /// log2 of half the distance of two results, as a fraction of the torus.
        log2_half_window: f64,
        /// log2 of the standard deviation of a result's noise.
        log2_std: f64,
        /// Standard deviations that must fit.
        needed: f64,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
    },
    /// Products need an RLWE accumulator.
    #[error(
        "the products of this algorithm need a GLWE rank of 1, parameter set {params} has {rank}: take another set or \
        algorithm"
    )]
    Rank {
        /// Name of the set.
        params: String,
        /// Its rank.
        rank: usize,
    },
    /// More entries than a set of engine fhew holds integers.
    #[error(
        "tables of {found} entries: engine fhew has parameters for up to {max}; larger ones, up to 2^20, \
         have engine ckks (Params::on with Engine::Ckks)"
    )]
    Entries {
        /// How many.
        found: u64,
        /// The most.
        max: u64,
    },
    /// A table on digits is out of range.
    #[error("a table on decomposed digits has {found} as number of {what}, expected {expected}")]
    LargeTable {
        /// "entries" or "output bits".
        what: &'static str,
        /// How many.
        found: usize,
        /// The values that it may have.
        expected: &'static str,
    },
    /// A table of a chain does not fit it.
    #[error(
        "table {index} of the chain maps {found:?} (inputs, outputs), expected {expected:?}: digit and state, to a \
        state"
    )]
    Chain {
        /// Which table.
        index: usize,
        /// Moduli it must have.
        expected: [u64; 2],
        /// Moduli it has.
        found: [u64; 2],
    },
    /// No algorithm has this name.
    #[error("no algorithm is called {name:?}, expected one of {known}")]
    UnknownAlgorithm {
        /// The one asked for.
        name: String,
        /// The names there are.
        known: String,
    },
}
