//! The secret side.
use crate::engines::KeyRequest;
use crate::engines::client::residues;
use crate::engines::{ClientKey, Encryptor, EngineCiphertexts, EngineClient, EngineReader, Fhew};
use crate::fhew::ciphertexts::{CiphertextReader, Ciphertexts};
use crate::fhew::samples::Source;
use crate::fhew::server_key::Keys;
use crate::fhew::words::{Bytes, OfWords, Word, with_words};
use crate::fhew::{EncryptedSymmetricKey, KeySizes, Params, PublicKey, ServerKey};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::{Error, KeyNeeds, Space, SpaceError};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::wire::ObjectKind;
use bootes_lut::planning;
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::keys::SecretKeys;
use std::io::Read;
use zeroize::{Zeroize, Zeroizing};

/// Ciphertexts that are decrypted, or values that are encoded, between looks whether somebody still wants them.
const TOGETHER: usize = 64;

/// The values on the torus, fractions of 2^128, the limbs of each side by side.
pub(super) fn encode(values: impl Iterator<Item = i128>, space: Space) -> impl Iterator<Item = u128> {
    values.flat_map(move |value| (0..space.limbs()).map(move |limb| space.encode(value, limb)))
}

/// The same in words, in a piece of memory of its final size, so that none is left behind.
pub(super) fn encoded<W: Word + Zeroize>(values: &[i128], space: Space) -> Result<Zeroizing<Vec<W>>, Error> {
    // As words, as bodies and as bytes.
    check_ciphertexts((3 * size_of::<W>() * values.len() * space.limbs()) as u64)?;
    let mut encoded = Zeroizing::new(reserved_as(values.len(), space.limbs())?);
    for values in values.chunks(TOGETHER) {
        planning::wanted()?;
        encoded.extend(encode(values.iter().copied(), space).map(W::nearest));
    }
    Ok(encoded)
}

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
#[derive(Debug)]
pub(crate) struct Client {
    params: Params,
    pub(super) keys: SecretKeys,
}

impl Client {
    fn decode(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i128>, Error> {
        self.decode_from(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor())
    }

    /// The values of a source of ciphertexts like these.
    fn decode_from<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
    ) -> Result<Vec<i128>, Error> {
        let space = like.space();
        let mut values = reserved_as(count, 1)?;
        let mut limbs = Zeroizing::new(Vec::with_capacity(space.limbs()));
        self.phases(like, count, source, |phase| {
            limbs.push(phase.top());
            if limbs.len() == space.limbs() {
                values.push(space.decode(limbs.drain(..)));
            }
        })?;
        Ok(values)
    }

    /// Hands the phase of each of `count` values' ciphertexts, in units of 2^-128, to `take`, expanded one by one.
    fn phases<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
        mut take: impl FnMut(u128),
    ) -> Result<(), Error> {
        like.check_key(&self.params, self.key_id())?;
        with_words!(self.params.word_bits(), W => {
            let mut ciphertext = vec![W::default(); self.params.ciphertext_dimension() + 1];
            for number in 0..count * like.space().limbs() {
                if number % TOGETHER == 0 {
                    planning::wanted()?;
                }
                source.next(1)?.expand_into(&mut ciphertext);
                take(self.keys.phase(&ciphertext).widened());
            }
        });
        Ok(())
    }

    /// The key that the server needs: public, seed-compressed; another one at every call, with masks and noise of its
    /// own.
    ///
    /// It holds the additional keys of `needs` ([`Params::extra_keys`]), for algorithms that need them, and
    /// for a parameter set of large integers those that their functions need.
    pub(crate) fn server_key_with(&self, needs: &KeyNeeds) -> Result<ServerKey, Error> {
        let needs = self.params().integer_keys().and(needs.clone());
        let keys = match self.params.word_bits() {
            64 => OfWords::Narrow(self.keys_of_words(&needs)?),
            _ => OfWords::Wide(self.keys_of_words(&needs)?),
        };
        Ok(ServerKey { params: self.params.clone(), keys })
    }

    fn keys_of_words<W: Word>(&self, needs: &KeyNeeds) -> Result<Keys<W>, Error> {
        let extra = if needs.is_empty() { None } else { Some(self.keys.extra_keys_of(needs)?) };
        let common = self.keys.evaluation_key_of()?;
        // What is no longer wanted is not whole.
        planning::wanted()?;
        Ok(Keys { common, extra })
    }

    /// The additional keys that are asked for, those that the algorithms need among them.
    fn needs(&self, request: &KeyRequest) -> Result<KeyNeeds, Error> {
        let mut needs = request.needs.clone();
        if request.compression {
            needs = needs.and(self.params.compression_keys());
        }
        for (name, lut) in &request.algorithms {
            match lut {
                Some(lut) => needs = needs.and(self.params.table_keys(name, lut)?),
                None => {
                    for bits in 1..=self.params.bits() {
                        needs = needs.and(self.params.extra_keys(name, bits)?);
                    }
                }
            }
        }
        Ok(needs)
    }
}

