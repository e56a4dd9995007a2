//! Which algorithm answers a gap and contacts: the calls that [`super::table`] promises.
//!
//! A new kind is matched here, and its algorithms are functions of its own folder.

use zerogap_core::{Gap, GapStatus};

use super::cache::ColliderCache;
use super::contacts::{self, ContactSet};
use super::error::ColliderError;
use super::gap::{contact_gap_of_meshes, gap_of_complexes, least_of_pieces};
use super::kind::Collider;
use super::pair::ColliderPair;
use super::table::Question;
use crate::convex::{self, ContactParams, DistanceParams};
use crate::height_field::{contact_gap_with_field, contacts_with_field, gap_with_field};
use crate::mesh::{MeshDistanceParams, MeshOperand, mesh_gap};

/// Returns the signed distance of two colliders, with normal, witness points and bounds.
///
/// Computes: the gap [m], positive apart and negative in overlap; the unit normal from A to B; points with `point_b - point_a = gap * normal`; bounds that hold the exact value.
/// Frames: poses and answer in the world.
/// Method: [`super::table`]. Compounds: the least gap of all pairs of pieces whose boxes are nearer than the best one so far.
/// Tolerance: as [`convex::distance`] for convex pairs and as [`mesh_gap`] for meshes. Compounds and meshes in overlap have the depth of their deepest part,
///   which is no more than the penetration depth: the status is then [`zerogap_core::GapStatus::LocalDepth`], and the penetration depth lies between the bounds.
/// Cost: that of the algorithm in the table; nothing is allocated after the first questions of a cache.
/// Fails: [`ColliderError::Refused`] where the table says so.
pub fn gap(
    pair: &ColliderPair<'_>,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let ColliderPair { a, pose_a, b, pose_b, .. } = pair;
    if let Some((narrow_phase, question)) = pair.convex_question()
        && let Some(found) = narrow_phase.gap(&question, params.cutoff)
    {
        return Ok(found);
    }
    match (a, b) {
        (Collider::Convex(a), Collider::Convex(b)) => Ok(match &mut cache.warm {
            Some(warm) => convex::distance_with(a, pose_a, b, pose_b, params, &mut warm.gap),
            None => convex::search(a, pose_a, b, pose_b, params),
        }),
        (Collider::HalfSpace(a), Collider::Convex(b)) => {
            Ok(judged(convex::half_space_distance(a, pose_a, b, pose_b), params))
        }
        (Collider::Convex(a), Collider::HalfSpace(b)) => {
            Ok(judged(convex::half_space_distance(b, pose_b, a, pose_a).swapped(), params))
        }
        (Collider::HeightField(_), _) | (_, Collider::HeightField(_)) => gap_with_field(pair, params, cache),
        (Collider::Compound(_), _) | (_, Collider::Compound(_)) => least_of_pieces(pair, params, cache),
        // The shapes that the corners and surfaces belong to.
        (Collider::Oriented(a), Collider::Oriented(b)) => {
            gap(&ColliderPair::new(a.shape(), *pose_a, b.shape(), *pose_b), params, cache)
        }
        _ => match (pair.refusal(Question::Gap), pair.sides()) {
            (Some(refused), _) => Err(refused),
            (None, Some((a, b))) => {
                let asked =
                    MeshDistanceParams { farther_than: params.cutoff, ..MeshDistanceParams::default() };
                let ColliderCache { mesh, overlaps, .. } = cache;
                Ok(mesh_gap(a, pose_a, b, pose_b, &asked, mesh, overlaps)?.gap)
            }
            (None, None) => gap_of_complexes(pair, params.cutoff, cache),
        },
    }
}

/// A gap of a half-space, which is known at once, reported as `Farther` when it is beyond the cutoff: as for every other pair.
fn judged(gap: Gap, params: &DistanceParams) -> Gap {
    if gap.lower > params.cutoff { Gap { status: GapStatus::Farther, ..gap } } else { gap }
}

