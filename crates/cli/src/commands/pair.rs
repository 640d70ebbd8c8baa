//! Where `keygen` writes: two files that belong together.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::args::KeygenArgs;
use crate::error::CliError;
use crate::files::{Access, LockFile, MadeDirectory, Output, Staged};

/// Two names that can be written, in directories where no other `keygen` writes meanwhile.
pub(crate) struct Pair {
    client: Output,
    server: Output,
    /// The options that name them.
    options: [&'static str; 2],
    /// Whether keys that are there may be replaced.
    force: bool,
    /// A directory that was made for them, gone again unless keys are written.
    made: Cell<Option<MadeDirectory>>,
    /// Locked while this lives.
    locks: Vec<Lock>,
}

/// Held while it lives.
#[expect(dead_code, reason = "what is held is not looked at")]
enum Lock {
    Directory(File),
    File(LockFile),
}

impl Pair {
    /// Makes the directory and finds out whether both keys can be written there.
    pub(crate) fn new(args: &KeygenArgs) -> Result<Self, CliError> {
        let made = args.out.as_deref().map(MadeDirectory::new).transpose()?;
        // Without a directory both names are given.
        let directory = args.out.clone().unwrap_or_default();
        let name = |given: &Option<PathBuf>, name: &str| given.clone().unwrap_or_else(|| directory.join(name));
        let (client, server) = (name(&args.client, "client.key"), name(&args.server, "server.key"));
        if Output::is_one(&client, &server) {
            return Err(CliError::at(
                &server,
                format!(
                    "it is the same file as {}, and would be both keys: give --client and --server two names",
                    client.display()
                ),
            ));
        }
        let mut pair = Self {
            client: Output::new(&client, Access::Owner)?,
            server: Output::new(&server, Access::Public)?,
            options: [
                if args.client.is_some() { "--client" } else { "--out" },
                if args.server.is_some() { "--server" } else { "--out" },
            ],
            force: args.force,
            made: Cell::new(made),
            locks: Vec::new(),
        };
        for output in [&pair.client, &pair.server] {
            super::check_json(output, args.json)?;
        }
        pair.lock()?;
        pair.check_free()?;
        Ok(pair)
    }

    /// Client's and server's.
    pub(crate) fn paths(&self) -> [&Path; 2] {
        [self.client.path(), self.server.path()]
    }

    /// Whether a report on standard output might end up in a key.
    pub(crate) fn is_stream(&self) -> bool {
        self.client.is_stream() || self.server.is_stream()
    }

    /// Locks the directories of both keys, so that keys of two calls are never mixed.
    fn lock(&mut self) -> Result<(), CliError> {
        let mut locked = Vec::new();
        for output in [&self.client, &self.server] {
            let Some(path) = output.directory() else { continue };
            let failed = |error: io::Error| CliError::io("write", output.path(), &error);
            let about = path.metadata().map_err(failed)?;
            let number = (about.dev(), about.ino());
            if locked.contains(&number) {
                continue;
            }
            locked.push(number);
            let lock = match File::open(path) {
                // One may write there, but not read, and what is not opened is not locked.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => LockFile::new(path)?.map(Lock::File),
                directory => {
                    let directory = directory.map_err(failed)?;
                    match directory.try_lock() {
                        Err(TryLockError::WouldBlock) => None,
                        // A file system without locks.
                        Err(TryLockError::Error(_)) | Ok(()) => Some(Lock::Directory(directory)),
                    }
                }
            };
            let Some(lock) = lock else {
                // The directory is theirs now, whoever made it.
                self.keep_directory();
                return Err(CliError::at(
                    output.path(),
                    "another bootes keygen writes keys in this directory: wait for it, or choose another",
                ));
            };
            self.locks.push(lock);
        }
        Ok(())
    }

    fn keep_directory(&self) {
        if let Some(made) = self.made.take() {
            made.keep();
        }
    }

    /// Refuses to replace keys without being told to, and anything else at all.
    fn check_free(&self) -> Result<(), CliError> {
        for (output, option) in [&self.client, &self.server].into_iter().zip(self.options) {
            let reason = match output.replaces() {
                Some(_) if !self.force => format!(
                    "it exists, and what was encrypted under it would be lost; choose another {option}, or --force to \
                     replace it"
                ),
                Some(false) => {
                    "it is no key, and --force replaces nothing but keys: choose another name, or remove it".into()
                }
                Some(true) | None => continue,
            };
            return Err(CliError::at(output.path(), reason));
        }
        Ok(())
    }

    /// Writes both keys: they are safe on disk before either has its name, and the client key gets its name last, so
    /// that there is none without its server key.
    pub(crate) fn write(
        &self,
        client: &[u8],
        server: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        let server = self.server.stage_with(server)?;
        let client = self.client.stage_with(|out| out.write_all(client))?;
        self.check_free()?;
        Staged::commit([server, client])?;
        self.keep_directory();
        Ok(())
    }
}
