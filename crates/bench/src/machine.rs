//! The machine and its peaks: the yardsticks of the kernels.
use crate::clock::Stats;
use serde::Serialize;
use std::hint::black_box;

/// The machine of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Processor model as the system names it.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Instruction set of our kernels.
    pub isa: String,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            info.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim().to_string())
            })
        };
        let model = field("model name").unwrap_or_else(|| "unknown".into());
        // Guests often hide the model's name; family and model tell the generation.
        let cpu = match (field("cpu family"), field("model")) {
            (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
            _ => model,
        };
        Self {
            cpu,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            isa: bootes::isa().to_string(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Measured limits of one core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Floating-point operations a nanosecond, a fused multiply-add counting two, operands in registers.
    pub(crate) gflops: f64,
    /// Bytes a nanosecond read from main memory.
    pub(crate) gbytes: f64,
}

impl Limits {
    pub(crate) fn measure(runs: usize) -> Self {
        Self { gflops: peak_gflops(runs), gbytes: read_gbytes(runs) }
    }
}

/// Reads 64 MiB, larger than the caches of a core, front to back.
fn read_gbytes(runs: usize) -> f64 {
    let words = vec![1u64; 8 << 20];
    let stats = Stats::measure(runs, 1, || {
        let mut sums = [0u64; 16];
        for chunk in black_box(&words[..]).as_chunks::<16>().0 {
            sums.iter_mut().zip(chunk).for_each(|(sum, &x)| *sum = sum.wrapping_add(x));
        }
        black_box(sums);
    });
    (words.len() * 8) as f64 / (stats.min_ms * 1e6)
}

/// Independent chains of multiply-adds in registers.
fn peak_gflops(runs: usize) -> f64 {
    const ROUNDS: usize = 100_000;
    let isa = bootes::isa();
    let mut operations = 0;
    let stats = Stats::measure(runs, 1, || operations = bootes_ring::peak::multiply_adds(isa, ROUNDS));
    operations as f64 / (stats.min_ms * 1e6)
}
