//! `ckks-table3`, `ckks-table4`, `ckks-table5`: the tables of section 8 of the paper on larger tables with CKKS, its
//! trees with the digits that it found best, on our moduli, and beside them what is faster here.
use std::thread::available_parallelism;

use super::count;
use super::tree::{Method, QUICK_BITS, measure};
use crate::paper::{CkksPaper, CkksTree};
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

pub(crate) const TABLE3: Bench = Bench {
    name: "ckks-table3",
    engines: &[Engine::Ckks],
    summary: "Table 3 of the CKKS paper: tables of 8 to 20 bits by multiplexer trees on one thread, and what is faster",
    columns: &[
        TABLE, DIGITS, CLEANING, LOG2_QP, LEVELS, DEPTH, PRODUCTS, CONSTANTS, PREDICTED, CPU, WALL, PAPER, MS,
        PAPER_MS, RATIO, TREE_RATIO, WRONG, NOISE, PEAK,
    ],
    run: |options, sink| times(3, 1, options, sink),
};

pub(crate) const TABLE4: Bench = Bench {
    name: "ckks-table4",
    engines: &[Engine::Ckks],
    summary: "Table 4 of the CKKS paper: the same on several threads, by turns with one",
    columns: &[
        TABLE,
        DIGITS,
        CLEANING,
        LOG2_QP,
        LEVELS,
        Column::new("one: s", "wall_s", 6),
        Column::new("threads", "threads", 7),
        Column::new("wall s", "threads_wall_s", 6),
        Column::new("CPU s", "threads_cpu_s", 6),
        Column::new("speedup", "speedup", 7),
        PAPER,
        MS,
        PAPER_MS,
        RATIO,
        TREE_RATIO,
        WRONG,
        NOISE,
        PEAK,
    ],
    run: |options, sink| {
        let threads = options.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        times(4, threads.max(1), options, sink)
    },
};

pub(crate) const TABLE5: Bench = Bench {
    name: "ckks-table5",
    engines: &[Engine::Ckks],
    summary: "Table 5 of the CKKS paper: peak memory of whole tables, of both trees, and of ours",
    columns: &[
        TABLE,
        DIGITS,
        CLEANING,
        LOG2_QP,
        LEVELS,
        Column::scaled("keys GB", "key_bytes", 7, 1e-9),
        Column::scaled("predicted GB", "predicted_bytes", 12, 1e-9),
        PEAK,
        Column::new("paper GB", "paper_gigabytes", 8),
        CPU,
        WRONG,
        NOISE,
    ],
    run: memory,
};

const TABLE: Column = Column::new("table", "row", 18);
const DIGITS: Column = Column::new("digits", "digits", 17);
const CLEANING: Column = Column::new("cleaned", "cleaning", 7);
const LOG2_QP: Column = Column::new("log2 QP", "log2_qp", 7);
const LEVELS: Column = Column::new("levels", "levels", 6);
const DEPTH: Column = Column::new("of the tree", "depth", 11);
const PRODUCTS: Column = Column::new("products", "products", 8);
const CONSTANTS: Column = Column::new("constants", "multiply_adds", 9);
const PREDICTED: Column = Column::new("predicted s", "predicted_s", 11);
const CPU: Column = Column::new("CPU s", "cpu_s", 6);
const WALL: Column = Column::new("wall s", "wall_s", 6);
const PAPER: Column = Column::scaled("paper s", "paper_ms", 7, 1e-3);
const MS: Column = Column::new("ms/value", "ms_value", 8);
const PAPER_MS: Column = Column::new("paper", "paper_ms_value", 6);
const RATIO: Column = Column::new("paper/ours", "paper_over_ours", 10);
const TREE_RATIO: Column = Column::new("tree/this", "tree_over_this", 9);
const WRONG: Column = Column::new("wrong", "wrong", 5);
const NOISE: Column = Column::new("noise/half step", "noise_of_half_step", 15);
const PEAK: Column = Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9);

/// The common remark of all rows of trees.
const MODULI: &str = "trees: the paper's algorithms and digits with N = 2^16, primes of 46 bits (the paper: 48, and 59 \
                      for 20 bits), inputs and results modulo 2^48 (the paper: 2^52 to 2^75), and a level more, since \
                      the table is divided by its modulus first; products and constants of the tree's circuit, which \
                      is evaluated for each half of the values";

