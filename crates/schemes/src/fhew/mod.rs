//! FHEW/TFHE: one integer an LWE ciphertext, bootstrapped by blind rotation.
//!
//! [`params`] the sets, [`keys`] secret and evaluation keys, [`encoding`] integers on the torus, [`blind_rotate`] the
//! rotation of an accumulator (with extended bootstrapping), [`test_vector`] the accumulators, [`extra_keys`] the keys
//! that only some algorithms need, [`prepared`] all public keys expanded, with packing and products, [`evaluator`] the
//! steps of a bootstrap on batches, [`cmux_tree`] tables by the bits of a message, [`public_key`] the key that anybody
//! encrypts with, [`ring_switch`] the key from another ring.
pub mod blind_rotate;
pub mod cmux_tree;
pub mod cost;
pub mod encoding;
pub mod evaluator;
pub mod extra_keys;
pub mod keys;
pub mod params;
pub mod prepared;
pub mod public_key;
pub mod ring_switch;
pub mod test_vector;

pub use extra_keys::KeyNeeds;
pub use params::{FhewParams, FhewParamsLiteral, PackingMethod, ParamsError};
