//! Nearest points on segments, triangles and plane convex polygons: the features that every polyhedral shape is made of.
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
        if best.as_ref().is_none_or(|(smallest, _, _)| gap < *smallest) {
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

/// The nearest point of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnTriangle {
    /// The point of the triangle [m].
    pub point: Vec3,
    /// The corners of the smallest feature that holds it: one for a corner, two for a side, three for the inside.
    pub held_by: [bool; 3],
}

/// A triangle whose height is at least this part of its longest side has a normal with all but its last digits [-].
const FAT: f64 = 0.05;

/// The point of a closed triangle nearest to q, triangles without area included.
///
/// Method: a fat triangle has a good normal: q lies over it, or on the outer side of one or two sides, which alone are checked.
///   A thin one takes the careful foot and all sides.
/// Tolerance: 1e-14 of the larger of extent and distance, down to triangles 1e-10 of their length wide.
/// Order: of sides at the same distance the first.
pub fn on_triangle(corners: &[Vec3; 3], q: &Vec3) -> OnTriangle {
    let [a, b, c] = corners;
    let sides = [b - a, c - b, a - c];
    let n = sides[0].cross(&sides[1]);
    let squared = n.norm_squared();
    let longest = sides.iter().map(Vec3::norm_squared).fold(0.0, f64::max);
    if squared <= (FAT * longest) * (FAT * longest) {
        return match foot_inside(corners, q) {
            Some(point) => OnTriangle { point, held_by: [true; 3] },
            None => on_sides(corners, q, [true; 3]),
        };
    }
    // Weights from the dot products of the sides would be quicker, but they square what the triangle's thinness costs in digits.
    let outside: [bool; 3] = std::array::from_fn(|k| sides[k].cross(&n).dot(&(q - corners[k])) > 0.0);
    if outside == [false; 3] {
        return OnTriangle { point: q - n * (n.dot(&(q - a)) / squared), held_by: [true; 3] };
    }
    on_sides(corners, q, outside)
}

/// The nearest point of some sides of a triangle, of which there must be one.
fn on_sides(corners: &[Vec3; 3], q: &Vec3, sides: [bool; 3]) -> OnTriangle {
    let mut found = OnTriangle { point: corners[0], held_by: [true, false, false] };
    let mut smallest = f64::INFINITY;
    for k in (0..3).filter(|&k| sides[k]) {
        let next = (k + 1) % 3;
        let side = on_segment(&corners[k], &corners[next], q);
        let squared = side.offset.norm_squared();
        if squared < smallest {
            let at_start = side.point == corners[k];
            let mut held_by = [false; 3];
            held_by[k] = side.between || at_start;
            held_by[next] = side.between || !at_start;
            (found, smallest) = (OnTriangle { point: side.point, held_by }, squared);
        }
    }
    found
}

/// The foot of the perpendicular from `q`, if it lies inside the triangle.
///
/// Works in the frame of the longest side and the height on it, made orthogonal twice: a thin triangle then costs digits only
/// across its height, where no error is possible. Ratios of areas would lose them along its length.
fn foot_inside(corners: &[Vec3; 3], q: &Vec3) -> Option<Vec3> {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
    let longest = (0..3).rfold(2, |best, k| if length(k) >= length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let (base, side, to_q) = (b - a, c - a, q - a);
    let base_squared = base.norm_squared();
    // Where the height stands on the base, and the height itself.
    let first = side.dot(&base) / base_squared;
    let rough = side - base * first;
    let second = rough.dot(&base) / base_squared;
    let height = rough - base * second;
    let up = to_q.dot(&height) / height.norm_squared();
    let along = to_q.dot(&base) / base_squared;
    // Weights of the three corners; a triangle without area gives NaN or infinity, which is not inside.
    let weight_b = along - up * (first + second);
    let inside = up >= 0.0 && weight_b >= 0.0 && up + weight_b <= 1.0;
    inside.then(|| a + base * along + height * up)
}
