//! A small writer of SVG plots: shapes, axes with round ticks, legends, text.
//!
//! The same calls give the same bytes. Colours are classes of a style sheet in the file, which has a light and a dark set; the
//! background is drawn, so that a plot is readable on any page. Series differ in marker and dash too, not in colour alone.
use std::fmt::Write as _;

/// Colours of series: on light and on dark ground.
const SERIES: [[&str; 2]; 7] = [
    ["#0b5cad", "#6cb6ff"],
    ["#c2410c", "#ff9a5c"],
    ["#15803d", "#6fdd8b"],
    ["#a21caf", "#e48bff"],
    ["#b91c1c", "#ff8080"],
    ["#86590a", "#e3b341"],
    ["#57606a", "#a8b1bb"],
];
/// Ground, text, muted text, grid: light and dark.
const THEMES: [[&str; 4]; 2] =
    [["#ffffff", "#1f2328", "#57606a", "#d0d7de"], ["#0d1117", "#e6edf3", "#a8b1bb", "#30363d"]];

/// Text with what XML reserves written as entities; characters that XML does not have become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// A coordinate, to a hundredth.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// An upper estimate of the width of text in a sans-serif font, for layout.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' => 0.34,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' => 1.0,
        'A'..='Z' => 0.75,
        _ => 0.64,
    };
    text.chars().map(width).sum::<f64>() * size
}

/// Which end of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Marker {
    Circle,
    Square,
    Diamond,
    Triangle,
    Cross,
    /// Not a point but an area, in the legend.
    Band,
}

impl Marker {
    pub(super) const ALL: [Self; 5] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Cross];
}

/// How a series looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Index of the colour.
    pub(super) color: usize,
    pub(super) marker: Marker,
    pub(super) hollow: bool,
    /// The line between points: none, or with dashes of this length (0: unbroken).
    pub(super) dash: Option<u32>,
}

/// Points with a name.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) label: String,
    pub(super) look: Look,
    pub(super) points: Vec<(f64, f64)>,
}

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// An axis from `low` to `high`.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    log: bool,
    pub(super) ticks: Vec<Tick>,
}

/// A plain number, thousands apart.
pub(super) fn plain(x: f64) -> String {
    if x.abs() < 10_000.0 {
        let text = format!("{x:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    let digits = format!("{:.0}", x.abs());
    let mut text = String::from(if x < 0.0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

impl Axis {
    /// A linear axis around `values` whose ends and about `count` ticks are multiples of 1, 2 or 5 times a power of ten.
    pub(super) fn linear(values: impl IntoIterator<Item = f64>, count: usize) -> Self {
        let (mut low, mut high) = range(values);
        if high - low < 1e-9 {
            (low, high) = (low - 1.0, high + 1.0);
        }
        let rough = (high - low) / count.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|&x| x >= rough * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * power);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let count = (last - first) as u32;
        let ticks = (0..=count).map(|i| (first + f64::from(i)) * step).map(|value| Tick { value, label: plain(value) });
        Self { low: first * step, high: last * step, log: false, ticks: ticks.collect() }
    }

    /// An axis of integers around `values`, each with a tick as long as they are few, and half a unit of space at both ends.
    pub(super) fn integers(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        let (low, high) = (low.round(), high.round());
        let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].into_iter().find(|step| (high - low) / step <= 16.0);
        let step = step.unwrap_or(100.0);
        let first = (low / step).ceil() * step;
        let count = ((high - first) / step).floor().max(0.0) as u32;
        let ticks = (0..=count).map(|i| first + f64::from(i) * step).map(|value| Tick { value, label: plain(value) });
        Self { low: low - 0.5, high: high + 0.5, log: false, ticks: ticks.collect() }
    }

    /// An axis of powers of two, in their logarithms, from and to whole ones.
    pub(super) fn log2(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        let (low, mut high) = (low.floor(), high.ceil());
        if high < low + 2.0 {
            high = low + 2.0;
        }
        let step = [1.0, 2.0, 5.0, 10.0, 20.0].into_iter().find(|step| (high - low) / step <= 9.0).unwrap_or(50.0);
        let first = (low / step).ceil() * step;
        let count = ((high - first) / step).floor() as u32;
        let ticks = (0..=count).map(|i| first + f64::from(i) * step);
        let ticks = ticks.map(|value| Tick { value, label: format!("2^{}", plain(value)) }).collect();
        Self { low, high, log: false, ticks }
    }

    /// A logarithmic axis around positive `values`, from and to 1, 2 or 5 times a power of ten; ticks there too, or at the powers
    /// of ten alone if that is too many.
    pub(super) fn log10(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values.into_iter().filter(|&value| value > 0.0));
        let (low, high) = if low > 0.0 { (low, high) } else { (1.0, 10.0) };
        let near = |x: f64, up: bool| {
            let power = 10f64.powf(x.log10().floor());
            let mut steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter();
            if up {
                steps.find(|&step| step >= x * (1.0 - 1e-9)).unwrap_or(10.0 * power)
            } else {
                steps.rfind(|&step| step <= x * (1.0 + 1e-9)).unwrap_or(power)
            }
        };
        let (low, mut high) = (near(low, false), near(high, true));
        if high < low * 1.5 {
            high = near(low * 1.5, true);
        }
        let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
        let few = (high / low).log10() < 4.0;
        let steps: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let values = decades.flat_map(|k| steps.iter().map(move |step| step * 10f64.powi(k)));
        let inside = values.filter(|&x| x > low * (1.0 - 1e-9) && x < high * (1.0 + 1e-9));
        let ticks = inside.map(|value| Tick { value, label: plain(value) }).collect();
        Self { low, high, log: true, ticks }
    }

    /// Where a value is: 0 at the low end, 1 at the high end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let map = |x: f64| if self.log { x.ln() } else { x };
        (map(value) - map(self.low)) / (map(self.high) - map(self.low))
    }
}

fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The rectangle in which data are drawn, and its axes.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Frame {
    pub(super) fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + self.width * self.x.at(x), self.top + self.height * (1.0 - self.y.at(y)))
    }
}

/// A drawing.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
    /// Left, top, right, bottom of every text, as estimated.
    texts: Vec<([f64; 4], String)>,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new(), texts: Vec::new() }
    }

    /// A line; `class` is "grid", "axis" or of a series.
    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
        let _ = writeln!(self.body, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], class: &str) {
        let _ = writeln!(self.body, r#"<polygon class="{class}" points="{}"/>"#, list(points));
    }

    /// A filled rectangle.
    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        let _ = writeln!(self.body, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#);
    }

    /// The line through points.
    fn path(&mut self, points: &[(f64, f64)], look: Look) {
        let Some(dash) = look.dash else { return };
        let dashes = if dash == 0 { String::new() } else { format!(r#" stroke-dasharray="{dash} {dash}""#) };
        let (color, points) = (look.color % SERIES.len(), list(points));
        let _ = writeln!(self.body, r#"<polyline class="s{color} path"{dashes} points="{points}"/>"#);
    }

    fn marker(&mut self, (x, y): (f64, f64), look: Look) {
        let color = look.color % SERIES.len();
        let class = if look.hollow { format!("s{color} ground") } else { format!("s{color} f{color}") };
        let polygon = |corners: &[(f64, f64)]| corners.iter().map(|(a, b)| (x + a, y + b)).collect::<Vec<_>>();
        match look.marker {
            Marker::Circle => {
                let [x, y] = [x, y].map(number);
                let _ = writeln!(self.body, r#"<circle class="{class}" cx="{x}" cy="{y}" r="3.6"/>"#);
            }
            Marker::Square => self.rect((x - 3.3, y - 3.3), (6.6, 6.6), &class),
            Marker::Diamond => self.polygon(&polygon(&[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]), &class),
            Marker::Triangle => self.polygon(&polygon(&[(0.0, -4.6), (4.4, 3.4), (-4.4, 3.4)]), &class),
            Marker::Band => self.rect((x - 13.0, y - 6.0), (26.0, 12.0), "band"),
            Marker::Cross => {
                let class = format!("s{color} path");
                self.line((x - 3.6, y - 3.6), (x + 3.6, y + 3.6), &class);
                self.line((x - 3.6, y + 3.6), (x + 3.6, y - 3.6), &class);
            }
        }
    }

    /// Text whose base line is at y; `class` is "text", "muted" or "head".
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, class: &str, text: &str) {
        let width = text_width(text, size);
        let (place, left) = match anchor {
            Anchor::Start => ("start", x),
            Anchor::Middle => ("middle", x - width / 2.0),
            Anchor::End => ("end", x - width),
        };
        self.texts.push(([left, y - 0.78 * size, left + width, y + 0.22 * size], text.to_string()));
        let ([x, y], size, text) = ([x, y].map(number), number(size), escape(text));
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}" text-anchor="{place}">{text}</text>"#
        );
    }

    /// Text upwards, centred.
    fn text_up(&mut self, (x, y): (f64, f64), size: f64, class: &str, text: &str) {
        let half = text_width(text, size) / 2.0;
        self.texts.push(([x - 0.78 * size, y - half, x + 0.22 * size, y + half], text.to_string()));
        let ([x, y], size, text) = ([x, y].map(number), number(size), escape(text));
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-90)" font-size="{size}" text-anchor="middle">{text}</text>"#
        );
    }

    /// Grid, ticks and titles of a frame; without a title, an axis has no labels either.
    pub(super) fn axes(&mut self, frame: &Frame, x_title: &str, y_title: Option<&str>) {
        let (left, top) = (frame.left, frame.top);
        let (right, bottom) = (left + frame.width, top + frame.height);
        for tick in &frame.x.ticks {
            let x = left + frame.width * frame.x.at(tick.value);
            self.line((x, top), (x, bottom), "grid");
            self.text((x, bottom + 18.0), Anchor::Middle, 12.0, "muted", &tick.label);
        }
        let mut widest = 0f64;
        for tick in &frame.y.ticks {
            let y = top + frame.height * (1.0 - frame.y.at(tick.value));
            self.line((left, y), (right, y), "grid");
            if y_title.is_some() {
                self.text((left - 8.0, y + 4.2), Anchor::End, 12.0, "muted", &tick.label);
                widest = widest.max(text_width(&tick.label, 12.0));
            }
        }
        self.line((left, bottom), (right, bottom), "axis");
        self.line((left, top), (left, bottom), "axis");
        self.text((left + frame.width / 2.0, bottom + 40.0), Anchor::Middle, 13.0, "text", x_title);
        if let Some(title) = y_title {
            self.text_up((left - 8.0 - widest - 12.0, top + frame.height / 2.0), 13.0, "text", title);
        }
    }

    /// Lines and points of a series.
    pub(super) fn series(&mut self, frame: &Frame, series: &Series) {
        let points: Vec<(f64, f64)> = series.points.iter().map(|&point| frame.point(point)).collect();
        self.path(&points, series.look);
        for point in points {
            self.marker(point, series.look);
        }
    }

    /// Names of series, one below the other.
    pub(super) fn legend<'a>(&mut self, (x, y): (f64, f64), entries: impl IntoIterator<Item = (&'a str, Look)>) {
        for (i, (label, look)) in entries.into_iter().enumerate() {
            let y = y + LEGEND_STEP * i as f64;
            self.path(&[(x, y), (x + 26.0, y)], look);
            self.marker((x + 13.0, y), look);
            self.text((x + LEGEND_TEXT, y + 4.2), Anchor::Start, 12.0, "text", label);
        }
    }

    /// The file; `name` makes its identifiers differ from those of other plots on a page.
    pub(super) fn finish(self, name: &str, title: &str, description: &str) -> String {
        let [width, height] = [self.width, self.height].map(number);
        let [name, title, description] = [name, title, description].map(escape);
        let mut style = String::new();
        for (theme, colors) in THEMES.iter().enumerate() {
            let [ground, text, muted, grid] = colors;
            let mut rules = format!(
                ".ground{{fill:{ground}}}.text,.head{{fill:{text}}}.muted{{fill:{muted}}}.grid{{stroke:{grid}}}\
                 .axis{{stroke:{muted}}}.band{{fill:{grid}}}"
            );
            for (i, colors) in SERIES.iter().enumerate() {
                let color = colors[theme];
                let _ = write!(rules, ".s{i}{{stroke:{color}}}.f{i}{{fill:{color}}}");
            }
            let _ = match theme {
                0 => writeln!(style, "{rules}"),
                _ => writeln!(style, "@media (prefers-color-scheme:dark){{{rules}}}"),
            };
        }
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="{name}-title {name}-desc" font-family="system-ui,sans-serif">
<title id="{name}-title">{title}</title>
<desc id="{name}-desc">{description}</desc>
<style>
{style}.grid{{stroke-width:1}}.axis{{stroke-width:1.2}}.path{{fill:none;stroke-width:1.8}}.head{{font-weight:600}}.band{{opacity:.55}}.thin{{stroke-width:1;opacity:.55}}
circle,rect,polygon{{stroke-width:1.6}}
</style>
<rect class="ground" width="{width}" height="{height}"/>
{}</svg>
"#,
            self.body
        )
    }

    /// Texts over other texts or over the edge.
    #[cfg(test)]
    pub(super) fn collisions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (i, ([left, top, right, bottom], text)) in self.texts.iter().enumerate() {
            if *left < 0.0 || *top < 0.0 || *right > self.width || *bottom > self.height {
                found.push(format!("\"{text}\" leaves the drawing"));
            }
            for ([l, t, r, b], other) in &self.texts[..i] {
                if left < r && l < right && top < b && t < bottom {
                    found.push(format!("\"{text}\" is over \"{other}\""));
                }
            }
        }
        found
    }
}

