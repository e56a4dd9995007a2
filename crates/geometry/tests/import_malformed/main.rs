//! Damaged and hostile files: each is refused with its kind, place and words, and none makes the reader take much memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zerogap_geometry::import::{
    Format, ImportError, ImportErrorKind as Kind, ImportOptions, ImportedMesh, Place, read_gltf_with,
    read_mesh, read_obj, read_ply, read_stl,
};

mod gltf;
mod obj;
mod ply;
mod stl;

/// Counts what is allocated, so that the tests can see a reader that believes a file's claims.
struct Counting;

thread_local! {
    // Per thread, so that tests running side by side do not see each other. Constant and without destructors: the allocator may
    // use them at any time.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "the allocator interface is unsafe; this one only counts and forwards")]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.get() + layout.size().cast_signed();
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Memory that reading a file may take: this much, and so many times its size [bytes].
const BASE_MEMORY: usize = 64 << 10;
const MEMORY_PER_BYTE: usize = 128;

/// Where an error must point.
#[derive(Debug)]
enum At {
    Line(usize, usize),
    Byte(u64),
    Item(&'static str),
    File,
}

/// A damaged file and what must be said about it.
struct Case {
    name: &'static str,
    format: Format,
    bytes: Vec<u8>,
    kind: Kind,
    at: At,
    words: &'static [&'static str],
}

fn case(
    name: &'static str,
    format: Format,
    bytes: impl AsRef<[u8]>,
    kind: Kind,
    at: At,
    words: &'static [&'static str],
) -> Case {
    Case { name, format, bytes: bytes.as_ref().to_vec(), kind, at, words }
}

fn read(format: Format, bytes: &[u8]) -> Result<ImportedMesh, ImportError> {
    let (name, options) = (Path::new("part.bin"), ImportOptions::default());
    match format {
        Format::Obj => read_obj(bytes, name, &options),
        Format::Stl => read_stl(bytes, name, &options),
        Format::Ply => read_ply(bytes, name, &options),
        Format::Gltf => read_gltf_with(bytes, name, &options, &mut |_, _| {
            Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no such file"))
        }),
    }
}

fn check(case: &Case) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = read(case.format, &case.bytes);
    let used = (PEAK.get() - before).unsigned_abs();
    let error = result.map(|_| ()).expect_err(case.name);
    let told = format!("{}: {error} {:?}", case.name, error.place());
    assert!(used <= BASE_MEMORY + MEMORY_PER_BYTE * case.bytes.len(), "{told}: took {used} bytes");
    assert!(used > 0, "{told}: the counter saw nothing");
    assert_eq!(error.kind(), case.kind, "{told}");
    match (&case.at, error.place()) {
        (At::Line(line, column), Place::Line { line: l, column: c, length, text, text_column }) => {
            assert_eq!((line, column), (l, c), "{told}");
            // The mark must lie on the text that is shown, or just behind its end.
            assert!(*length >= 1 && c >= text_column && c - text_column <= text.chars().count(), "{told}");
            assert!(text.chars().count() <= 160, "{told}");
        }
        (At::Byte(offset), Place::Byte(found)) => assert_eq!(offset, found, "{told}"),
        (At::Item(item), Place::Item(found)) => assert_eq!(item, found, "{told}"),
        (At::File, Place::File) => {}
        (expected, _) => panic!("{told}: expected the place {expected:?}"),
    }
    assert_eq!(error.path(), Path::new("part.bin"), "{told}");
    assert!(error.to_string().contains("part.bin"), "{told}");
    for word in case.words {
        let all = format!("{} {}", error.message(), error.help().unwrap_or_default());
        assert!(all.contains(word), "{told}: expected '{word}'");
    }
}

fn check_all(cases: &[Case]) {
    cases.iter().for_each(check);
    println!("{} damaged files refused", cases.len());
}

