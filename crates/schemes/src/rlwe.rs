//! The common part of the schemes of RLWE over a chain of primes, CKKS, BFV and BGV.
//!
//! [`params`] ring, primes, secrets and their security; [`galois`] automorphisms by what they do to slots;
//! [`keys`] secret keys from a seed, evaluation keys and what is asked of them; [`linear`] linear maps of
//! slots, hoisted; [`cost`] the work of all of it. A scheme adds what its messages are: an encoding, a scale
//! or a plaintext modulus, its product, its bootstrapping.
pub mod cost;
mod error;
pub mod galois;
pub mod keys;
pub mod linear;
pub mod params;
mod request;
mod scheme;
mod stored;

pub use cost::RlweCost;
pub use error::KeyError;
pub use galois::{Axis, GaloisAction, GaloisGroup};
pub use keys::{RlweEvaluationKey, RlweSecretKeys};
pub use linear::{HoistedMap, MapPolynomials, Slots};
pub use params::{NOISE_STD, RlweLiteral, RlweParams, TOLD_BITS};
pub use request::KeyRequest;
pub use scheme::{SchemeEvaluationKey, SchemeParams, SchemePublicKey, SchemeSecretKey};
