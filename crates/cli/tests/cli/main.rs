//! The command as a user meets it: what works, and what bad input gets.

mod advice;
mod advice_keys;
mod advice_room;
mod bad_files;
mod bad_input;
mod bfv;
mod ckks;
mod columns;
mod compress;
mod files;
mod fixture;
mod guide;
mod jobs;
mod large_files;
mod large_integers;
mod limits;
mod names;
mod npy;
mod outputs;
mod plan;
mod programs;
mod public;
mod scoring;
mod several;
mod tables;
mod transcipher;
