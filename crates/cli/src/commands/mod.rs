//! One file a command.

pub(crate) mod bench;
pub(crate) mod decrypt;
pub(crate) mod encrypt;
pub(crate) mod eval;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod params;
pub(crate) mod run;

use std::path::Path;

use bootes::wire::ObjectKind;
use bootes::{Ciphertexts, Client};

use crate::error::CliError;
use crate::files::{self, Object};
use crate::suggest;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Right,
    /// A value is not what the plain table says.
    Wrong,
}

/// Refuses the name of an algorithm that does not exist, before any long work.
pub(crate) fn check_algorithm(name: Option<&str>) -> Result<(), CliError> {
    let Some(found) = name else { return Ok(()) };
    let names: Vec<String> = bootes::algorithms().iter().map(|(name, _, _)| name.clone()).collect();
    if names.iter().any(|name| name == found) {
        return Ok(());
    }
    let tip = suggest::nearest(found, names.iter().map(String::as_str))
        .map_or(String::new(), |name| format!(" (did you mean {name}?)"));
    Err(CliError::new(format!("no algorithm is called \"{found}\"{tip}: expected one of {}", names.join(", "))))
}

/// Loads a client key.
pub(crate) fn load_client(path: &Path) -> Result<(Object, Client), CliError> {
    let object = files::read_object(path, ObjectKind::ClientKey)?;
    let client = Client::from_bytes(&object.bytes).map_err(|error| CliError::at(path, error))?;
    Ok((object, client))
}

/// Parses the ciphertexts of a file that was read.
pub(crate) fn parse_ciphertexts(path: &Path, object: &Object) -> Result<Ciphertexts, CliError> {
    Ciphertexts::from_bytes(&object.bytes).map_err(|error| CliError::at(path, error))
}
