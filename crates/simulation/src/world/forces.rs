//! Force elements and couplings of a world: what robots have beyond joints and motors.

use zerogap_dynamics::beam::frame::SectionForces;
use zerogap_dynamics::multibody::{Coupling, Forces, Workspace, Wrench};

use super::model::{Model, Parts};
use super::shapes::PairId;
use super::stored::Said;
use super::{World, WorldBuilder, WorldError};

impl WorldBuilder {
    /// Adds tendons, actuators and other force elements on bodies that were added before.
    pub fn forces(&mut self, forces: Forces) -> Result<(), WorldError> {
        self.tree.forces(forces.clone())?;
        self.said.push(Said::Forces(Box::new(forces)));
        Ok(())
    }

    /// Couples positions of joints of bodies that were added before.
    pub fn couple(&mut self, coupling: Coupling) -> Result<(), WorldError> {
        self.tree.couple(coupling.clone())?;
        self.said.push(Said::Couple(Box::new(coupling)));
        Ok(())
    }

    /// How many tendons and actuators were added [-].
    pub fn force_counts(&self) -> (usize, usize) {
        (self.tree.forces_added().tendons.len(), self.tree.forces_added().actuators.len())
    }

    /// Keeps pairs of shapes from ever touching, whatever their bodies do.
    pub fn exclude_shapes(&mut self, pairs: Vec<PairId>) {
        self.exclude_pairs(pairs);
    }

    /// Returns how many shapes were added; a compound counts as its pieces.
    pub fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// Sets whether methods that have no dry friction of joints leave it out; without it they refuse a world that has some.
    pub fn set_friction_optional(&mut self, is_optional: bool) {
        self.is_friction_optional = is_optional;
        self.said.push(Said::FrictionOptional(is_optional));
    }
}

impl World {
    /// Returns the force elements; the order of their actuators is that of their controls.
    pub fn forces(&self) -> &Forces {
        self.tree().forces()
    }

    /// Returns the forces at both ends of all beams of frames now, in the order of adding, in axes of the beam: what the part beyond the section exerts.
    pub fn beam_forces(&self) -> Vec<[SectionForces; 2]> {
        let tree = self.tree();
        self.with_state(|ws| (0..tree.beams().len()).map(|beam| tree.beam_forces(ws, beam)).collect())
    }

    /// Sets the control of an actuator, by its number, from now on: the time reached becomes the end of a step, unless nothing changes.
    pub fn set_control(&mut self, actuator: usize, control: f64) -> Result<(), WorldError> {
        self.change_controls(std::iter::once((actuator, control)))
    }
}

impl Model {
    /// The accelerations that forces, motors and loops give without contacts and limits.
    pub(crate) fn free_accelerations(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        let Parts { q, v, .. } = self.parts(y);
        let (mut effort, mut acceleration) = (vec![0.0; v.len()], vec![0.0; v.len()]);
        let mut wrenches = self.applied.clone();
        self.tree.joint_efforts(q, v, &mut effort);
        self.add_forces(t, y, &scratch.ws, &mut wrenches, &mut effort);
        let mut lambda = vec![0.0; self.tree.loop_rows()];
        self.tree.loop_acceleration(&mut scratch.ws, &wrenches, &effort, &mut acceleration, &mut lambda);
        acceleration
    }

    /// Adds the loads of force elements and of force functions to those of bodies and joints.
    pub(crate) fn add_forces(
        &self,
        t: f64,
        y: &[f64],
        ws: &Workspace,
        wrenches: &mut [Wrench],
        effort: &mut [f64],
    ) {
        let Parts { q, v, .. } = self.parts(y);
        self.tree.add_forces(t, (q, v), ws, wrenches, effort);
        self.add_user_forces(t, (q, v), ws, wrenches);
    }
}
