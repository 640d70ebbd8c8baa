//! Objects on disk and on streams.
use crate::Error;
use bootes_lattice::wire::{self, HEADER_BYTES, Header, OVERHEAD_BYTES, ObjectKind, StreamError, WireError};
#[cfg(target_os = "linux")]
use bootes_lut::planning;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

pub mod place;
pub mod unnamed;

use place::Place;

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

/// What a file is to hold.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Content {
    Key,
    Values,
}

/// The way to bytes and files of an object that has `stored_bytes`, `write` and `read`.
macro_rules! in_files {
    ($object:ident, $what:literal, $content:expr) => {
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
                $crate::files::save(path.as_ref(), $content, |out| self.write(out).map(drop))
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

/// Writes a file whole, or leaves what was there as it was, with the permissions of what it replaces; a symbolic link
/// goes on leading to it. A pipe or a device is written as it is. A client key stays, and so does any key that values
/// would replace.
pub(crate) fn save(
    path: &Path,
    content: Content,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |error| at(path, error);
    let put = |file: &File| {
        let mut out = BufWriter::new(file);
        write(&mut out).map_err(|error| match error {
            Error::Stream(StreamError::Io(source)) => at(path, source),
            error => error,
        })?;
        out.into_inner().map(drop).map_err(|error| at(path, error.into_error()))
    };
    let Place::File { name, permissions } = place::of(path).map_err(failed)? else { return put(&open(path)?) };
    use ObjectKind::{BfvClientKey, CkksClientKey, ClientKey};
    let lost = match place::kind_of(&name) {
        Some(ClientKey | CkksClientKey | BfvClientKey) => "a client key, which nothing else replaces",
        Some(kind) if kind.is_key() && content == Content::Values => "a key, which only keys replace",
        _ => "",
    };
    if !lost.is_empty() {
        return Err(at(path, io::Error::other(format!("it is {lost}: write elsewhere, or remove it first"))));
    }
    // Nobody opens it before it has the permissions of what it replaces.
    let temporary = Temporary::beside(&name, permissions.is_some()).map_err(failed)?;
    if let Some(permissions) = permissions {
        temporary.file.set_permissions(permissions).map_err(failed)?;
    }
    put(&temporary.file)?;
    temporary.name(&name).map_err(failed)
}

/// The same of bytes that only the owner reads, in a file.
pub(crate) fn save_secret(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| at(path, error);
    let Place::File { name, .. } = place::of(path).map_err(failed)? else {
        return (&open(path)?).write_all(bytes).map_err(failed);
    };
    let temporary = Temporary::beside(&name, true).map_err(failed)?;
    (&temporary.file).write_all(bytes).map_err(failed)?;
    temporary.name(&name).map_err(failed)
}

/// Opens what is no regular file. A pipe that nobody reads is waited for, unless that is no longer wanted.
fn open(path: &Path) -> Result<File, Error> {
    #[cfg(target_os = "linux")]
    if std::fs::metadata(path).is_ok_and(|metadata| std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())) {
        use rustix::fs::{Mode, OFlags, fcntl_setfl};
        loop {
            planning::wanted()?;
            match rustix::fs::open(path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
                Err(rustix::io::Errno::NXIO) => std::thread::sleep(WAIT),
                opened => {
                    let file = opened.and_then(|file| fcntl_setfl(&file, OFlags::empty()).map(|()| file));
                    return file.map(File::from).map_err(|error| at(path, error.into()));
                }
            }
        }
    }
    place::open(path).map_err(|error| at(path, error))
}

/// How often it is looked for somebody who reads a pipe.
#[cfg(target_os = "linux")]
const WAIT: std::time::Duration = std::time::Duration::from_millis(10);

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
    fn beside(path: &Path, secret: bool) -> io::Result<Self> {
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
    fn name(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        if self.temporary.is_none() {
            match unnamed::link(&self.file, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                linked => return linked,
            }
        }
        let name = match self.temporary.take() {
            Some(name) => name,
            None => at_free_name(path, |name| unnamed::link(&self.file, name))?.0,
        };
        std::fs::rename(self.temporary.insert(name), path)?;
        self.temporary = None;
        Ok(())
    }
}

/// Does something at a name beside `path` that nothing has.
fn at_free_name<T>(path: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let name = path.with_file_name(format!(".bootes-{number:016x}.part"));
        match make(&name) {
            Ok(made) => return Ok((name, made)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
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
            save(&path, Content::Values, |out| {
                assert!(names() == before || !has_unnamed);
                out.write_all(text.as_bytes()).map_err(|error| at(&path, error))
            })?;
            assert_eq!((std::fs::read_to_string(&path).expect("a file").as_str(), names()), (text, 1));
        }
        save(&path, Content::Values, |_| Err(Error::NoValues)).unwrap_err();
        assert_eq!((std::fs::read_to_string(&path).expect("a file").as_str(), names()), ("another", 1));
        std::fs::remove_file(&path).and_then(|()| std::fs::create_dir(&path)).expect("a directory");
        save_secret(&path, b"secret").unwrap_err();
        assert_eq!(names(), 1);
        Ok(())
    }

    /// A link goes on leading to the file, and what is no file stays what it is; files keep their permissions, and keys
    /// of clients are the owner's.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_take_no_other_place() -> Result<(), Box<dyn std::error::Error>> {
        use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
        use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
        let directory = tempfile::tempdir()?;
        let path = |name: &str| directory.path().join(name);
        let mode = |name: &str| Ok::<_, io::Error>(path(name).metadata()?.permissions().mode() & 0o777);
        let put = |path: &Path, text: &str| {
            save(path, Content::Values, |out| out.write_all(text.as_bytes()).map_err(|e| at(path, e)))
        };
        // Links, one of which leads to another, and one to nothing yet.
        for (link, to) in [("link", "file"), ("chain", "link"), ("ahead", "new")] {
            symlink(to, path(link))?;
        }
        std::fs::write(path("file"), "old")?;
        std::fs::set_permissions(path("file"), std::fs::Permissions::from_mode(0o640))?;
        put(&path("chain"), "one")?;
        assert_eq!((std::fs::read_to_string(path("file"))?.as_str(), mode("file")?), ("one", 0o640));
        save_secret(&path("ahead"), b"two")?;
        assert_eq!((std::fs::read_to_string(path("new"))?.as_str(), mode("new")?), ("two", 0o600));
        save_secret(&path("link"), b"three")?;
        assert_eq!((std::fs::read_to_string(path("file"))?.as_str(), mode("file")?), ("three", 0o600));
        assert!(["link", "chain", "ahead"].iter().all(|link| path(link).is_symlink()));
        symlink("loop", path("loop"))?;
        put(&path("loop"), "four").unwrap_err();
        // What is read-only, and a key, stay.
        std::fs::set_permissions(path("file"), std::fs::Permissions::from_mode(0o440))?;
        assert!(put(&path("link"), "five").unwrap_err().to_string().contains("read-only"));
        let client = crate::Client::generate(&crate::Params::named("toy_4")?)?;
        client.save(path("key"))?;
        client.save(path("key"))?;
        let error = client.encrypt([1])?.save(path("key")).unwrap_err().to_string();
        assert!(error.contains("it is a client key") && mode("key")? == 0o600, "{error}");
        crate::Client::load(path("key"))?;
        // A pipe, whose reader comes late.
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0)?;
        for secret in [false, true] {
            let reader = std::thread::spawn({
                let path = path("pipe");
                move || {
                    std::thread::sleep(3 * WAIT);
                    std::fs::read_to_string(path)
                }
            });
            match secret {
                true => save_secret(&path("pipe"), b"secret")?,
                false => put(&path("pipe"), &"long".repeat(1 << 16))?,
            }
            let read = reader.join().expect("a reader")?;
            assert_eq!(read, if secret { "secret".into() } else { "long".repeat(1 << 16) });
        }
        assert!(path("pipe").metadata()?.file_type().is_fifo());
        // Whoever waits for a reader may stop.
        let cancel = crate::Cancel::new();
        cancel.cancel();
        let ended = crate::planner::watched(&cancel, |_| (), || put(&path("pipe"), "six"));
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
        // Devices, where they may be made: what takes all, and what is full.
        for (name, number) in [("null", 3), ("full", 7)] {
            if mknodat(CWD, path(name), FileType::CharacterDevice, Mode::from_raw_mode(0o600), makedev(1, number))
                .is_err()
                || OpenOptions::new().append(true).open(path(name)).is_err()
            {
                continue;
            }
            for found in [put(&path(name), "seven"), save_secret(&path(name), b"eight")] {
                match found {
                    Ok(()) => assert_eq!(name, "null"),
                    Err(Error::File { source, .. }) => {
                        assert_eq!((name, source.kind()), ("full", io::ErrorKind::StorageFull));
                    }
                    other => panic!("{other:?}"),
                }
            }
            let metadata = path(name).metadata()?;
            assert!(metadata.file_type().is_char_device() && metadata.rdev() == makedev(1, number));
        }
        Ok(())
    }
}
