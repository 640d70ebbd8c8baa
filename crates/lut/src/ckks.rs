//! The mathematics of functional bootstrapping with CKKS (Alexandru, Kim, Polyakov, CRYPTO 2025, eprint 2024/1623;
//! "Larger tables with CKKS", sections 2.4 and 3.1), on numbers.
//!
//! A raised phase x = m/p + e + I, I an integer, is mapped to the point z = exp(2πix) of the circle
//! ([`Exponential`](bootes_schemes::ckks::Exponential)), which forgets I; a trigonometric polynomial takes z to f(m)
//! and flattens the error e ([`interpolate`]); and what noise is left, other polynomials clean ([`clean`]).
//!
//! [`tables`], a file a method: [`whole`](tables::whole), by [`digits`](tables::digits), one a value
//! ([`per_slot`](tables::per_slot)), [`encrypted`](tables::encrypted). [`functional`]: what evaluates them,
//! [`decompose`]: messages into digits; [`circuit`]: functions of integers and programs; [`noise`] and [`cost`],
//! predicted.
pub mod characters;
pub mod circuit;
pub mod clean;
pub mod complex;
pub mod cost;
pub mod decompose;
pub mod functional;
pub mod integers;
pub mod interpolate;
pub mod noise;
pub mod params;
pub mod program;
mod response;
pub mod tables;

pub use circuit::{Circuit, CircuitBounds};
pub use complex::ComplexTable;
pub use functional::FunctionalBootstrap;
pub use interpolate::Interpolation;
pub use noise::TableNoise;
pub use params::{TableLiteral, TableParams};
pub use program::{Draft, Messages, Operand};
pub use tables::basis::Basis;
pub use tables::digits::{LargeNoise, LargeTable};
pub use tables::encrypted::EncryptedTable;
pub use tables::per_slot::SlotTables;
pub use tables::varied::VariedTable;
pub use tables::whole::PreparedTables;
pub use tables::{Promise, Tables};
