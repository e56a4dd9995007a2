//! Times of impact of convex shapes and sweeps of features allocate nothing once the memory is there.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::motion::{
    ImpactParams, ImpactWork, Motion, SweepParams, time_of_impact_with, vertex_face,
};
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn impacts_of_convex_shapes_allocate_nothing_after_the_first_round() {
    let mut random = Random::new(4);
    let points: Vec<Vec3> = (0..40).map(|_| 0.5 * random.direction()).collect();
    let shapes: Vec<ConvexShape> = vec![
        Polyhedron::from_points(&points).unwrap().into(),
        Cuboid::new(Vec3::new(1.0, 0.5, 0.2)).unwrap().into(),
        Capsule::new(0.3, 0.5).unwrap().into(),
        Cylinder::new(0.3, 0.5).unwrap().into(),
    ];
    let mut motion = || {
        let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
        Motion::new(pose, random.in_cube(0.5) - pose.translation(), random.in_cube(5.0)).unwrap()
    };
    let motions: Vec<[Motion; 2]> = (0..40).map(|_| [motion(), motion()]).collect();
    let (params, mut work) = (ImpactParams::default(), ImpactWork::default());
    let mut round = || {
        let mut sum = 0.0;
        for (k, [a, b]) in motions.iter().enumerate() {
            let (one, other) = (&shapes[k % 4], &shapes[k / 4 % 4]);
            sum += time_of_impact_with(&mut work, one, a, other, b, 1.0, &params).free_until(1.0);
        }
        sum
    };
    let first = round();
    let before = allocations();
    let second = round();
    assert_eq!(allocations() - before, 0);
    assert_eq!(first.to_bits(), second.to_bits());
}

#[test]
fn features_that_pass_each_other_allocate_nothing() {
    let face = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
    let before = allocations();
    let sweep = vertex_face(&Vec3::y(), &-Vec3::y(), &face, &face, &SweepParams::default()).unwrap();
    assert!(sweep.is_hit());
    assert_eq!(allocations() - before, 0);
}
