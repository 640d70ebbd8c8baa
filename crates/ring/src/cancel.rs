//! Ending work before its end.
//!
//! Work that has no other business with whoever may end it looks whether its thread is one in which it is wanted
//! ([`is_wanted`]). Keys and ciphertexts that are begun are then left empty, and whoever has them made
//! ([`while_wanted`]) refuses them.
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is no longer wanted: shared by those who do it, who look at it many times a second, and those who may
/// end it, from another thread or when a signal comes. Clones are one.
///
/// ```
/// use bootes_ring::cancel::Cancel;
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

thread_local! {
    static HERE: RefCell<Vec<Cancel>> = const { RefCell::new(Vec::new()) };
}

/// Does work in this thread that each of these ends.
///
/// ```
/// use bootes_ring::cancel::{Cancel, is_wanted, while_wanted};
/// let cancel = Cancel::new();
/// while_wanted(vec![cancel.clone()], || {
///     assert!(is_wanted());
///     cancel.cancel();
///     assert!(!is_wanted());
/// });
/// assert!(is_wanted());
/// ```
pub fn while_wanted<T>(cancels: Vec<Cancel>, work: impl FnOnce() -> T) -> T {
    /// What ended work before does so again, whatever happens.
    struct Before(Vec<Cancel>);
    impl Drop for Before {
        fn drop(&mut self) {
            HERE.set(std::mem::take(&mut self.0));
        }
    }
    let _before = Before(HERE.replace(cancels));
    work()
}

/// Whether the work of this thread is wanted: asked for many times a second.
#[must_use]
pub fn is_wanted() -> bool {
    HERE.with_borrow(|cancels| !cancels.iter().any(Cancel::is_cancelled))
}
