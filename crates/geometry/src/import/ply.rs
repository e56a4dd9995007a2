//! PLY, text and binary in both byte orders.
//!
//! In: the bytes of a file. Out: the `vertex` element's x, y, z, the polygons of `face` and the strips of `tristrips`; all other
//! elements and properties are stepped over, as the header describes them.

use std::path::Path;

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::faces::Faces;
use super::ply_header::{self, Element, Encoding, Header, Property, Scalar};
use super::scan::Scanner;
use super::{Format, ImportError, ImportOptions, ImportedMesh};

/// Names under which files keep the corners of faces and strips.
const INDEX_NAMES: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Reads a PLY file from its bytes; `name` appears in errors. PLY has no names for parts, so there are no groups.
pub fn read_ply(bytes: &[u8], name: &Path, options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    parse(bytes, options).map_err(|fault| fault.at(name, bytes))
}

fn parse(bytes: &[u8], options: &ImportOptions) -> Parsed<ImportedMesh> {
    let mut builder = Builder::new(options)?;
    let Header { encoding, elements, end } = ply_header::parse(bytes)?;
    let mut values = Values { bytes, encoding, at: end };
    let mut faces = Faces::default();
    let mut has_vertices = false;
    for element in &elements {
        values.check_room(element)?;
        match element.name.as_str() {
            "vertex" => {
                has_vertices = true;
                read_vertices(&mut values, element, &mut builder)?;
            }
            "face" => read_lists(&mut values, element, |list, location, at| {
                polygon(list, location, at, &mut faces)
            })?,
            "tristrips" => {
                read_lists(&mut values, element, |list, location, at| strip(list, location, at, &mut faces))?;
            }
            name => {
                if name == "edge" {
                    builder.skipped.lines += element.rows;
                }
                read_lists(&mut values, element, |_, _, _| Ok(()))?;
            }
        }
    }
    if !has_vertices {
        return Err(Fault::new(Kind::Syntax, ReaderPlace::File, "the header has no element 'vertex'"));
    }
    values.check_end()?;
    faces.build(&mut builder, 0, |offset, _| match encoding {
        Encoding::Text => {
            let word = Scanner::new(bytes, offset).word();
            word.map_or(ReaderPlace::File, |word| word.location())
        }
        _ => ReaderPlace::Byte(offset),
    })?;
    builder.finish(Format::Ply)
}

/// The values after the header, one after the other.
struct Values<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    at: usize,
}

impl Values<'_> {
    /// Refuses an element whose rows cannot fit into what is left, before anything is allocated or looped over for it.
    fn check_room(&self, element: &Element) -> Parsed<()> {
        let left = self.bytes.len() - self.at.min(self.bytes.len());
        // The last value of a text file needs no space after it.
        let room = left + usize::from(self.encoding == Encoding::Text);
        let min = element.min_row(self.encoding);
        if element.rows.checked_mul(min).is_some_and(|need| need <= room) {
            return Ok(());
        }
        let message = format!(
            "the header claims {} rows of '{}' of at least {min} bytes each, but only {left} bytes are left for them",
            element.rows, element.name
        );
        Err(Fault::new(Kind::Count, element.location.clone(), message))
    }

    /// The next value and where it stands.
    fn next(&mut self, scalar: Scalar, what: &str) -> Parsed<(f64, ReaderPlace)> {
        if self.encoding == Encoding::Text {
            let mut scanner = Scanner::new(self.bytes, self.at);
            let word = scanner.expect(what)?;
            self.at = scanner.at;
            return Ok((word.number()?, word.location()));
        }
        let size = scalar.size();
        let Some(found) = self.bytes.get(self.at..self.at + size) else {
            let message = format!("expected {what} in {size} bytes, found the end of the file");
            return Err(Fault::new(Kind::Truncated, ReaderPlace::Byte(self.at), message));
        };
        let mut eight = [0; 8];
        eight[..size].copy_from_slice(found);
        if self.encoding == Encoding::BigEndian {
            eight[..size].reverse();
        }
        let location = ReaderPlace::Byte(self.at);
        self.at += size;
        Ok((scalar.value(eight), location))
    }

    /// The number of entries of a list.
    fn length(&mut self, count: Scalar) -> Parsed<usize> {
        let (value, location) = self.next(count, "the length of a list")?;
        whole(value)
            .map(|n| n as usize)
            .ok_or_else(|| Fault::new(Kind::Count, location, format!("a list cannot have {value} entries")))
    }

    /// Steps over `n` values without reading them where possible.
    fn skip(&mut self, scalar: Scalar, n: usize) -> Parsed<()> {
        if self.encoding == Encoding::Text {
            return (0..n).try_for_each(|_| self.next(scalar, "a value").map(|_| ()));
        }
        let end = n.checked_mul(scalar.size()).and_then(|size| self.at.checked_add(size));
        if let Some(end) = end.filter(|&end| end <= self.bytes.len()) {
            self.at = end;
            return Ok(());
        }
        let left = self.bytes.len() - self.at;
        let message = format!("a list claims {n} entries, but only {left} bytes are left");
        Err(Fault::new(Kind::Truncated, ReaderPlace::Byte(self.at), message))
    }

    /// Refuses anything but blanks after the last element: the counts in the header were too small.
    fn check_end(&self) -> Parsed<()> {
        let rest = &self.bytes[self.at..];
        let Some(extra) = rest.iter().position(|b| !b.is_ascii_whitespace()) else { return Ok(()) };
        let at = self.at + extra;
        let location =
            if self.encoding == Encoding::Text { ReaderPlace::Text(at, 1) } else { ReaderPlace::Byte(at) };
        let message = format!(
            "expected the end of the file after the elements of the header, found {} more bytes",
            rest.len() - extra
        );
        Err(Fault::new(Kind::Count, location, message))
    }
}

