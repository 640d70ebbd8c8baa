//! The tests of the schemes.
mod alloc;
mod bfv;
mod ckks;
mod ckks_noise;
#[path = "../../../ring/tests/suite/counting.rs"]
mod counting;
mod noise;
mod rlwe;
mod wide_noise;
