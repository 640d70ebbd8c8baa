//! Temporary files: none outlives the process, or only where the file system has none without a name and the process is
//! killed without a chance to clean up.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use bootes::unnamed;
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::error::CliError;

/// Files, and directories made for them, that go if the process ends now, or whoever made them drops them. Whoever
/// gives files their names holds the lock meanwhile, so that a signal finds all of them renamed, or none.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is removed when dropped, or when a signal ends the process, unless it is kept.
pub(super) struct Temporary {
    path: PathBuf,
    /// A file that has no name yet: the kernel takes it back whenever the process ends, even if it is killed.
    unnamed: Option<File>,
}

/// As many files are held open at a time, of some thousand that a process may have.
const MOST_UNNAMED: usize = 256;

/// Those that are.
static UNNAMED: AtomicUsize = AtomicUsize::new(0);

impl Temporary {
    /// Takes charge of a file or an empty directory.
    fn of(path: &Path) -> Self {
        catch_signals();
        pending().push(path.to_path_buf());
        Self { path: path.to_path_buf(), unnamed: None }
    }

    /// A new file in `directory`, with these permissions but for the umask.
    pub(super) fn file(directory: &Path, mode: u32) -> io::Result<(File, Self)> {
        catch_signals();
        if UNNAMED.load(Ordering::Relaxed) < MOST_UNNAMED
            && let Ok(file) = unnamed::create(directory, mode)
        {
            let unnamed = Some(file.try_clone()?);
            UNNAMED.fetch_add(1, Ordering::Relaxed);
            return Ok((file, Self { path: temporary_name(directory).0, unnamed }));
        }
        let options = || OpenOptions::new().write(true).create_new(true).mode(mode).to_owned();
        let (path, file) = at_free_name(&mut pending(), directory, |path| options().open(path))?;
        Ok((file, Self { path, unnamed: None }))
    }

    /// Gives a file its name. One without a name has a temporary one for the moment between two calls of the system
    /// where it takes the place of another, which no call does alone.
    fn name(&mut self, pending: &mut Vec<PathBuf>, name: &Path) -> io::Result<()> {
        if let Some(file) = &self.unnamed {
            match unnamed::link(file, name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                linked => return linked,
            }
            let directory = self.path.parent().unwrap_or(Path::new("/"));
            self.path = at_free_name(pending, directory, |path| unnamed::link(file, path))?.0;
        }
        fs::rename(&self.path, name)?;
        pending.retain(|other| *other != self.path);
        Ok(())
    }

    /// Leaves it as it is.
    fn keep(self) {
        pending().retain(|other| *other != self.path);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.unnamed.is_some() {
            UNNAMED.fetch_sub(1, Ordering::Relaxed);
        }
        let mut pending = pending();
        if let Some(number) = pending.iter().position(|path| *path == self.path) {
            remove(&self.path);
            pending.remove(number);
        }
    }
}

/// Another name in `directory` at every call, and its number.
fn temporary_name(directory: &Path) -> (PathBuf, u32) {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    (directory.join(format!(".bootes-{}-{number}.tmp", std::process::id())), number)
}

/// Makes something at a temporary name in `directory` that nothing has.
fn at_free_name<T>(
    pending: &mut Vec<PathBuf>,
    directory: &Path,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    loop {
        let (path, number) = temporary_name(directory);
        match make(&path) {
            Ok(made) => {
                pending.push(path.clone());
                return Ok((path, made));
            }
            // Left by a process that was killed and had the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {}
            Err(error) => return Err(error),
        }
    }
}

/// A directory that was made for outputs, with those above it; dropped, they are gone, unless there is something in
/// them.
pub(crate) struct MadeDirectory {
    /// The deepest first.
    made: Vec<Temporary>,
}

impl MadeDirectory {
    /// Makes what is not there.
    pub(crate) fn new(path: &Path) -> Result<Self, CliError> {
        if path.exists() && !path.is_dir() {
            return Err(CliError::at(path, "it is a file, but --out expects a directory; choose another"));
        }
        let missing: Vec<_> =
            path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
        let mut made = Vec::new();
        for path in missing.iter().rev() {
            match fs::create_dir(path) {
                Ok(()) => made.insert(0, Temporary::of(path)),
                // Somebody else made it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(error) => return Err(CliError::io("write", path, &error)),
            }
        }
        Ok(Self { made })
    }

    /// Keeps them.
    pub(crate) fn keep(self) {
        self.made.into_iter().for_each(Temporary::keep);
    }
}

/// The lock of a directory that one may write to but not read, and so not open: a file in it, gone again when dropped.
pub(crate) struct LockFile {
    // Before it is unlocked.
    _name: Temporary,
    _file: File,
}

impl LockFile {
    /// Takes it; `None` if somebody else has it.
    pub(crate) fn new(directory: &Path) -> Result<Option<Self>, CliError> {
        let path = directory.join(".bootes-keygen.lock");
        let failed = |error: io::Error| CliError::io("write", &path, &error);
        loop {
            // One that is left by a process that was killed, of whichever user, is as good as a new one.
            let file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let file = match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                        file => file.map_err(failed)?,
                    };
                    // There is nothing in it to hide, whatever the umask.
                    let _ = file.set_permissions(Permissions::from_mode(0o444));
                    file
                }
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    let message = "it is a lock of another user that cannot be opened: if no bootes keygen runs there, \
                                   remove it";
                    return Err(CliError::at(&path, message));
                }
                file => file.map_err(failed)?,
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // A file system without locks.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // Whoever had it may have removed it meanwhile.
            let [locked, there] = [file.metadata(), fs::metadata(&path)].map(|about| Some(about.ok()?.ino()));
            if locked == there {
                return Ok(Some(Self { _name: Temporary::of(&path), _file: file }));
            }
        }
    }
}

