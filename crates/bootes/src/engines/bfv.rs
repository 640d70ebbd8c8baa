//! Engine bfv: exact arithmetic on vectors modulo p^r, with tables modulo p, bootstrapped where it has to be.
//!
//! A ciphertext holds k values, from 1 (modulo powers of two) to 2^16 as p has it; products and rotations are cheap, so
//! this is the engine of arithmetic. [`Client`] holds the secrets, [`Server`] evaluates and never sees them.
mod ciphertexts;
mod client;
pub(crate) mod params;
mod server;
#[cfg(test)]
mod tests;

pub(crate) use bootes_lut::bfv::ProgramParams as Params;
pub(crate) use ciphertexts::{CiphertextReader, Ciphertexts};
pub(crate) use server::{Inputs, Plan, Server, part_bytes};

use crate::engines::envelope::{begin, check_key, name_bytes, parameters};
use crate::engines::rlwe_keys::{RlweClient, RlwePublicKey, RlweServerKey};

/// The secret keys.
pub(crate) type Client = RlweClient<Params>;

/// The key that anybody encrypts with.
pub(crate) type PublicKey = RlwePublicKey<Params>;

/// The public evaluation key.
pub(crate) type ServerKey = RlweServerKey<Params>;

/// The version of files that these objects are written with.
const VERSION: u16 = 6;

/// −log2 of the failure probability of a vector, at most.
pub(crate) const LOG2_P_FAIL: f64 = -128.0;

/// log2 of the modulus of ciphertexts that are converted.
pub(crate) const PORT_LOG2_MODULUS: u32 = bootes_lut::bfv::SlimBootstrap::PORT_LOG2_MODULUS;
