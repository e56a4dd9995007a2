//! Points of both bodies behind a point of their difference.

use zerogap_core::Vec3;

use super::body::Body;
use super::careful::{Careful, careful_walk};
use super::difference::{Corner, Difference};
use super::resolve::weights_at;
use super::rounding::slack;
use super::simplex::Simplex;
use super::walk::{Goal, ORIGIN_DISTANCE, walk};

/// Points of curved shapes that differ from the offset by less are as near as a walk brings them, against the extent [-].
pub(super) const BESIDE: f64 = 1e-9;

/// The point of A, in its frame, from which `offset` leads to a point of B: `offset` is a point of the difference, on its surface.
///
/// Method: a walk to the offset; the simplex that it ends in has corners of both bodies, and its weights there make points of both. Features
///   that are parallel or nearly so, where a corner's foot on the other body's plane may miss its face, are no special case. Bodies of very
///   unequal sizes leave the plain walk beside the offset: those walk once more with twice the digits.
/// Tolerance: both points lie in their bodies to rounding, and differ by `offset` as nearly as the walks come to it.
pub(crate) fn point_behind<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    offset: &Vec3,
    goal: &Goal,
) -> Behind {
    let mut shifted = difference.shifted(offset);
    let start = shifted.support(&-offset);
    let mut simplex = Simplex::new(start);
    // Only the nearest simplex is needed, however far the walk got.
    let goal = Goal { cutoff: f64::INFINITY, ..*goal };
    walk(&mut shifted, &mut simplex, start.w, -offset, &goal);
    let plain = nearest_mean(simplex.corners());
    let near = if difference.is_polytope() { slack(goal.extent) } else { BESIDE * goal.extent };
    let is_there = plain.beside <= near;
    let behind = if is_there { plain } else { plain.or_nearer(carefully_behind(&mut shifted, &goal)) };
    difference.calls = shifted.calls;
    behind
}

/// The point of A from which the origin of the difference is reached, by a walk with twice the digits.
#[cold]
fn carefully_behind<A: Body, B: Body>(shifted: &mut Difference<'_, A, B>, goal: &Goal) -> Behind {
    let first = -shifted.between_interiors();
    match careful_walk(shifted, &first, ORIGIN_DISTANCE * goal.extent, goal) {
        Careful::Apart { found, .. } => Behind { point_a: found.point_a, beside: found.gap },
        Careful::ContainsOrigin { simplex, .. } => nearest_mean(simplex.corners()),
    }
}

/// A point of A behind a point of the difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Behind {
    /// The point, in A's frame [m].
    pub(crate) point_a: Vec3,
    /// How far the two points' difference is from the requested offset [m].
    pub(crate) beside: f64,
}

impl Behind {
    /// The other one, where its points differ less from the offset.
    fn or_nearer(self, other: Self) -> Self {
        if other.beside < self.beside { other } else { self }
    }
}

/// The weighted mean of some corners that comes nearest to the origin: of all their triangles, because a flat tetrahedron's own weights are
/// noise.
fn nearest_mean(corners: &[Corner]) -> Behind {
    let at = |k: usize| &corners[k.min(corners.len() - 1)];
    let mut best = Behind { point_a: corners[0].a, beside: corners[0].w.norm() };
    for left_out in 0..4 {
        let [p, q, r] = [0, 1, 2].map(|k| at(if k >= left_out { k + 1 } else { k }));
        let [u, v, w] = weights_at(&[p.w, q.w, r.w], &Vec3::zeros());
        let beside = (p.w * u + q.w * v + r.w * w).norm();
        if beside < best.beside {
            best = Behind { point_a: p.a * u + q.a * v + r.a * w, beside };
        }
    }
    best
}
