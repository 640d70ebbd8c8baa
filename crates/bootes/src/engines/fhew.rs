//! Engine fhew: one value at a time, with the least latency. LWE ciphertexts, a bootstrap for each value and table.
mod ciphertexts;
mod client;
mod compress;
mod conversion;
mod evaluation;
mod params;
mod plan;
mod plans;
mod prediction;
mod public_key;
mod room;
mod samples;
mod server;
mod server_key;
mod symmetric;
#[cfg(test)]
pub(crate) mod tests;
mod transcipher;
mod words;

pub(crate) use ciphertexts::{CiphertextReader, CiphertextWriter, Ciphertexts};
pub(crate) use client::Client;
pub(crate) use conversion::{Tops, put_tops};
pub(crate) use params::Params;
pub(crate) use plans::{Inputs, Plans};
pub(crate) use public_key::PublicKey;
pub(crate) use samples::{Samples, Source};
pub(crate) use server::Server;
pub(crate) use server_key::{KeySizes, ServerKey};
pub(crate) use symmetric::{EncryptedSymmetricKey, KEY_BITS, SymmetricCiphertexts, check_symmetric};
pub(crate) use transcipher::{TranscipherPlan, refused};

use plan::Plan;
use prediction::Prediction;
