//! Commands that need no key: sums and matrices across columns, rows cut out and put together.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct PairArgs {
    /// Ciphertext file
    #[arg(long, value_name = "C")]
    pub(crate) input: PathBuf,
    /// Ciphertext file of as many values, under the same key
    #[arg(long, value_name = "C2")]
    pub(crate) input2: PathBuf,
    /// Ciphertext file to write
    #[arg(long, value_name = "R")]
    pub(crate) output: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LinearArgs {
    /// An integer for each input, separated by commas; several give a matrix, a row each:
    /// --weights 1,2 --output R1 --weights 3,-4 --output R2
    #[arg(long = "weights", value_name = "W1,W2,…", value_parser = weights, required_unless_present = "sum_rows")]
    pub(crate) rows: Vec<Weights>,
    /// Add up the rows of each input first, so that results have one value (engine fhew); without --weights those are
    /// added up, too
    #[arg(long)]
    pub(crate) sum_rows: bool,
    /// Ciphertext files of as many values, under one key: --input C1 --input C2 …
    #[arg(long = "input", value_name = "C", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Added to every sum; sums of B-bit messages are taken modulo 2^B, those of integers (encrypt --width) keep the
    /// range that they need, or are refused
    #[arg(long, value_name = "N", value_parser = super::constant, default_value_t = 0)]
    pub(crate) constant: i64,
    /// Ciphertext file to write; one for each --weights, in their order
    #[arg(long = "output", value_name = "R", required = true)]
    pub(crate) outputs: Vec<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// A row of a matrix across columns.
#[derive(Clone, Debug)]
pub(crate) struct Weights(pub(crate) Vec<i64>);

fn weights(text: &str) -> Result<Weights, String> {
    let all = text.split(',').map(|weight| weight.trim().parse()).collect::<Result<_, _>>();
    all.map(Weights).map_err(|_| "expected integers of 64 bits, -2^63 to 2^63 - 1, separated by commas".to_string())
}

#[derive(Debug, Args)]
pub(crate) struct SliceArgs {
    /// Ciphertext file
    #[arg(long, value_name = "C")]
    pub(crate) input: PathBuf,
    /// From row A, counted from 0, up to row B, or to the end; engine ckks takes whole ciphertexts
    #[arg(long, value_name = "A..B", value_parser = rows)]
    pub(crate) rows: Rows,
    /// Ciphertext file to write
    #[arg(long, value_name = "R")]
    pub(crate) output: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// Some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) start: usize,
    /// To the end, if there is none.
    pub(crate) end: Option<usize>,
}

fn rows(text: &str) -> Result<Rows, String> {
    let expected = || "expected A..B, A.. or ..B".to_string();
    let (start, end) = text.split_once("..").ok_or_else(expected)?;
    let number = |text: &str| if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_| expected()) };
    Ok(Rows { start: number(start)?.unwrap_or(0), end: number(end)? })
}

#[derive(Debug, Args)]
pub(crate) struct ConcatArgs {
    /// Ciphertext files under one key, in their order: --input C1 --input C2 …
    #[arg(long = "input", value_name = "C", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Ciphertext file to write
    #[arg(long, value_name = "R")]
    pub(crate) output: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}
