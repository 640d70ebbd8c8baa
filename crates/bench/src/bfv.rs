//! The benchmarks of exact arithmetic modulo p^r: BFV and BGV.
pub(crate) mod digits;
pub(crate) mod kernels;
pub(crate) mod table4;
pub(crate) mod table5;
pub(crate) mod tables;
pub(crate) mod through_ckks;
