//! Bodies of revolution on one axis: closed forms, in every turn and both ways round, with certificates that have met.

mod pair_checks;

use pair_checks::{PlacedShape, random_pose};
use zerogap_core::{Gap, GapStatus, NormalKind, Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Capsule, Cylinder, Ellipsoid, Frustum, Segment};
use zerogap_proximity::convex::{distance, intersects, separation};
use zerogap_testkit::random::Random;

/// Largest error of the gap, against sizes of about 1 [m]: the stated tolerance of such pairs.
const EXACT: f64 = 4e-14;

/// How far a certificate may be open [m]: the default tolerance against sizes of at most 8.
const WIDTH: f64 = 8e-11;

fn cylinder(radius: f64, length: f64) -> ConvexShape {
    Cylinder::new(radius, length).unwrap().into()
}

fn cone(radius: f64, length: f64) -> ConvexShape {
    Frustum::cone(radius, length).unwrap().into()
}

fn spheroid(across: f64, along: f64) -> ConvexShape {
    Ellipsoid::new(Vec3::new(across, across, along)).unwrap().into()
}

/// Asks for the gap, and checks all that an answer promises.
#[track_caller]
fn ask(name: &str, a: &PlacedShape, b: &PlacedShape, expected: f64) -> Gap {
    let gap = distance(&a.shape, &a.pose, &b.shape, &b.pose);
    assert!((gap.gap - expected).abs() <= EXACT, "{name}: {gap:?} instead of {expected}");
    assert!(
        gap.lower <= expected + EXACT && expected - EXACT <= gap.upper,
        "{name}: {gap:?}, not {expected}"
    );
    assert!(gap.upper - gap.lower <= WIDTH, "{name}: {gap:?}");
    assert_ne!(gap.status, GapStatus::Limited, "{name}: {gap:?}");
    let along = separation(&a.shape, &a.pose, &b.shape, &b.pose, &gap.normal);
    assert!((along - expected).abs() <= EXACT, "{name}: {along} along the normal of {gap:?}");
    let mismatch = (gap.point_b - gap.point_a - gap.gap * gap.normal).amax();
    assert!(mismatch <= EXACT, "{name}: {gap:?}");
    // The points are at the ends of the bodies along the normal.
    let (end_a, end_b) = (a.support(&gap.normal), b.support(&-gap.normal));
    let short_a = gap.normal.dot(&(end_a - gap.point_a));
    let short_b = gap.normal.dot(&(gap.point_b - end_b));
    assert!(short_a.abs() <= EXACT && short_b.abs() <= EXACT, "{name}: {short_a:e} {short_b:e} of {gap:?}");
    if expected.abs() > EXACT {
        assert_eq!(intersects(&a.shape, &a.pose, &b.shape, &b.pose), expected < 0.0, "{name}");
    }
    gap
}

/// B shifted along z from A: as it stands, the other way round, upside down and in turns of all kinds.
#[track_caller]
fn check(name: &str, a: &ConvexShape, b: &ConvexShape, shift: f64, expected: f64) -> Gap {
    let (a, b) = (PlacedShape::at(a.clone(), 0.0, 0.0, 0.0), PlacedShape::at(b.clone(), 0.0, 0.0, shift));
    let gap = ask(name, &a, &b, expected);
    let swapped = ask(&format!("{name}, swapped"), &b, &a, expected);
    assert!((swapped.normal + gap.normal).amax() <= f64::EPSILON, "{name}: {gap:?} {swapped:?}");
    let mut random = Random::new(5);
    for _ in 0..20 {
        let by = random_pose(&mut random, 2.0);
        let moved = ask(&format!("{name}, moved"), &a.moved(&by), &b.moved(&by), expected);
        assert_eq!(moved.normal_kind, gap.normal_kind, "{name}: {gap:?} {moved:?}");
        // About its own axis B may turn as it likes.
        let turn = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), random.range(0.0, 6.0)).unwrap();
        ask(&format!("{name}, turned"), &a, &PlacedShape::new(b.shape.clone(), b.pose * turn), expected);
    }
    gap
}

fn is_along_the_axis(gap: &Gap) -> bool {
    gap.normal.z.abs() >= 1.0 - 1e-15
}

