//! The secret side.
use crate::ciphertexts::{CiphertextReader, Ciphertexts};
use crate::samples::{Source, reserved_as};
use crate::space::centred;
use crate::{Error, ExtraKeys, KeyNeeds, Params, ServerKey, Space};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal};
use bootes_lut::integer::{Limbs, MAX_WIDTH};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::fhew::keys::SecretKeys;
use std::io::Read;
use zeroize::Zeroizing;

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

/// The integers of `width` bits, with or without a sign.
fn integer_range(signed: bool, width: u32) -> std::ops::RangeInclusive<i64> {
    let half = 1i64 << (width - 1);
    if signed { -half..=half - 1 } else { 0..=2 * half - 1 }
}

/// The values on the torus, the limbs of each side by side.
fn encode(values: impl Iterator<Item = i64>, space: Space) -> impl Iterator<Item = u64> {
    values.flat_map(move |value| (0..space.limbs()).map(move |limb| space.encode(value, limb)))
}

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
#[derive(Debug)]
pub struct Client {
    keys: SecretKeys,
}

impl Client {
    /// New keys from the system's randomness.
    pub fn generate(params: &Params) -> Result<Self, Error> {
        Ok(Self { keys: SecretKeys::derive(&params.0, SecretSeed::from_entropy()?) })
    }

