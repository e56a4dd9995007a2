//! Simplicial complexes: classes of faces, what is a volume and what a shell, repairs, insets, refinement.

use std::path::Path;

use zerogap_core::Vec3;
use zerogap_geometry::complex::{Complex, ComplexError, ComplexOptions, PartKind, Simplices, Treatment};
use zerogap_geometry::import::{ImportOptions, read_mesh};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder, Rounded, Sphere, Triangle};
use zerogap_geometry::{ConvexShape, TriangleMesh};
use zerogap_testkit::solids::{self, Arrays};

fn mesh((vertices, triangles): Arrays) -> TriangleMesh {
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn complex(arrays: Arrays) -> Complex {
    Complex::from_mesh(&mesh(arrays), &ComplexOptions::default()).unwrap()
}

fn line(points: &[[f64; 3]]) -> Complex {
    let vertices = points.iter().map(|p| Vec3::from(*p)).collect();
    let edges = (1..points.len() as u32).map(|k| [k - 1, k]).collect();
    let points = if points.len() == 1 { vec![0] } else { vec![] };
    Complex::new(&Simplices { vertices, edges, points, ..Simplices::default() }, &ComplexOptions::default())
        .unwrap()
}

#[test]
fn every_face_of_known_solids_has_its_class() {
    for (name, found, classes) in [
        ("cube", complex(solids::cube()), [8, 0, 12, 0, 0, 6, 12, 0]),
        ("octahedron", complex(solids::octahedron()), [6, 0, 12, 0, 0, 0, 8, 0]),
        ("icosphere", complex(solids::icosphere(1)), [42, 0, 120, 0, 0, 0, 80, 0]),
        ("2x2 grid", complex(solids::grid(1.0, 1.0, 2, 2)), [4, 4, 8, 0, 1, 8, 8, 0]),
        ("1x1 grid", complex(solids::grid(1.0, 1.0, 1, 1)), [4, 0, 4, 0, 0, 1, 2, 0]),
        ("L prism", complex(solids::l_prism(1.0)), [10, 0, 17, 2, 0, 12, 20, 1]),
        ("through hole", complex(solids::block_with_hole(2.0, 1.0, 2.0, None)), [8, 0, 20, 8, 0, 24, 32, 4]),
        (
            "blind hole",
            complex(solids::block_with_hole(2.0, 1.0, 2.0, Some(0.5))),
            [8, 0, 16, 4, 0, 18, 28, 12],
        ),
        ("straight line", line(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), [2, 1, 2, 0, 0, 0, 0, 0]),
        ("bent line", line(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]]), [3, 0, 2, 0, 0, 0, 0, 0]),
        ("point", line(&[[0.0; 3]]), [1, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        assert_eq!(found.report().classes, classes, "{name}");
    }
}

#[test]
fn classes_do_not_change_with_size_place_or_turn() {
    let pose = zerogap_core::Pose::new(Vec3::new(3.0, -40.0, 7.0), [0.1, 0.2, -0.3, 0.9]).unwrap();
    for arrays in [solids::cube(), solids::l_prism(1.0), solids::block_with_hole(2.0, 1.0, 2.0, Some(0.5))] {
        let plain = complex(arrays.clone());
        for scale in [1e-4, 1.0, 1e4] {
            let moved = mesh(arrays.clone()).transformed(&pose).unwrap().scaled(scale).unwrap();
            let found = Complex::from_mesh(&moved, &ComplexOptions::default()).unwrap();
            assert_eq!(found.report().classes, plain.report().classes, "{scale}");
        }
    }
}

#[test]
fn refining_flat_faces_adds_flat_classes_only() {
    for (arrays, sharp) in
        [(solids::cube(), [8, 12 * 3, 12 * 4]), (solids::block_with_hole(2.0, 1.0, 2.0, None), [8, 20, 20])]
    {
        let coarse = complex(arrays.clone()).report().classes;
        let fine = mesh(arrays).refined(0.3).unwrap();
        let found = Complex::from_mesh(&fine.mesh, &ComplexOptions::default()).unwrap().report().classes;
        assert_eq!(found[0], coarse[0]);
        assert_eq!(found[0], sharp[0]);
        assert_eq!(found[3], coarse[3]);
        assert!(found[1] > 0 && found[4] > 0 && found[2] > coarse[2]);
        // A crease of n pieces has n - 1 vertices inside.
        assert_eq!(found[2] - found[1], coarse[2]);
    }
}

#[test]
fn an_open_or_crowded_mesh_is_a_shell_and_says_why() {
    let (vertices, mut triangles) = solids::cube();
    triangles.pop();
    let open = complex((vertices.clone(), triangles));
    assert_eq!(open.report().parts[0].kind, PartKind::Shell);
    assert_eq!(open.report().parts[0].to_string(), "shell of 11 triangles (3 edges with one triangle)");
    assert!(open.report().has_shell());
    // A fin on a cube: one edge with three triangles, two without a neighbour.
    let (mut vertices, mut triangles) = solids::cube();
    vertices.push(Vec3::new(2.0, 2.0, 2.0));
    triangles.push([0, 1, 8]);
    let crowded = complex((vertices, triangles));
    assert_eq!(
        crowded.report().parts[0].reason(),
        "2 edges with one triangle, 1 edge with three or more triangles"
    );
    // Asked for a volume, it is refused; asked for a shell, a cube is one.
    let volume = ComplexOptions { treatment: Treatment::Volume, ..ComplexOptions::default() };
    let (vertices, mut triangles) = solids::cube();
    triangles.pop();
    let refused = Complex::from_mesh(&mesh((vertices, triangles)), &volume);
    assert!(matches!(refused, Err(ComplexError::NotAVolume { .. })), "{refused:?}");
    let shell = ComplexOptions { treatment: Treatment::Shell, ..ComplexOptions::default() };
    let shell = Complex::from_mesh(&mesh(solids::cube()), &shell).unwrap();
    assert_eq!(shell.report().parts[0].reason(), "requested");
    assert_eq!(shell.report().classes, [8, 0, 12, 0, 0, 6, 12, 0]);
}

#[test]
fn inside_out_solids_are_turned_and_hollows_stay_hollows() {
    let inside_out = Complex::from_mesh(&mesh(solids::cube()).flipped(), &ComplexOptions::default()).unwrap();
    assert_eq!(inside_out.report().parts[0].kind, PartKind::Volume);
    assert_eq!(inside_out.report().turned, 12);
    assert!(inside_out.contains(&Vec3::new(0.1, 0.2, 0.3)));
    let outer = mesh(solids::cuboid([-2.0; 3], [2.0; 3]));
    let hollow = outer.merged(&mesh(solids::cube())).unwrap();
    let hollow = Complex::from_mesh(&hollow, &ComplexOptions::default()).unwrap();
    let kinds: Vec<PartKind> = hollow.report().parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Volume, PartKind::Cavity]);
    // The walls of a hollow are reflex: its corners and edges are never touched.
    assert_eq!(hollow.report().classes, [8, 0, 12, 0, 0, 12, 24, 8 + 12]);
    assert!(!hollow.contains(&Vec3::zeros()) && hollow.contains(&Vec3::new(1.0, 0.0, 0.0)));
}

