//! Flat Minkowski differences, which have no inside for a portal to be seen from.
//!
//! Segment against segment, plate against the edge of a parallel plate, anything flat against a point: all of B - A lies in one plane. The gap
//! is then the distance of the origin from a plane convex set, found by walking with up to three support points; it is never negative,
//! because the shapes part along the normal of that plane.

use zerogap_core::Vec3;

use super::foot::nearest_to_origin;
use super::measured::{SizedDifference, Vertex};

/// Maximum number of steps of the walk [-]: polygons need about 5, flat shapes with a curved border about 30.
const MAX_WALK: u32 = 200;

/// The point of a flat set nearest to the origin, starting from any point of it.
///
/// Method: nearest points of simplices of support points (Gilbert, Johnson and Keerthi 1988), of three points at most.
/// Tolerance: the slack of the difference where the walk ends by itself, as it does for all polygons; the bounds are true in every case.
/// Cost: one pair of support points per step, at most `MAX_WALK`; no allocation.
pub(super) fn nearest(set: &mut SizedDifference<'_>, start: Vertex) -> Vertex {
    // The start need not be a corner: it only gives the first direction.
    let mut simplex = [start; 3];
    let mut corners = 0;
    let mut nearest = start;
    for _ in 0..MAX_WALK {
        let distance = nearest.r.norm();
        if distance <= set.slack || corners == 3 {
            break;
        }
        let w = set.support(&(-nearest.r / distance));
        // The supporting plane at w bounds the distance from below.
        let arrived = distance - nearest.r.dot(&w.r) / distance <= set.slack;
        if arrived || simplex.iter().take(corners).any(|v| v.r == w.r) {
            break;
        }
        // Unused places repeat the newest corner, which changes no hull.
        simplex[corners..].fill(w);
        let foot = nearest_to_origin(&simplex.map(|v| v.r));
        let next = Vertex::mix(&simplex, &foot.weights);
        // After the first corner only rounding can cause a step that gets no nearer.
        if corners > 0 && next.r.norm() >= distance {
            break;
        }
        nearest = next;
        // Only the corners that carry weight stay.
        corners = 0;
        for (k, weight) in foot.weights.into_iter().enumerate() {
            if weight > 0.0 {
                simplex[corners] = simplex[k];
                corners += 1;
            }
        }
    }
    nearest
}

/// Sign along the normal of a flat set for the better separation.
pub(super) fn parting(set: &mut SizedDifference<'_>, normal: &Vec3) -> Vec3 {
    let [up, down] = [*normal, -normal].map(|e| e.dot(&set.support(&e).r));
    if up <= down { *normal } else { -normal }
}
