//! Benchmarks of Bootes, the papers' figures beside ours, and the parameter search.
//!
//! A benchmark is a name and a function that hands its rows, one by one, to whoever asked: [`run`] prints them,
//! [`record`] also keeps them under `bench/results`. Times are medians over runs; CPU times are the process's.
#![forbid(unsafe_code)]

mod bfv;
mod calibrate;
mod ckks;
mod clock;
mod error;
mod fdfb;
mod jobs;
mod kernels;
mod machine;
mod memory;
mod paper;
mod random;
mod recursive;
pub mod report;
mod results;
mod rns_kernels;
mod row;
pub mod search;
pub mod subject;
mod timing;
mod wide;

pub use clock::cpu_seconds;
pub use error::BenchError;
pub use machine::Machine;
pub use results::record;
pub use row::Row;

use bootes::Engine;
use row::{Column, Printer};
use std::sync::{Arc, Mutex};

/// Writes a text where the caller decided to, or says in a line why that failed.
#[derive(Clone)]
pub struct Writer(pub Arc<WriteFn>);

/// The function that a [`Writer`] calls.
pub type WriteFn = dyn Fn(&str) -> Result<(), String> + Send + Sync;

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writer")
    }
}

/// How to run a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fewer runs and fewer rows: a check that it works, not a measurement.
    pub quick: bool,
    /// Runs of each row, instead of the benchmark's own number.
    pub runs: Option<usize>,
    /// One JSON object a row instead of a table.
    pub json: bool,
    /// The writer of what `calibrate` finds.
    pub write: Option<Writer>,
    /// Only some rows: of the CKKS benchmarks those with one of these comma-separated words in their name, of the
    /// others those of this name, or with this word in it.
    pub rows: Option<String>,
    /// The throughput of so many threads beside that of one.
    pub threads: Option<usize>,
    /// The engine whose units alone `calibrate` measures.
    pub engine: Option<Engine>,
    /// Names of rows that the run came across.
    pub names: Names,
}

/// Names of rows, and whether each was asked for.
#[derive(Clone, Debug, Default)]
pub struct Names(Arc<Mutex<Vec<(String, bool)>>>);

impl Options {
    /// The number of runs: what was asked for, or the default of one of the two ways.
    fn runs(&self, usual: usize, quick: usize) -> usize {
        self.runs.unwrap_or(if self.quick { quick } else { usual }).max(1)
    }

    /// The text that names of rows are to contain, from `BOOTES_BENCH_ROWS` if not from the options.
    fn only(&self) -> String {
        self.rows.clone().or_else(|| std::env::var("BOOTES_BENCH_ROWS").ok()).unwrap_or_default()
    }

    /// Whether to run a row: one that was named, or else those of a usual or of a quick run.
    fn wants(&self, row: &str, usual: bool, quick: bool) -> bool {
        let only = self.only();
        if only.is_empty() {
            return if self.quick { quick } else { usual };
        }
        let wanted = std::iter::once(&*only).chain(only.split(',')).any(|word| is_named(row, word.trim()));
        self.names.0.lock().expect("no thread panics with it").push((row.to_string(), wanted));
        wanted
    }

    /// Refuses what no row is called that the run came across, if it came across any.
    fn check(&self, bench: &str) -> Result<(), BenchError> {
        let names = self.names.0.lock().expect("no thread panics with it");
        match names.iter().any(|(_, wanted)| *wanted) || names.is_empty() {
            true => Ok(()),
            false => {
                let known: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
                Err(BenchError::nothing(self, bench, &known))
            }
        }
    }

    /// Whether to measure an engine; the residues of engine bfv are those of ckks.
    fn is_of(&self, engine: Engine) -> bool {
        let wanted = self.engine.map(|wanted| if wanted == Engine::Bfv { Engine::Ckks } else { wanted });
        wanted.is_none_or(|wanted| wanted == engine)
    }

    /// At least one thread.
    fn threads(&self) -> usize {
        self.threads.unwrap_or(1).max(1)
    }

