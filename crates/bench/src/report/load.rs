//! Recorded results, read and checked.
use super::ReportError;
use crate::results::benchmark;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The most bytes that a file of results may have.
const LARGEST: u64 = 1 << 26;

/// The fields that every row has, and those that may follow: named in every complaint.
const EXPECTED: &str = "expected an object with \"row\" (text) and, where known, \"bench\", \"algorithm\", \"params\" (text), \"bits\", \
                        \"cpu_ms\", \"median_ms\", \"paper_ms\", \"log2_p_fail\", \"noise_predicted_std\", \"noise_measured_std\" \
                        (numbers), \"correct\" (true or false)";
const TEXTS: [&str; 6] = ["row", "bench", "algorithm", "params", "note", "title"];
const NUMBERS: [&str; 19] = [
    "bits",
    "median_ms",
    "min_ms",
    "max_ms",
    "cpu_ms",
    "runs",
    "paper_ms",
    "key_bytes",
    "log2_p_fail",
    "noise_predicted_std",
    "noise_measured_std",
    "batch16_cpu_ms",
    "checked",
    "log2_q",
    "ours_cpu_ms",
    "ours_ms",
    "peer_cpu_ms",
    "peer_ms",
    "ratio",
];

/// The newest recording of a benchmark.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) name: String,
    /// The date in the file's name.
    pub(super) date: String,
    /// File name, without its directory.
    pub(super) file: String,
    /// The line on the machine, which older files do not have.
    pub(super) header: Option<Map<String, Value>>,
    pub(super) rows: Vec<Entry>,
}

/// A row as recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry(pub(super) Map<String, Value>);

impl Entry {
    pub(super) fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    pub(super) fn number(&self, field: &str) -> Option<f64> {
        self.0.get(field)?.as_f64()
    }

    /// A number that has a logarithm.
    pub(super) fn positive(&self, field: &str) -> Option<f64> {
        self.number(field).filter(|&x| x > 0.0 && x.is_finite())
    }

    pub(super) fn row(&self) -> &str {
        self.text("row").unwrap_or_default()
    }

    pub(super) fn bits(&self) -> Option<u32> {
        self.0.get("bits")?.as_u64()?.try_into().ok()
    }
}

/// Reads the newest file of each benchmark in `directory`, in the order of the benchmarks' names.
pub(super) fn load(directory: &Path) -> Result<Vec<Recording>, ReportError> {
    let unreadable = |source| ReportError::Read { path: directory.to_path_buf(), source };
    let mut newest: BTreeMap<String, (String, PathBuf)> = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let Some((date, name)) = dated(&path) else {
            return Err(ReportError::Name { path });
        };
        // The same benchmark has one file a date, so the order of the directory does not matter.
        let older = newest.get(&name).is_none_or(|(known, _)| *known < date);
        if older {
            newest.insert(name, (date, path));
        }
    }
    if newest.is_empty() {
        return Err(ReportError::Nothing { directory: directory.to_path_buf() });
    }
    newest.into_iter().map(|(name, (date, path))| read(name, date, &path)).collect()
}

/// Date and benchmark of a file called DATE-NAME.jsonl.
fn dated(path: &Path) -> Option<(String, String)> {
    let stem = path.file_stem()?.to_str()?;
    let (date, name) = (stem.get(..10)?, stem.get(10..)?.strip_prefix('-')?);
    let digits = |(i, c): (usize, char)| if i == 4 || i == 7 { c == '-' } else { c.is_ascii_digit() };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (date.chars().enumerate().all(digits) && !name.is_empty() && name.chars().all(plain))
        .then(|| (date.to_string(), name.to_string()))
}

