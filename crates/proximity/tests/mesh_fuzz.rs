//! Triangles of any bits: no panic, no hang, and what cannot be a mesh is refused at the gate.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use zerogap_core::{GapStatus, Pose, Vec3};
use zerogap_geometry::shape::{HalfSpace, Sphere};
use zerogap_geometry::{ConvexShape, TriangleMesh};
use zerogap_proximity::bvh::{AxisBox, Ball, BoundingVolume, Dop, Obb};
use zerogap_proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshOperand, MeshWork, Order, crossing_pairs_into,
    mesh_contacts_into, mesh_distance, mesh_intersects, mesh_overlaps_into, surface_distance,
    triangle_distance, triangles_cross,
};
use zerogap_testkit::count;

/// Numbers that break things: zeros, equal ones, tiny, huge, and any bits at all.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -2.0..2.0_f64,
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, 0.5, 1e-16, 1.0 + f64::EPSILON]),
        1 => prop::sample::select(vec![1e150, -1e150, 1e-150, -1e-150, 1e60, 1e-60, 1e-300, f64::MIN_POSITIVE, f64::MAX]),
        1 => any::<u64>().prop_map(f64::from_bits),
    ]
}

/// Numbers that a mesh may have.
fn usable() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -2.0..2.0_f64,
        3 => prop::sample::select(vec![0.0, 1.0, -1.0, 0.5, 1e-16]),
        1 => prop::sample::select(vec![1e60, -1e60, 1e-60, 1e-150, -1e-150, 1e-300, 1e20, 1e-20]),
    ]
}

fn point(number: impl Strategy<Value = f64>) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(number).prop_map(|[x, y, z]| Vec3::new(x, y, z))
}

/// A soup over few points, so that corners, edges and whole triangles repeat and collapse.
fn mesh() -> impl Strategy<Value = TriangleMesh> {
    (
        prop::collection::vec(point(usable()), 1..10),
        prop::collection::vec(any::<[prop::sample::Index; 3]>(), 1..16),
    )
        .prop_map(|(vertices, triangles)| {
            let triangles = triangles.iter().map(|t| t.map(|k| k.index(vertices.len()) as u32)).collect();
            TriangleMesh::new(vertices, triangles).unwrap()
        })
}

fn config(ci: usize, full: usize) -> ProptestConfig {
    ProptestConfig {
        cases: count(ci, full) as u32,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(4_000, 1_000_000))]

    #[test]
    fn triangles_of_any_bits_are_answered(a in prop::array::uniform3(point(number())), b in prop::array::uniform3(point(number()))) {
        let found = triangle_distance(&a, &b);
        let usable = a.iter().chain(&b).flat_map(|p| p.iter()).all(|x| x.abs() <= 1e60);
        if usable {
            prop_assert!(found.distance >= 0.0 && found.distance.is_finite());
            let size = a.iter().chain(&b).map(Vec3::amax).fold(0.0, f64::max);
            prop_assert!(((found.point_b - found.point_a).norm() - found.distance).abs() <= 1e-13 * size);
            // Apart and crossing are never both told.
            let crosses = triangles_cross(&a, &b);
            prop_assert!(!crosses || found.distance <= 1e-12 * size, "{:?} though they cross", found);
        } else {
            let _ = triangles_cross(&a, &b);
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused_at_the_gate(p in point(number())) {
        let made = TriangleMesh::new(vec![Vec3::zeros(), Vec3::x(), p], vec![[0, 1, 2]]);
        prop_assert_eq!(made.is_ok(), p.iter().all(|x| x.abs() <= 1e60));
    }
}

fn every_question<V: BoundingVolume>(a: &TriangleMesh, b: &TriangleMesh, pose: &Pose) {
    let (a, b) = (MeshBody::<V>::new(a.clone()), MeshBody::<V>::new(b.clone()));
    let here = Pose::identity();
    let mut work = MeshWork::default();
    for order in [Order::DepthFirst, Order::BestFirst] {
        let params = MeshDistanceParams { order, ..MeshDistanceParams::default() };
        let found = surface_distance(&a, &here, &b, pose, &params, &mut work);
        assert!(found.lower <= found.gap && found.gap <= found.upper && found.gap.is_finite(), "{found:?}");
        assert_eq!(found.status, GapStatus::Exact);
        assert!((found.normal.norm() - 1.0).abs() < 1e-9, "{found:?}");
    }
    let mut pairs = Vec::new();
    crossing_pairs_into(&a, &here, &b, pose, &mut work, &mut pairs);
    for p in [Vec3::zeros(), Vec3::new(0.3, 0.2, 0.1)] {
        assert!(a.winding_number(&p).is_finite());
        assert!(a.nearest_point(&p).distance.is_finite());
        let _ = b.contains(&p);
    }
}

proptest! {
    #![proptest_config(config(300, 30_000))]

    #[test]
    fn dirty_meshes_have_defined_answers(a in mesh(), b in mesh(), place in point(-2.0..2.0_f64), turn in prop::array::uniform4(-1.0..1.0_f64)) {
        let pose = Pose::new(place, turn).unwrap_or_default();
        every_question::<Obb>(&a, &b, &pose);
        every_question::<Ball>(&a, &b, &pose);
        every_question::<AxisBox>(&a, &b, &pose);
        every_question::<Dop<13>>(&a, &b, &pose);
        let here = Pose::identity();
        let (a, b) = (MeshBody::<Obb>::new(a), MeshBody::<Obb>::new(b));
        let (mut work, mut contacts, mut overlaps) = (MeshWork::default(), Vec::new(), Vec::new());
        let (ball, floor): (ConvexShape, _) = (Sphere::new(0.5).unwrap().into(), HalfSpace::new(Vec3::z(), 0.1).unwrap());
        let params = MeshContactParams::within(0.1);
        for other in [MeshOperand::Mesh(&b), MeshOperand::Convex(&ball), MeshOperand::HalfSpace(&floor)] {
            // Refused with a reason, or answered with numbers.
            if mesh_contacts_into((&a).into(), &here, other, &pose, &params, &mut work, &mut contacts).is_ok() {
                for contact in &contacts {
                    prop_assert!(contact.gap <= 0.1 && (contact.normal.norm() - 1.0).abs() < 1e-9, "{:?}", contact);
                }
            }
            prop_assert!(mesh_intersects((&a).into(), &here, other, &pose, &mut work).is_ok());
            let found = mesh_distance((&a).into(), &here, other, &pose, &MeshDistanceParams::default(), &mut work);
            prop_assert!(found.is_ok_and(|found| found.gap.is_finite()));
        }
        let _ = mesh_overlaps_into(&a, &here, &b, &pose, &mut work, &mut overlaps);
        prop_assert!(overlaps.iter().all(|overlap| overlap.contact.gap <= 0.0));
    }
}