    /// Tells on standard error what takes long now.
    fn progress(&self, what: &str) {
        if !self.json {
            eprintln!("{what} …");
        }
    }
}

/// Whether some words of a row's name are these, or its name is the beginning of what was printed.
fn is_named(row: &str, words: &str) -> bool {
    row == words
        || row.split(' ').any(|part| part == words)
        || words.strip_prefix(row).is_some_and(|rest| rest.starts_with(' '))
}

/// Where a benchmark puts its rows.
type Sink<'a> = dyn FnMut(Row) -> Result<(), BenchError> + 'a;

/// A benchmark.
#[derive(Debug)]
pub struct Bench {
    /// The name.
    pub name: &'static str,
    /// The engines that it measures, their kernels among them.
    pub engines: &'static [Engine],
    /// One line on it.
    pub summary: &'static str,
    columns: &'static [Column],
    run: fn(&Options, &mut Sink<'_>) -> Result<(), BenchError>,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: kernels::NAME,
        engines: &[Engine::Fhew],
        summary: kernels::SUMMARY,
        columns: kernels::COLUMNS,
        run: kernels::run,
    },
    bfv::kernels::BENCH,
    bfv::digits::TABLE1,
    bfv::digits::TABLE2,
    bfv::digits::TABLE3,
    bfv::table4::BENCH,
    bfv::table5::BENCH,
    bfv::tables::BENCH,
    bfv::through_ckks::BENCH,
    Bench {
        name: rns_kernels::NAME,
        engines: &[Engine::Ckks],
        summary: rns_kernels::SUMMARY,
        columns: rns_kernels::COLUMNS,
        run: rns_kernels::run,
    },
    Bench {
        name: calibrate::NAME,
        engines: &Engine::ALL,
        summary: calibrate::SUMMARY,
        columns: calibrate::COLUMNS,
        run: calibrate::run,
    },
    Bench {
        name: fdfb::table6::NAME,
        engines: &[Engine::Fhew],
        summary: fdfb::table6::SUMMARY,
        columns: fdfb::table6::COLUMNS,
        run: fdfb::table6::run,
    },
    Bench {
        name: fdfb::table8::NAME,
        engines: &[Engine::Fhew],
        summary: fdfb::table8::SUMMARY,
        columns: fdfb::table8::COLUMNS,
        run: fdfb::table8::run,
    },
    Bench {
        name: fdfb::table10::NAME,
        engines: &[Engine::Fhew],
        summary: fdfb::table10::SUMMARY,
        columns: fdfb::table10::COLUMNS,
        run: fdfb::table10::run,
    },
    Bench {
        name: recursive::table3::NAME,
        engines: &[Engine::Fhew],
        summary: recursive::table3::SUMMARY,
        columns: recursive::table3::COLUMNS,
        run: recursive::table3::run,
    },
    Bench {
        name: recursive::wrong_compress::NAME,
        engines: &[Engine::Fhew],
        summary: recursive::wrong_compress::SUMMARY,
        columns: recursive::wrong_compress::COLUMNS,
        run: recursive::wrong_compress::run,
    },
    Bench {
        name: wide::table2::NAME,
        engines: &[Engine::Fhew],
        summary: wide::table2::SUMMARY,
        columns: wide::table2::COLUMNS,
        run: wide::table2::run,
    },
    #[cfg(in_repository)]
    Bench {
        name: wide::table3::NAME,
        engines: &[Engine::Fhew],
        summary: wide::table3::SUMMARY,
        columns: wide::table3::COLUMNS,
        run: wide::table3::run,
    },
    Bench {
        name: wide::tables45::NAME,
        engines: &[Engine::Fhew],
        summary: wide::tables45::SUMMARY,
        columns: wide::tables45::COLUMNS,
        run: wide::tables45::run,
    },
    Bench {
        name: wide::figure2::NAME,
        engines: &[Engine::Fhew],
        summary: wide::figure2::SUMMARY,
        columns: wide::figure2::COLUMNS,
        run: wide::figure2::run,
    },
    Bench {
        name: wide::depth::NAME,
        engines: &[Engine::Fhew],
        summary: wide::depth::SUMMARY,
        columns: wide::depth::COLUMNS,
        run: wide::depth::run,
    },
    Bench {
        name: wide::messages::NAME,
        engines: &[Engine::Fhew],
        summary: wide::messages::SUMMARY,
        columns: wide::messages::COLUMNS,
        run: wide::messages::run,
    },
    ckks::table_a1::BENCH,
    ckks::table2::BENCH,
    ckks::multi_value::BENCH,
    ckks::bootstrap::BENCH,
    ckks::large::BENCH,
    ckks::integers::BENCH,
    ckks::programs::BENCH,
    ckks::tables345::TABLE3,
    ckks::tables345::TABLE4,
    ckks::tables345::TABLE5,
    ckks::figures::FIGURE2,
    ckks::figures::FIGURE3,
    jobs::BENCH,
    timing::BENCH,
];

