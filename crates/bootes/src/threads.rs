//! Threads of work.
use crate::Error;
use bootes_lut::planning::Waiting;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::{Cell, OnceCell};
use std::sync::{Mutex, PoisonError};

/// So many threads, or one for each processor that there is: more take memory, and wait for each other. Of
/// `usize::MAX`, where nobody says how many, as many as `RAYON_NUM_THREADS` does.
pub(crate) fn useful(threads: usize) -> usize {
    let told = match threads {
        // As rayon takes it: 0 says nothing.
        usize::MAX => std::env::var("RAYON_NUM_THREADS").ok().and_then(|all| all.parse().ok()).filter(|&all| all > 0),
        _ => Some(threads),
    };
    let told = told.unwrap_or(usize::MAX);
    told.min(std::thread::available_parallelism().map_or(told, usize::from))
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
        let waiting = Waiting::here();
        return Ok(pool.install(|| with(waiting, work)));
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

fn with<T>(waiting: Option<Waiting>, work: impl FnOnce() -> T) -> T {
    match waiting {
        Some(waiting) => waiting.while_planning(work),
        None => work(),
    }
}

thread_local! {
    /// How many threads the pool has that this thread works for, if it is one of [`apart`].
    static POOL: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work` on a thread of its own where this one is of a pool: such a thread does others' work while it waits,
/// which whoever waits for this one would end, and leave unfinished. On this one where the system starts none.
pub(crate) fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_none() {
        return work();
    }
    let threads = rayon::current_num_threads();
    on_thread(std::thread::Builder::new(), || {
        POOL.set(Some(threads));
        work()
    })
}

/// Runs `work` on a thread that is made so, or on this one where the system starts none.
fn on_thread<T: Send>(builder: std::thread::Builder, work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        let run = || take().map(|work| work());
        match builder.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => None,
        }
    })
    .or_else(|| take().map(|work| work()))
    .unwrap_or_else(|| unreachable!("one of both has done it"))
}

/// The stack of [`deep`]: what of it is not used takes no memory.
const DEEP: usize = 1 << 28;

/// Runs `work` that calls itself often, on a thread with a large stack; on this one where the system starts none.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let waiting = Waiting::here();
    on_thread(std::thread::Builder::new().stack_size(DEEP), || with(waiting, work))
}

/// Runs `work` on the threads of the pool that it is called from, if it is one of somebody's, or on all there are.
pub(crate) fn on_all_threads<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let is_alone = ALONE.with(|alone| alone.get().is_some());
    match rayon::current_thread_index() {
        Some(_) if !is_alone => work(),
        _ => on_threads(POOL.get().unwrap_or(usize::MAX), work)?,
    }
}
