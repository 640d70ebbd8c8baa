use crate::Space;
use bootes_lut::Interval;
use thiserror::Error as ThisError;

mod bfv;
mod conversion;
mod kind;
mod new;
mod noise;
mod plan;
mod space;
mod transcipher;
mod words;

pub use bfv::BfvError;
pub use conversion::ConversionError;
pub use kind::ErrorKind;
pub use noise::{NoiseCure, NoiseWords};
pub use plan::PlanError;
pub use space::SpaceError;
pub use transcipher::TranscipherError;
use words::{alike, available as available_in_words, by_tables, cure, elsewhere, in_words};
use words::{modulo, needed as needed_in_words, noise, of_bits, overflow, slice, widths};

/// Every error of the library. Each message is one line: what was wrong, what was expected, what to do.
///
/// `Debug` writes what `Display` does: it is what a program whose `main` returns an error shows.
#[derive(ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A parameter set was refused or not found.
    #[error(transparent)]
    Params(#[from] bootes_schemes::fhew::ParamsError),
    /// Instructions were refused, those of `BOOTES_ISA` or others.
    #[error(transparent)]
    Isa(#[from] bootes_ring::error::RingError),
    /// A calibration was refused.
    #[error(transparent)]
    Calibration(#[from] crate::CalibrationError),
    /// A parameter set of another engine.
    #[error(
        "{name} is a parameter set of engine {found}, expected one of engine {expected}: take the file that was made \
         with it"
    )]
    SetOf {
        /// Name of the set.
        name: String,
        /// Its engine.
        found: crate::Engine,
        /// The engine that it is asked of.
        expected: crate::Engine,
    },
    /// A set whose results are wrong more often than asked for.
    #[error(
        "the parameters {params} promise a failure of at most 2^{found:.1} a value, more than the 2^{expected} that is \
         asked for: take others, or engine fhew"
    )]
    Failure {
        /// Name of the set.
        params: String,
        /// log2 of the probability that it promises.
        found: f64,
        /// That was asked for.
        expected: f64,
    },
    /// Work that nobody wants any longer ([`Cancel`](crate::Cancel)).
    #[error("the work was cancelled; what was done of it is lost")]
    Cancelled,
    /// A capability of one engine that this one has not.
    #[error("{what} is not for engine {engine}: {}", elsewhere(what, *engine, have))]
    NotWith {
        /// The operation that was asked for.
        what: String,
        /// The engine.
        engine: crate::Engine,
        /// Those that have it.
        have: &'static [crate::Engine],
    },
    /// Objects of two engines.
    #[error(
        "the {what} is of engine {found}, expected one of engine {expected}: use parameters, keys and ciphertexts that \
         were made together"
    )]
    OtherEngine {
        /// The object of another engine.
        what: &'static str,
        /// Its engine.
        found: crate::Engine,
        /// The one that it meets.
        expected: crate::Engine,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The content of a file is refused.
    #[error("{path}: {source}")]
    InFile {
        /// Its path.
        path: String,
        /// Why.
        source: Box<Error>,
    },
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
        value: i128,
        /// The largest possible.
        max: i128,
        /// Message bits.
        bits: u32,
    },
    /// An integer outside its range.
    #[error(
        "integer number {index} is {value}, expected {range} ({}): {}",
        in_words(*range, *width),
        cure(*value, *range, *width)
    )]
    Integer {
        /// Position, from 0.
        index: usize,
        /// The value.
        value: i128,
        /// The range of the integers.
        range: Interval,
        /// Bits of the integers.
        width: u32,
    },
    /// A range that does not fit its width.
    #[error(
        "integers from {range} in {width} bits: expected a range within -2^{width} to 2^{width} - 1; {}",
        words::of_width(*range)
    )]
    Room {
        /// The range.
        range: Interval,
        /// Bits of the integers.
        width: u32,
        /// The engine.
        engine: crate::Engine,
    },
    /// Operands of a function whose sign, or the sign of whose difference, is not in their space.
    #[error("{refused}{}", by_tables(refused, *engine))]
    Range {
        /// [`LutError::Range`](crate::LutError::Range): the ranges, and bits that would do.
        refused: bootes_lut::LutError,
        /// The engine.
        engine: crate::Engine,
    },
    /// A linear operation on integers whose results would not be told apart.
    #[error("{}", overflow(operation, *range, *bits, *modulus, *most, *engine))]
    Overflow {
        /// The operation.
        operation: &'static str,
        /// The range of its results, if there is a name for it.
        range: Option<Interval>,
        /// Bits of the space.
        bits: u32,
        /// The range of the operands.
        operand: Interval,
        /// What they are residues modulo of, where they stand for such.
        modulus: Option<u64>,
        /// The most bits that integers in one ciphertext have room for.
        most: u32,
        /// The engine.
        engine: crate::Engine,
    },
    /// An integer that has no room in 64 bits with a sign.
    #[error("value {index} is {value}, which is longer than 64 bits with a sign: take decrypt_wide")]
    Wide {
        /// Its position.
        index: usize,
        /// The integer.
        value: i128,
    },
    /// Ciphertexts of another message space than an operation takes.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Integers that the parameters do not hold.
    #[error("integers of {found} bits, and parameter set {params} holds {}", widths(*max))]
    Width {
        /// Bits asked for.
        found: u32,
        /// The most the set holds.
        max: u32,
        /// Name of the set.
        params: String,
    },
    /// Integers that no parameters hold.
    #[error("integers of {found} bits: expected 1 to {max}")]
    NoWidth {
        /// Bits asked for.
        found: u32,
        /// The most that there are.
        max: u32,
    },
    /// A modulus that the parameters do not hold.
    #[error(
        "messages modulo {found}, and parameter set {params} holds moduli of 2 to {max}: {}",
        modulo(*found)
    )]
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
        value: i128,
        /// The modulus.
        modulus: u64,
    },
    /// A message size that the parameters do not hold.
    #[error(
        "messages of {found} bits, and parameter set {params} holds {}: {}",
        of_bits(*max), modulo(1u64.checked_shl(*found).unwrap_or(u64::MAX))
    )]
    Bits {
        /// Bits asked for.
        found: u32,
        /// The most the set holds.
        max: u32,
        /// Name of the set.
        params: String,
    },
    /// A ciphertext, and the key or ciphertext it meets, come from different parameter sets.
    #[error(
        "the {what} was made with other parameters than what it is used with (set {params}): use the keys and \
         ciphertexts of one client"
    )]
    OtherParams {
        /// The object that was given.
        what: &'static str,
        /// The expected set.
        params: String,
    },
    /// A file's parameter set has another content here.
    #[error(
        "the {what} was made with another version of parameter set {params}, of fingerprint {found}, which is \
         {expected} here: make keys and ciphertexts anew"
    )]
    ChangedParams {
        /// The object that was given.
        what: &'static str,
        /// Name of the set.
        params: String,
        /// The fingerprint in the file.
        found: String,
        /// That of the set.
        expected: String,
    },
    /// A ciphertext, and the key or ciphertext it meets, come from different key pairs.
    #[error(
        "the {what} belongs to another key (id {found}, expected {expected}): use the keys and ciphertexts of one \
         client"
    )]
    OtherKey {
        /// The object that was given.
        what: &'static str,
        /// Identifier of the given object.
        found: String,
        /// The expected identifier.
        expected: String,
    },
    /// A table does not fit the ciphertexts.
    #[error(
        "the table has 2^{table} entries and the ciphertexts hold {ciphertexts}-bit messages: encrypt {table}-bit \
         messages or take a table of 2^{ciphertexts} entries"
    )]
    InputBits {
        /// Input bits of the table.
        table: u32,
        /// Bits of the ciphertexts.
        ciphertexts: u32,
    },
    /// A table modulo p does not fit the ciphertexts.
    #[error(
        "the table has {entries} entries and the ciphertexts hold {ciphertexts}: encrypt messages modulo {entries} \
         or take a table with an entry for each"
    )]
    InputModulus {
        /// Entries of the table.
        entries: u64,
        /// The message space of the ciphertexts.
        ciphertexts: Space,
    },
    /// A plan was made for other ciphertexts.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A function with another number of operands.
    #[error("{what} takes {expected} operands, and {found} are given")]
    OperandCount {
        /// The function.
        what: String,
        /// Operands given.
        found: usize,
        /// Operands of the function.
        expected: usize,
    },
    /// A set for tables, and a function of integers.
    #[error(
        "parameter set {params} is for tables, and has nothing for integers of a range: take \
         Params::integers_on(Engine::Ckks, …)"
    )]
    NotForIntegers {
        /// The set.
        params: String,
    },
    /// A function of several results, evaluated as one of one.
    #[error("{function} has several results: take Server::evaluate_all")]
    SeveralResults {
        /// The function.
        function: String,
    },
    /// A plan has another number of results.
    #[error("the plan gives {found} results a value, expected {expected}: evaluate it as what it was made for")]
    ResultCount {
        /// Results of the plan.
        found: usize,
        /// Results expected.
        expected: usize,
    },
    /// Operands of different lengths.
    #[error("{what} of {left} and {right} values: expected as many of both")]
    Lengths {
        /// The operation.
        what: String,
        /// Values of the first operand.
        left: usize,
        /// The length of the second: ciphertexts, constants, or weights in a row.
        right: usize,
    },
    /// Numbers that no fixed-point table has.
    #[error("a table of complex numbers has {what}: expected {expected}")]
    Fixed {
        /// The property that was found.
        what: String,
        /// The properties that are accepted.
        expected: &'static str,
    },
    /// A request of a plan for what there is not.
    #[error("the request is of {what}, expected what Plan::request gives: take it as it was written")]
    Request {
        /// The part of the request that does not serve.
        what: String,
    },
    /// A continuous function that is none.
    #[error("a continuous function of {what}: expected finite values for 2 to 65536 integers in order")]
    Continuous {
        /// The object that was given.
        what: String,
    },
    /// Messages that a function has no values for.
    #[error("the function is of integers from {expected}, and the ciphertexts hold {found}: take a function of them")]
    Domain {
        /// The message space of the ciphertexts.
        found: Space,
        /// The domain of the function.
        expected: Interval,
    },
    /// A slice of what there is not, or one that would cut ciphertexts.
    #[error("{}", slice(*start, *end, *len, *aligned))]
    Slice {
        /// The first value.
        start: usize,
        /// The one behind the last.
        end: usize,
        /// Values that there are.
        len: usize,
        /// Values in a ciphertext.
        aligned: usize,
    },
    /// A vector whose last ciphertext would have to be filled with values of the next one.
    #[error(
        "vector number {index} has {len} values and another follows: expected a multiple of {aligned}, the values of \
         a ciphertext; put it last, fill it, or encrypt both together"
    )]
    Unfilled {
        /// Position of the vector, from 0.
        index: usize,
        /// Its values.
        len: usize,
        /// Values in a ciphertext.
        aligned: usize,
    },
    /// Operands of a linear operation that are not of one kind.
    #[error(
        "{operation} of {left} and {right}: expected both in one space; {}",
        alike(operation, *left, *right, *engine)
    )]
    Operands {
        /// The operation.
        operation: &'static str,
        /// The message space of the first operand.
        left: Space,
        /// The message space of the second.
        right: Space,
        /// The engine.
        engine: crate::Engine,
    },
    /// A linear operation would make decryption fail too often.
    #[error(
        "this operation would make decryption fail with probability 2^{found:.1}, parameter set {params} promises \
         2^{promised}: {}",
        cure.of_sum(&NoiseWords::LIBRARY)
    )]
    NoiseBudget {
        /// Name of the set.
        params: String,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
        /// The remedies.
        cure: NoiseCure,
    },
    /// An operation on compressed ciphertexts, which have no room for its noise.
    #[error(
        "{operation} on compressed ciphertexts, which are for decryption alone: take those that they were made of, and \
         compress the results"
    )]
    Compressed {
        /// The operation.
        operation: String,
    },
    /// A compression without its key.
    #[error(
        "the server key of parameter set {params} has no part for compression: take one of \
         Client::server_key_builder().compression()"
    )]
    CompressionKey {
        /// Name of the set.
        params: String,
    },
    /// A table or function whose inputs, or results, would be too noisy.
    #[error("{refused}: {}", cure.of_function(&NoiseWords::LIBRARY))]
    Noise {
        /// [`Noise`](crate::FhewLutError::Noise) or [`OutputNoise`](crate::FhewLutError::OutputNoise): the noise that
        /// there is and that there may be.
        refused: bootes_lut::LutError,
        /// The remedies.
        cure: NoiseCure,
    },
    /// A noise bound in a file that no ciphertexts have.
    #[error(
        "it states {}: ciphertexts of parameter set {params} have 2^{fresh:.2} when fresh, results that or more, and \
         little enough to decrypt right; write it again",
        noise(*found)
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
        needed_in_words(*needed),
        available_in_words(*available)
    )]
    CiphertextMemory {
        /// Bytes of all of them.
        needed: u64,
        /// Bytes, by the system or a limit.
        available: u64,
    },
    /// A key or ciphertexts of engine ckks cannot be read or written.
    #[error(transparent)]
    Stream(#[from] bootes_lattice::wire::StreamError),
    /// Engine bfv refuses.
    #[error(transparent)]
    Bfv(#[from] BfvError),
    /// BFV or BGV refuses.
    #[error(transparent)]
    BfvScheme(#[from] bootes_schemes::bfv::BfvSchemeError),
    /// CKKS refuses.
    #[error(transparent)]
    Ckks(#[from] bootes_schemes::ckks::CkksError),
    /// A ciphertext of engine ckks is refused.
    #[error(transparent)]
    Rlwe(#[from] bootes_lattice::port::RlweError),
    /// A transciphering is refused.
    #[error(transparent)]
    Transcipher(#[from] TranscipherError),
    /// A conversion is refused.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
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
        needed_in_words(*needed),
        available_in_words(*available)
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
        /// The number asked for.
        threads: usize,
        /// The answer of the system.
        reason: String,
    },
    /// No threads.
    #[error("0 threads, expected at least 1")]
    Threads,
}
