//! The nearest surface point of a convex set that is known by its support function alone.
//!
//! In: a support function, a point inside, the set's size, a query point. Out: a surface point with a signed gap. Outside, a simplex
//! walks toward the query point; inside, a polytope grows in the set toward the face that is nearest to it.

use zerogap_core::Vec3;

use super::SurfacePoint;
use super::direction::{from_any_distance, length, unit_or};
use super::simplex::{Simplex, orthogonal_tetrahedron};
use crate::hull::power_of_two_below;

/// Distance between the upper and the lower bound of the gap at which a query ends, against the set's size [-].
const TOLERANCE: f64 = 1e-11;

/// Maximum number of steps of the walk from outside [-]; polytopes need about 10, smooth sets about 30.
const MAX_WALK: usize = 200;

/// Maximum number of corners that the polytope grows by [-]; needed only where many surface points are equally near.
const MAX_GROWTH: usize = 300;

/// Set thinner than this against its size counts as flat [-].
const FLAT: f64 = 1e-10;

/// The surface point of a convex set nearest to a query point.
///
/// Computes: s, gap and n with q - s = gap n exactly as printed; gap > 0 from outside, gap <= 0 inside.
/// Method: the distance from a point to a simplex of support points (Gilbert, Johnson, Keerthi 1988) outside, polytope growth
///   (van den Bergen 2001) inside; both keep an upper and a lower bound from the support function.
/// Tolerance: |gap - exact| <= 1e-11 size where the bounds agree (measured in the tests); s then lies as near to the surface.
///   Where many surface points are equally near from inside, as at the middle of a ball, the step limit comes first: |gap| is then
///   the distance to a supporting plane, an upper bound of the depth, too large by up to 1e-4 of the size (7e-5
///   was the worst of 100,000 queries in nearly round ellipsoids).
/// Cost: 1 support per step, at most 200 outside and 300 inside; the latter allocates.
/// Fails: never; sets thinner than 1e-10 of their size count as flat, with gap 0 inside.
pub(crate) fn closest_point(
    support: &impl Fn(&Vec3) -> Vec3,
    interior: &Vec3,
    size: f64,
    point: &Vec3,
) -> SurfacePoint {
    // In units of the set's size, so that products of lengths neither over- nor underflow; a power of two changes no digit.
    let scale = power_of_two_below(size).recip();
    let unit_support = |direction: &Vec3| support(direction) * scale;
    from_any_distance(point, |q| {
        let (interior, size, q) = (interior * scale, size * scale, q * scale);
        let near = from_any_distance(&q, |q| {
            walk_from_outside(&unit_support, &interior, size, q)
                .unwrap_or_else(|| grow_inside(&unit_support, size, q))
        });
        SurfacePoint { point: near.point / scale, gap: near.gap / scale, normal: near.normal }
    })
}

/// The distance from outside; `None` when the query point is inside or within the tolerance of it.
fn walk_from_outside(
    support: &impl Fn(&Vec3) -> Vec3,
    interior: &Vec3,
    size: f64,
    q: &Vec3,
) -> Option<SurfacePoint> {
    let mut simplex = Simplex::default();
    // v runs from q to the nearest known point of the set.
    let mut v = interior - q;
    for _ in 0..MAX_WALK {
        let distance = length(&v);
        if distance <= TOLERANCE * size {
            return None;
        }
        let normal = -v / distance;
        let w = support(&normal) - q;
        // The supporting plane at w bounds the distance from below.
        let lower = -normal.dot(&w);
        let done = distance - lower <= TOLERANCE * 0.1 * size.max(distance);
        if done || simplex.holds(&w) {
            return Some(SurfacePoint { point: q + v, gap: distance, normal });
        }
        simplex.push(w);
        let nearer = simplex.reduce_to_nearest()?;
        // Rounding has eaten the progress: the last point is as good as it gets.
        if length(&nearer) >= distance && simplex.len() > 1 && !simplex.is_fresh() {
            return Some(SurfacePoint { point: q + v, gap: distance, normal });
        }
        v = nearer;
    }
    let distance = length(&v);
    Some(SurfacePoint { point: q + v, gap: distance, normal: unit_or(&-v, &Vec3::z()) })
}

/// A face of the growing polytope, relative to the query point.
#[derive(Clone, Copy)]
struct Face {
    corners: [usize; 3],
    normal: Vec3,
    height: f64,
}

/// The distance to the surface from inside.
fn grow_inside(support: &impl Fn(&Vec3) -> Vec3, size: f64, q: &Vec3) -> SurfacePoint {
    let at = |direction: &Vec3| support(direction) - q;
    let corners = match orthogonal_tetrahedron(&at, FLAT * size) {
        Ok(corners) => corners,
        Err(normal) => return SurfacePoint { point: *q, gap: 0.0, normal },
    };
    let mut points = corners.to_vec();
    let mut faces: Vec<Face> =
        [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].iter().filter_map(|c| face(&points, *c)).collect();
    let (mut depth, mut normal) = (f64::INFINITY, Vec3::z());
    for _ in 0..MAX_GROWTH {
        let Some(nearest) = faces.iter().copied().min_by(|a, b| a.height.total_cmp(&b.height)) else { break };
        // Each supporting plane bounds the depth from above, the polytope's nearest face from below.
        let w = at(&nearest.normal);
        let reach = nearest.normal.dot(&w);
        if reach < depth {
            (depth, normal) = (reach, nearest.normal);
        }
        if depth - nearest.height <= 0.1 * TOLERANCE * size {
            break;
        }
        if !grow(&mut points, &mut faces, w) {
            break;
        }
    }
    if !depth.is_finite() {
        return SurfacePoint { point: *q, gap: 0.0, normal };
    }
    SurfacePoint { point: q + normal * depth, gap: -depth, normal }
}

/// The plane through three corners, facing outward; `None` when they lie in one line.
fn face(points: &[Vec3], corners: [usize; 3]) -> Option<Face> {
    let [a, b, c] = corners.map(|i| points[i]);
    let cross = (b - a).cross(&(c - a));
    let normal = unit_or(&cross, &Vec3::zeros());
    // The height from the nearest corner loses the fewest digits.
    let nearest = [a, b, c].into_iter().min_by(|p, q| p.norm_squared().total_cmp(&q.norm_squared()))?;
    (normal.norm_squared() > 0.0).then(|| Face { corners, normal, height: normal.dot(&nearest) })
}

/// Joins w to the polytope: drops the faces that it sees and closes the hole. False when w lies outside no face.
fn grow(points: &mut Vec<Vec3>, faces: &mut Vec<Face>, w: Vec3) -> bool {
    let mut rim: Vec<(usize, usize)> = Vec::new();
    let before = faces.len();
    faces.retain(|face| {
        let seen = face.normal.dot(&(w - points[face.corners[0]])) > 0.0;
        if seen {
            // An edge between two dropped faces appears once in each direction and cancels.
            for k in 0..3 {
                let edge = (face.corners[k], face.corners[(k + 1) % 3]);
                match rim.iter().position(|other| *other == (edge.1, edge.0)) {
                    Some(i) => drop(rim.swap_remove(i)),
                    None => rim.push(edge),
                }
            }
        }
        !seen
    });
    if faces.len() == before {
        return false;
    }
    points.push(w);
    let apex = points.len() - 1;
    faces.extend(rim.iter().filter_map(|(a, b)| face(points, [*a, *b, apex])));
    true
}
