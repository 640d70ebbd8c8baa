//! Engine fhew: one value at a time, with the least latency. LWE ciphertexts, a bootstrap for each value and table.
mod ciphertexts;
mod client;
mod evaluation;
mod params;
mod plan;
mod prediction;
mod samples;
mod server;
mod server_key;
mod words;

pub use ciphertexts::{CiphertextReader, Ciphertexts};
pub use client::Client;
pub use evaluation::Watch;
pub use params::Params;
pub use plan::Plan;
pub use prediction::{Candidate, Prediction, candidates};
pub use server::Server;
pub use server_key::{ExtraKeys, KeySizes, ServerKey};
