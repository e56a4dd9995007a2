//! Step size: how errors are weighed, how steps begin, grow, shrink and land.
//!
//! In: tolerances, states, proposed steps. Out: norms and steps. Pure functions of their inputs: a step repeated from the same numbers has the same bits.

use super::{StepError, System, Tolerance};

/// No step is longer [s]: keeps times finite where nothing ever changes.
pub(super) const LONGEST_STEP: f64 = 1e100;

/// No step is shorter near t = 0 [s]: far below any process, far above the smallest double.
const SHORTEST_STEP: f64 = 1e-30;

/// Steps below so many spacings of doubles at t have stages that cannot be distinguished [-].
const SHORTEST_SPACINGS: f64 = 8.0;

/// A step that would leave less than this part of itself before the limit is lengthened to it [-].
const STRETCH: f64 = 1.01;

/// The part by which a step shrinks when a stage was not finite and so says nothing about the error [-].
pub(super) const SHRINK_NOT_FINITE: f64 = 0.125;

/// The shortest step that makes sense at `t` [s].
pub(super) fn shortest_step(t: f64) -> f64 {
    (SHORTEST_SPACINGS * f64::EPSILON * t.abs()).max(SHORTEST_STEP)
}

/// A step fitted to where it may end at the latest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fitted {
    /// Length, such that `t + step` is the end without rounding where doubles allow [s].
    pub(super) step: f64,
    /// Where it ends [s].
    pub(super) end: f64,
}

/// Fits a step to `limit` so that the last one before it is never a sliver: nearly there is lengthened, between one and two steps away is halved.
pub(super) fn fit(t: f64, step: f64, limit: f64) -> Fitted {
    let remaining = limit - t;
    let step = step.max(shortest_step(t));
    if STRETCH * step >= remaining {
        return Fitted { step: remaining, end: limit };
    }
    let step = if 2.0 * step > remaining { 0.5 * remaining } else { step };
    // The rounded end is what counts: the step is its distance, so that time and state advance by the same.
    let end = t + step;
    if end >= limit {
        return Fitted { step: remaining, end: limit };
    }
    Fitted { step: end - t, end }
}

/// Whether there is anything to do before `limit`; a limit that is not a number is an error.
pub(super) fn has_room(t: f64, limit: f64) -> Result<bool, StepError> {
    if limit.is_nan() {
        return Err(StepError::TooSmall { t, step: limit });
    }
    Ok(limit > t)
}

/// The step to try after one of length `used`, accepted with `growth`, that was fitted from `wanted`.
/// A step cut short by the limit says nothing against the one that was wanted.
pub(super) fn next_step(used: f64, growth: f64, wanted: f64, rejected: bool) -> f64 {
    let grown = if rejected { used * growth.min(1.0) } else { used * growth };
    let next = if rejected || used >= wanted { grown } else { grown.max(wanted) };
    next.min(LONGEST_STEP)
}

/// What each state may be off by where it is near zero: the absolute tolerance in the units of the state.
pub(super) fn fill_floors(floors: &mut Vec<f64>, system: &dyn System, tolerance: &Tolerance) {
    floors.clear();
    floors.extend((0..system.len()).map(|i| tolerance.absolute * system.scale(i)));
}

/// What state `i` may be off by, for a state of that size.
pub(super) fn allowed(floor: f64, relative: f64, size: f64) -> f64 {
    // Never zero: without an absolute tolerance a state at zero would divide zero by zero.
    (floor + relative * size).max(f64::MIN_POSITIVE)
}

/// Root mean square of a vector, each entry in units of what its state may be off by [-].
pub(super) fn norm(v: &[f64], y: &[f64], floors: &[f64], relative: f64) -> f64 {
    if v.is_empty() {
        return 0.0;
    }
    let sum: f64 = (0..v.len()).map(|i| v[i] / allowed(floors[i], relative, y[i].abs())).map(|r| r * r).sum();
    (sum / v.len() as f64).sqrt()
}

/// The first entry that is not finite.
pub(super) fn not_finite(v: &[f64]) -> Option<usize> {
    v.iter().position(|x| !x.is_finite())
}

/// A first step for a method whose error is proportional to `step^order`, from the size of the first two derivatives [s].
///
/// Method: Hairer, Norsett and Wanner 1993, section II.4, "starting step size". The order is 2, 4 or 8, whose roots are square roots.
/// `dy` is the derivative at `t`; `y_trial` and `dy_trial` are overwritten. Costs one evaluation.
#[expect(clippy::too_many_arguments, reason = "two pieces of scratch, and what every norm needs")]
pub(super) fn first_step(
    system: &dyn System,
    t: f64,
    y: &[f64],
    dy: &[f64],
    floors: &[f64],
    relative: f64,
    order: u32,
    y_trial: &mut [f64],
    dy_trial: &mut [f64],
) -> f64 {
    if y.is_empty() {
        return LONGEST_STEP;
    }
    let size = norm(y, y, floors, relative);
    let rate = norm(dy, y, floors, relative);

    // The explicit Euler step that changes the state by a hundredth of itself; a small number where that says nothing.
    let guess = if size < 1e-5 || rate < 1e-5 { 1e-6 } else { 0.01 * (size / rate) };
    let guess = if guess.is_finite() { guess.min(LONGEST_STEP) } else { 1e-6 };
    for i in 0..y.len() {
        y_trial[i] = y[i] + guess * dy[i];
    }
    system.derivative(t + guess, y_trial, dy_trial);

    // How fast the derivative itself changes.
    for i in 0..y.len() {
        dy_trial[i] -= dy[i];
    }
    let bend = norm(dy_trial, y, floors, relative) / guess;
    let largest = rate.max(bend);
    let step = if !largest.is_finite() {
        guess * SHRINK_NOT_FINITE
    } else if largest <= 1e-15 {
        (guess * 1e-3).max(1e-6)
    } else {
        (100.0 * guess).min(root(0.01 / largest, order))
    };
    step.max(shortest_step(t)).min(LONGEST_STEP)
}

/// The root of order 2, 4 or 8, by square roots: exact to the last bits on every machine, unlike powers.
pub(super) fn root(x: f64, order: u32) -> f64 {
    match order {
        8 => x.sqrt().sqrt().sqrt(),
        4 => x.sqrt().sqrt(),
        _ => x.sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_never_leaves_a_sliver() {
        // Nearly there is there; a bit more than one step is two equal ones.
        assert_eq!(fit(0.0, 1.0, 1.005), Fitted { step: 1.005, end: 1.005 });
        assert_eq!(fit(0.0, 1.0, 1.5), Fitted { step: 0.75, end: 0.75 });
        assert_eq!(fit(0.0, 1.0, 4.0), Fitted { step: 1.0, end: 1.0 });
        // One spacing away is one step.
        let limit = 3.0_f64.next_up();
        assert_eq!(fit(3.0, 1e-3, limit), Fitted { step: limit - 3.0, end: limit });
    }

    #[test]
    fn a_step_too_short_to_be_seen_is_raised() {
        let fitted = fit(1e9, 1e-12, 2e9);
        assert!(fitted.end > 1e9 && fitted.end < 1e9 + 1e-5, "{fitted:?}");
    }

    #[test]
    fn a_step_cut_short_keeps_the_wanted_one() {
        assert!((next_step(1e-6, 6.0, 1e-2, false) - 1e-2).abs() < 1e-18);
        assert!((next_step(1e-6, 6.0, 1e-2, true) - 1e-6).abs() < 1e-18);
        assert!((next_step(1e-2, 0.5, 1e-2, false) - 5e-3).abs() < 1e-18);
    }
}
