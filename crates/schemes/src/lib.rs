//! Homomorphic encryption schemes on the lattice layer. Now: FHEW/TFHE ([`fhew`]), and polynomials as circuits
//! ([`polyeval`]).
#![forbid(unsafe_code)]

pub mod fhew;
pub mod polyeval;
