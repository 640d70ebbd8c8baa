//! CKKS: approximate numbers, N/2 of them in one polynomial.
//!
//! [`encoder`] the canonical embedding, [`dft`] the same map as few sparse ones, for evaluation on slots.
pub mod dft;
pub mod encoder;
mod error;
pub mod rlwe;

pub use encoder::Encoder;
pub use error::CkksError;
