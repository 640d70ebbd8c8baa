//! The page, in Markdown.
use super::load::{Entry, Recording};
use super::plots::Plot;
use super::svg::plain;
use crate::results::{benchmark, without_isa};
use crate::row::Column;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Columns of the peers' file, which is another program's.
const PEERS: &[Column] = &[
    Column::new("row", "row", 0),
    Column::new("algorithm", "algorithm", 0),
    Column::new("params", "params", 0),
    Column::new("ours, ms", "ours_ms", 0),
    Column::new("peer, ms", "peer_ms", 0),
    Column::new("ours / peer", "ratio", 0),
    Column::new("least", "ratio_min", 0),
    Column::new("most", "ratio_max", 0),
    Column::new("limit", "target_ratio", 0),
    Column::new("kept", "meets_target", 0),
    Column::new("runs", "runs", 0),
    Column::new("right", "correct", 0),
    Column::new("log2 p_fail", "log2_p_fail", 0),
];
const PEERS_TITLE: &str =
    "The tfhe crate's default bootstrap and ours by turns in one run, batches of 16, one thread; transforms";

/// Columns of a benchmark that this version does not know: the fields of every row.
const USUAL: &[Column] = &[
    Column::new("row", "row", 0),
    Column::new("algorithm", "algorithm", 0),
    Column::new("params", "params", 0),
    Column::new("bits", "bits", 0),
    Column::new("paper, ms", "paper_ms", 0),
    Column::new("one value, ms", "cpu_ms", 0),
    Column::new("wall, ms", "median_ms", 0),
    Column::new("runs", "runs", 0),
    Column::new("right", "correct", 0),
    Column::new("log2 p_fail", "log2_p_fail", 0),
    Column::new("noise measured", "noise_measured_std", 0),
    Column::new("noise predicted", "noise_predicted_std", 0),
];

/// Fields that name a row; one with no others has nothing for a table.
const NAMES: [&str; 4] = ["row", "algorithm", "params", "bits"];

/// The page that shows `plots` and the rows of `recordings`.
pub(super) fn page(recordings: &[Recording], plots: &[Plot]) -> String {
    let mut page = String::from(
        "# Recorded benchmarks\n\nMade by `bootes bench report` from the newest recording of each benchmark under `bench/results`; \
         not to be edited. Times are medians; noise is a standard deviation, of the torus. A table leaves out columns without a \
         value.\n\n| benchmark | recorded | machine | rows |\n|---|---|---|--:|\n",
    );
    for recording in recordings {
        let (name, rows, machine) = (&recording.name, recording.rows.len(), inline(&machine(recording)));
        let anchor = name.to_lowercase();
        let _ = writeln!(page, "| [{name}](#{anchor}) | {} | {machine} | {rows} |", recording.date);
    }
    for plot in plots.iter().filter(|plot| plot.bench.is_none()) {
        let _ = write!(page, "\n## {}\n", plot.title);
        show(&mut page, plot);
    }
    for recording in recordings {
        section(&mut page, recording, plots);
    }
    page
}

fn show(page: &mut String, plot: &Plot) {
    let _ = write!(page, "\n![{}]({})\n\n{}\n", inline(&plot.title), plot.file(), inline(&plot.caption));
    for (i, remark) in plot.remarks.iter().enumerate() {
        let _ = writeln!(page, "{}- {}", if i == 0 { "\n" } else { "" }, inline(remark));
    }
}

fn section(page: &mut String, recording: &Recording, plots: &[Plot]) {
    let bench = crate::BENCHES.iter().find(|bench| bench.name == benchmark(&recording.name));
    let peers = recording.name.starts_with("peers-");
    let heading = recording.rows.iter().find_map(|row| row.text("title")).or(bench.map(|bench| bench.summary));
    let _ = write!(page, "\n## {}\n\n", recording.name);
    if let Some(heading) = heading.or((benchmark(&recording.name) == "peers-tfhe").then_some(PEERS_TITLE)) {
        let _ = write!(page, "{}.\n\n", inline(heading));
    }
    let _ = writeln!(page, "- Recorded {} on {}", recording.date, inline(&machine(recording)));
    let _ = writeln!(page, "- Made by `{}`, kept as `{}`", command(recording), recording.file);
    // What holds for all rows is a row of its own, with the name of the paper.
    let (about, rows): (Vec<_>, Vec<_>) = recording.rows.iter().partition(|row| row.0.contains_key("paper"));
    for note in about.iter().filter_map(|row| row.text("note")) {
        for part in note.split("; ") {
            let _ = writeln!(page, "- {}", inline(part));
        }
    }
    for plot in plots.iter().filter(|plot| plot.bench.as_ref() == Some(&recording.name)) {
        show(page, plot);
    }
    table(page, bench.map_or(if peers { PEERS } else { USUAL }, |bench| bench.columns), &rows);
    remarks(page, &rows);
}

