use crate::Interval;
use crate::table::MAX_BITS;
use std::borrow::Cow;
use thiserror::Error;

mod bfv;
mod ckks;
mod fhew;
mod words;

pub use bfv::BfvLutError;
pub use ckks::CkksLutError;
pub use fhew::FhewLutError;
use words::{given, in_order, longer, of, room, together, wider, widths};
pub use words::{list, shortened};

/// Why a table cannot be made or evaluated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LutError {
    /// An algorithm of engine fhew refused.
    #[error(transparent)]
    Fhew(#[from] FhewLutError),
    /// Engine ckks refused.
    #[error(transparent)]
    Ckks(#[from] CkksLutError),
    /// Engine bfv refused.
    #[error(transparent)]
    Bfv(#[from] BfvLutError),
    /// The number of entries is out of range.
    #[error("a table has {found} entries, expected 2 to 2^20")]
    Length {
        /// Entries found.
        found: usize,
    },
    /// A part of a program whose operands are of other kinds than it takes.
    #[error("{part}{}: expected {expected}", of(found))]
    Kinds {
        /// The part.
        part: String,
        /// What its operands are.
        found: Vec<String>,
        /// What it takes.
        expected: Cow<'static, str>,
    },
    /// A table of several values that has not an entry for each combination.
    #[error("a table has {entries} entries, expected the product of the numbers of values, {sizes:?}, 2 or more each")]
    Sizes {
        /// Entries found.
        entries: u64,
        /// How many values each operand has.
        sizes: Vec<u64>,
    },
    /// An entry exceeds the output domain.
    #[error("table entry {index} is {value}, expected {min} to {max} ({out_bits} output bits)")]
    Entry {
        /// Position in the table.
        index: usize,
        /// The entry.
        value: i128,
        /// Least possible entry.
        min: i128,
        /// Largest possible entry.
        max: i128,
        /// Output bits.
        out_bits: u32,
    },
    /// The output size is out of range.
    #[error("output of {found} bits, expected 1 to {max}{}", words::of_more_bits(*max))]
    OutBits {
        /// Bits asked for.
        found: u32,
        /// The most there can be.
        max: u32,
    },
    /// An RLWE ciphertext cannot be converted.
    #[error(transparent)]
    Rlwe(#[from] bootes_lattice::port::RlweError),
    /// CKKS refused.
    #[error(transparent)]
    CkksScheme(#[from] bootes_schemes::ckks::CkksError),
    /// An expression that cannot be read.
    #[error("expression, character {at}: expected {expected}")]
    Expression {
        /// Where, from 1.
        at: usize,
        /// The tokens that could be there.
        expected: &'static str,
    },
    /// A function of an expression that there is none of.
    #[error(
        "expression, character {at}: no function is called {name}{}: expected rot, swap, sum, dot, select, min, max, \
         argmin, argmax, smallest, largest, abs, relu, sign, not, and, or, xor, shl, shr, signed, unsigned, rotl, \
         rotr, mulhi, leading_zeros or a table that is given by this name{}",
        in_order(name),
        given(tables)
    )]
    Function {
        /// Where, from 1.
        at: usize,
        /// What it is called.
        name: String,
        /// The names of the tables that are given.
        tables: Vec<String>,
    },
    /// BFV or BGV refused.
    #[error(transparent)]
    BfvScheme(#[from] bootes_schemes::bfv::BfvSchemeError),
    /// Values of a program that have no room for what follows.
    #[error(
        "the program takes integers from {range} further than they have room for: give its inputs \
         more room, {bits} bits at least for these (Client::encrypt_within)"
    )]
    Intermediate {
        /// The integers.
        range: Interval,
        /// Bits of room.
        bits: u32,
    },
    /// Values that a table takes together and that no bootstrap packs.
    #[error(
        "values of {} bits, and a bootstrap with parameter set {params} takes {bits}: {}",
        list(widths), together(widths, *bits)
    )]
    Packing {
        /// Bits of each operand.
        widths: Vec<u32>,
        /// Bits of messages.
        bits: u32,
        /// Name of the set.
        params: String,
    },
    /// Integers between the operations of a program that the parameters do not hold.
    #[error(
        "the program has integers from {range}, which take {found} bits, and parameter set {params} holds {bits}: {}",
        longer(other.as_deref(), *residues, *bits)
    )]
    Room {
        /// The integers.
        range: Interval,
        /// Bits that they take, a sign included.
        found: u32,
        /// The most the parameters hold.
        bits: u32,
        /// Name of the set.
        params: String,
        /// A set that holds them.
        other: Option<String>,
        /// What the program's values are residues of, if they are.
        residues: Option<u64>,
    },
    /// The table or its output is too wide for the parameters.
    #[error(
        "the table has {what} of {found} bits, and parameter set {params} holds {bits}: {}", wider(what, *found)
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
    /// A modulus is out of range.
    #[error("a table has {found} as {what}, expected 2 to {max}")]
    Modulus {
        /// Which.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The largest.
        max: u64,
    },
    /// An entry is no residue of the output modulus.
    #[error("table entry {index} is {value}, expected less than the output modulus {out_modulus}")]
    Residue {
        /// Position in the table.
        index: usize,
        /// The entry.
        value: i128,
        /// Output modulus.
        out_modulus: u64,
    },
    /// Integers too long, or a shift beyond them.
    #[error("{op} of {width}-bit integers: expected {}{}", widths(op, *.width, *.max), room(*.width))]
    Width {
        /// The function.
        op: String,
        /// Bits asked for.
        width: u32,
        /// The most there can be.
        max: u32,
    },
    /// Operands whose sign, or the sign of whose difference, is not in their space.
    #[error(
        "{op} of integers from {}: {} not within -2^{width} to 2^{width} - 1, as {width}-bit integers have room for; \
         encrypt the same ranges with a width of {needed} bits or more (Client::encrypt_within)",
        .operands.iter().map(Interval::to_string).collect::<Vec<_>>().join(" and from "),
        if .operands.len() == 1 { "they are" } else { "their differences are" }
    )]
    Range {
        /// The function.
        op: String,
        /// The ranges of its operands.
        operands: Vec<Interval>,
        /// Bits of the integers.
        width: u32,
        /// Bits that would do.
        needed: u32,
    },
    /// A plan that nobody waits for any longer.
    #[error("the plan was cancelled; nothing is evaluated")]
    Cancelled,
    /// A program of more than a plan may have.
    #[error(
        "the program takes more than {most} {what}: evaluate parts of it one after the other, each a program of \
         results of those before"
    )]
    Program {
        /// What it has too many of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// A table has no entry for some of the integers.
    #[error(
        "a table of {entries} {} on integers from {integers}{}: entry i is the image of i, so that the integers must \
         be 0 to {}; give a table for all of them, or bring them there (encrypt_within 0..={}, encrypt_unsigned, relu, \
         abs, add_constant) first",
        if *entries == 1 { "entry" } else { "entries" },
        if integers.min < 0 { ", which may be negative" } else { "" },
        entries - 1, entries - 1
    )]
    Domain {
        /// Entries of the table.
        entries: u64,
        /// The range of the integers.
        integers: Interval,
    },
    /// Integers too long for a table of one bootstrap.
    #[error(
        "integers in Z_(2^{bits}): tables of one bootstrap reach to 2^{MAX_BITS}; take a table of all their values, \
         such as the identity with more bits out, which is evaluated on digits"
    )]
    LongIntegers {
        /// Bits of the space.
        bits: u32,
    },
    /// No function of integers has this name.
    #[error(
        "no function is called {name:?}, expected sign, less, equal, relu, abs, max, min, add, sub{others} or floor:K"
    )]
    UnknownOp {
        /// The one asked for.
        name: String,
        /// What else there is, where it was asked for.
        others: &'static str,
    },
}
