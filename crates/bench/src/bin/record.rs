//! Runs benchmarks and keeps their rows: `cargo run --release -p bootes-bench --bin record -- NAME… [--quick] [--rows=ROWS]
//! [--runs=R] [--threads=T]`, from the root of the repository, writes `bench/results/DATE-NAME.jsonl` in
//! place of the day's older one.
use bootes_bench::{Options, list, record};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (flags, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let (options, unknown) = options(&flags);
    if names.is_empty() || unknown {
        eprintln!("error: usage: record NAME… [--quick] [--rows=ROWS] [--runs=R] [--threads=T], with names of");
        list().iter().for_each(|bench| eprintln!("  {}  {}", bench.name, bench.summary));
        return ExitCode::from(2);
    }
    for name in names {
        match record(&name, &options, Path::new("bench/results")) {
            Ok(path) => eprintln!("written: {}", path.display()),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Options from flags, and whether there was another flag.
fn options(flags: &[String]) -> (Options, bool) {
    let (mut options, mut unknown) = (Options::default(), false);
    for flag in flags {
        match (flag.split_once('='), flag.as_str()) {
            (None, "--quick") => options.quick = true,
            (Some(("--rows", rows)), _) => options.rows = Some(rows.to_string()),
            (Some(("--runs", runs)), _) => {
                options.runs = runs.parse().ok().filter(|&runs| runs > 0);
                unknown |= options.runs.is_none();
            }
            (Some(("--threads", threads)), _) => {
                options.threads = threads.parse().ok();
                unknown |= options.threads.is_none();
            }
            _ => unknown = true,
        }
    }
    (options, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_options() {
        let of = |flags: &[&str]| options(&flags.iter().map(|flag| flag.to_string()).collect::<Vec<_>>());
        let (found, unknown) = of(&["--runs=70000", "--rows=fhew decryption: keys", "--threads=2", "--quick"]);
        assert_eq!((found.runs, found.threads, found.quick, unknown), (Some(70_000), Some(2), true, false));
        assert_eq!(found.rows.as_deref(), Some("fhew decryption: keys"));
        for flag in
            ["--runs", "--runs=", "--runs=0", "--runs=-1", "--runs=1e6", "--threads=two", "--quick=1", "--run=1"]
        {
            assert!(of(&[flag]).1, "{flag}");
        }
    }
}
