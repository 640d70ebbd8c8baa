//! CKKS: approximate numbers, N/2 of them in one polynomial.
//!
//! [`params`] rings, levels and scales; [`encoder`] the canonical embedding; [`keys`]; [`evaluator`] operations;
//! [`circuit`] polynomials and [`linear`] linear maps on ciphertexts; [`embedding_stages`] the embedding as
//! few sparse maps; [`exponential`] the circle; [`bootstrap`]; [`noise`] and [`cost`], predicted.
pub mod bootstrap;
pub mod ciphertext;
pub mod circuit;
pub mod cost;
pub mod embedding_stages;
pub mod encoder;
mod error;
pub mod evaluator;
pub mod exponential;
pub mod keys;
pub mod linear;
pub mod noise;
pub mod params;
pub mod precise;
pub mod precision;
pub mod seeded;
pub mod sets;
pub mod wide;

pub use bootstrap::{Bootstrap, BootstrapOptions};
pub use ciphertext::CkksCiphertext;
pub use cost::Cost;
pub use encoder::Encoder;
pub use error::CkksError;
pub use evaluator::Evaluator;
pub use exponential::Exponential;
pub use keys::{CkksEvaluationKey, CkksPublicKey, CkksSecretKey};
pub use params::{CkksLiteral, CkksParams};
pub use precision::Precision;
pub use seeded::SeededCiphertext;

pub use crate::rlwe::KeyRequest;
pub use sets::BootstrapSet;
