//! From outside: a simplex walks through the difference toward the origin.
//!
//! In: the difference and a start. Out: apart, the simplex nearest to the origin; in overlap, a simplex that holds the origin. Every step
//! also gives a lower bound of the gap, so that a cutoff or a bare yes or no can end the walk early.

use zerogap_core::Vec3;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::simplex::{Nearest, Simplex};

/// Maximum number of steps of the walk [-]. Polytopes take about 5, smooth shapes about 20.
const MAX_STEPS: u32 = 300;

/// The origin counts as contained in a simplex that comes this near to it, against the extent [-]: below, directions are noise.
pub(crate) const ORIGIN_DISTANCE: f64 = 2.0 * f64::EPSILON;

/// Squared distances below this many times that one are checked twice [-].
const NEAR_ORIGIN: f64 = 1e8;

/// What ends a walk early.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal {
    /// The largest coordinate in play [m].
    pub(crate) extent: f64,
    /// Width of the bounds to stop at [m].
    pub(crate) width: f64,
    /// What rounding can do to a height [m].
    pub(crate) noise: f64,
    /// A lower bound of the gap beyond this ends the walk [m].
    pub(crate) cutoff: f64,
    /// Whether thin faces are worth twice the digits.
    pub(crate) is_careful: bool,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Walk {
    /// Outside: the simplex, of at most three corners, is the nearest, and no point of the difference is nearer than `lower`.
    Apart {
        /// Its point nearest to the origin [m].
        v: Vec3,
        /// Separation along `v` [m].
        lower: f64,
        /// The direction that found the last corner of the simplex.
        found_by: Vec3,
    },
    /// Farther than the cutoff: `lower` along the unit vector of `v`.
    Farther {
        /// Any point of the difference nearest so far [m].
        v: Vec3,
        /// Separation along `v` [m].
        lower: f64,
    },
    /// The simplex holds the origin, to rounding.
    ContainsOrigin {
        /// The direction that found the last corner.
        last: Vec3,
    },
}

/// Walks from a simplex whose nearest point to the origin is `v`; `found_by` is the direction that found its last corner.
///
/// Method: Gilbert, Johnson and Keerthi 1988. Differs from it: polytopes end when a vertex comes again, not at a tolerance; a step
///   that gets no nearer ends the walk, since only rounding can cause it.
/// Cost: about 5 steps for polytopes, one corner each; no allocation.
pub(crate) fn walk<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    simplex: &mut Simplex,
    mut v: Vec3,
    mut found_by: Vec3,
    goal: &Goal,
) -> Walk {
    let origin_distance = (ORIGIN_DISTANCE * goal.extent) * (ORIGIN_DISTANCE * goal.extent);
    let mut squared = v.norm_squared();
    for _ in 0..MAX_STEPS {
        if squared <= origin_distance {
            return Walk::ContainsOrigin { last: found_by };
        }
        let last = -v;
        let corner = difference.support(&last);
        let along = v.dot(&corner.w);
        if along > 0.0 && goal.cutoff < f64::INFINITY && along > goal.cutoff * squared.sqrt() {
            return Walk::Farther { v, lower: along / squared.sqrt() };
        }
        let arrived = holds(simplex, &corner) || squared - along <= goal.width * squared.sqrt();
        if arrived {
            return Walk::Apart { v, lower: along / squared.sqrt(), found_by };
        }
        match simplex.nearest_with(&corner) {
            Nearest::Inside => {
                simplex.push(corner);
                return Walk::ContainsOrigin { last };
            }
            Nearest::Outside(part) => {
                let mut part = part;
                if part.point.norm_squared() >= squared {
                    // Rounding has eaten the progress; more care may still find some.
                    part = simplex.careful_nearest_with(&corner);
                    if part.point.norm_squared() >= squared {
                        return Walk::Apart { v, lower: along / squared.sqrt(), found_by };
                    }
                }
                simplex.take(&part, &corner);
                found_by = last;
                (v, squared) = (part.point, part.point.norm_squared());
                // Before the origin counts as contained, a point of the simplex must be there.
                if squared <= NEAR_ORIGIN * origin_distance
                    && let Some(point) = simplex.weighted_nearest()
                {
                    (v, squared) = (point, point.norm_squared());
                }
            }
        }
    }
    let corner = difference.support(&-v);
    Walk::Apart { v, lower: v.dot(&corner.w) / squared.sqrt(), found_by }
}

/// A simplex's nearest point for a walk to start from: as in the walk itself, a point of the simplex must be there before the origin
/// counts as contained.
pub(crate) fn surely_there(simplex: &Simplex, v: Vec3, goal: &Goal) -> Vec3 {
    let origin_distance = (ORIGIN_DISTANCE * goal.extent) * (ORIGIN_DISTANCE * goal.extent);
    let is_doubtful = v.norm_squared() <= NEAR_ORIGIN * origin_distance;
    simplex.weighted_nearest().filter(|_| is_doubtful).unwrap_or(v)
}

/// Whether a simplex has a corner already.
#[inline]
fn holds(simplex: &Simplex, corner: &Corner) -> bool {
    simplex.corners().iter().any(|other| other.is(corner))
}
