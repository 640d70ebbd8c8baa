//! The tests of the schemes.
mod alloc;
mod ckks;
mod ckks_noise;
#[path = "../../../ring/tests/suite/counting.rs"]
mod counting;
mod exact;
mod noise;
mod rlwe;
mod wide_noise;
