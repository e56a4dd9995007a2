//! Prescribed motions: where a frame is at each time, with velocities and accelerations that belong to it.
//!
//! In: a time. Out: pose, velocity and acceleration, in axes of the frame moved against. Motions are functions of time alone: the same time
//! gives the same bits.

use std::f64::consts::TAU;
use std::fmt::Debug;
use std::sync::Arc;

use zerogap_core::math::sin_cos;
use zerogap_core::pose::quaternion_of_roll_pitch_yaw;
use zerogap_core::store::{Reader, Store, StoreError, StoreShared, Writer};
use zerogap_core::{MAX_LENGTH, Pose, Vec3};

use super::error::MotionError;
use super::spline::SplineMotion;

/// Largest amplitude of an angle [rad]: a hundred turns, far beyond all that swings.
const MAX_ANGLE: f64 = 100.0 * TAU;

/// Largest frequency of an oscillation [Hz]: its period is the shortest step there is.
const MAX_FREQUENCY: f64 = 1e12;

/// Where a frame is and how it moves, all in axes of the frame it moves against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moving {
    /// Where it is.
    pub pose: Pose,
    /// Velocity of its origin [m/s].
    pub velocity: Vec3,
    /// Acceleration of its origin [m/s²].
    pub acceleration: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Angular acceleration [rad/s²].
    pub angular_acceleration: Vec3,
}

impl Moving {
    /// At rest.
    pub fn still(pose: Pose) -> Self {
        let zero = Vec3::zeros();
        Self { pose, velocity: zero, acceleration: zero, angular_velocity: zero, angular_acceleration: zero }
    }

    /// Whether all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        [self.velocity, self.acceleration, self.angular_velocity, self.angular_acceleration]
            .iter()
            .all(|v| v.iter().all(|x| x.is_finite()))
    }
}

/// A motion given over time. Velocities and accelerations must be the derivatives of the pose: nothing downstream checks it.
pub trait Motion: Debug + Send + Sync {
    /// The motion at a time [s]; where velocities jump, with those after it.
    fn at(&self, t: f64) -> Moving;

    /// Returns the times at which velocities jump, ascending [s]. Steps end there, whether the motion prescribes a joint, carries a body by a servo or is that of a deck.
    fn jumps(&self) -> &[f64] {
        &[]
    }

    /// Returns the motion as data, so that it can be stored; None for one that lives in this process alone.
    fn as_data(&self) -> Option<MotionData> {
        None
    }
}

/// A motion that can be stored.
#[derive(Debug, Clone)]
pub enum MotionData {
    /// Oscillations.
    Harmonic(HarmonicMotion),
    /// A curve through samples.
    Spline(SplineMotion),
}

zerogap_core::store_enum!(MotionData { 0 => Harmonic(motion), 1 => Spline(motion) });

impl StoreShared for dyn Motion {
    fn put_shared(&self, out: &mut Writer) {
        match self.as_data() {
            Some(data) => data.put(out),
            None => out.refuse("a motion that is a function"),
        }
    }

    fn take_shared(from: &mut Reader<'_>) -> Result<Arc<Self>, StoreError> {
        Ok(match MotionData::take(from)? {
            MotionData::Harmonic(motion) => Arc::new(motion),
            MotionData::Spline(motion) => Arc::new(motion),
        })
    }
}

/// One oscillation: `amplitude sin(2 π frequency t + phase)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Harmonic {
    /// Half the distance between the extremes [m or rad].
    pub amplitude: f64,
    /// Oscillations per second [Hz].
    pub frequency: f64,
    /// The angle at time zero [rad].
    pub phase: f64,
}

zerogap_core::store_struct!(Harmonic { amplitude, frequency, phase });

impl Harmonic {
    /// Value and its first two derivatives at a time.
    fn at(&self, t: f64) -> [f64; 3] {
        let w = TAU * self.frequency;
        let (s, c) = sin_cos(w * t + self.phase);
        let a = self.amplitude;
        [a * s, a * w * c, -a * w * w * s]
    }

