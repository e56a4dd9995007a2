//! Shapes as strings: `box:2,2,2`, `capsule:5mm,2cm`, `rounded:1mm,box:1,1,1`.
//!
//! In: text from a command line or a scene. Out: a [`Shape`], or an error that points at the bytes that are wrong. Sizes are full extents,
//! radii are radii, the axis is z, the origin is the middle. What [`Shape`] prints reads back to the same bits.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use zerogap_core::Vec3;
use zerogap_core::math::{cos, sin};
use zerogap_core::units::{parse_length, shortest};

use super::{ConvexShape, Shape};
use crate::complex::{ComplexError, ComplexShape, Simplices};
use crate::{GeometryError, Polyhedron};

/// A kind of shape with a string form.
struct Kind {
    /// What stands before the colon.
    name: &'static str,
    /// Description of the numbers after it.
    numbers: &'static str,
    /// How many there are; `None` for triples of any number from 3 on.
    count: Option<usize>,
    example: &'static str,
    make: fn(&[f64]) -> Result<Shape, GeometryError>,
}

fn vector(x: &[f64], at: usize) -> Vec3 {
    Vec3::from_fn(|i, _| x.get(at + i).copied().unwrap_or(f64::NAN))
}

/// The prefix that rounds the shape behind it.
const ROUNDED: &str = "rounded";
const ROUNDED_EXAMPLE: &str = "rounded:1mm,box:1,1,1";

/// The prefix that makes the shape behind it a smooth hull of its corners.
const SMOOTH: &str = "smooth";
const SMOOTH_EXAMPLE: &str = "smooth:40,box:1,1,1";

/// What a prefix makes of the shape behind it.
#[derive(Debug, Clone, Copy)]
enum Prefix {
    /// Inflated by a radius [m].
    Rounded(f64),
    /// A smooth hull with an exponent.
    Smooth(u32),
}

impl Prefix {
    /// The prefix that a text begins with: its name, and an example.
    fn of(text: &str) -> Option<(&'static str, &'static str)> {
        let all = [(ROUNDED, ROUNDED_EXAMPLE), (SMOOTH, SMOOTH_EXAMPLE)];
        all.into_iter().find(|(name, _)| text.strip_prefix(name).is_some_and(|tail| tail.starts_with(':')))
    }

    /// Reads its number.
    fn parse(name: &str, text: &str) -> Result<Self, String> {
        if name == ROUNDED {
            return parse_length(text).map(Self::Rounded).map_err(|error| error.to_string());
        }
        let exponent =
            text.parse().map_err(|_| format!("'{text}' is no exponent: it must be a whole number from 3"));
        exponent.map(Self::Smooth)
    }

    fn apply(self, shape: &Shape) -> Result<Shape, GeometryError> {
        match self {
            Self::Rounded(radius) => shape.rounded(radius),
            Self::Smooth(exponent) => shape.smooth(exponent),
        }
    }
}

