//! Objects on disk and on streams.
use crate::Error;
use bootes_lattice::wire::{self, HEADER_BYTES, Header, OVERHEAD_BYTES, StreamError, WireError};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A stream whose header was read, from the header on to the end of the object.
pub(crate) type Peeked<R> = io::Chain<io::Cursor<Vec<u8>>, io::Take<R>>;

/// An object's header, read from a stream, its length, and the stream with the header before it again, up to its end.
pub(crate) fn peek<R: Read>(mut input: R) -> Result<(Header, u64, Peeked<R>), Error> {
    let mut head = Vec::with_capacity(HEADER_BYTES);
    Read::take(&mut input, HEADER_BYTES as u64).read_to_end(&mut head).map_err(StreamError::Io)?;
    let (header, payload) = wire::peek(&head)?;
    let total = payload.saturating_add(OVERHEAD_BYTES as u64);
    let rest = input.take(total - HEADER_BYTES as u64);
    Ok((header, total, io::Cursor::new(head).chain(rest)))
}

/// Reads a file that holds one object and nothing else.
pub(crate) fn load<T>(path: &Path, read: impl FnOnce(&mut BufReader<File>) -> Result<T, Error>) -> Result<T, Error> {
    let mut file = File::open(path).map(BufReader::new).map_err(|error| at(path, error))?;
    let object = read(&mut file).map_err(|error| within(path, error))?;
    match file.fill_buf().map_err(|error| at(path, error))?.len() {
        0 => Ok(object),
        more => {
            let length = file.stream_position().map_err(|error| at(path, error))?;
            Err(within(path, WireError::TooLong { found: length + more as u64, expected: length }.into()))
        }
    }
}

/// Writes a file whole, or leaves what was there as it was.
pub(crate) fn save(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>) -> Result<(), Error> {
    let (file, temporary) = Temporary::beside(path, false)?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.into_inner().map_err(|error| at(path, error.into_error())).and_then(|file| temporary.rename(&file, path))
}

/// The same of bytes that only the owner reads.
pub(crate) fn save_secret(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let (mut file, temporary) = Temporary::beside(path, true)?;
    file.write_all(bytes).map_err(|error| at(path, error))?;
    temporary.rename(&file, path)
}

/// A small file, in a buffer that is wiped.
pub(crate) fn read_secret(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut file = File::open(path).map_err(|error| at(path, error))?;
    // A growing buffer would leave copies.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_SECRET_BYTES + 1));
    Read::take(&mut file, MAX_SECRET_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| at(path, error))?;
    Ok(bytes)
}

/// More than a client key has.
const MAX_SECRET_BYTES: usize = 4095;

fn at(path: &Path, source: io::Error) -> Error {
    Error::File { path: path.display().to_string(), source }
}

/// What is refused of the object in a file, or kept from being read.
pub(crate) fn within(path: &Path, error: Error) -> Error {
    match error {
        Error::Stream(StreamError::Io(source)) => at(path, source),
        error => Error::InFile { path: path.display().to_string(), source: Box::new(error) },
    }
}

/// A temporary file, which is gone when it is dropped unless it was renamed.
struct Temporary(PathBuf);

impl Temporary {
    /// A new file, readable by its owner only if it is secret; somebody else's is left alone.
    fn beside(path: &Path, secret: bool) -> Result<(File, Self), Error> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if secret { 0o600 } else { 0o666 });
        loop {
            let number = RandomState::new().build_hasher().finish();
            let name = path.with_file_name(format!(".bootes-{number:016x}.part"));
            match options.open(&name) {
                Ok(file) => return Ok((file, Self(name))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(at(path, error)),
            }
        }
    }
}

impl Temporary {
    /// Gives the file its name, once it is safe on disk.
    fn rename(self, file: &File, path: &Path) -> Result<(), Error> {
        file.sync_all().and_then(|()| std::fs::rename(&self.0, path)).map_err(|error| at(path, error))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
