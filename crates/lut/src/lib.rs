//! Lookup tables on encrypted integers: the algorithms of the papers behind one registry.
//!
//! A table is analysed once into a [`fhew::Circuit`] (which rotations, how large) and prepared once into test
//! vectors; then batches of ciphertexts flow through [`fhew::eval`]. Noise, failure probability and cost are other
//! readings of the same circuit. `lut` never chooses between algorithms: that is the planner's work.
#![forbid(unsafe_code)]

pub mod bfv;
pub mod ckks;
mod error;
pub mod fhew;
pub mod forms;
pub mod integer;
mod interval;
mod multivariate;
pub mod papers;
mod plain;
pub mod planning;
pub mod program;
pub mod table;

pub use error::{BfvLutError, CkksLutError, FhewLutError, LutError, list, shortened};
pub use integer::IntegerOp;
pub use interval::Interval;
pub use multivariate::MultivariateLut;
pub use plain::Plain;
pub use program::{Congruent, Kind, PaddingUse, PairOp, Program};
pub use table::Lut;
