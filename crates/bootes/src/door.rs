//! What a user meets: one type a noun, whichever engine is behind it.
pub(crate) mod ciphertexts;
pub(crate) mod client;
pub(crate) mod complex;
pub(crate) mod continuous;
pub(crate) mod encrypted_table;
pub(crate) mod error;
pub(crate) mod failure;
pub(crate) mod function;
pub(crate) mod objective;
pub(crate) mod params;
pub(crate) mod plan;
pub(crate) mod reader;
pub(crate) mod request;
pub(crate) mod rows;
mod serde;
pub(crate) mod server;
pub(crate) mod server_key;
pub(crate) mod space;
