//! Gaps of compounds, meshes and complexes.

use zerogap_core::{Aabb, Gap, GapStatus};

use super::answer::{contacts_into, gap};
use super::cache::ColliderCache;
use super::compound::{box_depth, box_distance, pieces};
use super::contacts::of_complexes;
use super::error::ColliderError;
use super::pair::ColliderPair;
use crate::convex::{ContactParams, DistanceParams};
use crate::mesh::{MeshDistanceParams, MeshOperand, mesh_distance};

/// The gap of two complexes, or of a complex and a half-space: that of the nearest contact.
pub(super) fn gap_of_complexes(
    pair: &ColliderPair<'_>,
    cutoff: f64,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let mut set = std::mem::take(&mut cache.piece);
    let outcome = of_complexes(pair, cutoff, cache, &mut set);
    let gap = set.manifold.gap;
    cache.piece = set;
    outcome.map(|()| gap)
}

/// The gap that contacts see where one is a mesh [m]: surfaces that cross are at no distance, however deep.
pub(super) fn contact_gap_of_meshes(
    (a, b): (MeshOperand<'_>, MeshOperand<'_>),
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
pub(super) fn least_of_pieces(
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