fn read(name: String, date: String, path: &Path) -> Result<Recording, ReportError> {
    let unreadable = |source| ReportError::Read { path: path.to_path_buf(), source };
    let file_error = |problem: String| ReportError::File { path: path.to_path_buf(), problem };
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > LARGEST {
        return Err(file_error(format!("it has {size} bytes: at most {LARGEST} are read; is it a recording?")));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let (mut header, mut rows) = (None, Vec::new());
    for (i, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let wrong = |problem: String| ReportError::Line { path: path.to_path_buf(), line: i + 1, problem };
        let fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(other) => return Err(wrong(format!("it is {}, no object: {EXPECTED}", kind(&other)))),
            Err(error) => {
                // serde_json counts lines too, always from this one.
                let error = error.to_string();
                let cause = error.split(" at line ").next().unwrap_or_default();
                return Err(wrong(format!("it is no JSON ({cause}; cut short?): {EXPECTED}")));
            }
        };
        if rows.is_empty() && header.is_none() && fields.contains_key("machine") && !fields.contains_key("row") {
            check_name(&fields, &name).map_err(wrong)?;
            header = Some(fields);
            continue;
        }
        check_row(&fields, &name).map_err(wrong)?;
        rows.push(Entry(fields));
    }
    if rows.is_empty() {
        let found = if header.is_some() { "no rows after the line on the machine" } else { "no rows: it is empty" };
        return Err(file_error(format!("it has {found}; {EXPECTED}, a line each")));
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Recording { name, date, file, header, rows })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn check_name(fields: &Map<String, Value>, name: &str) -> Result<(), String> {
    match fields.get("bench").and_then(Value::as_str) {
        Some(found) if found != name && found != benchmark(name) => {
            Err(format!("it is of the benchmark \"{found}\", expected \"{name}\" of the file's name"))
        }
        _ => Ok(()),
    }
}

fn check_row(fields: &Map<String, Value>, name: &str) -> Result<(), String> {
    if !fields.get("row").is_some_and(Value::is_string) {
        return Err(format!("it has no \"row\": {EXPECTED}"));
    }
    let is = |expected: &str, names: &[&str], right: fn(&Value) -> bool| {
        let found =
            names.iter().find_map(|&field| Some((field, fields.get(field).filter(|v| !v.is_null() && !right(v))?)));
        match found {
            Some((field, value)) => Err(format!("\"{field}\" is {}, expected {expected} or null", kind(value))),
            None => Ok(()),
        }
    };
    is("text", &TEXTS, Value::is_string)?;
    is("a number", &NUMBERS, Value::is_number)?;
    is("true or false", &["correct"], Value::is_boolean)?;
    check_name(fields, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of this test, gone at the end.
    struct Directory(PathBuf);

    impl Directory {
        fn new(test: &str, files: &[(&str, &str)]) -> Self {
            let path = std::env::temp_dir().join(format!("bootes-report-{}-{test}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            files.iter().for_each(|(name, text)| fs::write(path.join(name), text).unwrap());
            Self(path)
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const HEADER: &str = r#"{"bench":"a","date":"2026-01-01","machine":{"cpu":"x"},"quick":true}"#;

    #[test]
    fn the_newest_file_of_each_benchmark_counts() {
        let row = |text: &str| format!("{HEADER}\n{{\"bench\":\"a\",\"row\":\"{text}\"}}\n");
        let (old, new) = ("not read", row("new"));
        let directory = Directory::new(
            "newest",
            &[
                ("2026-01-01-a.jsonl", old),
                ("2026-01-10-a.jsonl", &new),
                ("2025-12-31-b-c.jsonl", "{\"row\":\"other\"}"),
                ("notes.md", ""),
            ],
        );
        let found = load(&directory.0).unwrap();
        let short: Vec<_> = found.iter().map(|r| (&*r.name, &*r.date, r.rows[0].row(), r.header.is_some())).collect();
        assert_eq!(short, [("a", "2026-01-10", "new", true), ("b-c", "2025-12-31", "other", false)]);
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        for (i, (name, text, words)) in [
            ("2026-01-01-a.jsonl", String::new(), ["empty", "\"row\" (text)"]),
            ("2026-01-01-a.jsonl", " \n\n".into(), ["empty", "\"noise_predicted_std\""]),
            ("2026-01-01-a.jsonl", format!("{HEADER}\n"), ["no rows", "\"row\" (text)"]),
            ("2026-01-01-a.jsonl", format!("{HEADER}\n{{\"row\":\"x\""), ["a.jsonl:2:", "\"row\" (text)"]),
            ("2026-01-01-a.jsonl", format!("{HEADER}\n{HEADER}\n"), ["a.jsonl:2:", "no \"row\""]),
            ("2026-01-01-a.jsonl", "[1]".into(), ["a.jsonl:1:", "a list"]),
            ("2026-01-01-a.jsonl", "{\"row\":1}".into(), ["a.jsonl:1:", "no \"row\""]),
            (
                "2026-01-01-a.jsonl",
                "{\"row\":\"x\"}\n\n{\"row\":\"x\",\"bits\":\"5\"}".into(),
                [":3:", "\"bits\" is text"],
            ),
            ("2026-01-01-a.jsonl", "{\"row\":\"x\",\"cpu_ms\":1e999}".into(), [":1:", "number out of range"]),
            ("2026-01-01-a.jsonl", "{\"row\":\"x\",\"correct\":1}".into(), [":1:", "expected true or false"]),
            ("2026-01-01-a.jsonl", "{\"row\":\"x\",\"bench\":\"b\"}".into(), [":1:", "\"b\""]),
            ("2026-01-01-a.jsonl", "{\"row\":\"\u{0}\"}".into(), [":1:", "no JSON"]),
            ("a.jsonl", "{\"row\":\"x\"}".into(), ["a.jsonl", "YYYY-MM-DD-NAME.jsonl"]),
            ("2026-01-1-a.jsonl", "{\"row\":\"x\"}".into(), ["1-a.jsonl", "YYYY-MM-DD-NAME.jsonl"]),
            ("notes.md", String::new(), ["no recorded results", "record"]),
        ]
        .into_iter()
        .enumerate()
        {
            let directory = Directory::new(&format!("wrong{i}"), &[(name, &text)]);
            let error = load(&directory.0).unwrap_err().to_string();
            assert!(words.iter().all(|word| error.contains(word)) && !error.contains('\n'), "{name} {text}: {error}");
        }
        let error = load(Path::new("/no/such/directory")).unwrap_err().to_string();
        assert!(error.contains("/no/such/directory"), "{error}");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        let directory = Directory::new("bytes", &[]);
        fs::write(directory.0.join("2026-01-01-a.jsonl"), b"{\"row\":\"x\"}\n{\"row\":\"\xff\"}\n").unwrap();
        let error = load(&directory.0).unwrap_err().to_string();
        assert!(error.contains("a.jsonl:2:"), "{error}");
    }
}
