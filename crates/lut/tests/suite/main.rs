//! The tests of tables, circuits and algorithms.
mod bfv_coefficients;
mod bfv_discrete;
mod bfv_full;
mod bfv_leveled;
mod bfv_program;
mod bfv_slim;
mod bits;
mod carries;
mod chains;
mod ckks;
mod ckks_integers;
mod ckks_large;
mod ckks_noise;
mod ckks_programs;
mod ckks_varied;
mod common;
mod digits;
mod forms;
mod integers;
mod kinds;
mod large_tables;
mod many;
mod moduli;
mod noise;
mod wide;

/// What listens to no progress. A closure of each call's own would have all that takes it compiled once more.
fn unheard<A, B>(_: A, _: B) {}
