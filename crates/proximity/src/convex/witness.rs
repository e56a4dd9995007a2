//! Points of both bodies behind a point of their difference.

use zerogap_core::Vec3;

use super::body::Body;
use super::difference::Difference;
use super::resolve::{side_weights, weights_at};
use super::simplex::Simplex;
use super::walk::{Goal, walk};

/// The point of A, in its frame, from which `offset` leads to a point of B: `offset` is a point of the difference, on its surface.
///
/// Method: a walk to the offset; the simplex that it ends in has corners of both bodies, and its weights there make points of both. Features
///   that are parallel or nearly so, where a corner's foot on the other body's plane may miss its face, are no special case.
/// Tolerance: both points lie in their bodies to rounding, and differ by `offset` as nearly as the walk comes to it.
pub(crate) fn point_behind<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    offset: &Vec3,
    goal: &Goal,
) -> Vec3 {
    let mut shifted = difference.shifted(offset);
    let start = shifted.support(&-offset);
    let mut simplex = Simplex::new(start);
    // The nearest simplex is all that is asked for, however far it got.
    let goal = Goal { cutoff: f64::INFINITY, ..*goal };
    walk(&mut shifted, &mut simplex, start.w, -offset, &goal);
    difference.calls = shifted.calls;
    let corners = simplex.corners();
    let weighted =
        |weights: &[f64]| corners.iter().zip(weights).map(|(corner, weight)| corner.a * *weight).sum();
    match corners {
        [p, q] => weighted(&side_weights(&p.w, &q.w)),
        [p, q, r] => weighted(&weights_at(&[p.w, q.w, r.w], &Vec3::zeros())),
        [p, q, r, s] => weighted(&inner_weights_of_tetrahedron([&p.w, &q.w, &r.w, &s.w])),
        _ => start.a,
    }
}

/// The weights of a tetrahedron's corners at the origin, which lies inside or nearly so.
fn inner_weights_of_tetrahedron([p, q, r, s]: [&Vec3; 4]) -> [f64; 4] {
    let volume = |u: &Vec3, v: &Vec3, w: &Vec3| u.cross(v).dot(w);
    let parts = [volume(q, s, r), volume(p, r, s), volume(p, s, q), volume(p, q, r)];
    let sum = parts.iter().sum::<f64>();
    let weights = parts.map(|part| (part / sum).max(0.0));
    let sum = weights.iter().sum::<f64>();
    if sum > 0.0 { weights.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0, 0.0] }
}
