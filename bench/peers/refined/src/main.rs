//! Circuit bootstrapping by the program of the authors of *Refined TFHE Leveled Homomorphic Evaluation and Its
//! Application* (2024/1318) and by Bootes, by turns in one run, with T beside them: the default programmable bootstrap
//! of the `tfhe` crate (2 + 2 bits, failure 2^-128).
//!
//! `cargo run --release --locked --manifest-path bench/peers/refined/Cargo.toml -- [--json] [--runs R] [--rows A,B]`
//!
//! Rows: "aes-set-1", "aes-set-2", "aes-half-1", "aes-half-2" are a block of AES-128 by four parameter sets of theirs.
//! "table-12" and "table-16" are random tables of 12 and 16 bits with results of as many. "aes-tfhe" is the `tfhe`
//! crate's own AES, and is run where it is named: it takes minutes a block. One thread; every result of both sides is
//! decrypted and checked. A round is T, theirs, ours, T, in CPU time. The middle of the rounds is printed, without the
//! first, which "aes-tfhe" does not have.
#[path = "../../tfhe/src/clock.rs"]
mod clock;
mod ours;
#[expect(dead_code, reason = "rows beside tfhe alone")]
#[path = "../../tfhe/src/tables.rs"]
mod tables;
mod theirs;

use clock::{Times, median};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use tables::{Peer, SplitMix};

struct Args {
    json: bool,
    runs: usize,
    rows: Vec<String>,
}

fn parse() -> Result<Args, String> {
    let names = theirs::AES_SETS.iter().chain(&theirs::TABLES);
    let mut args = Args { json: false, runs: 3, rows: names.map(|row| row.to_string()).collect() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = |what: &str| words.next().ok_or_else(|| format!("{word} needs {what}"));
        match word.as_str() {
            "--json" => args.json = true,
            "--runs" => {
                let text = value("a number")?;
                let runs = text.parse().ok().filter(|&runs| runs > 0);
                args.runs = runs.ok_or_else(|| format!("--runs is {text}, expected a number from 1"))?;
            }
            "--rows" => args.rows = value("names with commas between them")?.split(',').map(str::to_string).collect(),
            _ => return Err(format!("unknown argument {word}: expected --json, --runs R or --rows A,B")),
        }
    }
    Ok(args)
}

/// Their side of a row: evaluates on an input and compares the result. Times, and those of parts.
type Theirs = Box<dyn FnMut(&mut SplitMix) -> Result<(Times, Vec<(&'static str, Times)>), String>>;

/// Our side of a row: evaluates and compares; times of a value. Then what is told of it.
type Ours = (Box<dyn FnMut(&mut SplitMix) -> Result<Times, String>>, Value);

/// Measures a row: `runs` rounds of T, theirs, ours, T, and one before them that does not count.
fn measure(name: &str, runs: usize, unit: &Peer) -> Result<Value, String> {
    let mut random = SplitMix(1318);
    let slow = name == theirs::TFHE;
    let (mut theirs, (mut ours, told)) = if slow || theirs::AES_SETS.contains(&name) {
        (theirs::aes(name)?, ours::aes()?)
    } else if theirs::TABLES.contains(&name) {
        let bits = if name == theirs::TABLES[0] { 12 } else { 16 };
        (theirs::table(bits), ours::table(bits)?)
    } else {
        return Err(format!("unknown row {name}"));
    };
    let mut rounds = Vec::with_capacity(runs);
    let mut parts: Vec<(&str, Vec<f64>)> = Vec::new();
    for round in usize::from(slow)..=runs {
        let before = unit.run(&mut random)?;
        let (peer, of_parts) = theirs(&mut random).map_err(|e| format!("row {name}, theirs: {e}"))?;
        let own = ours(&mut random).map_err(|e| format!("row {name}, ours: {e}"))?;
        let after = unit.run(&mut random)?;
        if parts.is_empty() {
            parts = of_parts.iter().map(|&(part, _)| (part, Vec::new())).collect();
        }
        if round == 0 {
            continue;
        }
        let bootstraps = 2.0 * Peer::BOOTSTRAPS as f64;
        let (t, t_wall) = ((before.cpu + after.cpu) / bootstraps, (before.wall + after.wall) / bootstraps);
        rounds.push([own.cpu, own.wall, peer.cpu, peer.wall, t, t_wall].map(|seconds| 1e3 * seconds));
        parts.iter_mut().zip(&of_parts).for_each(|((_, all), (_, times))| all.push(1e3 * times.cpu));
    }
    let column = |i: usize| median(rounds.iter().map(|round| round[i]));
    let quotient = |i: usize, j: usize| median(rounds.iter().map(|round| round[i] / round[j]));
    let ratios = || rounds.iter().map(|round| round[0] / round[2]);
    let mut row = json!({
        "row": name,
        "ours_ms": column(0),
        "peer_ms": column(2),
        "t_ms": column(4),
        "ratio": quotient(0, 2),
        "ratio_min": ratios().fold(f64::INFINITY, f64::min),
        "ratio_max": ratios().fold(0.0, f64::max),
        "ratio_wall": quotient(1, 3),
        "ours_in_t": quotient(0, 4),
        "peer_in_t": quotient(2, 4),
        "ours_cpu_ms": column(0),
        "ours_wall_ms": column(1),
        "peer_cpu_ms": column(2),
        "peer_wall_ms": column(3),
        "t_wall_ms": column(5),
        "runs": runs,
        "correct": true,
        "peer": if slow { "tfhe 1.8.2, transciphering" } else { "refined-tfhe-lhe 9b0426e on tfhe 0.5.4" },
        "peer_isa": theirs::isa(name),
        "t": "tfhe 1.8.2, 2_2 KS_PBS_GAUSSIAN_2M128",
        "isa": bootes::isa().to_string(),
    });
    for (part, all) in parts {
        row[format!("peer_{part}_ms")] = json!(median(all));
    }
    told.as_object().into_iter().flatten().for_each(|(key, value)| row[key] = value.clone());
    Ok(row)
}

fn run() -> Result<(), String> {
    let args = parse()?;
    let unit = Peer::new();
    let mut out = std::io::stdout().lock();
    let mut write = |line: String| writeln!(out, "{line}").map_err(|e| e.to_string());
    if !args.json {
        write(format!(
            "{:<12} {:>10} {:>10} {:>8} {:>12} {:>8} {:>8}",
            "row", "ours ms", "theirs ms", "T ms", "ours/theirs", "ours T", "theirs T"
        ))?;
    }
    let mut missing = Vec::new();
    for name in &args.rows {
        let row = match measure(name, args.runs, &unit) {
            Ok(row) => row,
            Err(error) => {
                eprintln!("error: {error}");
                missing.push(name.as_str());
                continue;
            }
        };
        if args.json {
            write(row.to_string())?;
            continue;
        }
        let number = |field: &str| row[field].as_f64().unwrap_or(f64::NAN);
        write(format!(
            "{name:<12} {:>10.1} {:>10.1} {:>8.2} {:>12.3} {:>8.2} {:>8.2}",
            number("ours_ms"),
            number("peer_ms"),
            number("t_ms"),
            number("ratio"),
            number("ours_in_t"),
            number("peer_in_t"),
        ))?;
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("rows without a result: {}", missing.join(", "))) }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
