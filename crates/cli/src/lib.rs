//! The `bootes` command: any table on encrypted integers, from the shell.
//!
//! Exit status: 0 if everything is right, 1 if `run` found a wrong value, 2 for bad input or a failed file, with
//! exactly one line `error: …` on standard error; 141, silently, if whoever read standard output went away before its
//! end. Where the allocator has no more, the line is that of the standard library: `memory allocation of … failed`,
//! with its note unless `RUST_BACKTRACE` is 0.
#![forbid(unsafe_code)]

mod args;
mod columns;
mod commands;
mod error;
mod files;
mod integers;
mod named;
mod need;
mod npy;
#[doc(hidden)]
pub mod parsers;
mod progress;
mod report;
mod suggest;
mod table;

use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGABRT;

use args::{Cli, Command};
use commands::Outcome;
use error::CliError;

/// The status of filters whose reader went away, in shells: 128 and the number of the signal.
const READER_GONE: u8 = 128 + 13;

/// Bytes of addresses in which arenas of 128 MB count.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LITTLE: u64 = 2 << 30;

/// The command, on the arguments of the process.
pub fn main() -> ExitCode {
    share_memory();
    files::write_beyond_limits();
    say_panics_once();
    // What the standard library ends for want of memory, after its line, is an error like others.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 2, Arc::new(AtomicBool::new(true)));
    let result = std::panic::catch_unwind(|| match Cli::parse_line() {
        Ok(Some(cli)) => check_isa().and_then(|()| take_calibration()).and_then(|()| dispatch(&cli.command)),
        Ok(None) => Ok(Outcome::Right),
        Err(error) => Err(error),
    });
    // A panic was said already.
    let Ok(result) = result else { return ExitCode::from(2) };
    match result {
        Ok(Outcome::Right) if report::is_reader_gone() => ExitCode::from(READER_GONE),
        Ok(Outcome::Right) => ExitCode::SUCCESS,
        Ok(Outcome::Wrong) => ExitCode::from(1),
        Err(error) => {
            report::error_line(&error);
            ExitCode::from(2)
        }
    }
}

/// Starts again with one arena of the allocator for all threads where addresses are limited (`ulimit -v`): each new one
/// reserves up to 128 MB for a moment, and what another thread needs in it is missing.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_memory() {
    use std::os::unix::process::CommandExt;
    const ARENAS: &str = "MALLOC_ARENA_MAX";
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space")?.split_whitespace().next());
    let is_little = limit.and_then(|limit| limit.parse().ok()).is_some_and(|bytes: u64| bytes < LITTLE);
    if is_little && std::env::var_os(ARENAS).is_none() {
        let mut arguments = std::env::args_os();
        let name = arguments.next().unwrap_or_else(|| "bootes".into());
        // It returns where it could not: then all goes on as it is.
        let _ = std::process::Command::new("/proc/self/exe").arg0(name).args(arguments).env(ARENAS, "1").exec();
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn share_memory() {}

/// Says in one line what went wrong where nothing should, once for all threads: mostly that the system gives no more
/// memory.
fn say_panics_once() {
    static SAID: AtomicBool = AtomicBool::new(false);
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref().map(String::as_str)).unwrap_or("without a word");
        // Of rayon, where not even one thread starts, and of the standard library, where one has no second stack.
        let no_threads = message.contains("thread pool") || message.contains("alternative stack");
        let message = match panic.location() {
            _ if message.contains("could not allocate") => message.to_string(),
            _ if no_threads => {
                "no threads can be started: there is too little memory for their stacks (ulimit -v), or as many \
                 threads as may be (ulimit -u); allow more"
                    .to_string()
            }
            Some(place) => format!("bootes panicked ({message}; {place}), a defect: please report it"),
            None => format!("bootes panicked ({message}), a defect: please report it"),
        };
        if !SAID.swap(true, Ordering::Relaxed) {
            report::error_line(&CliError::new(message));
            if no_threads {
                // There may be no memory to unwind with, which the standard library would say in a line of its own.
                std::process::exit(2);
            }
        }
    }));
}

fn dispatch(command: &Command) -> Result<Outcome, CliError> {
    match command {
        Command::Run(args) => commands::run::run(args),
        Command::Keygen(args) => commands::keygen::run(args),
        Command::Encrypt(args) => commands::encrypt::run(args),
        Command::Eval(args) => commands::eval::run(args),
        Command::Add(args) => commands::linear::add(args),
        Command::Sub(args) => commands::linear::sub(args),
        Command::Linear(args) => commands::linear::linear(args),
        Command::Slice(args) => commands::linear::slice(args),
        Command::Concat(args) => commands::linear::concat(args),
        Command::Compress(args) => commands::compress::run(args),
        Command::Transcipher(args) => commands::transcipher::run(args),
        Command::ConversionKey(args) => commands::convert::make(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Decrypt(args) => commands::decrypt::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Params(args) => commands::params::run(args),
        Command::Inspect(args) => commands::inspect::run(args),
        Command::Bench(args) => commands::bench::run(args),
    }
}

/// Refuses a value of `BOOTES_ISA` that would otherwise be overlooked.
fn check_isa() -> Result<(), CliError> {
    bootes::Isa::from_env().map(drop).map_err(|error| CliError::new(error.to_string()))
}

/// The calibration of this machine, where `BOOTES_CALIBRATION` names its file: all predicted times follow from it.
fn take_calibration() -> Result<(), CliError> {
    let Some(path) = std::env::var_os("BOOTES_CALIBRATION").filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    // A calibration has some two thousand bytes.
    const MOST: u64 = 1 << 16;
    let mut text = String::new();
    let read = std::fs::File::open(&path).and_then(|file| file.take(MOST + 1).read_to_string(&mut text));
    read.map_err(|error| match error.kind() {
        ErrorKind::InvalidData => CliError::at(&path, "not a calibration: not text; unset BOOTES_CALIBRATION"),
        _ => CliError::io("read", &path, &error),
    })?;
    if text.len() as u64 > MOST {
        let line = format!("it has more than {MOST} bytes: expected a calibration, or unset BOOTES_CALIBRATION");
        return Err(CliError::at(&path, line));
    }
    bootes::Calibration::from_toml(&text)
        .and_then(bootes::Calibration::install)
        .map_err(|error| CliError::at(&path, format!("{error}, or unset BOOTES_CALIBRATION")))
}
