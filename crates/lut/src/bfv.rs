//! Bootstrapping of BFV and BGV (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*).
//!
//! [`polynomials`] of digits, [`digits`] the circuits that remove them. [`slim`]: messages are vectors of Z_(p^r).
//! [`full`]: any polynomial modulo p^r. [`coefficients`], [`discrete`]: any message modulo any t, through CKKS, in
//! passes or at once. [`plan`]: a [`Program`](crate::Program), [`table`]s among it, and where
//! it is bootstrapped; [`params`]: sets for any p.
pub mod coefficients;
pub mod digits;
pub mod discrete;
pub mod full;
pub mod params;
pub mod plan;
pub mod polynomials;
pub mod slim;
pub mod table;

pub use coefficients::CoefficientBootstrap;
pub use digits::{DigitMethod, DigitRemoval};
pub use discrete::{DiscreteBootstrap, DiscreteNoise, DiscreteSet};
pub use full::FullBootstrap;
pub use params::ProgramParams;
pub use plan::ProgramPlan;
pub use slim::{SlimBootstrap, SlimPrediction};
