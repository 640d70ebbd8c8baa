//! The secret side of engine ckks.
use std::io::Read;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::MaskStorage;
use bootes_lut::planning;
use bootes_schemes::ckks::params::NOISE_STD;
use zeroize::Zeroizing;

use super::params::fresh_log2_modulus;
use super::{
    CiphertextReader, Ciphertexts, Client, EncryptedTable, Params, PublicKey, ServerKey, check_key, fresh_bytes,
    key_memory, maps,
};
use crate::engines::KeyRequest;
use crate::engines::blocks::VectorReader;
use crate::engines::client::residues;
use crate::engines::{Ckks, ClientKey, Encryptor, EngineCiphertexts, EngineClient, EnginePublicKey};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{Error, Lut, SlotTables, Space, SpaceError};

/// Each limb of N values in a ciphertext, by what encrypts residues of a limb.
pub(super) fn encrypted(
    params: &Params,
    values: &[i128],
    space: Space,
    encrypt: impl Fn(&[u64], RlweEncoding, usize) -> Result<RlweCiphertext, Error> + Sync + Send,
) -> Result<Vec<RlweCiphertext>, Error> {
    if values.is_empty() {
        return Err(Error::NoValues);
    }
    check_ciphertexts(fresh_bytes(params, values.len(), space.limbs()))?;
    let log2_modulus = fresh_log2_modulus(params, space);
    let encodings = space.moduli().into_iter().map(|p| RlweEncoding::new(p, log2_modulus));
    let encodings = encodings.collect::<Result<Vec<_>, _>>()?;
    let encrypt = |(limb, &encoding): (usize, &RlweEncoding), values: &[i128]| {
        planning::wanted()?;
        let residues = values.iter().map(|&value| space.residue(value, limb));
        encrypt(&Zeroizing::new(residues.collect::<Vec<_>>()), encoding, limb)
    };
    let limbs = |values| encodings.iter().enumerate().map(move |limb| (limb, values));
    on_all_threads(|| {
        let parts = values.chunks(params.capacity()).flat_map(limbs);
        parts.map(|(limb, values)| encrypt(limb, values)).collect()
    })
}

/// A limb's message as words, for the seed of its mask.
pub(super) fn message_words(residues: &[u64], encoding: RlweEncoding, limb: usize) -> impl Iterator<Item = u64> {
    let of = [encoding.plaintext_modulus(), encoding.log2_modulus().into(), limb as u64];
    // Files of one limb are what they were.
    residues.iter().copied().chain(of.into_iter().take(if limb == 0 { 2 } else { 3 }))
}

impl Client {
    fn decrypt_parts(&self, space: Space, parts: &[RlweCiphertext], values: &mut Vec<i128>) -> Result<(), Error> {
        on_all_threads(|| {
            for block in parts.chunks(space.limbs()) {
                planning::wanted()?;
                let limb = |part: &RlweCiphertext| part.decrypt(self.params.ckks().ring(), self.keys.key());
                let limbs = block.iter().map(limb).collect::<Result<Vec<_>, _>>()?;
                let value = |i: usize| space.of_residues(limbs.iter().map(|limb| limb[i]));
                values.extend((0..limbs[0].len()).map(value));
            }
            Ok(())
        })
    }
}

impl Encryptor<Ckks> for Client {
    fn set(&self) -> &Params {
        &self.params
    }

    fn encrypt_in(&self, values: &[i128], space: Space) -> Result<Ciphertexts, Error> {
        let (ring, key) = (self.params.ckks().ring(), self.keys.key());
        let parts = encrypted(&self.params, values, space, |residues, encoding, limb| {
            let words = message_words(residues, encoding, limb);
            let (mask, noise) = self.keys.rlwe_encryption_seed(words)?.fork_both(0, 0);
            Ok(RlweCiphertext::encrypt(ring, encoding, residues, key, NOISE_STD, mask, &noise)?)
        })?;
        Ok(Ciphertexts::fresh(&self.params, self.key_id(), space, parts))
    }
}

impl Encryptor<Ckks> for PublicKey {
    fn set(&self) -> &Params {
        &self.params
    }

    /// An encryption of zero modulo q_0, brought to the ciphertexts' modulus, to which messages are added.
    fn encrypt_in(&self, values: &[i128], space: Space) -> Result<Ciphertexts, Error> {
        let ring = self.params.ckks().ring();
        let parts = encrypted(&self.params, values, space, |residues, encoding, limb| {
            let zero = self.key.encrypt_zero(message_words(residues, encoding, limb))?;
            let mut part = RlweCiphertext::from_base(ring, &zero, encoding, residues.len())?;
            part.add_constants(residues.iter().copied());
            Ok(part)
        })?;
        Ok(Ciphertexts::public(&self.params, self.key_id(), space, parts))
    }
}

impl EngineClient<Ckks> for Client {
    fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::of(self)
    }

    fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let space = ciphertexts.space();
        if space.range().min < 0 {
            return Err(SpaceError::Negative { space }.into());
        }
        residues(self.decrypt_integers(ciphertexts)?)
    }

    fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i128>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(ciphertexts.len(), 1)?;
        self.decrypt_parts(ciphertexts.space(), ciphertexts.parts(), &mut values)?;
        Ok(values)
    }

    fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i128>, Error> {
        let (head, space) = (input.head(), input.head().space());
        check_key("ciphertext", [head.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(head.len(), 1)?;
        while input.left() > 0 {
            self.decrypt_parts(space, &input.next_parts(1)?, &mut values)?;
        }
        input.finish().map(|()| values)
    }

    fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[i128]) -> Result<Vec<f64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (space, parts, n) = (ciphertexts.space(), ciphertexts.parts(), self.params.capacity());
        let unit = (-f64::from(parts[0].encoding().log2_modulus())).exp2();
        let mut noise = reserved_as(values.len(), space.limbs())?;
        on_all_threads(|| {
            for (block, values) in parts.chunks(space.limbs()).zip(values.chunks(n)) {
                let of = |(limb, part): (usize, &RlweCiphertext)| {
                    let residues: Vec<u64> = values.iter().map(|&value| space.residue(value, limb)).collect();
                    part.errors(self.params.ckks().ring(), self.keys.key(), &residues)
                };
                let limbs = block.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?;
                noise.extend((0..values.len()).flat_map(|i| limbs.iter().map(move |limb| limb[i] * unit)));
            }
            Ok(noise)
        })
    }

    fn encrypt_table(&self, lut: &Lut) -> Result<EncryptedTable, Error> {
        EncryptedTable::of(self, lut)
    }

    fn encrypt_tables(&self, tables: &SlotTables) -> Result<EncryptedTable, Error> {
        EncryptedTable::of_slots(self, tables)
    }

    fn server_key(&self, request: &KeyRequest, progress: &mut (dyn FnMut(f64) + Send)) -> Result<ServerKey, Error> {
        Room::now(request.memory).check(0, key_memory(&self.params)?)?;
        let tell = |done: usize, all: usize| progress(done as f64 / all as f64);
        on_threads(useful(request.threads), || {
            let keys = self.params.request(&maps(&self.params)?);
            let key = self.keys.evaluation_key(&keys, MaskStorage::Seeded, tell)?;
            // What is no longer wanted is not whole.
            planning::wanted()?;
            Ok(ServerKey::new(&self.params, key))
        })?
    }
}
