//! Inputs: each is opened once and read from its beginning to its end, so that a pipe is as good as a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use bootes::fhew::Params;
use bootes::wire::{self, Header, ObjectKind};
use zeroize::Zeroizing;

use super::short_hex;
use crate::error::CliError;
use crate::report;

/// The most that a text file may have, comments and white space included.
pub(crate) const TEXT_LIMIT: u64 = 1 << 28;

/// More than any client key has.
const CLIENT_KEY_LIMIT: u64 = 4096;

/// Read at once.
const PIECE: usize = 1 << 16;

fn open(path: &Path) -> Result<(File, Option<u64>), CliError> {
    let failed = |error: io::Error| CliError::io("read", path, &error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // /proc and the like call themselves empty regular files, so a size is a promise only if it is not 0.
    let size = Some(metadata.len()).filter(|&size| metadata.is_file() && size > 0);
    Ok((file, size))
}

/// A text file, table or input, which is given piece by piece to whoever parses it.
pub(crate) struct Text {
    path: PathBuf,
    input: Box<dyn BufRead>,
    left: u64,
}

impl Text {
    /// Opens it; it may have [`TEXT_LIMIT`] bytes.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let (file, size) = open(path)?;
        let input = Box::new(BufReader::with_capacity(PIECE, file));
        let text = Self { path: path.to_path_buf(), input, left: TEXT_LIMIT };
        if size.is_some_and(|size| size > TEXT_LIMIT) {
            return Err(text.too_large());
        }
        Ok(text)
    }

    /// As the user wrote it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn too_large(&self) -> CliError {
        let limit = report::size(TEXT_LIMIT);
        CliError::at(
            &self.path,
            format!("it has more than {TEXT_LIMIT} bytes ({limit}), the most that is read: split it"),
        )
    }

    /// Gives all pieces to `take`, which may stop with an error; an empty file is refused.
    pub(crate) fn for_each(mut self, mut take: impl FnMut(&[u8]) -> Result<(), CliError>) -> Result<(), CliError> {
        loop {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(CliError::io("read", &self.path, &error)),
            };
            let count = piece.len();
            if count == 0 && self.left == TEXT_LIMIT {
                return Err(CliError::at(&self.path, "it is empty (0 bytes): expected integers"));
            }
            if count == 0 {
                return Ok(());
            }
            let Some(left) = self.left.checked_sub(count as u64) else { return Err(self.too_large()) };
            take(piece)?;
            self.left = left;
            self.input.consume(count);
        }
    }
}

#[cfg(test)]
impl Text {
    /// A file with this content.
    pub(crate) fn of(path: &str, content: &[u8]) -> Self {
        Self { path: path.into(), input: Box::new(Cursor::new(content.to_vec())), left: TEXT_LIMIT }
    }

    /// A pipe through which these pieces come.
    pub(crate) fn of_pieces(path: &str, pieces: impl Iterator<Item = &'static [u8]> + 'static) -> Self {
        struct Pieces<I>(I);
        impl<I: Iterator<Item = &'static [u8]>> Read for Pieces<I> {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                let mut length = 0;
                while length + 64 < out.len() {
                    let Some(piece) = self.0.next() else { break };
                    let fitting = piece.len().min(out.len() - length);
                    out[length..length + fitting].copy_from_slice(&piece[..fitting]);
                    length += fitting;
                }
                Ok(length)
            }
        }
        let input = Box::new(BufReader::with_capacity(PIECE, Pieces(pieces)));
        Self { path: path.into(), input, left: TEXT_LIMIT }
    }
}

/// An open key or ciphertexts, of which the header was read and checked.
pub(crate) struct Sealed {
    /// As the user wrote it.
    pub(crate) path: PathBuf,
    /// Header of the envelope.
    pub(crate) header: Header,
    /// Bytes of the whole file, as its header announces them.
    pub(crate) bytes: u64,
    /// From its first byte on.
    pub(crate) input: Chain<Cursor<Vec<u8>>, BufReader<File>>,
}

