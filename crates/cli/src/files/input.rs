//! Inputs: each is opened once and read from its beginning to its end, so that a pipe is as good as a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use bootes::wire::{self, Header, ObjectKind, StreamError, StreamReader};
use bootes::{Engine, Error, Params};
use zeroize::Zeroizing;

use crate::error::CliError;
use crate::report;

/// The most that a table or an input may have, comments and white space included.
pub(crate) const TEXT_LIMIT: u64 = 1 << 28;

/// More than any client key has.
const CLIENT_KEY_LIMIT: u64 = 4096;

/// Bytes of a payload that have the name of its parameter set.
const NAMED_WITHIN: usize = 80;

/// The content of a file, of whichever engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    ClientKey,
    ServerKey,
    Ciphertexts,
    PublicKey,
    /// An encrypted one.
    SymmetricKey,
    SymmetricCiphertexts,
    ConversionKey,
}

impl Noun {
    /// The kind that it is of an engine.
    fn kind(self, engine: Engine) -> ObjectKind {
        let [client, server, ciphertexts, public] = engine.kinds();
        match self {
            Self::ClientKey => client,
            Self::ServerKey => server,
            Self::Ciphertexts => ciphertexts,
            Self::PublicKey => public,
            Self::SymmetricKey => ObjectKind::SymmetricKey,
            Self::SymmetricCiphertexts => ObjectKind::SymmetricCiphertexts,
            Self::ConversionKey => ObjectKind::ConversionKey,
        }
    }

    /// The content that objects of this kind are; `None` for those that no command takes.
    pub(crate) fn of(kind: ObjectKind) -> Option<Self> {
        const ALL: [Noun; 7] = [
            Noun::ClientKey,
            Noun::ServerKey,
            Noun::Ciphertexts,
            Noun::PublicKey,
            Noun::SymmetricKey,
            Noun::SymmetricCiphertexts,
            Noun::ConversionKey,
        ];
        ALL.into_iter().find(|noun| noun.kind(Engine::of_kind(kind)) == kind)
    }
}

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

/// A table or an input, text or an array, which is given piece by piece to whoever parses it.
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

    /// Whether it begins with these bytes, which stay there to be read; once one differs, no more is waited for.
    pub(crate) fn begins_with(&mut self, start: &[u8]) -> Result<bool, CliError> {
        let mut found = Vec::new();
        while found != start && start.starts_with(&found) {
            match (&mut self.input).take(1).read_to_end(&mut found) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return Err(CliError::io("read", &self.path, &error)),
            }
        }
        let is_start = found == start;
        let rest = std::mem::replace(&mut self.input, Box::new(io::empty()));
        self.input = Box::new(Cursor::new(found).chain(rest));
        Ok(is_start)
    }

    /// The first line, or as much of it as is read at once; it stays there to be read.
    pub(crate) fn first_line(&mut self) -> Result<Vec<u8>, CliError> {
        let mut line = Vec::new();
        let read = (&mut self.input).take(PIECE as u64).read_until(b'\n', &mut line);
        read.map_err(|error| CliError::io("read", &self.path, &error))?;
        let rest = std::mem::replace(&mut self.input, Box::new(io::empty()));
        self.input = Box::new(Cursor::new(line.clone()).chain(rest));
        Ok(line)
    }

    /// Refuses text of UTF-16, by its mark; `or` is what else there is to do.
    pub(crate) fn refuse_utf16(&mut self, or: &str) -> Result<(), CliError> {
        match self.begins_with(b"\xff\xfe")? || self.begins_with(b"\xfe\xff")? {
            true => Err(CliError::at(&self.path, format!("it begins as text of UTF-16: write it as UTF-8{or}"))),
            false => Ok(()),
        }
    }

    /// Refuses what `zip`, `gzip` and `numpy.savez` write, by its first bytes.
    pub(crate) fn refuse_packed(&mut self) -> Result<(), CliError> {
        match self.begins_with(b"PK\x03\x04")? || self.begins_with(b"\x1f\x8b")? {
            true => Err(CliError::at(
                &self.path,
                "it begins like an archive (zip, npz or gzip): unpack it, an array as .npy, or give --bytes to take \
                 its bytes as the values",
            )),
            false => Ok(()),
        }
    }

    /// Skips the mark with which some editors begin text of UTF-8.
    pub(crate) fn skip_mark(&mut self) -> Result<(), CliError> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if self.begins_with(MARK)? {
            self.input.consume(MARK.len());
        }
        Ok(())
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

/// The text for a parser of streams, which is told of an end that came too late.
impl Read for Text {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(out)?;
        let limit = report::size(TEXT_LIMIT);
        let too_large = || io::Error::other(format!("it has more than {limit}, the most that is read: split it"));
        self.left = self.left.checked_sub(count as u64).ok_or_else(too_large)?;
        Ok(count)
    }
}

impl Text {
    /// A file with this content, of which so many bytes are read at once.
    pub(crate) fn of_bytes(path: &str, content: Vec<u8>, piece: usize) -> Self {
        let input = Box::new(BufReader::with_capacity(piece.max(1), Cursor::new(content)));
        Self { path: path.into(), input, left: TEXT_LIMIT }
    }
}

