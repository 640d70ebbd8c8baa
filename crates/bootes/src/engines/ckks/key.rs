//! The server's public keys of the batch engine.
use std::io::{Read, Write};

use bootes_lattice::wire::{ObjectKind, StreamReader};
use bootes_lut::ckks::BatchParams as Params;
use bootes_schemes::ckks::CkksEvaluationKey;

use super::{VERSION, begin, keep, name_bytes, parameters};
use crate::Error;
use crate::memory::Room;

/// The public evaluation key of the batch engine, its masks seeds: what a client sends to a server.
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
        let payload = name_bytes(&self.params) + self.key.stored_bytes();
        payload + bootes_lattice::wire::OVERHEAD_BYTES as u64
    }

    /// Writes the key; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub(crate) fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out =
            begin(out, VERSION, ObjectKind::BatchServerKey, &self.params, self.key_id(), self.key.stored_bytes())?;
        self.key.write(&mut out)?;
        Ok(out.finish()?)
    }

    /// Reads a key; every size is checked, and the checksum at the end. It takes `memory` bytes at most: a
    /// key takes as much as its file.
    ///
    /// # Errors
    /// [`Error::Memory`] before anything is taken; [`Error::Stream`] for what is no such key, [`Error::Lut`] for a set
    /// that does not exist, [`Error::ChangedParams`].
    pub(crate) fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::BatchServerKey)?;
        let params = parameters(&mut input, "server key")?;
        Room::check_read(memory, input.remaining())?;
        let key = CkksEvaluationKey::read(params.ckks(), input.header().key_id, &mut input)?;
        input.finish()?;
        keep(&params);
        Ok(Self { params, key })
    }
}
