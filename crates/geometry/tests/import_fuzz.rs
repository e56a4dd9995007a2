//! Random damage to valid files: no reader may panic, hang, or return a mesh that breaks its promises.
//!
//! Each target starts from small valid files and edits them, since random bytes never get past a header. By default every
//! target runs a few thousand files; `ZEROGAP_FUZZ_SECONDS=60 cargo test -p zerogap-geometry --test import_fuzz -- --test-threads
//! 1 --nocapture` gives each one that long. The targets are bolero's, so `cargo bolero test` can drive them with a coverage-guided
//! engine too.

mod mesh_samples;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mesh_samples::{cube, ring};
use zerogap_geometry::export::{ExportFormat, to_bytes};
use zerogap_geometry::import::{
    ImportError, ImportOptions, ImportedMesh, Place, read_gltf_with, read_obj, read_ply, read_stl,
};
use zerogap_testkit::random::Random;

/// Files per target when no time is given.
const ITERATIONS: usize = 20_000;

/// Maximum number of edits of one file: with more, hardly a file gets past its first lines.
const MAX_EDITS: usize = 3;

/// Maximum number of triangles that a damaged file may make; keeps a glTF that places one mesh many times from taking long.
const MAX_TRIANGLES: usize = 100_000;

/// One edit of a file: where (as a fraction of its length in 1/65536), what, and with which values.
type Edit = (u16, u8, u32);

type Reader = fn(&[u8], &ImportOptions) -> Result<ImportedMesh, ImportError>;

fn obj(bytes: &[u8], options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    read_obj(bytes, Path::new("fuzz.obj"), options)
}

fn stl(bytes: &[u8], options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    read_stl(bytes, Path::new("fuzz.stl"), options)
}

fn ply(bytes: &[u8], options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    read_ply(bytes, Path::new("fuzz.ply"), options)
}

fn gltf(bytes: &[u8], options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    // External buffers hold one fixed pattern, whatever they are called.
    read_gltf_with(bytes, Path::new("fuzz.gltf"), options, &mut |_, wanted| {
        Ok(vec![0x3f; wanted.min(4096) as usize])
    })
}

/// Words that lead deep into a reader, or far astray.
const WORDS: [&str; 40] = [
    "v",
    "f",
    "g",
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "4294967295",
    "18446744073709551615",
    "-9223372036854775808",
    "1/2/3",
    "//",
    "\\\n",
    "\n",
    "solid",
    "endsolid",
    "facet normal",
    "vertex",
    "element vertex",
    "element face 3",
    "property list uchar int",
    "property double x",
    "end_header",
    "vertex_indices",
    "ascii",
    "binary_big_endian",
    "\"count\":",
    "\"byteOffset\":",
    "\"byteStride\":",
    "\"bufferView\":",
    "\"children\":[0,1]",
    "\"sparse\":",
    "\"mode\":5",
    "\"matrix\":[",
    "5121",
    "{",
    "}",
    "[",
    "]",
];