    /// The secret keys of a seed and a set, the same every time. Server keys and ciphertexts are made with fresh randomness all the same.
    pub fn from_seed(params: &Params, seed: &[u8; 32]) -> Self {
        Self { keys: SecretKeys::derive(&params.0, SecretSeed::from_bytes(seed)) }
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.keys.params().clone())
    }

    /// A public identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.keys.key_id()
    }

    /// Encrypts integers modulo 2^bits, bits as the parameters have.
    pub fn encrypt(&self, values: &[u64]) -> Result<Ciphertexts, Error> {
        self.encrypt_bits(values, self.keys.params().bits())
    }

    /// Encrypts integers modulo 2^`bits`, 1 ≤ bits ≤ the parameters' bits.
    pub fn encrypt_bits(&self, values: &[u64], bits: u32) -> Result<Ciphertexts, Error> {
        let params = self.keys.params();
        if !(1..=params.bits()).contains(&bits) {
            return Err(Error::Bits { found: bits, max: params.bits(), params: params.name().into() });
        }
        let max = (1u64 << bits) - 1;
        if let Some(index) = values.iter().position(|&v| v > max) {
            return Err(Error::Value { index, value: values[index], max, bits });
        }
        self.encrypt_in(values.iter().map(|&v| v as i64), Space::of_bits(bits))
    }

    /// Encrypts integers modulo any p, 2 ≤ p ≤ 2^bits, bits as the parameters have: for [`crate::Lut::modular`].
    ///
    /// # Errors
    /// [`Error::Modulus`] for other p; [`Error::Residue`] for a value that is not below p.
    pub fn encrypt_modulo(&self, values: &[u64], p: u64) -> Result<Ciphertexts, Error> {
        let params = self.keys.params();
        let max = 1 << params.bits();
        if !(2..=max).contains(&p) {
            return Err(Error::Modulus { found: p, max, params: params.name().into() });
        }
        if let Some(index) = values.iter().position(|&v| v >= p) {
            return Err(Error::Residue { index, value: values[index], modulus: p });
        }
        self.encrypt_in(values.iter().map(|&v| v as i64), Space::Modular(p))
    }

    /// Encrypts integers of `width` bits, for functions of large integers ([`crate::IntegerOp`]) and, where they are not negative,
    /// tables on digits ([`crate::LargeLut`]): in Z_{2^(width + 1)}, or in two such limbs of half the width.
    ///
    /// All of them have a sign, −2^(width − 1) to 2^(width − 1) − 1, or all have none, 0 to 2^width − 1: then the difference of
    /// any two has width + 1 bits.
    ///
    /// # Errors
    /// [`Error::Width`] if two ciphertexts of these parameters do not hold them; [`Error::Integer`] for a value outside the range.
    pub fn encrypt_integers(&self, values: &[i64], width: u32) -> Result<Ciphertexts, Error> {
        let params = self.keys.params();
        let limb = (params.space_bits() - 1).min(MAX_WIDTH);
        let max = (2 * limb).min(MAX_WIDTH);
        if !(1..=max).contains(&width) {
            return Err(Error::Width { found: width, max, params: params.name().into() });
        }
        let range = integer_range(values.iter().any(|&v| v < 0), width);
        if let Some(index) = values.iter().position(|v| !range.contains(v)) {
            let (value, min, max) = (values[index], *range.start(), *range.end());
            return Err(Error::Integer { index, value, min, max, width });
        }
        self.encrypt_in(values.iter().copied(), Space::Integers(Limbs::of(width, limb)))
    }

    fn encrypt_in(&self, values: impl ExactSizeIterator<Item = i64>, space: Space) -> Result<Ciphertexts, Error> {
        // Of its final size, so that none is left behind.
        let mut encoded = Zeroizing::new(Vec::with_capacity(values.len() * space.limbs()));
        encoded.extend(encode(values, space));
        let (mask_seed, bodies) = self.keys.encrypt(&encoded)?;
        Ok(Ciphertexts::seeded(self.keys.params(), self.key_id(), space, mask_seed, bodies))
    }

    /// Decrypts to integers modulo p, or modulo 2^bits.
    pub fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let mask = match ciphertexts.space() {
            Space::Modular(_) => u64::MAX,
            Space::Integers(_) => (1 << ciphertexts.bits()) - 1,
        };
        Ok(self.decode(ciphertexts)?.into_iter().map(|value| value as u64 & mask).collect())
    }

    /// Decrypts to integers with a sign, −2^(bits − 1) to 2^(bits − 1) − 1, or −p/2 to less than p/2; those of one bit, which answer a
    /// question, to 0 or 1.
    pub fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        let mut values = self.decode(ciphertexts)?;
        if let Space::Modular(p) = ciphertexts.space() {
            values.iter_mut().for_each(|value| *value = centred(*value as u64, p));
        }
        Ok(values)
    }

    /// [`Self::decrypt_integers`] of a file, of which a few ciphertexts at a time are in memory.
    ///
    /// # Errors
    /// As [`Self::decrypt_integers`], and [`CiphertextReader::finish`].
    pub fn decrypt_from<R: Read>(&self, mut ciphertexts: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let (head, count) = (ciphertexts.head().clone(), ciphertexts.len());
        let values = self.decode_from(&head, count, &mut ciphertexts)?;
        ciphertexts.finish()?;
        Ok(values)
    }

    fn decode(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        self.decode_from(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor())
    }

    /// The values of a source of ciphertexts like these.
    fn decode_from<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
    ) -> Result<Vec<i64>, Error> {
        let space = like.space();
        let mut values = reserved_as(count, 1)?;
        let mut limbs = Zeroizing::new(Vec::with_capacity(space.limbs()));
        self.phases(like, count, source, |phase| {
            limbs.push(phase);
            if limbs.len() == space.limbs() {
                values.push(space.decode(limbs.drain(..)));
            }
        })?;
        Ok(values)
    }

    /// The noise of each ciphertext as a fraction of the torus, given its plaintexts; the limbs of a value side by side.
    ///
    /// Leaks the secret key to whoever sees it together with the ciphertexts: for tests and benchmarks only.
    pub fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<Vec<f64>, Error> {
        let mut encoded = encode(values.iter().map(|&v| v as i64), ciphertexts.space());
        let mut noise = Vec::with_capacity(values.len());
        self.phases(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor(), |phase| {
            noise.extend(encoded.next().map(|value| torus_difference(phase, value)));
        })?;
        Ok(noise)
    }

    /// Hands the phase of each of `count` values' ciphertexts to `take`; one ciphertext at a time is expanded.
    fn phases<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
        mut take: impl FnMut(u64),
    ) -> Result<(), Error> {
        like.check_key(self.keys.params(), self.key_id())?;
        let stride = self.keys.params().ciphertext_dimension() + 1;
        let mut ciphertext = vec![0; stride];
        for _ in 0..count * like.space().limbs() {
            source.next(1)?.expand_into(&mut ciphertext, stride);
            take(self.keys.phase(&ciphertext));
        }
        Ok(())
    }

    /// The key that the server needs: public, seed-compressed; another one at every call, with masks and noise of its own.
    ///
    /// For a parameter set of large integers it holds the additional keys that their functions need.
    pub fn server_key(&self) -> Result<ServerKey, Error> {
        self.server_key_with(&KeyNeeds::default())
    }

    /// [`Self::server_key`] with the additional keys of `needs` ([`Params::extra_keys`]), for algorithms that need them.
    pub fn server_key_with(&self, needs: &KeyNeeds) -> Result<ServerKey, Error> {
        let needs = self.params().integer_keys().and(needs.clone());
        let extra = if needs.is_empty() { None } else { Some(self.keys.extra_keys(&needs)?) };
        Ok(ServerKey { key: self.keys.evaluation_key()?, extra })
    }

    /// [`Self::server_key_with`] of these bytes instead of fresh ones: equal bytes give equal keys. For tests and stored examples.
    pub fn server_key_with_randomness_for_tests(
        &self,
        needs: &KeyNeeds,
        randomness: &[u8; 32],
    ) -> Result<ServerKey, Error> {
        let needs = self.params().integer_keys().and(needs.clone());
        let extra = || self.keys.extra_keys_with_randomness_for_tests(&needs, randomness);
        let extra = if needs.is_empty() { None } else { Some(extra()?) };
        Ok(ServerKey { key: self.keys.evaluation_key_with_randomness_for_tests(randomness)?, extra })
    }

    /// The additional keys that some algorithms need: [`Params::extra_keys`] says which, mostly none. Public; others at every
    /// call, with masks and noise of their own.
    pub fn extra_keys(&self, needs: &KeyNeeds) -> Result<ExtraKeys, Error> {
        Ok(ExtraKeys(self.keys.extra_keys(needs)?))
    }

    /// The secret key in bytes: keep them secret.
    pub fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(SECRET_PAYLOAD_BYTES);
        w.str(self.keys.params().name());
        w.raw(self.keys.expose_root().expose_bytes());
        let payload = Zeroizing::new(w.into_bytes());
        Zeroizing::new(seal(ObjectKind::ClientKey, self.keys.params().fingerprint(), self.key_id(), &payload))
    }

    /// A client from [`Self::export_secret_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::ClientKey)?;
        let mut r = Reader::new(payload);
        let Params(params) = Params::by_name(r.str()?)?;
        let root = SecretSeed::from_bytes(r.array_ref()?);
        r.finish()?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "client key", params: params.name().into() });
        }
        let client = Self { keys: SecretKeys::derive(&params, root) };
        if client.key_id() != header.key_id {
            return Err(Error::OtherKey {
                what: "client key",
                found: crate::params::hex(&header.key_id),
                expected: crate::params::hex(&client.key_id()),
            });
        }
        Ok(client)
    }
}