/// A number that counts or numbers something.
fn whole(value: f64) -> Option<u32> {
    (value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0).then_some(value as u32)
}

fn read_vertices(values: &mut Values<'_>, element: &Element, builder: &mut Builder) -> Parsed<()> {
    // Which coordinate each property is; lists and everything else are stepped over.
    let mut axes = Vec::with_capacity(element.properties.len());
    for property in &element.properties {
        axes.push(["x", "y", "z"].iter().position(|name| *name == property.name));
        if property.count.is_some() && axes.last().is_some_and(Option::is_some) {
            let message = format!("'{}' of a vertex is a list: expected a number", property.name);
            return Err(Fault::new(Kind::Syntax, element.location.clone(), message));
        }
    }
    for (k, name) in ["x", "y", "z"].into_iter().enumerate() {
        let times = axes.iter().filter(|axis| **axis == Some(k)).count();
        if times != 1 {
            let message = format!("element 'vertex' has {times} properties '{name}': expected one");
            return Err(Fault::new(Kind::Syntax, element.location.clone(), message));
        }
    }
    builder.vertices.reserve_exact(element.rows);
    for _ in 0..element.rows {
        let mut p = [0.0_f64; 3];
        let mut location = ReaderPlace::File;
        for (property, axis) in element.properties.iter().zip(&axes) {
            match axis {
                Some(k) => {
                    let (value, place) = values.next(property.scalar, "a coordinate")?;
                    // The place is that of the first bad coordinate, or of the first one.
                    if location == ReaderPlace::File
                        || (!value.is_finite() && p.iter().all(|c| c.is_finite()))
                    {
                        location = place;
                    }
                    p[*k] = value;
                }
                None => skip_property(values, property)?,
            }
        }
        builder.vertex(p, || location)?;
    }
    Ok(())
}

fn skip_property(values: &mut Values<'_>, property: &Property) -> Parsed<()> {
    let n = property.count.map_or(Ok(1), |count| values.length(count))?;
    values.skip(property.scalar, n)
}

/// Reads the rows of an element and hands the corner list of each to `take`, with the places of the entries and of the list.
fn read_lists(
    values: &mut Values<'_>,
    element: &Element,
    mut take: impl FnMut(&[f64], &[ReaderPlace], usize) -> Parsed<()>,
) -> Parsed<()> {
    // Rows without properties take no room in the file, however many are claimed.
    if element.properties.is_empty() {
        return Ok(());
    }
    let has_corners = matches!(element.name.as_str(), "face" | "tristrips");
    let is_corners = |p: &Property| has_corners && INDEX_NAMES.contains(&p.name.as_str());
    let lists = element.properties.iter().filter(|p| is_corners(p) && p.count.is_some()).count();
    if has_corners && lists != 1 && element.rows > 0 {
        let message = format!("element '{}' has {lists} lists 'vertex_indices': expected one", element.name);
        return Err(Fault::new(Kind::Syntax, element.location.clone(), message));
    }
    let (mut list, mut locations) = (Vec::new(), Vec::new());
    for _ in 0..element.rows {
        for property in &element.properties {
            let Some(count) = property.count.filter(|_| is_corners(property)) else {
                skip_property(values, property)?;
                continue;
            };
            list.clear();
            locations.clear();
            let at = values.at;
            let n = values.length(count)?;
            // No reservation: the claimed length is only believed entry by entry.
            for _ in 0..n {
                let (value, location) = values.next(property.scalar, "a vertex number")?;
                list.push(value);
                locations.push(location);
            }
            take(&list, &locations, at)?;
        }
    }
    Ok(())
}

/// A vertex number of a list.
fn index(value: f64, location: &ReaderPlace) -> Parsed<u32> {
    whole(value).ok_or_else(|| {
        Fault::new(Kind::Index, location.clone(), format!("vertex {value} does not exist: PLY counts from 0"))
    })
}

fn polygon(list: &[f64], locations: &[ReaderPlace], at: usize, faces: &mut Faces) -> Parsed<()> {
    if list.len() < 3 {
        let location = locations.first().cloned().unwrap_or(ReaderPlace::Byte(at));
        let message = format!("the face has {} corners: it needs at least 3", list.len());
        return Err(Fault::new(Kind::Syntax, location, message));
    }
    faces.start(at);
    list.iter()
        .zip(locations)
        .try_for_each(|(&value, location)| index(value, location).map(|v| faces.corner(v)))
}

/// Returns whether an entry starts a new strip.
#[expect(clippy::float_cmp, reason = "whole numbers of at most 32 bits are exact in f64")]
fn is_restart(value: f64) -> bool {
    value == -1.0
}

/// A strip: each corner after the second makes a triangle with the two before it, reversed alternately; -1 starts a new strip.
fn strip(list: &[f64], locations: &[ReaderPlace], at: usize, faces: &mut Faces) -> Parsed<()> {
    let mut window: Vec<u32> = Vec::new();
    for (&value, location) in list.iter().zip(locations) {
        if is_restart(value) {
            window.clear();
            continue;
        }
        window.push(index(value, location)?);
        if let &[.., a, b, c] = window.as_slice() {
            faces.start(at);
            let corners = if window.len() % 2 == 1 { [a, b, c] } else { [b, a, c] };
            for v in corners {
                faces.corner(v);
            }
        }
    }
    Ok(())
}