/// Applies one edit.
fn apply(bytes: &mut Vec<u8>, (place, what, value): Edit) {
    let at = (bytes.len() * usize::from(place)) >> 16;
    let end = (at + 1 + (value as usize >> 8) % 16).min(bytes.len());
    let four = value.to_le_bytes();
    match what % 16 {
        0 if at < bytes.len() => bytes[at] ^= 1 << (value % 8),
        1 if at < bytes.len() => bytes[at] = four[0],
        2 => drop(bytes.splice(at..at, four)),
        3 => drop(bytes.drain(at..end)),
        4 => drop(bytes.splice(at..at, WORDS[value as usize % WORDS.len()].bytes())),
        5 => drop(bytes.splice(at..end, WORDS[value as usize % WORDS.len()].bytes())),
        // Counts and lengths are small numbers in little-endian words or digits in text: set them to the extremes.
        6 if at + 4 <= bytes.len() => {
            let extreme = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x7fc0_0000, 0x7f80_0000, value]
                [value as usize % 8];
            bytes[at..at + 4].copy_from_slice(&extreme.to_le_bytes());
        }
        // The gentlest edit comes most often, so that files stay nearly valid.
        7 | 12.. => {
            // The next number in the text becomes another one.
            if let Some(digit) = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()) {
                let stop = (digit..bytes.len()).find(|&i| !bytes[i].is_ascii_digit()).unwrap_or(bytes.len());
                let number = if value % 4 == 0 { value.to_string() } else { (value / 4 % 12).to_string() };
                drop(bytes.splice(digit..stop, number.bytes()));
            }
        }
        8 => bytes.truncate(at),
        // A piece of the file again, elsewhere.
        9 => {
            let piece = bytes[at..(at + value as usize % 64).min(bytes.len())].to_vec();
            let to = value as usize % (bytes.len() + 1);
            drop(bytes.splice(to..to, piece));
        }
        10 => {
            let to = value as usize % bytes.len().max(1);
            if at < bytes.len() {
                bytes.swap(at, to);
            }
        }
        _ => bytes.extend(four),
    }
}

/// Reads a damaged file and checks all that must hold whatever it was.
fn check(reader: Reader, bytes: &[u8], refused: &AtomicUsize) {
    let options = ImportOptions { max_triangles: MAX_TRIANGLES, ..ImportOptions::default() };
    match reader(bytes, &options) {
        Ok(ImportedMesh { mesh, groups, .. }) => {
            // The mesh keeps the promises of its constructor, and the questions that need nothing else have answers.
            assert!(mesh.triangles().len() <= MAX_TRIANGLES);
            assert!(mesh.triangles().iter().flatten().all(|&v| (v as usize) < mesh.vertices().len()));
            assert!(mesh.vertices().iter().flatten().all(|c| c.abs() <= zerogap_core::MAX_LENGTH));
            let mut end = 0;
            for group in &groups {
                assert!(group.first_triangle >= end && group.triangles > 0);
                end = group.first_triangle + group.triangles;
            }
            assert!(end <= mesh.triangles().len());
            let report = mesh.topology();
            assert!(
                report.area.is_finite() && report.signed_volume.is_finite() && !report.summary().is_empty()
            );
        }
        Err(error) => {
            refused.fetch_add(1, Ordering::Relaxed);
            assert!(!error.message().is_empty() && error.to_string().contains("fuzz."));
            match error.place() {
                Place::Line { line, column, length, text, text_column } => {
                    assert!(
                        *line >= 1 && *length >= 1 && column >= text_column && text.chars().count() <= 160
                    );
                }
                Place::Byte(offset) => assert!(*offset <= bytes.len() as u64 + 8),
                Place::Item(item) => assert!(!item.is_empty()),
                Place::File => {}
            }
        }
    }
}

