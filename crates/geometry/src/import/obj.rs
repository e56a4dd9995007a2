//! Wavefront OBJ: text with one statement a line.
//!
//! In: the bytes of a file. Out: positions in f64, faces, lines and points; a mesh leaves lines and points out and counts them, a complex keeps them. Curves are counted and skipped, texture, normals and materials skipped.
//! A fourth coordinate is the weight of rational curves and does not move vertices of faces; vertex colours are skipped.

use std::path::Path;

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace, quoted};
use super::faces::Faces;
use super::scan::{Scanner, Word, text_start};
use super::{Format, ImportError, ImportOptions, ImportedComplex, ImportedMesh};

/// Statements that do not affect the shape of faces.
const SKIPPED: [&str; 32] = [
    "vt",
    "vn",
    "vp",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "cstype",
    "deg",
    "bmat",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "call",
    "csh",
    "bsp",
    "bzp",
];

/// Reads an OBJ file from its bytes; `name` appears in errors.
///
/// A `g` or `o` statement names the triangles from there to the next one; triangles before the first belong to no group.
pub fn read_obj(bytes: &[u8], name: &Path, options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    let mesh = parse(bytes, options).and_then(|builder| builder.finish(Format::Obj));
    mesh.map_err(|fault| fault.at(name, bytes))
}

/// Reads the faces, lines and points of an OBJ file from its bytes; `name` appears in errors.
pub(super) fn read_obj_complex(
    bytes: &[u8],
    name: &Path,
    options: &ImportOptions,
) -> Result<ImportedComplex, ImportError> {
    let complex = parse(bytes, options).and_then(|builder| builder.finish_complex(Format::Obj));
    complex.map_err(|fault| fault.at(name, bytes))
}

fn parse(bytes: &[u8], options: &ImportOptions) -> Parsed<Builder> {
    let mut builder = Builder::new(options)?;
    let start = text_start(bytes)?;
    check_text(bytes)?;
    let mut scanner = Scanner::with_obj_rules(bytes, start);
    let mut faces = Faces::default();
    let mut others = Vec::new();
    loop {
        if let Some(keyword) = scanner.word_in_line() {
            match keyword.bytes {
                b"v" => vertex(&mut scanner, &keyword, &mut builder)?,
                b"f" | b"fo" => face(&mut scanner, &keyword, &mut faces, builder.vertices.len())?,
                b"l" | b"p" => element(&mut scanner, &keyword, &mut builder, &mut others)?,
                b"curv" | b"curv2" | b"surf" => {
                    builder.skipped.curves += 1;
                    skip_line(&mut scanner);
                }
                b"g" | b"o" => faces.name(scanner.rest_of_line().text()),
                word if SKIPPED.iter().any(|known| known.as_bytes() == word) => {
                    skip_line(&mut scanner);
                }
                _ => {
                    let message = format!(
                        "{} is not a statement of an OBJ file: expected v, f, g, o or another one",
                        quoted(keyword.bytes)
                    );
                    return Err(keyword.fault(Kind::Syntax, message));
                }
            }
        }
        if !scanner.next_line() {
            break;
        }
    }
    faces.build(&mut builder, 1, |offset, k| corner_location(bytes, offset, k))?;
    check_vertices(&others, builder.vertices.len())?;
    Ok(builder)
}

/// Refuses files with zero bytes, which text does not have.
fn check_text(bytes: &[u8]) -> Parsed<()> {
    match bytes.iter().position(|&b| b == 0) {
        Some(offset) => Err(Fault::new(
            Kind::NotText,
            ReaderPlace::Byte(offset),
            "found a zero byte: expected text in UTF-8",
        )),
        None => Ok(()),
    }
}

/// Skips a statement, with the lines that continue it, and returns its number of words.
fn skip_line(scanner: &mut Scanner<'_>) -> usize {
    std::iter::from_fn(|| scanner.word_in_line()).count()
}

/// `v x y z`, `v x y z w`, `v x y z r g b` or `v x y z w r g b`.
fn vertex(scanner: &mut Scanner<'_>, keyword: &Word<'_>, builder: &mut Builder) -> Parsed<()> {
    let mut p = [0.0; 3];
    let mut end = keyword.offset;
    for (k, c) in p.iter_mut().enumerate() {
        let word = scanner.expect_in_line(["x", "y", "z"][k])?;
        *c = word.number()?;
        end = word.offset + word.bytes.len();
    }
    let mut extra = 0;
    while let Some(word) = scanner.word_in_line() {
        word.number()?;
        extra += 1;
        if extra > 4 {
            return Err(word.instead_of("at most seven numbers: x y z, a weight, a colour"));
        }
    }
    builder.vertex(p, || ReaderPlace::Text(keyword.offset, end - keyword.offset))?;
    Ok(())
}

