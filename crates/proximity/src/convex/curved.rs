//! The gap of two smooth shapes that know how their supports move: Newton's method for the normal.
//!
//! In: two user-defined shapes and their placement. Out: gap and normal in A's frame, to rounding. Called by the pair table. Same bits every time.

use zerogap_core::{Gap, GapStatus, Mat3, NormalKind, Vec3};
use zerogap_geometry::Convex;
use zerogap_geometry::shape::UserShape;

use super::placement::Placement;

/// Steps of Newton's method at most; from the line of centres round bodies need four to eight [-].
const MOST_STEPS: u32 = 60;
/// Longest turn of the normal in one step [rad].
const LONGEST: f64 = 0.5;
/// A normal that turns by less is found [rad]: some roundings.
const FOUND: f64 = 4.0 * f64::EPSILON;
/// How often a step is halved until the shapes are farther apart along the new normal [-].
const MOST_HALVINGS: usize = 30;

/// What a direction tells.
struct Look {
    /// How far apart the shapes are along the direction [m].
    separation: f64,
    /// From the support of A to that of B, across the direction [m].
    across: Vec3,
    /// How fast that changes as the direction turns [m].
    slope: Mat3,
    point_a: Vec3,
}

fn look(a: &UserShape, b: &UserShape, at: &Placement, normal: &Vec3) -> Option<Look> {
    let of_a = a.function().curved_support(normal)?;
    let of_b = b.function().curved_support(&-at.R_AB.tr_mul(normal))?;
    let way = at.to_a(&of_b.point) - of_a.point;
    let separation = normal.dot(&way);
    Some(Look {
        separation,
        across: way - normal * separation,
        slope: of_a.slope + at.R_AB * of_b.slope * at.R_AB.transpose(),
        point_a: of_a.point,
    })
}

/// Signed distance of two smooth shapes; none where they do not know their curvature, or no normal was found.
///
/// Computes: gap [m], n [-], points with `p_b - p_a = gap n`.
/// Frames: works in A, answers in A; `room` is the slack of the pair [m].
/// Method: the separation along a direction `n`, `n·x_B(-n) - n·x_A(n)`, is largest at the normal, where the way between the support points has nothing across `n`. That is solved by Newton's method with
///   the derivatives of the supports, which are the radii of curvature; every step is halved until it gains.
/// Tolerance: `room`; the normal to some roundings over the sum of the radii of curvature, apart and touching alike.
/// Cost: one support of each shape and step, four to eight steps from the line of centres.
/// Fails: with none, deep in overlap or where a radius of curvature vanishes.
pub(super) fn curved(a: &UserShape, b: &UserShape, at: &Placement, room: f64) -> Option<Gap> {
    let mut normal = (at.to_a(&b.interior_point()) - a.interior_point()).try_normalize(0.0)?;
    let mut now = look(a, b, at, &normal)?;
    let mut steps = 1;
    let mut last = f64::INFINITY;
    loop {
        // The turn; the direction itself is taken out by a stiffness of its own.
        let along = normal * normal.transpose();
        let stiffness =
            now.slope + (Mat3::identity() - along) * now.separation.max(0.0) + along * now.slope.trace();
        let turn = stiffness.try_inverse()? * now.across;
        let turn = turn - normal * normal.dot(&turn);
        let length = turn.norm();
        // Found, or no better than rounding.
        if length <= FOUND || (length < 1e-6 && length >= last) {
            break;
        }
        if steps >= MOST_STEPS || !length.is_finite() {
            return None;
        }
        last = length;
        let mut share = (LONGEST / length).min(1.0);
        let gained = (0..MOST_HALVINGS).find_map(|_| {
            let next = (normal + turn * share).normalize();
            let seen = look(a, b, at, &next)?;
            steps += 1;
            share *= 0.5;
            (seen.separation >= now.separation - room).then_some((next, seen))
        });
        (normal, now) = gained?;
    }
    // The way across is what is left between the bounds.
    let left = now.across.norm();
    let gap = now.separation;
    (left <= 1e-6 * (gap.abs() + now.slope.trace())).then(|| Gap {
        gap,
        lower: gap - room,
        upper: gap + room + left * length_of_turn(left, &now),
        normal,
        normal_kind: NormalKind::Unique,
        point_a: now.point_a,
        point_b: now.point_a + normal * gap,
        status: GapStatus::Exact,
        iterations: steps,
    })
}

/// How far the normal may still be off [rad], from what is left across.
fn length_of_turn(left: f64, now: &Look) -> f64 {
    let radius = now.slope.trace() + now.separation.abs();
    if radius > 0.0 { left / radius } else { 0.0 }
}
