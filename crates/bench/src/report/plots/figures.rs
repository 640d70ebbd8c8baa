//! The figures of the papers: what they draw, with ours.
use super::plot::{Plot, framed};
use crate::report::load::{Entry, Recording};
use crate::report::svg::{Anchor, Axis, Frame, Look, Marker, Series, Svg, legend_width};

pub(super) const PRODUCTS: &str = "ckks-figure2";
pub(super) const METHOD_TIMES: &str = "ckks-figure3";

/// The part of Table 10 that is drawn.
pub(super) fn paper_digits() -> Vec<Series> {
    let paper: toml::Table = include_str!("../../../papers/homdecomp.toml").parse().expect("the shipped file parses");
    let numbers = |field: &str| -> Vec<f64> {
        let values = paper.get(field).and_then(toml::Value::as_array).into_iter().flatten();
        values.filter_map(|v| v.as_float().or(v.as_integer().map(|x| x as f64))).collect()
    };
    let log2_q = numbers("log2_q");
    let fields = ["hom_floor", "hom_floor_alt", "reduce", "fdfb"];
    let series = |(i, (field, name)): (usize, (&str, &str))| Series {
        label: name.to_string(),
        look: method_look(i),
        points: log2_q.iter().copied().zip(numbers(field)).collect(),
    };
    fields.into_iter().zip(METHODS).enumerate().map(series).collect()
}

/// The names of [`bootes_lut::fhew::digits::Method`], in the order of the paper.
pub(super) const METHODS: [&str; 4] = ["HomFloor", "HomFloorAlt", "HomDecomp-Reduce", "HomDecomp-FDFB"];

fn method_look(index: usize) -> Look {
    let dash = [0, 5, 0, 5][index % 4];
    Look { color: [0, 2, 3, 1][index % 4], marker: Marker::ALL[index % 4], hollow: index % 2 == 1, dash: Some(dash) }
}

/// (d) Digit decomposition: the paper's Figure 4, and ours.
pub(super) fn digits(recording: &Recording) -> Option<Plot> {
    let ours = METHODS.into_iter().enumerate().map(|(i, name)| {
        let rows = recording.rows.iter().filter(|row| row.row().split(' ').nth(1) == Some(name));
        let points = rows.filter_map(|row| Some((row.number("log2_q")?, row.positive("cpu_ms")?))).collect();
        Series { label: name.to_string(), look: method_look(i), points }
    });
    let ours: Vec<Series> = ours.collect();
    ours.iter().find(|series| !series.points.is_empty())?;
    let paper = paper_digits();
    let points = || paper.iter().chain(&ours).flat_map(|series| &series.points);
    let (x, y) = (Axis::integers(points().map(|p| p.0)), Axis::log10(points().map(|p| p.1)));
    let title = "Digit decomposition: time against the modulus";
    let frame = Frame { left: 84.0, top: 82.0, width: 340.0, height: 360.0, x, y };
    let second = Frame { left: frame.left + frame.width + 36.0, ..frame.clone() };
    let legend = second.left + second.width + 24.0;
    let mut svg = Svg::new(legend + legend_width(METHODS) + 14.0, frame.top + frame.height + 56.0);
    svg.text((20.0, 30.0), Anchor::Start, 16.0, "head", title);
    for (frame, head, series) in [(&frame, "the paper's Figure 4", &paper), (&second, "ours, a value alone", &ours)] {
        let middle = frame.left + frame.width / 2.0;
        svg.text((middle, frame.top - 12.0), Anchor::Middle, 13.0, "head", head);
        svg.axes(frame, "log2 q", (frame.left < 100.0).then_some("milliseconds"));
        series.iter().for_each(|series| svg.series(frame, series));
    }
    svg.legend((legend, frame.top + 10.0), ours.iter().map(|series| (series.label.as_str(), series.look)));
    let caption = "Milliseconds, logarithmic and the same in both, against log2 of the modulus that the paper needs \
                   for the message; digits of 4 bits for HomFloor and HomDecomp-Reduce, of 5 for the others. Ours are \
                   of messages as wide, in CPU time of one value on this machine, where recorded."
        .to_string();
    Some(Plot::new("digit-decomposition".into(), title.into(), caption, Some(recording), svg))
}