/// `f` with three or more of `v`, `v/vt`, `v//vn`, `v/vt/vn`.
fn face(scanner: &mut Scanner<'_>, keyword: &Word<'_>, faces: &mut Faces, vertices: usize) -> Parsed<()> {
    faces.start(keyword.offset);
    let mut count = 0;
    while let Some(word) = scanner.word_in_line() {
        faces.corner(corner(&word, vertices)?);
        count += 1;
    }
    if count < 3 {
        return Err(keyword.fault(Kind::Syntax, format!("the face has {count} corners: it needs at least 3")));
    }
    Ok(())
}

/// A corner of a line or point, with its place in the file.
type NamedVertex = (u32, usize, usize);

/// `l` with two or more of `v` or `v/vt`, `p` with one or more of `v`.
fn element(
    scanner: &mut Scanner<'_>,
    keyword: &Word<'_>,
    builder: &mut Builder,
    named: &mut Vec<NamedVertex>,
) -> Parsed<()> {
    let is_line = keyword.bytes == b"l";
    let first = named.len();
    while let Some(word) = scanner.word_in_line() {
        named.push((corner(&word, builder.vertices.len())?, word.offset, word.bytes.len()));
    }
    let vertices = || named[first..].iter().map(|(vertex, ..)| *vertex);
    let (count, least) = (named.len() - first, 1 + usize::from(is_line));
    if count < least {
        let what = if is_line { "line" } else { "statement of points" };
        return Err(keyword
            .fault(Kind::Syntax, format!("the {what} has {count} vertices: it needs at least {least}")));
    }
    if is_line {
        builder.skipped.lines += 1;
        // A vertex that follows itself adds no length.
        builder.edges.extend(vertices().zip(vertices().skip(1)).filter(|(a, b)| a != b).map(|(a, b)| [a, b]));
    } else {
        builder.skipped.points += count;
        builder.points.extend(vertices());
    }
    Ok(())
}

/// Refuses vertices of lines and points that the file does not have; they may come after the line.
fn check_vertices(named: &[NamedVertex], vertices: usize) -> Parsed<()> {
    let Some(&(vertex, offset, length)) = named.iter().find(|named| named.0 as usize >= vertices) else {
        return Ok(());
    };
    let message = format!(
        "vertex {} does not exist: the file has {vertices} vertices, counted from 1",
        u64::from(vertex) + 1
    );
    Err(Fault::new(Kind::Index, ReaderPlace::Text(offset, length), message))
}

/// The vertex of one corner, counted from 0. Positive numbers may name a vertex that comes later in the file.
fn corner(word: &Word<'_>, vertices: usize) -> Parsed<u32> {
    let mut parts = word.bytes.split(|&b| b == b'/');
    let first = parts.next().unwrap_or_default();
    let index = Word { bytes: first, offset: word.offset }.integer()?;
    // Texture and normal numbers are not used, but what is not a number there is a damaged file.
    for (k, part) in parts.enumerate() {
        let empty_texture = part.is_empty() && k == 0;
        let number = Word { bytes: part, offset: word.offset };
        if k > 1 || (!empty_texture && number.integer().is_err()) {
            return Err(word.instead_of("a corner such as 7, 7/2, 7//3 or 7/2/3"));
        }
    }
    let resolved = match index {
        0 => None,
        1.. => u32::try_from(index - 1).ok(),
        _ => usize::try_from(index.unsigned_abs())
            .ok()
            .and_then(|back| vertices.checked_sub(back))
            .map(|v| v as u32),
    };
    resolved.ok_or_else(|| {
        let message = match index {
            0 => "vertex 0 does not exist: OBJ counts from 1, or from -1 backward".to_owned(),
            1.. => format!("vertex {index} does not exist: the number is too large"),
            _ => format!("vertex {index} does not exist: only {vertices} vertices come before this line"),
        };
        Fault::new(Kind::Index, ReaderPlace::Text(word.offset, first.len()), message)
    })
}

/// Where the k-th corner of the face statement at `offset` stands.
fn corner_location(bytes: &[u8], offset: usize, k: usize) -> ReaderPlace {
    let mut scanner = Scanner::with_obj_rules(bytes, offset);
    (0..k + 2).map_while(|_| scanner.word_in_line()).last().map_or(ReaderPlace::File, |word| word.location())
}
