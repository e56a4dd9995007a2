//! How near two moving colliders come, and for how long they surely do not touch.

use super::compound::each_moving_pair;
use super::error::ColliderError;
use super::kind::Collider;
use crate::height_field::{in_place_of_fields, whole_patch};
use crate::motion::{Clearance, ClearanceParams, Motion, Path, mesh_safe_time, path_clearance};

/// Returns how near two colliders on two paths come: the least of all pairs of pieces; see [`crate::motion::clearance()`].
///
/// Fails: kinds without a first touch, which have no clearance either.
pub fn clearance_along(
    a: &Collider,
    path_a: &Path,
    b: &Collider,
    path_b: &Path,
    params: &ClearanceParams,
) -> Result<Clearance, ColliderError> {
    let patch = whole_patch([a, b]);
    let Some([a, b]) = in_place_of_fields([a, b], patch.as_ref()) else {
        return Err(ColliderError::NoPieces);
    };
    let mut least: Option<Clearance> = None;
    each_moving_pair(a, b, |own_a, side_a, own_b, side_b| {
        let (path_a, path_b) = (path_a.of_part(own_a), path_b.of_part(own_b));
        let found = path_clearance(side_a, &path_a, side_b, &path_b, params)?;
        least = Some(least.map_or(found, |least| least.and(&found)));
        Ok(())
    })?;
    least.ok_or(ColliderError::NoPieces)
}

/// Returns for how long two moving colliders surely do not touch [s]; see [`crate::motion::safe_time`].
///
/// Fails: kinds without a first touch.
pub fn safe_time(
    a: &Collider,
    motion_a: &Motion,
    b: &Collider,
    motion_b: &Motion,
) -> Result<f64, ColliderError> {
    let patch = whole_patch([a, b]);
    let Some([a, b]) = in_place_of_fields([a, b], patch.as_ref()) else {
        return Err(ColliderError::NoPieces);
    };
    let mut least = f64::INFINITY;
    each_moving_pair(a, b, |own_a, side_a, own_b, side_b| {
        let (motion_a, motion_b) = (motion_a.of_part(own_a), motion_b.of_part(own_b));
        least = least.min(mesh_safe_time(side_a, &motion_a, side_b, &motion_b)?);
        Ok(())
    })?;
    Ok(least)
}
