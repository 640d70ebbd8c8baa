//! The command line.

use std::io::ErrorKind;
use std::path::PathBuf;

use bootes::{Ciphertexts, Client, Engine, FailureTarget, IntegerOp, Interval, Lut, Objective, Params};
use clap::error::ErrorKind as ClapError;
use clap::{ArgGroup, Args, Parser, Subcommand};

use crate::error::CliError;
use crate::integers::{MAX_BITS, MAX_TABLE_BITS, MAX_WIDTH};
use crate::report;
use crate::suggest;

mod engine;

use engine::engine;
pub(crate) use engine::{MaskChoice, MemoryLimit};

/// More threads than any machine has; a typing mistake should not start a million.
const MOST_THREADS: usize = 1024;

/// Evaluates any lookup table on encrypted integers.
///
/// A client makes a key pair (`keygen`), encrypts integers (`encrypt`) and decrypts results (`decrypt`); a server with
/// the server key applies a table to the ciphertexts, or a function of large integers (`eval`), and learns neither
/// inputs nor results. `run` does all of it here and checks the result. `plan` says which algorithm does what, and why.
#[derive(Debug, Parser)]
#[command(name = "bootes", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Exit status: 0 if all is well, 1 if `run` found a wrong value, 2 on an error, with one line on standard error, \
141 if whoever read standard output went away.
BOOTES_ISA=scalar|avx2|avx512 limits the instructions used.
BOOTES_CALIBRATION=FILE predicts times for this machine: FILE is what `bench calibrate --write FILE` wrote here.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do the whole job here: keys, encryption, evaluation, decryption, and a check against plain values
    Run(RunArgs),
    /// Make a key pair: DIR/client.key (secret) and DIR/server.key (public)
    Keygen(KeygenArgs),
    /// Encrypt integers or bytes with a client key
    Encrypt(EncryptArgs),
    /// Apply a table, or a function of large integers, to ciphertexts with a server key
    Eval(EvalArgs),
    /// Add two files of ciphertexts, value by value
    Add(PairArgs),
    /// Subtract the second file of ciphertexts from the first
    Sub(PairArgs),
    /// Add up several files of ciphertexts, each times an integer, or apply a matrix to them
    Linear(LinearArgs),
    /// Take some rows of a file of ciphertexts
    Slice(SliceArgs),
    /// Put files of ciphertexts one after the other
    Concat(ConcatArgs),
    /// Decrypt ciphertexts with a client key
    Decrypt(DecryptArgs),
    /// Compare all algorithms and parameter sets for tables of a size, and choose
    Plan(PlanArgs),
    /// List the parameter sets, or describe one
    Params(ParamsArgs),
    /// Say what a key or ciphertext file is, and check it
    Inspect(InspectArgs),
    /// List or run the benchmarks
    Bench(BenchArgs),
}

macro_rules! table_help {
    () => {
        "Table file: 2^B integers for B-bit inputs (B from 1 to 16), or P with --modulus P, separated by white space or \
         commas; `#` starts a comment; entry i is the image of i"
    };
}

const TABLE_HELP: &str = table_help!();

const TABLES_HELP: &str =
    concat!(table_help!(), ". Several tables of one input share work: --table T1 --output R1 --table T2 --output R2 …");

const INPUT_HELP: &str = "\
Input file: integers, separated by white space or commas; `#` starts a comment. At 8 bits a file that does not \
begin like one is taken as its bytes. At most 16777216 values";

const OP_HELP: &str = "\
Function of large integers, instead of a table: sign (1 if x < 0), less (1 if x < y), relu, abs, max, min, or floor:K (x/2^K, \
rounded down)";

/// What the sizes of a table and its results are.
#[derive(Debug, Default, Args)]
pub(crate) struct TableForm {
    /// Width of the results in bits, instead of the width of the largest entry
    #[arg(long, value_name = "BITS", value_parser = bits, conflicts_with_all = ["op", "modulus"])]
    pub(crate) out_bits: Option<u32>,
    /// Inputs are integers modulo P (2 to 65536): the table has P entries
    #[arg(long, value_name = "P", value_parser = modulus, conflicts_with = "op")]
    pub(crate) modulus: Option<u64>,
    /// Results are integers modulo Q, instead of P
    #[arg(long, value_name = "Q", value_parser = modulus, requires = "modulus")]
    #[arg(conflicts_with_all = ["op", "out_bits"])]
    pub(crate) out_modulus: Option<u64>,
}

