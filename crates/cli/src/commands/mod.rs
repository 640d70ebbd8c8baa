//! One file a command.

pub(crate) mod bench;
pub(crate) mod decrypt;
pub(crate) mod encrypt;
pub(crate) mod eval;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod linear;
pub(crate) mod pair;
pub(crate) mod params;
pub(crate) mod plan;
pub(crate) mod run;

use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use bootes::fhew::{CiphertextReader, Client, KeySizes, Params};
use bootes::wire::{self, ObjectKind, StreamError};
use bootes::{IntegerOp, Interval, KeyNeeds, LutError};

use crate::args::MemoryLimit;
use crate::batch::read_error;
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

/// What is done with a server key of engine fhew, which takes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// It is made, and written from a copy in bytes.
    Made,
    /// It is made and expanded.
    MadeAndExpanded,
    /// It is read and expanded.
    ReadAndExpanded,
}

/// Refuses keys of engine fhew that take more memory than the limit, or than there is, before any is made or read.
pub(crate) fn check_memory(
    params: &Params,
    needs: &KeyNeeds,
    limit: &MemoryLimit,
    what: KeyUse,
) -> Result<(), bootes::Error> {
    // As `server_key_with` does.
    let KeySizes { stored, memory, .. } = KeySizes::of(params, &params.integer_keys().and(needs.clone()));
    let needed = match what {
        // The payload and the envelope around it.
        KeyUse::Made => 3 * stored,
        KeyUse::MadeAndExpanded => stored + memory,
        KeyUse::ReadAndExpanded => stored + memory.max(stored),
    } as u64;
    let available = [limit.bytes(), bootes::available_memory()].into_iter().flatten().min();
    match available {
        Some(available) if available < needed => Err(bootes::Error::Memory { needed, available }),
        _ => Ok(()),
    }
}

/// Loads a client key.
pub(crate) fn load_client(key: Sealed) -> Result<(Object, Client), CliError> {
    key.expect(ObjectKind::ClientKey)?;
    let path = key.path.clone();
    let object = key.read(None)?;
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

/// Ciphertexts of engine fhew in a file, which are read as they are needed.
pub(crate) type Encrypted = CiphertextReader<Box<dyn Read + Send>>;

/// A file of so many bytes is read and verified before anything else is done; damage to a larger one shows when all of
/// it was read.
const VERIFIED_FIRST: u64 = 32 << 20;

/// Ciphertexts of engine fhew, of which the head is read and checked.
pub(crate) fn ciphertexts(input: Sealed) -> Result<Encrypted, CliError> {
    let path = input.path.clone();
    input.params()?;
    let input: Box<dyn Read + Send> = if input.bytes <= VERIFIED_FIRST {
        let mut bytes = input.read(None)?.bytes;
        wire::open(&bytes, ObjectKind::Ciphertexts).map_err(|error| CliError::at(&path, error))?;
        Box::new(Cursor::new(std::mem::take(&mut *bytes)))
    } else {
        Box::new(input.input)
    };
    CiphertextReader::new(input).map_err(|error| read_error(&path, error))
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: &'a mut u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        *self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes results to `output` as `write` gives them; how many bytes they are. What is no matter of the output is said
/// of the `input`.
pub(crate) fn write_results(
    output: &Output,
    input: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), bootes::Error>,
) -> Result<u64, CliError> {
    let (mut bytes, mut refused) = (0, None);
    let written = output.write_with(|out| {
        write(&mut Counted { out, bytes: &mut bytes }).map_err(|error| match error {
            bootes::Error::Stream(StreamError::Io(error)) => error,
            error => {
                refused = Some(CliError::at(input, error));
                io::ErrorKind::Other.into()
            }
        })
    });
    refused.map_or(written, Err).map(|()| bytes)
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
        bootes::Error::Lut(LutError::Range { op, operands, width, .. }) => {
            let ranges: Vec<String> = operands.iter().map(Interval::to_string).collect();
            let what = if ranges.len() == 1 { "they have" } else { "their differences have" };
            CliError::at(
                path,
                format!(
                    "{op} of integers from {}: {what} no room in {width}-bit integers; encrypt those that are never negative \
                     with --unsigned, or all with a larger --width",
                    ranges.join(" and from ")
                ),
            )
        }
        error => CliError::at(path, error),
    }
}