#[test]
fn cylinders_part_along_the_axis_or_across_it() {
    let (a, b) = (cylinder(0.5, 2.0), cylinder(0.25, 4.0));
    // Across: both radii. Along: half of both lengths, less the shift.
    let across = check("across", &a, &b, 0.0, -0.75);
    assert!(!is_along_the_axis(&across) && across.normal_kind == NormalKind::Chosen, "{across:?}");
    let along = check("along", &a, &b, 2.5, -0.5);
    assert!((along.normal - Vec3::z()).amax() < 1e-15, "{along:?}");
    assert_eq!(along.normal_kind, NormalKind::Unique);
    let below = check("below", &a, &b, -2.875, -0.125);
    assert!((below.normal + Vec3::z()).amax() < 1e-15, "{below:?}");
    check("touching", &a, &b, 3.0, 0.0);
    check("a hair of overlap", &a, &b, 3.0 - 1e-9, -1e-9);
    check("apart", &a, &b, 3.5, 0.5);
    // Equally deep up, down and all around; the same body twice has no order to swap.
    let stout = PlacedShape::at(cylinder(0.5, 1.0), 0.0, 0.0, 0.0);
    let all = ask("the same twice", &stout, &stout, -1.0);
    assert_eq!(all.normal_kind, NormalKind::Chosen);
}

#[test]
fn a_cone_leaves_a_cylinder_along_its_slope_or_across() {
    // Radius 1, length 1: the slope's outward normal is (1, 1) / sqrt 2. Its plane is at 0.5 / sqrt 2 from the cone's middle.
    let slope = std::f64::consts::FRAC_1_SQRT_2;
    let rod = cylinder(0.25, 8.0);
    // The rod's rim is the farthest along the slope, but the tip is nearer across: the base's rim and the rod's side.
    check("across", &cone(1.0, 1.0), &rod, 0.0, -1.25);
    // A short disc about the cone's middle: out along the slope.
    let disc = cylinder(0.25, 0.125);
    let along_slope = (0.5 + 0.25 + 0.0625) * slope;
    let along_axis = 0.5 + 0.0625;
    check("along the axis", &cone(1.0, 1.0), &disc, 0.0, -along_axis);
    // Lifted by a quarter: the axis upward, 0.3125 to go, is shorter than the slope with 0.5625 / sqrt 2.
    assert!(along_axis - 0.25 < along_slope - 0.25 * slope);
    check("up", &cone(1.0, 1.0), &disc, 0.25, -(along_axis - 0.25));
    // A slender cone: outward normal (4, 1) / sqrt 17, whose plane is at 0.5 * 4 / sqrt 17 from the middle for radius 1 and length 4.
    let slender = cone(1.0, 4.0);
    let n = 17.0_f64.sqrt();
    let out = (0.5 * 4.0 + 0.25 * 4.0 + 0.0625) / n;
    let gap = check("along the slope", &slender, &disc, 0.0, -out);
    assert!((gap.normal.z - 1.0 / n).abs() < 1e-14, "{gap:?}");
    assert_eq!(gap.normal_kind, NormalKind::Chosen);
}

#[test]
fn tips_of_cones_touch_with_many_normals() {
    let upside_down: ConvexShape = Frustum::new(0.0, 1.0, 2.0).unwrap().into();
    let touching = check("tip to tip", &cone(1.0, 2.0), &upside_down, 2.0, 0.0);
    assert_eq!(touching.normal_kind, NormalKind::Chosen);
    check("tips apart", &cone(1.0, 2.0), &upside_down, 2.25, 0.25);
    let flat = check("base to base", &upside_down, &cone(1.0, 2.0), 2.0, 0.0);
    assert_eq!(flat.normal_kind, NormalKind::Unique);
}