#[cfg(test)]
impl Text {
    /// A file with this content.
    pub(crate) fn of(path: &str, content: &[u8]) -> Self {
        Self::of_bytes(path, content.to_vec(), PIECE)
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

/// Files of so many bytes are read once more to find out whether they are damaged, which takes a second at most.
const VERIFIED_AGAIN: u64 = 1 << 28;

/// The damage of a refused file, if its checksum tells any; nothing of pipes, which cannot be read again.
fn damage(file: &File, kind: ObjectKind, bytes: u64) -> Option<wire::WireError> {
    struct FromStart<'a>(&'a File, u64);
    impl Read for FromStart<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read_at(out, self.1)?;
            self.1 += count as u64;
            Ok(count)
        }
    }
    if bytes > VERIFIED_AGAIN {
        return None;
    }
    let again = StreamReader::new(BufReader::with_capacity(PIECE, FromStart(file, 0)), kind);
    match again.and_then(StreamReader::finish_unread) {
        Err(StreamError::Wire(error @ wire::WireError::Checksum { .. })) => Some(error),
        _ => None,
    }
}

impl Sealed {
    /// Opens a file and checks its header, and its length if it has one, which costs nothing.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let (mut file, size) = open(path)?;
        // Not through the buffer, which would keep a copy of a whole client key.
        let mut start = Vec::with_capacity(wire::HEADER_BYTES);
        let read = file.by_ref().take(wire::HEADER_BYTES as u64).read_to_end(&mut start);
        read.map_err(|error| CliError::io("read", path, &error))?;
        let refused = |error: wire::WireError| CliError::of(path, error.into());
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

    /// Refuses what is something else.
    pub(crate) fn expect(&self, noun: Noun) -> Result<(), CliError> {
        let (found, expected) = (self.header.kind, noun.kind(self.engine()));
        if found == expected {
            return Ok(());
        }
        self.check_undamaged()?;
        Err(CliError::at(&self.path, wire::WireError::WrongKind { found, expected }))
    }

    /// Refuses what is no key to encrypt with.
    pub(crate) fn expect_encryptor(&self) -> Result<(), CliError> {
        let kind = self.header.kind;
        if matches!(Noun::of(kind), Some(Noun::ClientKey | Noun::PublicKey)) {
            return Ok(());
        }
        self.check_undamaged()?;
        let [client, public] = [Noun::ClientKey, Noun::PublicKey].map(|noun| noun.kind(self.engine()));
        Err(CliError::at(
            &self.path,
            format!(
                "it is {}, but {} or {} was expected: give the right file here",
                kind.with_article(),
                client.with_article(),
                public.with_article()
            ),
        ))
    }

    /// Refuses a file whose checksum tells that it is damaged: its header may then say what nobody wrote.
    pub(crate) fn check_undamaged(&self) -> Result<(), CliError> {
        let damage = damage(self.input.get_ref().1.get_ref(), self.header.kind, self.bytes);
        damage.map_or(Ok(()), |error| Err(CliError::at(&self.path, error)))
    }

    /// The engine that it belongs to.
    pub(crate) fn engine(&self) -> Engine {
        Engine::of_kind(self.header.kind)
    }

    /// The name of its parameter set, which is early in the payload, unless it comes from a pipe.
    pub(crate) fn set_name(&self) -> Option<String> {
        let mut start = [0; NAMED_WITHIN];
        // Past what is read already, and without moving on.
        let read = self.input.get_ref().1.get_ref().read_at(&mut start, wire::HEADER_BYTES as u64).ok()?;
        Params::name_in(self.header.kind, &start[..read])
    }

    /// Refuses what announces more than there is memory for.
    pub(crate) fn check_memory(&self, memory: Option<u64>) -> Result<(), CliError> {
        let available = [memory, bootes::available_memory()].into_iter().flatten().min().unwrap_or(u64::MAX);
        self.check_size(available, "there is memory for")
    }

    fn check_size(&self, limit: u64, why: &str) -> Result<(), CliError> {
        if self.bytes <= limit {
            return Ok(());
        }
        let (found, limit) = (report::needed(self.bytes), report::room(limit));
        Err(CliError::at(&self.path, format!("it has {found} by its header, more than the {limit} that {why}")))
    }

    /// Reads the object that is all of the file: what is too long is noticed.
    pub(crate) fn object<T>(self, read: impl FnOnce(&mut dyn Read) -> Result<T, Error>) -> Result<T, Error> {
        let (bytes, kind, mut input) = (self.bytes, self.header.kind, self.input);
        let read = read(&mut input);
        // Of a damaged file that is what there is to say, whatever field shows it first.
        let damage = |error| match error {
            Error::Memory { .. } | Error::CiphertextMemory { .. } => error,
            error => damage(input.get_ref().1.get_ref(), kind, bytes).map_or(error, Error::from),
        };
        let object = read.map_err(damage)?;
        match input.fill_buf().map_err(StreamError::Io)?.len() {
            0 => Ok(object),
            more => Err(wire::WireError::TooLong { found: bytes + more as u64, expected: bytes }.into()),
        }
    }

    /// All bytes, and one more if there is one.
    pub(crate) fn read_all(self) -> Result<Vec<u8>, CliError> {
        let mut bytes = self.read_within(None)?;
        Ok(std::mem::take(&mut *bytes))
    }

    /// A client key: a few hundred bytes, in a buffer that does not grow and so leaves no copies behind.
    pub(crate) fn read_client_key(self) -> Result<Zeroizing<Vec<u8>>, CliError> {
        self.read_within(Some(CLIENT_KEY_LIMIT))
    }

    /// All bytes, of a client key `limit` at most.
    fn read_within(self, limit: Option<u64>) -> Result<Zeroizing<Vec<u8>>, CliError> {
        match limit {
            Some(limit) => self.check_size(limit, "a client key has")?,
            None => self.check_memory(None)?,
        }
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
}
