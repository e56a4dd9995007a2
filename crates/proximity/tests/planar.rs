//! Pairs whose Minkowski set is flat or nearly: segments, plates and points, apart, touching and overlapping, in several turns.

mod pair_checks;

use pair_checks::{PlacedShape, check_exact, point, random_pose};
use zerogap_core::math::{cos, sin};
use zerogap_core::{Gap, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, Point, Polygon, Segment};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// A segment of the world.
fn segment(from: [f64; 3], to: [f64; 3]) -> PlacedShape {
    PlacedShape::new(Segment::new(from.into(), to.into()).unwrap(), Pose::identity())
}

/// The square plate of side 2 about the origin, in the plane z = 0.
fn plate() -> PlacedShape {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    PlacedShape::new(Polygon::new(&corners).unwrap(), Pose::identity())
}

/// The same plate standing on its edge: in the plane y = 0, its lower edge at the height `bottom`.
fn standing_plate(bottom: f64) -> PlacedShape {
    let corners =
        [(-1.0, 0.0), (1.0, 0.0), (1.0, 2.0), (-1.0, 2.0)].map(|(x, z)| Vec3::new(x, 0.0, z + bottom));
    PlacedShape::new(Polygon::new(&corners).unwrap(), Pose::identity())
}

/// The pair as it stands, both ways round, and in turns of all kinds, against exact arithmetic; unturned also against `expected`.
#[track_caller]
fn check(name: &str, a: &PlacedShape, b: &PlacedShape, expected: f64) -> Gap {
    let gap = check_exact(name, a, b);
    assert!((gap.gap - expected).abs() <= 1e-15, "{name}: {gap:?} instead of {expected}");
    let swapped = check_exact(name, b, a);
    assert!((swapped.gap - expected).abs() <= 1e-15, "{name}, swapped: {swapped:?} instead of {expected}");
    let mut random = Random::new(3);
    let quarter = Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), std::f64::consts::FRAC_PI_2).unwrap();
    let hair = Pose::from_axis_angle(Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0), 1e-9).unwrap();
    for by in [quarter, hair].into_iter().chain((0..20).map(|_| random_pose(&mut random, 2.0))) {
        let turned = check_exact(name, &a.moved(&by), &b.moved(&by));
        assert!((turned.gap - expected).abs() <= 2e-14, "{name}, turned: {turned:?} instead of {expected}");
    }
    gap
}

#[test]
fn parallel_segments_apart_have_their_gap() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let gap = check("side by side", &a, &segment([-0.5, 0.75, 0.0], [2.0, 0.75, 0.0]), 0.75);
    assert!((gap.normal - Vec3::y()).amax() < 1e-15, "{gap:?}");
    check("in one line", &a, &segment([1.5, 0.0, 0.0], [4.0, 0.0, 0.0]), 0.5);
    check("end past end", &a, &segment([4.0, 4.0, 0.0], [7.0, 4.0, 0.0]), 5.0);
    check("opposite senses", &a, &segment([0.5, 0.0, -0.25], [-0.5, 0.0, -0.25]), 0.25);
}

#[test]
fn parallel_segments_touching_have_gap_zero() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    check("end to end", &a, &segment([1.0, 0.0, 0.0], [3.0, 0.0, 0.0]), 0.0);
}

#[test]
fn parallel_segments_overlapping_have_their_depth() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    // Lines have no depth: the way out is square to them, and of no length.
    let gap = check("in one line", &a, &segment([0.5, 0.0, 0.0], [3.0, 0.0, 0.0]), 0.0);
    assert!(gap.normal.x.abs() <= 1e-7, "the normal must stand across the segments: {gap:?}");
    check("one in the other", &a, &segment([-0.25, 0.0, 0.0], [0.25, 0.0, 0.0]), 0.0);
    check("the same", &a, &a, 0.0);
}

#[test]
fn crossing_segments_apart_have_their_gap() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let gap = check("one over the other", &a, &segment([0.25, -1.0, 0.5], [0.25, 1.0, 0.5]), 0.5);
    assert!((gap.normal - Vec3::z()).amax() < 1e-15, "{gap:?}");
    check("in one plane, short of it", &a, &segment([0.25, 0.5, 0.0], [0.25, 2.0, 0.0]), 0.5);
    check("slanted", &a, &segment([0.0, 0.0, 0.125], [1.0, 1.0, 0.125]), 0.125);
}

#[test]
fn crossing_segments_touching_have_gap_zero() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    check("end on middle", &a, &segment([0.25, 0.0, 0.0], [0.25, 2.0, 0.0]), 0.0);
    check("end on end, square", &a, &segment([1.0, 0.0, 0.0], [1.0, 2.0, 0.0]), 0.0);
}

#[test]
fn crossing_segments_overlapping_have_their_depth() {
    let a = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let gap = check("a cross", &a, &segment([0.25, -1.0, 0.0], [0.25, 2.0, 0.0]), 0.0);
    assert!(gap.normal.z.abs() >= 1.0 - 1e-14, "the normal must stand on the plane of the cross: {gap:?}");
    check("a slanted cross", &a, &segment([-1.0, -0.5, 0.0], [1.0, 0.5, 0.0]), 0.0);
}

