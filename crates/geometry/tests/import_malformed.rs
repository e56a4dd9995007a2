//! Damaged and hostile files: each is refused with its kind, place and words, and none makes the reader take much memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_geometry::import::{
    Format, ImportError, ImportErrorKind as Kind, ImportOptions, ImportedMesh, Place, read_gltf_with,
    read_mesh, read_obj, read_ply, read_stl,
};

/// Counts what is allocated, so that the tests can see a reader that believes a file's claims.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "the allocator interface is unsafe; this one only counts and forwards")]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test measures at a time: the counters are shared by all threads.
static MEASURING: Mutex<()> = Mutex::new(());

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
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = read(case.format, &case.bytes);
    let used = PEAK.load(Ordering::Relaxed) - before;
    let error = result.map(|_| ()).expect_err(case.name);
    let told = format!("{}: {error} {:?}", case.name, error.place());
    assert!(used <= BASE_MEMORY + MEMORY_PER_BYTE * case.bytes.len(), "{told}: took {used} bytes");
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
    let _alone = MEASURING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    cases.iter().for_each(check);
    println!("{} damaged files refused", cases.len());
}

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
            &["'vertex'", "no statement"],
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
        ply("one face too many", text("1", "3 0 1 2\n3 0 1 2\n").as_bytes(), Kind::Count, At::Line(14, 1), &["bytes follow"]),
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
        ply("bytes after the end", &binary(le, [0, 1, 2], b"\x01\x02"), Kind::Count, At::Byte(start(le) + 49), &["2 bytes follow"]),
        ply(
            "four billion rows of nothing",
            b"ply\nformat ascii 1.0\nelement vertex 0\nproperty int x\nproperty int y\nproperty int z\nelement void 4000000000\nend_header\n",
            Kind::NoTriangles,
            At::File,
            &["no triangles"],
        ),
    ]);
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

