//! CPU time of the process and wall time of a closure.
use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// Seconds of CPU (all threads) and of wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub cpu: f64,
    pub wall: f64,
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs `work` and times it.
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Times) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let result = work();
    (result, Times { wall: wall.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu })
}

/// The middle of `values`.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}
