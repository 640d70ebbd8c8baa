use super::words::list;
use thiserror::Error;

/// Why engine ckks cannot make or evaluate a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CkksLutError {
    /// A parameter of a set of engine ckks out of its range.
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
    /// A table whose results would be too noisy.
    #[error(
        "results of table {table} would be wrong with probability 2^{found:.2} a value, above the promised \
        2^{promised}, with parameter set {params}: take a set for more bits, less noisy inputs, or split the results \
        into smaller ones"
    )]
    Noise {
        /// The table, from 0.
        table: usize,
        /// log2 of the probability that a value is wrong.
        found: f64,
        /// The probability that the set promises, log2.
        promised: f64,
        /// The name of the set.
        params: String,
    },
    /// Integers whose digits would be too noisy.
    #[error(
        "digits of {digit_bits} bits of integers of {bits} would be wrong with probability 2^{found:.2} a value, \
        above the promised 2^{promised}, with parameter set {params}: take fewer bits, or a set for more"
    )]
    Integers {
        /// Bits of the integers.
        bits: u32,
        /// Bits of a digit.
        digit_bits: u32,
        /// log2 of the probability that a value is wrong.
        found: f64,
        /// The probability that the set promises, log2.
        promised: f64,
        /// The name of the set.
        params: String,
    },
    /// A promise that is none.
    #[error("a promised failure of 2^{found}: expected an exponent from -136 to below 0, such as -128")]
    Failure {
        /// log2 of it.
        found: f64,
    },
    /// A ciphertext of other messages than the tables take.
    #[error(
        "the ciphertext has messages modulo {} and degree {}: expected {} and {}, as the tables and the keys have",
        .found[0], .found[1], .expected[0], .expected[1]
    )]
    Input {
        /// Plaintext modulus and degree of the ciphertext.
        found: [u64; 2],
        /// Those of tables and keys.
        expected: [u64; 2],
    },
    /// Messages that have no such digits.
    #[error(
        "digits of {digit_bits} bits of messages modulo {modulus}: expected a power of two, and digits of 1 to {max} \
        bits in this parameter set"
    )]
    Digits {
        /// The plaintext modulus.
        modulus: u64,
        /// Bits asked for.
        digit_bits: u32,
        /// The most bits of a digit.
        max: u32,
    },
    /// Digits that do not make up the inputs of a table.
    #[error(
        "digits modulo {} for a table of {entries} entries: expected two or more, each modulo 2 to {most}, whose \
        product is \
         the number of entries, and a parameter set with the levels for them",
        list(digits)
    )]
    DigitShape {
        /// Entries of the table.
        entries: usize,
        /// The modulus of each digit, the lowest first.
        digits: Vec<u64>,
        /// The largest modulus.
        most: u64,
    },
    /// A table that no digits of a set make up.
    #[error(
        "a table of {entries} entries is no product of numbers from 2 to {most} that parameter set {params} has the \
         levels for: pad it to {nearest} entries, and encrypt modulo {nearest}"
    )]
    NoShape {
        /// Entries of the table.
        entries: u64,
        /// The largest digit.
        most: u64,
        /// The least larger table that has digits.
        nearest: u64,
        /// The name of the set.
        params: String,
    },
    /// Tables on the same inputs that were not prepared alike.
    #[error("{found} tables of several digits: expected one or more, of the same digits")]
    LargeTables {
        /// How many.
        found: usize,
    },
    /// Coefficients of a table of several digits that would be rounded to nothing.
    #[error(
        "the coefficients of a table of {entries} entries are too small for the integers of parameter set {params}: \
         take a smaller output modulus, or a set for larger tables by digits"
    )]
    SlotFactor {
        /// Entries of the table.
        entries: usize,
        /// The name of the set.
        params: String,
    },
    /// A table that was prepared with another set.
    #[error("the table was prepared for another parameter set than {params}: prepare it with the set of the keys")]
    OtherSet {
        /// The name of the set that it meets.
        params: String,
    },
    /// Tables of one value each that are too small or too large.
    #[error(
        "tables of one value each have {found} entries, {bytes} bytes in all: expected 2 to {max} entries; take one \
         table for all values, or smaller tables of digits"
    )]
    SlotEntries {
        /// Entries of each.
        found: usize,
        /// The most.
        max: usize,
        /// The memory of all.
        bytes: u64,
    },
    /// Entries that do not make whole tables.
    #[error("{found} numbers are no tables of {entries} entries each: expected {entries} numbers for each value")]
    SlotLength {
        /// How many there are.
        found: usize,
        /// Entries of a table.
        entries: usize,
    },
    /// An entry beyond the output modulus.
    #[error("entry {entry} of table {table} is {value}: expected less than the output modulus {out_modulus}")]
    SlotResidue {
        /// The number of the table, from 0.
        table: usize,
        /// The number of the entry, from 0.
        entry: usize,
        /// The value.
        value: u64,
        /// p'.
        out_modulus: u64,
    },
    /// Tables of one value each that would be evaluated whole, and are too large for it.
    #[error(
        "tables of one value each have {found} entries, and parameter set {params} evaluates up to {max} whole: take a \
         set of digits, such as batch_12bit_digits"
    )]
    SlotWhole {
        /// Entries of each.
        found: u64,
        /// The most.
        max: u64,
        /// The name of the set.
        params: String,
    },
    /// An encrypted table that is too large.
    #[error("an encrypted table of {found} entries would take {bytes} bytes of memory: expected at most {max} entries")]
    EncryptedEntries {
        /// Its entries.
        found: u64,
        /// The most.
        max: u64,
        /// The bytes that it would take, about.
        bytes: u64,
    },
    /// An encrypted table whose digits take more levels than there are.
    #[error(
        "parameter set {params} has not the levels for an encrypted table of {found} entries: expected at most {most} \
         entries, or a set for larger tables"
    )]
    EncryptedLevels {
        /// Its entries.
        found: u64,
        /// The most entries that the set has the levels for.
        most: u64,
        /// The name of the set.
        params: String,
    },
    /// An encrypted table of another number of coefficients.
    #[error("an encrypted table has {found} coefficients: expected {expected}")]
    EncryptedCoefficients {
        /// How many there are.
        found: usize,
        /// How many there are to be.
        expected: usize,
    },
    /// No such set of engine ckks.
    #[error("no parameter set of engine ckks is called {found:?}; there are {available}, and toy ones for trials")]
    UnknownSet {
        /// The name asked for.
        found: String,
        /// All names.
        available: String,
    },
    /// Tables that cannot be evaluated together.
    #[error(
        "tables of [{}] entries: expected one or more of equal size, at most {max} entries in this parameter set",
        list(found)
    )]
    Tables {
        /// Entries of each.
        found: Vec<usize>,
        /// The most entries of the set.
        max: usize,
    },
    /// No interpolation has this order.
    #[error("an interpolation of order {found}, expected 1, 2 or 3")]
    Order {
        /// The order.
        found: u32,
    },
}
