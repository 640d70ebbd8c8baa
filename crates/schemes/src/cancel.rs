//! Ending work before its end.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is no longer wanted: shared by those who do it, who look at it many times a second, and those who may
/// end it, from another thread or when a signal comes. Clones are one.
///
/// ```
/// use bootes_schemes::cancel::Cancel;
/// let cancel = Cancel::new();
/// let other = cancel.clone();
/// other.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Work that is wanted.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all work that looks at it, for good.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is ended.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
