//! STL, binary and text.
//!
//! In: the bytes of a file. Out: three vertices per triangle as given, unwelded; normals, attributes and colours are skipped.
//! A binary file is known by its size, which the count in its header fixes, and not by its first word: many binary files start
//! with "solid" as text files do.

use std::path::Path;

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::scan::{Scanner, text_start};
use super::{Format, ImportError, ImportOptions, ImportedMesh};

/// Bytes before the first triangle of a binary file: 80 of header, 4 of count.
const HEADER: usize = 84;

/// Bytes per triangle of a binary file: normal and three corners in f32, and an attribute.
const RECORD: usize = 50;

/// How far into a file that starts with "solid" the word "facet" or "endsolid" must come for it to be text [bytes].
const TEXT_PROBE: usize = 4096;

/// Advice for a damaged binary file that starts like text.
const NO_TEXT: &str =
    "it is read as binary, though it starts with 'solid': no 'facet' follows, or a zero byte does";

/// Reads an STL file from its bytes; `name` appears in errors. Solids of a text file become groups.
pub fn read_stl(bytes: &[u8], name: &Path, options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    let parsed = if is_text(bytes) { parse_text(bytes, options) } else { parse_binary(bytes, options) };
    parsed.map_err(|fault| fault.at(name, bytes))
}

/// The number of triangles that a binary header claims.
fn claimed(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(HEADER - 4..HEADER)?.try_into().ok()?;
    Some(u32::from_le_bytes(count) as usize)
}

/// Whether the size is exactly what a binary header claims, for at least one triangle.
pub(super) fn has_binary_size(bytes: &[u8]) -> bool {
    claimed(bytes).is_some_and(|n| n > 0 && n.checked_mul(RECORD) == Some(bytes.len() - HEADER))
}

/// Whether this is an STL in text.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let probe = &bytes[..bytes.len().min(TEXT_PROBE)];
    let mut scanner = Scanner::new(probe, text_start(bytes).unwrap_or(0));
    if has_binary_size(bytes) || !scanner.word().is_some_and(|word| word.is("solid")) {
        return false;
    }
    // The name may take the rest of the first line; what follows must be text.
    scanner.next_line();
    probe.iter().all(|&b| b != 0) && scanner.word().is_none_or(|word| word.is("facet") || word.is("endsolid"))
}

fn parse_binary(bytes: &[u8], options: &ImportOptions) -> Parsed<ImportedMesh> {
    let mut builder = Builder::new(options)?;
    let Some(count) = claimed(bytes) else {
        text_start(bytes)?;
        let message = format!(
            "the file ends after {} bytes: a binary STL starts with {HEADER} bytes of header, a text one with 'solid'",
            bytes.len()
        );
        return Err(Fault::new(Kind::Truncated, ReaderPlace::Byte(bytes.len()), message));
    };
    let found = bytes.len() - HEADER;
    let wanted = count as u64 * RECORD as u64;
    if wanted != found as u64 {
        text_start(bytes)?;
        let whole = found / RECORD;
        let message = format!(
            "the header claims {count} triangles, {wanted} bytes of them, but {found} bytes follow, room for {whole}"
        );
        let early = wanted > found as u64;
        let (kind, at) =
            if early { (Kind::Truncated, bytes.len()) } else { (Kind::Count, HEADER + wanted as usize) };
        let fault = Fault::new(kind, ReaderPlace::Byte(at), message);
        let like_text = bytes.starts_with(b"solid");
        return Err(if like_text { fault.help(NO_TEXT) } else { fault });
    }
    builder.vertices.reserve_exact(3 * count);
    builder.triangles.reserve_exact(count);
    for (t, record) in bytes[HEADER..].chunks_exact(RECORD).enumerate() {
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            // Twelve bytes of normal come first; the corners are right whatever it says.
            let at = 12 + 12 * k;
            let p = [0, 4, 8].map(|c| f64::from(read_f32(&record[at + c..])));
            *corner = builder.vertex(p, || ReaderPlace::Byte(HEADER + t * RECORD + at))?;
        }
        builder.triangle(corners)?;
    }
    builder.finish(Format::Stl)
}

/// The first four bytes as a little-endian number; 0 where fewer are left, which callers rule out.
fn read_f32(bytes: &[u8]) -> f32 {
    bytes.first_chunk().map_or(0.0, |four| f32::from_le_bytes(*four))
}

fn parse_text(bytes: &[u8], options: &ImportOptions) -> Parsed<ImportedMesh> {
    let mut builder = Builder::new(options)?;
    let mut scanner = Scanner::new(bytes, text_start(bytes)?);
    while let Some(word) = scanner.word() {
        if !word.is("solid") {
            return Err(word.instead_of("'solid' or the end of the file"));
        }
        builder.start_group(scanner.rest_of_line().text());
        loop {
            let word = scanner.expect("'facet' or 'endsolid'")?;
            if word.is("endsolid") {
                scanner.rest_of_line();
                break;
            }
            if !word.is("facet") {
                return Err(word.instead_of("'facet' or 'endsolid'"));
            }
            facet(&mut scanner, &mut builder)?;
        }
    }
    builder.finish(Format::Stl)
}

/// One facet after its first word.
fn facet(scanner: &mut Scanner<'_>, builder: &mut Builder) -> Parsed<()> {
    // Some programs write normals of flat facets as "nan" or "-1.#IND"; they are not used.
    scanner.expect_keyword("normal")?;
    for _ in 0..3 {
        let word = scanner.expect("a component of the normal")?;
        if !word.is_not_a_number() {
            word.number()?;
        }
    }
    scanner.expect_keyword("outer")?;
    scanner.expect_keyword("loop")?;
    let mut corners = [0; 3];
    for corner in &mut corners {
        scanner.expect_keyword("vertex")?;
        let mut p = [0.0; 3];
        let (mut start, mut end) = (usize::MAX, 0);
        for (c, name) in p.iter_mut().zip(["x", "y", "z"]) {
            let word = scanner.expect(name)?;
            *c = word.number()?;
            start = start.min(word.offset);
            end = word.offset + word.bytes.len();
        }
        *corner = builder.vertex(p, || ReaderPlace::Text(start, end - start))?;
    }
    scanner.expect_keyword("endloop")?;
    scanner.expect_keyword("endfacet")?;
    builder.triangle(corners)
}
