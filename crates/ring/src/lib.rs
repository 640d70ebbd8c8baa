//! Rings Z_q\[X\]/(X^N+1): the torus world.
pub mod error;
pub mod fft;
pub mod gadget;
pub mod mem;
pub mod sample;
pub mod isa;
mod simd;
pub mod word;
