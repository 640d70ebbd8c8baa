//! The tests of rings, transforms and samplers.
mod alloc;
mod counting;
mod fft;
mod ntt;
mod pack;
mod poly;
mod residues;
mod rns;
mod sampling;
mod wide;
