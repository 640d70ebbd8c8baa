//! Algorithms on FHEW/TFHE ciphertexts.
mod boot;
mod compress;
mod recursive;
mod recursive_rings;

pub use boot::Boot;
pub use compress::Compress;
pub use recursive::{Depth, Recursive};
pub use recursive_rings::RecursiveRings;
