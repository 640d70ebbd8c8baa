//! Reading and writing files so that nothing is ever half-written.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufReader, BufWriter, Chain, Cursor, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use bootes::Params;
use bootes::wire::{self, Header, ObjectKind};
use zeroize::Zeroizing;

use crate::error::CliError;

/// The most that is read from a pipe or a device, whose size is not known before.
const STREAM_LIMIT: u64 = 1 << 30;

/// The most that a file of integers may have: enough for any table and for millions of values.
const TEXT_LIMIT: u64 = 1 << 28;

/// An open file and how much it holds.
struct Source {
    file: File,
    /// `None` for a pipe or a device.
    size: Option<u64>,
}

fn open(path: &Path) -> Result<Source, CliError> {
    let failed = |error: io::Error| CliError::io("read", path, &error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Source { size: metadata.is_file().then_some(metadata.len()), file })
}

impl Source {
    /// The rest of the file after `start`, which was read before; never allocates more than the file's size warrants.
    fn read_on(self, path: &Path, start: &[u8], limit: u64) -> Result<Zeroizing<Vec<u8>>, CliError> {
        let too_large =
            |size: &str| CliError::at(path, format!("it has {size} bytes: at most {limit} can be read; split it"));
        // /proc and the like call themselves empty regular files, so a size is a promise only if it is not 0.
        let (capacity, limit) = match self.size {
            Some(size) if size > limit => return Err(too_large(&size.to_string())),
            Some(size) if size > 0 => (size, limit),
            _ => (0, limit.min(STREAM_LIMIT)),
        };
        let failed = |error: io::Error| CliError::io("read", path, &error);
        let mut bytes = Zeroizing::new(Vec::new());
        let capacity = usize::try_from(capacity).unwrap_or(usize::MAX);
        // One more byte, so that the read which finds the end does not grow the buffer.
        bytes.try_reserve_exact(capacity.saturating_add(1)).map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        bytes.extend_from_slice(start);
        (&self.file).take(limit + 1 - start.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(&format!("more than {limit}")));
        }
        Ok(bytes)
    }
}

/// Reads a text file, table or input.
pub(crate) fn read_text(path: &Path) -> Result<Zeroizing<Vec<u8>>, CliError> {
    let bytes = open(path)?.read_on(path, &[], TEXT_LIMIT)?;
    if bytes.is_empty() {
        return Err(CliError::at(path, "it is empty (0 bytes): expected integers"));
    }
    Ok(bytes)
}

