//! The tests of the facade, through its public types alone; those of what only an engine has are beside it
//! (`src/engines/*/tests`).
mod advice;
mod answers;
mod applications;
mod bfv;
mod ckks_integers;
mod conformance;
mod continuous;
mod door;
mod facade;
mod large;
mod multivariate;
mod rows;
mod serde;
mod spaces;
mod varied;
mod wide;
