//! How a rigid body moves: a point of it on a straight line, the body turning about that point at a constant rate.
//!
//! In: a pose and velocities, or two poses. Out: the pose at any time. With the point at the body's origin this is the motion of a body with
//! constant linear and angular velocity; with the point on the screw axis it is a screw.

use zerogap_core::math::sin_cos;
use zerogap_core::nalgebra::{Quaternion, UnitQuaternion};
use zerogap_core::pose::rotation_vector;
use zerogap_core::{Pose, Vec3};

use super::MotionError;

/// Turns below this angle have no well-defined axis [rad].
const NO_TURN: f64 = 1e-200;

/// A rigid motion that starts at time 0: `pose(t)`.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_proximity::motion::Motion;
///
/// // A wheel that rolls along x: a quarter turn a second.
/// let quarter = std::f64::consts::FRAC_PI_2;
/// let rolling = Motion::new(Pose::identity(), Vec3::new(0.5 * quarter, 0.0, 0.0), Vec3::new(0.0, quarter, 0.0))?;
/// let rim = rolling.pose(2.0).transform_point(&Vec3::new(0.0, 0.0, 0.5));
/// assert!((rim - Vec3::new(quarter, 0.0, -0.5)).amax() < 1e-15);
/// # Ok::<(), zerogap_proximity::motion::MotionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    start: Pose,
    /// From the body's origin to the point that moves straight, at the start, in the world [m].
    arm: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

impl Motion {
    /// A body that stays where it is.
    pub fn fixed(pose: Pose) -> Self {
        Self { start: pose, arm: Vec3::zeros(), velocity: Vec3::zeros(), spin: Vec3::zeros() }
    }

    /// Constant velocity of the body's origin [m/s] and constant angular velocity [rad/s], both in the world.
    pub fn new(start: Pose, velocity: Vec3, spin: Vec3) -> Result<Self, MotionError> {
        Self::about(start, Vec3::zeros(), velocity, spin)
    }

    /// Constant velocity [m/s] of a point of the body, which turns about it; `point` is given in the body's frame [m].
    pub fn about(start: Pose, point: Vec3, velocity: Vec3, spin: Vec3) -> Result<Self, MotionError> {
        for (what, v) in [("the point", point), ("the velocity", velocity), ("the angular velocity", spin)] {
            if !v.iter().all(|c| c.is_finite()) {
                return Err(MotionError::NotFinite { what, x: v.x, y: v.y, z: v.z });
            }
        }
        Ok(Self { start, arm: start.transform_vector(&point), velocity, spin })
    }

    /// From one pose to another in `duration` [s]: the origin on a straight line, the body turning about one axis by the smaller angle.
    pub fn between(start: Pose, end: Pose, duration: f64) -> Result<Self, MotionError> {
        check_duration(duration)?;
        Self::new(start, (end.translation() - start.translation()) / duration, turn(&start, &end) / duration)
    }

    /// From one pose to another in `duration` [s] as a screw: turning about one line in space and moving along it.
    pub fn screw(start: Pose, end: Pose, duration: f64) -> Result<Self, MotionError> {
        check_duration(duration)?;
        let (displacement, turn) = (end.translation() - start.translation(), turn(&start, &end));
        let angle = turn.norm();
        if angle <= NO_TURN {
            return Self::between(start, end, duration);
        }
        let axis = turn / angle;
        let along = axis * axis.dot(&displacement);
        let across = displacement - along;
        // The origin moves on an arc whose chord is `across`: its centre lies beside the middle of the chord.
        let (s, c) = sin_cos(0.5 * angle);
        let arm = across * 0.5 + axis.cross(&across) * (0.5 * c / s);
        if !arm.iter().all(|c| c.is_finite()) {
            return Self::between(start, end, duration);
        }
        Ok(Self { start, arm, velocity: along / duration, spin: turn / duration })
    }

    /// The pose at a time [s].
    pub fn pose(&self, t: f64) -> Pose {
        let turn = self.spin * t;
        let angle = turn.norm();
        let displacement = self.velocity * t;
        if angle <= NO_TURN {
            return placed(self.start.translation() + displacement, *self.start.rotation());
        }
        let axis = turn / angle;
        let (s, c) = sin_cos(0.5 * angle);
        let rotated = UnitQuaternion::new_unchecked(Quaternion::new(c, s * axis.x, s * axis.y, s * axis.z));
        // What the arm adds, from half angles: a far centre of a small turn loses no digits.
        let aside = axis.cross(&self.arm);
        let swing = aside * (-2.0 * s * c) - axis.cross(&aside) * (2.0 * s * s);
        placed(self.start.translation() + displacement + swing, rotated * self.start.rotation())
    }

    /// The motion that continues from a time [s].
    #[must_use]
    pub fn from(&self, t: f64) -> Self {
        let start = self.pose(t);
        let arm = start.transform_vector(&self.start.inverse_transform_vector(&self.arm));
        Self { start, arm, ..*self }
    }

    /// The same motion of a part that is fixed to the body: `pose` is the part's pose in the body's frame.
    #[must_use]
    pub fn of_part(&self, pose: &Pose) -> Self {
        let start = self.start * *pose;
        // The point that moves straight stays the same one.
        let arm = self.arm - self.start.transform_vector(&pose.translation());
        Self { start, arm, ..*self }
    }

