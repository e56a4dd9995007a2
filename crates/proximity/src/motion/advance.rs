//! Steps of rigid motions that are proven free, for conservative advancement (`advancement`).
//!
//! In: a [`Chase`] and a span of time. Out: how it ended. Each step takes the normal of the gap where it starts and asks how long the
//! bodies stay separated along it. Heights of points over points bend by no more than a known amount (turning bodies have centripetal
//! acceleration), so between two times at which the separation is known it lies above a parabola. Steps end where the linear model
//! says that little is left, which makes the approach quadratic, as Newton's method from one side.

use std::convert::Infallible;

use zerogap_core::{Gap, Vec3};

use super::advancement::{Advanced, Approach, Verdict, advance_freely};
use super::probe::Chase;

/// Steps aim at this part of what is left [-].
const AIM: f64 = 0.02;

/// Lengths of a step that are tried before the plain bound is taken [-].
const TRIES: u32 = 6;

/// Parameters of an advance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// From here [s].
    pub(super) from: f64,
    /// To here [s].
    pub(super) to: f64,
    /// Separation that counts as touching [m].
    pub(super) level: f64,
    /// How near to the level is near enough [m].
    pub(super) tolerance: f64,
    /// A gap that ends the advance as well [m].
    pub(super) release: f64,
    /// Maximum number of steps.
    pub(super) max_steps: u32,
}

/// Advances until the gap falls to the level, grows beyond the release, or the span ends; counts its steps.
pub(super) fn advance(pair: &mut impl Chase, span: &Span, steps: &mut u32) -> Advanced<Gap> {
    let rounding = pair.rounding();
    let near_enough = span.level + span.tolerance.max(4.0 * rounding);
    let mut rigid = Rigid { pair, span, rounding, near_enough };
    let Ok(found) = advance_freely(&mut rigid, (span.from, span.to), span.max_steps, steps);
    found
}

/// A pair of rigid motions over a span.
struct Rigid<'a, P> {
    pair: &'a mut P,
    span: &'a Span,
    rounding: f64,
    /// A gap that ends the advance [m].
    near_enough: f64,
}

impl<P: Chase> Approach for Rigid<'_, P> {
    type Sample = Gap;
    type Error = Infallible;

    fn sample(&mut self, t: f64) -> Result<Gap, Infallible> {
        Ok(self.pair.gap(t))
    }

    fn verdict(&self, _: f64, gap: &Gap) -> Verdict {
        if gap.gap <= self.near_enough {
            return Verdict::Near;
        }
        if gap.gap > self.span.release { Verdict::Released } else { Verdict::Apart }
    }

    fn free_step(&mut self, t: f64, gap: &Gap) -> f64 {
        let room = gap.lower - self.rounding - self.span.level;
        free_step(self.pair, t, gap, room, self.span, self.rounding)
    }
}

/// A length of time for which the pair stays apart by more than the level: proof [s].
pub(super) fn free_step(
    pair: &mut impl Chase,
    t: f64,
    gap: &Gap,
    room: f64,
    span: &Span,
    rounding: f64,
) -> f64 {
    let (n, left) = (gap.normal, span.to - t);
    // However the bodies turn.
    let mut best = 0.0_f64;
    if let Some((height, rate)) = pair.along_any_turn(t, &n) {
        let height = height - rounding - span.level;
        if height > 0.0 {
            best = if rate >= 0.0 { left } else { (height / -rate).min(left) };
        }
    }
    if best >= left {
        return left;
    }
    // However fast they close in.
    let closing = pair.max_closing(&n);
    best = best.max(if closing * left > room { room / closing } else { left });
    if best >= left {
        return left;
    }
    // As they turn.
    let bend = pair.bend(&n);
    let target = (AIM * room).max((0.5 * span.tolerance).min(0.5 * room));
    let mut slope = (-pair.rate(t, gap)).max(0.0);
    let mut length = proposed(room - target, slope, bend, left);
    for _ in 0..TRIES {
        if length <= best {
            break;
        }
        let then = pair.along(t + length, &n) - rounding - span.level;
        if smallest(room, then, bend, length) > 0.0 {
            return length;
        }
        slope = slope.max((room - then) / length);
        length = proposed(room - target, slope, bend, left).min(0.8 * length);
    }
    best
}

/// The time in which a height falls by `room`, closing at `slope` [m/s] and bending as much as it can.
fn proposed(room: f64, slope: f64, bend: f64, left: f64) -> f64 {
    let root = slope + (slope * slope + 0.5 * bend * room).sqrt();
    if root * left > 2.0 * room { 2.0 * room / root } else { left }
}

/// The least height between two times at which it is known, a `length` apart, bending by no more than `bend` [m].
fn smallest(from: f64, to: f64, bend: f64, length: f64) -> f64 {
    let dip = 0.5 * bend * length * length;
    let ends = from.min(to);
    if dip == 0.0 {
        return ends;
    }
    // Of the parabola through both ends; its lowest point may lie between them.
    let place = (dip + from - to) / (2.0 * dip);
    if place > 0.0 && place < 1.0 { ends.min(from - dip * place * place) } else { ends }
}

/// A lower bound on the gap over a span of time, from the direction that separates best at its middle [m].
pub(super) fn min_over(pair: &mut impl Chase, from: f64, to: f64, n: &Vec3) -> f64 {
    let rounding = pair.rounding();
    let (first, last) = (pair.along(from, n) - rounding, pair.along(to, n) - rounding);
    let bent = smallest(first, last, pair.bend(n), to - from);
    // However the bodies turn: linear in time, least at one of the ends.
    let any = [from, to]
        .map(|t| pair.along_any_turn(t, n).map_or(f64::NEG_INFINITY, |(height, _)| height - rounding));
    bent.max(any[0].min(any[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_bent_height_is_below_every_curve_that_bends_less() {
        for (a, b) in [(1.0, 1.0), (1.0, 0.2), (0.3, 2.0), (0.0, 0.0)] {
            for bend in [0.0, 0.5, 4.0] {
                for length in [0.1, 1.0, 3.0] {
                    let bound = smallest(a, b, bend, length);
                    for k in 0..=100 {
                        let x = f64::from(k) / 100.0;
                        let height = a + (b - a) * x - 0.5 * bend * length * length * x * (1.0 - x);
                        assert!(bound <= height + 1e-12, "{a} {b} {bend} {length} {x}");
                    }
                }
            }
        }
    }
}
