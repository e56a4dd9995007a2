//! The gap of two boxes, in closed form.
//!
//! In: half sizes and the placement of B in A. Out: the exact gap in A's frame. The separating axes give the best lower bound; the
//! features that meet along the best axis, or the nearest corner of one box to the other, give the points that attain it.
//! Called by the pair table for cores that are boxes. Same bits every time; ties go to A's faces, then B's, then edges in index order.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};

use super::box_axes::{Axes, Axis};
use super::box_features::{Boxes, WitnessPair, corner_over_face, edges, nearest_corner};
use super::box_rare::{any_features, lowest_over_face};
use super::placement::Placement;
use super::rounding::{extent, slack};

/// Bounds that are this much apart, against the extent of the pair, agree [-]. Larger than any rounding of the steps in between.
const CONVERGED: f64 = 16.0 * f64::EPSILON;

/// Separations below this, against the extent of the pair, are touch: the line between two points has no direction there [-].
const TOUCH: f64 = 4.0 * f64::EPSILON;

/// Unit normals that differ by less are one [-]: half the digits, the accuracy of the location of a minimum.
const SAME_NORMAL: f64 = 1e-7;

/// Signed distance of two boxes.
///
/// Computes: gap [m], n [-], points with `p_b - p_a = gap n`; in overlap the shortest separating translation.
/// Frames: works in A, answers in A.
/// Method: the 15 separating axes (Gottschalk, Lin, Manocha 1996). In overlap the best one is the answer. Apart, boxes are nearest
///   along a separating axis, or at a corner of one of them: all 16 corners are measured. Bounds that do not agree then (crossed faces
///   that are parallel to rounding) lead to all 144 pairs of edges.
/// Tolerance: 1e-15 of the extent of the pair: half diagonals and distance of the centres.
/// Cost: no allocation, no iteration.
/// Fails: `Limited` where the bounds do not converge to rounding, or no pair of points is known that attains them; the bounds are true all the
///   same.
/// Beyond `cutoff` [m] the answer is `Farther`, with the bounds along the best axis.
pub(crate) fn box_box(half_a: &Vec3, half_b: &Vec3, at: &Placement, cutoff: f64) -> Gap {
    let boxes = Boxes {
        half_a: *half_a,
        half_b: *half_b,
        R_AB: at.R_AB,
        p_AB: at.p_AB,
        q_BB: at.R_AB.tr_mul(&at.p_AB),
    };
    let size = extent(half_a.norm(), half_b.norm(), &at.p_AB);

    // Faces first: mostly they already show that a pair is beyond the cutoff.
    let mut axes = Axes::of_faces(&boxes);
    if cutoff < f64::INFINITY {
        let (separation, axis) = axes.best_face();
        if separation > cutoff + slack(size) {
            return farther(&boxes, axis, separation, size);
        }
    }
    axes.add_edges(&boxes);
    let (best, axis) = axes.best();
    if best > cutoff + slack(size) {
        return farther(&boxes, axis, best, size);
    }

    // The features in contact along the best axis.
    let room = CONVERGED * size;
    let overlap = best <= TOUCH * size;
    let (found, meet) = match axis {
        Axis::FaceA(i) => corner_over_face(&boxes, i, best, room),
        Axis::FaceB(j) => {
            let (found, meet) = corner_over_face(&boxes.rotated(), j, best, room);
            (found.seen_from_other(&boxes), meet)
        }
        Axis::Edges(i, j) => match axis.normal(&boxes) {
            Some(normals) => edges(&boxes, i, j, &normals, room),
            None => (nearest_corner(&boxes), false),
        },
    };
    if overlap {
        // A corner beside the face, or an edge beside the other, is one of several at the same height.
        let over_face = if meet { Some(found) } else { lowest_over_face(&boxes, &axes, best, room) };
        // Boxes that touch in an edge or a corner, to rounding, may have nothing over the face: one point of the pair is then not known.
        let Some(found) = over_face else {
            return Gap { status: GapStatus::Limited, ..answer(&found, NormalKind::Unique, size) };
        };
        // Centres at the same height: the opposite direction does as well.
        let floor = best - slack(size);
        let kind = if found.normal.dot(&at.p_AB).abs() <= slack(size) {
            NormalKind::Chosen
        } else if axes.has_rival(axis, floor) {
            kind_among_rivals(&boxes, &axes, floor, &found.normal)
        } else {
            NormalKind::Unique
        };
        return answer(&found, kind, size);
    }
    if meet {
        return answer(&found, NormalKind::Unique, size);
    }

    // Or a corner of one box is nearest to the other.
    let found = nearest_corner(&boxes);
    if found.gap - found.lower <= room {
        return answer(&found, NormalKind::Unique, size);
    }
    answer(&any_features(&boxes, &axes, found, room), NormalKind::Unique, size)
}

/// What was found, with its certificate.
#[inline]
fn answer(found: &WitnessPair, normal_kind: NormalKind, size: f64) -> Gap {
    let converged = found.gap - found.lower <= CONVERGED * size;
    Gap {
        gap: found.gap,
        lower: found.lower - slack(size),
        upper: found.gap + slack(size),
        normal: found.normal,
        normal_kind,
        point_a: found.point_a,
        point_b: found.point_b,
        status: if converged { GapStatus::Exact } else { GapStatus::Limited },
        iterations: 0,
    }
}

/// The answer for boxes beyond the cutoff: the separation along an axis, between the plane that holds A back and the one that holds B.
fn farther(boxes: &Boxes, axis: Axis, separation: f64, size: f64) -> Gap {
    let (n, n_b) = axis.normal(boxes).unwrap_or((Vec3::x(), boxes.R_AB.row(0).transpose()));
    let point_a = n.zip_map(&boxes.half_a, |d, h| h.copysign(d));
    let point_b = boxes.in_a(&(-n_b).zip_map(&boxes.half_b, |d, h| h.copysign(d)));
    Gap {
        gap: separation,
        lower: separation - slack(size),
        upper: (point_b - point_a).norm() + slack(size),
        normal: n,
        normal_kind: NormalKind::Unique,
        point_a,
        point_b: point_a + n * separation,
        status: GapStatus::Farther,
        iterations: 0,
    }
}

/// Whether another direction separates overlapping or touching boxes as well as `normal` does.
#[cold]
fn kind_among_rivals(boxes: &Boxes, axes: &Axes, floor: f64, normal: &Vec3) -> NormalKind {
    let differs =
        |axis: Axis| axis.normal(boxes).is_some_and(|(rival, _)| (rival - normal).amax() > SAME_NORMAL);
    if axes.rivals(floor).any(differs) { NormalKind::Chosen } else { NormalKind::Unique }
}
