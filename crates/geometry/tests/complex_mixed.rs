//! Complexes of mixed dimension: from OBJ files and words, with the mass of sheets, wires and points.

use std::path::Path;

use zerogap_core::{Mat3, Vec3, store};
use zerogap_geometry::complex::{ComplexShape, PartKind, Simplices};
use zerogap_geometry::import::{ImportErrorKind, ImportOptions, Place, Skipped, read_complex, read_mesh};
use zerogap_geometry::target::{ReadOptions, Target};
use zerogap_geometry::{GeometryError, MassProperties, Shape};

/// Two triangles, a line of two pieces, a line with texture indices and two points.
const MIXED: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nv 5 0 0\n\
                     f 1 2 3\nf 1 3 4\nl 1 5 6\nl 2/1 3/1\np 7 -1\n";

fn file(name: &str, text: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("zerogap-mixed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn close(found: &MassProperties, expected: &MassProperties) {
    let scale = expected.mass;
    assert!((found.mass - expected.mass).abs() <= 1e-13 * scale, "{found:?} {expected:?}");
    assert!((found.center - expected.center).amax() <= 1e-13, "{found:?} {expected:?}");
    assert!((found.inertia - expected.inertia).amax() <= 1e-13 * scale, "{found:?} {expected:?}");
}

#[test]
fn lines_and_points_of_an_obj_file_are_read_in_a_complex_and_counted_in_a_mesh() {
    let path = file("mixed.obj", MIXED);
    let options = ImportOptions { scale: 0.5, ..ImportOptions::default() };
    let read = read_complex(&path, &options).unwrap();
    assert_eq!(read.simplices.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read.simplices.edges, [[0, 4], [4, 5], [1, 2]]);
    assert_eq!(read.simplices.points, [6, 6]);
    assert!(read.skipped.is_empty() && (read.simplices.vertices[5].z - 1.0).abs() < 1e-15);
    let complex = ComplexShape::new(read.simplices).unwrap();
    // The line between two corners of a triangle is its side and no wire.
    assert_eq!(complex.complex().wires().collect::<Vec<_>>(), [[0, 4], [4, 5]]);
    assert_eq!(complex.complex().lone_points().collect::<Vec<_>>(), [6]);
    let mesh = read_mesh(&path, &options).unwrap();
    assert_eq!(mesh.skipped, Skipped { lines: 2, points: 2, curves: 0 });
}

#[test]
fn a_file_of_lines_alone_is_a_complex_and_no_mesh() {
    let path = file("wire.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
    let refused = read_mesh(&path, &ImportOptions::default()).unwrap_err();
    assert_eq!(refused.kind(), ImportErrorKind::NoTriangles);
    assert!(refused.help().unwrap().contains("quasi-LMDs"), "{refused:?}");
    let options = ReadOptions { complex: true, ..ReadOptions::default() };
    let Target::Complex { complex, .. } = Target::read(&path, &options).unwrap() else { panic!("a complex") };
    assert_eq!(complex.simplices().edges, [[0, 1], [1, 2]]);
    // A file of triangles alone stays a mesh.
    let path = file("plain.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    assert!(matches!(Target::read(&path, &options).unwrap(), Target::Mesh { .. }));
}

#[test]
fn bad_lines_and_points_are_refused_at_their_place() {
    for (text, kind, at, part) in [
        ("v 0 0 0\nv 1 0 0\nl 1 3\n", ImportErrorKind::Index, (3, 5), "vertex 3 does not exist"),
        ("v 0 0 0\nv 1 0 0\nl 1\n", ImportErrorKind::Syntax, (3, 1), "at least 2"),
        ("v 0 0 0\nv 1 0 0\np\nf 1 1 1\n", ImportErrorKind::Syntax, (3, 1), "at least 1"),
        ("v 0 0 0\nv 1 0 0\nl 1 x\n", ImportErrorKind::Number, (3, 5), "'x'"),
        ("v 0 0 0\nv 1 0 0\nl 1 0\n", ImportErrorKind::Index, (3, 5), "vertex 0"),
    ] {
        let path = file("bad.obj", text);
        let error = read_complex(&path, &ImportOptions::default()).unwrap_err();
        assert_eq!(error.kind(), kind, "{text:?}: {error}");
        assert!(error.to_string().contains(part), "{error}");
        let Place::Line { line, column, .. } = error.place() else { panic!("{error:?}") };
        assert_eq!((*line, *column), at, "{text:?}");
    }
    let collapsed = file("collapsed.obj", "v 0 0 0\nv 0 0 0\nl 1 2\n");
    let options = ReadOptions { complex: true, ..ReadOptions::default() };
    let error = Target::read(&collapsed, &options).unwrap_err().to_string();
    assert!(error.contains("edge 0 has no length"), "{error}");
}

#[test]
fn sheets_wires_and_points_weigh_as_plates_cylinders_and_balls() {
    let e = 0.02;
    let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let sheet = Simplices {
        vertices: square.to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Simplices::default()
    };
    let place = |p: Vec3| zerogap_core::Pose::from_translation(p).unwrap();
    let plate = Shape::cuboid(Vec3::new(1.0, 2.0, 2.0 * e)).unwrap().mass_properties(700.0).unwrap();
    let plate = plate.transformed(&place(Vec3::new(0.5, 1.0, 0.0)));
    close(&ComplexShape::new(sheet.clone()).unwrap().mass_properties(700.0, e).unwrap(), &plate);

    // Two pieces of one straight line weigh as the cylinder of the whole.
    let vertices = vec![Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 0.0, 0.3), Vec3::new(5.0, 0.0, 1.0)];
    let wire = Simplices { vertices, edges: vec![[0, 1], [1, 2]], ..Simplices::default() };
    let rod = Shape::cylinder(e, 1.0).unwrap().mass_properties(700.0).unwrap();
    let rod = rod.transformed(&place(Vec3::new(5.0, 0.0, 0.5)));
    close(&ComplexShape::new(wire).unwrap().mass_properties(700.0, e).unwrap(), &rod);

    let ball = Shape::sphere(e).unwrap().mass_properties(700.0).unwrap();
    let ball = ball.transformed(&place(Vec3::new(0.0, 0.0, 3.0)));
    let point =
        Simplices { vertices: vec![Vec3::new(0.0, 0.0, 3.0)], points: vec![0], ..Simplices::default() };
    close(&ComplexShape::new(point).unwrap().mass_properties(700.0, e).unwrap(), &ball);

    // All of them with a joint in common: the wire starts at a corner of the sheet.
    let mut all = sheet;
    all.vertices.extend([Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 3.0)]);
    (all.edges, all.points) = (vec![[1, 4]], vec![5]);
    let rod = Shape::cylinder(e, 1.0).unwrap().mass_properties(700.0).unwrap();
    let rod = rod.transformed(&place(Vec3::new(1.0, 0.0, 0.5)));
    let found = ComplexShape::new(all).unwrap().mass_properties(700.0, e).unwrap();
    close(&found, &plate.combined(&rod).combined(&ball));
}

#[test]
fn volumes_weigh_what_they_enclose_and_nothing_without_thickness() {
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let vertices =
        vec![corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(0.0, 0.0, 1.0)];
    let solid = Simplices { vertices, tetrahedra: vec![[0, 1, 2, 3]], ..Simplices::default() };
    let shape = ComplexShape::new(solid.clone()).unwrap();
    assert_eq!(shape.complex().report().parts[0].kind, PartKind::Volume);
    let mass = shape.mass_properties(6.0, 0.1).unwrap();
    assert!((mass.mass - 1.0).abs() < 1e-14 && (mass.center - Vec3::repeat(0.25)).amax() < 1e-14);
    let inertia = Mat3::new(3.0, 0.5, 0.5, 0.5, 3.0, 0.5, 0.5, 0.5, 3.0) / 40.0;
    assert!((mass.inertia - inertia).amax() < 1e-14, "{}", mass.inertia);
    let line = Simplices { vertices: solid.vertices, edges: vec![[0, 1]], ..Simplices::default() };
    let thin = ComplexShape::new(line).unwrap().mass_properties(6.0, 0.0);
    assert_eq!(thin, Err(GeometryError::NoThickness));
}

#[test]
fn polylines_have_a_word_and_complexes_are_stored() {
    let word = "polyline:0,0,0,1,0,0,1,1,0";
    let shape: Shape = word.parse().unwrap();
    assert_eq!((shape.kind(), shape.word().as_deref()), ("complex", Some(word)));
    let again: Shape = store::from_bytes(&store::to_bytes(&shape).unwrap()).unwrap();
    assert_eq!(again, shape);
    for (wrong, part) in [("polyline:0,0,0", "coordinates"), ("polyline:0,0,0,0,0,0,1,0,0", "empty")] {
        let error = wrong.parse::<Shape>().unwrap_err().to_string();
        assert!(error.contains(part), "{wrong}: {error}");
    }
    let mixed = read_complex(file("again.obj", MIXED), &ImportOptions::default()).unwrap().simplices;
    let mixed = Shape::from(ComplexShape::new(mixed).unwrap());
    assert_eq!(mixed.word(), None);
    assert_eq!(mixed.to_string(), "complex of 7 simplices");
    assert!(mixed.mass_properties(1.0).is_err() && mixed.contains(&Vec3::zeros()).is_err());
    assert!(!Path::new("polyline").exists());
}
