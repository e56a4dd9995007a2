//! Whether triangles and segments cross, decided exactly for the coordinates as they are.
//!
//! In: corners in one frame. Out: yes or no, with touching as yes. Signs come from adaptive exact arithmetic, so neighbours agree about their
//! common edge and no answer depends on the order of corners.

use robust::{Coord, Coord3D, orient2d, orient3d};
use zerogap_core::Vec3;

#[inline]
fn coord(p: &Vec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

/// The side of the plane through a, b, c that d lies on: exact sign; positive below, when a, b, c run counter-clockwise seen from above.
#[inline]
pub(super) fn side(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    orient3d(coord(a), coord(b), coord(c), coord(d))
}

/// Whether a closed segment and a closed triangle that do not lie in one plane have a point in common. `from` and `to` are the sides of the segment's ends.
fn pierces(p: &Vec3, q: &Vec3, from: f64, to: f64, [a, b, c]: &[Vec3; 3]) -> bool {
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || (from == 0.0 && to == 0.0) {
        return false;
    }
    let (u, v, w) = (side(p, q, a, b), side(p, q, b, c), side(p, q, c, a));
    (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)
}

/// Whether two closed triangles have a point in common; triangles without area are the segments or points that they are.
///
/// Method: an edge of one pierces the other, or both lie in one plane and cross there; every sign is exact.
/// Tolerance: none for the coordinates as they are, above underflow. Cost: 6 signs where one lies on one side of the other, up to 24.
pub fn triangles_cross(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let of_b = [
        side(&a[0], &a[1], &a[2], &b[0]),
        side(&a[0], &a[1], &a[2], &b[1]),
        side(&a[0], &a[1], &a[2], &b[2]),
    ];
    if of_b.iter().all(|s| *s > 0.0) || of_b.iter().all(|s| *s < 0.0) {
        return false;
    }
    let of_a = [
        side(&b[0], &b[1], &b[2], &a[0]),
        side(&b[0], &b[1], &b[2], &a[1]),
        side(&b[0], &b[1], &b[2], &a[2]),
    ];
    if of_a.iter().all(|s| *s > 0.0) || of_a.iter().all(|s| *s < 0.0) {
        return false;
    }
    for k in 0..3 {
        let next = (k + 1) % 3;
        if pierces(&b[k], &b[next], of_b[k], of_b[next], a)
            || pierces(&a[k], &a[next], of_a[k], of_a[next], b)
        {
            return true;
        }
    }
    // Edges in the plane of the other, whole triangles in one plane, and triangles without area: in two dimensions, seen along every axis.
    let flat =
        of_b.iter().filter(|s| **s == 0.0).count() >= 2 || of_a.iter().filter(|s| **s == 0.0).count() >= 2;
    flat && (0..3).all(|axis| seen_along(axis, a, b)) && in_one_plane_cross(a, b)
}

/// Which edges of A pierce B's face and which of B pierce A's, a bit for each, for triangles that do not lie in one plane.
pub(super) fn piercing_edges(a: &[Vec3; 3], b: &[Vec3; 3]) -> [u8; 2] {
    let masks = |edges: &[Vec3; 3], face: &[Vec3; 3]| {
        let sides = edges.each_ref().map(|p| side(&face[0], &face[1], &face[2], p));
        let bit = |k: usize| {
            u8::from(pierces(&edges[k], &edges[(k + 1) % 3], sides[k], sides[(k + 1) % 3], face)) << k
        };
        bit(0) | bit(1) | bit(2)
    };
    [masks(a, b), masks(b, a)]
}

/// Whether the shadows of two triangles along an axis have a point in common.
fn seen_along(axis: usize, a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let drop = |p: &Vec3| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] };
    let (a, b) = (a.each_ref().map(drop), b.each_ref().map(drop));
    shadows_cross(&a, &b)
}

