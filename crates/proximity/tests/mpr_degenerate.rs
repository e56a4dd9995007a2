//! Portal refinement where the paper gives up: flat differences, coinciding centres, thin, touching, tiny, huge and duplicated shapes.

#[expect(dead_code, reason = "not every test needs every helper of the zoo")]
#[path = "../../geometry/tests/shape_zoo/mod.rs"]
mod shape_zoo;

use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

use shape_zoo::{HullOf, zoo};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{
    Cuboid, Cylinder, Ellipsoid, Point, Polygon, Segment, Sphere, Triangle, UserShape,
};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron};
use zerogap_proximity::convex::{MprExit, MprGap, MprParams, distance, mpr, separation};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(v(x, y, z)).unwrap()
}

fn point(p: Vec3) -> ConvexShape {
    Point::new(p).unwrap().into()
}

fn segment(p: Vec3, q: Vec3) -> ConvexShape {
    Segment::new(p, q).unwrap().into()
}

fn cuboid(x: f64, y: f64, z: f64) -> ConvexShape {
    Cuboid::new(v(x, y, z)).unwrap().into()
}

/// The square plate |x| <= 1, |y| <= 1, z = 0.
fn plate() -> ConvexShape {
    Polygon::new(&[v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)])
        .unwrap()
        .into()
}

