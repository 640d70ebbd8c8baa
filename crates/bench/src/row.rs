//! A row of a benchmark, and how it is printed.
use crate::BenchError;
use crate::clock::Stats;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;

/// One measurement. Fields without a meaning for a row are null; `extra` holds what only some benchmarks have.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// The benchmark's name.
    pub bench: &'static str,
    /// The subject of the measurement.
    pub row: String,
    /// Algorithm in the registry.
    pub algorithm: Option<String>,
    /// Parameter set.
    pub params: Option<String>,
    /// Message bits.
    pub bits: Option<u32>,
    /// Wall time, milliseconds, median of the runs.
    pub median_ms: Option<f64>,
    /// The least.
    pub min_ms: Option<f64>,
    /// The most.
    pub max_ms: Option<f64>,
    /// CPU time of the process, milliseconds, median of the runs.
    pub cpu_ms: Option<f64>,
    /// Number of runs.
    pub runs: Option<usize>,
    /// The paper's time, on the paper's machine.
    pub paper_ms: Option<f64>,
    /// Bytes of the server key as stored.
    pub key_bytes: Option<u64>,
    /// Whether every result was right.
    pub correct: Option<bool>,
    /// Predicted log2 of the failure probability of a value.
    pub log2_p_fail: Option<f64>,
    /// Predicted standard deviation of the result's noise (of the torus).
    pub noise_predicted_std: Option<f64>,
    /// Measured standard deviation of the result's noise (of the torus).
    pub noise_measured_std: Option<f64>,
    /// Further fields.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Row {
    /// Whether it tells of other rows only: it is of no set and of no size, and nothing was measured.
    pub(crate) fn is_remark(&self) -> bool {
        self.params.is_none() && self.bits.is_none() && self.cpu_ms.is_none() && self.correct.is_none()
    }

    pub(crate) fn new(bench: &'static str, row: impl Into<String>) -> Self {
        Self { bench, row: row.into(), ..Self::default() }
    }

    pub(crate) fn timed(mut self, stats: &Stats) -> Self {
        self.median_ms = Some(stats.median_ms);
        self.min_ms = Some(stats.min_ms);
        self.max_ms = Some(stats.max_ms);
        self.cpu_ms = Some(stats.cpu_ms);
        self.runs = Some(stats.runs);
        self
    }

    pub(crate) fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(field.to_string(), value.into());
        self
    }
}

/// A column of the table for people: title, JSON field, and what its number is multiplied by.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    pub(crate) field: &'static str,
    pub(crate) width: usize,
    pub(crate) scale: f64,
}

impl Column {
    pub(crate) const fn new(title: &'static str, field: &'static str, width: usize) -> Self {
        Self { title, field, width, scale: 1.0 }
    }

    pub(crate) const fn scaled(title: &'static str, field: &'static str, width: usize, scale: f64) -> Self {
        Self { title, field, width, scale }
    }

    fn cell(&self, row: &Value) -> String {
        match &row[self.field] {
            Value::Null => "—".into(),
            Value::Bool(true) => "yes".into(),
            Value::Bool(false) => "NO".into(),
            Value::String(text) => text.clone(),
            Value::Number(number) => {
                number.as_f64().map_or_else(|| number.to_string(), |x| significant(x * self.scale))
            }
            other => other.to_string(),
        }
    }
}

/// Four significant digits, without an exponent where that is readable.
fn significant(x: f64) -> String {
    let magnitude = x.abs();
    match magnitude {
        0.0 => "0".into(),
        m if m < 1e-3 => format!("2^{:.2}", m.log2()),
        m if m < 1.0 => format!("{x:.4}"),
        m if m < 10.0 => format!("{x:.3}"),
        m if m < 100.0 => format!("{x:.2}"),
        m if m < 1000.0 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    }
}

/// Prints rows as they come.
pub(crate) struct Printer {
    columns: &'static [Column],
    json: bool,
}

impl Printer {
    pub(crate) fn new(columns: &'static [Column], json: bool) -> Result<Self, BenchError> {
        if !json {
            write_line(&line(columns, |column| column.title.to_string()))?;
        }
        Ok(Self { columns, json })
    }

    pub(crate) fn print(&mut self, row: &Row) -> Result<(), BenchError> {
        let value = serde_json::to_value(row).unwrap_or(Value::Null);
        if self.json {
            return write_line(&value.to_string());
        }
        write_line(&line(self.columns, |column| column.cell(&value)))?;
        match value["note"].as_str() {
            Some(note) => write_line(&format!("    {note}")),
            None => Ok(()),
        }
    }
}

/// The first column to the left, the others to the right.
fn line(columns: &[Column], cell: impl Fn(&Column) -> String) -> String {
    let mut line = String::new();
    for (i, column) in columns.iter().enumerate() {
        let (cell, width) = (cell(column), column.width);
        if i == 0 {
            line.push_str(&format!("{cell:<width$}"));
        } else {
            line.push_str(&format!("  {cell:>width$}"));
        }
    }
    line.trim_end().to_string()
}

fn write_line(line: &str) -> Result<(), BenchError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|source| BenchError::Write { path: "standard output".into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_every_promised_field() {
        let value = serde_json::to_value(Row::new("a", "b").with("note", "c")).unwrap();
        let fields = "bench row algorithm params bits median_ms min_ms max_ms cpu_ms runs paper_ms key_bytes correct \
                      log2_p_fail noise_predicted_std noise_measured_std note";
        for field in fields.split_whitespace() {
            assert!(value.get(field).is_some(), "{field}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let cells: Vec<String> =
            [0.0, 0.012_345, 3.0, 31.416, 123.456, 98_765.4, 2f64.powi(-20)].map(significant).into();
        assert_eq!(cells, ["0", "0.0123", "3.000", "31.42", "123.5", "98765", "2^-20.00"]);
    }
}
