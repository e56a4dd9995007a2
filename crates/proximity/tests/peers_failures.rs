//! Inputs on which other programs are known to fail, each against an oracle: exact arithmetic, a closed form, or bounds from support
//! points.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "one of its shapes is used here")]
mod shape_zoo;

mod pair_checks;

use std::sync::Arc;

use pair_checks::{
    CURVED, EXACT, PlacedShape, check_exact, check_form, check_value, distance, oracle, random_pose,
};
use shape_zoo::HullOf;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Sphere, UserShape};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_testkit::count;
use zerogap_testkit::exact_distance::signed_distance;
use zerogap_testkit::random::Random;
use zerogap_testkit::support_bounds::Bounds;

/// The triangle soup of a hull: each corner once for every triangle that meets there.
fn unwelded(shape: &Polyhedron) -> Vec<Vec3> {
    shape.triangles().flatten().map(|k| shape.vertices()[k as usize]).collect()
}

fn round_hull(random: &mut Random, n: usize) -> Polyhedron {
    let points: Vec<Vec3> = (0..n).map(|_| random.direction()).collect();
    Polyhedron::from_points(&points).unwrap()
}

#[test]
fn unwelded_hull_vertices_change_no_sign_and_no_digit() {
    let mut random = Random::new(21);
    for _ in 0..count(60, 500) {
        let (a, b) = (round_hull(&mut random, 12), round_hull(&mut random, 12));
        let reach = random.range(0.2, 1.2);
        let (pose_a, pose_b) = (random_pose(&mut random, reach), random_pose(&mut random, reach));
        let welded =
            check_exact("welded", &PlacedShape::new(a.clone(), pose_a), &PlacedShape::new(b.clone(), pose_b));
        let again = |shape: &Polyhedron| Polyhedron::from_points(&unwelded(shape)).unwrap();
        let soup = check_exact(
            "unwelded",
            &PlacedShape::new(again(&a), pose_a),
            &PlacedShape::new(again(&b), pose_b),
        );
        assert!((soup.gap - welded.gap).abs() <= 1e-15 * 4.0, "{soup:?} against {welded:?}");
        // As a support function over the soup nothing is welded at all.
        let user = |shape: &Polyhedron| UserShape::new(Arc::new(HullOf(unwelded(shape))));
        let (user_a, user_b) = (PlacedShape::new(user(&a), pose_a), PlacedShape::new(user(&b), pose_b));
        let gap = distance(&user_a, &user_b);
        let truth = signed_distance(a.vertices(), &pose_a, b.vertices(), &pose_b);
        check_form("soup", &user_a, &user_b, &gap, CURVED);
        let truth = Bounds { lower: truth.lo, upper: truth.hi };
        check_value("soup", &user_a, &user_b, &gap, &truth, CURVED);
    }
}

#[test]
fn concentric_identical_shapes_have_their_depth() {
    let mut random = Random::new(22);
    let turn = random_pose(&mut random, 1.0);
    // Two of the same in one place part along the thinnest way, by the full width there.
    let cases: [(ConvexShape, f64, f64); 7] = [
        (Cuboid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap().into(), -0.5, EXACT),
        (Sphere::new(0.75).unwrap().into(), -1.5, EXACT),
        (Capsule::new(0.25, 2.0).unwrap().into(), -0.5, EXACT),
        (Cylinder::new(0.5, 3.0).unwrap().into(), -1.0, CURVED),
        (Cylinder::new(0.5, 0.25).unwrap().into(), -0.25, CURVED),
        (Ellipsoid::new(Vec3::new(1.0, 0.5, 0.25)).unwrap().into(), -0.5, CURVED),
        // A flat cone is narrowest along its axis.
        (Frustum::cone(3.0, 0.5).unwrap().into(), -0.5, CURVED),
    ];
    for (shape, expected, relative) in cases {
        for pose in [Pose::identity(), turn] {
            let a = PlacedShape::new(shape.clone(), pose);
            let gap = distance(&a, &a);
            check_form("concentric", &a, &a, &gap, relative);
            check_value("concentric", &a, &a, &gap, &Bounds { lower: expected, upper: expected }, relative);
        }
    }
    for n in [8, 20, 60] {
        let a = PlacedShape::new(round_hull(&mut random, n), turn);
        check_exact("concentric hulls", &a, &a.clone());
    }
}

