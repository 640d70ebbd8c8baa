//! The mathematics of functional bootstrapping with CKKS (Alexandru, Kim, Polyakov, CRYPTO 2025, eprint 2024/1623;
//! "Larger tables with CKKS", sections 2.4 and 3.1), on numbers.
//!
//! A raised phase x = m/p + e + I, I an integer, is mapped to the point z = exp(2πix) of the circle
//! ([`Exponential`](bootes_schemes::ckks::Exponential)), which forgets I; a trigonometric polynomial takes z to f(m)
//! and flattens the error e ([`interpolate`]); and what noise is left, other polynomials clean ([`clean`]).
pub mod basis;
pub mod characters;
pub mod clean;
pub mod complex;
pub mod cost;
pub mod digits;
pub mod encrypted;
pub mod functional;
pub mod integers;
pub mod interpolate;
pub mod large;
pub mod noise;
pub mod params;
mod response;
pub mod slotwise;
pub mod tables;
pub mod varied;

pub use basis::Basis;
pub use complex::ComplexTable;
pub use encrypted::EncryptedTable;
pub use functional::{FunctionalBootstrap, PreparedTables};
pub use integers::{IntegerCircuit, IntegerNoise};
pub use interpolate::Interpolation;
pub use large::{LargeNoise, LargeTable};
pub use noise::TableNoise;
pub use params::{TableLiteral, TableParams};
pub use slotwise::SlotTables;
pub use tables::{Promise, Tables};
pub use varied::VariedTable;
