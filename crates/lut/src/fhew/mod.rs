//! Engine fhew: tables a value at a time, by the algorithms of the papers behind one [`registry`].
//!
//! An [`algorithm`] writes a table as a [`circuit`], which is read for noise, failure and cost, and which [`eval`] runs
//! on ciphertexts.
pub mod algorithm;
mod bfv_mult;
pub mod bits;
mod boot;
mod cancel_sign;
pub mod carries;
pub mod circuit;
mod compress;
mod continuous;
pub mod digits;
pub mod eval;
mod eval_func;
mod fdfb_ks;
mod integer;
pub mod many;
mod odd_even;
mod recursive;
pub mod registry;
mod rings;
mod select;
mod select_alt;
mod wop_pbs1;
mod wop_pbs2;

pub use algorithm::Algorithm;
pub use bfv_mult::BfvMult;
pub use boot::Boot;
pub use cancel_sign::CancelSign;
pub use circuit::Circuit;
pub use compress::Compress;
pub use continuous::{continuous, interpolated};
pub use eval_func::EvalFunc;
pub use fdfb_ks::FdfbKs;
pub use integer::Top;
pub use odd_even::Comp;
pub use recursive::{Depth, Recursive};
pub use rings::{CompressRings, RecursiveRings};
pub use select::Select;
pub use select_alt::SelectAlt;
pub use wop_pbs1::WopPbs1;
pub use wop_pbs2::WopPbs2;

/// The name of an algorithm's variant: with a star, as in the FDFB paper, where it uses multi-value bootstrapping.
fn starred(name: &str, multi_value: bool) -> String {
    if multi_value { format!("{name}*") } else { name.to_string() }
}
