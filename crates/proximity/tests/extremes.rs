//! The smallest and the largest shapes that there are, alone and together.

mod pair_checks;

use pair_checks::{CURVED, EXACT, PlacedShape, is_exact, points_on_shapes};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Point, Segment, Sphere, Triangle,
};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{distance, intersects};

/// One of each kind, of a given size [m].
fn shapes(size: f64) -> Vec<ConvexShape> {
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * size;
    let corners =
        [at(1.0, 0.2, 0.0), at(-0.5, 0.8, 0.1), at(-0.4, -0.9, 0.0), at(0.1, 0.0, 1.1), at(0.0, 0.1, -0.7)];
    vec![
        Point::new(at(0.1, 0.2, 0.3)).unwrap().into(),
        Segment::new(corners[0], corners[3]).unwrap().into(),
        Triangle::new(corners[0], corners[1], corners[2]).unwrap().into(),
        Sphere::new(size).unwrap().into(),
        Ellipsoid::new(at(1.0, 0.6, 0.8)).unwrap().into(),
        Cuboid::new(at(1.0, 2.0, 0.6)).unwrap().into(),
        Capsule::new(0.3 * size, size).unwrap().into(),
        Cylinder::new(0.6 * size, size).unwrap().into(),
        Frustum::new(0.6 * size, 0.2 * size, size).unwrap().into(),
        Polyhedron::from_points(&corners).unwrap().into(),
    ]
}

#[test]
fn every_size_that_is_accepted_has_a_finite_answer() {
    let sizes = [1e-59, 1e-45, 1e-20, 1.0, 1e20, 1e45, 1e58];
    for size_a in sizes {
        for size_b in sizes {
            for a in shapes(size_a) {
                for b in shapes(size_b) {
                    let step = size_a.max(size_b);
                    for shift in [0.0, 0.3, 1.7, 40.0] {
                        let place = Vec3::new(step * shift, 0.0, 0.1 * step * shift);
                        let pose_b = Pose::new(place, [0.1, 0.2, 0.3, 0.9]).unwrap();
                        let gap = distance(&a, &Pose::identity(), &b, &pose_b);
                        let numbers = [
                            gap.gap,
                            gap.lower,
                            gap.upper,
                            gap.normal.norm(),
                            gap.point_a.norm(),
                            gap.point_b.norm(),
                        ];
                        assert!(
                            numbers.iter().all(|x| x.is_finite()),
                            "{gap:?} of {a:?} and {b:?} at {shift}"
                        );
                        assert!(
                            (gap.normal.norm() - 1.0).abs() < 1e-14,
                            "{gap:?} of {a:?} and {b:?} at {shift}"
                        );
                        assert!(gap.lower <= gap.gap && gap.gap <= gap.upper, "{gap:?} of {a:?} and {b:?}");
                        let (one, other) = (
                            PlacedShape::new(a.clone(), Pose::identity()),
                            PlacedShape::new(b.clone(), pose_b),
                        );
                        let relative = if is_exact(&one, &other) { EXACT } else { CURVED };
                        let points = points_on_shapes(&one, &other, &gap, relative);
                        assert_eq!(points, Ok(()), "{gap:?} of {a:?} and {b:?} at {shift}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_pair_at_any_scale_has_the_same_digits() {
    let shift = Vec3::new(0.4, 0.3, 0.8);
    let pose = |size: f64, far: f64| Pose::new(shift * (far * size), [0.1, -0.2, 0.3, 0.9]).unwrap();
    let unit = shapes(1.0);
    // Powers of two, so that the shapes themselves have the same digits.
    for size in [f64::powi(2.0, -180), f64::powi(2.0, -100), f64::powi(2.0, 100), f64::powi(2.0, 180)] {
        let scaled = shapes(size);
        for i in 0..unit.len() {
            for j in 0..unit.len() {
                for far in [0.2, 1.0, 3.0] {
                    let expected = distance(&unit[i], &Pose::identity(), &unit[j], &pose(1.0, far));
                    let found = distance(&scaled[i], &Pose::identity(), &scaled[j], &pose(size, far));
                    let error = (found.gap / size - expected.gap).abs();
                    assert!(
                        error <= 2e-11,
                        "{error:e}: {found:?} and {expected:?}, {:?} and {:?}",
                        unit[i],
                        unit[j]
                    );
                    if expected.gap.abs() > 1e-9 {
                        assert_eq!(
                            intersects(&scaled[i], &Pose::identity(), &scaled[j], &pose(size, far)),
                            expected.gap < 0.0
                        );
                    }
                }
            }
        }
    }
}
