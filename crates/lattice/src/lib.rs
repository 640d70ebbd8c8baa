//! The common part of all schemes of Bootes: LWE, GLWE and GGSW ciphertexts over the torus Z_{2^64} or Z_{2^128},
//! gadgets, the external product's keys, LWE key switching, modulus switching, sample extraction, RLWE over
//! primes ([`rns`]) and modulo 2^k ([`port`]), noise, security and the wire format.
//!
//! Sign convention (both FHEW papers): an LWE ciphertext (a, b) under s has the *phase* b + ⟨a, s⟩ = message + noise.
#![forbid(unsafe_code)]

pub mod circuit_bootstrap;
mod error;
pub mod external;
pub mod extract;
pub mod ggsw;
pub mod glwe;
pub mod glwe_product;
pub mod glwe_public;
pub mod keyswitch;
pub mod lwe;
pub mod modswitch;
pub mod noise;
pub mod port;
pub mod ring_merge;
pub mod ring_switch;
pub mod rns;
mod rows;
pub mod secret;
pub mod security;
pub mod wire;

pub use bootes_ring::gadget::Gadget;
pub use error::LatticeError;
