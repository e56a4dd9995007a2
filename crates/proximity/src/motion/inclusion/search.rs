//! Proof or hit: time advances over a bundle, which is cut where one direction does not serve all of it.
//!
//! In: a [`Bundle`] and parameters. Out: a [`Sweep`]. The piece of the bundle that is clear for the shortest time is checked next, so
//! that a hit is the first one. Same bits every time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::Vec3;

use super::bundle::{Bundle, Halved};
use super::direction::{Seen, Spanned};
use super::{Sweep, SweepParams, SweepStatus};

/// Roundings between the given coordinates and a height along a direction, against the extent of the bundle [-]: differences 1, products
/// and sums 4, the length of the direction 3, interpolation in time 4; doubled and more, because proofs must hold.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;

/// Directions that a piece may use up before it is cut [-]: most queries end before.
const PATIENCE: u32 = 4;

/// A step is poor when it is shorter than this part of what the nearest points alone would allow [-].
const POOR: f64 = 0.25;

/// Once within the tolerance, so many directions more may still prove the opposite, or bring the time nearer [-].
const REFINEMENTS: u32 = 24;

/// Cosine of the angle beyond which a predicted direction is of no use [-].
const FACING: f64 = 1e-3;

/// Pieces are not halved more often than this [-].
const DEEPEST: u32 = 48;

/// A part of the bundle, clear before `t`.
#[derive(Debug, Clone, Copy)]
struct Piece<const N: usize> {
    bundle: Bundle<N>,
    t: f64,
    tried: u32,
}

/// The largest is the one that is clear for the shortest time.
impl<const N: usize> Ord for Piece<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.t.total_cmp(&self.t)
    }
}

impl<const N: usize> PartialOrd for Piece<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> PartialEq for Piece<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<const N: usize> Eq for Piece<N> {}

/// The answer for a bundle whose lengths were multiplied by `scale`.
pub(super) fn search<const N: usize>(bundle: Bundle<N>, scale: f64, params: &SweepParams) -> Sweep
where
    Bundle<N>: Halved + Spanned<N>,
{
    let extent = bundle.extent();
    let rounding = ROUNDINGS * extent + f64::MIN_POSITIVE;
    let separation = params.min_separation.max(0.0) * scale;
    let near_enough = separation + (params.tolerance.max(0.0) * scale).max(4.0 * rounding);
    // Most features pass each other by far.
    if bundle.is_beside(separation + 2.0 * rounding) {
        return Sweep::clear(0);
    }
    let mut rest: BinaryHeap<Piece<N>> = BinaryHeap::new();
    let mut piece = Piece { bundle, t: 0.0, tried: 0 };
    let (mut steps, mut refined) = (0, 0);
    loop {
        steps += 1;
        piece.tried += 1;
        let seen = Bundle::<N>::seen(&piece.bundle.at(piece.t));
        let distance = seen.nearest.norm();
        // Heights below this are no proof: rounding, and what halving adds to it.
        let room = separation + 2.0 * rounding + f64::from(piece.bundle.depth) * f64::EPSILON * extent;
        let best = best_step(&piece, &seen, room);
        let hit = |status| {
            let normal = best.map_or_else(|| seen.directions().first().copied(), |step| Some(step.direction));
            finished(&piece, &seen, status, separation, rounding, normal.unwrap_or(Vec3::z()), scale, steps)
        };
        if steps >= params.budget {
            let status = if distance <= near_enough { SweepStatus::Hit } else { SweepStatus::Limited };
            return hit(status);
        }
        let is_near = distance <= near_enough;
        if is_near {
            refined += 1;
            if refined > REFINEMENTS || distance <= room + 2.0 * rounding {
                return hit(SweepStatus::Hit);
            }
        }
        let moved = best.filter(|step| step.until > piece.t);
        if moved.is_none() && is_near {
            return hit(SweepStatus::Hit);
        }
        let can_halve = piece.bundle.depth < DEEPEST;
        let must_halve = moved.is_none_or(|step| piece.tried >= PATIENCE && step.is_poor);
        if must_halve && can_halve {
            let t = moved.map_or(piece.t, |step| step.until);
            let [first, second] = piece.bundle.halves();
            rest.push(Piece { bundle: second, t, tried: PATIENCE });
            piece = Piece { bundle: first, t, tried: PATIENCE };
        } else if let Some(step) = moved {
            piece.t = step.until;
        } else {
            return hit(SweepStatus::Limited);
        }
        // On with the piece that is clear for the shortest time.
        if piece.t >= 1.0 {
            match rest.pop() {
                Some(next) => piece = next,
                None => return Sweep::clear(steps),
            }
            if piece.t >= 1.0 {
                return Sweep::clear(steps);
            }
        } else if rest.peek().is_some_and(|next| next.t < piece.t) {
            rest.push(piece);
            piece = rest.pop().unwrap_or(piece);
        }
    }
}

