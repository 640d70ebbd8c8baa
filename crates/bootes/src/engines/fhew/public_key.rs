//! The key that anybody encrypts with to a client.
//!
//! In a file: the name of the set, the seed of the masks, and kN' words of 64 bits.
use crate::engines::envelope::{PUBLIC_VERSION, begin, name_bytes, parameters};
use crate::engines::{Encryptor, EnginePublicKey, Fhew, Stored};
use crate::fhew::client::encoded;
use crate::fhew::words::Bytes;
use crate::fhew::{Ciphertexts, Params};
use crate::memory::Room;
use crate::{Error, Space};
use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes_lut::planning;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::public_key::PublicKey as SchemeKey;
use std::io::{Read, Write};

/// The key that anybody encrypts with.
#[derive(Clone, Debug)]
pub(crate) struct PublicKey {
    params: Params,
    key: SchemeKey,
}

impl PublicKey {
    pub(super) fn new(params: &Params, key: SchemeKey) -> Self {
        Self { params: params.clone(), key }
    }
}

impl Encryptor<Fhew> for PublicKey {
    fn set(&self) -> &Params {
        &self.params
    }

    fn encrypt_in(&self, values: &[i128], space: Space) -> Result<Ciphertexts, Error> {
        let all = self.key.encrypt(&encoded(values, space)?)?;
        // What is no longer wanted is not whole.
        planning::wanted()?;
        Ciphertexts::public(&self.params, self.key.key_id(), space, all)
    }
}

impl EnginePublicKey<Fhew> for PublicKey {
    fn key_id(&self) -> [u8; 16] {
        self.key.key_id()
    }
}

/// Bytes of the seed and the words.
fn key_bytes(params: &Params) -> u64 {
    (size_of::<MaskSeed>() + size_of::<u64>() * params.ciphertext_dimension()) as u64
}

impl Stored for PublicKey {
    const KIND: ObjectKind = ObjectKind::PublicKey;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + key_bytes(&self.params) + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let (owner, key) = ((&self.params, self.key.key_id()), self.key.key());
        let mut out = begin::<Self, _>(out, PUBLIC_VERSION, owner, key_bytes(&self.params))?;
        let mut bytes = key.mask_seed().to_bytes().to_vec();
        u64::put(key.bodies(), &mut bytes);
        out.raw(&bytes)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, Self::KIND)?;
        let params: Params = parameters(&mut input, "public key")?;
        input.expect_left(key_bytes(&params))?;
        Room::check_read(memory, input.remaining())?;
        let mask_seed = MaskSeed::from_bytes(input.array()?);
        let mut bodies = vec![0u64; params.ciphertext_dimension()];
        let mut bytes = vec![0; size_of_val(&*bodies)];
        input.raw_into(&mut bytes)?;
        u64::get(&bytes, &mut bodies);
        let key = SchemeKey::from_parts(params.0.clone(), input.header().key_id, mask_seed, bodies)?;
        input.finish()?;
        Ok(Self { params, key })
    }
}