/// Asks both ways, checks what holds for every answer, and returns the first.
fn ask(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> MprGap {
    let answer = mpr(a, pose_a, b, pose_b, &MprParams::default());
    let extent = a.bounding_sphere().center.norm()
        + a.bounding_sphere().radius
        + b.bounding_sphere().center.norm()
        + b.bounding_sphere().radius
        + (pose_b.translation() - pose_a.translation()).norm();
    let rounding = 1e-13 * extent;
    let context = format!("{} and {}: {answer:?}", a.kind(), b.kind());
    assert!((answer.normal.norm() - 1.0).abs() < 1e-14, "{context}");
    assert!(answer.lower <= answer.gap && answer.gap <= answer.upper, "{context}");
    let residual = answer.point_b - answer.point_a - answer.normal * answer.gap;
    // The points carry the roundings of where the pair stands in the world.
    assert!(residual.norm() <= rounding + 1e-15 * pose_a.translation().norm(), "{context}");
    // The witnesses are points of the shapes.
    for (shape, pose, witness) in [(a, pose_a, answer.point_a), (b, pose_b, answer.point_b)] {
        let gap = shape.closest_point(&pose.inverse_transform_point(&witness)).gap;
        let allowed = rounding + 1e-10 * shape.bounding_sphere().radius + 1e-15 * pose.translation().norm();
        assert!(gap <= allowed, "{context}: {gap}");
    }
    let back = mpr(b, pose_b, a, pose_a, &MprParams::default());
    assert!((back.gap - answer.gap).abs() <= rounding, "{context} {back:?}");
    answer
}

/// As `ask`, for shapes where they are, with the gap known.
fn expect(a: &ConvexShape, b: &ConvexShape, gap: f64) -> MprGap {
    let answer = ask(a, &Pose::identity(), b, &Pose::identity());
    assert!((answer.gap - gap).abs() < 1e-14, "{} and {}: {answer:?}, expected {gap}", a.kind(), b.kind());
    assert!(answer.lower <= gap && gap <= answer.upper);
    answer
}

#[test]
fn planar_case_parallel_segments() {
    let a = segment(v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
    expect(&a, &segment(v(-1.0, 0.5, 0.0), v(1.0, 0.5, 0.0)), 0.5);
    expect(&a, &segment(v(0.3, 0.5, 0.0), v(2.5, 0.5, 0.0)), 0.5);
    expect(&a, &segment(v(4.0, 4.0, 0.0), v(9.0, 4.0, 0.0)), 5.0);
    // In one line: apart, end to end, overlapping, the same.
    expect(&a, &segment(v(1.5, 0.0, 0.0), v(3.0, 0.0, 0.0)), 0.5);
    expect(&a, &segment(v(1.0, 0.0, 0.0), v(3.0, 0.0, 0.0)), 0.0);
    expect(&a, &segment(v(0.5, 0.0, 0.0), v(3.0, 0.0, 0.0)), 0.0);
    expect(&a, &a, 0.0);
}

#[test]
fn planar_case_crossing_segments() {
    let a = segment(v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
    let over = expect(&a, &segment(v(0.25, -1.0, 0.5), v(0.25, 1.0, 0.5)), 0.5);
    assert!((over.normal - Vec3::z()).norm() < 1e-14);
    // Through each other, in a tee, in a corner, and past each other.
    let through = expect(&a, &segment(v(0.25, -1.0, 0.0), v(0.25, 1.0, 0.0)), 0.0);
    assert!((through.normal.z.abs() - 1.0).abs() < 1e-14, "{through:?}");
    expect(&a, &segment(v(0.0, -1.0, 0.0), v(0.0, 1.0, 0.0)), 0.0);
    expect(&a, &segment(v(0.25, 0.0, 0.0), v(0.25, 1.0, 0.0)), 0.0);
    expect(&a, &segment(v(1.0, 0.0, 0.0), v(1.0, 1.0, 0.0)), 0.0);
    expect(&a, &segment(v(4.0, 4.0, 0.0), v(4.0, 9.0, 0.0)), 5.0);
}

#[test]
fn planar_case_plate_against_a_plate_edge() {
    let edge = |x: f64, z: f64| segment(v(x, -0.5, z), v(x, 0.5, z));
    expect(&plate(), &edge(1.5, 0.0), 0.5);
    expect(&plate(), &edge(1.0, 0.0), 0.0);
    expect(&plate(), &edge(0.5, 0.0), 0.0);
    expect(&plate(), &edge(0.0, 0.25), 0.25);
    expect(&plate(), &edge(4.0, 4.0), 5.0);
    // Two plates in one plane, side by side, edge to edge and overlapping; and in parallel planes.
    for (x, z, gap) in
        [(2.5, 0.0, 0.5), (2.0, 0.0, 0.0), (0.7, 0.0, 0.0), (0.0, 0.0, 0.0), (0.3, 0.5, 0.5), (5.0, 4.0, 5.0)]
    {
        let answer = ask(&plate(), &Pose::identity(), &plate(), &at(x, 0.1, z));
        assert!((answer.gap - gap).abs() < 1e-14, "{x} {z}: {answer:?}");
    }
}

#[test]
fn planar_case_plate_against_a_point() {
    expect(&plate(), &point(v(0.3, -0.2, 0.5)), 0.5);
    expect(&plate(), &point(v(0.3, -0.2, 0.0)), 0.0);
    expect(&plate(), &point(v(0.0, 0.0, 0.0)), 0.0);
    expect(&plate(), &point(v(1.0, 1.0, 0.0)), 0.0);
    expect(&plate(), &point(v(3.0, 0.0, 0.0)), 2.0);
    expect(&plate(), &point(v(4.0, 5.0, 0.0)), 5.0);
    expect(&point(v(1.0, 2.0, 3.0)), &point(v(1.0, 2.0, 3.0)), 0.0);
    expect(&point(v(1.0, 2.0, 3.0)), &point(v(1.0, 2.0, 7.0)), 4.0);
    expect(&segment(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)), &point(v(0.5, 0.0, 0.0)), 0.0);
}

#[test]
fn flat_shapes_that_stick_through_each_other_overlap() {
    // A segment through a plate has no depth along itself, but has across the plate's border: the difference is a solid.
    let answer =
        ask(&plate(), &Pose::identity(), &segment(v(0.0, 0.0, -0.25), v(0.0, 0.0, 1.0)), &Pose::identity());
    assert!((answer.gap + 0.25).abs() < 1e-14, "{answer:?}");
    let upright = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), 2.0 * FRAC_PI_4).unwrap();
    let crossed = ask(&plate(), &Pose::identity(), &plate(), &upright);
    assert!((crossed.gap + 1.0).abs() < 1e-14, "{crossed:?}");
}

