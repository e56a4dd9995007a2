//! Jacobians of a system by differences of its derivative.
//!
//! In: a system, a point where its derivative is known, and how large each state is. Out: the matrix `df_i/dy_j`, by rows. Systems need not know their own
//! Jacobian, which for multibody systems with contact would be far more code than the systems themselves.

use super::System;
use super::step_size;

/// A point at which the derivative is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    /// Time [s].
    pub(super) t: f64,
    /// State.
    pub(super) y: &'a [f64],
    /// Its derivative.
    pub(super) dy: &'a [f64],
}

/// Writes the Jacobian and returns how many evaluations that took [-].
///
/// Method: forward differences, each by half the digits of `size(i)`; backward where the derivative is not finite forward, zero where it is neither.
/// Tolerance: relative error about 1e-8 for smooth systems whose states are given their true size; Newton's iteration needs no more than one digit.
/// `y` and `dy` are scratch of the size of the state.
pub(super) fn by_differences(
    system: &dyn System,
    at: Point<'_>,
    size: impl Fn(usize) -> f64,
    y: &mut [f64],
    dy: &mut [f64],
    jacobian: &mut [f64],
) -> usize {
    let n = at.y.len();
    let root = f64::EPSILON.sqrt();
    let mut evaluations = 0;
    y.copy_from_slice(at.y);
    for column in 0..n {
        let size = size(column);
        let mut delta = if size > 0.0 && size.is_finite() { root * size } else { root };
        for _ in 0..2 {
            y[column] = at.y[column] + delta;
            system.derivative(at.t, y, dy);
            evaluations += 1;
            if step_size::not_finite(dy).is_none() {
                break;
            }
            // Perhaps it is defined on the other side.
            delta = -delta;
        }
        // The difference that doubles really made.
        let delta = y[column] - at.y[column];
        for row in 0..n {
            let slope = (dy[row] - at.dy[row]) / delta;
            jacobian[row * n + column] = if slope.is_finite() { slope } else { 0.0 };
        }
        y[column] = at.y[column];
    }
    evaluations
}
