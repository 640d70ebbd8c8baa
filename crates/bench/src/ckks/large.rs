//! `ckks-large`: tables of 12 to 20 bits by digits, of 12 also whole, in units of our own table of 8 bits.
//!
//! U is the CPU time of a table of 8 bits on one thread, measured beside each row. A second table on the same values
//! shares all but its product and sums. The paper's figures are those of its own trees, on another machine.
use super::{ByTurns, Subject, checked, count, on};
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};
use bootes_lut::ckks::{TableParams, Tables};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-large";
const SUMMARY: &str = "Tables of 12 to 20 bits by digits, beside a table of 8 bits and the figures of the CKKS paper";
const COLUMNS: &[Column] = &[
    Column::new("table", "row", 13),
    Column::new("params", "params", 18),
    Column::new("digits", "digits", 20),
    Column::new("log2 QP", "log2_qp", 7),
    Column::new("levels", "levels", 6),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("CPU s", "cpu_s", 6),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::new("a further one", "further", 13),
    Column::scaled("paper s", "paper_ms", 7, 1e-3),
    Column::new("wrong", "wrong", 5),
    Column::new("noise/half step", "noise_of_half_step", 15),
    Column::new("predicted", "predicted_of_half_step", 9),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("threads", "threads", 7),
    Column::new("speedup", "speedup", 7),
];

/// The set whose table has the time U.
const UNIT: &str = "batch_8bit";

/// Bits, the limit that we set ourselves in U, and the paper's seconds (its Table 3, one thread at 3.0 GHz).
const TABLES: [(u32, &str, f64, f64); 6] = [
    (12, "batch_12bit", 2.8, 167.0),
    (12, "batch_12bit_digits", 2.8, 167.0),
    (14, "batch_14bit", 4.5, 336.0),
    (16, "batch_16bit", 8.0, 481.0),
    (18, "batch_18bit", 16.0, 1290.0),
    (20, "batch_20bit", 36.0, 8447.0),
];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let note = "seconds of CPU time on one thread of this machine, every value checked; U: a table of 8 bits, measured \
                before and after; further: what a second table on the same values adds, as a part of the first";
    sink(Row::new(NAME, "tables by digits").with("note", note))?;
    for (bits, name, limit, paper) in TABLES {
        let whole = TableParams::named(name)?.literal().digits.is_empty();
        let row = count(bits as usize, "bit") + if whole { " whole" } else { "" };
        if options.wants(&row, true, false) {
            options.progress(&format!("{NAME}: {row}"));
            let before = unit(options)?;
            let (row, seconds) = measure(Row::new(NAME, row), (bits, name), options)?;
            let unit = 0.5 * (before + unit(options)?);
            let mut row = row.with("unit_s", unit).with("in_units", seconds / unit).with("limit_units", limit);
            row.paper_ms = Some(paper * 1e3);
            sink(row)?;
        }
    }
    if options.wants("9 bits", false, true) {
        sink(measure(Row::new(NAME, "9 bits"), (9, "toy_batch_9bit"), options)?.0)?;
    }
    Ok(())
}

/// CPU seconds of a table of 8 bits, the least of some runs after one that touches new memory.
pub(crate) fn unit(options: &Options) -> Result<f64, BenchError> {
    on(1, || {
        let mut subject = Subject::new(&TableParams::named(UNIT)?)?;
        let work = subject.work(8, 1)?;
        least_seconds(options.runs(2, 1), || subject.evaluate(&work).map(drop))
    })?
}

/// The least seconds of so many runs after a first one.
fn least_seconds(runs: usize, work: impl Fn() -> Result<(), BenchError>) -> Result<f64, BenchError> {
    let mut least = f64::INFINITY;
    work()?;
    for _ in 0..runs {
        let mut samples = crate::clock::Samples::default();
        samples.time(1.0, &work)?;
        least = least.min(samples.stats().cpu_ms * 1e-3);
    }
    Ok(least)
}

/// A row, and its CPU seconds.
fn measure(row: Row, (bits, name): (u32, &str), options: &Options) -> Result<(Row, f64), BenchError> {
    memory::restart_peak();
    let params = TableParams::named(name)?;
    let (subject, one, two) = on(1, || {
        let mut subject = Subject::new(&params)?;
        let (one, two) = (subject.work(bits, 1)?, subject.work(bits, 2)?);
        Ok::<_, BenchError>((subject, one, two))
    })??;
    let (turns, outputs) = ByTurns::run(options, options.runs(2, 1), || subject.evaluate(&one))?;
    let outcome = subject.check(&one, &outputs)?;
    let stats = turns.one.stats();
    let both = on(1, || least_seconds(options.runs(1, 1), || subject.evaluate(&two).map(drop)))??;
    let seconds = stats.cpu_ms * 1e-3;
    let digits = match one.prepared() {
        Tables::Whole(_) => "whole".to_string(),
        Tables::Digits(tables) => tables[0].shape().to_string(),
        Tables::Varied(table) => table.method(),
    };
    let row = checked(subject.describe(row.timed(&stats), bits), &outcome, &one)
        .with("digits", digits)
        .with("cpu_s", seconds)
        .with("wall_s", stats.median_ms * 1e-3)
        .with("further", both / seconds - 1.0)
        .with("peak_rss_bytes", memory::peak_bytes());
    Ok((turns.describe(row, options), seconds))
}
