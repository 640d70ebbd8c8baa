//! `bootes add`, `sub` and `linear`: what needs no key.

use std::path::{Path, PathBuf};

use bootes::Ciphertexts;
use serde_json::json;

use super::Outcome;
use crate::args::{LinearArgs, PairArgs};
use crate::error::CliError;
use crate::files::{self, Access, CIPHERTEXTS, Output, Sealed, io_error, read_error};
use crate::report;

pub(crate) fn add(args: &PairArgs) -> Result<Outcome, CliError> {
    of_pair(args, [1, 1])
}

pub(crate) fn sub(args: &PairArgs) -> Result<Outcome, CliError> {
    of_pair(args, [1, -1])
}

fn of_pair(args: &PairArgs, weights: [i64; 2]) -> Result<Outcome, CliError> {
    let inputs = [args.input.clone(), args.input2.clone()];
    weighted_sum(&weights, &inputs, 0, &args.output, args.json)
}

pub(crate) fn linear(args: &LinearArgs) -> Result<Outcome, CliError> {
    let (weights, inputs) = (args.weights.len(), args.inputs.len());
    if weights != inputs {
        return Err(CliError::new(format!(
            "{weights} weights and {inputs} inputs: give a weight for each --input, separated by commas"
        )));
    }
    weighted_sum(&args.weights, &args.inputs, args.constant, &args.output, args.json)
}

fn weighted_sum(
    weights: &[i64],
    inputs: &[PathBuf],
    constant: i64,
    output: &Path,
    json: bool,
) -> Result<Outcome, CliError> {
    let output = Output::apart_from(output, Access::Public, inputs.iter().map(PathBuf::as_path))?;
    super::check_json(&output, json)?;
    let mut sum: Option<Ciphertexts> = None;
    for (&weight, path) in weights.iter().zip(inputs) {
        let at = |error| CliError::at(path, error);
        let column = read(path)?;
        let weighted = if weight == 1 { column } else { column.mul_small(weight).map_err(at)? };
        sum = Some(match sum {
            Some(sum) => sum.add(&weighted).map_err(at)?,
            None => weighted,
        });
    }
    let Some(mut sum) = sum else { return Err(CliError::new("no input: give --input and --weights")) };
    if constant != 0 {
        sum = sum.add_constant(constant)?;
    }
    output.write_with(|out| sum.write(out).map(drop).map_err(io_error))?;
    if json {
        report::json(&json!({
            "engine": sum.params().engine().to_string(),
            "count": sum.len(),
            "space": sum.space().to_string(),
            "params": sum.params().name(),
            "key_id": files::hex(&sum.key_id()),
            "ciphertext_bytes": sum.stored_bytes(),
        }))?;
    } else if !output.is_stream() {
        report::line(&format!(
            "{}: {} ciphertexts of {}, {}",
            output.path().display(),
            sum.len(),
            sum.space(),
            report::size(sum.stored_bytes()),
        ))?;
    }
    Ok(Outcome::Right)
}

fn read(path: &Path) -> Result<Ciphertexts, CliError> {
    let file = Sealed::open(path)?;
    file.expect(CIPHERTEXTS)?;
    file.check_memory(None)?;
    file.object(|input| Ciphertexts::read(input)).map_err(|error| read_error(path, error))
}
