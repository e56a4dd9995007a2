//! The gap of a half-space and a bounded shape: one support point.
//!
//! In: the half-space in its own frame, the shape and its placement. Out: the exact gap in the half-space's frame, with it as A.
//! Called by the pair table. Same bits every time.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::placement::Placement;
use super::rounding::{extent, reach, slack};

/// Signed distance of a half-space A and a bounded shape B.
///
/// Computes: gap [m], n [-], points with `p_b - p_a = gap n`. The plane's normal is the only one, so it is always unique.
/// Frames: works in A, answers in A.
/// Method: the point of B that lies deepest along the normal. Exact for every shape with a support, rounded ones included.
/// Tolerance: 1e-15 of the largest of the plane's offset, the reach of B and the distance of the origins.
/// Cost: one support of B.
/// Fails: never.
pub(crate) fn half_space(plane: &HalfSpace, b: &ConvexShape, at: &Placement) -> Gap {
    let normal = plane.normal();
    let down: Vec3 = -at.R_AB.tr_mul(&normal);
    let point_b = at.p_AB + at.R_AB * b.support(&down, &mut SupportHint::default());
    let gap = normal.dot(&point_b) - plane.offset();
    let room = slack(extent(plane.offset().abs(), reach(b), &at.p_AB));
    Gap {
        gap,
        lower: gap - room,
        upper: gap + room,
        normal,
        normal_kind: NormalKind::Unique,
        point_a: point_b - normal * gap,
        point_b,
        status: GapStatus::Exact,
        iterations: 0,
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::Pose;
    use zerogap_geometry::shape::{Capsule, Cuboid, Frustum, Sphere};
    use zerogap_testkit::{count, random::Random};

    use super::*;

    #[test]
    fn the_deepest_corner_of_a_turned_box_tells_its_gap() {
        let mut random = Random::new(2);
        for scale in [1e-9, 1.0, 1e9] {
            for _ in 0..count(200, 20_000) {
                let plane = HalfSpace::new(random.direction(), scale * random.range(-2.0, 2.0)).unwrap();
                let cuboid = Cuboid::new(scale * Vec3::new(0.5, 1.0, 2.0)).unwrap();
                let mut pose = || Pose::new(scale * random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
                let (pose_a, pose_b) = (pose(), pose());
                let at = Placement::new(&pose_a, &pose_b);
                let gap = half_space(&plane, &cuboid.into(), &at);
                let height = |corner: &Vec3| {
                    let seen = pose_a.inverse_transform_point(&pose_b.transform_point(corner));
                    plane.normal().dot(&seen) - plane.offset()
                };
                let lowest = cuboid.corners().iter().map(height).fold(f64::INFINITY, f64::min);
                assert!((gap.gap - lowest).abs() < 1e-14 * scale, "{} {lowest}", gap.gap);
                assert!(gap.lower <= lowest && lowest <= gap.upper);
                assert!((gap.point_b - gap.point_a - gap.normal * gap.gap).amax() < 1e-14 * scale);
                assert!((plane.normal().dot(&gap.point_a) - plane.offset()).abs() < 1e-14 * scale);
            }
        }
    }

    #[test]
    fn round_shapes_touch_with_their_skin() {
        let plane = HalfSpace::new(Vec3::z(), 1.0).unwrap();
        let at =
            Placement::new(&Pose::identity(), &Pose::from_translation(Vec3::new(0.0, 0.0, 3.0)).unwrap());
        for (shape, expected) in [
            (ConvexShape::from(Sphere::new(0.5).unwrap()), 1.5),
            (Capsule::new(0.5, 1.0).unwrap().into(), 1.0),
            (Frustum::cone(0.5, 4.0).unwrap().into(), 0.0),
        ] {
            let gap = half_space(&plane, &shape, &at);
            assert!((gap.gap - expected).abs() < 1e-15, "{}: {}", shape.kind(), gap.gap);
        }
    }
}