/// Gives files their names, in this order, and no signal comes between. If one fails, all names are what they were
/// before, and its number is returned with its error.
pub(super) fn rename_all<'a>(files: impl Iterator<Item = (Temporary, &'a Path)>) -> Result<(), (usize, io::Error)> {
    let mut files: Vec<_> = files.collect();
    let mut pending = pending();
    // What had a name, under a second one, until all are given; the last one needs none.
    let mut replaced: Vec<(bool, Option<PathBuf>)> = Vec::new();
    let (mut result, last) = (Ok(()), files.len().saturating_sub(1));
    for (number, (file, name)) in files.iter_mut().enumerate() {
        let name: &Path = name;
        let existed = name.symlink_metadata().is_ok();
        let kept = (number < last).then(|| name_of_old(name));
        // Left by a process that was killed.
        kept.iter().for_each(|kept| remove(kept));
        // Without a second name where the file system has none, and without one where there is nothing yet.
        let kept = kept.filter(|kept| fs::hard_link(name, kept).or_else(|_| fs::rename(name, kept)).is_ok());
        if let Err(error) = file.name(&mut pending, name) {
            kept.iter().for_each(|kept| give_back(kept, name));
            result = Err((number, error));
            break;
        }
        replaced.push((existed, kept));
    }
    for ((_, name), (existed, kept)) in files.iter().zip(&replaced) {
        match (kept, &result) {
            (Some(kept), Ok(())) => remove(kept),
            (Some(kept), Err(_)) => give_back(kept, name),
            (None, Err(_)) if !existed => remove(name),
            (None, _) => {}
        }
    }
    drop(pending);
    result
}

/// The second name of what is replaced: the same at every call, so that what a process left that was killed meanwhile
/// goes with the next that writes there.
fn name_of_old(name: &Path) -> PathBuf {
    let mut hash = DefaultHasher::new();
    name.file_name().hash(&mut hash);
    name.with_file_name(format!(".bootes-{:016x}.old", hash.finish()))
}

/// Gives the file that had this name it again. (A rename of one of two names of a file to the other does nothing.)
fn give_back(kept: &Path, name: &Path) {
    if fs::rename(kept, name).is_ok() {
        remove(kept);
    }
}

fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        let _ = fs::remove_dir(path);
    }
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail, instead of ending the process.
pub(crate) fn write_beyond_limits() {
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Signals that end a process unless it does something else.
const ENDING: [i32; 8] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2];

/// From now on the signals that ask a process to end remove what is pending first. Those that were ignored still are.
fn catch_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let signals: Vec<i32> = ENDING.into_iter().filter(|&signal| !is_ignored(signal)).collect();
        // Without a thread to wait for them, signals end the process at once, as they would anyway.
        let (ready, wait) = std::sync::mpsc::channel();
        let spawned = thread::Builder::new().name("signals".into()).stack_size(64 << 10).spawn(move || {
            let signals = Signals::new(signals);
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            for signal in signals.forever() {
                let pending = pending();
                pending.iter().rev().for_each(|path| remove(path));
                let _ = emulate_default_handler(signal);
            }
        });
        if spawned.is_ok() {
            let _ = wait.recv();
        }
    });
}

/// Whether a signal was ignored when the process began (`nohup`), as far as the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn all_names_are_given_or_none() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let path = |name: &str| directory.path().join(name);
        let staged = |text: &str| -> io::Result<Temporary> {
            let (mut file, temporary) = Temporary::file(directory.path(), 0o666)?;
            file.write_all(text.as_bytes())?;
            Ok(temporary)
        };
        let names = || fs::read_dir(directory.path()).map(Iterator::count);
        fs::write(path("server"), "old")?;
        // No file takes the name of a directory.
        fs::create_dir(path("client"))?;
        for first in ["server", "new"] {
            let [first, second] = [first, "client"].map(path);
            let renamed = rename_all([(staged("a")?, &*first), (staged("b")?, &*second)].into_iter());
            assert_eq!(renamed.map_err(|(number, _)| number), Err(1));
            assert_eq!(
                (fs::read_to_string(path("server"))?.as_str(), path("new").exists(), names()?),
                ("old", false, 2)
            );
        }
        fs::remove_dir(path("client"))?;
        let [server, client] = ["server", "client"].map(path);
        let staged = [staged("a")?, staged("b")?];
        // What a process left that was killed between its two names.
        fs::write(name_of_old(&server), "older")?;
        // Where the file system has files without names, nobody sees them before.
        assert!(unnamed::create(directory.path(), 0o666).is_err() || names()? == 2);
        let [a, b] = staged;
        rename_all([(a, &*server), (b, &*client)].into_iter()).map_err(|(_, error)| error)?;
        assert_eq!([fs::read_to_string(server)?, fs::read_to_string(client)?], ["a", "b"]);
        assert_eq!(names()?, 2);
        Ok(())
    }
}
