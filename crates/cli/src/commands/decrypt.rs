//! `bootes decrypt`: ciphertexts to integers or bytes.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Encrypted, Outcome};
use crate::args::DecryptArgs;
use crate::columns;
use crate::error::CliError;
use crate::files::{self, Noun, Sealed, read_error};
use crate::integers::{self, Format};
use crate::report;

/// Bytes that lists take as values of JSON, and the line of them while it grows and is written.
fn json_bytes(lists: &[Vec<i128>]) -> usize {
    lists.iter().map(|list| size_of::<Value>() * list.len() + 4 * integers::text_bytes(list)).sum()
}

pub(crate) fn run(args: &DecryptArgs) -> Result<Outcome, CliError> {
    let (inputs, names) = (args.inputs.len(), args.columns.len());
    if names.max(1) != inputs {
        return Err(CliError::new(format!(
            "{inputs} inputs and {names} columns: give a --column for each --input, in their order, or one input alone"
        )));
    }
    columns::distinct(&args.columns)?;
    let output = super::output(args.output.as_deref(), args.json, [&args.key].into_iter().chain(&args.inputs))?;
    let option = match (args.bytes, names) {
        (true, _) => Some(("--bytes", Format::Bytes)),
        (false, 1..) => Some(("--column", Format::Csv)),
        (false, 0) => None,
    };
    let format = Format::of_output(args.output.as_deref(), option)?;
    let key = Sealed::open(&args.key)?;
    super::check_engine(&key, args.engine)?;
    key.expect(Noun::ClientKey)?;
    let mut inputs = Vec::new();
    for path in &args.inputs {
        let input = Sealed::open(path)?;
        input.expect(Noun::Ciphertexts)?;
        files::check_match(&key, &input)?;
        inputs.push(input);
    }
    let client = super::client(key)?;
    let inputs = inputs.into_iter().map(|input| super::ciphertexts(input, None)).collect::<Result<Vec<_>, _>>()?;
    let (space, rows, first) = (inputs[0].space(), inputs[0].len(), args.inputs[0].display());
    let mut kinds: Vec<String> = inputs.iter().map(|input| input.space().to_string()).collect();
    let count: usize = inputs.iter().map(Encrypted::ciphertexts).sum();
    if let Some((input, path)) = inputs.iter().zip(&args.inputs).find(|(input, _)| input.len() != rows) {
        let held = report::values(input.len());
        let line = format!("it has {held}, and {first} has {rows}: columns of one file have as many");
        return Err(CliError::at(path, line));
    }
    let decrypt =
        |(input, path): (Encrypted, &PathBuf)| client.decrypt_wide_from(input).map_err(|error| read_error(path, error));
    let (lists, time) =
        report::timed(|| inputs.into_iter().zip(&args.inputs).map(decrypt).collect::<Result<Vec<_>, _>>());
    let lists = lists?;
    let bytes = match format {
        Format::Csv => columns::output(&args.columns, &lists)?,
        format => integers::output(&lists[0], format)?,
    };
    if let Some(output) = &output {
        output.write(&bytes)?;
    }
    if args.json {
        let mut object = json!({
            "engine": client.params().engine().to_string(),
            "count": rows,
            "ciphertexts": count,
            "bits": space.bits(),
            "space": space.to_string(),
            "spaces": kinds,
            "integers": space.integers().is_some(),
            "modulus": space.modulus(),
            "range": report::numbers([space.range().min, space.range().max]),
            "params": client.params().name(),
            "key_id": files::hex(&client.key_id()),
            "decrypt_s": time.as_secs_f64(),
        });
        match (&args.output, &args.columns[..]) {
            (Some(_), _) => {}
            (None, []) => {
                integers::check_room(json_bytes(&lists))?;
                object["values"] = report::numbers(lists[0].iter().copied());
            }
            (None, names) => {
                integers::check_room(json_bytes(&lists))?;
                object["columns"] = names.iter().cloned().zip(lists.into_iter().map(report::numbers)).collect();
            }
        }
        report::json(&object)?;
    } else if let Some(output) = &output {
        if output.is_stream() {
            return Ok(Outcome::Right);
        }
        kinds.dedup();
        report::line(&format!(
            "{}: {rows} {} as {}, {}",
            output.path().display(),
            report::list(kinds),
            format.name(),
            report::duration(time),
        ))?;
    } else {
        report::out(&bytes)?;
    }
    Ok(Outcome::Right)
}
