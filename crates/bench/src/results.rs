//! Measurements kept: dated files of JSON lines, the machine first.
use crate::row::Printer;
use crate::{BenchError, Machine, Options, chosen, measure};
use bootes_ring::isa::Isa;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs a benchmark, prints its rows like [`crate::run`], and writes them to `directory`: first a line on the machine,
/// then a line a row. The file is DATE-NAME.jsonl, with less than AVX-512 DATE-NAME-ISA.jsonl; an older one of the day
/// is replaced, once all rows are there.
///
/// # Errors
/// Those of [`crate::run`], and [`BenchError::Write`].
pub fn record(name: &str, options: &Options, directory: &Path) -> Result<PathBuf, BenchError> {
    let bench = chosen(name, options)?;
    let date = date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()));
    let machine = json!({ "bench": name, "date": date, "quick": options.quick, "machine": Machine::here() });
    let mut text = format!("{machine}\n");
    let mut printer = Printer::new(bench.columns, options.json)?;
    measure(bench, options, &mut |row| {
        text.push_str(&serde_json::to_string(&row).unwrap_or_default());
        text.push('\n');
        printer.print(&row)
    })?;
    let isa = match bootes::isa() {
        Isa::Avx512 => String::new(),
        lesser => format!("-{lesser}"),
    };
    let path = directory.join(format!("{date}-{name}{isa}.jsonl"));
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&path, text))
        .map_err(|source| BenchError::Write { path: path.display().to_string(), source })?;
    Ok(path)
}

/// What was recorded under NAME or NAME-ISA: a benchmark, or some rows of one, BENCHMARK-WHICH.
pub(crate) fn without_isa(name: &str) -> &str {
    let of = |isa: Isa| name.strip_suffix(&isa.to_string())?.strip_suffix('-');
    Isa::ALL.into_iter().find_map(of).unwrap_or(name)
}

/// The benchmark of a recording.
pub(crate) fn benchmark(name: &str) -> &str {
    let name = without_isa(name);
    let is_of = |bench: &&str| name == *bench || name.strip_prefix(bench).is_some_and(|which| which.starts_with('-'));
    let known = crate::BENCHES.iter().map(|bench| bench.name);
    known.filter(is_of).max_by_key(|bench| bench.len()).unwrap_or(name)
}

/// Year-month-day (UTC) of a Unix time. Days are counted from 1 March of year 0, so that the leap day ends a year.
fn date(seconds: u64) -> String {
    const DAYS_TO_1970: u64 = 719_468;
    let days = seconds / 86_400 + DAYS_TO_1970;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_723, "2024-01-01"),
            (20_453, "2025-12-31"),
        ] {
            assert_eq!(date(days * 86_400 + 86_399), text);
        }
    }
    #[test]
    fn recordings_are_of_benchmarks() {
        for (name, bench) in [
            ("ckks-programs", "ckks-programs"),
            ("ckks-programs-avx2", "ckks-programs"),
            ("ckks-programs-limbs-avx2", "ckks-programs"),
            ("ckks-table2", "ckks-table2"),
            ("peers-tfhe-mul-avx2", "peers-tfhe-mul"),
        ] {
            assert_eq!(benchmark(name), bench);
        }
    }
}
