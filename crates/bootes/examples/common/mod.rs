//! What both examples print and read from their command line.
use bootes::{FailureTarget, Params};
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

/// The options of the command line.
pub(crate) struct Options {
    /// How many test rows.
    pub(crate) rows: usize,
    /// Threads of the server.
    pub(crate) threads: usize,
    /// The parameter set.
    pub(crate) params: Params,
}

impl Options {
    /// Reads `--rows`, `--threads` and `--params`; `bits` is what the application's tables need.
    pub(crate) fn parse(default_rows: usize, max_rows: usize, bits: u32) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            rows: default_rows,
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            params: Params::for_bits_with(bits, FailureTarget::Two128)?,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            if name == "--help" || name == "-h" {
                println!("--rows N      test rows, 1 to {max_rows} [{default_rows}]");
                println!("--threads N   threads of the server [{}]", options.threads);
                println!("--params SET  parameter set, {bits} bits or more [{}]", options.params.name());
                std::process::exit(0);
            }
            let mut value = || arguments.next().ok_or_else(|| format!("{name} takes a value, see --help"));
            match name.as_str() {
                "--rows" => options.rows = number(&name, &value()?, max_rows)?,
                "--threads" => options.threads = number(&name, &value()?, 1024)?,
                "--params" => options.params = Params::named(&value()?)?,
                _ => return Err(format!("unknown option {name}, see --help").into()),
            }
        }
        if options.params.bits() < bits {
            return Err(format!("parameter set {} holds fewer than {bits} bits", options.params.name()).into());
        }
        Ok(options)
    }
}

fn number(name: &str, value: &str, max: usize) -> Result<usize, String> {
    match value.parse() {
        Ok(n) if (1..=max).contains(&n) => Ok(n),
        _ => Err(format!("{name} is {value}, expected 1 to {max}")),
    }
}

/// 0 if all was right, 1 if not, 2 and a line on stderr after an error.
pub(crate) fn exit(outcome: Result<bool, Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(right) => ExitCode::from(u8::from(!right)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// One line on the terminal that is written over; nothing if stderr is not one.
pub(crate) fn progress(what: &str, done: usize, total: usize) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let end = if done == total { "\r\x1b[K" } else { "" };
        // A progress line that cannot be written is no reason to stop.
        let _ = write!(stderr, "\r\x1b[K{what} {done} of {total}{end}").and_then(|()| stderr.flush());
    }
}

/// A line of the accuracy table.
pub(crate) struct Line {
    pub(crate) model: &'static str,
    pub(crate) rows: usize,
    pub(crate) right: usize,
}

impl Line {
    /// Counts how many of the answers are the labels.
    pub(crate) fn count(model: &'static str, answers: &[usize], labels: &[usize]) -> Self {
        let right = answers.iter().zip(labels).filter(|(answer, label)| answer == label).count();
        Self { model, rows: labels.len(), right }
    }

    /// From an accuracy that was computed elsewhere.
    pub(crate) fn recorded(model: &'static str, accuracy: f64, rows: usize) -> Self {
        Self { model, rows, right: (accuracy * rows as f64).round() as usize }
    }
}

/// Prints the accuracies.
pub(crate) fn print_accuracies(lines: &[Line]) {
    println!("\n{:28} {:>9} {:>7} {:>9}", "model", "test rows", "right", "accuracy");
    for Line { model, rows, right } in lines {
        println!("{model:28} {rows:9} {right:7} {:7.1} %", 100.0 * *right as f64 / *rows as f64);
    }
}

/// Prints what it cost: bytes that travelled, and the server's time.
pub(crate) fn print_costs(key: usize, up: usize, down: usize, rows: usize, server: Duration, threads: usize) {
    let per_row = 1.0 / rows as f64;
    println!("\nserver key, sent once        {:10.1} MB", key as f64 / 1e6);
    println!("client to server, a row      {:10.2} kB", up as f64 / 1e3 * per_row);
    println!("server to client, a row      {:10.2} kB", down as f64 / 1e3 * per_row);
    println!("server's time, a row         {:10.1} ms   (threads: {threads})", server.as_secs_f64() * 1e3 * per_row);
}