/// Those that can run some of their rows.
const SELECTIVE: [&str; 23] = [
    calibrate::NAME,
    fdfb::table6::NAME,
    fdfb::table8::NAME,
    ckks::table_a1::BENCH.name,
    ckks::table2::BENCH.name,
    ckks::multi_value::BENCH.name,
    ckks::bootstrap::BENCH.name,
    ckks::large::BENCH.name,
    ckks::integers::BENCH.name,
    ckks::programs::BENCH.name,
    ckks::tables345::TABLE3.name,
    ckks::tables345::TABLE4.name,
    ckks::tables345::TABLE5.name,
    ckks::figures::FIGURE2.name,
    ckks::figures::FIGURE3.name,
    bfv::kernels::BENCH.name,
    bfv::digits::TABLE3.name,
    bfv::table4::BENCH.name,
    bfv::table5::BENCH.name,
    bfv::tables::BENCH.name,
    bfv::through_ckks::BENCH.name,
    jobs::BENCH.name,
    timing::BENCH.name,
];

/// Those that can compare several threads with one.
const THREADED: [&str; 5] = [
    ckks::table_a1::BENCH.name,
    ckks::bootstrap::BENCH.name,
    ckks::large::BENCH.name,
    ckks::integers::BENCH.name,
    ckks::tables345::TABLE4.name,
];

/// Every benchmark.
pub fn list() -> &'static [Bench] {
    BENCHES
}

fn by_name(name: &str) -> Result<&'static Bench, BenchError> {
    BENCHES.iter().find(|bench| bench.name == name).ok_or_else(|| BenchError::Unknown {
        name: name.to_string(),
        known: BENCHES.iter().map(|bench| bench.name).collect::<Vec<_>>().join(", "),
    })
}

/// The benchmark of that name, if it takes the options.
fn chosen(name: &str, options: &Options) -> Result<&'static Bench, BenchError> {
    let bench = by_name(name)?;
    let given =
        [("rows", options.rows.is_some(), &SELECTIVE[..]), ("threads", options.threads.is_some(), &THREADED[..])];
    for (option, given, takers) in given {
        if given && !takers.contains(&name) {
            return Err(BenchError::Option { option, name: name.to_string(), takers: takers.join(", ") });
        }
    }
    Ok(bench)
}

/// Runs a benchmark; one of whose rows none was asked for is an error.
fn measure(bench: &Bench, options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let (mut measured, only) = (false, options.only());
    (bench.run)(options, &mut |row| {
        measured |= !row.is_remark() || row.row == only;
        sink(row)
    })?;
    options.check(bench.name)?;
    match measured || options.only().is_empty() || !SELECTIVE.contains(&bench.name) {
        true => Ok(()),
        false => Err(BenchError::nothing(options, bench.name, &[])),
    }
}

