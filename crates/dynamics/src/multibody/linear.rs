//! A curve through samples that is straight between them: constant velocity, and constant angular velocity about one axis.

use nalgebra::{Quaternion, UnitQuaternion};
use zerogap_core::math::{atan2, sin_cos};
use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_core::{Pose, Vec3};

use super::motion::Moving;
use super::spline::{Parts, interval, quaternion};

/// Samples at increasing times, two at least.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinearCurve {
    rows: Vec<(f64, Parts)>,
    /// The times of the samples: velocities jump there.
    times: Vec<f64>,
}

impl Store for LinearCurve {
    fn put(&self, out: &mut Writer) {
        self.rows.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Ok(Self::new(&Vec::take(from)?))
    }
}

impl LinearCurve {
    pub(super) fn new(rows: &[(f64, Parts)]) -> Self {
        Self { rows: rows.to_vec(), times: rows.iter().map(|row| row.0).collect() }
    }

    /// The samples.
    pub(super) fn rows(&self) -> &[(f64, Parts)] {
        &self.rows
    }

    /// Times of the samples [s].
    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Straight lines between samples, with their derivatives, at a time between the first and the last.
    pub(super) fn parts(&self, t: f64) -> [Parts; 3] {
        let ((from, a), (to, b)) = interval(&self.rows, |row| row.0, t);
        let fraction = (t - from) / (to - from);
        // Both ends are met exactly, and what stays does so: rounding would leave the range of the two samples.
        let between = (a * (1.0 - fraction) + b * fraction).sup(&a.inf(b)).inf(&a.sup(b));
        [between, (b - a) / (to - from), Parts::zeros()]
    }

    /// The motion at a time: held outside the samples, and where velocities jump with those after it.
    pub(super) fn at(&self, t: f64) -> Moving {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let inside = t.clamp(first, last);
        let [value, slope, _] = self.parts(inside);
        let place = Vec3::new(value[0], value[1], value[2]);
        let ((from, start), (to, end)) = interval(&self.rows, |row| row.0, inside);

        // About one axis, by an angle in proportion to the time.
        let step = quaternion(start).conjugate() * quaternion(end);
        let half = step.imag().norm();
        let (angle, axis) =
            if half == 0.0 { (0.0, Vec3::zeros()) } else { (2.0 * atan2(half, step.w), step.imag() / half) };
        let (s, c) = sin_cos(0.5 * angle * ((inside - from) / (to - from)));
        let q = quaternion(start) * Quaternion::new(c, axis.x * s, axis.y * s, axis.z * s);
        let still = Moving::still(Pose::new(place, [q.i, q.j, q.k, q.w]).unwrap_or_default());
        if t < first || t >= last {
            return still;
        }
        let from_rotation = UnitQuaternion::from_quaternion(quaternion(start));
        Moving {
            velocity: Vec3::new(slope[0], slope[1], slope[2]),
            angular_velocity: from_rotation * axis * (angle / (to - from)),
            ..still
        }
    }
}