/// The envelope of a key or of ciphertexts: bytes that still are to be parsed, and what their header says.
///
/// Wiped from memory when dropped, for it may be a client key.
#[derive(Debug)]
pub(crate) struct Object {
    /// Header of the envelope.
    pub(crate) header: Header,
    /// The parameters it was made with.
    pub(crate) params: Params,
    /// The whole file.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

/// Opens a key or ciphertexts and checks its header, its kind and its length, which cost nothing.
fn open_object(path: &Path, expected: Option<ObjectKind>) -> Result<(Source, Vec<u8>, Header), CliError> {
    let source = open(path)?;
    let mut start = Vec::with_capacity(wire::HEADER_BYTES);
    (&source.file)
        .take(wire::HEADER_BYTES as u64)
        .read_to_end(&mut start)
        .map_err(|error| CliError::io("read", path, &error))?;
    let refused = |error: wire::WireError| CliError::at(path, error);
    let (header, payload_bytes) = wire::peek(&start).map_err(refused)?;
    if let Some(expected) = expected
        && header.kind != expected
    {
        return Err(refused(wire::WireError::WrongKind { found: header.kind, expected }));
    }
    if let Some(found) = source.size {
        let announced = payload_bytes.saturating_add(wire::OVERHEAD_BYTES as u64);
        if found < announced {
            return Err(refused(wire::WireError::Truncated { found, expected: announced }));
        }
        if found > announced {
            return Err(refused(wire::WireError::TooLong { found, expected: announced }));
        }
    }
    Ok((source, start, header))
}

/// A key or ciphertexts to be read piece by piece.
pub(crate) struct Stream {
    /// Header of the envelope.
    pub(crate) header: Header,
    /// Bytes of the whole file, if it is one.
    pub(crate) size: Option<u64>,
    /// From its first byte on.
    pub(crate) input: Chain<Cursor<Vec<u8>>, BufReader<File>>,
}

/// Opens a key or ciphertexts of the batch engine; the header is checked.
pub(crate) fn open_stream(path: &Path, expected: ObjectKind) -> Result<Stream, CliError> {
    let (source, start, header) = open_object(path, Some(expected))?;
    let input = Cursor::new(start).chain(BufReader::with_capacity(1 << 20, source.file));
    Ok(Stream { header, size: source.size, input })
}

/// What a key or ciphertexts are; `None` for a stream, whose first bytes can be read only once.
pub(crate) fn kind(path: &Path) -> Result<Option<ObjectKind>, CliError> {
    let about = fs::metadata(path).map_err(|error| CliError::io("read", path, &error))?;
    if !about.is_file() {
        return Ok(None);
    }
    open_object(path, None).map(|(_, _, header)| Some(header.kind))
}

/// Reads a key or ciphertexts. The header is checked before the rest is read, so that a wrong file costs nothing; the
/// content is checked by whoever parses it.
pub(crate) fn read_object(path: &Path, expected: ObjectKind) -> Result<Object, CliError> {
    read_any_object(path, Some(expected))
}

/// [`read_object`] of whatever kind it is.
pub(crate) fn read_any_object(path: &Path, expected: Option<ObjectKind>) -> Result<Object, CliError> {
    let (source, start, header) = open_object(path, expected)?;
    let Some(params) = Params::all().into_iter().find(|set| set.fingerprint() == header.fingerprint) else {
        let fingerprint = short_hex(&header.fingerprint);
        return Err(CliError::at(
            path,
            format!(
                "its parameters (fingerprint {fingerprint}) are none of this program's: use the release that wrote it, or copy \
                 or write it again if it is damaged"
            ),
        ));
    };
    let limit = if source.size.is_some() { u64::MAX - 1 } else { STREAM_LIMIT };
    let bytes = source.read_on(path, &start, limit)?;
    Ok(Object { header, params, bytes })
}

/// [`check_match`] of the batch engine: the same refusals, without the names of the sets.
pub(crate) fn check_headers(key_path: &Path, key: &Header, path: &Path, found: &Header) -> Result<(), CliError> {
    let (key_path, what) = (key_path.display(), "use the key pair they were made with");
    if key.fingerprint != found.fingerprint {
        return Err(CliError::at(path, format!("the ciphertexts have other parameters than {key_path}: {what}")));
    }
    if key.key_id != found.key_id {
        let (found, expected) = (short_hex(&found.key_id), short_hex(&key.key_id));
        let message = format!("the ciphertexts belong to another key ({found}) than {key_path} ({expected}): {what}");
        return Err(CliError::at(path, message));
    }
    Ok(())
}

/// Refuses ciphertexts that do not belong to a key, by both headers and before any long work.
pub(crate) fn check_match(key_path: &Path, key: &Object, path: &Path, ciphertexts: &Object) -> Result<(), CliError> {
    let key_path = key_path.display();
    if key.header.fingerprint != ciphertexts.header.fingerprint {
        let (found, expected) = (ciphertexts.params.name(), key.params.name());
        return Err(CliError::at(
            path,
            format!(
                "the ciphertexts have other parameters ({found}) than {key_path} ({expected}): use the key pair they were \
                 made with"
            ),
        ));
    }
    if key.header.key_id != ciphertexts.header.key_id {
        let (found, expected) = (short_hex(&ciphertexts.header.key_id), short_hex(&key.header.key_id));
        return Err(CliError::at(
            path,
            format!(
                "the ciphertexts belong to another key ({found}) than {key_path} ({expected}): use the key pair they were \
                 made with"
            ),
        ));
    }
    Ok(())
}

/// The first eight hexadecimal digits: enough for a person to tell two keys apart.
pub(crate) fn short_hex(bytes: &[u8; 16]) -> String {
    bytes[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All of them.
pub(crate) fn hex(bytes: &[u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever the umask allows; a file that is replaced keeps its permissions.
    Public,
    /// The owner only, from the moment it exists.
    Owner,
}

/// Where a file will be written.
enum Target {
    /// A regular file, new or to be replaced: by a temporary file beside it and a rename.
    File { path: PathBuf, permissions: Option<Permissions> },
    /// A pipe or a device: written directly, never replaced.
    Stream(PathBuf),
}

fn target(path: &Path, access: Access) -> Result<Target, CliError> {
    let failed = |error: io::Error| CliError::io("write", path, &error);
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if path.file_name().is_none() {
                return Err(CliError::at(path, "it names no file; give a file name to write"));
            }
            return Ok(Target::File { path: path.to_path_buf(), permissions: None });
        }
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Ok(Target::Stream(path.to_path_buf()));
    }
    if metadata.permissions().readonly() {
        return Err(CliError::new(format!(
            "cannot write {}: it exists and is read-only; remove it or write elsewhere",
            path.display()
        )));
    }
    // Through a symbolic link, the file it leads to is replaced, not the link.
    let path = fs::canonicalize(path).map_err(failed)?;
    let permissions = (access == Access::Public).then(|| metadata.permissions());
    Ok(Target::File { path, permissions })
}

/// Makes a temporary file in the directory of `path`.
fn temporary(path: &Path, access: Access) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let directory = match path.parent() {
        Some(parent) if parent != OsStr::new("") => parent,
        _ => Path::new("."),
    };
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = directory.join(format!(".bootes-{}-{number}.tmp", std::process::id()));
        let mode = if access == Access::Owner { 0o600 } else { 0o666 };
        match OpenOptions::new().write(true).create_new(true).mode(mode).open(&name) {
            Ok(file) => return Ok((file, name)),
            // Left by a process that was killed and had the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether this is a pipe or a device, perhaps standard output itself: then a report there would end up in the data.
pub(crate) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Finds out whether [`write()`] would be allowed, before hours of work are spent on what to write.
pub(crate) fn check_writable(path: &Path) -> Result<(), CliError> {
    if let Target::File { path: file, .. } = target(path, Access::Public)? {
        let (_, name) = temporary(&file, Access::Owner).map_err(|error| CliError::io("write", path, &error))?;
        fs::remove_file(&name).map_err(|error| CliError::io("write", path, &error))?;
    }
    Ok(())
}

/// A file that is written and safe on disk, but does not have its name yet; dropped, it is gone.
pub(crate) struct Staged {
    /// As the user wrote it.
    shown: PathBuf,
    /// The temporary name and the final one; `None` once renamed, or if it was a stream.
    rename: Option<(PathBuf, PathBuf)>,
}

/// Writes a temporary file beside `path`, or directly to a pipe or a device.
pub(crate) fn stage(path: &Path, bytes: &[u8], access: Access) -> Result<Staged, CliError> {
    stage_with(path, access, |out| out.write_all(bytes))
}

/// [`stage()`] of what `write` writes, piece by piece.
pub(crate) fn stage_with(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Staged, CliError> {
    let failed = |error: io::Error| CliError::io("write", path, &error);
    let buffered = |file: &mut File| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        out.flush()
    };
    match target(path, access)? {
        Target::Stream(name) => {
            let mut file = OpenOptions::new().write(true).open(name).map_err(failed)?;
            match buffered(&mut file) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
                _ => Ok(Staged { shown: path.to_path_buf(), rename: None }),
            }
        }
        Target::File { path: name, permissions } => {
            let (mut file, temporary) = temporary(&name, access).map_err(failed)?;
            let staged = Staged { shown: path.to_path_buf(), rename: Some((temporary, name)) };
            if let Some(permissions) = permissions {
                file.set_permissions(permissions).map_err(failed)?;
            } else if access == Access::Owner {
                // Whatever the umask and the file system made of the mode at creation.
                file.set_permissions(Permissions::from_mode(0o600)).map_err(failed)?;
            }
            buffered(&mut file).and_then(|()| file.sync_all()).map_err(failed)?;
            Ok(staged)
        }
    }
}

impl Staged {
    /// Gives the file its name, replacing what had it.
    pub(crate) fn commit(mut self) -> Result<(), CliError> {
        if let Some((temporary, name)) = &self.rename {
            fs::rename(temporary, name).map_err(|error| CliError::io("write", &self.shown, &error))?;
            // The name itself is durable once its directory is; some file systems cannot, and the content is safe anyway.
            if let Some(directory) = name.parent().map(|p| if p == OsStr::new("") { Path::new(".") } else { p }) {
                let _ = File::open(directory).and_then(|directory| directory.sync_all());
            }
            self.rename = None;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.rename {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file, or leaves what was there as it was.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    stage(path, bytes, Access::Public)?.commit()
}
