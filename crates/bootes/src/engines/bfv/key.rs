//! The server's public keys of engine bfv.
use std::io::{Read, Write};

use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes_schemes::exact::ExactEvaluationKey;

use super::{Params, begin, keep, name_bytes, parameters};
use crate::Error;
use crate::memory::Room;

/// The public evaluation key, its masks seeds: what a client sends to a server.
#[derive(Debug)]
pub(crate) struct ServerKey {
    params: Params,
    key: ExactEvaluationKey,
}

impl ServerKey {
    pub(super) fn new(params: &Params, key: ExactEvaluationKey) -> Self {
        Self { params: params.clone(), key }
    }

    pub(super) fn into_parts(self) -> (Params, ExactEvaluationKey) {
        (self.params, self.key)
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Identifier of the key pair.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.key.id()
    }

    /// The bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.key.bytes()
    }

    /// The bytes of its file.
    pub(crate) fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.key.stored_bytes() + OVERHEAD_BYTES as u64
    }

    /// Writes the key.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub(crate) fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin(out, ObjectKind::SlotServerKey, &self.params, self.key_id(), self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    /// Reads a key; every size is checked, and the checksum at the end. It takes `memory` bytes at most.
    ///
    /// # Errors
    /// [`Error::Memory`] before anything is taken; [`Error::Stream`] for what is no such key, [`crate::SlotError::Set`]
    /// for a set that does not exist, [`Error::ChangedParams`].
    pub(crate) fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::SlotServerKey)?;
        let params = parameters(&mut input, "server key")?;
        Room::check_read(memory, input.remaining())?;
        let key = ExactEvaluationKey::read(&params, input.header().key_id, &mut input)?;
        input.finish()?;
        keep(&params);
        Ok(Self { params, key })
    }
}
