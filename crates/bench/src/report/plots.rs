//! The plots of the report.
use super::load::{Entry, Recording};
use super::svg::{Anchor, Axis, Frame, Look, Marker, Series, Svg, plain, text_width};
use crate::clock::median;
use std::collections::BTreeMap;

mod figures;
mod plot;

use figures::{METHOD_TIMES, PRODUCTS, digits, methods, products, splits};
pub(super) use plot::Plot;
use plot::framed;

/// Bars in one figure.
const MOST_BARS: usize = 24;
/// Half the band around the diagonal of the noise plot.
const BAND: f64 = 0.25;
const TABLE3: &str = "recursive-table3";
const TABLE6: &str = "fdfb-table6";
const TABLE10: &str = "homdecomp-table10";
const PEERS: &str = "peers-tfhe";
const FIGURE2: &str = "wide-figure2";

/// All plots that the recordings have data for.
pub(super) fn all(recordings: &[Recording]) -> Vec<Plot> {
    let named = |name: &str| recordings.iter().find(|recording| recording.name == name);
    let mut plots: Vec<Plot> = time_against_bits(recordings).into_iter().chain(noise(recordings)).collect();
    // The bars of two would show the same times once more.
    for recording in recordings.iter().filter(|recording| ![TABLE10, METHOD_TIMES].contains(&&*recording.name)) {
        plots.extend(bars(recording));
    }
    plots.extend(named(TABLE10).and_then(digits));
    plots.extend(named(FIGURE2).and_then(splits));
    plots.extend(named(PRODUCTS).and_then(products));
    plots.extend(named(METHOD_TIMES).and_then(methods));
    plots
}

/// (a) Time against message bits.
fn time_against_bits(recordings: &[Recording]) -> Option<Plot> {
    let series = times(recordings);
    let points = || series.iter().flat_map(|series| &series.points);
    points().next()?;
    let title = "Time of a table against message bits";
    let (x, y) = (Axis::integers(points().map(|p| p.0)), Axis::log10(points().map(|p| p.1)));
    let (mut svg, frame) = framed(title, x, y, [500.0, 400.0], &series);
    svg.axes(&frame, "message bits", Some("milliseconds a value"));
    series.iter().for_each(|series| svg.series(&frame, series));
    let caption = "CPU milliseconds a value on one core, logarithmic: any table on integers of so many bits. Ours with the default \
                   sets, a value alone and one of 16 evaluated together; failure 2^-64 or 2^-128 a value. The papers' figures are \
                   from their machines and their parameters; tfhe's default (2 bits of message, 2 of carry) ran beside our batches."
        .to_string();
    Some(Plot::new("time-against-bits".into(), title.into(), caption, None, svg))
}

/// Series of times by bits; what comes first in a series stays.
#[derive(Default)]
struct Times(Vec<(String, Look, BTreeMap<u32, f64>)>);

impl Times {
    fn put(&mut self, label: &str, look: Look, bits: u32, ms: Option<f64>, least: bool) {
        let Some(ms) = ms else { return };
        let index = self.0.iter().position(|(known, ..)| known == label).unwrap_or_else(|| {
            self.0.push((label.to_string(), look, BTreeMap::new()));
            self.0.len() - 1
        });
        let known = self.0[index].2.entry(bits).or_insert(ms);
        if least {
            *known = known.min(ms);
        }
    }
}

