//! `bootes add`, `sub`, `linear`, `slice` and `concat`: what needs no key.

use std::path::{Path, PathBuf};

use bootes::Ciphertexts;
use serde_json::json;

use super::Outcome;
use crate::args::{ConcatArgs, LinearArgs, PairArgs, SliceArgs};
use crate::error::CliError;
use crate::files::{self, CIPHERTEXTS, Output, Sealed, read_error};
use crate::report;

pub(crate) fn add(args: &PairArgs) -> Result<Outcome, CliError> {
    of_pair(args, [1, 1])
}

pub(crate) fn sub(args: &PairArgs) -> Result<Outcome, CliError> {
    of_pair(args, [1, -1])
}

fn of_pair(args: &PairArgs, weights: [i64; 2]) -> Result<Outcome, CliError> {
    let (inputs, output) = ([args.input.clone(), args.input2.clone()], std::slice::from_ref(&args.output));
    let outputs = super::outputs(output, 1, "input", &inputs, args.json)?;
    write(&outputs, output, &[weighted_sum(&weights, &inputs, 0)?], args.json)
}

pub(crate) fn linear(args: &LinearArgs) -> Result<Outcome, CliError> {
    let inputs = args.inputs.len();
    if let Some(row) = args.rows.iter().find(|row| row.0.len() != inputs) {
        let weights = row.0.len();
        return Err(CliError::new(format!(
            "{weights} weights and {inputs} inputs: give a weight for each --input, separated by commas"
        )));
    }
    let outputs = super::outputs(&args.outputs, args.rows.len(), "row", &args.inputs, args.json)?;
    let results = match &args.rows[..] {
        [row] => vec![weighted_sum(&row.0, &args.inputs, args.constant)?],
        rows => {
            let columns = args.inputs.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
            let rows: Vec<&[i64]> = rows.iter().map(|row| &row.0[..]).collect();
            let results = Ciphertexts::linear_columns(&columns.iter().collect::<Vec<_>>(), &rows)
                .map_err(|error| of_all(&args.inputs, error))?;
            results.iter().map(|result| result.add_constant(args.constant)).collect::<Result<_, _>>()?
        }
    };
    write(&outputs, &args.outputs, &results, args.json)
}

pub(crate) fn slice(args: &SliceArgs) -> Result<Outcome, CliError> {
    let output = std::slice::from_ref(&args.output);
    let outputs = super::outputs(output, 1, "input", [&args.input], args.json)?;
    let all = read(&args.input)?;
    let end = args.rows.end.unwrap_or(all.len());
    let rows = args.rows.start..end;
    if rows.is_empty() {
        let line = format!("rows {rows:?} are none: expected A..B with A less than B, of rows 0..{}", all.len());
        return Err(CliError::at(&args.input, line));
    }
    let rows = all.slice(rows).map_err(|error| CliError::of(&args.input, error))?;
    write(&outputs, output, &[rows], args.json)
}

pub(crate) fn concat(args: &ConcatArgs) -> Result<Outcome, CliError> {
    let output = std::slice::from_ref(&args.output);
    let outputs = super::outputs(output, 1, "input", &args.inputs, args.json)?;
    let vectors = args.inputs.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let all = Ciphertexts::concat(&vectors.iter().collect::<Vec<_>>()).map_err(|error| of_all(&args.inputs, error))?;
    write(&outputs, output, &[all], args.json)
}

/// A refusal of the library about all files.
fn of_all(paths: &[PathBuf], error: bootes::Error) -> CliError {
    CliError::new(format!("{}: {}", super::names(paths), CliError::from(error)))
}

/// One column at a time is in memory, and the sum.
fn weighted_sum(weights: &[i64], inputs: &[PathBuf], constant: i64) -> Result<Ciphertexts, CliError> {
    let mut sum: Option<Ciphertexts> = None;
    for (&weight, path) in weights.iter().zip(inputs) {
        let at = |error| CliError::of(path, error);
        let column = read(path)?;
        let weighted = if weight == 1 { column } else { column.mul_small(weight).map_err(at)? };
        sum = Some(match sum {
            Some(sum) => sum.add(&weighted).map_err(at)?,
            None => weighted,
        });
    }
    let Some(sum) = sum else { return Err(CliError::new("no input: give --input and --weights")) };
    Ok(if constant == 0 { sum } else { sum.add_constant(constant)? })
}

fn write(outputs: &[Output], paths: &[PathBuf], results: &[Ciphertexts], json: bool) -> Result<Outcome, CliError> {
    super::write_all(outputs, results)?;
    let (first, bytes): (_, u64) = (&results[0], results.iter().map(Ciphertexts::stored_bytes).sum());
    if json {
        report::json(&json!({
            "engine": first.params().engine().to_string(),
            "count": first.len(),
            "columns": results.len(),
            "space": first.space().to_string(),
            "spaces": results.iter().map(|result| result.space().to_string()).collect::<Vec<_>>(),
            "params": first.params().name(),
            "key_id": files::hex(&first.key_id()),
            "ciphertext_bytes": bytes,
        }))?;
    } else if !outputs.iter().any(Output::is_stream) {
        let mut spaces: Vec<String> = results.iter().map(|result| result.space().to_string()).collect();
        spaces.dedup();
        let (paths, count, spaces) = (super::names(paths), first.len(), report::list(spaces));
        report::line(&format!("{paths}: {count} values, {spaces}, {}", report::size(bytes)))?;
    }
    Ok(Outcome::Right)
}

fn read(path: &Path) -> Result<Ciphertexts, CliError> {
    let file = Sealed::open(path)?;
    file.expect(CIPHERTEXTS)?;
    file.check_memory(None)?;
    file.object(|input| Ciphertexts::read(input)).map_err(|error| read_error(path, error))
}
