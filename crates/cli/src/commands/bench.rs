//! `bootes bench`: the benchmarks of the crate `bootes-bench`.

use std::io::ErrorKind;

use bootes_bench::BenchError;
use serde_json::json;

use super::Outcome;
use crate::args::BenchArgs;
use crate::error::CliError;
use crate::report;
use crate::suggest;

pub(crate) fn run(args: &BenchArgs) -> Result<Outcome, CliError> {
    let list = bootes_bench::list();
    let Some(name) = &args.name else {
        if args.json {
            for (name, description) in list {
                report::json(&json!({ "bench": name, "description": description }))?;
            }
        } else {
            let widest = list.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
            for (name, description) in list {
                report::line(&format!("{name:<widest$}  {description}"))?;
            }
        }
        return Ok(Outcome::Right);
    };
    if !list.iter().any(|(known, _)| known == name) {
        let names = || list.iter().map(|(name, _)| *name);
        let tip = suggest::nearest(name, names()).map_or(String::new(), |known| format!(" (did you mean {known}?)"));
        let known: Vec<&str> = names().collect();
        return Err(CliError::new(format!(
            "no benchmark is called \"{name}\"{tip}: expected one of {}",
            known.join(", ")
        )));
    }
    let options = bootes_bench::Options { quick: args.quick, runs: args.runs, json: args.json };
    match bootes_bench::run(name, &options) {
        Ok(()) => Ok(Outcome::Right),
        // As in `report::out`: whoever read the rows has enough of them.
        Err(BenchError::Write { source, .. }) if source.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Right),
        Err(error) => Err(CliError::new(error.to_string())),
    }
}
