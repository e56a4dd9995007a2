//! Pens: the same strokes as SVG text or as pixels, by plotters' backends.
//!
//! In: rectangles, strokes, dots and text at places in pixels of the finished picture. Out: the file. The backends know whole numbers only, so both pens draw on a finer grid:
//! the SVG is scaled by its view box, the pixels are averaged, which smooths their edges too. All colours are opaque, so that overlapping pieces of a stroke do not show.

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, TextStyle};

use super::{PlotError, PlotSize};

/// Behind everything.
pub(super) const PAPER: RGBColor = RGBColor(0xff, 0xfe, 0xfb);

const NORMAL: &[u8] = include_bytes!("../vendor/DejaVuSans-subset.ttf");
const BOLD: &[u8] = include_bytes!("../vendor/DejaVuSans-Bold-subset.ttf");

/// The fonts that an SVG asks for, best first.
const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// Parts of a pixel in an SVG [-]: tenths are finer than any screen.
const SVG_PARTS: u32 = 10;

/// Subpixels along each axis that are averaged in a PNG [-].
const PIXEL_PARTS: u32 = 4;

/// Parts of pixels in a picture at most [-]: 192 MB. Larger pictures are less smooth.
const MAX_PARTS: u32 = 64 << 20;

/// plotters' SVG text: the size of a font against its em, and the height of the text against the em where it hangs from its top [-].
const SVG_FONT: f64 = 1.24;
const SVG_TOP: f64 = 0.76;

/// Anchor of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Style of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    /// Size of the em [px].
    pub(super) em: f64,
    pub(super) is_bold: bool,
    pub(super) color: RGBColor,
}

/// The fonts.
pub(super) struct Fonts {
    normal: FontRef<'static>,
    bold: FontRef<'static>,
}

impl Fonts {
    pub(super) fn new() -> Result<Self, PlotError> {
        let font = |bytes| FontRef::try_from_slice(bytes).map_err(PlotError::drawing);
        Ok(Self { normal: font(NORMAL)?, bold: font(BOLD)? })
    }

    /// Width of a text [px].
    pub(super) fn width(&self, text: &str, face: Face) -> f64 {
        self.set(text, face, 1.0).1
    }

    /// The glyphs of a text on a baseline from 0, and its width, in parts of pixels.
    fn set(&self, text: &str, face: Face, parts: f64) -> (Vec<Glyph>, f64) {
        let font = if face.is_bold { &self.bold } else { &self.normal };
        let height = font.height_unscaled() / font.units_per_em().unwrap_or(1.0);
        let scale = PxScale::from((face.em * parts) as f32 * height);
        let scaled = font.as_scaled(scale);
        let mut x = 0.0_f32;
        let mut glyphs = Vec::new();
        for letter in text.chars() {
            let id = scaled.glyph_id(letter);
            glyphs.push(id.with_scale_and_position(scale, point(x, 0.0)));
            x += scaled.h_advance(id);
        }
        (glyphs, f64::from(x))
    }

    fn font(&self, is_bold: bool) -> &FontRef<'static> {
        if is_bold { &self.bold } else { &self.normal }
    }
}

/// Operations of both pens. Places are in pixels from the upper left corner.
pub(super) trait Pen {
    /// Fills a rectangle between two corners.
    fn fill(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Result<(), PlotError>;
    /// Draws lines from point to point.
    fn stroke(&mut self, points: &[(f64, f64)], width: f64, color: RGBColor) -> Result<(), PlotError>;
    /// Draws a filled circle.
    fn dot(&mut self, at: (f64, f64), radius: f64, color: RGBColor) -> Result<(), PlotError>;
    /// Writes on a baseline.
    fn text(
        &mut self,
        fonts: &Fonts,
        text: &str,
        at: (f64, f64),
        anchor: Anchor,
        face: Face,
    ) -> Result<(), PlotError>;
}

/// A place on a finer grid.
fn grid(at: (f64, f64), parts: u32) -> (i32, i32) {
    let parts = f64::from(parts);
    ((at.0 * parts).round() as i32, (at.1 * parts).round() as i32)
}

/// Draws SVG.
pub(super) struct Svg {
    size: PlotSize,
    text: String,
}

impl Svg {
    pub(super) fn new(size: PlotSize) -> Self {
        Self { size, text: String::new() }
    }

