//! The server's public keys of engine ckks.
use std::io::{Read, Write};

use bootes_lattice::wire::{ObjectKind, StreamReader};
use bootes_lut::ckks::TableParams as Params;
use bootes_schemes::ckks::CkksEvaluationKey;

use super::{VERSION, begin, name_bytes, parameters};
use crate::engines::{Ckks, EngineParams, EngineServerKey, Stored};
use crate::memory::Room;
use crate::{Error, MaskStorage};

/// The public evaluation key of engine ckks, its masks seeds: what a client sends to a server.
///
/// Keys of real sets have hundreds of megabytes: they go to streams and come from them a limb at a time.
#[derive(Debug)]
pub(crate) struct ServerKey {
    params: Params,
    key: CkksEvaluationKey,
}

impl ServerKey {
    pub(super) fn new(params: &Params, key: CkksEvaluationKey) -> Self {
        Self { params: params.clone(), key }
    }

    pub(super) fn into_parts(self) -> (Params, CkksEvaluationKey) {
        (self.params, self.key)
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.key.bytes()
    }
}

impl EngineServerKey<Ckks> for ServerKey {
    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.key.id()
    }

    fn expanded_bytes(&self, masks: MaskStorage) -> u64 {
        match masks {
            MaskStorage::Seeded => self.bytes() as u64,
            MaskStorage::Expanded => 2 * self.bytes() as u64,
        }
    }
}

impl Stored for ServerKey {
    const KIND: ObjectKind = ObjectKind::CkksServerKey;

    fn stored_bytes(&self) -> u64 {
        let payload = name_bytes(&self.params) + self.key.stored_bytes();
        payload + bootes_lattice::wire::OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin::<Self, _>(out, VERSION, (&self.params, self.key_id()), self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::CkksServerKey)?;
        let params: Params = parameters(&mut input, "server key")?;
        Room::check_read(memory, input.remaining())?;
        let key = CkksEvaluationKey::read(params.ckks(), input.header().key_id, &mut input)?;
        input.finish()?;
        params.keep();
        Ok(Self { params, key })
    }
}
