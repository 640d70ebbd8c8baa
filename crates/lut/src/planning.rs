//! Plans that somebody waits for: which part is done, whether it is still wanted, and how large it may become.
//!
//! A plan is made by one thread, deep in algorithms that have no other business with whoever waits. So the thread knows
//! who that is, and work that goes on in another thread takes it along ([`Waiting::while_planning`]).
use std::cell::RefCell;
use std::sync::Arc;

use bootes_ring::cancel::{Cancel, while_wanted};

use crate::LutError;

/// Functions of sums that a program may have in all: what is known of them takes some 100 megabytes.
pub const MAX_ATOMS: usize = 1 << 17;

/// Functions of sums, each of the one before.
pub const MAX_DEPTH: usize = 1 << 13;

/// Steps of a circuit: they take some 100 bytes each, and ciphertexts of a value at most as many.
pub const MAX_STEPS: usize = 1 << 21;

thread_local! {
    static WAITING: RefCell<Option<Waiting>> = const { RefCell::new(None) };
}

/// Who waits for the plan of a thread.
#[derive(Clone)]
pub struct Waiting {
    cancels: Vec<Cancel>,
    tell: Arc<dyn Fn(f64) + Send + Sync>,
    /// The part that is being made, of all.
    from: f64,
    part: f64,
}

impl Waiting {
    /// Who ends plans by `cancel` and hears from `tell` which part is done, from 0 to 1.
    #[must_use]
    pub fn new(cancel: &Cancel, tell: Arc<dyn Fn(f64) + Send + Sync>) -> Self {
        Self { cancels: vec![cancel.clone()], tell, from: 0.0, part: 1.0 }
    }

    /// Who waits for the plan of this thread, if somebody does, and may end it by `cancel` too.
    #[must_use]
    pub fn here_or(cancel: &Cancel) -> Self {
        let mut own = Self::here().unwrap_or_else(|| Self::new(cancel, Arc::new(|_| ())));
        own.cancels.push(cancel.clone());
        own
    }

    /// Who waits for the plan of this thread.
    #[must_use]
    pub fn here() -> Option<Self> {
        WAITING.with_borrow(Clone::clone)
    }

    /// Makes a plan, or does other work, that this one waits for, in this thread.
    pub fn while_planning<T>(self, plan: impl FnOnce() -> T) -> T {
        /// Who waited before does so again, whatever happens.
        struct Before(Option<Waiting>);
        impl Drop for Before {
            fn drop(&mut self) {
                WAITING.set(self.0.take());
            }
        }
        let cancels = self.cancels.clone();
        let _before = Before(WAITING.replace(Some(self)));
        while_wanted(cancels, plan)
    }
}

/// Goes on planning, if that is wanted: asked for many times a second.
///
/// # Errors
/// [`LutError::Cancelled`].
pub fn wanted() -> Result<(), LutError> {
    let ends = |own: &Waiting| own.cancels.iter().any(Cancel::is_cancelled);
    let is_cancelled = WAITING.with_borrow(|waiting| waiting.as_ref().is_some_and(ends));
    if is_cancelled { Err(LutError::Cancelled) } else { Ok(()) }
}

/// Makes part number `number` of `count` equal ones, and tells when it is done.
pub fn part<T>(number: usize, count: usize, plan: impl FnOnce() -> T) -> T {
    let Some(own) = Waiting::here() else { return plan() };
    let part = own.part / count.max(1) as f64;
    let (from, tell) = (own.from + part * number as f64, Arc::clone(&own.tell));
    let made = Waiting { from, part, ..own }.while_planning(plan);
    tell((from + part).min(1.0));
    made
}

/// Refuses a program of more than a plan may have.
///
/// # Errors
/// [`LutError::Program`].
pub(crate) fn check(what: &'static str, found: usize, most: usize) -> Result<(), LutError> {
    if found > most { Err(LutError::Program { what, most }) } else { Ok(()) }
}

/// Refuses a circuit of more steps than a plan may have.
///
/// # Errors
/// [`LutError::Program`].
pub fn check_steps(found: usize) -> Result<(), LutError> {
    check("steps", found, MAX_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckks::TableParams;

    use std::sync::Mutex;

    #[test]
    fn parts_of_parts_are_told() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let (cancel, hears) = (Cancel::new(), Arc::clone(&told));
        let waiting = Waiting::new(&cancel, Arc::new(move |part| hears.lock().unwrap().push(part)));
        waiting.while_planning(|| {
            part(0, 2, || (0..2).for_each(|number| part(number, 2, || assert!(wanted().is_ok()))));
            part(1, 2, || cancel.cancel());
            assert!(matches!(wanted(), Err(LutError::Cancelled)));
        });
        assert_eq!(*told.lock().unwrap(), [0.25, 0.5, 0.5, 1.0]);
        assert!(wanted().is_ok() && Waiting::here().is_none());
    }

    #[test]
    fn maps_of_batches_end_where_they_are_cancelled() {
        let params = TableParams::named("toy_batch_4bit").unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        let waiting = Waiting::new(&cancel, Arc::new(|_| ()));
        let maps = waiting.while_planning(|| params.transforms().map(drop));
        assert!(matches!(maps, Err(LutError::Cancelled)));
        assert!(params.transforms().is_ok());
    }
}
