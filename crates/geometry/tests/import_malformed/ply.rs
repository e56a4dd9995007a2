//! Damaged PLY files.

use zerogap_geometry::import::{Format, ImportErrorKind as Kind};

use super::{At, case, check_all};

#[test]
fn damaged_ply_files_are_refused_with_their_place() {
    let header = |format: &str, vertices: &str, faces: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
             element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let text = |faces: &str, body: &str| header("ascii", "3", faces) + "0 0 0\n1 0 0\n0 1 0\n" + body;
    let binary = |format: &str, corners: [u32; 3], extra: &[u8]| {
        let mut bytes = header(format, "3", "1").into_bytes();
        let little = format == "binary_little_endian";
        for c in [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32] {
            bytes.extend(if little { c.to_le_bytes() } else { c.to_be_bytes() });
        }
        bytes.push(3);
        for v in corners {
            bytes.extend(if little { v.to_le_bytes() } else { v.to_be_bytes() });
        }
        bytes.extend(extra);
        bytes
    };
    let start = |format: &str| header(format, "3", "1").len() as u64;
    let (le, be) = ("binary_little_endian", "binary_big_endian");
    let mut nan = binary(be, [0, 1, 2], &[]);
    let at = start(be) as usize + 16;
    nan[at..at + 4].copy_from_slice(&f32::NAN.to_be_bytes());
    let truncated = binary(le, [0, 1, 2], &[]);
    let mut long_list = binary(le, [0, 1, 2], &[]);
    long_list[start(le) as usize + 36] = 200;
    let ply = |name, bytes: &[u8], kind, at, words| case(name, Format::Ply, bytes, kind, at, words);
    check_all(&[
        ply("empty", b"", Kind::Truncated, At::Line(1, 1), &["'ply'"]),
        ply("no magic", b"plx\n", Kind::Syntax, At::Line(1, 1), &["'plx'"]),
        ply("no end_header", b"ply\nformat ascii 1.0\nelement vertex 1\n", Kind::Truncated, At::Line(4, 1), &["end_header"]),
        ply("no format", b"ply\nelement vertex 0\nend_header\n", Kind::Syntax, At::Line(1, 1), &["'format'"]),
        ply("unknown format", b"ply\nformat binary 1.0\nend_header\n", Kind::Syntax, At::Line(2, 8), &["'binary'", "big_endian"]),
        ply("unknown version", b"ply\nformat ascii 2.0\nend_header\n", Kind::Syntax, At::Line(2, 14), &["'2.0'"]),
        ply(
            "unknown property type",
            b"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n",
            Kind::Syntax,
            At::Line(4, 10),
            &["'quad'", "double"],
        ),
        ply("property before element", b"ply\nformat ascii 1.0\nproperty int x\n", Kind::Syntax, At::Line(3, 1), &["element"]),
        ply("unknown header line", b"ply\nformat ascii 1.0\nelements 3\n", Kind::Syntax, At::Line(3, 1), &["'elements'"]),
        ply(
            "list with fractional length",
            b"ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\nend_header\n",
            Kind::Syntax,
            At::Line(4, 15),
            &["whole-number"],
        ),
        ply("count is garbage", header("ascii", "many", "1").as_bytes(), Kind::Number, At::Line(3, 16), &["'many'"]),
        ply("count is negative", header("ascii", "-3", "1").as_bytes(), Kind::Count, At::Line(3, 16), &["-3"]),
        ply("vertex count lies in text", header("ascii", "4000000000", "1").as_bytes(), Kind::Count, At::Line(3, 1), &["4000000000 rows"]),
        ply("vertex count lies in binary", header(le, "4000000000", "1").as_bytes(), Kind::Count, At::Line(3, 1), &["0 bytes are left"]),
        ply(
            "face count lies",
            text("2000000000", "3 0 1 2\n").as_bytes(),
            Kind::Count,
            At::Line(7, 1),
            &["2000000000 rows of 'face'"],
        ),
        ply("one face too few", text("2", "3 0 1 2\n").as_bytes(), Kind::Truncated, At::Line(14, 1), &["length of a list"]),
        ply("one face too many", text("1", "3 0 1 2\n3 0 1 2\n").as_bytes(), Kind::Count, At::Line(14, 1), &["8 more bytes"]),
        ply("no vertices", b"ply\nformat ascii 1.0\nend_header\n", Kind::Syntax, At::File, &["'vertex'"]),
        ply(
            "no z",
            b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
            Kind::Syntax,
            At::Line(3, 1),
            &["0 properties 'z'"],
        ),
        ply("nan in text", (header("ascii", "3", "1") + "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n").as_bytes(), Kind::NonFinite, At::Line(11, 3), &["NaN"]),
        ply("nan in binary", &nan, Kind::NonFinite, At::Byte(start(be) + 16), &["NaN"]),
        ply("garbage number", text("1", "3 0 one 2\n").as_bytes(), Kind::Number, At::Line(13, 5), &["'one'"]),
        ply("face of two", text("1", "2 0 1\n").as_bytes(), Kind::Syntax, At::Line(13, 3), &["2 corners"]),
        ply("list index too large in text", text("1", "3 0 1 3\n").as_bytes(), Kind::Index, At::Line(13, 1), &["vertex 3", "3 vertices"]),
        ply("list index negative", text("1", "3 0 1 -1\n").as_bytes(), Kind::Index, At::Line(13, 7), &["-1"]),
        ply("list index too large in binary", &binary(be, [0, 1, 7], &[]), Kind::Index, At::Byte(start(be) + 36), &["vertex 7"]),
        ply("truncated binary", &truncated[..truncated.len() - 2], Kind::Truncated, At::Byte(start(le) + 45), &["4 bytes"]),
        ply("list length lies", &long_list, Kind::Truncated, At::Byte(start(le) + 49), &["vertex number"]),
        ply("bytes after the end", &binary(le, [0, 1, 2], b"\x01\x02"), Kind::Count, At::Byte(start(le) + 49), &["2 more bytes"]),
        ply(
            "four billion rows of nothing",
            b"ply\nformat ascii 1.0\nelement vertex 0\nproperty int x\nproperty int y\nproperty int z\nelement void 4000000000\nend_header\n",
            Kind::NoTriangles,
            At::File,
            &["no triangles"],
        ),
    ]);
}
