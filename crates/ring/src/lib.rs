//! Rings Z_q\[X\]/(X^N+1): the torus world.
pub mod automorphism;
pub mod error;
pub mod fft;
pub mod gadget;
pub mod isa;
pub mod mem;
pub mod peak;
pub mod sample;
mod simd;
pub mod torus;
pub mod word;
