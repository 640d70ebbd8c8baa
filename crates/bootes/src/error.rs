use crate::Space;
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
    /// An integer outside the range of its width.
    #[error(
        "integer number {index} is {value}, expected {min} to {max} ({width} bits, {}): take a larger width or correct it",
        if *min < 0 { "with a sign, for there are negative ones" } else { "without a sign" }
    )]
    Integer {
        /// Position, from 0.
        index: usize,
        /// The value.
        value: i64,
        /// The least possible.
        min: i64,
        /// The largest possible.
        max: i64,
        /// Bits of the integers.
        width: u32,
    },
    /// Integers that the parameters do not hold.
    #[error("integers of {found} bits, and two ciphertexts of parameter set {params} hold those of 1 to {max} bits")]
    Width {
        /// Bits asked for.
        found: u32,
        /// The most the set holds.
        max: u32,
        /// Name of the set.
        params: String,
    },
    /// A modulus that the parameters do not hold.
    #[error("messages modulo {found}, and parameter set {params} holds moduli of 2 to {max}: take another set")]
    Modulus {
        /// Modulus asked for.
        found: u64,
        /// The largest the set holds.
        max: u64,
        /// Name of the set.
        params: String,
    },
    /// A value to encrypt is no residue.
    #[error("value number {index} is {value}, expected 0 to {} (messages modulo {modulus})", modulus - 1)]
    Residue {
        /// Position, from 0.
        index: usize,
        /// The value.
        value: u64,
        /// The modulus.
        modulus: u64,
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
    /// A table modulo p does not fit the ciphertexts.
    #[error(
        "the table has {entries} entries and the ciphertexts hold {ciphertexts}: encrypt with --modulus {entries} or take another table"
    )]
    InputModulus {
        /// Entries of the table.
        entries: u64,
        /// What the ciphertexts hold.
        ciphertexts: Space,
    },
    /// A function of integers, or a table on their digits, does not fit the ciphertexts.
    #[error("{what} takes {width}-bit integers, and the ciphertexts hold {ciphertexts}: encrypt with --width {width}")]
    IntegerBits {
        /// The function.
        what: String,
        /// Bits of the integers.
        width: u32,
        /// What the ciphertexts hold.
        ciphertexts: Space,
    },
    /// Integers of two limbs in an operation that would need carries between them.
    #[error(
        "a linear operation on {space}: the limbs would need carries; add and subtract integers that fit in one ciphertext, or take a function of integers"
    )]
    Limbs {
        /// What the ciphertexts hold.
        space: Space,
    },
    /// A plan was made for other ciphertexts.
    #[error("the plan was made for {expected}, and the ciphertexts hold {found}: make one for them")]
    PlanSpace {
        /// What the ciphertexts hold.
        found: Space,
        /// What the plan was made for.
        expected: Space,
    },
    /// A plan was made for ciphertexts of less noise.
    #[error(
        "the plan was made for noise of 2^{expected:.2} of the torus, and the ciphertexts have 2^{found:.2}: it would fail more often than promised; make a plan for them"
    )]
    PlanNoise {
        /// log2 of the standard deviation of the ciphertexts' noise.
        found: f64,
        /// log2 of the one that the plan was made for.
        expected: f64,
    },
    /// A plan has another number of inputs.
    #[error("{found} operands, expected {expected}")]
    OperandCount {
        /// Operands given.
        found: usize,
        /// Operands of the function.
        expected: usize,
    },
    /// A plan has another number of results.
    #[error("the plan gives {found} results a value, expected {expected}: evaluate it as what it was made for")]
    ResultCount {
        /// Results of the plan.
        found: usize,
        /// Results expected.
        expected: usize,
    },
    /// Two operands of a linear operation do not fit.
    #[error(
        "cannot combine {found} ciphertexts ({found_space}) with {expected} ({expected_space}): lengths and messages must agree"
    )]
    Operands {
        /// Length of the second operand.
        found: usize,
        /// What it holds.
        found_space: Space,
        /// Length of the first.
        expected: usize,
        /// What it holds.
        expected_space: Space,
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
    /// A noise bound in a file that no ciphertexts have.
    #[error(
        "it states a noise of 2^{found:.2} of the torus: ciphertexts of parameter set {params} have 2^{fresh:.2} when fresh, results that or \
         more, and little enough to decrypt right; write it again"
    )]
    NoiseBound {
        /// log2 of the standard deviation in the file.
        found: f64,
        /// log2 of that of fresh ciphertexts.
        fresh: f64,
        /// Name of the set.
        params: String,
    },
    /// More ciphertexts than there is memory for.
    #[error(
        "the ciphertexts take {} of memory, and {} are available: take fewer at a time, or evaluate from file to file",
        size(*needed),
        size(*available)
    )]
    CiphertextMemory {
        /// Bytes of all of them.
        needed: u64,
        /// Bytes, by the system or a limit.
        available: u64,
    },
    /// A key or ciphertexts of the batch engine cannot be read or written.
    #[error(transparent)]
    Stream(#[from] bootes_lattice::wire::StreamError),
    /// The batch engine's scheme refuses.
    #[error(transparent)]
    Ckks(#[from] bootes_schemes::ckks::CkksError),
    /// A ciphertext of the batch engine is refused.
    #[error(transparent)]
    Rlwe(#[from] bootes_schemes::ckks::rlwe::RlweError),
    /// Nothing to encrypt.
    #[error("no values to encrypt: give at least one")]
    NoValues,
    /// A server key without all of its keys.
    #[error("the server key lacks keys that parameter set {params} needs ({source}): make new keys with this version")]
    MissingKeys {
        /// Name of the set.
        params: String,
        /// The first that is missing.
        source: bootes_schemes::ckks::CkksError,
    },
    /// Less memory than the work needs.
    #[error(
        "it needs {} of memory, and {} are available: allow or free more, or take a smaller parameter set",
        size(*needed),
        size(*available)
    )]
    Memory {
        /// Bytes, by the plan.
        needed: u64,
        /// Bytes, by the system or a limit.
        available: u64,
    },
    /// The system gives no threads.
    #[error("{threads} threads cannot be started ({reason}): take fewer")]
    ThreadPool {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// No threads.
    #[error("0 threads, expected at least 1")]
    Threads,
}

/// "1.50 GB", "113.20 MB".
fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    if bytes < 1e9 { format!("{:.2} MB", bytes * 1e-6) } else { format!("{:.2} GB", bytes * 1e-9) }
}
