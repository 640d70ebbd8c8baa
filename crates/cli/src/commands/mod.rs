//! One file a command.

pub(crate) mod bench;
pub(crate) mod compress;
pub(crate) mod convert;
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
pub(crate) mod transcipher;

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use bootes::planner;
use bootes::wire::{self, StreamError};
use bootes::{
    Cancel, CiphertextReader, Ciphertexts, Client, Engine, IntegerOp, Load, MaskStorage, PaddingUse, Params, Plan,
    PublicKey, Server, ServerKey, Space,
};

use crate::args::{MaskChoice, MemoryLimit, Sign, Threads};
use crate::error::CliError;
use crate::files::{Access, Noun, Output, Sealed, Staged, io_error, of_engine, read_error};
use crate::integers;
use crate::progress::{Progress, Watched};
use crate::report;
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
    let for_what = match found {
        "compress-many" => Some("several tables"),
        _ => (found == "cmux-tree" || found.starts_with("tree-")).then_some("tables on long integers"),
    };
    if let Some(what) = for_what {
        return Err(CliError::new(format!(
            "--algorithm cannot ask for {found}, which the planner takes by itself for {what}: leave it out"
        )));
    }
    let tip = suggest::nearest(found, names.iter().map(String::as_str))
        .map_or(String::new(), |name| format!(" (did you mean {name}?)"));
    Err(CliError::new(format!("no algorithm is called \"{found}\"{tip}: expected one of {}", names.join(", "))))
}

/// The space of the values of an expression.
pub(crate) fn space(
    width: Option<u32>,
    sign: Sign,
    bits: Option<u32>,
    modulus: Option<u64>,
) -> Result<Space, CliError> {
    match (width, bits, modulus) {
        (Some(width), ..) => Ok(sign.space(width)),
        (_, Some(bits), _) => Ok(Space::of_bits(bits)),
        (_, _, Some(p)) => Ok(Space::Modular(p)),
        _ => Err(CliError::new(
            "how long are the values? --expr needs --width W (with --unsigned where none is negative) for integers, \
             or --bits B or --modulus P for residues",
        )),
    }
}

/// Says which operations of an expression have part in slots that no value is in, where these may not be 0.
pub(crate) fn note_padding(plan: &Plan, count: usize, capacity: usize) {
    for PaddingUse { operation, holds } in plan.padding_uses() {
        let what = if *operation == "sum" { "adds them" } else { "moves them among the values" };
        let (hold, zero) = match holds {
            Some(c) => (format!("hold {c} each by then"), "0, of which a constant or a table made that"),
            None => ("may hold something other than 0".into(), "0, of which constants and tables make something else"),
        };
        report::note(&format!(
            "{} of the {capacity} slots have no value, and {hold} (they are filled with {zero}): {operation} \
             {what}; for 0 there, multiply by an input of {count} ones first",
            capacity - count % capacity,
        ));
    }
}

/// Refuses a key of another engine than `--engine` names.
pub(crate) fn check_engine(key: &Sealed, wanted: Option<Engine>) -> Result<(), CliError> {
    match (key.engine(), wanted) {
        (found, Some(wanted)) if wanted != found => Err(CliError::at(
            &key.path,
            format!(
                "it is {}, but --engine is {wanted}: leave that out or give another key",
                of_engine(key.header.kind.with_article(), found)
            ),
        )),
        _ => Ok(()),
    }
}

/// The refusal of a named set for an engine that is none of its own.
pub(crate) fn other_engine(set: &Params, engine: Engine) -> CliError {
    CliError::new(format!(
        "{} is a parameter set of engine {}, not {engine}: leave --engine out, or name another set (see bootes params)",
        set.name(),
        set.engine()
    ))
}

/// The load of an evaluation on this machine and within these limits.
pub(crate) fn load(values: usize, threads: &Threads, memory: &MemoryLimit, masks: &MaskChoice) -> Load {
    let here = Load::here(values);
    let memory = [here.memory, memory.bytes()].into_iter().flatten().min();
    Load { threads: threads.here(), memory, masks: masks.storage(), ..here }
}

/// Loads a client key. What large sets take is checked where they are made.
pub(crate) fn client(key: Sealed) -> Result<Client, CliError> {
    key.expect(Noun::ClientKey)?;
    integers::check_room(key.engine().least_client_bytes())?;
    let path = key.path.clone();
    Client::from_bytes(&key.read_client_key()?).map_err(|error| CliError::of(&path, error))
}

/// Loads a public key.
pub(crate) fn public_key(key: Sealed) -> Result<PublicKey, CliError> {
    key.expect(Noun::PublicKey)?;
    integers::check_room(key.engine().least_client_bytes())?;
    let path = key.path.clone();
    key.object(|input| PublicKey::read(input)).map_err(|error| read_error(&path, error))
}

/// Refuses what takes more bytes than the limit allows, or than there are.
pub(crate) fn check_memory(needed: u64, limit: Option<u64>) -> Result<(), bootes::Error> {
    let available = [limit, bootes::available_memory()].into_iter().flatten().min();
    match available.filter(|&available| available < needed) {
        Some(available) => Err(bootes::Error::Memory { needed, available }),
        None => Ok(()),
    }
}

/// Refuses to evaluate where what is left to threads, for their stacks and heaps, is too little for the smallest set.
pub(crate) fn check_least(engine: Engine) -> Result<(), bootes::Error> {
    check_memory(engine.least_client_bytes() as u64, None)
}

