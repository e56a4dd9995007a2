//! The general path: any two bodies known by their farthest points.
//!
//! In: the difference of two cores and parameters. Out: the gap in A's frame with its certificate. Outside, a simplex walks to the
//! origin; inside, a polytope grows around it; then the features found give the exact answer.

use std::cell::Cell;

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};

use super::body::Body;
use super::careful::{Careful, careful_walk};
use super::difference::{Corner, Difference};
use super::exhaustive::{Bounded, by_all_features};
use super::grow::{Polytope, SeparatingTranslation, grow, lower as lesser};
use super::polish::polish;
use super::resolve::{Resolved, resolve, weights_at};
use super::rounding::slack;
use super::simplex::{Nearest, Simplex};
use super::walk::{Goal, ORIGIN_DISTANCE, Walk, surely_there, walk};
use super::witness::{BESIDE, point_behind};

/// How often the walk may continue from features whose plane turned out not to be the last [-].
const MAX_POLISHING: usize = 8;

/// Required width of the bounds of polytopes, as a fraction of the slack that they are then given [-].
pub(crate) const ROUNDING_FRACTION: f64 = 0.25;

thread_local! {
    /// Memory of the searches of this thread: after the first few queries nothing is allocated.
    static MEMORY: Cell<Option<Box<Polytope>>> = const { Cell::new(None) };
}

/// Bounds that agree within this part of the slack are one number to rounding [-]: the rest is left for their own rounding.
const EXACT_FRACTION: f64 = 0.75;

/// Bounds farther apart than this fraction of the gap are too wide [-].
const NEAR: f64 = 0.01;

/// What rounding can do to a height, against the extent [-].
const NOISE: f64 = 8.0 * f64::EPSILON;

/// Gaps nearer than this to the requested one are left to the whole search, against the extent [-]: as far as bounds of curved shapes that agree
/// may be apart, and some more.
const MARGIN: f64 = 1e-9;

/// Parameters of the general path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    /// Extent of the pair [m].
    pub(crate) extent: f64,
    /// Width of the bounds to stop at, for curved shapes [m].
    pub(crate) width: f64,
    /// A gap known to be beyond this ends the search [m].
    pub(crate) cutoff: f64,
    /// Maximum number of corners that the polytope grows by [-].
    pub(crate) max_growth: u32,
}

impl Ask {
    /// The same question where all lengths are multiplied by a factor.
    pub(crate) fn scaled(&self, scale: f64) -> Self {
        Self {
            extent: self.extent * scale,
            width: self.width * scale,
            cutoff: self.cutoff * scale,
            max_growth: self.max_growth,
        }
    }
}

/// The gap of two bodies, in A's frame.
///
/// Computes: gap, normal, witness points and bounds; polytopes to rounding, curved shapes to `ask.width`.
/// Tolerance: polytopes 1e-15 of the extent (measured; stated 1e-14), curved shapes the requested width; the bounds are always true.
/// Fails: never; `Limited` where the bounds did not converge.
pub(crate) fn distance<A: Body, B: Body>(difference: &mut Difference<'_, A, B>, ask: &Ask) -> Gap {
    distance_with(difference, ask, &mut Trace::default())
}

/// [`distance`] that leaves behind where the search ended.
pub(crate) fn distance_with<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    ask: &Ask,
    trace: &mut Trace<'_>,
) -> Gap {
    let direction = first_direction(difference);
    let start = difference.support(&direction);
    let gap = search(difference, ask, Simplex::new(start), start.w, direction, trace);
    if matches!(gap.status, GapStatus::Exact | GapStatus::Farther) {
        return gap;
    }
    if difference.is_polytope() {
        let gap = more_surely(difference, ask, gap);
        let is_exact = gap.status == GapStatus::Exact;
        let gap = if is_exact { gap } else { more_carefully(difference, ask, gap, trace) };
        trace.end = End::Nowhere;
        return gap;
    }
    // Apart, rounding is all that can keep bounds from meeting; in overlap, twice the digits help where bodies all but touch.
    let may_help = gap.gap > 0.0 || gap.upper - gap.lower > NEAR * gap.gap.abs();
    let is_open = gap.status == GapStatus::Limited;
    if is_open && may_help { more_carefully(difference, ask, gap, trace) } else { gap }
}

