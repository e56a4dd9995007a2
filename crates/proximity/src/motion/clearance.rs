//! How near two moving bodies come, and how long they surely do not touch.
//!
//! In: shapes and motions. Out: the least gap over the motion between two bounds ([`clearance`]); a time that is safe whatever happens
//! ([`safe_time`]).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::{Gap, Vec3};
use zerogap_geometry::Shape;

use super::advance::min_over;
use super::probe::{Chase, ConvexChase, PlaneChase, Supported};
use super::{Motion, MotionError, checked};
use crate::ProximityError;
use crate::convex::PairCache;

/// Parameters of [`clearance`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClearanceParams {
    /// The bounds may be this far apart [m].
    pub tolerance: f64,
    /// A clearance known to be more than this, or known to be less, ends the search [m]: enough for a planner that asks for a yes or no.
    pub threshold: Option<f64>,
    /// Maximum number of gaps to ask for [-]; the bounds are true all the same.
    pub max_steps: u32,
}

impl Default for ClearanceParams {
    fn default() -> Self {
        Self { tolerance: 1e-6, threshold: None, max_steps: 10_000 }
    }
}

/// The least gap of two bodies over a motion: always `lower <= exact <= upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance {
    /// Lower bound of the minimum gap [m].
    pub lower: f64,
    /// Upper bound of the minimum gap [m]: the gap at `t`.
    pub upper: f64,
    /// Time of the minimum [s].
    pub t: f64,
    /// Unit vector from A to B at `t` [-].
    pub normal: Vec3,
    /// The nearest point of A at `t` [m].
    pub point_a: Vec3,
    /// The nearest point of B at `t` [m].
    pub point_b: Vec3,
    /// Whether the bounds agreed or the threshold was decided before the steps ran out.
    pub is_decided: bool,
    /// Gaps that were requested [-].
    pub steps: u32,
}

impl Clearance {
    /// The same clearance seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }

    /// Returns the clearance over both of two motions, or of both of two pairs of pieces.
    #[must_use]
    pub(crate) fn and(&self, other: &Self) -> Self {
        let nearer = if other.upper < self.upper { other } else { self };
        Self {
            lower: self.lower.min(other.lower),
            is_decided: self.is_decided && other.is_decided,
            steps: self.steps + other.steps,
            ..*nearer
        }
    }
}

/// Returns the minimum clearance of two moving bodies within `duration` [s].
///
/// Computes: the minimum gap over the motion between two bounds, negative where the bodies overlap.
/// Frames: the world.
/// Method: spans of time are halved, the least promising last. Over a span the gap is bounded from below by the separation along the
///   normal at its middle: known at both ends, bent by no more than the turning allows between them.
/// Tolerance: `upper - lower <= tolerance`, unless `threshold` or `max_steps` ends the search.
/// Cost: about `sqrt(bend / tolerance)` gaps around the least one; some dozens in all.
/// Fails: shapes without a gap of their own.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::motion::{ClearanceParams, Motion, clearance};
///
/// // A ball passes a post at 0.3 m from its axis.
/// let (post, ball) = (Shape::cylinder(0.1, 2.0)?, Shape::sphere(0.05)?);
/// let passing = Motion::new(Pose::from_translation(Vec3::new(-1.0, 0.3, 0.0))?, Vec3::x(), Vec3::zeros())?;
/// let found = clearance(&post, &Motion::fixed(Pose::identity()), &ball, &passing, 2.0, &ClearanceParams::default())?;
/// assert!(found.lower <= 0.15 && 0.15 <= found.upper + 1e-12 && found.upper - found.lower <= 1e-6);
/// assert!((found.t - 1.0).abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clearance(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    duration: f64,
    params: &ClearanceParams,
) -> Result<Clearance, MotionError> {
    checked(duration)?;
    let mut cache = PairCache::default();
    Ok(match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => {
            let pair = ConvexChase::new(a, motion_a, b, motion_b, duration, &mut cache);
            min_gap(&mut Chased(pair), duration, params)
        }
        (Shape::HalfSpace(a), Shape::Convex(b)) => {
            let pair = PlaneChase::new(a, motion_a, b, motion_b, duration);
            min_gap(&mut Chased(pair), duration, params)
        }
        (Shape::Convex(a), Shape::HalfSpace(b)) => {
            let pair = PlaneChase::new(b, motion_b, a, motion_a, duration);
            min_gap(&mut Chased(pair), duration, params).swapped()
        }
        _ => return Err(ProximityError::of_shapes(a, b).into()),
    })
}

/// Returns a lower bound of the time to contact of two moving bodies [s]; infinite where they never come nearer.
///
/// Computes: the better of two bounds: the gap over the most that any two points can come nearer per time, `|v| + |w1| r1 + |w2| r2`
/// with r the reach of each body from its centre; and the same along the normal of the gap alone. 0 for bodies in contact.
/// One gap is all that it costs: [`super::time_of_impact`] continues from there.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::motion::{Motion, safe_time};
///
/// let ball = Shape::sphere(0.5)?;
/// let coming = Motion::new(Pose::from_translation(Vec3::new(3.0, 0.0, 0.0))?, Vec3::new(-1.0, 0.0, 0.0), Vec3::z())?;
/// let safe = safe_time(&ball, &Motion::fixed(Pose::identity()), &ball, &coming)?;
/// assert!(safe > 1.3 && safe <= 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn safe_time(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Result<f64, MotionError> {
    let mut cache = PairCache::default();
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => {
            let mut pair = ConvexChase::new(a, motion_a, b, motion_b, 0.0, &mut cache);
            let speed = safe_speed(motion_a, pair.reach_a.whole, motion_b, pair.reach_b.whole);
            let gap = pair.gap(0.0);
            let lower = gap.lower - pair.rounding();
            Ok(safe(lower, speed).max(safe(lower, pair.max_closing(&gap.normal))))
        }
        (Shape::HalfSpace(plane), Shape::Convex(b)) => {
            let mut pair = PlaneChase::new(plane, motion_a, b, motion_b, 0.0);
            let gap = pair.gap(0.0);
            Ok(safe_over_plane(&pair, motion_a, gap.lower - pair.rounding(), &gap.normal))
        }
        (Shape::Convex(_), Shape::HalfSpace(_)) => safe_time(b, motion_b, a, motion_a),
        _ => Err(ProximityError::of_shapes(a, b).into()),
    }
}

