//! Homomorphic encryption schemes on the lattice layer. FHEW/TFHE ([`fhew`]); the plain linear algebra of
//! CKKS ([`ckks`]) and linear maps of slots ([`lintrans`]).
#![forbid(unsafe_code)]

pub mod ckks;
pub mod fhew;
pub mod lintrans;
