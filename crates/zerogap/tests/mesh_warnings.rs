//! What a mesh file holds and is not used, and what its numbers probably are not, is said by name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zerogap::dynamics::multibody::BodyId;
use zerogap::geometry::import::{Format, Skipped};
use zerogap::scene::Scene;
use zerogap::target::{MeshWarning, ReadOptions, Target};

/// Corners of a box of some size, and its triangles; without the last two it is open.
fn box_obj(size: f64, triangles: usize) -> String {
    let mut text = String::new();
    for k in 0..8 {
        let at = |bit: usize| if k >> bit & 1 == 1 { size } else { 0.0 };
        writeln!(text, "v {} {} {}", at(0), at(1), at(2)).unwrap();
    }
    let faces = [
        [1, 3, 4],
        [1, 4, 2],
        [5, 6, 8],
        [5, 8, 7],
        [1, 2, 6],
        [1, 6, 5],
        [3, 7, 8],
        [3, 8, 4],
        [1, 5, 7],
        [1, 7, 3],
        [2, 4, 8],
        [2, 8, 6],
    ];
    for [a, b, c] in &faces[..triangles] {
        writeln!(text, "f {a} {b} {c}").unwrap();
    }
    text
}

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn warnings(path: &Path, unit: Option<f64>) -> Vec<MeshWarning> {
    let options = ReadOptions { unit, ..ReadOptions::default() };
    match Target::read(path, &options).unwrap() {
        Target::Mesh { warnings, .. } => warnings,
        Target::Shape(_) | Target::Complex { .. } => panic!("a mesh was read"),
    }
}

#[test]
fn lines_and_points_of_an_obj_file_are_counted_where_they_are_left_out() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "mixed.obj", &(box_obj(1.0, 12) + "l 1 2 3\nl 4 5\np 1 2 3\n"));
    let skipped = Skipped { lines: 2, points: 3, curves: 0 };
    assert_eq!(warnings(&path, None), [MeshWarning::Skipped { path: path.clone(), skipped }]);
    let said = warnings(&path, None)[0].to_string();
    assert!(said.ends_with("mixed.obj: 2 lines and 3 points left out: a mesh has triangles only"), "{said}");
    assert_eq!(warnings(&file(&folder, "plain.obj", &box_obj(1.0, 12)), None), []);
}

#[test]
fn edges_of_a_ply_file_are_counted_too() {
    let folder = TempDir::new().unwrap();
    let text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_indices\nelement edge 2\nproperty int vertex1\nproperty int vertex2\n\
                end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n0 1\n1 2\n";
    let found = warnings(&file(&folder, "edges.ply", text), None);
    let [MeshWarning::Skipped { skipped, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(*skipped, Skipped { lines: 2, ..Skipped::default() });
}

#[test]
fn a_large_body_without_a_unit_is_pointed_at_and_a_given_unit_is_believed() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "bracket.obj", &box_obj(55.0, 12));
    let expected = MeshWarning::NoUnit { path: path.clone(), format: Format::Obj, size: [55.0; 3] };
    assert_eq!(warnings(&path, None), std::slice::from_ref(&expected));
    let said = expected.with_advice("--unit mm");
    assert!(said.contains("bracket.obj is 55 x 55 x 55 m"), "{said}");
    assert!(said.ends_with("OBJ files have no unit; give its unit: --unit mm"), "{said}");
    assert_eq!(warnings(&path, Some(1.0)), []);
    assert_eq!(warnings(&path, Some(1e-3)), []);
    assert_eq!(warnings(&file(&folder, "table.obj", &box_obj(2.0, 12)), None), []);
}

#[test]
fn a_scene_passes_on_the_warnings_of_its_meshes() {
    let folder = TempDir::new().unwrap();
    file(&folder, "bracket.obj", &(box_obj(55.0, 12) + "l 1 2\n"));
    let text = "[[fixed]]\nshape = \"bracket.obj\"\n[[bodies]]\nname = \"part\"\nshape = \"bracket.obj\"\nposition = [100, 0, 0]\n";
    let scene = Scene::parse(text, "", folder.path()).unwrap();
    assert_eq!(scene.warnings.len(), 4, "{:?}", scene.warnings);
    assert!(scene.warnings[1].contains("write scale = \"1 mm\""), "{:?}", scene.warnings);
    let said = text.replace("shape = \"bracket.obj\"", "shape = \"bracket.obj\"\nscale = \"1 mm\"");
    assert_eq!(Scene::parse(&said, "", folder.path()).unwrap().warnings.len(), 2);
}

#[test]
fn an_open_mesh_without_mass_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    file(&folder, "open.obj", &box_obj(1.0, 10));
    let text = "[[bodies]]\nname = \"part\"\nshape = \"open.obj\"\n";
    let error = Scene::parse(text, "", folder.path()).unwrap_err().report();
    assert!(error.contains("'open.obj': the surface is not a closed manifold"), "{error}");
    assert!(error.contains("give the body 'mass' and 'inertia'"), "{error}");
    let given = format!("{text}mass = 2\ninertia = [1, 1, 1]\n");
    assert!(Scene::parse(&given, "", folder.path()).is_ok());
}

#[test]
fn an_open_mesh_of_a_robot_weighs_what_its_tetrahedra_do() {
    let folder = TempDir::new().unwrap();
    file(&folder, "open.obj", &box_obj(1.0, 10));
    file(&folder, "closed.obj", &box_obj(1.0, 12));
    let mass = |mesh: &str| {
        let model = format!(
            "<mujoco><asset><mesh name=\"shell\" file=\"{mesh}\"/></asset><worldbody><body name=\"part\"><freejoint/>\
             <geom type=\"mesh\" mesh=\"shell\"/></body></worldbody></mujoco>"
        );
        let scene = Scene::read(&file(&folder, "robot.xml", &model)).unwrap();
        assert_eq!(scene.warnings, Vec::<String>::new());
        scene.builder.build().unwrap().tree().inertia(BodyId(0)).mass
    };
    assert!((mass("closed.obj") - 1000.0).abs() < 1e-9);
    // Without one face, with corners at the middle of the surface, a tenth below that of the cube, the tetrahedra have their centre 0.0875 below it, where they meet: four sixths for the sides and 0.4125 / 3 for the ground.
    assert!((mass("open.obj") - 1000.0 * (4.0 / 6.0 + 0.4125 / 3.0)).abs() < 1e-9, "{}", mass("open.obj"));
}