/// A gap that the search left open: once more with twice the digits.
#[cold]
fn more_carefully<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    ask: &Ask,
    gap: Gap,
    trace: &mut Trace<'_>,
) -> Gap {
    let goal = Goal { is_careful: true, ..goal(difference, ask) };
    let surer =
        match careful_walk(difference, &first_direction(difference), ORIGIN_DISTANCE * ask.extent, &goal) {
            Careful::Apart { found, lower } => apart(&found, lower, found.gap, difference, ask),
            Careful::ContainsOrigin { simplex, last, distance } => {
                let goal = Goal { noise: goal.noise.max(2.0 * distance), ..goal };
                overlap(difference, &simplex, &last, &goal, ask, trace)
            }
        };
    if surer.upper - surer.lower < gap.upper - gap.lower { surer } else { gap }
}

/// A polytope's gap that the search left open, by all pairs of features where these know it better.
#[cold]
fn more_surely<A: Body, B: Body>(difference: &mut Difference<'_, A, B>, ask: &Ask, gap: Gap) -> Gap {
    let width = ROUNDING_FRACTION * slack(ask.extent);
    let found = by_all_features(difference, width);
    let goal = goal(difference, ask);
    let surer = found.map(|Bounded { mut found, lower }| {
        // The direction may be that of features on the far side of a prism, whose points are no use.
        if found.gap <= width {
            found.point_a = point_behind(difference, &(found.normal * found.gap), &goal).point_a;
        }
        close(&found, lower, found.gap, gap.normal_kind, difference, ask)
    });
    let gap = surer.filter(|surer| surer.upper - surer.lower <= gap.upper - gap.lower).unwrap_or(gap);
    // Bounds that agree are exact, also where no pair of features could be determined from its neighbours.
    let is_converged = gap.upper - gap.lower <= 2.0 * (1.0 + EXACT_FRACTION) * slack(ask.extent);
    if is_converged { Gap { status: GapStatus::Exact, ..gap } } else { gap }
}

/// Where a search ended, for the next one to start from.
#[derive(Default)]
pub(crate) struct Trace<'m> {
    /// The polytope to grow; a thread's own where there is none.
    pub(crate) memory: Option<&'m mut Polytope>,
    /// Corners of the features that gave the answer.
    pub(crate) end: End,
}

/// The corners that a search ended with.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum End {
    /// None that a search could start from.
    #[default]
    Nowhere,
    /// Bodies apart: the nearest simplex.
    Apart(Simplex),
    /// Bodies in overlap: the face in which the separating translation ends.
    Overlap([Corner; 3]),
}

