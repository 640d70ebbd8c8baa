//! `bootes add`, `sub`, `linear`, `slice` and `concat`: what needs no key.

use std::io::Write;
use std::path::{Path, PathBuf};

use bootes::{Ciphertexts, Error, ErrorKind, Space, SpaceError};
use serde_json::json;

use super::{Encrypted, Outcome};
use crate::args::{ConcatArgs, LinearArgs, PairArgs, SliceArgs, Weights};
use crate::error::{CliError, HALVES, for_rows};
use crate::files::{self, Noun, Output, Sealed, read_error};
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
    weighted_sum(&weights, &inputs, 0, &outputs, args.json)
}

pub(crate) fn linear(args: &LinearArgs) -> Result<Outcome, CliError> {
    let inputs = args.inputs.len();
    let ones = [Weights(vec![1; inputs])];
    let all = if args.rows.is_empty() { &ones } else { &args.rows[..] };
    if let Some(row) = all.iter().find(|row| row.0.len() != inputs) {
        let weights = row.0.len();
        return Err(CliError::new(format!(
            "{weights} weights and {inputs} inputs: give a weight for each --input, separated by commas"
        )));
    }
    let outputs = super::outputs(&args.outputs, all.len(), "row", &args.inputs, args.json)?;
    if let ([row], false) = (all, args.sum_rows) {
        return weighted_sum(&row.0, &args.inputs, args.constant, &outputs, args.json);
    }
    let column = |path: &PathBuf| open(path).and_then(read);
    let columns = match args.sum_rows {
        false => args.inputs.iter().map(column).collect::<Result<Vec<_>, _>>(),
        true => args.inputs.iter().map(|path| sum_of_rows(path, &column(path)?)).collect(),
    }?;
    let rows: Vec<&[i64]> = all.iter().map(|row| &row.0[..]).collect();
    let at = |error| of_all(&args.inputs, error);
    let results = Ciphertexts::linear_columns(&columns, &rows).map_err(at)?;
    let results = results.iter().map(|result| result.add_constant(args.constant));
    let results = results.collect::<Result<Vec<_>, _>>().map_err(at)?;
    note_reduced(results[0].space(), rows.iter().copied().flatten());
    write(&outputs, &results, args.json, Made::Sums)
}

/// The sum of all rows of a column.
fn sum_of_rows(path: &Path, column: &Ciphertexts) -> Result<Ciphertexts, CliError> {
    let engine = column.params().engine();
    column.linear_map(&[vec![1; column.len()]]).map_err(|error| match (error.kind(), &error) {
        (ErrorKind::Unsupported, _) => {
            let cure = match engine.has_modulus() {
                true => "take eval --expr \"sum(x)\", whose results have it in every row",
                false => "add up what is decrypted, or take keys of engine fhew, which have sums of rows",
            };
            CliError::at(path, format!("engine {engine} adds up columns, no rows: {cure}"))
        }
        (_, Error::Overflow { range: Some(range), bits, .. }) => {
            let cure = for_rows(column.space(), *range);
            let line = format!("the sum of its rows is from {range}, and there is room for 2^{bits}: {cure}");
            CliError::at(path, line)
        }
        (_, Error::Space(SpaceError::Limbs { space })) => {
            CliError::at(path, format!("its rows are {space}, whose sums need carries: {HALVES}"))
        }
        _ => CliError::of(path, error),
    })
}

pub(crate) fn slice(args: &SliceArgs) -> Result<Outcome, CliError> {
    let output = std::slice::from_ref(&args.output);
    let outputs = super::outputs(output, 1, "input", [&args.input], args.json)?;
    let rows = |count: usize| {
        let rows = args.rows.start..args.rows.end.unwrap_or(count);
        if rows.is_empty() {
            let line = format!("rows {rows:?} are none: expected A..B with A less than B, of rows 0..{count}");
            return Err(CliError::at(&args.input, line));
        }
        Ok(rows)
    };
    match open_all(std::slice::from_ref(&args.input))? {
        Opened::Streams(inputs) => {
            let rows = rows(inputs[0].len())?;
            let count = rows.len();
            let paths = std::slice::from_ref(&args.input);
            stream(inputs, &outputs, args.json, Made::Rows, paths, count, |mut inputs, out| {
                inputs.remove(0).slice_to(rows, out)
            })
        }
        Opened::Whole(mut inputs) => {
            let all = inputs.next().ok_or_else(no_input)??;
            let rows = all.slice(rows(all.len())?).map_err(|error| CliError::of(&args.input, error))?;
            write(&outputs, &[rows], args.json, Made::Rows)
        }
    }
}

