//! Timing: CPU time of the process and wall time, medians over runs.
use std::time::Instant;

/// Milliseconds a call, over the runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stats {
    /// Wall time: median, least and most.
    pub(crate) median_ms: f64,
    pub(crate) min_ms: f64,
    pub(crate) max_ms: f64,
    /// CPU time, median.
    pub(crate) cpu_ms: f64,
    pub(crate) runs: usize,
}

/// CPU seconds of this process so far; wall clock where the system has no such counter.
#[cfg(unix)]
pub fn cpu_seconds(_start: Instant) -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds since `start`.
#[cfg(not(unix))]
pub fn cpu_seconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64()
}

impl Stats {
    /// Runs `work` once to warm up and then `runs` times, each time `repeat` calls of it.
    pub(crate) fn measure(runs: usize, repeat: usize, mut work: impl FnMut()) -> Self {
        work();
        let mut samples = Samples::default();
        for _ in 0..runs {
            samples.time(repeat as f64, || (0..repeat).for_each(|_| work()));
        }
        samples.stats()
    }

    /// Like [`Self::measure`] with as many calls a run as fill about `run_ms` milliseconds.
    pub(crate) fn measure_for(runs: usize, run_ms: f64, mut work: impl FnMut()) -> Self {
        work();
        let (mut repeat, mut elapsed) = (1usize, 0.0);
        while elapsed < run_ms * 0.2 {
            let start = Instant::now();
            (0..repeat).for_each(|_| work());
            elapsed = start.elapsed().as_secs_f64() * 1e3;
            if elapsed < run_ms * 0.2 {
                repeat *= 2;
            }
        }
        let repeat = ((repeat as f64 * run_ms / elapsed) as usize).max(1);
        Self::measure(runs, repeat, work)
    }

    /// The time of each of `parts` equal parts of a call.
    pub(crate) fn divided(self, parts: usize) -> Self {
        let parts = parts as f64;
        Self {
            median_ms: self.median_ms / parts,
            min_ms: self.min_ms / parts,
            max_ms: self.max_ms / parts,
            cpu_ms: self.cpu_ms / parts,
            runs: self.runs,
        }
    }
}

/// Runs as they come.
#[derive(Default)]
pub(crate) struct Samples {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl Samples {
    /// Times `work`, which counts as `calls` calls.
    pub(crate) fn time<T>(&mut self, calls: f64, work: impl FnOnce() -> T) -> T {
        let wall = Instant::now();
        let cpu = cpu_seconds(wall);
        let result = work();
        self.cpu.push((cpu_seconds(wall) - cpu) * 1e3 / calls);
        self.wall.push(wall.elapsed().as_secs_f64() * 1e3 / calls);
        result
    }

    /// CPU time of all together.
    pub(crate) fn total_cpu_ms(&self) -> f64 {
        self.cpu.iter().sum()
    }

    /// How many times as fast as `slow` these are: the median over the runs, which were by turns.
    pub(crate) fn speedup(&self, slow: &Self) -> f64 {
        median(&slow.wall.iter().zip(&self.wall).map(|(slow, fast)| slow / fast).collect::<Vec<_>>())
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            median_ms: median(&self.wall),
            min_ms: self.wall.iter().copied().fold(f64::INFINITY, f64::min),
            max_ms: self.wall.iter().copied().fold(0.0, f64::max),
            cpu_ms: median(&self.cpu),
            runs: self.wall.len(),
        }
    }
}

/// CPU times of the parts of a work, each until the next begins.
pub(crate) struct Laps<L> {
    start: Instant,
    marks: Vec<(L, f64)>,
}

impl<L> Laps<L> {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), marks: Vec::new() }
    }

    /// A part begins.
    pub(crate) fn mark(&mut self, label: L) {
        self.marks.push((label, cpu_seconds(self.start)));
    }

    /// The last part ends: milliseconds of each.
    pub(crate) fn finish(self) -> Vec<(L, f64)> {
        let end = cpu_seconds(self.start);
        let ends: Vec<f64> = self.marks.iter().skip(1).map(|mark| mark.1).chain([end]).collect();
        self.marks.into_iter().zip(ends).map(|((label, from), to)| (label, (to - from) * 1e3)).collect()
    }
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}

/// √(mean of squares): the standard deviation of errors whose mean is known to be zero.
pub(crate) fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn laps_are_the_parts() {
        let mut laps = Laps::new();
        ["a", "b"].into_iter().for_each(|part| laps.mark(part));
        let laps = laps.finish();
        assert!(laps.iter().map(|lap| lap.0).eq(["a", "b"]) && laps.iter().all(|lap| lap.1 >= 0.0));
    }

    #[test]
    fn runs_are_counted_and_ordered() {
        let mut calls = 0;
        let stats = Stats::measure(5, 3, || calls += 1);
        assert_eq!((calls, stats.runs), (16, 5));
        assert!(stats.min_ms <= stats.median_ms && stats.median_ms <= stats.max_ms);
    }
}
