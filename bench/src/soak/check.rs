//! What every answer promises, checked without another library.

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use zerogap_core::{Gap, GapStatus};
use zerogap_proximity::convex::{distance, intersects, separation};

use super::case::Case;

/// Tolerance where all faces are plane, relative to the extent [-].
const POLYTOPE: f64 = 1e-12;

/// Tolerance where a surface is curved, relative to the extent [-].
const CURVED: f64 = 1e-9;

/// Tolerance of identities that rounding alone can break [-].
const IDENTITY: f64 = 1e-12;

/// No query may take longer.
const SLOW: Duration = Duration::from_millis(100);

/// How often a slow query is tried again: another program may have had the processor.
const SECOND_TRIES: usize = 3;

/// A broken promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// A query panicked.
    Panicked,
    /// A number is infinite or not a number.
    NotFinite,
    /// Not `lower <= gap <= upper`.
    BoundsOutOfOrder,
    /// The normal's length is not 1.
    NormalLength,
    /// Not `point_b - point_a = gap * normal`.
    Points,
    /// The normal separates by less than the gap.
    Normal,
    /// The gap lies outside what is known from the construction of the case.
    KnownGap,
    /// The bounds exclude what is known from the construction of the case.
    KnownBounds,
    /// The swapped query has another gap.
    Swap,
    /// The intersection test contradicts the sign.
    Intersects,
    /// The step limit was reached.
    Limited,
    /// The query took too long.
    Slow,
}

/// What one case gave.
pub struct Outcome {
    /// The answer; `None` after a panic.
    pub gap: Option<Gap>,
    /// Broken promises.
    pub failures: Vec<Failure>,
    /// Width of the certificate relative to the extent [-].
    pub width: f64,
    /// Difference of the swapped gap relative to the extent [-]; 0 where it was not asked for.
    pub swap_difference: f64,
    /// Time of the query.
    pub time: Duration,
}

/// Asks for the gap of a case and checks all that is promised.
pub fn check(case: &Case) -> Outcome {
    panic::catch_unwind(AssertUnwindSafe(|| check_answer(case))).unwrap_or(Outcome {
        gap: None,
        failures: vec![Failure::Panicked],
        width: 0.0,
        swap_difference: 0.0,
        time: Duration::ZERO,
    })
}

fn check_answer(case: &Case) -> Outcome {
    let Case { a, b, placed, .. } = case;
    let [pose_a, pose_b] = [&placed.pose_a, &placed.pose_b];
    let extent = case.extent();
    let tolerance = if case.is_polytope() { POLYTOPE } else { CURVED } * extent;
    let (gap, time) = timed(case);

    let mut failures = Vec::new();
    let mut promise = |holds: bool, failure: Failure| {
        if !holds {
            failures.push(failure);
        }
    };
    promise(is_finite(&gap), Failure::NotFinite);
    promise(gap.lower <= gap.gap && gap.gap <= gap.upper, Failure::BoundsOutOfOrder);
    promise((gap.normal.norm() - 1.0).abs() <= IDENTITY, Failure::NormalLength);

    // Points are given in the world, where their last digit may be worth more than the tolerance.
    let world = gap.point_a.amax().max(gap.point_b.amax());
    let mismatch = (gap.point_b - gap.point_a - gap.gap * gap.normal).norm();
    promise(mismatch <= IDENTITY * extent + 4.0 * f64::EPSILON * world, Failure::Points);

    // All further promises are kept by every number that is one: comparisons are written so that NaN breaks them.
    promise(separation(a, pose_a, b, pose_b, &gap.normal) >= gap.gap - tolerance, Failure::Normal);
    promise(
        placed.at_least - tolerance <= gap.gap && gap.gap <= placed.at_most + tolerance,
        Failure::KnownGap,
    );
    promise(
        placed.at_least - POLYTOPE * extent <= gap.upper && gap.lower <= placed.at_most + POLYTOPE * extent,
        Failure::KnownBounds,
    );
    let touching = intersects(a, pose_a, b, pose_b);
    promise(gap.gap.abs() <= tolerance || touching == (gap.gap < 0.0), Failure::Intersects);
    let swap_difference = if case.swap { (distance(b, pose_b, a, pose_a).gap - gap.gap).abs() } else { 0.0 };
    promise(swap_difference <= tolerance, Failure::Swap);
    promise(gap.status != GapStatus::Limited, Failure::Limited);
    promise(time <= SLOW, Failure::Slow);

    Outcome {
        gap: Some(gap),
        failures,
        width: (gap.upper - gap.lower) / extent,
        swap_difference: swap_difference / extent,
        time,
    }
}

fn timed(case: &Case) -> (Gap, Duration) {
    let ask = || {
        let start = Instant::now();
        let gap = distance(&case.a, &case.placed.pose_a, &case.b, &case.placed.pose_b);
        (gap, start.elapsed())
    };
    let (gap, mut time) = ask();
    for _ in 0..SECOND_TRIES {
        if time <= SLOW {
            break;
        }
        time = time.min(ask().1);
    }
    (gap, time)
}

fn is_finite(gap: &Gap) -> bool {
    let numbers = [gap.gap, gap.lower, gap.upper];
    let vectors = [&gap.normal, &gap.point_a, &gap.point_b];
    numbers.iter().chain(vectors.into_iter().flatten()).all(|number| number.is_finite())
}
