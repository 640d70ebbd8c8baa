//! What is refused of conversions between engines.
use crate::{Engine, Space};
use thiserror::Error as ThisError;

/// A refusal about [`ConversionKey`](crate::ConversionKey).
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ConversionError {
    /// Two clients between which there is no conversion.
    #[error(
        "a conversion from engine {from} to engine {to}: there are those from engine ckks to engine fhew, and back, \
         and between bfv and fhew; {}",
        if from == to { "take a client of each" } else { "convert to a client of engine fhew, and from it" }
    )]
    Engines {
        /// The engine that it was to come from.
        from: Engine,
        /// The engine that it was to lead to.
        to: Engine,
    },
    /// Values that no ciphertext of the other set holds.
    #[error(
        "a conversion of {space}, and parameter set {params} that it leads to has them of {most} bits at most, in one \
         ciphertext: {}",
        other_set(set.as_deref())
    )]
    Space {
        /// The message space of the ciphertexts.
        space: Space,
        /// Name of the set.
        params: String,
        /// Bits of its largest messages, a sign included.
        most: u32,
        /// A set that has them.
        set: Option<String>,
    },
    /// A modulus that no set of engine fhew has values of.
    #[error(
        "a conversion of residues modulo {modulus}, those of parameter set {params}: engine fhew has them modulo {most} \
         at most; take a client of a smaller modulus, such as of parameters slots_127, or decrypt them, and encrypt \
         what is wanted"
    )]
    Modulus {
        /// p^r of the set of engine bfv.
        modulus: u64,
        /// Its name.
        params: String,
        /// The largest modulus of engine fhew.
        most: u64,
    },
    /// A set of engine bfv without the maps that a conversion takes.
    #[error(
        "a conversion of vectors takes the maps of their bootstrapping, and parameter set {params} has none: {}",
        match set {
            Some(set) => format!("take a client of parameters {set}"),
            None => "take a client of parameters that bootstrap, such as slots_127".into(),
        }
    )]
    Unbootstrapped {
        /// Name of the set.
        params: String,
        /// The set of the same modulus that bootstraps.
        set: Option<String>,
    },
    /// Vectors in a smaller ring than that of single ciphertexts, as toy sets have.
    #[error(
        "a conversion between parameter sets {params} and {single}: expected vectors of as large a ring; take a client \
         of parameters {set}"
    )]
    Rings {
        /// Name of the set of vectors.
        params: String,
        /// Name of the set of single ciphertexts.
        single: String,
        /// The set of the same vectors with a larger ring.
        set: String,
    },
    /// Integers of a range, where vectors have residues.
    #[error(
        "a conversion of {space}: parameter set {params} that it leads to has residues modulo {expected} alone; encrypt \
         the values modulo {expected}"
    )]
    Integers {
        /// The message space of the ciphertexts.
        space: Space,
        /// p^r.
        expected: u64,
        /// Name of the set of engine bfv.
        params: String,
    },
    /// A conversion of vectors without their server.
    #[error(
        "a conversion of vectors takes the maps of their bootstrapping: give the server of parameters {params} to the \
         key, with ConversionKey::with_server"
    )]
    NoServer {
        /// Name of the set of engine bfv.
        params: String,
    },
    /// A server for a conversion that takes none.
    #[error("a server is given to a conversion between engines ckks and fhew, which takes none: leave it out")]
    NeedlessServer,
    /// Results that would decrypt wrongly more often than is promised.
    #[error(
        "a value that is converted would decrypt wrongly with probability 2^{found:.1}, parameter set {params} that it \
         leads to promises 2^{promised}: evaluate a table on the ciphertexts first, such as the identity, or take \
         {}messages of fewer bits",
        set.as_ref().map_or(String::new(), |set| format!("a client of parameters {set}, or "))
    )]
    Noise {
        /// Name of the set.
        params: String,
        /// log2 of the failure probability it would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
        /// A set that promises no more than there would be.
        set: Option<String>,
    },
    /// Values whose noise has no room in the digit that bootstrapping removes.
    #[error(
        "a vector of values that are converted would be wrong with probability 2^{found:.1}, parameter set {params} \
         that it leads to promises 2^{promised}: {}",
        match set {
            Some(set) if set == single => "evaluate a table on the ciphertexts first, such as the identity".into(),
            Some(set) => format!("take a client of parameters {set}, whose results of tables have less noise"),
            None => "no set's results of tables have so little noise; take vectors of a smaller modulus".into(),
        }
    )]
    Digit {
        /// Name of the set of engine bfv.
        params: String,
        /// log2 of the failure probability that the vector would have.
        found: f64,
        /// log2 of the promised one.
        promised: f64,
        /// Name of the set of the values.
        single: String,
        /// The set whose results of tables have little enough noise.
        set: Option<String>,
    },
    /// A position behind the last value.
    #[error(
        "position number {index} is {position}, expected 0 to {} (the values that there are)",
        len.saturating_sub(1)
    )]
    Position {
        /// Its place among the positions, from 0.
        index: usize,
        /// The position.
        position: usize,
        /// Values that there are.
        len: usize,
    },
}

fn other_set(set: Option<&str>) -> String {
    match set {
        Some(set) => format!("take a client of parameters {set}"),
        None => "no set has; evaluate a table to messages of fewer bits first".into(),
    }
}
