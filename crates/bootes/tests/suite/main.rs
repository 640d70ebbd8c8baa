//! The tests of the facade.
mod answers;
mod applications;
mod batch;
mod cancel;
mod continuous;
mod corpus;
mod door;
mod exhaustive;
mod facade;
mod integers;
mod rows;
mod serde;
mod spaces;
mod trust;
mod wide;
