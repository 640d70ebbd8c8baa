//! Engine fhew: one value at a time, with the least latency. LWE ciphertexts, a bootstrap for each value and table.
mod ciphertexts;
mod client;
mod compress;
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
#[cfg(test)]
pub(crate) mod tests;
mod words;

pub(crate) use ciphertexts::{CiphertextReader, Ciphertexts};
pub(crate) use client::Client;
pub(crate) use params::Params;
pub(crate) use plans::{Inputs, Plans};
pub(crate) use public_key::PublicKey;
pub(crate) use server::Server;
pub(crate) use server_key::{KeySizes, ServerKey};

use plan::Plan;
use prediction::Prediction;
