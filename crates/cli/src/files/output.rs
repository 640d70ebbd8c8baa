//! Outputs: what they are is decided before the work, and what is there is never half-written.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::input::Noun;
use super::temporary::{self, Temporary};

use bootes::place::{self, Place};
use bootes::wire::ObjectKind;

use crate::error::CliError;
use crate::report;

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever the umask allows; a file that is replaced keeps its permissions.
    Public,
    /// The owner only, from the moment it exists.
    Owner,
}

/// Where an output goes, which was found possible.
#[derive(Debug)]
pub(crate) struct Output {
    /// As the user wrote it.
    shown: PathBuf,
    target: Target,
    access: Access,
}

#[derive(Debug)]
enum Target {
    /// A regular file, new or to be replaced, by a temporary file beside it and a rename; no link leads to this name.
    File { name: PathBuf, permissions: Option<Permissions> },
    /// Standard output.
    Stdout,
    /// A pipe, a device or another open file of this process: written where it is, never cut off or replaced.
    Stream(PathBuf),
}

/// The identity of a file, whatever its name.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// Device and number.
    Existing(u64, u64),
    /// Device and number of the directory, and the name there.
    New(u64, u64, std::ffi::OsString),
}

/// Refuses to replace a client key by anything else: what is encrypted under it would be lost.
fn keep_client_keys(path: &Path, name: &Path) -> Result<(), CliError> {
    match place::kind_of(name).and_then(Noun::of) {
        Some(Noun::ClientKey) => Err(CliError::at(
            path,
            "it is a client key, which nothing else replaces: write elsewhere, or remove it first",
        )),
        _ => Ok(()),
    }
}

impl Output {
    /// Decides what `path` is, and finds out whether it can be written.
    pub(crate) fn new(path: &Path, access: Access) -> Result<Self, CliError> {
        let output = Self { shown: path.to_path_buf(), target: target(path, access)?, access };
        let failed = |error: io::Error| CliError::io("write", path, &error);
        if let (Target::File { name, .. }, Access::Public) = (&output.target, access) {
            keep_client_keys(path, name)?;
        }
        match &output.target {
            Target::File { name, .. } => drop(temporary_beside(name, Access::Owner).map_err(failed)?),
            // A pipe without a reader would wait, and a device may do something when opened; a descriptor is open
            // anyway.
            Target::Stream(name) if place::descriptor(path).is_some() => drop(place::open(name).map_err(failed)?),
            Target::Stream(_) | Target::Stdout => {}
        }
        Ok(output)
    }

    /// The same, and refuses to replace a key, or any of `inputs`, whatever the paths that lead to them.
    pub(crate) fn apart_from<'a>(
        path: &Path,
        access: Access,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self, CliError> {
        for input in inputs {
            if identity(path).is_some_and(|own| Some(own) == identity(input)) {
                return Err(CliError::at(
                    path,
                    format!("it is the same file as {}, which is read: write elsewhere", input.display()),
                ));
            }
        }
        let output = Self::new(path, access)?;
        let replaced = match &output.target {
            Target::File { name, .. } => place::kind_of(name),
            Target::Stream(_) | Target::Stdout => None,
        };
        match replaced.is_some_and(ObjectKind::is_key) {
            true => Err(CliError::at(path, "it is a key, and would be lost: write elsewhere, or remove it first")),
            false => Ok(output),
        }
    }

    /// Whether two paths lead to one file, there or yet to be made.
    pub(crate) fn is_one(path: &Path, other: &Path) -> bool {
        path == other || identity(path).is_some_and(|own| Some(own) == identity(other))
    }

    /// What paths that lead to one file have in common, and no others: so are two of many found at once.
    pub(crate) fn place_of(path: &Path) -> Result<Identity, &Path> {
        identity(path).ok_or(path)
    }

