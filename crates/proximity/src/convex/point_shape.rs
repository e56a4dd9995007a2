//! The gap of a point and a shape, through the nearest point of the shape's surface.
//!
//! In: the point in the shape's frame, and the shape. Out: the exact gap in that frame, with the shape as A. Called by the pair table for
//! points and for balls, whose cores are points. Same bits every time.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};
use zerogap_geometry::{Convex, ConvexShape, SupportHint, SurfacePoint};

/// Components of a unit normal below this are none [-]: half the digits, the accuracy of the location of a minimum.
const NO_COMPONENT: f64 = 1e-7;

/// Whether the nearest surface point of this shape is a closed form (or a Newton iteration of one unknown), cheaper and sharper than any
/// search between two shapes. A polyhedron checks all its faces, a user-defined shape searches, and rounded shapes come as cores.
pub(crate) fn is_closed_form(shape: &ConvexShape) -> bool {
    match shape {
        ConvexShape::Point(_)
        | ConvexShape::Segment(_)
        | ConvexShape::Triangle(_)
        | ConvexShape::Polygon(_)
        | ConvexShape::Sphere(_)
        | ConvexShape::Ellipsoid(_)
        | ConvexShape::Cuboid(_)
        | ConvexShape::Capsule(_)
        | ConvexShape::Cylinder(_)
        | ConvexShape::Frustum(_) => true,
        ConvexShape::Polyhedron(_) | ConvexShape::Rounded(_) | ConvexShape::User(_) => false,
    }
}

/// Signed distance of a point B from a shape A.
///
/// Computes: gap [m], n [-], points with `p_b - p_a = gap n`; inside, the separating translation to the nearest surface point.
/// Frames: `point` and the answer are in the frame of `shape`; `room` is the slack of the pair [m].
/// Method: [`Convex::closest_point`]; the lower bound is the separation along the normal, from the shape's support.
/// Tolerance: that of the shape's closest point, at most 1e-14 of the larger of extent and distance.
/// Cost: constant for [`is_closed_form`] shapes, the corners for a polygon, the faces for a polyhedron.
/// Fails: never; `Converged` where normal and distance agree to less than rounding. Inside a polyhedron, a rounded or a user-defined shape
///   the normal counts as `Unique` unless the point touches the surface: their other faces are not checked.
pub(crate) fn point_shape(point: &Vec3, shape: &ConvexShape, room: f64) -> Gap {
    let near = shape.closest_point(point);
    let support = shape.support(&near.normal, &mut SupportHint::default());
    let separation = near.normal.dot(&(point - support));
    Gap {
        gap: near.gap,
        lower: separation.min(near.gap) - room,
        upper: near.gap + room,
        normal: near.normal,
        normal_kind: normal_kind(&near, point, shape, room),
        point_a: near.point,
        point_b: *point,
        status: if near.gap - separation <= room { GapStatus::Exact } else { GapStatus::Converged },
        iterations: 0,
    }
}

/// Whether the separating translation is the only one, where another within `room` [m] counts as equal.
fn normal_kind(near: &SurfacePoint, q: &Vec3, shape: &ConvexShape, room: f64) -> NormalKind {
    // From outside, the nearest point of a convex set is unique.
    if near.gap > room {
        return NormalKind::Unique;
    }
    // A separating translation along k from the mirror plane across k has its mirror image as a rival.
    let mirrored = || (0..3).any(|k| q[k].abs() <= room && near.normal[k].abs() > NO_COMPONENT);
    let several = match shape {
        // No interior: both directions are equally short.
        ConvexShape::Point(_)
        | ConvexShape::Segment(_)
        | ConvexShape::Triangle(_)
        | ConvexShape::Polygon(_) => true,
        ConvexShape::Sphere(_) | ConvexShape::Capsule(_) | ConvexShape::Ellipsoid(_) => mirrored(),
        ConvexShape::Cuboid(cuboid) => {
            let depths = cuboid.half_size() - q.abs();
            tied(depths.as_slice(), near, room) || mirrored()
        }
        ConvexShape::Cylinder(cylinder) => {
            let depths = depths_in_frustum(cylinder.radius(), cylinder.radius(), cylinder.length(), q);
            tied(&depths, near, room) || on_axis(q, near, room)
        }
        ConvexShape::Frustum(frustum) => {
            let depths = depths_in_frustum(frustum.radius0(), frustum.radius1(), frustum.length(), q);
            tied(&depths, near, room) || on_axis(q, near, room)
        }
        ConvexShape::Polyhedron(_) | ConvexShape::Rounded(_) | ConvexShape::User(_) => near.gap >= -room,
    };
    if several { NormalKind::Chosen } else { NormalKind::Unique }
}

/// Whether more than one face is as near as the nearest.
fn tied(depths: &[f64], near: &SurfacePoint, room: f64) -> bool {
    depths.iter().filter(|depth| **depth <= room - near.gap).count() > 1
}

