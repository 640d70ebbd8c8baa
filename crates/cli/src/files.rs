//! Files: inputs are read once and within limits, outputs written whole or not at all, and neither takes the place of
//! the other.

mod input;
mod output;
mod temporary;

use std::path::Path;

use bootes::wire::Header;

pub(crate) use input::{Object, Sealed, Text};
pub(crate) use output::{Access, Output, Staged};
pub(crate) use temporary::{MadeDirectory, write_beyond_limits};

use crate::error::CliError;

/// [`check_match`] of the batch engine: the same refusals, without the names of the sets.
pub(crate) fn check_headers(key: &Sealed, ciphertexts: &Sealed) -> Result<(), CliError> {
    check(&key.path, &key.header, &ciphertexts.path, &ciphertexts.header, None)
}

/// Refuses ciphertexts that do not belong to a key, by both headers and before any long work.
pub(crate) fn check_match(key: &Sealed, ciphertexts: &Sealed) -> Result<(), CliError> {
    let names = [ciphertexts.params()?, key.params()?].map(|params| params.name().to_string());
    check(&key.path, &key.header, &ciphertexts.path, &ciphertexts.header, Some(names))
}

/// `names` are those of the sets of ciphertexts and key.
fn check(
    key_path: &Path,
    key: &Header,
    path: &Path,
    found: &Header,
    names: Option<[String; 2]>,
) -> Result<(), CliError> {
    let (key_path, what) = (key_path.display(), "use the key pair they were made with");
    if key.fingerprint != found.fingerprint {
        let [found, expected] = names.map_or_else(Default::default, |names| names.map(|name| format!(" ({name})")));
        let message = format!("the ciphertexts have other parameters{found} than {key_path}{expected}: {what}");
        return Err(CliError::at(path, message));
    }
    if key.key_id != found.key_id {
        let (found, expected) = (short_hex(&found.key_id), short_hex(&key.key_id));
        let message = format!("the ciphertexts belong to another key ({found}) than {key_path} ({expected}): {what}");
        return Err(CliError::at(path, message));
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
