//! The secret side of engine bfv.
use std::io::Read;
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::planning;
use bootes_schemes::bfv::{BfvCiphertext, BfvEvaluationKey, Evaluator, Scheme};
use zeroize::Zeroizing;

use super::{CiphertextReader, Ciphertexts, Client, Params, PublicKey, ServerKey, check_key};
use crate::engines::KeyRequest;
use crate::engines::blocks::VectorReader;
use crate::engines::rlwe_keys::RlweParams;
use crate::engines::{Bfv, ClientKey, Encryptor, EngineCiphertexts, EngineClient, EngineParams, EnginePublicKey};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{Error, Space};

/// Ciphertexts of all slots each, by what encrypts their polynomials.
fn encrypted<T: Send>(
    params: &Params,
    values: &[i128],
    encrypt: impl Fn(&[i64]) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<T>, Error> {
    if values.is_empty() {
        return Err(Error::NoValues);
    }
    check_ciphertexts(params.fresh_bytes(values.len()))?;
    let k = params.slots().count();
    let encrypt = |values: &[i128]| {
        planning::wanted()?;
        let mut row = Zeroizing::new(vec![0; k]);
        row.iter_mut().zip(values).for_each(|(slot, &value)| *slot = value as i64);
        encrypt(&Zeroizing::new(params.slots().encode(&row)?))
    };
    on_all_threads(|| values.chunks(k).map(encrypt).collect())
}

impl Client {
    /// The values of all slots.
    fn decrypt_part(&self, part: &BfvCiphertext) -> Result<Zeroizing<Vec<u64>>, Error> {
        let message = Zeroizing::new(self.keys.decrypt(part)?);
        Ok(Zeroizing::new(self.params.slots().decode(&message)?))
    }
}

impl Encryptor<Bfv> for Client {
    fn set(&self) -> &Params {
        &self.params
    }

    fn encrypt_in(&self, values: &[i128], _space: Space) -> Result<Ciphertexts, Error> {
        let (exponent, level) = (self.params.exponent(), self.params.fresh_level());
        let parts = encrypted(&self.params, values, |message| {
            Ok(self.keys.encrypt_with_mask(message, Scheme::Bgv, exponent, level)?)
        })?;
        Ok(Ciphertexts::fresh(&self.params, values.len(), parts))
    }
}

impl Encryptor<Bfv> for PublicKey {
    fn set(&self) -> &Params {
        &self.params
    }

    /// At the level of the key, divided to that of fresh ciphertexts.
    fn encrypt_in(&self, values: &[i128], _space: Space) -> Result<Ciphertexts, Error> {
        let (exponent, level) = (self.params.exponent(), self.params.public_level());
        let evaluator = Evaluator::new(Arc::new(BfvEvaluationKey::empty(&self.params, self.key_id())));
        let parts = encrypted(&self.params, values, |message| {
            let part = self.key.encrypt(message, Scheme::Bgv, exponent, level)?;
            Ok(evaluator.drop_to(&part, self.params.fresh_level())?.into_owned())
        })?;
        Ok(Ciphertexts::new(&self.params, values.len(), parts))
    }
}

impl EngineClient<Bfv> for Client {
    fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::of(self)
    }

    fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (len, mut values) = (ciphertexts.len(), reserved_as(ciphertexts.len(), 1)?);
        on_all_threads(|| {
            for part in ciphertexts.parts() {
                planning::wanted()?;
                values.extend(self.decrypt_part(part)?.iter().take(len - values.len()));
            }
            Ok(values)
        })
    }

    fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i128>, Error> {
        let len = input.head().len();
        check_key("ciphertext", [input.head().owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(len, 1)?;
        while input.left() > 0 {
            let piece = input.next()?;
            let row = on_all_threads(|| self.decrypt_part(&piece.parts()[0]))?;
            values.extend(row.iter().take(len - values.len()).map(|&value| i128::from(value)));
        }
        input.finish().map(|()| values)
    }

    fn server_key(&self, request: &KeyRequest, progress: &mut (dyn FnMut(f64) + Send)) -> Result<ServerKey, Error> {
        self.params.check_key_memory(Room::now(request.memory))?;
        let tell = |done: usize, all: usize| progress(done as f64 / all as f64);
        on_threads(useful(request.threads), || {
            let keys = self.params.request(self.params.bootstrap()?);
            let key = self.keys.evaluation_key(&keys, MaskStorage::Seeded, tell)?;
            // What is no longer wanted is not whole.
            planning::wanted()?;
            Ok(ServerKey::new(&self.params, key))
        })?
    }
}
