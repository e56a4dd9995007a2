//! Which normal a manifold has: the gap's, unless another one is as good and better known.
//!
//! In: the gap with its certificate, the patches that face its normal, and the normal of the last step. Out: a unit normal in A's frame along
//! which the shapes are apart by no less than the gap, to its certificate. The nearest points of bodies that almost touch give their
//! direction to few digits, and those of curved bodies to half of them; the faces that touch give it exactly.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};
use zerogap_geometry::ConvexShape;

use super::super::placement::Placement;
use super::super::query::separation_in_a;
use super::patch::Patch;

/// Directions that differ by no more are one [-].
const SAME: f64 = 4.0 * f64::EPSILON;

/// Sine of the angle to a segment's perpendicular below which the normal may be rotated into it [-]: beyond it the normal is known better.
const NEARLY_ACROSS: f64 = 1e-4;

/// Sine of the angle between two lines below which they are parallel [-]: what crosses at less is known better from where it is.
const PARALLEL: f64 = 1e-8;

/// Normals of two faces that differ by no more are known better than one that a search finds between them [-].
const NEARLY_PARALLEL: f64 = 1e-7;

/// How far a face's normal may be from one that is kept, to take its place [-].
pub(super) const SHARPER: f64 = 1e-6;

/// Two placed shapes.
pub(super) struct PlacedShapes<'a> {
    pub(super) a: &'a ConvexShape,
    pub(super) b: &'a ConvexShape,
    pub(super) at: &'a Placement,
}

impl PlacedShapes<'_> {
    /// How far apart the shapes are along a unit direction [m].
    fn separation(&self, direction: &Vec3) -> f64 {
        separation_in_a(self.a, self.b, self.at, direction)
    }

    /// Whether the shapes are as far apart along a direction as the gap says.
    fn is_as_good(&self, direction: &Vec3, floor: f64) -> bool {
        self.separation(direction) >= floor
    }
}

/// What a direction must reach to be as good as the gap's own [m]; `slack` is what rounding can hide.
pub(super) fn floor(gap: &Gap, slack: f64) -> f64 {
    // Bounds that did not agree would let any direction pass.
    if gap.status == GapStatus::Limited { gap.gap - slack } else { gap.lower.min(gap.gap - slack) }
}

/// The normal to start from: where several do, the one of the last step if it is among them.
///
/// Corners and edges that touch, marked by `is_open`, have several even where the search came to rest on one: then any other that separates as well
/// is proof of it.
pub(super) fn continued(
    gap: &Gap,
    floor: f64,
    last: Option<&Vec3>,
    is_open: bool,
    placed: &PlacedShapes<'_>,
) -> Vec3 {
    let may_follow = |last: &Vec3| {
        gap.normal_kind == NormalKind::Chosen || (is_open && (last - gap.normal).amax() > SHARPER)
    };
    match last {
        Some(last) if may_follow(last) && placed.is_as_good(last, floor) => *last,
        _ => gap.normal,
    }
}

/// The normal of a face of one of the patches that separates as well as the gap says, and how far [m]; of two the better one, then A's.
pub(super) fn normal_from_faces(
    floor: f64,
    [patch_a, patch_b]: [&Patch; 2],
    placed: &PlacedShapes<'_>,
) -> Option<(Vec3, f64)> {
    // A corner of the other patch that lies too near to the plane shows at once that it does not.
    let is_clear = |direction: &Vec3, plane: &Patch, others: &Patch, sign: f64| {
        let on_plane = plane.corners[0].point;
        others.corners.iter().all(|corner| sign * direction.dot(&(corner.point - on_plane)) >= floor)
    };
    let of_a = patch_a.is_polygon() && is_clear(&patch_a.normal, patch_a, patch_b, 1.0);
    let of_b = patch_b.is_polygon() && is_clear(&-patch_b.normal, patch_b, patch_a, -1.0);
    let candidates = [of_a.then_some(patch_a.normal), of_b.then(|| -patch_b.normal)];
    better(candidates, placed).filter(|(_, separation)| *separation >= floor)
}

/// The normal half-way between two faces that are parallel but for less than a search can tell. Where each reaches down beside the other, the shapes are farthest apart along a direction between the two.
pub(super) fn normal_between_faces([patch_a, patch_b]: [&Patch; 2]) -> Option<Vec3> {
    let is_parallel = patch_a.is_polygon()
        && patch_b.is_polygon()
        && (patch_a.normal + patch_b.normal).amax() <= NEARLY_PARALLEL;
    is_parallel.then(|| (patch_a.normal - patch_b.normal).normalize())
}

/// The direction along which the shapes are farther apart, and how far [m]; the first of two that are equally good.
pub(super) fn better(candidates: [Option<Vec3>; 2], placed: &PlacedShapes<'_>) -> Option<(Vec3, f64)> {
    let measured = candidates.map(|candidate| candidate.map(|n| (n, placed.separation(&n))));
    match measured {
        [Some(first), Some(second)] if second.1 > first.1 => Some(second),
        [first, second] => first.or(second),
    }
}

/// The normal across the segments of the patches, where it is as good as the given one; none where there is no better.
pub(super) fn normal_from_lines(
    normal: &Vec3,
    floor: f64,
    [patch_a, patch_b]: [&Patch; 2],
    placed: &PlacedShapes<'_>,
) -> Option<Vec3> {
    let differs = |direction: &Vec3| (direction - normal).amax() > SAME;
    // From the middle of one round line to the other, or across two lines that cross.
    if let Some(direction) = between_lines(normal, [patch_a, patch_b])
        && placed.is_as_good(&direction, floor)
    {
        return differs(&direction).then_some(direction);
    }
    // Across the segments: both, or one of them.
    let segments = [patch_a, patch_b].map(|patch| match patch.corners[..] {
        [from, to] => Some(to.point - from.point),
        _ => None,
    });
    let across = |direction: Vec3, along: Option<Vec3>| {
        let Some(along) = along else { return direction };
        let (rise, squared) = (along.dot(&direction), along.norm_squared());
        let is_near = squared > 0.0 && rise * rise <= NEARLY_ACROSS * NEARLY_ACROSS * squared;
        if is_near { (direction - along * (rise / squared)).normalize() } else { direction }
    };
    let [along_a, along_b] = segments;
    let candidates =
        [across(across(*normal, along_a), along_b), across(*normal, along_a), across(*normal, along_b)];
    candidates.into_iter().find(|direction| differs(direction) && placed.is_as_good(direction, floor))
}

/// The direction between two segments of which at least one is round across: across both where they cross, else from the axis of one to
/// that of the other. None for other patches, and where it is not near the given normal.
fn between_lines(normal: &Vec3, [patch_a, patch_b]: [&Patch; 2]) -> Option<Vec3> {
    let ([from_a, to_a], [from_b, to_b]) = (&patch_a.corners[..], &patch_b.corners[..]) else {
        return None;
    };
    if from_a.round + from_b.round <= 0.0 {
        return None;
    }
    let (along_a, along_b) =
        ((to_a.point - from_a.point).normalize(), (to_b.point - from_b.point).normalize());
    let across = along_a.cross(&along_b);
    let direction = if across.norm_squared() > PARALLEL * PARALLEL {
        across * normal.dot(&across).signum()
    } else {
        let level = |v: &Vec3| v - along_a * along_a.dot(v);
        let out = level(normal).normalize();
        level(&(from_b.point + out * from_b.round - (from_a.point - out * from_a.round)))
    };
    let direction = direction.normalize();
    // Lines without length, or axes in one place, give no normal; NaN is not near.
    ((direction - normal).amax() <= NEARLY_ACROSS).then_some(direction)
}
