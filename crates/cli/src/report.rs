//! The output of the command: standard output, the error line, quantities for people.

pub(crate) use bootes::list;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::{CliError, escaped, is_shown};

static READER_IS_GONE: AtomicBool = AtomicBool::new(false);

/// Whoever read standard output went away (`bootes params | head -1`): nobody wants the rest, but work that ends in a
/// file goes on.
pub(crate) fn reader_is_gone() {
    READER_IS_GONE.store(true, Ordering::Relaxed);
}

/// Whether that happened.
pub(crate) fn is_reader_gone() -> bool {
    READER_IS_GONE.load(Ordering::Relaxed)
}

/// Writes to standard output.
pub(crate) fn out(bytes: &[u8]) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => reader_is_gone(),
        Err(error) => return Err(CliError::new(format!("cannot write to standard output: {error}"))),
        Ok(()) => {}
    }
    Ok(())
}

/// One line, or several with their own breaks, on standard output.
pub(crate) fn line(text: &str) -> Result<(), CliError> {
    out((escaped(text, |character| character == '\n') + "\n").as_bytes())
}

/// Integers as JSON has them: those of more than 64 bits are text.
pub(crate) fn numbers(values: impl IntoIterator<Item = i128>) -> Value {
    let number = |value: i128| match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => value.to_string().into(),
    };
    values.into_iter().map(number).collect::<Vec<Value>>().into()
}

/// One JSON object on standard output.
pub(crate) fn json(object: &Value) -> Result<(), CliError> {
    let mut text = String::new();
    for character in object.to_string().chars() {
        match is_shown(character) {
            true => text.push(character),
            // All of them have four digits.
            false => text += &format!("\\u{:04x}", u32::from(character)),
        }
    }
    out((text + "\n").as_bytes())
}

/// The error line on standard error.
pub(crate) fn error_line(error: &CliError) {
    // Were standard error closed, there would be nobody to tell.
    let _ = writeln!(io::stderr().lock(), "error: {error}");
}

/// A line on standard error about what works and may not be what was meant.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "note: {}", escaped(text, |_| false));
}

/// Runs `work` and takes its time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}

/// A time with three digits and its unit.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s >= 0.9995 => (s, "s"),
        s if s >= 0.999_5e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    format!("{} {unit}", three_digits(value))
}

/// The same of a number of seconds.
pub(crate) fn seconds(seconds: f64) -> String {
    duration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// "1 value", "2 values".
pub(crate) fn values(count: usize) -> String {
    if count == 1 { "1 value".into() } else { format!("{count} values") }
}

/// "1 thread", "2 threads".
pub(crate) fn threads(threads: usize) -> String {
    if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
}

/// A size with three digits and its unit; the units are powers of 1000.
pub(crate) fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    let (value, unit) = match bytes {
        b if b >= 999.5e6 => (b / 1e9, "GB"),
        b if b >= 999.5e3 => (b / 1e6, "MB"),
        b if b >= 1000.0 => (b / 1e3, "kB"),
        b => return format!("{b} B"),
    };
    format!("{} {unit}", three_digits(value))
}

/// The same of what is needed, rounded up: as much is enough.
pub(crate) fn needed(bytes: u64) -> String {
    let last = last_digit(bytes);
    size(bytes.div_ceil(last) * last)
}

/// The same of a limit, rounded down.
pub(crate) fn room(bytes: u64) -> String {
    let last = last_digit(bytes);
    size(bytes / last * last)
}

/// The unit of the last of three digits, in bytes.
fn last_digit(bytes: u64) -> u64 {
    10_u64.pow(bytes.checked_ilog10().unwrap_or(0).saturating_sub(2))
}

/// A positive number with three significant digits, or all its digits before the point.
pub(crate) fn three_digits(value: f64) -> String {
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

/// A failure probability in words: the exponent is rounded up, towards the worse. Below 2^-1000 it is that it is below.
pub(crate) fn probability(log2: f64) -> String {
    let tenths = (log2 * 10.0).ceil();
    if log2 < -1000.0 {
        "<2^-1000".to_string()
    } else if tenths % 10.0 == 0.0 {
        format!("2^{:.0}", tenths / 10.0)
    } else {
        format!("2^{:.1}", tenths / 10.0)
    }
}

/// Rows in columns, each to the left (`l`) or to the right (any other letter of `sides`); no trailing blanks.
pub(crate) fn columns(sides: &str, rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let columns: Vec<(char, usize)> =
        sides.chars().enumerate().map(|(column, side)| (side, width(column).unwrap_or(0))).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&columns).map(|(cell, (side, width))| match side {
            'l' => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The most memory this process has held so far, in bytes, if the system tells.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes: u64 =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Bytes of the program itself, which no prediction of what it holds has.
pub(crate) const PROGRAM_BYTES: u64 = 20_000_000;

/// "; peak memory 1.2 GB (predicted 1.1 GB)", as far as it is known.
pub(crate) fn peak_in_words(predicted: Option<u64>) -> String {
    let predicted = predicted.map_or(String::new(), |bytes| format!(" (predicted {})", size(bytes)));
    peak_memory().map_or(String::new(), |peak| format!("; peak memory {}{predicted}", size(peak)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        assert_eq!(duration(Duration::from_micros(1)), "1.00 µs");
        assert_eq!(duration(Duration::from_nanos(999_990)), "1.00 ms");
        assert_eq!(duration(Duration::from_millis(45)), "45.0 ms");
        assert_eq!(duration(Duration::from_secs(123)), "123 s");
        assert_eq!(size(0), "0 B");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1000), "1.00 kB");
        assert_eq!(size(52_428_800), "52.4 MB");
        assert_eq!(size(7_000_000_000), "7.00 GB");
        assert_eq!([needed, room].map(|of| of(104_594_000)), ["105 MB", "104 MB"]);
        assert_eq!([needed, room].map(|of| of(9_996_000_001)), ["10.0 GB", "9.99 GB"]);
        assert_eq!([needed, room].map(|of| of(7)), ["7 B", "7 B"]);
        assert_eq!(probability(-131.27), "2^-131.2");
        assert_eq!(probability(-64.0), "2^-64");
        assert_eq!([-1000.0, -1000.1, f64::NEG_INFINITY].map(probability), ["2^-1000", "<2^-1000", "<2^-1000"]);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("a\u{1b}[31m\nb", |character| character == '\n'), "a\\u{1b}[31m\nb");
    }

    #[test]
    fn columns_align() {
        let rows = [["a", "bb", ""], ["ccc", "µ", "x"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(columns("lrl", &rows), "a    bb\nccc   µ  x\n");
        assert_eq!(columns("rll", &rows), "  a  bb\nccc  µ   x\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_known() {
        assert!(peak_memory().unwrap() > 100_000);
    }
}
