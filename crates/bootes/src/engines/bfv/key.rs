//! The server's public keys of engine bfv.
use std::io::{Read, Write};

use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes_schemes::bfv::BfvEvaluationKey;

use super::{Params, VERSION, begin, name_bytes, parameters};
use crate::engines::{Bfv, EngineParams, EngineServerKey, Stored};
use crate::memory::Room;
use crate::{Error, MaskStorage};

/// The public evaluation key, its masks seeds: what a client sends to a server.
#[derive(Debug)]
pub(crate) struct ServerKey {
    params: Params,
    key: BfvEvaluationKey,
}

impl ServerKey {
    pub(super) fn new(params: &Params, key: BfvEvaluationKey) -> Self {
        Self { params: params.clone(), key }
    }

    pub(super) fn into_parts(self) -> (Params, BfvEvaluationKey) {
        (self.params, self.key)
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.key.bytes()
    }
}

impl EngineServerKey<Bfv> for ServerKey {
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
    const KIND: ObjectKind = ObjectKind::BfvServerKey;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.key.stored_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin::<Self, _>(out, VERSION, (&self.params, self.key_id()), self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::BfvServerKey)?;
        let params: Params = parameters(&mut input, "server key")?;
        Room::check_read(memory, input.remaining())?;
        let key = BfvEvaluationKey::read(&params, input.header().key_id, &mut input)?;
        input.finish()?;
        params.keep();
        Ok(Self { params, key })
    }
}
