//! The page of recorded results: [`build`] reads `bench/results` and makes `report.md` with a section a benchmark, SVG plots, and
//! the tables for the page on the FDFB paper.
//!
//! Nothing is measured and nothing written here; the same recordings give the same bytes.
mod fdfb;
mod load;
mod page;
mod plots;
mod svg;

use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the page among the files of [`build`].
pub const PAGE: &str = "report.md";

/// A file of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Name, without a directory.
    pub name: String,
    /// Content.
    pub text: String,
}

/// Why there is no report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A directory or file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There are no recordings.
    #[error(
        "{}: there are no recorded results (YYYY-MM-DD-NAME.jsonl); make some with `cargo run --release -p bootes-bench --bin record -- NAME`",
        directory.display()
    )]
    Nothing {
        /// Where they should be.
        directory: PathBuf,
    },
    /// The name of a recording does not say what it is.
    #[error("{}: its name has no date and benchmark: expected YYYY-MM-DD-NAME.jsonl; rename or remove it", path.display())]
    Name {
        /// Which file.
        path: PathBuf,
    },
    /// A file is not a recording.
    #[error("{}: {problem}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The fault, and what was expected.
        problem: String,
    },
    /// A line is not a row.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// The fault, and what was expected.
        problem: String,
    },
}

/// The report on the newest recording of each benchmark in `results`: the plots, tables for other pages, then the page that shows the
/// plots.
///
/// # Errors
/// [`ReportError`], in one line, when the directory has no recordings or one of them (that counts) is not JSON lines of rows.
pub fn build(results: &Path) -> Result<Vec<ReportFile>, ReportError> {
    let recordings = load::load(results)?;
    let plots = plots::all(&recordings);
    let page = ReportFile { name: PAGE.to_string(), text: page::page(&recordings, &plots) };
    let plots = plots.into_iter().map(|plot| ReportFile { name: plot.file(), text: plot.svg });
    let tables = fdfb::tables(&recordings).map(|text| ReportFile { name: fdfb::FILE.to_string(), text });
    Ok(plots.chain(tables).chain([page]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder of the recordings of the repository.
    fn recorded() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results")
    }

    #[test]
    fn the_recorded_results_make_a_page_with_every_plot() {
        let files = build(&recorded()).unwrap();
        assert_eq!(files, build(&recorded()).unwrap(), "the same input, the same bytes");
        let (page, plots) = files.split_last().unwrap();
        assert_eq!(page.name, PAGE);
        for plot in plots.iter().filter(|file| file.name != fdfb::FILE) {
            svg::tests::check_xml(&plot.text).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
            assert!(page.text.contains(&format!("]({})", plot.name)), "{} is on the page", plot.name);
            assert!(!plot.text.contains("NaN") && !plot.text.contains("inf"), "{}", plot.name);
        }
        for recording in load::load(&recorded()).unwrap() {
            assert!(page.text.contains(&format!("\n## {}", recording.name)), "{}", recording.name);
        }
        // A table's rows have as many cells as its head.
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let lines: Vec<&str> = page.text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
            assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
        }
    }
}
