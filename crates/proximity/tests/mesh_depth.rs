//! The bounds on the depth of meshes that overlap hold the shortest translation that separates: against the exact one of convex bodies.

use zerogap_core::{Gap, GapStatus, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ConvexShape, Polyhedron, TriangleMesh};
use zerogap_proximity::convex::distance;
use zerogap_proximity::mesh::{MeshBody, MeshDistanceParams, MeshOperand, MeshWork, mesh_gap};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// A box as a shape and as a mesh, in which a bubble makes the mesh one that is not convex.
struct Block {
    shape: ConvexShape,
    body: MeshBody,
    reach: f64,
}

impl Block {
    fn new(size: Vec3) -> Self {
        let cuboid = Cuboid::new(size).unwrap();
        let hull = Polyhedron::from_points(&cuboid.corners()).unwrap();
        let (mut vertices, mut triangles) = (hull.vertices().to_vec(), hull.triangles().collect::<Vec<_>>());
        let count = vertices.len() as u32;
        let bubble = |p: &Vec3| 0.3 * size + p * BUBBLE;
        vertices.extend(hull.vertices().iter().map(bubble));
        triangles.extend(hull.triangles().map(|[a, b, c]| [c + count, b + count, a + count]));
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        Self { shape: cuboid.into(), body: MeshBody::new(mesh), reach: 0.5 * size.norm() }
    }
}

/// Size of the bubble in a box, against the box [-].
const BUBBLE: f64 = 1e-3;

/// The signed gap of two sides.
fn gap(a: MeshOperand<'_>, pose_a: &Pose, b: MeshOperand<'_>, pose_b: &Pose) -> Gap {
    let params = MeshDistanceParams::default();
    mesh_gap(a, pose_a, b, pose_b, &params, &mut MeshWork::default(), &mut Vec::new()).unwrap().gap
}

/// Holds the bounds against the exact gap, for mesh and mesh and for mesh and shape; returns the gap of the meshes and the exact one.
fn check(a: &Block, pose_a: &Pose, b: &Block, pose_b: &Pose) -> (Gap, f64) {
    let exact = distance(&a.shape, pose_a, &b.shape, pose_b);
    let extent = a.reach + b.reach + (pose_b.translation() - pose_a.translation()).norm();
    let meshes = gap((&a.body).into(), pose_a, (&b.body).into(), pose_b);
    let sides: [Gap; 3] = [
        meshes,
        gap((&a.body).into(), pose_a, (&b.shape).into(), pose_b),
        gap((&a.shape).into(), pose_a, (&b.body).into(), pose_b),
    ];
    // Rounding of the exact gap.
    let room = 1e-15 * extent;
    for found in sides {
        assert!(found.lower <= exact.gap + room, "lower is above {}: {found:?}", exact.gap);
        assert!(found.upper >= exact.gap - room, "upper is below {}: {found:?}", exact.gap);
    }
    (meshes, exact.gap)
}

fn random_block(random: &mut Random) -> Block {
    Block::new(Vec3::from_fn(|_, _| random.range(0.2, 2.0)))
}

#[test]
fn bounds_of_random_boxes_hold_the_shortest_translation() {
    let mut random = Random::new(41);
    let (mut overlapping, mut proven) = (0, 0);
    for _ in 0..count(1_500, 50_000) {
        let (a, b) = (random_block(&mut random), random_block(&mut random));
        let poses = [0, 1].map(|_| Pose::new(random.in_cube(0.6), random.quaternion_xyzw()).unwrap());
        let (found, exact) = check(&a, &poses[0], &b, &poses[1]);
        overlapping += usize::from(exact < 0.0);
        proven += usize::from(exact < 0.0 && found.upper < 0.0);
    }
    assert!(overlapping > 500 && proven * 10 > overlapping * 9, "{proven} of {overlapping}");
}

#[test]
fn bounds_of_boxes_that_overlap_by_little_more_than_rounding_hold_it() {
    let mut random = Random::new(42);
    let mut deep = 0;
    for _ in 0..count(3_000, 100_000) {
        let (a, b) = (random_block(&mut random), random_block(&mut random));
        let turn = random.quaternion_xyzw();
        let turned = |p: Vec3| Pose::new(p, turn).unwrap();
        // A face on a face, or a corner on one, in each other by 1e-13 to 1e-9 of the extent.
        let depth = zerogap_core::math::pow(10.0, random.range(-13.0, -9.0));
        let tilt = if random.unit() < 0.5 { [0.0, 0.0, 0.0, 1.0] } else { random.quaternion_xyzw() };
        let tilted = Pose::new(Vec3::zeros(), tilt).unwrap();
        let low = match &b.shape {
            ConvexShape::Cuboid(cuboid) => cuboid
                .corners()
                .iter()
                .map(|corner| tilted.transform_vector(corner).z)
                .fold(f64::INFINITY, f64::min),
            _ => unreachable!("a box"),
        };
        let top = match &a.shape {
            ConvexShape::Cuboid(cuboid) => cuboid.half_size().z,
            _ => unreachable!("a box"),
        };
        let place = Vec3::new(random.range(-0.05, 0.05), random.range(-0.05, 0.05), top - low - depth);
        let by = turned(random.in_cube(0.5));
        let (found, exact) = check(&a, &by, &b, &(by * Pose::new(place, tilt).unwrap()));
        deep += usize::from(exact < 0.0 && found.status == GapStatus::LocalDepth);
    }
    assert!(deep > 500, "{deep}");
}

#[test]
fn bounds_of_a_rod_through_a_plate_are_its_way_out_and_at_least_half_the_thickness() {
    let (plate, rod) = (Block::new(Vec3::new(1.0, 1.0, 0.02)), Block::new(Vec3::new(0.1, 0.1, 2.0)));
    for height in [0.0, 0.3, -0.5] {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, height)).unwrap();
        let (found, exact) = check(&plate, &Pose::identity(), &rod, &at);
        // Over the edge of the plate, or up or down out of it.
        let way_out = 0.55_f64.min(1.01 - height.abs());
        assert!((exact + way_out).abs() < 1e-12, "{exact}");
        assert!((found.gap - exact).abs() < 1e-12, "{found:?}");
        assert!((found.lower - exact).abs() < 1e-12, "{found:?}");
        // A point in both proves half the thickness of the plate at least; that it holds the exact one is checked above.
        assert!(found.upper < -0.01 + 1e-12, "{found:?}");
    }
}

#[test]
fn convex_meshes_have_the_depth_of_convex_shapes() {
    let mut random = Random::new(43);
    let points = |random: &mut Random| (0..12).map(|_| random.in_cube(0.5)).collect::<Vec<_>>();
    let mut overlapping = 0;
    for _ in 0..count(200, 10_000) {
        let hulls = [0, 1].map(|_| Polyhedron::from_points(&points(&mut random)).unwrap());
        let bodies = hulls.each_ref().map(|hull| MeshBody::new(hull.to_mesh()));
        let poses = [0, 1].map(|_| Pose::new(random.in_cube(0.4), random.quaternion_xyzw()).unwrap());
        let shapes = hulls.map(ConvexShape::from);
        let exact = distance(&shapes[0], &poses[0], &shapes[1], &poses[1]);
        let found = gap((&bodies[0]).into(), &poses[0], (&bodies[1]).into(), &poses[1]);
        assert!((found.gap - exact.gap).abs() < 1e-14, "{} or {}", found.gap, exact.gap);
        overlapping += usize::from(exact.gap < 0.0 && found.status == GapStatus::LocalDepth);
    }
    assert!(overlapping > 30, "{overlapping}");
}