/// Whether large integers have a sign.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Sign {
    /// The integers of --width have no sign: 0 to 2^W-1 [default: they have one, -2^(W-1) to 2^(W-1)-1]
    #[arg(long, requires = "width", conflicts_with_all = ["bits", "modulus"])]
    pub(crate) unsigned: bool,
}

impl Sign {
    /// The integers of `width` bits.
    pub(crate) fn range(self, width: u32) -> Interval {
        if self.unsigned { Interval::unsigned(width) } else { Interval::signed(width) }
    }

    /// "unsigned" or "signed".
    pub(crate) fn name(self) -> &'static str {
        if self.unsigned { "unsigned" } else { "signed" }
    }

    /// Encrypts integers of `width` bits.
    pub(crate) fn encrypt(self, client: &Client, values: &[i64], width: u32) -> Result<Ciphertexts, bootes::Error> {
        let Interval { min, max } = self.range(width);
        client.encrypt_within(values, min..=max, width)
    }
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("function").args(["table", "op"]).required(true)))]
pub(crate) struct RunArgs {
    #[arg(long, value_name = "T", help = TABLE_HELP)]
    pub(crate) table: Option<PathBuf>,
    #[arg(long, value_name = "OP", help = OP_HELP, value_parser = op)]
    pub(crate) op: Option<IntegerOp>,
    #[arg(long, value_name = "X", help = INPUT_HELP)]
    pub(crate) input: PathBuf,
    /// Second operands, for --op less, max or min
    #[arg(long, value_name = "Y2")]
    pub(crate) input2: Option<PathBuf>,
    /// Write the results here: one integer a line, or bytes with --bytes
    #[arg(long, value_name = "Y")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choice: ParamChoice,
    #[command(flatten)]
    pub(crate) sign: Sign,
    #[command(flatten)]
    pub(crate) form: TableForm,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: the faster one for the number of values]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    #[command(flatten)]
    pub(crate) masks: MaskChoice,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    /// Take the bytes of the input file as the values, and write results as bytes
    #[arg(long, conflicts_with = "op")]
    pub(crate) bytes: bool,
    /// Algorithm, instead of the planner's choice; keys that it needs are made
    #[arg(long, value_name = "NAME", conflicts_with = "op")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    #[command(flatten)]
    pub(crate) choice: ParamChoice,
    /// Add the keys that this algorithm needs to the server key; most need none
    #[arg(long, value_name = "NAME")]
    pub(crate) algorithm: Option<String>,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: that of the parameter set, or fhew]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Directory for client.key and server.key; made if it does not exist
    #[arg(long, value_name = "DIR", required_unless_present_all = ["client", "server"])]
    pub(crate) out: Option<PathBuf>,
    /// Client key to write, instead of DIR/client.key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) client: Option<PathBuf>,
    /// Server key to write, instead of DIR/server.key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) server: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Replace keys that are there: what was encrypted under them is then lost
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EncryptArgs {
    /// Client key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) key: PathBuf,
    #[arg(long, value_name = "X", help = INPUT_HELP)]
    pub(crate) input: PathBuf,
    /// Ciphertext file to write; one for each --column, in their order
    #[arg(long = "output", value_name = "C", required = true)]
    pub(crate) outputs: Vec<PathBuf>,
    /// The input is a CSV file: take the column that its first line calls so. Several give several files:
    /// --column A --output A.ct --column B --output B.ct …
    #[arg(long = "column", value_name = "NAME", conflicts_with = "bytes")]
    pub(crate) columns: Vec<String>,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: the client key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Width of the values in bits (1 to 16), instead of the most that one bootstrap of the key's parameters takes
    #[arg(long, value_name = "B", value_parser = bits, conflicts_with_all = ["width", "modulus"])]
    pub(crate) bits: Option<u32>,
    /// Encrypt integers modulo P (2 to 65536) for `eval --table --modulus`
    #[arg(long, value_name = "P", value_parser = modulus, conflicts_with = "width")]
    pub(crate) modulus: Option<u64>,
    /// Encrypt large integers of so many bits (1 to 32) for `eval --op`: -2^(W-1) to 2^(W-1)-1, or 0 to 2^W-1
    /// with --unsigned
    #[arg(long, value_name = "W", value_parser = width)]
    pub(crate) width: Option<u32>,
    #[command(flatten)]
    pub(crate) sign: Sign,
    /// Take the bytes of the input file as the values
    #[arg(long, conflicts_with = "width")]
    pub(crate) bytes: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("function").args(["table", "op"]).required(true)))]
