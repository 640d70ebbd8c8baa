//! The command line.

use std::io::ErrorKind;
use std::path::PathBuf;

use bootes::{FailureTarget, Params};
use clap::error::ErrorKind as ClapError;
use clap::{Args, Parser, Subcommand};

use crate::error::CliError;
use crate::integers::MAX_BITS;
use crate::report;

/// More threads than any machine has; a typing mistake should not start a million.
const MOST_THREADS: usize = 1024;

/// Evaluates any lookup table on encrypted integers.
///
/// A client makes a key pair (`keygen`), encrypts integers (`encrypt`) and decrypts results (`decrypt`); a server with the
/// server key applies a table to the ciphertexts (`eval`) and learns neither inputs nor results. `run` does all of it here
/// and checks the result.
#[derive(Debug, Parser)]
#[command(name = "bootes", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Exit status: 0 if all is well, 1 if `run` found a wrong value, 2 on an error, with one line on standard error.
BOOTES_ISA=scalar|avx2|avx512 limits the instructions used.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do the whole job here: keys, encryption, evaluation, decryption, and a check against the plain table
    Run(RunArgs),
    /// Make a key pair: DIR/client.key (secret) and DIR/server.key (public)
    Keygen(KeygenArgs),
    /// Encrypt integers or bytes with a client key
    Encrypt(EncryptArgs),
    /// Apply a table to ciphertexts with a server key
    Eval(EvalArgs),
    /// Decrypt ciphertexts with a client key
    Decrypt(DecryptArgs),
    /// List the parameter sets, or describe one
    Params(ParamsArgs),
    /// Say what a key or ciphertext file is, and check it
    Inspect(InspectArgs),
    /// List or run the benchmarks
    Bench(BenchArgs),
}

const TABLE_HELP: &str = "\
Table file: 2^B integers for B-bit inputs (B from 1 to 8), separated by white space or commas; `#` starts a comment; \
entry i is the image of i";

const INPUT_HELP: &str = "\
Input file: integers, separated by white space or commas; `#` starts a comment. At 8 bits a file that is no such list is \
taken as its bytes";

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[arg(long, value_name = "T", help = TABLE_HELP)]
    pub(crate) table: PathBuf,
    #[arg(long, value_name = "X", help = INPUT_HELP)]
    pub(crate) input: PathBuf,
    /// Write the results here: one integer a line, or bytes with --bytes
    #[arg(long, value_name = "Y")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choice: ParamChoice,
    /// Width of the results in bits, instead of the width of the largest entry
    #[arg(long, value_name = "BITS", value_parser = bits)]
    pub(crate) out_bits: Option<u32>,
    /// Take the bytes of the input file as the values, and write results as bytes
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Algorithm, instead of the planner's choice
    #[arg(long, value_name = "NAME")]
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
    /// Directory for client.key and server.key; made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
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
    /// Ciphertext file to write
    #[arg(long, value_name = "C")]
    pub(crate) output: PathBuf,
    /// Width of the values in bits, instead of the most that the key's parameters hold
    #[arg(long, value_name = "B", value_parser = bits)]
    pub(crate) bits: Option<u32>,
    /// Take the bytes of the input file as the values
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Server key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) key: PathBuf,
    #[arg(long, value_name = "T", help = TABLE_HELP)]
    pub(crate) table: PathBuf,
    /// Ciphertext file
    #[arg(long, value_name = "C")]
    pub(crate) input: PathBuf,
    /// Ciphertext file to write
    #[arg(long, value_name = "R")]
    pub(crate) output: PathBuf,
    /// Width of the results in bits, instead of the width of the largest entry
    #[arg(long, value_name = "BITS", value_parser = bits)]
    pub(crate) out_bits: Option<u32>,
    /// Algorithm, instead of the planner's choice
    #[arg(long, value_name = "NAME")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DecryptArgs {
    /// Client key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) key: PathBuf,
    /// Ciphertext file
    #[arg(long, value_name = "R")]
    pub(crate) input: PathBuf,
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
pub(crate) struct ParamsArgs {
    /// Describe this set
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
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
pub(crate) struct BenchArgs {
    /// Benchmark to run
    #[arg(value_name = "NAME", required_unless_present = "list", conflicts_with = "list")]
    pub(crate) name: Option<String>,
    /// List the benchmarks
    #[arg(long)]
    pub(crate) list: bool,
    /// Fewer rows and runs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Repetitions of each measurement
    #[arg(long, value_name = "R", value_parser = runs)]
    pub(crate) runs: Option<usize>,
    /// Print one JSON object a row and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ParamChoice {
    /// Width of the messages in bits (1 to 8)
    #[arg(long, value_name = "B", value_parser = bits)]
    pub(crate) bits: Option<u32>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// Parameter set by name (see `bootes params`), instead of the default one for --bits and --pfail
    #[arg(long, value_name = "NAME")]
    pub(crate) params: Option<String>,
}

impl ParamChoice {
    /// The set that was asked for, able to hold `needed` bits. Without `--bits` and `--params` it is the set for `needed`.
    pub(crate) fn choose(&self, needed: u32) -> Result<Params, CliError> {
        let target = self.pfail.unwrap_or(FailureTarget::Two128);
        let Some(name) = &self.params else {
            return Ok(Params::for_bits_with(self.bits.unwrap_or(needed), target)?);
        };
        let params = Params::by_name(name)?;
        if params.bits() < needed {
            return Err(CliError::new(format!(
                "the parameters {name} hold at most {}-bit messages, but {needed} bits are asked for: choose others (see \
                 bootes params)",
                params.bits()
            )));
        }
        let exponent = target.log2();
        if self.pfail.is_some() && params.log2_p_fail() > f64::from(exponent) {
            return Err(CliError::new(format!(
                "the parameters {name} fail with probability {}, more than the 2^{exponent} of --pfail: choose others (see \
                 bootes params)",
                report::probability(params.log2_p_fail()),
            )));
        }
        Ok(params)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads for the evaluation [default: as many as the machine has]
    #[arg(long = "threads", value_name = "K", value_parser = threads)]
    count: Option<usize>,
}

impl Threads {
    /// How many to use.
    pub(crate) fn count(&self) -> usize {
        self.count.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).min(MOST_THREADS)
    }
}

fn bits(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits @ 1..=MAX_BITS) => Ok(bits),
        Ok(bits) if bits > MAX_BITS => Err(format!(
            "expected 1 to {MAX_BITS}; wider messages are planned for the CKKS and BFV methods and not in this version"
        )),
        _ => Err(format!("expected 1 to {MAX_BITS}")),
    }
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
                    Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                        Err(CliError::new(format!("cannot write to standard output: {error}")))
                    }
                    _ => Ok(None),
                }
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
        assert!(message("bootes keygen --bits 9 --out D").contains("wider messages"));
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
