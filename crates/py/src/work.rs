//! Work without the interpreter: other threads of Python go on meanwhile, and Ctrl-C ends it.
use crate::error;
use bootes::{Cancel, Error, planner};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often signals are looked for, and progress is told.
const PERIOD: Duration = Duration::from_millis(50);

/// The result of `work` that is too short to let the interpreter go. What the library may refuse goes this way, or that
/// of [`interrupted`] or [`watched`]: each has a panic raised as the others.
pub(crate) fn caught<T, E: Into<Error>>(work: impl FnOnce() -> Result<T, E>) -> PyResult<T> {
    let done = catch_unwind(AssertUnwindSafe(|| work().map_err(Into::into)));
    Python::attach(|py| finished(py, done))
}

fn finished<T>(py: Python<'_>, done: thread::Result<Result<T, Error>>) -> PyResult<T> {
    match done {
        Ok(result) => result.map_err(|error| error::of(&error)),
        Err(panic) => Err(error::new(py, "InternalError", &in_words(&*panic))),
    }
}

fn in_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("an error of bootes itself, which is worth a report: {text}")
}

/// Hears which part is done.
pub(crate) type Tell = Arc<dyn Fn(f64) + Send + Sync>;

/// The result of `work` on a thread of its own, which a signal or an exception of `progress` ends.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Cancel, Tell) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (cancel, done) = (Cancel::new(), Arc::new(AtomicU64::new(0)));
    let told = Arc::clone(&done);
    let tell: Tell = Arc::new(move |part: f64| told.store(part.to_bits(), Ordering::Relaxed));
    let (is_over, over) = (Mutex::new(false), Condvar::new());
    let wait = |period: Option<Duration>| {
        let (guard, goes_on) = (is_over.lock().unwrap_or_else(PoisonError::into_inner), |over: &mut bool| !*over);
        match period {
            Some(period) => over.wait_timeout_while(guard, period, goes_on).is_ok_and(|(over, _)| *over),
            None => over.wait_while(guard, goes_on).is_ok(),
        }
    };
    thread::scope(|scope| {
        let run = || {
            let work = || planner::watched(&cancel, |_| (), || work(&cancel, tell));
            let result = catch_unwind(AssertUnwindSafe(work));
            *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            over.notify_all();
            result
        };
        let worker = thread::Builder::new()
            .spawn_scoped(scope, run)
            .map_err(|reason| error::new(py, "ResourceError", &format!("a thread cannot be started ({reason})")))?;
        let mut last = None;
        let mut look = || {
            py.check_signals()?;
            let part = f64::from_bits(done.load(Ordering::Relaxed));
            match progress {
                Some(progress) if last.replace(part) != Some(part) => progress.call1((part,)).map(drop),
                _ => Ok(()),
            }
        };
        while !py.detach(|| wait(Some(PERIOD))) {
            if let Err(stop) = look() {
                cancel.cancel();
                py.detach(|| wait(None));
                drop(worker.join());
                return Err(stop);
            }
        }
        let result = finished(py, worker.join().unwrap_or_else(Err))?;
        look()?;
        Ok(result)
    })
}

/// The result of `work` on a thread of its own, which a signal ends.
pub(crate) fn interrupted<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    watched(py, None, |_, _| work())
}

/// Who hears of progress: a bar of tqdm for True.
pub(crate) fn listener<'py>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(progress) = progress.filter(|progress| !progress.is_none()) else { return Ok(None) };
    match progress.cast::<PyBool>() {
        Ok(shown) if shown.is_true() => py.import("bootes._progress")?.call_method0("bar").map(Some),
        Ok(_) => Ok(None),
        Err(_) if progress.is_callable() => Ok(Some(progress.clone())),
        Err(_) => Err(error::argument(py, "progress is no function: expected True, False, or what hears a number")),
    }
}
