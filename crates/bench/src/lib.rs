//! Benchmarks of Bootes, the papers' figures beside ours, and the parameter search.
#![forbid(unsafe_code)]

pub mod search;
