use thiserror::Error;

use super::GaloisAction;

/// Why parameters cannot be used, or a key does not serve.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum KeyError {
    /// A parameter out of its range.
    #[error("{what} is {found}: expected {min} to {max}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The smallest value.
        min: u64,
        /// The largest value.
        max: u64,
    },
    /// A sparse key has as many 1 as −1.
    #[error("a key of {found} nonzero coefficients: expected an even number")]
    OddWeight {
        /// The number asked for.
        found: u32,
    },
    /// Slots of a ring whose degree is a power of two need an odd prime.
    #[error("slots modulo {found}: expected an odd prime, since the ring degree is a power of two")]
    EvenPrime {
        /// The modulus asked for.
        found: u64,
    },
    /// There is no key for products.
    #[error("no relinearisation key; generate the evaluation key with it")]
    NoRelinearisationKey,
    /// The relinearisation key was made for lower levels.
    #[error(
        "the relinearisation key serves levels up to {max}, but level {found} is needed; drop levels first, or generate the key for that"
    )]
    RelinearisationKeyLevel {
        /// The highest level of the key.
        max: usize,
        /// The level that it is needed for.
        found: usize,
    },
    /// There are no keys of the sparse secret.
    #[error("no keys for raising the modulus; generate the evaluation key for bootstrapping")]
    NoRaiseKeys,
    /// There is no key for an automorphism.
    #[error("no Galois key for the {action}; generate the evaluation key with it")]
    NoGaloisKey {
        /// The automorphism.
        action: GaloisAction,
    },
    /// A Galois key was made for lower levels.
    #[error(
        "the Galois key for the {action} serves levels up to {max}, but level {found} is needed; drop levels first, or generate the key for that"
    )]
    GaloisKeyLevel {
        /// The automorphism.
        action: GaloisAction,
        /// The highest level of the key.
        max: usize,
        /// The level that it is needed for.
        found: usize,
    },
    /// The ring refused.
    #[error(transparent)]
    Ring(#[from] bootes_ring::error::RingError),
    /// The lattice layer refused.
    #[error(transparent)]
    Lattice(#[from] bootes_lattice::LatticeError),
    /// The operating system gave no randomness.
    #[error(transparent)]
    Randomness(#[from] bootes_ring::sample::SampleError),
    /// There are no security data for the parameters.
    #[error(transparent)]
    Security(#[from] bootes_lattice::security::SecurityError),
}