    /// Returns the file, with a title for screen readers.
    pub(super) fn finish(self, title: &str) -> String {
        let PlotSize { width, height } = self.size;
        let (wide, high) = (width * SVG_PARTS, height * SVG_PARTS);
        let title = clean(title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {wide} {high}\" \
             xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
             <title>{title}</title>\n{}</svg>\n",
            self.text
        )
    }

    /// Lets plotters write something, and keeps it without the frame that plotters puts around it.
    fn write(
        &mut self,
        draw: impl FnOnce(&mut SVGBackend<'_>) -> Result<(), String>,
    ) -> Result<(), PlotError> {
        let mut text = String::new();
        let mut backend = SVGBackend::with_string(&mut text, (1, 1));
        let drawn = draw(&mut backend).and_then(|()| backend.present().map_err(|e| e.to_string()));
        drop(backend);
        drawn.map_err(PlotError::drawing)?;
        let inner = text.split_once(">\n").map_or("", |(_, rest)| rest);
        self.text.push_str(inner.strip_suffix("</svg>\n").unwrap_or(inner));
        Ok(())
    }
}

impl Pen for Svg {
    fn fill(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Result<(), PlotError> {
        let (from, to) = (grid(from, SVG_PARTS), grid(to, SVG_PARTS));
        self.write(|backend| backend.draw_rect(from, to, &color, true).map_err(|e| e.to_string()))
    }

    fn stroke(&mut self, points: &[(f64, f64)], width: f64, color: RGBColor) -> Result<(), PlotError> {
        let path: Vec<(i32, i32)> = points.iter().map(|p| grid(*p, SVG_PARTS)).collect();
        let style = color.stroke_width((width * f64::from(SVG_PARTS)).round() as u32);
        self.write(|backend| backend.draw_path(path, &style).map_err(|e| e.to_string()))
    }

    fn dot(&mut self, at: (f64, f64), radius: f64, color: RGBColor) -> Result<(), PlotError> {
        let radius = (radius * f64::from(SVG_PARTS)).round() as u32;
        self.write(|backend| {
            backend.draw_circle(grid(at, SVG_PARTS), radius, &color, true).map_err(|e| e.to_string())
        })
    }

    fn text(
        &mut self,
        _: &Fonts,
        text: &str,
        at: (f64, f64),
        anchor: Anchor,
        face: Face,
    ) -> Result<(), PlotError> {
        let em = face.em * f64::from(SVG_PARTS);
        let weight = if face.is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FAMILIES), em * SVG_FONT, weight);
        let side = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let style = TextStyle::from(font).color(&face.color).pos(Pos::new(side, VPos::Top));
        let (x, y) = grid((at.0, at.1 - SVG_TOP * face.em), SVG_PARTS);
        self.write(|backend| backend.draw_text(text, &style, (x, y)).map_err(|e| e.to_string()))
    }
}

/// Text without the letters that have no shape, which XML forbids too.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c })
        .collect()
}

/// Draws pixels.
pub(super) struct Pixels {
    size: PlotSize,
    parts: u32,
    bytes: Vec<u8>,
}

impl Pixels {
    pub(super) fn new(size: PlotSize) -> Self {
        let pixels = size.width * size.height;
        let parts = (1..=PIXEL_PARTS).rev().find(|k| pixels * k * k <= MAX_PARTS).unwrap_or(1);
        Self { size, parts, bytes: vec![0xff; (pixels * parts * parts) as usize * 3] }
    }

