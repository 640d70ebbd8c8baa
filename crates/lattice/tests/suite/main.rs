//! The tests of the lattice operations.
mod alloc;
mod circuit_bootstrap;
#[path = "../../../ring/tests/suite/counting.rs"]
mod counting;
mod operations;
mod packing;
mod ring_switch;
mod rns;