/// Walks from a simplex, and grows where the walk ends inside; `v` is the simplex's point nearest to the origin and `last` the
/// direction that found its last corner.
pub(crate) fn search<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    ask: &Ask,
    mut simplex: Simplex,
    mut v: Vec3,
    mut last: Vec3,
    trace: &mut Trace<'_>,
) -> Gap {
    let goal = goal(difference, ask);
    let mut open = None;
    for _ in 0..MAX_POLISHING {
        match walk(difference, &mut simplex, v, last, &goal) {
            Walk::Farther { v, lower } => return farther(v, lower, difference, ask),
            Walk::ContainsOrigin { last } => return overlap(difference, &simplex, &last, &goal, ask, trace),
            Walk::Apart { v: at, lower, found_by } => {
                let rough = at / at.norm();
                let Some(found) = resolve(difference, simplex.corners(), &rough) else {
                    return overlap(difference, &simplex, &found_by, &goal, ask, trace);
                };
                let upper = simplex.weighted_nearest().map_or(found.gap, |point| point.norm());
                // The separation along the features' normal differs from the one along v by no more than the turn between the two.
                let turn = (found.normal - rough).norm();
                let known = lower - turn * ask.extent;
                if upper - known <= goal.width {
                    trace.end = End::Apart(simplex);
                    return apart(&found, known, upper, difference, ask);
                }
                last = -found.normal;
                let corner = difference.support(&last);
                let known = found.normal.dot(&corner.w);
                if upper - known <= goal.width {
                    trace.end = End::Apart(simplex);
                    return apart(&found, known, upper, difference, ask);
                }
                // So near that no side can be determined.
                let distance = at.norm();
                let unsure = if difference.is_polytope() { 0.0 } else { 8.0 * goal.width };
                if distance <= unsure.max(slack(ask.extent)) {
                    let goal = Goal { noise: goal.noise.max(2.0 * distance), ..goal };
                    let gap = overlap(difference, &simplex, &found_by, &goal, ask, trace);
                    if distance <= slack(ask.extent) {
                        return gap;
                    }
                    // Two points are known to be this near, whatever was found about the inside; the better direction wins.
                    if gap.lower + slack(ask.extent) < known || gap.gap > upper {
                        return apart(&found, known, upper, difference, ask);
                    }
                    return widened(gap, upper + slack(ask.extent), ask);
                }
                // Another vertex lies below the plane: the walk was ended by rounding, and continues from here.
                let mut part = match simplex.nearest_with(&corner) {
                    Nearest::Inside => {
                        simplex.push(corner);
                        return overlap(difference, &simplex, &last, &goal, ask, trace);
                    }
                    Nearest::Outside(part) => part,
                };
                open = Some((found, known, upper));
                // Nearer, or as near to rounding.
                let near_enough = at.norm() + goal.width;
                if part.point.norm() > near_enough {
                    part = simplex.careful_nearest_with(&corner);
                }
                if part.point.norm() > near_enough {
                    return apart(&found, known, upper, difference, ask);
                }
                simplex.take(&part, &corner);
                v = surely_there(&simplex, part.point, &goal);
            }
        }
    }
    match open {
        Some((found, known, upper)) => apart(&found, known, upper, difference, ask),
        None => overlap(difference, &simplex, &last, &goal, ask, trace),
    }
}

/// Toward A from B, by their inner points; any direction where these fall together.
fn first_direction<A: Body, B: Body>(difference: &Difference<'_, A, B>) -> Vec3 {
    let between = -difference.between_interiors();
    if between.norm_squared() > 0.0 { between } else { Vec3::x() }
}

/// An answer whose upper bound is no smaller than another; the status then is not exact where the bounds do not agree.
fn widened(gap: Gap, upper: f64, ask: &Ask) -> Gap {
    if upper <= gap.upper {
        return gap;
    }
    let room = slack(ask.extent);
    // The bounds were moved outward already.
    let status = status_of(upper - gap.lower - 2.0 * room, ask);
    Gap { upper, status, ..gap }
}

/// What bounds that are so far apart, before they are moved outward [m], are worth.
fn status_of(width: f64, ask: &Ask) -> GapStatus {
    if width <= EXACT_FRACTION * slack(ask.extent) {
        GapStatus::Exact
    } else if width <= ask.width {
        GapStatus::Converged
    } else {
        GapStatus::Limited
    }
}

/// Whether the gap of the two bodies is no larger than `distance` [m]; `None` where that takes more than a walk: the two are nearer to it
/// than [`MARGIN`] of the extent.
pub(crate) fn within<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    ask: &Ask,
    distance: f64,
) -> Option<bool> {
    // A walk that ends at the cutoff has proven that they are apart.
    let margin = MARGIN * ask.extent;
    let goal = Goal { cutoff: distance + margin, ..goal(difference, ask) };
    let first = first_direction(difference);
    let start = difference.support(&first);
    let mut simplex = Simplex::new(start);
    match walk(difference, &mut simplex, start.w, first, &goal) {
        Walk::Farther { lower, .. } | Walk::Apart { lower, .. } if lower > distance + margin => Some(false),
        Walk::Apart { v, .. } if v.norm() < distance - margin => Some(true),
        Walk::ContainsOrigin { .. } if distance > margin || simplex.depth() > margin => Some(true),
        _ => None,
    }
}