#[test]
fn coinciding_centres_give_the_depth_along_the_best_axis() {
    let here = Pose::identity();
    let boxes = ask(&cuboid(4.0, 2.0, 1.0), &here, &cuboid(1.0, 1.0, 1.0), &here);
    assert!((boxes.gap + 1.0).abs() < 1e-14 && boxes.normal.z.abs() > 1.0 - 1e-14, "{boxes:?}");
    let balls = ask(&Sphere::new(1.0).unwrap().into(), &here, &Sphere::new(2.0).unwrap().into(), &here);
    assert!((balls.gap + 3.0).abs() < 1e-14, "{balls:?}");
    let same = ask(&cuboid(1.0, 1.0, 1.0), &here, &cuboid(1.0, 1.0, 1.0), &here);
    assert!((same.gap + 1.0).abs() < 1e-14, "{same:?}");
    let needle: ConvexShape = Ellipsoid::new(v(1e-6, 1.0, 1e-6)).unwrap().into();
    let needles = ask(&needle, &here, &needle, &here);
    assert!((needles.gap + 2e-6).abs() < 1e-14, "{needles:?}");
    let inside = ask(&cuboid(4.0, 2.0, 1.0), &here, &point(Vec3::zeros()), &here);
    assert!((inside.gap + 0.5).abs() < 1e-14, "{inside:?}");
    for (_, shape) in zoo(1.0) {
        let answer = ask(&shape, &here, &shape, &here);
        assert!(answer.gap <= 1e-14, "{}: {answer:?}", shape.kind());
    }
}

#[test]
fn touching_shapes_have_gap_zero_and_a_unit_normal() {
    let block = cuboid(1.0, 1.0, 1.0);
    for (x, y, z) in [(1.0, 0.0, 0.0), (1.0, 0.3, 0.2), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (-1.0, 0.5, 1.0)] {
        let answer = ask(&block, &Pose::identity(), &block, &at(x, y, z));
        assert!(answer.gap.abs() < 1e-14, "{answer:?}");
        let proved = separation(&block, &Pose::identity(), &block, &at(x, y, z), &answer.normal);
        assert!(proved.abs() < 1e-14, "{answer:?}");
    }
    let can: ConvexShape = Cylinder::new(0.5, 1.0).unwrap().into();
    for (x, y, z) in [(0.0, 0.0, 1.0), (0.2, 0.1, 1.0), (1.0, 0.0, 0.3), (0.6, 0.8, 0.0)] {
        let answer = ask(&can, &Pose::identity(), &can, &at(x, y, z));
        assert!(answer.gap.abs() < 1e-12, "{answer:?}");
    }
}

#[test]
fn inner_points_on_the_border_are_moved_inside() {
    /// A cube that calls one of its corners, edge points or face points its inner point.
    #[derive(Debug)]
    struct Lopsided(HullOf, Vec3);
    impl zerogap_geometry::shape::SupportFunction for Lopsided {
        fn support(&self, direction: &Vec3) -> Vec3 {
            self.0.support(direction)
        }
        fn interior_point(&self) -> Vec3 {
            self.1
        }
    }
    let corners = Cuboid::new(v(2.0, 2.0, 2.0)).unwrap().corners().to_vec();
    let probe = point(v(0.0, 0.0, 0.0));
    for inner in [v(1.0, 1.0, 1.0), v(1.0, 0.3, 1.0), v(0.2, -1.0, 0.4)] {
        let cube: ConvexShape = UserShape::new(Arc::new(Lopsided(HullOf(corners.clone()), inner))).into();
        for (place, exact) in [
            (v(1.5, 0.0, 0.0), 0.5),
            (v(0.5, 0.2, 0.1), -0.5),
            (v(1.0, 1.0, 1.25), 0.25),
            (v(-1.5, -0.3, 0.2), 0.5),
        ] {
            let answer = ask(&cube, &Pose::identity(), &probe, &at(place.x, place.y, place.z));
            assert_eq!(answer.gap > 0.0, exact > 0.0, "{inner} {place}: {answer:?}");
            assert!(answer.lower <= exact && exact <= answer.upper, "{inner} {place}: {answer:?}");
            assert!(
                !matches!(answer.exit, MprExit::Stalled | MprExit::Limited | MprExit::Flat),
                "{answer:?}"
            );
        }
    }
}

