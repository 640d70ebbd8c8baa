//! Where `keygen` writes: files that belong together.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::args::KeygenArgs;
use crate::error::CliError;
use crate::files::{Access, LockFile, MadeDirectory, Output, Staged};

/// Names that can be written, in directories where no other `keygen` writes meanwhile.
pub(crate) struct Pair {
    client: Output,
    server: Output,
    public: Option<Output>,
    /// The options that name them.
    options: [&'static str; 3],
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
    /// Makes the directory and finds out whether all keys can be written there.
    pub(crate) fn new(args: &KeygenArgs) -> Result<Self, CliError> {
        let made = args.out.as_deref().map(MadeDirectory::new).transpose()?;
        // Without a directory both names are given.
        let directory = args.out.clone().unwrap_or_default();
        let name = |given: &Option<PathBuf>, name: &str| given.clone().unwrap_or_else(|| directory.join(name));
        let (client, server) = (name(&args.client, "client.key"), name(&args.server, "server.key"));
        let public = match &args.public {
            Some(None) if args.out.is_none() => {
                return Err(CliError::new("--public writes DIR/public.key: give --out DIR, or --public PUBLIC_KEY"));
            }
            public => public.as_ref().map(|given| name(given, "public.key")),
        };
        for (one, other, options) in [
            (Some(&client), Some(&server), "--client and --server"),
            (Some(&client), public.as_ref(), "--client and --public"),
            (Some(&server), public.as_ref(), "--server and --public"),
        ] {
            let (Some(one), Some(other)) = (one, other) else { continue };
            if Output::is_one(one, other) {
                let one = one.display();
                let message = format!("it is the same file as {one}, and would be both keys: give {options} two names");
                return Err(CliError::at(other, message));
            }
        }
        let mut pair = Self {
            client: Output::new(&client, Access::Owner)?,
            server: Output::new(&server, Access::Public)?,
            public: public.map(|public| Output::new(&public, Access::Public)).transpose()?,
            options: [
                if args.client.is_some() { "--client" } else { "--out" },
                if args.server.is_some() { "--server" } else { "--out" },
                if args.public.as_ref().is_some_and(Option::is_some) { "--public" } else { "--out" },
            ],
            force: args.force,
            made: Cell::new(made),
            locks: Vec::new(),
        };
        pair.outputs().try_for_each(|output| super::check_json(output, args.json))?;
        pair.lock()?;
        pair.check_free()?;
        Ok(pair)
    }

    /// Client's and server's.
    pub(crate) fn paths(&self) -> [&Path; 2] {
        [self.client.path(), self.server.path()]
    }

    /// That of the public key, if there is to be one.
    pub(crate) fn public_path(&self) -> Option<&Path> {
        self.public.as_ref().map(Output::path)
    }

    /// As their options are.
    fn outputs(&self) -> impl Iterator<Item = &Output> {
        [&self.client, &self.server].into_iter().chain(&self.public)
    }

    /// Whether a report on standard output might end up in a key.
    pub(crate) fn is_stream(&self) -> bool {
        self.outputs().any(Output::is_stream)
    }

    /// Locks the directories of all keys, so that keys of two calls are never mixed.
    fn lock(&mut self) -> Result<(), CliError> {
        let (mut locked, mut locks) = (Vec::new(), Vec::new());
        for output in self.outputs() {
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
            locks.push(lock);
        }
        self.locks = locks;
        Ok(())
    }

    fn keep_directory(&self) {
        if let Some(made) = self.made.take() {
            made.keep();
        }
    }

    /// Refuses to replace keys without being told to, and anything else at all.
    fn check_free(&self) -> Result<(), CliError> {
        for (output, option) in self.outputs().zip(self.options) {
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

    /// Writes all keys: they are safe on disk before any has its name, and the client key gets its name last, so that
    /// there is none without its server key. `public` is there if its path is.
    pub(crate) fn write(
        &self,
        client: &[u8],
        server: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        public: Option<&[u8]>,
    ) -> Result<(), CliError> {
        let mut staged = vec![self.server.stage_with(server)?];
        if let (Some(output), Some(public)) = (&self.public, public) {
            staged.push(output.stage_with(|out| out.write_all(public))?);
        }
        staged.push(self.client.stage_with(|out| out.write_all(client))?);
        self.check_free()?;
        Staged::commit(staged)?;
        self.keep_directory();
        Ok(())
    }
}