/// Seconds per target, when they are given.
fn seconds() -> Option<u64> {
    std::env::var("ZEROGAP_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok())
}

/// Runs a target through bolero, then a plain soak with our own generator.
fn fuzz(name: &str, reader: Reader, seeds: &[Vec<u8>]) {
    let refused = AtomicUsize::new(0);
    for seed in seeds {
        check(reader, seed, &refused);
    }
    assert_eq!(refused.load(Ordering::Relaxed), 0, "{name}: a seed is no valid file");

    let runs = AtomicUsize::new(0);
    let mut target = bolero::check!();
    target = match seconds() {
        Some(seconds) => target.with_test_time(Duration::from_secs(seconds)).with_iterations(usize::MAX),
        None => target.with_iterations(ITERATIONS),
    };
    target.with_type::<(u8, Vec<Edit>)>().for_each(|(seed, edits)| {
        let mut bytes = seeds[usize::from(*seed) % seeds.len()].clone();
        edits.iter().take(MAX_EDITS).for_each(|edit| apply(&mut bytes, *edit));
        check(reader, &bytes, &refused);
        runs.fetch_add(1, Ordering::Relaxed);
    });

    let mut random = Random::new(2024);
    let soak = zerogap_testkit::count(ITERATIONS, 20 * ITERATIONS);
    for _ in 0..soak {
        let mut bytes = seeds[random.index(seeds.len())].clone();
        for _ in 0..=random.index(MAX_EDITS) {
            apply(&mut bytes, (random.bits() as u16, random.bits() as u8, random.bits() as u32));
        }
        check(reader, &bytes, &refused);
    }
    let runs = runs.into_inner();
    println!("{name}: {runs} files by bolero, {soak} by the soak, {} refused", refused.into_inner());
    assert!(runs > 0);
}

fn exported(format: ExportFormat) -> [Vec<u8>; 2] {
    [to_bytes(&cube(), format).unwrap(), to_bytes(&ring(5), format).unwrap()]
}

#[test]
fn damaged_obj_never_breaks_the_reader() {
    let mut seeds = exported(ExportFormat::Obj).to_vec();
    seeds.push(b"# all forms\nmtllib a.mtl\no part\nv 0 0 0\nv 1 0 0 1\nv 1 1 0 .1 .2 .3\nv 0 1 0\nv .5 .2 0\nvn 0 0 1\ng a b\nf 1/1/1 2//1 \\\n 3/1 -2 5\ng c\ns off\nf -5 -4 -3\n".to_vec());
    fuzz("obj", obj, &seeds);
}

#[test]
fn damaged_stl_never_breaks_the_reader() {
    let mut seeds = exported(ExportFormat::StlBinary).to_vec();
    seeds.extend(exported(ExportFormat::StlText));
    fuzz("stl", stl, &seeds);
}

#[test]
fn damaged_ply_never_breaks_the_reader() {
    let mut seeds = exported(ExportFormat::Ply).to_vec();
    seeds.push(b"ply\nformat ascii 1.0\ncomment x\nelement vertex 5\nproperty float x\nproperty double y\nproperty short z\nproperty list uchar int more\nelement face 2\nproperty uchar red\nproperty list uchar int vertex_indices\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0 1 7\n1 0 0 0\n1 1 0 0\n0 1 0 0\n0.5 0.2 0 2 1 2\n9 5 0 1 2 3 4\n9 3 0 1 2\n7 0 1 2 -1 2 3 4\n".to_vec());
    let mut big = b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement other 1\nproperty list ushort double values\nelement face 1\nproperty list uchar ushort vertex_index\nend_header\n".to_vec();
    big.extend([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32].iter().flat_map(|c| c.to_be_bytes()));
    big.extend([0, 1, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 2]);
    seeds.push(big);
    fuzz("ply", ply, &seeds);
}

#[test]
fn damaged_gltf_never_breaks_the_reader() {
    let mut seeds = exported(ExportFormat::Glb).to_vec();
    let positions = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC";
    seeds.push(
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"children":[1,2],"scale":[1,2,-1]}},{{"mesh":0,"rotation":[0,0,0,1],"translation":[1,2,3]}},{{"name":"b","mesh":1,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}},{{"name":"m","primitives":[{{"attributes":{{"POSITION":2}},"mode":5}},{{"attributes":{{"POSITION":3}},"mode":6}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},{{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}},
{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":1,"componentType":5121}},"values":{{"bufferView":0,"byteOffset":12}}}}}},
{{"bufferView":2,"byteOffset":8,"componentType":5126,"count":4,"type":"VEC3"}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":3}},{{"buffer":1,"byteOffset":4,"byteLength":96,"byteStride":20}}],
"buffers":[{{"byteLength":39,"uri":"data:application/octet-stream;base64,{positions}"}},{{"byteLength":128,"uri":"other.bin"}}]}}"#
        )
        .into_bytes(),
    );
    fuzz("gltf", gltf, &seeds);
}
