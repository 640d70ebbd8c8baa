//! Threads of work.
use crate::Error;

/// So many threads, or one for each processor that there is: more take memory, and wait for each other.
pub(crate) fn useful(threads: usize) -> usize {
    threads.min(std::thread::available_parallelism().map_or(threads, usize::from))
}

/// Runs `work` on threads of its own, as many as are useful.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if threads == 0 {
        return Err(Error::Threads);
    }
    let threads = useful(threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::ThreadPool { threads, reason: error.to_string() })?;
    Ok(pool.install(work))
}