    fn check(&self) -> Result<(), MotionError> {
        for (what, value) in
            [("amplitude", self.amplitude), ("frequency", self.frequency), ("phase", self.phase)]
        {
            if value.is_nan() || value.abs() > MAX_LENGTH {
                return Err(MotionError::Harmonic { what, value });
            }
        }
        if self.frequency.abs() > MAX_FREQUENCY {
            return Err(MotionError::TooFast { frequency: self.frequency, max: MAX_FREQUENCY });
        }
        Ok(())
    }
}

/// Oscillations along and about three axes about a mean pose, as of a ship or a shaker table.
///
/// In axes of the mean pose the frame is shifted by (surge, sway, heave) and rotated by roll about x, then pitch about y, then yaw about z
/// (axes that stand still): `R = Rz(yaw) Ry(pitch) Rx(roll)`. The angular velocity and acceleration are those of that rotation, not
/// the derivatives of the angles.
#[derive(Debug, Clone, PartialEq)]
pub struct HarmonicMotion {
    mean: Pose,
    shift: [Harmonic; 3],
    turn: [Harmonic; 3],
}

zerogap_core::store_struct!(HarmonicMotion { mean, shift, turn } check |it| Self::new(it.mean, it.shift, it.turn));

impl HarmonicMotion {
    /// From the mean pose, the shifts (surge along x, sway along y, heave along z) and the rotations (roll, pitch, yaw).
    pub fn new(mean: Pose, shift: [Harmonic; 3], turn: [Harmonic; 3]) -> Result<Self, MotionError> {
        for harmonic in shift.iter().chain(&turn) {
            harmonic.check()?;
        }
        if let Some(wild) = turn.iter().find(|harmonic| harmonic.amplitude.abs() > MAX_ANGLE) {
            return Err(MotionError::ManyTurns { amplitude: wild.amplitude, max: MAX_ANGLE });
        }
        Ok(Self { mean, shift, turn })
    }
}

impl Motion for HarmonicMotion {
    fn as_data(&self) -> Option<MotionData> {
        Some(MotionData::Harmonic(self.clone()))
    }

    fn at(&self, t: f64) -> Moving {
        let shift = self.shift.map(|h| h.at(t));
        let derivative = |k: usize| Vec3::new(shift[0][k], shift[1][k], shift[2][k]);
        let turn = Turning::roll_pitch_yaw(self.turn.map(|h| h.at(t)));
        // Amplitudes were checked, so a pose fails only at a time without phase; then the velocities are no numbers, which the tree reports.
        let pose = Pose::new(derivative(0), turn.quaternion_xyzw).unwrap_or_default();
        Moving {
            pose: self.mean * pose,
            velocity: self.mean.transform_vector(&derivative(1)),
            acceleration: self.mean.transform_vector(&derivative(2)),
            angular_velocity: self.mean.transform_vector(&turn.velocity),
            angular_acceleration: self.mean.transform_vector(&turn.acceleration),
        }
    }
}

/// A rotation with its angular velocity and acceleration, in axes that stand still.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turning {
    pub(super) quaternion_xyzw: [f64; 4],
    pub(super) velocity: Vec3,
    pub(super) acceleration: Vec3,
}

impl Turning {
    /// From (angle, rate, second derivative) of roll, pitch and yaw: `R = Rz(yaw) Ry(pitch) Rx(roll)`.
    fn roll_pitch_yaw([roll, pitch, yaw]: [[f64; 3]; 3]) -> Self {
        // Each axis is carried by the rotations after it: yaw carries the pitch axis, yaw and pitch carry the roll axis.
        let (sy, cy) = sin_cos(yaw[0]);
        let (sp, cp) = sin_cos(pitch[0]);
        let axis_yaw = Vec3::z();
        let axis_pitch = Vec3::new(-sy, cy, 0.0);
        let axis_roll = Vec3::new(cy * cp, sy * cp, -sp);
        let outer = axis_yaw * yaw[1];
        let middle = outer + axis_pitch * pitch[1];
        Self {
            quaternion_xyzw: quaternion_of_roll_pitch_yaw(roll[0], pitch[0], yaw[0]),
            velocity: middle + axis_roll * roll[1],
            acceleration: axis_yaw * yaw[2]
                + axis_pitch * pitch[2]
                + axis_roll * roll[2]
                + outer.cross(&axis_pitch) * pitch[1]
                + middle.cross(&axis_roll) * roll[1],
        }
    }
}
