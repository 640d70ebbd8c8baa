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

pub mod ckks;
mod error;
mod failure;
pub mod fhew;
mod memory;
mod names;
mod objective;
mod origin;
mod space;
mod threads;

pub use bootes_lattice::rns::MaskStorage;
pub use bootes_lattice::wire;
pub use bootes_lut::circuit::InputVariance;
pub use bootes_lut::fhew::digits::LargeLut;
pub use bootes_lut::integer::Limbs;
pub use bootes_lut::{IntegerOp, Interval, Lut, LutError};
pub use bootes_ring::isa::Isa;
pub use bootes_schemes::cost::{Calibration, CalibrationError};
pub use bootes_schemes::fhew::KeyNeeds;
pub use error::Error;
pub use failure::FailureTarget;
pub use memory::available_memory;
pub use objective::Objective;
pub use space::{Integers, Space};

/// The instruction set that the kernels use: the best this processor has, unless `BOOTES_ISA` lowers it.
pub fn isa() -> Isa {
    Isa::selected()
}

/// Name, reference and one line on every algorithm.
pub fn algorithms() -> Vec<(String, &'static str, &'static str)> {
    bootes_lut::registry::algorithms().iter().map(|a| (a.name(), a.reference(), a.summary())).collect()
}