pub(crate) struct EvalArgs {
    /// Server key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) key: PathBuf,
    #[arg(long = "table", value_name = "T", id = "table", help = TABLES_HELP)]
    pub(crate) tables: Vec<PathBuf>,
    #[arg(long, value_name = "OP", help = OP_HELP, value_parser = op)]
    pub(crate) op: Option<IntegerOp>,
    /// Bits of the integers, to be checked against the ciphertexts, which tell
    #[arg(long, value_name = "W", value_parser = width, conflicts_with = "table")]
    pub(crate) width: Option<u32>,
    /// Ciphertext file
    #[arg(long, value_name = "C")]
    pub(crate) input: PathBuf,
    /// Ciphertext file of the second operands, for --op less, max or min
    #[arg(long, value_name = "C2")]
    pub(crate) input2: Option<PathBuf>,
    /// Ciphertext file to write; one for each --table, in their order
    #[arg(long = "output", value_name = "R", required = true)]
    pub(crate) outputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) form: TableForm,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: the server key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    #[command(flatten)]
    pub(crate) masks: MaskChoice,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    /// Algorithm, instead of the planner's choice
    #[arg(long, value_name = "NAME", conflicts_with = "op")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

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
    #[arg(long = "weights", value_name = "W1,W2,…", value_parser = weights, allow_hyphen_values = true, required = true)]
    pub(crate) rows: Vec<Weights>,
    /// Ciphertext files of as many values, under one key: --input C1 --input C2 …
    #[arg(long = "input", value_name = "C", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Added to every sum
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value_t = 0)]
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
    all.map(Weights).map_err(|_| "expected integers, separated by commas".to_string())
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

