//! Nearest points on segments and on plane convex polygons: the sets without volume.
//!
//! A point on such a set has gap 0, and its normal is the plate's, or perpendicular to the segment. The offset q - s is kept
//! exactly perpendicular to the feature that holds s, so that a rounded plate or segment can step from s along the normal and land
//! on its own surface even when q is as good as on the core.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::SurfacePoint;
use super::direction::{length, unit_or};

/// Squared lengths below this have lost their digits to underflow: such a segment is a point [m²].
const VANISHING: f64 = 1e-280;

/// The nearest point of a segment.
pub(super) struct OnSegment {
    /// The point of the segment [m].
    pub(super) point: Vec3,
    /// From it to the query point, perpendicular to the segment where the point is not an end [m].
    pub(super) offset: Vec3,
    /// Whether the point lies strictly between the ends.
    pub(super) between: bool,
}

/// The point of the segment from a to b nearest to q.
pub(super) fn on_segment(a: &Vec3, b: &Vec3, q: &Vec3) -> OnSegment {
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

/// A unit vector perpendicular to the segment from a to b; +x when it is a point.
pub(super) fn perpendicular(a: &Vec3, b: &Vec3) -> Vec3 {
    tangents(&unit_or(&(b - a), &Vec3::z())).0
}

/// The nearest point of a segment as a surface point; a point on it gets a perpendicular normal.
pub(super) fn closest_on_segment(a: &Vec3, b: &Vec3, q: &Vec3) -> SurfacePoint {
    let near = on_segment(a, b, q);
    let normal = unit_or(&near.offset, &perpendicular(a, b));
    SurfacePoint { point: near.point, gap: length(&near.offset), normal }
}

/// The nearest point of a plane convex polygon with corners counter-clockwise about the unit normal `n`.
///
/// Tolerance: 8 ulp of the largest coordinate or extent. Cost: one pass over the edges.
pub(super) fn closest_on_polygon(corners: &[Vec3], n: &Vec3, q: &Vec3) -> SurfacePoint {
    let count = corners.len();
    let mut best: Option<(f64, OnSegment, Vec3)> = None;
    for i in 0..count {
        let (a, b) = (&corners[i], &corners[(i + 1) % count]);
        let outward = (b - a).cross(n);
        if outward.dot(&(q - a)) <= 0.0 {
            continue;
        }
        let near = on_segment(a, b, q);
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
