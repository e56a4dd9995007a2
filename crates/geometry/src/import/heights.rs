//! Heights of a grid from a table of numbers or a grey picture.
//!
//! In: a text file with one row of the grid in each line, or a PNG picture. Out: heights row after row; the first line is the row with the smallest y, the lowest line of a picture too, so that it looks from above as it does on a
//! screen with y upwards. A value is a height in metres; white of a picture is 1 m, black 0.

use std::path::Path;

use super::error::{Fault, ImportError, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::scan::{Word, text_start};
use super::{ImportOptions, read_file};
#[cfg(feature = "pictures")]
use crate::shape::MAX_NODES;

/// The first bytes of every PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Heights of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Heights {
    /// Nodes along x and y.
    pub nodes: [usize; 2],
    /// Heights, row after row [m].
    pub heights: Vec<f64>,
}

/// Reads heights from a text file (numbers separated by commas, semicolons or spaces, `#` before comments) or a grey PNG picture of 8 or 16 bits, known by its first bytes.
///
/// Fails: rows of different lengths, words that are no numbers, pictures with colours.
pub fn read_heights(path: impl AsRef<Path>) -> Result<Heights, ImportError> {
    let path = path.as_ref();
    let bytes = read_file(path, &ImportOptions::default()).map_err(|fault| fault.at(path, &[]))?;
    let read = if bytes.starts_with(PNG) { picture(&bytes) } else { table(&bytes) };
    read.map_err(|fault| fault.at(path, &bytes))
}

fn table(bytes: &[u8]) -> Parsed<Heights> {
    let (mut heights, mut columns, mut rows) = (Vec::new(), 0, 0);
    let mut at = text_start(bytes)?;
    for line in bytes[at..].split(|byte| *byte == b'\n') {
        let content = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        let before = heights.len();
        let is_between = |byte: &u8| matches!(byte, b',' | b';' | b' ' | b'\t' | b'\r');
        let mut offset = at;
        for word in content.split(is_between) {
            if !word.is_empty() {
                let word = Word { bytes: word, offset };
                let height = word.number()?;
                if !height.is_finite() {
                    return Err(word.fault(Kind::NonFinite, "a height must be a finite number"));
                }
                heights.push(height);
            }
            offset += word.len() + 1;
        }
        let found = heights.len() - before;
        if found > 0 {
            if rows > 0 && found != columns {
                let message = format!("this row has {found} heights and those before it have {columns}");
                return Err(Fault::new(Kind::Count, ReaderPlace::Text(at, content.len()), message));
            }
            (columns, rows) = (found, rows + 1);
        }
        at += line.len() + 1;
    }
    if heights.is_empty() {
        return Err(Fault::new(
            Kind::Empty,
            ReaderPlace::File,
            "the file has no heights: expected rows of numbers",
        ));
    }
    Ok(Heights { nodes: [columns, rows], heights })
}

#[cfg(not(feature = "pictures"))]
fn picture(_: &[u8]) -> Parsed<Heights> {
    let message = "this build reads no pictures: expected rows of numbers";
    Err(Fault::new(Kind::Unsupported, ReaderPlace::File, message)
        .help("build with the feature `pictures`, or save the heights as text"))
}

#[cfg(feature = "pictures")]
fn picture(bytes: &[u8]) -> Parsed<Heights> {
    let broken = |error: png::DecodingError| {
        Fault::new(Kind::Syntax, ReaderPlace::File, format!("the picture cannot be read: {error}"))
    };
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    // Palettes and few bits become bytes; transparency says nothing of heights.
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    if width.saturating_mul(height) > MAX_NODES {
        let message = format!("the picture has {width} x {height} pixels: at most {MAX_NODES} are read");
        return Err(Fault::new(Kind::TooLarge, ReaderPlace::File, message));
    }
    let (color, depth) = reader.output_color_type();
    let size = reader.output_buffer_size().unwrap_or_default();
    let mut pixels = vec![0; size];
    reader.next_frame(&mut pixels).map_err(broken)?;
    let bytes = if depth == png::BitDepth::Sixteen { 2 } else { 1 };
    let (samples, shades) = (color.samples(), if color.samples() >= 3 { 3 } else { 1 });
    let pixel = samples * bytes;
    // A picture in colours is one in grey where all its shades are.
    let is_grey =
        |pixel: &[u8]| pixel[..shades * bytes].chunks_exact(bytes).all(|shade| *shade == pixel[..bytes]);
    if !pixels.chunks_exact(pixel).all(is_grey) {
        let message = "the picture has colours: expected shades of grey";
        return Err(Fault::new(Kind::Unsupported, ReaderPlace::File, message)
            .help("save it as greyscale, 8 or 16 bits"));
    }
    let value = |index: usize| {
        let at = index * pixel;
        if bytes == 2 {
            f64::from(u16::from_be_bytes([pixels[at], pixels[at + 1]])) / f64::from(u16::MAX)
        } else {
            f64::from(pixels[at]) / f64::from(u8::MAX)
        }
    };
    let heights =
        (0..height).rev().flat_map(|row| (0..width).map(move |x| row * width + x)).map(value).collect();
    Ok(Heights { nodes: [width, height], heights })
}