    /// The pose at the start.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// Velocity of the point that moves straight [m/s].
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Angular velocity [rad/s].
    pub fn spin(&self) -> Vec3 {
        self.spin
    }

    /// The point that moves straight, in the body's frame [m].
    pub fn center(&self) -> Vec3 {
        self.start.inverse_transform_vector(&self.arm)
    }

    /// Where the point that moves straight is at a time [m].
    pub(super) fn center_at(&self, t: f64) -> Vec3 {
        self.start.translation() + self.arm + self.velocity * t
    }

    /// Velocity of the point of the body that is at `point` at time `t` [m/s].
    pub fn velocity_at(&self, t: f64, point: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(point - self.center_at(t)))
    }
}

/// A pose made of parts that are as good as those of other poses.
fn placed(translation: Vec3, rotation: UnitQuaternion<f64>) -> Pose {
    let q = rotation.quaternion();
    // Coordinates that run out of range end at its border: such a body is far from everything.
    let clamped = translation.map(|c| c.clamp(-zerogap_core::MAX_LENGTH, zerogap_core::MAX_LENGTH));
    Pose::new(clamped, [q.i, q.j, q.k, q.w]).unwrap_or_default()
}

/// The rotation from one orientation to another, as axis times angle in the world [rad], by the smaller angle.
fn turn(start: &Pose, end: &Pose) -> Vec3 {
    rotation_vector((end.rotation() * start.rotation().inverse()).quaternion())
}

/// Refuses lengths of time that cannot be divided by.
fn check_duration(duration: f64) -> Result<(), MotionError> {
    if duration > 0.0 && duration.is_finite() {
        return Ok(());
    }
    Err(MotionError::Time { what: "the duration", value: duration })
}

#[cfg(test)]
mod tests {
    use zerogap_testkit::{count, random::Random};

    use super::*;

    #[test]
    fn both_ways_between_two_poses_end_where_they_should() {
        let mut random = Random::new(3);
        for _ in 0..count(200, 20_000) {
            let mut pose = || Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
            let (start, end) = (pose(), pose());
            for motion in [Motion::between(start, end, 0.3).unwrap(), Motion::screw(start, end, 0.3).unwrap()]
            {
                let p = Vec3::new(0.3, -0.2, 0.9);
                assert!((motion.pose(0.0).transform_point(&p) - start.transform_point(&p)).amax() < 1e-14);
                assert!((motion.pose(0.3).transform_point(&p) - end.transform_point(&p)).amax() < 1e-12);
            }
        }
    }

    #[test]
    fn a_screw_turns_at_constant_rate_about_one_line() {
        let start = Pose::from_translation(Vec3::new(2.0, 0.0, 0.0)).unwrap();
        let end =
            Pose::from_axis_angle(Vec3::new(0.0, 2.0, 1.0), Vec3::z(), std::f64::consts::FRAC_PI_2).unwrap();
        let motion = Motion::screw(start, end, 1.0).unwrap();
        for k in 0..=10 {
            let t = 0.1 * f64::from(k);
            let p = motion.pose(t).translation();
            assert!((p.xy().norm() - 2.0).abs() < 1e-14 && (p.z - t).abs() < 1e-14, "{p}");
        }
    }

    #[test]
    fn a_screw_of_a_tiny_angle_loses_no_digits() {
        let end = Pose::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), Vec3::z(), 1e-12).unwrap();
        let motion = Motion::screw(Pose::identity(), end, 1.0).unwrap();
        assert!((motion.pose(1.0).translation() - Vec3::x()).amax() < 1e-14);
        assert!((motion.pose(0.25).translation() - Vec3::new(0.25, 0.0, 0.0)).amax() < 1e-11);
    }

    #[test]
    fn a_part_moves_with_its_body() {
        let start = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), Vec3::x(), 0.7).unwrap();
        let end = Pose::from_axis_angle(Vec3::new(0.0, 2.5, 3.0), Vec3::y(), 1.7).unwrap();
        let part = Pose::from_axis_angle(Vec3::new(0.3, 0.1, -0.2), Vec3::z(), 2.0).unwrap();
        for motion in [Motion::between(start, end, 1.0).unwrap(), Motion::screw(start, end, 1.0).unwrap()] {
            for t in [0.0, 0.3, 1.0] {
                let (whole, alone) = (motion.pose(t) * part, motion.of_part(&part).pose(t));
                let p = Vec3::new(1.0, -1.0, 0.5);
                assert!((whole.transform_point(&p) - alone.transform_point(&p)).amax() < 1e-14);
            }
        }
    }

    #[test]
    fn going_on_from_a_time_is_the_same_motion() {
        let motion = Motion::about(
            Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), Vec3::x(), 0.7).unwrap(),
            Vec3::new(0.5, -1.0, 0.0),
            Vec3::new(0.1, 0.2, -0.3),
            Vec3::new(1.0, -2.0, 0.5),
        )
        .unwrap();
        let (p, later) = (Vec3::new(1.0, 1.0, -1.0), motion.from(0.4));
        assert!((later.pose(0.6).transform_point(&p) - motion.pose(1.0).transform_point(&p)).amax() < 1e-14);
        // The velocity of a point is the slope of its path.
        let at = |t: f64| motion.pose(t).transform_point(&p);
        let slope = (at(0.5 + 1e-6) - at(0.5 - 1e-6)) / 2e-6;
        assert!((motion.velocity_at(0.5, &at(0.5)) - slope).amax() < 1e-8);
    }
}
