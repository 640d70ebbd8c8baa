//! Reproductions of papers that no door leads to: benchmarks and tests measure them beside what is used.
//!
//! [`multiplexer`]: trees of "Larger tables with CKKS". [`full`]: full bootstrapping of "Homomorphic lower digits
//! removal". [`coefficients`], [`discrete`]: all coefficients of BFV refreshed through CKKS, any message modulo any t,
//! in passes (ePrint 2024/109) or at once (ours).
pub mod coefficients;
pub mod discrete;
pub mod full;
pub mod multiplexer;

pub use coefficients::CoefficientBootstrap;
pub use discrete::{DiscreteBootstrap, DiscreteNoise, DiscreteSet};
pub use full::FullBootstrap;
