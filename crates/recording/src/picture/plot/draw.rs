//! The layout of a plot: title, legends and panels.
//!
//! In: a recording and a pen. Out: strokes and text in a fixed order. Every text is measured before it is placed, so that none lies on another.

mod panel;

use plotters::style::RGBColor;

use super::pen::{Anchor, Face, Fonts, PAPER, Pen, clean};
use super::series::{self, INK, Marks};
use super::{Plot, PlotError, PlotSize};
use crate::record::Recording;

const DIM: RGBColor = RGBColor(0x62, 0x67, 0x6f);

/// Sizes of letters [px].
const TITLE: f64 = 17.0;
const HEAD: f64 = 13.0;
const SMALL: f64 = 11.5;

/// Room at the edges of the picture, between panels, and between a text and what it belongs to [px].
const MARGIN: f64 = 22.0;
const BETWEEN: f64 = 30.0;
const NEAR: f64 = 7.0;

/// Height of a row of a legend [px].
const ROW: f64 = 19.0;

/// Room between entries of a legend, and length of the line before one [px].
const APART: f64 = 18.0;
const SAMPLE: f64 = 18.0;

/// Width of a tick of an event in a legend [px].
const TICK: f64 = 2.5;

/// An entry of a legend: its text, a colour, and where both begin in its row [px].
struct Entry {
    text: String,
    color: Option<RGBColor>,
    x: f64,
    text_x: f64,
}

/// Symbol of an entry of a legend.
#[derive(Debug, Clone, Copy)]
enum Sample {
    Line,
    Tick,
}

/// A rectangle [px].
#[derive(Debug, Clone, Copy)]
struct Place {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Place {
    fn x(&self, at: f64) -> f64 {
        self.left + at * (self.right - self.left)
    }

    fn y(&self, at: f64) -> f64 {
        self.bottom - at * (self.bottom - self.top)
    }
}

/// Returns the title of a picture.
pub(super) fn title(recording: &Recording, what: Plot) -> String {
    let scene = &recording.head.scene;
    match what {
        Plot::Overview => format!("{scene}: energy, gaps, forces and steps over time"),
        _ => format!("{scene}: {} over time", what.name()),
    }
}

/// Draws everything.
pub(super) fn picture<P: Pen>(
    pen: &mut P,
    recording: &Recording,
    what: Plot,
    size: PlotSize,
) -> Result<(), PlotError> {
    let fonts = Fonts::new()?;
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    // Letters grow with the picture, and shrink with it as far as they can be read.
    let usual = what.size();
    let zoom = (width / f64::from(usual.width)).min(height / f64::from(usual.height)).max(0.75);
    let mut sheet = Sheet { pen, fonts, zoom };
    let (width, height) = (width / zoom, height / zoom);
    sheet.fill((0.0, 0.0), (width, height), PAPER)?;

    let marks = series::marks(recording);
    let top = sheet.title(recording, width)?;
    let bottom = sheet.kinds(&marks, width, height)?;
    let time = series::time_axis(recording);
    let panels = match what {
        Plot::Energy => vec![series::energy(recording)],
        Plot::Gaps => vec![series::gaps(recording)],
        Plot::Forces => vec![series::forces(recording)],
        Plot::Touching => vec![series::touching(recording)],
        Plot::Steps => vec![series::steps(recording)],
        Plot::Overview => vec![
            series::energy(recording),
            series::gaps(recording),
            series::steps(recording),
            series::forces(recording),
        ],
    };

    // Two by two, or one alone; those above each other share their left edge.
    let columns = panels.len().min(2);
    let rows = panels.len().div_ceil(2);
    let wide = (width - 2.0 * MARGIN - BETWEEN * (columns - 1) as f64) / columns as f64;
    let high = (bottom - top - BETWEEN * (rows - 1) as f64) / rows as f64;
    for column in 0..columns {
        let of_column: Vec<usize> = (column..panels.len()).step_by(columns).collect();
        let gutter =
            of_column.iter().map(|k| sheet.gutter(&panels[*k], &marks, wide, high)).fold(0.0, f64::max);
        for (row, k) in of_column.into_iter().enumerate() {
            let left = MARGIN + (wide + BETWEEN) * column as f64;
            let top = top + (high + BETWEEN) * row as f64;
            let place = Place { left, top, right: left + wide, bottom: top + high };
            sheet.panel(&panels[k], &time, &marks, place, gutter)?;
        }
    }
    Ok(())
}

/// A pen with fonts, in pixels of the usual size.
struct Sheet<'a, P: Pen> {
    pen: &'a mut P,
    fonts: Fonts,
    zoom: f64,
}

const fn face(em: f64, color: RGBColor) -> Face {
    Face { em, is_bold: false, color }
}

