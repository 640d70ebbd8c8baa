//! A plot and its frame.
use crate::report::load::Recording;
use crate::report::svg::{Anchor, Axis, Frame, LEGEND_STEP, Series, Svg, legend_width, text_width};

/// A finished plot.
#[derive(Clone, Debug)]
pub(in crate::report) struct Plot {
    pub(super) name: String,
    pub(in crate::report) title: String,
    /// The content of the plot, and its meaning.
    pub(in crate::report) caption: String,
    /// Points worth a word.
    pub(in crate::report) remarks: Vec<String>,
    /// The benchmark in whose section it is, or none for several.
    pub(in crate::report) bench: Option<String>,
    pub(in crate::report) svg: String,
    #[cfg(test)]
    pub(super) collisions: Vec<String>,
}

impl Plot {
    pub(super) fn new(name: String, title: String, caption: String, bench: Option<&Recording>, drawing: Svg) -> Self {
        #[cfg(test)]
        let collisions = drawing.collisions();
        Self {
            svg: drawing.finish(&name, &title, &caption),
            name,
            title,
            caption,
            remarks: Vec::new(),
            bench: bench.map(|recording| recording.name.clone()),
            #[cfg(test)]
            collisions,
        }
    }

    /// File name.
    pub(in crate::report) fn file(&self) -> String {
        format!("{}.svg", self.name)
    }
}

/// A drawing with a frame at the left and a legend at the right of it, and its title above.
pub(super) fn framed(title: &str, x: Axis, y: Axis, [width, height]: [f64; 2], series: &[Series]) -> (Svg, Frame) {
    let labels = || series.iter().map(|series| series.label.as_str());
    let frame = Frame { left: 84.0, top: 52.0, width, height, x, y };
    let legend = frame.left + width + 28.0;
    let total = (legend + legend_width(labels()) + 14.0).max(text_width(title, 16.0) + 40.0).ceil();
    let bottom = (frame.top + height + 56.0).max(frame.top + 20.0 + LEGEND_STEP * series.len() as f64);
    let mut svg = Svg::new(total, bottom);
    svg.text((20.0, 30.0), Anchor::Start, 16.0, "head", title);
    svg.legend((legend, frame.top + 10.0), series.iter().map(|series| (series.label.as_str(), series.look)));
    (svg, frame)
}
