//! **Bootes** evaluates any table on encrypted integers.
//!
//! ```
//! # fn main() -> Result<(), bootes::Error> {
//! use bootes::{Client, Lut, Params, Server};
//! let params = Params::named("toy_4")?; // Params::for_bits(4)?, or .many(65536)?, in earnest
//! let client = Client::generate(&params)?;
//! let server = Server::new(client.server_key()?)?;
//!
//! let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
//! let results = server.evaluate(&square, &client.encrypt(&[3, 5, 15])?)?;
//! assert_eq!(client.decrypt(&results)?, [9, 9, 1]);
//! # Ok(())
//! # }
//! ```
//!
//! [`Client`] holds the secrets, [`Server`] evaluates and never sees them; both can be on different machines,
//! and everything between them goes to streams and back ([`ServerKey`], [`Ciphertexts`]). Three engines
//! are behind them, one for few values, one for thousands at once and one for arithmetic on vectors modulo p; which one
//! it is, is a matter of [`Params`].
#![forbid(unsafe_code)]

mod bfv;
mod blocks;
mod ciphertexts;
mod ckks;
mod client;
mod complex;
mod continuous;
mod encrypted_table;
mod engine;
mod error;
mod failure;
mod fhew;
mod files;
mod function;
mod kept;
mod memory;
mod names;
mod objective;
mod origin;
mod params;
mod plan;
pub mod planner;
mod prediction;
mod reader;
mod request;
mod rows;
mod serde;
mod server;
mod server_key;
mod space;
mod threads;

pub use bootes_lattice::rns::MaskStorage;
pub use bootes_lattice::wire;
pub use bootes_lut::bfv::program::{Node, Operation};
pub use bootes_lut::bfv::{PaddingUse, Program};
pub use bootes_lut::circuit::InputVariance;
pub use bootes_lut::ckks::SlotTables;
pub use bootes_lut::integer::IntegerLimbs;
#[doc(hidden)]
pub use bootes_lut::list;
pub use bootes_lut::{IntegerOp, Interval, Lut, LutError};
pub use bootes_ring::isa::Isa;
pub use bootes_schemes::cancel::Cancel;
pub use bootes_schemes::cost::{Calibration, CalibrationError};
pub use bootes_schemes::fhew::KeyNeeds;
pub use ciphertexts::Ciphertexts;
pub use client::Client;
pub use complex::ComplexTable;
pub use continuous::Continuous;
pub use encrypted_table::EncryptedTable;
pub use engine::Engine;
pub use error::{Error, NoiseCure, NoiseWords, SlotError};
pub use failure::FailureTarget;
#[doc(hidden)]
pub use files::unnamed;
pub use function::Function;
pub use memory::available_memory;
pub use objective::Objective;
pub use params::{Params, Security};
pub use plan::Plan;
pub use prediction::{Candidate, Load, Memory, Prediction, candidates, crossover};
pub use reader::CiphertextReader;
pub use request::PlanRequest;
pub use server::{Inputs, Server, ServerBuilder};
pub use server_key::{ServerKey, ServerKeyBuilder};
pub use space::{Integers, Space};

/// The instruction set that the kernels use: the best this processor has, unless `BOOTES_ISA` lowers it (a name that is
/// unknown or of instructions that the processor lacks is overlooked; [`Isa::from_env`] refuses it).
pub fn isa() -> Isa {
    Isa::selected()
}

/// Name, reference and one line on every algorithm.
pub fn algorithms() -> Vec<(String, &'static str, &'static str)> {
    bootes_lut::registry::algorithms().iter().map(|a| (a.name(), a.reference(), a.summary())).collect()
}

/// The programs of the manual.
#[cfg(doctest)]
mod manual {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/guide/library.md")]
    struct Library;
    #[doc = include_str!("../../../docs/guide/vectors.md")]
    struct Vectors;
}
