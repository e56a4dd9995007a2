//! Functions of the user: those whose zeros are events, and forces.
//!
//! In: a view of the world at an instant. Out: a number whose zero crossings are located, or the loads on some bodies. Both are code, so they are not stored with a world.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::event::Direction;
use zerogap_dynamics::multibody::{BodyId, Energy, Workspace, Wrench};

use super::WorldError;
use super::frames::ContactForce;
use super::gaps::{GapSide, ShapeGap};
use super::model::Model;
use super::shapes::ShapeId;

/// What a function of the user may read.
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
    pub(crate) contacts: Option<&'a ContactView<'a>>,
}

/// The contact forces at the instant of a view, found when they are asked for.
pub(crate) struct ContactView<'a> {
    find: &'a dyn Fn() -> Vec<ContactForce>,
    is_used: Cell<bool>,
}

impl<'a> ContactView<'a> {
    pub(crate) fn new(find: &'a dyn Fn() -> Vec<ContactForce>) -> Self {
        Self { find, is_used: Cell::new(false) }
    }

    /// Whether somebody has asked for them.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.get()
    }
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

    /// Returns the body that a shape is on; none for a shape that is fixed in the world, or that there is not.
    pub fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        self.model.shapes.get(shape.0 as usize)?.body
    }

    /// Returns the energies of bodies and joints, as [`super::World::energy`] does.
    pub fn energy(&self) -> Energy {
        self.model.tree.energy(self.ws, self.positions)
    }

    /// Returns the forces of all pairs in contact, by pair, as [`super::World::contacts`] does.
    ///
    /// Fails: in a force function, since contact forces follow from the other forces.
    pub fn contacts(&self) -> Result<Vec<ContactForce>, WorldError> {
        let contacts = self.contacts.ok_or(WorldError::ContactsOfForce)?;
        contacts.is_used.set(true);
        Ok((contacts.find)())
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

/// Writes the loads on some bodies at an instant.
type LoadFunction = dyn Fn(&View<'_>, &mut [Wrench]) + Send + Sync;

/// Forces on bodies as a function of time and state.
#[derive(Clone)]
pub struct ForceFunction {
    /// The bodies that it acts on.
    pub bodies: Vec<BodyId>,
    /// Writes the load on each of them, in their order: the force at the body's origin [N] and the torque [N m], in world axes; they are zero before. Same time and state, same loads.
    pub function: Arc<LoadFunction>,
}

impl fmt::Debug for ForceFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ForceFunction {{ bodies: {:?} }}", self.bodies)
    }
}

impl Model {
    /// What a function of the user may read at an instant.
    pub(crate) fn view<'a>(
        &'a self,
        t: f64,
        (positions, velocities): (&'a [f64], &'a [f64]),
        ws: &'a Workspace,
        contacts: Option<&'a ContactView<'a>>,
    ) -> View<'a> {
        View { t, positions, velocities, names: &self.names, bodies: &self.bodies, ws, model: self, contacts }
    }

    /// Adds the loads of force functions at an instant; the workspace is up to date.
    pub(crate) fn add_user_forces(
        &self,
        t: f64,
        coordinates: (&[f64], &[f64]),
        ws: &Workspace,
        wrenches: &mut [Wrench],
    ) {
        if self.user_forces.is_empty() {
            return;
        }
        let view = self.view(t, coordinates, ws, None);
        let mut loads = Vec::new();
        for force in &self.user_forces {
            loads.clear();
            loads.resize(force.bodies.len(), Wrench::default());
            (force.function)(&view, &mut loads);
            for (body, load) in force.bodies.iter().zip(&loads) {
                if !load.force.iter().chain(load.torque.iter()).all(|x| x.is_finite()) {
                    self.infinite_force.set(Some((t, *body)));
                }
                wrenches[body.index()] += *load;
            }
        }
    }
}

impl EventFunction {
    pub(crate) fn value(
        &self,
        t: f64,
        model: &Model,
        y: &[f64],
        ws: &Workspace,
        contacts: &ContactView<'_>,
    ) -> f64 {
        let parts = model.parts(y);
        (self.function)(&model.view(t, (parts.q, parts.v), ws, Some(contacts)))
    }
}