/// (e) Noise of blind rotation against the split of words: the wide-modulus paper's Figure 2.
pub(super) fn splits(recording: &Recording) -> Option<Plot> {
    // A row is called "log Q = 72, d = 3, log B = 54".
    let set = |row: &Entry| row.row().rsplit_once(", ").map(|(set, _)| set.to_string());
    let mut sets: Vec<String> =
        recording.rows.iter().filter(|row| row.number("log2_split").is_some()).filter_map(set).collect();
    sets.dedup();
    let kinds = [
        ("predicted", "predicted_log2_noise", Marker::Diamond, true, Some(0)),
        ("measured", "measured_log2_noise", Marker::Circle, false, None),
        ("the paper's", "paper_log2_noise", Marker::Cross, false, None),
    ];
    let series = sets.iter().enumerate().flat_map(|(color, name)| {
        kinds.map(|(kind, field, marker, hollow, dash)| {
            let rows = recording.rows.iter().filter(|row| set(row).as_ref() == Some(name));
            Series {
                label: format!("{name}, {kind}"),
                look: Look { color, marker, hollow, dash },
                points: rows.filter_map(|row| Some((row.number("log2_split")?, row.number(field)?))).collect(),
            }
        })
    });
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    let points = || series.iter().flat_map(|series| &series.points);
    points().next()?;
    let title = "Noise of blind rotation against the split of words";
    let (x, y) = (Axis::integers(points().map(|p| p.0)), Axis::linear(points().map(|p| p.1), 8));
    let (mut svg, frame) = framed(title, x, y, [440.0, 360.0], &series);
    svg.axes(&frame, "log2 B, the place of the split", Some("log2 of the standard deviation"));
    series.iter().for_each(|series| svg.series(&frame, series));
    let caption = "Standard deviation in units of 1/Q, n = 1305, N = 4096, words in two limbs. To the left the upper \
                   limb is too long and its sums are rounded wrong, to the right the lower one is long and its sums \
                   err; between them the gadget's own noise remains."
        .to_string();
    Some(Plot::new("wide-figure2".into(), title.into(), caption, Some(recording), svg))
}

/// (f) Products of ciphertexts against the size of a table: Figure 2 of the paper on larger tables with CKKS.
pub(super) fn products(recording: &Recording) -> Option<Plot> {
    let series = (1..=6).map(|digit_bits: usize| {
        let name = if digit_bits == 1 { "BMT" } else { "CMT" };
        let field = format!("products_{digit_bits}");
        let rows = recording.rows.iter();
        Series {
            label: format!("{name}, p = {}", 1 << digit_bits),
            look: series_look(digit_bits - 1, false),
            points: rows.filter_map(|row| Some((f64::from(row.bits()?), row.positive(&field)?))).collect(),
        }
    });
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    let labels = ["message bits", "products of ciphertexts"];
    let title = "Products in the Kronecker products of multiplexer trees";
    let caption = "Logarithmic, counted in the circuits: of both products of a tree, for digits modulo p.";
    against_bits(PRODUCTS, [title, caption], labels, &series, recording)
}

/// (g) Time against the size of a table by method: Figure 3 of the same paper.
pub(super) fn methods(recording: &Recording) -> Option<Plot> {
    let rows = || recording.rows.iter().filter(|row| row.positive("predicted_s").is_some());
    // A row is called "12 bits CMT-FBT p=8".
    let method = |row: &Entry| row.row().splitn(3, ' ').nth(2).map(str::to_string);
    let mut names: Vec<String> = Vec::new();
    for name in rows().filter_map(method) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let points = |name: &str, field: &str, factor: f64| {
        let of_method = rows().filter(|row| method(row).as_deref() == Some(name));
        of_method.filter_map(|row| Some((f64::from(row.bits()?), row.positive(field)? * factor))).collect::<Vec<_>>()
    };
    let mut series = Vec::new();
    for (i, name) in names.iter().enumerate() {
        series.push(Series {
            label: name.clone(),
            look: series_look(i, true),
            points: points(name, "predicted_s", 1.0),
        });
        let look = Look { dash: None, ..series_look(i, false) };
        series.push(Series { label: format!("{name}, measured"), look, points: points(name, "cpu_s", 1.0) });
    }
    let paper = |method: &str| {
        let of_method = names.iter().filter(|name| name.starts_with(method));
        let mut points: Vec<_> = of_method.flat_map(|name| points(name, "paper_ms", 1e-3)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    for (color, method) in [(6, "AKP-FBT"), (1, "CMT-FBT")] {
        let look = Look { color, marker: Marker::Cross, hollow: false, dash: Some(2) };
        series.push(Series { label: format!("the paper's {method}"), look, points: paper(method) });
    }
    series.retain(|series| !series.points.is_empty());
    let title = "Time of a table against message bits, by method";
    let caption = "Seconds of one ciphertext on one thread, logarithmic: predicted by the cost model, and measured \
                   where it was. The paper's are of its Tables A1 (N = 2^17 from 10 bits on) and 3, on its machine.";
    against_bits(METHOD_TIMES, [title, caption], ["message bits", "seconds"], &series, recording)
}

/// The look of series number `index`, joined by a line.
fn series_look(index: usize, hollow: bool) -> Look {
    Look { color: index % 7, marker: Marker::ALL[index % 4], hollow, dash: Some(if index < 7 { 0 } else { 5 }) }
}

/// Series against message bits, logarithmic.
fn against_bits(
    name: &str,
    [title, caption]: [&str; 2],
    [x_label, y_label]: [&str; 2],
    series: &[Series],
    recording: &Recording,
) -> Option<Plot> {
    let points = || series.iter().flat_map(|series| &series.points);
    points().next()?;
    let (x, y) = (Axis::integers(points().map(|p| p.0)), Axis::log10(points().map(|p| p.1)));
    let (mut svg, frame) = framed(title, x, y, [500.0, 400.0], series);
    svg.axes(&frame, x_label, Some(y_label));
    series.iter().for_each(|series| svg.series(&frame, series));
    Some(Plot::new(name.into(), title.into(), caption.into(), Some(recording), svg))
}
