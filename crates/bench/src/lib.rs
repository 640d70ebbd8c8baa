//! Benchmarks of Bootes, the papers' figures beside ours, and the parameter search.
//!
//! A benchmark is a name and a function that hands its rows, one by one, to whoever asked: [`run`] prints them, [`record`]
//! also keeps them under `bench/results`. Times are medians over runs; CPU times are the process's.
#![forbid(unsafe_code)]

mod calibrate;
mod clock;
mod error;
mod fdfb;
mod fdfb_table6;
mod fdfb_table8;
mod homdecomp_table10;
mod kernels;
mod machine;
mod paper;
mod random;
mod recursive_table3;
mod recursive_wrong_compress;
pub mod report;
mod results;
mod rns_kernels;
mod row;
pub mod search;
pub mod subject;
mod wide;
mod wide_depth;
mod wide_figure2;
mod wide_messages;
mod wide_table2;
mod wide_table3;
mod wide_tables45;

pub use error::BenchError;
pub use machine::Machine;
pub use results::record;
pub use row::Row;

use row::{Column, Printer};
use std::path::PathBuf;

/// How to run a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fewer runs and fewer rows: a check that it works, not a measurement.
    pub quick: bool,
    /// Runs of each row, instead of the benchmark's own number.
    pub runs: Option<usize>,
    /// One JSON object a row instead of a table.
    pub json: bool,
    /// Where `calibrate` writes what it found.
    pub write: Option<PathBuf>,
}

impl Options {
    /// The number of runs: what was asked for, or the default of one of the two ways.
    fn runs(&self, usual: usize, quick: usize) -> usize {
        self.runs.unwrap_or(if self.quick { quick } else { usual }).max(1)
    }
}

/// Where a benchmark puts its rows.
type Sink<'a> = dyn FnMut(Row) -> Result<(), BenchError> + 'a;

struct Bench {
    name: &'static str,
    summary: &'static str,
    columns: &'static [Column],
    run: fn(&Options, &mut Sink<'_>) -> Result<(), BenchError>,
}

const BENCHES: [Bench; 14] = [
    Bench { name: kernels::NAME, summary: kernels::SUMMARY, columns: kernels::COLUMNS, run: kernels::run },
    Bench {
        name: rns_kernels::NAME,
        summary: rns_kernels::SUMMARY,
        columns: rns_kernels::COLUMNS,
        run: rns_kernels::run,
    },
    Bench { name: calibrate::NAME, summary: calibrate::SUMMARY, columns: calibrate::COLUMNS, run: calibrate::run },
    Bench {
        name: fdfb_table6::NAME,
        summary: fdfb_table6::SUMMARY,
        columns: fdfb_table6::COLUMNS,
        run: fdfb_table6::run,
    },
    Bench {
        name: fdfb_table8::NAME,
        summary: fdfb_table8::SUMMARY,
        columns: fdfb_table8::COLUMNS,
        run: fdfb_table8::run,
    },
    Bench {
        name: homdecomp_table10::NAME,
        summary: homdecomp_table10::SUMMARY,
        columns: homdecomp_table10::COLUMNS,
        run: homdecomp_table10::run,
    },
    Bench {
        name: recursive_table3::NAME,
        summary: recursive_table3::SUMMARY,
        columns: recursive_table3::COLUMNS,
        run: recursive_table3::run,
    },
    Bench {
        name: recursive_wrong_compress::NAME,
        summary: recursive_wrong_compress::SUMMARY,
        columns: recursive_wrong_compress::COLUMNS,
        run: recursive_wrong_compress::run,
    },
    Bench {
        name: wide_table2::NAME,
        summary: wide_table2::SUMMARY,
        columns: wide_table2::COLUMNS,
        run: wide_table2::run,
    },
    Bench {
        name: wide_table3::NAME,
        summary: wide_table3::SUMMARY,
        columns: wide_table3::COLUMNS,
        run: wide_table3::run,
    },
    Bench {
        name: wide_tables45::NAME,
        summary: wide_tables45::SUMMARY,
        columns: wide_tables45::COLUMNS,
        run: wide_tables45::run,
    },
    Bench {
        name: wide_figure2::NAME,
        summary: wide_figure2::SUMMARY,
        columns: wide_figure2::COLUMNS,
        run: wide_figure2::run,
    },
    Bench { name: wide_depth::NAME, summary: wide_depth::SUMMARY, columns: wide_depth::COLUMNS, run: wide_depth::run },
    Bench {
        name: wide_messages::NAME,
        summary: wide_messages::SUMMARY,
        columns: wide_messages::COLUMNS,
        run: wide_messages::run,
    },
];

/// Name and one line on every benchmark.
pub fn list() -> &'static [(&'static str, &'static str)] {
    const LIST: [(&str, &str); BENCHES.len()] = {
        let mut list = [("", ""); BENCHES.len()];
        let mut i = 0;
        while i < BENCHES.len() {
            list[i] = (BENCHES[i].name, BENCHES[i].summary);
            i += 1;
        }
        list
    };
    &LIST
}

fn by_name(name: &str) -> Result<&'static Bench, BenchError> {
    BENCHES.iter().find(|bench| bench.name == name).ok_or_else(|| BenchError::Unknown {
        name: name.to_string(),
        known: BENCHES.map(|bench| bench.name).join(", "),
    })
}

/// Runs a benchmark and prints each row as soon as it is measured: a table for people, or JSON lines.
///
/// # Errors
/// [`BenchError::Unknown`] for a name that is not in [`list`]; whatever the evaluation or the output refuses.
pub fn run(name: &str, options: &Options) -> Result<(), BenchError> {
    let bench = by_name(name)?;
    let mut printer = Printer::new(bench.columns, options.json)?;
    (bench.run)(options, &mut |row| printer.print(&row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        let error = run("kernel", &Options::default()).unwrap_err().to_string();
        for (name, summary) in list() {
            assert!(error.contains(name) && !summary.is_empty(), "{error}");
        }
    }

    #[test]
    fn kernels_are_right_and_timed() {
        let bench = by_name("kernels").unwrap();
        let options = Options { quick: true, runs: Some(1), ..Options::default() };
        let mut rows = Vec::new();
        (bench.run)(&options, &mut |row| {
            rows.push(row);
            Ok(())
        })
        .unwrap();
        assert!(rows.len() > 17);
        for row in &rows[1..] {
            assert_eq!(row.correct, Some(true), "{}", row.row);
            assert!(row.median_ms.is_some_and(|ms| ms > 0.0) && row.extra.contains_key("flops"), "{}", row.row);
        }
    }
}
