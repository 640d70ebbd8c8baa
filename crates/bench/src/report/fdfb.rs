//! The tables of the page on the FDFB paper, in its columns: Tables 11 and 12, Table 8, our own parameters.
use super::load::{Entry, Recording};
use std::fmt::Write as _;

/// Name of the file among those of a report.
pub(super) const FILE: &str = "fdfb-tables.md";

/// The tables of what is recorded, if anything is.
pub(super) fn tables(recordings: &[Recording]) -> Option<String> {
    let rows = |name: &str| recordings.iter().find(|recording| recording.name == name).map_or(&[][..], |r| &r.rows);
    let (times, noise) = (rows(crate::fdfb::table6::NAME), rows(crate::fdfb::table8::NAME));
    let of_paper = |row: &&Entry| row.row().starts_with("T11 ") || row.row().starts_with("T12 ");
    let tables: [(&str, &str, Vec<String>); 3] = [
        (
            "Tables 11 and 12",
            "| row | set | paper | one | of 16 | paper/one | log2 p_fail | wrong | noise | predicted |",
            times.iter().filter(of_paper).map(time).collect(),
        ),
        (
            "Table 8",
            "| row | set | paper, of q | paper | predicted | measured | of predicted (99.9 %) | of the paper's | wrong |",
            noise.iter().filter(of_paper).map(deviation).collect(),
        ),
        (
            "Our own parameters",
            "| | algorithm | set | one | of 16 | of tfhe-rs |",
            times.iter().filter_map(own).collect(),
        ),
    ];
    let mut text = String::from("Made by `bootes bench report` from the newest recordings; not to be edited.\n");
    for (title, head, rows) in tables.iter().filter(|(.., rows)| !rows.is_empty()) {
        let _ = write!(text, "\n## {title}\n\n{head}\n{}|\n", "|---".repeat(head.matches('|').count() - 1));
        rows.iter().for_each(|row| text.extend(["| ", row, " |\n"]));
    }
    tables.iter().any(|(.., rows)| !rows.is_empty()).then_some(text)
}

/// A row of Tables 11 and 12.
fn time(row: &Entry) -> String {
    let number = |field| row.number(field);
    let failure = match (number("log2_p_kept"), row.text("promise")) {
        (Some(kept), Some(promise)) => format!("{kept:.0}, {promise}"),
        _ => cell(number("log2_p_value").or(number("log2_p_fail")), |x| format!("{x:.0}")),
    };
    let times = match number("cpu_ms") {
        Some(one) => [format!("{one:.0}"), cell(number("batch16_cpu_ms"), |ms| format!("{ms:.0}"))],
        None => ["refused".to_string(), String::new()],
    };
    [
        name(row),
        set(row),
        cell(number("paper_ms"), |ms| format!("{ms:.0}")),
        times.join(" | "),
        cell(number("paper_over_one"), |ratio| format!("{ratio:.1}")),
        failure,
        wrong(row),
        cell(row.positive("noise_measured_std"), power),
        cell(row.positive("noise_predicted_std"), power),
    ]
    .join(" | ")
}

/// A row of Table 8.
fn deviation(row: &Entry) -> String {
    let number = |field| row.number(field);
    let [ratio, low, high] = ["", "_low", "_high"].map(|end| row.number(&format!("measured_over_predicted{end}")));
    let predicted = match (ratio, low, high) {
        (Some(ratio), Some(low), Some(high)) => format!("{ratio:.2} ({low:.2}–{high:.2})"),
        _ => String::new(),
    };
    [
        name(row),
        set(row),
        cell(number("paper_core_of_q"), three_digits),
        cell(row.positive("paper_core_std"), power),
        cell(row.positive("noise_predicted_std"), power),
        cell(row.positive("noise_measured_std"), power),
        predicted,
        cell(number("measured_over_paper"), three_digits),
        wrong(row),
    ]
    .join(" | ")
}

/// A row of our own sets.
fn own(row: &Entry) -> Option<String> {
    let name = row.row().strip_prefix("ours ")?;
    let ms = |field| cell(row.number(field), |ms| format!("{ms:.1}"));
    let part = cell(row.number("of_tfhe_rs_16"), |part| format!("{part:.2}"));
    let algorithm = row.text("algorithm").unwrap_or_default().to_string();
    Some([name.to_string(), algorithm, set(row), ms("cpu_ms"), ms("batch16_cpu_ms"), part].join(" | "))
}

fn name(row: &Entry) -> String {
    row.row().to_string()
}

fn set(row: &Entry) -> String {
    row.text("params").map_or_else(String::new, |set| format!("`{}`", set.trim_start_matches("paper_fdfb_")))
}

