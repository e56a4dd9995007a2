//! Force elements and couplings of a world: what robots have beyond joints and motors.

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

    /// Sets the control of an actuator, by its number, from now on: the time reached becomes the end of a step, unless nothing changes.
    pub fn set_control(&mut self, actuator: usize, control: f64) -> Result<(), WorldError> {
        let known = self.forces().actuators.get(actuator);
        if known.is_some_and(|known| known.control.to_bits() == control.to_bits()) {
            return Ok(());
        }
        // One that is refused changes nothing; the step that ends here is still driven by the control before.
        let mut changed = self.model.tree.clone();
        changed.set_control(actuator, control, self.time())?;
        self.method.make_boundary(&mut self.model)?;
        self.model.tree.set_control(actuator, control, self.method.time())?;
        for body in self.model.bodies.clone().iter() {
            self.method.wake(&mut self.model, *body);
        }
        self.method.disturb();
        Ok(())
    }
}

impl Model {
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
