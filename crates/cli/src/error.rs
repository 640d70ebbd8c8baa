//! The one kind of error of the command: a line for the user.

use std::fmt;
use std::io;
use std::path::Path;

use bootes::{Error, Interval, LutError};

use crate::integers::{MAX_BITS, MAX_TABLE_BITS};

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

    /// The same with something else to do.
    pub(crate) fn or(self, cure: &str) -> Self {
        Self(format!("{}, or {cure}", self.0))
    }

    /// A refusal of the library about a file.
    pub(crate) fn of(path: &Path, error: Error) -> Self {
        Self::at(path, Self::from(error))
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

/// What the library says, and where its cure is a function of its own, what to do here instead.
impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        Self::new(match error {
            Error::Overflow { operation, range: Some(range), bits } => {
                let cure = match bits {
                    1 => "evaluate a --table of 2 entries with --out-bits first, which gives residues of more bits",
                    _ => "take fewer terms, smaller weights or residues, whose sums wrap (encrypt --bits or --modulus)",
                };
                format!("the {operation} gives integers from {range}, and there is room for 2^{bits} of them: {cure}")
            }
            Error::Operands { operation, left, right } => format!(
                "{operation} of {left} and {right}: expected both in one space; encrypt both with the same --bits, \
                 --modulus or --width, and give tables the same --out-bits or --out-modulus"
            ),
            Error::Limbs { space } => format!(
                "a linear operation on {space}: they are too long for one ciphertext, and sums would need carries between \
                 the two of each; encrypt them with a width that fits in one, or take eval --op add and --op sub"
            ),
            Error::Room { range, width } => {
                let needed = range.width();
                format!(
                    "integers from {range} have no room in {width} bits: encrypt them, or what they are sums of, with --width \
                     {needed}, and --within for the bits that they have"
                )
            }
            Error::Lut(LutError::Keys { algorithm, missing }) => format!(
                "{algorithm} needs {missing}, which this server key lacks: make keys with bootes keygen --algorithm \
                 {algorithm}, or --width for functions of integers"
            ),
            Error::Lut(LutError::Range { op, width: 0, .. } | LutError::Width { op, width: 0, .. }) => format!(
                "{op} of integers that have room for 0 and 1 alone, as results of sign and less have: give a --table \
                 of 2 entries instead"
            ),
            Error::Lut(LutError::Range { op, operands, width, .. }) => {
                let ranges: Vec<String> = operands.iter().map(Interval::to_string).collect();
                let what = match (ranges.len(), op.as_str()) {
                    (1, _) => "they have",
                    (_, "add") => "their sums have",
                    _ => "their differences have",
                };
                format!(
                    "{op} of integers from {}: {what} no room in {width}-bit integers; encrypt those that are never \
                     negative with --unsigned, or all with a larger --width, and --within for the bits that they have",
                    ranges.join(" and from ")
                )
            }
            Error::Lut(LutError::TooWide { what, found, bits, params }) => {
                let cure = match found {
                    ..=MAX_BITS => format!("make other keys with bootes keygen --bits {found}"),
                    _ => "give a narrower table, or take keys of another set (see bootes params)".into(),
                };
                format!("the table has {what} of {found} bits, and parameter set {params} holds {bits}: {cure}")
            }
            Error::Lut(LutError::SlotPrime { found, nearest }) => {
                let bits = found.clamp(2, 1 << 40).next_power_of_two().ilog2();
                let tables = match bits {
                    ..=MAX_TABLE_BITS => format!("; tables modulo {found} have keygen --engine ckks --bits {bits}"),
                    _ => String::new(),
                };
                format!(
                    "there are no slots modulo powers of {found}: expected an odd prime, such as {nearest}, or 65537, \
                     which has the most slots{tables}"
                )
            }
            Error::Lut(LutError::LongIntegers { bits }) => format!(
                "a table on integers of {} bits, more than the {} that one bootstrap takes: leave --algorithm out, and \
                 it is evaluated on their digits",
                bits - 1,
                MAX_BITS - 1
            ),
            error => error.to_string(),
        })
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
