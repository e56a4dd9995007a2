//! When two moving colliders first touch.

use super::cache::ColliderCache;
use super::compound::each_moving_pair;
use super::error::ColliderError;
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::height_field::{in_place_of_fields, moving_patch};
use crate::motion::{Impact, ImpactParams, Motion, Path, first_along, mesh_time_of_impact};

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
    let patch = moving_patch((a, motion_a), (b, motion_b), duration, params.min_separation);
    let Some([a, b]) = in_place_of_fields([a, b], patch.as_ref()) else { return Ok(Impact::Clear) };
    let (mut first, mut until, mut steps) = (Impact::Clear, duration, 0);
    each_moving_pair(a, b, |own_a, side_a, own_b, side_b| {
        let (motion_a, motion_b) = (motion_a.of_part(own_a), motion_b.of_part(own_b));
        let work = &mut cache.impact;
        let found = mesh_time_of_impact(work, side_a, &motion_a, side_b, &motion_b, until, params)?;
        steps += work.steps;
        // Ties go to the earlier pair of pieces; a contact at the very end counts too.
        let is_first = matches!(first, Impact::Clear) && !matches!(found, Impact::Clear);
        if is_first || found.free_until(until) < until {
            until = found.free_until(until);
            first = found;
        }
        Ok(())
    })?;
    cache.impact.steps = steps;
    Ok(first)
}

/// Returns when two colliders on two paths first touch: [`first_touch`], motion after motion.
///
/// Contact at the start of a later motion counts like any other. Fails: as [`first_touch`].
pub fn first_touch_along(
    a: &Collider,
    path_a: &Path,
    b: &Collider,
    path_b: &Path,
    params: &ImpactParams,
    cache: &mut ColliderCache,
) -> Result<Impact, ColliderError> {
    let mut steps = 0;
    let found = first_along(path_a, path_b, |motion_a, motion_b, duration| {
        let found = first_touch(a, motion_a, b, motion_b, duration, params, cache);
        steps += cache.impact.steps;
        found
    });
    cache.impact.steps = steps;
    found
}