/// Whether a point on the axis of a solid of revolution leaves it through the side.
fn on_axis(q: &Vec3, near: &SurfacePoint, room: f64) -> bool {
    q.xy().amax() <= room && near.normal.xy().amax() > NO_COMPONENT
}

/// Depths below the side, the high and the low end of a frustum along z [m].
fn depths_in_frustum(radius0: f64, radius1: f64, length: f64, q: &Vec3) -> [f64; 3] {
    let (high, low) = (0.5 * length - q.z, q.z + 0.5 * length);
    let taper = (radius1 - radius0) / length;
    let side = (radius0 + taper * low - q.xy().norm()) / (1.0 + taper * taper).sqrt();
    [side, high, low]
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::shape::{Cuboid, Cylinder, Ellipsoid, Frustum, Point, Segment, Sphere, Triangle};
    use zerogap_testkit::{count, random::Random};

    use super::*;
    use crate::convex::rounding::{extent, reach, slack};

    fn shapes() -> Vec<ConvexShape> {
        let at = Vec3::new;
        vec![
            Point::new(at(0.1, 0.2, 0.3)).unwrap().into(),
            Segment::new(at(-1.0, 0.0, 0.2), at(0.5, 0.3, 0.1)).unwrap().into(),
            Triangle::new(at(-1.0, 0.0, 0.2), at(0.5, 0.3, 0.1), at(0.0, 1.0, 0.0)).unwrap().into(),
            Sphere::new(0.7).unwrap().into(),
            Ellipsoid::new(at(1.0, 0.5, 0.2)).unwrap().into(),
            Cuboid::new(at(2.0, 1.0, 0.5)).unwrap().into(),
            Cylinder::new(0.5, 1.5).unwrap().into(),
            Frustum::new(0.6, 0.2, 1.0).unwrap().into(),
            Frustum::cone(0.6, 1.0).unwrap().into(),
        ]
    }

    #[test]
    fn no_direction_separates_better_and_the_points_span_the_gap() {
        let mut random = Random::new(1);
        for shape in shapes() {
            assert!(is_closed_form(&shape));
            for _ in 0..count(200, 20_000) {
                let q = random.in_cube(1.2);
                let gap = point_shape(&q, &shape, slack(extent(reach(&shape), 0.0, &q)));
                assert!(gap.lower <= gap.gap && gap.gap <= gap.upper);
                assert!(gap.upper - gap.lower < 1e-12, "{} at {q}: {gap:?}", shape.kind());
                assert!((gap.point_b - gap.point_a - gap.normal * gap.gap).amax() < 1e-14);
                // The definition: the gap is the largest separation over all directions.
                for _ in 0..50 {
                    let n = (gap.normal + random.direction() * random.unit()).normalize();
                    let separation = n.dot(&(q - shape.support(&n, &mut SupportHint::default())));
                    assert!(separation <= gap.upper, "{} at {q}: {separation} > {gap:?}", shape.kind());
                }
            }
        }
    }

    #[test]
    fn a_way_out_with_an_equal_is_said_to_be_chosen() {
        let kind = |shape: &ConvexShape, x, y, z| point_shape(&Vec3::new(x, y, z), shape, 1e-14).normal_kind;
        let (unique, chosen) = (NormalKind::Unique, NormalKind::Chosen);
        let cuboid: ConvexShape = Cuboid::new(Vec3::new(2.0, 2.0, 2.0)).unwrap().into();
        assert_eq!(kind(&cuboid, 0.0, 0.0, 0.0), chosen);
        assert_eq!(kind(&cuboid, 0.5, 0.0, 0.0), unique);
        assert_eq!(kind(&cuboid, 0.5, 0.5, 0.0), chosen);
        assert_eq!(kind(&cuboid, 1.0, 1.0, 1.0), chosen);
        assert_eq!(kind(&cuboid, 2.0, 2.0, 2.0), unique);
        let can: ConvexShape = Cylinder::new(0.5, 4.0).unwrap().into();
        assert_eq!(kind(&can, 0.0, 0.0, 0.0), chosen);
        assert_eq!(kind(&can, 0.1, 0.0, 0.0), unique);
        assert_eq!(kind(&can, 0.0, 0.0, 1.9), unique);
        assert_eq!(kind(&can, 0.4, 0.0, 1.9), chosen);
        let cone: ConvexShape = Frustum::cone(0.5, 1.0).unwrap().into();
        assert_eq!(kind(&cone, 0.0, 0.0, 0.5), chosen);
        let egg: ConvexShape = Ellipsoid::new(Vec3::new(3.0, 2.0, 1.0)).unwrap().into();
        assert_eq!(kind(&egg, 0.0, 0.0, 0.0), chosen);
        assert_eq!(kind(&egg, 0.0, 0.0, 0.1), unique);
        let point: ConvexShape = Point::new(Vec3::zeros()).unwrap().into();
        assert_eq!(kind(&point, 0.0, 0.0, 0.0), chosen);
        assert_eq!(kind(&point, 0.0, 0.0, 1.0), unique);
    }
}
