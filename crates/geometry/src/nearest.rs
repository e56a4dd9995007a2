//! Nearest points on segments and on plane convex polygons: the features that every polyhedral shape is made of.
//!
//! In: corners and a query point q. Out: the nearest point s and the offset q - s. The offset is computed apart from s, from the
//! nearer end, and kept exactly perpendicular to the feature that holds s. So it keeps its digits where q is as good as on the feature
//! and where both are far from the origin, and a rounded shape can step from s along it and land on its own surface.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use crate::shape::SurfacePoint;
use crate::shape::direction::{length, unit_or};

/// Squared lengths below this have lost their digits to underflow: such a segment is a point [m²].
const VANISHING: f64 = 1e-280;

/// The nearest point of a segment.
pub(crate) struct OnSegment {
    /// The point of the segment [m].
    pub(crate) point: Vec3,
    /// From it to the query point, perpendicular to the segment where the point is not an end [m].
    pub(crate) offset: Vec3,
    /// Whether the point lies strictly between the ends.
    pub(crate) between: bool,
}

/// The point of the segment from a to b nearest to q.
///
/// Tolerance: the offset within 4 ulp of the segment's length and its own; the point within an ulp of its coordinates more.
#[inline]
pub(crate) fn on_segment(a: &Vec3, b: &Vec3, q: &Vec3) -> OnSegment {
    let e = b - a;
    let squared = e.norm_squared();
    let (from_a, from_b) = (q - a, q - b);
    let (along_a, along_b) = (e.dot(&from_a), e.dot(&from_b));
    if squared < VANISHING || along_a <= 0.0 {
        return OnSegment { point: *a, offset: from_a, between: false };
    }
    if along_b >= 0.0 {
        return OnSegment { point: *b, offset: from_b, between: false };
    }
    // Measured from the nearer end, where fewer digits cancel.
    let (point, mut offset) = if along_a <= -along_b {
        let step = e * (along_a / squared);
        (a + step, from_a - step)
    } else {
        let step = e * (along_b / squared);
        (b + step, from_b - step)
    };
    offset -= e * (e.dot(&offset) / squared);
    OnSegment { point, offset, between: true }
}

/// Distance of q from the segment from a to b [m].
pub(crate) fn segment_distance(a: &Vec3, b: &Vec3, q: &Vec3) -> f64 {
    length(&on_segment(a, b, q).offset)
}

/// The nearest point of an edge from a to b to a point on its outer side, where `outward` points; none for a point on its inner side.
///
/// The side is measured from the nearer end: seen from the other one, a point close to this end would round onto it.
#[inline]
pub(crate) fn on_edge_from_outside(a: &Vec3, b: &Vec3, outward: &Vec3, q: &Vec3) -> Option<OnSegment> {
    let (from_a, from_b) = (q - a, q - b);
    let nearer = if from_a.norm_squared() <= from_b.norm_squared() { from_a } else { from_b };
    (outward.dot(&nearer) > 0.0).then(|| on_segment(a, b, q))
}

/// A unit vector perpendicular to the segment from a to b; +x when it is a point.
fn perpendicular(a: &Vec3, b: &Vec3) -> Vec3 {
    tangents(&unit_or(&(b - a), &Vec3::z())).0
}

/// The nearest point of a segment as a surface point; a point on it gets a perpendicular normal.
pub(crate) fn closest_on_segment(a: &Vec3, b: &Vec3, q: &Vec3) -> SurfacePoint {
    let near = on_segment(a, b, q);
    let normal = unit_or(&near.offset, &perpendicular(a, b));
    SurfacePoint { point: near.point, gap: length(&near.offset), normal }
}

/// The nearest point of a plane convex polygon with corners counter-clockwise about the unit normal `n`.
///
/// A point on the polygon has gap 0 and the plate's normal.
/// Tolerance: 8 ulp of the largest coordinate or extent, plus the distance of the corners from the plane through the first one.
/// Cost: one pass over the edges.
pub(crate) fn closest_on_polygon(corners: &[Vec3], n: &Vec3, q: &Vec3) -> SurfacePoint {
    let count = corners.len();
    let mut best: Option<(f64, OnSegment, Vec3)> = None;
    for i in 0..count {
        let (a, b) = (&corners[i], &corners[(i + 1) % count]);
        let outward = (b - a).cross(n);
        let Some(near) = on_edge_from_outside(a, b, &outward, q) else { continue };
        let gap = length(&near.offset);
        if best.as_ref().is_none_or(|(least, _, _)| gap < *least) {
            best = Some((gap, near, outward));
        }
    }
    let Some((gap, near, outward)) = best else {
        // Over the face.
        let height = n.dot(&(q - corners[0]));
        let normal = if height < 0.0 { -n } else { *n };
        return SurfacePoint { point: q - n * height, gap: height.abs(), normal };
    };
    // On the rim to rounding, the offset may point back over the face: there the plate's normal is the honest one.
    let inward = near.between && outward.dot(&near.offset) < 0.0;
    let offset = if inward { n * n.dot(&near.offset) } else { near.offset };
    SurfacePoint { point: near.point, gap, normal: unit_or(&offset, n) }
}