#[test]
fn triangles_without_area_are_mended_or_refused_by_number() {
    // A corner in the middle of an edge of the cube, on one side only: a flat triangle closes the seam.
    let (mut vertices, triangles) = solids::cube();
    let [a, b] = [0, 1];
    let n = vertices.len() as u32;
    vertices.push(0.5 * vertices[a as usize] + 0.5 * vertices[b as usize]);
    let split = triangles.iter().position(|t| t.contains(&a) && t.contains(&b)).unwrap();
    let k = (0..3).find(|&k| !triangles[split][k].eq(&a) && !triangles[split][k].eq(&b)).unwrap();
    let [apex, p, q] = [0, 1, 2].map(|j| triangles[split][(k + j) % 3]);
    let mut cut = triangles.clone();
    cut[split] = [apex, p, n];
    cut.push([apex, n, q]);
    cut.push([p, q, n]);
    let flat = cut.len() as u32 - 1;
    let cube = mesh((vertices, cut));
    let mended = Complex::from_mesh(&cube, &ComplexOptions::default()).unwrap();
    assert_eq!(mended.report().mended, [flat]);
    assert_eq!(mended.report().parts[0].kind, PartKind::Volume);
    assert_eq!(mended.report().classes[0], 8);
    assert_eq!(mended.report().classes[1], 1);
    let refused = ComplexOptions { refuse_degenerate: true, ..ComplexOptions::default() };
    assert_eq!(
        Complex::from_mesh(&cube, &refused).unwrap_err(),
        ComplexError::DegenerateTriangle { triangle: flat, count: 1 }
    );
    let nothing = Simplices { vertices: vec![Vec3::zeros(); 2], edges: vec![[0, 1]], ..Simplices::default() };
    let refused = Complex::new(&nothing, &ComplexOptions::default());
    assert!(matches!(refused, Err(ComplexError::DegenerateEdge { edge: 0, .. })), "{refused:?}");
}

