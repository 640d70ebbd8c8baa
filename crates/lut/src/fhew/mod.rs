//! Algorithms on FHEW/TFHE ciphertexts.
mod boot;
mod compress;
mod recursive;

pub use boot::Boot;
pub use compress::Compress;
pub use recursive::{Depth, Recursive};