/// Polytopes are searched to rounding, curved shapes to the requested width.
pub(crate) fn goal<A: Body, B: Body>(difference: &Difference<'_, A, B>, ask: &Ask) -> Goal {
    let rounding = ROUNDING_FRACTION * slack(ask.extent);
    let width = if difference.is_polytope() { rounding } else { ask.width.max(rounding) };
    // Beyond the cutoff even when the bound has been moved outward.
    let noise = NOISE * ask.extent;
    Goal { extent: ask.extent, width, noise, cutoff: ask.cutoff + 2.0 * slack(ask.extent), is_careful: false }
}

/// The answer for bodies apart: `known` is the separation along the normal, `upper` the distance of two points.
pub(crate) fn apart<A: Body, B: Body>(
    found: &Resolved,
    known: f64,
    upper: f64,
    difference: &Difference<'_, A, B>,
    ask: &Ask,
) -> Gap {
    close(found, known, upper, NormalKind::Unique, difference, ask)
}

/// Bounds and status of an answer between two computed bounds.
pub(crate) fn close<A: Body, B: Body>(
    found: &Resolved,
    lower: f64,
    upper: f64,
    normal_kind: NormalKind,
    difference: &Difference<'_, A, B>,
    ask: &Ask,
) -> Gap {
    let room = slack(ask.extent);
    let status = status_of(upper.max(found.gap) - lower.min(found.gap), ask);
    // Bounds that agree to rounding are given as one number and its slack: they then do not depend on how they were found.
    let (lower, upper) = if status == GapStatus::Exact { (found.gap, found.gap) } else { (lower, upper) };
    // Bounds that agree to a tolerance leave a choice: the gap is then what the normal shows.
    let found = if status == GapStatus::Converged { Resolved { gap: lower, ..*found } } else { *found };
    Gap {
        gap: found.gap,
        lower: lower.min(found.gap) - room,
        upper: upper.max(found.gap) + room,
        normal: found.normal,
        normal_kind,
        point_a: found.point_a,
        point_b: found.point_b(),
        status,
        iterations: difference.calls,
    }
}

/// The answer for bodies farther apart than asked: a direction that shows it.
fn farther<A: Body, B: Body>(v: Vec3, lower: f64, difference: &Difference<'_, A, B>, ask: &Ask) -> Gap {
    let upper = v.norm();
    let point_a = difference.a.interior();
    let normal = v / upper;
    Gap {
        gap: lower,
        lower: lower - slack(ask.extent),
        upper: upper + slack(ask.extent),
        normal,
        normal_kind: NormalKind::Unique,
        point_a,
        point_b: point_a + normal * lower,
        status: GapStatus::Farther,
        iterations: difference.calls,
    }
}

/// The answer for bodies in overlap, or too close to say.
fn overlap<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    simplex: &Simplex,
    last: &Vec3,
    goal: &Goal,
    ask: &Ask,
    trace: &mut Trace<'_>,
) -> Gap {
    let mut translation = if let Some(memory) = &mut trace.memory {
        grow(difference, simplex, last, goal, ask.max_growth, memory)
    } else {
        // Taken out and put back: a user-defined shape may ask for gaps itself.
        let mut memory = MEMORY.take().unwrap_or_default();
        let translation = grow(difference, simplex, last, goal, ask.max_growth, &mut memory);
        MEMORY.set(Some(memory));
        translation
    };
    out(difference, &mut translation, goal, ask, trace)
}

