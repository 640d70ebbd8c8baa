use thiserror::Error;

use crate::rlwe::KeyError;

/// Why values cannot be encoded, or a map of slots not be built.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CkksError {
    /// Work that is no longer wanted.
    #[error("it was cancelled; what was evaluated is lost")]
    Cancelled,
    /// No transform for this ring degree.
    #[error("ring degree {found}: expected a power of two from {min} to {max}")]
    Degree {
        /// The number asked for.
        found: usize,
        /// The smallest degree.
        min: usize,
        /// The largest degree.
        max: usize,
    },
    /// More values than slots.
    #[error("too many values for one ciphertext: {found}, expected at most {max}; split them over several")]
    TooManyValues {
        /// How many there are.
        found: usize,
        /// Half the ring degree.
        max: usize,
    },
    /// A number of slots that is no power of two.
    #[error("{found} slots: expected a power of two; pad with zeros")]
    Slots {
        /// The number asked for.
        found: usize,
    },
    /// Not a coefficient for every power of X.
    #[error("{found} coefficients: expected {expected}, the ring degree")]
    Coefficients {
        /// How many there are.
        found: usize,
        /// The ring degree.
        expected: usize,
    },
    /// An infinity or not a number.
    #[error("value {position} is not finite; bring the values into the range that the parameters expect")]
    NotFinite {
        /// Where the first such value stands.
        position: usize,
    },
    /// Values that the modulus does not hold.
    #[error(
        "values too large: a coefficient of 2^{log2_found:.1} at their scale, expected less than 2^{log2_max:.1}; bring the values into range or encrypt at a higher level"
    )]
    TooLarge {
        /// log2 of the first that is too large.
        log2_found: f64,
        /// log2 of the limit: half the modulus, or what integers are reduced exactly from.
        log2_max: f64,
    },
    /// Stages that do not make up the transform.
    #[error("stages of {found:?} levels: expected positive numbers with sum {expected}")]
    Levels {
        /// Levels of the stages.
        found: Vec<usize>,
        /// log2 of the number of slots.
        expected: usize,
    },
    /// A set that does not keep the rule on security, and does not say so by its name.
    #[error(
        "parameter set {set} has {bits:.1} bits of security with log2(QP) = {log2_modulus:.1} and keys of weight {} and {}: expected 132 by every estimate; a smaller modulus, a larger ring or denser keys have them, and names that begin with toy_ or paper_ do without", .weights[0], .weights[1]
    )]
    Insecure {
        /// Name of the set.
        set: String,
        /// The least of all estimates, 0 where there are no data.
        bits: f64,
        /// log2(QP).
        log2_modulus: f64,
        /// Weights of the key and of the sparse key.
        weights: [u32; 2],
    },
    /// There are not enough primes of that size.
    #[error("not enough primes 1 modulo {}: for {what}; use a smaller degree or more bits", 2 * .degree)]
    Primes {
        /// The use of the primes.
        what: &'static str,
        /// The ring degree.
        degree: usize,
    },
    /// No level is left for an operation.
    #[error(
        "{operation} needs a ciphertext of level {needed} or above, this one is at level {found}; bootstrap it, or use parameters of more levels"
    )]
    Exhausted {
        /// The operation.
        operation: &'static str,
        /// The levels it takes.
        needed: usize,
        /// The level of the ciphertext.
        found: usize,
    },
    /// Two ciphertexts that are added have different scales.
    #[error("scales 2^{:.6} and 2^{:.6} do not match; bring both to the scale of their level", .found[0].log2(), .found[1].log2())]
    Scales {
        /// Both scales.
        found: [f64; 2],
    },
    /// Not as many inputs as a circuit has.
    #[error("{found} inputs: expected {expected}, as many as the circuit has")]
    Inputs {
        /// How many were given.
        found: usize,
        /// How many there are.
        expected: usize,
    },
    /// A circuit divides values exactly, which approximate numbers do not know.
    #[error("a circuit with an exact division by {divisor}: values are approximate; multiply by a constant instead")]
    ExactDivision {
        /// The divisor.
        divisor: u64,
    },
    /// An operand under another key.
    #[error(
        "the {what} is under another key than that of this pair, of parameters `{expected}`; use one key pair throughout"
    )]
    Foreign {
        /// The operand.
        what: &'static str,
        /// The name of the expected set.
        expected: String,
    },
    /// An exponential is out of range.
    #[error(
        "an exponential on [-{bound}, {bound}] with an error of 2^{log2_error}: expected a bound from 0.5 to 1024, and an error from 2^-40 to 1/2"
    )]
    Exponential {
        /// End of the interval.
        bound: f64,
        /// log2 of the error.
        log2_error: f64,
    },
    /// No such parameter set.
    #[error("no CKKS parameter set is called {found:?}; there are {available}")]
    UnknownSet {
        /// The name asked for.
        found: String,
        /// All names.
        available: String,
    },
    /// Parameters that are not CKKS's own, or a key, do not serve.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The ring refused.
    #[error(transparent)]
    Ring(#[from] bootes_ring::error::RingError),
}