/// A binary STL whose header claims `claimed` triangles and which has room for `real`.
fn binary_stl(claimed: u32, real: usize) -> Vec<u8> {
    let mut bytes = vec![b'x'; 80];
    bytes.extend(claimed.to_le_bytes());
    for t in 0..real {
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, t as f32]];
        bytes.extend(corners.iter().flatten().flat_map(|c: &f32| c.to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

/// A document with one triangle in a data address, with one part of it replaced.
fn document(replace: &str, by: &str) -> Vec<u8> {
    let whole = format!(
        r#"{{"asset":{{"version":"2.0"}},
"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
{{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":3}}],
"buffers":[{{"byteLength":39,"uri":"data:application/octet-stream;base64,{}"}}]}}"#,
        // Three corners (0,0,0), (1,0,0), (0,1,0) in f32 and the indices 0, 1, 2.
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"
    );
    assert!(replace.is_empty() || whole.contains(replace), "nothing to replace: {replace}");
    whole.replacen(replace, by, usize::from(!replace.is_empty())).into_bytes()
}

/// A folder for this test's files, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

#[test]
fn files_that_cannot_be_what_they_are_called_are_refused() {
    let folder = Folder::new();
    let options = ImportOptions::default();
    let refused = |path: &Path, kind: Kind, words: &[&str]| {
        let error = read_mesh(path, &options).unwrap_err();
        let all = format!("{error} {}", error.help().unwrap_or_default());
        assert_eq!((error.kind(), error.path()), (kind, path), "{all}");
        assert_eq!(error.place(), &Place::File, "{all}");
        for word in words {
            assert!(all.contains(word), "{all}: expected '{word}'");
        }
    };
    let cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let text_stl = b"solid a\nfacet normal 0 0 1\n";
    refused(&folder.0.path().join("missing.obj"), Kind::Unreadable, &["cannot be read"]);
    refused(folder.0.path(), Kind::Unreadable, &["folder"]);
    refused(&folder.file("empty.stl", b""), Kind::Empty, &["empty"]);
    refused(&folder.file("part.step", cube), Kind::UnknownFormat, &["'step'", "looks like OBJ"]);
    refused(&folder.file("part", b"??"), Kind::UnknownFormat, &["obj, stl, ply, gltf or glb"]);
    refused(&folder.file("a.stl", cube), Kind::WrongExtension, &["wrong extension", "STL", "OBJ"]);
    refused(&folder.file("a.obj", text_stl), Kind::WrongExtension, &["wrong extension", "content is STL"]);
    refused(&folder.file("b.obj", &binary_stl(2, 2)), Kind::WrongExtension, &["content is STL"]);
    refused(&folder.file("c.obj", b"ply\nformat ascii 1.0\n"), Kind::WrongExtension, &["content is PLY"]);
    refused(&folder.file("d.ply", &document("", "")), Kind::WrongExtension, &["content is glTF"]);
    refused(&folder.file("e.gltf", cube), Kind::WrongExtension, &["content is OBJ"]);

    let asked = ImportOptions { format: Some(Format::Ply), ..options.clone() };
    let error = read_mesh(folder.file("part.obj", cube), &asked).unwrap_err();
    assert!(error.message().contains("the given format is PLY, but the content is OBJ"), "{error}");
    let asked = ImportOptions { format: Some(Format::Obj), ..options.clone() };
    assert!(read_mesh(folder.file("part.txt", cube), &asked).is_ok());

    for uri in
        ["../x.bin", "/etc/hosts", "file:///etc/hosts", "https://example.org/x.bin", "%2e%2e/x.bin", "."]
    {
        let bytes = document(
            "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC",
            uri,
        );
        let error = read_mesh(folder.file("outside.gltf", &bytes), &options).unwrap_err();
        assert_eq!(error.kind(), Kind::Buffer, "{error}");
    }
}

#[test]
fn bad_scales_and_limits_are_refused() {
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\n";
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = ImportOptions { scale, ..ImportOptions::default() };
        let error = read_obj(obj, Path::new("a.obj"), &options).unwrap_err();
        assert_eq!(error.kind(), Kind::Options, "{error}");
        assert!(error.message().contains(&scale.to_string()), "{error}");
    }
    let options = ImportOptions { scale: 1e61, ..ImportOptions::default() };
    assert_eq!(read_obj(obj, Path::new("a.obj"), &options).unwrap_err().kind(), Kind::NonFinite);
    let options = ImportOptions { max_triangles: 1, ..ImportOptions::default() };
    let error = read_obj(obj, Path::new("a.obj"), &options).unwrap_err();
    assert_eq!(error.kind(), Kind::TooLarge, "{error}");
}

#[test]
fn a_byte_order_mark_before_text_is_stepped_over_and_utf_16_is_named() {
    let stl = "solid a\nfacet normal -1.#IND nan(ind) 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n\
               property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let gltf = String::from_utf8(document("", "")).unwrap();
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (format, text) in
        [(Format::Obj, obj), (Format::Stl, stl), (Format::Ply, ply), (Format::Gltf, gltf.as_str())]
    {
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_eq!(read(format, &marked).unwrap().mesh.triangles().len(), 1, "{format}");
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let error = read(format, &[b"\xff\xfe".as_slice(), &wide].concat()).unwrap_err();
        assert!(error.kind() == Kind::NotText && error.message().contains("UTF-16"), "{format}: {error}");
    }
}

#[test]
fn numbers_in_messages_are_short_and_corners_are_counted_as_the_file_does() {
    let comma = read(Format::Obj, b"v 1,5 0 0\n").unwrap_err();
    assert_eq!(comma.help(), Some("write a point, not a comma, before the decimals"));
    let huge = read(Format::Obj, b"v 1e300 -1e-300 0\n").unwrap_err();
    assert!(huge.message().contains("(1e300, -1e-300, 0.0)"), "{huge}");
    let corner = read(Format::Obj, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").unwrap_err();
    assert!(
        corner.message().contains("is vertex 9, but the file has 3 vertices, counted from 1"),
        "{corner}"
    );
}