pub(crate) fn concat(args: &ConcatArgs) -> Result<Outcome, CliError> {
    let output = std::slice::from_ref(&args.output);
    let outputs = super::outputs(output, 1, "input", &args.inputs, args.json)?;
    match open_all(&args.inputs)? {
        Opened::Streams(inputs) => {
            let count = inputs.iter().map(Encrypted::len).sum();
            let write = |inputs, out: &mut dyn Write| Encrypted::concat_to(inputs, out);
            stream(inputs, &outputs, args.json, Made::Rows, &args.inputs, count, write)
        }
        Opened::Whole(vectors) => {
            let vectors = vectors.collect::<Result<Vec<_>, _>>()?;
            let all = Ciphertexts::concat(&vectors);
            write(&outputs, &[all.map_err(|error| of_all(&args.inputs, error))?], args.json, Made::Rows)
        }
    }
}

/// A refusal of the library about all files.
fn of_all(paths: &[PathBuf], error: Error) -> CliError {
    CliError::new(format!("{}: {}", super::names(paths), CliError::from(error)))
}

fn no_input() -> CliError {
    CliError::new("no input: give --input and --weights")
}

fn weighted_sum(
    weights: &[i64],
    paths: &[PathBuf],
    constant: i64,
    outputs: &[Output],
    json: bool,
) -> Result<Outcome, CliError> {
    match open_all(paths)? {
        Opened::Streams(inputs) => {
            let count = inputs.first().map_or(0, Encrypted::len);
            stream(inputs, outputs, json, Made::Sums, paths, count, |inputs, out| {
                let sum = Encrypted::weighted_sum_to(weights.iter().copied().zip(inputs).collect(), constant, out)?;
                note_reduced(sum, weights);
                Ok(sum)
            })
        }
        // One column at a time is in memory, and the sum.
        Opened::Whole(columns) => {
            check_sum(weights, paths)?;
            let mut sum: Option<Ciphertexts> = None;
            // 2^k times a sum of integers has more room than the sum of their multiples.
            let common = weights.iter().filter(|weight| **weight != 0).map(|weight| weight.trailing_zeros()).min();
            let mut shift = 0;
            for ((&weight, path), column) in weights.iter().zip(paths).zip(columns) {
                let (at, column) = (|error| CliError::of(path, error), column?);
                if sum.is_none() && column.space().integers().is_some() {
                    shift = common.unwrap_or(0).min(62);
                }
                let weight = weight >> shift;
                let weighted = if weight == 1 { column } else { column.mul_small(weight).map_err(at)? };
                sum = Some(match sum {
                    Some(sum) => sum.add(&weighted).map_err(at)?,
                    None => weighted,
                });
            }
            let mut sum = sum.ok_or_else(no_input)?;
            if shift > 0 {
                sum = sum.mul_small(1 << shift).map_err(|error| of_all(paths, error))?;
            }
            if constant != 0 {
                sum = sum.add_constant(constant).map_err(|error| of_all(paths, error))?;
            }
            note_reduced(sum.space(), weights);
            write(outputs, &[sum], json, Made::Sums)
        }
    }
}

/// Refuses a sum of many files for what is wrong with all of it, where heads are small and can be read before.
fn check_sum(weights: &[i64], paths: &[PathBuf]) -> Result<(), CliError> {
    if !paths.iter().all(|path| path.is_file()) {
        return Ok(());
    }
    let mut heads = Vec::new();
    for path in paths {
        let head = super::ciphertexts(open(path)?, None)?.head().clone();
        // A head has a whole ciphertext where that holds many values.
        if head.params().capacity() > 1 {
            return Ok(());
        }
        heads.push(head);
    }
    Ciphertexts::weighted_sum(weights.iter().copied().zip(&heads)).map(drop).map_err(|error| of_all(paths, error))
}

/// Says that weights of residues modulo p are residues, too, where one is not less than p.
fn note_reduced<'a>(space: Space, weights: impl IntoIterator<Item = &'a i64>) {
    let [p] = space.moduli()[..] else { return };
    let beyond = space.integers().is_none().then(|| weights.into_iter().find(|weight| weight.unsigned_abs() >= p));
    if let Some(&weight) = beyond.flatten() {
        let residue = weight.rem_euclid(p as i64);
        report::note(&format!(
            "the ciphertexts hold residues modulo {p}, so that weights are taken modulo {p}: {weight} is {residue}"
        ));
    }
}

