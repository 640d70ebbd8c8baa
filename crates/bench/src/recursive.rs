//! The benchmarks of the recursive-decomposition paper.
pub(crate) mod table3;
pub(crate) mod wrong_compress;