#[test]
fn repeated_triangles_count_once_and_unwelded_corners_are_welded() {
    let (vertices, mut triangles) = solids::cube();
    triangles.push(triangles[3]);
    let soup: Vec<Vec3> = triangles.iter().flatten().map(|&k| vertices[k as usize]).collect();
    let count = triangles.len() as u32;
    let soup = mesh((soup, (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()));
    let found = Complex::from_mesh(&soup, &ComplexOptions::default()).unwrap();
    assert_eq!(found.report().duplicates, [12]);
    assert_eq!(found.report().welded_vertices, 39 - 8);
    assert_eq!(found.report().classes, [8, 0, 12, 0, 0, 6, 12, 0]);
}

#[test]
fn shapes_become_points_segments_and_solids() {
    let options = ComplexOptions { dilation: 0.01, ..ComplexOptions::default() };
    let ball = Complex::from_shape(&Sphere::new(0.5).unwrap().into(), &options).unwrap();
    assert_eq!((ball.report().classes[0], ball.dilation()), (1, 0.51));
    let capsule = Complex::from_shape(&Capsule::new(0.2, 1.0).unwrap().into(), &options).unwrap();
    assert_eq!((capsule.report().classes[2], capsule.dilation()), (1, 0.01 + 0.2));
    let cube = ConvexShape::from(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
    let rounded = Complex::from_shape(&cube.clone().rounded(0.1).unwrap(), &options).unwrap();
    assert!((rounded.dilation() - 0.11).abs() < 1e-15);
    assert_eq!(rounded.report().classes, [8, 0, 12, 0, 0, 6, 12, 0]);
    let curved = Complex::from_shape(&Cylinder::new(0.5, 1.0).unwrap().into(), &options);
    assert!(matches!(curved, Err(ComplexError::Curved { shape: "cylinder" })), "{curved:?}");
}

#[test]
fn a_filled_solid_is_its_boundary() {
    let (vertices, _) = solids::cube();
    let kuhn = [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];
    let filled = Complex::from_tetrahedra(&vertices, &kuhn, &ComplexOptions::default()).unwrap();
    assert_eq!(filled.report().classes, [8, 0, 12, 0, 0, 6, 12, 0]);
    assert_eq!(filled.report().parts[0].kind, PartKind::Volume);
    let flat = Complex::from_tetrahedra(&vertices, &[[0, 1, 2, 3]], &ComplexOptions::default());
    assert_eq!(flat.unwrap_err(), ComplexError::DegenerateTetrahedron { tetrahedron: 0 });
}

#[test]
fn an_inset_cube_grows_back_to_its_faces() {
    let options = ComplexOptions { dilation: 0.1, inset: true, ..ComplexOptions::default() };
    let cube = Complex::from_mesh(&mesh(solids::cube()), &options).unwrap();
    assert!((cube.bounding_box().size() - Vec3::repeat(0.8)).amax() < 1e-14);
    let inset = cube.report().inset.unwrap();
    assert!(inset.plane_error < 1e-15);
    // The corners are rounded off: the diagonal of the small cube less the radius.
    assert!((inset.corner_error - 0.1 * (3.0_f64.sqrt() - 1.0)).abs() < 1e-14);
    // Reflex corners move into the hole's walls, so that the hole keeps its width.
    let hole = mesh(solids::block_with_hole(2.0, 1.0, 2.0, None));
    let hole = Complex::from_mesh(&hole, &options).unwrap();
    assert!(hole.vertices().iter().any(|p| (p - Vec3::new(1.1, 1.1, 0.1)).amax() < 1e-14));
    let thick = ComplexOptions { dilation: 0.6, ..options };
    let refused = Complex::from_mesh(&mesh(solids::cube()), &thick);
    assert!(matches!(refused, Err(ComplexError::Inset { triangle: 0, .. })), "{refused:?}");
}

#[test]
fn an_inset_leaves_balls_and_capsules_their_radius() {
    let own = |shape: ConvexShape, dilation: f64, inset: bool| {
        Complex::from_shape(&shape, &ComplexOptions { dilation, inset, ..ComplexOptions::default() })
    };
    let ball = || ConvexShape::from(Sphere::new(0.05).unwrap());
    let capsule = || ConvexShape::from(Capsule::new(0.05, 0.2).unwrap());
    let sheet = || {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let [a, b, c] = corners;
        let core = ConvexShape::from(Triangle::new(a, b, c).unwrap());
        ConvexShape::from(Rounded::new(core, 0.05).unwrap())
    };
    for shape in [ball, capsule, sheet] {
        for (inset, radius) in [(true, 0.05), (false, 0.05 + 2e-5)] {
            let found = own(shape(), 2e-5, inset).unwrap();
            assert!((found.dilation() - radius).abs() < 1e-17, "{}: {}", shape().kind(), found.dilation());
            let moved = found.report().inset.map(|inset| inset.distance);
            assert_eq!(moved, inset.then_some(2e-5), "{}", shape().kind());
        }
        // As large as the dilation it is a point, or a line, and no larger.
        assert!(own(shape(), 0.05, true).is_ok());
        let refused = own(shape(), 0.051, true).unwrap_err();
        assert_eq!(refused, ComplexError::InsetRadius { radius: 0.05, dilation: 0.051 });
        assert!(own(shape(), f64::NAN, true).is_err() && own(shape(), -1e-5, true).is_err());
    }
}

#[test]
fn refined_meshes_keep_their_volume_and_their_edges_short() {
    for arrays in [solids::cube(), solids::l_prism(1.0), solids::icosphere(1), solids::grid(1.0, 2.0, 1, 1)] {
        let coarse = mesh(arrays);
        for edge in [0.7, 0.21, 0.1] {
            let fine = coarse.refined(edge).unwrap();
            assert!(fine.longest_edge <= edge);
            let (before, after) = (coarse.topology(), fine.mesh.topology());
            assert_eq!(before.watertight, after.watertight);
            assert_eq!(after.degenerate_triangles, 0);
            assert!((before.area - after.area).abs() < 1e-12);
            assert!((before.signed_volume - after.signed_volume).abs() < 1e-12);
            assert_eq!(fine.mesh.vertices()[..coarse.vertices().len()], *coarse.vertices());
        }
        assert!(coarse.refined(f64::NAN).is_err() && coarse.refined(1e-9).is_err());
    }
}

#[test]
fn every_mesh_of_the_shared_folder_becomes_a_complex() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: ../shared/data/meshes is not here; the other tests cover dirty meshes");
        return;
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "obj" || e == "stl")) {
        let mesh = read_mesh(path, &ImportOptions::default()).unwrap().mesh;
        let topology = mesh.topology();
        let found = Complex::from_mesh(&mesh, &ComplexOptions::default()).unwrap();
        let report = found.report();
        println!("{}: {} {:?}", path.file_name().unwrap().display(), report.summary(), report.classes);
        if topology.watertight && topology.degenerate_triangles == 0 {
            assert!(!report.has_shell(), "{}", path.display());
        }
        if topology.boundary_edges > 0 {
            assert!(report.has_shell(), "{}", path.display());
        }
    }
}