/// Largest speed at which two points of two bodies can come nearer, whatever the direction [m/s]; reaches are distances from the centres [m].
pub fn safe_speed(motion_a: &Motion, reach_a: f64, motion_b: &Motion, reach_b: f64) -> f64 {
    let straight = (motion_b.velocity() - motion_a.velocity()).norm();
    straight + motion_a.spin().norm() * reach_a + motion_b.spin().norm() * reach_b
}

/// The safe time of a body over a plane: where the plane turns, its speed at the body grows with the distance of the body.
pub(super) fn safe_over_plane<S: Supported>(
    pair: &PlaneChase<'_, S>,
    motion_a: &Motion,
    lower: f64,
    normal: &Vec3,
) -> f64 {
    let spin = motion_a.spin().norm();
    if spin == 0.0 || lower <= 0.0 {
        return safe(lower, pair.max_closing(normal));
    }
    // Until t: a displacement of speed t, and that of the rotation over an arm that grows with it.
    let (speed, both) = (pair.any_speed(), pair.max_closing(normal));
    2.0 * lower / (both + (both * both + 2.0 * spin * speed * lower).sqrt())
}

/// A distance over a speed; infinite where nothing comes nearer [s].
pub(super) fn safe(distance: f64, speed: f64) -> f64 {
    if distance <= 0.0 {
        0.0
    } else if speed <= 0.0 {
        f64::INFINITY
    } else {
        distance / speed
    }
}

/// What [`min_gap`] asks of a pair in motion.
pub(super) trait Watched {
    /// The gap at a time [m].
    fn gap(&mut self, t: f64) -> Gap;

    /// A lower bound of the gap over a span of time, given the gap at its middle [m]; what is beyond `enough` need not be distinguished.
    fn min_over(&mut self, from: f64, to: f64, middle: &Gap, enough: f64) -> f64;

    /// What rounding can hide in a gap [m].
    fn rounding(&self) -> f64;
}

/// A pair with directions.
pub(super) struct Chased<C>(pub(super) C);

impl<C: Chase> Watched for Chased<C> {
    fn gap(&mut self, t: f64) -> Gap {
        self.0.gap(t)
    }

    fn min_over(&mut self, from: f64, to: f64, middle: &Gap, _: f64) -> f64 {
        min_over(&mut self.0, from, to, &middle.normal)
    }

    fn rounding(&self) -> f64 {
        self.0.rounding()
    }
}

/// A span of time with a lower bound on the gap in it; the largest is the one with the least bound, then the earliest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    lower: f64,
    from: f64,
    to: f64,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.from.total_cmp(&self.from))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The least gap of a pair over a motion.
pub(super) fn min_gap(pair: &mut impl Watched, duration: f64, params: &ClearanceParams) -> Clearance {
    let rounding = pair.rounding();
    let (mut at, mut best) = (0.0, pair.gap(0.0));
    let mut steps = 1;
    let mut open = BinaryHeap::new();
    // A motion of no duration is a single pose.
    let mut settled = best.lower - rounding;
    if duration > 0.0 {
        settled = f64::INFINITY;
        open.push(Open { lower: f64::NEG_INFINITY, from: 0.0, to: duration });
        let end = pair.gap(duration);
        steps += 1;
        if end.gap < best.gap {
            (at, best) = (duration, end);
        }
    }
    let tolerance = params.tolerance.max(4.0 * rounding);
    let (lower, is_decided) = loop {
        let lowest = open.peek().map_or(f64::INFINITY, |span: &Open| span.lower).min(settled);
        let lower = lowest.min(best.lower - rounding);
        let is_known = params.threshold.is_some_and(|level| lower > level || best.upper < level);
        if best.gap - lower <= tolerance || is_known {
            break (lower, true);
        }
        if steps >= params.max_steps {
            break (lower, false);
        }
        let Some(span) = open.pop() else { break (lower, true) };
        let middle = 0.5 * (span.from + span.to);
        if middle <= span.from || middle >= span.to {
            // No time between: what is known of it is all that can be.
            settled = settled.min(span.lower);
            continue;
        }
        for (from, to) in [(span.from, middle), (middle, span.to)] {
            let t = 0.5 * (from + to);
            let gap = pair.gap(t);
            steps += 1;
            if gap.gap < best.gap {
                (at, best) = (t, gap);
            }
            let lower = pair.min_over(from, to, &gap, best.gap).max(span.lower);
            if lower < best.gap - tolerance {
                open.push(Open { lower, from, to });
            } else {
                settled = settled.min(lower);
            }
        }
    };
    let Gap { normal, point_a, point_b, .. } = best;
    Clearance { lower, upper: best.upper + rounding, t: at, normal, point_a, point_b, is_decided, steps }
}
