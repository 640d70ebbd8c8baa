//! Reproductions of papers that no table or program needs.
pub mod elements;
