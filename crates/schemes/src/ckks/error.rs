use thiserror::Error;

/// Why values cannot be encoded, or a map of slots not be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CkksError {
    /// No transform for this ring degree.
    #[error("ring degree {found}: expected a power of two from {min} to {max}")]
    Degree {
        /// What was asked for.
        found: usize,
        /// The smallest degree.
        min: usize,
        /// The largest degree.
        max: usize,
    },
    /// More values than slots.
    #[error("too many values for one ciphertext: {found}, expected at most {max}; split them over several")]
    TooManyValues {
        /// How many there are.
        found: usize,
        /// Half the ring degree.
        max: usize,
    },
    /// A number of slots that is no power of two.
    #[error("{found} slots: expected a power of two; pad with zeros")]
    Slots {
        /// What was asked for.
        found: usize,
    },
    /// Not a coefficient for every power of X.
    #[error("{found} coefficients: expected {expected}, the ring degree")]
    Coefficients {
        /// How many there are.
        found: usize,
        /// The ring degree.
        expected: usize,
    },
    /// An infinity or not a number.
    #[error("value {position} is not finite; bring the values into the range that the parameters expect")]
    NotFinite {
        /// Where the first such value stands.
        position: usize,
    },
    /// Stages that do not make up the transform.
    #[error("stages of {found:?} levels: expected positive numbers with sum {expected}")]
    Levels {
        /// Levels of the stages.
        found: Vec<usize>,
        /// log2 of the number of slots.
        expected: usize,
    },
}
