//! Secret keys, public keys and the evaluation key of BFV and BGV.
use bootes_lattice::rns::RnsSecretKey;

use super::{BfvParams, BfvSchemeError};
use crate::ckks::keys::largest_slot_value;
use crate::rlwe::{SchemeEvaluationKey, SchemeParams, SchemePublicKey, SchemeSecretKey};

/// The secret keys of a set of BFV and BGV.
pub type BfvSecretKey = SchemeSecretKey<BfvParams>;

/// The public key of encryption of BFV and BGV.
pub type BfvPublicKey = SchemePublicKey<BfvParams>;

/// The public key of evaluation of BFV and BGV.
pub type BfvEvaluationKey = SchemeEvaluationKey<BfvParams>;

impl SchemeParams for BfvParams {
    type Error = BfvSchemeError;

    fn name(&self) -> &str {
        self.name()
    }

    fn key_fingerprint(&self) -> [u8; 16] {
        self.key_fingerprint()
    }

    fn accepts(&self, key: &RnsSecretKey) -> bool {
        largest_slot_value(key) <= self.max_slot_value()
    }
}
