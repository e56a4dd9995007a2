//! The deck: where it is, how it moves, and its four surfaces.

use zerogap_core::math::atan2;
use zerogap_core::{Pose, Vec3};
use zerogap_proximity::oriented::Target;

use super::{DeckParams, LandingError};

/// The surfaces of the deck by number: it is a rectangle in the plane of y and z with its corners clockwise.
pub const SURFACES: [&str; 4] = ["top", "side at +y", "bottom", "side at -y"];

/// The deck at an instant, in the plane: x across, y up.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeckState {
    pub(super) pose: Pose,
    /// Velocity of the middle of its upper side [m/s].
    velocity: Vec3,
    /// Rate of its roll [rad/s].
    rate: f64,
}

impl DeckState {
    /// Velocity of the point of the deck that is at a place [m/s].
    pub(super) fn velocity_at(&self, point: &Vec3) -> Vec3 {
        let arm = point - self.pose.translation();
        self.velocity + Vec3::new(-self.rate * arm.y, self.rate * arm.x, 0.0)
    }

    /// Unit vector along the deck, to +y [-].
    pub(super) fn along(&self) -> Vec3 {
        self.pose.transform_vector(&Vec3::x())
    }
}

impl DeckParams {
    /// Its rectangle, in the frame of the middle of its upper side.
    pub(super) fn target(&self) -> Result<Target, LandingError> {
        let (half, low) = (0.5 * self.width, -self.thickness);
        Ok(Target::polygon(&[[-half, 0.0], [half, 0.0], [half, low], [-half, low]])?)
    }

    /// Where it is at a time [s]: what its motion does across, up and about x.
    pub(super) fn at(&self, t: f64) -> DeckState {
        let moving = self.motion.at(t);
        let (p, v) = (moving.pose.translation(), moving.velocity);
        let across = moving.pose.transform_vector(&Vec3::y());
        let roll = atan2(across.z, across.y);
        // Motions were checked where they were made; one that is not finite shows in the state.
        let pose = Pose::from_axis_angle(Vec3::new(p.y, p.z, 0.0), Vec3::z(), roll).unwrap_or_default();
        DeckState { pose, velocity: Vec3::new(v.y, v.z, 0.0), rate: moving.angular_velocity.x }
    }
}