/// Whether two triangles of which at least an edge lies in the plane of the other cross there, segment by segment.
fn in_one_plane_cross(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let ends = |t: &[Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let edges = ends(a).into_iter().any(|e| ends(b).into_iter().any(|f| segments_cross(&e, &f)));
    edges || a.iter().any(|p| lies_in(p, b)) || b.iter().any(|p| lies_in(p, a))
}

/// Whether a point lies in a closed triangle.
fn lies_in(p: &Vec3, t: &[Vec3; 3]) -> bool {
    if side(&t[0], &t[1], &t[2], p) != 0.0 {
        return false;
    }
    (0..3).all(|axis| {
        let drop = |p: &Vec3| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] };
        shadow_holds(&t.each_ref().map(drop), drop(p))
    })
}

/// Whether two closed segments in space have a point in common.
fn segments_cross(a: &[Vec3; 2], b: &[Vec3; 2]) -> bool {
    if side(&a[0], &a[1], &b[0], &b[1]) != 0.0 {
        return false;
    }
    (0..3).all(|axis| {
        let drop = |p: &Vec3| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] };
        segment_shadows_cross(&a.each_ref().map(drop), &b.each_ref().map(drop))
    })
}

type Flat = Coord<f64>;

/// Whether a point lies in a closed triangle of the plane, one without area included.
fn shadow_holds(t: &[Flat; 3], p: Flat) -> bool {
    let (u, v, w) = (orient2d(t[0], t[1], p), orient2d(t[1], t[2], p), orient2d(t[2], t[0], p));
    let same = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    // All three zero: a triangle without area; its box decides along the line.
    let low = |f: fn(&Flat) -> f64| t.iter().map(f).fold(f64::INFINITY, f64::min);
    let high = |f: fn(&Flat) -> f64| t.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let boxed = low(|c| c.x) <= p.x && p.x <= high(|c| c.x) && low(|c| c.y) <= p.y && p.y <= high(|c| c.y);
    same && boxed
}

/// Whether two closed segments of the plane have a point in common.
fn segment_shadows_cross(a: &[Flat; 2], b: &[Flat; 2]) -> bool {
    let apart = |x: [f64; 2], y: [f64; 2]| x[0].max(x[1]) < y[0].min(y[1]) || y[0].max(y[1]) < x[0].min(x[1]);
    if apart([a[0].x, a[1].x], [b[0].x, b[1].x]) || apart([a[0].y, a[1].y], [b[0].y, b[1].y]) {
        return false;
    }
    let (s, t) = (orient2d(a[0], a[1], b[0]), orient2d(a[0], a[1], b[1]));
    let (u, v) = (orient2d(b[0], b[1], a[0]), orient2d(b[0], b[1], a[1]));
    let opposite = |x: f64, y: f64| !((x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0));
    opposite(s, t) && opposite(u, v)
}

/// Whether two closed triangles of the plane have a point in common.
fn shadows_cross(a: &[Flat; 3], b: &[Flat; 3]) -> bool {
    let sides = |t: &[Flat; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    sides(a).iter().any(|e| sides(b).iter().any(|f| segment_shadows_cross(e, f)))
        || shadow_holds(a, b[0])
        || shadow_holds(b, a[0])
}

/// How a segment passes a triangle: for counting how often a surface is crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passage {
    /// Not at all.
    Beside,
    /// From the side that the normal points to, to the other.
    Inward,
    /// The other way.
    Outward,
    /// Through an edge or a corner, or along the plane: another segment must be asked.
    Unclear,
}

