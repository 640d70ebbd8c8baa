//! Clients and servers: they are closed, and stay in their process.
use crate::error;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The process that worked first.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Refuses to work in a fork of a process that has worked: threads are not there, and who held a lock never gives it
/// back.
pub(crate) fn in_its_process(py: Python<'_>) -> PyResult<()> {
    let here = std::process::id();
    match PROCESS.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != here => {
            let what = "this process is a fork, and the threads of the one that it was forked from are gone: start \
                        processes with multiprocessing.get_context(\"spawn\") or (\"forkserver\")";
            Err(error::new(py, "ResourceError", what))
        }
        _ => Ok(()),
    }
}

/// What is used until it is closed. Work that goes on then has it to its end.
pub(crate) struct Open<T> {
    held: Mutex<Option<Arc<T>>>,
    /// What is said of it afterwards.
    closed: &'static str,
}

impl<T: Send + Sync> Open<T> {
    pub(crate) fn new(held: T, closed: &'static str) -> Self {
        Self { held: Mutex::new(Some(Arc::new(held))), closed }
    }

    /// It, if it is open.
    pub(crate) fn held(&self) -> Option<Arc<T>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// It, for work in its process; or `ClosedError`.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<Arc<T>> {
        in_its_process(py)?;
        self.held().ok_or_else(|| error::new(py, "ClosedError", self.closed))
    }

    /// Lets it go, and its memory, which takes a while.
    pub(crate) fn close(&self, py: Python<'_>) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(held));
    }
}
