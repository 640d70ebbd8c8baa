//! The secret side.
use crate::ciphertexts::Ciphertexts;
use crate::{Error, ExtraKeys, KeyNeeds, Params, ServerKey};
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding;
use bootes_schemes::fhew::keys::SecretKeys;
use zeroize::Zeroizing;

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

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

    /// Keys from a seed: reproducible, for tests and known answers.
    pub fn from_seed(params: &Params, seed: [u8; 32]) -> Self {
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
        let encoded: Vec<u64> = values.iter().map(|&v| encoding::encode(v, bits)).collect();
        let fresh = SecretSeed::from_entropy()?;
        let mask_seed = fresh.fork_mask(0);
        let bodies = self.keys.encrypt(&encoded, &mask_seed, &fresh.fork(1));
        Ok(Ciphertexts::seeded(params, self.key_id(), bits, mask_seed, bodies))
    }

    /// Decrypts to integers modulo 2^bits.
    pub fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        Ok(self.phases(ciphertexts)?.into_iter().map(|phase| encoding::decode(phase, ciphertexts.bits())).collect())
    }

    /// The noise of each ciphertext as a fraction of the torus, given its plaintexts.
    ///
    /// Leaks the secret key to whoever sees it together with the ciphertexts: for tests and benchmarks only.
    pub fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<Vec<f64>, Error> {
        let encoded = values.iter().map(|&v| encoding::encode(v, ciphertexts.bits()));
        let phases = self.phases(ciphertexts)?;
        Ok(phases
            .into_iter()
            .zip(encoded)
            .map(|(x, y)| bootes_lattice::noise::measure::torus_difference(x, y))
            .collect())
    }

    fn phases(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        ciphertexts.check_key(self.keys.params(), self.key_id())?;
        let stride = self.keys.params().ciphertext_dimension() + 1;
        Ok(ciphertexts.expanded().chunks_exact(stride).map(|c| self.keys.phase(c)).collect())
    }

    /// The key that the server needs: public, seed-compressed. The same every time.
    pub fn server_key(&self) -> Result<ServerKey, Error> {
        Ok(ServerKey(self.keys.evaluation_key()?))
    }

    /// The additional keys that some algorithms need: [`Params::extra_keys`] says which, mostly none. Public; the same every
    /// time.
    pub fn extra_keys(&self, needs: &KeyNeeds) -> Result<ExtraKeys, Error> {
        Ok(ExtraKeys(self.keys.extra_keys(needs)?))
    }

    /// The secret key in bytes: keep them secret.
    pub fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(SECRET_PAYLOAD_BYTES);
        w.str(self.keys.params().name());
        w.raw(self.keys.expose_root().expose_bytes().as_slice());
        let payload = Zeroizing::new(w.into_bytes());
        Zeroizing::new(seal(ObjectKind::ClientKey, self.keys.params().fingerprint(), self.key_id(), &payload))
    }

    /// A client from [`Self::export_secret_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::ClientKey)?;
        let mut r = Reader::new(payload);
        let params = FhewParams::by_name(r.str()?)?;
        let seed = r.array()?;
        r.finish()?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "client key", params: params.name().into() });
        }
        let client = Self::from_seed(&Params(params), seed);
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
