//! Files: inputs are read once and within limits, outputs written whole or not at all, and neither takes the place of
//! the other.

mod input;
mod output;
mod temporary;

use std::io;
use std::path::Path;

use bootes::wire::StreamError;
use bootes::{Engine, Error};

pub(crate) use input::{Noun, Sealed, Text};
pub(crate) use output::{Access, Output, Staged};
pub(crate) use temporary::{LockFile, MadeDirectory, write_beyond_limits};

use crate::error::CliError;

/// Refuses ciphertexts that do not belong to a key, by both headers and before any long work; where one of them is
/// damaged, for that.
pub(crate) fn check_match(key: &Sealed, ciphertexts: &Sealed) -> Result<(), CliError> {
    let matching = matches(key, ciphertexts);
    if matching.is_err() {
        [ciphertexts, key].into_iter().try_for_each(Sealed::check_undamaged)?;
    }
    matching
}

fn matches(key: &Sealed, ciphertexts: &Sealed) -> Result<(), CliError> {
    let (path, key_path, what) = (&ciphertexts.path, key.path.display(), "use the key pair they were made with");
    let (found, expected) = (&ciphertexts.header, &key.header);
    if ciphertexts.engine() != key.engine() {
        let message = format!(
            "it is {}, but {key_path} is {}: {what}",
            of_engine(found.kind.with_article(), ciphertexts.engine()),
            of_engine(expected.kind.with_article(), key.engine())
        );
        return Err(CliError::at(path, message));
    }
    let [set, key_set] = [ciphertexts, key].map(Sealed::set_name);
    let other_name = matches!((&set, &key_set), (Some(set), Some(key_set)) if set != key_set);
    if found.fingerprint != expected.fingerprint || other_name {
        if let (Some(set), false) = (&set, other_name || key_set.is_none()) {
            let [found, expected] = [found, expected].map(|header| hex(&header.fingerprint));
            let message = format!(
                "the ciphertexts have another version of parameter set {set} ({found}) than {key_path} ({expected}): \
                 {what}"
            );
            return Err(CliError::at(path, message));
        }
        let in_words = |name: Option<String>| name.map_or(String::new(), |name| format!(" ({name})"));
        let [found, expected] = [set, key_set].map(in_words);
        let message = format!("the ciphertexts have other parameters{found} than {key_path}{expected}: {what}");
        return Err(CliError::at(path, message));
    }
    if found.key_id != expected.key_id {
        let ids = [&found.key_id, &expected.key_id];
        let [found, expected] = match ids.map(short_hex) {
            [found, expected] if found == expected => ids.map(hex),
            short => short,
        };
        let message = format!("the ciphertexts belong to another key ({found}) than {key_path} ({expected}): {what}");
        return Err(CliError::at(path, message));
    }
    Ok(())
}

/// A kind of files with its engine, which some of them are called by.
pub(crate) fn of_engine(kind: &str, engine: Engine) -> String {
    let is_named = kind.split(' ').any(|word| word == engine.to_string());
    if is_named { kind.into() } else { format!("{kind} of engine {engine}") }
}

/// The error that a writer of files expects.
pub(crate) fn io_error(error: Error) -> io::Error {
    match error {
        Error::Stream(StreamError::Io(error)) => error,
        error => io::Error::other(error.to_string()),
    }
}

/// An error of reading a file.
pub(crate) fn read_error(path: &Path, error: Error) -> CliError {
    match error {
        Error::Stream(StreamError::Io(error)) => CliError::io("read", path, &error),
        error => CliError::of(path, error),
    }
}

/// The first eight hexadecimal digits: enough for a person to tell two keys apart.
pub(crate) fn short_hex(bytes: &[u8; 16]) -> String {
    bytes[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All of them.
pub(crate) fn hex(bytes: &[u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
