//! Wavefront OBJ: text with one statement a line.
//!
//! In: the bytes of a file. Out: positions in f64 and faces; lines, points and curves are counted and skipped, texture, normals and materials skipped.
//! A fourth coordinate is the weight of rational curves and does not move vertices of faces; vertex colours are skipped.

use std::path::Path;

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace, quoted};
use super::faces::Faces;
use super::scan::{Scanner, Word, text_start};
use super::{Format, ImportError, ImportOptions, ImportedMesh};

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
    parse(bytes, options).map_err(|fault| fault.at(name, bytes))
}

fn parse(bytes: &[u8], options: &ImportOptions) -> Parsed<ImportedMesh> {
    let mut builder = Builder::new(options)?;
    let start = text_start(bytes)?;
    check_text(bytes)?;
    let mut scanner = Scanner::with_obj_rules(bytes, start);
    let mut faces = Faces::default();
    loop {
        if let Some(keyword) = scanner.word_in_line() {
            match keyword.bytes {
                b"v" => vertex(&mut scanner, &keyword, &mut builder)?,
                b"f" | b"fo" => face(&mut scanner, &keyword, &mut faces, builder.vertices.len())?,
                b"l" => {
                    builder.skipped.lines += 1;
                    skip_line(&mut scanner);
                }
                b"p" => builder.skipped.points += skip_line(&mut scanner),
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
    builder.finish(Format::Obj)
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
