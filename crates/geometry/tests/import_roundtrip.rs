//! What is written is read back: the same bits from text and PLY, the nearest f32 from binary STL and GLB.

mod mesh_samples;

use std::path::Path;

use mesh_samples::{ball, cube};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tempfile::TempDir;
use zerogap_core::Vec3;
use zerogap_geometry::TriangleMesh;
use zerogap_geometry::export::{
    ExportError, ExportFormat, to_bytes, write_mesh, write_mesh_as, write_obj_groups,
};
use zerogap_geometry::import::{ImportOptions, read_gltf, read_mesh, read_obj, read_ply, read_stl};
use zerogap_testkit::random::Random;

fn back(mesh: &TriangleMesh, format: ExportFormat) -> TriangleMesh {
    let bytes = to_bytes(mesh, format).unwrap();
    let (name, options) = (Path::new("part"), ImportOptions::default());
    let imported = match format {
        ExportFormat::Obj => read_obj(&bytes, name, &options),
        ExportFormat::StlBinary | ExportFormat::StlText => read_stl(&bytes, name, &options),
        ExportFormat::Ply => read_ply(&bytes, name, &options),
        ExportFormat::Glb => read_gltf(&bytes, name, &options),
    };
    imported.unwrap_or_else(|error| panic!("{format:?}: {error}")).mesh
}

fn bits(p: &Vec3) -> [u64; 3] {
    [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]
}

fn single(p: &Vec3) -> Vec3 {
    p.map(|c| f64::from(c as f32))
}

/// A mesh with coordinates of every size, both zeros and repeated corners.
fn wild_mesh(random: &mut Random, largest: f64) -> TriangleMesh {
    let n = 3 + random.index(20);
    let vertices = (0..n)
        .map(|_| {
            Vec3::from_fn(|_, _| match random.index(6) {
                0 => 0.0,
                1 => -0.0,
                2 => random.range(-largest, largest),
                3 => random.range(-1.0, 1.0) * 1e-310,
                _ => random.range(-1.0, 1.0),
            })
        })
        .collect();
    let triangles = (0..=random.index(20)).map(|_| [0; 3].map(|_: u32| random.index(n) as u32)).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn obj_and_ply_keep_every_bit(seed: u64) {
        let mesh = wild_mesh(&mut Random::new(seed), 1e60);
        for format in [ExportFormat::Obj, ExportFormat::Ply] {
            let read = back(&mesh, format);
            prop_assert_eq!(read.triangles(), mesh.triangles());
            let (a, b): (Vec<_>, Vec<_>) = (read.vertices().iter().map(bits).collect(), mesh.vertices().iter().map(bits).collect());
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn glb_keeps_the_nearest_f32_and_all_triangles(seed: u64) {
        let mesh = wild_mesh(&mut Random::new(seed), 1e30);
        let read = back(&mesh, ExportFormat::Glb);
        prop_assert_eq!(read.triangles(), mesh.triangles());
        let expected: Vec<Vec3> = mesh.vertices().iter().map(single).collect();
        prop_assert_eq!(read.vertices(), expected.as_slice());
    }

    #[test]
    fn stl_keeps_every_bit_in_text_and_the_nearest_f32_in_binary(seed: u64) {
        let mesh = wild_mesh(&mut Random::new(seed), 1e30);
        let exact: Vec<[Vec3; 3]> = mesh.corner_triples().collect();
        let rounded: Vec<[Vec3; 3]> = mesh.corner_triples().map(|t| t.map(|p| single(&p))).collect();
        prop_assert_eq!(back(&mesh, ExportFormat::StlText).corner_triples().collect::<Vec<_>>(), exact);
        prop_assert_eq!(back(&mesh, ExportFormat::StlBinary).corner_triples().collect::<Vec<_>>(), rounded);
    }

    #[test]
    fn the_scale_of_the_reader_is_the_scale_of_the_mesh(seed: u64, scale in 1e-6..1e6) {
        let mesh = wild_mesh(&mut Random::new(seed), 1e20);
        let options = ImportOptions { scale, ..ImportOptions::default() };
        let bytes = to_bytes(&mesh, ExportFormat::Ply).unwrap();
        prop_assert_eq!(read_ply(&bytes, Path::new("a.ply"), &options).unwrap().mesh, mesh.scaled(scale).unwrap());
    }
}

/// A folder for one test's files, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn files_are_written_by_their_extension_and_read_back() {
    let folder = Folder::new();
    let mesh = ball(2);
    for name in ["a.obj", "b.ply", "c.STL", "d.glb"] {
        let path = folder.0.path().join(name);
        write_mesh(&mesh, &path).unwrap();
        let read = read_mesh(&path, &ImportOptions::default()).unwrap().mesh;
        let report = read.topology();
        assert_eq!((report.triangles, report.summary().as_str()), (128, "closed manifold"), "{name}");
    }
    write_mesh_as(&cube(), &folder.0.path().join("e.stl"), ExportFormat::StlText).unwrap();
    assert!(std::fs::read_to_string(folder.0.path().join("e.stl")).unwrap().starts_with("solid"));
    assert_eq!(
        read_mesh(folder.0.path().join("e.stl"), &ImportOptions::default())
            .unwrap()
            .mesh
            .topology()
            .welded_vertices,
        8
    );
    // Writing again replaces, and nothing temporary stays.
    write_mesh(&cube(), &folder.0.path().join("a.obj")).unwrap();
    assert_eq!(read_mesh(folder.0.path().join("a.obj"), &ImportOptions::default()).unwrap().mesh, cube());
    assert_eq!(folder.names(), ["a.obj", "b.ply", "c.STL", "d.glb", "e.stl"]);
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new();
    let path = folder.0.path().join("part.stl");
    write_mesh(&cube(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let huge = cube().scaled(1e50).unwrap();
    let error = write_mesh(&huge, &path).unwrap_err();
    let ExportError::Mesh { source, .. } = &error else { panic!("{error}") };
    assert!(matches!(**source, ExportError::OutOfRange { vertex: 4, .. }), "{error}");
    assert!(error.to_string().contains("3.4e38") && error.to_string().contains("part.stl"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // A folder in the way makes the last step fail.
    std::fs::create_dir_all(folder.0.path().join("taken.obj/inside")).unwrap();
    assert!(matches!(write_mesh(&cube(), &folder.0.path().join("taken.obj")), Err(ExportError::Io { .. })));
    assert!(matches!(
        write_mesh(&cube(), &folder.0.path().join("no/such/folder.obj")),
        Err(ExportError::Io { .. })
    ));
    assert!(matches!(
        write_mesh(&cube(), &folder.0.path().join("part.step")),
        Err(ExportError::UnknownFormat { .. })
    ));
    assert_eq!(folder.names(), ["part.stl", "taken.obj"]);
}

#[test]
fn no_group_name_can_damage_the_file_that_it_stands_in() {
    let folder = Folder::new();
    let path = folder.0.path().join("groups.obj");
    for name in ["back\\", "\\", "#lost", "two words", "nul\0", "bell\x07", "", "umläut", "line\nv 0 0 0"] {
        let groups = [(String::from(name), cube()), (String::from("second"), cube())];
        write_obj_groups(&groups, &path).unwrap();
        let read = read_mesh(&path, &ImportOptions::default()).unwrap();
        assert_eq!(read.mesh, cube().merged(&cube()).unwrap(), "{name:?}");
        assert_eq!(read.groups[0].name.chars().count(), name.chars().count(), "{name:?}");
        assert_eq!(read.groups[1].name, "second", "{name:?}");
    }
}