fn times(recordings: &[Recording]) -> Vec<Series> {
    let rows = |name: &'static str| recordings.iter().filter(move |r| r.name == name).flat_map(|r| &r.rows);
    let look = |color, marker, hollow, dash| Look { color, marker, hollow, dash: Some(dash) };
    let mut times = Times::default();
    // The series in order of the legend: alone, together, larger tables, others.
    let ours = |target: i32| if target == -64 { (0, Marker::Circle) } else { (2, Marker::Square) };
    let own: Vec<(&Entry, u32, i32)> = rows(TABLE3)
        .chain(rows(TABLE6).filter(|row| row.row().ends_with(" planner")))
        .filter_map(|row| Some((row, row.bits()?, own_target(row.row())?)))
        .collect();
    let peers: Vec<(&Entry, u32, i32)> =
        rows(PEERS).filter_map(|row| peer_row(row.row()).map(|(bits, target)| (row, bits, target))).collect();
    for target in [-64, -128] {
        let (color, marker) = ours(target);
        for &(row, bits, _) in own.iter().filter(|(.., t)| *t == target) {
            times.put(
                &format!("ours 2^{target}, alone"),
                look(color, marker, false, 0),
                bits,
                row.positive("cpu_ms"),
                false,
            );
        }
    }
    for target in [-64, -128] {
        let (color, marker) = ours(target);
        let label = format!("ours 2^{target}, one of 16");
        let mut put = |bits, ms| times.put(&label, look(color, marker, true, 5), bits, ms, false);
        for &(row, bits, _) in peers.iter().filter(|(.., t)| *t == target) {
            put(bits, row.positive("ours_cpu_ms").or(row.positive("ours_ms")));
        }
        for &(row, bits, _) in own.iter().filter(|(.., t)| *t == target) {
            put(bits, row.positive("batch16_cpu_ms"));
        }
    }
    for row in rows(TABLE10) {
        if let Some(bits) = row.row().strip_suffix("-bit table").and_then(|bits| bits.parse().ok()) {
            let digits = |hollow, dash| look(0, Marker::Triangle, hollow, dash);
            times.put("ours 2^-64, digits, alone", digits(false, 0), bits, row.positive("cpu_ms"), false);
            times.put("ours 2^-64, digits, one of 16", digits(true, 5), bits, row.positive("batch16_cpu_ms"), false);
        }
    }
    let peer: Vec<f64> =
        peers.iter().filter_map(|(row, ..)| row.positive("peer_cpu_ms").or(row.positive("peer_ms"))).collect();
    if let Some((row, ..)) = peers.iter().find(|_| !peer.is_empty()) {
        let name = row.text("peer").unwrap_or("tfhe");
        let label = format!("{}, 2+2 bits", name.split(',').next().unwrap_or(name));
        times.put(
            &label,
            Look { color: 4, marker: Marker::Diamond, hollow: false, dash: None },
            4,
            Some(median(&peer)),
            false,
        );
    }
    for row in rows(TABLE3) {
        let (Some(bits), Some((_, kind))) = (row.bits(), row.row().split_once(' ')) else { continue };
        let color = if kind.ends_with("compress") { 1 } else { 5 };
        let look = look(color, Marker::Triangle, kind.starts_with("non"), 2);
        times.put(&format!("paper, {kind}"), look, bits, row.positive("paper_ms"), false);
    }
    for row in rows(TABLE6) {
        let (Some(bits), Some((table, _))) = (row.bits(), row.row().split_once(' ')) else { continue };
        let Some(table) = table.strip_prefix('T') else { continue };
        let look = look(3, Marker::Diamond, table == "11", 2);
        times.put(&format!("FDFB paper, least of Table {table}"), look, bits, row.positive("paper_ms"), true);
    }
    let series = |(label, look, points): (String, Look, BTreeMap<u32, f64>)| Series {
        label,
        look,
        points: points.into_iter().map(|(bits, ms)| (f64::from(bits), ms)).collect(),
    };
    times.0.into_iter().map(series).collect()
}

/// log2 of the failure probability in "ours 5-bit 2^-64" and the like.
fn own_target(row: &str) -> Option<i32> {
    row.strip_prefix("ours ")?.split(' ').find_map(|word| word.strip_prefix("2^")?.parse().ok())
}

/// Bits and log2 of the failure probability of a row of the peers: "4-bit", "4-bit-128".
fn peer_row(row: &str) -> Option<(u32, i32)> {
    let (bits, target) = row.split_once("-bit")?;
    Some((bits.parse().ok()?, if target.is_empty() { -64 } else { target.parse().ok()? }))
}