#[test]
fn duplicated_and_coplanar_points_change_nothing() {
    let corners = Cuboid::new(v(1.0, 2.0, 3.0)).unwrap().corners();
    let mut crowd = corners.to_vec();
    crowd.extend_from_slice(&corners);
    crowd.extend(corners.iter().map(|p| v(p.x, 0.3 * p.y, p.z)));
    crowd.extend(corners.iter().map(|p| v(0.1 * p.x, 0.3 * p.y, p.z)));
    let plain = cuboid(1.0, 2.0, 3.0);
    let crowded: ConvexShape = UserShape::new(Arc::new(HullOf(crowd.clone()))).into();
    let cleaned: ConvexShape = Polyhedron::from_points(&crowd).unwrap().into();
    let twice: ConvexShape =
        Triangle::new(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)).unwrap().into();
    let mut random = Random::new(9);
    for _ in 0..count(300, 20_000) {
        let pose = Pose::new(random.in_cube(2.5), random.quaternion_xyzw()).unwrap();
        for other in [&plain, &twice] {
            let exact = distance(&plain, &Pose::identity(), other, &pose);
            for shape in [&crowded, &cleaned] {
                let answer = ask(shape, &Pose::identity(), other, &pose);
                assert!(answer.lower <= exact.upper && exact.lower <= answer.upper, "{answer:?} {exact:?}");
                assert_eq!(answer.gap > 0.0, exact.gap > 0.0, "{answer:?} {exact:?}");
            }
        }
    }
}

#[test]
fn every_pair_of_kinds_has_true_bounds_at_every_scale_and_place() {
    let mut random = Random::new(10);
    let (mut pairs, mut unfinished) = (0, 0);
    for scale in [1e-9, 1e-3, 1.0, 1e4, 1e9] {
        let shapes = zoo(scale);
        for (name_a, a) in &shapes {
            for (name_b, b) in &shapes {
                for _ in 0..count(3, 200) {
                    let pose_a = Pose::new(random.in_cube(scale), random.quaternion_xyzw()).unwrap();
                    let reach = [0.0, 1e-7, 1.0, 2.0, 30.0][random.index(5)];
                    let pose_b = Pose::new(
                        pose_a.translation() + random.in_cube(reach * scale),
                        [random.quaternion_xyzw(), pose_a.quaternion_xyzw()][random.index(2)],
                    )
                    .unwrap();
                    let answer = ask(a, &pose_a, b, &pose_b);
                    let exact = distance(a, &pose_a, b, &pose_b);
                    let context = format!("{name_a} {name_b} {scale}: {answer:?} {exact:?}");
                    assert!(answer.lower <= exact.upper && exact.lower <= answer.upper, "{context}");
                    if exact.lower > 0.0 || exact.upper < 0.0 {
                        assert_eq!(answer.gap > 0.0, exact.gap > 0.0, "{context}");
                    }
                    pairs += 1;
                    unfinished += usize::from(matches!(answer.exit, MprExit::Stalled | MprExit::Limited));
                }
            }
        }
    }
    println!("{unfinished} of {pairs} searches stalled or ran out of steps");
    assert!(unfinished * 1000 <= pairs, "{unfinished} of {pairs}");
}

#[test]
fn any_parameters_give_true_bounds() {
    let mut random = Random::new(11);
    for tolerance in [f64::NAN, -1.0, 0.0, 1.0, f64::INFINITY] {
        for max_iterations in [0, 1, 3, 100] {
            let params = MprParams { tolerance, max_iterations };
            for (_, a) in &zoo(1.0) {
                let b: ConvexShape = Ellipsoid::new(v(0.5, 1.2, 0.8)).unwrap().into();
                let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
                let answer = mpr(a, &Pose::identity(), &b, &pose, &params);
                let exact = distance(a, &Pose::identity(), &b, &pose);
                let context = format!("{} {params:?}: {answer:?} {exact:?}", a.kind());
                assert!(answer.lower <= exact.upper && exact.lower <= answer.upper, "{context}");
                assert!(answer.lower <= answer.gap && answer.gap <= answer.upper, "{context}");
                assert!((answer.normal.norm() - 1.0).abs() < 1e-14, "{context}");
            }
        }
    }
}

#[test]
fn the_same_ball_sinks_as_deep_anywhere_on_the_table() {
    let table = cuboid(10.0, 10.0, 1.0);
    let ball: ConvexShape = Sphere::new(0.1).unwrap().into();
    for (x, y) in [(0.0, 0.0), (0.1, 0.0), (3.0, -2.0), (4.5, 4.5), (-4.8, 0.3)] {
        let params = MprParams { tolerance: 1e-14, ..MprParams::default() };
        let answer = mpr(&table, &Pose::identity(), &ball, &at(x, y, 0.6 - 1.608e-6), &params);
        assert!((answer.gap + 1.608e-6).abs() < 1e-12, "{x} {y}: {answer:?}");
        assert!((answer.normal - Vec3::z()).norm() < 1e-6, "{x} {y}: {answer:?}");
    }
}
