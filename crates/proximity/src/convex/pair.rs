//! The pair table: which kernel answers for which two shapes.
//!
//! In: two shapes and their placement. Out: the gap in A's frame. Every shape is a core and a radius around it (0 for most): the gap of
//! the cores less the radii is the gap of the shapes, apart and in overlap.

use std::borrow::Cow;

use zerogap_core::{Gap, GapStatus};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::Point;

use super::body::Scaled;
use super::box_box::box_box;
use super::coaxial::coaxial;
use super::curved::curved;
use super::difference::Difference;
use super::general::{self, Ask};
use super::placement::Placement;
use super::point_shape::{is_closed_form, point_shape};
use super::query::DistanceParams;
use super::rounding::{extent, reach, slack};
use super::segment_segment::segment_segment;
use super::warm::{self, Warm};

/// The gap of two convex shapes, in A's frame.
///
/// | core of A  | core of B  | kernel                                             |
/// |------------|------------|----------------------------------------------------|
/// | polyhedron | polyhedron | general path, compiled for polyhedra               |
/// | box        | box        | separating axes and features                       |
/// | segment    | segment    | closed form                                        |
/// | any\*      | point      | nearest surface point, a closed form               |
/// | point      | any\*      | the same, seen from the other side                 |
/// | of revolution, on one axis | of revolution | search in the half-plane of the profile |
/// | smooth, user-defined | the same | Newton's method for the normal             |
/// | any        | any        | general path                                       |
///
/// \* except polyhedra, which the general path does in fewer steps than they have faces, and user-defined shapes.
/// Balls have a point as their core, capsules a segment, rounded shapes what was rounded.
#[inline]
pub(crate) fn distance(a: &ConvexShape, b: &ConvexShape, at: &Placement, params: &DistanceParams) -> Gap {
    use ConvexShape as S;
    match (a, b) {
        (S::Polyhedron(p), S::Polyhedron(q)) => {
            let ask = ask(p.reach(), q.reach(), at, params, 0.0);
            if !TAME.contains(&ask.extent) {
                return by_search(a, b, at, params, 0.0);
            }
            general::distance(&mut Difference::new(&**p, &**q, at), &ask)
        }
        (S::Cuboid(p), S::Cuboid(q)) => {
            let gap = box_box(&p.half_size(), &q.half_size(), at, params.cutoff);
            if is_settled(&gap) { gap } else { by_search(a, b, at, params, 0.0) }
        }
        _ => of_rounded(a, b, at, params),
    }
}

/// [`distance`] with what the last query of this pair left behind; only pairs of polyhedra have any use for it.
pub(crate) fn distance_warm(
    a: &ConvexShape,
    b: &ConvexShape,
    at: &Placement,
    params: &DistanceParams,
    warm: &mut Warm,
) -> Gap {
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let (ConvexShape::Polyhedron(p), ConvexShape::Polyhedron(q)) = (&*core_a, &*core_b) else {
        return distance(a, b, at, params);
    };
    // A search that is kept from its end has no answer of its own that a warm one could share.
    if params.max_iterations < DistanceParams::default().max_iterations {
        return distance(a, b, at, params);
    }
    let ask = ask(p.reach(), q.reach(), at, params, radius_a + radius_b);
    if !TAME.contains(&ask.extent) {
        return distance(a, b, at, params);
    }
    let gap = warm::distance(&mut Difference::new(&**p, &**q, at), &ask, warm);
    if radius_a + radius_b > 0.0 { inflated(gap, radius_a, radius_b) } else { gap }
}

/// [`distance`] of shapes that may have a radius.
fn of_rounded(a: &ConvexShape, b: &ConvexShape, at: &Placement, params: &DistanceParams) -> Gap {
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let gap = of_cores(&core_a, &core_b, at, params, radius_a + radius_b);
    inflated(gap, radius_a, radius_b)
}

/// The gap of two cores whose shapes have the given sum of radii.
fn of_cores(a: &ConvexShape, b: &ConvexShape, at: &Placement, params: &DistanceParams, radii: f64) -> Gap {
    use ConvexShape as S;
    match (a, b) {
        (S::Polyhedron(p), S::Polyhedron(q)) => {
            let ask = ask(p.reach(), q.reach(), at, params, radii);
            if !TAME.contains(&ask.extent) {
                return by_search(a, b, at, params, radii);
            }
            general::distance(&mut Difference::new(&**p, &**q, at), &ask)
        }
        (S::Cuboid(p), S::Cuboid(q)) => {
            let gap = box_box(&p.half_size(), &q.half_size(), at, params.cutoff + radii);
            if is_settled(&gap) { gap } else { by_search(a, b, at, params, radii) }
        }
        (S::Segment(p), S::Segment(q)) => {
            segment_segment(&p.ends(), &q.ends().map(|end| at.to_a(&end)), room(a, b, at))
        }
        (shape, S::Point(p)) if is_closed_form(shape) => {
            let gap = point_shape(&at.to_a(&p.position()), shape, room(a, b, at));
            if is_borne_out(&gap, params) { gap } else { by_search(a, b, at, params, radii) }
        }
        (S::Point(p), shape) if is_closed_form(shape) => {
            let gap = at.gap_to_a(point_shape(&at.to_b(&p.position()), shape, room(a, b, at))).swapped();
            if is_borne_out(&gap, params) { gap } else { by_search(a, b, at, params, radii) }
        }
        (S::User(p), S::User(q)) => {
            curved(p, q, at, room(a, b, at)).unwrap_or_else(|| by_search(a, b, at, params, radii))
        }
        _ => by_search(a, b, at, params, radii),
    }
}

