use crate::Interval;
use crate::table::MAX_BITS;
use bootes_schemes::fhew::KeyNeeds;
use thiserror::Error;

mod words;

pub use words::list;
use words::{cure_of_depth, given, keys, leveled, longer, of, room, smaller, tenths, widths};

/// Why a table cannot be made or evaluated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LutError {
    /// The number of entries is no power of two in range.
    #[error("a table has {found} entries, expected a power of two from 2 to 2^20; Lut::modular takes other sizes")]
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
        expected: &'static str,
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
    #[error("output of {found} bits, expected 1 to {max}")]
    OutBits {
        /// Bits asked for.
        found: u32,
        /// The most there can be.
        max: u32,
    },
    /// A parameter of a set of engine ckks out of its range.
    #[error("{what} is {found}: expected {min} to {max}")]
    CkksParameter {
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
        "results of table {table} would be wrong with probability 2^{found:.0} a value, above the promised 2^{promised}, with parameter set {params}: take a set for more bits, less noisy inputs, or split the results into smaller ones"
    )]
    CkksNoise {
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
        "digits of {digit_bits} bits of integers of {bits} would be wrong with probability 2^{found:.0} a value, above the promised 2^{promised}, with parameter set {params}: take fewer bits, or a set for more"
    )]
    CkksIntegers {
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
    CkksFailure {
        /// log2 of it.
        found: f64,
    },
    /// A ciphertext of other messages than the tables take.
    #[error("the ciphertext has messages modulo {} and degree {}: expected {} and {}, as the tables and the keys have", .found[0], .found[1], .expected[0], .expected[1])]
    CkksInput {
        /// Plaintext modulus and degree of the ciphertext.
        found: [u64; 2],
        /// Those of tables and keys.
        expected: [u64; 2],
    },
    /// An RLWE ciphertext cannot be converted.
    #[error(transparent)]
    Rlwe(#[from] bootes_lattice::port::RlweError),
    /// Messages that have no such digits.
    #[error(
        "digits of {digit_bits} bits of messages modulo {modulus}: expected a power of two, and digits of 1 to {max} bits in this parameter set"
    )]
    CkksDigits {
        /// The plaintext modulus.
        modulus: u64,
        /// Bits asked for.
        digit_bits: u32,
        /// The most bits of a digit.
        max: u32,
    },
    /// Digits that do not make up the inputs of a table.
    #[error(
        "digits modulo {} for a table of {entries} entries: expected two or more, each modulo 2 to {most}, whose product is \
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
    UnknownCkksSet {
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
    CkksTables {
        /// Entries of each.
        found: Vec<usize>,
        /// The most entries of the set.
        max: usize,
    },
    /// CKKS refused.
    #[error(transparent)]
    Ckks(#[from] bootes_schemes::ckks::CkksError),
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
        "expression, character {at}: no function is called {name}: expected rot, swap, sum, dot, select, min, max, \
         abs, relu, sign, not, and, or, xor, shl, shr, signed, unsigned, rotl, rotr, mulhi or a table that is given by \
         this name{}",
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
    /// A table that is none of Z_p.
    #[error("a table of {entries} entries on values modulo {modulus}: expected {modulus} entries, and a prime modulus")]
    BfvTable {
        /// How many there are.
        entries: u64,
        /// p^r.
        modulus: u64,
    },
    /// A table of Z_p into another modulus.
    #[error(
        "a table of results modulo {found}: vectors modulo {modulus} stay modulo {modulus}; make it with Lut::modular(values, {modulus}) (--modulus {modulus} without --out-modulus or --out-bits)"
    )]
    BfvTableResults {
        /// The table's.
        found: u64,
        /// p.
        modulus: u64,
    },
    /// A table whose polynomial is deeper than what bootstrapping leaves.
    #[error(
        "a table of {entries} entries takes {depth} products in a row, more than a bootstrapping with parameter set {params} leaves: take keys of slots_{entries}_tables, or engine ckks"
    )]
    BfvTableDepth {
        /// p.
        entries: u64,
        /// Products in a row.
        depth: usize,
        /// The set.
        params: String,
    },
    /// An operation that a set without bootstrapping has no room for.
    #[error(
        "{part} has no room with parameter set {params}, which is for {depth} product{} in a row and bootstraps \
         nothing: {}",
        if *depth == 1 { "" } else { "s" },
        cure_of_depth(deeper.as_deref(), bootstrapped.as_deref())
    )]
    BfvRoom {
        /// The operation in words.
        part: Box<str>,
        /// The set.
        params: Box<str>,
        /// Its depth.
        depth: u32,
        /// The least depth with the room for the program, and the set of it, if there is one.
        deeper: Option<Box<(u32, String)>>,
        /// The set that bootstraps, if there is one.
        bootstrapped: Option<Box<str>>,
    },
    /// So many products in a row that no set without bootstrapping is secure, or has slots.
    #[error(
        "{depth} products in a row modulo {modulus}: sets without bootstrapping have {}; take a depth of these{}",
        if *most == 1 { "1".into() } else { format!("1 to {most}") },
        bootstrapped.as_ref().map_or(String::new(), |set| format!(", or the set {set}, which bootstraps"))
    )]
    BfvDepth {
        /// p^r.
        modulus: u64,
        /// The products asked for.
        depth: u32,
        /// The most that there is a set for.
        most: u32,
        /// The set that bootstraps, if there is one.
        bootstrapped: Option<String>,
    },
    /// Vectors modulo what is no odd prime.
    #[error(
        "there are no slots modulo {found}: expected an odd prime, such as {nearest}, or 65537, which has the most \
         slots{}; tables on messages modulo any number have engine ckks (Params::on)",
        power.as_ref().map_or(String::new(), |set| format!(", or the set {set} (Params::named)"))
    )]
    BfvPrime {
        /// The one asked for.
        found: u64,
        /// The nearest prime with a set.
        nearest: u64,
        /// The set of the power of a prime that it is.
        power: Option<String>,
    },
    /// More slots than transforms in one stage serve.
    #[error(
        "modulo {modulus} there are {found} slots, and parameter sets have at most {max} for primes ≡ 3 modulo \
         4: take another prime, such as {nearest}, or 65537, which has 32768 slots; or for few products in a row \
         slots_{modulus}_depth_1, which bootstraps nothing"
    )]
    BfvTransform {
        /// p.
        modulus: u64,
        /// k.
        found: usize,
        /// The most.
        max: usize,
        /// The nearest prime with a set.
        nearest: u64,
    },
    /// Residues that no set can refresh.
    #[error(
        "modulo {modulus}^{exponent} bootstrapping computes modulo {modulus}^{raised}, more than the 2^{max_bits} that \
         there is room for: take {}{}",
        smaller(*exponent, *raised, bits / f64::from(*raised), *max_bits, *nearest),
        leveled(*modulus, *exponent)
    )]
    BfvPower {
        /// p.
        modulus: u64,
        /// r.
        exponent: u32,
        /// e.
        raised: u32,
        /// log2 p^e.
        bits: f64,
        /// The most.
        max_bits: f64,
        /// The nearest prime with a set.
        nearest: u64,
    },
    /// An entry of a table that no slot holds.
    #[error("entry {index} of the table is {value}: expected less than {modulus}, the modulus of slots")]
    BfvEntry {
        /// Its position.
        index: usize,
        /// The entry.
        value: u64,
        /// p.
        modulus: u64,
    },
    /// BFV or BGV refused.
    #[error(transparent)]
    Bfv(#[from] bootes_schemes::bfv::BfvSchemeError),
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
        "values of {widths:?} bits, and a bootstrap with parameter set {params} takes {bits}: encrypt them as \
         integers with room for all, {} bits (Client::encrypt_within a narrower range), which pack for nothing, or \
         take a set for {0} bits",
        widths.iter().sum::<u32>()
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
        longer(other.as_deref())
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
         2^{found:.1}, the promise is 2^{} (half window 2^{log2_half_window:.2} against {needed:.1} \
         standard deviations of 2^{log2_std:.2})",
        tenths(*promised)
    )]
    Noise {
        /// Name of the set.
        params: String,
        /// Which rotation of the circuit, from 1.
        rotation: usize,
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
        "the products of this algorithm need a GLWE rank of 1, parameter set {params} has {rank}: take another set or algorithm"
    )]
    Rank {
        /// Name of the set.
        params: String,
        /// Its rank.
        rank: usize,
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
    /// More entries than a set of engine fhew holds integers.
    #[error(
        "tables of {found} entries: engine fhew has parameters for up to {max}; larger ones, up to 2^20, \
         have engine ckks (Params::on with Engine::Ckks)"
    )]
    FhewEntries {
        /// How many.
        found: u64,
        /// The most.
        max: u64,
    },
    /// No interpolation has this order.
    #[error("an interpolation of order {found}, expected 1, 2 or 3")]
    Order {
        /// The order.
        found: u32,
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
        "table {index} of the chain maps {found:?} (inputs, outputs), expected {expected:?}: digit and state, to a state"
    )]
    Chain {
        /// Which table.
        index: usize,
        /// Moduli it must have.
        expected: [u64; 2],
        /// Moduli it has.
        found: [u64; 2],
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
        "a table of {entries} entries on integers from {integers}{}: entry i is the image of i, so that the integers must be 0 to {}; give a table for all of them, or bring them there (encrypt_unsigned, relu, abs, add_constant) first",
        if integers.min < 0 { ", which may be negative" } else { "" },
        entries - 1
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
    /// No algorithm has this name.
    #[error("no algorithm is called {name:?}, expected one of {known}")]
    UnknownAlgorithm {
        /// The one asked for.
        name: String,
        /// The names there are.
        known: String,
    },
}
