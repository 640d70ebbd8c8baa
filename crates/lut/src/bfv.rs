//! Bootstrapping of BFV and BGV (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*).
//!
//! [`polynomials`] of digits, [`digits`] the circuits that remove them. [`slim`]: messages are vectors of Z_(p^r). [`coefficients`]: any message modulo any t, through CKKS.
pub mod coefficients;
pub mod digits;
pub mod polynomials;
pub mod slim;

pub use coefficients::CoefficientBootstrap;
pub use digits::{DigitMethod, DigitRemoval};
pub use slim::{SlimBootstrap, SlimPrediction};
