//! The secret side of engine bfv.
use std::io::Read;

use bootes_lattice::rns::MaskStorage;
use bootes_schemes::bfv::{BfvCiphertext, Scheme};
use zeroize::Zeroizing;

use super::{CiphertextReader, Ciphertexts, Client, ServerKey, check_key};
use crate::engines::KeyRequest;
use crate::engines::blocks::VectorReader;
use crate::engines::{Bfv, ClientKey, EngineCiphertexts, EngineClient, EngineParams, check_residues};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{BfvError, Error};

impl Client {
    /// The values of all slots.
    fn decrypt_part(&self, part: &BfvCiphertext) -> Result<Zeroizing<Vec<u64>>, Error> {
        let message = Zeroizing::new(self.keys.decrypt(part)?);
        Ok(Zeroizing::new(self.params.slots().decode(&message)?))
    }
}

impl EngineClient<Bfv> for Client {
    fn encrypt_modulo(&self, values: &[i64], p: u64) -> Result<Ciphertexts, Error> {
        let (params, modulus) = (&self.params, self.params.modulus());
        if p != modulus {
            return Err(BfvError::Modulus { found: p, expected: modulus, params: params.name().into() }.into());
        }
        check_residues(values, p)?;
        if values.is_empty() {
            return Err(Error::NoValues);
        }
        check_ciphertexts(params.fresh_bytes(values.len()))?;
        let k = params.slots().count();
        let encrypt = |values: &[i64]| {
            let mut row = Zeroizing::new(vec![0; k]);
            row[..values.len()].copy_from_slice(values);
            let message = Zeroizing::new(params.slots().encode(&row)?);
            Ok::<_, Error>(self.keys.encrypt_with_mask(
                &message,
                Scheme::Bgv,
                params.exponent(),
                params.fresh_level(),
            )?)
        };
        let parts = on_all_threads(|| values.chunks(k).map(encrypt).collect::<Result<_, _>>())?;
        Ok(Ciphertexts::fresh(params, values.len(), parts))
    }

    fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (len, mut values) = (ciphertexts.len(), reserved_as(ciphertexts.len(), 1)?);
        on_all_threads(|| {
            for part in ciphertexts.parts() {
                values.extend(self.decrypt_part(part)?.iter().take(len - values.len()));
            }
            Ok(values)
        })
    }

    fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let len = input.head().len();
        check_key("ciphertext", [input.head().owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(len, 1)?;
        while input.left() > 0 {
            let piece = input.next()?;
            let row = on_all_threads(|| self.decrypt_part(&piece.parts()[0]))?;
            values.extend(row.iter().take(len - values.len()).map(|&value| value as i64));
        }
        input.finish().map(|()| values)
    }

    fn server_key(&self, request: &KeyRequest, progress: &mut (dyn FnMut(f64) + Send)) -> Result<ServerKey, Error> {
        self.params.check_key_memory(Room::now(request.memory))?;
        let tell = |done: usize, all: usize| progress(done as f64 / all as f64);
        on_threads(useful(request.threads), || {
            let keys = self.params.request(self.params.bootstrap()?);
            Ok(ServerKey::new(&self.params, self.keys.evaluation_key(&keys, MaskStorage::Seeded, tell)?))
        })?
    }
}
