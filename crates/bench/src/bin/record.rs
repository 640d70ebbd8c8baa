//! Runs benchmarks and keeps their rows: `cargo run --release -p bootes-bench --bin record -- NAME… [--quick]`, from the
//! root of the repository, writes `bench/results/DATE-NAME.jsonl`.
use bootes_bench::{Options, list, record};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (flags, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    if names.is_empty() || flags.iter().any(|flag| flag != "--quick") {
        eprintln!("error: usage: record NAME… [--quick], with names of");
        list().iter().for_each(|(name, summary)| eprintln!("  {name}  {summary}"));
        return ExitCode::from(2);
    }
    let options = Options { quick: !flags.is_empty(), ..Options::default() };
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
