//! One file a command.

pub(crate) mod bench;
pub(crate) mod decrypt;
pub(crate) mod encrypt;
pub(crate) mod eval;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod pair;
pub(crate) mod params;
pub(crate) mod plan;
pub(crate) mod run;

use std::path::{Path, PathBuf};

use bootes::wire::ObjectKind;
use bootes::{Ciphertexts, Client, IntegerOp, KeyNeeds, KeySizes, LutError, Params};

use crate::args::MemoryLimit;
use crate::error::CliError;
use crate::files::{Access, Object, Output, Sealed};
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

/// Refuses keys of engine fhew that take more than the limit when expanded.
pub(crate) fn check_memory(params: &Params, needs: &KeyNeeds, limit: &MemoryLimit) -> Result<(), bootes::Error> {
    // As `server_key_with` does.
    let needed = KeySizes::of(params, &params.integer_keys().and(needs.clone())).memory as u64;
    match limit.bytes() {
        Some(available) if available < needed => Err(bootes::Error::Memory { needed, available }),
        _ => Ok(()),
    }
}

/// Loads a client key.
pub(crate) fn load_client(key: Sealed) -> Result<(Object, Client), CliError> {
    key.expect(ObjectKind::ClientKey)?;
    let path = key.path.clone();
    let object = key.read()?;
    let client = Client::from_bytes(&object.bytes).map_err(|error| CliError::at(&path, error))?;
    Ok((object, client))
}

/// Where values go, if not to standard output; none of the `inputs`.
pub(crate) fn output<'a>(
    path: Option<&Path>,
    json: bool,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Option<Output>, CliError> {
    let Some(path) = path else { return Ok(None) };
    let output = Output::apart_from(path, Access::Public, inputs.into_iter().map(PathBuf::as_path))?;
    check_json(&output, json)?;
    Ok(Some(output))
}

/// Refuses to print a JSON object among the data.
pub(crate) fn check_json(output: &Output, json: bool) -> Result<(), CliError> {
    if json && output.is_stdout() {
        return Err(CliError::at(output.path(), "--json prints there, and only its object: give another --output"));
    }
    Ok(())
}

/// Parses the ciphertexts of a file that was read.
pub(crate) fn parse_ciphertexts(path: &Path, object: &Object) -> Result<Ciphertexts, CliError> {
    Ciphertexts::from_bytes(&object.bytes).map_err(|error| CliError::at(path, error))
}

/// Values of tables, or large integers with their sign.
pub(crate) fn decrypt_values(client: &Client, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, bootes::Error> {
    if ciphertexts.are_integers() {
        return client.decrypt_integers(ciphertexts);
    }
    Ok(client.decrypt(ciphertexts)?.into_iter().map(|value| value as i64).collect())
}

/// Refuses a missing or superfluous second operand.
pub(crate) fn check_operands(op: IntegerOp, second: Option<&Path>) -> Result<(), CliError> {
    match (op.operands(), second) {
        (2, None) => Err(CliError::new(format!("{op} has two operands: give the second with --input2"))),
        (1, Some(path)) => {
            Err(CliError::at(path, format!("{op} has one operand, and this is a second: leave out --input2")))
        }
        _ => Ok(()),
    }
}

/// Refuses floor:K of integers that have no K bits.
pub(crate) fn check_floor(op: IntegerOp, width: u32) -> Result<(), CliError> {
    match op {
        IntegerOp::Floor(bits) if !(1..=width).contains(&bits) => {
            Err(CliError::new(format!("{op} of {width}-bit integers: expected floor:K with K from 1 to {width}")))
        }
        _ => Ok(()),
    }
}

/// An error of a plan; keys that are missing are a matter of `keygen`.
pub(crate) fn plan_error(path: &Path, error: bootes::Error) -> CliError {
    match error {
        bootes::Error::Lut(LutError::Keys { algorithm, missing }) => CliError::at(
            path,
            format!(
                "{algorithm} needs {missing}, which this server key lacks: make keys with bootes keygen --algorithm {algorithm}, \
                 or --width for functions of integers"
            ),
        ),
        error => CliError::at(path, error),
    }
}