/// The answer for a separating translation.
pub(crate) fn out<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    translation: &mut SeparatingTranslation,
    goal: &Goal,
    ask: &Ask,
    trace: &mut Trace<'_>,
) -> Gap {
    if !difference.is_polytope() && translation.weights.is_none() {
        polish(difference, translation, ask.extent);
    }
    // A polytope that reaches beyond the difference has lost the origin: it was on the surface to rounding. Then only points are known.
    let has_lost_origin =
        translation.lower_bound > lesser(translation.reach, translation.upper_bound) + 4.0 * goal.width;
    if has_lost_origin {
        let nearest =
            translation.corners.iter().map(|corner| -corner.w.norm()).fold(f64::NEG_INFINITY, f64::max);
        translation.lower_bound = nearest.max(-translation.upper_bound);
    }
    let normal_kind = if translation.is_chosen { NormalKind::Chosen } else { NormalKind::Unique };
    let exact = exact_translation(difference, translation, goal);
    trace.end = if exact.is_some() { End::Overlap(translation.corners) } else { End::Nowhere };
    let (mut found, lower) = exact.unwrap_or_else(|| {
        (
            Resolved { gap: -translation.reach, normal: -translation.outward, point_a: foot(translation) },
            -translation.reach,
        )
    });
    // Where the foot misses the current corners by more than the points of smooth shapes do, or of polytopes by more than a ten-thousandth of that, it belongs to parallel features as well.
    let beside = if difference.is_polytope() { 1e-4 * BESIDE } else { BESIDE } * ask.extent;
    let by = beside_foot(translation);
    if translation.weights.is_none() && by > beside {
        let behind = point_behind(difference, &(found.normal * found.gap), goal);
        if behind.beside < by {
            found.point_a = behind.point_a;
        }
    }
    // Any two points are an upper bound, also where nothing is known of the inside.
    let upper = lesser(-translation.lower_bound, translation.tip.w.norm());
    let gap = close(&found, lower.min(found.gap), upper.max(found.gap), normal_kind, difference, ask);
    // A polytope's separating translation without its features has points that are only near the bodies.
    let lacks_features =
        difference.is_polytope() && translation.weights.is_none() && (exact.is_none() || has_lost_origin);
    if lacks_features { Gap { status: GapStatus::Limited, ..gap } } else { gap }
}

/// The plane of the features that the separating translation ends in, and the separation along its normal; none where it does not lead out as shortly.
fn exact_translation<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    translation: &SeparatingTranslation,
    goal: &Goal,
) -> Option<(Resolved, f64)> {
    if !(translation.converged
        && translation.weights.is_none()
        && translation.corners.iter().all(Corner::is_named))
    {
        return None;
    }
    let found = resolve(difference, &translation.corners, &-translation.outward)?;
    // The normal of the features differs from the face's by rounding; where that is more than nothing, it is measured.
    let turn = (found.normal + translation.outward).norm() * goal.extent;
    let lower = if turn <= 0.5 * goal.width {
        -translation.reach - turn
    } else {
        found.normal.dot(&difference.support(&-found.normal).w)
    };
    (lower >= -translation.reach - goal.width && found.gap <= lower + 2.0 * goal.width)
        .then_some((found, lower))
}

/// How far the foot of the origin lies from the corners of the separating translation [m].
fn beside_foot(translation: &SeparatingTranslation) -> f64 {
    let [p, q, r] = &translation.corners;
    let foot = translation.outward * translation.reach;
    let weights = weights_at(&[p.w, q.w, r.w], &foot);
    let on_face = (p.w * weights[0] + q.w * weights[1] + r.w * weights[2] - foot).norm();
    lesser(on_face, (translation.tip.w - foot).norm())
}

/// The point of A under the foot of the origin in the supporting plane: of the faces found or of the supporting corner, whichever comes
/// nearest to the foot.
fn foot(translation: &SeparatingTranslation) -> Vec3 {
    let foot = translation.outward * translation.reach;
    let beside = |w: &Vec3| (w - foot).norm_squared();
    let (mut point_a, mut smallest) = (translation.tip.a, beside(&translation.tip.w));
    for corners in [&translation.corners, &translation.lowest] {
        let [p, q, r] = corners;
        let weights = translation.weights.unwrap_or_else(|| weights_at(&[p.w, q.w, r.w], &foot));
        let mean = |[u, v, w]: [&Vec3; 3]| u * weights[0] + v * weights[1] + w * weights[2];
        let by = beside(&mean([&p.w, &q.w, &r.w]));
        if by <= smallest {
            (point_a, smallest) = (mean([&p.a, &q.a, &r.a]), by);
        }
    }
    point_a
}