    /// The file.
    pub(super) fn finish(self) -> Result<Vec<u8>, PlotError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width, self.size.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(PlotError::drawing)?;
        writer.write_image_data(&self.averaged()).map_err(PlotError::drawing)?;
        writer.finish().map_err(PlotError::drawing)?;
        Ok(file)
    }

    /// The mean of the parts of every pixel.
    fn averaged(&self) -> Vec<u8> {
        let (width, parts) = (self.size.width as usize, self.parts as usize);
        let row = width * parts * 3;
        let mut picture = Vec::with_capacity(self.bytes.len() / (parts * parts));
        let mut sums = vec![0_u32; width * 3];
        for rows in self.bytes.chunks_exact(row * parts) {
            sums.fill(0);
            for line in rows.chunks_exact(row) {
                for (pixel, sum) in line.chunks_exact(3 * parts).zip(sums.chunks_exact_mut(3)) {
                    for part in pixel.chunks_exact(3) {
                        sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += u32::from(*value));
                    }
                }
            }
            let all = (parts * parts) as u32;
            picture.extend(sums.iter().map(|sum| ((sum + all / 2) / all) as u8));
        }
        picture
    }

    fn write(
        &mut self,
        draw: impl FnOnce(&mut BitMapBackend<'_>) -> Result<(), String>,
    ) -> Result<(), PlotError> {
        let size = (self.size.width * self.parts, self.size.height * self.parts);
        let mut backend = BitMapBackend::with_buffer(&mut self.bytes, size);
        let drawn = draw(&mut backend).and_then(|()| backend.present().map_err(|e| e.to_string()));
        drawn.map_err(PlotError::drawing)
    }
}

impl Pen for Pixels {
    fn fill(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Result<(), PlotError> {
        let (from, to) = (grid(from, self.parts), grid(to, self.parts));
        self.write(|backend| backend.draw_rect(from, to, &color, true).map_err(|e| e.to_string()))
    }

    /// A quadrangle for every line and a dot at every corner: plotters' own wide paths grow spikes where they turn back.
    fn stroke(&mut self, points: &[(f64, f64)], width: f64, color: RGBColor) -> Result<(), PlotError> {
        let parts = self.parts;
        let half = width / 2.0;
        self.write(|backend| {
            for pair in points.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                let (x, y) = (to.0 - from.0, to.1 - from.1);
                let length = (x * x + y * y).sqrt();
                if length > 0.0 {
                    let (x, y) = (-y / length * half, x / length * half);
                    let corners = [
                        (from.0 + x, from.1 + y),
                        (to.0 + x, to.1 + y),
                        (to.0 - x, to.1 - y),
                        (from.0 - x, from.1 - y),
                    ];
                    let corners = corners.map(|corner| grid(corner, parts));
                    backend.fill_polygon(corners, &color).map_err(|e| e.to_string())?;
                }
            }
            let radius = (half * f64::from(parts)).floor() as u32;
            for point in points {
                let at = grid(*point, parts);
                backend.draw_circle(at, radius, &color, true).map_err(|e| e.to_string())?;
            }
            Ok(())
        })
    }

    fn dot(&mut self, at: (f64, f64), radius: f64, color: RGBColor) -> Result<(), PlotError> {
        let (at, radius) = (grid(at, self.parts), (radius * f64::from(self.parts)).round() as u32);
        self.write(|backend| backend.draw_circle(at, radius, &color, true).map_err(|e| e.to_string()))
    }

    /// Glyph by glyph: plotters' own text forgets the room before letters.
    fn text(
        &mut self,
        fonts: &Fonts,
        text: &str,
        at: (f64, f64),
        anchor: Anchor,
        face: Face,
    ) -> Result<(), PlotError> {
        let parts = f64::from(self.parts);
        let (glyphs, width) = fonts.set(text, face, parts);
        let fraction = match anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => 0.5,
            Anchor::Right => 1.0,
        };
        let x = (at.0 * parts - fraction * width).round() as i32;
        let y = (at.1 * parts).round() as i32;
        let font = fonts.font(face.is_bold);
        self.write(|backend| {
            for outline in glyphs.into_iter().filter_map(|glyph| font.outline_glyph(glyph)) {
                let corner = outline.px_bounds().min;
                let (x, y) = (x + corner.x as i32, y + corner.y as i32);
                let mut drawn = Ok(());
                outline.draw(|right, down, cover| {
                    let color = face.color.mix(f64::from(cover.clamp(0.0, 1.0))).to_backend_color();
                    if let Err(error) =
                        backend.draw_pixel((x + right.cast_signed(), y + down.cast_signed()), color)
                    {
                        drawn = Err(error.to_string());
                    }
                });
                drawn?;
            }
            Ok(())
        })
    }
}
