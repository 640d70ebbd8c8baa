//! The evaluation key as bytes, written and read a limb at a time: bodies packed, masks as seeds.
//!
//! | bytes | content |
//! |---|---|
//! | 1 | marks: 1 for a relinearisation key, 2 for the keys of the sparse secret |
//! | … | the [relinearisation key](SwitchKey::write), if marked |
//! | … | [Galois keys](GaloisKeys::write) |
//! | … | the switching keys to the sparse key and from it, if marked |
//!
//! Parameters and identity are the envelope's. Memory: that of the key, and one limb.
use std::io::{Read, Write};

use bootes_lattice::rns::{GaloisKeys, SwitchKey};
use bootes_lattice::wire::{StreamError, StreamReader, StreamWriter, WireError};

use super::keys::RaiseKeys;
use super::{RlweEvaluationKey, RlweParams};

/// The mark of a relinearisation key.
const RELINEARISATION: u8 = 1;
/// The mark of the keys of the sparse secret.
const RAISE: u8 = 2;

impl RlweEvaluationKey {
    /// The bytes that [`RlweEvaluationKey::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        let ring = self.params.ring();
        let raise = self.raise.iter().flat_map(RaiseKeys::both);
        let single: u64 = self.relinearisation.iter().chain(raise).map(|key| key.stored_bytes(ring)).sum();
        1 + single + self.galois.stored_bytes(ring)
    }

    /// Writes the key.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        let ring = self.params.ring();
        let mark = |present: bool, mark: u8| if present { mark } else { 0 };
        out.u8(mark(self.relinearisation.is_some(), RELINEARISATION) | mark(self.raise.is_some(), RAISE))?;
        self.relinearisation.iter().try_for_each(|key| key.write(ring, out))?;
        self.galois.write(ring, out)?;
        let raise = self.raise.iter().flat_map(RaiseKeys::both);
        raise.into_iter().try_for_each(|key| key.write(ring, out))
    }

    /// Reads a key of these parameters; its masks are not kept ([`RlweEvaluationKey::with_masks`]).
    ///
    /// # Errors
    /// [`WireError::Malformed`] for other marks, and as [`SwitchKey::read`] and [`GaloisKeys::read`].
    pub fn read<R: Read>(params: &RlweParams, input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        let (ring, gadget) = (params.ring(), params.gadget());
        let marks = input.u8()?;
        if marks & !(RELINEARISATION | RAISE) != 0 {
            return Err(WireError::Malformed { what: "marks of evaluation keys that do not exist" }.into());
        }
        let has = |mark: u8| marks & mark != 0;
        let relinearisation = if has(RELINEARISATION) { Some(SwitchKey::read(ring, gadget, input)?) } else { None };
        let galois = GaloisKeys::read(ring, gadget, input)?;
        let raise = match has(RAISE) {
            true => Some(RaiseKeys {
                to_sparse: SwitchKey::read(ring, params.base_gadget(), input)?,
                from_sparse: SwitchKey::read(ring, gadget, input)?,
            }),
            false => None,
        };
        Ok(Self { params: params.clone(), relinearisation, galois, raise })
    }
}
