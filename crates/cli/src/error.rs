//! The one kind of error of the command: a line for the user.

use std::fmt;
use std::io;
use std::path::Path;

/// What was found, what was expected, what to do: one line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error with this message; line breaks and other control characters are escaped, so that it stays one line.
    pub(crate) fn new(message: impl AsRef<str>) -> Self {
        let mut line = String::with_capacity(message.as_ref().len());
        for character in message.as_ref().chars() {
            if character.is_control() {
                line.extend(character.escape_default());
            } else {
                line.push(character);
            }
        }
        Self(line)
    }

    /// An error about a file.
    pub(crate) fn at(path: &Path, message: impl fmt::Display) -> Self {
        Self::new(format!("{}: {message}", path.display()))
    }

    /// A failed operation on a file: `doing` is "read" or "write".
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let cause = match error.kind() {
            io::ErrorKind::NotFound if doing == "read" => "there is no such file; check the path".to_string(),
            io::ErrorKind::NotFound => "its directory does not exist; create it first".to_string(),
            io::ErrorKind::PermissionDenied => "permission denied; check who owns it and its permissions".to_string(),
            io::ErrorKind::StorageFull => "no space left on the device; free some or write elsewhere".to_string(),
            io::ErrorKind::NotADirectory => "a part of its path is a file, not a directory; check the path".to_string(),
            io::ErrorKind::IsADirectory => "it is a directory where a file is expected; check the path".to_string(),
            io::ErrorKind::OutOfMemory => "there is not enough memory for it".to_string(),
            io::ErrorKind::BrokenPipe => "whoever read it went away; the output is not whole".to_string(),
            io::ErrorKind::FileTooLarge => "it would be larger than files may be here (ulimit -f)".to_string(),
            io::ErrorKind::ReadOnlyFilesystem => "it is on a read-only file system; write elsewhere".to_string(),
            _ => error.to_string(),
        };
        Self::new(format!("cannot {doing} {}: {cause}", path.display()))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<bootes::Error> for CliError {
    fn from(error: bootes::Error) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_one_line() {
        let error = CliError::at(Path::new("a\nb"), "first\r\nsecond\t\u{1b}[31m");
        assert!(!error.to_string().chars().any(char::is_control), "{error}");
    }
}