/// How the segment from p to q passes a triangle.
pub(super) fn passage(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> Passage {
    let (from, to) = (side(a, b, c, p), side(a, b, c, q));
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) {
        return Passage::Beside;
    }
    let (u, v, w) = (side(p, q, a, b), side(p, q, b, c), side(p, q, c, a));
    let mixed = (u > 0.0 || v > 0.0 || w > 0.0) && (u < 0.0 || v < 0.0 || w < 0.0);
    if mixed {
        return Passage::Beside;
    }
    if from == 0.0 || to == 0.0 || u == 0.0 || v == 0.0 || w == 0.0 {
        return Passage::Unclear;
    }
    // Positive means below the plane, where the normal does not point.
    if from > 0.0 { Passage::Outward } else { Passage::Inward }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(p: [[f64; 3]; 3]) -> [Vec3; 3] {
        p.map(|[x, y, z]| Vec3::new(x, y, z))
    }

    #[test]
    fn touching_counts_and_a_hair_apart_does_not() {
        let floor = t([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        for (other, expected) in [
            // A corner on the face, and a hair above it.
            (t([[0.2, 0.2, 0.0], [0.2, 0.2, 1.0], [0.3, 0.2, 1.0]]), true),
            (t([[0.2, 0.2, 1e-300], [0.2, 0.2, 1.0], [0.3, 0.2, 1.0]]), false),
            // Through the middle with no edge near.
            (t([[0.2, 0.2, -9.0], [0.3, 0.2, 9.0], [0.2, 0.3, 9.0]]), true),
            // Coplanar: apart, sharing a corner, one in the other, crossing.
            (t([[2.0, 2.0, 0.0], [3.0, 2.0, 0.0], [2.0, 3.0, 0.0]]), false),
            (t([[1.0, 0.0, 0.0], [3.0, 2.0, 0.0], [2.0, 3.0, 0.0]]), true),
            (t([[0.1, 0.1, 0.0], [0.2, 0.1, 0.0], [0.1, 0.2, 0.0]]), true),
            (t([[-1.0, 0.2, 0.0], [2.0, 0.2, 0.0], [2.0, 0.3, 0.0]]), true),
            (t([[0.6, 0.6, 0.0], [0.7, 0.6, 0.0], [0.6, 0.7, 0.0]]), false),
            // An edge in the plane, the rest above.
            (t([[0.1, 0.1, 0.0], [0.2, 0.1, 0.0], [0.1, 0.1, 1.0]]), true),
            (t([[0.9, 0.9, 0.0], [0.8, 0.9, 0.0], [0.9, 0.9, 1.0]]), false),
            // Without area: a segment through the face, beside it, a point on and off it.
            (t([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0], [0.2, 0.2, 0.5]]), true),
            (t([[0.9, 0.2, -1.0], [0.9, 0.2, 1.0], [0.9, 0.2, 0.5]]), false),
            (t([[0.2, 0.2, 0.0]; 3]), true),
            (t([[0.2, 0.2, 1e-9]; 3]), false),
            (t([[0.6, 0.6, 0.0]; 3]), false),
            (t([[0.2, 0.2, 0.0], [0.3, 0.2, 0.0], [0.25, 0.2, 0.0]]), true),
        ] {
            for turn in 0..3 {
                let turned = [other[turn], other[(turn + 1) % 3], other[(turn + 2) % 3]];
                let mirrored = [turned[1], turned[0], turned[2]];
                for other in [turned, mirrored] {
                    assert_eq!(triangles_cross(&floor, &other), expected, "{other:?}");
                    assert_eq!(triangles_cross(&other, &floor), expected, "{other:?}");
                }
            }
        }
    }

    #[test]
    fn two_points_or_segments_without_area_cross_where_they_meet() {
        let p = |x: f64, y: f64, z: f64| [Vec3::new(x, y, z); 3];
        assert!(triangles_cross(&p(1.0, 2.0, 3.0), &p(1.0, 2.0, 3.0)));
        assert!(!triangles_cross(&p(1.0, 2.0, 3.0), &p(1.0, 2.0, 3.5)));
        let x = t([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        let y = t([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]);
        assert!(triangles_cross(&x, &y));
        assert!(!triangles_cross(&x, &y.map(|p| p + Vec3::z() * 1e-9)));
        assert!(!triangles_cross(&x, &y.map(|p| p + Vec3::x() * 1.5)));
    }
}
