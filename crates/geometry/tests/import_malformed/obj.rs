//! Damaged OBJ files.

use zerogap_geometry::import::{Format, ImportErrorKind as Kind};

use super::{At, case, check_all};

#[test]
fn damaged_obj_files_are_refused_with_line_and_column() {
    const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let obj = |name, text: &str, kind, at, words| case(name, Format::Obj, text, kind, at, words);
    let with = |face: &str| format!("{CORNERS}{face}");
    let huge_line = format!("{CORNERS}f {} x 3\n", "1 ".repeat(100_000));
    check_all(&[
        obj("empty", "", Kind::NoTriangles, At::File, &["no triangles"]),
        obj("only comments", "# nothing\n\n", Kind::NoTriangles, At::File, &["no triangles"]),
        obj(
            "nan vertex",
            "v 0 0 0\nv nan 0 0\nf 1 1 2\n",
            Kind::NonFinite,
            At::Line(2, 1),
            &["NaN", "finite"],
        ),
        obj("infinite vertex", "v 0 inf 0\n", Kind::NonFinite, At::Line(1, 1), &["inf"]),
        obj("overflowing vertex", "v 0 1e999 0\n", Kind::NonFinite, At::Line(1, 1), &["inf"]),
        obj("too far vertex", "v 0 1e200 0\n", Kind::NonFinite, At::Line(1, 1), &["1e60"]),
        obj("garbage number", "v 0 0 0\nv 1 zero 0\n", Kind::Number, At::Line(2, 5), &["'zero'", "number"]),
        obj("two coordinates", "v 0 0\n", Kind::Syntax, At::Line(1, 6), &["expected z", "end of the line"]),
        obj("too many values", "v 0 0 0 1 2 3 4 5\n", Kind::Syntax, At::Line(1, 17), &["seven"]),
        obj("index too large", &with("f 1 2 4\n"), Kind::Index, At::Line(4, 7), &["corner 3", "3 vertices"]),
        obj("index too negative", &with("f -1 -2 -4\n"), Kind::Index, At::Line(4, 9), &["-4", "3 vertices"]),
        obj("index zero", &with("f 0 1 2\n"), Kind::Index, At::Line(4, 3), &["vertex 0", "counts from 1"]),
        obj(
            "index beyond 64 bits",
            &with("f 1 2 99999999999999999999\n"),
            Kind::Number,
            At::Line(4, 7),
            &["whole"],
        ),
        obj("index beyond 32 bits", &with("f 1 2 9999999999\n"), Kind::Index, At::Line(4, 7), &["too large"]),
        obj(
            "fractional index",
            &with("f 1 2 2.5\n"),
            Kind::Number,
            At::Line(4, 7),
            &["whole number", "'2.5'"],
        ),
        obj("face of two", &with("f 1 2\n"), Kind::Syntax, At::Line(4, 1), &["2 corners", "at least 3"]),
        obj("bad corner form", &with("f 1/2/3/4 2 3\n"), Kind::Syntax, At::Line(4, 3), &["7/2/3"]),
        obj("empty corner parts", &with("f 1/ 2/x 3\n"), Kind::Syntax, At::Line(4, 6), &["7/2"]),
        obj(
            "unknown statement",
            "v 0 0 0\nvertex 1 2 3\n",
            Kind::Syntax,
            At::Line(2, 1),
            &["'vertex'", "not a statement"],
        ),
        obj(
            "place after a continued line",
            &with("f 1 \\\r\n 2 \\\n 9\n"),
            Kind::Index,
            At::Line(6, 2),
            &["corner 3"],
        ),
        obj("huge line", &huge_line, Kind::Number, At::Line(4, 200_004), &["'x'"]),
        case(
            "not utf-8",
            Format::Obj,
            b"v 0 0 0\nv \xff\xfe\xfd 0 0\n",
            Kind::Number,
            At::Line(2, 3),
            &["number"],
        ),
        case("utf-16", Format::Obj, b"\xff\xfev\0 \x000\0", Kind::NotText, At::Byte(0), &["UTF-16", "UTF-8"]),
        case("zero bytes", Format::Obj, b"v 0 0 0\n\0\0", Kind::NotText, At::Byte(8), &["zero byte"]),
    ]);
}