#[test]
fn a_plate_over_a_plates_edge_apart_have_their_gap() {
    let gap = check("edge over plate", &plate(), &standing_plate(0.25), 0.25);
    assert!((gap.normal - Vec3::z()).amax() < 1e-15, "{gap:?}");
    // Edge beside edge, in one plane: the Minkowski set is flat.
    let beside = PlacedShape::at(plate().shape, 2.5, 0.5, 0.0);
    check("edge beside edge", &plate(), &beside, 0.5);
}

#[test]
fn a_plate_on_a_plates_edge_touching_have_gap_zero() {
    check("edge on plate", &plate(), &standing_plate(0.0), 0.0);
    check("edge on edge", &plate(), &PlacedShape::at(plate().shape, 2.0, 0.5, 0.0), 0.0);
    check("corner on corner", &plate(), &PlacedShape::at(plate().shape, 2.0, 2.0, 0.0), 0.0);
}

#[test]
fn a_plate_across_a_plates_edge_overlapping_have_their_depth() {
    let gap = check("edge through plate", &plate(), &standing_plate(-0.25), -0.25);
    assert!((gap.normal - Vec3::z()).amax() < 1e-15, "{gap:?}");
    let flat = check("in one plane", &plate(), &PlacedShape::at(plate().shape, 1.5, 0.5, 0.0), 0.0);
    assert!(flat.normal.z.abs() >= 1.0 - 1e-14, "the normal must stand on the plates: {flat:?}");
    check("the same", &plate(), &plate(), 0.0);
}

#[test]
fn a_plate_and_a_point_apart_have_their_gap() {
    let gap = check("over the middle", &plate(), &point(0.25, 0.5, 2.0), 2.0);
    assert!((gap.normal - Vec3::z()).amax() < 1e-15, "{gap:?}");
    check("beside it in its plane", &plate(), &point(1.5, 0.25, 0.0), 0.5);
    check("off a corner", &plate(), &point(4.0, 5.0, 0.0), 5.0);
}

#[test]
fn a_plate_and_a_point_touching_have_gap_zero() {
    check("on an edge", &plate(), &point(1.0, 0.25, 0.0), 0.0);
    check("on a corner", &plate(), &point(1.0, 1.0, 0.0), 0.0);
}

#[test]
fn a_plate_and_a_point_overlapping_have_their_depth() {
    let gap = check("in the middle", &plate(), &point(0.25, 0.5, 0.0), 0.0);
    assert!(gap.normal.z.abs() >= 1.0 - 1e-14, "the normal must stand on the plate: {gap:?}");
    check("two points in one place", &point(0.5, 0.25, 3.0), &point(0.5, 0.25, 3.0), 0.0);
}

/// A regular polygon about the origin in the plane z = 0, with its first corner at (1, 0).
fn regular(corners: usize) -> Polygon {
    let turn = std::f64::consts::TAU / corners as f64;
    let corner = |k: usize| Vec3::new(cos(turn * k as f64), sin(turn * k as f64), 0.0);
    Polygon::new(&(0..corners).map(corner).collect::<Vec<_>>()).unwrap()
}

#[test]
fn polygons_in_one_plane_keep_a_gap_as_small_as_a_hair() {
    let mut random = Random::new(31);
    for case in 0..count(300, 20_000) {
        let (m, n) = (3 + case % 9, 3 + case / 9 % 9);
        let a = PlacedShape::new(regular(m), Pose::from_translation(random.in_cube(1.0)).unwrap());
        let b = PlacedShape::new(regular(n), Pose::identity());
        // The last corner of A along x over a corner of B, at the same height to the last digit and a hair apart.
        let (tip, side) = (a.support(&Vec3::x()), b.support(&-Vec3::x()));
        let hair = Vec3::x() * random.range(1e-7, 1e-3);
        let b = PlacedShape::new(regular(n), Pose::from_translation(tip - side + hair).unwrap());
        check_exact("corner beside corner", &a, &b);
    }
}

#[test]
fn closed_forms_know_how_far_a_shape_stands_from_its_own_origin() {
    let mut random = Random::new(32);
    for far in [1.0, 1e3, 1e6] {
        for _ in 0..count(50, 2000) {
            let away = random.direction() * far;
            let pose = random_pose(&mut random, 1.0);
            let back = Pose::new(pose.transform_vector(&-away) + random.in_cube(2.0), pose.quaternion_xyzw())
                .unwrap();
            let cuboid = PlacedShape::new(
                Cuboid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap(),
                random_pose(&mut random, 1.0),
            );
            let point = PlacedShape::new(Point::new(away).unwrap(), back);
            check_exact("a point from afar", &cuboid, &point);
            let here = PlacedShape::new(
                Segment::new(random.in_cube(1.0), random.in_cube(1.0)).unwrap(),
                Pose::identity(),
            );
            let there = Segment::new(away + random.in_cube(1.0), away + random.in_cube(1.0)).unwrap();
            check_exact("a segment from afar", &here, &PlacedShape::new(there, back));
        }
    }
}