fn wrong(row: &Entry) -> String {
    match (row.number("wrong"), row.number("checked")) {
        (Some(wrong), Some(checked)) => format!("{wrong} of {checked}"),
        _ => String::new(),
    }
}

fn cell(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(String::new, text)
}

fn power(x: f64) -> String {
    format!("2^{:.2}", x.log2())
}

/// Three significant digits.
fn three_digits(x: f64) -> String {
    let text = format!("{x:.2e}");
    let exponent = text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0i32);
    match exponent {
        -4..=5 => {
            let text = format!("{x:.0$}", (2 - exponent).max(0) as usize);
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn recording(name: &str, rows: &[Value]) -> Recording {
        Recording {
            name: name.into(),
            date: "2026-02-03".into(),
            file: String::new(),
            header: None,
            rows: rows.iter().map(|row| Entry(row.as_object().cloned().unwrap())).collect(),
        }
    }

    #[test]
    fn rows_have_the_columns_of_the_page() {
        let times = [
            json!({ "row": "about", "note": "x", "paper": "y" }),
            json!({ "row": "T12 A* p=16", "params": "paper_fdfb_fast_18", "paper_ms": 458.0, "cpu_ms": 57.6, "batch16_cpu_ms": 21.2,
                    "paper_over_one": 7.95, "log2_p_fail": -67.0, "log2_p_value": -27.4, "log2_p_kept": -25.0, "promise": "2^-32 not met",
                    "wrong": 1, "checked": 54, "noise_measured_std": 0.003_906_25, "noise_predicted_std": 0.007_812_5 }),
            json!({ "row": "T11 B p=8", "params": "paper_fdfb_decomp_27_pks", "paper_ms": 1060.0, "cpu_ms": 84.6, "batch16_cpu_ms": 48.0,
                    "paper_over_one": 12.53, "log2_p_fail": -123.0, "log2_p_value": -122.6, "promise": "kept", "wrong": 0, "checked": 54,
                    "noise_measured_std": 0.25, "noise_predicted_std": 0.25 }),
            json!({ "row": "T12 C p=16", "params": "paper_fdfb_fast_27", "paper_ms": 621.0, "note": "no" }),
            json!({ "row": "T6 C x", "cpu_ms": 3.0 }),
            json!({ "row": "ours p=16 2^-64 planner", "algorithm": "fdfb-ks", "params": "fhew_4bit_2m64", "cpu_ms": 17.24,
                    "batch16_cpu_ms": 5.58, "of_tfhe_rs_16": 0.284 }),
        ];
        let noise = [
            json!({ "row": "T12 A* p=16", "params": "paper_fdfb_fast_18", "paper_core_of_q": 0.000_949, "paper_core_std": 0.5,
                    "noise_predicted_std": 0.25, "noise_measured_std": 0.125, "measured_over_predicted": 0.858,
                    "measured_over_predicted_low": 0.801, "measured_over_predicted_high": 0.92, "measured_over_paper": 0.000_081_3,
                    "wrong": 2, "checked": 1024 }),
            json!({ "row": "T3 x / y", "params": "paper_fdfb_fast_11" }),
        ];
        let text = tables(&[recording("fdfb-table6", &times), recording("fdfb-table8", &noise)]).unwrap();
        for line in [
            "| T12 A* p=16 | `fast_18` | 458 | 58 | 21 | 8.0 | -25, 2^-32 not met | 1 of 54 | 2^-8.00 | 2^-7.00 |",
            "| T11 B p=8 | `decomp_27_pks` | 1060 | 85 | 48 | 12.5 | -123 | 0 of 54 | 2^-2.00 | 2^-2.00 |",
            "| T12 C p=16 | `fast_27` | 621 | refused |  |  |  |  |  |  |",
            "| T12 A* p=16 | `fast_18` | 0.000949 | 2^-1.00 | 2^-2.00 | 2^-3.00 | 0.86 (0.80–0.92) | 8.13e-5 | 2 of 1024 |",
            "| p=16 2^-64 planner | fdfb-ks | `fhew_4bit_2m64` | 17.2 | 5.6 | 0.28 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let lines: Vec<&str> = text.lines().collect();
        let cells = |line: &str| line.matches('|').count();
        for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
            assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
        }
        assert!(!text.contains("T6") && !text.contains("T3") && tables(&[]).is_none());
    }

    #[test]
    fn three_digits_are_kept() {
        let cells = [17.04, 0.2804, 999.6, 1e4, 10.7, 1.0, 2.5e-5].map(three_digits);
        assert_eq!(cells, ["17", "0.28", "1000", "10000", "10.7", "1", "2.50e-5"]);
    }
}
