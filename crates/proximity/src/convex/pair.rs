//! The pair table: which kernel answers for which two shapes.
//!
//! In: two shapes and their placement. Out: the gap in A's frame. A rounded shape is its core and a radius: the gap of the
//! cores less the radii is the gap of the shapes, apart and in overlap.

use zerogap_core::{Gap, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Point, Segment};

use super::difference::Difference;
use super::general::{self, Ask};
use super::placement::Placement;
use super::query::DistanceParams;
use super::rounding::{extent, reach};

/// The gap of two convex shapes, in A's frame.
pub(crate) fn distance(
    a: &ConvexShape,
    b: &ConvexShape,
    at: &Placement,
    params: &DistanceParams,
) -> Gap {
    use ConvexShape as S;
    match (a, b) {
        (S::Polyhedron(p), S::Polyhedron(q)) => {
            let ask = ask(a, b, at, params, 0.0);
            general::distance(&mut Difference::new(&**p, &**q, at), &ask)
        }
        _ => {
            let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
            let ask = ask(a, b, at, params, radius_a + radius_b);
            let gap = general::distance(&mut Difference::new(&core_a, &core_b, at), &ask);
            rounded(gap, radius_a, radius_b)
        }
    }
}

/// Whether two convex shapes have a point in common.
pub(crate) fn intersects(a: &ConvexShape, b: &ConvexShape, at: &Placement) -> bool {
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let ask = ask(a, b, at, &DistanceParams::default(), radius_a + radius_b);
    if radius_a + radius_b > 0.0 {
        let ask = Ask { cutoff: radius_a + radius_b, ..ask };
        return general::distance(&mut Difference::new(&core_a, &core_b, at), &ask).gap
            <= radius_a + radius_b;
    }
    general::intersects(&mut Difference::new(&core_a, &core_b, at), &ask)
}

fn ask(a: &ConvexShape, b: &ConvexShape, at: &Placement, params: &DistanceParams, radii: f64) -> Ask {
    let extent = extent(reach(a), reach(b), &at.p_AB);
    Ask {
        extent,
        width: params.tolerance * extent,
        cutoff: params.cutoff + radii,
        max_growth: params.max_iterations,
    }
}

/// A shape as a core and a radius [m] around it.
fn core(shape: &ConvexShape) -> (ConvexShape, f64) {
    match shape {
        ConvexShape::Sphere(ball) => {
            (Point::new(Vec3::zeros()).map_or_else(|_| shape.clone(), Into::into), ball.radius())
        }
        ConvexShape::Capsule(capsule) => {
            let half = Vec3::z() * (0.5 * capsule.length());
            (Segment::new(-half, half).map_or_else(|_| shape.clone(), Into::into), capsule.radius())
        }
        ConvexShape::Rounded(rounded) => (rounded.core().clone(), rounded.radius()),
        other => (other.clone(), 0.0),
    }
}

/// The gap of the rounded shapes from that of their cores.
fn rounded(gap: Gap, radius_a: f64, radius_b: f64) -> Gap {
    let radii = radius_a + radius_b;
    Gap {
        gap: gap.gap - radii,
        lower: gap.lower - radii,
        upper: gap.upper - radii,
        point_a: gap.point_a + gap.normal * radius_a,
        point_b: gap.point_b - gap.normal * radius_b,
        ..gap
    }
}