fn table(page: &mut String, columns: &[Column], rows: &[&Entry]) {
    let has = |row: &Entry, field: &str| row.0.get(field).is_some_and(|value| !value.is_null());
    let measured =
        |row: &&&Entry| columns.iter().any(|column| !NAMES.contains(&column.field) && has(row, column.field));
    let rows: Vec<&&Entry> = rows.iter().filter(measured).collect();
    if rows.is_empty() {
        return;
    }
    let columns: Vec<&Column> = columns.iter().filter(|column| rows.iter().any(|row| has(row, column.field))).collect();
    let ratio = |row: &Entry| Some(row.positive("paper_ms")? / row.positive("cpu_ms")?);
    // Some benchmarks have the ratio already.
    let ratios =
        rows.iter().any(|row| ratio(row).is_some()) && !columns.iter().any(|c| c.field.starts_with("paper_over"));
    let mut lines = [String::from("\n|"), String::from("|")];
    for column in &columns {
        let _ = write!(lines[0], " {} |", inline(title(column)));
        let text = rows.iter().any(|row| row.text(column.field).is_some());
        lines[1].push_str(if text { "---|" } else { "--:|" });
    }
    if ratios {
        lines[0].push_str(" paper / ours |");
        lines[1].push_str("--:|");
    }
    let _ = writeln!(page, "{}\n{}", lines[0], lines[1]);
    for row in rows {
        page.push('|');
        for column in &columns {
            let _ = write!(page, " {} |", inline(&cell(column, &row.0)));
        }
        if ratios {
            let _ = write!(page, " {} |", ratio(row).map_or("—".into(), significant));
        }
        page.push('\n');
    }
}

/// The title for a page: with units, and without the neighbours it has on a terminal.
fn title(column: &Column) -> &'static str {
    match column.title {
        "one value" => "one value, ms",
        "one of 16" => "one of 16, ms",
        "a digit" => "a digit, ms",
        "noise" => "noise measured",
        "predicted" if column.field == "noise_predicted_std" => "noise predicted",
        title => title,
    }
}

fn cell(column: &Column, row: &Map<String, Value>) -> String {
    match row.get(column.field) {
        None | Some(Value::Null) => "—".into(),
        Some(Value::Bool(true)) => "yes".into(),
        Some(Value::Bool(false)) => "NO".into(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) if column.scale == 1.0 => whole.to_string(),
            (_, Some(ms)) if column.field.ends_with("_ms") && ms * column.scale < 1e-3 => {
                format!("{:.6}", ms * column.scale)
            }
            (_, Some(x)) => significant(x * column.scale),
            _ => number.to_string(),
        },
        Some(Value::Array(values)) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
        Some(other) => other.to_string(),
    }
}

/// Three or four significant digits; a power of two where there are many zeros after the point.
fn significant(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        m if m < 1e-3 => format!("{}2^{:.2}", if x < 0.0 { "-" } else { "" }, m.log2()),
        m if m < 1.0 => format!("{x:.4}"),
        m if m < 10.0 => format!("{x:.3}"),
        m if m < 100.0 => format!("{x:.2}"),
        m if m < 1000.0 => format!("{x:.1}"),
        _ => plain(x.round()),
    }
}

/// Notes on rows, each once with the rows it is on.
fn remarks(page: &mut String, rows: &[&Entry]) {
    let mut remarks: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in rows {
        for note in ["note", "ours_missing"].iter().filter_map(|field| row.text(field)) {
            match remarks.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(row.row()),
                None => remarks.push((note, vec![row.row()])),
            }
        }
    }
    if !remarks.is_empty() {
        page.push_str("\nRemarks:\n\n");
    }
    for (note, names) in remarks {
        let names: Vec<String> = names.into_iter().map(inline).collect();
        let _ = writeln!(page, "- {}: {}", names.join("; "), inline(note));
    }
}

/// The machine in words.
fn machine(recording: &Recording) -> String {
    let machine = recording.header.as_ref().and_then(|header| header.get("machine"));
    let field = |name: &str| machine.and_then(|machine| machine[name].as_str()).map(str::to_string);
    let cores = machine.and_then(|machine| machine["cores"].as_u64()).map(|cores| format!("{cores} cores"));
    let parts: Vec<String> = [field("cpu"), cores, field("isa"), field("system")].into_iter().flatten().collect();
    if !parts.is_empty() {
        return parts.join(", ");
    }
    let isa = recording.rows.iter().find_map(|row| row.text("isa"));
    isa.map_or("a machine that was not recorded".into(), |isa| format!("a machine that was not recorded, {isa}"))
}