#[test]
fn capsules_and_segments_leave_a_cylinder() {
    let pipe = cylinder(0.5, 2.0);
    let capsule: ConvexShape = Capsule::new(0.25, 3.0).unwrap().into();
    check("across", &pipe, &capsule, 0.0, -0.75);
    check("along", &pipe, &capsule, 2.25, -0.5);
    check("touching", &pipe, &capsule, 2.75, 0.0);
    check("apart", &pipe, &capsule, 3.0, 0.25);
    let needle: ConvexShape =
        Segment::new(Vec3::new(0.0, 0.0, -4.0), Vec3::new(0.0, 0.0, 1.0)).unwrap().into();
    check("a segment across", &pipe, &needle, 0.0, -0.5);
    check("a segment along", &pipe, &needle, 4.75, -0.25);
    let rounded = pipe.rounded(0.125).unwrap();
    check("rounded", &rounded, &capsule, 0.0, -0.875);
}

#[test]
fn spheroids_about_each_other_part_along_the_shorter_sum() {
    // Both prolate: across. Both oblate: along. About one centre the support function is sums of roots, least at an end.
    let across = check("prolate", &spheroid(0.5, 1.0), &spheroid(0.25, 2.0), 0.0, -0.75);
    assert_eq!(across.normal_kind, NormalKind::Chosen);
    let along = check("oblate", &spheroid(1.0, 0.5), &spheroid(2.0, 0.25), 0.0, -0.75);
    assert!(is_along_the_axis(&along) && along.normal_kind == NormalKind::Chosen, "up and down: {along:?}");
    check("apart", &spheroid(1.0, 0.5), &spheroid(0.5, 1.0), 2.0, 0.5);
    check("touching", &spheroid(1.0, 0.5), &spheroid(0.5, 1.0), 1.5, 0.0);
    let lifted = check("lifted", &spheroid(1.0, 0.5), &spheroid(2.0, 0.25), 0.5, -0.25);
    assert_eq!(lifted.normal_kind, NormalKind::Unique);
    // Along other axes of their own frames.
    let lying: ConvexShape = Ellipsoid::new(Vec3::new(1.0, 0.5, 0.5)).unwrap().into();
    let quarter = Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), std::f64::consts::FRAC_PI_2).unwrap();
    let standing = PlacedShape::new(cylinder(0.25, 4.0), quarter);
    ask("a cylinder along x", &PlacedShape::at(lying, 0.0, 0.0, 0.0), &standing, -0.75);
}

#[test]
fn a_spheroid_shifted_along_the_axis_has_the_least_of_its_support_function() {
    // h(t) = sqrt(c^2 cos^2 t + d^2 sin^2 t) + r cos t + (l - shift) sin t for a spheroid and a cylinder, searched by brute force.
    let (c, d, r, l, shift): (f64, f64, f64, f64, f64) = (1.0, 0.25, 0.125, 0.5, 0.25);
    let reach = |t: f64| {
        let (cos, sin) = (zerogap_core::math::cos(t), zerogap_core::math::sin(t));
        (c * c * cos * cos + d * d * sin * sin).sqrt() + r * cos + l * sin.abs() - shift * sin
    };
    let steps = 200_000;
    let angle = |k: i32| std::f64::consts::PI * (f64::from(k) / f64::from(steps) - 0.5);
    let least = (0..=steps).map(|k| reach(angle(k))).fold(f64::INFINITY, f64::min);
    let (a, b) = (spheroid(c, d), cylinder(r, 2.0 * l));
    let gap =
        distance(&a, &Pose::identity(), &b, &Pose::from_translation(Vec3::new(0.0, 0.0, shift)).unwrap());
    // The grid misses the minimum by at most half the curvature times the squared step.
    assert!((gap.gap + least).abs() <= 1e-9, "{gap:?} instead of {least}");
    assert_ne!(gap.status, GapStatus::Limited);
}

#[test]
fn bodies_a_hair_off_the_axis_have_true_bounds() {
    // Offsets across the axis shorten or lengthen the way out by no more than themselves.
    let (a, b) = (cylinder(0.5, 2.0), cylinder(0.25, 4.0));
    for off in [1e-16, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8] {
        let pose = Pose::from_translation(Vec3::new(off, 0.0, 0.0)).unwrap();
        let gap = distance(&a, &Pose::identity(), &b, &pose);
        let exact = -0.75 + off;
        assert!(gap.lower <= exact && exact <= gap.upper, "{off}: {gap:?}");
        assert!((gap.gap - exact).abs() <= 5e-11, "{off}: {gap:?}");
    }
}
