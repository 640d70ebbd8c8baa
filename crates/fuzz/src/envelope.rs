//! The envelope around all files of keys and ciphertexts.
use bootes::wire::{self, CHECKSUM_BYTES, HEADER_BYTES, Header, OVERHEAD_BYTES, ObjectKind, StreamReader};
use bootes::{CiphertextReader, Ciphertexts, Client, EncryptedTable, ServerKey};
use sha2::{Digest, Sha256};

use crate::objects::{MEMORY, names_real_set};

/// The file as it is, and with the length and the checksum that its content has.
pub(crate) fn header(data: &[u8]) {
    all_readers(data);
    let Ok((header, _)) = wire::peek(data) else { return };
    let Header { kind, version, fingerprint, key_id } = header;
    let written = wire::seal_as(version, kind, fingerprint, key_id, &[]);
    assert_eq!(written[..HEADER_BYTES - 8], data[..HEADER_BYTES - 8], "a header that was read is written as it was");
    if data.len() < OVERHEAD_BYTES {
        return;
    }
    let mut mended = data.to_vec();
    let content = data.len() - CHECKSUM_BYTES;
    mended[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&((content - HEADER_BYTES) as u64).to_le_bytes());
    let hash = Sha256::digest(&mended[..content]);
    mended[content..].copy_from_slice(&hash[..CHECKSUM_BYTES]);
    let (again, payload) = wire::open(&mended, kind).expect("header, length and checksum are right");
    assert_eq!((again, payload), (header, &data[HEADER_BYTES..content]));
    all_readers(&mended);
}

/// Whatever somebody may take it for; a reader of streams says the same as one of bytes.
fn all_readers(data: &[u8]) {
    let kind = wire::peek(data).map_or(ObjectKind::Ciphertexts, |(header, _)| header.kind);
    let streamed = StreamReader::new(data, kind).and_then(StreamReader::finish_unread);
    assert_eq!(wire::open(data, kind).is_ok(), streamed.is_ok(), "{streamed:?}");
    // Sets of real size take seconds to build.
    if names_real_set(data) {
        return;
    }
    let _ = Client::from_bytes(data);
    let _ = ServerKey::read_within(Some(MEMORY), data);
    let _ = Ciphertexts::read(data);
    let _ = EncryptedTable::read(data);
    let _ = CiphertextReader::within(Some(MEMORY), data).map(CiphertextReader::finish);
}
