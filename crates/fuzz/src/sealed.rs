//! Envelopes around what a fuzzer made up, with a header and a checksum that are right.
use std::io::{self, Read};

use bootes::wire::{CHECKSUM_BYTES, HEADER_BYTES, ObjectKind, Reader, seal_as};
use sha2::{Digest, Sha256};

/// Bytes before the payload.
const HEAD: usize = 9;

/// Bytes of a payload in which there is a name, and a seed.
const MOST_NAMED: usize = 128;

/// What the bytes of a target stand for: a version (1 byte), two numbers of zeros (3 bytes each), the place of the
/// first ones in the payload (2 bytes), and the payload without them and those at its end.
///
/// Zeros are residues, masks and samples as good as any others; without them inputs would be as long as keys are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The version of the format.
    pub(crate) version: u8,
    zeros: [usize; 2],
    /// The payload before the first zeros, and after them.
    payload: [&'a [u8]; 2],
}

impl<'a> Input<'a> {
    /// Of these bytes, if there are enough, and not more zeros than the objects of a target need: they take longer
    /// than all else.
    pub(crate) fn of(data: &'a [u8], most_zeros: usize) -> Option<Self> {
        let (&[version, a0, a1, a2, b0, b1, b2, low, high], payload) = data.split_first_chunk::<HEAD>()?;
        let zeros = [[a0, a1, a2, 0], [b0, b1, b2, 0]].map(|bytes| u32::from_le_bytes(bytes) as usize);
        let at = payload.len().min(u16::from_le_bytes([low, high]).into());
        let (start, end) = payload.split_at(at);
        (zeros[0] + zeros[1] <= most_zeros).then_some(Self { version, zeros, payload: [start, end] })
    }

    /// The bytes that stand for a file: zeros are taken out at the end and where most of them are in a row.
    ///
    /// # Panics
    /// For what is no file.
    pub(crate) fn bytes_of(file: &[u8]) -> Vec<u8> {
        let payload = &file[HEADER_BYTES..file.len() - CHECKSUM_BYTES];
        let is_zero = |byte: &&u8| **byte == 0;
        let last = payload.iter().rev().take_while(is_zero).count();
        let payload = &payload[..payload.len() - last];
        let mut longest = 0..0;
        let mut start = 0;
        while start < payload.len() {
            let end = start + payload[start..].iter().take_while(is_zero).count();
            if end - start > longest.len() {
                longest = start..end;
            }
            start = end + 1;
        }
        let number = |count: usize| (count as u32).to_le_bytes();
        let ([a0, a1, a2, _], [b0, b1, b2, _]) = (number(longest.len()), number(last));
        let [low, high, ..] = number(longest.start);
        let head = [file[8], a0, a1, a2, b0, b1, b2, low, high];
        [&head, &payload[..longest.start], &payload[longest.end..]].concat()
    }

    /// The same in another version of the format.
    pub(crate) fn as_version(self, version: u8) -> Self {
        Self { version, ..self }
    }

    /// The payload, zeros and all.
    fn payload(&self) -> impl Read + Send + use<'a> {
        let [start, rest] = self.payload;
        let [zeros, last] = self.zeros.map(|count| io::repeat(0).take(count as u64));
        start.chain(zeros).chain(rest).chain(last)
    }

    /// The name of a set that the payload has from `at` on, and the 32 bytes that follow, if there are so many.
    pub(crate) fn name(&self, at: usize) -> Option<(String, Option<[u8; 32]>)> {
        let mut start = Vec::with_capacity(MOST_NAMED);
        self.payload().take(MOST_NAMED as u64).read_to_end(&mut start).expect("nothing fails in memory");
        let mut reader = Reader::new(start.get(at..)?);
        let name = reader.str().ok()?.to_string();
        Some((name, reader.array().ok()))
    }

    /// A file of it, read piece by piece.
    pub(crate) fn seal(&self, kind: ObjectKind, fingerprint: [u8; 16], key_id: [u8; 16]) -> Sealed<'a> {
        let mut start = seal_as(self.version.into(), kind, fingerprint, key_id, &[]);
        start.truncate(HEADER_BYTES);
        let [zeros, payload] = [self.zeros, self.payload.map(<[u8]>::len)].map(|[a, b]| a + b);
        start[HEADER_BYTES - 8..].copy_from_slice(&((zeros + payload) as u64).to_le_bytes());
        let content = io::Cursor::new(start).chain(self.payload());
        Sealed { content: Box::new(content), hash: Some(Sha256::new()), end: io::Cursor::default() }
    }
}

/// A file that is made as it is read, its checksum when somebody comes so far.
pub(crate) struct Sealed<'a> {
    content: Box<dyn Read + Send + 'a>,
    hash: Option<Sha256>,
    end: io::Cursor<Vec<u8>>,
}

impl Sealed<'_> {
    /// The whole of it.
    pub(crate) fn bytes(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).expect("nothing fails in memory");
        bytes
    }
}

impl Read for Sealed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(out)?;
        match &mut self.hash {
            Some(hash) if count > 0 || out.is_empty() => hash.update(&out[..count]),
            Some(_) => {
                let hash = self.hash.take().unwrap_or_default().finalize();
                self.end = io::Cursor::new(hash[..CHECKSUM_BYTES].to_vec());
            }
            None => {}
        }
        if count > 0 { Ok(count) } else { self.end.read(out) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::client;

    /// The zeros that are taken out may be those of the length of a name.
    #[test]
    fn a_file_is_what_it_was() {
        let client = client("toy_4_binary").expect("a set that there is");
        let key = client.export_secret_bytes();
        let bytes = Input::bytes_of(&key);
        let input = Input::of(&bytes, 7).expect("few zeros");
        assert_eq!(input.zeros, [7, 0]);
        assert_eq!(input.name(0), Some(("toy_4_binary".into(), Some(*crate::objects::SEED))));
        let sealed = input.seal(ObjectKind::ClientKey, client.params().fingerprint(), client.key_id());
        assert!(sealed.bytes() == **key);
        assert!(Input::of(&bytes, 6).is_none());
    }
}
