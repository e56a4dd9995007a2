//! The contact plane and its candidate normals, against the separating axes as the paper prints them and against positions whose answer is plain.

use zerogap_core::{NormalKind, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{TranslationKind, contact_plane};
use zerogap_testkit::random::Random;
use zerogap_testkit::sat::{PolyhedronArrays, Sat, find_mtld};

fn cube(size: f64) -> ConvexShape {
    Cuboid::new(Vec3::repeat(size)).unwrap().into()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn counts(b: &Pose) -> (usize, NormalKind) {
    let plane = contact_plane(&cube(1.0), &Pose::identity(), &cube(1.0), b, 1e-9);
    for candidate in &plane.candidates {
        assert!((candidate.normal.norm() - 1.0).abs() < 1e-12);
        assert!(candidate.separation >= plane.gap - 1e-9);
    }
    // The normal that was chosen lies in the cone of the candidates.
    let least =
        plane.candidates.iter().map(|c| c.normal.dot(&plane.normal)).fold(f64::NEG_INFINITY, f64::max);
    assert!(least > 0.5, "{plane:?}");
    (plane.candidates.len(), plane.normal_kind)
}

#[test]
fn ties_have_all_their_normals() {
    // A face on a face, an edge on a parallel edge, a corner on a corner; a quarter deep, and concentric.
    assert_eq!(counts(&at(0.2, 0.1, 1.0)).0, 1);
    assert_eq!(counts(&at(1.0, 0.1, 1.0)).0, 2);
    assert_eq!(counts(&at(1.0, 1.0, 1.0)).0, 3);
    assert_eq!(counts(&at(0.75, 0.75, 0.1)).0, 2);
    assert_eq!(counts(&at(0.0, 0.0, 0.0)).0, 6);
    // Apart there is the direction of the nearest points alone.
    let apart = contact_plane(&cube(1.0), &Pose::identity(), &cube(1.0), &at(2.0, 2.0, 0.0), 1e-9);
    assert_eq!(apart.candidates.len(), 1);
    assert!(apart.candidates[0].kind.is_none());
    assert!((apart.candidates[0].separation - 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn the_plane_lies_half_way() {
    let plane = contact_plane(&cube(1.0), &at(0.0, 0.0, 5.0), &cube(1.0), &at(0.3, 0.2, 5.8), 1e-9);
    assert_eq!(plane.normal, Vec3::z());
    assert!((plane.offset - 5.4).abs() < 1e-14 && (plane.gap + 0.2).abs() < 1e-14);
    assert_eq!(plane.candidates[0].kind, Some(TranslationKind::FaceOfA));
    let ball: ConvexShape = Sphere::new(0.5).unwrap().into();
    let plane = contact_plane(&cube(1.0), &Pose::identity(), &ball, &at(0.0, 0.0, 1.5), 1e-9);
    assert!((plane.offset - 0.75).abs() < 1e-12 && plane.candidates.len() == 1);
}

#[test]
fn random_hulls_have_the_axis_of_the_paper_and_no_other() {
    let mut random = Random::new(19);
    let mut edges = 0;
    for round in 0..120 {
        let mut hull = || {
            let points: Vec<Vec3> = (0..12).map(|_| random.in_cube(1.0)).collect();
            Polyhedron::from_points(&points).unwrap()
        };
        let (a, b) = (hull(), hull());
        let pose =
            Pose::from_axis_angle(random.in_cube(0.5), random.in_cube(1.0), random.range(0.0, 3.0)).unwrap();
        let arrays = |p: &Polyhedron, pose: &Pose| {
            let vertices: Vec<Vec3> = p.vertices().iter().map(|v| pose.transform_point(v)).collect();
            let normals: Vec<Vec3> =
                (0..p.face_count()).map(|f| pose.transform_vector(&p.normal(f))).collect();
            let along = |edge: &zerogap_geometry::Edge| {
                vertices[edge.vertices[1] as usize] - vertices[edge.vertices[0] as usize]
            };
            let edges: Vec<Vec3> = p.edges().iter().map(along).collect();
            (vertices, normals, edges)
        };
        let (of_a, of_b) = (arrays(&a, &Pose::identity()), arrays(&b, &pose));
        let view = |of: &'_ (Vec<Vec3>, Vec<Vec3>, Vec<Vec3>)| (of.0.clone(), of.1.clone(), of.2.clone());
        let ((va, na, ea), (vb, nb, eb)) = (view(&of_a), view(&of_b));
        let sat = find_mtld(
            &PolyhedronArrays { vertices: &va, normals: &na, edges: &ea },
            &PolyhedronArrays { vertices: &vb, normals: &nb, edges: &eb },
            1e-9,
        );
        let Sat::Overlap(known) = sat else { continue };
        let plane = contact_plane(&a.into(), &Pose::identity(), &b.into(), &pose, 1e-9);
        assert!((plane.gap - known.gap).abs() < 1e-12, "{round}");
        assert_eq!(plane.candidates.len() == 1, known.is_unique, "{round}: {plane:?}");
        assert!((plane.candidates[0].normal - known.normal).norm() < 1e-6, "{round}: {plane:?} {known:?}");
        edges += usize::from(plane.candidates[0].kind == Some(TranslationKind::Edges));
    }
    assert!(edges > 10);
}