#[derive(Debug, Args)]
pub(crate) struct DecryptArgs {
    /// Client key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) key: PathBuf,
    /// Ciphertext file; one for each --column, in their order
    #[arg(long = "input", value_name = "R", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write CSV, the values in a column of this name: --column A --input A.ct --column B --input B.ct …
    #[arg(long = "column", value_name = "NAME", conflicts_with = "bytes")]
    pub(crate) columns: Vec<String>,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: the client key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Write the values here instead of on standard output: one integer a line, or bytes with --bytes
    #[arg(long, value_name = "Y")]
    pub(crate) output: Option<PathBuf>,
    /// Write one byte a value
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Print one JSON object and nothing else; it has the values if there is no --output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("size").args(["bits", "modulus"]).required(true)))]
pub(crate) struct PlanArgs {
    /// Width of inputs and results in bits (1 to 16); the table is one without structure
    #[arg(long, value_name = "B", value_parser = bits)]
    pub(crate) bits: Option<u32>,
    /// Inputs and results are integers modulo P (2 to 65536)
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub(crate) modulus: Option<u64>,
    /// Engine: fhew, one value at a time, or ckks, thousands at once [default: both are compared]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Parameter set by name, instead of all defaults (fhew), or the smallest for the table (ckks)
    #[arg(long, visible_alias = "set", value_name = "NAME")]
    pub(crate) params: Option<String>,
    /// How many values there are
    #[arg(long, value_name = "M", value_parser = count)]
    pub(crate) count: Option<u64>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// What to choose by: throughput (CPU time a value, the default), latency (one value alone), key-size, noise
    #[arg(long, value_name = "OBJECTIVE", value_parser = objective)]
    pub(crate) objective: Option<Objective>,
    /// Memory for the expanded key in GB
    #[arg(long, value_name = "G", allow_hyphen_values = true, value_parser = gigabytes)]
    pub(crate) memory: Option<f64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Say of every combination why it is not the choice
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ParamsArgs {
    /// Describe this set
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Only the sets of this engine: fhew, one value at a time, or ckks, thousands at once
    #[arg(long, value_parser = engine, value_name = "ENGINE", conflicts_with = "name")]
    pub(crate) engine: Option<Engine>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Key or ciphertext file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,
    /// Benchmark to run
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "engine"], conflicts_with = "list")]
    pub(crate) name: Option<String>,
    /// List the benchmarks
    #[arg(long)]
    pub(crate) list: bool,
    /// Only the benchmarks of this engine, its kernels among them: fhew, one value at a time, or ckks, thousands at
    /// once
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Fewer rows and runs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Repetitions of each measurement
    #[arg(long, value_name = "R", value_parser = runs)]
    pub(crate) runs: Option<usize>,
    /// Only the rows with this in their name; of the CKKS benchmarks several words, with commas (`--rows 4,8`)
    #[arg(long, value_name = "ROWS", conflicts_with = "list")]
    pub(crate) rows: Option<String>,
    /// The throughput of T threads beside that of one (ckks-tableA1, ckks-bootstrap)
    #[arg(long, value_name = "T", value_parser = threads, conflicts_with = "list")]
    pub(crate) threads: Option<usize>,
    /// With calibrate: write this machine's calibration here, for BOOTES_CALIBRATION=FILE
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(crate) write: Option<PathBuf>,
    /// Print one JSON object a row and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Make a page with tables and plots of the recorded results; measures nothing
    Report(BenchReportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BenchReportArgs {
    /// Directory for report.md and its plots; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "bench/report")]
    pub(crate) out: PathBuf,
    /// Directory of the recorded results; the newest DATE-NAME.jsonl of each benchmark counts
    #[arg(long, value_name = "DIR", default_value = "bench/results")]
    pub(crate) results: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ParamChoice {
    /// Width of the messages in bits (1 to 16; from 9 on for tables on digits)
    #[arg(long, value_name = "B", value_parser = bits, conflicts_with = "width")]
    pub(crate) bits: Option<u32>,
    /// Width of large integers in bits (1 to 32), for functions of them (--op)
    #[arg(long, value_name = "W", value_parser = width)]
    pub(crate) width: Option<u32>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// Parameter set by name (see `bootes params`), instead of the default one for --bits or --width, and --pfail
    #[arg(long, visible_alias = "set", value_name = "NAME")]
    pub(crate) params: Option<String>,
}

/// What a parameter set is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Messages of so many bits, for tables.
    Messages(u32),
    /// Integers of so many bits, for functions of them.
    Integers(u32),
}

impl Need {
    /// Of messages 0 to p − 1.
    pub(crate) fn of_modulus(p: u64) -> Self {
        Self::Messages(p.next_power_of_two().ilog2())
    }

    /// The options of `keygen` for it, with parameters of this engine.
    pub(crate) fn option(self, engine: Engine) -> String {
        match (self, engine) {
            (Self::Messages(bits), Engine::Fhew) => format!("--bits {bits}"),
            (Self::Messages(bits), Engine::Ckks) => format!("--engine ckks --bits {bits}"),
            (Self::Integers(bits), _) => format!("--width {bits}"),
        }
    }

    /// Refuses parameters that lack bits for it.
    pub(crate) fn check(self, params: &Params) -> Result<(), String> {
        let (most, needed, what) = match (self, params.engine()) {
            (Self::Messages(bits), Engine::Fhew) if bits > MAX_BITS.max(params.bits()) => {
                (params.integer_bits().unwrap_or(0), bits, "integers for tables on digits")
            }
            (Self::Messages(bits), _) => (params.bits(), bits, "messages"),
            (Self::Integers(bits), _) => (params.max_integer_bits().unwrap_or(0), bits, "large integers"),
        };
        let held = match (most, params.integer_bits()) {
            (0, _) if params.engine() == Engine::Ckks => format!("no {what}, which engine fhew takes"),
            (0, _) => format!("no {what}"),
            (_, Some(longest)) if longest > MAX_BITS && matches!(self, Self::Messages(..=MAX_BITS)) => {
                let shortest = MAX_BITS + 1;
                format!("messages of at most {most} bits, and for tables on digits those of {shortest} to {longest}")
            }
            _ => format!("at most {most}-bit {what}"),
        };
        if most < needed {
            return Err(format!("parameters {} hold {held}, but {needed} bits are asked for", params.name()));
        }
        Ok(())
    }
}

impl ParamChoice {
    /// What `--width` or `--bits` ask for.
    pub(crate) fn need(&self) -> Option<Need> {
        self.width.map(Need::Integers).or(self.bits.map(Need::Messages))
    }

    /// The engine of the set that is named, if one is.
    pub(crate) fn engine(&self) -> Result<Option<Engine>, CliError> {
        Ok(self.params.as_deref().map(Params::named).transpose()?.map(|params| params.engine()))
    }

    /// The set that was asked for, able to do what is needed: by default the engine's own, or the one on which an
    /// algorithm evaluates a table best.
    pub(crate) fn choose(
        &self,
        engine: Engine,
        need: Need,
        evaluates: Option<(&str, &Lut)>,
    ) -> Result<Params, CliError> {
        let target = self.pfail.unwrap_or(FailureTarget::Two128);
        let asked = self.need().unwrap_or(need);
        let params = match (&self.params, asked) {
            (Some(name), _) => Params::named(name)?,
            (None, Need::Integers(_)) if engine == Engine::Ckks => {
                return Err(CliError::new(
                    "--width is for functions of integers, which engine fhew evaluates: give --bits",
                ));
            }
            (None, Need::Integers(bits)) => Params::for_integers_with(bits, target)?,
            (None, Need::Messages(bits)) => match evaluates {
                Some((algorithm, lut)) if bits <= MAX_BITS => {
                    let params = Params::for_algorithm(algorithm, lut, target)?;
                    if params.bits() >= bits { params } else { Params::for_bits_with(bits, target)? }
                }
                _ => Params::on(engine, 1 << bits, target)?,
            },
        };
        let name = params.name();
        if params.engine() != engine {
            let found = params.engine();
            return Err(CliError::new(format!(
                "{name} is a parameter set of engine {found}, not {engine} (see bootes params)"
            )));
        }
        for need in [asked, need] {
            need.check(&params)
                .map_err(|refusal| CliError::new(format!("the {refusal}: choose others (see bootes params)")))?;
        }
        if self.pfail.is_some() && params.promises(target).is_err() {
            return Err(CliError::new(format!(
                "the parameters {name} fail with probability {}, more than the 2^{} of --pfail: choose others (see bootes \
                 params)",
                report::probability(params.log2_p_fail()),
                target.log2(),
            )));
        }
        Ok(params)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads; work takes no more than the machine has [default: as many]
    #[arg(id = "threads", long = "threads", value_name = "K", value_parser = threads)]
    count: Option<usize>,
}

impl Threads {
    /// How many to predict for.
    pub(crate) fn count(&self) -> usize {
        self.count.unwrap_or_else(processors).min(MOST_THREADS)
    }

    /// How many to use: those of this machine at most.
    pub(crate) fn here(&self) -> usize {
        self.count().min(processors())
    }
}

fn bits(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits @ 1..=MAX_TABLE_BITS) => Ok(bits),
        Ok(bits) if bits > MAX_TABLE_BITS => Err(format!(
            "expected 1 to {MAX_TABLE_BITS}: tables have at most 2^{MAX_TABLE_BITS} entries; functions of longer \
             integers take --width"
        )),
        _ => Err(format!("expected 1 to {MAX_TABLE_BITS}")),
    }
}