/// A GLB file from a document, with `binary` as its buffer.
fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    for word in [2, (28 + json.len() + binary.len()) as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

#[test]
fn the_undamaged_document_is_read() {
    let mesh = read(Format::Gltf, &document("", "")).unwrap().mesh;
    assert_eq!(mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(mesh.vertices()[1], zerogap_core::Vec3::x());
}

#[test]
fn damaged_gltf_files_are_refused_with_their_place() {
    let gltf = |name, bytes: &[u8], kind, at, words| case(name, Format::Gltf, bytes, kind, at, words);
    let changed = |name, replace, by, kind, at, words| gltf(name, &document(replace, by), kind, at, words);
    let json = r#"{"asset":{"version":"2.0"},"meshes":[]}"#;
    let mut chunk_lies = glb(json, &[0; 4]);
    chunk_lies[12..16].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    let mut total_lies = glb(json, &[0; 4]);
    total_lies[8..12].copy_from_slice(&4_000_000_000_u32.to_le_bytes());
    let mut no_json = glb(json, &[0; 4]);
    no_json[16..20].copy_from_slice(b"BIN\0");
    let mut old = glb(json, &[0; 4]);
    old[4] = 1;
    let nested = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(100_000));
    let many_nodes =
        format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}", "{},".repeat(300_000));
    check_all(&[
        gltf("empty", b"", Kind::Truncated, At::Line(1, 1), &["JSON"]),
        gltf(
            "json syntax",
            b"{\"asset\":\n  {\"version\" \"2.0\"}}",
            Kind::Syntax,
            At::Line(2, 14),
            &["expected `:`"],
        ),
        gltf("json ends early", b"{\"asset\":", Kind::Truncated, At::Line(1, 9), &["EOF"]),
        gltf("json nested deeply", nested.as_bytes(), Kind::Truncated, At::Line(1, 100_036), &["EOF"]),
        gltf(
            "a node in every three bytes",
            many_nodes.as_bytes(),
            Kind::NoTriangles,
            At::File,
            &["no triangles"],
        ),
        gltf("not an object", b" []", Kind::Syntax, At::Line(1, 2), &["JSON object", "'['"]),
        changed("version 1", "\"2.0\"", "\"1.0\"", Kind::Unsupported, At::Item("asset.version"), &["1.0"]),
        changed(
            "compression",
            "\"scene\":0",
            "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
            Kind::Unsupported,
            At::Item("extensionsRequired"),
            &["draco", "without compression"],
        ),
        changed(
            "missing scene",
            "\"scene\":0",
            "\"scene\":9",
            Kind::Index,
            At::Item("scene"),
            &["scenes[9]"],
        ),
        changed(
            "missing node",
            "\"nodes\":[0]",
            "\"nodes\":[4]",
            Kind::Index,
            At::Item("scenes[0].nodes"),
            &["nodes[4]"],
        ),
        changed(
            "missing mesh",
            "\"mesh\":0",
            "\"mesh\":2",
            Kind::Index,
            At::Item("nodes[0].mesh"),
            &["meshes[2]"],
        ),
        changed(
            "missing accessor",
            "\"POSITION\":0",
            "\"POSITION\":5",
            Kind::Index,
            At::Item("meshes[0].primitives[0].attributes.POSITION"),
            &["accessors[5]", "2 accessors"],
        ),
        changed(
            "no positions",
            "\"POSITION\":0",
            "\"NORMAL\":0",
            Kind::Unsupported,
            At::Item("meshes[0].primitives[0].attributes"),
            &["POSITION"],
        ),
        changed(
            "missing view",
            "\"bufferView\":0",
            "\"bufferView\":7",
            Kind::Index,
            At::Item("accessors[0].bufferView"),
            &["bufferViews[7]"],
        ),
        changed(
            "missing buffer",
            "\"buffer\":0",
            "\"buffer\":1",
            Kind::Index,
            At::Item("bufferViews[0].buffer"),
            &["buffers[1]"],
        ),
        changed(
            "accessor out of bounds",
            "\"count\":3",
            "\"count\":4",
            Kind::Count,
            At::Item("accessors[0]"),
            &["4 elements", "36 bytes"],
        ),
        changed(
            "accessor count overflows",
            "\"count\":3",
            "\"count\":18446744073709551615",
            Kind::Count,
            At::Item("accessors[0]"),
            &["18446744073709551615 elements"],
        ),
        changed(
            "accessor of nothing",
            "\"count\":3",
            "\"count\":0",
            Kind::Count,
            At::Item("accessors[0].count"),
            &["no elements"],
        ),
        changed(
            "zeros without end",
            "\"bufferView\":0,\"componentType\":5126,\"count\":3",
            "\"componentType\":5126,\"count\":4000000000",
            Kind::Count,
            At::Item("accessors[0].count"),
            &["without a bufferView"],
        ),
        changed("negative count", "\"count\":3", "\"count\":-3", Kind::Syntax, At::Line(5, 60), &["-3"]),
        changed(
            "unknown component",
            "5126",
            "5124",
            Kind::Syntax,
            At::Item("accessors[0].componentType"),
            &["5124"],
        ),
        changed(
            "positions in two dimensions",
            "VEC3",
            "VEC2",
            Kind::Syntax,
            At::Item("accessors[0]"),
            &["VEC2"],
        ),
        changed("indices as f32", "5121", "5126", Kind::Syntax, At::Item("accessors[1]"), &["SCALAR"]),
        changed(
            "view out of bounds",
            "\"byteOffset\":36,\"byteLength\":3",
            "\"byteOffset\":37,\"byteLength\":3",
            Kind::Count,
            At::Item("bufferViews[1]"),
            &["from byte 37"],
        ),
        changed(
            "view offset overflows",
            "\"byteOffset\":36",
            "\"byteOffset\":18446744073709551615",
            Kind::Count,
            At::Item("bufferViews[1]"),
            &["18446744073709551615"],
        ),
        changed(
            "stride too small",
            "\"byteLength\":36}",
            "\"byteLength\":36,\"byteStride\":4}",
            Kind::Count,
            At::Item("bufferViews[0].byteStride"),
            &["4 bytes", "12 bytes"],
        ),
        changed(
            "buffer longer than its content",
            "\"byteLength\":39",
            "\"byteLength\":40",
            Kind::Truncated,
            At::Item("buffers[0].byteLength"),
            &["40 bytes", "39"],
        ),
        changed(
            "index out of range",
            "AAEC\"",
            "AAED\"",
            Kind::Index,
            At::Item("accessors[1]"),
            &["vertex 3", "3 vertices"],
        ),
        changed(
            "bad base64",
            "AAAAAAAA",
            "AAA*AAAA",
            Kind::Buffer,
            At::Item("buffers[0].uri"),
            &["letter 3", "'*'"],
        ),
        changed("no base64", ";base64,", ",", Kind::Unsupported, At::Item("buffers[0].uri"), &["base64"]),
        changed(
            "nan vertex",
            "AACAPw",
            "AADAfw",
            Kind::NonFinite,
            At::Item("accessors[0] element 1"),
            &["NaN"],
        ),
        changed(
            "missing file",
            "data:application/octet-stream;base64,",
            "gone.bin?",
            Kind::Buffer,
            At::Item("buffers[0].uri"),
            &["gone.bin", "no such file"],
        ),
        changed(
            "buffer without content",
            ",\"uri\":",
            ",\"name\":",
            Kind::Buffer,
            At::Item("buffers[0]"),
            &["no uri"],
        ),
        changed(
            "node below itself",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"children\":[0]}",
            Kind::Syntax,
            At::Item("scenes[0].nodes"),
            &["node 0 is below another"],
        ),
        changed(
            "nodes in a circle",
            "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\n\"nodes\":[{\"mesh\":0}]",
            "\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"children\":[0]}]",
            Kind::Syntax,
            At::Item("nodes"),
            &["no node is a root"],
        ),
        changed(
            "node with two parents",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"children\":[1,1]},{}",
            Kind::Syntax,
            At::Item("nodes[0].children"),
            &["already a child"],
        ),
        changed(
            "rotation of no length",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"rotation\":[0,0,0,0]}",
            Kind::NonFinite,
            At::Item("nodes[0].rotation"),
            &["no direction"],
        ),
        changed(
            "unknown mode",
            "\"indices\":1",
            "\"mode\":7",
            Kind::Syntax,
            At::Item("meshes[0].primitives[0].mode"),
            &["mode 7"],
        ),
        changed(
            "corners that make no triangles",
            "\"count\":3,\"type\":\"SCALAR\"",
            "\"count\":2,\"type\":\"SCALAR\"",
            Kind::Count,
            At::Item("meshes[0].primitives[0]"),
            &["2 corners"],
        ),
        gltf("glb chunk length lies", &chunk_lies, Kind::Truncated, At::Byte(12), &["4294967280 bytes"]),
        gltf("glb length lies", &total_lies, Kind::Truncated, At::Byte(8), &["4000000000 bytes"]),
        gltf("glb without json", &no_json, Kind::Syntax, At::Byte(16), &["expected JSON"]),
        gltf("glb of version 1", &old, Kind::Unsupported, At::Byte(4), &["version 1"]),
        gltf("glb header alone", b"glTF\x02\0\0\0", Kind::Truncated, At::Byte(8), &["length of the file"]),
        gltf("glb with nothing in it", &glb(json, &[]), Kind::NoTriangles, At::File, &["no triangles"]),
        gltf("glb with broken json", &glb("{\"asset\":!", &[]), Kind::Syntax, At::Byte(29), &["JSON"]),
    ]);
}

