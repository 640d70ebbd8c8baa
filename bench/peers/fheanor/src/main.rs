//! Slim (thin) bootstrapping of BFV modulo 257, 128 slots, N = 2^15: the `fheanor` crate's default and ours, by turns
//! in one run: only ratios of one run count, since the machine's speed changes with its neighbours' load.
//!
//! `RUSTC_BOOTSTRAP=1 cargo run --release --manifest-path bench/peers/fheanor/Cargo.toml -- [--json] [--runs R]
//! [--rows A,B,…] [--cache DIR]`
//!
//! The peer needs unstable features of the compiler, so `RUSTC_BOOTSTRAP`. What it precomputes takes minutes and is kept
//! under `--cache` (`bench/peers/fheanor/target/cache`). Rows: see [`peer::CASES`]. One thread, CPU time, new values
//! encrypted in each round, every slot decrypted and checked.
#[path = "../../tfhe/src/clock.rs"]
mod clock;
mod ours;
mod peer;

use std::io::Write;
use std::process::ExitCode;

use bootes_ring::isa::Isa;
use serde_json::{Value, json};

use clock::median;
use ours::Ours;
use peer::{Case, Peer};

/// Ours must take at most so much of the peer's time.
const TARGET: f64 = 1.0 / 12.0;

const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/cache");

struct Args {
    json: bool,
    runs: usize,
    rows: Vec<&'static Case>,
    cache: String,
}

fn parse() -> Result<Args, String> {
    let mut args = Args { json: false, runs: 3, rows: peer::CASES.iter().collect(), cache: CACHE.to_string() };
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
            "--rows" => {
                let names = value("names with commas between them")?;
                args.rows = names.split(',').map(Case::by_name).collect::<Result<_, _>>()?;
            }
            "--cache" => args.cache = value("a directory")?,
            _ => return Err(format!("unknown argument {word}: expected --json, --runs R, --rows A,B or --cache DIR")),
        }
    }
    Ok(args)
}

/// Where values of slots come from.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn values(&mut self) -> Vec<u64> {
        (0..ours::SLOTS).map(|_| self.next() % ours::MODULUS).collect()
    }
}

/// `runs` rounds of ours, peer, ours.
fn measure(case: &Case, runs: usize, cache: &str, ours: &Ours) -> Result<Value, String> {
    let mut random = SplitMix(ours::MODULUS);
    let peer = Peer::new(case, cache)?;
    let (mut times, mut walls, mut peer_wrong, mut budgets) = (Vec::new(), Vec::new(), 0, Vec::new());
    for round in 0..=runs {
        let values: [Vec<u64>; 3] = std::array::from_fn(|_| random.values());
        let before = ours.run(&values[0])?;
        let run = peer.run(&values[1]);
        let after = ours.run(&values[2])?;
        peer_wrong += run.wrong;
        // The first round warms caches and tables, and does not count.
        if round > 0 {
            times.push([0.5 * (before.cpu + after.cpu), run.times.cpu]);
            walls.push([0.5 * (before.wall + after.wall), run.times.wall]);
            budgets.push(run.budget);
        }
    }
    let ratios: Vec<f64> = times.iter().map(|[own, peer]| own / peer).collect();
    let ratio = median(ratios.iter().copied());
    Ok(json!({
        "row": case.name,
        "what": "slim bootstrapping of BFV, p = 257, 128 slots, N = 2^15, one thread, CPU time",
        "p": ours::MODULUS,
        "slots": ours::SLOTS,
        "log2_degree": ours::LOG2_DEGREE,
        "ours_ms": median(times.iter().map(|t| t[0] * 1e3)),
        "peer_ms": median(times.iter().map(|t| t[1] * 1e3)),
        "ours_wall_ms": median(walls.iter().map(|t| t[0] * 1e3)),
        "peer_wall_ms": median(walls.iter().map(|t| t[1] * 1e3)),
        "ratio": ratio,
        "ratio_min": ratios.iter().copied().fold(f64::INFINITY, f64::min),
        "ratio_max": ratios.iter().copied().fold(0.0, f64::max),
        "runs": runs,
        "target_ratio": TARGET,
        "meets_target": ratio <= TARGET,
        "log2_q": ours.log2_q(),
        "log2_qp": ours.log2_qp(),
        "peer_log2_q": peer.log2_q,
        "weights": [ours::WEIGHT, ours::SPARSE_WEIGHT],
        "peer_weights": [case.weight, case.sparse_weight],
        "bound": ours::BOUND,
        "peer_bound": case.bound,
        "security_bits": ours.security_bits(),
        "peer_security_bits": peer.security_bits()?,
        "budget_bits": ours.budget_bits(),
        "peer_budget_bits": budgets.iter().min(),
        "checked": ours::SLOTS * (runs + 1),
        "correct": true,
        "peer_wrong": peer_wrong,
        "peer": "fheanor 0.11.9, ThinBootstrapper::build_pow2",
        "isa": Isa::selected().to_string(),
    }))
}

fn print(row: &Value, json: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        return writeln!(out, "{row}");
    }
    let number = |field: &str| row[field].as_f64().unwrap_or(f64::NAN);
    let seconds = |field: &str| number(field) * 1e-3;
    writeln!(
        out,
        "{:<11} {:>8.3} {:>8.3} {:>7.4} {:>7.4}  ours: log2 Q {:.0} (QP {:.0}), h {}, |e| <= {}, {:.0} bits, budget {:.0}, right",
        row["row"].as_str().unwrap_or(""),
        seconds("ours_ms"),
        seconds("peer_ms"),
        number("ratio"),
        number("target_ratio"),
        number("log2_q"),
        number("log2_qp"),
        row["weights"],
        row["bound"],
        number("security_bits"),
        number("budget_bits"),
    )?;
    let wrong = match row["peer_wrong"].as_u64() {
        Some(0) => "right".to_string(),
        _ => format!("{} of {} slots wrong", row["peer_wrong"], row["checked"]),
    };
    writeln!(
        out,
        "{:<46} peer: log2 Q {:.0}, h {}, |e| <= {}, {:.0} bits, budget {:.0}, {wrong}",
        "",
        number("peer_log2_q"),
        row["peer_weights"],
        row["peer_bound"],
        number("peer_security_bits"),
        number("peer_budget_bits"),
    )
}

fn run() -> Result<(), String> {
    let args = parse()?;
    let ours = Ours::new()?;
    if !args.json {
        println!("{:<11} {:>8} {:>8} {:>7} {:>7}  parameters", "row", "ours s", "peer s", "ratio", "limit");
    }
    for case in args.rows {
        let row = measure(case, args.runs, &args.cache, &ours)?;
        print(&row, args.json).map_err(|e| e.to_string())?;
    }
    Ok(())
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