/// As many files are read side by side, of some thousand that a process may open.
const MOST_OPEN: usize = 256;

/// Inputs of a command.
enum Opened<'a> {
    /// Read side by side, a few ciphertexts at a time.
    Streams(Vec<Encrypted>),
    /// Too many, which are read one after the other.
    Whole(Box<dyn Iterator<Item = Result<Ciphertexts, CliError>> + 'a>),
}

fn open_all(paths: &[PathBuf]) -> Result<Opened<'_>, CliError> {
    if paths.len() > MOST_OPEN {
        return Ok(Opened::Whole(Box::new(paths.iter().map(|path| open(path).and_then(read)))));
    }
    let open = |path: &PathBuf| open(path).and_then(|file| super::ciphertexts(file, None));
    paths.iter().map(open).collect::<Result<_, _>>().map(Opened::Streams)
}

/// Writes a vector of `count` values as it comes.
fn stream(
    inputs: Vec<Encrypted>,
    outputs: &[Output],
    json: bool,
    made: Made,
    paths: &[PathBuf],
    count: usize,
    write: impl FnOnce(Vec<Encrypted>, &mut dyn Write) -> Result<Space, Error>,
) -> Result<Outcome, CliError> {
    let mut space = None;
    let head = inputs.first().ok_or_else(no_input)?.head().clone();
    let bytes = super::write_results(&outputs[0], Path::new(&super::names(paths)), |out| {
        space = Some(write(inputs, out)?);
        Ok(())
    })?;
    report(outputs, &head, count, &space.into_iter().collect::<Vec<_>>(), bytes, json, made)
}

fn write(outputs: &[Output], results: &[Ciphertexts], json: bool, made: Made) -> Result<Outcome, CliError> {
    super::write_all(outputs, results)?;
    let spaces: Vec<Space> = results.iter().map(Ciphertexts::space).collect();
    let bytes = results.iter().map(Ciphertexts::stored_bytes).sum();
    report(outputs, &results[0], results[0].len(), &spaces, bytes, json, made)
}

/// The kind of results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// Sums: those of residues are residues, which is said.
    Sums,
    /// Rows of the inputs.
    Rows,
}

impl Made {
    /// The message space in words.
    fn in_words(self, space: &Space) -> String {
        match (self, space) {
            (Self::Sums, Space::Modular(p)) => format!("{space} (sums are taken modulo {p})"),
            _ => space.to_string(),
        }
    }
}

/// Tells what was written: vectors of `count` values that hold `spaces`, with parameters and key of `like`.
fn report(
    outputs: &[Output],
    like: &Ciphertexts,
    count: usize,
    spaces: &[Space],
    bytes: u64,
    json: bool,
    made: Made,
) -> Result<Outcome, CliError> {
    if json {
        let spaces: Vec<String> = spaces.iter().map(Space::to_string).collect();
        report::json(&json!({
            "engine": like.params().engine().to_string(),
            "count": count,
            "columns": outputs.len(),
            "space": spaces[0],
            "spaces": spaces,
            "params": like.params().name(),
            "key_id": files::hex(&like.key_id()),
            "ciphertext_bytes": bytes,
        }))?;
    } else if !outputs.iter().any(Output::is_stream) {
        let mut spaces: Vec<String> = spaces.iter().map(|space| made.in_words(space)).collect();
        spaces.dedup();
        let paths: Vec<PathBuf> = outputs.iter().map(|output| output.path().to_path_buf()).collect();
        let (paths, spaces) = (super::names(&paths), report::list(spaces));
        report::line(&format!("{paths}: {}, {spaces}, {}", report::values(count), report::size(bytes)))?;
    }
    Ok(Outcome::Right)
}

fn open(path: &Path) -> Result<Sealed, CliError> {
    let file = Sealed::open(path)?;
    file.expect(Noun::Ciphertexts)?;
    Ok(file)
}

fn read(file: Sealed) -> Result<Ciphertexts, CliError> {
    let path = file.path.clone();
    file.check_memory(None)?;
    file.object(|input| Ciphertexts::read(input)).map_err(|error| read_error(&path, error))
}
