//! Engine ckks: a table, or several, on thousands of encrypted values at once (functional bootstrapping with
//! CKKS).
//!
//! A ciphertext holds N = 2^15 or 2^16 values modulo p; one evaluation takes seconds and serves them all, so that it is
//! the engine of many values, where [`fhew`](crate::fhew) is that of few. [`Client`] holds the secrets,
//! [`Server`] evaluates and never sees them; [`ServerKey`] and [`Ciphertexts`] go to streams and back.
mod ciphertexts;
mod circuits;
mod client;
mod conversion;
mod encrypted;
mod params;
mod plan;
mod predict;
mod server;
#[cfg(test)]
mod tests;

pub(crate) use bootes_lut::ckks::TableParams as Params;
pub(crate) use ciphertexts::{CiphertextReader, Ciphertexts};
pub(crate) use conversion::{holds, log2_failure, log2_modulus_of, most_bits_of, set_for};
pub(crate) use encrypted::EncryptedTable;
pub(crate) use plan::{Inputs, Plan};
pub(crate) use predict::predict_on;
pub(crate) use server::Server;

use crate::engines::envelope::{begin, check_key, name_bytes, parameters};
use crate::engines::rlwe_keys::{RlweClient, RlwePublicKey, RlweServerKey};
use circuits::CircuitPlan;
use params::{check_plan, maps};
use predict::{CiphertextLoad, CiphertextPrediction, fresh_bytes, key_memory};
use server::{Digits, Progress, TablePlan};

/// The secret keys.
pub(crate) type Client = RlweClient<Params>;

/// The key that anybody encrypts with.
pub(crate) type PublicKey = RlwePublicKey<Params>;

/// The public evaluation key.
pub(crate) type ServerKey = RlweServerKey<Params>;

/// The version of files that these objects are written with.
const VERSION: u16 = 3;

/// That of integers and of encrypted tables.
const NEWEST: u16 = 5;
