//! `ckks-programs`: functions of two integers on 2^16 pairs, by the set that the planner takes, in milliseconds a pair
//! and in units of our own table of 8 bits.
use bootes::planner::{Offer, Request};
use bootes::{Client, FailureTarget, Function, Load, Lut, Program, Server, Space};

use super::large::unit;
use super::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-programs";
const SUMMARY: &str = "Functions of two integers on 65536 pairs, beside a table of 8 bits";
const COLUMNS: &[Column] = &[
    Column::new("function", "row", 22),
    Column::new("params", "params", 18),
    Column::new("plan s", "plan_s", 6),
    Column::new("predicted s", "predicted_s", 11),
    Column::new("CPU s", "cpu_s", 6),
    Column::new("ms a pair", "pair_ms", 9),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
];

/// Pairs, and their bits; `f` is a table of 65536 entries of 8 bits.
const PAIRS: usize = 1 << 16;

/// Programs of x and y of so many bits without a sign, and the limit in U that we set ourselves.
const ROWS: [(&str, u32, &str, f64); 14] = [
    ("u8 any", 8, "f(256*x + y)", 7.4),
    ("u8 product", 8, "x*y", 4.1),
    ("u8 quotient", 8, "x/y", 7.4),
    ("u8 compare", 8, "x < y", 7.4),
    ("u8 max", 8, "max(x, y)", 7.4),
    ("u8 select", 8, "select(x > y, x, y)", 7.4),
    ("u16 compare", 16, "x < y", 6.6),
    ("u16 select", 16, "select(x > y, x, y)", 6.6),
    ("u16 min", 16, "min(x, y)", 6.6),
    ("u16 product", 16, "x*y % 65536", 24.6),
    ("u32 compare", 32, "x < y", 13.1),
    ("u32 select", 32, "select(x > y, x, y)", 13.1),
    ("u32 min", 32, "min(x, y)", 13.1),
    ("u32 product", 32, "x*y % 4294967296", 131.0),
];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let note = "CPU seconds of 65536 pairs on one thread of this machine, every result checked, extremes among them; \
                U: a table of 8 bits, measured before and after all; keys are there; plan: which set, and its noise";
    sink(Row::new(NAME, "functions of pairs").with("note", note))?;
    let wanted: Vec<_> =
        ROWS.into_iter().filter(|(name, ..)| options.wants(name, true, *name == "u8 compare")).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let before = unit(options)?;
    let mut rows = Vec::new();
    for (name, bits, text, limit) in wanted {
        options.progress(&format!("{NAME}: {name}"));
        rows.push((on(1, || measure(name, bits, text, options))??, limit));
    }
    let unit = 0.5 * (before + unit(options)?);
    for ((row, seconds), limit) in rows {
        sink(row.with("unit_s", unit).with("in_units", seconds / unit).with("limit_units", limit))?;
    }
    Ok(())
}

/// A row, and its CPU seconds.
fn measure(name: &str, bits: u32, text: &str, options: &Options) -> Result<(Row, f64), BenchError> {
    memory::restart_peak();
    let mut random = SplitMix(u64::from(bits));
    let table = Lut::new(random.values(PAIRS, 8), 8)?;
    let program = Program::parse(text, &[("f", &table)])?;
    let request =
        Request { function: Function::from(&program), space: Space::unsigned(bits), target: FailureTarget::Two128 };
    let mut planning = Samples::default();
    let load = Load { threads: 1, ..Load::of(PAIRS) };
    let offer = planning.time(1.0, || request.offer(Engine::Ckks, &load))?;
    let Offer { params, space, prediction } = offer;
    let client = Client::generate(&params)?;
    let server = Server::builder(client.server_key()?).threads(1).build()?;
    let most = (1u64 << bits) - 1;
    let extremes = [0, 1, most / 2, most / 2 + 1, most - 1, most];
    let column = |i: usize, random: &mut SplitMix| {
        let mut values: Vec<i128> = random.values(PAIRS, bits).into_iter().map(|x| x as i128).collect();
        let place = |j: usize| if i == 0 { j % 6 } else { j / 6 % 6 };
        (0..36).for_each(|j| values[j] = extremes[place(j)] as i128);
        values
    };
    let columns = [column(0, &mut random), column(1, &mut random)];
    let width = space.integers().map_or(bits, |integers| integers.width());
    let encrypt = |values: &Vec<i128>| client.encrypt_within(values.iter().copied(), 0..=most as i128, width);
    let operands = [encrypt(&columns[0])?, encrypt(&columns[1])?];
    let plan = server.plan(&program, &operands)?;
    let (mut runs, mut results) = (Samples::default(), server.run(&plan, &operands)?);
    for _ in 0..options.runs(2, 1) {
        results = runs.time(1.0, || server.run(&plan, &operands))?;
    }
    let stats = runs.stats();
    let seconds = stats.cpu_ms * 1e-3;
    let plain: Vec<&[i128]> = columns.iter().map(Vec::as_slice).collect();
    let expected = program.integers_of(&plain, &[space.range(); 2])?;
    let mut row = Row::new(NAME, name).timed(&stats);
    row.correct = Some(client.decrypt_wide(&results[0])? == expected[0]);
    row.params = Some(params.name().to_string());
    row.log2_p_fail = Some(plan.log2_p_fail());
    row.key_bytes = Some(prediction.key_bytes);
    let row = row
        .with("expression", text)
        .with("bits", bits)
        .with("plan_s", planning.stats().cpu_ms * 1e-3)
        .with("predicted_s", prediction.cpu_seconds)
        .with("cpu_s", seconds)
        .with("pair_ms", seconds * 1e3 / PAIRS as f64)
        .with("peak_rss_bytes", memory::peak_bytes());
    Ok((row, seconds))
}
