use thiserror::Error;

/// Why a table cannot be made or evaluated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LutError {
    /// The number of entries is no power of two in range.
    #[error(
        "a table has {found} entries, expected a power of two from 2 to 256 (1- to 8-bit inputs); larger tables are planned for digit decomposition and the batch engines"
    )]
    Length {
        /// Entries found.
        found: usize,
    },
    /// An entry exceeds the output domain.
    #[error("table entry {index} is {value}, expected at most {max} ({out_bits} output bits)")]
    Entry {
        /// Position in the table.
        index: usize,
        /// The entry.
        value: u64,
        /// Largest possible entry.
        max: u64,
        /// Output bits.
        out_bits: u32,
    },
    /// The output size is out of range.
    #[error("output of {found} bits, expected 1 to {max}")]
    OutBits {
        /// Bits asked for.
        found: u32,
        /// The most there can be.
        max: u32,
    },
    /// The table or its output is too wide for the parameters.
    #[error(
        "the table has {what} of {found} bits, and parameter set {params} holds {bits}: take a set for at least {found} bits"
    )]
    TooWide {
        /// "inputs" or "outputs".
        what: &'static str,
        /// Bits of the table.
        found: u32,
        /// Bits of the set.
        bits: u32,
        /// Name of the set.
        params: String,
    },
    /// The algorithm cannot evaluate this table.
    #[error("algorithm {algorithm} cannot evaluate this table: {reason}")]
    Unsupported {
        /// Name of the algorithm.
        algorithm: String,
        /// Why, and what to take instead.
        reason: String,
    },
    /// The algorithm rotates in rings whose keys are not there.
    #[error(
        "algorithm {algorithm} needs the keys of rings of degree {missing:?}, which the server lacks: have the client make them (Client::ring_keys) and give them to the server (Server::with_rings), or take another algorithm"
    )]
    RingKeys {
        /// Name of the algorithm.
        algorithm: String,
        /// Degrees of the rings without a key.
        missing: Vec<usize>,
    },
    /// No extension factor keeps the promised failure probability.
    #[error(
        "the noise is too large: with parameter set {params} a {bits}-bit input would fail with probability 2^{found:.1}, the promise is 2^{promised}; add fewer ciphertexts between two tables, or evaluate a table (the identity) to refresh them"
    )]
    Noise {
        /// Name of the set.
        params: String,
        /// Input bits.
        bits: u32,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
    },
    /// No algorithm has this name.
    #[error("no algorithm is called {name:?}, expected one of {known}")]
    UnknownAlgorithm {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
}
