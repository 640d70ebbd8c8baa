//! How many of its cases a test takes.
use std::env;

/// Whether tests take all of their cases: `BOOTES_TESTS=full` asks for it, as `.ci/full` does.
#[must_use]
pub fn in_full() -> bool {
    env::var("BOOTES_TESTS").is_ok_and(|value| value == "full")
}

/// An `n`-th of `count`, rounded up, or all ([`in_full`]): of numbers of samples.
///
/// # Panics
/// If `n` is 0.
#[must_use]
pub fn portion(count: u64, n: u64) -> u64 {
    if in_full() { count } else { count.div_ceil(n) }
}

/// Every `n`-th case from the first on, or all of them ([`in_full`]): of long lists in which neighbours are alike.
///
/// # Panics
/// If `n` is 0.
pub fn sampled<T>(cases: impl IntoIterator<Item = T>, n: usize) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if in_full() { 1 } else { n })
}
