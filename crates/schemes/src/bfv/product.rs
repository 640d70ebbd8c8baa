//! Products: what is not the same in BFV and BGV.
pub mod bfv;
pub mod bgv;
