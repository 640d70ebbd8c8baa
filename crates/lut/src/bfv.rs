//! Bootstrapping of BFV and BGV (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*).
//!
//! [`slim`]: messages are vectors of Z_(p^r). [`coefficients`]: any message modulo any t, through CKKS.
pub mod coefficients;
pub mod slim;

pub use coefficients::CoefficientBootstrap;
pub use slim::{SlimBootstrap, SlimPrediction};
