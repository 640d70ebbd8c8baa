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

mod aes;
mod door;
mod engines;
mod files;
mod kept;
mod memory;
mod names;
mod origin;
pub mod planner;
mod threads;

pub use bootes_lattice::rns::MaskStorage;
pub use bootes_lattice::wire;
pub use bootes_lut::ckks::SlotTables;
pub use bootes_lut::fhew::circuit::InputVariance;
pub use bootes_lut::integer::{IntegerLimbs, MAX_WIDTH};
pub use bootes_lut::program::{Node, Operation};
pub use bootes_lut::{BfvLutError, CkksLutError, FhewLutError, LutError};
pub use bootes_lut::{IntegerOp, Interval, Lut, MultivariateLut};
pub use bootes_lut::{Kind, PaddingUse, PairOp, Plain, Program};
#[doc(hidden)]
pub use bootes_lut::{list, shortened};
pub use bootes_ring::isa::Isa;
pub use bootes_schemes::cancel::Cancel;
pub use bootes_schemes::cost::{Calibration, CalibrationError};
pub use bootes_schemes::fhew::KeyNeeds;
pub use door::ciphertexts::Ciphertexts;
pub use door::client::Client;
pub use door::complex::ComplexTable;
pub use door::continuous::Continuous;
pub use door::conversion::ConversionKey;
pub use door::encrypted_table::EncryptedTable;
pub use door::engine::Engine;
pub use door::error::{
    BfvError, ConversionError, Error, ErrorKind, NoiseCure, NoiseWords, PlanError, SpaceError, TranscipherError,
};
pub use door::failure::FailureTarget;
pub use door::function::Function;
pub use door::objective::Objective;
pub use door::params::{Params, Security};
pub use door::plan::Plan;
pub use door::public_key::PublicKey;
pub use door::reader::CiphertextReader;
pub use door::request::PlanRequest;
pub use door::server::{Inputs, Server, ServerBuilder};
pub use door::server_key::{ServerKey, ServerKeyBuilder};
pub use door::space::{Integers, Space};
pub use door::symmetric::{EncryptedSymmetricKey, SymmetricCiphertexts, SymmetricKey};
pub use door::transcipher::TranscipherPlan;
use engines::{bfv, ckks, fhew};
#[doc(hidden)]
pub use files::{place, unnamed};
pub use memory::available_memory;
pub use planner::prediction::{Candidate, Load, Memory, Prediction, candidates, crossover};

/// The instruction set that the kernels use: the best this processor has, unless `BOOTES_ISA` lowers it (a name that is
/// unknown or of instructions that the processor lacks is overlooked; [`Isa::from_env`] refuses it).
pub fn isa() -> Isa {
    Isa::selected()
}

/// Name, reference and one line on every algorithm.
pub fn algorithms() -> Vec<(String, &'static str, &'static str)> {
    Engine::ALL.into_iter().flat_map(Engine::algorithms).collect()
}

/// The parts of errors of the crates below, which [`Error`] has inside.
pub mod errors {
    pub use crate::wire::{StreamError, WireError};
    pub use bootes_lattice::LatticeError;
    pub use bootes_lattice::port::{RlweEncoding, RlweError};
    pub use bootes_lattice::security::SecurityError;
    pub use bootes_ring::error::RingError;
    pub use bootes_ring::poly::Limbs;
    pub use bootes_ring::sample::SampleError;
    pub use bootes_schemes::bfv::{BfvSchemeError, Scheme};
    pub use bootes_schemes::ckks::CkksError;
    pub use bootes_schemes::fhew::ParamsError;
    pub use bootes_schemes::rlwe::KeyError;
}

/// Threads share all of these, which borrow nothing.
const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Params>();
    shared::<Client>();
    shared::<PublicKey>();
    shared::<ServerKey>();
    shared::<ServerKeyBuilder>();
    shared::<Server>();
    shared::<ServerBuilder>();
    shared::<Cancel>();
    shared::<Ciphertexts>();
    shared::<EncryptedTable>();
    shared::<ConversionKey>();
    shared::<SymmetricKey>();
    shared::<EncryptedSymmetricKey>();
    shared::<SymmetricCiphertexts>();
    shared::<TranscipherPlan>();
    shared::<Space>();
    shared::<Function>();
    shared::<Lut>();
    shared::<SlotTables>();
    shared::<ComplexTable>();
    shared::<Continuous>();
    shared::<Program>();
    shared::<Plan>();
    shared::<PlanRequest>();
    shared::<Prediction>();
    shared::<planner::Choice>();
    shared::<Error>();
    // One thread at a time reads.
    const fn moved<T: Send + 'static>() {}
    moved::<CiphertextReader<'static>>();
};

/// The programs of the manual.
#[cfg(doctest)]
mod manual {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/guide/library.md")]
    struct Library;
    #[doc = include_str!("../../../docs/guide/jobs.md")]
    struct Jobs;
    #[doc = include_str!("../../../docs/guide/vectors.md")]
    struct Vectors;
}
