//! Boxes with room to move in: as long as a box stays inside its fat box, nothing about who might touch whom has to be found anew.

use zerogap_core::Aabb;

/// Room on every side of a box at rest, against its longest side [-].
const LEAST_ROOM: f64 = 0.02;

/// Most room on every side, against the longest side [-]: more would make everything a candidate.
const MOST_ROOM: f64 = 0.5;

/// Steps for which a box should have room at its last speed [-].
const STEPS_AHEAD: f64 = 8.0;

/// The fat box of a box that has moved by `moved` [m] per step of late; `margin` is room that is wanted in any case [m].
///
/// Always holds the box, also where rounding swallows the room.
pub(super) fn fat_box(bounds: &Aabb, moved: f64, margin: f64) -> Aabb {
    let longest = bounds.size().max();
    let room = margin + (STEPS_AHEAD * moved).clamp(LEAST_ROOM * longest, MOST_ROOM * longest);
    let room = if room.is_finite() { room } else { 0.0 };
    let fat = bounds.expanded(room);
    let is_finite = fat.min.iter().chain(fat.max.iter()).all(|x| x.is_finite());
    if is_finite { fat } else { *bounds }
}

/// Whether a box lies inside another.
#[inline]
pub(super) fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.x <= inner.min.x
        && outer.min.y <= inner.min.y
        && outer.min.z <= inner.min.z
        && inner.max.x <= outer.max.x
        && inner.max.y <= outer.max.y
        && inner.max.z <= outer.max.z
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;

    use super::*;

    #[test]
    fn a_fat_box_holds_its_box_at_every_size() {
        for scale in [0.0, 1e-60, 1e-9, 1.0, 1e9, 1e60] {
            for place in [0.0, 1.0, 1e15, 1e60] {
                let bounds = Aabb::from_center_size(Vec3::repeat(place), scale * Vec3::new(1.0, 2.0, 0.0));
                for moved in [0.0, 1e-3, 1e60] {
                    let fat = fat_box(&bounds, moved, 0.0);
                    assert!(holds(&fat, &bounds), "{bounds:?} {fat:?}");
                    assert!(fat.min.iter().chain(fat.max.iter()).all(|x| x.is_finite()));
                }
            }
        }
    }
}
