//! A directory with keys and ciphertexts of toy parameters, and a way to call the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The repository's `examples`.
pub(crate) fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What a call gave.
pub(crate) struct Answer {
    pub(crate) line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Answer {
    fn new(line: String, output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        Self { line, code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Standard output of a call that must have worked, without a word on standard error.
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.line);
        String::from_utf8(self.stdout).expect("reports are UTF-8")
    }

    /// The one JSON object of a call that must have worked.
    pub(crate) fn json(self) -> Value {
        let text = self.ok();
        assert_eq!(text.matches('\n').count(), 1, "one line: {text}");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert!(value.is_object(), "{text}");
        value
    }

    /// The error line of a call that must have been refused, without `error: `.
    pub(crate) fn refusal(self) -> String {
        let Self { line, code, stderr, .. } = self;
        assert_eq!(code, Some(2), "{line}: {stderr}");
        let message = stderr.strip_prefix("error: ").unwrap_or_else(|| panic!("{line}: {stderr}"));
        let message = message.strip_suffix('\n').unwrap_or_else(|| panic!("{line}: {stderr}"));
        assert!(!message.contains('\n') && message.len() > 15, "{line}: {stderr}");
        message.to_string()
    }
}

/// The command with these arguments, in this directory.
pub(crate) fn command(directory: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bootes"));
    command.args(line.split_whitespace()).current_dir(directory).stdin(Stdio::null());
    command.env_remove("BOOTES_ISA").env_remove("BOOTES_CALIBRATION");
    command
}

/// A temporary directory; file names in a command line are relative to it.
pub(crate) struct Fixture {
    directory: tempfile::TempDir,
}

impl Fixture {
    /// An empty directory but for tables and inputs: `id.txt` (4-bit identity), `rev.txt` (15 - x), `in.txt` (0 to 15).
    pub(crate) fn new() -> Self {
        let fixture = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        let numbers = |range: &mut dyn Iterator<Item = u64>| range.map(|x| x.to_string()).collect::<Vec<_>>().join(" ");
        fixture.write("id.txt", numbers(&mut (0..16)));
        fixture.write("rev.txt", numbers(&mut (0..16).rev()));
        fixture.write("in.txt", numbers(&mut (0..16)));
        fixture
    }

    /// Also keys `k/client.key` and `k/server.key`, and `in.txt` encrypted as `c`.
    pub(crate) fn with_keys() -> Self {
        let fixture = Self::new();
        fixture.call("keygen --params toy_4 --out k").ok();
        fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
        fixture
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("writing a fixture");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// Calls the command with these arguments.
    pub(crate) fn call(&self, line: &str) -> Answer {
        let output = command(self.directory.path(), line).output().expect("the command starts");
        Answer::new(line.to_string(), output)
    }

    /// The same, with its output or environment changed first.
    pub(crate) fn call_with(&self, line: &str, change: impl FnOnce(&mut Command)) -> Answer {
        let mut command = command(self.directory.path(), line);
        change(&mut command);
        Answer::new(line.to_string(), command.output().expect("the command starts"))
    }

    /// A call that must be refused, must write nothing, and whose message must have all of `words`.
    pub(crate) fn refuses(&self, line: &str, words: &[&str]) {
        let before = self.names();
        let answer = self.call(line);
        assert!(answer.stdout.is_empty(), "{line}: {}", String::from_utf8_lossy(&answer.stdout));
        let message = answer.refusal();
        for word in words {
            assert!(message.contains(word), "{line}: no \"{word}\" in \"{message}\"");
        }
        assert_eq!(self.names(), before, "{line} left something behind");
    }

    /// Everything in the directory, with sizes.
    pub(crate) fn names(&self) -> Vec<(PathBuf, u64)> {
        fn visit(directory: &Path, names: &mut Vec<(PathBuf, u64)>) {
            for entry in fs::read_dir(directory).expect("a directory") {
                let entry = entry.expect("an entry");
                let metadata = entry.metadata().expect("metadata");
                names.push((entry.path(), if metadata.is_dir() { 0 } else { metadata.len() }));
                if metadata.is_dir() {
                    visit(&entry.path(), names);
                }
            }
        }
        let mut names = Vec::new();
        visit(self.directory.path(), &mut names);
        names.sort();
        names
    }
}
