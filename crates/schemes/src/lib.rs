//! Homomorphic encryption schemes on the lattice layer: FHEW/TFHE ([`fhew`]), CKKS ([`ckks`]), BFV and BGV
//! ([`bfv`]), with what schemes of RLWE share ([`rlwe`]), linear maps of slots ([`lintrans`]) and polynomials
//! ([`polyeval`]) as data.
#![forbid(unsafe_code)]

pub use bootes_ring::cancel;

pub mod bfv;
pub mod ckks;
pub mod class;
pub mod cost;
pub mod fhew;
pub mod lintrans;
pub mod papers;
pub mod polyeval;
pub mod precise;
pub mod rlwe;
pub mod scalar;
