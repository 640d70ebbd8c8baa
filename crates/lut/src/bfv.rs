//! Bootstrapping of BFV and BGV (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*).
//!
//! [`polynomials`] of digits, [`digits`] the circuits that remove them. [`slim`]: messages are vectors of Z_(p^r).
//! [`plan`]: a [`Program`](crate::Program), [`table`]s among it, and where
//! it is bootstrapped; [`params`]: sets for any p; `leveled`: those that have what products in a row take, and no
//! bootstrapping.
mod depth;
pub mod digits;
mod leveled;
pub mod params;
pub mod plan;
pub mod polynomials;
pub mod slim;
pub mod table;

pub use digits::{DigitMethod, DigitRemoval};
pub use params::ProgramParams;
pub use plan::ProgramPlan;
pub use slim::{SlimBootstrap, SlimPrediction};