/// (b) Measured noise against predicted.
fn noise(recordings: &[Recording]) -> Option<Plot> {
    let all: Vec<(&Recording, Vec<NoisePoint<'_>>)> = recordings
        .iter()
        .map(|recording| (recording, recording.rows.iter().filter_map(NoisePoint::of).collect::<Vec<_>>()))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    let flat = || all.iter().flat_map(|(_, points)| points);
    flat().next()?;
    let axis = Axis::log2(flat().flat_map(|point| [point.predicted, point.measured, point.bar[0], point.bar[1]]));
    let look = |i: usize| Look { color: i, marker: Marker::ALL[i % 4], hollow: false, dash: None };
    let mut series: Vec<Series> = all
        .iter()
        .enumerate()
        .map(|(i, (recording, points))| Series {
            label: recording.name.clone(),
            look: look(i),
            points: points.iter().map(|point| (point.predicted, point.measured)).collect(),
        })
        .collect();
    let percent = format!("±{} %", 100.0 * BAND);
    // For the legend.
    let band = Look { color: 0, marker: Marker::Band, hollow: false, dash: None };
    series.push(Series { label: percent.clone(), look: band, points: Vec::new() });
    let title = "Noise: measured against predicted";
    let (mut svg, frame) = framed(title, axis.clone(), axis.clone(), [440.0, 440.0], &series);
    let (low, high) = (axis.low, axis.high);
    let (above, below) = ((1.0 + BAND).log2(), (1.0 - BAND).log2());
    let corners =
        [(low, low), (low, low + above), (high - above, high), (high, high), (high, high + below), (low - below, low)];
    svg.polygon(&corners.map(|point| frame.point(point)), "band");
    svg.axes(&frame, "predicted standard deviation, of the torus", Some("measured"));
    svg.line(frame.point((low, low)), frame.point((high, high)), "axis");
    for ((_, points), series) in all.iter().zip(&series) {
        let class = format!("s{} thin", series.look.color);
        for &NoisePoint { predicted, bar: [from, to], .. } in points.iter().filter(|point| point.bar[0] < point.bar[1])
        {
            svg.line(frame.point((predicted, from)), frame.point((predicted, to)), &class);
        }
        svg.series(&frame, series);
    }
    let (total, inside) = (flat().count(), flat().filter(|point| (below..=above).contains(&point.distance())).count());
    let caption = format!(
        "Standard deviations of the error of results, logarithms to base 2. The line is measured = predicted, the band {percent} of it: \
         {inside} of {total} rows are inside. Bars are two standard errors of the measurement, where its number of values is \
         recorded; rows of which not even the bar meets the band are named below."
    );
    let outside = all.iter().flat_map(|(recording, points)| {
        let far = move |point: &&NoisePoint<'_>| {
            point.bar[0] - point.predicted > above || point.bar[1] - point.predicted < below
        };
        let times = |point: &NoisePoint<'_>| {
            format!("{}, {}: measured {} times predicted", recording.name, point.row, short(point.distance().exp2()))
        };
        points.iter().filter(far).map(times)
    });
    let remarks = outside.collect();
    Some(Plot { remarks, ..Plot::new("noise".into(), title.into(), caption, None, svg) })
}

/// Logarithms of standard deviations.
struct NoisePoint<'a> {
    row: &'a str,
    predicted: f64,
    measured: f64,
    /// Measured less and plus two standard errors; none where the number of values is not known.
    bar: [f64; 2],
}

impl<'a> NoisePoint<'a> {
    fn of(row: &'a Entry) -> Option<Self> {
        let predicted = row.positive("noise_predicted_std")?.log2();
        let measured = row.positive("noise_measured_std")?.log2();
        // Of a standard deviation from n values: 1/√(2n) of it.
        let errors = row.number("checked").filter(|&n| n >= 8.0).map_or(0.0, |n| 2.0 / (2.0 * n).sqrt());
        let bar = [measured + (1.0 - errors).log2(), measured + (1.0 + errors).log2()];
        Some(Self { row: row.row(), predicted, measured, bar })
    }

    /// log2 of measured over predicted.
    fn distance(&self) -> f64 {
        self.measured - self.predicted
    }
}