/// The server with this key, expanded, with what is seen of that.
pub(crate) fn server(
    key: ServerKey,
    threads: usize,
    memory: Option<u64>,
    masks: Option<MaskStorage>,
) -> Result<Server, bootes::Error> {
    check_least(key.params().engine())?;
    let _spinner = Progress::spinner("expanding the server key");
    let mut server = Server::builder(key).threads(threads);
    if let Some(memory) = memory {
        server = server.memory(memory);
    }
    if let Some(masks) = masks {
        server = server.masks(masks);
    }
    server.build()
}

/// What plans, with what is seen of that: programs of many divisions take a while.
pub(crate) fn planned<T: Send>(plan: impl FnOnce() -> Result<T, bootes::Error> + Send) -> Result<T, bootes::Error> {
    let bar = Progress::bar_of("planning", "%", 100);
    planner::watched(&Cancel::new(), bar.teller(100), plan)
}

/// Loads a server key, with a bar.
pub(crate) fn server_key(file: Sealed, memory: Option<u64>) -> Result<ServerKey, CliError> {
    let bar = Progress::bar_of("loading the server key", "MB", (file.bytes / 1_000_000) as usize);
    let path = file.path.clone();
    file.object(|input| ServerKey::read_within(memory, Watched::new(input, &bar)))
        .map_err(|error| read_error(&path, error))
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

/// Where ciphertexts go, a file for each of `count` columns or tables (one for none): none of the `inputs`, and no two
/// of them one.
pub(crate) fn outputs<'a>(
    paths: &[PathBuf],
    count: usize,
    what: &str,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    json: bool,
) -> Result<Vec<Output>, CliError> {
    let (found, expected, inputs) = (paths.len(), count.max(1), inputs.into_iter().collect::<Vec<_>>());
    if found != expected {
        return Err(CliError::new(match (count, found) {
            (0, _) => format!("{found} outputs for one result: give one --output"),
            (_, 1) => format!("1 output for {expected} {what}s: give an --output for each {what}, in their order"),
            _ => format!("{found} outputs for {expected} {what}(s): give an --output for each {what}, in their order"),
        }));
    }
    let (mut all, mut known) = (Vec::new(), HashMap::new());
    for path in paths {
        let output = Output::apart_from(path, Access::Public, inputs.iter().map(|input| input.as_path()))?;
        check_json(&output, json)?;
        if let Some(other) = known.insert(Output::place_of(path), path) {
            let line = format!("it is the same file as {}: give each {what} an --output of its own", other.display());
            return Err(CliError::at(path, line));
        }
        all.push(output);
    }
    Ok(all)
}

/// Writes a vector to each of the outputs, all or none.
pub(crate) fn write_all(outputs: &[Output], results: &[Ciphertexts]) -> Result<(), CliError> {
    let mut staged = Vec::new();
    for (output, result) in outputs.iter().zip(results) {
        staged.push(output.stage_with(|out| result.write(out).map(drop).map_err(io_error))?);
    }
    Staged::commit(staged)
}

/// Some paths in a report.
pub(crate) fn names(paths: &[PathBuf]) -> String {
    report::list(paths.iter().map(|path| path.display()))
}

/// Refuses to print a JSON object among the data.
pub(crate) fn check_json(output: &Output, json: bool) -> Result<(), CliError> {
    if json && output.is_stdout() {
        return Err(CliError::at(output.path(), "--json prints there, and only its object: give another --output"));
    }
    Ok(())
}

/// Ciphertexts in a file, which are read as they are needed.
pub(crate) type Encrypted = CiphertextReader<'static>;

/// A file of so many bytes is read and verified before anything else is done; damage to a larger one shows when all of
/// it was read.
const VERIFIED_FIRST: u64 = 32 << 20;

/// Ciphertexts of which the head is read and checked.
pub(crate) fn ciphertexts(input: Sealed, memory: Option<u64>) -> Result<Encrypted, CliError> {
    let path = input.path.clone();
    let room = [memory, bootes::available_memory()].into_iter().flatten().min();
    let is_small = input.bytes <= room.map_or(VERIFIED_FIRST, |room| VERIFIED_FIRST.min(room / 8));
    let input: Box<dyn Read + Send> = if is_small {
        let kind = input.header.kind;
        let bytes = input.read_all()?;
        wire::open(&bytes, kind).map_err(|error| CliError::of(&path, error.into()))?;
        Box::new(Cursor::new(bytes))
    } else {
        Box::new(input.input)
    };
    CiphertextReader::within(memory, input).map_err(|error| read_error(&path, error))
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
                refused = Some(CliError::of(input, error));
                io::ErrorKind::Other.into()
            }
        })
    });
    refused.map_or(written, Err).map(|()| bytes)
}

/// Refuses missing and superfluous operands.
pub(crate) fn check_operands(op: IntegerOp, paths: &[PathBuf]) -> Result<(), CliError> {
    match (op.operands(), paths) {
        (2, [_]) => Err(CliError::new(format!("{op} has two operands: give the second with --input2"))),
        (1, [_, path, ..]) => {
            Err(CliError::at(path, format!("{op} has one operand, and this is a second: leave it out")))
        }
        (2, [_, _, path, ..]) => {
            Err(CliError::at(path, format!("{op} has two operands, and this is a third: leave it out")))
        }
        _ => Ok(()),
    }
}

/// Refuses floor:K of integers that have no K bits.
pub(crate) fn check_floor(op: IntegerOp, width: u32) -> Result<(), CliError> {
    match op {
        // Integers without a width are refused for that.
        IntegerOp::Floor(bits) if width > 0 && !(1..=width).contains(&bits) => {
            Err(CliError::new(format!("{op} of {width}-bit integers: expected floor:K with K from 1 to {width}")))
        }
        _ => Ok(()),
    }
}
