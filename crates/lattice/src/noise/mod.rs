//! Noise: what the algorithms promise ([`formula`]), how often a promise breaks ([`failure`]), what is there
//! ([`measure`]).
//!
//! Variances are of the torus R/Z (an error of 1 is the whole circle); multiply by 2^128 for units of 1/2^64 squared.
pub mod failure;
pub mod formula;
pub mod measure;
