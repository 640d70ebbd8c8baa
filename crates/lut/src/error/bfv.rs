use super::words::{cure_of_depth, leveled, of_one_value, smaller, such_as, table_of_vectors};
use thiserror::Error;

/// Why engine bfv has no set for vectors, or no room for what is done to them.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BfvLutError {
    /// A table that is none of Z_p.
    #[error("a table of {entries} entries on values modulo {modulus}: {}", table_of_vectors(*modulus))]
    Table {
        /// How many there are.
        entries: u64,
        /// p^r.
        modulus: u64,
    },
    /// A table of Z_p into another modulus.
    #[error(
        "a table of results modulo {found}: vectors modulo {modulus} stay modulo {modulus}; make it with \
        Lut::modular(values, {modulus}) (--modulus {modulus} without --out-modulus or --out-bits)"
    )]
    TableResults {
        /// The table's.
        found: u64,
        /// p.
        modulus: u64,
    },
    /// A table whose polynomial is deeper than what bootstrapping leaves.
    #[error(
        "a table of {entries} entries takes {depth} products in a row, more than a bootstrapping with parameter set \
        {params} leaves: take keys of slots_{entries}_tables, or engine ckks"
    )]
    TableDepth {
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
    Room {
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
    /// What is of several slots, where a ciphertext has one.
    #[error(
        "{part} is of the slots of a ciphertext, and modulo {modulus} it holds one value: add ciphertexts up, as \
         x + y, or take a prime, such as {}",
        such_as(*nearest)
    )]
    OneValue {
        /// The operation in words.
        part: Box<str>,
        /// The modulus.
        modulus: u64,
        /// The nearest prime with a set.
        nearest: u64,
    },
    /// So many products in a row that no set without bootstrapping is secure, or has slots.
    #[error(
        "{depth} products in a row modulo {modulus}: sets without bootstrapping have {}; take a depth of these{}",
        if *most == 1 { "1".into() } else { format!("1 to {most}") },
        bootstrapped.as_ref().map_or(String::new(), |set| format!(", or the set {set}, which bootstraps"))
    )]
    Depth {
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
        "there are no slots modulo {found}: expected an odd prime, such as {}{}{}",
        such_as(*nearest),
        power
            .as_ref()
            .map_or(String::new(), |set| format!(", or the set {set} (Params::named){}", of_one_value(*found))),
        match found {
            2..=0x10_0000 => "; tables on messages modulo any number up to 2^20 have engine ckks (Params::on)",
            _ => "",
        }
    )]
    Prime {
        /// The one asked for.
        found: u64,
        /// The nearest prime with a set.
        nearest: u64,
        /// The set of the power of a prime that it is: of two, of one value a ciphertext and a product.
        power: Option<String>,
    },
    /// More slots than transforms in one stage serve.
    #[error(
        "modulo {modulus} there are {found} slots, and parameter sets have at most {max} for primes ≡ 3 modulo \
         4: take another prime, such as {nearest}, or 65537, which has 32768 slots; or for few products in a row \
         slots_{modulus}_depth_1, which bootstraps nothing"
    )]
    Transform {
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
    Power {
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
    Entry {
        /// Its position.
        index: usize,
        /// The entry.
        value: u64,
        /// p.
        modulus: u64,
    },
}
