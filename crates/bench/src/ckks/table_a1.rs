//! `ckks-tableA1`: Table A1 of the paper on larger tables with CKKS, ours beside each row.
//!
//! One thread; with more, what they gain for one ciphertext (speedup) and for as many side by side (throughput). A row has keys of its own,
//! dropped before the next. The fields `p`, `cpu_s`, `wall_s` and `peak_rss_bytes` are what the peers' benchmarks compare.
use super::{ByTurns, Subject, checked, count, on};
use crate::paper::CkksPaper;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};
use bootes_lut::ckks::TableParams;

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-tableA1";
const SUMMARY: &str =
    "Table A1 of the CKKS paper: functional bootstrapping of tables of 1 to 12 bits, all values of a ciphertext";
const COLUMNS: &[Column] = &[
    Column::new("table", "row", 8),
    Column::new("params", "params", 12),
    Column::new("log2 N", "log2_degree", 6),
    Column::new("log2 QP", "log2_qp", 7),
    Column::new("levels", "levels", 6),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::scaled("paper s", "paper_ms", 7, 1e-3),
    Column::new("CPU s", "cpu_s", 6),
    Column::new("paper ms/value", "paper_ms_value", 14),
    Column::new("ms/value", "ms_value", 8),
    Column::new("paper/ours", "paper_over_ours", 10),
    Column::new("target ms", "target_ms", 9),
    Column::new("kept", "kept", 4),
    Column::new("wrong", "wrong", 5),
    Column::new("noise/half step", "noise_of_half_step", 15),
    Column::new("predicted", "predicted_of_half_step", 9),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("threads", "threads", 7),
    Column::new("speedup", "speedup", 7),
    Column::new("throughput", "throughput_ratio", 10),
];

/// The largest tables.
const BITS: u32 = 12;
/// Milliseconds a value that we want to keep: bits and limit.
const TARGETS: [(u32, f64); 4] = [(4, 0.10), (8, 0.20), (10, 0.5), (12, 1.2)];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = CkksPaper::load();
    let note = format!(
        "paper: {}; ours: seconds of CPU time on one thread of this machine, every value checked; peak: of the process with its keys; \
         noise: standard deviation over half the distance of messages",
        paper.machine
    );
    let about = Row::new(NAME, "Table A1").with("note", note).with("paper", paper.paper.as_str());
    sink(about.with("title", paper.title.as_str()))?;
    for bits in 1..=BITS {
        let name = count(bits as usize, "bit");
        if options.wants(&name, true, [1, 4].contains(&bits)) {
            options.progress(&format!("{NAME}: {name}"));
            sink(measure(&paper, Row::new(NAME, name), bits, options)?)?;
        }
    }
    Ok(())
}

fn measure(paper: &CkksPaper, row: Row, bits: u32, options: &Options) -> Result<Row, BenchError> {
    memory::restart_peak();
    let params = TableParams::for_bits(bits)?;
    let (subject, work) = on(1, || {
        let mut subject = Subject::new(&params)?;
        let work = subject.work(bits, 1)?;
        Ok::<_, BenchError>((subject, work))
    })??;
    let (turns, outputs) = ByTurns::run(options, options.runs(3, 1), || subject.evaluate(&work))?;
    let outcome = subject.check(&work, &outputs)?;
    let one = turns.one.stats();
    let values = params.capacity() as f64;
    let ms_value = one.cpu_ms / values;
    let mut row = checked(subject.describe(row.timed(&one), bits), &outcome, &work)
        .with("p", 1u64 << bits)
        .with("values", work.messages.len())
        .with("cpu_s", one.cpu_ms * 1e-3)
        .with("wall_s", one.median_ms * 1e-3)
        .with("ms_value", ms_value)
        .with("peak_rss_bytes", memory::peak_bytes());
    if let Some(cell) = paper.row.iter().find(|row| row.bits == bits) {
        row.paper_ms = Some(cell.seconds * 1e3);
        row = row
            .with("paper_ms_value", cell.ms)
            .with("paper_log2_degree", cell.log2_degree)
            .with("paper_log2_qp", cell.log2_qp)
            .with("paper_log2_modulus", cell.log2_modulus)
            .with("paper_digits_ms_value", cell.digits_ms)
            .with("paper_over_ours", cell.ms / ms_value);
    }
    if let Some((_, target)) = TARGETS.iter().find(|target| target.0 == bits) {
        row = row.with("target_ms", *target).with("kept", ms_value <= *target);
    }
    Ok(turns.describe(row, options))
}
