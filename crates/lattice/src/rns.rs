//! RLWE over a chain of primes: what CKKS, BFV and BGV share.
//!
//! A ciphertext (b, a) modulo Q under the secret s has the *phase* b + a·s = message + noise modulo Q. Key
//! switching is hybrid (Han, Ki: *Better Bootstrapping for Approximate Homomorphic Encryption*, 2020): a
//! polynomial is cut into digits, the residues modulo groups of primes; keys live modulo Q·P, with special
//! primes P at least as large as a digit.
//!
//! Where messages are the phase modulo t (BGV), errors are multiples of t ([`ErrorDistribution`]) and
//! divisions are congruent modulo t ([`HybridGadget::congruent`],
//! [`Division::congruent`](bootes_ring::rns::Division::congruent)).

pub mod ciphertext;
pub mod galois;
pub mod keyswitch;
pub mod secret;
mod stored;

pub use ciphertext::{ErrorDistribution, RnsCiphertext, RnsPublicKey};
pub use galois::{GaloisKey, GaloisKeys};
pub use keyswitch::{HybridGadget, MaskStorage, RnsDigits, SwitchKey};
pub use secret::RnsSecretKey;
