//! Functions of the user whose zeros are events.

use std::fmt;
use std::sync::Arc;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::event::Direction;
use zerogap_dynamics::multibody::{BodyId, Workspace};

use super::WorldError;
use super::gaps::{GapSide, ShapeGap};
use super::model::Model;

/// What an event function may read.
pub struct View<'a> {
    /// Time [s].
    pub t: f64,
    /// Positions of all joints.
    pub positions: &'a [f64],
    /// Velocities of all joints.
    pub velocities: &'a [f64],
    /// Names of the bodies, in the order of adding; those that were removed keep their places.
    pub names: &'a [String],
    /// The bodies that there are, ascending.
    pub bodies: &'a [BodyId],
    pub(crate) ws: &'a Workspace,
    pub(crate) model: &'a Model,
}

impl View<'_> {
    /// The pose of a body.
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed.
    pub fn pose(&self, body: BodyId) -> Pose {
        self.model.require_body(body);
        *self.ws.pose(body)
    }

    /// The velocity of a body's origin [m/s].
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed.
    pub fn velocity(&self, body: BodyId) -> Vec3 {
        self.model.require_body(body);
        self.ws.linear_velocity(body)
    }

    /// Returns the side of a name, as [`super::World::side_named`] does.
    pub fn side_named(&self, name: &str) -> Result<GapSide, WorldError> {
        self.model.side_named(name)
    }

    /// Returns the smallest gap between two sides, as [`super::World::gap`] does.
    pub fn gap(&self, a: impl Into<GapSide>, b: impl Into<GapSide>) -> Result<ShapeGap, WorldError> {
        self.model.gap(self.t, &|body| *self.ws.pose(body), (a.into(), b.into()))
    }

    /// The angular velocity of a body, in world axes [rad/s].
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed.
    pub fn angular_velocity(&self, body: BodyId) -> Vec3 {
        self.model.require_body(body);
        self.ws.angular_velocity(body)
    }
}

/// A function whose zeros are events.
#[derive(Clone)]
pub struct EventFunction {
    /// Computes it; same state, same value.
    pub function: Arc<dyn Fn(&View<'_>) -> f64 + Send + Sync>,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether a run ends there.
    pub stops: bool,
}

impl fmt::Debug for EventFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventFunction {{ direction: {:?}, stops: {} }}", self.direction, self.stops)
    }
}

impl EventFunction {
    pub(crate) fn value(&self, t: f64, model: &Model, y: &[f64], ws: &Workspace) -> f64 {
        let parts = model.parts(y);
        (self.function)(&View {
            t,
            positions: parts.q,
            velocities: parts.v,
            names: &model.names,
            bodies: &model.bodies,
            ws,
            model,
        })
    }
}