fn modulus(text: &str) -> Result<u64, String> {
    let most = 1u64 << MAX_TABLE_BITS;
    match text.parse() {
        Ok(modulus) if (2..=most).contains(&modulus) => Ok(modulus),
        _ => Err(format!("expected 2 to {most}")),
    }
}

fn width(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(width @ 1..=MAX_WIDTH) => Ok(width),
        _ => Err(format!("expected 1 to {MAX_WIDTH}")),
    }
}

/// The names of `--op`; floor has a number.
const OPS: [&str; 7] = ["sign", "less", "relu", "abs", "max", "min", "floor:K"];

fn op(text: &str) -> Result<IntegerOp, String> {
    text.parse().map_err(|_| {
        let tip = suggest::nearest(text, OPS).map_or(String::new(), |known| format!("did you mean {known}? "));
        format!("{tip}expected one of {}, K a number of bits", OPS.join(", "))
    })
}

fn objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|expected| {
        let names = Objective::ALL.map(|objective| objective.to_string());
        match suggest::nearest(text, names.iter().map(String::as_str)) {
            Some(known) => format!("did you mean {known}? {expected}"),
            None => expected,
        }
    })
}

fn count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000_000_000) => Ok(count),
        _ => Err("expected 1 to 1000000000000".to_string()),
    }
}

