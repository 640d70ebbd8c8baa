//! The name of an engine.
use std::fmt;

/// The evaluator. A set, and with it keys, ciphertexts and plans, is of one engine; the program is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One value at a time, with the least latency: FHEW/TFHE.
    Fhew,
    /// Thousands of values at once, with the least time for many: CKKS.
    Ckks,
    /// Vectors modulo p^r, with sums, products, rotations and tables modulo p: BFV and BGV.
    Bfv,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fhew => "fhew",
            Self::Ckks => "ckks",
            Self::Bfv => "bfv",
        })
    }
}
