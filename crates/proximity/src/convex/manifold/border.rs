//! A round body that lies along the border of a face, and leans out over it, touches the edge and not the face.
//!
//! In: the two patches that face the normal, the normal, and a point where the bodies are nearest. Out: the polygon narrowed to the side that the
//! line lies along, or both as they were. A face is nearest along its own normal alone; along any other its border is.

use zerogap_core::Vec3;

use super::normal::SHARPER;
use super::patch::{Patch, is_lying};

/// Narrows a polygon to its side at the nearest point, where the other patch is a round line that runs along it.
pub(super) fn narrow_to_border(patches: &mut [Patch; 2], normal: &Vec3, nearest: &Vec3) {
    let [first, second] = patches;
    if let Some(side) = side_along(first, second, normal, nearest) {
        second.keep_side(side);
    } else if let Some(side) = side_along(second, first, normal, nearest) {
        first.keep_side(side);
    }
}

/// Which side of a polygon a round line runs along, at the nearest point.
fn side_along(line: &Patch, polygon: &Patch, normal: &Vec3, nearest: &Vec3) -> Option<usize> {
    let ([from, to], true) = (&line.corners[..], polygon.is_polygon() && polygon.rim.is_none()) else {
        return None;
    };
    // Faces are oriented along the normal or against it.
    let lean = polygon.normal.cross(normal).amax();
    if from.round <= 0.0 || lean <= SHARPER {
        return None;
    }
    let flat = |v: Vec3| v - normal * normal.dot(&v);
    let count = polygon.corners.len();
    let along = |k: usize| flat(polygon.corners[(k + 1) % count].point - polygon.corners[k].point);
    let line = flat(to.point - from.point);
    let is_along = |k: &usize| {
        let side = along(*k);
        is_lying(line.cross(&side).norm(), line.norm_squared() * side.norm_squared())
    };
    // Square of the distance of the nearest point from the side, against the side's length: at a corner two sides are as near.
    let offset = |k: usize| {
        let (side, away) = (along(k), flat(nearest - polygon.corners[k].point));
        side.cross(&away).norm_squared() / side.norm_squared().powi(2)
    };
    let (side, offset) =
        (0..count).filter(is_along).map(|k| (k, offset(k))).min_by(|(_, p), (_, q)| p.total_cmp(q))?;
    (offset <= SHARPER * SHARPER).then_some(side)
}