const KINDS: [Kind; 14] = [
    Kind {
        name: "box",
        numbers: "three side lengths",
        count: Some(3),
        example: "box:2,2,2",
        make: |x| Shape::cuboid(vector(x, 0)),
    },
    Kind {
        name: "sphere",
        numbers: "a radius",
        count: Some(1),
        example: "sphere:0.5",
        make: |x| Shape::sphere(x[0]),
    },
    Kind {
        name: "capsule",
        numbers: "radius and straight length",
        count: Some(2),
        example: "capsule:0.1,0.5",
        make: |x| Shape::capsule(x[0], x[1]),
    },
    Kind {
        name: "cylinder",
        numbers: "radius and length",
        count: Some(2),
        example: "cylinder:0.1,0.5",
        make: |x| Shape::cylinder(x[0], x[1]),
    },
    Kind {
        name: "cone",
        numbers: "base radius and length",
        count: Some(2),
        example: "cone:0.1,0.5",
        make: |x| Shape::cone(x[0], x[1]),
    },
    Kind {
        name: "frustum",
        numbers: "radius at -z, radius at +z and length",
        count: Some(3),
        example: "frustum:0.2,0.1,0.5",
        make: |x| Shape::frustum(x[0], x[1], x[2]),
    },
    Kind {
        name: "ellipsoid",
        numbers: "three semi-axes",
        count: Some(3),
        example: "ellipsoid:1,2,3",
        make: |x| Shape::ellipsoid(vector(x, 0)),
    },
    Kind {
        name: "point",
        numbers: "three coordinates",
        count: Some(3),
        example: "point:0,0,1",
        make: |x| Shape::point(vector(x, 0)),
    },
    Kind {
        name: "segment",
        numbers: "six coordinates of two ends",
        count: Some(6),
        example: "segment:0,0,0,1,0,0",
        make: |x| Shape::segment(vector(x, 0), vector(x, 3)),
    },
    Kind {
        name: "triangle",
        numbers: "nine coordinates of three corners",
        count: Some(9),
        example: "triangle:0,0,0,1,0,0,0,1,0",
        make: |x| Shape::triangle(vector(x, 0), vector(x, 3), vector(x, 6)),
    },
    Kind {
        name: "polygon",
        numbers: "three coordinates for each of three or more corners, round the loop",
        count: None,
        example: "polygon:0,0,0,1,0,0,1,1,0,0,1,0",
        make: |x| Shape::polygon(&x.chunks(3).map(|c| vector(c, 0)).collect::<Vec<_>>()),
    },
    Kind {
        name: "polyline",
        numbers: "three coordinates for each of three or more points, along the line",
        count: None,
        example: "polyline:0,0,0,1,0,0,1,1,0",
        make: |x| polyline(x.chunks(3).map(|c| vector(c, 0)).collect()),
    },
    Kind {
        name: "polysphere",
        numbers: "a number of vertices and a radius",
        count: Some(2),
        example: "polysphere:200,1",
        make: |x| polysphere(x[0], x[1]),
    },
    Kind {
        name: "halfspace",
        numbers: "three components of the outward normal and the offset along it",
        count: Some(4),
        example: "halfspace:0,0,1,0",
        make: |x| Shape::half_space(vector(x, 0), x[3]),
    },
];

/// The hull of so many points on a sphere of a radius [m]: along a spiral from the pole at -z to that at +z, each with about the same area.
fn polysphere(count: f64, radius: f64) -> Result<Shape, GeometryError> {
    let is_usable = count.fract() == 0.0 && (4.0..=1e5).contains(&count);
    if !is_usable {
        return Err(GeometryError::VertexCount { value: count });
    }
    // As a sphere that cannot be is refused.
    Shape::sphere(radius)?;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..count as usize)
        .map(|k| {
            let (z, turn) = (2.0 * k as f64 / (count - 1.0) - 1.0, golden * k as f64);
            let across = (1.0 - z * z).max(0.0).sqrt();
            radius * Vec3::new(across * cos(turn), across * sin(turn), z)
        })
        .collect();
    Ok(Polyhedron::from_points(&points)?.into())
}

/// The lines that join points one after another.
fn polyline(points: Vec<Vec3>) -> Result<Shape, GeometryError> {
    let edges = (1..points.len() as u32).map(|k| [k - 1, k]).collect();
    let simplices = Simplices { vertices: points, edges, ..Simplices::default() };
    let shape = ComplexShape::new(simplices).map_err(|error| match error {
        ComplexError::Geometry(error) => error,
        _ => GeometryError::Empty { what: "a piece of the polyline" },
    })?;
    Ok(shape.into())
}

/// The string form of a complex, if it is a polyline.
fn polyline_word(shape: &ComplexShape) -> Option<String> {
    let Simplices { vertices, triangles, edges, points, tetrahedra } = shape.simplices();
    let is_line = edges.len() + 1 == vertices.len() && edges.len() > 1;
    let follow = edges.iter().enumerate().all(|(k, &[a, b])| [a as usize, b as usize] == [k, k + 1]);
    let numbers = || vertices.iter().flat_map(|p| p.iter().copied()).collect::<Vec<f64>>();
    let alone = triangles.is_empty() && points.is_empty() && tetrahedra.is_empty();
    (alone && is_line && follow).then(|| written("polyline", &numbers()))
}

/// Kind of error of a shape string.
#[derive(Debug, Clone, PartialEq)]
pub enum WordErrorKind {
    /// No shape has this name: it may be a part or a file.
    UnknownShape,
    /// Too few or too many numbers.
    Count,
    /// Text that is not a number with or without a unit of length.
    Number,
    /// Numbers that make no such shape.
    Value(Box<GeometryError>),
}

