//! When two moving colliders first touch.

use super::cache::ColliderCache;
use super::compound::pieces;
use super::error::ColliderError;
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::motion::{Impact, ImpactParams, Motion, mesh_time_of_impact};

/// Returns when two moving colliders first touch within `duration` [s].
///
/// Computes: proof that they do not, or the first time at which the gap falls to [`ImpactParams::min_separation`], from below.
/// Frames: the world.
/// Method: [`super::table`]; see [`crate::motion::time_of_impact`]. Compounds: the first of all pairs of pieces, each asked only about the time before the best so far.
/// Tolerance: as [`crate::motion::time_of_impact`].
/// Cost: nothing is allocated after the first questions of a cache.
/// Fails: [`ColliderError::Refused`] where the table says so; a duration that is no length of time.
pub fn first_touch(
    a: &Collider,
    motion_a: &Motion,
    b: &Collider,
    motion_b: &Motion,
    duration: f64,
    params: &ImpactParams,
    cache: &mut ColliderCache,
) -> Result<Impact, ColliderError> {
    if let Some(refused) = refusal(a.kind(), b.kind(), Question::FirstTouch) {
        return Err(refused);
    }
    let (mut first, mut until, mut steps) = (Impact::Clear, duration, 0);
    for p in pieces(a) {
        let motion_a = motion_a.of_part(&p.pose);
        for q in pieces(b) {
            let motion_b = motion_b.of_part(&q.pose);
            let (Some(side_a), Some(side_b)) = (p.collider.side(), q.collider.side()) else {
                let reason = refusal(p.collider.kind(), q.collider.kind(), Question::FirstTouch);
                return Err(reason.unwrap_or(ColliderError::UnfitPiece { kind: p.collider.kind() }));
            };
            let work = &mut cache.impact;
            let found = mesh_time_of_impact(work, side_a, &motion_a, side_b, &motion_b, until, params)?;
            steps += work.steps;
            // Ties go to the earlier pair of pieces.
            if found.free_until(until) < first.free_until(duration) {
                until = found.free_until(until);
                first = found;
            }
        }
    }
    cache.impact.steps = steps;
    Ok(first)
}
