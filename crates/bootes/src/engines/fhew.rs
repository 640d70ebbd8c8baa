//! Engine fhew: one value at a time, with the least latency. LWE ciphertexts, a bootstrap for each value and table.
mod ciphertexts;
mod client;
mod evaluation;
mod params;
mod plan;
mod prediction;
mod room;
mod samples;
mod server;
mod server_key;
#[cfg(test)]
pub(crate) mod tests;
mod words;

pub(crate) use ciphertexts::{CiphertextReader, Ciphertexts, concat_to, slice_to, weighted_sum_to};
pub(crate) use client::Client;
pub(crate) use evaluation::Watch;
pub(crate) use params::Params;
pub(crate) use plan::Plan;
pub(crate) use prediction::{Candidate, Prediction, candidates};
pub(crate) use server::Server;
pub(crate) use server_key::{KeySizes, ServerKey};
