//! Everything that `bootes` reads, as functions of bytes that panic where something is wrong: targets of a fuzzer.
//!
//! A target gives its bytes to a reader. A refusal is right; what is accepted is written and read again, and has to be
//! the same. Files of keys and ciphertexts get a header and a checksum that are right, so that what lies behind is
//! reached: see `sealed`. Inputs that were found are kept in `corpus/TARGET`, and every `cargo test` runs them.
#![forbid(unsafe_code)]

mod envelope;
mod objects;
mod sealed;
pub mod seeds;
mod texts;

/// A name, that of the directory of its inputs, and what panics where something is wrong.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("header", envelope::header),
    ("fhew-client-key", objects::fhew_client_key),
    ("fhew-public-key", objects::fhew_public_key),
    ("fhew-server-key", objects::fhew_server_key),
    ("fhew-ciphertexts", objects::fhew_ciphertexts),
    ("symmetric-key", objects::symmetric_key),
    ("symmetric-ciphertexts", objects::symmetric_ciphertexts),
    ("conversion-key", objects::conversion_key),
    ("ckks-client-key", objects::ckks_client_key),
    ("ckks-public-key", objects::ckks_public_key),
    ("ckks-server-key", objects::ckks_server_key),
    ("ckks-ciphertexts", objects::ckks_ciphertexts),
    ("ckks-table", objects::ckks_table),
    ("bfv-client-key", objects::bfv_client_key),
    ("bfv-public-key", objects::bfv_public_key),
    ("bfv-server-key", objects::bfv_server_key),
    ("bfv-ciphertexts", objects::bfv_ciphertexts),
    ("npy", texts::npy),
    ("csv", texts::csv),
    ("integers", texts::integers),
    ("table", texts::table),
    ("expr", texts::expr),
    ("calibration", texts::calibration),
    ("plan", texts::plan),
];
