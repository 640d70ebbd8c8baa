//! Homomorphic encryption schemes on the lattice layer. Now: FHEW/TFHE ([`fhew`]).
#![forbid(unsafe_code)]

pub mod fhew;