/// Height of a line of a legend, and where its text begins.
pub(super) const LEGEND_STEP: f64 = 20.0;
const LEGEND_TEXT: f64 = 34.0;

/// Width of a legend.
pub(super) fn legend_width<'a>(labels: impl IntoIterator<Item = &'a str>) -> f64 {
    LEGEND_TEXT + labels.into_iter().map(|label| text_width(label, 12.0)).fold(0.0, f64::max)
}

fn list(points: &[(f64, f64)]) -> String {
    points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Refuses what is not well-formed XML, as far as our files go: one root, matching tags, quoted and distinct attributes, no bare
    /// reserved characters, known entities.
    pub(in super::super) fn check_xml(text: &str) -> Result<(), String> {
        let (mut rest, mut open, mut roots) = (text.trim_end(), Vec::new(), 0);
        while !rest.is_empty() {
            let end = rest.find('<').unwrap_or(rest.len());
            check_text(&rest[..end], open.is_empty())?;
            rest = &rest[end..];
            let Some(tag) = rest.strip_prefix('<') else { break };
            let end = tag.find('>').ok_or("a tag without an end")?;
            rest = &tag[end + 1..];
            let tag = &tag[..end];
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return Err(format!("</{name}> does not match"));
                }
                continue;
            }
            let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                return Err(format!("<{name}> is no name"));
            }
            check_attributes(attributes)?;
            roots += usize::from(open.is_empty());
            if !closed {
                open.push(name);
            }
        }
        match (open.is_empty(), roots) {
            (true, 1) => Ok(()),
            _ => Err(format!("{roots} roots, {open:?} open")),
        }
    }

    fn check_attributes(mut rest: &str) -> Result<(), String> {
        let mut names = Vec::new();
        while !rest.trim_start().is_empty() {
            let (name, value) = rest.trim_start().split_once("=\"").ok_or(format!("attributes {rest}"))?;
            let (value, after) = value.split_once('"').ok_or(format!("attribute {name} without an end"))?;
            if names.contains(&name) || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
                return Err(format!("attribute {name}"));
            }
            names.push(name);
            check_text(value, false)?;
            rest = after;
        }
        Ok(())
    }

    fn check_text(text: &str, outside: bool) -> Result<(), String> {
        if (outside && !text.trim().is_empty()) || text.contains(['>', '<']) {
            return Err(format!("text {text}"));
        }
        if text.chars().any(|c| c.is_control() && c != '\n') {
            return Err(format!("control character in {text:?}"));
        }
        for part in text.split('&').skip(1) {
            if !["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|entity| part.starts_with(entity)) {
                return Err(format!("entity &{part}"));
            }
        }
        Ok(())
    }

    #[test]
    fn the_checker_tells_xml_from_the_rest() {
        assert_eq!(check_xml("<a x=\"1\" y=\"&lt;\"><b/>t &amp; u</a>\n"), Ok(()));
        for bad in
            ["<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a>\u{1}</a>", "x", ""]
        {
            assert!(check_xml(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reserved_characters_are_escaped_everywhere() {
        let nasty = "a<b>&\"c'\u{1}\n]]>";
        assert_eq!(escape(nasty), "a&lt;b&gt;&amp;&quot;c&#39;\u{fffd} ]]&gt;");
        let mut svg = Svg::new(100.0, 100.0);
        svg.text((1.0, 20.0), Anchor::Start, 12.0, "text", nasty);
        svg.text_up((1.0, 20.0), 12.0, "text", nasty);
        check_xml(&svg.finish(nasty, nasty, nasty)).unwrap();
    }

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&Axis::linear([0.13, 0.97], 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(&Axis::linear([-3.0, 12.0], 4)), ["-5", "0", "5", "10", "15"]);
        assert_eq!(labels(&Axis::linear([7.0, 7.0], 2)), ["6", "7", "8"]);
        assert_eq!(labels(&Axis::integers([1.0, 8.0])), ["1", "2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(
            labels(&Axis::integers([13.0, 40.0])),
            ["14", "16", "18", "20", "22", "24", "26", "28", "30", "32", "34", "36", "38", "40"]
        );
        assert_eq!(
            labels(&Axis::log2([-22.3, -10.1])),
            ["2^-22", "2^-20", "2^-18", "2^-16", "2^-14", "2^-12", "2^-10"]
        );
        assert_eq!(labels(&Axis::log2([-11.3, -10.1])), ["2^-12", "2^-11", "2^-10"]);
    }

    #[test]
    fn log_ticks_cover_the_values() {
        assert_eq!(labels(&Axis::log10([2.3, 37.0])), ["2", "5", "10", "20", "50"]);
        assert_eq!(
            labels(&Axis::log10([0.002, 1.5e5])),
            ["0.01", "0.1", "1", "10", "100", "1000", "10\u{202f}000", "100\u{202f}000"]
        );
        assert_eq!(labels(&Axis::log10([10.0, 10.0])), ["10", "20"]);
        let none = Axis::log10([0.0, -1.0, f64::NAN]);
        assert_eq!((none.low, none.high), (1.0, 10.0));
        let axis = Axis::log10([1.0, 100.0]);
        assert!((axis.at(10.0) - 0.5).abs() < 1e-12 && axis.at(1.0) == 0.0 && axis.at(100.0) == 1.0);
        for value in [1e-5, 3.3, 999.9, 1000.0, 12_345.0] {
            let axis = Axis::log10([value]);
            assert!(axis.low <= value * 1.000_001 && value <= axis.high * 1.000_001, "{value}: {axis:?}");
        }
    }

    #[test]
    fn numbers_are_short_and_have_no_minus_zero() {
        assert_eq!([1.0, 1.005, -0.001, 12.3456, 100.0].map(number), ["1", "1", "0", "12.35", "100"]);
        assert_eq!(
            [0.0, 0.5, 1234.0, 12_345.6, -1e6].map(plain),
            ["0", "0.5", "1234", "12\u{202f}346", "-1\u{202f}000\u{202f}000"]
        );
    }

    #[test]
    fn every_shape_is_drawn() {
        let mut svg = Svg::new(400.0, 300.0);
        let frame = Frame {
            left: 60.0,
            top: 20.0,
            width: 200.0,
            height: 200.0,
            x: Axis::integers([1.0, 5.0]),
            y: Axis::log10([1.0, 100.0]),
        };
        svg.axes(&frame, "x", Some("y"));
        for (i, marker) in Marker::ALL.into_iter().enumerate() {
            let look = Look { color: i, marker, hollow: i % 2 == 1, dash: Some(i as u32) };
            let points = vec![(1.0, 1.0 + i as f64), (5.0, 90.0)];
            svg.series(&frame, &Series { label: String::new(), look, points });
            svg.legend((280.0, 20.0 + 30.0 * i as f64), [("series", look)]);
        }
        assert_eq!(svg.collisions(), [""; 0]);
        let text = svg.finish("shapes", "Shapes", "All of them.");
        check_xml(&text).unwrap();
        for tag in ["<circle", "<rect", "<polygon", "<polyline", "<line", "<text", "<title", "<desc", "dark"] {
            assert!(text.contains(tag), "{tag}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}
