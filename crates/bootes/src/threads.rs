//! Threads of work.
use crate::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::OnceCell;

/// So many threads, or one for each processor that there is: more take memory, and wait for each other.
pub(crate) fn useful(threads: usize) -> usize {
    threads.min(std::thread::available_parallelism().map_or(threads, usize::from))
}

thread_local! {
    /// A pool of this thread alone, where the system starts no other.
    static ALONE: OnceCell<Option<ThreadPool>> = const { OnceCell::new() };
}

/// Runs `work` on threads of its own, as many as are useful, or on this one alone where the system starts no more.
///
/// # Errors
/// [`Error::Threads`] for none; [`Error::ThreadPool`] if not even this one can be used.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if threads == 0 {
        return Err(Error::Threads);
    }
    let threads = useful(threads);
    let error = match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => return Ok(pool.install(work)),
        Err(error) => error,
    };
    let alone = || ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
    ALONE.with(|pool| match pool.get_or_init(alone) {
        Some(pool) => Ok(pool.install(work)),
        None => Err(Error::ThreadPool { threads, reason: error.to_string() }),
    })
}

/// Runs `work` on the threads that it is called from, if they are a pool, or on all there are.
pub(crate) fn on_all_threads<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    match rayon::current_thread_index() {
        Some(_) => work(),
        None => on_threads(usize::MAX, work)?,
    }
}