/// Runs a benchmark and prints each row as soon as it is measured: a table for people, or JSON lines.
///
/// # Errors
/// [`BenchError::Unknown`] for a name that is not in [`list`], [`BenchError::Option`], [`BenchError::Nothing`];
/// whatever the evaluation or the output refuses.
pub fn run(name: &str, options: &Options) -> Result<(), BenchError> {
    let bench = chosen(name, options)?;
    let mut printer = Printer::new(bench.columns, options.json)?;
    measure(bench, options, &mut |row| printer.print(&row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        let error = run("kernel", &Options::default()).unwrap_err().to_string();
        for Bench { name, summary, .. } in list() {
            assert!(error.contains(name) && !summary.is_empty(), "{error}");
        }
    }

    #[test]
    fn rows_are_named_by_whole_words() {
        let with = |rows: &str| Options { rows: Some(rows.into()), ..Options::default() };
        let wants = |rows: &str, row: &str| with(rows).wants(row, true, true);
        assert!(wants("1,12", "1 bit") && wants("1,12", "12 bits") && wants("8 bits", "8 bits"));
        assert!(!wants("1", "12 bits") && !wants("2", "12 bits"));
        for (quick, wanted) in [(false, [true, false]), (true, [false, true])] {
            let options = Options { quick, rows: Some(String::new()), ..Options::default() };
            assert_eq!([options.wants("a", true, false), options.wants("a", false, true)], wanted);
        }
    }

    #[test]
    fn printed_names_are_taken_and_others_refused_by_all() {
        let with = |rows: &str| Options { rows: Some(rows.into()), quick: true, runs: Some(1), ..Options::default() };
        assert!(with("N=2^15 rotation").wants("N=2^15", true, true) && with("p=4, 8 bits").wants("8 bits", true, true));
        assert!(with("17, 2, 1").wants("17, 2, 1", true, true) && !with("12 bits").wants("1", true, true));
        for name in SELECTIVE {
            let options = Options { json: true, ..with("none-such") };
            let refused = measure(by_name(name).unwrap(), &options, &mut |_| Ok(()));
            assert!(matches!(refused, Err(BenchError::Nothing { .. })), "{name}: {refused:?}");
        }
        // A row that is a remark.
        let row = "threads: values";
        let run: fn(&Options, &mut Sink<'_>) -> _ = |_, sink| sink(Row::new(calibrate::NAME, "threads: values"));
        let bench = Bench { name: calibrate::NAME, engines: &Engine::ALL, summary: "", columns: &[], run };
        assert!(measure(&bench, &with(row), &mut |_| Ok(())).is_ok());
        assert!(measure(&bench, &with("threads"), &mut |_| Ok(())).is_err());
        let options = with("none-such");
        let refused = measure(by_name("ckks-multi-value").unwrap(), &options, &mut |_| Ok(())).unwrap_err();
        assert!(refused.to_string().contains("expected one of 2 tables, 4 tables"), "{refused}");
    }

    #[test]
    fn options_that_a_benchmark_does_not_take_are_refused() {
        let error = run("kernels", &Options { threads: Some(2), ..Options::default() }).unwrap_err().to_string();
        assert!(error.contains("threads") && error.contains("ckks-tableA1"), "{error}");
        let rows = Options { rows: Some("4".into()), ..Options::default() };
        assert!(matches!(run("kernels", &rows), Err(BenchError::Option { option: "rows", .. })));
        for name in SELECTIVE.iter().chain(&THREADED) {
            assert!(by_name(name).is_ok());
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

    /// The methods of the paper on larger tables with CKKS, on toy rings.
    #[test]
    fn trees_are_right_and_timed() {
        for (name, count) in
            [("ckks-table3", 3), ("ckks-table4", 3), ("ckks-table5", 4), ("ckks-figure2", 9), ("ckks-figure3", 5)]
        {
            let options = Options { quick: true, rows: Some(String::new()), ..Options::default() };
            let mut rows = Vec::new();
            let mut sink = |row| {
                rows.push(row);
                Ok(())
            };
            (by_name(name).unwrap().run)(&options, &mut sink).unwrap();
            assert_eq!(rows.len(), count + 1, "{name}");
            for row in rows[1..].iter().filter(|_| name != "ckks-figure2") {
                assert_eq!(row.correct, Some(true), "{name} {}", row.row);
                assert!(row.cpu_ms.is_some_and(|ms| ms > 0.0) && row.noise_measured_std.is_some(), "{}", row.row);
            }
        }
    }
}
