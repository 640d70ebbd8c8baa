//! What is refused of conversions between engines.
use crate::{Engine, Space};
use thiserror::Error as ThisError;

/// A refusal about [`ConversionKey`](crate::ConversionKey).
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ConversionError {
    /// Two clients between which there is no conversion.
    #[error(
        "a conversion from engine {from} to engine {to}: there are those from engine ckks to engine fhew, and back; \
         take a client of each"
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