/// Tables 3 and 4.
fn times(table: u32, threads: usize, options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let name = if table == 3 { TABLE3.name } else { TABLE4.name };
    let paper = CkksPaper::load();
    let machine = paper.machine.clone();
    let machine = if table == 3 { machine } else { machine.replace("one thread of an", "the 32 cores of two") };
    let note = format!(
        "{MODULI}; paper: {machine}; ms/value: ours of {}; tree/this: time of CMT-FBT over this row's; characters: \
         this library's tables of several digits, beside the paper's CMT-FBT",
        if threads > 1 { count(threads, "thread") + ", wall" } else { "one thread, CPU".into() }
    );
    let about = Row::new(name, format!("Table {table}")).with("note", note).with("paper", paper.paper.as_str());
    sink(about.with("title", format!("Table {table}: tables of 8 to 20 bits by multiplexer trees")))?;
    let tree = |tree: &CkksTree| (tree.bits, tree.digit_bits);
    let all = match options.quick {
        true => vec![(QUICK_BITS, 3)],
        false => paper.tree.iter().filter(|tree| tree.table == table).map(tree).collect(),
    };
    for (bits, digit_bits) in all {
        let cell = paper.tree.iter().find(|tree| (tree.table, tree.bits) == (table, bits));
        let mut of_tree = None;
        for method in methods(bits, digit_bits, options.quick) {
            let label = format!("{} {}", count(bits as usize, "bit"), method.name());
            if !options.wants(&label, true, true) {
                continue;
            }
            options.progress(&format!("{name}: {label}"));
            let mut row = measure(Row::new(name, label), (bits, method), (true, threads), options)?;
            // The paper's seconds, and milliseconds a value.
            let beside = cell.and_then(|cell| match method {
                Method::Whole if table == 3 => {
                    paper.row.iter().find(|row| row.bits == bits).map(|row| (row.seconds, row.ms))
                }
                Method::Whole => cell.direct_over_tree.map(|s| (s * cell.seconds, s * cell.ms)),
                _ => Some((cell.seconds, cell.ms)),
            });
            if let Some((seconds, ms)) = beside {
                row.paper_ms = Some(seconds * 1e3);
                row = row.with("paper_ms_value", ms);
            }
            if let (Some(cell), Method::Tree(_)) = (cell, method) {
                row = row
                    .with("paper_log2_qp", cell.log2_qp)
                    .with("paper_log2_degree", cell.log2_degree)
                    .with("paper_log2_modulus", cell.log2_modulus)
                    .with("paper_scale_bits", cell.scale_bits);
            }
            let seconds = row.extra.get(if threads > 1 { "threads_wall_s" } else { "cpu_s" }).and_then(|s| s.as_f64());
            if let (Some(seconds), Some(values)) = (seconds, row.extra.get("checked").and_then(|n| n.as_f64())) {
                let ms = seconds * 1e3 / values;
                row = row
                    .with("ms_value", ms)
                    .with("paper_over_ours", beside.map(|(_, paper)| paper / ms))
                    .with("tree_over_this", of_tree.map(|tree: f64| tree / seconds));
                of_tree = of_tree.or((method == Method::Tree(digit_bits)).then_some(seconds));
            }
            sink(row)?;
        }
    }
    Ok(())
}

/// The tree, and what may be faster.
fn methods(bits: u32, digit_bits: u32, quick: bool) -> Vec<Method> {
    let whole = (bits <= 12).then_some(Method::Whole);
    let characters = (bits >= 11 || quick).then_some(Method::Characters);
    [Some(Method::Tree(digit_bits)), whole, characters].into_iter().flatten().collect()
}

/// Table 5.
fn memory(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let (name, paper) = (TABLE5.name, CkksPaper::load());
    let note = format!(
        "{MODULI}; peak: of the process with its key, whose masks are expanded; one thread; predicted: key and tree"
    );
    let about = Row::new(name, "Table 5").with("note", note).with("paper", paper.paper.as_str());
    sink(about.with("title", "Table 5: peak memory"))?;
    let all = match options.quick {
        true => vec![(QUICK_BITS, None)],
        false => paper.memory.iter().map(|cell| (cell.bits, Some(cell))).collect(),
    };
    for (bits, cell) in all {
        let best =
            paper.tree.iter().find(|tree| (tree.table, tree.bits) == (3, bits)).map_or(3, |tree| tree.digit_bits);
        for (method, gigabytes) in [
            (Method::Whole, cell.map(|cell| cell.direct)),
            (Method::Tree(1), cell.map(|cell| cell.binary)),
            (Method::Tree(best), cell.map(|cell| cell.collapsed)),
            (Method::Characters, None),
        ] {
            let label = format!("{} {}", count(bits as usize, "bit"), method.name());
            if options.wants(&label, true, true) {
                options.progress(&format!("{name}: {label}"));
                let row = measure(Row::new(name, label), (bits, method), (true, 1), options)?;
                sink(row.with("paper_gigabytes", gigabytes))?;
            }
        }
    }
    Ok(())
}
