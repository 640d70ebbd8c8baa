//! Where a path leads that is written to.
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bootes_lattice::wire::{self, HEADER_BYTES, ObjectKind};

/// As many links are followed as Linux follows.
const MOST_LINKS: usize = 40;

/// What a path is that is written to.
#[derive(Debug)]
pub enum Place {
    /// A regular file, new or to be replaced by another of these permissions; no link leads to this name.
    File {
        /// Its name in a directory without links.
        name: PathBuf,
        /// Those of the file that is there.
        permissions: Option<Permissions>,
    },
    /// An open file of this process, by its number.
    Descriptor(u32),
    /// A pipe or a device: written where it is, never cut off or replaced.
    Stream,
}

/// What `path` is; symbolic links are followed, whether there is a file behind them or not.
///
/// # Errors
/// Those of the system, for a directory too; for a name that a directory alone has; and for a file that is read-only.
pub fn of(path: &Path) -> io::Result<Place> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(number) = descriptor(path) {
        return Ok(Place::Descriptor(number));
    }
    let Some(metadata) = metadata else {
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.is_empty() {
            return Err(io::Error::other("a name with no letter; give a file name to write"));
        }
        if path.file_name().is_none() || bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
            return Err(io::Error::other("it names a directory, and there is none; give a file name to write"));
        }
        return Ok(Place::File { name: resolve(path)?, permissions: None });
    };
    if !metadata.is_file() {
        return Ok(Place::Stream);
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::other("it exists and is read-only; remove it or write elsewhere"));
    }
    Ok(Place::File { name: fs::canonicalize(path)?, permissions: Some(metadata.permissions()) })
}

/// Opens what is no regular file, or one that is open, for writing at its end, if it has one.
///
/// # Errors
/// Those of the system.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// The kind of the object in this file, by its header.
pub fn kind_of(name: &Path) -> Option<ObjectKind> {
    let mut start = Vec::with_capacity(HEADER_BYTES);
    File::open(name).ok()?.take(HEADER_BYTES as u64).read_to_end(&mut start).ok()?;
    wire::peek(&start).ok().map(|(header, _)| header.kind)
}

/// The directory of a path, without links, and the name there.
fn split(path: &Path) -> io::Result<(PathBuf, &OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    Ok((fs::canonicalize(directory)?, name))
}

/// The path that symbolic links lead to from `path`, whether there is a file or not; stops at a descriptor.
///
/// # Errors
/// Those of the system.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let (directory, name) = split(&path)?;
        let whole = directory.join(name);
        match fs::read_link(&whole) {
            Ok(link) if !is_descriptors(&directory) => path = directory.join(link),
            _ => return Ok(whole),
        }
    }
    Err(io::Error::other("too many symbolic links lead to each other"))
}

/// Whether a directory is the one of this process' open files.
fn is_descriptors(directory: &Path) -> bool {
    directory == Path::new(&format!("/proc/{}/fd", std::process::id())) || directory == Path::new("/dev/fd")
}

/// The open file of this process that `path` stands for, as `/dev/stdout` does.
pub fn descriptor(path: &Path) -> Option<u32> {
    let whole = resolve(path).ok()?;
    let is_one = whole.parent().is_some_and(is_descriptors);
    whole.file_name().filter(|_| is_one).and_then(|name| name.to_str()?.parse().ok())
}
