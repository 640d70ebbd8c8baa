//! How many of its cases a test takes.
use std::env;

/// Whether tests take all of their cases: `BOOTES_TESTS=full` asks for it, as `.ci/full` does.
#[must_use]
pub fn in_full() -> bool {
    env::var("BOOTES_TESTS").is_ok_and(|value| value == "full")
}

/// Every `n`-th case from the first on, or all of them ([`in_full`]): of long lists in which neighbours are alike.
///
/// # Panics
/// If `n` is 0.
pub fn sampled<T>(cases: impl IntoIterator<Item = T>, n: usize) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if in_full() { 1 } else { n })
}