impl<P: Pen> Sheet<'_, P> {
    fn fill(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Result<(), PlotError> {
        let zoom = self.zoom;
        self.pen.fill((from.0 * zoom, from.1 * zoom), (to.0 * zoom, to.1 * zoom), color)
    }

    /// A line of one pixel, upright or level, on whole pixels.
    fn hairline(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Result<(), PlotError> {
        let pixel = |x: f64| (x * self.zoom).floor();
        let (from, to) = ((pixel(from.0), pixel(from.1)), (pixel(to.0), pixel(to.1)));
        let thick = self.zoom.round().max(1.0);
        self.pen.fill(from, (to.0.max(from.0 + thick), to.1.max(from.1 + thick)), color)
    }

    fn text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, face: Face) -> Result<(), PlotError> {
        let zoom = self.zoom;
        let face = Face { em: face.em * zoom, ..face };
        self.pen.text(&self.fonts, &clean(text), (at.0 * zoom, at.1 * zoom), anchor, face)
    }

    /// A text, cut to a width where it is longer.
    fn fitted(&self, text: &str, face: Face, width: f64) -> String {
        let mut shown: String = text.to_owned();
        let mut letters = text.chars().count();
        while letters > 0 && self.fonts.width(&shown, face) > width {
            // Long names are cut in few rounds.
            letters -= 1 + letters / 32;
            shown = text.chars().take(letters).chain(['…']).collect();
        }
        shown
    }

    /// Draws the name of the scene and its duration; returns where they end.
    fn title(&mut self, recording: &Recording, width: f64) -> Result<f64, PlotError> {
        let scene = &recording.head.scene;
        let name = if scene.is_empty() { "unnamed scene" } else { scene };
        let (frames, events) = (recording.frames.len(), recording.events.len());
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let counts = format!("{frames} frame{}, {events} event{}", s(frames), s(events));
        let baseline = MARGIN + 0.75 * TITLE;
        let right = self.fonts.width(&counts, face(SMALL, DIM));
        let bold = Face { is_bold: true, ..face(TITLE, INK) };
        let name = self.fitted(name, bold, width - 2.0 * MARGIN - right - APART);
        self.text(&name, (MARGIN, baseline), Anchor::Left, bold)?;
        self.text(&counts, (width - MARGIN, baseline), Anchor::Right, face(SMALL, DIM))?;
        Ok(baseline + 22.0)
    }

    /// Draws the legend of events at the bottom; returns where it begins.
    fn kinds(&mut self, marks: &[Marks], width: f64, height: f64) -> Result<f64, PlotError> {
        if marks.is_empty() {
            return Ok(height - MARGIN);
        }
        let style = face(SMALL, DIM);
        let entries = marks.iter().map(|of| (format!("{} {}", of.times.len(), of.kind), Some(of.color)));
        let lead = self.fonts.width("Events", style) + APART;
        let rows = self.rows(entries.collect(), TICK, lead, width - 2.0 * MARGIN);
        let first = height - MARGIN - ROW * (rows.len() - 1) as f64;
        self.text("Events", (MARGIN, first), Anchor::Left, style)?;
        self.legend(&rows, (MARGIN, first), Sample::Tick)?;
        Ok(first - SMALL - 14.0)
    }

    /// Entries of a legend in rows of at most a width. The first begins after `lead`, further rows under it.
    fn rows(
        &self,
        entries: Vec<(String, Option<RGBColor>)>,
        sample: f64,
        lead: f64,
        width: f64,
    ) -> Vec<Vec<Entry>> {
        let mut rows = vec![Vec::new()];
        let mut x = lead;
        for (text, color) in entries {
            let sample = if color.is_some() { sample + NEAR } else { 0.0 };
            let text = self.fitted(&text, face(SMALL, DIM), width - lead - sample);
            let long = sample + self.fonts.width(&text, face(SMALL, DIM));
            if x + long > width && x > lead {
                rows.push(Vec::new());
                x = lead;
            }
            if let Some(row) = rows.last_mut() {
                row.push(Entry { text, color, x, text_x: x + sample });
            }
            x += long + APART;
        }
        rows
    }

    /// Draws rows of a legend, the first on the given baseline.
    fn legend(&mut self, rows: &[Vec<Entry>], from: (f64, f64), sample: Sample) -> Result<(), PlotError> {
        for (row, entries) in rows.iter().enumerate() {
            let baseline = from.1 + ROW * row as f64;
            for entry in entries {
                let x = from.0 + entry.x;
                match (entry.color, sample) {
                    (Some(color), Sample::Line) => {
                        self.fill((x, baseline - 5.5), (x + SAMPLE, baseline - 3.0), color)?;
                    }
                    (Some(color), Sample::Tick) => {
                        self.fill((x, baseline - 9.5), (x + TICK, baseline + 1.5), color)?;
                    }
                    (None, _) => {}
                }
                self.text(&entry.text, (from.0 + entry.text_x, baseline), Anchor::Left, face(SMALL, DIM))?;
            }
        }
        Ok(())
    }
}