fn gigabytes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(size) if size.is_finite() && size > 0.0 => Ok(size),
        _ => Err("expected gigabytes, a number above 0 without a unit, such as 1.5".to_string()),
    }
}

/// Threads that this machine runs at once.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=MOST_THREADS) => Ok(count),
        _ => Err(format!("expected 1 to {MOST_THREADS}")),
    }
}

fn runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000) => Ok(count),
        _ => Err("expected 1 to 1000000".to_string()),
    }
}

fn failure_target(text: &str) -> Result<FailureTarget, String> {
    match text {
        "-128" => Ok(FailureTarget::Two128),
        "-64" => Ok(FailureTarget::Two64),
        _ => Err("expected -128 or -64".to_string()),
    }
}

impl Cli {
    /// Parses the command line of this process; `None` if it asked for help or the version, which then are printed.
    pub(crate) fn parse_line() -> Result<Option<Self>, CliError> {
        match Self::try_parse() {
            Ok(cli) => Ok(Some(cli)),
            Err(error) if matches!(error.kind(), ClapError::DisplayHelp | ClapError::DisplayVersion) => {
                match error.print() {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => report::reader_is_gone(),
                    Err(error) => return Err(CliError::new(format!("cannot write to standard output: {error}"))),
                    Ok(()) => {}
                }
                Ok(None)
            }
            Err(error) => Err(one_line(&error)),
        }
    }
}

/// Clap's message without its paragraphs: what is wrong, its tip, and where to read more.
fn one_line(error: &clap::Error) -> CliError {
    if error.kind() == ClapError::DisplayHelpOnMissingArgumentOrSubcommand {
        return CliError::new("no command: expected one, for example `bootes run`; see bootes --help");
    }
    let rendered = error.render().to_string();
    let parts: Vec<&str> = rendered
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let message = parts.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    CliError::new(format!("{message}; see bootes --help"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn message(line: &str) -> String {
        one_line(&Cli::try_parse_from(line.split(' ')).unwrap_err()).to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn mistakes_are_one_line() {
        assert!(message("bootes").starts_with("no command"));
        let missing = message("bootes run");
        assert!(missing.contains("--table <T>") && missing.contains("--input <X>"), "{missing}");
        assert!(message("bootes rnu").contains("unrecognized subcommand 'rnu'"));
        assert!(message("bootes run --tabel x").contains("'--tabel'"));
        let threads = message("bootes run --table T --input X --threads 0");
        assert!(threads.contains("'0'") && threads.contains("expected 1 to 1024"), "{threads}");
        assert!(message("bootes keygen --bits 17 --out D").contains("at most 2^16 entries"));
        assert!(message("bootes keygen --bits -1 --out D").contains("-1"));
        assert!(message("bootes keygen --bits 4 --pfail -100 --out D").contains("expected -128 or -64"));
        for line in ["bootes run", "bootes rnu", "bootes run --tabel x", "bootes bench"] {
            let message = message(line);
            assert!(!message.contains('\n') && !message.contains("Usage"), "{message}");
        }
    }

    #[test]
    fn negative_exponents_are_values() {
        for line in ["bootes keygen --bits 4 --pfail -64 --out D", "bootes keygen --pfail=-128 --bits 4 --out D"] {
            assert!(Cli::try_parse_from(line.split(' ')).is_ok(), "{line}");
        }
    }
}
