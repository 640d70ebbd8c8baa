//! Commands that make ciphertexts of what another key encrypted: of another engine, or of AES.

use std::path::PathBuf;

use clap::Args;

use super::{MemoryLimit, Threads};

#[derive(Debug, Args)]
pub(crate) struct ConversionKeyArgs {
    /// Client key of the ciphertexts that are converted, of any engine
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) from: PathBuf,
    /// Client key of the ciphertexts that come out, of engine fhew; or of ckks or bfv, from engine fhew
    #[arg(long, value_name = "CLIENT_KEY2")]
    pub(crate) to: PathBuf,
    /// Conversion key to write, for the server: it is not secret
    #[arg(long, value_name = "CONVERSION_KEY")]
    pub(crate) output: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// Conversion key, of conversion-key
    #[arg(long, value_name = "CONVERSION_KEY")]
    pub(crate) key: PathBuf,
    /// Server key of the client of engine bfv, from or to which it leads; not between engines ckks and fhew
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) server: Option<PathBuf>,
    /// Ciphertext file
    #[arg(long, value_name = "C")]
    pub(crate) input: PathBuf,
    /// Rows to convert, counted from 0, in this order: 5, or 5..9 up to row 9, or several with commas: 5..9,0,2
    /// [default: all]
    #[arg(long, value_name = "A,B..C,…", value_parser = picks)]
    pub(crate) rows: Option<Picks>,
    /// Ciphertext file to write
    #[arg(long, value_name = "R")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TranscipherArgs {
    /// Server key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) key: PathBuf,
    /// Encrypted key of AES, of encrypt --symmetric --symmetric-key K
    #[arg(long, value_name = "K")]
    pub(crate) symmetric_key: PathBuf,
    /// File of encrypt --symmetric
    #[arg(long, value_name = "S")]
    pub(crate) input: PathBuf,
    /// Ciphertext file to write: residues, inputs of any table
    #[arg(long, value_name = "C", required_unless_present = "plan")]
    pub(crate) output: Option<PathBuf>,
    /// Say how long it takes and how often it fails, and do nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// Rows in the order in which they are wanted: ranges, to the end where there is none.
#[derive(Clone, Debug)]
pub(crate) struct Picks(Vec<(usize, Option<usize>)>);

impl Picks {
    /// The rows, of `len`; one that there is not, if there is one.
    pub(crate) fn of(&self, len: usize) -> Result<Vec<usize>, usize> {
        let mut rows = Vec::new();
        for &(start, end) in &self.0 {
            let end = end.unwrap_or(len);
            if start.max(end.saturating_sub(1)) >= len {
                return Err(start.max(end.saturating_sub(1)));
            }
            rows.extend(start..end);
        }
        Ok(rows)
    }
}

fn picks(text: &str) -> Result<Picks, String> {
    let expected = || "expected rows and ranges of rows, separated by commas: 5..9,0,2".to_string();
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| expected());
    let pick = |pick: &str| match pick.split_once("..") {
        None => number(pick).map(|row| (row, Some(row.saturating_add(1)))),
        Some((start, end)) => {
            let start = if start.trim().is_empty() { 0 } else { number(start)? };
            let end = if end.trim().is_empty() { None } else { Some(number(end)?) };
            if end.is_some_and(|end| end <= start) {
                return Err(format!("rows {} are none: expected A..B with A less than B", pick.trim()));
            }
            Ok((start, end))
        }
    };
    text.split(',').map(pick).collect::<Result<_, _>>().map(Picks)
}