/// The envelope of a key or of ciphertexts of engine fhew: bytes that still are to be parsed, and what their header
/// says.
///
/// Wiped from memory when dropped, for it may be a client key.
#[derive(Debug)]
pub(crate) struct Object {
    /// Header of the envelope.
    pub(crate) header: Header,
    /// The whole file.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

impl Sealed {
    /// Opens a file and checks its header, and its length if it has one, which costs nothing.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let (mut file, size) = open(path)?;
        // Not through the buffer, which would keep a copy of a whole client key.
        let mut start = Vec::with_capacity(wire::HEADER_BYTES);
        let read = file.by_ref().take(wire::HEADER_BYTES as u64).read_to_end(&mut start);
        read.map_err(|error| CliError::io("read", path, &error))?;
        let refused = |error: wire::WireError| CliError::at(path, error);
        let (header, payload_bytes) = wire::peek(&start).map_err(refused)?;
        let bytes = payload_bytes.saturating_add(wire::OVERHEAD_BYTES as u64);
        match size {
            Some(found) if found < bytes => return Err(refused(wire::WireError::Truncated { found, expected: bytes })),
            Some(found) if found > bytes => return Err(refused(wire::WireError::TooLong { found, expected: bytes })),
            _ => {}
        }
        let input = Cursor::new(start).chain(BufReader::with_capacity(PIECE, file));
        Ok(Self { path: path.to_path_buf(), header, bytes, input })
    }

    /// [`Self::open`] of this kind.
    pub(crate) fn open_as(path: &Path, expected: ObjectKind) -> Result<Self, CliError> {
        let sealed = Self::open(path)?;
        sealed.expect(expected)?;
        Ok(sealed)
    }

    /// Refuses another kind.
    pub(crate) fn expect(&self, expected: ObjectKind) -> Result<(), CliError> {
        let found = self.header.kind;
        if found == expected {
            return Ok(());
        }
        Err(CliError::at(&self.path, wire::WireError::WrongKind { found, expected }))
    }

    /// Whether it belongs to the batch engine.
    pub(crate) fn is_batch(&self) -> bool {
        use ObjectKind::{BatchCiphertexts, BatchClientKey, BatchServerKey};
        matches!(self.header.kind, BatchClientKey | BatchServerKey | BatchCiphertexts)
    }

    /// The parameters of engine fhew.
    pub(crate) fn params(&self) -> Result<Params, CliError> {
        let known = Params::all().into_iter().find(|set| set.fingerprint() == self.header.fingerprint);
        known.ok_or_else(|| {
            let fingerprint = short_hex(&self.header.fingerprint);
            CliError::at(
                &self.path,
                format!(
                    "its parameters (fingerprint {fingerprint}) are none of this program's: use the release that wrote it, or \
                     copy or write it again if it is damaged"
                ),
            )
        })
    }

    /// Reads the rest of what engine fhew parses at once; never takes more memory than the header announces, the kind
    /// warrants, the machine has and `memory` allows. The content is checked by whoever parses it.
    pub(crate) fn read(self, memory: Option<u64>) -> Result<Object, CliError> {
        self.params()?;
        let available = [memory, bootes::available_memory()].into_iter().flatten().min().unwrap_or(u64::MAX);
        let (limit, why) = match self.header.kind {
            ObjectKind::ClientKey | ObjectKind::BatchClientKey => (CLIENT_KEY_LIMIT, "a client key has"),
            // As bytes, and as the key that they are.
            ObjectKind::ServerKey => (available / 2, "there is memory for"),
            _ => (available, "there is memory for"),
        };
        let header = self.header;
        Ok(Object { header, bytes: self.read_within(limit, why)? })
    }

    /// Refuses what announces more than there is memory for.
    pub(crate) fn check_memory(&self) -> Result<(), CliError> {
        self.check_size(bootes::available_memory().unwrap_or(u64::MAX), "there is memory for")
    }

    fn check_size(&self, limit: u64, why: &str) -> Result<(), CliError> {
        if self.bytes <= limit {
            return Ok(());
        }
        let (found, limit) = (report::size(self.bytes), report::size(limit));
        Err(CliError::at(&self.path, format!("it has {found} by its header, more than the {limit} that {why}")))
    }

    /// All bytes, `limit` at most.
    fn read_within(self, limit: u64, why: &str) -> Result<Zeroizing<Vec<u8>>, CliError> {
        self.check_size(limit, why)?;
        let Self { path, bytes: expected, input, .. } = self;
        let failed = |error: io::Error| CliError::io("read", &path, &error);
        let mut bytes = Zeroizing::new(Vec::new());
        // One more byte, so that what is too long is noticed, and the read which finds the end does not grow the
        // buffer.
        let capacity = usize::try_from(expected.saturating_add(2)).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(capacity).map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        let (start, rest) = input.into_inner();
        bytes.extend_from_slice(start.get_ref());
        let left = expected.saturating_add(1) - start.get_ref().len() as u64;
        rest.into_inner().take(left).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// A client key of the batch engine: a few hundred bytes, in a buffer that does not grow and so leaves no copies
    /// behind.
    pub(crate) fn read_client_key(self) -> Result<Zeroizing<Vec<u8>>, CliError> {
        self.read_within(CLIENT_KEY_LIMIT, "a client key has")
    }
}
