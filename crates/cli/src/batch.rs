//! The batch engine's side of the commands: the same files, tables and reports, thousands of values at once.

pub(crate) mod client;
pub(crate) mod compare;
pub(crate) mod run;
pub(crate) mod server;

use std::io;
use std::path::Path;

use bootes::wire::StreamError;
use bootes::{Error, MaskStorage, ckks};

use crate::args::{Engine, ParamChoice, Threads, processors};
use crate::error::CliError;
use crate::files::Sealed;
use crate::progress::Progress;
use crate::report;

/// The engine of a key, which an `--engine` may name too.
pub(crate) fn engine_of(key: &Sealed, wanted: Option<Engine>) -> Result<Engine, CliError> {
    let found = if key.is_batch() { Engine::Ckks } else { Engine::Fhew };
    match wanted {
        Some(wanted) if wanted != found => Err(CliError::at(
            &key.path,
            format!(
                "it is a {} of engine {}, but --engine is {}: leave that out or give another key",
                key.header.kind,
                found.name(),
                wanted.name()
            ),
        )),
        _ => Ok(found),
    }
}

/// Runs `work`, whose loops go on so many threads (as many as the machine has for `None`, and never more), or on this
/// one alone where the system starts no more.
pub(crate) fn in_pool<T: Send>(
    threads: Option<&Threads>,
    work: impl FnOnce() -> Result<T, CliError> + Send,
) -> Result<T, CliError> {
    let threads = threads.map_or_else(processors, Threads::here);
    let alone = |_| rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().or_else(alone);
    pool.map_err(|error| CliError::new(format!("cannot start threads: {error}")))?.install(work)
}

/// The widest tables of the secure sets.
pub(crate) fn max_bits() -> u32 {
    let secure = ckks::literals().into_iter().filter(|set| !set.name.starts_with("toy_"));
    secure.map(|set| set.bits).max().unwrap_or(0)
}

/// The set that was asked for, for tables of `bits` bits.
pub(crate) fn choose(choice: &ParamChoice, bits: u32) -> Result<ckks::Params, CliError> {
    if choice.width.is_some() {
        return Err(CliError::new("--width is for functions of integers, which engine fhew evaluates: give --bits"));
    }
    let params = set_for(choice.params.as_deref(), bits)?;
    let promised = params.log2_p_fail();
    match choice.pfail {
        Some(target) if promised > f64::from(target.log2()) => Err(CliError::new(format!(
            "the parameters {} promise a failure of at most {} a value, more than the 2^{} of --pfail: take engine fhew",
            params.name(),
            report::probability(promised),
            target.log2()
        ))),
        _ => Ok(params),
    }
}

/// The set of this name, or else the smallest, for tables of `bits` bits.
pub(crate) fn set_for(name: Option<&str>, bits: u32) -> Result<ckks::Params, CliError> {
    let all = ckks::literals();
    let literal = match name {
        Some(name) => match all.iter().find(|set| set.name == name) {
            Some(set) => set,
            None if bootes::fhew::Params::by_name(name).is_ok() => {
                return Err(CliError::new(format!(
                    "{name} is a parameter set of engine fhew, not ckks (see bootes params)"
                )));
            }
            None => {
                return Err(ckks::by_name(name).map_or_else(CliError::from, |_| CliError::new("no such set")));
            }
        },
        None => {
            let max = max_bits();
            let secure = all.iter().filter(|set| !set.name.starts_with("toy_") && set.bits >= bits);
            secure.min_by_key(|set| set.bits).ok_or_else(|| {
                CliError::new(format!(
                    "tables of {bits} bits: engine ckks evaluates those of 1 to {max} bits (see bootes params); take engine fhew"
                ))
            })?
        }
    };
    if literal.bits < bits {
        return Err(CliError::new(format!(
            "the parameters {} hold tables of at most {} bits, but {bits} bits are asked for: choose others (see bootes params)",
            literal.name, literal.bits
        )));
    }
    Ok(ckks::by_name(&literal.name)?)
}

/// A set in one line of a report.
pub(crate) fn one_line(params: &ckks::Params) -> String {
    let security = match security(params) {
        Some(bits) => format!("{bits:.1} bits of security"),
        None => "INSECURE, for tests only".to_string(),
    };
    format!(
        "parameters {}: tables of up to {} bits, {} values a ciphertext, failure at most {} a value, {security}",
        params.name(),
        params.literal().bits,
        params.capacity(),
        report::probability(params.log2_p_fail()),
    )
}

/// The least of all estimates of both keys of a set in bits, rounded down; `None` for a toy set.
pub(crate) fn security(params: &ckks::Params) -> Option<f64> {
    let secure = !params.name().starts_with("toy_");
    params.ckks().security_bits().filter(|_| secure).map(|bits| (bits * 10.0).floor() / 10.0)
}

/// The prediction in words.
pub(crate) fn in_words(prediction: &ckks::Prediction, count: u64) -> String {
    let ciphertexts = match prediction.ciphertexts(count) {
        1 => "1 ciphertext".to_string(),
        n => format!("{n} ciphertexts"),
    };
    format!(
        "predicted: {} for {ciphertexts} on one thread, {} of memory{} (keys {}{}, tables {}, workspace {}); wrong with {} a value",
        seconds(prediction.seconds_for(count)),
        report::size(prediction.memory.peak()),
        match prediction.together {
            1 => String::new(),
            together => format!(" with {together} side by side"),
        },
        report::size(prediction.memory.keys),
        if prediction.storage == MaskStorage::Seeded { " with masks as seeds" } else { "" },
        report::size(prediction.memory.tables),
        report::size(prediction.memory.workspace),
        report::probability(prediction.log2_failure),
    )
}

pub(crate) fn seconds(seconds: f64) -> String {
    report::duration(std::time::Duration::try_from_secs_f64(seconds).unwrap_or(std::time::Duration::MAX))
}

/// "; peak memory 1.2 GB (predicted 1.1 GB)".
pub(crate) fn peak_in_words(predicted: u64) -> String {
    report::peak_memory().map_or(String::new(), |peak| {
        format!("; peak memory {} (predicted {})", report::size(peak), report::size(predicted))
    })
}

/// Tells a bar of steps.
pub(crate) fn tell(bar: &Progress, progress: ckks::Progress) {
    use bootes::ckks;
    bar.set(progress.done);
    bar.note(match progress.step {
        ckks::Step::ModRaise => ", ModRaise",
        ckks::Step::CoeffsToSlots => ", CoeffsToSlots",
        ckks::Step::EvalExp => ", EvalExp",
        ckks::Step::EvalLut => ", EvalLUT",
        ckks::Step::SlotsToCoeffs => ", SlotsToCoeffs",
    });
}

/// What a writer of files expects.
pub(crate) fn io_error(error: Error) -> io::Error {
    match error {
        Error::Stream(StreamError::Io(error)) => error,
        error => io::Error::other(error.to_string()),
    }
}

/// An error of reading a file.
pub(crate) fn read_error(path: &Path, error: Error) -> CliError {
    match error {
        Error::Stream(StreamError::Io(error)) => CliError::io("read", path, &error),
        error => CliError::at(path, error),
    }
}
