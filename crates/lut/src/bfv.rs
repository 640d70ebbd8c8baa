//! Bootstrapping of BFV and BGV (*Homomorphic Lower Digits Removal and Improved FHE Bootstrapping*).
//!
//! [`slim`]: messages are vectors of Z_(p^r).
pub mod slim;

pub use slim::{SlimBootstrap, SlimMaps};
