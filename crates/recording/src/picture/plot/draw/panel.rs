//! One panel: its legend, axes, curves and the marks of events.
//!
//! In: a panel, the axis of time, and a place. Out: strokes and text inside that place.

use plotters::style::RGBColor;

use super::super::PlotError;
use super::super::axis::{Axis, Tick};
use super::super::pen::{Anchor, Face, Pen};
use super::super::series::{Curve, INK, Marks, Panel};
use super::{APART, DIM, Entry, HEAD, MARGIN, NEAR, Place, ROW, SAMPLE, SMALL, Sample, Sheet, face};

const GRID: RGBColor = RGBColor(0xec, 0xe9, 0xe2);
const FRAME: RGBColor = RGBColor(0xb9, 0xb5, 0xab);

/// Height of a lane of marks, one for every kind of event [px].
const LANE: f64 = 7.0;

/// Height of the ticks and texts of time under the lanes, and of the name of that axis [px].
const TIMES: f64 = 20.0;
const TIME_NAME: f64 = 17.0;

/// Height of a panel for every tick of its values, and width between texts of times, at least [px].
const TICK_HEIGHT: f64 = 36.0;
const TICK_ROOM: f64 = 26.0;

/// Largest fraction of a panel for its legend [-].
const LEGEND_FRACTION: f64 = 0.35;

/// The name of an axis of values.
const NAME: Face = Face { em: HEAD, is_bold: true, color: INK };

/// Ticks of time at most [-].
const MAX_TIMES: usize = 10;

/// Columns of pixels with events up to which they get lines through the whole panel [-]: more would be a wall.
const MAX_LINES: usize = 40;

/// Fraction of the colour of an event in its line; the rest is paper [-].
const FAINT: f64 = 0.3;

/// Radius of the dot of a value without neighbours [px].
const DOT: f64 = 2.4;