/// (c) Ours beside the paper's, a pair of bars a row.
fn bars(recording: &Recording) -> Vec<Plot> {
    let rows: Vec<(&Entry, f64)> =
        recording.rows.iter().filter_map(|row| Some((row, row.positive("paper_ms")?))).collect();
    // A row that we lack keeps its place; a table of such rows says nothing.
    if rows.iter().all(|(row, _)| row.positive("cpu_ms").is_none()) {
        return Vec::new();
    }
    let parts = rows.len().div_ceil(MOST_BARS);
    let part = |(i, rows): (usize, &[(&Entry, f64)])| {
        let (name, title) = match parts {
            1 => (format!("bars-{}", recording.name), format!("Ours beside the paper: {}", recording.name)),
            _ => (
                format!("bars-{}-{}", recording.name, i + 1),
                format!("Ours beside the paper: {} ({} of {parts})", recording.name, i + 1),
            ),
        };
        let caption = "Milliseconds a value, logarithmic: the paper's on its machine, ours as CPU time of one value alone on this \
                       one. The last column is the paper's time over ours: above 1, ours takes less."
            .to_string();
        let drawing = bar_drawing(&title, rows);
        Plot::new(name, title, caption, Some(recording), drawing)
    };
    rows.chunks(rows.len().div_ceil(parts)).enumerate().map(part).collect()
}

fn bar_drawing(title: &str, rows: &[(&Entry, f64)]) -> Svg {
    const STEP: f64 = 32.0;
    const BAR: f64 = 11.0;
    let label = |row: &Entry| row.row().to_string();
    let ours = |row: &Entry| row.positive("cpu_ms");
    let left = 30.0 + rows.iter().map(|(row, _)| text_width(&label(row), 12.0)).fold(80.0, f64::max);
    let times = || rows.iter().flat_map(|&(row, paper)| [Some(paper), ours(row)]).flatten();
    // Room below the least, so that its bar has a length.
    let x = Axis::log10(times().chain([0.6 * times().fold(f64::INFINITY, f64::min)]));
    let mut y = Axis::linear([0.0, 1.0], 1);
    y.ticks.clear();
    let frame = Frame { left, top: 78.0, width: 400.0, height: STEP * rows.len() as f64, x, y };
    let right = left + frame.width;
    let columns = [right + 78.0, right + 150.0, right + 214.0];
    let mut svg =
        Svg::new((columns[2] + 20.0).max(text_width(title, 16.0) + 40.0).ceil(), frame.top + frame.height + 56.0);
    svg.text((20.0, 30.0), Anchor::Start, 16.0, "head", title);
    let look = |color| Look { color, marker: Marker::Square, hollow: false, dash: None };
    svg.legend((left, 56.0), [("paper", look(1))]);
    svg.legend((left + 100.0, 56.0), [("ours", look(0))]);
    for (x, head) in columns.into_iter().zip(["paper", "ours", "ratio"]) {
        svg.text((x, 60.0), Anchor::End, 12.0, "muted", head);
    }
    svg.axes(&frame, "milliseconds", None);
    for (i, &(row, paper)) in rows.iter().enumerate() {
        let middle = frame.top + STEP * (i as f64 + 0.5);
        svg.text((left - 10.0, middle + 4.2), Anchor::End, 12.0, "text", &label(row));
        for (time, class, top) in [(Some(paper), "f1", middle - BAR - 0.5), (ours(row), "f0", middle + 0.5)] {
            if let Some(time) = time {
                svg.rect((left, top), (frame.width * frame.x.at(time), BAR), class);
            }
        }
        let ratio = ours(row).map(|ours| format!("{}×", short(paper / ours)));
        let cells = [Some(short(paper)), ours(row).map(short), ratio];
        for ((x, cell), class) in columns.into_iter().zip(cells).zip(["muted", "muted", "text"]) {
            svg.text((x, middle + 4.2), Anchor::End, 12.0, class, cell.as_deref().unwrap_or("—"));
        }
    }
    svg
}