/// Returns the gap of two colliders as their contacts see it [m], or more than the cutoff: what falls through zero where contact begins.
///
/// Computes: apart the gap of [`gap()`]; in overlap that of the deepest contact of [`contacts_into`]; for an oriented pair with its history the smallest gap of a corner, from the surface that it came in through.
///   There are no bounds, so that it costs less than [`gap()`] where meshes overlap.
/// Frames: the world.
/// Method: [`super::table`].
/// Tolerance: as [`gap()`] apart, and as [`contacts_into`] in overlap.
/// Cost: nothing is allocated after the first questions of a cache.
/// Fails: [`ColliderError::Refused`] where the table says so; a gap that is no number.
pub fn contact_gap(
    pair: &ColliderPair<'_>,
    cutoff: f64,
    cache: &mut ColliderCache,
) -> Result<f64, ColliderError> {
    if let (Some(oriented), Some(history)) = (pair.oriented(), pair.history) {
        return ColliderError::check(history.gap(&oriented));
    }
    if matches!((pair.a, pair.b), (Collider::HeightField(_), _) | (_, Collider::HeightField(_))) {
        return contact_gap_with_field(pair, cutoff, cache);
    }
    if let Some((a, b)) =
        pair.sides().filter(|(a, b)| [a, b].iter().any(|side| matches!(side, MeshOperand::Mesh(_))))
    {
        return contact_gap_of_meshes((a, b), pair, cutoff, cache);
    }
    let params = DistanceParams { cutoff, ..DistanceParams::default() };
    ColliderError::check(gap(pair, &params, cache)?.gap)
}

/// Finds where two colliders touch or nearly do, into a set whose memory is used again.
///
/// Computes: contacts up to [`ContactParams::within`], each with gap, normal, points and an id that is the same from step to step; for compounds, ids are unique
///   within the pair of pieces that [`ContactSet::pieces`] names.
/// Frames: poses and answer in the world.
/// Method: [`super::table`].
/// Tolerance: as [`convex::contacts`], [`crate::mesh::mesh_contacts_into`] and [`crate::lmd::quasi_contacts_into`].
/// Cost: nothing is allocated after the first questions of a cache and a set.
/// Fails: [`ColliderError::Refused`] where the table says so, and for an oriented pair without its history; the errors of meshes; a gap that is no number.
/// Order: that of the algorithm in the table; for compounds by piece of A, then of B.
pub fn contacts_into(
    pair: &ColliderPair<'_>,
    params: &ContactParams,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    set.clear();
    let ColliderPair { a, pose_a, b, pose_b, .. } = pair;
    let manifold = &mut set.manifold;
    if let Some((narrow_phase, question)) = pair.convex_question()
        && narrow_phase.contacts(&question, params.within, manifold)
    {
        return ColliderError::check(manifold.gap.gap).map(|_| ());
    }
    match (a, b) {
        (Collider::Convex(a), Collider::Convex(b)) => match &mut cache.warm {
            Some(warm) => {
                convex::contacts_with(a, pose_a, b, pose_b, params, &mut warm.contacts, manifold);
            }
            None => convex::contacts_into(a, pose_a, b, pose_b, params, manifold),
        },
        (Collider::HalfSpace(a), Collider::Convex(b)) => {
            convex::half_space_contacts(a, pose_a, b, pose_b, params, manifold);
        }
        (Collider::Convex(a), Collider::HalfSpace(b)) => {
            convex::half_space_contacts(b, pose_b, a, pose_a, params, manifold);
            manifold.swap();
        }
        (Collider::HeightField(_), _) | (_, Collider::HeightField(_)) => {
            return contacts_with_field(pair, params, cache, set);
        }
        (Collider::Compound(_), _) | (_, Collider::Compound(_)) => {
            // What was kept of one pair of pieces is of no use to another.
            let warm = cache.warm.take();
            let outcome = contacts::of_pieces(pair, params, cache, set);
            cache.warm = warm;
            return outcome;
        }
        (Collider::Oriented(_), Collider::Oriented(_)) => contacts::of_corners(pair, set)?,
        _ => match (pair.refusal(Question::Contacts), pair.sides()) {
            (Some(refused), _) => return Err(refused),
            (None, Some(sides)) => contacts::of_meshes(sides, pair, params, cache, set)?,
            (None, None) => contacts::of_complexes(pair, params.within, cache, set)?,
        },
    }
    ColliderError::check(set.manifold.gap.gap).map(|_| ())
}
