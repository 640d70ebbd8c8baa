//! Statistics, seeds, known answers, random expressions and a search of memory for the tests of Bootes. Not published,
//! not for secrets.
//!
//! A statistical test here has three parts: a deterministic seed ([`seed_bytes`], [`TestRng`]), a sample, and an interval or
//! a p-value from [`stats`]. As the seeds are fixed, a test that passes once passes always; a confidence of
//! [`CONFIDENCE`] leaves room for the seed to be changed.
#![forbid(unsafe_code)]

mod cases;
mod expressions;
pub mod memory;
mod rng;
pub mod special;
pub mod stats;
mod tables;

pub use cases::{in_full, portion, sampled};
pub use expressions::{Expression, Expressions};
pub use rng::{TestRng, seed_bytes};
pub use stats::{
    Moments, chi_square_p_value, chi_square_uniform_p_value, clopper_pearson, correlation, jarque_bera_p_value,
    mean_interval, serial_correlation, variance_interval,
};
pub use tables::standard_tables;

/// The confidence of intervals in tests: one change of seed in a million breaks a right test.
pub const CONFIDENCE: f64 = 0.999_999;
