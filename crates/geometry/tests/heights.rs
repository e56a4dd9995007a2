//! Heights from files: tables, pictures, and what is wrong with them.

use std::path::Path;

use zerogap_geometry::Shape;
use zerogap_geometry::import::{ImportErrorKind, read_heights};
use zerogap_geometry::target::{ReadOptions, Target};

fn write(folder: &Path, name: &str, content: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[cfg(feature = "pictures")]
fn picture(width: u32, height: u32, depth: png::BitDepth, color: png::ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    bytes
}

#[test]
fn tables_have_a_row_in_each_line() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["1,2,3\n4,5,6\n", "# a title\n1;2;3 # first\r\n\r\n4;5;6", "  1 2\t3\n4  5 6  \n"] {
        let read = read_heights(write(folder.path(), "a.csv", text.as_bytes())).unwrap();
        assert_eq!((read.nodes, read.heights), ([3, 2], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), "{text}");
    }
}

#[cfg(feature = "pictures")]
#[test]
fn white_is_a_metre_and_the_lowest_line_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let eight = picture(3, 2, png::BitDepth::Eight, png::ColorType::Grayscale, &[255, 0, 0, 0, 0, 51]);
    let read = read_heights(write(folder.path(), "a.png", &eight)).unwrap();
    assert_eq!((read.nodes, read.heights), ([3, 2], vec![0.0, 0.0, 0.2, 1.0, 0.0, 0.0]));
    let sixteen =
        picture(2, 2, png::BitDepth::Sixteen, png::ColorType::Grayscale, &[255, 255, 0, 0, 0, 1, 0, 0]);
    let read = read_heights(write(folder.path(), "b.png", &sixteen)).unwrap();
    assert_eq!(read.heights, [1.0 / 65535.0, 0.0, 1.0, 0.0]);
    let colours = picture(1, 1, png::BitDepth::Eight, png::ColorType::Rgb, &[1, 2, 3]);
    let error = read_heights(write(folder.path(), "c.png", &colours)).unwrap_err();
    assert!(error.kind() == ImportErrorKind::Unsupported && error.to_string().contains("colours"), "{error}");
    let error = read_heights(write(folder.path(), "d.png", &eight[..40])).unwrap_err();
    assert_eq!(error.kind(), ImportErrorKind::Syntax, "{error}");
}

#[test]
fn errors_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    for (text, kind, part) in [
        ("1,2\n3,x\n", ImportErrorKind::Number, ":2:3: expected a number, found 'x'"),
        ("1,2\n3\n", ImportErrorKind::Count, ":2:1: this row has 1 heights and those before it have 2"),
        ("1,nan\n", ImportErrorKind::NonFinite, "finite"),
        ("# nothing\n", ImportErrorKind::Empty, "no heights"),
    ] {
        let error = read_heights(write(folder.path(), "a.csv", text.as_bytes())).unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(part), "{error}");
    }
    assert_eq!(read_heights(folder.path().join("none.csv")).unwrap_err().kind(), ImportErrorKind::Unreadable);
}

#[test]
fn a_word_names_file_spacing_depth_and_factor() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hills, north.csv", b"0,1\n2,3\n");
    let resolve = |word: &str| Target::resolve_in(folder.path(), word, &ReadOptions::default());
    let Target::Shape(Shape::HeightField(field)) =
        resolve("heightfield:hills, north.csv,50cm,2,1,10").unwrap()
    else {
        panic!("no height field")
    };
    assert_eq!(
        (field.spacing(), field.heights(), field.base()),
        ([0.5, 2.0], &[0.0, 10.0, 20.0, 30.0][..], -1.0)
    );
    let error = resolve("heightfield:hills, north.csv,1").unwrap_err().to_string();
    assert!(error.contains("spacing") && error.contains("heightfield:hills.csv,0.5,0.5,1"), "{error}");
    let error = resolve("heightfield:hills, north.csv,0,1,1").unwrap_err().to_string();
    assert!(error.contains("the spacing of a height field"), "{error}");
}
