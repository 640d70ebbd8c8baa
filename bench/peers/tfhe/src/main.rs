//! The `tfhe` crate's default programmable bootstrap (2 bits of message, 2 of carry, failure 2^-128) and ours, by turns in
//! one run: only ratios of one run count, since the machine's speed changes with its neighbours' load.
//!
//! `cargo run --release --manifest-path bench/peers/tfhe/Cargo.toml -- [--json] [--quick] [--runs R] [--rows A,B,…]`
//!
//! Rows: "4-bit" (any table on 4-bit integers, failure 2^-64), "4-bit-128" (2^-128), the name of a parameter set,
//! "relu-16-128" (the larger of 0 and an integer of 16 bits), and "fft-2048-bare", "fft-2048", "fft-2048-torus" (see
//! `transforms::NAMES` for what each compares), "ntt-2048", "ntt-65536", "ntt-2048-47", "ntt-65536-47" (see
//! `residues`), "f128" (words of 128 bits, see `wide`), "u8-add", "u16-mul" and such (see `integers`), "job-gates" and
//! such (see `jobs`), and "aes", "aes-16" (see `aes`). One thread, batches of 16 values, fewer where they take long;
//! every result is decrypted and checked.
//!
//! With `BOOTES_ISA=avx2` ours run with AVX2. The peer's bootstrap takes AVX-512 all the same where the processor has
//! it: the `tfhe` crate asks for the path of its transform when it is compiled.
mod aes;
mod clock;
mod integers;
mod jobs;
mod programs;
mod residues;
mod tables;
mod transforms;
mod wide;

use serde_json::Value;
use std::io::Write;
use std::process::ExitCode;
use tables::{Peer, Row};

struct Args {
    json: bool,
    quick: bool,
    runs: Option<usize>,
    rows: Vec<String>,
}

fn parse() -> Result<Args, String> {
    let mut args = Args { json: false, quick: false, runs: None, rows: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = |what: &str| words.next().ok_or_else(|| format!("{word} needs {what}"));
        match word.as_str() {
            "--json" => args.json = true,
            "--quick" => args.quick = true,
            "--runs" => {
                let text = value("a number")?;
                let runs = text.parse().ok().filter(|&runs| runs > 0);
                args.runs = Some(runs.ok_or_else(|| format!("--runs is {text}, expected a number from 1"))?);
            }
            "--rows" => args.rows = value("names with commas between them")?.split(',').map(str::to_string).collect(),
            _ => return Err(format!("unknown argument {word}: expected --json, --quick, --runs R or --rows A,B")),
        }
    }
    if args.rows.is_empty() {
        args.rows = Row::names();
        args.rows.extend(transforms::NAMES.map(str::to_string));
        args.rows.extend(residues::NAMES.map(str::to_string));
        args.rows.push(wide::NAME.to_string());
        args.rows.extend(integers::names());
        args.rows.extend(jobs::names());
        args.rows.extend(aes::NAMES.map(str::to_string));
    }
    Ok(args)
}

fn print(row: &Value, json: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        return writeln!(out, "{row}");
    }
    let number = |field: &str| row[field].as_f64().map_or("—".to_string(), |x| format!("{x:.3}"));
    let text = |field: &str| row[field].as_str().unwrap_or("").to_string();
    let ours = row["ours_ms"].as_f64().unwrap_or(f64::NAN);
    let peer = row["peer_ms"].as_f64().unwrap_or(f64::NAN);
    writeln!(
        out,
        "{:<15} {ours:>11.4} {peer:>11.4} {:>7} {:>6} {:>6}  {} {}",
        text("row"),
        number("ratio"),
        number("target_ratio"),
        number("aim_ratio"),
        text("params"),
        text("algorithm"),
    )?;
    if let Some(all) = row["us"].as_object() {
        for (name, us) in all {
            writeln!(out, "    {name:<28} {:>8.3} us", us.as_f64().unwrap_or(f64::NAN))?;
        }
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let args = parse()?;
    if !args.json {
        println!(
            "{:<15} {:>11} {:>11} {:>7} {:>6} {:>6}  parameters, algorithm",
            "row", "ours ms", "peer ms", "ratio", "limit", "aim"
        );
    }
    let mut peer = None;
    let mut missing = Vec::new();
    for name in &args.rows {
        let row = if transforms::NAMES.contains(&name.as_str()) {
            transforms::measure(name, args.runs.unwrap_or(if args.quick { 7 } else { 31 }), args.quick)
        } else if residues::NAMES.contains(&name.as_str()) {
            residues::measure(name, args.runs.unwrap_or(if args.quick { 7 } else { 31 }), args.quick)
        } else if name == wide::NAME {
            wide::measure(args.runs.unwrap_or(if args.quick { 3 } else { 15 }))
        } else if aes::NAMES.contains(&name.as_str()) {
            aes::measure(name, peer.get_or_insert_with(Peer::new), args.runs.unwrap_or(3))
        } else if integers::names().contains(name) {
            integers::measure(name, args.runs.unwrap_or(if args.quick { 3 } else { 9 }))
        } else if jobs::names().contains(name) {
            jobs::measure(name, args.runs.unwrap_or(if args.quick { 1 } else { 3 }))
        } else {
            Row::by_name(name).and_then(|row| {
                row.measure(peer.get_or_insert_with(Peer::new), args.runs.unwrap_or(if args.quick { 3 } else { 15 }))
            })
        };
        match row {
            Ok(row) => print(&row, args.json).map_err(|e| e.to_string())?,
            Err(error) => {
                eprintln!("error: {error}");
                missing.push(name.as_str());
            }
        }
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
