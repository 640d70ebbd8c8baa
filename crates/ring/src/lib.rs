//! Rings Z_q\[X\]/(X^N+1): the torus world, q a power of two, and the residue world, q a product of primes below 2^50.
pub mod automorphism;
pub mod error;
pub mod fft;
pub mod gadget;
pub mod isa;
pub mod mem;
pub mod modulus;
pub mod ntt;
pub mod pack;
pub mod peak;
pub mod poly;
pub mod primes;
pub mod rns;
pub mod sample;
pub mod secret;
mod simd;
pub mod torus;
pub mod word;
