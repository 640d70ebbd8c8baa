//! Who watches an evaluation.
use bootes_schemes::cancel::Cancel;
use std::sync::Arc;

/// Hears which part of some work is done, from 0 to 1.
pub(crate) type Progress = Arc<dyn Fn(f64) + Send + Sync>;

/// Hears which part of an evaluation is done, and may end it.
pub(crate) struct Watch<'a> {
    /// The part that is done, 0 to 1.
    pub(crate) progress: &'a (dyn Fn(f64) + Sync),
    /// Ends it, with [`Error::Cancelled`](crate::Error::Cancelled), within a second.
    pub(crate) cancel: &'a Cancel,
}
