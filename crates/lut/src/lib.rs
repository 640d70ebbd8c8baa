//! Lookup tables on encrypted integers: the algorithms of the papers behind one registry.
//!
//! A table is analysed once into a [`circuit::Circuit`] (which rotations, how large) and prepared once into test
//! vectors; then batches of ciphertexts flow through [`eval`]. Noise, failure probability and cost are other readings
//! of the same circuit. `lut` never chooses between algorithms: that is the planner's work.
#![forbid(unsafe_code)]

pub mod algorithm;
pub mod bfv;
pub mod circuit;
pub mod ckks;
mod error;
pub mod eval;
pub mod fhew;
pub mod integer;
mod interval;
pub mod registry;
pub mod table;

pub use algorithm::Algorithm;
pub use circuit::Circuit;
pub use error::{LutError, list};
pub use integer::IntegerOp;
pub use interval::Interval;
pub use table::Lut;
