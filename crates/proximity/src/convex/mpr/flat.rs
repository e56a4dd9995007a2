//! Flat Minkowski differences, which have no inside for a portal to be seen from.
//!
//! Segment against segment, plate against the edge of a parallel plate, anything flat against a point of its plane: all of B - A lies in one
//! plane. The gap is then the distance of the origin from a plane convex set, found by walking with up to three support points; it is
//! never negative, because the shapes part along the normal of that plane.

use zerogap_core::Vec3;

use super::difference::{Difference, Vertex};
use super::foot::nearest_to_origin;

/// Most steps of the walk [-]: polygons need about 5, flat shapes with a curved border about 30.
const MAX_WALK: u32 = 200;

/// The point of a flat set nearest to the origin, starting from any point of it.
///
/// Method: nearest points of simplices of support points (Gilbert, Johnson, Keerthi 1988), of three points at most.
/// Tolerance: the slack of the difference where the walk ends by itself, as it does for all polygons; the bounds are true in every case.
/// Cost: one support pair per step, at most `MAX_WALK`; no allocation.
pub(super) fn nearest(set: &mut Difference<'_>, start: Vertex) -> Vertex {
    let mut simplex = [start; 3];
    let mut corners = 1;
    let mut nearest = start;
    for _ in 0..MAX_WALK {
        let distance = nearest.r.norm();
        if distance <= set.slack {
            break;
        }
        let w = set.support(&(-nearest.r / distance));
        // The supporting plane at w bounds the distance from below.
        let known = simplex.iter().take(corners).any(|v| v.r == w.r);
        if known || distance - nearest.r.dot(&w.r) / distance <= set.slack || corners == 3 {
            break;
        }
        // Unused places repeat the newest corner, which changes no hull.
        simplex[corners..].fill(w);
        let foot = nearest_to_origin(&simplex.map(|v| v.r));
        let next = Vertex::mix(&simplex, &foot.weights);
        if next.r.norm() >= distance {
            break;
        }
        nearest = next;
        // Only the corners that carry weight stay.
        let mut kept = 0;
        for k in 0..3 {
            if foot.weights[k] > 0.0 {
                simplex[kept] = simplex[k];
                kept += 1;
            }
        }
        corners = kept;
    }
    nearest
}

/// Which way along the normal of a flat set the shapes part better.
pub(super) fn parting(set: &mut Difference<'_>, normal: &Vec3) -> Vec3 {
    let [up, down] = [*normal, -normal].map(|e| e.dot(&set.support(&e).r));
    if up <= down { *normal } else { -normal }
}