/// A folder for this test's files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("zerogap-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_that_cannot_be_what_they_are_called_are_refused() {
    let _alone = MEASURING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = Folder::new("malformed");
    let options = ImportOptions::default();
    let refused = |path: &Path, kind: Kind, words: &[&str]| {
        let error = read_mesh(path, &options).unwrap_err();
        let all = format!("{error} {}", error.help().unwrap_or_default());
        assert_eq!((error.kind(), error.path()), (kind, path), "{all}");
        assert_eq!(error.place(), &Place::File, "{all}");
        words.iter().for_each(|word| assert!(all.contains(word), "{all}: expected '{word}'"));
    };
    let cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let text_stl = b"solid a\nfacet normal 0 0 1\n";
    refused(&folder.0.join("missing.obj"), Kind::Unreadable, &["cannot be read"]);
    refused(&folder.0, Kind::Unreadable, &["folder"]);
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
    let error = read_mesh(&folder.file("part.obj", cube), &asked).unwrap_err();
    assert!(error.message().contains("PLY was asked for, but the content is OBJ"), "{error}");
    let asked = ImportOptions { format: Some(Format::Obj), ..options.clone() };
    assert!(read_mesh(&folder.file("part.txt", cube), &asked).is_ok());

    for uri in
        ["../x.bin", "/etc/hosts", "file:///etc/hosts", "https://example.org/x.bin", "%2e%2e/x.bin", "."]
    {
        let bytes = document(
            "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC",
            uri,
        );
        let error = read_mesh(&folder.file("outside.gltf", &bytes), &options).unwrap_err();
        assert_eq!(error.kind(), Kind::Buffer, "{error}");
    }
}

#[test]
fn bad_scales_and_limits_are_refused() {
    let _alone = MEASURING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
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
