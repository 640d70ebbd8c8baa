//! Files that have no name before they are whole (Linux, `O_TMPFILE`): the kernel takes back what a process leaves that
//! is killed meanwhile.
use std::fs::File;
use std::io;
use std::path::Path;

/// A new file in `directory` for writing, with these permissions but for the umask.
///
/// # Errors
/// Those of the system, also where it has no such files: then a file of a temporary name has to do.
#[cfg(target_os = "linux")]
pub fn create(directory: &Path, mode: u32) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(directory, flags, Mode::from_raw_mode(mode))?);
    // By which it is given its name.
    std::fs::metadata(descriptor(&file)).map(|_| file)
}

/// Gives such a file its name, if nothing has it.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if something has it, and those of the system.
#[cfg(target_os = "linux")]
pub fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD};
    Ok(rustix::fs::linkat(CWD, descriptor(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))
}

#[cfg(not(target_os = "linux"))]
#[expect(missing_docs, reason = "as above")]
pub fn create(_: &Path, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
#[expect(missing_docs, reason = "as above")]
pub fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
