//! Compliant servos: they carry a body along a motion with limited force and torque.
//!
//! In: a motion, and how strong the servo is. Out: a force and a torque at an instant, which carry the body along the motion as far as they can. An obstacle is pushed with no more than that.

use std::sync::Arc;

use zerogap_core::Vec3;
use zerogap_dynamics::multibody::{BodyId, Motion, Tree, Workspace, Wrench};

use super::WorldError;

/// A velocity error is corrected within this fraction of the time in which a position error is [-]: such a servo comes to rest without oscillation.
const QUICKER: f64 = 0.25;

/// What holds and moves a free body.
#[derive(Debug, Clone)]
pub struct Servo {
    /// Where the body is to be.
    pub motion: Arc<dyn Motion>,
    /// Largest force besides the weight of the body, which the servo always carries [N].
    pub force: f64,
    /// Largest torque [N m].
    pub torque: f64,
    /// Time in which a position error is corrected [s].
    pub response: f64,
}

zerogap_core::store_struct!(Servo { motion, force, torque, response });

impl Servo {
    /// Whether it can be used.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        for (what, value) in [
            ("force of a servo", self.force),
            ("torque of a servo", self.torque),
            ("response of a servo", self.response),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(WorldError::Setting { what, value });
            }
        }
        Ok(())
    }

    /// By how much a body lags behind where it would be at an instant, as velocities that its centre of mass [m/s] and its rotation [rad/s] lack; no error is corrected within less than the shortest time [s].
    pub(super) fn velocity_error(
        &self,
        body: BodyId,
        (tree, ws): (&Tree, &Workspace),
        t: f64,
        shortest: f64,
    ) -> (Vec3, Vec3) {
        let to = self.motion.at(tree.motion_time(t));
        let (pose, inertia) = (ws.pose(body), tree.inertia(body));
        let response = self.response.max(shortest);

        // Places: the centre of mass follows where it would be.
        let center = pose.transform_vector(&inertia.center);
        let goal = to.pose.translation() + to.pose.transform_vector(&inertia.center);
        let missing = goal - pose.translation() - center;
        let wanted = to.velocity
            + to.angular_velocity.cross(&to.pose.transform_vector(&inertia.center))
            + missing / response;
        let now = ws.linear_velocity(body) + ws.angular_velocity(body).cross(&center);

        // Angles, by the shorter way round.
        let turn = to.pose.rotation_vector_from(pose);
        let spin = to.angular_velocity + turn / response - ws.angular_velocity(body);
        (wanted - now, spin)
    }

    /// Adds what it does to a body at an instant; a step of fixed length gives its end, and its length as the shortest time for anything [s].
    pub(super) fn hold(
        &self,
        body: BodyId,
        (tree, ws): (&Tree, &Workspace),
        t: f64,
        shortest: f64,
        wrench: &mut Wrench,
    ) {
        let (linear, spin) = self.velocity_error(body, (tree, ws), t, shortest);
        let (pose, inertia) = (ws.pose(body), tree.inertia(body));
        let quick = (QUICKER * self.response).max(shortest);
        let center = pose.transform_vector(&inertia.center);
        let carried = -tree.gravity() * inertia.mass;
        let force = no_more(linear * (inertia.mass / quick), self.force) + carried;
        let axes = pose.rotation_matrix();
        let torque = no_more(axes * (inertia.inertia * (axes.transpose() * spin)) / quick, self.torque);
        wrench.force += force;
        wrench.torque += torque + center.cross(&force);
    }
}

/// A vector, shortened to a length.
fn no_more(v: Vec3, most: f64) -> Vec3 {
    let length = v.norm();
    if length > most { v * (most / length) } else { v }
}
