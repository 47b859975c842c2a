//! Plots as SVG, in roles in the place of colours: the page's style gives each role a colour for
//! light and for dark.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The size of a plot, in SVG units; it is scaled to the page.
const SIZE: (u32, u32) = (760, 260);

/// The most labels below a plot.
const MOST_LABELS: usize = 14;

/// What a colour stands for. The number is what the SVG has in the colour's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Words and axes.
    Ink = 1,
    /// Lines behind.
    Grid = 2,
    /// Merges.
    Merge = 3,
    /// Splits.
    Split = 4,
    /// Events.
    Event = 5,
    /// Repeats.
    Repeat = 6,
    /// What the policy has.
    Policy = 7,
}

impl Role {
    /// All roles, with the names that the page's style has for them.
    pub(super) const ALL: [(Role, &'static str); 7] = [
        (Role::Ink, "ink"),
        (Role::Grid, "grid"),
        (Role::Merge, "merge"),
        (Role::Split, "split"),
        (Role::Event, "event"),
        (Role::Repeat, "repeat"),
        (Role::Policy, "policy"),
    ];

    /// The colour as the SVG has it.
    pub(super) fn code(self) -> String {
        let level = self as u8;
        format!("#{level:02X}{level:02X}{level:02X}")
    }

    fn color(self) -> RGBColor {
        let level = self as u8;
        RGBColor(level, level, level)
    }
}

/// A row of values, one for each label.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) values: Vec<u64>,
}

/// How values are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Lines with points.
    Lines,
    /// Bars, the series before one another, the first at the back.
    Bars,
}

/// What a plot shows.
pub(super) struct Plot {
    pub(super) kind: Kind,
    /// What stands below each value.
    pub(super) labels: Vec<String>,
    pub(super) series: Vec<Series>,
    /// The label that is the policy's.
    pub(super) policy: Option<usize>,
}

impl Plot {
    /// The plot as SVG; empty where it cannot be drawn.
    pub(super) fn svg(&self) -> String {
        let mut out = String::new();
        let drawn = {
            let area = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
            self.draw(&area).and_then(|()| area.present().map_err(|error| error.to_string()))
        };
        drawn.map(|()| out).unwrap_or_default()
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Result<(), String> {
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let count = self.labels.len();
        let most = self.series.iter().flat_map(|series| &series.values).copied().max().unwrap_or(0).max(4);
        let top = most as f64 * 1.15;
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(14)
            .x_label_area_size(30)
            .y_label_area_size(64)
            .build_cartesian_2d(-0.6_f64..count as f64 - 0.4, 0.0..top)
            .map_err(|error| said(&error))?;
        let text = |size: u32| ("sans-serif", size).into_font().color(&Role::Ink.color());
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .y_labels(5)
            .y_label_formatter(&|value| short(*value))
            .y_label_style(text(13))
            .axis_style(Role::Grid.color())
            .bold_line_style(Role::Grid.color())
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(|error| said(&error))?;
        if let Some(policy) = self.policy {
            let at = policy as f64;
            let band =
                Rectangle::new([(at - 0.45, 0.0), (at + 0.45, top)], Role::Policy.color().mix(0.18).filled());
            chart.draw_series([band]).map_err(|error| said(&error))?;
        }
        for (number, series) in self.series.iter().enumerate() {
            let points = || series.values.iter().enumerate().map(|(at, value)| (at as f64, *value as f64));
            let color = series.role.color();
            match self.kind {
                Kind::Lines => {
                    let line = LineSeries::new(points(), color.stroke_width(2));
                    chart.draw_series(line).map_err(|error| said(&error))?;
                    let dots = points().map(|point| Circle::new(point, 4, color.filled()));
                    chart.draw_series(dots).map_err(|error| said(&error))?;
                }
                Kind::Bars => {
                    let half = if number == 0 { 0.42 } else { 0.26 };
                    let bars = points().map(|(at, value)| {
                        Rectangle::new([(at - half, 0.0), (at + half, value)], color.filled())
                    });
                    chart.draw_series(bars).map_err(|error| said(&error))?;
                }
            }
        }
        let above = text(12).pos(Pos::new(HPos::Center, VPos::Bottom));
        if self.kind == Kind::Bars && count <= MOST_LABELS {
            let first = self.series.first().map(|series| series.values.as_slice()).unwrap_or_default();
            let values = first.iter().enumerate().filter(|(_, value)| **value > 0).map(|(at, value)| {
                Text::new(short(*value as f64), (at as f64, *value as f64 + top * 0.02), above.clone())
            });
            chart.draw_series(values).map_err(|error| said(&error))?;
        }
        let below = text(13).pos(Pos::new(HPos::Center, VPos::Top));
        let step = count.div_ceil(MOST_LABELS).max(1);
        for (at, label) in self.labels.iter().enumerate().step_by(step) {
            let (x, y) = chart.backend_coord(&(at as f64, 0.0));
            area.draw(&Text::new(label.as_str(), (x, y + 9), below.clone())).map_err(|error| said(&error))?;
        }
        Ok(())
    }
}

/// A number in few characters: 1,200 is 1.2k.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        _ if value >= 1e9 => (value / 1e9, "G"),
        _ if value >= 1e6 => (value / 1e6, "M"),
        _ if value >= 1e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = format!("{scaled:.1}");
    format!("{}{unit}", digits.strip_suffix(".0").unwrap_or(&digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_drawn_in_roles() {
        let plot = Plot {
            kind: Kind::Lines,
            labels: vec![String::from("1 min"), String::from("2 min")],
            series: vec![Series { name: "splits", role: Role::Split, values: vec![3, 0] }],
            policy: Some(1),
        };
        let svg = plot.svg();
        assert!(
            svg.starts_with("<svg") && svg.contains("1 min") && svg.contains(&Role::Split.code()),
            "{svg}"
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0", "999", "1.2k", "10M"], [0.0, 999.0, 1200.0, 1e7].map(short));
    }
}
