//! A curve through samples that never leaves the range of two neighbouring ones: cubic Hermite pieces with limited slopes.
//!
//! Method: slopes by the weighted harmonic mean of the neighbouring secants, zero where these differ in sign (Fritsch and Butland 1984, eq. 5, with the weights of Brodlie). Differs from it: the slopes at both ends are zero, since
//! the first and last sample are held outside.

use nalgebra::Quaternion;
use zerogap_core::Vec3;
use zerogap_core::pose::rotation_vector;

use super::spline::{Parts, interval, quaternion};

/// One knot: value and slope of all parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HermiteKnot {
    pub(super) t: f64,
    value: Parts,
    slope: Parts,
}

zerogap_core::store_struct!(HermiteKnot { t, value, slope });

impl HermiteKnot {
    /// Time and value.
    pub(super) fn row(&self) -> (f64, Parts) {
        (self.t, self.value)
    }
}

/// The knots of the curve through rows at increasing times.
///
/// Angular velocities are limited as the other slopes are, about each axis of the frame moved against: a rotation through equal angles in equal times keeps its speed, and one that turns back stops there.
pub(super) fn monotone(rows: &[(f64, Parts)]) -> Vec<HermiteKnot> {
    let mut knots: Vec<HermiteKnot> =
        rows.iter().map(|(t, value)| HermiteKnot { t: *t, value: *value, slope: Parts::zeros() }).collect();
    for (k, three) in rows.windows(3).enumerate() {
        let [(t0, y0), (t1, y1), (t2, y2)] = [three[0], three[1], three[2]];
        let (before, after) = (t1 - t0, t2 - t1);
        // The longer neighbour counts less.
        let (w0, w1) = (before + 2.0 * after, 2.0 * before + after);
        let limited = |a: f64, b: f64| if a * b > 0.0 { (w0 + w1) / (w0 / a + w1 / b) } else { 0.0 };
        let mut slope = ((y1 - y0) / before).zip_map(&((y2 - y1) / after), limited);
        let spin = (turn(&y0, &y1) / before).zip_map(&(turn(&y1, &y2) / after), limited);
        let rate = Quaternion::from_imag(spin * 0.5) * quaternion(&y1);
        slope.fixed_rows_mut::<4>(3).copy_from(&rate.coords);
        knots[k + 1].slope = slope;
    }
    knots
}

/// The rotation from one sample to the next, in axes of the frame moved against [rad].
fn turn(from: &Parts, to: &Parts) -> Vec3 {
    rotation_vector(&(quaternion(to) * quaternion(from).conjugate()))
}

/// Values and their first two derivatives between the first and the last knot.
pub(super) fn hermite(knots: &[HermiteKnot], t: f64) -> [Parts; 3] {
    let (a, b) = interval(knots, |knot| knot.t, t);
    let h = b.t - a.t;
    let u = (t - a.t) / h;
    // a + s0 x + c2 x² + c3 x³ with x = t - t0.
    let rise = (b.value - a.value) / h;
    let c2 = (rise * 3.0 - a.slope * 2.0 - b.slope) / h;
    let c3 = (a.slope + b.slope - rise * 2.0) / (h * h);
    let x = u * h;
    let mut value = a.value + (a.slope + (c2 + c3 * x) * x) * x;
    // Rounding must not leave the range either.
    for k in 0..3 {
        value[k] = value[k].clamp(a.value[k].min(b.value[k]), a.value[k].max(b.value[k]));
    }
    [value, a.slope + (c2 * 2.0 + c3 * (3.0 * x)) * x, c2 * 2.0 + c3 * (6.0 * x)]
}
