use thiserror::Error;

/// Errors that a caller or a parameter can cause.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LatticeError {
    /// A buffer or a ciphertext has the wrong size.
    #[error("{what} has {found} words, expected {expected}")]
    Size {
        /// The object whose size it is.
        what: &'static str,
        /// The size that fits.
        expected: usize,
        /// The size it has.
        found: usize,
    },
    /// A parameter lies outside its domain.
    #[error("{what} is {found}, expected {expected}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its domain in words.
        expected: &'static str,
        /// Its value.
        found: String,
    },
    /// The ring refused.
    #[error(transparent)]
    Ring(#[from] bootes_ring::error::RingError),
    /// The operating system gave no randomness.
    #[error(transparent)]
    Randomness(#[from] bootes_ring::sample::SampleError),
    /// The security data refused.
    #[error(transparent)]
    Security(#[from] crate::security::SecurityError),
}
