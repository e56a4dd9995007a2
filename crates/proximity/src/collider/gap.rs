//! How far apart two colliders are.

use zerogap_core::{Aabb, Gap, GapStatus};

use super::cache::ColliderCache;
use super::compound::{box_depth, box_distance, pieces};
use super::contacts::{contacts_into, quasi};
use super::error::ColliderError;
use super::kind::Collider;
use super::pair::ColliderPair;
use super::table::Question;
use crate::convex::{self, ContactParams, DistanceParams};
use crate::mesh::{MeshDistanceParams, Side, mesh_distance, mesh_gap};
use crate::shapes::judged;

/// Returns the signed distance of two colliders, with normal, witness points and bounds.
///
/// Computes: the gap [m], positive apart and negative in overlap; the unit normal from A to B; points with `point_b - point_a = gap * normal`; bounds that hold the exact value.
/// Frames: poses and answer in the world.
/// Method: [`super::table`]. Compounds: the least gap of all pairs of pieces whose boxes are nearer than the best one so far.
/// Tolerance: as [`convex::distance`] for convex pairs and as [`mesh_gap`] for meshes. Compounds and meshes in overlap have the depth of their deepest part,
///   which is no more than the shortest way out: the status is then [`GapStatus::LocalDepth`], and the way out lies between the bounds.
/// Cost: that of the algorithm in the table; nothing is allocated after the first questions of a cache.
/// Fails: [`ColliderError::Refused`] where the table says so.
pub fn gap(
    pair: &ColliderPair<'_>,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let ColliderPair { a, pose_a, b, pose_b, .. } = pair;
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
            // Complexes: that of the nearest contact.
            (None, None) => {
                let mut set = std::mem::take(&mut cache.piece);
                let outcome = quasi(pair, params.cutoff, cache, &mut set);
                let gap = set.manifold.gap;
                cache.piece = set;
                outcome.map(|()| gap)
            }
        },
    }
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
    if let Some((a, b)) =
        pair.sides().filter(|(a, b)| [a, b].iter().any(|side| matches!(side, Side::Mesh(_))))
    {
        return contact_gap_of_meshes((a, b), pair, cutoff, cache);
    }
    let params = DistanceParams { cutoff, ..DistanceParams::default() };
    ColliderError::check(gap(pair, &params, cache)?.gap)
}

/// The same where one is a mesh: surfaces that cross are at no distance, however deep.
fn contact_gap_of_meshes(
    (a, b): (Side<'_>, Side<'_>),
    pair: &ColliderPair<'_>,
    cutoff: f64,
    cache: &mut ColliderCache,
) -> Result<f64, ColliderError> {
    let asked = MeshDistanceParams { farther_than: cutoff, ..MeshDistanceParams::default() };
    let apart = mesh_distance(a, &pair.pose_a, b, &pair.pose_b, &asked, &mut cache.mesh)?;
    if ColliderError::check(apart.gap)? > 0.0 {
        return Ok(apart.gap);
    }
    let mut set = std::mem::take(&mut cache.piece);
    let outcome = contacts_into(pair, &ContactParams::within(0.0), cache, &mut set);
    let deepest = set.manifold.gap.gap;
    cache.piece = set;
    outcome.map(|()| deepest.min(0.0))
}

/// The least gap of all pairs of pieces.
fn least_of_pieces(
    pair: &ColliderPair<'_>,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    // What was kept of one pair of pieces is of no use to another.
    let (mut boxes, warm) = (std::mem::take(&mut cache.boxes), cache.warm.take());
    pair.place_boxes(&mut boxes);
    let found = least_within(pair, &boxes, params, cache);
    (cache.boxes, cache.warm) = (boxes, warm);
    let found = found?;
    // Out of a half-space there is one way, which the deepest piece has. Others are apart once the boxes around all pieces are.
    Ok(match pair.bounds().filter(|_| found.gap < 0.0) {
        Some((a, b)) => {
            Gap { lower: found.lower.min(-box_depth(&a, &b)), status: GapStatus::LocalDepth, ..found }
        }
        None => found,
    })
}

/// The least gap of all pairs of pieces, as if no other piece were in the way of one that is to be moved out.
fn least_within(
    pair: &ColliderPair<'_>,
    boxes: &[Vec<Option<Aabb>>; 2],
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let distance =
        |i: u32, j: u32| box_distance(boxes[0][i as usize].as_ref(), boxes[1][j as usize].as_ref());
    let every = || pieces(pair.a).flat_map(|p| pieces(pair.b).map(move |q| (p, q)));
    // The pieces whose boxes are nearest come first: most of the others need not be asked then.
    let nearest = every()
        .min_by(|(p, q), (r, s)| distance(p.number, q.number).total_cmp(&distance(r.number, s.number)))
        .map(|(p, q)| [p.number, q.number]);
    let is_nearest = |p: u32, q: u32| nearest == Some([p, q]);
    let first = every().filter(|(p, q)| is_nearest(p.number, q.number));
    let others = every().filter(|(p, q)| !is_nearest(p.number, q.number));
    let (mut best, mut lower) = (Gap::farthest(), f64::INFINITY);
    for (p, q) in first.chain(others) {
        let bound = distance(p.number, q.number);
        let cutoff = params.cutoff.min(best.upper.max(0.0));
        if bound > cutoff {
            lower = lower.min(bound);
            continue;
        }
        let found = gap(&pair.of_pieces(&p, &q), &DistanceParams { cutoff, ..*params }, cache)?;
        lower = lower.min(found.lower);
        // A piece beyond the cutoff has a bound, no gap.
        let is_known = found.status != GapStatus::Farther || best.status == GapStatus::Farther;
        if is_known && found.gap < best.gap {
            best = found;
        }
    }
    let status = if lower > params.cutoff { GapStatus::Farther } else { best.status };
    Ok(Gap { lower: lower.min(best.gap), status, ..best })
}