/// Three digits, or all before the point.
fn short(x: f64) -> String {
    let text = match x {
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x if x >= 0.1 => format!("{x:.2}"),
        x => format!("{x:.4}"),
    };
    if x >= 9_999.5 { plain(x.round()) } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check_xml;
    use super::figures::{METHODS, paper_digits};
    use super::*;
    use serde_json::{Value, json};

    fn recording(name: &str, rows: Vec<Value>) -> Recording {
        let fields = |row: Value| match row {
            Value::Object(fields) => Entry(fields),
            other => panic!("{other}"),
        };
        Recording {
            name: name.into(),
            date: "2026-01-01".into(),
            file: String::new(),
            header: None,
            rows: rows.into_iter().map(fields).collect(),
        }
    }

    /// Everything there can be, in the sizes that full runs have.
    fn full() -> Vec<Recording> {
        let bits = 1..=8u32;
        let time = |bits: u32| 0.8 * f64::from(1 << bits);
        let noise = |bits: u32| (2f64.powi(-10 - 2 * bits as i32), 2.2f64.powi(-10 - 2 * bits as i32));
        let own = |row: String, bits: u32| {
            let (predicted, measured) = noise(bits);
            json!({ "row": row, "bits": bits, "cpu_ms": time(bits), "batch16_cpu_ms": 0.4 * time(bits), "checked": 34,
                    "noise_predicted_std": predicted, "noise_measured_std": measured })
        };
        let paper = |row: String, bits: u32, ours: bool| json!({ "row": row, "bits": bits, "paper_ms": 9.0 * time(bits), "cpu_ms": ours.then(|| time(bits)) });
        let mut table3: Vec<Value> = Vec::new();
        for kind in ["EBS compress", "EBS recursive", "non-EBS compress", "non-EBS recursive"] {
            table3.extend((5..=8).map(|bits| paper(format!("p=2^{bits} {kind}"), bits, bits != 7)));
        }
        for target in [-64, -128] {
            table3.extend(bits.clone().map(|bits| own(format!("ours {bits}-bit 2^{target}"), bits)));
        }
        let names = ["WoP-PBS1-refine*", "EvalFunc", "FDFB-Select-alt* <&>", "FDFB-CancelSign"];
        let table6 = [11, 12].into_iter().flat_map(|table| {
            (0..24)
                .map(move |i| paper(format!("T{table} {} p={}", names[i % 4], 16 << (i % 2)), 4 + i as u32 % 2, true))
        });
        let peer = |bits: u32, suffix: &str| json!({ "row": format!("{bits}-bit{suffix}"), "ours_cpu_ms": 0.3 * time(bits), "peer_cpu_ms": 19.5, "peer": "tfhe 1.8.2, x" });
        let peers = ["", "-128"].into_iter().flat_map(|suffix| bits.clone().map(move |bits| peer(bits, suffix)));
        let mut table10: Vec<Value> = Vec::new();
        for (i, method) in METHODS.into_iter().enumerate() {
            table10.extend((13..=40).map(|q| {
                json!({ "row": format!("q=2^{q} {method} B=2^4"), "log2_q": q, "paper_ms": 10.0, "cpu_ms": (q * (i + 1)) as f64 })
            }));
        }
        table10.extend([9, 10, 12, 14].map(|bits| own(format!("{bits}-bit table"), bits)));
        let splits = (42..=64).flat_map(|split| {
            [(72, 3), (76, 4)].map(|(q, d)| {
                let log2 = 42.0 + f64::from((split - 52i32).abs());
                json!({ "row": format!("log Q = {q}, d = {d}, log B = {split}"), "log2_split": split, "predicted_log2_noise": log2,
                        "measured_log2_noise": log2 + 0.2, "paper_log2_noise": (split == 54).then_some(42) })
            })
        });
        let sizes = 8..=20u32;
        let products = sizes.clone().map(|bits| {
            let mut row = json!({ "row": format!("{bits} bits"), "bits": bits });
            (1..=6).for_each(|p| row[format!("products_{p}")] = json!(bits * bits * p));
            row
        });
        let methods = ["AKP-FBT", "characters", "BMT-FBT p=2"].map(str::to_string).into_iter();
        let methods = methods.chain((2..=6).map(|p| format!("CMT-FBT p={}", 1 << p)));
        let methods = methods.flat_map(|name| {
            sizes.clone().map(move |bits| {
                json!({ "row": format!("{bits} bits {name}"), "bits": bits, "predicted_s": bits, "cpu_s": bits + 1, "paper_ms": 9000 * bits })
            })
        });
        vec![
            recording(PRODUCTS, products.collect()),
            recording(METHOD_TIMES, methods.collect()),
            recording(TABLE6, table6.collect()),
            recording(TABLE10, table10),
            recording(PEERS, peers.collect()),
            recording(TABLE3, table3),
            recording("kernels", vec![own("FFT".into(), 5)]),
            recording(FIGURE2, splits.collect()),
        ]
    }

    #[test]
    fn full_recordings_make_every_plot_without_overlapping_text() {
        let plots = all(&full());
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        let bars = ["bars-fdfb-table6-1", "bars-fdfb-table6-2", "bars-recursive-table3"];
        assert_eq!(
            names,
            [
                &["time-against-bits", "noise"][..],
                &bars,
                &["digit-decomposition", "wide-figure2", PRODUCTS, METHOD_TIMES]
            ]
            .concat()
        );
        for plot in &plots {
            assert_eq!(plot.collisions, [""; 0], "{}", plot.name);
            check_xml(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
            assert!(!plot.svg.contains("NaN") && !plot.svg.contains("inf"), "{}", plot.name);
        }
        // The fourth row and on are too high there: 1.1^(-10-2b) of the prediction.
        assert!(
            plots[1]
                .remarks
                .iter()
                .any(|remark| remark.starts_with("recursive-table3, ours 8-bit 2^-64: measured 0.0"))
        );
        assert!(plots[2].svg.contains("FDFB-Select-alt* &lt;&amp;&gt;") && plots[2].svg.contains(">9.00×<"));
        let labels: Vec<String> = times(&full()).into_iter().map(|series| series.label).collect();
        assert_eq!(labels.len(), 4 + 2 + 1 + 4 + 2, "{labels:?}");
    }

    #[test]
    fn what_is_not_recorded_is_not_drawn() {
        assert!(all(&[]).is_empty());
        let rows =
            vec![json!({ "row": "a" }), json!({ "row": "b", "paper_ms": 3.0 }), json!({ "row": "c", "paper_ms": 0.0 })];
        let names = [TABLE3, TABLE10, PEERS, "other"];
        let recordings = names.map(|name| recording(name, rows.clone()));
        assert!(all(&recordings).is_empty());
        let one = recording("other", vec![json!({ "row": "b", "paper_ms": 3.0, "cpu_ms": 3.0 })]);
        let plots = all(&[one]);
        assert_eq!(plots.len(), 1);
        assert!(plots[0].collisions.is_empty() && plots[0].svg.contains(">1.00×<"));
    }

    #[test]
    fn names_of_rows_are_understood() {
        assert_eq!(own_target("ours 5-bit 2^-64"), Some(-64));
        assert_eq!(own_target("ours p=16 2^-128 planner"), Some(-128));
        assert_eq!(own_target("p=2^5 EBS compress"), None);
        assert_eq!(peer_row("4-bit"), Some((4, -64)));
        assert_eq!(peer_row("8-bit-128"), Some((8, -128)));
        assert_eq!(peer_row("fft-2048"), None);
        assert_eq!(
            [0.012_345, 0.5, 3.25, 12.34, 123.4, 12_345.0].map(short),
            ["0.0123", "0.50", "3.25", "12.3", "123", "12\u{202f}345"]
        );
    }

    #[test]
    fn the_papers_figure_is_whole_and_the_methods_have_our_names() {
        let paper = paper_digits();
        assert!(paper.iter().all(|series| series.points.len() == 17));
        assert_eq!(paper[0].points[0], (13.0, 1070.0));
        assert_eq!(bootes_lut::fhew::digits::Method::ALL.map(|method| method.name()), METHODS);
    }
}