/// An invalid shape string, with the place and an example.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("in '{text}', '{}': {expected}; for example {example}", .text.get(.span.clone()).unwrap_or_default())]
pub struct WordError {
    /// The whole string as given.
    pub text: String,
    /// The bytes of `text` that are wrong.
    pub span: Range<usize>,
    /// What was expected there.
    pub expected: String,
    /// A valid example.
    pub example: &'static str,
    /// Kind of error.
    pub kind: WordErrorKind,
}

impl Shape {
    /// Parses a shape string, with `resolve` for strings that are not built in, such as `part:bolt` or a file name.
    ///
    /// `resolve` gets the string without any `rounded:` or `smooth:` before it and returns `Ok(None)` for unknown strings.
    pub fn parse_with(
        text: &str,
        mut resolve: impl FnMut(&str) -> Result<Option<Shape>, GeometryError>,
    ) -> Result<Self, WordError> {
        let fail = |span: Range<usize>, expected: String, example: &'static str, kind: WordErrorKind| {
            Err(WordError { text: text.to_owned(), span, expected, example, kind })
        };
        let bad_value = |span: Range<usize>, example: &'static str, error: GeometryError| {
            fail(span, error.to_string(), example, WordErrorKind::Value(Box::new(error)))
        };
        let trimmed = trimmed(text, 0..text.len());

        // Prefixes, outermost first; each is a radius or an exponent, a comma, and the rest of the string.
        let mut rest = trimmed.clone();
        let mut prefixes: Vec<(Prefix, Range<usize>, &'static str)> = Vec::new();
        while let Some((name, example)) = Prefix::of(&text[rest.clone()]) {
            let start = rest.start + name.len() + 1;
            let after = &text[start..rest.end];
            let Some(comma) = after.find(',') else {
                let number = if name == ROUNDED { "a radius" } else { "an exponent" };
                let expected = format!("expected {number}, a comma and a shape after '{name}:'");
                return fail(start..rest.end, expected, example, WordErrorKind::Count);
            };
            let span = self::trimmed(text, start..start + comma);
            match Prefix::parse(name, &text[span.clone()]) {
                Ok(prefix) => prefixes.push((prefix, span, example)),
                Err(expected) => return fail(span, expected, example, WordErrorKind::Number),
            }
            rest = self::trimmed(text, start + comma + 1..rest.end);
        }

        // The shape itself: one of ours, or one of the caller's.
        let word = &text[rest.clone()];
        let (name, arguments) = word.split_once(':').unwrap_or((word, ""));
        let mut shape = if let Some(kind) = KINDS.iter().find(|kind| kind.name == name.trim_end()) {
            let start = if word.contains(':') { rest.start + name.len() + 1 } else { rest.end };
            let numbers = numbers(text, arguments, start, kind)?;
            match (kind.make)(&numbers) {
                Ok(shape) => shape,
                Err(error) => return bad_value(rest, kind.example, error),
            }
        } else {
            match resolve(word) {
                Ok(Some(shape)) => shape,
                Ok(None) => {
                    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                    let expected = format!(
                        "no shape has this name; the shapes are {}, {ROUNDED}, {SMOOTH}",
                        names.join(", ")
                    );
                    return fail(rest, expected, "box:2,2,2", WordErrorKind::UnknownShape);
                }
                Err(error) => return bad_value(rest, "box:2,2,2", error),
            }
        };
        for (prefix, span, example) in prefixes.into_iter().rev() {
            shape = match prefix.apply(&shape) {
                Ok(shape) => shape,
                Err(error) => return bad_value(span, example, error),
            };
        }
        Ok(shape)
    }

    /// Returns the string that parses to this shape bit for bit; `None` for shapes without a string form (pieces, meshes, height fields, polyhedra, user-defined ones, half-spaces with a mass).
    ///
    /// A ball or capsule inside [`super::Rounded`], and a rounding of radius 0, read back as the simpler shape that they are.
    pub fn word(&self) -> Option<String> {
        match self {
            Self::Convex(shape) => convex_word(shape),
            Self::HalfSpace(shape) if shape.mass_properties().is_ok() => None,
            Self::HalfSpace(shape) => {
                let n = shape.normal();
                Some(written("halfspace", &[n.x, n.y, n.z, shape.offset()]))
            }
            Self::Compound(_) | Self::Mesh(_) | Self::HeightField(_) => None,
            Self::Complex(shape) => polyline_word(shape),
        }
    }
}

