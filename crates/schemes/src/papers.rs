//! What reproduces papers, and what no table or program needs.
pub mod elements;
