use bootes_ring::error::RingError;
use bootes_ring::poly::Limbs;
use thiserror::Error;

use super::RlweEncoding;
use crate::wire::WireError;

/// Why an RLWE ciphertext cannot be made, changed or read.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RlweError {
    /// A modulus 2^k out of range.
    #[error("modulus 2^{found}: expected 2^2 to 2^{max}")]
    Log2Modulus {
        /// k.
        found: u32,
        /// The largest k.
        max: u32,
    },
    /// Fewer than two messages.
    #[error("values modulo {found}: expected 2 or more")]
    PlaintextModulus {
        /// p.
        found: u64,
    },
    /// A modulus with too little room for messages and noise.
    #[error("modulus 2^{found} is too small for values modulo {plaintext_modulus}: expected 2^{min} or more")]
    TooSmall {
        /// k.
        found: u32,
        /// p.
        plaintext_modulus: u64,
        /// The smallest k.
        min: u32,
    },
    /// A standard deviation that cannot be sampled.
    #[error("noise of standard deviation {found}: expected 0 to 2^40")]
    Noise {
        /// The deviation asked for.
        found: f64,
    },
    /// A value that is not in Z_p.
    #[error("value {position} is {found}: expected 0 to {}", modulus - 1)]
    Value {
        /// Where the first such value stands.
        position: usize,
        /// The value.
        found: u64,
        /// p.
        modulus: u64,
    },
    /// More values than coefficients.
    #[error("too many values for one ciphertext: {found}, expected at most {max}; split them over several")]
    TooManyValues {
        /// How many there are.
        found: usize,
        /// The ring degree.
        max: usize,
    },
    /// A ciphertext or key of another ring.
    #[error("ring degree {found}: expected {expected}")]
    Degree {
        /// The number found.
        found: usize,
        /// The degree of the ring, or of the other operand.
        expected: usize,
    },
    /// A key whose primes do not hold the product of a mask and the secret.
    #[error("the key has primes of {found:.1} bits in all, {expected:.1} are needed; generate it with more limbs")]
    KeyModulus {
        /// log2 of the product of the primes of the key.
        found: f64,
        /// k + log2(h).
        expected: f64,
    },
    /// A ciphertext that is not modulo q_0.
    #[error("a ciphertext modulo q_0 is expected, found {} primes of the chain and {} special ones", found.chain, found.special)]
    NotBase {
        /// Its primes.
        found: Limbs,
    },
    /// Two ciphertexts that do not encode alike.
    #[error("messages {found} where {expected} are expected; switch moduli first")]
    Encoding {
        /// The encoding of the second operand.
        found: RlweEncoding,
        /// The encoding of the first operand.
        expected: RlweEncoding,
    },
    /// A reduction that messages do not follow.
    #[error("messages {found} have no reduction modulo 2^{log2_modulus}: p·2^{log2_modulus}/q is no integer from 2 on")]
    Reduction {
        /// The encoding that was to be reduced.
        found: RlweEncoding,
        /// log2 of the smaller modulus.
        log2_modulus: u32,
    },
    /// Bytes that are no ciphertext.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The ring refused.
    #[error(transparent)]
    Ring(#[from] RingError),
}
