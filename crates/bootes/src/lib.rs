//! **Bootes** evaluates any table on encrypted integers.
//!
//! ```
//! # fn main() -> Result<(), bootes::Error> {
//! let params = bootes::Params::by_name("toy_4")?; // bootes::Params::for_bits(8)? in earnest
//! let client = bootes::Client::generate(&params)?;
//! let server = bootes::Server::new(client.server_key()?)?;
//!
//! let square = bootes::Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
//! let encrypted = client.encrypt(&[3, 5, 15])?;
//! let results = server.evaluate(&square, &encrypted, 1)?;
//! assert_eq!(client.decrypt(&results)?, [9, 9, 1]);
//! # Ok(())
//! # }
//! ```
//!
//! [`Client`] holds the secrets, [`Server`] evaluates and never sees them; both can be on different machines,
//! everything between them goes to bytes and back ([`ServerKey`], [`Ciphertexts`]).
//!
//! For thousands of values at once there is the batch engine: [`BatchClient`], [`BatchServer`], with the same tables.
#![forbid(unsafe_code)]

mod batch;
mod ciphertexts;
mod client;
mod error;
mod evaluation;
mod memory;
mod objective;
mod params;
mod plan;
mod samples;
mod server;
mod server_key;
mod space;

pub use batch::{
    BatchCiphertexts, BatchClient, BatchLoad, BatchMemory, BatchPrediction, BatchProgress, BatchServer, BatchServerKey,
    batch_chain, batch_set, crossover,
};
pub use bootes_lattice::rns::MaskStorage;
pub use bootes_lattice::wire;
pub use bootes_lut::circuit::InputVariance;
pub use bootes_lut::ckks::params::literals as batch_literals;
pub use bootes_lut::ckks::{BatchLiteral, BatchParams};
pub use bootes_lut::fhew::digits::LargeLut;
pub use bootes_lut::integer::Limbs;
pub use bootes_lut::{IntegerOp, Interval, Lut, LutError};
pub use bootes_ring::isa::Isa;
pub use bootes_schemes::ckks::bootstrap::Step as BatchStep;
pub use bootes_schemes::cost::{Calibration, CalibrationError};
pub use bootes_schemes::fhew::KeyNeeds;
pub use ciphertexts::{CiphertextReader, Ciphertexts};
pub use client::Client;
pub use error::Error;
pub use memory::available_memory;
pub use objective::{Candidate, Objective, Prediction, candidates, large_candidates};
pub use params::{FailureTarget, Params};
pub use plan::Plan;
pub use server::Server;
pub use server_key::{ExtraKeys, KeySizes, ServerKey};
pub use space::{Integers, Space};

/// The instruction set that the kernels use: the best this processor has, unless `BOOTES_ISA` lowers it.
pub fn isa() -> Isa {
    Isa::selected()
}

/// Name, reference and one line on every algorithm.
pub fn algorithms() -> Vec<(String, &'static str, &'static str)> {
    bootes_lut::registry::algorithms().iter().map(|a| (a.name(), a.reference(), a.summary())).collect()
}