#[test]
fn shapes_of_a_millimetre_keep_their_digits() {
    let mut random = Random::new(23);
    for _ in 0..count(60, 1000) {
        let mut small = |n: usize| {
            let points: Vec<Vec3> = (0..n).map(|_| random.in_ball() * 1e-3).collect();
            Polyhedron::from_points(&points).unwrap()
        };
        let (a, b) = (small(12), small(12));
        let reach = random.range(0.0, 1e-3);
        let a = PlacedShape::new(a, random_pose(&mut random, reach));
        check_exact("millimetres", &a, &PlacedShape::new(b, random_pose(&mut random, reach)));
    }
}

#[test]
fn deep_hulls_with_fifty_corners_and_more_are_exact() {
    let mut random = Random::new(24);
    for _ in 0..count(2, 30) {
        for n in [50, 100, 200] {
            let a = PlacedShape::new(round_hull(&mut random, n), random_pose(&mut random, 0.1));
            let b = PlacedShape::new(round_hull(&mut random, n), random_pose(&mut random, 0.1));
            check_exact("deep", &a, &b);
        }
    }
}

#[test]
fn a_sphere_in_a_cylinder_has_its_depth() {
    let (radius, length, r) = (0.5, 2.0, 0.25);
    let cylinder = Cylinder::new(radius, length).unwrap();
    let ball = Sphere::new(r).unwrap();
    let mut random = Random::new(25);
    for _ in 0..count(300, 10_000) {
        // The centre inside: the nearer of the wall and the ends is the way out.
        let (u, z) = (random.direction(), random.range(-1.0, 1.0));
        let off = random.range(0.0, 0.5);
        let rim = (u.x * u.x + u.y * u.y).sqrt();
        let center = Vec3::new(u.x / rim * off, u.y / rim * off, z);
        let aside = (center.x * center.x + center.y * center.y).sqrt();
        let expected = -((radius - aside).min(0.5 * length - z.abs()) + r);
        let by = random_pose(&mut random, 1.0);
        let (a, b) = (
            PlacedShape::at(ball, center.x, center.y, center.z).moved(&by),
            PlacedShape::at(cylinder, 0.0, 0.0, 0.0).moved(&by),
        );
        let gap = distance(&a, &b);
        check_form("sphere in cylinder", &a, &b, &gap, CURVED);
        check_value("sphere in cylinder", &a, &b, &gap, &Bounds { lower: expected, upper: expected }, CURVED);
    }
}

#[test]
fn a_capsule_in_a_box_has_its_depth() {
    let mut random = Random::new(26);
    for _ in 0..count(300, 10_000) {
        let capsule = Capsule::new(random.range(0.05, 0.5), random.range(0.0, 2.0)).unwrap();
        let cuboid = Cuboid::new(Vec3::repeat(0.5) + random.in_ball().abs() * 2.0).unwrap();
        let a = PlacedShape::new(capsule, random_pose(&mut random, 0.5));
        let b = PlacedShape::new(cuboid, random_pose(&mut random, 0.5));
        check_exact("capsule in box", &a, &b);
    }
}

#[test]
fn the_answer_does_not_depend_on_the_queries_before() {
    // Each query of a mixed list is asked first on a thread of its own, then in order, then in reverse, on one thread.
    let mut random = Random::new(27);
    let shapes: Vec<ConvexShape> = vec![
        round_hull(&mut random, 30).into(),
        Cuboid::new(Vec3::new(1.0, 0.5, 2.0)).unwrap().into(),
        Cylinder::new(0.5, 1.0).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.5, 1.0, 0.7)).unwrap().into(),
        Sphere::new(0.5).unwrap().into(),
        Polyhedron::from_points(&[Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]).unwrap().into(),
    ];
    let queries: Vec<(PlacedShape, PlacedShape)> = (0..count(40, 400))
        .map(|_| {
            let mut pick = || {
                PlacedShape::new(shapes[random.index(shapes.len())].clone(), random_pose(&mut random, 0.7))
            };
            (pick(), pick())
        })
        .collect();
    let first: Vec<_> = queries
        .iter()
        .map(|(a, b)| std::thread::scope(|scope| scope.spawn(|| distance(a, b)).join().unwrap()))
        .collect();
    let forward: Vec<_> = queries.iter().map(|(a, b)| distance(a, b)).collect();
    let mut backward: Vec<_> = queries.iter().rev().map(|(a, b)| distance(a, b)).collect();
    backward.reverse();
    assert_eq!(first, forward);
    assert_eq!(first, backward);
    // And they are right, so that not all are wrong together.
    for ((a, b), gap) in queries.iter().zip(&first).take(count(10, 100)) {
        check_value("any order", a, b, gap, &oracle(a, b), CURVED);
    }
}
