//! `bootes bench`: the benchmarks of the crate `bootes-bench`.

use std::fs;
use std::io::ErrorKind;
use std::sync::Arc;

use bootes_bench::report::PAGE;
use bootes_bench::{Bench, BenchError};
use serde_json::json;

use super::Outcome;
use crate::args::{BenchArgs, BenchCommand, BenchReportArgs};
use crate::error::CliError;
use crate::files::{Access, Output, Staged};
use crate::report;
use crate::suggest;

/// The benchmark that writes a calibration.
const CALIBRATE: &str = "calibrate";

pub(crate) fn run(args: &BenchArgs) -> Result<Outcome, CliError> {
    if let Some(BenchCommand::Report(args)) = &args.command {
        return write_report(args);
    }
    let list = bootes_bench::list();
    let Some(name) = &args.name else {
        let wanted = list.iter().filter(|bench| args.engine.is_none_or(|engine| bench.engines.contains(&engine)));
        if args.json {
            for bench in wanted {
                let engine = engine_of(bench);
                report::json(&json!({ "bench": bench.name, "engine": engine, "description": bench.summary }))?;
            }
        } else {
            let widest = list.iter().map(|bench| bench.name.chars().count()).max().unwrap_or(0);
            for bench in wanted {
                report::line(&format!("{:<widest$}  {}  {}", bench.name, engine_of(bench), bench.summary))?;
            }
        }
        return Ok(Outcome::Right);
    };
    let Some(bench) = list.iter().find(|bench| bench.name == name) else {
        let names = || list.iter().map(|bench| bench.name);
        let tip = suggest::nearest(name, names().chain(["report"]))
            .map_or(String::new(), |known| format!(" (did you mean {known}?)"));
        let known: Vec<&str> = names().collect();
        return Err(CliError::new(format!(
            "no benchmark is called \"{name}\"{tip}: expected one of {}",
            known.join(", ")
        )));
    };
    if let Some(wanted) = args.engine.filter(|wanted| !bench.engines.contains(wanted)) {
        let (found, wanted) = (engine_of(bench), wanted.to_string());
        return Err(CliError::new(format!(
            "{name} is a benchmark of engine {found}, but --engine is {wanted}: leave that out, or see bootes bench --list \
             --engine {wanted}"
        )));
    }
    if args.write.is_some() && name != CALIBRATE {
        return Err(CliError::new(format!("--write is for `bootes bench {CALIBRATE}`, not for {name}: leave it out")));
    }
    let output =
        args.write.as_deref().map(|path| Output::apart_from(path, Access::Public, [])).transpose()?.map(Arc::new);
    if let Some(output) = &output {
        super::check_json(output, args.json)?;
    }
    let write = output.map(|output| {
        let write = move |text: &str| output.write(text.as_bytes()).map_err(|error| error.to_string());
        bootes_bench::Writer(Arc::new(write))
    });
    let options = bootes_bench::Options {
        quick: args.quick,
        runs: args.runs,
        json: args.json,
        write,
        rows: args.rows.clone(),
        threads: args.threads,
        engine: args.engine,
        ..bootes_bench::Options::default()
    };
    match bootes_bench::run(name, &options) {
        Ok(()) => Ok(Outcome::Right),
        // Whoever read the rows has enough of them.
        Err(BenchError::Write { source, .. }) if source.kind() == ErrorKind::BrokenPipe => {
            report::reader_is_gone();
            Ok(Outcome::Right)
        }
        Err(error) => Err(CliError::new(error.to_string())),
    }
}

/// The engine that a benchmark measures, in a word.
fn engine_of(bench: &Bench) -> String {
    match bench.engines {
        [engine] => engine.to_string(),
        _ => "both".into(),
    }
}

/// The page of recorded results. Every file is complete before the first gets its name, the page last.
fn write_report(args: &BenchReportArgs) -> Result<Outcome, CliError> {
    let made = bootes_bench::report::build(&args.results).map_err(|error| CliError::new(error.to_string()))?;
    fs::create_dir_all(&args.out).map_err(|error| match fs::metadata(&args.out) {
        Ok(metadata) if !metadata.is_dir() => {
            CliError::at(&args.out, "it is a file, not a directory; give another --out")
        }
        _ => CliError::io("write", &args.out, &error),
    })?;
    let stage = |file: &bootes_bench::report::ReportFile| {
        Output::new(&args.out.join(&file.name), Access::Public)?.stage_with(|out| out.write_all(file.text.as_bytes()))
    };
    Staged::commit(made.iter().map(stage).collect::<Result<Vec<_>, _>>()?)?;
    let plots = made.iter().filter(|file| file.name.ends_with(".svg")).count();
    report::line(&format!("{}: {plots} plots", args.out.join(PAGE).display()))?;
    Ok(Outcome::Right)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "{\"row\":\"a\",\"bits\":5,\"cpu_ms\":2.0,\"paper_ms\":9.0}\n";

    fn names(directory: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_report_is_written_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let [results, out] = ["results", "a/b"].map(|name| directory.path().join(name));
        fs::create_dir(&results).unwrap();
        let args = BenchReportArgs { out: out.clone(), results: results.clone() };
        fs::write(results.join("2026-01-01-x.jsonl"), ROW).unwrap();
        assert_eq!(write_report(&args), Ok(Outcome::Right));
        let files = ["bars-x.svg", "report.md"];
        assert_eq!(names(&out), files);
        let before = files.map(|name| fs::read(out.join(name)).unwrap());
        // A newer file, cut short: what was there stays.
        fs::write(results.join("2026-01-02-x.jsonl"), [ROW, &ROW[..20]].concat()).unwrap();
        let error = write_report(&args).unwrap_err().to_string();
        assert!(error.contains("2026-01-02-x.jsonl:2:") && error.contains("\"row\" (text)"), "{error}");
        assert_eq!(names(&out), files);
        assert_eq!(before, files.map(|name| fs::read(out.join(name)).unwrap()));
        let file = BenchReportArgs { out: results.join("2026-01-01-x.jsonl"), results };
        fs::remove_file(file.results.join("2026-01-02-x.jsonl")).unwrap();
        let error = write_report(&file).unwrap_err().to_string();
        assert!(error.contains("not a directory"), "{error}");
    }
}