/// A direction and how long it keeps a piece clear.
#[derive(Debug, Clone, Copy)]
struct Step {
    direction: Vec3,
    /// Clear from the piece's time to this one; 1 to the end.
    until: f64,
    /// Whether corners far from the nearest point made it short.
    is_poor: bool,
}

/// The direction that keeps a piece clear for the longest time; none where no direction separates it now.
fn best_step<const N: usize>(piece: &Piece<N>, seen: &Seen<N>, room: f64) -> Option<Step>
where
    Bundle<N>: Spanned<N>,
{
    let Piece { bundle, t, .. } = piece;
    let mut best: Option<Step> = None;
    let offer = |direction: &Vec3, best: &mut Option<Step>| {
        if let Some(until) = clear_until(bundle, direction, *t, room)
            && best.is_none_or(|step| until > step.until)
        {
            *best = Some(Step { direction: *direction, until, is_poor: false });
        }
        best.is_some_and(|step| step.until >= 1.0)
    };
    if seen.directions().iter().any(|direction| offer(direction, &mut best)) {
        return best;
    }
    let first = best?;
    // What the nearest points alone would allow.
    let closing = -seen.blend(|k| first.direction.dot(&(bundle.end[k] - bundle.start[k])));
    let height = first.direction.dot(&seen.nearest) - room;
    let allowed = if closing * (1.0 - t) > height { height / closing } else { 1.0 - t };
    // The direction across the features at the collision is valid up to there, where all corners come nearer.
    let then = Bundle::<N>::sides(&bundle.at(t + allowed));
    if let Some(across) = across(&then, &first.direction)
        && !offer(&across, &mut best)
        && first.until - t < 0.5 * allowed
    {
        offer(&(across + first.direction).normalize(), &mut best);
    }
    let mut step = best?;
    step.is_poor = step.until < 1.0 && step.until - t < POOR * allowed;
    Some(step)
}

/// The unit direction across two sides, on the side of another direction.
fn across([e, f]: &[Vec3; 2], ahead: &Vec3) -> Option<Vec3> {
    let across = e.cross(f);
    let length = across.norm();
    let facing = across.dot(ahead) / length;
    // Comparisons that fail for what has no direction.
    (facing.abs() > FACING).then(|| across * (facing.signum() / length))
}

/// Until when all corners stay higher than `room` along a unit direction: proof, from `t` on. None where they are not so at `t`.
#[inline]
fn clear_until<const N: usize>(bundle: &Bundle<N>, direction: &Vec3, t: f64, room: f64) -> Option<f64> {
    let mut until = 1.0_f64;
    for k in 0..N {
        let (from, to) = (direction.dot(&bundle.start[k]), direction.dot(&bundle.end[k]));
        // A comparison that NaN fails as well.
        let is_clear = from + (to - from) * t > room;
        if !is_clear {
            return None;
        }
        if to <= room {
            until = until.min((from - room) / (from - to));
        }
    }
    Some(until)
}

/// The report of a hit in the lengths of the caller.
#[expect(clippy::too_many_arguments, reason = "the last line of one search, separate for readability")]
fn finished<const N: usize>(
    piece: &Piece<N>,
    seen: &Seen<N>,
    status: SweepStatus,
    separation: f64,
    rounding: f64,
    normal: Vec3,
    scale: f64,
    steps: u32,
) -> Sweep {
    let distance = seen.nearest.norm();
    // Motion of the nearest points from here: the remaining distance at this speed. Four times, because they slow down at grazing contact.
    let left = (distance - separation).max(0.0) + 8.0 * rounding;
    let closing = -seen.blend(|k| normal.dot(&(piece.bundle.end[k] - piece.bundle.start[k])));
    let t_upper = match status {
        SweepStatus::Hit if closing > 0.0 => (piece.t + 4.0 * left / closing).min(1.0),
        SweepStatus::Hit | SweepStatus::Clear => piece.t,
        SweepStatus::Limited => 1.0,
    };
    Sweep { status, t_lower: piece.t, t_upper, distance: distance / scale, normal, steps }
}
