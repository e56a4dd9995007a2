//! Boxes whose nearest features do not follow from one axis or one corner: faces that are parallel to rounding.
//!
//! In: two boxes in the frame of the first, and their axes. Out: the points of the two that are nearest, whatever features hold them.
//! Candidates are taken in fixed order, the first of the best counts.
#![allow(
    non_snake_case,
    reason = "monogram notation: R_AB holds the axes of B in A, p_AQ is the point Q in A"
)]

use zerogap_core::Vec3;

use super::box_axes::{Axes, Axis};
use super::box_features::{Boxes, WitnessPair, over_face};
use super::segment_segment::nearest_points;
use crate::clip::ClippedPolygon;

/// Corners of a rectangle cut by the four sides of another, at most [-].
const CUT_CORNERS: usize = 8;

/// The lowest point of one box over the best face of the other; `None` where that face separates by less than `best` [m] by more than
/// rounding (`room` [m]), and where nothing of the other box is over it.
#[cold]
pub(super) fn lowest_over_face(boxes: &Boxes, axes: &Axes, best: f64, room: f64) -> Option<WitnessPair> {
    let (lower, axis) = axes.best_face();
    if lower < best - room {
        return None;
    }
    match axis {
        Axis::FaceA(i) => lowest_over_face_of_a(boxes, i, lower, room),
        Axis::FaceB(j) => {
            Some(lowest_over_face_of_a(&boxes.rotated(), j, lower, room)?.seen_from_other(boxes))
        }
        Axis::Edges(..) => None,
    }
}

/// The face of B most opposed to A's, clipped to A's; its lowest corner.
fn lowest_over_face_of_a(boxes: &Boxes, i: usize, lower: f64, room: f64) -> Option<WitnessPair> {
    let side = 1.0_f64.copysign(boxes.p_AB[i]);
    let row = boxes.R_AB.row(i);
    let facing = row.iamax_full().1;
    let (k, m) = ((facing + 1) % 3, (facing + 2) % 3);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(s, t)| {
        let mut y = boxes.half_b;
        y[facing] = y[facing].copysign(-side * row[facing]);
        y[k] *= s;
        y[m] *= t;
        boxes.in_a(&y)
    });
    let mut face = ClippedPolygon::<CUT_CORNERS>::new(&corners);
    for axis in [(i + 1) % 3, (i + 2) % 3] {
        for out in [-1.0, 1.0] {
            let bound = boxes.half_a[axis];
            let onto = |mut through: Vec3| {
                through[axis] = out * bound;
                through
            };
            face = face.cut(|corner| out * corner[axis] - bound, onto);
        }
    }
    let height = |point: &Vec3| side * point[i] - boxes.half_a[i];
    let lowest = face.corners().iter().min_by(|p, q| height(p).total_cmp(&height(q)))?;
    let (found, _) = over_face(boxes, i, lower, room, lowest);
    // The point is where it is: apart, it is the upper bound.
    let gap = height(lowest);
    Some(WitnessPair { gap, point_b: found.point_a + found.normal * gap, ..found })
}

/// The nearest points of boxes apart for which neither the best axis nor the nearest corner gives bounds that agree.
///
/// Tries the best face against what is over it, then all pairs of edges; the pair of points with the least distance is the answer, and
/// of those that are as near to rounding (`room` [m]) the one whose normal fits them best.
#[cold]
pub(super) fn any_features(boxes: &Boxes, axes: &Axes, corner: WitnessPair, room: f64) -> WitnessPair {
    if let Some(found) = lowest_over_face(boxes, axes, corner.lower, room)
        && found.gap - found.lower <= room
        && found.gap <= corner.gap + room
    {
        return found;
    }
    let mut best = corner;
    for i in 0..3 {
        for a in edges_along(&boxes.half_a, i) {
            for j in 0..3 {
                for b in edges_along(&boxes.half_b, j) {
                    let b = b.map(|end| boxes.in_a(&end));
                    let near = nearest_points(&a, &b);
                    for normal in near.normals() {
                        let lower = boxes.separation(&normal, &boxes.R_AB.tr_mul(&normal));
                        let found = WitnessPair {
                            gap: near.gap,
                            lower,
                            normal,
                            point_a: near.point_a,
                            point_b: near.point_b,
                        };
                        if beats(&found, &best, room) {
                            best = found;
                        }
                    }
                }
            }
        }
    }
    best
}

/// Whether another pair of points is the better answer: nearer by more than rounding (`room` [m]); of those as near, the one whose normal separates by as much as the
/// points are apart and leads from one point to the other as nearly as any. Other normals fit the distance to rounding, but not the points.
fn beats(found: &WitnessPair, best: &WitnessPair, room: f64) -> bool {
    if found.gap < best.gap - room {
        return true;
    }
    let is_borne_out = |found: &WitnessPair| found.gap - found.lower <= room;
    let beside = |found: &WitnessPair| (found.point_b - found.point_a - found.normal * found.gap).norm();
    let is_better = match (is_borne_out(found), is_borne_out(best)) {
        (true, true) => beside(found) < beside(best),
        (false, false) => found.lower > best.lower,
        (found_is, _) => found_is,
    };
    found.gap <= best.gap + room && is_better
}

/// The four edges of a box along axis `i`, by their ends.
fn edges_along(half: &Vec3, i: usize) -> [[Vec3; 2]; 4] {
    let (k, m) = ((i + 1) % 3, (i + 2) % 3);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(s, t)| {
        [-1.0, 1.0].map(|end| {
            let mut point = *half;
            point[i] *= end;
            point[k] *= s;
            point[m] *= t;
            point
        })
    })
}