    /// The directory of what is a file.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match &self.target {
            Target::File { name, .. } => name.parent(),
            _ => None,
        }
    }

    /// As the user wrote it.
    pub(crate) fn path(&self) -> &Path {
        &self.shown
    }

    /// Whether it is a file that is there, and if so, whether that is a key.
    pub(crate) fn replaces(&self) -> Option<bool> {
        let Target::File { name, .. } = &self.target else { return None };
        name.symlink_metadata().ok()?;
        Some(matches!(
            place::kind_of(name).and_then(Noun::of),
            Some(Noun::ClientKey | Noun::ServerKey | Noun::PublicKey)
        ))
    }

    /// Whether what is written there goes on at once, perhaps to standard output itself: then a report there would end
    /// up in the data.
    pub(crate) fn is_stream(&self) -> bool {
        !matches!(self.target, Target::File { .. })
    }

    /// Whether it is standard output, by whatever name.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout)
    }

    /// Writes it whole, or leaves what was there as it was.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// [`Self::write`] of what `write` writes, piece by piece.
    pub(crate) fn write_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        Staged::commit([self.stage_with(write)?])
    }

    /// Writes a temporary file beside it, safe on disk; or directly to what is no file.
    pub(crate) fn stage_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Staged, CliError> {
        let failed = |error: io::Error| CliError::io("write", &self.shown, &error);
        // A client key, which comes at once, is not copied to a buffer that nobody would wipe.
        let capacity = if self.access == Access::Owner { 0 } else { 1 << 16 };
        let buffered = |out: &mut dyn Write| {
            let mut out = BufWriter::with_capacity(capacity, out);
            write(&mut out)?;
            out.flush()
        };
        let shown = self.shown.clone();
        match &self.target {
            Target::Stdout => match buffered(&mut io::stdout().lock()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => report::reader_is_gone(),
                written => written.map_err(failed)?,
            },
            Target::Stream(name) => place::open(name).and_then(|mut file| buffered(&mut file)).map_err(failed)?,
            Target::File { name, permissions } => {
                // Nobody opens it before it has the permissions of what it replaces.
                let access = if permissions.is_some() { Access::Owner } else { self.access };
                let (mut file, temporary) = temporary_beside(name, access).map_err(failed)?;
                if let Some(permissions) = permissions {
                    file.set_permissions(permissions.clone()).map_err(failed)?;
                } else if self.access == Access::Owner {
                    // Whatever the umask and the file system made of the mode at creation.
                    file.set_permissions(Permissions::from_mode(0o600)).map_err(failed)?;
                }
                buffered(&mut file).and_then(|()| file.sync_all()).map_err(failed)?;
                return Ok(Staged { shown, rename: Some((temporary, name.clone())), access: self.access });
            }
        }
        Ok(Staged { shown, rename: None, access: self.access })
    }
}

/// A file that is written and safe on disk, but does not have its name yet; dropped, it is gone.
pub(crate) struct Staged {
    /// As the user wrote it.
    shown: PathBuf,
    /// The temporary file and its name; `None` if it was no file.
    rename: Option<(Temporary, PathBuf)>,
    access: Access,
}

impl Staged {
    /// Gives files their names, in this order, replacing what had them; an interrupted process has given all of them or
    /// none.
    pub(crate) fn commit(files: impl IntoIterator<Item = Self>) -> Result<(), CliError> {
        let files: Vec<_> =
            files.into_iter().filter_map(|file| Some((file.shown, file.rename?, file.access))).collect();
        // A client key may have come to be there meanwhile.
        let public = files.iter().filter(|(_, _, access)| *access == Access::Public);
        public.into_iter().try_for_each(|(shown, (_, name), _)| keep_client_keys(shown, name))?;
        let names: Vec<(PathBuf, PathBuf)> =
            files.iter().map(|(shown, (_, name), _)| (shown.clone(), name.clone())).collect();
        let renames =
            files.into_iter().map(|(_, (temporary, _), _)| temporary).zip(names.iter().map(|(_, name)| &**name));
        let renamed = temporary::rename_all(renames);
        for (_, name) in &names {
            // The name itself is durable once its directory is; some file systems cannot, and the content is safe
            // anyway.
            let _ = name.parent().map(|directory| File::open(directory).and_then(|directory| directory.sync_all()));
        }
        renamed.map_err(|(at, error)| CliError::io("write", &names[at].0, &error))
    }
}

fn temporary_beside(name: &Path, access: Access) -> io::Result<(File, Temporary)> {
    let mode = if access == Access::Owner { 0o600 } else { 0o666 };
    Temporary::file(name.parent().unwrap_or(Path::new("/")), mode)
}

fn target(path: &Path, access: Access) -> Result<Target, CliError> {
    Ok(match place::of(path).map_err(|error| CliError::io("write", path, &error))? {
        Place::Descriptor(1) => Target::Stdout,
        Place::Descriptor(_) | Place::Stream => Target::Stream(path.to_path_buf()),
        Place::File { name, permissions } => {
            Target::File { name, permissions: permissions.filter(|_| access == Access::Public) }
        }
    })
}

/// The identity of a regular file, or of one that would be made; `None` for pipes and devices, which may be read and
/// written, and for what is not there to be read.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_file().then(|| Identity::Existing(metadata.dev(), metadata.ino())),
        Err(_) => {
            let whole = place::resolve(path).ok()?;
            let directory = fs::metadata(whole.parent()?).ok()?;
            Some(Identity::New(directory.dev(), directory.ino(), whole.file_name()?.to_owned()))
        }
    }
}
