//! What is refused of ciphertexts of AES.
use crate::names::hex;
use thiserror::Error as ThisError;

/// A refusal about [`SymmetricCiphertexts`](crate::SymmetricCiphertexts).
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum TranscipherError {
    /// A set that has no transciphering.
    #[error(
        "parameter set {params} has no transciphering, which takes trees of CMUXes: take Params::named(\"{set}\"), \
         keys and all"
    )]
    Set {
        /// Name of the set.
        params: String,
        /// One that has it.
        set: &'static str,
    },
    /// Values of other bits than bytes are cut into, or more than the set's messages have.
    #[error(
        "values of {found} bits sent by AES, and parameter set {params} takes {}: take the next longer, or send them \
         in pieces",
        crate::list(widths.iter())
    )]
    Bits {
        /// Bits asked for.
        found: u32,
        /// Those that there may be.
        widths: Vec<u32>,
        /// Name of the set.
        params: String,
    },
    /// Another symmetric key.
    #[error(
        "the symmetric ciphertext was made with another symmetric key (id {found}, expected {expected}): take the \
         encrypted key that belongs to it"
    )]
    Key {
        /// The identifier in the ciphertext.
        found: String,
        /// That of the encrypted key.
        expected: String,
    },
}

impl TranscipherError {
    pub(crate) fn other_key(found: &[u8; 16], expected: &[u8; 16]) -> Self {
        let [found, expected] = [found, expected].map(|id| hex(id));
        Self::Key { found, expected }
    }
}