impl FromStr for Shape {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        Self::parse_with(text, |_| Ok(None))
    }
}

/// The string form if there is one, else the kind.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.word(), self) {
            (Some(word), _) => f.write_str(&word),
            (None, Self::Compound(shape)) => write!(f, "compound of {} pieces", shape.pieces().len()),
            (None, Self::Mesh(mesh)) => write!(f, "mesh of {} triangles", mesh.triangles().len()),
            (None, Self::HeightField(field)) => {
                let [columns, rows] = field.nodes();
                write!(f, "height field of {columns} x {rows} nodes")
            }
            (None, Self::Complex(shape)) => {
                write!(f, "complex of {} simplices", shape.simplices().count())
            }
            (None, Self::Convex(ConvexShape::Polyhedron(shape))) => {
                write!(
                    f,
                    "polyhedron of {} vertices and {} faces",
                    shape.vertices().len(),
                    shape.face_count()
                )
            }
            (None, _) => f.write_str(self.kind()),
        }
    }
}

/// The part of a range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

/// The numbers of one shape, which start at byte `start` of the whole text.
fn numbers(text: &str, arguments: &str, start: usize, kind: &Kind) -> Result<Vec<f64>, WordError> {
    let fail = |span: Range<usize>, expected: String, error: WordErrorKind| {
        Err(WordError { text: text.to_owned(), span, expected, example: kind.example, kind: error })
    };
    let whole = start..start + arguments.len();
    let mut found = Vec::new();
    let mut at = start;
    for piece in arguments.split(',').filter(|_| !arguments.trim().is_empty()) {
        let span = trimmed(text, at..at + piece.len());
        at += piece.len() + 1;
        match parse_length(&text[span.clone()]) {
            Ok(number) => found.push(number),
            Err(error) => return fail(span, error.to_string(), WordErrorKind::Number),
        }
    }
    let fits = kind.count.map_or(found.len() >= 9 && found.len() % 3 == 0, |count| found.len() == count);
    if !fits {
        let expected = format!("{} takes {}, but here are {} numbers", kind.name, kind.numbers, found.len());
        return fail(whole, expected, WordErrorKind::Count);
    }
    Ok(found)
}

/// A name and its numbers, each short and exact.
fn written(name: &str, numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| shortest(*x)).collect();
    format!("{name}:{}", numbers.join(","))
}

fn convex_word(shape: &ConvexShape) -> Option<String> {
    let flatten = |points: &[Vec3]| points.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<f64>>();
    Some(match shape {
        ConvexShape::Point(shape) => written("point", &flatten(&[shape.position()])),
        ConvexShape::Segment(shape) => written("segment", &flatten(&shape.ends())),
        ConvexShape::Triangle(shape) => written("triangle", &flatten(&shape.corners())),
        ConvexShape::Polygon(shape) => written("polygon", &flatten(shape.corners())),
        ConvexShape::Sphere(shape) => written("sphere", &[shape.radius()]),
        ConvexShape::Ellipsoid(shape) => written("ellipsoid", &flatten(&[shape.radii()])),
        ConvexShape::Cuboid(shape) => written("box", &flatten(&[shape.size()])),
        ConvexShape::Capsule(shape) => written("capsule", &[shape.radius(), shape.length()]),
        ConvexShape::Cylinder(shape) => written("cylinder", &[shape.radius(), shape.length()]),
        ConvexShape::Frustum(shape) if shape.radius1() == 0.0 => {
            written("cone", &[shape.radius0(), shape.length()])
        }
        ConvexShape::Frustum(shape) => {
            written("frustum", &[shape.radius0(), shape.radius1(), shape.length()])
        }
        ConvexShape::Rounded(shape) => {
            format!("{ROUNDED}:{},{}", shortest(shape.radius()), convex_word(shape.core())?)
        }
        ConvexShape::Polyhedron(_) | ConvexShape::User(_) => return None,
    })
}
