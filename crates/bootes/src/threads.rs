//! Threads of work.
use crate::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::OnceCell;

/// So many threads, or one for each processor that there is: more take memory, and wait for each other.
pub(crate) fn useful(threads: usize) -> usize {
    threads.min(std::thread::available_parallelism().map_or(threads, usize::from))
}

thread_local! {
    /// A pool of this thread alone, which stays one: made where the system starts no other thread.
    static ALONE: OnceCell<ThreadPool> = const { OnceCell::new() };
}

/// Runs `work` on threads of its own, as many as are useful; on fewer, or on this one alone, where the system starts no
/// more.
///
/// # Errors
/// [`Error::Threads`] for none; [`Error::ThreadPool`] if not even this one can be used.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if threads == 0 {
        return Err(Error::Threads);
    }
    let (threads, build) = (useful(threads), |threads| ThreadPoolBuilder::new().num_threads(threads).build());
    let halves = std::iter::successors(Some(threads), |&threads| (threads > 1).then_some(threads / 2));
    if let Some(pool) = halves.map(build).find_map(Result::ok) {
        return Ok(pool.install(work));
    }
    ALONE.with(|alone| {
        if alone.get().is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            let pool = pool.map_err(|error| Error::ThreadPool { threads, reason: error.to_string() })?;
            // Nobody else is in this thread.
            let _ = alone.set(pool);
        }
        match alone.get() {
            Some(pool) => Ok(pool.install(work)),
            None => Err(Error::ThreadPool { threads, reason: "no thread".into() }),
        }
    })
}

/// Runs `work` on the threads of the pool that it is called from, if it is one of somebody's, or on all there are.
pub(crate) fn on_all_threads<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let is_alone = ALONE.with(|alone| alone.get().is_some());
    match rayon::current_thread_index() {
        Some(_) if !is_alone => work(),
        _ => on_threads(usize::MAX, work)?,
    }
}