impl ClientKey for Client {
    type Params = Params;
    const KIND: ObjectKind = ObjectKind::ClientKey;
    const VERSION: u16 = 1;

    fn of(params: &Params, root: SecretSeed) -> Self {
        Self { params: params.clone(), keys: SecretKeys::derive(params, root) }
    }

    fn root(&self) -> &SecretSeed {
        self.keys.expose_root()
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.keys.key_id()
    }
}

impl Encryptor<Fhew> for Client {
    fn set(&self) -> &Params {
        &self.params
    }

    fn encrypt_in(&self, values: &[i128], space: Space) -> Result<Ciphertexts, Error> {
        with_words!(self.params.word_bits(), W => {
            let (mask_seed, bodies) = self.keys.encrypt::<W>(&encoded(values, space)?)?;
            planning::wanted()?;
            Ok(Ciphertexts::seeded(&self.params, self.key_id(), space, mask_seed, &bodies))
        })
    }
}

impl EngineClient<Fhew> for Client {
    fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(PublicKey::new(&self.params, self.keys.public_key()?))
    }

    fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let space = ciphertexts.space();
        if space.range().min < 0 {
            return Err(SpaceError::Negative { space }.into());
        }
        residues(self.decode(ciphertexts)?)
    }

    fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i128>, Error> {
        self.decode(ciphertexts)
    }

    fn decrypt_from<R: Read>(&self, mut ciphertexts: CiphertextReader<R>) -> Result<Vec<i128>, Error> {
        let (head, count) = (ciphertexts.head().clone(), ciphertexts.len());
        let values = self.decode_from(&head, count, &mut ciphertexts)?;
        ciphertexts.finish()?;
        Ok(values)
    }

    fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[i128]) -> Result<Vec<f64>, Error> {
        let mut encoded = encode(values.iter().copied(), ciphertexts.space());
        let mut noise = Vec::with_capacity(values.len());
        self.phases(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor(), |phase| {
            noise.extend(encoded.next().map(|value| torus_difference(phase, value)));
        })?;
        Ok(noise)
    }

    fn encrypt_symmetric_key(&self, id: [u8; 16], bits: &[i128]) -> Result<EncryptedSymmetricKey, Error> {
        self.params.check_symmetric_bits(1)?;
        with_words!(self.params.word_bits(), W => {
            let (seed, bodies) = self.keys.encrypt::<W>(&encoded(bits, Space::Modular(2))?)?;
            planning::wanted()?;
            let mut bytes = Vec::new();
            W::put(&bodies, &mut bytes);
            Ok(EncryptedSymmetricKey::new(&self.params, self.key_id(), id, seed, bytes))
        })
    }

    fn check_server_key(&self, request: &KeyRequest) -> Result<(), Error> {
        let needs = self.params.integer_keys().and(self.needs(request)?);
        self.params.check_needs(&needs)?;
        let sizes = KeySizes::of(&self.params, &needs);
        let [stored, memory] = [sizes.stored, sizes.memory].map(|bytes| bytes as u64);
        Room::now(request.memory).check(0, if request.expanded { stored + memory } else { stored })
    }

    fn server_key(&self, request: &KeyRequest, _progress: &mut (dyn FnMut(f64) + Send)) -> Result<ServerKey, Error> {
        self.server_key_with(&self.needs(request)?)
    }
}
