//! What plans refuse.
use crate::Space;
use thiserror::Error as ThisError;

/// Ciphertexts that a plan was not made for.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum PlanError {
    /// Of another space.
    #[error("the plan was made for {expected}, and the ciphertexts hold {found}: make one for them")]
    Space {
        /// The message space of the ciphertexts.
        found: Space,
        /// The message space that the plan was made for.
        expected: Space,
    },
    /// Of more noise.
    #[error(
        "the plan was made for noise of 2^{expected:.2} of the torus, and the ciphertexts have 2^{found:.2}: it \
         would fail more often than promised; make a plan for them"
    )]
    Noise {
        /// log2 of the standard deviation of the ciphertexts' noise.
        found: f64,
        /// log2 of the one that the plan was made for.
        expected: f64,
    },
    /// With noise in common, of engines fhew and ckks.
    #[error(
        "the plan was made for operands without an encryption or evaluation in common, and these have one: it would \
         fail more often than promised; make a plan for these"
    )]
    Related,
    /// Of larger errors, of engines ckks and bfv.
    #[error(
        "the plan was made for ciphertexts of parameter set {params} with smaller errors: it would fail more often \
         than promised; make a plan for these"
    )]
    Bound {
        /// Name of the set.
        params: String,
    },
    /// A plan was made for ciphertexts of other levels or factors.
    #[error(
        "the plan was made for ciphertexts of another history (at level {expected}, and these are at {found}): make a \
         plan for these"
    )]
    Level {
        /// The level of the ciphertexts.
        found: usize,
        /// The one that the plan was made for.
        expected: usize,
    },
}
