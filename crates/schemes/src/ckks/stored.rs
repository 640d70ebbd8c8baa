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

use bootes_lattice::rns::galois::rotation_exponent;
use bootes_lattice::rns::{GaloisKeys, MaskStorage, SwitchKey};
use bootes_lattice::wire::{StreamError, StreamReader, StreamWriter, WireError};

use super::keys::RaiseKeys;
use super::{CkksError, CkksEvaluationKey, CkksParams, KeyRequest};

/// The mark of a relinearisation key.
const RELINEARISATION: u8 = 1;
/// The mark of the keys of the sparse secret.
const RAISE: u8 = 2;

impl CkksEvaluationKey {
    /// The bytes that [`CkksEvaluationKey::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        let ring = self.params.ring();
        let raise = self.raise.iter().flat_map(|keys| [&keys.to_sparse, &keys.from_sparse]);
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
        let raise = self.raise.iter().flat_map(|keys| [&keys.to_sparse, &keys.from_sparse]);
        raise.into_iter().try_for_each(|key| key.write(ring, out))
    }

    /// Reads a key of these parameters and of this identity; its masks are not kept ([`CkksEvaluationKey::with_masks`]).
    ///
    /// # Errors
    /// [`WireError::Malformed`] for other marks, and as [`SwitchKey::read`] and [`GaloisKeys::read`].
    pub fn read<R: Read>(params: &CkksParams, id: [u8; 16], input: &mut StreamReader<R>) -> Result<Self, StreamError> {
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
        Ok(Self { params: params.clone(), id, relinearisation, galois, raise })
    }

    /// Keeps or drops the masks of all keys, one key after the other.
    #[must_use]
    pub fn with_masks(self, storage: MaskStorage) -> Self {
        let ring = self.params.ring();
        let raise = self.raise.map(|keys| RaiseKeys {
            to_sparse: keys.to_sparse.with_masks(ring, storage),
            from_sparse: keys.from_sparse.with_masks(ring, storage),
        });
        Self {
            relinearisation: self.relinearisation.map(|key| key.with_masks(ring, storage)),
            galois: self.galois.with_masks(ring, storage),
            raise,
            id: self.id,
            params: self.params,
        }
    }

    /// Refuses a key that lacks what `request` asks for.
    ///
    /// # Errors
    /// [`CkksError::NoRelinearisationKey`], [`CkksError::NoGaloisKey`], [`CkksError::GaloisKeyLevel`], [`CkksError::NoRaiseKeys`].
    pub fn expect(&self, request: &KeyRequest) -> Result<(), CkksError> {
        let (degree, level) = (self.params.degree(), |key: &SwitchKey| key.limbs().chain - 1);
        if let Some(needed) = request.relinearisation
            && self.relinearisation.as_ref().is_none_or(|key| level(key) < needed)
        {
            return Err(CkksError::NoRelinearisationKey);
        }
        let rotations = request.rotations.iter().map(|(&r, &needed)| (Some(r as i64), needed));
        for (rotation, needed) in rotations.chain(request.conjugation.map(|needed| (None, needed))) {
            let exponent = rotation.map_or(2 * degree - 1, |rotation| rotation_exponent(degree, rotation));
            let key = self.galois.get(exponent).ok_or(CkksError::NoGaloisKey { rotation })?;
            let max = level(key.switch_key());
            if max < needed {
                return Err(CkksError::GaloisKeyLevel { rotation, max, found: needed });
            }
        }
        let whole = |keys: &RaiseKeys| level(&keys.from_sparse) == self.params.max_level();
        if request.raise && !self.raise.as_ref().is_some_and(whole) {
            return Err(CkksError::NoRaiseKeys);
        }
        Ok(())
    }
}
