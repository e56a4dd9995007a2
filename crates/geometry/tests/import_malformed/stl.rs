//! Damaged STL files.

use zerogap_geometry::import::{Format, ImportErrorKind as Kind};

use super::{At, binary_stl, case, check_all};

#[test]
fn damaged_stl_files_are_refused_with_their_place() {
    let stl = |name, bytes: &[u8], kind, at, words| case(name, Format::Stl, bytes, kind, at, words);
    let facet = |inside: &str| {
        format!("solid part\nfacet normal 0 0 1\nouter loop\n{inside}\nendloop\nendfacet\nendsolid\n")
    };
    let vertices = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0";
    let mut nan = binary_stl(2, 2);
    nan[84 + 50 + 24..84 + 50 + 28].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut infinite = binary_stl(1, 1);
    infinite[84 + 12..84 + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let mut solid_truncated = binary_stl(3, 2);
    solid_truncated[..6].copy_from_slice(b"solid ");
    let no_end = format!("solid part\nfacet normal 0 0 1\nouter loop\n{vertices}\nendloop\nendfacet\n");
    check_all(&[
        stl("empty", b"", Kind::Truncated, At::Byte(0), &["0 bytes", "84 bytes of header"]),
        stl("shorter than a header", &[7; 50], Kind::Truncated, At::Byte(50), &["50 bytes"]),
        stl("header alone", &binary_stl(0, 0), Kind::NoTriangles, At::File, &["no triangles"]),
        stl(
            "truncated",
            &binary_stl(5, 5)[..84 + 120],
            Kind::Truncated,
            At::Byte(204),
            &["5 triangles", "room for 2"],
        ),
        stl(
            "four billion triangles in one kilobyte",
            &binary_stl(4_000_000_000, 19),
            Kind::Truncated,
            At::Byte(1034),
            &["4000000000 triangles", "950 bytes follow"],
        ),
        stl(
            "more triangles than claimed",
            &binary_stl(1, 3),
            Kind::Count,
            At::Byte(134),
            &["1 triangles", "room for 3"],
        ),
        stl("nan in binary", &nan, Kind::NonFinite, At::Byte(158), &["NaN"]),
        stl("infinity in binary", &infinite, Kind::NonFinite, At::Byte(96), &["inf"]),
        stl(
            "binary that starts with solid",
            &solid_truncated,
            Kind::Truncated,
            At::Byte(184),
            &["3 triangles"],
        ),
        stl(
            "nan in text",
            facet("vertex 0 0 0\nvertex 0 nan 0").as_bytes(),
            Kind::NonFinite,
            At::Line(5, 8),
            &["NaN"],
        ),
        stl(
            "infinity in text",
            facet("vertex -inf 0 0").as_bytes(),
            Kind::NonFinite,
            At::Line(4, 8),
            &["-inf"],
        ),
        stl("garbage in text", facet("vertex 0 0 0x").as_bytes(), Kind::Number, At::Line(4, 12), &["'0x'"]),
        stl(
            "two vertices",
            facet("vertex 0 0 0\nvertex 1 1 1").as_bytes(),
            Kind::Syntax,
            At::Line(6, 1),
            &["'vertex'", "'endloop'"],
        ),
        stl(
            "four vertices",
            facet(&format!("{vertices}\nvertex 1 1 0")).as_bytes(),
            Kind::Syntax,
            At::Line(7, 1),
            &["'endloop'", "'vertex'"],
        ),
        stl(
            "text without end",
            no_end.as_bytes(),
            Kind::Truncated,
            At::Line(9, 1),
            &["'endsolid'", "end of the file"],
        ),
        stl(
            "text without facets",
            b"solid nothing\nendsolid nothing\n",
            Kind::NoTriangles,
            At::File,
            &["no triangles"],
        ),
        stl(
            "text with a stray word",
            b"solid a\nendsolid a\nrubbish\n",
            Kind::Syntax,
            At::Line(3, 1),
            &["'solid'", "'rubbish'"],
        ),
    ]);
}
