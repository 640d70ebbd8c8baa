//! Objects on disk and on streams.
use crate::Error;
use bootes_lattice::wire::{self, HEADER_BYTES, Header, OVERHEAD_BYTES, StreamError, WireError};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

pub mod unnamed;

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

/// Reads bytes that hold one object and nothing else.
pub(crate) fn from_bytes<T>(mut bytes: &[u8], read: impl FnOnce(&mut &[u8]) -> Result<T, Error>) -> Result<T, Error> {
    let object = read(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Ok(object),
        count => Err(WireError::TrailingBytes { count }.into()),
    }
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

/// The way to bytes and files of an object that has `stored_bytes`, `write` and `read`.
macro_rules! in_files {
    ($object:ident, $what:literal) => {
        impl $object {
            /// The bytes of its file.
            ///
            /// # Errors
            /// As [`Self::write`].
            pub fn to_bytes(&self) -> Result<Vec<u8>, $crate::Error> {
                self.write(Vec::with_capacity(self.stored_bytes() as usize))
            }

            #[doc = concat!($what, " from the bytes of a file and nothing else.")]
            ///
            /// # Errors
            /// As [`Self::read`]; [`Error::Wire`](crate::Error::Wire) for bytes behind it.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, $crate::Error> {
                $crate::files::from_bytes(bytes, |bytes| Self::read(bytes))
            }

            /// Writes it to a file.
            ///
            /// # Errors
            /// [`Error::File`](crate::Error::File): what was there is there still.
            pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<(), $crate::Error> {
                $crate::files::save(path.as_ref(), |out| self.write(out).map(drop))
            }

            #[doc = concat!($what, " from a file of [`Self::save`].")]
            ///
            /// # Errors
            /// [`Error::File`](crate::Error::File); [`Error::InFile`](crate::Error::InFile) with what [`Self::read`]
            /// says.
            pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, $crate::Error> {
                $crate::files::load(path.as_ref(), |file| Self::read(file))
            }
        }
    };
}

pub(crate) use in_files;

/// Writes a file whole, or leaves what was there as it was.
pub(crate) fn save(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Error>) -> Result<(), Error> {
    let temporary = Temporary::beside(path, false)?;
    let mut out = BufWriter::new(&temporary.file);
    write(&mut out)?;
    out.into_inner().map_err(|error| at(path, error.into_error()))?;
    temporary.name(path)
}

/// The same of bytes that only the owner reads.
pub(crate) fn save_secret(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let temporary = Temporary::beside(path, true)?;
    (&temporary.file).write_all(bytes).map_err(|error| at(path, error))?;
    temporary.name(path)
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

/// The refusal of an object, or a failure to read it, with the path of its file.
pub(crate) fn within(path: &Path, error: Error) -> Error {
    match error {
        Error::Stream(StreamError::Io(source)) => at(path, source),
        error => Error::InFile { path: path.display().to_string(), source: Box::new(error) },
    }
}

/// A temporary file, which is gone when it is dropped unless it was given its name.
struct Temporary {
    file: File,
    /// Its name meanwhile, if it has to have one.
    temporary: Option<PathBuf>,
}

impl Temporary {
    /// A new file, readable by its owner only if it is secret; somebody else's is left alone.
    fn beside(path: &Path, secret: bool) -> Result<Self, Error> {
        let mode = if secret { 0o600 } else { 0o666 };
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        if let Ok(file) = unnamed::create(directory.unwrap_or(Path::new(".")), mode) {
            return Ok(Self { file, temporary: None });
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        let (name, file) = at_free_name(path, |name| options.open(name))?;
        Ok(Self { file, temporary: Some(name) })
    }

    /// Gives the file its name, once it is safe on disk. One without a name has a temporary one for the moment between
    /// two calls of the system where it takes the place of another: no call does both.
    fn name(mut self, path: &Path) -> Result<(), Error> {
        self.file.sync_all().map_err(|error| at(path, error))?;
        if self.temporary.is_none() {
            match unnamed::link(&self.file, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                linked => return linked.map_err(|error| at(path, error)),
            }
        }
        let name = match self.temporary.take() {
            Some(name) => name,
            None => at_free_name(path, |name| unnamed::link(&self.file, name))?.0,
        };
        std::fs::rename(self.temporary.insert(name), path).map_err(|error| at(path, error))?;
        self.temporary = None;
        Ok(())
    }
}

/// Does something at a name beside `path` that nothing has.
fn at_free_name<T>(path: &Path, make: impl Fn(&Path) -> io::Result<T>) -> Result<(PathBuf, T), Error> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let name = path.with_file_name(format!(".bootes-{number:016x}.part"));
        match make(&name) {
            Ok(made) => return Ok((name, made)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(at(path, error)),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(name) = &self.temporary {
            let _ = std::fs::remove_file(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the file system has files without names, nobody sees a file before it is whole, nor what is left of one.
    #[test]
    fn files_are_there_whole_or_not_at_all() -> Result<(), Error> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let names = || std::fs::read_dir(directory.path()).expect("a directory").count();
        let path = directory.path().join("a");
        let has_unnamed = unnamed::create(directory.path(), 0o600).is_ok();
        for (text, before) in [("one", 0), ("another", 1)] {
            save(&path, |out| {
                assert!(names() == before || !has_unnamed);
                out.write_all(text.as_bytes()).map_err(|error| at(&path, error))
            })?;
            assert_eq!((std::fs::read_to_string(&path).expect("a file").as_str(), names()), (text, 1));
        }
        save(&path, |_| Err(Error::NoValues)).unwrap_err();
        assert_eq!((std::fs::read_to_string(&path).expect("a file").as_str(), names()), ("another", 1));
        std::fs::remove_file(&path).and_then(|()| std::fs::create_dir(&path)).expect("a directory");
        save_secret(&path, b"secret").unwrap_err();
        assert_eq!(names(), 1);
        Ok(())
    }
}