/// Whether a kernel without iterations got to an end; rounding can keep it from one where boxes touch.
#[inline]
fn is_settled(gap: &Gap) -> bool {
    gap.status != GapStatus::Limited && gap.lower <= gap.upper
}

/// By how much the bounds of a closed form are moved outward [m].
fn room(a: &ConvexShape, b: &ConvexShape, at: &Placement) -> f64 {
    slack(extent(reach(a), reach(b), &at.p_AB))
}

/// The gap of any two cores.
fn by_search(a: &ConvexShape, b: &ConvexShape, at: &Placement, params: &DistanceParams, radii: f64) -> Gap {
    let ask = ask(reach(a), reach(b), at, params, radii);
    if TAME.contains(&ask.extent) {
        if let Some(gap) = coaxial(a, b, at, &ask) {
            return gap;
        }
        return general::distance(&mut Difference::new(a, b, at), &ask);
    }
    // In units of the extent: the search multiplies up to six lengths.
    let scale = power_of_two_near(ask.extent).recip();
    let (a, b) = (Scaled { body: a, scale }, Scaled { body: b, scale });
    let mut difference = Difference::new(&a, &b, &at.scaled(scale));
    let gap = general::distance(&mut difference, &ask.scaled(scale));
    Gap {
        gap: gap.gap / scale,
        lower: gap.lower / scale,
        upper: gap.upper / scale,
        point_a: gap.point_a / scale,
        point_b: gap.point_b / scale,
        ..gap
    }
}

/// Extents that a search works with as they are [m].
pub(super) const TAME: std::ops::RangeInclusive<f64> = 1e-40..=1e40;

/// The number without the digits after its first, and the smallest normal one for nothing: its reciprocal is finite.
fn power_of_two_near(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000).max(f64::MIN_POSITIVE)
}

/// Whether the bounds of a closed form agree; a point that touches a surface to rounding may have got a useless normal.
fn is_borne_out(gap: &Gap, params: &DistanceParams) -> bool {
    let extent = gap.upper - gap.gap;
    gap.gap - gap.lower <= CONVERGED * extent.max(params.tolerance * gap.gap.abs())
}

/// Bounds that are this many times the rounding apart agree [-].
const CONVERGED: f64 = 64.0;

/// Whether two convex shapes have a point in common: whether their [`distance`] is no larger than 0, decided by a walk alone where that is enough.
pub(crate) fn intersects(a: &ConvexShape, b: &ConvexShape, at: &Placement) -> bool {
    use ConvexShape as S;
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let radii = radius_a + radius_b;
    let params = DistanceParams { cutoff: 0.0, ..DistanceParams::default() };
    let ask = ask(reach(&core_a), reach(&core_b), at, &params, radii);
    let by_walk = match (&*core_a, &*core_b) {
        _ if !TAME.contains(&ask.extent) => None,
        (S::Polyhedron(p), S::Polyhedron(q)) => {
            general::within(&mut Difference::new(&**p, &**q, at), &ask, radii)
        }
        // Closed forms cost no more.
        (S::Cuboid(_), S::Cuboid(_))
        | (S::Segment(_), S::Segment(_))
        | (S::Point(_), _)
        | (_, S::Point(_)) => None,
        _ => general::within(&mut Difference::new(&*core_a, &*core_b, at), &ask, radii),
    };
    by_walk.unwrap_or_else(|| distance(a, b, at, &params).gap <= 0.0)
}

#[inline]
fn ask(reach_a: f64, reach_b: f64, at: &Placement, params: &DistanceParams, radii: f64) -> Ask {
    let extent = extent(reach_a, reach_b, &at.p_AB);
    Ask {
        extent,
        width: params.tolerance * extent,
        cutoff: params.cutoff + radii,
        max_growth: params.max_iterations,
    }
}

/// A shape as a core and a radius around it [m].
fn core(shape: &ConvexShape) -> (Cow<'_, ConvexShape>, f64) {
    match shape {
        ConvexShape::Ellipsoid(ball) if ball.radii().max() <= ball.radii().min() => {
            (Cow::Owned(Point::origin().into()), ball.radii().x)
        }
        ConvexShape::Sphere(ball) => (Cow::Owned(Point::origin().into()), ball.radius()),
        ConvexShape::Capsule(ball) if ball.length() == 0.0 => {
            (Cow::Owned(Point::origin().into()), ball.radius())
        }
        ConvexShape::Capsule(capsule) => (Cow::Owned(capsule.axis().into()), capsule.radius()),
        ConvexShape::Rounded(rounded) => {
            let (core, radius) = core(rounded.core());
            (core, radius + rounded.radius())
        }
        other => (Cow::Borrowed(other), 0.0),
    }
}

/// The gap of shapes from the gap of their cores.
fn inflated(gap: Gap, radius_a: f64, radius_b: f64) -> Gap {
    let radii = radius_a + radius_b;
    // The subtraction rounds once more.
    let rounding = f64::EPSILON * radii;
    Gap {
        gap: gap.gap - radii,
        lower: gap.lower - radii - rounding,
        upper: gap.upper - radii + rounding,
        point_a: gap.point_a + gap.normal * radius_a,
        point_b: gap.point_b - gap.normal * radius_b,
        ..gap
    }
}