impl<P: Pen> Sheet<'_, P> {
    /// Room that the texts of a panel's values need [px].
    pub(super) fn gutter(&self, panel: &Panel, marks: &[Marks], width: f64, height: f64) -> f64 {
        let (_, rows) = self.heads(panel, width, height);
        let ticks = value_ticks(panel, height - head_height(&rows) - foot_height(marks)).into_iter();
        ticks.map(|tick| self.fonts.width(&tick.text, face(SMALL, DIM))).fold(0.0, f64::max) + NEAR
    }

    /// Draws a panel.
    pub(super) fn panel(
        &mut self,
        panel: &Panel,
        time: &Axis,
        marks: &[Marks],
        whole: Place,
        gutter: f64,
    ) -> Result<(), PlotError> {
        let (name, rows) = self.heads(panel, whole.right - whole.left, whole.bottom - whole.top);
        self.text(&name, (whole.left, whole.top + HEAD), Anchor::Left, NAME)?;
        self.legend(&rows, (whole.left, whole.top + HEAD), Sample::Line)?;
        let top = whole.top + head_height(&rows);
        let bottom = (whole.bottom - foot_height(marks)).max(top + 1.0);
        let inner = Place { left: whole.left + gutter, top, right: whole.right, bottom };

        self.times(time, inner, bottom + lanes_height(marks))?;
        self.events(time, marks, inner)?;
        for tick in value_ticks(panel, bottom - top) {
            let y = inner.y(tick.at);
            self.hairline((inner.left, y), (inner.right, y), GRID)?;
            self.text(&tick.text, (inner.left - NEAR, y + 0.36 * SMALL), Anchor::Right, face(SMALL, DIM))?;
        }
        self.hairline((inner.left, inner.top), (inner.left, inner.bottom), FRAME)?;
        self.hairline((inner.left, inner.bottom), (inner.right, inner.bottom), FRAME)?;

        let mut is_empty = true;
        for curve in &panel.curves {
            is_empty &= !self.curve(panel, curve, time, inner)?;
        }
        if is_empty {
            let middle = (inner.x(0.5), f64::midpoint(inner.top, inner.bottom));
            self.text(panel.empty, middle, Anchor::Middle, face(SMALL, DIM))?;
        }
        Ok(())
    }

    /// Name of the axis of values, and the rows of the legend beside it; a small panel has room for few of them.
    fn heads(&self, panel: &Panel, width: f64, height: f64) -> (String, Vec<Vec<Entry>>) {
        let name = format!("{} [{}]", panel.title, panel.axis.unit(panel.unit));
        let labelled = panel.curves.iter().filter(|curve| !curve.label.is_empty());
        let mut entries: Vec<(String, Option<RGBColor>)> =
            labelled.map(|curve| (curve.label.clone(), Some(curve.color))).collect();
        if !panel.note.is_empty() {
            entries.push((panel.note.clone(), None));
        }
        let lead = self.fonts.width(&name, NAME) + 1.4 * APART;
        let mut rows = self.rows(entries, SAMPLE, lead, width);
        rows.truncate((LEGEND_FRACTION * height / ROW).max(1.0) as usize);
        (name, rows)
    }

    /// The axis of time: as many ticks as have room, and its name.
    fn times(&mut self, time: &Axis, inner: Place, bottom: f64) -> Result<(), PlotError> {
        let style = face(SMALL, DIM);
        let widest = |ticks: &[Tick]| {
            ticks.iter().map(|tick| self.fonts.width(&tick.text, style)).fold(0.0, f64::max) + TICK_ROOM
        };
        let fits =
            |ticks: &Vec<Tick>| widest(ticks) * ticks.len() as f64 <= inner.right - inner.left + TICK_ROOM;
        let ticks = (1..=MAX_TIMES).rev().map(|count| time.ticks(count)).find(fits).unwrap_or_default();
        for tick in ticks {
            let x = inner.x(tick.at);
            self.hairline((x, inner.top), (x, inner.bottom), GRID)?;
            self.hairline((x, bottom), (x, bottom + 4.0), FRAME)?;
            // The last text ends with the axis, so that it does not run into the next panel.
            let half = self.fonts.width(&tick.text, style) / 2.0;
            let x = x.min(inner.right + 0.7 * MARGIN - half);
            self.text(&tick.text, (x, bottom + 7.0 + SMALL), Anchor::Middle, style)?;
        }
        let name = format!("time [{}]", time.unit("s"));
        self.text(&name, (inner.x(0.5), bottom + TIMES + 2.0 + SMALL), Anchor::Middle, style)
    }

    /// Ticks of events in a lane for every kind under the panel, and faint lines through it where they are few.
    fn events(&mut self, time: &Axis, marks: &[Marks], inner: Place) -> Result<(), PlotError> {
        // Marks in the same column of pixels are one.
        let columns = |of: &Marks| -> Vec<i64> {
            let mut columns: Vec<i64> =
                of.times.iter().filter_map(|t| time.at(*t)).map(|at| inner.x(at).round() as i64).collect();
            columns.sort_unstable();
            columns.dedup();
            columns
        };
        let lanes: Vec<(Vec<i64>, RGBColor)> = marks.iter().map(|of| (columns(of), of.color)).collect();
        let mut all: Vec<i64> = lanes.iter().flat_map(|lane| &lane.0).copied().collect();
        all.sort_unstable();
        all.dedup();
        for (lane, (columns, color)) in lanes.iter().enumerate() {
            let top = inner.bottom + 3.0 + LANE * lane as f64;
            for x in columns.iter().map(|x| *x as f64) {
                if all.len() <= MAX_LINES {
                    self.hairline((x, inner.top), (x, inner.bottom), faint(*color))?;
                }
                self.fill((x - 0.5, top), (x + 0.9, top + LANE - 1.5), *color)?;
            }
        }
        Ok(())
    }

    /// Draws a curve, with dots for isolated values; returns whether there was anything to draw.
    fn curve(&mut self, panel: &Panel, curve: &Curve, time: &Axis, inner: Place) -> Result<bool, PlotError> {
        let zoom = self.zoom;
        let mut is_drawn = false;
        for run in curve.points.split(|point| point.1.is_none()) {
            let mut points: Vec<(f64, f64)> = Vec::with_capacity(run.len());
            for &(t, value) in run {
                let (Some(x), Some(y)) = (time.at(t), value.and_then(|value| panel.axis.at(value))) else {
                    continue;
                };
                let (x, y) = (inner.x(x) * zoom, inner.y(y) * zoom);
                // The value of a frame is of the step that ends after it.
                if let (true, Some(before)) = (panel.is_stairs, points.last().copied()) {
                    points.push((x, before.1));
                }
                points.push((x, y));
            }
            let points = thinned(&points);
            match points.as_slice() {
                [] => continue,
                [alone] => self.pen.dot(*alone, DOT * zoom, curve.color)?,
                _ => self.pen.stroke(&points, curve.width * zoom, curve.color)?,
            }
            is_drawn = true;
        }
        Ok(is_drawn)
    }
}

/// Height of a panel's name and legend [px].
fn head_height(rows: &[Vec<Entry>]) -> f64 {
    HEAD + ROW * rows.len().saturating_sub(1) as f64 + 14.0
}

/// Height of the marks of events under a panel [px].
fn lanes_height(marks: &[Marks]) -> f64 {
    if marks.is_empty() { 0.0 } else { LANE * marks.len() as f64 + 3.0 }
}

/// Height of all that is under a panel's curves [px].
fn foot_height(marks: &[Marks]) -> f64 {
    lanes_height(marks) + TIMES + TIME_NAME
}

/// Ticks of the values, by the height of the axis: none lies on another.
fn value_ticks(panel: &Panel, height: f64) -> Vec<Tick> {
    // The axis may return up to half as many ticks more than requested.
    panel.axis.ticks((height / TICK_HEIGHT).clamp(1.0, 10.0) as usize)
}

/// A colour mixed with paper.
fn faint(color: RGBColor) -> RGBColor {
    let mix = |x: u8, paper: u8| (FAINT * f64::from(x) + (1.0 - FAINT) * f64::from(paper)).round() as u8;
    let paper = super::PAPER;
    RGBColor(mix(color.0, paper.0), mix(color.1, paper.1), mix(color.2, paper.2))
}

/// Points of which every half pixel's column keeps the first, the smallest, the largest and the last: looks the same, and takes little room.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (point.0 * 2.0).floor() as i64;
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        if run.len() <= 4 {
            kept.extend_from_slice(run);
            continue;
        }
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        kept.extend(run.first());
        kept.extend(run.iter().min_by(by_height));
        kept.extend(run.iter().max_by(by_height));
        kept.extend(run.last());
    }
    kept
}