#[test]
fn an_inset_falls_back_where_a_rib_is_too_thin_and_says_where() {
    // A block with a rib of 0.05 m: the sides of the rib would pass each other.
    let outline: [[f64; 2]; 8] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [0.525, 1.0],
        [0.525, 1.3],
        [0.475, 1.3],
        [0.475, 1.0],
        [0.0, 1.0],
    ];
    let cap: [[u32; 3]; 6] = [[0, 1, 6], [1, 3, 6], [1, 2, 3], [0, 6, 7], [6, 3, 4], [6, 4, 5]];
    let vertices: Vec<Vec3> =
        [0.0, 1.0].iter().flat_map(|z| outline.iter().map(move |[x, y]| Vec3::new(*x, *y, *z))).collect();
    let mut triangles: Vec<[u32; 3]> = cap.iter().map(|[a, b, c]| [*c, *b, *a]).collect();
    triangles.extend(cap.iter().map(|t| t.map(|v| v + 8)));
    for k in 0..8 {
        let next = (k + 1) % 8;
        triangles.extend([[k, next, next + 8], [k, next + 8, k + 8]]);
    }
    let block = mesh((vertices.clone(), triangles.clone()));
    let options = ComplexOptions { dilation: 0.1, inset: true, ..ComplexOptions::default() };
    let complex = Complex::from_mesh(&block, &options).unwrap();
    let reduced = &complex.report().reduced;
    // The walls of the rib are listed, and what has none of its corners is not.
    let of_rib = |t: &[u32; 3]| t.iter().any(|v| (3..7).contains(&(v % 8)));
    assert!(!reduced.is_empty());
    for (number, triangle) in triangles.iter().enumerate() {
        assert!(of_rib(triangle) || !reduced.contains(&(number as u32)), "triangle {number}");
    }
    assert!(complex.report().summary().contains("inset by less"), "{}", complex.report().summary());
    // The block keeps its inset, and nothing is outside of what was given.
    let corner = complex.vertices().iter().any(|p| (p - Vec3::repeat(0.1)).norm() < 1e-12);
    assert!(corner, "{:?}", complex.vertices());
    assert!(complex.vertices().iter().all(|p| block.winding_number(p) > 0.5));
    // Without ribs that are too thin nothing is listed.
    let thin = ComplexOptions { dilation: 0.01, ..options };
    assert!(Complex::from_mesh(&block, &thin).unwrap().report().reduced.is_empty());
}