/// The command that made a recording.
fn command(recording: &Recording) -> String {
    let Recording { name, header, .. } = recording;
    let skipped = || recording.rows.iter().any(|row| row.text("ours_missing").is_some_and(|why| why.contains("quick")));
    let quick = header.as_ref().map_or_else(skipped, |header| header.get("quick") == Some(&Value::Bool(true)));
    let quick = if quick { " --quick" } else { "" };
    let (bench, name) = (benchmark(name), without_isa(name));
    let mut rows: Vec<&str> = recording.rows.iter().map(Entry::row).collect();
    rows.dedup();
    if name == "peers-openfhe" {
        return "python bench/peers/openfhe/functional_bootstrapping.py".into();
    }
    if name == "peers-concrete-ml" {
        return "python bench/peers/concrete-ml/models.py".into();
    }
    if let Some(script) = name.strip_prefix("py-") {
        return format!("python crates/py/benches/{script}.py");
    }
    if let Some(peer) = name.strip_prefix("peers-") {
        // Of some rows alone: peers-PEER-WHICH.
        let (peer, rows) = match peer.split_once('-') {
            Some((peer, _)) => (peer, format!(" --rows {}", rows.join(","))),
            None => (peer, String::new()),
        };
        return format!("cargo run --release --manifest-path bench/peers/{peer}/Cargo.toml --{rows}{quick} --json");
    }
    let some = if name == bench { String::new() } else { format!(" --rows='{}'", rows.join(",")) };
    match header {
        Some(_) => format!("cargo run --release -p bootes-bench --bin record -- {bench}{some}{quick}"),
        None => format!("cargo run --release -- bench {bench}{some} --json{quick}"),
    }
}

/// Text as Markdown that shows it, in one line and one cell.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => out.extend(['\\', character]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn recording(name: &str, header: Option<Value>, rows: &[Value]) -> Recording {
        Recording {
            name: name.into(),
            date: "2026-02-03".into(),
            file: format!("2026-02-03-{name}.jsonl"),
            header: header.and_then(|header| header.as_object().cloned()),
            rows: rows.iter().map(|row| Entry(row.as_object().cloned().unwrap())).collect(),
        }
    }

    #[test]
    fn a_section_has_machine_command_table_and_remarks() {
        let header = json!({ "bench": "other", "quick": true, "machine": { "cpu": "CPU", "cores": 2, "isa": "avx2", "system": "linux" } });
        let rows = [
            json!({ "row": "about", "paper": "p", "note": "first; second" }),
            json!({ "row": "a|b*", "bits": 5, "cpu_ms": 2.0, "paper_ms": 9.0, "correct": true, "noise_measured_std": 0.000_061_035_156_25 }),
            json!({ "row": "c", "cpu_ms": null, "paper_ms": 12_345.0, "correct": false, "note": "slow" }),
            json!({ "row": "d", "note": "slow" }),
        ];
        let text = page(&[recording("other", Some(header), &rows)], &[]);
        for part in [
            "| [other](#other) | 2026-02-03 | CPU, 2 cores, avx2, linux | 4 |",
            "- Made by `cargo run --release -p bootes-bench --bin record -- other --quick`, kept as `2026-02-03-other.jsonl`",
            "- first\n- second\n",
            "| row | bits | paper, ms | one value, ms | right | noise measured | paper / ours |\n|---|--:|--:|--:|--:|--:|--:|\n",
            "| a\\|b\\* | 5 | 9.000 | 2.000 | yes | 2^-14.00 | 4.500 |\n",
            "| c | — | 12\u{202f}345 | — | NO | — | — |\n",
            "- c; d: slow\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("\n| d"), "nothing was measured: {text}");
    }

    #[test]
    fn a_recording_without_a_machine_says_so() {
        let rows = [json!({ "row": "x", "isa": "avx512", "ours_missing": "left out of a quick run", "paper_ms": 1.0 })];
        let text = page(&[recording("recursive-table3", None, &rows)], &[]);
        assert!(text.contains("a machine that was not recorded, avx512"), "{text}");
        assert!(text.contains("bench recursive-table3 --json --quick`, kept as `2026-02-03-rec"), "{text}");
        let peers = page(&[recording("peers-tfhe", None, &[json!({ "row": "x", "ratio": 0.5 })])], &[]);
        assert!(peers.contains("bench/peers/tfhe/Cargo.toml -- --json"), "{peers}");
    }
}
