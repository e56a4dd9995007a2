//! Boxes with room to move in: as long as a box stays inside its fat box, no new candidates have to be searched.

use zerogap_core::{Aabb, Vec3};

/// Room on every side of a box, against its longest side [-].
const ROOM: f64 = 0.02;

/// Largest room ahead of a box that moves, against its longest side [-]: more would make everything a candidate.
const MAX_AHEAD: f64 = 1.0;

/// Steps for which a box has room at its last velocity, at least [-]; up to twice as many.
const STEPS_AHEAD: f64 = 16.0;

/// The fat box of a box that has moved by `moved` [m] per step of late.
///
/// Room lies ahead, and a little on every side. `slot` spreads the number of steps for which it lasts: boxes that set out together would need new ones in the same
/// step otherwise. Always holds the box, also where rounding swallows the room.
pub(super) fn fat_box(bounds: &Aabb, moved: &Vec3, slot: u32) -> Aabb {
    let longest = bounds.size().max();
    // The golden ratio's multiples are spread evenly.
    let part = f64::from(slot.wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
    let largest = MAX_AHEAD * longest;
    let ahead = (moved * (STEPS_AHEAD * (1.0 + part))).map(|x| x.clamp(-largest, largest));
    let room = ROOM * longest;
    let fat = Aabb {
        min: (bounds.min + ahead.map(|x| x.min(0.0))).add_scalar(-room),
        max: (bounds.max + ahead.map(|x| x.max(0.0))).add_scalar(room),
    };
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
    use super::*;

    #[test]
    fn a_fat_box_holds_its_box_at_every_size() {
        for scale in [0.0, 1e-60, 1e-9, 1.0, 1e9, 1e60] {
            for place in [0.0, 1.0, 1e15, 1e60] {
                let bounds = Aabb::from_center_size(Vec3::repeat(place), scale * Vec3::new(1.0, 2.0, 0.0));
                for moved in [0.0, 1e-3, -1e60, f64::MAX] {
                    let fat = fat_box(&bounds, &Vec3::new(moved, -moved, 0.5 * moved), 7);
                    assert!(holds(&fat, &bounds), "{bounds:?} {fat:?}");
                    assert!(fat.min.iter().chain(fat.max.iter()).all(|x| x.is_finite()));
                }
            }
        }
    }
}
