use thiserror::Error as ThisError;

/// What can go wrong. Each message is one line: what was wrong, what was expected, what to do.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A parameter set was refused or not found.
    #[error(transparent)]
    Params(#[from] bootes_schemes::fhew::ParamsError),
    /// A table was refused or cannot be evaluated.
    #[error(transparent)]
    Lut(#[from] bootes_lut::LutError),
    /// Bytes are not what they should be.
    #[error(transparent)]
    Wire(#[from] bootes_lattice::wire::WireError),
    /// A key or a ciphertext does not fit its parameters.
    #[error(transparent)]
    Lattice(#[from] bootes_lattice::LatticeError),
    /// The system has no randomness.
    #[error(transparent)]
    Randomness(#[from] bootes_ring::sample::SampleError),
    /// A value to encrypt is outside the domain.
    #[error("value number {index} is {value}, expected 0 to {max} ({bits}-bit messages)")]
    Value {
        /// Position, from 0.
        index: usize,
        /// The value.
        value: u64,
        /// The largest possible.
        max: u64,
        /// Message bits.
        bits: u32,
    },
    /// A message size that the parameters do not hold.
    #[error("messages of {found} bits, and parameter set {params} holds 1 to {max} bits")]
    Bits {
        /// Bits asked for.
        found: u32,
        /// The most the set holds.
        max: u32,
        /// Name of the set.
        params: String,
    },
    /// A ciphertext and a key come from different parameter sets.
    #[error("the {what} was made with other parameters than this key (set {params}): use the key it belongs to")]
    OtherParams {
        /// What was given.
        what: &'static str,
        /// The set of the key.
        params: String,
    },
    /// A file's parameter set has another content here.
    #[error(
        "the {what} was made with another version of parameter set {params}: use the version of bootes that wrote it, or make new keys"
    )]
    ChangedParams {
        /// What was given.
        what: &'static str,
        /// Name of the set.
        params: String,
    },
    /// A ciphertext and a key come from different key pairs.
    #[error("the {what} belongs to another key (id {found}, this key has {expected}): use the matching key files")]
    OtherKey {
        /// What was given.
        what: &'static str,
        /// Identifier of the given object.
        found: String,
        /// Identifier of the key.
        expected: String,
    },
    /// A table does not fit the ciphertexts.
    #[error(
        "the table has {table}-bit inputs and the ciphertexts hold {ciphertexts}-bit messages: encrypt with --bits {table} or take another table"
    )]
    InputBits {
        /// Input bits of the table.
        table: u32,
        /// Bits of the ciphertexts.
        ciphertexts: u32,
    },
    /// Two operands of a linear operation do not fit.
    #[error(
        "cannot combine {found} ciphertexts of {found_bits} bits with {expected} of {expected_bits} bits: lengths and message sizes must agree"
    )]
    Operands {
        /// Length of the second operand.
        found: usize,
        /// Its bits.
        found_bits: u32,
        /// Length of the first.
        expected: usize,
        /// Its bits.
        expected_bits: u32,
    },
    /// A linear operation would make decryption fail too often.
    #[error(
        "this operation would make decryption fail with probability 2^{found:.1}, parameter set {params} promises 2^{promised}: refresh the ciphertexts with a table (the identity) first"
    )]
    NoiseBudget {
        /// Name of the set.
        params: String,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
    },
    /// No threads.
    #[error("0 threads, expected at least 1")]
    Threads,
}
